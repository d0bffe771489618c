/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit_features.h"

#include <corridor/arms.h>
#include <corridor/array.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MARKS_MAX (8u << 20) /* features of units kept for permutations: 64 MB */

/* Kinds of features, and what a, b and c of their keys are. */
enum kind {
    CHAINS_IN, /* environment, state: number of chains */
    VISITED,   /* environment, state: some chain was there */
    ARC,       /* environment, from, to: some chain went so */
    CHAIN_IN,  /* environment, state, chain */
    GIVEN,     /* column of table reorganizations: what the algorithm was given */
    DONE,      /* column of table reorganizations: what it made of it */
    DONE_CODE, /* column of table reorganizations, code */
    LARGEST,   /* members of a partition before */
    SMALLEST,
    SUITE_COLUMN, /* column of table suites */
    PARAMETER,    /* code */
    COUNTER       /* code */
};

/* The columns that are features. */
static const char *const given[] = {"partitions_before", "dissimilarity_before", "case", NULL},
                         *const done[] =
                             {"partitions_after", "moved",         "dissimilarity_after", "spent", "rounds",
                              "messages",         "messages_lost", "interim_failed",      NULL},
                         *const done_codes[] = {"stop", "smoke", "inside_after", NULL},
                         *const of_suite[] = {"agents",    "groups",    "chains",    "size_min", "size_max",
                                              "count_min", "count_max", "threshold", NULL};

static struct tree__feature_columns find_columns(enum cor_table table, const char *const *names) {
    const struct cor_table_schema *schema = cor_schema(table);
    struct tree__feature_columns columns = {0};
    for (; names[columns.count]; columns.count++) {
        uint32_t index = 0;
        COR_ASSERT(columns.count < sizeof columns.index / sizeof *columns.index);
        while (index < schema->column_count && strcmp(schema->columns[index].name, names[columns.count]) != 0)
            index++;
        COR_ASSERT(index < schema->column_count);
        columns.index[columns.count] = index;
    }
    return columns;
}

/* A number of the present unit, or of one of its reorganizations. */
static enum cor_status put_number(struct tree__features *features, enum kind kind, uint32_t a, uint32_t b,
                                  double value, struct cor_error *error) {
    struct tree__feature_key key = {.kind = (uint16_t)kind, .fold = TREE__ONLY, .a = a, .b = b};
    if (features->unit == COR_RANKED_UNIT_REORGANIZATION)
        return tree__spectrum_put(&features->spectrum, &key, value, error);
    key.fold = TREE__GREATEST;
    COR_TRY(tree__spectrum_put(&features->spectrum, &key, value, error));
    key.fold = TREE__LEAST;
    return tree__spectrum_put(&features->spectrum, &key, value, error);
}

static enum cor_status put_fact(struct tree__features *features, enum kind kind, uint32_t a, uint32_t b,
                                uint32_t c, struct cor_error *error) {
    const struct tree__feature_key key = {(uint16_t)kind, TREE__PRESENT, a, b, c};
    return tree__spectrum_put(&features->spectrum, &key, 1, error);
}

/* A number that all units of the suite have alike: row `code` of a table, or of SUITES a column. */
static enum cor_status put_for_suite(struct tree__features *features, enum kind kind, enum cor_table table,
                                     uint32_t code, double value, struct cor_error *error) {
    const struct tree__feature_key key = {.kind = (uint16_t)kind, .fold = TREE__ONLY, .a = code};
    bool is_new;
    COR_TRY(tree__spectrum_put_block(&features->spectrum, &key, value, &is_new, error));
    if (is_new)
        return COR_OK;
    return cor_damaged(error, table, "arm %u, suite %" PRIu32 ": number %" PRIu32 " occurs twice",
                       features->suite->row.arm, features->suite->row.suite, code);
}

