/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A guest whose budget used is a known function of its parameters: Ishigami's (1990) of x1, x2, x3 within -1 ..
 * 1, times 10000 and above 0, and, weighed by `noise`, a number that it draws. It leaves the structure as it
 * is; its fault forgets an agent in two corners of the parameters. */
#include <corridor/plugin.h>

#include <math.h>

static const struct cor_parameter parameters[] = {{"x1", "1", "a third of Ishigami's", 0, -1, 1, 0},
                                                  {"x2", "1", "a third of Ishigami's", 0, -1, 1, 0},
                                                  {"x3", "1", "a third of Ishigami's", 0, -1, 1, 0},
                                                  {"noise", "1", "weight of what is drawn", 0, 0, 9, 1},
                                                  {0}};
static const struct cor_fault faults[] = {{"corners", "forgets an agent in two corners of the parameters"}, {0}};

static int is_in_corner(const double *x) {
    return (x[0] > 0.6 && x[1] > 0.6) || (x[0] < -0.2 && x[2] < -0.7);
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    const double *x = task->rules->parameters, pi = 3.14159265358979323846;
    const double a = sin(pi * x[0]), b = sin(pi * x[1]), c = pi * x[2];
    const double drawn = cor_random_below(host->random[COR_STREAM_ALGORITHM], 1000001) / 1e6;
    const uint32_t forgotten = task->rules->fault != 0 && is_in_corner(x);
    (void)state;
    host->fault->reached += task->rules->fault != 0;
    host->fault->held += forgotten;
    host->fault->activated += forgotten;
    host->fault->in_result = forgotten != 0;
    for (uint32_t k = 0; k < task->block_count; k++) {
        const uint32_t size = task->block_start[k + 1] - task->block_start[k], left = k == 0 ? forgotten : 0;
        if (size > left && !host->put_block(host, task->members + task->block_start[k] + left, size - left))
            return COR_FAILED;
    }
    *host->spent += (uint64_t)(10000 * (a + 7 * b * b + 0.1 * c * c * c * c * a + 12 + x[3] * drawn));
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "ishigami",
    .version = "1",
    .summary = "a guest that exploring is measured on",
    .budget_unit = "calls",
    .parameters = parameters,
    .faults = faults,
    .result = result,
};
