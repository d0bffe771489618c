/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Learning the region in which a seam is provoked, from suites of which each was tried once. It goes in
 * rounds: at first suites are drawn by the law; then in the region learned so far, but for a share that the
 * law still draws. Learned is from all; counted for a region is only what was drawn in it afterwards. When a
 * region is settled nothing is learned from what it draws: they tell whether it is better than chance. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_REGION_LEARNING_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_REGION_LEARNING_H

#include <corridor/generator.h>
#include <corridor/region_quantities.h>
#include <corridor/search_schema.h>

/* ---- A seam, and how far a test came with it */

/* How far: each is more than the one before it. A bucket of a probe is counted or not, which is the most. */
enum search_layer__grade {
    SEARCH_LAYER__GRADE_NOTHING,
    SEARCH_LAYER__GRADE_REACHED,
    SEARCH_LAYER__GRADE_HELD,
    SEARCH_LAYER__GRADE_ACTIVATED,
    SEARCH_LAYER__GRADES
};

/* A seam: of the arm's fault, or a bucket of a probe. */
struct search_layer__seam {
    bool is_probe;
    uint32_t counter, bucket; /* of a probe */
};

/* A round: its region, and what came of it. */
struct search_layer__region_round {
    struct cor_search_region_row row;
    char *text; /* owned; constraints, a line each */
};

/* A suite that was tried. */
struct search_layer__region_try {
    uint8_t grade; /* enum search_layer__grade */
};

struct search_layer__region_learning {
    const struct cor_generator_definition *definition; /* borrowed */
    struct cor_region_quantities quantities;           /* owned, as the rest */
    int64_t *support; /* [draw][quantity] of draws of the law that nobody executes */
    uint32_t support_count;
    struct search_layer__region_try *tries;
    int64_t *rows; /* [try][quantity] */
    size_t try_count, try_capacity, row_capacity;
    struct cor_region region;            /* of the present round */
    struct cor_parameter_laws *narrowed; /* to it; NULL: suites are drawn by the law */
    uint32_t drawn;                      /* in the present round */
    uint64_t seen, due;                  /* suites in all; those when something is learned or judged next */
    uint32_t law[SEARCH_LAYER__GRADES];  /* drawn by the law that came so far */
    enum search_layer__grade target;
    bool settled;
    size_t first_round; /* of those that led to it */
    struct search_layer__region_round *rounds;
    size_t round_count, round_capacity;
    int64_t *integers; /* room for one draw */
    double *reals;
};

/* Draws support. `definition` is borrowed as long as the learning lives. */
enum cor_status search_layer__region_learning_init(const struct cor_generator_definition *definition,
                                                   struct search_layer__region_learning *learning,
                                                   struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void search_layer__region_learning_fini(struct search_layer__region_learning *learning);

/* The laws by which the next suite is to be drawn; NULL: those of the arm. */
const struct cor_parameter_laws *
search_layer__region_learning_laws(const struct search_layer__region_learning *learning);

/* How far a suite came that was drawn last, with these parameters; `cases` were executed so far. */
enum cor_status search_layer__region_learning_see(struct search_layer__region_learning *learning,
                                                  const double *parameters, bool by_law,
                                                  enum search_layer__grade grade, uint64_t cases,
                                                  struct cor_error *error) COR_MUST_USE;

#endif
