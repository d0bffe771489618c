/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Properties that are followed case by case: one whose formula is to hold, and one whose distance is the
 * level. Also along trajectories that go on from an entry, which keeps what they took of each case before. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/state.h>
#include <corridor/steering.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum cor_status estimation_layer__property_read(const char *text, const char *place,
                                                struct cor_property **property, struct cor_error *error) {
    const char *cause = NULL, *remedy = NULL;
    COR_TRY(cor_property_parse(text, place, property, error));
    if (!cor_property_formula(*property)) {
        cause = "is no property of the form P [ formula ]";
        remedy = "corridor decide estimates E, Q and S";
    } else if (cor_property_relation(*property) != COR_PROPERTY_NO_RELATION) {
        cause = "claims something";
        remedy = "P [ formula ], without a bound; corridor decide decides claims";
    }
    if (!cause)
        return COR_OK;
    cor_property_destroy(*property);
    *property = NULL;
    return cor_fail(error, COR_STATUS_INPUT, place, remedy, "\"%.160s\" %s", text, cause);
}

bool estimation_layer__is_property(const char *text) {
    text += strspn(text, " ");
    return text[0] == 'P' && text[1 + strspn(text + 1, " ")] == '[';
}

/* Those that are followed, each once. */
static size_t followed(const struct estimation_layer__executor *x, struct cor_property *both[2]) {
    size_t count = 0;
    if (x->property)
        both[count++] = x->property;
    if (x->guide && x->guide != x->property)
        both[count++] = x->guide;
    return count;
}

/* Bytes that are taken of a case. */
static size_t width_of(struct cor_property *const *both, size_t count) {
    size_t width = 0;
    for (size_t p = 0; p < count; p++)
        width += cor_property_width(both[p]);
    return width;
}

void estimation_layer__properties_restart(struct estimation_layer__executor *x) {
    struct cor_property *both[2];
    const size_t count = followed(x, both);
    for (size_t p = 0; p < count; p++)
        cor_property_restart(both[p]);
    x->trail.count = 0;
}

enum cor_status estimation_layer__properties_restore(struct estimation_layer__executor *x, uint32_t from,
                                                     uint32_t entry, struct cor_error *error) {
    struct cor_property *both[2];
    const size_t count = followed(x, both), width = width_of(both, count);
    estimation_layer__properties_restart(x);
    if (count == 0)
        return COR_OK;
    const struct estimation_layer__trail *trail = &x->trails[from][entry];
    COR_TRY(COR_RESERVE(&x->trail.taken, &x->trail.capacity, trail->count * width, error));
    memcpy(x->trail.taken, trail->taken, trail->count * width);
    x->trail.count = trail->count;
    const uint8_t *taken = trail->taken;
    for (uint32_t c = 0; c < trail->count; c++)
        for (size_t p = 0; p < count; taken += cor_property_width(both[p++]))
            COR_TRY(cor_property_retake(both[p], taken, error));
    return COR_OK;
}

enum cor_status estimation_layer__properties_save(struct estimation_layer__executor *x, uint32_t to,
                                                  uint32_t entry, struct cor_error *error) {
    struct cor_property *both[2];
    const size_t count = followed(x, both), size = x->trail.count * width_of(both, count);
    if (count == 0)
        return COR_OK;
    struct estimation_layer__trail *trail = &x->trails[to][entry];
    COR_TRY(COR_RESERVE(&trail->taken, &trail->capacity, size, error));
    memcpy(trail->taken, x->trail.taken, size);
    trail->count = x->trail.count;
    return COR_OK;
}

/* The rows of the case that was executed last; NULL: none. */
static const void *rows_from(const struct estimation_layer__side *side, enum cor_table table, size_t *count) {
    const size_t first = side->base.rows[table];
    *count = cor_record_size(side->record, (uint32_t)table) - first;
    return *count > 0 ? cor_record_at(side->record, (uint32_t)table, first) : NULL;
}

/* Take the case whose rows are there. With the property that is counted the outcome is what it fixes: also
 * that too few cases are left. With that of the level its height is minus the cases that are lacking, and a
 * part of one more by how far conditions are off. */
