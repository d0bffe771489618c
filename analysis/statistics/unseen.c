/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/unseen.h>

#include <math.h>

struct cor_unseen_counts cor_unseen_count(const uint64_t *occurrences, size_t class_count) {
    struct cor_unseen_counts counts = {0};
    for (size_t i = 0; i < class_count; i++) {
        counts.draws += occurrences[i];
        counts.classes += occurrences[i] > 0;
        counts.once += occurrences[i] == 1;
        counts.twice += occurrences[i] == 2;
    }
    return counts;
}

double cor_missing_mass(const struct cor_unseen_counts *counts) {
    return counts->draws > 0 ? (double)counts->once / (double)counts->draws : NAN;
}

double cor_chao(const struct cor_unseen_counts *counts) {
    double n = (double)counts->draws, f1 = (double)counts->once, f2 = (double)counts->twice;
    if (counts->draws == 0)
        return NAN;
    double pairs = counts->twice > 0 ? f1 * f1 / (2 * f2) : f1 * (f1 - 1) / 2;
    return (double)counts->classes + (n - 1) / n * pairs;
}
