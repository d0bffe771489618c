/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be exported, and answers to questions in SQL as lines of CSV or JSON: an export is such a
 * question.
 */
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/export.h>
#include <corridor/names.h>
#include <corridor/row_cells.h>
#include <corridor/where.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t cor_export_sources(const struct cor_layer_schema *layer) {
    return (size_t)layer->table_count + layer->catalog_count + layer->vector_count + 1;
}

struct cor_export_source cor_export_source(const struct cor_layer_schema *layer, size_t index) {
    struct cor_export_source source = {.kind = COR_EXPORT_OF_HEAD,
                                       .name = "head",
                                       .meaning = "seed, plan, experiment and provenance, as name and text"};
    COR_ASSERT(index < cor_export_sources(layer));
    if (index < layer->table_count) {
        const struct cor_table_schema *schema = &layer->tables[index];
        source.kind = COR_EXPORT_OF_TABLE;
        source.number = (uint32_t)index;
        source.meaning = schema->meaning;
        snprintf(source.name, sizeof source.name, "%s", schema->group);
        return source;
    }
    index -= layer->table_count;
    if (index < layer->catalog_count) {
        source.kind = COR_EXPORT_OF_CATALOG;
        source.number = (uint32_t)index;
        source.meaning = layer->catalogs[index].meaning;
        snprintf(source.name, sizeof source.name, "catalog/%s", layer->catalogs[index].group);
        return source;
    }
    index -= layer->catalog_count;
    if (index < layer->vector_count) {
        source.kind = COR_EXPORT_OF_VECTOR;
        source.number = (uint32_t)index;
        source.meaning = layer->vectors[index].meaning;
        snprintf(source.name, sizeof source.name, "vectors/%s", layer->vectors[index].dataset);
    }
    return source;
}

enum cor_status cor_export_find(const struct cor_layer_schema *layer, const char *name,
                                struct cor_export_source *source, struct cor_error *error) {
    struct cor_export_source sources[COR_EXPORT_SOURCES_MAX];
    const char *names[COR_EXPORT_SOURCES_MAX + 1] = {0};
    for (size_t i = 0; i < cor_export_sources(layer); i++) {
        sources[i] = cor_export_source(layer, i);
        names[i] = sources[i].name;
        if (strcmp(names[i], name) == 0) {
            *source = sources[i];
            return COR_OK;
        }
    }
    char known[1024];
    cor_known_names(name, names, known, sizeof known);
    return cor_fail(error, COR_STATUS_INPUT, NULL, known, "no table is called \"%s\"", name);
}

enum { FACTS = 5 };

struct cor_export_fact cor_export_fact(const struct cor_result_header *head, uint32_t index,
                                       char number[COR_FACT]) {
    COR_ASSERT(index < FACTS);
    switch (index) {
    case 0:
        snprintf(number, COR_FACT, "0x%016" PRIx64, head->seed);
        return (struct cor_export_fact){"seed", number};
    case 1:
        snprintf(number, COR_FACT, "%d", head->complete);
        return (struct cor_export_fact){"complete", number};
    case 2:
        snprintf(number, COR_FACT, "%" PRIu64, head->planned_suites);
        return (struct cor_export_fact){"planned_suites", number};
    case 3:
        return (struct cor_export_fact){"experiment", head->experiment};
    default:
        return (struct cor_export_fact){"provenance", head->provenance};
    }
}

uint64_t cor_export_rows(const struct cor_result *result, const struct cor_export_source *source) {
    switch (source->kind) {
    case COR_EXPORT_OF_TABLE:
        return cor_result_size(result, source->number);
    case COR_EXPORT_OF_CATALOG:
        return cor_result_head(result)->catalog_size[source->number];
    case COR_EXPORT_OF_VECTOR:
        return cor_result_vector_size(result, source->number);
    case COR_EXPORT_OF_HEAD:
        break;
    }
    return FACTS;
}

/* ---- lines */

static void put_word(const char *word, const struct cor_answer_lines *lines) {
    if (lines->is_json)
        cor_json_quoted(word, lines->file);
    else if (lines->separator == ',' || !strchr(word, lines->separator) || strpbrk(word, ",\"\n\r"))
        cor_csv_word(word, lines->file);
    else
        fprintf(lines->file, "\"%s\"", word);
}

