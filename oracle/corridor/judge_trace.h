/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A formula of time against a trace that somebody stored as CSV. */
#ifndef CORRIDOR_ORACLE_CORRIDOR_JUDGE_TRACE_H
#define CORRIDOR_ORACLE_CORRIDOR_JUDGE_TRACE_H

#include <corridor/error.h>
#include <corridor/temporal.h>

#define JUDGE_TRACE_COLUMNS_MAX 10000

struct judge_trace_verdict {
    enum cor_temporal_value value;
    uint64_t decided; /* state, from 0; COR_TEMPORAL_OPEN: the end decided */
    uint64_t states;
    /* Why it is violated; all owned, freed by judge_trace_fini. */
    struct cor_temporal_reason *reasons; /* conditions are indices into `names` */
    size_t reason_count;
    bool is_enough;     /* as cor_temporal_reasons says it */
    const char **names; /* into `text` */
    char *text;
};

/* Judges the trace at `path`, "-" for standard input: the first line names columns, which are the conditions
 * of the formula, each line behind it is a state. Of columns that the formula names each cell is true, 1 or
 * +; false, 0 or -; or ?, unknown. COR_STATUS_INPUT, with line and column: a cell that is none of these or
 * empty, a line with more or fewer cells, no state, a name used twice, more columns than are read; and what
 * is wrong with the formula. */
enum cor_status judge_trace(const char *formula, const char *path, struct judge_trace_verdict *verdict,
                            struct cor_error *error) COR_MUST_USE;

/* Frees what the verdict holds. Idempotent. */
void judge_trace_fini(struct judge_trace_verdict *verdict);

#endif
