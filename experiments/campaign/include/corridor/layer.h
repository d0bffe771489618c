/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A layer of testing, as a campaign sees it: what its experiment files are called, how many suites there are
 * and how one is executed, and what stands beside their rows in the result file. Planning, workers, stop
 * conditions, journals and merging serve every layer and know none. */
#ifndef CORRIDOR_LAYER_H
#define CORRIDOR_LAYER_H

#include <corridor/json.h>
#include <corridor/origins.h>
#include <corridor/record.h>
#include <corridor/result.h>
#include <corridor/trust.h>

#include <stdbool.h>

/* How an experiment is to be taken; what a layer cannot do it refuses. */
struct cor_layer_options {
    const char *suite_folder; /* read suites from here instead of generating; NULL = generate */
    bool log_solutions;       /* keep what was proposed, not only where it failed */
    const char
        *algorithm; /* of the command line: "ARM=ALGORITHM", or for all arms "ALGORITHM"; NULL = the file's */
    /* What is said to programs and by them: a file to record it in, or to replay it from; NULL = neither. */
    const char *record_traffic, *replay_traffic;
    bool replace;            /* files that are there */
    int isolation;           /* of what is tested: enum cor_isolation */
    bool isolation_required; /* what is isolated is so wholly, or refused */
    bool fresh_processes;    /* what is isolated has a process of its own each time it is asked */
    /* Of an experiment in a result file: what its suites have at most, by their rows. One that is generated
     * with more is not the file's, and as large as somebody likes. 0: no limit. */
    uint32_t agents_most, cases_most;
    uint64_t budget_most;        /* likewise, units for one reorganization */
    struct cor_origins *origins; /* borrowed; is told where values of the file come from; NULL: nobody is */
    struct cor_trust trust;      /* whether what the experiment names may be started */
};

/* An arm as a campaign sees it. Its texts are borrowed from the experiment, but for `text`. */
struct cor_arm_head {
    const char *name;
    const char *description; /* JSON, for the catalog of arms */
    const char *fault;       /* in a word; NULL: arms of the layer have none */
    char *text; /* owned; all that the rows of the arm depend on beside the experiment's text without its free
                   members, as JSON; NULL: that text says all of it, and no arms can be added behind others */
    const char *digest; /* fingerprint of code that the arm executes and that is not in the program; NULL:
                           there is none, or it is not known */
    bool
        foreign; /* it executes code that is not in the program: that it repeats is a hope until it is seen */
    bool unasked; /* and some of that code is never asked again, as algorithms are */
};

/* What a campaign has to know of an experiment: the first member of every layer's. Suite 0 of every arm is
 * executed, then suite 1 of every arm, and so on. */
struct cor_experiment_head {
    char *path; /* owned; of the experiment, as given */
    char *text; /* owned; JSON of the experiment with all files it names inlined */
    uint64_t seed;
    struct cor_arm_head *arms;       /* owned */
    uint32_t arm_count, suite_count; /* suites of an arm; 0 = endless */
    bool resumable;                  /* text and provenance say all that the rows depend on, so a finished
                                        campaign can be continued */
    bool bound;                      /* the text holds local paths of agents, so it cannot run elsewhere */
    uint32_t sequence_count;         /* sequences of a suite, if raising the number leaves existing rows
                                        unchanged; else 0 */
    const char *const *free_members; /* of the text, ended by NULL: rows do not depend on them; NULL = none */
};

/* Room for the arms, which are empty; *head owns it. */
enum cor_status cor_experiment_head_arms(struct cor_experiment_head *head, size_t arm_count,
                                         struct cor_error *error) COR_MUST_USE;

/* Puts "arms", an object or an array as that of an experiment's file, with those that are named; names ended
 * by NULL, NULL: all. `put` writes one, with its place in the array, from 0; NULL: as it stands. How many
 * were. */
uint32_t cor_experiment_put_arms(struct cor_json_writer *writer, const struct cor_json *arms,
                                 const char *const *names,
                                 void (*put)(struct cor_json_writer *writer, const struct cor_json *arm,
                                             uint32_t place));

/* Frees what it owns. Idempotent. */
void cor_experiment_head_fini(struct cor_experiment_head *head);

/* A property, and what a sequence says of it (property.h). */
struct cor_property;
struct cor_property_value;

/* Between a suite that is executed and the planning process; NULL where nobody watches. */
struct cor_watch;

/* Is the suite to be abandoned? Ask now and then, and leave with COR_STATUS_INTERRUPTED. */
bool cor_watch_stopped(const struct cor_watch *watch);

