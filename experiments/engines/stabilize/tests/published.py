# SPDX-License-Identifier: GPL-3.0-or-later
"""The published algorithms of published/algorithms.json, each as a space in which every state and every move is written down, and what is known of it."""
import itertools
import json
import math
import pathlib
import subprocess
from fractions import Fraction

TRUTH = json.loads((pathlib.Path(__file__).parent / "published" / "algorithms.json").read_text())
DAEMONS = "central", "distributed", "synchronous"


class Row:
    """A system: `states` are tuples; rules(state, p): outcomes that process p may choose of, each a list of what may be drawn for it (of local states, or,
    with messages, of whole states); `known` by daemon."""

    def __init__(self, name, states, rules, legit, processes, known, owed=None, whole=False):
        self.name, self.states, self.rules, self.legit, self.processes, self.known = name, states, rules, legit, processes, known
        self.owed = (1 << processes) - 1 if owed is None else owed
        self.whole = whole

    def text(self):
        """As explicit_space reads it."""
        number = {state: n for n, state in enumerate(self.states)}
        lines = [f"space {len(self.states)} {self.processes} {self.owed}"]
        for state in self.states:
            moves = []
            for p in range(self.processes):
                for outcomes in self.rules(state, p):
                    ends = outcomes if self.whole else [state[:p] + (local,) + state[p + 1:] for local in outcomes]
                    moves.append(" ".join(str(w) for w in (p, len(ends), *(number[end] for end in ends))))
            lines.append(f"{int(bool(self.legit(state)))} {len(moves)} " + " ".join(moves))
        return "\n".join(lines) + "\n"


def system_of(text, size):
    scope = {}
    exec(text, scope)  # of the project's own file
    values = [TRUTH["graphs"][value] if key == "graph" else value for key, value in size.items()]
    return scope["system"](*values)


def freeze(value):
    return tuple(freeze(item) for item in value) if isinstance(value, (list, tuple)) else value


def of_messages(algorithm, result, text):
    """Actors are not processes, and move all of a state; a step that changes nothing is none. Loss is owed nothing."""
    states, step, legit = system_of(text, result["size"])
    right = system_of(algorithm["text"], result["size"])[2]
    actors = 4 if algorithm["name"] == "counter_flushing" else 2 * result["size"]["n"] + 1
    rules = lambda state, actor: [[end] for end in dict.fromkeys(map(freeze, step(state, actor))) if end != state]
    return [freeze(s) for s in states], rules, right, actors, (1 << (actors - 1)) - 1


def coins():
    """Herman's ring and that of Beauquier and others: whoever moves may draw."""
    herman, beauquier = ([a for a in TRUTH["algorithms"] if a["name"] == name][0] for name in ("herman", "beauquier"))

    def of_herman(n, draws):
        token = lambda c, p: c[p] == c[p - 1]
        rules = lambda c, p: [[0, 1] if draws else [1 - c[p]]] if token(c, p) else [[c[p - 1]]]
        return list(itertools.product((0, 1), repeat=n)), rules, lambda c: sum(token(c, p) for p in range(n)) == 1

    for result in herman["right"]:
        n = result["N"]
        known = {"chance": True, "expected_worst": result["worst_float"], "expected_mean": result["mean_float"], "closed": True}
        yield Row(f"herman N={n}", *of_herman(n, True), n, {"synchronous": known})
    for n in 5, 7:  # with one token nothing goes wrong, so of all other states there is no way back
        states, rules, legit = of_herman(n, False)
        lost = sum(not legit(c) for c in states)
        yield Row(f"herman/flips N={n}", states, rules, legit, n, {"synchronous": {"chance": False, "lost": lost}})
    for n in 4, 6:
        yield Row(f"herman/even N={n}", *of_herman(n, True), n, {"synchronous": {"chance": False, "lost": 2 ** n}})

    # The numbers of the table are those of another corridor: in its program the bits stood in a row, d of all and then p of all, so that
    # the left neighbour's p of the first process was the d of the last (published/README.md). Both are held: ours against fractions.
    def of_beauquier(n, draws, left=lambda c, p: c[p - 1][1], ends=False):
        locals_ = list(itertools.product((0, 1), repeat=2))
        legit = lambda c: sum(c[p][1] == left(c, p) for p in range(n)) == 1
        def rules(c, p):
            (d, q), (left_d, left_q) = c[p], c[p - 1]
            if d != left_d or ends and legit(c):
                return []
            return [[(1 - d, q)]] if q != left_q else [[(1 - d, q), (1 - d, 1 - q)]] if draws else [[(1 - d, 1 - q)]]
        return list(itertools.product(locals_, repeat=n)), rules, legit

    in_a_row = lambda c, p: c[p - 1][1 if p else 0]
    for result, expected in zip(beauquier["right"], (Fraction(2), Fraction(143, 12))):
        n = result["N"]
        assert result["comes_back_with_probability_1"]
        known = {"chance": True, "can_stay": 0, "expected_worst": float(expected)}
        yield Row(f"beauquier N={n}", *of_beauquier(n, True), n, {"central": {**known, "exactly": expected}, "distributed": dict(known)})
        yield Row(f"beauquier/in_a_row N={n}", *of_beauquier(n, True, in_a_row, True), n,
                  {"central": {"chance": True, "can_stay": 0, "expected_worst": result["greatest_expected_steps"], "worst_of": result["a_worst_state"]}})
    for result in beauquier["wrong"][0]["results"]:
        n = result["N"]
        assert not result["comes_back_with_probability_1"]
        yield Row(f"beauquier/no_coin N={n}", *of_beauquier(n, False), n, {"distributed": {"unfair": result["comes_back_with_probability_1"]}})
        yield Row(f"beauquier/no_coin/in_a_row N={n}", *of_beauquier(n, False, in_a_row, True), n,
                  {"central": {"unfair": False, "stays": result["states_where_an_adversary_can_stay"], "worst_of": result["one"]}})


