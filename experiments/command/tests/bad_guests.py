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
import sys
import tempfile
import textwrap
import time

import h5py
import numpy

TABLES = ("suites", "parameters", "agents", "groups", "chains", "profiles", "visits", "transitions", "sequences", "cases",
          "reorganizations", "failures", "violations", "counters")
MODEL = {"corridor_model": 1, "agents": 12, "structure": {"size_min": 2, "size_max": 6, "count_min": 2, "count_max": 6},
         "groups": {"count": 3}, "environments": {"weather": {"random": {"states": 4}}},
         "types": {"agent": {"level": [0.2, 1.0]}}, "invariant": {"threshold": 0.02}}
SOURCE = pathlib.Path(__file__).parents[3]
ELSEWHERE = ("/tmp", "/var/tmp", "/dev/shm")
MARK = "guest-was-here"
SHARED_MEMORY_KEY = 0x67756573

# fault: verdict. "passed" where the misdeed must have no effect at all.
ENDINGS = {
    "segfaults": "crashed", "reads_null": "crashed", "calls_null": "crashed", "writes_to_code": "crashed", "recurses": "crashed",
    "aborts": "crashed", "traps": "crashed", "divides_by_zero": "crashed", "reads_behind_a_file": "crashed",
    "raises_signal": "crashed", "ignores_segfaults": "crashed", "kills_itself": "crashed", "kills_its_group": "crashed",
    "is_rung": "hung", "throws": "crashed", "jumps_out": "crashed",
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
    "finds_its_rounding", "finds_its_floats", "finds_its_traps", "finds_its_signals", "finds_its_umask", "finds_its_locale", "writes_when_a_timer_rings",
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
    "asks_a_null_cost": "crashed", "spends_all": "garbled", "pretends_faults": "garbled", "draws_without_end": "passed",
    **{name: "garbled" for name in ("activates_unheld", "holds_unreached", "is_in_the_result_twice", "reaches_less_than_nothing",
                                    "counts_its_fault_below_0", "spends_less_than_nothing")},
    **{name: "complained" for name in ("counts_a_bucket_behind", "counts_a_bucket_before", "counts_a_counter_behind", "counts_the_ninth_counter", "counts_below_0",
                                       "counts_to_the_end")},
    "forgets_its_fault": "passed", "is_in_the_result_unactivated": "passed",  # what it kept may descend from an earlier one
    "counts_and_crashes": "crashed", "counts_very_much": "passed", "spends_nothing": "passed", "returns_stagnated": "passed",
    "wraps_around_behind_a_good_block": "overflow", "wraps_a_little_further": "overflow", "keeps_null": "crashed", "keeps_again_and_again": "passed",
    "keeps_too_much": "passed", "spoils_the_stream_of_faults": "passed", "draws_from_nowhere": "crashed",
    # A campaign asks again what failed, one in a hundred, and of the first sequence of each suite the first, second, fourth.. answer;
    # "corridor check" asks all again.
    "deals_by_the_clock": "flaky", "deals_by_chance": "flaky", "deals_by_an_address": "passed", "deals_by_its_number": "flaky",
    "remembers": "leaked", "crashes_the_third_time": "leaked", "misses_more_each_time": "leaked",
    "moves_more_astray_each_time": "leaked"}
