/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A module in a process of its own, forked from the session's, so that it knows the system. A byte each way
 * says that a case is there, and that all instances have looked; the rest lies in the page. */
#include "internal.h"

#include <corridor/guarantees.h>
#include <corridor/loader.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { REQUESTS = 10, REPLIES }; /* descriptors */
#define WALL_FACTOR 20.          /* seconds without an answer, for each of CPU time */
#define MEMORY_MOST (UINT64_C(1) << 30)

static enum cor_status load(struct cor_monitors *m, struct cor_error *error) {
    COR_TRY(cor_module_open(&monitors__kind, m->path, &m->handle, &m->monitor, error));
    monitors__introduce(m);
    return COR_OK;
}

static _Noreturn void live(void *argument) {
    struct cor_monitors *m = argument;
    struct monitors__head *head = m->head;
    fcntl(STDIN_FILENO, F_DUPFD, REQUESTS);
    fcntl(STDOUT_FILENO, F_DUPFD, REPLIES);
    int nowhere = open("/dev/null", O_RDWR); /* what the monitor prints is nobody's affair */
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
    head->error = COR_NO_ERROR;
    head->status = load(m, &head->error);
    cor_module_settle();
    if (!cor_forbid_calls() && m->is_full && head->status == COR_OK)
        head->status = cor_fail(&head->error, COR_STATUS_INPUT, NULL, "corridor doctor says more of them",
                                "layers of isolation cannot be had around what is tested: calls");
    head->is_loaded = 1;
    char byte = 0;
    while (write(REPLIES, &byte, 1) == 1 && head->status == COR_OK && read(REQUESTS, &byte, 1) == 1) {
        atomic_fetch_add(&head->place, 1);
        monitors__look_all(m);
        atomic_fetch_add(&head->place, 1);
    }
    _exit(0);
}

/* Waits for the byte that says something is done; false: it died, or was overdue and is ended. */
static bool wait_for_byte(struct cor_monitors *m, bool *is_overdue) {
    const double until = cor_now() + m->cpu_seconds * WALL_FACTOR;
    *is_overdue = false;
    for (;;) {
        char byte;
        const int seen = cor_cell_wait(&m->cell, 0, 1);
        const ssize_t got = seen & COR_SIGHT_READABLE ? cor_cell_read(&m->cell, &byte, 1) : 0;
        if (got == 1)
            return true;
        *is_overdue = got == 0 && cor_now() > until;
        if (got < 0 || (seen & COR_SIGHT_DEAD) || *is_overdue) {
            cor_cell_end(&m->cell, *is_overdue ? 0 : 1);
            return false;
        }
    }
}

void monitors__cell_end(struct cor_monitors *m) {
    if (m->has_cell && m->cell.keeper != 0)
        cor_cell_end(&m->cell, 0);
}

/* How it died, in words. */
static enum cor_smoke smoke_of_death(const struct cor_monitors *m, bool is_overdue, char *words,
                                     size_t size) {
    const struct cor_grave *grave = m->cell.grave;
    if (is_overdue || grave->death == COR_DEATH_CPU_TIME) {
        snprintf(words, size, "the monitor %s did not come to an end", m->name);
        return COR_SMOKE_HUNG;
    }
    if (grave->death == COR_DEATH_SIGNAL) {
        snprintf(words, size, "the monitor %s was ended by signal %d", m->name, grave->code);
        return COR_SMOKE_CRASHED;
    }
    if (grave->death == COR_DEATH_MEMORY) {
        snprintf(words, size, "the monitor %s used up its memory", m->name);
        return COR_SMOKE_MEMORY;
    }
    snprintf(words, size, "the monitor %s ended its process", m->name);
    return grave->death == COR_DEATH_EXIT ? COR_SMOKE_EXITED : COR_SMOKE_CRASHED;
}

static enum cor_status find_needs(struct cor_monitors *m, struct cor_error *error) {
    if (m->has_cell)
        return COR_OK;
    if (access(m->path, F_OK) != 0)
        return cor_fail_errno(error, COR_STATUS_FILE, m->path, NULL, "cannot open");
    COR_TRY(cor_cell_init(&m->cell, error));
    m->has_cell = true;
    COR_TRY(cor_needs_of_module(&m->needs, m->path, error));
    m->withheld = cor_needs_withheld((const char *const *)m->needs.paths);
    return COR_OK;
}

/* What it said of itself, looked at. */
static enum cor_status take_introduction(struct cor_monitors *m, struct cor_error *error) {
    struct monitors__head *head = m->head;
    const uint32_t all = COR_MONITOR_ORGANIZATION | COR_MONITOR_AGENT;
    head->name[sizeof head->name - 1] = '\0';
    if (head->state_size > COR_MONITOR_STATE_BYTES_MAX || head->tolerance > COR_MONITOR_TOLERANCE_MAX ||
        (head->watches & ~all) != 0 || !cor_is_printable(head->name))
        return cor_fail(error, COR_STATUS_PLUGIN, m->path, "see <corridor/monitor.h>",
                        "what the monitor says of itself makes no sense");
    m->monitor = (struct cor_monitor){
        .watches = head->watches, .tolerance = head->tolerance, .state_size = (size_t)head->state_size};
    return COR_OK;
}

enum cor_status monitors__cell_start(struct cor_monitors *m, struct cor_error *error) {
    if (m->has_cell && m->cell.keeper != 0)
        return COR_OK;
    COR_TRY(find_needs(m, error));
    struct monitors__head *head = m->head;
    head->is_loaded = 0;
    atomic_store(&head->place, 0);
    const struct cor_cell_definition definition = {.life = live,
                                                   .argument = m,
                                                   .place = &head->place,
                                                   .cpu_seconds = m->cpu_seconds,
                                                   .walls = COR_WALLS,
                                                   .needs = (const char *const *)m->needs.paths,
                                                   .withheld = (const char *const *)m->withheld,
                                                   .is_full = m->is_full,
                                                   .guest = m->path,
                                                   .memory_bytes = cor_address_space(MEMORY_MOST)};
    COR_TRY(cor_cell_start(&m->cell, &definition, error));
    bool is_overdue;
    char words[256];
    const bool is_there = wait_for_byte(m, &is_overdue);
    if (!is_there || !head->is_loaded) {
        smoke_of_death(m, is_overdue, words, sizeof words);
        monitors__cell_end(m);
        return cor_fail(error, COR_STATUS_PLUGIN, m->path, "run it under a debugger",
                        "the module did not get through being loaded");
    }
    if (head->status == COR_OK)
        return take_introduction(m, error);
    monitors__cell_end(m);
    struct cor_error said = head->error;
    said.place[sizeof said.place - 1] = said.cause[sizeof said.cause - 1] =
        said.remedy[sizeof said.remedy - 1] = 0;
    return cor_fail(error, said.status == COR_STATUS_FILE ? COR_STATUS_FILE : COR_STATUS_PLUGIN, said.place,
                    said.remedy, "%s", said.cause);
}

enum cor_smoke monitors__cell_look(struct cor_monitors *m, char *complaint, size_t size) {
    const char byte = 0;
    bool is_overdue;
    cor_cell_write(&m->cell, &byte, 1); /* if nobody reads it, that is noticed by who waits */
    if (wait_for_byte(m, &is_overdue))
        return COR_SMOKE_NONE;
    return smoke_of_death(m, is_overdue, complaint, size);
}
