/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In the cell: a life executes sequences, shrinks or tells, as its place says, and writes down what comes of
 * it in memory that it shares with the worker. */
#define _GNU_SOURCE /* MADV_DONTFORK */

#include "process_place.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/guarantees.h>
#include <corridor/loader.h>

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static struct letter *letter_of(const struct place *place, uint32_t number) {
    return &place->desk->letters[place->apart->law ? number % COR_PROCESS_AHEAD : 0];
}

/* Of a law there is room for as many as are asked for at once, and whoever asked is woken by the last. */
static void say(const struct place *place, uint32_t number, struct letter *letter,
                const struct process_layer__report *report) {
    struct desk *desk = place->desk;
    const bool is_of_law = place->apart->law != NULL;
    for (uint32_t taken; !is_of_law && (taken = atomic_load(&desk->taken)) < number;)
        cor_cell_listen(&desk->taken, taken, 1);
    const size_t events = letter->event_count * sizeof *report->schedule.events;
    if (events > 0)
        memcpy(desk->rest, report->schedule.events, events);
    if (letter->fresh_count > 0)
        memcpy(desk->rest + events, report->fresh, letter->fresh_count * sizeof *report->fresh);
    letter->digest = process_layer__letter_digest(letter); /* here, where no other life can write */
    memcpy(letter_of(place, number), letter, sizeof *letter);
    atomic_store(&desk->said, number + 1);
    if (!is_of_law || number + 1 >= atomic_load(&desk->orders))
        cor_cell_ring(&desk->bell);
}

/* Snapshots, from the second schedule on: then all is loaded. Variables of the module may not change. */
static void begin_pages(const struct place *place) {
    const struct cor_cluster *cluster = cor_process_runner_cluster(place->apart->rig->runner);
    struct cor_module_piece pieces[COR_PAGES_FIXED_MOST];
    struct cor_pages_piece fixed[COR_PAGES_FIXED_MOST];
    uintptr_t origin;
    const uint32_t count = cor_module_variables((uintptr_t)cor_cluster_program(cluster)->start, pieces,
                                                COR_PAGES_FIXED_MOST, &origin);
    for (uint32_t p = 0; p < count; p++)
        fixed[p] = (struct cor_pages_piece){pieces[p].start, pieces[p].bytes};
    if (count < COR_PAGES_FIXED_MOST)
        cor_pages_begin(place->apart->pages, fixed, count);
}

/* Of so many schedules one goes on from no snapshot: of the first ones of a life, and of the others. */
#define LOOK_EVERY(number) ((number) < 256 ? 16 : 64)

/* Executes a sequence, or the schedule of the task. */
static enum cor_status execute_next(struct place *place, uint32_t sequence, uint32_t number,
                                    struct letter *letter) {
    struct process_layer__rig *rig = place->apart->rig;
    struct process_layer__report *report = &place->desk->report;
    const struct process_layer__task *task = place->task;
    const struct cor_stream_name name =
        task ? *task->name : cor_process_stream_name(rig->experiment, place->suite, sequence);
    report->fresh_count = 0;
    if (place->apart->law) {
        const struct cor_process_trajectory trajectory =
            place->desk->trajectories[number % COR_PROCESS_AHEAD];
        struct cor_pages *pages = place == &place->apart->steady ? place->apart->pages : NULL;
        if (pages && number == 1)
            begin_pages(place);
        if (pages && (!cor_pages_have_begun(pages) || number % LOOK_EVERY(number) == 0))
            pages = NULL;
        report->schedule.count = 0;
        letter->followed = process_layer__name_of(&trajectory);
        COR_TRY(process_layer__law_follow_here(place->apart->law, &trajectory, &report->schedule, pages, NULL,
                                               &letter->error));
        letter->outcome = *cor_process_law_outcome(place->apart->law);
        letter->reached = *process_layer__law_reached(place->apart->law);
        letter->left = cor_cell_left();
        return COR_OK;
    }
    COR_TRY(task ? cor_process_replay(rig->runner, &name, task->schedule, &report->schedule, &report->outcome,
                                      &letter->error)
                 : process_layer__rig_run(rig, place->suite, sequence, place->seen, report, &letter->error));
    letter->outcome = report->outcome;
    letter->event_count = report->schedule.count;
    letter->fresh_count = report->fresh_count;
    letter->is_full = place->seen && place->seen->is_full;
    letter->left = cor_cell_left();
    letter->differs = false;
    return place->is_doubted && letter->left == COR_LEFT_NOTHING &&
                   !process_layer__was_forced(report->outcome.end)
               ? process_layer__look_again(rig->runner, &name, task ? task->schedule : &report->schedule,
                                           &report->outcome, &letter->differs, &letter->error)
               : COR_OK;
}

static void execute_all(struct place *place) {
    struct desk *desk = place->desk;
    struct process_layer__report *report = &desk->report;
    struct letter letter;
    memset(&letter, 0, sizeof letter); /* what lies between its members is in its digest */
    letter.word = LETTER_OF_OURS;
    for (uint32_t s = place->first; s < place->end && letter.status == COR_OK; s++) {
        const uint32_t number = s - place->first;
        for (uint32_t orders; place->is_asked && (orders = atomic_load(&desk->orders)) <= number;)
            cor_cell_listen(&desk->orders, orders, 1);
        atomic_store(&desk->place, 2 * number + 1);
        cor_module_settle();
        letter.status = execute_next(place, place->is_asked ? desk->order : s, number, &letter);
        atomic_store(&desk->place, 2 * number + 2);
        say(place, number, &letter, report);
        if (letter.left != COR_LEFT_NOTHING || process_layer__was_forced(letter.outcome.end))
            return;
    }
}

static enum cor_status refuse_answers(const struct process_layer__apart *apart, struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, process_layer__apart_arm(apart)->command, NULL,
                    "the program ruined what is known of its schedules");
}

/* Bytes of so many bits, of which the next answer stands as it has to. */
static uint64_t bytes_of(uint64_t bits) {
    return (bits + 63) / 64 * 8;
}

