#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The notebook docs/learn/your-algorithm.ipynb, executed by nbconvert without a screen: it comes to its end, the result shows its summary
and a picture, the failure is shrunk, and passes when the function is mended. The page's own code is the notebook's."""
import json
import os
import re
import subprocess
import sys
import xml.dom.minidom

import package
from package import SOURCE, Case

NOTEBOOK = SOURCE / "docs/learn/your-algorithm.ipynb"


def text(lines):
    return lines if isinstance(lines, str) else "".join(lines)


class Notebook(Case):
    def test_it_is_executed_and_shows_what_was_found_and_a_picture(self):
        self.assertTrue(all(not cell.get("outputs") and cell.get("execution_count") is None
                            for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]), "outputs are stripped")
        (self.folder / "of.ipynb").write_bytes(NOTEBOOK.read_bytes())
        inside = {name: str(self.folder / name.lower()) for name in
                  ("HOME", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")}
        done = subprocess.run([sys.executable, "-B", "-m", "nbconvert", "--to", "notebook", "--execute", "--output", "done.ipynb",
                               "--KernelManager.transport=ipc", "of.ipynb"], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, **inside})
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        cells = json.loads((self.folder / "done.ipynb").read_text(encoding="utf-8"))["cells"]
        outputs = [output for cell in cells for output in cell.get("outputs", [])]
        self.assertEqual([output for output in outputs if output.get("name") == "stderr"], [])
        shown = [text(output["data"]["text/html"]) for output in outputs if "text/html" in output.get("data", {})]
        self.assertEqual(len(shown), 2)
        self.assertIn("FAILS  1 of 1 arm: teams", shown[0])
        self.assertIn("no check failed", shown[1])
        picture = re.search(r"<svg.*</svg>", shown[0], re.S)
        self.assertTrue(picture, shown[0])
        drawn = xml.dom.minidom.parseString(picture.group(0)).documentElement
        self.assertTrue(drawn.getElementsByTagName("path") or drawn.getElementsByTagName("polyline"))
        said = "".join(text(output.get("text", output.get("data", {}).get("text/plain", ""))) for output in outputs)
        self.assertIn("Agent 10 is in no partition, expected in exactly one.", said)
        self.assertIn("Shrunk from 40 to 1 case", said)
        self.assertIn("as expected: yes", said)

    def test_the_page_has_the_same_function_and_experiment(self):
        page = (SOURCE / "docs/do/python.md").read_text(encoding="utf-8")
        code = ["".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
        teams = re.search(r"^```python file=teams\.py\n(.*?)^```$", page, re.S | re.M).group(1)
        self.assertEqual(re.sub(r"\n+", "\n", teams.split("if __name__")[0]).strip(), re.sub(r"\n+", "\n", "\n".join(code[:2])).strip())


if __name__ == "__main__":
    package.main()
