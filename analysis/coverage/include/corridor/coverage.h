/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the test cases of a result file cover, and what they do not: states and transitions of environment
 * profiles, pairs of states of two chains, configurations, and white-box probes. Definitions:
 * docs/evidence/statistics.md, "Coverage".
 *
 * Memory does not depend on the number of suites, sequences or cases. Beside what HDF5 holds itself it is at
 * most the sum of
 *
 * - 24 MB of buffers, and the rows of the largest suite in the tables read (40 bytes a transition, 24 a
 *   state);
 * - of the largest suite: 34 bytes a transition that its profiles could have (states x states each, in all at
 *   most COR_COVERAGE_CELLS_MAX), 200 bytes a state, 3 KB a profile, 2 bytes a chain, 4 bytes a cell of the
 *   pairs of states looked at, and 64 MB for the lengths of its walks (3712 bytes a state as far as they
 *   last);
 * - for each arm that has suites, and once more for all of them: 10 KB and 20 x states x (states + 200) bytes
 *   an environment, 33 KB a parameter, 48 bytes a bucket of a probe. */
#ifndef CORRIDOR_COVERAGE_H
#define CORRIDOR_COVERAGE_H

#include <corridor/failing.h>
#include <corridor/likelihood.h>
#include <corridor/result.h>

#include <stdbool.h>

#define COR_COVERAGE_CELLS_MAX (1u << 22) /* states x states, summed over the profiles of a suite */
#define COR_COVERAGE_CHAINS_MAX 12        /* of a suite, among which all pairs are looked at */
#define COR_COVERAGE_POINTS_MAX 17        /* of a curve */
#define COR_COVERAGE_MISSED_MAX 10        /* of an environment: what was likely and never taken */
#define COR_COVERAGE_BINS 10              /* of a parameter's range */
#define COR_COVERAGE_GRID 4               /* cells of each of two parameters */
#define COR_COVERAGE_MAIN_MAX 16          /* parameters that vary, in pairs */

/* X(NAME, id, of what): what is covered. */
#define COR_COVERED(X)                                                                   \
    X(STATES, "states", "states of the profile")                                         \
    X(ARCS, "transitions", "transitions of positive probability")                        \
    X(REACHABLE_STATES, "reachable_states", "states that the walks can reach")           \
    X(REACHABLE_ARCS, "reachable_transitions", "transitions out of such states")         \
    X(LIKELY_STATES, "likely_states", "the fewest states with 95 % of the mass")         \
    X(LIKELY_ARCS, "likely_transitions", "the fewest transitions with 95 % of the mass") \
    X(STATE_MASS, "state_mass", "stationary mass of the states visited")                 \
    X(ARC_MASS, "transition_mass", "stationary mass of the transitions taken")

/* What is covered, in the order of COR_COVERED: second index of `covered` below. */
enum cor_covered_measure {
#define COR_COVERED_NAME(NAME, id, meaning) COR_COVERED_##NAME,
    COR_COVERED(COR_COVERED_NAME)
#undef COR_COVERED_NAME
        COR_COVERED_COUNT
};

/* X(NAME, id, of what): by whom it is covered. */
#define COR_COVERAGE_LEVELS(X)                                                 \
    X(CHAIN, "chain", "one chain in one sequence, as in Table 1 of paper 003") \
    X(SEQUENCE, "sequence", "all chains of a profile in one sequence")         \
    X(SUITE, "suite", "all chains of a profile in all sequences of a suite")   \
    X(CAMPAIGN, "campaign", "all suites, where the profile of an environment is the same in all")

/* By whom it is covered, in the order of COR_COVERAGE_LEVELS: first index of `covered` below. */
enum cor_coverage_level {
#define COR_COVERAGE_LEVEL_NAME(NAME, id, meaning) COR_COVERAGE_##NAME,
    COR_COVERAGE_LEVELS(COR_COVERAGE_LEVEL_NAME)
#undef COR_COVERAGE_LEVEL_NAME
        COR_COVERAGE_LEVEL_COUNT
};

