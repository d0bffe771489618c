/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of a test: which there are, how simple they are, and which of two tests is simpler. */
#include "shrinker.h"

#include <corridor/array.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INERTIA_LEAST 1e-9
#define DIGITS_MAX 17
#define INTEGER_MOST 1e15

struct listing {
    const struct cor_bounds *bounds;
    const struct cor_test *test;
    struct cor_slots *slots;
    struct cor_error *error;
    enum cor_status status;
};

/* What has no room for a simpler number is no slot. The first error sticks. */
static void add(struct listing *l, struct cor_slot slot) {
    if (l->status != COR_OK || !(slot.low <= slot.high))
        return;
    l->status = COR_RESERVE(&l->slots->items, &l->slots->capacity, l->slots->count + 1, l->error);
    if (l->status == COR_OK)
        l->slots->items[l->slots->count++] = slot;
}

static void add_integer(struct listing *l, enum cor_slot_kind kind, uint32_t first, double low) {
    add(l, (struct cor_slot){kind, first, 0, true, low, INTEGER_MOST, 0});
}

static void add_real(struct listing *l, enum cor_slot_kind kind, uint32_t first, uint32_t second, double low,
                     double high) {
    add(l, (struct cor_slot){kind, first, second, false, low, high, 0});
}

/* What a parameter of the model stands for is counted, not chosen. */
static bool is_counted(const struct cor_bounds *b, uint32_t parameter) {
    for (uint32_t t = 0; b->type_counts && t < b->type_count; t++)
        if (b->type_counts[t].parameter == (int)parameter)
            return true;
    return b->roles[COR_ROLE_AGENTS].parameter == (int)parameter ||
           b->roles[COR_ROLE_GROUPS].parameter == (int)parameter;
}

/* What the arm says of faults and mail. It is given, not drawn: no model speaks of it. */
static void list_settings(struct listing *l) {
    const struct cor_arm *arm = &l->test->arm;
    const enum cor_monitor_fault monitor = arm->monitor.fault;
    add_integer(l, COR_SLOT_ACTIVATION_DELAY, 0, 0);
    if (monitor == COR_MONITOR_FAULT_MISSED || monitor == COR_MONITOR_FAULT_FALSE)
        add_real(l, COR_SLOT_MONITOR, 0, 0, 0, 1);
    if (monitor == COR_MONITOR_FAULT_LATE)
        add_integer(l, COR_SLOT_MONITOR_DELAY, 0, 1);
    if (arm->adoption.fault > COR_ADOPTION_FAULT_NONE)
        add_real(l, COR_SLOT_ADOPTION, 0, 0, 0, 1);
    if (arm->result.fault > COR_RESULT_FAULT_NONE)
        add_real(l, COR_SLOT_RESULT, 0, 0, 0, 1);
    if (arm->session.agents.fault > COR_CRASH_FAULT_NONE) {
        add_real(l, COR_SLOT_CRASH, 0, 0, 0, 1);
        add_integer(l, COR_SLOT_CRASH_ROUNDS, 0, 1);
    }
    if (arm->session.mail.mode == COR_MAIL_DELAYED)
        add_integer(l, COR_SLOT_MAIL_DELAY, 0, 1);
    if (arm->session.mail.mode == COR_MAIL_LOSSY)
        add_real(l, COR_SLOT_MAIL_LOSS, 0, 0, 0, 1);
    if (arm->session.mail.mode == COR_MAIL_DUPLICATED)
        add_real(l, COR_SLOT_MAIL_DOUBLE, 0, 0, 0, 1);
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
            felt[(size_t)c->type[i] * c->profile_count + c->profile_of_chain[c->chain_of_group[g]]] = true;
    for (uint32_t e = 0; felt && e < effects; e++) {
        const uint32_t type = e / c->profile_count;
        const double low = l->bounds ? l->bounds->level_low[type] : 0;
        const double high = l->bounds ? l->bounds->level_high[type] : 1;
        for (uint32_t s = 0; felt[e] && s < c->effects[e].state_count; s++)
            add_real(l, COR_SLOT_LEVEL, e, s, low, high); /* NaN: none */
    }
    free(felt);
}

