/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the views of the agent layer share. */
#ifndef CORRIDOR_ANALYSIS_VIEWS_FINDINGS_H
#define CORRIDOR_ANALYSIS_VIEWS_FINDINGS_H

#include <corridor/agent_result.h>
#include <corridor/sheet.h>
#include <corridor/view.h>

/* What was found of an arm; of one with a fault, what the same agent without it does not show is its own. */
struct views__arm_tally {
    uint64_t suites, cases, findings, roots, own;
    uint64_t
        first_root; /* row of the findings; of its own a root, or any, if there are any; UINT64_MAX: none */
    int worst;      /* enum cor_severity, of its own; 0: nothing */
    bool is_faulty;
};
enum cor_status views__arm_tally(const struct cor_layer_tables *agent, uint16_t arm,
                                 struct views__arm_tally *tally, struct cor_error *error) COR_MUST_USE;

/* The arm of the same agent without a fault; the number of arms if there is none. */
enum cor_status views__original(const struct cor_layer_tables *agent, uint16_t arm, size_t *original,
                                struct cor_error *error) COR_MUST_USE;

/* Is the same found of the agent without the fault, as severely? Then it says nothing of the fault. */
bool views__is_of_original(const struct cor_layer_tables *agent, size_t original,
                           const struct cor_agent_finding_row *row);

/* The name of the unit in which it was found. */
const char *views__finding_unit(const struct cor_layer_tables *agent,
                                const struct cor_agent_finding_row *row);

/* Mutants: which are found, by what; nothing if the arms are none. */
enum cor_status views__put_mutants(const struct cor_layer_tables *agent, struct cor_sheets *sheets,
                                   struct cor_error *error) COR_MUST_USE;
extern const struct cor_sheet_definition views__mutants, views__operators, views__killers;

#endif
