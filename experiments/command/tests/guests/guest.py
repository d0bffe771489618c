#!/usr/bin/python3 -IS
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad guests that are programs. It deals the agents out in turn, and that is sound; from the second reorganization of a sequence on
it does what its fault is called. Those of the hello, which the first argument names, it does before anything else."""
import json
import os
import signal
import socket
import struct
import sys
import time

MARK = "guest-was-here"
number = missed = 0


def text(line):
    os.write(1, line if isinstance(line, bytes) else line.encode())


def line_of(which, line):
    return json.dumps({"id": which, **line}) + "\n"


def say(**line):
    text(line_of(number, line))


def sound(task):
    count = len(task["structure"])
    return {"blocks": [[agent for agent in range(len(task["values"][0])) if agent % count == block] for block in range(count)],
            "spent": 1, "kept": (task["kept"] or 0) + 1}


def sleep():
    while True:
        time.sleep(3600)


def spin():
    while True:
        pass


def misses_more(answer):
    """Each failure is another one, and the first is the same in a fresh process."""
    global missed
    missed += 1
    del answer["blocks"][0][:missed]


def ignores_sigterm():
    for what in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(what, signal.SIG_IGN)
    sleep()


def trickles():
    while True:
        text("x")
        time.sleep(0.01)


def keeps_too_much():
    text('{"id":%d,"blocks":[[0]],"kept":"' % number)
    for _ in range(257):
        text(b"x" * 65536)
    text('"}\n')


def floods():
    block = b"x" * 65536
    while True:
        text(block)


def daemon():
    if os.fork() == 0:
        os.setsid()
        for what in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(what, signal.SIG_IGN)
        if os.fork() == 0:
            sleep()
        os._exit(0)
    os.wait()


def contained():
    """Alone, or nearly, in a namespace of processes: else it could harm others."""
    with open("/proc/self/status", encoding="ascii") as status:
        depth = next((len(line.split()) - 1 for line in status if line.startswith("NSpid:")), 1)
    return depth >= 2 or sum(name.isdigit() for name in os.listdir("/proc")) < 8


def kill(pid, what=signal.SIGKILL):
    if not contained():
        say(failed="not done: this process could harm others")
        sys.exit(99)
    try:
        os.kill(pid, what)
    except OSError:
        pass


def writes_files():
    beside = os.path.dirname(os.path.abspath(__file__))
    for place in ("/tmp", "/var/tmp", "/dev/shm", beside, "."):
        try:
            with open(f"{place}/{MARK}", "w", encoding="ascii") as file:
                file.write("guest")
        except OSError:
            pass
    for place in (beside, "."):
        try:
            os.unlink(f"{place}/canary")
        except OSError:
            pass


def connects():
    try:
        with open(os.path.dirname(os.path.abspath(__file__)) + "/port", encoding="ascii") as file:
            socket.create_connection(("127.0.0.1", int(file.read())), timeout=0.1).close()
    except OSError:
        pass


def eats():
    kept = []
    while True:
        kept.append(b"x" * (1 << 24))


def forks():
    if contained():
        for _ in range(6):
            os.fork()
    sleep()


def closes_output():
    os.close(1)
    sleep()


def closes_all():
    os.closerange(0, 256)
    sleep()


def crashes():
    os.kill(os.getpid(), signal.SIGSEGV)


# Before the sound answer, or instead of it if they never return.
DEEDS = {
    "raises": lambda: 1 / 0,
    "exits": lambda: os._exit(0),
    "exits_with_3": lambda: os._exit(3),
    "segfaults": crashes,
    "kills_itself": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "sleeps": sleep,
    "spins": spin,
    "stops": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "ignores_sigterm": ignores_sigterm,
    "trickles": trickles,
    "floods": floods,
    "says_a_gigabyte": lambda: [text(b" " * (1 << 20)) for _ in range(1024)],
    "says_no_json": lambda: text("Traceback (most recent call last):\n"),
    "says_an_array": lambda: text("[1, 2]\n"),
    "says_an_empty_line": lambda: text("\n"),
    "says_bytes": lambda: text(b"\xff\xfe\x00\x01\n"),
    "says_a_null_byte": lambda: text(b'{"id":%d\x00,"blocks":[]}\n' % number),
    "says_bad_utf_8": lambda: text(b'{"id":%d,"failed":"\xc3\x28\xed\xa0\x80"}\n' % number),
    "nests_deeply": lambda: text("[" * 100000 + "\n"),
    "nests_deeply_inside": lambda: text('{"id":%d,"blocks":' % number + "[" * 100000 + "]" * 100000 + "}\n"),
    "says_a_key_twice": lambda: text('{"id":%d,"blocks":[],"blocks":[]}\n' % number),
    "says_half_a_line": lambda: (text('{"id":%d,"blocks":[[0,1' % number), os._exit(0)),
    "says_half_a_line_and_sleeps": lambda: (text('{"id":%d,"blocks":[[0,1' % number), sleep()),
    "says_a_huge_number": lambda: text('{"id":%d,"blocks":[[1e400,99999999999999999999999]]}\n' % number),
    "says_minus_1": lambda: say(blocks=[[-1]]),
    "says_a_half": lambda: say(blocks=[[0.5]]),
    "says_a_word": lambda: say(blocks="all"),
    "says_no_blocks": lambda: say(spent=1),
    "says_an_unknown_key": lambda: say(blocks=[[0]], bloks=[]),
    "says_nan": lambda: text('{"id":%d,"blocks":[[NaN]]}\n' % number),
    "takes_a_wrong_id": lambda: text('{"id":%d,"blocks":[]}\n' % (number + 1)),
    "takes_an_old_id": lambda: text('{"id":%d,"blocks":[]}\n' % (number - 1)),
    "takes_no_id": lambda: text('{"blocks":[]}\n'),
    "takes_a_word_for_an_id": lambda: text('{"id":"%d","blocks":[]}\n' % number),
    "spends_less_than_nothing": lambda: say(blocks=[[0]], spent=-1),
    "keeps_too_much": keeps_too_much,
    "counts_what_it_does_not_declare": lambda: say(blocks=[[0]], counters={"lies": 1}),
    "counts_below_0": lambda: say(blocks=[[0]], counters={"dealt": [0, -1]}),
    "counts_three_buckets": lambda: say(blocks=[[0]], counters={"dealt": [0, 0, 1]}),
    "counts_in_words": lambda: say(blocks=[[0]], counters={"dealt": "many"}),
    "counts_a_half": lambda: say(blocks=[[0]], counters={"dealt": 0.5}),
    "counts_in_a_list": lambda: say(blocks=[[0]], counters=[1]),
    "counts_2_to_the_63": lambda: say(blocks=[[0]], counters={"dealt": 2**63}),
    "reaches_less_than_nothing": lambda: say(blocks=[[0]], fault={"reached": -1}),
    "tells_of_its_fault_in_words": lambda: say(blocks=[[0]], fault="yes"),
    "tells_what_a_fault_has_not": lambda: say(blocks=[[0]], fault={"reached": 1, "missed": 1}),
    "is_in_the_result_1_time": lambda: say(blocks=[[0]], fault={"reached": 1, "in_result": 1}),
    "spends_a_half": lambda: say(blocks=[[0]], spent=0.5),
    "spends_2_to_the_63": lambda: say(blocks=[[0]], spent=2**63),
    "spends_in_words": lambda: say(blocks=[[0]], spent="all"),
    "keeps_nan": lambda: text('{"id":%d,"blocks":[[0]],"kept":NaN}\n' % number),
    "makes_odd_progress": lambda: say(blocks=[[0]], progress="perhaps"),
    "says_null_blocks": lambda: say(blocks=None),
    "says_an_object_of_blocks": lambda: say(blocks={"0": [0]}),
    "says_agent_2_to_the_32": lambda: say(blocks=[[2**32]]),
    "says_an_agent_true": lambda: say(blocks=[[True]]),
    "says_a_mark_first": lambda: text(b"\xef\xbb\xbf" + line_of(number, {"blocks": []}).encode()),
    "says_two_objects": lambda: text('{"id":%d,"blocks":[]}{"id":%d}\n' % (number, number)),
    "fails_without_words": lambda: say(failed=None),
    "closes_its_output": closes_output,
    "closes_all": closes_all,
    "writes_64_mb_of_errors": lambda: [os.write(2, b"y" * 65536) for _ in range(1024)],
    "leaves_a_child": lambda: os.fork() == 0 and sleep(),
    "leaves_a_daemon": daemon,
    "forks_without_end": forks,
    "kills_its_parent": lambda: kill(os.getppid()),
    "stops_its_parent": lambda: kill(os.getppid(), signal.SIGSTOP),
    "kills_all": lambda: kill(-1),
    "writes_files": writes_files,
    "connects": connects,
    "eats_memory": eats,
    "becomes_another": lambda: os.execv("/bin/true", ["true"]),
}

# Instead of the sound answer, or with it.
ANSWERS = {
    "complains": lambda answer: (answer.clear(), answer.update(failed="no")),
    "moves_undeclared": lambda answer: answer.update(moves=[[0, 0]]),
    "fails_at_length": lambda answer: (answer.clear(), answer.update(failed="x" * 100000)),
    "activates_unheld": lambda answer: answer["fault"].update(activated=2),
    "holds_unreached": lambda answer: answer["fault"].update(held=2),
    "is_in_the_result_unactivated": lambda answer: answer["fault"].update(reached=0, held=0, activated=0),
    "tells_nothing_of_its_fault": lambda answer: answer.pop("fault"),
    "spends_2_to_the_54": lambda answer: answer.update(spent=2**54),
    "spends_nothing": lambda answer: answer.update(spent=0),
    "counts_2_to_the_54": lambda answer: answer.update(counters={"dealt": [0, 2**54]}),
    "counts_very_much": lambda answer: answer.update(counters={"dealt": 2**53}),
    "complains_in_bytes": lambda answer: (answer.clear(), answer.update(failed="\x1b[31m\r\n<b>%s%n\x00")),
    "misses_an_agent": lambda answer: answer["blocks"][0].pop(),
    "misses_more_each_time": misses_more,
    "repeats_an_agent": lambda answer: answer["blocks"][0].append(answer["blocks"][0][0]),
    "invents_an_agent": lambda answer: answer["blocks"][0].append(1000),
    "puts_an_empty_block": lambda answer: answer["blocks"].append([]),
    "puts_a_million_members": lambda answer: answer.update(blocks=[[0] * 1100000]),
    "deals_by_the_clock": lambda answer: deal_by(answer, time.monotonic_ns()),
    "deals_by_chance": lambda answer: deal_by(answer, struct.unpack("Q", os.urandom(8))[0]),
    "remembers": lambda answer: deal_by(answer, number),
}
LATER = {
    "answers_twice": lambda answer: text(2 * line_of(number, answer)),
    "answers_before_it_is_asked": lambda answer: text(line_of(number, answer) + line_of(number + 1, answer)),
    "goes_on_speaking": lambda answer: text(line_of(number, answer) + "and another thing"),
    "answers_with_blanks": lambda answer: text(line_of(number, answer).replace(",", " , ").replace("\n", " \r\n")),
    "answers_once_more_later": lambda answer: (say(**answer), again_later(line_of(number, {**answer, "kept": 77, "counters": {"dealt": 99}}))),
    "exits_after_the_answer": lambda answer: (say(**answer), os._exit(0)),
    "answers_byte_by_byte": lambda answer: [text(byte.to_bytes(1, "little"))
                                            for byte in (json.dumps({"id": number, **answer}) + "\n").encode()],
    "answers_in_a_child": lambda answer: os.fork() == 0 and (say(**answer), os._exit(0)),
}


def again_later(line):
    """When the testbed has gone on: whatever that line says is of nobody's memory."""
    if os.fork() == 0:
        time.sleep(0.05)
        text(line)
        os._exit(0)