/* Ids and meanings. */
const char *cor_covered_id(enum cor_covered_measure measure);
const char *cor_covered_meaning(enum cor_covered_measure measure);
const char *cor_coverage_level_id(enum cor_coverage_level level);

/* A share, as a mean over `n` units (chains in sequences, profiles in sequences, profiles in suites,
 * profiles). */
struct cor_covered {
    uint64_t n;
    double share_sum;         /* of shares 0 .. 1 */
    double covered, possible; /* summed over the units: numbers, or mass */
};

/* The mean share in per cent; NaN without units. */
double cor_covered_percent(const struct cor_covered *covered);

/* What is still unseen: stationary mass of the transitions never taken, known from the profile, and the same
 * by Good and Turing, from the walks alone: transitions taken once / steps. NaN where not available. */
struct cor_unseen {
    uint64_t n;                        /* profiles it is a mean over (suite: profiles in suites) */
    double law, good_turing;           /* mean over them, 0 .. 1 */
    double rate_law, rate_good_turing; /* sum over the chains of a suite: expected new transitions in the next
                                          case; mean over suites */
    double cases_law, cases_good_turing; /* cases until the next new transition: 1 / rate; NaN if rate is 0 */
    uint64_t unseen, unseen_likely, once; /* transitions never taken (reachable ones), of these likely ones;
                                             taken once; sums */
    double chao; /* transitions never taken by Chao's lower bound, from the walks alone; sum; NaN without
                    steps */
};

/* A point of a curve of growth: means in per cent, NaN where not available. */
struct cor_coverage_point {
    uint64_t at;                           /* cases, sequences or suites */
    uint64_t n;                            /* units it is a mean over */
    double states, arcs, arc_mass;         /* covered so far */
    double distinct;                       /* suites: different transitions taken so far */
    uint64_t expected_n;                   /* cases: walks that the rest is about */
    double expected_states, expected_arcs; /* by the law, from the first states of the walks */
    double observed_states, observed_arcs; /* by the same walks */
};

/* How coverage grows: points 0 .. count - 1, by ascending `at`. */
struct cor_coverage_curve {
    size_t count;
    struct cor_coverage_point point[COR_COVERAGE_POINTS_MAX];
};

/* A transition that was never taken although it was to be expected. */
struct cor_missed {
    uint16_t arm, environment, profile;
    int64_t suite; /* -1 = in no suite at all */
    uint16_t from, to;
    double probability;
    double expected; /* times: steps x stationary mass */
    double chance;   /* of missing it, given the first states of the walks; NaN where not available */
};

/* An environment profile, or all of them together. */
struct cor_environment_coverage {
    const char *name;                /* of the environment, borrowed from the result; "all" */
    uint16_t code;                   /* in catalog/environment */
    bool fixed;                      /* its profile is the same in all suites */
    bool lawful;                     /* all its profiles have a stationary law */
    uint64_t profiles, walks, steps; /* profiles in suites; chains in sequences; their steps */
    uint64_t steps_outside;          /* that the profile gives no probability */
    uint32_t states;                 /* of its largest profile; 0 for "all" */
    uint64_t *visits;                /* owned; [states] */
    uint64_t *taken;                 /* owned; [from * states + to] */
    double *probability, *share;     /* owned; the law, if fixed and not "all"; else NULL */
    char **state_name; /* owned; [states], each owned; NULL unless the profile is given by the experiment */
    struct cor_covered covered[COR_COVERAGE_LEVEL_COUNT][COR_COVERED_COUNT];
    struct cor_unseen suite, campaign;
    struct cor_coverage_curve cases, sequences, suites;
    size_t missed_count; /* in descending order of what was expected */
    struct cor_missed missed[COR_COVERAGE_MISSED_MAX];
};

/* Pairs of states that two chains of a suite are in at the same case. */
struct cor_pair_coverage {
    uint64_t pairs, pairs_looked_at;    /* pairs of chains, summed over suites */
    struct cor_covered sequence, suite; /* pairs of states seen / states x states */
    struct cor_covered sequence_mass,
        suite_mass; /* the same weighted by the product of both stationary laws */
};

