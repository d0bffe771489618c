/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers by example. A drawn configuration that solves the problem put to z3 proves that there is one, and
 * one at the end of a range proves that the range cannot be tightened there: z3, which takes longer than a
 * small campaign, then has nothing to add. */
#include "laws.h"

#include <corridor/solve.h>

#define TRIES 512 /* a thousandth of a second */

struct hunt {
    struct cor_parameter_laws *laws;
    const struct cor_problem *problem;
    struct cor_rng rng;
    bool found;
    bool low[COR_VARIABLES_MAX], high[COR_VARIABLES_MAX]; /* ends of the ranges that some solution attained */
};

/* Presses about two thirds of the integers to an end of their range: what attains one end mostly needs other
 * parameters to be extreme, too, and free draws hardly ever are. */
static void aim(struct hunt *hunt) {
    for (uint32_t v = 0; v < hunt->problem->variable_count; v++) {
        struct cor_variable *variable = &hunt->laws->variables[v];
        uint32_t which = cor_rng_below(&hunt->rng, 3);
        if (which == 0)
            variable->clip_high = variable->low;
        else if (which == 1)
            variable->clip_low = variable->high;
    }
}

static bool is_solution(const struct cor_problem *problem, const int64_t *values) {
    for (uint32_t v = 0; v < problem->variable_count; v++)
        if (values[v] < problem->low[v] || values[v] > problem->high[v])
            return false;
    for (uint32_t c = 0; c < problem->constraint_count; c++)
        if (!cor_expression_holds(&problem->constraints[c], values))
            return false;
    return true;
}

static void note_ends(struct hunt *hunt, const int64_t *values) {
    hunt->found = true;
    for (uint32_t v = 0; v < hunt->problem->variable_count; v++) {
        hunt->low[v] = hunt->low[v] || values[v] == hunt->problem->low[v];
        hunt->high[v] = hunt->high[v] || values[v] == hunt->problem->high[v];
    }
}

static void try_once(struct hunt *hunt, uint32_t last_stage) {
    int64_t integers[COR_VARIABLES_MAX] = {0};
    double reals[COR_VARIABLES_MAX] = {0};
    for (uint32_t v = 0; v < hunt->problem->variable_count; v++)
        integers[v] = hunt->problem->low[v]; /* what is not drawn: nothing is asked of it but its range */
    if (cor__laws_try(hunt->laws, &hunt->rng, last_stage, integers, reals) &&
        is_solution(hunt->problem, integers))
        note_ends(hunt, integers);
}

static bool is_complete(const struct hunt *hunt, const bool *wanted) {
    bool complete = hunt->found;
    for (uint32_t v = 0; v < hunt->problem->variable_count && complete; v++)
        complete = !wanted[v] || (hunt->low[v] && hunt->high[v]);
    return complete;
}

bool cor__laws_witness(struct cor_parameter_laws *laws, const struct cor_problem *problem,
                       uint32_t last_stage, const bool *wanted) {
    /* Which solutions are found decides nothing but whether z3 is asked, so any stream will do that is no
     * suite's. */
    struct cor_stream_name name = {.suite = UINT32_MAX, .purpose = COR_PURPOSE_CONFIGURATION};
    struct hunt hunt = {.laws = laws, .problem = problem, .rng = cor_rng_named(&name)};
    int64_t clips[2 * COR_VARIABLES_MAX];
    cor_parameter_laws_get_bounds(laws, clips);
    for (uint32_t i = 0; i < TRIES && !is_complete(&hunt, wanted); i++) {
        if (i % 2 == 1)
            aim(&hunt);
        try_once(&hunt, last_stage);
        cor_parameter_laws_set_bounds(laws, clips);
    }
    return is_complete(&hunt, wanted);
}
