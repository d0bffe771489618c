/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Taking agents and organizations away where the initial structure is no partitioning. What is left is of its
 * kind again: an organization goes when nobody is in it or below it, and one that two became stands where the
 * higher of them stood. */
#include "shrinker.h"

#include <corridor/array.h>
#include <corridor/bounds.h>
#include <corridor/hash.h>
#include <corridor/minimize.h>

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many stand above an organization. */
static uint32_t depth_of(const struct cor_lists *lists, uint32_t organization) {
    uint32_t depth = 0;
    while (lists->nests && lists->parent[organization] != COR_NOBODY) {
        organization = lists->parent[organization];
        depth++;
    }
    return depth;
}

/* Organization `to` of what is left: whoever is left of those that became it, ascending. */
static enum cor_status put_members(const struct cor_lists *from, const uint32_t *number, uint32_t to,
                                   const uint32_t *agent, uint32_t agents, uint32_t *scratch,
                                   struct cor_lists *lists, struct cor_error *error) {
    uint32_t count = 0;
    memset(scratch, 0, agents * sizeof *scratch);
    for (uint32_t o = 0; o < from->block_count; o++)
        for (uint32_t m = from->start[o]; number[o] == to && m < from->start[o + 1]; m++)
            if (agent[from->members[m]] != COR_NOBODY)
                scratch[agent[from->members[m]]] = 1;
    for (uint32_t i = 0; i < agents; i++)
        if (scratch[i] == 1)
            scratch[count++] = i;
    return cor_lists_put(lists, scratch, count, error);
}

/* The structure with organization o as number[o] of `count`, COR_NOBODY: gone, and agent i as agent[i] of
 * `agents`. */
static enum cor_status renumber(struct cor_configuration *c, const uint32_t *number, uint32_t count,
                                const uint32_t *agent, uint32_t agents, struct cor_error *error) {
    COR_FINISHED(cor_lists) struct cor_lists lists = {0};
    struct cor_lists *from = &c->initial_organizations;
    cor_lists_init(&lists);
    COR_FREED uint32_t *scratch = cor_calloc(agents, sizeof *scratch);
    COR_TRY(cor_made(scratch, error));
    for (uint32_t to = 0; to < count; to++)
        COR_TRY(put_members(from, number, to, agent, agents, scratch, &lists, error));
    for (uint32_t to = 0; from->nests && to < lists.block_count; to++) {
        uint32_t highest = COR_NOBODY;
        for (uint32_t o = 0; o < from->block_count; o++)
            if (number[o] == to && (highest == COR_NOBODY || depth_of(from, o) < depth_of(from, highest)))
                highest = o;
        const uint32_t parent = from->parent[highest];
        COR_TRY(cor_lists_hang(&lists, to, parent == COR_NOBODY ? COR_NOBODY : number[parent], error));
    }
    cor_lists_fini(from);
    *from = lists;
    cor_lists_init(&lists);
    c->initial_partitions = from->block_count;
    return COR_OK;
}

/* The same of an initial structure that is no partitioning (shrink.c): without agents; with one
 * organization less, whose members `to` has; who is in organizations that are to go. */
static enum cor_status lists_drop_agents(struct cor_configuration *c, const bool *gone,
                                         struct cor_error *error) {
    const struct cor_lists *lists = &c->initial_organizations;
    COR_FREED uint32_t *agent = cor_calloc(c->agent_count, sizeof *agent);
    COR_FREED uint32_t *number = cor_calloc(lists->block_count, sizeof *number);
    uint32_t agents = 0, count = 0;
    COR_TRY(cor_made(agent, error));
    COR_TRY(cor_made(number, error));
    for (uint32_t i = 0; i < c->agent_count; i++)
        agent[i] = gone[i] ? COR_NOBODY : agents++;
    /* Who has somebody left is there, and so is all above it: number 1. */
    for (uint32_t o = 0; o < lists->block_count; o++) {
        bool is_left = false;
        for (uint32_t m = lists->start[o]; m < lists->start[o + 1]; m++)
            is_left = is_left || !gone[lists->members[m]];
        for (uint32_t at = o; is_left && at != COR_NOBODY; at = lists->nests ? lists->parent[at] : COR_NOBODY)
            number[at] = 1;
    }
    for (uint32_t o = 0; o < lists->block_count; o++)
        number[o] = number[o] == 1 ? count++ : COR_NOBODY;
    return renumber(c, number, count, agent, agents, error);
}

static enum cor_status lists_merge(struct cor_configuration *c, uint32_t from, uint32_t to,
                                   struct cor_error *error) {
    const uint32_t count = c->initial_partitions;
    COR_ASSERT(to < from && from < count);
    COR_FREED uint32_t *agent = cor_calloc(c->agent_count, sizeof *agent);
    COR_FREED uint32_t *number = cor_calloc(count, sizeof *number);
    COR_TRY(cor_made(agent, error));
    COR_TRY(cor_made(number, error));
    for (uint32_t i = 0; i < c->agent_count; i++)
        agent[i] = i;
    for (uint32_t o = 0; o < count; o++)
        number[o] = o == from ? to : o - (o > from);
    return renumber(c, number, count - 1, agent, c->agent_count, error);
}

/* ---- what parts and numbers of a test are called: by the model's names where it has them */

#define AGENTS_NAMED 4 /* of a chain */

COR_PRINTF(2, 3) static void add(struct sequence__list *list, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(list->text + list->used, sizeof list->text - list->used, format, arguments);
    va_end(arguments);
    const size_t used = list->used + (size_t)(size > 0 ? size : 0);
    list->used = used < sizeof list->text ? used : sizeof list->text - 1;
}

void sequence__list_put(struct sequence__list *list, const char *item, bool last) {
    const uint32_t named = list->named > 0 ? list->named : SEQUENCE__LISTED;
    if (list->count++ < named)
        add(list, "%s%s", list->count == 1 ? "" : last ? " and " : ", ", item);
    else if (last)
        add(list, " and %u more", list->count - named);
}

void sequence__list_put_number(struct sequence__list *list, uint64_t number, bool last) {
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    sequence__list_put(list, text, last);
}

static const char *environment_of(const struct cor_test *test, uint32_t profile) {
    return test->suite->experiment->model->environments[test->suite->environment_of_profile[profile]].name;
}

/* Is there another profile, or chain, of the same environment? */
static bool is_one_of_several(const struct cor_test *test, uint32_t index, bool is_chain) {
    const struct cor_configuration *c = test->suite->configuration;
    const uint16_t *of = test->suite->environment_of_profile;
    const uint32_t count = is_chain ? c->chain_count : c->profile_count;
    uint32_t same = 0;
    for (uint32_t i = 0; i < count; i++)
        same += is_chain ? of[c->profile_of_chain[i]] == of[c->profile_of_chain[index]] : of[i] == of[index];
    return same > 1;
}

/* Whether an agent of a group perceives the chain first of all, or comes and goes by it. */
static bool is_chain_of(const struct cor_configuration *c, uint32_t group, uint32_t agent, uint32_t chain) {
    return cor_configuration_chain(c, c->type[agent], group) == chain ||
           (c->presence_chain && c->presence_chain[agent] == chain);
}

/* " (agents 0, 4 and 7)": those that it is the chain of. None: nothing, and false. */
static bool put_agents(const struct cor_configuration *c, uint32_t chain, char *text, size_t size) {
    uint32_t count = 0;
    for (uint32_t g = 0; g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++)
            count += is_chain_of(c, g, i, chain);
    struct sequence__list list = {.named = count > AGENTS_NAMED ? AGENTS_NAMED - 1 : AGENTS_NAMED};
    for (uint32_t g = 0; g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++)
            if (is_chain_of(c, g, i, chain))
                sequence__list_put_number(&list, cor_configuration_identity(c, i), list.count + 1 == count);
    if (count > 0)
        snprintf(text, size, " (agent%s %s)", count == 1 ? "" : "s", list.text);
    return count > 0;
}

void sequence__chain_text(const struct cor_test *test, uint32_t chain, char *text, size_t size) {
    const struct cor_configuration *c = test->suite->configuration;
    snprintf(text, size, "%s", environment_of(test, c->profile_of_chain[chain]));
    const size_t named = strlen(text);
    /* nobody's own: a type looks at it beside another */
    if (is_one_of_several(test, chain, true) && !put_agents(c, chain, text + named, size - named))
        snprintf(text + named, size - named, " (chain %u)", chain);
}

void sequence__slot_text(const struct cor_test *test, const struct cor_slot *slot, char *text, size_t size) {
    static const char *const words[] = {
        "", /* a parameter has a name of its own */
        "the budget",
        "the least size",
        "the greatest size",
        "the least number of partitions",
        "the greatest number of partitions",
        "the delay of activation",
        "the monitor's delay",
        "the greatest delay of mail",
        "the rounds until a crashed agent is restarted",
        "the place of the chain of",
        "the probability to idle",
        "the probability of the monitor's fault",
        "the probability of the fault of adoption",
        "the probability of the fault of the result",
        "the probability of a crash",
        "the share of mail that is lost",
        "the share of mail that comes twice",
        "the threshold",
        "", /* a level: of what */
        "the inertia of agent",
    };
    const struct cor_configuration *c = test->suite->configuration;
    char chain[128];
    if (slot->kind == COR_SLOT_PARAMETER) {
        snprintf(text, size, "parameter %s", cor_parameter_laws_name(test->arm.laws, slot->first));
    } else if (slot->kind == COR_SLOT_LEVEL) {
        const uint32_t profiles = test->suite->configuration->profile_count;
        const uint32_t type = slot->first / profiles, profile = slot->first % profiles;
        /* Of agents of the type in the environment of the profile; NULL: it has none. */
        const struct cor_agent_type *t = &test->suite->experiment->model->types[type];
        const struct cor_profile *p = test->suite->profiles[profile];
        char *const *names = t->fixed ? t->fixed->state_names : t->state_names ? t->state_names : p->states;
        const uint32_t count = t->fixed         ? t->fixed->state_count
                               : t->state_names ? t->state_count
                                                : p->state_count;
        const char *state = names && slot->second < count ? names[slot->second] : NULL;
        char number[32];
        snprintf(number, sizeof number, "%u", slot->second);
        snprintf(text, size, "the level of state %s of type %s in environment %s", state ? state : number,
                 test->suite->experiment->model->types[type].name, environment_of(test, profile));
        const size_t named = strlen(text);
        if (is_one_of_several(test, profile, false))
            snprintf(text + named, size - named, " (profile %u)", profile);
    } else if (slot->kind == COR_SLOT_INERTIA) {
        snprintf(text, size, "%s %u", words[slot->kind], cor_configuration_identity(c, slot->first));
    } else if (slot->kind == COR_SLOT_LOCATION) {
        sequence__chain_text(test, slot->first, chain, sizeof chain);
        snprintf(text, size, "%s %s", words[slot->kind], chain);
    } else {
        snprintf(text, size, "%s", words[slot->kind]);
    }
}

