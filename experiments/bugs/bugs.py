# SPDX-License-Identifier: GPL-3.0-or-later
"""The bugs of bugs.json: their subjects, how each layer looks for them, and who judges a failure that somebody brings along."""
import json
import os
import pathlib
import shutil
import stat
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
GENERATORS = {
    "interaction": ("random", "coverage", "directed", "tree"),
    "process": ("random", "burst", "swarm", "pct", "rounds", "search"),
    "agent": ("classes",),
    "efsm": ("random", "antiant", "search", "paper"),
    "system": ("as written",),
}
UNIT = {"interaction": "cases", "process": "messages", "agent": "cases", "efsm": "moves", "system": "commands"}
MEMBERS = {"bug", "layer", "origin", "meaning", "arm", "budget", "shortest", "experiment", "like", "faults", "modules", "needs", "class", "watch"}


class Wrong(Exception):
    """What is wrong with a file, where, and what would be right."""


def without_doubles(members):
    """A member that is there twice has no one value: each reader takes another."""
    names = [name for name, _ in members]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f'the member "{name}" is there twice')
    return dict(members)


def read_object(path):
    """A JSON object in a file; whatever the file is, Wrong says what is wrong with it."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise Wrong(f"{path}: is no file")  # a pipe would never end
        document = json.loads(pathlib.Path(path).read_text(encoding="utf-8"), object_pairs_hook=without_doubles)
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise Wrong(f"{path}: no JSON: {error}") from error
    if not isinstance(document, dict):
        raise Wrong(f"{path}: is no JSON object")
    return document


def read_json(path, kind):
    document = read_object(path)
    if type(document.get(kind)) is not int or document[kind] != 1:
        raise Wrong(f'{path}: has no "{kind}": 1')
    return document


def difference(theirs, ours, place=""):
    """The first place where two values differ, in words."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in sorted({*theirs, *ours}):
            if theirs.get(key) != ours.get(key):
                return difference(theirs.get(key), ours.get(key), f"{place}{key}: ")
    short = (words if len(words) <= 60 else words[:57] + "..." for words in (json.dumps(value) for value in (theirs, ours)))
    return "{}is {}, right: {}".format(place, *short)


def read_bugs():
    path = HERE / "bugs.json"
    bugs = read_json(path, "corridor_bugs")["bugs"]
    for bug in bugs:
        if set(bug) - MEMBERS or bug.get("layer") not in GENERATORS:
            raise Wrong(f"{path}: {bug.get('bug')}: a member or a layer that is not known")
    return bugs


