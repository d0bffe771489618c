/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a suite file back. It may have been edited, so everything that executing it relies on is checked.
 */
#include "generate.h"
#include "read.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PARAMETER_MAX 1e15 /* magnitude */

/* A key's array of exactly `count` items. */
static enum cor_status need_array(const struct cor_json *json, const char *key, size_t count,
                                  struct cor_json *array, struct cor_error *error) {
    enum cor_status status = cor_json_need(json, key, array, error);
    return status == COR_OK ? cor_json_expect_array(array, count, count, error) : status;
}

/* A key's array of exactly `count` integers within low .. high. */
static enum cor_status read_integers(const struct cor_json *json, const char *key, size_t count, int64_t low,
                                     int64_t high, int64_t *items, struct cor_error *error) {
    struct cor_json array;
    enum cor_status status = need_array(json, key, count, &array, error);
    for (size_t i = 0; i < count && status == COR_OK; i++) {
        struct cor_json item = cor_json_at(&array, i);
        status = cor_json_integer(&item, low, high, &items[i], error);
    }
    return status;
}

/* read_integers into an array of a narrower type, by way of `scratch`. */
#define READ_INTEGERS(json, key, count, low, high, items, scratch, status, error)  \
    do {                                                                           \
        if ((status) == COR_OK)                                                    \
            (status) = read_integers(json, key, count, low, high, scratch, error); \
        for (size_t got = 0; got < (count) && (status) == COR_OK; got++)           \
            (items)[got] = (__typeof__((items)[0]))(scratch)[got];                 \
    } while (0)

static enum cor_status read_reals(const struct cor_json *json, const char *key, size_t count, double low,
                                  double high, double *items, struct cor_error *error) {
    struct cor_json array;
    enum cor_status status = need_array(json, key, count, &array, error);
    for (size_t i = 0; i < count && status == COR_OK; i++) {
        struct cor_json item = cor_json_at(&array, i);
        status = cor_json_real(&item, low, high, &items[i], error);
    }
    return status;
}

static enum cor_status read_number(const struct cor_json *json, const char *key, int64_t low, int64_t high,
                                   int64_t *number, struct cor_error *error) {
    struct cor_json child;
    enum cor_status status = cor_json_need(json, key, &child, error);
    return status == COR_OK ? cor_json_integer(&child, low, high, number, error) : status;
}

static enum cor_status read_real(const struct cor_json *json, const char *key, double low, double high,
                                 double *number, struct cor_error *error) {
    struct cor_json child;
    enum cor_status status = cor_json_need(json, key, &child, error);
    return status == COR_OK ? cor_json_real(&child, low, high, number, error) : status;
}

/* null: the threshold was given, and there was no pilot. */
static enum cor_status read_pilot_rate(const struct cor_json *json, struct cor_suite *suite,
                                       struct cor_error *error) {
    struct cor_json child;
    suite->pilot_rate = NAN;
    enum cor_status status = cor_json_need(json, "pilot_rate", &child, error);
    return status == COR_OK && !cor_json_is_null(&child)
               ? cor_json_real(&child, 0, 1, &suite->pilot_rate, error)
               : status;
}

/* What the algorithm gets must be what it asks for; other parameters are only recorded. */
static enum cor_status read_parameters(const struct cor_json *json, struct cor_suite *suite,
                                       struct cor_error *error) {
    const struct cor_arm *arm = suite->arm;
    struct cor_json array;
    enum cor_status status = read_reals(json, "parameters", cor_parameter_laws_size(arm->laws),
                                        -PARAMETER_MAX, PARAMETER_MAX, suite->parameters, error);
    for (uint32_t i = 0; i < cor_algorithm_parameter_count(arm->algorithm) && status == COR_OK; i++) {
        const struct cor_parameter *p = &arm->algorithm->parameters[i];
        size_t index = (size_t)arm->algorithm_parameters[i];
        double value = suite->algorithm_parameters[i] = suite->parameters[index];
        if (value >= p->min && value <= p->max && (!p->is_integer || value == (double)(int64_t)value))
            continue;
        status = cor_json_need(json, "parameters", &array, error);
        if (status != COR_OK)
            return status;
        struct cor_json item = cor_json_at(&array, index);
        return cor_json_fail(&item, error, NULL, "is %.10g, but %s of %s is %s from %.10g to %.10g", value,
                             p->name, arm->algorithm->name, p->is_integer ? "an integer" : "a number", p->min,
                             p->max);
    }
    return status;
}

