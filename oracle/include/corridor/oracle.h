/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The oracle (003, 4.4): judges raw lists and value columns against the corridor of correct behaviour. It
 * knows neither the simulator nor the algorithms, and believes nothing it can count itself. */
#ifndef CORRIDOR_ORACLE_H
#define CORRIDOR_ORACLE_H

#include <corridor/error.h>
#include <corridor/lists.h>
#include <corridor/terms.h>

#include <stdint.h>

/* Violations found by one look. The first COR_JUDGEMENT_KEPT of each check are kept as data, all are counted.
 */
#define COR_JUDGEMENT_KEPT 4
struct cor_judgement {
    uint32_t violation_count; /* all */
    uint32_t kept_count;
    uint32_t count[COR_CHECK_CODES]; /* by enum cor_check */
    struct cor_violation kept[COR_JUDGEMENT_KEPT * COR_CHECK_CODES];
};

/* Nothing found yet. What is kept begins where something is found, so it need not be cleared. */
static inline void cor_judgement_init(struct cor_judgement *judgement) {
    judgement->violation_count = judgement->kept_count = 0;
    for (int check = 0; check < COR_CHECK_CODES; check++)
        judgement->count[check] = 0;
}

/* Counts a violation, and keeps it if it is one of the first of its check. */
void cor_judgement_add(struct cor_judgement *judgement, enum cor_check check, uint32_t agent,
                       uint32_t organization, double expected, double found);

/* The oracle's scratch memory: some words an agent, never cleared between looks. */
struct cor_oracle;

/* For systems of up to `agent_count` agents; destroying it frees it, NULL is allowed. */
enum cor_status cor_oracle_create(uint32_t agent_count, struct cor_oracle **oracle,
                                  struct cor_error *error) COR_MUST_USE;
void cor_oracle_destroy(struct cor_oracle *oracle);

/* From now on agents for which absent[agent] is not 0 are not there: none is to be in a partition, and one
 * that is counts as unknown. Borrowed until the next call of this; NULL: all are there, as at the beginning.
 */
void cor_oracle_attend(struct cor_oracle *oracle, const uint8_t *absent);

/* Is `lists` a partitioning of the agents 0 .. agent_count-1 within the limits? Checks C1 (exactly once), C2
 * (no unknown agent, one violation an entry), C3 (no empty partition), C4 (sizes of those that are not
 * empty), C5 (count, empty ones included). Sizes count entries, repeated and unknown ones included. Gray box
 * on a solution, black box on a structure. Clears `judgement` first. agent_count may not exceed that of the
 * oracle. O(agents + entries + blocks). */
void cor_oracle_judge(struct cor_oracle *oracle, const struct cor_lists *lists, uint32_t agent_count,
                      const struct cor_limits *limits, struct cor_judgement *judgement);

/* C7: does the structure equal the solution that was accepted, block names aside? Adds COR_CHECK_NOT_ADOPTED
 * violations, at most one for each partition of the structure. Meaningful where both passed C1 to C3 of
 * cor_oracle_judge (else nothing is added: there is nothing to agree with).
 * In the violation: agent, its partition in the structure (found) and in the solution (expected). Two agents
 * together in one and apart in the other disagree; the agent reported is the first, in the order of the
 * structure's lists, that the solution puts apart from those its partition began with; where the partition's
 * first agent belongs with an earlier partition, it is that agent. */
void cor_oracle_compare(struct cor_oracle *oracle, const struct cor_lists *structure,
                        const struct cor_lists *solution, uint32_t agent_count,
                        struct cor_judgement *judgement);

/* The dissimilarity of the partitions' mean values (so the invariant is: at most the threshold), recomputed
 * from raw values in fixed order: block after block. Partitions without a known member are passed over; no
 * partition gives 0. The mean M of MAX_DEVIATION and RMS is that of values[0 .. agent_count), of agents that
 * are there by `absent`, as above. */
double cor_oracle_dissimilarity(const struct cor_lists *structure, const double *values,
                                const uint8_t *absent, uint32_t agent_count, enum cor_measure measure);

/* The verdict on the invariant: EDGE within 1e-9 of the threshold, where two ways of summing may differ. */
enum cor_inside cor_oracle_inside(double dissimilarity, double threshold);

/* R-Detect: alarm raised if and only if outside. Adds ALARM_MISSED or ALARM_FALSE to `judgement`; EDGE and
 * NOT_LOOKED add nothing. */
void cor_oracle_judge_alarm(int alarm, enum cor_inside inside, double dissimilarity, double threshold,
                            struct cor_judgement *judgement);

#endif
