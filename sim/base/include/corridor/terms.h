/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every code that is stored or compared, once: name, number, word and meaning. The word is what files, tables
 * and JSON show; the number is what the result file stores (with CF flag_values / flag_meanings). Numbers
 * never change; 0 always means "not said", so that a forgotten assignment cannot pass for a verdict. */
#ifndef CORRIDOR_TERMS_H
#define CORRIDOR_TERMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Within the description of a counter: several things may share a bucket, and many buckets have nothing that
 * could be counted. */
#define COR_HASHED_BUCKETS "hashed into buckets"

/* Rows: X(P, NAME, number, word, meaning), in ascending order of number; P is the prefix of the family's
 * names. */

#define COR_VERDICTS(X, P)                                                                                \
    X(P, PASSED, 1, "passed", "all checks hold")                                                          \
    X(P, FAILED, 2, "failed", "at least one check is violated")                                           \
    X(P, NOT_JUDGED, 3, "not_judged", "nothing to judge: no reorganization, or the sequence had stopped") \
    X(P, SMOKE, 4, "smoke", "the algorithm ended without a result: see the smoke code")                   \
    X(P, UNDECIDED, 5, "undecided", "no check is violated, but a constraint is unknown: this is no pass")

/* The box an observation was made through (003, 3 and 4.3). */
#define COR_BOXES(X, P)                                                                      \
    X(P, GRAY, 1, "gray", "R-Solution: the solution the algorithm proposes")                 \
    X(P, BLACK, 2, "black", "R-Distribution: the system structure after adoption")           \
    X(P, DETECT, 3, "detect", "R-Detect: the monitor's alarm against the oracle's own look") \
    X(P, INTERIM, 4, "interim", "an interim solution of an anytime algorithm")               \
    X(P, MOVE, 5, "move", "the structure between two moves of an adoption")                  \
    X(P, TIME, 6, "time", "the cases of a sequence, one after another")

/* What a violation violates. These rows go on: rule of 003, and the violation as a sentence. In it {agent},
 * {partition}, {expected} and {found} are those of the violation; {found member} is "1 member" or "2
 * members", {found is} agrees too. */
#define COR_CHECKS(X, P)                                                                                 \
    X(P, MISSING, 1, "agent_missing", "every agent occurs: this one does not", "C1",                     \
      "Agent {agent} is in no partition, expected in exactly one.")                                      \
    X(P, DOUBLE, 2, "agent_repeated", "every agent occurs once: this one occurs more often", "C1",       \
      "Agent {agent} occurs {found} times (last in partition {partition}), expected once.")              \
    X(P, UNKNOWN, 3, "agent_unknown", "only agents of the system occur", "C2",                           \
      "Partition {partition} lists agent {agent}, but the system has only {expected agent}.")            \
    X(P, EMPTY, 4, "partition_empty", "no partition is empty", "C3",                                     \
      "Partition {partition} has no members.")                                                           \
    X(P, SIZE_LOW, 5, "size_below_minimum", "a partition has at least size_min members", "C4",           \
      "Partition {partition} has {found member}, expected at least {expected}.")                         \
    X(P, SIZE_HIGH, 6, "size_above_maximum", "a partition has at most size_max members", "C4",           \
      "Partition {partition} has {found member}, expected at most {expected}.")                          \
    X(P, COUNT_LOW, 7, "count_below_minimum", "there are at least count_min partitions", "C5",           \
      "There {found is} {found partition}, expected at least {expected}.")                               \
    X(P, COUNT_HIGH, 8, "count_above_maximum", "there are at most count_max partitions", "C5",           \
      "There {found is} {found partition}, expected at most {expected}.")                                \
    X(P, NOT_ADOPTED, 9, "structure_differs", "the structure is the accepted solution", "C7",            \
      "Agent {agent} is in partition {found} of the structure, but the solution puts it in {expected}.") \
    X(P, ALARM_MISSED, 10, "alarm_missed", "the monitor raises an alarm when the invariant is violated", \
      "R-Detect", "No alarm, but the dissimilarity {found} exceeds the threshold {expected}.")           \
    X(P, ALARM_FALSE, 11, "alarm_false", "the monitor raises no alarm while the invariant holds",        \
      "R-Detect", "Alarm, but the dissimilarity {found} is within the threshold {expected}.")            \
    X(P, PARENT_UNKNOWN, 12, "parent_unknown", "the parent of an organization exists", "kind",           \
      "The parent of organization {partition} is {found}, but there are only {expected}.")               \
    X(P, PARENT_CYCLE, 13, "parent_cycle", "no organization stands above itself", "kind",                \
      "Organization {partition} stands above itself: a cycle of {found organization}.")                  \
    X(P, SEVERAL_ROOTS, 14, "several_roots", "one organization of a tree has no parent", "kind",         \
      "{found} organizations have no parent, expected one.")                                             \
    X(P, CONSTRAINT, 15, "constraint_violated", "the corridor's constraint holds", "corridor",           \
      "Constraint {expected} of the corridor is violated.")                                              \
    X(P, FORMULA, 16, "formula_violated", "what the corridor says of time holds", "corridor",            \
      "Constraint {expected} of the corridor, about time, is violated.")                                 \
    X(P, MONITOR_SMOKE, 17, "monitor_smoke", "the monitor under test answers", "R-Detect",               \
      "The monitor under test did not answer, or not as it should: the table of smokes says how.")       \
    X(P, MECHANISM_SMOKE, 18, "mechanism_smoke", "a mechanism beside the algorithm does its work",       \
      "mechanism",                                                                                       \
      "Mechanism {found} of the arm failed, not the algorithm: the table of smokes says how it ended.")

