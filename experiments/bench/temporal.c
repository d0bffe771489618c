/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas of time, state by state. */
#include "setting.h"

#include <corridor/temporal.h>

#include <stdlib.h>

static const char *const formulas[] = {"always p", "always (p implies eventually q)",
                                       "always (p implies eventually[0, 3] q)"};
static const char *const names[] = {"p", "q", NULL};
enum { STATES = 1 << 16, ROUNDS = 16 };

struct trace {
    struct cor_temporal_watch *watch;
    uint8_t (*states)[2];
    uint64_t sum; /* so that nothing is left out */
};

static double follow(void *context) {
    struct trace *trace = context;
    struct cor_error error = COR_NO_ERROR;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < STATES; i++)
            bench_must(cor_temporal_step(trace->watch, trace->states[i], &error), &error);
        trace->sum += cor_temporal_verdict(trace->watch);
    }
    return (double)ROUNDS * STATES;
}

/* Traces that never decide: p always holds for the first formula, and comes at any time for the others; q, at
 * any time, too, but after three states without it in any case. */
void bench_temporal(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    uint8_t(*states)[2] = bench_kept(malloc(sizeof(uint8_t[STATES][2])));
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    for (int f = 0; f < 3; f++) {
        for (int i = 0, without = 0; i < STATES; i++) {
            states[i][0] = f == 0 || cor_rng_below(&rng, 2) == 0;
            states[i][1] = without == 3 || cor_rng_below(&rng, 4) == 0;
            without = states[i][1] ? 0 : without + 1;
        }
        struct cor_error error = COR_NO_ERROR;
        struct cor_temporal *formula;
        struct trace trace = {.states = states};
        bench_must(cor_temporal_parse(formulas[f], names, NULL, &formula, &error), &error);
        bench_must(cor_temporal_watch_create(formula, &trace.watch, &error), &error);
        figures[f] =
            (struct bench_figure){1e-6 / bench_measure(follow, NULL, &trace, bench_careful).seconds, 0, ""};
        if (cor_temporal_decided_at(trace.watch) != COR_TEMPORAL_OPEN)
            bench_fail("a trace decided its formula");
        cor_temporal_watch_destroy(trace.watch);
        cor_temporal_destroy(formula);
    }
    free(states);
}
