/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can happen to the processes of a distributed program, and schedules: such events in order, as data.
 *
 * An event names what it is about by what is there when it happens (the second oldest message of that kind on
 * that link), not by a number given in the run that it was taken from: a schedule stays meaningful when
 * events are taken out of it, and an event that is not possible then is passed over. */
#ifndef CORRIDOR_PROCESS_EVENT_H
#define CORRIDOR_PROCESS_EVENT_H

#include <corridor/array.h>
#include <corridor/process_set.h>

#include <stdbool.h>
#include <stdint.h>

/* X(NAME, word, is_fault, meaning): kinds of events. process: to whom it happens; peer, what, ordinal: as the
 * meaning says, 0 where it says nothing. A fault is something that a profile or an experiment has to allow.
 * Those from DEFAULT on are of test files alone, and stand for other events: no generator makes them. */
#define COR_PROCESS_EVENT_KINDS(X)                                                                           \
    X(DELIVER, "deliver", false,                                                                             \
      "process receives a message of kind `what` from peer, the ordinal-th in flight")                       \
    X(LOSE, "lose", true, "such a message to process is lost")                                               \
    X(DUPLICATE, "duplicate", true, "such a message to process comes twice: it stays in flight, too")        \
    X(TIME_OUT, "time-out", false, "alarm `what` of process is due: time goes on to when it is")             \
    X(DISK, "disk", false, "the oldest write of process that is pending becomes durable")                    \
    X(DISK_ERROR, "disk-error", true, "the oldest write of process that is pending fails")                   \
    X(INPUT, "input", false, "process is asked for input `what`; ordinal names its random bytes")            \
    X(CRASH, "crash", true,                                                                                  \
      "process stops and forgets all but cells and durable writes; `ordinal` more of those pending are, "    \
      "too")                                                                                                 \
    X(CRASH_TORN, "crash-torn", true, "likewise, and of the oldest write that is pending a part is durable") \
    X(CRASH_LOST, "crash-lost", true, "likewise, and cell `what` is as it was before it was last written")   \
    X(RESTART, "restart", false, "process starts again")                                                     \
    X(PAUSE, "pause", true, "process does nothing until it goes on")                                         \
    X(RESUME, "resume", false, "process goes on")                                                            \
    X(CUT, "cut", true, "no message from peer to process arrives any more; those in flight wait")            \
    X(HEAL, "heal", false, "the link from peer to process is as before")                                     \
    X(JUMP, "jump", true, "the clock of process jumps ahead by ordinal ticks (what 0), or back (what 1)")    \
    X(DRIFT, "drift", true, "the clock of process goes at ordinal thousandths of the true speed")            \
    X(TICK, "tick", false, "nothing happens; time goes on to the event's tick")                              \
    X(PART, "part", true,                                                                                    \
      "a partition: processes hear of each other that are in the same of two groups, bits above 15 of "      \
      "ordinal and those below (what 0), each of its neighbours in ring `ordinal` (what 1), all but "        \
      "process `ordinal` (what 2), or those in the same half of that ring (what 3; what 4: one is in both)") \
    X(UNITE, "unite", false, "the partition is over: only links that were cut one by one still are")         \
    X(JOIN, "join", true, "process, which is not there, comes with nothing stored")                          \
    X(LEAVE, "leave", true, "process leaves for good; what it stored, and what is under way to it, is gone") \
    X(DEFAULT, "default", false,                                                                             \
      "what comes by itself comes, up to the event's tick: writes at once, messages ordinal ticks after "    \
      "they "                                                                                                \
      "were sent, alarms when they are due")                                                                 \
    X(LOSE_ALL, "lose-all", true,                                                                            \
      "all messages from peer to process are lost that are in flight, or are sent in the next ordinal "      \
      "ticks")

enum cor_process_event_kind {
#define COR_PROCESS_EVENT_KIND(NAME, ...) COR_PROCESS_EVENT_##NAME,
    COR_PROCESS_EVENT_KINDS(COR_PROCESS_EVENT_KIND)
#undef COR_PROCESS_EVENT_KIND
        COR_PROCESS_EVENT_KIND_COUNT
};

