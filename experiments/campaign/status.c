/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who executed which suite, where, and how long it took: beside each journal while the campaign is under way,
 * beside the result in the end. True of the runs that were, so none of it is in the result; and no campaign
 * ends for it. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/kinds.h>
#include <corridor/record.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Of a journal. */
struct origin {
    char host[256];
    long process;
    uint32_t worker;
};

/* Of a suite. */
struct timing {
    uint32_t origin; /* 1 + index; 0 = nothing is known */
    float wall_seconds, cpu_seconds;
};

struct times {
    struct origin *origins; /* owned */
    size_t origin_count, capacity;
    struct timing *timings; /* owned; by plan position */
};

FILE *campaign__times_open(const struct cor_campaign *campaign, uint32_t worker, const char *journal) {
    struct utsname here;
    const char *host = campaign__host_of(campaign, worker);
    COR_FREED char *path = cor_format("%s" CAMPAIGN__TIMES_SUFFIX, journal);
    FILE *file = path ? fopen(path, "we") : NULL;
    if (file)
        fprintf(file, "%s %ld %u\n",
                host                ? host
                : uname(&here) == 0 ? here.nodename
                                    : "?",
                (long)getpid(), worker);
    return file;
}

void campaign__journal_remove(const char *journal) {
    COR_FREED char *times = cor_format("%s" CAMPAIGN__TIMES_SUFFIX, journal);
    if (times)
        unlink(times);
    unlink(journal);
}

void campaign__times_note(FILE *file, const struct cor_campaign *campaign, uint64_t position) {
    const struct cor_suite_note *note = &campaign->shared->note[position];
    if (file)
        fprintf(file, "%u %u %.6f %.6f\n", campaign__arm_at(campaign, position),
                campaign__suite_at(campaign, position), (double)note->wall_seconds,
                (double)note->cpu_seconds);
}

/* The lines of a journal's file; the last one may be torn. */
static enum cor_status read_lines(const struct cor_campaign *campaign, FILE *file, struct times *times,
                                  struct cor_error *error) {
    char line[512], end;
    COR_TRY(COR_RESERVE(&times->origins, &times->capacity, times->origin_count + 1, error));
    struct origin *origin = &times->origins[times->origin_count];
    if (!fgets(line, sizeof line, file) ||
        sscanf(line, "%255s %ld %u%c", origin->host, &origin->process, &origin->worker, &end) != 4)
        return COR_OK;
    times->origin_count++;
    while (fgets(line, sizeof line, file)) {
        uint32_t arm, suite;
        struct timing timing = {.origin = (uint32_t)times->origin_count};
        if (sscanf(line, "%u %u %f %f%c", &arm, &suite, &timing.wall_seconds, &timing.cpu_seconds, &end) !=
                5 ||
            end != '\n' || arm >= campaign->definition.experiment->arm_count)
            continue;
        uint64_t position = (uint64_t)suite * campaign->definition.experiment->arm_count + arm;
        if (position < campaign->kept)
            times->timings[position] = timing;
    }
    return COR_OK;
}

static enum cor_status read_all(const struct cor_campaign *campaign, struct times *times,
                                struct cor_error *error) {
    COR_TRY(cor_made(times->timings = cor_calloc(campaign->kept, sizeof *times->timings), error));
    for (size_t i = 0; i < campaign->followed_count; i++) {
        COR_FREED char *path = cor_format("%s" CAMPAIGN__TIMES_SUFFIX, campaign->followed[i].path);
        FILE *file = path ? fopen(path, "re") : NULL;
        enum cor_status status = file ? read_lines(campaign, file, times, error) : COR_OK;
        if (file)
            fclose(file);
        COR_TRY(status);
    }
    return COR_OK;
}

