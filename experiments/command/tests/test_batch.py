#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Job arrays: the scripts of every batch system, run by a shell against stand-ins of its commands. (Slurm itself: distributed.py.)"""
import os

import e2e

# Reads the script; as many tasks as the array has are run one after the other, but for the second.
STAND_IN = r'''#!/bin/sh
script=$(cat)
printf '%s\n' "$*" >> SUBMITTED
tasks=$(printf '%s\n' "$script" | sed -n 's/.*\(--array=\|-J \|-t \|\[\)1-\([0-9]*\).*/\2/p')
if [ -z "$tasks" ]; then printf '%s\n' "$script" | sh > merged; exit; fi
i=1
while [ $i -le $tasks ]; do
  [ $i = 2 ] || printf '%s\n' "$script" | INDEX=$i PBS_O_WORKDIR=$PWD sh 2>> told || exit
  i=$((i + 1))
done
echo ANSWER
'''
SYSTEMS = {"slurm": ("sbatch", "SLURM_ARRAY_TASK_ID", "17;cluster", "--dependency=afterany:17"),
           "pbs": ("qsub", "PBS_ARRAY_INDEX", "17[].host", "-W depend=afterany:17[].host"),
           "sge": ("qsub", "SGE_TASK_ID", "17.1-3:1", "-hold_jid 17"),
           "lsf": ("bsub", "LSB_JOBINDEX", "Job <17> is submitted to queue <normal>.", "-w ended(17)")}


class Submit(e2e.Case):
    def program(self, name, text):
        path = self.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def paths(self):
        return {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}

    def test_every_batch_system_runs_the_tasks_and_then_the_rest(self):
        experiment = self.experiment("an experiment's.json")
        self.run_into("quiet.h5", experiment)
        for system, (command, index, answer, dependency) in SYSTEMS.items():
            stand_in = STAND_IN.replace("ANSWER", f"'{answer}'").replace("INDEX=", f"{index}=")
            self.program(command, stand_in)
            self.corridor("run", experiment, "-o", "out.h5", "--batch", system, "--tasks", "3", "--submit", environment=self.paths())
            submitted = (self.folder / "SUBMITTED").read_text().splitlines()
            self.assertEqual(len(submitted), 2)
            self.assertEqual(submitted[1], dependency)
            told = (self.folder / "told").read_text()
            self.assertIn("share 1 of 3 is done", told)
            self.assertNotIn("share 2 of 3", told)
            self.assert_same_bytes("quiet.h5", "out.h5")
            for name in ("SUBMITTED", "told", "merged", "out.h5", "out.h5.times.csv"):
                (self.folder / name).unlink()

    def script(self, *arguments, **others):
        return self.corridor("run", "small.json", "-o", "out.h5", "--batch", "slurm", *arguments, **others).stdout

    def test_an_array_is_as_long_as_slurm_allows(self):
        self.experiment(suites=100)
        self.program("scontrol", "#!/bin/sh\necho 'MaxArraySize            = 51'\n")
        self.assertIn("--array=1-50\n", self.script("--tasks", "5000", environment=self.paths()))
        self.assertIn("--array=1-7\n", self.script("--tasks", "5000", "--array-limit", "7", environment=self.paths()))
        self.program("scontrol", "#!/bin/sh\nexit 1\n")
        self.assertIn("--array=1-200\n", self.script("--tasks", "5000", environment=self.paths()))  # its suites
        self.assertIn("--array=1-1\n", self.script("--task-minutes", "1000", environment=self.paths()))  # by a pilot
        self.assertIn("--time=40\n", self.script("--tasks", "2", "--task-minutes", "15"))

    def test_what_cannot_be_an_array_is_refused(self):
        self.experiment(suites=0)
        self.assertIn("is endless", self.corridor("run", "small.json", "-o", "o.h5", "--batch", "slurm", "--tasks", "2", code=3).stderr)
        self.assertIn("did you mean \"slurm\"?", self.corridor("run", "small.json", "-o", "o.h5", "--batch", "slrum", code=2).stderr)
        for option in (("--submit",), ("--tasks", "2"), ("--task-minutes", "2"), ("--array-limit", "2"), ("--cpus", "2"), ("--time", "2"), ("--pilot", "2")):
            self.assertIn(f"{option[0]} needs --batch", self.corridor("run", "small.json", "-o", "o.h5", *option, code=2).stderr)
        for option in (("--jobs", "2"), ("--stop-cases", "2"), ("--json",), ("--share", "1/2")):
            self.assertIn(f"{option[0]} has no place beside --batch",
                          self.corridor("run", "small.json", "-o", "o.h5", "--batch", "slurm", *option, code=2).stderr)
        self.experiment()
        self.program("sbatch", "#!/bin/sh\nexit 1\n")
        said = self.corridor("run", "small.json", "-o", "o.h5", "--batch", "slurm", "--tasks", "2", "--submit", code=4, environment=self.paths())
        self.assertIn("has not taken the jobs", said.stderr)


if __name__ == "__main__":
    e2e.main()
