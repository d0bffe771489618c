#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_trouble.py RANDOM_CAMPAIGN CORRIDOR: survival, performance and compare given what is no result file, a damaged one, one
without rows, arms that do not exist, times that are none. An error names the file and says what is wrong."""
import os
import subprocess
import sys

PROGRAM, CORRIDOR = sys.argv[1:]
USAGE, INPUT, ENVIRONMENT = 2, 3, 4
FIRST = "PSOPP-F1"  # arm of the first suite


def run(*words):
    return subprocess.run([CORRIDOR, *words, "--unsealed"], capture_output=True, text=True)


def expect(codes, said, *words):
    made = run(*words)
    what = f"corridor {' '.join(words)}: {made.returncode}\n{made.stderr}"
    assert made.returncode in codes, what
    assert all(word in made.stderr for word in said), f"{what}\nexpected: {said}"
    assert not made.stdout or made.returncode == 0, what
    assert all(len(line) < 1000 for line in made.stderr.split("\n")), what


def make(seed, kind, path):
    subprocess.run([PROGRAM, seed, path, kind], check=True)
    return path


def files_that_are_none(good):
    with open("text.h5", "w") as file:
        file.write("arm,suite\n1,2\n")
    with open(good, "rb") as file:
        whole = file.read()
    with open("half.h5", "wb") as file:
        file.write(whole[:len(whole) // 2])
    with open("flipped.h5", "wb") as file:
        file.write(whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:])
    open("nothing.h5", "wb").close()
    for bad in ("text.h5", "half.h5", "flipped.h5", "nothing.h5", "missing.h5", "."):
        expect((INPUT, ENVIRONMENT), [bad], "show", bad, "survival")
        expect((INPUT, ENVIRONMENT), [bad], "show", bad, "performance")
        expect((INPUT, ENVIRONMENT), [bad], "compare", good, bad)
        expect((INPUT, ENVIRONMENT), [bad], "compare", bad, good)


def another_program(good):
    import h5py
    with h5py.File("theirs.h5", "w") as file:
        file["cases/alarm"] = [1, 2, 3]
    for words in (["show", "theirs.h5", "survival"], ["show", "theirs.h5", "performance"], ["compare", good, "theirs.h5"]):
        expect((INPUT, ENVIRONMENT), ["theirs.h5"], *words)


def changed(good, path, table, column, row, value):
    """A copy of the file that another program has rewritten, with one value changed."""
    import h5py
    with h5py.File(good) as source, h5py.File(path, "w") as to:
        for name in source:
            source.copy(name, to)
        to.attrs.update(source.attrs)
        to[table][column][row] = value
    return path


def without_rows(good, path):
    """Three suites whose arms do not lie side by side, and no rows of anything else that would betray it."""
    import h5py
    with h5py.File(good) as source, h5py.File(path, "w") as to:
        for name in source:
            if name in ("suites", "catalog") or not isinstance(source[name], h5py.Group):
                source.copy(name, to)
                continue
            source.copy(name, to)
            for column in list(to[name]):
                if isinstance(to[name][column], h5py.Dataset):
                    old = to[name][column]
                    attributes, kind = dict(old.attrs), old.dtype
                    del to[name][column]
                    made = to[name].create_dataset(column, shape=(0,), maxshape=(None,), chunks=(16,), dtype=kind)
                    made.attrs.update(attributes)
        to.attrs.update(source.attrs)
        arms = source["suites/arm"][()]
        arms[:3] = [arms[-1], arms[0], arms[-1]]
        to["suites/arm"][()] = arms
        to["suites/sequences"][()] = 0
    return path


def rows_that_contradict(good):
    expect((INPUT,), ["sequence.h5", "sequences, found number 99"], "show",
           changed(good, "sequence.h5", "reorganizations", "sequence", 0, 99), "survival")
    expect((INPUT,), ["twice.h5", "occurs twice"], "show", changed(good, "twice.h5", "sequences", "sequence", 1, 0), "performance")
    expect((INPUT,), ["box.h5", "box 9 and check"], "show", changed(good, "box.h5", "violations", "box", 0, 9), "survival")
    for view, table, column in (("tables", "cases", "alarm"), ("tables", "cases", "detect"), ("tables", "reorganizations", "agreement"),
                                 ("tables", "reorganizations", "fault_in_result"), ("tables", "suites", "fallback"), ("survival", "reorganizations", "gray"),
                                 ("performance", "reorganizations", "inside_after"), ("performance", "cases", "inside")):
        expect((INPUT,), ["code.h5", f"{column} is 77, which means nothing"], "show", changed(good, "code.h5", table, column, 0, 77), view)
    expect((INPUT,), ["suite.h5", "no such suite"], "compare", good, changed(good, "suite.h5", "cases", "suite", 0, 999))
    huge = changed(good, "huge.h5", "suites", "sequences", 0, 2**32 - 1)  # memory for so many would be gigabytes
    for words in (["show", huge, "survival"], ["show", huge, "performance"], ["compare", huge], ["compare", good, huge], ["compare", huge, good]):
        expect((INPUT,), ["huge.h5", "4294967295 sequences, above"], *words)
    for row, number in ((1, 0), (2, 0), (0, 5)):  # twice, or not in order
        mixed = changed(good, "mixed.h5", "suites", "suite", row, number)
        expect((INPUT,), ["mixed.h5", "lies behind arm 0" if number == 0 and row == 1 else ""], "compare", good, mixed)
    aside = without_rows(good, "aside.h5")
    expect((INPUT,), ["aside.h5", "lies behind"], "show", aside, "survival")
    expect((INPUT,), ["aside.h5", "lies behind"], "show", aside, "performance")
    for value in (float("nan"), 0.0, -1.0, float("inf")):
        path = changed(good, "threshold.h5", "suites", "threshold", 0, value)
        made = run("show", path, "performance", "--arm", FIRST)
        assert made.returncode == 0 and "whose dissimilarity or threshold is no number" in made.stdout, made.stderr
        assert "nan" not in made.stdout and "inf" not in made.stdout.replace("info", ""), made.stdout
        assert run("compare", good, path, "--arms", FIRST).returncode == 0


def nothing_to_say(good):
    empty = make("1", "empty", "empty.h5")
    for words in (["show", empty, "survival"], ["show", empty, "performance"], ["compare", empty, empty], ["compare", good, empty]):
        for form in ([], ["--json"], ["--csv"]):
            made = run(*words, *form)
            assert made.returncode == 0 and made.stdout, (words, form, made.stderr)
            assert "nan" not in made.stdout.lower(), (words, form, made.stdout)
    assert "No difference can be claimed." in run("compare", good, empty).stdout


def arms(good):
    renamed = make("1", "renamed", "renamed.h5")
    expect((INPUT,), ["no arm of A has the name of an arm of B", "--arms A_ARM=B_ARM"], "compare", good, renamed)
    assert run("compare", good, renamed, "--arms", "PSOPP-F1=n1").returncode == 0
    assert run("compare", good, renamed, "--arms", 'a=b, "odd"=n5').returncode == 0
    assert run("compare", good, good, "--arms", 'a=b, "odd"').returncode == 0
    assert run("compare", good, "--arms", 'a=b, "odd"').stdout == run("compare", good, good, "--arms", 'a=b, "odd"').stdout
    expect((INPUT,), ["B has no arm \"n9\"", "n1"], "compare", good, renamed, "--arms", "PSOPP-F1=n9")
    expect((INPUT,), ["A has no arm \"PSOPP-F9\"", "did you mean"], "compare", good, renamed, "--arms", "PSOPP-F9=n1")
    expect((INPUT,), ["there is no arm \"PSOPP-F9\"", "did you mean"], "show", good, "performance", "--arm", "PSOPP-F9")


def times(good):
    for text, said in (("", "the file is empty"), ("a,b\n1,2\n", "has to name arm, suite and cpu_s"),
                       ("arm,suite,cpu_s\nPSOPP-F1,0,fast\n", ":2"), ("arm,suite,cpu_s\nPSOPP-F1,x,1\n", "not a whole number"),
                       ("arm,suite,cpu_s\nPSOPP-F1,0\n", "fewer fields"), ("arm,suite,cpu_s\nPSOPP-F1,0,nan\n", "cpu_s is not"),
                       ("arm,suite,cpu_s\nPSOPP-F1,0,-1\n", "cpu_s is not"), ("arm,suite,cpu_s\n\"PSOPP,0,1\n", "fewer fields")):
        with open(good + ".times.csv", "w") as file:
            file.write(text)
        expect((INPUT,), [good + ".times.csv", said], "show", good, "performance")
        expect((INPUT,), [good + ".times.csv", said], "compare", good, good)
    os.remove(good + ".times.csv")


def usage(good):
    expect((USAGE,), ["needs one result file"], "show")
    expect((USAGE,), ["needs one result file"], "show", good, "performance", good)
    expect((USAGE,), ["the file comes first: corridor show FILE survival"], "show", "survival")
    expect((USAGE,), ["the view performance takes no --box"], "show", good, "performance", "--box", "gray")
    expect((INPUT,), ["has no view \"survivl\"", "did you mean \"survival\"?"], "show", good, "survivl")
    expect((INPUT,), ["tree is no view but a command of its own", "write corridor tree FILE"], "show", good, "tree")
    expect((USAGE,), ["needs one or two result files"], "compare")
    expect((USAGE,), ["--fail-on needs two files, or --arms A=B"], "compare", good, "--fail-on", "regression")
    expect((USAGE,), ["--box", "did you mean \"gray\""], "show", good, "survival", "--box", "grey")
    expect((USAGE,), ["--horizon"], "show", good, "survival", "--horizon", "0")
    expect((USAGE,), ["--level"], "compare", good, good, "--level", "nan")
    expect((USAGE,), ["--fail-on", "regression"], "compare", good, good, "--fail-on", "regresion")
    for command in ("show survival", "show performance", "compare"):
        assert "corridor " + command in run(*command.split(), "--help").stdout


def no_room(good):
    # in each form once: where it is written to is no matter of the view
    for command, forms in ((["show", good, "survival"], ([], ["--csv"])), (["show", good, "performance"], (["--json"],)), (["compare", good, good], ([], ["--json"]))):
        for form in forms:
            with open("/dev/full", "w") as full:
                made = subprocess.run([CORRIDOR, *command, *form], stdout=full, stderr=subprocess.PIPE, text=True)
            assert made.returncode == ENVIRONMENT, (command, form, made.returncode, made.stderr)


def ascii_only(good):
    for locale, letters in (("C", False), ("C.UTF-8", True)):
        made = subprocess.run([CORRIDOR, "show", good, "survival"], capture_output=True,
                              env={**os.environ, "LC_ALL": locale, "CLICOLOR_FORCE": "1"})
        assert any(byte > 127 for byte in made.stdout) == letters, locale
    for words in (["show", good, "survival"], ["show", good, "performance"], ["compare", good, good]):
        text = subprocess.run([CORRIDOR, *words], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}).stdout
        assert all(len(line) <= 120 for line in text.split("\n")), words


def main():
    os.makedirs("trouble", exist_ok=True)
    os.chdir("trouble")
    good = make("1", "plain", "good.h5")
    files_that_are_none(good)
    another_program(good)
    rows_that_contradict(good)
    nothing_to_say(good)
    arms(good)
    usage(good)
    no_room(good)
    ascii_only(good)
    times(good)
    print("all trouble is said")


main()
