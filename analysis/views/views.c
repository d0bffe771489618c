/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "views.h"

#include <string.h>

const struct cor_view *const cor_views[] = {
#define COR_VIEW_ADDRESS(name) &cor__view_##name,
    COR_VIEWS(COR_VIEW_ADDRESS) COR_VIEW_ADDRESS(ranking) NULL,
#undef COR_VIEW_ADDRESS
};

const struct cor_view *cor_view_find(const char *name) {
    for (const struct cor_view *const *view = cor_views; *view; view++)
        if (strcmp((*view)->name, name) == 0)
            return *view;
    return NULL;
}
