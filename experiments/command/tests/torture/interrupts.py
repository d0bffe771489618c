#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""interrupts.py CORRIDOR SOURCE [NAME...]: TERM and INT to every command that an input can make work for long, at several moments. A row
a command: seconds that it takes undisturbed ("-": longer than anybody waited), the longest silence after a signal - until it said
something on standard error, and until it ended -, exit codes (T: ended by the signal itself), what is left behind, and whether the same
command, called again until it is done, ends as it does undisturbed: "same", by the files that it writes and its words."""
import contextlib
import json
import os
import pathlib
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CORRIDOR, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
LIBRARY, DATA = SOURCE / "experiments/library", SOURCE / "profiles/data"
PATIENCE = 8  # seconds that an undisturbed command is waited for
MOMENTS = ((signal.SIGTERM, 0.3), (signal.SIGINT, 0.55), (signal.SIGTERM, 0.8))
EFSM, AGENTS, SYSTEMS, PROCESSES = (LIBRARY / name for name in ("efsm", "agents", "systems", "processes"))
PAPER = str(LIBRARY / "models/paper.json")
SPADA = {"name": "S", "algorithm": "spada", "fault": "f2", "parameters": {"agents": [2, 40], "budget": 500}}
PSOPP = {"name": "P", "algorithm": "psopp", "fault": "f1", "parameters": {"agents": [2, 40], "budget": 200, "t1": 1000}}
SMALL = {"corridor_experiment": 1, "name": "small", "seed": "0x7", "suites": 600, "sequences": 2, "cases": [20, 60], "model": PAPER,
         "arms": [SPADA, PSOPP]}
MILLION = {"corridor_experiment": 1, "name": "million", "seed": "0x7", "suites": 1, "sequences": 1, "cases": 3, "model": PAPER,
           "arms": [{"name": "M", "algorithm": "psopp", "parameters": {"agents": 1000000}}]}
SLEEPER = """#!/usr/bin/python3
import json, sys, time
for line in sys.stdin:
    said = json.loads(line)
    if "hello" in said or "protocol" in said:
        print(json.dumps({"id": said.get("id"), "protocol": 1, "name": "sleeper", "version": "1", "summary": "sleeps"}), flush=True)
    else:
        time.sleep(100)
