/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values */

enum { WORD = 'w', INTEGER = 'i', LIST = 'l', NIL = 'n' };
enum { TRUE = 2, FALSE = 3 }; /* values that are always there, behind nil and HISTORY__NO_WORD */

static enum cor_status add_value(struct cor_call_values *values, char kind, const void *content, size_t size,
                                 uint32_t *value, struct cor_error *error) {
    unsigned char few[256], *item = few;
    if (size >= sizeof few)
        item = malloc(size + 1);
    COR_TRY(cor_made(item, error));
    item[0] = (unsigned char)kind;
    if (size > 0)
        memcpy(item + 1, content, size);
    const enum cor_status status = cor_pool_add(&values->pool, item, size + 1, value, error);
    if (item != few)
        free(item);
    return status;
}

enum cor_status cor_call_values_init(struct cor_call_values *values, struct cor_error *error) {
    uint32_t value;
    *values = (struct cor_call_values){0};
    COR_TRY(add_value(values, NIL, NULL, 0, &value, error));
    COR_TRY(cor_call_values_word(values, "", 0, &value, error));
    COR_TRY(cor_call_values_word(values, "true", 4, &value, error));
    return cor_call_values_word(values, "false", 5, &value, error);
}

void cor_call_values_fini(struct cor_call_values *values) {
    cor_pool_fini(&values->pool);
}

enum cor_status cor_call_values_integer(struct cor_call_values *values, int64_t integer, uint32_t *value,
                                        struct cor_error *error) {
    return add_value(values, INTEGER, &integer, sizeof integer, value, error);
}

enum cor_status cor_call_values_word(struct cor_call_values *values, const char *word, size_t length,
                                     uint32_t *value, struct cor_error *error) {
    return add_value(values, WORD, word, length, value, error);
}

enum cor_status cor_call_values_list(struct cor_call_values *values, const uint32_t *items, uint32_t count,
                                     uint32_t *value, struct cor_error *error) {
    return add_value(values, LIST, items, (size_t)count * sizeof *items, value, error);
}

static char kind_of(const struct cor_call_values *values, uint32_t value) {
    return *(const char *)cor_pool_item(&values->pool, value);
}

static int64_t integer_of(const struct cor_call_values *values, uint32_t value) {
    int64_t integer;
    memcpy(&integer, (const char *)cor_pool_item(&values->pool, value) + 1, sizeof integer);
    return integer;
}

const void *cor_call_values_items(const struct cor_call_values *values, uint32_t value, uint32_t *count) {
    if (kind_of(values, value) != LIST)
        return NULL;
    *count = (uint32_t)((cor_pool_item_size(&values->pool, value) - 1) / sizeof(uint32_t));
    return (const char *)cor_pool_item(&values->pool, value) + 1;
}

static uint32_t item_of(const void *items, uint32_t index) {
    uint32_t item;
    memcpy(&item, (const char *)items + index * sizeof item, sizeof item);
    return item;
}

/* The word, or the digits of an integer, without quotation marks. */
static void print_bare(const struct cor_call_values *values, uint32_t value, struct cor_bytes *text) {
    if (kind_of(values, value) == INTEGER)
        cor_bytes_print(text, "%" PRId64, integer_of(values, value));
    else
        cor_bytes_put(text, (const char *)cor_pool_item(&values->pool, value) + 1,
                      cor_pool_item_size(&values->pool, value) - 1);
}

/* As it is said on a line of a terminal, in XML and JSON: what is no character of these is a question mark.
 */
static void print_shown(const struct cor_call_values *values, uint32_t value, struct cor_bytes *text) {
    const size_t size = cor_pool_item_size(&values->pool, value) - 1;
    COR_FREED char *shown = malloc(size + 1);
    if (!shown) {
        text->status = COR_STATUS_MEMORY;
        return;
    }
    memcpy(shown, (const char *)cor_pool_item(&values->pool, value) + 1, size);
    shown[size] = '\0';
    for (size_t c = 0; c < size; c++)
        if (shown[c] == '\0' || shown[c] == '\n' || shown[c] == '\t' ||
            strncmp(shown + c, "\xef\xbf\xbe", 3) == 0 || strncmp(shown + c, "\xef\xbf\xbf", 3) == 0)
            shown[c] = '?';
    cor_make_printable(shown);
    cor_bytes_put(text, shown, size);
}

