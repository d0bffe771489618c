#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor judge --history: exit codes, what is said, what is refused; the page's example is what comes of it.

usage: test_judge_history.py CORRIDOR SOURCE_DIRECTORY
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

CORRIDOR, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
PUBLISHED = SOURCE / "oracle" / "history" / "tests" / "published"


def corridor(*arguments, code, given=None):
    done = subprocess.run([CORRIDOR, *map(str, arguments)], capture_output=True, text=True, input=given, check=False)
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return done


def operation(process, kind, what, value="nil"):
    return f"{{:process {process}, :type :{kind}, :f :{what}, :value {value}}}\n"


def calls(*rows):
    """Calls that come one after the other: (process, operation, argument, result)."""
    return "".join(operation(p, "invoke", what, argument) + operation(p, "ok", what, result) for p, what, argument, result in rows)


STALE = calls((0, "write", 1, 1), (0, "write", 2, 2), (1, "read", "nil", 1))
NEITHER = calls((0, "write", 1, 1), (0, "write", 2, 2), (1, "read", "nil", 2), (1, "read", "nil", 1))


class Judged(unittest.TestCase):
    def test_published_ones(self):
        for name, thing, code in (("etcd_002.log", "cas_register", 0), ("etcd_000.log", "cas_register", 1), ("kv_c01_ok.edn", "map", 0),
                                  ("kv_c10_bad.edn", "map", 1)):
            said = corridor("judge", PUBLISHED / name, "--history", thing, code=code).stdout
            self.assertIn("linearizable: yes" if code == 0 else "have no order, whatever the others did:" if "has no order" not in said
                          else "has no order, whatever the others did:", said)
            self.assertLessEqual(max(map(len, said.splitlines())), 132)

    def test_the_page_has_what_is_said(self):
        page = (SOURCE / "docs" / "look-up" / "histories.md").read_text()
        self.assertIn(corridor("judge", "-", "--history", "register", code=1, given=STALE).stdout, page)

    def test_json(self):
        said = json.loads(corridor("judge", "-", "--history", "register", "--json", code=1, given=STALE).stdout)
        self.assertEqual((said["object"], said["calls"], said["verdict"]), ("register", 3, "impossible"))
        self.assertEqual(said["at"], {"line": 5, "process": 1, "call": "read: 1"})
        self.assertEqual([call["line"] for call in said["impossible"]], [1, 3, 5])
        said = json.loads(corridor("judge", "-", "--history", "register", "--json", code=0, given=calls((0, "write", 1, 1), (1, "read", "nil", 1))).stdout)
        self.assertEqual((said["verdict"], "impossible" in said), ("possible", False))

    def test_the_picture_has_a_bar_a_call_and_what_does_not_fit_in_another_colour(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "calls [1].svg")
            given = STALE.replace("invoke, :f :write, :value 1", 'invoke, :f :write, :value "a<b&"').replace(":value 1", ':value "a<b&"')
            said = corridor("judge", "-", "--history", "register", "--svg", path, code=1, given=given).stdout
            drawn = xml.etree.ElementTree.parse(path).getroot()
            texts = [(text.text, text.get("fill")) for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
            self.assertEqual([text for text, _ in texts if text.startswith("process ")], ["process 0", "process 1"])
            self.assertEqual([text for text, _ in texts if text.startswith(" ")], [line for line in said.splitlines() if re.match(r" \d", line)])
            self.assertEqual([text for text, colour in texts if colour == "#b00020"], ["3", next(line for line in said.splitlines() if "does not fit" in line)])
            self.assertEqual(len(list(drawn.iter("{http://www.w3.org/2000/svg}rect"))), 4)
            self.assertIn("would overwrite: ", corridor("judge", "-", "--history", "register", "--svg", path, code=4, given=given).stderr)
            corridor("judge", "-", "--history", "register", "--svg", path, "--force", code=1, given=given)
            path.unlink()
            done = corridor("judge", "-", "--history", "register", "--svg", path, code=0, given=calls((0, "write", 1, 1), (1, "read", "nil", 1)))
            self.assertIn("note: nothing is drawn in ", done.stderr)
            self.assertFalse(path.exists())
        self.assertIn("--svg is of calls: say of which object by --history", corridor("judge", "a", "b", "--svg", "c", code=2).stderr)

    def test_what_cannot_be_written_is_shown_as_question_marks(self):
        """On a terminal, in XML and in JSON; what is marked up stays what it is."""
        with tempfile.TemporaryDirectory() as folder:
            for word, shown in (("a\x01b", "a?b"), ("a\nb", "a?b"), ("\x1b[31m", "?[31m"), ("]]>", "]]>"), ("\ufffe", "???"), ("a\0b", "a?b"), ("\u2603", "\u2603")):
                rows = [(0, "write", word, word), (0, "write", "c", "c"), (1, "read", None, word)]
                given = "".join(json.dumps({"process": p, "type": kind, "f": what, "value": value}) + "\n"
                                for p, what, asked, result in rows for kind, value in (("invoke", asked), ("ok", result)))
                path = pathlib.Path(folder, "calls.svg")
                said = corridor("judge", "-", "--history", "register", "--svg", path, code=1, given=given).stdout
                line = f' 3  process 1 (line 5) read: "{shown}" does not fit: the register holds "c" since 2'
                self.assertEqual(said.splitlines()[-1], line)
                self.assertIn(line, [text.text for text in xml.etree.ElementTree.parse(path).getroot().iter("{http://www.w3.org/2000/svg}text")])
                path.unlink()
                self.assertEqual(json.loads(corridor("judge", "-", "--history", "register", "--json", code=1, given=given).stdout)["at"]["call"], f'read: "{shown}"')
            path = pathlib.Path(folder, "calls.csv")
            path.write_bytes(b"process,type,f,value\n0,invoke,write,a\xffb\n0,ok,write,a\xffb\n0,invoke,write,c\n0,ok,write,c\n1,invoke,read,\n1,ok,read,a\xffb\n")
            self.assertEqual(json.loads(corridor("judge", path, "--history", "register", "--json", code=1).stdout)["at"]["call"], 'read: "a?b"')

    def test_sequential(self):
        late = calls((0, "write", 1, 1), (1, "read", "nil", "nil"))
        corridor("judge", "-", "--history", "register", code=1, given=late)
        self.assertIn("sequential: yes", corridor("judge", "-", "--history", "register", "--sequential", code=0, given=late).stdout)
        said = corridor("judge", "-", "--history", "register", "--sequential", code=1, given=NEITHER).stdout
        self.assertIn("sequential: no", said)
        corridor("judge", "-", "--history", "register", "--sequential", "--no-fail", code=0, given=NEITHER)

    def test_not_decided_is_no_pass(self):
        wide = "".join(operation(p, "invoke", "enqueue", p) for p in range(12)) + operation(99, "invoke", "dequeue") + operation(99, "ok", "dequeue", 50)
        said = corridor("judge", "-", "--history", "queue", "--steps", 20, code=7, given=wide).stdout
        self.assertRegex(said, r"linearizable: not decided, given up at the end of the call of line 13, after \d+ steps \(more: --steps\)")
        self.assertIn("not decided", corridor("judge", "-", "--history", "queue", "--steps", 1000, "--sequential", code=7, given=wide).stdout)

    def test_where_no_call_returned_nothing_is_decided(self):
        lost, failed = operation(0, "invoke", "write", 1), operation(1, "invoke", "read") + operation(1, "fail", "read")
        for asked in ("linearizable", "sequential"):
            for given, count in ((lost, 1), (lost + failed, 2)):
                weaker = ["--sequential"] * (asked == "sequential")
                said = corridor("judge", "-", "--history", "register", *weaker, code=7, given=given).stdout
                self.assertEqual(said, f"{count} call{'s' * (count > 1)} of a register, 1 without an end\n{asked}: not decided, for no call returned\n")
                said = json.loads(corridor("judge", "-", "--history", "register", "--json", *weaker, code=7, given=given).stdout)
                self.assertEqual((said["verdict"], said["returned"], "at" in said), ("not decided", 0, False))
                corridor("judge", "-", "--history", "register", "--no-fail", *weaker, code=7, given=given)
        corridor("judge", "-", "--history", "register", code=0, given=lost + calls((1, "read", "nil", "nil")))

    def test_where_nothing_returned_could_be_wrong_nothing_is_decided(self):
        """Writes tell nothing, a compare-and-set tells whether it did."""
        for thing, operations in (("register", ("write",)), ("map", ("write",)), ("queue", ("enqueue",)), ("set", ("add",)), ("counter", ("add",))):
            keyed = thing == "map"
            given = "".join(operation(p, "invoke", "put" if keyed else operations[0], [1, p] if keyed else p) +
                            operation(p, "ok", "put" if keyed else operations[0], [1, p] if keyed else p) for p in range(3))
            for weaker in ([], ["--sequential"]):
                said = corridor("judge", "-", "--history", thing, *weaker, code=7, given=given).stdout
                self.assertIn(": not decided, for no call returned anything that could be wrong\n", said)
                said = json.loads(corridor("judge", "-", "--history", thing, "--json", *weaker, code=7, given=given).stdout)
                self.assertEqual((said["verdict"], said["returned"], said["telling"], "at" in said), ("not decided", 3, 0, False))
        one = calls((0, "cas", [0, 1], [0, 1]))
        corridor("judge", "-", "--history", "cas_register", code=1, given=one)

    def test_many_open_calls_end(self):
        """So many calls of which none returns, then a read of what nobody wrote, or of what was there before; all return."""
        count = 100000
        for thing, put, get, code in (("register", "write", "read", 1), ("queue", "enqueue", "dequeue", 7)):
            many = ["process,type,f,value"] + [f"{p},invoke,{put},{p}" for p in range(count)] + [f"{count},invoke,{get},", f"{count},ok,{get},x", ""]
            corridor("judge", "-", "--history", thing, code=code, given="\n".join(many))
            many[-2] = f"{count},ok,{get},"
            corridor("judge", "-", "--history", thing, code=0 if code == 1 else 7, given="\n".join(many))
            many[-3:] = [f"{p},ok,{put},{p}" for p in range(count)] + [""]
            corridor("judge", "-", "--history", thing, code=7, given="\n".join(many))
        many = ["process,type,f,value"] + [f"{p},invoke,write,{p}" for p in range(3000)] + ["3000,invoke,read,", "3000,ok,read,x", ""]
        self.assertIn("not decided", corridor("judge", "-", "--history", "register", "--sequential", code=7, given="\n".join(many)).stdout)

    def test_long_histories_of_one_key_end(self):
        """20,000 calls of ten clients that are busy all the time, and one of the last reads what was overwritten long ago."""
        for values, code in ((20000, 1), (5, 1)):
            random, held, busy, rows, made = 1, "", {}, ["process,type,f,value"], 0
            while made < 20000 or busy:
                random = random * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
                client = (random >> 33) % 10
                if client not in busy and made < 20000:
                    write = random >> 62 & 1
                    busy[client] = ["write", str(made % values), False] if write else ["read", "", False]
                    rows.append(f"{client},invoke,{busy[client][0]},{busy[client][1]}")
                    made += 1
                elif client in busy and not busy[client][2]:
                    what, value, _ = busy[client]
                    held = value if what == "write" else held
                    busy[client] = [what, held if what == "read" else value, True]
                elif client in busy:
                    rows.append(f"{client},ok,{busy[client][0]},{busy.pop(client)[1]}")
            text = "\n".join(rows) + "\n"
            self.assertIn("linearizable: yes", corridor("judge", "-", "--history", "register", code=0, given=text).stdout)
            last = max(r for r, row in enumerate(rows) if ",ok,read" in row)
            rows[last] = ",".join(rows[last].split(",")[:3]) + ("," if values == 5 else ",7")
            corridor("judge", "-", "--history", "register", code=code, given="\n".join(rows) + "\n")

    def test_few_of_many_calls_are_told(self):
        """A stale read behind many writes: the three calls that it takes."""
        many = calls(*((0, "write", value, value) for value in range(300)), (1, "read", "nil", 297))
        said = corridor("judge", "-", "--history", "register", code=1, given=many).stdout
        self.assertIn("3 calls have no order, whatever the others did:", said)
        self.assertIn("1  process 0 (line 595) write 297\n", said)

    def test_what_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "some [1] calls.edn")
            path.write_text(operation(0, "ok", "read", 3))
            said = corridor("judge", path, "--history", "register", code=3).stderr
            self.assertIn(f"{path}:1: process 0 returns, and has called nothing", said)
            self.assertIn("expected an object of calls", corridor("judge", path, "--history", "regster", code=3).stderr)
        self.assertIn("needs one file of calls with --history", corridor("judge", "a", "b", "--history", "register", code=2).stderr)
        self.assertIn("--sequential is of calls", corridor("judge", "a", "b", "--sequential", code=2).stderr)
        corridor("judge", "/not/there", "--history", "register", code=4)
        log = re.sub(r"^", "INFO  jepsen.util - 0 :invoke :read nil\nother\n\nother\n", "")
        self.assertIn("note: standard input: 2 lines are no operations, and were passed over",
                      corridor("judge", "-", "--history", "register", code=7, given=log).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
