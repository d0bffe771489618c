/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "views.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct cor_view *const cor_views[] = {
#define COR_VIEW_ADDRESS(name) &views__view_##name,
    COR_VIEWS(COR_VIEW_ADDRESS) COR_VIEW_ADDRESS(ranking) COR_VIEW_ADDRESS(summary) NULL,
#undef COR_VIEW_ADDRESS
};

const struct cor_view *cor_view_find(const char *name) {
    for (const struct cor_view *const *view = cor_views; *view; view++)
        if (strcmp((*view)->name, name) == 0)
            return *view;
    return NULL;
}

bool cor_view_is_shown(const struct cor_view *view) {
    return view->command && strcmp(view->command, "show") == 0;
}

const struct cor_layer_schema *cor_view_layer(const struct cor_view *view) {
    return view->layer ? view->layer : &cor_interaction_schema;
}

bool cor_view_takes(const struct cor_view *view, const char *option) {
    const size_t length = strlen(option);
    for (const char *at = view->options; at && *at; at += strcspn(at, " "), at += *at == ' ')
        if (strncmp(at, option, length) == 0 && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* A sheet on its way, and the column that comes next. */
struct filling {
    const struct views__asking *asking;
    struct cor_sheet *sheet;
    uint32_t column;
    uint64_t about; /* columns of the answer, as bits, that are no cells: tone, remark, title */
};

/* A count that is more than SQLite's integers hold comes as its digits. */
static uint64_t count_of(const struct cor_query_value *value) {
    return value->kind == COR_QUERY_TEXT ? strtoull(value->text, NULL, 10) : (uint64_t)value->integer;
}

static void put_value(struct filling *filling, const struct cor_column_definition *column,
                      const struct cor_query_value *value) {
    struct cor_sheet *sheet = filling->sheet;
    if (column->kind == COR_CELL_ESTIMATE) {
        struct cor_estimate estimate =
            cor_estimate_suites(filling->asking->level, count_of(value), count_of(value + 1));
        const double whole = strcmp(column->unit, "%") == 0 ? 100 : 1;
        estimate.mean *= whole;
        estimate.low *= whole;
        estimate.high *= whole;
        cor_sheet_estimate(sheet, &estimate);
    } else if (value->kind == COR_QUERY_NULL)
        cor_sheet_nothing(sheet);
    else if (column->kind == COR_CELL_COUNT)
        cor_sheet_count(sheet, count_of(value));
    else if (column->kind == COR_CELL_REAL)
        cor_sheet_real(sheet, value->kind == COR_QUERY_REAL ? value->real : (double)value->integer);
    else if (column->kind == COR_CELL_FLAG)
        cor_sheet_flag(sheet, value->integer != 0);
    else
        cor_sheet_word(sheet, value->text);
}

static enum cor_status put_row(void *data, uint32_t count, const char *const *names,
                               const struct cor_query_value *values, struct cor_error *error) {
    static const char *const tones[] = {[COR_TONE_GOOD] = "good",
                                        [COR_TONE_BAD] = "bad",
                                        [COR_TONE_FAINT] = "faint",
                                        [COR_TONE_STRONG] = "strong"};
    struct filling *filling = data;
    const struct cor_sheet_definition *definition = cor_sheet_definition(filling->sheet);
    (void)error;
    filling->column = 0;
    COR_ASSERT(count <= 64);
    if (!values)
        filling->about = 0;
    for (uint32_t c = 0; c < count && !values; c++)
        if (strcmp(names[c], "tone") == 0 || strcmp(names[c], "remark") == 0 ||
            strcmp(names[c], "title") == 0)
            filling->about |= UINT64_C(1) << c;
    for (uint32_t c = 0; c < count && values; c++) {
        const bool is_cell = !(filling->about >> c & 1);
        const char *text = values[c].kind == COR_QUERY_TEXT ? values[c].text : NULL;
        if (!is_cell && strcmp(names[c], "tone") == 0) {
            for (size_t t = 1; t < sizeof tones / sizeof *tones && text; t++)
                if (strcmp(tones[t], text) == 0)
                    cor_sheet_tone(filling->sheet, (enum cor_tone)t);
        } else if (!is_cell && strcmp(names[c], "remark") == 0) {
            if (text)
                cor_sheet_remark(filling->sheet, "%s", text);
        } else if (!is_cell) {
            if (text)
                cor_sheet_title(filling->sheet, "%s", text);
        } else {
            if (filling->column == 0)
                cor_sheet_row(filling->sheet);
            COR_ASSERT(filling->column < definition->column_count);
            const struct cor_column_definition *column = &definition->columns[filling->column++];
            put_value(filling, column, &values[c]);
            c += column->kind == COR_CELL_ESTIMATE;
        }
    }
    COR_ASSERT(!values || filling->column == 0 || filling->column == definition->column_count);
    return COR_OK;
}

/* The question, which asks for the columns of the sheet where it says so; NULL: memory is out. */
static char *question(const char *text, const struct cor_sheet_definition *sheet) {
    const char *at = strstr(text, VIEWS__COLUMNS);
    if (!at)
        return cor_strdup(text);
    char *whole = cor_format("%.*s", (int)(at - text), text);
    for (size_t c = 0; c < sheet->column_count; c++) {
        const struct cor_column_definition *column = &sheet->columns[c];
        whole = cor_join_take(whole, c > 0 ? ", " : "",
                              column->asked ? cor_strdup(column->asked) : cor_format("[%s]", column->key));
    }
    return cor_join_take(whole, "", cor_strdup(at + strlen(VIEWS__COLUMNS)));
}

enum cor_status views__ask(const struct views__asking *asking, const char *text, struct cor_sheet *sheet,
                           struct cor_error *error) {
    struct filling filling = {.asking = asking, .sheet = sheet};
    COR_FREED char *whole = question(text, cor_sheet_definition(sheet));
    COR_TRY(cor_made(whole, error));
    return cor_query_ask(asking->query, whole, asking->given, UINT64_MAX, put_row, &filling, error);
}

void views__give(struct views__asking *asking, const char *name, struct cor_query_value value) {
    struct cor_query_given *given = asking->given;
    while (given->name && strcmp(given->name, name) != 0)
        given++;
    COR_ASSERT(given < &asking->given[sizeof asking->given / sizeof *asking->given - 1]);
    *given = (struct cor_query_given){name, value};
}

enum cor_status views__asking_init(const struct views__source *source, const struct cor_view_request *request,
                                   struct views__asking *asking, struct cor_error *error) {
    size_t arm;
    *asking = (struct views__asking){.level = views__view_level(request)};
    if (request->arm) {
        COR_TRY(cor_arm_find(cor_result_head(request->result), "--arm", request->arm, &arm, error));
        views__give(asking, ":arm", (struct cor_query_value){COR_QUERY_TEXT, .text = request->arm});
    }
    if (request->suite != COR_ANY_SUITE)
        views__give(asking, ":suite", (struct cor_query_value){COR_QUERY_INTEGER, request->suite});
    COR_TRY(source->init(request->result, &asking->tables, error));
    enum cor_status status = cor_query_open_tables(&asking->tables, &asking->query, error);
    if (status == COR_OK)
        status = cor_query_let(asking->query, source->make, asking, source->statements, error);
    if (status != COR_OK)
        views__asking_fini(asking);
    return status;
}

void views__asking_fini(struct views__asking *asking) {
    cor_query_close(asking->query);
    asking->query = NULL;
    cor_layer_tables_fini(&asking->tables);
}

void views__remark_steered(const struct cor_arm_measurement *arm, struct cor_sheet *sheet) {
    if (arm->steered > 0)
        cor_sheet_remark(sheet,
                         "%" PRIu64
                         " sequences of %s are steered to traps: no sample, and counted nowhere here; "
                         "see corridor show FILE traps, corridor estimate",
                         arm->steered, arm->entry->name);
}

void views__put_dot_text(const char *text, FILE *file) {
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        fputc(*text, file);
    }
}

void views__put_dot_name(const char *text, FILE *file) {
    fputc('"', file);
    views__put_dot_text(text, file);
    fputc('"', file);
}