/* Says how many cases of the suite were executed so far. */
void cor_watch_show(const struct cor_watch *watch, uint64_t cases);

/* Says which share of the suite is done, above 0 to 1, as far as that is known: from it follows the time left
 * where no suite is finished yet. */
void cor_watch_share(const struct cor_watch *watch, double share);

/* Says how often the program under test was started for the suite, and how many seconds that took. */
void cor_watch_starts(const struct cor_watch *watch, uint64_t starts, double seconds);

/* The catalogs of a result file under construction; begins with zeros. */
struct cor_catalogs {
    struct {
        struct cor_catalog_entry *entries; /* owned */
        size_t size, capacity;
    } of[COR_CATALOGS_MAX];
};

/* Adds an entry with the next code to a catalog of the schema; the texts live as long as the experiment. */
enum cor_status cor_catalogs_add(struct cor_catalogs *catalogs, uint32_t catalog, const char *name,
                                 const char *description, struct cor_error *error) COR_MUST_USE;

/* Frees what they hold. Idempotent. */
void cor_catalogs_fini(struct cor_catalogs *catalogs);

/* What it tests, for methods that work on single tests (subject.h). */
struct cor_subject;

/* Of the sequences of a suite. */
struct cor_detections {
    uint32_t sequences,
        detected; /* all; those with a detection, a reorganization that a box failed, or smoke */
};

/* The functions of one layer, a constant of it. `experiment` is what `read`, or another function of the
 * layer, has made, until `destroy`: a struct of the layer's own that begins with its head. An arm is a number
 * below the head's arm_count. Functions that may be NULL say so. */
struct cor_layer {
    const char *key; /* the member by which its experiment files are known, such as "corridor_experiment" */
    const struct cor_layer_schema *schema; /* its words, and what its suites write down */
    const char *runs;     /* what struct cor_suite_counts.reorganizations counts; NULL: nothing */
    const char *failures; /* what its failures are, for people: "12 with a failed check" */
    const struct cor_subject *subject; /* NULL: it has methods of its own */

    /* Reads an experiment, of which `document` is the file at `path`, with everything it names, and finds out
     * whether it can be executed at all. The document is the layer's from now on, also on failure. `notes`
     * gets what the user may want to know, `warnings` what he should, a line each; both are NULL before, may
     * stay so, and are freed by the caller. */
    enum cor_status (*read)(const char *path, struct cor_json_document *document,
                            const struct cor_layer_options *options, struct cor_experiment_head **experiment,
                            char **notes, char **warnings, struct cor_error *error);
    void (*destroy)(void *experiment); /* NULL is allowed */

    /* In a worker process: what it needs for all suites, and one suite into a record of its own. */
    enum cor_status (*open)(const void *experiment, void **executor, struct cor_error *error);
    enum cor_status (*execute)(void *executor, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                               struct cor_record *record, struct cor_suite_counts *tally,
                               struct cor_error *error);
    void (*close)(void *executor); /* NULL is allowed */

    /* Whether a result file has suites that an interrupt has cut short, and that are kept all the same: then
     * the same command replaces the file. NULL: suites are whole or not kept. */
    bool (*is_cut)(struct cor_result *result);

    /* What stop conditions and people are told of stored suites beyond their counts, of one after the other:
     * all NULL where there is no more than how many sequences failed (cor_ending_source). Coverage: shares of
     * states and transitions that suites of an arm have seen, of profiles that are the same in all suites;
     * the least over these, NaN if there are none. */
    enum cor_status (*follow_open)(const void *experiment, void **follower, struct cor_error *error);
    enum cor_status (*follow)(void *follower, uint32_t arm, struct cor_record *record,
                              struct cor_detections *detections, struct cor_error *error);
    void (*coverage)(const void *follower, uint32_t arm, double *states, double *transitions);
    void (*follow_close)(void *follower); /* NULL is allowed */

    /* What sequence `sequence` of a suite's record says of a property; NULL: what its rows say
     * (cor_ending_source), of a layer whose sequences have cases. */
    enum cor_status (*ask)(struct cor_property *property, struct cor_record *record, uint32_t sequence,
                           struct cor_property_value *value, struct cor_error *error);
    bool (*can_cover)(const void *experiment); /* is there such a profile? NULL: there is not */

    /* For the result file: all catalogs but that of the arms (NULL: there are none), and members of the
     * object "provenance" - the same for every run. */
    enum cor_status (*list)(const void *experiment, struct cor_catalogs *catalogs, struct cor_error *error);
    void (*provenance)(const void *experiment, struct cor_json_writer *writer);
};

#endif
