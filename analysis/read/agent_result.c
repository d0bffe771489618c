/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/agent_result.h>

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What every row begins with. */
struct keys {
    uint16_t arm;
    uint32_t suite;
};

static enum cor_status load(struct cor_agent_result *agent, enum cor_agent_table table,
                            struct cor_error *error) {
    size_t size = cor_agent_schema.tables[table].row_size;
    agent->count[table] = cor_result_size(agent->result, table);
    agent->rows[table] = cor_calloc(agent->count[table], size);
    COR_TRY(cor_made(agent->rows[table], error));
    return agent->count[table] > 0
               ? cor_result_read(agent->result, table, 0, agent->count[table], agent->rows[table], error)
               : COR_OK;
}

/* Suites stand in ascending order, and only those that have a row of their unit. */
static enum cor_status check_order(const struct cor_agent_result *agent, enum cor_agent_table table,
                                   struct cor_error *error) {
    size_t size = cor_agent_schema.tables[table].row_size;
    const unsigned char *rows = agent->rows[table];
    for (uint64_t i = 1; i < agent->count[table]; i++) {
        struct keys a, b;
        memcpy(&a, rows + (i - 1) * size, sizeof a);
        memcpy(&b, rows + i * size, sizeof b);
        if (b.arm < a.arm || (b.arm == a.arm && b.suite < a.suite))
            return cor_fail(error, COR_STATUS_INPUT, cor_agent_schema.tables[table].group,
                            "take another copy, or run the experiment again", "suites are out of order");
    }
    return COR_OK;
}

enum cor_status cor_agent_result_init(struct cor_result *result, struct cor_agent_result *agent,
                                      struct cor_error *error) {
    enum cor_status status = COR_OK;
    *agent = (struct cor_agent_result){.result = result, .head = cor_result_head(result)};
    for (int t = 0; t < COR_AGENT_TABLE_COUNT; t++) {
        if (t == COR_AGENT_TABLE_TRACES)
            continue;
        COR_TRY_OUT(load(agent, (enum cor_agent_table)t, error));
        COR_TRY_OUT(check_order(agent, (enum cor_agent_table)t, error));
    }
out:
    if (status != COR_OK)
        cor_agent_result_fini(agent);
    return status;
}

void cor_agent_result_fini(struct cor_agent_result *agent) {
    for (int t = 0; t < COR_AGENT_TABLE_COUNT; t++)
        free(agent->rows[t]);
    *agent = (struct cor_agent_result){0};
}

const void *cor_agent_row(const struct cor_agent_result *agent, enum cor_agent_table table, uint64_t index) {
    COR_ASSERT(index < agent->count[table]);
    return (const unsigned char *)agent->rows[table] + index * cor_agent_schema.tables[table].row_size;
}

/* The first row that is not before (arm, suite). */
static uint64_t lower_bound(const struct cor_agent_result *agent, enum cor_agent_table table, uint64_t arm,
                            uint64_t suite) {
    uint64_t low = 0, high = agent->count[table];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        struct keys keys;
        memcpy(&keys, cor_agent_row(agent, table, middle), sizeof keys);
        if (keys.arm < arm || (keys.arm == arm && keys.suite < suite))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t cor_agent_rows_of(const struct cor_agent_result *agent, enum cor_agent_table table, uint16_t arm,
                           uint32_t suite, uint64_t *count) {
    uint64_t first = lower_bound(agent, table, arm, suite);
    *count = lower_bound(agent, table, arm, (uint64_t)suite + 1) - first;
    return first;
}

const struct cor_agent_unit_row *cor_agent_unit_of(const struct cor_agent_result *agent, uint16_t arm,
                                                   uint32_t suite) {
    uint64_t count, first = cor_agent_rows_of(agent, COR_AGENT_TABLE_UNITS, arm, suite, &count);
    return count > 0 ? cor_agent_row(agent, COR_AGENT_TABLE_UNITS, first) : NULL;
}

const char *cor_agent_arm_name(const struct cor_agent_result *agent, uint16_t arm) {
    return cor_result_name(agent->result, COR_AGENT_CATALOG_ARM, arm);
}

const char *cor_agent_unit_name(const struct cor_agent_result *agent, uint16_t unit) {
    return cor_result_name(agent->result, COR_AGENT_CATALOG_UNIT, unit);
}

const char *cor_agent_name(const struct cor_agent_result *agent, uint16_t name) {
    return name == 0 ? "" : cor_result_name(agent->result, COR_AGENT_CATALOG_NAME, name);
}

static void put_value(const struct cor_agent_result *agent, uint8_t kind, double value, char *text,
                      size_t size) {
    switch (kind) {
    case COR_VALUE_KIND_NULL:
        snprintf(text, size, "null");
        return;
    case COR_VALUE_KIND_TRUTH:
        snprintf(text, size, value > 0 ? "true" : "false");
        return;
    case COR_VALUE_KIND_WORD:
        snprintf(text, size, "'%s'", cor_result_name(agent->result, COR_AGENT_CATALOG_WORD, (uint16_t)value));
        return;
    default:
        snprintf(text, size, "%.15g", value);
    }
}

void cor_agent_case_text(const struct cor_agent_result *agent, uint16_t arm, uint32_t suite, uint32_t case_,
                         char text[COR_AGENT_TEXT]) {
    uint64_t count, first = cor_agent_rows_of(agent, COR_AGENT_TABLE_INPUTS, arm, suite, &count);
    size_t used = 0;
    text[0] = '\0';
    for (uint64_t i = first; i < first + count && used < COR_AGENT_TEXT; i++) {
        const struct cor_agent_input_row *row = cor_agent_row(agent, COR_AGENT_TABLE_INPUTS, i);
        char value[128];
        if (row->case_ != case_)
            continue;
        put_value(agent, row->kind, row->value, value, sizeof value);
        snprintf(text + used, COR_AGENT_TEXT - used, "%s%s=%s", used > 0 ? " " : "",
                 cor_agent_name(agent, row->variable), value);
        used = strlen(text);
    }
}

void cor_agent_sentence(const struct cor_agent_result *agent, const struct cor_agent_finding_row *row,
                        char text[COR_AGENT_TEXT]) {
    const struct cor_aut_said said = {.check = (enum cor_aut_check)row->check,
                                      .about = cor_agent_name(agent, row->about),
                                      .plan = cor_agent_name(agent, row->plan),
                                      .hit = row->hit,
                                      .run = row->run};
    cor_aut_said_text(&said, text, COR_AGENT_TEXT);
}
