/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Guards of models: evaluated, and how far they are from holding. */
#include "setting.h"

#include <corridor/expression.h>

/* That of t2 of the three-variable counter (paper 004, figure 2), and one of twenty variables, as paper 004
 * has them on average in its largest model. */
static const char *const guards[] = {"i > 6 && a == 10 && b == 6 && c == 2",
                                     "i > 6 && a >= 10 && b <= 6 && c == 2 && d + e <= 7 && f != g && h < j "
                                     "&& k + l + m <= n && o == p && q >= r && s < 9 && "
                                     "t == u"};
static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k",
                                    "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", NULL};
enum { VARIABLES = sizeof names / sizeof *names - 1, VECTORS = 64, ROUNDS = 2000 };

struct guard {
    struct cor_expression expression;
    int64_t values[VECTORS][VARIABLES];
    uint64_t sum; /* so that nothing is left out */
};

static double hold(void *context) {
    struct guard *g = context;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < VECTORS; i++)
            g->sum += cor_expression_holds(&g->expression, g->values[i]);
    return (double)ROUNDS * VECTORS;
}

static double measure_degree(void *context) {
    struct guard *g = context;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < VECTORS; i++)
            g->sum += cor_expression_degree(&g->expression, g->values[i]);
    return (double)ROUNDS * VECTORS;
}

void bench_guards(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    for (int i = 0; i < 2; i++) {
        struct guard g = {.sum = 0};
        const char *text = guards[i];
        struct cor_error error = COR_NO_ERROR;
        struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
        bench_must(cor_expression_parse(text, names, true, NULL, &g.expression, &error), &error);
        for (int j = 0; j < VECTORS; j++)
            for (int v = 0; v < VARIABLES; v++)
                g.values[j][v] = cor_rng_below(&rng, 12);
        figures[2 * i] =
            (struct bench_figure){1e9 * bench_measure(hold, NULL, &g, bench_careful).seconds, 0, ""};
        figures[2 * i + 1] = (struct bench_figure){
            1e9 * bench_measure(measure_degree, NULL, &g, bench_careful).seconds, 0, ""};
        cor_expression_fini(&g.expression);
    }
}
