/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the findings of an arm amount to: counts, words, verdicts. */
#include "findings.h"

#include <corridor/arms.h>
#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

enum cor_status views__original(const struct cor_layer_tables *agent, uint16_t arm, size_t *original,
                                struct cor_error *error) {
    char *is = NULL;
    bool is_same = false;
    enum cor_status status =
        cor_text_under(cor_arm_entry(agent->head, arm)->description, "agent", &is, error);
    for (*original = 0; status == COR_OK && *original < cor_arm_count(agent->head); ++*original) {
        const struct cor_catalog_entry *entry = cor_arm_entry(agent->head, *original);
        bool faulty;
        status = cor_arm_has_fault(entry, &faulty, error);
        if (status != COR_OK || faulty)
            continue;
        if (is)
            status = cor_says(entry->description, "agent", is, &is_same, error);
        if (is_same || !is)
            break;
    }
    free(is);
    return status;
}

bool views__is_of_original(const struct cor_layer_tables *agent, size_t original,
                           const struct cor_agent_finding_row *row) {
    uint64_t count = 0, first = 0;
    if (original < cor_arm_count(agent->head) && original != row->arm)
        first = cor_layer_rows_of(agent, COR_AGENT_TABLE_FINDINGS, (uint16_t)original, row->suite, &count);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_agent_finding_row *other = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, i);
        if (other->check == row->check && other->plan == row->plan && other->about == row->about &&
            other->severity >= row->severity)
            return true;
    }
    return false;
}

enum cor_status views__arm_tally(const struct cor_layer_tables *agent, uint16_t arm,
                                 struct views__arm_tally *tally, struct cor_error *error) {
    size_t original = cor_arm_count(agent->head);
    uint64_t first_own = UINT64_MAX, first_root = UINT64_MAX;
    *tally = (struct views__arm_tally){.first_root = UINT64_MAX};
    COR_TRY(cor_arm_has_fault(cor_arm_entry(agent->head, arm), &tally->is_faulty, error));
    if (tally->is_faulty)
        COR_TRY(views__original(agent, arm, &original, error));
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_UNITS]; i++) {
        const struct cor_agent_unit_row *row = cor_layer_row(agent, COR_AGENT_TABLE_UNITS, i);
        tally->suites += row->arm == arm;
        tally->cases += row->arm == arm ? row->cases : 0;
    }
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_FINDINGS]; i++) {
        const struct cor_agent_finding_row *row = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, i);
        if (row->arm != arm)
            continue;
        const bool is_root = row->cause == COR_CAUSE_ROOT;
        const bool is_own = !views__is_of_original(agent, original, row);
        tally->findings++;
        tally->roots += is_root;
        tally->own += is_own;
        tally->worst = is_own && row->severity > tally->worst ? row->severity : tally->worst;
        if (is_root && is_own && tally->first_root == UINT64_MAX)
            tally->first_root = i;
        first_own = is_own && first_own == UINT64_MAX ? i : first_own;
        first_root = is_root && first_root == UINT64_MAX ? i : first_root;
    }
    if (tally->first_root == UINT64_MAX)
        tally->first_root = first_own == UINT64_MAX ? first_root : first_own;
    return COR_OK;
}

const char *views__cause_word(const struct cor_layer_tables *agent, const struct cor_agent_finding_row *row) {
    return row->cause == COR_CAUSE_ROOT ? cor_term_word(COR_FAMILY_CAUSE, COR_CAUSE_ROOT)
                                        : cor_agent_unit_name(agent, row->cause_unit);
}

const char *views__finding_unit(const struct cor_layer_tables *agent,
                                const struct cor_agent_finding_row *row) {
    const struct cor_agent_unit_row *unit = cor_agent_unit_of(agent, row->arm, row->suite);
    return unit ? cor_agent_unit_name(agent, unit->unit) : "?";
}

bool views__is_never(const struct cor_agent_finding_row *row) {
    switch (row->check) {
    case COR_AUT_CHECK_EVENT_NEVER_POSTED:
    case COR_AUT_CHECK_MESSAGE_NEVER_SENT:
    case COR_AUT_CHECK_ACTION_NEVER_DONE:
    case COR_AUT_CHECK_BELIEF_NEVER_WRITTEN:
    case COR_AUT_CHECK_PLAN_NEVER_CHOSEN:
    case COR_AUT_CHECK_CONTEXT_NEVER_TRUE:
        return true;
    default:
        return false;
    }
}

bool views__is_not_built(const struct cor_layer_tables *agent, const struct cor_agent_unit_row *unit) {
    uint64_t count;
    const uint64_t first = cor_layer_rows_of(agent, COR_AGENT_TABLE_FINDINGS, unit->arm, unit->suite, &count);
    const char *name = cor_agent_unit_name(agent, unit->unit);
    for (uint64_t f = first; f < first + count; f++) {
        const struct cor_agent_finding_row *row = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, f);
        const char *plan = cor_agent_name(agent, row->about);
        const size_t length = strlen(plan);
        if (row->check == COR_AUT_CHECK_NOT_BUILT && strncmp(name, "PT(", 3) == 0 &&
            strncmp(name + 3, plan, length) == 0 && strcmp(name + 3 + length, ")") == 0)
            return true;
    }
    return false;
}

bool views__was_run(const struct cor_layer_tables *agent, uint16_t arm, uint32_t unit) {
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_UNITS]; i++) {
        const struct cor_agent_unit_row *row = cor_layer_row(agent, COR_AGENT_TABLE_UNITS, i);
        if (row->arm == arm && row->unit == unit)
            return true;
    }
    return false;
}

bool views__were_all_run(const struct cor_layer_tables *agent, uint16_t arm) {
    for (size_t u = 0; u < agent->head->catalog_size[COR_AGENT_CATALOG_UNIT]; u++)
        if (!views__was_run(agent, arm, (uint32_t)agent->head->catalog[COR_AGENT_CATALOG_UNIT][u].code))
            return false;
    return true;
}

bool views__is_open(const struct cor_agent_design_finding *finding) {
    return strcmp(finding->ground, "open") == 0;
}

enum cor_status views__count_verdicts(const struct cor_layer_tables *agent,
                                      struct cor_view_findings *verdicts, struct cor_error *error) {
    struct cor_agent_design design;
    COR_TRY(cor_agent_design_init(agent->head, &design, error));
    const bool design_fails = design.worst >= COR_SEVERITY_WARNING;
    for (size_t f = 0; f < design.count; f++)
        verdicts->undecided += views__is_open(&design.items[f]);
    cor_agent_design_fini(&design);
    verdicts->unexpected += design_fails;
    verdicts->failed += design_fails;
    for (size_t a = 0; a < cor_arm_count(agent->head); a++) {
        struct views__arm_tally tally;
        COR_TRY(views__arm_tally(agent, (uint16_t)a, &tally, error));
        const bool faulty = tally.is_faulty, unfound = faulty && tally.suites > 0 && tally.own == 0;
        const bool missed = unfound && views__were_all_run(agent, (uint16_t)a);
        const bool fails = !faulty && tally.worst >= COR_SEVERITY_WARNING;
        verdicts->undecided += unfound && !missed;
        for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_UNITS] && !faulty; i++) {
            const struct cor_agent_unit_row *row = cor_layer_row(agent, COR_AGENT_TABLE_UNITS, i);
            verdicts->undecided += row->arm == a && views__is_not_built(agent, row);
        }
        verdicts->undetected += missed;
        verdicts->unexpected += fails;
        verdicts->failed += missed || fails;
    }
    return COR_OK;
}
