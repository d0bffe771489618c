/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/oracle.h>

#include <corridor/array.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Two ways of summing the same values may differ by this much (docs: the edge of the invariant). */
#define EDGE 1e-9

/* What is known of an agent or of a block. Valid only while `stamp` is that of the present look, so a look
 * starts without clearing anything. */
struct mark {
    uint32_t stamp;
    uint32_t count; /* occurrences */
    uint32_t block; /* the last one it was seen in */
};

struct cor_oracle {
    uint32_t agent_count;  /* that there is room for */
    uint32_t stamp;        /* of the present look; 0 is never used */
    struct mark *agents;   /* owned */
    const uint8_t *absent; /* borrowed; [agent] not 0: is not there; NULL: all are */
    uint32_t *seen;        /* owned; [agent] stamp of the last look it was met in by is_everybody_once */
    struct mark
        *blocks; /* owned; used by the comparison: a partitioning has at most as many blocks as agents */
};

enum cor_status cor_oracle_create(uint32_t agent_count, struct cor_oracle **oracle, struct cor_error *error) {
    struct cor_oracle *made = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->agent_count = agent_count;
    made->agents = cor_calloc(agent_count, sizeof *made->agents);
    made->seen = cor_calloc(agent_count, sizeof *made->seen);
    made->blocks = cor_calloc(agent_count, sizeof *made->blocks);
    if (!made->agents || !made->seen || !made->blocks) {
        cor_oracle_destroy(made);
        return cor_fail_memory(error);
    }
    *oracle = made;
    return COR_OK;
}

void cor_oracle_destroy(struct cor_oracle *oracle) {
    if (!oracle)
        return;
    COR_FREE(oracle->agents, oracle->seen, oracle->blocks, oracle);
}

void cor_oracle_attend(struct cor_oracle *oracle, const uint8_t *absent) {
    oracle->absent = absent;
}

/* Is there an agent of that number? */
static inline bool is_there(const uint8_t *absent, uint32_t agent_count, uint32_t agent) {
    return agent < agent_count && !(absent && absent[agent]);
}

static uint32_t count_there(const uint8_t *absent, uint32_t agent_count) {
    uint32_t there = agent_count;
    for (uint32_t agent = 0; absent && agent < agent_count; agent++)
        there -= absent[agent] != 0;
    return there;
}

/* A new look: all marks are forgotten. Once in 2^32 looks they have to be wiped. */
static void look_anew(struct cor_oracle *oracle) {
    if (++oracle->stamp != 0)
        return;
    memset(oracle->agents, 0, oracle->agent_count * sizeof *oracle->agents);
    memset(oracle->seen, 0, oracle->agent_count * sizeof *oracle->seen);
    memset(oracle->blocks, 0, oracle->agent_count * sizeof *oracle->blocks);
    oracle->stamp = 1;
}

/* Notes one occurrence in `block`; returns how many there are by now. */
static uint32_t occur(const struct cor_oracle *oracle, struct mark *mark, uint32_t block) {
    if (mark->stamp != oracle->stamp)
        *mark = (struct mark){.stamp = oracle->stamp};
    mark->block = block;
    return ++mark->count;
}

/* Are the entries the agents that are there, each once? There are as many as agents, and everybody is among
 * them. The usual case, which needs no counting. */
static bool is_everybody_once(const struct cor_oracle *oracle, const struct cor_lists *lists,
                              uint32_t agent_count) {
    const uint32_t *members = lists->members, stamp = oracle->stamp;
    const uint32_t there = count_there(oracle->absent, agent_count);
    uint32_t *seen = oracle->seen, met = 0;
    if (lists->member_count != there)
        return false;
    for (uint32_t i = 0; i < there && is_there(oracle->absent, agent_count, members[i]); i++) {
        met += seen[members[i]] != stamp;
        seen[members[i]] = stamp;
    }
    return met == there;
}

void cor_judgement_add(struct cor_judgement *judgement, enum cor_check check, uint32_t agent,
                       uint32_t organization, double expected, double found) {
    COR_ASSERT(check > 0 && (int)check < COR_CHECK_CODES);
    judgement->violation_count++;
    if (judgement->count[check]++ < COR_JUDGEMENT_KEPT)
        judgement->kept[judgement->kept_count++] =
            (struct cor_violation){check, agent, organization, expected, found};
}

/* One look at lists, as the judges see it. */
struct look {
    struct cor_oracle *oracle;
    const struct cor_lists *lists;
    const struct cor_limits *limits;
    struct cor_judgement *judgement;
    uint32_t agent_count, there; /* agents; those that are there */
    uint32_t met;                /* agents of the system that occur */
};

