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

#include <corridor/layer.h>

#define COR_WORKERS_MAX 256

/* When an on-line campaign ends; 0 = not a condition. Judged on the ordered prefix of finished suites, so the
 * answer is the same for any number of workers - but for seconds: a file that the clock or an interrupt ended
 * is marked as not reproducible.
 */
struct cor_stop_conditions {
    uint64_t suites;   /* over all arms */
    uint64_t cases;    /* executed */
    uint64_t failures; /* cases in which a check failed, through whichever box */
    double seconds;
};

struct cor_campaign_definition {
    const struct cor_layer *layer;
    const void *experiment; /* borrowed; as the layer has read it */
    const char *output;     /* path of the result file */
    bool overwrite;
    uint32_t workers; /* 1 .. COR_WORKERS_MAX */
    uint64_t shuffle; /* take the suites of a finite plan in an order drawn from this; 0 = the plan's */
    struct cor_stop_conditions stop;
};

/* How far a campaign is. */
struct cor_campaign_status {
    uint64_t suites_planned; /* 0 = endless */
    uint64_t suites_done;    /* finished, in any order */
    uint64_t suites_kept;    /* finished without a gap: what a result file would hold now */
    uint64_t cases;          /* executed in all suites, open ones included */
    uint64_t kept_cases, reorganizations, failures; /* of the suites kept */
    double seconds;
    bool ended; /* no worker runs any more */
};

struct cor_campaign;

/* Checks the output, makes a folder for journals beside it, and starts the workers. */
enum cor_status cor_campaign_start(const struct cor_campaign_definition *definition,
                                   struct cor_campaign **campaign, struct cor_error *error) COR_MUST_USE;

/* Waits up to `milliseconds` for something to happen, evaluates the stop conditions, and says how far it is.
 * The first worker's error ends the campaign and is returned. */
enum cor_status cor_campaign_look(struct cor_campaign *campaign, int milliseconds,
                                  struct cor_campaign_status *status, struct cor_error *error) COR_MUST_USE;

/* Asks the workers to stop: open suites are abandoned, finished ones kept. */
void cor_campaign_interrupt(struct cor_campaign *campaign);

/* Merges the journals, in a child process, into the result file; and writes times (which are not
 * reproducible) beside it as <output>.times.csv. `whole` tells whether every suite that was asked for is in:
 * the plan's, those up to a stop condition, or what an endless experiment came to. COR_STATUS_INTERRUPTED if
 * no suite was finished. */
enum cor_status cor_campaign_merge(struct cor_campaign *campaign, bool *whole,
                                   struct cor_error *error) COR_MUST_USE;

/* Kills workers that still run, removes the journals. NULL is allowed. */
void cor_campaign_destroy(struct cor_campaign *campaign);

#endif
