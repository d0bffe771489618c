/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A seam, and how far a test came with it. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_REGION_SEAM_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_REGION_SEAM_H

#include <corridor/generator.h>

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

/* Reads what a user calls a seam: the arm's fault (so does NULL), or "probe[bucket]" for a probe of the
 * algorithm. COR_STATUS_INPUT says which there are. */
enum cor_status search_layer__seam_parse(const struct cor_arm *arm, const char *text,
                                         struct search_layer__seam *seam,
                                         struct cor_error *error) COR_MUST_USE;

/* How far a test came. */
enum search_layer__grade search_layer__seam_grade(const struct search_layer__seam *seam,
                                                  const struct cor_seen *seen);

#endif