/* C3, C4. An empty block is empty and not too small as well. */
static void judge_sizes(struct look *look) {
    const struct cor_limits *limits = look->limits;
    for (uint32_t b = 0; b < look->lists->block_count; b++) {
        uint32_t size = cor_lists_size(look->lists, b);
        if (size == 0)
            cor_judgement_add(look->judgement, COR_CHECK_EMPTY, COR_NOBODY, b, 1, size);
        else if (size < limits->size_min)
            cor_judgement_add(look->judgement, COR_CHECK_SIZE_LOW, COR_NOBODY, b, limits->size_min, size);
        else if (size > limits->size_max)
            cor_judgement_add(look->judgement, COR_CHECK_SIZE_HIGH, COR_NOBODY, b, limits->size_max, size);
    }
}

/* C2 of every entry; counts the others. */
static void judge_entries(struct look *look) {
    const struct cor_lists *lists = look->lists;
    if (is_everybody_once(look->oracle, lists, look->agent_count)) {
        look->met = look->there;
        return;
    }
    for (uint32_t b = 0; b < lists->block_count; b++) {
        const uint32_t *members = cor_lists_block(lists, b);
        for (uint32_t i = 0; i < cor_lists_size(lists, b); i++) {
            uint32_t agent = members[i];
            if (is_there(look->oracle->absent, look->agent_count, agent))
                look->met += occur(look->oracle, &look->oracle->agents[agent], b) == 1;
            else
                cor_judgement_add(look->judgement, COR_CHECK_UNKNOWN, agent, b, look->agent_count, agent);
        }
    }
}

/* C1 of every agent, once all have been counted. Everybody met, and no more entries than agents: nobody is
 * missing and nobody occurs twice. */
static void judge_agents(struct look *look) {
    if (look->met == look->there && look->lists->member_count <= look->there)
        return;
    for (uint32_t agent = 0; agent < look->agent_count; agent++) {
        const struct mark *mark = &look->oracle->agents[agent];
        if (!is_there(look->oracle->absent, look->agent_count, agent))
            continue;
        if (mark->stamp != look->oracle->stamp)
            cor_judgement_add(look->judgement, COR_CHECK_MISSING, agent, COR_NOBODY, 1, 0);
        else if (mark->count > 1)
            cor_judgement_add(look->judgement, COR_CHECK_DOUBLE, agent, mark->block, 1, mark->count);
    }
}

/* C5. */
static void judge_count(struct look *look) {
    uint32_t count = look->lists->block_count;
    if (count < look->limits->count_min)
        cor_judgement_add(look->judgement, COR_CHECK_COUNT_LOW, COR_NOBODY, COR_NOBODY,
                          look->limits->count_min, count);
    if (count > look->limits->count_max)
        cor_judgement_add(look->judgement, COR_CHECK_COUNT_HIGH, COR_NOBODY, COR_NOBODY,
                          look->limits->count_max, count);
}

/* What lists are judged by, in this order. A new check is a row of COR_CHECKS (terms.h) and a judge here. */
static void (*const judges[])(struct look *look) = {judge_sizes, judge_entries, judge_agents, judge_count};

void cor_oracle_judge(struct cor_oracle *oracle, const struct cor_lists *lists, uint32_t agent_count,
                      const struct cor_limits *limits, struct cor_judgement *judgement) {
    COR_ASSERT(agent_count <= oracle->agent_count);
    cor_judgement_init(judgement);
    look_anew(oracle);
    const uint32_t there = count_there(oracle->absent, agent_count);
    struct look look = {oracle, lists, limits, judgement, agent_count, there, 0};
    for (size_t j = 0; j < sizeof judges / sizeof *judges; j++)
        judges[j](&look);
}

/* Whether every agent occurs in exactly one block and no block is empty. */
static bool is_partitioning(struct cor_oracle *oracle, const struct cor_lists *lists, uint32_t agent_count) {
    look_anew(oracle);
    for (uint32_t b = 0; b < lists->block_count; b++)
        if (cor_lists_size(lists, b) == 0)
            return false;
    return is_everybody_once(oracle, lists, agent_count);
}

/* The place in structure block `block` of the first member that is not where it should be, the size of the
 * block if all are. Where the first member's block of the solution belongs to an earlier block already, it is
 * the first. */
