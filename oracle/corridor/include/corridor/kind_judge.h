/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Judging structures that are no partitionings by their kind alone, without a text; cor_oracle_judge is for
 * partitionings. */
#ifndef CORRIDOR_KIND_JUDGE_H
#define CORRIDOR_KIND_JUDGE_H

#include <corridor/lists.h>
#include <corridor/oracle.h>
#include <corridor/structures.h>

/* Memory that is used again. */
struct cor_kind_judge;

/* A judge of that kind, which is no partitioning. Destroying it frees it, NULL is allowed. */
enum cor_status cor_kind_judge_create(enum cor_structure_kind kind, struct cor_kind_judge **judge,
                                      struct cor_error *error) COR_MUST_USE;
void cor_kind_judge_destroy(struct cor_kind_judge *judge);

/* Are the lists, with their parents, a structure of the kind within the limits? Of the kind what
 * cor_corridor_judge_look says; sizes are those of organizations with members, and count entries; the number
 * counts all. Clears `judgement` first. */
enum cor_status cor_kind_judge_look(struct cor_kind_judge *judge, const struct cor_lists *lists,
                                    uint32_t agent_count, const struct cor_limits *limits,
                                    struct cor_judgement *judgement, struct cor_error *error) COR_MUST_USE;

/* C7: does the structure equal the solution that was accepted, names of organizations aside? Organizations
 * are equal if they have the same members and, where they nest, stand below equal ones; of several with equal
 * members as many are needed. Adds COR_CHECK_NOT_ADOPTED violations (structures.h says what is in them): one
 * for each organization of the structure that has no equal, or, if all have, one for the first of the
 * solution that is left. Adds nothing where one of the two is not of the kind: there is nothing to agree
 * with. */
enum cor_status cor_kind_judge_compare(struct cor_kind_judge *judge, const struct cor_lists *structure,
                                       const struct cor_lists *solution, uint32_t agent_count,
                                       struct cor_judgement *judgement, struct cor_error *error) COR_MUST_USE;

#endif
