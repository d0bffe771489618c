# SPDX-License-Identifier: GPL-3.0-or-later
"""What a command ends with other than 0, as exceptions: one for each row of docs/look-up/exit-codes.md."""
import re


class Error(Exception):
    """A command did not come to the end that was asked for. The text is what the program says.

    code: its exit code; output: what it printed as its result (text); result: of a campaign the result file as far
    as it is (corridor.Result), else None.
    """

    code = None

    def __init__(self, message, output="", code=None):
        super().__init__(message)
        self.output = output
        self.result = None
        if code is not None:
            self.code = code


class Violated(Error):
    """done, but a test failed, a replay differs, an identity of the tables is broken, or --fail-on found what it seeks"""

    code = 1


class BadUsage(Error):
    """the command line cannot be understood"""

    code = 2


class BadInput(Error):
    """invalid input: experiment, model, profile, series, result file or algorithm"""

    code = 3


class FileTrouble(Error):
    """a file is missing or cannot be read or written, or memory is short"""

    code = 4


class Interrupted(Error):
    """interrupted: incomplete, and the same command goes on"""

    code = 5


class InternalError(Error):
    """internal error: please report it"""

    code = 6


class NoVerdict(Error):
    """done, but without a verdict: a test could not be carried out or brought to its end, or a question was too much for the limits given"""

    code = 7


BY_CODE = {kind.code: kind for kind in (Violated, BadUsage, BadInput, FileTrouble, Interrupted, InternalError, NoVerdict)}


def in_python(said):
    """What a command says, for who called a function of this package: options are keyword arguments, and functions are
    algorithms once their module is there."""
    said = re.sub(r"name another file(?: with -o)?, or say --force to replace it", "name another file, or say force=True to replace it", said)
    return re.sub(r'(there is no algorithm "[a-z][^"]*")(\n  known: .*)', r"\1\2\n  a function of yours is known once the module that has it is imported",
                  said)


def of_answer(code, output, said):
    """The exception for an exit code (below 0: ended by that signal) and what was printed to standard error."""
    lines = said.rstrip("\n").split("\n")
    starts = [number for number, line in enumerate(lines) if line.startswith("corridor: ")]
    message = "\n".join(lines[starts[-1]:]) if starts else said.strip()
    if message.startswith("corridor: "):
        message = message[len("corridor: "):]
    kind = BY_CODE.get(code, InternalError)
    if code < 0:
        message = f"ended by signal {-code}" + (f": {message}" if message else "")
    if not message:
        first = output.strip().split("\n")[0]
        message = f"{kind.__doc__}" + (f": {first}" if first else "")
    return kind(message, output, code)
