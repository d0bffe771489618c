#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The worlds efsm, agents and campaign, end to end, against what a few lines of Python say."""
import copy
import json
import os
import subprocess
import sys
import tempfile
from collections import deque

CORRIDOR, LIBRARY = sys.argv[1], os.path.join(sys.argv[2], "experiments", "library")
EFSM, AGENTS = os.path.join(LIBRARY, "efsm"), os.path.join(LIBRARY, "agents")


def corridor(*words):
    return subprocess.run([CORRIDOR, *words], capture_output=True, text=True, check=False)


def write(folder, name, what):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(what, file, indent=1)  # so that no place depends on how long a path is
    return path


def tests_of(path):
    done = corridor("system", "test", path, "--json", "--fail-on", "nothing")
    assert done.stdout, done.stderr
    return json.loads(done.stdout)["tests"]


# ---- models, walked through by hand

def value(text, variables):
    return eval(text.replace("&&", " and ").replace("||", " or ").replace("true", "True"), {}, variables)


def moves(model, place, state):
    """What can be given in a state, and what comes of it: (label, parameters), transition, place, state."""
    variables = {v["name"]: v for v in model["vars"]}
    for input_ in model["inputs"]:
        combinations = [{}]
        for p in input_["params"]:
            combinations = [dict(c, **{p: n}) for c in combinations
                            for n in range(variables[p]["lo"], variables[p]["hi"] + 1)]
        for given in combinations:
            for t in model["transitions"]:
                if t["src"] != place or t["input"] != input_["label"] or not value(t["guard"], {**state, **given}):
                    continue
                after = dict(state, **{n: value(e, {**state, **given}) for n, e in t["update"].items()})
                if all(variables[n]["lo"] <= after[n] <= variables[n]["hi"] for n in after):
                    yield (input_["label"], given), t, t["dst"], after


def distances(model):
    start = {v["name"]: v["init"] for v in model["vars"] if v["kind"] == "state"}
    key = (model["initial"], tuple(sorted(start.items())))
    found, queue = {key: 0}, deque([key])
    while queue:
        place, state = queue.popleft()
        for _, _, there, after in moves(model, place, dict(state)):
            then = (there, tuple(sorted(after.items())))
            if then not in found:
                found[then] = found[(place, state)] + 1
                queue.append(then)
    return found


def plans_are_as_short_as_a_search_by_hand(folder):
    path = os.path.join(EFSM, "inres_initiator.json")
    with open(path, encoding="utf-8") as file:
        model = json.load(file)
    found = distances(model)
    wanted = {}
    for (place, state), length in found.items():
        text = f"system.location = '{place}' and system.counter = {dict(state)['counter']} and system.number = {dict(state)['number']}"
        wanted[text] = min(length, wanted.get(text, length))
    for output in model["outputs"]:
        for place in model["locations"]:
            wanted[f"[{output['label']}].said and system.location = '{place}'"] = min(
                (length + 1 for (here, state), length in found.items() for _, t, there, _ in moves(model, here, dict(state))
                 if there == place and any(o["label"] == output["label"] for o in t["outputs"])), default=None)
    what = {"system": {"efsm": path},
            "tests": [{"name": text, "cycles": 100, "agents": [{"name": "t", "goal": {"plan": text}}]}
                      for text in wanted]}
    for test in tests_of(write(folder, "plans.json", what)):
        length = wanted[test["name"]]
        actions = [a for a in test["agents"][0]["actions"] if a["do"] != "look"]
        if length is None:
            assert test["verdict"] == "unreachable", test
        else:
            assert test["verdict"] == "pass" and len(actions) == length, (test, length)
    assert None in wanted.values()
    return len(wanted)


def a_mutant_is_seen_by_the_model_beside_it(folder):
    path = os.path.join(EFSM, "inres_initiator.json")
    with open(path, encoding="utf-8") as file:
        model = json.load(file)
    give = [{"do": i["label"], **{p: n for p in i["params"]}} for i in model["inputs"] for n in (0, 1)]
    mutants = ["t0.missing", "t1.target.sending", "t4.output.DT.dropped", "t0.update.counter.dropped",
               "t2.guard.negated", "t11.output.IDISind.dropped"]
    goal = {"goal": "system.quiet and not system.quiet", "tactic": {"any_of": [{"action": g} for g in give]}}
    what = {"system": {"efsm": path, "sees": "outputs"}, "seed": "0x5", "runs": 5,
            "tests": [{"name": "at random", "cycles": 60, "agents": [{"name": "t", "policy": "random", "goal": goal}]}],
            "arms": [{"name": "as it is"}] + [{"name": m, "mutant": m} for m in mutants]}
    killed = {}
    for test in tests_of(write(folder, "mutants.json", what)):
        killed.setdefault(test["arm"], []).append("model \"inres_initiator\"" in test["why"])
    assert not any(killed["as it is"]), killed
    for mutant in ("t0.missing", "t1.target.sending", "t4.output.DT.dropped", "t11.output.IDISind.dropped"):
        assert any(killed[mutant]), (mutant, killed)


