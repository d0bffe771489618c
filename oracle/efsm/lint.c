/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reachable states, visited forwards, breadth first. */
#include "cube.h"

#include <corridor/array.h>
#include <corridor/efsm.h>
#include <corridor/efsm_lint.h>
#include <corridor/efsm_reach.h>
#include <corridor/pool.h>

#include <stdlib.h>
#include <string.h>

struct efsm__closure {
    const struct cor_efsm *model;
    struct cor_pool states; /* rows of 1 + variable_count: location, values; the initial state first */
    uint64_t moves;         /* tried */
    bool complete;
};

static const int64_t *row_of(const struct efsm__closure *closure, uint32_t state) {
    return cor_pool_item(&closure->states, state);
}

static uint32_t closure_location(const struct efsm__closure *closure, uint32_t state) {
    return (uint32_t)row_of(closure, state)[0];
}

static const int64_t *closure_values(const struct efsm__closure *closure, uint32_t state) {
    return row_of(closure, state) + 1;
}

/* Location and state variables; inputs and outputs at their least, so that equal states are equal bytes. */
static void make_key(const struct efsm__closure *closure, uint32_t location, const int64_t *values,
                     int64_t *key) {
    key[0] = location;
    for (uint32_t v = 0; v < closure->model->variable_count; v++)
        key[v + 1] = closure->model->variables[v].kind == COR_EFSM_STATE ? values[v]
                                                                         : closure->model->variables[v].low;
}

static enum cor_status add_state(struct efsm__closure *closure, uint32_t location, const int64_t *values,
                                 struct cor_error *error) {
    int64_t key[COR_EFSM_VARIABLES_MAX + 1];
    uint32_t number;
    make_key(closure, location, values, key);
    return cor_pool_add(&closure->states, key, closure->states.size, &number, error);
}

/* The successors of one state by one transition. */
static enum cor_status follow_transition(struct efsm__closure *closure, uint32_t state, uint32_t t,
                                         uint64_t moves_max, struct cor_error *error) {
    const struct cor_efsm *model = closure->model;
    const struct cor_efsm_label *input = &model->inputs[model->transitions[t].input];
    int64_t values[COR_EFSM_VARIABLES_MAX], next[COR_EFSM_VARIABLES_MAX];
    memcpy(values, closure_values(closure, state), model->variable_count * sizeof *values);
    do {
        if (closure->moves++ >= moves_max)
            return COR_OK;
        if (cor_efsm_step(model, t, values, next))
            COR_TRY(add_state(closure, model->transitions[t].target, next, error));
    } while (cor_efsm_next_values(model, input->parameters, input->parameter_count, values));
    return COR_OK;
}

/* Visits states until there are no more, or a limit is reached. */
static enum cor_status closure_make(struct efsm__closure *closure, const struct cor_efsm *model,
                                    uint64_t states_max, uint64_t moves_max, struct cor_error *error) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    *closure =
        (struct efsm__closure){.model = model, .states.size = (model->variable_count + 1) * sizeof *values};
    cor_efsm_start(model, values);
    COR_TRY(add_state(closure, model->initial, values, error));
    for (uint32_t s = 0; s < closure->states.count; s++) {
        if (closure->states.count > states_max || closure->moves >= moves_max)
            return COR_OK;
        for (uint32_t t = 0; t < model->transition_count; t++)
            if (model->transitions[t].source == closure_location(closure, s))
                COR_TRY(follow_transition(closure, s, t, moves_max, error));
    }
    closure->complete = closure->moves < moves_max;
    return COR_OK;
}

static void closure_fini(struct efsm__closure *closure) {
    cor_pool_fini(&closure->states);
    *closure = (struct efsm__closure){0};
}

/* ---- guards are looked at as cubes, reachable states one by one */

struct efsm__linter {
    const struct cor_efsm *model;
    struct efsm__space space;
    struct efsm__moves *moves; /* owned; [transition] */
    struct efsm__closure closure;
    struct cor_efsm_findings *findings;
    struct cor_efsm_lint_limits limits;
    bool *taken;                   /* owned; [transition] some visited state and input enable it */
    struct cor_efsm_finding scrap; /* where memory is out */
};
static enum cor_status lint_traps(struct efsm__linter *linter) COR_MUST_USE;
static enum cor_status lint_states(struct efsm__linter *linter) COR_MUST_USE;
static void lint_witness(struct efsm__linter *linter, struct cor_efsm_finding *finding, uint32_t location,
                         const int64_t *values);