/* ---- taking parts of a test away, in the arrays that are there: they only get shorter */

static struct cor_walk *walk_of(struct cor_test *test) {
    return &test->suite->recorded[0];
}

/* Is how its mail goes drawn, rather than data? */
static bool test_draws_mail(const struct cor_test *test) {
    const enum cor_mail mode = test->arm.session.mail.mode;
    return !test->schedule && mode != COR_MAIL_IN_ORDER && mode != COR_MAIL_RECORDED;
}

/* Mail of cases that are gone is of no reorganization; both ascend. */
static void drop_strays(struct cor_test *test) {
    struct cor_mail_record *schedule = test->schedule;
    const uint32_t cases = walk_of(test)->case_count;
    size_t left = 0;
    for (size_t i = 0, at = 0; schedule && i < schedule->count; i++) {
        const uint64_t identity = schedule->entries[i].identity;
        while (at < cases && (test->case_identity ? test->case_identity[at] : at + 1) < identity)
            at++;
        if (at < cases && (test->case_identity ? test->case_identity[at] : at + 1) == identity)
            schedule->entries[left++] = schedule->entries[i];
    }
    if (schedule)
        cor_mail_record_drop(schedule, left, schedule->count - left);
}

static void set_cases(struct cor_test *test, uint32_t cases) {
    walk_of(test)->case_count = walk_of(test)->known = cases;
    test->suite->case_counts[0] = cases;
    drop_strays(test);
}

static enum cor_status sequence__test_drop_cases(struct cor_test *test, const bool *gone, bool *can,
                                                 struct cor_error *error) {
    struct cor_walk *walk = walk_of(test);
    const size_t chains = walk->chain_count;
    uint32_t left = 0;
    for (uint32_t i = 0; i < walk->case_count; i++)
        left += !gone[i];
    *can = left > 0;
    if (!*can)
        return COR_OK;
    /* From index to identity, where that is all there was. */
    const uint32_t count = walk_of(test)->case_count;
    if (!test->case_identity) {
        COR_TRY(cor_made(test->case_identity = cor_calloc(count, sizeof *test->case_identity), error));
        for (uint32_t i = 0; i < count; i++)
            test->case_identity[i] = i + 1;
    }
    left = 0;
    for (uint32_t i = 0; i < walk->case_count; i++) {
        if (gone[i])
            continue;
        test->case_identity[left++] = test->case_identity[i];
        memmove(walk->states + left * chains, walk->states + (i + 1) * chains, chains);
    }
    set_cases(test, left);
    return COR_OK;
}

void cor_test_truncate(struct cor_test *test, uint32_t cases) {
    COR_ASSERT(cases >= 1 && cases <= walk_of(test)->case_count);
    set_cases(test, cases);
}

/* New numbers for what is left, in order: into number[]; how many. */
static uint32_t renumber_structure(const bool *there, uint32_t count, uint32_t *number) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        if (there[i])
            number[i] = left++;
    return left;
}

/* Whether an agent of a group perceives its chain of a profile. */
static bool is_perceived(const struct cor_configuration *c, uint32_t group, uint32_t profile) {
    for (uint32_t i = c->group_start[group]; i < c->group_start[group + 1]; i++) {
        const uint32_t chain = cor_configuration_chain(c, c->type[i], group);
        const struct cor_effect *effect = cor_configuration_effect(c, c->type[i], chain);
        if (c->profile_of_chain[chain] == profile)
            return true;
        for (uint32_t o = 0; o < effect->other_count; o++)
            if (effect->others[o].profile == profile)
                return true;
    }
    return false;
}

/* Chains without a group or an agent that comes and goes by them go, with their columns of the walk. */
static void drop_chains(struct cor_test *test, bool *there, uint32_t *number) {
    struct cor_configuration *c = test->suite->configuration;
    struct cor_walk *walk = walk_of(test);
    const uint32_t before = c->chain_count;
    memset(there, 0, before * sizeof *there);
    /* Where types live apart, a group has no chains but those that its agents perceive; its own is the first
     * of them if it is nobody's. */
    for (uint32_t g = 0; c->profile_of_type && g < c->group_count; g++) {
        uint32_t *chains = c->other_chains + (size_t)g * c->profile_count, first = COR_NOBODY;
        for (uint32_t p = c->profile_count; p-- > 0;) {
            if (chains[p] != COR_NOBODY && !is_perceived(c, g, p))
                chains[p] = COR_NOBODY;
            first = chains[p] != COR_NOBODY ? chains[p] : first;
        }
        bool is_own = false; /* of a type that lives wherever its group does */
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++)
            is_own = is_own || c->profile_of_type[c->type[i]] == COR_NOBODY;
        if (!is_own)
            c->chain_of_group[g] = first;
    }
    for (uint32_t g = 0; g < c->group_count; g++)
        there[c->chain_of_group[g]] = true;
    const size_t others = c->other_chains ? (size_t)c->group_count * c->profile_count : 0;
    for (size_t i = 0; i < others; i++)
        if (c->other_chains[i] != COR_NOBODY)
            there[c->other_chains[i]] = true;
    for (uint32_t i = 0; c->presence_chain && i < c->agent_count; i++)
        if (c->presence_chain[i] != COR_NOBODY)
            there[c->presence_chain[i]] = true;
    c->chain_count = renumber_structure(there, before, number);
    for (uint32_t i = 0; c->presence_chain && i < c->agent_count; i++)
        if (c->presence_chain[i] != COR_NOBODY)
            c->presence_chain[i] = number[c->presence_chain[i]];
    for (uint32_t g = 0; g < c->group_count; g++)
        c->chain_of_group[g] = number[c->chain_of_group[g]];
    for (size_t i = 0; i < others; i++)
        if (c->other_chains[i] != COR_NOBODY)
            c->other_chains[i] = number[c->other_chains[i]];
    for (uint32_t i = 0; i < before; i++) {
        if (!there[i])
            continue;
        c->profile_of_chain[number[i]] = c->profile_of_chain[i];
        c->location_of_chain[number[i]] = c->location_of_chain[i];
    }
    size_t to = 0;
    for (size_t row = 0; row <= walk->case_count; row++)
        for (uint32_t i = 0; i < before; i++)
            if (there[i])
                walk->states[to++] = walk->states[row * before + i];
    walk->chain_count = c->chain_count;
}

/* What a group perceives, as group number `to`, which is not behind it. */
static void move_chains(struct cor_configuration *c, uint32_t to, uint32_t group) {
    c->chain_of_group[to] = c->chain_of_group[group];
    if (c->other_chains)
        memmove(c->other_chains + (size_t)to * c->profile_count,
                c->other_chains + (size_t)group * c->profile_count,
                c->profile_count * sizeof *c->other_chains);
}

/* Scratch for renumbering whatever a test has. */
static enum cor_status make_scratch(const struct cor_configuration *c, bool **there, uint32_t **number,
                                    struct cor_error *error) {
    const uint32_t count = c->agent_count > c->chain_count ? c->agent_count : c->chain_count;
    *there = cor_calloc(count, sizeof **there);
    *number = cor_calloc(count, sizeof **number);
    return *there && *number ? COR_OK : cor_fail_memory(error);
}

enum cor_status sequence__test_drop_agents(struct cor_test *test, const bool *gone, bool *can,
                                           struct cor_error *error) {
    struct cor_configuration *c = test->suite->configuration;
    COR_FREED uint32_t *number = NULL;
    uint32_t left = 0;
    COR_FREED bool *there = NULL;
    for (uint32_t i = 0; i < c->agent_count; i++)
        left += !gone[i];
    *can = left > 0;
    if (!*can)
        return COR_OK;
    COR_TRY(make_scratch(c, &there, &number, error));
    if (!c->agent_identity) {
        COR_TRY(cor_made(c->agent_identity = cor_calloc(c->agent_count, sizeof *c->agent_identity), error));
        c->identity_count = c->agent_count;
        for (uint32_t i = 0; i < c->agent_count; i++)
            c->agent_identity[i] = i;
    }
    if (c->kind != COR_STRUCTURE_PARTITIONING)
        COR_TRY(lists_drop_agents(c, gone, error));
    uint32_t agents = 0, groups = 0;
    for (uint32_t g = 0; g < c->group_count; g++) {
        const uint32_t first = agents, begin = c->group_start[g], end = c->group_start[g + 1];
        for (uint32_t i = begin; i < end; i++)
            if (!gone[i]) {
                const uint32_t to = agents++;
                c->type[to] = c->type[i];
                c->inertia[to] = c->inertia[i];
                c->initial_state[to] = c->initial_state[i];
                c->initial_value[to] = c->initial_value[i];
                c->initial_partition[to] = c->initial_partition[i];
                for (uint32_t a = 0; a < c->attribute_count; a++)
                    c->attributes[a].initial[to] = c->attributes[a].initial[i];
                c->agent_identity[to] = c->agent_identity[i];
                if (c->presence_chain)
                    c->presence_chain[to] = c->presence_chain[i];
            }
        if (agents == first)
            continue;
        move_chains(c, groups, g);
        c->group_start[groups++] = first;
    }
    c->group_start[groups] = agents;
    c->group_count = groups;
    c->agent_count = agents;
    if (c->kind == COR_STRUCTURE_PARTITIONING) {
        memset(there, 0, c->initial_partitions * sizeof *there);
        for (uint32_t i = 0; i < c->agent_count; i++)
            there[c->initial_partition[i]] = true;
        c->initial_partitions = renumber_structure(there, c->initial_partitions, number);
        for (uint32_t i = 0; i < c->agent_count; i++)
            c->initial_partition[i] = number[c->initial_partition[i]];
    }
    drop_chains(test, there, number);
    return COR_OK;
}

/* Drops the agents of whatever `of` says, [agent]. */
static enum cor_status drop_of(struct cor_test *test, const uint32_t *of, const bool *gone, bool *can,
                               struct cor_error *error) {
    const uint32_t agents = test->suite->configuration->agent_count;
    bool *agent_gone = cor_calloc(agents, sizeof *agent_gone);
    COR_TRY(cor_made(agent_gone, error));
    for (uint32_t i = 0; i < agents; i++)
        agent_gone[i] = gone[of[i]];
    const enum cor_status status = sequence__test_drop_agents(test, agent_gone, can, error);
    free(agent_gone);
    return status;
}

/* The same of all agents of partitions, groups, chains. */
static enum cor_status sequence__test_drop_partitions(struct cor_test *test, const bool *gone, bool *can,
                                                      struct cor_error *error) {
    const struct cor_configuration *c = test->suite->configuration;
    if (c->kind == COR_STRUCTURE_PARTITIONING)
        return drop_of(test, c->initial_partition, gone, can, error);
    bool *agent_gone = cor_calloc(c->agent_count, sizeof *agent_gone);
    COR_TRY(cor_made(agent_gone, error));
    const struct cor_lists *lists = &c->initial_organizations;
    for (uint32_t o = 0; o < lists->block_count; o++)
        for (uint32_t m = lists->start[o]; gone[o] && m < lists->start[o + 1]; m++)
            agent_gone[lists->members[m]] = true;
    const enum cor_status status = sequence__test_drop_agents(test, agent_gone, can, error);
    free(agent_gone);
    return status;
}

