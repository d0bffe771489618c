/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is stored of the plan: journals that are followed, the suites in them, and how far these go without a
 * gap, which is where stop conditions are evaluated. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/inquiries.h>
#include <corridor/interval.h>
#include <corridor/record.h>
#include <corridor/stop.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
static bool journal_is_gone(const char *journal);
static void follower_coverage(const struct campaign__follower *follower, double *states, double *transitions);
static enum cor_status follow_none(struct campaign__follower *follower, struct cor_error *error) COR_MUST_USE;
static enum cor_status campaign__follow(struct campaign__follower *follower, const char *journal,
                                        const struct cor_journal_entry *entry,
                                        struct cor_error *error) COR_MUST_USE;

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
    COR_FREED char *path = campaign__journal_path(campaign, campaign->next_journal++);
    enum cor_status status = path ? find_followed(campaign, path, journal, error) : cor_fail_memory(error);
    if (status == COR_OK)
        campaign->followed[*journal].own = true;
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
    if (status != COR_OK && followed->offset == 0 && journal_is_gone(followed->path))
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

struct campaign__stored campaign__count_stored(const struct cor_campaign *campaign) {
    const struct cor_shared *shared = campaign->shared;
    struct campaign__stored stored = {0};
    /* May something be counted that does not count: of an arm that is decided, beyond a bound of suites,
     * behind one that cannot be executed, or twice? */
    bool may_be_ahead = campaign->taken_over > atomic_load(&campaign->shared->limit) ||
                        campaign->failed != UINT64_MAX || campaign->any_killed;
    for (uint32_t a = 0; a < campaign->definition.experiment->arm_count; a++)
        may_be_ahead = may_be_ahead || atomic_load(&campaign->arm_ends[a]) != UINT64_MAX;
    if (!may_be_ahead)
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
        return follow_none(campaign->follower, error);
    COR_FREED char *path = campaign__stored_at(campaign, position, &entry);
    return path ? campaign__follow(campaign->follower, path, &entry, error) : cor_fail_memory(error);
}

#define STOP_WHEN_NAME "STOP-WHEN" /* in the folder: which share of properties ends the last run */

enum cor_status campaign__stop_keep(const struct cor_campaign *campaign, struct cor_error *error) {
    enum cor_status status = COR_OK;
    if (campaign->idle || campaign->definition.workers == 0) /* it runs nothing */
        return COR_OK;
    COR_FREED char *text = cor_format("{\"decided\": %.17g}\n", cor_stop_decided(&campaign->definition.stop));
    COR_TRY(cor_made(text, error));
    COR_FREED char *there = campaign__folder_read(campaign, STOP_WHEN_NAME);
    if (!there || strcmp(there, text) != 0)
        status = campaign__folder_write(campaign, STOP_WHEN_NAME, text, error);
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
        COR_FREED char *path = stop_path(definition->sources[s]), *other = path ? cor_file_text(path) : NULL;
        is_same = other && strcmp(text, other) == 0;
    }
    return is_same;
}

