/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A campaign: the suites of an experiment, run by worker processes into journals and merged into one result
 * file. The caller keeps the loop:
 *
 *   cor_campaign_start -> cor_campaign_look until ended -> cor_campaign_merge -> cor_campaign_destroy
 *
 * The plan goes round all arms: suite 0 of every arm, then suite 1 of every arm, and so on. Workers take the
 * next suite when they are free; who ran what changes nothing in the result. Processes, never threads. */
#ifndef CORRIDOR_CAMPAIGN_H
#define CORRIDOR_CAMPAIGN_H

#include <corridor/hosts.h>
#include <corridor/layer.h>
#include <corridor/share.h>
#include <corridor/stop.h>

#define COR_WORKERS_MAX 256
/* Seconds from a stop until a worker is ended that is in the midst of a test, and at most until one that is
 * storing what it has: less than what batch systems give between SIGTERM and SIGKILL. */
#define COR_STOP_PATIENCE 1
#define COR_PARTING_PATIENCE 25

/* What is asked of arms (inquiries.h). */
struct cor_inquiries;

/* What a campaign is to execute, and where it stores it. Copied by cor_campaign_start; what it points to is
 * borrowed until the campaign is destroyed. */
struct cor_campaign_definition {
    const struct cor_layer *layer;
    const struct cor_experiment_head *experiment; /* borrowed; as the layer has read it */
    const char *output;                           /* path of the result file */
    const char *text_path; /* the experiment's text is written here once it is known that nothing stored
                              speaks  against it; NULL = nowhere */
    bool overwrite;
    bool keep;              /* the journals, so that the campaign can be extended when it has ended */
    uint32_t workers;       /* at most COR_WORKERS_MAX; 0 = only look at what is stored, and merge it */
    uint64_t shuffle;       /* take the suites of a finite plan in an order drawn from this; 0 = the plan's */
    struct cor_share share; /* of the plan; zeros: all of it */
    const struct cor_hosts
        *hosts; /* borrowed: as many workers as their slots; NULL: all are of this machine */
    struct cor_stop_conditions stop;
    struct cor_inquiries *inquiries; /* borrowed; properties whose decisions are followed; NULL: none */
    double stop_patience; /* seconds from a stop until tests under way are discarded; 0: COR_STOP_PATIENCE */
    bool as_run;          /* what was decided ends it, too, if its folder says that it ended the run so */
    const char *const *sources; /* result files of other campaigns of the same experiment, or a part of it:
                                   what their journals hold is stored, too */
    size_t source_count;
};

/* How far a campaign is. */
struct cor_campaign_status {
    uint64_t suites_planned; /* 0 = endless */
    uint64_t suites_done;    /* finished, in any order; not those that nobody wants any more */
    uint64_t suites_before;  /* thereof finished by earlier runs */
    uint64_t suites_kept;    /* finished without a gap: what a result file would hold now */
    uint64_t cases;          /* executed in all suites, earlier runs and open ones included */
    uint64_t failures_seen;  /* in all suites that are finished, in any order */
    uint64_t kept_cases, reorganizations, failures; /* of the suites kept */
    double seconds, seconds_left;       /* left: by the suites of this run; NaN: not known, or endless */
    uint64_t starts;                    /* of programs under test, in this run, */
    double start_seconds, work_seconds; /* of workers: in these, and in all suites that are finished */
    bool ended;                         /* no worker runs any more, here or in a process that is waited for */
    bool partial;    /* this process has a share of the plan only: another one makes the result file */
    bool stopped;    /* a stop condition holds after the suites kept: no more are wanted */
    char news[1024]; /* lines that people are to read, once: hosts that are lost; "" = none */
};

struct cor_campaign;

/* Checks the output, opens the folder "<output>.parts" beside it, and starts the workers. What journals in
 * the folder hold already is done; COR_STATUS_EXISTS if they are of another campaign, or if somebody is at
 * work in it. */
enum cor_status cor_campaign_start(const struct cor_campaign_definition *definition,
                                   struct cor_campaign **campaign, struct cor_error *error) COR_MUST_USE;

/* How many suites the sources hold that the plan of the campaign has not, and so leaves out: named
 * "ARM/SUITE,
 * .." in `text`, cut off at `size`. */
uint64_t cor_campaign_left_out(const struct cor_campaign *campaign, char *text, size_t size);

/* What is stored of the suites of an arm, and why the others must run. */
struct cor_arm_missing {
    const char *name;                  /* borrowed from the experiment */
    uint64_t planned;                  /* suites; 0 = endless */
    uint64_t stored;                   /* whole, as they are to be */
    uint64_t never, damaged, extended; /* nothing is stored; it is damaged; it has fewer sequences */
};

/* Looks at what the journals of a campaign without workers hold; `arms` has room for all arms. */
enum cor_status cor_campaign_missing(const struct cor_campaign *campaign, struct cor_arm_missing *arms,
                                     struct cor_error *error) COR_MUST_USE;

/* Waits up to `milliseconds` for something to happen, evaluates the stop conditions, and says how far it is.
 * The first worker's error ends the campaign and is returned. */
enum cor_status cor_campaign_look(struct cor_campaign *campaign, int milliseconds,
                                  struct cor_campaign_status *status, struct cor_error *error) COR_MUST_USE;

/* How long a campaign that is finite still takes, by the suites that this run has finished and is at; and its
 * standard error, as these differ. NaN: not known. */
struct cor_campaign_pace {
    double seconds_left, error;
};

/* That of a campaign that has been started. */
struct cor_campaign_pace cor_campaign_pace(const struct cor_campaign *campaign);

/* Asks the workers to stop: open suites are abandoned, finished ones kept. */
void cor_campaign_interrupt(struct cor_campaign *campaign);

