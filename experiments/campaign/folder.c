/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The folder of a campaign under way; and how its experiment is watched. */
#define _GNU_SOURCE /* locks of open files */

#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/child.h>
#include <corridor/layer.h>
#include <corridor/record.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool folder_is_made(const char *folder);

/* ---- the lock of a campaign's folder: who is at work in it. A process that runs all of the plan holds all
 * bytes of the file, one with a share the byte of that; and, while it looks at what is there and may have to
 * change it, the byte behind all shares. The kernel gives a lock back when the last process that holds it has
 * ended, however it ended */

#define WHO_SIZE 32 /* of the lock file's bytes for each share: the process that holds it */
#define ALL ((off_t)0)
#define GATE ((off_t)COR_SHARES_MAX + 1)

/* Whether the open file is still the one of that name: another process may have removed the folder. */
static bool is_there(int file, const char *path) {
    struct stat open, named;
    return fstat(file, &open) == 0 && stat(path, &named) == 0 && open.st_dev == named.st_dev &&
           open.st_ino == named.st_ino;
}

/* Whether all in it is as a campaign writes it: a file that somebody made for himself is not written to. */
static bool is_lock(int file) {
    char text[WHO_SIZE];
    ssize_t got;
    for (off_t at = 0; (got = pread(file, text, sizeof text, at)) > 0; at += got)
        for (ssize_t i = 0; i < got; i++)
            if (!strchr("0123456789 \n", text[i])) /* \0, too: a share behind others */
                return false;
    return got == 0;
}

static long process_in(int file, off_t share) {
    char who[WHO_SIZE + 1] = "";
    ssize_t got = pread(file, who, WHO_SIZE, share * WHO_SIZE);
    who[got > 0 ? (size_t)got : 0] = '\0';
    return strtol(who, NULL, 10);
}

/* A lock of the open file: those who inherit it hold it, too, and it can be asked for without being taken.
 * `length` 0: to the end. */