class Subjects:
    """Experiments of bugs, with what they need beside them, in a folder."""

    def __init__(self, corridor, folder):
        self.corridor, self.folder, self.begun = corridor, folder, {}
        self.build = corridor.parent

    def call(self, *words, accepted=(0,), cwd=ROOT):
        done = subprocess.run([self.corridor, *map(str, words)], cwd=cwd, capture_output=True, text=True)
        if done.returncode not in accepted:
            raise Wrong(f"corridor {' '.join(map(str, words))}: exit code {done.returncode}\n{done.stderr}")
        return done

    def asked(self, *words, **how):
        return json.loads(self.call(*words, "--json", **how).stdout)

    def missing(self, bug):
        """What is not there of what the bug needs; None: all is."""
        for need in bug.get("needs", []):
            if need.startswith("python: "):
                if subprocess.run(["/usr/bin/python3", "-c", f"import {need[8:]}"], capture_output=True).returncode:
                    return f"/usr/bin/python3 without {need[8:]}"
            elif not (ROOT / need).exists():
                return need
        for module in bug.get("modules", []):
            if not (self.build / module).exists():
                return str(self.build / module)
        if "like" in bug and not shutil.which(self.compiler()[0]):
            return self.compiler()[0]
        return None

    @staticmethod
    def compiler():
        return os.environ.get("CC", "cc").split()

    def experiment(self, bug):
        """The path of its experiment, which can be executed; modules are named from the folder that `place` gives."""
        key = bug.get("like") or bug["experiment"], *bug.get("watch", [])
        if key not in self.begun:
            self.begun[key] = self.begin(bug)
        return self.begun[key]

    def place(self, bug):
        return self.experiment(bug).parent if "like" in bug or "modules" in bug else ROOT

    def begin(self, bug):
        if "like" in bug:
            return self.begin_like(bug["like"])
        original = ROOT / bug["experiment"]
        if not {"modules", "watch"} & set(bug):
            return original
        folder = self.folder / "subjects" / ("-".join([original.stem, *bug.get("watch", [])]))
        folder.mkdir(parents=True, exist_ok=True)
        text = json.loads(original.read_text())
        if "modules" in bug:
            for module in (module for other in read_bugs() if other.get("experiment") == bug["experiment"] for module in other["modules"]):
                shutil.copy(self.build / module, folder)
            text["arms"] = [{**arm, "algorithm": "./" + arm["algorithm"]} for arm in text["arms"] if (folder / arm["algorithm"]).exists()]
        else:
            text["corridor"] = str(original.parent / text["corridor"])
            text["arms"] = {bug["arm"]: {**text["arms"][bug["arm"]], "watch": bug["watch"]}}
        experiment = folder / original.name
        experiment.write_text(json.dumps(text, indent=1))
        return experiment

    def begin_like(self, system):
        path = self.folder / "subjects" / system
        mark = path / ".made-by-a-benchmark"
        if path.exists():
            if not mark.is_file():
                raise Wrong(f"{path}: exists already, and is none that a benchmark has made")
            shutil.rmtree(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([self.corridor, "new", "experiment", system, "--like", system], cwd=path.parent, capture_output=True, text=True)
        if done.returncode:
            raise Wrong(done.stderr)
        mark.touch()
        if (path / f"{system}.c").exists():
            subprocess.run([*self.compiler(), "-std=c17", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off",
                            f"-I{ROOT}/algorithms/plugin/include", f"{system}.c", "-o", f"{system}.so"], cwd=path, check=True)
        return path / f"{system}.json"


class Layer:
    """How bugs of a layer are looked for. A hit: cases to the first failure, or None, for each seed of each generator."""

    def __init__(self, subjects, seeds, part):
        self.subjects, self.seeds, self.part = subjects, seeds, part

    def budget(self, bug):
        return max(1, bug["budget"] // self.part)

    def shortest(self, _bug, _hits):
        """Size of the smallest failure that was found; None: nothing was made smaller."""
        return None


class Searched(Layer):
    """Tests of algorithms, schedules of programs: corridor search compares the generators."""

    def look(self, bug):
        self.results = self.subjects.folder / f"{bug['bug']}.h5"
        generators = bug.get("generators", GENERATORS[bug["layer"]])
        said = self.subjects.asked("search", self.subjects.experiment(bug), "--arm", bug["arm"], "--generator", ",".join(generators), "--budget",
                                   self.budget(bug), "--islands", self.seeds, "--isolate", "never", "-o", self.results, "--force", cwd=self.subjects.place(bug))
        self.sheets = said["sheets"]
        hits = {generator: [None] * self.seeds for generator in generators}
        for row in self.sheets["islands"]["rows"]:
            hits[row["arm"].split("/")[0]][row["island"]] = self.cases(bug, row)
        return hits

    def pairs(self):
        """Each generator beside random: p of the log-rank test, and how often random is sooner."""
        for row in self.sheets["pairs"]["rows"]:
            a, b = (row[side].split("/")[0] for side in "ab")
            if a == "random" and row["p"] is not None:
                yield b, row["p"], row["a12"]


class Tests(Searched):
    def cases(self, _bug, row):
        return row["first"]

    def shortest(self, bug, _hits):
        rows = [row for row in self.sheets["findings"]["rows"]]
        if not rows:
            return None
        key = min(rows, key=lambda row: (row["case"], row["key"]))["key"]
        found, small = (self.subjects.folder / f"{bug['bug']}{ending}.json" for ending in ("-found", ""))
        found.write_text(self.subjects.call("show", self.results, "searches", "--test", key).stdout)
        self.subjects.call("shrink", found, "-o", small, "--force", "--trust", "--isolate", "never", "--budget", 3000, cwd=self.subjects.place(bug))
        return size_of(bug, small)


class Schedules(Searched):
    def cases(self, bug, row):
        """A search ends with its first failure: with another one than the bug's it has not found it."""
        return row["cases"] if row["first"] is not None and row["class"] == bug.get("class", row["class"]) else None

    def shortest(self, bug, _hits):
        rows = [row for row in self.sheets["islands"]["rows"] if self.cases(bug, row) is not None]
        if not rows:
            return None
        small = self.subjects.folder / f"{bug['bug']}.json"
        key = min(rows, key=lambda row: (row["cases"], row["key"]))["key"]
        self.subjects.call("shrink", self.results, "--failure", key, "-o", small, "--force", "--trust")
        return size_of(bug, small)


class Units(Layer):
    """Units of an agent: cases in the order of testing up to the first that a root finding needs."""

    def __init__(self, *given):
        super().__init__(*given)
        self.said = {}

    def sheets(self, bug, seed):
        key = bug["experiment"], seed
        if key not in self.said:
            self.said[key] = self.subjects.asked("agent", "test", bug["experiment"], "--faults", bug["faults"], "--seed", 1 + seed, "--no-fail")["sheets"]
        return self.said[key]

    def first(self, bug, seed):
        sheets, executed, smallest = self.sheets(bug, seed), 0, {}
        for row in sheets["findings"]["rows"]:
            if row["arm"] == bug["arm"] and row["cause"] == "root":
                smallest[row["unit"]] = min(row["smallest"] or 1, smallest.get(row["unit"], row["smallest"] or 1))
        for row in sheets["units"]["rows"]:
            if row["unit"] in smallest:
                return executed + smallest[row["unit"]]
            executed += row["cases"]
        return None

    def look(self, bug):
        found = [self.first(bug, seed) for seed in range(self.seeds)]
        return {"classes": [cases if cases is not None and cases <= self.budget(bug) else None for cases in found]}

    def shortest(self, _bug, hits):
        return 1 if any(cases is not None for cases in hits["classes"]) else None


class Models(Layer):
    """Mutants of models, tested on line: moves to the first answer that is not allowed."""

    def look(self, bug):
        return {planner: self.tests(bug, planner) for planner in GENERATORS["efsm"]}

    def tests(self, bug, planner):
        said = self.subjects.asked("efsm", "test", bug["experiment"], "--goal", "all-transitions", "--mutant", bug["arm"], "--planner", planner, "--runs",
                                   self.seeds, "--moves", self.budget(bug), "--resets", 20, "--states", 20000, "--no-fail", accepted=(0, 7))
        return [row["failed"] if row["verdict"] == "fail" else None for row in said["sheets"]["tests"]["rows"]]

    def shortest(self, _bug, hits):
        return min((moves for tests in hits.values() for moves in tests if moves is not None), default=None)


class Systems(Layer):
    """Tests of a running system, in the order of the file: cycles up to the first that fails. Nothing is drawn: one seed is all."""

    def __init__(self, *given):
        super().__init__(*given)
        self.said = {}

    def look(self, bug):
        if bug["experiment"] not in self.said:
            self.said[bug["experiment"]] = self.subjects.asked("system", "test", bug["experiment"], accepted=(0, 1, 7))["tests"]
        cycles = 0
        for test in self.said[bug["experiment"]]:
            if test["arm"] != bug["arm"]:
                continue
            cycles += test["decided"] or test["cycles"]
            if test["verdict"] == "fail":
                self.commands = sum(len(agent["actions"]) for agent in test["agents"])
                return {"as written": [cycles if cycles <= self.budget(bug) else None]}
        return {"as written": [None]}

    def shortest(self, _bug, hits):
        return self.commands if hits["as written"] != [None] else None


LAYERS = {"interaction": Tests, "process": Schedules, "agent": Units, "efsm": Models, "system": Systems}


def size_of(bug, path):
    """Of a test file: the failing case, or the messages of the schedule."""
    test = json.loads(path.read_text())
    if bug["layer"] == "process":
        return sum(event[0] == "deliver" for event in test["schedule"])
    return test["expected"]["case"]


class Judge:
    """Whether a failure that somebody brings along is one of a bug: it is executed again, here, against the bug's own subject."""

    def __init__(self, subjects):
        self.subjects = subjects

    def size(self, bug, path):
        """Of the failure in the file; raises Wrong if it is none."""
        return {"interaction": self.test, "process": self.schedule}.get(bug["layer"], self.results)(bug, path)

    def known(self, bug):
        return ROOT / bug["shortest"]["test"]

    def same(self, path, what, theirs, ours):
        if theirs != ours:
            raise Wrong(f"{path}: is a failure of another subject: its {what} is not the bug's: {difference(theirs, ours)}")

    def not_again(self, path, done, said=""):
        """What `corridor replay` says of a file whose failure does not come again."""
        words = said or next((line[line.find(": ") + 2:] for line in reversed(done.stderr.splitlines()) if line.startswith("corridor: ")
                              and not line.startswith("corridor: note: ")), "")
        return Wrong(f"{path}: does not fail as it says: exit code {done.returncode} of corridor replay{words and ': ' + words.replace(str(self.copy()), path.name)}")

    def test(self, bug, path):
        parts = {}
        for which in (path, self.known(bug)):
            test = read_json(which, "corridor_test")
            if not isinstance(test.get("arm"), dict):
                raise Wrong(f'{which}: needs "arm", an object')
            arm = {key: value for key, value in test["arm"].items() if key != "name"}
            parts[which] = {"arm": arm, **{key: test.get(key) for key in ("corridor", "types", "environments", "measure", "kind", "property")}}
        for key, ours in parts[self.known(bug)].items():
            self.same(path, key, parts[path][key], ours)
        done = self.subjects.call("replay", path, "--expect", "failing", "--isolate", "never", "--trust", "--json", accepted=range(256),
                                  cwd=self.subjects.place(bug))
        if done.returncode != 0:
            raise self.not_again(path, done, json.loads(done.stdout)["sheets"]["tests"]["rows"][0]["said"] if done.returncode == 1 else "")
        row = json.loads(done.stdout)["sheets"]["tests"]["rows"][0]
        theirs, ours = (set(words.split(",")) for words in (row["class"], read_json(self.known(bug), "corridor_test")["expected"]["class"]))
        if not ({"fault"} & ours or ours) <= theirs:
            raise Wrong(f"{path}: fails as {row['class']}: the bug's failures have {', '.join(sorted({'fault'} & ours or ours))}")
        return row["case"]

    def schedule(self, bug, path):
        parts = {}
        for which in (path, self.known(bug)):
            try:
                test = read_object(which)
                arm, = test["arms"].values()
                program = test["process"]["program"]
                process = {**test["process"], "program": program.rsplit("/", 1)[-1] if program.endswith(".so") else program}
                parts[which] = {"process": process, "constraint": test["process_test"]["expected"], "corridor": test.get("corridor"),
                                "fault": arm.get("fault"),
                                **{key: test.get(key) for key in ("environment", "faults", "inputs", "case", "parameters")}, "arm": {key: value for key, value in arm.items() if key not in ("generator", "description")}}
            except (ValueError, KeyError, AttributeError, TypeError) as error:
                raise Wrong(f"{which}: is no test of a distributed program: {error}") from error
        for key, ours in parts[self.known(bug)].items():
            self.same(path, key, parts[path][key], ours)
        done = self.subjects.call("replay", self.alone(path), "--trust", accepted=range(256), cwd=self.subjects.place(bug))
        if done.returncode != 0:
            raise self.not_again(path, done, done.stdout.strip().splitlines()[0] if done.returncode == 1 and done.stdout.strip() else "")
        return size_of(bug, path)

    def alone(self, path):
        """A copy with nothing beside it: a module that the entrant laid beside the test is not the bug's."""
        self.copy().parent.mkdir(parents=True, exist_ok=True)
        return pathlib.Path(shutil.copy(path, self.copy()))

    def copy(self):
        return self.subjects.folder / "entered" / "test.json"

    def subject(self, path):
        """What a result file was made of, without how."""
        rows = (json.loads(line) for line in self.subjects.call("export", path, "--table", "head", "--format", "jsonl").stdout.splitlines())
        experiment = json.loads({row["name"]: row["text"] for row in rows}["experiment"])
        return {key: experiment.get(key) for key in ("efsm", "design", "faults", "system")}, experiment["arms"]

    def results(self, bug, path):
        own = self.subjects.folder / "subjects" / f"{pathlib.Path(bug['experiment']).stem}.h5"
        if not own.exists():
            words = {"agent": ("agent", "test", bug["experiment"], "--faults", bug.get("faults"), "--no-fail"), "system": ("system", "test", bug["experiment"]),
                     "efsm": ("efsm", "test", bug["experiment"], "--goal", "all-transitions", "--moves", 1, "--no-fail")}[bug["layer"]]
            own.parent.mkdir(parents=True, exist_ok=True)
            self.subjects.call(*words, "-o", own, accepted=(0, 1, 7))
        (theirs, arms), (known, known_arms) = self.subject(path), self.subject(own)
        for key, ours in known.items():
            self.same(path, key, theirs[key], ours)
        if bug["layer"] != "efsm":
            self.same(path, "arm", *([arm for arm in some if arm["name"] == bug["arm"]] for some in (arms, known_arms)))
        if self.subjects.call("replay", path, accepted=range(256)).returncode != 0:
            raise Wrong(f"{path}: is not what comes of executing it again")
        return {"agent": self.units, "efsm": self.moves, "system": self.commands}[bug["layer"]](bug, path, arms)

    def sheets(self, path):
        return self.subjects.asked("show", path, accepted=(0, 1, 7))["sheets"]

    def units(self, bug, path, _arms):
        if not any(row["arm"] == bug["arm"] and row["cause"] == "root" for row in self.sheets(path)["findings"]["rows"]):
            raise Wrong(f"{path}: has no finding in arm {bug['arm']}")
        return 1

    def moves(self, bug, path, arms):
        ours = {arm["name"] for arm in arms if arm.get("mutant") == bug["arm"] and arm.get("system", "uniform") in ("uniform", "adversary", "fair")}
        failed = [row["failed"] for row in self.sheets(path)["tests"]["rows"] if row["verdict"] == "fail" and row["arm"] in ours]
        if not failed:
            raise Wrong(f"{path}: has no failing test of the mutant {bug['arm']}")
        return min(failed)

    def commands(self, bug, path, arms):
        """Tests are the entrant's: one that fails without the mutant, too, tells nothing of it."""
        sound = {arm["name"] for arm in arms if set(arm) == {"name"}}
        verdicts = {(row["arm"] in sound, row["test"], row["run"]): row["verdict"] for row in self.sheets(path)["tests"]["rows"]
                    if row["arm"] in sound | {bug["arm"]}}
        if not any(verdict == "fail" and verdicts.get((True, test, run)) == "pass" for (is_sound, test, run), verdict in verdicts.items() if not is_sound):
            raise Wrong(f"{path}: has no failing test of arm {bug['arm']} that passes in an arm without a mutant")
        return bug["shortest"]["size"]
