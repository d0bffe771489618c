/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/live_world.h>

void cor_live_world_close(struct cor_live_world *world) {
    if (world)
        world->kind->close(world);
}
