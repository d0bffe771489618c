/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Guards are looked at as cubes, reachable states one by one. */
#include "lint.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

COR_WORDS(cor_efsm_lint_word, enum cor_efsm_lint, "rivals", "perfect rivals", "alike", "guard never true",
          "leaves domain", "unreachable", "dead end", "no reaction", "trap never", "traps in conflict",
          "irrelevant is read")

COR_WORDS(cor_efsm_lint_meaning, enum cor_efsm_lint, "the witness enables both: the system chooses",
          "whatever enables the first enables the second: no input tells them apart",
          "rivals that answer the witness alike: no output tells them apart",
          "no state and input of the domains make the guard hold",
          "the guard can hold, but what is assigned then leaves a domain each time",
          "no reachable state and input enable it",
          "nothing is enabled in a reachable state, whatever the input",
          "the input enables nothing in a reachable state", "no reachable state and input hit the trap",
          "once the first trap is covered, the second, which waits for it, is out of reach",
          "the file calls the variable irrelevant, but this guard reads it")

struct cor_efsm_lint_limits cor_default_efsm_lint_limits(void) {
    return (struct cor_efsm_lint_limits){COR_EFSM_LINT_STATES, COR_EFSM_LINT_MOVES};
}

void cor_efsm_findings_fini(struct cor_efsm_findings *findings) {
    free(findings->findings);
    *findings = (struct cor_efsm_findings){0};
}

/* A point of one of the cubes: yes, none, or z3 does not know. */
static enum cor_answer point_of(struct efsm__linter *l, struct efsm__cubes *cubes, int64_t *values) {
    enum cor_answer found = COR_ANSWER_EMPTY;
    for (uint32_t c = 0; c < cubes->count; c++) {
        if (!efsm__cube_settle(&l->space, &cubes->cubes[c]))
            continue;
        const enum cor_answer answer = efsm__cube_point(&l->space, &cubes->cubes[c], values);
        if (answer == COR_ANSWER_SATISFIABLE)
            return answer;
        found = answer == COR_ANSWER_UNDECIDED ? answer : found;
    }
    return l->space.beyond ? COR_ANSWER_UNDECIDED : found;
}

/* The cubes of both transitions together. */
static void intersect_moves(struct efsm__linter *l, uint32_t a, uint32_t b, struct efsm__cubes *both) {
    for (uint32_t i = 0; i < l->moves[a].count; i++)
        for (uint32_t j = 0; j < l->moves[b].count; j++) {
            struct efsm__cube cube;
            if (!efsm__cube_copy(&l->space, &l->moves[a].moves[i].where, &cube))
                return;
            efsm__cube_intersect(&l->space, &cube, &l->moves[b].moves[j].where);
            if (efsm__cube_settle(&l->space, &cube))
                efsm__cubes_add_take(&l->space, both, &cube);
            else
                efsm__cube_fini(&cube);
        }
}

/* Narrows the cubes to where an argument of both has the same value. */
static void keep_equal(struct efsm__linter *l, const struct cor_expression *a, const struct cor_expression *b,
                       struct efsm__cubes *cubes) {
    struct efsm__cubes kept = {0};
    for (uint32_t c = 0; c < cubes->count; c++) {
        struct efsm__pieces left = {0};
        efsm__expression_pieces(&l->space, a, &cubes->cubes[c], &left);
        for (uint32_t i = 0; i < left.count; i++) {
            struct efsm__pieces right = {0};
            efsm__expression_pieces(&l->space, b, &left.pieces[i].where, &right);
            for (uint32_t j = 0; j < right.count; j++) {
                struct efsm__linear difference = left.pieces[i].form;
                struct efsm__cube *where = &right.pieces[j].where;
                if (!efsm__linear_add(&l->space, &difference, &right.pieces[j].form, -1))
                    continue;
                efsm__cube_require_range(&l->space, where, &difference, 0, 0);
                efsm__cubes_add_take(&l->space, &kept, where);
                *where = (struct efsm__cube){0};
            }
            efsm__pieces_fini(&right);
        }
        efsm__pieces_fini(&left);
    }
    efsm__cubes_fini(cubes);
    *cubes = kept;
}