GOSSIP = {
    "crashes_in_a_turn": "crashed", "sends_null": "crashed", "sends_2_to_the_31": "memory", "mails_without_end": "memory",
    "draws_from_the_host": "complained", "asks_for_agents": "passed", "sends_to_nobody": "passed", "never_rests": "passed",
    "adopts_in_a_turn": "passed", "activates_in_a_turn": "garbled", "wraps_its_fault": "garbled", "spends_in_a_turn": "passed", "counts_behind": "complained",
    "counts_below_0": "complained"}
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
    "puts_an_empty_block": "partition_empty", "puts_a_million_members": "overflow", "deals_by_the_clock": "flaky",
    "deals_by_chance": "flaky", "remembers": "leaked", "activates_unheld": "garbled", "holds_unreached": "garbled", "is_in_the_result_unactivated": "passed",
    "tells_nothing_of_its_fault": "passed", "spends_2_to_the_54": "garbled", "spends_nothing": "passed", "counts_2_to_the_54": "complained", "counts_very_much": "passed",
    "answers_with_blanks": "passed", "answers_once_more_later": "passed", "fails_without_words": "garbled", "fails_at_length": "complained",
    "misses_more_each_time": "leaked", "answers_twice": "garbled", "answers_before_it_is_asked": "garbled",
    "goes_on_speaking": "garbled", "exits_after_the_answer": "leaked", "answers_byte_by_byte": "passed", "answers_in_a_child": "passed",
    **{name: "garbled" for name in (
        "says_no_json", "says_an_array", "says_an_empty_line", "says_bytes", "says_a_null_byte", "says_bad_utf_8", "nests_deeply",
        "nests_deeply_inside", "says_a_key_twice", "says_half_a_line", "says_a_huge_number", "says_minus_1", "says_a_half",
        "says_a_word", "says_no_blocks", "says_an_unknown_key", "says_nan", "takes_a_wrong_id", "takes_an_old_id", "takes_no_id",
        "takes_a_word_for_an_id", "spends_less_than_nothing", "keeps_too_much", "counts_what_it_does_not_declare",
        "counts_below_0", "counts_three_buckets", "counts_in_words", "counts_a_half", "counts_in_a_list", "counts_2_to_the_63", "reaches_less_than_nothing",
        "tells_of_its_fault_in_words", "tells_what_a_fault_has_not", "is_in_the_result_1_time", "spends_a_half", "spends_2_to_the_63", "spends_in_words",
        "keeps_nan", "moves_undeclared", "makes_odd_progress", "says_null_blocks", "says_an_object_of_blocks", "says_agent_2_to_the_32", "says_an_agent_true",
        "says_a_mark_first", "says_two_objects")}}
DEEDS = {"guest": {**ENDINGS, **FAMILIES, **MEMORIES, **WORLDS, **ANSWERS}, "gossip": {**GOSSIP, **PEEKS}, "program": PROGRAM}


# Agents under test; what they do while they take a parcel of 13 kilos, and the check that finds it. (algorithms/agents/tests)
COURIER = {
    "format": "agent-unit/1", "agent": "Courier", "entry": ["Pickup"],
    "beliefs": [{"name": "load", "key": [], "fields": {"Weight": "int", "Share": "float", "Note": "string"},
                 "posts": [{"on": "update", "when": "Weight > 100", "event": "Overload"}]}],
    "events": [{"name": "Pickup", "kind": "percept", "coverage": "always", "overlap": "never",
                "params": [{"name": "Kilos", "type": "int", "valid": [">-1000"]}, {"name": "Express", "type": "bool"},
                           {"name": "What", "type": "string"}]},
               {"name": "Deliver", "kind": "internal", "params": [{"name": "Kilos", "type": "int"}, {"name": "What", "type": "string"}]},
               {"name": "Overload", "kind": "belief", "params": [{"name": "Weight", "type": "int"}]}],
    "messages_out": [{"name": "Receipt"}], "actions": [{"name": "Drive"}],
    "plans": [{"name": "Take", "trigger": "Pickup", "context": "Kilos > 0", "bounds": {"Kilos": [13, 100]},
               "writes": ["load"], "posts": ["Deliver"], "sends": ["Receipt"],
               "body": [{"set": "load.Weight", "to": "Weight + Kilos"}, {"set": "load.Share", "to": "0.5"},
                        {"set": "load.Note", "to": "What"}, {"post": "Deliver", "args": {"Kilos": "Kilos", "What": "What"}},
                        {"send": "Receipt"}]},
              {"name": "Refuse", "trigger": "Pickup", "context": "Kilos <= 0", "body": []},
              {"name": "Bring", "trigger": "Deliver", "does": ["Drive"], "body": [{"do": "Drive"}]}],
    "test": {"seed": 1}}

