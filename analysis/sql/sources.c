/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of a layer, catalogs, vectors and the head as virtual tables: rows are read by thousands, of the
 * columns that a question asks for alone. Rows of a table lie by arm and suite, so what is asked of one arm,
 * or of one suite of it, is found at once: that makes joins by these keys fast. */
#include "sources.h"

#include <corridor/array.h>
#include <corridor/export.h>
#include <corridor/query.h>
#include <corridor/row_cells.h>
#include <corridor/schema.h>

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ROWS SQL__STEPS_OF_A_READ /* read at a time, of a table or a vector */

/* Where the rows of a suite begin. */
struct suite_start {
    struct cor_row_key key;
    uint64_t first;
};

struct table {
    sqlite3_vtab base; /* first: SQLite's */
    struct sql__file *file;
    struct cor_export_source source;
    struct cor_row_cells *cells; /* owned; of tables of the schema */
    const struct cor_row_column *columns;
    uint32_t column_count;
    uint64_t size;              /* rows */
    struct suite_start *starts; /* owned, in the file's order; NULL: not looked for yet */
    size_t start_count;
};

struct cursor {
    sqlite3_vtab_cursor base; /* first: SQLite's */
    uint64_t mask;            /* columns of the schema that are read */
    uint64_t at, end;         /* this row, and behind the last one */
    uint64_t first, count;    /* rows that lie in memory, */
    uint64_t held;            /* with these columns */
    unsigned char *rows;      /* owned */
    const unsigned char *row; /* the one that was looked at last; NULL: none, */
    uint64_t row_at;          /* and which it is */
};

static const struct cor_result_header *head_of(const struct table *table) {
    return cor_result_head(table->file->result);
}

/* The status as a code of SQLite, which then says no more than that. */
static int code_of(enum cor_status status) {
    return status == COR_OK ? SQLITE_OK : status == COR_STATUS_MEMORY ? SQLITE_NOMEM : SQLITE_ERROR;
}

/* ---- what a table is */

static const char *type_of(const struct table *table, const struct cor_row_column *column) {
    if (!column->schema || column->is_text || cor_row_is_fingerprint(column) ||
        cor_row_is_code(table->cells, column))
        return "TEXT";
    return column->schema->type >= COR_TYPE_F32 ? "REAL" : "INTEGER";
}

/* The declaration of its columns; NULL: no memory. */
static char *declare(const struct table *table) {
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendall(text, "CREATE TABLE x(");
    switch (table->source.kind) {
    case COR_EXPORT_OF_TABLE:
        for (uint32_t c = 0; c < table->column_count; c++)
            sqlite3_str_appendf(text, "%s\"%w\" %s%s", c > 0 ? ", " : "", table->columns[c].name,
                                type_of(table, &table->columns[c]),
                                table->columns[c].is_hidden ? " HIDDEN" : "");
        break;
    case COR_EXPORT_OF_CATALOG:
        sqlite3_str_appendall(text, "code INTEGER, name TEXT, description TEXT");
        break;
    case COR_EXPORT_OF_VECTOR:
        sqlite3_str_appendf(
            text, "\"%w\" %s", head_of(table)->layer->vectors[table->source.number].dataset,
            head_of(table)->layer->vectors[table->source.number].type >= COR_TYPE_F32 ? "REAL" : "INTEGER");
        break;
    case COR_EXPORT_OF_HEAD:
        sqlite3_str_appendall(text, "name TEXT, text TEXT");
        break;
    }
    sqlite3_str_appendall(text, ")");
    return sqlite3_str_finish(text);
}

static void destroy(struct table *table) {
    cor_row_cells_destroy(table->cells);
    COR_FREE(table->starts, table);
}

static int disconnect(sqlite3_vtab *base) {
    destroy((struct table *)base);
    return SQLITE_OK;
}

