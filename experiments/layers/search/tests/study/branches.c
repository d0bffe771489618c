/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A guest without a counter: it returns the structure as it found it, and goes through a lock of eighteen
 * numbers, one a reorganization, each behind a branch of its own; a wrong number shuts it. Behind the last is
 * the bug: an agent is forgotten. Built twice, with code coverage and without. */
#include <corridor/plugin.h>

#include <string.h>

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    uint32_t places = 0, level = 0, forgotten = 0;
    (void)state;
    if (task->kept_size == sizeof level)
        memcpy(&level, task->kept, sizeof level);
    for (uint32_t i = 0; i < task->agent_count; i++)
        places += task->values[0][i] > 0.55 && task->values[0][i] < 0.75 ? i : 0;
    const uint32_t number = places % 2;
    switch (level) {
    case 0:
        level = 0;
        if (number == 1)
            level = 1;
        break;
    case 1:
        level = 0;
        if (number == 0)
            level = 2;
        break;
    case 2:
        level = 0;
        if (number == 1)
            level = 3;
        break;
    case 3:
        level = 0;
        if (number == 1)
            level = 4;
        break;
    case 4:
        level = 0;
        if (number == 0)
            level = 5;
        break;
    case 5:
        level = 0;
        if (number == 0)
            level = 6;
        break;
    case 6:
        level = 0;
        if (number == 1)
            level = 7;
        break;
    case 7:
        level = 0;
        if (number == 1)
            level = 8;
        break;
    case 8:
        level = 0;
        if (number == 0)
            level = 9;
        break;
    case 9:
        level = 0;
        if (number == 1)
            level = 10;
        break;
    case 10:
        level = 0;
        if (number == 0)
            level = 11;
        break;
    case 11:
        level = 0;
        if (number == 1)
            level = 12;
        break;
    case 12:
        level = 0;
        if (number == 0)
            level = 13;
        break;
    case 13:
        level = 0;
        if (number == 0)
            level = 14;
        break;
    case 14:
        level = 0;
        if (number == 1)
            level = 15;
        break;
    case 15:
        level = 0;
        if (number == 1)
            level = 16;
        break;
    case 16:
        level = 0;
        if (number == 1)
            level = 17;
        break;
    default:
        level = 0;
        if (number == 0)
            forgotten = 1;
        break;
    }
    for (uint32_t b = 0; b < task->block_count; b++) {
        const uint32_t *members = task->members + task->block_start[b];
        const uint32_t count = task->block_start[b + 1] - task->block_start[b];
        host->put_block(host, members + forgotten, count - forgotten);
        forgotten = 0;
    }
    host->keep(host, &level, sizeof level);
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,          .name = NAME,
    .version = "1.0",       .summary = "returns the structure as it found it, until the lock opens",
    .budget_unit = "calls", .capabilities = COR_KEEPS,
    .result = result};
