#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_bookstore.py CORRIDOR SOURCE: the four agents of the bookstore under their protocol. What messages say is carried between agents that are
interpreted, modules in C and programs in Python alike; an agent that says something else is found; what cannot be is refused."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CORRIDOR, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
SYSTEMS, AGENTS = SOURCE / "experiments/library/systems", SOURCE / "experiments/library/agents"
FILE = json.loads((SYSTEMS / "bookstore.json").read_text())


def corridor(folder, *words, code=0):
    done = subprocess.run([CORRIDOR, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done


def written(folder, change=lambda file: None, **designs):
    """The file with its designs beside it, changed; those named have another agent in their place."""
    file = json.loads(json.dumps(FILE))
    file["arms"] = file["arms"][:1]
    file["system"]["protocol"] = str(SYSTEMS / "bookstore_protocol.json")
    for agent in file["system"]["agents"]:
        if "design" in agent:
            agent["design"] = json.loads((SYSTEMS / agent["design"]).resolve().read_text())
            agent.update(designs.get(agent["name"], {}))
    change(file)
    (folder / "b.json").write_text(json.dumps(file, indent=1))
    return "b.json"


def told(folder, name):
    """What each command was, and what the customer saw of notes after it."""
    done = corridor(folder, "system", "test", name, "--json", code=0)
    return [[test["verdict"], test["agents"][0]["actions"], test["agents"][0]["cycles"]] for test in json.loads(done.stdout)["tests"]]


def all_pass_but_those_with_a_fault():
    done = corridor(SYSTEMS, "system", "test", "bookstore.json", "--json", code=1)
    verdicts = {}
    for test in json.loads(done.stdout)["tests"]:
        verdicts.setdefault(test["arm"], []).append(test["verdict"])
    assert verdicts.pop("as designed") == ["pass"] * 10, verdicts
    assert set(verdicts) == {arm["name"] for arm in FILE["arms"][1:]} and len(verdicts) == 7
    assert all("fail" in found for found in verdicts.values()), verdicts
    # By hand: who counts the stock no more sells 20 and 20 of 20, 20 and 1, 1 and 20; who refuses 100 fails in its two tests.
    assert verdicts["Stock_Manager: write_dropped(Supply_from_stock)"].count("fail") == 3, verdicts
    assert verdicts["Sales_Assistant: context_relation(Take_order)"].count("fail") == 2, verdicts


def modules_and_programs_say_the_same(folder):
    """Agents that corridor new writes of the designs."""
    expected = told(folder, written(folder))
    assert [verdict for verdict, *_ in expected] == ["pass"] * 10
    for name in ("delivery_manager", "customer_relations"):
        corridor(folder, "new", "agent", str(AGENTS / f"{name}.json"), f"{name}_py", "--lang", "python")
        corridor(folder, "new", "agent", str(AGENTS / f"{name}.json"), f"{name}_c")
    programs = {agent: {"program": f"python3 {folder}/{name}_py/{name}_py.py"}
                for agent, name in (("Delivery_Manager", "delivery_manager"), ("Customer_Relations", "customer_relations"))}
    assert told(folder, written(folder, **programs)) == expected
    if not shutil.which(os.environ.get("CC", "cc")):
        return
    modules = {}
    for agent, name in (("Delivery_Manager", "delivery_manager"), ("Customer_Relations", "customer_relations")):
        subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-shared", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-I",
                        str(SOURCE / "algorithms/plugin/include"), f"{name}_c/{name}_c.c", "-o", f"{name}.so", "-lm"], cwd=folder, check=True)
        modules[agent] = {"module": f"./{name}.so"}
    assert told(folder, written(folder, **modules)) == expected


