/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tarjan 1972, without recursion: a graph of states is as deep as it is large. */
#include <corridor/components.h>

#include <corridor/array.h>

#include <string.h>

enum cor_status cor_components_init(struct cor_components *components, uint32_t size,
                                    struct cor_error *error) {
    *components = (struct cor_components){.size = size, .met = 1};
    components->of = cor_calloc(size, sizeof *components->of);
    components->members = cor_calloc(size, sizeof *components->members);
    components->first = cor_calloc((size_t)size + 2, sizeof *components->first);
    components->number = cor_calloc(size, sizeof *components->number);
    components->low = cor_calloc(size, sizeof *components->low);
    components->stack = cor_calloc(size, sizeof *components->stack);
    if (!components->of || !components->members || !components->first || !components->number ||
        !components->low || !components->stack)
        return cor_fail_memory(error);
    memset(components->of, 0xff, size * sizeof *components->of);
    return COR_OK;
}

void cor_components_fini(struct cor_components *components) {
    COR_FREE(components->of, components->members, components->first, components->number, components->low,
             components->stack, components->way);
    *components = (struct cor_components){0};
}

enum cor_status cor_components_visit(struct cor_components *c, uint32_t node, cor_next_node *next, void *self,
                                     struct cor_error *error) {
    uint32_t height = 0;
    size_t length = 0;
    if (c->number[node] != 0)
        return COR_OK;
    for (uint32_t target = node;;) {
        if (target != COR_NO_NODE) {
            COR_TRY(COR_RESERVE(&c->way, &c->way_capacity, length + 1, error));
            c->number[target] = c->low[target] = c->met++;
            c->way[length++] = (struct cor_component_step){target, 0};
            c->stack[height++] = target;
        }
        struct cor_component_step *step = &c->way[length - 1];
        const uint32_t from = step->node;
        while ((target = next(self, from, &step->place)) != COR_NO_NODE && c->number[target] != 0)
            if (c->of[target] == COR_NO_NODE && c->number[target] < c->low[from])
                c->low[from] = c->number[target];
        if (target != COR_NO_NODE)
            continue;
        if (c->low[from] == c->number[from]) {
            /* The component is complete: all on the stack from the node on are of it. */
            uint32_t member, at = c->first[c->count];
            do {
                member = c->stack[--height];
                c->of[member] = c->count;
                c->members[at++] = member;
            } while (member != from);
            c->first[++c->count] = at;
        }
        if (--length == 0)
            return COR_OK;
        const uint32_t before = c->way[length - 1].node;
        if (c->low[from] < c->low[before])
            c->low[before] = c->low[from];
    }
}
