# SPDX-License-Identifier: GPL-3.0-or-later
"""Bugs planted in files of a room, one at a time: a test has to find each, and none where nothing is planted."""
import pathlib
import shlex
import subprocess
import sys
import tempfile


def plant(room, bugs, every, build, arguments):
    """bugs: (test that finds it, file, text that stands there once, what is planted), of which every `every`-th is planted.
    build(test, mutant, program): the test as a program, with that file in place of the room's own; arguments(test): what it is
    called with. Exits with the outcome."""
    texts = {name: (pathlib.Path(room) / name).read_text() for _, name, _, _ in bugs}
    stale = [f"{name}: stands there {texts[name].count(text)} times: {text}" for _, name, text, _ in bugs if texts[name].count(text) != 1]
    if stale:  # of those that are not planted now, too
        sys.exit("\n".join(stale))
    failures = 0
    firsts = {test: (test, name, text, text) for test, name, text, _ in reversed(bugs)}  # of each test one, and nothing is planted
    with tempfile.TemporaryDirectory() as folder:
        for test, name, text, planted in [*firsts.values(), *bugs[::every]]:
            mutant, program = pathlib.Path(folder, name), pathlib.Path(folder, "test")
            mutant.parent.mkdir(parents=True, exist_ok=True)
            mutant.write_text(texts[name].replace(text, planted))
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


def relinked(ninja, binary, top, bugs, where):
    """build() for plant() of files of several rooms: the file is compiled by the command of ninja that makes its object, and linked in its place by the
    one that makes where[test]."""
    def command(target, end):
        """The words of the command of the target that has this word."""
        listed = subprocess.run([ninja, "-C", binary, "-t", "commands", target], capture_output=True, text=True, check=True).stdout.splitlines()
        return next(words for words in (shlex.split(line) for line in reversed(listed)) if end in words)

    def made(words, output, more=()):
        """The same command, with another output."""
        words = [word for word in words if word not in (":", "&&")]
        at = words.index("-o")
        return [*words[:at], *map(str, more), "-o", str(output), *words[at + 2:]]

    def build(test, mutant, program):
        target = pathlib.PurePath(where[test]).name
        room = next(pathlib.Path(top) / name for _, name, _, _ in bugs if str(mutant).endswith("/" + name))
        compiled = mutant.with_suffix(".o")
        words = made(command(target, str(room)), compiled, ["-O0", f"-I{room.parent}", "-Wno-unused-function", "-Wno-unused-variable", "-Wno-unused-parameter"])
        for word, length in (("-MD", 1), ("-MT", 2), ("-MF", 2)):
            at = words.index(word)
            del words[at:at + length]
        subprocess.run([mutant if word == str(room) else word for word in words], cwd=binary, check=True)
        subprocess.run(made(command(target, where[test]), program, [compiled]), cwd=binary, check=True)
    return build