static enum cor_status read_numbers(const struct cor_json *json, struct cor_suite *suite,
                                    struct cor_error *error) {
    struct cor_json child;
    int64_t n[9] = {0};
    enum cor_status status = read_number(json, "agents", 1, COR_AGENTS_MAX, &n[0], error);
    if (status == COR_OK)
        status = read_number(json, "groups", 1, n[0], &n[1], error);
    if (status == COR_OK)
        status = read_number(json, "chains", 1, n[1], &n[2], error);
    if (status == COR_OK)
        status = read_number(json, "size_min", 1, UINT32_MAX, &n[3], error);
    if (status == COR_OK)
        status = read_number(json, "size_max", n[3], UINT32_MAX, &n[4], error);
    if (status == COR_OK)
        status = read_number(json, "count_min", 1, UINT32_MAX, &n[5], error);
    if (status == COR_OK)
        status = read_number(json, "count_max", n[5], UINT32_MAX, &n[6], error);
    if (status == COR_OK)
        status = read_number(json, "budget", 1, INT64_MAX, &n[7], error);
    if (status == COR_OK)
        status = read_number(json, "attempts", 0, UINT32_MAX, &n[8], error);
    if (status == COR_OK)
        status = cor_json_need(json, "fallback", &child, error);
    if (status == COR_OK)
        status = cor_json_bool(&child, &suite->fallback, error);
    if (status == COR_OK)
        status = cor_configuration_create(
            (uint32_t)n[0], (uint32_t)n[1], (uint32_t)n[2], suite->experiment->model->type_count,
            suite->experiment->model->environment_count, &suite->configuration, error);
    struct cor_configuration *c = suite->configuration;
    if (status != COR_OK)
        return status;
    c->limits.size_min = (uint32_t)n[3];
    c->limits.size_max = (uint32_t)n[4];
    c->limits.count_min = (uint32_t)n[5];
    c->limits.count_max = (uint32_t)n[6];
    suite->budget = (uint64_t)n[7];
    suite->attempts = (uint32_t)n[8];
    status = read_real(json, "threshold", 0, 1, &c->threshold, error);
    if (status == COR_OK)
        status = read_real(json, "idle_ratio", 0, 1, &c->idle_ratio, error);
    if (status == COR_OK)
        status = read_pilot_rate(json, suite, error);
    return status == COR_OK ? read_parameters(json, suite, error) : status;
}

/* Groups follow each other without gaps, and every initial partition has a member. */
static enum cor_status check_agents(const struct cor_json *json, const struct cor_configuration *c,
                                    int64_t *scratch, struct cor_error *error) {
    bool whole = c->group_start[0] == 0 && c->group_start[c->group_count] == c->agent_count;
    for (uint32_t g = 0; g < c->group_count; g++)
        whole = whole && c->group_start[g] <= c->group_start[g + 1];
    struct cor_json child;
    enum cor_status status = cor_json_need(json, whole ? "initial_partition" : "group_start", &child, error);
    if (status == COR_OK && !whole)
        status = cor_json_fail(&child, error, NULL, "does not ascend from 0 to the number of agents");
    if (status != COR_OK)
        return status;
    memset(scratch, 0, c->initial_partitions * sizeof *scratch);
    for (uint32_t i = 0; i < c->agent_count; i++)
        scratch[c->initial_partition[i]]++;
    for (uint32_t p = 0; p < c->initial_partitions; p++)
        if (scratch[p] == 0)
            return cor_json_fail(&child, error, NULL, "partition %u is empty", p);
    return COR_OK;
}

