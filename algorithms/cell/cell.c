/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* clone flags, close_range, ppoll */
#include <corridor/cell.h>

#include <corridor/child.h>
#include <corridor/guarantees.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/single_threaded.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_SECONDS 0.05   /* the keeper looks at CPU time so often */
#define IDLE_LOOKS 60       /* in which the agent used no CPU time within a case: it waits for ever */
#define PATIENCE_SECONDS 5. /* for a keeper that was told to end */
#define NOTHING (-1)

double cor_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void close_one(int *descriptor) {
    if (*descriptor != NOTHING)
        close(*descriptor);
    *descriptor = NOTHING;
}

enum cor_status cor_cell_init(struct cor_cell *cell, struct cor_error *error) {
    *cell = (struct cor_cell){.control = NOTHING, .to = NOTHING, .from = NOTHING};
    void *grave = mmap(NULL, sizeof *cell->grave, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (grave == MAP_FAILED)
        return cor_fail_memory(error);
    cell->grave = grave;
    return COR_OK;
}

void cor_cell_fini(struct cor_cell *cell) {
    cor_cell_end(cell, 0);
    if (cell->grave)
        munmap(cell->grave, sizeof *cell->grave);
    cell->grave = NULL;
}

/* Everything that a life is begun with. */
struct birth {
    const struct cor_cell_definition *definition;
    struct cor_grave *grave;
    int input[2], output[2], errors[2],
        control[2]; /* [0] is read, [1] written; control[0] is the session's */
};

/* Descriptors 0 .. count-1 become these; all others are closed. */
static void keep_only(const int *descriptors, int count) {
    int away[3 + COR_CELL_LENT_MOST];
    for (int i = 0; i < count; i++)
        away[i] = fcntl(descriptors[i], F_DUPFD, count);
    for (int i = 0; i < count; i++)
        dup2(away[i], i);
    close_range((unsigned)count, ~0u, 0);
}

uint64_t cor_address_space(uint64_t memory) {
    return 4 * memory + ((uint64_t)256 << 20);
}

static uint64_t own_address_space(void) {
    unsigned long pages = 0;
    FILE *sizes = fopen("/proc/self/statm", "re");
    if (sizes && fscanf(sizes, "%lu", &pages) != 1)
        pages = 0;
    if (sizes)
        fclose(sizes);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* What is missing of what the definition asks for (guarantees.h). A limit of this program's own, for what it
 * reads of others (command/guard.c), is none of a guest. */
static unsigned limit(const struct cor_cell_definition *definition) {
    unsigned missing = 0;
    uint64_t most = definition->memory_bytes > 0 ? definition->memory_bytes : UINT64_MAX;
    if (definition->memory_bytes > 0 && !definition->is_program)
        most += own_address_space();
    if (definition->walls)
        missing = cor_guarantees_missing(
            definition->walls, cor_walls_raise(definition->walls, definition->needs, definition->withheld));
    if (definition->walls && definition->is_program && !cor_forbid_calls_of_program())
        missing |= 1u << COR_GUARANTEE_CALLS;
    if (!cor_limit_memory(most, true) && definition->memory_bytes > 0)
        missing |= 1u << COR_GUARANTEE_MEMORY;
    return missing;
}

/* In the agent's process. */
static _Noreturn void be_born(const struct birth *birth) {
    cor_life *life = birth->definition->life;
    void *argument = birth->definition->argument;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL); /* those that cannot be set stay */
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    struct cor_grave *grave = birth->grave;
    const unsigned missing = limit(birth->definition);
    if (birth->definition->is_full) {
        grave->missing = missing;
        cor_cell_ring(&grave->is_walled);
        if (missing)
            _exit(127);
    }
    munmap(grave, sizeof *grave);
    life(argument);
    _exit(127);
}

/* The keeper at work. */
struct keeper {
    pid_t agent;
    const struct birth *birth;
    struct cor_grave *grave;
    uint32_t place;             /* where the agent was when it was last seen to get on */
    double cpu_since, cpu_last; /* CPU time it had used then, and when it was last looked at */
    uint32_t idle;              /* looks at which it had used none */
    double looked;              /* when that was */
    int is_mute;                /* nobody can write to standard error any more */
};

enum { KEEPER_CONTROL, KEEPER_ERRORS, KEEPER_DESCRIPTORS };

/* What the agent writes to standard error: its end is kept. How much was read now; 0: nobody can write any
 * more. */
static ssize_t listen_to(struct cor_grave *grave) {
    char bytes[COR_LAST_WORDS];
    ssize_t got = read(KEEPER_ERRORS, bytes, sizeof bytes);
    if (got <= 0)
        return got;
    size_t fresh = (size_t)got, kept = grave->size;
    if (kept + fresh > sizeof grave->words) {
        size_t lost = kept + fresh - sizeof grave->words;
        memmove(grave->words, grave->words + lost, kept - lost);
        kept -= lost;
    }
    memcpy(grave->words + kept, bytes, fresh);
    grave->size = (uint32_t)(kept + fresh);
    return got;
}

/* Is the agent in a case, and does not get on: it has used up its CPU time, or uses none at all? An agent
 * that is not given any by a busy machine uses a little of it between so many looks. */
static int is_stuck(struct keeper *keeper) {
    double now = cor_now();
    if (!keeper->birth->definition->place || now - keeper->looked < LOOK_SECONDS)
        return 0;
    keeper->looked = now;
    uint32_t place = atomic_load_explicit(keeper->birth->definition->place, memory_order_relaxed);
    double used = cor_cpu_seconds_of(keeper->agent);
    atomic_store(&keeper->grave->worked, (uint32_t)(1000 * fmax(used, 0)));
    int is_idle = used <= keeper->cpu_last && place % 2 == 1 && place == keeper->place;
    keeper->cpu_last = used;
    keeper->idle = is_idle ? keeper->idle + 1 : 0;
    if (place != keeper->place) {
        keeper->place = place;
        keeper->cpu_since = used;
    }
    const uint32_t begun = keeper->birth->definition->begun;
    const bool begins = begun != 0 && (int32_t)(place - begun) < 0;
    const double allowed = keeper->birth->definition->cpu_seconds;
    return used - keeper->cpu_since > (begins ? fmax(allowed, COR_BEGIN_SECONDS) : allowed) ||
           keeper->idle > IDLE_LOOKS;
}

/* Sends SIGKILL to the caller's children: those of the agent became its own when the agent died. Was there
 * one? */
static int kill_children(bool apart) {
    if (apart) /* all there is in the namespace, but its first process */
        return kill(-1, SIGKILL) == 0;
    FILE *list = fopen("/proc/thread-self/children", "re");
    int child, found = 0;
    while (list && fscanf(list, "%d", &child) == 1) {
        kill(child, SIGKILL);
        found = 1;
    }
    if (list)
        fclose(list);
    return found;
}

void cor_cell_end_descendants(bool apart) {
    while (waitpid(-1, NULL, kill_children(apart) ? 0 : WNOHANG) > 0)
        ;
}

enum cor_left cor_cell_left(void) {
    struct stat tasks;
    if (waitpid(-1, NULL, WNOHANG | __WALL) >= 0)
        return COR_LEFT_PROCESSES;
    if (__libc_single_threaded)
        return COR_LEFT_NOTHING;
    if (stat("/proc/self/task", &tasks) != 0) /* out of sight; this is refused to whoever is not alone */
        return unshare(CLONE_THREAD) == 0 ? COR_LEFT_NOTHING : COR_LEFT_THREADS;
    return tasks.st_nlink > 3 ? COR_LEFT_THREADS : COR_LEFT_NOTHING; /* ".", ".." and itself */
}

const char *cor_left_word(enum cor_left left) {
    return left == COR_LEFT_THREADS ? "threads" : "processes";
}

/* Known to the keeper, and inherited by what it starts. */
static bool is_apart;

bool cor_cell_is_apart(void) {
    return is_apart;
}

/* Did it use most of the memory that it may? The rest may not have been enough for what it asked for last. */
static int is_starved(const struct keeper *keeper) {
    struct rusage used;
    const uint64_t most = keeper->birth->definition->memory_bytes;
    getrusage(RUSAGE_CHILDREN, &used);
    return most > 0 && (uint64_t)used.ru_maxrss * 1024 > most / 4 * 3;
}

bool cor_death_is_of_others(enum cor_death death, int code) {
    static const int own[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGPIPE, SIGSYS};
    bool is_own = false;
    for (size_t s = 0; s < sizeof own / sizeof *own; s++)
        is_own = is_own || code == own[s];
    return death == COR_DEATH_UNKNOWN || (death == COR_DEATH_SIGNAL && !is_own);
}

static _Noreturn void bury(struct keeper *keeper, enum cor_death death, int how) {
    struct cor_grave *grave = keeper->grave;
    grave->death = death;
    grave->code = 0;
    if (death == COR_DEATH_UNKNOWN) {
        grave->death = is_starved(keeper) ? COR_DEATH_MEMORY
                       : WIFSIGNALED(how) ? COR_DEATH_SIGNAL
                                          : COR_DEATH_EXIT;
        grave->code = WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how);
    }
    cor_cell_end_descendants(is_apart);
    while (listen_to(grave) > 0)
        ;
    atomic_store(&grave->is_closed, 1);
    if (keeper->birth->definition->bell)
        cor_cell_ring(keeper->birth->definition->bell);
    _exit(0);
}

