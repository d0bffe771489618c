/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit_features.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
static const char
    *const given[] = {"partitions_before", "dissimilarity_before", "case", NULL},
           *const done[] = {"partitions_after", "moved",         "dissimilarity_after", "spent", "rounds",
                            "messages",         "messages_lost", "interim_failed",      NULL},
           *const done_codes[] = {"stop", "smoke", "inside_after", NULL},
           *const of_suite[] = {"agents",    "groups",    "chains",   "size_min", "size_max", "count_min",
                                "count_max", "threshold", "attempts", "fallback", NULL};

/* ------------------------------------------------------------------------------------ columns */

static uint32_t column_index(enum cor_table table, const char *name) {
    const struct cor_table_schema *schema = cor_schema(table);
    uint32_t index = 0;
    while (index < schema->column_count && strcmp(schema->columns[index].name, name) != 0)
        index++;
    COR_ASSERT(index < schema->column_count);
    return index;
}

static double column_value(const struct cor_column *column, const void *row) {
    const unsigned char *at = (const unsigned char *)row + column->offset;
    uint64_t word = 0;
    float single;
    double real;
    switch (column->type) {
    case COR_TYPE_F32:
        memcpy(&single, at, sizeof single);
        return (double)single;
    case COR_TYPE_F64:
        memcpy(&real, at, sizeof real);
        return real;
    default:
        memcpy(&word, at, cor_type_size(column->type)); /* little-endian, as schema.c asserts */
        return (double)word;
    }
}

/* ------------------------------------------------------------------------------------- putting */

/* A number: of a unit that has it once, or of one of its reorganizations. */
static enum cor_status put_number(struct cor__features *features, enum kind kind, uint32_t a, uint32_t b,
                                  bool of_unit, double value, struct cor_error *error) {
    struct cor__feature_key key = {.kind = (uint16_t)kind, .a = a, .b = b};
    if (of_unit || features->unit == COR_UNIT_REORGANIZATION) {
        key.fold = COR__ONLY;
        return cor__spectrum_note(&features->spectrum, &key, value, error);
    }
    key.fold = COR__GREATEST;
    enum cor_status status = cor__spectrum_note(&features->spectrum, &key, value, error);
    key.fold = COR__LEAST;
    return status == COR_OK ? cor__spectrum_note(&features->spectrum, &key, value, error) : status;
}

static enum cor_status put_fact(struct cor__features *features, enum kind kind, uint32_t a, uint32_t b,
                                uint32_t c, struct cor_error *error) {
    const struct cor__feature_key key = {(uint16_t)kind, COR__PRESENT, a, b, c};
    return cor__spectrum_note(&features->spectrum, &key, 1, error);
}

/* --------------------------------------------------------------------------------------- suites */

enum cor_status cor__features_init(struct cor__features *features, const struct cor_result *result,
                                   enum cor_unit unit, bool one_suite, struct cor_error *error) {
    *features = (struct cor__features){.unit = unit, .one_suite = one_suite};
    cor__words_init(&features->words, result);
    features->twin_count = cor_result_head(result)->catalog_size[COR_CATALOG_PARAMETER];
    features->twins = malloc((features->twin_count + 1) * sizeof *features->twins);
    if (!features->twins)
        return cor_fail_memory(error);
    memset(features->twins, 0xff, (features->twin_count + 1) * sizeof *features->twins);
    return COR_OK;
}

void cor__features_fini(struct cor__features *features) {
    cor__spectrum_fini(&features->spectrum);
    cor__words_fini(&features->words);
    free(features->stage);
    free(features->chains_in);
    free(features->twins);
    free(features->sizes);
    free(features->labels);
}

