/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pass over a file, and what each sequence shows. */
#include "measure.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>

/* One observation of a metric, if there is one. */
static void observe(struct measure__suite_work *work, enum cor_metric metric, double value) {
    if (isnan(value))
        return;
    cor_moments_put(&work->arm->moments[metric], value);
    measure__contribute(work, metric, value, 1);
}

static void observe_if(struct measure__suite_work *work, enum cor_metric metric, bool holds) {
    observe(work, metric, holds ? 100 : 0);
}

/* What the reorganizations of a sequence showed. */
struct detections {
    uint32_t gray, black, both, failures;
    uint64_t faulty_states;
    uint32_t first[COR_ANY_BOXES]; /* case, 0 = none */
};

static void note_first(uint32_t *first, uint32_t number) {
    if (*first == 0)
        *first = number;
}

/* Rows lie by case, so what comes first is first. */
static struct detections observe_reorganizations(struct measure__suite_work *work,
                                                 const struct cor_sequence_rows *sequence) {
    struct detections seen = {0};
    for (size_t r = 0; r < sequence->reorganization_count; r++) {
        const struct cor_reorganization_row *row = &sequence->reorganizations[r];
        bool gray = cor_is_detection(row->gray), black = cor_is_detection(row->black);
        seen.failures += cor_is_activated(row);
        seen.faulty_states += row->fault_activated;
        seen.gray += gray;
        seen.black += black;
        seen.both += gray && black;
        if (gray || black)
            note_first(&seen.first[COR_ANY_BOX], row->case_);
        if (gray)
            note_first(&seen.first[COR_GRAY_BOX], row->case_);
        if (black)
            note_first(&seen.first[COR_BLACK_BOX], row->case_);
        if (cor_is_activated(row)) {
            /* A failure (A4) and which boxes saw it. */
            observe_if(work, COR_METRIC_UNDETECTED, !gray && !black);
            observe_if(work, COR_METRIC_DETECTED_GRAY, gray);
            observe_if(work, COR_METRIC_DETECTED_BLACK, black);
            observe_if(work, COR_METRIC_GRAY_NOT_BLACK, gray && !black);
        }
        if (black)
            observe_if(work, COR_METRIC_BLACK_NOT_GRAY, !gray);
    }
    return seen;
}

static void observe_depth(struct measure__suite_work *work, enum cor_metric metric, uint32_t number) {
    if (number > 0)
        observe(work, metric, number);
}

/* What the sequences with a detection are asked. */
static void observe_detections(struct measure__suite_work *work, const struct detections *seen) {
    struct cor_arm_measurement *arm = work->arm;
    uint32_t detections = seen->gray + seen->black - seen->both;
    bool gray_only = seen->gray > 0 && seen->black == 0, black_only = seen->black > 0 && seen->gray == 0;
    if (detections == 0)
        return;
    arm->sequences_detected++;
    arm->sequences_gray_only += gray_only;
    arm->sequences_black_only += black_only;
    arm->sequences_both += seen->gray > 0 && seen->black > 0;
    observe_if(work, COR_METRIC_GRAY_ONLY, gray_only);
    observe_if(work, COR_METRIC_BLACK_ONLY, black_only);
    observe(work, COR_METRIC_GRAY_ONLY_WITHIN, 100.0 * (seen->gray - seen->both) / detections);
    observe_depth(work, COR_METRIC_DEPTH, seen->first[COR_ANY_BOX]);
    observe_depth(work, COR_METRIC_DEPTH_GRAY, seen->first[COR_GRAY_BOX]);
    observe_depth(work, COR_METRIC_DEPTH_BLACK, seen->first[COR_BLACK_BOX]);
}