/* Why a reorganization ended. */
#define COR_STOPS(X, P)                                                         \
    X(P, DONE, 1, "done", "the algorithm says it has finished")                 \
    X(P, BUDGET, 2, "budget", "the budget was used up")                         \
    X(P, STAGNATED, 3, "stagnated", "the algorithm gave up improving")          \
    X(P, QUIET, 4, "quiet", "no mail under way and no agent wants to be woken") \
    X(P, FAILED, 5, "failed", "the algorithm cannot go on: see the smoke code")

/* How an algorithm failed without giving a result (003, 4.4: smoke tests). */
#define COR_SMOKES(X, P)                                                                          \
    X(P, NONE, 1, "none", "no smoke")                                                             \
    X(P, COMPLAINED, 2, "complained", "the algorithm returned that it cannot go on")              \
    X(P, MEMORY, 3, "memory", "the memory limit of a reorganization was reached")                 \
    X(P, OVERFLOW, 4, "overflow", "absurdly large solution or mail")                              \
    X(P, CRASHED, 5, "crashed", "a signal ended the algorithm's process")                         \
    X(P, EXITED, 6, "exited", "the algorithm ended its process")                                  \
    X(P, HUNG, 7, "hung", "the algorithm used up its CPU time, or waited for ever")               \
    X(P, OVERDUE, 8, "overdue", "the algorithm gave no result in a time far beyond its CPU time") \
    X(P, GARBLED, 9, "garbled", "what the algorithm gave cannot be read as a result")             \
    X(P, FLAKY, 10, "flaky", "fresh processes gave different results for the same request")       \
    X(P, LEAKED, 11, "leaked",                                                                    \
      "threads or processes outlive the call, or the result depends on what was done before it")  \
    X(P, PEEKED, 12, "peeked", "a handler of one agent touched what is not its own")

/* The oracle's own look at the invariant, recomputed from raw values. */
#define COR_INSIDES(X, P)                                                                     \
    X(P, INSIDE, 1, "inside", "the dissimilarity is at most the threshold")                   \
    X(P, OUTSIDE, 2, "outside", "the dissimilarity exceeds the threshold")                    \
    X(P, EDGE, 3, "edge",                                                                     \
      "the dissimilarity equals the threshold up to rounding (1e-9): either answer is right") \
    X(P, NOT_LOOKED, 4, "not_looked", "the oracle did not look at this case")                 \
    X(P, UNKNOWN, 5, "unknown", "a constraint of the corridor is unknown, none is violated")  \
    X(P, TOLERATED, 6, "tolerated",                                                           \
      "an alarm, or none, that is as late as the monitor under test says it may be")

