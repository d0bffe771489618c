# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor.run: a campaign."""
import json
import os
import sys

from . import _command, _errors


def as_options(options):
    """Keyword arguments as options of the program: fail_on="any" is --fail-on any, force=True is --force."""
    words = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        for one in value if isinstance(value, (list, tuple)) else [value]:
            words += [option] if one is True else [option, one]
    return words


def shown(show):
    """A function that shows what a command says meanwhile where this interpreter does: in a terminal, in a notebook."""
    if not show:
        return None

    def write(part):
        for line in part.decode("utf-8", "replace").splitlines(keepends=True):
            if line.startswith("corridor: ") and not line.startswith(("corridor: warning", "corridor: note")):
                write.is_over = True  # it is raised
            if not write.is_over:
                sys.stderr.write(line)
        sys.stderr.flush()

    write.is_over = False

    return write


def run(experiment, algorithm=None, output=None, *, workers=None, suites=None, progress=True, **options):
    """Runs an experiment and returns its corridor.Result.

    experiment: a dict as docs/look-up/experiments.md has it, or the path of such a file. Paths in a dict begin at the present
    folder; its versions (corridor_experiment, corridor_model) may be left out.
    algorithm: a function or class made by @corridor.algorithm, the name of one, or several of them. Of a dict without
    "arms" it has an arm of its own, and one for each of its faults; else it stands for the algorithm of all arms.
    output: path of the result file; None: a file that is removed with the Result. A campaign that was interrupted goes
    on when it is run again with the same output.
    workers: processes; None: one for each processor. They change no result.
    suites: stop after so many, counted over all arms.
    progress: show how far it is on standard error.
    Other keyword arguments are options of `corridor run`: fail_on="any", isolate="never", stop_failures=10, force=True.

    Raises what docs/look-up/exit-codes.md lists. Violated, NoVerdict and Interrupted have the Result as `result`, if there is one.
    """
    from ._results import Result

    arms = list(algorithm) if isinstance(algorithm, (list, tuple)) else [] if algorithm is None else [algorithm]
    words, text = ["run"], None
    if isinstance(experiment, dict):
        experiment = dict(experiment)
        if "model" in experiment:
            experiment.setdefault("corridor_experiment", 1)
            if isinstance(experiment["model"], dict):
                experiment["model"] = {"corridor_model": 1, **experiment["model"]}
        if arms and "arms" not in experiment:
            experiment["arms"] = [arm for one in arms for arm in _arms_of(one)]
            arms = []
        text = json.dumps(experiment).encode()
        words.append("-")
    else:
        words.append(os.fspath(experiment))
    for one in arms:
        words += ["--algorithm", one if isinstance(one, str) else _guest_of(one).name]
    words += as_options({"jobs": workers, "suites": suites, **options})
    if not progress:
        words += ["--progress", "none"]
    temporary = None
    if output is None:
        import shutil
        import tempfile

        temporary = tempfile.mkdtemp(prefix="corridor-")
        output = os.path.join(temporary, "result.h5")
    output = os.fspath(output)
    try:
        answer = _command.call([*words, "--output", output], guests=guests(), stdin=text, show=shown(progress))
    except BaseException:
        if temporary:
            shutil.rmtree(temporary, ignore_errors=True)
        raise
    answer.said = _errors.in_python(answer.said)
    if text is not None:  # the program was told it so; who wrote a dict knows of none
        answer.said = answer.said.replace("standard input:", "experiment:")
    result = None
    if os.path.exists(output) and answer.code in (0, 1, 5, 7):
        result = Result(output, summary=answer.text, temporary=temporary)
    elif temporary:
        shutil.rmtree(temporary, ignore_errors=True)
    try:
        answer.check()
    except _errors.Error as error:
        error.result = result
        raise
    if progress and guests():
        sys.stderr.write(result.traceback())  # of the first exception, if there was one
    return result


def _guest_of(one):
    if not hasattr(one, "corridor"):
        raise TypeError(f"{one!r} is no algorithm: give the name of one, or what @corridor.algorithm has made one")
    return one.corridor


def _arms_of(one):
    """An arm without a fault, and one for each fault."""
    if isinstance(one, str):
        return [{"name": one, "algorithm": one}]
    name = _guest_of(one).name
    return [{"name": name, "algorithm": name}] + [
        {"name": f"{name}-{fault}", "algorithm": name, "fault": fault} for fault in _guest_of(one).fault_names]


def guests():
    """All that was registered in this interpreter."""
    found = []
    for place in ("corridor._algorithms", "corridor._processes"):
        if place in sys.modules:
            found += sys.modules[place].registered()
    return found
