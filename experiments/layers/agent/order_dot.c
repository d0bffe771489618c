/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order as a graph in Graphviz' language: plans and the events between them, in boxes by unit. */
#include "internal.h"

static void put_quoted(const char *name, FILE *file) {
    fputc('"', file);
    for (; *name; name++) {
        if (*name == '&') { /* Graphviz takes it for the beginning of an entity */
            fputs("&amp;", file);
            continue;
        }
        if (*name == '"' || *name == '\\')
            fputc('\\', file);
        fputc(*name, file);
    }
    fputc('"', file);
}

static void put_plan(const struct cor_design *design, uint32_t plan, const char *style, FILE *file) {
    fprintf(file, "    p%u [shape=box%s, label=", plan, style);
    put_quoted(design->plans[plan].name, file);
    fputs("];\n", file);
}

enum cor_status cor_unit_order_dot(const struct cor_design_file *file, FILE *stream,
                                   struct cor_error *error) {
    const struct cor_design *design = file->design;
    fputs("digraph units {\n  rankdir=LR;\n", stream);
    for (uint32_t u = 0; u < file->order.units.count; u++) {
        /* Plans in a box with the kind of their unit and its place in the order. */
        const struct cor_units *units = &file->order.units;
        const struct cor_unit *of = &units->units[u];
        if (of->kind == COR_UNIT_KIND_EVENT)
            continue;
        bool is_ring = of->kind == COR_UNIT_KIND_RING;
        fprintf(stream, "  subgraph cluster_%u {\n    label=\"%u. %s\"; style=%s;\n", u, u + 1,
                is_ring ? "CT" : "PT", is_ring ? "solid" : "dotted");
        for (uint32_t m = 0; m < of->member_count; m++)
            put_plan(design, cor_unit_members(units, of)[m], "", stream);
        fputs("  }\n", stream);
    }
    for (uint32_t p = 0; p < design->plan_count; p++)
        if (file->order.unit_of_plan[p] == COR_NONE)
            put_plan(design, p, ", style=dashed", stream);
    for (uint32_t e = 0; e < design->event_count; e++) {
        const struct cor_design_event *of = &design->events[e];
        uint32_t unit = file->order.unit_of_event[e];
        fprintf(stream, "  e%u [shape=ellipse%s%s, label=", e, of->is_entry ? ", style=bold" : "",
                file->order.event_reached[e] ? "" : ", style=dashed");
        put_quoted(of->name, stream);
        if (unit != COR_NONE)
            fprintf(stream, ", xlabel=\"%u. ET\"", unit + 1);
        fputs("];\n", stream);
        for (uint32_t h = 0; h < of->handlers.count; h++)
            fprintf(stream, "  e%u -> p%u;\n", e, of->handlers.items[h]);
    }
    for (uint32_t p = 0; p < design->plan_count; p++)
        for (uint32_t i = 0; i < design->plans[p].posts.count; i++)
            fprintf(stream, "  p%u -> e%u;\n", p, design->plans[p].posts.items[i]);
    fputs("}\n", stream);
    return ferror(stream) ? cor_fail(error, COR_STATUS_FILE, NULL, NULL, "cannot write") : COR_OK;
}
