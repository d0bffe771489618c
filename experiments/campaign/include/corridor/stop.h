/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When a campaign ends before its plan does. Conditions are judged on the ordered prefix of finished suites,
 * so the answer is the same for any number of workers - but for seconds: a file that the clock has ended is
 * marked as not reproducible. */
#ifndef CORRIDOR_STOP_H
#define CORRIDOR_STOP_H

#include <corridor/json.h>

#include <stdbool.h>
#include <stdint.h>

#define COR_STOP_SUITES_MAX 4194304
#define COR_STOP_COUNT_MAX 0x1p53
#define COR_STOP_SHARE_MIN 1e-6
#define COR_STOP_WIDTH_MAX 0.5
#define COR_STOP_SECONDS_MIN 0.001
#define COR_STOP_SECONDS_MAX 1e9

/* X(NAME, key, least, greatest, meaning): figures of a campaign that have a bound. A condition holds when the
 * figure has come to the bound: of half_width down to it, of the others up to it. */
#define COR_STOP_FIGURES(X)                                                                                \
    X(SUITES, "suites", 1, COR_STOP_SUITES_MAX, "suites, over all arms")                                   \
    X(CASES, "cases", 1, COR_STOP_COUNT_MAX, "test cases executed")                                        \
    X(FAILURES, "failures", 1, COR_STOP_COUNT_MAX, "cases in which a check failed, through whichever box") \
    X(STATES, "states", COR_STOP_SHARE_MIN, 1,                                                             \
      "share of the states seen, of profiles that are the same in all suites; the least over arms and "    \
      "environments")                                                                                      \
    X(TRANSITIONS, "transitions", COR_STOP_SHARE_MIN, 1, "the same of their transitions")                  \
    X(HALF_WIDTH, "half_width", COR_STOP_SHARE_MIN, COR_STOP_WIDTH_MAX,                                    \
      "of the 95 % interval, over suites, of the share of sequences with a detection; the greatest over "  \
      "arms")                                                                                              \
    X(DECIDED, "decided", COR_STOP_SHARE_MIN, 1, "share of the experiment's properties that are decided")  \
    X(SECONDS, "seconds", COR_STOP_SECONDS_MIN, COR_STOP_SECONDS_MAX,                                      \
      "of the clock; the result is then not reproducible")

/* Index of a figure in the list, and so in the bounds of a group and in what cor_stop_holds is given. */
enum cor_stop_figure {
#define COR_STOP_FIGURE_NAME(NAME, ...) COR_STOP_AT_##NAME,
    COR_STOP_FIGURES(COR_STOP_FIGURE_NAME)
#undef COR_STOP_FIGURE_NAME
        COR_STOP_FIGURE_COUNT
};

#define COR_STOP_GROUPS_MAX 16

/* Conditions of which any must hold, or all; those of a group within it count as one. */
struct cor_stop_group {
    bool all;
    uint32_t parent;                     /* a group before it; of the first: itself */
    double bound[COR_STOP_FIGURE_COUNT]; /* 0 = no condition */
};

/* Zeroes are no conditions at all: nothing stops the campaign. */
struct cor_stop_conditions {
    uint32_t count;
    struct cor_stop_group group[COR_STOP_GROUPS_MAX];
};

/* Adds a group within group `parent`, or the first; its number, COR_STOP_GROUPS_MAX if there is no room. */
uint32_t cor_stop_add(struct cor_stop_conditions *stop, uint32_t parent, bool all);

/* Reads them from an object: its members are conditions of which any must hold; "all" and "any" hold objects
 * of the same kind. Adds to the conditions read before: any of both must hold. */
enum cor_status cor_stop_read(const struct cor_json *json, struct cor_stop_conditions *stop,
                              struct cor_error *error) COR_MUST_USE;

/* Does any condition name the figure? */
bool cor_stop_asks(const struct cor_stop_conditions *stop, enum cor_stop_figure figure);

/* Do they hold, given the figures? What is NaN holds for nobody. */
bool cor_stop_holds(const struct cor_stop_conditions *stop, const double figures[COR_STOP_FIGURE_COUNT]);

/* The least share of properties, above 0, that it is enough to have decided, whatever else is found; 0: it is
 * never enough. Where it is, an arm of which all that is asked is decided needs no more suites. */
double cor_stop_decided(const struct cor_stop_conditions *stop);

/* Suites after which they hold whatever else is found; UINT64_MAX = there is no such number. */
uint64_t cor_stop_suites(const struct cor_stop_conditions *stop);

#endif
