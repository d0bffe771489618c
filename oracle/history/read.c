/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of histories. EDN and JSON are read by one reader: to it a colon behind a key is a blank, as a comma
 * is, and null is nil. */
#include "calls.h"

#include <corridor/delimited.h>
#include <corridor/json.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MOST 64

static const char *skip_blanks(const char *at) {
    for (;;) {
        at += strspn(at, " \t\r\n,");
        if (*at != ';')
            return at;
        at += strcspn(at, "\n");
    }
}

/* Behind a bare word. */
static const char *word_end(const char *at) {
    return at + strcspn(at, " \t\r\n,;\"()[]{}");
}

/* ---- values */

static enum cor_status read_string(struct cor_call_values *values, const char **at, const char *place,
                                   uint32_t *value, struct cor_error *error) {
    static const char escapes[] = "\"\"\\\\//n\nt\tr\rb\bf\f";
    struct cor_bytes text = {0};
    enum cor_status status = COR_OK;
    const char *from = *at + 1;
    for (; *from && *from != '"'; from++) {
        char sign = *from;
        if (sign == '\\') {
            const char *escape = escapes;
            sign = *++from;
            while (*escape && (*escape != sign || !sign))
                escape += 2;
            unsigned code;
            if (*escape) {
                sign = escape[1];
            } else if (sign == 'u' && sscanf(from + 1, "%4x", &code) == 1 && strlen(from) > 4) {
                if (code >= 0x800)
                    cor_bytes_put_number(&text, 0xE0 | code >> 12, 1);
                if (code >= 0x80)
                    cor_bytes_put_number(&text, code >= 0x800 ? 0x80 | (code >> 6 & 0x3F) : 0xC0 | code >> 6,
                                         1);
                sign = (char)(code >= 0x80 ? 0x80 | (code & 0x3F) : code);
                from += 4;
            } else {
                COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, place, NULL,
                                     "a string has an escape that means nothing, \\%.1s", from));
            }
        }
        cor_bytes_put(&text, &sign, 1);
    }
    if (!*from)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, place, NULL, "a string begins, and does not end"));
    *at = from + 1;
    if (text.status != COR_OK)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(cor_call_values_word(values, cor_bytes_text(&text), text.size, value, error));
out:
    cor_bytes_fini(&text);
    return status;
}

static enum cor_status read_bare(struct cor_call_values *values, const char **at, const char *place,
                                 uint32_t *value, struct cor_error *error) {
    const char *from = *at, *to = word_end(from);
    char word[64], *end;
    snprintf(word, sizeof word, "%.*s", (int)(to - from), from);
    *at = to;
    if (strcmp(word, "nil") == 0 || strcmp(word, "null") == 0) {
        *value = COR_CALL_NIL;
        return COR_OK;
    }
    if (isdigit((unsigned char)word[0]) ||
        ((word[0] == '-' || word[0] == '+') && isdigit((unsigned char)word[1]))) {
        errno = 0;
        const int64_t integer = strtoll(word, &end, 10);
        if (errno == 0 && (size_t)(to - from) < sizeof word && (!*end || strcmp(end, "N") == 0))
            return cor_call_values_integer(values, integer, value, error);
        return cor_fail(error, COR_STATUS_INPUT, place, "values are words, integers and lists of these",
                        "%s is no integer of 64 bits", word);
    }
    if (*from == ':')
        from++;
    if (from == to || *from == '#' || *from == '\\' || *from == '^' || *from == '\'')
        return cor_fail(error, COR_STATUS_INPUT, place, "values are words, integers and lists of these",
                        "expected a value, found \"%.20s\"", word);
    return cor_call_values_word(values, from, (size_t)(to - from), value, error);
}

