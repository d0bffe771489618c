#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make search-study: generators on equal budgets, each as often as is needed to tell them apart.

usage: search_study.py CORRIDOR SOURCE_DIRECTORY GUESTS OUTPUT_DIRECTORY [REPETITIONS]

Four arms: fault F5 of PSOPP, a fault that needs a rare conjunction of the environment, and two guests in which
nothing is to be found, one of them with probes of pure noise. Fails if anything is found in these."""
import json
import pathlib
import shutil
import subprocess
import sys

corridor, source, guests, output = sys.argv[1], *(pathlib.Path(word).resolve() for word in sys.argv[2:5])
repetitions = sys.argv[5] if len(sys.argv) > 5 else "20"
output.mkdir(parents=True, exist_ok=True)
for guest in guests.glob("*.so"):
    shutil.copy(guest, output)
weather = json.loads((source / "experiments/generators/tests/study/weather.json").read_text())
for arm in weather["arms"]:
    arm["algorithm"] = "./" + arm["algorithm"]
(output / "weather.json").write_text(json.dumps(weather))


def compare(name, experiment, arm, generators, budget):
    """Runs it, shows it, and gives its sheets."""
    words = [corridor, "compare-search", experiment, "--arm", arm, "--generators", generators, "--budget", str(budget), "--repetitions", repetitions,
             "--isolate", "never", "-o", f"{name}.h5", "--force", "--json"]
    done = subprocess.run(words, cwd=output, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: exit code {done.returncode}")
    (output / f"{name}.json").write_text(done.stdout)
    print(f"{arm}, {budget} test cases a search")
    for sheet in ("shares", "pairs"):
        sys.stdout.flush()
        subprocess.run([corridor, "searches", f"{name}.h5", "--sheet", sheet], cwd=output, check=True)
    return json.loads(done.stdout)


GUIDED = "random,coverage"  # directed needs a seam, which the last two have not
demo = source / "experiments/demo.json"
compare("f5", demo, "PSOPP-F5", GUIDED, 100000)
compare("rare", output / "weather.json", "rare", GUIDED, 20000)
nothing = [compare(name, output / "weather.json", name, "random,coverage", 20000) for name in ("noise", "sound")]
wrong = [document["first"] for document in nothing if document["first"] is not None]
print("nothing was found where nothing is to be found" if not wrong else f"found in a sound algorithm: {wrong}")
sys.exit(1 if wrong else 0)
