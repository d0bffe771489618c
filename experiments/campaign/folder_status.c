/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a campaign is, as anybody may read it in its folder, while it runs and when it was ended. What
 * tasks of a job array have stored is read from the headers of the journals: no task knows of the others. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/kinds.h>
#include <corridor/record.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

static enum cor_status read_point(const struct cor_json *json, struct cor_campaign_growth *point,
                                  struct cor_error *error) {
    COR_TRY(read_count(json, "suites", &point->suites, error));
    COR_TRY(read_count(json, "failures", &point->failures, error));
    COR_TRY(read_share(json, "states", &point->states, error));
    return read_share(json, "transitions", &point->transitions, error);
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
        struct cor_arm_progress *it = &report->arms[report->arm_count++];
        COR_TRY(read_name(&arm, "name", &it->name, error));
        COR_TRY(read_name(&arm, "fault", &it->fault, error));
        COR_TRY(read_share(&arm, "states", &it->states, error));
        COR_TRY(read_share(&arm, "transitions", &it->transitions, error));
        COR_TRY(read_count(&arm, "suites", &it->suites, error));
        COR_TRY(read_count(&arm, "cases", &it->cases, error));
        COR_TRY(read_count(&arm, "reorganizations", &it->reorganizations, error));
        COR_TRY(read_count(&arm, "failures", &it->failures, error));
        struct cor_json ends;
        it->ends = UINT64_MAX;
        if (cor_json_find(&arm, "ends", &ends))
            COR_TRY(read_count(&arm, "ends", &it->ends, error));
    }
    while (report->open_count < open_count) {
        struct cor_json worker = cor_json_at(&workers, report->open_count);
        struct cor_open_suite *open = &report->open[report->open_count++];
        COR_TRY(read_name(&worker, "arm", &open->arm, error));
        COR_TRY(read_count(&worker, "suite", &open->suite, error));
    }
    return COR_OK;
}

