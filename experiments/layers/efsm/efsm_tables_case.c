/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a row of the paper's tables is measured on: a model, a goal, and planners beside them. */
#include "efsm_tables.h"

#include <corridor/array.h>
#include <corridor/work.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum cor_status efsm_layer__case_open(const char *folder, const char *model, const char *goal,
                                      struct efsm_layer__case *of, struct cor_error *error) {
    enum cor_status status = COR_OK;
    char *path = cor_format("%s/%s.json", folder, model);
    *of = (struct efsm_layer__case){0};
    COR_TRY(cor_made(path, error));
    COR_TRY_OUT(cor_efsm_read(path, &of->model, error));
    COR_TRY_OUT(cor_efsm_goal_find(of->model, goal, &of->made, &of->goal, error));
    COR_TRY_OUT(cor_efsm_problem_create(of->model, of->goal, &of->problem, error));
out:
    free(path);
    if (status != COR_OK)
        efsm_layer__case_close(of);
    return status;
}

void efsm_layer__case_close(struct efsm_layer__case *of) {
    cor_efsm_problem_destroy(of->problem);
    cor_efsm_goal_fini(&of->made);
    cor_efsm_destroy(of->model);
    *of = (struct efsm_layer__case){0};
}

struct cor_rehearsal_definition efsm_layer__case_rehearsal(const struct efsm_layer__case *of,
                                                           const char *planner, uint32_t depth,
                                                           uint32_t moves) {
    struct cor_rehearsal_definition definition = {.kind = cor_planner_find(planner),
                                                  .planner = cor_default_planner(),
                                                  .moves = moves,
                                                  .now = cor_wall_seconds};
    COR_ASSERT(definition.kind);
    definition.planner.problem = cor_efsm_planning_problem(of->problem);
    definition.planner.model = of->model;
    definition.planner.goal = of->goal;
    definition.planner.efsm = of->problem;
    definition.planner.depth = depth;
    return definition;
}

enum cor_status efsm_layer__case_offline(const struct efsm_layer__case *of, uint32_t depth,
                                         struct efsm_layer__offline_cost *cost, struct cor_error *error) {
    const double from = cor_wall_seconds();
    *cost = (struct efsm_layer__offline_cost){.initial = COR_EFSM_FAR};
    for (uint32_t i = 0; i < of->goal->trap_count; i++) {
        struct cor_efsm_reach_definition definition =
            cor_default_efsm_reach(of->model, &of->goal->traps[i], COR_EFSM_SYMBOLIC);
        struct cor_efsm_reach *reach;
        definition.depth = depth;
        definition.until_initial = true;
        COR_TRY(cor_efsm_reach_create(&definition, &reach, error));
        const struct cor_efsm_reach_summary summary = cor_efsm_reach_summary(reach);
        cor_solver_statistics_add(&cost->asked, &summary.asked);
        cost->initial = summary.initial;
        cor_efsm_reach_destroy(reach);
    }
    cost->seconds = cor_wall_seconds() - from;
    return COR_OK;
}

static int by_size(const void *a, const void *b) {
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

struct efsm_layer__times efsm_layer__times_of(const struct cor_rehearsal *rehearsal) {
    const uint32_t count = rehearsal->seconds ? rehearsal->length : 0;
    struct efsm_layer__times times = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    double *sorted = cor_calloc(count, sizeof *sorted);
    if (sorted && count > 0) {
        memcpy(sorted, rehearsal->seconds, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, by_size);
        times.sum = 0;
        for (uint32_t i = 0; i < count; i++)
            times.sum += sorted[i];
        times.mean = times.sum / count;
        times.median = sorted[count / 2];
        times.worst = sorted[count - 1];
    }
    free(sorted);
    return times;
}
