/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "text_time.h"

#include <corridor/array.h>

#include <stdio.h>
#include <string.h>

enum { FIRST, INSIDE, CONSTRAINTS }; /* conditions; FIRST: alarm, of what is observed stable */

static bool is_of_time(const struct cor_corridor *corridor, uint32_t constraint) {
    return corridor->constraints[constraint].kind == COR_CONSTRAINT_TEMPORAL;
}

static void make_place(const struct cor_corridor *corridor, uint32_t constraint, char place[700]) {
    size_t line, column;
    cor_corridor_place(corridor, corridor->constraints[constraint].text, &line, &column);
    snprintf(place, 700, "%.500s:%zu:%zu", corridor->name, line, column);
}

/* Conditions by name: only formulas need them, and may not be misled by them. */
static enum cor_status name_conditions(struct corridor__time *time, struct cor_error *error) {
    const struct cor_corridor *corridor = time->corridor;
    char place[700];
    uint32_t count = CONSTRAINTS;
    time->names[FIRST] = corridor->kind == COR_STRUCTURE_OBSERVED ? "stable" : "alarm";
    time->names[INSIDE] = "inside";
    for (uint32_t c = 0; c < corridor->constraint_count; c++) {
        const char *own = corridor->constraints[c].name;
        if (strcmp(own, time->names[FIRST]) == 0 || strcmp(own, time->names[INSIDE]) == 0) {
            make_place(corridor, c, place);
            return cor_fail(error, COR_STATUS_INPUT, place, "choose another name",
                            "\"%s\" is what formulas of time say", own);
        }
        if (!is_of_time(corridor, c))
            time->names[count++] = own;
    }
    return COR_OK;
}

enum cor_status corridor__time_init(struct corridor__time *time, const struct cor_corridor *corridor,
                                    struct cor_error *error) {
    const size_t count = corridor->constraint_count;
    bool has_formulas = false;
    time->corridor = corridor;
    time->names = cor_calloc(count + CONSTRAINTS + 1, sizeof *time->names);
    time->formulas = cor_calloc(count, sizeof *time->formulas);
    time->watches = cor_calloc(count, sizeof *time->watches);
    time->conditions = cor_calloc(count + CONSTRAINTS, 1);
    time->sure = cor_calloc(count, sizeof *time->sure);
    time->possible = cor_calloc(count, sizeof *time->possible);
    cor_streaks_init(&time->each, 2 * corridor->constraint_count);
    if (!time->names || !time->formulas || !time->watches || !time->conditions || !time->sure ||
        !time->possible)
        return cor_fail_memory(error);
    for (uint32_t c = 0; c < count; c++)
        has_formulas = has_formulas || is_of_time(corridor, c);
    if (has_formulas)
        COR_TRY(name_conditions(time, error));
    for (uint32_t c = 0; c < count; c++) {
        char place[700];
        if (!is_of_time(corridor, c))
            continue;
        make_place(corridor, c, place);
        snprintf(place + strlen(place), sizeof place - strlen(place), ": %s", corridor->constraints[c].name);
        COR_TRY(
            cor_temporal_parse(corridor->constraints[c].text, time->names, place, &time->formulas[c], error));
        COR_TRY(cor_temporal_watch_create(time->formulas[c], &time->watches[c], error));
    }
    return COR_OK;
}

void corridor__time_fini(struct corridor__time *time) {
    for (uint32_t c = 0; time->watches && c < time->corridor->constraint_count; c++)
        cor_temporal_watch_destroy(time->watches[c]);
    for (uint32_t c = 0; time->formulas && c < time->corridor->constraint_count; c++)
        cor_temporal_destroy(time->formulas[c]);
    COR_FREE(time->names, time->formulas, time->watches, time->conditions, time->sure, time->possible,
             time->organizations);
    cor_streaks_fini(&time->each);
    *time = (struct corridor__time){NULL};
}

void corridor__time_restart(struct corridor__time *time) {
    const uint32_t count = time->corridor->constraint_count;
    memset(time->sure, 0, count * sizeof *time->sure);
    memset(time->possible, 0, count * sizeof *time->possible);
    cor_streaks_clear(&time->each);
    for (uint32_t c = 0; c < count; c++)
        if (time->watches[c])
            cor_temporal_restart(time->watches[c]);
}

enum cor_status corridor__time_organizations(struct corridor__time *time, struct cor_corridor_judge *judge,
                                             const struct cor_snapshot *state, struct cor_error *error) {
    const uint32_t organizations = state->organizations->block_count;
    for (uint32_t c = 0; c < time->corridor->constraint_count; c++) {
        if (!time->corridor->constraints[c].is_each)
            continue;
        COR_TRY(COR_RESERVE(&time->organizations, &time->organization_capacity, organizations, error));
        COR_TRY(cor_streaks_follow(&time->each, state->organizations, state->agent_count, error));
        cor_corridor_ask_each(judge, c, true, time->organizations);
        time->sure[c] = time->possible[c] = 0;
        for (uint32_t o = 0; o < organizations; o++) {
            const enum cor_truth truth = time->organizations[o];
            const uint32_t sure = cor_streaks_count(&time->each, 2 * c, o, truth == COR_TRUTH_FALSE),
                           possible = cor_streaks_count(&time->each, 2 * c + 1, o, truth != COR_TRUTH_TRUE);
            time->sure[c] = sure > time->sure[c] ? sure : time->sure[c];
            time->possible[c] = possible > time->possible[c] ? possible : time->possible[c];
        }
    }
    return COR_OK;
}

enum cor_status corridor__time_step(struct corridor__time *time, const enum cor_truth *truths,
                                    enum cor_truth inside, enum cor_truth stable, struct cor_error *error) {
    const struct cor_corridor *corridor = time->corridor;
    uint32_t count = CONSTRAINTS;
    bool is_due = false, may_be_due = false;
    for (uint32_t c = 0; c < corridor->constraint_count; c++) {
        const uint32_t cases = corridor->constraints[c].cases;
        if (is_of_time(corridor, c))
            continue;
        time->conditions[count++] = (uint8_t)cor_temporal_of(truths[c]);
        if (!corridor->constraints[c].is_each) {
            time->sure[c] = truths[c] == COR_TRUTH_FALSE ? time->sure[c] + 1 : 0;
            time->possible[c] = truths[c] != COR_TRUTH_TRUE ? time->possible[c] + 1 : 0;
        }
        is_due = is_due || (cases > 0 && time->sure[c] >= cases);
        may_be_due = may_be_due || (cases > 0 && time->possible[c] >= cases);
    }
    time->conditions[FIRST] = is_due       ? COR_TEMPORAL_HOLDS
                              : may_be_due ? COR_TEMPORAL_UNKNOWN
                                           : COR_TEMPORAL_VIOLATED;
    if (corridor->kind == COR_STRUCTURE_OBSERVED)
        time->conditions[FIRST] = (uint8_t)cor_temporal_of(stable);
    time->conditions[INSIDE] = (uint8_t)cor_temporal_of(inside);
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        if (time->watches[c])
            COR_TRY(cor_temporal_step(time->watches[c], time->conditions, error));
    return COR_OK;
}

enum cor_truth corridor__time_verdict(const struct corridor__time *time, uint32_t constraint,
                                      uint64_t *decided) {
    *decided = cor_temporal_decided_at(time->watches[constraint]);
    return cor_temporal_truth(cor_temporal_verdict(time->watches[constraint]));
}

enum cor_truth corridor__time_so_far(const struct corridor__time *time, uint32_t constraint) {
    return cor_temporal_truth(cor_temporal_so_far(time->watches[constraint]));
}
