#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""CORRIDOR_LAYERS: what CMake takes and refuses, and that a program says no more than the layers that it has.

usage: test_layers.py CORRIDOR SOURCE_DIRECTORY MODULES
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

import e2e
from e2e import SOURCE

SATELLITES = ["agent", "efsm", "system", "process"]
CORE = ["interaction", "search", "estimation"]
# Of each: files that its commands read, an experiment first; and words by which it would show in a list or on a page.
FILES = {"agent": ['{"design": "d.json"}', '{"agent_test": 1}', '{"format": "agent-unit/1"}'],
         "efsm": ['{"efsm": "m.json"}', '{"efsm_test": 1}', '{"format": "efsm-json/1"}'],
         "system": ['{"system": {}}', '{"system_test": 1}'],
         "process": ['{"process": "two_phase"}', '{"process_test": 1}']}
WORDS = {"agent": ["corridor agent", "corridor new agent", "tests of agents"],
         "efsm": ["corridor efsm", "corridor new model", "model-based"],
         "system": ["corridor system", "running system"],
         "process": ["corridor new process", "distributed program"]}
FORMATS = {"agent": "agent", "efsm": "model", "system": "system", "process": "process"}


def sentence(layer):
    return (f'this build has no "{layer}" layer; "make all" builds all of them, CMake with -DCORRIDOR_LAYERS={layer} this one')


class WhatCMakeTakes(unittest.TestCase):
    def made(self, words):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run(["cmake", f"-DCORRIDOR_LAYERS={words}", "-P", f"{SOURCE}/experiments/layers/layers.cmake"], cwd=folder,
                                 capture_output=True, text=True)
            header = os.path.join(folder, "include/corridor/built.h")
            text = open(header).read() if os.path.exists(header) else ""
        return run.returncode, " ".join(run.stderr.split()), text

    def test_subsets(self):
        for number in range(1 << len(SATELLITES)):
            chosen = [layer for i, layer in enumerate(SATELLITES) if number >> i & 1]
            code, said, text = self.made(";".join(reversed(chosen)))
            self.assertEqual((code, said), (0, ""))
            here = re.search(r"COR_LAYERS\(X\)(.*)", text).group(1)
            left_out = re.search(r"COR_LEFT_OUT\(X\)(.*)", text).group(1)
            self.assertEqual(sorted(re.findall(r"X\((\w+)\)", here)), sorted(CORE + chosen))
            self.assertEqual(sorted(re.findall(r"X\((\w+)\)", left_out)), sorted(set(SATELLITES) - set(chosen)))
            for layer in SATELLITES:
                there = "__VA_ARGS__" if layer in chosen else ""
                self.assertIn(f"#define COR_WITH_{layer.upper()}(...) {there}".strip() + "\n", text)

    def test_words_of_their_own(self):
        self.assertEqual(self.made("all"), self.made(";".join(SATELLITES)))
        self.assertEqual(self.made("none"), self.made(""))
        self.assertEqual(self.made("agent;agent"), self.made("agent"))

    def test_others_are_refused(self):
        for words, word, why in [("bogus", "bogus", "there is no such layer"), ("agent,process", "agent,process", "there is no such layer"),
                                 ("process;Agent", "Agent", "there is no such layer"), ("search", "search", "that layer is of the core, which is always built"),
                                 ("agent;none", "none", "that word stands alone"), ("all;agent", "all", "that word stands alone")]:
            code, said, text = self.made(words)
            self.assertNotEqual(code, 0)
            self.assertEqual(text, "")
            self.assertIn(f'CORRIDOR_LAYERS, "{word}": {why}. Right would be some of agent, efsm, system, process, with ; between them, or all, or none',
                          said)


class WhatTheProgramSays(e2e.Case):
    def here(self):
        """By what doctor says."""
        return re.search(r"Layers of testing: ([\w ]+)\.", self.corridor("doctor", code=None).stdout).group(1).split()

    def absent(self):
        return [layer for layer in SATELLITES if layer not in self.here()]

    def test_pages_and_lists(self):
        here = self.here()
        self.assertEqual([layer for layer in here if layer in CORE], CORE)
        texts = {command: self.corridor(*command.split(), code=None).stdout.replace("\\", "") for command in ["help", "man-page", "bash-completion"]}
        names = re.findall(r"^  (\w+) ", texts["help"], re.M) + re.findall(r" (\w+)  ", texts["help"])
        for command in sorted(set(names)):
            texts[command] = self.corridor(command, "--help", code=None).stdout + self.corridor("help", command, code=None).stdout
        for layer in SATELLITES:
            for word in WORDS[layer]:
                found = [name for name, text in texts.items() if re.search(r"\b" + r"\s+".join(word.split()) + r"\b", text)]
                if layer in here:
                    self.assertIn("man-page", found, word)
                else:
                    self.assertEqual(found, [], word)
            if layer == "process":  # it has no commands of its own: those for all take its files
                continue
            self.assertEqual(layer in here, re.search(rf"^ *{layer}  +test", texts["help"], re.M) is not None or
                             f"  {layer} " in texts["help"])
        self.assertIn(", ".join(here) + ".", " ".join(self.corridor("help", "layer", code=None).stdout.split()))

    def test_commands_are_refused_by_name(self):
        for layer in self.absent():
            for words in [[layer], [layer, "test"], [layer, "--help"], ["help", layer]]:
                run = self.corridor(*words, code=None)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertIn(f"there is no command {layer}: {sentence(layer)}", " ".join(run.stderr.split()))
        for layer, kind in [("agent", "agent"), ("efsm", "model"), ("process", "process")]:
            if layer in self.absent():
                run = self.corridor("new", kind, "x", code=None)
                self.assertEqual(run.returncode, 2)
                self.assertIn(f'cannot begin "{kind}": {sentence(layer)}', " ".join(run.stderr.split()))

    def test_files_are_refused_by_name(self):
        for layer in self.absent():
            for text in FILES[layer]:
                with tempfile.TemporaryDirectory() as folder:
                    path = os.path.join(folder, "e.json")
                    with open(path, "w") as file:
                        file.write(text)
                    for words in [["run", path, "-o", "r.h5"], ["plan", path], ["search", path], ["replay", path], ["show", path]]:
                        run = self.corridor(*words, code=None)
                        self.assertEqual(run.returncode, 3, (words, run.stderr))
                        self.assertIn(sentence(layer), " ".join(run.stderr.split()), words)
                        self.assertIn(path, run.stderr)

    def test_result_files_are_refused_by_name(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("python3-h5py")
        for layer in self.absent():
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "r.h5")
                with h5py.File(path, "w") as file:
                    file.attrs["format"] = f"corridor-{FORMATS[layer]}-campaign"
                    file.attrs["format_version"] = "1.0.0"
                for words in [["show", path], ["report", path, "-o", path + ".html"], ["failures", path], ["replay", path], ["verify", path],
                              ["export", path, "--table", "x"]]:
                    run = self.corridor(*words, code=None)
                    self.assertEqual(run.returncode, 3, (words, run.stderr))
                    self.assertIn(f'is a result file of the "{layer}" layer', " ".join(run.stderr.split()), words)
                    self.assertIn(sentence(layer), " ".join(run.stderr.split()), words)


if __name__ == "__main__":
    e2e.main()
