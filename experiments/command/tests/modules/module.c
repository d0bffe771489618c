/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Algorithms as somebody else would build them, each by a definition: it CRASHES, LEAVES with an exit code or
 * HANGS (leaving a file hanging-PID to tell) at its first call, or else returns the structure as it found it.
 */
#include <corridor/plugin.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
#ifdef CRASHES
    abort();
#elif defined LEAVES
    exit(LEAVES);
#elif defined HANGS
    char name[64];
    snprintf(name, sizeof name, "hanging-%ld", (long)getpid());
    FILE *file = fopen(name, "w");
    if (file)
        fclose(file);
    for (;;)
        pause();
#endif
    for (uint32_t b = 0; b < task->block_count; b++)
        if (!host->put_block(host, task->members + task->block_start[b],
                             task->block_start[b + 1] - task->block_start[b]))
            return COR_FAILED;
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,          .name = NAME,     .version = "1", .summary = "a module for tests",
    .budget_unit = "calls", .result = result,
};
