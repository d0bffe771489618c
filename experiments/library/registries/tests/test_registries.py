#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A program of a registry keeps its corridor in so many cases, and each planted fault is found and found again; in the long form, of 1,000
cases and more, it is shrunk, too, and its page is held against the command on it. A counted skip where the program is not there.

usage: test_registries.py CORRIDOR SOURCE SUBJECT CASES"""
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

BINARY, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
SUBJECT, CASES = sys.argv[3], int(sys.argv[4])
IS_LONG = CASES >= 1000
FOLDER = SOURCE / "experiments/library/registries"
# By experiment: packages of npm, options of node that it takes, and what shows that Debian's are there.
NEEDS = {"kbucket": (["k-bucket"], [], []), "ebt": (["epidemic-broadcast-trees"], [], []), "automerge": (["@automerge/automerge"], ["--disable-wasm-trap-handler"], []), "yjs": (["yjs"], [], []),
         "gossipsub": (["@libp2p/gossipsub"], [], []), "hashring": (["hashring"], [], []), "skmeans": (["skmeans"], [], []),
         "dbscan": (["density-clustering"], [], []), "pso": (["pso"], [], []), "swim": (["happn-swim"], [], []), "kad": (["kad-dht-16.2.7", "kad-dht-16.4.5"], [], []),
         "uhashring": ([], [], [["/usr/bin/python3", "-c", "import importlib.metadata; assert importlib.metadata.version('uhashring') == '2.1'"]]),
         "pacemaker": ([], [], [["/usr/bin/python3", "-c", "import ctypes; ctypes.CDLL('libpacemaker.so.1')"],
                                ["sh", "-c", "/usr/sbin/crm_simulate --version | grep -q 'Pacemaker 2.1.5'"]]),
         "golly": ([], [], [["sh", "-c", "/usr/bin/bgolly --exec /dev/null | grep -q 'bgolly 3.3 '"]]),
         "sumo": ([], [], [["sh", "-c", "sumo --version | grep -q 'Version 1.15.0'"], ["/usr/bin/python3", "-c", "import libsumo"]]),
         "opendht": ([], [], [["test", "-x", str(SOURCE / "build/registries/opendht")]]), "etcd": ([], [], [["test", "-x", str(SOURCE / "build/registries/etcd")]]),
         "patroni": ([], [], [["/usr/bin/python3", "-c", "import importlib.metadata; assert importlib.metadata.version('patroni') == '3.0.2'"]]),
         "communities": ([], [], [["mcl", "--version"], ["/usr/bin/python3", "-c", "import networkx.algorithms.community.louvain"]])}
# By experiment: arms that have no fault and fail all the same, as their page tells.
FINDINGS = {"dbscan": {"noise"}, "gossipsub": {"leaves_soon"}, "uhashring": {"gone", "alike", "counts"}, "pacemaker": {"stays", "fewer"}, "golly": {"rule", "edits", "tori", "told"}, "sumo": {"maximum", "organized"}, "swim": {"back"}, "kad": {"answered", "others"}, "opendht": {"back"}, "patroni": {"stays", "newest", "alone"}}
# And that have one which is none: looked at in the long form, in place of `sound`, which fails now and then; in both where there is no `sound`.
MENDED = {"gossipsub": {"mended"}, "uhashring": {"mended", "ketama"}, "sumo": {"mended"}, "swim": {"calls_dead"}, "kad": {"newer"}, "opendht": {"mended"}, "etcd": {"mended"}, "patroni": {"mended"}}
# By experiment: a program of Debian, what it says before its version, its name, that version, its package, and where a newer one may be.
VERSIONS = {"pacemaker": ("crm_simulate", "Pacemaker", "pacemaker", "2.1.5", "pacemaker-cli-utils", "pacemaker/lib/libpacemaker.so.1"),
            "golly": ("bgolly", "This is bgolly", "bgolly", "3.3", "golly", "golly/bgolly")}
# By experiment: arms that fail too seldom to be looked for; a test has the failure.
KEPT = {"etcd": {"reads": "etcd/stale_read.json"}}
FAULTY_CASES = 400 if IS_LONG else 50  # within which each fault is found
# By experiment: a fault that hides longer. In the short form others are looked for.
RARE = {"gossipsub": {"calls_one": 1000, "leaves_soon": 900}, "ebt": {"never_retrieves": 100}, "automerge": {"keeps_sync_state": 200}, "yjs": {"last_wins": 100},
        "golly": {"rule": 1000, "edits": 200, "tori": 1000}, "swim": {"back": 200, "passes_on": 1000}, "opendht": {"back": 500},
        "patroni": {"newest": 900, "alone": 2000}}


def works(*words):
    return shutil.which(words[0]) is not None and subprocess.run(words, capture_output=True, check=False).returncode == 0


def what_is_missing():
    packages, options, commands = NEEDS[SUBJECT]
    for package in packages:
        if not any((place / "node_modules" / package).is_dir() for place in (FOLDER, SOURCE / "build/registries")):
            return f"{package} is not installed (make registries)"
    if packages and not works("node", *options, "-e", "0"):
        return f"node {' '.join(options)} is not there"
    return next((f"{' '.join(command)} does not work" for command in commands if not works(*command)), None)


def corridor(*words, codes=(0,)):
    done = subprocess.run([str(word) for word in (BINARY, *words)], capture_output=True, text=True, cwd=SOURCE, check=False)
    assert done.returncode in codes, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def arms_of(experiment):
    """Arms by name, of both kinds of experiments."""
    return experiment["arms"] if "process" in experiment else {arm["name"]: arm for arm in experiment["arms"]}


def run(folder, experiment, arms, cases):
    """The result of some arms, of so many cases each at least."""
    experiment = experiment | {"arms": arms if "process" in experiment else list(arms.values())}
    experiment["suites"] = experiment["suites"] if IS_LONG else 1
    experiment["sequences"] = -(-cases // (experiment["suites"] * experiment["cases"]))
    (folder / "now.json").write_text(json.dumps(experiment))
    result = folder / "now.h5"
    print(corridor("run", folder / "now.json", "-o", result, "--force", "--progress", "none"), flush=True)
    return result


def failures(result):
    return json.loads(corridor("failures", result, "--json"))["sheets"]


def look_at_sound(result, arms, is_process):
    sheets = failures(result)
    if is_process:
        rows = {row["arm"]: row for row in sheets["arms"]["rows"]}
        assert all(row["verdict"] == ("not found" if "fault" in arms[arm] else "no violation") for arm, row in rows.items()), rows
    else:
        rows = {row["arm"]: row for row in json.loads(corridor("show", result, "tables", "--json"))["sheets"]["found"]["rows"]}
        assert {row["verdict"] for row in rows.values()} == {"no check failed"}, rows
    assert set(rows) == set(arms), rows


def look_at_fault(folder, result, arm, is_process):
    """The fault is found, and what fails, shrunk or as it was found, fails again."""
    test = folder / f"{arm}.json"
    sheets = failures(result)
    rows = [row for sheet in sheets.values() for row in sheet.get("rows", []) if str(row.get("key", "")).startswith(arm + "/")]
    keys = [row["key"] for row in rows]
    assert all(row.get("class") != "garbled" for row in rows), f"the adapter of {arm} answers what nobody reads: {sheets}"
    assert keys, f"{arm} is not found: {sheets}"
    if not IS_LONG:
        print(corridor("replay", result, "--failure", keys[0], "--trust"), flush=True)
        return
    few = ["--hits", "2"] if is_process else []  # of twelve it would take an hour
    corridor("shrink", result, "--failure", keys[0], *few, "-o", test, "--force", "--trust")
    corridor("replay", test, "--trust", *(["--expect", "failing"] if is_process else []))
    if is_process:
        print(corridor("replay", test, "--trace", "--trust"), flush=True)


def look_at_page(folder, experiment, fails):
    """How often its page says that each fault is found is what comes of the command on it."""
    said = " ".join((SOURCE / f"docs/gallery/{SUBJECT}.md").read_text().split())
    whole, result = experiment["suites"] * experiment["sequences"], folder / "page.h5"
    corridor("run", FOLDER / f"{SUBJECT}.json", "-o", result, "--progress", "none")
    found = {tuple(row["key"].split("/")[:3]) for row in failures(result)["failures"]["rows"]}
    for name in fails:
        times = sum(key[0] == name for key in found)
        words = [f"{times} of {whole} {what}s" for what in ("schedule", "sequence")] + (["every sequence", "every schedule"] if times == whole else [])
        assert any(word in said for word in words), f"{name} is found in {times} of {whole}: docs/gallery/{SUBJECT}.md says otherwise"


def answers(adapter, tasks):
    """What an adapter answers to tasks, by hand."""
    lines = [{"id": number, "task": task} for number, task in enumerate(tasks)] + [{"id": len(tasks), "bye": True}]
    done = subprocess.run(["node", FOLDER / adapter], input="".join(json.dumps(line) + "\n" for line in lines), capture_output=True, text=True, check=True)
    return [json.loads(line)["blocks"] for line in done.stdout.splitlines()]


def look_at_noise():
    """Clusters are those of Ester et al. (1996), by brute force; and the package's noise has agents in it that stand in a cluster."""
    draw = random.Random(5)
    planes = [[(draw.uniform(0, 100), draw.uniform(0, 100)) for _ in range(24)] for _ in range(200)]
    tasks = [{"structure": [[0]], "values": list(zip(*plane)), "rules": {"columns": [{"name": "x"}, {"name": "y"}]}, "parameters": {"noise": noise},
              "fault": None, "seed": "0x1f2e3d4c5b6a7988"} for plane in planes for noise in (0, 1)]
    told = answers("dbscan.js", tasks)
    wrong = 0
    for plane, clusters, without_noise in zip(planes, told[::2], told[1::2]):
        near = [{b for b, there in enumerate(plane) if math.dist(here, there) < 15} for here in plane]
        cores = {a for a, those in enumerate(near) if len(those) >= 3}
        block = {agent: number for number, cluster in enumerate(clusters) for agent in cluster}
        for core in cores:
            joined = {core}
            while grown := {b for a in joined for b in near[a] & cores} - joined:
                joined |= grown
            assert {agent for agent in cores if block[agent] == block[core]} == joined, (plane, clusters)
        border = {a for a in range(24) if a not in cores and near[a] & cores}
        assert all(any(block[core] == block[a] for core in near[a] & cores) for a in border), (plane, clusters)
        assert all([a] in clusters for a in set(range(24)) - cores - border), (plane, clusters)
        alone = {cluster[0] for cluster in without_noise if len(cluster) == 1} - {cluster[0] for cluster in clusters if len(cluster) == 1}
        wrong += bool(alone & border)
    print(f"{len(planes)} planes: clusters as by brute force; in {wrong} of them somebody of a cluster is in the noise, too")
    assert wrong, "noise is what is in no cluster: the page says otherwise"