/* A real with as many digits as it needs, of one of 32 bits as few as tell it from others; "5" as 5.0 where
 * it has to stay a real for whoever reads it. */
static void put_real(double real, enum cor_form form, const struct cor_answer_lines *lines) {
    char text[COR_CELL];
    const char decimal = lines->is_json ? '.' : lines->decimal;
    if (!isfinite(real)) { /* JSON has no NaN and no infinity, and readers refuse what overflows */
        fputs(lines->is_json ? "null" : isnan(real) ? "NaN" : real < 0 ? "-Inf" : "Inf", lines->file);
        return;
    }
    if (form == COR_FORM_NARROW)
        cor_float_text((float)real, text);
    else
        cor_real_text(real, text);
    char *point = strchr(text, '.');
    if (point)
        *point = decimal;
    else if (!strchr(text, 'e') && (form == COR_FORM_PLAIN || (real == 0 && signbit(real))))
        strcat(text, (char[]){decimal, '0', '\0'}); /* nor is "-0" an integer */
    fputs(text, lines->file);
}

static void put_value(const struct cor_query_value *value, enum cor_form form,
                      const struct cor_answer_lines *lines) {
    char text[COR_CELL];
    switch (value->kind) {
    case COR_QUERY_NULL:
        if (form == COR_FORM_REAL || form == COR_FORM_NARROW)
            put_real((double)NAN, form, lines);
        else
            fputs(lines->is_json ? "null" : "", lines->file);
        break;
    case COR_QUERY_INTEGER:
        cor_integer_text(value->integer < 0 ? -(uint64_t)value->integer : (uint64_t)value->integer, text);
        fputs(value->integer < 0 ? "-" : "", lines->file);
        fputs(text, lines->file);
        break;
    case COR_QUERY_REAL:
        put_real(value->real, form, lines);
        break;
    case COR_QUERY_TEXT:
        if (form == COR_FORM_FINGERPRINT && !lines->is_json) {
            cor_integer_text(strtoull(value->text, NULL, 16), text);
            fputs(text, lines->file);
        } else if (form == COR_FORM_NUMBER)
            fputs(value->text, lines->file);
        else
            put_word(value->text, lines);
        break;
    }
}

void cor_answer_put(const struct cor_answer_lines *lines, uint32_t count, const char *const *names,
                    const struct cor_query_value *values) {
    if (!values && lines->is_json)
        return;
    for (uint32_t c = 0; c < count; c++) {
        if (lines->is_json) {
            fputs(c > 0 ? "," : "{", lines->file);
            cor_json_quoted(names[c], lines->file);
            fputc(':', lines->file);
        } else if (c > 0)
            fputc(lines->separator, lines->file);
        if (values)
            put_value(&values[c], lines->forms ? lines->forms[c] : COR_FORM_PLAIN, lines);
        else
            put_word(names[c], lines);
    }
    fputs(lines->is_json ? "}\n" : "\n", lines->file);
}

enum cor_status cor_export_list(const struct cor_result *result, enum cor_export_format format, FILE *file,
                                struct cor_error *error) {
    static const char *const names[] = {"table", "rows", "meaning"};
    const struct cor_answer_lines lines = {file, format == COR_EXPORT_JSON_LINES, ',', '.', NULL};
    const struct cor_layer_schema *layer = cor_result_head(result)->layer;
    cor_answer_put(&lines, 3, names, NULL);
    for (size_t i = 0; i < cor_export_sources(layer); i++) {
        const struct cor_export_source source = cor_export_source(layer, i);
        const struct cor_query_value values[] = {
            {COR_QUERY_TEXT, .text = source.name},
            {COR_QUERY_INTEGER, .integer = (int64_t)cor_export_rows(result, &source)},
            {COR_QUERY_TEXT, .text = source.meaning}};
        cor_answer_put(&lines, 3, names, values);
    }
    return cor_stream_status(file, error);
}

/* ---- export */

enum { NAME_ROOM = 160, STATES_MAX = 64 /* bits of "state" */ };

