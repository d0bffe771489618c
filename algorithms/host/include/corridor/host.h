/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The testbed's side of plugin.h: which algorithms there are (registry), and one algorithm at work (session).
 * The adapter of experiments/layers/interaction knows only this header. */
#ifndef CORRIDOR_HOST_H
#define CORRIDOR_HOST_H

#include <corridor/error.h>
#include <corridor/lists.h>
#include <corridor/plugin.h>
#include <corridor/rng.h>
#include <corridor/trust.h>

#include <stdbool.h>

/* The algorithms at hand: the built-in ones, listed once in registry.c, and loaded modules. */
struct cor_registry;
struct cor_needs;

/* How algorithms are isolated; all 0 is the default. */
struct cor_isolation_definition {
    enum cor_isolation which;
    bool is_fresh;          /* each reorganization in a process that has done nothing before */
    struct cor_trust trust; /* whether modules and programs may be started at all */
    bool is_full;           /* what is in a cell has all of its walls, or does not begin */
};

#define COR_EMBEDDED_MOST 256

/* From now on, in this process and those that it forks, `algorithm` is in every registry behind the built-in
 * ones, and is called by its name; it is copied, what it points to is borrowed for good. `digest` stands for
 * its code as the SHA-256 of its file does for a module; NULL: not known. It is trusted as little as a
 * module: its cell is a fork of this process, with all walls but that of sight. COR_STATUS_PLUGIN: it breaks
 * a rule of plugin.h, or its name is taken. */
enum cor_status cor_algorithm_embed(const struct cor_algorithm *algorithm, const char *digest,
                                    struct cor_error *error) COR_MUST_USE;

/* A registry of the built-in algorithms, and of those that were embedded. Modules are loaded in this process
 * only if the isolation is NEVER; NULL: it is. */
enum cor_status cor_registry_create(const struct cor_isolation_definition *isolation,
                                    struct cor_registry **registry, struct cor_error *error) COR_MUST_USE;

/* What it was created with. */
const struct cor_isolation_definition *cor_registry_isolation(const struct cor_registry *registry);

/* Frees the registry and unloads its modules. NULL is allowed. Algorithms found in it become invalid. */
void cor_registry_destroy(struct cor_registry *registry);
COR_DESTROYS(cor_registry, struct cor_registry)

/* Number of algorithms. */
uint32_t cor_registry_size(const struct cor_registry *registry);

/* Algorithm `index`; valid as long as the registry. */
const struct cor_algorithm *cor_registry_at(const struct cor_registry *registry, uint32_t index);

/* Where algorithm `index` comes from: "built-in", "embedded", the path of its module or program, or its
 * command. */
const char *cor_registry_origin(const struct cor_registry *registry, uint32_t index);

/* Is algorithm `index` a module, a shared object: no program, nor this program's own? */
bool cor_registry_is_module(const struct cor_registry *registry, uint32_t index);

/* The SHA-256 of the module or program that `algorithm` comes from, as its file was when it was loaded
 * (digest.h), or what was said when it was embedded, valid as long as the registry; NULL: built-in, or a
 * command, of which it is not known what it runs. */
const char *cor_registry_digest(const struct cor_registry *registry, const struct cor_algorithm *algorithm);

/* Does `algorithm` come from a module, a program or a command, or was it embedded: it is not this program's
 * own? */
bool cor_registry_is_foreign(const struct cor_registry *registry, const struct cor_algorithm *algorithm);

/* The algorithm called `name`, NULL if there is none. A `name` that holds a '/' is a path: of a module, or of
 * a program, which is started and asked who it is. An executable file that is no shared object is a program.
 * What a module declares is asked in a cell; then its functions must not be called in this process, but by a
 * session alone. Errors: COR_STATUS_INPUT for an unknown name (with the known ones), COR_STATUS_PLUGIN for
 * what cannot be used, with both version numbers where they differ. */
enum cor_status cor_registry_find(struct cor_registry *registry, const char *name,
                                  const struct cor_algorithm **algorithm,
                                  struct cor_error *error) COR_MUST_USE;

/* Adds what the algorithm needs to read in its cell: nothing where it is to work in this process. */
enum cor_status cor_registry_needs(const struct cor_registry *registry, const struct cor_algorithm *algorithm,
                                   struct cor_needs *needs, struct cor_error *error) COR_MUST_USE;

/* From now on what is said to programs and by them is recorded, or replayed in their place (traffic.h). It is
 * borrowed until the registry, and all sessions with its algorithms, are gone. */
struct cor_traffic;
void cor_registry_use_traffic(struct cor_registry *registry, struct cor_traffic *traffic);

