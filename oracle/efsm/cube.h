/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of states and inputs as unions of cubes: a range for each variable, and linear inequalities over
 * several. Integers throughout, so what is said of a cube is said of the integers in it. */
#ifndef CORRIDOR_ORACLE_EFSM_CUBE_H
#define CORRIDOR_ORACLE_EFSM_CUBE_H

#include <corridor/efsm.h>
#include <corridor/solve.h>

/* Where cubes live: the variables of a model, and what was asked of z3. Its status is the first trouble; once
 * it is set, cubes that could not be made are left out, so that it must be looked at before anything is
 * believed. */
struct efsm__space {
    const struct cor_efsm *model;
    uint32_t count;                      /* variables */
    int64_t low[COR_EFSM_VARIABLES_MAX]; /* domains */
    int64_t high[COR_EFSM_VARIABLES_MAX];
    struct cor_problem whole;  /* the variables, without constraints: what z3 is asked about */
    struct cor_solver *solver; /* owned; NULL: nothing was asked yet */
    uint64_t eliminated_by_bounds, eliminated_by_values, eliminated_by_z3; /* how inputs went */
    bool beyond; /* a part was too large to be computed: the rest is true, but incomplete */
    enum cor_status status;
    struct cor_error *error;
};

/* It is not moved until it is done with. */
void efsm__space_init(struct efsm__space *space, const struct cor_efsm *model, struct cor_error *error);
/* Idempotent; its cubes are the caller's. */
void efsm__space_fini(struct efsm__space *space);

/* What z3 was asked. */
struct cor_solver_statistics efsm__space_statistics(const struct efsm__space *space);

/* A linear form: [variable] coefficients, and behind them the constant. As an inequality: form <= 0. */
struct efsm__linear {
    int64_t coefficient[COR_EFSM_VARIABLES_MAX + 1];
};

struct efsm__cube {
    int64_t *low, *high; /* [variable]; low is owned, and one block with all that follows */
    int64_t *atoms;      /* [atom][count + 1] forms <= 0, each over two variables or more */
    uint32_t atom_count, atom_capacity;
};

struct efsm__cubes {
    struct efsm__cube *cubes; /* owned */
    uint32_t count;
    size_t capacity;
};

/* The whole space; false when memory is out. */
bool efsm__cube_init(struct efsm__space *space, struct efsm__cube *cube);
bool efsm__cube_copy(struct efsm__space *space, const struct efsm__cube *from, struct efsm__cube *cube);
void efsm__cube_fini(struct efsm__cube *cube);
void efsm__cubes_fini(struct efsm__cubes *cubes);

/* Appends the cube, which is the list's from now on. */
void efsm__cubes_add_take(struct efsm__space *space, struct efsm__cubes *cubes, struct efsm__cube *cube);
void efsm__cubes_append(struct efsm__space *space, struct efsm__cubes *cubes, const struct efsm__cubes *more);

/* Adds form <= 0. */
void efsm__cube_require(struct efsm__space *space, struct efsm__cube *cube, const struct efsm__linear *form);

/* Adds low <= form <= high. */
void efsm__cube_require_range(struct efsm__space *space, struct efsm__cube *cube,
                              const struct efsm__linear *form, int64_t low, int64_t high);

/* The part of the cube that is in `other`, too. */
void efsm__cube_intersect(struct efsm__space *space, struct efsm__cube *cube, const struct efsm__cube *other);

/* Draws conclusions from inequalities to ranges and drops what follows from ranges. False if the cube is seen
 * to be empty; true says nothing. */
bool efsm__cube_settle(struct efsm__space *space, struct efsm__cube *cube);

/* Drops inequalities of a settled cube that follow from the others, as far as that is seen without z3. */
void efsm__cube_thin(struct efsm__space *space, struct efsm__cube *cube);

/* An integer point of a settled cube into `values`, if there is one; z3 may not know. */
enum cor_answer efsm__cube_point(struct efsm__space *space, const struct efsm__cube *cube, int64_t *values);

bool efsm__cube_has(const struct efsm__space *space, const struct efsm__cube *cube, const int64_t *values);
bool efsm__cubes_have(const struct efsm__space *space, const struct efsm__cubes *cubes,
                      const int64_t *values);

/* How far the points low[v] .. high[v] of the state are at least from the set: of one point exactly what
 * cor_expression_degree says of its text. Variables that are none of the state do not matter. */
uint64_t efsm__cubes_degree(const struct efsm__space *space, const struct efsm__cubes *cubes,
                            const int64_t *low, const int64_t *high);

/* The same of the cubes among[0] .. among[*count - 1] alone; the cubes nearer than `far` are moved to the
 * front, and *count is their number. */
uint64_t efsm__cubes_degree_among(const struct efsm__space *space, const struct efsm__cubes *cubes,
                                  const int64_t *low, const int64_t *high, uint64_t far, uint32_t *among,
                                  uint32_t *count);