static enum cor_status drop_by_group(struct cor_test *test, const bool *gone, bool of_chains, bool *can,
                                     struct cor_error *error) {
    const struct cor_configuration *c = test->suite->configuration;
    uint32_t *of = cor_calloc(c->agent_count, sizeof *of);
    COR_TRY(cor_made(of, error));
    for (uint32_t g = 0; g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++)
            of[i] = of_chains ? cor_configuration_chain(c, c->type[i], g) : g;
    const enum cor_status status = drop_of(test, of, gone, can, error);
    free(of);
    return status;
}

static enum cor_status sequence__test_drop_groups(struct cor_test *test, const bool *gone, bool *can,
                                                  struct cor_error *error) {
    return drop_by_group(test, gone, false, can, error);
}

static enum cor_status sequence__test_drop_chains(struct cor_test *test, const bool *gone, bool *can,
                                                  struct cor_error *error) {
    struct cor_configuration *c = test->suite->configuration;
    for (uint32_t i = 0; c->presence_chain && i < c->agent_count; i++)
        if (c->presence_chain[i] != COR_NOBODY && gone[c->presence_chain[i]])
            c->presence_chain[i] = COR_NOBODY; /* always there */
    return drop_by_group(test, gone, true, can, error);
}

/* The groups of chain `from` live by chain `to`, and `from` is dropped. Both are of one profile. */
static enum cor_status test_join_chains(struct cor_test *test, uint32_t from, uint32_t to,
                                        struct cor_error *error) {
    struct cor_configuration *c = test->suite->configuration;
    uint32_t *number = NULL;
    bool *there = NULL;
    COR_ASSERT(from != to && c->profile_of_chain[from] == c->profile_of_chain[to]);
    enum cor_status status = make_scratch(c, &there, &number, error);
    if (status == COR_OK) {
        for (uint32_t g = 0; g < c->group_count; g++)
            if (c->chain_of_group[g] == from)
                c->chain_of_group[g] = to;
        for (size_t i = 0; c->other_chains && i < (size_t)c->group_count * c->profile_count; i++)
            if (c->other_chains[i] == from)
                c->other_chains[i] = to;
        for (uint32_t i = 0; c->presence_chain && i < c->agent_count; i++)
            if (c->presence_chain[i] == from)
                c->presence_chain[i] = to;
        drop_chains(test, there, number);
    }
    free(there);
    free(number);
    return status;
}

/* ---- profiles of a test, towards few arcs. A recorded walk draws nothing by them: what comes of the test is
 * the same with any others (cor_test_hash asserts it), so nothing is executed. Arcs are those of positive
 * probability; the law of the first state counts as a row behind the last */

static const struct cor_profile *profile_at(const struct cor_test *test, uint32_t p) {
    return test->suite->profiles[p];
}

static const double *row_at(const struct cor_profile *profile, uint32_t row) {
    return row == profile->state_count ? profile->start
                                       : profile->probability + (size_t)row * profile->state_count;
}

/* Profiles, by which a recorded walk draws nothing (shrink.c): how many arcs they have; how many of
 * these the walk does not take, but one in each state that it never leaves. */
static uint64_t test_arcs(const struct cor_test *test) {
    uint64_t arcs = 0;
    for (uint32_t p = 0; p < test->suite->configuration->profile_count; p++) {
        const struct cor_profile *profile = profile_at(test, p);
        for (uint32_t row = 0; row <= profile->state_count; row++)
            for (uint32_t to = 0; to < profile->state_count; to++)
                arcs += row_at(profile, row)[to] > 0;
    }
    return arcs;
}

/* The arcs of a profile that are needed: those that the walk takes; one, the first, of a row of which it
 * takes none. */
struct needed {
    bool arc[COR_PROFILE_STATES_MAX + 1][COR_PROFILE_STATES_MAX];
};

static void find_needed(const struct cor_test *test, uint32_t p, struct needed *needed) {
    const struct cor_profile *profile = profile_at(test, p);
    memset(needed, 0, sizeof *needed);
    const struct cor_configuration *c = test->suite->configuration;
    const struct cor_walk *walk = &test->suite->recorded[0];
    for (uint32_t chain = 0; chain < c->chain_count; chain++) {
        uint32_t from = profile_at(test, p)->state_count;
        for (uint32_t i = 0; c->profile_of_chain[chain] == p && i <= walk->case_count; i++) {
            const uint8_t to = cor_walk_at(walk, i)[chain];
            needed->arc[from][to] = true;
            from = to;
        }
    }
    for (uint32_t row = 0; row <= profile->state_count; row++) {
        const double *law = row_at(profile, row);
        uint32_t first = profile->state_count, taken = 0;
        for (uint32_t to = profile->state_count; to-- > 0;) {
            needed->arc[row][to] = needed->arc[row][to] && law[to] > 0; /* jumps are no arcs */
            taken += needed->arc[row][to];
            first = law[to] > 0 ? to : first;
        }
        COR_ASSERT(first < profile->state_count); /* a law has mass */
        if (taken == 0)
            needed->arc[row][first] = true;
    }
}

/* Gives the test a profile of such arcs instead; rows that keep theirs keep their probabilities. */
static enum cor_status replace(struct cor_test *test, uint32_t p, const struct needed *left,
                               struct cor_error *error) {
    const struct cor_profile *profile = profile_at(test, p);
    const uint32_t count = profile->state_count;
    struct cor_profile *other = NULL;
    double *laws = cor_calloc(((size_t)count + 1) * count, sizeof *laws);
    COR_TRY(cor_made(laws, error));
    for (uint32_t row = 0; row <= count; row++) {
        double *law = laws + (size_t)row * count;
        bool fewer = false;
        memcpy(law, row_at(profile, row), count * sizeof *law);
        for (uint32_t to = 0; to < count; to++)
            fewer = fewer || (law[to] > 0 && !left->arc[row][to]);
        uint32_t left_count = 0;
        for (uint32_t to = 0; to < count; to++)
            left_count += left->arc[row][to];
        /* The law without the arcs that are not there any more: those that are left share it equally. */
        for (uint32_t to = 0; fewer && to < count; to++)
            law[to] = left->arc[row][to] ? 1.0 / left_count : 0;
    }
    const enum cor_status status =
        cor_profile_create(profile->name, count, (const char *const *)profile->states, laws,
                           laws + (size_t)count * count, &other, error);
    if (status == COR_OK)
        cor_suite_set_profile(test->suite, p, other);
    free(laws);
    return status;
}

enum cor_status sequence__test_drop_arcs(struct cor_test *test, struct cor_error *error) {
    struct needed needed;
    for (uint32_t p = 0; p < test->suite->configuration->profile_count; p++) {
        find_needed(test, p, &needed);
        COR_TRY(replace(test, p, &needed, error));
    }
    return COR_OK;
}

/* Needless arcs one after another: finds number `index`; how many there are, if there are not so many. */
static uint64_t find_needless(const struct cor_test *test, uint64_t index, uint32_t *p, uint32_t *row,
                              uint32_t *to) {
    struct needed needed;
    uint64_t at = 0;
    for (*p = 0; *p < test->suite->configuration->profile_count; ++*p) {
        const struct cor_profile *profile = profile_at(test, *p);
        find_needed(test, *p, &needed);
        for (*row = 0; *row <= profile->state_count; ++*row)
            for (*to = 0; *to < profile->state_count; ++*to)
                if (row_at(profile, *row)[*to] > 0 && !needed.arc[*row][*to] && at++ == index)
                    return at;
    }
    return at;
}

uint64_t sequence__test_needless_arcs(const struct cor_test *test) {
    uint32_t p, row, to;
    return find_needless(test, UINT64_MAX, &p, &row, &to);
}

static const char *state_name(const struct cor_profile *profile, uint32_t state) {
    return profile->states[state] ? profile->states[state] : "";
}

/* ---- numbers of a test: which there are, how simple they are, and which of two tests is simpler */

#define INERTIA_LEAST 1e-9
#define DIGITS_MAX 17
#define INTEGER_MOST 1e15

struct listing {
    const struct sequence__bounds *bounds;
    const struct cor_test *test;
    struct cor_slots *slots;
    struct cor_error *error;
    enum cor_status status;
};

/* What has no room for a simpler number is no slot. The first error sticks. */
static void add_values(struct listing *l, struct cor_slot slot) {
    if (l->status != COR_OK || !(slot.low <= slot.high))
        return;
    l->status = COR_RESERVE(&l->slots->items, &l->slots->capacity, l->slots->count + 1, l->error);
    if (l->status == COR_OK)
        l->slots->items[l->slots->count++] = slot;
}

static void add_integer(struct listing *l, enum cor_slot_kind kind, uint32_t first, double low) {
    add_values(l, (struct cor_slot){kind, first, 0, true, low, INTEGER_MOST, 0});
}

static void add_real(struct listing *l, enum cor_slot_kind kind, uint32_t first, uint32_t second, double low,
                     double high) {
    add_values(l, (struct cor_slot){kind, first, second, false, low, high, 0});
}

/* Levels of the effects that an agent feels. */
static void list_levels(struct listing *l) {
    const struct cor_configuration *c = l->test->suite->configuration;
    const size_t effects = (size_t)c->type_count * c->profile_count;
    bool *felt = cor_calloc(effects, sizeof *felt);
    if (!felt && l->status == COR_OK)
        l->status = cor_fail_memory(l->error);
    for (uint32_t g = 0; felt && g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++)
            felt[(size_t)c->type[i] * c->profile_count +
                 c->profile_of_chain[cor_configuration_chain(c, c->type[i], g)]] = true;
    for (uint32_t e = 0; felt && e < effects; e++) {
        const uint32_t type = e / c->profile_count;
        const double low = l->bounds ? l->bounds->level_low[type] : 0;
        const double high = l->bounds ? l->bounds->level_high[type] : 1;
        for (uint32_t s = 0; felt[e] && s < c->effects[e].state_count; s++)
            add_real(l, COR_SLOT_LEVEL, e, s, low, high); /* NaN: none */
    }
    free(felt);
}

