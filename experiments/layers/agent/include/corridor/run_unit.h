/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loop of the agent layer, in one place: the cases of a unit are made, run and judged one after the
 * other, then the unit is (paper 000, 3). All of it is written into a record.
 *
 *   each case of the unit: cor_aut_run -> cor_judge_case, and a row
 *   cor_judge_unit, with own cases of events and findings below where it needs them
 *   the smallest case of each finding again, in a fresh process: the same trace? and its rows */
#ifndef CORRIDOR_RUN_UNIT_H
#define CORRIDOR_RUN_UNIT_H

#include <corridor/agent_schema.h>
#include <corridor/aut_session.h>
#include <corridor/judge.h>
#include <corridor/record.h>
#include <corridor/unit_cases.h>

/* Cases of a suite that have rows of their own; further ones have them if a finding names them. */
#define COR_TRIALS_KEPT 2048

/* The codes of catalog/name: what of a design a row names. 0 is nothing. */
struct cor_name_codes {
    uint16_t plan, event, message, action, belief, field; /* code of the first of each */
    uint16_t *parameters;      /* owned; by event, its parameters in order: those of one name have one code */
    uint32_t *first_parameter; /* owned; [event] among these */
    uint32_t word_count;       /* words that have a code */
};

/* The agent in its arm, with all that does not change from case to case. */
struct cor_unit_runner;

/* What a runner works with, until it is destroyed. */
struct cor_unit_runner_definition {
    const struct cor_design_file *file; /* borrowed, as all here */
    const struct cor_name_codes *codes;
    struct cor_test_settings settings;
    struct cor_aut_session *session;
    const struct cor_agent_code *code; /* of an interpreter, for its branches; else NULL */
    const bool *unbuilt; /* [plan] that is not there yet; NULL: all are, as far as the session knows */
};

/* Made for one arm; what it has found of units is remembered, for those that need them. */
enum cor_status cor_unit_runner_create(const struct cor_unit_runner_definition *definition,
                                       struct cor_unit_runner **runner, struct cor_error *error) COR_MUST_USE;

/* Frees the runner. NULL is allowed. */
void cor_unit_runner_destroy(struct cor_unit_runner *runner);

/* Asked now and then while a unit runs: is it to be abandoned? And told how many cases were executed. */
typedef bool cor_unit_watch(const void *context, uint64_t cases);

/* Which unit is to be run, by its index in the order of the design; `repetition`, from
 * 0, names its streams. */
struct cor_unit_request {
    uint32_t unit, repetition;
    struct cor_record *record; /* may be NULL: nothing is written */
    cor_unit_watch *watch;     /* may be NULL */
    const void *watch_context;
};

/* What a unit came to. */
struct cor_unit_outcome {
    uint64_t cases;
    uint32_t findings, worse;       /* all; such as are more than notes */
    uint32_t asked_again, differed; /* cases that were run once more, and did something else then */
    uint32_t by_machine;            /* cases that the clock ended */
};

/* Runs a unit. COR_STATUS_INTERRUPTED if the watch said so. A pure function of (agent, unit, repetition,
 * settings), whatever was run before. */
enum cor_status cor_unit_run(struct cor_unit_runner *runner, const struct cor_unit_request *request,
                             struct cor_unit_outcome *outcome, struct cor_error *error) COR_MUST_USE;

/* One case alone: which, and what is wanted of it. All is the caller's; NULL: not wanted. */
struct cor_lone_case {
    uint32_t unit, repetition;
    uint64_t index; /* its number; also if it is said in full, for it names what is drawn */
    const struct cor_case_values *given; /* said in full: its values instead, in its first interleaving, */
    const struct cor_said_turn *turns;   /* but for these turns; ascending */
    uint32_t turn_count;
    struct cor_trace *trace;        /* needed; where it has room for turns, they are told */
    struct cor_trace *first;        /* of the first interleaving, if that is another and turns can be taken */
    struct cor_case_values *values; /* of the case */
    /* What a unit with this case alone would come to, of which those of cor_finding_is_of_all are not decided
     * by it; races of it, if it is not the first interleaving. */
    struct cor_findings *findings;
};

/* Runs it, in a fresh process, as cor_unit_run would. COR_STATUS_INPUT: the unit has no such case. */
enum cor_status cor_unit_run_case(struct cor_unit_runner *runner, const struct cor_lone_case *lone,
                                  struct cor_error *error) COR_MUST_USE;

/* A fingerprint of what was reported. Words beyond the first `word_count` count by their text, as their
 * numbers depend on what the agent said before. */
uint64_t cor_unit_trace_hash(const struct cor_trace *trace, uint32_t word_count,
                             const struct cor_words *words);

#endif
