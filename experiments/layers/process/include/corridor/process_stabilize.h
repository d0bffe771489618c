/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "stabilize" in an experiment with a program of rules (docs/do/stabilize.md): what is asked, the system of
 * an arm as a space of states, and what was found of it as a verdict. */
#ifndef CORRIDOR_PROCESS_STABILIZE_H
#define CORRIDOR_PROCESS_STABILIZE_H

#include <corridor/process_experiment.h>
#include <corridor/rules.h>
#include <corridor/stabilize.h>

#define COR_STABILIZE_SIZES_MAX 64u

/* Steps, moves, rounds within which all are to be back; COR_UNBOUNDED: that is not asked. */
struct cor_stabilize_within {
    uint32_t steps, moves, rounds;
};

/* How many processes, and in which graph. */
struct cor_stabilize_size {
    uint32_t process_count;
    char *name;           /* owned; "5 processes", "5 processes, ring" */
    uint64_t *neighbours; /* owned; [process]; NULL: no graph is named */
    bool is_apart;        /* the graph is not connected */
};

/* What the file says. */
struct cor_stabilize_asked {
    uint32_t daemons; /* bit d: daemon d */
    struct cor_stabilize_within within;
    const char *again[COR_PROCESS_TRAPS_MAX]; /* borrowed from the document: names of traps */
    uint32_t again_count;
    uint64_t states_most;
};

/* Reads "stabilize" of the file, which may be absent. */
enum cor_status cor_stabilize_asked_read(const struct cor_process_experiment *experiment,
                                         struct cor_stabilize_asked *asked,
                                         struct cor_error *error) COR_MUST_USE;

/* The sizes of an arm: `counts` and `graphs` of the file, else its own count. Freed by
 * cor_stabilize_sizes_fini, also on failure. */
enum cor_status cor_stabilize_sizes(const struct cor_process_experiment *experiment, uint32_t arm,
                                    struct cor_stabilize_size *sizes, uint32_t *count,
                                    struct cor_error *error) COR_MUST_USE;
void cor_stabilize_sizes_fini(struct cor_stabilize_size *sizes, uint32_t count); /* idempotent */

/* The system of an arm, gone through once: which states there are, which of them are inside. */
struct cor_stabilize_system;
enum cor_status cor_stabilize_system_create(const struct cor_process_experiment *experiment, uint32_t arm,
                                            const struct cor_stabilize_asked *asked,
                                            const struct cor_stabilize_size *size,
                                            struct cor_stabilize_system **system,
                                            struct cor_error *error) COR_MUST_USE;
void cor_stabilize_system_destroy(struct cor_stabilize_system *system); /* NULL is allowed */

/* Why nothing can be proved of it, in a sentence; NULL: it can. */
const char *cor_stabilize_system_undecided(const struct cor_stabilize_system *system);
const struct cor_space *cor_stabilize_system_space(const struct cor_stabilize_system *system);
const struct cor_process_rules *cor_stabilize_system_rules(const struct cor_stabilize_system *system);

/* For cor_stabilize: the conditions of `again`, [asked->again_count]. */
const uint64_t *const *cor_stabilize_system_again(const struct cor_stabilize_system *system);

/* The index of the value of a variable of a process in a state. */
uint32_t cor_stabilize_system_value(const struct cor_stabilize_system *system, uint32_t state,
                                    uint32_t process, uint32_t variable);

/* "x = 0 3 2 1 0; y = a b"; freed by the caller, NULL when memory is out. */
char *cor_stabilize_system_text(const struct cor_stabilize_system *system, uint32_t state);

/* Variables and their values: "x of 5 values"; likewise. */
char *cor_stabilize_system_variables(const struct cor_stabilize_system *system);

/* Of the first invariant that does not hold in the state a part of it, and its value: "sum(a in agents:
 * a.enabled)" "4"; else both are empty. */
enum cor_status cor_stabilize_system_reason(struct cor_stabilize_system *system, uint32_t state, char *part,
                                            size_t part_size, char *value, size_t value_size,
                                            struct cor_error *error) COR_MUST_USE;

/* The name of the first invariant that does not hold in the state; NULL: all do. */
enum cor_status cor_stabilize_system_violated(struct cor_stabilize_system *system, uint32_t state,
                                              const char **name, struct cor_error *error) COR_MUST_USE;

/* ---- verdicts. X(NAME, word, meaning) */
#define COR_STABILIZE_VERDICTS(X)                                                                           \
    X(HOLDS, "holds", "each run from any state comes into the stable part, and the corridor is never left") \
    X(FAIR, "fair", "likewise, if the daemon is fair; an unfair one can prevent it")                        \
    X(CHANCE, "chance", "likewise with probability 1; a daemon, or what is drawn, can delay it for ever")   \
    X(LOOPS, "loops", "outside there are steps that can be repeated for ever")                              \
    X(RESTS, "rests", "outside there is a state in which nobody can move")                                  \
    X(TRAPPED, "trapped", "from a state there is no way back")                                              \
    X(LEAVES, "leaves", "all come back, but from a state inside a step leads outside")                      \
    X(IDLES, "idles", "all come back and stay, but a condition is not met again and again")                 \
    X(LATE, "late", "all come back and stay, but not within what was asked")                                \
    X(UNDECIDED, "undecided", "not all states and steps were visited, something is hidden, or left open")
enum cor_stabilize_verdict {
#define COR_STABILIZE_VERDICT(NAME, ...) COR_STABILIZE_##NAME,
    COR_STABILIZE_VERDICTS(COR_STABILIZE_VERDICT)
#undef COR_STABILIZE_VERDICT
        COR_STABILIZE_VERDICT_COUNT
};

/* Its word. */
const char *cor_stabilize_verdict_word(enum cor_stabilize_verdict verdict);

struct cor_stabilize_said {
    enum cor_stabilize_verdict verdict;
    bool is_good;        /* what is asked is so */
    char head[64];       /* "comes back and stays" */
    const char *between; /* ": ", ", " or " " */
    char rest[480];      /* the rest of the sentence */
};

/* Says what was found, where so much fairness is asked. */
enum cor_status cor_stabilize_say(struct cor_stabilize_system *system,
                                  const struct cor_stabilize_asked *asked, enum cor_fairness fairness,
                                  const struct cor_stabilized *found, struct cor_stabilize_said *said,
                                  struct cor_error *error) COR_MUST_USE;

#define COR_COMMAS_SIZE 32

/* A number with commas between its thousands: "3,125"; returns the text. */
const char *cor_with_commas(uint64_t number, char text[COR_COMMAS_SIZE]);

#endif
