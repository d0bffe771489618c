/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* realpath */

#include "remote.h"
#include "guest.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/guarantees.h>
#include <corridor/host.h>
#include <corridor/loader.h>
#include <corridor/module_cell.h>
#include <corridor/own_file.h>

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>
static void remote_stop(struct host__remote *remote);
static enum cor_status remote_reserve(struct host__remote *remote, size_t request_size, size_t answer_size,
                                      struct cor_error *error) COR_MUST_USE;

/* Addresses differ from run to run, but for those near nothing. */
#define NEAR_NOTHING 65536

static bool is_out_of_memory(const struct host__ending *ending) {
    return ending->death == COR_DEATH_MEMORY || ending->is_starved;
}

static enum cor_smoke ending_smoke(const struct host__ending *ending) {
    if (ending->is_overdue)
        return COR_SMOKE_OVERDUE;
    if (ending->death == COR_DEATH_CPU_TIME)
        return COR_SMOKE_HUNG;
    if (is_out_of_memory(ending))
        return COR_SMOKE_MEMORY;
    if (ending->death != COR_DEATH_EXIT)
        return COR_SMOKE_CRASHED;
    return ending->left != COR_LEFT_NOTHING ? COR_SMOKE_LEAKED : COR_SMOKE_EXITED;
}

static struct cor_fate ending_fate(const struct host__ending *ending) {
    if (ending->is_overdue)
        return (struct cor_fate){0};
    if (ending->death == COR_DEATH_EXIT)
        return (struct cor_fate){.exit_code = ending->code};
    if (ending->death == COR_DEATH_SIGNAL)
        return (struct cor_fate){.signal = ending->code, .place = ending->place};
    return (struct cor_fate){0};
}

/* "ended by signal 11 (Segmentation fault)", or with who it is: "the mechanism drift was ended by ..". */
static void ending_text(const struct host__ending *ending, const char *who, char *text, size_t size) {
    const int subject = who ? snprintf(text, size, "%s ", who) : 0;
    if (subject < 0 || (size_t)subject >= size)
        return;
    text += subject;
    size -= (size_t)subject;
    if (ending->is_overdue)
        snprintf(text, size, "gave nothing for %g s", ending->cpu_seconds * HOST__WALL_FACTOR);
    else if (ending->death == COR_DEATH_CPU_TIME)
        snprintf(text, size, "used %g s of CPU time, or waited for ever", ending->cpu_seconds);
    else if (is_out_of_memory(ending))
        snprintf(text, size, "used up its memory");
    else if (ending->death == COR_DEATH_SIGNAL) {
        char ended[COR_ENDED_SIZE], touched[64] = "", place[128] = "";
        if (ending->address < NEAR_NOTHING && (ending->code == SIGSEGV || ending->code == SIGBUS))
            snprintf(touched, sizeof touched, ", of address 0x%llx", (unsigned long long)ending->address);
        if (ending->place != 0)
            snprintf(place, sizeof place, " at 0x%llx of the module%s", (unsigned long long)ending->place,
                     touched);
        snprintf(text, size, "%s%s%s", who ? "was " : "", cor_ended_by(ending->code, ended), place);
    } else if (ending->death != COR_DEATH_EXIT)
        snprintf(text, size, "ended with the whole cell");
    else if (ending->left != COR_LEFT_NOTHING)
        snprintf(text, size, "leaves %s behind", cor_left_word(ending->left));
    else
        snprintf(text, size, "exited with code %d", ending->code);
}

/* COR_STATUS_PLUGIN: the module ended so while it was loaded. */
static enum cor_status ending_of_loading(const struct host__ending *ending, const char *path,
                                         struct cor_error *error) {
    char how[256];
    ending_text(ending, "it", how, sizeof how);
    return cor_fail(error, COR_STATUS_PLUGIN, path, "run it under a debugger",
                    "the module did not get through being loaded: %s", how);
}

/* ---- module cell */

#define TRIES 2 /* of a turn */
#define MEMORY_MOST (UINT64_C(1) << 30)

size_t cor_page_reserve(size_t *end, size_t bytes) {
    const size_t begin = *end;
    *end += (bytes + 15) / 16 * 16;
    return begin;
}

