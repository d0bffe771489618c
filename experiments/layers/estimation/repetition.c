/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One suite, its sequences followed up to their first failing case. A sequence is drawn by the law itself
 * with probability `share`, else by the changed one, and weighted with the ratio of the law to this mixture -
 * on what was executed: the first failing case is a stopping time, so what would have come behind it has no
 * say. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/state.h>
#include <corridor/steering.h>

#include <math.h>
#include <stdlib.h>

enum cor_status estimation_layer__executor_create(const struct cor_estimation *estimation,
                                                  struct estimation_layer__executor **executor,
                                                  struct cor_error *error) {
    struct estimation_layer__executor *x = *executor = cor_calloc(1, sizeof *x);
    COR_TRY(cor_made(x, error));
    x->estimation = estimation;
    COR_TRY(estimation_layer__properties_create(x, error));
    if (estimation->program)
        COR_TRY(estimation_layer__program_law(
            estimation->program, estimation->method == COR_ESTIMATION_SPLITTING, &x->schedules, error));
    else
        COR_TRY(cor_facts_init(&x->facts, estimation->vocabulary, error));
    for (int side = 0; side < ESTIMATION_LAYER__SIDES && !x->schedules; side++)
        COR_TRY(cor_record_create(&cor_interaction_schema, &x->sides[side].record, error));
    if (estimation->method != COR_ESTIMATION_SPLITTING)
        return COR_OK;
    const size_t effort = (size_t)estimation->effort;
    x->highest = cor_calloc(effort, sizeof *x->highest);
    COR_TRY(cor_made(x->highest, error));
    for (int i = 0; i < 2; i++) {
        x->heights[i] = cor_calloc(effort, sizeof *x->heights[i]);
        COR_TRY(cor_made(x->heights[i], error));
        COR_TRY(cor_made(x->weights[i] = cor_calloc(effort, sizeof *x->weights[i]), error));
        if (x->schedules)
            COR_TRY(cor_made(x->paths[i] = cor_calloc(effort, sizeof *x->paths[i]), error));
        else
            COR_TRY(
                cor_made(x->snapshots[i] = cor_calloc(effort, sizeof(struct cor_saved_sequence *)), error));
    }
    return COR_OK;
}

void estimation_layer__executor_destroy(struct estimation_layer__executor *executor) {
    if (!executor)
        return;
    estimation_layer__suite_close(executor);
    for (int side = 0; side < ESTIMATION_LAYER__SIDES; side++) {
        cor_session_destroy(executor->sides[side].session);
        cor_record_destroy(executor->sides[side].record);
    }
    for (int i = 0; i < 2; i++) {
        free(executor->snapshots[i]);
        free(executor->heights[i]);
        free(executor->weights[i]);
        free(executor->paths[i]);
    }
    estimation_layer__properties_destroy(executor);
    free(executor->highest);
    if (executor->schedules)
        cor_process_law_destroy(executor->schedules);
    else
        cor_facts_fini(&executor->facts);
    free(executor);
}

static enum cor_status open_side(const struct cor_estimation *e, const struct cor_experiment *experiment,
                                 uint32_t index, uint32_t draw, struct estimation_layer__side *side,
                                 struct cor_error *error) {
    COR_TRY(cor_suite_generate_drawn(experiment, e->arm, index, draw, &side->suite, error));
    if (!side->session)
        COR_TRY(cor_session_create(&side->suite->arm->session, &side->session, error));
    const struct cor_execution execution = {side->suite, side->session, false};
    COR_TRY(cor_runner_create(&execution, side->record, &side->runner, error));
    const bool watches = e->method == COR_ESTIMATION_SPLITTING || !isnan(e->tilt[COR_TILT_MONITOR]);
    cor_runner_observe(side->runner, watches);
    side->base = cor_record_mark(side->record);
    return COR_OK;
}

static void close_side(struct estimation_layer__side *side) {
    cor_runner_destroy(side->runner);
    cor_suite_destroy(side->suite);
    side->runner = NULL;
    side->suite = NULL;
}

