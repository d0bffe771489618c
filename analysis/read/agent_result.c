/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/agent_result.h>

#include "scan.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cases of each kind are cases, a finding shows in cases that could show it. */
static enum cor_status check_counts(const struct cor_layer_tables *agent, struct cor_error *error) {
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_UNITS]; i++) {
        const struct cor_agent_unit_row *row = cor_layer_row(agent, COR_AGENT_TABLE_UNITS, i);
        uint64_t members;
        cor_layer_rows_of(agent, COR_AGENT_TABLE_MEMBERS, row->arm, row->suite, &members);
        if (row->cases_valid > row->cases || row->cases_applicable > row->cases ||
            row->cases_quiet > row->cases || row->valid > row->combinations || row->members != members)
            return read__foreign(error, "units",
                                 "arm %u, suite %" PRIu32 ": its counts contradict each other", row->arm,
                                 row->suite);
    }
    const double words = (double)agent->head->catalog_size[COR_AGENT_CATALOG_WORD];
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_INPUTS]; i++) {
        const struct cor_agent_input_row *row = cor_layer_row(agent, COR_AGENT_TABLE_INPUTS, i);
        if (row->kind == COR_VALUE_KIND_WORD && !(row->value >= 0 && row->value < words))
            return read__foreign(error, "inputs", "row %" PRIu64 ": value is %g, of %g words", i, row->value,
                                 words);
    }
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_FINDINGS]; i++) {
        const struct cor_agent_finding_row *row = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, i);
        if (row->hit > row->run)
            return read__foreign(error, "findings",
                                 "row %" PRIu64 " shows in %" PRIu32 " of %" PRIu32 " cases", i, row->hit,
                                 row->run);
    }
    return COR_OK;
}

enum cor_status cor_agent_result_init(struct cor_result *result, struct cor_layer_tables *agent,
                                      struct cor_error *error) {
    COR_TRY(cor_layer_tables_init(result, COR_ALL_TABLES ^ UINT64_C(1) << COR_AGENT_TABLE_TRACES, 0, agent,
                                  error));
    enum cor_status status = check_counts(agent, error);
    if (status != COR_OK)
        cor_layer_tables_fini(agent);
    return status;
}

const struct cor_agent_unit_row *cor_agent_unit_of(const struct cor_layer_tables *agent, uint16_t arm,
                                                   uint32_t suite) {
    uint64_t count, first = cor_layer_rows_of(agent, COR_AGENT_TABLE_UNITS, arm, suite, &count);
    return count > 0 ? cor_layer_row(agent, COR_AGENT_TABLE_UNITS, first) : NULL;
}

const char *cor_agent_arm_name(const struct cor_layer_tables *agent, uint16_t arm) {
    return cor_result_name(agent->result, COR_AGENT_CATALOG_ARM, arm);
}

const char *cor_agent_unit_name(const struct cor_layer_tables *agent, uint16_t unit) {
    return cor_result_name(agent->result, COR_AGENT_CATALOG_UNIT, unit);
}

const char *cor_agent_name(const struct cor_layer_tables *agent, uint16_t name) {
    return name == 0 ? "" : cor_result_name(agent->result, COR_AGENT_CATALOG_NAME, name);
}

