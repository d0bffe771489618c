/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/interval.h>

#include <math.h>

static const struct {
    const char *word, *mark, *meaning;
} methods[] = {
#define COR_INTERVAL(NAME, word, mark, meaning) {word, mark, meaning},
    COR_INTERVALS(COR_INTERVAL)
#undef COR_INTERVAL
};

const char *cor_interval_word(enum cor_interval interval) {
    COR_ASSERT(interval < COR_INTERVAL_COUNT);
    return methods[interval].word;
}

const char *cor_interval_mark(enum cor_interval interval) {
    COR_ASSERT(interval < COR_INTERVAL_COUNT);
    return methods[interval].mark;
}

const char *cor_interval_meaning(enum cor_interval interval) {
    COR_ASSERT(interval < COR_INTERVAL_COUNT);
    return methods[interval].meaning;
}

struct cor_estimate cor_no_estimate(void) {
    return (struct cor_estimate){.mean = NAN, .sd = NAN, .low = NAN, .high = NAN, .error = NAN};
}
