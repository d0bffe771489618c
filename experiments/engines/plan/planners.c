/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "planners.h"

#include <string.h>

const char *cor_reading_word(size_t index) {
    static const char *const words[] = {"hope", "forced", "expected"};
    return index < sizeof words / sizeof *words ? words[index] : NULL;
}

COR_WORDS(cor_proof_word, enum cor_plan_proof, "none", "bfs", "fixpoint", "bound")

const struct cor_planner_kind *const cor_planner_kinds[] = {
    &plan__planner_search, &plan__planner_paper, &plan__planner_antiant, &plan__planner_random, NULL};

const struct cor_planner_kind *cor_planner_find(const char *name) {
    for (size_t i = 0; cor_planner_kinds[i]; i++)
        if (strcmp(cor_planner_kinds[i]->name, name) == 0)
            return cor_planner_kinds[i];
    return NULL;
}

struct cor_planner_definition cor_default_planner(void) {
    return (struct cor_planner_definition){
        .reading = COR_READING_HOPE, .state_budget = COR_PLANNER_STATES, .depth = COR_PLANNER_DEPTH};
}
