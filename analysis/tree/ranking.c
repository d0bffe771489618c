/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ranking: units and their features from the suites of an arm, then a cut point for each number, scores
 * and ranks. */
#include "unit_features.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PERMUTATIONS 199

const char *const cor_ranked_unit_words[] = {
#define COR_RANKED_UNIT(NAME, one, many, meaning) many,
    COR_RANKED_UNITS(COR_RANKED_UNIT) NULL
#undef COR_RANKED_UNIT
};
const char *const cor_aspect_words[] = {
#define COR_ASPECT(NAME, word, meaning) word,
    COR_ASPECTS(COR_ASPECT) NULL
#undef COR_ASPECT
};
#define COR_SCORE(NAME, id, formula, source) id,
const char *const cor_score_words[] = {COR_SCORES(COR_SCORE) NULL};
#undef COR_SCORE
#define COR_SCORE(NAME, id, formula, source) formula,
const char *const cor_score_formulas[] = {COR_SCORES(COR_SCORE) NULL};
#undef COR_SCORE
#define COR_SCORE(NAME, id, formula, source) source,
const char *const cor_score_sources[] = {COR_SCORES(COR_SCORE) NULL};
#undef COR_SCORE

/* Each reorganization of a sequence is a unit, those that it only repeats from another sequence aside; or all
 * up to the first failing one are of one unit. *failure is the case of that one, else 0. */
static enum cor_status take_reorganizations(struct tree__features *features,
                                            const struct cor_sequence_rows *sequence, uint32_t *failure,
                                            struct cor_error *error) {
    bool single = features->unit == COR_RANKED_UNIT_REORGANIZATION;
    uint32_t repeated = single && sequence->branch ? sequence->branch->prefix : 0;
    size_t next_kept = 0;
    *failure = 0;
    for (size_t i = 0; i < sequence->reorganization_count; i++) {
        const struct cor_reorganization_row *row = &sequence->reorganizations[i];
        if (row->case_ <= repeated)
            continue;
        if (single || (features->unit == COR_RANKED_UNIT_SEQUENCE && *failure == 0)) {
            /* The kept structure of a reorganization of that sequence, NULL if there is none; *next is the
             * first row that can be it. */
            while (next_kept < sequence->failure_count && sequence->failures[next_kept].case_ < row->case_)
                ++next_kept;
            bool found =
                next_kept < sequence->failure_count && sequence->failures[next_kept].case_ == row->case_;
            COR_TRY(tree__features_reorganization(features, row,
                                                  found ? &sequence->failures[next_kept] : NULL, error));
        }
        if (cor_is_detected(row) && *failure == 0)
            *failure = row->case_;
        if (single) {
            bool failed = cor_is_detected(row), is_last = row->case_ == sequence->row->executed,
                 is_cut = sequence->row->executed < sequence->row->cases;
            COR_TRY(tree__features_end(
                features, (struct tree__ending){failed, failed && is_last && is_cut, row->sequence}, error));
        }
    }
    return COR_OK;
}

