#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `corridor plan` answers: few suites drawn, and an estimate of time and size from a pilot that leaves nothing."""
import json
import os
import re
import shutil
import unittest

import e2e


class Plan(e2e.Case):
    def plan(self, *words):
        """The JSON of a plan; its pilot works in a folder of the test's."""
        temporary = self.folder / "temporary"
        temporary.mkdir(exist_ok=True)
        done = self.corridor("plan", *words, "--json", environment={"TMPDIR": str(temporary)})
        self.assertEqual(os.listdir(temporary), [])
        return json.loads(done.stdout), done.stderr

    def test_few_suites_are_drawn(self):
        plan, _ = self.plan(self.experiment(suites=1000), "--pilot", "0")
        self.assertEqual([arm["suites_sampled"] for arm in plan["arms"]], [3, 3])
        self.assertNotIn("estimate", plan)

    def test_what_it_recommends_is_so(self):
        """Suites that begin outside: by the way that is named none does, and nothing is refused."""
        model = json.loads((e2e.SOURCE / "experiments/library/models/paper.json").read_text())
        outside = " ".join(self.corridor("plan", self.experiment(model=model, suites=20), "--pilot", "0").stdout.split())
        self.assertIn('With the threshold as a number, not by "alarm_rate", and with "start": "inside" in "structure" they begin inside.', outside)
        model["invariant"]["threshold"] = 0.3
        outside = " ".join(self.corridor("plan", self.experiment(model=model, suites=20), "--pilot", "0").stdout.split())
        self.assertIn('nobody organized. With "start": "inside" in "structure" they begin inside.', outside)
        model["structure"]["start"] = "inside"
        plan, _ = self.plan(self.experiment(model=model, suites=20), "--pilot", "0")
        self.assertEqual([arm["starts_outside"] for arm in plan["arms"]], [0, 0])

    def test_the_model_is_drawn_as_a_class_diagram(self):
        self.corridor("new", "experiment", "sense", "--like", "sensors")
        self.corridor("plan", "sense/sense.json", "--diagram", "model.puml")
        drawn = (self.folder / "model.puml").read_text()
        model = json.loads((self.folder / "sense/sense.json").read_text())["model"]
        for name in [*model["types"], *model["environments"], *model["attributes"], "covering"]:
            self.assertIn(name, drawn)
        for line in (self.folder / "sense/sense.corridor").read_text().splitlines():
            if line.startswith("invariant "):
                self.assertIn(f"{{field}} {line.split()[1]} ", drawn)
        self.assertEqual(drawn.count("@startuml"), drawn.count("@enduml"))
        # Groups, first states and influences as the model says them; the end of what is very long is left out.
        written = lambda key, value: f"{key}: " + json.dumps(value, separators=(",", ":"), ensure_ascii=False).replace('"', "'")  # noqa: E731
        self.assertIn(f"{{field}} {written('groups', model['groups'])}\n", drawn)
        kind = next(name for name, of in model["types"].items() if "influence" in of)
        one = model["types"][kind]
        one["initial"] = {state: 1 / len(one["states"]) for state in one["states"]}
        model["structure"]["start"] = "inside"
        sense = json.loads((self.folder / "sense/sense.json").read_text()) | {"model": model}
        (self.folder / "sense/more.json").write_text(json.dumps(sense))
        self.corridor("plan", "sense/more.json", "--diagram", "more.puml")
        more = (self.folder / "more.puml").read_text().replace("\n  {field}     ", "")
        for key in ("initial", "influence"):
            self.assertIn(written(key, one[key]), more)
        self.assertIn("start: 'inside'", more)
        self.assertEqual(more.count("o-- t0 : agents"), 1)
        relevant = {f"at_{i}": "true" if i == 59 else "false" for i in range(60)}
        one |= {"environment": list(model["environments"])[:1], "relevant": relevant, "influence": dict.fromkeys(relevant, list(one["states"])[0])}
        (self.folder / "sense/more.json").write_text(json.dumps(sense))
        self.corridor("plan", "sense/more.json", "--diagram", "long.puml")
        long = (self.folder / "long.puml").read_text()
        self.assertIn("'at_0':", long)
        self.assertNotIn("at_59", long)
        self.assertIn(", ..\n", long.replace(",", ", ").replace("  ", " "))
        self.corridor("plan", "sense/sense.json", "--diagram", "model.dot")
        self.assertIn("digraph model {", (self.folder / "model.dot").read_text())
        if shutil.which("dot"):
            self.corridor("plan", "sense/sense.json", "--diagram", "model.svg")
            self.assertIn("<svg", (self.folder / "model.svg").read_text())
        self.assertIn("model.dot", self.corridor("plan", "sense/sense.json", "--diagram", "model.dot", code=4).stderr)
        self.corridor("plan", "sense/sense.json", "--diagram", "model.dot", "--force")
        self.assertIn("end it in .svg, .pdf, .png or .dot", self.corridor("plan", "sense/sense.json", "--diagram", "model.gif", code=3).stderr)

    def test_standard_input_is_read_once_and_says_the_same(self):
        experiment = self.experiment()
        text = (self.folder / experiment).read_text()
        from_file = self.corridor("plan", experiment, "--json", "--pilot", "0").stdout
        self.assertEqual(self.corridor("plan", "-", "--json", "--pilot", "0", input=text).stdout, from_file)
        self.run_into("file.h5", experiment)
        self.run_into("stdin.h5", "-", input=text)
        self.assert_same_bytes("file.h5", "stdin.h5")

    def test_a_pipe_that_nobody_writes_to_is_told(self):
        os.mkfifo(self.folder / "pipe")
        self.assertIn("pipe: is a pipe that nobody writes to", self.corridor("plan", "pipe", code=3).stderr)
        with open(self.folder / self.experiment(), encoding="utf-8") as file:
            text = file.read()
        script = f"(sleep 0.3; cat small.json) | {e2e.shell(e2e.BINARY)} plan /dev/stdin --json --pilot 0"
        done = e2e.subprocess.run(["sh", "-c", script], cwd=self.folder, capture_output=True, text=True, env=e2e.ENVIRONMENT, check=True)
        self.assertEqual(done.stdout, self.corridor("plan", "-", "--json", "--pilot", "0", input=text).stdout)

    def test_standard_output_is_no_result_file(self):
        self.assertIn("standard output cannot be", self.corridor("run", self.experiment(), "-o", "-", code=2).stderr)

    def test_the_estimate_is_near_what_a_run_takes(self):
        experiment = self.experiment(suites=30)
        plan, said = self.plan(experiment, "--pilot", "1000")
        estimate = plan["estimate"]
        self.assertEqual(said, "")
        self.assertEqual(estimate["suites"], 60)
        self.assertTrue(1 <= estimate["pilot_suites"] <= 60, estimate)
        self.assertGreater(estimate["seconds"], 0)
        self.run_into("a.h5", experiment)
        size = (self.folder / "a.h5").stat().st_size
        self.assertTrue(size / 5 < estimate["bytes"] < size * 20, (estimate, size))

    def test_an_endless_experiment_is_estimated_by_the_suite(self):
        experiment = self.experiment(suites=0)
        self.assertEqual(self.plan(experiment, "--pilot", "1000")[0]["estimate"]["suites"], 1)
        self.assertRegex(" ".join(self.corridor("plan", experiment).stdout.split()),
                         r" Estimate for a suite, from a pilot of \d+ suites on \d+ workers?: about \S+ (s|min|h), \S+ [kMG]B$")

    def test_a_pilot_without_a_finished_suite_gives_no_estimate(self):
        experiment = self.experiment(cases=[1000000, 1000000])
        self.assertNotIn("estimate", self.plan(experiment, "--pilot", "0.05")[0])
        self.assertIn("Estimate: none, no suite was finished", self.corridor("plan", experiment, "--pilot", "0.05").stdout)

    def test_an_algorithm_that_ends_the_pilot_does_not_end_the_plan(self):
        shutil.copy(e2e.MODULES / "crashes.so", self.folder)
        plan, said = self.plan(self.experiment(arms=[{"name": "Odd", "algorithm": "./crashes.so"}]), "--isolate", "never")
        self.assertEqual(len(plan["arms"]), 1)
        self.assertNotIn("estimate", plan)
        self.assertTrue(re.search(r"no estimate: the pilot failed: worker \d was ended by signal 6", said), said)


if __name__ == "__main__":
    e2e.main()
