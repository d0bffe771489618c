/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the loop (run.c), its notes (notes.c) and the faults of the result (result_fault.c) share. */
#ifndef CORRIDOR_LOOP_H
#define CORRIDOR_LOOP_H

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
    struct cor_monitor monitor;
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
    struct cor_adoption_report adoption; /* in the last case */
    struct cor_oracle *oracle;
    struct interaction__text_suite *text; /* of an experiment with a corridor as a text; else NULL */
    struct cor_kind_judge *kinds;         /* of structures that are no partitionings; else NULL */
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

/* Whether the result that is due now comes a case late; then the values of now are kept for it. */
bool interaction__result_is_late(struct cor_runner *runner, const struct cor_case *this_case);

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

enum cor_status interaction__note_failure(struct cor_runner *runner, const struct cor_case *this_case,
                                          uint8_t gray, uint8_t black, struct cor_error *error) COR_MUST_USE;

#endif