static enum cor_status read_agents(const struct cor_json *json, struct cor_configuration *c, int64_t *scratch,
                                   struct cor_error *error) {
    int64_t partitions = 0;
    enum cor_status status = read_number(json, "initial_partitions", 1, c->agent_count, &partitions, error);
    c->initial_partitions = (uint32_t)partitions;
    READ_INTEGERS(json, "type", c->agent_count, 0, c->type_count - 1, c->type, scratch, status, error);
    READ_INTEGERS(json, "group_start", (size_t)c->group_count + 1, 0, c->agent_count, c->group_start, scratch,
                  status, error);
    READ_INTEGERS(json, "chain_of_group", c->group_count, 0, c->chain_count - 1, c->chain_of_group, scratch,
                  status, error);
    READ_INTEGERS(json, "profile_of_chain", c->chain_count, 0, c->profile_count - 1, c->profile_of_chain,
                  scratch, status, error);
    READ_INTEGERS(json, "location_of_chain", c->chain_count, 0, UINT32_MAX, c->location_of_chain, scratch,
                  status, error);
    READ_INTEGERS(json, "initial_partition", c->agent_count, 0, partitions - 1, c->initial_partition, scratch,
                  status, error);
    READ_INTEGERS(json, "initial_state", c->agent_count, 0, COR_PROFILE_STATES_MAX - 1, c->initial_state,
                  scratch, status, error);
    if (status == COR_OK)
        status = read_reals(json, "inertia", c->agent_count, 1e-9, 1, c->inertia, error);
    if (status == COR_OK)
        status = read_reals(json, "initial_value", c->agent_count, 0, 1, c->initial_value, error);
    return status == COR_OK ? check_agents(json, c, scratch, error) : status;
}

/* Rows of a probabilistic effect ascend, and end with the bound that takes whatever is drawn. */
static enum cor_status read_cumulative(const struct cor_json *json, struct cor_effect *effect,
                                       struct cor_error *error) {
    size_t states = effect->state_count, count = effect->relevant_count * states * states;
    enum cor_status status = cor_json_expect_array(json, count, count, error);
    for (size_t i = 0; i < count && status == COR_OK; i++) {
        struct cor_json item = cor_json_at(json, i);
        int64_t low = i % states == 0 ? 0 : effect->cumulative[i - 1], bound = 0;
        if (i % states == states - 1)
            low = UINT32_MAX;
        status = cor_json_integer(&item, low, UINT32_MAX, &bound, error);
        effect->cumulative[i] = (uint32_t)bound;
    }
    return status;
}

static enum cor_status read_effect(const struct cor_json *json, struct cor_configuration *c, uint32_t index,
                                   uint32_t environment_states, struct cor_error *error) {
    static const char *const keys[] = {"relevant_count", "relevant", "next", "cumulative", "level", NULL};
    struct cor_json level, child;
    int64_t relevant = 0, scratch[COR_PROFILE_STATES_MAX * COR_PROFILE_STATES_MAX];
    struct cor_effect *e;
    enum cor_status status = cor_json_expect_object(json, keys, error);
    if (status == COR_OK)
        status = read_number(json, "relevant_count", 1, COR_PROFILE_STATES_MAX, &relevant, error);
    if (status == COR_OK)
        status = cor_json_need(json, "level", &level, error);
    if (status == COR_OK)
        status = cor_json_expect_array(&level, 1, COR_PROFILE_STATES_MAX, error);
    if (status != COR_OK)
        return status;
    uint32_t states = (uint32_t)cor_json_size(&level);
    bool probabilistic = cor_json_find(json, "cumulative", &child);
    status = cor_configuration_set_effect(c, index / c->profile_count, index % c->profile_count,
                                          environment_states, (uint32_t)relevant, states, probabilistic, &e,
                                          error);
    READ_INTEGERS(json, "relevant", environment_states, 0, relevant - 1, e->relevant, scratch, status, error);
    READ_INTEGERS(json, "next", (size_t)relevant * states, 0, states - 1, e->next, scratch, status, error);
    if (status == COR_OK)
        status = read_reals(json, "level", states, 0, 1, e->level, error);
    return status == COR_OK && probabilistic ? read_cumulative(&child, e, error) : status;
}