static bool lock_range(int file, int command, short type, off_t start, off_t length, struct flock *lock) {
    *lock = (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
    return fcntl(file, command, lock) == 0;
}

static bool take(int file, off_t start, off_t length) {
    struct flock lock;
    return lock_range(file, F_OFD_SETLK, F_WRLCK, start, length, &lock);
}

static bool give_back(int file, off_t start, off_t length) {
    struct flock lock;
    return lock_range(file, F_OFD_SETLK, F_UNLCK, start, length, &lock);
}

/* The lock in the way of one that is wanted; l_type F_UNLCK: there is none. */
static struct flock lock_in_the_way(int file, off_t start, off_t length) {
    struct flock lock;
    if (!lock_range(file, F_OFD_GETLK, F_WRLCK, start, length, &lock))
        lock.l_type = F_UNLCK;
    return lock;
}

/* Somebody else holds the lock. Where it is the first of those that a launcher has started, or somebody who
 * comes to the same, the rest is done. */
static enum cor_status in_use(struct cor_campaign *campaign, int file, const struct flock *lock,
                              struct cor_error *error) {
    campaign->idle = campaign->share.launched && campaign->share.index > 0 && lock->l_len == 0;
    if (campaign->idle)
        return COR_OK;
    return cor_fail(error, COR_STATUS_EXISTS, campaign->definition.output,
                    "wait for it, or name another file with -o",
                    "is being written by another campaign (process %ld)", process_in(file, lock->l_start));
}

static void wait_a_moment(void) {
    nanosleep(&(struct timespec){0, 20000000}, NULL);
}

/* Takes the bytes that the process is to hold; those with a share one after the other, each behind the gate.
 */
static enum cor_status take_bytes(struct cor_campaign *campaign, int file, struct cor_error *error) {
    bool part = campaign__share_is_part(campaign);
    off_t own = part ? (off_t)campaign->share.index : ALL, length = part ? 1 : 0;
    while (part && !take(file, GATE, 1)) {
        struct flock lock = lock_in_the_way(file, GATE, 1);
        if (lock.l_type != F_UNLCK && lock.l_len != 1)
            return in_use(campaign, file, &lock, error);
        wait_a_moment();
    }
    if (take(file, own, length))
        return COR_OK;
    if (errno != EAGAIN && errno != EACCES)
        return cor_fail_errno(error, COR_STATUS_FILE, campaign->folder, "use a file system that has locks",
                              "cannot lock the folder");
    struct flock lock = lock_in_the_way(file, own, length);
    return in_use(campaign, file, &lock, error);
}

#define PATIENCE_SECONDS 5.0

/* The result file is there, and no folder: either the first of those that a launcher has started is about to
 * begin anew, or all is done already. */
static bool is_too_late(const struct cor_campaign *campaign) {
    struct stat there;
    double end = cor_wall_seconds() + PATIENCE_SECONDS;
    if (!campaign->share.launched || campaign->share.index == 0)
        return false;
    while (lstat(campaign->folder, &there) != 0) {
        if (lstat(campaign->definition.output, &there) != 0)
            return false;
        if (cor_wall_seconds() > end)
            return true;
        wait_a_moment();
    }
    return false;
}

/* Takes the lock: makes the file `path` in the folder. No process with another share looks at the folder
 * before the lock is narrowed. COR_STATUS_EXISTS if somebody else holds it; campaign->idle if that is
 * somebody who does this process's work. */
static enum cor_status lock_take(struct cor_campaign *campaign, const char *path, struct cor_error *error) {
    while (campaign->lock < 0) {
        campaign->idle = is_too_late(campaign);
        if (campaign->idle)
            return COR_OK;
        /* The lock's file in the folder, which is made if it is not there; -1: it was removed in this moment.
         */
        bool made = mkdir(campaign->folder, 0777) == 0;
        campaign->removable = campaign->removable || made;
        if (!made && errno != EEXIST)
            return cor_fail_errno(error, COR_STATUS_FILE, campaign->folder,
                                  "check that the folder beside it exists and may be written",
                                  "cannot make a folder for work under way");
        /* Else a power cut takes it away with all that is durable in it. */
        COR_TRY(cor_file_sync_folder(campaign->folder, error));
        int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0666);
        if (file < 0 && errno != ENOENT)
            return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot open");
        if (file < 0)
            continue;
        enum cor_status status = is_lock(file) || folder_is_made(campaign->folder)
                                     ? take_bytes(campaign, file, error)
                                     : cor_fail(error, COR_STATUS_EXISTS, path, "name another file with -o",
                                                "is not the lock of a campaign");
        if (status == COR_OK && !campaign->idle && is_there(file, path))
            campaign->lock = file;
        else
            close(file);
        if (status != COR_OK || campaign->idle)
            return status;
    }
    char who[WHO_SIZE];
    off_t at = campaign__share_is_part(campaign) ? (off_t)campaign->share.index * WHO_SIZE : 0;
    int length = snprintf(who, sizeof who, "%-*ld\n", WHO_SIZE - 2, (long)getpid());
    if ((campaign__share_is_part(campaign) || ftruncate(campaign->lock, 0) == 0) &&
        lseek(campaign->lock, at, SEEK_SET) == at && cor_write_all(campaign->lock, who, (size_t)length, 0))
        return COR_OK;
    return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
}

bool campaign__lock_widen(struct cor_campaign *campaign) {
    return take(campaign->lock, ALL, 0);
}

/* To the share of this process. */
static enum cor_status lock_narrow(struct cor_campaign *campaign, struct cor_error *error) {
    off_t own = (off_t)campaign->share.index;
    if (!campaign__share_is_part(campaign) ||
        ((own == 0 || give_back(campaign->lock, 0, own)) && give_back(campaign->lock, own + 1, 0)))
        return COR_OK;
    return cor_fail_errno(error, COR_STATUS_FILE, campaign->folder, NULL, "cannot give back the lock");
}

bool campaign__lock_has_leader(const struct cor_campaign *campaign) {
    return lock_in_the_way(campaign->lock, 0, 1).l_type != F_UNLCK;
}

/* The lock file of a folder, which a stranger may have made; -1: it cannot be opened. */
static int open_lock(const char *folder) {
    COR_FREED char *path = cor_format("%s/LOCK", folder);
    return path ? open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW) : -1;
}

bool campaign__lock_is_held(const char *folder, uint32_t share) {
    const int file = open_lock(folder);
    const bool held = file >= 0 && lock_in_the_way(file, (off_t)share, 1).l_type != F_UNLCK;
    if (file >= 0)
        close(file);
    return held;
}

long campaign__lock_process(const char *folder) {
    const int file = open_lock(folder);
    const struct flock lock = file >= 0 ? lock_in_the_way(file, ALL, 0) : (struct flock){.l_type = F_UNLCK};
    const long process = lock.l_type != F_UNLCK ? process_in(file, lock.l_start) : 0;
    if (file >= 0)
        close(file);
    return process;
}