enum cor_status campaign__times_write(const struct cor_campaign *campaign, const char *path,
                                      struct cor_error *error) {
    struct times times = {0};
    uint64_t program = 0; /* the same for all: journals of another one are refused */
    FILE *file = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(campaign__program_fingerprint(&program, error));
    COR_TRY_OUT(read_all(campaign, &times, error));
    file = fopen(path, "we");
    if (!file)
        COR_TRY_OUT(cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write"));
    fprintf(file,
            CAMPAIGN__TIMES_BEGINNING "worker,cases,reorganizations,wall_s,cpu_s,host,process,program\n");
    for (uint64_t i = 0; i < campaign->kept; i++) {
        const struct timing *timing = &times.timings[i];
        const struct cor_suite_counts *tally = &campaign->shared->note[i].tally;
        if (timing->origin == 0 || !campaign__is_wanted(campaign, i))
            continue;
        const struct origin *origin = &times.origins[timing->origin - 1];
        fprintf(file, "%s,%u,%u,%u,%u,%.6f,%.6f,%s,%ld,0x%016llx\n", campaign__arm_name_at(campaign, i),
                campaign__suite_at(campaign, i), origin->worker, tally->cases, tally->reorganizations,
                (double)timing->wall_seconds, (double)timing->cpu_seconds, origin->host, origin->process,
                (unsigned long long)program);
    }
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        status = cor_fail_errno(error, COR_STATUS_FILE, path, "free some space", "cannot write");
out:
    COR_FREE(times.origins, times.timings);
    return status;
}

/* ---- how far a campaign is, for others: the planning process says it in the folder of work under way. A
 * process with a share of its own, as the task of a job array, knows of itself alone, and has a file of its
 * own */

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
    cor_json_open_array(writer, "arms");
    for (uint32_t a = 0; a < campaign->definition.experiment->arm_count; a++) {
        cor_json_open_object(writer, NULL);
        const struct cor_arm_head *arm = &campaign->definition.experiment->arms[a];
        cor_json_put_string(writer, "name", arm->name);
        cor_json_put_string(writer, "fault", arm->fault ? arm->fault : "none");
        double states = NAN, transitions = NAN;
        if (campaign->follower && campaign->definition.layer->coverage)
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
    COR_FREED struct cor_arm_progress *arms =
        cor_calloc(campaign->definition.experiment->arm_count, sizeof *arms);
    COR_FREED char *text = NULL;
    struct cor_error ignored = COR_NO_ERROR;
    if (arms) {
        tally(campaign, arms);
        COR_FREED char *name = campaign__share_is_part(campaign) && !campaign->share.launched
                                   ? cor_format(CAMPAIGN__TASK_STATUS "%u", campaign->share.index)
                                   : cor_strdup(CAMPAIGN__STATUS);
        if (name && make_text(campaign, status, arms, &text, &ignored) == COR_OK)
            campaign__folder_say(campaign, name, text);
    }
}

/* ---- how far a campaign is, as anybody may read it in its folder, while it runs and when it was ended. What
 * tasks of a job array have stored is read from the headers of the journals: no task knows of the others */

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
    struct cor_json growth;
    COR_TRY(cor_json_need(root, "growth", &growth, error));
    size_t count = cor_json_size(&growth);
    COR_TRY(cor_made(report->growth = cor_calloc(count, sizeof *report->growth), error));
    while (report->growth_count < count) {
        struct cor_json point = cor_json_at(&growth, report->growth_count);
        COR_TRY(read_point(&point, &report->growth[report->growth_count++], error));
    }
    return COR_OK;
}