#define ITEMS_SAID 20u

void cor_call_values_print(const struct cor_call_values *values, uint32_t value, struct cor_bytes *text) {
    uint32_t count;
    const void *items = cor_call_values_items(values, value, &count);
    if (value == COR_CALL_NIL) {
        cor_bytes_print(text, "nil");
    } else if (items) {
        cor_bytes_print(text, "[");
        for (uint32_t i = 0; i < count && i < ITEMS_SAID; i++) {
            cor_bytes_print(text, i > 0 ? ", " : "");
            cor_call_values_print(values, item_of(items, i), text);
        }
        cor_bytes_print(text, count > ITEMS_SAID ? ", and %" PRIu32 " more]" : "]", count - ITEMS_SAID);
    } else if (kind_of(values, value) == INTEGER || value == TRUE || value == FALSE) {
        print_bare(values, value, text);
    } else {
        cor_bytes_print(text, "\"");
        print_shown(values, value, text);
        cor_bytes_print(text, "\"");
    }
}

/* ---- operations */

const char *const cor_object_words[COR_OBJECT_COUNT + 1] = {
    "register", "cas_register", "map", "set", "queue", "stack", "counter", "lock", "log", NULL};

enum argument { OF_NOTHING, OF_VALUE, OF_WORD, OF_INTEGER, OF_PAIR };
enum returned { NOTHING, A_VALUE, AN_INTEGER, A_LIST, WHETHER_DONE, WHETHER };

static const struct operation {
    const char *word;
    bool only_reads;
    enum argument argument;
    enum returned returned;
} operations[HISTORY__OPERATION_COUNT] = {
    [HISTORY__READ] = {"read", true, OF_NOTHING, A_VALUE}, /* of some objects others, returned_by */
    [HISTORY__WRITE] = {"write", false, OF_VALUE, NOTHING},
    [HISTORY__CAS] = {"cas", false, OF_PAIR, WHETHER_DONE},
    [HISTORY__GET] = {"get", true, OF_NOTHING, A_VALUE},
    [HISTORY__PUT] = {"put", false, OF_VALUE, NOTHING},
    [HISTORY__APPEND] = {"append", false, OF_VALUE, NOTHING}, /* of a map OF_WORD */
    [HISTORY__DELETE] = {"delete", false, OF_NOTHING, NOTHING},
    [HISTORY__ADD] = {"add", false, OF_VALUE, NOTHING}, /* of a counter OF_INTEGER */
    [HISTORY__REMOVE] = {"remove", false, OF_VALUE, NOTHING},
    [HISTORY__CONTAINS] = {"contains", true, OF_VALUE, WHETHER},
    [HISTORY__ENQUEUE] = {"enqueue", false, OF_VALUE, NOTHING},
    [HISTORY__DEQUEUE] = {"dequeue", false, OF_NOTHING, A_VALUE},
    [HISTORY__PUSH] = {"push", false, OF_VALUE, NOTHING},
    [HISTORY__POP] = {"pop", false, OF_NOTHING, A_VALUE},
    [HISTORY__ACQUIRE] = {"acquire", false, OF_NOTHING, WHETHER_DONE},
    [HISTORY__RELEASE] = {"release", false, OF_NOTHING, WHETHER_DONE},
};

#define BIT(operation) (1u << HISTORY__##operation)
static const uint32_t operations_of[COR_OBJECT_COUNT] = {
    [COR_OBJECT_REGISTER] = BIT(READ) | BIT(WRITE),
    [COR_OBJECT_CAS_REGISTER] = BIT(READ) | BIT(WRITE) | BIT(CAS),
    [COR_OBJECT_MAP] = BIT(GET) | BIT(PUT) | BIT(APPEND) | BIT(DELETE),
    [COR_OBJECT_SET] = BIT(ADD) | BIT(REMOVE) | BIT(CONTAINS) | BIT(READ),
    [COR_OBJECT_QUEUE] = BIT(ENQUEUE) | BIT(DEQUEUE),
    [COR_OBJECT_STACK] = BIT(PUSH) | BIT(POP),
    [COR_OBJECT_COUNTER] = BIT(ADD) | BIT(READ),
    [COR_OBJECT_LOCK] = BIT(ACQUIRE) | BIT(RELEASE),
    [COR_OBJECT_LOG] = BIT(APPEND) | BIT(READ),
};

