/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cube.h"

#include <corridor/array.h>
#include <corridor/solve.h>

#include <stdlib.h>
#include <string.h>

#define SPARE_ATOMS 2 /* room for inequalities that a copy is likely to get */
#define ROUNDS_MAX 40 /* of conclusions from inequalities to ranges */

void efsm__space_init(struct efsm__space *space, const struct cor_efsm *model, struct cor_error *error) {
    *space = (struct efsm__space){.model = model, .count = model->variable_count, .error = error};
    for (uint32_t v = 0; v < model->variable_count; v++) {
        space->low[v] = model->variables[v].low;
        space->high[v] = model->variables[v].high;
    }
    space->whole = (struct cor_problem){.names = model->variable_names,
                                        .variable_count = space->count,
                                        .low = space->low,
                                        .high = space->high};
}

void efsm__space_fini(struct efsm__space *space) {
    cor_solver_destroy(space->solver);
    space->solver = NULL;
}

struct cor_solver_statistics efsm__space_statistics(const struct efsm__space *space) {
    return space->solver ? cor_solver_statistics(space->solver) : (struct cor_solver_statistics){0};
}

static void note(struct efsm__space *space, enum cor_status status) {
    if (space->status == COR_OK)
        space->status = status;
}

static void out_of_memory(struct efsm__space *space) {
    note(space, cor_fail_memory(space->error));
}

struct cor_solver *efsm__space_solver(struct efsm__space *space) {
    if (!space->solver)
        note(space, cor_solver_create(&space->whole, &space->solver, space->error));
    return space->solver;
}

static bool make_block(struct efsm__space *space, struct efsm__cube *cube, uint32_t atoms) {
    const size_t words = 2 * (size_t)space->count + atoms * ((size_t)space->count + 1);
    *cube = (struct efsm__cube){.low = cor_calloc(words + 1, sizeof *cube->low), .atom_capacity = atoms};
    if (!cube->low) {
        out_of_memory(space);
        return false;
    }
    cube->high = cube->low + space->count;
    cube->atoms = cube->high + space->count;
    return true;
}

bool efsm__cube_init(struct efsm__space *space, struct efsm__cube *cube) {
    if (!make_block(space, cube, 0))
        return false;
    memcpy(cube->low, space->low, space->count * sizeof *cube->low);
    memcpy(cube->high, space->high, space->count * sizeof *cube->low);
    return true;
}

static int64_t *atom_at(const struct efsm__space *space, const struct efsm__cube *cube, uint32_t atom) {
    return cube->atoms + (size_t)atom * (space->count + 1);
}

bool efsm__cube_copy(struct efsm__space *space, const struct efsm__cube *from, struct efsm__cube *cube) {
    if (!make_block(space, cube, from->atom_count + SPARE_ATOMS))
        return false;
    cube->atom_count = from->atom_count;
    memcpy(cube->low, from->low,
           (2 * (size_t)space->count + from->atom_count * ((size_t)space->count + 1)) * sizeof *cube->low);
    return true;
}

void efsm__cube_fini(struct efsm__cube *cube) {
    free(cube->low);
    *cube = (struct efsm__cube){0};
}

void efsm__cubes_fini(struct efsm__cubes *cubes) {
    for (uint32_t c = 0; c < cubes->count; c++)
        efsm__cube_fini(&cubes->cubes[c]);
    free(cubes->cubes);
    *cubes = (struct efsm__cubes){0};
}

void efsm__cubes_add_take(struct efsm__space *space, struct efsm__cubes *cubes, struct efsm__cube *cube) {
    enum cor_status status = COR_RESERVE(&cubes->cubes, &cubes->capacity, cubes->count + 1, space->error);
    if (status != COR_OK) {
        note(space, status);
        efsm__cube_fini(cube);
        return;
    }
    cubes->cubes[cubes->count++] = *cube;
}

void efsm__cubes_append(struct efsm__space *space, struct efsm__cubes *cubes,
                        const struct efsm__cubes *more) {
    for (uint32_t c = 0; c < more->count; c++) {
        struct efsm__cube copy;
        if (efsm__cube_copy(space, &more->cubes[c], &copy))
            efsm__cubes_add_take(space, cubes, &copy);
    }
}

struct efsm__linear efsm__linear_of(int64_t constant) {
    struct efsm__linear form = {{0}};
    form.coefficient[COR_EFSM_VARIABLES_MAX] = constant;
    return form;
}

