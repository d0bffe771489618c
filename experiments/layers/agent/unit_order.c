/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order in which units are tested, in one pass: strongly connected components of the plans by Tarjan's
 * algorithm (SIAM J. Comput. 1(2), 1972), with a path of its own instead of recursion. Components come out
 * bottom-up; the unit of an event goes right behind that of its last handler.
 *
 * Arcs run from a plan over each event it posts to each handler. They are not walked one by one: an event
 * that several plans post has a cursor, before which all its handlers are discovered, and a list of those of
 * them whose component is still open. Components close from the end of the stack of open plans, so that list
 * loses its last ones only, and its first is the lowest. So the pass is linear in plans, posts and events. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

struct frame {
    uint32_t plan, post; /* index among its posts */
};

struct pass {
    const struct cor_design *design;
    struct cor_unit_order *order;
    uint32_t *number, *low;       /* by plan; number 0: not discovered */
    uint32_t *open;               /* plans whose component is open, in order of discovery */
    uint32_t *open_handlers;      /* those of each event whose component is open, from handler_start on */
    uint32_t *handler_start;      /* by event */
    uint32_t *open_handler_count; /* by event */
    uint32_t *cursor;             /* by event: handlers before are discovered */
    uint32_t *left;               /* by event: handlers that are in no unit yet */
    struct frame *path;
    uint32_t open_count, path_size, discovered;
    struct cor_error *error;
};

