/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A module that misbehaves while it is loaded: OPENING is what it does then. */
#include <corridor/plugin.h>

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void __attribute__((constructor)) open_it(void) {
    OPENING;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state, (void)task, (void)host;
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {COR_ALGORITHM,          .name = "opens",
                                                   .version = "1.0",       .summary = "never loaded",
                                                   .budget_unit = "calls", .result = result};
