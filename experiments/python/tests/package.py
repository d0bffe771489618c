# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the package share.

Each is run as  test_x.py LIBRARY CORRIDOR SOURCE_DIRECTORY  and prints a summary. It exits with 0, with 1 if a test failed, and with
77 if none failed but some were skipped."""
import faulthandler
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

LIBRARY, BINARY, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
os.environ["CORRIDOR_LIBRARY"] = str(LIBRARY)
os.environ["PYTHONPATH"] = str(SOURCE / "experiments/python")
os.environ["LC_ALL"] = "C"
for name in ("CI", "CLICOLOR_FORCE", "NO_COLOR"):
    os.environ.pop(name, None)
sys.path.insert(0, os.environ["PYTHONPATH"])
sys.dont_write_bytecode = True

import corridor  # noqa: E402


def complaints(said):
    """What is said on standard error, but for what a machine says that cannot isolate fully."""
    return re.sub(r"corridor: warning: isolation is not full.*\n", "", said)


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="corridor [python] "))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, value):
        path = self.folder / name
        path.write_text(json.dumps(value))
        return path


def main():
    faulthandler.dump_traceback_later(1000)  # one that hangs says where, before ctest ends it (.ci/check)
    program = unittest.main(argv=sys.argv[:1] + [word for word in sys.argv[4:] if word != "in-full"], exit=False, verbosity=1)
    result = program.result
    print(f"{result.testsRun - len(result.failures) - len(result.errors) - len(result.skipped)} passed, "
          f"{len(result.failures) + len(result.errors)} failed, {len(result.skipped)} skipped")
    sys.exit(1 if not result.wasSuccessful() else 77 if result.skipped else 0)
