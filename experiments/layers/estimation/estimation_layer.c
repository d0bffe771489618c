/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a campaign executes of the estimation layer: a suite is a repetition, of which a row is kept. */
#include "internal.h"

#include <corridor/arm_components.h>
#include <corridor/array.h>
#include <corridor/estimation_layer.h>
#include <corridor/estimation_schema.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum cor_status open_executor(const void *experiment, void **with, struct cor_error *error) {
    struct estimation_layer__executor *made;
    const enum cor_status status = estimation_layer__executor_create(experiment, &made, error);
    *with = made;
    return status;
}

static void close_executor(void *with) {
    estimation_layer__executor_destroy(with);
}

/* Mantissa and halvings from 2^16, below which every value is. */
static void put_weight(struct cor_weight weight, double *mantissa, uint32_t *halvings) {
    COR_ASSERT(weight.exponent <= 16);
    *mantissa = weight.mantissa;
    *halvings = weight.mantissa > 0 ? (uint32_t)(16 - weight.exponent) : 0;
}

static enum cor_status put_repetition(const struct estimation_layer__executor *x,
                                      const struct estimation_layer__repetition *repetition, uint32_t draw,
                                      bool in_region, struct cor_record *record, struct cor_error *error) {
    const struct cor_estimation *e = x->estimation;
    const bool is_steered = !x->schedules && x->sides[ESTIMATION_LAYER__LAW].suite->steering != NULL;
    struct cor_estimation_repetition_row *row =
        cor_record_row(record, COR_ESTIMATION_TABLE_REPETITIONS, error);
    COR_TRY(cor_made(row, error));
    const struct cor_weight mean = cor_weight_over(repetition->sum, cor_weight_of(repetition->sequences));
    row->method = (uint8_t)e->method;
    row->cases = x->cases;
    row->sequences = repetition->sequences;
    row->failed = repetition->failed;
    row->leaked = repetition->leaked;
    row->bounds = (uint32_t)is_steered + (e->tilted != NULL);
    row->share = row->bounds > 0 || e->region_text ? e->share : NAN;
    put_weight(mean, &row->sequence_mantissa, &row->sequence_halvings);
    put_weight(repetition->largest, &row->largest_mantissa, &row->largest_halvings);
    /* What is so small that products of two say nothing any more is as small as the sum. */
    int exponent = 0;
    if (fabs(repetition->any) > 65536) {
        /* differences to weights above 1 multiply, and know no bound */
        row->suite_mantissa = ldexp(repetition->any, -16);
        row->suite_halvings = 0;
    } else if (repetition->sum.exponent < -400) {
        put_weight(repetition->sum, &row->suite_mantissa, &row->suite_halvings);
    } else {
        row->suite_mantissa = frexp(repetition->any, &exponent);
        row->suite_halvings = repetition->any != 0 ? (uint32_t)(16 - exponent) : 0;
    }
    row->in_region = in_region;
    row->region_draws = draw;
    row->region_probability = e->region_text ? e->region_probability : NAN;
    return COR_OK;
}

static enum cor_status run_suite(struct estimation_layer__executor *x,
                                 struct estimation_layer__repetition *repetition, struct cor_error *error) {
    return x->estimation->method == COR_ESTIMATION_SPLITTING
               ? estimation_layer__run_split(x, repetition, error)
           : x->schedules ? estimation_layer__run_schedules(x, repetition, error)
                          : estimation_layer__run_weighted(x, repetition, error);
}

