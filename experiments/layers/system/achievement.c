/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which entity to act on next so that a condition may come to hold. A search by Dijkstra (1959): a state is a
 * place that matters - where one is, a gate, an entity to act on, the target - and the set of entities that
 * would have been acted on an odd number of times. One moves between places of which nothing that could be
 * shut lies between, enters a gate that is known to be open then, and acts. Sets that differ by what is known
 * to flip nothing are one. */
#include "travel_map.h"

#include <corridor/array.h>
#include <corridor/beliefs.h>

#include <stdlib.h>
#include <string.h>

#define FAR UINT32_MAX

/* What is done in the end of a way. */
enum aim {
    AIM_NONE,
    AIM_REACH,   /* to be there */
    AIM_LOOK,    /* to see a switch */
    AIM_EXPLORE, /* to see what is not known */
    AIM_ACT      /* on the entity */
};

struct cor_achievement {
    struct cor_achievement_definition asked;
    struct system_layer__memory *memory; /* borrowed from the travel */
    struct cor_hypothesis *hypothesis;   /* owned; NULL: a target is to be reached */
    enum aim aim;
    bool avoids;                /* hazards, on the way to the aim */
    struct cor_believed entity; /* of AIM_ACT; of AIM_LOOK the switch, as its element */
    uint32_t *legs;             /* owned; places from here to the aim */
    size_t leg_count, leg_next, leg_capacity;
    uint64_t map_revision, memory_revision; /* that the aim was found for */
    struct blind {
        uint32_t switch_index, place;
    } * blind; /* owned; it cannot be seen from there */
    size_t blind_count, blind_capacity;
    uint64_t blind_knowledge;
};

/* A place that matters. */
struct place {
    uint32_t number;  /* of a cell or node */
    uint32_t act;     /* a tried entity that is here; COR_NONE: none */
    uint32_t untried; /* an element of the type `untried_type` that nobody acted on; COR_NONE: none */
    uint32_t untried_type;
    bool is_target, is_gate;
    uint32_t frontier, frontier_number; /* steps to the nearest place from which one may see more */
};

/* A set of acts, and what would be then. */
struct class {
    struct system_layer__set set;
    bool is_wanted; /* the condition holds */
};

struct node {
    uint32_t cost, parent, act; /* the act that led here; COR_NONE: a move */
    bool is_done;
};

struct entry {
    uint32_t cost, node;
};

/* How an aim is gone to. */
struct candidate {
    enum aim aim;
    uint32_t cost, node;
    uint32_t number; /* where it is, if it is no place that matters; COR_NONE */
    struct cor_believed entity;
};

struct search {
    struct cor_achievement *it;
    const struct system_layer__memory *memory;
    struct cor_travel *travel;
    bool avoids;
    uint32_t number_count; /* cells or nodes; 1 where there are no places */
    uint32_t here;
    uint32_t *place_of;   /* owned; [number] */
    struct place *places; /* owned */
    size_t place_count, place_capacity;
    uint32_t *distances;     /* owned; [place][place] */
    uint32_t *sights, *from; /* owned; [place][switch] steps to where it is seen, and where that is */
    struct system_layer__parities idle; /* sets that flip nothing, as far as is known: all of them */
    struct class *classes;              /* owned */
    size_t class_count, class_capacity;
    uint8_t *open; /* owned; [class][place] it can be entered */
    size_t open_capacity;
    uint8_t
        *looks; /* owned; [class][switch] 1: it is not known then, 2: it should be seen for the condition */
    size_t look_capacity;
    uint32_t *gates; /* owned; [switch] 1 + the place that it shuts; 0: none */
    uint32_t *slots; /* owned; hash table of 1 + class */
    size_t slot_count;
    struct node *nodes; /* owned; [class][place] */
    size_t node_capacity;
    struct entry *heap; /* owned */
    size_t heap_count, heap_capacity;
    uint32_t *act_numbers; /* owned; [tried] where the entity is, of the type that is asked for; COR_NONE */
    bool is_cut;
};

/* ---- places */

uint32_t system_layer__own_place(const struct cor_travel *travel) {
    return travel->cells ? system_layer__here(travel) : travel->graph ? system_layer__own_node(travel) : 0;
}

uint32_t system_layer__place_of(const struct cor_travel *travel, struct cor_believed entity) {
    if (!cor_beliefs_is_there(travel->beliefs, entity.type, entity.element))
        return COR_NONE;
    return travel->cells   ? system_layer__cell_of(travel, entity)
           : travel->graph ? system_layer__node_of(travel, entity)
                           : 0;
}