long cor_campaign_process(const char *output) {
    COR_FREED char *folder = cor_format("%s.parts", output);
    return folder ? campaign__lock_process(folder) : 0;
}

/* ---- the folder of a campaign under way, beside its output: journals, what the campaign is (MANIFEST), a
 * lock, and what merging.c says of the result file. Whoever finds it again goes on from it */

#define JOURNAL_SUFFIX ".journal"
#define EARLIER ".sequences-" /* behind the name of a journal whose suites have fewer sequences: so many */
#define MANIFEST_NAME "MANIFEST"
#define LOCK_NAME "LOCK"
#define DONE_NAME "DONE"
#define DONE_TEXT "all that was stored here is in the result file\n"

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
    COR_FREED char *draft = NULL;
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
    return status;
}

/* What is behind the number of a journal in its name; NULL: it is the name of none. */
static const char *behind_journal(const char *name) {
    size_t digits = strspn(name, "0123456789");
    if (digits > 0 && name[digits] == '-')
        digits += 1 + strspn(name + digits + 1, "0123456789");
    const size_t suffix = strlen(JOURNAL_SUFFIX);
    return digits >= 6 && strncmp(name + digits, JOURNAL_SUFFIX, suffix) == 0 ? name + digits + suffix : NULL;
}

static bool is_number(const char *text, const char *signs) {
    return *text != '\0' && text[strspn(text, signs)] == '\0';
}

static bool is_journal(const char *name) {
    const char *behind = behind_journal(name);
    return behind && *behind == '\0';
}

static bool is_earlier(const char *name) {
    const char *behind = behind_journal(name);
    const size_t length = strlen(EARLIER);
    return behind && strncmp(behind, EARLIER, length) == 0 && is_number(behind + length, "0123456789");
}

/* Whether a campaign would have made a file of that name: its own, or one that was being written. */
static bool is_ours(const char *name) {
    static const char *const names[] = {LOCK_NAME,   MANIFEST_NAME, CAMPAIGN__OUTPUT_NAME,
                                        DONE_NAME,   "STOP",        CAMPAIGN__STATUS,
                                        "STOP-WHEN", "result.h5",   "times.csv"};
    static const char *const drafts[] = {".draft-", ".part-", ".task-"};
    const char *journal = behind_journal(name);
    if (journal)
        return *journal == '\0' || strcmp(journal, CAMPAIGN__TIMES_SUFFIX) == 0 || is_earlier(name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(name, names[i], length) != 0)
            continue;
        if (name[length] == '\0')
            return true;
        for (size_t d = 0; d < sizeof drafts / sizeof *drafts; d++)
            if (strncmp(name + length, drafts[d], strlen(drafts[d])) == 0 &&
                is_number(name + length + strlen(drafts[d]), ".draft-0123456789"))
                return true;
    }
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
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

/* What a folder with a manifest has, or one that DONE is in. */
static bool is_behind_manifest(const char *name) {
    return name[0] != '.' && is_ours(name) && strcmp(name, LOCK_NAME) != 0 &&
           strncmp(name, MANIFEST_NAME, strlen(MANIFEST_NAME)) != 0;
}

/* A folder without a manifest: empty, or what the removal of an ended campaign has left, which DONE tells. */
static enum cor_status clear(struct cor_campaign *campaign, struct cor_error *error) {
    char **paths = NULL, *said = campaign__folder_read(campaign, DONE_NAME);
    size_t count = 0;
    enum cor_status status = COR_OK;
    const bool ended = said && strcmp(said, DONE_TEXT) == 0;
    free(said);
    COR_TRY_OUT(list_folder(campaign->folder, is_behind_manifest, &paths, &count, error));
    if (count > 0 && !ended)
        COR_TRY_OUT(
            cor_fail(error, COR_STATUS_EXISTS, campaign->folder,
                     "put it back, remove the folder to begin anew, or name another file with -o",
                     "holds %s, but no " MANIFEST_NAME " that says of what",
                     behind_journal(strrchr(paths[0], '/') + 1) ? "journals" : strrchr(paths[0], '/') + 1));
    for (size_t i = 0; i < count; i++)
        if (unlink(paths[i]) != 0)
            COR_TRY_OUT(
                cor_fail_errno(error, COR_STATUS_FILE, paths[i], "remove the folder", "cannot remove"));
    campaign->removable = campaign->removable || ended;
out:
    campaign__folder_free(paths, count);
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
        COR_FREED char *aside = cor_format("%s" EARLIER "%u", paths[i], sequences);
        if (!aside)
            status = cor_fail_memory(error);
        else if (rename(paths[i], aside) != 0)
            status = cor_fail_errno(error, COR_STATUS_FILE, aside, NULL, "cannot rename a journal");
    }
    campaign__folder_free(paths, count);
    return status;
}

