/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LD_PRELOAD: the k-th of the system calls below, counted over all processes of a command, fails; once, or
 * from then on. FAILING_CALLS=COUNTER_FILE:K:ERRNO:once|always|changing; K = 0 only counts, and "changing"
 * does not count reads. Errno 0 makes a writing call write half; -1 kills the process at the call, -2 behind
 * half of what it writes. The file is a struct counter. A call that never is interrupted, or cannot write
 * half, does not fail by it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#pragma GCC visibility push(default)

struct counter {
    _Atomic unsigned long count;
    char name[120];  /* of the call that failed, and of its file */
    char kind[3968]; /* of each call: r reads, c may change something */
};

static struct counter *counter;
static unsigned long failing;
static int number;
static bool always, changing;

enum { KILLS = -1, KILLS_HALFWAY = -2 };

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
    char path[512], word[16];
    const char *text = getenv("FAILING_CALLS");
    if (!text || sscanf(text, "%511[^:]:%lu:%d:%15s", path, &failing, &number, word) != 4)
        return;
    always = strcmp(word, "always") == 0;
    changing = strcmp(word, "changing") == 0;
    int file = REAL(int, open, const char *, int, ...)(path, O_RDWR);
    void *memory = file >= 0 ? REAL(void *, mmap, void *, size_t, int, int, int,
                                    off_t)(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                             : MAP_FAILED;
    if (file >= 0)
        close(file);
    counter = memory == MAP_FAILED ? NULL : memory;
}

/* Writes down which call it is, whose, and of which file. */
static void name_call(const char *name, int file, const char *path) {
    char link[32], target[256] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = path ? -1 : readlink(link, target, sizeof target - 1);
    target[length > 0 ? (size_t)length : 0] = '\0';
    const char *shown = path ? path : target, *slash = strrchr(shown, '/');
    snprintf(counter->name, sizeof counter->name, "%s %s %.90s", name,
             getpid() == getsid(0) ? "planner" : "child", slash ? slash + 1 : shown);
}

/* Counts a call; true if it is its turn. */
static bool is_due(const char *name, int file, const char *path) {
    bool reads = strcmp(name, "pread") == 0;
    if (!counter || (reads && changing))
        return false;
    unsigned long now = atomic_fetch_add(&counter->count, 1) + 1;
    if (now <= sizeof counter->kind)
        counter->kind[now - 1] = reads ? 'r' : 'c';
    if (failing == 0 || now < failing || (now > failing && !always))
        return false;
    if (now == failing)
        name_call(name, file, path);
    if (number == KILLS)
        kill(getpid(), SIGKILL);
    errno = number;
    return true;
}

/* A call that is not interrupted, and transfers nothing. */
static bool fails(const char *name, int file, const char *path) {
    return is_due(name, file, path) && number > 0 && number != EINTR;
}

/* A call that may be interrupted. */
static bool waits_and_fails(const char *name, int file) {
    return is_due(name, file, NULL) && number > 0;
}

/* Of a call that has written half. */
static ssize_t written_half(bool due, ssize_t done) {
    if (due && number == KILLS_HALFWAY)
        kill(getpid(), SIGKILL);
    return done;
}

ssize_t write(int file, const void *bytes, size_t size) {
    bool due = file > 2 && is_due("write", file, NULL);
    if (due && number > 0)
        return -1;
    size = due && size > 1 ? size / 2 : size;
    return written_half(due, REAL(ssize_t, write, int, const void *, size_t)(file, bytes, size));
}
static ssize_t write_at(int file, const void *bytes, size_t size, off_t offset) {
    bool due = is_due("pwrite", file, NULL);
    if (due && number > 0)
        return -1;
    size = due && size > 1 ? size / 2 : size;
    return written_half(due,
                        REAL(ssize_t, pwrite64, int, const void *, size_t, off_t)(file, bytes, size, offset));
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    return write_at(file, bytes, size, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
    return write_at(file, bytes, size, offset);
}
static ssize_t read_at(int file, void *bytes, size_t size, off_t offset) {
    bool due = is_due("pread", file, NULL);
    if (due && number > 0)
        return -1;
    size = due && size > 1 ? size / 2 : size;
    return REAL(ssize_t, pread64, int, void *, size_t, off_t)(file, bytes, size, offset);
}
ssize_t pread(int file, void *bytes, size_t size, off_t offset) {
    return read_at(file, bytes, size, offset);
}
ssize_t pread64(int file, void *bytes, size_t size, off64_t offset) {
    return read_at(file, bytes, size, offset);
}
int fsync(int file) {
    return waits_and_fails("fsync", file) ? -1 : REAL(int, fsync, int)(file);
}
int fdatasync(int file) {
    return waits_and_fails("fdatasync", file) ? -1 : REAL(int, fdatasync, int)(file);
}
int ftruncate(int file, off_t size) {
    return fails("ftruncate", file, NULL) ? -1 : REAL(int, ftruncate, int, off_t)(file, size);
}
int ftruncate64(int file, off64_t size) {
    return fails("ftruncate", file, NULL) ? -1 : REAL(int, ftruncate64, int, off64_t)(file, size);
}
int rename(const char *from, const char *to) {
    return fails("rename", -1, to) ? -1 : REAL(int, rename, const char *, const char *)(from, to);
}
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    return fails("rename", -1, to) ? -1
                                   : REAL(int, renameat2, int, const char *, int, const char *,
                                          unsigned)(from_folder, from, to_folder, to, flags);
}
int mkdir(const char *path, mode_t mode) {
    return fails("mkdir", -1, path) ? -1 : REAL(int, mkdir, const char *, mode_t)(path, mode);
}
int unlink(const char *path) {
    return fails("unlink", -1, path) ? -1 : REAL(int, unlink, const char *)(path);
}
int remove(const char *path) {
    return fails("remove", -1, path) ? -1 : REAL(int, remove, const char *)(path);
}
DIR *opendir(const char *path) {
    return fails("opendir", -1, path) ? NULL : REAL(DIR *, opendir, const char *)(path);
}
pid_t fork(void) {
    return fails("fork", -1, "") ? -1 : REAL(pid_t, fork, void)();
}
void *mmap(void *where, size_t size, int protection, int flags, int file, off_t offset) {
    if (fails("mmap", -1, ""))
        return MAP_FAILED;
    return REAL(void *, mmap, void *, size_t, int, int, int, off_t)(where, size, protection, flags, file,
                                                                    offset);
}

static mode_t mode_in(int flags, va_list list) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
}
int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = mode_in(flags, list);
    va_end(list);
    return fails("open", -1, path) ? -1 : REAL(int, open, const char *, int, ...)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = mode_in(flags, list);
    va_end(list);
    return fails("open", -1, path) ? -1 : REAL(int, open64, const char *, int, ...)(path, flags, mode);
}
FILE *fopen(const char *path, const char *mode) {
    return fails("fopen", -1, path) ? NULL : REAL(FILE *, fopen, const char *, const char *)(path, mode);
}
FILE *fdopen(int file, const char *mode) {
    return fails("fdopen", file, NULL) ? NULL : REAL(FILE *, fdopen, int, const char *)(file, mode);
}
int fflush(FILE *file) {
    if (file && file != stdout && file != stderr && fails("fflush", fileno(file), NULL))
        return EOF;
    return REAL(int, fflush, FILE *)(file);
}
