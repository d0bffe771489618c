/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corridor-cell: what takes the place of a cell's first process, so that nothing of the testbed is left
 * there. */
#include "guest.h"

#include <string.h>

int main(int count, char **words) {
    host__guest_live(count > 1 && strcmp(words[1], "apart") == 0);
}