static enum cor_status observe_sequence(struct measure__suite_work *work,
                                        const struct cor_sequence_rows *sequence, struct cor_error *error) {
    struct cor_arm_measurement *arm = work->arm;
    const struct cor_sequence_row *row = sequence->row;
    struct detections seen = observe_reorganizations(work, sequence);
    bool detected = seen.gray + seen.black > 0;
    COR_TRY(COR_RESERVE(&arm->observation, &arm->observation_capacity, arm->sequences + 1, error));
    arm->observation[arm->sequences++] = (struct cor_detection_times){
        .cluster = (uint32_t)(arm->suites - 1),
        .executed = row->executed,
        .first = {seen.first[COR_ANY_BOX], seen.first[COR_GRAY_BOX], seen.first[COR_BLACK_BOX]}};
    arm->cases += row->cases;
    arm->executed += row->executed;
    arm->failures += seen.failures;
    arm->sequences_activated += seen.failures > 0;
    work->sums->sequences++;
    work->sums->executed += row->executed;
    work->sums->reorganizations += sequence->reorganization_count;
    measure__tally_sequence(&arm->tally, sequence);
    observe(work, COR_METRIC_AGENTS, work->suite->row.agents);
    observe(work, COR_METRIC_AGENT_GROUPS, work->suite->row.groups);
    observe_if(work, COR_METRIC_WITHOUT_DETECTED, !detected);
    observe_if(work, COR_METRIC_WITHOUT_ACTIVATED, seen.failures == 0);
    measure__contribute(work, COR_METRIC_DETECTED_SEQUENCES, detected ? 100 : 0, 1);
    observe(work, COR_METRIC_TEST_CASES, row->cases);
    if (row->cases > 0)
        observe(work, COR_METRIC_APPLIED_CASES, 100.0 * row->executed / row->cases);
    observe(work, COR_METRIC_REORGANIZATIONS, (double)sequence->reorganization_count);
    /* `whole` observations at once, 100 for `part` of them and 0 for the others; no standard deviation is
     * kept. */
    const uint64_t whole = row->executed;
    struct cor_moments *all = &work->arm->moments[COR_METRIC_REORGANIZING];
    if (whole != 0) {
        all->n += whole;
        all->mean +=
            (100.0 * (double)sequence->reorganization_count - all->mean * (double)whole) / (double)all->n;
        measure__contribute(work, COR_METRIC_REORGANIZING, 100.0 * (double)sequence->reorganization_count,
                            (double)whole);
    }
    observe(work, COR_METRIC_FAILURES, seen.failures);
    observe(work, COR_METRIC_FAULTY_STATES, (double)seen.faulty_states);
    measure__contribute(work, COR_METRIC_FAILURES_TOTAL, seen.failures, 1);
    observe_detections(work, &seen);
    return COR_OK;
}

/* What only the tables show. */
static enum cor_status measure_tables(struct measure__suite_work *work, struct measure__walker *walker,
                                      struct cor_error *error) {
    COR_TRY(measure__walker_begin(walker, work->suite, error));
    for (uint32_t s = 0; s < work->suite->row.sequences; s++) {
        const struct cor_sequence_rows *sequence = &work->suite->sequence[s];
        if (sequence->row) {
            struct measure__walk_coverage coverage;
            COR_TRY(measure__walker_cover(walker, sequence->row, &coverage, error));
            if (cor_is_sample(sequence)) {
                work->arm->steps_outside += coverage.steps_outside;
                observe(work, COR_METRIC_EP_STATES, coverage.states);
                observe(work, COR_METRIC_EP_TRANSITIONS, coverage.arcs);
                observe(work, COR_METRIC_EP_STATE_COVERAGE, coverage.state_coverage);
                observe(work, COR_METRIC_EP_TRANSITION_COVERAGE, coverage.arc_coverage);
            }
        }
        bool is_seen = false;
        if (cor_is_sample(sequence))
            for (size_t v = 0; v < sequence->violation_count; v++) {
                const struct cor_violation_row *row = &sequence->violations[v];
                is_seen = is_seen || row->box != COR_BOX_INTERIM;
                if (row->box > 0 && row->box < COR_BOX_CODES && work->arm->first_violation[row->box].box == 0)
                    work->arm->first_violation[row->box] = *row;
            }
        work->arm->sequences_seen += is_seen;
    }
    return cor_identities_of_suite(work->suite, &work->measurement->announced, work->arm->identity, error);
}