enum cor_status process_layer__read_answer(struct place *place, const struct cor_process_schedule *schedule,
                                           struct cor_process_schedule *executed,
                                           struct cor_process_outcome *outcome, struct cor_error *error) {
    const struct paper *paper = place->apart->paper;
    struct answer answer;
    const unsigned char *behind = paper->bytes + place->read + sizeof answer;
    const struct cor_process_event *events = (const void *)behind;
    *outcome = (struct cor_process_outcome){
        .violated = COR_NONE, .end_process = COR_NONE, .one = COR_NONE, .other = COR_NONE};
    executed->count = 0;
    if (place->tried >= paper->tries || paper->size > PAPER_BYTES - sizeof *paper ||
        place->read + sizeof answer > paper->size)
        return refuse_answers(place->apart, error);
    memcpy(&answer, paper->bytes + place->read, sizeof answer);
    place->read += sizeof answer;
    if (answer.count > place->apart->event_most + TRAIL_MORE || answer.end >= COR_PROCESS_END_COUNT)
        return refuse_answers(place->apart, error);
    const uint64_t bytes = answer.has_bits ? bytes_of(answer.count) : answer.count * sizeof *events;
    if (place->read + bytes > paper->size ||
        (answer.has_bits && answer.count > 0 && schedule && answer.count != schedule->count))
        return refuse_answers(place->apart, error);
    if (!answer.has_bits)
        for (uint64_t e = 0; e < answer.count; e++)
            COR_TRY(cor_process_schedule_add(executed, &events[e], error));
    else if (schedule && answer.count > 0) {
        /* The events of the schedule of which the bit is set. */
        for (size_t e = 0; e < schedule->count; e++)
            if (behind[e / 8] >> e % 8 & 1)
                COR_TRY(cor_process_schedule_add(executed, &schedule->events[e], error));
    }
    place->read += bytes;
    place->tried++;
    outcome->violated = answer.violated;
    outcome->end = (enum cor_process_end)answer.end;
    return COR_OK;
}

static enum cor_status fail_full(struct cor_error *error) {
    return cor_fail(error, COR_STATUS_MEMORY, NULL, "corridor shrink --budget N ends sooner",
                    "what is known of schedules that were tried takes more than %d MiB",
                    (int)(PAPER_BYTES >> 20));
}

/* Is that how an event of a schedule happened? An alarm may go off later. */
static bool is_that(const struct cor_process_event *event, const struct cor_process_event *happened) {
    return event->tick <= happened->tick && event->kind == happened->kind &&
           event->process == happened->process && event->peer == happened->peer &&
           event->what == happened->what && event->ordinal == happened->ordinal;
}

/* Which events of the schedule happened: what happened is a part of it, in order. */
static enum cor_status write_bits(struct paper *paper, const struct cor_process_schedule *schedule,
                                  const struct cor_process_schedule *executed, struct cor_error *error) {
    unsigned char *bits = paper->bytes + paper->size;
    size_t happened = 0;
    if (paper->size + bytes_of(schedule->count) > PAPER_BYTES - sizeof *paper)
        return fail_full(error);
    memset(bits, 0, bytes_of(schedule->count));
    for (size_t e = 0; e < schedule->count && happened < executed->count; e++)
        if (is_that(&schedule->events[e], &executed->events[happened])) {
            bits[e / 8] |= (unsigned char)(1u << e % 8);
            happened++;
        }
    paper->size += bytes_of(schedule->count);
    return COR_OK;
}

static enum cor_status write_bytes(struct paper *paper, const void *from, uint64_t bytes,
                                   struct cor_error *error) {
    if (paper->size + bytes > PAPER_BYTES - sizeof *paper)
        return fail_full(error);
    if (bytes > 0)
        memcpy(paper->bytes + paper->size, from, bytes);
    paper->size += bytes;
    return COR_OK;
}

enum cor_status process_layer__write_answer(struct paper *paper, const struct cor_process_schedule *schedule,
                                            const struct cor_process_schedule *executed,
                                            const struct cor_process_outcome *outcome,
                                            struct cor_error *error) {
    const bool has_failed = process_layer__has_failed(outcome);
    const uint64_t count = schedule ? schedule->count : executed->count;
    const struct answer answer = {outcome->violated, (uint16_t)outcome->end, schedule != NULL,
                                  has_failed ? count : 0};
    if (paper->size + sizeof answer > PAPER_BYTES - sizeof *paper)
        return fail_full(error);
    memcpy(paper->bytes + paper->size, &answer, sizeof answer);
    paper->size += sizeof answer;
    if (has_failed)
        COR_TRY(schedule ? write_bits(paper, schedule, executed, error)
                         : write_bytes(paper, executed->events, executed->count * sizeof *executed->events,
                                       error));
    paper->tries++;
    return COR_OK;
}

#define QUICK_LEAST .05 /* seconds of CPU time after which a call may be believed not to come back, and */
#define QUICK_FACTOR 20 /* times those that all healthy events before a hang need together */

static double cpu_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The first schedule hangs, as `executed` says: others are not waited for as long, by what its healthy events
 * cost. What is left is executed once more as ever. */
static enum cor_status hurry(struct place *place, const struct cor_stream_name *name,
                             const struct cor_process_schedule *executed, struct cor_error *error) {
    struct cor_process_runner *runner = place->apart->rig->runner;
    struct paper *paper = place->apart->paper;
    if (paper->hang_seconds == 0 && executed->count > 0) {
        const struct cor_process_schedule healthy = {.events = executed->events,
                                                     .count = executed->count - 1};
        struct cor_process_outcome outcome;
        paper->hang_seconds = -1; /* should it end this life */
        const double before = cpu_now();
        COR_TRY(cor_process_replay(runner, name, &healthy, NULL, &outcome, error));
        if (!process_layer__has_failed(&outcome))
            paper->hang_seconds = fmax(QUICK_LEAST, QUICK_FACTOR * (cpu_now() - before));
    }
    cor_process_runner_hurry(runner, fmax(paper->hang_seconds, 0));
    return COR_OK;
}

/* A schedule of a shrinking: what is known of it, or it is executed. What no life can go on behind ends it.
 */