enum cor_status estimation_layer__suite_open(struct estimation_layer__executor *x, uint32_t index,
                                             uint32_t draw, struct cor_error *error) {
    const struct cor_estimation *e = x->estimation;
    estimation_layer__suite_close(x);
    x->cases = 0;
    for (uint32_t s = 0; s <= COR_LEVELS_MAX; s++)
        x->stages[s] = (struct estimation_layer__stage){0};
    if (e->program) {
        x->name = (struct cor_stream_name){.seed = e->head.seed, .suite = index};
        return COR_OK;
    }
    COR_TRY(estimation_layer__properties_begin(x, error));
    COR_TRY(open_side(e, e->experiment, index, draw, &x->sides[ESTIMATION_LAYER__LAW], error));
    x->name = x->sides[ESTIMATION_LAYER__LAW].suite->name;
    if (e->tilted)
        COR_TRY(open_side(e, e->tilted, index, draw, &x->sides[ESTIMATION_LAYER__TILTED], error));
    for (uint32_t p = 0; p < cor_parameter_laws_size(x->sides[ESTIMATION_LAYER__LAW].suite->arm->laws); p++)
        cor_facts_set_parameter(&x->facts, p, x->sides[ESTIMATION_LAYER__LAW].suite->parameters[p]);
    return COR_OK;
}

void estimation_layer__suite_close(struct estimation_layer__executor *x) {
    for (int i = 0; i < 2 && x->snapshots[i]; i++)
        for (int64_t c = 0; c < x->estimation->effort; c++) {
            cor_saved_sequence_destroy(x->snapshots[i][c]);
            x->snapshots[i][c] = NULL;
        }
    for (int side = 0; side < ESTIMATION_LAYER__SIDES; side++)
        close_side(&x->sides[side]);
}

struct cor_rng estimation_layer__rng(const struct estimation_layer__executor *executor, uint32_t sequence,
                                     uint32_t entity) {
    struct cor_stream_name name = executor->name;
    name.purpose = COR_PURPOSE_ESTIMATION;
    name.sequence = sequence;
    name.entity = entity;
    return cor_rng_named(&name);
}

/* b^n by squaring: products alone. */
static struct cor_weight power(struct cor_weight base, uint64_t n) {
    struct cor_weight made = cor_weight_of(1);
    for (; n > 0; n >>= 1) {
        if (n & 1)
            made = cor_weight_times(made, base);
        base = cor_weight_times(base, base);
    }
    return made;
}

/* Of `draws` draws so many struck: how likelier the tilted law made that. */
static struct cor_weight ratio_of(const struct cor_estimation *e, enum cor_tilt tilt, uint64_t struck,
                                  uint64_t draws) {
    const double p = e->law[tilt], q = e->tilt[tilt];
    if (isnan(q))
        return cor_weight_of(1);
    return cor_weight_times(
        power(cor_weight_over(cor_weight_of(q), cor_weight_of(p)), struck),
        power(cor_weight_over(cor_weight_of(1 - q), cor_weight_of(1 - p)), draws - struck));
}

static struct cor_weight ratio_of_monitor(const struct cor_estimation *e,
                                          const struct estimation_layer__side *side) {
    const struct cor_reaction *reaction = cor_sequence_reaction(side->runner);
    const bool outside = reaction->dissimilarity > side->suite->configuration->threshold;
    if (side->suite->configuration->monitor.fault == COR_MONITOR_FAULT_MISSED)
        return ratio_of(e, COR_TILT_MONITOR, outside && !reaction->alarm, outside);
    return ratio_of(e, COR_TILT_MONITOR, !outside && reaction->alarm, !outside);
}

static struct cor_weight ratio_of_reorganization(const struct cor_estimation *e,
                                                 const struct cor_reorganization_row *row) {
    struct cor_weight ratio = ratio_of(e, COR_TILT_LOSS, row->messages_lost, row->messages);
    /* Of what a reorganization counts as the testbed's own fault: mail that came twice, or agents that
     * crashed. */
    const struct cor_weight ratio_of_fault = cor_weight_times(
        ratio_of(e, COR_TILT_DUPLICATE, row->fault_activated - row->messages_lost, row->fault_reached),
        ratio_of(e, COR_TILT_CRASH, row->fault_activated, row->fault_reached));
    ratio = cor_weight_times(ratio, ratio_of_fault);
    if (row->smoke != COR_SMOKE_NONE) /* there was no result to be spoilt */
        return ratio;
    return cor_weight_times(ratio, ratio_of(e, COR_TILT_RESULT, row->fault_activated, row->fault_held));
}