static uint32_t first_stray(struct cor_oracle *oracle, const struct cor_lists *structure, uint32_t block) {
    const uint32_t *members = cor_lists_block(structure, block);
    uint32_t size = cor_lists_size(structure, block), stray = 1, home = oracle->agents[members[0]].block;
    if (occur(oracle, &oracle->blocks[home], block) > 1)
        return 0;
    while (stray < size && oracle->agents[members[stray]].block == home)
        stray++;
    return stray;
}

void cor_oracle_compare(struct cor_oracle *oracle, const struct cor_lists *structure,
                        const struct cor_lists *solution, uint32_t agent_count,
                        struct cor_judgement *judgement) {
    COR_ASSERT(agent_count <= oracle->agent_count);
    if (!is_partitioning(oracle, structure, agent_count) || !is_partitioning(oracle, solution, agent_count))
        return;
    /* Notes in the marks of all agents the block of each. */
    for (uint32_t i = 0; i < solution->block_count; i++)
        for (uint32_t m = solution->start[i]; m < solution->start[i + 1]; m++)
            oracle->agents[solution->members[m]].block = i;
    for (uint32_t b = 0; b < structure->block_count; b++) {
        uint32_t stray = first_stray(oracle, structure, b);
        if (stray == cor_lists_size(structure, b))
            continue;
        uint32_t agent = cor_lists_block(structure, b)[stray];
        cor_judgement_add(judgement, COR_CHECK_NOT_ADOPTED, agent, b, oracle->agents[agent].block, b);
    }
}

/* The mean value of the known members of a block; false if there are none. */
static bool block_mean(const struct cor_lists *lists, uint32_t block, const double *values,
                       const uint8_t *absent, uint32_t agent_count, double *mean) {
    const uint32_t *members = cor_lists_block(lists, block), size = cor_lists_size(lists, block);
    double sum = 0;
    uint32_t unknown = 0; /* these are counted, as there are next to none */
    for (uint32_t i = 0; i < size; i++) {
        if (is_there(absent, agent_count, members[i]))
            sum += values[members[i]];
        else
            unknown++;
    }
    if (unknown == size)
        return false;
    *mean = sum / (size - unknown);
    return true;
}

static double mean_of(const double *values, const uint8_t *absent, uint32_t count) {
    const uint32_t there = count_there(absent, count);
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        if (is_there(absent, count, i))
            sum += values[i];
    return there > 0 ? sum / there : 0;
}

double cor_oracle_dissimilarity(const struct cor_lists *structure, const double *values,
                                const uint8_t *absent, uint32_t agent_count, enum cor_measure measure) {
    COR_ASSERT(measure > 0 && (int)measure < COR_MEASURE_CODES);
    double centre = measure == COR_MEASURE_RANGE ? 0 : mean_of(values, absent, agent_count);
    double least = 0, most = 0, squares = 0, mean;
    uint32_t blocks = 0;
    for (uint32_t b = 0; b < structure->block_count; b++) {
        if (!block_mean(structure, b, values, absent, agent_count, &mean))
            continue;
        double deviation = mean - centre;
        if (blocks == 0 || deviation < least)
            least = deviation;
        if (blocks == 0 || deviation > most)
            most = deviation;
        squares += deviation * deviation;
        blocks++;
    }
    if (blocks == 0)
        return 0;
    switch (measure) {
    case COR_MEASURE_RANGE:
        return most - least;
    case COR_MEASURE_MAX_DEVIATION:
        return -least > most ? -least : most;
    case COR_MEASURE_RMS:
        return sqrt(squares / blocks);
    }
    base__assertion_failed("measure is one of cor_measure", __FILE__, __LINE__);
}

enum cor_inside cor_oracle_inside(double dissimilarity, double threshold) {
    double over = dissimilarity - threshold;
    if (over >= -EDGE && over <= EDGE)
        return COR_INSIDE_EDGE;
    return dissimilarity <= threshold ? COR_INSIDE_INSIDE : COR_INSIDE_OUTSIDE;
}

void cor_oracle_judge_alarm(int alarm, enum cor_inside inside, double dissimilarity, double threshold,
                            struct cor_judgement *judgement) {
    COR_ASSERT(inside > 0 && (int)inside < COR_INSIDE_CODES);
    if (inside == (alarm ? COR_INSIDE_INSIDE : COR_INSIDE_OUTSIDE))
        cor_judgement_add(judgement, alarm ? COR_CHECK_ALARM_FALSE : COR_CHECK_ALARM_MISSED, COR_NOBODY,
                          COR_NOBODY, threshold, dissimilarity);
}