static enum cor_status read_value(struct cor_call_values *values, const char **at, const char *place,
                                  unsigned depth, uint32_t *value, struct cor_error *error) {
    struct history__words items = {0};
    enum cor_status status = COR_OK;
    const char *from = skip_blanks(*at);
    if (*from == '"') {
        *at = from;
        return read_string(values, at, place, value, error);
    }
    const bool is_set = from[0] == '#' && from[1] == '{';
    if (*from != '[' && *from != '(' && !is_set) {
        *at = from;
        if (*from == '{')
            return cor_fail(error, COR_STATUS_INPUT, place, "values are words, integers and lists of these",
                            "a map is no value of a call");
        return read_bare(values, at, place, value, error);
    }
    const char close = *from == '[' ? ']' : is_set ? '}' : ')';
    if (depth == DEPTH_MOST)
        return cor_fail(error, COR_STATUS_INPUT, place, NULL, "lists lie in lists, more than %d deep",
                        DEPTH_MOST);
    for (from = skip_blanks(from + (is_set ? 2 : 1)); *from != close; from = skip_blanks(from)) {
        uint32_t item;
        if (!*from)
            COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, place, NULL, "a list begins, and does not end"));
        COR_TRY_OUT(read_value(values, &from, place, depth + 1, &item, error));
        COR_TRY_OUT(COR_RESERVE(&items.words, &items.capacity, items.count + 1, error));
        items.words[items.count++] = item;
    }
    *at = from + 1;
    COR_TRY_OUT(cor_call_values_list(values, items.words, (uint32_t)items.count, value, error));
out:
    free(items.words);
    return status;
}

enum cor_status cor_call_values_read(struct cor_call_values *values, const char **at, const char *place,
                                     uint32_t *value, struct cor_error *error) {
    return read_value(values, at, place, 0, value, error);
}

/* Behind a value of any kind, also of those that are none of calls; NULL: there is none, or it does not end.
 */
static const char *skip_value(const char *at) {
    size_t depth = 0;
    do {
        at = skip_blanks(at);
        if (!*at)
            return NULL;
        if (*at == '"') {
            for (at++; *at && *at != '"'; at++)
                at += *at == '\\' && at[1];
            if (!*at++)
                return NULL;
        } else if (strchr("([{", *at) || (*at == '#' && at[1] == '{')) {
            depth++;
            at += *at == '#' ? 2 : 1;
        } else if (strchr(")]}", *at)) {
            if (depth == 0)
                return NULL;
            depth--;
            at++;
        } else if (*at == '#') {
            at = word_end(at + 1); /* a tag, with a value behind it */
            if (depth == 0)
                return skip_value(at);
        } else {
            at += *at == '\\' && at[1] ? 2 : 0;
            at = word_end(at);
        }
    } while (depth > 0);
    return at;
}

/* ---- operations */

/* What a line says of an operation; texts of the file, in which `key` and `value` may be missing. */
enum { PROCESS, TYPE, WHAT, KEY, VALUE, INDEX, TIME, MEMBERS };
static const char *const member_names[MEMBERS + 1] = {"process", "type",  "f",    "key",
                                                      "value",   "index", "time", NULL};

struct operation {
    const char *members[MEMBERS]; /* where the value begins; NULL: it is missing */
};

struct reader {
    struct cor_history *history;
    const char *name;
    const char *counted;     /* up to where lines were counted, */
    uint64_t line;           /* and the line there */
    struct cor_pool indices; /* that operations have */
    uint64_t *index_lines;   /* owned; [index] */
    size_t index_capacity;
    struct cor_pool processes; /* that called; as integers */
    struct doing {             /* [process] */
        bool is_open;
        size_t call;
        bool has_time;
        int64_t time;
    } * doing; /* owned */
    size_t doing_capacity;
    char place[600];
};

/* Sets the place to the line of this text. */
static void set_place(struct reader *reader, const char *at) {
    for (; reader->counted < at; reader->counted++)
        reader->line += *reader->counted == '\n';
    snprintf(reader->place, sizeof reader->place, "%.500s:%" PRIu64, reader->name, reader->line);
}

static enum cor_status fail(const struct reader *reader, struct cor_error *error, const char *remedy,
                            const char *cause) {
    return cor_fail(error, COR_STATUS_INPUT, reader->place, remedy, "%s", cause);
}

/* The word, without colon or quotation marks. */
static void take_word(const char *at, char *word, size_t size) {
    at += *at == ':' || *at == '"';
    snprintf(word, size, "%.*s", (int)(word_end(at) - at), at);
}

static bool take_integer(const char *at, int64_t *integer) {
    char word[32], *end;
    if (!at || word_end(at) - at >= (ptrdiff_t)sizeof word)
        return false;
    take_word(at, word, sizeof word);
    errno = 0;
    *integer = strtoll(word, &end, 10);
    return errno == 0 && end != word && !*end && *at != ':' && *at != '"';
}