/* How the dissimilarity of partition means mu_b around the mean M of all agents is measured. */
#define COR_MEASURES(X, P)                                        \
    X(P, RANGE, 1, "range", "largest mu_b minus smallest mu_b")   \
    X(P, MAX_DEVIATION, 2, "max_deviation", "largest |mu_b - M|") \
    X(P, RMS, 3, "rms", "root of the mean of (mu_b - M)^2")

/* Faults of the system's own monitor, offered by the testbed (R-Detect). */
#define COR_MONITOR_FAULTS(X, P)                                \
    X(P, NONE, 1, "none", "the monitor works")                  \
    X(P, MISSED, 2, "missed", "an alarm is swallowed")          \
    X(P, FALSE, 3, "false", "an alarm is raised without cause") \
    X(P, LATE, 4, "late", "an alarm comes some cases late")

/* Faults of adoption, offered by the testbed (R-Distribution). */
#define COR_ADOPTION_FAULTS(X, P)                                                                \
    X(P, NONE, 1, "none", "every move is carried out")                                           \
    X(P, LOST, 2, "lost", "an agent leaves its partition and arrives nowhere")                   \
    X(P, DOUBLED, 3, "doubled", "an agent arrives without having left its old partition")        \
    X(P, MISDIRECTED, 4, "misdirected", "an agent is moved into another partition than its own") \
    X(P, HALFWAY, 5, "halfway", "the moves stop half-way")

/* Faults of the result, offered by the testbed at the adapter: what becomes of a solution on its way from the
 * algorithm to adoption. */
#define COR_RESULT_FAULTS(X, P)                                                                        \
    X(P, NONE, 1, "none", "the solution is what the algorithm gave")                                   \
    X(P, AGENT_DROPPED, 2, "agent_dropped", "an agent is missing from its partition")                  \
    X(P, AGENT_DUPLICATED, 3, "agent_duplicated", "an agent is in a second partition as well")         \
    X(P, AGENT_MOVED, 4, "agent_moved", "an agent is in another partition")                            \
    X(P, AGENTS_SWAPPED, 5, "agents_swapped", "two agents are in each other's partition")              \
    X(P, PARTITION_DROPPED, 6, "partition_dropped", "a partition is missing")                          \
    X(P, PARTITIONS_MERGED, 7, "partitions_merged", "two partitions are one")                          \
    X(P, PARTITION_SPLIT, 8, "partition_split", "a partition is in two parts")                         \
    X(P, STALE, 9, "stale", "the solution is that of the reorganization before, of the same sequence") \
    X(P, LATE, 10, "late", "the solution is of the case before: it was asked for then, and came only now")

/* Faults of the agents of a decentralised algorithm, offered by the testbed. */
#define COR_CRASH_FAULTS(X, P)                \
    X(P, NONE, 1, "none", "every agent runs") \
    X(P, CRASHED, 2, "crashed", "an agent loses its state and its mail, and is restarted some rounds later")

