/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be said of the laws before suites are drawn: ranges by interval arithmetic, and what z3 finds
 * where examples do not tell. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/solve.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cor_value_range interaction__laws_interval(const struct cor_parameter_laws *laws,
                                                  const struct cor_expression *expression) {
    int64_t low[COR_VARIABLES_MAX], high[COR_VARIABLES_MAX];
    for (size_t i = 0; i < laws->variable_count; i++) {
        low[i] = laws->variables[i].low;
        high[i] = laws->variables[i].high;
    }
    return cor_expression_interval(expression, low, high);
}

struct cor_value_range interaction__quantity_interval(const struct cor_parameter_laws *laws,
                                                      const struct cor_derived_quantity *quantity) {
    return quantity->expression.text ? interaction__laws_interval(laws, &quantity->expression)
                                     : (struct cor_value_range){quantity->given, quantity->given};
}

static bool reads_own_stage(const struct cor_parameter_laws *laws, const struct cor_definition *d) {
    for (uint32_t v = 0; v < laws->parameter_count; v++)
        if (laws->variables[v].stage == d->stage &&
            (cor_expression_reads(&d->low, v) || cor_expression_reads(&d->high, v)))
            return true;
    return false;
}

enum cor_status interaction__laws_enclose(struct cor_parameter_laws *laws, struct cor_error *error) {
    for (size_t i = 0; i < laws->variable_count; i++) {
        laws->variables[i].clip_low = INT64_MIN;
        laws->variables[i].clip_high = INT64_MAX;
    }
    for (size_t i = 0; i < laws->main.count; i++) {
        struct cor_definition *d = &laws->main.definitions[i];
        d->bounds_come_before =
            (d->kind == COR_LAW_UNIFORM || d->kind == COR_LAW_PAIR) && !reads_own_stage(laws, d);
        if (d->kind == COR_LAW_REAL || d->kind == COR_LAW_SIMPLEX)
            continue;
        struct cor_value_range low = interaction__laws_interval(laws, &d->low),
                               high = d->kind == COR_LAW_VALUE ? low
                                                               : interaction__laws_interval(laws, &d->high);
        if (low.low > high.high)
            return cor_fail(
                error, COR_STATUS_UNSATISFIABLE, d->place, "write the smaller bound first",
                "%s: the range is empty: its lower bound is at least %lld, its upper bound at most %lld",
                d->line, (long long)low.low, (long long)high.high);
        for (uint32_t v = 0; v < d->variable_count; v++) {
            laws->variables[d->variable[v]].low = low.low;
            laws->variables[d->variable[v]].high = high.high;
        }
    }
    for (size_t i = 0; i < laws->override_count; i++) {
        struct cor_variable *variable = &laws->variables[laws->overrides[i].variable];
        const struct cor_value_range range = interaction__laws_interval(laws, &laws->overrides[i].value);
        variable->low = range.low < variable->low ? range.low : variable->low;
        variable->high = range.high > variable->high ? range.high : variable->high;
    }
    return COR_OK;
}

#define TRIES 512 /* a thousandth of a second */

/* Answers by example. A drawn configuration that solves the problem put to z3 proves that there is one, and
 * one at the end of a range proves that the range cannot be tightened there: z3, which takes longer than a
 * small campaign, then has nothing to add. */
struct hunt {
    struct cor_parameter_laws *laws;
    const struct cor_problem *problem;
    struct cor_rng rng;
    bool found;
    bool low[COR_VARIABLES_MAX], high[COR_VARIABLES_MAX]; /* ends of the ranges that some solution attained */
};

static bool is_complete(const struct hunt *hunt, const bool *wanted) {
    bool complete = hunt->found;
    for (uint32_t v = 0; v < hunt->problem->variable_count && complete; v++)
        complete = !wanted[v] || (hunt->low[v] && hunt->high[v]);
    return complete;
}

/* Whether a few draws prove what z3 might be asked of the problem, made of the stages up to `last_stage`: it
 * has solutions, and among them some at either end of the range of each variable that is wanted[variable].
 * False says nothing: they may exist. The laws are as before. */
