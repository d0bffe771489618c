/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Learning the region in which a seam is provoked, from suites of which each was tried once. It goes in
 * rounds: at first suites are drawn by the law; then in the region learned so far, but for a share that the
 * law still draws. Learned is from all; counted for a region is only what was drawn in it afterwards. When a
 * region is settled nothing is learned from what it draws: they tell whether it is better than chance. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_REGION_LEARNING_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_REGION_LEARNING_H

#include <corridor/experiment.h>
#include <corridor/generator.h>
#include <corridor/region.h>
#include <corridor/search_schema.h>

/* ---- What regions of an arm's configurations are described by: its integer parameters; how far apart the
 * limits of its structure are, and how much room they leave together; the sides of every constraint, and what
 * is left of it. All are expressions over the parameters, so that a region is constraints as users write
 * them. */

#define COR_REGION_QUANTITIES_MAX 200

/* The quantities of one arm, each as an expression and as its text. The caller's, filled by
 * cor_region_quantities_init, freed by cor_region_quantities_fini. */
struct cor_region_quantities {
    uint32_t count;
    struct cor_expression *expressions; /* owned; parameters first */
    char **texts;                       /* owned; [quantity] each another one */
};

/* Those of an arm. `quantities` need not be empty when this fails. */
enum cor_status cor_region_quantities_init(const struct cor_arm *arm,
                                           struct cor_region_quantities *quantities,
                                           struct cor_error *error) COR_MUST_USE;

/* Frees what they hold. Idempotent. */
void cor_region_quantities_fini(struct cor_region_quantities *quantities);

/* Their values for the integer parameters of a suite, one for each into `row`. False: one is undefined. */
bool cor_region_quantities_row(const struct cor_region_quantities *quantities, const int64_t *integers,
                               int64_t *row);

/* A region as a list of constraints. */
struct cor_region_texts {
    char **texts; /* owned */
    uint32_t count;
};

/* One constraint for each quantity with a side that is not open. */
enum cor_status cor_region_texts_make(const struct cor_region_quantities *quantities,
                                      const struct cor_region *region, struct cor_region_texts *texts,
                                      struct cor_error *error) COR_MUST_USE;

/* Frees what they hold. Idempotent. */
void cor_region_texts_fini(struct cor_region_texts *texts);

/* All joined by "and"; "true" without any. Freed with free(); NULL when memory is out. */
char *cor_region_texts_join(const struct cor_region_texts *texts);

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
