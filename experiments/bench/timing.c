/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, wait4 */
#include "timing.h"

#include <corridor/child.h>

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void bench_must(enum cor_status status, const struct cor_error *error) {
    if (status == COR_OK)
        return;
    char text[sizeof *error + 8];
    cor_error_text(error, text, sizeof text);
    fprintf(stderr, "bench: %s\n", text);
    exit(1);
}

_Noreturn void bench_fail(const char *what) {
    fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
    exit(1);
}

void *bench_kept(void *memory) {
    if (!memory)
        bench_fail("cannot keep what is measured");
    return memory;
}

static double seconds_of(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

double bench_user_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return seconds_of(usage.ru_utime);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, size_t count) {
    COR_ASSERT(count > 0);
    qsort(values, count, sizeof *values, by_value);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

enum { REPEATS_MAX = 32 };

const struct bench_care bench_careful = {7, 0.1, bench_user_seconds};
const struct bench_care bench_brief = {3, 0.03, bench_user_seconds};

/* Seconds for a unit of work. */
static double time_of(bench_work *work, void *context, const struct bench_care *care) {
    double begin = care->clock(), passed, done = 0;
    do {
        done += work(context);
        passed = care->clock() - begin;
    } while (passed < care->slice);
    return passed / done;
}

struct bench_times bench_measure(bench_work *one, bench_work *other, void *context, struct bench_care care) {
    double times[REPEATS_MAX], others[REPEATS_MAX];
    COR_ASSERT(care.repeats >= 1 && care.repeats <= REPEATS_MAX);
    size_t repeats = (size_t)care.repeats;
    for (size_t i = 0; i < repeats; i++) {
        times[i] = time_of(one, context, &care);
        if (other)
            others[i] = time_of(other, context, &care);
    }
    return (struct bench_times){bench_median(times, repeats), other ? bench_median(others, repeats) : NAN};
}

double bench_slope(const double *x, const double *y, size_t count) {
    if (count < 2)
        return NAN;
    size_t first = count / 2 < count - 1 ? count / 2 : count - 2;
    double n = (double)(count - first), sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (size_t i = first; i < count; i++) {
        double u = log(x[i]), v = log(y[i]);
        sx += u;
        sy += v;
        sxx += u * u;
        sxy += u * v;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static double own_peak(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024 * (double)usage.ru_maxrss;
}

/* Memory that a child leaves its answer in. */
struct reply {
    bool finished;
    double before; /* peak resident set when it began: fork passes on the parent's */
    _Alignas(16) unsigned char answer[];
};

double bench_in_child(void (*body)(const void *context, void *answer), const void *context, void *answer,
                      size_t size) {
    size_t whole = sizeof(struct reply) + size;
    struct reply *reply = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (reply == MAP_FAILED)
        bench_fail("cannot share memory with a child");
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        bench_fail("cannot start a child");
    if (pid == 0) {
        reply->before = own_peak();
        body(context, reply->answer);
        reply->finished = true;
        _exit(0);
    }
    struct rusage usage;
    int how;
    while (wait4(pid, &how, 0, &usage) < 0)
        if (errno != EINTR)
            bench_fail("lost a child");
    if (!reply->finished)
        exit(1); /* it has said why */
    memcpy(answer, reply->answer, size);
    double peak = 1024 * (double)usage.ru_maxrss - reply->before;
    munmap(reply, whole);
    return peak;
}

/* A number from /proc/PID/status, -1 if it is not there. */
static double status_of(pid_t pid, const char *key) {
    char path[64], line[256];
    double value = -1;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    FILE *file = fopen(path, "r");
    while (file && value < 0 && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0)
            value = strtod(line + strlen(key), NULL);
    if (file)
        fclose(file);
    return value;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Does the process hold a journal open for writing? Permissions of the links in /proc/PID/fd say how files
 * were opened. */
static bool is_worker(pid_t pid) {
    char folder[64], path[384], target[1024];
    bool found = false;
    snprintf(folder, sizeof folder, "/proc/%ld/fd", (long)pid);
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && !found && (entry = readdir(dir));) {
        struct stat link;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        ssize_t length = readlink(path, target, sizeof target - 1);
        if (length < 0 || lstat(path, &link) != 0)
            continue;
        target[length] = '\0';
        found = (link.st_mode & S_IWUSR) && ends_with(target, ".journal");
    }
    if (dir)
        closedir(dir);
    return found;
}

static void keep_peak(double *peak, double kilobytes) {
    if (1024 * kilobytes > *peak)
        *peak = 1024 * kilobytes;
}

/* Looks at the memory of a program and of its workers, as /proc tells it: the greatest resident sets (VmHWM).
 * Workers are told from its other children (z3's, the merging one) by the journal that they hold open for
 * writing. What is gone meanwhile is passed over. */
static void look(struct bench_run *run, pid_t program) {
    keep_peak(&run->program_peak, status_of(program, "VmHWM:"));
    DIR *dir = opendir("/proc");
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 0 && (pid_t)status_of(pid, "PPid:") == program && is_worker(pid))
            keep_peak(&run->worker_peak, status_of(pid, "VmHWM:"));
    }
    if (dir)
        closedir(dir);
}

/* Becomes the program, silenced. */
static _Noreturn void become(const char *const *arguments) {
    if (!freopen("/dev/null", "w", stdout))
        _exit(126);
    char *copy[64];
    size_t count = 0;
    for (; arguments[count] && count < 63; count++)
        copy[count] = strdup(arguments[count]);
    copy[count] = NULL;
    execv(copy[0], copy);
    bench_fail(arguments[0]);
}

struct bench_run bench_program(const char *const *arguments, bool watch) {
    struct bench_run run = {0};
    double begin = cor_wall_seconds();
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        bench_fail("cannot start a program");
    if (pid == 0)
        become(arguments);
    struct rusage usage;
    int how;
    pid_t ended;
    while ((ended = wait4(pid, &how, watch ? WNOHANG : 0, &usage)) != pid) {
        if (ended < 0 && errno != EINTR)
            bench_fail("lost a program");
        look(&run, pid);
        bool young = cor_wall_seconds() - begin < 2; /* short runs are looked at often */
        nanosleep(&(struct timespec){.tv_nsec = young ? 5000000 : 200000000}, NULL);
    }
    run.wall = cor_wall_seconds() - begin;
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0) {
        fprintf(stderr, "bench: %s %s did not succeed\n", arguments[0], arguments[1]);
        exit(1);
    }
    run.user = seconds_of(usage.ru_utime);
    run.cpu = run.user + seconds_of(usage.ru_stime);
    return run;
}