static _Noreturn void live(void *argument) {
    struct cor_module_cell *c = argument;
    struct cor_module_page *page = c->page;
    cor_cell_hush();
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* whoever is left behind is a child, then */
    page->error = COR_NO_ERROR;
    page->status = c->load(c->owner, &page->error);
    cor_module_settle();
    atomic_fetch_add(&page->place, 1);
    if (!cor_forbid_calls() && c->is_full && page->status == COR_OK)
        page->status = cor_fail(&page->error, COR_STATUS_INPUT, NULL, "see corridor doctor",
                                "the sandbox is incomplete here: system calls are not filtered");
    atomic_store(&page->is_loaded, 1);
    char byte = 0;
    while (write(COR_CELL_REPLIES, &byte, 1) == 1 && page->status == COR_OK &&
           read(COR_CELL_REQUESTS, &byte, 1) == 1) {
        atomic_fetch_add(&page->place, 1);
        c->work(c->owner);
        page->left = cor_cell_left();
        if (page->left != COR_LEFT_NOTHING)
            _exit(1);
        atomic_fetch_add(&page->place, 1);
    }
    _exit(0);
}

/* Waits until the word says so; a byte is there to wake, and one that the module wrote wakes in vain. False:
 * it died, or was overdue and is ended. */
static bool wait_for(struct cor_module_cell *c, const _Atomic uint32_t *word, uint32_t wanted,
                     bool *is_overdue) {
    const double until = cor_now() + c->cpu_seconds * HOST__WALL_FACTOR;
    *is_overdue = false;
    for (;;) {
        char byte;
        const int seen = cor_cell_wait(&c->cell, 0, 1);
        const ssize_t got = seen & COR_SIGHT_READABLE ? cor_cell_read(&c->cell, &byte, 1) : 0;
        if (got == 1 && atomic_load(word) == wanted)
            return true;
        *is_overdue = got >= 0 && cor_now() > until;
        if (got < 0 || (got == 0 && seen & COR_SIGHT_DEAD) || *is_overdue) {
            cor_cell_end(&c->cell, *is_overdue ? 0 : 1);
            return false;
        }
    }
}

/* How it ended in a turn, or in being loaded. */
static struct host__ending ending_of(const struct cor_module_cell *c, bool is_overdue) {
    const struct cor_grave *grave = c->cell.grave;
    return (struct host__ending){.is_overdue = is_overdue,
                                 .death = grave->death,
                                 .code = grave->code,
                                 .left = c->page->left,
                                 .cpu_seconds = c->cpu_seconds};
}

void cor_module_cell_end(struct cor_module_cell *c) {
    if (c->has_cell && c->cell.keeper != 0)
        cor_cell_end(&c->cell, 0);
}

void cor_module_cell_fini(struct cor_module_cell *c) {
    if (c->has_cell)
        cor_cell_fini(&c->cell);
    c->has_cell = false;
    cor_needs_fini(&c->needs);
    cor_needs_free(c->withheld);
    c->withheld = NULL;
}

static enum cor_status find_needs(struct cor_module_cell *c, struct cor_error *error) {
    if (c->has_cell)
        return COR_OK;
    COR_TRY(cor_module_is_there(c->path, error));
    COR_TRY(cor_cell_init(&c->cell, error));
    c->has_cell = true;
    COR_TRY(cor_needs_of_module(&c->needs, c->path, error));
    c->withheld = cor_needs_withheld((const char *const *)c->needs.paths);
    return COR_OK;
}

/* How far a start came. */
enum start {
    START_LOADED,
    START_REFUSED, /* loaded, and it cannot be used: the error says why */
    START_DEAD,    /* it did not get through being loaded: the ending says how */
    START_TROUBLE  /* nothing of the module ran: the error */
};

