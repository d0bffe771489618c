#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""damaged.py CORRIDOR SOURCE FAILING_CALLS.so DAMAGE FUZZ_JOURNAL [STEP [MUTATIONS [EXECUTIONS [FUZZER]]]]: every STEP-th byte of a result file is
flipped, and the file cut at every STEP-th length; MUTATIONS of it, half of them of HDF5's own structures and sealed again, are
given to the commands that read results; the journal reader gets EXECUTIONS mutations of journals, with its checksums put right in a
third of them; and as many executions of libFuzzer under sanitizers, where FUZZER is its target. Nothing crashes or hangs; nothing is read from a file that is not
sealed but what was written."""
import collections
import os
import pathlib
import subprocess
import sys
import time

import campaign

CORRIDOR, SOURCE, SHIM, DAMAGE, FUZZ = sys.argv[1:6]
STEP, MUTATIONS, EXECUTIONS = (int(word) for word in (sys.argv[6:9] + ["211", "60", "4000"][len(sys.argv[6:9]):]))
FUZZER = sys.argv[9] if len(sys.argv) > 9 else None
VIEWS = (["show", "tables"], ["show", "--hash"], ["show", "performance"], ["show", "survival"], ["coverage"], ["export", "--table", "cases"], ["tree", "--arm", "P"], ["verify"])
CRASH = "ended by signal"


def view(folder, words, file):
    try:
        done = subprocess.run([CORRIDOR, words[0], file, *words[1:]], cwd=folder, capture_output=True, check=False, timeout=campaign.SECONDS)
        return done.returncode, done.stdout.replace(file.encode(), b"FILE"), done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return "hang", b"", f"no end within {campaign.SECONDS} s"


def mutate_results(bad):
    """Mutations are read, or refused; what the exit codes were."""
    codes, changed, children, problems = collections.Counter(), 0, 0, []
    (bad.folder / "right.h5").write_bytes(bad.quiet)  # a file with no campaign beside it
    right = {tuple(words): view(bad.folder, words, "right.h5") for words in VIEWS}
    for words, (code, _out, err) in right.items():
        if code not in (0, 1):
            sys.exit(f"{words}: {code} {err}")
    for seed in range(MUTATIONS):
        subprocess.run([DAMAGE, "mutate", campaign.RESULT, str(seed), "m.h5"], cwd=bad.folder, check=True)
        words = VIEWS[seed // 2 % len(VIEWS)]
        code, out, err = view(bad.folder, words, "m.h5")
        what = f"mutation {seed}, {' '.join(words)}: {code} {err.strip()[:300]}"
        codes[code] += 1
        children += CRASH in err
        if code not in (0, 1, 3, 4) or (code in (3, 4) and not err.startswith("corridor: ")):
            problems.append(what)
        if code in (0, 1) and (code, out) != right[tuple(words)][:2]:
            changed += 1
            if seed % 2 == 1 and not (words == ["verify"] and code == 1 and b"problem:" in out):  # which says that it is another
                problems.append("another content: " + what)
    return codes, changed, children, problems


SMALL = {**campaign.TWO_SUITES, "cases": [1, 1],
         "arms": [{"name": "S", "algorithm": "spada", "parameters": {"agents": [2, 3]}}, {"name": "P", "algorithm": "psopp", "parameters": {"agents": [2, 3], "budget": 5}}]}


def keep_journals(bad):
    """Journals of a campaign that lacks nothing but its merge."""
    bad.run_quietly()
    begin = bad.beginnings(SHIM)["merge"]
    begin()
    begin.forget()
    kept = []
    for path in sorted(bad.folder.glob(campaign.PARTS + "/*.journal")):
        kept.append(bad.folder / f"kept-{path.name}")
        kept[-1].write_bytes(path.read_bytes())
    return kept


def fuzz(bad, journals):
    """libFuzzer, from the journals."""
    corpus = bad.folder / "corpus"
    corpus.mkdir()
    for number, journal in enumerate(journals):
        for right in (0, 1):
            (corpus / f"{number}{right}").write_bytes(bytes([right]) + journal.read_bytes())
    done = subprocess.run([FUZZER, str(corpus), f"-runs={EXECUTIONS}", "-seed=1", "-max_len=16000", "-len_control=0", "-verbosity=0",
                           "-print_final_stats=1", "-timeout=20", f"-artifact_prefix={bad.folder}/"], cwd=bad.folder, capture_output=True, text=True, check=False)
    executed = [line.split()[-1] for line in done.stderr.splitlines() if "number_of_executed_units" in line]
    return executed[0] if executed else "0", [] if done.returncode == 0 else [f"libFuzzer: {done.returncode} {done.stderr[-1500:]}"]


def main():
    codes = 0
    with campaign.Campaign(CORRIDOR, SOURCE) as bad:
        journals = keep_journals(bad)
        done = subprocess.run([FUZZ, str(EXECUTIONS), "1", *map(str, journals)], capture_output=True, text=True, check=False)
        problems = [] if done.returncode == 0 else [f"the journal reader: {done.returncode} {done.stderr}"]
        said = done.stdout.split()
        codes |= campaign.report("mutated journals", said[0] if said else 0, problems, f"{said[1]} suites of them were read" if said else "")
        if FUZZER:
            with campaign.Campaign(CORRIDOR, SOURCE, SMALL) as small:
                executed, problems = fuzz(small, keep_journals(small))
            codes |= campaign.report("libFuzzer on journals", executed, problems, "address and undefined-behaviour sanitizers")
        (bad.folder / campaign.RESULT).write_bytes(bad.quiet)
        done = subprocess.run([DAMAGE, "each", campaign.RESULT, "scratch", str(STEP)], cwd=bad.folder, capture_output=True, text=True, check=False)
        said, problems = done.stdout.split(), [] if done.returncode == 0 else [f"{done.returncode} {done.stderr}"]
        codes |= campaign.report("flips and cuts of results", said[0] if said else 0, problems,
                                 f"{said[1]} refused, {said[2]} in the seal alone: read as before" if said else "")
        begun = time.monotonic()
        ended, changed, children, problems = mutate_results(bad)
        codes |= campaign.report("mutated results", MUTATIONS, problems,
                                 f"exit codes: {campaign.words(ended)}; {children} ended a child that reads; {changed} sealed again with other content; "
                                 f"{(time.monotonic() - begun) / max(1, MUTATIONS) * 1000:.0f} ms each")
    return codes


if __name__ == "__main__":
    sys.exit(main())
