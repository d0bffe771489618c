/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files that read a model share. */
#ifndef CORRIDOR_ORACLE_EFSM_READER_H
#define CORRIDOR_ORACLE_EFSM_READER_H

#include <corridor/efsm.h>
#include <corridor/fields.h>

/* A location, or one with others in it, which stand one behind the other. */
struct efsm__nest {
    const char *name;
    uint32_t first, count; /* locations */
    uint32_t entry;        /* the one that who comes into it is in */
};

struct efsm__efsm_reader {
    struct cor_efsm *model;
    struct cor_efsm_transition *transition; /* under way */
    const struct cor_efsm_goal *goal;       /* under way */
    struct cor_efsm_trap *trap;             /* under way */
    struct cor_efsm_output *output;         /* under way */
    struct efsm__nest *nests;               /* owned; what transitions may name as source and target */
    uint32_t nest_count;
    size_t nest_capacity, location_capacity;
};

/* The index of a name among `names` (NULL-ended); complains about an unknown `what`. */
enum cor_status efsm__efsm_look_up(const struct cor_json *json, const char *const *names, const char *what,
                                   uint32_t *index, struct cor_error *error) COR_MUST_USE;

/* The names of what an expression of transitions with this input may read: state variables and its
 * parameters; "" for the others. `names` has room for COR_EFSM_VARIABLES_MAX + 1. */
void efsm__efsm_readable(const struct cor_efsm *model, uint32_t input, const char **names);

/* What an expression is to give: a value of the variable `wanted`, or this: a condition. */
#define EFSM__CONDITION COR_NONE

/* An expression over `names` that no values of the variables make undefined; of a typed model as one over
 * integers. */
enum cor_status efsm__efsm_expression(const struct cor_json *json, const struct cor_efsm *model,
                                      const char *const *names, uint32_t wanted,
                                      struct cor_expression *expression,
                                      struct cor_error *error) COR_MUST_USE;

/* A name that is printable, not empty and none of the `count` before it; `what` is named so. */
enum cor_status efsm__efsm_name(const struct cor_json *json, const char *const *names, uint32_t count,
                                const char *what, const char **name, struct cor_error *error) COR_MUST_USE;

/* The same of a text that is part of what stands there. */
enum cor_status efsm__efsm_expression_text(const struct cor_json *json, const char *text,
                                           const struct cor_efsm *model, const char *const *names,
                                           uint32_t wanted, struct cor_expression *expression,
                                           struct cor_error *error) COR_MUST_USE;

/* What a trap's condition says of other traps. */
#define EFSM__NAMED_MAX 64 /* traps that a constraint may name */
#define EFSM__CASES_MAX 64
#define EFSM__JOINED_MAX 200 /* one in the other, or one behind the other */

/* A case of a trap's condition: some traps are covered, others are not, and what is left is of variables. */
struct efsm__case {
    uint64_t after, denied; /* sets of efsm__cases.named */
    char *rest;             /* owned; "" nothing */
};

/* The cases of which one has to hold; none of them follows from another by what it names. */
struct efsm__cases {
    const char *const *variables, *const *traps; /* names, NULL-ended; of a variable first */
    uint32_t named[EFSM__NAMED_MAX];             /* traps */
    bool has_odd;                                /* the name of some trap is no word */
    uint32_t named_count, count;
    struct efsm__case *items; /* owned */
    size_t capacity;
};

/* Tells the names of traps from the rest, by &&, || and !, as cases; refuses them where they are compared or
 * reckoned with. Freed with efsm__cases_fini, also after failing. */
enum cor_status efsm__efsm_split_cases(const struct cor_json *json, const char *text,
                                       struct efsm__cases *cases, struct cor_error *error) COR_MUST_USE;

void efsm__cases_fini(struct efsm__cases *cases);

enum cor_status efsm__efsm_read_goals(const struct cor_json *json, void *into,
                                      struct cor_error *error) COR_MUST_USE;

/* What the text means over names with types, as an expression over integers. */
enum cor_status efsm__parse_typed(const char *text, const struct cor_efsm *model, const char *const *names,
                                  uint32_t wanted, const char *place, struct cor_expression *expression,
                                  struct cor_error *error) COR_MUST_USE;

/* A variable as a file declares it, but for its name. */
enum cor_status efsm__read_variable(const struct cor_json *json, struct cor_efsm_variable *variable,
                                    struct cor_error *error) COR_MUST_USE;

/* The types of the model's variables in one place: `naming`, `is_typed`. */
enum cor_status efsm__gather_types(struct cor_efsm *model, struct cor_error *error) COR_MUST_USE;

/* Frees what a variable has. */
void efsm__variable_fini(struct cor_efsm_variable *variable);

/* A model, with `parts`, as the text of a model without; freed with free(). `root` is a document with the
 * member "parts". */
enum cor_status efsm__efsm_compose(const struct cor_json *root, char **text,
                                   struct cor_error *error) COR_MUST_USE;

/* cor_efsm_read_named, of a part: which has none itself. */
enum cor_status efsm__efsm_read_part(const struct cor_json *json, struct cor_efsm **model,
                                     struct cor_error *error) COR_MUST_USE;

#endif