static enum start start(struct cor_module_cell *c, struct host__ending *ending, struct cor_error *error) {
    struct cor_module_page *page = c->page;
    if (c->has_cell && c->cell.keeper != 0)
        return START_LOADED;
    if (find_needs(c, error) != COR_OK)
        return START_TROUBLE;
    atomic_store(&page->is_loaded, 0);
    page->left = COR_LEFT_NOTHING;
    atomic_store(&page->place, 1); /* odd: while it is loaded it may not idle for ever */
    const struct cor_cell_definition definition = {.life = live,
                                                   .argument = c,
                                                   .place = &page->place,
                                                   .cpu_seconds = c->cpu_seconds,
                                                   .walls = COR_WALLS,
                                                   .needs = (const char *const *)c->needs.paths,
                                                   .withheld = (const char *const *)c->withheld,
                                                   .is_full = c->is_full,
                                                   .guest = c->path,
                                                   .memory_bytes = cor_address_space(MEMORY_MOST)};
    if (cor_cell_start(&c->cell, &definition, error) != COR_OK)
        return START_TROUBLE;
    bool is_overdue;
    if (!wait_for(c, &page->is_loaded, 1, &is_overdue)) {
        cor_module_cell_end(c);
        *ending = ending_of(c, is_overdue);
        return START_DEAD;
    }
    if (page->status == COR_OK)
        return START_LOADED;
    cor_module_cell_end(c);
    /* The error that the process there left; its texts may have no end. */
    struct cor_error said = c->page->error;
    said.place[sizeof said.place - 1] = said.cause[sizeof said.cause - 1] =
        said.remedy[sizeof said.remedy - 1] = 0;
    const enum cor_status status =
        said.status == COR_STATUS_FILE || said.status == COR_STATUS_MEMORY ? said.status : COR_STATUS_PLUGIN;
    (void)cor_fail(error, status, said.place, said.remedy, "%s", said.cause);
    return START_REFUSED;
}

enum cor_status cor_module_cell_start(struct cor_module_cell *c, struct cor_error *error) {
    struct host__ending ending;
    const enum start came = start(c, &ending, error);
    if (came == START_DEAD)
        return ending_of_loading(&ending, c->path, error);
    return came == START_LOADED ? COR_OK : error->status;
}

/* Smoke with what is known of it. */
static void end_by(const struct cor_module_cell *c, const struct host__ending *ending,
                   struct cor_turn_report *report) {
    report->smoke = ending_smoke(ending);
    report->fate = ending_fate(ending);
    ending_text(ending, c->what, report->words, sizeof report->words);
}

/* As it went in this process, which is loaded. *may_be_other: another one may do better. */
static void take_turn(struct cor_module_cell *c, struct cor_turn_report *report, bool *may_be_other) {
    const uint32_t before = atomic_load(&c->page->place);
    const char byte = 0;
    bool is_overdue;
    c->page->left = COR_LEFT_NOTHING;
    c->lay_out(c->owner);
    cor_cell_write(&c->cell, &byte, 1); /* if nobody reads it, that is noticed by who waits */
    *may_be_other = false;
    if (wait_for(c, &c->page->place, before + 2, &is_overdue))
        return;
    const struct host__ending ending = ending_of(c, is_overdue);
    end_by(c, &ending, report);
    /* Who used up time or memory, or was killed, may be as good as any on another machine. */
    const bool is_killed =
        ending.death == COR_DEATH_SIGNAL ? ending.code == SIGKILL : ending.death != COR_DEATH_EXIT;
    *may_be_other = is_killed || cor_smoke_is_of_machine(ending_smoke(&ending));
}

/* A module that was loaded when the campaign was planned does not get through it, or is refused: smoke, as if
 * it were in the turn. */
static enum cor_status note_start(const struct cor_module_cell *c, enum start came,
                                  const struct host__ending *ending, const struct cor_error *said,
                                  struct cor_turn_report *report, struct cor_error *error) {
    /* Nothing of the module is to blame: there is no process, a wall, or a file. */
    const bool lacks_walls = c->is_full && c->page->error.status == COR_STATUS_INPUT;
    if (came == START_TROUBLE || (came == START_REFUSED && (lacks_walls || access(c->path, F_OK) != 0))) {
        *error = *said;
        return error->status;
    }
    if (came == START_DEAD) {
        char words[sizeof report->words];
        end_by(c, ending, report);
        memcpy(words, report->words, sizeof words);
        snprintf(report->words, sizeof report->words, "%.200s, while it was loaded again", words);
        return COR_OK;
    }
    report->smoke = said->status == COR_STATUS_MEMORY ? COR_SMOKE_MEMORY : COR_SMOKE_GARBLED;
    report->fate = (struct cor_fate){0};
    snprintf(report->words, sizeof report->words, "%s could not be loaded again: %.120s", c->what,
             said->cause);
    cor_make_printable(report->words);
    return COR_OK;
}