static struct cor_efsm_finding *lint_add(struct efsm__linter *linter, enum cor_efsm_lint lint);

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
    struct cor_efsm_finding *finding = lint_add(l, lint);
    finding->first = a;
    finding->second = b;
    finding->decided = answer != COR_ANSWER_UNDECIDED;
    if (answer == COR_ANSWER_SATISFIABLE)
        lint_witness(l, finding, l->model->transitions[a].source, values);
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
        struct cor_efsm_finding *finding = lint_add(l, COR_EFSM_LINT_NEVER);
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
    struct cor_efsm_finding *finding = lint_add(l, COR_EFSM_LINT_LEAVES);
    finding->first = t;
    finding->decided = can_move == COR_ANSWER_EMPTY;
    lint_witness(l, finding, transition->source, values);
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
    COR_TRY(closure_make(&l->closure, model, l->limits.states, l->limits.moves, l->space.error));
    for (uint32_t t = 0; t < model->transition_count; t++)
        efsm__moves_make(&l->space, &model->transitions[t], &l->moves[t]);
    for (uint32_t a = 0; a < model->transition_count && l->space.status == COR_OK; a++) {
        check_guard(l, a);
        for (uint32_t v = 0; v < l->model->variable_count; v++)
            if (l->model->variables[v].irrelevant &&
                cor_expression_reads(&l->model->transitions[a].guard, v)) {
                struct cor_efsm_finding *finding = lint_add(l, COR_EFSM_LINT_READ);
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
    COR_TRY(lint_states(l));
    COR_TRY(lint_traps(l));
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
    COR_FREE(l.moves, l.taken);
    closure_fini(&l.closure);
    if (status == COR_OK)
        status = put_in_order(findings, error);
    if (status != COR_OK)
        cor_efsm_findings_fini(findings);
    return status;
}

/* ---- findings, while a model is looked at */

/* A new finding, decided, without witness. Never NULL. */
static struct cor_efsm_finding *lint_add(struct efsm__linter *l, enum cor_efsm_lint lint) {
    struct cor_efsm_findings *f = l->findings;
    enum cor_status status = COR_RESERVE(&f->findings, &f->capacity, f->count + 1, l->space.error);
    if (status != COR_OK) {
        l->space.status = l->space.status == COR_OK ? status : l->space.status;
        return &l->scrap;
    }
    f->findings[f->count] = (struct cor_efsm_finding){.lint = lint,
                                                      .decided = true,
                                                      .first = COR_NONE,
                                                      .second = COR_NONE,
                                                      .location = COR_NONE,
                                                      .input = COR_NONE,
                                                      .goal = COR_NONE,
                                                      .traps = {COR_NONE, COR_NONE},
                                                      .variable = COR_NONE,
                                                      .reachable = COR_EFSM_UNKNOWN};
    return &f->findings[f->count++];
}

/* Gives it a witness: its location too. */
static void lint_witness(struct efsm__linter *l, struct cor_efsm_finding *finding, uint32_t location,
                         const int64_t *values) {
    finding->has_witness = true;
    finding->location = location;
    memcpy(finding->witness, values, l->model->variable_count * sizeof *values);
    int64_t key[COR_EFSM_VARIABLES_MAX + 1];
    make_key(&l->closure, location, values, key);
    finding->reachable = (cor_pool_find(&l->closure.states, key, l->closure.states.size) != COR_NONE)
                             ? COR_EFSM_YES
                         : l->closure.complete ? COR_EFSM_NO
                                               : COR_EFSM_UNKNOWN;
}

/* ---- findings about reachable states: each visited state with each input. Where not all of them were
 * visited, what was not seen is undecided; what was seen is certain */

struct seen {
    bool *silent;   /* owned; [location * inputs + input] was reported */
    bool *dead;     /* owned; [location] was reported */
    uint64_t moves; /* tried */
};

/* False: the moves that are allowed were used up before all was looked at. */
static bool look_at_state(struct efsm__linter *l, uint32_t state, struct seen *seen) {
    const uint32_t location = closure_location(&l->closure, state);
    int64_t values[COR_EFSM_VARIABLES_MAX];
    bool alive = false;
    memcpy(values, closure_values(&l->closure, state), l->model->variable_count * sizeof *values);
    for (uint32_t i = 0; i < l->model->input_count; i++) {
        const struct cor_efsm_label *input = &l->model->inputs[i];
        bool *silent = &seen->silent[(size_t)location * l->model->input_count + i];
        cor_efsm_first_values(l->model, input->parameters, input->parameter_count, values);
        do {
            if (seen->moves >= l->limits.moves)
                return false;
            seen->moves++;
            /* Whether anything is enabled. */
            bool any = false;
            for (uint32_t t = 0; t < l->model->transition_count; t++) {
                const struct cor_efsm_transition *transition = &l->model->transitions[t];
                if (transition->source != location || transition->input != i ||
                    !cor_efsm_enabled(l->model, t, values))
                    continue;
                l->taken[t] = any = true;
            }
            alive = alive || any;
            if (any || *silent)
                continue;
            *silent = true;
            struct cor_efsm_finding *finding = lint_add(l, COR_EFSM_LINT_NO_REACTION);
            lint_witness(l, finding, location, values);
            finding->input = i;
        } while (cor_efsm_next_values(l->model, input->parameters, input->parameter_count, values));
    }
    if (!alive && !seen->dead[location]) {
        seen->dead[location] = true;
        lint_witness(l, lint_add(l, COR_EFSM_LINT_DEAD_END), location, values);
    }
    return true;
}

/* The work that a look at all visited states takes is that of visiting them, or less by a factor of inputs.
 */

/* What reachable states say: transitions, dead ends, inputs without reaction. */
static enum cor_status lint_states(struct efsm__linter *l) {
    const struct cor_efsm *model = l->model;
    struct seen seen = {cor_calloc((size_t)model->location_count * model->input_count, sizeof(bool)),
                        cor_calloc(model->location_count, sizeof(bool)), 0};
    enum cor_status status = COR_OK;
    if (!seen.silent || !seen.dead)
        COR_TRY_OUT(cor_fail_memory(l->space.error));
    uint32_t state = 0;
    while (state < l->closure.states.count && l->space.status == COR_OK && look_at_state(l, state, &seen))
        state++;
    const bool complete = l->closure.complete && state == l->closure.states.count;
    for (uint32_t t = 0; t < l->model->transition_count; t++) {
        if (l->taken[t])
            continue;
        struct cor_efsm_finding *finding = lint_add(l, COR_EFSM_LINT_UNREACHABLE);
        finding->first = t;
        finding->decided = complete;
    }
    for (uint32_t location = 0; location < l->model->location_count && !complete; location++)
        if (!seen.dead[location]) {
            struct cor_efsm_finding *finding = lint_add(l, COR_EFSM_LINT_DEAD_END);
            finding->location = location;
            finding->decided = false;
        }
    for (uint32_t i = 0; i < l->model->location_count * l->model->input_count && !complete; i++)
        if (!seen.silent[i]) {
            struct cor_efsm_finding *finding = lint_add(l, COR_EFSM_LINT_NO_REACTION);
            finding->location = i / l->model->input_count;
            finding->input = i % l->model->input_count;
            finding->decided = false;
        }
    status = l->space.status;
out:
    COR_FREE(seen.silent, seen.dead);
    return status;
}

/* Traps. A trap's distances say from where it can still be covered. */
static struct cor_efsm_finding *add_trap(struct efsm__linter *l, enum cor_efsm_lint lint, uint32_t goal,
                                         uint32_t first, uint32_t second, bool decided) {
    struct cor_efsm_finding *finding = lint_add(l, lint);
    finding->goal = goal;
    finding->traps[0] = first;
    finding->traps[1] = second;
    finding->decided = decided;
    return finding;
}

/* Is `then` in reach from a state behind a visited one from which the transition hits `trap`? */
static bool leads_on(struct efsm__linter *l, const struct cor_efsm_trap *trap, uint32_t t,
                     const struct cor_efsm_reach *then) {
    const struct cor_efsm_transition *transition = &l->model->transitions[t];
    const struct cor_efsm_label *input = &l->model->inputs[transition->input];
    for (uint32_t s = 0; s < l->closure.states.count; s++) {
        int64_t values[COR_EFSM_VARIABLES_MAX], next[COR_EFSM_VARIABLES_MAX];
        if (closure_location(&l->closure, s) != transition->source)
            continue;
        memcpy(values, closure_values(&l->closure, s), l->model->variable_count * sizeof *values);
        do
            if (cor_efsm_hits(l->model, trap, t, values) && cor_efsm_step(l->model, t, values, next) &&
                cor_efsm_reach_distance(then, transition->target, next) != COR_EFSM_FAR)
                return true;
        while (cor_efsm_next_values(l->model, input->parameters, input->parameter_count, values));
    }
    return false;
}

/* The trap alone. */
static void check_hit(struct efsm__linter *l, uint32_t g, uint32_t index,
                      const struct cor_efsm_reach *reach) {
    const struct cor_efsm_trap *trap = &l->model->goals[g].traps[index];
    for (uint32_t i = 0;
         i < trap->transition_count && trap->constraint.node_count == 0 && trap->previous == COR_NONE; i++)
        if (l->taken[trap->transitions[i]])
            return;
    if (!reach || cor_efsm_reach_summary(reach).initial == COR_EFSM_FAR)
        add_trap(l, COR_EFSM_LINT_TRAP_NEVER, g, index, COR_NONE, reach != NULL);
}

static bool is_never_hit(const struct efsm__linter *l, uint32_t g, uint32_t trap) {
    for (uint32_t f = 0; f < l->findings->count; f++) {
        const struct cor_efsm_finding *finding = &l->findings->findings[f];
        if (finding->lint == COR_EFSM_LINT_TRAP_NEVER && finding->goal == g && finding->traps[0] == trap)
            return true;
    }
    return false;
}

/* The trap behind each that it waits for. A trap that is never hit is in conflict with nothing. */
static void check_order(struct efsm__linter *l, uint32_t g, uint32_t index,
                        const struct cor_efsm_reach *reach) {
    const struct cor_efsm_goal *goal = &l->model->goals[g];
    const struct cor_efsm_trap *trap = &goal->traps[index];
    for (uint32_t w = goal->trap_count; w < goal->trap_count + goal->way_count; w++)
        if (goal->traps[w].way_of == index)
            return;
    for (uint32_t a = 0; a < trap->after_count && reach && !is_never_hit(l, g, index); a++) {
        const struct cor_efsm_trap *before = &goal->traps[trap->after[a]];
        bool follows = is_never_hit(l, g, trap->after[a]);
        for (uint32_t i = 0; i < before->transition_count && !follows; i++)
            follows = leads_on(l, before, before->transitions[i], reach);
        if (!follows)
            add_trap(l, COR_EFSM_LINT_TRAPS_CONFLICT, g, trap->after[a], index, true);
    }
}

#define TRAPS_STATES_MAX 1000000 /* of a model whose traps are looked at by distances */

typedef void check_trap(struct efsm__linter *l, uint32_t g, uint32_t index,
                        const struct cor_efsm_reach *reach);

/* A trap that can be covered in several ways: is it, by any of them? Nothing is in conflict with it. */
static enum cor_status check_ways(struct efsm__linter *l, uint32_t g, uint32_t index, bool small,
                                  bool *has_ways) {
    const struct cor_efsm_goal *goal = &l->model->goals[g];
    bool is_hit = false;
    *has_ways = false;
    for (uint32_t w = goal->trap_count; w < goal->trap_count + goal->way_count; w++)
        *has_ways = *has_ways || goal->traps[w].way_of == index;
    for (uint32_t w = 0; w < goal->trap_count + goal->way_count && *has_ways && !is_hit; w++) {
        const struct cor_efsm_trap *way = &goal->traps[w];
        if (w != index && way->way_of != index)
            continue;
        for (uint32_t i = 0; i < way->transition_count && way->constraint.node_count == 0; i++)
            is_hit = is_hit || l->taken[way->transitions[i]];
        if (!small || is_hit)
            continue;
        const struct cor_efsm_reach_definition definition =
            cor_default_efsm_reach(l->model, way, COR_EFSM_EXPLICIT);
        struct cor_efsm_reach *reach;
        COR_TRY(cor_efsm_reach_create(&definition, &reach, l->space.error));
        is_hit = cor_efsm_reach_summary(reach).initial != COR_EFSM_FAR;
        cor_efsm_reach_destroy(reach);
    }
    if (*has_ways && !is_hit)
        add_trap(l, COR_EFSM_LINT_TRAP_NEVER, g, index, COR_NONE, small);
    return COR_OK;
}

static enum cor_status check_traps(struct efsm__linter *l, check_trap *check, bool small) {
    for (uint32_t g = 0; g < l->model->goal_count; g++)
        for (uint32_t i = 0; i < l->model->goals[g].trap_count; i++) {
            const struct cor_efsm_trap *trap = &l->model->goals[g].traps[i];
            bool has_ways = false;
            if (l->model->goals[g].way_count > 0 && check == check_hit)
                COR_TRY(check_ways(l, g, i, small, &has_ways));
            if (has_ways)
                continue;
            const struct cor_efsm_reach_definition definition =
                cor_default_efsm_reach(l->model, trap, COR_EFSM_EXPLICIT);
            struct cor_efsm_reach *reach = NULL;
            if (small && (check == check_hit || trap->after_count > 0))
                COR_TRY(cor_efsm_reach_create(&definition, &reach, l->space.error));
            check(l, g, i, reach);
            cor_efsm_reach_destroy(reach);
        }
    return COR_OK;
}

/* Traps that are never hit, and traps in conflict. */
static enum cor_status lint_traps(struct efsm__linter *l) {
    const bool small = l->closure.complete && cor_efsm_is_small(l->model, TRAPS_STATES_MAX);
    COR_TRY(check_traps(l, check_hit, small));
    return check_traps(l, check_order, small);
}
