#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor stabilize of algorithms for structures: what it says of all starts is what replay says of each, of structures that are listed here and written as
tests by hand; each no is a file that fails again, and shrinks; SPADA and PSOPP; the same for any number of processes; and what it refuses, in so many words.

usage: test_stabilize_structures.py CORRIDOR SOURCE MODULES TRUSTS HONEST [in-full]
TRUSTS is a module that keeps a number twice and crashes if it finds another than it can have kept, HONEST one that does not look."""
import itertools
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402

LIBRARY = e2e.SOURCE / "experiments/library/any_structure.json"
EXACT = {"name": "exact", "algorithm": "exact", "parameters": {"budget": 100000}}
BLIND = ["structure partitioning", "attribute reserve: real 0 .. 100 [kW]", "trigger apart: count(organizations) >= 2",
         "invariant backup: all(o in organizations: sum(a in o.members: a.reserve) >= 4)"]
WITHIN, STAYS = 3, 20
LAST = WITHIN + STAYS - 1
LEVELS = {"solar": (0.95, 0.5), "hydro": (0.85, 0.6)}  # by the state to which state 0 and 1 of the environment lead


def partitions(agents):
    """All partitionings, each agent put into one that is there or a new one: by lists of lists, not by strings."""
    if agents == 0:
        yield []
        return
    for known in partitions(agents - 1):
        for at in range(len(known)):
            yield [block + [agents - 1] if b == at else block for b, block in enumerate(known)]
        yield known + [[agents - 1]]


def rests(value, inertia, level):
    """Where the value comes to rest on its way to the level."""
    while (more := value + inertia * (level - value)) != value:
        value = more
    return value


class Structures(e2e.Case):
    def write(self, arms, **changes):
        experiment = json.loads(LIBRARY.read_text())
        presets = {} if isinstance(arms, list) else experiment["presets"]
        if isinstance(arms, list):
            experiment["arms"] = arms
        experiment.update(presets=presets, **changes)
        (self.folder / "e.json").write_text(json.dumps({k: v for k, v in experiment.items() if v is not None}))
        return experiment

    def said(self, code, *options):
        return self.corridor("stabilize", "e.json", *options, code=code).stdout

    def sheets(self, *options, code=None):
        return json.loads(self.corridor("stabilize", "e.json", "--json", *options, code=code).stdout)["sheets"]

    def failing(self, tests):
        """Which of these fail, by replay of the files, which it is told of at once."""
        names = []
        for number, test in enumerate(tests):
            names.append(f"t{number}.json")
            (self.folder / names[-1]).write_text(json.dumps(test))
        answer = json.loads(self.corridor("replay", *names, "--json", code=None).stdout)["sheets"]["tests"]["rows"]
        return [row["class"] != "none" for row in answer]

    def starts(self, template, values):
        """The test of each start: 52 structures, four weathers, and, with values, all states and levels."""
        for sky, river in itertools.product("ab", repeat=2):
            types = [template["types"][t] for t in template["type"]]
            state = [int({"solar": sky, "hydro": river}[kind] == "b") for kind in types]
            level = [LEVELS[kind][s] for kind, s in zip(types, state)]
            # At the start all are in state 0, at its level; from there the weather leads them.
            value = [rests(LEVELS[kind][0], inertia, goal) for kind, goal, inertia in zip(types, level, template["inertia"])]
            options = [[(s, LEVELS[kind][v]) for s in (0, 1) for v in (0, 1)] for kind in types]
            for chosen in itertools.product(*options) if values else [list(zip(state, value))]:
                for blocks in partitions(template["agents"]):
                    test = dict(template, walk=[{"sky": sky, "river": river}[name] * (WITHIN + STAYS + 1) for name in self.chains],
                                initial_partition=[next(b for b, block in enumerate(blocks) if i in block) for i in range(template["agents"])],
                                initial_partitions=len(blocks), initial_state=[s for s, _ in chosen], initial_value=[v for _, v in chosen])
                    yield test

    def compare(self, arms, values=False, **changes):
        for arm in arms:
            self.write([arm], **changes)
            sheets = self.sheets("-o", "kept", "--force")
            row = sheets["stabilize"]["rows"][0]
            self.assertTrue(row["proved"], row)
            kept = self.folder / f"kept/{arm['name']}.{row['verdict']}.json"
            self.template = json.loads(kept.read_text()) if kept.exists() else self.template  # all is well: that of the arm before
            template = dict(self.template, arm=dict(self.template["arm"], name=arm["name"], algorithm=arm["algorithm"],
                                                    activation_delay=arm.get("activation_delay", 0)), module={"name": arm["algorithm"], "version": "1.0"})
            self.chains = [list(template["environments"])[p] for p in template["profile_of_chain"]]
            starts = list(self.starts(template, values))
            self.assertEqual(len(starts), row["states"])
            # How many are back within how many cases, and how many are not.
            depth = [line["states"] for line in sheets["stabilize_depth"]["rows"]]
            for k in range(1, WITHIN + 1):
                text = f"P [ always[{k - 1}, {LAST}] inside and always[{WITHIN}, {LAST}] not alarm ]"
                fails = self.failing([dict(test, property=text, expected={"class": "none", "case": 0, "hash": "0x0"}) for test in starts])
                self.assertEqual(len(fails) - sum(fails), depth[k], (arm["name"], k))
            if sum(fails) > 0 and not values:  # else they are of several kinds
                self.assertIn(f", from {sum(fails):,} of {len(fails):,} starts", row["said"])
            self.assertTrue(not values or 0 < sum(fails) < len(fails))
            runs = sheets["stabilize_agents"]["rows"]
            self.assertEqual((sum(line["starts"] for line in runs), sum(line["back"] for line in runs)), (len(fails), len(fails) - sum(fails)))

    def test_of_all_starts_what_replay_says_of_each(self):
        self.compare([{"name": "deal", "algorithm": "deal", "parameters": {"budget": 1000}}, dict(EXACT, name="late", activation_delay=4),
                      dict(EXACT, name="delayed", activation_delay=1), EXACT])

    def test_likewise_of_states_and_values(self):
        model = json.loads(LIBRARY.read_text())["model"]
        model.update(agents=3, groups={"count": 3}, parameters={"s_min": 1, "s_max": 2, "n_min": 2, "n_max": 2}, inertia=[0.1, 0.3])
        model["types"]["solar"]["count"], model["types"]["hydro"]["count"] = 2, 1
        self.compare([dict(EXACT, name="late", activation_delay=4), EXACT][0 if e2e.IN_FULL else 1:], True, model=model,
                     stabilize={"corrupt": {"structure": "any", "values": True}})

    def test_each_no_is_a_file(self):
        self.write([{"name": "deal", "algorithm": "deal", "parameters": {"budget": 1000}},
                    {"name": "random", "algorithm": "random", "parameters": {"budget": 1000}}, dict(EXACT, name="late", activation_delay=4), EXACT])
        text = self.said(1, "-o", "kept")
        self.assertIn("does not come back: 1 case is repeated for ever, outside, from 47 of 208 starts: kept/deal.loops.json", text)
        self.assertIn("comes back within 5 cases; within 3 was asked, from 72 of 208 starts: kept/late.late.json", text)
        self.assertIn("comes back and stays: from each of 208 starts within 1 case\n", text)
        self.assertIn("Proved of those that do not draw: each start was gone through, and nothing drew.", text)
        self.assertEqual(sorted(path.name for path in (self.folder / "kept").iterdir()), ["deal.loops.json", "late.late.json", "random.sampled.json"])
        for name in ("deal.loops", "late.late", "random.sampled"):
            self.corridor("replay", f"kept/{name}.json", "--expect", "failing")
            self.corridor("shrink", f"kept/{name}.json", "-o", "small.json", "--force")
            self.corridor("replay", "small.json", "--expect", "failing")
        # Mended, nothing fails.
        test = json.loads((self.folder / "kept/late.late.json").read_text())
        test["arm"]["activation_delay"] = 0
        (self.folder / "mended.json").write_text(json.dumps(test))
        self.corridor("replay", "mended.json", "--expect", "fixed")

    def test_a_corridor_whose_trigger_is_blind_sleeps(self):
        experiment = json.loads(LIBRARY.read_text())
        model = experiment["model"]
        model["attributes"] = {"reserve": {"real": [0, 100], "unit": "kW"}}
        for name, reserve in (("solar", 2), ("hydro", 6)):
            model["types"][name]["attributes"] = {"reserve": reserve}
        self.write([EXACT], model=model, corridor=BLIND)
        row = self.sheets("-o", "kept", code=1)["stabilize"]["rows"][0]
        self.assertEqual((row["verdict"], row["proved"]), ("sleeps", True))
        # Asleep are structures of two organizations or more, one of which has too little.
        test = json.loads((self.folder / "kept/exact.sleeps.json").read_text())
        reserve = [{"solar": 2, "hydro": 6}[test["types"][kind]] for kind in test["type"]]
        asleep = sum(4 for blocks in partitions(5) if len(blocks) >= 2 and any(sum(reserve[i] for i in block) < 4 for block in blocks))
        self.assertEqual(row["said"], f"does not come back: `backup` is violated, and no trigger is: nothing is ever called, from {asleep} of 208 starts")
        self.corridor("replay", "kept/exact.sleeps.json", "--expect", "failing")
        seeing = [line.replace("invariant backup", "trigger backup") for line in BLIND]
        self.write([EXACT], model=model, corridor=seeing)
        self.assertNotIn("nothing is ever called", self.said(None))

    def test_spada_and_psopp_and_their_faults(self):
        self.write(None)
        rows = {row["arm"]: row for row in self.sheets("--arm", "SPADA,SPADA-F2,PSOPP", code=1)["stabilize"]["rows"]}
        self.assertEqual([(rows[arm]["verdict"], rows[arm]["share"], rows[arm]["drawn"]) for arm in ("SPADA", "PSOPP")], [("sampled", 1, 455)] * 2)
        self.assertEqual((rows["SPADA-F2"]["verdict"], rows["SPADA-F2"]["worst_share"]), ("sampled", 0))
        self.assertLess(rows["SPADA-F2"]["share_high"], 0.99)
        self.assertFalse(any(row["proved"] for row in rows.values()))
        self.said(7, "--arm", "SPADA", "--prove")
        self.said(0, "--arm", "SPADA", "--sample")

    def test_the_same_for_any_number_of_processes(self):
        self.write(None)
        options = ("--arm", "SPADA-F2,PSOPP-F1", "--json", "--force", "-o")
        one, three = (self.corridor("stabilize", "e.json", *options, f"kept{jobs}", "-j", str(jobs), code=1).stdout for jobs in (1, 3))
        self.assertEqual(one, three)
        names = sorted(path.name for path in (self.folder / "kept1").iterdir())
        self.assertTrue(names)
        for name in names:
            self.assertEqual((self.folder / "kept1" / name).read_bytes(), (self.folder / "kept3" / name).read_bytes())

    def test_how_many_are_wrong(self):
        self.write([EXACT], stabilize={"corrupt": {"agents": 1}})
        runs = self.sheets(code=0)["stabilize_agents"]["rows"]
        self.assertEqual([line["agents"] for line in runs], [0, 1])
        self.assertEqual(runs[0]["starts"], 4)  # in each weather that structure itself

    def test_each_weather_has_starts_in_which_few_are_wrong(self):
        """Values rest next to their levels, not on them, and are right there."""
        model = dict(json.loads(LIBRARY.read_text())["model"], inertia=[0.2, 0.3])
        self.write([EXACT], model=model, stabilize={"corrupt": {"structure": "any", "values": True, "agents": 1}})
        sheets = self.sheets(code=1)
        self.assertEqual([(line["agents"], line["starts"]) for line in sheets["stabilize_agents"]["rows"]], [(0, 4), (1, 204)])
        self.assertIn("does not stay: inside after case 3, and in case 8 an alarm rings, from 8 of 208 starts", sheets["stabilize"]["rows"][0]["said"])

    def test_stays_for_ever_only_where_nothing_changes(self):
        """Of values on their way it is known up to the last case alone: with more cases, some leave."""
        model = json.loads(LIBRARY.read_text())["model"]
        model.update(agents=3, groups={"count": 3}, parameters={"s_min": 1, "s_max": 2, "n_min": 2, "n_max": 2}, inertia=[0.01, 0.02])
        model["types"]["solar"]["count"], model["types"]["hydro"]["count"] = 2, 1
        corrupt = {"structure": "any", "values": True}
        self.write([EXACT], model=model, stabilize={"corrupt": corrupt, "within": {"cases": 1}, "stays": 1})
        self.assertIn("comes back within 1 case, and stays up to case 2, from each of 1,280 starts; behind that it is open, for the state still changes\n",
                      self.said(0))
        self.write([EXACT], model=model, stabilize={"corrupt": corrupt, "within": {"cases": 1}, "stays": 200})
        self.assertIn("does not stay: inside after case 1, and in case 71 an alarm rings, from 320 of 1,280 starts", self.said(1))

    def test_what_ends_a_sequence_is_a_no_that_is_kept(self):
        """Behind it there are no cases, which violate nothing."""
        experiment = json.loads(LIBRARY.read_text())
        model = experiment["model"]
        model["attributes"] = {"reserve": {"real": [0, 100], "unit": "kW"}}
        for name, reserve in (("solar", 2), ("hydro", 6)):
            model["types"][name]["attributes"] = {"reserve": reserve}
        self.write([{"name": "random", "algorithm": "random", "parameters": {"budget": 100}}], model=model,
                   corridor=BLIND[:2] + ["trigger early: all(o in organizations: sum(a in o.members: a.reserve) >= 8)", BLIND[3]])
        self.said(1, "-o", "kept")
        self.corridor("replay", "kept/random.sampled.json", "--expect", "failing")
        self.corridor("shrink", "kept/random.sampled.json", "-o", "small.json")
        self.corridor("replay", "small.json", "--expect", "failing")

    def test_what_is_kept_may_be_anything(self):
        """A module that trusts what it kept is found by bytes that it garbled itself, and by no others; the test of that has them."""
        trusts, honest = (str(pathlib.Path(path).resolve()) for path in sys.argv[4:6])
        model = json.loads(LIBRARY.read_text())["model"]
        model.update(agents=3, groups={"count": 3}, parameters={"s_min": 1, "s_max": 2, "n_min": 2, "n_max": 2})
        model["types"]["solar"]["count"], model["types"]["hydro"]["count"] = 2, 1
        mixed = {"corrupt": {"structure": "own", "kept": "mixed"}, "within": {"cases": 40}, "stays": 3, "sample": {"share": 0.9, "error": 0.1}}
        self.write([{"name": "trusts", "algorithm": trusts}, {"name": "honest", "algorithm": honest}, EXACT], model=model, stabilize=mixed)
        text = self.said(1, "--arm", "trusts,exact", "-o", "kept", "-j", "2")
        self.assertIn("trusts: 3 agents, 1 structure, the weather in each of 4 states, kept bytes of ", text)
        self.assertIn("exact: 3 agents, 1 structure, the weather in each of 4 states: 4 starts", text)  # keeps nothing
        self.assertIn("Of each start what algorithms keep alone was corrupted; the weather stays.", text)
        self.assertEqual(text, self.said(1, "--arm", "trusts,exact", "-o", "kept", "--force", "-j", "1"))
        here = self.sheets("--arm", "honest", "--isolate", "never")
        self.assertEqual(self.sheets("--arm", "honest"), here)  # garbled alike in a cell
        self.assertRegex(self.corridor("stabilize", "e.json", "--arm", "trusts", "--isolate", "never", code=3).stderr,
                         "trusts: the algorithm did not get through its runs: a child process was ended by signal .*\n  leave out --isolate never: in a cell a crash is an outcome like others")
        ends = set()
        for row in self.sheets("--arm", "trusts", code=1)["stabilize"]["rows"]:
            self.assertRegex(row["worst_state"], "; kept: garbled, as in sequence [0-9]+$")
            self.assertEqual(row["proved"], False)
        test = json.loads((self.folder / "kept/trusts.sampled.json").read_text())
        kept = bytes(test["initial_kept"])
        self.assertEqual(len(kept), 16)
        self.assertGreaterEqual(int.from_bytes(kept[:8], "little"), 1000)
        for name, first in (("garbled", None), ("right", [7, 0, 0, 0, 0, 0, 0, 0] * 2), ("nothing", [])):
            changed = dict(test, expected={"class": "none", "case": 0, "hash": "0x0"})
            changed.pop("property")
            changed["initial_kept"] = first or changed["initial_kept"]
            if first == []:
                changed.pop("initial_kept")
            (self.folder / f"{name}.json").write_text(json.dumps(changed))
            rows = json.loads(self.corridor("replay", f"{name}.json", "--trust", "--json", code=None).stdout)["sheets"]["tests"]["rows"]
            ends.add((name, "crash" in json.dumps(rows)))
        self.assertEqual(ends, {("garbled", True), ("right", False), ("nothing", False)})
        self.corridor("replay", "kept/trusts.sampled.json", "--trust", "--expect", "failing")
        self.corridor("shrink", "kept/trusts.sampled.json", "--trust", "-o", "small.json")
        self.corridor("replay", "small.json", "--trust", "--expect", "failing")

    def test_weather_that_is_alike_for_all_who_feel_it_is_one(self):
        """Dusk is to solar plants what dark is, and others do not feel it; to one who makes something else of it, it is another."""
        for dusk, count in (("sure", 4), ("poor", 4), ("fair", 6)):
            model = json.loads(LIBRARY.read_text())["model"]
            model["environments"]["sky"]["profile"] = {"states": ["dark", "bright", "dusk"], "transitions": {"dark": {"dusk": 1}, "dusk": {"bright": 1}, "bright": {"dark": 1}}}
            model["types"]["solar"] |= {"states": {"sure": 0.95, "poor": 0.5, "fair": 0.7}, "influence": {"dark": "sure", "bright": "poor", "dusk": dusk}}
            self.write([EXACT], model=model)
            self.assertIn(f"the weather in each of {count} states", self.said(None), dusk)

    def test_weathers_set_aside_are_said(self):
        model = json.loads(LIBRARY.read_text())["model"]
        model["invariant"]["threshold"] = 0.02
        self.write([EXACT], model=model)
        self.assertIn("in each of 4 states, of which 2 are set aside: there nothing is inside: 104 starts", self.said(0))
        answer = json.loads(self.corridor("stabilize", "e.json", "--json", code=0).stdout)
        self.assertIn("exact: of 4 weathers 2 are set aside: there nothing is inside", json.dumps(answer))
        # Of 16 agents not all structures are looked at. The first ones by number have partitions that are too large.
        model["invariant"]["threshold"] = 0.2
        model.update(agents=16, groups={"count": 16}, parameters={"s_min": 1, "s_max": 4, "n_min": 2, "n_max": 8})
        model["types"]["solar"]["count"], model["types"]["hydro"]["count"] = 12, 4
        exchange = {"name": "exchange", "algorithm": "exchange"}
        self.write([exchange], model=model)
        self.assertIn("in each of 4 states: 41,920,568,588 starts", self.said(7))
        model["invariant"]["threshold"] = 0
        model["inertia"] = [0.3, 0.3]
        model["structure"] = {"size_min": 1, "size_max": 1, "count_min": 16, "count_max": 16}
        self.write([exchange], model=model)
        self.assertIn("undecided: in no weather a structure was found inside, and not all were looked at", self.said(7))

    def test_sizes(self):
        experiment = json.loads(LIBRARY.read_text())
        model = dict(experiment["model"], parameters=[{"size": [3, 40]}, {"s_min": 1, "s_max": 4, "n_min": 2, "n_max": 40}], agents="size")
        for kind in ("solar", "hydro"):
            model["types"][kind] = {k: v for k, v in model["types"][kind].items() if k != "count"}
        model["groups"] = {"count": "size"}
        self.write([EXACT], model=model)
        self.assertIn(": 4 agents, 15 structures, ", self.said(None, "--agents", "4"))
        error = self.corridor("stabilize", "e.json", "--agents", "2", code=3).stderr
        self.assertIn("--agents: arm exact: none of 200000 configurations that were drawn has 2 agents", error)
        self.assertIn("and structures of at most 25 are numbered", self.corridor("stabilize", "e.json", "--suite", "1", code=None).stderr + "".join(
            self.corridor("stabilize", "e.json", "--suite", str(suite), code=None).stderr for suite in range(2, 8)))

    def test_nothing_is_put_to_the_test(self):
        experiment = json.loads(LIBRARY.read_text())
        for threshold, text in ((0.99, "undecided: all 208 starts are inside, and nothing is put to the test"),
                                (0.0, "undecided: the corridor is empty: in no weather a structure is inside, and nothing can come back")):
            experiment["model"]["invariant"]["threshold"] = threshold
            experiment["model"]["structure"] = {"size_min": 1, "size_max": 4, "count_min": 2, "count_max": 4}
            self.write([EXACT], model=experiment["model"])
            self.assertIn(text, self.said(7))
        self.write([EXACT])
        self.assertIn("undecided: more than 100 starts; nearest is --sample, which draws some of them", self.said(7, "--states", "100"))

    def test_what_is_refused(self):
        def refused(text, arm=EXACT, **changes):
            self.write([arm], **changes)
            self.assertIn(text, self.corridor("stabilize", "e.json", code=3).stderr)
        refused('/stabilize/witin: unknown key "witin"', stabilize={"witin": 3})
        refused('/stabilize/within/steps: unknown key "steps"', stabilize={"within": {"steps": 3}})
        refused("/stabilize/within/cases: ", stabilize={"within": {"cases": 0}})
        refused("/stabilize/stays: ", stabilize={"stays": 0})
        refused("/stabilize/corrupt: corrupts nothing", stabilize={"corrupt": {"structure": "own"}})
        refused('/stabilize/corrupt/kept: unknown kept bytes "all"', stabilize={"corrupt": {"kept": "all"}})
        refused('/stabilize/corrupt/structure: unknown structure "all"', stabilize={"corrupt": {"structure": "all"}})
        refused("/stabilize/corrupt/agents: ", stabilize={"corrupt": {"agents": 26}})
        refused("/stabilize/sample/share: ", stabilize={"sample": {"share": 1}})
        refused("arm exact: its execution is continuous, and a state in mid-course is none that is gone through", execution={"continuous": {"case": 10}})
        refused("arm exact: monitors under test keep something of their own, which is not gone through", dict(EXACT, monitor={"algorithm": "exact"}),
                corridor=BLIND[:1] + ["trigger apart: all(o in organizations: count(o.members) <= 4)"])
        refused("arm exact: mechanisms beside the algorithm keep something of their own, which is not gone through",
                dict(EXACT, mechanisms=[{"mechanism": "balance"}]))
        refused("arm tree: its structures are of kind tree, which are not gone through", {"name": "tree", "algorithm": "balanced_tree"},
                model=dict(json.loads(LIBRARY.read_text())["model"], structure={"kind": "tree"}, parameters={"children_max": 2, "depth_max": 2, "limit": 1}))
        self.write([EXACT])
        self.assertIn('the experiment has no arm "exat"', self.corridor("stabilize", "e.json", "--arm", "exact,exat", code=3).stderr)
        self.assertIn("--daemon", self.corridor("stabilize", "e.json", "--daemon", "central", code=2).stderr)
        if "--daemon" in self.corridor("stabilize", "--help").stdout:  # where programs of rules are built, too
            self.assertIn("algorithms for structures", self.corridor("stabilize", "e.json", "--daemon", "central", code=2).stderr)


if __name__ == "__main__":
    e2e.main()
