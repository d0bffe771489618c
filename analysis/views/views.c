/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "views.h"

#include <inttypes.h>
#include <string.h>

const struct cor_view *const cor_views[] = {
#define COR_VIEW_ADDRESS(name) &views__view_##name,
    COR_VIEWS(COR_VIEW_ADDRESS) COR_VIEW_ADDRESS(ranking) COR_VIEW_ADDRESS(summary) NULL,
#undef COR_VIEW_ADDRESS
};

const struct cor_view *cor_view_find(const char *name) {
    for (const struct cor_view *const *view = cor_views; *view; view++)
        if (strcmp((*view)->name, name) == 0)
            return *view;
    return NULL;
}

bool cor_view_is_shown(const struct cor_view *view) {
    return view->command && strcmp(view->command, "show") == 0;
}

const struct cor_layer_schema *cor_view_layer(const struct cor_view *view) {
    return view->layer ? view->layer : &cor_interaction_schema;
}

bool cor_view_takes(const struct cor_view *view, const char *option) {
    const size_t length = strlen(option);
    for (const char *at = view->options; at && *at; at += strcspn(at, " "), at += *at == ' ')
        if (strncmp(at, option, length) == 0 && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

void views__remark_steered(const struct cor_arm_measurement *arm, struct cor_sheet *sheet) {
    if (arm->steered > 0)
        cor_sheet_remark(sheet,
                         "%" PRIu64
                         " sequences of %s are steered to traps: no sample, and counted nowhere here; "
                         "see corridor show FILE traps, corridor estimate",
                         arm->steered, arm->entry->name);
}

void views__put_dot_text(const char *text, FILE *file) {
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        fputc(*text, file);
    }
}

void views__put_dot_name(const char *text, FILE *file) {
    fputc('"', file);
    views__put_dot_text(text, file);
    fputc('"', file);
}
