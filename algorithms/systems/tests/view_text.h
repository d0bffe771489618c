/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A view, and a declaration, as text: equal where they are, whatever the numbers of words and types. */
#ifndef CORRIDOR_ALGORITHMS_SYSTEMS_TESTS_VIEW_TEXT_H
#define CORRIDOR_ALGORITHMS_SYSTEMS_TESTS_VIEW_TEXT_H

#include <corridor/bytes.h>
#include <corridor/live_world.h>

static inline void put_value(struct cor_bytes *text, const struct cor_world_declaration *declaration,
                             struct cor_value value) {
    if (value.kind == COR_VALUE_WORD)
        cor_bytes_print(text, " '%s'", cor_words_text(declaration->words, value.as.word));
    else if (value.kind == COR_VALUE_REAL)
        cor_bytes_print(text, " %a", value.as.real);
    else if (value.kind == COR_VALUE_NULL)
        cor_bytes_print(text, " null");
    else
        cor_bytes_print(text, " %lld", (long long)value.as.integer);
}

static inline void put_words(struct cor_bytes *text, const struct cor_world_declaration *declaration,
                             const char *what, const uint32_t *words, uint32_t count) {
    cor_bytes_print(text, "%s", what);
    for (uint32_t i = 0; i < count; i++)
        cor_bytes_print(text, " %s", cor_words_text(declaration->words, words[i]));
    cor_bytes_print(text, "\n");
}

/* Freed by cor_bytes_fini. */
static inline struct cor_bytes view_text(const struct cor_world_declaration *declaration,
                                         const struct cor_world_view *view) {
    struct cor_bytes text = {.size = 0};
    cor_bytes_print(&text, "tick %llu mode %d picture %s\n", (unsigned long long)view->tick, (int)view->mode,
                    view->picture ? view->picture : "-");
    for (uint32_t e = 0; e < view->entity_count; e++) {
        const struct cor_shown_entity *shown = &view->entities[e];
        const struct cor_entity_type *type = &declaration->types[shown->type];
        cor_bytes_print(&text, "%s %s in %s:", type->name,
                        cor_words_text(declaration->words, shown->identity),
                        shown->parent == COR_NONE ? "-" : cor_words_text(declaration->words, shown->parent));
        for (uint32_t p = 0; p < type->property_count; p++) /* in the order of the type */
            for (uint32_t v = shown->value_start; v < shown->value_start + shown->value_count; v++)
                if (view->values[v].property == p) {
                    cor_bytes_print(&text, " %s", type->properties[p].name);
                    put_value(&text, declaration, view->values[v].value);
                }
        cor_bytes_print(&text, "\n");
    }
    put_words(&text, declaration, "gone", view->gone, view->gone_count);
    put_words(&text, declaration, "lost", view->lost, view->lost_count);
    for (uint32_t c = 0; c < view->cell_count; c++)
        cor_bytes_print(&text, "cell %u %u %u %d\n", view->cells[c].column, view->cells[c].row,
                        view->cells[c].floor, view->cells[c].is_free);
    for (uint32_t l = 0; l < view->link_count; l++)
        for (int i = 0; i < 3; i++)
            cor_bytes_print(&text, "link %u %u\n", view->links[l].lower[i], view->links[l].upper[i]);
    for (uint32_t p = 0; p < view->path_count; p++) {
        const struct cor_shown_path *path = &view->paths[p];
        const struct cor_action *action = &declaration->actions[path->action];
        cor_bytes_print(&text, "path %s %s %s %a", cor_words_text(declaration->words, path->from),
                        cor_words_text(declaration->words, path->to), action->name, path->cost);
        for (uint32_t a = 0; a < action->parameter_count; a++)
            put_value(&text, declaration, view->arguments[path->value_start + a]);
        cor_bytes_print(&text, "\n");
    }
    for (uint32_t c = 0; c < view->covered_count; c++)
        cor_bytes_print(&text, "covered %u\n", view->covered[c]);
    return text;
}

#endif