static bool has_witness(struct cor_parameter_laws *laws, const struct cor_problem *problem,
                        uint32_t last_stage, const bool *wanted) {
    /* Which solutions are found decides nothing but whether z3 is asked, so any stream will do that is no
     * suite's. */
    struct cor_stream_name name = {.suite = UINT32_MAX, .purpose = COR_PURPOSE_CONFIGURATION};
    struct hunt hunt = {.laws = laws, .problem = problem, .rng = cor_rng_named(&name)};
    int64_t clips[2 * COR_VARIABLES_MAX];
    cor_parameter_laws_get_bounds(laws, clips);
    for (uint32_t i = 0; i < TRIES && !is_complete(&hunt, wanted); i++) {
        if (i % 2 == 1) {
            /* Presses about two thirds of the integers to an end of their range: what attains one end mostly
             * needs other parameters to be extreme, too, and free draws hardly ever are. */
            for (uint32_t v = 0; v < hunt.problem->variable_count; v++) {
                struct cor_variable *variable = &hunt.laws->variables[v];
                uint32_t which = cor_rng_below(&hunt.rng, 3);
                if (which == 0)
                    variable->clip_high = variable->low;
                else if (which == 1)
                    variable->clip_low = variable->high;
            }
        }
        int64_t integers[COR_VARIABLES_MAX] = {0};
        double reals[COR_VARIABLES_MAX] = {0};
        for (uint32_t v = 0; v < hunt.problem->variable_count; v++)
            integers[v] = hunt.problem->low[v]; /* what is not drawn: nothing is asked of it but its range */
        if (interaction__laws_try(hunt.laws, &hunt.rng, last_stage, integers, reals) &&
            cor_problem_holds(hunt.problem, integers)) {
            hunt.found = true;
            for (uint32_t v = 0; v < hunt.problem->variable_count; v++) {
                hunt.low[v] = hunt.low[v] || integers[v] == hunt.problem->low[v];
                hunt.high[v] = hunt.high[v] || integers[v] == hunt.problem->high[v];
            }
        }
        cor_parameter_laws_set_bounds(laws, clips);
    }
    return is_complete(&hunt, wanted);
}

/* The problem put to z3: the user's constraints, and each definition and override as one more. */
struct question {
    struct cor_problem problem;
    struct cor_expression *constraints; /* owned array */
    const char **lines;                 /* how each was written */
    const char **places;                /* and where */
    size_t borrowed;                    /* of `constraints`, the first: those of the laws */
    size_t made;                        /* the others: parsed here */
    int64_t *low, *high;
};

static void fini_question(struct question *q) {
    for (size_t i = 0; i < q->made; i++)
        cor_expression_fini(&q->constraints[q->borrowed + i]);
    free(q->constraints);
    free(q->lines);
    free(q->places);
    free(q->low);
    free(q->high);
}

static bool is_overridden(const struct cor_parameter_laws *laws, uint32_t variable) {
    for (size_t i = 0; i < laws->override_count; i++)
        if (laws->overrides[i].variable == variable)
            return true;
    return false;
}

/* What a definition says of its variables once drawn, as a constraint; NULL if it says nothing. */
static char *definition_text(const struct cor_parameter_laws *laws, const struct cor_definition *d) {
    const char *first = laws->variables[d->variable[0]].name;
    bool first_free = is_overridden(laws, d->variable[0]);
    if (d->kind == COR_LAW_VALUE)
        return first_free ? NULL : cor_format("%s == (%s)", first, d->low_text);
    if (d->kind == COR_LAW_UNIFORM)
        return first_free ? NULL
                          : cor_format("%s >= (%s) and %s <= (%s)", first, d->low_text, first, d->high_text);
    const char *second = laws->variables[d->variable[1]].name;
    bool second_free = is_overridden(laws, d->variable[1]);
    if (first_free && second_free)
        return NULL;
    if (first_free || second_free) {
        const char *bound = first_free ? second : first;
        return cor_format("%s >= (%s) and %s <= (%s)", bound, d->low_text, bound, d->high_text);
    }
    return cor_format("%s >= (%s) and %s <= %s and %s <= (%s)", first, d->low_text, first, second, second,
                      d->high_text);
}

