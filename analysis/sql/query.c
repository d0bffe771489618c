/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files as databases, and a text of SQL executed over them: reading alone, in so many steps and so much
 * memory. */
#include "sources.h"

#include <corridor/array.h>
#include <corridor/export.h>
#include <corridor/query.h>
#include <corridor/schema.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>

#define MEMORY (INT64_C(1) << 30) /* bytes that SQLite may take, of all its queries together */
#define MILLION 1000000
#define TEXT_MAX (64 * MILLION) /* bytes of one text in an answer */

struct cor_query {
    sqlite3 *sqlite;
    struct sql__file files[COR_QUERY_FILES_MAX];
    uint32_t file_count;
    cor_query_make *make; /* and what it is given, borrowed; NULL: there are none */
    const void *with;
    const char *refused;  /* what a statement is not allowed; NULL: nothing yet */
    uint64_t steps, used; /* millions, of a call */
    cor_query_step *step; /* NULL: nobody watches */
    void *watcher;
};

/* What would be another answer each time: what is drawn by lot, asks for the time, or tells an address. */
static bool is_refused(const char *function) {
    static const char *const refused[] = {
        "random",       "randomblob",   "load_extension",    "date",          "time",
        "datetime",     "julianday",    "unixepoch",         "strftime",      "timediff",
        "current_date", "current_time", "current_timestamp", "fts3_tokenizer"};
    bool is = false;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        is = is || strcasecmp(function, refused[i]) == 0;
    return is;
}

static const char only_reads[] =
    "a query only reads: write select, values, or with .. select; name files in front of it";

/* Reading alone, of what is there. */
static int allow(void *data, int action, const char *first, const char *second, const char *database,
                 const char *trigger) {
    struct cor_query *query = data;
    (void)first;
    (void)database;
    (void)trigger;
    if (action == SQLITE_FUNCTION && is_refused(second)) {
        query->refused =
            "a query reads what the files hold: it draws nothing, loads nothing and knows no time";
        return SQLITE_DENY;
    }
    if (action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION ||
        action == SQLITE_RECURSIVE)
        return SQLITE_OK;
    query->refused = only_reads;
    return SQLITE_DENY;
}

/* A function over long texts is one step, however long it takes: what takes longer, of CPU time, than a
 * million steps can explain ends the process by SIGVTALRM. Our own questions, without a limit, do no such
 * thing. */
static void watch(const struct cor_query *query, bool is_on) {
    const uint64_t seconds = query->steps > 6000 ? 62 : 2 + query->steps / 100;
    const struct itimerval limit = {.it_value.tv_sec = is_on ? (time_t)seconds : 0};
    if (query->steps != UINT64_MAX)
        setitimer(ITIMER_VIRTUAL, &limit, NULL);
}

static int count_steps(void *data) {
    struct cor_query *query = data;
    uint64_t reads = 0;
    watch(query, true);
    if (query->step)
        query->step(query->watcher, query->used, query->steps);
    for (uint32_t f = 0; f < query->file_count; f++)
        reads += query->files[f].reads;
    return ++query->used + reads / (MILLION / SQL__STEPS_OF_A_READ) > query->steps;
}

void cor_query_watch(struct cor_query *query, cor_query_step *step, void *data) {
    query->step = step;
    query->watcher = data;
}

