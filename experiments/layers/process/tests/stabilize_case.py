# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests of corridor stabilize share: a small program of rules whose lines are exchanged, its experiment, and what the command says of it.

Of a test with the arguments CORRIDOR SOURCE MODULES [in-full]."""
import json
import pathlib
import shutil
import sys

sys.path[:0] = [str(pathlib.Path(sys.argv[2]) / folder) for folder in ("experiments/command/tests", "experiments/engines/stabilize/tests")]
import e2e  # noqa: E402

KIT = e2e.SOURCE / "experiments/library/processes/corridor_process.py"
RING = ["structure observed", "attribute enabled: integer", "invariant single: sum(a in agents: a.enabled) == 1"]
SAME = ["structure observed", "attribute x: integer", "invariant same: all(a in agents: all(b in agents: a.x == b.x))"]
PROGRAM = """import corridor_process as corridor
class P(corridor.Rules):
    name = "p"
    def variables(self):
        return {"x": range(3)}
    def reads(self):
        return [(self.me - 1) % self.count]
    def rule(self, left):
        return {"x": left.x} if self.x != left.x else None
corridor.run(P)
"""
VARIABLES, READS, RULE = (f"        {line}\n" for line in ('return {"x": range(3)}', "return [(self.me - 1) % self.count]",
                                                           'return {"x": left.x} if self.x != left.x else None'))


class StabilizeCase(e2e.Case):
    def setUp(self):
        super().setUp()
        shutil.copy(KIT, self.folder)

    def program(self, text=PROGRAM, *changes, name="p"):
        for old, new in zip(changes[::2], changes[1::2]):
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        (self.folder / f"{name}.py").write_text(text)

    def write(self, corridor=SAME, program="python3 p.py", count=3, **others):
        (self.folder / "e.json").write_text(json.dumps({"process": {"program": str(program), "count": count}, "corridor": corridor, **others}))

    def rows(self, *options, code=None):
        return json.loads(self.corridor("stabilize", "e.json", "--json", *options, code=code).stdout)["sheets"]["stabilize"]["rows"]

    def said(self, code, *options):
        return self.corridor("stabilize", "e.json", *options, code=code).stdout

    def ring(self):
        for name in ("my_ring.py", "my_ring.json"):
            shutil.copy(e2e.SOURCE / "experiments/library/new/stabilize_python" / name, self.folder)