/* The tables and columns that the parts need. */
static size_t list_readings(const struct cor_measurement *m, struct cor_reading readings[COR_TABLE_COUNT]) {
    const unsigned parts = m->parts;
    static const char *const runs[] = {"sequence", "case", "gray", "black", "fault_activated", NULL};
    static const char *const runs_of_performance[] = {"sequence",
                                                      "case",
                                                      "gray",
                                                      "black",
                                                      "stop",
                                                      "smoke",
                                                      "spent",
                                                      "rounds",
                                                      "messages",
                                                      "moved",
                                                      "inside_after",
                                                      "dissimilarity_before",
                                                      "fault_activated",
                                                      "dissimilarity_after",
                                                      NULL};
    static const char *const runs_of_tables[] = {
        "sequence",         "case",          "gray",           "black",
        "agreement",        "stop",          "smoke",          "gray_violations",
        "black_violations", "fault_reached", "fault_held",     "fault_activated",
        "fault_in_result",  "own_moves",     "adoption_fault", "rounds",
        "messages",         "moved",         "inside_after",   NULL};
    static const char *const cases_of_performance[] = {"sequence", "case", "alarm", "inside", NULL};
    static const char *const cases_of_tables[] = {"sequence", "case", "alarm", "inside", "reorganized",
                                                  "detect",   "gray", "black", NULL};
    static const char *const walks[] = {"sequence", "cases", "executed", "walk_start", NULL};
    static const char *const kept[] = {"sequence", "case", "gray", "black", NULL};
    bool tables = parts & COR_MEASURE_TABLES, performance = parts & COR_MEASURE_PERFORMANCE;
    bool constraints = parts & COR_MEASURE_CONSTRAINTS && m->head->catalog_size[COR_CATALOG_CONSTRAINT] > 0;
    size_t count = 0;
    readings[count++] = (struct cor_reading){COR_TABLE_REORGANIZATIONS, tables && performance ? NULL
                                                                        : tables              ? runs_of_tables
                                                                        : performance ? runs_of_performance
                                                                                      : runs};
    if (tables || performance)
        readings[count++] = (struct cor_reading){COR_TABLE_CASES, tables && performance ? NULL
                                                                  : tables              ? cases_of_tables
                                                                           : cases_of_performance};
    if (m->has_exact) {
        readings[count++] = (struct cor_reading){COR_TABLE_PARAMETERS, NULL};
        readings[count++] = (struct cor_reading){COR_TABLE_OBJECTIVES, NULL};
    }
    if (tables || performance)
        readings[count++] = (struct cor_reading){COR_TABLE_SNAPSHOTS, NULL};
    if (tables)
        readings[count++] = (struct cor_reading){COR_TABLE_TICKS, NULL};
    if (tables || parts & COR_MEASURE_KILLS)
        readings[count++] = (struct cor_reading){COR_TABLE_VIOLATIONS, NULL};
    if (tables || constraints || performance)
        readings[count++] = (struct cor_reading){COR_TABLE_CONSTRAINTS, NULL};
    if (tables || constraints) {
        readings[count++] = (struct cor_reading){COR_TABLE_FORMULAS, NULL};
        readings[count++] = (struct cor_reading){COR_TABLE_RETURNS, NULL};
    }
    if (!tables)
        return count;
    readings[count++] = (struct cor_reading){COR_TABLE_SEQUENCES, walks};
    readings[count++] = (struct cor_reading){COR_TABLE_FAILURES, kept};
    readings[count++] = (struct cor_reading){COR_TABLE_GROUPS, NULL};
    readings[count++] = (struct cor_reading){COR_TABLE_PROFILES, NULL};
    readings[count++] = (struct cor_reading){COR_TABLE_TRANSITIONS, NULL};
    readings[count++] = (struct cor_reading){COR_TABLE_CHAINS, NULL};
    readings[count++] = (struct cor_reading){COR_TABLE_VISITS, NULL};
    return count;
}

