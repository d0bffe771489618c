/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* dladdr, ppoll, registers */

#include "guest.h"
#include "algorithm.h"
#include "describe.h"
#include "local.h"
#include "shared.h"

#include <corridor/array.h>
#include <corridor/cell.h>
#include <corridor/child.h>
#include <corridor/digest.h>
#include <corridor/guarantees.h>
#include <corridor/walls.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* Of the process, as built-in algorithms are: registries come and go, and cells are forked. */
static struct host__embedded embedded[COR_EMBEDDED_MOST];
static uint32_t embedded_count;

const struct host__embedded *host__embedded(uint32_t index) {
    return index < embedded_count ? &embedded[index] : NULL;
}

const struct host__embedded *host__embedded_find(const char *name) {
    uint32_t i = 0;
    while (host__embedded(i) && strcmp(embedded[i].algorithm.name, name) != 0)
        i++;
    return host__embedded(i);
}

enum cor_status cor_algorithm_embed(const struct cor_algorithm *algorithm, const char *digest,
                                    struct cor_error *error) {
    struct host__embedded made = {.digest = ""};
    if (digest && !cor_is_digest(digest))
        return cor_fail(error, COR_STATUS_PLUGIN, "embedded", "64 hexadecimal digits, or none",
                        "the digest of the algorithm is \"%s\"", digest);
    COR_TRY(cor_module_copy(&host__algorithm_kind, algorithm, "embedded", &made.algorithm, error));
    uint32_t i = 0;
    while (host__builtin(i) && strcmp(host__builtin(i)->name, made.algorithm.name) != 0)
        i++;
    if (host__builtin(i) || host__embedded_find(made.algorithm.name))
        return cor_fail(error, COR_STATUS_PLUGIN, "embedded", "give it another name",
                        "there is an algorithm \"%s\" already", made.algorithm.name);
    if (embedded_count == COR_EMBEDDED_MOST)
        return cor_fail(error, COR_STATUS_PLUGIN, "embedded", NULL, "more than %d algorithms",
                        COR_EMBEDDED_MOST);
    snprintf(made.digest, sizeof made.digest, "%s", digest ? digest : "");
    embedded[embedded_count++] = made;
    return COR_OK;
}

/* ---- the cell program, corridor-cell: what runs in a cell instead of Corridor itself. It loads one
 * algorithm, says what that declares, and then forks guests: processes that do reorganizations, by the very
 * code that does them in Corridor, until they are ended. The warden, as the first process is called here,
 * never runs the algorithm, but for what the dynamic linker runs; so a guest that is forked is as good as a
 * fresh process */

#define BUSY_LOOK_MS 50 /* the warden looks at a guest at work so often, */
#define IDLE_LOOK_MS 250
#define IDLE_LOOKS 60 /* looks in which a guest at work used no CPU time: it waits for ever */
#define SPINS 200     /* looks for a request before a guest sleeps */

static struct host__shared shared;
static uint64_t address_space;             /* bytes, when the algorithm is loaded */
static uintptr_t module_begin, module_end; /* of the loaded module; 0: built in */

static size_t answer_capacity(void) {
    return shared.answer_size - sizeof *shared.answer;
}

/* A guest at work. */

