/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "order.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    const struct statistics__place *x = a, *y = b;
    if (x->value < y->value || x->value > y->value)
        return x->value < y->value ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

void statistics__order(const double *values, size_t n, struct statistics__place *places) {
    for (size_t i = 0; i < n; i++)
        places[i] = (struct statistics__place){values[i], i};
    if (n > 1)
        qsort(places, n, sizeof *places, compare);
}

double statistics__mid_ranks(const struct statistics__place *places, size_t n, double *rank) {
    double ties = 0;
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && places[end].value <= places[first].value;)
            end++;
        double t = (double)(end - first);
        for (size_t i = first; i < end; i++)
            rank[places[i].index] = ((double)first + 1 + (double)end) / 2;
        ties += t * t * t - t;
    }
    return ties;
}

enum cor_status statistics__times_order(const double *time, size_t n, struct statistics__place **places,
                                        struct cor_error *error) {
    *places = NULL;
    for (size_t i = 0; i < n; i++)
        if (!(time[i] >= 0) || isinf(time[i]))
            return cor_fail(error, COR_STATUS_INPUT, NULL, "times are finite and at least 0",
                            "the time of observation %zu is %g", i, time[i]);
    *places = cor_calloc(n, sizeof **places);
    if (!*places)
        return cor_fail_memory(error);
    statistics__order(time, n, *places);
    return COR_OK;
}
