/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What files of suites and files of tests share: the columns of a configuration, its profiles, walks. Numbers
 * have 17 digits, walks one letter a state. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/kind_judge.h>

#include <stdlib.h>
#include <string.h>

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

static void put_organizations(struct cor_json_writer *writer, const struct cor_configuration *c) {
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
    if (!cor_structure_nests(c->kind))
        return;
    cor_json_open_array(writer, "initial_parents");
    for (uint32_t o = 0; o < lists->block_count; o++)
        if (!parents || parents[o] == COR_NOBODY)
            cor_json_put_string(writer, NULL, NULL);
        else
            cor_json_put_integer(writer, NULL, parents[o]);
    cor_json_close(writer);
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
    if (c->kind == COR_STRUCTURE_PARTITIONING)
        cor_json_put_integer(writer, "initial_partitions", c->initial_partitions);
    else
        put_organizations(writer, c);
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

void interaction__suite_put_parameters(struct cor_json_writer *writer, const struct cor_suite *suite) {
    put_reals(writer, "parameters", suite->parameters, suite->arm->parameter_count);
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
    int64_t value;
    COR_TRY(cor_json_need(json, key, &child, error));
    COR_TRY(cor_json_integer(&child, low, high, &value, error));
    *number = (uint32_t)value;
    return COR_OK;
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
    {"effects", COR_REQUIRED, COR_KNOWN_FIELD},
    {"other_chains", COR_OPTIONAL, COR_KNOWN_FIELD},
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

/* Is the initial structure said as the kind asks for? */
static enum cor_status check_kind(const struct cor_json *json, enum cor_structure_kind kind,
                                  struct cor_error *error) {
    static const char *const keys[] = {"initial_partition", "initial_partitions", "initial_organizations",
                                       "initial_parents"};
    struct cor_json child;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const bool is_wanted =
            kind == COR_STRUCTURE_PARTITIONING ? i < 2 : i == 2 || cor_structure_nests(kind);
        const bool is_said = cor_json_find(json, keys[i], &child);
        if (is_said && (!is_wanted || (i < 2) != (kind == COR_STRUCTURE_PARTITIONING)))
            return cor_json_fail(&child, error,
                                 kind == COR_STRUCTURE_PARTITIONING ? "\"initial_partition\""
                                                                    : "\"initial_organizations\"",
                                 "the kind of the structure is \"%s\"", cor_structure_words[kind]);
    }
    return COR_OK;
}

/* A list of agents that ascends. */
static enum cor_status read_organization(const struct cor_json *json, struct cor_configuration *c,
                                         uint32_t *members, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, c->agent_count, error));
    const size_t count = cor_json_size(json);
    for (size_t m = 0; m < count; m++) {
        const struct cor_json item = cor_json_at(json, m);
        int64_t agent = 0;
        COR_TRY(cor_json_integer(&item, 0, (int64_t)c->agent_count - 1, &agent, error));
        if (m > 0 && (uint32_t)agent <= members[m - 1])
            return cor_json_fail(&item, error, "write them in ascending order, each once",
                                 "is not above the one before");
        members[m] = (uint32_t)agent;
    }
    return cor_lists_put(&c->initial_organizations, members, count, error);
}

static enum cor_status read_parents(const struct cor_json *json, struct cor_lists *lists,
                                    struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, lists->block_count, lists->block_count, error));
    for (uint32_t o = 0; o < lists->block_count; o++) {
        const struct cor_json item = cor_json_at(json, o);
        int64_t parent = COR_NOBODY;
        if (!cor_json_is_null(&item))
            COR_TRY(cor_json_integer(&item, 0, (int64_t)lists->block_count - 1, &parent, error));
        COR_TRY(cor_lists_hang(lists, o, (uint32_t)parent, error));
    }
    return COR_OK;
}

/* Is the structure of its kind? The simulated system begins with nothing else. */
static enum cor_status check_organizations(const struct cor_json *json, const struct cor_configuration *c,
                                           struct cor_error *error) {
    struct cor_kind_judge *judge;
    struct cor_judgement judgement;
    char text[200];
    COR_TRY(cor_kind_judge_create(c->kind, &judge, error));
    enum cor_status status = cor_kind_judge_look(judge, &c->initial_organizations, c->agent_count,
                                                 &COR_NO_LIMITS, &judgement, error);
    cor_kind_judge_destroy(judge);
    COR_TRY(status);
    if (judgement.violation_count == 0)
        return COR_OK;
    cor_violation_kind_text(c->kind, &judgement.kept[0], text, sizeof text);
    return cor_json_fail(json, error, NULL, "is not of the kind \"%s\": %s", cor_structure_words[c->kind],
                         text);
}

