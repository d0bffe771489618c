/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a layer of testing writes down: tables, vectors and catalogs, as data. Record, journal, merge and
 * reading work from these alone, so a new layer brings its lists and no code (schema.h is the one of the
 * interaction layer). */
#ifndef CORRIDOR_LAYER_SCHEMA_H
#define CORRIDOR_LAYER_SCHEMA_H

#include <corridor/error.h>
#include <corridor/terms.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What a layer may have at most. Columns of a table are selected by the bits of one word. */
#define COR_TABLES_MAX 32
#define COR_VECTORS_MAX 16
#define COR_CATALOGS_MAX 16
#define COR_COLUMNS_MAX 64

/* Types of columns and of items of vectors: unsigned integers and reals, by their bits. */
enum cor_type { COR_TYPE_U8, COR_TYPE_U16, COR_TYPE_U32, COR_TYPE_U64, COR_TYPE_F32, COR_TYPE_F64 };

/* A column of a table, static. `unit`: "1" for a pure number or a key, "code" for a number with a word. */
struct cor_column {
    const char *name; /* as in the file: a trailing '_' of the C name is dropped */
    const char *unit;
    size_t offset; /* in the row struct */
    enum cor_type type;
    enum cor_family family; /* COR_FAMILY_NONE = not a code of terms.h */
    const char *meaning;
    uint32_t
        since; /* the minor version that brought it: older files are read as if every row held `missing` */
    double missing;
};

/* What a column of bytes may hold, as its meaning says: codes of its family, 0 only if it says "0 = ..."; 0
 * and 1 if it begins with "1 if ", 0 and the numbers it lists as "1: .., 2: ..". Any value of other columns.
 */
bool cor_column_holds(const struct cor_column *column, uint8_t value);

/* A table, static: rows of one struct, in the file a dataset for each column. */
struct cor_table_schema {
    const char *group;
    const struct cor_column *columns;
    uint32_t column_count;
    size_t row_size; /* bytes of the row struct, which begins with uint16_t arm, uint32_t suite */
    const char *meaning;
    uint32_t since; /* the minor version that brought it: older files have no rows of it. With since > 0 it is
                       in the file, and takes part in the fingerprint of the content, only if it has rows:
                       what does without it keeps its fingerprint */
    bool is_aside; /* it says how rows came about, in words of programs and places in memory, which may differ
                      from run to run: no part of what a result is compared by, but of what is sealed */
};

/* A vector, static: one list of items of one type for the rows of all suites; a column of a table says where
 * the items of a row begin. */
struct cor_vector_schema {
    const char *dataset;
    enum cor_type type;
    const char *meaning;
    uint32_t since; /* as of tables, but it is always in the file */
    bool is_aside;
};

/* What every row begins with, in any table of any layer; COR_TABLE_COLUMNS asserts it. */
struct cor_row_key {
    uint16_t arm;
    uint32_t suite;
};
#define COR_ROW_KEY_COLUMNS UINT64_C(3) /* bits of its columns, for reading them alone */

/* The key of a row of whatever table. */
static inline struct cor_row_key cor_row_key_of(const void *row) {
    struct cor_row_key key;
    memcpy(&key, row, sizeof key);
    return key;
}

/* Merging leaves suites in ascending order: whether those of key `a` lie before those of `b`. */
static inline bool cor_row_key_before(struct cor_row_key a, struct cor_row_key b) {
    return a.arm < b.arm || (a.arm == b.arm && a.suite < b.suite);
}

/* Whether two rows are of one suite of one arm. */
static inline bool cor_row_key_equal(struct cor_row_key a, struct cor_row_key b) {
    return a.arm == b.arm && a.suite == b.suite;
}

/* A group under /catalog: code, name and description of what rows name by number. */
struct cor_catalog_schema {
    const char *group, *meaning;
    uint32_t since; /* as of vectors */
};

/* A column that counts within a vector of its suite: merging shifts it. */
struct cor_offset_column {
    uint32_t table;
    size_t offset; /* of the column in the row struct; uint64_t */
    uint32_t vector;
};

/* Tables whose rows a property reads: of cases, and one that stands beside it; of conditions that were met in
 * a sequence, and of those that were looked for in a suite. */
