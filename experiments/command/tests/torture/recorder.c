/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LD_PRELOAD: writes down every call that changes files below the present folder, of all processes of a
 * command, with its bytes, in the order in which calls returned. RECORDER=FOLDER, which holds a file "order"
 * of struct shared's size, zeros; each process writes FOLDER/PID.trace (trace.h). Streams are made of calls
 * that are seen. */
#define _GNU_SOURCE
#include "trace.h"

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
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#pragma GCC visibility push(default)

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))
enum { FILES = 512 }; /* half of what Debian lets a process open: the trace is above them */

/* What processes have in common. Who kills from outside may do so between a call and its note, or in the
 * middle of a note: who is to be killed, or to go with its parent, does it by itself, behind a call that is
 * written down. */
static struct shared {
    _Atomic uint64_t order;  /* of the next call */
    _Atomic uint64_t doomed; /* not 0: whoever makes a call is killed */
} * shared;

static char folder[512], here[512];
static int trace = -1;
static pid_t tracer, mortal, parent; /* mortal: who is not to go on without its parent, 0: nobody */
static char *paths[FILES];           /* of open files below the present folder; owned */
static FILE *streams[FILES];         /* [file] */

static int real_open(const char *path, int flags, mode_t mode) {
    return REAL(int, open, const char *, int, ...)(path, flags, mode);
}

__attribute__((constructor)) static void begin(void) {
    const char *told = getenv("RECORDER");
    char name[600];
    if (!told || strlen(told) >= sizeof folder || !getcwd(here, sizeof here))
        return;
    strcpy(folder, told);
    snprintf(name, sizeof name, "%s/order", folder);
    int file = real_open(name, O_RDWR | O_CLOEXEC, 0);
    void *memory =
        file >= 0 ? mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (file >= 0)
        REAL(int, close, int)(file);
    shared = memory == MAP_FAILED ? NULL : memory;
}

/* The path below the present folder; NULL if it lies elsewhere. */
static const char *below(const char *path) {
    size_t length = strlen(here);
    if (strncmp(path, here, length) == 0 && (path[length] == '/' || path[length] == '\0'))
        return path[length] == '/' ? path + length + 1 : ".";
    return path[0] == '/' ? NULL : path;
}

static void put(const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t done = REAL(ssize_t, write, int, const void *, size_t)(trace, at, size);
        if (done <= 0)
            _exit(99); /* a trace with gaps is worth nothing */
        at += done;
        size -= (size_t)done;
    }
}

/* Writes down one call; `path` and `other` may be NULL, of other kinds than names `bytes` are what was
 * written. */
static void note(enum trace_kind kind, uint64_t object, uint64_t offset, const void *bytes, size_t size,
                 const char *path, const char *other) {
    int before = errno;
    if (!shared)
        return;
    if (tracer != getpid()) {
        char name[600];
        if (tracer != 0)
            REAL(int, close, int)(trace);
        tracer = getpid();
        snprintf(name, sizeof name, "%s/%ld.trace", folder, (long)tracer);
        trace = real_open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        trace = fcntl(trace, F_DUPFD_CLOEXEC, FILES); /* out of the way of the program's own */
    }
    struct trace_head head = {.order = atomic_fetch_add(&shared->order, 1),
                              .kind = kind,
                              .path = path ? (uint32_t)strlen(path) : 0,
                              .other = other ? (uint32_t)strlen(other) : 0,
                              .object = object,
                              .offset = offset,
                              .size = size};
    put(&head, sizeof head);
    if (path)
        put(path, head.path);
    if (other)
        put(other, head.other);
    if (kind == TRACE_WRITE || kind == TRACE_SAY)
        put(bytes, size);
    if (atomic_load(&shared->doomed) != 0 || (mortal == tracer && getppid() != parent))
        raise(SIGKILL);
    errno = before;
}

static bool seen(int file) {
    return file >= 0 && file < FILES && paths[file];
}

static uint64_t object_of(int file) {
    struct stat what;
    return fstat(file, &what) == 0 ? (uint64_t)what.st_ino : 0;
}

/* Opens, and writes down what that has changed. */
static int open_and_note(const char *path, int flags, mode_t mode) {
    struct stat what;
    const char *name = below(path);
    bool was_there = stat(path, &what) == 0;
    int file = real_open(path, flags, mode);
    if (file < 0 || file >= FILES || !name || !shared)
        return file;
    free(paths[file]);
    paths[file] = strdup(name);
    if (!was_there && (flags & O_CREAT))
        note(TRACE_CREATE, object_of(file), 0, NULL, 0, name, NULL);
    else if (flags & O_TRUNC)
        note(TRACE_TRUNCATE, object_of(file), 0, NULL, 0, NULL, NULL);
    return file;
}

static mode_t mode_in(int flags, va_list list) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = mode_in(flags, list);
    va_end(list);
    return open_and_note(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = mode_in(flags, list);
    va_end(list);
    return open_and_note(path, flags, mode);
}

int close(int file) {
    if (seen(file)) {
        free(paths[file]);
        paths[file] = NULL;
    }
    return REAL(int, close, int)(file);
}

ssize_t write(int file, const void *bytes, size_t size) {
    ssize_t done = REAL(ssize_t, write, int, const void *, size_t)(file, bytes, size);
    if (done > 0 && (file == 1 || file == 2))
        note(TRACE_SAY, 0, 0, bytes, (size_t)done, NULL, NULL);
    else if (done > 0 && seen(file))
        note(TRACE_WRITE, object_of(file), (uint64_t)(lseek(file, 0, SEEK_CUR) - done), bytes, (size_t)done,
             paths[file], NULL);
    return done;
}

