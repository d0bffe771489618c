#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""allocations.py CORRIDOR SOURCE FAILING_CORRIDOR FAILING_CALLS.so [EVERY [FIRST]]: every allocation of a campaign of two suites fails in
turn (or every EVERY-th from the FIRST on), once or from then on, while it runs, recovers and merges. FAILING_CORRIDOR is the program linked with
failing allocations."""
import sys

import campaign

CORRIDOR, SOURCE, FAILING, SHIM = sys.argv[1:5]
EVERY = int(sys.argv[5]) if len(sys.argv) > 5 else 1
FIRST = int(sys.argv[6]) if len(sys.argv) > 6 else 1 + EVERY // 2


def main():
    with campaign.Campaign(CORRIDOR, SOURCE) as bad:
        bad.run_quietly()
        if bad.run(program=FAILING).returncode != campaign.DONE or bad.result() != bad.quiet:
            sys.exit("the program whose allocations fail makes another file when none does")
        bad.clean()
        bad.corridor = FAILING  # a campaign is gone on from by the program that began it
        said, sizes = 0, []
        told = lambda number, word: {"FAILING_ALLOCATIONS": f"{bad.folder}/counter:{number}:{word}"}
        for name, begin in bad.beginnings(SHIM).items():
            begin()
            _done, count = bad.counting(told(0, "once"))
            sizes.append(f"{name} {count}")
            if count < 500:
                sys.exit(f"only {count} allocations were seen in {name}")
            for number in range(FIRST, count + 1, EVERY):
                for word in ("once", "always"):
                    what = f"{name}, allocation {number}, {word}"
                    begin()
                    done, _count = bad.counting(told(number, word))
                    bad.judge(what, done)
                    said += "memory" in done.stderr
                    bad.judge_again(what)
            if hasattr(begin, "forget"):
                begin.forget()
        return campaign.report("failing allocations", sum(bad.codes.values()), bad.problems,
                               f"allocations: {', '.join(sizes)}; exit codes: {campaign.words(bad.codes)}; {said} said that memory is out")


if __name__ == "__main__":
    sys.exit(main())
