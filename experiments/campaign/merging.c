/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files that a campaign writes, result and times: whether they may be replaced, and a mark in the folder
 * by which a campaign that was ended knows its own file again. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/hash.h>
#include <corridor/inquiries.h>
#include <corridor/result.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HDF5_BEGINNING "\211HDF\r\n\032\n"

/* --force is for what a campaign has written: whatever else stands there - the experiment itself, a model, a
 * module, a series - nobody means to lose. An empty file is no loss. */
static enum cor_status check_replaceable(const char *path, const char *beginning, struct cor_error *error) {
    char found[16];
    size_t length = strlen(beginning);
    struct stat there;
    COR_ASSERT(length <= sizeof found);
    if (lstat(path, &there) != 0)
        return COR_OK;
    FILE *file = fopen(path, "rb");
    if (!file)
        return cor_fail_errno(error, COR_STATUS_FILE, path, "name another file with -o", "cannot open");
    size_t got = fread(found, 1, length, file);
    fclose(file);
    if (got == 0 || (got == length && memcmp(found, beginning, length) == 0))
        return COR_OK;
    return cor_fail(error, COR_STATUS_EXISTS, path, "name another file with -o",
                    "is not a file that a campaign has written, so --force does not replace it");
}

static enum cor_status check_kind(const char *path, struct cor_error *error) {
    struct stat there;
    if (lstat(path, &there) != 0 || S_ISREG(there.st_mode))
        return COR_OK;
    return cor_fail(error, COR_STATUS_FILE, path, "name a file, such as results.h5",
                    S_ISDIR(there.st_mode) ? "is a directory" : "is not a regular file");
}

static enum cor_status check_absent(const char *path, const char *beginning, struct cor_error *error) {
    struct stat there;
    (void)beginning;
    if (lstat(path, &there) != 0)
        return COR_OK;
    return cor_fail(error, COR_STATUS_EXISTS, path, "name another file with -o, or say --force to replace it",
                    "exists already");
}

enum cor_status campaign__output_check_kind(const char *output, struct cor_error *error) {
    COR_TRY(check_kind(output, error));
    char *times = cor_format("%s.times.csv", output);
    enum cor_status status = times ? check_kind(times, error) : cor_fail_memory(error);
    free(times);
    return status;
}

enum cor_status campaign__output_check_free(const struct cor_campaign *campaign, struct cor_error *error) {
    const char *output = campaign->definition.output;
    bool overwrite = campaign->definition.overwrite;
    COR_TRY((overwrite ? check_replaceable : check_absent)(output, HDF5_BEGINNING, error));
    char *times = cor_format("%s.times.csv", output);
    COR_TRY(cor_made(times, error));
    /* In a campaign's own folder they are those of an earlier run. */
    enum cor_status status = (overwrite || campaign->definition.keep ? check_replaceable : check_absent)(
        times, CAMPAIGN__TIMES_BEGINNING, error);
    free(times);
    return status;
}

#define NO_MARK "none"

/* What tells the file at the output's path from any other; NO_MARK if there is none. */
static char *mark_of(const struct cor_campaign *campaign) {
    struct stat there;
    if (lstat(campaign->definition.output, &there) != 0)
        return cor_strdup(NO_MARK);
    return cor_format("%ju %ju %ju %jd.%09ld", (uintmax_t)there.st_dev, (uintmax_t)there.st_ino,
                      (uintmax_t)there.st_size, (intmax_t)there.st_mtim.tv_sec, there.st_mtim.tv_nsec);
}

#define OURS "ours "
#define BEFORE "before "
#define MERGING "merging\n"

/* What the folder says of a file with that content, once it stands there. */
static char *say_published(const struct cor_campaign *campaign, uint64_t content) {
    char *mark = mark_of(campaign);
    char *text = mark ? cor_format(OURS "%s\n%016" PRIx64 "\n", mark, content) : NULL;
    free(mark);
    return text;
}

static bool output_holds(const struct cor_campaign *campaign, uint64_t content) {
    char *text = say_published(campaign, content),
         *said = campaign__folder_read(campaign, CAMPAIGN__OUTPUT_NAME);
    bool holds = text && said && strcmp(text, said) == 0;
    COR_FREE(text, said);
    return holds;
}