bool cor_campaign_is_there(const char *output) {
    struct stat there;
    COR_FREED char *folder = cor_format("%s.parts", output),
                   *manifest = cor_format("%s.parts/MANIFEST", output);
    return folder && manifest && stat(folder, &there) == 0 &&
           (stat(manifest, &there) == 0 || campaign__lock_process(folder) != 0);
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
    const char *reader = NULL, *what = cor_is_result_file(output) ? NULL : cor_what_file(output, &reader);
    if (what)
        return cor_fail(error, COR_STATUS_FILE, output, reader, "is %s, not a result file", what);
    if (!cor_is_result_file(output))
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
    /* Ends of arms that any task knows of. */
    for (size_t a = 0; a < task->arm_count; a++)
        if (task->arms[a].ends < report->arms[a].ends)
            report->arms[a].ends = task->arms[a].ends;
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
    COR_FINISHED(cor_campaign_report) struct cor_campaign_report task = {0};
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    struct cor_error ignored = COR_NO_ERROR;
    enum cor_status status = COR_OK;
    uint32_t share = (uint32_t)strtoul(strrchr(path, '-') + 1, NULL, 10);
    if (cor_json_read(path, &document, &ignored) != COR_OK)
        return COR_OK;
    const struct cor_json root = cor_json_root(document);
    COR_TRY(read_report(&root, &task, error));
    struct cor_json child;
    uint64_t passed = 0; /* by this task: what all tasks know is reckoned with once */
    if (cor_json_find(&root, "suites_passed", &child))
        COR_TRY(read_count(&root, "suites_passed", &passed, error));
    task.status.suites_planned += task.status.suites_planned > 0 ? passed : 0;
    bool alive = campaign__lock_is_held(folder, share);
    add_task(report, &task, alive, own);
    if (alive)
        status = move_open(report, &task, error);
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
    COR_FREE(stored.origins, stored.suites, manifest);
    return status;
}

enum cor_status cor_campaign_layer(const char *output, char **name, struct cor_error *error) {
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    COR_FREED char *folder = cor_format("%s.parts", output),
                   *path = folder ? cor_format("%s/MANIFEST", folder) : NULL;
    *name = NULL;
    COR_TRY(cor_made(path, error));
    COR_TRY(check_there(output, folder, error));
    COR_TRY(read_there(output, folder, path, &document, error));
    const struct cor_json root = cor_json_root(document);
    return read_name(&root, "layer", name, error);
}

static enum cor_status read_folder(const char *output, const char *folder, struct cor_campaign_report *report,
                                   struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
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
    free(path);
    return status;
}

enum cor_status cor_campaign_report_read(const char *output, struct cor_campaign_report *report,
                                         struct cor_error *error) {
    struct cor_error trouble = COR_NO_ERROR;
    *report = (struct cor_campaign_report){.status.seconds_left = NAN};
    COR_FREED char *folder = cor_format("%s.parts", output);
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
    return status;
}

void cor_campaign_report_fini(struct cor_campaign_report *report) {
    for (size_t a = 0; a < report->arm_count; a++) {
        COR_FREE(report->arms[a].name, report->arms[a].fault);
    }
    for (size_t o = 0; o < report->open_count; o++)
        free(report->open[o].arm);
    COR_FREE(report->arms, report->open, report->growth);
    *report = (struct cor_campaign_report){0};
}

/* ---- failures as they come: suites that failed, read from the ends of journals that grow */

struct cor_news_journal {
    char *path;      /* owned */
    uint64_t offset; /* the end of the last whole frame that was read */
};

static void add_suite(struct cor_failing_news *news, const struct cor_failing_suite *suite) {
    for (size_t i = 0; i < news->count; i++) /* a suite that two journals hold counts once */
        if (news->newest[i].arm == suite->arm && news->newest[i].suite == suite->suite)
            return;
    news->count += news->count < COR_FAILING_SUITES;
    memmove(&news->newest[1], &news->newest[0], (news->count - 1) * sizeof *news->newest);
    news->newest[0] = *suite;
}

static enum cor_status find_journal(struct cor_failing_news *news, const char *path,
                                    struct cor_news_journal **journal, struct cor_error *error) {
    for (size_t i = 0; i < news->journal_count; i++)
        if (strcmp(news->journals[i].path, path) == 0) {
            *journal = &news->journals[i];
            return COR_OK;
        }
    COR_TRY(COR_RESERVE(&news->journals, &news->journal_capacity, news->journal_count + 1, error));
    *journal = &news->journals[news->journal_count];
    **journal = (struct cor_news_journal){.path = cor_strdup(path)};
    COR_TRY(cor_made((*journal)->path, error));
    news->journal_count++;
    return COR_OK;
}

