/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is stored of the plan: journals that are followed, the suites in them, and how far these go without a
 * gap, which is where stop conditions are evaluated. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/inquiries.h>
#include <corridor/work.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of all that was followed; added if it is new. */
static enum cor_status find_followed(struct cor_campaign *campaign, const char *path, size_t *index,
                                     struct cor_error *error) {
    for (*index = 0; *index < campaign->followed_count; ++*index)
        if (strcmp(campaign->followed[*index].path, path) == 0)
            return COR_OK;
    COR_TRY(
        COR_RESERVE(&campaign->followed, &campaign->followed_capacity, campaign->followed_count + 1, error));
    struct cor_followed *followed = &campaign->followed[*index];
    *followed = (struct cor_followed){.path = cor_strdup(path)};
    COR_TRY(cor_made(followed->path, error));
    campaign->followed_count++;
    return COR_OK;
}

enum cor_status campaign__journal_new(struct cor_campaign *campaign, size_t *journal,
                                      struct cor_error *error) {
    char *path = campaign__journal_path(campaign, campaign->next_journal++);
    enum cor_status status = path ? find_followed(campaign, path, journal, error) : cor_fail_memory(error);
    if (status == COR_OK)
        campaign->followed[*journal].own = true;
    free(path);
    return status;
}

enum cor_status campaign__share_follow_these(struct cor_campaign *campaign, char *const *paths, size_t count,
                                             struct cor_error *error) {
    for (size_t i = 0; i < count; i++) {
        size_t journal;
        COR_TRY(find_followed(campaign, paths[i], &journal, error));
        if (!campaign->followed[journal].own)
            COR_TRY(campaign__take_over(campaign, journal, error));
    }
    return COR_OK;
}

enum cor_status campaign__share_follow(struct cor_campaign *campaign, struct cor_error *error) {
    char **paths;
    size_t count;
    COR_TRY(campaign__folder_journals(campaign->folder, &paths, &count, error));
    enum cor_status status = campaign__share_follow_these(campaign, paths, count, error);
    campaign__folder_free(paths, count);
    return status;
}

/* A suite that the plan has not: of sources it is remembered, as somebody ran it to be merged. */
static enum cor_status leave_out(struct cor_campaign *campaign, const struct cor_journal_entry *entry,
                                 struct cor_error *error) {
    if (campaign->definition.source_count == 0)
        return COR_OK;
    COR_TRY(
        COR_RESERVE(&campaign->left_out, &campaign->left_out_capacity, campaign->left_out_count + 1, error));
    campaign->left_out[campaign->left_out_count++] = *entry;
    return COR_OK;
}

enum cor_status campaign__take_over(struct cor_campaign *campaign, size_t journal, struct cor_error *error) {
    uint64_t positions = campaign__position_count(campaign);
    struct cor_journal_entry *entries;
    size_t count;
    uint64_t torn; /* a torn tail is what a killed worker leaves: its suite is run again */
    struct cor_followed *followed = &campaign->followed[journal];
    struct cor_error trouble = COR_NO_ERROR;
    enum cor_status status = cor_journal_scan_from(campaign->definition.layer->schema, followed->path,
                                                   followed->offset, &entries, &count, &torn, &trouble);
    if (status != COR_OK && followed->offset == 0 && campaign__journal_is_gone(followed->path))
        return COR_OK;
    if (status != COR_OK) {
        *error = trouble;
        return status;
    }
    /* Their worker may have been killed before it did so. */
    status = count > 0 ? cor_file_sync(followed->path, error) : COR_OK;
    for (size_t i = 0; i < count && status == COR_OK; i++) {
        followed->offset = entries[i].offset + entries[i].size;
        uint64_t position =
            (uint64_t)entries[i].suite * campaign->definition.experiment->arm_count + entries[i].arm;
        struct cor_suite_note *note = &campaign->shared->note[position];
        if (!campaign__is_own(campaign, &entries[i]) || position >= positions) {
            status = leave_out(campaign, &entries[i], error);
            continue;
        }
        if (atomic_load(&note->done))
            continue;
        note->tally = entries[i].counts;
        note->offset = entries[i].offset;
        note->size = entries[i].size;
        note->journal = (uint32_t)journal;
        atomic_store(&note->done, 1);
        atomic_fetch_add(&campaign->shared->done, 1);
        campaign->stored_cases += note->tally.cases;
        campaign->stored_failures += note->tally.failures;
        if (position >= campaign->taken_over)
            campaign->taken_over = position + 1;
    }
    free(entries);
    return status;
}