/* Does the session ask to forget what was said so far? Else it ends the agent. A pipe holds 64 KiB: what is
 * read beyond that was said later. */
static bool forgets(struct keeper *keeper) {
    char byte;
    if (read(KEEPER_CONTROL, &byte, 1) != 1)
        return false;
    for (ssize_t got, all = 0; all < 65536 && (got = listen_to(keeper->grave)) > 0;)
        all += got;
    keeper->grave->size = 0;
    cor_cell_ring(&keeper->grave->forgotten);
    return true;
}

static volatile sig_atomic_t is_orphan;

static void notice(int number) {
    if (number == SIGTERM)
        is_orphan = 1; /* for SIGCHLD it is enough that ppoll is interrupted */
}

/* In the keeper's process, the agent being its child. */
static _Noreturn void watch_over(struct keeper *keeper, const sigset_t *while_waiting) {
    for (;;) {
        int how;
        pid_t dead;
        while ((dead = waitpid(-1, &how, WNOHANG)) > 0) /* what the agent left behind is the keeper's too */
            if (dead == keeper->agent)
                bury(keeper, COR_DEATH_UNKNOWN, how);
        struct pollfd seen[] = {{.fd = KEEPER_CONTROL, .events = POLLIN},
                                {.fd = keeper->is_mute ? NOTHING : KEEPER_ERRORS, .events = POLLIN}};
        struct timespec pause = {0, (long)(LOOK_SECONDS * 1e9)};
        int found = ppoll(seen, 2, keeper->birth->definition->place ? &pause : NULL, while_waiting);
        if (found > 0 && seen[1].revents)
            keeper->is_mute = listen_to(keeper->grave) == 0;
        int is_told = (found > 0 && seen[0].revents && !forgets(keeper)) || is_orphan;
        enum cor_death death = is_told            ? COR_DEATH_ENDED
                               : is_stuck(keeper) ? COR_DEATH_CPU_TIME
                                                  : COR_DEATH_UNKNOWN;
        if (death == COR_DEATH_UNKNOWN)
            continue;
        kill(keeper->agent, SIGKILL);
        waitpid(keeper->agent, &how, 0);
        if (!WIFSIGNALED(how) || WTERMSIG(how) != SIGKILL)
            death = COR_DEATH_UNKNOWN; /* it had begun to end by itself */
        bury(keeper, death, how);
    }
}

