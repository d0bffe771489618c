/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sequences in a process of its own: one is made by fork for as many as it lives through, so that it costs
 * nothing of weight. What it says of each comes through a pipe. Behind what the cluster catches in place this
 * is the second wall: a program that ruins the memory around it ruins that process alone. */
#define _GNU_SOURCE
#include "internal.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/hash.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 60000 /* of processor time, of a sequence, and */
#define EVENTS_A_MS 10u   /* such as it may have at most, so many more in each millisecond */
#define IDLE_MS 20000     /* without using the processor: there is nothing to wait for */
#define LOOK_MS 50        /* at whether to go on at all */
#define LETTER_OF_OURS UINT64_C(0x726F646972726F43)

struct process_layer__apart {
    struct process_layer__rig *rig; /* borrowed */
    pid_t child;                    /* 0: there is none */
    int answers;                    /* its pipe */
    uint32_t suite, next;           /* that it says next */
};

/* What comes through the pipe of a sequence, before its events and its fresh states. */
struct letter {
    uint64_t
        word; /* LETTER_OF_OURS, and the digest of what follows: the program may write to the pipe, too */
    uint64_t digest;
    enum cor_status status;
    struct cor_error error;
    struct cor_process_outcome outcome;
    size_t event_count, fresh_count;
    bool is_full;
};

enum cor_status process_layer__apart_create(struct process_layer__rig *rig,
                                            struct process_layer__apart **apart, struct cor_error *error) {
    COR_TRY(cor_made(*apart = cor_calloc(1, sizeof **apart), error));
    (*apart)->rig = rig;
    return COR_OK;
}

static uint64_t digest_of(const struct letter *letter) {
    const size_t before = offsetof(struct letter, status);
    return cor_hash_bytes(LETTER_OF_OURS, (const char *)letter + before, sizeof *letter - before);
}

/* ---- in the process of its own */

static bool write_all(int file, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        const ssize_t part = write(file, at, size);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            return false;
        at += part;
        size -= (size_t)part;
    }
    return true;
}

static _Noreturn void be_child(struct process_layer__rig *rig, int answers, uint32_t suite, uint32_t first,
                               uint32_t end, struct process_layer__seen *seen) {
    struct process_layer__report report = {0};
    struct letter letter = {0};
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing >= 0) /* what it prints is nobody's */
        for (int file = 0; file <= 2; file++)
            dup2(nothing, file);
    for (uint32_t s = first; s < end && letter.status == COR_OK; s++) {
        letter.status = process_layer__rig_run(rig, suite, s, seen, &report, &letter.error);
        letter.outcome = report.outcome;
        letter.event_count = report.schedule.count;
        letter.fresh_count = report.fresh_count;
        letter.is_full = seen->is_full;
        letter.word = LETTER_OF_OURS;
        letter.digest = digest_of(&letter);
        if (!write_all(answers, &letter, sizeof letter) ||
            !write_all(answers, report.schedule.events,
                       letter.event_count * sizeof *report.schedule.events) ||
            !write_all(answers, report.fresh, letter.fresh_count * sizeof *report.fresh))
            break;
    }
    _exit(0);
}

/* ---- in the worker */

static enum cor_status start(struct process_layer__apart *apart, uint32_t suite, uint32_t first, uint32_t end,
                             struct process_layer__seen *seen, struct cor_error *error) {
    const pid_t self = getpid();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return cor_fail_errno(error, COR_STATUS_FILE, NULL, NULL, "cannot make a pipe");
    const pid_t child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return cor_fail_errno(error, COR_STATUS_FILE, NULL, NULL, "cannot start a process");
    }
    if (child == 0) {
        cor_die_with(self);
        close(ends[0]);
        be_child(apart->rig, ends[1], suite, first, end, seen);
    }
    close(ends[1]);
    apart->child = child;
    apart->answers = ends[0];
    apart->suite = suite;
    apart->next = first;
    return COR_OK;
}

/* How the child stands, as time goes by. A busy machine makes nobody late: what counts is the processor time
 * that the child has used, and how long it has used none. */
struct patience {
    clockid_t clock;
    int64_t used_ms, most_ms, idle_ms;
};