static enum cor_status add_place(struct search *search, uint32_t number, struct place **place,
                                 struct cor_error *error) {
    if (search->place_of[number] == COR_NONE) {
        COR_TRY(COR_RESERVE(&search->places, &search->place_capacity, search->place_count + 1, error));
        search->place_of[number] = (uint32_t)search->place_count;
        search->places[search->place_count++] = (struct place){
            .number = number, .untried = COR_NONE, .frontier = FAR, .frontier_number = COR_NONE};
    }
    *place = &search->places[search->place_of[number]];
    return COR_OK;
}

/* Entities that can be acted on. One that shares its place with another one waits for that to be tried. */
static enum cor_status add_entities(struct search *search, struct cor_error *error) {
    const struct cor_achievement_definition *asked = &search->it->asked;
    const struct cor_travel *travel = search->travel;
    const bool acts = asked->action != COR_NONE;
    for (uint32_t t = 0; acts && t < travel->declaration->type_count; t++)
        for (uint32_t e = 0;
             (asked->among == COR_NONE || asked->among == t) && e < cor_beliefs_count(travel->beliefs, t);
             e++) {
            const struct cor_believed entity = {t, e};
            const uint32_t number = system_layer__place_of(travel, entity);
            struct place *place;
            if (number == COR_NONE || cor_beliefs_identity(travel->beliefs, t, e) == travel->identity)
                continue;
            const uint32_t tried = system_layer__tried_index(search->memory, entity);
            COR_TRY(add_place(search, number, &place, error));
            if (tried == COR_NONE && place->untried == COR_NONE) {
                place->untried = e;
                place->untried_type = t;
            }
        }
    return COR_OK;
}

/* Gates are places, and their switches are known by them. */
static enum cor_status add_gates(struct search *search, struct cor_error *error) {
    const struct cor_travel *travel = search->travel;
    for (size_t s = 0; s < search->memory->switch_count; s++) {
        const struct system_layer__switch *it = &search->memory->switches[s];
        uint32_t cell = COR_GRID_NO_CELL;
        struct place *place;
        if (travel->cells && travel->obstacles[it->type].open == it->property &&
            it->element < travel->obstacles[it->type].count)
            cell = travel->obstacles[it->type].items[it->element].cell;
        if (cell == COR_GRID_NO_CELL)
            continue;
        COR_TRY(add_place(search, cell, &place, error));
        place->is_gate = true;
        search->gates[s] = 1 + search->place_of[cell];
    }
    return COR_OK;
}

static const struct cor_grid *walls_of(const struct search *search) {
    return search->travel->grids[SYSTEM_LAYER__WALLED][search->avoids];
}

/* Steps to a place by the navigator's last flood. A gate is walled off, and one step from its neighbours. */
static uint32_t steps_to(const struct search *search, uint32_t number) {
    const struct cor_travel *travel = search->travel;
    if (!travel->cells && !travel->graph)
        return 0;
    if (!travel->cells) {
        const uint64_t length = cor_graph_distance(travel->navigator, number);
        return length < FAR ? (uint32_t)length : FAR;
    }
    const struct cor_grid *grid = walls_of(search);
    uint32_t steps = cor_grid_distance(travel->navigator, number);
    const struct system_layer__cell *cell = &travel->cells[number];
    if (steps != COR_GRID_UNREACHED || cell->ground != COR_GRID_FREE || cell->is_bumped ||
        (search->avoids && cell->hazards > 0 && cell->gates > 0))
        return steps;
    const uint32_t place = search->place_of[number];
    const bool is_entered = cell->gates > 0 || (place != COR_NONE && search->places[place].is_target);
    const struct cor_grid_place at = cor_grid_place(grid, number);
    uint32_t neighbours[4];
    uint32_t count = 0;
    if (at.row > 0)
        neighbours[count++] = number - grid->columns;
    if (at.column > 0)
        neighbours[count++] = number - 1;
    if (at.column + 1 < grid->columns)
        neighbours[count++] = number + 1;
    if (at.row + 1 < grid->rows)
        neighbours[count++] = number + grid->columns;
    for (uint32_t n = 0; is_entered && n < count; n++) {
        const uint32_t near = cor_grid_distance(travel->navigator, neighbours[n]);
        steps = near != COR_GRID_UNREACHED && near + 1 < steps ? near + 1 : steps;
    }
    for (uint32_t l = cor_grid_first_link(grid, number);
         is_entered && l < grid->link_count && grid->links[l].cell == number; l++) {
        const uint32_t near = cor_grid_distance(travel->navigator, grid->links[l].other);
        steps = near != COR_GRID_UNREACHED && near + 1 < steps ? near + 1 : steps;
    }
    return steps;
}

static bool is_blind(const struct search *search, uint32_t switch_index, uint32_t number) {
    const struct cor_achievement *it = search->it;
    for (size_t b = 0; b < it->blind_count; b++)
        if (it->blind[b].switch_index == switch_index && it->blind[b].place == number)
            return true;
    return false;
}