enum cor_status sequence__slots_list(const struct sequence__bounds *bounds, const struct cor_test *test,
                                     struct cor_slots *slots, struct cor_error *error) {
    struct listing l = {bounds, test, slots, error, COR_OK};
    const struct cor_configuration *c = test->suite->configuration;
    slots->count = 0;
    if (bounds) {
        const struct sequence__bounds *b = l.bounds;
        for (uint32_t i = 0; i < b->order_count; i++) {
            const uint32_t parameter = b->order[i];
            const struct cor_bound *bound = &b->parameters[parameter];
            int64_t low, high;
            if (bound->kind == COR_BOUND_REAL && bound->sum < 0)
                add_real(&l, COR_SLOT_PARAMETER, parameter, 0, bound->real_low, bound->real_high);
            /* What a parameter of the model stands for is counted, not chosen. */
            bool is_counted = b->roles[COR_ROLE_AGENTS].parameter == (int)parameter ||
                              b->roles[COR_ROLE_GROUPS].parameter == (int)parameter;
            for (uint32_t t = 0; b->type_counts && t < b->type_count; t++)
                is_counted = is_counted || b->type_counts[t].parameter == (int)parameter;
            if (bound->kind == COR_BOUND_RANGE && !is_counted &&
                sequence__bounds_range(b, l.test, parameter, &low, &high))
                add_integer(&l, COR_SLOT_PARAMETER, parameter, (double)low);
        }
    } else {
        const struct cor_arm *arm = &l.test->arm;
        for (uint32_t i = 0; i < cor_algorithm_parameter_count(arm->algorithm); i++) {
            const struct cor_parameter *p = &arm->algorithm->parameters[i];
            if (arm->algorithm_parameters[i] < 0)
                continue;
            if (p->is_integer)
                add_integer(&l, COR_SLOT_PARAMETER, (uint32_t)arm->algorithm_parameters[i], p->min);
            else
                add_real(&l, COR_SLOT_PARAMETER, (uint32_t)arm->algorithm_parameters[i], 0, p->min, p->max);
        }
        add_integer(&l, COR_SLOT_BUDGET, 0, 1);
        add_integer(&l, COR_SLOT_SIZE_MIN, 0, 1);
        add_integer(&l, COR_SLOT_SIZE_MAX, 0, l.test->suite->configuration->limits.size_min);
        add_integer(&l, COR_SLOT_COUNT_MIN, 0, 1);
        add_integer(&l, COR_SLOT_COUNT_MAX, 0, l.test->suite->configuration->limits.count_min);
        add_real(&l, COR_SLOT_IDLE, 0, 0, 0, 1);
        add_real(&l, COR_SLOT_THRESHOLD, 0, 0, 0, 1);
    }
    /* What the arm says of faults and mail. It is given, not drawn: no model speaks of it. */
    const struct cor_arm *arm = &l.test->arm;
    const enum cor_monitor_fault monitor = arm->monitor.fault;
    add_integer(&l, COR_SLOT_ACTIVATION_DELAY, 0, 0);
    if (monitor == COR_MONITOR_FAULT_MISSED || monitor == COR_MONITOR_FAULT_FALSE)
        add_real(&l, COR_SLOT_MONITOR, 0, 0, 0, 1);
    if (monitor == COR_MONITOR_FAULT_LATE)
        add_integer(&l, COR_SLOT_MONITOR_DELAY, 0, 1);
    if (arm->adoption.fault > COR_ADOPTION_FAULT_NONE)
        add_real(&l, COR_SLOT_ADOPTION, 0, 0, 0, 1);
    if (arm->result.fault > COR_RESULT_FAULT_NONE)
        add_real(&l, COR_SLOT_RESULT, 0, 0, 0, 1);
    if (arm->session.agents.fault > COR_CRASH_FAULT_NONE) {
        add_real(&l, COR_SLOT_CRASH, 0, 0, 0, 1);
        add_integer(&l, COR_SLOT_CRASH_ROUNDS, 0, 1);
    }
    if (arm->session.mail.mode == COR_MAIL_DELAYED)
        add_integer(&l, COR_SLOT_MAIL_DELAY, 0, 1);
    if (arm->session.mail.mode == COR_MAIL_LOSSY)
        add_real(&l, COR_SLOT_MAIL_LOSS, 0, 0, 0, 1);
    if (arm->session.mail.mode == COR_MAIL_DUPLICATED)
        add_real(&l, COR_SLOT_MAIL_DOUBLE, 0, 0, 0, 1);
    for (uint32_t i = 0; i < c->chain_count; i++)
        if (!cor_configuration_is_presence(c, i))
            add_integer(&l, COR_SLOT_LOCATION, i, 0);
    list_levels(&l);
    for (uint32_t i = 0; i < c->agent_count; i++)
        add_real(&l, COR_SLOT_INERTIA, i, 0, bounds ? bounds->inertia_low : INERTIA_LEAST,
                 bounds ? bounds->inertia_high : 1);
    return l.status;
}

static uint32_t *integer_of(struct cor_test *test, const struct cor_slot *slot) {
    struct cor_configuration *c = test->suite->configuration;
    switch (slot->kind) {
    case COR_SLOT_SIZE_MIN:
        return &c->limits.size_min;
    case COR_SLOT_SIZE_MAX:
        return &c->limits.size_max;
    case COR_SLOT_COUNT_MIN:
        return &c->limits.count_min;
    case COR_SLOT_COUNT_MAX:
        return &c->limits.count_max;
    case COR_SLOT_ACTIVATION_DELAY:
        return &test->arm.activation_delay;
    case COR_SLOT_MONITOR_DELAY:
        return &test->arm.monitor.delay_cases;
    case COR_SLOT_MAIL_DELAY:
        return &test->arm.session.mail.delay_max;
    case COR_SLOT_CRASH_ROUNDS:
        return &test->arm.session.agents.down_rounds;
    default:
        COR_ASSERT(slot->kind == COR_SLOT_LOCATION);
        return &c->location_of_chain[slot->first];
    }
}

static double *real_of(struct cor_test *test, const struct cor_slot *slot) {
    struct cor_configuration *c = test->suite->configuration;
    switch (slot->kind) {
    case COR_SLOT_PARAMETER:
        return &test->suite->parameters[slot->first];
    case COR_SLOT_IDLE:
        return &c->idle_ratio;
    case COR_SLOT_MONITOR:
        return &test->arm.monitor.probability;
    case COR_SLOT_ADOPTION:
        return &test->arm.adoption.probability;
    case COR_SLOT_RESULT:
        return &test->arm.result.probability;
    case COR_SLOT_CRASH:
        return &test->arm.session.agents.probability;
    case COR_SLOT_MAIL_LOSS:
        return &test->arm.session.mail.loss_ratio;
    case COR_SLOT_MAIL_DOUBLE:
        return &test->arm.session.mail.duplicate_ratio;
    case COR_SLOT_THRESHOLD:
        return &c->threshold;
    case COR_SLOT_LEVEL:
        return &c->effects[slot->first].level[slot->second];
    default:
        COR_ASSERT(slot->kind == COR_SLOT_INERTIA);
        return &c->inertia[slot->first];
    }
}

double sequence__slot_value(const struct cor_test *test, const struct cor_slot *slot) {
    if (slot->kind == COR_SLOT_BUDGET)
        return (double)test->suite->budget;
    /* Looked at only; the same place is written to below. */
    struct cor_test looked = *test;
    return slot->integer && slot->kind != COR_SLOT_PARAMETER ? *integer_of(&looked, slot)
                                                             : *real_of(&looked, slot);
}

static void slot_set(struct cor_test *test, const struct cor_slot *slot, double value) {
    struct cor_suite *suite = test->suite;
    const double before = sequence__slot_value(test, slot);
    if (slot->kind == COR_SLOT_BUDGET) {
        suite->budget = (uint64_t)value;
        suite->parameters[test->arm.roles.budget_parameter] = value;
        return;
    }
    if (slot->integer && slot->kind != COR_SLOT_PARAMETER)
        *integer_of(test, slot) = (uint32_t)value;
    else
        *real_of(test, slot) = value;
    for (uint32_t i = 0;
         slot->kind == COR_SLOT_PARAMETER && i < cor_algorithm_parameter_count(test->arm.algorithm); i++)
        if (test->arm.algorithm_parameters[i] == (int)slot->first)
            suite->algorithm_parameters[i] = value;
    if (slot->kind == COR_SLOT_LEVEL) {
        /* An agent begins with the level of its first state. */
        struct cor_configuration *c = test->suite->configuration;
        for (uint32_t g = 0; g < c->group_count; g++)
            for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
                const struct cor_effect *e =
                    cor_configuration_effect(c, c->type[i], cor_configuration_chain(c, c->type[i], g));
                if (e == &c->effects[slot->first] && c->initial_state[i] == slot->second &&
                    c->initial_value[i] == before)
                    c->initial_value[i] = e->level[slot->second];
            }
    }
    suite->configuration->monitor = test->arm.monitor;
    suite->configuration->adoption = test->arm.adoption;
}

/* The number with so many decimals. */
static double rounded(double value, int digits) {
    char text[DBL_MAX_10_EXP + DIGITS_MAX + 8];
    snprintf(text, sizeof text, "%.*f", digits, value);
    return strtod(text, NULL);
}

struct cor_simplicity sequence__simplicity(double value) {
    struct cor_simplicity s = {value == 1 ? 0 : value == 0 ? 1 : value == 0.5 ? 2 : 3, 0};
    const double magnitude = fabs(value);
    memcpy(&s.bits, &magnitude, sizeof s.bits);
    if (s.digits >= 3) {
        /* The fewest decimals with which it reads back as it is. What so many decimals say exactly more say,
         * too. */
        uint32_t low = 0, high = DIGITS_MAX + 1;
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (rounded(value, (int)middle) == value)
                high = middle;
            else
                low = middle + 1;
        }
        s.digits += low;
    }
    return s;
}

static int compare_words(uint64_t one, uint64_t other) {
    return (one > other) - (one < other);
}

static int compare_simplicity(double one, double other) {
    const struct cor_simplicity a = sequence__simplicity(one), b = sequence__simplicity(other);
    return a.digits != b.digits ? compare_words(a.digits, b.digits) : compare_words(a.bits, b.bits);
}

/* Rounded to fewer decimals than it has it is simpler by that. */
uint32_t sequence__simpler(double value, double low, double high, double *simpler) {
    static const double simplest[] = {1, 0, 0.5};
    const uint32_t own = sequence__simplicity(value).digits, first = own < 3 ? own : 3;
    uint32_t count = 0;
    for (uint32_t i = 0; i < own && i < COR_SIMPLER_MAX; i++) {
        const double other = i < first ? simplest[i] : rounded(value, (int)(i - first));
        bool again = false;
        for (uint32_t j = 0; j < count; j++)
            again = again || simpler[j] == other;
        if (!again && other >= low && other <= high)
            simpler[count++] = other;
    }
    return count;
}

/* Departures from mail in sending order; mail that is drawn may have any. */
static uint64_t count_departures(const struct cor_test *test) {
    return test_draws_mail(test) ? UINT64_MAX : test->schedule ? test->schedule->count : 0;
}

/* How often chains change, and the sum of the states' numbers. */
static void measure_walk(const struct cor_test *test, uint64_t *changes, uint64_t *sum) {
    const struct cor_walk *walk = &test->suite->recorded[0];
    const size_t chains = walk->chain_count, count = (walk->case_count + (size_t)1) * chains;
    *changes = *sum = 0;
    for (size_t i = 0; i < count; i++) {
        *sum += walk->states[i];
        *changes += i >= chains && walk->states[i] != walk->states[i - chains];
    }
}

