/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whoever completes a line waits, and may have named anything: little is read, within limits of time and
 * memory, and nothing is said of what cannot be read. */
#include "candidates.h"

#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/host.h>
#include <corridor/layer_schema.h>
#include <corridor/view.h>

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define JSON_BYTES_MAX (4 << 20)
#define ROWS 4096     /* looked at for failures */
#define KEYS_MAX 50   /* of failures that are offered */
#define SECONDS_MAX 1 /* of a processor */
#define WAIT_MAX 10   /* seconds, for files that do not come */
#define MEMORY_MAX (UINT64_C(1) << 30)

static const struct {
    const char *option, *kind;
} kinds[] = {{"arm", "arm"},
             {"arms", "arm"},
             {"failures-of", "arm"},
             {"failure", "failure"},
             {"goal", "goal"},
             {"trap", "trap"},
             {"constraint", "constraint"},
             {"fault", "fault"},
             {"environment", "environment"}};

const char *cor_candidates_kind(const struct cor_option *option) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].option, option->name) == 0)
            return kinds[i].kind;
    return NULL;
}

/* A word of a shell without its quotes. */
static void unquote(char *word) {
    char *to = word, quote = '\0';
    for (const char *at = word; *at; at++)
        if (quote ? *at == quote : *at == '\'' || *at == '"')
            quote = quote ? '\0' : *at;
        else if (*at == '\\' && quote != '\'' && at[1])
            *to++ = *++at;
        else
            *to++ = *at;
    *to = '\0';
}

static void offer(const char *text) {
    for (const char *at = text; *at; at++)
        if (iscntrl((unsigned char)*at))
            return;
    printf("%s\n", text);
}

/* The names of an object's members, or what items of an array are called. */
static void offer_names(const struct cor_json *json) {
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        struct cor_json name;
        const char *text;
        if (item.key)
            offer(item.key);
        else if (cor_json_find(&item, "name", &name) && cor_json_string(&name, &text, NULL) == COR_OK)
            offer(text);
    }
}

/* The faults of the algorithms that are built in, each once, or of the one that a word names. */
static void offer_faults(int count, char **words) {
    struct cor_registry *registry;
    bool is_named = false;
    if (cor_registry_create(NULL, &registry, NULL) != COR_OK)
        return;
    for (int pass = 0; pass < 2 && !is_named; pass++)
        for (uint32_t i = 0; i < cor_registry_size(registry); i++) {
            const struct cor_algorithm *algorithm = cor_registry_at(registry, i);
            bool is_meant = pass > 0;
            for (int w = 0; w < count; w++)
                is_meant = is_meant || strcmp(words[w], algorithm->name) == 0;
            is_named = is_named || (is_meant && pass == 0);
            for (uint32_t f = 0; is_meant && f < cor_algorithm_fault_count(algorithm); f++)
                offer(algorithm->faults[f].name);
        }
    cor_registry_destroy(registry);
}

/* Of a file of JSON: the members of its object of that kind, or of that of the experiment in it. */
static void offer_of_json(const char *path, const char *kind) {
    struct cor_json_document *document;
    struct stat there;
    char plural[32];
    if (stat(path, &there) != 0 || there.st_size > JSON_BYTES_MAX ||
        cor_json_read(path, &document, NULL) != COR_OK)
        return;
    const struct cor_json root = cor_json_root(document);
    struct cor_json list, inner, arms;
    snprintf(plural, sizeof plural, "%ss", kind);
    if (cor_json_find(&root, plural, &list))
        offer_names(&list);
    if (cor_json_find(&root, "experiment", &inner) && cor_json_find(&inner, plural, &list))
        offer_names(&list);
    if (strcmp(kind, "trap") == 0 && cor_json_find(&root, "arms", &arms))
        for (size_t i = 0; i < cor_json_size(&arms); i++) {
            const struct cor_json arm = cor_json_at(&arms, i);
            if (cor_json_find(&arm, plural, &list))
                offer_names(&list);
        }
    cor_json_destroy(document);
}

/* The number of a column, the count of columns: there is none. */
static uint32_t column_of(const struct cor_table_schema *table, const char *name) {
    uint32_t column = 0;
    while (column < table->column_count && strcmp(table->columns[column].name, name) != 0)
        column++;
    return column;
}

/* The value of a column in a row; 0: there is no such column. */
static uint64_t value_of(const struct cor_table_schema *table, const unsigned char *row, const char *name) {
    const uint32_t column = column_of(table, name);
    uint64_t value = 0;
    if (column < table->column_count)
        memcpy(&value, row + table->columns[column].offset, cor_type_size(table->columns[column].type));
    return value;
}