static enum cor_status measure_all(struct cor_measurement *m, struct cor_result *result,
                                   struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_reading readings[COR_TABLE_COUNT];
    struct cor_suite_reader *reader = NULL;
    struct measure__walker *walker = NULL;
    const struct cor_suite_rows *suite;
    COR_TRY_OUT(cor_suite_reader_create(result, readings, list_readings(m, readings), &reader, error));
    if (m->parts & COR_MEASURE_TABLES)
        COR_TRY_OUT(measure__walker_create(result, &walker, error));
    for (;;) {
        COR_TRY_OUT(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        struct measure__suite_work work;
        COR_TRY_OUT(COR_RESERVE(&m->suite, &m->suite_capacity, m->suite_count + 1, error));
        work = (struct measure__suite_work){m, &m->arm[suite->arm], &m->suite[m->suite_count], suite};
        *work.sums = (struct cor_suite_sums){.arm = suite->arm,
                                             .suite = suite->row.suite,
                                             .configuration_hash = suite->row.configuration_hash};
        if (work.arm->suites++ == 0)
            work.arm->first_suite = m->suite_count;
        m->suite_count++;
        work.arm->suites_fallback += suite->row.fallback != 0;
        for (uint32_t s = 0; s < suite->row.sequences; s++) {
            work.arm->continuations += suite->sequence[s].branch != NULL;
            work.arm->steered += suite->sequence[s].steered != NULL && !suite->sequence[s].branch;
            if (measure__takes_part(&suite->sequence[s]))
                COR_TRY_OUT(observe_sequence(&work, &suite->sequence[s], error));
        }
        if (m->parts & COR_MEASURE_PERFORMANCE)
            COR_TRY_OUT(measure__measure_performance(&work, error));
        if (m->has_exact)
            COR_TRY_OUT(measure__gap_suite(&work, error));
        if (m->parts & COR_MEASURE_KILLS)
            COR_TRY_OUT(measure__count_kills(&work, error));
        if (m->parts & (COR_MEASURE_TABLES | COR_MEASURE_CONSTRAINTS))
            COR_TRY_OUT(measure__count_constraints(&work, error));
        if (m->parts & COR_MEASURE_TABLES)
            COR_TRY_OUT(measure_tables(&work, walker, error));
    }
    measure__sort_constraints(m);
    for (size_t a = 0; a < m->arm_count && m->parts & COR_MEASURE_TABLES; a++)
        measure__check_arm(&m->arm[a]);
out:
    measure__walker_destroy(walker);
    cor_suite_reader_destroy(reader);
    return status;
}

enum cor_status cor_measurement_create(struct cor_result *result, unsigned parts,
                                       struct cor_measurement **measurement, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_measurement *made = *measurement = cor_calloc(1, sizeof *made);
    if (!made)
        return cor_fail_memory(error);
    made->head = cor_result_head(result);
    made->parts = parts;
    made->arm = cor_calloc(cor_arm_count(made->head), sizeof *made->arm);
    if (!made->arm)
        COR_TRY_OUT(cor_fail_memory(error));
    for (; made->arm_count < cor_arm_count(made->head); made->arm_count++) {
        struct cor_arm_measurement *arm = &made->arm[made->arm_count];
        arm->entry = cor_arm_entry(made->head, made->arm_count);
        arm->head = made->head;
        COR_TRY_OUT(cor_arm_has_fault(arm->entry, &arm->has_fault, error));
    }
    if (parts & COR_MEASURE_PERFORMANCE)
        COR_TRY_OUT(measure__gap_begin(made, error));
    COR_TRY_OUT(cor_announced_init(&made->announced, made->head, error));
    COR_TRY_OUT(measure_all(made, result, error));
out:
    if (status != COR_OK) {
        cor_measurement_destroy(made);
        *measurement = NULL;
    }
    return status;
}

void cor_measurement_destroy(struct cor_measurement *measurement) {
    if (!measurement)
        return;
    for (size_t a = 0; a < measurement->arm_count; a++) {
        free(measurement->arm[a].observation);
        free(measurement->arm[a].gap.count);
        free(measurement->arm[a].stay.count);
        free(measurement->arm[a].failure_class);
        free(measurement->arm[a].constraint);
        free(measurement->arm[a].constraint_first);
    }
    cor_announced_fini(&measurement->announced);
    free(measurement->arm);
    free(measurement->suite);
    free(measurement->bin);
    free(measurement->reached);
    free(measurement->constraint);
    free(measurement);
}

uint64_t cor_measurement_left_out(const struct cor_measurement *measurement) {
    uint64_t left_out = 0;
    for (size_t a = 0; a < measurement->arm_count; a++)
        left_out += measurement->arm[a].continuations + measurement->arm[a].steered;
    return left_out;
}

enum cor_status cor_measurement_estimate(const struct cor_measurement *measurement, size_t arm,
                                         enum cor_metric metric, enum cor_interval method, double level,
                                         struct cor_estimate *estimate, struct cor_error *error) {
    COR_ASSERT(arm < measurement->arm_count && metric < COR_METRIC_COUNT);
    const struct cor_arm_measurement *it = &measurement->arm[arm];
    const struct cor_metric_schema *schema = cor_metric_schema(metric);
    const struct cor_moments *moments = &it->moments[metric];
    enum cor_status status = COR_OK;
    double *y = cor_calloc(it->suites, sizeof *y), *x = cor_calloc(it->suites, sizeof *x);
    const struct cor_suite_sample sample = {y,
                                            x,
                                            (uint32_t)it->suites,
                                            moments->n > 0 ? &moments->mean : NULL,
                                            cor_metric_least(metric),
                                            cor_metric_whole(metric),
                                            level,
                                            {.seed = measurement->head->seed,
                                             .arm = (uint32_t)arm + 1,
                                             .entity = schema->stream,
                                             .purpose = COR_PURPOSE_BOOTSTRAP}};
    if (!y || !x)
        COR_TRY_OUT(cor_fail_memory(error));
    for (size_t s = 0; s < it->suites; s++) {
        y[s] = measurement->suite[it->first_suite + s].y[metric];
        x[s] = measurement->suite[it->first_suite + s].x[metric];
    }
    COR_TRY_OUT(cor_estimate_ratio(schema->kind == COR_KIND_TOTAL ? COR_INTERVAL_NONE : method, &sample,
                                   estimate, error));
    if (schema->kind == COR_KIND_TOTAL && it->sequences > 0)
        estimate->mean = (double)it->failures;
    if (schema->kind == COR_KIND_MEAN || schema->kind == COR_KIND_PERCENT || schema->kind == COR_KIND_DEPTH)
        estimate->sd = cor_moments_sd(moments);
out:
    free(y);
    free(x);
    return status;
}
