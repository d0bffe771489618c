/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of this room share. */
#ifndef CORRIDOR_SIM_AGENT_INTERNAL_H
#define CORRIDOR_SIM_AGENT_INTERNAL_H

#include <corridor/design.h>

/* A zeroed item more at the end of an array that is grown by nothing else: its capacity is the least power of
 * two that holds it. NULL when memory is out; then the array is as it was. */
void *agent__append(void **items, uint32_t *count, size_t size);
#define AGENT__APPEND(items, count) agent__append((void **)(items), (count), sizeof **(items))

/* Which part has which name: [word of the design's names][what]. */
struct agent__design_index {
    uint32_t (*of)[COR_NAME_COUNT]; /* owned; COR_NONE: nothing */
    size_t capacity;
};

#endif
