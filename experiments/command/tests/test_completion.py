#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Completion by bash itself: what the files say that stand on the line already; files of the right ending; and that asking for
candidates writes nothing, says nothing and never fails."""
import json
import os
import shlex
import subprocess

import e2e
from e2e import SOURCE


class Completion(e2e.Case):
    @classmethod
    def setUpClass(cls):
        case = cls("test_arms_of_the_file")
        case.setUp()
        cls.case = case
        arms = [e2e.SPADA, {**e2e.PSOPP, "name": "P of two words", "preset": "wide"}]
        case.experiment("small exp.json", arms=arms, presets={"wide": {"cpu_seconds": 9}, "tight": {}})
        case.run_into("small file.h5", "small exp.json")
        (case.folder / "model.json").write_bytes((SOURCE / "experiments/library/new/model/my_model.json").read_bytes())
        (case.folder / "notes.txt").write_text("no candidates here")
        (case.folder / "broken.json").write_text("{")
        (case.folder / "broken.h5").write_bytes((case.folder / "small file.h5").read_bytes()[:2000])
        (case.folder / "folder").mkdir()
        (case.folder / "corridor.bash").write_text(case.corridor("bash-completion").stdout)

    @classmethod
    def tearDownClass(cls):
        cls.case.doCleanups()

    def setUp(self):
        super().setUp()
        self.folder = self.case.folder if hasattr(self, "case") else self.folder

    def completed(self, *words):
        """What bash offers for the last word; words as they are typed, quotes and all."""
        line = " ".join(shlex.quote(word) for word in (shlex.quote(str(e2e.BINARY)), *words))
        script = f'source ./corridor.bash; COMP_WORDS=({line}); COMP_WORDS[0]={shlex.quote(str(e2e.BINARY))}; COMP_CWORD={len(words)}; ' \
                 '_corridor; (( ${#COMPREPLY[@]} )) && printf "%s\\n" "${COMPREPLY[@]}"; true'
        done = subprocess.run(["bash", "-c", script], cwd=self.folder, check=True, capture_output=True, text=True, env=e2e.ENVIRONMENT)
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def test_arms_of_the_file(self):
        for words in (("show", "'small file.h5'", "--arm"), ("show", "small\\ file.h5", "-a"), ("search", '"small exp.json"', "--arm"),
                      ("show", "'small file.h5'", "--arm", "=")):
            with self.subTest(words):
                self.assertEqual(self.completed(*words, "") if words[-1] != "=" else self.completed(*words), ["S", "P of two words"])
        self.assertEqual(self.completed("show", "'small file.h5'", "--arm", "P"), ["P of two words"])
        self.assertEqual(self.completed("show", "notes.txt", "--arm", ""), [])

    def test_keys_of_failures_are_those_that_failed(self):
        rows = json.loads(self.corridor("failures", "small file.h5", "--json").stdout)["failures"]
        self.assertNotEqual(rows, [])
        offered = self.completed("replay", "'small file.h5'", "--failure", "")
        self.assertEqual(set(offered), {row["key"] for row in rows})
        self.assertEqual(self.completed("shrink", "'small file.h5'", "--failure", offered[-1][:-1]), [key for key in offered if key.startswith(offered[-1][:-1])])
        self.corridor("replay", "small file.h5", "--failure", offered[0])

    def test_views_goals_and_faults(self):
        views = self.completed("show", "'small file.h5'", "")
        self.assertIn("tables", views)
        self.assertNotIn("searches", views)  # of files of another layer
        self.assertIn("searches", self.completed("show", "nowhere.h5", ""))
        self.assertEqual(self.completed("efsm", "reach", "model.json", "--goal", ""),
                         [goal["name"] for goal in json.loads((self.folder / "model.json").read_text())["goals"]])
        self.assertEqual(self.completed("ask", "spada", "--fault", ""), ["f1", "f2", "f3", "f4"])

    def test_files_of_the_right_ending_and_folders(self):
        self.assertEqual(self.completed("show", ""), ["broken.h5", "small file.h5", "folder"])
        self.assertEqual(sorted(self.completed("run", "")), ["broken.json", "folder", "model.json", "small exp.json"])
        self.assertEqual(self.completed("show", "notes"), ["notes.txt"])  # none of the ending: any
        self.assertIn("notes.txt", self.completed("show", "x.h5", "--where", "") + self.completed("run", "x.json", "-o", ""))

    def test_options_and_their_words_are_not_those_of_a_file(self):
        self.assertEqual(self.completed("show", "'small file.h5'", "--bo"), ["--box"])
        self.assertEqual(self.completed("show", "'small file.h5'", "--box", ""), ["any", "gray", "black"])
        self.assertEqual(self.completed("show", "'small file.h5'", "--level", ""), [])

    def test_presets_of_a_file(self):
        self.assertEqual(self.corridor("candidates", "preset", "small exp.json").stdout, "wide\ntight\n")

    def test_asking_never_fails_says_or_writes_anything(self):
        before = sorted((path.name, path.stat().st_mtime_ns) for path in self.folder.iterdir())
        os.mkfifo(self.folder / "pipe.json")
        for words in ((), ("arm",), ("arm", "broken.json"), ("arm", "broken.h5"), ("failure", "broken.h5"), ("view", "notes.txt"), ("arm", "/dev/zero"),
                      ("arm", "folder"), ("arm", "pipe.json"), ("nonsense", "small file.h5"), ("goal", "'"), ("arm", "\\"), ("goal", "small exp.json")):
            done = self.corridor("candidates", *words)
            self.assertEqual((done.stdout, done.stderr), ("", ""), words)
        (self.folder / "pipe.json").unlink()
        self.assertEqual(before, sorted((path.name, path.stat().st_mtime_ns) for path in self.folder.iterdir()))
        self.assertNotIn("corridor candidates", self.corridor("--help").stdout + self.corridor("man-page").stdout)


if __name__ == "__main__":
    e2e.main()
