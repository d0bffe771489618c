/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the rows of a suite to its sums. */
#include "book.h"

#include <corridor/array.h>
#include <corridor/sums.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct cor_sum_schema *cor_sum_schema(enum cor_sum_metric metric) {
    static const struct cor_sum_schema schema[] = {
#define COR_SUM(NAME, id, unit, better, meaning) {id, unit, meaning, COR_BETTER_##better},
        COR_SUM_METRICS(COR_SUM)
#undef COR_SUM
    };
    return &schema[metric];
}

const char *cor_old_better_word(enum cor_better better) {
    static const char *const words[] = {"neither", "lower", "higher"};
    return words[better];
}

double cor_sum_whole(enum cor_sum_metric metric) {
    if (metric == COR_SUM_EFFICIENCY)
        return 1;
    return strcmp(cor_sum_schema(metric)->unit, "%") == 0 ? 100 : 0;
}

bool cor_sum_is_time(enum cor_sum_metric metric) {
    return metric == COR_SUM_CPU_REORGANIZATION || metric == COR_SUM_CPU_CASE;
}

/* One suite under way. */
struct scene {
    struct cor_sums *sums;
    struct cor_suite_sums *made;
    const struct cor__book *book;
    struct cor_spent_bin bin[COR_SPENT_BINS];
};

static void put(struct scene *scene, enum cor_sum_metric metric, double y, double x) {
    scene->made->y[metric] += y;
    scene->made->x[metric] += x;
}

static enum cor_status put_length(struct cor_lengths *lengths, size_t length, bool cut_off,
                                  struct cor_error *error) {
    size_t before = lengths->capacity;
    if (length >= before) {
        enum cor_status status = COR_RESERVE(&lengths->count, &lengths->capacity, length + 1, error);
        if (status != COR_OK)
            return status;
        memset(lengths->count + before, 0, (lengths->capacity - before) * sizeof *lengths->count);
    }
    lengths->count[length]++;
    lengths->n++;
    lengths->cut_off += cut_off;
    return COR_OK;
}

/* ---------------------------------------------------------------------------- reorganizations */

static uint32_t bin_of(uint64_t spent) {
    uint32_t bin = 0;
    for (; spent > 0; spent >>= 1)
        bin++;
    return bin;
}

/* Quality in units of the threshold, which differs from suite to suite. */
static void put_quality(struct scene *scene, const struct cor_reorganization_row *run,
                        struct cor_spent_bin *bin) {
    double threshold = scene->book->suite.threshold;
    double before = run->dissimilarity_before / threshold, after = run->dissimilarity_after / threshold;
    bool usable = threshold > 0 && isfinite(before) && isfinite(after);
    bool without = run->inside_after == COR_INSIDE_NOT_LOOKED; /* said in so many words */
    scene->sums->not_numbers += !usable && !without;
    if (!usable)
        return;
    put(scene, COR_SUM_BEFORE, before, 1);
    put(scene, COR_SUM_AFTER, after, 1);
    bin->known++;
    bin->before += before;
    bin->after += after;
}

static void put_success(struct scene *scene, const struct cor_reorganization_row *run,
                        struct cor_spent_bin *bin) {
    bool smoke = run->gray == COR_VERDICT_SMOKE || run->black == COR_VERDICT_SMOKE;
    bool inside = !smoke && run->inside_after == COR_INSIDE_INSIDE;
    if (!smoke && !inside && run->inside_after != COR_INSIDE_OUTSIDE)
        return;
    put(scene, COR_SUM_SUCCESS, inside ? 100 : 0, 1);
    bin->looked++;
    bin->success += inside;
}