struct job {
    struct cor_result *result;
    const struct cor_export *how;
    struct cor_export_source source;
    struct cor_row_cells *cells;          /* owned; of a table of the schema, as `columns` */
    const struct cor_row_column *columns; /* all that there are */
    uint32_t column_count;
    uint32_t asked[2 * COR_ROW_COLUMNS_MAX]; /* columns that are asked for: those that are written, and */
    uint32_t written, read, count; /* up to `read` those that the condition reads, then, where there are
                                      states, "state" and "state_unknown" */
    uint32_t index[2 * COR_ROW_COLUMNS_MAX]; /* of these in the condition */
    enum cor_form forms[COR_ROW_COLUMNS_MAX];
    struct cor_where *where; /* owned; NULL: all rows */
    struct cor_answer_lines lines;
    uint32_t state_count;           /* named states, written as columns behind the others */
    char (*state_names)[NAME_ROOM]; /* owned */
};

static bool is_real(const struct cor_row_column *column) {
    return column->schema && column->schema->type >= COR_TYPE_F32;
}

static enum cor_status choose_column(struct job *job, uint32_t c, struct cor_error *error) {
    const struct cor_row_column *column = &job->columns[c];
    if (job->written == COR_ROW_COLUMNS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "more than %d columns", COR_ROW_COLUMNS_MAX);
    job->forms[job->written] = is_real(column) ? column->is_narrow ? COR_FORM_NARROW : COR_FORM_REAL
                               : !column->schema || column->is_text  ? COR_FORM_PLAIN
                               : cor_row_is_fingerprint(column)      ? COR_FORM_FINGERPRINT
                               : cor_row_is_code(job->cells, column) ? COR_FORM_PLAIN
                                                                     : COR_FORM_NUMBER;
    job->asked[job->written++] = c;
    job->count = job->written;
    return COR_OK;
}

static enum cor_status find_column(struct job *job, const char *name, struct cor_error *error) {
    uint32_t column;
    COR_TRY(cor_names_find(COR_RECORD_NAMES(job->columns, job->column_count, struct cor_row_column, name),
                           name, NULL, &column, error, "table %s has no column \"%s\"", job->source.name,
                           name));
    return choose_column(job, column, error);
}

static enum cor_status choose_columns(struct job *job, struct cor_error *error) {
    for (uint32_t c = 0; c < job->column_count && !job->how->columns; c++)
        if (!job->columns[c].is_hidden)
            COR_TRY(choose_column(job, c, error));
    for (const char *const *name = job->how->columns; name && *name; name++)
        COR_TRY(find_column(job, *name, error));
    if (job->written == 0)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "leave the list away for all columns",
                        "no column is chosen");
    return COR_OK;
}

/* The words that the codes of a column may have, ended by NULL and freed with free(); *words NULL: none. */
static enum cor_status words_of(const struct job *job, const struct cor_row_column *column,
                                const char ***words, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(job->result);
    const bool has_catalog = column->catalog < head->layer->catalog_count;
    const char *const *terms = column->schema->family != COR_FAMILY_NONE
                                   ? cor_term_words((enum cor_family)column->schema->family)
                                   : NULL;
    size_t count = has_catalog ? head->catalog_size[column->catalog] : 0;
    *words = NULL;
    while (terms && terms[count])
        count++;
    if (job->how->raw_codes || (!terms && !has_catalog))
        return COR_OK;
    COR_TRY(cor_made(*words = cor_calloc(count + 1, sizeof **words), error));
    for (size_t i = 0; i < count; i++)
        (*words)[i] = terms ? terms[i] : head->catalog[column->catalog][i].name;
    return COR_OK;
}