enum cor_asked_table {
    COR_ASKED_CASES,
    COR_ASKED_BESIDE,
    COR_ASKED_MET,
    COR_ASKED_LOOKED_FOR,
    COR_ASKED_COUNT
};

/* How rows of a sequence become its cases, by names of columns, static. Those of the table beside that are
 * not 0 if something is so: NULL where it never is. */
struct cor_ending_source {
    const char *sequence; /* key of rows; NULL: a suite is one */
    const char *number;   /* of a case, and of that in which a condition was met; several rows may have one */
    const char *verdict;  /* beside: it failed if that is */
    uint8_t failed;       /* this code */
    const char *failed_case; /* beside: in which it failed; 0: the last */
    const char *cut, *open;  /* beside: something cut the sequence; a verdict was not told */
    const char *whole;       /* of a case: it was over before that; NULL: all but the last were */
    const char *const *ways; /* columns beside that say how it failed, and stand in the case of that; */
    const char *const *all;  /* and such as are true of all its cases. Both ended by NULL; NULL: none */
    const char *length;      /* among these: it is the experiment's `limit` at most; NULL: none is */
    size_t cut_rows;         /* of cases, if the layer itself cut the sequence: so many at least; 0: never */
    uint32_t states;         /* catalog of conditions that columns "state" and "state_unknown" of a case have
                                bits of; 0: none */
    const char *lawful;      /* what is done where the law of what is drawn is none */
};

/* What a property may ask of the sequences of a layer (analysis/property), static: columns of the table with
 * a row a case, and of one that stands beside it. */
struct cor_property_source {
    const char *of, *one;            /* what has these columns, for people: "schedules", "schedule" */
    const char *drawn;               /* what is drawn for each, in the plural */
    const char *cut_by, *cut_remedy; /* what ends some before their time, and what is done then */
    uint32_t tables[COR_ASKED_COUNT];
    const char *const
        *own; /* columns that are read as users mean them, ended by NULL; the last is "failed" */
    const char *const *of_cases; /* columns of the table of cases that may be asked, likewise; NULL: all */
    uint32_t conditions; /* catalog whose names are true in the case in which they were met first; 0: none */
    const struct cor_ending_source *ending; /* the table beside has a row a sequence. NULL: it has one for
                                               some cases, and what is violated has rows of its own */
    const char *limit; /* member of the experiment, its arms or tests: cases that a sequence has at most, */
    uint32_t usual;    /* where nothing says it; 0: no number */
    const char *log; /* member of the experiment by which cases of some sequences are not kept; NULL: none */
    const char *const *log_words; /* of it, ended by NULL: cases of all are; NULL: where it is not true */
    const char *inputs; /* how one names numbers that vary from suite to suite (explored.h); NULL: none can */
    const char *instead; /* what is asked where there is no such column; NULL: one that is called alike */
    bool is_kept; /* a sequence that violates a property can be a test of that; else of a failure alone */
};

/* A layer as a whole, static. Tables, vectors and catalogs are named everywhere by their indices here. Rooms
 * that may not see the layers of experiments/layers find the words of a layer here. */
struct cor_layer_schema {
    const char *name;        /* "interaction": that of struct cor_layer, and the folder */
    const char *holds;       /* what its files hold, for people: "campaigns of algorithms" */
    const char *view;        /* the view that shows what was found */
    const char *format;      /* attribute of the file by which a reader knows the layer */
    const char *suites;      /* member of the experiment that says how many suites an arm has */
    uint32_t suites_default; /* suites where the experiment does not say it */
    uint32_t suites_catalog; /* an arm has so many for each entry of that catalog; 0: it stands alone */
    const char *suites_list; /* member of the experiment that lists which of them; NULL, or not there: all */
    bool names_once;   /* no two entries of a catalog have one name, as no two arms have: views and SQL */
    uint32_t twins_of; /* tell them by name; but for this catalog; 0: for none */
    uint32_t major, minor;
    const char *main_table; /* "/cases": what viewers show first */
    const struct cor_table_schema *tables;
    const struct cor_vector_schema *vectors;
    const struct cor_catalog_schema *catalogs; /* the first are the arms */
    const struct cor_offset_column *offsets;
    uint32_t table_count, vector_count, catalog_count, offset_count;
    const struct cor_property_source *asked; /* NULL: properties are asked of none of its sequences, */
    const char *unasked;                     /* for this reason; NULL: there are none */
};