enum cor_status cor_module_cell_turn(struct cor_module_cell *c, struct cor_turn_report *report,
                                     struct cor_error *error) {
    *report = (struct cor_turn_report){.smoke = COR_SMOKE_NONE};
    for (int tries = 0; tries < TRIES; tries++) {
        struct cor_error said = COR_NO_ERROR;
        struct host__ending ending;
        bool may_be_other = true;
        const enum start came = start(c, &ending, &said);
        const bool by_machine = report->by_machine;
        *report = (struct cor_turn_report){.smoke = COR_SMOKE_NONE, .by_machine = by_machine};
        if (came == START_LOADED)
            take_turn(c, report, &may_be_other);
        else
            COR_TRY(note_start(c, came, &ending, &said, report, error));
        if (!may_be_other)
            return COR_OK;
        report->by_machine = true;
    }
    return COR_OK;
}

/* ---- remote */

#define PROGRAM "corridor-cell"
#define LISTEN_SECONDS .05 /* without a ring; then the cell is looked at */
#define SPINS 200          /* looks at the bell before the session sleeps */

static double load_seconds(const struct host__remote *remote) {
    return fmax(remote->definition.cpu_seconds, COR_BEGIN_SECONDS);
}

/* The program stands beside this one, in the place of programs for programs, or where the environment says.
 */
static enum cor_status find_program(char *path, size_t size, struct cor_error *error) {
    const char *said = getenv("CORRIDOR_CELL");
    char self[PATH_MAX];
    cor_own_program(self, sizeof self);
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    if (said) {
        snprintf(path, size, "%s", said);
        if (access(path, X_OK) == 0)
            return COR_OK;
    }
    for (int i = 0; !said && i < 2; i++) {
        if (i == 1 && (slash = strrchr(self, '/')))
            *slash = '\0'; /* a path as it is in the cell, where there are no other folders on the way */
        int written = i == 0 ? snprintf(path, size, "%s/" PROGRAM, self)
                             : snprintf(path, size, "%s/libexec/corridor/" PROGRAM, self);
        if (written > 0 && (size_t)written < size && access(path, X_OK) == 0)
            return COR_OK;
    }
    return cor_fail(error, COR_STATUS_FILE, NULL,
                    "put it beside corridor, where it is built, or install both: make install",
                    "the program " PROGRAM " is not there: %s", path);
}

enum cor_status host__remote_needs(const char *algorithm, struct cor_needs *needs, struct cor_error *error) {
    char program[PATH_MAX];
    if (host__embedded_find(algorithm))
        return COR_OK; /* its cell has sight */
    COR_TRY(find_program(program, sizeof program, error));
    COR_TRY(cor_needs_add_file(needs, program, error));
    return strchr(algorithm, '/') ? cor_needs_of_module(needs, algorithm, error)
                                  : cor_needs_add_said(needs, error);
}

enum cor_status host__remote_init(struct host__remote *remote, const char *algorithm,
                                  const struct cor_session_definition *definition, struct cor_error *error) {
    remote->shared = (struct host__shared){.request_memory = -1, .answer_memory = -1};
    remote->generation = 0;
    remote->definition = *definition;
    remote->definition.algorithm = NULL;
    remote->definition.origin = NULL;
    COR_TRY(cor_cell_init(&remote->cell, error));
    if (!host__embedded_find(algorithm))
        COR_TRY(find_program(remote->program, sizeof remote->program, error));
    /* A cell begins in another folder. What is not there is left for the loader to tell. */
    COR_FREED char *whole = strchr(algorithm, '/') ? realpath(algorithm, NULL) : NULL;
    int length = snprintf(remote->origin, sizeof remote->origin, "%s", whole ? whole : algorithm);
    if (length < 0 || (size_t)length >= sizeof remote->origin)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "the path of the module is too long");
    remote->needs = (struct cor_needs){0};
    COR_TRY(host__remote_needs(remote->origin, &remote->needs, error));
    return remote_reserve(remote, (size_t)1 << 20, (size_t)8 << 20, error);
}

