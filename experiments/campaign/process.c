/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE   /* MAP_ANONYMOUS */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <corridor/process.h>

#include <corridor/array.h>

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What comes back: in memory shared with the child. */
struct reply {
    bool finished; /* the rest is valid: `body` returned */
    enum cor_status status;
    struct cor_error error;
    _Alignas(max_align_t) unsigned char answer[];
};

static enum cor_status wait_for(pid_t pid, const struct reply *reply, void *answer, size_t size,
                                struct cor_error *error) {
    int how;
    while (waitpid(pid, &how, 0) < 0)
        if (errno != EINTR)
            return cor_fail_errno(error, COR_STATUS_INTERNAL, NULL, NULL, "lost a child process");
    if (WIFSIGNALED(how))
        return cor_fail(error, COR_STATUS_INTERNAL, NULL, NULL, "a child process was ended by signal %d (%s)",
                        WTERMSIG(how), strsignal(WTERMSIG(how)));
    if (!reply->finished)
        return cor_fail(error, COR_STATUS_INTERNAL, NULL, NULL,
                        "a child process left in mid-work with exit code %d", WEXITSTATUS(how));
    if (reply->status != COR_OK) {
        if (error && error->status == COR_OK)
            *error = reply->error;
        return reply->status;
    }
    if (size > 0)
        memcpy(answer, reply->answer, size);
    return COR_OK;
}

enum cor_status cor_in_child(cor_child_body *body, void *argument, void *answer, size_t size,
                             struct cor_error *error) {
    size_t total = sizeof(struct reply) + size;
    struct reply *reply = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (reply == MAP_FAILED)
        return cor_fail_memory(error);
    reply->error = COR_NO_ERROR;
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        cor_die_with(parent);
        reply->status = body(argument, reply->answer, size, &reply->error);
        reply->finished = true;
        _exit(0);
    }
    enum cor_status status = pid < 0 ? cor_fail_errno(error, COR_STATUS_INTERNAL, NULL, NULL, "cannot fork")
                                     : wait_for(pid, reply, answer, size, error);
    munmap(reply, total);
    return status;
}

void cor_die_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1); /* it died before we asked to be told */
}

void cor_ignore_signals(void) {
    static const int asking[] = {COR_ASKING_SIGNALS};
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        signal(asking[i], SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

double cor_wall_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double cor_cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

enum cor_status cor_make_folder_beside(const char *path, char **folder, struct cor_error *error) {
    *folder = cor_format("%s.parts-XXXXXX", path);
    COR_TRY(cor_made(*folder, error));
    if (mkdtemp(*folder))
        return COR_OK;
    free(*folder);
    *folder = NULL;
    return cor_fail_errno(error, COR_STATUS_FILE, path, "check that the folder exists and may be written",
                          "cannot make a folder for work under way beside it");
}

static int remove_entry(const char *path, const struct stat *what, int kind, struct FTW *where) {
    (void)what;
    (void)kind;
    (void)where;
    return remove(path);
}

void cor_remove_folder(const char *folder) {
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}
