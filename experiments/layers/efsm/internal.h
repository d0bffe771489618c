/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What files of the layer share. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_EFSM_INTERNAL_H
#define CORRIDOR_EXPERIMENTS_LAYERS_EFSM_INTERNAL_H

#include <corridor/efsm_layer.h>
#include <corridor/subject.h>

/* "add GOAL at MOVES; drop GOAL when CONDITION" as that member. */
enum cor_status efsm_layer__put_changes(const char *text, struct cor_json_writer *writer,
                                        struct cor_error *error) COR_MUST_USE;

/* What is given to the system of an arm in place of a test of it: as it is in suite `run`. */
struct efsm_layer__given {
    const struct cor_efsm_experiment *experiment;
    uint32_t arm, run, count;
    const struct cor_online_input *inputs;
    bool (*more)(void *context, struct cor_system *system, struct cor_online_input *given); /* or NULL */
};
enum cor_status efsm_layer__give(const struct efsm_layer__given *given,
                                 enum cor_status (*note)(void *context, const struct cor_online_move *move,
                                                         struct cor_error *error),
                                 void *context, struct cor_online_outcome *outcome,
                                 struct cor_error *error) COR_MUST_USE;

/* The fingerprint of inputs and answers, one move more; it begins with COR_HASH_SEED. */
uint64_t efsm_layer__hash_move(uint64_t hash, const struct cor_efsm *model,
                               const struct cor_online_move *move);

/* What an experiment that was read has to know before it is executed: may its programs be started, and what
 * are they made of? *warnings as of the layer's `read`. */
enum cor_status efsm_layer__settle(struct cor_efsm_experiment *experiment,
                                   const struct cor_layer_options *options, char **warnings,
                                   struct cor_error *error) COR_MUST_USE;

extern const struct cor_subject efsm_layer__subject;

/* Test files (efsm_test.c); how many inputs a test gives. */
uint32_t efsm_layer__inputs(const struct cor_subject_test *test);
enum cor_status efsm_layer__test_read(const char *text, const char *path,
                                      const struct cor_layer_options *options, struct cor_subject_test *test,
                                      struct cor_error *error) COR_MUST_USE;
enum cor_status efsm_layer__test_write(const struct cor_subject_test *test, char **text,
                                       struct cor_error *error) COR_MUST_USE;

/* Those of an arm. */
enum cor_status efsm_layer__marks(const struct cor_efsm_experiment *experiment, uint32_t arm,
                                  struct cor_efsm_marks *marks, struct cor_error *error) COR_MUST_USE;

/* What a test failed by, "closed ENTER miss|third": where the system could be (the first of several states),
 * what it was given, and the transitions by which it could have answered. names: of transitions, is_allowed:
 * which could, both [count]; nothing possible is EFSM_LAYER__QUIET. NULL: memory is out. */
#define EFSM_LAYER__QUIET "quiet"
char *efsm_layer__failure(const char *location, const char *input, const char *const *names,
                          const bool *is_allowed, bool may_be_quiet, size_t count);

/* Tells a test move by move, as text. */
enum cor_status efsm_layer__tell(void *bench, const struct cor_subject_test *test, enum cor_story_form form,
                                 char **text, struct cor_error *error) COR_MUST_USE;

/* Kinds of choices; what is an input's label, and nth where its values begin in those of the choices: one of
 * each parameter. */
enum { EFSM_LAYER__INPUT, EFSM_LAYER__RESET };

/* The values of an input, [variable]. */
void efsm_layer__values_of(const struct cor_efsm *model, const struct cor_choices *choices,
                           const struct cor_choice *choice, int64_t *values);

#endif
