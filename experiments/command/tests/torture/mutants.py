#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""mutants.py CORRIDOR SOURCE MODELS: mutants of so many random models, told from them or equivalent, against a product search in Python."""
import pathlib
import re
import subprocess
import sys

CORRIDOR, SOURCE, MODELS = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]

search = SOURCE / "oracle/efsm/tests/test_product_search.py"
done = subprocess.run([sys.executable, "-B", search, CORRIDOR, MODELS, "2"], stdout=subprocess.PIPE, text=True, check=False)
found = re.search(r"(\d+) models, (\d+) mutants, (\d+) equivalent", done.stdout)
print(f"torture: mutants | {found[2] if found else 0} | "
      + (f"of {found[1]} models; {found[3]} equivalent, the others told apart by as many inputs as there" if done.returncode == 0 else "not as in Python"))
sys.exit(done.returncode)
