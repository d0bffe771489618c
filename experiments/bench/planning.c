/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planners: decisions, beside the times that paper 004 prints; how many states a search looks at; models that
 * nobody can look at. A decision takes microseconds, so each is made several times, in as many runs, and
 * counts with its least time: what else the machine did is left out. */
#include "timing.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/efsm_reach.h>
#include <corridor/paper_figures.h>
#include <corridor/rehearsal.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Who decides what, how often it is repeated, and what the paper has of it. */
struct decided {
    const char *planner, *model, *goal;
    int runs;
    int table; /* of the paper */
    const char *figure;
};

static const struct decided by_paper[] = {
    {"paper", "counter3", "trap_t3", 200, 1, "counter3:trap_t3"},
    {"paper", "inres_initiator", "trap_t8", 200, 1, "inres_initiator:trap_t8"},
    {"paper", "inres_initiator", "trap_t5", 200, 1, "inres_initiator:trap_t5"},
    {"paper", "billing_synth", "trap_t13", 10, 3, "2"},
};

static const struct decided by_search[] = {
    {"search", "counter3", "trap_t3", 20, 1, "counter3:trap_t3"},
    {"search", "inres_initiator", "trap_t8", 200, 1, "inres_initiator:trap_t8"},
    {"search", "billing_synth", "trap_t13", 3, 3, "2"},
};

struct given {
    struct cor_efsm *model;
    struct cor_efsm_goal made;
    const struct cor_efsm_goal *goal;
    struct cor_efsm_problem *problem;
};

static void prepare(const struct bench_places *places, const char *model, const char *goal,
                    struct given *given) {
    struct cor_error error = COR_NO_ERROR;
    char *path = bench_kept(cor_format("%s/experiments/library/efsm/%s.json", places->source, model));
    *given = (struct given){0};
    bench_must(cor_efsm_read(path, &given->model, &error), &error);
    bench_must(cor_efsm_goal_find(given->model, goal, &given->made, &given->goal, &error), &error);
    bench_must(cor_efsm_problem_create(given->model, given->goal, &given->problem, &error), &error);
    free(path);
}

static void drop(struct given *given) {
    cor_efsm_problem_destroy(given->problem);
    cor_efsm_goal_fini(&given->made);
    cor_efsm_destroy(given->model);
}

static struct cor_planner_definition planner_for(const struct given *given) {
    struct cor_planner_definition definition = cor_default_planner();
    definition.problem = cor_efsm_planning_problem(given->problem);
    definition.model = given->model;
    definition.goal = given->goal;
    definition.efsm = given->problem;
    return definition;
}

