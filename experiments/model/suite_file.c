/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suites as files (off-line mode). A file holds everything that executing the suite depends on, exactly:
 * numbers with 17 digits, walks as one letter a state. docs/experiments.md, "Suite files". */
#include "generate.h"

#include <corridor/array.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One letter for each of up to COR_PROFILE_STATES_MAX states. */
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-";

/* -------------------------------------------------------------------------------------------------------
 * writing */

#define PUT_INTEGERS(writer, key, items, count)                        \
    do {                                                               \
        cor_json_open_array(writer, key);                              \
        for (size_t put = 0; put < (count); put++)                     \
            cor_json_put_integer(writer, NULL, (int64_t)(items)[put]); \
        cor_json_close(writer);                                        \
    } while (0)

static void put_reals(struct cor_json_writer *writer, const char *key, const double *items, size_t count) {
    cor_json_open_array(writer, key);
    for (size_t i = 0; i < count; i++)
        cor_json_put_real(writer, NULL, items[i]);
    cor_json_close(writer);
}

static void write_numbers(struct cor_json_writer *writer, const struct cor_suite *suite) {
    const struct cor_configuration *c = suite->configuration;
    cor_json_put_integer(writer, "agents", c->agent_count);
    cor_json_put_integer(writer, "groups", c->group_count);
    cor_json_put_integer(writer, "chains", c->chain_count);
    cor_json_put_integer(writer, "size_min", c->size_min);
    cor_json_put_integer(writer, "size_max", c->size_max);
    cor_json_put_integer(writer, "count_min", c->count_min);
    cor_json_put_integer(writer, "count_max", c->count_max);
    cor_json_put_real(writer, "threshold", c->threshold);
    cor_json_put_real(writer, "idle_ratio", c->idle_ratio);
    cor_json_put_integer(writer, "budget", (int64_t)suite->budget);
    cor_json_put_integer(writer, "attempts", suite->attempts);
    cor_json_put_bool(writer, "fallback", suite->fallback);
    cor_json_put_real(writer, "pilot_rate", suite->pilot_rate);
    put_reals(writer, "parameters", suite->parameters, cor_parameter_laws_size(suite->arm->laws));
}

static void write_agents(struct cor_json_writer *writer, const struct cor_configuration *c) {
    PUT_INTEGERS(writer, "type", c->type, c->agent_count);
    PUT_INTEGERS(writer, "group_start", c->group_start, (size_t)c->group_count + 1);
    PUT_INTEGERS(writer, "chain_of_group", c->chain_of_group, c->group_count);
    PUT_INTEGERS(writer, "profile_of_chain", c->profile_of_chain, c->chain_count);
    PUT_INTEGERS(writer, "location_of_chain", c->location_of_chain, c->chain_count);
    put_reals(writer, "inertia", c->inertia, c->agent_count);
    PUT_INTEGERS(writer, "initial_state", c->initial_state, c->agent_count);
    put_reals(writer, "initial_value", c->initial_value, c->agent_count);
    PUT_INTEGERS(writer, "initial_partition", c->initial_partition, c->agent_count);
    cor_json_put_integer(writer, "initial_partitions", c->initial_partitions);
}