/* words[3]: the number of the source. */
static int connect(sqlite3 *sqlite, void *file, int count, const char *const *words, sqlite3_vtab **base,
                   char **message) {
    (void)count;
    (void)message;
    struct table *table = cor_calloc(1, sizeof *table);
    if (!table)
        return code_of(cor_fail_memory(((struct sql__file *)file)->error));
    table->file = file;
    table->source = cor_export_source(head_of(table)->layer, strtoul(words[3], NULL, 10));
    table->size = cor_export_rows(table->file->result, &table->source);
    enum cor_status status = COR_OK;
    if (table->source.kind == COR_EXPORT_OF_TABLE) {
        status = cor_row_cells_create(table->file->result, table->source.number, table->file->is_raw,
                                      &table->cells, table->file->error);
        table->column_count = status == COR_OK ? cor_row_columns(table->cells, &table->columns) : 0;
    }
    char *text = status == COR_OK ? declare(table) : NULL;
    const int code = status != COR_OK ? code_of(status)
                     : text           ? sqlite3_declare_vtab(sqlite, text)
                                      : SQLITE_NOMEM;
    sqlite3_free(text);
    if (code != SQLITE_OK) {
        destroy(table);
        return code;
    }
    *base = &table->base;
    return SQLITE_OK;
}

/* ---- which rows, and what of them */

/* Keys that a question gives, as bits of idxNum; BY_ROW without the others. IN_ORDER: rows have to lie by arm
 * and suite, as they do in what was not damaged. */
enum { BY_ARM = 1, BY_SUITE = 2, BY_ROW = 4, IN_ORDER = 8 };

/* Whether rows that are to be grouped by arm, or by arm and suite, lie together: two arms that may have one
 * name lie apart. */
static bool are_together(const struct table *table, sqlite3_index_info *plan) {
    const struct cor_result_header *head = head_of(table);
    const int wanted = sqlite3_vtab_distinct(plan);
    if (table->source.kind != COR_EXPORT_OF_TABLE || (wanted != 1 && wanted != 2) || plan->nOrderBy > 2)
        return false;
    for (int i = 0; i < plan->nOrderBy; i++)
        if (plan->aOrderBy[i].iColumn != i)
            return false;
    for (size_t a = 0; a < head->catalog_size[0]; a++) {
        if (isdigit((unsigned char)head->catalog[0][a].name[0])) /* as a code without a name is */
            return false;
        for (size_t b = 0; b < a; b++)
            if (strcmp(head->catalog[0][a].name, head->catalog[0][b].name) == 0)
                return false;
    }
    return true;
}