static enum cor_status observe(struct cor_result *result, struct cor_ranking *ranking,
                               struct tree__features *features, struct cor_error *error) {
    static const struct cor_reading readings[] = {
        {COR_TABLE_CHAINS, NULL},          {COR_TABLE_PROFILES, NULL},   {COR_TABLE_SEQUENCES, NULL},
        {COR_TABLE_REORGANIZATIONS, NULL}, {COR_TABLE_PARAMETERS, NULL}, {COR_TABLE_COUNTERS, NULL},
        {COR_TABLE_FAILURES, NULL}};
    struct cor_suite_reader *reader;
    const struct cor_suite_rows *suite;
    enum cor_status status = COR_OK;
    COR_TRY(cor_suite_reader_create(result, readings, sizeof readings / sizeof *readings, &reader, error));
    COR_TRY_OUT(cor_suite_reader_choose(reader, ranking->arm, ranking->suite, "--suite", error));
    for (;;) {
        bool failed;
        COR_TRY_OUT(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        COR_TRY_OUT(cor_suite_check(suite, result, error));
        failed = false;
        COR_TRY_OUT(tree__features_suite(features, suite, error));
        for (uint32_t s = 0; s < suite->row.sequences; s++) {
            const struct cor_sequence_rows *sequence = &suite->sequence[s];
            uint32_t failure;
            COR_TRY_OUT(tree__features_sequence(features, s, error));
            COR_TRY_OUT(take_reorganizations(features, sequence, &failure, error));
            failed = failed || failure > 0;
            if (features->unit == COR_RANKED_UNIT_SEQUENCE) {
                COR_TRY_OUT(
                    tree__features_walk(features, failure > 0 ? failure : sequence->row->executed, error));
                COR_TRY_OUT(
                    tree__features_end(features, (struct tree__ending){failure > 0, false, s}, error));
            }
            if (features->one_suite)
                COR_TRY_OUT(tree__spectrum_end_block(&features->spectrum, error));
        }
        if (features->unit == COR_RANKED_UNIT_SUITE)
            COR_TRY_OUT(tree__features_end(features, (struct tree__ending){.failed = failed}, error));
        COR_TRY_OUT(tree__spectrum_end_block(&features->spectrum, error));
        ranking->suites++;
        ranking->suites_failing += failed;
    }
    ranking->failing = features->spectrum.failing;
    ranking->passing = features->spectrum.passing;
out:
    cor_suite_reader_destroy(reader);
    return status;
}

/* A list under construction. */
struct listing {
    struct cor_feature_list *list;
    size_t capacity;
};

static enum cor_status add(struct cor_ranking *ranking, struct listing *listings, enum cor_aspect aspect,
                           const char *name, enum cor_ranking_comparison comparison, bool once,
                           const struct tree__having *having, struct cor_error *error) {
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
    double ef = (double)feature->failing_with, nf = (double)feature->failing_without,
           ep = (double)feature->passing_with, np = (double)feature->passing_without;
    double of_failing = ef / (ef + nf), of_passing = ep / (ep + np);
    feature->score[COR_SCORE_OCHIAI] = ef / sqrt((ef + nf) * (ef + ep));
    feature->score[COR_SCORE_TARANTULA] = of_failing / (of_failing + of_passing);
    feature->score[COR_SCORE_DSTAR] = ef * ef / (ep + nf); /* infinite if exactly the failing ones have it */
    listing->list->count++;
    return COR_OK;
}

/* A feature that was counted, as one or two of the ranking. */
static enum cor_status add_counted(struct cor_ranking *ranking, struct listing *listings,
                                   const struct tree__counted *counted, enum cor_aspect aspect,
                                   const char *name, struct cor_error *error) {
    uint64_t units = ranking->failing + ranking->passing;
    enum tree__fold fold = counted->key.fold;
    bool once = fold == TREE__GREATEST || fold == TREE__LEAST;
    if (fold == TREE__PRESENT) {
        struct tree__having having = {counted->buckets[0].failing, counted->buckets[0].passing, NAN, NAN};
        return add(ranking, listings, aspect, name, COR_PRESENT, false, &having, error);
    }
    if (fold != TREE__LEAST) {
        struct tree__having having = tree__best_cut(counted, true, units);
        COR_TRY(add(ranking, listings, aspect, name, COR_AT_LEAST, once, &having, error));
    }
    if (fold != TREE__GREATEST) {
        struct tree__having having = tree__best_cut(counted, false, units);
        COR_TRY(add(ranking, listings, aspect, name, COR_AT_MOST, once, &having, error));
    }
    return COR_OK;
}

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

/* Lists, and whether the first of the causes is there by chance. */
static enum cor_status compare(struct cor_result *result, struct cor_ranking *ranking,
                               struct tree__features *features, struct cor_error *error) {
    enum cor_status status = COR_OK;
    ranking->p = NAN;
    if (ranking->failing == 0 || ranking->passing == 0)
        return COR_OK;
    bool *is_cause = cor_calloc(features->spectrum.count, sizeof *is_cause);
    if (!is_cause)
        return cor_fail_memory(error);
    /* All features; is_cause says of each whether a cause is looked for in it. */
    struct listing listings[2] = {{&ranking->causes, 0}, {&ranking->symptoms, 0}};
    for (size_t i = 0; i < features->spectrum.count && status == COR_OK; i++) {
        const struct tree__counted *counted = &features->spectrum.features[i];
        enum cor_aspect aspect;
        char *name;
        bool wanted = tree__feature_describe(features, &counted->key, &aspect, &name);
        is_cause[i] = wanted && aspect != COR_ASPECT_BEHAVIOUR;
        if (!name)
            status = cor_fail_memory(error);
        else if (wanted && counted->count > 0) /* 0: never had a value */
            status = add_counted(ranking, listings, counted, aspect, name, error);
        free(name);
    }
    if (status != COR_OK)
        goto out;
    COR_TRY_OUT(rank(&ranking->causes, ranking->score, error));
    COR_TRY_OUT(rank(&ranking->symptoms, ranking->score, error));
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = cor_result_head(result)->seed,
                                                                 .arm = ranking->arm,
                                                                 .entity = (uint32_t)ranking->unit,
                                                                 .purpose = COR_PURPOSE_PERMUTATION});
    ranking->permutations = PERMUTATIONS;
    COR_TRY_OUT(
        tree__spectrum_permute(&features->spectrum, is_cause, PERMUTATIONS, &rng, &ranking->p, error));
out:
    free(is_cause);
    return status;
}

enum cor_status cor_ranking_create(struct cor_result *result, uint16_t arm, uint32_t suite,
                                   enum cor_ranked_unit unit, enum cor_score by, struct cor_ranking **ranking,
                                   struct cor_error *error) {
    struct tree__features features = {0};
    enum cor_status status = COR_OK;
    COR_ASSERT((int)unit >= 0 && unit < COR_RANKED_UNIT_COUNT && (int)by >= 0 && by < COR_SCORE_COUNT);
    struct cor_ranking *made = *ranking = cor_calloc(1, sizeof *made);
    if (!made)
        return cor_fail_memory(error);
    *made = (struct cor_ranking){.arm = arm, .suite = suite, .unit = unit, .score = by};
    COR_TRY_OUT(tree__features_init(&features, result, unit, suite != COR_ANY_SUITE, error));
    COR_TRY_OUT(observe(result, made, &features, error));
    COR_TRY_OUT(compare(result, made, &features, error));
    made->note = tree__features_note(&features);
    if (!made->note)
        status = cor_fail_memory(error);
out:
    tree__features_fini(&features);
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