uint64_t campaign__stored_end(const struct cor_campaign *campaign) {
    const uint64_t turns = atomic_load(&campaign->shared->next),
                   positions = campaign__position_count(campaign);
    const uint64_t end = turns > campaign->taken_over ? turns : campaign->taken_over;
    return end > positions || campaign->stride > 1 ? positions : end;
}

/* May something be counted that does not count: of an arm that is decided, beyond a bound of suites, behind
 * one that cannot be executed, or twice? */
static bool may_be_ahead(const struct cor_campaign *campaign) {
    bool may = campaign->taken_over > atomic_load(&campaign->shared->limit) ||
               campaign->failed != UINT64_MAX || campaign->any_killed;
    for (uint32_t a = 0; a < campaign->definition.experiment->arm_count; a++)
        may = may || atomic_load(&campaign->arm_ends[a]) != UINT64_MAX;
    return may;
}

struct campaign__stored campaign__count_stored(const struct cor_campaign *campaign) {
    const struct cor_shared *shared = campaign->shared;
    struct campaign__stored stored = {0};
    if (!may_be_ahead(campaign))
        return (struct campaign__stored){atomic_load(&shared->done), campaign->before};
    const uint64_t end = campaign__stored_end(campaign);
    for (uint64_t i = 0; i < end; i++) {
        const bool is_there = atomic_load(&shared->note[i].done) && campaign__is_counted(campaign, i);
        stored.done += is_there;
        stored.before += is_there && atomic_load(&shared->note[i].worker) == 0;
    }
    if (stored.before > campaign->before) /* others of a job array store, too */
        stored.before = campaign->before;
    return stored;
}

static int by_suite(const void *a, const void *b) {
    const struct cor_journal_entry *left = a, *right = b;
    return left->suite != right->suite ? (left->suite > right->suite) - (left->suite < right->suite)
                                       : (left->arm > right->arm) - (left->arm < right->arm);
}

uint64_t cor_campaign_left_out(const struct cor_campaign *campaign, char *text, size_t size) {
    uint64_t count = 0;
    size_t used = 0;
    text[0] = '\0';
    if (campaign->left_out_count > 0)
        qsort(campaign->left_out, campaign->left_out_count, sizeof *campaign->left_out, by_suite);
    for (size_t i = 0; i < campaign->left_out_count; i++) {
        const struct cor_journal_entry *entry = &campaign->left_out[i];
        if (i > 0 && by_suite(entry, entry - 1) == 0)
            continue;
        count++;
        const bool named = campaign__is_own(campaign, entry);
        if (used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s/%" PRIu32, count > 1 ? ", " : "",
                                     named ? campaign->definition.experiment->arms[entry->arm].name
                                           : "an arm that is not here",
                                     entry->suite);
    }
    return count;
}

char *campaign__stored_at(const struct cor_campaign *campaign, uint64_t position,
                          struct cor_journal_entry *entry) {
    const struct cor_suite_note *note = &campaign->shared->note[position];
    *entry = (struct cor_journal_entry){.arm = (uint16_t)campaign__arm_at(campaign, position),
                                        .suite = campaign__suite_at(campaign, position),
                                        .origin = campaign->origins[campaign__arm_at(campaign, position)],
                                        .offset = note->offset,
                                        .size = note->size,
                                        .counts = note->tally};
    COR_ASSERT(note->journal < campaign->followed_count);
    return cor_strdup(campaign->followed[note->journal].path);
}

enum cor_status campaign__follow_position(struct cor_campaign *campaign, uint64_t position,
                                          struct cor_error *error) {
    struct cor_journal_entry entry;
    if (!campaign__is_wanted(campaign, position))
        return campaign__follow_none(campaign->follower, error);
    char *path = campaign__stored_at(campaign, position, &entry);
    enum cor_status status =
        path ? campaign__follow(campaign->follower, path, &entry, error) : cor_fail_memory(error);
    free(path);
    return status;
}

#define STOP_WHEN_NAME "STOP-WHEN" /* in the folder: which share of properties ends the last run */

