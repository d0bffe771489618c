/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimate.h"

#include <corridor/array.h>
#include <corridor/process.h>

#include <stdlib.h>
#include <sys/stat.h>

#define PILOT_SUITES 3 /* of each arm at most, run to tell how long a campaign takes */

/* Runs suites into a file, and scales what that took: bytes by suites, seconds by test cases, of which some
 * were of suites that the clock cut off. */
static enum cor_status run_pilot(const struct cor_campaign_definition *definition,
                                 struct cor_pilot_estimate *estimate, struct cor_error *error) {
    struct cor_campaign *campaign = NULL;
    struct cor_campaign_status progress;
    struct stat file;
    bool whole;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_campaign_start(definition, &campaign, error));
    do {
        COR_TRY_OUT(cor_campaign_look(campaign, 100, &progress, error));
        if (cor_interrupts() > 0)
            COR_TRY_OUT(cor_fail(error, COR_STATUS_INTERRUPTED, NULL, NULL, "interrupted"));
    } while (!progress.ended);
    if (progress.suites_kept == 0)
        goto out;
    COR_TRY_OUT(cor_campaign_merge(campaign, &whole, error));
    COR_TRY_OUT(cor_campaign_look(campaign, 0, &progress, error));
    if (stat(definition->output, &file) != 0)
        COR_TRY_OUT(cor_fail_errno(error, COR_STATUS_FILE, definition->output, NULL, "cannot look at"));
    COR_ASSERT(progress.cases >= progress.kept_cases && estimate->suites > 0);
    double scale = (double)estimate->suites / (double)progress.suites_kept;
    estimate->pilot_suites = progress.suites_kept;
    estimate->bytes = scale * (double)file.st_size;
    estimate->seconds = scale * progress.seconds;
    if (progress.cases > progress.kept_cases)
        estimate->seconds *= (double)progress.kept_cases / (double)progress.cases;
out:
    cor_campaign_destroy(campaign);
    return status;
}

enum cor_status cor_pilot_run(const struct cor_opened *opened, double seconds,
                              struct cor_pilot_estimate *estimate, struct cor_error *error) {
    struct cor_plan plan = opened->layer->plan(opened->experiment);
    uint64_t planned = (uint64_t)plan.suite_count * plan.arm_count;
    char *folder, *output = NULL;
    enum cor_status status = COR_OK;
    *estimate =
        (struct cor_pilot_estimate){.suites = planned > 0 ? planned : 1, .workers = cor_default_workers()};
    COR_TRY(cor_make_temporary_folder("pilot", &folder, error));
    cor_catch_interrupts();
    output = cor_format("%s/pilot.h5", folder);
    COR_TRY_OUT(cor_made(output, error));
    struct cor_campaign_definition definition = {
        .layer = opened->layer,
        .experiment = opened->experiment,
        .output = output,
        .workers = estimate->workers,
        .stop = {.count = 1,
                 .group = {{.bound = {[COR_STOP_AT_SUITES] = (double)PILOT_SUITES * plan.arm_count,
                                      [COR_STOP_AT_SECONDS] = seconds}}}}};
    COR_TRY_OUT(run_pilot(&definition, estimate, error));
out:
    cor_remove_folder(folder);
    free(output);
    free(folder);
    return status;
}