static enum cor_status check_index(struct reader *reader, const char *text, struct cor_error *error) {
    const uint32_t count = reader->indices.count;
    char cause[200];
    int64_t index;
    uint32_t number;
    if (!text)
        return COR_OK;
    if (!take_integer(text, &index))
        return fail(reader, error, NULL, "the index is no integer");
    COR_TRY(cor_pool_add(&reader->indices, &index, sizeof index, &number, error));
    if (number < count) {
        snprintf(cause, sizeof cause, "index %" PRId64 " stands in line %" PRIu64 ", too", index,
                 reader->index_lines[number]);
        return fail(reader, error, "each operation has an index of its own", cause);
    }
    COR_TRY(COR_RESERVE(&reader->index_lines, &reader->index_capacity, (size_t)count + 1, error));
    reader->index_lines[number] = reader->line;
    return COR_OK;
}

/* Key and value of the operation. Without a key, a pair is both, as Jepsen's independent objects have it. */
static enum cor_status read_key_and_value(struct reader *reader, const struct operation *operation,
                                          uint32_t *key, uint32_t *value, struct cor_error *error) {
    struct cor_call_values *values = &reader->history->values;
    const char *at = operation->members[KEY];
    uint32_t count;
    *key = *value = COR_CALL_NIL;
    if (at)
        COR_TRY(cor_call_values_read(values, &at, reader->place, key, error));
    at = operation->members[VALUE];
    if (at)
        COR_TRY(cor_call_values_read(values, &at, reader->place, value, error));
    const void *items = cor_call_values_items(values, *value, &count);
    if (reader->history->is_keyed && *key == COR_CALL_NIL && items && count == 2) {
        memcpy(key, items, sizeof *key);
        memcpy(value, (const char *)items + sizeof *key, sizeof *value);
    }
    return COR_OK;
}

static enum cor_status take_end(struct reader *reader, struct doing *doing, int64_t process, const char *type,
                                const char *what, const struct operation *operation,
                                struct cor_error *error) {
    struct cor_history *history = reader->history;
    char cause[400];
    uint32_t key, value;
    int64_t time;
    if (!doing->is_open) {
        snprintf(cause, sizeof cause, "process %" PRId64 " returns, and has called nothing", process);
        return fail(reader, error, "an operation is invoked before it is ok, fails or is unknown", cause);
    }
    const struct cor_call *call = &history->calls[doing->call];
    if (strcmp(history__word(call->operation), what) != 0) {
        snprintf(cause, sizeof cause, "process %" PRId64 " returns from %s, and line %" PRIu64 " called %s",
                 process, what, call->line, history__word(call->operation));
        return fail(reader, error, NULL, cause);
    }
    if (doing->has_time && take_integer(operation->members[TIME], &time) && time < doing->time) {
        snprintf(cause, sizeof cause,
                 "the call of line %" PRIu64 " ends at time %" PRId64 ", and began at %" PRId64, call->line,
                 time, doing->time);
        return fail(reader, error, NULL, cause);
    }
    doing->is_open = false;
    if (strcmp(type, "info") == 0)
        return COR_OK;
    if (strcmp(type, "fail") == 0)
        return cor_history_failed(history, doing->call, reader->place, error);
    COR_TRY(read_key_and_value(reader, operation, &key, &value, error));
    if (key != COR_CALL_NIL && key != call->key)
        return fail(reader, error, NULL, "it returns with another key than it was called with");
    return cor_history_return(history, doing->call, value, reader->place, error);
}

