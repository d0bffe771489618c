/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the commands about result files know of a layer: a row, beside the layer's own commands. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_LAYER_COMMANDS_H
#define CORRIDOR_EXPERIMENTS_COMMAND_LAYER_COMMANDS_H

#include "commands.h"
#include "failing_test.h"
#include "replay.h"
#include "show_view.h"

#include <corridor/inquiries.h>
#include <corridor/layer_tables.h>
#include <corridor/subject.h>

/* What stands where a layer with a subject is built, and of which there are tests then. */
#define COR_WITH_SUBJECT(...)                                        \
    COR_WITH_PROCESS(__VA_ARGS__)                                    \
    COR_WITHOUT_PROCESS(COR_WITH_EFSM(__VA_ARGS__) COR_WITHOUT_EFSM( \
        COR_WITH_AGENT(__VA_ARGS__) COR_WITHOUT_AGENT(COR_WITH_SYSTEM(__VA_ARGS__))))
#define COR_OF_SUBJECTS                            \
    COR_WITH_PROCESS(", of a distributed program") \
    COR_WITH_EFSM(", of a model") COR_WITH_AGENT(", of an agent") COR_WITH_SYSTEM(", of a running system")

/* ---- failures of a result file, shrunk and kept as test files */

/* What becomes of failures that are to be kept as tests. */
struct cor_keeping {
    const char *folder; /* NULL: nothing is kept */
    uint64_t budget;    /* tests executed for each class; 0: as many as it takes */
    bool force;         /* replace files that are there */
    bool trust;         /* programs that the result file names may be started */
};

/* Shrinks the first failure of each class of the result file that the command line names, as far as `show`
 * lists it, and writes it into the folder as a test; a file that is there stays. */
enum cor_exit cor_keep_failures(const struct cor_arguments *arguments, const struct cor_view_options *show,
                                const struct cor_keeping *keeping);

#define COR_HITS_MOST 100
#define COR_HITS 12 /* unless more or fewer are asked for */

/* What the command line of shrink says. */
struct cor_shrink_request {
    struct cor_failing_source of;
    const char *output, *class; /* class NULL: any */
    bool forces;
    uint64_t budget;
    int64_t hits; /* failures alike, the one that gets smallest of which is kept */
};

/* What the command line of why says. */
struct cor_why_request {
    struct cor_failing_source of;
    const char *svg, *future;
    bool curve, json, force;
    uint64_t budget;
    int64_t ahead, effort, seed; /* seed: -1: that of the test */
};

/* A row of a result file that a test can be made of. */
struct cor_test_row {
    uint64_t index; /* of the row */
    uint32_t arm, suite, sequence;
    uint32_t scene; /* what is tested: failures alike are of one scene; 0 where there is no other */
    uint64_t size, class, digest; /* choices that happened; equal of failures alike; of all that came of it */
    const char *failure;          /* in a word; borrowed; NULL: it did not fail */
};

/* What happens in a test, for the caller to free; NULL if that cannot be told. */
typedef enum cor_status cor_tell_test(void *bench, const struct cor_subject_test *test,
                                      enum cor_story_form form, char **text, struct cor_error *error);

struct cor_stabilizing; /* stabilizing.h */
/* Answers stabilize, of the text of an experiment that is at `path`. */
typedef enum cor_status cor_stabilize_layer(struct cor_stabilizing *stabilizing, const char *path,
                                            const char *text, struct cor_error *error);
cor_stabilize_layer cor_stabilize_programs, cor_stabilize_structures;

struct cor_layer;

/* Why a command has no meaning with files of a layer, and what comes nearest. */
struct cor_lack {
    const char *command, *why, *nearest; /* why NULL: since nothing can be asked (`unasked` of its schema) */
};

struct cor_layer_commands {
    const struct cor_layer_schema *layer; /* NULL: of those that have no row */
    const struct cor_replayer *replayer;  /* executes its suites again; NULL: cor_suite_replayer */
    bool isolates;                        /* then one may say where what is tested works */
    bool shows_suites;                    /* its view shows one suite, by --suite */
    const char *failures; /* the view by which its failures are listed; NULL: they have no keys */
    bool has_classes;     /* by which these are listed, masked ones too */
    uint32_t sequences;   /* the table of its sequences; and the sheet of replay that counts them */
    const struct cor_sheet_definition *replayed;
    /* Of a layer with a subject, by which its tests are shrunk, kept and replayed (subject_commands.h); NULL:
     * those of an algorithm are. What prints one test; all that stands in a file, and a row of that table. */
    const struct cor_layer *tested;
    cor_tell_test *tell;
    enum cor_status (*load)(struct cor_result *result, struct cor_layer_tables *tables,
                            struct cor_error *error);
    struct cor_test_row (*test)(const struct cor_layer_tables *tables, uint64_t index);
    /* What it failed by where no table has that word: made, for the caller to free; its class follows from
     * it. NULL stays if it did not fail. */
    enum cor_status (*failure)(const struct cor_layer_tables *tables, uint64_t index, char **failure,
                               struct cor_error *error);
    /* Keys of its tests, "ARM/SUITE" (NULL: ARM/SUITE/SEQUENCE): a test is a whole suite, so that there are
     * no others; or how a row's is made, for the caller to free, where it is not made of these numbers. */
    const char *keys;
    bool is_suite;
    char *(*key)(const struct cor_layer_tables *tables, uint64_t index);
    /* Why a row that did not fail is no test, in a sentence for the caller to free. NULL: it says no more
     * than that. */
    char *(*no_test)(const struct cor_layer_tables *tables, uint64_t index);
    /* replay --inner, of the key of a result file: the test of the campaign that was the world; NULL: none
     * was. */
    enum cor_exit (*inner)(const struct cor_arguments *arguments, const char *key, const char *output,
                           bool force);
    const char *const *not_of_shrink, *const *not_of_replay; /* options without meaning, ended by NULL */
    /* "tests of a model": what its suites are, each one, or its sequences; NULL: they are no tests. Without
     * `test` they are not kept. */
    const char *tests;
    cor_stabilize_layer *stabilize; /* NULL: of its experiments it is not asked whether all come back */
    const char *const *not_of_stabilize, *stabilized; /* options without meaning, and what is asked of */
    cor_no_law *no_law;           /* why sequences of an arm have none (inquiries.h); NULL: they have */
    const struct cor_lack *lacks; /* ended by {0}; NULL: every command has one */
};

/* The row of the layer, or that of those that have none. */
const struct cor_layer_commands *cor_commands_of(const struct cor_layer_schema *layer);

/* Likewise of the layer of a result file, or of what only a satellite reads; of what cannot be read, that of
 * none: it is looked at by whoever reads it. */
const struct cor_layer_commands *cor_commands_of_file(const char *path);

/* Runs the command; if it has no meaning with its first operand, a file of a layer that says so, that is
 * said.
 */
enum cor_exit cor_run_with_meaning(const struct cor_arguments *arguments);

#endif
