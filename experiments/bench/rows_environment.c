/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains walking by their profiles, against GSL's discrete law (also Walker's alias method) with its fastest
 * good generator. */
#include "measure.h"
#include "rows.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { CHAINS = 32, CASES = 10000, STATES = 15 };

struct walks {
    struct cor_profile *profile;
    const struct cor_profile *profiles[1];
    uint16_t profile_of_chain[CHAINS];
    struct cor_walk walk;
    gsl_rng *rng;
    gsl_ran_discrete_t *rows[STATES];
    size_t state;
};

static double walk_ours(void *context) {
    struct walks *w = context;
    struct cor_error error = COR_NO_ERROR;
    const struct cor_walk_definition definition = {.source = &cor_source_profile,
                                                   .profiles = w->profiles,
                                                   .profile_of_chain = w->profile_of_chain,
                                                   .chain_count = CHAINS,
                                                   .case_count = CASES,
                                                   .name = {.seed = 1}};
    bench_must(cor_walk_begin(&w->walk, &definition, &error), &error);
    return (double)CHAINS * CASES;
}

/* Writes each state down, as the walk does. */
static double walk_gsl(void *context) {
    struct walks *w = context;
    for (uint32_t chain = 0; chain < CHAINS; chain++)
        for (uint32_t i = 1; i <= CASES; i++) {
            w->state = gsl_ran_discrete(w->rng, w->rows[w->state]);
            w->walk.states[(size_t)i * CHAINS + chain] = (uint8_t)w->state;
        }
    return (double)CHAINS * CASES;
}

static void measure_walks(const void *context, double *value) {
    (void)context;
    struct cor_error error = COR_NO_ERROR;
    struct walks w = {.rng = gsl_rng_alloc(gsl_rng_taus2)};
    struct cor_profile_law law = {.states = STATES, .degree_min = 0.5, .power = 7, .ring = 0.15};
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    bench_must(cor_profile_random(&law, "bench", &rng, &w.profile, &error), &error);
    w.profiles[0] = w.profile;
    for (uint32_t s = 0; s < STATES; s++)
        w.rows[s] = gsl_ran_discrete_preproc(STATES, w.profile->probability + (size_t)s * STATES);
    struct bench_times times = bench_measure(walk_ours, walk_gsl, &w, bench_careful);
    value[0] = times.seconds;
    value[1] = times.reference;
    for (uint32_t s = 0; s < STATES; s++)
        gsl_ran_discrete_free(w.rows[s]);
    gsl_rng_free(w.rng);
    cor_walk_fini(&w.walk);
    cor_profile_destroy(w.profile);
}

void bench_environment(struct bench_report *report, const struct bench_places *places) {
    (void)places;
    struct bench_answer answer = bench_in_child(measure_walks, NULL);
    bench_report_row(report, &(struct bench_row){
                                 .name = "transitions of environment chains",
                                 .unit = "M/s",
                                 .value = 1e-6 / answer.value[0],
                                 .reference = 1e-6 / answer.value[1],
                                 .yardstick = "gsl_ran_discrete with taus2",
                                 .must = 3,
                                 .aim = NAN,
                                 .on_ratio = true,
                                 .better = BENCH_MORE,
                             });
}
