/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the readers of other tools' models share: a place in the text, values of a parameter, and a constraint
 * that is put into the house's language. Names are looked up here, where line and column are known. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_MODEL_READER_H
#define CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_MODEL_READER_H

#include "internal.h"

#define COMBINE__TEXT_MAX 255 /* bytes of a name or a value */

/* A text being read into a model. */
struct combine__reader {
    struct cor_combine_model *model;
    const char *name; /* of the file */
    const char *start, *at;
    bool any_case;         /* names and values are found whatever their letters' size */
    char *made;            /* owned; the constraint in the house's language */
    size_t made_length, made_capacity;
    uint32_t nesting;
    struct cor_error *error;
};

/* "file:line:column" of `at`. */
void combine__place_of(const struct combine__reader *reader, const char *at, char *place, size_t size);

/* Fails with the place of `at`; the second with what stands at reader->at instead of what is wanted. */
enum cor_status combine__fail_at(const struct combine__reader *reader, const char *at, const char *remedy,
                                 const char *cause_format, ...) COR_PRINTF(4, 5) COR_MUST_USE;
enum cor_status combine__fail_expected(const struct combine__reader *reader, const char *wanted) COR_MUST_USE;

/* Does the text begin with the word, whatever its letters' size, and end there? */
bool combine__is_keyword(const char *at, const char *word);

/* `from` .. `to` without blanks around it, as text of up to COMBINE__TEXT_MAX bytes. */
enum cor_status combine__copy_trimmed(const struct combine__reader *reader, const char *from, const char *to,
                                      char *text) COR_MUST_USE;

/* The parameter, the level of it; complains with what is there. */
enum cor_status combine__find_parameter(const struct combine__reader *reader, const char *at,
                                        const char *name, uint32_t *parameter) COR_MUST_USE;
enum cor_status combine__find_level(const struct combine__reader *reader, const char *at, uint32_t parameter,
                                    const char *text, uint32_t *level) COR_MUST_USE;

bool combine__read_integer(const char *text, int64_t *integer);

/* The values of a parameter as they are read. Freed by combine__values_fini. */
struct combine__values {
    struct cor_combine_level *levels; /* owned, with their texts */
    char **texts;
    size_t count, level_capacity, text_capacity;
    struct combine__combine_alias *aliases; /* owned, with their texts */
    size_t alias_count, alias_capacity;
    bool some_other_than_integer, some_other_than_number;
};

enum cor_status combine__values_add(struct combine__reader *reader, struct combine__values *values,
                                    const char *text, bool invalid) COR_MUST_USE;

/* Another name for the value that was added last. */
enum cor_status combine__values_alias(struct combine__reader *reader, struct combine__values *values,
                                      const char *text) COR_MUST_USE;

/* What the values are by themselves: integers if all are, else numbers if all are, else words. */
enum cor_value_type combine__values_type(const struct combine__values *values);

/* Makes a parameter of them, of that type; truth values must be written "true" or "false", in any size. */
enum cor_status combine__values_keep(struct combine__reader *reader, const char *at, const char *name,
                                     struct combine__values *values, enum cor_value_type type) COR_MUST_USE;
void combine__values_fini(struct combine__values *values);

/* Appends to the constraint: a text; "[A]"; "[A] = value". */
enum cor_status combine__put(struct combine__reader *reader, const char *text) COR_MUST_USE;
enum cor_status combine__put_parameter(struct combine__reader *reader, uint32_t parameter) COR_MUST_USE;
enum cor_status combine__put_comparison(struct combine__reader *reader, uint32_t parameter,
                                        const char *relation, struct cor_value value) COR_MUST_USE;

/* Adds the constraint that was made of the text from `start` to `end`. */
enum cor_status combine__keep_constraint(struct combine__reader *reader, const char *start,
                                         const char *end) COR_MUST_USE;

/* Which letters a constraint is written in. */
enum combine__dialect { COMBINE__ACTS, COMBINE__CTWEDGE };

/* Skips blanks; in CTWedge ends of lines and comments, too. */
void combine__skip_blanks(struct combine__reader *reader, enum combine__dialect dialect);

/* Reads a condition as ACTS and CTWedge write it and puts it into the house's language:
 * => <=>, || or, && and, comparisons, + -, * / %, ! not. */
enum cor_status combine__read_formula(struct combine__reader *reader,
                                      enum combine__dialect dialect) COR_MUST_USE;

/* A model of PICT; the reader's text is the file's. */
enum cor_status combine__read_pict(struct combine__reader *reader) COR_MUST_USE;

#endif
