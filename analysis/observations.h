/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When each sequence of an arm was first detected: what contrasts compare. */
#ifndef CORRIDOR_ANALYSIS_OBSERVATIONS_H
#define CORRIDOR_ANALYSIS_OBSERVATIONS_H

#include <corridor/contrasts.h>

struct cor__observation {
    uint32_t cluster;                   /* place of its suite among those of the arm */
    uint32_t executed;                  /* cases: when it ended */
    uint32_t first[COR_CONTRAST_BOXES]; /* case of the first such detection, 0 = none */
};

struct cor__observed_arm {
    uint16_t code;
    const char *name;                     /* borrowed from the result */
    bool wanted;                          /* some contrast names it; the others have no observations */
    struct cor__observation *observation; /* owned */
    size_t count, capacity;
    uint32_t *suite; /* owned: suites, in ascending order */
    size_t suite_count, suite_capacity;
};

/* Reads the sequences of the wanted arms; `arms` is in the order of catalog/arm. */
enum cor_status cor__observe(struct cor_result *result, struct cor__observed_arm *arms, size_t arm_count,
                             struct cor_error *error) COR_MUST_USE;

/* Leaves out the suites that some wanted arm lacks; *left_out is how many suites (of any arm) went. */
enum cor_status cor__keep_common(struct cor__observed_arm *arms, size_t arm_count, uint64_t *left_out,
                                 struct cor_error *error) COR_MUST_USE;

/* When a sequence ended, for that box: at the detection, or undetected. */
static inline uint32_t cor__end(const struct cor__observation *observation, enum cor_contrast_box box) {
    return observation->first[box] > 0 ? observation->first[box] : observation->executed;
}

void cor__observed_fini(struct cor__observed_arm *arms, size_t arm_count);

#endif
