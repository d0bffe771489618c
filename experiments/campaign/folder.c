/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The folder of a campaign under way, beside its output: journals, what the campaign is (MANIFEST), a lock,
 * and what written_files.c says of the result file. Whoever finds it again goes on from
 * it. */
#define _GNU_SOURCE /* locks of open files */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/record.h>
#include <corridor/work.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define JOURNAL_SUFFIX ".journal"
#define EARLIER ".sequences-" /* behind the name of a journal whose suites have fewer sequences: so many */
#define MANIFEST_NAME "MANIFEST"
#define DONE_NAME "DONE"

/* Processes that share a plan number their journals each for itself. */
char *campaign__journal_path(const struct cor_campaign *campaign, uint32_t number) {
    if (campaign__share_is_part(campaign))
        return cor_format("%s/%05u-%06u" JOURNAL_SUFFIX, campaign->folder, campaign->share.index, number);
    return cor_format("%s/%06u" JOURNAL_SUFFIX, campaign->folder, number);
}

uint32_t campaign__journal_next(const struct cor_campaign *campaign, char *const *paths, size_t count) {
    unsigned next = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned share, number;
        const char *name = strrchr(paths[i], '/') + 1;
        bool of_share = sscanf(name, "%u-%u", &share, &number) == 2;
        if (campaign__share_is_part(campaign) ? !of_share || share != campaign->share.index
                                              : of_share || sscanf(name, "%u", &number) != 1)
            continue;
        next = number >= next ? number + 1 : next;
    }
    return next;
}

/* A new file beside `path`, under a name that nobody else takes: processes that share a plan write here, too.
 */
static FILE *open_draft(const char *path, char **draft) {
    for (long number = (long)getpid();; number++) {
        *draft = cor_format("%s.draft-%ld", path, number);
        int file = *draft ? open(*draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
        if (file >= 0 || !*draft || errno != EEXIST)
            return file >= 0 ? fdopen(file, "w") : NULL;
        free(*draft);
    }
}

static enum cor_status write_whole(const char *path, const char *text, bool durable,
                                   struct cor_error *error) {
    enum cor_status status = COR_OK;
    char *draft;
    FILE *file = open_draft(path, &draft);
    bool failed =
        !file || fputs(text, file) == EOF || fflush(file) != 0 || (durable && cor_sync(fileno(file)) != 0);
    if (file)
        failed = fclose(file) != 0 || failed;
    if (failed || rename(draft, path) != 0)
        status = cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
    if (status != COR_OK && file)
        unlink(draft);
    if (status == COR_OK && durable)
        status = cor_file_sync_folder(path, error);
    free(draft);
    return status;
}

static bool is_journal(const char *name) {
    size_t length = strlen(name), suffix = strlen(JOURNAL_SUFFIX);
    return length > suffix && strcmp(name + length - suffix, JOURNAL_SUFFIX) == 0;
}

static bool is_earlier(const char *name) {
    return strstr(name, JOURNAL_SUFFIX EARLIER) != NULL;
}

/* Whether a campaign would have made a file of that name. */
static bool is_ours(const char *name) {
    static const char *const begins[] = {"LOCK",   MANIFEST_NAME, CAMPAIGN__OUTPUT_NAME, DONE_NAME,
                                         "STATUS", "STOP",        "result.h5",           "times.csv"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || is_journal(name) || is_earlier(name))
        return true;
    size_t length = strlen(name), suffix = strlen(JOURNAL_SUFFIX CAMPAIGN__TIMES_SUFFIX);
    return length > suffix && strcmp(name + length - suffix, JOURNAL_SUFFIX CAMPAIGN__TIMES_SUFFIX) == 0;
}

/* A folder that somebody made for himself is not written into, and not removed in the end. */
static enum cor_status check_ours(const char *path, struct cor_error *error) {
    enum cor_status status = COR_OK;
    DIR *folder = opendir(path);
    if (!folder)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot read the folder");
    for (const struct dirent *entry; status == COR_OK && (entry = readdir(folder));)
        if (!is_ours(entry->d_name))
            status = cor_fail(error, COR_STATUS_EXISTS, path, "name another file with -o",
                              "is no folder of a campaign: it holds %s", entry->d_name);
    closedir(folder);
    return status;
}

/* A folder without a manifest: empty, or what the removal of an ended campaign has left, which DONE tells. */
static enum cor_status clear(struct cor_campaign *campaign, struct cor_error *error) {
    char **paths = NULL, *done = cor_format("%s/" DONE_NAME, campaign->folder);
    size_t count = 0;
    struct stat there;
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(done, error));
    COR_TRY_OUT(campaign__folder_journals(campaign->folder, &paths, &count, error));
    bool ended = lstat(done, &there) == 0;
    if (count > 0 && !ended)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_EXISTS, campaign->folder,
                             "put it back, remove the folder to begin anew, or name another file with -o",
                             "holds journals, but no " MANIFEST_NAME " that says of what"));
    for (size_t i = 0; i < count; i++)
        if (unlink(paths[i]) != 0)
            COR_TRY_OUT(
                cor_fail_errno(error, COR_STATUS_FILE, paths[i], "remove the folder", "cannot remove"));
    unlink(done);
    campaign->removable = campaign->removable || ended;