/* In the keeper's process. */
static _Noreturn void be_keeper(const struct birth *birth) {
    is_apart = getpid() == 1;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    setsid();
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = notice}, NULL);
    /* The keeper dies with the session: at once where all others die with it, else when it has ended them. */
    if (getpid() == 1) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    } else {
        sigaction(SIGTERM, &(struct sigaction){.sa_handler = notice}, NULL);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
    }
    sigdelset(&all, SIGCHLD); /* while it waits */
    sigdelset(&all, SIGTERM);

    struct keeper keeper = {.birth = birth, .grave = birth->grave, .agent = fork()};
    if (keeper.agent == 0) {
        const struct cor_cell_definition *definition = birth->definition;
        int own[3 + COR_CELL_LENT_MOST] = {birth->input[0], birth->output[1], birth->errors[1]};
        memcpy(own + 3, definition->lent, definition->lent_count * sizeof *own);
        keep_only(own, 3 + (int)definition->lent_count);
        be_born(birth);
    }
    if (keeper.agent < 0)
        _exit(1);
    keep_only((const int[]){birth->control[1], birth->errors[0]}, KEEPER_DESCRIPTORS);
    fcntl(KEEPER_ERRORS, F_SETFL, O_NONBLOCK);
    watch_over(&keeper, &all); /* all others stay blocked */
}

