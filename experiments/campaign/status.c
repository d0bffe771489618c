/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a campaign is, for others: the planning process says it in the folder of work under way, and
 * anybody may read it there, while it runs and when it was ended. */
#include "internal.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SAY_EVERY_SECONDS 1.0

static void put_count(struct cor_json_writer *writer, const char *key, uint64_t count) {
    cor_json_put_integer(writer, key, (int64_t)count);
}

/* All suites that are stored, in whatever order, by arm. */
static void tally(const struct cor_campaign *campaign, struct cor_arm_progress *arms) {
    uint64_t turns = atomic_load(&campaign->shared->next), positions = cor__position_count(campaign);
    uint64_t end = turns > campaign->taken_over ? turns : campaign->taken_over;
    if (end > positions || campaign->stride > 1)
        end = positions;
    for (uint64_t i = 0; i < end; i++) {
        const struct cor_suite_note *note = &campaign->shared->note[i];
        if (!atomic_load(&note->done))
            continue;
        struct cor_arm_progress *arm = &arms[cor__arm_at(campaign, i)];
        arm->suites++;
        arm->cases += note->tally.cases;
        arm->reorganizations += note->tally.reorganizations;
        arm->failures += note->tally.failures;
    }
}

static void put_share(struct cor_json_writer *writer, const char *key, double share) {
    cor_json_put_real(writer, key, share); /* null if it is NaN */
}

static void put_coverage(const struct cor_campaign *campaign, uint32_t arm, struct cor_json_writer *writer) {
    double states = NAN, transitions = NAN;
    if (campaign->follower)
        campaign->definition.layer->coverage(campaign->follower->own, arm, &states, &transitions);
    put_share(writer, "states", states);
    put_share(writer, "transitions", transitions);
}

/* How failures and coverage have grown, over the suites without a gap. */
static void put_growth(const struct cor_campaign *campaign, struct cor_json_writer *writer) {
    const struct cor__follower *follower = campaign->follower;
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
}

