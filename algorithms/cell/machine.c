/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each is tried, not looked up, where trying leaves nothing behind. */
#define _GNU_SOURCE /* O_TMPFILE, RLIMIT_NPROC */
#include <corridor/machine.h>

#include <corridor/array.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define MEGA (1 << 20)

static const struct {
    const char *name, *right;
} wanted[COR_MACHINE_COUNT] = {
    [COR_MACHINE_WRITES] = {"writable",
                            "a folder in which you may make files: chmod u+wx, or another folder"},
    [COR_MACHINE_SPACE] = {"space",
                           "1024 MiB free, and 1000 files: remove some, or take another file system"},
    [COR_MACHINE_LOCKS] =
        {"locks", "a second lock of a file is refused: mount with locks, or write elsewhere; h5py and "
                  "others read without locks by HDF5_USE_FILE_LOCKING=FALSE"},
    [COR_MACHINE_FILES] = {"open files", "at least 256: ulimit -n 1024"},
    [COR_MACHINE_SIZES] = {"file size", "at least 1024 MiB: ulimit -f unlimited"},
    [COR_MACHINE_MEMORY] = {"address space", "at least 4096 MiB: ulimit -v unlimited"},
    [COR_MACHINE_PROCESSES] = {"processes", "at least 256: ulimit -u 4096"},
    [COR_MACHINE_LOOPBACK] = {"loopback", "127.0.0.1 is up, as corridor watch needs it: ip link set lo up"},
};

static void say(struct cor_machine_check *check, bool holds, const char *format, ...) COR_PRINTF(3, 4);
static void say(struct cor_machine_check *check, bool holds, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->found, sizeof check->found, format, arguments);
    va_end(arguments);
    check->holds = holds;
}

static void look_at_space(const char *folder, struct cor_machine_check *check) {
    struct statvfs system;
    if (statvfs(folder, &system) != 0) {
        say(check, false, "cannot be told: %s", strerror(errno));
        return;
    }
    const uint64_t free_bytes = (uint64_t)system.f_bavail * system.f_frsize;
    const bool counts_files = system.f_files > 0; /* some file systems have no limit of their number */
    const bool has_files = !counts_files || system.f_favail >= 1000;
    say(check, free_bytes >= COR_MACHINE_SPACE_BYTES && has_files,
        has_files ? "%" PRIu64 " MiB free" : "%" PRIu64 " MiB free, and room for less than 1000 files",
        free_bytes / MEGA);
}

/* Locks of a range, as campaigns have them, and of a file, as HDF5 has them. */
static bool lock_range(int file) {
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(file, F_OFD_SETLK, &all) == 0;
}
static bool lock_file(int file) {
    return flock(file, LOCK_EX | LOCK_NB) == 0;
}

/* Two openings of one file: the second must not get the lock that the first has. */
static void look_at_locks(const char *path, int file, struct cor_machine_check *check) {
    const int other = open(path, O_RDWR | O_CLOEXEC);
    if (other < 0)
        say(check, false, "cannot be tried: %s", strerror(errno));
    else if (!lock_range(file) || !lock_file(file))
        say(check, false, "a file cannot be locked: %s", strerror(errno));
    else if (lock_range(other) || lock_file(other))
        say(check, false, "a file that is locked can be locked again");
    else
        say(check, true, "a file that is locked cannot be locked again");
    if (other >= 0)
        close(other);
}

static enum cor_status look_at_files(const char *folder, struct cor_machine_check *checks,
                                     struct cor_error *error) {
    char *path = cor_format("%s/.corridor-doctor-XXXXXX", folder);
    COR_TRY(cor_made(path, error));
    const int file = mkstemp(path);
    if (file < 0) {
        say(&checks[COR_MACHINE_WRITES], false, "no file can be made: %s", strerror(errno));
        say(&checks[COR_MACHINE_LOCKS], false, "cannot be tried without a file");
    } else {
        const bool writes = write(file, "x", 1) == 1 && fsync(file) == 0;
        say(&checks[COR_MACHINE_WRITES], writes,
            writes ? "files can be made and written" : "a file can be made, but not written");
        look_at_locks(path, file, &checks[COR_MACHINE_LOCKS]);
        close(file);
        unlink(path);
    }
    free(path);
    return COR_OK;
}

/* A limit of this process, in units of so many. */
static void look_at_limit(int resource, uint64_t least, uint64_t unit, const char *of_unit,
                          struct cor_machine_check *check) {
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) != 0)
        say(check, false, "cannot be told: %s", strerror(errno));
    else if (limit.rlim_cur == RLIM_INFINITY)
        say(check, true, "no limit");
    else
        say(check, limit.rlim_cur >= least, "%" PRIu64 "%s", (uint64_t)limit.rlim_cur / unit, of_unit);
}

static void look_at_loopback(struct cor_machine_check *check) {
    const struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool holds = server >= 0 && bind(server, (const struct sockaddr *)&here, sizeof here) == 0 &&
                       listen(server, 1) == 0;
    if (holds)
        say(check, true, "a port of 127.0.0.1 can be opened");
    else
        say(check, false, "no port of 127.0.0.1 can be opened: %s", strerror(errno));
    if (server >= 0)
        close(server);
}

enum cor_status cor_machine_look(const char *folder, struct cor_machine_check checks[COR_MACHINE_COUNT],
                                 struct cor_error *error) {
    struct stat there;
    if (stat(folder, &there) != 0)
        return cor_fail_errno(error, COR_STATUS_FILE, folder, "name a folder that is there", "cannot look");
    if (!S_ISDIR(there.st_mode))
        return cor_fail(error, COR_STATUS_FILE, folder, "name the folder that results are to go to",
                        "is no folder");
    for (size_t i = 0; i < COR_MACHINE_COUNT; i++)
        checks[i] = (struct cor_machine_check){.name = wanted[i].name, .right = wanted[i].right};
    COR_TRY(look_at_files(folder, checks, error));
    look_at_space(folder, &checks[COR_MACHINE_SPACE]);
    look_at_limit(RLIMIT_NOFILE, COR_MACHINE_FILES_LEAST, 1, "", &checks[COR_MACHINE_FILES]);
    look_at_limit(RLIMIT_FSIZE, COR_MACHINE_SPACE_BYTES, MEGA, " MiB", &checks[COR_MACHINE_SIZES]);
    look_at_limit(RLIMIT_AS, COR_MACHINE_MEMORY_BYTES, MEGA, " MiB", &checks[COR_MACHINE_MEMORY]);
    look_at_limit(RLIMIT_NPROC, COR_MACHINE_PROCESSES_LEAST, 1, "", &checks[COR_MACHINE_PROCESSES]);
    look_at_loopback(&checks[COR_MACHINE_LOOPBACK]);
    return COR_OK;
}