/* Profiles of one environment are counted together, in as many states as the largest has. */
static void set_stage(struct cor__features *features, const struct cor_profile_row *profile, size_t p) {
    struct cor__stage *stage = &features->stage[p];
    uint16_t environment = profile[p].environment;
    *stage = (struct cor__stage){.start = features->state_count, .states = COR__STATES_MAX};
    stage->usable = features->one_suite || cor__words_given(&features->words, environment);
    features->any_usable = features->any_usable || stage->usable;
    if (!stage->usable && environment < 256)
        features->left_out[environment] = true;
    for (size_t earlier = 0; earlier < p; earlier++)
        if (profile[earlier].environment == environment) {
            stage->start = features->stage[earlier].start;
            stage->states = 0;
            return;
        }
    features->state_count += stage->states;
}

enum cor_status cor__features_suite(struct cor__features *features, const struct cor__suite_rows *rows,
                                    struct cor_error *error) {
    size_t profiles;
    const struct cor_profile_row *profile = cor__rows_of(rows, COR_TABLE_PROFILES, &profiles);
    enum cor_status status = COR_RESERVE(&features->stage, &features->stage_capacity, profiles, error);
    features->state_count = 0;
    features->any_usable = false;
    for (size_t p = 0; p < profiles && status == COR_OK; p++)
        set_stage(features, profile, p);
    if (status == COR_OK)
        status = COR_RESERVE(&features->chains_in, &features->state_capacity, features->state_count, error);
    return status;
}

/* Many a parameter is the value of a column of table suites under another name. */
static void note_twins(struct cor__features *features, const struct cor__suite_rows *rows,
                       const struct cor_parameter_row *row) {
    for (uint32_t i = 0; of_suite[i] && row->parameter < features->twin_count; i++) {
        uint32_t column = column_index(COR_TABLE_SUITES, of_suite[i]);
        if (column_value(&cor_schema(COR_TABLE_SUITES)->columns[column], &rows->suite) != row->value)
            features->twins[row->parameter] &= ~(UINT32_C(1) << i);
    }
}

static bool has_twin(const struct cor__features *features, uint32_t parameter) {
    for (uint32_t i = 0; of_suite[i] && parameter < features->twin_count; i++)
        if (features->twins[parameter] >> i & 1)
            return true;
    return false;
}

static enum cor_status put_parameters(struct cor__features *features, const struct cor__suite_rows *rows,
                                      struct cor_error *error) {
    size_t count;
    enum cor_status status = COR_OK;
    const struct cor_parameter_row *row = cor__rows_of(rows, COR_TABLE_PARAMETERS, &count);
    for (size_t i = 0; i < count && status == COR_OK; i++) {
        note_twins(features, rows, &row[i]);
        status = put_number(features, PARAMETER, row[i].parameter, 0, true, row[i].value, error);
    }
    return status;
}

/* White-box counters, all buckets together. */
static enum cor_status put_counters(struct cor__features *features, const struct cor__suite_rows *rows,
                                    struct cor_error *error) {
    size_t count;
    enum cor_status status = COR_OK;
    const struct cor_counter_row *row = cor__rows_of(rows, COR_TABLE_COUNTERS, &count);
    for (size_t i = 0; i < count && status == COR_OK;) {
        uint16_t counter = row[i].counter;
        double sum = 0;
        for (; i < count && row[i].counter == counter; i++)
            sum += (double)row[i].count;
        status = put_number(features, COUNTER, counter, 0, true, sum, error);
    }
    return status;
}

enum cor_status cor__features_configuration(struct cor__features *features,
                                            const struct cor__suite_rows *rows, struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (size_t i = 0; of_suite[i] && status == COR_OK; i++) {
        uint32_t column = column_index(COR_TABLE_SUITES, of_suite[i]);
        status =
            put_number(features, SUITE_COLUMN, column, 0, true,
                       column_value(&cor_schema(COR_TABLE_SUITES)->columns[column], &rows->suite), error);
    }
    if (status == COR_OK)
        status = put_parameters(features, rows, error);
    return status == COR_OK ? put_counters(features, rows, error) : status;
}

/* ------------------------------------------------------------------------------ reorganizations */

