/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spectrum.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 1024

void tree__spectrum_init(struct tree__spectrum *spectrum, size_t mark_max) {
    COR_ASSERT(mark_max > 0);
    *spectrum = (struct tree__spectrum){.mark_max = mark_max, .stride = 1};
}

void tree__spectrum_fini(struct tree__spectrum *spectrum) {
    for (size_t i = 0; i < spectrum->count; i++)
        free(spectrum->features[i].buckets);
    free(spectrum->features);
    free(spectrum->slots);
    free(spectrum->of_unit.index);
    free(spectrum->of_block.index);
    free(spectrum->log);
    free(spectrum->mark);
    *spectrum = (struct tree__spectrum){0};
}

static bool same(const struct tree__feature_key *one, const struct tree__feature_key *other) {
    return one->kind == other->kind && one->fold == other->fold && one->a == other->a && one->b == other->b &&
           one->c == other->c;
}

static uint64_t hash_of(const struct tree__feature_key *key) {
    uint64_t hash = cor_hash_word(COR_HASH_SEED, (uint64_t)key->kind << 16 | key->fold);
    hash = cor_hash_word(hash, (uint64_t)key->a << 32 | key->b);
    return cor_hash_word(hash, key->c);
}

/* The slot of a key: its own, or the free one where it belongs. */
static uint32_t *slot_of(const struct tree__spectrum *spectrum, const struct tree__feature_key *key) {
    size_t mask = spectrum->slot_count - 1, at = (size_t)hash_of(key) & mask;
    while (spectrum->slots[at] != 0 && !same(&spectrum->features[spectrum->slots[at] - 1].key, key))
        at = (at + 1) & mask;
    return &spectrum->slots[at];
}

/* Index of the feature with that key, made if there is none. */
static enum cor_status spectrum_find(struct tree__spectrum *spectrum, const struct tree__feature_key *key,
                                     uint32_t *index, struct cor_error *error) {
    /* Twice as many slots as features, at least. */
    if (2 * (spectrum->count + 1) > spectrum->slot_count) {
        size_t wanted = spectrum->slot_count > 0 ? 2 * spectrum->slot_count : FIRST_SLOTS;
        uint32_t *slots = cor_calloc(wanted, sizeof *slots);
        if (!slots)
            return cor_fail_memory(error);
        free(spectrum->slots);
        spectrum->slots = slots;
        spectrum->slot_count = wanted;
        for (size_t i = 0; i < spectrum->count; i++)
            *slot_of(spectrum, &spectrum->features[i].key) = (uint32_t)i + 1;
    }
    uint32_t *slot = slot_of(spectrum, key);
    if (*slot == 0) {
        COR_TRY(COR_RESERVE(&spectrum->features, &spectrum->capacity, spectrum->count + 1, error));
        spectrum->features[spectrum->count] = (struct tree__counted){.key = *key};
        *slot = (uint32_t)++spectrum->count;
    }
    *index = *slot - 1;
    return COR_OK;
}

static enum cor_status add(struct tree__feature_set *set, uint32_t index, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&set->index, &set->capacity, set->count + 1, error));
    set->index[set->count++] = index;
    return COR_OK;
}

enum cor_status tree__spectrum_put(struct tree__spectrum *spectrum, const struct tree__feature_key *key,
                                   double value, struct cor_error *error) {
    uint32_t index = 0;
    COR_TRY(spectrum_find(spectrum, key, &index, error));
    struct tree__counted *feature = &spectrum->features[index];
    enum tree__fold fold = key->fold;
    if (fold == TREE__PRESENT)
        value = 1;
    else if (isnan(value))
        return COR_OK;
    if (feature->unit == spectrum->unit + 1) {
        COR_ASSERT(fold != TREE__ONLY || feature->value == value);
        if ((fold == TREE__GREATEST && value > feature->value) ||
            (fold == TREE__LEAST && value < feature->value))
            feature->value = value;
        return COR_OK;
    }
    COR_TRY(add(&spectrum->of_unit, index, error));
    feature->unit = spectrum->unit + 1;
    feature->value = value;
    return COR_OK;
}

enum cor_status tree__spectrum_put_block(struct tree__spectrum *spectrum, const struct tree__feature_key *key,
                                         double value, bool *is_new, struct cor_error *error) {
    uint32_t index = 0;
    COR_ASSERT(key->fold == TREE__ONLY);
    COR_TRY(spectrum_find(spectrum, key, &index, error));
    struct tree__counted *feature = &spectrum->features[index];
    *is_new = feature->unit != spectrum->blocks + 1;
    if (isnan(value) || !*is_new)
        return COR_OK;
    feature->unit = spectrum->blocks + 1;
    feature->value = value;
    return add(&spectrum->of_block, index, error);
}

/* The bits of a real number as an integer of the same order, without its 44 last ones: 8 bits remain behind
 * the leading one. */
static int32_t code_of(double value) {
    int64_t bits;
    value += 0.0; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    if (bits < 0)
        bits = -(bits & INT64_MAX);
    return (int32_t)(bits >= 0 ? bits >> 44 : -(-bits >> 44));
}