/* The program that sh starts by `command`, asked who it is unless it was already. COR_STATUS_PLUGIN if it
 * cannot be used. */
enum cor_status cor_registry_command(struct cor_registry *registry, const char *command,
                                     const struct cor_algorithm **algorithm,
                                     struct cor_error *error) COR_MUST_USE;

/* Is it a program, which has a process of its own? */
bool cor_algorithm_is_program(const struct cor_algorithm *algorithm);

/* Does it promise structures of that kind? Of partitionings all do. */
bool cor_algorithm_makes(const struct cor_algorithm *algorithm, enum cor_organized kind);

/* 0 for "none" or NULL, else 1 + index of the fault; COR_STATUS_INPUT with the known names. */
enum cor_status cor_algorithm_fault(const struct cor_algorithm *algorithm, const char *name, uint32_t *fault,
                                    struct cor_error *error) COR_MUST_USE;

/* The word of fault number `fault` ("none" for 0). */
const char *cor_algorithm_fault_name(const struct cor_algorithm *algorithm, uint32_t fault);

/* Can it be called so? [a-z][a-z0-9_]*, at most 63 characters. */
bool cor_algorithm_is_name(const char *name);

#define COR_NEED_SIZE 128

/* What is said of a column that an algorithm needs: its name, and its unit, "" if any will do. False if
 * `need` is neither "name" nor "name [unit]". */
bool cor_algorithm_need(const char *need, char name[COR_NEED_SIZE], char unit[COR_NEED_SIZE]);

/* How many parameters a list has, of whatever declares one; NULL: none. */
uint32_t cor_parameter_count(const struct cor_parameter *list);

/* Lengths of the lists that an algorithm declares. */
uint32_t cor_algorithm_parameter_count(const struct cor_algorithm *algorithm);
uint32_t cor_algorithm_fault_count(const struct cor_algorithm *algorithm);
uint32_t cor_algorithm_counter_count(const struct cor_algorithm *algorithm);

/* Index of the parameter called `name`, -1 if there is none. */
int cor_algorithm_parameter(const struct cor_algorithm *algorithm, const char *name);

/* How mail travels; part of the test, drawn from a stream of its own (COR_PURPOSE_SCHEDULE). */
struct cor_mail_schedule {
    enum cor_mail mode;
    uint32_t delay_max;     /* rounds; DELAYED: each message waits 1 .. delay_max rounds, uniform */
    double loss_ratio;      /* LOSSY: each message is lost with this probability, 0 .. 1 */
    double duplicate_ratio; /* DUPLICATED: each message arrives twice with this probability, 0 .. 1 */
    uint32_t depth;         /* PCT: of the faults of order that are looked for, 1 .. 64 */
    uint32_t bound;         /* BOUNDED: so many messages wait until nothing else moves, 0 .. 8 */
    uint32_t messages; /* PCT, BOUNDED: what is drawn is drawn among the first so many messages, 1 or more */
    int64_t index;     /* BOUNDED: the schedule of case 1, the next one in case 2, and so on: all of them for
                        * n messages are sum over i = 0 .. bound of n! / (n - i)!; below 0: drawn */
};

struct cor_mail_record;

/* Agents that crash, of decentralised algorithms that have a restart(); drawn from a stream of its own
 * (COR_PURPOSE_CRASH_FAULT). */
struct cor_crash_definition {
    enum cor_crash_fault fault;
    double probability;   /* CRASHED: of each running agent in each round, 0 .. 1 */
    uint32_t down_rounds; /* from its crash until it is restarted, 1 or more; at the end of the run at the
                             latest */
};

/* Where the algorithm of a session works: what kind of session it is. */
enum cor_session_place {
    COR_SESSION_IN_PROCESS, /* in this process */
    COR_SESSION_IN_CELL     /* in a cell */
};

/* How one algorithm is to work: begun by cor_default_session or cor_registry_session, copied by
 * cor_session_create. */
struct cor_session_definition {
    const struct cor_algorithm *algorithm; /* borrowed until the session is destroyed */
    enum cor_session_place place;
    const char *origin; /* path of the module, borrowed like the algorithm; NULL: built in */
    bool is_fresh;      /* in a cell: each reorganization in a process that has done nothing before */
    bool is_full;       /* in a cell, or a program: by all walls, or not at all */
    struct cor_mail_schedule mail;
    struct cor_crash_definition agents;
    enum cor_measure measure; /* what cor_host.cost computes: the experiment's own */
    size_t memory_limit;      /* bytes of one reorganization, arena and mail together */
    double cpu_seconds;       /* of CPU time, for one answer of a program, for one reorganization in a cell:
                               * there the clock's net is 20 times as wide */
    double answer_seconds;    /* that it may take by the clock: a net for programs that only wait */
    uint64_t interim_units;   /* anytime algorithms: look at the solution every so many units; 0 = never */
    uint64_t slice_units; /* centralised algorithms: most units of one step, for tests; 0 = no such limit */
    bool
        strict; /* what must not be touched is closed, and touching it is smoke: the task and the rules can
                 * only be read; a handler finds nothing open but its own agent, and the module's variables
                 * can only be read. Same outcome for who keeps to plugin.h; slow; needs SIGSEGV for itself */
};