static enum cor_status execute(void *with, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                               struct cor_record *record, struct cor_suite_counts *tally,
                               struct cor_error *error) {
    struct estimation_layer__executor *x = with;
    const struct cor_estimation *e = x->estimation;
    struct estimation_layer__repetition repetition = {0};
    uint32_t draw;
    x->watch = watch;
    cor_record_begin(record, (uint16_t)arm, suite);
    /* Which draw of the parameters: that of the law, or the first in the region. */
    draw = 0;
    if (e->region_text) {
        const struct cor_stream_name name = {.seed = e->experiment->seed,
                                             .arm = cor_experiment_stream(e->experiment, e->arm),
                                             .suite = suite,
                                             .purpose = COR_PURPOSE_ESTIMATION,
                                             .entity = UINT32_MAX};
        struct cor_rng rng = cor_rng_named(&name);
        if (!(cor_rng_unit(&rng) < e->share))
            COR_TRY(estimation_layer__region_find(x, suite, &draw, error));
    }
    COR_TRY(estimation_layer__suite_open(x, suite, draw, error));
    const bool in_region =
        e->region_text &&
        estimation_layer__region_has(e, &x->facts, x->sides[ESTIMATION_LAYER__LAW].suite->parameters);
    COR_TRY(run_suite(x, &repetition, error));
    COR_TRY(put_repetition(x, &repetition, draw, in_region, record, error));
    if (e->method == COR_ESTIMATION_SPLITTING)
        for (uint32_t s = 0; s <= e->level_count; s++) {
            struct cor_estimation_stage_row *row = cor_record_row(record, COR_ESTIMATION_TABLE_STAGES, error);
            COR_TRY(cor_made(row, error));
            row->stage = s;
            row->level = s < e->level_count ? e->levels[s] : NAN;
            row->started = x->stages[s].started;
            row->reached = x->stages[s].reached;
            row->failed = x->stages[s].failed;
        }
    estimation_layer__suite_close(x);
    *tally = (struct cor_suite_counts){.cases = (uint32_t)x->cases, .failures = repetition.failed};
    return COR_OK;
}

static void put_provenance(const void *with, struct cor_json_writer *writer) {
    const struct cor_estimation *e = with;
    if (e->program) {
        estimation_layer__program_put(e->program, writer);
        return;
    }
    const struct cor_algorithm *algorithm = e->experiment->arms[e->arm].algorithm;
    const char *digest = cor_registry_digest(e->experiment->registry, algorithm);
    cor_json_open_object(writer, "algorithm");
    cor_json_put_string(writer, "name", algorithm->name);
    cor_json_put_string(writer, "version", algorithm->version);
    cor_json_put_bool(writer, "program", cor_algorithm_is_program(algorithm));
    if (digest)
        cor_json_put_string(writer, "sha256", digest);
    cor_json_close(writer);
    cor_arms_put_beside(e->experiment, &e->experiment->arms[e->arm], 1, writer);
}

static void destroy(void *with) {
    cor_estimation_destroy(with);
}

static enum cor_status read_all(const char *path, const struct cor_json *root,
                                const struct cor_layer_options *options, struct cor_estimation **estimation,
                                char **notes, struct cor_error *error) {
    if (options->suite_folder || options->log_solutions || options->record_traffic || options->replay_traffic)
        return cor_fail(error, COR_STATUS_INPUT, path, "leave the option out",
                        "is an estimation: it draws its own suites, and keeps what came of them alone");
    return cor_estimation_read(path, root, options, estimation, notes, error);
}

static enum cor_status read(const char *path, struct cor_json_document *document,
                            const struct cor_layer_options *options, struct cor_experiment_head **experiment,
                            char **notes, char **warnings, struct cor_error *error) {
    struct cor_estimation *made = NULL;
    const struct cor_json root = cor_json_root(document);
    enum cor_status status = read_all(path, &root, options, &made, notes, error);
    if (status == COR_OK && made->experiment)
        status = cor_arms_look_at_isolation(path, made->experiment, &made->experiment->arms[made->arm], 1,
                                            warnings, error);
    cor_json_destroy(document);
    if (status != COR_OK) {
        cor_estimation_destroy(made);
        made = NULL;
    }
    *experiment = made ? &made->head : NULL;
    return status;
}

const struct cor_layer cor_estimation_layer = {
    .key = "corridor_estimation",
    .schema = &cor_estimation_schema,
    .failures = "sequences that failed so",
    .read = read,
    .destroy = destroy,
    .open = open_executor,
    .execute = execute,
    .close = close_executor,
    .provenance = put_provenance,
};
