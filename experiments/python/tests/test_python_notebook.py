#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The package in a notebook, executed without a browser by Debian's nbconvert: a result with its picture, an interrupt, a traceback."""
import nbconvert.preprocessors
import nbformat.v4

import package
from package import Case
from test_python_algorithms import MODEL

CELLS = [f"""
import corridor

@corridor.algorithm
def solve(task):
    blocks = [list(block) for block in task.blocks]
    del blocks[0][0]
    return blocks

experiment = {{"name": "mine", "seed": 1, "suites": 3, "sequences": 3, "cases": 20, "model": {MODEL!r}}}
result = corridor.run(experiment, algorithm=solve)
result
""", """
result.replay().equal
""", """
import os, signal, threading, time

def interrupt():
    while not os.path.exists("stopped.h5.parts"):
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt).start()
try:
    corridor.run({**experiment, "suites": 100000}, algorithm=solve, output="stopped.h5")
except corridor.Interrupted as error:
    print(error)
""", """
@corridor.algorithm
def broken(task):
    return task.nothing

corridor.run(experiment, algorithm=broken)
"""]


class Notebook(Case):
    def test_cells_show_what_was_found_and_survive_what_happens(self):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
        nbconvert.preprocessors.ExecutePreprocessor(timeout=600).preprocess(notebook, {"metadata": {"path": str(self.folder)}})
        shown = []
        for cell in notebook.cells:
            parts = {"text": "", "html": "", "plain": ""}
            for output in cell.outputs:
                parts["text"] += output.get("text", "")
                parts["html"] += output.get("data", {}).get("text/html", "")
                parts["plain"] += output.get("data", {}).get("text/plain", "")
            shown.append(parts)
        self.assertIn("FAILS  1 of 1 arm: solve", shown[0]["html"])
        self.assertIn("<svg", shown[0]["html"])
        self.assertIn("3/3 suites", shown[0]["text"])
        self.assertEqual(shown[1]["plain"], "True")
        self.assertIn("\ninterrupted: ", shown[2]["text"])
        self.assertIn("AttributeError: 'Task' object has no attribute 'nothing'", shown[3]["text"])
        self.assertRegex(shown[3]["text"], r"(?m)^case broken/\d/\d/\d+$")


if __name__ == "__main__":
    package.main()