enum cor_status tree__features_init(struct tree__features *features, struct cor_result *result,
                                    enum cor_ranked_unit unit, bool one_suite, struct cor_error *error) {
    *features = (struct tree__features){
        .result = result,
        .unit = unit,
        .one_suite = one_suite,
        .given = find_columns(COR_TABLE_REORGANIZATIONS, given),
        .done = find_columns(COR_TABLE_REORGANIZATIONS, done),
        .done_codes = find_columns(COR_TABLE_REORGANIZATIONS, done_codes),
        .of_suite = find_columns(COR_TABLE_SUITES, of_suite),
    };
    tree__spectrum_init(&features->spectrum, MARKS_MAX);
    cor_state_names_init(&features->names, result);
    features->parameter_count = cor_result_head(result)->catalog_size[COR_CATALOG_PARAMETER];
    features->repeats = cor_calloc(features->parameter_count, sizeof *features->repeats);
    if (!features->repeats)
        return cor_fail_memory(error);
    for (size_t i = 0; i < features->parameter_count; i++)
        features->repeats[i] = UINT32_MAX;
    return COR_OK;
}

void tree__features_fini(struct tree__features *features) {
    tree__spectrum_fini(&features->spectrum);
    cor_state_names_fini(&features->names);
    cor_sequence_walk_fini(&features->walk);
    free(features->profile);
    free(features->chains_in);
    free(features->repeats);
    free(features->sizes);
    free(features->labels);
}

/* Profiles of one environment are counted together, in as many states as the largest has. */
static void set_counts(struct tree__features *features, const struct cor_profile_row *row, size_t count,
                       size_t p) {
    struct tree__profile_counts *counts = &features->profile[p];
    uint16_t environment = row[p].environment;
    *counts = (struct tree__profile_counts){.start = features->state_count};
    counts->usable = features->one_suite || cor_is_profile_given(&features->names, environment);
    features->any_usable = features->any_usable || counts->usable;
    if (!counts->usable && environment < 256)
        features->left_out[environment] = true;
    for (size_t earlier = 0; earlier < p; earlier++)
        if (row[earlier].environment == environment) {
            counts->start = features->profile[earlier].start;
            return;
        }
    /* A sequence without reorganizations has none of these numbers, not even of states that no profile has.
     */
    counts->states = features->unit == COR_RANKED_UNIT_SEQUENCE ? COR_STATES_MAX : row[p].states;
    for (size_t q = p + 1; q < count; q++)
        if (row[q].environment == environment && row[q].states > counts->states)
            counts->states = row[q].states;
    features->state_count += counts->states;
}

enum cor_status tree__features_suite(struct tree__features *features, const struct cor_suite_rows *suite,
                                     struct cor_error *error) {
    size_t profiles = suite->table[COR_TABLE_PROFILES].count;
    features->suite = suite;
    features->configured = false;
    features->state_count = 0;
    features->any_usable = false;
    COR_TRY(COR_RESERVE(&features->profile, &features->profile_capacity, profiles, error));
    for (size_t p = 0; p < profiles; p++)
        set_counts(features, suite->table[COR_TABLE_PROFILES].row, profiles, p);
    return COR_RESERVE(&features->chains_in, &features->state_capacity, features->state_count, error);
}

enum cor_status tree__features_sequence(struct tree__features *features, uint32_t sequence,
                                        struct cor_error *error) {
    features->row = features->suite->sequence[sequence].row;
    if (!features->any_usable || features->unit == COR_RANKED_UNIT_SUITE)
        return COR_OK;
    return cor_sequence_walk_read(&features->walk, features->suite, sequence, features->result, error);
}

static bool repeats_column(const struct tree__features *features, uint32_t parameter) {
    for (uint32_t i = 0; i < features->of_suite.count && parameter < features->parameter_count; i++)
        if (features->repeats[parameter] >> i & 1)
            return true;
    return false;
}