static enum cor_status execute(sqlite3 *sqlite, char *text, struct cor_error *error) {
    const int code = text ? sqlite3_exec(sqlite, text, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(text);
    return code == SQLITE_OK ? COR_OK : sql__fail(sqlite, error);
}

static enum cor_status open_files(const struct sql__file *files, const char *const *names, uint32_t count,
                                  struct cor_query **query, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_query *made = cor_calloc(1, sizeof *made);
    *query = NULL;
    COR_TRY(cor_made(made, error));
    (void)sqlite3_config(SQLITE_CONFIG_SINGLETHREAD); /* has no effect from the second query on */
    sqlite3_hard_heap_limit64(MEMORY);
    if (sqlite3_open_v2(":memory:", &made->sqlite, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
        SQLITE_OK)
        COR_TRY_OUT(cor_fail_memory(error));
    sqlite3_limit(made->sqlite, SQLITE_LIMIT_LENGTH, TEXT_MAX);
    COR_TRY_OUT(execute(made->sqlite, sqlite3_mprintf("PRAGMA temp_store = MEMORY"), error));
    for (uint32_t f = 0; f < count; f++) {
        made->files[f] = files[f];
        COR_TRY_OUT(execute(made->sqlite, sqlite3_mprintf("ATTACH ':memory:' AS \"%w\"", names[f]), error));
        COR_TRY_OUT(sql__make_tables(made->sqlite, names[f], &made->files[f], error));
        made->file_count++;
    }
    /* These declare their tables when they are named first. */
    COR_TRY_OUT(
        execute(made->sqlite, sqlite3_mprintf("SELECT 1 FROM json_each('[]'), json_tree('[]')"), error));
    sqlite3_set_authorizer(made->sqlite, allow, made);
    sqlite3_progress_handler(made->sqlite, MILLION, count_steps, made);
    *query = made;
    made = NULL;
out:
    cor_query_close(made);
    return status;
}

enum cor_status cor_query_open(struct cor_result *const *results, const char *const *names, uint32_t count,
                               struct cor_query **query, struct cor_error *error) {
    struct sql__file files[COR_QUERY_FILES_MAX] = {{0}};
    COR_ASSERT(count <= COR_QUERY_FILES_MAX);
    for (uint32_t f = 0; f < count; f++)
        files[f].result = results[f];
    return open_files(files, names, count, query, error);
}

enum cor_status cor_query_open_tables(const struct cor_layer_tables *tables, struct cor_query **query,
                                      struct cor_error *error) {
    const struct sql__file file = {.result = tables->result, .tables = tables};
    return open_files(&file, (const char *const[]){"file"}, 1, query, error);
}

enum cor_status cor_query_open_stored(struct cor_result *result, const struct cor_export_source *source,
                                      bool raw, struct cor_query **query, struct cor_error *error) {
    const struct sql__file file = {.result = result, .only = source, .is_raw = raw};
    return open_files(&file, (const char *const[]){"file"}, 1, query, error);
}

static uint64_t number_of(sqlite3_value *value) {
    return sqlite3_value_type(value) == SQLITE_TEXT /* more than SQLite's integers hold */
               ? strtoull((const char *)sqlite3_value_text(value), NULL, 10)
               : (uint64_t)sqlite3_value_int64(value);
}

static void make_value(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct cor_query *query = sqlite3_user_data(context);
    const char *what = (const char *)sqlite3_value_text(values[0]);
    struct cor_query_value made = {.kind = COR_QUERY_NULL};
    (void)count;
    if (!what || query->make(query->with, what, number_of(values[1]), number_of(values[2]), &made,
                             query->files[0].error) != COR_OK)
        sqlite3_result_error_code(context, SQLITE_ERROR);
    else if (made.kind == COR_QUERY_INTEGER)
        sqlite3_result_int64(context, made.integer);
    else if (made.kind == COR_QUERY_REAL)
        sqlite3_result_double(context, made.real);
    else if (made.kind == COR_QUERY_TEXT)
        sqlite3_result_text(context, made.text, -1, free);
}

void cor_query_close(struct cor_query *query) {
    if (!query)
        return;
    sqlite3_close(query->sqlite);
    free(query);
}

/* Names of tables that a query can say, as a remedy. */
static void name_tables(const struct cor_query *query, const char *wrong, char *known, size_t size) {
    enum { NAMES = COR_QUERY_FILES_MAX * 64 };
    static char texts[NAMES][48];
    const char *names[NAMES + 1] = {0};
    size_t count = 0;
    for (uint32_t f = 0; f < query->file_count; f++) {
        const struct cor_layer_schema *layer = cor_result_head(query->files[f].result)->layer;
        for (size_t i = 0; i < cor_export_sources(layer) && count < NAMES; i++) {
            cor_query_table_name(cor_export_source(layer, i).name, texts[count], sizeof texts[count]);
            bool is_there = false;
            for (size_t n = 0; n < count && !is_there; n++)
                is_there = strcmp(names[n], texts[count]) == 0;
            if (!is_there) {
                names[count] = texts[count];
                count++;
            }
        }
        if (layer == &cor_interaction_schema && count < NAMES)
            names[count++] = "detections";
    }
    cor_known_names(wrong, names, known, size);
}

/* A column of any table that is called nearly so. */
static void name_column(const struct cor_query *query, const char *wrong, char *known, size_t size) {
    const char *names[COR_COLUMNS_MAX + 1], *near = NULL, *dot = strrchr(wrong, '.');
    for (uint32_t f = 0; f < query->file_count && !near; f++) {
        const struct cor_layer_schema *layer = cor_result_head(query->files[f].result)->layer;
        for (uint32_t t = 0; t < layer->table_count && !near; t++) {
            const struct cor_table_schema *table = &layer->tables[t];
            for (uint32_t c = 0; c < table->column_count; c++)
                names[c] = table->columns[c].name;
            names[table->column_count] = NULL;
            near = cor_did_you_mean(dot ? dot + 1 : wrong, names);
        }
    }
    snprintf(
        known, size,
        "%s%s%scorridor sql FILE lists tables and their columns; words of a column stand in single quotes",
        near ? "did you mean \"" : "", near ? near : "", near ? "\"? " : "");
}

/* What went wrong with a statement: the reader's words where it failed, else SQLite's, with what would be
 * right. */
static enum cor_status fail(struct cor_query *query, struct cor_error *error) {
    static const char table[] = "no such table: ", column[] = "no such column: ";
    const int code = sqlite3_errcode(query->sqlite);
    const char *said = sqlite3_errmsg(query->sqlite);
    char known[1024] = "";
    if (error->status != COR_OK)
        return error->status;
    if (query->refused)
        return cor_fail(error, COR_STATUS_INPUT, NULL, query->refused, "%s", said);
    if (code == SQLITE_INTERRUPT)
        return cor_fail(error, COR_STATUS_INPUT, NULL,
                        "join by arm and suite, ask for less, or allow more with --steps",
                        "the query took more than %" PRIu64 " million steps", query->steps);
    if (code == SQLITE_NOMEM)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "ask for fewer rows, or for sums of them",
                        "the query needs more than %d MB", (int)(MEMORY >> 20));
    if (strncmp(said, table, sizeof table - 1) == 0)
        name_tables(query, said + sizeof table - 1, known, sizeof known);
    else if (strncmp(said, column, sizeof column - 1) == 0)
        name_column(query, said + sizeof column - 1, known, sizeof known);
    else if (strstr(said, "syntax error"))
        snprintf(known, sizeof known,
                 "names that are words of SQL stand in double quotes: \"case\", \"group\", \"values\"");
    return cor_fail(error, COR_STATUS_INPUT, NULL, known[0] ? known : NULL, "%s", said);
}

static bool take_value(sqlite3_stmt *statement, int column, struct cor_query_value *value) {
    *value = (struct cor_query_value){.kind = COR_QUERY_NULL};
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        value->kind = COR_QUERY_INTEGER;
        value->integer = sqlite3_column_int64(statement, column);
        break;
    case SQLITE_FLOAT:
        value->kind = COR_QUERY_REAL;
        value->real = sqlite3_column_double(statement, column);
        break;
    case SQLITE_TEXT:
    case SQLITE_BLOB:
        value->kind = COR_QUERY_TEXT;
        value->text = (const char *)sqlite3_column_text(statement, column);
        return value->text != NULL; /* its last zero may need memory */
    default:
        break;
    }
    return true;
}