int sequence__test_compare(const struct sequence__bounds *bounds, const struct cor_test *one,
                           const struct cor_test *other, enum cor_status *status, struct cor_error *error) {
    struct cor_slots slots = {0};
    const struct cor_test_size a = cor_test_size(one), b = cor_test_size(other);
    const uint32_t sizes[5][2] = {{a.cases, b.cases},
                                  {a.agents, b.agents},
                                  {a.groups, b.groups},
                                  {a.chains, b.chains},
                                  {a.partitions, b.partitions}};
    int order = 0;
    for (int i = 0; i < 5 && order == 0; i++)
        order = compare_words(sizes[i][0], sizes[i][1]);
    if (order == 0)
        order = compare_words(count_departures(one), count_departures(other));
    if (order == 0) {
        uint64_t changes[2], sums[2];
        measure_walk(one, &changes[0], &sums[0]);
        measure_walk(other, &changes[1], &sums[1]);
        order = changes[0] != changes[1] ? compare_words(changes[0], changes[1])
                                         : compare_words(sums[0], sums[1]);
    }
    if (order == 0) {
        /* Parameters that sum up, one by one. */
        for (uint32_t s = 0; bounds && s < bounds->sum_count; s++)
            for (uint32_t i = 0; i < bounds->sums[s].count && order == 0; i++)
                order = compare_simplicity(one->suite->parameters[bounds->sums[s].member[i]],
                                           other->suite->parameters[bounds->sums[s].member[i]]);
    }
    if (order != 0)
        return order;
    *status = sequence__slots_list(bounds, one, &slots, error);
    for (size_t i = 0; i < slots.count && order == 0; i++) {
        const struct cor_slot *slot = &slots.items[i];
        const double was = sequence__slot_value(other, slot), is = sequence__slot_value(one, slot);
        if (is != was)
            order = slot->integer ? (is > was) - (is < was) : compare_simplicity(is, was);
    }
    free(slots.items);
    if (order != 0)
        return order;
    return compare_words(test_arcs(one), test_arcs(other));
}

struct cor_test_size cor_test_size(const struct cor_test *test) {
    const struct cor_configuration *c = test->suite->configuration;
    return (struct cor_test_size){.cases = cor_test_cases(test),
                                  .agents = c->agent_count,
                                  .groups = c->group_count,
                                  .chains = c->chain_count,
                                  .partitions = c->initial_partitions};
}

/* ---- trying a smaller test: inside of what the model allows, simpler, and it fails alike */

void cor_shrink_report_fini(struct cor_shrink_report *report) {
    free(report->said);
    report->said = NULL;
}

#define REPEATED 2  /* executions of the test as it is, to see whether it repeats */
#define EXPLAINED 3 /* executions that the explanation takes: with the fault, without, and of a property */

/* Of a budget that has room for it, what the explanation takes is kept. */
static bool may_execute(struct cor_shrinker *s) {
    const struct cor_shrink_definition *d = s->definition;
    struct cor_shrink_counts *counts = &s->report->counts;
    const struct cor_test_size size = cor_test_size(s->best);
    const uint64_t explained = s->best->property ? EXPLAINED : EXPLAINED - 1;
    counts->cases = size.cases;
    counts->agents = size.agents;
    s->tries->is_stopped =
        !cor_tries_go_on(s->tries, s->checks || d->budget < REPEATED + explained ? 1 : 1 + explained) ||
        (d->go_on && !d->go_on(d->self, counts));
    return !s->tries->is_stopped;
}

static enum cor_status execute(struct cor_shrinker *s, const struct cor_test *test,
                               struct cor_test_result *result, struct cor_error *error) {
    s->tries->count++;
    return cor_tester_execute_to_failure(s->tester, test, result, error);
}

/* Is everything kept that the test kept in the beginning? */
static bool is_inside(struct cor_shrinker *s, const struct cor_test *test) {
    const uint32_t lines = sequence__bounds_lines(s->bounds);
    bool inside = true;
    sequence__bounds_judge(s->bounds, test, s->judged);
    for (uint32_t i = 0; i < lines; i++)
        inside = inside && (s->judged[i] || !s->kept[i]);
    return inside;
}

/* Parameters follow the structure; limits that it does not meet any more are widened. */
static bool comes_inside(struct cor_shrinker *s, struct cor_test *test) {
    if (!s->bounds)
        return true;
    sequence__bounds_count(s->bounds, test);
    sequence__bounds_follow(s->bounds, test);
    if (is_inside(s, test))
        return true;
    sequence__bounds_relax(s->bounds, test);
    return is_inside(s, test);
}

/* Which cases of the test just executed were without reorganization. */
static void note_quiet(struct cor_shrinker *s) {
    struct cor_record *record = cor_tester_record(s->tester);
    memset(s->quiet, 0, s->report->before.cases * sizeof *s->quiet);
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_CASES); i++) {
        const struct cor_case_row *row = cor_record_at(record, COR_TABLE_CASES, i);
        if (row->case_ <= s->report->before.cases)
            s->quiet[row->case_ - 1] = !row->reorganized;
    }
}

static enum cor_status execute_candidate(struct cor_shrinker *s, const struct cor_test *candidate,
                                         struct cor_test_result *result, enum cor_step_end *end,
                                         struct cor_error *error) {
    const uint64_t hash = cor_test_hash(candidate);
    if (hash == s->best_hash) { /* nothing that matters is different */
        *result = s->best->expected;
        *end = COR_STEP_STAYS;
        return COR_OK;
    }
    uint32_t number = cor_pool_find(&s->seen, &hash, sizeof hash);
    if (number != COR_NONE) {
        s->report->counts.repeated++;
        *end = (enum cor_step_end)s->seen_end[number];
        return COR_OK;
    }
    if (!may_execute(s))
        return COR_OK;
    COR_TRY(execute(s, candidate, result, error));
    *end = result->case_ == 0                                                  ? COR_STEP_PASSES
           : cor_failure_class_equal(&result->class, &s->best->expected.class) ? COR_STEP_STAYS
                                                                               : COR_STEP_OTHER;
    if (*end == COR_STEP_STAYS)
        return COR_OK;
    COR_TRY(COR_RESERVE(&s->seen_end, &s->seen_end_capacity, (size_t)s->seen.count + 1, error));
    s->seen_end[s->seen.count] = (uint8_t)*end;
    return cor_pool_add(&s->seen, &hash, sizeof hash, &number, error);
}

static enum cor_status judge(struct cor_shrinker *s, struct cor_test *candidate,
                             struct cor_test_result *result, enum cor_step_end *end,
                             struct cor_error *error) {
    enum cor_status status = COR_OK;
    *end = COR_STEP_OUTSIDE;
    /* A formula that was open when no case was left, as "eventually inside", is violated by any shorter
     * sequence: that says nothing of this one, so no case goes. */
    const bool is_long_enough = s->best->expected.class.unmet != COR_UNMET_END ||
                                cor_test_cases(candidate) >= cor_test_cases(s->best);
    if (!is_long_enough || !comes_inside(s, candidate)) {
        s->report->counts.outside++;
        return COR_OK;
    }
    *end = COR_STEP_NO_SIMPLER;
    if (sequence__test_compare(s->bounds, candidate, s->best, &status, error) >= 0 || status != COR_OK)
        return status;
    *end = COR_STEP_UNTRIED;
    COR_TRY(execute_candidate(s, candidate, result, end, error));
    if (!s->reseeds || *end == COR_STEP_STAYS)
        return COR_OK;
    /* The same with other seeds of all its streams, until one does. */
    const uint64_t own = candidate->suite->name.seed;
    for (uint32_t i = 1; i <= s->definition->reseeds && *end != COR_STEP_STAYS && !s->tries->is_stopped;
         i++) {
        enum cor_step_end again = COR_STEP_UNTRIED;
        candidate->suite->name.seed = cor_hash_word(s->seed_first, i);
        COR_TRY(execute_candidate(s, candidate, result, &again, error));
        if (again == COR_STEP_STAYS)
            *end = again;
    }
    if (*end != COR_STEP_STAYS)
        candidate->suite->name.seed = own;
    return COR_OK;
}

/* Tries `candidate`, which it takes over; if the class stays it is the best from now on. */
static enum cor_status shrink_try(struct cor_shrinker *s, struct cor_test *candidate, enum cor_step_end *end,
                                  struct cor_error *error) {
    struct cor_test_result result;
    const enum cor_status status = judge(s, candidate, &result, end, error);
    if (status == COR_OK && *end == COR_STEP_STAYS && !s->looks) {
        /* The candidate is the best from now on, without what lies behind its failing case. */
        const bool executed = cor_test_hash(candidate) != s->best_hash;
        candidate->expected = result;
        cor_test_truncate(candidate, result.case_);
        cor_test_destroy(s->best);
        s->best = candidate;
        s->best_hash = cor_test_hash(candidate);
        if (executed)
            note_quiet(s);
    } else {
        cor_test_destroy(candidate);
    }
    return status;
}

/* ---- the passes of shrinking. A single step of a pass of sets is one part less; of values, one number
 * simpler in one of the ways in which it is tried */

/* Passes of sets. */

struct set_run {
    struct cor_shrinker *s;
    const struct cor_pass *pass;
    struct cor_test *base; /* owned; the best when the pass began, from which parts are taken */
    uint32_t count;
};

/* The parts are taken away in a copy of the best, if they can be; which goes if they cannot. */
static enum cor_status take_parts(const struct cor_shrinker *s, const struct cor_pass *pass,
                                  struct cor_test *copy, const bool *gone, bool *can,
                                  struct cor_error *error) {
    *can = !pass->can || pass->can(s, copy, gone);
    if (*can && pass->without)
        return pass->without(copy, gone, can, error);
    if (*can)
        pass->change(copy, gone);
    return COR_OK;
}

static enum cor_status try_without(void *self, bool *gone, bool *stays, struct cor_error *error) {
    struct set_run *run = self;
    struct cor_test *copy;
    enum cor_step_end end = COR_STEP_UNTRIED;
    bool can;
    *stays = false;
    if (run->s->tries->is_stopped)
        return COR_OK;
    COR_TRY(cor_test_copy(run->base, &copy, error));
    enum cor_status status = take_parts(run->s, run->pass, copy, gone, &can, error);
    if (status != COR_OK || !can) {
        cor_test_destroy(copy);
        return status;
    }
    COR_TRY(shrink_try(run->s, copy, &end, error));
    *stays = end == COR_STEP_STAYS;
    if (*stays) {
        /* A test that fails earlier was cut there. What is cut need not be taken away. */
        const uint32_t cases = cor_test_cases(run->s->best);
        if (run->pass->of_cases) {
            uint32_t left = 0;
            for (uint32_t i = 0; i < run->count; i++) {
                left += !gone[i];
                gone[i] = gone[i] || left > cases;
            }
        } else if (cor_test_cases(run->base) > cases) {
            cor_test_truncate(run->base, cases);
        }
    }
    return COR_OK;
}

