/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of suites, and folders of them; what they share with files of tests: the columns of a configuration,
 * its profiles, walks. Numbers have 17 digits, walks one letter a state. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/kind_judge.h>
#include <corridor/run.h>
#include <corridor/work_folder.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define KEPT_MOST ((size_t)1 << 24) /* bytes, as of a session */

/* One letter for each of up to COR_PROFILE_STATES_MAX states, by which walks are written. */
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-";

/* An array of a suite: where it is, of which type, and within which range its items are. */
struct column {
    const char *key;
    size_t count;
    uint8_t *bytes;
    uint16_t *shorts;
    uint32_t *words;
    double *reals; /* one of the four; the others are NULL */
    int64_t low, high;
    double real_low;
};

/* The columns of agents, groups and chains: read and written alike. The last is of partitionings alone. */
enum { COLUMN_COUNT = 9 };
static size_t column_count(const struct cor_configuration *c) {
    return c->kind == COR_STRUCTURE_PARTITIONING ? COLUMN_COUNT : COLUMN_COUNT - 1;
}
static void list_columns(const struct cor_configuration *c, struct column *columns) {
    const struct column all[COLUMN_COUNT] = {
        {"type", c->agent_count, .shorts = c->type, .high = c->type_count - 1},
        {"group_start", (size_t)c->group_count + 1, .words = c->group_start, .high = c->agent_count},
        {"chain_of_group", c->group_count, .words = c->chain_of_group, .high = c->chain_count - 1},
        {"profile_of_chain", c->chain_count, .shorts = c->profile_of_chain, .high = c->profile_count - 1},
        {"location_of_chain", c->chain_count, .words = c->location_of_chain, .high = UINT32_MAX},
        {"inertia", c->agent_count, .reals = c->inertia, .real_low = 1e-9},
        {"initial_state", c->agent_count, .bytes = c->initial_state, .high = COR_PROFILE_STATES_MAX - 1},
        {"initial_value", c->agent_count, .reals = c->initial_value},
        {"initial_partition", c->agent_count, .words = c->initial_partition,
         .high = (int64_t)c->initial_partitions - 1},
    };
    memcpy(columns, all, sizeof all);
}

static void put_column(struct cor_json_writer *writer, const struct column *column) {
    cor_json_open_array(writer, column->key);
    for (size_t i = 0; i < column->count; i++) {
        if (column->reals)
            cor_json_put_real(writer, NULL, column->reals[i]);
        else
            cor_json_put_integer(writer, NULL,
                                 column->bytes    ? column->bytes[i]
                                 : column->shorts ? column->shorts[i]
                                                  : column->words[i]);
    }
    cor_json_close(writer);
}

static void put_reals(struct cor_json_writer *writer, const char *key, double *items, size_t count) {
    put_column(writer, &(struct column){key, count, .reals = items});
}

enum cor_status interaction__suite_put_walk(struct cor_json_writer *writer, const char *key,
                                            const struct cor_walk *walk, struct cor_error *error) {
    char *text = cor_calloc((size_t)walk->case_count + 2, 1);
    COR_TRY(cor_made(text, error));
    cor_json_open_array(writer, key);
    for (uint32_t chain = 0; chain < walk->chain_count; chain++) {
        for (uint32_t i = 0; i <= walk->case_count; i++)
            text[i] = letters[cor_walk_at(walk, i)[chain]];
        cor_json_put_string(writer, NULL, text);
    }
    cor_json_close(writer);
    free(text);
    return COR_OK;
}

void interaction__suite_put_limits(struct cor_json_writer *writer, const struct cor_suite *suite) {
    const struct cor_configuration *c = suite->configuration;
    cor_json_put_integer(writer, "agents", c->agent_count);
    cor_json_put_integer(writer, "groups", c->group_count);
    cor_json_put_integer(writer, "chains", c->chain_count);
    cor_json_put_integer(writer, "size_min", c->limits.size_min);
    cor_json_put_integer(writer, "size_max", c->limits.size_max);
    cor_json_put_integer(writer, "count_min", c->limits.count_min);
    cor_json_put_integer(writer, "count_max", c->limits.count_max);
    cor_json_put_real(writer, "threshold", c->threshold);
    cor_json_put_real(writer, "idle_ratio", c->idle_ratio);
}