/* The condition over all columns of the table but texts and the sentence; those that it reads are read. */
static enum cor_status make_where(struct job *job, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_where_column columns[COR_COLUMNS_MAX];
    const char **words[COR_COLUMNS_MAX] = {0};
    uint32_t of[COR_COLUMNS_MAX], count = 0;
    if (!job->how->where)
        return COR_OK;
    for (uint32_t c = 0; c < job->column_count; c++) {
        const struct cor_row_column *column = &job->columns[c];
        if (!column->schema || column->is_text)
            continue;
        COR_TRY_OUT(words_of(job, column, &words[count], error));
        columns[count] = (struct cor_where_column){column->name,
                                                   words[count] != NULL ? COR_VALUE_TYPE_ENUMERATION
                                                   : cor_row_is_fingerprint(column) ? COR_VALUE_TYPE_STRING
                                                   : is_real(column)                ? COR_VALUE_TYPE_REAL
                                                                                    : COR_VALUE_TYPE_INTEGER,
                                                   words[count]};
        of[count++] = c;
    }
    COR_TRY_OUT(cor_where_create(job->how->where, columns, count, &job->where, error));
    for (uint32_t i = 0; i < count; i++)
        if (cor_where_reads(job->where, i)) {
            job->asked[job->count] = of[i];
            job->index[job->count++] = i;
        }
out:
    for (uint32_t i = 0; i < COR_COLUMNS_MAX; i++)
        free(words[i]);
    return status;
}

/* Sets the cells that the condition reads. */
static enum cor_status holds(const struct job *job, const struct cor_query_value *values, bool *is_chosen,
                             struct cor_error *error) {
    for (uint32_t i = job->written; i < job->read; i++) {
        const struct cor_row_column *column = &job->columns[job->asked[i]];
        const bool is_code = !job->how->raw_codes && cor_row_is_code(job->cells, column);
        if (values[i].kind == COR_QUERY_REAL)
            cor_where_real(job->where, job->index[i], cor_row_written(column, values[i].real));
        else if (values[i].kind == COR_QUERY_INTEGER && !is_code)
            cor_where_count(job->where, job->index[i], (uint64_t)values[i].integer);
        else if (values[i].kind == COR_QUERY_TEXT && (is_code || cor_row_is_fingerprint(column)))
            COR_TRY(cor_where_word(job->where, job->index[i], values[i].text, error));
        else /* NaN, a code without a word, a number beyond those of conditions */
            cor_where_nothing(job->where, job->index[i]);
    }
    *is_chosen = !job->where || cor_where_holds(job->where);
    return COR_OK;
}

/* Where all columns are written, of a table whose rows say which named states hold: each state is a column
 * of its own behind them, called as it, or with "state_" in front where another column is called so. */
static enum cor_status choose_states(struct job *job, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(job->result);
    const struct cor_property_source *asked = head->layer->asked;
    const uint32_t catalog = asked && asked->ending ? asked->ending->states : 0;
    uint32_t masks[2], found = 0;
    job->read = job->count;
    if (catalog == 0 || head->catalog_size[catalog] == 0 || job->how->columns || job->how->raw_codes)
        return COR_OK;
    for (uint32_t c = 0; c < job->column_count; c++)
        if (strcmp(job->columns[c].name, "state") == 0 || strcmp(job->columns[c].name, "state_unknown") == 0)
            masks[found++] = c;
    if (found < 2)
        return COR_OK;
    job->state_count =
        head->catalog_size[catalog] < STATES_MAX ? (uint32_t)head->catalog_size[catalog] : STATES_MAX;
    COR_TRY(cor_made(job->state_names = cor_calloc(job->state_count, sizeof *job->state_names), error));
    for (uint32_t s = 0; s < job->state_count; s++) {
        const char *name = head->catalog[catalog][s].name;
        bool is_there = false;
        for (uint32_t c = 0; c < job->column_count; c++)
            is_there = is_there || strcmp(job->columns[c].name, name) == 0;
        snprintf(job->state_names[s], NAME_ROOM, "%s%s", is_there ? "state_" : "", name);
    }
    for (uint32_t m = 0; m < 2; m++)
        job->asked[job->count++] = masks[m];
    return COR_OK;
}

