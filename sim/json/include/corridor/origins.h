/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the values of a file that is read come from: from the file itself, from a part of it that another
 * part is based on (a preset), or from the reader (defaults). Tables of fields (fields.h) tell the defaults
 * by themselves; readers tell what else they know. */
#ifndef CORRIDOR_ORIGINS_H
#define CORRIDOR_ORIGINS_H

#include <corridor/json.h>

enum cor_origin_kind {
    COR_ORIGIN_FILE,   /* it stands where it counts */
    COR_ORIGIN_PRESET, /* it stands in what that part is based on */
    COR_ORIGIN_DEFAULT /* it stands nowhere */
};

/* A value. */
struct cor_origin {
    char *key;   /* owned, as all here; its JSON pointer */
    char *value; /* as JSON */
    char *place; /* "file: /pointer" where it stands; NULL: nowhere */
    enum cor_origin_kind kind;
};

/* What a part of the document is based on, by the pointers of both. */
struct cor_origin_base {
    char *key, *base; /* owned */
    bool is_preset;
};

struct cor_origins {
    struct cor_origin *values; /* owned */
    struct cor_origin_base *bases;
    size_t count, capacity, base_count, base_capacity;
};

/* Nothing; and frees what they hold. Idempotent. */
void cor_origins_init(struct cor_origins *origins);
void cor_origins_fini(struct cor_origins *origins);

/* From now on what is read of the document is told to `origins` (borrowed while the document lives), which
 * loses what it had. */
enum cor_status cor_json_record(struct cor_json_document *document, struct cor_origins *origins,
                                struct cor_error *error) COR_MUST_USE;

/* What the document tells; NULL: nobody. */
struct cor_origins *cor_json_recorder(const struct cor_json_document *document);

/* A document that a value names: it tells the same, its keys behind that of the value. */
enum cor_status cor_json_record_named(struct cor_json_document *named, const struct cor_json *json,
                                      struct cor_error *error) COR_MUST_USE;

/* A member of the object, "name" or "name/name", that is `value` unless it is given. */
enum cor_status cor_json_note_default(const struct cor_json *object, const char *member, const char *value,
                                      struct cor_error *error) COR_MUST_USE;

/* The same of a number, and of a word. */
enum cor_status cor_json_note_default_number(const struct cor_json *object, const char *member, double value,
                                             struct cor_error *error) COR_MUST_USE;
enum cor_status cor_json_note_default_word(const struct cor_json *object, const char *member,
                                           const char *word, struct cor_error *error) COR_MUST_USE;

/* What the object does not say, `base` says: as a preset, all of whose members count for the object; or as an
 * object that has it for all, those of whose members count that the object might have and has not. */
enum cor_status cor_json_note_base(const struct cor_json *object, const struct cor_json *base, bool is_preset,
                                   struct cor_error *error) COR_MUST_USE;

/* Puts what bases say in the place of what is not said, and drops the bases: at the end of reading. */
enum cor_status cor_origins_settle(struct cor_origins *origins, struct cor_error *error) COR_MUST_USE;

#endif