enum cor_status campaign__stop_keep(const struct cor_campaign *campaign, struct cor_error *error) {
    enum cor_status status = COR_OK;
    if (campaign->idle || campaign->definition.workers == 0) /* it runs nothing */
        return COR_OK;
    char *text = cor_format("{\"decided\": %.17g}\n", cor_stop_decided(&campaign->definition.stop));
    COR_TRY(cor_made(text, error));
    char *there = campaign__folder_read(campaign, STOP_WHEN_NAME);
    if (!there || strcmp(there, text) != 0)
        status = campaign__folder_write(campaign, STOP_WHEN_NAME, text, error);
    free(there);
    free(text);
    return status;
}

/* In the folder beside that result file. */
static char *stop_path(const char *output) {
    return cor_format("%s.parts/" STOP_WHEN_NAME, output);
}

/* Do the folders of all other sources say the same? Else there is no one run that could be gone by. */
static bool is_said_by_all(const struct cor_campaign_definition *definition, const char *text) {
    bool is_same = true;
    for (size_t s = 1; s < definition->source_count && is_same; s++) {
        char *path = stop_path(definition->sources[s]), *other = path ? cor_file_text(path) : NULL;
        is_same = other && strcmp(text, other) == 0;
        free(other);
        free(path);
    }
    return is_same;
}

enum cor_status campaign__stop_take(struct cor_campaign *campaign, struct cor_error *error) {
    const struct cor_campaign_definition *definition = &campaign->definition;
    struct cor_json_document *document = NULL;
    struct cor_stop_conditions *stop = &campaign->definition.stop;
    struct cor_json child;
    double share;
    enum cor_status status = COR_OK;
    char *path = stop_path(definition->source_count > 0 ? definition->sources[0] : definition->output);
    COR_TRY(cor_made(path, error));
    char *text = cor_file_text(path);
    if (text && is_said_by_all(definition, text)) {
        COR_TRY_OUT(cor_json_parse(text, path, &document, error));
        const struct cor_json root = cor_json_root(document);
        COR_TRY_OUT(cor_json_need(&root, "decided", &child, error));
        COR_TRY_OUT(cor_json_real(&child, 0, 1, &share, error));
        if (share > 0 && stop->count == 0)
            cor_stop_add(stop, 0, false);
        double *bound = &stop->group[0].bound[COR_STOP_AT_DECIDED]; /* any of the first group is enough */
        if (share > 0 && (*bound <= 0 || share < *bound))
            *bound = share;
    }
out:
    cor_json_destroy(document);
    free(text);
    free(path);
    return status;
}

static bool asks_coverage(const struct cor_stop_conditions *stop) {
    return cor_stop_asks(stop, COR_STOP_AT_STATES) || cor_stop_asks(stop, COR_STOP_AT_TRANSITIONS);
}

/* Do the conditions need what is read from journals? */
static bool must_follow(const struct cor_stop_conditions *stop) {
    return asks_coverage(stop) || cor_stop_asks(stop, COR_STOP_AT_HALF_WIDTH) ||
           cor_stop_asks(stop, COR_STOP_AT_DECIDED);
}

static void find_figures(const struct cor_campaign *campaign, double seconds,
                         double figures[COR_STOP_FIGURE_COUNT]) {
    figures[COR_STOP_AT_SUITES] = (double)campaign->kept;
    figures[COR_STOP_AT_CASES] = (double)campaign->kept_cases;
    figures[COR_STOP_AT_FAILURES] = (double)campaign->kept_failures;
    figures[COR_STOP_AT_STATES] = figures[COR_STOP_AT_TRANSITIONS] = figures[COR_STOP_AT_HALF_WIDTH] = NAN;
    figures[COR_STOP_AT_DECIDED] = NAN;
    if (campaign->follower && must_follow(&campaign->definition.stop)) {
        if (asks_coverage(&campaign->definition.stop))
            campaign__follower_coverage(campaign->follower, &figures[COR_STOP_AT_STATES],
                                        &figures[COR_STOP_AT_TRANSITIONS]);
        figures[COR_STOP_AT_HALF_WIDTH] = campaign->follower->half_width;
        if (campaign->follower->inquiries)
            figures[COR_STOP_AT_DECIDED] = cor_inquiries_decided(campaign->follower->inquiries);
    }
    figures[COR_STOP_AT_SECONDS] = seconds;
}