def look_at_leaving():
    """Who left before it was grafted stays in a mesh, by hand, too; not where who hears of it takes him out."""
    for words, keeps in (([], ["B"]), (["mended"], [])):
        done = subprocess.run(["node", FOLDER / "tests/leaves.js", *words], capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == {"wanted": True, "keeps": keeps, "knows": [], "left": []}, (words, done.stdout)
    print("two by hand: who is known to have left is a neighbour 30 heartbeats later")


def look_at_coming_back(arm):
    """What docs/do/stabilize.md says of an arm of gossipsub_back.json is what comes; nothing is proved, and the program never claimed it."""
    done = json.loads(corridor("stabilize", FOLDER / "gossipsub_back.json", "--arm", arm, "--json", codes=(1 if arm == "calls_one" else 0,)))
    form = r"(mixed|mail): (?:does not come back: ([0-9.]+) .* of|nothing that stays outside in) ([0-9]+) starts drawn.*"
    said = [re.fullmatch(form, row["said"]) for row in done["sheets"]["stabilize"]["rows"]]
    row = f"| `gossipsub`, `{arm}` |"
    line, = (line for line in (SOURCE / "docs/do/stabilize.md").read_text().splitlines() if line.startswith(row))
    assert line.endswith(" | ".join(f"{one[2] or 'back,'} of {one[3]}" for one in said) + " |"), (line, said)
    print(line)


def look_at_ring():
    """The package on its own: a ring made afresh is that of a plain program, one that was changed is not."""
    done = subprocess.run(["/usr/bin/python3", FOLDER / "tests/ring.py"], capture_output=True, text=True, check=True)
    said = json.loads(done.stdout)
    assert said["afresh"] == said["mended"] == 0 and said["changed"] > 0 and said["keys_at_the_gone"] > 0, said
    assert said["counted"] > said["points"], said
    print(f"{said['rings']} rings: made afresh as by brute force; changed in place, {said['changed']} place keys elsewhere")


def look_at_python(version, package):
    """An adapter of a package of Python refuses other versions, and says what is missing."""
    adapter = FOLDER / f"{SUBJECT}_process.py"
    with tempfile.TemporaryDirectory() as name:
        other = pathlib.Path(name) / f"{SUBJECT}-9.0.dist-info"
        other.mkdir()
        (other / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {SUBJECT}\nVersion: 9.0\n")
        refuses([adapter], f"{SUBJECT} 9.0 is installed, and {version} is what is tested here: {package} of Debian 12", name)
        refuses(["-I", "-S", adapter], f"{SUBJECT} is not installed for /usr/bin/python3: make subjects, or {package} of Debian 12", name)


def refuses(words, sentence, path=""):
    """An adapter without its program, or with another version of it, says so at once."""
    done = subprocess.run(["/usr/bin/python3", *words], env={"PYTHONPATH": path}, input="", capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr == sentence + "\n", (done.returncode, done.stderr)


def look_at_built(package, version, builds):
    """An adapter that is a program says what is missing, and refuses another version, for which it is built, or a library stands in."""
    without = subprocess.run(["sh", FOLDER / "built.sh", SUBJECT, package], cwd=FOLDER, capture_output=True, text=True, check=False)
    assert (without.returncode, without.stderr) == (1, f"build/registries/{SUBJECT} is not there: make subjects, with {package} of Debian 12\n"), without
    with tempfile.TemporaryDirectory() as name:
        made = pathlib.Path(name) / "made"
        words, text, settings = builds(made)
        subprocess.run(words, input=text, env=os.environ | settings, text=True, check=True)
        is_library = bool(text)
        done = subprocess.run([SOURCE / "build/registries" / SUBJECT if is_library else made], env={"LD_PRELOAD": str(made)} if is_library else {},
                              input="", capture_output=True, text=True, check=False)
        sentence = f"{SUBJECT} 9.0 is installed, and {version} is what is tested here: {package} of Debian 12\n"
        assert (done.returncode, done.stderr) == (1, sentence), done


def look_at_kept(folder, path):
    """A test that is kept fails again; the program that is mended gives no answer in it, as its page tells."""
    corridor("replay", FOLDER / path, "--trust", "--expect", "failing")
    test = json.loads((FOLDER / path).read_text())
    test["corridor"] = str((FOLDER / path).parent / test["corridor"])
    for arm in test["arms"].values():
        arm["fault"] = "mended"
    (folder / "mended.json").write_text(json.dumps(test))
    said = corridor("replay", folder / "mended.json", "--trust", "--expect", "fixed", codes=(7,))
    assert said.endswith("atomic was put to no test: no call returned anything that could be wrong\n"), said


def look_at_version(folder, experiment):
    """Other versions are refused; a newer one, if it was built, keeps all of the corridor."""
    adapter = FOLDER / f"{SUBJECT}_process.py"
    program, says, name, version, package, built = VERSIONS[SUBJECT]
    with tempfile.TemporaryDirectory() as place:
        other = pathlib.Path(place) / program
        other.write_text(f"#!/bin/sh\necho {says} 9.0\n")
        other.chmod(0o755)
        for place, sentence in ((str(other), f"{name} 9.0 is installed, and {version} is what is tested here: {package} of Debian 12"),
                                (None, f"{program} is not there: make subjects, or {package} of Debian 12")):
            refuses(["-c", f"import runpy, shutil; shutil.which = lambda *a, **b: {place!r}; runpy.run_path({str(adapter)!r}, run_name='__main__')"], sentence)
    if not (SOURCE / "build/registries" / built).exists():
        print(f"a newer {name} was not built (docs/gallery/{SUBJECT}.md): the mended side is not looked at")
        return
    arms = {"newer": {"fault": "newer"}}
    look_at_sound(run(folder, experiment, arms, CASES), arms, True)


def look_at_lights():
    """Other versions of the package are refused."""
    adapter = FOLDER / "sumo_process.py"
    other = f"import runpy, subprocess, types; subprocess.run = lambda *a, **b: types.SimpleNamespace(stdout='sumo Version 9.0'); runpy.run_path({str(adapter)!r})"
    refuses(["-c", other], "sumo 9.0 is installed, and 1.15.0 is what is tested here: sumo of Debian 12")
    refuses(["-I", "-S", adapter], "sumo is not installed for /usr/bin/python3: make subjects, or sumo of Debian 12")


def look_at_torus():
    """What QuickLife makes of cells that are set on a torus, by hand, too: not what HashLife does, where a generation was made before."""
    cells = "".join(f"set {x} {y}\n" for y, row in enumerate(("o.o.oo", ".ooo.o", "o.o..o", ".oo.o."), 2) for x, cell in enumerate(row, -35) if cell == "o")
    seen = {}
    for algorithm in ("QuickLife", "HashLife"):
        for before in ("", "step 1\n"):
            pattern, end = os.pipe()
            os.write(end, b"x = 0, y = 0, rule = B13/S12V:T70,32\n!\n")
            os.close(end)
            done = subprocess.run(["/usr/bin/bgolly", "-a", algorithm, "--exec", "-", f"/proc/self/fd/{pattern}"], pass_fds=[pattern], check=False,
                                  input=f"{before}{cells}step 1\n", capture_output=True, text=True)
            os.close(pattern)
            seen[algorithm, bool(before)] = int(done.stdout.split(": ")[-1].split()[0])
    assert seen.pop(("QuickLife", True)) == 24 and set(seen.values()) == {26}, seen
    print("14 cells on a torus: 26 a generation later, and 24 of QuickLife where another generation came before")


def main():
    missing = what_is_missing()
    if missing:
        print(f"skipped: {missing}")
        sys.exit(77)
    experiment = json.loads((FOLDER / f"{SUBJECT}.json").read_text())
    experiment["corridor"] = (FOLDER / experiment["corridor"]).read_text().splitlines()
    is_process, arms = "process" in experiment, arms_of(experiment)
    mended = MENDED.get(SUBJECT, set())
    fails = FINDINGS.get(SUBJECT, set()) | {name for name, arm in arms.items() if "fault" in arm} - mended
    kept = KEPT.get(SUBJECT, {})
    healthy = [name for name in arms if name not in fails | mended | set(kept)]
    sound = {name: arms[name] for name in (mended if mended and (IS_LONG or not healthy) else healthy)}
    rare = RARE.get(SUBJECT, {})
    if SUBJECT == "dbscan":
        look_at_noise()
    if SUBJECT == "uhashring":
        look_at_ring()
        look_at_python("2.1", "python3-uhashring")
    if SUBJECT == "patroni":
        look_at_python("3.0.2", "patroni")
    if SUBJECT == "sumo":
        look_at_lights()
    if SUBJECT == "golly":
        look_at_torus()
    if SUBJECT == "opendht":
        look_at_built("libopendht-dev", "2.4.12", lambda made: (["g++", "-shared", "-fPIC", "-x", "c++", "-o", made, "-"],
                                                               'namespace dht { const char *version() { return "9.0"; } }', {}))
    if SUBJECT == "etcd":
        flags = "-w -X go.etcd.io/etcd/version.Version=9.0"
        settings = {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": str(SOURCE / "build/registries/go")}
        look_at_built("golang-etcd-server-dev", "3.4.23", lambda made: (["go", "build", "-ldflags", flags, "-o", made, FOLDER / "etcd.go"], "", settings))
    if SUBJECT == "gossipsub":
        look_at_leaving()
        for arm in ("mended", "gone", "calls_one") if IS_LONG else ("gone",):
            look_at_coming_back(arm)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if SUBJECT in VERSIONS:
            look_at_version(folder, experiment)
        for path in kept.values():
            look_at_kept(folder, path)
        look_at_sound(run(folder, experiment, sound, CASES), sound, is_process)
        for name, arm in arms.items():
            if name in fails and (IS_LONG or rare.get(name, 0) < 1000):
                look_at_fault(folder, run(folder, experiment, {name: arm}, rare.get(name, FAULTY_CASES)), name, is_process)
        if IS_LONG:
            look_at_page(folder, experiment, fails)


if __name__ == "__main__":
    main()
