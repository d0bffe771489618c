/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a name means: the symbol that is called so, or else the only one that ends in ".name", or that of the
 * home. */
#include "parser.h"

#include <stdlib.h>
#include <string.h>

/* What stands behind the last point of the name, NULL if there is none. */
static const char *last_part(const char *name) {
    const char *point = strrchr(name, '.');
    return point ? point + 1 : NULL;
}

uint32_t expression__scope_resolve(const struct cor_scope *scope, const char *name, uint32_t several[2]) {
    uint32_t count = 0;
    several[0] = several[1] = COR_NONE;
    for (uint32_t i = 0; i < scope->symbol_count && *name; i++)
        if (strcmp(scope->symbols[i].name, name) == 0)
            return i;
    for (uint32_t i = 0; i < scope->symbol_count && scope->words; i++) {
        const char *symbol = scope->symbols[i].name, *part = last_part(symbol);
        if (!part || strcmp(part, name) != 0)
            continue;
        /* Whether the symbol is the home's. */
        size_t length = scope->home ? strlen(scope->home) : 0;
        if (length > 0 && strncmp(symbol, scope->home, length) == 0 && symbol[length] == '.')
            return i;
        several[count < 2 ? count : 1] = i;
        count++;
    }
    return count == 1 ? several[0] : COR_NONE;
}

uint32_t cor_scope_find(const struct cor_scope *scope, const char *name) {
    uint32_t several[2];
    return expression__scope_resolve(scope, name, several);
}

void expression__scope_offer(const struct cor_scope *scope, const char *word, char *remedy, size_t size) {
    const char *offered[257];
    size_t count = 0;
    for (uint32_t i = 0; i < scope->symbol_count && count < 256; i++) {
        const char *name = scope->symbols[i].name, *part = scope->words ? last_part(name) : NULL;
        if (*name)
            offered[count++] = part && cor_scope_find(scope, part) == i ? part : name;
    }
    offered[count] = NULL;
    if (count > 0)
        cor_known_names(word, offered, remedy, size);
}