/* The first bucket of a feature whose code is not below `code`. */
static size_t bucket_at(const struct tree__counted *feature, int32_t code) {
    size_t low = 0, high = feature->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (feature->buckets[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* So many units, failing and passing, have the feature with its present value. */
static enum cor_status count(struct tree__counted *feature, uint64_t failing, uint64_t passing,
                             struct cor_error *error) {
    int32_t code = code_of(feature->value);
    size_t at = bucket_at(feature, code);
    if (at == feature->count || feature->buckets[at].code != code) {
        COR_TRY(COR_RESERVE(&feature->buckets, &feature->capacity, feature->count + 1, error));
        memmove(&feature->buckets[at + 1], &feature->buckets[at],
                (feature->count - at) * sizeof *feature->buckets);
        feature->buckets[at] =
            (struct tree__bucket){.code = code, .least = feature->value, .greatest = feature->value};
        feature->count++;
    }
    struct tree__bucket *bucket = &feature->buckets[at];
    bucket->least = fmin(bucket->least, feature->value);
    bucket->greatest = fmax(bucket->greatest, feature->value);
    bucket->failing += failing;
    bucket->passing += passing;
    return COR_OK;
}

/* Twice the stride: what is not divided by it goes. */
static void thin_log(struct tree__spectrum *spectrum) {
    size_t items = 0, marks = 0, first = 0;
    spectrum->stride *= 2;
    for (size_t i = 0; i < spectrum->log_count; i++) {
        struct tree__logged item = spectrum->log[i];
        size_t end = item.end;
        if (item.is_block || item.number % spectrum->stride == 0) {
            memmove(&spectrum->mark[marks], &spectrum->mark[first], (end - first) * sizeof *spectrum->mark);
            marks += end - first;
            item.end = marks;
            spectrum->log[items++] = item;
        }
        first = end;
    }
    spectrum->log_count = items;
    spectrum->mark_count = marks;
}

static enum cor_status log_item(struct tree__spectrum *spectrum, struct tree__logged item,
                                const struct tree__feature_set *set, struct cor_error *error) {
    if (!item.is_block && item.number % spectrum->stride != 0)
        return COR_OK;
    COR_TRY(COR_RESERVE(&spectrum->log, &spectrum->log_capacity, spectrum->log_count + 1, error));
    COR_TRY(COR_RESERVE(&spectrum->mark, &spectrum->mark_capacity, spectrum->mark_count + set->count, error));
    for (size_t i = 0; i < set->count; i++)
        spectrum->mark[spectrum->mark_count++] =
            (struct tree__mark){set->index[i], code_of(spectrum->features[set->index[i]].value)};
    item.end = spectrum->mark_count;
    spectrum->log[spectrum->log_count++] = item;
    if (spectrum->mark_count > spectrum->mark_max)
        thin_log(spectrum);
    return COR_OK;
}

enum cor_status tree__spectrum_end(struct tree__spectrum *spectrum, struct tree__ending ending,
                                   struct cor_error *error) {
    struct tree__feature_set *put = &spectrum->of_unit;
    struct tree__logged item = {.ending = ending, .number = spectrum->unit};
    for (size_t i = 0; i < put->count; i++)
        COR_TRY(count(&spectrum->features[put->index[i]], ending.failed, !ending.failed, error));
    COR_TRY(log_item(spectrum, item, put, error));
    put->count = 0;
    spectrum->unit++;
    *(ending.failed ? &spectrum->block_failing : &spectrum->block_passing) += 1;
    return COR_OK;
}

enum cor_status tree__spectrum_end_block(struct tree__spectrum *spectrum, struct cor_error *error) {
    struct tree__feature_set *put = &spectrum->of_block;
    COR_ASSERT(spectrum->of_unit.count == 0);
    for (size_t i = 0; i < put->count; i++)
        COR_TRY(count(&spectrum->features[put->index[i]], spectrum->block_failing, spectrum->block_passing,
                      error));
    COR_TRY(log_item(spectrum, (struct tree__logged){.is_block = true}, put, error));
    put->count = 0;
    spectrum->blocks++;
    spectrum->failing += spectrum->block_failing;
    spectrum->passing += spectrum->block_passing;
    spectrum->block_failing = spectrum->block_passing = 0;
    return COR_OK;
}

struct tree__having tree__best_cut(const struct tree__counted *counted, bool from_above, uint64_t units) {
    struct tree__having best = {.bound = NAN, .next = NAN}, so_far = {0};
    double best_score = 0;
    for (size_t i = 0; i < counted->count; i++) {
        size_t at = from_above ? counted->count - 1 - i : i;
        const struct tree__bucket *bucket = &counted->buckets[at];
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

/* ---- whether what goes with failing could do so by chance: verdicts are exchanged between blocks, and the
 * best feature is looked for again */

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
    return first + (uint32_t)bucket_at(feature, mark->code);
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