static void write_effects(struct cor_json_writer *writer, const struct cor_configuration *c) {
    cor_json_open_array(writer, "effects");
    for (size_t i = 0; i < (size_t)c->type_count * c->profile_count; i++) {
        const struct cor_effect *e = &c->effects[i];
        size_t rows = (size_t)e->relevant_count * e->state_count;
        cor_json_open_object(writer, NULL);
        cor_json_put_integer(writer, "relevant_count", e->relevant_count);
        PUT_INTEGERS(writer, "relevant", e->relevant, e->environment_states);
        PUT_INTEGERS(writer, "next", e->next, rows);
        if (e->cumulative)
            PUT_INTEGERS(writer, "cumulative", e->cumulative, rows * e->state_count);
        put_reals(writer, "level", e->level, e->state_count);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void write_profiles(struct cor_json_writer *writer, const struct cor_suite *suite) {
    cor_json_open_array(writer, "profiles");
    for (uint32_t p = 0; p < suite->configuration->profile_count; p++) {
        const struct cor_profile *profile = suite->profiles[p];
        size_t states = profile->state_count;
        cor_json_open_object(writer, NULL);
        put_reals(writer, "start", profile->start, states);
        put_reals(writer, "probability", profile->probability, states * states);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static enum cor_status write_walks(struct cor_json_writer *writer, const struct cor_suite *suite,
                                   struct cor_error *error) {
    struct cor_walk walk;
    enum cor_status status = COR_OK;
    cor_walk_init(&walk);
    cor_json_open_array(writer, "walks");
    for (uint32_t s = 0; s < suite->experiment->sequence_count && status == COR_OK; s++) {
        status = cor_suite_walk(suite, s, &walk, error);
        char *text = status == COR_OK ? malloc((size_t)walk.case_count + 2) : NULL;
        if (status == COR_OK && !text)
            status = cor_fail_memory(error);
        cor_json_open_array(writer, NULL);
        for (uint32_t chain = 0; status == COR_OK && chain < walk.chain_count; chain++) {
            for (uint32_t i = 0; i <= walk.case_count; i++)
                text[i] = letters[cor_walk_at(&walk, i)[chain]];
            text[walk.case_count + 1] = '\0';
            cor_json_put_string(writer, NULL, text);
        }
        cor_json_close(writer);
        free(text);
    }
    cor_json_close(writer);
    cor_walk_fini(&walk);
    return status;
}

static enum cor_status suite_text(const struct cor_suite *suite, char **text, struct cor_error *error) {
    struct cor_json_writer *writer;
    enum cor_status status = cor_json_writer_create(&writer, error);
    if (status != COR_OK)
        return status;
    cor_json_open_object(writer, NULL);
    cor_json_put_integer(writer, "corridor_suite", 1);
    cor_json_put_string(writer, "arm", suite->arm->name);
    cor_json_put_integer(writer, "suite", suite->index);
    write_numbers(writer, suite);
    write_agents(writer, suite->configuration);
    write_effects(writer, suite->configuration);
    write_profiles(writer, suite);
    status = write_walks(writer, suite, error);
    cor_json_close(writer);
    if (status == COR_OK && !(*text = cor_json_writer_text(writer, 0, error)))
        status = COR_STATUS_MEMORY;
    cor_json_writer_destroy(writer);
    return status;
}

enum cor_status cor_suite_write(const struct cor_suite *suite, const char *path, struct cor_error *error) {
    char *text = NULL;
    enum cor_status status = suite_text(suite, &text, error);
    FILE *file = status == COR_OK ? fopen(path, "wx") : NULL;
    if (status == COR_OK && !file)
        status = cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
    if (file) {
        bool failed = fputs(text, file) == EOF || fputc('\n', file) == EOF;
        if (fclose(file) != 0 || failed) {
            status = cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
            remove(path);
        }
    }
    free(text);
    return status;
}

/* -------------------------------------------------------------------------------------------------------
 * reading */

/* A key's array of exactly `count` integers within low .. high, each put by `put`. */
static enum cor_status read_integers(const struct cor_json *json, const char *key, size_t count, int64_t low,
                                     int64_t high, int64_t *items, struct cor_error *error) {
    struct cor_json array;
    enum cor_status status = cor_json_need(json, key, &array, error);
    if (status == COR_OK)
        status = cor_json_expect_array(&array, count, count, error);
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
    enum cor_status status = cor_json_need(json, key, &array, error);
    if (status == COR_OK)
        status = cor_json_expect_array(&array, count, count, error);
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
    if (status == COR_OK && cor_json_is_null(&child)) {
        *number = NAN;
        return COR_OK;
    }
    return status == COR_OK ? cor_json_real(&child, low, high, number, error) : status;
}

static enum cor_status read_numbers(const struct cor_json *json, struct cor_suite *suite,
                                    struct cor_error *error) {
    struct cor_json child;
    int64_t n[11] = {0};
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
        status = read_number(json, "count_min", 0, UINT32_MAX, &n[5], error);
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
    c->size_min = (uint32_t)n[3];
    c->size_max = (uint32_t)n[4];
    c->count_min = (uint32_t)n[5];
    c->count_max = (uint32_t)n[6];
    suite->budget = (uint64_t)n[7];
    suite->attempts = (uint32_t)n[8];
    status = read_real(json, "threshold", 0, 1e300, &c->threshold, error);
    if (status == COR_OK)
        status = read_real(json, "idle_ratio", 0, 1, &c->idle_ratio, error);
    if (status == COR_OK)
        status = read_real(json, "pilot_rate", 0, 1, &suite->pilot_rate, error);
    return status == COR_OK ? read_reals(json, "parameters", cor_parameter_laws_size(suite->arm->laws), -1e15,
                                         1e15, suite->parameters, error)
                            : status;
}

/* Groups follow each other without gaps, and every initial partition has a member. */
static enum cor_status check_agents(const struct cor_json *json, const struct cor_configuration *c,
                                    int64_t *scratch, struct cor_error *error) {
    bool whole = c->group_start[0] == 0 && c->group_start[c->group_count] == c->agent_count;
    for (uint32_t g = 0; g < c->group_count; g++)
        whole = whole && c->group_start[g] <= c->group_start[g + 1];
    if (!whole)
        return cor_json_fail(json, error, NULL,
                             "\"group_start\" does not ascend from 0 to the number of agents");
    memset(scratch, 0, c->initial_partitions * sizeof *scratch);
    for (uint32_t i = 0; i < c->agent_count; i++)
        scratch[c->initial_partition[i]]++;
    for (uint32_t p = 0; p < c->initial_partitions; p++)
        if (scratch[p] == 0)
            return cor_json_fail(json, error, NULL, "initial partition %u is empty", p);
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
        status = read_reals(json, "inertia", c->agent_count, 0, 1, c->inertia, error);
    if (status == COR_OK)
        status = read_reals(json, "initial_value", c->agent_count, 0, 1, c->initial_value, error);
    return status == COR_OK ? check_agents(json, c, scratch, error) : status;
}

static enum cor_status read_effect(const struct cor_json *json, struct cor_configuration *c, uint32_t index,
                                   uint32_t environment_states, struct cor_error *error) {
    struct cor_json level, child;
    int64_t relevant = 0, scratch[COR_PROFILE_STATES_MAX * COR_PROFILE_STATES_MAX];
    struct cor_effect *e;
    enum cor_status status = read_number(json, "relevant_count", 1, COR_PROFILE_STATES_MAX, &relevant, error);
    if (status == COR_OK)
        status = cor_json_need(json, "level", &level, error);
    if (status == COR_OK)
        status = cor_json_expect_array(&level, 1, COR_PROFILE_STATES_MAX, error);
    if (status != COR_OK)
        return status;
    uint32_t states = (uint32_t)cor_json_size(&level);
    size_t rows = (size_t)relevant * states;
    bool probabilistic = cor_json_find(json, "cumulative", &child);
    status = cor_configuration_set_effect(c, index / c->profile_count, index % c->profile_count,
                                          environment_states, (uint32_t)relevant, states, probabilistic, &e,
                                          error);
    READ_INTEGERS(json, "relevant", environment_states, 0, relevant - 1, e->relevant, scratch, status, error);
    READ_INTEGERS(json, "next", rows, 0, states - 1, e->next, scratch, status, error);
    if (status == COR_OK)
        status = read_reals(json, "level", states, 0, 1, e->level, error);
    if (status != COR_OK || !probabilistic)
        return status;
    status = cor_json_expect_array(&child, rows * states, rows * states, error);
    for (size_t i = 0; i < rows * states && status == COR_OK; i++) {
        struct cor_json item = cor_json_at(&child, i);
        status = cor_json_integer(&item, 0, UINT32_MAX, scratch, error);
        e->cumulative[i] = (uint32_t)scratch[0];
    }
    return status;
}

static enum cor_status read_profile(const struct cor_json *json, const char *name,
                                    struct cor_profile **profile, struct cor_error *error) {
    double start[COR_PROFILE_STATES_MAX], probability[COR_PROFILE_STATES_MAX * COR_PROFILE_STATES_MAX];
    struct cor_json child;
    enum cor_status status = cor_json_need(json, "start", &child, error);
    if (status == COR_OK)
        status = cor_json_expect_array(&child, 1, COR_PROFILE_STATES_MAX, error);
    size_t states = status == COR_OK ? cor_json_size(&child) : 0;
    if (status == COR_OK)
        status = read_reals(json, "start", states, 0, 1, start, error);
    if (status == COR_OK)
        status = read_reals(json, "probability", states * states, 0, 1, probability, error);
    return status == COR_OK
               ? cor_profile_create(name, (uint32_t)states, NULL, probability, start, profile, error)
               : status;
}

static enum cor_status read_environments(const struct cor_json *json, struct cor_suite *suite,
                                         struct cor_error *error) {
    struct cor_configuration *c = suite->configuration;
    struct cor_json array, item;
    enum cor_status status = cor_json_need(json, "profiles", &array, error);
    if (status == COR_OK)
        status = cor_json_expect_array(&array, c->profile_count, c->profile_count, error);
    for (uint32_t p = 0; p < c->profile_count && status == COR_OK; p++) {
        suite->environment_of_profile[p] = (uint16_t)p;
        item = cor_json_at(&array, p);
        status =
            read_profile(&item, suite->experiment->model->environments[p].name, &suite->profiles[p], error);
        suite->owned_profiles[p] = status == COR_OK;
    }
    size_t effects = (size_t)c->type_count * c->profile_count;
    if (status == COR_OK)
        status = cor_json_need(json, "effects", &array, error);
    if (status == COR_OK)
        status = cor_json_expect_array(&array, effects, effects, error);
    for (uint32_t i = 0; i < effects && status == COR_OK; i++) {
        item = cor_json_at(&array, i);
        status = read_effect(&item, c, i, suite->profiles[i % c->profile_count]->state_count, error);
    }
    return status;
}

static enum cor_status read_chain(const struct cor_json *json, const struct cor_suite *suite, uint32_t chain,
                                  struct cor_walk *walk, struct cor_error *error) {
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
            return cor_json_fail(json, error, NULL, "state '%c' at %u is none of the profile's %u", text[i],
                                 i, states);
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
    if (status == COR_OK && (strlen(first) < 2 || strlen(first) > UINT32_MAX / 2))
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
    enum cor_status status = cor_json_need(json, "walks", &array, error);
    if (status == COR_OK)
        status = cor_json_expect_array(&array, sequences, sequences, error);
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

/* Agent states must exist in every effect that their type can meet. */
static enum cor_status check_states(const struct cor_json *json, const struct cor_configuration *c,
                                    struct cor_error *error) {
    for (uint32_t g = 0; g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++)
            if (c->initial_state[i] >=
                cor_configuration_effect(c, c->type[i], c->chain_of_group[g])->state_count)
                return cor_json_fail(json, error, NULL,
                                     "agent %u starts in a state that its type does not have", i);
    return COR_OK;
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
    for (uint32_t i = 0; i < cor_algorithm_parameter_count(suite->arm->algorithm); i++)
        suite->algorithm_parameters[i] = suite->parameters[suite->arm->algorithm_parameters[i]];
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
    int64_t version, index;
    const char *name;
    enum cor_status status = cor_json_expect_object(json, keys, error);
    if (status == COR_OK)
        status = read_number(json, "corridor_suite", 1, 1, &version, error);
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