AGENTS = {
    "module": {
        **{name: "agent_crashed" for name in ("segfault", "aborts", "traps", "recurses", "kills_itself", "kills_its_group", "wild_name", "confesses",
                                              "becomes_another")},  # the kernel ends who tries
        **{name: "agent_exited" for name in ("exits", "exits_with_3")},
        **{name: "agent_hung" for name in ("spins", "spins_unsignalled", "is_deaf", "sleeps", "stops", "pretends")},
        **{name: "agent_garbled" for name in (
            "unknown_plan", "unknown_event", "unknown_message", "unknown_action", "unknown_field", "unknown_parameter", "null_names", "null_field",
            "null_parameter", "not_a_number", "bad_kind", "bad_word", "many_words", "ends_another", "ends_twice", "says_for_another", "reports_on", "looks_on",
            "returns_7", "closes_descriptors", "writes_by_nobody")},
        **{name: "passed" for name in ("kills_its_parent", "leaves_a_child", "leaves_a_daemon", "prints", "changes_itself", "speaks_on_descriptors",
                                       "finds_its_rounding", "finds_its_signals")}},
    "program": {
        **{name: "agent_exited" for name in ("raises", "exits", "exits_with_3")}, **{name: "agent_crashed" for name in ("segfaults", "kills_its_group")},
        **{name: "agent_hung" for name in ("is_silent", "spins", "stops", "trickles", "ignores_sigterm")},
        **{name: "agent_garbled" for name in (
            "no_json", "no_object", "empty_line", "binary", "deep", "twice_a_key", "half_a_line", "wrong_id", "no_id", "text_id", "says_nothing_known",
            "unknown_key", "missing_key", "number_for_a_name", "unknown_plan", "unknown_event", "unknown_message", "unknown_action", "unknown_field",
            "unknown_parameter", "list_for_a_value", "too_large", "not_a_number", "says_for_another", "ends_another", "finishes_twice", "finishes_oddly",
            "closes_output", "closes_all", "floods", "reports_on")},
        **{name: "passed" for name in ("leaves_a_child", "leaves_a_daemon", "writes_errors", "kills_its_parent")}}}

# Distributed programs; how their schedules end, or what they violate. (experiments/command/tests/guests/process_guest.c and .py)
PROCESSES = {
    "process_guest_1": {
        **{name: "absurd_call" for name in ("sends_to_nobody", "writes_beyond_its_store", "writes_at_start_without_end", "shows_nothing_like_a_number")},
        "tells_an_index_twice": "same", "tells_what_another_does_not": "same", "grows_without_end": "memory", "asks_the_host_for_2_to_the_60": "memory",
        "aborts_with_a_message": "abort", **{name: "complaint" for name in ("complains", "complains_in_bytes", "complains_by_null", "complains_at_length")},
        **{name: "signal" for name in ("recurses", "unmaps_its_memory", "keeps_a_pointer_over_a_crash", "ruins_its_host", "ruins_its_arena")},
        **{name: "hang" for name in ("chatters", "spins", "hangs_in_observe", "never_returns_from_start", "sleeps_for_ever")},
        **{name: "passed" for name in ("takes_back_an_alarm_it_never_set", "is_rung_at_once_for_ever", "sends_a_megabyte", "counts_in_observe",
                                       "reads_another")}},
    "process_guest_2": {
        "ruins_the_heap": "signal|abort|garbled|passed",  # what lies there depends on the build
        **{name: "signal" for name in ("writes_to_code", "kills_itself", "segfaults_unsignalled", "segfaults_with_a_handler",
                                       "limits_its_time", "traps_floats", "becomes_another")},
        "frees_what_is_not_its_own": "abort|leaked",  # it is in the lists of the C library until a later schedule
        "leaves_a_thread": "leaked",
        **{name: "exit" for name in ("exits_by_the_kernel", "ends_its_thread")},
        "stops": "hang",
        **{name: "passed" for name in ("uses_the_wall_clock", "closes_descriptors", "speaks_on_descriptors", "opens_without_end", "prints_a_megabyte", "rounds_down", "changes_locale",
                                       "changes_folder", "changes_environment")}},
    "process_guest.py": {
        "raises": "abort", "exits": "gone", "closes_its_output": "gone", "is_killed": "gone", "sends_to_nobody": "absurd_call", "tells_an_index_twice": "same", "complains": "complaint",
        **{name: "garbled" for name in ("prints", "answers_twice", "floods", "sends_an_unknown_kind", "shows_a_word")},
        **{name: "passed" for name in ("keeps_in_the_class", "leaves_a_child", "writes_a_file", "asks_the_time", "starts_a_thread", "kills_its_parent")},
        "spins": "hang", "sleeps": "hang"}}

