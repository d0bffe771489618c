/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Monitors under test in place of the system's own: how an arm says them, the observers that a corridor as a
 * text gives them, and what R-Detect holds them to. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_MONITORS_H
#define CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_MONITORS_H

#include "loop.h"

/* The same as a definition for the room that makes monitors. */
struct cor_monitors_definition;
struct cor_monitors_definition interaction__monitors_definition(const struct cor_arm_monitors *monitors);

/* Whether those of all arms can be used, and what the corridor's triggers leave unwatched; the text is
 * checked before. */
enum cor_status interaction__monitors_check(struct cor_experiment *experiment,
                                            struct cor_error *error) COR_MUST_USE;

/* Which triggers somebody else watches, or nobody, a line each, behind the lines of *warnings.
 */
enum cor_status interaction__monitors_say(const struct cor_experiment *experiment, char **warnings,
                                          struct cor_error *error) COR_MUST_USE;

/* Those of a runner, whose text is there; freed with it, NULL is allowed. And a sequence begins. */
enum cor_status interaction__monitors_create(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;
void interaction__monitors_destroy(struct interaction__monitors *monitors);
void interaction__monitors_begin(struct interaction__monitors *monitors);

/* They look, in place of the system's own: is there an alarm? The text has watched the case. */
enum cor_status interaction__monitors_look(struct cor_runner *runner, struct cor_case *this_case,
                                           struct cor_error *error) COR_MUST_USE;

/* The oracle has seen the same case; then R-Detect by what both saw: an alarm that is late as the monitor
 * says it may be is none that was missed, and none that is false, but tolerated. */
void interaction__monitors_see(struct cor_runner *runner, const struct cor_case *this_case);
void interaction__monitors_judge(const struct cor_runner *runner, struct cor_case *this_case,
                                 struct cor_judgement *judgement);

/* Whether one of them ended the sequence in this case. */
bool interaction__monitors_are_over(const struct cor_runner *runner);

/* What they remember, into *saved, which is made if it is NULL; and back. */
struct interaction__monitors_saved;
enum cor_status interaction__monitors_save(const struct cor_runner *runner,
                                           struct interaction__monitors_saved **saved,
                                           struct cor_error *error) COR_MUST_USE;
enum cor_status interaction__monitors_restore(struct cor_runner *runner,
                                              const struct interaction__monitors_saved *saved,
                                              struct cor_error *error) COR_MUST_USE;
void interaction__monitors_saved_destroy(struct interaction__monitors_saved *saved);

#endif