/* Takes the operation; its place is set. */
static enum cor_status take_operation(struct reader *reader, const struct operation *operation,
                                      struct cor_error *error) {
    static const char *const types[] = {"invoke", "ok", "fail", "info", NULL};
    struct cor_history *history = reader->history;
    char type[64], what[64], text[600];
    int64_t process;
    uint32_t number, key, value;
    for (int m = PROCESS; m <= WHAT; m++)
        if (!operation->members[m]) {
            snprintf(text, sizeof text, "nothing says the operation's %s", member_names[m]);
            return fail(reader, error, "an operation has process, type, f and value", text);
        }
    if (!take_integer(operation->members[PROCESS], &process)) {
        take_word(operation->members[PROCESS], what, sizeof what);
        if (strcmp(what, "nemesis") == 0)
            return COR_OK;
        snprintf(text, sizeof text, "process \"%s\" is no number, and not nemesis", what);
        return fail(reader, error, NULL, text);
    }
    if (process < 0 || process >= UINT32_MAX)
        return fail(reader, error, "processes have numbers of 32 bits, from 0", "there is no such process");
    take_word(operation->members[TYPE], type, sizeof type);
    take_word(operation->members[WHAT], what, sizeof what);
    if (!cor_is_among(types, type)) {
        cor_known_names(type, types, text, sizeof text);
        return cor_fail(error, COR_STATUS_INPUT, reader->place, text, "\"%s\" is no type of an operation",
                        type);
    }
    COR_TRY(check_index(reader, operation->members[INDEX], error));
    const uint32_t known = reader->processes.count;
    COR_TRY(COR_RESERVE(&reader->doing, &reader->doing_capacity, (size_t)known + 1, error));
    COR_TRY(cor_pool_add(&reader->processes, &process, sizeof process, &number, error));
    struct doing *doing = &reader->doing[number];
    if (number == known)
        *doing = (struct doing){0};
    if (strcmp(type, "invoke") != 0)
        return take_end(reader, doing, process, type, what, operation, error);
    if (doing->is_open) {
        snprintf(text, sizeof text, "process %" PRId64 " calls, and its call of line %" PRIu64 " is open",
                 process, history->calls[doing->call].line);
        return fail(reader, error, "a process does one thing at a time; of what never returns, say :info",
                    text);
    }
    COR_TRY(read_key_and_value(reader, operation, &key, &value, error));
    COR_TRY(
        cor_history_call(history, (uint32_t)process, what, key, value, reader->place, &doing->call, error));
    history->calls[doing->call].line = reader->line;
    doing->has_time = take_integer(operation->members[TIME], &doing->time);
    doing->is_open = true;
    return COR_OK;
}

/* ---- forms */

/* Maps, one behind the other or in a list: EDN and JSON. */
static enum cor_status read_maps(struct reader *reader, const char *at, struct cor_error *error) {
    at = skip_blanks(at);
    const char close = *at == '[' ? ']' : *at == '(' ? ')' : '\0';
    if (close)
        at = skip_blanks(at + 1);
    while (*at != close) {
        struct operation operation = {{NULL}};
        set_place(reader, at);
        if (*at == '#' && at[1] != '{')
            at = skip_blanks(word_end(at + 1)); /* #jepsen.history.Op */
        if (!*at)
            return fail(reader, error, NULL, "the list of operations does not end");
        if (*at != '{')
            return fail(reader, error,
                        "an operation is a map: {:process 0, :type :invoke, :f :read, :value nil}",
                        "expected an operation");
        for (at = skip_blanks(at + 1); *at != '}'; at = skip_blanks(at)) {
            char name[64];
            const bool has_colon = *at == '"'; /* between key and value */
            take_word(at, name, sizeof name);
            at = skip_value(at);
            at = at ? skip_blanks(at) : NULL;
            at += at && has_colon && *at == ':';
            const char *value = at;
            at = at && *skip_blanks(at) != '}' ? skip_value(at) : NULL;
            if (!at)
                return fail(reader, error, "was the file cut?", "an operation begins, and does not end");
            for (int m = 0; m < MEMBERS; m++)
                if (strcmp(name, member_names[m]) == 0)
                    operation.members[m] = skip_blanks(value);
        }
        at = skip_blanks(at + 1);
        COR_TRY(take_operation(reader, &operation, error));
    }
    set_place(reader, at);
    return close && *skip_blanks(at + 1)
               ? fail(reader, error, NULL, "something stands behind the list of operations")
               : COR_OK;
}

#define LOGGER "jepsen.util - "

/* Lines of Jepsen's log: INFO  jepsen.util - 0	:invoke	:read	nil. Others are passed over. */
static enum cor_status read_log(struct reader *reader, char *text, struct cor_error *error) {
    for (char *line = text, *end; *line; line = *end ? end + 1 : end) {
        struct operation operation = {{NULL}};
        end = line + strcspn(line, "\n");
        set_place(reader, line);
        const char kept = *end;
        *end = '\0';
        char *at = strstr(line, LOGGER);
        enum cor_status status = COR_OK;
        if (!at) {
            reader->history->passed += line[strspn(line, " \t\r")] != '\0';
        } else {
            static const int order[] = {PROCESS, TYPE, WHAT, VALUE};
            at += strlen(LOGGER);
            for (size_t m = 0; m < sizeof order / sizeof *order; m++) {
                at += strspn(at, " \t\r");
                operation.members[order[m]] = *at ? at : NULL;
                at += strcspn(at, " \t\r");
            }
            status = take_operation(reader, &operation, error);
        }
        *end = kept;
        COR_TRY(status);
    }
    return COR_OK;
}

