/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loop of the testbed (003, 4.3 and 4.4), in one place: one suite is begun, its sequences are run case by
 * case, and all that happens is written into a record. The caller keeps the loop,
 *
 *   cor_sequence_begin -> cor_sequence_case until cor_sequence_is_over -> cor_sequence_end
 *
 * nothing calls back into it, and nothing in it is random but by name. */
#ifndef CORRIDOR_RUN_H
#define CORRIDOR_RUN_H

#include <corridor/host.h>
#include <corridor/record.h>
#include <corridor/suite.h>
#include <corridor/truth.h>

#include <stdbool.h>
#include <stdint.h>

/* ---- what a corridor as text looked at in a case, as data for those who show it */

/* What the verdict of a constraint of a corridor as text rests on in a case, as monitor and oracle find it:
 * before a reorganization. A constraint has a ground for each part that "and" joins. */
struct cor_constraint_ground {
    uint32_t constraint; /* number in the catalog */
    bool is_trigger;
    enum cor_truth truth;         /* of the part */
    bool is_edge;                 /* rounding decides it: nobody is accused */
    uint32_t agent, organization; /* for which it decides; COR_NOBODY: none */
    double left, right;           /* both sides of the comparison that decides, as written; NaN: no numbers */
    const char *unit;             /* borrowed from the experiment; NULL: none */
    char part[200];               /* the comparison; what else decides; or, unknown, why */
    char sides[640];              /* "supply 12.4 kW < demand 13 kW"; "": it has none */
};

/* Everything that executing a suite depends on, and nothing else. All pointers are borrowed until the suite
 * ends. */
struct cor_execution {
    const struct cor_suite *suite; /* with its arm: what is fixed */
    struct cor_session *session;   /* of the arm's algorithm */
    bool log_solutions; /* keep structure and solution of every reorganization, not only of failures */
};

/* Whether the structure that the suite begins with is inside of the corridor, with the values at the start.
 */
enum cor_status cor_suite_start(const struct cor_suite *suite, enum cor_inside *inside,
                                struct cor_error *error) COR_MUST_USE;

/* A suite being run: state, adopter, oracle, scratch. */
struct cor_runner;

/* Begins a suite: allocates everything its cases need, clears `record` and writes the configuration into it.
 */
enum cor_status cor_runner_create(const struct cor_execution *execution, struct cor_record *record,
                                  struct cor_runner **runner, struct cor_error *error) COR_MUST_USE;

/* Begins the sequence that `walk` is of: name.sequence is its number. It starts from the initial state. One
 * that continues another (walk->branch) shares with it not only the walk but all that happened: everything
 * that is random in the first branch->prefix cases is drawn as it was for the parent. The suite has one
 * sequence more then. */
enum cor_status cor_sequence_begin(struct cor_runner *runner, const struct cor_walk_definition *walk,
                                   struct cor_error *error) COR_MUST_USE;

/* Is there no case left, or has the black box failed? */
bool cor_sequence_is_over(const struct cor_runner *runner);

