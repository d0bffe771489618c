#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the package says again of the headers of plugins, for ctypes: each struct lies as a compiler of C lays it, each number is the
header's."""
import ctypes
import subprocess

import package
from package import SOURCE, Case

HEADERS = SOURCE / "algorithms/plugin/include"


class Structs(Case):
    def compile_and_run(self, header, text):
        (self.folder / "said.c").write_text(f"#include <corridor/{header}>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {{{text}}}")
        subprocess.run(["cc", "-I", HEADERS, "said.c", "-o", "said"], cwd=self.folder, check=True)
        return subprocess.run([self.folder / "said"], capture_output=True, text=True, check=True).stdout

    def test_each_struct_lies_as_the_header_has_it(self):
        from corridor import _plugin, _process
        for header, module in (("plugin.h", _plugin), ("process.h", _process)):
            lines, expected = [], []
            for name, kind in module.BY_NAME.items():
                lines.append(f'printf("{name} %zu\\n", sizeof(struct {name}));')
                expected.append(f"{name} {ctypes.sizeof(kind)}")
                for field, *_ in kind._fields_:
                    at = f"offsetof(struct {name}, {field}), sizeof(((struct {name} *)0)->{field})"
                    lines.append(f'printf("{name}.{field} %zu %zu\\n", {at});')
                    expected.append(f"{name}.{field} {getattr(kind, field).offset} {getattr(kind, field).size}")
            self.assertEqual(self.compile_and_run(header, "".join(lines)).split("\n")[:-1], expected)

    def test_numbers_are_those_of_the_header(self):
        from corridor import _plugin, _process
        plugin = {**{f"COR_PLUGIN_{name}": getattr(_plugin, name) for name in ("MAGIC", "MAJOR", "MINOR")},
                  **{f"COR_{name}": getattr(_plugin, name)
                     for name in ("FAILED", "CONTINUE", "DONE", "STAGNATED", "ANYTIME", "KEEPS", "LIMITS", "COVERS", "NESTS", "AIMS",
                                  "NO_LIMIT", "NO_BLOCK")},
                  **{f"COR_{word.upper()}": number for number, word in enumerate(_plugin.ORGANIZED)}}
        process = {f"COR_PROCESS_{name}": getattr(_process, name)
                   for name in ("MAGIC", "MAJOR", "MINOR", "COUNT", "REAL", "SET", "WORD")}
        process.update(COR_PROCESSES_MAX=_process.PROCESSES_MAX, COR_PROCESS_FORGETS=_process.FORGETS)
        for header, names in (("plugin.h", plugin), ("process.h", process)):
            said = self.compile_and_run(header, "".join(f'printf("%lld ", (long long){name});' for name in names))
            self.assertEqual([int(word) for word in said.split()], list(names.values()))


if __name__ == "__main__":
    package.main()