static enum cor_status ask_too(struct question *q, char *text_take, const char *line, const char *place,
                               struct cor_error *error) {
    if (!text_take)
        return COR_OK;
    size_t at = q->borrowed + q->made;
    enum cor_status status =
        cor_expression_parse(text_take, q->problem.names, true, NULL, &q->constraints[at], error);
    free(text_take);
    COR_TRY(status);
    q->lines[at] = line;
    q->places[at] = place;
    q->made++;
    return COR_OK;
}

/* What is known when stage `last_stage` has been drawn: definitions, overrides and constraints up to it. */
static enum cor_status make_question(struct question *q, const struct cor_parameter_laws *laws,
                                     uint32_t last_stage, struct cor_error *error) {
    size_t most = laws->constraint_count + laws->main.count + laws->override_count, n = laws->parameter_count;
    *q = (struct question){
        .constraints = cor_calloc(most, sizeof *q->constraints),
        .lines = cor_calloc(most, sizeof *q->lines),
        .places = cor_calloc(most, sizeof *q->places),
        .low = cor_calloc(n, sizeof *q->low),
        .high = cor_calloc(n, sizeof *q->high),
        .problem.names = laws->names,
    };
    if (!q->constraints || !q->lines || !q->places || !q->low || !q->high)
        return cor_fail_memory(error);
    for (size_t i = 0; i < n; i++) {
        q->low[i] = laws->variables[i].is_integer ? laws->variables[i].low : 0;
        q->high[i] = laws->variables[i].is_integer ? laws->variables[i].high : 0;
    }
    for (size_t i = 0; i < laws->constraint_count; i++) {
        if (laws->constraints[i].stage > last_stage)
            continue;
        q->constraints[q->borrowed] = laws->constraints[i].expression;
        q->lines[q->borrowed] = laws->constraints[i].expression.text;
        q->places[q->borrowed++] = laws->constraints[i].place;
    }
    for (size_t i = 0; i < laws->main.count; i++) {
        const struct cor_definition *d = &laws->main.definitions[i];
        if (d->stage <= last_stage && d->kind != COR_LAW_REAL && d->kind != COR_LAW_SIMPLEX)
            COR_TRY(ask_too(q, definition_text(laws, d), d->line, d->place, error));
    }
    for (size_t i = 0; i < laws->override_count; i++) {
        const struct cor_override *o = &laws->overrides[i];
        if (laws->variables[o->variable].stage <= last_stage)
            COR_TRY(ask_too(q, cor_format("%s == (%s)", o->name, o->text), o->line, o->place, error));
    }
    q->problem = (struct cor_problem){
        .names = laws->names,
        .variable_count = laws->parameter_count,
        .low = q->low,
        .high = q->high,
        .constraints = q->constraints,
        .constraint_count = (uint32_t)(q->borrowed + q->made),
    };
    return COR_OK;
}

static bool conflict_reads(const struct question *q, const struct cor_solution_space *space,
                           uint32_t variable) {
    for (uint32_t i = 0; i < space->conflict_count; i++)
        if (cor_expression_reads(&q->constraints[space->conflict[i]], variable))
            return true;
    return false;
}

static bool in_conflict(const struct question *q, const struct cor_solution_space *space, const char *line) {
    for (uint32_t i = 0; i < space->conflict_count; i++)
        if (q->lines[space->conflict[i]] == line)
            return true;
    return false;
}

/* Draws of this definition may be clipped without changing the law: what is cut off would be rejected at the
 * end of the stage, and no weight of what is left depends on it. Where bounds read a name of the same stage
 * it does: there a narrower range would make the rest of it likelier. */
static bool may_clip(const struct cor_definition *d) {
    return d->bounds_come_before && !d->overridden;
}

