/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The likeliest way into each state at each case, by dynamic programming (Viterbi's), for each group of
 * environments that the condition joins; then the best case of all groups. Products are compared as
 * mantissa and exponent. */
#include <corridor/array.h>
#include <corridor/condition_walk.h>
#include <corridor/joint.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REMEMBERED_MAX 50000000 /* steps: states times cases */

/* Environments that are joined, and what is known of them at each case. */
struct group {
    struct cor_joint *joint;
    uint8_t *hit;                /* owned; [arc] */
    uint32_t *from;              /* owned; [case - 1][state] the state before, on the likeliest way */
    struct cor_weight *best;     /* owned; [case - 1] of the likeliest way that ends in a hit */
    uint32_t *hit_from, *hit_to; /* owned; [case - 1] its last arc */
};

static void fini_group(struct group *group) {
    cor_joint_destroy(group->joint);
    free(group->hit);
    free(group->from);
    free(group->best);
    free(group->hit_from);
    free(group->hit_to);
    *group = (struct group){0};
}

/* Takes the likeliest ways a case on. */
static void advance(const struct group *group, const struct cor_weight *way, struct cor_weight *next,
                    uint32_t at) {
    const struct cor_joint *joint = group->joint;
    uint32_t *from = group->from + (size_t)at * joint->state_count;
    memset(next, 0, joint->state_count * sizeof *next);
    group->best[at] = cor_weight_of(0);
    for (uint32_t x = 0; x < joint->state_count; x++) {
        if (way[x].mantissa == 0)
            continue;
        for (uint32_t arc = joint->first[x]; arc < joint->first[x + 1]; arc++) {
            const uint32_t y = joint->next[arc];
            const struct cor_weight here = cor_weight_times(way[x], cor_weight_of(joint->probability[arc]));
            if (cor_weight_less(next[y], here)) {
                next[y] = here;
                from[y] = x;
            }
            if (group->hit[arc] && cor_weight_less(group->best[at], here)) {
                group->best[at] = here;
                group->hit_from[at] = x;
                group->hit_to[at] = y;
            }
        }
    }
}

static enum cor_status walk_group(struct group *group, uint32_t case_count, struct cor_error *error) {
    const uint32_t states = group->joint->state_count;
    enum cor_status status = COR_OK;
    if ((uint64_t)states * case_count > REMEMBERED_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "look at fewer cases",
                        "%u states of environments over %u cases are more than can be remembered", states,
                        case_count);
    struct cor_weight *way = cor_calloc(states, sizeof *way), *next = cor_calloc(states, sizeof *next);
    group->from = cor_calloc((size_t)states * case_count, sizeof *group->from);
    group->best = cor_calloc(case_count, sizeof *group->best);
    group->hit_from = cor_calloc(case_count, sizeof *group->hit_from);
    group->hit_to = cor_calloc(case_count, sizeof *group->hit_to);
    COR_TRY_OUT(way && next && group->from && group->best && group->hit_from && group->hit_to
                    ? COR_OK
                    : cor_fail_memory(error));
    for (uint32_t x = 0; x < states; x++)
        way[x] = cor_weight_of(group->joint->start[x]);
    for (uint32_t at = 0; at < case_count; at++) {
        advance(group, way, next, at);
        struct cor_weight *const before = way;
        way = next;
        next = before;
    }
out:
    free(way);
    free(next);
    return status;
}

static enum cor_status make_group(const struct cor_condition_question *question, uint64_t members,
                                  struct group *group, struct cor_error *error) {
    const struct cor_profile *profiles[COR_CONDITION_ENVIRONMENTS_MAX];
    uint32_t environments[COR_CONDITION_ENVIRONMENTS_MAX], count = 0;
    for (uint32_t e = 0; e < COR_CONDITION_ENVIRONMENTS_MAX; e++)
        if (members >> e & 1) {
            environments[count] = e;
            profiles[count++] = question->profiles[e];
        }
    COR_TRY(cor_joint_create(count, environments, profiles, &group->joint, error));
    group->hit = cor_calloc(group->joint->first[group->joint->state_count], sizeof *group->hit);
    COR_TRY(cor_made(group->hit, error));
    cor_joint_hits(group->joint, question->condition, question->facts, group->hit);
    return COR_OK;
}

static void write_states(const struct group *group, uint32_t environment_count, uint32_t case_index,
                         uint32_t state, uint8_t *states) {
    for (uint32_t c = 0; c < group->joint->chain_count; c++)
        states[(size_t)case_index * environment_count + group->joint->environments[c]] =
            cor_joint_part(group->joint, state, c);
}

static enum cor_status trace(const struct group *groups, uint32_t group_count, uint32_t environment_count,
                             uint32_t case_count, struct cor_weight probability,
                             struct cor_condition_walk *walk, struct cor_error *error) {
    const size_t size = ((size_t)case_count + 1) * environment_count;
    *walk = (struct cor_condition_walk){case_count, probability, cor_calloc(size, 1)};
    COR_TRY(cor_made(walk->states, error));
    memset(walk->states, 255, size);
    for (uint32_t g = 0; g < group_count; g++) {
        const struct group *group = &groups[g];
        write_states(group, environment_count, case_count, group->hit_to[case_count - 1], walk->states);
        uint32_t state = group->hit_from[case_count - 1];
        for (uint32_t at = case_count - 1;; at--) {
            write_states(group, environment_count, at, state, walk->states);
            if (at == 0)
                break;
            state = group->from[(size_t)(at - 1) * group->joint->state_count + state];
        }
    }
    return COR_OK;
}

static enum cor_status find_walks(const struct cor_condition_question *question, const struct group *groups,
                                  uint32_t group_count, struct cor_condition_answer *answer,
                                  struct cor_error *error) {
    const uint32_t environments = cor_vocabulary_environments(question->facts->vocabulary);
    struct cor_weight likeliest = cor_weight_of(0), shortest = cor_weight_of(0);
    uint32_t likeliest_case = 0, shortest_case = 0;
    for (uint32_t at = 0; at < question->case_count; at++) {
        struct cor_weight together = cor_weight_of(1);
        for (uint32_t g = 0; g < group_count; g++)
            together = cor_weight_times(together, groups[g].best[at]);
        if (cor_weight_less(likeliest, together)) {
            likeliest = together;
            likeliest_case = at + 1;
        }
        if (shortest_case == 0 && together.mantissa > 0) {
            shortest = together;
            shortest_case = at + 1;
        }
    }
    if (likeliest_case == 0)
        return COR_OK;
    COR_TRY(trace(groups, group_count, environments, likeliest_case, likeliest, &answer->likeliest, error));
    return trace(groups, group_count, environments, shortest_case, shortest, &answer->shortest, error);
}

/* The probability of each case to be the first that meets the condition: what has not met it yet is taken on
 * case by case. */
static enum cor_status count_first(const struct cor_condition_question *question, const struct group *all,
                                   struct cor_condition_answer *answer, struct cor_error *error) {
    const struct cor_joint *joint = all->joint;
    enum cor_status status = COR_OK;
    double *here = cor_calloc(joint->state_count, sizeof *here),
           *next = cor_calloc(joint->state_count, sizeof *next), weighted = 0;
    COR_TRY_OUT(here && next ? COR_OK : cor_fail_memory(error));
    memcpy(here, joint->start, joint->state_count * sizeof *here);
    for (uint32_t at = 0; at < question->case_count; at++) {
        memset(next, 0, joint->state_count * sizeof *next);
        for (uint32_t x = 0; x < joint->state_count; x++)
            for (uint32_t arc = joint->first[x]; here[x] > 0 && arc < joint->first[x + 1]; arc++)
                *(all->hit[arc] ? &answer->first[at] : &next[joint->next[arc]]) +=
                    here[x] * joint->probability[arc];
        answer->probability += answer->first[at];
        weighted += answer->first[at] * (at + 1);
        double *const before = here;
        here = next;
        next = before;
    }
    if (answer->probability > 0)
        answer->expected = weighted / answer->probability;
out:
    free(here);
    free(next);
    return status;
}

static enum cor_status answer_all(const struct cor_condition_question *question, uint64_t *members,
                                  struct group *groups, uint32_t group_count, struct group *all,
                                  struct cor_condition_answer *answer, struct cor_error *error) {
    for (uint32_t g = 0; g < group_count; g++) {
        COR_TRY(make_group(question, members[g], &groups[g], error));
        COR_TRY(walk_group(&groups[g], question->case_count, error));
    }
    COR_TRY(find_walks(question, groups, group_count, answer, error));
    const struct cor_profile *profiles[COR_CONDITION_ENVIRONMENTS_MAX];
    uint32_t count = 0;
    uint64_t together = 0;
    for (uint32_t g = 0; g < group_count; g++)
        together |= members[g];
    for (uint32_t e = 0; e < COR_CONDITION_ENVIRONMENTS_MAX; e++)
        if (together >> e & 1)
            profiles[count++] = question->profiles[e];
    answer->is_counted = cor_joint_is_small(count, profiles);
    if (!answer->is_counted)
        return COR_OK;
    COR_TRY(make_group(question, together, all, error));
    return count_first(question, all, answer, error);
}

enum cor_status cor_condition_answer(const struct cor_condition_question *question,
                                     struct cor_condition_answer *answer, struct cor_error *error) {
    const struct cor_case_condition *condition = question->condition;
    uint64_t members[COR_CONDITION_ENVIRONMENTS_MAX] = {0};
    struct group groups[COR_CONDITION_ENVIRONMENTS_MAX] = {{0}}, all = {0};
    COR_ASSERT(!cor_case_condition_root(condition)->reads_reaction && question->case_count > 0);
    *answer = (struct cor_condition_answer){.expected = NAN, .probability = 0};
    answer->first = cor_calloc(question->case_count, sizeof *answer->first);
    COR_TRY(cor_made(answer->first, error));
    /* Groups of environments that some conjunct joins: sets, disjoint; their number. */
    uint32_t group_count = 0;
    for (uint32_t i = 0; i < condition->conjunct_count; i++) {
        uint64_t joined = condition->parts[condition->conjuncts[i]].environments;
        uint32_t kept = 0;
        for (uint32_t g = 0; g < group_count; g++) {
            if (members[g] & joined)
                joined |= members[g];
            else
                members[kept++] = members[g];
        }
        group_count = kept;
        if (joined)
            members[group_count++] = joined;
    }
    enum cor_status status = answer_all(question, members, groups, group_count, &all, answer, error);
    for (uint32_t g = 0; g < group_count; g++)
        fini_group(&groups[g]);
    fini_group(&all);
    if (status != COR_OK)
        cor_condition_answer_fini(answer);
    return status;
}

void cor_condition_answer_fini(struct cor_condition_answer *answer) {
    free(answer->likeliest.states);
    free(answer->shortest.states);
    free(answer->first);
    *answer = (struct cor_condition_answer){0};
}