const char *history__word(uint32_t operation) {
    return operations[operation].word;
}

bool history__only_reads(uint32_t operation) {
    return operations[operation].only_reads;
}

static enum argument argument_of(enum cor_object object, uint32_t operation) {
    return object == COR_OBJECT_MAP && operation == HISTORY__APPEND    ? OF_WORD
           : object == COR_OBJECT_COUNTER && operation == HISTORY__ADD ? OF_INTEGER
                                                                       : operations[operation].argument;
}

static enum returned returned_by(enum cor_object object, uint32_t operation) {
    return operation != HISTORY__READ                             ? operations[operation].returned
           : object == COR_OBJECT_COUNTER                         ? AN_INTEGER
           : object == COR_OBJECT_SET || object == COR_OBJECT_LOG ? A_LIST
                                                                  : A_VALUE;
}

bool cor_call_tells(const struct cor_history *history, const struct cor_call *call) {
    return call->end == COR_CALL_RETURNED && returned_by(history->object, call->operation) != NOTHING;
}

uint32_t history__first_state(enum cor_object object, uint32_t *words) {
    words[0] = words[1] = 0;
    return object == COR_OBJECT_COUNTER ? 2 : object <= COR_OBJECT_MAP || object == COR_OBJECT_LOCK ? 1 : 0;
}

/* "a" and "b" to "ab"; a list gets an item more. */
static enum cor_status append_to(struct cor_call_values *values, uint32_t state, uint32_t argument,
                                 uint32_t *made, struct cor_error *error) {
    struct cor_bytes text = {0};
    uint32_t count;
    const void *items = cor_call_values_items(values, state, &count);
    if (items) {
        cor_bytes_put(&text, items, (size_t)count * sizeof count);
        cor_bytes_put(&text, &argument, sizeof argument);
    } else {
        if (state != COR_CALL_NIL)
            print_bare(values, state, &text);
        print_bare(values, argument, &text);
    }
    enum cor_status status = text.status;
    if (status == COR_OK)
        status = add_value(values, items ? LIST : WORD, text.bytes, text.size, made, error);
    else
        cor_fail_memory(error);
    cor_bytes_fini(&text);
    return status;
}

static size_t place_in(const uint32_t *words, size_t count, uint32_t word) {
    size_t at = 0;
    while (at < count && words[at] < word)
        at++;
    return at;
}

static int64_t counter_of(const uint32_t *state) {
    int64_t counter;
    memcpy(&counter, state, sizeof counter);
    return counter;
}

