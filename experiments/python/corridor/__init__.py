# SPDX-License-Identifier: GPL-3.0-or-later
"""Corridor, a simulation testbed for self-organization algorithms: run campaigns, test functions of your own, look at
what was found. docs/do/python.md is the manual.

    import corridor
    result = corridor.run("demo.json")
"""
from ._errors import BadInput, BadUsage, Error, FileTrouble, InternalError, Interrupted, NoVerdict, Violated

__all__ = ["BadInput", "BadUsage", "Error", "FileTrouble", "InternalError", "Interrupted", "Nested", "NoVerdict", "Process", "Result",
           "Test", "Violated", "algorithm", "call", "commit", "open", "process", "replay", "run", "version"]

# Loaded when they are asked for: `import corridor` is quick.
_PLACES = {"run": "_run", "algorithm": "_algorithms", "Nested": "_algorithms", "process": "_processes", "Process": "_processes", "Result": "_results", "Test": "_results", "open": "_results", "replay": "_results"}


def __getattr__(name):
    import importlib

    if name == "__version__":
        return version()
    if name not in _PLACES:
        raise AttributeError(f"module 'corridor' has no attribute '{name}'")
    value = getattr(importlib.import_module("." + _PLACES[name], __name__), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(__all__)


def call(*arguments, stdin=None, progress=False):
    """Does what the command line `corridor ARGUMENT..` does, and returns what it prints (text). Raises what
    docs/look-up/exit-codes.md lists."""
    from . import _command, _run

    return _command.call(arguments, guests=_run.guests(), stdin=stdin, show=_run.shown(progress)).check().text


def version():
    """The version of the program: "0.1.0"."""
    from . import _command

    return _command.load().cor_embed_version().decode()


def commit():
    """The commit that it was built from; "" if that is not known."""
    from . import _command

    return _command.load().cor_embed_commit().decode()
