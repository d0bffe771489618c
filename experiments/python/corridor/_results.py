# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor.open: a result file."""
import os

from . import _command


class Result:
    """A result file. Its tables are read when they are asked for."""

    def __init__(self, path, summary=None, temporary=None):
        self.path = os.fspath(path)
        self._summary = summary
        if temporary:
            import shutil
            import weakref

            weakref.finalize(self, shutil.rmtree, temporary, ignore_errors=True)

    @property
    def summary(self):
        """What was found, in one screen (text)."""
        if self._summary is None:
            self._summary = _command.call(["show", self.path]).check().text
        return self._summary

    def __repr__(self):
        return f"<corridor.Result {self.path!r}>\n{self.summary}"


def open(path):
    """The result file at `path`. BadInput if it is none."""
    _command.call(["show", path, "--hash"]).check()
    return Result(path)
