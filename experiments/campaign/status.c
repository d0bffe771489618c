/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a campaign is, for others: the planning process says it in the folder of work under way. A process
 * with a share of its own, as the task of a job array, knows of itself alone, and has a file of its own. */
#include "internal.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>

#define SAY_EVERY_SECONDS 1.0

static void put_count(struct cor_json_writer *writer, const char *key, uint64_t count) {
    cor_json_put_integer(writer, key, (int64_t)count);
}

/* All suites that are stored and count, in whatever order, by arm. */
static void tally(const struct cor_campaign *campaign, struct cor_arm_progress *arms) {
    const uint64_t end = campaign__stored_end(campaign);
    for (uint64_t i = 0; i < end; i++) {
        const struct cor_suite_note *note = &campaign->shared->note[i];
        if (!atomic_load(&note->done) || !campaign__is_counted(campaign, i))
            continue;
        struct cor_arm_progress *arm = &arms[campaign__arm_at(campaign, i)];
        arm->suites++;
        arm->cases += note->tally.cases;
        arm->reorganizations += note->tally.reorganizations;
        arm->failures += note->tally.failures;
    }
}

static void put_share(struct cor_json_writer *writer, const char *key, double share) {
    cor_json_put_real(writer, key, share); /* null if it is NaN */
}

static void put_arms(const struct cor_campaign *campaign, const struct cor_arm_progress *arms,
                     struct cor_json_writer *writer) {
    cor_json_open_array(writer, "arms");
    for (uint32_t a = 0; a < campaign->definition.experiment->arm_count; a++) {
        cor_json_open_object(writer, NULL);
        const struct cor_arm_head *arm = &campaign->definition.experiment->arms[a];
        cor_json_put_string(writer, "name", arm->name);
        cor_json_put_string(writer, "fault", arm->fault ? arm->fault : "none");
        double states = NAN, transitions = NAN;
        if (campaign->follower)
            campaign->definition.layer->coverage(campaign->follower->own, a, &states, &transitions);
        put_share(writer, "states", states);
        put_share(writer, "transitions", transitions);
        put_count(writer, "suites", arms[a].suites);
        put_count(writer, "cases", arms[a].cases);
        put_count(writer, "reorganizations", arms[a].reorganizations);
        put_count(writer, "failures", arms[a].failures);
        const uint64_t ends = atomic_load(&campaign->arm_ends[a]);
        if (ends != UINT64_MAX)
            put_count(writer, "ends", ends);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static enum cor_status make_text(const struct cor_campaign *campaign,
                                 const struct cor_campaign_status *status,
                                 const struct cor_arm_progress *arms, char **text, struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    put_count(writer, "suites_planned", status->suites_planned);
    put_count(writer, "suites_done", status->suites_done);
    put_count(writer, "suites_before", status->suites_before);
    put_count(writer, "suites_kept", status->suites_kept);
    put_count(writer, "suites_passed", campaign->passed); /* not wanted, and so not in suites_planned */
    cor_json_put_real(writer, "seconds", status->seconds);
    cor_json_put_real(writer, "seconds_left", status->seconds_left); /* null if it is NaN */
    put_arms(campaign, arms, writer);
    /* What workers are at. */
    cor_json_open_array(writer, "workers");
    for (uint32_t w = 0; w < campaign->definition.workers; w++) {
        uint64_t position = atomic_load(&campaign->shared->worker[w].position);
        if (campaign->pid[w] == 0 || position == 0)
            continue;
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "arm", campaign__arm_name_at(campaign, position - 1));
        put_count(writer, "suite", campaign__suite_at(campaign, position - 1));
        cor_json_close(writer);
    }
    cor_json_close(writer);
    /* How failures and coverage have grown, over the suites without a gap. */
    const struct campaign__follower *follower = campaign->follower;
    cor_json_open_array(writer, "growth");
    for (size_t i = 0; follower && i < follower->growth_count; i++) {
        const struct cor_campaign_growth *point = &follower->growth[i];
        cor_json_open_object(writer, NULL);
        put_count(writer, "suites", point->suites);
        put_count(writer, "failures", point->failures);
        put_share(writer, "states", point->states);
        put_share(writer, "transitions", point->transitions);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_put_bool(writer, "stopped", status->stopped);
    cor_json_close(writer);
    return cor_json_text_take(writer, 1, text, error);
}

/* What could not be said this time is said the next: no campaign ends for it. */
void campaign__status_say(struct cor_campaign *campaign, const struct cor_campaign_status *status) {
    bool follows =
        campaign->share.launched && campaign__share_is_part(campaign) && !campaign__share_leads(campaign);
    if (follows || (!status->ended && status->seconds < campaign->say_next))
        return;
    campaign->say_next = status->seconds + SAY_EVERY_SECONDS;
    struct cor_arm_progress *arms = cor_calloc(campaign->definition.experiment->arm_count, sizeof *arms);
    char *text = NULL;
    struct cor_error ignored = COR_NO_ERROR;
    if (arms) {
        tally(campaign, arms);
        char *name = campaign__share_is_part(campaign) && !campaign->share.launched
                         ? cor_format(CAMPAIGN__TASK_STATUS "%u", campaign->share.index)
                         : cor_strdup(CAMPAIGN__STATUS);
        if (name && make_text(campaign, status, arms, &text, &ignored) == COR_OK)
            campaign__folder_say(campaign, name, text);
        free(name);
    }
    free(text);
    free(arms);
}
