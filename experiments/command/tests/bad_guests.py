# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of bad guests share: what each guest does, what it is to be found to do, and a campaign around one of them.

A campaign has three arms: a sound one, the guest, and a sound one behind it. The guest is told once without harm in each
sequence, then it misbehaves. Held against the same campaign with the guest behaving: all rows of the sound arms, and those
of the guest before its misdeed, bit for bit. And nothing may be left that was not there before: files, processes, shared
memory, output."""
import ctypes
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import h5py
import numpy

TABLES = ("suites", "parameters", "agents", "groups", "chains", "profiles", "visits", "transitions", "sequences", "cases",
          "reorganizations", "failures", "violations", "counters")
MODEL = {"corridor_model": 1, "agents": 12, "structure": {"size_min": 2, "size_max": 6, "count_min": 2, "count_max": 6},
         "groups": {"count": 3}, "environments": {"weather": {"random": {"states": 4}}},
         "types": {"agent": {"level": [0.2, 1.0]}}, "invariant": {"threshold": 0.02}}
ELSEWHERE = ("/tmp", "/var/tmp", "/dev/shm")
MARK = "guest-was-here"
SHARED_MEMORY_KEY = 0x67756573

# fault: verdict. "passed" where the misdeed must have no effect at all.
ENDINGS = {
    "segfaults": "crashed", "reads_null": "crashed", "calls_null": "crashed", "writes_to_code": "crashed", "recurses": "crashed",
    "aborts": "crashed", "traps": "crashed", "divides_by_zero": "crashed", "reads_behind_a_file": "crashed",
    "raises_signal": "crashed", "ignores_segfaults": "crashed", "kills_itself": "crashed", "kills_its_group": "crashed",
    "is_rung": "crashed", "throws": "crashed", "jumps_out": "crashed",
    "exits": "exited", "exits_with_3": "exited", "exits_with_127": "exited", "exits_quickly": "exited",
    "exits_in_a_thread": "exited", "ends_its_thread": "exited", "becomes_another": "crashed",
    "spins": "hung", "spins_deaf": "hung", "sleeps": "hung", "waits_on_a_pipe": "hung", "deadlocks": "hung", "stops": "hung",
    "dawdles": "overdue"}
FAMILIES = {
    "forks_without_end": "hung", "leaves_a_child": "leaked", "leaves_a_daemon": "leaked", "child_answers_too": "leaked",
    "child_crashes": "passed", "exits_behind_a_child": "exited", "leaves_threads": "leaked", "scribbles_late": "leaked|flaky leaked|flaky",
    "kills_its_parent": "passed", "stops_its_parent": "passed", "floods_its_parent": "passed", "kills_all": "passed",
    "kills_low_numbers": "passed", "traces_its_parent": "crashed", "writes_into_its_parent": "crashed",
    "pushes_in_front": "passed"}
MEMORIES = {
    "writes_values": "crashed", "writes_the_task": "agent_missing", "writes_the_rules": "passed", "writes_members": "crashed",
    "writes_before_members": "crashed", "writes_behind_members": "crashed", "writes_the_parameters": "crashed",
    "unlocks_the_task": "passed", "writes_through_proc": "passed", "frees_host_memory": "crashed", "frees_twice": "crashed",
    "ruins_the_heap": "crashed", "overwrites_the_host": "crashed", "overwrites_the_session": "crashed",
    "counts_wildly": "crashed", "counts_behind": "crashed", "scribbles": "crashed", "unmaps_shared_memory": "crashed",
    "truncates_shared_memory": "passed", "allocates_without_end": "passed", "dies_of_hunger": "memory",
    "maps_hugely": "passed", "asks_the_host_for_all": "memory", "asks_for_2_to_the_60": "memory",
    "asks_for_all_there_is": "memory", "resizes_a_stranger": "memory", "fills_memory_files": "passed", "keeps_hugely": "passed"}
WORLDS = {name: "passed" for name in (
    "changes_folder", "changes_umask", "changes_locale", "changes_environment", "rounds_down", "flushes_to_zero", "traps_floats",
    "blocks_signals", "seeds_rand", "creates_files", "deletes_files", "overwrites_files", "overwrites_itself", "fills_the_disk",
    "opens_without_end", "closes_descriptors", "speaks_on_descriptors", "reads_descriptors", "prints_a_gigabyte", "prints_errors",
    "prints_results", "writes_to_the_terminal", "opens_sockets", "shares_memory")}
WORLDS.update({name: "crashed" for name in ("changes_root", "mounts", "unshares")})  # the kernel ends who tries
ANSWERS = {
    "misses_an_agent": "agent_missing", "repeats_an_agent": "agent_repeated", "invents_an_agent": "agent_unknown",
    "invents_agent_2_to_the_32": "agent_missing agent_unknown", "puts_an_empty_block": "partition_empty",
    "puts_nothing": "agent_missing", "puts_a_null_block": "crashed", "puts_2_to_the_60": "overflow", "puts_minus_1": "overflow",
    "puts_a_million": "overflow", "puts_without_a_look": "overflow", "puts_half": "crashed",
    "returns_77": "complained", "returns_minus_77": "complained", "returns_continue": "passed", "complains": "complained",
    "complains_of_nothing": "complained", "complains_at_length": "complained", "complains_in_bytes": "complained",
    "complains_by_null": "complained", "speaks_out_of_turn": "passed", "relies_on_no_cost": "passed",
    "asks_a_null_cost": "crashed", "spends_all": "passed", "pretends_faults": "passed", "draws_without_end": "passed",
    # A campaign asks one in a hundred again, and whatever failed; "corridor check" asks all again.
    "deals_by_the_clock": "passed", "deals_by_chance": "passed", "deals_by_an_address": "passed", "deals_by_its_number": "passed",
    "remembers": "passed", "crashes_the_third_time": "leaked", "misses_more_each_time": "leaked",
    "moves_more_astray_each_time": "leaked"}
GOSSIP = {
    "crashes_in_a_turn": "crashed", "sends_null": "crashed", "sends_2_to_the_31": "memory", "mails_without_end": "memory",
    "draws_from_the_host": "complained", "asks_for_agents": "passed", "sends_to_nobody": "passed", "never_rests": "passed",
    "adopts_in_a_turn": "passed"}
# Of strict arms. What lies beside the state is the agent's own there, and counters are 0: nothing is to be seen.
PEEKS = {"reads_the_state_before": "passed", "writes_the_state_behind": "passed", "writes_its_values": "passed", "counts_to_tell": "passed",
         "reads_the_agent_before": "crashed peeked",  # what it takes for an agent depends on the order that was drawn
         **{name: "peeked" for name in (
             "reads_the_values_before", "reads_the_values_behind", "writes_the_rules", "remembers_the_task",
             "remembers_an_agent", "writes_on_a_blackboard", "reads_old_mail")}}
PROGRAM = {
    "raises": "exited", "exits": "exited", "exits_with_3": "exited", "segfaults": "crashed", "kills_itself": "crashed",
    "sleeps": "overdue", "spins": "hung", "stops": "overdue", "ignores_sigterm": "overdue", "trickles": "overdue", "floods": "garbled",
    "says_a_gigabyte": "garbled", "says_half_a_line_and_sleeps": "overdue", "writes_64_mb_of_errors": "passed", "complains": "complained",
    "complains_in_bytes": "garbled", "closes_its_output": "garbled", "closes_all": "garbled", "leaves_a_child": "passed",
    "leaves_a_daemon": "passed", "forks_without_end": "overdue", "kills_its_parent": "passed", "stops_its_parent": "passed",
    "kills_all": "passed", "writes_files": "passed", "connects": "passed", "eats_memory": "memory", "becomes_another": "exited",
    "misses_an_agent": "agent_missing", "repeats_an_agent": "agent_repeated", "invents_an_agent": "agent_unknown",
    "puts_an_empty_block": "partition_empty", "puts_a_million_members": "overflow", "deals_by_the_clock": "passed",
    "deals_by_chance": "passed", "remembers": "passed", "misses_more_each_time": "leaked", "answers_twice": "garbled", "answers_before_it_is_asked": "garbled",
    "goes_on_speaking": "garbled", "exits_after_the_answer": "leaked", "answers_byte_by_byte": "passed", "answers_in_a_child": "passed",
    **{name: "garbled" for name in (
        "says_no_json", "says_an_array", "says_an_empty_line", "says_bytes", "says_a_null_byte", "says_bad_utf_8", "nests_deeply",
        "nests_deeply_inside", "says_a_key_twice", "says_half_a_line", "says_a_huge_number", "says_minus_1", "says_a_half",
        "says_a_word", "says_no_blocks", "says_an_unknown_key", "says_nan", "takes_a_wrong_id", "takes_an_old_id", "takes_no_id",
        "takes_a_word_for_an_id", "spends_less_than_nothing", "keeps_too_much", "counts_what_it_does_not_declare")}}
DEEDS = {"guest": {**ENDINGS, **FAMILIES, **MEMORIES, **WORLDS, **ANSWERS}, "gossip": {**GOSSIP, **PEEKS}, "program": PROGRAM}


def every_third(deeds, *others):
    """Of those with one verdict, beginning with the first; and the others that are named."""
    verdicts = list(deeds.values())
    return {deed: verdict for number, (deed, verdict) in enumerate(deeds.items())
            if verdicts[:number].count(verdict) % 3 == 0 or deed in others}


# What make check tries: all that reach for what is not theirs, and of endings, answers and programs, which are told in few ways, every third.
# No other test of make check has a guest that exits with a code above 1.
SOME = {"guest": {**every_third(ENDINGS, "exits_with_3"), **FAMILIES, **MEMORIES, **WORLDS, **every_third(ANSWERS)},
        "gossip": {**every_third(GOSSIP), **PEEKS}, "program": every_third(PROGRAM)}

# A few that a build under sanitizers is tested with too.
FEW = ("segfaults", "exits", "spins", "leaves_a_daemon", "writes_values", "asks_for_2_to_the_60", "closes_descriptors",
              "misses_an_agent", "deals_by_the_clock", "crashes_in_a_turn")


def guest_of(module, expected):
    """Its arm, behaving. Deadlines are short for those who are expected never to come back, so that they are given up soon;
    far away for all others, so that a slow disk or a machine that stands still for a while is not taken for them."""
    never = expected in ("hung", "overdue")
    limits = {"cpu_seconds": 0.5 if expected == "hung" else 0.2 if never else 20, "answer_seconds": 2 if never else 300, "memory_bytes": 16 << 20}
    if module == "program":
        if expected == "hung":
            limits["answer_seconds"] = 300  # it computes, and on a loaded machine it takes its time to have computed for so long
        return {"algorithm": "./guest.py", **limits}
    return {"algorithm": f"./{module}.so", **limits, **({"parameters": {"after": 1}} if module == "guest" else {"strict": True, "parameters": {"budget": 50}})}


def adopt_orphans():
    """Processes that lose their parent become children of this one, so that none can hide."""
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants():
    """Of this process, living ones; the dead are buried."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        pass
    found, left = [], [os.getpid()]
    while left:
        for task in pathlib.Path(f"/proc/{left.pop()}/task").glob("*/children"):
            try:
                children = [int(child) for child in task.read_text().split()]
            except OSError:
                continue
            found += children
            left += children
    return found