static enum cor_status run_set(struct cor_shrinker *s, const struct cor_pass *pass, bool *moved,
                               struct cor_error *error) {
    struct set_run run = {.s = s, .pass = pass};
    bool *gone = NULL;
    enum cor_status status = COR_OK;
    *moved = false;
    COR_TRY(pass->count(s, &run.count, error));
    if (run.count == 0)
        return COR_OK;
    COR_TRY(cor_test_copy(s->best, &run.base, error));
    COR_TRY_OUT(cor_made(gone = cor_calloc(run.count, sizeof *gone), error));
    if (pass->begin)
        pass->begin(run.base, gone);
    COR_TRY_OUT(cor_minimize(
        &(struct cor_minimizing){.count = run.count, .try = try_without, .self = &run, .gone = gone},
        COR_MINIMIZE_SET, moved, error));
out:
    free(gone);
    cor_test_destroy(run.base);
    return status;
}

/* Tries step `index` of a pass on a copy of the best. */
static enum cor_status shrink_step(struct cor_shrinker *s, const struct cor_pass *pass, uint32_t index,
                                   struct cor_step *step, enum cor_step_end *end, struct cor_error *error) {
    struct cor_test *copy;
    *end = COR_STEP_UNTRIED;
    *step = (struct cor_step){.can = true};
    COR_TRY(cor_test_copy(s->best, &copy, error));
    enum cor_status status = COR_OK;
    bool *gone = NULL;
    uint32_t count;
    if (pass->step)
        status = pass->step(s, copy, index, step, error);
    else {
        COR_TRY_OUT(pass->count(s, &count, error));
        COR_TRY_OUT(cor_made(gone = cor_calloc(count, sizeof *gone), error));
        if (pass->begin)
            pass->begin(copy, gone);
        step->can = !gone[index];
        gone[index] = true;
        char chain[128];
        snprintf(chain, sizeof chain, "%u", index + pass->from);
        if (pass->of_chains)
            sequence__chain_text(copy, index, chain, sizeof chain);
        snprintf(step->text, sizeof step->text, "%s %s", pass->unit, chain);
        if (step->can)
            status = take_parts(s, pass, copy, gone, &step->can, error);
    }
out:
    free(gone);
    if (status == COR_OK && step->can)
        return shrink_try(s, copy, end, error);
    cor_test_destroy(copy);
    return status;
}

/* All quiet cases and nothing else: whatever made the system reorganize stays. */
static enum cor_status run_quiet(struct cor_shrinker *s, bool *moved, struct cor_error *error) {
    const uint32_t count = cor_test_cases(s->best);
    struct cor_test *copy;
    enum cor_step_end end;
    bool can, *gone = cor_calloc(count, sizeof *gone);
    *moved = false;
    COR_TRY(cor_made(gone, error));
    enum cor_status status = cor_test_copy(s->best, &copy, error);
    if (status == COR_OK) {
        memcpy(gone, s->quiet, count * sizeof *gone);
        status = sequence__test_drop_cases(copy, gone, &can, error);
        if (status != COR_OK || !can || cor_test_cases(copy) == count)
            cor_test_destroy(copy);
        else if ((status = shrink_try(s, copy, &end, error)) == COR_OK)
            *moved = end == COR_STEP_STAYS;
    }
    free(gone);
    return status;
}

#define SUM_STEPS (COR_SUM_MAX + COR_SUM_MAX * (COR_SUM_MAX - 1) / 2)

/* How many parts, or single steps, the best has. */
#define COUNT_OF(what, number)                                                                              \
    static enum cor_status count_##what(struct cor_shrinker *s, uint32_t *count, struct cor_error *error) { \
        const struct cor_configuration *c = s->best->suite->configuration;                                  \
        (void)c;                                                                                            \
        (void)error;                                                                                        \
        *count = number;                                                                                    \
        return COR_OK;                                                                                      \
    }
COUNT_OF(cases, cor_test_cases(s->best))
COUNT_OF(partitions, c->initial_partitions)
COUNT_OF(groups, c->group_count)
COUNT_OF(chains, c->chain_count)
COUNT_OF(agents, c->agent_count)
COUNT_OF(borders, c->group_count - 1)
COUNT_OF(merges, c->initial_partitions > 0 ? c->initial_partitions - 1 : 0)
COUNT_OF(partition_pairs,
         c->initial_partitions > 0 ? c->initial_partitions * (c->initial_partitions - 1) / 2 : 0)
COUNT_OF(chain_pairs, c->chain_count *(c->chain_count - 1) / 2)
COUNT_OF(changes, c->chain_count *cor_test_cases(s->best))
COUNT_OF(states, c->chain_count *(cor_test_cases(s->best) + 1))
COUNT_OF(entries, s->best->schedule ? (uint32_t)s->best->schedule->count : 0)
COUNT_OF(sums, s->bounds ? s->bounds->sum_count *SUM_STEPS : 0)
COUNT_OF(profile_arcs, (uint32_t)sequence__test_needless_arcs(s->best))
COUNT_OF(drawn_mail, test_draws_mail(s->best))

static bool can_fall(const struct cor_shrinker *s, const struct cor_test *copy, const bool *gone) {
    const struct cor_configuration *c = copy->suite->configuration;
    const bool mixed = !s->bounds || s->bounds->mixed_groups;
    const size_t profiles = c->profile_count;
    bool can = true;
    for (uint32_t g = 0; g + 1 < c->group_count && can; g++) {
        const uint32_t *others = c->other_chains ? c->other_chains + g * profiles : NULL;
        can = !gone[g] || ((!others || memcmp(others, others + profiles, profiles * sizeof *others) == 0) &&
                           c->chain_of_group[g] == c->chain_of_group[g + 1] &&
                           (mixed || c->type[c->group_start[g]] == c->type[c->group_start[g + 1]]));
    }
    return can;
}

/* Borders between neighbouring groups fall: gone[g] that between g and g + 1, of the same chain. */
static void without_borders(struct cor_test *copy, const bool *gone) {
    struct cor_configuration *c = copy->suite->configuration;
    uint32_t groups = 1;
    for (uint32_t g = 1; g < c->group_count; g++) {
        if (gone[g - 1])
            continue;
        move_chains(c, groups, g);
        c->group_start[groups++] = c->group_start[g];
    }
    c->group_start[groups] = c->agent_count;
    c->group_count = groups;
}

static enum cor_status without_merges(struct cor_test *copy, const bool *gone, bool *can,
                                      struct cor_error *error) {
    (void)can;
    /* Partitions merge with the one before: gone[p] p + 1 with p; or one with another. */
    struct cor_configuration *c = copy->suite->configuration;
    uint32_t merged = 0, before = c->initial_partitions;
    for (uint32_t p = before; c->kind != COR_STRUCTURE_PARTITIONING && p-- > 1;)
        if (gone[p - 1])
            COR_TRY(lists_merge(c, p, p - 1, error));
    if (c->kind != COR_STRUCTURE_PARTITIONING)
        return COR_OK;
    for (uint32_t p = 1; p < before; p++) { /* p becomes p - merged: never above it, so none is met twice */
        merged += gone[p - 1];
        for (uint32_t i = 0; merged > 0 && i < c->agent_count; i++)
            if (c->initial_partition[i] == p)
                c->initial_partition[i] = p - merged;
    }
    c->initial_partitions -= merged;
    return COR_OK;
}

static void without_entries(struct cor_test *copy, const bool *gone) {
    /* Entries of its schedule, which it has; they go by themselves with the cases that they are of. */
    struct cor_mail_record *schedule = copy->schedule;
    size_t left = 0;
    for (size_t i = 0; i < schedule->count; i++)
        if (!gone[i])
            schedule->entries[left++] = schedule->entries[i];
    cor_mail_record_drop(schedule, left, schedule->count - left);
}

/* Chains that never change are frozen already. */
static void begin_frozen(const struct cor_test *base, bool *gone) {
    const struct cor_walk *walk = &base->suite->recorded[0];
    for (uint32_t chain = 0; chain < walk->chain_count; chain++) {
        gone[chain] = true;
        for (uint32_t i = 1; i <= walk->case_count; i++)
            gone[chain] = gone[chain] && cor_walk_at(walk, i)[chain] == cor_walk_at(walk, 0)[chain];
    }
}

static void freeze(struct cor_test *test, const bool *gone, uint32_t at) {
    struct cor_walk *walk = &test->suite->recorded[0];
    for (uint32_t chain = 0; chain < walk->chain_count; chain++)
        for (uint32_t i = 0; gone[chain] && i <= walk->case_count; i++)
            walk->states[(size_t)i * walk->chain_count + chain] = cor_walk_at(walk, at)[chain];
}

/* In the state in which it fails. */
static void freeze_last(struct cor_test *copy, const bool *gone) {
    freeze(copy, gone, cor_test_cases(copy));
}

static void freeze_first(struct cor_test *copy, const bool *gone) {
    freeze(copy, gone, 0);
}

static void begin_held(const struct cor_test *base, bool *gone) {
    const struct cor_walk *walk = &base->suite->recorded[0];
    const size_t chains = walk->chain_count;
    for (size_t i = 0; i < chains * walk->case_count; i++)
        gone[i] = walk->states[i + chains] == walk->states[i];
}

/* A change that is held does not happen: the state of the case before goes on. */
static void hold(struct cor_test *copy, const bool *gone) {
    struct cor_walk *walk = &copy->suite->recorded[0];
    const size_t chains = walk->chain_count;
    for (size_t i = 0; i < chains * walk->case_count; i++)
        if (gone[i])
            walk->states[i + chains] = walk->states[i];
}

/* Passes of choices: single steps one after another, until a round of them took nothing. */

static enum cor_status run_choices(struct cor_shrinker *s, const struct cor_pass *pass, bool *moved,
                                   struct cor_error *error) {
    uint32_t count, still = 0;
    *moved = false;
    COR_TRY(pass->count(s, &count, error));
    for (uint32_t i = 0; still < count && !s->tries->is_stopped; i = i + 1 < count ? i + 1 : 0) {
        enum cor_step_end end;
        struct cor_step step;
        COR_TRY(shrink_step(s, pass, i, &step, &end, error));
        still++;
        if (end != COR_STEP_STAYS)
            continue;
        *moved = true;
        still = 0;
        COR_TRY(pass->count(s, &count, error));
        i--; /* what was next may stand here now */
    }
    return COR_OK;
}

/* Pair number `index` of (1, 0), (2, 0), (2, 1), (3, 0) .. */
static void pair_at(uint32_t index, uint32_t *high, uint32_t *low) {
    for (*high = 1; index >= *high; ++*high)
        index -= *high;
    *low = index;
}

static enum cor_status step_partition_pair(struct cor_shrinker *s, struct cor_test *copy, uint32_t index,
                                           struct cor_step *step, struct cor_error *error) {
    uint32_t high, low;
    (void)s;
    pair_at(index, &high, &low);
    snprintf(step->text, sizeof step->text, "partition %u apart from partition %u", high, low);
    struct cor_configuration *c = copy->suite->configuration;
    if (c->kind != COR_STRUCTURE_PARTITIONING)
        return lists_merge(c, high, low, error);
    COR_ASSERT(low < high && high < c->initial_partitions);
    for (uint32_t i = 0; i < c->agent_count; i++)
        if (c->initial_partition[i] == high)
            c->initial_partition[i] = low;
        else if (c->initial_partition[i] > high)
            c->initial_partition[i]--;
    c->initial_partitions--;
    return COR_OK;
}

