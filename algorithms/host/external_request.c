/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "external.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void host__line_put(struct cor_bytes *text, const char *more) {
    cor_bytes_put(text, more, strlen(more));
}

void host__line_integer(struct cor_bytes *text, uint64_t value) {
    char digits[24];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    cor_bytes_put(text, digits + at, sizeof digits - at);
}

void host__line_real(struct cor_bytes *text, double value) {
    char digits[40];
    if (!isfinite(value)) {
        host__line_put(text, "null");
        return;
    }
    for (int count = 15; count <= 17; count++) {
        snprintf(digits, sizeof digits, "%.*g", count, value);
        double again = strtod(digits, NULL);
        if (!(again < value || again > value))
            break;
    }
    host__line_put(text, digits);
    if (!strpbrk(digits, ".e"))
        host__line_put(text, ".0");
}

void host__line_word(struct cor_bytes *text, uint64_t value) {
    char word[24];
    snprintf(word, sizeof word, "\"0x%016" PRIx64 "\"", value);
    host__line_put(text, word);
}

static void put_count(struct cor_bytes *text, const char *before, uint32_t count) {
    host__line_put(text, before);
    host__line_integer(text, count);
}

static void put_limit(struct cor_bytes *text, const char *key, uint32_t limit) {
    host__line_put(text, key);
    if (limit == COR_NO_LIMIT)
        host__line_put(text, "null");
    else
        host__line_integer(text, limit);
}

/* As a string of JSON: names, units and words have no control characters. */
static void put_string(struct cor_bytes *text, const char *before, const char *string) {
    host__line_put(text, before);
    host__line_put(text, "\"");
    for (; *string; string++) {
        if (*string == '"' || *string == '\\')
            host__line_put(text, "\\");
        cor_bytes_put(text, string, 1);
    }
    host__line_put(text, "\"");
}

/* What the columns of values are, where there are more than the value. */
static void put_columns(struct cor_bytes *text, const struct cor_rules *rules) {
    static const char *const types[] = {[COR_COLUMN_REAL] = "real",
                                        [COR_COLUMN_INTEGER] = "integer",
                                        [COR_COLUMN_BOOLEAN] = "boolean",
                                        [COR_COLUMN_WORDS] = "words"};
    host__line_put(text, ",\"columns\":[");
    for (uint32_t c = 0; c < rules->value_count; c++) {
        const struct cor_value_column *column = &rules->columns[c];
        put_string(text, c > 0 ? ",{\"name\":" : "{\"name\":", column->name);
        put_string(text, ",\"type\":", types[column->type]);
        if (column->unit[0])
            put_string(text, ",\"unit\":", column->unit);
        for (uint32_t w = 0; w < column->word_count; w++)
            put_string(text, w > 0 ? "," : ",\"words\":[", column->words[w]);
        if (column->word_count > 0)
            host__line_put(text, "]");
        if (column->type <= COR_COLUMN_INTEGER) {
            host__line_put(text, ",\"min\":");
            host__line_real(text, column->min);
            host__line_put(text, ",\"max\":");
            host__line_real(text, column->max);
        }
        host__line_put(text, "}");
    }
    host__line_put(text, "]");
}

void host__request_rules(struct cor_bytes *text, const struct cor_rules *rules,
                         const struct cor_algorithm *algorithm) {
    put_limit(text, "\"rules\":{\"size_min\":", rules->size_min);
    put_limit(text, ",\"size_max\":", rules->size_max);
    put_limit(text, ",\"count_min\":", rules->count_min);
    put_limit(text, ",\"count_max\":", rules->count_max);
    host__line_put(text, ",\"threshold\":");
    host__line_real(text, rules->threshold);
    if (rules->organized != COR_PARTITIONING) {
        host__line_put(text, ",\"kind\":\"");
        host__line_put(text, cor_structure_words[rules->organized]);
        host__line_put(text, "\"");
    }
    if (rules->columns && rules->value_count > 1)
        put_columns(text, rules);
    host__line_put(text, "},\"parameters\":{");
    for (uint32_t i = 0; i < rules->parameter_count; i++) {
        const struct cor_parameter *parameter = &algorithm->parameters[i];
        host__line_put(text, i > 0 ? ",\"" : "\"");
        host__line_put(text, parameter->name);
        host__line_put(text, "\":");
        if (parameter->is_integer) {
            char digits[40];
            snprintf(digits, sizeof digits, "%.0f", rules->parameters[i]);
            host__line_put(text, digits);
        } else {
            host__line_real(text, rules->parameters[i]);
        }
    }
    host__line_put(text, "},\"fault\":");
    if (rules->fault == 0) {
        host__line_put(text, "null");
        return;
    }
    host__line_put(text, "\"");
    host__line_put(text, algorithm->faults[rules->fault - 1].name);
    host__line_put(text, "\"");
}