static enum cor_status try_schedule(void *self, const struct cor_stream_name *name,
                                    const struct cor_process_schedule *schedule,
                                    struct process_layer__report *report, struct cor_error *error) {
    struct place *place = self;
    struct desk *desk = place->desk;
    struct paper *paper = place->apart->paper;
    struct cor_process_schedule *executed = &report->schedule;
    struct cor_process_outcome *outcome = &report->outcome;
    struct cor_process_schedule *trail = &desk->report.schedule;
    bool differs = false;
    if (place->tried < paper->tries) {
        const bool is_first = place->tried == 0;
        COR_TRY(process_layer__read_answer(place, schedule, executed, outcome, error));
        return is_first && outcome->end == COR_PROCESS_END_HANG && !place->task->is_patient
                   ? hurry(place, name, executed, error)
                   : COR_OK;
    }
    atomic_store(&desk->place, 2 * place->tried + 1);
    COR_TRY(cor_process_replay(place->apart->rig->runner, name, schedule, trail, outcome, error));
    const bool is_forced = process_layer__was_forced(outcome->end);
    if (place->is_doubted && !is_forced) {
        paper->left = cor_cell_left();
        if (paper->left == COR_LEFT_NOTHING)
            COR_TRY(process_layer__look_again(place->apart->rig->runner, name, schedule, outcome, &differs,
                                              error));
        paper->differs = differs;
        if (differs || paper->left != COR_LEFT_NOTHING)
            _exit(0);
    }
    atomic_store(&desk->place, 2 * place->tried + 2);
    COR_TRY(process_layer__write_answer(paper, schedule, trail, outcome, error));
    place->read = paper->size;
    place->tried++;
    paper->is_forced = is_forced;
    if (is_forced)
        _exit(0);
    executed->count = 0;
    for (size_t e = 0; e < trail->count && process_layer__has_failed(outcome); e++)
        COR_TRY(cor_process_schedule_add(executed, &trail->events[e], error));
    return COR_OK;
}

/* Says how far it is, where the worker looks now and then. What was tried by lives before is not lost. */
static bool go_on(void *self, const struct cor_shrink_progress *progress) {
    const struct place *place = self;
    struct paper *paper = place->apart->paper;
    if (place->tried < paper->tries)
        return true;
    paper->progress = *progress;
    return !atomic_load(&paper->is_stopped);
}

static void shrink(struct place *place) {
    const struct process_layer__task *task = place->task;
    struct paper *paper = place->apart->paper;
    struct shrunk *shrunk = &paper->shrunk;
    struct cor_shrinking shrinking = *task->shrinking;
    shrinking.go_on = go_on;
    shrinking.self = place;
    *task->by = (struct process_layer__trier){place, try_schedule};
    place->tried = 0;
    place->read = 0;
    shrunk->status = cor_shrink_tests(&shrinking, task->bench, &shrunk->error);
    shrunk->done = shrinking.shrunk;
    const struct cor_choices *left = &shrinking.tests[shrunk->done.best].choices;
    if (shrunk->status == COR_OK)
        shrunk->status = write_bytes(paper, left->items, left->count * sizeof *left->items, &shrunk->error);
    shrunk->count = left->count;
    paper->is_over = 1;
}

static void tell(struct place *place) {
    const struct process_layer__task *task = place->task;
    struct paper *paper = place->apart->paper;
    struct cor_error error = COR_NO_ERROR;
    char *text;
    atomic_store(&place->desk->place, 1);
    if (cor_process_story(place->apart->rig->runner, task->name, task->schedule, task->death, task->form,
                          &text, &error) != COR_OK)
        return;
    const size_t size = strlen(text) + 1;
    if (size > PAPER_BYTES - sizeof *paper)
        return;
    memcpy(paper->bytes, text, size);
    paper->size = size;
    paper->is_over = 1;
}

static void live(void *argument) {
    struct place *place = argument;
    const struct process_layer__task *task = place->task;
    struct process_layer__rig *rig = place->apart->rig;
    const struct cor_process_arm *arm = process_layer__apart_arm(place->apart);
    struct desk *desk = place->desk;
    struct paper *paper = place->apart->paper;
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing >= 0) /* what it prints is nobody's */
        for (int file = 0; file <= 2; file++)
            dup2(nothing, file);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* whoever is left behind is a child, then */
    /* A process that it forks does not have the desk, so it cannot go on in its place. */
    const bool is_alone = madvise(desk, place->apart->desk_bytes, MADV_DONTFORK) == 0 &&
                          (!paper || madvise(paper, PAPER_BYTES, MADV_DONTFORK) == 0);
    if (place == &place->apart->steady && place->apart->pages)
        cor_pages_look(place->apart->pages);
    cor_process_runner_moved(rig->runner);
    desk->lacks_calls = !cor_forbid_calls();
    desk->has_begun = is_alone;
    cor_cell_ring(&desk->bell);
    if (!is_alone || (desk->lacks_calls && arm->is_full))
        return;
    if (place == &place->apart->lone || place->apart->law) /* snapshots of memory do not hold the desk */
        desk->report.schedule = (struct cor_process_schedule){
            .events =
                (struct cor_process_event *)(void *)(desk->rest + process_layer__trail_at(place->apart)),
            .capacity = place->apart->event_most + TRAIL_MORE};
    if (task)
        cor_process_runner_listen(rig->runner, NULL);
    if (!task || task->work == PROCESS_LAYER__EXECUTE)
        execute_all(place);
    else if (task->work == PROCESS_LAYER__SHRINK)
        shrink(place);
    else
        tell(place);
}

/* A life: all that is to be done in the place. Its process ends here, or by the program. */
static void process_layer__live(void *argument) {
    live(argument);
    _exit(0);
}

/* ---- sequences in a cell (cell.h): one life goes on through as many as it lives, and says what came of each
 * in memory that it shares with the worker, who copies first and looks then. Behind what the cluster catches
 * in place this is the second wall: a program that ruins the memory around it, or wants more of the machine
 * than to compute, harms its life alone */

#define CPU_SECONDS 60.     /* that a sequence may use, and */
#define EVENTS_A_SECOND 1e4 /* such as it may have at most, so many more in each further second */
#define WALL_FACTOR 20.     /* seconds that it may take for each of these */
#define LOOK_SECONDS .05    /* at whether to go on at all */

static double cpu_seconds(const struct process_layer__apart *apart) {
    return CPU_SECONDS + process_layer__apart_arm(apart)->events / EVENTS_A_SECOND;
}