/* Where the processor was; 0 on machines whose registers are not known here. */
static uintptr_t place_of(const ucontext_t *context) {
#if defined __x86_64__
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    return (uintptr_t)context->uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

static void note_signal(int number, siginfo_t *info, void *context) {
    uintptr_t at = place_of(context);
    shared.answer->fault_address = (uint64_t)(uintptr_t)info->si_addr;
    shared.answer->fault_offset = at >= module_begin && at < module_end ? at - module_begin : 0;
    signal(number, SIG_DFL);
    raise(number);
}

static uint32_t wait_for_request(uint32_t generation, bool is_first, uint32_t last) {
    struct host__request *request = shared.request;
    for (int spins = 0;; spins++) {
        uint32_t number = atomic_load(&request->number);
        const bool is_new = is_first || number != last;
        if (is_new && atomic_load(&request->generation) == generation &&
            (int32_t)(number - atomic_load(&request->first)) >= 0)
            return number;
        if (spins < SPINS) {
            host__pause();
            continue;
        }
        atomic_store(&shared.answer->is_waiting, 1);
        if (atomic_load(&request->number) == number)
            cor_cell_listen(&request->number, number, 1);
        atomic_store(&shared.answer->is_waiting, 0);
    }
}

static struct host__local *open_session(const struct cor_algorithm *algorithm) {
    struct cor_session_definition definition = shared.request->definition;
    struct cor_session *session;
    definition.algorithm = algorithm;
    definition.place = COR_SESSION_IN_PROCESS;
    if (host__session_make(&host__local_kind, &definition, &session, NULL) != COR_OK)
        return NULL;
    struct host__local *local = (struct host__local *)session;
    /* Counters lie where they outlive the guest. */
    free(session->counters);
    session->counters = (void *)shared.answer->data;
    free(local->cells);
    local->cells = session->counters + host__counter_cells(session);
    local->cells_are_lent = true;
    local->host.counters = local->cells;
    return local;
}

/* Bytes of mail that are told: no more than a small part of what an algorithm has room for. */
#define COURSE_MOST ((size_t)8 << 20)

struct warden {
    const struct cor_algorithm *algorithm;
    bool apart;                /* in a namespace of processes of its own */
    int walls;                 /* of each guest, prepared */
    struct host__local *local; /* of guests; NULL: there is no memory for it */
    pid_t guest;
    uint32_t generation;
    uint32_t number; /* of the request that the guest was last seen at */
    double cpu_since, cpu_last;
    uint32_t idle;
    enum cor_death death; /* why the guest is ended, COR_DEATH_UNKNOWN: it was not */
};

/* What guests inherit, once the algorithm is loaded: of their walls what is not in the way of the warden,
 * and a session that has not worked. COR_STATUS_INPUT: all walls are required, and calls cannot be forbidden.
 */
static enum cor_status prepare_guests(struct warden *warden, struct cor_error *error) {
    /* Signals that tell of an error leave their place behind; the warden blocks them. */
    static unsigned char stack[64 * 1024];
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_sigaction = note_signal,
                               .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND)};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
    if (shared.request->memory > 0)
        cor_limit_memory(address_space + shared.request->memory, true);
    warden->walls = cor_walls_prepare();
    if (!cor_forbid_calls() && shared.request->definition.is_full)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "see corridor doctor",
                        "the sandbox is incomplete here: system calls are not filtered");
    cor_module_settle();
    warden->local = open_session(warden->algorithm);
    return COR_OK;
}

static _Noreturn void be_guest(const struct warden *warden, uint32_t generation) {
    struct host__reply *answer = shared.answer;
    bool is_first = true;
    uint32_t number = 0;
    signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* whoever is left behind is a child, then */
    if (!host__shared_keep(&shared))
        _exit(1);
    dup2(STDOUT_FILENO, STDIN_FILENO); /* orders are not for guests */
    cor_walls_close(warden->walls);    /* the warden is outside */
    struct host__local *local = warden->local;
    const double **columns = NULL;
    unsigned char *described = NULL;
    size_t capacity = 0, described_capacity = 0;
    cor_module_settle();
    for (; local; is_first = false) {
        number = wait_for_request(generation, is_first, number);
        if (COR_RESERVE(&columns, &capacity, shared.request->rules.value_count, NULL) != COR_OK ||
            COR_RESERVE(&described, &described_capacity, shared.request->described_bytes, NULL) != COR_OK)
            break;
        if (is_first) /* not before: the session reads what the guest before has left */
            cor_outcome_init(&answer->outcome);
        /* One request; its answer is complete afterwards. */
        static struct cor_course course; /* of the request, where it is watched */
        const bool is_watched = shared.request->is_watched;
        struct cor_outcome *outcome = &answer->outcome;
        struct cor_rules rules;
        struct cor_task task;
        struct cor_objective objective;
        host__request_take(shared.request, &local->base, &rules, &task, &objective, columns, described);
        answer->fault_address = answer->fault_offset = 0;
        answer->left = COR_LEFT_NOTHING; /* not before: the session reads why the guest before ended */
        answer->error = COR_NO_ERROR;
        memset(local->base.counters, 0, host__counted_cells(&local->base) * sizeof *local->base.counters);
        local->base.kept.size = UINT32_MAX; /* to see whether something is kept */
        host__outcome_clear(&local->base, outcome);
        course.identity = shared.request->name.identity;
        course.mail_most = COURSE_MOST;
        cor_session_watch(&local->base, is_watched ? &course : NULL);
        answer->status =
            host__local_kind.reorganize(&local->base, &task, &shared.request->name, outcome, &answer->error);
        bool keeps = local->base.kept.size != UINT32_MAX;
        host__reply_put(answer, answer_capacity(), host__counted_cells(&local->base),
                        keeps ? &local->base.kept : NULL, &local->base.log, is_watched ? &course : NULL);
        cor_course_fini(&course);
        answer->left = cor_cell_left();
        if (answer->left != COR_LEFT_NOTHING)
            _exit(1);
        atomic_store(&answer->number, number);
        atomic_fetch_add(&answer->bell, 1);
        if (atomic_load(&shared.request->is_waiting))
            cor_cell_wake(&answer->bell);
        if (shared.request->definition.is_fresh)
            _exit(0);        /* so that the next one is there when it is needed */
        cor_module_settle(); /* while the session reads the answer */
    }
    _exit(1);
}

