/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Covering arrays: few rows in which every combination of the values of any t parameters occurs, for models
 * with constraints, parts of higher strength and values that are invalid. `cor_combine_generate` searches,
 * `cor_combine_check` judges; they share the model and nothing else.
 *
 * Paper 000, 4.4 ("generation of test cases"): equivalence classes as values, reduced to pairs. */
#ifndef CORRIDOR_COMBINE_H
#define CORRIDOR_COMBINE_H

#include <corridor/error.h>
#include <corridor/value.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COR_COMBINE_PARAMETERS_MAX 4096
#define COR_COMBINE_LEVELS_MAX 4096 /* of one parameter */
#define COR_COMBINE_STRENGTH_MAX 6
#define COR_COMBINE_WORK 100000000    /* looks at combinations: about a second */
#define COR_COMBINE_ROWS_MAX 10000000 /* more rows than these are refused */

#define COR_COMBINE_ANY UINT32_MAX /* in a row to keep: whatever fits */

/* A value of a parameter. */
struct cor_combine_level {
    const char *text;       /* as it is shown and written */
    struct cor_value value; /* as constraints see it */
    bool invalid;           /* what a test may hand in only alone: one invalid value a row */
};

/* Parameters, parts of higher strength, constraints and rows to keep. */
struct cor_combine_model;

/* An empty model, whose values are made of these words: borrowed while the model lives, and more come in. */
enum cor_status cor_combine_model_create(struct cor_words *words, struct cor_combine_model **model,
                                         struct cor_error *error) COR_MUST_USE;
void cor_combine_model_destroy(struct cor_combine_model *model); /* NULL is allowed */
COR_DESTROYS(cor_combine_model, struct cor_combine_model)

/* Adds a parameter, whose index is the number of those before it. All is copied. The values are of the type:
 * integers become reals where reals are meant; of an enumeration or string, words, and null of a string.
 * COR_STATUS_INPUT: a name twice, no values, no valid one, a text twice, too many; `place` goes in front (may
 * be NULL). */
enum cor_status cor_combine_add_parameter(struct cor_combine_model *model, const char *name,
                                          enum cor_value_type type, const struct cor_combine_level *levels,
                                          uint32_t level_count, const char *place,
                                          struct cor_error *error) COR_MUST_USE;

/* Adds a constraint over the parameters by name, a condition in the house's language (expression.h). All rows
 * satisfy it, those with invalid values too. To be called when all parameters are there; `place` is said in
 * complaints about it (may be NULL). */
enum cor_status cor_combine_add_constraint(struct cor_combine_model *model, const char *text,
                                           const char *place, struct cor_error *error) COR_MUST_USE;

/* Any `strength` of these parameters (ascending or not, none twice) shall be covered together, whatever the
 * strength of the whole. */
enum cor_status cor_combine_add_part(struct cor_combine_model *model, const uint32_t *parameters,
                                     uint32_t parameter_count, uint32_t strength, const char *place,
                                     struct cor_error *error) COR_MUST_USE;

/* A row that shall be there: a level of each parameter, or COR_COMBINE_ANY. */
enum cor_status cor_combine_add_row(struct cor_combine_model *model, const uint32_t *levels,
                                    const char *place, struct cor_error *error) COR_MUST_USE;

/* What a model holds, by index from 0: parameters as they were added, levels as they were given. Names and
 * levels are the model's and live as long as it does. */
uint32_t cor_combine_parameter_count(const struct cor_combine_model *model);
uint32_t cor_combine_level_count(const struct cor_combine_model *model, uint32_t parameter);
const char *cor_combine_parameter_name(const struct cor_combine_model *model, uint32_t parameter);
const struct cor_combine_level *cor_combine_level(const struct cor_combine_model *model, uint32_t parameter,
                                                  uint32_t level);

/* The parameter of that name; the level that is shown or, without "~", meant by the text, or equals it as a
 * number. COR_NONE: there is none. */
uint32_t cor_combine_find_parameter(const struct cor_combine_model *model, const char *name);
uint32_t cor_combine_find_level(const struct cor_combine_model *model, uint32_t parameter, const char *text);

/* Reads a model in the language of PICT, ACTS (its text) or CTWedge, told apart by how it begins,
 * into an empty one; `name` stands for the file. Values are numbers where all of a parameter's are, "~" marks
 * invalid ones and stays in their texts; a name behind "|" is found by cor_combine_find_level, too, and
 * weights have no effect. COR_STATUS_INPUT names line and column. */
enum cor_status cor_combine_read_text(const char *text, const char *name, struct cor_combine_model *model,
                                      struct cor_error *error) COR_MUST_USE;

