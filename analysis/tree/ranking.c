/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ranking: units and their features from the suites of an arm, then a cut point for each number, scores
 * and ranks. */
#include "unit_features.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------ observing */

/* What is left of a suite's reorganizations: rows in the order of sequences, and along with them kept
 * structures and which sequences continue others. */
struct slice {
    const struct cor_reorganization_row *row, *end;
    const struct cor_failure_row *kept, *kept_end;
    const struct cor_branch_row *branch, *branch_end;
};

static struct slice whole(const struct cor__suite_rows *rows) {
    struct slice all = {0};
    size_t count;
    all.row = cor__rows_of(rows, COR_TABLE_REORGANIZATIONS, &count);
    all.end = count > 0 ? all.row + count : all.row;
    all.kept = cor__rows_of(rows, COR_TABLE_FAILURES, &count);
    all.kept_end = count > 0 ? all.kept + count : all.kept;
    all.branch = cor__rows_of(rows, COR_TABLE_BRANCHES, &count);
    all.branch_end = count > 0 ? all.branch + count : all.branch;
    return all;
}

/* Cases of the next sequence that it only repeats; 0 if it continues none. */
static uint32_t prefix_of(struct slice *slice, const struct cor_sequence_row *sequence) {
    while (slice->branch < slice->branch_end && slice->branch->sequence < sequence->sequence)
        slice->branch++;
    bool found = slice->branch < slice->branch_end && slice->branch->sequence == sequence->sequence;
    return found ? slice->branch->prefix : 0;
}

/* The kept structure of the first row of the slice. */
static const struct cor_failure_row *kept_of(struct slice *slice) {
    const struct cor_reorganization_row *row = slice->row;
    while (slice->kept < slice->kept_end &&
           (slice->kept->sequence < row->sequence ||
            (slice->kept->sequence == row->sequence && slice->kept->case_ < row->case_)))
        slice->kept++;
    bool found = slice->kept < slice->kept_end && slice->kept->sequence == row->sequence &&
                 slice->kept->case_ == row->case_;
    return found ? slice->kept : NULL;
}

/* Takes the reorganizations of a sequence off the slice: each a unit, those that it only repeats from another
 * sequence aside; or all of them up to the first failing one, whose case is *failure (else 0). */
static enum cor_status take_reorganizations(struct cor__features *features,
                                            const struct cor__suite_rows *rows,
                                            const struct cor_sequence_row *sequence, struct slice *slice,
                                            uint32_t *failure, struct cor_error *error) {
    uint32_t repeated = features->unit == COR_UNIT_REORGANIZATION ? prefix_of(slice, sequence) : 0;
    enum cor_status status = COR_OK;
    *failure = 0;
    for (; slice->row < slice->end && slice->row->sequence == sequence->sequence && status == COR_OK;
         slice->row++) {
        const struct cor_reorganization_row *row = slice->row;
        if (row->case_ <= repeated)
            continue;
        bool failed = cor__detected(row->gray, row->black),
             single = features->unit == COR_UNIT_REORGANIZATION;
        if (features->unit != COR_UNIT_SUITE && (single || *failure == 0))
            status = cor__features_reorganization(features, rows, sequence, row, kept_of(slice), error);
        if (failed && *failure == 0)
            *failure = row->case_;
        if (single && status == COR_OK)
            status = cor__features_configuration(features, rows, error);
        if (single && status == COR_OK)
            status = cor__features_end(features, failed, error);
    }
    return status;
}

static enum cor_status take_sequence(struct cor__features *features, struct cor__suite_rows *rows,
                                     const struct cor_sequence_row *sequence, struct slice *slice,
                                     bool *failed, struct cor_error *error) {
    uint32_t failure = 0;
    enum cor_status status = COR_OK;
    if (features->any_usable && features->unit != COR_UNIT_SUITE)
        status = cor__suite_rows_walk(rows, sequence, error);
    if (status == COR_OK)
        status = take_reorganizations(features, rows, sequence, slice, &failure, error);
    *failed = failure > 0;
    if (features->unit != COR_UNIT_SEQUENCE || status != COR_OK)
        return status;
    if (features->any_usable)
        status = cor__features_walk(features, rows, sequence, *failed ? failure : sequence->executed, error);
    if (status == COR_OK)
        status = cor__features_configuration(features, rows, error);
    return status == COR_OK ? cor__features_end(features, *failed, error) : status;
}

static enum cor_status take_suite(struct cor__features *features, struct cor__suite_rows *rows, bool *failed,
                                  struct cor_error *error) {
    size_t count;
    const struct cor_sequence_row *sequence = cor__rows_of(rows, COR_TABLE_SEQUENCES, &count);
    struct slice slice = whole(rows);
    enum cor_status status = cor__features_suite(features, rows, error);
    *failed = false;
    for (size_t s = 0; s < count && status == COR_OK; s++) {
        bool of_sequence = false;
        status = take_sequence(features, rows, &sequence[s], &slice, &of_sequence, error);
        *failed = *failed || of_sequence;
    }
    if (status == COR_OK && features->unit == COR_UNIT_SUITE)
        status = cor__features_configuration(features, rows, error);
    if (status == COR_OK && features->unit == COR_UNIT_SUITE)
        status = cor__features_end(features, *failed, error);
    return status;
}

