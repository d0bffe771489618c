/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A seam, and how far a test came with it. */
#ifndef CORRIDOR_GENERATORS_REGION_SEAM_H
#define CORRIDOR_GENERATORS_REGION_SEAM_H

#include <corridor/generator.h>

/* How far: each is more than the one before it. A bucket of a probe is counted or not, which is the most. */
enum cor__grade {
    COR__GRADE_NOTHING,
    COR__GRADE_REACHED,
    COR__GRADE_HELD,
    COR__GRADE_ACTIVATED,
    COR__GRADES
};

/* A seam: of the arm's fault, or a bucket of a probe. */
struct cor__seam {
    bool is_probe;
    uint32_t counter, bucket; /* of a probe */
};

/* Reads what a user calls a seam: the arm's fault (so does NULL), or "probe[bucket]" for a probe of the
 * algorithm. COR_STATUS_INPUT says which there are. */
enum cor_status cor__seam_parse(const struct cor_arm *arm, const char *text, struct cor__seam *seam,
                                struct cor_error *error) COR_MUST_USE;

/* How far a test came. */
enum cor__grade cor__seam_grade(const struct cor__seam *seam, const struct cor_seen *seen);

#endif