void interaction__suite_put_columns(struct cor_json_writer *writer, const struct cor_suite *suite) {
    struct column columns[COLUMN_COUNT];
    list_columns(suite->configuration, columns);
    for (size_t i = 0; i < column_count(suite->configuration); i++)
        put_column(writer, &columns[i]);
    const struct cor_configuration *c = suite->configuration;
    if (c->other_chains)
        put_column(writer, &(struct column){"other_chains", (size_t)c->group_count * c->profile_count,
                                            .words = c->other_chains});
    if (c->profile_of_type)
        put_column(writer, &(struct column){"profile_of_type", c->type_count, .words = c->profile_of_type});
    if (c->presence_chain)
        put_column(writer, &(struct column){"presence_chain", c->agent_count, .words = c->presence_chain});
    if (c->initial_kept)
        put_column(writer, &(struct column){"initial_kept", c->initial_kept_size, .bytes = c->initial_kept});
    if (c->kind == COR_STRUCTURE_PARTITIONING)
        cor_json_put_integer(writer, "initial_partitions", c->initial_partitions);
    else {
        const struct cor_lists *lists = &c->initial_organizations;
        const uint32_t *parents = cor_lists_parents(lists);
        cor_json_open_array(writer, "initial_organizations");
        for (uint32_t o = 0; o < lists->block_count; o++) {
            cor_json_open_array(writer, NULL);
            for (uint32_t m = lists->start[o]; m < lists->start[o + 1]; m++)
                cor_json_put_integer(writer, NULL, lists->members[m]);
            cor_json_close(writer);
        }
        cor_json_close(writer);
        if (cor_structure_nests(c->kind)) {
            cor_json_open_array(writer, "initial_parents");
            for (uint32_t o = 0; o < lists->block_count; o++)
                if (!parents || parents[o] == COR_NOBODY)
                    cor_json_put_string(writer, NULL, NULL);
                else
                    cor_json_put_integer(writer, NULL, parents[o]);
            cor_json_close(writer);
        }
    }
    cor_json_open_array(writer, "effects");
    for (size_t i = 0; i < (size_t)suite->configuration->type_count * suite->configuration->profile_count;
         i++) {
        const struct cor_effect *e = &suite->configuration->effects[i];
        size_t rows = (size_t)e->relevant_count * e->state_count;
        cor_json_open_object(writer, NULL);
        cor_json_put_integer(writer, "relevant_count", e->relevant_count);
        if (e->other_count > 0)
            cor_json_open_array(writer, "others");
        for (uint32_t o = 0; o < e->other_count; o++)
            cor_json_put_integer(writer, NULL, e->others[o].profile);
        if (e->other_count > 0)
            cor_json_close(writer);
        put_column(writer, &(struct column){"relevant", e->environment_states, .bytes = e->relevant});
        put_column(writer, &(struct column){"next", rows, .bytes = e->next});
        if (e->cumulative)
            put_column(writer, &(struct column){"cumulative", rows * e->state_count, .words = e->cumulative});
        put_reals(writer, "level", e->level, e->state_count);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    interaction__suite_put_attributes(writer, suite);
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

/* A key's array of exactly `count` items. */
static enum cor_status need_array(const struct cor_json *json, const char *key, size_t count,
                                  struct cor_json *array, struct cor_error *error) {
    COR_TRY(cor_json_need(json, key, array, error));
    return cor_json_expect_array(array, count, count, error);
}

/* The array of the column's key, of exactly as many items. */
static enum cor_status read_column(const struct cor_json *json, const struct column *column,
                                   struct cor_error *error) {
    struct cor_json array;
    COR_TRY(need_array(json, column->key, column->count, &array, error));
    for (size_t i = 0; i < column->count; i++) {
        const struct cor_json item = cor_json_at(&array, i);
        int64_t number;
        if (column->reals) {
            COR_TRY(cor_json_real(&item, column->real_low, 1, &column->reals[i], error));
        } else {
            COR_TRY(cor_json_integer(&item, column->low, column->high, &number, error));
            if (column->bytes)
                column->bytes[i] = (uint8_t)number;
            else if (column->shorts)
                column->shorts[i] = (uint16_t)number;
            else
                column->words[i] = (uint32_t)number;
        }
    }
    return COR_OK;
}

static enum cor_status read_number(const struct cor_json *json, const char *key, int64_t low, int64_t high,
                                   uint32_t *number, struct cor_error *error) {
    struct cor_json child;
    COR_TRY(cor_json_need(json, key, &child, error));
    return cor_json_count(&child, low, high, number, error);
}

/* What the algorithm gets must be what it asks for; other parameters are only recorded. */
enum cor_status interaction__suite_read_parameters(const struct cor_json *json, struct cor_suite *suite,
                                                   struct cor_error *error) {
    const struct cor_arm *arm = suite->arm;
    for (uint32_t i = 0; i < arm->parameter_count; i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(cor_json_real(&item, -COR_PARAMETER_MAX, COR_PARAMETER_MAX, &suite->parameters[i], error));
    }
    for (uint32_t i = 0; i < cor_algorithm_parameter_count(arm->algorithm); i++) {
        const struct cor_parameter *p = &arm->algorithm->parameters[i];
        if (arm->algorithm_parameters[i] < 0)
            continue; /* an option that nobody has set */
        size_t index = (size_t)arm->algorithm_parameters[i];
        double value = suite->algorithm_parameters[i] = suite->parameters[index];
        if (value >= p->min && value <= p->max && (!p->is_integer || value == (double)(int64_t)value))
            continue;
        const struct cor_json item = cor_json_at(json, index);
        return cor_json_fail(&item, error, NULL, "is %.10g, but %s of %s is %s from %.10g to %.10g", value,
                             p->name, arm->algorithm->name, p->is_integer ? "an integer" : "a number", p->min,
                             p->max);
    }
    return COR_OK;
}

const struct cor_field interaction__suite_number_fields[] = {{"groups", COR_REQUIRED, COR_KNOWN_FIELD},
                                                             {"chains", COR_REQUIRED, COR_KNOWN_FIELD},
                                                             {"size_min", COR_REQUIRED, COR_KNOWN_FIELD},
                                                             {"size_max", COR_REQUIRED, COR_KNOWN_FIELD},
                                                             {"count_min", COR_REQUIRED, COR_KNOWN_FIELD},
                                                             {"count_max", COR_REQUIRED, COR_KNOWN_FIELD},
                                                             {"threshold", COR_REQUIRED, COR_KNOWN_FIELD},
                                                             {"idle_ratio", COR_REQUIRED, COR_KNOWN_FIELD},
                                                             {0}};

const struct cor_field interaction__suite_column_fields[] = {
    {"type", COR_REQUIRED, COR_KNOWN_FIELD},
    {"group_start", COR_REQUIRED, COR_KNOWN_FIELD},
    {"chain_of_group", COR_REQUIRED, COR_KNOWN_FIELD},
    {"profile_of_chain", COR_REQUIRED, COR_KNOWN_FIELD},
    {"location_of_chain", COR_REQUIRED, COR_KNOWN_FIELD},
    {"inertia", COR_REQUIRED, COR_KNOWN_FIELD},
    {"initial_state", COR_REQUIRED, COR_KNOWN_FIELD},
    {"initial_value", COR_REQUIRED, COR_KNOWN_FIELD},
    {"initial_partition", COR_OPTIONAL, COR_KNOWN_FIELD}, /* of partitionings, */
    {"initial_partitions", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"initial_organizations", COR_OPTIONAL, COR_KNOWN_FIELD}, /* of all other kinds */
    {"initial_parents", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"initial_kept", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"effects", COR_REQUIRED, COR_KNOWN_FIELD},
    {"other_chains", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"profile_of_type", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"presence_chain", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"attributes", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"profiles", COR_REQUIRED, COR_KNOWN_FIELD},
    {0}};

static const struct cor_field configuration_fields[] = {
    {"threshold", COR_REQUIRED, COR_REAL_FIELD(struct cor_configuration, threshold, 0, 1)},
    {"idle_ratio", COR_REQUIRED, COR_REAL_FIELD(struct cor_configuration, idle_ratio, 0, 1)},
    {0}};

/* Groups follow each other without gaps, and every initial partition has a member. */
static enum cor_status check_agents(const struct cor_json *json, const struct cor_configuration *c,
                                    uint32_t *size, struct cor_error *error) {
    const bool has_labels = c->kind == COR_STRUCTURE_PARTITIONING;
    bool whole = c->group_start[0] == 0 && c->group_start[c->group_count] == c->agent_count;
    for (uint32_t g = 0; g < c->group_count; g++)
        whole = whole && c->group_start[g] <= c->group_start[g + 1];
    struct cor_json child;
    COR_TRY(cor_json_need(json, whole && has_labels ? "initial_partition" : "group_start", &child, error));
    if (!whole)
        return cor_json_fail(&child, error, NULL, "does not ascend from 0 to the number of agents");
    if (!has_labels)
        return COR_OK;
    for (uint32_t i = 0; i < c->agent_count; i++)
        size[c->initial_partition[i]]++;
    for (uint32_t p = 0; p < c->initial_partitions; p++)
        if (size[p] == 0)
            return cor_json_fail(&child, error, NULL, "partition %u is empty", p);
    return COR_OK;
}

/* A list of agents that ascends. */
static enum cor_status read_organization(const struct cor_json *json, uint32_t agents,
                                         struct cor_lists *lists, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, agents, error));
    const size_t count = cor_json_size(json);
    uint32_t *members = cor_calloc(count, sizeof *members);
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_made(members, error));
    for (size_t m = 0; m < count; m++) {
        const struct cor_json item = cor_json_at(json, m);
        COR_TRY_OUT(cor_json_count(&item, 0, (int64_t)agents - 1, &members[m], error));
        if (m > 0 && members[m] <= members[m - 1])
            COR_TRY_OUT(cor_json_fail(&item, error, "write them in ascending order, each once",
                                      "is not above the one before"));
    }
    status = cor_lists_put(lists, members, count, error);
out:
    free(members);
    return status;
}

enum cor_status interaction__read_lists(const struct cor_json *array, uint32_t agents,
                                        struct cor_lists *lists, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(array, 0, COR_AGENTS_MAX, error));
    COR_JSON_CHILDREN(item, array)
        COR_TRY(read_organization(&item, agents, lists, error));
    return COR_OK;
}