def orphans(known=()):
    """Whoever of our descendants, but those known, is alive well after the campaign ended. They are ended here."""
    end = time.monotonic() + 60
    while set(descendants()) - set(known) and time.monotonic() < end:
        time.sleep(0.01)
    left = [(pid, pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()) for pid in set(descendants()) - set(known)]
    for pid, _ in left:
        os.kill(pid, signal.SIGKILL)
    return left


def left_elsewhere():
    """Files and shared memory that guests leave behind if they can."""
    found = [path for place in ELSEWHERE for path in pathlib.Path(place).glob(MARK + "*")]
    with open("/proc/sysvipc/shm", encoding="ascii") as segments:
        found += [line for line in segments if line.split()[0] == str(SHARED_MEMORY_KEY)]
    return found


class Campaign:
    """A campaign around one guest, in a folder of its own."""

    def __init__(self, binary, modules, known=()):
        """`known`: processes of ours that are no orphans."""
        self.binary, self.modules, self.known = binary, pathlib.Path(modules), known
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="corridor-guests-"))
        self.home = self.folder / "home"
        self.home.mkdir()

    def close(self):
        shutil.rmtree(self.folder)

    def arms(self, guest):
        return [{"name": "before", "algorithm": "spada", "parameters": {"budget": 500}}, {"name": "guest", **guest},
                {"name": "behind", "algorithm": "psopp", "parameters": {"budget": 200}}]

    def run(self, guest, jobs=1, **changes):
        """Runs a campaign with this arm as the guest; what can be seen afterwards."""
        place = self.home / "campaign"
        place.mkdir()
        (place / "canary").write_text("alive\n")
        content = {"corridor_experiment": 1, "name": "guests", "seed": "0x7", "suites": 1, "sequences": 2, "cases": 5,
                   "model": MODEL, "arms": self.arms(guest), **changes}
        (place / "guests.json").write_text(json.dumps(content))
        for module in {guest["algorithm"]} - {"random"}:
            path = self.modules / module
            if not path.exists():
                path = pathlib.Path(__file__).parent / "guests" / module
            shutil.copy(path, place)
        before = self.listing(place)
        with open(self.folder / "stdout", "w+b") as out, open(self.folder / "stderr", "w+b") as err:
            process = subprocess.Popen([self.binary, "run", "guests.json", "-o", "out.h5", "--jobs", str(jobs), "--json",
                                        "--progress", "none"], cwd=place, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       start_new_session=True, umask=0o022)
            code = process.wait()
            out.seek(0)
            err.seek(0)
            seen = Seen(code, out.read(1 << 20), err.read(1 << 20))
        seen.orphans = orphans(self.known)
        seen.elsewhere = left_elsewhere()
        after = self.listing(place)
        seen.changed = {name for name in before if after.get(name) != before[name]}
        seen.new = set(after) - set(before)
        if code == 0 and (place / "out.h5").exists():
            seen.mode = (place / "out.h5").stat().st_mode & 0o777
            seen.read(place / "out.h5")
        shutil.rmtree(place)
        for path in seen.elsewhere:
            if isinstance(path, pathlib.Path):
                path.unlink()
        return seen

    @staticmethod
    def listing(place):
        """Name: what a file is and holds."""
        found = {}
        for path in place.iterdir():
            status = path.lstat()
            is_file = path.is_file() and not path.is_symlink() and path.suffix != ".h5"
            found[path.name] = (oct(status.st_mode), hashlib.sha256(path.read_bytes()).hexdigest() if is_file else None)
        return found


