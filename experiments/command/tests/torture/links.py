#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""links.py CORRIDOR SOURCE FUZZ_WIRE [STREAMS [REQUESTS [ANSWERS]]]: the links of --hosts. STREAMS mutated streams of messages are
read as an independent reader reads them. REQUESTS mutated streams go to corridor serve: it ends by itself, and answers with messages
alone. In ANSWERS campaigns a byte of what a host answers is changed: the file is that of a quiet run."""
import collections
import json
import os
import random
import struct
import shlex
import subprocess
import sys
import tempfile
import threading

import campaign

CORRIDOR, SOURCE, FUZZ = sys.argv[1:4]
STREAMS, REQUESTS, ANSWERS = (int(word) for word in (sys.argv[4:7] + ["3000", "2", "1"][len(sys.argv[4:7]):]))
FAKE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fake_ssh.py")
KINDS = dict(enumerate(("experiment", "run", "ping", "hello", "alive", "suite", "failed", "died"), 2))
DICE = random.Random(1)


def message(kind, content):
    return b"CORM" + struct.pack("<IQ", kind, len(content)) + content


def messages(content):
    """The kinds of all messages; "junk" is the last if something else begins behind them."""
    kinds, at = [], 0
    while at < len(content):
        kind, length = struct.unpack_from("<IQ", content, at + 4) if len(content) - at >= 16 else (0, 0)
        if content[at:at + 4] != b"CORM" or kind not in KINDS or at + 16 + length > len(content):
            return [*kinds, "junk"]
        kinds.append(KINDS[kind])
        at += 16 + length
    return kinds


def mutate(content):
    content = bytearray(content)
    for _ in range(DICE.randrange(1, 4)):
        at, what = DICE.randrange(len(content)), DICE.randrange(5)
        if what == 0:
            content[at] ^= 1 << DICE.randrange(8)
        elif what == 1:  # in the first head, or in the last two
            content[DICE.choice((DICE.randrange(16), len(content) - 1 - DICE.randrange(48)))] = DICE.randrange(256)
        elif what == 2:
            content[at:at + DICE.randrange(40)] = b""
        elif what == 3:
            content[at:at] = bytes(DICE.randrange(256) for _ in range(DICE.randrange(40)))
        else:
            del content[max(1, at):]
    return bytes(content)


def ask(bad, told, patience):
    """What corridor serve does with these bytes: it leaves when nothing has come for so many seconds, or we are content."""
    content = b""
    with tempfile.TemporaryFile() as errors, subprocess.Popen([CORRIDOR, "serve", str(patience)], cwd=bad.folder, stdin=subprocess.PIPE,
                                                              stdout=subprocess.PIPE, stderr=errors) as process:
        limit = threading.Timer(campaign.SECONDS, process.kill)
        limit.start()
        try:
            process.stdin.write(told)
            process.stdin.flush()
            while messages(content).count("suite") < 2 and (block := os.read(process.stdout.fileno(), 1 << 16)):
                content += block
            process.stdin.close()
        except BrokenPipeError:
            pass
        content += process.stdout.read()
        code = process.wait()
        limit.cancel()
        errors.seek(0)
        return code, messages(content), errors.read()


def serve(bad):
    """The other end, told nonsense."""
    path = bad.folder / "e.json"
    whole = (message(2, b"0 0 0\0" + str(path).encode() + b"\0" + path.read_bytes())
             + b"".join(message(3, struct.pack("<II", arm, 0)) for arm in (0, 1)))
    said, problems = collections.Counter(), []
    for number in range(REQUESTS):
        told = mutate(whole) if number > 0 else whole
        code, kinds, err = ask(bad, told, 60 if number == 0 else 3)
        said.update(set(kinds))
        if code != 0 or "junk" in kinds or (number == 0 and kinds.count("suite") != 2):
            problems.append(f"request {number}: exit code {code}, {kinds}, {err[-300:]}")
    return problems, f"answers with: {campaign.words(said)}"


def answer(bad, most):
    """A host whose answers are spoilt; the rest of the campaign is done here."""
    problems, codes = [], collections.Counter()
    for number in range(ANSWERS):
        at = DICE.randrange(most)
        (bad.folder / "faults").write_text(json.dumps({"a": {"flip": at}}))
        done = subprocess.run([CORRIDOR, "run", "e.json", "-o", campaign.RESULT, "--progress", "none", "--hosts", "a:1,localhost:1", "--host-patience", "5", "--ssh-command", shlex.join([sys.executable, str(FAKE), "faults"]),
                               "--remote-corridor", CORRIDOR], cwd=bad.folder, capture_output=True, text=True, check=False, timeout=campaign.SECONDS)
        codes[done.returncode] += 1
        refused = done.returncode == 3 and "a: would execute something else" in done.stderr  # as of another build
        if not refused and (done.returncode != campaign.DONE or bad.result() != bad.quiet):
            problems.append(f"answer {number}, byte {at}: exit code {done.returncode}, {done.stderr[:300]}")
        bad.clean()
    return problems, f"exit codes: {campaign.words(codes)}"


def main():
    codes = 0
    done = subprocess.run([FUZZ, str(STREAMS), "1"], capture_output=True, text=True, check=False)
    said = done.stdout.split()
    codes |= campaign.report("mutated links", said[0] if said else 0, [] if done.returncode == 0 else [f"{done.returncode} {done.stderr}"],
                             f"{said[1]} messages of them were read" if said else "")
    with campaign.Campaign(CORRIDOR, SOURCE) as bad:
        bad.run_quietly()
        problems, remarks = serve(bad)
        codes |= campaign.report("mutated requests", REQUESTS, problems, remarks)
        problems, remarks = answer(bad, 40000)
        codes |= campaign.report("spoilt answers", ANSWERS, problems, remarks)
    return codes


if __name__ == "__main__":
    sys.exit(main())