enum cor_status interaction__judge_lists(const struct cor_configuration *c, const struct cor_lists *lists,
                                         const struct cor_limits *limits, bool *is_sound, char *text,
                                         size_t size, struct cor_error *error) {
    struct cor_oracle *oracle = NULL;
    struct cor_kind_judge *judge = NULL;
    struct cor_judgement judgement;
    enum cor_status status = COR_OK;
    if (c->kind == COR_STRUCTURE_PARTITIONING) {
        COR_TRY_OUT(cor_oracle_create(c->agent_count, &oracle, error));
        cor_oracle_judge(oracle, lists, c->agent_count, limits, &judgement);
    } else {
        COR_TRY_OUT(cor_kind_judge_create(c->kind, &judge, error));
        COR_TRY_OUT(cor_kind_judge_look(judge, lists, c->agent_count, limits, &judgement, error));
    }
    *is_sound = judgement.violation_count == 0;
    if (!*is_sound)
        cor_violation_kind_text(c->kind, &judgement.kept[0], text, size);
out:
    cor_oracle_destroy(oracle);
    cor_kind_judge_destroy(judge);
    return status;
}

/* "initial_organizations", and where they nest "initial_parents". */
static enum cor_status read_organizations(const struct cor_json *json, struct cor_configuration *c,
                                          struct cor_error *error) {
    struct cor_json array, parents;
    COR_TRY(cor_json_need(json, "initial_organizations", &array, error));
    COR_TRY(interaction__read_lists(&array, c->agent_count, &c->initial_organizations, error));
    c->initial_partitions = c->initial_organizations.block_count;
    if (cor_structure_nests(c->kind)) {
        COR_TRY(cor_json_need(json, "initial_parents", &parents, error));
        COR_TRY(cor_json_expect_array(&parents, c->initial_organizations.block_count,
                                      c->initial_organizations.block_count, error));
        for (uint32_t o = 0; o < c->initial_organizations.block_count; o++) {
            const struct cor_json item = cor_json_at(&parents, o);
            int64_t parent = COR_NOBODY;
            if (!cor_json_is_null(&item))
                COR_TRY(cor_json_integer(&item, 0, (int64_t)c->initial_organizations.block_count - 1, &parent,
                                         error));
            COR_TRY(cor_lists_hang(&c->initial_organizations, o, (uint32_t)parent, error));
        }
    }
    /* Is the structure of its kind? The simulated system begins with nothing else. */
    bool is_sound;
    char text[200];
    COR_TRY(interaction__judge_lists(c, &c->initial_organizations, &COR_NO_LIMITS, &is_sound, text,
                                     sizeof text, error));
    if (is_sound)
        return COR_OK;
    return cor_json_fail(&array, error, NULL, "is not of the kind \"%s\": %s", cor_structure_words[c->kind],
                         text);
}

/* Other profiles that an effect depends on; its environment states are those of all of them. */
static enum cor_status read_others(const struct cor_json *json, const struct cor_suite *suite, uint32_t own,
                                   struct cor_other_profile *others, uint32_t *count,
                                   uint32_t *environment_states, struct cor_error *error) {
    struct cor_json array;
    *count = 0;
    if (!cor_json_find(json, "others", &array))
        return COR_OK;
    COR_TRY(cor_json_expect_array(&array, 1, COR_TYPE_OTHERS_MAX, error));
    for (; *count < cor_json_size(&array); ++*count) {
        const struct cor_json item = cor_json_at(&array, *count);
        int64_t profile;
        COR_TRY(
            cor_json_integer(&item, 0, (int64_t)suite->configuration->profile_count - 1, &profile, error));
        if (profile == own)
            return cor_json_fail(&item, error, NULL, "is the profile of the effect itself");
        others[*count] = (struct cor_other_profile){(uint32_t)profile, suite->profiles[profile]->state_count};
        *environment_states *= others[*count].states;
    }
    return COR_OK;
}