def exact(row, known):
    """Of a ring with coins, one process at a time, without the engine: the greatest expected steps, of which that they are right is shown
    by putting fractions into the equations (all ways of a daemon lead inside, so these have one solution); else where it can stay."""
    number = {state: n for n, state in enumerate(row.states)}
    outside = [n for n, state in enumerate(row.states) if not row.legit(state)]
    acts = {n: [[number[row.states[n][:p] + (end,) + row.states[n][p + 1:]] for end in ends] for p in range(row.processes) for ends in row.rules(row.states[n], p)]
            for n in outside}
    stays = set(outside)
    while gone := {n for n in stays if not any(stays.issuperset(ends) for ends in acts[n])}:
        stays -= gone
    bits = known.get("worst_of")
    named = bits and number[tuple(zip(bits[:row.processes], bits[row.processes:]))]
    if stays:
        assert (len(stays), named in stays) == (known["stays"], True), row.name
        return
    value, change = [0.] * len(row.states), 1.
    better = lambda n, value: 1 + max(sum(value[end] for end in ends) / len(ends) for ends in acts[n])
    while change > 1e-13:
        change = 0.
        for n in outside:
            was, value[n] = value[n], better(n, value)
            change = max(change, value[n] - was)
    if "exactly" in known:
        value = [Fraction(v).limit_denominator(10 ** 5) for v in value]
        assert all(value[n] == better(n, value) for n in outside) and max(value) == known["exactly"], row.name
    else:
        assert abs(max(value) - known["expected_worst"]) < 1e-8 and abs(value[named] - max(value)) < 1e-9, row.name


def rows():
    for algorithm in TRUTH["algorithms"]:
        if "text" not in algorithm:
            continue
        variants = [("", algorithm["text"], algorithm["right"])]
        for wrong in algorithm["wrong"]:
            text = algorithm["text"]
            if "line" in wrong:
                assert wrong["line"] in text
                text = text.replace(wrong["line"], wrong["instead"], 1)
            variants.append(("/" + wrong["name"], text, wrong["results"]))
        for variant, text, results in variants:
            for result in results:
                name = f"{algorithm['name']}{variant} " + " ".join(f"{k}={v}" for k, v in result["size"].items())
                if algorithm["name"] in ("counter_flushing", "ring_messages"):
                    states, rules, legit, processes, owed = of_messages(algorithm, result, text)
                    row = Row(name, states, rules, legit, processes, {}, owed, True)
                else:
                    locals_, rule, _ = system_of(text, result["size"])
                    legit = system_of(algorithm["text"], result["size"])[2]
                    rules = lambda c, p, rule=rule: [[local] for local in dict.fromkeys(map(freeze, rule(c, p)))]
                    states = list(itertools.product(*([freeze(local) for local in of] for of in locals_)))
                    row = Row(name, states, rules, legit, len(locals_), {})
                row.known = {daemon: known_of(known) for daemon, known in result["daemons"].items()}
                if "expected_steps_central_random" in result and row.known["central"]["closed"]:
                    expected = result["expected_steps_central_random"]
                    row.known["central"] |= {"expected_worst": expected["worst"], "expected_mean": expected["mean_over_all_states"]}
                yield row
    for row in coins():
        for known in row.known.values():  # nothing is open of them: published/README.md
            known |= {"weak_open": False, "strong_open": False}
        yield row


NAMES = {"steps_enumerated": "steps", "inside": "inside", "stable": "stable", "closed": "closed", "inside_states_with_a_step_outside": "leaving",
         "deadlocks_outside": "dead_ends", "states_in_loops": "in_loops", "states_that_cannot_come_back": "lost",
         "comes_back_with_probability_1_random_daemon": "chance", "unfair": "unfair", "weakly_fair": "weak", "strongly_fair": "strong",
         "worst_steps": "worst_steps", "worst_moves": "worst_moves", "worst_states": "worst_states", "worst_rounds": "worst_rounds",
         "mean_of_worst_steps_over_all_states": "mean_steps", "shortest_loop": "shortest"}


def known_of(result):
    known = {NAMES[key]: value for key, value in result.items() if key in NAMES}
    if "shortest_loop_among_first" in result:
        known["shortest_among_first"] = known.pop("shortest")
    return known


def differences(found, known):
    """What is found otherwise than it is known."""
    for key, value in known.items():
        if key in ("exactly", "worst_of", "stays"):  # see exact()
            continue
        if key == "closed":
            mine = found["leaving"] == 0
        elif key == "shortest_among_first":
            mine = value if 0 < found["shortest"] <= value else found["shortest"]
        else:
            mine = found[key]
        if isinstance(value, float):
            if mine is None or not math.isclose(mine, value, rel_tol=0, abs_tol=1e-6):
                yield key, mine, value
        elif mine != value:
            yield key, mine, value


def ask(program, texts):
    """What the program answers to questions, [(space, [question, ..])]: a list of answers for each."""
    said = "".join(text + "".join(question + "\n" for question in questions) for text, questions in texts)
    done = subprocess.run([program], input=said, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{program} ended with {done.returncode}: {done.stderr[-500:]}")
    answers = iter(done.stdout.splitlines())
    return [[json.loads(next(answers)) for question in questions if question.startswith("ask")] for _, questions in texts]