static enum cor_status put_columns(struct cor__features *features, enum kind kind, const char *const *names,
                                   const struct cor_reorganization_row *row, struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (; *names && status == COR_OK; names++) {
        uint32_t column = column_index(COR_TABLE_REORGANIZATIONS, *names);
        double value = column_value(&cor_schema(COR_TABLE_REORGANIZATIONS)->columns[column], row);
        status = kind == DONE_CODE ? put_fact(features, kind, column, (uint32_t)value, 0, error)
                                   : put_number(features, kind, column, 0, false, value, error);
    }
    return status;
}

/* Sizes of the partitions before, where they were kept. */
static enum cor_status put_sizes(struct cor__features *features, const struct cor__suite_rows *rows,
                                 const struct cor_failure_row *kept, struct cor_error *error) {
    uint64_t stored = cor_result_vector_size(rows->result, COR_VECTOR_STRUCTURE);
    if (!kept || kept->labels == 0) {
        features->structures_missing = true;
        return COR_OK;
    }
    if (kept->structure_start > stored || kept->labels > stored - kept->structure_start)
        return cor__damaged(error, COR_TABLE_FAILURES, "a structure ends behind vectors/structure");
    enum cor_status status = COR_RESERVE(&features->labels, &features->label_capacity, kept->labels, error);
    if (status == COR_OK)
        status = COR_RESERVE(&features->sizes, &features->size_capacity, kept->labels, error);
    if (status == COR_OK)
        status = cor_result_read_vector(rows->result, COR_VECTOR_STRUCTURE, kept->structure_start,
                                        kept->labels, features->labels, error);
    if (status != COR_OK)
        return status;
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
    status = put_number(features, LARGEST, 0, 0, false, largest, error);
    return status == COR_OK ? put_number(features, SMALLEST, 0, 0, false, smallest, error) : status;
}

/* How many chains are in each state at that case, and where they came from. */
static enum cor_status put_chains(struct cor__features *features, const struct cor__suite_rows *rows,
                                  uint32_t cases, uint32_t at, struct cor_error *error) {
    size_t chains, profiles, length = (size_t)cases + 1;
    enum cor_status status = COR_OK;
    const struct cor_chain_row *chain = cor__rows_of(rows, COR_TABLE_CHAINS, &chains);
    const struct cor_profile_row *profile = cor__rows_of(rows, COR_TABLE_PROFILES, &profiles);
    memset(features->chains_in, 0, features->state_count * sizeof *features->chains_in);
    for (size_t c = 0; c < chains && status == COR_OK; c++) {
        uint16_t p = chain[c].profile, environment = profile[p].environment;
        uint8_t from = rows->walk[c * length + at - 1], to = rows->walk[c * length + at];
        features->chains_in[features->stage[p].start + to]++;
        if (features->stage[p].usable && from != to)
            status = put_fact(features, ARC, environment, from, to, error);
        if (features->one_suite && status == COR_OK)
            status = put_fact(features, CHAIN_IN, environment, to, (uint32_t)c, error);
    }
    for (size_t p = 0; p < profiles; p++)
        for (uint32_t s = 0; features->stage[p].usable && s < features->stage[p].states && status == COR_OK;
             s++)
            status = put_number(features, CHAINS_IN, profile[p].environment, s, false,
                                features->chains_in[features->stage[p].start + s], error);
    return status;
}

enum cor_status cor__features_reorganization(struct cor__features *features,
                                             const struct cor__suite_rows *rows,
                                             const struct cor_sequence_row *sequence,
                                             const struct cor_reorganization_row *row,
                                             const struct cor_failure_row *kept, struct cor_error *error) {
    enum cor_status status = put_columns(features, GIVEN, given, row, error);
    if (status == COR_OK)
        status = put_sizes(features, rows, kept, error);
    if (status == COR_OK && features->any_usable)
        status = put_chains(features, rows, sequence->cases, row->case_, error);
    if (status == COR_OK)
        status = put_columns(features, DONE, done, row, error);
    return status == COR_OK ? put_columns(features, DONE_CODE, done_codes, row, error) : status;
}