static int64_t processor_ms(clockid_t clock) {
    struct timespec used = {0};
    return clock_gettime(clock, &used) == 0 ? (int64_t)used.tv_sec * 1000 + used.tv_nsec / 1000000 : 0;
}

static struct patience patience_with(const struct process_layer__apart *apart) {
    const struct cor_process_arm *arm = &apart->rig->experiment->arms[apart->rig->arm];
    struct patience patience = {0};
    if (clock_getcpuclockid(apart->child, &patience.clock) != 0)
        patience.clock = CLOCK_PROCESS_CPUTIME_ID; /* ours stands still as well, while we wait */
    patience.used_ms = processor_ms(patience.clock);
    patience.most_ms = patience.used_ms + PATIENCE_MS + arm->events / EVENTS_A_MS;
    return patience;
}

/* So much time has gone by; false: it will not come back. */
static bool wait_longer(struct patience *patience, int ms) {
    const int64_t used_ms = processor_ms(patience->clock);
    patience->idle_ms = used_ms > patience->used_ms ? 0 : patience->idle_ms + ms;
    patience->used_ms = used_ms;
    return used_ms <= patience->most_ms && patience->idle_ms < IDLE_MS;
}

/* Ends it; how it ended. */
static int stop(struct process_layer__apart *apart) {
    int how = 0;
    if (apart->child == 0)
        return how;
    kill(apart->child, SIGKILL);
    while (waitpid(apart->child, &how, 0) < 0 && errno == EINTR)
        continue;
    close(apart->answers);
    apart->child = 0;
    return how;
}

/* It says nothing any more: it is about to end by itself, and that is how it ended. *is_late: it does not. */
static int see_it_end(struct process_layer__apart *apart, bool *is_late) {
    struct patience patience = patience_with(apart);
    int how = 0;
    *is_late = false;
    while (waitpid(apart->child, &how, WNOHANG) == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        *is_late = !wait_longer(&patience, 1);
        if (*is_late)
            return stop(apart);
    }
    close(apart->answers);
    apart->child = 0;
    return how;
}

void process_layer__apart_end(struct process_layer__apart *apart) {
    stop(apart);
}

void process_layer__apart_destroy(struct process_layer__apart *apart) {
    if (!apart)
        return;
    stop(apart);
    free(apart);
}

enum reading { READ_ALL, READ_DIED, READ_LATE, READ_GARBLED, READ_STOPPED };

static enum reading read_all(const struct process_layer__apart *apart, void *bytes, size_t size,
                             const struct cor_watch *watch, struct patience *patience) {
    char *at = bytes;
    while (size > 0) {
        struct pollfd there = {.fd = apart->answers, .events = POLLIN};
        const int ready = poll(&there, 1, LOOK_MS);
        if (ready == 0) {
            if (watch && cor_watch_stopped(watch))
                return READ_STOPPED;
            if (!wait_longer(patience, LOOK_MS))
                return READ_LATE;
            continue;
        }
        if (ready < 0 && errno != EINTR)
            return READ_DIED;
        if (ready < 0)
            continue;
        const ssize_t part = read(apart->answers, at, size);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            return READ_DIED;
        at += part;
        size -= (size_t)part;
    }
    return READ_ALL;
}

/* The next report; the letter's status is that of the sequence. */
static enum reading read_report(const struct process_layer__apart *apart, const struct cor_watch *watch,
                                struct process_layer__report *report, struct letter *letter,
                                struct cor_error *error) {
    const struct cor_process_arm *arm = &apart->rig->experiment->arms[apart->rig->arm];
    struct patience patience = patience_with(apart);
    enum reading reading = read_all(apart, letter, sizeof *letter, watch, &patience);
    if (reading != READ_ALL)
        return reading;
    if (letter->word != LETTER_OF_OURS || letter->digest != digest_of(letter) ||
        letter->event_count > (size_t)arm->events + 1 || letter->fresh_count > PROCESS_LAYER__SEEN_MAX)
        return READ_GARBLED; /* no letter of ours: it writes to what is not its own, or its memory is ruined
                              */
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
    reading = read_all(apart, report->schedule.events, letter->event_count * sizeof *report->schedule.events,
                       watch, &patience);
    if (reading == READ_ALL)
        reading =
            read_all(apart, report->fresh, letter->fresh_count * sizeof *report->fresh, watch, &patience);
    for (size_t e = 0; e < letter->event_count && reading == READ_ALL; e++)
        if (report->schedule.events[e].kind >= COR_PROCESS_EVENT_KIND_COUNT ||
            report->schedule.events[e].process >= arm->count)
            reading = READ_GARBLED;
    report->schedule.count = letter->event_count;
    report->fresh_count = letter->fresh_count;
    report->outcome = letter->outcome;
    report->outcome.sentence[sizeof report->outcome.sentence - 1] = '\0';
    return reading;
}