# ---- a Delivery Manager that is mocked

def stock(orders, written=True):
    """Does each answer say what a stock of 20 allows? The index of the first that does not."""
    level, believed = 20, 20
    for index, order in enumerate(orders):
        available = order <= believed
        if available != (order <= level):
            return index
        if available:
            level -= order
            believed -= order if written else 0
    return None


def a_fault_of_the_protocol_is_found_by_the_fewest_messages():
    found = {}
    for test in tests_of(os.path.join(LIBRARY, "systems", "stock_manager.json")):
        orders = [a["NumberOrdered"] for a in test["agents"][0]["actions"] if a["do"] == "Book_required"]
        named = {k: int(n) for k, n in (x.split(" = ") for x in test["name"].split("[")[1][:-1].split(", "))}
        wanted = [named["first"]] + ([named["second"]] if test["name"].startswith("two") else [])
        assert orders == wanted[:len(orders)], test
        if test["arm"] == "as designed":
            assert test["verdict"] == "pass" and stock(wanted) is None, test
        if test["arm"] == "stock not written":
            index = stock(wanted, written=False)
            assert (test["verdict"] == "fail") == (index is not None), test
            if index is not None:
                assert "Book_available came after Book_required(1, %d, false)" % wanted[index] in test["why"], test
                found.setdefault(index + 1, []).append(wanted)
    assert min(found) == 2, found  # one order alone shows nothing; two do


# ---- a campaign

def a_walk_is_kept_and_replayed_with_equal_rows(folder):
    path = os.path.join(LIBRARY, "systems", "psopp_f5.json")
    assert all(test["verdict"] == "pass" for test in tests_of(path))
    kept = os.path.join(folder, "walk.json")
    for run in ("7",):
        result = os.path.join(folder, "walks.h5")
        done = corridor("run", path, "-o", result, "--force", "--progress", "none")
        assert done.returncode == 0, done.stderr
        entries = len({test["name"] for test in tests_of(path)})
        arm = tests_of(path)[0]["arm"]
        done = corridor("replay", result, "--failure", "%s/%d" % (arm, int(run) * entries), "--inner", "-fo", kept)
        assert done.returncode == 0, done.stderr
        done = corridor("replay", result, "--failure", arm + "/0", "--inner", "-o", kept)
        assert done.returncode == 4 and "exists already" in done.stderr, done.stderr
        done = corridor("replay", result, "--failure", arm + "/999999", "--inner", "-fo", kept)
        assert done.returncode == 3 and "there is no test %s/999999" % arm in done.stderr, done.stderr
        done = corridor("replay", kept, "--json")
        with open(kept, encoding="utf-8") as file:
            assert json.load(file)["expected"]["class"].startswith("gray."), kept
        assert done.returncode == 0 and "\"different\": 0" in done.stdout, done.stdout + done.stderr


# ---- files that cannot be meant

VALID_EFSM = {"system": {"efsm": os.path.join(EFSM, "inres_initiator.json")},
              "tests": [{"name": "t", "agents": [{"name": "t", "goal": {"do": "ICONreq"}}]}]}
VALID_AGENTS = {"system": {"agents": [{"name": "Stock_Manager", "design": os.path.join(AGENTS, "stock_manager.json"),
                                       "faults": os.path.join(AGENTS, "stock_manager_faults.json")},
                                      {"name": "Delivery_Manager", "mock": True}],
                           "protocol": os.path.join(LIBRARY, "systems", "stock_protocol.json")},
                "tests": [{"name": "t", "agents": [{"name": "Delivery_Manager", "goal": "success"}]}]}
VALID_CAMPAIGN = {"system": {"campaign": os.path.join(LIBRARY, "demo.json"), "arm": "PSOPP-F5"},
                  "tests": [{"name": "t", "agents": [{"name": "t", "goal": "success"}]}]}


def changed(valid, change):
    what = copy.deepcopy(valid)
    change(what)
    return what


def system(**members):
    return lambda what: what["system"].update(members)


def agent(number, **members):
    return lambda what: what["system"]["agents"][number].update(members)


def protocol(change):
    def apply(what):
        with open(what["system"]["protocol"], encoding="utf-8") as file:
            what["system"]["protocol"] = changed(json.load(file), change)
    return apply


def design(change):
    def apply(what):
        with open(what["system"]["agents"][0]["design"], encoding="utf-8") as file:
            what["system"]["agents"][0]["design"] = changed(json.load(file), change)
        del what["system"]["protocol"], what["system"]["agents"][0]["faults"]
    return apply


def rename_input(what):
    with open(what["system"]["efsm"], encoding="utf-8") as file:
        what["system"]["efsm"] = json.loads(file.read().replace("\"CC\"", "\"wait\""))