static void write_text(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file == NOTHING)
        return; /* then the user is nobody there, which most agents do not mind */
    ssize_t written = write(file, text, strlen(text));
    (void)written;
    close(file);
}

void cor_cell_hush(void) {
    fcntl(STDIN_FILENO, F_DUPFD, COR_CELL_REQUESTS);
    fcntl(STDOUT_FILENO, F_DUPFD, COR_CELL_REPLIES);
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
}

void cor_cell_wake(const _Atomic uint32_t *bell) {
    syscall(SYS_futex, bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void cor_cell_ring(_Atomic uint32_t *bell) {
    atomic_fetch_add(bell, 1);
    cor_cell_wake(bell);
}

void cor_cell_listen(const _Atomic uint32_t *bell, uint32_t seen, double seconds) {
    time_t whole = (time_t)seconds;
    struct timespec limit = {whole, (long)((seconds - (double)whole) * 1e9)};
    syscall(SYS_futex, bell, FUTEX_WAIT, seen, &limit, NULL, 0);
}

/* Have the walls been raised, and do all of them stand? A life that did not come so far has not begun. */
static enum cor_status expect_walls(struct cor_cell *cell, const char *guest, struct cor_error *error) {
    struct cor_grave *grave = cell->grave;
    char names[COR_GUARANTEES_SIZE];
    bool is_over = false;
    while (atomic_load(&grave->is_walled) == 0 && !is_over) {
        cor_cell_listen(&grave->is_walled, 0, LOOK_SECONDS);
        is_over = cor_cell_is_over(cell);
    }
    if (grave->missing == 0)
        return COR_OK;
    cor_cell_end(cell, PATIENCE_SECONDS);
    return cor_fail(error, COR_STATUS_INPUT, guest, "see corridor doctor",
                    "the sandbox is incomplete here, it lacks: %s",
                    cor_guarantees_text(grave->missing, names));
}

enum cor_status cor_cell_start(struct cor_cell *cell, const struct cor_cell_definition *definition,
                               struct cor_error *error) {
    COR_ASSERT(cell->keeper == 0 && definition->lent_count <= COR_CELL_LENT_MOST);
    struct birth birth = {.definition = definition,
                          .grave = cell->grave,
                          .input = {NOTHING, NOTHING},
                          .output = {NOTHING, NOTHING},
                          .errors = {NOTHING, NOTHING},
                          .control = {NOTHING, NOTHING}};
    memset(cell->grave, 0, sizeof *cell->grave); /* COR_DEATH_UNKNOWN */
    pid_t pid = NOTHING;
    if (pipe2(birth.input, O_CLOEXEC) == 0 && pipe2(birth.output, O_CLOEXEC) == 0 &&
        pipe2(birth.errors, O_CLOEXEC) == 0 &&
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, birth.control) == 0) {
        /* A process of its own, first in a namespace of processes where that is allowed: to root, or in a
         * namespace of users that has but this one. */
        unsigned user = geteuid(), group = getegid();
        pid = (pid_t)syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0);
        if (pid < 0) {
            pid = (pid_t)syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0);
            if (pid == 0) {
                /* The user of before, in a fresh namespace of users. */
                char map[64];
                snprintf(map, sizeof map, "%u %u 1", user, user);
                write_text("/proc/self/uid_map", map);
                write_text("/proc/self/setgroups", "deny");
                snprintf(map, sizeof map, "%u %u 1", group, group);
                write_text("/proc/self/gid_map", map);
            }
        }
        if (pid < 0)
            pid = fork();
    }
    if (pid == 0)
        be_keeper(&birth);
    enum cor_status status = COR_OK;
    if (pid == NOTHING) {
        status = cor_fail_errno(error, COR_STATUS_MEMORY, NULL, NULL, "cannot start a process for the agent");
    } else {
        *cell = (struct cor_cell){pid, birth.control[0], birth.input[1], birth.output[0], cell->grave};
        birth.control[0] = birth.input[1] = birth.output[0] = NOTHING;
        fcntl(cell->to, F_SETFL, O_NONBLOCK);
        fcntl(cell->from, F_SETFL, O_NONBLOCK);
    }
    int *const pairs[] = {birth.input, birth.output, birth.errors, birth.control};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        close_one(&pairs[i][0]);
        close_one(&pairs[i][1]);
    }
    return status == COR_OK && definition->is_full ? expect_walls(cell, definition->guest, error) : status;
}