/* Domains and constants are small beside 64 bits, but products of coefficients need not be. */
bool efsm__linear_add(struct efsm__space *space, struct efsm__linear *to, const struct efsm__linear *form,
                      int64_t times) {
    for (uint32_t i = 0; i <= COR_EFSM_VARIABLES_MAX; i++) {
        int64_t product;
        if (form->coefficient[i] == 0)
            continue;
        if (__builtin_mul_overflow(form->coefficient[i], times, &product) ||
            __builtin_add_overflow(to->coefficient[i], product, &to->coefficient[i])) {
            space->beyond = true;
            return false;
        }
    }
    return true;
}

/* 128 bits hold the sum of 64 products and a constant. */
__extension__ typedef __int128 wide;

static int64_t cut(wide value) {
    return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

/* The least value of an atom, and of its mirror image the greatest. */
static wide least_of(const struct efsm__space *space, const int64_t *atom, const struct efsm__cube *cube,
                     bool greatest) {
    int64_t short_sum = atom[space->count], product; /* which is much faster than the wide one */
    bool is_short = true;
    for (uint32_t v = 0; v < space->count && is_short; v++)
        if (atom[v] != 0)
            is_short = !__builtin_mul_overflow(
                           atom[v], (atom[v] > 0) != greatest ? cube->low[v] : cube->high[v], &product) &&
                       !__builtin_add_overflow(short_sum, product, &short_sum);
    if (is_short)
        return short_sum;
    wide sum = atom[space->count];
    for (uint32_t v = 0; v < space->count; v++)
        if (atom[v] != 0)
            sum += (wide)atom[v] * ((atom[v] > 0) != greatest ? cube->low[v] : cube->high[v]);
    return sum;
}

/* The value of an atom at a point. */
static wide value_of(const struct efsm__space *space, const int64_t *atom, const int64_t *values) {
    int64_t short_sum = atom[space->count], product;
    bool is_short = true;
    for (uint32_t v = 0; v < space->count && is_short; v++)
        is_short = !__builtin_mul_overflow(atom[v], values[v], &product) &&
                   !__builtin_add_overflow(short_sum, product, &short_sum);
    wide sum = short_sum;
    if (!is_short) {
        sum = atom[space->count];
        for (uint32_t v = 0; v < space->count; v++)
            sum += (wide)atom[v] * values[v];
    }
    return sum;
}

struct cor_value_range efsm__linear_range(const struct efsm__space *space, const struct efsm__linear *form,
                                          const struct efsm__cube *cube) {
    int64_t atom[COR_EFSM_VARIABLES_MAX + 1];
    memcpy(atom, form->coefficient, space->count * sizeof *atom);
    atom[space->count] = form->coefficient[COR_EFSM_VARIABLES_MAX];
    return (struct cor_value_range){cut(least_of(space, atom, cube, false)),
                                    cut(least_of(space, atom, cube, true))};
}

void efsm__cube_require_atom(struct efsm__space *space, struct efsm__cube *cube, const int64_t *atom) {
    const size_t width = space->count + 1;
    for (uint32_t a = 0; a < cube->atom_count;
         a++) /* the same form with another constant: the larger one binds */
        if (memcmp(atom_at(space, cube, a), atom, space->count * sizeof *atom) == 0) {
            int64_t *constant = &atom_at(space, cube, a)[space->count];
            *constant = *constant > atom[space->count] ? *constant : atom[space->count];
            return;
        }
    if (cube->atom_count == cube->atom_capacity) {
        struct efsm__cube larger;
        if (!efsm__cube_copy(space, cube, &larger))
            return;
        efsm__cube_fini(cube);
        *cube = larger;
    }
    memcpy(atom_at(space, cube, cube->atom_count++), atom, width * sizeof *atom);
}

void efsm__cube_require(struct efsm__space *space, struct efsm__cube *cube, const struct efsm__linear *form) {
    int64_t atom[COR_EFSM_VARIABLES_MAX + 1];
    memcpy(atom, form->coefficient, space->count * sizeof *atom);
    atom[space->count] = form->coefficient[COR_EFSM_VARIABLES_MAX];
    efsm__cube_require_atom(space, cube, atom);
}

void efsm__cube_require_range(struct efsm__space *space, struct efsm__cube *cube,
                              const struct efsm__linear *form, int64_t low, int64_t high) {
    struct efsm__linear above = efsm__linear_of(low), below = efsm__linear_of(-high);
    if (!efsm__linear_add(space, &above, form, -1) || !efsm__linear_add(space, &below, form, 1))
        return;
    efsm__cube_require(space, cube, &above);
    efsm__cube_require(space, cube, &below);
}

void efsm__cube_intersect(struct efsm__space *space, struct efsm__cube *cube,
                          const struct efsm__cube *other) {
    for (uint32_t v = 0; v < space->count; v++) {
        cube->low[v] = cube->low[v] > other->low[v] ? cube->low[v] : other->low[v];
        cube->high[v] = cube->high[v] < other->high[v] ? cube->high[v] : other->high[v];
    }
    for (uint32_t a = 0; a < other->atom_count; a++)
        efsm__cube_require_atom(space, cube, atom_at(space, other, a));
}

static wide floor_divide(wide a, wide b) { /* b > 0 */
    if (b == 1)
        return a;
    if ((int64_t)a == a && (int64_t)b == b) /* which is much faster */
        return (int64_t)a / (int64_t)b - ((int64_t)a % (int64_t)b != 0 && a < 0);
    return a / b - (a % b != 0 && a < 0);
}

/* Ranges of the variables of an atom that its other variables leave. False if none are left. */
static bool narrow(const struct efsm__space *space, struct efsm__cube *cube, const int64_t *atom,
                   bool *changed) {
    wide least = least_of(space, atom, cube, false);
    if (least > 0)
        return false;
    for (uint32_t v = 0; v < space->count; v++) {
        if (atom[v] == 0)
            continue;
        /* coefficient * v <= slack, where the others are at their least */
        const wide slack = -(least - (wide)atom[v] * (atom[v] > 0 ? cube->low[v] : cube->high[v]));
        if (atom[v] > 0 && floor_divide(slack, atom[v]) < cube->high[v]) {
            cube->high[v] = (int64_t)floor_divide(slack, atom[v]);
            *changed = true;
        } else if (atom[v] < 0 && -floor_divide(slack, -(wide)atom[v]) > cube->low[v]) {
            cube->low[v] = (int64_t)-floor_divide(slack, -(wide)atom[v]);
            *changed = true;
        }
        if (cube->low[v] > cube->high[v])
            return false;
    }
    return true;
}

static int64_t gcd(int64_t a, int64_t b) {
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* a <= 0 and b <= 0, of which one is the mirror image of the other but for the constant: does that leave
 * nothing? */
static bool exclude_each_other(const struct efsm__space *space, const int64_t *a, const int64_t *b) {
    for (uint32_t v = 0; v < space->count; v++)
        if (a[v] != -b[v])
            return false;
    return (wide)a[space->count] + b[space->count] > 0;
}

static bool contradicts_another(const struct efsm__space *space, const struct efsm__cube *cube) {
    for (uint32_t a = 0; a < cube->atom_count; a++)
        for (uint32_t b = a + 1; b < cube->atom_count; b++)
            if (exclude_each_other(space, atom_at(space, cube, a), atom_at(space, cube, b)))
                return true;
    return false;
}

bool efsm__cube_settle(struct efsm__space *space, struct efsm__cube *cube) {
    const size_t width = space->count + 1;
    bool changed = true;
    for (uint32_t v = 0; v < space->count; v++)
        if (cube->low[v] > cube->high[v])
            return false;
    for (int round = 0; changed && round < ROUNDS_MAX; round++) {
        changed = false;
        for (uint32_t a = 0; a < cube->atom_count; a++)
            if (!narrow(space, cube, atom_at(space, cube, a), &changed))
                return false;
    }
    for (uint32_t a = 0; a < cube->atom_count;) {
        int64_t *atom = atom_at(space, cube, a);
        /* Fixed variables go into the constant, common divisors out. */
        int64_t common = 0;
        for (uint32_t v = 0; v < space->count; v++) {
            int64_t product, sum;
            if (atom[v] != 0 && cube->low[v] == cube->high[v] &&
                !__builtin_mul_overflow(atom[v], cube->low[v], &product) &&
                !__builtin_add_overflow(atom[space->count], product, &sum)) {
                atom[v] = 0;
                atom[space->count] = sum;
            }
            common = atom[v] != 0 ? gcd(common, atom[v]) : common;
        }
        if (common > 1) {
            for (uint32_t v = 0; v < space->count; v++)
                atom[v] /= common;
            atom[space->count] = (int64_t)-floor_divide(-(wide)atom[space->count], common);
        }
        if (least_of(space, atom, cube, true) > 0) {
            a++;
            continue;
        }
        memmove(atom, atom_at(space, cube, --cube->atom_count), width * sizeof *atom);
    }
    return !contradicts_another(space, cube);
}

bool efsm__cube_has(const struct efsm__space *space, const struct efsm__cube *cube, const int64_t *values) {
    for (uint32_t v = 0; v < space->count; v++)
        if (values[v] < cube->low[v] || values[v] > cube->high[v])
            return false;
    for (uint32_t a = 0; a < cube->atom_count; a++)
        if (value_of(space, atom_at(space, cube, a), values) > 0)
            return false;
    return true;
}

/* Whether one inequality follows from another, which has the same form. */
static bool follows_from_one(const struct efsm__space *space, const struct efsm__cube *cube,
                             const int64_t *atom) {
    for (uint32_t a = 0; a < cube->atom_count; a++) {
        const int64_t *other = atom_at(space, cube, a);
        if (other[space->count] >= atom[space->count] &&
            memcmp(other, atom, space->count * sizeof *atom) == 0)
            return true;
    }
    return false;
}

bool efsm__cube_contains(const struct efsm__space *space, const struct efsm__cube *a,
                         const struct efsm__cube *b) {
    for (uint32_t v = 0; v < space->count; v++)
        if (b->low[v] < a->low[v] || b->high[v] > a->high[v])
            return false;
    for (uint32_t i = 0; i < a->atom_count; i++) {
        const int64_t *atom = atom_at(space, a, i);
        if (!follows_from_one(space, b, atom) && least_of(space, atom, b, true) > 0)
            return false;
    }
    return true;
}

uint32_t efsm__cube_cuts(const struct efsm__space *space, const struct efsm__cube *a,
                         const struct efsm__cube *b) {
    uint32_t cuts = 0;
    for (uint32_t v = 0; v < space->count; v++)
        cuts += (uint32_t)(b->low[v] < a->low[v]) + (uint32_t)(b->high[v] > a->high[v]);
    for (uint32_t i = 0; i < a->atom_count; i++) {
        const int64_t *atom = atom_at(space, a, i);
        cuts += least_of(space, atom, b, true) > 0 && !follows_from_one(space, b, atom);
    }
    return cuts;
}

bool efsm__cubes_have(const struct efsm__space *space, const struct efsm__cubes *cubes,
                      const int64_t *values) {
    for (uint32_t c = 0; c < cubes->count; c++)
        if (efsm__cube_has(space, &cubes->cubes[c], values))
            return true;
    return false;
}

/* Atoms as constraints for z3: a sum of products <= 0. */
static bool state_atom(const struct efsm__space *space, const int64_t *atom,
                       struct cor_expression *expression) {
    struct cor_node *nodes = cor_calloc(4 * (size_t)space->count + 4, sizeof *nodes);
    uint32_t n = 0, sum = 0;
    if (!nodes)
        return false;
    nodes[n++] = (struct cor_node){.operator= COR_OPERATOR_CONSTANT, .constant = atom[space->count]};
    for (uint32_t v = 0; v < space->count; v++) {
        if (atom[v] == 0)
            continue;
        nodes[n++] = (struct cor_node){.operator= COR_OPERATOR_CONSTANT, .constant = atom[v]};
        nodes[n++] = (struct cor_node){.operator= COR_OPERATOR_VARIABLE, .variable = v};
        nodes[n] = (struct cor_node){.operator= COR_OPERATOR_MULTIPLY, .left = n - 2, .right = n - 1};
        nodes[n + 1] = (struct cor_node){.operator= COR_OPERATOR_ADD, .left = sum, .right = n};
        sum = n + 1;
        n += 2;
    }
    nodes[n++] = (struct cor_node){.operator= COR_OPERATOR_CONSTANT, .constant = 0};
    nodes[n] = (struct cor_node){.operator= COR_OPERATOR_LESS_EQUAL, .left = sum, .right = n - 1};
    *expression = (struct cor_expression){.nodes = nodes,
                                          .node_count = n + 1,
                                          .is_constraint = true,
                                          .integer_only = true,
                                          .result = COR_VALUE_INTEGER};
    return true;
}

void efsm__atoms_free(struct cor_expression *atoms, uint32_t count) {
    for (uint32_t a = 0; atoms && a < count; a++)
        cor_expression_fini(&atoms[a]);
    free(atoms);
}

struct cor_expression *efsm__atoms_make(struct efsm__space *space, const struct efsm__cube *cube) {
    struct cor_expression *atoms = cor_calloc(cube->atom_count, sizeof *atoms);
    bool made = atoms != NULL;
    for (uint32_t a = 0; a < cube->atom_count && made; a++)
        made = state_atom(space, atom_at(space, cube, a), &atoms[a]);
    if (made)
        return atoms;
    out_of_memory(space);
    efsm__atoms_free(atoms, cube->atom_count);
    return NULL;
}

/* Whether two inequalities, combined so that a variable falls out, leave nothing within the ranges. */
static bool pairs_exclude(const struct efsm__space *space, const struct efsm__cube *cube) {
    for (uint32_t i = 0; i < cube->atom_count; i++)
        for (uint32_t j = 0; j < cube->atom_count; j++) {
            const int64_t *a = atom_at(space, cube, i), *b = atom_at(space, cube, j);
            for (uint32_t v = 0; v < space->count; v++) {
                int64_t both[COR_EFSM_VARIABLES_MAX + 1];
                bool is_exact = a[v] > 0 && b[v] < 0;
                for (uint32_t w = 0; w <= space->count && is_exact; w++) {
                    int64_t one, other;
                    is_exact = !__builtin_mul_overflow(a[w], -b[v], &one) &&
                               !__builtin_mul_overflow(b[w], a[v], &other) &&
                               !__builtin_add_overflow(one, other, &both[w]);
                }
                if (is_exact && least_of(space, both, cube, false) > 0)
                    return true;
            }
        }
    return false;
}

bool efsm__cube_corner(struct efsm__space *space, const struct efsm__cube *cube, int64_t *values) {
    if (cube->atom_count == 0) {
        memcpy(values, cube->low, space->count * sizeof *values);
        return true;
    }
    struct efsm__cube tried;
    bool alive = efsm__cube_copy(space, cube, &tried);
    for (uint32_t v = 0; v < space->count && alive && tried.atom_count > 0; v++) {
        struct efsm__cube low;
        bool matters = false; /* it is in an inequality */
        for (uint32_t a = 0; a < tried.atom_count && !matters; a++)
            matters = atom_at(space, &tried, a)[v] != 0;
        if (tried.low[v] == tried.high[v] || !matters || !efsm__cube_copy(space, &tried, &low))
            continue;
        low.high[v] = low.low[v];
        if (efsm__cube_settle(space, &low)) {
            efsm__cube_fini(&tried);
            tried = low;
            continue;
        }
        efsm__cube_fini(&low);
        tried.low[v] = tried.high[v];
        alive = efsm__cube_settle(space, &tried);
    }
    alive = alive && tried.atom_count == 0;
    if (alive)
        memcpy(values, tried.low, space->count * sizeof *values);
    efsm__cube_fini(&tried);
    return alive;
}

enum cor_answer efsm__cube_point(struct efsm__space *space, const struct efsm__cube *cube, int64_t *values) {
    if (efsm__cube_corner(space, cube, values))
        return COR_ANSWER_SATISFIABLE;
    if (pairs_exclude(space, cube))
        return COR_ANSWER_EMPTY;
    enum cor_answer answer = COR_ANSWER_UNDECIDED;
    struct cor_solver *solver = efsm__space_solver(space);
    struct cor_expression *atoms = efsm__atoms_make(space, cube);
    const struct cor_question question = {.kind = COR_QUESTION_POINT,
                                          .low = cube->low,
                                          .high = cube->high,
                                          .constraints = atoms,
                                          .constraint_count = cube->atom_count};
    if (solver && atoms)
        note(space, cor_solver_ask(solver, &question, &answer, values, space->error));
    efsm__atoms_free(atoms, cube->atom_count);
    return answer;
}

bool efsm__cube_has_point(struct efsm__space *space, const struct efsm__cube *cube) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    return cube->atom_count == 0 || efsm__cube_point(space, cube, values) != COR_ANSWER_EMPTY;
}
