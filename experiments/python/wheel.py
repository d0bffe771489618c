#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a wheel of the package and the built program: everything but the C library, which pip puts in place without a
compiler. The same files give the same bytes.

usage: wheel.py BUILD_DIRECTORY OUTPUT_DIRECTORY [LEVEL]

LEVEL: how well it is compressed, 1 to 9 (the default).
"""
import base64
import csv
import hashlib
import io
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# What every Linux with Python 3 has: apt and dpkg need these.
OF_THE_SYSTEM = re.compile(r"(linux-vdso|ld-linux-.*|libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s|libz)\.so\.\d+$")


def libraries_of(path):
    """Shared libraries that the file is linked with, and these with, by name: those that a system may lack."""
    listed = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
    found = {}
    for name, where in re.findall(r"^\s*(\S+) => (\S+)", listed, re.M):
        if where == "not":
            sys.exit(f"{path}: {name} is not there")
        if not OF_THE_SYSTEM.match(name):
            found[name] = pathlib.Path(where).resolve()
    return found


def copyright_of(path):
    """What Debian says of the licence of a library's package; "" elsewhere."""
    for candidate in (path, pathlib.Path(str(path).replace("/usr/lib/", "/lib/"))):
        try:
            owner = subprocess.run(["dpkg", "-S", candidate], capture_output=True, text=True).stdout.split(":")[0]
        except OSError:
            return ""
        page = pathlib.Path("/usr/share/doc") / owner / "copyright"
        if owner and page.is_file():
            return f"{'=' * 80}\n{path.name}, of Debian's package {owner}\n{'=' * 80}\n{page.read_text(errors='replace')}\n"
    return ""


def stripped(path):
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / path.name
        shutil.copy(path, copy)
        subprocess.run(["strip", "--strip-unneeded", copy], check=True)
        return copy.read_bytes()


def main():
    build, output = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    level = int(sys.argv[3]) if len(sys.argv) > 3 else 9
    version = subprocess.run([build / "corridor", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    binaries = [build / name for name in ("wheel/libcorridor.so", "wheel/corridor", "corridor-cell")]
    libraries = {name: path for binary in binaries for name, path in libraries_of(binary).items()}
    glibc = "_".join(os.confstr("CS_GNU_LIBC_VERSION").split()[1].split(".")[:2])
    tag = f"py3-none-manylinux_{glibc}_{platform.machine()}"
    info = f"corridor-{version}.dist-info"

    files = {}  # name -> bytes, whether executable
    for path in sorted((HERE / "corridor").glob("*.py")):
        files[f"corridor/{path.name}"] = path.read_bytes(), False
    for path in binaries:
        files[f"corridor/_library/{path.name}"] = stripped(path), True
    for name, path in libraries.items():
        files[f"corridor/_library/{name}"] = path.read_bytes(), True
    notices = "".join(copyright_of(path) for _, path in sorted(libraries.items()))
    licence = (HERE.parents[1] / "LICENSE").read_bytes()
    files[f"{info}/LICENSE"] = licence, False
    files[f"{info}/LICENSES-OF-LIBRARIES"] = notices.encode(), False
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: corridor\nVersion: {version}\nSummary: A simulation testbed for self-organization algorithms\n"
        "License: GPL-3.0-or-later\nRequires-Python: >=3.9\nClassifier: Operating System :: POSIX :: Linux\n"
        "Classifier: Programming Language :: Python :: 3\nProvides-Extra: frames\n"
        'Requires-Dist: numpy; extra == "frames"\nRequires-Dist: pandas; extra == "frames"\nRequires-Dist: h5py; extra == "frames"\n'
    ).encode(), False
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: corridor\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), False
    files[f"{info}/entry_points.txt"] = b"[console_scripts]\ncorridor = corridor.__main__:main\n", False
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    for name in sorted(files):
        digest = base64.urlsafe_b64encode(hashlib.sha256(files[name][0]).digest()).rstrip(b"=").decode()
        rows.writerow([name, f"sha256={digest}", len(files[name][0])])
    rows.writerow([f"{info}/RECORD", "", ""])
    files[f"{info}/RECORD"] = record.getvalue().encode(), False

    output.mkdir(parents=True, exist_ok=True)
    path = output / f"corridor-{version}-{tag}.whl"
    with zipfile.ZipFile(path.with_suffix(".part"), "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if files[name][1] else 0o100644) << 16
            archive.writestr(entry, files[name][0], compresslevel=level)
    path.with_suffix(".part").rename(path)
    print(path)


main()
