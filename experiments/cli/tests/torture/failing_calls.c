/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LD_PRELOAD: the k-th of the system calls below, counted over all processes of a command, fails; once, or
 * from then on. FAILING_CALLS=COUNTER_FILE:K:ERRNO:once|always; K = 0 only counts, errno 0 makes a writing
 * call write half. The file is a struct counter. A call that never is interrupted, or cannot write half, does
 * not fail by it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
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
    char name[24];   /* of the call that failed */
    char kind[4064]; /* of each call: r reads, c may change something */
};

static struct counter *counter;
static unsigned long failing;
static int number;
static bool always;

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
    char path[512], word[16];
    const char *text = getenv("FAILING_CALLS");
    if (!text || sscanf(text, "%511[^:]:%lu:%d:%15s", path, &failing, &number, word) != 4)
        return;
    always = strcmp(word, "always") == 0;
    int file = REAL(int, open, const char *, int, ...)(path, O_RDWR);
    void *memory = file >= 0 ? REAL(void *, mmap, void *, size_t, int, int, int,
                                    off_t)(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                             : MAP_FAILED;
    if (file >= 0)
        close(file);
    counter = memory == MAP_FAILED ? NULL : memory;
}

/* Counts a call; true if it is its turn. */
static bool is_due(const char *name) {
    if (!counter)
        return false;
    unsigned long now = atomic_fetch_add(&counter->count, 1) + 1;
    if (now <= sizeof counter->kind)
        counter->kind[now - 1] = strcmp(name, "pread") == 0 ? 'r' : 'c';
    if (failing == 0 || now < failing || (now > failing && !always))
        return false;
    if (now == failing)
        strncpy(counter->name, name, sizeof counter->name - 1);
    errno = number;
    return true;
}

/* A call that is not interrupted, and transfers nothing. */
static bool fails(const char *name) {
    return is_due(name) && number != 0 && number != EINTR;
}

/* A call that may be interrupted. */
static bool waits_and_fails(const char *name) {
    return is_due(name) && number != 0;
}

ssize_t write(int file, const void *bytes, size_t size) {
    bool due = file > 2 && is_due("write");
    if (due && number != 0)
        return -1;
    return REAL(ssize_t, write, int, const void *, size_t)(file, bytes, due && size > 1 ? size / 2 : size);
}
static ssize_t write_at(int file, const void *bytes, size_t size, off_t offset) {
    bool due = is_due("pwrite");
    if (due && number != 0)
        return -1;
    size = due && size > 1 ? size / 2 : size;
    return REAL(ssize_t, pwrite64, int, const void *, size_t, off_t)(file, bytes, size, offset);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    return write_at(file, bytes, size, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
    return write_at(file, bytes, size, offset);
}
static ssize_t read_at(int file, void *bytes, size_t size, off_t offset) {
    bool due = is_due("pread");
    if (due && number != 0)
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
    return waits_and_fails("fsync") ? -1 : REAL(int, fsync, int)(file);
}
int fdatasync(int file) {
    return waits_and_fails("fdatasync") ? -1 : REAL(int, fdatasync, int)(file);
}
int ftruncate(int file, off_t size) {
    return fails("ftruncate") ? -1 : REAL(int, ftruncate, int, off_t)(file, size);
}
int ftruncate64(int file, off64_t size) {
    return fails("ftruncate") ? -1 : REAL(int, ftruncate64, int, off64_t)(file, size);
}
int rename(const char *from, const char *to) {
    return fails("rename") ? -1 : REAL(int, rename, const char *, const char *)(from, to);
}
int mkdir(const char *path, mode_t mode) {
    return fails("mkdir") ? -1 : REAL(int, mkdir, const char *, mode_t)(path, mode);
}
int unlink(const char *path) {
    return fails("unlink") ? -1 : REAL(int, unlink, const char *)(path);
}
int remove(const char *path) {
    return fails("remove") ? -1 : REAL(int, remove, const char *)(path);
}
DIR *opendir(const char *path) {
    return fails("opendir") ? NULL : REAL(DIR *, opendir, const char *)(path);
}
pid_t fork(void) {
    return fails("fork") ? -1 : REAL(pid_t, fork, void)();
}
void *mmap(void *where, size_t size, int protection, int flags, int file, off_t offset) {
    if (fails("mmap"))
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
    return fails("open") ? -1 : REAL(int, open, const char *, int, ...)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = mode_in(flags, list);
    va_end(list);
    return fails("open") ? -1 : REAL(int, open64, const char *, int, ...)(path, flags, mode);
}
FILE *fopen(const char *path, const char *mode) {
    return fails("fopen") ? NULL : REAL(FILE *, fopen, const char *, const char *)(path, mode);
}
FILE *fdopen(int file, const char *mode) {
    return fails("fdopen") ? NULL : REAL(FILE *, fdopen, int, const char *)(file, mode);
}
int fflush(FILE *file) {
    if (file && file != stdout && file != stderr && fails("fflush"))
        return EOF;
    return REAL(int, fflush, FILE *)(file);
}
