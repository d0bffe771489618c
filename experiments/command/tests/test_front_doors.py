#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What CMake and .ci make of a machine: flags that a user gives, packages that are missing, tests and roots that cannot be made
there."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import e2e
from e2e import SOURCE

LIBRARIES = ("libgsl-dev", "libjansson-dev", "libz3-dev", "libhdf5-dev", "libdeflate-dev", "libisal-dev")
NO_TESTS = "-DBUILD_TESTING=OFF"
# Which archives can be linked was found out when this build was configured.
KNOWN = [f"-D{line}" for line in (e2e.BINARY.parent / "CMakeCache.txt").read_text().splitlines()
         if re.match(r"CORRIDOR_\w+_LINKS\w*:INTERNAL=", line)]


@unittest.skipUnless(shutil.which("cmake") and shutil.which("pkg-config"), "cmake is not there")
class Configure(e2e.Case):
    all_tests = None  # of what is configured without options: found out once

    def configure(self, *options, code=0, **variables):
        """Configures into the folder `b`; what CMake said. Without tests, where nothing is asked of them, in a third of the time."""
        shutil.rmtree(self.folder / "b", ignore_errors=True)
        environment = {key: value for key, value in os.environ.items() if key not in ("CFLAGS", "CMAKE_BUILD_TYPE")}
        done = subprocess.run(["cmake", "-S", SOURCE, "-B", "b", "-DCMAKE_BUILD_TYPE=Release", *KNOWN, *options], cwd=self.folder,
                              env={**environment, **variables}, text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def optimisations(self):
        """The -O.., -g and -Werror that the command of one file has, in order; the last -O counts."""
        commands = json.loads((self.folder / "b/compile_commands.json").read_text())
        found = next(entry["command"] for entry in commands if entry["file"].endswith("sim/base/error.c"))
        return re.findall(r" (-O\w|-g|-Werror)(?= )", found)

    def listed_tests(self):
        listed = subprocess.run(["ctest", "--test-dir", "b", "-N"], cwd=self.folder, text=True, capture_output=True, check=True)
        return re.findall(r"Test +#\d+: (\S+)", listed.stdout)

    def usual_tests(self):
        if not Configure.all_tests:
            self.configure()
            Configure.all_tests = self.listed_tests()
        return Configure.all_tests

    @e2e.in_full
    def test_what_cmake_is_told_of_optimisation_stands(self):
        self.configure(NO_TESTS)
        self.assertEqual(self.optimisations(), ["-O2"])
        self.configure(NO_TESTS, "-DCMAKE_C_FLAGS_RELEASE=-O3")
        self.assertEqual(self.optimisations(), ["-O3"])

    def test_a_user_s_optimisation_stands(self):
        """And what a compiler warns of with these flags alone does not end the build."""
        self.configure(NO_TESTS, CFLAGS="-O3")
        self.assertEqual(self.optimisations(), ["-O3"])

    def test_all_missing_libraries_are_named_at_once(self):
        (self.folder / "none").mkdir()
        said = " ".join(self.configure(code=1, PKG_CONFIG_LIBDIR="none", PKG_CONFIG_PATH="").split())
        self.assertIn("apt-get install --no-install-recommends " + " ".join(LIBRARIES), said)

    def test_without_cmocka_everything_but_its_tests_is_there(self):
        """What `make demo` finds on a bare machine."""
        all_tests = self.usual_tests()
        (self.folder / "pc").mkdir()
        folders = subprocess.run(["pkg-config", "--variable", "pc_path", "pkg-config"], text=True, capture_output=True, check=True)
        for folder in reversed(folders.stdout.strip().split(":")):
            for path in pathlib.Path(folder).glob("*.pc"):
                if path.stem != "cmocka":
                    (self.folder / "pc" / path.name).unlink(missing_ok=True)
                    (self.folder / "pc" / path.name).symlink_to(path)
        self.configure(PKG_CONFIG_LIBDIR=str(self.folder / "pc"), PKG_CONFIG_PATH="")
        self.assertEqual(sorted(self.listed_tests()), sorted(all_tests))
        done = subprocess.run(["ctest", "--test-dir", "b", "-R", "^json$", "-V"], cwd=self.folder, text=True, capture_output=True, check=True)
        self.assertIn("json: skipped, not there when CMake ran: libcmocka-dev", done.stdout)
        self.configure(NO_TESTS, PKG_CONFIG_LIBDIR=str(self.folder / "pc"), PKG_CONFIG_PATH="")

    def test_make_builds_what_make_install_installs(self):
        self.configure(NO_TESTS, "-G", "Ninja")
        targets = re.search(r"^all: .*\n\t\$\(call build,release,(.*)\)$", (SOURCE / "Makefile").read_text(), re.MULTILINE).group(1).split()
        commands = subprocess.run(["ninja", "-C", "b", "-t", "commands", *targets], cwd=self.folder, text=True, capture_output=True, check=True).stdout
        installed = {path for script in (self.folder / "b").rglob("cmake_install.cmake")
                     for path in re.findall(rf'"({re.escape(str(self.folder.resolve()))}/b/[^"$]*)"', script.read_text())
                     if not path.endswith(("manifest.txt", ".cmake"))}  # CMake's own, those of 3.31 and younger, too
        made_later = {path for path in installed if not pathlib.Path(path).exists()}
        self.assertIn(str(self.folder.resolve() / "b/corridor"), made_later)
        for path in made_later:
            self.assertTrue(re.search(rf"[ /]{re.escape(path.rsplit('/b/', 1)[1])}\b", commands), path)

    @e2e.in_full
    def test_a_test_without_its_package_is_a_counted_skip(self):
        all_tests = self.usual_tests()
        lacking = self.folder / "python3"
        lacking.write_text('#!/bin/sh\ncase "$3$2" in *h5py*) exit 1;; esac\nexec /usr/bin/python3 "$@"\n')
        lacking.chmod(0o755)
        self.configure(f"-DCORRIDOR_PYTHON={lacking}")
        self.assertEqual(self.listed_tests(), all_tests)
        done = subprocess.run(["ctest", "--test-dir", "b", "-R", "_naive|coverage_damaged", "-E", "^(temporal|corridor|goals|observed|mechanisms)_", "-V"], cwd=self.folder, text=True,
                              capture_output=True, check=False)
        self.assertIn("tree_naive: skipped, not there when CMake ran: python3-h5py", done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertGreaterEqual(done.stdout.count("***Skipped"), 15, done.stdout)
        self.assertNotIn("***Failed", done.stdout)


class Bare(e2e.Case):
    def machine(self, **programs):
        """PATH with these scripts before all programs there are."""
        for name, text in programs.items():
            (self.folder / name).write_text(f"#!/bin/sh\n{text}\n")
            (self.folder / name).chmod(0o755)
        return {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}

    def ci(self, script, **programs):
        return subprocess.run([SOURCE / ".ci" / script], env=self.machine(**programs), text=True, capture_output=True, check=False)

    def test_what_a_root_lacks_is_said(self):
        for programs, why in (({"id": "echo 1000"}, "it takes root"), ({"id": "echo 0", "git": "exit 1"}, "this is no clone"),
                              ({"id": "echo 0", "git": "exit 0", "unshare": "exit 1"}, "no namespace of mounts")):
            done = self.ci("bare", **programs)
            self.assertEqual(done.returncode, 75, done.stderr)
            self.assertIn(f"bare: no root can be made here: {why}", done.stdout)

    def test_make_check_runs_in_place_where_no_root_can_be_made(self):
        done = self.ci("run", id="echo 1000", make='echo "make $*"; exit 3')
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stdout.splitlines()[-2:], ["run: make check in place instead", "make check"])


if __name__ == "__main__":
    e2e.main()