/* One test case: change, check, reorganize, check. */
enum cor_status cor_sequence_case(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;

/* The sequence is over with the case that was executed last, as if its walk, which is a recorded one, had
 * ended there. */
void cor_sequence_cut(struct cor_runner *runner);

/* Ends the sequence: writes down its walk, also the part that was not executed, and its row. */
enum cor_status cor_sequence_end(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;

/* The walk of the sequence that row `index` of COR_TABLE_SEQUENCES is of, in a record of a suite of so many
 * chains. */
enum cor_status cor_record_walk(struct cor_record *record, size_t index, uint32_t chain_count,
                                struct cor_walk *walk, struct cor_error *error) COR_MUST_USE;

/* Fails with COR_STATUS_PLUGIN and the words of the monitor or mechanism that ended a sequence of `suite`,
 * as the record's last row of smokes has them; `remedy` as of cor_fail. */
enum cor_status cor_fail_foreign_smoke(struct cor_record *record, const struct cor_suite *suite,
                                       const char *remedy, struct cor_error *error);

/* The case in which a reorganization of the sequence first failed in the gray or the black box, 0 = in none.
 */
uint32_t cor_sequence_first_failure(const struct cor_runner *runner);

/* Whether the reaction of the system is wanted after each case: it costs a little. False at first. */
void cor_runner_observe(struct cor_runner *runner, bool wanted);

/* How the system reacted in the last case, where that is wanted; valid until the next. */
const struct cor_reaction *cor_sequence_reaction(const struct cor_runner *runner);

/* How often the fault of adoption was drawn since the sequence began, and struck, in adoptions that are
 * complete. */
void cor_sequence_adoptions(const struct cor_runner *runner, uint64_t *drawn, uint64_t *struck);

/* What the algorithm was asked in a case, and what came of it. All is borrowed, and valid until the next. */
struct cor_case_question {
    const struct cor_suite *suite;
    struct cor_stream_name name; /* of the case in which it was asked */
    struct cor_rules rules;
    const double *const *columns;          /* [column][agent], as struct cor_task has them */
    const struct cor_objective *objective; /* of the task; NULL: it has none */
    const struct cor_lists *before,
        *solution;                 /* of the solution what the arm's fault of the result made of it */
    const struct cor_lists *after; /* the structure that was adopted, or stayed */
    const struct cor_session_memory *memory; /* what the session kept, before it was asked */
    uint64_t digest;                         /* cor_outcome_digest of the answer */
};

/* Whether questions are kept: it costs a copy of what the algorithm keeps. False at first. */
void cor_runner_keep_questions(struct cor_runner *runner, bool wanted);

/* The question of the last case, where they are kept; false if nothing was asked in it. */
bool cor_sequence_question(const struct cor_runner *runner, struct cor_case_question *question);

/* From now on the mail of the reorganization of case course->identity is told in it (course.h); NULL: of
 * none. Borrowed until the next call. False if there is none to be seen (cor_session_shows_mail). */
struct cor_course;
bool cor_runner_watch(struct cor_runner *runner, struct cor_course *course);

/* Whether grounds are kept: it costs another evaluation of all constraints. False at first. */
void cor_runner_keep_grounds(struct cor_runner *runner, bool wanted);

/* Those of the last case, where they are kept, by constraint; *count 0: the corridor is no text. Valid until
 * the next case. */
const struct cor_constraint_ground *cor_sequence_grounds(const struct cor_runner *runner, size_t *count);

/* The system as the last case left it; at the beginning as the sequence found it. Borrowed, changed by the
 * next case. */
struct cor_state;
const struct cor_state *cor_sequence_state(const struct cor_runner *runner);

/* What the white-box counters have counted since the sequence began: cells of counter c are [start[c],
 * start[c + 1]). Valid until the next call. */
const uint64_t *cor_runner_counters(struct cor_runner *runner, const uint32_t **start);

/* The walk of the sequence, as far as it is known, and cases executed of it. */
const struct cor_walk *cor_sequence_walk(const struct cor_runner *runner);
uint32_t cor_sequence_executed(const struct cor_runner *runner);

/* A sequence between two cases: state, walk, what the algorithm keeps, and how far the record was. */
struct cor_saved_sequence;

/* Room to save into, of that runner alone; its arm's execution is stepwise. */
enum cor_status cor_saved_sequence_create(const struct cor_runner *runner, struct cor_saved_sequence **saved,
                                          struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_saved_sequence_destroy(struct cor_saved_sequence *saved);

/* Saves where the sequence is; restore goes back there, and takes back the rows written since: what follows
 * is what followed before. Saved and restored any number of times; into another sequence of the runner where
 * the record has not been taken back to before what was saved. */
enum cor_status cor_sequence_save(const struct cor_runner *runner, struct cor_saved_sequence *saved,
                                  struct cor_error *error) COR_MUST_USE;
enum cor_status cor_sequence_restore(struct cor_runner *runner, const struct cor_saved_sequence *saved,
                                     struct cor_error *error) COR_MUST_USE;

/* From here on, all that is random is drawn as of sequence `sequence`, a number that no other sequence of the
 * suite has: a child of what has happened so far. Of arms whose walks are steered there is none. */
void cor_sequence_fork(struct cor_runner *runner, uint32_t sequence);

/* The same of a recorded walk, which is drawn from here on, by that source, and has so many cases in all. The
 * source can draw anew (`again`). */
enum cor_status cor_sequence_turn(struct cor_runner *runner, const struct cor_source *source,
                                  uint32_t sequence, uint32_t cases, struct cor_error *error) COR_MUST_USE;

/* Adds how many answers of the suite so far were asked for again, and what came of it. */
void cor_runner_count(const struct cor_runner *runner, struct cor_suite_counts *counts);

/* Ends the suite: writes visits, transitions and white-box counters. */
enum cor_status cor_runner_finish(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_runner_destroy(struct cor_runner *runner);
COR_DESTROYS(cor_runner, struct cor_runner)

/* ---- A corridor as a text that looks on at sequences: they go by the corridor of their experiment, and each
 * state that a case leaves behind is judged by this one, too */

struct cor_onlooker;

/* Reads the text in the file at `path`, which must fit the model of the experiment and the parameters of all
 * arms. Triggers need not be such that a monitor could keep them. */
enum cor_status cor_onlooker_create(const char *path, const struct cor_experiment *experiment,
                                    struct cor_onlooker **onlooker, struct cor_error *error) COR_MUST_USE;

/* Frees it. NULL is allowed. */
void cor_onlooker_destroy(struct cor_onlooker *onlooker);
COR_DESTROYS(cor_onlooker, struct cor_onlooker)

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
