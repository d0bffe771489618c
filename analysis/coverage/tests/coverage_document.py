# SPDX-License-Identifier: GPL-3.0-or-later
"""What `corridor coverage --json` says, arm by arm and environment by environment instead of sheet by sheet."""


def document(new):
    """The arms of the document, each with its environments and what is said of them."""
    s = {k: v.get("rows", v.get("row")) for k, v in new["sheets"].items()}
    def rows(sheet, **keys):
        return [r for r in s[sheet] if all(r[k] == v for k, v in keys.items())]
    codes = {r["arm"]: r["code"] for r in s["arms"]}
    envs = {r["environment"]: r["code"] for r in s["environments"]}
    def share(row, key):
        return {"percent": row[key + "_pct"], "n": row[key + "_n"], "covered": row[key + "_covered"], "possible": row[key + "_possible"]}
    def environment(arm, row):
        name = row["environment"]
        at = {"arm": arm, "environment": name}
        out = {k: row[k] for k in ("same_in_all_suites", "lawful", "profiles", "walks", "steps", "steps_outside")}
        if row["code"] is not None:
            out.update(name=name, code=row["code"])
        out["covered"] = {level: {r["measure"]: share(r, level) for r in rows("covered", **at)}
                          for level in ("chain", "sequence", "suite", "campaign")}
        out["unseen"] = {}
        for r in rows("unseen", **at):
            out["unseen"][r["level"]] = {"n": r["n"], "law": r["unseen_law"], "good_turing": r["unseen_good_turing"],
                **{k: r[k] for k in ("cases_law", "cases_good_turing", "transitions_unseen", "likely_unseen", "transitions_once", "transitions_unseen_chao")}}
        out["growth"] = {"cases": [], "sequences": [], "suites": []}
        for r in rows("growth", **at):
            out["growth"][r["over"]].append({"at": r["at"], "n": r["n"], "distinct": r["distinct"], "expected_n": r["expected_n"],
                **{k: r[k + "_pct"] for k in ("states", "transitions", "transition_mass", "expected_states", "expected_transitions", "observed_states", "observed_transitions")}})
        out["missed"] = []
        for r in rows("missed", **at):
            m = {"arm": codes[r["in_arm"]] if r["in_arm"] else codes[arm], "environment": envs[r["of_environment"]],
                 **{k: r[k] for k in ("from", "to", "probability", "expected", "chance")}}
            if r["suite"] is not None:
                m.update(suite=r["suite"], profile=r["profile"])
            out["missed"].append(m)
        if row["code"] is not None:
            states = rows("states", **at)
            n = len(states)
            if states and states[0]["name"] is not None:
                out["states"] = [r["name"] for r in states]
            out["visits"] = [r["visits"] for r in states]
            out["taken"] = [[0] * n for _ in range(n)]
            cells = rows("matrix", **at)
            for r in cells:
                out["taken"][r["from"]][r["to"]] = r["taken"]
            if row["same_in_all_suites"]:
                out["probability"] = [[0] * n for _ in range(n)]
                for r in cells:
                    out["probability"][r["from"]][r["to"]] = r["probability"]
                out["stationary"] = [r["stationary"] for r in states] if row["lawful"] else None
        return out
    def arm(r):
        name = r["arm"]
        out = {k: r[k] for k in ("by_profile", "suites", "sequences", "cases", "chains")}
        out["name"] = name
        if r["code"] is not None:
            out["code"] = r["code"]
        found = [environment(name, e) for e in rows("environments", arm=name)]
        out["all"] = found[0] if found else None
        out["environments"] = found[1:]
        p = rows("pairs", arm=name)[0]
        out["pairs"] = {"pairs": p["pairs"], "pairs_looked_at": p["pairs_looked_at"],
                        **{k: share(p, k) for k in ("sequence", "suite", "sequence_mass", "suite_mass")}}
        out["parameters"] = []
        for q in rows("parameters", arm=name):
            cell = {"name": q["parameter"], **{k: q[k] for k in ("n", "undefined", "whole", "main", "min", "median", "max")},
                    "bins": [b["count"] for b in rows("bins", arm=name, parameter=q["parameter"])]}
            if q["code"] is not None:
                cell["code"] = q["code"]
            out["parameters"].append(cell)
        out["parameter_pairs"] = {"pairs": r["parameter_pairs"], "cells": r["parameter_cells"], "cells_drawn": r["parameter_cells_drawn"]}
        out["probes"] = []
        for b in rows("buckets", arm=name):
            if not out["probes"] or out["probes"][-1]["name"] != b["probe"]:
                out["probes"].append({"name": b["probe"], "description": b["description"], "buckets": []})
            out["probes"][-1]["buckets"].append({k: b[k] for k in ("bucket", "count", "suites")})
        return out
    out = {"schema": new["schema"], "seed": s["summary"]["seed"], "complete": s["summary"]["complete"]}
    if s["summary"]["suite"] is not None:
        out["suite"] = s["summary"]["suite"]
    out["all"] = arm(s["arms"][0])
    out["arms"] = [arm(r) for r in s["arms"][1:]]
    return out