/* Rows as read. */
struct cor_combine_rows {
    uint32_t *levels; /* owned; row_count rows of a level of each parameter, or COR_COMBINE_ANY */
    uint32_t *lines;  /* owned; of the file, from 1 */
    size_t row_count, level_capacity, line_capacity;
};

/* Reads rows: a line of names, then a line a row, cells apart by comma, semicolon or tabulator, in quotes
 * where they have these in them. Columns may stand in any order; where `whole`, all are there and no cell is
 * empty, else what is not said may be anything. The rows are the caller's, also after failing. */
enum cor_status cor_combine_read_rows(const char *text, const char *name,
                                      const struct cor_combine_model *model, bool whole,
                                      struct cor_combine_rows *rows, struct cor_error *error) COR_MUST_USE;

/* Frees what they hold. Idempotent. */
void cor_combine_rows_fini(struct cor_combine_rows *rows);

/* Which combinations are asked for. Where values are invalid, "one at a time" adds: every combination of
 * `strength` values of which exactly one is invalid, in rows with exactly that one invalid value. */
enum cor_combine_policy {
    COR_COMBINE_VALID_T_WISE, /* any `strength` valid values, and invalid ones one at a time */
    COR_COMBINE_VALID_ALL,    /* all rows of valid values, and invalid ones one at a time */
    COR_COMBINE_T_WISE,       /* any `strength` values, valid or not */
    COR_COMBINE_ALL           /* all rows */
};

/* "valid-t", "valid-all", "t-wise", "all"; NULL behind the last. */
const char *cor_combine_policy_word(size_t policy);

/* What an array is to cover, and how long it is searched for. */
struct cor_combine_request {
    enum cor_combine_policy policy;
    uint32_t strength; /* 1 .. COR_COMBINE_STRENGTH_MAX; not more than there are parameters */
    uint64_t seed;
    uint64_t moves; /* how far to search for fewer rows; 0: what takes about a second; 1: hardly */
    void (*doing)(
        const char *what); /* told what is being done, at most some hundred times; NULL: nobody is */
};

/* Pairwise, valid values and one invalid value at a time, seed 1, about a second. */
struct cor_combine_request cor_default_combine_request(void);

/* A combination that no row can hold, since the constraints exclude it: `count` parameters, ascending, and
 * their levels. */
struct cor_combine_tuple {
    uint32_t count;
    uint32_t parameter[COR_COMBINE_STRENGTH_MAX], level[COR_COMBINE_STRENGTH_MAX];
};

/* The combination as users write it: "Depth = 3, Mode = 'slow'", into `text`. */
void cor_combine_tuple_text(const struct cor_combine_model *model, const struct cor_combine_tuple *tuple,
                            char *text, size_t size);

/* Rows of levels, and what they cannot cover. */
struct cor_combine_array {
    uint32_t *levels; /* owned; row_count rows of a level of each parameter */
    size_t row_count;
    size_t valid_row_count; /* the first of them, without an invalid value (all, where policies mix) */
    struct cor_combine_tuple *excluded; /* owned; proved impossible, in order of parameters and levels */
    size_t excluded_count;
    uint64_t moves; /* made */
};

/* Frees what it holds. Idempotent. */
void cor_combine_array_fini(struct cor_combine_array *array);

/* Searches for an array with few rows: the rows to keep, then others. A function of model and request: equal
 * on any machine. COR_STATUS_INPUT: a strength that does not fit, more than COR_COMBINE_ROWS_MAX rows.
 * COR_STATUS_UNSATISFIABLE: no row satisfies the constraints; the cause names a smallest set of them, as
 * written. */
enum cor_status cor_combine_generate(const struct cor_combine_model *model,
                                     const struct cor_combine_request *request,
                                     struct cor_combine_array *array, struct cor_error *error) COR_MUST_USE;

/* What the checker says of an array. */
struct cor_combine_judgement {
    uint64_t wanted, covered, excluded; /* combinations: wanted = covered + excluded + missing */
    uint64_t missing;
    struct cor_combine_tuple first_missing; /* count 0: none */
    size_t bad_row_count;                   /* rows that break a constraint, or mix invalid values */
    size_t first_bad_row;                   /* index; SIZE_MAX: none */
    const char *first_broken;               /* the constraint it breaks, borrowed of the model; NULL: none */
};

/* Judges `row_count` rows, whoever made them, against model, policy and strength, by means of its own.
 * Levels must be those of the model. */
enum cor_status cor_combine_check(const struct cor_combine_model *model,
                                  const struct cor_combine_request *request, const uint32_t *rows,
                                  size_t row_count, struct cor_combine_judgement *judgement,
                                  struct cor_error *error) COR_MUST_USE;

#endif
