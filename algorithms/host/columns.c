/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "columns.h"

#include <corridor/host.h>

#include <stdio.h>
#include <string.h>

const struct cor_value_column host__value_column = {.name = "value", .unit = "", .max = 1};

static size_t aligned(size_t bytes) {
    return (bytes + 15) / 16 * 16;
}

size_t host__columns_bytes(const struct cor_rules *rules) {
    if (!rules->columns)
        return 0;
    size_t bytes = rules->value_count * sizeof *rules->columns;
    for (uint32_t c = 0; c < rules->value_count; c++) {
        const struct cor_value_column *column = &rules->columns[c];
        bytes += strlen(column->name) + strlen(column->unit) + 2;
        bytes += column->word_count > 0 ? ((size_t)column->word_count + 1) * sizeof(char *) : 0;
        for (uint32_t w = 0; w < column->word_count; w++)
            bytes += strlen(column->words[w]) + 1;
    }
    return aligned(bytes);
}

/* A block under way: lists of words follow the columns, texts the lists. */
struct pen {
    unsigned char *room;
    uintptr_t base;
    size_t lists, texts;
};

static const char *put_text(struct pen *pen, const char *text) {
    const size_t at = pen->texts, size = strlen(text) + 1;
    memcpy(pen->room + at, text, size);
    pen->texts += size;
    return (const char *)(pen->base + at);
}

static const char *const *put_words(struct pen *pen, const struct cor_value_column *column) {
    if (column->word_count == 0)
        return NULL;
    const size_t at = pen->lists;
    const char **list = (void *)(pen->room + at);
    pen->lists += ((size_t)column->word_count + 1) * sizeof *list;
    for (uint32_t w = 0; w < column->word_count; w++)
        list[w] = put_text(pen, column->words[w]);
    list[column->word_count] = NULL;
    return (const char *const *)(pen->base + at);
}

void host__columns_write(const struct cor_rules *rules, void *room, uintptr_t base) {
    struct cor_value_column *columns = room;
    struct pen pen = {room, base, rules->value_count * sizeof *columns, 0};
    pen.texts = pen.lists;
    for (uint32_t c = 0; c < rules->value_count; c++)
        if (rules->columns[c].word_count > 0)
            pen.texts += ((size_t)rules->columns[c].word_count + 1) * sizeof(char *);
    for (uint32_t c = 0; c < rules->value_count; c++) {
        struct cor_value_column column = rules->columns[c];
        column.name = put_text(&pen, column.name);
        column.unit = put_text(&pen, column.unit);
        column.words = put_words(&pen, &column);
        columns[c] = column;
    }
}

const struct cor_value_column *host__columns_settle(void *block, uint32_t count) {
    struct cor_value_column *columns = block;
    const uintptr_t base = (uintptr_t)block;
    for (uint32_t c = 0; c < count; c++) {
        struct cor_value_column *column = &columns[c];
        column->name = (const char *)(base + (uintptr_t)column->name);
        column->unit = (const char *)(base + (uintptr_t)column->unit);
        if (column->word_count == 0)
            continue;
        const char **list = (const char **)(base + (uintptr_t)column->words);
        for (uint32_t w = 0; w < column->word_count; w++)
            list[w] = (const char *)(base + (uintptr_t)list[w]);
        column->words = list;
    }
    return columns;
}

bool cor_algorithm_need(const char *need, char name[COR_NEED_SIZE], char unit[COR_NEED_SIZE]) {
    const char *open = strstr(need, " [");
    const size_t length = open ? (size_t)(open - need) : strlen(need), all = strlen(need);
    unit[0] = '\0';
    if (length == 0 || length >= COR_NEED_SIZE || all >= COR_NEED_SIZE)
        return false;
    snprintf(name, COR_NEED_SIZE, "%.*s", (int)length, need);
    if (!open)
        return strpbrk(name, " []") == NULL;
    if (all < length + 4 || need[all - 1] != ']')
        return false;
    snprintf(unit, COR_NEED_SIZE, "%.*s", (int)(all - length - 3), open + 2);
    return strpbrk(name, " []") == NULL && strpbrk(unit, "[]") == NULL;
}