/* In a child: is the file there the result of this very experiment? */
static enum cor_status is_of_experiment(void *argument, void *answer, size_t size, struct cor_error *error) {
    const struct cor_campaign *campaign = argument;
    const struct cor_layer_schema *const layers[] = {campaign->definition.layer->schema, NULL};
    struct cor_result *result;
    (void)size;
    COR_TRY(cor_result_open_as(layers, campaign->definition.output, &result, error));
    *(bool *)answer = cor_result_is_sealed(result) &&
                      strcmp(cor_result_head(result)->experiment, campaign->definition.experiment->text) == 0;
    cor_result_close(result);
    return COR_OK;
}

/* In a child: and one with suites that an interrupt has cut short? */
static enum cor_status is_cut_short(void *argument, void *answer, size_t size, struct cor_error *error) {
    const struct cor_campaign *campaign = argument;
    const struct cor_layer_schema *const layers[] = {campaign->definition.layer->schema, NULL};
    struct cor_result *result;
    COR_TRY(is_of_experiment(argument, answer, size, error));
    COR_TRY(cor_result_open_as(layers, campaign->definition.output, &result, error));
    *(bool *)answer = *(bool *)answer && campaign->definition.layer->is_cut(result);
    cor_result_close(result);
    return COR_OK;
}

static bool begins_with(const char *text, const char *word) {
    return strncmp(text, word, strlen(word)) == 0;
}

/* A merge was on its way, and another file than before stands there: its own, if it was killed behind the
 * renaming, or that of somebody else. What no reader opens is somebody else's. */
static enum cor_status look_into(struct cor_campaign *campaign, bool *ours, struct cor_error *error) {
    struct cor_error why = COR_NO_ERROR;
    enum cor_status status = cor_in_child(is_of_experiment, campaign, ours, sizeof *ours, &why);
    if (status == COR_OK)
        return COR_OK;
    *ours = false;
    if (status != COR_STATUS_MEMORY && status != COR_STATUS_INTERNAL)
        return COR_OK;
    return cor_fail(error, COR_STATUS_FILE, campaign->definition.output,
                    "run the same command again; if it stays so, name another file with -o",
                    "is there, and could not be looked at: %s", why.cause);
}

enum cor_status campaign__output_is_ours(struct cor_campaign *campaign, bool *ours, struct cor_error *error) {
    char *mark = mark_of(campaign), *said = campaign__folder_read(campaign, CAMPAIGN__OUTPUT_NAME);
    const char *line = said ? strchr(said, '\n') : NULL;
    enum cor_status status = COR_OK;
    *ours = false;
    if (mark && !said && campaign->definition.layer->is_cut && strcmp(mark, NO_MARK) != 0 &&
        cor_in_child(is_cut_short, campaign, ours, sizeof *ours, NULL) != COR_OK)
        *ours = false; /* what no reader opens is somebody else's */
    if (mark && line && strcmp(mark, NO_MARK) != 0) {
        const char *named = said + strcspn(said, " ") + 1;
        bool same = strlen(mark) == (size_t)(line - named) && begins_with(named, mark);
        *ours = same && begins_with(said, OURS);
        if (!same && strcmp(line + 1, MERGING) == 0)
            status = look_into(campaign, ours, error);
    }
    COR_FREE(mark, said);
    return status;
}

/* Says in the folder that the file at the output's path is about to be replaced by this campaign's; that this
 * has been done, with what `content` stands for. */
static enum cor_status output_claim(struct cor_campaign *campaign, struct cor_error *error) {
    bool ours;
    COR_TRY(campaign__output_is_ours(campaign, &ours, error));
    char *mark = mark_of(campaign);
    char *text = mark ? cor_format("%s%s\n" MERGING, ours ? OURS : BEFORE, mark) : NULL;
    enum cor_status status =
        text ? campaign__folder_write(campaign, CAMPAIGN__OUTPUT_NAME, text, error) : cor_fail_memory(error);
    COR_FREE(mark, text);
    return status;
}

/* ---- from journals to one result file, in a child that reads it back; and times beside it */

#define CATALOG_MAX 65535

enum cor_status cor_catalogs_add(struct cor_catalogs *catalogs, uint32_t catalog, const char *name,
                                 const char *description, struct cor_error *error) {
    COR_ASSERT(catalog < COR_CATALOGS_MAX);
    size_t *size = &catalogs->of[catalog].size;
    COR_TRY(COR_RESERVE(&catalogs->of[catalog].entries, &catalogs->of[catalog].capacity, *size + 1, error));
    if (*size >= CATALOG_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "a catalog has more than %d entries",
                        CATALOG_MAX);
    catalogs->of[catalog].entries[*size] = (struct cor_catalog_entry){(uint16_t)*size, name, description};
    ++*size;
    return COR_OK;
}