/* What a random stream is for; part of its name (rng.h). */
#define COR_PURPOSES(X, P)                                                                        \
    X(P, CONFIGURATION, 1, "configuration", "parameters of a suite")                              \
    X(P, GROUPS, 2, "groups", "agent groups, types, places, inertia, first states")               \
    X(P, PROFILE, 3, "profile", "random environment profiles")                                    \
    X(P, LEVELS, 4, "levels", "random influence levels")                                          \
    X(P, WALK, 7, "walk", "one chain of one sequence")                                            \
    X(P, LENGTH, 8, "length", "number of cases of a sequence")                                    \
    X(P, INFLUENCE, 9, "influence", "probabilistic influence rows")                               \
    X(P, IDLE, 10, "idle", "agents that idle in a case")                                          \
    X(P, ALGORITHM, 11, "algorithm", "the algorithm under test")                                  \
    X(P, FAULT, 12, "fault", "its injected fault")                                                \
    X(P, SCHEDULE, 13, "schedule", "order, delay and loss of mail")                               \
    X(P, AGENT, 14, "agent", "one agent of a decentralised algorithm")                            \
    X(P, MONITOR_FAULT, 15, "monitor_fault", "fault of the monitor")                              \
    X(P, ADOPTION_FAULT, 16, "adoption_fault", "fault of adoption")                               \
    X(P, TEST, 18, "test", "tests and benchmarks")                                                \
    X(P, BOOTSTRAP, 19, "bootstrap", "resampling of suites when a result is analysed")            \
    X(P, PERMUTATION, 20, "permutation", "exchanging verdicts when a result is analysed")         \
    X(P, SAMPLE, 21, "sample", "a value of an equivalence class of a variable of a unit")         \
    X(P, COMBINE, 22, "combine", "searching a covering array")                                    \
    X(P, RESULT_FAULT, 23, "result_fault", "fault of the result")                                 \
    X(P, CRASH_FAULT, 24, "crash_fault", "agents that crash")                                     \
    X(P, LAYOUT, 25, "layout", "where agents lie in memory; shows in no result")                  \
    X(P, RIVAL, 26, "rival", "what a simulated system chooses among rivals")                      \
    X(P, PLANNER, 27, "planner", "what a planner draws")                                          \
    X(P, CONFIRMATION, 28, "confirmation", "which sound answers are asked for again")             \
    X(P, SEARCH, 29, "search", "what a generator of a search draws")                              \
    X(P, ESTIMATION, 30, "estimation", "which law a sequence follows, and where it is restarted") \
    X(P, INTERLEAVING, 31, "interleaving", "which intention of an agent goes on")                 \
    X(P, LIKELIHOOD, 32, "likelihood", "walks beside which one is rare or not")                   \
    X(P, ATTRIBUTE, 33, "attribute", "attributes of agents, and levels of these")                 \
    X(P, TURN_ORDER, 34, "turn_order", "in which order test agents act in a cycle")               \
    X(P, POLICY, 35, "policy", "which of the actions on offer a test agent takes")                \
    X(P, AGENT_CLOCK, 36, "agent_clock", "after how many ticks an agent perceives again")         \
    X(P, REDRAW, 37, "redraw", "a draw or a move of an algorithm, made another way")              \
    X(P, MECHANISM, 40, "mechanism", "a mechanism beside the algorithm")                          \
    X(P, MOCK, 41, "mock", "what stands in for a mechanism, and whom it is sampled of")           \
    X(P, WHY, 42, "why", "other futures of the first choices of a test")                          \
    X(P, ORGANIZATION, 46, "organization", "what an organization keeps")

/* In which order mail is delivered to the agents of a decentralised algorithm. */
#define COR_MAILS(X, P)                                                                                   \
    X(P, IN_ORDER, 1, "in_order", "as it was sent")                                                       \
    X(P, SHUFFLED, 2, "shuffled", "in an order drawn anew each round")                                    \
    X(P, DELAYED, 3, "delayed", "each message after a delay of its own")                                  \
    X(P, LOSSY, 4, "lossy", "as it was sent, but some of it never")                                       \
    X(P, DUPLICATED, 5, "duplicated", "as it was sent, but some of it twice")                             \
    X(P, PCT, 6, "pct", "one by one, by random priorities of causal chains that change at random points") \
    X(P, BOUNDED, 7, "bounded", "one by one, as it was sent, but a few messages when nothing else moves") \
    X(P, RECORDED, 8, "recorded", "one by one, as a recorded schedule says, else as it was sent")

/* How the probability of a failure is estimated. */
#define COR_ESTIMATIONS(X, P)                                                                                \
    X(P, PLAIN, 1, "plain", "shares of what the law itself gives")                                           \
    X(P, LIKELIHOOD, 2, "likelihood", "by a changed law, each sequence weighted with the ratio of the laws") \
    X(P, SPLITTING, 3, "splitting", "sequences are restarted from where they came closer to failing")