/* The nearest place from which the switch is seen: one from where it was, its own or one beside that. */
static void measure_sight(struct search *search, uint32_t place, uint32_t s) {
    const struct system_layer__switch *it = &search->memory->switches[s];
    const struct cor_travel *travel = search->travel;
    const size_t at = place * search->memory->switch_count + s;
    uint32_t numbers[SYSTEM_LAYER__SPOTS + 5];
    uint32_t count = 0;
    for (uint32_t i = 0; i < it->spot_count; i++)
        numbers[count++] = it->spots[i];
    const uint32_t own = system_layer__place_of(travel, (struct cor_believed){it->type, it->element});
    if (own != COR_NONE) {
        numbers[count++] = own;
        if (travel->cells) {
            const struct cor_grid *grid = walls_of(search);
            const struct cor_grid_place where = cor_grid_place(grid, own);
            if (where.row > 0)
                numbers[count++] = own - grid->columns;
            if (where.column > 0)
                numbers[count++] = own - 1;
            if (where.column + 1 < grid->columns)
                numbers[count++] = own + 1;
            if (where.row + 1 < grid->rows)
                numbers[count++] = own + grid->columns;
        }
    }
    search->sights[at] = FAR;
    for (uint32_t i = 0; i < count; i++) {
        /* Its own cell is no spot if it is a gate: who gets there has seen it before. */
        if (travel->cells && travel->cells[numbers[i]].gates > 0 &&
            numbers[i] != search->places[place].number)
            continue;
        const uint32_t steps = numbers[i] == search->places[place].number ? 0 : steps_to(search, numbers[i]);
        if (steps < search->sights[at] && !is_blind(search, s, numbers[i])) {
            search->sights[at] = steps;
            search->from[at] = numbers[i];
        }
    }
}

static bool may_see_more(const struct search *search, uint32_t number) {
    const struct cor_travel *travel = search->travel;
    if (travel->cells)
        return cor_grid_touches_unknown(walls_of(search), number);
    return travel->graph && !travel->graph->nodes[number].known;
}

/* How far all is from a place, gates left shut. */
static enum cor_status measure_place(struct search *search, uint32_t p, struct cor_error *error) {
    struct cor_travel *travel = search->travel;
    struct place *place = &search->places[p];
    if (travel->cells)
        COR_TRY(cor_grid_flood(travel->navigator, walls_of(search), place->number, error));
    else if (travel->graph)
        COR_TRY(cor_graph_flood(travel->navigator, travel->graph, place->number, error));
    for (uint32_t to = 0; to < search->place_count; to++)
        search->distances[p * search->place_count + to] =
            to == p ? 0 : steps_to(search, search->places[to].number);
    for (uint32_t s = 0; s < search->memory->switch_count; s++)
        measure_sight(search, p, s);
    for (uint32_t n = 0; n < search->number_count && (travel->cells || travel->graph); n++) {
        const uint32_t steps = n == place->number ? 0
                               : travel->cells    ? cor_grid_distance(travel->navigator, n)
                                                  : steps_to(search, n);
        if (steps < place->frontier && may_see_more(search, n)) {
            place->frontier = steps;
            place->frontier_number = n;
        }
    }
    return COR_OK;
}

static enum cor_status find_places(struct search *search, struct cor_error *error) {
    const struct cor_achievement *it = search->it;
    const struct cor_travel *travel = search->travel;
    const size_t switch_count = search->memory->switch_count;
    struct place *place;
    search->number_count = travel->cells   ? travel->grids[0][0]->cell_count
                           : travel->graph ? travel->graph->node_count
                                           : 1;
    search->place_of = cor_calloc(search->number_count, sizeof *search->place_of);
    search->gates = cor_calloc(switch_count, sizeof *search->gates);
    search->act_numbers = cor_calloc(search->memory->tried_count, sizeof *search->act_numbers);
    if (!search->place_of || !search->gates || !search->act_numbers)
        return cor_fail_memory(error);
    memset(search->place_of, 0xff, search->number_count * sizeof *search->place_of);
    for (uint32_t t = 0; t < search->memory->tried_count; t++) {
        const struct cor_believed entity = search->memory->tried[t];
        const bool is_asked = it->asked.among == COR_NONE || it->asked.among == entity.type;
        search->act_numbers[t] = is_asked ? system_layer__place_of(travel, entity) : COR_NONE;
    }
    COR_TRY(add_place(search, search->here, &place, error));
    if (!it->asked.wanted) {
        const uint32_t target = system_layer__place_of(travel, it->asked.target);
        if (target != COR_NONE) {
            COR_TRY(add_place(search, target, &place, error));
            place->is_target = true;
        }
    }
    COR_TRY(add_gates(search, error));
    COR_TRY(add_entities(search, error));
    search->distances = cor_calloc(search->place_count * search->place_count, sizeof *search->distances);
    search->sights = cor_calloc(search->place_count * switch_count, sizeof *search->sights);
    search->from = cor_calloc(search->place_count * switch_count, sizeof *search->from);
    if (!search->distances || !search->sights || !search->from)
        return cor_fail_memory(error);
    for (uint32_t p = 0; p < search->place_count; p++)
        COR_TRY(measure_place(search, p, error));
    return COR_OK;
}

