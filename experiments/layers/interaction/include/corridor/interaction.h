/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interaction layer (003): does the algorithm lead the system back into its corridor? What a campaign
 * executes of it, and suites in folders (off-line mode, 003, 4.2). */
#ifndef CORRIDOR_INTERACTION_H
#define CORRIDOR_INTERACTION_H

#include <corridor/layer.h>
#include <corridor/suite.h>

/* What is known of suites that were read from a folder. */
struct cor_suites_read {
    uint64_t fingerprint; /* of all of them */
    uint32_t edited;      /* how many are not those that the experiment draws */
    char *what;           /* owned; the first difference and their number, in words; NULL if there is none */
};

/* An experiment as the layer takes it. */
struct cor_interaction {
    struct cor_experiment_head head;   /* first; path and text are those of the experiment */
    struct cor_experiment *experiment; /* owned */
    const char *suite_folder;          /* borrowed; suites are read from here; NULL = generated */
    struct cor_suites_read suites;     /* of that folder */
    bool log_solutions;
    struct cor_traffic *traffic; /* owned; NULL: nothing is recorded or replayed */
};

/* Its experiments are struct cor_interaction. */
extern const struct cor_layer cor_interaction_layer;

/* Can the parameters of all arms be drawn at all? Asks z3, in a child process, and tightens the laws of the
 * arms. COR_STATUS_UNSATISFIABLE names the conflicting constraints in the user's words. `notes` (may be NULL)
 * gets what the user may want to know, a line each: ranges tightened, questions z3 left open; owned by the
 * caller. */
enum cor_status cor_experiment_analyse(struct cor_experiment *experiment, char **notes,
                                       struct cor_error *error) COR_MUST_USE;

/* Writes every suite of a finite experiment into `folder` (made; must not exist): experiment.json, whole, and
 * suites/ARM/NNNN.json. What cor_layer_options.suite_folder reads. */
enum cor_status cor_suite_folder_write(const struct cor_experiment *experiment, const char *folder,
                                       struct cor_error *error) COR_MUST_USE;

#endif
