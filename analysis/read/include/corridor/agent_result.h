/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result file of the agent layer: its tables in memory, [COR_AGENT_TABLE_..], and what they say in words.
 */
#ifndef CORRIDOR_AGENT_RESULT_H
#define CORRIDOR_AGENT_RESULT_H

#include <corridor/agent_schema.h>
#include <corridor/agent_terms.h>
#include <corridor/json.h>
#include <corridor/layer_tables.h>

/* Reads all tables but the traces. COR_STATUS_INPUT: rows name what the catalogs do not have. */
enum cor_status cor_agent_result_init(struct cor_result *result, struct cor_layer_tables *agent,
                                      struct cor_error *error) COR_MUST_USE;

/* The row of the suite's unit, NULL if the file does not have the suite. */
const struct cor_agent_unit_row *cor_agent_unit_of(const struct cor_layer_tables *agent, uint16_t arm,
                                                   uint32_t suite);

/* Names of codes; "?" where the catalog has none. Borrowed from the result. */
const char *cor_agent_arm_name(const struct cor_layer_tables *agent, uint16_t arm);
const char *cor_agent_unit_name(const struct cor_layer_tables *agent, uint16_t unit);
const char *cor_agent_name(const struct cor_layer_tables *agent, uint16_t name); /* "" for nothing */

/* Something found of the design itself, before any case. */
struct cor_agent_design_finding {
    int check, severity;                      /* enum cor_aut_check, enum cor_severity */
    const char *ground, *about, *plan, *text; /* borrowed from the document; "" for nothing */
};

/* All of a file; the experiment says them. */
struct cor_agent_design {
    struct cor_json_document *document;     /* owned */
    struct cor_agent_design_finding *items; /* owned */
    size_t count;
    int worst; /* severity; 0: nothing */
};

/* Reads them; a file that says nothing of its design has none. */
enum cor_status cor_agent_design_init(const struct cor_result_header *head, struct cor_agent_design *design,
                                      struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_agent_design_fini(struct cor_agent_design *design);

#define COR_AGENT_TEXT 400 /* bytes of the texts below */

/* The values of a case, "BookID=11 Urgent=true"; "" if the file does not have it. */
void cor_agent_case_text(const struct cor_layer_tables *agent, uint16_t arm, uint32_t suite, uint32_t case_,
                         char text[COR_AGENT_TEXT]);

/* A finding in words. */
void cor_agent_sentence(const struct cor_layer_tables *agent, const struct cor_agent_finding_row *row,
                        char text[COR_AGENT_TEXT]);

/* What it is called among failures, "plan_failed Accept": its class; for the caller to free. NULL: memory is
 * out. */
char *cor_agent_failure(const struct cor_layer_tables *agent, const struct cor_agent_finding_row *row);

/* Does one case fail by it? Not by what is about all cases, or about runs of one that differ, nor by a note.
 */
bool cor_agent_is_failure(const struct cor_agent_finding_row *row);

/* The key of finding `index`, ARM/UNIT/CASE by its smallest case - of a unit that is run again ARM/SUITE/CASE
 * -, behind it its class where an earlier failure of the suite has the same case; for the caller to free.
 * NULL: memory is out. */
char *cor_agent_key(const struct cor_layer_tables *agent, uint64_t index);

#endif