static void put_arms(const struct cor_campaign *campaign, const struct cor_arm_progress *arms,
                     struct cor_json_writer *writer) {
    cor_json_open_array(writer, "arms");
    for (uint32_t a = 0; a < campaign->plan.arm_count; a++) {
        cor_json_open_object(writer, NULL);
        const struct cor_layer *layer = campaign->definition.layer;
        cor_json_put_string(writer, "name", cor__arm_name_at(campaign, a));
        cor_json_put_string(writer, "fault",
                            layer->arm_fault ? layer->arm_fault(campaign->definition.experiment, a) : "none");
        put_coverage(campaign, a, writer);
        put_count(writer, "suites", arms[a].suites);
        put_count(writer, "cases", arms[a].cases);
        put_count(writer, "reorganizations", arms[a].reorganizations);
        put_count(writer, "failures", arms[a].failures);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

/* What workers are at. */
static void put_workers(const struct cor_campaign *campaign, struct cor_json_writer *writer) {
    cor_json_open_array(writer, "workers");
    for (uint32_t w = 0; w < campaign->definition.workers; w++) {
        uint64_t position = atomic_load(&campaign->shared->worker[w].position);
        if (campaign->pid[w] == 0 || position == 0)
            continue;
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "arm", cor__arm_name_at(campaign, position - 1));
        put_count(writer, "suite", cor__suite_at(campaign, position - 1));
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
    cor_json_put_real(writer, "seconds", status->seconds);
    put_arms(campaign, arms, writer);
    put_workers(campaign, writer);
    put_growth(campaign, writer);
    cor_json_put_bool(writer, "stopped", status->stopped);
    cor_json_close(writer);
    return cor_json_text_take(writer, 1, text, error);
}

/* What could not be said this time is said the next: no campaign ends for it. */
void cor__status_say(struct cor_campaign *campaign, const struct cor_campaign_status *status) {
    bool follows = campaign->share.launched && cor__share_is_part(campaign) && !cor__share_leads(campaign);
    if (follows || (!status->ended && status->seconds < campaign->say_next))
        return;
    campaign->say_next = status->seconds + SAY_EVERY_SECONDS;
    struct cor_arm_progress *arms = cor_calloc(campaign->plan.arm_count, sizeof *arms);
    char *text = NULL;
    struct cor_error ignored = COR_NO_ERROR;
    if (arms) {
        tally(campaign, arms);
        if (make_text(campaign, status, arms, &text, &ignored) == COR_OK)
            cor__folder_say(campaign, "STATUS", text);
    }
    free(text);
    free(arms);
}

static enum cor_status read_count(const struct cor_json *json, const char *key, uint64_t *count,
                                  struct cor_error *error) {
    struct cor_json child;
    int64_t value;
    COR_TRY(cor_json_need(json, key, &child, error));
    COR_TRY(cor_json_integer(&child, 0, INT64_MAX, &value, error));
    *count = (uint64_t)value;
    return COR_OK;
}

/* NaN if there is none. */
static enum cor_status read_share(const struct cor_json *json, const char *key, double *share,
                                  struct cor_error *error) {
    struct cor_json child;
    COR_TRY(cor_json_need(json, key, &child, error));
    *share = NAN;
    return cor_json_is_null(&child) ? COR_OK : cor_json_real(&child, 0, 1, share, error);
}

static enum cor_status read_name(const struct cor_json *json, const char *key, char **name,
                                 struct cor_error *error) {
    struct cor_json child;
    const char *text;
    COR_TRY(cor_json_need(json, key, &child, error));
    COR_TRY(cor_json_string(&child, &text, error));
    *name = cor_strdup(text);
    return cor_made(*name, error);
}

static enum cor_status read_arm(const struct cor_json *json, struct cor_arm_progress *arm,
                                struct cor_error *error) {
    COR_TRY(read_name(json, "name", &arm->name, error));
    COR_TRY(read_name(json, "fault", &arm->fault, error));
    COR_TRY(read_share(json, "states", &arm->states, error));
    COR_TRY(read_share(json, "transitions", &arm->transitions, error));
    COR_TRY(read_count(json, "suites", &arm->suites, error));
    COR_TRY(read_count(json, "cases", &arm->cases, error));
    COR_TRY(read_count(json, "reorganizations", &arm->reorganizations, error));
    return read_count(json, "failures", &arm->failures, error);
}

static enum cor_status read_open(const struct cor_json *json, struct cor_open_suite *open,
                                 struct cor_error *error) {
    COR_TRY(read_name(json, "arm", &open->arm, error));
    return read_count(json, "suite", &open->suite, error);
}

static enum cor_status read_point(const struct cor_json *json, struct cor_campaign_growth *point,
                                  struct cor_error *error) {
    COR_TRY(read_count(json, "suites", &point->suites, error));
    COR_TRY(read_count(json, "failures", &point->failures, error));
    COR_TRY(read_share(json, "states", &point->states, error));
    return read_share(json, "transitions", &point->transitions, error);
}

static enum cor_status read_growth(const struct cor_json *root, struct cor_campaign_report *report,
                                   struct cor_error *error) {
    struct cor_json growth;
    COR_TRY(cor_json_need(root, "growth", &growth, error));
    size_t count = cor_json_size(&growth);
    report->growth = cor_calloc(count, sizeof *report->growth);
    COR_TRY(cor_made(report->growth, error));
    while (report->growth_count < count) {
        struct cor_json point = cor_json_at(&growth, report->growth_count);
        COR_TRY(read_point(&point, &report->growth[report->growth_count++], error));
    }
    return COR_OK;
}

static enum cor_status read_lists(const struct cor_json *root, struct cor_campaign_report *report,
                                  struct cor_error *error) {
    struct cor_json arms, workers;
    COR_TRY(cor_json_need(root, "arms", &arms, error));
    COR_TRY(cor_json_need(root, "workers", &workers, error));
    size_t arm_count = cor_json_size(&arms), open_count = cor_json_size(&workers);
    report->arms = cor_calloc(arm_count, sizeof *report->arms);
    report->open = cor_calloc(open_count, sizeof *report->open);
    if (!report->arms || !report->open)
        return cor_fail_memory(error);
    while (report->arm_count < arm_count) {
        struct cor_json arm = cor_json_at(&arms, report->arm_count);
        COR_TRY(read_arm(&arm, &report->arms[report->arm_count++], error));
    }
    while (report->open_count < open_count) {
        struct cor_json worker = cor_json_at(&workers, report->open_count);
        COR_TRY(read_open(&worker, &report->open[report->open_count++], error));
    }
    return COR_OK;
}

static enum cor_status read_report(const struct cor_json *root, struct cor_campaign_report *report,
                                   struct cor_error *error) {
    struct cor_json seconds, stopped;
    COR_TRY(read_count(root, "suites_planned", &report->status.suites_planned, error));
    COR_TRY(read_count(root, "suites_done", &report->status.suites_done, error));
    COR_TRY(read_count(root, "suites_before", &report->status.suites_before, error));
    COR_TRY(read_count(root, "suites_kept", &report->status.suites_kept, error));
    COR_TRY(cor_json_need(root, "seconds", &seconds, error));
    COR_TRY(cor_json_real(&seconds, 0, 1e12, &report->status.seconds, error));
    COR_TRY(cor_json_need(root, "stopped", &stopped, error));
    COR_TRY(cor_json_bool(&stopped, &report->status.stopped, error));
    COR_TRY(read_lists(root, report, error));
    COR_TRY(read_growth(root, report, error));
    for (size_t a = 0; a < report->arm_count; a++) {
        report->status.cases += report->arms[a].cases;
        report->status.reorganizations += report->arms[a].reorganizations;
        report->status.failures += report->arms[a].failures;
    }
    return COR_OK;
}

static enum cor_status check_there(const char *output, const char *folder, struct cor_error *error) {
    struct stat there;
    if (stat(folder, &there) == 0)
        return COR_OK;
    return cor_fail(error, COR_STATUS_FILE, output,
                    "name the result file of a campaign, as given to corridor run -o",
                    stat(output, &there) == 0 ? "the campaign has ended, and this is its result"
                                              : "no campaign is under way");
}

/* Reads a file of the folder, which may not be there yet, or go in this moment. */
static enum cor_status read_there(const char *output, const char *folder, const char *path,
                                  struct cor_json_document **document, struct cor_error *error) {
    struct cor_error trouble = COR_NO_ERROR;
    struct stat there;
    enum cor_status status = cor_json_read(path, document, &trouble);
    if (status == COR_OK)
        return COR_OK;
    if (stat(path, &there) == 0) {
        *error = trouble;
        return status;
    }
    COR_TRY(check_there(output, folder, error));
    return cor_fail(error, COR_STATUS_FILE, output, "look again in a second",
                    "the campaign has not said yet how far it is");
}

enum cor_status cor_campaign_layer(const char *output, char **name, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_json_document *document = NULL;
    char *folder = cor_format("%s.parts", output), *path = folder ? cor_format("%s/MANIFEST", folder) : NULL;
    *name = NULL;
    if (!path)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(check_there(output, folder, error));
    COR_TRY_OUT(read_there(output, folder, path, &document, error));
    const struct cor_json root = cor_json_root(document);
    status = read_name(&root, "layer", name, error);
out:
    cor_json_destroy(document);
    free(folder);
    free(path);
    return status;
}

enum cor_status cor_campaign_report_read(const char *output, struct cor_campaign_report *report,
                                         struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_json_document *document = NULL;
    *report = (struct cor_campaign_report){0};
    char *folder = cor_format("%s.parts", output), *path = folder ? cor_format("%s/STATUS", folder) : NULL;
    if (!path)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(check_there(output, folder, error));
    report->process = cor__lock_process(folder);
    COR_TRY_OUT(read_there(output, folder, path, &document, error));
    const struct cor_json root = cor_json_root(document);
    COR_TRY_OUT(read_report(&root, report, error));
    report->status.ended = report->process == 0;
out:
    if (status != COR_OK)
        cor_campaign_report_fini(report);
    cor_json_destroy(document);
    free(folder);
    free(path);
    return status;
}

void cor_campaign_report_fini(struct cor_campaign_report *report) {
    for (size_t a = 0; a < report->arm_count; a++) {
        free(report->arms[a].name);
        free(report->arms[a].fault);
    }
    for (size_t o = 0; o < report->open_count; o++)
        free(report->open[o].arm);
    free(report->arms);
    free(report->open);
    free(report->growth);
    *report = (struct cor_campaign_report){0};
}
