/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/module_cell.h>

#include <corridor/child.h>
#include <corridor/guarantees.h>
#include <corridor/host.h>
#include <corridor/loader.h>

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define TRIES 2         /* of a turn */
#define WALL_FACTOR 20. /* seconds without an answer, for each of CPU time */
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
    if (!cor_forbid_calls() && c->is_full && page->status == COR_OK)
        page->status = cor_fail(&page->error, COR_STATUS_INPUT, NULL, "corridor doctor says more of them",
                                "layers of isolation cannot be had around what is tested: calls");
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
    const double until = cor_now() + c->cpu_seconds * WALL_FACTOR;
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

static enum cor_smoke say(struct cor_turn_report *report, enum cor_smoke smoke, const char *format, ...)
    COR_PRINTF(3, 4);
static enum cor_smoke say(struct cor_turn_report *report, enum cor_smoke smoke, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->words, sizeof report->words, format, arguments);
    va_end(arguments);
    return smoke;
}

/* How it died, in words. */
static enum cor_smoke smoke_of_death(const struct cor_module_cell *c, bool is_overdue,
                                     struct cor_turn_report *report) {
    const struct cor_grave *grave = c->cell.grave;
    char ended[COR_ENDED_SIZE];
    if (is_overdue)
        return say(report, COR_SMOKE_OVERDUE, "%s gave nothing for %g s", c->what,
                   c->cpu_seconds * WALL_FACTOR);
    switch (grave->death) {
    case COR_DEATH_CPU_TIME:
        return say(report, COR_SMOKE_HUNG, "%s did not come to an end", c->what);
    case COR_DEATH_SIGNAL:
        return say(report, COR_SMOKE_CRASHED, "%s was %s", c->what, cor_ended_by(grave->code, ended));
    case COR_DEATH_MEMORY:
        return say(report, COR_SMOKE_MEMORY, "%s used up its memory", c->what);
    case COR_DEATH_EXIT:
        break;
    default:
        return say(report, COR_SMOKE_CRASHED, "%s ended with its cell", c->what);
    }
    if (c->page->left == COR_LEFT_NOTHING)
        return say(report, COR_SMOKE_EXITED, "%s ended its process", c->what);
    return say(report, COR_SMOKE_LEAKED, "%s leaves %s behind", c->what, cor_left_word(c->page->left));
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
    if (access(c->path, F_OK) != 0)
        return cor_fail_errno(error, COR_STATUS_FILE, c->path, NULL, "cannot open");
    COR_TRY(cor_cell_init(&c->cell, error));
    c->has_cell = true;
    COR_TRY(cor_needs_of_module(&c->needs, c->path, error));
    c->withheld = cor_needs_withheld((const char *const *)c->needs.paths);
    return COR_OK;
}

static enum cor_status not_loaded(const struct cor_module_cell *c, bool is_overdue, struct cor_error *error) {
    struct cor_turn_report report;
    const struct cor_module_cell named = {
        .cell = c->cell, .page = c->page, .cpu_seconds = c->cpu_seconds, .what = "it"};
    smoke_of_death(&named, is_overdue, &report);
    return cor_fail(error, COR_STATUS_PLUGIN, c->path, "run it under a debugger",
                    "the module did not get through being loaded: %s", report.words);
}

enum cor_status cor_module_cell_start(struct cor_module_cell *c, struct cor_error *error) {
    struct cor_module_page *page = c->page;
    if (c->has_cell && c->cell.keeper != 0)
        return COR_OK;
    COR_TRY(find_needs(c, error));
    atomic_store(&page->is_loaded, 0);
    page->left = COR_LEFT_NOTHING;
    atomic_store(&page->place, 0);
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
    COR_TRY(cor_cell_start(&c->cell, &definition, error));
    bool is_overdue;
    if (!wait_for(c, &page->is_loaded, 1, &is_overdue)) {
        cor_module_cell_end(c);
        return not_loaded(c, is_overdue, error);
    }
    if (page->status == COR_OK)
        return COR_OK;
    cor_module_cell_end(c);
    struct cor_error said = page->error;
    said.place[sizeof said.place - 1] = said.cause[sizeof said.cause - 1] =
        said.remedy[sizeof said.remedy - 1] = 0;
    return cor_fail(error, said.status == COR_STATUS_FILE ? COR_STATUS_FILE : COR_STATUS_PLUGIN, said.place,
                    said.remedy, "%s", said.cause);
}

/* As it went in this process. */
static enum cor_smoke take_turn(struct cor_module_cell *c, struct cor_turn_report *report) {
    const uint32_t before = atomic_load(&c->page->place);
    const char byte = 0;
    bool is_overdue;
    c->page->left = COR_LEFT_NOTHING;
    cor_cell_write(&c->cell, &byte, 1); /* if nobody reads it, that is noticed by who waits */
    return wait_for(c, &c->page->place, before + 2, &is_overdue) ? COR_SMOKE_NONE
                                                                 : smoke_of_death(c, is_overdue, report);
}

/* Who used up time or memory, or was killed, may be as good as any on another machine. */
static bool may_be_the_machine(const struct cor_module_cell *c, enum cor_smoke smoke) {
    const struct cor_grave *grave = c->cell.grave;
    const bool is_killed =
        grave->death == COR_DEATH_SIGNAL ? grave->code == SIGKILL : grave->death != COR_DEATH_EXIT;
    return cor_smoke_is_of_machine(smoke) || (smoke == COR_SMOKE_CRASHED && is_killed);
}

enum cor_status cor_module_cell_turn(struct cor_module_cell *c, struct cor_turn_report *report,
                                     struct cor_error *error) {
    *report = (struct cor_turn_report){.smoke = COR_SMOKE_NONE};
    for (int tries = 0; tries < TRIES; tries++) {
        COR_TRY(cor_module_cell_start(c, error));
        c->lay_out(c->owner);
        report->smoke = take_turn(c, report);
        if (!may_be_the_machine(c, report->smoke))
            return COR_OK;
        report->by_machine = true;
    }
    return COR_OK;
}
