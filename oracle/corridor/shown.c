/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shown.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Whether the condition reads the attribute, or the set, of agents. */
static bool reads(const struct cor_expression *condition, const struct cor_quantity *attribute,
                  uint32_t index) {
    for (uint32_t i = 0; i < condition->node_count; i++) {
        const struct cor_node *node = &condition->nodes[i];
        const enum cor_operator kind = node->operator;
        if (attribute->is_set
                ? (kind == COR_OPERATOR_BIND || kind == COR_OPERATOR_IN || kind == COR_OPERATOR_SIZE) &&
                      node->variable == attribute->set
                : (kind == COR_OPERATOR_ATTRIBUTE || kind == COR_OPERATOR_BEFORE) && node->variable == index)
            return true;
    }
    return false;
}

static void add(char *text, size_t size, const char *format, ...) COR_PRINTF(3, 4);

static void add(char *text, size_t size, const char *format, ...) {
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

static void add_set(const struct cor_attribute_values *column, uint32_t agent, char *text, size_t size) {
    const char *between = "";
    add(text, size, "{");
    for (uint64_t rest = (uint64_t)column->integers[agent]; rest != 0; rest &= rest - 1) {
        add(text, size, "%s%d", between, __builtin_ctzll(rest));
        between = ", ";
    }
    add(text, size, "}");
}

static void add_value(const struct cor_corridor *corridor, const struct cor_quantity *attribute,
                      const struct cor_attribute_values *column, uint32_t agent, char *text, size_t size) {
    char value[200];
    if (column->unknown[agent]) {
        add(text, size, "unknown");
        return;
    }
    if (attribute->is_set) {
        add_set(column, agent, text, size);
        return;
    }
    const enum cor_value_type type = attribute->domain.type;
    cor_value_text(type == COR_VALUE_TYPE_REAL ? cor_real(column->reals[agent])
                   : type == COR_VALUE_TYPE_INTEGER || type == COR_VALUE_TYPE_BOOLEAN
                       ? cor_integer(column->integers[agent])
                       : cor_word((uint32_t)column->integers[agent]),
                   &attribute->domain, &corridor->words, value, sizeof value);
    add(text, size, "%s", value);
}

void corridor__shown_text(const struct cor_corridor *corridor, uint32_t constraint,
                          const struct cor_breach *breach, uint32_t agent_count,
                          const struct cor_attribute_values *columns, char *text, size_t size) {
    const struct cor_expression *condition = &corridor->constraints[constraint].condition;
    bool has_agents = false;
    cor_breach_text(breach, &corridor->scope, text, size);
    for (uint32_t b = 0; b < breach->binding_count; b++) {
        const uint32_t agent = breach->bindings[b].element;
        bool is_said = agent >= agent_count, has_values = false; /* nobody, or the same as another name */
        for (uint32_t other = 0; other < b; other++)
            is_said = is_said || breach->bindings[other].element == agent;
        for (uint32_t a = 0; a < corridor->attribute_count && !is_said; a++) {
            const struct cor_quantity *attribute = &corridor->attributes[a];
            if (!reads(condition, attribute, a))
                continue;
            if (has_values)
                add(text, size, ", %s ", attribute->name);
            else
                add(text, size, "%s %" PRIu32 " shows %s ", has_agents ? "; agent" : " Agent", agent,
                    attribute->name);
            add_value(corridor, attribute, &columns[a], agent, text, size);
            has_values = has_agents = true;
        }
    }
    if (has_agents)
        add(text, size, ".");
}
