/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner "paper" beside the times that paper 004 prints in table 1. A decision takes microseconds, so each
 * is made several times, in as many runs, and counts with its least time: what else the machine did is left
 * out. */
#include "measure.h"

#include <corridor/array.h>
#include <corridor/efsm_reach.h>
#include <corridor/paper_figures.h>
#include <corridor/process.h>
#include <corridor/rehearsal.h>

#include <stdlib.h>
#include <string.h>

enum { RUNS = 200 };

static const char *const goals[][3] = {{"counter3", "trap_t3", "counter3:trap_t3"},
                                       {"inres_initiator", "trap_t8", "inres_initiator:trap_t8"},
                                       {"inres_initiator", "trap_t5", "inres_initiator:trap_t5"}};

struct given {
    struct cor_efsm *model;
    struct cor_efsm_goal made;
    const struct cor_efsm_goal *goal;
    struct cor_efsm_problem *problem;
};

static void prepare(const struct bench_places *places, int index, struct given *given) {
    struct cor_error error = COR_NO_ERROR;
    char *path = bench_kept(cor_format("%s/experiments/efsm/%s.json", places->source, goals[index][0]));
    *given = (struct given){0};
    bench_must(cor_efsm_read(path, &given->model, &error), &error);
    bench_must(cor_efsm_goal_find(given->model, goals[index][1], &given->made, &given->goal, &error), &error);
    bench_must(cor_efsm_problem_create(given->model, given->goal, &given->problem, &error), &error);
    free(path);
}

static void drop(struct given *given) {
    cor_efsm_problem_destroy(given->problem);
    cor_efsm_goal_fini(&given->made);
    cor_efsm_destroy(given->model);
}

/* The least seconds of each decision; returns how many there are. */
static uint32_t least_times(const struct given *given, double **least) {
    struct cor_rehearsal_definition definition = {.kind = cor_planner_find("paper"),
                                                  .planner = cor_default_planner(),
                                                  .moves = 10000,
                                                  .now = cor_wall_seconds};
    uint32_t count = 0;
    definition.planner.problem = cor_efsm_planning_problem(given->problem);
    definition.planner.model = given->model;
    definition.planner.goal = given->goal;
    definition.planner.efsm = given->problem;
    for (int run = 0; run < RUNS; run++) {
        struct cor_error error = COR_NO_ERROR;
        struct cor_rehearsal played;
        bench_must(cor_rehearse(&definition, &played, &error), &error);
        if (run == 0) {
            count = played.length;
            *least = bench_kept(cor_calloc(count, sizeof **least));
            memcpy(*least, played.seconds, count * sizeof **least);
        }
        for (uint32_t i = 0; i < count; i++)
            (*least)[i] = played.seconds[i] < (*least)[i] ? played.seconds[i] : (*least)[i];
        cor_rehearsal_fini(&played);
    }
    return count;
}

void bench_decisions(const struct bench_places *places, struct bench_figure *figures) {
    for (int i = 0; i < 3; i++) {
        struct given given;
        double *least, worst = 0;
        prepare(places, i, &given);
        const uint32_t count = least_times(&given, &least);
        for (uint32_t move = 0; move < count; move++)
            worst = least[move] > worst ? least[move] : worst;
        const double paper = 1e6 * cor_paper_number(1, goals[i][2], "decision_seconds");
        figures[2 * i] = (struct bench_figure){1e6 * bench_median(least, count), paper, ""};
        figures[2 * i + 1] = (struct bench_figure){1e6 * worst, paper, ""};
        free(least);
        drop(&given);
    }
}

/* Constraints until the initial state is in one. */
static double make_rings(void *context) {
    const struct given *given = context;
    struct cor_efsm_reach_definition definition =
        cor_default_efsm_reach(given->model, &given->goal->traps[0], COR_EFSM_SYMBOLIC);
    struct cor_error error = COR_NO_ERROR;
    struct cor_efsm_reach *reach;
    definition.until_initial = true;
    bench_must(cor_efsm_reach_create(&definition, &reach, &error), &error);
    cor_efsm_reach_destroy(reach);
    return 1;
}

void bench_rings(const struct bench_places *places, struct bench_figure *figures) {
    for (int i = 0; i < 3; i++) {
        struct given given;
        prepare(places, i, &given);
        figures[i] =
            (struct bench_figure){1e3 * bench_measure(make_rings, NULL, &given, bench_careful).seconds,
                                  1e3 * cor_paper_number(1, goals[i][2], "complete_seconds"), ""};
        drop(&given);
    }
}
