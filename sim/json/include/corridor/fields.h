/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of fields: what the members of an object are called, what they may be, and where in a struct they
 * go. One function reads them all and complains alike everywhere.
 *
 *     static const struct cor_field mail_fields[] = {
 *         {"mode", COR_REQUIRED, COR_TERM_FIELD(struct cor_mail_schedule, mode, COR_FAMILY_MAIL)},
 *         {"delay_max", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_mail_schedule, delay_max, 1, 1000),
 *          COR_ONLY_WITH("mode", COR_BIT(COR_MAIL_DELAYED))},
 *         {0}};
 *     COR_TRY(cor_json_fields(json, mail_fields, &mail, error));
 *
 * An optional member that is absent leaves the struct as it is: what it held is the default. */
#ifndef CORRIDOR_FIELDS_H
#define CORRIDOR_FIELDS_H

#include <corridor/json.h>

/* What a member is and what becomes of it; each has a macro below that writes its row. */
enum cor_field_kind {
    COR_FIELD_KNOWN, /* somebody else reads it, or nobody does */
    COR_FIELD_INTEGER,
    COR_FIELD_REAL,
    COR_FIELD_BOOL,
    COR_FIELD_STRING,  /* const char *, which lives as long as the document */
    COR_FIELD_COPY,    /* char *, owned; what was there is freed */
    COR_FIELD_SEED,    /* cor_json_word */
    COR_FIELD_TERM,    /* a word of a family of terms.h */
    COR_FIELD_ONE_OF,  /* a word of a list; the member is given the number of the first + its index */
    COR_FIELD_OBJECT,  /* an object with a table of its own */
    COR_FIELD_READ,    /* whatever a function makes of it */
    COR_FIELD_EACH,    /* an array; whatever a function makes of each item */
    COR_FIELD_MEMBERS, /* an object with any keys; whatever a function makes of each member */
    COR_FIELD_TABLE    /* no member, but the rows of another table into the same struct, or into another */
};

/* Whether an absent member leaves the struct as it is, or is COR_STATUS_INPUT. */
enum { COR_OPTIONAL, COR_REQUIRED };

/* A row, written by the macros below. */
struct cor_field {
    const char *key; /* NULL behind the last row and for COR_FIELD_TABLE */
    int required;
    enum cor_field_kind kind;
    size_t offset, size; /* size 0: the member is checked, and not kept */
    int64_t low, high;
    double real_low, real_high;
    int family;
    const char *const *words; /* NULL-terminated */
    const char *what;         /* of which these are the words: "mode" */
    const struct cor_field *table;
    const void *defaults;  /* of `size` bytes, before the table of an object is read; NULL = as it is */
    cor_json_reader *read; /* into the struct that the table is read into */
    const char *beside; /* a member read before, of a family or list; with other words of it this one has no
                           meaning */
    uint64_t among;     /* than these, as COR_BIT */
    size_t place;       /* where the member itself goes, too, from 1; 0: nowhere */
};

#define COR_BIT(number) (UINT64_C(1) << (number))
#define COR_ONLY_WITH(key, bits) .beside = (key), .among = (bits)
#define COR_PLACE_AT(type, member) .place = 1 + offsetof(type, member) /* a struct cor_json */

/* The size of a member that must be of this type, so that nothing else compiles. */
#define COR_FIELD_OF_(type, member, wanted)                                               \
    .offset = offsetof(type, member), .size = sizeof(_Generic(((type *)0)->member, wanted \
                                                              : ((type *)0)->member))
#define COR_FIELD_AT_(type, member) .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)

#define COR_KNOWN_FIELD .kind = COR_FIELD_KNOWN
#define COR_INTEGER_FIELD(type, member, least, most) /* any type of integer that holds the range */ \
    .kind = COR_FIELD_INTEGER, COR_FIELD_AT_(type, member), .low = (least), .high = (most)
#define COR_REAL_FIELD(type, member, least, most) \
    .kind = COR_FIELD_REAL, COR_FIELD_OF_(type, member, double), .real_low = (least), .real_high = (most)
