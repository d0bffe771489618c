/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an interval method is: it completes `estimate` from `sample`, of at least two suites that are not all
 * of nothing or all of everything; an interval that is not defined leaves it as it is. */
#ifndef CORRIDOR_ANALYSIS_STATISTICS_INTERVAL_METHODS_H
#define CORRIDOR_ANALYSIS_STATISTICS_INTERVAL_METHODS_H

#include <corridor/interval.h>

#include <stdbool.h>

typedef enum cor_status cor_interval_method(const struct cor_suite_sample *sample,
                                            struct cor_estimate *estimate, struct cor_error *error);

#define COR_INTERVAL(NAME, method, asked, word, mark, meaning) \
    extern cor_interval_method statistics__interval_##method;
COR_INTERVALS(COR_INTERVAL)
#undef COR_INTERVAL

/* Do at most COR_FEW_SUITES suites carry the figure, while most show nothing, or all? */
bool statistics__few_carry(const struct cor_suite_sample *sample);

#endif