static enum cor_status read_effect(const struct cor_json *json, const struct cor_suite *suite, uint32_t index,
                                   uint32_t environment_states, struct cor_error *error) {
    static const char *const keys[] = {"relevant_count", "others", "relevant", "next",
                                       "cumulative",     "level",  NULL};
    struct cor_configuration *c = suite->configuration;
    struct cor_other_profile others[COR_TYPE_OTHERS_MAX];
    uint32_t other_count;
    struct cor_json level, child;
    uint32_t relevant;
    struct cor_effect *e;
    COR_TRY(cor_json_expect_object(json, keys, error));
    COR_TRY(read_number(json, "relevant_count", 1, COR_PROFILE_STATES_MAX, &relevant, error));
    COR_TRY(cor_json_need(json, "level", &level, error));
    COR_TRY(cor_json_expect_array(&level, 1, COR_PROFILE_STATES_MAX, error));
    uint32_t states = (uint32_t)cor_json_size(&level);
    bool probabilistic = cor_json_find(json, "cumulative", &child);
    COR_TRY(
        read_others(json, suite, index % c->profile_count, others, &other_count, &environment_states, error));
    COR_TRY(cor_configuration_set_effect(c, index / c->profile_count, index % c->profile_count,
                                         environment_states, relevant, states, probabilistic, &e, error));
    COR_TRY(cor_effect_set_others(e, others, other_count, error));
    const struct column columns[] = {
        {"relevant", environment_states, .bytes = e->relevant, .high = (int64_t)relevant - 1},
        {"next", (size_t)relevant * states, .bytes = e->next, .high = (int64_t)states - 1},
        {"level", states, .reals = e->level},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        COR_TRY(read_column(json, &columns[i], error));
    if (!probabilistic)
        return COR_OK;
    /* Rows of a probabilistic effect ascend, and end with the bound that takes whatever is drawn. */
    const size_t count = (size_t)e->relevant_count * states * states;
    COR_TRY(cor_json_expect_array(&child, count, count, error));
    for (size_t i = 0; i < count; i++) {
        const struct cor_json item = cor_json_at(&child, i);
        int64_t low = i % states == 0 ? 0 : e->cumulative[i - 1], bound = 0;
        if (i % states == states - 1)
            low = UINT32_MAX;
        COR_TRY(cor_json_integer(&item, low, UINT32_MAX, &bound, error));
        e->cumulative[i] = (uint32_t)bound;
    }
    return COR_OK;
}

static enum cor_status read_environments(const struct cor_json *json, struct cor_suite *suite,
                                         struct cor_error *error) {
    struct cor_configuration *c = suite->configuration;
    struct cor_json array, item;
    COR_TRY(need_array(json, "profiles", c->profile_count, &array, error));
    for (uint32_t p = 0; p < c->profile_count; p++) {
        suite->environment_of_profile[p] = (uint16_t)p;
        item = cor_json_at(&array, p);
        /* A profile has no names in a suite file; those of the model are given to one of as many states. */
        const struct cor_environment *environment = &suite->experiment->model->environments[p];
        static const char *const keys[] = {"start", "probability", NULL};
        double start[COR_PROFILE_STATES_MAX], probability[COR_PROFILE_STATES_MAX * COR_PROFILE_STATES_MAX];
        struct cor_json child;
        COR_TRY(cor_json_expect_object(&item, keys, error));
        COR_TRY(cor_json_need(&item, "start", &child, error));
        COR_TRY(cor_json_expect_array(&child, 1, COR_PROFILE_STATES_MAX, error));
        size_t states = cor_json_size(&child);
        COR_TRY(read_column(&item, &(struct column){"start", states, .reals = start}, error));
        COR_TRY(read_column(&item, &(struct column){"probability", states * states, .reals = probability},
                            error));
        bool named = environment->profile && environment->profile->state_count == states;
        struct cor_error said = COR_NO_ERROR;
        enum cor_status status =
            cor_profile_create(environment->name, (uint32_t)states,
                               named ? (const char *const *)environment->profile->states : NULL, probability,
                               start, &suite->profiles[p], &said);
        COR_TRY(status == COR_STATUS_INPUT ? interaction__repeat_at(&item, &said, error)
                : status != COR_OK         ? cor_fail_memory(error)
                                           : COR_OK);
        suite->owned_profiles[p] = true;
    }
    size_t effects = (size_t)c->type_count * c->profile_count;
    COR_TRY(need_array(json, "effects", effects, &array, error));
    for (uint32_t i = 0; i < effects; i++) {
        item = cor_json_at(&array, i);
        COR_TRY(read_effect(&item, suite, i, suite->profiles[i % c->profile_count]->state_count, error));
    }
    return COR_OK;
}

enum cor_status interaction__suite_read_walk(const struct cor_json *json, const struct cor_suite *suite,
                                             struct cor_walk *walk, struct cor_error *error) {
    uint32_t chains = suite->configuration->chain_count;
    const char *first;
    COR_TRY(cor_json_expect_array(json, chains, chains, error));
    struct cor_json item = cor_json_at(json, 0);
    COR_TRY(cor_json_string(&item, &first, error));
    if (strlen(first) < 2)
        return cor_json_fail(&item, error, NULL, "has no test case");
    COR_TRY(cor_walk_resize(walk, chains, (uint32_t)strlen(first) - 1, error));
    for (uint32_t c = 0; c < chains; c++) {
        item = cor_json_at(json, c);
        const char *text;
        uint32_t states = suite->profiles[suite->configuration->profile_of_chain[c]]->state_count;
        COR_TRY(cor_json_string(&item, &text, error));
        if (strlen(text) != (size_t)walk->case_count + 1)
            return cor_json_fail(&item, error, NULL, "has %zu states, but the first chain has %u",
                                 strlen(text), walk->case_count + 1);
        for (uint32_t i = 0; i <= walk->case_count; i++) {
            const char *letter = strchr(letters, text[i]);
            if (!letter || (size_t)(letter - letters) >= states)
                return cor_json_fail(&item, error, "states are a, b, c, ... in the order of the profile",
                                     "case %u has none of the profile's %u states", i, states);
            walk->states[(size_t)i * walk->chain_count + c] = (uint8_t)(letter - letters);
        }
    }
    return COR_OK;
}

/* Is there the chain of a profile that an agent of a group perceives, by `array` of other chains? */
static enum cor_status check_other_chain(const struct cor_json *array, const struct cor_configuration *c,
                                         uint32_t group, uint32_t agent, uint32_t profile,
                                         struct cor_error *error) {
    const size_t at = (size_t)group * c->profile_count + profile;
    const uint32_t chain = c->other_chains[at];
    if (chain < c->chain_count && c->profile_of_chain[chain] == profile)
        return COR_OK;
    const struct cor_json item = cor_json_at(array, at);
    return cor_json_fail(&item, error, NULL,
                         "is no chain of profile %u, which agent %u of group %u perceives", profile, agent,
                         group);
}

/* The chains of other environments: those that types live in, or that effects depend on, are there, and of
 * that environment. Files that say no profile of types are of versions in which all agents of a group
 * perceived its chain. */
static enum cor_status read_other_chains(const struct cor_json *json, struct cor_configuration *c,
                                         struct cor_error *error) {
    struct cor_json array;
    bool are_needed = cor_json_find(json, "profile_of_type", &array);
    if (are_needed) {
        COR_TRY(cor_configuration_set_profiles_of_types(c, error));
        COR_TRY(read_column(json,
                            &(struct column){"profile_of_type", c->type_count, .words = c->profile_of_type,
                                             .high = UINT32_MAX},
                            error));
    }
    for (uint32_t t = 0; are_needed && t < c->type_count; t++)
        if (c->profile_of_type[t] >= c->profile_count && c->profile_of_type[t] != COR_NOBODY) {
            const struct cor_json item = cor_json_at(&array, t);
            return cor_json_fail(&item, error, NULL, "is no profile from 0 to %u, nor %u: that of the group",
                                 c->profile_count - 1, COR_NOBODY);
        }
    for (size_t i = 0; i < (size_t)c->type_count * c->profile_count; i++)
        are_needed = are_needed || c->effects[i].other_count > 0;
    if (!are_needed)
        return cor_json_find(json, "other_chains", &array)
                   ? cor_json_fail(&array, error, "leave it out", "no effect has other profiles")
                   : COR_OK;
    COR_TRY(cor_configuration_set_other_chains(c, error));
    const size_t count = (size_t)c->group_count * c->profile_count;
    COR_TRY(read_column(
        json, &(struct column){"other_chains", count, .words = c->other_chains, .high = UINT32_MAX}, error));
    COR_TRY(cor_json_need(json, "other_chains", &array, error));
    for (uint32_t g = 0; g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
            const uint32_t own = c->profile_of_type ? c->profile_of_type[c->type[i]] : COR_NOBODY;
            if (own != COR_NOBODY)
                COR_TRY(check_other_chain(&array, c, g, i, own, error));
            const struct cor_effect *e =
                cor_configuration_effect(c, c->type[i], cor_configuration_chain(c, c->type[i], g));
            for (uint32_t o = 0; o < e->other_count; o++)
                COR_TRY(check_other_chain(&array, c, g, i, e->others[o].profile, error));
        }
    return COR_OK;
}

/* The chains by which agents come and go, where the model has some that may. */
static enum cor_status read_presence(const struct cor_json *json, struct cor_suite *suite,
                                     struct cor_error *error) {
    struct cor_configuration *c = suite->configuration;
    struct cor_json array;
    if (!suite->experiment->model->comes_and_goes)
        return cor_json_find(json, "presence_chain", &array)
                   ? cor_json_fail(&array, error, "leave it out", "the model has no agents that come and go")
                   : COR_OK;
    COR_TRY(cor_configuration_set_presence(c, error));
    COR_TRY(read_column(
        json,
        &(struct column){"presence_chain", c->agent_count, .words = c->presence_chain, .high = UINT32_MAX},
        error));
    COR_TRY(cor_json_need(json, "presence_chain", &array, error));
    for (uint32_t i = 0; i < c->agent_count; i++) {
        const struct cor_json item = cor_json_at(&array, i);
        const uint32_t chain = c->presence_chain[i];
        if (chain >= c->chain_count && chain != COR_NOBODY)
            return cor_json_fail(&item, error, NULL, "is no chain from 0 to %u, nor %u: always there",
                                 c->chain_count - 1, COR_NOBODY);
        if (chain != COR_NOBODY && suite->profiles[c->profile_of_chain[chain]]->state_count != 2)
            return cor_json_fail(&item, error, "a chain of two states: the agent is there, or is not",
                                 "is a chain of %u states",
                                 suite->profiles[c->profile_of_chain[chain]]->state_count);
    }
    return COR_OK;
}

enum cor_status interaction__suite_read_columns(const struct cor_json *json, uint32_t agents,
                                                struct cor_suite *suite, struct cor_error *error) {
    const struct cor_test_model *model = suite->experiment->model;
    struct cor_limits limits;
    struct cor_json child;
    uint32_t groups, chains;
    COR_TRY(read_number(json, "groups", 1, agents, &groups, error));
    const bool are_several = cor_json_find(json, "other_chains", &child); /* chains a group */
    COR_TRY(read_number(json, "chains", 1,
                        (are_several ? (int64_t)groups * model->environment_count : groups) +
                            (model->comes_and_goes ? agents : 0),
                        &chains, error));
    COR_TRY(read_number(json, "size_min", 1, UINT32_MAX, &limits.size_min, error));
    COR_TRY(read_number(json, "size_max", limits.size_min, UINT32_MAX, &limits.size_max, error));
    COR_TRY(read_number(json, "count_min", 1, UINT32_MAX, &limits.count_min, error));
    COR_TRY(read_number(json, "count_max", limits.count_min, UINT32_MAX, &limits.count_max, error));
    COR_TRY(cor_configuration_create(agents, groups, chains, model->type_count, model->environment_count,
                                     &suite->configuration, error));
    suite->configuration->limits = limits;
    COR_TRY(cor_json_members(json, configuration_fields, suite->configuration, error));
    struct cor_configuration *c = suite->configuration;
    c->measure = suite->experiment->model->measure;
    c->monitor = suite->arm->monitor;
    c->adoption = suite->arm->adoption;
    c->kind = model->kind;
    struct column columns[COLUMN_COUNT];
    /* Is the initial structure said as the kind asks for? */
    const enum cor_structure_kind kind = c->kind;
    static const char *const keys[] = {"initial_partition", "initial_partitions", "initial_organizations",
                                       "initial_parents"};
    for (size_t j = 0; j < sizeof keys / sizeof *keys; j++) {
        const bool is_wanted =
            kind == COR_STRUCTURE_PARTITIONING ? j < 2 : j == 2 || cor_structure_nests(kind);
        const bool is_said = cor_json_find(json, keys[j], &child);
        if (is_said && (!is_wanted || (j < 2) != (kind == COR_STRUCTURE_PARTITIONING)))
            return cor_json_fail(&child, error,
                                 kind == COR_STRUCTURE_PARTITIONING ? "\"initial_partition\""
                                                                    : "\"initial_organizations\"",
                                 "the kind of the structure is \"%s\"", cor_structure_words[kind]);
    }
    if (c->kind == COR_STRUCTURE_PARTITIONING)
        COR_TRY(read_number(json, "initial_partitions", 1, c->agent_count, &c->initial_partitions, error));
    list_columns(c, columns);
    for (size_t i = 0; i < column_count(c); i++)
        COR_TRY(read_column(json, &columns[i], error));
    if (c->kind != COR_STRUCTURE_PARTITIONING)
        COR_TRY(read_organizations(json, c, error));
    uint32_t *size = cor_calloc(c->initial_partitions, sizeof *size);
    enum cor_status status = size ? check_agents(json, c, size, error) : cor_fail_memory(error);
    free(size);
    COR_TRY(status);
    COR_TRY(read_environments(json, suite, error));
    COR_TRY(read_other_chains(json, c, error));
    COR_TRY(read_presence(json, suite, error));
    struct cor_json kept;
    if (cor_json_find(json, "initial_kept", &kept)) {
        COR_TRY(cor_json_expect_array(&kept, 1, KEPT_MOST, error));
        const uint32_t bytes = (uint32_t)cor_json_size(&kept);
        COR_TRY(cor_configuration_set_kept(c, NULL, bytes, error));
        COR_TRY(read_column(
            json, &(struct column){"initial_kept", bytes, .bytes = c->initial_kept, .high = UINT8_MAX},
            error));
    }
    /* The state that an agent starts in must be one of its type's. */
    struct cor_json states;
    COR_TRY(cor_json_need(json, "initial_state", &states, error));
    for (uint32_t g = 0; g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
            const uint32_t chain = cor_configuration_chain(c, c->type[i], g);
            const uint32_t count = cor_configuration_effect(c, c->type[i], chain)->state_count;
            struct cor_json item = cor_json_at(&states, i);
            int64_t state;
            COR_TRY(cor_json_integer(&item, 0, (int64_t)count - 1, &state, error));
        }
    return interaction__suite_read_attributes(json, suite, error);
}

/* ---- suites as files (off-line mode). A file holds everything that executing the suite depends on, exactly:
 * numbers with 17 digits, walks as one letter a state; docs/look-up/experiments.md, "Suite files". It may
 * have been edited, so everything that executing it relies on is checked when it is read back */

static enum cor_status write_walks(struct cor_json_writer *writer, const struct cor_suite *suite,
                                   struct cor_error *error) {
    struct cor_walk walk;
    enum cor_status status = COR_OK;
    cor_walk_init(&walk);
    cor_json_open_array(writer, "walks");
    for (uint32_t s = 0; s < suite->sequence_count; s++) {
        COR_TRY_OUT(cor_suite_walk(suite, s, &walk, error));
        COR_TRY_OUT(interaction__suite_put_walk(writer, NULL, &walk, error));
    }
out:
    cor_json_close(writer);
    cor_walk_fini(&walk);
    return status;
}

static enum cor_status suite_text(const struct cor_suite *suite, char **text, struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_integer(writer, "corridor_suite", 1);
    cor_json_put_string(writer, "arm", suite->arm->name);
    cor_json_put_integer(writer, "suite", suite->index);
    interaction__suite_put_limits(writer, suite);
    cor_json_put_integer(writer, "budget", (int64_t)suite->budget);
    cor_json_put_integer(writer, "attempts", suite->attempts);
    cor_json_put_bool(writer, "fallback", suite->fallback);
    cor_json_put_real(writer, "pilot_rate", suite->pilot_rate);
    put_reals(writer, "parameters", suite->parameters, suite->arm->parameter_count);
    interaction__suite_put_columns(writer, suite);
    enum cor_status status = write_walks(writer, suite, error);
    cor_json_close(writer);
    if (status == COR_OK)
        return cor_json_text_take(writer, 0, text, error);
    cor_json_writer_destroy(writer);
    return status;
}

enum cor_status cor_suite_write(const struct cor_suite *suite, const char *path, struct cor_error *error) {
    char *text = NULL;
    /* What could not be read back is not written, and not even built in memory: walks that answer to what
     * happens, and files beyond what is read. */
    uint64_t bytes = 0;
    if (suite->arm->source->next && !suite->recorded)
        return cor_fail(error, COR_STATUS_INPUT, path, "run the experiment without writing its suites",
                        "the walks of arm %s answer to what happens, so they are not known before",
                        suite->arm->name);
    for (uint32_t s = 0; s < suite->sequence_count; s++)
        bytes += ((uint64_t)suite->case_counts[s] + 1) * suite->configuration->chain_count;
    if (bytes >= COR_JSON_BYTES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, path, "run the experiment without writing its suites",
                        "would be larger than %u MiB", COR_JSON_BYTES_MAX >> 20);
    COR_TRY(suite_text(suite, &text, error));
    enum cor_status status = interaction__write_new(path, text, error);
    free(text);
    return status;
}

/* Two texts of the same layout. */
static enum cor_status first_difference(const char *one, const char *other, char **member,
                                        struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_json_document *documents[2] = {NULL};
    COR_TRY_OUT(cor_json_parse(one, "suite", &documents[0], error));
    COR_TRY_OUT(cor_json_parse(other, "suite", &documents[1], error));
    const struct cor_json root = cor_json_root(documents[0]), other_root = cor_json_root(documents[1]);
    for (size_t i = 0; i < cor_json_size(&root) && !*member; i++) {
        const struct cor_json child = cor_json_at(&root, i), other_child = cor_json_at(&other_root, i);
        char *text = cor_json_text(&child), *other_text = cor_json_text(&other_child);
        bool made = text && other_text, same = made && strcmp(text, other_text) == 0;
        COR_FREE(text, other_text);
        if (!made || (!same && !(*member = cor_strdup(child.key))))
            COR_TRY_OUT(cor_fail_memory(error));
    }
    COR_ASSERT(*member);
out:
    cor_json_destroy(documents[0]);
    cor_json_destroy(documents[1]);
    return status;
}

enum cor_status cor_suite_compare(const struct cor_suite *suite, const struct cor_suite *other, char **member,
                                  uint64_t *fingerprint, struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_FREED char *text = NULL, *other_text = NULL;
    *member = NULL;
    COR_TRY(suite_text(suite, &text, error));
    COR_TRY(suite_text(other, &other_text, error));
    *fingerprint = cor_hash_bytes(COR_HASH_SEED, text, strlen(text));
    if (strcmp(text, other_text) != 0)
        status = first_difference(text, other_text, member, error);
    return status;
}

/* null: the threshold was given, and there was no pilot. */
static enum cor_status read_pilot_rate(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_is_null(json) ? COR_OK
                                  : cor_json_real(json, 0, 1, &((struct cor_suite *)into)->pilot_rate, error);
}

/* What a file says of itself, and how large its suite is. */
struct head {
    const char *arm;
    uint32_t index, agents;
};

/* All members; those that depend on others are read behind them. */
static const struct cor_field head_fields[] = {
    {"corridor_suite", COR_REQUIRED, COR_VERSION_FIELD},
    {"arm", COR_REQUIRED, COR_STRING_FIELD(struct head, arm)},
    {"suite", COR_REQUIRED, COR_INTEGER_FIELD(struct head, index, 0, UINT32_MAX)},
    {"agents", COR_REQUIRED, COR_INTEGER_FIELD(struct head, agents, 1, COR_AGENTS_MAX)},
    COR_ROWS_OF(interaction__suite_number_fields),
    {"budget", COR_REQUIRED, COR_KNOWN_FIELD},
    {"attempts", COR_REQUIRED, COR_KNOWN_FIELD},
    {"fallback", COR_REQUIRED, COR_KNOWN_FIELD},
    {"pilot_rate", COR_REQUIRED, COR_KNOWN_FIELD},
    {"parameters", COR_REQUIRED, COR_KNOWN_FIELD},
    COR_ROWS_OF(interaction__suite_column_fields),
    {"walks", COR_REQUIRED, COR_KNOWN_FIELD},
    {0}};

static enum cor_status read_parameters(const struct cor_json *array, void *into, struct cor_error *error) {
    struct cor_suite *suite = into;
    const uint32_t count = suite->arm->parameter_count;
    COR_TRY(cor_json_expect_array(array, count, count, error));
    return interaction__suite_read_parameters(array, suite, error);
}

static const struct cor_field suite_fields[] = {
    {"budget", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_suite, budget, 1, INT64_MAX)},
    {"attempts", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_suite, attempts, 0, UINT32_MAX)},
    {"fallback", COR_REQUIRED, COR_BOOL_FIELD(struct cor_suite, fallback)},
    {"pilot_rate", COR_REQUIRED, COR_READ_FIELD(read_pilot_rate)},
    {"parameters", COR_REQUIRED, COR_READ_FIELD(read_parameters)},
    {0}};