"""
# name: words; a file that is made of -o is compared, and removed before. What stands in FILES is made once by what is told there.
QUIET = ("--progress", "none")
COMMANDS = {
    "run": ("run", "small.json", "-o", "out.h5", *QUIET),
    "run, 10^6 agents": ("run", "million.json", "-o", "out.h5", *QUIET),
    "run, guest that sleeps": ("run", "sleeper.json", "-o", "out.h5", *QUIET),
    "run --batch": ("run", "million.json", "-o", "out.h5", "--batch", "slurm", "--pilot", "8"),
    "plan, 10^6 agents": ("plan", "million.json"),
    "plan -o": ("plan", "small.json", "-o", "camp", "--suites"),
    "merge": ("merge", "stored", "-o", "out.h5"),
    "verify": ("verify", "found.h5"),
    "decide": ("decide", "small.json", "P [ always not alarm ]", "--width", "0.03"),
    "decide -o": ("decide", "small.json", "P [ always not alarm ]", "--width", "0.03", "-o", "out.h5"),
    "decide, 10^6 agents": ("decide", "million.json", "P [ always not alarm ]", "--width", "0.03"),
    "decide of a file": ("decide", "found.h5", "P [ always not alarm ]"),
    "explore morris": ("explore", "small.json", "--arm", "S", "--method", "morris", "--measure", "sum moved", "-o", "out.h5"),
    "explore patterns": ("explore", "small.json", "--arm", "S", "--method", "patterns", "--measure", "mean moved", "--cell", "10",
                         "--budget", "300000"),
    "explore sobol": ("explore", "small.json", "--arm", "S", "--measure", "sum moved"),
    "search": ("search", "small.json", "--arm", "P", "--budget", "400000", "-o", "out.h5"),
    "search, 10^6 agents": ("search", "million.json", "-o", "out.h5"),
    "search of schedules": ("search", PROCESSES / "two_phase.json", "--budget", "300000", "-o", "out.h5"),
    "estimate plain": ("estimate", "small.json", "--arm", "P", "--budget", "300000", "-o", "out.h5"),
    "estimate splitting": ("estimate", "small.json", "--arm", "P", "--method", "splitting", "--budget", "300000", "-o", "out.h5"),
    "estimate, 10^6 agents": ("estimate", "million.json", "--budget", "30"),
    "run of processes": ("run", PROCESSES / "two_phase.json", "-o", "out.h5", *QUIET),
    "efsm check": ("efsm", "check", EFSM / "billing_hard.json"),
    "efsm compare": ("efsm", "compare", EFSM / "billing_hard.json", EFSM / "billing_hard.json"),
    "efsm reach": ("efsm", "reach", EFSM / "billing_hard.json", "--goal", "all-transitions", "-o", "reach.json"),
    "efsm plan": ("efsm", "plan", EFSM / "billing_hard.json", "--goal", "all-transitions"),
    "efsm tables": ("efsm", "tables"),
    "efsm test": ("efsm", "test", EFSM / "class2_transport.json", "--goal", "all-transitions", "-o", "out.h5"),
    "efsm test, paper": ("efsm", "test", EFSM / "counter3_32000.json", "--goal", "trap_t3", "--planner", "paper", "--depth", "0", "-o", "out.h5"),
    "efsm mutants": ("efsm", "mutants", EFSM / "class2_transport_small.json"),
    "efsm mutants -o": ("efsm", "mutants", EFSM / "inres_initiator.json", "--runs", "8", "-o", "out.h5"),
    "agent cases": ("agent", "cases", "wide.json", "--unit", "PT(P)", "--policy", "t-wise", "--strength", "3"),
    "agent check": ("agent", "check", "hard_agent.json"),
    "agent test": ("agent", "test", AGENTS / "stock_manager.json", "--agent", f"python3 {AGENTS}/stock_manager.py", "-o", "out.h5"),
    "agent mutate": ("agent", "mutate", AGENTS / "stock_manager.json", "-o", "out.h5"),
    "system test": ("system", "test", "rooms.json", "-o", "out.h5"),
    "system mutants": ("system", "mutants", SYSTEMS / "ten_buttons.json", "-o", "out.h5"),
    "system train": ("system", "train", "rooms.json", "--runs", "20000", "-o", "out.json"),
    "replay of schedules": ("replay", "processes.h5", "--failing"),
    "shrink of schedules": ("shrink", "processes.h5", "--hits", "100", "-o", "out.json"),
    "shrink": ("shrink", "hard.h5", "--failure", "KEY", "-o", "out.json"),
    "shrink --check": ("shrink", "hard.h5", "--failure", "KEY", "-o", "out.json", "--free"),
    "failures": ("failures", "found.h5"),
    "failures --keep": ("failures", "found.h5", "--keep", "kept"),
    "failures --keep of schedules": ("failures", "processes.h5", "--keep", "kept"),
    "why": ("why", "hard.h5", "--failure", "KEY"),
    "tree": ("tree", "found.h5", "--arm", "S"),
    "replay": ("replay", "found.h5"),
    "coverage": ("coverage", "found.h5"),
    "compare": ("compare", "found.h5", "found.h5"),
    "show": ("show", "found.h5", "tables"),
    "show survival": ("show", "found.h5", "survival", "--box", "gray"),
    "report": ("report", "found.h5", "-o", "out.html"),
    "export --all": ("export", "found.h5", "--all", "all"),
    "judge": ("judge", "small.corridor", "long.jsonl"),
    "judge of a file": ("judge", "small.corridor", "found.h5"),
    "judge of a trace": ("judge", "--formula", "always (b implies eventually[0, 300] d)", "long.csv"),
    "prove": ("prove", "hard.corridor"),
    "combine": ("combine", "wide.pict", "--strength", "4"),
    "profile fit": ("profile", "fit", "long_series.csv", "--column", "value", "--states", "12", "-o", "out.json"),
    "profile walk": ("profile", "walk", LIBRARY / "demo.json", "--to", "radiation = 'dark' and wind = 'strong' and water = 'high'", "-n", "2000000"),
    "profile chain": ("profile", "chain", "found.h5", "--arm", "S", "--environment", "wind_speed", "--suite", "0"),
    "check": ("check", "psopp", "spada"),
    "check, one that naps": ("check", "./naps.so"),
    "status --watch": ("status", "stored", "--watch"),
    "watch": ("watch", "small.json"),
    "doctor": ("doctor",),
}


def make_inputs(folder):
    """Those that take a while are made by the program itself."""
    def write(name, content):
        (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
    write("small.json", SMALL)
    write("million.json", MILLION)
    with open(folder / "long.jsonl", "w", encoding="utf-8") as states:
        for n in range(100000):
            states.write(json.dumps({"agents": [{"type": "t", "value": (n + i) % 7 / 8} for i in range(12)], "organizations": [[*range(n % 11 + 1)], [*range(n % 11 + 1, 12)]]}) + "\n")
    write("long.csv", "b,d\n" + "".join(f"{n % 3 == 0:d},{n % 5 == 0:d}\n" for n in range(2000000)))
    write("small.corridor", "structure partitioning\ninvariant near: all(o in organizations: abs(mean(a in o.members: a.value) - mean(a in agents: a.value)) <= 0.4)\n"
          "temporal back: always (not inside implies eventually[0, 30] inside)\n")
    write("hard.corridor", "structure partitioning\n" + "".join(f"attribute v{n}: real\n" for n in range(8)) + "".join(
        f"invariant i{n}: sum(a in agents: a.v{n % 8} * a.v{(n + 1) % 8}) <= {n} * max(o in organizations: sum(a in o.members: a.v{(n + 3) % 8}))\n" for n in range(60)))
    names, rng = [f"X{n}" for n in range(12)], random.Random(7)
    design = {"format": "agent-unit/1", "agent": "Wide", "entry": ["Go"], "actions": [{"name": "Act"}], "test": {"seed": 1},
              "events": [{"name": "Go", "kind": "percept", "params": [{"name": name, "type": "int", "valid": [">= 0", "<= 9"]} for name in names]}]}
    plan = {"trigger": "Go", "does": ["Act"], "body": [{"do": "Act"}]}
    write("wide.json", {**design, "plans": [{"name": "P", "context": "X0 > 1 and X1 > 2", **plan}]})
    write("hard_agent.json", {**design, "agent": "Hard", "plans": [
        {"name": f"P{n}", "context": " and ".join(f"{rng.choice(names)} * {rng.choice(names)} * {rng.choice(names)} % {rng.randrange(90, 97)} = {rng.randrange(9)}" for _ in range(3)), **plan}
        for n in range(24)]})
    shutil.copytree(SYSTEMS / "rooms", folder / "rooms")
    rooms = json.loads((SYSTEMS / "ten_buttons.json").read_text())
    rooms["goals"]["anything"]["goal"] = "cycle >= 100000"
    agent = {"name": "t1", "goal": "anything", "policy": {"q": {"reward": "new state"}}, "budget": 200000}
    write("rooms.json", {**rooms, "tests": [{"name": "wanders", "cycles": 100000, "agents": [agent]}]})
    write("naps.c", '#define _GNU_SOURCE\n#include <corridor/plugin.h>\n#include <time.h>\n'
          'static enum cor_progress result(void *s, const struct cor_task *t, const struct cor_host *h) { (void)s, (void)t, (void)h;\n'
          ' for (;;) nanosleep(&(struct timespec){.tv_nsec = 1000000}, 0); }\n'
          'extern const struct cor_algorithm corridor_algorithm_1;\n'
          'const struct cor_algorithm corridor_algorithm_1 = {COR_ALGORITHM, .name = "naps", .version = "1", .summary = "naps", .budget_unit = "nap", .result = result};\n')
    subprocess.run(["cc", "-shared", "-fPIC", "-I", SOURCE / "algorithms/plugin/include", "naps.c", "-o", "naps.so"], cwd=folder, check=True)
    (folder / "experiments").symlink_to(SOURCE / "experiments")
    write("sleeper.py", SLEEPER)
    (folder / "sleeper.py").chmod(0o755)
    write("sleeper.json", {**SMALL, "suites": 4, "arms": [{"name": "Z", "algorithm": "./sleeper.py"}]})
    write("wide.pict", "".join(f"P{n}: {', '.join(f'v{v}' for v in range(7))}\n" for n in range(24)))
    write("long_series.csv", "time,value\n" + "".join(f"{n},{(n * 7919) % 1000 / 10}\n" for n in range(400000)))
    subprocess.run([CORRIDOR, "run", "small.json", "-o", "found.h5", "--suites", "900", *QUIET], cwd=folder, check=True, capture_output=True)
    hard = {**SMALL, "suites": 6, "cases": [200, 400], "arms": [{**SPADA, "parameters": {"agents": [60, 90], "budget": 4000}}]}
    write("hard.json", hard)
    subprocess.run([CORRIDOR, "run", "hard.json", "-o", "hard.h5", *QUIET], cwd=folder, check=True, capture_output=True)
    subprocess.run([CORRIDOR, "run", PROCESSES / "two_phase.json", "-o", "processes.h5", *QUIET], cwd=folder, check=True, capture_output=True)
    done = subprocess.run([CORRIDOR, "failures", "hard.h5", "--json"], cwd=folder, capture_output=True, text=True, check=True)
    keys = re.findall(r'"key": ?"(S/[0-9/]+)"', done.stdout)
    done = subprocess.run([CORRIDOR, "plan", "small.json", "-o", "stored"], cwd=folder, capture_output=True, check=True)
    subprocess.run([CORRIDOR, "run", "stored", *QUIET], cwd=folder, check=True, capture_output=True)
    return keys[0] if keys else "S/0/0/0"


def without_clock(text):
    return re.sub(r"[0-9.]+ (s|min|ms)\b", "T", text)


class Bench:
    def __init__(self, inputs, key):
        self.inputs, self.key = inputs, key

    def clean(self, folder):
        for path in folder.iterdir():
            if not (self.inputs / path.name).exists():
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()

    def begin(self, folder, words):
        (folder / "tmp").mkdir(exist_ok=True)
        said = open(folder / "said", "w", encoding="utf-8")
        return subprocess.Popen([CORRIDOR, *[self.key if word == "KEY" else word for word in map(str, words)]], cwd=folder, text=True,
                                stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.PIPE, start_new_session=True,
                                env={**os.environ, "TMPDIR": str(folder / "tmp"), "LC_ALL": "C"})

    def made(self, folder):
        """What it wrote, and what it said."""
        files = {}
        for path in sorted(folder.rglob("*")):
            top = path.relative_to(folder).parts[0]
            if path.is_file() and not (self.inputs / top).exists() and top != "said" and not path.name.endswith((".times.csv", ".times")):
                files[str(path.relative_to(folder))] = path.read_bytes()
        files["said"] = without_clock((folder / "said").read_text(errors="replace"))
        return files

    def row(self, name, words):
        with tempfile.TemporaryDirectory(prefix="interrupts-") as made:
            folder = pathlib.Path(made)
            for path in self.inputs.iterdir():
                (folder / path.name).symlink_to(path)
            process = self.begin(folder, words)
            start = time.monotonic()
            try:
                process.communicate(timeout=PATIENCE)
                whole = self.made(folder)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                whole = None
            took, code = time.monotonic() - start, process.returncode
            said, ended, codes, left, same = 0, 0, [], set(), set()
            for number, share in MOMENTS:
                self.clean(folder)
                process = self.begin(folder, words)
                time.sleep(share * took)
                if process.poll() is not None:
                    codes.append("over")
                    process.communicate()
                    continue
                os.set_blocking(process.stderr.fileno(), False)
                with contextlib.suppress(BlockingIOError):
                    os.read(process.stderr.fileno(), 1 << 20)
                process.send_signal(number)
                told = time.monotonic()
                heard = select.select([process.stderr], [], [], 60)[0] and time.monotonic() - told
                os.set_blocking(process.stderr.fileno(), True)
                try:
                    process.communicate(timeout=90)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.communicate()
                silence = time.monotonic() - told
                said, ended = max(said, heard or 60), max(ended, silence)
                codes.append("T" if process.returncode < 0 else str(process.returncode))
                time.sleep(0.3)
                left |= {re.sub("-[A-Za-z0-9]{6}$", "-*", str(path.relative_to(folder))) for where in (folder, folder / "tmp") for path in where.iterdir()
                         if path.name not in ("said", "tmp") and not (self.inputs / path.name).exists()}
                if whole and process.returncode != code:
                    again = self.begin(folder, words)
                    try:
                        text = again.communicate(timeout=120)[1]
                    except subprocess.TimeoutExpired:
                        os.killpg(again.pid, signal.SIGKILL)
                        text = again.communicate()[1]
                    now = self.made(folder)
                    same.add("same" if (again.returncode, now) == (code, whole) else
                             f"code {again.returncode} for {code}: {text.strip()[-150:]}" if again.returncode != code else
                             "differs: " + " ".join(sorted(n for n in now.keys() | whole.keys() if now.get(n) != whole.get(n))))
            print(f"| {name} | {took:.1f}{'' if whole else '-'} | {said:.2f} | {ended:.2f} | {' '.join(codes)} | "
                  f"{', '.join(sorted(left))} | {'; '.join(sorted(same))} |", flush=True)
            return ended


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored, and by commands, too
    with tempfile.TemporaryDirectory(prefix="interrupts-inputs-") as made:
        inputs = pathlib.Path(made)
        bench = Bench(inputs, make_inputs(inputs))
        print("| command | takes, s | says, s | ends, s | exit | leaves | again |\n| --- | --- | --- | --- | --- | --- | --- |", flush=True)
        worst = max(bench.row(name, words) for name, words in COMMANDS.items() if len(sys.argv) < 4 or name in sys.argv[3:])
    print(f"torture: interrupts | {len(sys.argv[3:]) or len(COMMANDS)} | longest silence after a signal: {worst:.2f} s")
    return 0 if worst < 2 else 1


if __name__ == "__main__":
    sys.exit(main())