/* In this process, mail in order, no fault of agents, measure RANGE, 256 MiB, no interim looks, not strict;
 * in cells and programs 10 s of CPU time, of programs 60 s for an answer. */
struct cor_session_definition cor_default_session(const struct cor_algorithm *algorithm);

/* The same, but where the registry's isolation says that an algorithm of the registry works; decentralised
 * modules in cells are strict. */
struct cor_session_definition cor_registry_session(const struct cor_registry *registry,
                                                   const struct cor_algorithm *algorithm);

/* What an algorithm is told of a system with one value per agent: no fault, a budget of 1. */
struct cor_rules cor_default_rules(const struct cor_algorithm *algorithm, const struct cor_limits *limits,
                                   double threshold, const double *parameters);

/* An interim solution of an anytime algorithm. */
struct cor_interim {
    uint64_t spent; /* units used when it was asked for */
    struct cor_lists solution;
};

/* How the process of an algorithm ended, where it did. */
struct cor_fate {
    int signal;     /* that ended it; 0: none */
    int exit_code;  /* where it exited, else 0 */
    uint64_t place; /* in the module's file, as it is loaded, where the signal was raised; 0: not known */
};

/* What one reorganization gave. Owned by the caller, reused from call to call. */
struct cor_outcome {
    struct cor_lists solution; /* raw: judge before reading it as a partitioning */
    struct cor_move *moves;    /* owned; what adopt() said */
    size_t move_count, move_capacity;
    int has_moves; /* the algorithm has an adopt(): distribute by its moves, else agent after agent */
    enum cor_stop stop;
    enum cor_smoke smoke;
    char complaint[256]; /* the algorithm's own words, may be empty */
    uint64_t spent;      /* units of the budget */
    uint64_t rounds, messages,
        messages_lost; /* decentralised algorithms, else 0; lost: also to agents that are down */
    uint32_t chains;   /* of messages, where mail goes one by one: docs/look-up/schedules.md */
    /* Of the algorithm's fault; without one, of the testbed's that was at work: crashed agents, else mail
     * lost or duplicated. */
    struct cor_fault_counts fault;
    struct cor_fate fate;
    bool has_late; /* a program answered something of the reorganization before once more: that is said here,
                      and this one has its own answer nevertheless */
    struct cor_interim *interims; /* owned */
    size_t interim_count, interim_capacity;
};

/* An empty outcome; frees nothing. */
void cor_outcome_init(struct cor_outcome *outcome);

/* Frees what the outcome holds. Idempotent. */
void cor_outcome_fini(struct cor_outcome *outcome);

/* A fingerprint of everything an outcome says but the counts of the fault and the interim solutions. */
uint64_t cor_outcome_digest(const struct cor_outcome *outcome);

/* One algorithm at work, wherever that is. Holds what a reorganization needs, the bytes kept between
 * reorganizations, and the white-box counters. */
struct cor_session;

/* COR_STATUS_INPUT when the definition asks for what the algorithm lacks (interim looks without COR_ANYTIME).
 */