static enum cor_status read_suite(const struct cor_experiment *experiment, const struct cor_json *json,
                                  struct cor_suite **suite, struct cor_error *error) {
    struct head head;
    struct cor_json child;
    COR_TRY(cor_json_fields(json, head_fields, &head, error));
    COR_TRY(cor_json_need(json, "arm", &child, error));
    int arm = cor_experiment_arm(experiment, head.arm);
    if (arm < 0)
        return cor_json_fail(&child, error, "the folder's experiment.json lists the arms",
                             "unknown arm \"%s\"", head.arm);
    COR_TRY(interaction__suite_create(experiment, (uint32_t)arm, head.index, experiment->sequence_count,
                                      suite, error));
    struct cor_suite *made = *suite;
    COR_TRY(cor_json_members(json, suite_fields, made, error));
    COR_TRY(interaction__suite_read_columns(json, head.agents, made, error));
    uint32_t sequences = made->sequence_count;
    struct cor_json array;
    COR_TRY(cor_json_need(json, "walks", &array, error));
    COR_TRY(cor_json_expect_array(&array, sequences, sequences, error));
    COR_TRY(cor_made(made->recorded = cor_calloc(sequences, sizeof *made->recorded), error));
    COR_JSON_CHILDREN(item, &array) {
        cor_walk_init(&made->recorded[item.index]);
        COR_TRY(interaction__suite_read_walk(&item, made, &made->recorded[item.index], error));
        made->case_counts[item.index] = made->recorded[item.index].case_count;
    }
    return cor_suite_steer(made, error);
}

