/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the loop (run.c), its notes (notes.c), the faults of the result (result_fault.c) and continuous time
 * (continuous.c) share. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_LOOP_H
#define CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_LOOP_H

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

#endif
