/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which features a unit has, how often each is among failing and passing units, and scores of that. Fault
 * counters of the result file are not among them: what the injection knows must not find the fault. */
#include "spectrum.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/ranking.h>
#include <corridor/state_names.h>
#include <corridor/suite_reader.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How chains of a profile of the present suite are counted by their states. */
struct tree__profile_counts {
    bool usable;     /* its states mean the same in all units */
    uint32_t start;  /* where its states begin in `chains_in` */
    uint32_t states; /* how many are counted there; 0 = with an earlier profile of that environment */
};

/* Columns of a table that are features, by their place in the schema. */
struct tree__feature_columns {
    uint32_t count, index[16];
};

struct tree__features {
    struct tree__spectrum spectrum;
    struct tree__feature_columns given, done, done_codes, of_suite;
    struct cor_state_names names;
    struct cor_result *result; /* borrowed */
    enum cor_ranked_unit unit;
    bool one_suite; /* chains are told apart, drawn profiles are the same for all units, and nothing of the
                       configuration varies */
    const struct cor_suite_rows *suite;   /* the present one; borrowed */
    const struct cor_sequence_row *row;   /* the present sequence; borrowed */
    bool configured;                      /* features of the suite have been put */
    struct cor_sequence_walk walk;        /* of the present sequence, if any_usable */
    struct tree__profile_counts *profile; /* owned; [profile of the present suite] */
    uint32_t *chains_in;                  /* owned; scratch: chains in each state in a case */
    size_t profile_capacity, state_capacity;
    uint32_t state_count;
    bool any_usable;
    bool left_out[256]; /* environment codes: environments whose states are not compared */
    uint32_t *repeats;  /* owned; [parameter code] bit i: so far always equal to column i of of_suite */
    size_t parameter_count;
    bool structures_missing; /* some reorganization has no structure in table failures */
    uint32_t *sizes;         /* owned; scratch: members of a partition */
    uint32_t *labels;        /* owned; scratch */
    size_t size_capacity, label_capacity;
};

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

/* Prepares for units that are, or are in, that suite (whole: cor_suite_check), and in one of its sequences.
 */