static enum cor_status step_chain_pair(struct cor_shrinker *s, struct cor_test *copy, uint32_t index,
                                       struct cor_step *step, struct cor_error *error) {
    const struct cor_configuration *c = copy->suite->configuration;
    uint32_t high, low;
    char one[128], other[128];
    (void)s;
    pair_at(index, &high, &low);
    step->can = c->profile_of_chain[high] == c->profile_of_chain[low];
    if (step->can) {
        sequence__chain_text(copy, high, one, sizeof one);
        sequence__chain_text(copy, low, other, sizeof other);
        snprintf(step->text, sizeof step->text, "the chain of %s apart from that of %s", one, other);
    }
    return step->can ? test_join_chains(copy, high, low, error) : COR_OK;
}

static enum cor_status step_arc(struct cor_shrinker *s, struct cor_test *copy, uint32_t index,
                                struct cor_step *step, struct cor_error *error) {
    struct cor_walk *walk = &copy->suite->recorded[0];
    const uint32_t chain = index % walk->chain_count, at = index / walk->chain_count;
    const struct cor_profile *profile =
        copy->suite->profiles[copy->suite->configuration->profile_of_chain[chain]];
    uint8_t *state = &walk->states[index];
    char of[128];
    (void)s;
    (void)error;
    step->can = false;
    for (uint8_t to = 0; to < *state && !step->can; to++) {
        const bool arc =
            at == 0 ||
            profile->probability[(size_t)cor_walk_at(walk, at - 1)[chain] * profile->state_count + to] > 0;
        if (!arc)
            continue;
        step->can = true;
        *state = to;
    }
    const char *name = step->can && profile->states[*state] ? profile->states[*state] : "";
    sequence__chain_text(copy, chain, of, sizeof of);
    snprintf(step->text, sizeof step->text, "the chain of %s at %s in case %u", of, name, at);
    step->is_value = true;
    return COR_OK;
}

/* All of a sum to one parameter, or half of it to each of two. */
static enum cor_status step_sum(struct cor_shrinker *s, struct cor_test *copy, uint32_t index,
                                struct cor_step *step, struct cor_error *error) {
    const struct cor_sum *sum = &s->bounds->sums[index / SUM_STEPS];
    uint32_t high = index % SUM_STEPS, low = high;
    (void)error;
    if (high >= COR_SUM_MAX)
        pair_at(index % SUM_STEPS - COR_SUM_MAX, &high, &low);
    step->can = high < sum->count;
    if (!step->can)
        return COR_OK;
    for (uint32_t i = 0; i < sum->count; i++)
        copy->suite->parameters[sum->member[i]] = 0;
    copy->suite->parameters[sum->member[low]] += sum->total / 2;
    copy->suite->parameters[sum->member[high]] += sum->total / 2;
    const char *one = cor_parameter_laws_name(copy->arm.laws, sum->member[low]),
               *other = cor_parameter_laws_name(copy->arm.laws, sum->member[high]);
    if (low == high)
        snprintf(step->text, sizeof step->text, "parameter %s alone = %g of its sum", one, sum->total);
    else
        snprintf(step->text, sizeof step->text, "parameters %s and %s = %g each of their sum", other, one,
                 sum->total / 2);
    step->is_value = true;
    return COR_OK;
}

/* Numbers. */

struct number_run {
    struct cor_shrinker *s;
    struct cor_slot slot;
    bool moved;
};

static enum cor_status try_value(struct number_run *run, double value, bool *stays, struct cor_error *error) {
    struct cor_test *copy;
    enum cor_step_end end = COR_STEP_UNTRIED;
    *stays = false;
    if (run->s->tries->is_stopped)
        return COR_OK;
    COR_TRY(cor_test_copy(run->s->best, &copy, error));
    slot_set(copy, &run->slot, value);
    COR_TRY(shrink_try(run->s, copy, &end, error));
    *stays = end == COR_STEP_STAYS;
    run->moved = run->moved || *stays;
    return COR_OK;
}

static enum cor_status try_integer(void *self, int64_t value, bool *stays, struct cor_error *error) {
    return try_value(self, (double)value, stays, error);
}

static enum cor_status run_numbers(struct cor_shrinker *s, bool *moved, struct cor_error *error) {
    *moved = false;
    COR_TRY(sequence__slots_list(s->bounds, s->best, &s->slots, error));
    for (size_t i = 0; i < s->slots.count && !s->tries->is_stopped; i++) {
        struct number_run run = {.s = s, .slot = s->slots.items[i]};
        const double value = sequence__slot_value(run.s->best, &run.slot);
        double simpler[COR_SIMPLER_MAX];
        int64_t whole = (int64_t)value;
        if (run.slot.integer) {
            COR_TRY(cor_minimize_number((int64_t)run.slot.low, &whole, try_integer, &run, error));
        } else {
            const uint32_t count = sequence__simpler(value, run.slot.low, run.slot.high, simpler);
            bool stays = false;
            for (uint32_t j = 0; j < count && !stays; j++)
                COR_TRY(try_value(&run, simpler[j], &stays, error));
        }
        if (!run.moved)
            continue;
        *moved = true;
        COR_TRY(sequence__slots_list(s->bounds, s->best, &s->slots, error)); /* ranges may have moved along */
    }
    return COR_OK;
}

/* Simpler numbers that are tried as single steps: of an integer the low end and one less. */
static uint32_t choices_of(const struct cor_test *test, const struct cor_slot *slot, double *simpler) {
    const double value = sequence__slot_value(test, slot);
    if (!slot->integer)
        return sequence__simpler(value, slot->low, slot->high, simpler);
    simpler[0] = slot->low;
    simpler[1] = value - 1;
    return value - slot->low >= 2 ? 2 : value > slot->low;
}

static enum cor_status count_numbers(struct cor_shrinker *s, uint32_t *count, struct cor_error *error) {
    double simpler[COR_SIMPLER_MAX];
    *count = 0;
    COR_TRY(sequence__slots_list(s->bounds, s->best, &s->slots, error));
    for (size_t i = 0; i < s->slots.count; i++) {
        s->slots.items[i].first_choice = *count;
        *count += choices_of(s->best, &s->slots.items[i], simpler);
    }
    return COR_OK;
}

static enum cor_status step_number(struct cor_shrinker *s, struct cor_test *copy, uint32_t index,
                                   struct cor_step *step, struct cor_error *error) {
    /* The slot that choice `index` is of. */
    size_t low = 0, high = s->slots.count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(s->slots.items[middle].first_choice <= index ? &low : &high) = middle;
    }
    const struct cor_slot *slot = &s->slots.items[low];
    const uint32_t choice = index - slot->first_choice;
    const double value = sequence__slot_value(copy, slot);
    double simpler[COR_SIMPLER_MAX];
    char name[256];
    (void)error;
    step->can = choice < choices_of(copy, slot, simpler);
    COR_ASSERT(step->can);
    sequence__slot_text(copy, slot, name, sizeof name);
    snprintf(step->text, sizeof step->text, "%s: %.10g instead of %.10g", name, simpler[choice], value);
    step->distance = fabs(simpler[choice] - value) / (1 + fabs(value));
    step->is_value = true;
    slot_set(copy, slot, simpler[choice]);
    return COR_OK;
}

/* Of profiles all at once: none of it can matter. */
static enum cor_status run_profiles(struct cor_shrinker *s, bool *moved, struct cor_error *error) {
    struct cor_test *copy;
    enum cor_step_end end;
    *moved = false;
    if (sequence__test_needless_arcs(s->best) == 0)
        return COR_OK;
    COR_TRY(cor_test_copy(s->best, &copy, error));
    const enum cor_status status = sequence__test_drop_arcs(copy, error);
    if (status != COR_OK) {
        cor_test_destroy(copy);
        return status;
    }
    COR_TRY(shrink_try(s, copy, &end, error));
    *moved = end == COR_STEP_STAYS;
    return COR_OK;
}

static enum cor_status step_profile_arc(struct cor_shrinker *s, struct cor_test *copy, uint32_t index,
                                        struct cor_step *step, struct cor_error *error) {
    (void)s;
    struct needed left;
    uint32_t p, row, to;
    find_needless(copy, index, &p, &row, &to);
    COR_ASSERT(p < copy->suite->configuration->profile_count);
    const struct cor_profile *profile = profile_at(copy, p);
    for (uint32_t r = 0; r <= profile->state_count; r++)
        for (uint32_t t = 0; t < profile->state_count; t++)
            left.arc[r][t] = row_at(profile, r)[t] > 0 && (r != row || t != to);
    const char *environment =
        copy->suite->experiment->model->environments[copy->suite->environment_of_profile[p]].name;
    if (row == profile->state_count)
        snprintf(step->text, sizeof step->text, "%s, which may begin as %s", environment,
                 state_name(profile, to));
    else
        snprintf(step->text, sizeof step->text, "the arc of %s from %s to %s", environment,
                 state_name(profile, row), state_name(profile, to));
    return replace(copy, p, &left, error);
}

#define ENTRIES_MAX 65536 /* of a schedule that is shrunk */

/* Mail of the copy as it goes there, recorded: one execution. It cannot if the budget has none, or if there
 * is too much to say. */
static enum cor_status step_mail(struct cor_shrinker *s, struct cor_test *copy, uint32_t index,
                                 struct cor_step *step, struct cor_error *error) {
    struct cor_mail_record *mail;
    struct cor_test_result result;
    (void)index;
    snprintf(step->text, sizeof step->text, "mail that is drawn");
    step->can = may_execute(s);
    if (!step->can)
        return COR_OK;
    COR_TRY(cor_mail_record_create(copy->arm.session.mail.mode, &mail, error));
    cor_tester_record_mail(s->tester, mail);
    const enum cor_status status = execute(s, copy, &result, error);
    cor_tester_record_mail(s->tester, NULL);
    step->can = status == COR_OK && mail->count <= ENTRIES_MAX;
    if (step->can) {
        copy->schedule = mail;
        copy->arm.session.mail.mode = COR_MAIL_IN_ORDER; /* the schedule is what counts */
    } else {
        cor_mail_record_destroy(mail);
    }
    return status;
}

