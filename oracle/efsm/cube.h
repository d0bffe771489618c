/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of states and inputs as unions of cubes: a range for each variable, and linear inequalities over
 * several. Integers throughout, so what is said of a cube is said of the integers in it. */
#ifndef COR_EFSM_CUBE_H
#define COR_EFSM_CUBE_H

#include <corridor/efsm.h>
#include <corridor/solve.h>

/* Where cubes live: the variables of a model, and what was asked of z3. Its status is the first trouble; once
 * it is set, cubes that could not be made are left out, so that it must be looked at before anything is
 * believed. */
struct cor__space {
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
void cor__space_init(struct cor__space *space, const struct cor_efsm *model, struct cor_error *error);
/* Idempotent; its cubes are the caller's. */
void cor__space_fini(struct cor__space *space);

/* What z3 was asked. */
struct cor_solver_statistics cor__space_statistics(const struct cor__space *space);

/* z3, started by its first question; NULL: memory is out. */
struct cor_solver *cor__space_solver(struct cor__space *space);

/* A linear form: [variable] coefficients, and behind them the constant. As an inequality: form <= 0. */
struct cor__linear {
    int64_t coefficient[COR_EFSM_VARIABLES_MAX + 1];
};

struct cor__cube {
    int64_t *low, *high; /* owned, one block: [variable] */
    int64_t *atoms;      /* owned; [atom][count + 1] forms <= 0, each over two variables or more */
    uint32_t atom_count;
    size_t atom_capacity;
};

struct cor__cubes {
    struct cor__cube *cubes; /* owned */
    uint32_t count;
    size_t capacity;
};

/* The whole space; false when memory is out. */
bool cor__cube_init(struct cor__space *space, struct cor__cube *cube);
bool cor__cube_copy(struct cor__space *space, const struct cor__cube *from, struct cor__cube *cube);
void cor__cube_fini(struct cor__cube *cube);
void cor__cubes_fini(struct cor__cubes *cubes);

/* Appends the cube, which is the list's from now on. */
void cor__cubes_add_take(struct cor__space *space, struct cor__cubes *cubes, struct cor__cube *cube);
void cor__cubes_append(struct cor__space *space, struct cor__cubes *cubes, const struct cor__cubes *more);

/* Adds form <= 0. */
void cor__cube_require(struct cor__space *space, struct cor__cube *cube, const struct cor__linear *form);

/* Adds low <= form <= high. */
void cor__cube_require_range(struct cor__space *space, struct cor__cube *cube, const struct cor__linear *form,
                             int64_t low, int64_t high);

/* The part of the cube that is in `other`, too. */
void cor__cube_intersect(struct cor__space *space, struct cor__cube *cube, const struct cor__cube *other);

/* Draws conclusions from inequalities to ranges and drops what follows from ranges. False if the cube is seen
 * to be empty; true says nothing. */
bool cor__cube_settle(struct cor__space *space, struct cor__cube *cube);

/* An integer point of a settled cube into `values`, if there is one; z3 may not know. */
enum cor_answer cor__cube_point(struct cor__space *space, const struct cor__cube *cube, int64_t *values);

/* Is there an integer point in a settled cube? Asks z3 where it must; true where that does not know. */
bool cor__cube_has_point(struct cor__space *space, const struct cor__cube *cube);

bool cor__cube_has(const struct cor__space *space, const struct cor__cube *cube, const int64_t *values);
bool cor__cubes_have(const struct cor__space *space, const struct cor__cubes *cubes, const int64_t *values);

/* How far the points low[v] .. high[v] of the state are at least from the set: of one point exactly what
 * cor_expression_degree says of its text. Variables that are none of the state do not matter. */
uint64_t cor__cubes_degree(const struct cor__space *space, const struct cor__cubes *cubes, const int64_t *low,
                           const int64_t *high);

/* The same of the cubes among[0] .. among[*count - 1] alone; the cubes nearer than `far` are moved to the
 * front, and *count is their number. */
uint64_t cor__cubes_degree_among(const struct cor__space *space, const struct cor__cubes *cubes,
                                 const int64_t *low, const int64_t *high, uint64_t far, uint32_t *among,
                                 uint32_t *count);

/* Takes the points of `what` away from the cubes. */
void cor__cubes_subtract(struct cor__space *space, struct cor__cubes *cubes, const struct cor__cube *what);
void cor__cubes_subtract_all(struct cor__space *space, struct cor__cubes *cubes,
                             const struct cor__cubes *what);

/* What is left of the cube when variable v may have any value for which there was a point: to *into. */
void cor__cube_eliminate(struct cor__space *space, const struct cor__cube *cube, uint32_t v,
                         struct cor__cubes *into);

/* Drops cubes without points, and joins neighbours. The set stays the same. */
void cor__cubes_tidy(struct cor__space *space, struct cor__cubes *cubes);

/* The cube's inequalities as constraints, freed by cor__atoms_free; NULL: memory is out. */
struct cor_expression *cor__atoms_make(struct cor__space *space, const struct cor__cube *cube);
void cor__atoms_free(struct cor_expression *atoms, uint32_t count);

/* Linear forms. */
struct cor__linear cor__linear_of(int64_t constant);
bool cor__linear_add(struct cor__space *space, struct cor__linear *to, const struct cor__linear *form,
                     int64_t times);
struct cor_value_range cor__linear_range(const struct cor__space *space, const struct cor__linear *form,
                                         const struct cor__cube *cube);

/* A number as linear forms by case. */
struct cor__piece {
    struct cor__cube where;
    struct cor__linear form;
};
struct cor__pieces {
    struct cor__piece *pieces; /* owned */
    uint32_t count;
    size_t capacity;
};
void cor__pieces_fini(struct cor__pieces *pieces);

/* What the expression is within the cube. */
void cor__expression_pieces(struct cor__space *space, const struct cor_expression *expression,
                            const struct cor__cube *within, struct cor__pieces *pieces);

/* Where the constraint holds within the cube. */
void cor__expression_cubes(struct cor__space *space, const struct cor_expression *expression,
                           const struct cor__cube *within, struct cor__cubes *cubes);

/* The set as a constraint in the language of the model; freed with free(). NULL when memory is out. */
char *cor__cubes_text(const struct cor__space *space, const struct cor__cubes *cubes);

#endif
