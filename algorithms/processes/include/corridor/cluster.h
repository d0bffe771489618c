/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cluster: the processes of a distributed program (process.h), with all that is between and below them -
 * network, disks, clocks - in virtual time. It decides nothing: it says which events are possible, and makes
 * one happen. Same program, same seed, same schedule: same bits.
 *
 *   cor_cluster_reset -> cor_cluster_happen until somebody has seen enough
 *
 * What a process does wrong by itself (a signal, an abort, an absurd call, no end) is its end, and the
 * cluster's: data, never an error. */
#ifndef CORRIDOR_CLUSTER_H
#define CORRIDOR_CLUSTER_H

#include <corridor/process.h>
#include <corridor/process_event.h>
#include <corridor/process_set.h>
#include <corridor/rng.h>

/* A program that was opened: built in, a module, or a program in another language behind the conversation. */
struct cor_process_program;

/* What a cluster is made of. */
struct cor_cluster_definition {
    struct cor_process_program *program; /* borrowed */
    uint32_t process_count;              /* that there may be at a time, 1 .. COR_PROCESSES_MAX */
    uint32_t first_count;                /* of these, those there at first, the first ones; 0: all */
    bool starts_later;                   /* those are down at first, and start by an event each */
    uint32_t fault;                      /* 0 = none, else 1 + its number */
    bool is_fifo;                        /* messages of one link come in the order in which they were sent */
    bool cut_loses; /* what is under way when a link is cut, or is sent over it until it is whole again, is
                       lost; else it waits */
    size_t memory_bytes;  /* that a process may have at a time; 0: 16 MiB, of more than 16 processes a share */
    uint32_t flight_most; /* messages in flight on one link: the oldest is lost beyond it; 0: 256 */
    double hang_seconds;  /* CPU time after which a call is believed not to come back; 0: 2 */
};

struct cor_cluster;

/* Nothing has been started yet. While there are clusters, handlers stand for the signals of errors, SIGABRT
 * and SIGVTALRM; what no process of a cluster has caused is passed on to whoever was there before. */
enum cor_status cor_cluster_create(const struct cor_cluster_definition *definition,
                                   struct cor_cluster **cluster, struct cor_error *error) COR_MUST_USE;
void cor_cluster_destroy(struct cor_cluster *cluster); /* NULL is allowed */
COR_DESTROYS(cor_cluster, struct cor_cluster)

/* From the next reset on a call is believed not to come back after so much CPU time, if that is less than the
 * definition says; 0: as it says. For what is confirmed later. */
void cor_cluster_hurry(struct cor_cluster *cluster, double hang_seconds);

/* What the child of a program in another language was asked before is of no schedule any more: the next reset
 * finds a fresh one. */
void cor_cluster_forget(struct cor_cluster *cluster);

/* In a process that was forked since the cluster was made, before anything else is done with it there, and
 * before alarms are forbidden (guarantees.h): handlers and the clock of hangs are that process's, too. */
void cor_cluster_moved(const struct cor_cluster *cluster);

/* All processes that are there at first are started anew with nothing stored, at tick 0, unless they start
 * later; random numbers are those of `name`, whose entity and purpose the cluster sets. Costs what was
 * touched, not what there is. */
enum cor_status cor_cluster_reset(struct cor_cluster *cluster, const struct cor_stream_name *name,
                                  struct cor_error *error) COR_MUST_USE;

/* Makes an event happen. *happened false: it is not possible now, and nothing has changed but that time has
 * gone on to its tick. Errors are ours alone. */
enum cor_status cor_cluster_happen(struct cor_cluster *cluster, const struct cor_process_event *event,
                                   bool *happened, struct cor_error *error) COR_MUST_USE;

/* Is it possible now? */
bool cor_cluster_is_possible(const struct cor_cluster *cluster, const struct cor_process_event *event);

/* Puts a message in flight as if it had been sent now; all that is in flight is lost. What no process did
 * cannot be done again to find out whether a call comes back: one that takes too long from then on is a hang.
 */
enum cor_status cor_cluster_put_mail(struct cor_cluster *cluster, uint32_t from, uint32_t to, uint32_t kind,
                                     const void *bytes, uint32_t size, struct cor_error *error) COR_MUST_USE;
void cor_cluster_lose_mail(struct cor_cluster *cluster);

/* From now on processes draw from the streams of that name. */
void cor_cluster_fork(struct cor_cluster *cluster, const struct cor_stream_name *name);

/* Virtual time, in ticks; process_count. */
uint64_t cor_cluster_now(const struct cor_cluster *cluster);
uint32_t cor_cluster_process_count(const struct cor_cluster *cluster);
const struct cor_process *cor_cluster_program(const struct cor_cluster *cluster);

/* A message in flight, for generators and for the story. */
struct cor_flight {
    uint64_t sent;   /* tick */
    uint64_t number; /* of all messages of the run, from 0, in the order of sending */
    uint32_t size;
    uint8_t kind;
    const void *bytes; /* valid until the next event */
};

/* Messages in flight from one process to another, oldest first; *count of them, valid until the next event.
 */
const struct cor_flight *cor_cluster_flight(const struct cor_cluster *cluster, uint32_t from, uint32_t to,
                                            uint32_t *count);

#define COR_CLUSTER_CHANGES 64u /* that are remembered */