/* What all units of the suite have alike; within one suite it tells nothing. */
static enum cor_status put_configuration(struct tree__features *features, struct cor_error *error) {
    if (features->configured || features->one_suite)
        return COR_OK;
    features->configured = true;
    for (uint32_t i = 0; i < features->of_suite.count; i++) {
        uint32_t column = features->of_suite.index[i];
        double value = cor_column_real(&cor_schema(COR_TABLE_SUITES)->columns[column], &features->suite->row);
        COR_TRY(put_for_suite(features, SUITE_COLUMN, COR_TABLE_SUITES, column, value, error));
    }
    const struct cor_parameter_row *parameter = features->suite->table[COR_TABLE_PARAMETERS].row;
    for (size_t i = 0; i < features->suite->table[COR_TABLE_PARAMETERS].count; i++) {
        /* Many a parameter is the value of a column of table suites under another name. */
        const struct cor_column *columns = cor_schema(COR_TABLE_SUITES)->columns;
        const struct tree__feature_columns *its = &features->of_suite;
        for (uint32_t j = 0; j < its->count && parameter[i].parameter < features->parameter_count; j++)
            if (cor_column_real(&columns[its->index[j]], &features->suite->row) != parameter[i].value)
                features->repeats[parameter[i].parameter] &= ~(UINT32_C(1) << j);
        COR_TRY(put_for_suite(features, PARAMETER, COR_TABLE_PARAMETERS, parameter[i].parameter,
                              parameter[i].value, error));
    }
    /* White-box counters, all buckets together. */
    size_t count = features->suite->table[COR_TABLE_COUNTERS].count;
    const struct cor_counter_row *row = features->suite->table[COR_TABLE_COUNTERS].row;
    for (size_t i = 0; i < count;) {
        uint16_t counter = row[i].counter;
        double sum = 0;
        for (; i < count && row[i].counter == counter; i++)
            sum += (double)row[i].count;
        COR_TRY(put_for_suite(features, COUNTER, COR_TABLE_COUNTERS, counter, sum, error));
    }
    return COR_OK;
}

enum cor_status tree__features_end(struct tree__features *features, struct tree__ending ending,
                                   struct cor_error *error) {
    COR_TRY(put_configuration(features, error));
    return tree__spectrum_end(&features->spectrum, ending, error);
}

static enum cor_status put_columns(struct tree__features *features, enum kind kind,
                                   const struct tree__feature_columns *columns,
                                   const struct cor_reorganization_row *row, struct cor_error *error) {
    for (uint32_t i = 0; i < columns->count; i++) {
        uint32_t column = columns->index[i];
        double value = cor_column_real(&cor_schema(COR_TABLE_REORGANIZATIONS)->columns[column], row);
        if (kind == DONE_CODE)
            COR_TRY(put_fact(features, kind, column, (uint32_t)value, 0, error));
        else
            COR_TRY(put_number(features, kind, column, 0, value, error));
    }
    return COR_OK;
}

/* Do labels say who is in which organization? Not where an agent may be in several. */
static bool labels_say_all(const struct tree__features *features) {
    const struct cor_result_header *head = cor_result_head(features->result);
    const size_t arm = cor_arm_of_code(head, features->suite->row.arm);
    const enum cor_structure_kind kind =
        arm < cor_arm_count(head) ? cor_arm_kind(cor_arm_entry(head, arm)) : COR_STRUCTURE_PARTITIONING;
    return kind != COR_STRUCTURE_COVERING && kind != COR_STRUCTURE_OVERLAPPING;
}

