/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "judge_trace.h"

#include <corridor/array.h>
#include <corridor/json.h>
#include <corridor/value.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct trace {
    const char *path;    /* as it is said */
    char *text;          /* owned; cells are cut out of it */
    char *at;            /* what was not read yet */
    uint64_t line;       /* from 1 */
    const char **names;  /* owned; ended by NULL */
    bool *is_used;       /* owned; [column] the formula names it */
    uint8_t *conditions; /* owned; [column] enum cor_temporal_value */
    size_t column_count, name_capacity;
    uint8_t *states; /* owned; [state * used + column among those that are used] */
    size_t state_capacity, used_count;
};

static enum cor_status complain(const struct trace *trace, struct cor_error *error, const char *remedy,
                                const char *cause) {
    char place[600];
    snprintf(place, sizeof place, "%.500s, line %llu", trace->path, (unsigned long long)trace->line);
    return cor_fail(error, COR_STATUS_INPUT, place, remedy, "%s", cause);
}

/* The next cell of the line, cut out; *is_last: it ends the line. */
static enum cor_status take_cell(struct trace *trace, char **cell, bool *is_last, struct cor_error *error) {
    char *from = trace->at, *to;
    *cell = from;
    if (*from == '"') {
        for (to = from++; *from && (*from != '"' || from[1] == '"'); from++) {
            from += *from == '"';
            *to++ = *from;
        }
        if (!*from)
            return complain(trace, error, NULL, "a cell begins with a quote, and none ends it");
        from++;
        from += *from == '\r' && from[1] == '\n';
        if (*from && *from != ',' && *from != '\n')
            return complain(trace, error, NULL, "behind the quote that ends a cell stands no comma");
    } else {
        from += strcspn(from, ",\n");
        to = from;
        while (to > *cell && strchr(" \t\r", to[-1]))
            to--;
        *cell += strspn(*cell, " \t");
        to = to < *cell ? *cell : to;
    }
    *is_last = *from != ',';
    trace->at = *from ? from + 1 : from;
    *to = '\0';
    return COR_OK;
}

static enum cor_status read_names(struct trace *trace, struct cor_error *error) {
    struct cor_words known;
    enum cor_status status = COR_OK;
    bool is_last = false;
    uint32_t word;
    cor_words_init(&known);
    trace->line = 1;
    while (!is_last) {
        char *name, text[300];
        COR_TRY_OUT(take_cell(trace, &name, &is_last, error));
        if (trace->column_count == JUDGE_TRACE_COLUMNS_MAX) {
            snprintf(text, sizeof text, "names more than %d columns", JUDGE_TRACE_COLUMNS_MAX);
            COR_TRY_OUT(complain(trace, error, "leave out what the formula does not name", text));
        }
        if (*name && cor_words_find(&known, name) != COR_NONE) {
            snprintf(text, sizeof text, "names two columns \"%.200s\"", name);
            COR_TRY_OUT(complain(trace, error, NULL, text));
        }
        COR_TRY_OUT(cor_words_intern(&known, name, &word, error));
        COR_TRY_OUT(COR_RESERVE(&trace->names, &trace->name_capacity, trace->column_count + 2, error));
        trace->names[trace->column_count++] = name;
        trace->names[trace->column_count] = NULL;
    }
    if (trace->column_count == 1 && !trace->names[0][0])
        COR_TRY_OUT(complain(trace, error, "the first line names the conditions", "has no columns"));
    trace->is_used = cor_calloc(trace->column_count, sizeof *trace->is_used);
    trace->conditions = cor_calloc(trace->column_count, sizeof *trace->conditions);
    if (!trace->is_used || !trace->conditions)
        COR_TRY_OUT(cor_fail_memory(error));
out:
    cor_words_fini(&known);
    return status;
}

/* Which columns the formula names. */
static void find_used(struct trace *trace, const char *formula) {
    for (const char *at = formula; *at;) {
        size_t length = 0;
        while (isalnum((unsigned char)at[length]) || (at[length] && strchr("_.", at[length])))
            length++;
        for (size_t c = 0; length > 0 && c < trace->column_count; c++)
            if (strlen(trace->names[c]) == length && strncmp(trace->names[c], at, length) == 0)
                trace->is_used[c] = true;
        at += length > 0 ? length : 1;
    }
    for (size_t c = 0; c < trace->column_count; c++)
        trace->used_count += trace->is_used[c];
}

static enum cor_status keep_state(struct trace *trace, uint64_t state, struct cor_error *error) {
    size_t at = state * trace->used_count;
    COR_TRY(COR_RESERVE(&trace->states, &trace->state_capacity, at + trace->used_count, error));
    for (size_t c = 0; c < trace->column_count; c++)
        if (trace->is_used[c])
            trace->states[at++] = trace->conditions[c];
    return COR_OK;
}