static enum cor_status properties_case(struct estimation_layer__executor *x,
                                       struct estimation_layer__side *side,
                                       struct estimation_layer__outcome *outcome, struct cor_error *error) {
    struct cor_property *both[2];
    const size_t count = followed(x, both), width = width_of(both, count);
    outcome->height = -INFINITY;
    if (count == 0)
        return COR_OK;
    struct cor_case_tables tables = {.has_text = x->estimation->experiment->text_corridor != NULL};
    struct cor_case_cursor cursor = {0};
    tables.cases = rows_from(side, COR_TABLE_CASES, &tables.case_count);
    tables.reorganizations = rows_from(side, COR_TABLE_REORGANIZATIONS, &tables.reorganization_count);
    tables.violations = rows_from(side, COR_TABLE_VIOLATIONS, &tables.violation_count);
    tables.constraints = rows_from(side, COR_TABLE_CONSTRAINTS, &tables.constraint_count);
    COR_ASSERT(tables.case_count == 1);
    const struct cor_case_rows rows = cor_case_at(&tables, 0, &cursor);
    COR_TRY(COR_RESERVE(&x->trail.taken, &x->trail.capacity, (x->trail.count + 1) * width, error));
    uint8_t *taken = x->trail.taken + x->trail.count++ * width;
    for (size_t p = 0; p < count; taken += cor_property_width(both[p++])) {
        COR_TRY(cor_property_take(both[p], &rows, error));
        memcpy(taken, cor_property_taken(both[p]), cor_property_width(both[p]));
    }
    const struct cor_case_row *row = rows.row;
    const struct cor_reorganization_row *reorganization = rows.reorganization;
    struct cor_property_measures measures = {(double)row->dissimilarity, (double)row->dissimilarity,
                                             side->suite->configuration->threshold};
    if (x->estimation->experiment->text_corridor)
        measures.threshold = NAN; /* what it says has none */
    if (reorganization && reorganization->inside_after != COR_INSIDE_NOT_LOOKED)
        measures.left = reorganization->dissimilarity_after;
    /* How far it is, if it is not fixed. */
    const uint32_t left = cor_sequence_walk(side->runner)->case_count - cor_sequence_executed(side->runner);
    struct cor_property_distance distance;
    if (x->property) {
        const struct cor_property_value now = cor_property_now(x->property);
        COR_TRY(cor_property_distance(x->property, &measures, left, &distance, error));
        outcome->fails = now.decided > 0 || distance.cases == COR_PROPERTY_NEVER;
        outcome->matches = now.decided > 0 && now.value > 0;
    }
    if (!x->guide || outcome->fails)
        return COR_OK;
    if (x->guide != x->property)
        COR_TRY(cor_property_distance(x->guide, &measures, left, &distance, error));
    if (distance.cases != COR_PROPERTY_NEVER) {
        /* Minus the cases that are lacking, and less than one more by the degree (Arcuri 2010: d / (1 + d)).
         */
        const double part = isinf(distance.degree) ? 1 : distance.degree / (1 + distance.degree);
        outcome->height = -((double)distance.cases + part);
    }
    return COR_OK;
}

/* ---- suites whose parameters are in a region: drawn by the law until they are, so what is accepted follows
 * the law given the region, whatever the law is. How probable the region is, is counted out where the law can
 * be; else it follows from how many draws that took */

#define STOPPED_EVERY 1024u   /* draws: is it to stop? */
#define COUNTED_MAX 50000000u /* draws of the laws gone through: a few seconds */

bool estimation_layer__region_has(const struct cor_estimation *e, struct cor_facts *facts,
                                  const double *parameters) {
    const uint32_t count = cor_parameter_laws_size(e->experiment->arms[e->arm].laws);
    for (uint32_t p = 0; p < count; p++)
        cor_facts_set_parameter(facts, p, parameters[p]);
    return cor_case_condition_holds(&e->region, facts);
}

struct counting {
    const struct cor_estimation *estimation;
    struct cor_facts facts;
};

static bool is_in(void *context, const double *reals) {
    struct counting *counting = context;
    return estimation_layer__region_has(counting->estimation, &counting->facts, reals);
}

