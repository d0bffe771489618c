/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Configurations: draws of the paper's parameters that keep its constraints. */
#include "measure.h"
#include "rows.h"
#include "z3_yardstick.h"

#include <corridor/campaign.h>

#include <math.h>

enum { DRAWS = 2000, CAPACITY = 256, ASKED = 10 };

struct planning {
    const struct cor_parameter_laws *laws;
    struct bench_z3 *z3;
};

static double ask_z3(void *context) {
    const struct planning *planning = context;
    return bench_z3_configurations(planning->z3, ASKED);
}

static double draw(void *context) {
    const struct cor_parameter_laws *laws = ((const struct planning *)context)->laws;
    struct cor_error error = COR_NO_ERROR;
    int64_t integers[CAPACITY];
    double reals[CAPACITY];
    struct cor_draw drawn;
    for (uint32_t i = 0; i < DRAWS; i++) {
        struct cor_rng rng = cor_rng_named(
            &(struct cor_stream_name){.seed = 1, .suite = i, .purpose = COR_PURPOSE_CONFIGURATION});
        bench_must(cor_parameter_laws_draw(laws, &rng, integers, reals, &drawn, &error), &error);
    }
    return DRAWS;
}

static void measure_draws(const void *context, double *value) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_experiment *experiment = bench_experiment_read(context, "experiments/paper.json");
    bench_must(cor_experiment_analyse(experiment, NULL, &error), &error);
    COR_ASSERT(cor_parameter_laws_capacity(experiment->arms[0].laws) <= CAPACITY);
    struct planning planning = {experiment->arms[0].laws, bench_z3_create()};
    struct bench_times times = bench_measure(draw, ask_z3, &planning, bench_careful);
    value[0] = times.seconds;
    value[1] = times.reference;
    bench_z3_destroy(planning.z3);
    cor_experiment_destroy(experiment);
}

void bench_planning(struct bench_report *report, const struct bench_places *places) {
    struct bench_answer answer = bench_in_child(measure_draws, places);
    bench_report_row(report, &(struct bench_row){
                                 .name = "configurations from the paper's constraints",
                                 .unit = "1/s",
                                 .value = 1 / answer.value[0],
                                 .reference = 1 / answer.value[1],
                                 .yardstick = "z3, incremental: push, check, model, pop for each",
                                 .must = 100,
                                 .aim = NAN,
                                 .on_ratio = true,
                                 .better = BENCH_MORE,
                             });
}
