/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cube.h"

#include <corridor/array.h>
#include <corridor/hash.h>
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

/* z3, started by its first question; NULL: memory is out. */
static struct cor_solver *space_solver(struct efsm__space *space) {
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

/* Adds atom <= 0, [variable] coefficients and the constant behind them. */
static void cube_require_atom(struct efsm__space *space, struct efsm__cube *cube, const int64_t *atom) {
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
    cube_require_atom(space, cube, atom);
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
        cube_require_atom(space, cube, atom_at(space, other, a));
}

static wide floor_divide(wide a, wide b) { /* b > 0 */
    if (b == 1)
        return a;
    if ((int64_t)a == a && (int64_t)b == b) /* which is much faster */
        return (int64_t)a / (int64_t)b - ((int64_t)a % (int64_t)b != 0 && a < 0);
    return a / b - (a % b != 0 && a < 0);
}

/* a / b for b > 0, rounded down. */
static int64_t floor_divide_short(int64_t a, int64_t b) {
    return b == 1 ? a : a / b - (a % b != 0 && a < 0);
}

/* Ranges of the variables of an atom that its other variables leave. False if none are left. */
static bool narrow(const struct efsm__space *space, struct efsm__cube *cube, const int64_t *atom,
                   bool *changed) {
    int64_t least_short = atom[space->count], part[COR_EFSM_VARIABLES_MAX];
    bool is_short = true; /* which is much faster */
    for (uint32_t v = 0; v < space->count && is_short; v++)
        if (atom[v] != 0)
            is_short =
                !__builtin_mul_overflow(atom[v], atom[v] > 0 ? cube->low[v] : cube->high[v], &part[v]) &&
                !__builtin_add_overflow(least_short, part[v], &least_short);
    is_short = is_short && least_short > -INT64_MAX / 4;
    const wide least = is_short ? least_short : least_of(space, atom, cube, false);
    if (least > 0)
        return false;
    for (uint32_t v = 0; v < space->count; v++) {
        int64_t slack_short;
        if (atom[v] == 0)
            continue;
        /* coefficient * v <= slack, where the others are at their least */
        if (is_short && !__builtin_sub_overflow(part[v], least_short, &slack_short)) {
            if (atom[v] > 0 && slack_short < INT64_MAX / 4) {
                const int64_t most = floor_divide_short(slack_short, atom[v]);
                *changed = *changed || most < cube->high[v];
                cube->high[v] = most < cube->high[v] ? most : cube->high[v];
            } else if (atom[v] < 0 && atom[v] > -INT64_MAX) {
                const int64_t fewest = -floor_divide_short(slack_short, -atom[v]);
                *changed = *changed || fewest > cube->low[v];
                cube->low[v] = fewest > cube->low[v] ? fewest : cube->low[v];
            }
            if (cube->low[v] > cube->high[v])
                return false;
            continue;
        }
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

static void atoms_free(struct cor_expression *atoms, uint32_t count) {
    for (uint32_t a = 0; atoms && a < count; a++)
        cor_expression_fini(&atoms[a]);
    free(atoms);
}

/* The cube's inequalities as constraints, freed by atoms_free; NULL: memory is out. */
static struct cor_expression *atoms_make(struct efsm__space *space, const struct efsm__cube *cube) {
    struct cor_expression *atoms = cor_calloc(cube->atom_count, sizeof *atoms);
    bool made = atoms != NULL;
    for (uint32_t a = 0; a < cube->atom_count && made; a++)
        made = state_atom(space, atom_at(space, cube, a), &atoms[a]);
    if (made)
        return atoms;
    out_of_memory(space);
    atoms_free(atoms, cube->atom_count);
    return NULL;
}

/* ---- Fourier and Motzkin: inequalities without one variable after the other. What is left out is exact
 * where of each two bounds that are combined one has the coefficient 1; else it may hold for reals alone, so
 * that "nothing is left" is always true, and a point is one once it is found */

#define ROWS_MAX 512 /* inequalities of all steps together: beyond that z3 is asked */

struct elimination {
    const struct efsm__space *space;
    const struct efsm__cube *cube; /* its ranges */
    int64_t rows[ROWS_MAX][COR_EFSM_VARIABLES_MAX + 1];
    uint32_t from, end; /* rows of this step; those before it are of earlier ones */
    uint32_t first[COR_EFSM_VARIABLES_MAX], last[COR_EFSM_VARIABLES_MAX]; /* [step] the rows it began with */
    uint32_t variable[COR_EFSM_VARIABLES_MAX];                            /* [step] that went */
    uint32_t steps;
    bool is_exact;
};

/* Adds row <= 0, with common divisors out, unless ranges or another row of this step say as much. EMPTY: it
 * never holds; UNDECIDED: there is no room. */
static enum cor_answer add_row(struct elimination *e, int64_t *row) {
    const uint32_t count = e->space->count;
    int64_t common = 0;
    for (uint32_t v = 0; v < count; v++)
        common = row[v] != 0 ? gcd(common, row[v]) : common;
    for (uint32_t v = 0; v < count && common > 1; v++)
        row[v] /= common;
    if (common > 1)
        row[count] = (int64_t)-floor_divide(-(wide)row[count], common);
    if (least_of(e->space, row, e->cube, false) > 0)
        return COR_ANSWER_EMPTY;
    if (least_of(e->space, row, e->cube, true) <= 0)
        return COR_ANSWER_SATISFIABLE;
    for (uint32_t r = e->from; r < e->end; r++)
        if (memcmp(e->rows[r], row, count * sizeof *row) == 0) {
            e->rows[r][count] = e->rows[r][count] > row[count] ? e->rows[r][count] : row[count];
            return COR_ANSWER_SATISFIABLE;
        }
    if (e->end == ROWS_MAX)
        return COR_ANSWER_UNDECIDED;
    memcpy(e->rows[e->end++], row, (count + 1) * sizeof *row);
    return COR_ANSWER_SATISFIABLE;
}

/* Adds a + b, each as often as v falls out; of its range instead where a row is NULL. */
static enum cor_answer combine_rows(struct elimination *e, const int64_t *above, const int64_t *below,
                                    uint32_t v) {
    const uint32_t count = e->space->count;
    const int64_t up = above ? above[v] : 1, down = below ? -below[v] : 1;
    int64_t both[COR_EFSM_VARIABLES_MAX + 1];
    e->is_exact = e->is_exact && (up == 1 || down == 1);
    for (uint32_t w = 0; w <= count; w++) {
        const int64_t of_above = above ? above[w] : w == v ? 1 : w == count ? -e->cube->high[v] : 0;
        const int64_t of_below = below ? below[w] : w == v ? -1 : w == count ? e->cube->low[v] : 0;
        int64_t one, other;
        if (__builtin_mul_overflow(of_above, down, &one) || __builtin_mul_overflow(of_below, up, &other) ||
            __builtin_add_overflow(one, other, &both[w]))
            return COR_ANSWER_UNDECIDED;
    }
    return add_row(e, both);
}

/* The variable whose going makes the fewest rows; COR_NONE: none is in a row. */
static uint32_t next_variable(const struct elimination *e) {
    uint32_t best = COR_NONE;
    uint64_t least = UINT64_MAX;
    for (uint32_t v = 0; v < e->space->count; v++) {
        uint64_t above = 1, below = 1; /* its range */
        for (uint32_t r = e->from; r < e->end; r++) {
            above += e->rows[r][v] > 0;
            below += e->rows[r][v] < 0;
        }
        if (above + below > 2 && above * below < least) {
            least = above * below;
            best = v;
        }
    }
    return best;
}

/* Rows without v, behind those of this step. */
static enum cor_answer drop_variable(struct elimination *e, uint32_t v) {
    const uint32_t from = e->from, end = e->end, count = e->space->count;
    e->first[e->steps] = from;
    e->last[e->steps] = end;
    e->variable[e->steps++] = v;
    e->from = end;
    for (uint32_t a = from; a <= end; a++) {
        const int64_t *above = a < end ? e->rows[a] : NULL;
        enum cor_answer answer = COR_ANSWER_SATISFIABLE;
        if (above && above[v] == 0) {
            int64_t same[COR_EFSM_VARIABLES_MAX + 1];
            memcpy(same, above, (count + 1) * sizeof *same);
            answer = add_row(e, same);
        }
        for (uint32_t b = from; b <= end && (!above || above[v] > 0) && answer == COR_ANSWER_SATISFIABLE;
             b++) {
            const int64_t *below = b < end ? e->rows[b] : NULL;
            if ((above || below) && (!below || below[v] < 0))
                answer = combine_rows(e, above, below, v);
        }
        if (answer != COR_ANSWER_SATISFIABLE)
            return answer;
    }
    return COR_ANSWER_SATISFIABLE;
}

/* Gives the variables values again, the last one that went first; false: there is none left for one. */
static bool put_back(const struct elimination *e, int64_t *values) {
    memcpy(values, e->cube->low, e->space->count * sizeof *values);
    for (uint32_t s = e->steps; s-- > 0;) {
        const uint32_t v = e->variable[s];
        wide low = e->cube->low[v], high = e->cube->high[v];
        values[v] = 0;
        for (uint32_t r = e->first[s]; r < e->last[s]; r++) {
            const int64_t *row = e->rows[r];
            if (row[v] == 0)
                continue;
            /* coefficient * v <= slack */
            const wide slack = -value_of(e->space, row, values);
            if (row[v] > 0 && floor_divide(slack, row[v]) < high)
                high = floor_divide(slack, row[v]);
            if (row[v] < 0 && -floor_divide(slack, -(wide)row[v]) > low)
                low = -floor_divide(slack, -(wide)row[v]);
        }
        if (low > high)
            return false;
        values[v] = (int64_t)low;
    }
    return true;
}

/* A point of a settled cube into `values`; UNDECIDED: too many rows, or a point of reals that is none of
 * integers. */
static enum cor_answer eliminate_all(const struct efsm__space *space, const struct efsm__cube *cube,
                                     int64_t *values) {
    struct elimination e;
    e.space = space;
    e.cube = cube;
    e.from = e.end = e.steps = 0;
    e.is_exact = true;
    enum cor_answer answer = COR_ANSWER_SATISFIABLE;
    for (uint32_t a = 0; a < cube->atom_count && answer == COR_ANSWER_SATISFIABLE; a++) {
        int64_t row[COR_EFSM_VARIABLES_MAX + 1];
        memcpy(row, atom_at(space, cube, a), (space->count + 1) * sizeof *row);
        answer = add_row(&e, row);
    }
    for (uint32_t v; answer == COR_ANSWER_SATISFIABLE && (v = next_variable(&e)) != COR_NONE;)
        answer = drop_variable(&e, v);
    if (answer == COR_ANSWER_SATISFIABLE && !put_back(&e, values)) {
        COR_ASSERT(!e.is_exact);
        answer = COR_ANSWER_UNDECIDED;
    }
    return answer;
}

/* A point of a settled cube into `values`, found by fixing one variable after the other at an end of its
 * range: most that there are, but not all. */
static bool cube_corner(struct efsm__space *space, const struct efsm__cube *cube, int64_t *values) {
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

void efsm__cube_thin(struct efsm__space *space, struct efsm__cube *cube) {
    const size_t size = (space->count + 1) * sizeof *cube->atoms;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    for (uint32_t a = cube->atom_count; a-- > 0 && cube->atom_count > 1;) {
        struct efsm__cube denied;
        if (!efsm__cube_copy(space, cube, &denied))
            return;
        bool is_exact = true;
        int64_t *atom = atom_at(space, &denied, a);
        for (uint32_t v = 0; v <= space->count; v++)
            is_exact = !__builtin_sub_overflow(v == space->count ? 1 : 0, atom[v], &atom[v]) && is_exact;
        if (is_exact && (!efsm__cube_settle(space, &denied) ||
                         eliminate_all(space, &denied, values) == COR_ANSWER_EMPTY)) {
            cube->atom_count--;
            memmove(atom_at(space, cube, a), atom_at(space, cube, a + 1), (cube->atom_count - a) * size);
        }
        efsm__cube_fini(&denied);
    }
}

enum cor_answer efsm__cube_point(struct efsm__space *space, const struct efsm__cube *cube, int64_t *values) {
    if (cube_corner(space, cube, values))
        return COR_ANSWER_SATISFIABLE;
    enum cor_answer answer = eliminate_all(space, cube, values);
    if (answer != COR_ANSWER_UNDECIDED)
        return answer;
    struct cor_solver *solver = space_solver(space);
    struct cor_expression *atoms = atoms_make(space, cube);
    const struct cor_question question = {.kind = COR_QUESTION_POINT,
                                          .low = cube->low,
                                          .high = cube->high,
                                          .constraints = atoms,
                                          .constraint_count = cube->atom_count};
    if (solver && atoms)
        note(space, cor_solver_ask(solver, &question, &answer, values, space->error));
    atoms_free(atoms, cube->atom_count);
    return answer;
}

/* Is there an integer point in a settled cube? Asks z3 where it must; true where that does not know. */
static bool cube_has_point(struct efsm__space *space, const struct efsm__cube *cube) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    return cube->atom_count == 0 || efsm__cube_point(space, cube, values) != COR_ANSWER_EMPTY;
}

/* ---- unions of cubes: difference, projection, and joining what belongs together */

#define VALUES_MAX \
    64 /* of a variable that is eliminated value by value, where bounds do not combine; beyond by z3 */

/* Whether ranges and inequalities leave open that the cubes have a point in common. */
static bool cube_meets(struct efsm__space *space, const struct efsm__cube *a, const struct efsm__cube *b) {
    struct efsm__cube both;
    if (!efsm__ranges_meet(space, a, b) || !efsm__cube_copy(space, a, &both))
        return false;
    efsm__cube_intersect(space, &both, b);
    bool may = efsm__cube_settle(space, &both);
    efsm__cube_fini(&both);
    return may;
}

/* Keeps the piece if it may have points; a piece that is not kept is freed. */
static void keep_take(struct efsm__space *space, struct efsm__cube *piece, struct efsm__cubes *into) {
    if (efsm__cube_settle(space, piece))
        efsm__cubes_add_take(space, into, piece);
    else
        efsm__cube_fini(piece);
}

/* The part of *rest on the far side of one bound of what is taken away goes to `into`; *rest keeps the near
 * side. */
static void split_range(struct efsm__space *space, struct efsm__cube *rest, uint32_t v, int64_t low,
                        int64_t high, struct efsm__cubes *into) {
    struct efsm__cube piece;
    if (rest->low[v] < low && efsm__cube_copy(space, rest, &piece)) {
        piece.high[v] = low - 1;
        rest->low[v] = low;
        keep_take(space, &piece, into);
    }
    if (rest->high[v] > high && efsm__cube_copy(space, rest, &piece)) {
        piece.low[v] = high + 1;
        rest->high[v] = high;
        keep_take(space, &piece, into);
    }
}

void efsm__cube_subtract_take(struct efsm__space *space, struct efsm__cube *cube,
                              const struct efsm__cube *what, struct efsm__cubes *into) {
    for (uint32_t v = 0; v < space->count; v++)
        split_range(space, cube, v, what->low[v], what->high[v], into);
    for (uint32_t a = 0; a < what->atom_count; a++) {
        /* form <= 0, denied: -form + 1 <= 0. */
        const int64_t *atom = atom_at(space, what, a);
        int64_t denied[COR_EFSM_VARIABLES_MAX + 1];
        struct efsm__cube piece;
        bool is_exact = !__builtin_sub_overflow(1, atom[space->count], &denied[space->count]);
        for (uint32_t v = 0; v < space->count; v++)
            is_exact = !__builtin_sub_overflow(0, atom[v], &denied[v]) && is_exact;
        space->beyond = space->beyond || !is_exact;
        if (!is_exact || !efsm__cube_copy(space, cube, &piece))
            continue;
        cube_require_atom(space, &piece, denied);
        keep_take(space, &piece, into);
        cube_require_atom(space, cube, atom);
    }
    efsm__cube_fini(cube);
}

void efsm__cubes_subtract(struct efsm__space *space, struct efsm__cubes *cubes,
                          const struct efsm__cube *what) {
    struct efsm__cubes left = {0};
    bool touched = false;
    for (uint32_t c = 0; c < cubes->count && !touched; c++)
        touched = efsm__ranges_meet(space, &cubes->cubes[c], what);
    if (!touched)
        return;
    for (uint32_t c = 0; c < cubes->count; c++) {
        struct efsm__cube *cube = &cubes->cubes[c];
        if (cube_meets(space, cube, what))
            efsm__cube_subtract_take(space, cube, what, &left);
        else
            efsm__cubes_add_take(space, &left, cube);
        *cube = (struct efsm__cube){0};
    }
    efsm__cubes_fini(cubes);
    *cubes = left;
}

void efsm__cubes_subtract_all(struct efsm__space *space, struct efsm__cubes *cubes,
                              const struct efsm__cubes *what) {
    for (uint32_t c = 0; c < what->count && cubes->count > 0; c++)
        efsm__cubes_subtract(space, cubes, &what->cubes[c]);
}

static struct efsm__linear form_of(const struct efsm__space *space, const int64_t *atom) {
    struct efsm__linear form = efsm__linear_of(atom[space->count]);
    memcpy(form.coefficient, atom, space->count * sizeof *atom);
    return form;
}

/* The bounds upon v of one sign: v's range, and the inequalities. */
static struct efsm__linear bound_at(const struct efsm__space *space, const struct efsm__cube *cube,
                                    uint32_t v, bool above, uint32_t atom) {
    if (atom < cube->atom_count)
        return form_of(space, atom_at(space, cube, atom));
    struct efsm__linear form = efsm__linear_of(above ? -cube->high[v] : cube->low[v]);
    form.coefficient[v] = above ? 1 : -1;
    return form;
}

static void combine_bounds(struct efsm__space *space, const struct efsm__cube *cube, uint32_t v,
                           struct efsm__cubes *into) {
    struct efsm__cube made;
    if (!efsm__cube_copy(space, cube, &made))
        return;
    made.atom_count = 0;
    made.low[v] = space->low[v];
    made.high[v] = space->high[v];
    for (uint32_t i = 0; i <= cube->atom_count; i++) {
        const struct efsm__linear above = bound_at(space, cube, v, true, i);
        if (above.coefficient[v] == 0)
            efsm__cube_require(space, &made, &above);
        for (uint32_t j = 0; j <= cube->atom_count && above.coefficient[v] > 0; j++) {
            const struct efsm__linear below = bound_at(space, cube, v, false, j);
            struct efsm__linear both = efsm__linear_of(0);
            if (below.coefficient[v] < 0 && !(i == cube->atom_count && j == cube->atom_count) &&
                efsm__linear_add(space, &both, &above, -below.coefficient[v]) &&
                efsm__linear_add(space, &both, &below, above.coefficient[v]))
                efsm__cube_require(space, &made, &both);
        }
    }
    space->eliminated_by_bounds++;
    keep_take(space, &made, into);
}

static void try_values(struct efsm__space *space, const struct efsm__cube *cube, uint32_t v,
                       struct efsm__cubes *into) {
    for (int64_t value = cube->low[v]; value <= cube->high[v]; value++) {
        struct efsm__cube made;
        if (!efsm__cube_copy(space, cube, &made))
            return;
        made.low[v] = made.high[v] = value;
        if (!efsm__cube_settle(space, &made)) { /* which has put the value into the inequalities */
            efsm__cube_fini(&made);
            continue;
        }
        made.low[v] = space->low[v];
        made.high[v] = space->high[v];
        efsm__cubes_add_take(space, into, &made);
    }
    space->eliminated_by_values++;
}

/* What z3 makes of it. What it leaves out is left out: the set is too small then, and said to be. */
static void ask_for_projection(struct efsm__space *space, const struct efsm__cube *cube, uint32_t v,
                               struct efsm__cubes *into) {
    struct cor_solver *solver = space_solver(space);
    struct cor_expression *atoms = atoms_make(space, cube);
    struct cor_projection projection = {.answer = COR_ANSWER_UNDECIDED};
    bool eliminated[COR_EFSM_VARIABLES_MAX] = {false};
    const struct cor_question question = {.kind = COR_QUESTION_ELIMINATION,
                                          .low = cube->low,
                                          .high = cube->high,
                                          .constraints = atoms,
                                          .constraint_count = cube->atom_count};
    struct efsm__cube rest;
    struct efsm__cubes made = {0};
    eliminated[v] = true;
    if (solver && atoms) {
        const enum cor_status status =
            cor_solver_project(solver, &question, eliminated, &projection, space->error);
        space->status = space->status == COR_OK ? status : space->status;
    }
    space->beyond = space->beyond || projection.answer == COR_ANSWER_UNDECIDED ||
                    (projection.answer == COR_ANSWER_SATISFIABLE && !projection.exact);
    if (projection.answer == COR_ANSWER_SATISFIABLE && efsm__cube_copy(space, cube, &rest)) {
        rest.atom_count = 0; /* they are in the projection */
        rest.low[v] = space->low[v];
        rest.high[v] = space->high[v];
        efsm__expression_cubes(space, &projection.constraint, &rest, &made);
        efsm__cube_fini(&rest);
        efsm__cubes_tidy(space, &made);
        efsm__cubes_append(space, into, &made);
        efsm__cubes_fini(&made);
    }
    space->eliminated_by_z3++;
    cor_expression_fini(&projection.constraint);
    atoms_free(atoms, cube->atom_count);
}

bool efsm__cube_is_easy(const struct efsm__cube *cube, uint32_t count, uint32_t v) {
    bool large_above = false, large_below = false;
    for (uint32_t a = 0; a < cube->atom_count; a++) {
        const int64_t coefficient = cube->atoms[a * ((size_t)count + 1) + v];
        large_above = large_above || coefficient > 1;
        large_below = large_below || coefficient < -1;
    }
    return !(large_above && large_below) || cube->high[v] - cube->low[v] < VALUES_MAX;
}

void efsm__cube_eliminate(struct efsm__space *space, const struct efsm__cube *cube, uint32_t v,
                          struct efsm__cubes *into) {
    COR_FINISHED(efsm__cubes) struct efsm__cubes by_values = {0};
    /* Eliminating v. Bounds upon v are the inequalities with it, and its range: a * v <= X and b * v >= Y
     * leave some v exactly if a * Y <= b * X, where a or b is 1. */
    bool large_above = false, large_below = false;
    for (uint32_t a = 0; a < cube->atom_count; a++) {
        const int64_t coefficient = atom_at(space, cube, a)[v];
        large_above = large_above || coefficient > 1;
        large_below = large_below || coefficient < -1;
    }
    if (!(large_above && large_below)) {
        combine_bounds(space, cube, v, into);
        return;
    }
    if (cube->high[v] - cube->low[v] >= VALUES_MAX) {
        ask_for_projection(space, cube, v, into);
        return;
    }
    try_values(space, cube, v, &by_values);
    efsm__cubes_tidy(space, &by_values);
    efsm__cubes_append(space, into, &by_values);
}

/* Joining. Two cubes are neighbours along v when all but their ranges of v is equal, and these touch or
 * overlap. */
static bool equal_but_for(const struct efsm__space *space, const struct efsm__cube *a,
                          const struct efsm__cube *b, uint32_t v) {
    for (uint32_t i = 0; i < space->count; i++)
        if (i != v && (a->low[i] != b->low[i] || a->high[i] != b->high[i]))
            return false;
    return a->atom_count == b->atom_count &&
           (a->atom_count == 0 ||
            memcmp(a->atoms, b->atoms, a->atom_count * (space->count + 1) * sizeof *a->atoms) == 0);
}

/* The order in which neighbours along v stand beside each other. */
static int order_cubes(const struct efsm__space *space, const struct efsm__cube *a,
                       const struct efsm__cube *b, uint32_t v) {
    if (a->atom_count != b->atom_count)
        return a->atom_count < b->atom_count ? -1 : 1;
    for (uint32_t i = 0; i < space->count; i++) {
        if (i != v && a->low[i] != b->low[i])
            return a->low[i] < b->low[i] ? -1 : 1;
        if (i != v && a->high[i] != b->high[i])
            return a->high[i] < b->high[i] ? -1 : 1;
    }
    for (size_t i = 0; i < (size_t)a->atom_count * (space->count + 1); i++)
        if (a->atoms[i] != b->atoms[i])
            return a->atoms[i] < b->atoms[i] ? -1 : 1;
    return a->low[v] < b->low[v] ? -1 : a->low[v] > b->low[v];
}

/* Heap sort: qsort knows no context. */
static void sift(const struct efsm__space *space, struct efsm__cube *cubes, uint32_t root, uint32_t end,
                 uint32_t v) {
    for (uint32_t child; (child = 2 * root + 1) < end; root = child) {
        if (child + 1 < end && order_cubes(space, &cubes[child], &cubes[child + 1], v) < 0)
            child++;
        if (order_cubes(space, &cubes[root], &cubes[child], v) >= 0)
            return;
        struct efsm__cube swapped = cubes[root];
        cubes[root] = cubes[child];
        cubes[child] = swapped;
    }
}

static bool join_along(const struct efsm__space *space, struct efsm__cubes *list, uint32_t v) {
    uint32_t kept = 0;
    for (uint32_t i = list->count / 2; i-- > 0;)
        sift(space, list->cubes, i, list->count, v);
    for (uint32_t end = list->count; end > 1;) {
        struct efsm__cube last = list->cubes[--end];
        list->cubes[end] = list->cubes[0];
        list->cubes[0] = last;
        sift(space, list->cubes, 0, end, v);
    }
    for (uint32_t c = 1; c < list->count; c++) {
        struct efsm__cube *last = &list->cubes[kept], *next = &list->cubes[c];
        if (equal_but_for(space, last, next, v) && next->low[v] <= last->high[v] + 1) {
            last->high[v] = next->high[v] > last->high[v] ? next->high[v] : last->high[v];
            efsm__cube_fini(next);
            continue;
        }
        struct efsm__cube moved = *next;
        *next = (struct efsm__cube){0};
        list->cubes[++kept] = moved;
    }
    const bool joined = list->count > 0 && kept + 1 < list->count;
    list->count = list->count > 0 ? kept + 1 : 0;
    return joined;
}

static void drop(struct efsm__cubes *list, uint32_t c) {
    efsm__cube_fini(&list->cubes[c]);
    memmove(&list->cubes[c], &list->cubes[c + 1], (list->count - c - 1) * sizeof *list->cubes);
    list->count--;
}

#define CONTAINED_MAX 2000 /* beyond that many, contained cubes stay: harmless, and looking is quadratic */

void efsm__cubes_tidy(struct efsm__space *space, struct efsm__cubes *cubes) {
    for (uint32_t c = 0; c < cubes->count;)
        if (efsm__cube_settle(space, &cubes->cubes[c]) && cube_has_point(space, &cubes->cubes[c]))
            c++;
        else
            drop(cubes, c);
    for (bool joined = true; joined;) {
        joined = false;
        for (uint32_t v = space->count; v-- > 0;)
            joined = (space->low[v] < space->high[v] && join_along(space, cubes, v)) || joined;
    }
    if (cubes->count > CONTAINED_MAX)
        return;
    for (uint32_t c = 0; c < cubes->count;) {
        bool spare = false;
        for (uint32_t other = 0; other < cubes->count && !spare; other++)
            spare = other != c && efsm__cube_contains(space, &cubes->cubes[other], &cubes->cubes[c]);
        if (spare)
            drop(cubes, c);
        else
            c++;
    }
}

/* ---- hulls of two cubes */

#define DIFFER_MAX 5        /* bounds of two cubes of which a hull is made */
#define JOINED_ATOMS_MAX 24 /* of either */
#define FACTOR_MAX 1000000  /* by which a bound may come into a face */

/* Forms that bound the one cube or the other: what each is at most in either. */
struct bounds {
    struct efsm__linear form[2 * COR_EFSM_VARIABLES_MAX + 2 * JOINED_ATOMS_MAX];
    int64_t at_most[2][2 * COR_EFSM_VARIABLES_MAX + 2 * JOINED_ATOMS_MAX];
    uint32_t count;
};

/* The most that the form, whose constant is 0, is in the cube, by an inequality of its or by its ranges. */
static int64_t most_in(const struct efsm__space *space, const struct efsm__cube *cube,
                       const struct efsm__linear *form) {
    int64_t most = efsm__linear_range(space, form, cube).high;
    for (uint32_t a = 0; a < cube->atom_count; a++) {
        const int64_t *atom = cube->atoms + a * ((size_t)space->count + 1);
        if (memcmp(atom, form->coefficient, space->count * sizeof *atom) == 0 && -atom[space->count] < most)
            most = -atom[space->count];
    }
    return most;
}

static void add_bound(const struct efsm__space *space, const struct efsm__cube *a, const struct efsm__cube *b,
                      const struct efsm__linear *form, struct bounds *bounds) {
    bounds->form[bounds->count] = *form;
    bounds->at_most[0][bounds->count] = most_in(space, a, form);
    bounds->at_most[1][bounds->count] = most_in(space, b, form);
    bounds->count++;
}

static void find_bounds(const struct efsm__space *space, const struct efsm__cube *a,
                        const struct efsm__cube *b, struct bounds *bounds) {
    const struct efsm__cube *both[] = {a, b};
    bounds->count = 0;
    for (uint32_t v = 0; v < space->count; v++)
        for (int sign = -1; sign <= 1; sign += 2) {
            struct efsm__linear form = efsm__linear_of(0);
            form.coefficient[v] = sign;
            if (sign < 0 ? a->low[v] != b->low[v] : a->high[v] != b->high[v])
                add_bound(space, a, b, &form, bounds);
        }
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < both[i]->atom_count; k++) {
            struct efsm__linear form = efsm__linear_of(0);
            bool is_there = false;
            memcpy(form.coefficient, both[i]->atoms + k * ((size_t)space->count + 1),
                   space->count * sizeof *form.coefficient);
            for (uint32_t j = 0; j < bounds->count && !is_there; j++)
                is_there = memcmp(&bounds->form[j], &form, sizeof form) == 0;
            if (!is_there)
                add_bound(space, a, b, &form, bounds);
        }
}

static uint32_t find_form(const struct efsm__space *space, const struct efsm__cube *cube,
                          const int64_t *atom) {
    for (uint32_t a = 0; a < cube->atom_count; a++)
        if (memcmp(atom_at(space, cube, a), atom, space->count * sizeof *atom) == 0)
            return a;
    return COR_NONE;
}

uint64_t efsm__cubes_difference(const struct efsm__space *space, const struct efsm__cube *a,
                                const struct efsm__cube *b) {
    const struct efsm__cube *few = a->atom_count <= b->atom_count ? a : b, *many = few == a ? b : a;
    uint64_t hash = cor_hash_word(COR_HASH_SEED, many->atom_count - few->atom_count);
    uint32_t differ = 0;
    for (uint32_t v = 0; v < space->count; v++) {
        if (few->low[v] == many->low[v] && few->high[v] == many->high[v])
            continue;
        differ += (uint32_t)(few->low[v] != many->low[v]) + (uint32_t)(few->high[v] != many->high[v]);
        hash = cor_hash_word(hash, v);
        hash = cor_hash_word(hash, (uint64_t)(few->low[v] - many->low[v]));
        hash = cor_hash_word(hash, (uint64_t)(few->high[v] - many->high[v]));
        if (differ > DIFFER_MAX)
            return 0;
    }
    for (uint32_t i = 0; i < few->atom_count; i++) {
        const int64_t *atom = atom_at(space, few, i);
        const uint32_t j = find_form(space, many, atom);
        if (j == COR_NONE)
            return 0;
        const int64_t other = atom_at(space, many, j)[space->count];
        if (atom[space->count] != other && ++differ > DIFFER_MAX)
            return 0;
        hash = cor_hash_bytes(hash, atom, space->count * sizeof *atom);
        hash = cor_hash_word(hash, (uint64_t)(atom[space->count] - other));
    }
    return hash | 1;
}

bool efsm__cube_hull(struct efsm__space *space, const struct efsm__cube *a, const struct efsm__cube *b,
                     bool with_faces, struct efsm__cube *hull) {
    struct bounds bounds;
    if (a->atom_count > JOINED_ATOMS_MAX || b->atom_count > JOINED_ATOMS_MAX ||
        !efsm__cube_copy(space, a, hull))
        return false;
    hull->atom_count = 0;
    for (uint32_t v = 0; v < space->count; v++) {
        hull->low[v] = a->low[v] < b->low[v] ? a->low[v] : b->low[v];
        hull->high[v] = a->high[v] > b->high[v] ? a->high[v] : b->high[v];
    }
    find_bounds(space, a, b, &bounds);
    uint32_t differ = 0;
    for (uint32_t i = 0; i < bounds.count; i++)
        differ += bounds.at_most[0][i] != bounds.at_most[1][i];
    if (differ > DIFFER_MAX) {
        efsm__cube_fini(hull);
        return false;
    }
    for (uint32_t i = 0; i < bounds.count; i++) {
        const int64_t in_a = bounds.at_most[0][i], in_b = bounds.at_most[1][i];
        struct efsm__linear form = bounds.form[i];
        form.coefficient[COR_EFSM_VARIABLES_MAX] = -(in_a > in_b ? in_a : in_b);
        efsm__cube_require(space, hull, &form);
        for (uint32_t j = 0; j < bounds.count && with_faces && in_a < in_b; j++) {
            /* What the one is let out by, times what the other is pulled in by: a face through both. */
            const int64_t out = in_b - in_a, in = bounds.at_most[0][j] - bounds.at_most[1][j];
            struct efsm__linear face = efsm__linear_of(0);
            int64_t constant, part;
            if (in <= 0 || in > FACTOR_MAX || out > FACTOR_MAX ||
                !efsm__linear_add(space, &face, &bounds.form[i], in) ||
                !efsm__linear_add(space, &face, &bounds.form[j], out) ||
                __builtin_mul_overflow(in, in_a, &constant) ||
                __builtin_mul_overflow(out, bounds.at_most[0][j], &part) ||
                __builtin_add_overflow(constant, part, &constant))
                continue;
            face.coefficient[COR_EFSM_VARIABLES_MAX] = -constant;
            efsm__cube_require(space, hull, &face);
        }
    }
    if (efsm__cube_settle(space, hull))
        return true;
    efsm__cube_fini(hull);
    return false;
}

/* ---- how far a set is (paper 004, figure 8): in a cube the violations of ranges and inequalities add, of
 * several cubes the nearest counts. cor_expression_degree says the same of the cubes' text; here there is no
 * limit to its size, and the same works for ranges of points */

__extension__ typedef __int128 wide;

#define FAR COR_DEGREE_INFINITE

/* `far` or more once it is known to be no less. */
static uint64_t cube_degree(const struct efsm__space *space, const struct efsm__cube *cube,
                            const int64_t *low, const int64_t *high, uint64_t far) {
    wide sum = 0;
    for (uint32_t v = 0; v < space->count; v++) {
        if (space->model->variables[v].kind != COR_EFSM_STATE)
            continue;
        sum += low[v] > cube->high[v] ? (wide)low[v] - cube->high[v] : 0;
        sum += high[v] < cube->low[v] ? (wide)cube->low[v] - high[v] : 0;
    }
    for (uint32_t a = 0; a < cube->atom_count && sum < far; a++) {
        /* The least value of an inequality's form over the points. */
        const int64_t *atom = cube->atoms + a * ((size_t)space->count + 1);
        wide excess = atom[space->count];
        for (uint32_t v = 0; v < space->count; v++)
            excess += (wide)atom[v] * (atom[v] > 0 ? low[v] : high[v]);
        sum += excess > 0 ? excess : 0;
    }
    return sum < FAR ? (uint64_t)sum : FAR;
}

uint64_t efsm__cubes_degree(const struct efsm__space *space, const struct efsm__cubes *cubes,
                            const int64_t *low, const int64_t *high) {
    uint64_t least = FAR;
    for (uint32_t c = 0; c < cubes->count && least > 0; c++) {
        const uint64_t degree = cube_degree(space, &cubes->cubes[c], low, high, least);
        least = degree < least ? degree : least;
    }
    return least;
}

uint64_t efsm__cubes_degree_among(const struct efsm__space *space, const struct efsm__cubes *cubes,
                                  const int64_t *low, const int64_t *high, uint64_t far, uint32_t *among,
                                  uint32_t *count) {
    uint64_t least = FAR;
    for (uint32_t i = 0; i < *count;) {
        const uint32_t cube = among[i];
        const uint64_t degree = cube_degree(space, &cubes->cubes[cube], low, high, far);
        least = degree < least ? degree : least;
        if (degree < far) {
            i++;
            continue;
        }
        among[i] = among[--*count];
        among[*count] = cube;
    }
    return least;
}
