/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimate.h"

#include <corridor/array.h>
#include <corridor/work.h>

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#define PILOT_ERROR 0.1 /* relative standard error that ends a pilot before its time is over */
#define PILOT_ROUNDS 2  /* suites of each arm before that */

/* What the file of the suites kept takes is scaled by suites. */
static enum cor_status run_pilot(const struct cor_campaign_definition *definition, uint64_t least,
                                 struct cor_pilot_estimate *estimate, struct cor_error *error) {
    struct cor_campaign *campaign = NULL;
    struct cor_campaign_status progress;
    struct stat file;
    bool whole;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_campaign_start(definition, &campaign, error));
    /* Runs suites until it is known well enough what all of them take, or the time is over. */
    do {
        COR_TRY_OUT(cor_campaign_look(campaign, 100, &progress, error));
        if (cor_interrupts() > 0)
            COR_TRY_OUT(cor_fail(error, COR_STATUS_INTERRUPTED, NULL, NULL, "interrupted"));
        const struct cor_campaign_pace pace = cor_campaign_pace(campaign);
        if (!isnan(pace.seconds_left) && !progress.ended) { /* while suites are under way, which count, too */
            estimate->seconds = progress.seconds + pace.seconds_left;
            estimate->error = pace.error;
        }
        if (progress.suites_done >= least && pace.error <= PILOT_ERROR * estimate->seconds)
            cor_campaign_interrupt(campaign);
    } while (!progress.ended);
    if (progress.suites_kept == 0)
        goto out;
    COR_ASSERT(estimate->suites > 0);
    const double merging = cor_wall_seconds(),
                 scale = (double)estimate->suites / (double)progress.suites_kept;
    COR_TRY_OUT(cor_campaign_merge(campaign, &whole, error));
    if (stat(definition->output, &file) != 0)
        COR_TRY_OUT(cor_fail_errno(error, COR_STATUS_FILE, definition->output, NULL, "cannot look at"));
    estimate->pilot_suites = progress.suites_kept;
    estimate->bytes = scale * (double)file.st_size;
    if (isnan(estimate->seconds) || progress.suites_done == estimate->suites) {
        estimate->seconds = progress.seconds * (double)estimate->suites / (double)progress.suites_done;
        estimate->error = NAN;
    }
    estimate->seconds += scale * (cor_wall_seconds() - merging);
out:
    cor_campaign_destroy(campaign);
    return status;
}

enum cor_status cor_pilot_run(const struct cor_opened *opened, double seconds,
                              struct cor_pilot_estimate *estimate, struct cor_error *error) {
    const struct cor_experiment_head *head = opened->experiment;
    uint64_t planned = (uint64_t)head->suite_count * head->arm_count;
    char *output = NULL;
    struct cor_moment moment;
    enum cor_status status = COR_OK;
    *estimate = (struct cor_pilot_estimate){
        .suites = planned > 0 ? planned : 1, .workers = cor_default_workers(), .seconds = NAN, .error = NAN};
    COR_TRY(cor_moment_open("pilot", &moment, error));
    cor_catch_interrupts();
    output = cor_format("%s/pilot.h5", moment.folder);
    COR_TRY_OUT(cor_made(output, error));
    struct cor_campaign_definition definition = {
        .layer = opened->layer,
        .experiment = opened->experiment,
        .output = output,
        .workers = estimate->workers,
        .stop = {.count = 1, .group = {{.bound = {[COR_STOP_AT_SECONDS] = seconds}}}}};
    if (planned == 0) /* nothing is to be foreseen but a suite */
        definition.stop.group[0].bound[COR_STOP_AT_SUITES] = (double)PILOT_ROUNDS * head->arm_count;
    COR_TRY_OUT(run_pilot(&definition, (uint64_t)PILOT_ROUNDS * head->arm_count, estimate, error));
out:
    cor_moment_close(&moment);
    cor_leave_interrupts();
    if (status == COR_OK && cor_interrupts() > 0) /* in this moment */
        status = cor_fail(error, COR_STATUS_INTERRUPTED, NULL, NULL, "interrupted");
    free(output);
    return status;
}