/* Sizes of the partitions before, where they were kept. */
static enum cor_status put_sizes(struct tree__features *features, const struct cor_failure_row *kept,
                                 struct cor_error *error) {
    if (!kept || kept->labels == 0 || !labels_say_all(features)) {
        features->structures_missing = true;
        return COR_OK;
    }
    /* Labels of the partitions before a reorganization, into features->labels. */
    uint64_t stored = cor_result_vector_size(features->result, COR_VECTOR_STRUCTURE);
    if (kept->structure_start > stored || kept->labels > stored - kept->structure_start)
        return cor_damaged(error, COR_TABLE_FAILURES, "a structure ends behind vectors/structure");
    COR_TRY(COR_RESERVE(&features->labels, &features->label_capacity, kept->labels, error));
    COR_TRY(COR_RESERVE(&features->sizes, &features->size_capacity, kept->labels, error));
    COR_TRY(cor_result_read_vector(features->result, COR_VECTOR_STRUCTURE, kept->structure_start,
                                   kept->labels, features->labels, error));
    memset(features->sizes, 0, kept->labels * sizeof *features->sizes);
    for (uint32_t i = 0; i < kept->labels; i++)
        if (features->labels[i] < kept->labels)
            features->sizes[features->labels[i]]++;
    uint32_t largest = 0, smallest = UINT32_MAX;
    for (uint32_t i = 0; i < kept->labels; i++) {
        uint32_t size = features->sizes[i];
        largest = size > largest ? size : largest;
        smallest = size > 0 && size < smallest ? size : smallest;
    }
    COR_TRY(put_number(features, LARGEST, 0, 0, largest, error));
    return put_number(features, SMALLEST, 0, 0, smallest, error);
}

enum cor_status tree__features_reorganization(struct tree__features *features,
                                              const struct cor_reorganization_row *row,
                                              const struct cor_failure_row *kept, struct cor_error *error) {
    COR_TRY(put_columns(features, GIVEN, &features->given, row, error));
    COR_TRY(put_sizes(features, kept, error));
    if (features->any_usable) {
        /* How many chains are in each state at that case. */
        const struct cor_profile_row *profile = features->suite->table[COR_TABLE_PROFILES].row;
        COR_ASSERT(row->case_ >= 1 && row->case_ < features->walk.length);
        memset(features->chains_in, 0, features->state_count * sizeof *features->chains_in);
        for (uint32_t c = 0; c < features->suite->row.chains; c++) {
            /* Where a chain is at that case, and where it came from. */
            const struct cor_chain_row *chain = features->suite->table[COR_TABLE_CHAINS].row;
            const struct tree__profile_counts *counts = &features->profile[chain[c].profile];
            const uint8_t *walk = features->walk.states + c * features->walk.length;
            uint16_t environment = profile[chain[c].profile].environment;
            features->chains_in[counts->start + walk[row->case_]]++;
            if (counts->usable && walk[row->case_ - 1] != walk[row->case_])
                COR_TRY(put_fact(features, ARC, environment, walk[row->case_ - 1], walk[row->case_], error));
            if (features->one_suite)
                COR_TRY(put_fact(features, CHAIN_IN, environment, walk[row->case_], c, error));
        }
        for (size_t p = 0; p < features->suite->table[COR_TABLE_PROFILES].count; p++)
            for (uint32_t s = 0; features->profile[p].usable && s < features->profile[p].states; s++)
                COR_TRY(put_number(features, CHAINS_IN, profile[p].environment, s,
                                   features->chains_in[features->profile[p].start + s], error));
    }
    COR_TRY(put_columns(features, DONE, &features->done, row, error));
    return put_columns(features, DONE_CODE, &features->done_codes, row, error);
}

enum cor_status tree__features_walk(struct tree__features *features, uint32_t last, struct cor_error *error) {
    const struct cor_chain_row *chain = features->suite->table[COR_TABLE_CHAINS].row;
    const struct cor_profile_row *profile = features->suite->table[COR_TABLE_PROFILES].row;
    if (!features->any_usable)
        return COR_OK;
    COR_ASSERT(last < features->walk.length);
    for (uint32_t c = 0; c < features->suite->row.chains; c++)
        if (features->profile[chain[c].profile].usable) {
            /* Where a chain has been up to a case, and which ways it went: each once. */
            const uint16_t environment = profile[chain[c].profile].environment;
            bool been[COR_STATES_MAX] = {false}, gone[COR_STATES_MAX][COR_STATES_MAX] = {{false}};
            const uint8_t *walk = features->walk.states + c * features->walk.length;
            for (uint32_t i = 0; i <= last; i++) {
                uint8_t from = walk[i > 0 ? i - 1 : 0], to = walk[i];
                if (!been[to])
                    COR_TRY(put_fact(features, VISITED, environment, to, 0, error));
                if (!been[to] && features->one_suite)
                    COR_TRY(put_fact(features, CHAIN_IN, environment, to, c, error));
                if (from != to && !gone[from][to])
                    COR_TRY(put_fact(features, ARC, environment, from, to, error));
                been[to] = true;
                gone[from][to] = true;
            }
        }
    return COR_OK;
}

