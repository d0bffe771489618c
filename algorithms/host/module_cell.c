/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/module_cell.h>

#include "ending.h"

#include <corridor/guarantees.h>
#include <corridor/host.h>
#include <corridor/loader.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

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

/* The error that the process there left; its texts may have no end. */
static void take_refusal(const struct cor_module_cell *c, struct cor_error *error) {
    struct cor_error said = c->page->error;
    said.place[sizeof said.place - 1] = said.cause[sizeof said.cause - 1] =
        said.remedy[sizeof said.remedy - 1] = 0;
    const enum cor_status status =
        said.status == COR_STATUS_FILE || said.status == COR_STATUS_MEMORY ? said.status : COR_STATUS_PLUGIN;
    (void)cor_fail(error, status, said.place, said.remedy, "%s", said.cause);
}

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
    take_refusal(c, error);
    return START_REFUSED;
}

enum cor_status cor_module_cell_start(struct cor_module_cell *c, struct cor_error *error) {
    struct host__ending ending;
    const enum start came = start(c, &ending, error);
    if (came == START_DEAD)
        return host__ending_of_loading(&ending, c->path, error);
    return came == START_LOADED ? COR_OK : error->status;
}

/* Smoke with what is known of it. */
static void end_by(const struct cor_module_cell *c, const struct host__ending *ending,
                   struct cor_turn_report *report) {
    report->smoke = host__ending_smoke(ending);
    report->fate = host__ending_fate(ending);
    host__ending_text(ending, c->what, report->words, sizeof report->words);
}

/* Who used up time or memory, or was killed, may be as good as any on another machine. */
static bool may_be_the_machine(const struct host__ending *ending) {
    const bool is_killed =
        ending->death == COR_DEATH_SIGNAL ? ending->code == SIGKILL : ending->death != COR_DEATH_EXIT;
    return is_killed || cor_smoke_is_of_machine(host__ending_smoke(ending));
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
    *may_be_other = may_be_the_machine(&ending);
}

/* Nothing of the module is to blame: there is no process, a wall, or a file. */
static bool is_trouble(const struct cor_module_cell *c, enum start came) {
    const bool lacks_walls = c->is_full && c->page->error.status == COR_STATUS_INPUT;
    return came == START_TROUBLE || (came == START_REFUSED && (lacks_walls || access(c->path, F_OK) != 0));
}

/* A module that was loaded when the campaign was planned does not get through it, or is refused: smoke, as if
 * it were in the turn. */
static enum cor_status note_start(const struct cor_module_cell *c, enum start came,
                                  const struct host__ending *ending, const struct cor_error *said,
                                  struct cor_turn_report *report, struct cor_error *error) {
    if (is_trouble(c, came)) {
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