/* The layers of testing that are in this build, COR_LAYERS(X) of built.h: each has a cor_<word>_schema, in
 * a header of its own, a cor_<word>_layer in a folder of experiments/layers, verdicts in analysis/views and
 * a page in analysis/report. The first also answers for files that no layer knows. */
/* By their formats files of satellites are known in a build without them, too. */
#define COR_agent_FORMAT_NAME "corridor-agent-campaign"
#define COR_efsm_FORMAT_NAME "corridor-model-campaign"
#define COR_system_FORMAT_NAME "corridor-system-campaign"
#define COR_process_FORMAT_NAME "corridor-process-campaign"

/* The column of that name; NULL: there is none. */
const struct cor_column *cor_table_column(const struct cor_table_schema *table, const char *name);

/* The catalog whose codes a column holds, as its meaning says: "code in catalog/NAME"; catalog_count: none.
 */
uint32_t cor_column_catalog(const struct cor_layer_schema *layer, const struct cor_column *column);

/* The vector of bytes in which the text lies of which column `index` says where it begins; the column behind
 * it, a uint32_t called like it with "bytes" for "start", says how many it has. vector_count: none. */
uint32_t cor_column_text(const struct cor_layer_schema *layer, uint32_t table, uint32_t index);

/* Whether the meaning of a column says what 0 stands for, which then is no code. */
bool cor_column_explains_zero(const struct cor_column *column);

/* All layers that result files can be of, ended by NULL. */
const struct cor_layer_schema *const *cor_layer_schemas(void);

/* Bytes of a value of that type. */
static inline size_t cor_type_size(enum cor_type type) {
    COR_ASSERT((int)type >= 0 && type <= COR_TYPE_F64);
    return type == COR_TYPE_U8                            ? 1
           : type == COR_TYPE_U16                         ? 2
           : type == COR_TYPE_U32 || type == COR_TYPE_F32 ? 4
                                                          : 8;
}

/* What a column of a row holds, of integers: the low byte is first, as schema.c asserts. */
static inline uint64_t cor_column_integer(const struct cor_column *column, const void *row) {
    uint64_t integer = 0;
    COR_ASSERT(column->type <= COR_TYPE_U64);
    memcpy(&integer, (const unsigned char *)row + column->offset, cor_type_size(column->type));
    return integer;
}

/* The same as a real, of any column. */
static inline double cor_column_real(const struct cor_column *column, const void *row) {
    const unsigned char *at = (const unsigned char *)row + column->offset;
    float single;
    double real;
    if (column->type == COR_TYPE_F32) {
        memcpy(&single, at, sizeof single);
        return (double)single;
    }
    if (column->type != COR_TYPE_F64)
        return (double)cor_column_integer(column, row);
    memcpy(&real, at, sizeof real);
    return real;
}

/* What every row begins with. */
#define COR_SUITE_KEYS(X, R)                                   \
    X(R, uint16_t, arm, "1", NONE, "arm, code in catalog/arm") \
    X(R, uint32_t, suite, "1", NONE, "suite within its arm")

/* From lists to these structs. A table's list of columns is X(R, C type, column, unit, family, meaning[,
 * since[, missing]])...; R is the row struct. */
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
#define COR_KEYWORD_class_ ~, "class"
#define COR_SECOND_OF(first, second, ...) second
#define COR_SECOND(...) COR_SECOND_OF(__VA_ARGS__, ~)
#define COR_FILE_NAME(column) COR_SECOND(COR_KEYWORD_##column, #column)

#define COR_ROW_FIELD(R, type, column, ...) type column;
#define COR_ROW_STRUCT(name, columns)  \
    struct cor_##name##_row {          \
        columns(COR_ROW_FIELD, unused) \
    };
#define COR_COLUMN(R, c_type, column, its_unit, its_family, ...) \
    {.name = COR_FILE_NAME(column),                              \
     .unit = its_unit,                                           \
     .offset = offsetof(R, column),                              \
     .type = COR_TYPE_OF(c_type),                                \
     .family = COR_FAMILY_##its_family,                          \
     .meaning = __VA_ARGS__},
