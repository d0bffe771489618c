/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In the cell: a life executes sequences, shrinks or tells, as its place says, and writes down what comes of
 * it in memory that it shares with the worker. */
#define _GNU_SOURCE /* MADV_DONTFORK */
#include "process_place.h"

#include <corridor/array.h>
#include <corridor/guarantees.h>
#include <corridor/loader.h>

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static void say(struct desk *desk, uint32_t number, const struct letter *letter,
                const struct process_layer__report *report) {
    for (uint32_t taken; (taken = atomic_load(&desk->taken)) < number;)
        cor_cell_listen(&desk->taken, taken, 1);
    const size_t events = letter->event_count * sizeof *report->schedule.events;
    desk->letter = *letter;
    if (events > 0)
        memcpy(desk->rest, report->schedule.events, events);
    if (letter->fresh_count > 0)
        memcpy(desk->rest + events, report->fresh, letter->fresh_count * sizeof *report->fresh);
    desk->letter.digest = process_layer__letter_digest(&desk->letter);
    atomic_store(&desk->said, number + 1);
    cor_cell_ring(&desk->bell);
}

/* Executes a sequence, or the schedule of the task. */
static enum cor_status execute_next(struct place *place, uint32_t sequence, struct letter *letter) {
    struct process_layer__rig *rig = place->apart->rig;
    struct process_layer__report *report = &place->desk->report;
    const struct process_layer__task *task = place->task;
    const struct cor_stream_name name =
        task ? task->names[0] : cor_process_stream_name(rig->experiment, place->suite, sequence);
    report->fresh_count = 0;
    if (place->apart->law) {
        const struct cor_process_trajectory trajectory = place->desk->trajectory;
        report->schedule.count = 0;
        COR_TRY(process_layer__law_follow_here(place->apart->law, &trajectory, NULL, &letter->error));
        report->outcome = *cor_process_law_outcome(place->apart->law);
        letter->reached = *process_layer__law_reached(place->apart->law);
        letter->left = cor_cell_left();
        return COR_OK;
    }
    COR_TRY(task ? cor_process_replay(rig->runner, &name, &task->schedules[0], &report->schedule,
                                      &report->outcome, &letter->error)
                 : process_layer__rig_run(rig, place->suite, sequence, place->seen, report, &letter->error));
    letter->left = cor_cell_left();
    letter->differs = false;
    return place->is_doubted && letter->left == COR_LEFT_NOTHING &&
                   !process_layer__was_forced(report->outcome.end)
               ? process_layer__look_again(rig->runner, &name, task ? &task->schedules[0] : &report->schedule,
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
        letter.status = execute_next(place, place->is_asked ? desk->order : s, &letter);
        letter.outcome = report->outcome;
        letter.event_count = report->schedule.count;
        letter.fresh_count = report->fresh_count;
        letter.is_full = place->seen && place->seen->is_full;
        atomic_store(&desk->place, 2 * number + 2);
        say(desk, number, &letter, report);
        if (letter.left != COR_LEFT_NOTHING || process_layer__was_forced(report->outcome.end))
            return;
    }
}

enum cor_status process_layer__refuse_answers(const struct process_layer__apart *apart,
                                              struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, process_layer__apart_arm(apart)->command, NULL,
                    "the program ruined what is known of its schedules");
}

/* Bytes of so many bits, of which the next answer stands as it has to. */
static uint64_t bytes_of(uint64_t bits) {
    return (bits + 63) / 64 * 8;
}