/* The warden. */

static void begin_guest(struct warden *warden, uint32_t generation) {
    warden->generation = generation;
    warden->cpu_since = warden->cpu_last = 0;
    warden->idle = 0;
    warden->death = COR_DEATH_UNKNOWN;
    atomic_fetch_add(&shared.answer->place, 2);
    atomic_store(&shared.answer->is_waiting, 1); /* until it says otherwise: rather one ring too many */
    warden->guest = fork();
    if (warden->guest == 0)
        be_guest(warden, generation);
}

/* Is there a request that the guest has not answered? */
static bool is_asked(const struct warden *warden) {
    return atomic_load(&shared.request->generation) == warden->generation &&
           atomic_load(&shared.answer->number) != atomic_load(&shared.request->number);
}

/* The guest is dead, and so is what it started. */
static void note_death(struct warden *warden, int how, const struct rusage *used) {
    struct host__reply *answer = shared.answer;
    cor_cell_end_descendants(warden->apart);
    warden->guest = 0;
    answer->death = warden->death;
    answer->code = WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how);
    if (warden->death == COR_DEATH_UNKNOWN)
        answer->death = WIFSIGNALED(how) ? COR_DEATH_SIGNAL : COR_DEATH_EXIT;
    answer->peak = (uint64_t)used->ru_maxrss * 1024;
    atomic_store(&answer->dead, warden->generation);
    if (is_asked(warden)) /* not before: who asks later sees that it is dead */
        cor_cell_ring(&answer->bell);
}

static void end_guest(struct warden *warden, enum cor_death death) {
    int how;
    struct rusage used;
    warden->death = death;
    if (warden->guest <= 0)
        return;
    kill(warden->guest, SIGKILL);
    if (wait4(warden->guest, &how, 0, &used) == warden->guest)
        note_death(warden, how, &used);
}

static bool is_busy(const struct warden *warden) {
    return warden->guest > 0 && is_asked(warden);
}

/* Ends a guest that does not get on with its request: it has used up its CPU time, or uses none at all. */
static void look_after(struct warden *warden) {
    uint32_t number = atomic_load(&shared.request->number);
    atomic_fetch_add(&shared.answer->place, 2);
    if (warden->guest <= 0)
        return;
    double used = cor_cpu_seconds_of(warden->guest);
    bool is_same = is_busy(warden) && number == warden->number;
    warden->idle = is_same && used <= warden->cpu_last ? warden->idle + 1 : 0;
    warden->cpu_last = used;
    warden->number = number;
    if (!is_same)
        warden->cpu_since = used;
    else if (used - warden->cpu_since > shared.request->definition.cpu_seconds || warden->idle > IDLE_LOOKS)
        end_guest(warden, COR_DEATH_CPU_TIME);
}

static void notice(int number) {
    (void)number; /* it is enough that ppoll is interrupted */
}

