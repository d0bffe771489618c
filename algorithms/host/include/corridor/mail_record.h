/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A schedule of mail as data: in which order the messages of the reorganizations of one sequence were
 * delivered. What it does not say comes in sending order, so an empty record is mail in order, every entry is
 * one departure from that, and any of them can be taken away. What does not fit, since other messages are
 * sent than when it was recorded, is passed over. */
#ifndef CORRIDOR_MAIL_RECORD_H
#define CORRIDOR_MAIL_RECORD_H

#include <corridor/error.h>
#include <corridor/terms.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cor_json;
struct cor_json_writer;

/* What an entry says. Messages are numbered from 0 as they are sent in a reorganization, letters from 0 in
 * the order in which they would be due without the record, turns likewise. */
enum cor_mail_deed {
    COR_MAIL_DEED_WAITS = 1, /* one by one: message `of` waits until `value` others were delivered */
    COR_MAIL_DEED_TRAVELS,   /* in rounds: message `of` takes `value` rounds, not 1 */
    COR_MAIL_DEED_LOST,      /* message `of` is lost; value 0 (files say it of mail in rounds alone) */
    COR_MAIL_DEED_TWICE,     /* in rounds: message `of` comes twice; value 0 */
    COR_MAIL_DEED_PLACE,     /* in rounds: letter `of` is delivered as the `value`-th, from 0, of its round */
    COR_MAIL_DEED_TURN,      /* in rounds: turn `of` is the `value`-th, from 0, of its round */
    COR_MAIL_DEEDS
};

/* One departure from sending order, in one reorganization: enum cor_mail_deed says what
 * `of` and `value` are. */
struct cor_mail_entry {
    uint64_t identity; /* of the case: cor_stream_name */
    enum cor_mail_deed deed;
    uint64_t of, value;
};

/* Entries ascend by identity, deed, of, without repetition. */
struct cor_mail_record {
    enum cor_mail mode; /* in which it was recorded: whether mail goes in rounds, what is a fault */
    struct cor_mail_entry *entries; /* owned */
    size_t count, capacity;
};

/* A record without entries: mail in sending order, of a mode that goes in rounds or one by one. */
enum cor_status cor_mail_record_create(enum cor_mail mode, struct cor_mail_record **record,
                                       struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_mail_record_destroy(struct cor_mail_record *record);
COR_DESTROYS(cor_mail_record, struct cor_mail_record)

/* A copy; freed by cor_mail_record_destroy. */
enum cor_status cor_mail_record_copy(const struct cor_mail_record *record, struct cor_mail_record **copy,
                                     struct cor_error *error) COR_MUST_USE;

/* Do both say the same? */
bool cor_mail_record_equal(const struct cor_mail_record *one, const struct cor_mail_record *other);

/* A fingerprint of all it says. */
uint64_t cor_mail_record_hash(const struct cor_mail_record *record);

/* Puts the entry where it belongs; one of the same identity, deed and `of` is replaced. */
enum cor_status cor_mail_record_put(struct cor_mail_record *record, const struct cor_mail_entry *entry,
                                    struct cor_error *error) COR_MUST_USE;

/* Takes `count` entries from `first` on away. */
void cor_mail_record_drop(struct cor_mail_record *record, size_t first, size_t count);

/* Its entries of a case: *count of them. */
const struct cor_mail_entry *cor_mail_record_of(const struct cor_mail_record *record, uint64_t identity,
                                                size_t *count);

/* Does mail of that mode go one message after the other, rather than in rounds? */
bool cor_mail_is_one_by_one(enum cor_mail mode);

/* "waits", "travels", "lost", "twice", "place", "turn". */
const char *cor_mail_deed_word(enum cor_mail_deed deed);

/* {"mode": "pct", "entries": [[case, "waits", message, others], ..]} as a member `key` of an open object. */
void cor_mail_record_write(const struct cor_mail_record *record, struct cor_json_writer *writer,
                           const char *key);

/* Such a member, read with distrust: order, ranges, and that each deed is one of its mode. COR_STATUS_INPUT
 * names the place. */
enum cor_status cor_mail_record_read(const struct cor_json *json, struct cor_mail_record **record,
                                     struct cor_error *error) COR_MUST_USE;

#endif