void host__remote_fini(struct host__remote *remote) {
    cor_cell_fini(&remote->cell);
    cor_needs_fini(&remote->needs);
    host__shared_fini(&remote->shared);
}

/* Makes room for a request and an answer of so many bytes; what was started ends if there was not enough. */
static enum cor_status remote_reserve(struct host__remote *remote, size_t request_size, size_t answer_size,
                                      struct cor_error *error) {
    struct host__shared *shared = &remote->shared, made;
    if (shared->request && request_size <= shared->request_size && answer_size <= shared->answer_size)
        return COR_OK;
    size_t page = 4096, request = 2 * request_size, answer = answer_size;
    request = (request + page - 1) / page * page;
    answer = (answer + page - 1) / page * page;
    COR_TRY(host__shared_create(&made, request > shared->request_size ? request : shared->request_size,
                                answer > shared->answer_size ? answer : shared->answer_size, error));
    if (shared->request) {
        remote_stop(remote);
        host__shared_fini(shared);
    }
    *shared = made;
    return COR_OK;
}

/* In the cell: the cell program takes the place of this one. Nothing else of the environment is known to it.
 */
static void live_remote(void *argument) {
    struct host__remote *remote = argument;
    char *const apart = cor_cell_is_apart() ? (char[]){"apart"} : NULL;
    const char *said = getenv("LD_LIBRARY_PATH"); /* where the user has libraries of modules (needs.h) */
    char *const folders = said ? cor_format("LD_LIBRARY_PATH=%s", said) : NULL;
    char *const arguments[] = {(char[]){PROGRAM}, apart, NULL};
    char *const environment[] = {(char[]){"LC_ALL=C"},
                                 (char[]){"TZ=UTC"},
                                 (char[]){"PATH=/usr/bin:/bin"},
                                 (char[]){"ASAN_OPTIONS=abort_on_error=1:detect_leaks=0:handle_segv=0:handle_"
                                          "sigbus=0:handle_sigfpe=0:handle_sigill=0"},
                                 (char[]){"UBSAN_OPTIONS=abort_on_error=1"},
                                 folders,
                                 NULL};
    if (chdir("/") != 0)
        return;
    personality(ADDR_NO_RANDOMIZE);
    execve(remote->program, arguments, environment);
}

/* In the cell of an embedded algorithm, which nothing but this process has. */
static void live_on(void *argument) {
    (void)argument;
    host__guest_live(cor_cell_is_apart());
}

/* What became of a start that has come to an end, or 0 seconds before it must. */
static enum host__news started(struct host__remote *remote) {
    switch (atomic_load(&remote->shared.answer->load)) {
    case HOST__LOADED:
        return HOST__NEWS_DONE;
    case HOST__NOT_USABLE:
        return HOST__NEWS_UNUSABLE;
    case HOST__NOT_LOADED:
        return HOST__NEWS_TROUBLE;
    default:
        return HOST__NEWS_CELL_DEAD;
    }
}

