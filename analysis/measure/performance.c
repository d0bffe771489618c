/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How well the algorithm under test does its work: the metrics of so_algorithms, section 9, that a result
 * file holds. */
#include "measure.h"

#include <corridor/array.h>

#include <math.h>
#include <string.h>

static enum cor_status put_length(struct cor_lengths *lengths, size_t length, bool cut_off,
                                  struct cor_error *error) {
    size_t before = lengths->capacity;
    if (length >= before) {
        COR_TRY(COR_RESERVE(&lengths->count, &lengths->capacity, length + 1, error));
        memset(lengths->count + before, 0, (lengths->capacity - before) * sizeof *lengths->count);
    }
    lengths->count[length]++;
    lengths->n++;
    lengths->cut_off += cut_off;
    return COR_OK;
}

static void put_run(struct measure__suite_work *work, const struct cor_reorganization_row *run,
                    struct cor_spent_bin *bin) {
    double agents = work->suite->row.agents;
    work->sums->stop[cor_known_code(run->stop, COR_ENDING_CODES)]++;
    work->sums->smoke[cor_known_code(run->smoke, COR_ENDING_CODES)]++;
    bin->n++;
    measure__contribute(work, COR_METRIC_DETECTIONS, cor_is_detected(run) ? 100 : 0, 1);
    measure__contribute(work, COR_METRIC_MOVED, run->moved, 1);
    measure__contribute(work, COR_METRIC_INVOLVED, agents, 1);
    measure__contribute(work, COR_METRIC_EFFICIENCY, run->moved, agents);
    measure__contribute(work, COR_METRIC_MOVES, agents > 0 ? run->moved / agents : 0, 0);
    measure__contribute(work, COR_METRIC_MESSAGES, run->messages, 1);
    measure__contribute(work, COR_METRIC_ROUNDS, run->rounds, 1);
    measure__contribute(work, COR_METRIC_SPENT, (double)run->spent, 1);
    /* Quality in units of the threshold, which differs from suite to suite. */
    double threshold = work->suite->row.threshold;
    double before = run->dissimilarity_before / threshold, after = run->dissimilarity_after / threshold;
    bool usable = threshold > 0 && isfinite(before) && isfinite(after);
    bool without = run->inside_after == COR_INSIDE_NOT_LOOKED; /* said in so many words */
    work->measurement->not_numbers += !usable && !without;
    if (usable) {
        measure__contribute(work, COR_METRIC_BEFORE, before, 1);
        measure__contribute(work, COR_METRIC_AFTER, after, 1);
        bin->known++;
        bin->before += before;
        bin->after += after;
    }
    bool smoke = cor_is_smoke(run);
    bool inside = !smoke && run->inside_after == COR_INSIDE_INSIDE;
    if (!smoke && !inside && run->inside_after != COR_INSIDE_OUTSIDE)
        return;
    measure__contribute(work, COR_METRIC_SUCCESS, inside ? 100 : 0, 1);
    bin->looked++;
    bin->success += inside;
}

/* A stay: cases without a gap that end outside. It is cut off by the end of the sequence and by a case at
 * which nobody looked. */
struct stay {
    uint32_t length, last;
};

static enum cor_status end_stay(struct measure__suite_work *work, struct stay *stay, bool cut_off,
                                struct cor_error *error) {
    uint32_t length = stay->length;
    stay->length = 0;
    if (length == 0)
        return COR_OK;
    measure__contribute(work, COR_METRIC_STAY, length, 1);
    return put_length(&work->arm->stay, length, cut_off, error);
}