enum cor_status cor_suite_read(const struct cor_experiment *experiment, const char *path,
                               struct cor_suite **suite, struct cor_error *error) {
    struct cor_json_document *document;
    *suite = NULL;
    COR_TRY(cor_json_read(path, &document, error));
    const struct cor_json root = cor_json_root(document);
    enum cor_status status = cor_json_expect_kind(&root, COR_KIND_SUITE, error);
    if (status == COR_OK)
        status = read_suite(experiment, &root, suite, error);
    cor_json_destroy(document);
    if (status != COR_OK) {
        cor_suite_destroy(*suite);
        *suite = NULL;
    }
    return status;
}

/* ---- off-line mode (003, 4.2): suites are written into a folder, to be run later or elsewhere; perhaps
 * edited in between, and then that is said */

static char *suite_path(const struct cor_experiment *experiment, const char *folder, uint32_t arm,
                        uint32_t suite) {
    COR_ASSERT(arm < experiment->arm_count);
    return cor_format("%s/suites/%s/%04u.json", folder, experiment->arms[arm].name, suite);
}

static enum cor_status make(char *path_take, struct cor_error *error) {
    COR_TRY(cor_made(path_take, error));
    enum cor_status status = COR_OK;
    if (mkdir(path_take, 0777) != 0)
        status = cor_fail_errno(error, COR_STATUS_FILE, path_take, NULL, "cannot make the folder");
    free(path_take);
    return status;
}

/* Walks that answer to what the system does are known once the suite has run. */
static enum cor_status find_walks(struct cor_suite *suite, struct cor_error *error) {
    struct cor_session *session = NULL;
    struct cor_record *record = NULL;
    struct cor_runner *runner = NULL;
    const uint32_t count = suite->sequence_count;
    if (!suite->arm->source->next)
        return COR_OK;
    struct cor_walk *walks = cor_calloc(count, sizeof *walks);
    COR_TRY(cor_made(walks, error));
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_session_create(&suite->arm->session, &session, error));
    COR_TRY_OUT(cor_record_create(&cor_interaction_schema, &record, error));
    const struct cor_execution execution = {suite, session, false};
    COR_TRY_OUT(cor_runner_create(&execution, record, &runner, error));
    for (uint32_t s = 0; s < suite->sequence_count; s++) {
        const struct cor_walk_definition walk = cor_suite_walk_definition(suite, s, NULL);
        COR_TRY_OUT(cor_sequence_begin(runner, &walk, error));
        while (!cor_sequence_is_over(runner))
            COR_TRY_OUT(cor_sequence_case(runner, error));
        COR_TRY_OUT(cor_sequence_end(runner, error));
        COR_TRY_OUT(cor_record_walk(record, s, suite->configuration->chain_count, &walks[s], error));
    }
out:
    cor_runner_destroy(runner);
    cor_record_destroy(record);
    cor_session_destroy(session);
    suite->recorded = walks; /* the suite's to free, whatever became of them */
    return status;
}

