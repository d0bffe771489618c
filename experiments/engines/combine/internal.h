/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model as generator and checker see it: all they share. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_INTERNAL_H
#define CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_INTERNAL_H

#include <corridor/combine.h>
#include <corridor/expression.h>
#include <corridor/solve.h>

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

/* ---- z3's word on whether a row can be, for whoever gives up: the generator, the checker */

struct combine__decider;

/* Destroyed by the caller also when it fails. The model is borrowed. */
enum cor_status combine__decider_create(const struct cor_combine_model *model,
                                        struct combine__decider **decider,
                                        struct cor_error *error) COR_MUST_USE;
void combine__decider_destroy(struct combine__decider *decider); /* NULL is allowed */

/* May a level of a parameter be in the row that is asked for? */
typedef bool combine__allows(const void *context, uint32_t parameter, uint32_t level);

/* Is there a row of levels that are allowed which satisfies all constraints? If so `levels` is one. UNDECIDED
 * also without z3, and where constraints have too many combinations to tell z3 of. */
enum cor_status combine__decider_ask(struct combine__decider *decider, combine__allows *allows,
                                     const void *context, uint32_t *levels, enum cor_answer *answer,
                                     struct cor_error *error) COR_MUST_USE;

/* ---- sub-models as PICT has them: rows of some parameters, made by their own order, which are then combined
 * with the other parameters as if they were values of one */

/* A parameter of the outer model: one of the model, or a bundle. */
struct combine__outer {
    uint32_t *members; /* owned; ascending */
    uint32_t member_count;
    const struct combine__combine_part *part; /* NULL: no bundle */
    uint32_t *rows;                           /* owned; of a bundle: row_count rows of the members' levels */
    size_t row_count, row_capacity;
};

struct combine__bundles {
    const struct cor_combine_model *model; /* borrowed */
    struct combine__outer *outers;         /* owned, as all below; in order of their first members */
    uint32_t outer_count;
    uint32_t *outer_of; /* by parameter of the model */
    bool any;           /* some sub-model is a bundle for this request */
    struct cor_words words;
    struct cor_combine_model *outer; /* made by combine__bundles_join */
};

/* Which sub-models are bundles: whose order is no higher than that of the whole, and which share nothing. To
 * be freed with combine__bundles_fini, also after failing. */
enum cor_status combine__bundles_init(struct combine__bundles *bundles, const struct cor_combine_model *model,
                                      const struct cor_combine_request *request,
                                      struct cor_error *error) COR_MUST_USE;
void combine__bundles_fini(struct combine__bundles *bundles);

/* The model whose only wish is the bundle's own order: a view, borrowed of both. */
struct cor_combine_model combine__bundle_view(const struct combine__bundles *bundles, uint32_t outer,
                                              const struct cor_combine_request *request,
                                              struct combine__combine_part *part);

/* Adds what the rows (of the whole model) have of each bundle, once each. */
enum cor_status combine__bundle_add(struct combine__bundles *bundles, uint32_t outer, const uint32_t *rows,
                                    size_t row_count, struct cor_error *error) COR_MUST_USE;

/* Makes the outer model, constraints and rows to keep among it. */
enum cor_status combine__bundles_join(struct combine__bundles *bundles, struct cor_error *error) COR_MUST_USE;

void combine__bundles_fold(const struct combine__bundles *bundles, const uint32_t *row, uint32_t *outer);

/* A combination of the outer model in terms of the model; false: it has more values than can be said, of
 * which the first are. */
bool combine__bundles_tuple(const struct combine__bundles *bundles, struct cor_combine_tuple *tuple);

#endif