/* A profile has no names in a suite file; those of the model are given to one of as many states. */
static enum cor_status read_profile(const struct cor_json *json, const struct cor_environment *environment,
                                    struct cor_profile **profile, struct cor_error *error) {
    static const char *const keys[] = {"start", "probability", NULL};
    double start[COR_PROFILE_STATES_MAX], probability[COR_PROFILE_STATES_MAX * COR_PROFILE_STATES_MAX];
    struct cor_json child;
    enum cor_status status = cor_json_expect_object(json, keys, error);
    if (status == COR_OK)
        status = cor_json_need(json, "start", &child, error);
    if (status == COR_OK)
        status = cor_json_expect_array(&child, 1, COR_PROFILE_STATES_MAX, error);
    size_t states = status == COR_OK ? cor_json_size(&child) : 0;
    if (status == COR_OK)
        status = read_reals(json, "start", states, 0, 1, start, error);
    if (status == COR_OK)
        status = read_reals(json, "probability", states * states, 0, 1, probability, error);
    if (status != COR_OK)
        return status;
    bool named = environment->profile && environment->profile->state_count == states;
    struct cor_error said = COR_NO_ERROR;
    status = cor_profile_create(environment->name, (uint32_t)states,
                                named ? (const char *const *)environment->profile->states : NULL, probability,
                                start, profile, &said);
    return status == COR_STATUS_INPUT ? cor_json_fail(json, error, said.remedy, "%s", said.cause)
           : status != COR_OK         ? cor_fail_memory(error)
                                      : COR_OK;
}

static enum cor_status read_environments(const struct cor_json *json, struct cor_suite *suite,
                                         struct cor_error *error) {
    struct cor_configuration *c = suite->configuration;
    struct cor_json array, item;
    enum cor_status status = need_array(json, "profiles", c->profile_count, &array, error);
    for (uint32_t p = 0; p < c->profile_count && status == COR_OK; p++) {
        suite->environment_of_profile[p] = (uint16_t)p;
        item = cor_json_at(&array, p);
        status = read_profile(&item, &suite->experiment->model->environments[p], &suite->profiles[p], error);
        suite->owned_profiles[p] = status == COR_OK;
    }
    size_t effects = (size_t)c->type_count * c->profile_count;
    if (status == COR_OK)
        status = need_array(json, "effects", effects, &array, error);
    for (uint32_t i = 0; i < effects && status == COR_OK; i++) {
        item = cor_json_at(&array, i);
        status = read_effect(&item, c, i, suite->profiles[i % c->profile_count]->state_count, error);
    }
    return status;
}

static enum cor_status read_chain(const struct cor_json *json, const struct cor_suite *suite, uint32_t chain,
                                  struct cor_walk *walk, struct cor_error *error) {
    static const char letters[] = COR_STATE_LETTERS;
    const char *text;
    uint32_t states = suite->profiles[suite->configuration->profile_of_chain[chain]]->state_count;
    enum cor_status status = cor_json_string(json, &text, error);
    if (status != COR_OK)
        return status;
    if (strlen(text) != (size_t)walk->case_count + 1)
        return cor_json_fail(json, error, NULL, "has %zu states, but the first chain has %u", strlen(text),
                             walk->case_count + 1);
    for (uint32_t i = 0; i <= walk->case_count; i++) {
        const char *letter = strchr(letters, text[i]);
        if (!letter || (size_t)(letter - letters) >= states)
            return cor_json_fail(json, error, "states are a, b, c, ... in the order of the profile",
                                 "case %u has none of the profile's %u states", i, states);
        walk->states[(size_t)i * walk->chain_count + chain] = (uint8_t)(letter - letters);
    }
    return COR_OK;
}

static enum cor_status read_walk(const struct cor_json *json, const struct cor_suite *suite,
                                 struct cor_walk *walk, struct cor_error *error) {
    uint32_t chains = suite->configuration->chain_count;
    const char *first;
    enum cor_status status = cor_json_expect_array(json, chains, chains, error);
    struct cor_json item = *json;
    if (status == COR_OK) {
        item = cor_json_at(json, 0);
        status = cor_json_string(&item, &first, error);
    }
    if (status == COR_OK && strlen(first) < 2)
        status = cor_json_fail(&item, error, NULL, "has no test case");
    if (status == COR_OK)
        status = cor_walk_resize(walk, chains, (uint32_t)strlen(first) - 1, error);
    for (uint32_t c = 0; c < chains && status == COR_OK; c++) {
        item = cor_json_at(json, c);
        status = read_chain(&item, suite, c, walk, error);
    }
    return status;
}

