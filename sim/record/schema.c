/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/schema.h>
#include <corridor/status.h>

#include "schema_json.h"

#include <corridor/hash.h>

/* Result files and journals hold columns as they lie in memory. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "journals are little-endian, and so must be the machine");
_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "columns hold IEEE 754 numbers");

#define COR_TYPE_OF(type)             \
    _Generic((type)0, uint8_t         \
             : COR_TYPE_U8, uint16_t  \
             : COR_TYPE_U16, uint32_t \
             : COR_TYPE_U32, uint64_t \
             : COR_TYPE_U64, float    \
             : COR_TYPE_F32, double   \
             : COR_TYPE_F64)

/* The name of a column in the file. A column whose name is a keyword of C has a '_' behind it in the row
 * struct and an entry COR_KEYWORD_<name> here: a comma in it shifts the wanted name into second place. */
#define COR_KEYWORD_case_ ~, "case"
#define COR_SECOND_OF(first, second, ...) second
#define COR_SECOND(...) COR_SECOND_OF(__VA_ARGS__, ~)
#define COR_FILE_NAME(column) COR_SECOND(COR_KEYWORD_##column, #column)

/* The columns of each table. ROW is redefined before each list, as a list cannot pass the name of its table
 * on. */
#define COR_COLUMN(type, column, unit, family, meaning) \
    {COR_FILE_NAME(column), unit, meaning, offsetof(ROW, column), COR_TYPE_OF(type), COR_FAMILY_##family},
#define ROW struct cor_suite_row
static const struct cor_column suite_columns[] = {COR_SUITE_COLUMNS(COR_COLUMN)};
#undef ROW
#define ROW struct cor_parameter_row
static const struct cor_column parameter_columns[] = {COR_PARAMETER_COLUMNS(COR_COLUMN)};
#undef ROW
#define ROW struct cor_agent_row
static const struct cor_column agent_columns[] = {COR_AGENT_COLUMNS(COR_COLUMN)};
#undef ROW
#define ROW struct cor_group_row
static const struct cor_column group_columns[] = {COR_GROUP_COLUMNS(COR_COLUMN)};
#undef ROW
#define ROW struct cor_chain_row
static const struct cor_column chain_columns[] = {COR_CHAIN_COLUMNS(COR_COLUMN)};
#undef ROW
#define ROW struct cor_profile_row
static const struct cor_column profile_columns[] = {COR_PROFILE_COLUMNS(COR_COLUMN)};
#undef ROW
#define ROW struct cor_visit_row
static const struct cor_column visit_columns[] = {COR_VISIT_COLUMNS(COR_COLUMN)};
#undef ROW
#define ROW struct cor_transition_row
static const struct cor_column transition_columns[] = {COR_TRANSITION_COLUMNS(COR_COLUMN)};
#undef ROW
#define ROW struct cor_sequence_row
static const struct cor_column sequence_columns[] = {COR_SEQUENCE_COLUMNS(COR_COLUMN)};
#undef ROW
#define ROW struct cor_case_row
static const struct cor_column case_columns[] = {COR_CASE_COLUMNS(COR_COLUMN)};
#undef ROW
#define ROW struct cor_reorganization_row
static const struct cor_column reorganization_columns[] = {COR_REORGANIZATION_COLUMNS(COR_COLUMN)};
#undef ROW
#define ROW struct cor_failure_row
static const struct cor_column failure_columns[] = {COR_FAILURE_COLUMNS(COR_COLUMN)};
#undef ROW
#define ROW struct cor_violation_row
static const struct cor_column violation_columns[] = {COR_VIOLATION_COLUMNS(COR_COLUMN)};
#undef ROW
#define ROW struct cor_counter_row
static const struct cor_column counter_columns[] = {COR_COUNTER_COLUMNS(COR_COLUMN)};
#undef ROW
#define ROW struct cor_branch_row
static const struct cor_column branch_columns[] = {COR_BRANCH_COLUMNS(COR_COLUMN)};
#undef ROW

/* cor_record_row fills the first two columns of any table; reading selects columns by the bits of one word.
 */
#define COR_TABLE(TABLE, group, name, columns, meaning)                                       \
    _Static_assert(offsetof(struct cor_##name##_row, arm) == 0, "a row begins with its arm"); \
    _Static_assert(offsetof(struct cor_##name##_row, suite) == 4, "then comes its suite");    \
    _Static_assert(sizeof name##_columns / sizeof *name##_columns <= 64, "columns fit into 64 bits");
COR_TABLES(COR_TABLE)
#undef COR_TABLE

const struct cor_table_schema *cor_schema(enum cor_table table) {
    static const struct cor_table_schema schemas[COR_TABLE_COUNT] = {
#define COR_TABLE(TABLE, group, name, columns, meaning)                              \
    {group, meaning, name##_columns, sizeof name##_columns / sizeof *name##_columns, \
     sizeof(struct cor_##name##_row)},
        COR_TABLES(COR_TABLE)
#undef COR_TABLE
    };
    COR_ASSERT((int)table >= 0 && table < COR_TABLE_COUNT);
    return &schemas[table];
}

uint32_t cor__table_since(enum cor_table table) {
    return table < COR_TABLE_BRANCHES ? 0 : 1;
}

const struct cor_vector_schema *cor_vector(enum cor_vector vector) {
    static const struct cor_vector_schema schemas[COR_VECTOR_COUNT] = {
#define COR_VECTOR(VECTOR, dataset, type, meaning) {dataset, meaning, COR_TYPE_OF(type)},
        COR_VECTORS(COR_VECTOR)
#undef COR_VECTOR
    };
    COR_ASSERT((int)vector >= 0 && vector < COR_VECTOR_COUNT);
    return &schemas[vector];
}

const char *cor_catalog_group(enum cor_catalog catalog) {
    static const char *const groups[COR_CATALOG_COUNT] = {
#define COR_CATALOG(CATALOG, group, meaning) group,
        COR_CATALOGS(COR_CATALOG)
#undef COR_CATALOG
    };
    COR_ASSERT((int)catalog >= 0 && catalog < COR_CATALOG_COUNT);
    return groups[catalog];
}

const char *cor_catalog_meaning(enum cor_catalog catalog) {
    static const char *const meanings[COR_CATALOG_COUNT] = {
#define COR_CATALOG(CATALOG, group, meaning) meaning,
        COR_CATALOGS(COR_CATALOG)
#undef COR_CATALOG
    };
    COR_ASSERT((int)catalog >= 0 && catalog < COR_CATALOG_COUNT);
    return meanings[catalog];
}

size_t cor_type_size(enum cor_type type) {
    static const size_t sizes[] = {
        [COR_TYPE_U8] = 1,  [COR_TYPE_U16] = 2, [COR_TYPE_U32] = 4,
        [COR_TYPE_U64] = 8, [COR_TYPE_F32] = 4, [COR_TYPE_F64] = 8,
    };
    COR_ASSERT((int)type >= 0 && type <= COR_TYPE_F64);
    return sizes[type];
}

const char *cor__type_word(enum cor_type type) {
    static const char *const words[] = {
        [COR_TYPE_U8] = "uint8",   [COR_TYPE_U16] = "uint16",  [COR_TYPE_U32] = "uint32",
        [COR_TYPE_U64] = "uint64", [COR_TYPE_F32] = "float32", [COR_TYPE_F64] = "float64",
    };
    COR_ASSERT((int)type >= 0 && type <= COR_TYPE_F64);
    return words[type];
}

static uint64_t hash_text(uint64_t hash, const char *text) {
    return cor_hash_bytes(hash, text, strlen(text));
}

uint64_t cor__schema_hash(void) {
    uint64_t hash = COR_HASH_SEED;
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++) {
        const struct cor_table_schema *schema = cor_schema(t);
        hash = hash_text(hash, schema->group);
        for (uint32_t c = 0; c < schema->column_count; c++) {
            hash = hash_text(hash, schema->columns[c].name);
            hash = hash_text(hash, cor__type_word(schema->columns[c].type));
        }
    }
    for (enum cor_vector v = 0; v < COR_VECTOR_COUNT; v++) {
        hash = hash_text(hash, cor_vector(v)->dataset);
        hash = hash_text(hash, cor__type_word(cor_vector(v)->type));
    }
    return hash;
}