# What works beside an algorithm, by the order of experiments/command/tests/guests/beside.c; as a monitor, and as a mechanism. Where the deed has no effect on
# what it works with it must have none on anything.
BESIDE = {**{name: "smoke" for name in ("segfaults", "aborts", "exits", "exits_with_0", "kills_itself", "recurses", "becomes_another", "mounts")},
          "ruins_the_heap": "passed|smoke", "writes_what_it_is_shown": "passed|smoke",  # a monitor is shown copies
          **{name: "smoke" for name in ("limits_its_time", "spins", "sleeps", "stops", "leaves_a_child", "leaves_a_daemon", "leaves_a_thread")},
          **{name: "passed" for name in ("allocates_without_end", "kills_its_parent", "kills_all", "prints_a_megabyte")}, "closes_descriptors": "smoke",
          **{name: "passed" for name in ("speaks_on_descriptors", "opens_without_end", "creates_files", "deletes_files", "rounds_down", "traps_floats", "changes_folder",
                                         "changes_environment", "changes_locale", "blocks_signals")}}

# Systems beside their model
SPEAKER = """
import json, os, sys, time
def say(**what):
    print(json.dumps(what), flush=True)
def ask():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)
def greet():
    say(id=ask()["id"], protocol=1, name="x")
def ready():
    say(id=ask()["id"], ready=True)
"""

# What a program does; how the test is to end: the trouble, and a part of what is said of it.
SYSTEMS = {
    "dies at once": ("sys.exit(3)", "died"),
    "dies by a signal": ("greet(); ready(); ask(); os.kill(os.getpid(), 9)", "died"),
    "dies in a move": ("greet(); ready(); ask(); sys.exit(0)", "died"),
    "says no hello": ("time.sleep(100)", "hung"),
    "hangs in a reset": ("greet(); ask(); time.sleep(100)", "hung"),
    "hangs in a move": ("greet(); ready(); ask(); time.sleep(100)", "hung"),
    "says half a line and hangs": ("greet(); ready(); ask(); sys.stdout.write('{\"id\":3,'); sys.stdout.flush(); time.sleep(100)", "hung"),
    "says half a line and dies": ("greet(); ready(); ask(); sys.stdout.write('{\"id\":3,'); sys.stdout.flush(); sys.exit(0)", "died"),
    "floods": ("greet(); ready(); ask()\nwhile True: sys.stdout.write('x' * 65536)", "garbled"),
    "speaks a newer version": ("say(id=ask()['id'], protocol=2, name='x'); time.sleep(100)", "garbled"),
    "answers another request": ("greet(); ready(); say(id=ask()['id'] + 1, quiet=True); time.sleep(100)", "garbled"),
    "says more than one line": ("greet(); ready(); i = ask()['id']; print('{\"id\":%d,\"quiet\":true}\\n' % i * 2, flush=True); time.sleep(100)", "garbled"),
    "says no JSON": ("greet(); ready(); ask(); print('CR', flush=True); time.sleep(100)", "garbled"),
    "nests deeply": ("greet(); ready(); ask(); print('[' * 5000, flush=True); time.sleep(100)", "garbled"),
    "says both": ("greet(); ready(); say(id=ask()['id'], out=[['CR', []]], quiet=True); time.sleep(100)", "garbled"),
    "says neither": ("greet(); ready(); say(id=ask()['id']); time.sleep(100)", "garbled"),
    "says an unknown member": ("greet(); ready(); say(id=ask()['id'], quiet=True, mood='fine'); time.sleep(100)", "garbled"),
    "gives too few arguments": ("greet(); ready(); say(id=ask()['id'], out=[['DT', []]]); time.sleep(100)", "garbled"),
    "gives words for numbers": ("greet(); ready(); say(id=ask()['id'], out=[['DT', ['a', 'b']]]); time.sleep(100)", "garbled"),
    "is not ready": ("greet(); say(id=ask()['id'], ready=False); time.sleep(100)", "garbled"),
    "closes its output": ("greet(); ready(); ask(); os.close(1); time.sleep(100)", "garbled"),
}

