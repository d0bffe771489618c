/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: what lives in a cell. */
#ifndef CORRIDOR_ALGORITHMS_HOST_GUEST_H
#define CORRIDOR_ALGORITHMS_HOST_GUEST_H

#include <stdbool.h>

/* Takes the memory that this process was lent, loads the algorithm, and has guests do what is asked. `apart`:
 * in a namespace of processes of its own. */
_Noreturn void host__guest_live(bool apart);

#endif