/* What is possible at a glance, kept up event by event. */
struct cor_cluster_overview {
    /* up; thereof paused; with pending writes; with alarms set; not there: to come, or left; to start later */
    struct cor_process_set up, paused, writing, with_alarm, absent, unstarted;
    bool has_news;      /* in the last event something was told, or a process ended */
    bool is_parted;     /* there is a partition */
    uint64_t sent;      /* messages of the run: the number of the next; */
    uint64_t lost;      /* of these, those lost by links, or as nobody was there */
    uint64_t loses_until; /* the tick, behind which no link loses all that is sent */
    uint32_t in_flight; /* messages, on all links */
    uint32_t severed_count; /* links that are cut one by one */
    /* Of the run; for which process, [number % COR_CLUSTER_CHANGES]. Who looks again where something has
     * changed keeps how many there were. */
    uint64_t change_count;
    uint8_t changes[COR_CLUSTER_CHANGES];
    /* Of each of the processes that there may be: */
    uint32_t alarms[COR_PROCESSES_MAX];                /* bit a: alarm a is set */
    struct cor_process_set senders[COR_PROCESSES_MAX]; /* those from whom messages are in flight, cut or not, */
    struct cor_process_set cut[COR_PROCESSES_MAX];     /* and those from whom the link is cut: */
    struct cor_process_set severed[COR_PROCESSES_MAX]; /* one by one, */
    struct cor_process_set parted[COR_PROCESSES_MAX];  /* or by the partition */
};

/* Valid until the cluster is destroyed. */
const struct cor_cluster_overview *cor_cluster_overview(const struct cor_cluster *cluster);

/* How a process stands. */
struct cor_process_standing {
    bool is_up, is_paused;
    uint32_t pending_writes, durable_writes;
    uint64_t due[COR_PROCESS_ALARMS_MAX]; /* in ticks of the cluster; COR_PROCESS_NEVER: it is not set */
};

/* Valid until the cluster is destroyed. */
const struct cor_process_standing *cor_cluster_standing(const struct cor_cluster *cluster, uint32_t process);

/* Are the bytes of messages texts, as JSON says values? So those of programs in other languages are. */
bool cor_cluster_sends_texts(const struct cor_cluster *cluster);

/* Is the link from one process to another cut? */
bool cor_cluster_is_cut(const struct cor_cluster *cluster, uint32_t from, uint32_t to);

/* Values of the attributes of a process, as it showed them last; while it is down, those it had before it
 * crashed. Valid until the cluster is destroyed. *changed (may be NULL): bit a is set if attribute a has
 * another value than before the last event. */
const union cor_process_value *cor_cluster_values(const struct cor_cluster *cluster, uint32_t process,
                                                  uint32_t *changed);

/* Something that a process told of a channel: what stands at an index; or of a history: a call, its answer;
 * or what it said of the call, for people. */
enum cor_told_kind { COR_TOLD_INDEX, COR_TOLD_CALL, COR_TOLD_RETURN, COR_TOLD_FAILED, COR_TOLD_SAID };
struct cor_told {
    uint32_t process, channel; /* channel: not of answers */
    uint64_t index, digest;    /* index: of calls and answers the ticket */
    uint32_t kind;             /* enum cor_told_kind */
    uint32_t texts[3];         /* of a call operation, key, value; of an answer the value; what
                                  was said: for cor_cluster_text */
};

/* What processes told in the last event (or at the reset), in order; valid until the next. */
const struct cor_told *cor_cluster_told(const struct cor_cluster *cluster, size_t *count);

/* A text of what was told; NULL: there is none. Valid until the next event. */
const char *cor_cluster_text(const struct cor_cluster *cluster, uint32_t text);

/* How a process may end by itself, X(NAME, word, meaning). */
#define COR_PROCESS_ENDS(X)                                                                      \
    X(NONE, "none", "all processes are well")                                                    \
    X(SIGNAL, "signal", "a signal, such as a segmentation fault")                                \
    X(ABORT, "abort", "it called abort, as a failed assertion does")                             \
    X(EXIT, "exit", "it called exit")                                                            \
    X(COMPLAINT, "complaint", "it said that it is broken")                                       \
    X(ABSURD, "absurd call", "it asked the host for what cannot be")                             \
    X(MEMORY, "memory", "it used up its share of memory")                                        \
    X(HANG, "hang", "it did not come back from a call")                                          \
    X(GARBLED, "garbled", "the answer of a program in another language could not be understood") \
    X(GONE, "gone", "a program in another language ended")                                       \
    X(EXCLUDED, "excluded value",                                                                \
      "it showed a value that the corridor's declaration excludes: said by who looks on")        \
    X(LEAKED, "leaked",                                                                          \
      "threads or processes of it go on behind its call, or a fresh process comes to something else")
enum cor_process_end {
#define COR_PROCESS_END(NAME, ...) COR_PROCESS_END_##NAME,
    COR_PROCESS_ENDS(COR_PROCESS_END)
#undef COR_PROCESS_END
        COR_PROCESS_END_COUNT
};

/* The word of an end. */
const char *cor_process_end_word(enum cor_process_end end);

/* The end of the run, if it has one: which process, and in a sentence what it did; NULL where there is
 * nothing to say. After it no event is possible. */
enum cor_process_end cor_cluster_end(const struct cor_cluster *cluster, uint32_t *process,
                                     const char **sentence);

/* Is that an end by the machine, or by whoever else: its time or memory was over, or a signal came that
 * nothing raises which a program does wrong? It may not come again. */
bool cor_cluster_is_by_machine(const struct cor_cluster *cluster);

/* A digest of all that will matter: memory of processes is not in it, but all they have shown, sent, set and
 * stored. Equal runs have equal digests after each event. */
uint64_t cor_cluster_digest(const struct cor_cluster *cluster);

#endif