static enum cor_status measure_cases(struct measure__suite_work *work,
                                     const struct cor_sequence_rows *sequence, struct cor_error *error) {
    const struct cor_case_tables tables = cor_sequence_case_tables(sequence);
    struct cor_case_cursor cursor = {0};
    struct stay stay = {0, UINT32_MAX};
    for (size_t c = 0; c < sequence->case_count; c++) {
        const struct cor_case_row *it = &sequence->cases[c];
        const struct cor_case_rows rows = cor_case_at(&tables, c, &cursor);
        const enum cor_case_answer inside = cor_case_inside(&rows);
        bool outside = inside == COR_CASE_NO, known = inside != COR_CASE_UNKNOWN;
        bool follows = it->case_ == stay.last + 1;
        if (!outside || !follows)
            COR_TRY(end_stay(work, &stay, !follows || !known, error));
        if (known)
            measure__contribute(work, COR_METRIC_OUTSIDE, outside ? 100 : 0, 1);
        stay.length += outside;
        stay.last = it->case_;
    }
    return end_stay(work, &stay, true, error);
}

enum cor_status measure__measure_performance(struct measure__suite_work *work, struct cor_error *error) {
    struct cor_spent_bin bins[COR_SPENT_BINS] = {{0}};
    struct cor_suite_sums *sums = work->sums;
    for (uint32_t s = 0; s < work->suite->row.sequences; s++) {
        const struct cor_sequence_rows *sequence = &work->suite->sequence[s];
        if (!measure__takes_part(sequence))
            continue;
        const struct cor_reorganization_row *run = sequence->reorganizations;
        for (size_t r = 0; r < sequence->reorganization_count; r++) {
            uint64_t spent = run[r].spent;
            uint32_t bin = 0;
            for (; spent > 0; spent >>= 1)
                bin++;
            put_run(work, &run[r], &bins[bin]);
            if (r == 0)
                continue;
            uint32_t gap = run[r].case_ - run[r - 1].case_;
            COR_TRY(put_length(&work->arm->gap, gap, false, error));
            measure__contribute(work, COR_METRIC_GAP, gap, 1);
        }
        COR_TRY(measure_cases(work, sequence, error));
    }
    measure__contribute(work, COR_METRIC_REORGANIZATIONS_PER_CASE, (double)sums->reorganizations,
                        (double)sums->executed);
    sums->x[COR_METRIC_MOVES] = (double)sums->sequences;
    struct cor_measurement *m = work->measurement;
    for (uint32_t b = 0; b < COR_SPENT_BINS; b++) {
        if (bins[b].n == 0)
            continue;
        COR_TRY(COR_RESERVE(&m->bin, &m->bin_capacity, m->bin_count + 1, error));
        bins[b].bin = b;
        bins[b].suite_index = (uint32_t)(work->sums - m->suite);
        m->bin[m->bin_count++] = bins[b];
    }
    return COR_OK;
}

/* The length at place k (from 0) of those in ascending order. */
static double at_place(const struct cor_lengths *lengths, uint64_t k) {
    COR_ASSERT(k < lengths->n);
    size_t length = 0;
    for (uint64_t before = lengths->count[0]; before <= k; before += lengths->count[length])
        length++;
    return (double)length;
}

struct cor_length_figures cor_lengths_describe(const struct cor_lengths *lengths) {
    struct cor_length_figures f = {lengths->n, lengths->cut_off, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    double n = (double)lengths->n, sum = 0, squares = 0, logs = 0, inverses = 0;
    if (lengths->n == 0)
        return f;
    for (size_t l = 0; l < lengths->capacity; l++)
        sum += (double)lengths->count[l] * (double)l;
    f.mean = sum / n;
    for (size_t l = 0; l < lengths->capacity; l++) {
        double times = (double)lengths->count[l], off = (double)l - f.mean;
        if (lengths->count[l] == 0)
            continue;
        squares += times * off * off;
        logs += times * log((double)l); /* a length of 0 makes both means 0 */
        inverses += times / (double)l;
    }
    f.sd = lengths->n > 1 ? sqrt(squares / (n - 1)) : (double)NAN;
    f.geometric_mean = exp(logs / n);
    f.harmonic_mean = n / inverses;
    f.min = at_place(lengths, 0);
    f.max = at_place(lengths, lengths->n - 1);
    f.median = (at_place(lengths, (lengths->n - 1) / 2) + at_place(lengths, lengths->n / 2)) / 2;
    return f;
}