const struct cor_pass sequence__passes[] = {
    {"quiet cases", "all cases without reorganization at once", "", .run = run_quiet},
    {"cases", "each case", "case", 1, .count = count_cases, .without = sequence__test_drop_cases,
     .of_cases = true},
    {"partitions", "each partition at the start, with its agents", "the agents of partition", 0,
     .count = count_partitions, .without = sequence__test_drop_partitions},
    {"chains", "each chain, with its groups", "the chain of", 0, .count = count_chains,
     .without = sequence__test_drop_chains, .of_chains = true},
    {"groups", "each group, with its agents", "group", 0, .count = count_groups,
     .without = sequence__test_drop_groups},
    {"agents", "each agent", "agent", 0, .count = count_agents, .without = sequence__test_drop_agents},
    {"frozen at the end", "each chain, all the time in its last state", "the changes of the chain of", 0,
     .count = count_chains, .change = freeze_last, .begin = begin_frozen, .of_chains = true},
    {"frozen at the start", "each chain, all the time in its first state", "the changes of the chain of", 0,
     .count = count_chains, .change = freeze_first, .begin = begin_frozen, .of_chains = true},
    {"joined chains", "each two chains of one profile as one", "", 0, .count = count_chain_pairs,
     .step = step_chain_pair},
    {"joined groups", "each two neighbouring groups of one chain as one", "the border behind group", 0,
     .count = count_borders, .can = can_fall, .change = without_borders},
    {"merged partitions", "each partition at the start together with the one before",
     "the border of partition", 0, .count = count_merges, .without = without_merges},
    {"pairs of partitions", "each two partitions at the start as one", "", 0, .count = count_partition_pairs,
     .step = step_partition_pair},
    {"schedule", "each entry of the recorded schedule of mail, which is in sending order there instead",
     "entry of the schedule", 0, .count = count_entries, .change = without_entries},
    {"numbers",
     "each number: an integer at the low end of its range, and one less; a real at 1, 0, 0.5, with "
     "fewer decimals",
     "", 0, .run = run_numbers, .count = count_numbers, .step = step_number},
    {"sums", "parameters of a given sum: all of it in one of them, or half in each of two", "", 0,
     .count = count_sums, .step = step_sum},
    {"changes", "each change of a chain, which stays as it was instead", "change", 0, .count = count_changes,
     .change = hold, .begin = begin_held},
    {"arcs", "each state of a chain, to the first of its profile's states that can follow", "", 0,
     .count = count_states, .step = step_arc},
    {"mail", "mail as it went, recorded, instead of drawn", "", 0, .last = true, .count = count_drawn_mail,
     .step = step_mail},
    {"profiles",
     "each arc of a profile that the walk does not take, but for one in each state that it never leaves", "",
     0, .last = true, .run = run_profiles, .count = count_profile_arcs, .step = step_profile_arc},
};
const uint32_t sequence__pass_count = sizeof sequence__passes / sizeof *sequence__passes;

/* ---- shrinking: passes in turn until a whole round of them took nothing, then every single step of all once
 * more. One test after another is executed, in this order and no other, so that the result is a function of
 * the test and the options */

/* Looking at every single step. */

static enum cor_status keep_text(char **text, const char *words, struct cor_error *error) {
    free(*text);
    *text = cor_strdup(words);
    return cor_made(*text, error);
}

static enum cor_status look(struct cor_shrinker *s, struct cor_error *error) {
    s->looks = true;
    s->stayed = 0;
    s->report->steps = 0;
    enum cor_status status = COR_OK;
    for (uint32_t pass = 0; pass < sequence__pass_count; pass++) {
        uint32_t count = 0;
        s->report->counts.pass = sequence__passes[pass].name;
        if (sequence__passes[pass].count)
            COR_TRY_OUT(sequence__passes[pass].count(s, &count, error));
        for (uint32_t i = 0; i < count && !s->tries->is_stopped; i++) {
            struct cor_step step;
            enum cor_step_end end;
            COR_TRY_OUT(shrink_step(s, &sequence__passes[pass], i, &step, &end, error));
            s->report->steps += step.can && end != COR_STEP_NO_SIMPLER;
            /* The nearest test that passes: of the last pass, with the number that differs least. */
            struct nearest *n = &s->nearest;
            if (end == COR_STEP_PASSES &&
                !(n->text && (pass < n->pass || (pass == n->pass && step.distance >= n->distance)))) {
                n->pass = pass;
                n->distance = step.distance;
                n->is_value = step.is_value;
                COR_TRY_OUT(keep_text(&n->text, step.text, error));
            }
            if (end == COR_STEP_STAYS && s->stayed++ == 0)
                COR_TRY_OUT(keep_text(&s->stayed_text, step.text, error));
        }
    }
out:
    s->looks = false;
    return status;
}

/* Passes in turn until none takes anything. */
static enum cor_status run_passes(struct cor_shrinker *s, struct cor_error *error) {
    bool some = true;
    while (some && !s->tries->is_stopped) {
        some = false;
        for (uint32_t i = 0; i < sequence__pass_count && !s->tries->is_stopped; i++) {
            bool moved = false;
            if (sequence__passes[i].last && some)
                continue;
            s->report->counts.pass = sequence__passes[i].name;
            const struct cor_pass *pass = &sequence__passes[i];
            COR_TRY(pass->run    ? pass->run(s, &moved, error)
                    : pass->step ? run_choices(s, pass, &moved, error)
                                 : run_set(s, pass, &moved, error));
            some = some || moved;
        }
    }
    return COR_OK;
}

/* The failure, twice: each time the same, and the one that is expected. */
static enum cor_status repeat(struct cor_shrinker *s, bool *repeats, struct cor_error *error) {
    struct cor_test_result first, second;
    COR_DESTROYED(sequence__seen) struct sequence__seen *seen = NULL, *again = NULL;
    COR_TRY(execute(s, s->best, &first, error));
    COR_TRY(sequence__shrink_see(s, &seen, error));
    COR_TRY(execute(s, s->best, &second, error));
    *repeats =
        first.case_ != 0 && first.case_ == second.case_ && first.hash == second.hash &&
        cor_failure_class_equal(&first.class, &second.class) &&
        (s->best->expected.case_ == 0 || cor_failure_class_equal(&first.class, &s->best->expected.class));
    if (!*repeats) {
        COR_TRY(sequence__shrink_see(s, &again, error));
        COR_TRY(sequence__shrink_said_flaky(s, &first, &second, seen, again, error));
        return COR_OK;
    }
    s->best->expected = first;
    note_quiet(s);
    if (first.case_ < cor_test_cases(s->best) && !s->looks)
        cor_test_truncate(s->best, first.case_);
    s->best_hash = cor_test_hash(s->best);
    return COR_OK;
}

static enum cor_status begin_shrinking(struct cor_shrinker *s, const struct cor_test *test,
                                       struct cor_error *error) {
    char *text = NULL;
    COR_TRY(cor_test_copy(test, &s->best, error));
    s->report->before = s->report->after = cor_test_size(test);
    s->seed_first = test->suite->name.seed;
    COR_TRY(cor_made(s->quiet = cor_calloc(s->report->before.cases, sizeof *s->quiet), error));
    s->report->free = s->definition->free || (test->own && !test->bounds);
    if (s->report->free)
        return COR_OK;
    if (test->bounds)
        COR_TRY(sequence__bounds_parse(test->bounds, test, &s->bounds, error));
    else {
        COR_TRY(cor_bounds_text(test->suite->experiment->model, &test->arm, &text, error));
        const enum cor_status status = sequence__bounds_parse(text, test, &s->bounds, error);
        s->best->bounds = text; /* taken over */
        COR_TRY(status);
    }
    s->kept = cor_calloc(sequence__bounds_lines(s->bounds), sizeof *s->kept);
    s->judged = cor_calloc(sequence__bounds_lines(s->bounds), sizeof *s->judged);
    if (!s->kept || !s->judged)
        return cor_fail_memory(error);
    sequence__bounds_judge(s->bounds, test, s->kept);
    return COR_OK;
}

static void end_shrinker(struct cor_shrinker *s) {
    sequence__bounds_destroy(s->bounds);
    free(s->kept);
    free(s->judged);
    cor_test_destroy(s->best);
    free(s->quiet);
    cor_pool_fini(&s->seen);
    free(s->seen_end);
    free(s->stayed_text);
    free(s->nearest.text);
    free(s->slots.items);
}

enum cor_status cor_shrink(const struct cor_test *test, const struct cor_shrink_definition *definition,
                           struct cor_tester *tester, struct cor_test **smaller,
                           struct cor_shrink_report *report, struct cor_error *error) {
    struct cor_shrinker s = {.definition = definition,
                             .tester = tester,
                             .report = report,
                             .tries = &report->counts.tries,
                             .seen.size = sizeof(uint64_t)};
    bool repeats = false;
    enum cor_status status = COR_OK;
    *smaller = NULL;
    *report = (struct cor_shrink_report){.end = COR_SHRINK_FLAKY, .counts.tries.most = definition->budget};
    COR_TRY_OUT(begin_shrinking(&s, test, error));
    COR_TRY_OUT(repeat(&s, &repeats, error));
    if (repeats) {
        do {
            COR_TRY_OUT(run_passes(&s, error));
            if (s.definition->reseeds > 0) {
                s.reseeds = true;
                COR_TRY_OUT(run_passes(&s, error));
                s.reseeds = false;
            }
            COR_TRY_OUT(look(&s, error));
        } while (s.stayed > 0 && !s.tries->is_stopped);
        s.report->end = s.tries->is_stopped ? COR_SHRINK_STOPPED : COR_SHRINK_MINIMAL;
        s.report->after = cor_test_size(s.best);
        s.report->counts.pass = NULL;
        COR_TRY_OUT(sequence__shrink_said(&s, error));
        free(s.best->said);
        COR_TRY_OUT(cor_made(s.best->said = cor_strdup(s.report->said), error));
    }
    *smaller = s.best;
    s.best = NULL;
out:
    end_shrinker(&s);
    if (status != COR_OK)
        cor_shrink_report_fini(report);
    return status;
}

enum cor_status cor_shrink_check(const struct cor_test *test, const struct cor_shrink_definition *definition,
                                 struct cor_tester *tester, struct cor_shrink_report *report,
                                 struct cor_error *error) {
    struct cor_shrinker s = {.definition = definition,
                             .tester = tester,
                             .report = report,
                             .tries = &report->counts.tries,
                             .seen.size = sizeof(uint64_t),
                             .checks = true,
                             .looks = true};
    bool repeats = false;
    enum cor_status status = COR_OK;
    *report = (struct cor_shrink_report){.end = COR_SHRINK_FLAKY, .counts.tries.most = definition->budget};
    COR_TRY_OUT(begin_shrinking(&s, test, error));
    COR_TRY_OUT(repeat(&s, &repeats, error));
    if (repeats) {
        COR_TRY_OUT(look(&s, error));
        report->counts.pass = NULL;
        const bool longer = cor_test_cases(test) > s.best->expected.case_;
        report->end = s.tries->is_stopped      ? COR_SHRINK_STOPPED
                      : s.stayed > 0 || longer ? COR_SHRINK_LARGER
                                               : COR_SHRINK_MINIMAL;
        COR_TRY_OUT(sequence__shrink_said(&s, error));
    }
out:
    end_shrinker(&s);
    if (status != COR_OK)
        cor_shrink_report_fini(report);
    return status;
}
