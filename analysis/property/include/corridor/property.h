/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A property: what is asked of the sequences of an arm, and which answer is claimed.
 *
 *   property := P [RELATION NUMBER] [ formula ]           the probability that a sequence satisfies a formula
 *             | E [RELATION NUMBER] [ amount ]            the expected value of an amount of a sequence
 *             | Q NUMBER [RELATION NUMBER] [ amount ]     a quantile of it: the amount that a share of NUMBER
 *                                                         of the sequences does not exceed
 *             | S [RELATION NUMBER] [ number ]            the mean of a number over cases in the long run,
 *                                                         of sequences that no failure ends (steady.h)
 *   RELATION := >= | > | <= | <
 *   formula  := a formula of time (temporal.h); its states are the cases of a sequence, its conditions
 *               columns that are true or false, and comparisons over columns
 *   amount   := [mean | sum | max | min] number           over the cases of a sequence; mean, if none is said
 *             | number at CASE                            in one case, from 1
 *
 *   P >= 0.99 [ always (alarm implies eventually[0, 3] inside) ]
 *   E <= 40 [ max moved ]
 *
 * Without a relation nothing is claimed, and the answer is an estimate. Columns are those that the layer's
 * schema says may be asked (struct cor_property_source), but for keys: of the interaction layer those of the
 * tables /cases and /reorganizations. In a case without a reorganization its counts are 0 and its measures
 * unknown. Four columns are read as users mean them: "inside", "alarm" and "failed" (failure_class.h), and
 * "case", the number of the case. Of the process layer: those of /cases, "case", "failed", what was violated
 * and how a process ended in the case in which that was so, and the names of traps, in the case in which each
 * was met first. A property is asked of rows alone: of a result file, of a campaign as its suites are stored,
 * of a test that is executed. */
#ifndef CORRIDOR_PROPERTY_H
#define CORRIDOR_PROPERTY_H

#include <corridor/error.h>
#include <corridor/expression.h>
#include <corridor/failure_class.h>
#include <corridor/result.h>

#include <stdbool.h>

enum cor_property_kind {
    COR_PROPERTY_PROBABILITY, /* P */
    COR_PROPERTY_EXPECTATION, /* E */
    COR_PROPERTY_QUANTILE,    /* Q */
    COR_PROPERTY_STEADY       /* S */
};

enum cor_property_relation { COR_PROPERTY_NO_RELATION, COR_PROPERTY_AT_LEAST, COR_PROPERTY_AT_MOST };

/* How the cases of a sequence become one amount. */
enum cor_property_amount {
    COR_PROPERTY_MEAN,
    COR_PROPERTY_SUM,
    COR_PROPERTY_MAX,
    COR_PROPERTY_MIN,
    COR_PROPERTY_AT
};

#define COR_PROPERTY_BYTES_MAX 4096 /* of a text */

/* A property that was parsed; but for what is said of a value, nothing of it changes. */
struct cor_property;

/* Parses one. COR_STATUS_INPUT: what was found and what is expected, at `place`, which may be NULL; a column
 * that is none gets a did-you-mean; a formula that every sequence satisfies or violates before its first case
 * is refused, for there is nothing to decide. Freed by cor_property_destroy. */
enum cor_status cor_property_parse(const char *text, const char *place, struct cor_property **property,
                                   struct cor_error *error) COR_MUST_USE;

/* The same of sequences of the layer of `head`, whose catalogs say the words of codes and the names of
 * conditions; borrowed for the call. Codes of a catalog without entries stay numbers. NULL: of the
 * interaction layer, without catalogs. */
enum cor_status cor_property_parse_of(const struct cor_result_header *head, const char *text,
                                      const char *place, struct cor_property **property,
                                      struct cor_error *error) COR_MUST_USE;

/* After a complaint of a name that there is none of: if it is one of these names of constraints of the
 * corridor, ended by NULL, the remedy says so, and what is asked instead. */
void cor_property_name_constraints(const char *const *names, struct cor_error *error);

#define COR_MEASURES_MAX 20 /* that are asked of one arm at once */

/* Parses an amount alone, as it stands in E [ .. ]: a property that says it. */
enum cor_status cor_measure_parse(const char *amount, const char *place, struct cor_property **measure,
                                  struct cor_error *error) COR_MUST_USE;

/* The same of sequences of the layer of `head`, as cor_property_parse_of. */
enum cor_status cor_measure_parse_of(const struct cor_result_header *head, const char *amount,
                                     const char *place, struct cor_property **measure,
                                     struct cor_error *error) COR_MUST_USE;

/* Frees it. NULL is allowed. */
void cor_property_destroy(struct cor_property *property);
COR_DESTROYS(cor_property, struct cor_property)