void cor_catalogs_fini(struct cor_catalogs *catalogs) {
    for (size_t i = 0; i < COR_CATALOGS_MAX; i++)
        free(catalogs->of[i].entries);
    *catalogs = (struct cor_catalogs){0};
}

/* Did the campaign end where the plan or a stop condition says, and not where somebody or the clock said? */
static bool ends_by_plan(const struct cor_campaign *campaign) {
    return campaign->limit != UINT64_MAX || (campaign->planned > 0 && campaign->kept == campaign->planned);
}

static void add_counts(struct cor_suite_counts *sum, const struct cor_suite_counts *more) {
    sum->asked_again += more->asked_again;
    sum->differed += more->differed;
    sum->by_machine += more->by_machine;
}

static void put_counts(const struct cor_suite_counts *counts, struct cor_json_writer *writer) {
    cor_json_put_integer(writer, "asked_again", counts->asked_again);
    cor_json_put_integer(writer, "differed", counts->differed);
    cor_json_put_integer(writer, "by_machine", counts->by_machine);
}

/* Was nothing of an arm asked for again that executes code of somebody else? */
static bool is_unchecked(const struct cor_campaign *campaign, uint32_t arm,
                         const struct cor_suite_counts *counts) {
    const struct cor_arm_head *head = &campaign->definition.experiment->arms[arm];
    return head->foreign && (counts->asked_again == 0 || head->unasked);
}

/* Which arms ended early, and how many positions of the plan were gone over, those that nobody wanted
 * included: so that a file without its last suites can be told from one whose arms needed no more. */
static void put_ends(const struct cor_campaign *campaign, struct cor_json_writer *writer) {
    const uint32_t arms = campaign->definition.experiment->arm_count;
    if (!campaign->definition.inquiries || campaign->definition.inquiries->count == 0)
        return;
    cor_json_open_object(writer, "ended_early");
    cor_json_put_integer(writer, "positions", (int64_t)campaign->kept);
    cor_json_open_array(writer, "arms");
    for (uint32_t a = 0; a < arms; a++) {
        const uint64_t end = atomic_load(&campaign->arm_ends[a]);
        if (end >= campaign->kept || end * arms + a >= campaign->kept)
            continue;
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "arm", campaign->definition.experiment->arms[a].name);
        cor_json_put_integer(writer, "suites", (int64_t)end);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_close(writer);
}

static enum cor_status make_provenance(const struct cor_campaign *campaign, char **text,
                                       struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    /* What became of answers that were asked for again in another process, and which the clock has decided:
     * of all, then of the arms that have some. */
    enum cor_status status = COR_OK;
    const uint32_t arms = campaign->definition.experiment->arm_count;
    struct cor_suite_counts all = {0}, *of = cor_calloc(arms, sizeof *of);
    COR_TRY_OUT(cor_made(of, error));
    for (uint64_t position = 0; position < campaign->kept; position++)
        if (campaign__is_wanted(campaign, position))
            add_counts(&of[campaign__arm_at(campaign, position)], &campaign->shared->note[position].tally);
    bool is_checked = true;
    for (uint32_t a = 0; a < arms; a++) {
        add_counts(&all, &of[a]);
        is_checked = is_checked && !is_unchecked(campaign, a, &of[a]);
    }
    const bool is_contradicted = !ends_by_plan(campaign) || all.differed > 0 || all.by_machine > 0;
    if (is_checked || is_contradicted)
        cor_json_put_bool(writer, "reproducible", !is_contradicted);
    else
        cor_json_put_string(writer, "reproducible", NULL); /* not known */
    cor_json_open_object(writer, "observed");
    cor_json_put_bool(writer, "ended_by_plan", ends_by_plan(campaign));
    put_ends(campaign, writer);
    put_counts(&all, writer);
    cor_json_open_array(writer, "arms");
    for (uint32_t a = 0; a < arms; a++) {
        if (of[a].asked_again == 0 && of[a].by_machine == 0)
            continue;
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "arm", campaign->definition.experiment->arms[a].name);
        put_counts(&of[a], writer);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_open_array(writer, "not_checked");
    for (uint32_t a = 0; a < arms; a++)
        if (is_unchecked(campaign, a, &of[a]))
            cor_json_put_string(writer, NULL, campaign->definition.experiment->arms[a].name);
    cor_json_close(writer);
    cor_json_close(writer);
    free(of);
out:
    campaign__put_provenance(campaign, writer);
    cor_json_close(writer);
    if (status != COR_OK)
        cor_json_writer_destroy(writer);
    COR_TRY(status);
    return cor_json_text_take(writer, 1, text, error);
}

