/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A corridor as a text that looks on at sequences: they go by the corridor of their experiment, and each
 * state that a case leaves behind is judged by this one, too. */
#ifndef CORRIDOR_ONLOOKER_H
#define CORRIDOR_ONLOOKER_H

#include <corridor/run.h>

struct cor_onlooker;

/* Reads the text in the file at `path`, which must fit the model of the experiment and the parameters of all
 * arms. Triggers need not be such that a monitor could keep them. */
enum cor_status cor_onlooker_create(const char *path, const struct cor_experiment *experiment,
                                    struct cor_onlooker **onlooker, struct cor_error *error) COR_MUST_USE;

/* Frees it. NULL is allowed. */
void cor_onlooker_destroy(struct cor_onlooker *onlooker);

/* Its constraints, a rule of returning among them that the text may not have; whether one is of time, and
 * whether it is judged of initial structures, as invariants are; what it is called, and what it says. */
uint32_t cor_onlooker_count(const struct cor_onlooker *onlooker);
bool cor_onlooker_is_of_time(const struct cor_onlooker *onlooker, uint32_t constraint);
bool cor_onlooker_judges_initial(const struct cor_onlooker *onlooker, uint32_t constraint);
const char *cor_onlooker_name(const struct cor_onlooker *onlooker, uint32_t constraint);
const char *cor_onlooker_says(const struct cor_onlooker *onlooker, uint32_t constraint);
const char *cor_onlooker_kind(const struct cor_onlooker *onlooker);

/* A sequence has begun; a case of it is over; it has ended. */
enum cor_status cor_onlooker_begin(struct cor_onlooker *onlooker, const struct cor_runner *runner,
                                   struct cor_error *error) COR_MUST_USE;
enum cor_status cor_onlooker_case(struct cor_onlooker *onlooker, const struct cor_runner *runner,
                                  struct cor_error *error) COR_MUST_USE;
enum cor_status cor_onlooker_end(struct cor_onlooker *onlooker, struct cor_error *error) COR_MUST_USE;

/* What it has seen of the sequence: rows of COR_TABLE_CONSTRAINTS, of box detect for states that cases leave
 * behind and of box black, case 0, for the initial structure; of COR_TABLE_FORMULAS and COR_TABLE_RETURNS;
 * and how many states were not of their kind, with the first violation, `kind_case` 0: none was. Valid until
 * the next sequence begins. */
struct cor_onlooker_seen {
    struct cor_record *record;
    uint32_t states, off_kind, kind_case;
    struct cor_violation kind_first;
};

/* What it has seen of the sequence that began last. */
const struct cor_onlooker_seen *cor_onlooker_seen(const struct cor_onlooker *onlooker);

#endif