def content_that_is_not_allowed_is_found(folder):
    """Of a unit: the design's own conditions over what a message says."""
    design = json.loads((AGENTS / "delivery_manager.json").read_text())
    faults = {"version": 1, "faults": [
        {"name": "another order", "meaning": "it says the order before", "plans": {"Dispatch": {"body": [
            {"do": "Hand_over"}, {"send": "Dispatched", "args": {"OrderID": "current.OrderID - 1", "Number": "current.Number"}}]}}},
        {"name": "no reason", "meaning": "it says a reason that is not its own", "plans": {"Report_delay": {"body": [
            {"send": "Delayed", "args": {"OrderID": "current.OrderID", "Reason": "'transport'"}}]}}},
        {"name": "same", "meaning": "another way to say the same", "plans": {"Dispatch": {"body": [
            {"do": "Hand_over"}, {"send": "Dispatched", "args": {"OrderID": "current.OrderID + 0", "Number": "current.Number"}}]}}}]}
    (folder / "d.json").write_text(json.dumps(design))
    (folder / "f.json").write_text(json.dumps(faults))
    done = corridor(folder, "agent", "test", "d.json", "--faults", "f.json", "--json", code=1)
    found = [[row[key] for key in ("arm", "check", "unit", "about")] for row in json.loads(done.stdout)["sheets"]["findings"]["rows"]]
    assert found == [["another order", "content_outside", "PT(Dispatch)", "Dispatched"],
                     ["no reason", "content_outside", "PT(Report_delay)", "Delayed"]], found


PROGRAM = """import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    answer = {"id": asked["id"]}
    if "hello" in asked:
        print(json.dumps({**answer, "agent": "Customer_Relations", "version": "1", "handles": {"Tell_delivery": "Dispatched", "Apologize": "Delayed"}}), flush=True)
    elif "case" in asked:
        lines = [{"context": "Tell_delivery", "holds": True}, {"started": "Tell_delivery"}, {"sent": "Delivery_note", "by": "Tell_delivery", "args": ARGS},
                 {"ended": "Tell_delivery", "ok": True}, {"finished": "quiet"}]
        print(json.dumps({**answer, "lines": lines}), flush=True)
    else:
        break
"""


def what_cannot_be_said_is_trouble(folder):
    for args, words in (('{"OrderID": 1, "Copies": 1}', 'sent "Delivery_note": the message has no parameter "Copies"'),
                        ('{"OrderID": 1}', "Customer_Relations sent Delivery_note with a Number that its design does not have"),
                        ('{"OrderID": 1, "Number": "one"}', "Customer_Relations sent Delivery_note with a Number that its design does not have")):
        (folder / "p.py").write_text(PROGRAM.replace("ARGS", args))
        done = corridor(folder, "system", "test", written(folder, Customer_Relations={"program": f"python3 {folder}/p.py"}), "--json", "--fail-on", "nothing",
                        code=7)
        tests = json.loads(done.stdout)["tests"]
        assert any(test["verdict"] == "trouble" and words in test["why"] for test in tests), (words, done.stdout)


def bad_files_are_refused(folder):
    def other_name(file):
        file["system"]["agents"][1]["design"]["messages_out"][1]["params"][1]["name"] = "Copies"
        file["system"]["agents"][1]["design"]["plans"][1]["body"][1]["args"] = {"OrderID": "current.OrderID", "Copies": "current.Number"}

    def other_words(file):
        file["system"]["agents"][3]["design"]["types"]["Reason"] = ["stock", "weather"]

    for change, said in (
            (other_name, '"Dispatched" of "Delivery_Manager" is sent with other parameters than "Customer_Relations" has for it\n'
                         '  say the "params" of a message as those who take it do: names and types, in one order'),
            (other_words, '"Delayed" of "Delivery_Manager" is sent with other parameters than "Customer_Relations" has for it')):
        assert said in corridor(folder, "system", "check", written(folder, change), code=3).stderr, said


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        all_pass_but_those_with_a_fault()
        modules_and_programs_say_the_same(folder)
        content_that_is_not_allowed_is_found(folder)
        what_cannot_be_said_is_trouble(folder)
        bad_files_are_refused(folder)
    print("four agents, seven faults")


if __name__ == "__main__":
    main()