/* Whether one of the verdicts in the row says that it failed. */
static bool has_failed(const struct cor_table_schema *table, const unsigned char *row) {
    static const char *const verdicts[] = {"verdict", "gray", "black"};
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        const uint32_t column = column_of(table, verdicts[i]);
        if (column == table->column_count)
            continue;
        const char *word = cor_term_word((enum cor_family)table->columns[column].family,
                                         (int)value_of(table, row, verdicts[i]));
        if (strcmp(word, "failed") == 0 || strcmp(word, "smoke") == 0)
            return true;
    }
    return false;
}

/* The first failing case of each sequence, of a table that says it. */
static void offer_failures_of(struct cor_result *result, uint32_t number) {
    const struct cor_result_header *head = cor_result_head(result);
    const struct cor_table_schema *table = &head->layer->tables[number];
    const uint32_t arm = column_of(table, "arm");
    const bool has_case = column_of(table, "case") < table->column_count;
    const uint64_t size = cor_result_size(result, number), count = size < ROWS ? size : ROWS;
    unsigned char *rows = cor_calloc(ROWS, table->row_size);
    char before[256] = "";
    if (rows && count > 0 && cor_result_read(result, number, 0, count, rows, NULL) == COR_OK)
        for (uint64_t i = 0, offered = 0; i < count && offered < KEYS_MAX; i++) {
            const unsigned char *row = rows + i * table->row_size;
            const char *name = cor_result_name(result, cor_column_catalog(head->layer, &table->columns[arm]),
                                               (uint16_t)value_of(table, row, "arm"));
            char sequence[256], key[300];
            snprintf(sequence, sizeof sequence, "%s/%llu/%llu", name,
                     (unsigned long long)value_of(table, row, "suite"),
                     (unsigned long long)value_of(table, row, "sequence"));
            if (!has_failed(table, row) || strcmp(sequence, before) == 0)
                continue;
            snprintf(before, sizeof before, "%s", sequence);
            snprintf(key, sizeof key, has_case ? "%s/%llu" : "%s", sequence,
                     (unsigned long long)value_of(table, row, "case"));
            offer(key);
            offered++;
        }
    free(rows);
}

static void offer_failures(struct cor_result *result) {
    const struct cor_layer_schema *layer = cor_result_head(result)->layer;
    for (uint32_t t = 0; t < layer->table_count; t++) {
        const struct cor_table_schema *table = &layer->tables[t];
        const bool says_it = column_of(table, "arm") < table->column_count &&
                             column_of(table, "suite") < table->column_count &&
                             column_of(table, "sequence") < table->column_count;
        const bool is_it =
            strcmp(table->group, "failures") == 0 ||
            (strcmp(table->group, "sequences") == 0 && column_of(table, "verdict") < table->column_count);
        if (says_it && is_it)
            offer_failures_of(result, t);
    }
}

/* Whether the last part of the path is that word. */
static bool is_called(const char *path, const char *word) {
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, word) == 0;
}

/* Of a result file: its views, its failures, or the names in the catalog of that kind. */
static void offer_of_result(const char *path, const char *kind) {
    struct cor_result *result;
    if (cor_result_glance(path, &result, NULL) != COR_OK)
        return;
    const struct cor_result_header *head = cor_result_head(result);
    for (const struct cor_view *const *view = cor_views; *view && strcmp(kind, "view") == 0; view++)
        if (cor_view_is_shown(*view) && cor_view_layer(*view) == head->layer)
            offer((*view)->name);
    for (uint32_t c = 0; c < head->layer->catalog_count; c++)
        for (size_t i = 0; is_called(head->layer->catalogs[c].group, kind) && i < head->catalog_size[c]; i++)
            offer(head->catalog[c][i].name);
    if (strcmp(kind, "failure") == 0)
        offer_failures(result);
    cor_result_close(result);
}

static bool ends_in(const char *path, const char *ending) {
    const size_t length = strlen(path), size = strlen(ending);
    return length > size && strcmp(path + length - size, ending) == 0;
}

enum cor_exit cor_candidates(int count, char **words) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    alarm(WAIT_MAX); /* ends us, as what is beyond the limits does: then there are no candidates */
    setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS_MAX, SECONDS_MAX});
    (void)cor_limit_memory(MEMORY_MAX, true);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    for (int i = 1; i < count; i++)
        unquote(words[i]);
    if (count > 0 && strcmp(words[0], "fault") == 0)
        offer_faults(count - 1, words + 1);
    for (int i = 1; i < count; i++) {
        struct stat there;
        const bool is_file = stat(words[i], &there) == 0 && S_ISREG(there.st_mode);
        if (is_file && ends_in(words[i], ".json"))
            offer_of_json(words[i], words[0]);
        else if (is_file && cor_is_result_file(words[i]))
            offer_of_result(words[i], words[0]);
        else
            continue;
        break;
    }
    return COR_EXIT_DONE;
}
