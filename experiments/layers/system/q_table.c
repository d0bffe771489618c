/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of values by state and action, in memory and as JSON:
 *
 *   {"policy": "q", "version": 1, "rate": 0.1, "discount": 0.95, "explore": 0, "reward": "new state",
 *    "by": ["t"], "values": [["0x0123456789abcdef", "press b1", 0.5, 12], ..]}
 *
 * A value is a state, an action, what it is worth, and how often that was learnt. */
#include "policy.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

#define BY_MOST 64
#define VALUES_MOST 4000000
#define VALUE_MOST 1e15
#define PLACE 512

void system_layer__table_fini(struct system_layer__table *table) {
    cor_words_fini(&table->actions);
    free(table->values);
    free(table->slots);
    *table = (struct system_layer__table){0};
}

void system_layer__table_clear(struct system_layer__table *table) {
    table->count = 0;
    if (table->slot_count > 0)
        memset(table->slots, 0, table->slot_count * sizeof *table->slots);
}

static size_t slot_of(const struct system_layer__table *table, uint64_t state, uint32_t action) {
    size_t at = (size_t)cor_hash_word(cor_hash_word(COR_HASH_SEED, state), action) & (table->slot_count - 1);
    while (table->slots[at] > 0 && (table->values[table->slots[at] - 1].state != state ||
                                    table->values[table->slots[at] - 1].action != action))
        at = (at + 1) & (table->slot_count - 1);
    return at;
}

static enum cor_status grow_slots(struct system_layer__table *table, struct cor_error *error) {
    const size_t count = table->slot_count > 0 ? 2 * table->slot_count : 64;
    uint32_t *slots = cor_calloc(count, sizeof *slots);
    COR_TRY(cor_made(slots, error));
    free(table->slots);
    table->slots = slots;
    table->slot_count = count;
    for (uint32_t v = 0; v < table->count; v++)
        table->slots[slot_of(table, table->values[v].state, table->values[v].action)] = v + 1;
    return COR_OK;
}

enum cor_status system_layer__table_set(struct system_layer__table *table,
                                        const struct system_layer__value *values, size_t count,
                                        struct cor_error *error) {
    system_layer__table_clear(table);
    COR_TRY(COR_RESERVE(&table->values, &table->capacity, count, error));
    for (size_t v = 0; v < count; v++) {
        if (2 * (table->count + 1) > table->slot_count)
            COR_TRY(grow_slots(table, error));
        table->slots[slot_of(table, values[v].state, values[v].action)] = (uint32_t)v + 1;
        table->values[table->count++] = values[v];
    }
    return COR_OK;
}

enum cor_status system_layer__table_at(struct system_layer__table *table, uint64_t state, const char *action,
                                       uint32_t *index, struct cor_error *error) {
    uint32_t word;
    COR_TRY(cor_words_intern(&table->actions, action, &word, error));
    if (2 * (table->count + 1) > table->slot_count)
        COR_TRY(grow_slots(table, error));
    const size_t slot = slot_of(table, state, word);
    if (table->slots[slot] == 0) {
        COR_TRY(COR_RESERVE(&table->values, &table->capacity, table->count + 1, error));
        table->values[table->count++] = (struct system_layer__value){state, word, 0, 0};
        table->slots[slot] = (uint32_t)table->count;
    }
    *index = table->slots[slot] - 1;
    return COR_OK;
}

/* ---- JSON */

enum cor_status system_layer__read_learnt(const struct cor_json *json, char ***by, uint32_t *by_count,
                                          struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, BY_MOST, error));
    char **list = cor_calloc(cor_json_size(json), sizeof *list);
    COR_TRY(cor_made((void *)list, error));
    *by = list;
    for (uint32_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        const char *text;
        COR_TRY(cor_json_string(&item, &text, error));
        list[i] = cor_strdup(text);
        COR_TRY(cor_made(list[i], error));
        *by_count = i + 1;
    }
    return COR_OK;
}