static enum cor_status read_journal(const struct cor_layer_schema *layer, const char *path,
                                    const uint64_t *origins, size_t origin_count,
                                    struct cor_failing_news *news, struct cor_error *error) {
    struct cor_news_journal *journal;
    struct cor_journal_entry *entries;
    struct cor_error ignored = COR_NO_ERROR;
    size_t count;
    uint64_t torn;
    COR_TRY(find_journal(news, path, &journal, error));
    if (cor_journal_scan_from(layer, path, journal->offset, &entries, &count, &torn, &ignored) != COR_OK)
        return COR_OK;
    for (size_t i = 0; i < count; i++) {
        const struct cor_journal_entry *entry = &entries[i];
        journal->offset = entry->offset + entry->size;
        if (entry->arm >= origin_count || entry->origin != origins[entry->arm])
            continue;
        news->suites++;
        if (entry->counts.failures > 0)
            add_suite(news, &(struct cor_failing_suite){entry->arm, entry->suite, entry->counts.failures});
    }
    free(entries);
    return COR_OK;
}

enum cor_status cor_failing_news_read(const struct cor_layer_schema *layer, const char *output,
                                      struct cor_failing_news *news, struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_FREED uint64_t *origins = NULL;
    char **paths = NULL, *folder = cor_format("%s.parts", output),
         *manifest = folder ? cor_format("%s/MANIFEST", folder) : NULL;
    size_t origin_count = 0, count = 0;
    if (!manifest)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(campaign__manifest_read_origins(manifest, &origins, &origin_count, error));
    COR_TRY_OUT(campaign__folder_journals(folder, &paths, &count, error));
    for (size_t i = 0; i < count; i++)
        COR_TRY_OUT(read_journal(layer, paths[i], origins, origin_count, news, error));
out:
    campaign__folder_free(paths, count);
    COR_FREE(manifest, folder);
    return status;
}

void cor_failing_news_fini(struct cor_failing_news *news) {
    for (size_t i = 0; i < news->journal_count; i++)
        free(news->journals[i].path);
    free(news->journals);
    *news = (struct cor_failing_news){0};
}

/* ---- how long the rest of a campaign takes, by the suites of this run, those under way included. Arms
 * differ: each suite weighs what suites of its arm have taken so far. True of this run and machine, so none
 * of it is in a result */

#define LOOK_MAX 65536 /* plan positions that are looked at; in longer plans arms weigh the same */

/* Suites of an arm. */
struct pace {
    uint64_t finished, left; /* left: those under way included */
    double seconds, squares; /* of those finished */
    double passed;           /* of those under way */
};

static double mean_of(const struct pace *pace, double of_all) {
    /* As if one more suite had been seen, like all: the first of an arm may be odd. */
    return (pace->seconds + pace->passed + of_all) / ((double)pace->finished + 1);
}

/* Seconds since a worker began its suite; -1: it is at none. */
static double under_way(const struct cor_campaign *campaign, uint32_t worker, uint64_t *position) {
    const uint64_t taken = atomic_load(&campaign->shared->worker[worker].position);
    if (taken == 0)
        return -1;
    *position = taken - 1;
    const double now = cor_wall_seconds(),
                 since = (double)atomic_load(&campaign->shared->worker[worker].since_ms) / 1000;
    return now > since ? now - since : 0;
}