enum cor_status cor__features_walk(struct cor__features *features, const struct cor__suite_rows *rows,
                                   const struct cor_sequence_row *sequence, uint32_t last,
                                   struct cor_error *error) {
    size_t chains, profiles, length = (size_t)sequence->cases + 1;
    enum cor_status status = COR_OK;
    const struct cor_chain_row *chain = cor__rows_of(rows, COR_TABLE_CHAINS, &chains);
    const struct cor_profile_row *profile = cor__rows_of(rows, COR_TABLE_PROFILES, &profiles);
    for (size_t c = 0; c < chains && status == COR_OK; c++) {
        if (!features->stage[chain[c].profile].usable)
            continue;
        uint16_t environment = profile[chain[c].profile].environment;
        bool been[COR__STATES_MAX] = {false}, gone[COR__STATES_MAX][COR__STATES_MAX] = {{false}};
        const uint8_t *walk = rows->walk + c * length;
        for (uint32_t i = 0; i <= last && status == COR_OK; i++) {
            uint8_t from = walk[i > 0 ? i - 1 : 0], to = walk[i];
            if (!been[to])
                status = put_fact(features, VISITED, environment, to, 0, error);
            if (!been[to] && features->one_suite && status == COR_OK)
                status = put_fact(features, CHAIN_IN, environment, to, (uint32_t)c, error);
            if (from != to && !gone[from][to] && status == COR_OK)
                status = put_fact(features, ARC, environment, from, to, error);
            been[to] = true;
            gone[from][to] = true;
        }
    }
    return status;
}

/* -------------------------------------------------------------------------------------- words */

static const char *word_of(enum cor_family family, uint32_t number) {
    for (const struct cor_term *term = cor_terms(family); term->word; term++)
        if ((uint32_t)term->number == number)
            return term->word;
    return "?";
}

static char *environment_name(const struct cor__features *features, const struct cor__feature_key *key) {
    char state[COR__WORD], to[COR__WORD];
    uint16_t environment = (uint16_t)key->a;
    const char *name = cor__words_environment(&features->words, environment);
    cor__words_state(&features->words, environment, key->b, state);
    switch ((enum kind)key->kind) {
    case CHAINS_IN:
        return cor_format("chains of %s in %s", name, state);
    case VISITED:
        return cor_format("a chain of %s in %s", name, state);
    case CHAIN_IN:
        return cor_format("chain %u (%s) in %s", key->c, name, state);
    default:
        cor__words_state(&features->words, environment, key->c, to);
        return cor_format("a chain of %s goes from %s to %s", name, state, to);
    }
}

bool cor__feature_describe(const struct cor__features *features, const struct cor__feature_key *key,
                           enum cor_aspect *aspect, char **name) {
    const struct cor_result *result = features->words.result;
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
        *name = cor_format("%s = %s", column->name, word_of(column->family, key->b));
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
        return !has_twin(features, key->a);
    case COUNTER:
        *aspect = COR_ASPECT_BEHAVIOUR;
        *name = cor_format("counter %s", cor_result_name(result, COR_CATALOG_COUNTER, (uint16_t)key->a));
        return true;
    }
    return false;
}

char *cor__features_note(const struct cor__features *features) {
    const char *sizes =
        features->structures_missing && features->unit != COR_UNIT_SUITE
            ? "Sizes of partitions are left out: the file has them for failures only (corridor run "
              "--log-solutions keeps them for all).\n"
            : "";
    char *note = cor_strdup(sizes);
    for (uint16_t e = 0; e < 256 && note; e++) {
        if (!features->left_out[e])
            continue;
        char *longer = cor_format("%sStates of %s are left out: its profile is drawn for each suite (--suite "
                                  "looks at one).\n",
                                  note, cor__words_environment(&features->words, e));
        free(note);
        note = longer;
    }
    return note;
}