/* ---- sets of acts */

/* Sets that are known to flip nothing: those that every switch says so of. Beginning with all sets, switch by
 * switch those combinations are kept of which nothing is left when the switch reduces them. */
static enum cor_status find_idle(struct search *search, struct cor_error *error) {
    const struct system_layer__memory *memory = search->memory;
    const size_t count = memory->tried_count;
    enum cor_status status = COR_OK;
    struct rest {
        struct system_layer__set whole, left; /* a set, and what is left of it */
        bool is_odd, is_taken;
    } *rests = cor_calloc(count, sizeof *rests);
    COR_TRY_OUT(cor_made(rests, error));
    size_t left = count;
    for (uint32_t t = 0; t < count; t++)
        system_layer__flip(&rests[t].whole, t);
    for (size_t s = 0; s < memory->switch_count && left > 0; s++) {
        size_t kept = 0;
        if (system_layer__is_unruly(&memory->switches[s]))
            continue;
        for (size_t r = 0; r < left; r++) {
            rests[r].left = rests[r].whole;
            rests[r].is_odd = rests[r].is_taken = false;
            system_layer__reduce(&memory->switches[s].parities, &rests[r].left, &rests[r].is_odd);
        }
        for (size_t r = 0; r < left; r++) {
            if (system_layer__is_empty(&rests[r].left) && !rests[r].is_odd)
                continue;
            /* It is a pivot: no later one has its first member, or its oddness. */
            uint32_t pivot = COR_NONE;
            for (uint32_t m = 0; pivot == COR_NONE && m < count; m++)
                pivot = system_layer__has(&rests[r].left, m) ? m : COR_NONE;
            rests[r].is_taken = true;
            for (size_t other = r + 1; other < left; other++)
                if (pivot == COR_NONE ? rests[other].is_odd : system_layer__has(&rests[other].left, pivot)) {
                    system_layer__flip_all(&rests[other].whole, &rests[r].whole);
                    system_layer__flip_all(&rests[other].left, &rests[r].left);
                    rests[other].is_odd ^= rests[r].is_odd;
                }
        }
        for (size_t r = 0; r < left; r++)
            if (!rests[r].is_taken)
                rests[kept++] = rests[r];
        left = kept;
    }
    for (size_t r = 0; r < left; r++) {
        bool is_new;
        COR_TRY_OUT(system_layer__add_parity(&search->idle, rests[r].whole, false, &is_new, error));
    }
out:
    free(rests);
    return status;
}

/* Asks the condition of the world as it would be, but for one switch (COR_NONE: all). */
static bool is_wanted(const struct search *search, const struct system_layer__set *set, uint32_t but) {
    const struct system_layer__memory *memory = search->memory;
    struct cor_hypothesis *hypothesis = search->it->hypothesis;
    const struct cor_beliefs *beliefs = search->travel->beliefs;
    for (uint32_t s = 0; s < memory->switch_count; s++) {
        const struct system_layer__switch *it = &memory->switches[s];
        bool value;
        struct cor_value supposed = cor_null();
        if (s == but)
            supposed = cor_beliefs_value(beliefs, it->type, it->element, it->property);
        else if (system_layer__foretell(it, set, &value))
            supposed = cor_integer(value);
        cor_hypothesis_put(hypothesis, it->type, it->element, it->property, supposed);
    }
    return cor_expression_ask(search->it->asked.wanted, cor_beliefs_values(beliefs),
                              cor_hypothesis_world(hypothesis), NULL) == COR_TRUTH_TRUE;
}

