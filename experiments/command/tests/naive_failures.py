# SPDX-License-Identifier: GPL-3.0-or-later
"""What fails in a result file, found from its raw tables alone: a second opinion on `corridor failures`."""
import h5py


def words_of(column):
    """Codes of a column, by its own attributes."""
    return dict(zip(column.attrs["flag_values"].tolist(), column.attrs["flag_meanings"].split()))


def rows_of(group, *columns):
    return zip(*(group[column][()].tolist() for column in columns))


def find_failures(path):
    """(keys of failing sequences with the class of their first failing case, keys of masked cases), in order."""
    with h5py.File(path, "r") as file:
        arms = {code: name.decode() for code, name in rows_of(file["catalog/arm"], "code", "name")}
        order = {code: i for i, (code,) in enumerate(rows_of(file["catalog/arm"], "code"))}
        violations, runs = file["violations"], file["reorganizations"]
        box, check, smoke = words_of(violations["box"]), words_of(violations["check"]), words_of(runs["smoke"])
        verdict = {word: code for code, word in words_of(runs["gray"]).items()}
        seen, smokes, faults = {}, {}, set()
        for *place, b, c in rows_of(violations, "arm", "suite", "sequence", "case", "box", "check"):
            if box[b] != "interim":
                seen.setdefault(tuple(place), set()).add((b, c))
        for *place, gray, black, kind, activated in rows_of(runs, "arm", "suite", "sequence", "case", "gray", "black", "smoke",
                                                            "fault_activated"):
            if verdict["smoke"] in (gray, black):
                smokes[tuple(place)] = kind
            if activated > 0:
                faults.add(tuple(place))
        first = {}
        for place in sorted(set(seen) | set(smokes), key=lambda place: (order[place[0]], *place[1:])):
            first.setdefault(place[:3], place)

        def class_of(place):
            parts = [f"{box[b]}.{check[c]}" for b, c in sorted(seen.get(place, ()))]
            parts += [f"smoke.{smoke[smokes[place]]}"] if place in smokes else []
            parts += ["fault"] if place in faults else []
            return ",".join(parts)

        def key_of(place):
            return "/".join((arms[place[0]], *map(str, place[1:])))

        # the solution and the structure are judged: that the monitor was wrong in the same case is no sight of the fault
        by_boxes = {place for place, rows in seen.items() if any(box[b] in ("gray", "black") for b, _ in rows)}
        masked = sorted(faults - by_boxes - set(smokes), key=lambda place: (order[place[0]], *place[1:]))
        return [(key_of(place), class_of(place)) for place in first.values()], [key_of(place) for place in masked]