def deal_by(answer, bits):
    agents = sorted(agent for block in answer["blocks"] for agent in block)
    for i in range(len(agents) - 1, 0, -1):
        bits = (bits * 6364136223846793005 + 1442695040888963407) % 2**64
        j = (bits >> 33) % (i + 1)
        agents[i], agents[j] = agents[j], agents[i]
    answer["blocks"] = [agents[:len(agents) // 2], agents[len(agents) // 2:]]


HELLO = {"protocol": 1, "name": "guest", "version": "1", "summary": "deals agents out; its faults are misdeeds",
         "capabilities": ["keeps"], "counters": [{"name": "dealt", "meaning": "whatever its deeds count", "buckets": 2}], "faults": {name: "does what it is called" for name in [*DEEDS, *ANSWERS, *LATER]}}
HELLOS = {
    "silent": sleep,
    "ends": lambda: os._exit(0),
    "ends_with_4": lambda: os._exit(4),
    "crashes": crashes,
    "garbage": lambda: text("hello\n"),
    "nothing_said": lambda: text('{"id":1}\n'),
    "wrong_id": lambda: text(json.dumps({"id": 2, **HELLO}) + "\n"),
    "newer_protocol": lambda: text(json.dumps({"id": 1, **HELLO, "protocol": 99}) + "\n"),
    "no_protocol": lambda: text(json.dumps({"id": 1, **{key: HELLO[key] for key in HELLO if key != "protocol"}}) + "\n"),
    "bad_name": lambda: text(json.dumps({"id": 1, **HELLO, "name": "Upper Case\n"}) + "\n"),
    "bad_shape": lambda: text(json.dumps({"id": 1, **HELLO, "shape": "round"}) + "\n"),
    "unknown_key": lambda: text(json.dumps({"id": 1, **HELLO, "colour": "red"}) + "\n"),
    "bad_fault": lambda: text(json.dumps({"id": 1, **HELLO, "faults": {"none": "there already"}}) + "\n"),
    "half": lambda: (text('{"id":1,"protocol"'), os._exit(0)),
    "floods": floods,
    "deep": lambda: text("[" * 100000 + "\n"),
    "exits_after_it": lambda: (text(json.dumps({"id": 1, **HELLO}) + "\n"), os._exit(0)),
    "changes_its_mind": lambda: say_another_name(),
}


def say_another_name():
    """Says of itself what it never said before."""
    sys.stdin.readline()
    text(json.dumps({"id": 1, **HELLO, "version": str(time.monotonic_ns())}) + "\n")


def answer_task(task):
    answer = sound(task)
    fault = task["fault"] if answer["kept"] > 1 else None
    if fault:
        answer["fault"] = {"reached": 1, "held": 1, "activated": 1, "in_result": fault in ANSWERS}
    if fault in DEEDS:
        DEEDS[fault]()
    elif fault in ANSWERS:
        ANSWERS[fault](answer)
    if fault in LATER:
        LATER[fault](answer)
    else:
        say(**answer)


def main():
    global number
    if len(sys.argv) > 1:
        HELLOS[sys.argv[1]]()
    while True:
        line = sys.stdin.readline()
        request = json.loads(line) if line else {"bye": True}
        number = request.get("id", 0)
        if "hello" in request:
            say(**HELLO)
        elif "task" in request:
            answer_task(request["task"])
        else:
            return


main()