enum cor_status history__apply(enum cor_object object, struct cor_call_values *values,
                               const struct cor_call *call, const uint32_t *state, size_t count,
                               struct history__words *next, uint32_t *result, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&next->words, &next->capacity, count + 2, error));
    uint32_t *to = next->words;
    size_t at;
    if (count > 0)
        memcpy(to, state, count * sizeof *to);
    next->count = count;
    *result = COR_CALL_NIL;
    switch ((enum history__operation)call->operation) {
    case HISTORY__READ:
        if (object == COR_OBJECT_COUNTER)
            return cor_call_values_integer(values, counter_of(state), result, error);
        if (object == COR_OBJECT_SET || object == COR_OBJECT_LOG)
            return cor_call_values_list(values, state, (uint32_t)count, result, error);
        *result = state[0];
        break;
    case HISTORY__GET:
        *result = state[0];
        break;
    case HISTORY__WRITE:
    case HISTORY__PUT:
        to[0] = call->argument;
        break;
    case HISTORY__DELETE:
        to[0] = COR_CALL_NIL;
        break;
    case HISTORY__CAS: {
        uint32_t pair;
        const void *items = cor_call_values_items(values, call->argument, &pair);
        *result = state[0] == item_of(items, 0) ? TRUE : FALSE;
        if (*result == TRUE)
            to[0] = item_of(items, 1);
        break;
    }
    case HISTORY__APPEND:
        if (object == COR_OBJECT_MAP)
            return append_to(values, state[0], call->argument, &to[0], error);
        to[next->count++] = call->argument;
        break;
    case HISTORY__ENQUEUE:
    case HISTORY__PUSH:
        to[next->count++] = call->argument;
        break;
    case HISTORY__DEQUEUE:
        if (count > 0) {
            *result = state[0];
            memmove(to, to + 1, --next->count * sizeof *to);
        }
        break;
    case HISTORY__POP:
        if (count > 0)
            *result = to[--next->count];
        break;
    case HISTORY__ADD:
        if (object == COR_OBJECT_COUNTER) {
            const uint64_t sum = (uint64_t)counter_of(state) + (uint64_t)integer_of(values, call->argument);
            memcpy(to, &sum, sizeof sum); /* wraps, as a machine's does */
            break;
        }
        at = place_in(to, count, call->argument);
        if (at == count || to[at] != call->argument) {
            memmove(to + at + 1, to + at, (count - at) * sizeof *to);
            to[at] = call->argument;
            next->count++;
        }
        break;
    case HISTORY__REMOVE:
    case HISTORY__CONTAINS:
        at = place_in(to, count, call->argument);
        const bool is_there = at < count && to[at] == call->argument;
        if (call->operation == HISTORY__CONTAINS)
            *result = is_there ? TRUE : FALSE;
        else if (is_there)
            memmove(to + at, to + at + 1, (--next->count - at) * sizeof *to);
        break;
    case HISTORY__ACQUIRE: /* the word is the process + 1 that has it */
        *result = state[0] == 0 ? TRUE : FALSE;
        if (state[0] == 0)
            to[0] = call->process + 1;
        break;
    case HISTORY__RELEASE:
        *result = state[0] == call->process + 1 ? TRUE : FALSE;
        if (*result == TRUE)
            to[0] = 0;
        break;
    case HISTORY__OPERATION_COUNT:
        break;
    }
    return COR_OK;
}

/* ---- histories */

enum cor_status cor_history_init(struct cor_history *history, enum cor_object object, bool is_keyed,
                                 struct cor_error *error) {
    *history = (struct cor_history){.object = object, .is_keyed = is_keyed || object == COR_OBJECT_MAP};
    return cor_call_values_init(&history->values, error);
}

void cor_history_fini(struct cor_history *history) {
    cor_call_values_fini(&history->values);
    free(history->calls);
    *history = (struct cor_history){0};
}

enum cor_status cor_history_object(const char *text, const char *place, enum cor_object *object,
                                   bool *is_keyed, struct cor_error *error) {
    char word[64], known[512];
    const size_t length = strcspn(text, " ");
    const char *rest = text + length + strspn(text + length, " ");
    *is_keyed = strcmp(rest, "by key") == 0;
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    for (int o = 0; o < COR_OBJECT_COUNT; o++)
        if (strcmp(word, cor_object_words[o]) == 0 && (!*rest || *is_keyed)) {
            *object = (enum cor_object)o;
            *is_keyed = *is_keyed || o == COR_OBJECT_MAP;
            return COR_OK;
        }
    cor_known_names(word, cor_object_words, known, sizeof known);
    if (cor_is_among(cor_object_words, word))
        return cor_fail(error, COR_STATUS_INPUT, place, "it may be followed by \"by key\"",
                        "expected nothing behind the object %s, found \"%s\"", word, rest);
    return cor_fail(error, COR_STATUS_INPUT, place, known, "expected an object of calls, found \"%s\"", word);
}

/* The operation of the object that has that word. */
static enum cor_status find_operation(enum cor_object object, const char *word, const char *place,
                                      uint32_t *found, struct cor_error *error) {
    const char *names[HISTORY__OPERATION_COUNT + 1];
    char known[512];
    size_t count = 0;
    for (uint32_t o = 0; o < HISTORY__OPERATION_COUNT; o++) {
        if (!(operations_of[object] & 1u << o))
            continue;
        names[count++] = operations[o].word;
        *found = o;
        if (strcmp(word, operations[o].word) == 0)
            return COR_OK;
    }
    names[count] = NULL;
    cor_known_names(word, names, known, sizeof known);
    return cor_fail(error, COR_STATUS_INPUT, place, known, "a %s has no operation \"%s\"",
                    cor_object_words[object], word);
}