static struct cor_efsm_finding *add_pair(struct efsm__linter *l, enum cor_efsm_lint lint, uint32_t a,
                                         uint32_t b, enum cor_answer answer, const int64_t *values) {
    struct cor_efsm_finding *finding = efsm__lint_add(l, lint);
    finding->first = a;
    finding->second = b;
    finding->decided = answer != COR_ANSWER_UNDECIDED;
    if (answer == COR_ANSWER_SATISFIABLE)
        efsm__lint_witness(l, finding, l->model->transitions[a].source, values);
    return finding;
}

static void check_alike(struct efsm__linter *l, uint32_t a, uint32_t b, struct efsm__cubes *both) {
    const struct cor_efsm_transition *one = &l->model->transitions[a], *other = &l->model->transitions[b];
    int64_t values[COR_EFSM_VARIABLES_MAX];
    if (one->output_count != other->output_count)
        return;
    for (uint32_t o = 0; o < one->output_count; o++)
        if (one->outputs[o].label != other->outputs[o].label)
            return;
    for (uint32_t o = 0; o < one->output_count; o++)
        for (uint32_t p = 0; p < l->model->outputs[one->outputs[o].label].parameter_count; p++)
            keep_equal(l, &one->outputs[o].arguments[p], &other->outputs[o].arguments[p], both);
    const enum cor_answer answer = point_of(l, both, values);
    if (answer != COR_ANSWER_EMPTY)
        add_pair(l, COR_EFSM_LINT_ALIKE, a, b, answer, values);
}

/* Whatever enables a enables b: nothing of a is left behind b. `point` is one that enables both. */
static void check_perfect(struct efsm__linter *l, uint32_t a, uint32_t b, const int64_t *point) {
    struct efsm__cubes left = {0};
    int64_t values[COR_EFSM_VARIABLES_MAX];
    for (uint32_t i = 0; i < l->moves[a].count; i++) {
        struct efsm__cube cube;
        if (efsm__cube_copy(&l->space, &l->moves[a].moves[i].where, &cube))
            efsm__cubes_add_take(&l->space, &left, &cube);
    }
    for (uint32_t j = 0; j < l->moves[b].count; j++)
        efsm__cubes_subtract(&l->space, &left, &l->moves[b].moves[j].where);
    const enum cor_answer answer = point_of(l, &left, values);
    efsm__cubes_fini(&left);
    if (answer == COR_ANSWER_SATISFIABLE)
        return;
    struct cor_efsm_finding *finding =
        add_pair(l, COR_EFSM_LINT_PERFECT_RIVALS, a, b, COR_ANSWER_SATISFIABLE, point);
    finding->decided = answer == COR_ANSWER_EMPTY;
}

/* A guard that never holds, or holds for nothing but moves out of a domain. */
static void check_guard(struct efsm__linter *l, uint32_t t) {
    const struct cor_efsm_transition *transition = &l->model->transitions[t];
    struct efsm__cube whole;
    struct efsm__cubes holds = {0}, enabled = {0};
    int64_t values[COR_EFSM_VARIABLES_MAX];
    if (!efsm__cube_init(&l->space, &whole))
        return;
    efsm__expression_cubes(&l->space, &transition->guard, &whole, &holds);
    efsm__cube_fini(&whole);
    const enum cor_answer can_hold = point_of(l, &holds, values);
    efsm__cubes_fini(&holds);
    if (can_hold != COR_ANSWER_SATISFIABLE) {
        struct cor_efsm_finding *finding = efsm__lint_add(l, COR_EFSM_LINT_NEVER);
        finding->first = t;
        finding->decided = can_hold == COR_ANSWER_EMPTY;
        return;
    }
    for (uint32_t m = 0; m < l->moves[t].count; m++) {
        struct efsm__cube cube;
        if (efsm__cube_copy(&l->space, &l->moves[t].moves[m].where, &cube))
            efsm__cubes_add_take(&l->space, &enabled, &cube);
    }
    int64_t point[COR_EFSM_VARIABLES_MAX];
    const enum cor_answer can_move = point_of(l, &enabled, point);
    efsm__cubes_fini(&enabled);
    if (can_move == COR_ANSWER_SATISFIABLE)
        return;
    struct cor_efsm_finding *finding = efsm__lint_add(l, COR_EFSM_LINT_LEAVES);
    finding->first = t;
    finding->decided = can_move == COR_ANSWER_EMPTY;
    efsm__lint_witness(l, finding, transition->source, values);
}