static void clip_all(struct cor_parameter_laws *laws, uint32_t stage, const int64_t *low, const int64_t *high,
                     char *note, size_t size) {
    for (size_t i = 0; i < laws->main.count; i++) {
        const struct cor_definition *d = &laws->main.definitions[i];
        if (d->stage == stage && may_clip(d)) {
            /* low and high: [variable] */
            for (uint32_t v = 0; v < d->variable_count; v++) {
                struct cor_variable *variable = &laws->variables[d->variable[v]];
                variable->clip_low = low[d->variable[v]];
                variable->clip_high = high[d->variable[v]];
                bool narrower = variable->clip_low > variable->low || variable->clip_high < variable->high;
                size_t used = strlen(note);
                if (narrower && used < size)
                    snprintf(note + used, size - used, "%s%s in %lld..%lld",
                             used > 0 ? ", " : "tightened to ", variable->name, (long long)variable->clip_low,
                             (long long)variable->clip_high);
            }
        }
    }
}

/* Clips the definitions of a stage to what the constraints due by its end can accept. */
static enum cor_status clip_stage(struct cor_parameter_laws *laws, uint32_t stage, char *note, size_t size,
                                  struct cor_error *error) {
    struct question q;
    struct cor_solution_space space = {0};
    bool clipped[COR_VARIABLES_MAX] = {false};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(make_question(&q, laws, stage, error));
    /* The parameters of a stage whose draws may be clipped. */
    for (size_t i = 0; i < laws->main.count; i++) {
        const struct cor_definition *d = &laws->main.definitions[i];
        for (uint32_t v = 0; v < d->variable_count && d->stage == stage && may_clip(d); v++)
            clipped[d->variable[v]] = true;
    }
    if (has_witness(laws, &q.problem, stage, clipped))
        clip_all(laws, stage, q.low, q.high, note, size); /* nothing can be cut off */
    else
        COR_TRY_OUT(cor_solve(&q.problem, &space, error));
    if (space.answer == COR_ANSWER_SATISFIABLE)
        clip_all(laws, stage, space.low, space.high, note, size);
out:
    cor_solution_space_fini(&space);
    fini_question(&q);
    return status;
}

/* Goes from one solution to the first: of least value in the first parameter, then in the second, and so on.
 * Which one z3 finds first depends on its version. UNDECIDED where it cannot tell. */
static enum cor_status take_first(struct cor_solver *solver, struct cor_question question,
                                  const char *const *names, uint32_t count, int64_t *low, int64_t *high,
                                  enum cor_answer *answer, int64_t *values, struct cor_error *error) {
    question.low = low;
    question.high = high;
    for (uint32_t i = 0; i < count && *answer == COR_ANSWER_SATISFIABLE; i++) {
        struct cor_expression parameter;
        struct cor_least least;
        if (names[i][0] == '\0')
            continue;
        COR_TRY(cor_expression_parse(names[i], names, false, NULL, &parameter, error));
        enum cor_status status =
            cor_solver_minimise(solver, &question, &parameter, low[i], &least, values, error);
        cor_expression_fini(&parameter);
        COR_TRY(status);
        *answer = least.answer;
        low[i] = high[i] = least.value;
    }
    return COR_OK;
}

enum cor_status interaction__laws_solve(const struct cor_parameter_laws *laws, const char *const *names,
                                        const struct cor_expression *more, uint32_t more_count,
                                        enum cor_answer *answer, int64_t *values, struct cor_error *error) {
    struct question q;
    struct cor_solver *solver = NULL;
    enum cor_status status = COR_OK;
    const uint32_t n = laws->parameter_count;
    int64_t *low = cor_calloc(n + 1, sizeof *low), *high = cor_calloc(n + 1, sizeof *high);
    COR_TRY_OUT(make_question(&q, laws, UINT32_MAX, error));
    COR_TRY_OUT(low && high ? COR_OK : cor_fail_memory(error));
    memcpy(low, q.low, n * sizeof *low);
    memcpy(high, q.high, n * sizeof *high);
    low[n] = 1;
    high[n] = COR_AGENTS_MAX;
    q.problem.names = names;
    q.problem.variable_count = n + 1;
    q.problem.low = low;
    q.problem.high = high;
    const struct cor_question question = {
        .kind = COR_QUESTION_POINT, .constraints = more, .constraint_count = more_count};
    COR_TRY_OUT(cor_solver_create(&q.problem, &solver, error));
    COR_TRY_OUT(cor_solver_ask(solver, &question, answer, values, error));
    COR_TRY_OUT(take_first(solver, question, names, n + 1, low, high, answer, values, error));
out:
    cor_solver_destroy(solver);
    fini_question(&q);
    free(low);
    free(high);
    return status;
}