/* Has a campaign said of what the folder is? A lock in it is its own then, whatever a power cut has left of
 * it. */
static bool folder_is_made(const char *folder) {
    struct stat there;
    COR_FREED char *path = cor_format("%s/" MANIFEST_NAME, folder);
    return path && lstat(path, &there) == 0 && S_ISREG(there.st_mode);
}

/* An existing campaign is continued if it is this one, or a part of it. */
static enum cor_status check_manifest(struct cor_campaign *campaign, const char *path, const char *manifest,
                                      struct cor_error *error) {
    errno = 0;
    COR_FREED char *there = cor_file_text(path);
    uint32_t before = 0;
    if (!there && errno != 0 && errno != ENOENT) /* to be told from one that is missing */
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot read");
    COR_TRY(there ? campaign__manifest_compare(campaign->folder, there, manifest, &before, error)
                  : clear(campaign, error));
    /* Puts the experiment where a later run of this campaign finds it, before the manifest: one that is
     * killed in between leaves an experiment that is allowed to grow into what it says. */
    const char *text_path = campaign->definition.text_path;
    COR_FREED char *stored = text_path ? cor_file_text(text_path) : NULL;
    bool written = !text_path || (stored && strcmp(stored, campaign->definition.experiment->text) == 0);
    COR_TRY(written ? COR_OK : write_whole(text_path, campaign->definition.experiment->text, true, error));
    if (there && strcmp(there, manifest) == 0)
        return COR_OK;
    if (there && !campaign__lock_widen(campaign))
        return cor_fail(error, COR_STATUS_EXISTS, campaign->folder, "wait for them",
                        "is to hold more than other processes, which are at work in it, know of");
    if (before > 0)
        COR_TRY(set_aside(campaign, before, error));
    return write_whole(path, manifest, true, error);
}

enum cor_status campaign__folder_open(struct cor_campaign *campaign, const char *manifest,
                                      struct cor_error *error) {
    struct stat there;
    COR_FREED char *lock = NULL, *path = NULL;
    COR_TRY(cor_made(campaign->folder = cor_format("%s.parts", campaign->definition.output), error));
    lock = cor_format("%s/" LOCK_NAME, campaign->folder);
    path = cor_format("%s/" MANIFEST_NAME, campaign->folder);
    if (!lock || !path)
        return cor_fail_memory(error);
    if (lstat(campaign->folder, &there) == 0)
        COR_TRY(check_ours(campaign->folder, error));
    COR_TRY(lock_take(campaign, lock, error));
    if (campaign->idle)
        return COR_OK;
    COR_TRY(check_manifest(campaign, path, manifest, error));
    /* Where nothing is stored there is nothing to go on from: others may have been killed before, or
     * behind all. */
    char **paths;
    size_t count;
    COR_TRY(campaign__folder_journals(campaign->folder, &paths, &count, error));
    campaign__folder_free(paths, count);
    campaign->removable = campaign->removable || count == 0;
    return lock_narrow(campaign, error);
}

/* Its files that are known by their names, but not DONE and LOCK, which go last; what somebody else has put
 * there stays, and the folder with it. */
static bool goes_first(const char *name) {
    return name[0] != '.' && is_ours(name) && strcmp(name, DONE_NAME) != 0 && strcmp(name, LOCK_NAME) != 0;
}

static void unlink_in(const struct cor_campaign *campaign, const char *name) {
    COR_FREED char *path = cor_format("%s/%s", campaign->folder, name);
    if (path)
        unlink(path);
}

void campaign__folder_close(struct cor_campaign *campaign) {
    if (campaign->lock >= 0 && campaign->finished) {
        /* Should we be killed on the way, the rest is known to be of no use: DONE says so until no file is
         * left. */
        struct cor_error ignored = COR_NO_ERROR;
        char **paths;
        size_t count;
        enum cor_status said = campaign__folder_write(campaign, DONE_NAME, DONE_TEXT, &ignored);
        (void)said; /* without it journals, which have the first names, go before the manifest */
        if (list_folder(campaign->folder, goes_first, &paths, &count, &ignored) == COR_OK) {
            for (size_t i = 0; i < count; i++)
                unlink(paths[i]);
            enum cor_status gone = count > 0 ? cor_file_sync_folder(paths[0], &ignored) : COR_OK;
            (void)gone;
            campaign__folder_free(paths, count);
            unlink_in(campaign, DONE_NAME);
            unlink_in(campaign, LOCK_NAME);
            rmdir(campaign->folder);
        }
    }
    if (campaign->lock >= 0)
        close(campaign->lock);
    campaign->lock = -1;
    free(campaign->folder);
    campaign->folder = NULL;
}