/* How a test of a search came about. */
#define COR_MUTATIONS(X, P)                                                                             \
    X(P, FRESH, 1, "fresh", "drawn by the laws and profiles of the arm")                                \
    X(P, REGION, 2, "region", "drawn by them within a region")                                          \
    X(P, PARAMETER, 3, "parameter", "a line of the laws drawn anew, the rest kept as far as it agrees") \
    X(P, STAGE, 4, "stage", "a stage of the laws drawn anew")                                           \
    X(P, POPULATION, 5, "population", "the same parameters, everything else of the suite drawn anew")   \
    X(P, BRANCH, 6, "branch", "the walk from a test case on drawn anew")                                \
    X(P, HOLD, 7, "hold", "a chain stays in a state for a while")                                       \
    X(P, RARE_ARC, 8, "rare_arc", "a chain takes its least likely transition")                          \
    X(P, SPLICE, 9, "splice", "chains go on as in another test")                                        \
    X(P, STREAM, 10, "stream", "the same walk, the draws of algorithm, mail and faults anew")           \
    X(P, SPLIT, 11, "split", "restarted from a state on the way to a failure")                          \
    X(P, SCHEDULE, 12, "schedule", "the same walk, messages in another order")

/* Families: X(name of enum, PREFIX, list). Those of a satellite are named here; their rows are in a header of
 * its own, agent_terms.h and so on, and recompile what includes that. */
#define COR_FAMILIES(X) \
    X(verdict, VERDICT, COR_VERDICTS) \
    X(box, BOX, COR_BOXES) \
    X(check, CHECK, COR_CHECKS) \
    X(stop, STOP, COR_STOPS) \
    X(smoke, SMOKE, COR_SMOKES) \
    X(inside, INSIDE, COR_INSIDES) \
    X(measure, MEASURE, COR_MEASURES) \
    X(monitor_fault, MONITOR_FAULT, COR_MONITOR_FAULTS) \
    X(adoption_fault, ADOPTION_FAULT, COR_ADOPTION_FAULTS) \
    X(result_fault, RESULT_FAULT, COR_RESULT_FAULTS) \
    X(crash_fault, CRASH_FAULT, COR_CRASH_FAULTS) \
    X(purpose, PURPOSE, COR_PURPOSES) \
    X(mail, MAIL, COR_MAILS) \
    X(mutation, MUTATION, COR_MUTATIONS) \
    X(estimation_method, ESTIMATION, COR_ESTIMATIONS)
#define COR_AGENT_FAMILIES(X) \
    X(aut_check, AUT_CHECK, COR_AUT_CHECKS) \
    X(severity, SEVERITY, COR_SEVERITIES) \
    X(cause, CAUSE, COR_CAUSES) \
    X(use, USE, COR_USES) \
    X(value_word, VALUE_KIND, COR_VALUE_KINDS) \
    X(unit_kind, UNIT_KIND, COR_UNIT_KINDS) \
    X(event_kind, EVENT_KIND, COR_EVENT_KINDS) \
    X(trace_kind, TRACE, COR_TRACE_KINDS) \
    X(trace_end, TRACE_END, COR_TRACE_ENDS)
#define COR_EFSM_FAMILIES(X) \
    X(test_verdict, TEST, COR_TEST_VERDICTS) \
    X(trap_end, TRAP_END, COR_TRAP_ENDS) \
    X(system_trouble, SYSTEM, COR_SYSTEM_TROUBLES) \
    X(efsm_difference, EFSM, COR_EFSM_DIFFERENCES)
#define COR_SYSTEM_FAMILIES(X) \
    X(goal_end, GOAL, COR_GOAL_ENDS) \
    X(system_judge, JUDGE, COR_SYSTEM_JUDGES) \
    X(test_agent_turn, TURN, COR_TURNS)