/* The least seconds of each decision; returns how many there are. */
static uint32_t least_times(const struct given *given, const struct decided *decided, double **least) {
    const struct cor_rehearsal_definition definition = {.kind = cor_planner_find(decided->planner),
                                                        .planner = planner_for(given),
                                                        .moves = 10000,
                                                        .now = cor_wall_seconds};
    uint32_t count = 0;
    for (int run = 0; run < decided->runs; run++) {
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

/* Median and worst of each. */
static void measure_decisions(const struct bench_places *places, const struct decided *decided, int count,
                              struct bench_figure *figures) {
    for (int i = 0; i < count; i++) {
        struct given given;
        double *least, worst = 0;
        prepare(places, decided[i].model, decided[i].goal, &given);
        const uint32_t moves = least_times(&given, &decided[i], &least);
        for (uint32_t move = 0; move < moves; move++)
            worst = least[move] > worst ? least[move] : worst;
        const double paper = 1e6 * cor_paper_number(decided[i].table, decided[i].figure, "decision_seconds");
        figures[2 * i] = (struct bench_figure){1e6 * bench_median(least, moves), paper, ""};
        figures[2 * i + 1] = (struct bench_figure){1e6 * worst, paper, ""};
        free(least);
        drop(&given);
    }
}

void bench_decisions(const struct bench_places *places, struct bench_figure *figures) {
    measure_decisions(places, by_paper, sizeof by_paper / sizeof *by_paper, figures);
}

void bench_searches(const struct bench_places *places, struct bench_figure *figures) {
    measure_decisions(places, by_search, sizeof by_search / sizeof *by_search, figures);
    for (size_t i = 0; i < 2 * sizeof by_search / sizeof *by_search; i += 2)
        snprintf(figures[i + 1].note, sizeof figures[i + 1].note, "the first, which makes the plan");
}

/* Between a planner and a problem: counts. */
struct counted {
    struct cor_planning_problem problem;
    const struct cor_planning_problem *below;
    uint64_t expanded;
};

static enum cor_status expand(void *self, const void *state, struct cor_expansion *expansion,
                              struct cor_error *error) {
    struct counted *c = self;
    c->expanded++;
    return c->below->expand(c->below->self, state, expansion, error);
}

/* A plan from the initial state; returns the states that were expanded for it. */
static double make_plan(void *context) {
    const struct given *given = context;
    struct cor_error error = COR_NO_ERROR;
    struct counted counted = {.below = cor_efsm_planning_problem(given->problem)};
    struct cor_planner_definition definition = planner_for(given);
    const struct cor_planner_kind *search = cor_planner_find("search");
    struct cor_plan_choice choice;
    void *planner;
    counted.problem = *counted.below;
    counted.problem.self = &counted;
    counted.problem.expand = expand;
    definition.problem = &counted.problem;
    unsigned char *state = bench_kept(cor_calloc(1, counted.problem.state_size));
    uint64_t *covered = bench_kept(cor_calloc(counted.problem.trap_words, sizeof *covered));
    cor_efsm_problem_start(given->problem, state);
    bench_must(search->create(&definition, &planner, &error), &error);
    bench_must(search->choose(planner, state, covered, &choice, &error), &error);
    COR_ASSERT(choice.advice == COR_ADVICE_INPUT && choice.proof != COR_PROOF_NONE);
    search->destroy(planner);
    COR_FREE(state, covered);
    return (double)counted.expanded;
}

void bench_expansions(const struct bench_places *places, struct bench_figure *figures) {
    struct given given;
    prepare(places, "counter3_100", "trap_t3", &given);
    figures[0] =
        (struct bench_figure){1e-3 / bench_measure(make_plan, NULL, &given, bench_careful).seconds, NAN, ""};
    drop(&given);
}

static double cpu_of(const struct rusage *usage) {
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           1e-6 * (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

/* Seconds of a plan, and megabytes of this process and of z3, which is a child of it. */
static void measure_vast(const struct bench_places *places, const char *model, const char *goal,
                         struct bench_figure *figures) {
    struct given given;
    struct rusage own, z3;
    prepare(places, model, goal, &given);
    double least = HUGE_VAL;
    for (int run = 0; run < 3; run++) {
        const double from = cor_wall_seconds();
        make_plan(&given);
        const double seconds = cor_wall_seconds() - from;
        least = seconds < least ? seconds : least;
    }
    drop(&given);
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &z3);
    figures[0] = (struct bench_figure){least, NAN, ""};
    snprintf(figures[0].note, sizeof figures[0].note, "CPU %.3f s, z3 and reading the model included",
             cpu_of(&own) / 3 + cpu_of(&z3) / 3);
    figures[1] = (struct bench_figure){(double)(own.ru_maxrss + z3.ru_maxrss) / 1024, NAN, ""};
    snprintf(figures[1].note, sizeof figures[1].note, "z3, a process of its own: %.0f MB",
             (double)z3.ru_maxrss / 1024);
}

void bench_vast_counter(const struct bench_places *places, struct bench_figure *figures) {
    measure_vast(places, "counter3_32000", "trap_t3", figures);
}

void bench_vast_billing(const struct bench_places *places, struct bench_figure *figures) {
    measure_vast(places, "billing_synth", "trap_t13", figures);
}

void bench_vast_hard(const struct bench_places *places, struct bench_figure *figures) {
    measure_vast(places, "billing_hard", "trap_t13", figures);
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
        prepare(places, by_paper[i].model, by_paper[i].goal, &given);
        figures[i] =
            (struct bench_figure){1e3 * bench_measure(make_rings, NULL, &given, bench_careful).seconds,
                                  1e3 * cor_paper_number(1, by_paper[i].figure, "complete_seconds"), ""};
        drop(&given);
    }
}
