/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper.h"
#include "resampled.h"
#include "suite.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Observes a value if there is one. */
static void put(struct cor__moments *moments, enum cor_metric metric, double value) {
    if (!isnan(value))
        cor__moments_put(&moments[metric], value);
}

static void put_depth(struct cor__moments *moments, enum cor_metric metric, uint32_t number) {
    if (number > 0)
        put(moments, metric, number);
}

/* What the sequences with a detection are asked. */
static void observe_detections(struct cor_arm_tables *arm, struct cor__moments *moments,
                               const struct cor__sequence *sequence) {
    uint32_t detections = sequence->gray + sequence->black - sequence->both;
    bool gray_only = sequence->gray > 0 && sequence->black == 0;
    bool black_only = sequence->black > 0 && sequence->gray == 0;
    if (detections == 0)
        return;
    arm->sequences_detected++;
    arm->sequences_gray_only += gray_only;
    arm->sequences_black_only += black_only;
    arm->sequences_both += sequence->gray > 0 && sequence->black > 0;
    put(moments, COR_METRIC_GRAY_ONLY, gray_only ? 100 : 0);
    put(moments, COR_METRIC_BLACK_ONLY, black_only ? 100 : 0);
    put(moments, COR_METRIC_GRAY_ONLY_WITHIN, 100.0 * (sequence->gray - sequence->both) / detections);
    uint32_t first = sequence->first_gray;
    if (first == 0 || (sequence->first_black > 0 && sequence->first_black < first))
        first = sequence->first_black;
    put_depth(moments, COR_METRIC_DEPTH, first);
    put_depth(moments, COR_METRIC_DEPTH_GRAY, sequence->first_gray);
    put_depth(moments, COR_METRIC_DEPTH_BLACK, sequence->first_black);
}

static void observe_sequence(struct cor_arm_tables *arm, struct cor__moments *moments,
                             const struct cor_suite_row *suite, const struct cor__sequence *sequence) {
    bool detected = sequence->gray + sequence->black > 0, activated = sequence->failures > 0;
    arm->sequences++;
    arm->cases += sequence->cases;
    arm->executed += sequence->executed;
    arm->failures += sequence->failures;
    arm->sequences_activated += activated;
    arm->steps_outside += sequence->coverage.steps_outside;
    put(moments, COR_METRIC_EP_STATES, sequence->coverage.states);
    put(moments, COR_METRIC_EP_TRANSITIONS, sequence->coverage.arcs);
    put(moments, COR_METRIC_EP_STATE_COVERAGE, sequence->coverage.state_coverage);
    put(moments, COR_METRIC_EP_TRANSITION_COVERAGE, sequence->coverage.arc_coverage);
    put(moments, COR_METRIC_AGENTS, suite->agents);
    put(moments, COR_METRIC_AGENT_GROUPS, suite->groups);
    put(moments, COR_METRIC_WITHOUT_DETECTED, detected ? 0 : 100);
    put(moments, COR_METRIC_WITHOUT_ACTIVATED, activated ? 0 : 100);
    put(moments, COR_METRIC_TEST_CASES, sequence->cases);
    if (sequence->cases > 0)
        put(moments, COR_METRIC_APPLIED_CASES, 100.0 * sequence->executed / sequence->cases);
    put(moments, COR_METRIC_REORGANIZATIONS, sequence->reorganizations);
    cor__moments_put_share(&moments[COR_METRIC_REORGANIZING], sequence->reorganizations, sequence->executed);
    put(moments, COR_METRIC_FAILURES, sequence->failures);
    observe_detections(arm, moments, sequence);
}

/* `kept` gets the sums of the suite, NULL = nobody asks for them. */
static enum cor_status observe_suite(const struct cor__suite_reader *reader, struct cor__suite_sums *kept,
                                     struct cor_error *error) {
    reader->arm->suites++;
    reader->arm->suites_fallback += reader->suite.fallback != 0;
    for (uint32_t s = 0; s < reader->suite.sequences; s++) {
        const struct cor__sequence *sequence = &reader->sequence[s];
        reader->arm->continuations += sequence->is_continued;
        if (sequence->there && !sequence->is_continued)
            observe_sequence(reader->arm, reader->moments, &reader->suite, sequence);
    }
    for (int m = 0; m < COR_METRIC_COUNT; m++) {
        enum cor_status status = kept ? cor__suite_sums_put(&kept[m], &reader->moments[m], error) : COR_OK;
        if (status != COR_OK)
            return status;
        cor__moments_end_suite(&reader->moments[m]);
    }
    cor__check_suite(reader);
    return COR_OK;
}

static enum cor_status read_all(struct cor__suite_reader *reader, struct cor_tables *tables,
                                struct cor__moments *moments, struct cor__suite_sums *kept,
                                struct cor_error *error) {
    for (;;) {
        bool there;
        enum cor_status status = cor__suite_reader_next(reader, &there, error);
        if (status != COR_OK || !there)
            return status == COR_OK ? cor__suite_reader_end(reader, error) : status;
        size_t a = 0;
        while (a < tables->arm_count && tables->arm[a].code != reader->suite.arm)
            a++;
        if (a == tables->arm_count)
            return cor__damaged(error, COR_TABLE_SUITES,
                                "suite %" PRIu32 " is of arm %u, which catalog/arm lacks",
                                reader->suite.suite, reader->suite.arm);
        status = cor__suite_reader_read(reader, &tables->arm[a], moments + a * COR_METRIC_COUNT, error);
        if (status == COR_OK)
            status = observe_suite(reader, kept ? kept + a * COR_METRIC_COUNT : NULL, error);
        if (status != COR_OK)
            return status;
    }
}

