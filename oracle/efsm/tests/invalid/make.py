#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes this folder's models: valid.json, and what is wrong with it in the one thing that the name of a file says. The messages
beside them are written by test_efsm_invalid with COR_UPDATE_EXPECTED=1, and read before they are kept."""
import copy
import json
import pathlib

FOLDER = pathlib.Path(__file__).parent
VALID = {
    "format": "efsm-json/1", "name": "lift", "title": "A lift",
    "provenance": {"status": "synthetic", "source": "own", "notes": []},
    "vars": [{"name": "floor", "kind": "state", "lo": 0, "hi": 9, "init": 0},
             {"name": "load", "kind": "state", "lo": -5, "hi": 5, "init": 1, "irrelevant": True},
             {"name": "wanted", "kind": "param", "lo": 0, "hi": 9}, {"name": "shown", "kind": "out", "lo": 0, "hi": 9}],
    "locations": ["shut", "open"], "initial": "shut",
    "inputs": [{"label": "CALL", "params": ["wanted"]}, {"label": "PUSH", "params": []}],
    "outputs": [{"label": "AT", "params": ["shown"]}, {"label": "BELL", "params": []}],
    "transitions": [
        {"id": "go", "src": "shut", "dst": "open", "input": "CALL", "guard": "wanted != floor && wanted % 2 == 0",
         "update": {"floor": "wanted"}, "outputs": [{"label": "AT", "args": ["wanted"]}, {"label": "BELL", "args": []}]},
        {"id": "shut", "src": "open", "dst": "shut", "input": "PUSH", "guard": "true", "update": {"load": "-load"}, "outputs": []}],
    "goals": [{"name": "top", "traps": [{"id": "a", "transition": "go", "constraint": "wanted == 8"},
                                        {"id": "b", "transition": "shut", "after": ["a"]}], "expect": {"optimal": 2}},
              {"name": "twice", "ordered": True, "sequence": ["go", "shut", "go"]}, {"name": "every", "cover": "all"}]}
GONE = object()

# name: path into the model, what stands there instead
EDITS = {
    "format-missing": (["format"], GONE), "format-unknown": (["format"], "efsm-json/2"), "format-number": (["format"], 1),
    "key-unknown": (["transition"], []), "name-missing": (["name"], GONE), "name-empty": (["name"], ""),
    "name-control-character": (["name"], "a\tb"), "title-number": (["title"], 3), "provenance-key-unknown": (["provenance", "author"], ""),
    "provenance-text": (["provenance"], "own"),
    "vars-missing": (["vars"], GONE), "vars-object": (["vars"], {}), "vars-too-many": (["vars"], [
        {"name": f"v{i}", "kind": "state", "lo": 0, "hi": 1, "init": 0} for i in range(65)]),
    "var-name-missing": (["vars", 0, "name"], GONE), "var-name-twice": (["vars", 1, "name"], "floor"),
    "var-name-digit-first": (["vars", 0, "name"], "1st"), "var-name-blank": (["vars", 0, "name"], "the floor"),
    "var-name-of-language": (["vars", 0, "name"], "min"), "var-kind-missing": (["vars", 0, "kind"], GONE),
    "var-kind-unknown": (["vars", 0, "kind"], "input"), "var-low-missing": (["vars", 0, "lo"], GONE),
    "var-low-real": (["vars", 0, "lo"], 0.5), "var-high-text": (["vars", 0, "hi"], "9"),
    "var-high-too-large": (["vars", 0, "hi"], 10**13), "var-domain-empty": (["vars", 0, "hi"], -1),
    "var-initial-missing": (["vars", 0, "init"], GONE), "var-initial-outside": (["vars", 0, "init"], 10),
    "var-initial-of-parameter": (["vars", 2, "init"], 0), "var-irrelevant-number": (["vars", 1, "irrelevant"], 1),
    "var-key-unknown": (["vars", 0, "low"], 0),
    "locations-empty": (["locations"], []), "locations-text": (["locations"], "shut"), "location-twice": (["locations", 1], "shut"),
    "location-empty": (["locations", 1], ""), "location-number": (["locations", 1], 2), "initial-unknown": (["initial"], "shutt"),
    "initial-missing": (["initial"], GONE),
    "input-label-missing": (["inputs", 0, "label"], GONE), "input-label-twice": (["inputs", 1, "label"], "CALL"),
    "input-params-missing": (["inputs", 0, "params"], GONE), "input-param-unknown": (["inputs", 0, "params", 0], "want"),
    "input-param-of-state": (["inputs", 0, "params", 0], "floor"), "input-param-twice": (["inputs", 0, "params"], ["wanted", "wanted"]),
    "input-key-unknown": (["inputs", 0, "name"], ""), "output-param-of-input": (["outputs", 0, "params", 0], "wanted"),
    "transitions-empty": (["transitions"], []), "transition-id-missing": (["transitions", 0, "id"], GONE),
    "transition-id-twice": (["transitions", 1, "id"], "go"), "transition-source-unknown": (["transitions", 0, "src"], "closed"),
    "transition-target-missing": (["transitions", 0, "dst"], GONE), "transition-input-unknown": (["transitions", 0, "input"], "CALLS"),
    "transition-guard-missing": (["transitions", 0, "guard"], GONE), "transition-key-unknown": (["transitions", 0, "output"], []),
    "guard-number": (["transitions", 0, "guard"], True), "guard-no-condition": (["transitions", 0, "guard"], "floor + 1"),
    "guard-broken": (["transitions", 0, "guard"], "floor <"), "guard-name-unknown": (["transitions", 0, "guard"], "flor > 1"),
    "guard-real": (["transitions", 0, "guard"], "floor > 0.5"), "guard-reads-output": (["transitions", 0, "guard"], "shown > 1"),
    "guard-parameter-of-another": (["transitions", 1, "guard"], "wanted > 1"),
    "guard-divides-by-variable": (["transitions", 0, "guard"], "wanted % floor == 0"),
    "guard-divides-by-nothing": (["transitions", 0, "guard"], "wanted / 0 == 0"),
    "guard-divides-by-negative": (["transitions", 0, "guard"], "ceil_div(wanted, -2) == 0"),
    "guard-overflows": (["transitions", 0, "guard"], "floor * 9223372036854775807 > 0"),
    "update-list": (["transitions", 0, "update"], []), "update-unknown": (["transitions", 0, "update"], {"flor": "1"}),
    "update-of-parameter": (["transitions", 0, "update"], {"wanted": "1"}), "update-number": (["transitions", 0, "update"], {"floor": 1}),
    "update-condition": (["transitions", 0, "update"], {"floor": "floor > 1"}),
    "update-overflows": (["transitions", 0, "update"], {"floor": "9223372036854775807 + wanted"}),
    "output-unknown": (["transitions", 0, "outputs", 0, "label"], "BEL"), "output-arguments-missing": (["transitions", 0, "outputs", 0, "args"], GONE),
    "output-arguments-too-many": (["transitions", 0, "outputs", 1, "args"], ["1"]),
    "output-arguments-too-few": (["transitions", 0, "outputs", 0, "args"], []),
    "output-argument-number": (["transitions", 0, "outputs", 0, "args", 0], 1),
    "goals-object": (["goals"], {}), "goal-name-missing": (["goals", 0, "name"], GONE), "goal-name-twice": (["goals", 1, "name"], "top"),
    "goal-of-nothing": (["goals", 2, "cover"], GONE), "goal-of-two": (["goals", 2, "sequence"], ["go"]),
    "goal-key-unknown": (["goals", 0, "trap"], []), "goal-ordered-number": (["goals", 1, "ordered"], 1),
    "goal-expect-text": (["goals", 0, "expect"], "8"), "goal-optimum-negative": (["goals", 0, "expect", "optimal"], -1),
    "cover-unknown": (["goals", 2, "cover"], "transitions"), "sequence-empty": (["goals", 1, "sequence"], []),
    "sequence-unknown": (["goals", 1, "sequence", 1], "shuts"), "traps-empty": (["goals", 0, "traps"], []),
    "trap-id-missing": (["goals", 0, "traps", 0, "id"], GONE), "trap-id-twice": (["goals", 0, "traps", 1, "id"], "a"),
    "trap-transition-unknown": (["goals", 0, "traps", 0, "transition"], "stop"),
    "trap-constraint-number": (["goals", 0, "traps", 0, "constraint"], "wanted"),
    "trap-constraint-parameter-of-another": (["goals", 0, "traps", 1, "constraint"], "wanted == 8"),
    "trap-after-unknown": (["goals", 0, "traps", 1, "after", 0], "c"), "trap-after-itself": (["goals", 0, "traps", 1, "after", 0], "b"),
    "trap-after-circle": (["goals", 0, "traps", 0, "after"], ["b"]), "trap-key-unknown": (["goals", 0, "traps", 0, "when"], ""),
}


def write(name, model):
    (FOLDER / f"{name}.json").write_text(json.dumps(model, indent=1) + "\n")


write("valid", VALID)
for name, (path, value) in EDITS.items():
    model = copy.deepcopy(VALID)
    at = model
    for step in path[:-1]:
        at = at[step]
    if value is GONE:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    write(name, model)
(FOLDER / "cut-off.json").write_text(json.dumps(VALID, indent=1)[:200])
(FOLDER / "no-object.json").write_text("[]\n")
(FOLDER / "key-twice.json").write_text('{"format": "efsm-json/1", "format": "efsm-json/1"}\n')
(FOLDER / "empty.json").write_text("")