enum cor_status sequence__slots_list(const struct cor_bounds *bounds, const struct cor_test *test,
                                     struct cor_slots *slots, struct cor_error *error) {
    struct listing l = {bounds, test, slots, error, COR_OK};
    const struct cor_configuration *c = test->suite->configuration;
    slots->count = 0;
    if (bounds) {
        const struct cor_bounds *b = l.bounds;
        for (uint32_t i = 0; i < b->order_count; i++) {
            const uint32_t parameter = b->order[i];
            const struct cor_bound *bound = &b->parameters[parameter];
            int64_t low, high;
            if (bound->kind == COR_BOUND_REAL && bound->sum < 0)
                add_real(&l, COR_SLOT_PARAMETER, parameter, 0, bound->real_low, bound->real_high);
            if (bound->kind == COR_BOUND_RANGE && !is_counted(b, parameter) &&
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
    list_settings(&l);
    for (uint32_t i = 0; i < c->chain_count; i++)
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

void sequence__slot_set(struct cor_test *test, const struct cor_slot *slot, double value) {
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
                const struct cor_effect *e = cor_configuration_effect(c, c->type[i], c->chain_of_group[g]);
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

static int compare_sizes(const struct cor_test *one, const struct cor_test *other) {
    const struct cor_test_size a = cor_test_size(one), b = cor_test_size(other);
    const uint32_t numbers[5][2] = {{a.cases, b.cases},
                                    {a.agents, b.agents},
                                    {a.groups, b.groups},
                                    {a.chains, b.chains},
                                    {a.partitions, b.partitions}};
    for (int i = 0; i < 5; i++)
        if (numbers[i][0] != numbers[i][1])
            return compare_words(numbers[i][0], numbers[i][1]);
    return 0;
}

/* Departures from mail in sending order; mail that is drawn may have any. */
static uint64_t count_departures(const struct cor_test *test) {
    return sequence__test_draws_mail(test) ? UINT64_MAX : test->schedule ? test->schedule->count : 0;
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

/* Parameters that sum up, one by one. */
static int compare_sums(const struct cor_bounds *bounds, const struct cor_test *one,
                        const struct cor_test *other) {
    int order = 0;
    for (uint32_t s = 0; bounds && s < bounds->sum_count; s++)
        for (uint32_t i = 0; i < bounds->sums[s].count && order == 0; i++)
            order = compare_simplicity(one->suite->parameters[bounds->sums[s].member[i]],
                                       other->suite->parameters[bounds->sums[s].member[i]]);
    return order;
}

int sequence__test_compare(const struct cor_bounds *bounds, const struct cor_test *one,
                           const struct cor_test *other, enum cor_status *status, struct cor_error *error) {
    struct cor_slots slots = {0};
    int order = compare_sizes(one, other);
    if (order == 0)
        order = compare_words(count_departures(one), count_departures(other));
    if (order == 0) {
        uint64_t changes[2], sums[2];
        measure_walk(one, &changes[0], &sums[0]);
        measure_walk(other, &changes[1], &sums[1]);
        order = changes[0] != changes[1] ? compare_words(changes[0], changes[1])
                                         : compare_words(sums[0], sums[1]);
    }
    if (order == 0)
        order = compare_sums(bounds, one, other);
    if (order != 0)
        return order;
    *status = sequence__slots_list(bounds, one, &slots, error);
    for (size_t i = 0; i < slots.count && order == 0; i++) {
        const struct cor_slot *slot = &slots.items[i];
        const double a = sequence__slot_value(one, slot), b = sequence__slot_value(other, slot);
        if (a != b)
            order = slot->integer ? (a > b) - (a < b) : compare_simplicity(a, b);
    }
    free(slots.items);
    if (order != 0)
        return order;
    return compare_words(sequence__test_arcs(one), sequence__test_arcs(other));
}

struct cor_test_size cor_test_size(const struct cor_test *test) {
    const struct cor_configuration *c = test->suite->configuration;
    return (struct cor_test_size){.cases = cor_test_cases(test),
                                  .agents = c->agent_count,
                                  .groups = c->group_count,
                                  .chains = c->chain_count,
                                  .partitions = c->initial_partitions};
}