enum host__news host__remote_start(struct host__remote *remote, struct cor_error *error) {
    struct host__reply *answer = remote->shared.answer;
    if (remote->cell.keeper != 0 && !cor_cell_is_over(&remote->cell))
        return HOST__NEWS_DONE;
    remote_stop(remote);
    const bool is_embedded = host__embedded_find(remote->origin) != NULL;
    struct host__request *request = remote->shared.request;
    memset(answer, 0, sizeof *answer);
    request->definition = remote->definition;
    request->memory = cor_address_space(remote->definition.memory_limit);
    memcpy(request->algorithm, remote->origin, sizeof request->algorithm);
    remote->generation = 0;
    request->number = request->generation = request->first = 0;
    answer->place = 1;
    const struct cor_cell_definition definition = {
        .life = is_embedded ? live_on : live_remote,
        .argument = remote,
        .walls = is_embedded ? COR_WALLS & ~COR_WALL_SIGHT : COR_WALLS,
        .needs = (const char *const *)remote->needs.paths,
        .place = &answer->place,
        .cpu_seconds = load_seconds(remote), /* of the warden, who looks after those of guests */
        .bell = &answer->bell,
        .lent = {remote->shared.request_memory, remote->shared.answer_memory},
        .lent_count = 2,
        .guest = remote->origin,
        .is_full = remote->definition.is_full};
    if (cor_cell_start(&remote->cell, &definition, error) != COR_OK)
        return HOST__NEWS_TROUBLE;
    double end = cor_now() + HOST__WALL_FACTOR * load_seconds(remote);
    for (;;) {
        uint32_t seen = atomic_load(&answer->bell);
        bool over = cor_cell_is_over(&remote->cell);
        if (atomic_load(&answer->load) >= HOST__LOADED || over)
            break;
        if (cor_now() > end)
            return HOST__NEWS_OVERDUE;
        cor_cell_listen(&answer->bell, seen, LISTEN_SECONDS);
    }
    enum host__news news = started(remote);
    if (news != HOST__NEWS_DONE)
        remote_stop(remote);
    if (news == HOST__NEWS_TROUBLE)
        cor_fail(error, COR_STATUS_INTERNAL, remote->program, NULL,
                 "the cell program does not run, or is of another version");
    return news;
}

/* Ends all in the cell; it starts again when it is needed. */
static void remote_stop(struct host__remote *remote) {
    cor_cell_end(&remote->cell, 0);
    remote->generation = 0;
}

/* The next request is done by a process that has done nothing before. */
static void remote_refresh(struct host__remote *remote) {
    remote->generation++;
    /* If nobody reads it, that is noticed by who waits. */
    cor_cell_write(&remote->cell, &remote->generation, sizeof remote->generation);
}

static enum host__news look(struct host__remote *remote, uint32_t number) {
    struct host__reply *answer = remote->shared.answer;
    if (atomic_load(&answer->number) == number)
        return HOST__NEWS_DONE;
    if (atomic_load(&answer->dead) == remote->generation) /* perhaps after its answer */
        return atomic_load(&answer->number) == number ? HOST__NEWS_DONE : HOST__NEWS_DEAD;
    if (cor_cell_is_over(&remote->cell))
        return atomic_load(&answer->number) == number ? HOST__NEWS_DONE : HOST__NEWS_CELL_DEAD;
    return HOST__NEWS_OVERDUE;
}

/* Has the request that was put be done, and waits. */
static enum host__news remote_ask(struct host__remote *remote) {
    struct host__request *request = remote->shared.request;
    struct host__reply *answer = remote->shared.answer;
    if (remote->generation == 0 || atomic_load(&answer->dead) == remote->generation)
        remote_refresh(remote);
    uint32_t number = atomic_load(&request->number) + 1;
    if (atomic_load(&request->generation) != remote->generation) {
        atomic_store(&request->first, number); /* before the guest that looks at it is named */
        atomic_store(&request->generation, remote->generation);
    }
    if (atomic_load(&answer->is_waiting))
        cor_cell_ring(&request->number);
    else
        atomic_fetch_add(&request->number, 1);
    if (atomic_load(&answer->is_waiting)) /* it fell asleep in between */
        cor_cell_wake(&request->number);
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(&answer->number, memory_order_acquire) == number)
            return HOST__NEWS_DONE;
        host__pause();
    }
    double end = cor_now() + HOST__WALL_FACTOR * remote->definition.cpu_seconds;
    for (;;) {
        uint32_t seen = atomic_load(&answer->bell);
        atomic_store(&request->is_waiting, 1);
        enum host__news news = look(remote, number);
        if (news == HOST__NEWS_OVERDUE && cor_now() < end)
            cor_cell_listen(&answer->bell, seen, LISTEN_SECONDS);
        else
            return atomic_store(&request->is_waiting, 0), news;
    }
}