# Answers each input as the model inres_initiator has it, up to its end.
SOUND_SYSTEM = (SOURCE / "experiments/library/efsm/systems/inres.py").read_text(encoding="utf-8")


# What make check tries: of each way to reach for what is not theirs one or two, and of endings, answers and programs, which are told in few ways, one
# of each that tests of C do not have. Nobody of them is waited for.
SOME = {
    "guest": ("segfaults", "reads_behind_a_file", "exits_with_3", "becomes_another",
              "leaves_a_daemon", "exits_behind_a_child", "scribbles_late", "kills_its_parent", "kills_all", "traces_its_parent",
              "writes_values", "writes_the_task", "writes_through_proc", "overwrites_the_session", "counts_wildly", "truncates_shared_memory",
              "asks_the_host_for_all", "asks_for_2_to_the_60",
              "rounds_down", "finds_its_signals", "changes_environment", "blocks_signals", "creates_files", "deletes_files", "closes_descriptors",
              "speaks_on_descriptors", "prints_results", "opens_sockets", "shares_memory", "unshares",
              "misses_an_agent", "puts_2_to_the_60", "complains_in_bytes", "deals_by_the_clock", "remembers", "activates_unheld"),
    "gossip": ("crashes_in_a_turn", "counts_below_0", "reads_the_values_before", "remembers_an_agent"),
    "program": ("raises", "leaves_a_daemon", "kills_all", "misses_an_agent", "deals_by_the_clock", "says_bytes")}