static enum cor_status features_suite(struct tree__features *features, const struct cor_suite_rows *suite,
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

static enum cor_status features_sequence(struct tree__features *features, uint32_t sequence,
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

/* Ends the unit. */
static enum cor_status features_end(struct tree__features *features, struct tree__ending ending,
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

/* The present unit is, or has, that reorganization; its row in table failures is `kept` or NULL. */
static enum cor_status features_reorganization(struct tree__features *features,
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

/* It is the present sequence, up to case `last`. */
static enum cor_status features_walk(struct tree__features *features, uint32_t last,
                                     struct cor_error *error) {
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

/* What a feature is about, and its name (owned by the caller; NULL when memory is out). False if it must be
 * left out after all. */
static bool feature_describe(const struct tree__features *features, const struct tree__feature_key *key,
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

/* ---- the ranking: units and their features from the suites of an arm, then a cut point for each number,
 * scores and ranks */

#define PERMUTATIONS 199

const char *const cor_ranked_unit_words[] = {
#define COR_RANKED_UNIT(NAME, one, many, meaning) many,
    COR_RANKED_UNITS(COR_RANKED_UNIT) NULL
#undef COR_RANKED_UNIT
};
const char *const cor_aspect_words[] = {
#define COR_ASPECT(NAME, word, meaning) word,
    COR_ASPECTS(COR_ASPECT) NULL
#undef COR_ASPECT
};
#define COR_SCORE(NAME, id, formula, source) id,
const char *const cor_score_words[] = {COR_SCORES(COR_SCORE) NULL};
#undef COR_SCORE
#define COR_SCORE(NAME, id, formula, source) formula,
const char *const cor_score_formulas[] = {COR_SCORES(COR_SCORE) NULL};
#undef COR_SCORE
#define COR_SCORE(NAME, id, formula, source) source,
const char *const cor_score_sources[] = {COR_SCORES(COR_SCORE) NULL};
#undef COR_SCORE

/* Each reorganization of a sequence is a unit, those that it only repeats from another sequence aside; or all
 * up to the first failing one are of one unit. *failure is the case of that one, else 0. */
static enum cor_status take_reorganizations(struct tree__features *features,
                                            const struct cor_sequence_rows *sequence, uint32_t *failure,
                                            struct cor_error *error) {
    bool single = features->unit == COR_RANKED_UNIT_REORGANIZATION;
    uint32_t repeated = single && sequence->branch ? sequence->branch->prefix : 0;
    size_t next_kept = 0;
    *failure = 0;
    for (size_t i = 0; i < sequence->reorganization_count; i++) {
        const struct cor_reorganization_row *row = &sequence->reorganizations[i];
        if (row->case_ <= repeated)
            continue;
        if (single || (features->unit == COR_RANKED_UNIT_SEQUENCE && *failure == 0)) {
            /* The kept structure of a reorganization of that sequence, NULL if there is none; *next is the
             * first row that can be it. */
            while (next_kept < sequence->failure_count && sequence->failures[next_kept].case_ < row->case_)
                ++next_kept;
            bool found =
                next_kept < sequence->failure_count && sequence->failures[next_kept].case_ == row->case_;
            COR_TRY(
                features_reorganization(features, row, found ? &sequence->failures[next_kept] : NULL, error));
        }
        if (cor_is_detected(row) && *failure == 0)
            *failure = row->case_;
        if (single) {
            bool failed = cor_is_detected(row), is_last = row->case_ == sequence->row->executed,
                 is_cut = sequence->row->executed < sequence->row->cases;
            COR_TRY(features_end(
                features, (struct tree__ending){failed, failed && is_last && is_cut, row->sequence}, error));
        }
    }
    return COR_OK;
}

static enum cor_status observe(struct cor_result *result, struct cor_ranking *ranking,
                               struct tree__features *features, struct cor_error *error) {
    static const struct cor_reading readings[] = {
        {COR_TABLE_CHAINS, NULL},          {COR_TABLE_PROFILES, NULL},   {COR_TABLE_SEQUENCES, NULL},
        {COR_TABLE_REORGANIZATIONS, NULL}, {COR_TABLE_PARAMETERS, NULL}, {COR_TABLE_COUNTERS, NULL},
        {COR_TABLE_FAILURES, NULL}};
    COR_DESTROYED(cor_suite_reader) struct cor_suite_reader *reader = NULL;
    const struct cor_suite_rows *suite;
    COR_TRY(cor_suite_reader_create(result, readings, sizeof readings / sizeof *readings, &reader, error));
    COR_TRY(cor_suite_reader_choose(reader, ranking->arm, ranking->suite, "--suite", error));
    for (;;) {
        bool failed;
        COR_TRY(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        COR_TRY(cor_suite_check(suite, result, error));
        failed = false;
        COR_TRY(features_suite(features, suite, error));
        for (uint32_t s = 0; s < suite->row.sequences; s++) {
            const struct cor_sequence_rows *sequence = &suite->sequence[s];
            uint32_t failure;
            COR_TRY(features_sequence(features, s, error));
            COR_TRY(take_reorganizations(features, sequence, &failure, error));
            failed = failed || failure > 0;
            if (features->unit == COR_RANKED_UNIT_SEQUENCE) {
                COR_TRY(features_walk(features, failure > 0 ? failure : sequence->row->executed, error));
                COR_TRY(features_end(features, (struct tree__ending){failure > 0, false, s}, error));
            }
            if (features->one_suite)
                COR_TRY(tree__spectrum_end_block(&features->spectrum, error));
        }
        if (features->unit == COR_RANKED_UNIT_SUITE)
            COR_TRY(features_end(features, (struct tree__ending){.failed = failed}, error));
        COR_TRY(tree__spectrum_end_block(&features->spectrum, error));
        ranking->suites++;
        ranking->suites_failing += failed;
    }
    ranking->failing = features->spectrum.failing;
    ranking->passing = features->spectrum.passing;
    return COR_OK;
}

/* A list under construction. */
struct listing {
    struct cor_feature_list *list;
    size_t capacity;
};

static enum cor_status add_feature(struct cor_ranking *ranking, struct listing *listings,
                                   enum cor_aspect aspect, const char *name,
                                   enum cor_ranking_comparison comparison, bool once,
                                   const struct tree__having *having, struct cor_error *error) {
    struct listing *listing = &listings[aspect == COR_ASPECT_BEHAVIOUR];
    uint64_t all = having->failing + having->passing;
    if (having->failing == 0 || all == ranking->failing + ranking->passing)
        return COR_OK;
    enum cor_status status =
        COR_RESERVE(&listing->list->feature, &listing->capacity, listing->list->count + 1, error);
    if (status != COR_OK)
        return status;
    struct cor_feature *feature = &listing->list->feature[listing->list->count];
    *feature = (struct cor_feature){
        .aspect = aspect,
        .name = cor_strdup(name),
        .comparison = comparison,
        .bound = having->bound,
        .next = having->next,
        .once = once,
        .failing_with = having->failing,
        .failing_without = ranking->failing - having->failing,
        .passing_with = having->passing,
        .passing_without = ranking->passing - having->passing,
    };
    COR_TRY(cor_made(feature->name, error));
    double ef = (double)feature->failing_with, nf = (double)feature->failing_without,
           ep = (double)feature->passing_with, np = (double)feature->passing_without;
    double of_failing = ef / (ef + nf), of_passing = ep / (ep + np);
    feature->score[COR_SCORE_OCHIAI] = ef / sqrt((ef + nf) * (ef + ep));
    feature->score[COR_SCORE_TARANTULA] = of_failing / (of_failing + of_passing);
    feature->score[COR_SCORE_DSTAR] = ef * ef / (ep + nf); /* infinite if exactly the failing ones have it */
    listing->list->count++;
    return COR_OK;
}

/* A feature that was counted, as one or two of the ranking. */
static enum cor_status add_counted(struct cor_ranking *ranking, struct listing *listings,
                                   const struct tree__counted *counted, enum cor_aspect aspect,
                                   const char *name, struct cor_error *error) {
    uint64_t units = ranking->failing + ranking->passing;
    enum tree__fold fold = counted->key.fold;
    bool once = fold == TREE__GREATEST || fold == TREE__LEAST;
    if (fold == TREE__PRESENT) {
        struct tree__having having = {counted->buckets[0].failing, counted->buckets[0].passing, NAN, NAN};
        return add_feature(ranking, listings, aspect, name, COR_PRESENT, false, &having, error);
    }
    if (fold != TREE__LEAST) {
        struct tree__having having = tree__best_cut(counted, true, units);
        COR_TRY(add_feature(ranking, listings, aspect, name, COR_AT_LEAST, once, &having, error));
    }
    if (fold != TREE__GREATEST) {
        struct tree__having having = tree__best_cut(counted, false, units);
        COR_TRY(add_feature(ranking, listings, aspect, name, COR_AT_MOST, once, &having, error));
    }
    return COR_OK;
}

/* What sorting looks at, and where it came from, so that equals stay in their order. */
struct place {
    double score;
    size_t index;
};

static int by_score(const void *a, const void *b) {
    const struct place *one = a, *other = b;
    if (one->score != other->score)
        return one->score > other->score ? -1 : 1;
    return one->index < other->index ? -1 : 1;
}

static enum cor_status rank(struct cor_feature_list *list, enum cor_score by, struct cor_error *error) {
    struct place *places = cor_calloc(list->count, sizeof *places);
    struct cor_feature *sorted = cor_calloc(list->count, sizeof *sorted);
    if (!places || !sorted) {
        COR_FREE(places, sorted);
        return cor_fail_memory(error);
    }
    for (size_t i = 0; i < list->count; i++)
        places[i] = (struct place){list->feature[i].score[by], i};
    qsort(places, list->count, sizeof *places, by_score);
    for (size_t i = 0; i < list->count; i++)
        sorted[i] = list->feature[places[i].index];
    for (size_t first = 0, end; first < list->count; first = end) {
        for (end = first + 1; end < list->count && places[end].score == places[first].score;)
            end++;
        for (size_t i = first; i < end; i++) {
            sorted[i].rank_best = first + 1;
            sorted[i].rank_worst = end;
        }
    }
    COR_FREE(places, list->feature);
    list->feature = sorted;
    return COR_OK;
}

/* Lists, and whether the first of the causes is there by chance. */
static enum cor_status compare(struct cor_result *result, struct cor_ranking *ranking,
                               struct tree__features *features, struct cor_error *error) {
    enum cor_status status = COR_OK;
    ranking->p = NAN;
    if (ranking->failing == 0 || ranking->passing == 0)
        return COR_OK;
    COR_FREED bool *is_cause = cor_calloc(features->spectrum.count, sizeof *is_cause);
    COR_TRY(cor_made(is_cause, error));
    /* All features; is_cause says of each whether a cause is looked for in it. */
    struct listing listings[2] = {{&ranking->causes, 0}, {&ranking->symptoms, 0}};
    for (size_t i = 0; i < features->spectrum.count && status == COR_OK; i++) {
        const struct tree__counted *counted = &features->spectrum.features[i];
        enum cor_aspect aspect;
        char *name;
        bool wanted = feature_describe(features, &counted->key, &aspect, &name);
        is_cause[i] = wanted && aspect != COR_ASPECT_BEHAVIOUR;
        if (!name)
            status = cor_fail_memory(error);
        else if (wanted && counted->count > 0) /* 0: never had a value */
            status = add_counted(ranking, listings, counted, aspect, name, error);
        free(name);
    }
    if (status != COR_OK)
        return status;
    COR_TRY(rank(&ranking->causes, ranking->score, error));
    COR_TRY(rank(&ranking->symptoms, ranking->score, error));
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = cor_result_head(result)->seed,
                                                                 .arm = ranking->arm,
                                                                 .entity = (uint32_t)ranking->unit,
                                                                 .purpose = COR_PURPOSE_PERMUTATION});
    ranking->permutations = PERMUTATIONS;
    return tree__spectrum_permute(&features->spectrum, is_cause, PERMUTATIONS, &rng, &ranking->p, error);
}

enum cor_status cor_ranking_create(struct cor_result *result, uint16_t arm, uint32_t suite,
                                   enum cor_ranked_unit unit, enum cor_score by, struct cor_ranking **ranking,
                                   struct cor_error *error) {
    struct tree__features features = {0};
    enum cor_status status = COR_OK;
    COR_ASSERT((int)unit >= 0 && unit < COR_RANKED_UNIT_COUNT && (int)by >= 0 && by < COR_SCORE_COUNT);
    struct cor_ranking *made = *ranking = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    *made = (struct cor_ranking){.arm = arm, .suite = suite, .unit = unit, .score = by};
    /* No suite and no unit yet. */
    features = (struct tree__features){
        .result = result,
        .unit = unit,
        .one_suite = suite != COR_ANY_SUITE,
        .given = find_columns(COR_TABLE_REORGANIZATIONS, given),
        .done = find_columns(COR_TABLE_REORGANIZATIONS, done),
        .done_codes = find_columns(COR_TABLE_REORGANIZATIONS, done_codes),
        .of_suite = find_columns(COR_TABLE_SUITES, of_suite),
    };
    tree__spectrum_init(&features.spectrum, MARKS_MAX);
    cor_state_names_init(&features.names, result);
    features.parameter_count = cor_result_head(result)->catalog_size[COR_CATALOG_PARAMETER];
    features.repeats = cor_calloc(features.parameter_count, sizeof *features.repeats);
    if (!features.repeats)
        COR_TRY_OUT(cor_fail_memory(error));
    for (size_t i = 0; i < features.parameter_count; i++)
        features.repeats[i] = UINT32_MAX;
    COR_TRY_OUT(observe(result, made, &features, error));
    COR_TRY_OUT(compare(result, made, &features, error));
    const char *sizes = features.structures_missing && features.unit != COR_RANKED_UNIT_SUITE
                            ? "Sizes of partitions are left out: the file has them for failures only "
                              "(corridor run --log-solutions keeps them for all).\n"
                            : "";
    char *note = cor_strdup(sizes);
    for (uint16_t e = 0; e < 256 && note; e++) {
        if (!features.left_out[e])
            continue;
        char *longer = cor_format(
            "%sStates of %s are left out: its profile is drawn for each suite (--suite looks at one).\n",
            note, cor_environment_name(&features.names, e));
        free(note);
        note = longer;
    }
    made->note = note;
    if (!made->note)
        status = cor_fail_memory(error);
out:
    tree__spectrum_fini(&features.spectrum);
    cor_state_names_fini(&features.names);
    cor_sequence_walk_fini(&features.walk);
    COR_FREE(features.profile, features.chains_in, features.repeats, features.sizes, features.labels);
    if (status != COR_OK) {
        cor_ranking_destroy(made);
        *ranking = NULL;
    }
    return status;
}

static void free_list(struct cor_feature_list *list) {
    for (size_t i = 0; i < list->count; i++)
        free(list->feature[i].name);
    free(list->feature);
}

void cor_ranking_destroy(struct cor_ranking *ranking) {
    if (!ranking)
        return;
    free_list(&ranking->causes);
    free_list(&ranking->symptoms);
    COR_FREE(ranking->note, ranking);
}

/* ---- the spectrum */

#define FIRST_SLOTS 1024

void tree__spectrum_init(struct tree__spectrum *spectrum, size_t mark_max) {
    COR_ASSERT(mark_max > 0);
    *spectrum = (struct tree__spectrum){.mark_max = mark_max, .stride = 1};
}

void tree__spectrum_fini(struct tree__spectrum *spectrum) {
    for (size_t i = 0; i < spectrum->count; i++)
        free(spectrum->features[i].buckets);
    COR_FREE(spectrum->features, spectrum->slots, spectrum->of_unit.index, spectrum->of_block.index,
             spectrum->log, spectrum->mark);
    *spectrum = (struct tree__spectrum){0};
}

static bool same(const struct tree__feature_key *one, const struct tree__feature_key *other) {
    return one->kind == other->kind && one->fold == other->fold && one->a == other->a && one->b == other->b &&
           one->c == other->c;
}

/* The slot of a key: its own, or the free one where it belongs. */
static uint32_t *slot_of(const struct tree__spectrum *spectrum, const struct tree__feature_key *key) {
    uint64_t hash = cor_hash_word(COR_HASH_SEED, (uint64_t)key->kind << 16 | key->fold);
    hash = cor_hash_word(hash, (uint64_t)key->a << 32 | key->b);
    size_t mask = spectrum->slot_count - 1, at = (size_t)cor_hash_word(hash, key->c) & mask;
    while (spectrum->slots[at] != 0 && !same(&spectrum->features[spectrum->slots[at] - 1].key, key))
        at = (at + 1) & mask;
    return &spectrum->slots[at];
}

/* Index of the feature with that key, made if there is none. */
static enum cor_status spectrum_find(struct tree__spectrum *spectrum, const struct tree__feature_key *key,
                                     uint32_t *index, struct cor_error *error) {
    /* Twice as many slots as features, at least. */
    if (2 * (spectrum->count + 1) > spectrum->slot_count) {
        size_t wanted = spectrum->slot_count > 0 ? 2 * spectrum->slot_count : FIRST_SLOTS;
        uint32_t *slots = cor_calloc(wanted, sizeof *slots);
        COR_TRY(cor_made(slots, error));
        free(spectrum->slots);
        spectrum->slots = slots;
        spectrum->slot_count = wanted;
        for (size_t i = 0; i < spectrum->count; i++)
            *slot_of(spectrum, &spectrum->features[i].key) = (uint32_t)i + 1;
    }
    uint32_t *slot = slot_of(spectrum, key);
    if (*slot == 0) {
        COR_TRY(COR_RESERVE(&spectrum->features, &spectrum->capacity, spectrum->count + 1, error));
        spectrum->features[spectrum->count] = (struct tree__counted){.key = *key};
        *slot = (uint32_t)++spectrum->count;
    }
    *index = *slot - 1;
    return COR_OK;
}

static enum cor_status add(struct tree__feature_set *set, uint32_t index, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&set->index, &set->capacity, set->count + 1, error));
    set->index[set->count++] = index;
    return COR_OK;
}

enum cor_status tree__spectrum_put(struct tree__spectrum *spectrum, const struct tree__feature_key *key,
                                   double value, struct cor_error *error) {
    uint32_t index = 0;
    COR_TRY(spectrum_find(spectrum, key, &index, error));
    struct tree__counted *feature = &spectrum->features[index];
    enum tree__fold fold = key->fold;
    if (fold == TREE__PRESENT)
        value = 1;
    else if (isnan(value))
        return COR_OK;
    if (feature->unit == spectrum->unit + 1) {
        COR_ASSERT(fold != TREE__ONLY || feature->value == value);
        if ((fold == TREE__GREATEST && value > feature->value) ||
            (fold == TREE__LEAST && value < feature->value))
            feature->value = value;
        return COR_OK;
    }
    COR_TRY(add(&spectrum->of_unit, index, error));
    feature->unit = spectrum->unit + 1;
    feature->value = value;
    return COR_OK;
}

enum cor_status tree__spectrum_put_block(struct tree__spectrum *spectrum, const struct tree__feature_key *key,
                                         double value, bool *is_new, struct cor_error *error) {
    uint32_t index = 0;
    COR_ASSERT(key->fold == TREE__ONLY);
    COR_TRY(spectrum_find(spectrum, key, &index, error));
    struct tree__counted *feature = &spectrum->features[index];
    *is_new = feature->unit != spectrum->blocks + 1;
    if (isnan(value) || !*is_new)
        return COR_OK;
    feature->unit = spectrum->blocks + 1;
    feature->value = value;
    return add(&spectrum->of_block, index, error);
}

/* The bits of a real number as an integer of the same order, without its 44 last ones: 8 bits remain behind
 * the leading one. */
static int32_t code_of(double value) {
    int64_t bits;
    value += 0.0; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    if (bits < 0)
        bits = -(bits & INT64_MAX);
    return (int32_t)(bits >= 0 ? bits >> 44 : -(-bits >> 44));
}

/* The first bucket of a feature whose code is not below `code`. */
static size_t bucket_at(const struct tree__counted *feature, int32_t code) {
    size_t low = 0, high = feature->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (feature->buckets[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* So many units, failing and passing, have the feature with its present value. */
static enum cor_status count(struct tree__counted *feature, uint64_t failing, uint64_t passing,
                             struct cor_error *error) {
    int32_t code = code_of(feature->value);
    size_t at = bucket_at(feature, code);
    if (at == feature->count || feature->buckets[at].code != code) {
        COR_TRY(COR_RESERVE(&feature->buckets, &feature->capacity, feature->count + 1, error));
        memmove(&feature->buckets[at + 1], &feature->buckets[at],
                (feature->count - at) * sizeof *feature->buckets);
        feature->buckets[at] =
            (struct tree__bucket){.code = code, .least = feature->value, .greatest = feature->value};
        feature->count++;
    }
    struct tree__bucket *bucket = &feature->buckets[at];
    bucket->least = fmin(bucket->least, feature->value);
    bucket->greatest = fmax(bucket->greatest, feature->value);
    bucket->failing += failing;
    bucket->passing += passing;
    return COR_OK;
}

/* Twice the stride: what is not divided by it goes. */
static void thin_log(struct tree__spectrum *spectrum) {
    size_t items = 0, marks = 0, first = 0;
    spectrum->stride *= 2;
    for (size_t i = 0; i < spectrum->log_count; i++) {
        struct tree__logged item = spectrum->log[i];
        size_t end = item.end;
        if (item.is_block || item.number % spectrum->stride == 0) {
            memmove(&spectrum->mark[marks], &spectrum->mark[first], (end - first) * sizeof *spectrum->mark);
            marks += end - first;
            item.end = marks;
            spectrum->log[items++] = item;
        }
        first = end;
    }
    spectrum->log_count = items;
    spectrum->mark_count = marks;
}

static enum cor_status log_item(struct tree__spectrum *spectrum, struct tree__logged item,
                                const struct tree__feature_set *set, struct cor_error *error) {
    if (!item.is_block && item.number % spectrum->stride != 0)
        return COR_OK;
    COR_TRY(COR_RESERVE(&spectrum->log, &spectrum->log_capacity, spectrum->log_count + 1, error));
    COR_TRY(COR_RESERVE(&spectrum->mark, &spectrum->mark_capacity, spectrum->mark_count + set->count, error));
    for (size_t i = 0; i < set->count; i++)
        spectrum->mark[spectrum->mark_count++] =
            (struct tree__mark){set->index[i], code_of(spectrum->features[set->index[i]].value)};
    item.end = spectrum->mark_count;
    spectrum->log[spectrum->log_count++] = item;
    if (spectrum->mark_count > spectrum->mark_max)
        thin_log(spectrum);
    return COR_OK;
}

enum cor_status tree__spectrum_end(struct tree__spectrum *spectrum, struct tree__ending ending,
                                   struct cor_error *error) {
    struct tree__feature_set *put = &spectrum->of_unit;
    struct tree__logged item = {.ending = ending, .number = spectrum->unit};
    for (size_t i = 0; i < put->count; i++)
        COR_TRY(count(&spectrum->features[put->index[i]], ending.failed, !ending.failed, error));
    COR_TRY(log_item(spectrum, item, put, error));
    put->count = 0;
    spectrum->unit++;
    *(ending.failed ? &spectrum->block_failing : &spectrum->block_passing) += 1;
    return COR_OK;
}

enum cor_status tree__spectrum_end_block(struct tree__spectrum *spectrum, struct cor_error *error) {
    struct tree__feature_set *put = &spectrum->of_block;
    COR_ASSERT(spectrum->of_unit.count == 0);
    for (size_t i = 0; i < put->count; i++)
        COR_TRY(count(&spectrum->features[put->index[i]], spectrum->block_failing, spectrum->block_passing,
                      error));
    COR_TRY(log_item(spectrum, (struct tree__logged){.is_block = true}, put, error));
    put->count = 0;
    spectrum->blocks++;
    spectrum->failing += spectrum->block_failing;
    spectrum->passing += spectrum->block_passing;
    spectrum->block_failing = spectrum->block_passing = 0;
    return COR_OK;
}

struct tree__having tree__best_cut(const struct tree__counted *counted, bool from_above, uint64_t units) {
    struct tree__having best = {.bound = NAN, .next = NAN}, so_far = {0};
    double best_score = 0;
    for (size_t i = 0; i < counted->count; i++) {
        size_t at = from_above ? counted->count - 1 - i : i;
        const struct tree__bucket *bucket = &counted->buckets[at];
        so_far.failing += bucket->failing;
        so_far.passing += bucket->passing;
        so_far.bound = from_above ? bucket->least : bucket->greatest;
        so_far.next = i + 1 == counted->count ? NAN : from_above ? bucket[-1].greatest : bucket[1].least;
        double failing = (double)so_far.failing, all = (double)(so_far.failing + so_far.passing);
        double score = failing * failing / all; /* Ochiai squared, times the number of failing units */
        if (so_far.failing + so_far.passing < units &&
            (score > best_score || (score == best_score && so_far.failing > best.failing))) {
            best = so_far;
            best_score = score;
        }
    }
    return best;
}

/* ---- whether what goes with failing could do so by chance: verdicts are exchanged between blocks, and the
 * best feature is looked for again */

#define UNWANTED UINT32_MAX
#define TRIES 100 /* for an arrangement in which something fails and something passes */

/* What a unit does in an arrangement; ABSENT = its sequence has stopped before. */
enum fate { PASSES, FAILS, ABSENT, FATES };

/* Units of a block: items of the log, which end with that of the block. */
struct block {
    size_t first, end;
};

/* The log, with the values of all wanted features numbered through: buckets. Marks hold them in `feature`. */
struct sample {
    struct tree__spectrum *spectrum; /* borrowed */
    struct block *block;             /* owned; those that have units */
    uint32_t block_count;
    uint32_t *start;        /* owned; [feature + 1] first bucket; end of the one before */
    uint32_t *all;          /* owned; [bucket] units in it */
    uint32_t *count[FATES]; /* owned; [fate][bucket] of an arrangement: units in it */
    uint8_t *fate;          /* owned; [item of the log] an arrangement */
    uint64_t units[FATES];  /* of the arrangement */
    uint32_t *order;        /* owned; [block] whose verdicts it gets */
};

static uint32_t bucket_of(const struct sample *sample, const struct tree__mark *mark) {
    const struct tree__counted *feature = &sample->spectrum->features[mark->feature];
    uint32_t first = sample->start[mark->feature];
    if (first == sample->start[mark->feature + 1])
        return UNWANTED;
    return first + (uint32_t)bucket_at(feature, mark->code);
}

/* Blocks, and the arrangement of the file. */
static void find_blocks(struct sample *sample) {
    const struct tree__spectrum *spectrum = sample->spectrum;
    size_t first = 0;
    for (size_t i = 0; i < spectrum->log_count; i++) {
        if (!spectrum->log[i].is_block) {
            sample->fate[i] = spectrum->log[i].ending.failed ? FAILS : PASSES;
            sample->units[sample->fate[i]]++;
            continue;
        }
        if (i > first)
            sample->block[sample->block_count++] = (struct block){first, i};
        first = i + 1;
    }
}

/* Adds `weight` of a unit, or of all of a block, to the buckets that item of the log is in. */
static void add_item(const struct sample *sample, size_t item, uint32_t weight, uint32_t *count) {
    const struct tree__spectrum *spectrum = sample->spectrum;
    for (size_t m = item > 0 ? spectrum->log[item - 1].end : 0; m < spectrum->log[item].end; m++)
        if (spectrum->mark[m].feature != UNWANTED)
            count[spectrum->mark[m].feature] += weight;
}

/* Counts units by bucket, those of one fate or, FATES, all. */
static void count_units(const struct sample *sample, enum fate fate, uint32_t *count) {
    for (uint32_t b = 0; b < sample->block_count; b++) {
        uint32_t of_block = 0;
        for (size_t i = sample->block[b].first; i < sample->block[b].end; i++)
            if (fate == FATES || sample->fate[i] == fate) {
                add_item(sample, i, 1, count);
                of_block++;
            }
        add_item(sample, sample->block[b].end, of_block, count);
    }
}

/* Of the best cut of buckets first .. end - 1 from one side: failing^2 / all. */
static double best_of(const struct sample *sample, uint32_t first, uint32_t end, bool from_above) {
    uint64_t failing = 0, all = 0, units = sample->units[FAILS] + sample->units[PASSES];
    double best = 0;
    for (uint32_t i = first; i < end; i++) {
        uint32_t bucket = from_above ? first + (end - 1 - i) : i;
        failing += sample->count[FAILS][bucket];
        all += sample->count[FAILS][bucket] + sample->count[PASSES][bucket];
        double score = all > 0 && all < units ? (double)(failing * failing) / (double)all : 0;
        best = score > best ? score : best;
    }
    return best;
}

/* The greatest Ochiai of an arrangement, squared. */
static double greatest(struct sample *sample) {
    const struct tree__spectrum *spectrum = sample->spectrum;
    double best = 0;
    /* Counts the arrangement by bucket; the most frequent fate is what the others leave. */
    uint32_t buckets = sample->start[sample->spectrum->count];
    enum fate most = PASSES;
    for (enum fate fate = FAILS; fate < FATES; fate++)
        most = sample->units[fate] > sample->units[most] ? fate : most;
    memcpy(sample->count[most], sample->all, buckets * sizeof *sample->all);
    for (enum fate fate = 0; fate < FATES; fate++) {
        if (fate == most)
            continue;
        memset(sample->count[fate], 0, buckets * sizeof *sample->all);
        count_units(sample, fate, sample->count[fate]);
        for (uint32_t i = 0; i < buckets; i++)
            sample->count[most][i] -= sample->count[fate][i];
    }
    for (size_t f = 0; f < spectrum->count; f++) {
        enum tree__fold fold = spectrum->features[f].key.fold;
        uint32_t first = sample->start[f], end = sample->start[f + 1];
        if (fold != TREE__LEAST)
            best = fmax(best, best_of(sample, first, end, true));
        if (fold == TREE__LEAST || fold == TREE__ONLY)
            best = fmax(best, best_of(sample, first, end, false));
    }
    return best / (double)sample->units[FAILS];
}

/* Gives the units of a block the verdicts of another one. */
static void give(struct sample *sample, const struct block *to, const struct block *from, size_t place) {
    const struct tree__logged *log = sample->spectrum->log, *stopped = NULL;
    for (size_t i = to->first; i < to->end; i++) {
        bool is_absent = stopped && log[i].ending.sequence == stopped->ending.sequence;
        const struct tree__ending *verdict = &log[from->first + place].ending;
        sample->fate[i] = is_absent ? ABSENT : verdict->failed ? FAILS : PASSES;
        sample->units[sample->fate[i]]++;
        if (is_absent)
            continue;
        if (verdict->stops)
            stopped = &log[i];
        place = from->first + place + 1 < from->end ? place + 1 : 0;
    }
}

/* Another arrangement in which something fails and something passes; false if none was found. */
static bool exchange(struct sample *sample, struct cor_rng *rng) {
    for (int i = 0; i < TRIES; i++) {
        memset(sample->units, 0, sizeof sample->units);
        cor_rng_shuffle(rng, sample->order, sample->block_count);
        for (uint32_t b = 0; b < sample->block_count; b++) {
            const struct block *from = &sample->block[sample->order[b]];
            uint32_t place = cor_rng_below(rng, (uint32_t)(from->end - from->first));
            give(sample, &sample->block[b], from, place);
        }
        if (sample->units[FAILS] > 0 && sample->units[PASSES] > 0)
            return true;
    }
    return false;
}

enum cor_status tree__spectrum_permute(struct tree__spectrum *spectrum, const bool *wanted, uint32_t times,
                                       struct cor_rng *rng, double *share, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct sample sample;
    uint32_t as_high = 1;
    *share = NAN;
    sample = (struct sample){.spectrum = spectrum};
    sample.start = cor_calloc(spectrum->count + 1, sizeof *sample.start);
    sample.block = cor_calloc(spectrum->log_count, sizeof *sample.block);
    sample.fate = cor_calloc(spectrum->log_count, sizeof *sample.fate);
    if (!sample.start || !sample.block || !sample.fate)
        COR_TRY_OUT(cor_fail_memory(error));
    for (size_t f = 0; f < spectrum->count; f++)
        sample.start[f + 1] = sample.start[f] + (wanted[f] ? (uint32_t)spectrum->features[f].count : 0);
    uint32_t buckets = sample.start[spectrum->count];
    sample.all = cor_calloc(buckets, sizeof *sample.all);
    for (enum fate fate = 0; fate < FATES; fate++)
        sample.count[fate] = cor_calloc(buckets, sizeof(uint32_t));
    find_blocks(&sample);
    sample.order = cor_calloc(sample.block_count, sizeof *sample.order);
    if (!sample.all || !sample.count[PASSES] || !sample.count[FAILS] || !sample.count[ABSENT] ||
        !sample.order)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t b = 0; b < sample.block_count; b++)
        sample.order[b] = b;
    for (size_t m = 0; m < spectrum->mark_count; m++)
        spectrum->mark[m].feature = bucket_of(&sample, &spectrum->mark[m]);
    count_units(&sample, FATES, sample.all);
    if (sample.units[FAILS] == 0 || sample.units[PASSES] == 0)
        goto out;
    double found = greatest(&sample) * (1 - 1e-12); /* what is equal but for rounding is as high */
    for (uint32_t i = 0; i < times; i++)
        as_high += !exchange(&sample, rng) || greatest(&sample) >= found;
    *share = as_high / (times + 1.0);
out:
    COR_FREE(sample.block, sample.start, sample.all);
    for (enum fate fate = 0; fate < FATES; fate++)
        free(sample.count[fate]);
    COR_FREE(sample.fate, sample.order);
    return status;
}