/* The process died of the sequence, twice. */
static void note_death(int how, enum reading reading, struct process_layer__report *report) {
    struct cor_process_outcome *outcome = &report->outcome;
    char text[COR_ENDED_SIZE];
    report->schedule.count = report->fresh_count = 0;
    *outcome = (struct cor_process_outcome){
        .violated = COR_NONE, .end_process = COR_NONE, .one = COR_NONE, .other = COR_NONE};
    if (reading == READ_GARBLED) {
        outcome->end = COR_PROCESS_END_GARBLED;
        snprintf(outcome->sentence, sizeof outcome->sentence,
                 "The program wrote to descriptors that are not its own, or ruined the memory around it.");
    } else if (reading == READ_LATE) {
        outcome->end = COR_PROCESS_END_HANG;
        snprintf(outcome->sentence, sizeof outcome->sentence, "The program did not come back.");
    } else if (WIFSIGNALED(how)) {
        outcome->end = WTERMSIG(how) == SIGABRT ? COR_PROCESS_END_ABORT : COR_PROCESS_END_SIGNAL;
        snprintf(outcome->sentence, sizeof outcome->sentence, "The program was %s, outside of any call.",
                 cor_ended_by(WTERMSIG(how), text));
    } else {
        outcome->end = COR_PROCESS_END_EXIT;
        snprintf(outcome->sentence, sizeof outcome->sentence, "The program ended its process with code %d.",
                 WIFEXITED(how) ? WEXITSTATUS(how) : 0);
    }
}

/* What the process has seen is seen, what its generator has learnt is learnt. */
static enum cor_status take_over(struct process_layer__apart *apart, uint32_t sequence,
                                 struct process_layer__seen *seen, bool is_full,
                                 const struct process_layer__report *report, struct cor_error *error) {
    for (size_t f = 0; f < report->fresh_count; f++) {
        bool is_new;
        COR_TRY(process_layer__seen_add(seen, report->fresh[f], &is_new, error));
    }
    seen->is_full = seen->is_full || is_full;
    return process_layer__rig_learn(apart->rig, sequence, report, error);
}

enum cor_status process_layer__apart_run(struct process_layer__apart *apart, uint32_t suite,
                                         uint32_t sequence, struct process_layer__seen *seen,
                                         const struct cor_watch *watch, struct process_layer__report *report,
                                         struct cor_error *error) {
    COR_TRY(process_layer__rig_weather(apart->rig, suite, sequence, error));
    if (apart->child == 0 || apart->suite != suite || apart->next != sequence) {
        stop(apart);
        COR_TRY(start(apart, suite, sequence, apart->rig->experiment->sequences, seen, error));
    }
    for (int tries = 0;; tries++) {
        struct letter letter;
        const enum reading reading = read_report(apart, watch, report, &letter, error);
        if (reading == READ_ALL) {
            apart->next++;
            if (letter.status != COR_OK || tries > 0)
                stop(apart);
            COR_TRY(letter.status);
            return take_over(apart, sequence, seen, letter.is_full, report, error);
        }
        if (reading == READ_STOPPED) {
            stop(apart);
            return COR_STATUS_INTERRUPTED;
        }
        bool is_late = reading == READ_LATE;
        const int how = reading == READ_DIED ? see_it_end(apart, &is_late) : stop(apart);
        if (tries > 0) {
            note_death(how, is_late ? READ_LATE : reading, report);
            return process_layer__rig_learn(apart->rig, sequence, report, error);
        }
        COR_TRY(start(apart, suite, sequence, sequence + 1, seen, error)); /* once more, alone */
    }
}
