/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether what goes with failing could do so by chance: verdicts are exchanged between blocks, and the best
 * feature is looked for again. */
#include "spectrum.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNWANTED UINT32_MAX
#define TRIES 100 /* for an arrangement in which something fails and something passes */

/* What a unit does in an arrangement; ABSENT = its sequence has stopped before. */
enum fate { PASSES, FAILS, ABSENT, FATES };

/* Units of a block: items of the log, which end with that of the block. */
struct block {
    size_t first, end;
};

/* The log, with the values of all wanted features numbered through: buckets. Marks hold them in `feature`. */
struct sample {
    struct tree__spectrum *spectrum; /* borrowed */
    struct block *block;             /* owned; those that have units */
    uint32_t block_count;
    uint32_t *start;        /* owned; [feature + 1] first bucket; end of the one before */
    uint32_t *all;          /* owned; [bucket] units in it */
    uint32_t *count[FATES]; /* owned; [fate][bucket] of an arrangement: units in it */
    uint8_t *fate;          /* owned; [item of the log] an arrangement */
    uint64_t units[FATES];  /* of the arrangement */
    uint32_t *order;        /* owned; [block] whose verdicts it gets */
};

static uint32_t bucket_of(const struct sample *sample, const struct tree__mark *mark) {
    const struct tree__counted *feature = &sample->spectrum->features[mark->feature];
    uint32_t first = sample->start[mark->feature];
    if (first == sample->start[mark->feature + 1])
        return UNWANTED;
    return first + (uint32_t)tree__bucket_at(feature, mark->code);
}

/* Blocks, and the arrangement of the file. */
static void find_blocks(struct sample *sample) {
    const struct tree__spectrum *spectrum = sample->spectrum;
    size_t first = 0;
    for (size_t i = 0; i < spectrum->log_count; i++) {
        if (!spectrum->log[i].is_block) {
            sample->fate[i] = spectrum->log[i].ending.failed ? FAILS : PASSES;
            sample->units[sample->fate[i]]++;
            continue;
        }
        if (i > first)
            sample->block[sample->block_count++] = (struct block){first, i};
        first = i + 1;
    }
}

/* Adds `weight` of a unit, or of all of a block, to the buckets that item of the log is in. */
static void add_item(const struct sample *sample, size_t item, uint32_t weight, uint32_t *count) {
    const struct tree__spectrum *spectrum = sample->spectrum;
    for (size_t m = item > 0 ? spectrum->log[item - 1].end : 0; m < spectrum->log[item].end; m++)
        if (spectrum->mark[m].feature != UNWANTED)
            count[spectrum->mark[m].feature] += weight;
}

/* Counts units by bucket, those of one fate or, FATES, all. */
static void count_units(const struct sample *sample, enum fate fate, uint32_t *count) {
    for (uint32_t b = 0; b < sample->block_count; b++) {
        uint32_t of_block = 0;
        for (size_t i = sample->block[b].first; i < sample->block[b].end; i++)
            if (fate == FATES || sample->fate[i] == fate) {
                add_item(sample, i, 1, count);
                of_block++;
            }
        add_item(sample, sample->block[b].end, of_block, count);
    }
}

/* Of the best cut of buckets first .. end - 1 from one side: failing^2 / all. */
static double best_of(const struct sample *sample, uint32_t first, uint32_t end, bool from_above) {
    uint64_t failing = 0, all = 0, units = sample->units[FAILS] + sample->units[PASSES];
    double best = 0;
    for (uint32_t i = first; i < end; i++) {
        uint32_t bucket = from_above ? first + (end - 1 - i) : i;
        failing += sample->count[FAILS][bucket];
        all += sample->count[FAILS][bucket] + sample->count[PASSES][bucket];
        double score = all > 0 && all < units ? (double)(failing * failing) / (double)all : 0;
        best = score > best ? score : best;
    }
    return best;
}