static enum cor_status check_argument(const struct cor_history *history, uint32_t operation,
                                      uint32_t argument, const char *place, struct cor_error *error) {
    static const char *const wanted[] = {"nothing", "a value", "a word", "an integer",
                                         "two values, [old, new]"};
    const enum argument kind = argument_of(history->object, operation);
    const char is = kind_of(&history->values, argument);
    uint32_t count = 0;
    (void)cor_call_values_items(&history->values, argument, &count);
    if (kind == OF_NOTHING ? argument == COR_CALL_NIL
        : kind == OF_VALUE ? argument != COR_CALL_NIL
        : kind == OF_WORD  ? is == WORD
        : kind == OF_PAIR  ? is == LIST && count == 2
                           : is == INTEGER)
        return COR_OK;
    struct cor_bytes text = {0};
    cor_call_values_print(&history->values, argument, &text);
    const enum cor_status status =
        cor_fail(error, COR_STATUS_INPUT, place, NULL, "%s of a %s is called with %s, and here with %s",
                 operations[operation].word, cor_object_words[history->object], wanted[kind],
                 argument == COR_CALL_NIL ? "nothing" : cor_bytes_text(&text));
    cor_bytes_fini(&text);
    return status;
}

enum cor_status cor_history_call(struct cor_history *history, uint32_t process, const char *operation,
                                 uint32_t key, uint32_t argument, const char *place, size_t *number,
                                 struct cor_error *error) {
    struct cor_call call = {.process = process, .key = key, .argument = argument, .ended = COR_CALL_OPEN};
    COR_TRY(find_operation(history->object, operation, place, &call.operation, error));
    if (history->is_keyed && key == COR_CALL_NIL)
        return cor_fail(error, COR_STATUS_INPUT, place, NULL, "nothing says of which key");
    if (!history->is_keyed && key != COR_CALL_NIL) {
        char remedy[100];
        snprintf(remedy, sizeof remedy, "say \"%s by key\" if each key is one",
                 cor_object_words[history->object]);
        return cor_fail(error, COR_STATUS_INPUT, place, remedy, "has a key, and there is one %s",
                        cor_object_words[history->object]);
    }
    COR_TRY(check_argument(history, call.operation, argument, place, error));
    COR_TRY(COR_RESERVE(&history->calls, &history->capacity, history->count + 1, error));
    call.called = history->events++;
    *number = history->count;
    history->calls[history->count++] = call;
    return COR_OK;
}

static enum cor_status expect_open(const struct cor_history *history, size_t number, const char *place,
                                   struct cor_error *error) {
    if (number >= history->count)
        return cor_fail(error, COR_STATUS_INPUT, place, "numbers are those that calls were given",
                        "call %zu ends, and there was none of that number", number);
    if (history->calls[number].ended != COR_CALL_OPEN)
        return cor_fail(error, COR_STATUS_INPUT, place, "a call ends once", "call %zu ends twice", number);
    return COR_OK;
}

static int compare_words(const void *a, const void *b) {
    const uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return (first > second) - (first < second);
}

/* A set as its members in the order of their numbers, each once, as history__apply gives it. */
static enum cor_status sorted(struct cor_call_values *values, uint32_t *list, struct cor_error *error) {
    uint32_t count = 0, kept = 0;
    const void *items = cor_call_values_items(values, *list, &count);
    uint32_t *words = cor_calloc(count, sizeof *words);
    COR_TRY(cor_made(words, error));
    if (count > 0)
        memcpy(words, items, count * sizeof *words);
    qsort(words, count, sizeof *words, compare_words);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || words[i] != words[kept - 1])
            words[kept++] = words[i];
    const enum cor_status status = cor_call_values_list(values, words, kept, list, error);
    free(words);
    return status;
}