static enum cor_status observe(struct cor_result *result, struct cor_ranking *ranking,
                               struct cor__features *features, struct cor_error *error) {
    struct cor__suite_rows rows;
    bool there = true;
    enum cor_status status = cor__suite_rows_init(
        &rows, result, ranking->arm, ranking->suite,
        COR__TABLE(PARAMETERS) | COR__TABLE(COUNTERS) | COR__TABLE(FAILURES) | COR__TABLE(BRANCHES), error);
    while (status == COR_OK && there) {
        bool failed = false;
        status = cor__suite_rows_next(&rows, &there, error);
        if (status != COR_OK || !there)
            break;
        status = take_suite(features, &rows, &failed, error);
        ranking->suites++;
        ranking->suites_failing += failed;
    }
    cor__suite_rows_fini(&rows);
    return status;
}

/* -------------------------------------------------------------------------------------- scoring */

static void set_scores(struct cor_feature *feature) {
    double ef = (double)feature->failing_with, nf = (double)feature->failing_without,
           ep = (double)feature->passing_with, np = (double)feature->passing_without;
    double of_failing = ef / (ef + nf), of_passing = ep / (ep + np);
    feature->score[COR_SCORE_OCHIAI] = ef / sqrt((ef + nf) * (ef + ep));
    feature->score[COR_SCORE_TARANTULA] = of_failing / (of_failing + of_passing);
    feature->score[COR_SCORE_DSTAR] = ef * ef / (ep + nf); /* infinite if exactly the failing ones have it */
}

/* Counts of those that have a feature. */
struct having {
    uint64_t failing, passing;
    double bound, next; /* as in struct cor_feature */
};

/* The cut of the buckets that Ochiai likes best, on ties the one that takes in more failing units, then the
 * first from its end: at or above a bound (`from_above`), or at or below it. None takes in every unit. */
static struct having best_cut(const struct cor__counted *counted, bool from_above, uint64_t units) {
    struct having best = {.bound = NAN, .next = NAN}, so_far = {0};
    double best_score = 0;
    for (size_t i = 0; i < counted->count; i++) {
        size_t at = from_above ? counted->count - 1 - i : i;
        const struct cor__bucket *bucket = &counted->buckets[at];
        so_far.failing += bucket->failing;
        so_far.passing += bucket->passing;
        so_far.bound = from_above ? bucket->least : bucket->greatest;
        so_far.next = i + 1 == counted->count ? NAN : from_above ? bucket[-1].greatest : bucket[1].least;
        double failing = (double)so_far.failing, all = (double)(so_far.failing + so_far.passing);
        double score = failing * failing / all; /* Ochiai squared, times the number of failing units */
        if (so_far.failing + so_far.passing < units &&
            (score > best_score || (score == best_score && so_far.failing > best.failing))) {
            best = so_far;
            best_score = score;
        }
    }
    return best;
}

/* A list under construction. */
struct listing {
    struct cor_feature_list *list;
    size_t capacity;
};

static enum cor_status add(struct cor_ranking *ranking, struct listing *listings, enum cor_aspect aspect,
                           const char *name, enum cor_comparison comparison, bool once,
                           const struct having *having, struct cor_error *error) {
    struct listing *listing = &listings[aspect == COR_ASPECT_BEHAVIOUR];
    uint64_t all = having->failing + having->passing;
    if (having->failing == 0 || all == ranking->failing + ranking->passing)
        return COR_OK;
    enum cor_status status =
        COR_RESERVE(&listing->list->feature, &listing->capacity, listing->list->count + 1, error);
    if (status != COR_OK)
        return status;
    struct cor_feature *feature = &listing->list->feature[listing->list->count];
    *feature = (struct cor_feature){
        .aspect = aspect,
        .name = cor_strdup(name),
        .comparison = comparison,
        .bound = having->bound,
        .next = having->next,
        .once = once,
        .failing_with = having->failing,
        .failing_without = ranking->failing - having->failing,
        .passing_with = having->passing,
        .passing_without = ranking->passing - having->passing,
    };
    if (!feature->name)
        return cor_fail_memory(error);
    set_scores(feature);
    listing->list->count++;
    return COR_OK;
}