/* What would be, once the set was acted on. */
static void foresee(struct search *search, uint32_t class) {
    const struct system_layer__memory *memory = search->memory;
    const struct cor_beliefs *beliefs = search->travel->beliefs;
    const struct system_layer__set *set = &search->classes[class].set;
    uint8_t *open = search->open + class * search->place_count;
    uint8_t *looks = search->looks + class * memory->switch_count;
    bool is_needed = false;
    memset(open, 1, search->place_count);
    search->classes[class].is_wanted = search->it->asked.wanted && is_wanted(search, set, COR_NONE);
    for (uint32_t s = 0; s < memory->switch_count; s++) {
        const struct system_layer__switch *it = &memory->switches[s];
        bool value = false;
        const bool is_known = system_layer__foretell(it, set, &value);
        if (search->gates[s] > 0 && system_layer__is_unruly(it))
            value = !search->travel->obstacles[it->type].items[it->element].is_shut;
        if (search->gates[s] > 0)
            open[search->gates[s] - 1] &= is_known && value;
        looks[s] = !is_known && cor_beliefs_is_there(beliefs, it->type, it->element);
        if (!search->classes[class].is_wanted || !is_known)
            continue;
        const struct cor_value believed = cor_beliefs_value(beliefs, it->type, it->element, it->property);
        if (believed.kind == COR_VALUE_NULL || (believed.as.integer != 0) == value)
            continue;
        looks[s] = 4;
        if (!is_wanted(search, set, s)) {
            looks[s] = 2;
            is_needed = true;
        }
    }
    /* Where any of several would do, none is needed alone. */
    for (uint32_t s = 0; s < memory->switch_count; s++)
        if (looks[s] == 4)
            looks[s] = is_needed ? 0 : 2;
}

static enum cor_status rehash(struct search *search, struct cor_error *error) {
    const size_t count = search->slot_count > 0 ? 2 * search->slot_count : 64;
    uint32_t *slots = cor_calloc(count, sizeof *slots);
    COR_TRY(cor_made(slots, error));
    for (uint32_t c = 0; c < search->class_count; c++) {
        size_t at = 0;
        for (size_t w = 0; w < COR_ACHIEVEMENT_MOST / 64; w++)
            at = (at ^ search->classes[c].set.bits[w]) * UINT64_C(0x9E3779B97F4A7C15);
        at ^= at >> 32;
        while (slots[at & (count - 1)] > 0)
            at++;
        slots[at & (count - 1)] = c + 1;
    }
    free(search->slots);
    search->slots = slots;
    search->slot_count = count;
    return COR_OK;
}

/* The class of a set, made if there is none; COR_NONE: there are too many. */
static enum cor_status find_class(struct search *search, struct system_layer__set set, uint32_t *class,
                                  struct cor_error *error) {
    bool ignored = false;
    const size_t switch_count = search->memory->switch_count, place_count = search->place_count;
    system_layer__reduce(&search->idle, &set, &ignored);
    if (2 * (search->class_count + 1) > search->slot_count)
        COR_TRY(rehash(search, error));
    size_t at = 0;
    for (size_t w = 0; w < COR_ACHIEVEMENT_MOST / 64; w++)
        at = (at ^ set.bits[w]) * UINT64_C(0x9E3779B97F4A7C15);
    at ^= at >> 32;
    for (; search->slots[at & (search->slot_count - 1)] > 0; at++) {
        *class = search->slots[at & (search->slot_count - 1)] - 1;
        if (memcmp(&search->classes[*class].set, &set, sizeof set) == 0)
            return COR_OK;
    }
    *class = COR_NONE;
    const size_t count = search->class_count + 1;
    if (count * place_count > COR_ACHIEVEMENT_STATES) {
        search->is_cut = true;
        return COR_OK;
    }
    COR_TRY(COR_RESERVE(&search->classes, &search->class_capacity, count, error));
    COR_TRY(COR_RESERVE(&search->open, &search->open_capacity, count * place_count, error));
    COR_TRY(COR_RESERVE(&search->looks, &search->look_capacity, count * switch_count, error));
    COR_TRY(COR_RESERVE(&search->nodes, &search->node_capacity, count * place_count, error));
    *class = (uint32_t)search->class_count++;
    search->slots[at & (search->slot_count - 1)] = *class + 1;
    search->classes[*class] = (struct class){.set = set};
    for (size_t p = 0; p < place_count; p++)
        search->nodes[*class * place_count + p] = (struct node){FAR, COR_NONE, COR_NONE, false};
    foresee(search, *class);
    return COR_OK;
}

/* ---- the search */

static bool is_before(struct entry a, struct entry b) {
    return a.cost != b.cost ? a.cost < b.cost : a.node < b.node;
}

static enum cor_status push(struct search *search, struct entry entry, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&search->heap, &search->heap_capacity, search->heap_count + 1, error));
    size_t at = search->heap_count++;
    for (; at > 0 && is_before(entry, search->heap[(at - 1) / 2]); at = (at - 1) / 2)
        search->heap[at] = search->heap[(at - 1) / 2];
    search->heap[at] = entry;
    return COR_OK;
}

static struct entry pop(struct search *search) {
    const struct entry first = search->heap[0], last = search->heap[--search->heap_count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < search->heap_count && is_before(search->heap[child + 1], search->heap[child]))
            child++;
        if (child >= search->heap_count || !is_before(search->heap[child], last))
            break;
        search->heap[at] = search->heap[child];
        at = child;
    }
    if (search->heap_count > 0)
        search->heap[at] = last;
    return first;
}