static enum cor_status read_table(struct reader *reader, const char *text, size_t length,
                                  struct cor_error *error) {
    enum { COLUMNS_MOST = 64 };
    struct cor_delimited table = cor_delimited_begin(text, length, reader->name, ',', error);
    int columns[COLUMNS_MOST];
    size_t count = 0, starts[MEMBERS];
    struct cor_bytes row = {0};
    enum cor_status status = COR_OK;
    bool is_last = false;
    while (!is_last && count < COLUMNS_MOST) {
        COR_TRY_OUT(cor_delimited_next(&table, &is_last));
        columns[count] = MEMBERS;
        for (int m = 0; m < MEMBERS; m++)
            if (strcmp(table.field, member_names[m]) == 0)
                columns[count] = m;
        count++;
    }
    while (!cor_delimited_is_over(&table)) {
        struct operation operation = {{NULL}};
        size_t column = 0;
        cor_bytes_clear(&row);
        set_place(reader, table.at);
        for (int m = 0; m < MEMBERS; m++)
            starts[m] = SIZE_MAX;
        for (is_last = false; !is_last; column++) {
            COR_TRY_OUT(cor_delimited_next(&table, &is_last));
            if (column >= count || columns[column] == MEMBERS || (!table.is_quoted && !table.field[0]))
                continue;
            const char first = table.field[strspn(table.field, " ")];
            starts[columns[column]] = row.size;
            if (columns[column] < KEY || first == '[' || first == '(' ||
                (!table.is_quoted && !*word_end(table.field))) {
                cor_bytes_put_text(&row, table.field);
            } else {
                cor_bytes_put(&row, "\"", 1);
                for (const char *sign = table.field; *sign; sign++) {
                    if (*sign == '"' || *sign == '\\')
                        cor_bytes_put(&row, "\\", 1);
                    cor_bytes_put(&row, sign, 1);
                }
                cor_bytes_put_text(&row, "\"");
            }
        }
        if (column != count)
            COR_TRY_OUT(fail(reader, error, NULL, "has not as many cells as the first line names columns"));
        if (row.status != COR_OK)
            COR_TRY_OUT(cor_fail_memory(error));
        for (int m = 0; m < MEMBERS; m++)
            operation.members[m] = starts[m] == SIZE_MAX ? NULL : cor_bytes_text(&row) + starts[m];
        COR_TRY_OUT(take_operation(reader, &operation, error));
    }
out:
    cor_bytes_fini(&row);
    free(table.field);
    return status;
}

enum cor_status cor_history_read(const char *path, struct cor_history *history, struct cor_error *error) {
    struct reader reader = {.history = history,
                            .name = cor_json_path_name(path),
                            .line = 1,
                            .indices = {.size = sizeof(int64_t)},
                            .processes = {.size = sizeof(int64_t)}};
    char *text = NULL;
    size_t length;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_json_read_text(path, &text, &length, error));
    reader.counted = text;
    set_place(&reader, text);
    if (strlen(text) != length)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, reader.name, NULL, "has zero bytes, and is no text"));
    const char *first = skip_blanks(text);
    const char *line_end = first + strcspn(first, "\n");
    const char *process = strstr(first, "process");
    if (strchr("{[(#", *first) && *first)
        COR_TRY_OUT(read_maps(&reader, text, error));
    else if (strstr(text, LOGGER))
        COR_TRY_OUT(read_log(&reader, text, error));
    else if (process && process < line_end && memchr(first, ',', (size_t)(line_end - first)))
        COR_TRY_OUT(read_table(&reader, text, length, error));
    else
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, reader.name,
                             "maps of EDN or objects of JSON, an operation each; Jepsen's log; or CSV with "
                             "columns process,type,f,key,value,time",
                             "is no history of calls"));
    if (history->count == 0)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, reader.name, NULL, "has no call of a process"));
out:
    cor_pool_fini(&reader.indices);
    cor_pool_fini(&reader.processes);
    free(reader.index_lines);
    free(reader.doing);
    free(text);
    return status;
}