static enum cor_status write_suite(const struct cor_experiment *experiment, const char *folder, uint32_t arm,
                                   uint32_t index, struct cor_error *error) {
    COR_DESTROYED(cor_suite) struct cor_suite *suite = NULL;
    COR_FREED char *path = suite_path(experiment, folder, arm, index);
    COR_TRY(cor_made(path, error));
    COR_TRY(cor_suite_generate(experiment, arm, index, &suite, error));
    COR_TRY(find_walks(suite, error));
    return cor_suite_write(suite, path, error);
}

static enum cor_status write_all(const struct cor_experiment *experiment, const char *folder,
                                 struct cor_error *error) {
    COR_TRY(make(cor_format("%s/suites", folder), error));
    char *path = cor_format("%s/experiment.json", folder);
    COR_TRY(cor_made(path, error));
    enum cor_status status = cor_experiment_write(experiment, path, error);
    free(path);
    COR_TRY(status);
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        COR_TRY(make(cor_format("%s/suites/%s", folder, experiment->arms[a].name), error));
        for (uint32_t s = 0; s < experiment->suite_count; s++)
            COR_TRY(write_suite(experiment, folder, a, s, error));
    }
    return COR_OK;
}

/* Written under another name beside it and renamed: the folder is absent or whole. */
enum cor_status cor_suite_folder_write(const struct cor_experiment *experiment, const char *folder,
                                       struct cor_error *error) {
    struct stat there;
    if (experiment->suite_count == 0)
        return cor_fail(error, COR_STATUS_INPUT, experiment->path, "give \"suites\" a number",
                        "is endless, so its suites cannot all be written");
    if (lstat(folder, &there) == 0)
        return cor_fail(error, COR_STATUS_EXISTS, folder, "name a new folder with -o", "exists already");
    struct cor_file_set set;
    COR_TRY(cor_file_set_open(folder, &set, error));
    return cor_file_set_close(&set, write_all(experiment, set.draft, error), false, error);
}

/* The suite that stands at its place in such a folder. */
enum cor_status interaction__suite_folder_read(const struct cor_experiment *experiment, const char *folder,
                                               uint32_t arm, uint32_t index, struct cor_suite **suite,
                                               struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_FREED char *path = suite_path(experiment, folder, arm, index);
    COR_TRY(cor_made(path, error));
    COR_TRY(cor_suite_read(experiment, path, suite, error));
    if ((*suite)->arm_index == arm && (*suite)->index == index)
        return status;
    status =
        cor_fail(error, COR_STATUS_INPUT, path, "a suite file keeps the place that corridor plan gave it",
                 "holds suite %u of arm %s", (*suite)->index, (*suite)->arm->name);
    cor_suite_destroy(*suite);
    *suite = NULL;
    return status;
}

/* One suite of the folder beside the one that the experiment draws. */
static enum cor_status check_suite(const struct cor_experiment *experiment, const char *folder, uint32_t arm,
                                   uint32_t index, struct cor_suites_read *suites, struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_DESTROYED(cor_suite) struct cor_suite *there = NULL, *drawn = NULL;
    COR_FREED char *member = NULL;
    uint64_t fingerprint;
    COR_TRY(interaction__suite_folder_read(experiment, folder, arm, index, &there, error));
    COR_TRY(cor_suite_generate(experiment, arm, index, &drawn, error));
    COR_TRY(find_walks(drawn, error));
    COR_TRY(cor_suite_compare(there, drawn, &member, &fingerprint, error));
    suites->fingerprint = cor_hash_word(suites->fingerprint, fingerprint);
    if (member && suites->edited++ == 0) {
        suites->what = cor_format("\"%s\" of suite %u of arm %s", member, index, experiment->arms[arm].name);
        status = cor_made(suites->what, error);
    }
    return status;
}

enum cor_status interaction__suite_folder_check(const struct cor_experiment *experiment, const char *folder,
                                                struct cor_suites_read *suites, struct cor_error *error) {
    suites->fingerprint = COR_HASH_SEED;
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        for (uint32_t s = 0; s < experiment->suite_count; s++)
            COR_TRY(check_suite(experiment, folder, a, s, suites, error));
    if (suites->edited < 2)
        return COR_OK;
    char *first = suites->what;
    suites->what = cor_format("%s, and %u more suites", first, suites->edited - 1);
    free(first);
    return cor_made(suites->what, error);
}

/* ---- attributes of the agents of a suite */

static const char *const fixed_word[] = {"fixed", NULL};

static void put_rule(struct cor_json_writer *writer, const struct cor_configuration *c, uint32_t type,
                     const struct cor_agent_attribute *attribute) {
    const struct cor_attribute_rule *rule = &attribute->rules[type];
    if (rule->source == COR_ATTRIBUTE_FIXED) {
        cor_json_put_string(writer, NULL, fixed_word[0]);
        return;
    }
    cor_json_open_object(writer, NULL);
    if (rule->formula.text)
        cor_json_put_string(writer, rule->source == COR_ATTRIBUTE_ADDED ? "adds" : "is", rule->formula.text);
    else
        cor_json_open_array(writer, "level");
    for (uint32_t p = 0; rule->source == COR_ATTRIBUTE_LEVEL && p < c->profile_count; p++) {
        cor_json_open_array(writer, NULL);
        for (uint32_t s = 0; s < c->effects[(size_t)type * c->profile_count + p].state_count; s++)
            cor_attribute_put_number(writer, attribute, rule->level[p][s]);
        cor_json_close(writer);
    }
    if (rule->source == COR_ATTRIBUTE_LEVEL) {
        cor_json_close(writer);
        cor_json_put_bool(writer, "inertia", rule->has_inertia);
    }
    cor_json_close(writer);
}