static uint32_t lesser(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static void discover(struct pass *pass, uint32_t plan) {
    uint32_t event = agent_layer__trigger(pass->design, plan);
    pass->number[plan] = pass->low[plan] = ++pass->discovered;
    pass->open[pass->open_count++] = plan;
    pass->open_handlers[pass->handler_start[event] + pass->open_handler_count[event]++] = plan;
    pass->path[pass->path_size++] = (struct frame){plan, 0};
}

/* The next handler of an event that was not discovered yet; false if there is none. */
static bool next_handler(struct pass *pass, uint32_t event, uint32_t *plan) {
    const struct cor_indices *handlers = agent_layer__handlers(pass->design, event);
    uint32_t *cursor = &pass->cursor[event];
    while (*cursor < handlers->count && pass->number[handlers->items[*cursor]] != 0)
        ++*cursor;
    if (*cursor == handlers->count)
        return false;
    *plan = handlers->items[*cursor];
    return true;
}

static bool posts_own_trigger(const struct cor_design *design, uint32_t plan) {
    const struct cor_indices *posts = agent_layer__posts(design, plan);
    for (uint32_t i = 0; i < posts->count; i++)
        if (posts->items[i] == agent_layer__trigger(design, plan))
            return true;
    return false;
}

/* The component that begins with `plan` becomes a unit. */
static enum cor_status close_component(struct pass *pass, uint32_t plan) {
    struct cor_unit_order *order = pass->order;
    uint32_t first = pass->open_count;
    while (pass->open[--first] != plan)
        ;
    const uint32_t *members = pass->open + first, count = pass->open_count - first;
    bool is_ring = count > 1 || posts_own_trigger(pass->design, plan);
    for (uint32_t i = 0; i < count; i++) {
        order->unit_of_plan[members[i]] = order->units.count;
        pass->open_handler_count[agent_layer__trigger(pass->design, members[i])]--;
    }
    pass->open_count = first;
    COR_TRY(cor_units_add(&order->units, is_ring ? COR_UNIT_KIND_RING : COR_UNIT_KIND_PLAN,
                          is_ring ? COR_NONE : agent_layer__trigger(pass->design, plan), members, count,
                          pass->error));
    for (uint32_t i = 0; i < count; i++) {
        /* A handler of the event is in a unit; behind the last, the event has its own. */
        const uint32_t event = agent_layer__trigger(pass->design, members[i]);
        const struct cor_indices *handlers = agent_layer__handlers(pass->design, event);
        if (--pass->left[event] > 0 || handlers->count < 2)
            continue;
        pass->order->unit_of_event[event] = pass->order->units.count;
        COR_TRY(cor_units_add(&pass->order->units, COR_UNIT_KIND_EVENT, event, handlers->items,
                              handlers->count, pass->error));
    }
    return COR_OK;
}

/* One step of the plan at the end of the path: down to a handler that was not discovered yet, or back. */
static enum cor_status step(struct pass *pass) {
    struct frame *frame = &pass->path[pass->path_size - 1];
    const uint32_t plan = frame->plan;
    const struct cor_indices *posts = agent_layer__posts(pass->design, plan);
    uint32_t child;
    for (; frame->post < posts->count; frame->post++) {
        uint32_t event = posts->items[frame->post];
        pass->order->event_reached[event] = true;
        if (next_handler(pass, event, &child)) {
            discover(pass, child);
            return COR_OK;
        }
        uint32_t first_open = pass->open_handlers[pass->handler_start[event]];
        if (pass->open_handler_count[event] > 0)
            pass->low[plan] = lesser(pass->low[plan], pass->number[first_open]);
    }
    pass->path_size--;
    if (pass->path_size > 0) {
        uint32_t parent = pass->path[pass->path_size - 1].plan;
        pass->low[parent] = lesser(pass->low[parent], pass->low[plan]);
    }
    return pass->low[plan] == pass->number[plan] ? close_component(pass, plan) : COR_OK;
}

static enum cor_status walk(struct pass *pass) {
    uint32_t plan;
    for (uint32_t i = 0; i < pass->design->entries.count; i++) {
        uint32_t entry = pass->design->entries.items[i];
        pass->order->event_reached[entry] = true;
        while (next_handler(pass, entry, &plan)) {
            discover(pass, plan);
            while (pass->path_size > 0)
                COR_TRY(step(pass));
        }
    }
    return COR_OK;
}

static enum cor_status find_units(const struct cor_design *design, struct cor_unit_order *order,
                                  struct cor_error *error) {
    size_t plans = design->plan_count, events = design->event_count;
    uint32_t *room = cor_calloc(4 * plans + 1 + 4 * events, sizeof *room);
    struct frame *path = cor_calloc(plans, sizeof *path);
    enum cor_status status = room && path ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK) {
        struct pass pass = {.design = design, .order = order, .path = path, .error = error, .number = room};
        pass.low = pass.number + plans;
        pass.open = pass.low + plans;
        pass.open_handlers = pass.open + plans; /* and one more, that an event without handlers points to */
        pass.handler_start = pass.open_handlers + plans + 1;
        pass.open_handler_count = pass.handler_start + events;
        pass.cursor = pass.open_handler_count + events;
        pass.left = pass.cursor + events;
        for (uint32_t e = 0, start = 0; e < design->event_count; e++) {
            pass.handler_start[e] = start;
            start += pass.left[e] = agent_layer__handlers(design, e)->count;
        }
        status = walk(&pass);
    }
    free(path);
    free(room);
    return status;
}

/* Dependencies as they are found; stamps with 1 + a unit keep each from being found twice. */
struct finder {
    const struct cor_design *design;
    struct cor_unit_order *order;
    uint32_t *stamp, *event_stamp; /* by unit, by event */
    size_t capacity;
    struct cor_error *error;
};

static enum cor_status depend(struct finder *finder, uint32_t unit, uint32_t on) {
    struct cor_unit_order *order = finder->order;
    struct cor_unit *units = order->units.units;
    if (on == unit || finder->stamp[on] == unit + 1)
        return COR_OK;
    COR_ASSERT(on < unit);
    finder->stamp[on] = unit + 1;
    if (units[unit].depth <= units[on].depth)
        units[unit].depth = units[on].depth + 1;
    COR_TRY(COR_RESERVE(&order->dependencies, &finder->capacity, order->dependency_count + 1, finder->error));
    order->dependencies[order->dependency_count++] = on;
    return COR_OK;
}