/* Where in its range a parameter was drawn. */
struct cor_parameter_coverage {
    const char *name;        /* borrowed from the result, or the column of table suites */
    bool of_suite;           /* a column of table suites */
    uint16_t code;           /* in catalog/parameter */
    bool whole;              /* only whole numbers were drawn */
    bool main;               /* takes part in pairs */
    uint64_t n, undefined;   /* values; NaN or infinite ones, which are left out */
    double min, median, max; /* median of at most 4096 evenly spaced suites; NaN without values */
    uint32_t bins; /* equal parts of min .. max: COR_COVERAGE_BINS, or one a whole number if fewer */
    uint64_t bin[COR_COVERAGE_BINS];
    uint32_t grid; /* the same for pairs: up to COR_COVERAGE_GRID */
};

/* A bucket of a white-box probe, summed over the suites of an arm. */
struct cor_probe_coverage {
    const char *name, *description; /* borrowed from the result */
    uint16_t code, bucket;
    uint64_t count, suites; /* times; suites in which it was reached */
};

/* An arm, or all of them together. */
struct cor_arm_coverage {
    const char *name;
    uint16_t code;
    bool by_profile; /* its walks follow the profiles: its environment is not "uniform" */
    uint64_t suites, sequences, cases, chains;
    struct cor_environment_coverage *
        *environment;         /* owned; environment[0] = all, then those that occur, by code */
    size_t environment_count; /* 0 without suites */
    struct cor_pair_coverage pairs;
    struct cor_parameter_coverage *parameter; /* owned */
    size_t parameter_count;
    uint64_t parameter_pairs, cells, cells_drawn; /* of pairs of main parameters */
    struct cor_probe_coverage *probe;             /* owned; by code and bucket */
    size_t probe_count, probe_capacity;
};

/* What a result covers; made by cor_coverage_create, freed by cor_coverage_destroy. */
struct cor_coverage {
    const struct cor_result_header *head; /* borrowed from the result */
    struct cor_arm_coverage *arm; /* owned; all, then the arms asked for in the order of catalog/arm */
    size_t arm_count;
    int64_t suite; /* the only one looked at, -1 = all */
};

/* What of a result is looked at. */
struct cor_coverage_options {
    const char *arm; /* name of the only arm to look at, NULL = all */
    int64_t suite;   /* number of the only suite, -1 = all */
};

/* Reads the result and finds what is covered. The result stays open and must outlive the coverage. A file
 * that contradicts itself, an unknown arm and a suite that is not there are COR_STATUS_INPUT. */
enum cor_status cor_coverage_create(struct cor_result *result, const struct cor_coverage_options *options,
                                    struct cor_coverage **coverage, struct cor_error *error) COR_MUST_USE;

/* Frees it. NULL is allowed. */
void cor_coverage_destroy(struct cor_coverage *coverage);

/* ---- how likely the environment of failing sequences is, up to their failing case: found under ordinary
 * weather, or in weather that comes once in ten times. By the profiles that the file has; of walks that a
 * steered arm or a search made, too: how likely the profiles would have gone so */

/* An environment that at least this share of walks is no likelier than is ordinary. */
#define COR_ORDINARY_SHARE 0.1

/* The likelihood of each failing sequence of the list: likelihood[i] of items[i], of the cases up to that of
 * its key. The first states of chains are given. Draws are named by the campaign's seed, arm, suite, sequence
 * and case, so the same file gives the same figures. COR_STATUS_INPUT for a damaged file. */
enum cor_status cor_failing_environment(struct cor_result *result, const struct cor_failing_list *list,
                                        struct cor_likelihood *likelihood,
                                        struct cor_error *error) COR_MUST_USE;

#define COR_RARITY_TEXT 24
/* "ordinary", "1 in 40", "never" (the profiles do not go so), written into `text`, which it returns. */
const char *cor_rarity_text(const struct cor_likelihood *likelihood, char text[COR_RARITY_TEXT]);

#endif