static void put_value(const struct cor_layer_tables *agent, uint8_t kind, double value, char *text,
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

void cor_agent_case_text(const struct cor_layer_tables *agent, uint16_t arm, uint32_t suite, uint32_t case_,
                         char text[COR_AGENT_TEXT]) {
    uint64_t count, first = cor_layer_rows_of(agent, COR_AGENT_TABLE_INPUTS, arm, suite, &count);
    size_t used = 0;
    text[0] = '\0';
    for (uint64_t i = first; i < first + count && used < COR_AGENT_TEXT; i++) {
        const struct cor_agent_input_row *row = cor_layer_row(agent, COR_AGENT_TABLE_INPUTS, i);
        char value[128];
        if (row->case_ != case_)
            continue;
        put_value(agent, row->kind, row->value, value, sizeof value);
        snprintf(text + used, COR_AGENT_TEXT - used, "%s%s=%s", used > 0 ? " " : "",
                 cor_agent_name(agent, row->variable), value);
        used = strlen(text);
    }
}

void cor_agent_sentence(const struct cor_layer_tables *agent, const struct cor_agent_finding_row *row,
                        char text[COR_AGENT_TEXT]) {
    const struct cor_aut_said said = {.check = (enum cor_aut_check)row->check,
                                      .about = cor_agent_name(agent, row->about),
                                      .plan = cor_agent_name(agent, row->plan),
                                      .hit = row->hit,
                                      .run = row->run};
    cor_aut_said_text(&said, text, COR_AGENT_TEXT);
}

char *cor_agent_failure(const struct cor_layer_tables *agent, const struct cor_agent_finding_row *row) {
    const char *check = cor_term_word(COR_FAMILY_AUT_CHECK, row->check);
    return row->about == 0 ? cor_strdup(check)
                           : cor_format("%s %s", check, cor_agent_name(agent, row->about));
}

bool cor_agent_is_failure(const struct cor_agent_finding_row *row) {
    return row->severity > COR_SEVERITY_NOTE && !cor_aut_check_takes(row->check);
}

char *cor_agent_key(const struct cor_layer_tables *agent, uint64_t index) {
    const struct cor_agent_finding_row *row = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, index), *other;
    const struct cor_agent_unit_row *unit = cor_agent_unit_of(agent, row->arm, row->suite);
    const char *arm = cor_agent_arm_name(agent, row->arm);
    bool is_first = true;
    for (uint64_t i = index; i-- > 0 && is_first;) {
        other = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, i);
        if (other->arm != row->arm || other->suite != row->suite)
            break;
        is_first = other->smallest != row->smallest || !cor_agent_is_failure(other);
    }
    char *key = unit && unit->repetition == 0
                    ? cor_format("%s/%s/%" PRIu32, arm, cor_agent_unit_name(agent, unit->unit), row->smallest)
                    : cor_format("%s/%" PRIu32 "/%" PRIu32, arm, row->suite, row->smallest);
    return is_first ? key : cor_join_take(key, "/", cor_agent_failure(agent, row));
}

static const char *text_of(const struct cor_json *json, const char *key) {
    struct cor_json member;
    const char *text = "";
    return cor_json_find(json, key, &member) && cor_json_string(&member, &text, NULL) == COR_OK ? text : "";
}

enum cor_status cor_agent_design_init(const struct cor_result_header *head, struct cor_agent_design *design,
                                      struct cor_error *error) {
    struct cor_json solved, found;
    *design = (struct cor_agent_design){.count = 0};
    COR_TRY(cor_json_parse(head->experiment, "experiment", &design->document, error));
    const struct cor_json root = cor_json_root(design->document);
    if (!cor_json_find(&root, "solved", &solved) || !cor_json_find(&solved, "found", &found))
        return COR_OK;
    design->items = cor_calloc(cor_json_size(&found), sizeof *design->items);
    if (!design->items) {
        cor_agent_design_fini(design);
        return cor_fail_memory(error);
    }
    for (; design->count < cor_json_size(&found); design->count++) {
        const struct cor_json item = cor_json_at(&found, design->count);
        struct cor_agent_design_finding *it = &design->items[design->count];
        it->check = cor_term_number(COR_FAMILY_AUT_CHECK, text_of(&item, "check"));
        it->severity = cor_term_number(COR_FAMILY_SEVERITY, text_of(&item, "severity"));
        it->ground = text_of(&item, "ground");
        it->about = text_of(&item, "about");
        it->plan = text_of(&item, "plan");
        it->text = text_of(&item, "text");
        design->worst = it->severity > design->worst ? it->severity : design->worst;
    }
    return COR_OK;
}

void cor_agent_design_fini(struct cor_agent_design *design) {
    free(design->items);
    cor_json_destroy(design->document);
    *design = (struct cor_agent_design){.count = 0};
}