/* Once all that is asked of the arm is decided by what lies before a plan position, its suites from this one
 * on are not wanted: so the result says the same whatever workers that ran ahead have stored of them. */
static void end_arm(struct cor_campaign *campaign, uint64_t position) {
    const uint32_t arm = campaign__arm_at(campaign, position);
    if (campaign->follower && campaign->follower->inquiries && campaign__is_wanted(campaign, position) &&
        cor_stop_decided(&campaign->definition.stop) > 0 &&
        cor_inquiries_are_over(campaign->follower->inquiries, arm))
        atomic_store(&campaign->arm_ends[arm], campaign__suite_at(campaign, position));
}

/* Goes over one plan position; false if the suite there is wanted and not stored yet. */
static enum cor_status keep_position(struct cor_campaign *campaign, bool *is_there, struct cor_error *error) {
    const uint64_t position = campaign->kept, arms = campaign->definition.experiment->arm_count;
    const struct cor_suite_note *note = &campaign->shared->note[position];
    end_arm(campaign, position);
    const bool is_wanted = campaign__is_wanted(campaign, position);
    *is_there = !is_wanted || atomic_load(&note->done);
    if (!*is_there)
        return COR_OK;
    if (must_follow(&campaign->definition.stop))
        COR_TRY(campaign__follow_position(campaign, position, error));
    campaign->kept++;
    if (!is_wanted) {
        campaign->passed++;
        return COR_OK;
    }
    campaign->kept_cases += note->tally.cases;
    campaign->kept_failures += note->tally.failures;
    campaign->kept_reorganizations += note->tally.reorganizations;
    end_arm(campaign, position + arms); /* early, so that workers know */
    return COR_OK;
}

enum cor_status campaign__evaluate_prefix(struct cor_campaign *campaign, struct cor_error *error) {
    const struct cor_stop_conditions *stop = &campaign->definition.stop;
    struct cor_shared *shared = campaign->shared;
    uint64_t positions = campaign__position_count(campaign);
    double figures[COR_STOP_FIGURE_COUNT];
    bool is_there = true;
    COR_ASSERT(campaign->kept <= positions);
    while (campaign->limit == UINT64_MAX && campaign->kept < positions) {
        COR_TRY(keep_position(campaign, &is_there, error));
        if (!is_there)
            break;
        if (stop->count == 0)
            continue;
        find_figures(campaign, 0, figures);
        if (cor_stop_holds(stop, figures))
            campaign->limit = campaign->kept;
    }
    find_figures(campaign, cor_wall_seconds() - campaign->started, figures);
    if (campaign->limit != UINT64_MAX || cor_stop_holds(stop, figures))
        atomic_store(&shared->stop, 1);
    return COR_OK;
}

enum cor_status campaign__check_stop(const struct cor_campaign *campaign, struct cor_error *error) {
    const struct cor_stop_conditions *stop = &campaign->definition.stop;
    const struct cor_layer *layer = campaign->definition.layer;
    if (must_follow(stop) && !campaign->follower)
        return cor_fail(
            error, COR_STATUS_INPUT, campaign->definition.experiment->path,
            "stop at a number of suites, cases or failures",
            "cannot stop at coverage or at the width of an interval: the layer \"%s\" has neither",
            layer->schema->name);
    const struct cor_inquiries *inquiries = campaign->definition.inquiries;
    if (inquiries && inquiries->count > 0 && !layer->ask)
        return cor_fail(
            error, COR_STATUS_INPUT, campaign->definition.experiment->path, "leave out \"properties\"",
            "properties are asked of sequences of cases: the layer \"%s\" has none", layer->schema->name);
    if (cor_stop_asks(stop, COR_STOP_AT_DECIDED) && (!inquiries || inquiries->count == 0))
        return cor_fail(error, COR_STATUS_INPUT, campaign->definition.experiment->path,
                        "add \"properties\", or stop at something else",
                        "cannot stop when properties are decided: the experiment has none");
    if (asks_coverage(stop) && !layer->can_cover(campaign->definition.experiment))
        return cor_fail(error, COR_STATUS_INPUT, campaign->definition.experiment->path,
                        "give an environment a profile, or stop at something else",
                        "cannot stop at coverage: all profiles are drawn for each suite, so nothing adds up");
    return COR_OK;
}