static enum cor_status relax(struct search *search, uint32_t node, uint64_t cost, uint32_t parent,
                             uint32_t act, struct cor_error *error) {
    if (cost >= search->nodes[node].cost)
        return COR_OK;
    search->nodes[node] = (struct node){(uint32_t)cost, parent, act, false};
    return push(search, (struct entry){(uint32_t)cost, node}, error);
}

static enum cor_status expand(struct search *search, uint32_t node, struct cor_error *error) {
    const uint32_t place_count = (uint32_t)search->place_count;
    const uint32_t class = node / place_count, p = node % place_count;
    const struct system_layer__memory *memory = search->memory;
    const uint64_t cost = search->nodes[node].cost;
    for (uint32_t to = 0; to < place_count; to++) {
        const uint32_t steps = search->distances[p * place_count + to];
        if (to != p && steps != FAR && search->open[class * place_count + to])
            COR_TRY(relax(search, class * place_count + to, cost + steps, node, COR_NONE, error));
    }
    for (uint32_t t = 0; t < memory->tried_count; t++) {
        uint32_t next;
        if (search->act_numbers[t] != search->places[p].number)
            continue;
        struct system_layer__set set = search->classes[class].set;
        system_layer__flip(&set, t);
        COR_TRY(find_class(search, set, &next, error));
        if (next != COR_NONE)
            COR_TRY(relax(search, next * place_count + p, cost + 1, node, t, error));
    }
    return COR_OK;
}

static void offer(struct candidate *best, enum aim aim, uint64_t cost, uint32_t node, uint32_t number,
                  struct cor_believed entity) {
    if (best->aim == AIM_NONE || cost < best->cost)
        *best = (struct candidate){aim, (uint32_t)cost, node, number, entity};
}

static uint64_t known_of(const struct cor_achievement *it) {
    return 1 + it->memory->knowledge + it->asked.travel->discoveries;
}

/* What can be done at a node. */
static void look_around(struct search *search, uint32_t node, struct candidate *plan,
                        struct candidate *open) {
    const struct system_layer__memory *memory = search->memory;
    const uint32_t class = node / (uint32_t)search->place_count, p = node % (uint32_t)search->place_count;
    const struct place *place = &search->places[p];
    const uint64_t cost = search->nodes[node].cost;
    const struct cor_believed none = {COR_NONE, COR_NONE};
    if (place->is_target)
        offer(plan, AIM_REACH, cost, node, COR_NONE, none);
    for (uint32_t s = 0; s < memory->switch_count; s++) {
        const size_t at = p * memory->switch_count + s;
        const uint8_t look = search->looks[class * memory->switch_count + s];
        if (look > 0 && search->sights[at] != FAR)
            offer(look == 2 ? plan : open, AIM_LOOK, cost + search->sights[at], node, search->from[at],
                  (struct cor_believed){COR_NONE, s});
    }
    if (place->untried != COR_NONE && !memory->is_full)
        offer(open, AIM_ACT, cost, node, COR_NONE,
              (struct cor_believed){place->untried_type, place->untried});
    if (place->frontier != FAR)
        offer(open, AIM_EXPLORE, cost + place->frontier, node, place->frontier_number, none);
}

/* Takes the way to the candidate, up to the first act on it, as the aim. */
static enum cor_status take_aim(struct search *search, const struct candidate *best,
                                struct cor_error *error) {
    struct cor_achievement *it = search->it;
    uint32_t end = best->node, count = 0;
    bool is_whole = true;
    for (uint32_t node = best->node; search->nodes[node].parent != COR_NONE;
         node = search->nodes[node].parent)
        if (search->nodes[node].act != COR_NONE) {
            end = search->nodes[node].parent;
            it->entity = search->memory->tried[search->nodes[node].act];
            is_whole = false;
        }
    for (uint32_t node = end; search->nodes[node].parent != COR_NONE; node = search->nodes[node].parent)
        count++;
    COR_TRY(COR_RESERVE(&it->legs, &it->leg_capacity, count + (size_t)1, error));
    it->leg_count = count;
    it->leg_next = 0;
    for (uint32_t node = end; count > 0; node = search->nodes[node].parent)
        it->legs[--count] = search->places[node % search->place_count].number;
    it->aim = is_whole ? best->aim : AIM_ACT;
    if (is_whole)
        it->entity = best->entity;
    if (is_whole && best->number != COR_NONE)
        it->legs[it->leg_count++] = best->number;
    it->avoids = search->avoids;
    return COR_OK;
}

