/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model as generator and checker see it: all they share. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_INTERNAL_H
#define CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_INTERNAL_H

#include <corridor/combine.h>
#include <corridor/expression.h>

/* Another name of a level, in rows that are read. */
struct combine__combine_alias {
    char *text; /* owned */
    uint32_t level;
};

struct combine__combine_parameter {
    char *name;                       /* owned */
    struct cor_domain domain;         /* its words owned */
    struct cor_combine_level *levels; /* owned, with their texts */
    uint32_t level_count;
    struct combine__combine_alias *aliases; /* owned */
    size_t alias_count, alias_capacity;
};

/* Parameters of which any `strength` are covered together. */
struct combine__combine_part {
    uint32_t *parameters; /* owned; ascending */
    uint32_t parameter_count, strength;
    bool is_bundle; /* a sub-model, which counts as one parameter where its strength (0: that of the whole) is
                       no more than that of the whole */
};

/* A part of a constraint that is no "and", "or", "not" or comparison of others: a comparison of values, a
 * truth value. */
struct combine__combine_atom {
    struct cor_expression holds, denies; /* nodes owned; where neither is true the atom is undefined */
    uint32_t *parameters;                /* owned; that it reads, ascending */
    uint32_t parameter_count;
};

#define COMBINE__NO_ATOM UINT32_MAX

struct combine__combine_constraint {
    char *text, *place; /* owned; as the user wrote it, and where; place may be NULL */
    struct cor_expression expression;
    struct combine__combine_atom *atoms; /* owned */
    uint32_t atom_count;
    uint32_t
        *atom_of_node; /* owned; by node of the expression, COMBINE__NO_ATOM for joints and what is within */
    bool *is_joint;    /* owned; by node: "and", "or", "not", "=" or "!=" of atoms and joints */
};

struct cor_combine_model {
    struct cor_words *words;                       /* borrowed while the model lives */
    struct combine__combine_parameter *parameters; /* owned, as all that follows */
    size_t parameter_count, parameter_capacity;
    struct combine__combine_part *parts;
    size_t part_count, part_capacity;
    struct combine__combine_constraint *constraints;
    size_t constraint_count, constraint_capacity;
    uint32_t *rows;    /* row_count rows of parameter_count levels, COR_COMBINE_ANY among them */
    char **row_places; /* where each row stands, NULL where unknown */
    size_t row_count, row_capacity, row_place_capacity;
};

/* cor_combine_add_constraint of a text that the user wrote otherwise, as `shown`. */
enum cor_status combine__combine_add_constraint(struct cor_combine_model *model, const char *text,
                                                const char *shown, const char *place,
                                                struct cor_error *error) COR_MUST_USE;

/* A sub-model; `strength` 0: that of the whole. */
enum cor_status combine__combine_add_bundle(struct cor_combine_model *model, const uint32_t *parameters,
                                            uint32_t parameter_count, uint32_t strength, const char *place,
                                            struct cor_error *error) COR_MUST_USE;

/* Another name for a level of the parameter that was added last. */
enum cor_status combine__combine_add_alias(struct cor_combine_model *model, uint32_t level, const char *text,
                                           struct cor_error *error) COR_MUST_USE;

/* The letter at `*text`, which goes behind it, as a small one; 0: the end. */
uint32_t combine__combine_letter(const char **text);

/* Like strcmp, small and capital letters alike. */
int combine__combine_compare(const char *a, const char *b);

/* The text of a level without the "~" that marks it as invalid. */
const char *combine__combine_bare(const struct cor_combine_level *level);

/* Is the text a number? */
bool combine__combine_number(const char *text, double *number);

/* Says what is being done, and how far it is where `count` is not 0. */
void combine__say(const struct cor_combine_request *request, const char *what, uint64_t done, uint64_t count);

/* Does the strength fit the model? */
enum cor_status combine__combine_check_request(const struct cor_combine_model *model,
                                               const struct cor_combine_request *request,
                                               struct cor_error *error) COR_MUST_USE;

/* Takes the constraint's expression apart into atoms. */
enum cor_status combine__combine_split(struct combine__combine_constraint *constraint,
                                       uint32_t parameter_count, struct cor_error *error) COR_MUST_USE;
void combine__combine_constraint_fini(struct combine__combine_constraint *constraint);

#endif
