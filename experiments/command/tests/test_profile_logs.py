#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Profiles from what people log, against counts of our own: words, several columns, several files, priors, influences, and chains from
result files."""
import collections
import json
import math
import random
import unittest

import e2e
from e2e import SOURCE

WEATHER = json.loads((SOURCE / "experiments/library/models/weather.json").read_text())
LIBRARY = SOURCE / "profiles/library"
ARMS = [{"name": "S", "algorithm": "spada", "parameters": {"budget": 300}}, {"name": "R", "algorithm": "random"}]
WORDS = ("fog", "rain", "sunny", "none", "a b", "stormy")
LAW = {"dry": {"dry": 0.9, "wet": 0.1}, "wet": {"dry": 0.2, "wet": 0.5, "ice": 0.3}, "ice": {"wet": 0.6, "ice": 0.4}}


def walk(law, count, seed, state="dry"):
    draw = random.Random(seed)
    for _ in range(count):
        yield state
        state = draw.choices(list(law[state]), list(law[state].values()))[0]


def counted(segments):
    """{from: {to: count}} of lists of states."""
    counts = collections.defaultdict(lambda: collections.defaultdict(int))
    for states in segments:
        for one, other in zip(states, states[1:]):
            counts[one][other] += 1
    return {one: dict(row) for one, row in counts.items()}


def split(values):
    """Runs of what is not None."""
    segments = [[]]
    for value in values:
        segments = [*segments, []] if value is None else [*segments[:-1], [*segments[-1], value]]
    return [segment for segment in segments if segment]


class Logs(e2e.Case):
    def log(self, name, columns):
        """A CSV file of columns."""
        rows = zip(*columns.values())
        text = "\n".join([",".join(columns), *(",".join("" if cell is None else str(cell) for cell in row) for row in rows)])
        (self.folder / name).write_text(text + "\n")
        return name

    def report(self, *words):
        return self.without_empty_rows(json.loads(self.corridor("profile", "fit", *words, "--json").stdout)["fit"])

    def without_empty_rows(self, fit):
        fit["transition_counts"] = {one: row for one, row in fit["transition_counts"].items() if row}
        return fit

    def file(self, *words, command="fit"):
        self.corridor("profile", command, *words, "-o", "p.json", "-f")
        content = json.loads((self.folder / "p.json").read_text())
        self.without_empty_rows(content["fit"])
        return content

    def assert_rows(self, rows, expected):
        self.assertEqual({one: set(row) for one, row in rows.items()}, {one: set(row) for one, row in expected.items()})
        for one, row in expected.items():
            for other, share in row.items():
                self.assertAlmostEqual(rows[one][other], share, places=12)

    def shares(self, counts):
        return {one: {other: n / sum(row.values()) for other, n in row.items()} for one, row in counts.items()}


class Words(Logs):
    def test_words_are_counted_as_they_stand(self):
        draw = random.Random(3)
        states = [draw.choice(WORDS) if draw.random() > 0.05 else None for _ in range(400)]
        self.log("w.csv", {"n": range(400), "sky": states})
        for words in ((), ("--words",)):
            report = self.report("w.csv", "-c", "sky", "--split-gaps", *words)
            self.assertEqual(report["transition_counts"], counted(split(states)))
            self.assertEqual((report["levels_by"], report["words"]), ("words", sorted(WORDS)))
            self.assertEqual(list(report["states"]), sorted(WORDS))
            self.assertEqual("holds words" in " ".join(report.get("reading", [])), not words)
        profile = self.file("w.csv", "-c", "sky", "--split-gaps")
        self.assert_rows(profile["transitions"], self.shares(counted(split(states))))
        shown = json.loads(self.corridor("profile", "show", "p.json", "--json").stdout)
        self.assertEqual([state["name"] for state in shown["states"]], sorted(WORDS))

    def test_numbers_can_be_words(self):
        self.log("n.csv", {"code": [7, 7, 10, 7, 10, 10]})
        self.assertEqual(self.report("n.csv", "-c", "code", "--words")["transition_counts"], {"7": {"7": 1, "10": 2}, "10": {"7": 1, "10": 1}})
        said = self.corridor("profile", "fit", "n.csv", "-c", "code", code=3).stderr
        self.assertIn('neither a number of states nor cut points are given for column "code"', said)

    def test_rare_words_are_joined_and_too_many_are_refused_with_how(self):
        draw = random.Random(4)
        states = [f"w{int(draw.expovariate(1 / 12))}" for _ in range(3000)] + ["other"] * 2
        number = collections.Counter(states)
        self.assertGreater(len(number), 64)
        self.log("many.csv", {"sky": states})
        said = self.corridor("profile", "fit", "many.csv", "-c", "sky", code=3).stderr
        self.assertIn(f'many.csv: column "sky" has {len(number)} words, at most 64 can be states', said)
        rare = int(said.split("--rare ")[1].split()[0])
        kept = [word for word in number if number[word] >= rare]
        self.assertIn(f'join rare words as "other": --rare {rare} leaves {len(kept)} others', said)
        self.assertLessEqual(len(kept), 63)
        self.assertGreater(len([word for word in number if number[word] >= rare - 1]), 63)
        for least in (rare, 40):
            joined = [word if number[word] >= least and word != "other" else "other" for word in states]
            report = self.report("many.csv", "-c", "sky", "--rare", least)
            self.assertEqual(report["transition_counts"], counted([joined]))
            self.assertEqual(report["words"], [*sorted(set(joined) - {"other"}), "other"])
            self.assertEqual(report["words_joined"], len(number) - len(report["words"]) + 1)

    def test_words_correlate_as_far_as_they_are_the_same_beyond_chance(self):
        states = list(walk(LAW, 500, 5))
        self.log("w.csv", {"road": states})
        report = self.report("w.csv", "-c", "road", "--season", "7")
        share = {word: states.count(word) / len(states) for word in set(states)}
        whole = sum(p * p for p in share.values())
        for found, lag in zip(report["autocorrelation"], (1, 7)):
            pairs = list(zip(states, states[lag:]))
            alike = sum((a == b) - share[a] - share[b] + whole for a, b in pairs) / len(pairs) / (1 - whole)
            self.assertAlmostEqual(found["observed"], alike, places=10)
        self.assertIsNone(report["variance_within_states"])

    def test_likelihoods_are_those_of_the_counts(self):
        states = list(walk(LAW, 300, 6))
        self.log("w.csv", {"road": states})
        for order in self.report("w.csv", "-c", "road")["orders"]:
            k, cells = order["order"], collections.Counter()
            for i in range(2, len(states)):
                cells[tuple(states[i - k:i]), states[i]] += 1
            of = collections.Counter()
            for (context, _), n in cells.items():
                of[context] += n
            self.assertAlmostEqual(order["log_likelihood"], sum(n * math.log(n / of[c]) for (c, _), n in cells.items()), places=8)


class Columns(Logs):
    def columns(self):
        draw = random.Random(7)
        sky, speed, load = [], [], []
        for word in walk(LAW, 600, 8):
            sky.append(word if draw.random() > 0.03 else None)
            speed.append({"dry": 4, "wet": 8, "ice": 1}[word] + 3 * draw.random() if draw.random() > 0.03 else None)
            load.append(draw.random())
        return {"sky": sky, "speed": speed, "load": load}

    def test_states_are_the_combinations_that_are_seen(self):
        columns = self.columns()
        self.log("j.csv", columns)

        def level(value, cuts):
            names = [f"below_{cuts[0]:g}", *(f"{a:g}_to_{b:g}" for a, b in zip(cuts, cuts[1:])), f"from_{cuts[-1]:g}"]
            return names[sum(cut <= value for cut in cuts)]

        rows = [None if None in row else ".".join((level(row[1], [3, 7]), row[0], level(row[2], [0.5])))
                for row in zip(*columns.values())]
        words = ("-c", "speed", "-c", "sky", "-c", "load", "--cuts", "speed=3,7", "--cuts", "load=0.5", "--split-gaps")
        profile = self.file("j.csv", *words)
        fit = profile["fit"]
        self.assertEqual(fit["transition_counts"], counted(split(rows)))
        self.assertEqual(set(profile["states"]), {row for row in rows if row})
        self.assert_rows(profile["transitions"], self.shares(counted(split(rows))))
        self.assertEqual(profile["source"]["columns"], ["speed", "sky", "load"])
        self.assertEqual([(column["column"], column["levels_by"]) for column in fit["columns"]],
                         [("speed", "cuts"), ("sky", "words"), ("load", "cuts")])
        self.assertEqual(fit["gaps"], rows.count(None))
        for i, name in ((0, "speed"), (2, "load")):  # means within states, and what they blur
            there = [(row, value) for row, value in zip(rows, columns[name]) if row]
            means = {row: sum(v for r, v in there if r == row) / sum(r == row for r, _ in there) for row, _ in there}
            for state, figures in fit["states"].items():
                self.assertAlmostEqual(figures["columns"][i]["mean"], means[state], places=10)
            mean = sum(v for _, v in there) / len(there)
            blurred = sum((v - means[r]) ** 2 for r, v in there) / sum((v - mean) ** 2 for _, v in there)
            self.assertAlmostEqual(fit["columns"][i]["variance_within_states"], blurred, places=10)

    def test_one_column_of_several_is_divided_as_if_it_were_alone(self):
        self.log("j.csv", self.columns())
        for words, by in ((("-k", "4"), "quantiles"), (("-k", "speed=4"), "quantiles"), (("--cuts", "2,5"), "cuts")):
            joint = self.report("j.csv", "-c", "sky", "-c", "speed", "--split-gaps", *words)["columns"][1]
            self.assertEqual(joint["levels_by"], by)
        rows = [row for row in zip(*self.columns().values()) if None not in row]
        speeds = sorted(row[1] for row in rows)
        joint = self.report("j.csv", "-c", "sky", "-c", "speed", "--split-gaps", "-k", "4")["columns"][1]
        self.assertEqual(joint["cuts"], [speeds[len(speeds) * k // 4] for k in (1, 2, 3)])

    def test_parts_of_the_day_stand_before_the_words(self):
        self.log("t.csv", {"time": [f"2023-03-{1 + i // 24:02} {i % 24:02}:00" for i in range(240)], "sky": list(walk(LAW, 240, 9))})
        report = self.report("t.csv", "-c", "sky", "-t", "time", "--hours", "2")
        states = [f"h{'00-11' if i % 24 < 12 else '12-23'}_{word}" for i, word in enumerate(walk(LAW, 240, 9))]
        self.assertEqual(report["transition_counts"], counted([states]))


class Files(Logs):
    def test_each_file_is_a_segment_of_its_own(self):
        segments = [list(walk(LAW, 90, 10)), list(walk(LAW, 40, 11, "ice")), ["dry", "dry", "wet", "new"]]
        for name, states in zip("abc", segments):
            self.log(f"{name}.csv", {"road": states})
        profile = self.file("a.csv", "b.csv", "c.csv", "-c", "road")
        self.assertEqual(profile["fit"]["transition_counts"], counted(segments))
        self.assertEqual((profile["fit"]["segments"], profile["fit"]["words"]), (3, ["dry", "ice", "new", "wet"]))
        self.assertEqual(profile["source"]["files"], ["a.csv", "b.csv", "c.csv"])
        again = self.file("c.csv", "a.csv", "b.csv", "-c", "road")
        self.assertEqual((again["states"], again["transitions"]), (profile["states"], profile["transitions"]))

    def test_what_does_not_fit_is_named_by_its_file(self):
        self.log("a.csv", {"time": ["2023-03-01 00:00", "2023-03-01 01:00", "2023-03-01 02:00"], "x": ["u", "v", "u"]})
        self.log("b.csv", {"time": ["2023-03-01", "2023-03-02", "2023-03-03"], "x": ["u", "v", "u"]})
        self.log("c.csv", {"time": ["2023-03-01 00:00", "2023-03-01 02:00", "2023-03-01 04:00"], "x": [1, 2, 1]})
        self.log("d.csv", {"time": ["2023-03-01 00:00", "2023-03-01 02:00", "2023-03-01 04:00"], "x": ["u", None, "u"]})
        for words, what in ((("a.csv", "a.csv"), "a.csv: is named twice"),
                            (("a.csv", "b.csv", "-t", "time"), "b.csv: its times have no hours, unlike those of a.csv"),
                            (("a.csv", "c.csv"), 'c.csv: column "x" holds numbers, but words in a.csv'),
                            (("a.csv", "d.csv"), 'd.csv:3:18: there is no value in column "x"'),
                            (("a.csv", "none.csv"), "none.csv: cannot be opened")):
            said = self.corridor("profile", "fit", *words, "-c", "x", code=4 if "none.csv" in words else 3).stderr
            self.assertIn(what, said)
        said = self.report("a.csv", "c.csv", "-c", "x", "-t", "time", "--words")["reading"]
        self.assertIn("c.csv: Time: its step is 2 hours, that of a.csv is 1 hour; both are counted as transitions alike.", said)


class Priors(Logs):
    PRIOR = {"corridor_profile": 1, "name": "old", "states": ["wet", "ice", "dry", "flooded"], "transitions": {
        "wet": {"wet": 0.5, "dry": 0.25, "flooded": 0.25}, "ice": {"ice": 1}, "dry": {"dry": 0.75, "ice": 0.25}, "flooded": {"wet": 1}}}

    def test_rows_are_means_of_the_posterior(self):
        states = [*walk(LAW, 60, 12), "leaves"]
        self.log("w.csv", {"road": states})
        (self.folder / "old.json").write_text(json.dumps(self.PRIOR))
        plain, counts = self.file("w.csv", "-c", "road"), counted([states])
        for weight in (0.5, 1, 1000):
            words = () if weight == 1 else ("--weight", weight)
            profile = self.file("w.csv", "-c", "road", "--prior", "old.json", *words)
            self.assertEqual(profile["states"], [*plain["states"], "flooded"])
            expected = {"leaves": plain["transitions"]["leaves"], "flooded": {"wet": 1}}
            for one in ("dry", "wet", "ice"):
                row, of_prior = counts.get(one, {}), self.PRIOR["transitions"][one]
                expected[one] = {other: (row.get(other, 0) + weight * of_prior.get(other, 0)) / (sum(row.values()) + weight)
                                 for other in {*row, *of_prior}}
            self.assert_rows(profile["transitions"], expected)
            self.assertEqual(profile["fit"].pop("prior"), {"profile": "old", "file": "old.json", "weight": weight,
                                                          "lacks": ["leaves"], "adds": ["flooded"]})
            self.assertEqual(profile["fit"], plain["fit"])  # what is said of the data is said of the data alone
            self.corridor("profile", "show", "p.json")
        text = self.corridor("profile", "fit", "w.csv", "-c", "road", "--prior", "old.json").stdout
        self.assertIn("Prior: 1 transition more out of each state, shared out as profile old of old.json says.\n"
                      "Prior: it lacks leaves; the rows of these are those of the data.\n"
                      "Prior: it alone has flooded; the rows of these are its own.\n", text)

    def test_a_uniform_prior_leaves_nothing_impossible(self):
        states = [*walk(LAW, 60, 12), "leaves"]
        self.log("w.csv", {"road": states})
        counts, names = counted([states]), sorted(set(states))
        profile = self.file("w.csv", "-c", "road", "--prior", "uniform", "--weight", 2)
        self.assert_rows(profile["transitions"], {one: {other: (counts.get(one, {}).get(other, 0) + 2 / len(names)) /
                                                        (sum(counts.get(one, {}).values()) + 2) for other in names} for one in names})
        self.assertIn("Data: nothing ever follows leaves; where the chain goes on to from there, the prior alone says.",
                      profile["fit"]["not_described"])

    def test_levels_meet_those_of_the_same_cuts(self):
        draw = random.Random(13)
        self.log("a.csv", {"x": [draw.random() * 9 for _ in range(80)]})
        self.log("b.csv", {"x": [draw.random() * 5 for _ in range(80)]})
        self.corridor("profile", "fit", "a.csv", "-c", "x", "--cuts", "3,7", "-o", "a.json")
        profile = self.file("b.csv", "-c", "x", "--cuts", "3,7", "--prior", "a.json")
        self.assertEqual(profile["fit"]["prior"]["adds"], ["from_7"])
        said = self.corridor("profile", "fit", "b.csv", "-c", "x", "--cuts", "3,8", "--prior", "a.json", code=3).stderr
        self.assertEqual(said, 'corridor: invalid input: a.json: its state "3_to_7" is none of the levels of the fit\n'
                         "  fit with the cut points, columns and parts of the day of the prior\n")
        said = self.corridor("profile", "fit", "b.csv", "-c", "x", "--cuts", "2", "--prior", "a.json", code=3).stderr
        self.assertIn('a.json: has no state of the data, such as "below_2"', said)


class Influences(Logs):
    RULES = {("dry", "sure"): {"sure": 1}, ("dry", "poor"): {"sure": 0.6, "poor": 0.4}, ("wet", "sure"): {"poor": 0.7, "sure": 0.3},
             ("wet", "poor"): {"poor": 1}, ("ice", "sure"): {"poor": 0.5, "sure": 0.5}, ("ice", "poor"): {"poor": 0.8, "lost": 0.2},
             ("dry", "lost"): {"lost": 1}, ("wet", "lost"): {"lost": 1}, ("ice", "lost"): {"lost": 1}}

    def log_of_agents(self, agents, count):
        """Rows (agent, environment, state, value), and the counts."""
        draw, rows, counts = random.Random(14), [], collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(int)))
        for agent in range(agents):
            state = None
            for environment in walk(LAW, count, 15 + agent):
                law = self.RULES[environment, state] if state else {"sure": 1}
                before, state = state, draw.choices(list(law), list(law.values()))[0]
                if before:
                    counts[environment][before][state] += 1
                rows.append((f"m{agent}", environment, state, {"sure": 0.9, "poor": 0.5, "lost": 0.1}[state] + 0.05 * draw.random()))
        draw.shuffle(order := list(range(agents)))
        rows = [rows[agent * count + i] for i in range(count) for agent in order]  # as a log would have them: mixed
        self.log("log.csv", dict(zip(("machine", "road", "grip", "trust"), zip(*rows))))
        return rows, {e: {one: dict(row) for one, row in inner.items()} for e, inner in counts.items()}

    def test_what_follows_is_counted_by_the_environment(self):
        rows, counts = self.log_of_agents(5, 300)
        words = ("log.csv", "--environment", "road", "--state", "grip", "--series", "machine")
        influence = self.file(*words, "--value", "trust", "--name", "surface", command="influence")
        self.assertEqual(influence["fit"]["transition_counts"], counts)
        self.assertEqual((influence["environment"], influence["initial"]), ("surface", "sure"))
        for environment, inner in influence["influence"].items():
            rows_of = {one: row if isinstance(row, dict) else {row: 1} for one, row in inner.items()}
            self.assert_rows(rows_of, self.shares(counts[environment]))
        for state, level in influence["states"].items():
            values = [row[3] for row in rows if row[2] == state]
            self.assertAlmostEqual(level, sum(values) / len(values), places=4)
        other = json.loads(self.corridor("profile", "influence", *words, "--before", "--json").stdout)["fit"]
        naive = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(int)))
        for agent in {row[0] for row in rows}:
            own = [row for row in rows if row[0] == agent]
            for one, following in zip(own, own[1:]):
                naive[one[1]][one[2]][following[2]] += 1
        self.assertEqual(other["transition_counts"], json.loads(json.dumps(naive)))
        self.assertEqual(other["log_likelihood"], influence["fit"]["log_likelihood_of_other_order"])
        self.assertIn("without --before", " ".join(other["remarks"]))
        self.assertIn("evenly spaced", " ".join(other["remarks"]))

    def test_few_and_missing_rows_are_said(self):
        self.log("few.csv", {"e": ["a", "a", "b", "a"], "s": ["u", "v", "v", "u"]})
        said = self.corridor("profile", "influence", "few.csv", "--environment", "e", "--state", "s").stdout
        self.assertIn("Data: never seen, so agents stay as they are: u in b.\n"
                      "Data: fewer than 10 times seen: u in a (1), v in a (1), v in b (1).\n", said)
        for words, what in ((("--state", "s"), "needs --environment NAME"), (("--environment", "e"), "needs --state NAME")):
            self.assertIn(what, self.corridor("profile", "influence", "few.csv", *words, code=2).stderr)
        two = ("--environment", "e", "--environment", "s", "--state", "s")  # the first was forgotten without a word
        self.assertIn('takes one --environment; put "e" and "s" into one column, as words such as "sun low"\n',
                      self.corridor("profile", "influence", "few.csv", *two, code=2).stderr)
        said = self.corridor("profile", "influence", "few.csv", "--environment", "e", "--state", "s", "--value", "e", code=3).stderr
        self.assertIn('column "e" is fitted jointly with itself', said)
        said = self.corridor("profile", "influence", "few.csv", "--environment", "e", "--state", "s", "--cuts", "s=1", code=3).stderr
        self.assertIn('column "s" holds words, which have no quantiles and no cut points', said)

    def test_levels_of_numbers_are_states_of_both(self):
        draw = random.Random(16)
        wind, load = [draw.random() * 10 for _ in range(200)], [draw.random() for _ in range(200)]
        self.log("n.csv", {"wind": wind, "load": load})
        report = json.loads(self.corridor("profile", "influence", "n.csv", "--environment", "wind", "--state", "load", "--cuts",
                                          "wind=5", "--cuts", "load=0.5", "--json").stdout)["fit"]
        naive = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(int)))
        for i in range(1, 200):
            name = lambda x: "below_0.5" if x < 0.5 else "from_0.5"
            naive["below_5" if wind[i] < 5 else "from_5"][name(load[i - 1])][name(load[i])] += 1
        self.assertEqual(report["transition_counts"], json.loads(json.dumps(naive)))
        self.assertNotIn("evenly", " ".join(report["remarks"]))

    def test_an_experiment_takes_profile_and_influence_of_a_log(self):
        self.log_of_agents(3, 200)
        self.corridor("profile", "fit", "log.csv", "-c", "road", "--series", "machine", "-o", "road.json")
        influence = self.file("log.csv", "--environment", "road", "--state", "grip", "--series", "machine", "--value", "trust", command="influence")
        model = {**WEATHER, "environments": {"road": {"profile": str(self.folder / "road.json")}}, "types": {"truck": influence}}
        (self.folder / "model.json").write_text(json.dumps(model))
        self.run_into("r.h5", self.experiment(model="model.json", suites=1, arms=ARMS[:1]))
        chain = json.loads(self.corridor("profile", "chain", "r.h5", "--agents", "truck", "--json").stdout)["fit"]
        self.assertLessEqual(set(chain["states"]), {"sure", "poor", "lost"})


class Chains(Logs):
    def prepare(self):
        files = {"radiation": "greensboro_radiation", "wind": "wind_2010"}
        model = {**WEATHER, "environments": {name: {"profile": str(LIBRARY / f"{file}.json")} for name, file in files.items()}}
        (self.folder / "model.json").write_text(json.dumps(model))
        self.run_into("r.h5", self.experiment(model="model.json", suites=2, cases=[100, 300], arms=ARMS))
        rows = {name: self.table("r.h5", name) for name in ("suites", "sequences", "chains", "profiles", "groups", "agents", "catalog/environment",
                                                            "vectors/walk")}
        self.walk = [row["walk"] if "walk" in row else list(row.values())[-1] for row in rows["vectors/walk"]]
        return rows

    def chains(self, rows, arm):
        """(suite, sequence, chain, environment, states by number) of every chain."""
        for sequence in rows["sequences"]:
            if sequence["arm"] != arm:
                continue
            own = lambda name: [row for row in rows[name] if (row["arm"], row["suite"]) == (arm, sequence["suite"])]
            environment = {row["profile"]: row["environment"] for row in own("profiles")}
            length = sequence["cases"] + 1
            for chain in own("chains"):
                start = sequence["walk_start"] + chain["chain"] * length
                yield sequence["suite"], sequence["sequence"], chain["chain"], environment[chain["profile"]], self.walk[start:start + length]

    def test_walks_are_counted_and_follow_their_profile(self):
        rows = self.prepare()
        arm = rows["suites"][0]["arm"]
        profile = json.loads((LIBRARY / "wind_2010.json").read_text())
        names = profile["states"]
        for words, suites in (((), (0, 1)), (("--suite", "1"), (1,))):
            walks = [[names[s] for s in states] for suite, _, _, e, states in self.chains(rows, arm) if e == "wind" and suite in suites]
            self.assertTrue(walks)
            made = self.file("r.h5", "--arm", arm, "--environment", "wind", *words, command="chain")
            self.assertEqual(made["fit"]["transition_counts"], counted(walks))
            self.assertEqual(made["fit"]["segments"], len(walks))
            self.assertEqual(made["states"], [name for name in names if name in made["states"]])
            chi, degrees = 0, 0  # the law that they were drawn by
            for one, row in profile["transitions"].items():
                seen = made["fit"]["transition_counts"].get(one, {})
                n = sum(seen.values())
                self.assertLessEqual(set(seen), set(row))
                likely = {other: p for other, p in row.items() if n * p >= 5}
                chi += sum((seen.get(other, 0) - n * p) ** 2 / (n * p) for other, p in likely.items())
                degrees += max(len(likely) - 1, 0)
            self.assertLess(abs(chi - degrees), 6 * math.sqrt(2 * degrees))

    def test_agents_are_followed_along_the_walks(self):
        rows = self.prepare()
        arm = rows["suites"][0]["arm"]
        for kind, environment, profile in (("solar", "radiation", "greensboro_radiation"), ("wind", "wind", "wind_2010")):
            names, rule = json.loads((LIBRARY / f"{profile}.json").read_text())["states"], WEATHER["types"][kind]
            relevant = {name: word for word, members in rule["relevant"].items() for name in members}
            followed = []
            for suite, _, chain, e, states in self.chains(rows, arm):
                groups = {row["group"] for row in rows["groups"] if (row["arm"], row["suite"], row["chain"]) == (arm, suite, chain)}
                for agent in rows["agents"]:
                    if (agent["arm"], agent["suite"], agent["type"]) != (arm, suite, kind) or agent["group"] not in groups:
                        continue
                    self.assertEqual(e, environment)
                    state = list(rule["states"])[agent["state"]]
                    followed.append([state])
                    for word in (relevant[names[s]] for s in states[1:]):
                        row = rule["influence"].get(word, {})
                        state = row if isinstance(row, str) else row.get(state, state)
                        followed[-1].append(state)
            self.assertTrue(followed)
            fit = json.loads(self.corridor("profile", "chain", "r.h5", "--arm", arm, "--agents", kind, "--json").stdout)["fit"]
            self.assertEqual((fit["transition_counts"], fit["segments"]), (counted(followed), len(followed)))

    def test_what_is_not_there_is_named(self):
        self.prepare()
        for words, said in ((("--environment", "wnd", "--arm", "spada"), "--environment: there is no environment \"wnd\"\n  did you mean \"wind\"?"),
                            (("--agents", "wnd", "--arm", "spada"), "--agents: there is no agent type \"wnd\"\n  did you mean \"wind\"?"),
                            (("--environment", "wind"), "--arm: the file has 2 arms: name one"),
                            (("--environment", "wind", "--arm", "spada", "--suite", "7"), "--suite: arm spada has no suite 7 in this file")):
            words = ["S" if word == "spada" else word for word in words]
            self.assertIn(said.replace("spada", "S"), self.corridor("profile", "chain", "r.h5", *words, code=3).stderr)
        self.assertIn("either --environment NAME or --agents TYPE", self.corridor("profile", "chain", "r.h5", code=2).stderr)


if __name__ == "__main__":
    e2e.main()
