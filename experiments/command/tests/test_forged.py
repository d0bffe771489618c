#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_forged.py CORRIDOR SOURCE RESEAL [all | few]: result files that another program has changed, with fingerprint and seal put right.
Each forgery contradicts something else in the file; every command that reads result files refuses it, with the same words.
Forgeries go to one command each, in turn, and some to all commands; of codes and keys each fourth is forged (`few`: each twelfth).
With `all`, all go to all. What is counted is printed."""
import json
import shutil
import subprocess
import sys
import unittest

import h5py
import numpy

import e2e
from e2e import SOURCE

RESEAL = sys.argv[3]
ALL, FEW = sys.argv[4:] == ["all"], sys.argv[4:] == ["few"]
STRIDE = 1 if ALL else 12 if FEW else 4
REPORT = ("report", "F", "-o", "page.html", "--force")
OTHERS = (("export", "F"), ("export", "F", "--format", "junit"), ("export", "F", "--format", "tap"), ("verify", "F"))
VIEWS = {
    "suites": (("show", "F", "tables"), ("show", "F", "--json"), ("show", "F", "--hash"), ("show", "F", "survival"), ("show", "F", "performance"),
               ("compare", "F", "G"), ("compare", "G", "F"), ("compare", "F"), ("coverage", "F"), ("tree", "F", "--arm", "P"),
               ("show", "F", "traps"), ("export", "F", "--table", "suites"), REPORT, *OTHERS),
    "units": (("show", "F", "findings"), ("show", "F", "--json"), ("export", "F", "--table", "units"), REPORT, *OTHERS),
    "tests": (("show", "F", "tests"), ("show", "F", "--json"), ("replay", "F"), ("export", "F", "--table", "tests"), *OTHERS),
    "schedules": (("show", "F", "processes"), ("show", "F", "--json"), ("show", "F", "--hash"), ("failures", "F"), ("replay", "F"),
                  ("export", "F", "--table", "sequences"), REPORT, *OTHERS),
}


def put(table, column, row, value):
    """One value of a column."""
    def change(file):
        file[table][column][row] = value
    return f"{table}/{column}[{row}] = {value}", change


def flip(table, column, one, other):
    """All values of a column that are one of two are the other."""
    def change(file):
        values = file[table][column][()]
        file[table][column][...] = numpy.select([values == one, values == other], [values.dtype.type(other), values.dtype.type(one)], values)
    return f"{table}/{column}: {one} and {other} change places", change


def keep_rows(table, which):
    for name, column in list(table.items()):
        values, attributes, kind = column[()][which], dict(column.attrs), column.dtype
        del table[name]
        table.create_dataset(name, data=values, dtype=kind, maxshape=(None,), chunks=(64,)).attrs.update(attributes)


def empty(table):
    def change(file):
        keep_rows(file[table], slice(0))
    return f"{table} emptied", change


def attribute(name, value):
    def change(file):
        file.attrs.modify(name, numpy.array(value, file.attrs[name].dtype))
    return f"{name} = {value}", change


def twin(catalog):
    """Two entries of one name: a question that joins by name would count what is of one for both."""
    def change(file):
        file[f"catalog/{catalog}/name"][-1] = file[f"catalog/{catalog}/name"][0]
    return f"catalog/{catalog}: two of one name", change


def text(name, old, new):
    def change(file):
        said = file[name][()].decode()
        assert old in said, (name, old)
        file[name][()] = said.replace(old, new)
    return f"{name}: {old} becomes {new}", change


def drop_suite(arm, suite):
    """Nothing is left of a suite of an arm."""
    def change(file):
        for table in file:
            if not isinstance(file[table], h5py.Group) or not {"arm", "suite"} <= set(file[table]):
                continue
            kept = (file[table]["arm"][()] != arm) | (file[table]["suite"][()] != suite)
            keep_rows(file[table], kept)
    return f"without suite {suite} of arm {arm}", change


def rename_arm(number, name):
    def change(file):
        file["catalog/arm/name"][number] = name
    return f"arm {number} is called {name}", change


def codes_and_keys(file):
    """A code or flag that means nothing in each such column, 0 among them, a name that no catalog has; rows of arms, suites and sequences that there are not."""
    for table in file:
        if not isinstance(file[table], h5py.Group) or table in ("catalog", "vectors") or len(file[table]["arm"]) == 0:
            continue
        last = len(file[table]["arm"]) - 1
        for name, column in file[table].items():
            if column.dtype == numpy.uint8 and ("flag_values" in column.attrs or column.attrs["long_name"].startswith("1 if ")):
                yield put(table, name, 0, 77)
            if "flag_values" in column.attrs and "0 = " not in column.attrs["long_name"]:
                yield put(table, name, 0, 0)
            if name != "arm" and "code in catalog/" in column.attrs["long_name"]:
                yield put(table, name, last, 60000)
        yield put(table, "arm", last, 60000)
        yield put(table, "suite", last, 60000)
        if "sequence" in file[table] and table != "smokes":
            yield put(table, "sequence", last, 60000)


SUITE_HEADS = (attribute("complete", 0), attribute("planned_suites", 7), attribute("planned_suites", 5),
               attribute("planned_suites", 0), rename_arm(1, "S"), rename_arm(0, "Q"), empty("branches"))
SUITES = (*SUITE_HEADS, put("suites", "agents", 0, 0), put("suites", "groups", 0, 0), put("suites", "chains", 0, 0),
          put("suites", "sequences", 0, 1), put("suites", "sequences", 0, 9), put("sequences", "executed", 0, 1),
          put("sequences", "cases", 0, 4000), put("sequences", "walk_start", 0, 1 << 40), put("cases", "case", 0, 9999),
          flip("cases", "alarm", 0, 1), flip("cases", "detect", 1, 2), flip("cases", "gray", 1, 2), flip("cases", "black", 1, 2),
          flip("cases", "reorganized", 0, 1), flip("reorganizations", "gray", 1, 2), flip("reorganizations", "black", 1, 2),
          flip("failures", "gray", 1, 2), flip("failures", "black", 1, 2), flip("violations", "box", 1, 2),
          put("reorganizations", "fault_held", slice(None), 0), put("reorganizations", "fault_reached", slice(None), 0),
          put("reorganizations", "gray_violations", slice(None), 0), put("reorganizations", "smoke", 0, 3),
          put("profiles", "arcs", 0, 1), put("profiles", "states", 0, 0), put("chains", "profile", 0, 7),
          put("visits", "count", 0, 1 << 40), put("transitions", "count", 0, 1 << 40), put("transitions", "to", 0, 77),
          put("branches", "parent", 0, 999), put("violations", "check", 0, 200),
          text("experiment", '"suites": 3', '"suites": 4'), text("experiment", '"sequences": 2', '"sequences": 1'),
          text("experiment", '"name": "P"', '"name": "R"'), text("experiment", '"corridor_experiment"', "corridor_experiment"),
          *(empty(table) for table in ("suites", "agents", "groups", "chains", "profiles", "visits", "transitions", "sequences",
                                       "cases", "reorganizations", "failures", "violations")))
UNITS = (attribute("complete", 0), attribute("planned_suites", 1), rename_arm(0, "Q"), put("units", "cases_valid", 0, 1 << 40),
         put("units", "members", 0, 99), put("findings", "hit", 0, 4000000), put("inputs", "value", slice(None), numpy.nan), empty("members"), empty("units"))
TESTS = (attribute("complete", 0), attribute("planned_suites", 1), rename_arm(0, "Q"), put("tests", "covered", 0, 99),
         put("tests", "failed", 0, 9999), flip("tests", "verdict", 1, 2), put("traps", "move", 0, 5),
         put("tests", "resets", 0, 1 << 31), put("moves", "attempt", slice(None), 1 << 31), put("vectors", "value", 0, 1e300), empty("tests"), empty("traps"))

SCHEDULES = (*map(twin, ("event", "constraint", "generator")), attribute("complete", 0), attribute("planned_suites", 1), rename_arm(0, "Q"), put("suites", "sequences", 0, 5), put("suites", "failed", 0, 3),
             put("suites", "undecided", 0, 1), put("suites", "events", 0, 1), put("suites", "messages", 0, 1 << 40), put("suites", "cases", 0, 7777),
             put("suites", "ticks", 0, 7777), put("suites", "seen", 0, 7777),
             flip("sequences", "verdict", 1, 2), flip("sequences", "violated", 1, 2), put("sequences", "violated", 0, 1), put("sequences", "end", 0, 3),
             put("sequences", "cut", 0, 1), put("sequences", "open", 0, 1), put("sequences", "kept", 0, 1), put("sequences", "messages", 0, 1 << 30),
             put("sequences", "violated_event", slice(None), 1 << 30), put("sequences", "violated_case", slice(None), 1 << 30),
             put("sequences", "end_process", 0, 3), put("sequences", "why_start", -1, 1 << 40), put("sequences", "why_bytes", -1, 1 << 30),
             put("sequences", "cases", 0, 7777), put("sequences", "ticks", 0, 7777),
             put("constraints", "tested", 0, 7777), put("constraints", "violated", 0, 7), put("constraints", "undecided", 0, 7777), put("constraints", "constraint", 0, 0),
             put("events", "number", 0, 7), put("events", "tick", 0, 1 << 60), put("events", "process", 0, 255), put("events", "peer", 0, 255),
             put("cases", "case", 0, 7), put("cases", "events", 0, 7777), put("cases", "messages", 0, 7777), put("cases", "faults", 0, 7777),
             put("violations", "case", 0, 7777), put("violations", "event", 0, 7777),
             flip("violations", "constraint", 1, 2), put("seen", "sequences", 0, 7777), put("seen", "states", 0, 1 << 40), put("happened", "count", 0, 1 << 40),
             *(empty(table) for table in ("suites", "sequences", "cases", "violations", "constraints", "happened", "seen", "events")))


class Forged(e2e.Case):
    def prepare(self):
        self.run_into("suites.h5", self.experiment(
            "suites.json", branching={"continuations": 2, "back": [1], "cases": 20}, mode="paired",
            contrasts=[{"name": "c", "between": ["S", "P"]}]))
        shutil.copy(SOURCE / "experiments/library/agents/stock_manager.json", self.folder)
        self.corridor("agent", "test", "stock_manager.json", "--faults", SOURCE / "experiments/library/agents/stock_manager_faults.json",
                      "-o", "units.h5")
        self.corridor("efsm", "test", SOURCE / "experiments/library/efsm/inres_initiator.json", "--goal", "t8", "--runs", 3,
                      "--mutant", "t7.missing", "-o", "tests.h5", code=1)

        storm = {"delay": [1, 200], "lose": 0.1, "crash": 0.5, "down": [100, 900]}
        (self.folder / "schedules.json").write_text(json.dumps({
            "process": {"program": "two_phase"}, "seed": 7, "suites": 2, "sequences": 8, "cases": 6, "log": "events", "environment": {"states": {"storm": storm}},
            "corridor": ["structure observed", "attribute voted: integer", "attribute stored: integer", "channel outcome",
                         "invariant agreed: agree(outcome)", "invariant stored_first: all(a in agents: a.stored >= a.voted)"],
            "arms": {"sound": {}, "early": {"fault": "early_vote"}}}))
        self.corridor("run", "schedules.json", "-o", "schedules.h5")

    def forge(self, source, change):
        shutil.copy(self.folder / source, self.folder / "F.h5")
        with h5py.File(self.folder / "F.h5", "r+") as file:
            change(file)
        subprocess.run([RESEAL, self.folder / "F.h5"], check=True)

    def refused(self, words, good):
        """What a command says of the forgery; it shows nothing of it."""
        words = [{"F": "F.h5", "G": good}.get(word, word) for word in words]
        done = self.corridor(*words, code=1 if words[0] == "verify" else 3)
        if words[0] == "verify":
            self.assertIn("sealed: yes", done.stdout)
            return next(line.split(": ", 1)[1] for line in done.stdout.splitlines() if line.startswith("  problem:"))
        self.assertEqual(done.stdout, "", words)
        return done.stderr

    def check(self, source, forgeries, few):
        views, seen = VIEWS[source], 0
        for number, (what, change) in enumerate(forgeries):
            with self.subTest(source=source, forgery=what):
                self.forge(source + ".h5", change)
                chosen = views if ALL or number < few else (views[number % len(views)],)
                said = {}
                for words in chosen:
                    said[words] = self.refused(words, source + ".h5")
                    seen += 1
                first = said[chosen[0]]
                for words, other in said.items():
                    if words[0] == "verify":
                        self.assertIn(other, " ".join(first.split()), words)
                    else:
                        self.assertEqual(other, first, words)
        return seen

    def test_a_forged_file_is_refused_alike_by_every_command(self):
        self.prepare()
        total = 0
        for source, forgeries, few in (("suites", SUITES, 2), ("units", UNITS, 1), ("tests", TESTS, 1), ("schedules", SCHEDULES, 1)):
            with h5py.File(self.folder / f"{source}.h5") as file:
                forgeries = [*forgeries[::3 if FEW else 1], *list(codes_and_keys(file))[::STRIDE]]
            seen = self.check(source, forgeries, few)
            print(f"{source}: {len(forgeries)} forgeries, refused {seen} times by {len(VIEWS[source])} commands")
            total += seen
        print(f"torture: forged results | {total} | refused, alike by every command" if ALL else f"{total} refusals")
        self.forge("suites.h5", attribute("complete", 0)[1])
        done = self.corridor("show", "F.h5", "tables", "--unsealed")
        self.assertIn("attribute complete", done.stderr)
        self.assertIn("The file contradicts itself", done.stdout)

    def test_tests_are_kept_of_a_changed_file_where_that_is_asked_for(self):
        """What a refusal says is to be asked for is heard wherever it is said."""
        self.prepare()
        for source, view in (("suites", ("--arm", "P", "--budget", 5)), ("schedules", ("--arm", "early", "--budget", 40))):
            shutil.copy(self.folder / f"{source}.h5", self.folder / "F.h5")
            with h5py.File(self.folder / "F.h5", "r+") as file:
                file["cases/dissimilarity" if source == "suites" else "cases/faults"][-1] += 1
            self.assertIn("or read it as it is: --unsealed", self.corridor("failures", "F.h5", "--keep", source, code=3).stderr)
            self.corridor("failures", "F.h5", "--unsealed", "--keep", source, *view)
            self.assertTrue(list((self.folder / source).iterdir()))

    def test_no_code_is_read_that_means_nothing(self):
        """Each column of codes, flags and names of each layer, with a value that is none of them, by one command."""
        self.prepare()
        for source in VIEWS:
            with h5py.File(self.folder / f"{source}.h5") as file:
                forgeries = [forgery for forgery in codes_and_keys(file) if not forgery[0].split("/")[1].startswith(("arm", "suite", "sequence"))]
            self.assertGreater(len(forgeries), 12)
            for what, change in forgeries[::3 if FEW else 1]:
                self.forge(source + ".h5", change)
                self.assertIn("which means nothing", self.corridor("show", "F.h5", "--json", code=3).stderr, what)

    def test_an_arm_that_its_catalog_has_not_is_refused_though_the_seal_is_not_asked_for(self):
        """Rows find their arm by its code or by its place: both are held against the catalog, whatever is read as it is."""
        self.corridor("search", SOURCE / "experiments/library/demo.json", "--arm", "PSOPP-F1", "--generator", "directed,coverage", "--islands", 1,
                      "--budget", 400, "-o", "search.h5")
        with h5py.File(self.folder / "search.h5") as file:
            self.assertEqual(list(file["catalog/arm/code"]), [0, 1])
            tables = [name for name in file if name not in ("catalog", "vectors") and isinstance(file[name], h5py.Group) and len(file[name]["arm"]) > 0]
        for codes in ((77, 1), (0, 77), (1, 0), (65535, 65535)):
            shutil.copy(self.folder / "search.h5", self.folder / "F.h5")
            with h5py.File(self.folder / "F.h5", "r+") as file:
                file["catalog/arm/code"].write_direct(numpy.array(codes, numpy.uint16))
            for words in (("searches",), ("searches", "--json"), ("searches", "--regions"), ()):
                said = self.corridor("show", "F.h5", *words, "--unsealed", code=3).stderr
                self.assertIn("/arm/code of arms does not count from 0 on", said, (codes, words))
        for table in tables:
            for row, value in ((-1, 2), (-1, 65535), (slice(None), 2)):
                self.forge("search.h5", put(table, "arm", row, value)[1])
                said = self.corridor("show", "F.h5", "searches", "--unsealed", code=3).stderr
                self.assertRegex(" ".join(said.split()), rf"table {table}: row \d+: arm is {value}, which is beyond the entries of catalog/arm", (table, row))

    def test_of_regions_no_part_is_more_than_its_whole_though_the_seal_is_not_asked_for(self):
        self.corridor("search", self.experiment(suites=150, sequences=1, cases=[10, 20], arms=[e2e.PSOPP]), "--generator", "directed", "--budget", 3000, "--islands", 1, "-o", "search.h5")
        for part, whole in (("hits", "suites"), ("inside", "suites"), ("inside_hits", "inside"), ("fresh_hits", "fresh"), ("law_hits", "law"), ("support_inside", "support")):
            self.forge("search.h5", put("regions", part, -1, 1 << 31)[1])
            for words in (("searches", "--json"), ("searches", "--regions"), ()):
                said = self.corridor("show", "F.h5", *words, "--unsealed", code=3).stderr
                self.assertRegex(" ".join(said.split()), rf"table regions: row \d+: {part} is 2147483648, more than {whole}, \d+")

    def test_no_case_is_read_that_was_not_executed_though_the_seal_is_not_asked_for(self):
        self.run_into("suites.h5", self.experiment())
        for table in ("cases", "reorganizations", "failures", "violations"):
            for number in (4294967295, 4000):
                self.forge("suites.h5", put(table, "case", slice(None), number)[1])
                said = self.corridor("show", "F.h5", "tables", "--json", "--unsealed", code=3).stderr
                self.assertRegex(" ".join(said.split()), rf"table \w+: .*case {number} was not executed", (table, number))

    def test_a_forged_file_is_not_judged(self):
        """judge executes again what rows say: they are held against each other before."""
        (self.folder / "few.corridor").write_text("structure partitioning\ninvariant few: count(organizations) <= 40\n")
        self.run_into("suites.h5", self.experiment())
        self.corridor("judge", "few.corridor", "suites.h5")
        for change in (put("sequences", "arm", -1, 60000), put("sequences", "cases", 0, 4000), put("suites", "sequences", 0, 1)):
            self.forge("suites.h5", change[1])
            self.assertIn("table ", self.corridor("judge", "few.corridor", "F.h5", code=3).stderr, change[0])
        shutil.copy(self.folder / "suites.h5", self.folder / "F.h5")
        with h5py.File(self.folder / "F.h5", "r+") as file:
            file["cases/dissimilarity"][0] = 7
        said = self.corridor("judge", "few.corridor", "F.h5", code=3).stderr
        self.assertIn("its fingerprint differs", said)
        self.assertIn("see corridor show --unsealed", said)

    def test_no_share_is_read_that_is_none_and_no_budget_is_executed_that_no_suite_had(self):
        self.prepare()
        for table, column, value in (("transitions", "probability", 1e300), ("transitions", "probability", -0.5), ("transitions", "probability", numpy.nan),
                                     ("agents", "inertia", 2), ("suites", "pilot_rate", 1.5)):
            self.forge("suites.h5", put(table, column, slice(None), value)[1])
            for words in (("coverage", "F.h5", "--json"), ("show", "F.h5", "--json")) if table != "agents" else (("show", "F.h5", "--json"),):
                self.assertIn("not between 0 and 1", self.corridor(*words, code=3).stderr, (table, column, value))
        with h5py.File(self.folder / "suites.h5") as file:
            budget = max(row for name, row in zip(file["parameters/parameter"][()], file["parameters/value"][()])
                         if name == list(file["catalog/parameter/name"][()]).index(b"budget"))
        self.forge("suites.h5", text("experiment", f'"budget": {int(budget)}', '"budget": 4294967296')[1])
        said = self.corridor("replay", "F.h5", code=3).stderr
        self.assertIn(f"is generated with 4294967296 units of budget, the suites of the file have at most {int(budget)}", said)

    def test_a_part_of_a_campaign_cannot_be_said_to_be_whole(self):
        self.run_into("part.h5", self.experiment(stop={"suites": 4}))
        for what, change in (attribute("complete", 1), attribute("planned_suites", 4)):
            self.forge("part.h5", change)
            self.assertIn("attribute", self.corridor("show", "F.h5", "tables", code=3).stderr, what)

    def test_a_suite_that_is_gone_is_missed_though_arms_may_end_early(self):
        """An arm that ended early has fewer suites than others: as many as the file says, and only that arm."""
        asked = self.experiment(suites=60, cases=[10, 20], arms=[e2e.SPADA, {"name": "R", "algorithm": "random", "parameters": {"agents": [2, 40], "budget": 50}}],
                                properties=[{"property": f"P {bound} [ always inside ]", "arm": name} for name, bound in (("S", ">= 0.5"), ("R", "<= 0.9"))])
        for name, gone, options in (("early.h5", "SR", ("--stop-decided", 1)), ("all.h5", "R", ())):
            self.run_into(name, asked, *options)
            suites = {arm: sum(row["arm"] == arm for row in self.table(name, "suites")) for arm in "SR"}
            self.assertEqual(suites["R"] < suites["S"] - 1, name == "early.h5", suites)
            for letter in gone:
                changes = drop_suite("SR".index(letter), suites[letter] - 1)[1], attribute("complete", 0)[1]
                self.forge(name, lambda file: [change(file) for change in changes])
                said = self.corridor("show", "F.h5", "tables", code=3).stderr
                self.assertIn(f"are of arm {letter}, expected {suites[letter]}", " ".join(said.split()), name)
        # What a file of before does not say nobody can hold it to.
        self.forge("early.h5", text("provenance", '"ended_early"', '"wanted_less"')[1])
        self.corridor("show", "F.h5", "tables")
        self.forge("early.h5", text("provenance", '"positions": ', '"positions": 1')[1])
        self.assertIn("table suites", self.corridor("show", "F.h5", "tables", code=3).stderr)


if __name__ == "__main__":
    del sys.argv[4:]
    e2e.main()
