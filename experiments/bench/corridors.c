/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes, number and kind of a structure of 1,000 agents, judged by a corridor as a text and by the oracle's
 * own checks. */
#include "timing.h"

#include <corridor/corridor.h>

#include <stdio.h>

enum { MEMBERS = 1000, LOOKS = 2000 };

static const char text[] =
    "structure partitioning\n"
    "parameter s_min, s_max, n_min, n_max: integer\n"
    "invariant sizes: all(o in organizations: s_min <= count(o.members) and count(o.members) <= s_max)\n"
    "invariant number: n_min <= count(organizations) <= n_max\n";

struct corridors {
    struct cor_corridor *corridor;
    struct cor_corridor_judge *judge;
    struct cor_oracle *oracle;
    struct cor_lists lists;
    struct cor_snapshot state;
    struct cor_limits limits;
    uint64_t found; /* is looked at, so nothing of the loops can be left out */
};

static double judge_by_text(void *context) {
    struct corridors *c = context;
    struct cor_error error = COR_NO_ERROR;
    struct cor_judgement judgement;
    for (int i = 0; i < LOOKS; i++) {
        bench_must(cor_corridor_judge_look(c->judge, &c->state, &judgement, &error), &error);
        c->found += judgement.violation_count + (cor_corridor_ask(c->judge, 0, NULL) != COR_TRUTH_TRUE) +
                    (cor_corridor_ask(c->judge, 1, NULL) != COR_TRUTH_TRUE);
    }
    return LOOKS;
}

static double judge_by_oracle(void *context) {
    struct corridors *c = context;
    struct cor_judgement judgement;
    for (int i = 0; i < LOOKS; i++) {
        cor_oracle_judge(c->oracle, &c->lists, MEMBERS, &c->limits, &judgement);
        c->found += judgement.violation_count;
    }
    return LOOKS;
}

static struct bench_figure compare(uint32_t organizations) {
    struct corridors c = {.limits = {1, MEMBERS, 1, MEMBERS}};
    struct cor_error error = COR_NO_ERROR;
    struct cor_attribute_values columns[4] = {{0}};
    const struct cor_value parameters[] = {cor_integer(1), cor_integer(MEMBERS), cor_integer(1),
                                           cor_integer(MEMBERS)};
    uint32_t members[MEMBERS];
    cor_lists_init(&c.lists);
    bench_must(cor_corridor_parse(text, "bench", &c.corridor, &error), &error);
    bench_must(cor_corridor_judge_create(c.corridor, &c.judge, &error), &error);
    bench_must(cor_oracle_create(MEMBERS, &c.oracle, &error), &error);
    for (uint32_t o = 0; o < organizations; o++) {
        uint32_t count = 0;
        for (uint32_t agent = o; agent < MEMBERS; agent += organizations)
            members[count++] = agent;
        bench_must(cor_lists_put(&c.lists, members, count, &error), &error);
    }
    c.state = (struct cor_snapshot){MEMBERS, &c.lists, NULL, columns, parameters};
    const struct bench_times times = bench_measure(judge_by_text, judge_by_oracle, &c, bench_careful);
    COR_ASSERT(c.found == 0);
    struct bench_figure figure = {times.seconds / times.reference, 1, ""};
    snprintf(figure.note, sizeof figure.note, "%.2f us by the text, %.2f by the oracle", 1e6 * times.seconds,
             1e6 * times.reference);
    cor_lists_fini(&c.lists);
    cor_oracle_destroy(c.oracle);
    cor_corridor_judge_destroy(c.judge);
    cor_corridor_destroy(c.corridor);
    return figure;
}

void bench_corridors(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    figures[0] = compare(25);
    figures[1] = compare(100);
}
