/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A corridor as a text over the suite that a runner executes: what the loop asks of it. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_TEXT_SUITE_H
#define CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_TEXT_SUITE_H

#include "loop.h"
#include "text.h"

/* What a runner has of it, and what of that changes in a sequence; destroying either frees it, NULL is
 * allowed. */
struct interaction__text_suite;
struct interaction__text_saved;
enum cor_status interaction__text_suite_create(struct cor_runner *runner,
                                               const struct interaction__text *text, bool is_watched,
                                               struct cor_error *error) COR_MUST_USE;
void interaction__text_suite_destroy(struct interaction__text_suite *suite);
void interaction__text_saved_destroy(struct interaction__text_saved *saved);

/* What the sequence has so far into *saved, which is made if it is NULL; and back. */
enum cor_status interaction__text_save(const struct cor_runner *runner,
                                       struct interaction__text_saved **saved,
                                       struct cor_error *error) COR_MUST_USE;
enum cor_status interaction__text_restore(struct cor_runner *runner,
                                          const struct interaction__text_saved *saved,
                                          struct cor_error *error) COR_MUST_USE;

/* What algorithms are to make small; NULL: the measure of the experiment. */
const struct cor_objective *interaction__text_suite_objective(const struct cor_runner *runner);

/* The number of it in these lists, by the oracle: NaN, it is not known, or there is none. */
enum cor_status interaction__text_weigh(struct cor_runner *runner, const struct cor_lists *lists,
                                        double *number, struct cor_error *error) COR_MUST_USE;

/* Attributes are as the state is now, and what is copied of it follows: what is judged next is judged by
 * these. */
void interaction__text_follow(const struct cor_runner *runner);

/* Before the first case of a sequence. */
enum cor_status interaction__text_begin(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;

/* Judges lists: kind and invariants; *unknown: how many of these are not known. */
enum cor_status interaction__text_judge_lists(struct cor_runner *runner, const struct cor_lists *lists,
                                              struct cor_judgement *judgement, uint32_t *unknown,
                                              struct cor_error *error) COR_MUST_USE;

/* Rows of the constraints that do not hold in the lists judged last, through that box. */
enum cor_status interaction__text_note(struct cor_runner *runner, uint32_t number, enum cor_box box,
                                       struct cor_error *error) COR_MUST_USE;

/* The monitor looks at the new values: is an alarm due? */
enum cor_status interaction__text_watch(struct cor_runner *runner, bool *due,
                                        struct cor_error *error) COR_MUST_USE;

/* For who watches in place of it: the judge, whose columns and parameters the text is lowered for; and in how
 * many cases on end each trigger was violated, [trigger]. */
const struct interaction__text_judge *interaction__text_suite_judge(const struct cor_runner *runner);
const uint32_t *interaction__text_suite_outside(const struct cor_runner *runner);

/* What the verdicts of all constraints rest on then, kept until this is asked again; and those. */
enum cor_status interaction__text_find_grounds(struct cor_runner *runner,
                                               struct cor_error *error) COR_MUST_USE;
const struct cor_constraint_ground *interaction__text_suite_grounds(const struct cor_runner *runner,
                                                                    size_t *count);

/* The oracle looks at the same: this_case->inside says whether one is due. A case may have several looks:
 * what is not met is noted by the first. */
enum cor_status interaction__text_see(struct cor_runner *runner, struct cor_case *this_case,
                                      struct cor_error *error) COR_MUST_USE;

/* All that must hold is asked of the state as it is, for somebody who looks on; `kind` is what is wrong with
 * its kind. */
enum cor_status interaction__text_look_on(struct cor_runner *runner, const struct cor_case *this_case,
                                          struct cor_judgement *kind, struct cor_error *error) COR_MUST_USE;

/* R-Detect by what was seen. */
void interaction__text_judge_alarm(const struct cor_case *this_case, struct cor_judgement *judgement);

/* Before and after an adoption, where each move of it is judged: violations between two moves of what was
 * met before are noted. In between an adopter shows the lists after each move (cor_move_watcher), or, where
 * moves take time, the structure is judged after each but the last. */
enum cor_status interaction__text_watch_moves(struct cor_runner *runner, const struct cor_case *this_case,
                                              struct cor_error *error) COR_MUST_USE;
enum cor_status interaction__text_see_move(void *runner, const struct cor_lists *structure,
                                           struct cor_error *error) COR_MUST_USE;
enum cor_status interaction__text_judge_move(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;
enum cor_status interaction__text_moves_end(struct cor_runner *runner, const struct cor_case *this_case,
                                            bool *failed, struct cor_error *error) COR_MUST_USE;

/* The structure has changed: nothing that was kept of it stands. */
void interaction__text_restructure(struct cor_runner *runner);

/* All invariants and triggers are asked of what is now; whether they were met when they were asked last, by a
 * look, too; and those that were not are noted as if a look had seen them. */
enum cor_status interaction__text_ask_all(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;
enum cor_inside interaction__text_inside(const struct cor_runner *runner);
enum cor_status interaction__text_note_asked(struct cor_runner *runner, uint32_t number,
                                             struct cor_error *error) COR_MUST_USE;

/* The case is over, and the sequence: what is said of time. *failed: something of it is violated since this
 * case. */
enum cor_status interaction__text_end_case(struct cor_runner *runner, const struct cor_case *this_case,
                                           bool *failed, struct cor_error *error) COR_MUST_USE;
enum cor_status interaction__text_end(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;

#endif
