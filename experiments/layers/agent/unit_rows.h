/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a unit writes down: its rows in the tables of agent_schema.h. Private to this room. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_AGENT_UNIT_ROWS_H
#define CORRIDOR_EXPERIMENTS_LAYERS_AGENT_UNIT_ROWS_H

#include <corridor/run_unit.h>

struct agent_layer__unit_rows {
    struct cor_record *record;          /* borrowed */
    const struct cor_design_file *file; /* borrowed */
    const struct cor_name_codes *codes; /* borrowed */
    uint64_t seed;
    uint64_t *class_cases; /* owned; [class of the unit] cases with a value of it */
    uint64_t trace_hash;   /* of all cases, before agent_layer__rows_put_unit */
};

/* Frees what it holds. Idempotent. */
void agent_layer__rows_fini(struct agent_layer__unit_rows *rows);

/* Before the first case: the unit, its plans, what it needs. */
enum cor_status agent_layer__rows_begin(struct agent_layer__unit_rows *rows,
                                        const struct cor_unit_cases *cases, uint32_t repetition,
                                        struct cor_error *error) COR_MUST_USE;

/* A case was made. */
void agent_layer__rows_count_classes(struct agent_layer__unit_rows *rows, const struct cor_unit_cases *cases,
                                     const struct cor_case_values *values);

/* A case was run: its row, and its values. */
enum cor_status agent_layer__rows_put_trial(struct agent_layer__unit_rows *rows,
                                            const struct cor_unit_cases *cases,
                                            const struct cor_judged_case *judged, bool own,
                                            const struct cor_trace *trace, uint64_t hash,
                                            struct cor_error *error) COR_MUST_USE;

/* All cases were run: what the row of the unit is still to say, classes, uses. */
enum cor_status
agent_layer__rows_put_unit(struct agent_layer__unit_rows *rows, const struct cor_unit_cases *cases,
                           const struct cor_unit_judgement *judgement, const struct cor_agent_code *code,
                           const struct cor_interpreter *interpreter, struct cor_error *error) COR_MUST_USE;

/* What the agent reported in a case. */
enum cor_status agent_layer__rows_put_trace(struct agent_layer__unit_rows *rows, uint32_t index,
                                            const struct cor_trace *trace,
                                            struct cor_error *error) COR_MUST_USE;

/* What was found; the unit has so many cases, not counting interleavings. */
enum cor_status agent_layer__rows_put_findings(struct agent_layer__unit_rows *rows,
                                               const struct cor_findings *findings, uint64_t case_count,
                                               struct cor_error *error) COR_MUST_USE;

/* A fingerprint of what was reported. Words beyond the first `word_count` count by their text, as their
 * numbers depend on what the agent said before. */
uint64_t agent_layer__trace_hash(const struct cor_trace *trace, uint32_t word_count,
                                 const struct cor_words *words);

#endif