/* Of all that can be tilted and was drawn since this was asked last: the rows since then are there. */
static struct cor_weight tilted_ratio(const struct cor_estimation *e, struct estimation_layer__side *side) {
    struct cor_weight ratio = cor_weight_of(1);
    if (!isnan(e->tilt[COR_TILT_MONITOR]))
        ratio = ratio_of_monitor(e, side);
    uint64_t drawn, struck;
    cor_sequence_adoptions(side->runner, &drawn, &struck);
    ratio = cor_weight_times(ratio, ratio_of(e, COR_TILT_ADOPTION, struck - side->adoptions_struck,
                                             drawn - side->adoptions_drawn));
    side->adoptions_drawn = drawn;
    side->adoptions_struck = struck;
    for (size_t i = side->base.rows[COR_TABLE_REORGANIZATIONS];
         i < cor_record_size(side->record, COR_TABLE_REORGANIZATIONS); i++)
        ratio = cor_weight_times(
            ratio, ratio_of_reorganization(e, cor_record_at(side->record, COR_TABLE_REORGANIZATIONS, i)));
    return ratio;
}

static bool is_in_time(const struct estimation_layer__executor *x) {
    return x->estimation->experiment->arms[x->estimation->arm].clocks.case_ticks > 0;
}

static enum cor_status blame(const struct estimation_layer__side *side, struct cor_error *error) {
    return cor_fail_foreign_smoke(
        side->record, side->suite,
        "mend it, or leave it out of the arm; how often it fails: --failure time.mechanism_smoke of a "
        "mechanism, detect.monitor_smoke of a monitor",
        error);
}

/* Has the algorithm answered otherwise when it was asked again, so that nobody knows what the case is? */
static bool is_in_doubt(const struct cor_failure_class *class) {
    return class->smoke == COR_SMOKE_FLAKY || class->smoke == COR_SMOKE_LEAKED;
}

/* Whether a case fails by the rows that are there. What fails beside the algorithm is not counted as if it
 * were the algorithm, but where it is what is asked for. */
static enum cor_status judge_rows(const struct estimation_layer__executor *x,
                                  const struct estimation_layer__side *side,
                                  struct estimation_layer__outcome *outcome, struct cor_error *error) {
    const size_t violations = side->base.rows[COR_TABLE_VIOLATIONS],
                 reorganizations = side->base.rows[COR_TABLE_REORGANIZATIONS];
    struct cor_failure_rows rows = {
        .violation_count = cor_record_size(side->record, COR_TABLE_VIOLATIONS) - violations,
        .reorganization_count = cor_record_size(side->record, COR_TABLE_REORGANIZATIONS) - reorganizations};
    struct cor_failure_class class = {0};
    if (rows.violation_count > 0)
        rows.violations = cor_record_at(side->record, COR_TABLE_VIOLATIONS, violations);
    if (rows.reorganization_count > 0)
        rows.reorganizations = cor_record_at(side->record, COR_TABLE_REORGANIZATIONS, reorganizations);
    outcome->fails = cor_first_failure(rows, &class) > 0;
    outcome->matches =
        outcome->fails && (x->estimation->any || cor_failure_class_equal(&class, &x->estimation->class));
    outcome->leaks = outcome->fails && !outcome->matches && is_in_doubt(&class);
    const bool is_asked_for = outcome->matches && !x->estimation->any;
    return cor_failure_class_is_foreign(&class) && !is_asked_for ? blame(side, error) : COR_OK;
}

/* A property is not followed beyond the case in which something beside the algorithm ended the sequence. */
static enum cor_status check_end(const struct estimation_layer__side *side, struct cor_error *error) {
    for (size_t v = side->base.rows[COR_TABLE_VIOLATIONS];
         v < cor_record_size(side->record, COR_TABLE_VIOLATIONS); v++) {
        const struct cor_violation_row *row = cor_record_at(side->record, COR_TABLE_VIOLATIONS, v);
        if (cor_is_foreign_smoke(row->check))
            return blame(side, error);
    }
    return COR_OK;
}

enum cor_status estimation_layer__case(struct estimation_layer__executor *x,
                                       struct estimation_layer__side *side,
                                       struct estimation_layer__outcome *outcome, struct cor_error *error) {
    if (cor_watch_stopped(x->watch))
        return COR_STATUS_INTERRUPTED;
    COR_TRY(cor_sequence_case(side->runner, error));
    x->cases++;
    outcome->ratio = cor_weight_of(1);
    if (is_in_time(x)) { /* the first failing case may be known after a later one, and what was drawn, too */
        if (x->estimation->any && !x->estimation->tilted)
            COR_TRY(judge_rows(x, side, outcome, error));
        return COR_OK;
    }
    /* What only the end of a sequence decides is of its last case. */
    if (x->property && x->estimation->experiment->text_corridor && cor_sequence_is_over(side->runner))
        COR_TRY(cor_sequence_end(side->runner, error));
    COR_TRY(x->property ? check_end(side, error) : judge_rows(x, side, outcome, error));
    COR_TRY(estimation_layer__properties_case(x, side, outcome, error));
    if (x->estimation->tilted)
        outcome->ratio = tilted_ratio(x->estimation, side);
    cor_record_rewind(side->record, &side->base);
    return COR_OK;
}