/* The points of the cube that `what` has not, to *into. Takes the cube. */
void efsm__cube_subtract_take(struct efsm__space *space, struct efsm__cube *cube,
                              const struct efsm__cube *what, struct efsm__cubes *into);

/* Takes the points of `what` away from the cubes. */
void efsm__cubes_subtract(struct efsm__space *space, struct efsm__cubes *cubes,
                          const struct efsm__cube *what);
void efsm__cubes_subtract_all(struct efsm__space *space, struct efsm__cubes *cubes,
                              const struct efsm__cubes *what);

/* Whether variable v can be eliminated without z3. */
bool efsm__cube_is_easy(const struct efsm__cube *cube, uint32_t count, uint32_t v);

/* What is left of the cube when variable v may have any value for which there was a point: to *into. */
void efsm__cube_eliminate(struct efsm__space *space, const struct efsm__cube *cube, uint32_t v,
                          struct efsm__cubes *into);

static inline bool efsm__ranges_meet(const struct efsm__space *space, const struct efsm__cube *a,
                                     const struct efsm__cube *b) {
    for (uint32_t v = 0; v < space->count; v++)
        if (a->low[v] > b->high[v] || b->low[v] > a->high[v])
            return false;
    return true;
}

/* Whether b is seen to be a part of a; false says nothing. */
bool efsm__cube_contains(const struct efsm__space *space, const struct efsm__cube *a,
                         const struct efsm__cube *b);

/* How many bounds of a cut something off b, with which it has a point in common: what b has more than a is as
 * many cubes at most. 0: it is contained. */
uint32_t efsm__cube_cuts(const struct efsm__space *space, const struct efsm__cube *a,
                         const struct efsm__cube *b);

/* In which bounds two cubes differ, and by how much, as a hash; 0: in many, or each has an inequality of a
 * form that the other has not. */
uint64_t efsm__cubes_difference(const struct efsm__space *space, const struct efsm__cube *a,
                                const struct efsm__cube *b);

/* A cube that contains both: in each bound that one of them has the wider one, and where it has to have
 * faces, inequalities through where the one ends and the other begins. False: none was made, they differ in
 * too much. */
bool efsm__cube_hull(struct efsm__space *space, const struct efsm__cube *a, const struct efsm__cube *b,
                     bool with_faces, struct efsm__cube *hull);

/* Drops cubes without points, and joins neighbours. The set stays the same. */
void efsm__cubes_tidy(struct efsm__space *space, struct efsm__cubes *cubes);

/* Linear forms. */
struct efsm__linear efsm__linear_of(int64_t constant);
bool efsm__linear_add(struct efsm__space *space, struct efsm__linear *to, const struct efsm__linear *form,
                      int64_t times);
struct cor_value_range efsm__linear_range(const struct efsm__space *space, const struct efsm__linear *form,
                                          const struct efsm__cube *cube);

/* A number as linear forms by case. */
struct efsm__piece {
    struct efsm__cube where;
    struct efsm__linear form;
};
struct efsm__pieces {
    struct efsm__piece *pieces; /* owned */
    uint32_t count;
    size_t capacity;
};
void efsm__pieces_fini(struct efsm__pieces *pieces);

/* What the expression is within the cube. */
void efsm__expression_pieces(struct efsm__space *space, const struct cor_expression *expression,
                             const struct efsm__cube *within, struct efsm__pieces *pieces);

/* Where the constraint holds within the cube. */
void efsm__expression_cubes(struct efsm__space *space, const struct cor_expression *expression,
                            const struct efsm__cube *within, struct efsm__cubes *cubes);

/* One cube as a constraint over integers: a truth value is 0 or 1 there; and read again, into a cube that is
 * the whole space, bounds and inequalities as they stand there. NULL when memory is out; what it is no
 * constraint from on, NULL: it is one. */
char *efsm__cube_text(const struct efsm__space *space, const struct efsm__cube *cube);
const char *efsm__cube_read(struct efsm__space *space, const char *text, struct efsm__cube *cube);

/* The set as a constraint in the language of the model; freed with free(). NULL when memory is out. */
char *efsm__cubes_text(const struct efsm__space *space, const struct efsm__cubes *cubes);

/* ---- transitions as cubes: where they are enabled, domains included, and what they assign there */

/* A case of a transition: where it is enabled, and what it assigns there, as linear forms. */
struct efsm__move {
    struct efsm__cube where;
    struct efsm__linear *next; /* owned; [update] */
};

struct efsm__moves {
    struct efsm__move *moves; /* owned */
    uint32_t count;
    size_t capacity;
};

/* The transition, case by case. */
void efsm__moves_make(struct efsm__space *space, const struct cor_efsm_transition *t,
                      struct efsm__moves *moves);
void efsm__moves_fini(struct efsm__moves *moves);

#endif
