/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is proved of a corridor's text, and reasons of violations in a large state. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "timing.h"

#include <corridor/array.h>
#include <corridor/prove.h>
#include <corridor/rng.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { AGENTS = 1000, ORGANIZATIONS = 40 };

static const char proved_text[] =
    "structure partitioning\n"
    "attribute capacity: integer 0 .. 100\n"
    "parameter s_min: integer 1 .. 4\n"
    "parameter s_max: integer 1 .. 8\n"
    "parameter limit: real 0 .. 10\n"
    "invariant sizes: all(o in organizations: s_min <= count(o.members) and count(o.members) <= s_max)\n"
    "invariant some: all(o in organizations: count(o.members) >= 1)\n"
    "invariant supply: all(o in organizations: sum(a in o.members: a.capacity) >= 50)\n"
    "trigger balance: max(o in organizations: mean(a in o.members: a.value))\n"
    "  - min(o in organizations: mean(a in o.members: a.value)) <= limit\n"
    "invariant backup: all(o in organizations: any(a in o.members: a.type == 'crane') implies "
    "count(o.members) >= 2)\n";

static const char violated_text[] =
    "structure partitioning\n"
    "attribute value: real 0 .. 1\n"
    "invariant sizes: all(o in organizations: count(o.members) <= 30)\n"
    "invariant supply: all(o in organizations: sum(a in o.members: a.value) >= 3)\n"
    "trigger balance: max(o in organizations: mean(a in o.members: a.value))\n"
    "  - min(o in organizations: mean(a in o.members: a.value)) <= 0.3\n";

static struct cor_corridor *parse(const char *text) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_corridor *corridor;
    bench_must(cor_corridor_parse(text, "bench", &corridor, &error), &error);
    return corridor;
}

/* z3 works in a child process: the clock on the wall. */
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double prove(void *context) {
    const struct cor_proof_bounds bounds = {2, 8, 1, 6};
    struct cor_error error = COR_NO_ERROR;
    struct cor_corridor *corridor = parse(proved_text);
    struct cor_proof proof;
    (void)context;
    bench_must(cor_prove(corridor, &bounds, &proof, &error), &error);
    if (cor_solver_is_there() && proof.answer != COR_ANSWER_SATISFIABLE)
        bench_fail("the corridor was not proved to be satisfiable");
    cor_proof_fini(&proof);
    cor_corridor_destroy(corridor);
    return 1;
}

struct reasoning {
    struct cor_corridor *corridor;
    struct cor_snapshot state;
    struct cor_reason reason;
    uint32_t constraint;
};

static double find_reason(void *context) {
    struct reasoning *r = context;
    struct cor_error error = COR_NO_ERROR;
    bench_must(cor_corridor_reason(r->corridor, &r->state, r->constraint, &r->reason, &error), &error);
    if (!r->reason.is_there || r->reason.count == 0)
        bench_fail("no reason was found");
    return 1;
}

/* Partitions of 20 to 31 agents; the last has values that are low. */
void bench_proofs(const struct bench_places *places, struct bench_figure *figures) {
    struct cor_error error = COR_NO_ERROR;
    struct reasoning r = {.corridor = parse(violated_text)};
    struct cor_lists lists;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    double *values = bench_kept(malloc(AGENTS * sizeof *values));
    (void)places;
    figures[0] = (struct bench_figure){
        bench_measure(prove, NULL, NULL, (struct bench_care){5, 0, now}).seconds, 0, ""};
    cor_lists_init(&lists);
    for (uint32_t o = 0, next = 0; o < ORGANIZATIONS; o++) {
        const uint32_t size = o == 7 ? 31 : o + 1 == ORGANIZATIONS ? AGENTS - next : o % 2 ? 24 : 26;
        uint32_t members[AGENTS];
        for (uint32_t i = 0; i < size; i++, next++) {
            members[i] = next;
            values[next] = (o + 1 == ORGANIZATIONS ? 0.1 : 1) * (double)cor_rng_below(&rng, 1000) / 1000;
        }
        bench_must(cor_lists_put(&lists, members, size, &error), &error);
    }
    struct cor_attribute_values *columns = bench_kept(cor_calloc(r.corridor->attribute_count, sizeof *columns));
    for (uint32_t q = 0; q < r.corridor->attribute_count; q++)
        if (strcmp(r.corridor->attributes[q].name, "value") == 0)
            columns[q].reals = values;
    r.state = (struct cor_snapshot){.agent_count = AGENTS, .organizations = &lists, .columns = columns};
    for (r.constraint = 0; r.constraint < 3; r.constraint++)
        figures[1 + r.constraint] =
            (struct bench_figure){1e3 * bench_measure(find_reason, NULL, &r, bench_careful).seconds, 0, ""};
    cor_reason_fini(&r.reason);
    cor_lists_fini(&lists);
    cor_corridor_destroy(r.corridor);
    free(columns);
    free(values);
}