/* Gives names of the statement their values, which live until it is finalized. */
static enum cor_status give(sqlite3_stmt *statement, const struct cor_query_given *given,
                            struct cor_error *error) {
    for (; given && given->name; given++) {
        const int at = sqlite3_bind_parameter_index(statement, given->name);
        const struct cor_query_value *value = &given->value;
        int code = SQLITE_OK;
        if (at > 0 && value->kind == COR_QUERY_INTEGER)
            code = sqlite3_bind_int64(statement, at, value->integer);
        else if (at > 0 && value->kind == COR_QUERY_REAL)
            code = sqlite3_bind_double(statement, at, value->real);
        else if (at > 0 && value->kind == COR_QUERY_TEXT)
            code = sqlite3_bind_text(statement, at, value->text, -1, SQLITE_STATIC);
        if (code != SQLITE_OK)
            return cor_fail_memory(error);
    }
    return COR_OK;
}

static enum cor_status answer(struct cor_query *query, sqlite3_stmt *statement, cor_query_hear *hear,
                              void *data, struct cor_error *error) {
    const uint32_t count = (uint32_t)sqlite3_column_count(statement);
    enum cor_status status = COR_OK;
    const char **names = cor_calloc(count, sizeof *names);
    struct cor_query_value *values = cor_calloc(count, sizeof *values);
    COR_TRY_OUT(cor_made(names, error));
    COR_TRY_OUT(cor_made(values, error));
    for (uint32_t c = 0; c < count; c++)
        COR_TRY_OUT(cor_made(names[c] = sqlite3_column_name(statement, (int)c), error));
    COR_TRY_OUT(hear(data, count, names, NULL, error));
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (uint32_t c = 0; c < count; c++)
            if (!take_value(statement, (int)c, &values[c])) {
                status = fail(query, error);
                goto out;
            }
        COR_TRY_OUT(hear(data, count, names, values, error));
    }
    if (code != SQLITE_DONE)
        status = fail(query, error);