out:
    campaign__folder_free(paths, count);
    free(done);
    return status;
}

/* Suites get more sequences, and are run again: what is stored of them is kept, to be compared with. */
static enum cor_status set_aside(const struct cor_campaign *campaign, uint32_t sequences,
                                 struct cor_error *error) {
    char **paths;
    size_t count;
    enum cor_status status = COR_OK;
    COR_TRY(campaign__folder_journals(campaign->folder, &paths, &count, error));
    for (size_t i = 0; i < count && status == COR_OK; i++) {
        char *aside = cor_format("%s" EARLIER "%u", paths[i], sequences);
        if (!aside)
            status = cor_fail_memory(error);
        else if (rename(paths[i], aside) != 0)
            status = cor_fail_errno(error, COR_STATUS_FILE, aside, NULL, "cannot rename a journal");
        free(aside);
    }
    campaign__folder_free(paths, count);
    return status;
}

/* Puts the experiment where a later run of this campaign finds it, before the manifest: one that is killed in
 * between leaves an experiment that is allowed to grow into what it says. */
static enum cor_status write_text(const struct cor_campaign *campaign, struct cor_error *error) {
    const char *path = campaign->definition.text_path;
    char *there = path ? cor_file_text(path) : NULL;
    bool written = !path || (there && strcmp(there, campaign->definition.experiment->text) == 0);
    free(there);
    return written ? COR_OK : write_whole(path, campaign->definition.experiment->text, true, error);
}

/* An existing campaign is continued if it is this one, or a part of it. */
static enum cor_status check_manifest(struct cor_campaign *campaign, const char *path, const char *manifest,
                                      struct cor_error *error) {
    errno = 0;
    char *there = cor_file_text(path);
    uint32_t before = 0;
    enum cor_status status = COR_OK;
    if (!there && errno != 0 && errno != ENOENT) /* to be told from one that is missing */
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot read");
    COR_TRY_OUT(there ? campaign__manifest_compare(campaign->folder, there, manifest, &before, error)
                      : clear(campaign, error));
    COR_TRY_OUT(write_text(campaign, error));
    if (there && strcmp(there, manifest) == 0)
        goto out;
    if (there && !campaign__lock_widen(campaign))
        COR_TRY_OUT(cor_fail(error, COR_STATUS_EXISTS, campaign->folder, "wait for them",
                             "is to hold more than other processes, which are at work in it, know of"));
    if (before > 0)
        COR_TRY_OUT(set_aside(campaign, before, error));
    COR_TRY_OUT(write_whole(path, manifest, true, error));
out:
    free(there);
    return status;
}

enum cor_status campaign__folder_open(struct cor_campaign *campaign, const char *manifest,
                                      struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct stat there;
    char *lock = NULL, *path = NULL;
    campaign->folder = cor_format("%s.parts", campaign->definition.output);
    COR_TRY(cor_made(campaign->folder, error));
    lock = cor_format("%s/LOCK", campaign->folder);
    path = cor_format("%s/" MANIFEST_NAME, campaign->folder);
    if (!lock || !path)
        COR_TRY_OUT(cor_fail_memory(error));
    if (lstat(campaign->folder, &there) == 0)
        COR_TRY_OUT(check_ours(campaign->folder, error));
    COR_TRY_OUT(campaign__lock_take(campaign, lock, error));
    if (campaign->idle)
        goto out;
    COR_TRY_OUT(check_manifest(campaign, path, manifest, error));
    /* Where nothing is stored there is nothing to go on from: others may have been killed before, or
     * behind all. */
    char **paths;
    size_t count;
    COR_TRY_OUT(campaign__folder_journals(campaign->folder, &paths, &count, error));
    campaign__folder_free(paths, count);
    campaign->removable = campaign->removable || count == 0;
    COR_TRY_OUT(campaign__lock_narrow(campaign, error));
out:
    free(lock);
    free(path);
    return status;
}

void campaign__folder_close(struct cor_campaign *campaign) {
    if (campaign->lock >= 0 && campaign->finished) {
        /* Should we be killed on the way, the rest is known to be of no use: DONE says so until no
         * journal is left. */
        struct cor_error ignored = COR_NO_ERROR;
        char **paths;
        size_t count;
        char *manifest = cor_format("%s/" MANIFEST_NAME, campaign->folder),
             *output = cor_format("%s/" CAMPAIGN__OUTPUT_NAME, campaign->folder);
        char *done = cor_format("%s/" DONE_NAME, campaign->folder);
        if (manifest && output && done && write_whole(done, "", true, &ignored) == COR_OK) {
            unlink(manifest);
            unlink(output);
        }
        if (campaign__folder_journals(campaign->folder, &paths, &count, &ignored) == COR_OK) {
            for (size_t i = 0; i < count; i++)
                unlink(paths[i]);
            campaign__folder_free(paths, count);
            enum cor_status gone = done ? cor_file_sync_folder(done, &ignored) : COR_OK;
            (void)gone; /* all is in the result file */
        }
        cor_remove_folder(campaign->folder);
        free(manifest);
        free(output);
        free(done);
    }
    if (campaign->lock >= 0)
        close(campaign->lock);
    campaign->lock = -1;
    free(campaign->folder);
    campaign->folder = NULL;
}

