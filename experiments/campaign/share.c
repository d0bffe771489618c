/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A process that runs a share of the plan, beside others on the same folder. They speak by files alone: each
 * holds a byte of the lock, and adds journals of its own. The first of those that a launcher has started
 * follows the journals of the others; when none holds its byte any more, however it ended, it takes the whole
 * lock, and what is missing then is its own. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/record.h>
#include <corridor/work.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STOP_NAME "STOP"
#define FOLLOW_EVERY_SECONDS 0.5

enum cor_status campaign__share_check(const struct cor_campaign *campaign, struct cor_error *error) {
    const struct cor_stop_conditions *stop = &campaign->definition.stop;
    bool ends = campaign->planned > 0 || cor_stop_suites(stop) != UINT64_MAX ||
                cor_stop_asks(stop, COR_STOP_AT_SECONDS) || campaign->share.launched;
    if (!campaign__share_is_part(campaign))
        return COR_OK;
    if (!campaign->definition.experiment->resumable)
        return cor_fail(error, COR_STATUS_INPUT, campaign->definition.experiment->path,
                        "run all of it in one process, with --jobs",
                        "depends on programs whose contents are not known, so no two processes can share it");
    if (!ends)
        return cor_fail(error, COR_STATUS_INPUT, campaign->definition.experiment->path,
                        "say where it ends: --suites N or --stop-seconds S",
                        "is endless, and a share of it, too");
    return COR_OK;
}

/* The file in which the first process tells the others that a stop condition is met. */
static char *stop_path(const struct cor_campaign *campaign) {
    return cor_format("%s/" STOP_NAME, campaign->folder);
}

void campaign__share_forget_stop(const struct cor_campaign *campaign) {
    char *path = stop_path(campaign);
    if (path && (!campaign__share_is_part(campaign) || campaign__share_leads(campaign)))
        unlink(path);
    free(path);
}

static bool is_stop_said(const struct cor_campaign *campaign) {
    struct stat there;
    char *path = stop_path(campaign);
    bool said = path && stat(path, &there) == 0;
    free(path);
    return said;
}

#define LEADER_SECONDS 60.0

/* Nobody would end an endless campaign whose first process was killed, or has never come. */
static bool is_left_alone(struct cor_campaign *campaign) {
    if (campaign->planned > 0 || !campaign->share.launched)
        return false;
    bool led = campaign__lock_has_leader(campaign);
    bool alone = !led && (campaign->led || cor_wall_seconds() - campaign->started > LEADER_SECONDS);
    campaign->led = campaign->led || led;
    return alone;
}

enum cor_status campaign__share_look(struct cor_campaign *campaign, bool working, struct cor_error *error) {
    if (!campaign__share_is_part(campaign))
        return COR_OK;
    if (!campaign__share_leads(campaign)) {
        if (!campaign->idle && (is_stop_said(campaign) || is_left_alone(campaign)))
            atomic_store(&campaign->shared->stop, 1);
        return COR_OK;
    }
    double now = cor_wall_seconds();
    if (now >= campaign->follow_next) {
        COR_TRY(campaign__share_follow(campaign, error));
        campaign->follow_next = now + FOLLOW_EVERY_SECONDS;
    }
    if (campaign->limit != UINT64_MAX && !is_stop_said(campaign))
        campaign__folder_say(campaign, STOP_NAME, "");
    if (working || !campaign__share_waits(campaign) || !campaign__lock_widen(campaign))
        return COR_OK;
    /* Nobody else is at work: what is missing now, this process runs. */
    COR_TRY(campaign__share_follow(campaign, error));
    campaign->share = (struct cor_share){0, 1, false};
    campaign__share_forget_stop(campaign);
    if (campaign->limit != UINT64_MAX)
        return COR_OK;
    for (uint64_t i = 0; i < campaign__position_count(campaign) && i < campaign->taken_over; i++)
        if (!atomic_load(&campaign->shared->note[i].done))
            atomic_store(&campaign->shared->note[i].worker, 0);
    atomic_store(&campaign->shared->next, 0);
    return campaign__fork_workers(campaign, error);
}

void campaign__share_fini(struct cor_campaign *campaign) {
    for (size_t i = 0; i < campaign->followed_count; i++)
        free(campaign->followed[i].path);
    free(campaign->followed);
    campaign->followed = NULL;
    campaign->followed_count = 0;
}
