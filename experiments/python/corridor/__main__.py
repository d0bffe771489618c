# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m corridor ARGUMENT..: the command line."""
import os
import sys

from . import _command


def main():
    import ctypes

    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_library", "corridor")
    if os.access(program, os.X_OK):
        os.execv(program, ["corridor", *sys.argv[1:]])
    words = _command._words(sys.argv[1:])
    library = _command.load()
    sys.stdout.flush()
    _command._settle_signals()
    os._exit(library.cor_embed_run(len(words) + 1, (ctypes.c_char_p * (len(words) + 2))(b"corridor", *words, None)))


if __name__ == "__main__":
    main()
