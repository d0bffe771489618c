# SPDX-License-Identifier: GPL-3.0-or-later
"""Bugs planted in files of a room, one at a time: a test has to find each, and none where nothing is planted."""
import pathlib
import subprocess
import sys
import tempfile


def plant(room, bugs, every, build, arguments):
    """bugs: (test that finds it, file, text that stands there once, what is planted), of which every `every`-th is planted.
    build(test, mutant, program): the test as a program, with that file in place of the room's own; arguments(test): what it is
    called with. Exits with the outcome."""
    failures = 0
    firsts = {test: (test, name, text, text) for test, name, text, _ in reversed(bugs)}  # of each test one, and nothing is planted
    with tempfile.TemporaryDirectory() as folder:
        for test, name, text, planted in [*firsts.values(), *bugs[::every]]:
            source = (pathlib.Path(room) / name).read_text()
            if source.count(text) != 1:
                print(f"{name}: stands there {source.count(text)} times: {text}")
                failures += 1
                continue
            mutant, program = pathlib.Path(folder, name), pathlib.Path(folder, "test")
            mutant.parent.mkdir(parents=True, exist_ok=True)
            mutant.write_text(source.replace(text, planted))
            build(test, mutant, program)
            try:  # a bug may make it wait for ever; where nothing is planted it takes as long as the machine is busy
                found = subprocess.run([program, *arguments(test)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                                       timeout=60 if planted != text else None).returncode != 0
            except subprocess.TimeoutExpired:
                found = True
            if found != (planted != text):
                print(f"{name}: {'not found' if planted != text else 'found, but nothing is planted'}: {text} -> {planted}")
                failures += 1
    print(f"{len(bugs[::every]) - failures} of {len(bugs[::every])} found")
    sys.exit(failures != 0)