static enum cor_status read_share(const struct cor_json *json, const char *key, double *share,
                                  struct cor_error *error) {
    struct cor_json member;
    return cor_json_find(json, key, &member) ? cor_json_real(&member, 0, 1, share, error) : COR_OK;
}

void system_layer__learning_fini(struct system_layer__learning *learning) {
    free(learning->reward);
    free(learning->reward_place);
    learning->reward = learning->reward_place = NULL;
}

enum cor_status system_layer__read_reward(const struct cor_json *json,
                                          struct system_layer__learning *learning, struct cor_error *error) {
    struct cor_json member;
    const char *text;
    char place[PLACE];
    if (!cor_json_find(json, "reward", &member))
        return COR_OK;
    COR_TRY(cor_json_string(&member, &text, error));
    cor_json_place(&member, place, sizeof place);
    system_layer__learning_fini(learning);
    learning->reward = cor_strdup(text);
    learning->reward_place = cor_strdup(place);
    return learning->reward && learning->reward_place ? COR_OK : cor_fail_memory(error);
}

static enum cor_status read_settings(const struct cor_json *json, struct system_layer__learning *learning,
                                     char ***by, uint32_t *by_count, struct cor_error *error) {
    struct cor_json member;
    COR_TRY(read_share(json, "rate", &learning->rate, error));
    COR_TRY(read_share(json, "discount", &learning->discount, error));
    COR_TRY(read_share(json, "explore", &learning->explore, error));
    COR_TRY(system_layer__read_reward(json, learning, error));
    if (!cor_json_find(json, "by", &member))
        return COR_OK;
    if (*by)
        return cor_json_fail(&member, error, "leave it out",
                             "the table says already what states are told by");
    return system_layer__read_learnt(&member, by, by_count, error);
}

static enum cor_status read_value(const struct cor_json *item, struct system_layer__table *table,
                                  struct cor_error *error) {
    COR_TRY(cor_json_expect_array(item, 4, 4, error));
    const struct cor_json state = cor_json_at(item, 0), action = cor_json_at(item, 1);
    const struct cor_json value = cor_json_at(item, 2), count = cor_json_at(item, 3);
    uint64_t number = 0;
    int64_t times = 0;
    double worth = 0;
    const char *text;
    const size_t before = table->count;
    uint32_t index;
    COR_TRY(cor_json_word(&state, &number, error));
    COR_TRY(cor_json_string(&action, &text, error));
    COR_TRY(cor_json_real(&value, -VALUE_MOST, VALUE_MOST, &worth, error));
    COR_TRY(cor_json_integer(&count, 0, INT64_MAX, &times, error));
    COR_TRY(system_layer__table_at(table, number, text, &index, error));
    if (table->count == before)
        return cor_json_fail(item, error, "each action of a state stands in the table once",
                             "action \"%.200s\" of this state stands there already", text);
    table->values[index].value = worth;
    table->values[index].count = (uint64_t)times;
    return COR_OK;
}

static enum cor_status read_table(const struct cor_json *root, struct system_layer__learning *learning,
                                  struct system_layer__table *table, char ***by, uint32_t *by_count,
                                  struct cor_error *error) {
    static const char *const keys[] = {"policy", "version", "rate",   "discount", "explore",
                                       "reward", "by",      "values", NULL};
    struct cor_json member;
    const char *policy;
    int64_t version;
    COR_TRY(cor_json_expect_object(root, keys, error));
    COR_TRY(cor_json_need(root, "policy", &member, error));
    COR_TRY(cor_json_string(&member, &policy, error));
    if (strcmp(policy, "q") != 0)
        return cor_json_fail(&member, error, "a table that corridor system train wrote",
                             "is \"%.100s\", and a table of learnt values is \"q\"", policy);
    COR_TRY(cor_json_need(root, "version", &member, error));
    COR_TRY(cor_json_integer(&member, 0, INT64_MAX, &version, error));
    if (version != 1)
        return cor_json_fail(&member, error, "a table that this corridor's system train wrote",
                             "is version %lld, and 1 is read", (long long)version);
    COR_TRY(read_settings(root, learning, by, by_count, error));
    COR_TRY(cor_json_need(root, "values", &member, error));
    COR_TRY(cor_json_expect_array(&member, 0, VALUES_MOST, error));
    for (size_t v = 0; v < cor_json_size(&member); v++) {
        const struct cor_json item = cor_json_at(&member, v);
        COR_TRY(read_value(&item, table, error));
    }
    return COR_OK;
}