/* How it ended: a guest, as the answer has it, or all in the cell. */
static struct host__ending remote_ending(const struct host__remote *remote, enum host__news news) {
    const struct host__reply *answer = remote->shared.answer;
    const struct cor_grave *grave = remote->cell.grave;
    const uint64_t memory = remote->shared.request->memory;
    struct host__ending ending = {.is_overdue = news == HOST__NEWS_OVERDUE,
                                  .death = grave->death,
                                  .code = grave->code,
                                  .cpu_seconds = atomic_load(&answer->load) < HOST__LOADED
                                                     ? load_seconds(remote)
                                                     : remote->definition.cpu_seconds};
    if (news != HOST__NEWS_DEAD)
        return ending;
    ending.death = (enum cor_death)answer->death;
    ending.code = answer->code;
    ending.is_starved = memory > 0 && answer->peak > memory / 4 * 3;
    ending.left = answer->left;
    ending.place = answer->fault_offset;
    ending.address = answer->fault_address;
    return ending;
}

static enum cor_status describe(struct host__remote *remote, const char *path, bool is_full,
                                struct host__description *description, struct cor_error *error) {
    struct cor_session_definition definition = cor_default_session(NULL);
    definition.is_full = is_full;
    COR_TRY(host__remote_init(remote, path, &definition, error));
    enum host__news news = host__remote_start(remote, error);
    if (news == HOST__NEWS_TROUBLE)
        return error->status;
    if (news != HOST__NEWS_DONE) {
        struct cor_error said = remote->shared.answer->error;
        said.place[sizeof said.place - 1] = said.cause[sizeof said.cause - 1] =
            said.remedy[sizeof said.remedy - 1] = '\0';
        if (news == HOST__NEWS_UNUSABLE)
            return cor_fail(error,
                            said.status == COR_STATUS_FILE || said.status == COR_STATUS_INPUT
                                ? said.status
                                : COR_STATUS_PLUGIN,
                            path, said.remedy, "%s", said.cause);
        const struct host__ending ending = remote_ending(remote, news);
        return ending_of_loading(&ending, path, error);
    }
    const struct host__reply *answer = remote->shared.answer;
    size_t size = answer->used, room = remote->shared.answer_size - sizeof *answer;
    return host__description_read(answer->data, size <= room ? size : room, path, description, error);
}

enum cor_status host__remote_describe(const char *path, bool is_full, struct host__description *description,
                                      struct cor_error *error) {
    COR_FREED struct host__remote *remote = cor_calloc(1, sizeof *remote);
    COR_TRY(cor_made(remote, error));
    enum cor_status status = describe(remote, path, is_full, description, error);
    host__remote_fini(remote);
    return status;
}

/* ---- A session whose algorithm works in a cell. The process there is kept from one reorganization to the
 * next, unless each is to have a fresh one; whatever it does instead of answering is a smoke code */

#define TRIES_ISOLATED 3 /* to start a cell, which is no affair of the algorithm */
#define ANSWER_MOST ((size_t)1 << 31)

struct isolated {
    struct cor_session base;
    struct host__remote remote;
};

static struct isolated *isolated_of(struct cor_session *session) {
    return (struct isolated *)session;
}

static enum cor_status open_isolated(struct cor_session *session, struct cor_error *error) {
    const struct cor_session_definition *definition = &session->definition;
    const char *origin = definition->origin ? definition->origin : definition->algorithm->name;
    return host__remote_init(&isolated_of(session)->remote, origin, definition, error);
}

static void close_isolated(struct cor_session *session) {
    host__remote_fini(&isolated_of(session)->remote);
}