static enum cor_status depend_on_handlers(struct finder *finder, uint32_t unit, uint32_t event) {
    const struct cor_indices *handlers = agent_layer__handlers(finder->design, event);
    for (uint32_t i = 0; i < handlers->count; i++)
        COR_TRY(depend(finder, unit, finder->order->unit_of_plan[handlers->items[i]]));
    return COR_OK;
}

static enum cor_status find_dependencies(const struct cor_design *design, struct cor_unit_order *order,
                                         struct cor_error *error) {
    const struct cor_units *units = &order->units;
    struct finder finder = {.design = design, .order = order, .error = error};
    enum cor_status status = COR_OK;
    finder.stamp = cor_calloc((size_t)units->count + design->event_count, sizeof *finder.stamp);
    COR_TRY_OUT(cor_made(finder.stamp, error));
    finder.event_stamp = finder.stamp + units->count;
    order->dependency_start = cor_calloc(units->count + 1, sizeof *order->dependency_start);
    COR_TRY_OUT(cor_made(order->dependency_start, error));
    for (uint32_t u = 0; u < units->count; u++) {
        const struct cor_unit *unit = &units->units[u];
        if (unit->kind == COR_UNIT_KIND_EVENT)
            COR_TRY_OUT(depend_on_handlers(&finder, u, unit->event));
        for (uint32_t m = 0; unit->kind != COR_UNIT_KIND_EVENT && m < unit->member_count; m++) {
            /* A plan or ring needs what it posts: the unit of the event, which stands for its handlers,
             * unless that one has to wait for a handler in this very ring. */
            const uint32_t plan = cor_unit_members(units, unit)[m];
            const struct cor_indices *posts = agent_layer__posts(finder.design, plan);
            for (uint32_t i = 0; i < posts->count; i++) {
                uint32_t event = posts->items[i], event_unit = finder.order->unit_of_event[event];
                if (finder.event_stamp[event] == u + 1)
                    continue;
                finder.event_stamp[event] = u + 1;
                COR_TRY_OUT(event_unit < u ? depend(&finder, u, event_unit)
                                           : depend_on_handlers(&finder, u, event));
            }
        }
        order->dependency_start[u + 1] = order->dependency_count;
    }
out:
    free(finder.stamp);
    return status;
}

enum cor_status cor_unit_order_init(struct cor_unit_order *order, const struct cor_design *design,
                                    struct cor_error *error) {
    enum cor_status status = COR_OK;
    *order = (struct cor_unit_order){0};
    cor_units_init(&order->units);
    size_t plans = design->plan_count, events = design->event_count;
    _Static_assert(COR_NONE == UINT32_MAX, "as memset makes it");
    order->unit_of_plan = cor_calloc(plans, sizeof *order->unit_of_plan);
    COR_TRY_OUT(cor_made(order->unit_of_plan, error));
    order->unit_of_event = cor_calloc(events, sizeof *order->unit_of_event);
    COR_TRY_OUT(cor_made(order->unit_of_event, error));
    order->event_reached = cor_calloc(events, sizeof *order->event_reached);
    COR_TRY_OUT(cor_made(order->event_reached, error));
    memset(order->unit_of_plan, 0xff, plans * sizeof *order->unit_of_plan);
    memset(order->unit_of_event, 0xff, events * sizeof *order->unit_of_event);
    COR_TRY_OUT(find_units(design, order, error));
    COR_TRY_OUT(find_dependencies(design, order, error));
out:
    if (status != COR_OK)
        cor_unit_order_fini(order);
    return status;
}

void cor_unit_order_fini(struct cor_unit_order *order) {
    cor_units_fini(&order->units);
    free(order->dependency_start);
    free(order->dependencies);
    free(order->unit_of_plan);
    free(order->unit_of_event);
    free(order->event_reached);
    *order = (struct cor_unit_order){0};
}

/* ---- the order as a graph in Graphviz' language: plans and the events between them, in boxes by unit */

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
