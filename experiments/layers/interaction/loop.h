/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the loop (run.c), its notes (notes.c), the faults of the result (result_fault.c) and continuous time
 * (continuous.c) share. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_LOOP_H
#define CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_LOOP_H

#include "text.h"

#include <corridor/kind_judge.h>
#include <corridor/oracle.h>
#include <corridor/run.h>
#include <corridor/state.h>

/* Where a sequence is: with the state, the walk and what the algorithm keeps, all that changes in it. Copied
 * as it is. */
struct cor_sequence {
    uint32_t index;
    struct cor_branch branch; /* prefix 0: it continues none, or one from its beginning */
    uint32_t number;          /* cases executed */
    struct cor_monitor_memory monitor;
    uint32_t cases_to_activation; /* 0 = no reorganization under way; else cases until it starts, plus one */
    uint32_t first_failure;       /* case; 0 = none */
    uint32_t last_reorganized;    /* case; 0 = none */
    bool is_stopped;              /* the black box failed */
    bool alarm, reorganized;      /* in the last case */
    bool has_answer;              /* stale results: answer_before is of this sequence */
    bool is_held_back;            /* late results: one is under way, */
    struct cor_stream_name asked; /* asked for in this case */
    double dissimilarity;         /* the monitor's, in the last case */
    struct {
        uint32_t reorganizations, failed, messages, chains; /* the latter two: most in one of them */
    } mail;
    struct {
        uint64_t drawn, struck;
    } adoptions; /* that are complete: times the fault of adoption was drawn, and struck */
};

struct cor_runner {
    const struct cor_suite *suite;                 /* borrowed */
    const struct cor_configuration *configuration; /* the suite's */
    struct cor_session *session;                   /* borrowed */
    struct cor_record *record;                     /* borrowed */
    bool log_solutions;
    bool observed; /* reactions are wanted */
    bool keeps_questions;
    bool keeps_grounds;
    struct cor_stream_name asked_name; /* of the last question, as both below */
    const double *const *asked_columns;
    uint64_t asked_digest; /* of its answer */
    struct cor_reaction reaction;
    struct cor_sequence sequence;
    struct cor_walk walk;
    struct cor_state *state;
    struct cor_adopter *adopter;
    struct cor_adoption_report adoption; /* the last */
    struct cor_oracle *oracle;
    struct interaction__time *time;             /* of an arm whose execution is continuous; else NULL */
    struct interaction__text_suite *text;       /* of an experiment with a corridor as a text; else NULL */
    struct interaction__mechanisms *mechanisms; /* of an arm that has some; else NULL */
    struct interaction__monitors *monitors;     /* under test; NULL: the system's own is at work */
    struct cor_kind_judge *kinds;               /* of structures that are no partitionings; else NULL */
    struct cor_outcome outcome;
    struct cor_suite_counts counts;   /* of answers that were asked for again, so far */
    struct cor_session_memory memory; /* of the session, before it is asked, if it can be asked again */
    struct cor_lists structure;       /* the present structure as lists, made anew after each adoption */
    struct cor_lists before;          /* the structure an alarm found, kept for the failure row */
    struct cor_lists answer_before; /* stale results: what the algorithm gave in the reorganization before */
    struct cor_lists answer;        /* scratch of these */
    const double **columns_before;  /* late results: the columns in the case in which it was asked for, */
    double *values_before;          /* [column][agent] one behind the other */
    uint32_t *label;                /* [agent] scratch: that structure as labels */
    uint64_t *counted;              /* [cell] scratch: probes, where walks answer to them */
    size_t violations_before;       /* of the case: rows of the record */
    uint64_t *probes_before;        /* [cell] white-box counters when the sequence began */
    uint64_t *probes;               /* [cell] scratch: those of the sequence */
    struct cor_limits limits;       /* what the oracle holds the algorithm to */
    struct cor_rules rules;         /* what the algorithm is told */
};

/* What one case was, before it is written down. */
struct cor_case {
    uint32_t number; /* from 1 */
    struct cor_stream_name name;
    bool alarm;
    enum cor_inside inside;
    double dissimilarity; /* the monitor's */
    double looked;        /* the oracle's, NaN where it did not look */
};

