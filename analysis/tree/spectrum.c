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

/* Twice as many slots as features, at least. */
static enum cor_status grow_slots(struct tree__spectrum *spectrum, struct cor_error *error) {
    if (2 * (spectrum->count + 1) <= spectrum->slot_count)
        return COR_OK;
    size_t wanted = spectrum->slot_count > 0 ? 2 * spectrum->slot_count : FIRST_SLOTS;
    uint32_t *slots = cor_calloc(wanted, sizeof *slots);
    if (!slots)
        return cor_fail_memory(error);
    free(spectrum->slots);
    spectrum->slots = slots;
    spectrum->slot_count = wanted;
    for (size_t i = 0; i < spectrum->count; i++)
        *slot_of(spectrum, &spectrum->features[i].key) = (uint32_t)i + 1;
    return COR_OK;
}

enum cor_status tree__spectrum_find(struct tree__spectrum *spectrum, const struct tree__feature_key *key,
                                    uint32_t *index, struct cor_error *error) {
    COR_TRY(grow_slots(spectrum, error));
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
    COR_TRY(tree__spectrum_find(spectrum, key, &index, error));
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
    COR_TRY(tree__spectrum_find(spectrum, key, &index, error));
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

size_t tree__bucket_at(const struct tree__counted *feature, int32_t code) {
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
    size_t at = tree__bucket_at(feature, code);
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
