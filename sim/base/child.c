/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <corridor/child.h>

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What comes back of a child: in memory shared with it, as the answers are, which lie behind those of all. */
struct reply {
    bool finished; /* the rest is valid: `body` returned */
    enum cor_status status;
    _Alignas(max_align_t) struct cor_error error;
};

static enum cor_status wait_for(pid_t pid, const struct reply *reply, struct cor_error *error) {
    int how;
    while (waitpid(pid, &how, 0) < 0)
        if (errno != EINTR)
            return cor_fail_errno(error, COR_STATUS_INTERNAL, NULL, NULL, "lost a child process");
    if (WIFSIGNALED(how) && WTERMSIG(how) == SIGPROF)
        return cor_fail(error, COR_STATUS_INTERRUPTED, NULL, NULL,
                        "a child process used up the time that it had");
    if (WIFSIGNALED(how) || !reply->finished)
        return cor_fail_ended(how, "a child process", error);
    if (reply->status != COR_OK && error && error->status == COR_OK)
        *error = reply->error;
    return reply->status;
}

enum cor_status cor_in_children(cor_children_body *body, void *argument, uint32_t count, void *answers,
                                size_t size, struct cor_error *error) {
    const size_t total = count * sizeof(struct reply) + size;
    const pid_t parent = getpid();
    pid_t children[COR_CHILDREN_MAX];
    enum cor_status status = COR_OK;
    COR_ASSERT(count >= 1 && count <= COR_CHILDREN_MAX);
    struct reply *replies = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (replies == MAP_FAILED)
        return cor_fail_memory(error);
    uint32_t made = 0;
    while (made < count && status == COR_OK) {
        struct reply *reply = &replies[made];
        reply->error = COR_NO_ERROR;
        const pid_t pid = fork();
        if (pid == 0) {
            cor_die_with(parent);
            reply->status = body(argument, made, replies + count, size, &reply->error);
            reply->finished = true;
            _exit(0);
        }
        if (pid < 0)
            status = cor_fail_errno(error, COR_STATUS_MEMORY, NULL, NULL, "cannot fork");
        else
            children[made++] = pid;
    }
    for (uint32_t i = 0; i < made; i++) {
        const enum cor_status came = wait_for(children[i], &replies[i], status == COR_OK ? error : NULL);
        status = status == COR_OK ? came : status;
    }
    if (status == COR_OK && size > 0)
        memcpy(answers, replies + count, size);
    munmap(replies, total);
    return status;
}

/* One that knows nothing of others. */
struct single {
    cor_child_body *body;
    void *argument;
};

static enum cor_status run_single(void *argument, uint32_t number, void *answer, size_t size,
                                  struct cor_error *error) {
    const struct single *single = argument;
    (void)number;
    return single->body(single->argument, answer, size, error);
}

enum cor_status cor_in_child(cor_child_body *body, void *argument, void *answer, size_t size,
                             struct cor_error *error) {
    struct single single = {body, argument};
    return cor_in_children(run_single, &single, 1, answer, size, error);
}

void cor_die_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1); /* it died before we asked to be told */
}

bool cor_limit_memory(uint64_t bytes, bool is_for_good) {
#ifdef __SANITIZE_ADDRESS__
    (void)bytes, (void)is_for_good;
    return false; /* sanitizers need an address space without an end */
#else
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0)
        return false;
    const rlim_t now = is_for_good ? limit.rlim_max : limit.rlim_cur;
    limit.rlim_cur = bytes < now ? (rlim_t)bytes : now;
    if (is_for_good)
        limit.rlim_max = limit.rlim_cur;
    return setrlimit(RLIMIT_AS, &limit) == 0;
#endif
}

double cor_cpu_seconds_of(pid_t process) {
    clockid_t clock;
    struct timespec used;
    if (process == 0 || clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

const char *cor_ended_by(int signal, char text[COR_ENDED_SIZE]) {
    snprintf(text, COR_ENDED_SIZE, "ended by signal %d (%s)", signal, strsignal(signal));
    return text;
}

enum cor_status cor_fail_ended(int how, const char *who, struct cor_error *error) {
    char ended[COR_ENDED_SIZE];
    if (WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL)
        return cor_fail(error, COR_STATUS_MEMORY, NULL, "free memory, and run the same command again",
                        "%s was killed from outside", who);
    if (WIFSIGNALED(how))
        return cor_fail(error, COR_STATUS_INTERNAL, NULL, NULL, "%s was %s", who,
                        cor_ended_by(WTERMSIG(how), ended));
    return cor_fail(error, COR_STATUS_INTERNAL, NULL, NULL, "%s left in mid-work with exit code %d", who,
                    WEXITSTATUS(how));
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
