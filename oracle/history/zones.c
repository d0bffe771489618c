/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A register to which no value is written twice: Gibbons and Korach (Testing shared memories, 1997) decide it
 * by zones, as events come. All calls of a value, the write and the reads that returned it, take effect side
 * by side. `first_end` is the first of their ends, `last_call` the last of their calls: values a and b have
 * no order if something of a ended before something of b was called, and something of b before something of
 * a; and if no two have none, all have one. What is over and can be read by nobody any more is forgotten,
 * so such a value may be written again. */
#include "calls.h"

#include <stdlib.h>

#define NEVER UINT64_MAX

struct history__zone {
    uint64_t first_end, last_call; /* NEVER: nothing has ended; events, from 1 */
    bool is_written;               /* a call that writes it was made, and it is not forgotten */
};

void history__zones_free(struct history__zones *zones) {
    cor_pool_fini(&zones->values);
    free(zones->of);
    free(zones->ended);
    *zones = (struct history__zones){0};
}

uint64_t history__zones_memory(const struct history__zones *zones) {
    return cor_pool_memory(&zones->values) + zones->capacity * sizeof *zones->of +
           zones->ended_capacity * sizeof *zones->ended;
}

static enum cor_status zone_of(struct history__zones *zones, uint32_t value, uint32_t *index,
                               struct cor_error *error) {
    const uint32_t count = zones->values.count;
    zones->values.size = sizeof value;
    COR_TRY(COR_RESERVE(&zones->of, &zones->capacity, (size_t)count + 1, error));
    COR_TRY(cor_pool_add(&zones->values, &value, sizeof value, index, error));
    if (*index == count)
        zones->of[count] = (struct history__zone){.first_end = NEVER};
    return COR_OK;
}

static enum cor_status put_ended(struct history__zones *zones, uint32_t index, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&zones->ended, &zones->ended_capacity, zones->ended_count + 1, error));
    zones->ended[zones->ended_count++] = index;
    return COR_OK;
}

enum cor_status history__zones_call(struct history__zones *zones, const struct cor_call *call, uint64_t now,
                                    struct cor_error *error) {
    const uint32_t operation = call->operation;
    uint32_t index;
    if (zones->values.count == 0) { /* as if nil was written at first */
        COR_TRY(zone_of(zones, COR_CALL_NIL, &index, error));
        zones->of[index] = (struct history__zone){0, 0, true};
        COR_TRY(put_ended(zones, index, error));
    }
    if (history__only_reads(operation) || zones->is_given_up)
        return COR_OK;
    zones->is_given_up = (operation != HISTORY__WRITE && operation != HISTORY__PUT) ||
                         (operation == HISTORY__PUT && call->argument == HISTORY__NO_WORD);
    COR_TRY(zone_of(zones, call->argument, &index, error));
    zones->is_given_up = zones->is_given_up || zones->of[index].is_written;
    zones->of[index] = (struct history__zone){NEVER, now, true};
    return COR_OK;
}

/* Forgets what ended before all open calls were made, where another one is sure to have come behind it: all
 * of its calls were made before that one ended, so nothing that is left, or comes, can clash with them. */
static void forget(struct history__zones *zones, uint64_t oldest) {
    uint64_t last = 0, second = 0;
    size_t kept = 0;
    for (size_t e = 0; e < zones->ended_count; e++) {
        const struct history__zone *zone = &zones->of[zones->ended[e]];
        if (zone->first_end >= oldest || zone->last_call <= second)
            continue;
        second = zone->last_call > last ? last : zone->last_call;
        last = zone->last_call > last ? zone->last_call : last;
    }
    zones->first_end = zones->wait = NEVER;
    for (size_t e = 0; e < zones->ended_count; e++) {
        struct history__zone *zone = &zones->of[zones->ended[e]];
        if (zone->first_end < oldest && zone->first_end < (zone->last_call == last ? second : last)) {
            *zone = (struct history__zone){.first_end = NEVER};
            continue;
        }
        zones->first_end = zone->first_end < zones->first_end ? zone->first_end : zones->first_end;
        if (zone->first_end >= oldest && zone->first_end < zones->wait)
            zones->wait = zone->first_end;
        zones->ended[kept++] = zones->ended[e];
    }
    zones->steps += zones->ended_count / 4;
    zones->ended_count = kept;
}

enum cor_status history__zones_return(struct history__zones *zones, const struct cor_call *call,
                                      uint32_t result, uint64_t called, uint64_t now, uint64_t oldest,
                                      struct cor_error *error) {
    uint32_t value = history__only_reads(call->operation) ? result : call->argument, index;
    if (call->operation == HISTORY__GET && value == HISTORY__NO_WORD)
        value = COR_CALL_NIL;
    if (zones->is_impossible || zones->is_given_up)
        return COR_OK;
    COR_TRY(zone_of(zones, value, &index, error));
    struct history__zone *zone = &zones->of[index];
    const bool is_first = zone->first_end == NEVER;
    zones->is_impossible = !zone->is_written;
    if (zones->is_impossible)
        return COR_OK;
    zone->first_end = is_first ? now : zone->first_end;
    zone->last_call = called > zone->last_call ? called : zone->last_call;
    zones->first_end = is_first && now < zones->first_end ? now : zones->first_end;
    for (size_t e = 0; zones->first_end < zone->last_call && zone->first_end < zones->last_call &&
                       e < zones->ended_count && !zones->is_impossible;
         e++) {
        const struct history__zone *other = &zones->of[zones->ended[e]];
        zones->is_impossible = zones->ended[e] != index && other->first_end < zone->last_call &&
                               zone->first_end < other->last_call;
        zones->steps += e % 16 == 0;
    }
    zones->last_call = zone->last_call > zones->last_call ? zone->last_call : zones->last_call;
    if (is_first)
        COR_TRY(put_ended(zones, index, error));
    zones->wait = is_first && now < zones->wait ? now : zones->wait;
    if (zones->wait < oldest || zone->first_end < oldest)
        forget(zones, oldest);
    return COR_OK;
}

enum cor_status history__zones_failed(struct history__zones *zones, const struct cor_call *call,
                                      struct cor_error *error) {
    uint32_t index;
    if (history__only_reads(call->operation) || zones->is_given_up)
        return COR_OK;
    COR_TRY(zone_of(zones, call->argument, &index, error));
    zones->is_impossible = zones->is_impossible || zones->of[index].first_end != NEVER;
    zones->of[index] = (struct history__zone){.first_end = NEVER};
    return COR_OK;
}