static _Noreturn void guard(struct warden *warden) {
    sigset_t all, waiting;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    waiting = all;
    sigdelset(&waiting, SIGCHLD);
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = notice}, NULL);
    for (;;) {
        struct pollfd orders = {.fd = STDIN_FILENO, .events = POLLIN};
        struct timespec pause = {0, (is_busy(warden) ? BUSY_LOOK_MS : IDLE_LOOK_MS) * 1000000L};
        int found = ppoll(&orders, 1, &pause, &waiting);
        /* Whoever died: the guest, or somebody that it left behind. A guest that died at work, or after it,
         * is followed by another one, which so is there when it is needed. */
        int how;
        pid_t dead;
        struct rusage used;
        while ((dead = wait4(-1, &how, WNOHANG, &used)) > 0) {
            if (dead != warden->guest)
                continue;
            bool worked = atomic_load(&shared.request->generation) == warden->generation;
            note_death(warden, how, &used);
            if (worked)
                begin_guest(warden, warden->generation + 1);
        }
        if (found > 0) {
            /* An order: the generation that is to be there. */
            uint32_t generation;
            ssize_t got = read(STDIN_FILENO, &generation, sizeof generation);
            if (got == 0)
                _exit(0);
            if (got != (ssize_t)sizeof generation || generation <= warden->generation)
                continue;
            end_guest(warden, COR_DEATH_ENDED);
            begin_guest(warden, generation);
        } else if (found == 0) {
            look_after(warden);
        }
    }
}

/* Loading. */

static int note_end(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    for (int i = 0; info->dlpi_addr == module_begin && i < info->dlpi_phnum; i++) {
        uintptr_t end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && end > module_end)
            module_end = end;
    }
    return 0;
}

/* The algorithm, and what it declares. It stays where it is as long as the process lives. */
static enum cor_status load_guest(struct cor_algorithm *algorithm, struct cor_error *error) {
    const char *origin = shared.request->algorithm;
    void *handle;
    if (strchr(origin, '/')) {
        struct cor_counter *counters; /* stay as long as the process lives */
        COR_TRY(cor_module_open(&host__algorithm_kind, origin, &handle, algorithm, error));
        COR_TRY(host__cover(algorithm, origin, &counters, error));
    } else {
        const struct host__embedded *found = host__embedded_find(origin);
        uint32_t i = 0;
        while (!found && host__builtin(i) && strcmp(host__builtin(i)->name, origin) != 0)
            i++;
        COR_ASSERT(found || host__builtin(i));
        *algorithm = found ? found->algorithm : *host__builtin(i);
    }
    size_t size = host__description_write(algorithm, shared.answer->data, answer_capacity());
    shared.answer->used = size;
    if (size > answer_capacity())
        return cor_fail(error, COR_STATUS_PLUGIN, origin, NULL, "what the module says of itself is too long");
    return COR_OK;
}

void host__guest_live(bool apart) {
    static struct cor_algorithm algorithm;
    struct warden warden = {.algorithm = &algorithm, .apart = apart};
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC); /* what the algorithm prints is nobody's affair */
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
    if (!host__shared_take(&shared))
        _exit(1);
    struct host__reply *answer = shared.answer;
    struct cor_error error = COR_NO_ERROR;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    atomic_store(&answer->load, HOST__IN_PLACE);
    enum cor_status status = load_guest(&algorithm, &error);
    if (status == COR_OK) {
        Dl_info info;
        void *inside;
        memcpy(&inside, &algorithm.result, sizeof inside);
        if (strchr(shared.request->algorithm, '/') && dladdr(inside, &info) != 0) {
            module_begin = module_end = (uintptr_t)info.dli_fbase;
            dl_iterate_phdr(note_end, NULL);
        }
    }
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%lu", &pages) == 1)
        address_space = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
    if (file)
        fclose(file);
    if (status == COR_OK)
        status = prepare_guests(&warden, &error);
    answer->error = error;
    atomic_store(&answer->place, 2);
    atomic_store(&answer->load, status == COR_OK ? HOST__LOADED : HOST__NOT_USABLE);
    cor_cell_ring(&answer->bell);
    if (status != COR_OK)
        _exit(0);
    guard(&warden);
}