#define COR_TABLE_COLUMNS(name, columns)                                                              \
    static const struct cor_column name##_columns[] = {columns(COR_COLUMN, struct cor_##name##_row)}; \
    _Static_assert(offsetof(struct cor_##name##_row, arm) == offsetof(struct cor_row_key, arm),       \
                   "a row begins with its arm");                                                      \
    _Static_assert(offsetof(struct cor_##name##_row, suite) == offsetof(struct cor_row_key, suite),   \
                   "then comes its suite");                                                           \
    _Static_assert(sizeof name##_columns / sizeof *name##_columns <= COR_COLUMNS_MAX, "too many columns");
#define COR_TABLE_SCHEMA(its_group, name, ...)                       \
    {.group = its_group,                                             \
     .columns = name##_columns,                                      \
     .column_count = sizeof name##_columns / sizeof *name##_columns, \
     .row_size = sizeof(struct cor_##name##_row),                    \
     .meaning = __VA_ARGS__},
#define COR_VECTOR_SCHEMA(its_dataset, c_type, ...) \
    {.dataset = its_dataset, .type = COR_TYPE_OF(c_type), .meaning = __VA_ARGS__},

/* From the lists of a layer, X(L, NAME, ..), to their numbers, row structs and schemas; L is what stands
 * before the names. The numbers are an enum of that name. */
#define COR_EACH_NUMBER(L, NAME, ...) L##NAME,
#define COR_NUMBERS(name, LIST, L) enum cor_##name{LIST(COR_EACH_NUMBER, L) L##COUNT};
#define COR_EACH_STRUCT(L, TABLE, group, name, columns, ...) COR_ROW_STRUCT(name, columns)
#define COR_EACH_COLUMNS(L, TABLE, group, name, columns, ...) COR_TABLE_COLUMNS(name, columns)
#define COR_EACH_TABLE(L, TABLE, group, name, columns, ...) COR_TABLE_SCHEMA(group, name, __VA_ARGS__)
#define COR_EACH_VECTOR(L, VECTOR, dataset, type, ...) COR_VECTOR_SCHEMA(dataset, type, __VA_ARGS__)
#define COR_EACH_CATALOG(L, CATALOG, ...) {__VA_ARGS__},

/* The minor version of a layer is the last in which anything of its lists is new (`since`, below 64): a bit
 * for each. */
#define COR_SINCE_OF(meaning, since, ...) since
#define COR_SINCE(...) | UINT64_C(1) << COR_SINCE_OF(__VA_ARGS__, 0, 0)
#define COR_COLUMN_SINCE(R, c_type, column, its_unit, its_family, ...) COR_SINCE(__VA_ARGS__)
#define COR_TABLE_SINCE(L, TABLE, group, name, columns, ...) \
    COR_SINCE(__VA_ARGS__) columns(COR_COLUMN_SINCE, unused)
#define COR_VECTOR_SINCE(L, VECTOR, dataset, type, ...) COR_SINCE(__VA_ARGS__)
#define COR_CATALOG_SINCE(L, CATALOG, group, ...) COR_SINCE(__VA_ARGS__)
#define COR_LAYER_MINOR(L)                                                                 \
    (63 - (uint32_t)__builtin_clzll(UINT64_C(1) L##TABLES(COR_TABLE_SINCE, )               \
                                        L##VECTORS(COR_VECTOR_SINCE, ) L##CATALOGS(COR_CATALOG_SINCE, )))

#define COR_LAYER_FITS(L)                                                                    \
    _Static_assert(L##TABLE_COUNT <= COR_TABLES_MAX && L##VECTOR_COUNT <= COR_VECTORS_MAX && \
                       L##CATALOG_COUNT <= COR_CATALOGS_MAX && L##CATALOG_ARM == 0,          \
                   "the layer fits, and its first catalog is that of the arms");
#define COR_LAYER_LISTS(L) /* members of its schema, from arrays that are called so */                    \
    .tables = tables, .table_count = L##TABLE_COUNT, .vectors = vectors, .vector_count = L##VECTOR_COUNT, \
    .catalogs = catalogs, .catalog_count = L##CATALOG_COUNT, .offsets = offsets,                          \
    .offset_count = sizeof offsets / sizeof *offsets

#endif