/* By lint, then in the order in which they were found. */
static enum cor_status put_in_order(struct cor_efsm_findings *f, struct cor_error *error) {
    struct cor_efsm_finding *sorted = cor_calloc(f->count, sizeof *sorted);
    COR_TRY(cor_made(sorted, error));
    uint32_t count = 0;
    for (int lint = COR_EFSM_LINT_RIVALS; lint <= COR_EFSM_LINT_READ; lint++)
        for (uint32_t i = 0; i < f->count; i++)
            if ((int)f->findings[i].lint == lint)
                sorted[count++] = f->findings[i];
    free(f->findings);
    f->findings = sorted;
    f->capacity = f->count;
    return COR_OK;
}

static enum cor_status look(struct efsm__linter *l) {
    const struct cor_efsm *model = l->model;
    l->moves = cor_calloc(model->transition_count, sizeof *l->moves);
    l->taken = cor_calloc(model->transition_count, sizeof *l->taken);
    if (!l->moves || !l->taken)
        return cor_fail_memory(l->space.error);
    COR_TRY(efsm__closure_make(&l->closure, model, l->limits.states, l->limits.moves, l->space.error));
    for (uint32_t t = 0; t < model->transition_count; t++)
        efsm__moves_make(&l->space, &model->transitions[t], &l->moves[t]);
    for (uint32_t a = 0; a < model->transition_count && l->space.status == COR_OK; a++) {
        check_guard(l, a);
        for (uint32_t v = 0; v < l->model->variable_count; v++)
            if (l->model->variables[v].irrelevant &&
                cor_expression_reads(&l->model->transitions[a].guard, v)) {
                struct cor_efsm_finding *finding = efsm__lint_add(l, COR_EFSM_LINT_READ);
                finding->first = a;
                finding->variable = v;
            }
        for (uint32_t b = a + 1; b < model->transition_count; b++) {
            const struct cor_efsm_transition *one = &l->model->transitions[a],
                                             *other = &l->model->transitions[b];
            struct efsm__cubes both = {0};
            int64_t values[COR_EFSM_VARIABLES_MAX];
            if (one->source != other->source || one->input != other->input)
                continue;
            intersect_moves(l, a, b, &both);
            const enum cor_answer answer = point_of(l, &both, values);
            if (answer != COR_ANSWER_EMPTY)
                add_pair(l, COR_EFSM_LINT_RIVALS, a, b, answer, values);
            if (answer == COR_ANSWER_SATISFIABLE) {
                check_perfect(l, a, b, values);
                check_perfect(l, b, a, values);
                check_alike(l, a, b, &both);
            }
            efsm__cubes_fini(&both);
        }
    }
    COR_TRY(l->space.status);
    COR_TRY(efsm__lint_states(l));
    COR_TRY(efsm__lint_traps(l));
    return l->space.status;
}

enum cor_status cor_efsm_lint(const struct cor_efsm *model, struct cor_efsm_lint_limits limits,
                              struct cor_efsm_findings *findings, struct cor_error *error) {
    struct efsm__linter l = {.model = model, .findings = findings, .limits = limits};
    *findings = (struct cor_efsm_findings){0};
    efsm__space_init(&l.space, model, error);
    enum cor_status status = look(&l);
    findings->visited_all = l.closure.complete;
    findings->states = l.closure.states.count;
    const struct cor_solver_statistics asked = efsm__space_statistics(&l.space);
    findings->asked = asked;
    efsm__space_fini(&l.space);
    for (uint32_t t = 0; l.moves && t < model->transition_count; t++)
        efsm__moves_fini(&l.moves[t]);
    free(l.moves);
    free(l.taken);
    efsm__closure_fini(&l.closure);
    if (status == COR_OK)
        status = put_in_order(findings, error);
    if (status != COR_OK)
        cor_efsm_findings_fini(findings);
    return status;
}