class Seen:
    """What a campaign left: exit code, output, rows by arm and table."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err
        try:
            self.out = {key: value for key, value in json.loads(out).items() if key != "wall_s"}
        except ValueError:
            pass
        self.rows, self.mode = {}, None

    def read(self, path):
        with h5py.File(path) as file:
            for table in TABLES:
                columns = {name: file[table][name][()] for name in sorted(file[table])} if table in file else {}
                if "arm" in columns:
                    for arm in range(3):
                        here = columns["arm"] == arm
                        self.rows[arm, table] = {name: column[here] for name, column in columns.items()
                                                 if len(column) == len(here)}
            smoke = file["reorganizations/smoke"].attrs
            self.smokes = dict(zip(smoke["flag_values"].tolist(), smoke["flag_meanings"].split()))
            check = file["violations/check"].attrs
            self.checks = dict(zip(check["flag_values"].tolist(), check["flag_meanings"].split()))

    def verdict(self):
        """Of the guest's arm, in one word or more: the smoke, else the checks that failed, else passed."""
        smokes = {self.smokes[code] for code in self.rows[1, "reorganizations"]["smoke"].tolist()} - {"none"}
        checks = {self.checks[code] for code in self.rows[1, "violations"]["check"].tolist()}
        return " ".join(sorted(smokes or checks)) or "passed"

    def sound_rows(self):
        """All rows of the sound arms."""
        return {key: rows for key, rows in self.rows.items() if key[0] != 1}

    def first_rows(self):
        """Those of the guest's reorganizations that are the first of their sequence."""
        rows = self.rows[1, "reorganizations"]
        first = [i for i, sequence in enumerate(rows["sequence"]) if i == 0 or sequence != rows["sequence"][i - 1]]
        return {name: column[first] for name, column in rows.items()}