/* Merged in the folder, so that a merge that is killed leaves nothing beside the output. */
static enum cor_status merge_with(const struct cor_campaign *campaign, const struct cor_result_header *header,
                                  struct cor_error *error) {
    char **paths = NULL, *merged = NULL;
    size_t own = 0, count = 0;
    enum cor_status status = COR_OK;
    /* All journals: of the folder, those of this run included, and of other folders. The paths of the latter
     * are borrowed. */
    COR_TRY_OUT(campaign__folder_journals(campaign->folder, &paths, &own, error));
    count = own;
    size_t capacity = own, others = campaign->source_end - campaign->source_begin;
    COR_TRY_OUT(COR_RESERVE(&paths, &capacity, own + others, error));
    for (size_t i = 0; i < others; i++)
        paths[count++] = campaign->followed[campaign->source_begin + i].path;
    COR_TRY_OUT(cor_made(merged = cor_format("%s/result.h5", campaign->folder), error));
    COR_TRY_OUT(cor_result_merge((const char *const *)paths, count, header, merged, true, error));
    COR_TRY_OUT(
        cor_result_publish(merged, campaign->definition.output, campaign->definition.overwrite, error));
out:
    free(merged);
    campaign__folder_free(paths, own);
    return status;
}

/* Suites that were stored with fewer sequences: these must have come out as before. */
static enum cor_status check_earlier_journal(const struct cor_campaign *campaign, const char *earlier,
                                             struct cor_error *error) {
    const struct cor_layer_schema *schema = campaign->definition.layer->schema;
    struct cor_journal_entry *entries;
    size_t count;
    uint64_t torn;
    enum cor_status status = COR_OK;
    COR_TRY(cor_journal_scan(schema, earlier, &entries, &count, &torn, error));
    for (size_t i = 0; i < count && status == COR_OK; i++) {
        uint64_t position =
            (uint64_t)entries[i].suite * campaign->definition.experiment->arm_count + entries[i].arm;
        if (!campaign__is_own(campaign, &entries[i]) || position >= campaign->kept ||
            !campaign__is_wanted(campaign, position))
            continue;
        struct cor_journal_entry now;
        bool same = true;
        char *path = campaign__stored_at(campaign, position, &now);
        status = path ? cor_journal_compare_sequences(schema, earlier, &entries[i], path, &now,
                                                      campaign__folder_sequences(earlier), &same, error)
                      : cor_fail_memory(error);
        if (!same)
            status = cor_fail(error, COR_STATUS_INTERNAL, path,
                              "the algorithm or the testbed is not deterministic",
                              "the first %u sequences of suite %u of arm %s differ from those in %s",
                              campaign__folder_sequences(earlier), now.suite,
                              campaign__arm_name_at(campaign, position), earlier);
        free(path);
    }
    free(entries);
    return status;
}

static enum cor_status check_earlier(const struct cor_campaign *campaign, struct cor_error *error) {
    char **paths;
    size_t count;
    enum cor_status status = COR_OK;
    COR_TRY(campaign__folder_earlier(campaign->folder, &paths, &count, error));
    for (size_t i = 0; i < count && status == COR_OK; i++)
        status = check_earlier_journal(campaign, paths[i], error);
    campaign__folder_free(paths, count);
    return status;
}

/* In a child: the journals become one result file, with the catalogs and the provenance that go with it. */
static enum cor_status merge_journals(void *argument, void *answer, size_t size, struct cor_error *error) {
    (void)answer;
    (void)size;
    const struct cor_campaign *campaign = argument;
    const struct cor_experiment_head *experiment = campaign->definition.experiment;
    struct cor_catalogs catalogs = {0};
    char *text = NULL;
    uint64_t *arm_limits = cor_calloc(experiment->arm_count, sizeof *arm_limits);
    enum cor_status status = COR_OK;
    cor_ignore_signals(); /* merging takes seconds, and half a merge is worth nothing */
    COR_TRY_OUT(cor_made(arm_limits, error));
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        arm_limits[a] = atomic_load(&campaign->arm_ends[a]);
    COR_TRY_OUT(make_provenance(campaign, &text, error));
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        COR_TRY_OUT(
            cor_catalogs_add(&catalogs, 0, experiment->arms[a].name, experiment->arms[a].description, error));
    if (campaign->definition.layer->list)
        COR_TRY_OUT(campaign->definition.layer->list(experiment, &catalogs, error));
    struct cor_result_header header = {
        .layer = campaign->definition.layer->schema,
        .experiment = experiment->text,
        .provenance = text,
        .seed = experiment->seed,
        .complete = campaign->planned == 0 || campaign->kept - campaign->passed == campaign->planned,
        .planned_suites = campaign->planned,
        .suite_limit = campaign->kept,
        .arm_limits = arm_limits,
        .origins = campaign->origins,
    };
    for (size_t i = 0; i < COR_CATALOGS_MAX; i++) {
        header.catalog[i] = catalogs.of[i].entries;
        header.catalog_size[i] = catalogs.of[i].size;
    }
    COR_TRY_OUT(check_earlier(campaign, error));
    COR_TRY_OUT(merge_with(campaign, &header, error));
out:
    cor_catalogs_fini(&catalogs);
    COR_FREE(arm_limits, text);
    return status;
}