/* Merges the journals, in a child process, into the result file; and writes times (which are not
 * reproducible) beside it as <output>.times.csv. `whole` tells whether every suite that was asked for is in:
 * the plan's, those up to a stop condition, or what an endless experiment came to, if it is not to end when
 * its properties are decided. COR_STATUS_INTERRUPTED if no suite was finished. */
enum cor_status cor_campaign_merge(struct cor_campaign *campaign, bool *whole,
                                   struct cor_error *error) COR_MUST_USE;

/* Kills workers that still run; removes the journals if the result file holds all that they do. NULL is
 * allowed. */
void cor_campaign_destroy(struct cor_campaign *campaign);
COR_DESTROYS(cor_campaign, struct cor_campaign)

/* How far a campaign is that another process runs, or has run. */
struct cor_arm_progress {
    char *name;                 /* owned */
    char *fault;                /* owned; "none" */
    double states, transitions; /* shares seen, see struct cor_layer.coverage; NaN: not known */
    uint64_t suites, cases, reorganizations, failures;
    uint64_t ends; /* suites from this one on are not wanted, for all that is asked of the arm is decided;
                      UINT64_MAX: it is not, or nobody knows */
};

/* A suite that a worker is at: its arm by name, its number within the arm. */
struct cor_open_suite {
    char *arm; /* owned */
    uint64_t suite;
};

/* After so many suites without a gap: 1, 2, 5, 10, ... */
struct cor_campaign_growth {
    uint64_t suites, failures;
    double states, transitions; /* the least over arms; NaN: not known */
};

/* All that is known of such a campaign; filled by cor_campaign_report_read, freed by
 * cor_campaign_report_fini. */
struct cor_campaign_report {
    struct cor_campaign_status status;  /* cases, reorganizations, failures: of all that is stored */
    long process;                       /* that runs it now; 0 = none */
    uint32_t tasks;                     /* of a job array, that are at work on their shares */
    struct cor_arm_progress *arms;      /* owned */
    struct cor_open_suite *open;        /* owned; under way when it was written, a second ago or at the end */
    struct cor_campaign_growth *growth; /* owned */
    size_t arm_count, open_count, growth_count;
};

/* Whether the folder beside the result file holds a campaign: what it is of, or the lock of one that begins.
 * What was killed before it had said anything leaves a folder that holds none. */
bool cor_campaign_is_there(const char *output);

/* The process that plans the campaign that is at work there, of which its workers are children; 0: none is,
 * or it cannot be told. It may be one of another machine. */
long cor_campaign_process(const char *output);

/* Reads it from the folder beside the result file that the campaign is to make. COR_STATUS_FILE if there is
 * none. */
enum cor_status cor_campaign_report_read(const char *output, struct cor_campaign_report *report,
                                         struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_campaign_report_fini(struct cor_campaign_report *report);

/* A suite in which something failed. */
struct cor_failing_suite {
    uint32_t arm; /* its index */
    uint32_t suite;
    uint32_t failures; /* cases in which a check failed; what a failure is the layer says */
};

#define COR_FAILING_SUITES 16

/* What the journals of a campaign say of failures, as they come. Zeros at first; freed by
 * cor_failing_news_fini. */
struct cor_failing_news {
    struct cor_failing_suite
        newest[COR_FAILING_SUITES]; /* of each journal in its order, the last one first */
    size_t count;
    uint64_t suites;                   /* read so far, failing or not */
    struct cor_news_journal *journals; /* owned: how far each was read */
    size_t journal_count, journal_capacity;
};

/* Reads what the journals beside that result file have got since it was last called; they are only read, and
 * nothing is locked. A journal that cannot be read is passed over: corridor verify tells. COR_STATUS_FILE if
 * there is no campaign. */
enum cor_status cor_failing_news_read(const struct cor_layer_schema *layer, const char *output,
                                      struct cor_failing_news *news, struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_failing_news_fini(struct cor_failing_news *news);

/* The name of the layer that the campaign beside that result file is of; owned by the caller. COR_STATUS_FILE
 * if there is no campaign. */
enum cor_status cor_campaign_layer(const char *output, char **name, struct cor_error *error) COR_MUST_USE;

/* What the journals of a campaign hold. */
struct cor_journal_report {
    char *path;             /* owned */
    struct cor_error error; /* why nothing of it can be read; COR_OK: it can */
    uint64_t suites, bytes; /* whole suites of the campaign; bytes of the file */
    uint64_t foreign;       /* whole suites of another campaign: passed over */
    uint64_t damaged, torn; /* bytes between whole suites, and behind the last: suites that are run again */
};

/* All journals of a campaign, held against each other; filled by cor_campaign_verify, freed by
 * cor_stored_report_fini. */
struct cor_stored_report {
    struct cor_journal_report *journals; /* owned */
    size_t journal_count;
    uint64_t stored, twins; /* suites; those that another journal holds, too */
    uint64_t different;     /* thereof different */
};

/* Reads all journals beside the result file that the campaign of that layer is to make, checksums included.
 * COR_STATUS_FILE if there is no campaign. */
enum cor_status cor_campaign_verify(const struct cor_layer_schema *layer, const char *output,
                                    struct cor_stored_report *report, struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_stored_report_fini(struct cor_stored_report *report);

/* In what the build, algorithms and modules here are others than those of a result file's provenance, in
 * words: `compiler: "GNU 11" there, "GNU 12" here`; NULL: in nothing. Owned by the caller. */
enum cor_status cor_provenance_differs(const struct cor_layer *layer,
                                       const struct cor_experiment_head *experiment, const char *provenance,
                                       char **words, struct cor_error *error) COR_MUST_USE;

#endif