static int choose_plan(sqlite3_vtab *base, sqlite3_index_info *plan) {
    struct table *table = (struct table *)base;
    int by[2] = {-1, -1}, row = -1; /* constraints: the arm is column 0, the suite column 1 */
    double rows = (double)table->size;
    for (int i = 0; i < plan->nConstraint; i++) {
        const struct sqlite3_index_constraint *it = &plan->aConstraint[i];
        if (it->op != SQLITE_INDEX_CONSTRAINT_EQ || !it->usable)
            continue;
        if (it->iColumn == -1)
            row = i;
        else if (table->source.kind == COR_EXPORT_OF_TABLE && it->iColumn < 2 &&
                 strcasecmp(sqlite3_vtab_collation(plan, i), "BINARY") == 0) /* no other names are alike */
            by[it->iColumn] = i;
    }
    plan->idxNum = 0;
    if (row >= 0) {
        plan->aConstraintUsage[row].argvIndex = 1;
        plan->idxNum = BY_ROW;
        rows = 1;
    } else if (by[0] >= 0) {
        plan->aConstraintUsage[by[0]].argvIndex = 1;
        plan->idxNum = BY_ARM;
        rows /= 8;
        if (by[1] >= 0) {
            plan->aConstraintUsage[by[1]].argvIndex = 2;
            plan->idxNum |= BY_SUITE;
            rows /= 100;
        }
    }
    if (plan->nOrderBy == 1 && plan->aOrderBy[0].iColumn == -1)
        plan->orderByConsumed = !plan->aOrderBy[0].desc;
    else if (plan->nOrderBy > 0 && are_together(table, plan)) {
        plan->orderByConsumed = true;
        plan->idxNum |= IN_ORDER;
    }
    /* Columns that are asked for, as bits of the schema's: SQLite counts those from the 64th on as one. */
    uint64_t mask = 0;
    for (uint32_t c = 0; c < table->column_count; c++)
        mask |= plan->colUsed >> (c < 63 ? c : 63) & 1 ? table->columns[c].reads : 0;
    plan->idxStr = sqlite3_mprintf("%llx", (unsigned long long)mask);
    plan->needToFreeIdxStr = 1;
    plan->estimatedRows = (sqlite3_int64)rows + 1;
    plan->estimatedCost = 10 + rows;
    return plan->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

/* A row, or an item, of what is in memory; NULL: it is to be read. */
static const unsigned char *kept_row(const struct table *table, uint64_t at) {
    const struct cor_layer_tables *tables = table->file->tables;
    const uint32_t number = table->source.number;
    const struct cor_layer_schema *layer = head_of(table)->layer;
    if (!tables)
        return NULL;
    if (table->source.kind == COR_EXPORT_OF_TABLE)
        return tables->rows[number]
                   ? (const unsigned char *)tables->rows[number] + at * layer->tables[number].row_size
                   : NULL;
    return tables->items[number] ? (const unsigned char *)tables->items[number] +
                                       at * cor_type_size(layer->vectors[number].type)
                                 : NULL;
}

/* Where each suite's rows begin, by one pass over the keys. */
static enum cor_status find_starts(struct table *table, struct cor_error *error) {
    const size_t bytes = head_of(table)->layer->tables[table->source.number].row_size;
    enum cor_status status = COR_OK;
    size_t capacity = 0;
    unsigned char *rows = cor_calloc(ROWS, bytes);
    COR_TRY(cor_made(rows, error));
    for (uint64_t first = 0; first < table->size; first += ROWS) {
        const uint64_t count = table->size - first < ROWS ? table->size - first : ROWS;
        const unsigned char *read = kept_row(table, first);
        if (!read) {
            read = rows;
            COR_TRY_OUT(cor_result_read_columns(table->file->result, table->source.number,
                                                COR_ROW_KEY_COLUMNS, first, count, rows, error));
        }
        for (uint64_t i = 0; i < count; i++) {
            const struct cor_row_key key = cor_row_key_of(read + i * bytes);
            const struct cor_row_key *last =
                table->starts ? &table->starts[table->start_count - 1].key : NULL;
            if (last && cor_row_key_equal(*last, key))
                continue;
            if (last && cor_row_key_before(key, *last)) {
                status =
                    cor_fail(error, COR_STATUS_INPUT, NULL, "take another copy, or run the experiment again",
                             "%s, row %" PRIu64 ": arm %u, suite %" PRIu32 " is out of order",
                             table->source.name, first + i, key.arm, key.suite);
                goto out;
            }
            COR_TRY_OUT(COR_RESERVE(&table->starts, &capacity, table->start_count + 1, error));
            table->starts[table->start_count++] = (struct suite_start){key, first + i};
        }
    }
out:
    free(rows);
    if (status != COR_OK) { /* a part of them would hide rows */
        free(table->starts);
        table->starts = NULL;
        table->start_count = 0;
    }
    return status;
}

/* The first start that does not lie before the key. */
static size_t start_of(const struct table *table, struct cor_row_key key) {
    size_t low = 0, high = table->start_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (cor_row_key_before(table->starts[middle].key, key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Bounds the rows by arm, and by suite. What is no name of an arm, and no number of a suite, has none. */
static void bound_rows(const struct table *table, struct cursor *cursor, int by, sqlite3_value **values) {
    const struct cor_result_header *head = head_of(table);
    const char *word = (const char *)sqlite3_value_text(values[0]);
    size_t entry = head->catalog_size[0];
    for (size_t i = 0; word && i < head->catalog_size[0]; i++) {
        if (strcmp(head->catalog[0][i].name, word) != 0)
            continue;
        if (entry < head->catalog_size[0]) /* two of that name: SQLite looks at all rows */
            return;
        entry = i;
    }
    if (entry == head->catalog_size[0] && word && isdigit((unsigned char)word[0]))
        return; /* a code that has no name is its number */
    cursor->end = cursor->at;
    if (entry == head->catalog_size[0])
        return;
    struct cor_row_key low = {head->catalog[0][entry].code, 0}, high = {low.arm, UINT32_MAX};
    if (by & BY_SUITE) {
        const double suite = sqlite3_value_double(values[1]);
        if (sqlite3_value_numeric_type(values[1]) == SQLITE_TEXT || !(suite >= 0 && suite < UINT32_MAX) ||
            suite != floor(suite))
            return;
        low.suite = (uint32_t)suite;
        high.suite = low.suite + 1;
    }
    const size_t from = start_of(table, low), to = start_of(table, high);
    cursor->at = from < table->start_count ? table->starts[from].first : table->size;
    cursor->end = to < table->start_count ? table->starts[to].first : table->size;
}

static int filter(sqlite3_vtab_cursor *base, int by, const char *mask, int count, sqlite3_value **values) {
    struct cursor *cursor = (struct cursor *)base;
    struct table *table = (struct table *)base->pVtab;
    (void)count;
    cursor->mask = strtoull(mask, NULL, 16);
    cursor->row = NULL; /* of other columns */
    cursor->at = 0;
    cursor->end = table->size;
    if (by & BY_ROW) {
        const double row = sqlite3_value_double(values[0]);
        cursor->end = cursor->at;
        if (row >= 0 && row < (double)table->size && row == floor(row)) {
            cursor->at = (uint64_t)row;
            cursor->end = cursor->at + 1;
        }
        return SQLITE_OK;
    }
    enum cor_status status = COR_OK;
    if (by & (BY_ARM | IN_ORDER) && !table->starts)
        status = find_starts(table, table->file->error);
    if (status == COR_OK && by & BY_ARM)
        bound_rows(table, cursor, by, values);
    return code_of(status);
}

/* ---- row by row */

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **made) {
    struct cursor *cursor = cor_calloc(1, sizeof *cursor);
    *made = cursor ? &cursor->base : NULL;
    return code_of(cor_made(cursor, ((struct table *)base)->file->error));
}

static int close_cursor(sqlite3_vtab_cursor *base) {
    COR_FREE(((struct cursor *)base)->rows, base);
    return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *base) {
    ((struct cursor *)base)->at++;
    return SQLITE_OK;
}

static int is_over(sqlite3_vtab_cursor *base) {
    const struct cursor *cursor = (const struct cursor *)base;
    return cursor->at >= cursor->end;
}

static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *number) {
    *number = (sqlite3_int64)((struct cursor *)base)->at;
    return SQLITE_OK;
}

/* The row in memory: the same rows stay there as long as the same is asked of them. */
static enum cor_status hold_row(struct table *table, struct cursor *cursor, const unsigned char **row,
                                struct cor_error *error) {
    if (cursor->row && cursor->row_at == cursor->at) {
        *row = cursor->row;
        return COR_OK;
    }
    const bool is_table = table->source.kind == COR_EXPORT_OF_TABLE;
    const struct cor_layer_schema *layer = head_of(table)->layer;
    const uint32_t number = table->source.number;
    const size_t bytes =
        is_table ? layer->tables[number].row_size : cor_type_size(layer->vectors[number].type);
    cursor->row_at = cursor->at;
    if ((cursor->row = *row = kept_row(table, cursor->at)) != NULL)
        return COR_OK;
    if (cursor->at < cursor->first || cursor->at - cursor->first >= cursor->count ||
        (cursor->mask & ~cursor->held) != 0) {
        const uint64_t left = cursor->end - cursor->at;
        const uint64_t count = left < ROWS ? left : ROWS;
        if (!cursor->rows)
            COR_TRY(cor_made(cursor->rows = cor_calloc(ROWS, bytes), error));
        cursor->count = 0;
        COR_TRY(is_table ? cor_result_read_columns(table->file->result, number, cursor->mask, cursor->at,
                                                   count, cursor->rows, error)
                         : cor_result_read_vector(table->file->result, number, cursor->at, count,
                                                  cursor->rows, error));
        table->file->reads++;
        cursor->first = cursor->at;
        cursor->count = count;
        cursor->held = cursor->mask;
    }
    cursor->row = *row = cursor->rows + (cursor->at - cursor->first) * bytes;
    return COR_OK;
}

/* A count that SQLite's integers cannot hold is its digits. */
static void say_count(sqlite3_context *context, uint64_t count) {
    char text[32];
    if (count <= INT64_MAX) {
        sqlite3_result_int64(context, (sqlite3_int64)count);
        return;
    }
    snprintf(text, sizeof text, "%" PRIu64, count);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void say_fingerprint(sqlite3_context *context, uint64_t fingerprint) {
    char text[32];
    snprintf(text, sizeof text, "0x%016" PRIx64, fingerprint);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static enum cor_status say_cell(struct table *table, struct cursor *cursor, sqlite3_context *context,
                                int column, struct cor_error *error) {
    const unsigned char *row;
    struct cor_row_cell cell;
    COR_TRY(hold_row(table, cursor, &row, error));
    COR_TRY(cor_row_cell(table->cells, (uint32_t)column, row, &cell, error));
    if (cell.kind == COR_ROW_REAL)
        sqlite3_result_double(context, table->file->only /* NaN: NULL */
                                           ? cell.real
                                           : cor_row_written(&table->columns[column], cell.real));
    else if (cell.kind == COR_ROW_NUMBER)
        say_count(context, cell.number);
    else if (cell.kind == COR_ROW_FINGERPRINT)
        say_fingerprint(context, cell.number);
    else /* words of lists stay where they are; others are made anew for each row */
        sqlite3_result_text(context, cell.word, -1,
                            table->columns[column].schema && !table->columns[column].is_text
                                ? SQLITE_STATIC
                                : SQLITE_TRANSIENT);
    return COR_OK;
}

static enum cor_status say_item(struct table *table, struct cursor *cursor, sqlite3_context *context,
                                struct cor_error *error) {
    const struct cor_vector_schema *schema = &head_of(table)->layer->vectors[table->source.number];
    const struct cor_column item = {.type = schema->type};
    const unsigned char *row;
    COR_TRY(hold_row(table, cursor, &row, error));
    if (schema->type >= COR_TYPE_F32)
        sqlite3_result_double(context, cor_column_real(&item, row));
    else
        say_count(context, cor_column_integer(&item, row));
    return COR_OK;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int index) {
    struct cursor *cursor = (struct cursor *)base;
    struct table *table = (struct table *)base->pVtab;
    char number[COR_FACT];
    if (table->source.kind == COR_EXPORT_OF_TABLE)
        return code_of(say_cell(table, cursor, context, index, table->file->error));
    if (table->source.kind == COR_EXPORT_OF_VECTOR)
        return code_of(say_item(table, cursor, context, table->file->error));
    if (table->source.kind == COR_EXPORT_OF_CATALOG) {
        const struct cor_catalog_entry *entry = &head_of(table)->catalog[table->source.number][cursor->at];
        if (index == 0)
            sqlite3_result_int(context, entry->code);
        else
            sqlite3_result_text(context, index == 1 ? entry->name : entry->description, -1, SQLITE_STATIC);
        return SQLITE_OK;
    }
    const struct cor_export_fact fact = cor_export_fact(head_of(table), (uint32_t)cursor->at, number);
    sqlite3_result_text(context, index == 0 ? fact.name : fact.text, -1, SQLITE_TRANSIENT);
    return SQLITE_OK;
}

static const sqlite3_module module = {.iVersion = 1,
                                      .xCreate = connect,
                                      .xConnect = connect,
                                      .xBestIndex = choose_plan,
                                      .xDisconnect = disconnect,
                                      .xDestroy = disconnect,
                                      .xOpen = open_cursor,
                                      .xClose = close_cursor,
                                      .xFilter = filter,
                                      .xNext = next,
                                      .xEof = is_over,
                                      .xColumn = column,
                                      .xRowid = row_number};

void cor_query_table_name(const char *source, char *name, size_t size) {
    snprintf(name, size, "%s", source);
    for (char *at = name; *at; at++)
        *at = *at == '/' ? '_' : *at;
}

enum cor_status sql__fail(sqlite3 *sqlite, struct cor_error *error) {
    const int code = sqlite3_errcode(sqlite);
    if (code == SQLITE_NOMEM)
        return cor_fail_memory(error);
    return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "%s", sqlite3_errmsg(sqlite));
}

/* What tools for survival times ask for, of a sample: corridor show FILE survival has the same. */
static const char detections[] =
    "CREATE VIEW \"%w\".detections AS WITH seen AS MATERIALIZED (SELECT arm, suite, sequence,"
    "  min(\"case\") AS first, min(\"case\") FILTER (WHERE gray IN ('failed', 'smoke')) AS gray,"
    "  min(\"case\") FILTER (WHERE black IN ('failed', 'smoke')) AS black FROM reorganizations"
    "  WHERE gray IN ('failed', 'smoke') OR black IN ('failed', 'smoke') GROUP BY arm, suite, sequence),"
    " chosen AS MATERIALIZED (SELECT arm, suite, sequence FROM steered"
    "  UNION SELECT arm, suite, sequence FROM branches)"
    " SELECT arm, suite, sequence, ifnull(first, executed) AS duration, first IS NOT NULL AS event, gray, "
    "black"
    "  FROM sequences LEFT JOIN seen USING (arm, suite, sequence)"
    "  WHERE (arm, suite, sequence) NOT IN (SELECT arm, suite, sequence FROM chosen)";

const struct cor_query_column cor_query_detections[] = {
    {"arm", "", "name of the arm"},
    {"suite", "1", "suite within the arm, from 0: sequences of one are a cluster"},
    {"sequence", "1", "sequence within its suite, from 0"},
    {"duration", "cases", "until the first that a box saw to fail, it included; else until the end"},
    {"event", "1", "1 if a box saw one; 0: the sequence ended without, it is censored"},
    {"gray", "cases", "until the first that the gray box saw; NULL: none"},
    {"black", "cases", "until the first that the black box saw; NULL: none"},
    {NULL}};

enum cor_status sql__make_tables(sqlite3 *sqlite, const char *name, struct sql__file *file,
                                 struct cor_error *error) {
    const struct cor_layer_schema *layer = cor_result_head(file->result)->layer;
    file->error = error;
    if (sqlite3_create_module(sqlite, name, &module, file) != SQLITE_OK)
        return sql__fail(sqlite, error);
    for (size_t i = 0; i < cor_export_sources(layer); i++) {
        const struct cor_export_source source = cor_export_source(layer, i);
        char table[sizeof source.name];
        if (file->only && strcmp(file->only->name, source.name) != 0)
            continue;
        cor_query_table_name(source.name, table, sizeof table);
        char *text =
            sqlite3_mprintf("CREATE VIRTUAL TABLE \"%w\".\"%w\" USING \"%w\"(%d)", name, table, name, (int)i);
        const int code = text ? sqlite3_exec(sqlite, text, NULL, NULL, NULL) : SQLITE_NOMEM;
        sqlite3_free(text);
        if (code != SQLITE_OK)
            return error->status != COR_OK ? error->status : sql__fail(sqlite, error);
    }
    if (layer != &cor_interaction_schema || file->only)
        return COR_OK;
    char *text = sqlite3_mprintf(detections, name);
    const int code = text ? sqlite3_exec(sqlite, text, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(text);
    return code == SQLITE_OK ? COR_OK : sql__fail(sqlite, error);
}