/* One request, as often as it takes until there is room for the answer. */
static enum cor_status ask(struct isolated *isolated, const struct cor_task *task,
                           const struct cor_stream_name *name, struct cor_outcome *outcome,
                           enum host__news *news, struct cor_error *error) {
    struct host__remote *remote = &isolated->remote;
    const size_t counted = host__counted_cells(&isolated->base) * sizeof(uint64_t);
    struct cor_course *watched = isolated->base.watched;
    if (watched && watched->identity == name->identity) /* it may not answer */
        cor_course_fini(watched);
    for (;;) {
        COR_TRY(remote_reserve(remote, host__request_bytes(&isolated->base, task),
                               sizeof(struct host__reply) + counted, error));
        *news = host__remote_start(remote, error);
        if (*news != HOST__NEWS_DONE)
            return COR_OK;
        host__request_put(remote->shared.request, &isolated->base, task, name);
        if (isolated->base.definition.is_fresh || isolated->base.wants_fresh)
            remote_refresh(remote);
        isolated->base.wants_fresh = false;
        *news = remote_ask(remote);
        if (*news != HOST__NEWS_DONE)
            return COR_OK;
        const uint64_t needed = remote->shared.answer->needed,
                       room = remote->shared.answer_size - sizeof(struct host__reply);
        if (needed <= room || needed > ANSWER_MOST) {
            /* The answer, which may make no sense. */
            const char *garbled;
            const enum cor_status status = isolated->remote.shared.answer->status;
            if (status == COR_STATUS_MEMORY) {
                /* of the process there: its limit is the algorithm's */
                outcome->smoke = COR_SMOKE_MEMORY;
                outcome->stop = COR_STOP_FAILED;
                return COR_OK;
            }
            COR_TRY(
                host__reply_take(&isolated->remote.shared, &isolated->base, task, outcome, &garbled, error));
            if (!garbled && status == COR_OK)
                return COR_OK;
            host__outcome_clear(&isolated->base, outcome);
            outcome->smoke = COR_SMOKE_GARBLED;
            outcome->stop = COR_STOP_FAILED;
            snprintf(outcome->complaint, sizeof outcome->complaint, "%s",
                     garbled ? garbled : "it says that its host failed");
            remote_stop(&isolated->remote);
            return COR_OK;
        }
        COR_TRY(remote_reserve(remote, 0, 2 * needed + sizeof(struct host__reply), error));
    }
}

static enum cor_status reorganize(struct cor_session *session, const struct cor_task *task,
                                  const struct cor_stream_name *name, struct cor_outcome *outcome,
                                  struct cor_error *error) {
    struct isolated *isolated = isolated_of(session);
    struct cor_error trouble = COR_NO_ERROR;
    enum host__news news = HOST__NEWS_TROUBLE;
    for (int tries = 0; tries < TRIES_ISOLATED && news == HOST__NEWS_TROUBLE; tries++) {
        trouble = COR_NO_ERROR;
        enum cor_status status = ask(isolated, task, name, outcome, &news, &trouble);
        if (status != COR_OK)
            return cor_fail(error, status, trouble.place, trouble.remedy, "%s", trouble.cause);
    }
    if (news == HOST__NEWS_TROUBLE)
        return cor_fail(error, trouble.status, trouble.place, trouble.remedy, "%s", trouble.cause);
    const struct cor_error *said = &isolated->remote.shared.answer->error;
    if (news == HOST__NEWS_UNUSABLE && session->definition.is_full && said->status == COR_STATUS_INPUT)
        return cor_fail(error, COR_STATUS_INPUT, isolated->remote.origin, "see corridor doctor",
                        "the sandbox around it is incomplete");
    if (news == HOST__NEWS_UNUSABLE) /* it could be used when it was described */
        news = HOST__NEWS_CELL_DEAD;
    if (news != HOST__NEWS_DONE) {
        /* The guest did not answer: that is the outcome. */
        if (news == HOST__NEWS_CELL_DEAD || news == HOST__NEWS_OVERDUE)
            remote_stop(&isolated->remote); /* then the grave is written */
        const struct host__ending ending = remote_ending(&isolated->remote, news);
        const enum cor_smoke smoke = ending_smoke(&ending);
        if (news == HOST__NEWS_DEAD && smoke != COR_SMOKE_HUNG)
            host__reply_take_rest(&isolated->remote.shared, &isolated->base, task, outcome);
        outcome->smoke = smoke;
        outcome->stop = COR_STOP_FAILED;
        ending_text(&ending, NULL, outcome->complaint, sizeof outcome->complaint);
        outcome->fate = ending_fate(&ending);
    }
    return COR_OK;
}

const struct host__session_kind host__isolated_kind = {.size = sizeof(struct isolated),
                                                       .open = open_isolated,
                                                       .close = close_isolated,
                                                       .reorganize = reorganize};