/* The arm's fault of the result: spoils the solution in the outcome, or leaves it, and counts. */
enum cor_status interaction__result_spoil(struct cor_runner *runner, const struct cor_case *this_case,
                                          struct cor_error *error) COR_MUST_USE;

/* Mechanisms beside the algorithm (mechanisms.c). Room for those of the arm, if it has some, freed with
 * it; a sequence begins; they work, at the end of a case; and what changes meanwhile, `size` bytes. */
enum cor_status interaction__mechanisms_create(struct cor_runner *runner,
                                               struct cor_error *error) COR_MUST_USE;
void interaction__mechanisms_destroy(struct interaction__mechanisms *mechanisms);
void interaction__mechanisms_begin(struct cor_runner *runner);
enum cor_status interaction__mechanisms_work(struct cor_runner *runner, const struct cor_case *this_case,
                                             struct cor_error *error) COR_MUST_USE;
/* In the place of a reorganization, where a mechanism is under test: the chain of the arm changes the
 * structure, the mechanism works, and what the structure is then like is judged by the gray box. */
enum cor_status interaction__mechanism_test(struct cor_runner *runner, const struct cor_case *this_case,
                                            struct cor_case_row *case_row,
                                            struct cor_error *error) COR_MUST_USE;
void *interaction__mechanisms_memory(struct interaction__mechanisms *mechanisms, size_t *size);

/* Keeps the values of now in columns_before. */
void interaction__result_keep_columns(struct cor_runner *runner);

/* Whether the result that is due now comes a case late; then the values of now are kept for it. */
bool interaction__result_is_late(struct cor_runner *runner, const struct cor_case *this_case);

/* The steps of a reorganization, whose row they fill. First the algorithm is asked with what is now, and the
 * row is made; NULL with `error` set if that fails. *weighed: the objective before. */
struct cor_reorganization_row *interaction__ask(struct cor_runner *runner, const struct cor_case *this_case,
                                                double *weighed, struct cor_error *error);

/* R-Solution, by the values that are looked at. */
enum cor_status interaction__judge_solution(struct cor_runner *runner, const struct cor_case *this_case,
                                            struct cor_reorganization_row *row,
                                            struct cor_error *error) COR_MUST_USE;

/* All moves of the adoption at once, each judged if the arm says so; and whether it does, and what was seen
 * of them. */
enum cor_status interaction__adopt(struct cor_runner *runner, const struct cor_case *this_case,
                                   struct cor_error *error) COR_MUST_USE;
bool interaction__moves_are_judged(const struct cor_runner *runner);
enum cor_status interaction__end_moves(struct cor_runner *runner, const struct cor_case *this_case,
                                       struct cor_error *error) COR_MUST_USE;

/* What came of adoption, which is complete. */
enum cor_status interaction__note_adoption(struct cor_runner *runner, struct cor_reorganization_row *row,
                                           struct cor_error *error) COR_MUST_USE;

/* R-Distribution, and whether the structure is the solution that was accepted (C7). */
enum cor_status interaction__judge_structure(struct cor_runner *runner, const struct cor_case *this_case,
                                             struct cor_reorganization_row *row,
                                             struct cor_error *error) COR_MUST_USE;

/* In place of these: there is no result, nothing to adopt, and nothing to go on with. */
void interaction__note_no_result(const struct cor_runner *runner, struct cor_reorganization_row *row);

/* At last: what the case and the sequence have of it. `weighed`: the objective before. */
enum cor_status interaction__end_reorganization(struct cor_runner *runner, const struct cor_case *this_case,
                                                const struct cor_reorganization_row *row, double weighed,
                                                struct cor_case_row *case_row,
                                                struct cor_error *error) COR_MUST_USE;

/* Is there a structure of those who are there that keeps the limits which the algorithm is held to? Else
 * nobody is asked, and nobody judged by it: no answer could be right. */
bool interaction__can_be_asked(const struct cor_runner *runner);

/* Does the oracle look for itself, given whether there is an alarm? */
bool interaction__is_looked_at(const struct cor_runner *runner, const struct cor_case *this_case);

/* The oracle's measure of the present structure. */
double interaction__dissimilarity(const struct cor_runner *runner);

/* The monitor looks: what it measures, and whether it raises an alarm. */
enum cor_status interaction__monitor(struct cor_runner *runner, struct cor_case *this_case,
                                     struct cor_error *error) COR_MUST_USE;