static enum cor_status open_place(struct process_layer__apart *apart, struct place *place,
                                  struct cor_error *error) {
    place->apart = apart;
    COR_TRY(cor_cell_init(&place->cell, error));
    void *desk = mmap(NULL, apart->desk_bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (desk == MAP_FAILED)
        return cor_fail_memory(error);
    place->desk = desk;
    return COR_OK;
}

static void close_place(const struct process_layer__apart *apart, struct place *place) {
    cor_cell_fini(&place->cell);
    if (place->desk)
        munmap(place->desk, apart->desk_bytes);
}

enum cor_status process_layer__apart_create(struct process_layer__rig *rig, size_t event_most,
                                            struct process_layer__apart **apart, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct process_layer__apart *made = cor_calloc(1, sizeof *made);
    *apart = NULL;
    COR_TRY(cor_made(made, error));
    made->rig = rig;
    made->event_most = event_most > process_layer__apart_arm(made)->events
                           ? event_most
                           : process_layer__apart_arm(made)->events;
    made->desk_bytes = sizeof(struct desk) + process_layer__trail_at(made) +
                       (made->event_most + TRAIL_MORE) * sizeof(struct cor_process_event);
    COR_TRY_OUT(open_place(made, &made->steady, error));
    COR_TRY_OUT(open_place(made, &made->lone, error));
    COR_TRY_OUT(process_layer__needs(process_layer__apart_arm(made), &made->needs, error));
    made->withheld = cor_needs_withheld((const char *const *)made->needs.paths);
    *apart = made;
out:
    if (status != COR_OK)
        process_layer__apart_destroy(made);
    return status;
}

void process_layer__apart_destroy(struct process_layer__apart *apart) {
    if (!apart)
        return;
    close_place(apart, &apart->steady);
    close_place(apart, &apart->lone);
    if (apart->paper)
        munmap(apart->paper, PAPER_BYTES);
    cor_pages_destroy(apart->pages);
    cor_needs_fini(&apart->needs);
    cor_needs_free(apart->withheld);
    process_layer__report_fini(&apart->again);
    free(apart);
}

static void stop(struct place *place) {
    cor_cell_end(&place->cell, 0);
}

void process_layer__apart_end(struct process_layer__apart *apart) {
    stop(&apart->steady);
}

static enum cor_status start(struct place *place, uint32_t suite, uint32_t first, uint32_t end,
                             struct process_layer__seen *seen, struct cor_error *error) {
    const struct process_layer__apart *apart = place->apart;
    const struct cor_process_arm *arm = process_layer__apart_arm(apart);
    struct desk *desk = place->desk;
    memset(desk, 0, offsetof(struct desk, letters));
    if (apart->pages && place == &apart->steady)
        cor_pages_forget(apart->pages);
    place->seen = seen;
    place->suite = suite;
    place->first = place->next = place->asked = first;
    place->end = end;
    /* What an interpreter brings along reads files of its own. */
    const bool is_embedded = cor_process_way_of(arm->command) == COR_PROCESS_EMBEDDED;
    const int walls = is_embedded ? COR_WALLS & ~COR_WALL_SIGHT : COR_WALLS;
    const struct cor_cell_definition definition = {.life = process_layer__live,
                                                   .argument = place,
                                                   .place = &desk->place,
                                                   .cpu_seconds = cpu_seconds(apart),
                                                   .walls = walls,
                                                   .needs = (const char *const *)apart->needs.paths,
                                                   .withheld = (const char *const *)apart->withheld,
                                                   .is_full = arm->is_full,
                                                   .guest = arm->command,
                                                   .memory_bytes = cor_address_space(COR_GUEST_MEMORY),
                                                   .bell = &desk->bell};
    return cor_cell_start(&place->cell, &definition, error);
}

enum reading { READ_ALL, READ_DIED, READ_LATE, READ_GARBLED, READ_STOPPED };

/* Waits for the next letter. */
static enum reading wait_for_letter(const struct place *place, const struct cor_watch *watch) {
    struct desk *desk = place->desk;
    const double end = cor_now() + WALL_FACTOR * cpu_seconds(place->apart);
    for (;;) {
        const uint32_t seen = atomic_load(&desk->bell);
        const bool is_over = cor_cell_is_over(&place->cell);
        if (atomic_load(&desk->said) > place->next - place->first)
            return READ_ALL;
        if (is_over)
            return READ_DIED;
        if (watch && cor_watch_stopped(watch))
            return READ_STOPPED;
        if (cor_now() > end)
            return READ_LATE;
        cor_cell_listen(&desk->bell, seen, LOOK_SECONDS);
    }
}

/* Copies it, and looks whether it makes sense; the letter's status is that of the sequence. */
static enum reading take_letter(struct place *place, struct process_layer__report *report,
                                struct letter *letter, struct cor_error *error) {
    const struct cor_process_arm *arm = process_layer__apart_arm(place->apart);
    const struct desk *desk = place->desk;
    memcpy(letter, letter_of(place, place->next - place->first), sizeof *letter);
    if ((place->apart->law && letter->followed != place->followed) || letter->word != LETTER_OF_OURS ||
        letter->digest != process_layer__letter_digest(letter) ||
        letter->event_count > place->apart->event_most + 1 || letter->fresh_count > PROCESS_LAYER__SEEN_MAX)
        return READ_GARBLED;
    report->schedule.count = report->fresh_count = 0;
    letter->status =
        letter->status == COR_OK
            ? COR_RESERVE(&report->schedule.events, &report->schedule.capacity, letter->event_count, error)
            : cor_fail(error, letter->status, letter->error.place, letter->error.remedy, "%s",
                       letter->error.cause);
    if (letter->status == COR_OK)
        letter->status = COR_RESERVE(&report->fresh, &report->fresh_capacity, letter->fresh_count, error);
    if (letter->status != COR_OK)
        return READ_ALL;
    const size_t events = letter->event_count * sizeof *report->schedule.events;
    if (events > 0)
        memcpy(report->schedule.events, desk->rest, events);
    if (letter->fresh_count > 0)
        memcpy(report->fresh, desk->rest + events, letter->fresh_count * sizeof *report->fresh);
    for (size_t e = 0; e < letter->event_count; e++)
        if (report->schedule.events[e].kind >= COR_PROCESS_EVENT_KIND_COUNT ||
            report->schedule.events[e].process >= arm->count)
            return READ_GARBLED;
    report->schedule.count = letter->event_count;
    report->fresh_count = letter->fresh_count;
    report->outcome = letter->outcome;
    report->outcome.sentence[sizeof report->outcome.sentence - 1] = '\0';
    place->next++;
    atomic_store(&place->desk->taken, place->next - place->first);
    if (!place->apart->law)
        cor_cell_wake(&place->desk->taken);
    return READ_ALL;
}

/* The next report. */
static enum reading read_report(struct place *place, const struct cor_watch *watch,
                                struct process_layer__report *report, struct letter *letter,
                                struct cor_error *error) {
    const enum reading reading = wait_for_letter(place, watch);
    return reading == READ_ALL ? take_letter(place, report, letter, error) : reading;
}

static void end_by(struct process_layer__report *report, enum cor_process_end end, const char *sentence) {
    report->schedule.count = report->fresh_count = 0;
    process_layer__end_by(&report->outcome, end, sentence);
}

/* Its life died of the sequence, twice. */
static void note_death(const struct cor_grave *grave, enum reading reading,
                       struct process_layer__report *report) {
    char text[COR_ENDED_SIZE], sentence[128];
    const bool is_by_machine = reading == READ_LATE || grave->death == COR_DEATH_CPU_TIME ||
                               grave->death == COR_DEATH_MEMORY ||
                               cor_death_is_of_others(grave->death, grave->code);
    if (reading == READ_GARBLED) {
        end_by(report, COR_PROCESS_END_GARBLED, "The program ruined the memory around it.");
    } else if (reading == READ_LATE || grave->death == COR_DEATH_CPU_TIME) {
        end_by(report, COR_PROCESS_END_HANG, "The program did not come back.");
    } else if (grave->death == COR_DEATH_MEMORY) {
        end_by(report, COR_PROCESS_END_MEMORY, "The program used up the memory of its sandbox.");
    } else if (grave->death == COR_DEATH_SIGNAL) {
        snprintf(sentence, sizeof sentence, "The program was %s.", cor_ended_by(grave->code, text));
        end_by(report, grave->code == SIGABRT ? COR_PROCESS_END_ABORT : COR_PROCESS_END_SIGNAL, sentence);
    } else if (grave->death == COR_DEATH_EXIT) {
        snprintf(sentence, sizeof sentence, "The program ended its process with code %d.", grave->code);
        end_by(report, COR_PROCESS_END_EXIT, sentence);
    } else {
        end_by(report, COR_PROCESS_END_GONE, "The program ended its sandbox.");
    }
    report->outcome.is_by_machine = is_by_machine && reading != READ_GARBLED;
}

static void note_left(enum cor_left left, struct process_layer__report *report) {
    char sentence[64];
    snprintf(sentence, sizeof sentence, "The program leaves %s behind.", cor_left_word(left));
    end_by(report, COR_PROCESS_END_LEAKED, sentence);
}

/* The life did not begin: trouble of ours, or a wall that was asked for and is not there. */
static enum cor_status refuse(const struct place *place, struct cor_error *error) {
    const struct cor_process_arm *arm = process_layer__apart_arm(place->apart);
    if (place->desk->lacks_calls && arm->is_full)
        return cor_fail(error, COR_STATUS_INPUT, arm->command, "see corridor doctor",
                        "the sandbox is incomplete here: system calls are not filtered");
    return cor_fail(error, COR_STATUS_INTERNAL, arm->command, NULL, "a process in a cell does not begin");
}

/* The sequence in the place, where the life has come to it or begins with it; *reading READ_DIED, READ_LATE,
 * READ_GARBLED: it died of it, and nothing of it is there any more. */
static enum cor_status execute(struct place *place, const struct cor_watch *watch,
                               struct process_layer__report *report, struct letter *letter,
                               enum reading *reading, struct cor_error *error) {
    *reading = read_report(place, watch, report, letter, error);
    if (*reading != READ_ALL || letter->status != COR_OK || letter->left != COR_LEFT_NOTHING ||
        process_layer__was_forced(report->outcome.end) || place->next == place->end)
        stop(place);
    if (*reading == READ_STOPPED)
        return COR_STATUS_INTERRUPTED;
    if (*reading != READ_ALL)
        return place->desk->has_begun ? COR_OK : refuse(place, error);
    COR_TRY(letter->status);
    if (letter->left != COR_LEFT_NOTHING)
        note_left(letter->left, report);
    else if (letter->differs)
        end_by(report, COR_PROCESS_END_LEAKED, PROCESS_LAYER__OTHERWISE);
    return COR_OK;
}

/* What the life has seen is seen, what its generator has learnt is learnt. */
static enum cor_status take_over(struct process_layer__apart *apart, uint32_t suite, uint32_t sequence,
                                 struct process_layer__seen *seen, bool is_full,
                                 const struct process_layer__report *report, struct cor_error *error) {
    for (size_t f = 0; f < report->fresh_count; f++) {
        bool is_new;
        COR_TRY(process_layer__seen_add(seen, report->fresh[f], &is_new, error));
    }
    seen->is_full = seen->is_full || is_full;
    COR_TRY(process_layer__rig_begin(apart->rig, suite, sequence, error));
    return process_layer__rig_learn(apart->rig, sequence, seen, report, error);
}

static bool is_same(const struct cor_process_outcome *one, const struct cor_process_outcome *other) {
    return one->digest == other->digest && one->events == other->events && one->end == other->end &&
           one->end_process == other->end_process && one->violated == other->violated &&
           one->violated_event == other->violated_event && strcmp(one->sentence, other->sentence) == 0;
}

/* Asks a life that waits for it for its next sequence, or so many schedules of a law. */
static void ask(struct place *place, uint32_t sequence, const struct cor_process_trajectory *trajectories,
                uint32_t count) {
    struct desk *desk = place->desk;
    desk->order = sequence;
    for (uint32_t n = 0; trajectories && n < count; n++)
        memcpy(&desk->trajectories[(place->asked + n) % COR_PROCESS_AHEAD], &trajectories[n],
               sizeof *trajectories);
    place->asked += count;
    atomic_store(&desk->orders, place->asked);
    cor_cell_wake(&desk->orders);
}

/* A sequence, or (not NULL) a schedule of a law, in a life of its own, which has seen and learnt the same; if
 * it dies of it, that is its end. */
static enum cor_status execute_lone(struct process_layer__apart *apart, struct process_layer__suite *suite,
                                    uint32_t sequence, const struct cor_process_trajectory *trajectory,
                                    const struct cor_watch *watch, struct process_layer__report *report,
                                    struct letter *letter, enum reading *reading, struct cor_error *error) {
    struct place *lone = &apart->lone;
    lone->is_asked = trajectory != NULL;
    COR_TRY(start(lone, suite->suite, sequence, sequence + 1, &suite->seen, error));
    if (trajectory) {
        lone->followed = process_layer__name_of(trajectory);
        ask(lone, sequence, trajectory, 1);
    }
    COR_TRY(execute(lone, watch, report, letter, reading, error));
    if (*reading != READ_ALL)
        note_death(lone->cell.grave, *reading, report);
    return COR_OK;
}

/* Does the same come of it there? */
static enum cor_status confirm(struct process_layer__apart *apart, struct process_layer__suite *suite,
                               uint32_t sequence, const struct cor_process_trajectory *trajectory,
                               const struct cor_watch *watch, struct process_layer__report *report,
                               struct cor_error *error) {
    struct letter letter;
    enum reading reading;
    COR_TRY(execute_lone(apart, suite, sequence, trajectory, watch, &apart->again, &letter, &reading, error));
    if (!apart->again.outcome.is_by_machine && !is_same(&report->outcome, &apart->again.outcome))
        end_by(report, COR_PROCESS_END_LEAKED, PROCESS_LAYER__OTHERWISE);
    return COR_OK;
}

/* What the steady life did, or died of, is looked at once more where it has to be. */
static enum cor_status settle(struct process_layer__apart *apart, struct process_layer__suite *suite,
                              uint32_t sequence, const struct cor_process_trajectory *trajectory,
                              bool is_last, const struct cor_watch *watch,
                              struct process_layer__report *report, struct letter *letter,
                              enum reading *reading, struct cor_error *error) {
    if (*reading != READ_ALL)
        return execute_lone(apart, suite, sequence, trajectory, watch, report, letter, reading, error);
    return process_layer__is_doubted(suite, is_last, &report->outcome)
               ? confirm(apart, suite, sequence, trajectory, watch, report, error)
               : COR_OK;
}

enum cor_status process_layer__apart_run(struct process_layer__apart *apart,
                                         struct process_layer__suite *suite, uint32_t sequence,
                                         const struct cor_watch *watch, struct process_layer__report *report,
                                         struct cor_error *error) {
    struct place *place = &apart->steady;
    const uint32_t sequences = apart->rig->experiment->sequences;
    struct letter letter = {0};
    enum reading reading;
    COR_TRY(process_layer__rig_weather(apart->rig, suite->suite, sequence, error));
    place->is_asked = place->is_doubted = false;
    if (place->cell.keeper == 0)
        COR_TRY(start(place, suite->suite, sequence, sequences, &suite->seen, error));
    COR_TRY(execute(place, watch, report, &letter, &reading, error));
    COR_TRY(settle(apart, suite, sequence, NULL, sequence + 1 == sequences, watch, report, &letter, &reading,
                   error));
    return take_over(apart, suite->suite, sequence, &suite->seen, reading == READ_ALL && letter.is_full,
                     report, error);
}

/* What had happened, and was about to, when the life in the lone place ended. */
static enum cor_status take_trail(struct process_layer__apart *apart, struct cor_process_schedule *schedule,
                                  struct cor_error *error) {
    const struct desk *desk = apart->lone.desk;
    const struct cor_process_event *trail = (const void *)(desk->rest + process_layer__trail_at(apart));
    const size_t count = desk->report.schedule.count;
    schedule->count = 0;
    for (size_t e = 0; e < count && e < apart->event_most + TRAIL_MORE; e++) {
        if (trail[e].kind >= COR_PROCESS_EVENT_KIND_COUNT ||
            trail[e].process >= process_layer__apart_arm(apart)->count)
            break;
        COR_TRY(cor_process_schedule_add(schedule, &trail[e], error));
    }
    return COR_OK;
}

/* ---- in the worker, for a law */

enum cor_status process_layer__apart_of_law(struct process_layer__apart *apart, struct cor_process_law *law,
                                            struct cor_error *error) {
    apart->law = law;
    return cor_process_way_of(process_layer__apart_arm(apart)->command) == COR_PROCESS_EMBEDDED
               ? COR_OK /* an interpreter has threads and files of its own */
               : cor_pages_create(&apart->pages, error);
}

void process_layer__apart_ahead(struct process_layer__apart *apart,
                                const struct cor_process_trajectory *trajectories, uint32_t count) {
    if (apart->steady.asked > apart->steady.next)
        stop(&apart->steady); /* at those that were said before */
    apart->ahead = trajectories;
    apart->ahead_count = count;
}

void process_layer__apart_use_forks(struct process_layer__apart *apart) {
    stop(&apart->steady);
    cor_pages_destroy(apart->pages);
    apart->pages = NULL;
}

uint64_t process_layer__apart_restored(const struct process_layer__apart *apart) {
    return apart->pages ? cor_pages_restored(apart->pages) : 0;
}

enum cor_status process_layer__apart_follow(struct process_layer__apart *apart,
                                            struct process_layer__suite *suite,
                                            const struct cor_process_trajectory *trajectory,
                                            const struct cor_watch *watch,
                                            struct cor_process_outcome *outcome,
                                            struct process_layer__reached *reached, struct cor_error *error) {
    struct place *place = &apart->steady;
    struct process_layer__report report = {.schedule.count = 0};
    struct letter letter = {0};
    enum reading reading;
    bool is_first;
    if (trajectory != apart->ahead)
        apart->ahead_count = 0;
    const uint32_t count = apart->ahead_count > 0 ? apart->ahead_count : 1;
    if (place->cell.keeper != 0 &&
        (place->suite != trajectory->suite || (apart->ahead_count == 0 && place->asked > place->next)))
        stop(place); /* it is at what nobody wants to know any more */
    place->is_asked = true;
    place->followed = process_layer__name_of(trajectory);
    if (place->cell.keeper == 0)
        COR_TRY(start(place, trajectory->suite, 0, UINT32_MAX, &suite->seen, error));
    if (place->asked == place->next)
        ask(place, 0, trajectory, count < COR_PROCESS_AHEAD ? count : COR_PROCESS_AHEAD);
    if (apart->ahead_count > 0) {
        apart->ahead++;
        apart->ahead_count--;
    }
    enum cor_status status = execute(place, watch, &report, &letter, &reading, error);
    /* A call of the system that snapshots forbid may be what it died of. */
    if (status == COR_OK && reading != READ_ALL && apart->pages && cor_pages_have_begun(apart->pages))
        process_layer__apart_use_forks(apart);
    if (status == COR_OK)
        status = settle(apart, suite, 0, trajectory, trajectory->is_last, watch, &report, &letter, &reading,
                        error);
    if (status == COR_OK && process_layer__has_failed(&report.outcome))
        status = process_layer__keep_class(suite, &report.outcome, &is_first, error);
    *outcome = report.outcome;
    *reached =
        status == COR_OK && reading == READ_ALL
            ? letter.reached
            : (struct process_layer__reached){.height = trajectory->height,
                                              .is_over = true,
                                              .forked = trajectory->forks[trajectory->fork_count - 1].digest};
    if (status == COR_OK && reading != READ_ALL) { /* the first event behind a schedule that was played */
        status = take_trail(apart, &report.schedule, error);
        reached->goes_on = status == COR_OK && report.schedule.count > 0;
        if (reached->goes_on)
            reached->next = report.schedule.events[0];
    }
    process_layer__report_fini(&report);
    return status;
}

/* ---- in the worker, for whoever asks again */

/* A sequence, or the task, in a life of its own, and in another one if it dies of it. *died: of that, too;
 * the report has the events that happened, of which the last is what it died of. */
static enum cor_status execute_alone(struct process_layer__apart *apart,
                                     const struct process_layer__task *task, uint32_t suite,
                                     uint32_t sequence, struct process_layer__seen *seen, bool is_doubted,
                                     struct process_layer__report *report, struct letter *letter, bool *died,
                                     struct cor_error *error) {
    struct place *lone = &apart->lone;
    enum reading reading = READ_DIED;
    lone->task = task;
    lone->is_doubted = is_doubted;
    for (int life = 0; life < (task ? 2 : 1) && reading != READ_ALL; life++) {
        COR_TRY(start(lone, suite, sequence, sequence + 1, seen, error));
        COR_TRY(execute(lone, NULL, report, letter, &reading, error));
    }
    lone->task = NULL;
    lone->is_doubted = false;
    *died = reading != READ_ALL;
    if (*died)
        note_death(lone->cell.grave, reading, report);
    return COR_OK;
}

enum cor_status process_layer__apart_again(struct process_layer__apart *apart, uint32_t suite,
                                           uint32_t sequence, struct process_layer__seen *seen,
                                           bool is_doubted, struct process_layer__report *report,
                                           struct cor_error *error) {
    struct place *place = &apart->steady;
    struct letter letter = {0};
    enum reading reading;
    bool died = false;
    if (place->cell.keeper != 0 && (place->suite != suite || place->is_doubted != is_doubted))
        stop(place);
    place->is_asked = true;
    place->is_doubted = is_doubted;
    if (place->cell.keeper == 0)
        COR_TRY(start(place, suite, 0, UINT32_MAX, seen, error));
    ask(place, sequence, NULL, 1);
    COR_TRY(execute(place, NULL, report, &letter, &reading, error));
    if (reading != READ_ALL)
        COR_TRY(execute_alone(apart, NULL, suite, sequence, seen, is_doubted, report, &letter, &died, error));
    COR_TRY(take_over(apart, suite, sequence, seen, !died && letter.is_full, report, error));
    if (died)
        return take_trail(apart, &report->schedule, error);
    report->schedule.count = letter.event_count;
    return COR_OK;
}

enum cor_status process_layer__apart_execute(struct process_layer__apart *apart,
                                             const struct process_layer__task *task,
                                             struct process_layer__report *report, bool *died,
                                             struct cor_error *error) {
    struct letter letter;
    COR_TRY(execute_alone(apart, task, 0, 0, NULL, task->is_doubted, report, &letter, died, error));
    if (*died)
        return take_trail(apart, &report->schedule, error);
    report->schedule.count = letter.event_count;
    return COR_OK;
}

static enum cor_status need_paper(struct process_layer__apart *apart, struct cor_error *error) {
    if (!apart->paper) {
        void *paper = mmap(NULL, PAPER_BYTES, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (paper == MAP_FAILED)
            return cor_fail_memory(error);
        apart->paper = paper;
    }
    memset(apart->paper, 0, sizeof *apart->paper);
    return COR_OK;
}

/* Waits until the life in a place is over, which has its time for each schedule. */
static enum reading wait_for_end(const struct place *place) {
    struct desk *desk = place->desk;
    uint32_t at = atomic_load(&desk->place);
    double end = cor_now() + WALL_FACTOR * cpu_seconds(place->apart);
    for (;;) {
        const uint32_t seen = atomic_load(&desk->bell), now_at = atomic_load(&desk->place);
        if (cor_cell_is_over(&place->cell))
            return READ_DIED;
        if (now_at != at)
            end = cor_now() + WALL_FACTOR * cpu_seconds(place->apart);
        if (cor_now() > end)
            return READ_LATE;
        at = now_at;
        /* How far it is, and whether it goes on, as whoever asked for it wants to. */
        const struct process_layer__task *task = place->task;
        struct paper *paper = place->apart->paper;
        const struct cor_shrinking *shrinking = task->shrinking;
        const struct cor_shrink_progress progress = paper->progress;
        if (task->work == PROCESS_LAYER__SHRINK && shrinking->go_on &&
            !shrinking->go_on(shrinking->self, &progress))
            atomic_store(&paper->is_stopped, 1);
        cor_cell_listen(&desk->bell, seen, LOOK_SECONDS);
    }
}

/* Has the task done in lives, each of which goes on where the last one ended, and writes down by what a
 * schedule ended two of them. */
static enum cor_status do_in_lives(struct process_layer__apart *apart, struct cor_error *error) {
    struct place *lone = &apart->lone;
    struct paper *paper = apart->paper;
    struct process_layer__report *again = &apart->again;
    uint32_t died_at = COR_NONE;
    while (!paper->is_over) {
        paper->is_forced = paper->left = paper->differs = 0;
        COR_TRY(start(lone, 0, 0, 1, NULL, error));
        const enum reading reading = wait_for_end(lone);
        stop(lone);
        if (!lone->desk->has_begun)
            return refuse(lone, error);
        if (paper->is_over || paper->is_forced)
            continue;
        if (paper->left != COR_LEFT_NOTHING)
            note_left((enum cor_left)paper->left, again);
        else if (paper->differs)
            end_by(again, COR_PROCESS_END_LEAKED, PROCESS_LAYER__OTHERWISE);
        else if (paper->tries == died_at)
            note_death(lone->cell.grave, reading, again);
        else {
            died_at = paper->tries;
            continue;
        }
        if (lone->task->work != PROCESS_LAYER__SHRINK)
            return COR_OK;
        COR_TRY(take_trail(apart, &again->schedule, error));
        COR_TRY(process_layer__write_answer(paper, NULL, &again->schedule, &again->outcome, error));
    }
    return COR_OK;
}

/* Is that a choice of the test as it was, or lesser? */
static bool is_of_test(const struct cor_choice *was, struct cor_choice left) {
    if (left.kind == process_layer__subject.lesser && was->kind == process_layer__subject.measured)
        left.kind = was->kind;
    return memcmp(was, &left, sizeof left) == 0;
}

/* What is left, as the life says: the program could write there, so it has to be a part of what was. */
static enum cor_status take_shrunk(struct process_layer__apart *apart, struct cor_shrinking *shrinking,
                                   struct cor_process_outcome *wanted, struct cor_error *error) {
    const struct paper *paper = apart->paper;
    const struct shrunk shrunk = paper->shrunk;
    struct place *lone = &apart->lone;
    if (shrunk.status != COR_OK)
        return cor_fail(error, shrunk.status, shrunk.error.place, shrunk.error.remedy, "%s",
                        shrunk.error.cause);
    lone->read = lone->tried = 0;
    COR_TRY(process_layer__read_answer(lone, NULL, &apart->again.schedule, wanted, error));
    if (shrunk.done.best >= shrinking->count || paper->size > PAPER_BYTES - sizeof *paper)
        return refuse_answers(apart, error);
    struct cor_choices *choices = &shrinking->tests[shrunk.done.best].choices;
    const uint64_t size = sizeof *choices->items;
    if (shrunk.count > choices->count || shrunk.count * size > paper->size)
        return refuse_answers(apart, error);
    struct cor_choices left = {.count = shrunk.count};
    size_t at = 0, c = 0;
    COR_TRY(COR_RESERVE(&left.items, &left.capacity, left.count, error));
    if (left.count > 0)
        memcpy(left.items, paper->bytes + paper->size - shrunk.count * size, shrunk.count * size);
    for (; c < left.count && at <= choices->count; c++) {
        if (left.items[c].kind >= COR_PROCESS_EVENT_DEFAULT) /* stands for others */
            continue;
        while (at < choices->count && !is_of_test(&choices->items[at], left.items[c]))
            at++;
        at++;
    }
    const bool is_part = at <= choices->count;
    const enum cor_status status = is_part ? cor_choices_copy(choices, &left, error) : COR_OK;
    cor_choices_fini(&left);
    COR_TRY(status);
    if (!is_part)
        return refuse_answers(apart, error);
    shrinking->shrunk = shrunk.done;
    return COR_OK;
}

/* Shrinks, and executes what is left in a fresh life. */
enum cor_status process_layer__apart_shrink(struct process_layer__apart *apart,
                                            const struct process_layer__task *task, bool *differs,
                                            bool *hasty, struct cor_error *error) {
    struct cor_shrinking *shrinking = task->shrinking;
    struct place *lone = &apart->lone;
    struct cor_process_schedule schedule = {0};
    struct cor_process_outcome wanted;
    bool died;
    COR_TRY(need_paper(apart, error));
    apart->paper->progress.choices =
        shrinking->tests[0].choices.count; /* before the life says how far it is */
    lone->task = task;
    lone->is_doubted = task->is_doubted;
    enum cor_status status = do_in_lives(apart, error);
    lone->task = NULL;
    lone->is_doubted = false;
    COR_TRY(status);
    COR_TRY(take_shrunk(apart, shrinking, &wanted, error));
    const struct cor_subject_test *left = &shrinking->tests[shrinking->shrunk.best];
    const struct cor_stream_name name =
        cor_process_stream_name(apart->rig->experiment, left->suite, left->sequence);
    const struct process_layer__task again = {
        .work = PROCESS_LAYER__EXECUTE, .name = &name, .schedule = &schedule, .is_doubted = task->is_doubted};
    status = process_layer__schedule_of(&left->choices, &schedule, error);
    if (status == COR_OK)
        status = process_layer__apart_execute(apart, &again, &apart->again, &died, error);
    *differs = !cor_process_outcome_is_same(&apart->again.outcome, &wanted);
    *hasty = apart->paper->hang_seconds > 0;
    cor_process_schedule_fini(&schedule);
    return status;
}

enum cor_status process_layer__apart_story(struct process_layer__apart *apart,
                                           const struct process_layer__task *task, char **text,
                                           struct cor_error *error) {
    struct paper *paper;
    *text = NULL;
    COR_TRY(need_paper(apart, error));
    paper = apart->paper;
    apart->lone.task = task;
    const enum cor_status status = do_in_lives(apart, error);
    apart->lone.task = NULL;
    COR_TRY(status);
    if (!paper->is_over || paper->size == 0 || paper->size > PAPER_BYTES - sizeof *paper)
        return cor_fail(error, COR_STATUS_INPUT, process_layer__apart_arm(apart)->command, NULL,
                        "the schedule does not repeat when it is told");
    paper->bytes[paper->size - 1] = '\0';
    *text = cor_strdup((const char *)paper->bytes);
    return cor_made(*text, error);
}

enum cor_status process_layer__needs(const struct cor_process_arm *arm, struct cor_needs *needs,
                                     struct cor_error *error) {
    if (cor_process_way_of(arm->command) == COR_PROCESS_EMBEDDED)
        return COR_OK; /* its cell has sight */
    return cor_process_way_of(arm->command) == COR_PROCESS_MODULE
               ? cor_needs_of_module(needs, arm->command, error)
               : cor_needs_add_said(needs, error);
}