static ssize_t pwrite_and_note(int file, const void *bytes, size_t size, off_t offset) {
    ssize_t done = REAL(ssize_t, pwrite64, int, const void *, size_t, off_t)(file, bytes, size, offset);
    if (done > 0 && seen(file))
        note(TRACE_WRITE, object_of(file), (uint64_t)offset, bytes, (size_t)done, paths[file], NULL);
    return done;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    return pwrite_and_note(file, bytes, size, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
    return pwrite_and_note(file, bytes, size, offset);
}

static int sync_and_note(int file, int result) {
    struct stat what;
    if (result == 0 && seen(file) && fstat(file, &what) == 0) {
        if (S_ISDIR(what.st_mode))
            note(TRACE_SYNC_FOLDER, 0, 0, NULL, 0, paths[file], NULL);
        else
            note(TRACE_SYNC, (uint64_t)what.st_ino, 0, NULL, 0, NULL, NULL);
    }
    return result;
}

int fsync(int file) {
    return sync_and_note(file, REAL(int, fsync, int)(file));
}

int fdatasync(int file) {
    return sync_and_note(file, REAL(int, fdatasync, int)(file));
}

static int cut_and_note(int file, off_t size) {
    int result = REAL(int, ftruncate64, int, off_t)(file, size);
    if (result == 0 && seen(file))
        note(TRACE_TRUNCATE, object_of(file), (uint64_t)size, NULL, 0, NULL, NULL);
    return result;
}

int ftruncate(int file, off_t size) {
    return cut_and_note(file, size);
}

int ftruncate64(int file, off64_t size) {
    return cut_and_note(file, size);
}

static int rename_and_note(const char *from, const char *to, int result) {
    if (result == 0 && below(from) && below(to))
        note(TRACE_RENAME, 0, 0, NULL, 0, below(from), below(to));
    return result;
}

int rename(const char *from, const char *to) {
    return rename_and_note(from, to, REAL(int, rename, const char *, const char *)(from, to));
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    return rename_and_note(from, to,
                           REAL(int, renameat2, int, const char *, int, const char *,
                                unsigned)(from_folder, from, to_folder, to, flags));
}

int mkdir(const char *path, mode_t mode) {
    int result = REAL(int, mkdir, const char *, mode_t)(path, mode);
    if (result == 0 && below(path))
        note(TRACE_MKDIR, 0, 0, NULL, 0, below(path), NULL);
    return result;
}

static int remove_and_note(const char *path, int result) {
    if (result == 0 && below(path))
        note(TRACE_REMOVE, 0, 0, NULL, 0, below(path), NULL);
    return result;
}

int unlink(const char *path) {
    return remove_and_note(path, REAL(int, unlink, const char *)(path));
}

int rmdir(const char *path) {
    return remove_and_note(path, REAL(int, rmdir, const char *)(path));
}

int remove(const char *path) {
    return remove_and_note(path, REAL(int, remove, const char *)(path));
}

int prctl(int option, ...) {
    va_list list;
    unsigned long word[4];
    va_start(list, option);
    for (int i = 0; i < 4; i++)
        word[i] = va_arg(list, unsigned long);
    va_end(list);
    if (option == PR_SET_PDEATHSIG && shared) {
        mortal = word[0] == SIGKILL ? getpid() : 0;
        parent = getppid();
        return 0;
    }
    return REAL(int, prctl, int, ...)(option, word[0], word[1], word[2], word[3]);
}

/* Streams that write go through write() above: what the C library does within is not seen from here. */
static ssize_t cookie_write(void *cookie, const char *bytes, size_t size) {
    return write((int)(intptr_t)cookie, bytes, size);
}

static int cookie_close(void *cookie) {
    streams[(intptr_t)cookie] = NULL;
    return close((int)(intptr_t)cookie);
}

FILE *fdopen(int file, const char *mode) {
    static const cookie_io_functions_t how = {.write = cookie_write, .close = cookie_close};
    if (mode[0] == 'r' || !seen(file))
        return REAL(FILE *, fdopen, int, const char *)(file, mode);
    return streams[file] = fopencookie((void *)(intptr_t)file, "w", how);
}

FILE *fopen(const char *path, const char *mode) {
    if (mode[0] == 'r' || !below(path) || !shared)
        return REAL(FILE *, fopen, const char *, const char *)(path, mode);
    int file = open_and_note(path, O_WRONLY | O_CREAT | (mode[0] == 'a' ? O_APPEND : O_TRUNC), 0666);
    return file >= 0 ? fdopen(file, mode) : NULL;
}

FILE *fopen64(const char *path, const char *mode) {
    return fopen(path, mode);
}

int fileno(FILE *stream) {
    for (int file = 0; file < FILES; file++)
        if (streams[file] == stream)
            return file;
    return REAL(int, fileno, FILE *)(stream);
}

int dprintf(int file, const char *format, ...) {
    va_list list;
    char *text;
    va_start(list, format);
    int size = vasprintf(&text, format, list);
    va_end(list);
    ssize_t done = size >= 0 ? write(file, text, (size_t)size) : -1;
    if (size >= 0)
        free(text);
    return (int)done;
}