static void fill_figures(struct cor_arm_tables *arm, const struct cor__moments *moments, double level) {
    for (int m = 0; m < COR_METRIC_COUNT; m++) {
        const struct cor_metric_schema *schema = cor_old_metric_schema((enum cor_metric)m);
        struct cor_figure *figure = &arm->figure[m];
        cor__moments_figure(&moments[m], schema->kind, level, figure);
        if (!cor__paper_figure(schema->published_id, arm->name, &figure->paper_mean, &figure->paper_sd))
            figure->paper_derived = cor__paper_derive(schema->published_id, arm->name, &figure->paper_mean);
        figure->paper_note = cor__paper_note(schema->id, arm->name);
    }
    struct cor_figure *total = &arm->figure[COR_METRIC_FAILURES_TOTAL];
    total->n = arm->sequences;
    total->suites = arm->suites;
    if (arm->sequences > 0)
        total->mean = (double)arm->failures;
}

static enum cor_status resample_figures(struct cor_tables *tables, size_t a,
                                        const struct cor__suite_sums *kept, struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (int m = 0; m < COR_METRIC_COUNT && status == COR_OK; m++)
        status = cor__suite_sums_figure(&kept[m], tables->head->seed, a, (enum cor_metric)m, tables->level,
                                        &tables->arm[a].figure[m], error);
    return status;
}

static enum cor_status fill_arms(struct cor_tables *tables, const struct cor__moments *moments,
                                 const struct cor__suite_sums *kept, struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (size_t a = 0; a < tables->arm_count && status == COR_OK; a++) {
        fill_figures(&tables->arm[a], moments + a * COR_METRIC_COUNT, tables->level);
        if (kept)
            status = resample_figures(tables, a, kept + a * COR_METRIC_COUNT, error);
        cor__check_arm(&tables->arm[a]);
    }
    return status;
}

static void free_kept(struct cor__suite_sums *kept, size_t count) {
    for (size_t i = 0; kept && i < count; i++)
        cor__suite_sums_fini(&kept[i]);
    free(kept);
}

static enum cor_status create_arms(struct cor_tables *tables, struct cor_error *error) {
    tables->arm_count = tables->head->catalog_size[COR_CATALOG_ARM];
    tables->arm = cor_calloc(tables->arm_count, sizeof *tables->arm);
    if (!tables->arm)
        return cor_fail_memory(error);
    for (size_t a = 0; a < tables->arm_count; a++) {
        const struct cor_catalog_entry *entry = &tables->head->catalog[COR_CATALOG_ARM][a];
        tables->arm[a].code = entry->code;
        tables->arm[a].name = entry->name;
        tables->arm[a].description = entry->description;
        tables->arm[a].published = cor__paper_has(entry->name);
    }
    return COR_OK;
}

enum cor_status cor_tables_create(struct cor_result *result, double level, struct cor_tables **tables,
                                  struct cor_error *error) {
    return cor_tables_create_as(result, &(struct cor_tables_wish){level, COR_TABLES_LINEARISED}, tables,
                                error);
}

enum cor_status cor_tables_create_as(struct cor_result *result, const struct cor_tables_wish *wish,
                                     struct cor_tables **tables, struct cor_error *error) {
    COR_ASSERT(wish->level >= 0.5 && wish->level <= 0.9999);
    struct cor__suite_reader reader = {0};
    struct cor__moments *moments = NULL;
    struct cor__suite_sums *kept = NULL;
    size_t figures = 0;
    struct cor_tables *made = *tables = cor_calloc(1, sizeof *made);
    enum cor_status status = made ? COR_OK : cor_fail_memory(error);
    if (status != COR_OK)
        return status;
    made->head = cor_result_head(result);
    made->level = wish->level;
    made->method = wish->method;
    made->paired = cor__is_paired(made->head->experiment);
    status = create_arms(made, error);
    if (status == COR_OK)
        status = cor__suite_reader_init(&reader, result, error);
    if (status != COR_OK)
        goto out;
    figures = made->arm_count * COR_METRIC_COUNT;
    moments = cor_calloc(figures, sizeof *moments);
    kept = wish->method == COR_TABLES_BCA ? cor_calloc(figures, sizeof *kept) : NULL;
    if (!moments || (wish->method == COR_TABLES_BCA && !kept))
        status = cor_fail_memory(error);
    if (status == COR_OK)
        status = read_all(&reader, made, moments, kept, error);
    if (status == COR_OK)
        status = fill_arms(made, moments, kept, error);
    if (status == COR_OK)
        cor__judge_claims(made);
out:
    free(moments);
    free_kept(kept, figures);
    cor__suite_reader_fini(&reader);
    if (status != COR_OK) {
        cor_tables_destroy(made);
        *tables = NULL;
    }
    return status;
}

size_t cor_tables_found_by(const struct cor_arm_tables *arm, const char *words[2]) {
    const struct cor_catch *caught = &arm->caught;
    size_t count = 0;
    if (caught->gray > 0)
        words[count++] = "gray";
    if (caught->black > 0)
        words[count++] = "black";
    if (count > 0)
        return count;
    if (caught->agreement_failed > 0)
        words[count++] = "agreement";
    if (caught->alarms_missed + caught->alarms_false > 0)
        words[count++] = "detect";
    return count;
}

void cor_tables_destroy(struct cor_tables *tables) {
    if (!tables)
        return;
    free(tables->arm);
    free(tables);
}