static void put_run(struct scene *scene, const struct cor_reorganization_row *run) {
    struct cor_suite_sums *made = scene->made;
    struct cor_spent_bin *bin = &scene->bin[bin_of(run->spent)];
    double agents = scene->book->suite.agents;
    bool detected = cor__detection(run->gray) || cor__detection(run->black);
    made->reorganizations++;
    made->stop[run->stop < COR_ENDING_CODES ? run->stop : 0]++;
    made->smoke[run->smoke < COR_ENDING_CODES ? run->smoke : 0]++;
    bin->n++;
    put(scene, COR_SUM_DETECTIONS, detected ? 100 : 0, 1);
    put(scene, COR_SUM_FAILURES, run->fault_activated > 0, 0);
    put(scene, COR_SUM_MOVED, run->moved, 1);
    put(scene, COR_SUM_INVOLVED, agents, 1);
    put(scene, COR_SUM_EFFICIENCY, run->moved, agents);
    put(scene, COR_SUM_MOVES, agents > 0 ? run->moved / agents : 0, 0);
    put(scene, COR_SUM_MESSAGES, run->messages, 1);
    put(scene, COR_SUM_ROUNDS, run->rounds, 1);
    put(scene, COR_SUM_SPENT, (double)run->spent, 1);
    put_quality(scene, run, bin);
    put_success(scene, run, bin);
}

static enum cor_status sum_runs(struct scene *scene, struct cor_error *error) {
    size_t runs;
    const struct cor_reorganization_row *run = cor__book_rows(scene->book, COR_TABLE_REORGANIZATIONS, &runs);
    for (size_t r = 0; r < runs; r++) {
        put_run(scene, &run[r]);
        if (r == 0 || run[r].sequence != run[r - 1].sequence)
            continue;
        uint32_t gap = run[r].case_ - run[r - 1].case_;
        enum cor_status status = put_length(&scene->sums->gap[scene->made->arm], gap, false, error);
        if (status != COR_OK)
            return status;
        put(scene, COR_SUM_GAP, gap, 1);
    }
    return COR_OK;
}

/* -------------------------------------------------------------------------- sequences and cases */

static void sum_sequences(struct scene *scene) {
    size_t sequences, runs, r = 0;
    const struct cor_sequence_row *sequence = cor__book_rows(scene->book, COR_TABLE_SEQUENCES, &sequences);
    const struct cor_reorganization_row *run = cor__book_rows(scene->book, COR_TABLE_REORGANIZATIONS, &runs);
    for (size_t s = 0; s < sequences; s++) {
        bool detected = false;
        for (; r < runs && run[r].sequence <= sequence[s].sequence; r++)
            detected = detected || (run[r].sequence == sequence[s].sequence &&
                                    (cor__detection(run[r].gray) || cor__detection(run[r].black)));
        scene->made->sequences++;
        scene->made->executed += sequence[s].executed;
        put(scene, COR_SUM_DETECTED_SEQUENCES, detected ? 100 : 0, 1);
    }
    put(scene, COR_SUM_REORGANIZATIONS, (double)runs, (double)scene->made->executed);
    scene->made->x[COR_SUM_FAILURES] = (double)sequences;
    scene->made->x[COR_SUM_MOVES] = (double)sequences;
}

/* Where a case ends: the oracle's last look. A reorganization without a result changes nothing. */
static uint8_t ends(const struct cor_case_row *it, const struct cor_reorganization_row *run) {
    if (run && run->inside_after != COR_INSIDE_NOT_LOOKED)
        return run->inside_after;
    return it->inside;
}

/* A stay: cases without a gap that end outside. It is cut off by the end of the sequence and by a case at
 * which nobody looked. */
struct stay {
    uint32_t length;
    uint16_t sequence;
    uint32_t last;
};

static enum cor_status end_stay(struct scene *scene, struct stay *stay, bool cut_off,
                                struct cor_error *error) {
    if (stay->length == 0)
        return COR_OK;
    put(scene, COR_SUM_STAY, stay->length, 1);
    enum cor_status status = put_length(&scene->sums->stay[scene->made->arm], stay->length, cut_off, error);
    stay->length = 0;
    return status;
}

static enum cor_status take_case(struct scene *scene, const struct cor_case_row *it, uint8_t end,
                                 struct stay *stay, struct cor_error *error) {
    bool known = end == COR_INSIDE_INSIDE || end == COR_INSIDE_EDGE || end == COR_INSIDE_OUTSIDE;
    bool outside = end == COR_INSIDE_OUTSIDE;
    bool follows = it->sequence == stay->sequence && it->case_ == stay->last + 1;
    enum cor_status status = COR_OK;
    if (!outside || !follows)
        status = end_stay(scene, stay, !follows || !known, error);
    if (known)
        put(scene, COR_SUM_OUTSIDE, outside ? 100 : 0, 1);
    stay->length += outside;
    stay->sequence = it->sequence;
    stay->last = it->case_;
    return status;
}