enum cor_status cor_history_return(struct cor_history *history, size_t number, uint32_t result,
                                   const char *place, struct cor_error *error) {
    static const char *const wanted[] = {"nothing", "a value",       "an integer",
                                         "a list",  "true or false", "true or false"};
    COR_TRY(expect_open(history, number, place, error));
    struct cor_call *call = &history->calls[number];
    const enum returned kind = returned_by(history->object, call->operation);
    const char is = kind_of(&history->values, result);
    const bool is_echo = result == COR_CALL_NIL || result == TRUE || result == call->argument;
    if (kind == NOTHING        ? !is_echo
        : kind == WHETHER_DONE ? !is_echo && result != FALSE
        : kind == WHETHER      ? result != TRUE && result != FALSE
        : kind == AN_INTEGER   ? is != INTEGER
                               : kind == A_LIST && is != LIST) {
        struct cor_bytes text = {0};
        cor_call_values_print(&history->values, result, &text);
        const enum cor_status status =
            cor_fail(error, COR_STATUS_INPUT, place, NULL, "%s of a %s returns %s, and here %s",
                     operations[call->operation].word, cor_object_words[history->object], wanted[kind],
                     cor_bytes_text(&text));
        cor_bytes_fini(&text);
        return status;
    }
    if (kind == NOTHING)
        result = COR_CALL_NIL;
    else if (kind == WHETHER_DONE && result != FALSE)
        result = TRUE;
    else if (history->object == COR_OBJECT_SET && kind == A_LIST)
        COR_TRY(sorted(&history->values, &result, error));
    call = &history->calls[number];
    call->result = result;
    call->end = COR_CALL_RETURNED;
    call->ended = history->events++;
    return COR_OK;
}

enum cor_status cor_history_failed(struct cor_history *history, size_t number, const char *place,
                                   struct cor_error *error) {
    COR_TRY(expect_open(history, number, place, error));
    history->calls[number].end = COR_CALL_FAILED;
    history->calls[number].ended = history->events++;
    return COR_OK;
}

enum cor_status history__events(const struct cor_history *history, struct history__event **events,
                                struct cor_error *error) {
    *events = cor_calloc(history->events, sizeof **events);
    COR_TRY(cor_made(*events, error));
    for (size_t c = 0; c < history->count; c++) {
        (*events)[history->calls[c].called] = (struct history__event){c, false};
        if (history->calls[c].ended != COR_CALL_OPEN)
            (*events)[history->calls[c].ended] = (struct history__event){c, true};
    }
    return COR_OK;
}

/* ---- words */

void cor_call_text(const struct cor_history *history, const struct cor_call *call, struct cor_bytes *text) {
    const enum returned kind = returned_by(history->object, call->operation);
    const char *of_key = operations[call->operation].argument == OF_NOTHING ? " " : " to ";
    cor_bytes_print(text, "%s", operations[call->operation].word);
    if (call->argument != COR_CALL_NIL) {
        cor_bytes_print(text, " ");
        cor_call_values_print(&history->values, call->argument, text);
    }
    if (call->key != COR_CALL_NIL) {
        cor_bytes_print(text, "%s", of_key);
        cor_call_values_print(&history->values, call->key, text);
    }
    if (call->end == COR_CALL_FAILED)
        cor_bytes_print(text, ", which did nothing");
    if (call->end != COR_CALL_RETURNED || kind == NOTHING || (kind == WHETHER_DONE && call->result == TRUE))
        return;
    cor_bytes_print(text, ": ");
    cor_call_values_print(&history->values, call->result, text);
}

void history__print_state(const struct cor_history *history, const uint32_t *state, size_t count,
                          struct cor_bytes *text) {
    const enum cor_object object = history->object;
    cor_bytes_print(text, "the %s ", cor_object_words[object]);
    if (object == COR_OBJECT_COUNTER) {
        cor_bytes_print(text, "holds %" PRId64, counter_of(state));
    } else if (object == COR_OBJECT_LOCK) {
        if (state[0] == 0)
            cor_bytes_print(text, "is free");
        else
            cor_bytes_print(text, "is held by process %" PRIu32, state[0] - 1);
    } else if (object <= COR_OBJECT_MAP) {
        cor_bytes_print(text, "holds ");
        cor_call_values_print(&history->values, state[0], text);
    } else if (count == 0) {
        cor_bytes_print(text, "is empty");
    } else {
        cor_bytes_print(text, "holds ");
        for (size_t i = 0; i < count && i < ITEMS_SAID; i++) {
            cor_bytes_print(text, i > 0 ? ", " : "");
            cor_call_values_print(&history->values, state[i], text);
        }
        if (count > ITEMS_SAID)
            cor_bytes_print(text, ", and %zu more", count - ITEMS_SAID);
    }
}