/* What it says. */
const char *cor_property_text(const struct cor_property *property);
enum cor_property_kind cor_property_kind(const struct cor_property *property);
enum cor_property_relation cor_property_relation(const struct cor_property *property);
double cor_property_bound(const struct cor_property *property);    /* of the relation */
double cor_property_quantile(const struct cor_property *property); /* Q: the share; of others 0 */

/* What sequences of an experiment have at most; infinite: it does not say so as a number. length: of the
 * column that struct cor_ending_source names. */
struct cor_property_limits {
    double cases, agents, length;
};

/* What a sequence can say of it: P 0 .. 1, else what its amount lies within, by what its columns can be: what
 * is true or false 0 .. 1, counts from 0, of agents to these, the number of a case to that of the cases.
 * Infinite: nothing says it, as of what is spent. */
struct cor_real_range cor_property_range(const struct cor_property *property,
                                         const struct cor_property_limits *limits);

/* The text of its formula, NULL: it has none. */
const char *cor_property_formula(const struct cor_property *property);

/* What a sequence says of it. */
struct cor_property_value {
    double value;          /* P: 1 satisfied, 0 violated; else the amount; NaN: unknown, also what was
                              open when a monitor or a mechanism ended the sequence */
    const double *numbers; /* S: of its cases, borrowed until it is asked again; NULL: of others, or unknown:
                              of a case, or since a failure in the black box ended it; value is their mean */
    size_t number_count;
    bool is_cut;      /* a monitor or a mechanism ended the sequence, not the algorithm; or a limit did */
    bool has_failed;  /* its row says so (struct cor_ending_source) */
    uint32_t decided; /* P: the case with which that was fixed; 0: the end of the sequence decided */
    uint32_t cases;   /* that it has */
};

/* Asks it of a sequence. COR_STATUS_INPUT: a formula asks for too much at once (temporal.h). */
enum cor_status cor_property_ask(struct cor_property *property, const struct cor_case_tables *rows,
                                 struct cor_property_value *value, struct cor_error *error) COR_MUST_USE;

/* What a suite has of a table: rows, one behind the other in ascending order of sequences. */
struct cor_asked_rows {
    const void *rows; /* borrowed */
    size_t count;
};

/* Asks a property of a layer whose schema says how rows of a sequence become its cases (cor_ending_source) of
 * sequence `sequence` of a suite, of which rows of the tables are given. What a sequence did not reach that a
 * limit cut is unknown, and whether it failed where a constraint stayed undecided. COR_STATUS_INPUT: its
 * cases were not kept; or as cor_property_ask. */
enum cor_status cor_property_ask_rows(struct cor_property *property,
                                      const struct cor_asked_rows suite[COR_ASKED_COUNT], uint32_t sequence,
                                      struct cor_property_value *value, struct cor_error *error) COR_MUST_USE;

/* Case by case, of a property with a formula: before the first case of a sequence; restart likewise, of one
 * that was begun: what its watch has learnt stays. */
enum cor_status cor_property_begin(struct cor_property *property, struct cor_error *error) COR_MUST_USE;
void cor_property_restart(struct cor_property *property);

/* Takes the next case. COR_STATUS_INPUT as cor_property_ask. */
enum cor_status cor_property_take(struct cor_property *property, const struct cor_case_rows *rows,
                                  struct cor_error *error) COR_MUST_USE;

/* What is taken of a case, `width` bytes; and the same taken once more, where a sequence goes on from. */
size_t cor_property_width(const struct cor_property *property);
const uint8_t *cor_property_taken(const struct cor_property *property);
enum cor_status cor_property_retake(struct cor_property *property, const uint8_t *taken,
                                    struct cor_error *error) COR_MUST_USE;

/* What the sequence says if it ends here. */
struct cor_property_value cor_property_now(const struct cor_property *property);

/* What the invariant measures, for how far "alarm" and "inside" are from being otherwise: as the case found
 * the system, and as it left it; NaN: not known, or there is no threshold. */
struct cor_property_measures {
    double found, left, threshold;
};

/* How far the formula is from holding. */
struct cor_property_distance {
    uint32_t cases; /* that have to come at least; COR_PROPERTY_NEVER: it does not, whatever comes */
    double degree;  /* how far what it asks of the next case was from being so in the last one */
};
#define COR_PROPERTY_NEVER UINT32_MAX

/* After the case that was taken last, if at most `left` cases come (cor_temporal_distance): comparisons are
 * off by what their sides lack, words and what is true or false by 1. */
enum cor_status cor_property_distance(struct cor_property *property,
                                      const struct cor_property_measures *measures, uint32_t left,
                                      struct cor_property_distance *distance,
                                      struct cor_error *error) COR_MUST_USE;

/* Why a sequence violates its formula: facts that suffice, a line each ("alarm holds in case 4"), owned by
 * the caller. Of rows for which cor_property_ask has said 0. */
enum cor_status cor_property_reasons(struct cor_property *property, const struct cor_case_tables *rows,
                                     char **lines, struct cor_error *error) COR_MUST_USE;

#endif