static enum cor_status sum_cases(struct scene *scene, struct cor_error *error) {
    size_t cases, runs, r = 0;
    const struct cor_case_row *it = cor__book_rows(scene->book, COR_TABLE_CASES, &cases);
    const struct cor_reorganization_row *run = cor__book_rows(scene->book, COR_TABLE_REORGANIZATIONS, &runs);
    struct stay stay = {0, 0, UINT32_MAX};
    enum cor_status status = COR_OK;
    for (size_t c = 0; c < cases && status == COR_OK; c++) {
        while (r < runs && (run[r].sequence < it[c].sequence ||
                            (run[r].sequence == it[c].sequence && run[r].case_ < it[c].case_)))
            r++;
        bool here = r < runs && run[r].sequence == it[c].sequence && run[r].case_ == it[c].case_;
        status = take_case(scene, &it[c], ends(&it[c], here ? &run[r] : NULL), &stay, error);
    }
    return status == COR_OK ? end_stay(scene, &stay, true, error) : status;
}

/* --------------------------------------------------------------------------------------- whole */

static enum cor_status keep_bins(struct scene *scene, struct cor_error *error) {
    struct cor_sums *sums = scene->sums;
    for (uint32_t b = 0; b < COR_SPENT_BINS; b++) {
        if (scene->bin[b].n == 0)
            continue;
        enum cor_status status = COR_RESERVE(&sums->bin, &sums->bin_capacity, sums->bin_count + 1, error);
        if (status != COR_OK)
            return status;
        scene->bin[b].bin = b;
        scene->bin[b].suite_index = (uint32_t)sums->suite_count;
        sums->bin[sums->bin_count++] = scene->bin[b];
    }
    return COR_OK;
}

static enum cor_status sum_suite(struct cor_sums *sums, const struct cor__book *book,
                                 struct cor_error *error) {
    size_t a = cor__arm_index(sums->head, book->suite.arm);
    if (a == sums->head->catalog_size[COR_CATALOG_ARM])
        return cor__arm_missing(book->suite.arm, error);
    enum cor_status status = COR_RESERVE(&sums->suite, &sums->suite_capacity, sums->suite_count + 1, error);
    if (status != COR_OK)
        return status;
    struct scene scene = {sums, &sums->suite[sums->suite_count], book, {{0}}};
    *scene.made = (struct cor_suite_sums){
        .arm = (uint16_t)a, .suite = book->suite.suite, .configuration_hash = book->suite.configuration_hash};
    sum_sequences(&scene);
    status = sum_runs(&scene, error);
    if (status == COR_OK)
        status = sum_cases(&scene, error);
    if (status == COR_OK)
        status = keep_bins(&scene, error);
    sums->suite_count++;
    return status;
}

enum cor_status cor_sums_create(struct cor_result *result, struct cor_sums **sums, struct cor_error *error) {
    struct cor_sums *made = *sums = cor_calloc(1, sizeof *made);
    struct cor__book book;
    bool there = true;
    if (!made)
        return cor_fail_memory(error);
    made->head = cor_result_head(result);
    made->gap = cor_calloc(made->head->catalog_size[COR_CATALOG_ARM], sizeof *made->gap);
    made->stay = cor_calloc(made->head->catalog_size[COR_CATALOG_ARM], sizeof *made->stay);
    enum cor_status status = cor__book_init(&book, result, true, error);
    if (status == COR_OK && (!made->gap || !made->stay))
        status = cor_fail_memory(error);
    while (status == COR_OK) {
        status = cor__book_next(&book, &there, error);
        if (status != COR_OK || !there)
            break;
        status = sum_suite(made, &book, error);
    }
    made->left_out = book.left_out;
    cor__book_fini(&book);
    if (status != COR_OK) {
        cor_sums_destroy(made);
        *sums = NULL;
    }
    return status;
}

void cor_sums_destroy(struct cor_sums *sums) {
    if (!sums)
        return;
    for (size_t a = 0; a < sums->head->catalog_size[COR_CATALOG_ARM]; a++) {
        if (sums->gap)
            free(sums->gap[a].count);
        if (sums->stay)
            free(sums->stay[a].count);
    }
    free(sums->gap);
    free(sums->stay);
    free(sums->suite);
    free(sums->bin);
    free(sums);
}