out:
    COR_FREE(names, values);
    return status;
}

enum cor_status cor_query_ask(struct cor_query *query, const char *text, const struct cor_query_given *given,
                              uint64_t steps, cor_query_hear *hear, void *data, struct cor_error *error) {
    bool is_answered = false;
    query->steps = steps;
    query->used = 0;
    for (uint32_t f = 0; f < query->file_count; f++)
        query->files[f].error = error, query->files[f].reads = 0;
    while (*text) {
        sqlite3_stmt *statement = NULL;
        query->refused = NULL;
        if (sqlite3_prepare_v2(query->sqlite, text, -1, &statement, &text) != SQLITE_OK)
            return fail(query, error);
        if (!statement) /* blanks and comments */
            continue;
        /* The program of a statement has addresses in it. */
        const bool is_question =
            sqlite3_column_count(statement) > 0 && sqlite3_stmt_isexplain(statement) != 1;
        enum cor_status status = is_question ? give(statement, given, error)
                                             : cor_fail(error, COR_STATUS_INPUT, NULL, only_reads,
                                                        "\"%.40s\" is no question", sqlite3_sql(statement));
        watch(query, true);
        if (status == COR_OK)
            status = answer(query, statement, hear, data, error);
        sqlite3_finalize(statement);
        watch(query, false);
        COR_TRY(status);
        is_answered = true;
    }
    return is_answered ? COR_OK
                       : cor_fail(error, COR_STATUS_INPUT, NULL, "select count(*) from cases",
                                  "there is no question in the text");
}

static enum cor_status keep(void *data, uint32_t count, const char *const *names,
                            const struct cor_query_value *values, struct cor_error *error) {
    struct cor_query_answer *answer = data;
    if (!values) {
        COR_ASSERT(!answer->names);
        COR_TRY(cor_made(answer->names = cor_calloc(count, sizeof *answer->names), error));
        answer->columns = count;
        for (uint32_t c = 0; c < count; c++)
            COR_TRY(cor_made(answer->names[c] = cor_strdup(names[c]), error));
        return COR_OK;
    }
    COR_TRY(COR_RESERVE(&answer->values, &answer->capacity, (answer->rows + 1) * count, error));
    struct cor_query_value *row = &answer->values[answer->rows++ * count];
    memset(row, 0, count * sizeof *row);
    for (uint32_t c = 0; c < count; c++) {
        row[c] = values[c];
        row[c].text = NULL;
        if (values[c].kind == COR_QUERY_TEXT)
            COR_TRY(cor_made((row[c].text = cor_strdup(values[c].text)), error));
    }
    return COR_OK;
}

enum cor_status cor_query_collect(struct cor_query *query, const char *text,
                                  const struct cor_query_given *given, struct cor_query_answer *answer,
                                  struct cor_error *error) {
    *answer = (struct cor_query_answer){0};
    return cor_query_ask(query, text, given, UINT64_MAX, keep, answer, error);
}

void cor_query_answer_fini(struct cor_query_answer *answer) {
    for (size_t i = 0; i < answer->rows * answer->columns; i++)
        free((char *)(uintptr_t)answer->values[i].text);
    for (uint32_t c = 0; c < answer->columns; c++)
        free(answer->names[c]);
    COR_FREE(answer->values, answer->names);
    *answer = (struct cor_query_answer){0};
}

enum cor_status cor_query_let(struct cor_query *query, cor_query_make *make, const void *data,
                              const char *const *statements, struct cor_error *error) {
    enum cor_status status = COR_OK;
    query->make = make;
    query->with = data;
    query->steps = UINT64_MAX;
    if (make && sqlite3_create_function_v2(query->sqlite, "made", 3, SQLITE_UTF8, query, make_value, NULL,
                                           NULL, NULL) != SQLITE_OK)
        return sql__fail(query->sqlite, error);
    for (uint32_t f = 0; f < query->file_count; f++)
        query->files[f].error = error;
    sqlite3_set_authorizer(query->sqlite, NULL, NULL); /* these are not the user's */
    for (; statements && *statements && status == COR_OK; statements++)
        if (sqlite3_exec(query->sqlite, *statements, NULL, NULL, NULL) != SQLITE_OK)
            status = fail(query, error);
    sqlite3_set_authorizer(query->sqlite, allow, query);
    return status;
}