enum cor_status estimation_layer__region_count(struct cor_estimation *e, struct cor_error *error) {
    const struct cor_parameter_laws *laws = e->experiment->arms[e->arm].laws;
    const uint32_t count = cor_parameter_laws_size(laws);
    struct counting counting = {.estimation = e};
    enum cor_status status = COR_OK;
    bool *reads = cor_calloc(count + 1, sizeof *reads);
    COR_TRY_OUT(cor_made(reads, error));
    COR_TRY_OUT(cor_facts_init(&counting.facts, e->vocabulary, error));
    for (uint32_t p = 0; p < count; p++)
        reads[p] = cor_case_condition_reads_parameter(&e->region, e->vocabulary, p);
    const struct cor_parameter_event event = {is_in, &counting, reads};
    COR_TRY_OUT(cor_parameter_laws_probability(laws, &event, COUNTED_MAX, &e->region_probability, error));
    if (!(e->region_probability <= 0))
        goto out;
    status = cor_fail(error, COR_STATUS_UNSATISFIABLE, e->head.path, "name a wider region",
                      "the region \"%s\" is never drawn: its probability by the law of arm \"%s\" is 0",
                      e->region_text, e->experiment->arms[e->arm].name);
out:
    cor_facts_fini(&counting.facts);
    free(reads);
    return status;
}

enum cor_status estimation_layer__region_find(struct estimation_layer__executor *x, uint32_t index,
                                              uint32_t *draw, struct cor_error *error) {
    const struct cor_estimation *e = x->estimation;
    const size_t capacity = cor_parameter_laws_capacity(e->experiment->arms[e->arm].laws);
    int64_t *integers = cor_calloc(capacity, sizeof *integers);
    double *parameters = cor_calloc(capacity, sizeof *parameters);
    enum cor_status status = COR_OK;
    COR_TRY_OUT(integers && parameters ? COR_OK : cor_fail_memory(error));
    for (*draw = 1; *draw <= COR_REGION_DRAWS_MAX; ++*draw) {
        if (*draw % STOPPED_EVERY == 0 && cor_watch_stopped(x->watch)) {
            status = COR_STATUS_INTERRUPTED;
            goto out;
        }
        COR_TRY_OUT(cor_suite_draw(e->experiment, e->arm, index, *draw, integers, parameters, error));
        if (estimation_layer__region_has(e, &x->facts, parameters))
            goto out;
    }
    status = cor_fail(error, COR_STATUS_UNSATISFIABLE, e->head.path, "name a wider region",
                      "suite %u: none of %u draws by the law is in the region \"%s\"", index,
                      COR_REGION_DRAWS_MAX, e->region_text);
out:
    COR_FREE(integers, parameters);
    return status;
}

/* ---- one suite, its sequences followed up to their first failing case. A sequence is drawn by the law
 * itself with probability `share`, else by the changed one, and weighted with the ratio of the law to this
 * mixture - on what was executed: the first failing case is a stopping time, so what would have come behind
 * it has no say */

enum cor_status estimation_layer__executor_create(const struct cor_estimation *estimation,
                                                  struct estimation_layer__executor **executor,
                                                  struct cor_error *error) {
    struct estimation_layer__executor *x = *executor = cor_calloc(1, sizeof *x);
    COR_TRY(cor_made(x, error));
    x->estimation = estimation;
    /* Those of the estimation, of the executor's own; and before a repetition: what they learn is of one, so
     * that it is a function of its number. */
    const struct cor_estimation *e = x->estimation;
    if (e->property)
        COR_TRY(estimation_layer__property_read(e->property, NULL, &x->property, error));
    if (e->property && e->guide && strcmp(e->property, e->guide) == 0)
        x->guide = x->property;
    else if (e->guide)
        COR_TRY(estimation_layer__property_read(e->guide, NULL, &x->guide, error));
    for (int j = 0; j < 2 && (x->property || x->guide) && e->method == COR_ESTIMATION_SPLITTING; j++)
        COR_TRY(cor_made(x->trails[j] = cor_calloc((size_t)e->effort, sizeof *x->trails[j]), error));
    if (estimation->program)
        COR_TRY(estimation->programs->open(
            estimation->program, estimation->method == COR_ESTIMATION_SPLITTING, &x->schedules, error));
    else
        COR_TRY(cor_facts_init(&x->facts, estimation->vocabulary, error));
    for (int side = 0; side < ESTIMATION_LAYER__SIDES && !x->schedules; side++)
        COR_TRY(cor_record_create(&cor_interaction_schema, &x->sides[side].record, error));
    if (estimation->method != COR_ESTIMATION_SPLITTING)
        return COR_OK;
    const size_t effort = (size_t)estimation->effort;
    COR_TRY(cor_made(x->highest = cor_calloc(effort, sizeof *x->highest), error));
    for (int i = 0; i < 2; i++) {
        COR_TRY(cor_made(x->heights[i] = cor_calloc(effort, sizeof *x->heights[i]), error));
        COR_TRY(cor_made(x->weights[i] = cor_calloc(effort, sizeof *x->weights[i]), error));
        if (!x->schedules)
            COR_TRY(
                cor_made(x->snapshots[i] = cor_calloc(effort, sizeof(struct cor_saved_sequence *)), error));
    }
    for (int i = 0; i < 3 && x->schedules; i++)
        COR_TRY(cor_made(x->paths[i] = cor_calloc(effort, estimation->programs->trajectory), error));
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
        COR_FREE(executor->snapshots[i], executor->heights[i], executor->weights[i]);
    }
    for (int i = 0; i < 3; i++)
        free(executor->paths[i]);
    for (int i = 0; i < 2; i++) {
        for (int64_t t = 0; executor->trails[i] && t < executor->estimation->effort; t++)
            free(executor->trails[i][t].taken);
        free(executor->trails[i]);
    }
    free(executor->trail.taken);
    if (executor->guide != executor->property)
        cor_property_destroy(executor->guide);
    cor_property_destroy(executor->property);
    free(executor->highest);
    if (executor->schedules)
        executor->estimation->programs->close(executor->schedules);
    else
        cor_facts_fini(&executor->facts);
    free(executor);
}