enum cor_status system_layer__q_read_table(const struct cor_json *json,
                                           struct system_layer__learning *learning,
                                           struct system_layer__table *table, char ***by, uint32_t *by_count,
                                           struct cor_error *error) {
    struct cor_json_document *document = NULL;
    const char *path;
    char *beside = NULL;
    enum cor_status status = COR_OK;
    if (cor_json_is_object(json))
        return read_table(json, learning, table, by, by_count, error);
    COR_TRY(cor_json_string(json, &path, error));
    COR_TRY(cor_made(beside = cor_json_beside(json, path), error));
    COR_TRY_OUT(cor_json_read(beside, &document, error));
    const struct cor_json root = cor_json_root(document);
    COR_TRY_OUT(read_table(&root, learning, table, by, by_count, error));
out:
    cor_json_destroy(document);
    free(beside);
    return status;
}

enum cor_status system_layer__q_read(const struct cor_json *json, struct system_layer__learning *learning,
                                     struct system_layer__table *table, char ***by, uint32_t *by_count,
                                     struct cor_error *error) {
    static const char *const keys[] = {"rate", "discount", "explore", "reward", "by", "table", NULL};
    struct cor_json member;
    COR_TRY(cor_json_expect_object(json, keys, error));
    if (cor_json_find(json, "table", &member))
        COR_TRY(system_layer__q_read_table(&member, learning, table, by, by_count, error));
    return read_settings(json, learning, by, by_count, error);
}

/* By state, then by action. */
struct line {
    const struct system_layer__value *value;
    const char *action;
};

static int compare_lines(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    if (x->value->state != y->value->state)
        return x->value->state < y->value->state ? -1 : 1;
    return strcmp(x->action, y->action);
}

enum cor_status system_layer__q_write(const struct system_layer__learning *learning,
                                      const struct system_layer__table *table, char *const *by,
                                      uint32_t by_count, struct cor_json_writer *writer,
                                      struct cor_error *error) {
    struct line *lines = cor_calloc(table->count, sizeof *lines);
    COR_TRY(cor_made(lines, error));
    for (size_t v = 0; v < table->count; v++)
        lines[v] = (struct line){&table->values[v], cor_words_text(&table->actions, table->values[v].action)};
    if (table->count > 0)
        qsort(lines, table->count, sizeof *lines, compare_lines);
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "policy", "q");
    cor_json_put_integer(writer, "version", 1);
    cor_json_put_real(writer, "rate", learning->rate);
    cor_json_put_real(writer, "discount", learning->discount);
    cor_json_put_real(writer, "explore", learning->explore);
    if (learning->reward)
        cor_json_put_string(writer, "reward", learning->reward);
    cor_json_open_array(writer, "by");
    for (uint32_t i = 0; i < by_count; i++)
        cor_json_put_string(writer, NULL, by[i]);
    cor_json_close(writer);
    cor_json_open_array(writer, "values");
    for (size_t v = 0; v < table->count; v++) {
        cor_json_open_array(writer, NULL);
        cor_json_put_word(writer, NULL, lines[v].value->state);
        cor_json_put_string(writer, NULL, lines[v].action);
        cor_json_put_real(writer, NULL, lines[v].value->value);
        cor_json_put_integer(writer, NULL, (int64_t)lines[v].value->count);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_close(writer);
    free(lines);
    return COR_OK;
}
