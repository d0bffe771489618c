/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule_mutations.h"

#include <corridor/array.h>

#include <stdlib.h>

#define WAITING_MOST 3 /* messages that wait in an order that is drawn anew */

enum cor_status search_layer__mail_seen_init(const struct cor_mail_record *mail, struct cor_record *rows,
                                             struct search_layer__mail_seen *seen, struct cor_error *error) {
    const size_t count = cor_record_size(rows, COR_TABLE_REORGANIZATIONS);
    *seen = (struct search_layer__mail_seen){.cases = cor_calloc(count, sizeof *seen->cases)};
    COR_TRY(cor_made(seen->cases, error));
    for (size_t i = 0; i < count; i++) {
        const struct cor_reorganization_row *row = cor_record_at(rows, COR_TABLE_REORGANIZATIONS, i);
        if (row->messages >= 2)
            seen->cases[seen->case_count++] = (struct search_layer__mail_case){row->case_, row->messages};
    }
    const enum cor_status status = cor_mail_record_copy(mail, &seen->record, error);
    if (status != COR_OK)
        search_layer__mail_seen_fini(seen);
    return status;
}

void search_layer__mail_seen_fini(struct search_layer__mail_seen *seen) {
    cor_mail_record_destroy(seen->record);
    free(seen->cases);
    *seen = (struct search_layer__mail_seen){0};
}

size_t search_layer__mail_seen_bytes(const struct search_layer__mail_seen *seen) {
    return seen->case_count * sizeof *seen->cases +
           (seen->record ? seen->record->count * sizeof *seen->record->entries : 0);
}

/* How many others come before the message; without an entry it comes in sending order. */
static uint64_t waits_for(const struct cor_mail_record *record, uint64_t identity, uint64_t message) {
    size_t count;
    const struct cor_mail_entry *entry = cor_mail_record_of(record, identity, &count);
    for (size_t i = 0; i < count; i++)
        if (entry[i].deed == COR_MAIL_DEED_WAITS && entry[i].of == message)
            return entry[i].value;
    return message;
}

static enum cor_status let_wait(struct cor_mail_record *record, uint64_t identity, uint64_t message,
                                uint64_t others, struct cor_error *error) {
    const struct cor_mail_entry entry = {identity, COR_MAIL_DEED_WAITS, message, others};
    return cor_mail_record_put(record, &entry, error);
}

/* As late as can be, or behind a number of others that is drawn: more than are sent before it. */
static enum cor_status delay(struct cor_mail_record *record, const struct search_layer__mail_case *in,
                             struct cor_rng *rng, struct cor_error *error) {
    const uint32_t message = cor_rng_below(rng, in->messages), at_the_end = cor_rng_below(rng, 2),
                   drawn = cor_rng_below(rng, in->messages - message);
    return let_wait(record, in->identity, message, at_the_end ? in->messages : message + 1 + drawn, error);
}

static enum cor_status swap(struct cor_mail_record *record, const struct search_layer__mail_case *in,
                            struct cor_rng *rng, struct cor_error *error) {
    const uint32_t message = cor_rng_below(rng, in->messages), back = cor_rng_below(rng, 2);
    const uint64_t now = waits_for(record, in->identity, message);
    return let_wait(record, in->identity, message, back && now > message ? now - 1 : now + 1, error);
}

static enum cor_status draw_anew(struct cor_mail_record *record, const struct search_layer__mail_case *in,
                                 struct cor_rng *rng, struct cor_error *error) {
    size_t count;
    const struct cor_mail_entry *first = cor_mail_record_of(record, in->identity, &count);
    if (count > 0)
        cor_mail_record_drop(record, (size_t)(first - record->entries), count);
    const uint32_t waiting = 1 + cor_rng_below(rng, WAITING_MOST);
    for (uint32_t i = 0; i < waiting; i++)
        COR_TRY(delay(record, in, rng, error));
    return COR_OK;
}

enum cor_status search_layer__schedule_mutate(const struct search_layer__mail_seen *seen, struct cor_rng *rng,
                                              struct cor_mail_record **made, struct cor_error *error) {
    *made = NULL;
    if (seen->case_count == 0)
        return COR_OK;
    COR_TRY(cor_mail_record_copy(seen->record, made, error));
    const struct search_layer__mail_case *in = &seen->cases[cor_rng_below(rng, seen->case_count)];
    const uint32_t kind = cor_rng_below(rng, 4);
    const enum cor_status status = kind < 2    ? swap(*made, in, rng, error)
                                   : kind == 2 ? delay(*made, in, rng, error)
                                               : draw_anew(*made, in, rng, error);
    if (status != COR_OK) {
        cor_mail_record_destroy(*made);
        *made = NULL;
    }
    return status;
}