/* An event. Events are compared member by member. */
struct cor_process_event {
    uint64_t tick; /* virtual time at which it happened: the time of the cluster is not less after it */
    uint8_t kind;  /* enum cor_process_event_kind */
    uint8_t process, peer;
    uint8_t what; /* kind of message, alarm, input, cell */
    uint32_t ordinal;
};

/* A schedule: events in the order in which they happen. Begins zeroed. */
struct cor_process_schedule {
    struct cor_process_event *events; /* owned */
    size_t count, capacity;
};

/* Appends a copy of an event. */
COR_MUST_USE static inline enum cor_status cor_process_schedule_add(struct cor_process_schedule *schedule,
                                                                    const struct cor_process_event *event,
                                                                    struct cor_error *error) {
    if (schedule->count == schedule->capacity)
        COR_TRY(COR_RESERVE(&schedule->events, &schedule->capacity, schedule->count + 1, error));
    schedule->events[schedule->count++] = *event;
    return COR_OK;
}

/* Gives back what a schedule holds. */
void cor_process_schedule_fini(struct cor_process_schedule *schedule);

/* The word of a kind, its meaning; the kind of a word, COR_PROCESS_EVENT_KIND_COUNT: there is none. */
const char *cor_process_event_kind_word(enum cor_process_event_kind kind);
const char *cor_process_event_kind_meaning(enum cor_process_event_kind kind);
enum cor_process_event_kind cor_process_event_kind_of(const char *word);

/* `what` of PART, X(NAME, word). Groups by their members have room for COR_PARTITION_MEMBERS processes; the
 * others are of any number of them, drawn by a number. */
#define COR_PARTITIONS(X) \
    X(GROUPS, "groups") X(RING, "ring") X(ALONE, "alone") X(HALVES, "halves") X(BRIDGE, "bridge")
enum cor_partition {
#define COR_PARTITION(NAME, word) COR_PARTITION_##NAME,
    COR_PARTITIONS(COR_PARTITION)
#undef COR_PARTITION
        COR_PARTITION_COUNT
};
#define COR_PARTITION_MEMBERS 16u

/* The two groups of a PART among `count` processes that is none of a ring, and what is wrong in others stays
 * in them: who is there not, or not in any. */
void cor_process_groups(const struct cor_process_event *event, uint32_t count, struct cor_process_set *one,
                        struct cor_process_set *other);

/* Of a PART among `count` processes: parted[to]: what those send to it does not arrive. In groups that is
 * between processes of which no group has both; two groups that share some are a bridge. In a ring each hears
 * of the nearest of a majority. false: it is no partition: somebody is in no group, all are in one, or the
 * ring leaves nobody out. parted may be NULL. */
bool cor_process_partition(const struct cor_process_event *event, uint32_t count,
                           struct cor_process_set *parted);

/* The order of ring `number`, [count]: 0 first, then the others as the digits of the number say; of more than
 * COR_PARTITION_MEMBERS, as digits that are drawn by it. */
void cor_process_ring(uint32_t number, uint32_t count, uint8_t *order);

/* Has an experiment or a profile to allow it? */
static inline bool cor_process_event_is_fault(enum cor_process_event_kind kind) {
    const uint32_t faults = 0
#define COR_PROCESS_EVENT_FAULT(NAME, word, is_fault, meaning) \
    | (is_fault ? UINT32_C(1) << COR_PROCESS_EVENT_##NAME : 0)
        COR_PROCESS_EVENT_KINDS(COR_PROCESS_EVENT_FAULT)
#undef COR_PROCESS_EVENT_FAULT
        ;
    return (unsigned)kind < COR_PROCESS_EVENT_KIND_COUNT && (faults >> kind & 1) != 0;
}

/* Does a process stop, and forget what it had in memory? Whoever leaves does not come back to need it. */
static inline bool cor_process_event_is_crash(uint32_t kind) {
    return kind >= COR_PROCESS_EVENT_CRASH && kind <= COR_PROCESS_EVENT_CRASH_LOST;
}

#endif
