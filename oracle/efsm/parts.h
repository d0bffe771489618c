/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model being put together of its parts. */
#ifndef CORRIDOR_ORACLE_EFSM_PARTS_H
#define CORRIDOR_ORACLE_EFSM_PARTS_H

#include "reader.h"

#include <corridor/pool.h>

#define EFSM__PARTS_MAX 16
#define EFSM__MESSAGES_MAX 32  /* of one move */
#define EFSM__ARGUMENTS_MAX 16 /* of a label */

struct efsm__part {
    const char *name;
    struct cor_efsm *model; /* owned */
};

/* An output, or a message on its way, of the label of a part. */
struct efsm__saying {
    uint32_t part, label;
    const char *arguments[EFSM__ARGUMENTS_MAX];
};

/* A move of the whole under way; texts belong to the composition. */
struct efsm__course {
    uint32_t source, at[EFSM__PARTS_MAX];
    uint32_t input_part, input; /* label, of the part that says what it is like */
    const char *values[COR_EFSM_VARIABLES_MAX], *id, *guard; /* values: by whole variable */
    bool assigned[COR_EFSM_VARIABLES_MAX], may_leave[COR_EFSM_VARIABLES_MAX];
    struct efsm__saying outputs[EFSM__MESSAGES_MAX], messages[EFSM__MESSAGES_MAX];
    uint32_t output_count, message_count, next_message, target;
    const char *taken[EFSM__PARTS_MAX * (EFSM__MESSAGES_MAX + 1)]; /* transitions, PART.ID */
    uint32_t taken_count;
};

struct efsm__parts {
    const struct cor_json *json; /* the list of parts */
    struct efsm__part parts[EFSM__PARTS_MAX];
    uint32_t part_count, first[EFSM__PARTS_MAX + 1]; /* first: of its variables among all */
    struct cor_pool places;                          /* what is come to: a location of each part */
    struct efsm__course *courses;                    /* owned; complete moves */
    uint32_t course_count;
    size_t course_capacity;
    char **texts; /* owned */
    size_t text_count, text_capacity;
    struct cor_efsm whole; /* its variables alone; [variable] owned */
    struct cor_error *error;
    enum cor_status status; /* the first failure */
};

#endif