static enum cor_status read_report(const struct cor_json *root, struct cor_campaign_report *report,
                                   struct cor_error *error) {
    struct cor_json seconds, left, stopped;
    report->status.seconds_left = NAN;
    COR_TRY(read_count(root, "suites_planned", &report->status.suites_planned, error));
    COR_TRY(read_count(root, "suites_done", &report->status.suites_done, error));
    COR_TRY(read_count(root, "suites_before", &report->status.suites_before, error));
    COR_TRY(read_count(root, "suites_kept", &report->status.suites_kept, error));
    COR_TRY(cor_json_need(root, "seconds", &seconds, error));
    COR_TRY(cor_json_real(&seconds, 0, 1e12, &report->status.seconds, error));
    if (cor_json_find(root, "seconds_left", &left) && !cor_json_is_null(&left))
        COR_TRY(cor_json_real(&left, 0, 1e12, &report->status.seconds_left, error));
    COR_TRY(cor_json_need(root, "stopped", &stopped, error));
    COR_TRY(cor_json_bool(&stopped, &report->status.stopped, error));
    COR_TRY(read_lists(root, report, error));
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

/* Does it begin as every file of HDF5 does? */
static bool looks_like_result(const char *path) {
    char begin[8] = "";
    FILE *file = fopen(path, "rb");
    bool is_read = file && fread(begin, 1, sizeof begin, file) == sizeof begin;
    if (file)
        fclose(file);
    return is_read && memcmp(begin, "\x89HDF\r\n\x1a\n", sizeof begin) == 0;
}

bool cor_campaign_is_there(const char *output) {
    struct stat there;
    char *folder = cor_format("%s.parts", output), *manifest = cor_format("%s.parts/MANIFEST", output);
    const bool is_there = folder && manifest && stat(folder, &there) == 0 &&
                          (stat(manifest, &there) == 0 || campaign__lock_process(folder) != 0);
    free(folder);
    free(manifest);
    return is_there;
}

static enum cor_status check_there(const char *output, const char *folder, struct cor_error *error) {
    struct stat there;
    if (cor_campaign_is_there(output))
        return COR_OK;
    if (stat(output, &there) != 0 || !S_ISREG(there.st_mode))
        return cor_fail(error, COR_STATUS_FILE, output,
                        stat(folder, &there) == 0
                            ? "the folder beside it holds nothing of one: the same corridor run begins anew"
                            : "name the result file of a campaign, as given to corridor run -o",
                        "no campaign is under way");
    const char *reader = NULL, *what = looks_like_result(output) ? NULL : cor_what_file(output, &reader);
    if (what)
        return cor_fail(error, COR_STATUS_FILE, output, reader, "is %s, not a result file", what);
    if (!looks_like_result(output))
        return cor_fail(error, COR_STATUS_FILE, output,
                        "name the result file of a campaign, as given to corridor run -o",
                        "this is no result file, and no campaign is under way");
    return cor_fail(error, COR_STATUS_FILE, output, "corridor verify looks at it, corridor report shows it",
                    "the campaign has ended, and this is its result");
}

/* Reads a file of the folder, which may not be there yet, or come or go in this moment. */
static enum cor_status read_there(const char *output, const char *folder, const char *path,
                                  struct cor_json_document **document, struct cor_error *error) {
    struct cor_error trouble = COR_NO_ERROR;
    struct stat there;
    if (cor_json_read(path, document, &trouble) == COR_OK)
        return COR_OK;
    if (stat(path, &there) == 0)
        return cor_json_read(path, document, error); /* it may have come between the two */
    COR_TRY(check_there(output, folder, error));
    return cor_fail(error, COR_STATUS_FILE, output, "look again in a second",
                    "the campaign has not said yet how far it is");
}

/* Ends of arms that any task knows of. */
static void join_ends(struct cor_arm_progress *arms, const struct cor_arm_progress *others, size_t count) {
    for (size_t a = 0; a < count; a++)
        if (others[a].ends < arms[a].ends)
            arms[a].ends = others[a].ends;
}

static void add_task(struct cor_campaign_report *report, struct cor_campaign_report *task, bool alive,
                     uint64_t *own) {
    struct cor_campaign_status *status = &report->status;
    *own += alive ? task->status.suites_done - task->status.suites_before : 0;
    report->tasks += alive;
    status->stopped = status->stopped || task->status.stopped;
    if (alive && task->status.seconds > status->seconds)
        status->seconds = task->status.seconds;
    if (task->status.suites_planned > status->suites_planned)
        status->suites_planned = task->status.suites_planned;
    if (task->arm_count > report->arm_count) {
        struct cor_arm_progress *arms = report->arms;
        size_t count = report->arm_count;
        report->arms = task->arms;
        report->arm_count = task->arm_count;
        task->arms = arms;
        task->arm_count = count;
    }
    join_ends(report->arms, task->arms, task->arm_count);
}

/* What the workers of a task that is alive are at. */
static enum cor_status move_open(struct cor_campaign_report *report, struct cor_campaign_report *task,
                                 struct cor_error *error) {
    size_t capacity = report->open_count, wanted = report->open_count + task->open_count;
    COR_TRY(COR_RESERVE(&report->open, &capacity, wanted, error));
    for (size_t i = 0; i < task->open_count; i++)
        report->open[report->open_count++] = task->open[i];
    task->open_count = 0;
    return COR_OK;
}

/* A file that goes in this moment is no trouble. */
static enum cor_status read_task(const char *folder, const char *path, struct cor_campaign_report *report,
                                 uint64_t *own, struct cor_error *error) {
    struct cor_campaign_report task = {0};
    struct cor_json_document *document = NULL;
    struct cor_error ignored = COR_NO_ERROR;
    enum cor_status status = COR_OK;
    uint32_t share = (uint32_t)strtoul(strrchr(path, '-') + 1, NULL, 10);
    if (cor_json_read(path, &document, &ignored) != COR_OK)
        return COR_OK;
    const struct cor_json root = cor_json_root(document);
    COR_TRY_OUT(read_report(&root, &task, error));
    struct cor_json child;
    uint64_t passed = 0; /* by this task: what all tasks know is reckoned with once */
    if (cor_json_find(&root, "suites_passed", &child))
        COR_TRY_OUT(read_count(&root, "suites_passed", &passed, error));
    task.status.suites_planned += task.status.suites_planned > 0 ? passed : 0;
    bool alive = campaign__lock_is_held(folder, share);
    add_task(report, &task, alive, own);
    if (alive)
        status = move_open(report, &task, error);
out:
    cor_campaign_report_fini(&task);
    cor_json_destroy(document);
    return status;
}

/* A suite that is stored, and its plan position. */
struct stored_suite {
    uint64_t position;
    struct cor_journal_entry entry;
};

struct stored {
    struct stored_suite *suites; /* owned */
    uint64_t *origins;           /* owned */
    size_t origin_count, count, capacity;
};

static int by_position(const void *a, const void *b) {
    const struct stored_suite *left = a, *right = b;
    return (left->position > right->position) - (left->position < right->position);
}

static enum cor_status add_journal(struct stored *stored, size_t arms, const char *path,
                                   struct cor_error *error) {
    struct cor_journal_entry *entries;
    struct cor_error ignored = COR_NO_ERROR;
    size_t count;
    if (cor_journal_scan_heads(path, &entries, &count, &ignored) != COR_OK)
        return COR_OK; /* corridor verify tells */
    enum cor_status status = COR_RESERVE(&stored->suites, &stored->capacity, stored->count + count, error);
    for (size_t i = 0; status == COR_OK && i < count; i++) {
        const uint16_t arm = entries[i].arm;
        if (arm < arms && arm < stored->origin_count && entries[i].origin == stored->origins[arm])
            stored->suites[stored->count++] =
                (struct stored_suite){(uint64_t)entries[i].suite * arms + arm, entries[i]};
    }
    free(entries);
    return status;
}

/* Goes over plan positions that are not wanted, before `end`. */
static void pass_unwanted(struct cor_campaign_report *report, uint64_t end, uint64_t *position,
                          uint64_t *passed) {
    const uint64_t arms = report->arm_count;
    for (; *position < end && *position / arms >= report->arms[*position % arms].ends; ++*position)
        ++*passed;
}

/* A suite that two journals hold counts once; those that nobody wants make no gap, and are none of the plan.
 */
static void count_suites(const struct stored *stored, struct cor_campaign_report *report) {
    struct cor_campaign_status *status = &report->status;
    if (stored->count > 0)
        qsort(stored->suites, stored->count, sizeof *stored->suites, by_position);
    uint64_t position = 0, passed = 0, end = status->suites_planned;
    if (end == 0 && stored->count > 0) /* endless */
        end = stored->suites[stored->count - 1].position;
    for (size_t i = 0; i < stored->count; i++) {
        const struct stored_suite *suite = &stored->suites[i];
        if (i > 0 && suite->position == suite[-1].position)
            continue;
        struct cor_arm_progress *arm = &report->arms[suite->entry.arm];
        if (suite->entry.suite >= arm->ends || (status->suites_planned > 0 && suite->position >= end))
            continue; /* a worker ran ahead */
        arm->suites++;
        arm->cases += suite->entry.counts.cases;
        arm->reorganizations += suite->entry.counts.reorganizations;
        arm->failures += suite->entry.counts.failures;
        pass_unwanted(report, end, &position, &passed);
        const bool is_next = suite->position == position;
        status->suites_kept += is_next;
        position += is_next;
        status->suites_done++;
    }
    pass_unwanted(report, end, &position, &passed);
    if (status->suites_planned > 0)
        status->suites_planned -= passed;
}

static enum cor_status read_journals(const char *folder, struct cor_campaign_report *report,
                                     struct cor_error *error) {
    struct stored stored = {0};
    char **paths = NULL, *manifest = cor_format("%s/MANIFEST", folder);
    size_t count = 0;
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(manifest, error));
    for (size_t a = 0; a < report->arm_count; a++) {
        struct cor_arm_progress *arm = &report->arms[a];
        arm->suites = arm->cases = arm->reorganizations = arm->failures = 0;
        arm->states = arm->transitions = NAN; /* each task has followed suites of its own */
    }
    COR_TRY_OUT(campaign__manifest_read_origins(manifest, &stored.origins, &stored.origin_count, error));
    COR_TRY_OUT(campaign__folder_journals(folder, &paths, &count, error));
    for (size_t i = 0; i < count; i++)
        COR_TRY_OUT(add_journal(&stored, report->arm_count, paths[i], error));
    count_suites(&stored, report);
out:
    campaign__folder_free(paths, count);
    free(stored.origins);
    free(stored.suites);
    free(manifest);
    return status;
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

static enum cor_status read_folder(const char *output, const char *folder, struct cor_campaign_report *report,
                                   struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_json_document *document = NULL;
    char **tasks = NULL, *path = cor_format("%s/" CAMPAIGN__STATUS, folder);
    size_t task_count = 0;
    COR_TRY(cor_made(path, error));
    report->process = campaign__lock_process(folder);
    COR_TRY_OUT(campaign__folder_tasks(folder, &tasks, &task_count, error));
    if (task_count > 0) {
        /* Tasks of a job array: each says of its own share how far it is. */
        uint64_t own = 0;
        for (size_t i = 0; i < task_count; i++)
            COR_TRY_OUT(read_task(folder, tasks[i], report, &own, error));
        COR_TRY_OUT(read_journals(folder, report, error));
        uint64_t done = report->status.suites_done;
        report->status.suites_before = done > own ? done - own : 0;
    } else {
        COR_TRY_OUT(read_there(output, folder, path, &document, error));
        const struct cor_json root = cor_json_root(document);
        COR_TRY_OUT(read_report(&root, report, error));
    }
    for (size_t a = 0; a < report->arm_count; a++) {
        report->status.cases += report->arms[a].cases;
        report->status.reorganizations += report->arms[a].reorganizations;
        report->status.failures += report->arms[a].failures;
    }
    report->status.ended = report->process == 0;
    while (report->status.ended && report->open_count > 0) /* a killed process could not take them back */
        free(report->open[--report->open_count].arm);
out:
    campaign__folder_free(tasks, task_count);
    cor_json_destroy(document);
    free(path);
    return status;
}

enum cor_status cor_campaign_report_read(const char *output, struct cor_campaign_report *report,
                                         struct cor_error *error) {
    struct cor_error trouble = COR_NO_ERROR;
    *report = (struct cor_campaign_report){.status.seconds_left = NAN};
    char *folder = cor_format("%s.parts", output);
    COR_TRY(cor_made(folder, error));
    enum cor_status status = check_there(output, folder, error);
    if (status == COR_OK && (status = read_folder(output, folder, report, &trouble)) != COR_OK) {
        cor_campaign_report_fini(report);
        /* A campaign that ends in this moment takes its folder along. */
        const enum cor_status there = check_there(output, folder, error);
        if (there == COR_OK)
            *error = trouble;
        else
            status = there;
    }
    free(folder);
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