BAD = [
    (VALID_EFSM, system(sees="all")),
    (VALID_EFSM, system(rivals="fare")),
    (VALID_EFSM, system(rivals="adversary")),
    (VALID_EFSM, system(rivals="frequencies")),
    (VALID_EFSM, system(rivals={"frequencies": {"t99": 1}})),
    (VALID_EFSM, system(goal="all-transitions")),
    (VALID_EFSM, system(efsm="nowhere.json")),
    (VALID_EFSM, rename_input),
    (VALID_EFSM, lambda what: what.update(arms=[{"name": "a", "mutant": "t0.mising"}])),
    (VALID_EFSM, lambda what: what["tests"][0]["agents"][0].update(goal={"plan": "system.quiet"})),
    (VALID_EFSM, lambda what: what.update(model=os.path.join(EFSM, "counter3.json"))),
    (VALID_AGENTS, agent(0, fault="M99")),
    (VALID_AGENTS, agent(1, design=os.path.join(AGENTS, "stock_manager.json"))),
    (VALID_AGENTS, agent(1, name="Delivery")),
    (VALID_AGENTS, agent(1, sends=["Book_requird"])),
    (VALID_AGENTS, agent(0, sends=["Book_required"])),
    (VALID_AGENTS, agent(0, name="Delivery_Manager")),
    (VALID_AGENTS, agent(0, module="a.so", program="b")),
    (VALID_AGENTS, agent(0, design=os.path.join(AGENTS, "book_shelf.json"), faults=os.path.join(AGENTS, "book_shelf_faults.json"))),
    (VALID_AGENTS, system(agents=[{"name": "tester", "mock": True}])),
    (VALID_AGENTS, system(agents=[{"name": "S", "design": os.path.join(AGENTS, "stock_manager.json")}])),
    (VALID_AGENTS, system(agents=[{"name": "S"}])),
    (VALID_AGENTS, system(order="any")),
    (VALID_AGENTS, lambda what: what["system"]["agents"].append({"name": "Shop", "mock": True})),
    (VALID_AGENTS, lambda what: what["tests"][0]["agents"][0].update(name="Deliverer")),
    (VALID_AGENTS, protocol(lambda p: p["inputs"][2].update(label="Book_avail") or p["transitions"][1].update(input="Book_avail"))),
    (VALID_AGENTS, protocol(lambda p: p["vars"][2].update(name="Ordered") or p["inputs"][0].update(params=["Ordered"]) or p["transitions"][0]["update"].update(ordered="Ordered"))),
    (VALID_AGENTS, protocol(lambda p: p["outputs"].append({"label": "ok", "params": []}))),
    (VALID_AGENTS, design(lambda d: d["messages_out"][0].update(to="Stock_Manager"))),
    (VALID_AGENTS, lambda what: what.update(arms=[{"name": "a", "mutant": "Stock_Manager: M99"}])),
    (VALID_CAMPAIGN, system(arm="F5")),
    (VALID_CAMPAIGN, system(suite=20)),
    (VALID_CAMPAIGN, system(campaign=os.path.join(LIBRARY, "systems", "inres.json"))),
    (VALID_CAMPAIGN, system(campaign=os.path.join(LIBRARY, "traps.json"), arm="rare")),
    (VALID_CAMPAIGN, lambda what: what.update(runs=11)),
    (VALID_CAMPAIGN, lambda what: what["tests"][0]["agents"][0].update(goal={"do": {"do": "set", "chain": "c99", "state": "calm"}})),
    (VALID_CAMPAIGN, lambda what: what.update(arms=[{"name": "a", "mutant": "M"}])),
]


def bad_files_are_refused_in_so_many_words(folder):
    with open(os.path.join(os.path.dirname(__file__), "worlds_messages.txt"), encoding="utf-8") as file:
        expected = file.read()
    said = ""
    for valid in (VALID_EFSM, VALID_AGENTS, VALID_CAMPAIGN):
        done = corridor("system", "check", write(folder, "file.json", valid))
        assert done.returncode in (0, 1), done.stderr
    for valid, change in BAD:
        done = corridor("system", "check", write(folder, "file.json", changed(valid, change)))
        assert done.returncode in (2, 3, 4), (done.returncode, done.stderr, change)
        said += done.stderr.replace(folder + "/", "").replace(LIBRARY + "/", "LIBRARY/")
    if "--write" in sys.argv:
        with open(os.path.join(os.path.dirname(__file__), "worlds_messages.txt"), "w", encoding="utf-8") as file:
            file.write(said)
    else:
        assert said == expected, said


def main():
    with tempfile.TemporaryDirectory() as folder:
        plans = plans_are_as_short_as_a_search_by_hand(folder)
        a_mutant_is_seen_by_the_model_beside_it(folder)
        a_fault_of_the_protocol_is_found_by_the_fewest_messages()
        a_walk_is_kept_and_replayed_with_equal_rows(folder)
        bad_files_are_refused_in_so_many_words(folder)
    print(f"{plans} plans, {len(BAD)} bad files")


if __name__ == "__main__":
    main()
