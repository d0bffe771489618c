/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `corridor stabilize` says and collects, whatever layer its experiment is of (layer_commands.h). */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_STABILIZING_H
#define CORRIDOR_EXPERIMENTS_COMMAND_STABILIZING_H

#include "show_view.h"

#include <corridor/layer.h>
#include <corridor/stabilize_verdict.h>

/* What the command line says. */
struct cor_stabilize_request {
    struct cor_sheet_options sheets;
    struct cor_layer_options options;
    const char *arm, *daemon, *svg, *output;
    int fairness;
    uint32_t count, mail, agents, suite, jobs;
    int64_t states;
    bool tell, force, sample, prove, pictures;
};

/* A row of what is shown: an arm and a size, of processes a daemon. */
struct cor_stabilize_row {
    const char *arm, *size, *daemon, *verdict, *fairness; /* borrowed; NULL: nothing */
    char *sentence, *worst_state, *file;                  /* owned */
    uint64_t states, steps, drawn;
    uint32_t longest, inside, stable, leaving, dead_ends, in_loops, lost, can_stay, loop, worst_steps,
        worst_moves, worst_rounds;
    uint32_t worst_states, worst_runs;
    double mean_steps, expected_worst, expected_mean, expected_error;
    double share, share_low, share_high, worst_share, worst_low, worst_high;
    bool is_proved;
    enum cor_tone tone;
};
extern const struct cor_stabilize_row cor_no_stabilize_row; /* nothing is known */

/* What a call of the command collects, and, `text`, says to people. */
struct cor_stabilizing {
    const struct cor_stabilize_request *request;
    bool has_fairness; /* some is asked for */
    struct cor_sheets *sheets;
    struct cor_sheet *rows, *depths, *runs, *pictures; /* pictures: NULL: they are not asked for */
    char *text;                                        /* owned */
    uint32_t failed, undecided;
    double said_at; /* of progress */
};

/* Adds to the text what is taken over; NULL: memory is out. */
enum cor_status cor_stabilizing_add(struct cor_stabilizing *s, char *more_take,
                                    struct cor_error *error) COR_MUST_USE;

/* Begins a row of another sheet: arm, size and daemon, of which that is more. */
void cor_stabilizing_row(struct cor_sheet *sheet, const struct cor_stabilize_row *row);

/* Is the arm asked about: is it one of --arm, or are all? And that there is none of a name that --arm has. */
bool cor_stabilizing_asks(const struct cor_stabilize_request *request, const char *arm);
enum cor_status cor_stabilizing_check_arms(const struct cor_stabilize_request *request,
                                           const struct cor_experiment_head *head, const char *path,
                                           struct cor_error *error) COR_MUST_USE;

/* The file of a test of an arm, for `word`, and the test's text into it: *file is owned by the caller. */
enum cor_status cor_stabilizing_keep(const struct cor_stabilize_request *request, const char *arm,
                                     const char *word, const char *text, char **file,
                                     struct cor_error *error) COR_MUST_USE;

#endif