static char *environment_name(const struct tree__features *features, const struct tree__feature_key *key) {
    char state[COR_STATE_NAME], to[COR_STATE_NAME];
    uint16_t environment = (uint16_t)key->a;
    const char *name = cor_environment_name(&features->names, environment);
    cor_state_name(&features->names, environment, key->b, state);
    switch ((enum kind)key->kind) {
    case CHAINS_IN:
        return cor_format("chains of %s in %s", name, state);
    case VISITED:
        return cor_format("a chain of %s in %s", name, state);
    case CHAIN_IN:
        return cor_format("chain %u (%s) in %s", key->c, name, state);
    default:
        cor_state_name(&features->names, environment, key->c, to);
        return cor_format("a chain of %s goes from %s to %s", name, state, to);
    }
}

bool tree__feature_describe(const struct tree__features *features, const struct tree__feature_key *key,
                            enum cor_aspect *aspect, char **name) {
    const struct cor_result *result = features->result;
    const struct cor_column *column;
    *name = NULL;
    switch ((enum kind)key->kind) {
    case CHAINS_IN:
    case VISITED:
    case ARC:
    case CHAIN_IN:
        *aspect = COR_ASPECT_ENVIRONMENT;
        *name = environment_name(features, key);
        return true;
    case GIVEN:
    case DONE:
        *aspect = key->kind == GIVEN ? COR_ASPECT_STRUCTURE : COR_ASPECT_BEHAVIOUR;
        *name = cor_strdup(cor_schema(COR_TABLE_REORGANIZATIONS)->columns[key->a].name);
        return true;
    case DONE_CODE:
        column = &cor_schema(COR_TABLE_REORGANIZATIONS)->columns[key->a];
        *aspect = COR_ASPECT_BEHAVIOUR;
        *name = cor_format("%s = %s", column->name, cor_term_word(column->family, (int)key->b));
        return true;
    case LARGEST:
    case SMALLEST:
        *aspect = COR_ASPECT_STRUCTURE;
        *name = cor_strdup(key->kind == LARGEST ? "largest_before" : "smallest_before");
        return !features->structures_missing;
    case SUITE_COLUMN:
        *aspect = COR_ASPECT_CONFIGURATION;
        *name = cor_strdup(cor_schema(COR_TABLE_SUITES)->columns[key->a].name);
        return true;
    case PARAMETER:
        *aspect = COR_ASPECT_CONFIGURATION;
        *name = cor_format("parameter %s", cor_result_name(result, COR_CATALOG_PARAMETER, (uint16_t)key->a));
        return !repeats_column(features, key->a);
    case COUNTER:
        *aspect = COR_ASPECT_BEHAVIOUR;
        *name = cor_format("counter %s", cor_result_name(result, COR_CATALOG_COUNTER, (uint16_t)key->a));
        return true;
    }
    return false;
}

char *tree__features_note(const struct tree__features *features) {
    const char *sizes = features->structures_missing && features->unit != COR_RANKED_UNIT_SUITE
                            ? "Sizes of partitions are left out: the file has them for failures only "
                              "(corridor run --log-solutions keeps them for all).\n"
                            : "";
    char *note = cor_strdup(sizes);
    for (uint16_t e = 0; e < 256 && note; e++) {
        if (!features->left_out[e])
            continue;
        char *longer = cor_format(
            "%sStates of %s are left out: its profile is drawn for each suite (--suite looks at one).\n",
            note, cor_environment_name(&features->names, e));
        free(note);
        note = longer;
    }
    return note;
}
