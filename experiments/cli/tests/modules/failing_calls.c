/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LD_PRELOAD: the k-th system call that changes files, counted over all processes of a command, fails; once,
 * or from then on. FAILING_CALLS=COUNTER_FILE:K:ERRNO:once|always; K = 0 only counts. */
#define _GNU_SOURCE
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
#include <sys/uio.h>
#include <unistd.h>

#pragma GCC visibility push(default)

static _Atomic unsigned long *counter;
static unsigned long failing;
static int number;
static bool always;

__attribute__((constructor)) static void begin(void) {
    char path[512], word[16];
    const char *text = getenv("FAILING_CALLS");
    if (!text || sscanf(text, "%511[^:]:%lu:%d:%15s", path, &failing, &number, word) != 4)
        return;
    always = strcmp(word, "always") == 0;
    int (*real_open)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    int file = real_open(path, O_RDWR);
    void *memory =
        file >= 0 ? mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (file >= 0)
        close(file);
    counter = memory == MAP_FAILED ? NULL : memory;
}

/* Counts a call; true if it is to fail. */
static bool fails(void) {
    if (!counter)
        return false;
    unsigned long now = atomic_fetch_add(counter, 1) + 1;
    if (failing == 0 || now < failing || (now > failing && !always))
        return false;
    errno = number;
    return true;
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *bytes, size_t size) {
    if (file > 2 && fails())
        return -1;
    return REAL(ssize_t, write, int, const void *, size_t)(file, bytes, size);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    if (fails())
        return -1;
    return REAL(ssize_t, pwrite, int, const void *, size_t, off_t)(file, bytes, size, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
    if (fails())
        return -1;
    return REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)(file, bytes, size, offset);
}
int fsync(int file) {
    return fails() ? -1 : REAL(int, fsync, int)(file);
}
int fdatasync(int file) {
    return fails() ? -1 : REAL(int, fdatasync, int)(file);
}
int ftruncate(int file, off_t size) {
    return fails() ? -1 : REAL(int, ftruncate, int, off_t)(file, size);
}
int ftruncate64(int file, off64_t size) {
    return fails() ? -1 : REAL(int, ftruncate64, int, off64_t)(file, size);
}
int rename(const char *from, const char *to) {
    return fails() ? -1 : REAL(int, rename, const char *, const char *)(from, to);
}
int mkdir(const char *path, mode_t mode) {
    return fails() ? -1 : REAL(int, mkdir, const char *, mode_t)(path, mode);
}
int unlink(const char *path) {
    return fails() ? -1 : REAL(int, unlink, const char *)(path);
}
int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    if ((flags & (O_WRONLY | O_RDWR | O_CREAT | O_DIRECTORY)) && fails())
        return -1;
    return REAL(int, open, const char *, int, ...)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    if ((flags & (O_WRONLY | O_RDWR | O_CREAT | O_DIRECTORY)) && fails())
        return -1;
    return REAL(int, open64, const char *, int, ...)(path, flags, mode);
}
FILE *fopen(const char *path, const char *mode) {
    if (mode[0] != 'r' && fails())
        return NULL;
    return REAL(FILE *, fopen, const char *, const char *)(path, mode);
}
int fflush(FILE *file) {
    if (file && file != stdout && file != stderr && fails())
        return EOF;
    return REAL(int, fflush, FILE *)(file);
}