static enum cor_status read_walks(const struct cor_json *json, struct cor_suite *suite,
                                  struct cor_error *error) {
    uint32_t sequences = suite->experiment->sequence_count;
    struct cor_json array;
    enum cor_status status = need_array(json, "walks", sequences, &array, error);
    suite->recorded = cor_calloc(sequences, sizeof *suite->recorded);
    if (!suite->recorded)
        return cor_fail_memory(error);
    for (uint32_t s = 0; s < sequences && status == COR_OK; s++) {
        struct cor_json item = cor_json_at(&array, s);
        cor_walk_init(&suite->recorded[s]);
        status = read_walk(&item, suite, &suite->recorded[s], error);
        suite->case_counts[s] = suite->recorded[s].case_count;
    }
    return status;
}

/* The state that an agent starts in must be one of its type's. */
static enum cor_status check_states(const struct cor_json *json, const struct cor_configuration *c,
                                    struct cor_error *error) {
    struct cor_json states;
    enum cor_status status = cor_json_need(json, "initial_state", &states, error);
    for (uint32_t g = 0; g < c->group_count && status == COR_OK; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1] && status == COR_OK; i++) {
            uint32_t count = cor_configuration_effect(c, c->type[i], c->chain_of_group[g])->state_count;
            struct cor_json item = cor_json_at(&states, i);
            int64_t state;
            status = cor_json_integer(&item, 0, (int64_t)count - 1, &state, error);
        }
    return status;
}

static enum cor_status read_body(const struct cor_json *json, struct cor_suite *suite,
                                 struct cor_error *error) {
    enum cor_status status = read_numbers(json, suite, error);
    if (status != COR_OK)
        return status;
    struct cor_configuration *c = suite->configuration;
    c->measure = suite->experiment->model->measure;
    c->monitor = suite->arm->monitor;
    c->adoption = suite->arm->adoption;
    int64_t *scratch = cor_calloc((size_t)c->agent_count + 2, sizeof *scratch);
    status = scratch ? read_agents(json, c, scratch, error) : cor_fail_memory(error);
    free(scratch);
    if (status == COR_OK)
        status = read_environments(json, suite, error);
    if (status == COR_OK)
        status = check_states(json, c, error);
    return status == COR_OK ? read_walks(json, suite, error) : status;
}

static enum cor_status read_suite(const struct cor_experiment *experiment, const struct cor_json *json,
                                  struct cor_suite **suite, struct cor_error *error) {
    static const char *const keys[] = {"corridor_suite",
                                       "arm",
                                       "suite",
                                       "agents",
                                       "groups",
                                       "chains",
                                       "size_min",
                                       "size_max",
                                       "count_min",
                                       "count_max",
                                       "threshold",
                                       "idle_ratio",
                                       "budget",
                                       "attempts",
                                       "fallback",
                                       "pilot_rate",
                                       "parameters",
                                       "type",
                                       "group_start",
                                       "chain_of_group",
                                       "profile_of_chain",
                                       "location_of_chain",
                                       "inertia",
                                       "initial_state",
                                       "initial_value",
                                       "initial_partition",
                                       "initial_partitions",
                                       "effects",
                                       "profiles",
                                       "walks",
                                       NULL};
    struct cor_json child;
    int64_t index;
    const char *name;
    enum cor_status status = cor_json_expect_object(json, keys, error);
    if (status == COR_OK)
        status = cor__read_version(json, "corridor_suite", error);
    if (status == COR_OK)
        status = read_number(json, "suite", 0, UINT32_MAX, &index, error);
    if (status == COR_OK)
        status = cor_json_need(json, "arm", &child, error);
    if (status == COR_OK)
        status = cor_json_string(&child, &name, error);
    if (status != COR_OK)
        return status;
    int arm = cor_experiment_arm(experiment, name);
    if (arm < 0)
        return cor_json_fail(&child, error, "the folder's experiment.json lists the arms",
                             "unknown arm \"%s\"", name);
    status = cor__suite_create(experiment, (uint32_t)arm, (uint32_t)index, suite, error);
    return status == COR_OK ? read_body(json, *suite, error) : status;
}

enum cor_status cor_suite_read(const struct cor_experiment *experiment, const char *path,
                               struct cor_suite **suite, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    *suite = NULL;
    enum cor_status status = cor_json_read(path, &document, error);
    if (status == COR_OK) {
        struct cor_json root = cor_json_root(document);
        status = read_suite(experiment, &root, suite, error);
    }
    cor_json_destroy(document);
    if (status != COR_OK) {
        cor_suite_destroy(*suite);
        *suite = NULL;
    }
    return status;
}