#define COR_BOOL_FIELD(type, member) .kind = COR_FIELD_BOOL, COR_FIELD_OF_(type, member, bool)
#define COR_STRING_FIELD(type, member) .kind = COR_FIELD_STRING, COR_FIELD_OF_(type, member, const char *)
#define COR_COPY_FIELD(type, member) .kind = COR_FIELD_COPY, COR_FIELD_OF_(type, member, char *)
#define COR_SEED_FIELD(type, member) .kind = COR_FIELD_SEED, COR_FIELD_OF_(type, member, uint64_t)
#define COR_TERM_FIELD(type, member, of) .kind = COR_FIELD_TERM, COR_FIELD_AT_(type, member), .family = (of)
#define COR_ONE_OF_FIELD(type, member, list, first, called) \
    .kind = COR_FIELD_ONE_OF, COR_FIELD_AT_(type, member), .words = (list), .low = (first), .what = (called)
#define COR_OBJECT_FIELD(type, member, rows, before) \
    .kind = COR_FIELD_OBJECT, COR_FIELD_AT_(type, member), .table = (rows), .defaults = (before)
#define COR_READ_FIELD(function) .kind = COR_FIELD_READ, .read = (function)
#define COR_MANY INT64_MAX
#define COR_EACH_FIELD(function, least, most) /* items of an array; COR_MANY: as many as there are */ \
    .kind = COR_FIELD_EACH, .read = (function), .low = (least), .high = (most)
#define COR_OBJECTS_FIELD(type, rows, least, most) /* objects, each into a copy of the struct, in which \
                                                      functions find what they write to */              \
    .kind = COR_FIELD_EACH, .size = sizeof(type), .table = (rows), .low = (least), .high = (most)
#define COR_MEMBERS_FIELD(function) .kind = COR_FIELD_MEMBERS, .read = (function)
#define COR_WITHIN_FIELD(rows) /* an object whose members go into the same struct */ \
    .kind = COR_FIELD_OBJECT, .table = (rows)

/* Members that are checked, and read by somebody else, or by people alone. */
#define COR_SAID_INTEGER_FIELD(least, most) .kind = COR_FIELD_INTEGER, .low = (least), .high = (most)
#define COR_SAID_BOOL_FIELD .kind = COR_FIELD_BOOL
#define COR_SAID_STRING_FIELD .kind = COR_FIELD_STRING
#define COR_SAID_ONE_OF_FIELD(list, called) .kind = COR_FIELD_ONE_OF, .words = (list), .what = (called)
#define COR_SAID_OBJECT_FIELD .kind = COR_FIELD_MEMBERS
#define COR_SAID_ARRAY_FIELD(least, most) .kind = COR_FIELD_EACH, .low = (least), .high = (most)

#define COR_VERSION_FIELD COR_READ_FIELD(cor_json_version_1) /* of a file: 1, the only one there is */
#define COR_ROWS_OF(rows) \
    { .kind = COR_FIELD_TABLE, .table = (rows) }
#define COR_ROWS_THROUGH(type, member, rows) /* into the struct that the member points to */ \
    { .kind = COR_FIELD_TABLE, COR_FIELD_AT_(type, member), .table = (rows) }

/* Checks that `json` is an object without unknown keys and reads its members in the order of the rows: the
 * table ends with {0}. */
enum cor_status cor_json_fields(const struct cor_json *json, const struct cor_field *fields, void *into,
                                struct cor_error *error) COR_MUST_USE;

/* The two halves of it: unknown keys alone; members alone, of an object that may have others. */
enum cor_status cor_json_expect_fields(const struct cor_json *json, const struct cor_field *fields,
                                       struct cor_error *error) COR_MUST_USE;
enum cor_status cor_json_members(const struct cor_json *json, const struct cor_field *fields, void *into,
                                 struct cor_error *error) COR_MUST_USE;

/* Writes the members of the object that is open such that reading gives the struct again: all but those that
 * a function reads, that say nothing beside another one's word, and integers out of range, which stand for
 * not being given. */
void cor_json_put_fields(struct cor_json_writer *writer, const struct cor_field *fields, const void *from);

/* Reads the version of a file, into nothing. */
enum cor_status cor_json_version_1(const struct cor_json *json, void *into,
                                   struct cor_error *error) COR_MUST_USE;

/* The index of a string among `words` (NULL-terminated); else it complains: unknown `what` "word". */
enum cor_status cor_json_one_of(const struct cor_json *json, const char *const *words, const char *what,
                                int *index, struct cor_error *error) COR_MUST_USE;

#endif
