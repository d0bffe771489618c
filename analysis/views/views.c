/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "views.h"

#include <string.h>

const struct cor_view *const cor_views[] = {
    &cor__view_tables,  &cor__view_survival,  &cor__view_performance,
    &cor__view_compare, &cor__view_contrasts, &cor__view_coverage,
    &cor__view_tree,    &cor__view_ranking,   NULL,
};

const struct cor_view *cor_view_find(const char *name) {
    for (const struct cor_view *const *view = cor_views; *view; view++)
        if (strcmp((*view)->name, name) == 0)
            return *view;
    return NULL;
}
