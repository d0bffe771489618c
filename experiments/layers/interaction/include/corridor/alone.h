/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sequences executed alone, without the others of their suites: for replaying one of many. The rows are those
 * that it has among the others. */
#ifndef CORRIDOR_ALONE_H
#define CORRIDOR_ALONE_H

#include <corridor/interaction.h>
#include <corridor/run.h>

/* What is to be executed. */
struct cor_alone_definition {
    uint32_t arm, suite, sequence;
    const struct cor_branch *branch; /* of one that continues another; else NULL */
    bool log_solutions; /* keep all solutions also where the experiment keeps those of failures alone */
};

/* Keeps a session for each arm, and the suite of the last sequence. */
struct cor_alone;

/* For sequences of the experiment, which outlives it. */
enum cor_status cor_alone_create(const struct cor_interaction *interaction, struct cor_alone **alone,
                                 struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_alone_destroy(struct cor_alone *alone);

/* Begins the sequence: the record is cleared and gets the configuration, and *runner (borrowed until the next
 * call) stands before the first case. COR_STATUS_INPUT if the experiment has no such sequence. */
enum cor_status cor_alone_begin(struct cor_alone *alone, const struct cor_alone_definition *definition,
                                struct cor_record *record, struct cor_runner **runner,
                                struct cor_error *error) COR_MUST_USE;

/* The same to the end of the sequence. What counts over whole suites - visits, transitions, white-box
 * counters - is not written. */
enum cor_status cor_alone_execute(struct cor_alone *alone, const struct cor_alone_definition *definition,
                                  struct cor_record *record, struct cor_error *error) COR_MUST_USE;

/* The suite of the sequence that began last. */
const struct cor_suite *cor_alone_suite(const struct cor_alone *alone);

#endif