# Of agents, distributed programs and systems those that no other test has: what is around them.
SOME_AGENTS = ("segfault", "closes_descriptors")
SOME_PROCESSES = ("tells_an_index_twice", "ruins_its_host", "ruins_the_heap", "becomes_another", "speaks_on_descriptors", "leaves_a_thread")
SOME_BESIDE = ("segfaults", "writes_what_it_is_shown", "leaves_a_daemon", "closes_descriptors", "rounds_down")
SOME_SYSTEMS = ("dies by a signal",)

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

    def write(self, place, guest, changes):
        """The experiment, guests.json, and what it names."""
        arms = [{"name": "before", "algorithm": "spada", "parameters": {"budget": 500}}, {"name": "guest", **guest},
                {"name": "behind", "algorithm": "psopp", "parameters": {"budget": 200}}]
        content = {"corridor_experiment": 1, "name": "guests", "seed": "0x7", "suites": 1, "sequences": 2, "cases": 5,
                   "model": MODEL, "arms": arms, **changes}
        (place / "guests.json").write_text(json.dumps(content))
        for module in {guest["algorithm"]} - {"random"}:
            path = self.modules / module
            if not path.exists():
                path = pathlib.Path(__file__).parent / "guests" / module
            shutil.copy(path, place)

    def run(self, guest, jobs=1, **changes):
        """Runs a campaign with this arm as the guest; what can be seen afterwards."""
        place = self.home / "campaign"
        place.mkdir()
        (place / "canary").write_text("alive\n")
        self.write(place, guest, changes)
        before = self.listing(place)
        with open(self.folder / "stdout", "w+b") as out, open(self.folder / "stderr", "w+b") as err:
            process = subprocess.Popen([self.binary, "run", "guests.json", "-o", "out.h5", "--jobs", str(jobs), "--json",
                                        "--progress", "none"], cwd=place, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       start_new_session=True, umask=0o022)
            code = process.wait()
            out.seek(0)
            err.seek(0)
            seen = self.seen(code, out.read(1 << 20), err.read(1 << 20))
        seen.orphans = orphans(self.known)
        seen.elsewhere = left_elsewhere()
        after = self.listing(place)
        seen.changed = {name for name in before if after.get(name) != before[name]}
        seen.new = set(after) - set(before)
        if code == 0 and (place / "out.h5").exists():
            seen.mode = (place / "out.h5").stat().st_mode & 0o777
            seen.read(place / "out.h5")
            if seen.verdict() not in ("passed", "pass"):  # whatever it said: readers take the file
                done = subprocess.run([self.binary, "verify", "out.h5"], cwd=place, capture_output=True, text=True, check=False)
                seen.refused = done.stderr if done.returncode != 0 else ""
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

    TABLES = TABLES

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err
        try:
            self.out = {key: value for key, value in json.loads(out).items() if key != "wall_s"}
        except ValueError:
            pass
        self.rows, self.mode, self.refused = {}, None, ""

    def read(self, path):
        with h5py.File(path) as file:
            for table in self.TABLES:
                columns = {name: file[table][name][()] for name in sorted(file[table])} if table in file else {}
                if "arm" in columns:
                    for arm in range(3):
                        here = columns["arm"] == arm
                        self.rows[arm, table] = {name: column[here] for name, column in columns.items()
                                                 if len(column) == len(here)}
            self.provenance = json.loads(file["provenance"].asstr()[()])
            self.read_words(file)

    def is_believed(self):
        """May the file say that it is reproducible? Not of who gave two answers, or none in time; of who leaves something
        behind, where he was asked again and did the same."""
        doubted = {"flaky", "hung", "overdue"} | ({"leaked"} if self.provenance["observed"]["differed"] > 0 else set())
        return not doubted & set(self.verdict().split())

    def read_words(self, file):
        self.smokes, self.checks = words(file["reorganizations/smoke"]), words(file["violations/check"])

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


def without_places(rows):
    """Rows without where in /vectors theirs begins: behind what the guest's arm has there."""
    return {key: {name: column for name, column in columns.items() if not name.endswith("_start")} for key, columns in rows.items()}


class SeenOfAgents(Seen):
    TABLES = ("units", "members", "needs", "classes", "trials", "inputs", "traces", "findings", "uses")

    def read_words(self, file):
        self.checks = words(file["findings/check"])

    def is_believed(self):
        return not {"agent_hung", "agent_not_repeatable"} & set(self.verdict().split())

    def verdict(self):
        """Of what the agent did to its process, or said that cannot be."""
        found = {self.checks[code] for code in self.rows[1, "findings"]["check"].tolist()}
        return " ".join(sorted(check for check in found if check.startswith("agent_"))) or "passed"

    def first_rows(self):
        return {}

    def sound_rows(self):
        return without_places(super().sound_rows())


class SeenOfSystems(Seen):
    TABLES = ("tests", "moves", "candidates", "allowed", "traps", "taken")

    def read_words(self, file):
        self.verdicts, self.troubles = words(file["tests/verdict"]), words(file["tests/trouble"])

    def is_believed(self):
        return False  # no test of a program is run twice

    def verdict(self):
        tests = self.rows[1, "tests"]
        return " ".join(sorted({self.troubles.get(trouble, self.verdicts[verdict]) for trouble, verdict in
                                zip(tests["trouble"].tolist(), tests["verdict"].tolist())}))

    def first_rows(self):
        return {}

    def sound_rows(self):
        return without_places(super().sound_rows())