/* Finds an aim, AIM_NONE: none. */
static enum cor_status find_aim(struct cor_achievement *it, bool avoids, bool *is_cut,
                                struct cor_error *error) {
    struct search search = {.it = it,
                            .memory = it->memory,
                            .travel = it->asked.travel,
                            .avoids = avoids,
                            .here = system_layer__own_place(it->asked.travel)};
    enum cor_status status = COR_OK;
    it->aim = AIM_NONE;
    if (it->hypothesis)
        COR_TRY_OUT(cor_hypothesis_begin(it->hypothesis, error));
    COR_TRY_OUT(find_places(&search, error));
    COR_TRY_OUT(find_idle(&search, error));
    struct candidate plan = {.aim = AIM_NONE}, open = {.aim = AIM_NONE};
    uint32_t class;
    COR_TRY_OUT(find_class(&search, (struct system_layer__set){{0}}, &class, error));
    COR_ASSERT(class == 0);
    COR_TRY_OUT(relax(&search, 0, 0, COR_NONE, COR_NONE, error));
    while (search.heap_count > 0) {
        const struct entry entry = pop(&search);
        if (plan.aim != AIM_NONE && entry.cost >= plan.cost)
            break;
        if (search.nodes[entry.node].is_done)
            continue;
        search.nodes[entry.node].is_done = true;
        look_around(&search, entry.node, &plan, &open);
        COR_TRY_OUT(expand(&search, entry.node, error));
    }
    const struct candidate *best = plan.aim != AIM_NONE ? &plan : &open;
    if (best->aim != AIM_NONE)
        COR_TRY_OUT(take_aim(&search, best, error));
    *is_cut |= search.is_cut;
out:
    free(search.place_of);
    free(search.places);
    free(search.distances);
    free(search.sights);
    free(search.from);
    free(search.idle.items);
    free(search.classes);
    free(search.open);
    free(search.looks);
    free(search.gates);
    free(search.slots);
    free(search.nodes);
    free(search.heap);
    free(search.act_numbers);
    return status;
}

/* ---- an achievement */

enum cor_status cor_achievement_create(const struct cor_achievement_definition *definition,
                                       struct cor_achievement **created, struct cor_error *error) {
    struct cor_achievement *it = cor_calloc(1, sizeof *it);
    enum cor_status status = COR_OK;
    *created = NULL;
    COR_TRY(cor_made(it, error));
    it->asked = *definition;
    COR_TRY_OUT(system_layer__memory(definition->travel, definition->action, &it->memory, error));
    if (definition->wanted)
        COR_TRY_OUT(cor_hypothesis_create(definition->beliefs, &it->hypothesis, error));
    *created = it;
    it = NULL;
out:
    cor_achievement_destroy(it);
    return status;
}

void cor_achievement_destroy(struct cor_achievement *it) {
    if (!it)
        return;
    cor_hypothesis_destroy(it->hypothesis);
    free(it->legs);
    free(it->blind);
    free(it);
}

static bool is_achieved(const struct cor_achievement *it, uint32_t here) {
    const struct cor_beliefs *beliefs = it->asked.beliefs;
    if (!it->asked.wanted)
        return here != COR_NONE && here == system_layer__place_of(it->asked.travel, it->asked.target);
    return cor_expression_ask(it->asked.wanted, cor_beliefs_values(beliefs), cor_beliefs_world(beliefs),
                              NULL) == COR_TRUTH_TRUE;
}

/* Who is where the aim is has seen what is to be seen from there, or that it is not. */
static enum cor_status note_arrival(struct cor_achievement *it, uint32_t here, struct cor_error *error) {
    while (it->leg_next < it->leg_count && it->legs[it->leg_next] == here)
        it->leg_next++;
    if (it->leg_next < it->leg_count || (it->aim != AIM_LOOK && it->aim != AIM_EXPLORE))
        return COR_OK;
    const bool looks = it->aim == AIM_LOOK;
    it->aim = AIM_NONE;
    if (!looks)
        return COR_OK;
    COR_TRY(COR_RESERVE(&it->blind, &it->blind_capacity, it->blind_count + 1, error));
    it->blind[it->blind_count++] = (struct blind){it->entity.element, here};
    return COR_OK;
}

/* Finds an aim; AIM_NONE: none is left. Without hazards first, and with cells that led nowhere last. */
static enum cor_status find_any_aim(struct cor_achievement *it, uint32_t here, struct cor_error *error) {
    struct cor_travel *travel = it->asked.travel;
    bool is_cut = false;
    do
        for (int avoids = travel->cells ? 1 : 0; avoids >= 0;) {
            COR_TRY(find_aim(it, avoids, &is_cut, error));
            if (it->aim == AIM_NONE) {
                avoids--;
                continue;
            }
            COR_TRY(note_arrival(it, here, error));
            if (it->aim != AIM_NONE)
                return COR_OK;
        }
    while (system_layer__forget_bumps(travel));
    it->memory->is_cut = is_cut;
    return COR_OK;
}