/* Why the formula is violated: it is read once more, over the columns that it names. */
static enum cor_status find_reasons(const struct trace *trace, const char *formula,
                                    struct judge_trace_verdict *verdict, struct cor_error *error) {
    struct cor_temporal *temporal = NULL;
    enum cor_status status = COR_OK;
    const bool is_open = verdict->decided == COR_TEMPORAL_OPEN;
    size_t count = 0;
    verdict->names = cor_calloc(trace->used_count + 1, sizeof *verdict->names);
    COR_TRY(cor_made(verdict->names, error));
    for (size_t c = 0; c < trace->column_count; c++)
        if (trace->is_used[c])
            verdict->names[count++] = trace->names[c];
    COR_TRY_OUT(cor_temporal_parse(formula, verdict->names, "--formula", &temporal, error));
    COR_TRY_OUT(cor_temporal_reasons(temporal, trace->states, trace->used_count,
                                     is_open ? verdict->states : verdict->decided + 1, !is_open,
                                     &verdict->reasons, &verdict->reason_count, &verdict->is_enough, error));
out:
    cor_temporal_destroy(temporal);
    return status;
}

static enum cor_status read_condition(struct trace *trace, size_t column, const char *cell,
                                      struct cor_error *error) {
    static const struct {
        const char *word;
        enum cor_temporal_value value;
    } words[] = {{"true", COR_TEMPORAL_HOLDS},     {"1", COR_TEMPORAL_HOLDS},    {"+", COR_TEMPORAL_HOLDS},
                 {"false", COR_TEMPORAL_VIOLATED}, {"0", COR_TEMPORAL_VIOLATED}, {"-", COR_TEMPORAL_VIOLATED},
                 {"?", COR_TEMPORAL_UNKNOWN}};
    char text[500];
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (strcmp(cell, words[w].word) == 0) {
            trace->conditions[column] = (uint8_t)words[w].value;
            return COR_OK;
        }
    if (*cell)
        snprintf(text, sizeof text, "\"%.200s\" is \"%.200s\", which is no truth value", trace->names[column],
                 cell);
    else
        snprintf(text, sizeof text, "nothing says whether \"%.200s\" holds", trace->names[column]);
    return complain(trace, error, "true, 1, +; false, 0, -; or ? where it is unknown", text);
}

static enum cor_status read_state(struct trace *trace, struct cor_error *error) {
    bool is_last = false;
    size_t count = 0;
    char text[200];
    while (!is_last) {
        char *cell;
        COR_TRY(take_cell(trace, &cell, &is_last, error));
        if (count < trace->column_count && trace->is_used[count])
            COR_TRY(read_condition(trace, count, cell, error));
        count++;
    }
    if (count == trace->column_count)
        return COR_OK;
    snprintf(text, sizeof text, "has %zu cell%s, and the first line names %zu column%s", count,
             count == 1 ? "" : "s", trace->column_count, trace->column_count == 1 ? "" : "s");
    return complain(trace, error, NULL, text);
}

static enum cor_status follow(struct trace *trace, struct cor_temporal_watch *watch,
                              struct judge_trace_verdict *verdict, struct cor_error *error) {
    for (trace->line = 2; *trace->at; trace->line++) {
        COR_TRY(read_state(trace, error));
        COR_TRY(cor_temporal_step(watch, trace->conditions, error));
        if (cor_temporal_decided_at(watch) == COR_TEMPORAL_OPEN ||
            cor_temporal_decided_at(watch) == verdict->states)
            COR_TRY(keep_state(trace, verdict->states, error));
        verdict->states++;
    }
    if (verdict->states == 0) {
        trace->line = 1;
        return complain(trace, error, "each line behind it is a state",
                        "names columns, and no state follows");
    }
    verdict->value = cor_temporal_verdict(watch);
    verdict->decided = cor_temporal_decided_at(watch);
    return COR_OK;
}

enum cor_status judge_trace(const char *formula, const char *path, struct judge_trace_verdict *verdict,
                            struct cor_error *error) {
    struct trace trace = {.path = cor_json_path_name(path)};
    struct cor_temporal *temporal = NULL;
    struct cor_temporal_watch *watch = NULL;
    size_t length;
    enum cor_status status = COR_OK;
    *verdict = (struct judge_trace_verdict){0};
    COR_TRY_OUT(cor_json_read_text(path, &trace.text, &length, error));
    if (strlen(trace.text) != length)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, trace.path, "a trace is lines of text",
                             "there is a zero byte in it"));
    trace.at = trace.text;
    COR_TRY_OUT(read_names(&trace, error));
    find_used(&trace, formula);
    COR_TRY_OUT(cor_temporal_parse(formula, trace.names, "--formula", &temporal, error));
    COR_TRY_OUT(cor_temporal_watch_create(temporal, &watch, error));
    COR_TRY_OUT(follow(&trace, watch, verdict, error));
    if (verdict->value == COR_TEMPORAL_VIOLATED) {
        COR_TRY_OUT(find_reasons(&trace, formula, verdict, error));
        verdict->text = trace.text; /* in which the names are */
        trace.text = NULL;
    }
out:
    cor_temporal_watch_destroy(watch);
    cor_temporal_destroy(temporal);
    free((void *)trace.names);
    free(trace.is_used);
    free(trace.conditions);
    free(trace.states);
    free(trace.text);
    if (status != COR_OK)
        judge_trace_fini(verdict);
    return status;
}

void judge_trace_fini(struct judge_trace_verdict *verdict) {
    free(verdict->reasons);
    free((void *)verdict->names);
    free(verdict->text);
    *verdict = (struct judge_trace_verdict){0};
}
