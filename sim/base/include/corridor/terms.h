/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every code that is stored or compared, once: name, number, word and meaning. The word is what files, tables and
 * JSON show; the number is what the result file stores (with CF flag_values / flag_meanings). Numbers never change;
 * 0 always means "not said", so that a forgotten assignment cannot pass for a verdict. */
#ifndef CORRIDOR_TERMS_H
#define CORRIDOR_TERMS_H

#include <stddef.h>
#include <stdint.h>

/* X(NAME, number, word, meaning) */

#define COR_VERDICTS(X)                                                                                      \
    X(PASSED, 1, "passed", "all checks hold")                                                                \
    X(FAILED, 2, "failed", "at least one check is violated")                                                 \
    X(NOT_JUDGED, 3, "not_judged", "nothing to judge: no reorganization, or the sequence had stopped")       \
    X(SMOKE, 4, "smoke", "the algorithm ended without a result: see the smoke code")

/* The box an observation was made through (003, 3 and 4.3). */
#define COR_BOXES(X)                                                                                         \
    X(GRAY, 1, "gray", "R-Solution: the solution the algorithm proposes")                                    \
    X(BLACK, 2, "black", "R-Distribution: the system structure after adoption")                              \
    X(DETECT, 3, "detect", "R-Detect: the monitor's alarm against the oracle's own look")                    \
    X(INTERIM, 4, "interim", "an interim solution of an anytime algorithm")

/* What a violation violates. */
#define COR_CHECKS(X)                                                                                        \
    X(MISSING, 1, "agent_missing", "every agent occurs: this one does not")                                  \
    X(DOUBLE, 2, "agent_repeated", "every agent occurs once: this one occurs more often")                    \
    X(UNKNOWN, 3, "agent_unknown", "only agents of the system occur")                                        \
    X(EMPTY, 4, "partition_empty", "no partition is empty")                                                  \
    X(SIZE_LOW, 5, "size_below_minimum", "a partition has at least size_min members")                        \
    X(SIZE_HIGH, 6, "size_above_maximum", "a partition has at most size_max members")                        \
    X(COUNT_LOW, 7, "count_below_minimum", "there are at least count_min partitions")                        \
    X(COUNT_HIGH, 8, "count_above_maximum", "there are at most count_max partitions")                        \
    X(NOT_ADOPTED, 9, "structure_differs", "the structure is the accepted solution")                         \
    X(ALARM_MISSED, 10, "alarm_missed", "the monitor raises an alarm when the invariant is violated")        \
    X(ALARM_FALSE, 11, "alarm_false", "the monitor raises no alarm while the invariant holds")

/* Why a reorganization ended. */
#define COR_STOPS(X)                                                                                         \
    X(DONE, 1, "done", "the algorithm says it has finished")                                                 \
    X(BUDGET, 2, "budget", "the budget was used up")                                                         \
    X(STAGNATED, 3, "stagnated", "the algorithm gave up improving")                                          \
    X(QUIET, 4, "quiet", "no mail under way and no agent wants to be woken")                                 \
    X(FAILED, 5, "failed", "the algorithm cannot go on: see the smoke code")

/* How an algorithm failed without giving a result (003, 4.4: smoke tests). */
#define COR_SMOKES(X)                                                                                        \
    X(NONE, 1, "none", "no smoke")                                                                           \
    X(COMPLAINED, 2, "complained", "the algorithm returned that it cannot go on")                            \
    X(MEMORY, 3, "memory", "the memory limit of a reorganization was reached")                               \
    X(OVERFLOW, 4, "overflow", "absurdly large solution or mail")

/* The oracle's own look at the invariant, recomputed from raw values. */
#define COR_INSIDES(X)                                                                                       \
    X(INSIDE, 1, "inside", "the dissimilarity is at most the threshold")                                     \
    X(OUTSIDE, 2, "outside", "the dissimilarity exceeds the threshold")                                      \
    X(EDGE, 3, "edge", "the dissimilarity equals the threshold up to rounding (1e-9): either answer is right") \
    X(NOT_LOOKED, 4, "not_looked", "the oracle did not look at this case")

/* How the dissimilarity of partition means mu_b around the mean M of all agents is measured. */
#define COR_MEASURES(X)                                                                                      \
    X(RANGE, 1, "range", "largest mu_b minus smallest mu_b")                                                 \
    X(MAX_DEVIATION, 2, "max_deviation", "largest |mu_b - M|")                                               \
    X(RMS, 3, "rms", "root of the mean of (mu_b - M)^2")

/* Faults of the system's own monitor, offered by the testbed (R-Detect). */
#define COR_MONITOR_FAULTS(X)                                                                                \
    X(NONE, 1, "none", "the monitor works")                                                                  \
    X(MISSED, 2, "missed", "an alarm is swallowed")                                                          \
    X(FALSE, 3, "false", "an alarm is raised without cause")                                                 \
    X(LATE, 4, "late", "an alarm comes some cases late")

/* Faults of adoption, offered by the testbed (R-Distribution). */
#define COR_ADOPTION_FAULTS(X)                                                                               \
    X(NONE, 1, "none", "every move is carried out")                                                          \
    X(LOST, 2, "lost", "an agent leaves its partition and arrives nowhere")                                  \
    X(DOUBLED, 3, "doubled", "an agent arrives without having left its old partition")                       \
    X(MISDIRECTED, 4, "misdirected", "an agent is moved into another partition than its own")                \
    X(HALFWAY, 5, "halfway", "the moves stop half-way")