/* "initial_organizations", and where they nest "initial_parents". */
static enum cor_status read_organizations(const struct cor_json *json, struct cor_configuration *c,
                                          struct cor_error *error) {
    struct cor_json array, parents;
    COR_TRY(cor_json_need(json, "initial_organizations", &array, error));
    COR_TRY(cor_json_expect_array(&array, 0, COR_AGENTS_MAX, error));
    uint32_t *members = cor_calloc(c->agent_count, sizeof *members);
    enum cor_status status = cor_made(members, error);
    for (size_t o = 0; status == COR_OK && o < cor_json_size(&array); o++) {
        const struct cor_json item = cor_json_at(&array, o);
        status = read_organization(&item, c, members, error);
    }
    free(members);
    COR_TRY(status);
    c->initial_partitions = c->initial_organizations.block_count;
    if (cor_structure_nests(c->kind)) {
        COR_TRY(cor_json_need(json, "initial_parents", &parents, error));
        COR_TRY(read_parents(&parents, &c->initial_organizations, error));
    }
    return check_organizations(&array, c, error);
}

/* Rows of a probabilistic effect ascend, and end with the bound that takes whatever is drawn. */
static enum cor_status read_cumulative(const struct cor_json *json, struct cor_effect *effect,
                                       struct cor_error *error) {
    size_t states = effect->state_count, count = effect->relevant_count * states * states;
    COR_TRY(cor_json_expect_array(json, count, count, error));
    for (size_t i = 0; i < count; i++) {
        struct cor_json item = cor_json_at(json, i);
        int64_t low = i % states == 0 ? 0 : effect->cumulative[i - 1], bound = 0;
        if (i % states == states - 1)
            low = UINT32_MAX;
        COR_TRY(cor_json_integer(&item, low, UINT32_MAX, &bound, error));
        effect->cumulative[i] = (uint32_t)bound;
    }
    return COR_OK;
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
    return probabilistic ? read_cumulative(&child, e, error) : COR_OK;
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

/* The chains of other environments: those that effects depend on are there, and of that environment. */
static enum cor_status read_other_chains(const struct cor_json *json, struct cor_configuration *c,
                                         struct cor_error *error) {
    struct cor_json array;
    bool are_needed = false;
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
            const struct cor_effect *e = cor_configuration_effect(c, c->type[i], c->chain_of_group[g]);
            for (uint32_t o = 0; o < e->other_count; o++) {
                const size_t at = (size_t)g * c->profile_count + e->others[o].profile;
                const uint32_t chain = c->other_chains[at];
                if (chain < c->chain_count && c->profile_of_chain[chain] == e->others[o].profile)
                    continue;
                const struct cor_json item = cor_json_at(&array, at);
                return cor_json_fail(&item, error, NULL,
                                     "is no chain of profile %u, which agent %u of group %u perceives",
                                     e->others[o].profile, i, g);
            }
        }
    return COR_OK;
}

enum cor_status interaction__suite_read_columns(const struct cor_json *json, uint32_t agents,
                                                struct cor_suite *suite, struct cor_error *error) {
    const struct cor_test_model *model = suite->experiment->model;
    struct cor_limits limits;
    uint32_t groups, chains;
    COR_TRY(read_number(json, "groups", 1, agents, &groups, error));
    COR_TRY(read_number(json, "chains", 1, groups, &chains, error));
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
    COR_TRY(check_kind(json, c->kind, error));
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
    /* The state that an agent starts in must be one of its type's. */
    struct cor_json states;
    COR_TRY(cor_json_need(json, "initial_state", &states, error));
    for (uint32_t g = 0; g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
            uint32_t count = cor_configuration_effect(c, c->type[i], c->chain_of_group[g])->state_count;
            struct cor_json item = cor_json_at(&states, i);
            int64_t state;
            COR_TRY(cor_json_integer(&item, 0, (int64_t)count - 1, &state, error));
        }
    return interaction__suite_read_attributes(json, suite, error);
}