static enum cor_status open_side(const struct estimation_layer__executor *x,
                                 const struct cor_experiment *experiment, uint32_t index, uint32_t draw,
                                 struct estimation_layer__side *side, struct cor_error *error) {
    const struct cor_estimation *e = x->estimation;
    cor_experiment_watch(experiment, x->watch);
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
    struct cor_property *both[2];
    const size_t count = followed(x, both);
    for (size_t i = 0; i < count; i++)
        COR_TRY(cor_property_begin(both[i], error));
    COR_TRY(open_side(x, e->experiment, index, draw, &x->sides[ESTIMATION_LAYER__LAW], error));
    x->name = x->sides[ESTIMATION_LAYER__LAW].suite->name;
    if (e->tilted)
        COR_TRY(open_side(x, e->tilted, index, draw, &x->sides[ESTIMATION_LAYER__TILTED], error));
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
    for (int side = 0; side < ESTIMATION_LAYER__SIDES; side++) {
        cor_runner_destroy(x->sides[side].runner);
        cor_suite_destroy(x->sides[side].suite);
        x->sides[side].runner = NULL;
        x->sides[side].suite = NULL;
    }
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
    if (!isnan(e->tilt[COR_TILT_MONITOR])) {
        const struct cor_reaction *reaction = cor_sequence_reaction(side->runner);
        const bool outside = reaction->dissimilarity > side->suite->configuration->threshold;
        if (side->suite->configuration->monitor.fault == COR_MONITOR_FAULT_MISSED)
            ratio = ratio_of(e, COR_TILT_MONITOR, outside && !reaction->alarm, outside);
        else
            ratio = ratio_of(e, COR_TILT_MONITOR, !outside && reaction->alarm, !outside);
    }
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
    /* Has the algorithm answered otherwise when it was asked again, so that nobody knows what the case is? */
    outcome->leaks = outcome->fails && !outcome->matches &&
                     (class.smoke == COR_SMOKE_FLAKY || class.smoke == COR_SMOKE_LEAKED);
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
    COR_TRY(properties_case(x, side, outcome, error));
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
        /* The sequence is over: the outcome of the one that is counted. */
        const struct cor_property_value now = cor_property_now(x->property);
        outcome->fails = true;
        outcome->matches = now.value > 0; /* unknown is not satisfied */
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
        struct cor_weight weight; /* of the walk up to here */
        bool by_profile;
        if (!side->suite->steering ||
            !cor_steering_weight(cor_sequence_walk(side->runner), &weight, &by_profile))
            weight = cor_weight_of(1);
        if (!outcome.fails) {
            COR_TRY(estimation_layer__end(x, side, &outcome, error));
            ratio = cor_weight_times(ratio, outcome.ratio);
        }
        cor_record_rewind(side->record, &side->base);
        if (e->tilted) { /* by 1 / (share + (1 - share) ratio) */
            const struct cor_weight mixed = cor_weight_plus(
                cor_weight_of(e->share), cor_weight_times(cor_weight_of(1 - e->share), ratio));
            weight = cor_weight_times(cor_weight_over(cor_weight_of(1), mixed), weight);
        }
        repetition->leaked += outcome.leaks;
        estimation_layer__repetition_add(repetition, outcome.matches ? weight : cor_weight_of(0),
                                         outcome.matches);
        cor_watch_show(x->watch, x->cases);
    }
    return COR_OK;
}
