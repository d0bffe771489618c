#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""calls.py CORRIDOR SOURCE FAILING_CALLS.so [EVERY [FIRST]]: every system call of a campaign of two suites that changes files fails in turn
(or every EVERY-th from the FIRST on): with a full disk, a broken one, no quota, no files or memory left, once or from then on, or it is interrupted or
writes less than was asked; while the campaign runs, recovers and merges. Each time the exit code is a documented one, the message is
the program's own and names file and cause, no result file is another than the quiet one; and the same command, once nothing fails any
more, ends with the quiet one and leaves nothing behind. Then each read of that file fails in turn: a reader says so, or prints what it
prints on a good day (HDF5 takes a buffer that it failed to fill for filled, where it is asked again)."""
import collections
import errno
import os
import sys

import campaign

CORRIDOR, SOURCE, SHIM = sys.argv[1:4]
EVERY, FIRST = (int(word) for word in (sys.argv[4:6] + ["1", "0"][len(sys.argv[4:6]):]))
EVERYWHERE = [("EIO", "once"), ("EIO", "always"), ("EINTR", "once"), ("SHORT", "once")]
CHANGING = [(error, word) for error in ("ENOSPC", "EDQUOT", "EMFILE", "ENOMEM", "EROFS") for word in ("once", "always")] + [("EAGAIN", "once")]


def number_of(error):
    return 0 if error == "SHORT" else getattr(errno, error)


READERS = [("show", campaign.RESULT, "tables"), ("coverage", campaign.RESULT), ("export", campaign.RESULT, "--table", "cases"), ("failures", campaign.RESULT)]


def read_badly(bad, told):
    (bad.folder / campaign.RESULT).write_bytes(bad.quiet)
    for words in READERS if EVERY == 1 else READERS[:1]:
        read = lambda *how: bad.counting(told(*how), command=[CORRIDOR, *words])
        quiet, count = read(0, "EIO", "once")
        bad.expect(quiet.returncode == campaign.DONE and count > 50, f"{words}, {count} calls", quiet)
        # Columns are read last.
        for call in [call for call in range(1 if EVERY == 1 else count - count // 8, count + 1) if bad.kinds[call - 1] == "r"]:
            done, _count = read(call, "EIO", ("once", "always")[call % 2] if EVERY > 1 else "once")
            same = (done.returncode, done.stdout) == (quiet.returncode, quiet.stdout)
            said = done.returncode in (campaign.ENVIRONMENT, 3) and done.stderr.startswith("corridor: ")
            bad.expect(same or said, f"{words}, call {call} ({bad.failed})", done)
            bad.codes[done.returncode] += 1
    bad.clean()


def main():
    with campaign.Campaign(CORRIDOR, SOURCE) as bad:
        bad.run_quietly()
        told = lambda call, error, word: {**campaign.preload(SHIM),
                                          "FAILING_CALLS": f"{bad.folder}/counter:{call}:{number_of(error)}:{word}"}
        read_badly(bad, told)
        sizes, failed = [], collections.Counter()
        for name, begin in bad.beginnings(SHIM).items():
            begin()
            done, count = bad.counting(told(0, "EIO", "once"))
            bad.expect(done.returncode == campaign.DONE, name, done)
            sizes.append(f"{name} {count}")
            if count < 50:
                sys.exit(f"only {count} calls were seen in {name}")
            turn, kinds = 0, bad.kinds
            for call in range(1, count + 1):
                for error, word in EVERYWHERE + CHANGING:
                    turn += 1
                    reads = kinds[call - 1] == "r"
                    alike = reads and EVERY > 1 and name != "merge" and call % 10 != 0  # most are of the file that is read back
                    if (turn - FIRST) % EVERY != 0 or alike or (reads and (error, word) not in EVERYWHERE):
                        continue
                    what = f"{name}, call {call}, {error}, {word}"
                    begin()
                    done, _count = bad.counting(told(call, error, word))
                    failed[bad.failed.split()[0] if bad.failed else "none"] += 1
                    what += f" ({bad.failed})"
                    bad.judge(what, done)
                    if error in ("EINTR", "SHORT"):
                        bad.expect(done.returncode == campaign.DONE, what + " is no trouble", done)
                    elif done.returncode != campaign.DONE:
                        cause = os.strerror(number_of(error)) in done.stderr or "reading back what was written" in done.stderr
                        bad.expect(cause or "memory" in done.stderr, what + ", cause", done)
                        bad.expect(any(word in done.stderr for word in ("out of memory", "out.h5", ".json", "/proc/self/exe: ")), what + ", file", done)
                    bad.judge_again(what)
            if hasattr(begin, "forget"):
                begin.forget()
        return campaign.report("failing calls", sum(bad.codes.values()), bad.problems,
                               f"calls: {', '.join(sizes)}; exit codes: {campaign.words(bad.codes)}; "
                               f"what failed: {campaign.words(failed)}")


if __name__ == "__main__":
    sys.exit(main())