/* The aim, found anew if something changed. */
static enum cor_status keep_aim(struct cor_achievement *it, uint32_t here, struct cor_error *error) {
    struct cor_travel *travel = it->asked.travel;
    if (it->blind_knowledge != known_of(it)) {
        it->blind_count = 0;
        it->blind_knowledge = known_of(it);
    }
    COR_TRY(note_arrival(it, here, error));
    if (travel->cells && cor_grid_touches_unknown(travel->grids[SYSTEM_LAYER__THROUGH][0], here))
        system_layer__close_around(travel, here);
    if (it->aim != AIM_NONE && it->map_revision == travel->revision &&
        it->memory_revision == it->memory->revision)
        return COR_OK;
    COR_TRY(find_any_aim(it, here, error));
    it->map_revision = travel->revision;
    it->memory_revision = it->memory->revision;
    return COR_OK;
}

/* The way to the next place of the aim: the travel's path. */
static enum cor_status find_leg(const struct cor_achievement *it, uint32_t here, struct cor_error *error) {
    struct cor_travel *travel = it->asked.travel;
    const uint32_t to = it->legs[it->leg_next];
    return travel->cells
               ? system_layer__way(travel, SYSTEM_LAYER__WALLED, it->avoids, to, true, &travel->path, error)
               : cor_graph_path(travel->navigator, travel->graph, here, to, &travel->path, error);
}

static struct cor_world_command act_on(const struct cor_achievement *it) {
    return (struct cor_world_command){.action = it->asked.action,
                                      .arguments = {cor_word(cor_beliefs_identity(
                                          it->asked.beliefs, it->entity.type, it->entity.element))}};
}

enum cor_status cor_achievement_insist(struct cor_achievement *it, bool *insists,
                                       struct cor_world_command *command, struct cor_error *error) {
    struct cor_travel *travel = it->asked.travel;
    const uint32_t here = system_layer__own_place(travel);
    *insists = false;
    if (it->aim != AIM_ACT || it->memory->surprises == 0 || it->memory->is_full || here == COR_NONE ||
        system_layer__tried_index(it->memory, it->entity) != COR_NONE)
        return COR_OK;
    const uint32_t place = system_layer__place_of(travel, it->entity);
    *insists = place == here;
    if (*insists)
        *command = act_on(it);
    if (*insists || place == COR_NONE || it->memory->surprises <= SYSTEM_LAYER__SURPRISES)
        return COR_OK;
    *insists = system_layer__waits(travel, command);
    if (*insists)
        return COR_OK;
    if (travel->cells)
        COR_TRY(system_layer__way(travel, SYSTEM_LAYER__AS_BELIEVED, it->avoids, place, false, &travel->path,
                                  error));
    else
        COR_TRY(cor_graph_path(travel->navigator, travel->graph, here, place, &travel->path, error));
    *insists = travel->path.found;
    if (*insists && travel->cells)
        system_layer__step(travel, &travel->path, command);
    else if (*insists)
        system_layer__take_road(travel, &travel->path, command);
    return COR_OK;
}

enum cor_status cor_achievement_next(struct cor_achievement *it, enum cor_travel_answer *answer,
                                     struct cor_world_command *command, struct cor_error *error) {
    struct cor_travel *travel = it->asked.travel;
    const uint32_t here = system_layer__own_place(travel);
    *command = (struct cor_world_command){.action = COR_ACTION_WAIT};
    *answer = is_achieved(it, here) ? COR_TRAVEL_THERE : COR_TRAVEL_STEP;
    if (*answer == COR_TRAVEL_THERE || it->memory->late_count > 0 || system_layer__waits(travel, command))
        return COR_OK;
    *answer = COR_TRAVEL_NO_WAY;
    if (here == COR_NONE)
        return COR_OK;
    COR_TRY(keep_aim(it, here, error));
    if (it->aim != AIM_NONE && it->leg_next < it->leg_count) {
        COR_TRY(find_leg(it, here, error));
        if (!travel->path.found) { /* it was moved elsewhere since the aim was found */
            COR_TRY(find_any_aim(it, here, error));
            if (it->aim != AIM_NONE && it->leg_next < it->leg_count)
                COR_TRY(find_leg(it, here, error));
        }
    }
    if (it->aim == AIM_NONE)
        return COR_OK;
    *answer = COR_TRAVEL_STEP;
    if (it->leg_next < it->leg_count) {
        COR_ASSERT(travel->path.found && travel->path.count > 1);
        if (travel->cells)
            system_layer__step(travel, &travel->path, command);
        else
            system_layer__take_road(travel, &travel->path, command);
        return COR_OK;
    }
    COR_ASSERT(it->aim == AIM_ACT);
    if (system_layer__try_step(travel, command))
        return COR_OK;
    *command = act_on(it);
    return COR_OK;
}
