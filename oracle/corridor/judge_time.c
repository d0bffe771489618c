/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "judge_time.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALARM, INSIDE, CONSTRAINTS }; /* conditions */

static bool is_of_time(const struct cor_corridor *corridor, uint32_t constraint) {
    return corridor->constraints[constraint].kind == COR_CONSTRAINT_TEMPORAL;
}

static void make_place(const struct cor_corridor *corridor, const char *name, uint32_t constraint,
                       char place[700]) {
    size_t line, column;
    cor_corridor_place(corridor, corridor->constraints[constraint].text, &line, &column);
    snprintf(place, 700, "%.500s:%zu:%zu", name, line, column);
}

/* Conditions by name: only formulas need them, and may not be misled by them. */
static enum cor_status name_conditions(struct judge_time *time, const char *name, struct cor_error *error) {
    const struct cor_corridor *corridor = time->corridor;
    char place[700];
    uint32_t count = CONSTRAINTS;
    time->names[ALARM] = "alarm";
    time->names[INSIDE] = "inside";
    for (uint32_t c = 0; c < corridor->constraint_count; c++) {
        const char *own = corridor->constraints[c].name;
        if (strcmp(own, "alarm") == 0 || strcmp(own, "inside") == 0) {
            make_place(corridor, name, c, place);
            return cor_fail(error, COR_STATUS_INPUT, place, "choose another name",
                            "\"%s\" is what formulas of time say", own);
        }
        if (!is_of_time(corridor, c))
            time->names[count++] = own;
    }
    return COR_OK;
}

enum cor_status judge_time_init(struct judge_time *time, const struct cor_corridor *corridor,
                                const char *name, struct cor_error *error) {
    const size_t count = corridor->constraint_count;
    bool has_formulas = false;
    time->corridor = corridor;
    time->names = cor_calloc(count + CONSTRAINTS + 1, sizeof *time->names);
    time->formulas = cor_calloc(count, sizeof *time->formulas);
    time->watches = cor_calloc(count, sizeof *time->watches);
    time->conditions = cor_calloc(count + CONSTRAINTS, 1);
    time->sure = cor_calloc(count, sizeof *time->sure);
    time->possible = cor_calloc(count, sizeof *time->possible);
    if (!time->names || !time->formulas || !time->watches || !time->conditions || !time->sure ||
        !time->possible)
        return cor_fail_memory(error);
    for (uint32_t c = 0; c < count; c++)
        has_formulas = has_formulas || is_of_time(corridor, c);
    if (has_formulas)
        COR_TRY(name_conditions(time, name, error));
    for (uint32_t c = 0; c < count; c++) {
        char place[700];
        if (!is_of_time(corridor, c))
            continue;
        make_place(corridor, name, c, place);
        snprintf(place + strlen(place), sizeof place - strlen(place), ": %s", corridor->constraints[c].name);
        COR_TRY(
            cor_temporal_parse(corridor->constraints[c].text, time->names, place, &time->formulas[c], error));
        COR_TRY(cor_temporal_watch_create(time->formulas[c], &time->watches[c], error));
    }
    return COR_OK;
}

void judge_time_fini(struct judge_time *time) {
    for (uint32_t c = 0; time->watches && c < time->corridor->constraint_count; c++)
        cor_temporal_watch_destroy(time->watches[c]);
    for (uint32_t c = 0; time->formulas && c < time->corridor->constraint_count; c++)
        cor_temporal_destroy(time->formulas[c]);
    free(time->names);
    free(time->formulas);
    free(time->watches);
    free(time->conditions);
    free(time->sure);
    free(time->possible);
    *time = (struct judge_time){NULL};
}

static uint8_t value_of(enum cor_truth truth) {
    static const uint8_t values[] = {[COR_TRUTH_FALSE] = COR_TEMPORAL_VIOLATED,
                                     [COR_TRUTH_TRUE] = COR_TEMPORAL_HOLDS,
                                     [COR_TRUTH_UNKNOWN] = COR_TEMPORAL_UNKNOWN};
    return values[truth];
}

enum cor_status judge_time_step(struct judge_time *time, const enum cor_truth *truths, enum cor_truth inside,
                                struct cor_error *error) {
    const struct cor_corridor *corridor = time->corridor;
    uint32_t count = CONSTRAINTS;
    bool is_due = false, may_be_due = false;
    for (uint32_t c = 0; c < corridor->constraint_count; c++) {
        const uint32_t cases = corridor->constraints[c].cases;
        if (is_of_time(corridor, c))
            continue;
        time->conditions[count++] = value_of(truths[c]);
        time->sure[c] = truths[c] == COR_TRUTH_FALSE ? time->sure[c] + 1 : 0;
        time->possible[c] = truths[c] != COR_TRUTH_TRUE ? time->possible[c] + 1 : 0;
        is_due = is_due || (cases > 0 && time->sure[c] >= cases);
        may_be_due = may_be_due || (cases > 0 && time->possible[c] >= cases);
    }
    time->conditions[ALARM] = is_due       ? COR_TEMPORAL_HOLDS
                              : may_be_due ? COR_TEMPORAL_UNKNOWN
                                           : COR_TEMPORAL_VIOLATED;
    time->conditions[INSIDE] = value_of(inside);
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        if (time->watches[c])
            COR_TRY(cor_temporal_step(time->watches[c], time->conditions, error));
    return COR_OK;
}

enum cor_truth judge_time_verdict(const struct judge_time *time, uint32_t constraint, uint64_t *decided) {
    static const enum cor_truth truths[] = {[COR_TEMPORAL_VIOLATED] = COR_TRUTH_FALSE,
                                            [COR_TEMPORAL_HOLDS] = COR_TRUTH_TRUE,
                                            [COR_TEMPORAL_UNKNOWN] = COR_TRUTH_UNKNOWN};
    *decided = cor_temporal_decided_at(time->watches[constraint]);
    return truths[cor_temporal_verdict(time->watches[constraint])];
}