/* The events of the schedule of which the bit is set. */
static enum cor_status read_bits(const unsigned char *bits, const struct cor_process_schedule *schedule,
                                 struct cor_process_schedule *executed, struct cor_error *error) {
    for (size_t e = 0; e < schedule->count; e++)
        if (bits[e / 8] >> e % 8 & 1)
            COR_TRY(cor_process_schedule_add(executed, &schedule->events[e], error));
    return COR_OK;
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
        return process_layer__refuse_answers(place->apart, error);
    memcpy(&answer, paper->bytes + place->read, sizeof answer);
    place->read += sizeof answer;
    if (answer.count > place->apart->event_most + TRAIL_MORE || answer.end >= COR_PROCESS_END_COUNT)
        return process_layer__refuse_answers(place->apart, error);
    const uint64_t bytes = answer.has_bits ? bytes_of(answer.count) : answer.count * sizeof *events;
    if (place->read + bytes > paper->size ||
        (answer.has_bits && answer.count > 0 && schedule && answer.count != schedule->count))
        return process_layer__refuse_answers(place->apart, error);
    if (!answer.has_bits)
        for (uint64_t e = 0; e < answer.count; e++)
            COR_TRY(cor_process_schedule_add(executed, &events[e], error));
    else if (schedule && answer.count > 0)
        COR_TRY(read_bits(behind, schedule, executed, error));
    place->read += bytes;
    place->tried++;
    outcome->violated = answer.violated;
    outcome->end = (enum cor_process_end)answer.end;
    return COR_OK;
}

static enum cor_status fail_full(struct cor_error *error) {
    return cor_fail(error, COR_STATUS_MEMORY, NULL, "corridor process shrink --budget N ends sooner",
                    "what is known of schedules that were tried takes more than %d MiB",
                    (int)(PAPER_BYTES >> 20));
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
        if (process_layer__is_that(&schedule->events[e], &executed->events[happened])) {
            bits[e / 8] |= (unsigned char)(1u << e % 8);
            happened++;
        }
    paper->size += bytes_of(schedule->count);
    return COR_OK;
}

static enum cor_status write_events(struct paper *paper, const struct cor_process_schedule *schedule,
                                    struct cor_error *error) {
    const uint64_t bytes = schedule->count * sizeof *schedule->events;
    if (paper->size + bytes > PAPER_BYTES - sizeof *paper)
        return fail_full(error);
    if (bytes > 0)
        memcpy(paper->bytes + paper->size, schedule->events, bytes);
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
                         : write_events(paper, executed, error));
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
                                    struct cor_process_schedule *executed,
                                    struct cor_process_outcome *outcome, struct cor_error *error) {
    struct place *place = self;
    struct desk *desk = place->desk;
    struct paper *paper = place->apart->paper;
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
static bool go_on(void *self, const struct cor_process_shrink_counts *counts) {
    const struct place *place = self;
    struct paper *paper = place->apart->paper;
    if (place->tried < paper->tries)
        return true;
    paper->counts = *counts;
    return !atomic_load(&paper->is_stopped);
}

static void shrink(struct place *place) {
    const struct process_layer__task *task = place->task;
    const struct cor_process_trier trier = {place, try_schedule,
                                            process_layer__apart_arm(place->apart)->count};
    struct paper *paper = place->apart->paper;
    const struct cor_process_shrink_definition definition = {
        .budget = task->definition ? task->definition->budget : 0, .go_on = go_on, .self = place};
    struct shrunk *shrunk = &paper->shrunk;
    place->tried = 0;
    place->read = 0;
    shrunk->status = task->is_lone
                         ? cor_process_shrink_by(&trier, task->names, task->schedules, &definition,
                                                 &shrunk->done, &shrunk->error)
                         : cor_process_shrink_best(&trier, task->names, task->schedules, task->count,
                                                   &definition, &shrunk->best, &shrunk->done, &shrunk->error);
    const struct cor_process_schedule *left = &task->schedules[shrunk->best];
    if (shrunk->status == COR_OK)
        shrunk->status = write_events(paper, left, &shrunk->error);
    shrunk->count = left->count;
    paper->is_over = 1;
}

static void tell(struct place *place) {
    const struct process_layer__task *task = place->task;
    struct paper *paper = place->apart->paper;
    struct cor_error error = COR_NO_ERROR;
    char *text;
    atomic_store(&place->desk->place, 1);
    if (cor_process_story(place->apart->rig->runner, task->names, task->schedules, task->death, task->form,
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
    cor_process_runner_moved(rig->runner);
    desk->lacks_calls = !cor_forbid_calls();
    desk->has_begun = is_alone;
    cor_cell_ring(&desk->bell);
    if (!is_alone || (desk->lacks_calls && arm->is_full))
        return;
    if (place == &place->apart->lone)
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

void process_layer__live(void *argument) {
    live(argument);
    _exit(0);
}