/* The row, and its named states: true, false, or ? where it is unknown, as a trace for judge has them. */
static void put_states(const struct job *job, const char *const *names,
                       const struct cor_query_value *values) {
    const char *called[COR_ROW_COLUMNS_MAX + STATES_MAX];
    struct cor_query_value cells[COR_ROW_COLUMNS_MAX + STATES_MAX];
    enum cor_form forms[COR_ROW_COLUMNS_MAX + STATES_MAX];
    uint64_t masks[2] = {0};
    for (uint32_t c = 0; c < job->written; c++) {
        called[c] = names[c];
        forms[c] = job->forms[c];
        if (values)
            cells[c] = values[c];
    }
    for (uint32_t m = 0; m < 2 && values; m++)
        masks[m] = values[job->read + m].kind == COR_QUERY_TEXT
                       ? strtoull(values[job->read + m].text, NULL, 10)
                       : (uint64_t)values[job->read + m].integer;
    const char *unknown = job->lines.is_json ? "null" : "?";
    for (uint32_t s = 0; s < job->state_count; s++) {
        called[job->written + s] = job->state_names[s];
        forms[job->written + s] = COR_FORM_NUMBER;
        cells[job->written + s] =
            (struct cor_query_value){COR_QUERY_TEXT, .text = masks[1] >> s & 1   ? unknown
                                                             : masks[0] >> s & 1 ? "true"
                                                                                 : "false"};
    }
    struct cor_answer_lines lines = job->lines;
    lines.forms = forms;
    cor_answer_put(&lines, job->written + job->state_count, called, values ? cells : NULL);
}

static enum cor_status put_row(void *data, uint32_t count, const char *const *names,
                               const struct cor_query_value *values, struct cor_error *error) {
    const struct job *job = data;
    bool is_chosen = true;
    if (values)
        COR_TRY(holds(job, values, &is_chosen, error));
    if (is_chosen && job->state_count > 0)
        put_states(job, names, values);
    else if (is_chosen)
        cor_answer_put(&job->lines, job->source.kind == COR_EXPORT_OF_TABLE ? job->written : count, names,
                       values);
    return cor_stream_status(job->lines.file, error);
}

/* The question; NULL: no memory. */
static char *ask_for(const struct job *job) {
    char name[sizeof job->source.name];
    char *text = cor_strdup("select "), *from;
    cor_query_table_name(job->source.name, name, sizeof name);
    for (uint32_t i = 0; i < job->count && text; i++)
        text = cor_join_take(text, i > 0 ? ", " : "", cor_format("\"%s\"", job->columns[job->asked[i]].name));
    from = cor_format("%s from \"%s\"", job->count == 0 ? "*" : "", name);
    return text ? cor_join_take(text, "", from) : (free(from), NULL);
}

enum cor_status cor_export_write(struct cor_result *result, const struct cor_export_source *source,
                                 const struct cor_export *how, FILE *file, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct job job = {.result = result,
                      .how = how,
                      .source = *source,
                      .lines = {file, how->format == COR_EXPORT_JSON_LINES, ',', '.', NULL}};
    struct cor_query *query = NULL;
    char *text = NULL;
    if (source->kind == COR_EXPORT_OF_TABLE) {
        job.lines.forms = job.forms;
        COR_TRY(cor_row_cells_create(result, source->number, how->raw_codes, &job.cells, error));
        job.column_count = cor_row_columns(job.cells, &job.columns);
        COR_TRY_OUT(choose_columns(&job, error));
        COR_TRY_OUT(make_where(&job, error));
        COR_TRY_OUT(choose_states(&job, error));
    } else if (how->where)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "leave --where away, or name a table of rows",
                        "%s has no columns to ask for", source->name);
    else if (how->columns)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "leave the list of columns away",
                        "%s has no columns to choose from", source->name);
    else if (source->kind == COR_EXPORT_OF_VECTOR) {
        const enum cor_type type = cor_result_head(result)->layer->vectors[source->number].type;
        job.forms[0] = type >= COR_TYPE_F32 ? COR_FORM_REAL : COR_FORM_NUMBER;
        job.lines.forms = job.forms;
    }
    COR_TRY_OUT(cor_made(text = ask_for(&job), error));
    COR_TRY_OUT(cor_query_open_stored(result, source, how->raw_codes, &query, error));
    COR_TRY_OUT(cor_query_ask(query, text, NULL, UINT64_MAX, put_row, &job, error));
    status = cor_stream_status(file, error);
out:
    cor_query_close(query);
    free(text);
    cor_where_destroy(job.where);
    free(job.state_names);
    cor_row_cells_destroy(job.cells);
    return status;
}

enum cor_status cor_export_table(struct cor_result *result, uint32_t table, const struct cor_export *how,
                                 FILE *file, struct cor_error *error) {
    const struct cor_export_source source = cor_export_source(cor_result_head(result)->layer, table);
    return cor_export_write(result, &source, how, file, error);
}
