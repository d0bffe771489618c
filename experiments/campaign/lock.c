/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lock of a campaign's folder: who is at work in it. A process that runs all of the plan holds all bytes
 * of the file, one with a share the byte of that; and, while it looks at what is there and may have to change
 * it, the byte behind all shares. The kernel gives a lock back when the last process that holds it has ended,
 * however it ended. */
#define _GNU_SOURCE /* locks of open files */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/record.h>
#include <corridor/work.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

enum cor_status campaign__lock_take(struct cor_campaign *campaign, const char *path,
                                    struct cor_error *error) {
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
        enum cor_status status = is_lock(file) || campaign__folder_is_made(campaign->folder)
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

enum cor_status campaign__lock_narrow(struct cor_campaign *campaign, struct cor_error *error) {
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
    char *path = cor_format("%s/LOCK", folder);
    const int file = path ? open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW) : -1;
    free(path);
    return file;
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
    char *folder = cor_format("%s.parts", output);
    const long process = folder ? campaign__lock_process(folder) : 0;
    free(folder);
    return process;
}