/* Can all constraints hold together? */
static enum cor_status decide(struct cor_parameter_laws *laws, char *note, size_t size,
                              struct cor_error *error) {
    static const bool no_range[COR_VARIABLES_MAX];
    struct question q;
    struct cor_solution_space space = {0};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(make_question(&q, laws, UINT32_MAX, error));
    if (has_witness(laws, &q.problem, UINT32_MAX, no_range))
        goto out;
    COR_TRY_OUT(cor_solve(&q.problem, &space, error));
    if (space.answer == COR_ANSWER_EMPTY) {
        /* The conflicting lines as written, then the ranges of the parameters they speak of. */
        char lines[900] = "";
        const char *place = NULL;
        size_t used = 0;
        for (uint32_t i = 0; i < space.conflict_count && used < sizeof lines; i++) {
            uint32_t c = space.conflict[i];
            int wrote = snprintf(lines + used, sizeof lines - used, "%s%s", i > 0 ? "; " : "", q.lines[c]);
            used += wrote > 0 ? (size_t)wrote : 0;
            if (!place || c < q.borrowed)
                place = q.places[c];
        }
        for (size_t i = 0; i < laws->main.count && used < sizeof lines; i++) {
            const struct cor_definition *d = &laws->main.definitions[i];
            bool read = false;
            for (uint32_t v = 0; v < d->variable_count; v++)
                read = read || conflict_reads(&q, &space, d->variable[v]);
            if (!read || in_conflict(&q, &space, d->line))
                continue;
            int wrote = snprintf(lines + used, sizeof lines - used, "%s%s", used > 0 ? "; " : "", d->line);
            used += wrote > 0 ? (size_t)wrote : 0;
        }
        COR_TRY_OUT(cor_fail(error, COR_STATUS_UNSATISFIABLE, place, "relax one of these lines",
                             "cannot all hold: %s", lines));
    }
    if (space.answer == COR_ANSWER_UNDECIDED)
        snprintf(note, size, "z3 could not decide whether the constraints can hold; drawing will tell");
out:
    cor_solution_space_fini(&space);
    fini_question(&q);
    return status;
}

enum cor_status cor_parameter_laws_analyse(struct cor_parameter_laws *laws, char *note, size_t size,
                                           struct cor_error *error) {
    char open[256] = "";
    note[0] = '\0';
    COR_TRY(decide(laws, open, sizeof open, error));
    for (uint32_t stage = 0; stage < laws->main.stage_count; stage++) {
        bool has_constraint = false;
        for (size_t i = 0; i < laws->constraint_count && !has_constraint; i++)
            has_constraint = laws->constraints[i].stage == stage;
        if (has_constraint)
            COR_TRY(clip_stage(laws, stage, note, size, error));
    }
    size_t used = strlen(note);
    if (open[0] != '\0')
        snprintf(note + used, size - used, "%s%s", used > 0 ? "; " : "", open);
    return COR_OK;
}

void cor_parameter_laws_get_bounds(const struct cor_parameter_laws *laws, int64_t *bounds) {
    for (uint32_t i = 0; i < laws->parameter_count; i++) {
        bounds[2 * i] = laws->variables[i].clip_low;
        bounds[2 * i + 1] = laws->variables[i].clip_high;
    }
}

void cor_parameter_laws_set_bounds(struct cor_parameter_laws *laws, const int64_t *bounds) {
    for (uint32_t i = 0; i < laws->parameter_count; i++) {
        laws->variables[i].clip_low = bounds[2 * i];
        laws->variables[i].clip_high = bounds[2 * i + 1];
    }
}