static enum cor_status add_counted(struct cor_ranking *ranking, struct listing *listings,
                                   const struct cor__counted *counted, enum cor_aspect aspect,
                                   const char *name, struct cor_error *error) {
    uint64_t units = ranking->failing + ranking->passing;
    enum cor__fold fold = counted->key.fold;
    bool once = fold == COR__GREATEST || fold == COR__LEAST;
    enum cor_status status = COR_OK;
    if (fold == COR__PRESENT) {
        struct having having = {counted->buckets[0].failing, counted->buckets[0].passing, NAN, NAN};
        return add(ranking, listings, aspect, name, COR_PRESENT, false, &having, error);
    }
    if (fold != COR__LEAST) {
        struct having having = best_cut(counted, true, units);
        status = add(ranking, listings, aspect, name, COR_AT_LEAST, once, &having, error);
    }
    if (fold != COR__GREATEST && status == COR_OK) {
        struct having having = best_cut(counted, false, units);
        status = add(ranking, listings, aspect, name, COR_AT_MOST, once, &having, error);
    }
    return status;
}

/* Every feature that was counted, as one or two of the ranking. */
static enum cor_status score(struct cor_ranking *ranking, const struct cor__features *features,
                             struct cor_error *error) {
    struct listing listings[2] = {{&ranking->causes, 0}, {&ranking->symptoms, 0}};
    enum cor_status status = COR_OK;
    for (size_t i = 0; i < features->spectrum.count && status == COR_OK; i++) {
        const struct cor__counted *counted = &features->spectrum.features[i];
        enum cor_aspect aspect;
        char *name;
        bool wanted = cor__feature_describe(features, &counted->key, &aspect, &name);
        if (!name)
            status = cor_fail_memory(error);
        else if (wanted && counted->count > 0) /* 0: never had a value */
            status = add_counted(ranking, listings, counted, aspect, name, error);
        free(name);
    }
    return status;
}

/* -------------------------------------------------------------------------------------- ranking */

/* What sorting looks at, and where it came from, so that equals stay in their order. */
struct place {
    double score;
    size_t index;
};

static int by_score(const void *a, const void *b) {
    const struct place *one = a, *other = b;
    if (one->score != other->score)
        return one->score > other->score ? -1 : 1;
    return one->index < other->index ? -1 : 1;
}

static enum cor_status rank(struct cor_feature_list *list, enum cor_score by, struct cor_error *error) {
    struct place *places = cor_calloc(list->count, sizeof *places);
    struct cor_feature *sorted = cor_calloc(list->count, sizeof *sorted);
    if (!places || !sorted) {
        free(places);
        free(sorted);
        return cor_fail_memory(error);
    }
    for (size_t i = 0; i < list->count; i++)
        places[i] = (struct place){list->feature[i].score[by], i};
    qsort(places, list->count, sizeof *places, by_score);
    for (size_t i = 0; i < list->count; i++)
        sorted[i] = list->feature[places[i].index];
    for (size_t first = 0, end; first < list->count; first = end) {
        for (end = first + 1; end < list->count && places[end].score == places[first].score;)
            end++;
        for (size_t i = first; i < end; i++) {
            sorted[i].rank_best = first + 1;
            sorted[i].rank_worst = end;
        }
    }
    free(places);
    free(list->feature);
    list->feature = sorted;
    return COR_OK;
}

enum cor_status cor_ranking_create(struct cor_result *result, uint16_t arm, uint32_t suite,
                                   enum cor_unit unit, enum cor_score by, struct cor_ranking **ranking,
                                   struct cor_error *error) {
    struct cor__features features;
    COR_ASSERT((int)unit >= 0 && unit < COR_UNIT_COUNT && (int)by >= 0 && by < COR_SCORE_COUNT);
    struct cor_ranking *made = *ranking = cor_calloc(1, sizeof *made);
    if (!made)
        return cor_fail_memory(error);
    *made = (struct cor_ranking){.arm = arm, .suite = suite, .unit = unit, .score = by};
    enum cor_status status = cor__features_init(&features, result, unit, suite != COR_ANY_SUITE, error);
    if (status == COR_OK)
        status = observe(result, made, &features, error);
    made->failing = features.spectrum.failing;
    made->passing = features.spectrum.passing;
    if (status == COR_OK && made->failing > 0 && made->passing > 0)
        status = score(made, &features, error);
    if (status == COR_OK)
        status = rank(&made->causes, by, error);
    if (status == COR_OK)
        status = rank(&made->symptoms, by, error);
    if (status == COR_OK && !(made->note = cor__features_note(&features)))
        status = cor_fail_memory(error);
    cor__features_fini(&features);
    if (status != COR_OK) {
        cor_ranking_destroy(made);
        *ranking = NULL;
    }
    return status;
}

static void free_list(struct cor_feature_list *list) {
    for (size_t i = 0; i < list->count; i++)
        free(list->feature[i].name);
    free(list->feature);
}

void cor_ranking_destroy(struct cor_ranking *ranking) {
    if (!ranking)
        return;
    free_list(&ranking->causes);
    free_list(&ranking->symptoms);
    free(ranking->note);
    free(ranking);
}