void interaction__suite_put_attributes(struct cor_json_writer *writer, const struct cor_suite *suite) {
    const struct cor_configuration *c = suite->configuration;
    if (c->attribute_count == 0)
        return;
    cor_json_open_array(writer, "attributes");
    for (uint32_t a = 0; a < c->attribute_count; a++) {
        const struct cor_agent_attribute *attribute = &c->attributes[a];
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "name", attribute->name);
        cor_attribute_put(writer, attribute);
        cor_json_open_array(writer, "types");
        for (uint32_t t = 0; t < c->type_count; t++)
            put_rule(writer, c, t, attribute);
        cor_json_close(writer);
        cor_json_open_array(writer, "initial");
        for (uint32_t i = 0; i < c->agent_count; i++)
            if (attribute->rules[c->type[i]].source == COR_ATTRIBUTE_COMPUTED)
                cor_json_put_string(writer, NULL, NULL);
            else
                cor_attribute_put_number(writer, attribute, attribute->initial[i]);
        cor_json_close(writer);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static const struct cor_field item_fields[] = {{"name", COR_REQUIRED, COR_KNOWN_FIELD},
                                               COR_ROWS_OF(cor_attribute_fields),
                                               {"types", COR_REQUIRED, COR_KNOWN_FIELD},
                                               {"initial", COR_REQUIRED, COR_KNOWN_FIELD},
                                               {0}};

enum cor_status interaction__read_attributes_alone(const struct cor_json *json, void *into,
                                                   struct cor_error *error) {
    struct cor_test_model *model = into;
    COR_TRY(cor_json_expect_array(json, 1, COR_ATTRIBUTES_MAX, error));
    COR_TRY(cor_made(model->attributes = cor_calloc(cor_json_size(json), sizeof *model->attributes), error));
    COR_JSON_CHILDREN(item, json) {
        model->attribute_count++;
        COR_TRY(cor_attribute_read_named(&item, item_fields, &model->attributes[item.index], error));
        if (cor_attribute_find(model->attributes, (uint32_t)item.index, model->attributes[item.index].name) !=
            COR_NOBODY)
            return cor_json_fail(&item, error, NULL, "\"%s\" is there twice",
                                 model->attributes[item.index].name);
    }
    for (uint32_t t = 0; t < model->type_count; t++) {
        model->types[t].attributes = cor_calloc(model->attribute_count, sizeof(struct cor_attribute_law));
        COR_TRY(cor_made(model->types[t].attributes, error));
        for (uint32_t a = 0; a < model->attribute_count; a++) {
            /* How a type comes by an attribute; what more there is to say is read with the suite. */
            struct cor_attribute_law *law = &model->types[t].attributes[a];
            const struct cor_json item = cor_json_at(json, a);
            struct cor_json rules, rule, is;
            COR_TRY(cor_json_need(&item, "types", &rules, error));
            COR_TRY(cor_json_expect_array(&rules, model->type_count, model->type_count, error));
            rule = cor_json_at(&rules, t);
            if (cor_json_is_object(&rule)) {
                law->source = COR_ATTRIBUTE_LEVEL;
                const bool adds = cor_json_find(&rule, "adds", &is);
                if (adds || cor_json_find(&rule, "is", &is)) {
                    law->source = adds ? COR_ATTRIBUTE_ADDED : COR_ATTRIBUTE_COMPUTED;
                    COR_TRY(interaction__read_formula(&is, model->attributes, model->attribute_count, a, adds,
                                                      &law->formula, error));
                }
            }
        }
    }
    return COR_OK;
}

static enum cor_status read_rule(const struct cor_json *json, struct cor_configuration *c, uint32_t index,
                                 uint32_t type, struct cor_error *error) {
    static const char *const keys[] = {"is", "adds", "level", "inertia", NULL};
    struct cor_agent_attribute *attribute = &c->attributes[index];
    struct cor_attribute_rule *rule = &attribute->rules[type];
    struct cor_json child;
    int which;
    if (cor_json_is_string(json))
        return cor_json_one_of(json, fixed_word, "source", &which, error);
    COR_TRY(cor_json_expect_object(json, keys, error));
    const bool adds = cor_json_find(json, "adds", &child);
    if (adds || cor_json_find(json, "is", &child)) {
        struct cor_formula formula = {0};
        if (cor_json_size(json) > 1)
            return cor_json_fail(json, error, "leave the others out", "is computed, and has other sources");
        enum cor_status status = interaction__read_formula(&child, c->attributes, c->attribute_count, index,
                                                           adds, &formula, error);
        if (status == COR_OK)
            status = cor_configuration_set_formula(
                c, index, type, adds ? COR_ATTRIBUTE_ADDED : COR_ATTRIBUTE_COMPUTED, &formula, error);
        interaction__formula_fini(&formula);
        return status;
    }
    COR_TRY(cor_json_need(json, "level", &child, error));
    COR_TRY(cor_json_expect_array(&child, c->profile_count, c->profile_count, error));
    COR_TRY(cor_configuration_set_levels(c, index, type, error));
    for (uint32_t p = 0; p < c->profile_count; p++) {
        const struct cor_json levels = cor_json_at(&child, p);
        const uint32_t states = c->effects[(size_t)type * c->profile_count + p].state_count;
        double *numbers = rule->level[p];
        const size_t count = states;
        COR_TRY(cor_json_expect_array(&levels, count, count, error));
        COR_JSON_CHILDREN(item, &levels)
            COR_TRY(cor_attribute_read_number(&item, attribute, &numbers[item.index], error));
    }
    if (!cor_json_find(json, "inertia", &child))
        return COR_OK;
    COR_TRY(cor_json_bool(&child, &rule->has_inertia, error));
    return rule->has_inertia && attribute->type != COR_ATTRIBUTE_REAL
               ? cor_json_fail(&child, error, "false", "only real attributes go to their level bit by bit")
               : COR_OK;
}

enum cor_status interaction__suite_read_attributes(const struct cor_json *json, struct cor_suite *suite,
                                                   struct cor_error *error) {
    const struct cor_test_model *model = suite->experiment->model;
    struct cor_configuration *c = suite->configuration;
    struct cor_json array, child;
    if (model->attribute_count == 0)
        return cor_json_find(json, "attributes", &array)
                   ? cor_json_fail(&array, error, "leave it out", "the model declares no attributes")
                   : COR_OK;
    COR_TRY(cor_json_need(json, "attributes", &array, error));
    COR_TRY(cor_json_expect_array(&array, model->attribute_count, model->attribute_count, error));
    COR_TRY(cor_configuration_set_attributes(c, model->attribute_count, model->attributes, error));
    for (uint32_t a = 0; a < c->attribute_count; a++) {
        const struct cor_json item = cor_json_at(&array, a);
        /* A suite has the attributes of its model, as they are declared there. */
        struct cor_agent_attribute here = {0};
        enum cor_status status = cor_attribute_read_named(&item, item_fields, &here, error);
        bool same = status == COR_OK && strcmp(here.name, model->attributes[a].name) == 0 &&
                    strcmp(here.unit, model->attributes[a].unit) == 0 &&
                    here.type == model->attributes[a].type && here.low == model->attributes[a].low &&
                    here.high == model->attributes[a].high &&
                    here.word_count == model->attributes[a].word_count;
        for (uint32_t w = 0; same && w < here.word_count; w++)
            same = strcmp(here.words[w], model->attributes[a].words[w]) == 0;
        if (status == COR_OK && !same)
            status = cor_json_fail(&item, error, "attributes are those of the model, in its order",
                                   "is not the attribute \"%s\" as the model declares it",
                                   model->attributes[a].name);
        cor_attribute_fini_declaration(&here);
        COR_TRY(status);
        COR_TRY(cor_json_need(&item, "types", &child, error));
        COR_TRY(cor_json_expect_array(&child, c->type_count, c->type_count, error));
        for (uint32_t t = 0; t < c->type_count; t++) {
            const struct cor_json rule = cor_json_at(&child, t);
            COR_TRY(read_rule(&rule, c, a, t, error));
            /* Numbers may be others than those that the model gives, but what changes, and what follows from
             * what, is the model's: a corridor as a text was held against it. */
            static const char *const sources[] = {"fixed", "a level", "computed", "added up"};
            const struct cor_attribute_rule *read = &c->attributes[a].rules[t];
            const struct cor_attribute_law *law = &model->types[t].attributes[a];
            if (read->source != law->source)
                return cor_json_fail(&rule, error, NULL, "is %s, which the model says is %s",
                                     sources[read->source], sources[law->source]);
            if (read->formula.text && strcmp(read->formula.text, law->formula.text) != 0)
                return cor_json_fail(&rule, error, NULL,
                                     "is another expression than that of the model: %.200s",
                                     law->formula.text);
        }
        c->attributes[a].is_one_formula = interaction__is_one_formula(c, &c->attributes[a]);
        COR_TRY(cor_json_need(&item, "initial", &child, error));
        COR_TRY(cor_json_expect_array(&child, c->agent_count, c->agent_count, error));
        COR_JSON_CHILDREN(one, &child) {
            if (c->attributes[a].rules[c->type[one.index]].source != COR_ATTRIBUTE_COMPUTED)
                COR_TRY(cor_attribute_read_number(&one, &c->attributes[a],
                                                  &c->attributes[a].initial[one.index], error));
            else if (!cor_json_is_null(&one))
                return cor_json_fail(&one, error, "null",
                                     "is computed for agents of this type, and not given");
        }
    }
    return interaction__suite_describe(suite, error);
}
