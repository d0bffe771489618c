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
    COR_TRY_OUT(cor_made(order->unit_of_plan = cor_calloc(plans, sizeof *order->unit_of_plan), error));
    COR_TRY_OUT(cor_made(order->unit_of_event = cor_calloc(events, sizeof *order->unit_of_event), error));
    COR_TRY_OUT(cor_made(order->event_reached = cor_calloc(events, sizeof *order->event_reached), error));
    memset(order->unit_of_plan, 0xff, plans * sizeof *order->unit_of_plan);
    memset(order->unit_of_event, 0xff, events * sizeof *order->unit_of_event);
    uint32_t *room = cor_calloc(4 * plans + 1 + 4 * events, sizeof *room);
    struct frame *path = cor_calloc(plans, sizeof *path);
    status = room && path ? COR_OK : cor_fail_memory(error);
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
    COR_FREE(path, room);
    COR_TRY_OUT(status);
    COR_TRY_OUT(find_dependencies(design, order, error));
out:
    if (status != COR_OK)
        cor_unit_order_fini(order);
    return status;
}

void cor_unit_order_fini(struct cor_unit_order *order) {
    cor_units_fini(&order->units);
    COR_FREE(order->dependency_start, order->dependencies, order->unit_of_plan, order->unit_of_event,
             order->event_reached);
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

/* ---- the order of paper 000, section 4 and Fig. 5, in its four steps, in the one reading that gives the
 * lists printed for Fig. 4. Where the paper is silent:
 *
 *   step 1  A child is an "ancestor of a plan in the stack" when arcs walked so far lead from it to one:
 *           exactly when its component is still open. Its ring is the plan that posts, the child, the
 *           shortest way of walked arcs to a plan of the stack, and the stack from there on. A plan that
 *           posts its own trigger is a ring of one. Handlers of an entry event are the children of nobody.
 *           An event has its unit once.
 *   step 3  A ring waits for all that its plans post into, outside their component; all others keep their
 *           places.
 *   step 4  The longest of the rings that are one comes first, then what the others add; the place is that
 *           of the last.
 *
 * The path is one of our own, not the machine's stack; the lists may still be long, as a ring is listed for
 * each arc that closes one */

#define RING_MEMBERS_MAX 10000000u /* of all rings of step 1 */

struct frame_paper {
    uint32_t plan, post, handler; /* indices among its posts, among the handlers of that one */
};

struct search {
    const struct cor_design *design;
    struct cor_units *list;             /* step 1 */
    uint32_t *number, *low;             /* by plan; number 0: not discovered */
    uint32_t *open;                     /* plans whose component is open */
    uint32_t *depth;                    /* by plan: 1 + its place on the path, 0 when it is not on it */
    uint32_t *came_from, *queue, *seen; /* of the way to the path; seen by plan: a number of a ring */
    uint32_t *component;                /* by plan, COR_NONE while it is open or not discovered */
    bool *listed;                       /* by event: it has its unit */
    uint32_t *ring;                     /* members of one, in the making */
    struct frame_paper *path;
    uint32_t open_count, path_size, discovered, ring_count, component_count;
    struct cor_error *error;
};

static enum cor_status append(struct search *search, enum cor_unit_kind kind, uint32_t event,
                              const uint32_t *members, uint32_t count) {
    if (search->list->members.count > RING_MEMBERS_MAX - count)
        return cor_fail(search->error, COR_STATUS_INPUT, NULL,
                        "leave the paper's order out; the other one has each plan once",
                        "step 1 of the paper's order lists more than %u plans", RING_MEMBERS_MAX);
    return cor_units_add(search->list, kind, event, members, count, search->error);
}

/* Queues the handlers of an event that `from` posts, as far as their component is open; the queue's new end.
 */
static uint32_t enqueue_handlers(struct search *search, uint32_t from, uint32_t event, uint32_t tail) {
    const struct cor_indices *handlers = agent_layer__handlers(search->design, event);
    for (uint32_t h = 0; h < handlers->count; h++) {
        uint32_t to = handlers->items[h];
        if (search->component[to] != COR_NONE || search->seen[to] == search->ring_count)
            continue;
        search->seen[to] = search->ring_count;
        search->came_from[to] = from;
        search->queue[tail++] = to;
    }
    return tail;
}

/* The first plan of the path that walked arcs lead to from `plan`, breadth first, arcs in the order of the
 * design; came_from tells the way. All plans met before are finished, so all their arcs are walked. */
static uint32_t way_to_path(struct search *search, uint32_t plan) {
    uint32_t head = 0, tail = 0;
    search->ring_count++;
    search->queue[tail++] = plan;
    search->seen[plan] = search->ring_count;
    search->came_from[plan] = COR_NONE;
    while (head < tail) {
        uint32_t from = search->queue[head++];
        if (search->depth[from] != 0)
            return from;
        const struct cor_indices *posts = agent_layer__posts(search->design, from);
        for (uint32_t i = 0; i < posts->count; i++)
            tail = enqueue_handlers(search, from, posts->items[i], tail);
    }
    COR_ASSERT(false && "an open component reaches the path");
    return plan;
}

static enum cor_status append_event(struct search *search, uint32_t event) {
    const struct cor_indices *handlers = agent_layer__handlers(search->design, event);
    if (search->listed[event] || handlers->count < 2)
        return COR_OK;
    search->listed[event] = true;
    return append(search, COR_UNIT_KIND_EVENT, event, handlers->items, handlers->count);
}

static void discover_paper(struct search *search, uint32_t plan) {
    search->path[search->path_size++] = (struct frame_paper){.plan = plan};
    search->number[plan] = search->low[plan] = ++search->discovered;
    search->open[search->open_count++] = plan;
    search->depth[plan] = search->path_size;
}

static enum cor_status step_paper(struct search *search) {
    struct frame_paper *frame_paper = &search->path[search->path_size - 1];
    const struct cor_indices *posts = agent_layer__posts(search->design, frame_paper->plan), *handlers = NULL;
    for (; frame_paper->post < posts->count; frame_paper->post++, frame_paper->handler = 0) {
        handlers = agent_layer__handlers(search->design, posts->items[frame_paper->post]);
        if (frame_paper->handler < handlers->count) {
            /* "FOR EACH child N_i of N": down to it, a ring, or nothing as it is tested. */
            const uint32_t plan = frame_paper->plan;
            const uint32_t child = handlers->items[frame_paper->handler++];
            if (search->number[child] == 0) {
                discover_paper(search, child);
                return COR_OK;
            }
            if (search->component[child] != COR_NONE)
                return COR_OK;
            if (search->number[child] < search->low[plan])
                search->low[plan] = search->number[child];
            /* CT(plan, child, .., the path down to whom posts to plan). */
            uint32_t count = 0, met = way_to_path(search, child), way = 0;
            search->ring[count++] = plan;
            for (uint32_t at = met; at != COR_NONE; at = search->came_from[at])
                way += at != plan;
            for (uint32_t at = met, i = way; at != COR_NONE; at = search->came_from[at])
                if (at != plan)
                    search->ring[i--] = at;
            count += way;
            for (uint32_t i = search->depth[met]; i + 1 < search->path_size; i++)
                search->ring[count++] = search->path[i].plan;
            return append(search, COR_UNIT_KIND_RING, COR_NONE, search->ring, count);
        }
    }
    /* Behind all children: their events, then the plan. */
    uint32_t left = frame_paper->plan;
    const struct cor_indices *later = agent_layer__posts(search->design, left);
    for (uint32_t i = 0; i < later->count; i++)
        COR_TRY(append_event(search, later->items[i]));
    COR_TRY(append(search, COR_UNIT_KIND_PLAN, agent_layer__trigger(search->design, left), &left, 1));
    search->path_size--;
    search->depth[left] = 0;
    if (search->low[left] == search->number[left]) {
        /* The component that begins with it is whole. */
        uint32_t last;
        do {
            last = search->open[--search->open_count];
            search->component[last] = search->component_count;
        } while (last != left);
        search->component_count++;
    }
    if (search->path_size > 0) {
        uint32_t parent = search->path[search->path_size - 1].plan;
        if (search->low[left] < search->low[parent])
            search->low[parent] = search->low[left];
    }
    return COR_OK;
}

static enum cor_status walk_paper(struct search *search) {
    for (uint32_t i = 0; i < search->design->entries.count; i++) {
        uint32_t entry = search->design->entries.items[i];
        const struct cor_indices *handlers = agent_layer__handlers(search->design, entry);
        for (uint32_t h = 0; h < handlers->count; h++) {
            if (search->number[handlers->items[h]] == 0)
                discover_paper(search, handlers->items[h]);
            while (search->path_size > 0)
                COR_TRY(step_paper(search));
        }
        COR_TRY(append_event(search, entry));
    }
    return COR_OK;
}

static enum cor_status copy_unit(struct cor_units *list, const struct cor_units *from, uint32_t index,
                                 struct cor_error *error) {
    const struct cor_unit *unit = &from->units[index];
    return cor_units_add(list, unit->kind, unit->event, cor_unit_members(from, unit), unit->member_count,
                         error);
}

/* Step 2: plans of rings have no unit of their own. */
static enum cor_status drop_plans_of_rings(const struct cor_units *step1, uint32_t plan_count,
                                           struct cor_units *step2, struct cor_error *error) {
    enum cor_status status = COR_OK;
    bool *in_ring = cor_calloc(plan_count, sizeof *in_ring);
    COR_TRY_OUT(cor_made(in_ring, error));
    for (uint32_t u = 0; u < step1->count; u++)
        for (uint32_t m = 0; step1->units[u].kind == COR_UNIT_KIND_RING && m < step1->units[u].member_count;
             m++)
            in_ring[cor_unit_members(step1, &step1->units[u])[m]] = true;
    for (uint32_t u = 0; u < step1->count; u++)
        if (step1->units[u].kind != COR_UNIT_KIND_PLAN ||
            !in_ring[*cor_unit_members(step1, &step1->units[u])])
            COR_TRY_OUT(copy_unit(step2, step1, u, error));
out:
    free(in_ring);
    return status;
}

/* Step 3: what waits for what, as pairs; sorted by counting, then emitted first come, first served. */
struct wait {
    uint32_t unit, before;
};

struct sorter {
    const struct cor_design *design;
    const struct cor_units *list; /* step 2 */
    const uint32_t *component;    /* by plan */
    uint32_t *first, *next;       /* units of a component: by component, by unit; COR_NONE ends */
    uint32_t *event_unit;         /* by event */
    uint32_t *stamp;              /* by unit */
    struct wait *waits;
    size_t wait_count, wait_capacity;
    struct cor_error *error;
};

static enum cor_status wait_for(struct sorter *sorter, uint32_t unit, uint32_t before) {
    if (unit == before || sorter->stamp[before] == unit + 1)
        return COR_OK;
    sorter->stamp[before] = unit + 1;
    COR_TRY(COR_RESERVE(&sorter->waits, &sorter->wait_capacity, sorter->wait_count + 1, sorter->error));
    sorter->waits[sorter->wait_count++] = (struct wait){unit, before};
    return COR_OK;
}

static enum cor_status wait_for_handlers(struct sorter *sorter, uint32_t unit, uint32_t event,
                                         uint32_t own_component) {
    const struct cor_indices *handlers = agent_layer__handlers(sorter->design, event);
    for (uint32_t h = 0; h < handlers->count; h++) {
        uint32_t component = sorter->component[handlers->items[h]];
        for (uint32_t u = sorter->first[component]; component != own_component && u != COR_NONE;
             u = sorter->next[u])
            COR_TRY(wait_for(sorter, unit, u));
    }
    return COR_OK;
}

static bool handled_in(const struct sorter *sorter, uint32_t event, uint32_t component) {
    const struct cor_indices *handlers = agent_layer__handlers(sorter->design, event);
    for (uint32_t h = 0; h < handlers->count; h++)
        if (sorter->component[handlers->items[h]] == component)
            return true;
    return false;
}

/* A heap of places in the list, the lowest on top. */
static void heap_push(uint32_t *heap, uint32_t *size, uint32_t place) {
    uint32_t at = (*size)++;
    for (; at > 0 && heap[(at - 1) / 2] > place; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = place;
}

/* Emits the first unit of the list that waits for nothing any more, again and again. `room` holds 4 numbers a
 * unit and one more. */
static enum cor_status emit(const struct sorter *sorter, uint32_t *room, uint32_t *waiters,
                            struct cor_units *sorted) {
    const uint32_t count = sorter->list->count;
    uint32_t *left = room, *heap = left + count, *start = heap + count, size = 0;
    /* Whom each unit keeps waiting, sorted by counting: those of u are waiters[start[u]] .. start[u + 1]
     * - 1. */
    uint32_t *filled = start + count + 1;
    for (size_t i = 0; i < sorter->wait_count; i++) {
        left[sorter->waits[i].unit]++;
        start[sorter->waits[i].before + 1]++;
    }
    for (uint32_t u = 0; u < sorter->list->count; u++)
        start[u + 1] += start[u];
    for (size_t i = 0; i < sorter->wait_count; i++) {
        uint32_t before = sorter->waits[i].before;
        waiters[start[before] + filled[before]++] = sorter->waits[i].unit;
    }
    for (uint32_t u = 0; u < count; u++)
        if (left[u] == 0)
            heap_push(heap, &size, u);
    while (size > 0) {
        uint32_t unit = heap[0], last = heap[--size], at = 0;
        for (;;) {
            uint32_t child = 2 * at + 1;
            if (child >= size)
                break;
            if (child + 1 < size && heap[child + 1] < heap[child])
                child++;
            if (heap[child] >= last)
                break;
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = last;
        COR_TRY(copy_unit(sorted, sorter->list, unit, sorter->error));
        for (uint32_t i = start[unit]; i < start[unit + 1]; i++)
            if (--left[waiters[i]] == 0)
                heap_push(heap, &size, waiters[i]);
    }
    COR_ASSERT(sorted->count == count);
    return COR_OK;
}

/* Step 3: each ring behind all that its plans post into. */
static enum cor_status sort_rings(const struct cor_design *design, const struct cor_units *step2,
                                  const uint32_t *component, struct cor_units *step3,
                                  struct cor_error *error) {
    size_t plans = design->plan_count, events = design->event_count, units = step2->count;
    struct sorter sorter = {.design = design, .list = step2, .component = component, .error = error};
    uint32_t *room = cor_calloc(plans + events + 6 * units + 1, sizeof *room), *waiters = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_made(room, error));
    sorter.first = room;
    sorter.event_unit = sorter.first + plans;
    sorter.next = sorter.event_unit + events;
    sorter.stamp = sorter.next + units;
    memset(room, 0xff, (plans + events + units) * sizeof *room); /* COR_NONE */
    const struct cor_units *list = sorter.list;
    for (uint32_t u = list->count; u-- > 0;) {
        const struct cor_unit *unit = &list->units[u];
        if (unit->kind == COR_UNIT_KIND_EVENT) {
            sorter.event_unit[unit->event] = u;
            continue;
        }
        uint32_t of = sorter.component[*cor_unit_members(list, unit)];
        sorter.next[u] = sorter.first[of];
        sorter.first[of] = u;
    }
    for (uint32_t u = 0; u < list->count; u++) {
        const struct cor_unit *unit = &list->units[u];
        if (unit->kind == COR_UNIT_KIND_EVENT)
            COR_TRY_OUT(wait_for_handlers(&sorter, u, unit->event, COR_NONE));
        for (uint32_t m = 0; unit->kind != COR_UNIT_KIND_EVENT && m < unit->member_count; m++) {
            const uint32_t plan = cor_unit_members(list, unit)[m];
            const struct cor_indices *posts = agent_layer__posts(sorter.design, plan);
            uint32_t own = sorter.component[plan];
            for (uint32_t i = 0; i < posts->count; i++) {
                uint32_t event_unit = sorter.event_unit[posts->items[i]];
                COR_TRY_OUT(wait_for_handlers(&sorter, u, posts->items[i], own));
                if (event_unit != COR_NONE && !handled_in(&sorter, posts->items[i], own))
                    COR_TRY_OUT(wait_for(&sorter, u, event_unit));
            }
        }
    }
    COR_TRY_OUT(cor_made(waiters = cor_calloc(sorter.wait_count, sizeof *waiters), error));
    COR_TRY_OUT(emit(&sorter, sorter.stamp + units, waiters, step3));
out:
    COR_FREE(sorter.waits, waiters, room);
    return status;
}

struct merger {
    const struct cor_units *list; /* step 3 */
    const uint32_t *component;    /* by plan */
    uint32_t *longest, *first;    /* by component: rings of it, COR_NONE: none */
    uint32_t *next;               /* by unit: the next ring of its component */
    bool *taken;                  /* by plan */
    uint32_t *members;            /* of the ring in the making */
    uint32_t member_count;
    struct cor_error *error;
};

static bool is_ring(const struct merger *merger, uint32_t unit) {
    return merger->list->units[unit].kind == COR_UNIT_KIND_RING;
}

static uint32_t component_of(const struct merger *merger, uint32_t unit) {
    return merger->component[*cor_unit_members(merger->list, &merger->list->units[unit])];
}

static void take_members(struct merger *merger, uint32_t unit) {
    const struct cor_unit *ring = &merger->list->units[unit];
    for (uint32_t m = 0; m < ring->member_count; m++) {
        uint32_t plan = cor_unit_members(merger->list, ring)[m];
        if (!merger->taken[plan])
            merger->members[merger->member_count++] = plan;
        merger->taken[plan] = true;
    }
}

/* Step 4: rings with a plan in common are one: those of a component, as each plan of it is in a ring with the
 * plan from which it was discovered. */
static enum cor_status merge_rings(const struct cor_design *design, const struct cor_units *step3,
                                   const uint32_t *component, struct cor_units *merged,
                                   struct cor_error *error) {
    size_t plans = design->plan_count;
    struct merger merger = {.list = step3, .component = component, .error = error};
    uint32_t *room = cor_calloc(3 * plans + step3->count, sizeof *room);
    enum cor_status status = COR_OK;
    merger.taken = cor_calloc(plans, sizeof *merger.taken);
    if (!room || !merger.taken)
        COR_TRY_OUT(cor_fail_memory(error));
    merger.longest = room;
    merger.first = room + plans;
    merger.next = room + 2 * plans;
    merger.members = merger.next + step3->count;
    memset(room, 0xff, (2 * plans + step3->count) * sizeof *room); /* COR_NONE */
    const struct cor_unit *units = merger.list->units;
    for (uint32_t u = merger.list->count; u-- > 0;) {
        if (!is_ring(&merger, u))
            continue;
        uint32_t of = component_of(&merger, u), longest = merger.longest[of];
        if (longest == COR_NONE || units[longest].member_count <= units[u].member_count)
            merger.longest[of] = u; /* the first of equals */
        merger.next[u] = merger.first[of];
        merger.first[of] = u;
    }
    for (uint32_t u = 0; u < step3->count; u++)
        if (!is_ring(&merger, u))
            COR_TRY_OUT(copy_unit(merged, step3, u, error));
        else if (merger.next[u] == COR_NONE) {
            /* All rings of the component of which this is the last, as one. */
            uint32_t of = component_of(&merger, u);
            merger.member_count = 0;
            take_members(&merger, merger.longest[of]);
            for (uint32_t ring = merger.first[of]; ring != COR_NONE; ring = merger.next[ring])
                take_members(&merger, ring);
            COR_TRY_OUT(cor_units_add(merged, COR_UNIT_KIND_RING, COR_NONE, merger.members,
                                      merger.member_count, merger.error));
        }
out:
    COR_FREE(merger.taken, room);
    return status;
}

enum cor_status cor_paper_order_init(struct cor_units steps[COR_PAPER_STEPS], const struct cor_design *design,
                                     struct cor_error *error) {
    enum cor_status status = COR_OK;
    uint32_t *component = cor_calloc(design->plan_count, sizeof *component);
    for (size_t i = 0; i < COR_PAPER_STEPS; i++)
        cor_units_init(&steps[i]);
    COR_TRY_OUT(cor_made(component, error));
    /* Step 1: the design is searched for plans, rings and events. */
    size_t plans = design->plan_count;
    struct search search = {.design = design, .list = &steps[0], .component = component, .error = error};
    uint32_t *room = cor_calloc(8 * plans + 1, sizeof *room);
    search.path = cor_calloc(plans, sizeof *search.path);
    search.listed = cor_calloc(design->event_count, sizeof *search.listed);
    status = room && search.path && search.listed ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK) {
        search.number = room;
        search.low = search.number + plans;
        search.open = search.low + plans;
        search.depth = search.open + plans;
        search.came_from = search.depth + plans;
        search.queue = search.came_from + plans;
        search.seen = search.queue + plans;
        search.ring = search.seen + plans;                  /* all plans and one more */
        memset(component, 0xff, plans * sizeof *component); /* COR_NONE */
        status = walk_paper(&search);
    }
    COR_FREE(search.listed, search.path, room);
    COR_TRY_OUT(status);
    COR_TRY_OUT(drop_plans_of_rings(&steps[0], design->plan_count, &steps[1], error));
    COR_TRY_OUT(sort_rings(design, &steps[1], component, &steps[2], error));
    COR_TRY_OUT(merge_rings(design, &steps[2], component, &steps[3], error));
out:
    free(component);
    if (status != COR_OK)
        cor_paper_order_fini(steps);
    return status;
}

void cor_paper_order_fini(struct cor_units steps[COR_PAPER_STEPS]) {
    for (size_t i = 0; i < COR_PAPER_STEPS; i++)
        cor_units_fini(&steps[i]);
}
