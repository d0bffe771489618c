/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How near to failing a test case has come: what splitting restarts at. A number over reactions, parameters
 * and probes, or a list of conditions, the nearest to failing last. */
#ifndef CORRIDOR_LEVEL_H
#define CORRIDOR_LEVEL_H

#include <corridor/case_condition.h>
#include <corridor/json.h>

#define COR_LEVELS_MAX 62 /* conditions of a list, and levels of splitting */

/* A level that a case comes to: a number, or how far down a list of conditions the last that holds stands. */
struct cor_level {
    struct cor_expression number;          /* owned; where there are no conditions */
    struct cor_case_condition *conditions; /* owned */
    uint32_t condition_count;
};

/* Reads a level: a number, or conditions with semicolons between them. COR_STATUS_INPUT at `place`. `level`
 * need not be empty when this fails. */
enum cor_status cor_level_parse(const char *text, const struct cor_vocabulary *vocabulary, const char *place,
                                struct cor_level *level, struct cor_error *error) COR_MUST_USE;

/* The same of such a string, or of an array of conditions. */
enum cor_status cor_level_read(const struct cor_json *json, const struct cor_vocabulary *vocabulary,
                               struct cor_level *level, struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_level_fini(struct cor_level *level);

/* The level that a case comes to: of conditions from 0, none holds, to their number. NaN: it has none. */
double cor_level_of(const struct cor_level *level, const struct cor_facts *facts);

#endif