enum cor_status estimation_layer__end(struct estimation_layer__executor *x,
                                      struct estimation_layer__side *side,
                                      struct estimation_layer__outcome *outcome, struct cor_error *error) {
    outcome->ratio = cor_weight_of(1);
    if (x->property) {
        estimation_layer__property_end(x, outcome);
        return COR_OK;
    }
    if (!is_in_time(x) && !x->estimation->experiment->text_corridor)
        return COR_OK;
    COR_TRY(cor_sequence_end(side->runner, error));
    COR_TRY(judge_rows(x, side, outcome, error));
    if (is_in_time(x) && x->estimation->tilted)
        outcome->ratio = tilted_ratio(x->estimation, side);
    cor_record_rewind(side->record, &side->base);
    return COR_OK;
}

void estimation_layer__repetition_add(struct estimation_layer__repetition *repetition,
                                      struct cor_weight value, bool failed) {
    const double v = cor_weight_value(value);
    repetition->sequences++;
    repetition->failed += failed;
    repetition->sum = cor_weight_plus(repetition->sum, value);
    if (cor_weight_less(repetition->largest, value))
        repetition->largest = value;
    if (isfinite(repetition->any))
        repetition->any += v * (1 - repetition->any); /* 1 - (1 - any)(1 - v), which keeps what is small */
}

/* 1 / (share + (1 - share) ratio). */
static struct cor_weight weight_of(double share, struct cor_weight ratio) {
    return cor_weight_over(
        cor_weight_of(1),
        cor_weight_plus(cor_weight_of(share), cor_weight_times(cor_weight_of(1 - share), ratio)));
}

/* The weight of the walk up to here. */
static struct cor_weight weight_of_walk(const struct estimation_layer__side *side) {
    struct cor_weight weight;
    bool by_profile;
    const bool is_steered =
        side->suite->steering && cor_steering_weight(cor_sequence_walk(side->runner), &weight, &by_profile);
    return is_steered ? weight : cor_weight_of(1);
}

enum cor_status estimation_layer__run_weighted(struct estimation_layer__executor *x,
                                               struct estimation_layer__repetition *repetition,
                                               struct cor_error *error) {
    const struct cor_estimation *e = x->estimation;
    for (uint32_t s = 0; s < e->sequences; s++) {
        struct cor_rng rng = estimation_layer__rng(x, s, 0);
        struct estimation_layer__side *side =
            &x->sides[e->tilted && cor_rng_unit(&rng) >= e->share ? ESTIMATION_LAYER__TILTED
                                                                  : ESTIMATION_LAYER__LAW];
        const struct cor_walk_definition walk = cor_suite_walk_definition(side->suite, s, NULL);
        struct estimation_layer__outcome outcome = {.fails = false};
        struct cor_weight ratio = cor_weight_of(1);
        COR_TRY(cor_sequence_begin(side->runner, &walk, error));
        estimation_layer__properties_restart(x);
        side->adoptions_drawn = side->adoptions_struck = 0;
        while (!outcome.fails && !cor_sequence_is_over(side->runner)) {
            COR_TRY(estimation_layer__case(x, side, &outcome, error));
            ratio = cor_weight_times(ratio, outcome.ratio);
        }
        struct cor_weight weight = weight_of_walk(side);
        if (!outcome.fails) {
            COR_TRY(estimation_layer__end(x, side, &outcome, error));
            ratio = cor_weight_times(ratio, outcome.ratio);
        }
        cor_record_rewind(side->record, &side->base);
        if (e->tilted)
            weight = cor_weight_times(weight_of(e->share, ratio), weight);
        repetition->leaked += outcome.leaks;
        estimation_layer__repetition_add(repetition, outcome.matches ? weight : cor_weight_of(0),
                                         outcome.matches);
        cor_watch_show(x->watch, x->cases);
    }
    return COR_OK;
}