enum cor_status campaign__stop_take(struct cor_campaign *campaign, struct cor_error *error) {
    const struct cor_campaign_definition *definition = &campaign->definition;
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    struct cor_stop_conditions *stop = &campaign->definition.stop;
    struct cor_json child;
    double share;
    COR_FREED char *path =
        stop_path(definition->source_count > 0 ? definition->sources[0] : definition->output);
    COR_TRY(cor_made(path, error));
    COR_FREED char *text = cor_file_text(path);
    if (text && is_said_by_all(definition, text)) {
        COR_TRY(cor_json_parse(text, path, &document, error));
        const struct cor_json root = cor_json_root(document);
        COR_TRY(cor_json_need(&root, "decided", &child, error));
        COR_TRY(cor_json_real(&child, 0, 1, &share, error));
        if (share > 0 && stop->count == 0)
            cor_stop_add(stop, 0, false);
        double *bound = &stop->group[0].bound[COR_STOP_AT_DECIDED]; /* any of the first group is enough */
        if (share > 0 && (*bound <= 0 || share < *bound))
            *bound = share;
    }
    return COR_OK;
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
            follower_coverage(campaign->follower, &figures[COR_STOP_AT_STATES],
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
    if (inquiries && inquiries->count > 0 && !layer->schema->asked)
        return cor_fail(
            error, COR_STATUS_INPUT, campaign->definition.experiment->path, "leave out \"properties\"",
            "properties are asked of sequences of cases: the layer \"%s\" has none", layer->schema->name);
    if (cor_stop_asks(stop, COR_STOP_AT_DECIDED) && (!inquiries || inquiries->count == 0))
        return cor_fail(error, COR_STATUS_INPUT, campaign->definition.experiment->path,
                        "add \"properties\", or stop at something else",
                        "cannot stop when properties are decided: the experiment has none");
    if (asks_coverage(stop) && !layer->can_cover)
        return cor_fail(error, COR_STATUS_INPUT, campaign->definition.experiment->path,
                        "stop at a number of suites, cases or failures",
                        "cannot stop at coverage: the layer \"%s\" has none", layer->schema->name);
    if (asks_coverage(stop) && !layer->can_cover(campaign->definition.experiment))
        return cor_fail(error, COR_STATUS_INPUT, campaign->definition.experiment->path,
                        "give an environment a profile, or stop at something else",
                        "cannot stop at coverage: all profiles are drawn for each suite, so nothing adds up");
    return COR_OK;
}

/* ---- which suites of a campaign are stored, and of those that are not, why each must run */

enum reason { NEVER_STORED, DAMAGED, FEWER_SEQUENCES };

typedef enum cor_status scan_function(const struct cor_layer_schema *layer, const char *path,
                                      struct cor_journal_entry **entries, size_t *count,
                                      struct cor_error *error);

static enum cor_status scan_whole(const struct cor_layer_schema *layer, const char *path,
                                  struct cor_journal_entry **entries, size_t *count,
                                  struct cor_error *error) {
    uint64_t torn;
    return cor_journal_scan(layer, path, entries, count, &torn, error);
}

/* Notes the reason at the plan positions of all suites that `scan` finds in the journals. */
static enum cor_status note_reason(const struct cor_campaign *campaign, char *const *paths, size_t count,
                                   scan_function *scan, enum reason reason, unsigned char *reasons,
                                   struct cor_error *error) {
    for (size_t j = 0; j < count; j++) {
        COR_FREED struct cor_journal_entry *entries = NULL;
        size_t found;
        COR_TRY(scan(campaign->definition.layer->schema, paths[j], &entries, &found, error));
        for (size_t i = 0; i < found; i++) {
            uint64_t position =
                (uint64_t)entries[i].suite * campaign->definition.experiment->arm_count + entries[i].arm;
            if (campaign__is_own(campaign, &entries[i]) && position < campaign->planned)
                reasons[position] = (unsigned char)reason;
        }
    }
    return COR_OK;
}

static enum cor_status find_reasons(const struct cor_campaign *campaign, unsigned char *reasons,
                                    struct cor_error *error) {
    char **journals = NULL, **earlier = NULL;
    size_t journal_count = 0, earlier_count = 0;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(campaign__folder_earlier(campaign->folder, &earlier, &earlier_count, error));
    COR_TRY_OUT(note_reason(campaign, earlier, earlier_count, scan_whole, FEWER_SEQUENCES, reasons, error));
    COR_TRY_OUT(campaign__folder_journals(campaign->folder, &journals, &journal_count, error));
    COR_TRY_OUT(
        note_reason(campaign, journals, journal_count, cor_journal_scan_damaged, DAMAGED, reasons, error));
out:
    campaign__folder_free(journals, journal_count);
    campaign__folder_free(earlier, earlier_count);
    return status;
}

enum cor_status cor_campaign_missing(const struct cor_campaign *campaign, struct cor_arm_missing *arms,
                                     struct cor_error *error) {
    for (uint32_t a = 0; a < campaign->definition.experiment->arm_count; a++)
        arms[a] = (struct cor_arm_missing){.name = campaign__arm_name_at(campaign, a),
                                           .planned = campaign->definition.experiment->suite_count};
    COR_FREED unsigned char *reasons = cor_calloc(campaign->planned, 1);
    COR_TRY(cor_made(reasons, error));
    COR_TRY(find_reasons(campaign, reasons, error));
    for (uint64_t i = 0; i < campaign__position_count(campaign); i++) {
        struct cor_arm_missing *arm = &arms[campaign__arm_at(campaign, i)];
        bool stored = atomic_load(&campaign->shared->note[i].done) != 0;
        arm->stored += stored;
        if (!stored && i < campaign->planned) {
            arm->never += reasons[i] == NEVER_STORED;
            arm->damaged += reasons[i] == DAMAGED;
            arm->extended += reasons[i] == FEWER_SEQUENCES;
        }
    }
    return COR_OK;
}

/* ---- follow */

#define LEVEL 0.95

/* Suites of an arm: sequences with a detection, and sequences. */
struct campaign__sample {
    double *detected, *sequences; /* owned */
    size_t count, detected_capacity, sequences_capacity;
};

enum cor_status campaign__follower_create(const struct cor_campaign_definition *definition,
                                          struct campaign__follower **follower, struct cor_error *error) {
    const struct cor_layer *layer = definition->layer;
    enum cor_status status = COR_OK;
    *follower = NULL;
    if (!layer->schema->asked)
        return COR_OK;
    struct campaign__follower *f = cor_calloc(1, sizeof *f);
    COR_TRY(cor_made(f, error));
    f->layer = layer;
    f->inquiries = definition->inquiries;
    f->arm_count = definition->experiment->arm_count;
    f->half_width = NAN;
    COR_TRY_OUT(cor_made(f->sample = cor_calloc(f->arm_count, sizeof *f->sample), error));
    COR_TRY_OUT(cor_record_create(layer->schema, &f->record, error));
    if (layer->follow)
        COR_TRY_OUT(layer->follow_open(definition->experiment, &f->own, error));
    *follower = f;
out:
    if (status != COR_OK)
        campaign__follower_destroy(f);
    return status;
}

void campaign__follower_destroy(struct campaign__follower *follower) {
    if (!follower)
        return;
    for (uint32_t a = 0; follower->sample && a < follower->arm_count; a++) {
        COR_FREE(follower->sample[a].detected, follower->sample[a].sequences);
    }
    free(follower->sample);
    cor_record_destroy(follower->record);
    if (follower->layer->follow)
        follower->layer->follow_close(follower->own);
    free(follower);
}

/* Looked at after whole rounds: each of the first thousand, then one in a thousandth of those there were, as
 * each look goes through all suites. */
static enum cor_status find_half_width(struct campaign__follower *follower, struct cor_error *error) {
    uint64_t rounds = follower->followed / follower->arm_count;
    if (follower->followed % follower->arm_count != 0 || rounds % (1 + rounds / 1000) != 0)
        return COR_OK;
    follower->half_width = 0;
    for (uint32_t a = 0; a < follower->arm_count; a++) {
        const struct campaign__sample *sample = &follower->sample[a];
        struct cor_estimate estimate;
        const struct cor_suite_sample suites = {.y = sample->detected,
                                                .x = sample->sequences,
                                                .suites = (uint32_t)sample->count,
                                                .whole = 1,
                                                .level = LEVEL};
        COR_TRY(cor_estimate_ratio(COR_INTERVAL_LINEARISED, &suites, &estimate, error));
        const double half_width = (estimate.high - estimate.low) / 2;
        if (isnan(half_width) || half_width > follower->half_width)
            follower->half_width = half_width;
        if (isnan(half_width))
            break;
    }
    return COR_OK;
}

/* Shares of states and transitions seen so far, the least over arms; NaN: none to be seen. */
static void follower_coverage(const struct campaign__follower *follower, double *states,
                              double *transitions) {
    *states = *transitions = NAN;
    for (uint32_t a = 0; follower->layer->follow && a < follower->arm_count; a++) {
        double arm_states, arm_transitions;
        follower->layer->coverage(follower->own, a, &arm_states, &arm_transitions);
        if (isnan(arm_states)) { /* nothing was seen there yet, or nothing can be */
            *states = *transitions = NAN;
            return;
        }
        *states = fmin(*states, arm_states);
        *transitions = fmin(*transitions, arm_transitions);
    }
}

/* 1, 2, 5, 10, 20, 50, ... */
static uint64_t growth_at(size_t index) {
    static const uint64_t steps[] = {1, 2, 5};
    uint64_t at = steps[index % 3];
    for (size_t i = 0; i < index / 3; i++)
        at *= 10;
    return at;
}

/* Rows of a table lie one behind the other. */
static struct cor_asked_rows rows_of(const struct campaign__follower *follower, uint32_t table) {
    const size_t count = cor_record_size(follower->record, table);
    return (struct cor_asked_rows){count > 0 ? cor_record_at(follower->record, table, 0) : NULL, count};
}

/* What the first sequence of the suite says of a property. */
static enum cor_status ask_first(const struct campaign__follower *follower, struct cor_property *property,
                                 struct cor_property_value *value, struct cor_error *error) {
    struct cor_asked_rows suite[COR_ASKED_COUNT];
    if (follower->layer->ask)
        return follower->layer->ask(property, follower->record, 0, value, error);
    for (size_t t = 0; t < COR_ASKED_COUNT; t++)
        suite[t] = rows_of(follower, follower->layer->schema->asked->tables[t]);
    return cor_property_ask_rows(property, suite, 0, value, error);
}

/* How many sequences a suite has, and how many of them failed by their rows. */
static struct cor_detections count_failed(const struct campaign__follower *follower) {
    const struct cor_layer_schema *schema = follower->layer->schema;
    const uint32_t number = schema->asked->tables[COR_ASKED_BESIDE];
    const struct cor_column *verdict =
        cor_table_column(&schema->tables[number], schema->asked->ending->verdict);
    const struct cor_asked_rows sequences = rows_of(follower, number);
    struct cor_detections detections = {.sequences = (uint32_t)sequences.count};
    for (size_t s = 0; s < sequences.count; s++)
        detections.detected +=
            cor_column_integer(verdict, (const char *)sequences.rows + s * schema->tables[number].row_size) ==
            schema->asked->ending->failed;
    return detections;
}

/* Goes on to the suite at the next plan position. */
static enum cor_status campaign__follow(struct campaign__follower *follower, const char *journal,
                                        const struct cor_journal_entry *entry, struct cor_error *error) {
    struct cor_detections detections = {0};
    COR_ASSERT(entry->arm < follower->arm_count);
    COR_TRY(cor_journal_read(journal, entry, follower->record, error));
    if (follower->layer->follow)
        COR_TRY(follower->layer->follow(follower->own, entry->arm, follower->record, &detections, error));
    else
        detections = count_failed(follower);
    struct campaign__sample *sample = &follower->sample[entry->arm];
    COR_TRY(COR_RESERVE(&sample->detected, &sample->detected_capacity, sample->count + 1, error));
    COR_TRY(COR_RESERVE(&sample->sequences, &sample->sequences_capacity, sample->count + 1, error));
    sample->detected[sample->count] = detections.detected;
    sample->sequences[sample->count++] = detections.sequences;
    /* What the first sequence of the suite says of the properties that are asked of its arm. */
    for (uint32_t c = 0; follower->inquiries && c < follower->inquiries->count; c++) {
        struct cor_inquiry *inquiry = &follower->inquiries->items[c];
        struct cor_property_value value;
        if (!cor_inquiry_asks(inquiry, entry->arm) || inquiry->ruling.is_over)
            continue;
        COR_TRY(ask_first(follower, inquiry->property, &value, error));
        COR_TRY(cor_inquiry_take(inquiry, entry->arm, entry->suite, &value, error));
    }
    follower->followed++;
    follower->failures += entry->counts.failures;
    if (follower->growth_count < CAMPAIGN__GROWTH_MAX &&
        follower->followed == growth_at(follower->growth_count)) {
        struct cor_campaign_growth *point = &follower->growth[follower->growth_count++];
        *point = (struct cor_campaign_growth){.suites = follower->followed, .failures = follower->failures};
        follower_coverage(follower, &point->states, &point->transitions);
    }
    return find_half_width(follower, error);
}

/* Goes on without a suite there, for it is not wanted. */
static enum cor_status follow_none(struct campaign__follower *follower, struct cor_error *error) {
    follower->followed++;
    return find_half_width(follower, error);
}

/* ---- stop */

static const struct {
    const char *key;
    double least, greatest;
    bool whole; /* a whole number */
} figures_known[] = {
#define COR_STOP_FIGURE_ROW(NAME, key, least, greatest, meaning) {key, least, greatest, (least) >= 1},
    COR_STOP_FIGURES(COR_STOP_FIGURE_ROW)
#undef COR_STOP_FIGURE_ROW
};

uint32_t cor_stop_add(struct cor_stop_conditions *stop, uint32_t parent, bool all) {
    if (stop->count == COR_STOP_GROUPS_MAX)
        return COR_STOP_GROUPS_MAX;
    COR_ASSERT(parent < stop->count || stop->count == 0);
    stop->group[stop->count] = (struct cor_stop_group){.all = all, .parent = parent};
    return stop->count++;
}

static enum cor_status read_group(const struct cor_json *json, struct cor_stop_conditions *stop,
                                  uint32_t parent, bool all, struct cor_error *error);

static enum cor_status read_condition(const struct cor_json *json, struct cor_stop_conditions *stop,
                                      uint32_t group, struct cor_error *error) {
    if (strcmp(json->key, "all") == 0 || strcmp(json->key, "any") == 0)
        return read_group(json, stop, group, strcmp(json->key, "all") == 0, error);
    size_t figure = 0;
    while (strcmp(figures_known[figure].key, json->key) != 0)
        figure++;
    double *bound = &stop->group[group].bound[figure];
    if (!figures_known[figure].whole)
        return cor_json_real(json, figures_known[figure].least, figures_known[figure].greatest, bound, error);
    int64_t count;
    COR_TRY(cor_json_integer(json, (int64_t)figures_known[figure].least,
                             (int64_t)figures_known[figure].greatest, &count, error));
    *bound = (double)count;
    return COR_OK;
}

static enum cor_status read_group(const struct cor_json *json, struct cor_stop_conditions *stop,
                                  uint32_t parent, bool all, struct cor_error *error) {
    static const char *const keys[] = {
#define COR_STOP_FIGURE_KEY(NAME, key, ...) key,
        COR_STOP_FIGURES(COR_STOP_FIGURE_KEY)
#undef COR_STOP_FIGURE_KEY
            "all",
        "any", NULL};
    COR_TRY(cor_json_expect_object(json, keys, error));
    if (cor_json_size(json) == 0)
        return cor_json_fail(json, error, "name a condition, such as \"failures\": 100",
                             "holds no condition");
    uint32_t group = cor_stop_add(stop, parent, all);
    if (group == COR_STOP_GROUPS_MAX)
        return cor_json_fail(json, error, "write them with fewer \"any\" and \"all\"",
                             "more than %d groups of conditions", COR_STOP_GROUPS_MAX - 1);
    COR_JSON_CHILDREN(member, json)
        COR_TRY(read_condition(&member, stop, group, error));
    return COR_OK;
}

enum cor_status cor_stop_read(const struct cor_json *json, struct cor_stop_conditions *stop,
                              struct cor_error *error) {
    if (stop->count == 0)
        cor_stop_add(stop, 0, false);
    return read_group(json, stop, 0, false, error);
}

bool cor_stop_asks(const struct cor_stop_conditions *stop, enum cor_stop_figure figure) {
    for (uint32_t g = 0; g < stop->count; g++)
        if (stop->group[g].bound[figure] > 0)
            return true;
    return false;
}

static bool reached(enum cor_stop_figure figure, double now, double bound) {
    return figure == COR_STOP_AT_HALF_WIDTH ? now <= bound : now >= bound;
}

/* Groups stand behind those they are in: from the last on, each is known when that around it is asked. */
bool cor_stop_holds(const struct cor_stop_conditions *stop, const double figures[COR_STOP_FIGURE_COUNT]) {
    uint32_t holding[COR_STOP_GROUPS_MAX] = {0}, asked[COR_STOP_GROUPS_MAX] = {0};
    for (uint32_t g = stop->count; g-- > 0;) {
        const struct cor_stop_group *group = &stop->group[g];
        for (int f = 0; f < COR_STOP_FIGURE_COUNT; f++)
            if (group->bound[f] > 0) {
                asked[g]++;
                holding[g] += reached((enum cor_stop_figure)f, figures[f], group->bound[f]);
            }
        bool holds = group->all ? holding[g] == asked[g] : holding[g] > 0;
        if (g == 0)
            return holds && asked[g] > 0;
        asked[group->parent]++;
        holding[group->parent] += holds;
    }
    return false;
}

/* By trying: what is enough is the bound of some group. */
double cor_stop_decided(const struct cor_stop_conditions *stop) {
    double least = 0;
    for (uint32_t g = 0; g < stop->count; g++) {
        const double share = stop->group[g].bound[COR_STOP_AT_DECIDED];
        const double figures[COR_STOP_FIGURE_COUNT] = {
            [COR_STOP_AT_DECIDED] = share, [COR_STOP_AT_HALF_WIDTH] = NAN};
        if (share > 0 && (least == 0 || share < least) && cor_stop_holds(stop, figures))
            least = share;
    }
    return least;
}

/* By trying: with nothing else found, it is a bound of suites, or no number is. */
uint64_t cor_stop_suites(const struct cor_stop_conditions *stop) {
    uint64_t least = UINT64_MAX;
    for (uint32_t g = 0; g < stop->count; g++) {
        double figures[COR_STOP_FIGURE_COUNT] = {
            [COR_STOP_AT_SUITES] = stop->group[g].bound[COR_STOP_AT_SUITES], [COR_STOP_AT_HALF_WIDTH] = NAN};
        uint64_t suites = (uint64_t)figures[COR_STOP_AT_SUITES];
        if (suites > 0 && suites < least && cor_stop_holds(stop, figures))
            least = suites;
    }
    return least;
}

/* ---- whether what a campaign has stored is whole: every journal is read, and every suite that two of them
 * hold is compared */

/* A whole suite, and the journal it is in. */
struct found {
    struct cor_journal_entry entry;
    const char *path; /* borrowed from the report */
};

struct stored {
    struct found *found; /* owned */
    size_t count, capacity;
};

/* The campaign whose journals they are to be. */
struct expected {
    const struct cor_layer_schema *layer; /* borrowed */
    uint64_t *origins;                    /* owned, [arm] */
    size_t arm_count;
};

static enum cor_status add_journal(const struct expected *expected, struct cor_journal_report *journal,
                                   struct stored *stored, struct cor_error *error) {
    COR_FREED struct cor_journal_entry *entries = NULL;
    struct stat file;
    size_t count;
    uint64_t end = 0;
    if (cor_journal_scan(expected->layer, journal->path, &entries, &count, &journal->torn, &journal->error) !=
        COR_OK) {
        if (journal_is_gone(journal->path)) /* it was empty */
            journal->error = COR_NO_ERROR;
        return journal->error.status == COR_STATUS_MEMORY ? cor_fail_memory(error) : COR_OK;
    }
    journal->bytes = stat(journal->path, &file) == 0 ? (uint64_t)file.st_size : 0;
    COR_TRY(COR_RESERVE(&stored->found, &stored->capacity, stored->count + count, error));
    for (size_t i = 0; i < count; i++) {
        const struct cor_journal_entry *entry = &entries[i];
        journal->damaged += entry->offset - end;
        end = entry->offset + entry->size;
        bool own = entry->arm < expected->arm_count && entry->origin == expected->origins[entry->arm];
        journal->suites += own;
        journal->foreign += !own;
        if (own)
            stored->found[stored->count++] = (struct found){*entry, journal->path};
    }
    return COR_OK;
}

static int by_suite_verify(const void *a, const void *b) {
    const struct found *left = a, *right = b;
    if (left->entry.arm != right->entry.arm)
        return left->entry.arm < right->entry.arm ? -1 : 1;
    if (left->entry.suite != right->entry.suite)
        return left->entry.suite < right->entry.suite ? -1 : 1;
    int order = strcmp(left->path, right->path);
    return order != 0
               ? order
               : (left->entry.offset > right->entry.offset) - (left->entry.offset < right->entry.offset);
}

static enum cor_status compare_twins(const struct cor_layer_schema *layer, const struct stored *stored,
                                     struct cor_stored_report *report, struct cor_error *error) {
    for (size_t i = 0; i < stored->count; i++) {
        const struct found *now = &stored->found[i], *before = i > 0 ? now - 1 : NULL;
        bool same = true,
             twin = before && before->entry.arm == now->entry.arm && before->entry.suite == now->entry.suite;
        report->stored += !twin;
        report->twins += twin;
        if (twin)
            COR_TRY(cor_journal_compare(layer, before->path, &before->entry, now->path, &now->entry, &same,
                                        error));
        report->different += !same;
    }
    return COR_OK;
}

static enum cor_status verify(const struct expected *expected, char *const *paths, size_t count,
                              struct cor_stored_report *report, struct cor_error *error) {
    struct stored stored = {0};
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(report->journals = cor_calloc(count, sizeof *report->journals), error));
    while (report->journal_count < count) {
        struct cor_journal_report *journal = &report->journals[report->journal_count];
        COR_TRY_OUT(cor_made(journal->path = cor_strdup(paths[report->journal_count++]), error));
        COR_TRY_OUT(add_journal(expected, journal, &stored, error));
    }
    if (stored.count > 0)
        qsort(stored.found, stored.count, sizeof *stored.found, by_suite_verify);
    status = compare_twins(expected->layer, &stored, report, error);
out:
    free(stored.found);
    return status;
}

enum cor_status cor_campaign_verify(const struct cor_layer_schema *layer, const char *output,
                                    struct cor_stored_report *report, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct expected expected = {.layer = layer};
    COR_FREED char *folder = cor_format("%s.parts", output),
                   *manifest = cor_format("%s.parts/MANIFEST", output);
    char **paths = NULL;
    size_t count = 0;
    *report = (struct cor_stored_report){0};
    if (!folder || !manifest)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(campaign__manifest_read_origins(manifest, &expected.origins, &expected.arm_count, error));
    COR_TRY_OUT(campaign__folder_journals(folder, &paths, &count, error));
    COR_TRY_OUT(verify(&expected, paths, count, report, error));
out:
    if (status != COR_OK)
        cor_stored_report_fini(report);
    campaign__folder_free(paths, count);
    free(expected.origins);
    return status;
}

void cor_stored_report_fini(struct cor_stored_report *report) {
    for (size_t i = 0; i < report->journal_count; i++)
        free(report->journals[i].path);
    free(report->journals);
    *report = (struct cor_stored_report){0};
}

static bool journal_is_gone(const char *journal) {
    struct stat there;
    return lstat(journal, &there) != 0 && errno == ENOENT;
}