def same(a, b):
    """Two trees of dictionaries with arrays: equal, bit for bit?"""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return a.dtype == b.dtype and a.tobytes() == b.tobytes() if a.dtype != object else numpy.array_equal(a, b)


def complaints(seen, quiet, expected, is_late):
    """What is wrong with a campaign, held against the quiet one; nothing is an empty list. `is_late`: the guest behaved at first."""
    found = []
    if seen.orphans:
        found.append(f"processes are left: {seen.orphans}")
    if seen.elsewhere:
        found.append(f"left elsewhere: {seen.elsewhere}")
    if seen.changed:
        found.append(f"files were changed: {sorted(seen.changed)}")
    if seen.new != quiet.new:
        found.append(f"files: {sorted(seen.new)}, not {sorted(quiet.new)}")
    if seen.code != 0 or not seen.rows:
        return [*found, f"the campaign is lost: exit code {seen.code}: {seen.err[-400:]!r}"]
    if seen.err != quiet.err or not isinstance(seen.out, dict) or seen.out.keys() != quiet.out.keys():
        found.append(f"it says {str(seen.out)[:400]} {seen.err[-400:]!r}, not {quiet.out} {quiet.err!r}")
    if seen.mode != quiet.mode:
        found.append(f"the result file has mode {seen.mode:o}, not {quiet.mode:o}")
    if not same(seen.sound_rows(), quiet.sound_rows()):
        found.append("rows of sound arms differ: " + ", ".join(
            f"{key}" for key, rows in seen.sound_rows().items() if not same(rows, quiet.sound_rows()[key])))
    if is_late and not same(seen.first_rows(), quiet.first_rows()):
        found.append("rows of the guest before its misdeed differ")
    if seen.verdict() not in expected.split("|"):
        found.append(f"the verdict is {seen.verdict()}, expected {expected}")
    return found
