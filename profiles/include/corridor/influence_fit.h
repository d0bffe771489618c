/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Influence functions from logs of an environment's states and an agent's: (environment state, agent state)
 * -> next agent state is counted and divided, and written as an influence that experiments take
 * (influence.h). */
#ifndef CORRIDOR_INFLUENCE_FIT_H
#define CORRIDOR_INFLUENCE_FIT_H

#include <corridor/fit.h>

struct cor_influence_fit_def {
    const char *environment; /* as experiments call it; NULL: the column's name */
    const char *command;     /* for the record; NULL: not said */
    struct cor_fit_def fit;  /* levels, own, rare: of both columns */
    bool before; /* the agent's state in a row is the one before it perceives the row's environment, so the
                    next row has what becomes of it; else the row's own state is */
};

/* The states of one of the two columns. */
struct cor_influence_states {
    uint32_t count;
    char name[COR_PROFILE_STATES_MAX][COR_PROFILE_NAME_MAX + 1];
};

struct cor_influence_fit {
    char *file, *environment, *command; /* owned; command NULL: not said */
    char **files;                       /* owned */
    char *columns[2];                   /* owned; of the environment, of the agent */
    uint32_t file_count;
    struct cor_influence_states of[2]; /* of the environment, of the agent */
    uint64_t *counts;                  /* owned; [(environment * states + from) * states + to] */
    uint64_t transition_count, segment_count;
    double level[COR_PROFILE_STATES_MAX]; /* of the agent's states */
    uint32_t initial;                     /* in which most segments begin */
    double log_likelihood, other;         /* of this reading of a row, and of the other */
    char *notes, *remarks;                /* owned; sentences, a line each; may be empty */
};

/* Counts. The series has two columns, of the environment and of the agent, or a third, of the agent's values,
 * whose means are the levels of its states; without it these are the means of an agent's column of numbers,
 * or evenly spaced, which is said. COR_STATUS_INPUT where the series does not allow it. */
enum cor_status cor_influence_fit_create(const struct cor_series *series,
                                         const struct cor_influence_fit_def *def,
                                         struct cor_influence_fit **fit,
                                         struct cor_error *error) COR_MUST_USE;

/* Frees it; NULL is allowed. */
void cor_influence_fit_destroy(struct cor_influence_fit *fit);
COR_DESTROYS(cor_influence_fit, struct cor_influence_fit)

/* The report for people; the influence as a text, with "source" and "fit". Freed with free(); NULL with
 * `error` set when memory is out. */
char *cor_influence_fit_text(const struct cor_influence_fit *fit, struct cor_error *error);
char *cor_influence_fit_file(const struct cor_influence_fit *fit, struct cor_error *error);

/* The report as an object called `key`. */
void cor_influence_fit_json(const struct cor_influence_fit *fit, struct cor_json_writer *writer,
                            const char *key);

#endif