#define COR_ALL_FAMILIES(X) COR_FAMILIES(X) COR_AGENT_FAMILIES(X) COR_EFSM_FAMILIES(X) COR_SYSTEM_FAMILIES(X)

/* For the headers with their rows: the enum of a family; COR_CHECK_CODES and so on, one more than the greatest
 * number, the length of an array by code. */
#define COR_TERM_NUMBER(P, NAME, number, ...) COR_##P##_##NAME = number,
#define COR_TERM_COUNTED(P, NAME, number, ...) COR_##P##_##NAME##_COUNTED = number,
#define COR_TERM_FITS(P, NAME, number, ...) \
    _Static_assert(number > 0 && number < COR_##P##_CODES, "numbers begin with 1 and ascend");
#define COR_FAMILY_ENUM(family, P, list)                  \
    enum cor_##family{list(COR_TERM_NUMBER, P)};          \
    enum { list(COR_TERM_COUNTED, P) COR_##P##_CODES };   \
    list(COR_TERM_FITS, P)
COR_FAMILIES(COR_FAMILY_ENUM)

/* Of the two families that say how a reorganization ended, whichever is longer: for arrays by either code. */
enum {
    COR_ENDING_CODES = (int)COR_STOP_CODES > (int)COR_SMOKE_CODES ? (int)COR_STOP_CODES : (int)COR_SMOKE_CODES
};

/* The families of codes, for the functions below: a number here stands for a list of COR_ALL_FAMILIES. */
enum cor_family {
    COR_FAMILY_NONE,
#define COR_FAMILY(family, PREFIX, list) COR_FAMILY_##PREFIX,
    COR_ALL_FAMILIES(COR_FAMILY)
#undef COR_FAMILY
        COR_FAMILY_COUNT
};

/* A row of a family, static. The sentence of a check has places to be filled in: see COR_CHECKS. */
struct cor_term {
    int number;
    const char *word, *meaning;
    const char *rule, *sentence; /* of checks, else NULL; the rule of a check on agents is its severity */
    const char *look;            /* of checks on agents: what to look at; else NULL */
};

/* The row of a code, NULL for a number that the family does not have. */
const struct cor_term *cor_term(enum cor_family family, int number);

/* The terms of a family in ascending order of number, ended by an entry whose word is NULL. */
const struct cor_term *cor_terms(enum cor_family family);

/* The word of a code, "?" for a number that the family does not have. */
const char *cor_term_word(enum cor_family family, int number);

/* The code of a word, 0 if the family does not have it. */
int cor_term_number(enum cor_family family, const char *word);

/* The words of a family, NULL-terminated, for cor_known_names. */
const char *const *cor_term_words(enum cor_family family);

/* Whether a verdict says that something was seen: failed, or smoke. */
static inline bool cor_is_detection(uint8_t verdict) {
    return verdict == COR_VERDICT_FAILED || verdict == COR_VERDICT_SMOKE;
}

/* Whether a violated check says that something beside the algorithm failed, and ended the sequence: a monitor
 * or a mechanism. */
static inline bool cor_is_foreign_smoke(uint8_t check) {
    return check == COR_CHECK_MONITOR_SMOKE || check == COR_CHECK_MECHANISM_SMOKE;
}

/* A violated constraint as data: made by the oracle, stored by the record, worded here. */

#define COR_NOBODY UINT32_MAX /* no agent, no partition */

/* One violation; owns nothing. `expected` and `found` count members, partitions or occurrences, or are
 * dissimilarities; of C2 the number of agents and the unknown one, of C7 blocks of solution and structure. */
struct cor_violation {
    enum cor_check check;
    uint32_t agent;     /* COR_NOBODY where the check is not about one agent */
    uint32_t partition; /* index of the block, COR_NOBODY where it is not about one */
    double expected;    /* the bound, the number of occurrences, or the threshold */
    double found;
};

/* The violation as a sentence with full stop, e.g. "Agent 17 is in no partition, expected in exactly one.",
 * into `text`. */
void cor_violation_text(const struct cor_violation *violation, char *text, size_t size);

#endif