/* The greatest Ochiai of an arrangement, squared. */
static double greatest(struct sample *sample) {
    const struct tree__spectrum *spectrum = sample->spectrum;
    double best = 0;
    /* Counts the arrangement by bucket; the most frequent fate is what the others leave. */
    uint32_t buckets = sample->start[sample->spectrum->count];
    enum fate most = PASSES;
    for (enum fate fate = FAILS; fate < FATES; fate++)
        most = sample->units[fate] > sample->units[most] ? fate : most;
    memcpy(sample->count[most], sample->all, buckets * sizeof *sample->all);
    for (enum fate fate = 0; fate < FATES; fate++) {
        if (fate == most)
            continue;
        memset(sample->count[fate], 0, buckets * sizeof *sample->all);
        count_units(sample, fate, sample->count[fate]);
        for (uint32_t i = 0; i < buckets; i++)
            sample->count[most][i] -= sample->count[fate][i];
    }
    for (size_t f = 0; f < spectrum->count; f++) {
        enum tree__fold fold = spectrum->features[f].key.fold;
        uint32_t first = sample->start[f], end = sample->start[f + 1];
        if (fold != TREE__LEAST)
            best = fmax(best, best_of(sample, first, end, true));
        if (fold == TREE__LEAST || fold == TREE__ONLY)
            best = fmax(best, best_of(sample, first, end, false));
    }
    return best / (double)sample->units[FAILS];
}

/* Gives the units of a block the verdicts of another one. */
static void give(struct sample *sample, const struct block *to, const struct block *from, size_t place) {
    const struct tree__logged *log = sample->spectrum->log, *stopped = NULL;
    for (size_t i = to->first; i < to->end; i++) {
        bool is_absent = stopped && log[i].ending.sequence == stopped->ending.sequence;
        const struct tree__ending *verdict = &log[from->first + place].ending;
        sample->fate[i] = is_absent ? ABSENT : verdict->failed ? FAILS : PASSES;
        sample->units[sample->fate[i]]++;
        if (is_absent)
            continue;
        if (verdict->stops)
            stopped = &log[i];
        place = from->first + place + 1 < from->end ? place + 1 : 0;
    }
}

/* Another arrangement in which something fails and something passes; false if none was found. */
static bool exchange(struct sample *sample, struct cor_rng *rng) {
    for (int i = 0; i < TRIES; i++) {
        memset(sample->units, 0, sizeof sample->units);
        cor_rng_shuffle(rng, sample->order, sample->block_count);
        for (uint32_t b = 0; b < sample->block_count; b++) {
            const struct block *from = &sample->block[sample->order[b]];
            uint32_t place = cor_rng_below(rng, (uint32_t)(from->end - from->first));
            give(sample, &sample->block[b], from, place);
        }
        if (sample->units[FAILS] > 0 && sample->units[PASSES] > 0)
            return true;
    }
    return false;
}

enum cor_status tree__spectrum_permute(struct tree__spectrum *spectrum, const bool *wanted, uint32_t times,
                                       struct cor_rng *rng, double *share, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct sample sample;
    uint32_t as_high = 1;
    *share = NAN;
    sample = (struct sample){.spectrum = spectrum};
    sample.start = cor_calloc(spectrum->count + 1, sizeof *sample.start);
    sample.block = cor_calloc(spectrum->log_count, sizeof *sample.block);
    sample.fate = cor_calloc(spectrum->log_count, sizeof *sample.fate);
    if (!sample.start || !sample.block || !sample.fate)
        COR_TRY_OUT(cor_fail_memory(error));
    for (size_t f = 0; f < spectrum->count; f++)
        sample.start[f + 1] = sample.start[f] + (wanted[f] ? (uint32_t)spectrum->features[f].count : 0);
    uint32_t buckets = sample.start[spectrum->count];
    sample.all = cor_calloc(buckets, sizeof *sample.all);
    for (enum fate fate = 0; fate < FATES; fate++)
        sample.count[fate] = cor_calloc(buckets, sizeof(uint32_t));
    find_blocks(&sample);
    sample.order = cor_calloc(sample.block_count, sizeof *sample.order);
    if (!sample.all || !sample.count[PASSES] || !sample.count[FAILS] || !sample.count[ABSENT] ||
        !sample.order)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t b = 0; b < sample.block_count; b++)
        sample.order[b] = b;
    for (size_t m = 0; m < spectrum->mark_count; m++)
        spectrum->mark[m].feature = bucket_of(&sample, &spectrum->mark[m]);
    count_units(&sample, FATES, sample.all);
    if (sample.units[FAILS] == 0 || sample.units[PASSES] == 0)
        goto out;
    double found = greatest(&sample) * (1 - 1e-12); /* what is equal but for rounding is as high */
    for (uint32_t i = 0; i < times; i++)
        as_high += !exchange(&sample, rng) || greatest(&sample) >= found;
    *share = as_high / (times + 1.0);
out:
    free(sample.block);
    free(sample.start);
    free(sample.all);
    for (enum fate fate = 0; fate < FATES; fate++)
        free(sample.count[fate]);
    free(sample.fate);
    free(sample.order);
    return status;
}