/* Over all positions: who has taken how long. */
static void gather(const struct cor_campaign *campaign, uint64_t positions, struct pace *arms,
                   struct pace *all) {
    for (uint64_t i = 0; i < positions; i++) {
        const struct cor_suite_note *note = &campaign->shared->note[i];
        struct pace *arm = &arms[campaign__arm_at(campaign, i)];
        if (!atomic_load(&note->done)) {
            const bool is_wanted = campaign__is_wanted(campaign, i);
            arm->left += is_wanted;
            all->left += is_wanted;
        } else if (atomic_load(&note->worker) != 0) {
            const double seconds = (double)note->wall_seconds;
            arm->finished++;
            all->finished++;
            arm->seconds += seconds;
            all->seconds += seconds;
            arm->squares += seconds * seconds;
            all->squares += seconds * seconds;
        }
    }
    for (uint32_t w = 0; w < campaign->definition.workers; w++) {
        uint64_t position;
        const double passed = under_way(campaign, w, &position);
        if (passed < 0 || position >= positions)
            continue;
        arms[campaign__arm_at(campaign, position)].passed += passed;
        all->passed += passed;
    }
}

/* Standard deviation over the mean. */
static double deviation_of(const struct pace *pace) {
    const double n = (double)pace->finished, mean = pace->seconds / n;
    return pace->finished > 1 && mean > 0
               ? sqrt(fmax(pace->squares / n - mean * mean, 0) * n / (n - 1)) / mean
               : 0;
}

/* Before a suite is finished: by the shares that those under way have done, if all of them say so. */
static double left_by_shares(const struct cor_campaign *campaign, double suites, double seconds) {
    double done = 0;
    for (uint32_t w = 0; w < campaign->definition.workers; w++) {
        uint64_t position;
        if (under_way(campaign, w, &position) < 0)
            continue;
        const double share = 1e-6 * atomic_load(&campaign->shared->worker[w].share);
        if (share <= 0)
            return NAN;
        done += share;
    }
    return done > 0 ? seconds * (suites - done) / done : NAN;
}

struct cor_campaign_pace cor_campaign_pace(const struct cor_campaign *campaign) {
    struct cor_campaign_pace pace = {NAN, NAN};
    const uint64_t limit = atomic_load(&campaign->shared->limit),
                   positions = limit < campaign->planned ? limit : campaign->planned;
    const double seconds = cor_wall_seconds() - campaign->started;
    const struct campaign__stored stored = campaign__count_stored(campaign);
    const uint64_t finished = stored.done - stored.before;
    struct pace all = {0}, *arms;
    if (campaign->planned == 0)
        return pace;
    if (finished == 0) {
        pace.seconds_left = left_by_shares(campaign, (double)(positions - stored.before), seconds);
        return pace;
    }
    pace.seconds_left = seconds * (double)(positions - stored.done) / (double)finished;
    if (positions > LOOK_MAX ||
        !(arms = cor_calloc(campaign->definition.experiment->arm_count, sizeof *arms)))
        return pace;
    gather(campaign, positions, arms, &all);
    if (all.finished > 0 && all.seconds > 0) {
        /* What is done and what is left, in seconds of a worker; the latter with its variance. */
        const double of_all = (all.seconds + all.passed) / (double)all.finished, spread = deviation_of(&all);
        double done = 0, left = 0, variance = 0, longest = 0;
        for (uint32_t a = 0; a < campaign->definition.experiment->arm_count; a++) {
            const struct pace *arm = &arms[a];
            const double n = (double)arm->finished, rest = (double)arm->left, mean = mean_of(arm, of_all);
            /* A few suites of an arm may by chance be alike: they differ at least half as much as all do. */
            const double deviation = mean * fmax(deviation_of(arm), arm->finished > 2 ? spread / 2 : spread);
            done += n * mean;
            left += rest * mean;
            variance += deviation * deviation * (rest * rest / (n + 1) + rest);
        }
        for (uint32_t w = 0; w < campaign->definition.workers; w++) {
            uint64_t position;
            const double passed = under_way(campaign, w, &position);
            if (passed < 0)
                continue;
            const double mean = mean_of(&arms[campaign__arm_at(campaign, position)], of_all),
                         counted = fmin(passed, 0.9 * mean);
            done += counted;
            left -= counted;
            longest = fmax(longest, mean - counted);
        }
        pace.seconds_left = fmax(seconds * left / done, longest);
        pace.error = seconds * sqrt(variance) / done;
    }
    free(arms);
    return pace;
}