/* The result and its times get their names. */
static enum cor_status publish(struct cor_campaign *campaign, struct cor_error *error) {
    enum cor_status status = COR_OK;
    char *drafted = cor_format("%s/times.csv", campaign->folder);
    char *path = cor_format("%s.times.csv", campaign->definition.output);
    if (!drafted || !path)
        COR_TRY_OUT(cor_fail_memory(error));
    /* Times are drafted among the journals, so that a full disk leaves neither file or both. Where nothing
     * can have run those of the last run stay. */
    bool timed = campaign->definition.workers > 0 || campaign->definition.source_count > 0;
    if (timed)
        COR_TRY_OUT(campaign__times_write(campaign, drafted, error));
    COR_TRY_OUT(output_claim(campaign, error));
    COR_TRY_OUT(cor_in_child(merge_journals, campaign, NULL, 0, error));
    if (timed && rename(drafted, path) != 0)
        COR_TRY_OUT(cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write"));
out:
    COR_FREE(drafted, path);
    return status;
}

enum cor_status cor_campaign_merge(struct cor_campaign *campaign, bool *whole, struct cor_error *error) {
    uint64_t content;
    /* endless, it is whole wherever it ends, unless it was to answer something */
    *whole = ends_by_plan(campaign) ||
             (campaign->planned == 0 && cor_stop_decided(&campaign->definition.stop) == 0);
    if (campaign->kept == 0) {
        /* A result file holds the first suites of the plan: without the first one it would hold nothing. */
        const uint64_t later = campaign__count_stored(campaign).done;
        if (later == 0)
            return cor_fail(error, COR_STATUS_INTERRUPTED, campaign->definition.output, NULL,
                            "no suite was finished, so there is nothing to write");
        return cor_fail(error, COR_STATUS_INTERRUPTED, campaign->definition.output,
                        campaign->definition.experiment->resumable
                            ? "the same command goes on from there"
                            : "what else it depends on is not known, so a new run begins anew",
                        "the first suite was not finished, so there is nothing to write; %" PRIu64
                        " later one%s stored",
                        later, later == 1 ? " is" : "s are");
    }
    /* What a result file that is merged now would say, as a fingerprint. */
    char *text;
    COR_TRY(make_provenance(campaign, &text, error));
    content = cor_hash_bytes(campaign->kept, text, strlen(text));
    content = cor_hash_bytes(content, campaign->definition.experiment->text,
                             strlen(campaign->definition.experiment->text));
    for (uint32_t a = 0; a < campaign->definition.experiment->arm_count; a++) /* where it ended early */
        content = cor_hash_word(content, atomic_load(&campaign->arm_ends[a]));
    free(text);
    if (!output_holds(campaign, content)) {
        COR_TRY(campaign__output_check_free(campaign, error));
        COR_TRY(publish(campaign, error));
        /* Once all are compared they are of no more use. */
        char **paths;
        size_t count;
        struct cor_error ignored = COR_NO_ERROR;
        if (campaign->kept >= campaign->planned &&
            campaign__folder_earlier(campaign->folder, &paths, &count, &ignored) == COR_OK) {
            for (size_t i = 0; i < count; i++)
                unlink(paths[i]);
            campaign__folder_free(paths, count);
        }
        if ((!*whole || campaign->definition.keep) && campaign->definition.source_count == 0) {
            char *published = say_published(campaign, content);
            enum cor_status status =
                published ? campaign__folder_write(campaign, CAMPAIGN__OUTPUT_NAME, published, error)
                          : cor_fail_memory(error);
            free(published);
            COR_TRY(status);
        }
    }
    bool collected = campaign->definition.source_count > 0; /* the folder holds nothing of its own */
    campaign->finished = (*whole || collected) && !campaign->definition.keep;
    return COR_OK;
}