enum cor_status cor_session_create(const struct cor_session_definition *definition,
                                   struct cor_session **session, struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_session_destroy(struct cor_session *session);
COR_DESTROYS(cor_session, struct cor_session)

/* Forgets the kept bytes: a new sequence begins. */
void cor_session_restart(struct cor_session *session);

/* The same, but a process that works for the session goes on: whether that shows is what the kit asks. */
void cor_session_forget(struct cor_session *session);

/* Runs one reorganization: begin, then step or mail until the end, result, adopt, end. A pure function of
 * (task, parameters, fault, name, mail schedule, kept bytes). `task->kept` and `kept_size` are the session's
 * own and are ignored. `name` names the case (purpose and entity are set here, for each stream). How the
 * algorithm fares is data in the outcome; the status is only about the testbed (memory for the outcome). */
enum cor_status cor_session_reorganize(struct cor_session *session, const struct cor_task *task,
                                       const struct cor_stream_name *name, struct cor_outcome *outcome,
                                       struct cor_error *error) COR_MUST_USE;

/* From now on agent i of a task draws by the name of identity[i], where it draws by its own: its stream, and
 * whether it crashes. So who is left when others are taken away draws what it drew before. `identity` is
 * borrowed until the next call of this, has as many entries as each task has agents, ascends strictly and
 * lies below `identity_count`, the number of agents that there were before; NULL: 0 .. n-1, as at the
 * beginning. The algorithm sees 0 .. n-1 in any case. */
void cor_session_identify(struct cor_session *session, const uint32_t *identity, uint32_t identity_count);

/* From now on agents of a task for which absent[agent] is not 0 are not there: the algorithm is given a task
 * of the others alone, as agents 0 .. n-1 in their order, at least one of them, and each draws by its own
 * name. The outcome has the numbers of all; one that the algorithm makes up is one that there is not. What
 * was kept is forgotten if others were there then. Mail that is watched has the numbers that the algorithm
 * has. Borrowed until the next call of this; NULL: all are there, as at the beginning. */
void cor_session_attend(struct cor_session *session, const uint8_t *absent);

/* From now on mail goes as `schedule` says of the case that a reorganization is named after (mail_record.h),
 * whatever the definition says; NULL: as the definition says. Borrowed until the next call of this. */
void cor_session_schedule(struct cor_session *session, const struct cor_mail_record *schedule);

/* From now on how mail goes is put into `record`, in the place of what it says of that case; NULL: no more.
 * Borrowed until the next call of this; to be cleared by the caller where a sequence begins, since cases of
 * another have the same names. Repeated by cor_session_schedule, the outcomes are the same bit by bit.
 * Nothing is recorded of a reorganization whose process died. */
void cor_session_record(struct cor_session *session, struct cor_mail_record *record);

/* The white-box counters, summed since creation or the last clear: cells of counter c are
 * [start[c], start[c + 1]). Valid until the session is destroyed. */
const uint64_t *cor_session_counters(const struct cor_session *session, const uint32_t **start);

/* Sets all counters to 0. */
void cor_session_clear_counters(struct cor_session *session);

/* From now on, or no more: what a reorganization keeps is garbled by the algorithm, if it can do that, by a
 * stream of its own that the name of the case names. */
void cor_session_garble(struct cor_session *session, bool garbles);

/* Puts bytes, at most 16 MiB, in the place of what is kept; nothing, where the algorithm is not COR_KEEPS. */
enum cor_status cor_session_keep(struct cor_session *session, const void *bytes, uint32_t size,
                                 struct cor_error *error) COR_MUST_USE;

/* What a session keeps between two reorganizations: the algorithm's bytes, and its counters. */
struct cor_session_memory {
    unsigned char *kept; /* owned */
    uint32_t kept_size;
    uint64_t kept_of;   /* who was there when it was kept */
    uint64_t *counters; /* owned */
    size_t kept_capacity, counter_capacity;
};

/* How often the session has started a program, and the seconds that took in all: true of this run alone, and
 * no business of a result. */
uint64_t cor_session_starts(const struct cor_session *session, double *seconds);

/* Saves it into `memory` (zero-initialised, or of an earlier time), and goes back to it: what follows is what
 * followed then. */
enum cor_status cor_session_save(const struct cor_session *session, struct cor_session_memory *memory,
                                 struct cor_error *error) COR_MUST_USE;
enum cor_status cor_session_restore(struct cor_session *session, const struct cor_session_memory *memory,
                                    struct cor_error *error) COR_MUST_USE;

/* Whether it may be the machine's doing, and so tells nothing: time or memory. */
bool cor_smoke_is_of_machine(enum cor_smoke smoke);

/* Can the session be asked the same again in a fresh process: does its algorithm work in a cell, or is it a
 * program? */
bool cor_session_can_confirm(const struct cor_session *session);

/* What came of asking again. */
enum cor_confirmation {
    COR_CONFIRMATION_SAME,
    COR_CONFIRMATION_DIFFERENT,
    COR_CONFIRMATION_UNTOLD /* the clock or the machine had a say in one of the answers */
};

/* After a reorganization, of which `before` was saved, asks the same again in a process that has done nothing
 * before, and if that gives another result, once more. `outcome` then becomes smoke: FLAKY if the two differ,
 * LEAKED if they agree; else it stays. Nothing is counted twice. What hung or ran out of memory is not asked
 * again: that may be the machine's doing. Nor is it a difference that somebody ended a process by a signal:
 * of an outcome that is no more than that, what comes again takes the place. */
enum cor_status cor_session_confirm(struct cor_session *session, const struct cor_session_memory *before,
                                    const struct cor_task *task, const struct cor_stream_name *name,
                                    struct cor_outcome *outcome, enum cor_confirmation *confirmation,
                                    struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_session_memory_fini(struct cor_session_memory *memory);

#endif