/* What is to be small: steps by name, and filters as lists of the agents that pass. */
static void put_objective(struct cor_bytes *text, const struct cor_task *task) {
    static const char *const words[] = {
        "constant", "blocks",     "count",    "sum",       "unknowns", "least",       "greatest", "negate",
        "absolute", "add",        "subtract", "multiply",  "divide",   "divide_down", "lower",    "higher",
        "less",     "less_equal", "equal",    "not_equal", "and",      "or",          "not",      "all_of",
        "any_of",   "one_of",     "count_of", "sum_of",    "least_of", "greatest_of", "mean_of"};
    const struct cor_objective *objective = task->objective;
    host__line_put(text, ",\"objective\":{\"steps\":[");
    for (uint32_t i = 0; i < objective->step_count; i++) {
        const struct cor_objective_step *step = &objective->steps[i];
        const bool is_leaf = step->what <= COR_OBJECTIVE_GREATEST;
        put_string(text, i > 0 ? ",{\"what\":" : "{\"what\":", words[step->what]);
        if (step->by_block)
            host__line_put(text, ",\"by_block\":true");
        if (step->what == COR_OBJECTIVE_CONSTANT) {
            host__line_put(text, ",\"constant\":");
            host__line_real(text, step->constant);
        }
        if (is_leaf && step->what >= COR_OBJECTIVE_SUM)
            put_count(text, ",\"column\":", step->column);
        if (is_leaf && step->filter != COR_OBJECTIVE_NO_FILTER)
            put_count(text, ",\"filter\":", step->filter);
        if (!is_leaf && step->left != COR_NO_BLOCK)
            put_count(text, ",\"left\":", step->left);
        if (!is_leaf && step->right != COR_NO_BLOCK)
            put_count(text, ",\"right\":", step->right);
        host__line_put(text, "}");
    }
    host__line_put(text, "],\"filters\":[");
    for (uint32_t f = 0; f < objective->filter_count; f++) {
        const char *before = "";
        host__line_put(text, f > 0 ? ",[" : "[");
        for (uint32_t i = 0; i < task->agent_count; i++)
            if (objective->filters[(size_t)f * task->agent_count + i]) {
                put_count(text, before, i);
                before = ",";
            }
        host__line_put(text, "]");
    }
    host__line_put(text, "]}");
}

void host__request_task(struct cor_bytes *text, const struct cor_task *task,
                        const struct cor_algorithm *algorithm, const struct cor_host *host) {
    host__line_put(text, "{");
    host__line_put(text, "\"structure\":[");
    for (uint32_t b = 0; b < task->block_count; b++) {
        host__line_put(text, b > 0 ? ",[" : "[");
        for (uint32_t m = task->block_start[b]; m < task->block_start[b + 1]; m++) {
            if (m > task->block_start[b])
                host__line_put(text, ",");
            host__line_integer(text, task->members[m]);
        }
        host__line_put(text, "]");
    }
    host__line_put(text, "]");
    for (uint32_t b = 0; task->block_parent && b < task->block_count; b++) {
        host__line_put(text, b > 0 ? "," : ",\"parents\":[");
        if (task->block_parent[b] == COR_NO_BLOCK)
            host__line_put(text, "null");
        else
            host__line_integer(text, task->block_parent[b]);
    }
    if (task->block_parent && task->block_count > 0)
        host__line_put(text, "]");
    host__line_put(text, ",\"values\":[");
    for (uint32_t column = 0; column < task->rules->value_count; column++) {
        host__line_put(text, column > 0 ? ",[" : "[");
        for (uint32_t i = 0; i < task->agent_count; i++) {
            if (i > 0)
                host__line_put(text, ",");
            host__line_real(text, task->values[column][i]);
        }
        host__line_put(text, "]");
    }
    host__line_put(text, "]");
    if (task->objective)
        put_objective(text, task);
    host__line_put(text, ",");
    host__request_rules(text, task->rules, algorithm);
    host__line_put(text, ",\"seed\":");
    host__line_word(text, cor_random_word(host->random[COR_STREAM_ALGORITHM]));
    if (task->rules->fault != 0) {
        host__line_put(text, ",\"fault_seed\":");
        host__line_word(text, cor_random_word(host->random[COR_STREAM_FAULT]));
    }
    host__line_put(text, ",\"budget\":");
    host__line_integer(text, task->rules->budget);
    host__line_put(text, ",\"kept\":");
    if (task->kept_size > 0)
        cor_bytes_put(text, task->kept, task->kept_size);
    else
        host__line_put(text, "null");
    host__line_put(text, "}");
}