enum cor_status campaign__folder_write(const struct cor_campaign *campaign, const char *name,
                                       const char *text, struct cor_error *error) {
    char *path = cor_format("%s/%s", campaign->folder, name);
    enum cor_status status = path ? write_whole(path, text, true, error) : cor_fail_memory(error);
    free(path);
    return status;
}

char *campaign__folder_read(const struct cor_campaign *campaign, const char *name) {
    char *path = cor_format("%s/%s", campaign->folder, name), *text = path ? cor_file_text(path) : NULL;
    free(path);
    return text;
}

void campaign__folder_say(const struct cor_campaign *campaign, const char *name, const char *text) {
    struct cor_error ignored = COR_NO_ERROR;
    char *path = cor_format("%s/%s", campaign->folder, name);
    if (path && write_whole(path, text, false, &ignored) != COR_OK)
        unlink(path); /* better none than an old one */
    free(path);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef bool name_filter(const char *name);

static enum cor_status list_folder(const char *folder, name_filter *wanted, char ***paths, size_t *count,
                                   struct cor_error *error) {
    *paths = NULL;
    *count = 0;
    DIR *open = opendir(folder);
    if (!open)
        return cor_fail_errno(error, COR_STATUS_FILE, folder, NULL, "cannot read the folder");
    enum cor_status status = COR_OK;
    size_t capacity = 0;
    for (const struct dirent *entry; (entry = readdir(open));) {
        if (!wanted(entry->d_name))
            continue;
        COR_TRY_OUT(COR_RESERVE(paths, &capacity, *count + 1, error));
        (*paths)[*count] = cor_format("%s/%s", folder, entry->d_name);
        COR_TRY_OUT(cor_made((*paths)[*count], error));
        ++*count;
    }
    if (*count > 0)
        qsort(*paths, *count, sizeof **paths, by_name);
out:
    closedir(open);
    if (status != COR_OK) {
        campaign__folder_free(*paths, *count);
        *paths = NULL;
        *count = 0;
    }
    return status;
}

enum cor_status campaign__folder_journals(const char *folder, char ***paths, size_t *count,
                                          struct cor_error *error) {
    return list_folder(folder, is_journal, paths, count, error);
}

enum cor_status campaign__folder_earlier(const char *folder, char ***paths, size_t *count,
                                         struct cor_error *error) {
    return list_folder(folder, is_earlier, paths, count, error);
}

static bool is_task(const char *name) {
    return strncmp(name, CAMPAIGN__TASK_STATUS, strlen(CAMPAIGN__TASK_STATUS)) == 0 &&
           !strstr(name, ".draft-");
}

enum cor_status campaign__folder_tasks(const char *folder, char ***paths, size_t *count,
                                       struct cor_error *error) {
    return list_folder(folder, is_task, paths, count, error);
}

void campaign__folder_forget_tasks(const struct cor_campaign *campaign) {
    char **paths;
    size_t count;
    struct cor_error ignored = COR_NO_ERROR;
    if (campaign__folder_tasks(campaign->folder, &paths, &count, &ignored) != COR_OK)
        return;
    for (size_t i = 0; i < count; i++)
        unlink(paths[i]);
    campaign__folder_free(paths, count);
}

static enum cor_status check_source(const struct cor_campaign *campaign, const char *folder,
                                    struct cor_error *error) {
    char *here = NULL, *path = cor_format("%s/" MANIFEST_NAME, folder),
         *there = path ? cor_file_text(path) : NULL;
    uint32_t before;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_made(path, error));
    if (!there)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_FILE, folder, "name the folder of a campaign",
                             "holds no " MANIFEST_NAME " that says of what its journals are"));
    COR_TRY_OUT(campaign__manifest_make(campaign, &here, error));
    COR_TRY_OUT(campaign__manifest_compare_source(folder, there, here, &before, error));
    if (before > 0)
        status = cor_fail(error, COR_STATUS_EXISTS, folder, "extend it, and run it again",
                          "holds suites of %u sequences, fewer than they are to have", before);
out:
    free(here);
    free(there);
    free(path);
    return status;
}

enum cor_status campaign__folder_source(const struct cor_campaign *campaign, const char *output,
                                        char ***paths, size_t *count, struct cor_error *error) {
    char *folder = cor_format("%s.parts", output);
    COR_TRY(cor_made(folder, error));
    enum cor_status status = check_source(campaign, folder, error);
    if (status == COR_OK)
        status = campaign__folder_journals(folder, paths, count, error);
    free(folder);
    return status;
}

uint32_t campaign__folder_sequences(const char *path) {
    const char *number = strstr(path, JOURNAL_SUFFIX EARLIER);
    return number ? (uint32_t)strtoul(number + strlen(JOURNAL_SUFFIX EARLIER), NULL, 10) : 0;
}

void campaign__folder_free(char **paths, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
}