/* The oracle's own look at the same, from raw values - `inside`, `looked` -, and what it says of the alarm
 * (R-Detect). */
enum cor_status interaction__judge_look(struct cor_runner *runner, struct cor_case *this_case,
                                        struct cor_judgement *judgement, enum cor_verdict *detect,
                                        struct cor_error *error) COR_MUST_USE;

/* The row of the present case, in which nothing has happened yet; NULL with `error` set if there is no
 * memory. And what a look of the monitor, and the oracle's, say in it, and what that rests on. */
struct cor_case_row *interaction__case_row(struct cor_runner *runner, struct cor_error *error);
enum cor_status interaction__note_look(struct cor_runner *runner, const struct cor_case *this_case,
                                       enum cor_verdict detect, struct cor_case_row *row,
                                       struct cor_error *error) COR_MUST_USE;

/* What a text says of time sees the case as it leaves the system. */
enum cor_status interaction__end_case(struct cor_runner *runner, const struct cor_case *this_case,
                                      struct cor_error *error) COR_MUST_USE;

/* The probes as they are when a case begins, or, when it is over, less what they were. */
void interaction__count_probes(struct cor_runner *runner, bool is_over);

/* How the system reacted in the case that is over: for the walk, and for watchers. */
void interaction__show_reaction(struct cor_runner *runner, const struct cor_case *this_case,
                                const struct cor_case_row *row);

/* Continuous execution (continuous.c). Clocks and room for a runner's suites, freed with it; a sequence at
 * tick 0; a case, whose environment is known; and the end of the sequence. */
enum cor_status interaction__time_create(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;
void interaction__time_destroy(struct interaction__time *time);
void interaction__time_begin(struct cor_runner *runner);
double interaction__time_measure(struct cor_runner *runner); /* the oracle's, of what is now */
enum cor_status interaction__time_case(struct cor_runner *runner, struct cor_case *this_case,
                                       struct cor_error *error) COR_MUST_USE;
enum cor_status interaction__time_end(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;

/* The configuration's rows: suite, parameters, agents, groups, chains, profiles. */
enum cor_status interaction__note_configuration(struct cor_runner *runner,
                                                struct cor_error *error) COR_MUST_USE;

/* The row of a sequence that is over, with its walk, chain after chain, in vectors/walk. */
enum cor_status interaction__note_sequence(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;

/* What became of the traps of the sequence, and its weight; of an arm without traps nothing. */
enum cor_status interaction__note_traps(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;

/* Of an arm whose mail goes by pct, what its promise depends on, and how many failed; of others nothing. */
enum cor_status interaction__note_schedule(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;

/* That the sequence continues another one. */
enum cor_status interaction__note_branch(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;

/* The suite's rows of visits and transitions, counted over the walks in the record, and of white-box
 * counters. */
enum cor_status interaction__note_counts(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;

/* The violations a judgement kept, one row each. */
enum cor_status interaction__note_violations(struct cor_runner *runner, const struct cor_case *this_case,
                                             enum cor_box box, const struct cor_judgement *judgement,
                                             struct cor_error *error) COR_MUST_USE;

/* Structure before and solution of a reorganization, whole. */
/* What led to smoke; and that something came late of the reorganization before. */
enum cor_status interaction__note_smoke(struct cor_runner *runner, const struct cor_case *this_case,
                                        struct cor_error *error) COR_MUST_USE;

/* That a monitor under test, or a mechanism, did not do its work. */
enum cor_status interaction__note_foreign_smoke(struct cor_runner *runner, const struct cor_case *this_case,
                                                enum cor_smoke smoke, const char *words,
                                                const struct cor_fate *fate,
                                                struct cor_error *error) COR_MUST_USE;

enum cor_status interaction__note_failure(struct cor_runner *runner, const struct cor_case *this_case,
                                          uint8_t gray, uint8_t black, struct cor_error *error) COR_MUST_USE;

/* ---- Monitors under test in place of the system's own: how an arm says them, the observers that a corridor
 * as a text gives them, and what R-Detect holds them to. */

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

/* ---- A corridor as a text over the suite that a runner executes: what the loop asks of it. */

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
