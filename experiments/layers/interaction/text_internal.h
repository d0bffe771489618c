/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of a corridor as a text: text_read.c, text_judge.c, text_trigger.c and text_suite.c. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_TEXT_INTERNAL_H
#define CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_TEXT_INTERNAL_H

#include "text.h"

#include <corridor/corridor.h>
#include <corridor/temporal.h>

struct interaction__text {
    char *source;                  /* owned; as it was read */
    char *name;                    /* owned; of its file, or "FILE: /corridor" */
    struct cor_corridor *corridor; /* owned; gets words that agents have */
    bool *changes;                 /* owned; [attribute] while a sequence runs; as checked, */
    bool *is_partial;              /* owned; [attribute] an agent may have no value; as checked */
    const char **conditions; /* owned array; names for formulas: "alarm", "inside", then constraints that are
                                none of time */
    struct cor_temporal **formulas; /* owned, and each; [constraint], NULL: it is none of time */
    char **sentences;               /* owned, and each; [constraint] */
    uint32_t count;                 /* constraints, a rule of returning that the text has not included */
    bool has_returns;
};

enum { CONDITION_ALARM, CONDITION_INSIDE, CONDITIONS_FIRST };

struct interaction__text_judge {
    const struct interaction__text *text; /* borrowed */
    uint32_t agent_count;
    struct cor_corridor_judge *judge;     /* owned */
    struct cor_attribute_values *columns; /* owned array; [attribute] */
    const double **numbers;               /* owned array; [attribute] what the monitor reckons with */
    struct cor_value *parameters;         /* owned; [parameter] */
    /* What the organizations keep, [attribute of organizations]: owned, and each; [organization] of these
     * lists, NULL: nobody knows it. */
    double **kept_numbers;
    int64_t **kept_integers;
    size_t *number_capacity, *integer_capacity;
    struct cor_attribute_values *kept;
    const struct cor_lists *kept_of; /* borrowed */
    uint32_t kept_count;
    const uint8_t *absent; /* borrowed; [agent] not 0: is not there; NULL: all always are */
};

/* Complains at a place of the source. */
enum cor_status interaction__text_complain(const struct interaction__text *text, const char *at,
                                           struct cor_error *error, const char *remedy, const char *format,
                                           ...) COR_PRINTF(5, 6) COR_MUST_USE;

/* What decides about a constraint, with the values of both sides. */
void interaction__text_put_ground(struct interaction__text_judge *judge, uint32_t constraint,
                                  const struct cor_deciding_part *ground, struct cor_constraint_ground *made);

/* The first node that is what an organization keeps; COR_NONE: there is none. */
uint32_t interaction__text_reads_kept(const struct cor_expression *condition);

/* Lowers all triggers; `judge` NULL: only to see whether each can be kept. What was made is freed by the
 * caller. */
enum cor_status interaction__text_lower(const struct interaction__text *text,
                                        const struct interaction__text_judge *judge,
                                        struct cor_trigger_program *program,
                                        struct cor_error *error) COR_MUST_USE;

/* Lowers a query "all" of a trigger - over organizations or, with their members in place of all, over agents
 * - to a condition of an organization; *filter as in struct interaction__part. */
enum cor_status interaction__text_lower_all(const struct interaction__text *text,
                                            const struct interaction__text_judge *judge,
                                            const struct cor_constraint *constraint, uint32_t query,
                                            struct cor_trigger_program *program, uint32_t *root,
                                            uint32_t *filter, struct cor_error *error) COR_MUST_USE;

/* Lowers the objective, which there is, into an empty program, as above; *root: the node that it is. */
enum cor_status interaction__text_lower_objective(const struct interaction__text *text,
                                                  const struct interaction__text_judge *judge,
                                                  struct cor_trigger_program *program, uint32_t *root,
                                                  struct cor_error *error) COR_MUST_USE;

#endif