class SeenOfProcesses(Seen):
    TABLES = ("suites", "sequences", "cases", "violations", "happened", "seen")

    def read_words(self, file):
        lists = (file["catalog"][name] for name in ("end", "constraint"))
        self.ends, self.violated = (dict(zip(names["code"][()].tolist(), names["name"].asstr()[()].tolist())) for names in lists)

    def is_believed(self):
        return True  # of programs that are not built in nothing is said

    def verdict(self):
        """How its schedules ended, else what they violated."""
        rows = self.rows[1, "sequences"]
        ends = {self.ends[code].replace(" ", "_") for code in rows["end"].tolist()} - {"none"}
        violated = {self.violated[code] for code in rows["violated"].tolist()} - {"-"}
        return " ".join(sorted(ends or violated)) or "passed"

    def first_rows(self):
        return {}

    def sound_rows(self):
        return without_places(super().sound_rows())


Campaign.seen = Seen


class Agents(Campaign):
    """Around an agent: sound ones before it and behind."""

    seen = SeenOfAgents

    def write(self, place, guest, changes):
        (place / "courier.json").write_text(json.dumps(COURIER))
        arms = [{"name": "before"}, {"name": "guest", **guest}, {"name": "behind"}]
        (place / "guests.json").write_text(json.dumps({"name": "guests", "design": "courier.json", "arms": arms, **changes}))
        shutil.copy(self.modules / "courier.so", place)
        shutil.copy(SOURCE / "algorithms/agents/tests/courier.py", place)


class Systems(Campaign):
    """Around a system: simulated ones before it and behind."""

    seen = SeenOfSystems

    def write(self, place, guest, changes):
        arms = [{"name": "before", "system": "fair"}, {"name": "guest", "system": guest["system"]}, {"name": "behind", "system": "uniform"}]
        (place / "guests.json").write_text(json.dumps({"efsm": str(SOURCE / "experiments/library/efsm/inres_initiator.json"), "goal": "t8", "arms": arms, **changes}))
        (place / "system.py").write_text(SPEAKER + textwrap.dedent(guest["body"]))


class Processes(Campaign):
    """Around a distributed program: sound ones before it and behind."""

    seen = SeenOfProcesses

    def write(self, place, guest, changes):
        said = ["structure observed", "attribute heard: integer", "channel said", "invariant same: agree(said)"]
        arms = {"before": {}, "guest": {"corridor": said, **guest}, "behind": {"generator": "random"}}
        (place / "guests.json").write_text(json.dumps({
            "process": {"program": "two_phase", "count": 3, "memory": 1 << 20}, "name": "guests", "seed": 7, "suites": 1, "sequences": 2, "cases": 6,
            "corridor": ["structure observed", "channel outcome", "invariant agreed: agree(outcome)"], "faults": ["lose", "crash"],
            "environment": {"states": {"storm": {"lose": 0.1, "crash": 0.2, "down": [100, 300]}}}, "arms": arms, **changes}))
        if guest["program"].endswith(".so"):
            shutil.copy(self.modules / guest["program"], place)
        else:
            for path in (pathlib.Path(__file__).parent / "guests/process_guest.py", SOURCE / "experiments/library/processes/corridor_process.py"):
                shutil.copy(path, place)


class SeenBeside(Seen):
    TABLES = ("suites", "sequences", "cases", "violations", "mechanisms", "reorganizations")

    def is_believed(self):
        return True  # what a clock or memory ended is done again once, and said

    def verdict(self):
        """What failed beside the algorithm, else nothing: what else R-Detect sees of the monitor is not its misdeed."""
        rows = self.rows[1, "violations"]
        checks = {self.checks[code] for code in rows["check"].tolist()}
        return " ".join(sorted(check for check in checks if check.endswith("_smoke"))) or "passed"

    def first_rows(self):
        return {}

    def sound_rows(self):
        return without_places(super().sound_rows())