enum cor_status campaign__folder_write(const struct cor_campaign *campaign, const char *name,
                                       const char *text, struct cor_error *error) {
    COR_FREED char *path = cor_format("%s/%s", campaign->folder, name);
    return path ? write_whole(path, text, true, error) : cor_fail_memory(error);
}

char *campaign__folder_read(const struct cor_campaign *campaign, const char *name) {
    char *path = cor_format("%s/%s", campaign->folder, name), *text = path ? cor_file_text(path) : NULL;
    free(path);
    return text;
}

void campaign__folder_say(const struct cor_campaign *campaign, const char *name, const char *text) {
    struct cor_error ignored = COR_NO_ERROR;
    COR_FREED char *path = cor_format("%s/%s", campaign->folder, name);
    if (path && write_whole(path, text, false, &ignored) != COR_OK)
        unlink(path); /* better none than an old one */
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
    COR_FREED char *here = NULL, *path = cor_format("%s/" MANIFEST_NAME, folder),
                   *there = path ? cor_file_text(path) : NULL;
    uint32_t before;
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(path, error));
    if (!there)
        COR_TRY(cor_fail(error, COR_STATUS_FILE, folder, "name the folder of a campaign",
                         "holds no " MANIFEST_NAME " that says of what its journals are"));
    COR_TRY(campaign__manifest_make(campaign, &here, error));
    COR_TRY(campaign__manifest_compare_source(folder, there, here, &before, error));
    if (before > 0)
        status = cor_fail(error, COR_STATUS_EXISTS, folder, "extend it, and run it again",
                          "holds suites of %u sequences, fewer than they are to have", before);
    return status;
}

enum cor_status campaign__folder_source(const struct cor_campaign *campaign, const char *output,
                                        char ***paths, size_t *count, struct cor_error *error) {
    COR_FREED char *folder = cor_format("%s.parts", output);
    COR_TRY(cor_made(folder, error));
    COR_TRY(check_source(campaign, folder, error));
    return campaign__folder_journals(folder, paths, count, error);
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

/* ---- head */

enum cor_status cor_experiment_head_arms(struct cor_experiment_head *head, size_t arm_count,
                                         struct cor_error *error) {
    COR_ASSERT(!head->arms && arm_count <= UINT32_MAX);
    head->arm_count = (uint32_t)arm_count;
    return cor_made(head->arms = cor_calloc(arm_count, sizeof *head->arms), error);
}

uint32_t cor_experiment_put_arms(struct cor_json_writer *writer, const struct cor_json *arms,
                                 const char *const *names,
                                 void (*put)(struct cor_json_writer *writer, const struct cor_json *arm,
                                             uint32_t place)) {
    uint32_t count = 0;
    (cor_json_is_object(arms) ? cor_json_open_object : cor_json_open_array)(writer, "arms");
    COR_JSON_CHILDREN(arm, arms) {
        const char *called = cor_json_called(&arm);
        if (names && !(called && cor_is_among(names, called)))
            continue;
        count++;
        if (put)
            put(writer, &arm, (uint32_t)arm.index);
        else
            cor_json_put_value(writer, arm.key, &arm);
    }
    cor_json_close(writer);
    return count;
}

void cor_experiment_head_fini(struct cor_experiment_head *head) {
    for (uint32_t a = 0; head->arms && a < head->arm_count; a++)
        free(head->arms[a].text);
    COR_FREE(head->arms, head->path, head->text);
    *head = (struct cor_experiment_head){0};
}

/* ---- what a layer calls while a suite is executed (layer.h) */

bool cor_watch_stopped(const struct cor_watch *watch) {
    return watch && watch->stopped(watch->with);
}

void cor_watch_show(const struct cor_watch *watch, uint64_t cases) {
    if (watch)
        watch->show(watch->with, cases);
}

void cor_watch_share(const struct cor_watch *watch, double share) {
    if (watch && watch->share)
        watch->share(watch->with, share);
}

void cor_watch_starts(const struct cor_watch *watch, uint64_t starts, double seconds) {
    if (watch && watch->starts)
        watch->starts(watch->with, starts, seconds);
}
