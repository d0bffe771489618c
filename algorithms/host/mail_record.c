/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules of mail as data: a list of departures from sending order, which is kept in order. */
#include "mail.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

enum cor_status cor_mail_record_create(enum cor_mail mode, struct cor_mail_record **record,
                                       struct cor_error *error) {
    *record = cor_calloc(1, sizeof **record);
    COR_TRY(cor_made(*record, error));
    (*record)->mode = mode;
    return COR_OK;
}

void cor_mail_record_destroy(struct cor_mail_record *record) {
    if (!record)
        return;
    free(record->entries);
    free(record);
}

enum cor_status cor_mail_record_copy(const struct cor_mail_record *record, struct cor_mail_record **copy,
                                     struct cor_error *error) {
    COR_TRY(cor_mail_record_create(record->mode, copy, error));
    enum cor_status status =
        COR_RESERVE(&(*copy)->entries, &(*copy)->capacity, record->count + (size_t)1, error);
    if (status != COR_OK) {
        cor_mail_record_destroy(*copy);
        *copy = NULL;
        return status;
    }
    if (record->count > 0)
        memcpy((*copy)->entries, record->entries, record->count * sizeof *record->entries);
    (*copy)->count = record->count;
    return COR_OK;
}

static int entry_order(const struct cor_mail_entry *one, const struct cor_mail_entry *other) {
    if (one->identity != other->identity)
        return one->identity < other->identity ? -1 : 1;
    if (one->deed != other->deed)
        return one->deed < other->deed ? -1 : 1;
    return one->of == other->of ? 0 : one->of < other->of ? -1 : 1;
}

bool cor_mail_record_equal(const struct cor_mail_record *one, const struct cor_mail_record *other) {
    if (one->mode != other->mode || one->count != other->count)
        return false;
    for (size_t i = 0; i < one->count; i++)
        if (entry_order(&one->entries[i], &other->entries[i]) != 0 ||
            one->entries[i].value != other->entries[i].value)
            return false;
    return true;
}

uint64_t cor_mail_record_hash(const struct cor_mail_record *record) {
    uint64_t hash = cor_hash_word(COR_HASH_SEED, (uint64_t)record->mode);
    hash = cor_hash_word(hash, record->count);
    for (size_t i = 0; i < record->count; i++) {
        hash = cor_hash_word(hash, record->entries[i].identity);
        hash = cor_hash_word(hash, (uint64_t)record->entries[i].deed);
        hash = cor_hash_word(hash, record->entries[i].of);
        hash = cor_hash_word(hash, record->entries[i].value);
    }
    return hash;
}

/* The first entry that does not come before `entry`. */
static size_t place_of(const struct cor_mail_record *record, const struct cor_mail_entry *entry) {
    size_t low = 0, high = record->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (entry_order(&record->entries[middle], entry) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Makes room for `count` entries at `at`. */
static enum cor_status open_gap(struct cor_mail_record *record, size_t at, size_t count,
                                struct cor_error *error) {
    COR_TRY(COR_RESERVE(&record->entries, &record->capacity, record->count + count, error));
    if (record->count > at)
        memmove(record->entries + at + count, record->entries + at,
                (record->count - at) * sizeof *record->entries);
    record->count += count;
    return COR_OK;
}

enum cor_status cor_mail_record_put(struct cor_mail_record *record, const struct cor_mail_entry *entry,
                                    struct cor_error *error) {
    size_t at = place_of(record, entry);
    bool is_there = at < record->count && entry_order(&record->entries[at], entry) == 0;
    if (!is_there)
        COR_TRY(open_gap(record, at, 1, error));
    record->entries[at] = *entry;
    return COR_OK;
}

void cor_mail_record_drop(struct cor_mail_record *record, size_t first, size_t count) {
    COR_ASSERT(first <= record->count && count <= record->count - first);
    if (count > 0)
        memmove(record->entries + first, record->entries + first + count,
                (record->count - first - count) * sizeof *record->entries);
    record->count -= count;
}

const struct cor_mail_entry *cor_mail_record_of(const struct cor_mail_record *record, uint64_t identity,
                                                size_t *count) {
    size_t first = place_of(record, &(struct cor_mail_entry){.identity = identity});
    *count = 0;
    while (first + *count < record->count && record->entries[first + *count].identity == identity)
        ++*count;
    return record->entries + (*count > 0 ? first : 0);
}

bool cor_mail_is_one_by_one(enum cor_mail mode) {
    return mode == COR_MAIL_PCT || mode == COR_MAIL_BOUNDED || mode == COR_MAIL_RECORDED;
}

static int compare_entries(const void *one, const void *other) {
    return entry_order(one, other);
}

enum cor_status host__mail_record_replace(struct cor_mail_record *record, uint64_t identity,
                                          struct cor_mail_record *log, struct cor_error *error) {
    size_t before, at = place_of(record, &(struct cor_mail_entry){.identity = identity});
    (void)cor_mail_record_of(record, identity, &before);
    cor_mail_record_drop(record, at, before);
    if (log->count == 0)
        return COR_OK;
    for (size_t i = 0; i < log->count; i++)
        log->entries[i].identity = identity;
    qsort(log->entries, log->count, sizeof *log->entries, compare_entries);
    /* A log from a cell can say anything. */
    struct cor_mail_entry *entries = log->entries;
    const size_t count = log->count;
    size_t left = 1;
    for (size_t i = 1; i < count; i++)
        if (entry_order(&entries[left - 1], &entries[i]) != 0)
            entries[left++] = entries[i];
    log->count = left;
    COR_TRY(open_gap(record, at, log->count, error));
    memcpy(record->entries + at, log->entries, log->count * sizeof *log->entries);
    return COR_OK;
}

enum cor_status host__mail_log(struct cor_mail_record *log, enum cor_mail_deed deed, uint64_t of,
                               uint64_t value, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&log->entries, &log->capacity, log->count + 1, error));
    log->entries[log->count++] = (struct cor_mail_entry){.deed = deed, .of = of, .value = value};
    return COR_OK;
}

/* Of an order, a longest part that ascends, by patience sorting: [i] of `stays` says whether item i is of it.
 * `ends`: where the best ascending parts of each length end; `before`: what comes before i in its part. */
static void find_ascending(const uint64_t *order, size_t count, size_t *ends, size_t *before,
                           unsigned char *stays) {
    size_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t low = 0, high = longest;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (order[ends[middle]] < order[i])
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low > 0 ? ends[low - 1] : SIZE_MAX;
        ends[low] = i;
        longest += low == longest;
    }
    memset(stays, 0, count);
    for (size_t i = longest > 0 ? ends[longest - 1] : SIZE_MAX; i != SIZE_MAX; i = before[i])
        stays[i] = 1;
}

enum cor_status host__mail_log_order(struct cor_mail_record *log, enum cor_mail_deed deed, uint64_t base,
                                     const uint64_t *order, size_t count, struct cor_error *error) {
    enum cor_status status = COR_OK;
    size_t *scratch = cor_calloc(count, 2 * sizeof *scratch + 1);
    COR_TRY(cor_made(scratch, error));
    unsigned char *stays = (void *)(scratch + 2 * count);
    find_ascending(order, count, scratch, scratch + count, stays);
    for (size_t i = 0; i < count && status == COR_OK; i++)
        if (!stays[i])
            status = host__mail_log(log, deed, base + order[i], i, error);
    free(scratch);
    return status;
}
