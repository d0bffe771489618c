/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the loop (run.c) and its notes (notes.c) share. */
#ifndef CORRIDOR_RUN_INTERNAL_H
#define CORRIDOR_RUN_INTERNAL_H

#include <corridor/adoption.h>
#include <corridor/monitor.h>
#include <corridor/oracle.h>
#include <corridor/run.h>

struct cor_runner {
    struct cor_execution execution;
    struct cor_record *record; /* borrowed */
    uint32_t first_failure;    /* case in the last sequence, 0 = none */
    struct cor_state *state;
    struct cor_adopter *adopter;
    struct cor_oracle *oracle;
    struct cor_outcome outcome;
    struct cor_lists structure; /* the present structure as lists, made anew after each adoption */
    struct cor_lists before;    /* the structure an alarm found, kept for the failure row */
    uint32_t *label;            /* [agent] scratch: that structure as labels */
    struct cor_limits limits;   /* what the oracle holds the algorithm to */
    struct cor_rules rules;     /* what the algorithm is told */
    uint64_t **taken;  /* [profile][from * states + to] transitions taken in all walks of the suite */
    uint64_t **visits; /* [profile][state] */
};

/* What one case was, before it is written down. */
struct cor_case {
    uint16_t sequence;
    uint32_t number; /* from 1 */
    struct cor_stream_name name;
    bool alarm;
    enum cor_inside inside;
    double dissimilarity; /* the monitor's */
    double looked;        /* the oracle's, NaN where it did not look */
};

/* The configuration's rows: suite, parameters, agents, groups, chains, profiles. */
enum cor_status cor__note_configuration(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;

/* The walk of a sequence: into vectors/walk (chain after chain) and into the counts of visits and
 * transitions. */
enum cor_status cor__note_walk(struct cor_runner *runner, const struct cor_walk *walk, uint64_t *walk_start,
                               struct cor_error *error) COR_MUST_USE;

/* That a sequence continues another one. */
enum cor_status cor__note_branch(struct cor_runner *runner, uint32_t sequence,
                                 const struct cor_branch *branch, struct cor_error *error) COR_MUST_USE;

/* The suite's rows of visits, transitions and white-box counters. */
enum cor_status cor__note_counts(struct cor_runner *runner, struct cor_error *error) COR_MUST_USE;

/* The violations a judgement kept, one row each. */
enum cor_status cor__note_violations(struct cor_runner *runner, const struct cor_case *this_case,
                                     enum cor_box box, const struct cor_judgement *judgement,
                                     struct cor_error *error) COR_MUST_USE;

/* Structure before and solution of a reorganization, whole. */
enum cor_status cor__note_failure(struct cor_runner *runner, const struct cor_case *this_case, uint8_t gray,
                                  uint8_t black, struct cor_error *error) COR_MUST_USE;

#endif