/* What a random stream is for; part of its name (rng.h). */
#define COR_PURPOSES(X)                                                                                      \
    X(CONFIGURATION, 1, "configuration", "parameters of a suite")                                            \
    X(GROUPS, 2, "groups", "agent groups, types, places, inertia, first states")                             \
    X(PROFILE, 3, "profile", "random environment profiles")                                                  \
    X(LEVELS, 4, "levels", "random influence levels")                                                        \
    X(WALK, 7, "walk", "one chain of one sequence")                                                          \
    X(LENGTH, 8, "length", "number of cases of a sequence")                                                  \
    X(INFLUENCE, 9, "influence", "probabilistic influence rows")                                             \
    X(IDLE, 10, "idle", "agents that idle in a case")                                                        \
    X(ALGORITHM, 11, "algorithm", "the algorithm under test")                                                \
    X(FAULT, 12, "fault", "its injected fault")                                                              \
    X(SCHEDULE, 13, "schedule", "order, delay and loss of mail")                                             \
    X(AGENT, 14, "agent", "one agent of a decentralised algorithm")                                          \
    X(MONITOR_FAULT, 15, "monitor_fault", "fault of the monitor")                                            \
    X(ADOPTION_FAULT, 16, "adoption_fault", "fault of adoption")                                             \
    X(TEST, 18, "test", "tests and benchmarks")                                                              \
    X(BOOTSTRAP, 19, "bootstrap", "resampling of suites when a result is analysed")

/* In which order mail is delivered to the agents of a decentralised algorithm. */
#define COR_MAILS(X)                                                                                         \
    X(IN_ORDER, 1, "in_order", "as it was sent")                                                             \
    X(SHUFFLED, 2, "shuffled", "in an order drawn anew each round")                                          \
    X(DELAYED, 3, "delayed", "each message after a delay of its own")                                        \
    X(LOSSY, 4, "lossy", "as it was sent, but some of it never")

/* Families: X(name of enum, PREFIX, list) */
#define COR_FAMILIES(X)                                                                                      \
    X(verdict, VERDICT, COR_VERDICTS)                                                                        \
    X(box, BOX, COR_BOXES)                                                                                   \
    X(check, CHECK, COR_CHECKS)                                                                              \
    X(stop, STOP, COR_STOPS)                                                                                 \
    X(smoke, SMOKE, COR_SMOKES)                                                                              \
    X(inside, INSIDE, COR_INSIDES)                                                                           \
    X(measure, MEASURE, COR_MEASURES)                                                                        \
    X(monitor_fault, MONITOR_FAULT, COR_MONITOR_FAULTS)                                                      \
    X(adoption_fault, ADOPTION_FAULT, COR_ADOPTION_FAULTS)                                                   \
    X(purpose, PURPOSE, COR_PURPOSES)                                                                        \
    X(mail, MAIL, COR_MAILS)

enum cor_verdict {
#define COR_TERM(NAME, number, word, meaning) COR_VERDICT_##NAME = number,
    COR_VERDICTS(COR_TERM)
#undef COR_TERM
};
enum cor_box {
#define COR_TERM(NAME, number, word, meaning) COR_BOX_##NAME = number,
    COR_BOXES(COR_TERM)
#undef COR_TERM
};
enum cor_check {
#define COR_TERM(NAME, number, word, meaning) COR_CHECK_##NAME = number,
    COR_CHECKS(COR_TERM)
#undef COR_TERM
};
enum cor_stop {
#define COR_TERM(NAME, number, word, meaning) COR_STOP_##NAME = number,
    COR_STOPS(COR_TERM)
#undef COR_TERM
};
enum cor_smoke {
#define COR_TERM(NAME, number, word, meaning) COR_SMOKE_##NAME = number,
    COR_SMOKES(COR_TERM)
#undef COR_TERM
};
enum cor_inside {
#define COR_TERM(NAME, number, word, meaning) COR_INSIDE_##NAME = number,
    COR_INSIDES(COR_TERM)
#undef COR_TERM
};
enum cor_measure {
#define COR_TERM(NAME, number, word, meaning) COR_MEASURE_##NAME = number,
    COR_MEASURES(COR_TERM)
#undef COR_TERM
};
enum cor_monitor_fault {
#define COR_TERM(NAME, number, word, meaning) COR_MONITOR_FAULT_##NAME = number,
    COR_MONITOR_FAULTS(COR_TERM)
#undef COR_TERM
};
enum cor_adoption_fault {
#define COR_TERM(NAME, number, word, meaning) COR_ADOPTION_FAULT_##NAME = number,
    COR_ADOPTION_FAULTS(COR_TERM)
#undef COR_TERM
};
enum cor_purpose {
#define COR_TERM(NAME, number, word, meaning) COR_PURPOSE_##NAME = number,
    COR_PURPOSES(COR_TERM)
#undef COR_TERM
};
enum cor_mail {
#define COR_TERM(NAME, number, word, meaning) COR_MAIL_##NAME = number,
    COR_MAILS(COR_TERM)
#undef COR_TERM
};

enum cor_family {
    COR_FAMILY_NONE,
#define COR_FAMILY(family, PREFIX, list) COR_FAMILY_##PREFIX,
    COR_FAMILIES(COR_FAMILY)
#undef COR_FAMILY
        COR_FAMILY_COUNT
};

struct cor_term {
    const char *word, *meaning;
    int number;
};

/* The terms of a family in ascending order of number, ended by an entry whose word is NULL. */
const struct cor_term *cor_terms(enum cor_family family);

/* The word of a code, "?" for a number that the family does not have. */
const char *cor_term_word(enum cor_family family, int number);

/* The code of a word, 0 if the family does not have it. */
int cor_term_number(enum cor_family family, const char *word);

/* The words of a family, NULL-terminated, for cor_known_names. */
const char *const *cor_term_words(enum cor_family family);

#endif