class Beside(Campaign):
    """Around a monitor or a mechanism, beside an algorithm that is sound."""

    seen = SeenBeside

    def write(self, place, guest, changes):
        arms = [{"name": "before", "algorithm": "random"}, {"name": "guest", "algorithm": "random", **guest}, {"name": "behind", "algorithm": "random"}]
        (place / "guests.json").write_text(json.dumps({
            "corridor_experiment": 1, "name": "guests", "seed": "0x7", "suites": 1, "sequences": 2, "cases": 5, "arms": arms,
            "corridor": ["structure partitioning", "attribute value: real 0 .. 1", "trigger far: all(o in organizations: sum(a in o.members: a.value) <= 4)",
                         "temporal returns: always (alarm implies true)"],
            "model": {**MODEL, "inertia": [0.2, 0.4]}, **changes}))
        shutil.copy(self.modules / "beside.so", place)


def beside_of(kind, deed):
    """Its arm; None: it does no harm."""
    number = list(BESIDE).index(deed) + 1 if deed else 0
    return {"monitor": {"algorithm": "./beside.so", **({"fault": deed} if deed else {})}} if kind == "monitor" else \
        {"mechanisms": [{"mechanism": "./beside.so", "parameters": {"deed": number}}]}


def process_of(module):
    """Its arm, without its fault."""
    return {"program": f"{sys.executable} -B -S ./{module}" if module.endswith(".py") else f"{module}.so"}


def agent_of(way, expected):
    """Its arm, without its fault. As of algorithms, nobody is waited for who is not to come back, and everybody else has time."""
    never = expected == "agent_hung"
    return {way: "./courier.so" if way == "module" else f"{sys.executable} -I -S ./courier.py", "cpu_seconds": 0.5 if never else 20, "answer_seconds": 1 if never else 300}


def system_of(body, expected):
    return {"body": body, "system": {"command": f"{sys.executable} ./system.py", "answer_seconds": 1 if expected == "hung" else 300}}


def everybody():
    """What each is, its deed, its arm without and with it, and what it is to be found to do."""
    for module, deeds in DEEDS.items():
        for deed, expected in deeds.items():
            sound = guest_of(module, expected)
            yield "algorithm", deed, sound, {**sound, "fault": deed}, expected
    for way, deeds in AGENTS.items():
        for deed, expected in deeds.items():
            sound = agent_of(way, expected)
            yield "agent", deed, sound, {**sound, "fault": deed}, expected
    for module, deeds in PROCESSES.items():
        for deed, expected in deeds.items():
            yield "process", deed, process_of(module), {**process_of(module), "fault": deed}, expected
    for kind in ("monitor", "mechanism"):
        for deed, expected in BESIDE.items():
            yield kind, deed, beside_of(kind, None), beside_of(kind, deed), expected.replace("smoke", f"{kind}_smoke")
    for deed, (body, expected) in SYSTEMS.items():
        yield "system", deed, system_of(SOUND_SYSTEM, expected), system_of(body, expected), expected


def words(dataset):
    """Of the codes of a column."""
    return dict(zip(dataset.attrs["flag_values"].tolist(), dataset.attrs["flag_meanings"].split()))


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
    if seen.refused:
        found.append(f"the file is refused: {seen.refused}")
    if seen.provenance["reproducible"] and not seen.is_believed():
        found.append(f"the file says that it is reproducible: {seen.provenance['observed']}")
    if seen.provenance["observed"]["asked_again"] == 0 and "guest" not in seen.provenance["observed"]["not_checked"]:
        found.append("nothing of the guest was asked again, and that is not said")
    if seen.verdict() not in expected.split("|"):
        found.append(f"the verdict is {seen.verdict()}, expected {expected}")
    return found
