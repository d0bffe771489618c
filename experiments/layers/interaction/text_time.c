/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a corridor as a text says of time, over the cases of a sequence. A watch is made anew for each
 * sequence: when a verdict is found to be fixed may depend on what it has seen, and what a sequence shows
 * must not depend on those before. */
#include "text_internal.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct interaction__text_time {
    const struct interaction__text *text; /* borrowed */
    struct cor_temporal *returns;         /* owned; NULL: the text says it itself */
    struct cor_temporal_watch **watches;  /* owned, and each; [constraint], NULL: not of time, or not begun */
    uint8_t *conditions;                  /* owned; of a step */
    bool is_used;                         /* the watches have seen a case */
};

static const struct cor_temporal *formula_of(const struct interaction__text_time *time, uint32_t constraint) {
    return constraint < time->text->corridor->constraint_count ? time->text->formulas[constraint]
                                                               : time->returns;
}

static enum cor_status make_watches(struct interaction__text_time *time, struct cor_error *error) {
    for (uint32_t c = 0; c < time->text->count; c++) {
        cor_temporal_watch_destroy(time->watches[c]);
        time->watches[c] = NULL;
        if (formula_of(time, c))
            COR_TRY(cor_temporal_watch_create(formula_of(time, c), &time->watches[c], error));
    }
    time->is_used = false;
    return COR_OK;
}

enum cor_status interaction__text_time_create(const struct interaction__text *text, uint32_t cases,
                                              struct interaction__text_time **time, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct interaction__text_time *made = *time = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->text = text;
    made->watches = cor_calloc(text->count, sizeof *made->watches);
    made->conditions = cor_calloc(text->count + CONDITIONS_FIRST, 1);
    COR_TRY_OUT(cor_made(made->watches, error));
    COR_TRY_OUT(cor_made(made->conditions, error));
    if (!text->has_returns) {
        /* Where the sequence ends before so many cases are over, nobody is accused. */
        char formula[128];
        snprintf(formula, sizeof formula,
                 "always (alarm implies (eventually[0, %u] inside or not next[%u, %u] true))", cases, cases,
                 cases);
        COR_TRY_OUT(cor_temporal_parse(formula, text->conditions, text->name, &made->returns, error));
    }
    COR_TRY_OUT(make_watches(made, error));
out:
    if (status != COR_OK) {
        interaction__text_time_destroy(made);
        *time = NULL;
    }
    return status;
}

void interaction__text_time_destroy(struct interaction__text_time *time) {
    if (!time)
        return;
    for (uint32_t c = 0; time->watches && c < time->text->count; c++)
        cor_temporal_watch_destroy(time->watches[c]);
    cor_temporal_destroy(time->returns);
    free(time->watches);
    free(time->conditions);
    free(time);
}

enum cor_status interaction__text_time_restart(struct interaction__text_time *time, struct cor_error *error) {
    return time->is_used ? make_watches(time, error) : COR_OK;
}

static uint8_t value_of(enum cor_truth truth) {
    return truth == COR_TRUTH_TRUE    ? COR_TEMPORAL_HOLDS
           : truth == COR_TRUTH_FALSE ? COR_TEMPORAL_VIOLATED
                                      : COR_TEMPORAL_UNKNOWN;
}

enum cor_status interaction__text_time_step(struct interaction__text_time *time, const enum cor_truth *truths,
                                            bool alarm, enum cor_truth inside, struct cor_error *error) {
    time->is_used = true;
    time->conditions[CONDITION_ALARM] = alarm ? COR_TEMPORAL_HOLDS : COR_TEMPORAL_VIOLATED;
    time->conditions[CONDITION_INSIDE] = value_of(inside);
    uint32_t next = CONDITIONS_FIRST;
    for (uint32_t c = 0; c < time->text->count; c++)
        if (interaction__text_kind(time->text, c) != COR_TEXT_TIME)
            time->conditions[next++] = value_of(truths[c]);
    for (uint32_t c = 0; c < time->text->count; c++)
        if (time->watches[c])
            COR_TRY(cor_temporal_step(time->watches[c], time->conditions, error));
    return COR_OK;
}

enum cor_truth interaction__text_time_verdict(const struct interaction__text_time *time, uint32_t constraint,
                                              uint32_t *decided) {
    const uint64_t at = cor_temporal_decided_at(time->watches[constraint]);
    const enum cor_temporal_value value = cor_temporal_verdict(time->watches[constraint]);
    *decided = at == COR_TEMPORAL_OPEN ? 0 : (uint32_t)at + 1;
    return value == COR_TEMPORAL_HOLDS      ? COR_TRUTH_TRUE
           : value == COR_TEMPORAL_VIOLATED ? COR_TRUTH_FALSE
                                            : COR_TRUTH_UNKNOWN;
}