bool cor_cell_is_over(const struct cor_cell *cell) {
    struct pollfd control = {.fd = cell->control, .events = POLLIN};
    return cell->keeper != 0 && (atomic_load(&cell->grave->is_closed) || poll(&control, 1, 0) > 0);
}

/* poll() that goes on when a signal comes in between; 0 when the time is over. */
static int poll_for(struct pollfd *seen, nfds_t count, double seconds) {
    double end = cor_now() + seconds;
    for (;;) {
        double left = end - cor_now();
        int found = poll(seen, count, left > 0 ? (int)(left * 1e3) + 1 : 0);
        if (found > 0 || (found == 0 && cor_now() >= end))
            return found;
    }
}

void cor_cell_end(struct cor_cell *cell, double seconds) {
    if (cell->keeper == 0)
        return;
    close_one(&cell->to);
    struct pollfd control = {.fd = cell->control, .events = POLLIN};
    if (poll_for(&control, 1, seconds) == 0) {
        shutdown(cell->control, SHUT_WR);
        poll_for(&control, 1, PATIENCE_SECONDS);
    }
    kill(cell->keeper, SIGKILL);
    while (waitpid(cell->keeper, NULL, 0) < 0 && errno == EINTR)
        ;
    close_one(&cell->from);
    close_one(&cell->control);
    cell->keeper = 0;
}

int cor_cell_wait(const struct cor_cell *cell, int writing, double seconds) {
    struct pollfd seen[] = {{.fd = cell->from, .events = POLLIN},
                            {.fd = cell->control, .events = POLLIN},
                            {.fd = writing ? cell->to : NOTHING, .events = POLLOUT}};
    if (poll_for(seen, 3, seconds) == 0)
        return 0;
    if (seen[1].revents && !seen[0].revents)
        poll(seen, 1, 0); /* what it said last may have come after its output was looked at */
    return (seen[0].revents ? COR_SIGHT_READABLE : 0) | (seen[1].revents ? COR_SIGHT_DEAD : 0) |
           (seen[2].revents ? COR_SIGHT_WRITABLE : 0);
}

ssize_t cor_cell_write(const struct cor_cell *cell, const void *bytes, size_t size) {
    sigset_t pipe, before;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigprocmask(SIG_BLOCK, &pipe, &before);
    ssize_t written = write(cell->to, bytes, size);
    int why = errno;
    if (written < 0 && why == EPIPE && !sigismember(&before, SIGPIPE))
        sigtimedwait(&pipe, NULL, &(struct timespec){0, 0});
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (written < 0)
        return why == EAGAIN || why == EINTR ? 0 : -1;
    return written;
}

ssize_t cor_cell_read(const struct cor_cell *cell, void *bytes, size_t size) {
    ssize_t got = read(cell->from, bytes, size);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -1;
    return got == 0 ? -1 : got;
}
