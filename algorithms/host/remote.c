/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* realpath */
#include "remote.h"

#include "embedded.h"
#include "guest.h"

#include <corridor/array.h>
#include <corridor/guarantees.h>
#include <corridor/own_file.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#define PROGRAM "corridor-cell"
#define LISTEN_SECONDS .05 /* without a ring; then the cell is looked at */
#define SPINS 200          /* looks at the bell before the session sleeps */

static double wall_seconds(const struct host__remote *remote) {
    return HOST__WALL_FACTOR * remote->definition.cpu_seconds;
}

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
    char *whole = strchr(algorithm, '/') ? realpath(algorithm, NULL) : NULL;
    int length = snprintf(remote->origin, sizeof remote->origin, "%s", whole ? whole : algorithm);
    free(whole);
    if (length < 0 || (size_t)length >= sizeof remote->origin)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "the path of the module is too long");
    remote->needs = (struct cor_needs){0};
    COR_TRY(host__remote_needs(remote->origin, &remote->needs, error));
    COR_TRY(host__remote_reserve(remote, (size_t)1 << 20, (size_t)8 << 20, error));
    return COR_OK;
}

void host__remote_fini(struct host__remote *remote) {
    cor_cell_fini(&remote->cell);
    cor_needs_fini(&remote->needs);
    host__shared_fini(&remote->shared);
}

enum cor_status host__remote_reserve(struct host__remote *remote, size_t request_size, size_t answer_size,
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
        host__remote_stop(remote);
        host__shared_fini(shared);
    }
    *shared = made;
    return COR_OK;
}

/* In the cell: the cell program takes the place of this one. Nothing else of the environment is known to it.
 */
static void live(void *argument) {
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

static enum cor_status start(struct host__remote *remote, struct cor_error *error) {
    const bool is_embedded = host__embedded_find(remote->origin) != NULL;
    struct host__request *request = remote->shared.request;
    struct host__reply *answer = remote->shared.answer;
    memset(answer, 0, sizeof *answer);
    request->definition = remote->definition;
    request->memory = cor_address_space(remote->definition.memory_limit);
    memcpy(request->algorithm, remote->origin, sizeof request->algorithm);
    remote->generation = 0;
    request->number = request->generation = request->first = 0;
    answer->place = 1;
    const struct cor_cell_definition definition = {
        .life = is_embedded ? live_on : live,
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
    return cor_cell_start(&remote->cell, &definition, error);
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
    host__remote_stop(remote);
    if (start(remote, error) != COR_OK)
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
        host__remote_stop(remote);
    if (news == HOST__NEWS_TROUBLE)
        cor_fail(error, COR_STATUS_INTERNAL, remote->program, NULL,
                 "the cell program does not run, or is of another version");
    return news;
}

void host__remote_stop(struct host__remote *remote) {
    cor_cell_end(&remote->cell, 0);
    remote->generation = 0;
}

void host__remote_refresh(struct host__remote *remote) {
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

enum host__news host__remote_ask(struct host__remote *remote) {
    struct host__request *request = remote->shared.request;
    struct host__reply *answer = remote->shared.answer;
    if (remote->generation == 0 || atomic_load(&answer->dead) == remote->generation)
        host__remote_refresh(remote);
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
    double end = cor_now() + wall_seconds(remote);
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

struct host__ending host__remote_ending(const struct host__remote *remote, enum host__news news) {
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
        const struct host__ending ending = host__remote_ending(remote, news);
        return host__ending_of_loading(&ending, path, error);
    }
    const struct host__reply *answer = remote->shared.answer;
    size_t size = answer->used, room = remote->shared.answer_size - sizeof *answer;
    return host__description_read(answer->data, size <= room ? size : room, path, description, error);
}

enum cor_status host__remote_describe(const char *path, bool is_full, struct host__description *description,
                                      struct cor_error *error) {
    struct host__remote *remote = cor_calloc(1, sizeof *remote);
    COR_TRY(cor_made(remote, error));
    enum cor_status status = describe(remote, path, is_full, description, error);
    host__remote_fini(remote);
    free(remote);
    return status;
}
