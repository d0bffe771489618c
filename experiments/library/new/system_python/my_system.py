#!/usr/bin/python3
# SPDX-License-Identifier: CC0-1.0
"""my_system: what is tested, and knows nothing of tests. Three copies of a book are lent, lost and given back, by words on a line. There is a mistake on
purpose: a copy that is lost can be given back as if it were lent."""
import sys

shelf, lent, lost = 3, 0, 0
for line in sys.stdin:
    word = line.strip()
    if word == "lend" and shelf > 0:
        shelf, lent = shelf - 1, lent + 1
    elif word == "lose" and lent > 0:
        lent, lost = lent - 1, lost + 1
    elif word == "return" and lent + lost > 0:  # the mistake: only what is lent can be given back
        shelf, lent = shelf + 1, lent - 1
    print(f"on the shelf {shelf}, lent {lent}, lost {lost}", flush=True)
