/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which entity to act on next so that a condition may come to hold. A search by Dijkstra (1959): a state is a
 * place that matters - where one is, a gate, an entity to act on, the target - and the set of entities that
 * would have been acted on an odd number of times. One moves between places of which nothing that could be
 * shut lies between, enters a gate that is known to be open then, and acts. Sets that differ by what is known
 * to flip nothing are one. */
#include "goal_nodes.h"
#include "travel_map.h"

#include <corridor/array.h>
#include <corridor/beliefs.h>

#include <stdio.h>
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

/* Where one is, and where an entity is: a cell or a node, 0 where there are no places; COR_NONE: not known.
 */
static uint32_t system_layer__own_place(const struct cor_travel *travel) {
    return travel->cells ? system_layer__here(travel) : travel->graph ? system_layer__own_node(travel) : 0;
}

static uint32_t system_layer__place_of(const struct cor_travel *travel, struct cor_believed entity) {
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

/* The cells beside one on its floor: how many. */
static uint32_t cells_beside(const struct cor_grid *grid, uint32_t cell, uint32_t *beside) {
    const struct cor_grid_place at = cor_grid_place(grid, cell);
    uint32_t count = 0;
    if (at.row > 0)
        beside[count++] = cell - grid->columns;
    if (at.column > 0)
        beside[count++] = cell - 1;
    if (at.column + 1 < grid->columns)
        beside[count++] = cell + 1;
    if (at.row + 1 < grid->rows)
        beside[count++] = cell + grid->columns;
    return count;
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
    uint32_t neighbours[4];
    const uint32_t count = cells_beside(grid, number, neighbours);
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
        if (travel->cells)
            count += cells_beside(walls_of(search), own, numbers + count);
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

static size_t hash_set(const struct system_layer__set *set) {
    size_t hash = 0;
    for (size_t w = 0; w < COR_ACHIEVEMENT_MOST / 64; w++)
        hash = (hash ^ set->bits[w]) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

/* The class of a set, made if there is none; COR_NONE: there are too many. */
static enum cor_status find_class(struct search *search, struct system_layer__set set, uint32_t *class,
                                  struct cor_error *error) {
    bool ignored = false;
    const size_t switch_count = search->memory->switch_count, place_count = search->place_count;
    system_layer__reduce(&search->idle, &set, &ignored);
    if (2 * (search->class_count + 1) > search->slot_count) {
        const size_t count = search->slot_count > 0 ? 2 * search->slot_count : 64;
        uint32_t *slots = cor_calloc(count, sizeof *slots);
        COR_TRY(cor_made(slots, error));
        for (uint32_t c = 0; c < search->class_count; c++) {
            size_t at = hash_set(&search->classes[c].set);
            while (slots[at & (count - 1)] > 0)
                at++;
            slots[at & (count - 1)] = c + 1;
        }
        free(search->slots);
        search->slots = slots;
        search->slot_count = count;
    }
    size_t at = hash_set(&set);
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
    COR_FREE(search.place_of, search.places, search.distances, search.sights, search.from, search.idle.items,
             search.classes, search.open, search.looks, search.gates, search.slots, search.nodes, search.heap,
             search.act_numbers);
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
    COR_FREE(it->legs, it->blind, it);
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
    /* The aim, found anew if something changed. */
    if (it->blind_knowledge != known_of(it)) {
        it->blind_count = 0;
        it->blind_knowledge = known_of(it);
    }
    COR_TRY(note_arrival(it, here, error));
    if (travel->cells && cor_grid_touches_unknown(travel->grids[SYSTEM_LAYER__THROUGH][0], here))
        system_layer__close_around(travel, here);
    if (it->aim == AIM_NONE || it->map_revision != travel->revision ||
        it->memory_revision != it->memory->revision) {
        COR_TRY(find_any_aim(it, here, error));
        it->map_revision = travel->revision;
        it->memory_revision = it->memory->revision;
    }
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

/* ---- last tries before a goal is given up */

#define SHOWN 6 /* names in a sentence */
#define MOST SYSTEM_LAYER__COMBINED
#define WALK (MOST * (MOST - 1) * (MOST - 2) + 2 * MOST)

enum stage { FIRST, AGAIN, PAIRS, TRIPLES, ROUNDS, COMBINATIONS, LAST };

struct system_layer__persistence {
    struct system_layer__persistence_definition asked;
    struct system_layer__memory *memory; /* borrowed from the travel; NULL: nothing is acted on */
    struct cor_believed
        *things; /* owned; to act on: what was seen to do something, the rest, and what is only stood on */
    size_t thing_capacity;
    uint32_t moving, acted_on, thing_count;
    struct cor_believed *looks; /* owned; what is to be seen behind the acts of this try */
    size_t look_capacity;
    uint32_t look_count, look_next;
    struct cor_achievement *way; /* owned; to a thing behind what is shut; NULL: the way is free */
    uint32_t *stood;             /* owned; [place] the latest round in which one stood there */
    uint32_t place_count, round;
    enum stage stage;
    bool is_whole;      /* the second pass: of all things */
    uint32_t at, again; /* in the stage */
    bool is_trying, looks_at, goes_round;
    uint32_t thing, wait, rotation; /* `thing`: to act on; COR_NONE: none, or it is done */
    uint8_t walk[WALK];
    uint32_t walk_count;
    uint32_t pairs, rounds;
    uint64_t begun; /* the stamp when tries began, or began anew */
    uint64_t spent, cycle,
        news; /* cycles; the last one, and what was known in it of the map and to be acted on */
};

enum cor_status
system_layer__persistence_create(const struct system_layer__persistence_definition *definition,
                                 struct system_layer__persistence **created, struct cor_error *error) {
    struct system_layer__persistence *it = cor_calloc(1, sizeof *it);
    enum cor_status status = COR_OK;
    const struct cor_travel *travel = definition->travel;
    *created = NULL;
    COR_TRY(cor_made(it, error));
    it->asked = *definition;
    if (definition->action != COR_NONE)
        COR_TRY_OUT(system_layer__memory(definition->travel, definition->action, &it->memory, error));
    it->cycle = cor_beliefs_cycle(definition->beliefs);
    it->place_count = travel->cells ? travel->grids[0][0]->cell_count : 0;
    COR_TRY_OUT(cor_made(it->stood = cor_calloc(it->place_count, sizeof *it->stood), error));
    *created = it;
    it = NULL;
out:
    system_layer__persistence_destroy(it);
    return status;
}

void system_layer__persistence_destroy(struct system_layer__persistence *it) {
    if (!it)
        return;
    cor_achievement_destroy(it->way);
    COR_FREE(it->things, it->looks, it->stood, it);
}

uint64_t system_layer__persistence_stamp(const struct system_layer__persistence *it) {
    const struct system_layer__memory *memory = it->memory;
    /* What has too many combinations is not gone through again for each surprise. */
    return it->asked.travel->discoveries +
           (memory && !memory->is_cut ? memory->knowledge + memory->surprises : 0);
}

/* Were all tries made for another goal, and was nothing learnt since they began? */
static bool was_given_up(const struct system_layer__persistence *it) {
    const struct system_layer__given_up *before = &it->asked.travel->given_up;
    return before->is_there && !it->asked.is_wanted && before->action == it->asked.action &&
           before->among == it->asked.among && before->stamp == system_layer__persistence_stamp(it);
}

/* ---- what there is */

static enum cor_status add_thing(struct system_layer__persistence *it, struct cor_believed entity,
                                 struct cor_error *error) {
    COR_TRY(COR_RESERVE(&it->things, &it->thing_capacity, it->thing_count + (size_t)1, error));
    it->things[it->thing_count++] = entity;
    return COR_OK;
}

static bool is_tried(const struct system_layer__persistence *it, struct cor_believed entity) {
    return it->memory && system_layer__tried_index(it->memory, entity) != COR_NONE &&
           (it->asked.among == COR_NONE || it->asked.among == entity.type);
}

static bool is_gate(const struct cor_travel *travel, struct cor_believed entity) {
    return travel->cells && travel->obstacles[entity.type].open != COR_NONE &&
           entity.element < travel->obstacles[entity.type].count;
}

static bool is_same(struct cor_believed a, struct cor_believed b) {
    return a.type == b.type && a.element == b.element;
}

/* A property of truth of the entity, as the memory has it; NULL: it has none. */
static const struct system_layer__switch *switch_of(const struct system_layer__persistence *it,
                                                    struct cor_believed entity) {
    for (size_t s = 0; it->memory && s < it->memory->switch_count; s++)
        if (is_same((struct cor_believed){it->memory->switches[s].type, it->memory->switches[s].element},
                    entity))
            return &it->memory->switches[s];
    return NULL;
}

/* ---- tries */

/* The k-th act of a walk over `count` things in which each comes behind each other once: count (count - 1) +
 * 1 acts. */
static uint32_t behind_each_other(uint32_t count, uint32_t k) {
    for (uint32_t i = 0; i + 1 < count; k -= 2 * (count - 1 - i), i++)
        if (k < 2 * (count - 1 - i))
            return k % 2 == 0 ? i : i + 1 + k / 2;
    return 0;
}

static void try_one(struct system_layer__persistence *it, uint32_t thing, uint32_t wait) {
    it->thing = thing;
    it->wait = wait;
    it->looks_at = true;
}

/* A walk in which each three different of `count` things come behind each other once: Eulerian circuits
 * (Hierholzer 1873) over pairs, from each to those that begin as it ends. */
static void plan_walk(struct system_layer__persistence *it, uint32_t count) {
    uint8_t next[MOST][MOST] = {{0}}, path[WALK][2], circuit[WALK][2];
    it->walk_count = 0;
    for (uint8_t first = 0; first < count; first++)
        for (uint8_t second = 0; second < count; second++) {
            uint32_t depth = 0, length = 0;
            if (first == second || next[first][second] > 0)
                continue;
            path[depth][0] = first;
            path[depth++][1] = second;
            while (depth > 0) {
                const uint8_t a = path[depth - 1][0], b = path[depth - 1][1];
                uint8_t *third = &next[a][b];
                while (*third == a || *third == b)
                    ++*third;
                if (*third < count) {
                    path[depth][0] = b;
                    path[depth++][1] = (*third)++;
                } else {
                    memcpy(circuit[length++], path[--depth], 2);
                }
            }
            it->walk[it->walk_count++] = first;
            while (length > 0)
                it->walk[it->walk_count++] = circuit[--length][1];
        }
}

/* Plans the next try of the stage; false: the stage is over. */
static bool plan_try(struct system_layer__persistence *it) {
    const uint32_t acted_on = it->is_whole ? it->acted_on : it->moving;
    const uint32_t k = it->at;
    switch (it->stage) {
    case FIRST:
        it->wait = SYSTEM_LAYER__WAIT;
        it->looks_at = true;
        it->goes_round = !was_given_up(it);
        it->round++;
        return it->at++ == 0;
    case AGAIN:
        if (k >= (it->is_whole ? it->thing_count : acted_on))
            return false;
        try_one(it, k, it->again == 0 ? SYSTEM_LAYER__WAIT : 1);
        it->rotation = it->again;
        it->again = (it->again + 1) % SYSTEM_LAYER__AGAIN;
        it->at += it->again == 0;
        return true;
    case PAIRS:
        if (acted_on < 2 || k > acted_on * (acted_on - 1))
            return false;
        try_one(it, behind_each_other(acted_on, k), 3);
        it->pairs = k;
        break;
    case COMBINATIONS: /* a Gray code */
        if (acted_on < 2 || acted_on > MOST || k + 1 >= 1u << acted_on)
            return false;
        try_one(it, (uint32_t)__builtin_ctz(k + 1), 1);
        break;
    case ROUNDS:
        if (k >= acted_on)
            return false;
        try_one(it, k, 0);
        it->goes_round = true;
        it->round++;
        break;
    case TRIPLES:
        if (acted_on < 3 || acted_on > MOST)
            return false;
        if (k == 0)
            plan_walk(it, acted_on);
        if (k == it->walk_count)
            return false;
        try_one(it, it->walk[k], 1);
        break;
    default:
        return false;
    }
    it->at++;
    it->rotation = k;
    return true;
}

/* False: nothing is left to try. */
static enum cor_status begin_try(struct system_layer__persistence *it, bool *begun, struct cor_error *error) {
    /* What was acted on may be more than when they were looked for last. */
    const struct cor_travel *travel = it->asked.travel;
    it->thing_count = 0;
    for (int is_still = 0; is_still < 2; is_still++) {
        for (uint32_t t = 0; it->memory && t < it->memory->tried_count; t++)
            if (system_layer__has(&it->memory->moving, t) == !is_still &&
                is_tried(it, it->memory->tried[t]) &&
                system_layer__place_of(travel, it->memory->tried[t]) != COR_NONE)
                COR_TRY(add_thing(it, it->memory->tried[t], error));
        if (!is_still)
            it->moving = it->thing_count;
    }
    it->acted_on = it->thing_count;
    for (uint32_t t = 0; travel->cells && t < travel->declaration->type_count; t++)
        for (uint32_t e = 0; t != it->asked.own_type && e < cor_beliefs_count(it->asked.beliefs, t); e++) {
            const struct cor_believed entity = {t, e};
            if (!is_tried(it, entity) && !is_gate(travel, entity) && !travel->obstacles[t].is_hazard &&
                !is_same(entity, it->asked.target) && system_layer__place_of(travel, entity) != COR_NONE)
                COR_TRY(add_thing(it, entity, error));
        }
    it->rotation = it->look_count = it->look_next = 0;
    it->thing = COR_NONE;
    it->looks_at = it->goes_round = false;
    while (it->stage != LAST && !plan_try(it)) {
        if (was_given_up(it)) {
            it->stage = LAST;
            break;
        }
        it->stage++;
        if (it->stage == LAST && !it->is_whole && it->moving < it->thing_count) {
            it->is_whole = true;
            it->stage = AGAIN;
        }
        /* What was done of the things that do something is not done again, but for pairs. */
        it->at = it->is_whole && (it->stage == AGAIN || it->stage == ROUNDS) ? it->moving : 0;
        it->again = 0;
    }
    *begun = it->is_trying = it->stage != LAST;
    return COR_OK;
}

/* ---- steps */

/* A step on the way to a place by what is believed, hazards left aside; `enters`: up to what is shut there.
 * *moves false: one is there, or there is no way, and *found says which. */
static enum cor_status step_to(const struct system_layer__persistence *it, uint32_t place, bool enters,
                               bool *found, bool *moves, struct cor_world_command *command,
                               struct cor_error *error) {
    struct cor_travel *travel = it->asked.travel;
    const uint32_t here = system_layer__own_place(travel);
    *found = here == place;
    *moves = false;
    if (*found || here == COR_NONE)
        return COR_OK;
    if (travel->cells)
        COR_TRY(
            system_layer__way(travel, SYSTEM_LAYER__AS_BELIEVED, true, place, enters, &travel->path, error));
    else
        COR_TRY(cor_graph_path(travel->navigator, travel->graph, here, place, &travel->path, error));
    *found = travel->path.found;
    *moves = *found && !(travel->cells && travel->path.count == 2 &&
                         cor_grid_known(travel->grids[SYSTEM_LAYER__AS_BELIEVED][1], place) != COR_GRID_FREE);
    if (*moves && travel->cells)
        system_layer__step(travel, &travel->path, command);
    else if (*moves)
        system_layer__take_road(travel, &travel->path, command);
    return COR_OK;
}

/* To act on the thing of the try. *has false: that is done, or cannot be, and then the try is over. */
static enum cor_status act(struct system_layer__persistence *it, bool *has, struct cor_world_command *command,
                           struct cor_error *error) {
    bool found;
    *has = false;
    if (it->thing == COR_NONE)
        return COR_OK;
    const struct cor_believed thing = it->things[it->thing];
    const uint32_t place = system_layer__place_of(it->asked.travel, thing);
    it->is_trying = place != COR_NONE;
    if (place == COR_NONE)
        return COR_OK;
    COR_TRY(step_to(it, place, false, &found, has, command, error));
    if (!found) {
        /* To a thing that is shut in: by what opens the way to it, as far as that is known. */
        struct cor_travel *travel = it->asked.travel;
        const struct cor_achievement_definition definition = {.travel = travel,
                                                              .beliefs = it->asked.beliefs,
                                                              .target = thing,
                                                              .action = it->asked.action,
                                                              .among = it->asked.among};
        enum cor_travel_answer answer = COR_TRAVEL_NO_WAY;
        if (!it->way && it->asked.action != COR_NONE)
            COR_TRY(cor_achievement_create(&definition, &it->way, error));
        if (it->way)
            COR_TRY(cor_achievement_next(it->way, &answer, command, error));
        *has = answer == COR_TRAVEL_STEP &&
               !(travel->cells && command->action == travel->declaration->step && travel->path.count > 1 &&
                 travel->cells[travel->path.numbers[1]].hazards > 0);
        it->is_trying = *has;
        return COR_OK;
    }
    const bool is_pressed = is_tried(it, thing);
    /* What is stood on may show a way, which is then gone. */
    if (!*has || (!is_pressed && it->asked.travel->path.count == 2))
        it->thing = COR_NONE;
    if (*has || !is_pressed)
        return COR_OK;
    *has = true;
    *command = (struct cor_world_command){
        .action = it->asked.action,
        .arguments = {cor_word(cor_beliefs_identity(it->asked.beliefs, thing.type, thing.element))}};
    return COR_OK;
}

/* Could there be a way that was none before? In the first round all cells are stood on. */
static bool may_open(const struct system_layer__persistence *it, uint32_t cell) {
    const struct cor_travel *travel = it->asked.travel;
    const struct cor_grid_place at = cor_grid_place(travel->grids[0][0], cell);
    const uint32_t columns = travel->grids[0][0]->columns;
    return it->round == 1 || (at.row > 0 && travel->cells[cell - columns].ground != COR_GRID_FREE) ||
           (at.column > 0 && travel->cells[cell - 1].ground != COR_GRID_FREE) ||
           (at.column + 1 < columns && travel->cells[cell + 1].ground != COR_GRID_FREE) ||
           (at.row + 1 < travel->grids[0][0]->rows && travel->cells[cell + columns].ground != COR_GRID_FREE);
}

/* To the nearest cell in which one did not stand in this round; nodes of a graph are all gone to in the same
 * way. */
static enum cor_status go_round(struct system_layer__persistence *it, bool *has,
                                struct cor_world_command *command, struct cor_error *error) {
    struct cor_travel *travel = it->asked.travel;
    const uint32_t here = system_layer__own_place(travel);
    const uint32_t count = travel->cells ? it->place_count : travel->graph ? travel->graph->node_count : 0;
    uint64_t best = UINT64_MAX;
    uint32_t to = COR_NONE;
    bool found;
    *has = false;
    if (here == COR_NONE || count == 0 || (it->stage == FIRST && it->spent > it->asked.patience / 3))
        return COR_OK;
    if (count > it->place_count) { /* a graph grows */
        uint32_t *stood = realloc(it->stood, count * sizeof *stood);
        COR_TRY(cor_made(stood, error));
        memset(stood + it->place_count, 0, (count - it->place_count) * sizeof *stood);
        it->stood = stood;
        it->place_count = count;
    }
    it->stood[here] = it->round;
    if (travel->cells)
        COR_TRY(cor_grid_flood(travel->navigator, travel->grids[SYSTEM_LAYER__AS_BELIEVED][1], here, error));
    else
        COR_TRY(cor_graph_flood(travel->navigator, travel->graph, here, error));
    for (uint32_t p = 0; p < count; p++) {
        const uint64_t steps = travel->cells ? cor_grid_distance(travel->navigator, p)
                                             : cor_graph_distance(travel->navigator, p);
        if (steps < best && it->stood[p] != it->round &&
            (!travel->cells || (steps != COR_GRID_UNREACHED && may_open(it, p)))) {
            best = steps;
            to = p;
        }
    }
    if (to == COR_NONE)
        return COR_OK;
    if (best == 1) /* also if one is led elsewhere from there */
        it->stood[to] = it->round;
    return step_to(it, to, false, &found, has, command, error);
}

/* What is next of the try; *has false: it is over. */
static enum cor_status go_on(struct system_layer__persistence *it, bool *has,
                             struct cor_world_command *command, struct cor_error *error) {
    COR_TRY(act(it, has, command, error));
    if (*has || !it->is_trying)
        return COR_OK;
    if (it->looks_at) {
        /* What is out of sight, and would tell. */
        const struct cor_travel *travel = it->asked.travel;
        it->look_count = it->look_next = 0;
        for (uint32_t t = 0; t < travel->declaration->type_count; t++)
            for (uint32_t e = 0; t != it->asked.own_type && e < cor_beliefs_count(it->asked.beliefs, t);
                 e++) {
                const struct cor_believed entity = {t, e};
                /* What stands in the way is known of cells alone. */
                const bool may_tell = it->asked.is_wanted || (!travel->cells && switch_of(it, entity));
                const bool tells = is_gate(travel, entity)
                                       ? travel->obstacles[t].items[e].is_shut || it->asked.is_wanted
                                       : may_tell && !is_tried(it, entity);
                if (!tells || cor_beliefs_sees(it->asked.beliefs, t, e) ||
                    system_layer__place_of(travel, entity) == COR_NONE)
                    continue;
                COR_TRY(COR_RESERVE(&it->looks, &it->look_capacity, it->look_count + (size_t)1, error));
                it->looks[it->look_count++] = entity;
            }
        COR_TRY(system_layer__forgive_bumps(it->asked.travel, error));
        it->looks_at = false;
    }
    /* To see what is out of sight. What cannot be gone to is looked at from where it was seen last. */
    *has = false;
    for (; it->look_next < it->look_count && !*has; it->look_next += !*has) {
        const struct cor_believed entity = it->looks[(it->look_next + it->rotation) % it->look_count];
        const uint32_t place = system_layer__place_of(it->asked.travel, entity);
        bool found;
        if (place != COR_NONE && !cor_beliefs_sees(it->asked.beliefs, entity.type, entity.element))
            COR_TRY(step_to(it, place, true, &found, has, command, error));
        else
            continue;
        const struct system_layer__switch *seen = found ? NULL : switch_of(it, entity);
        if (seen && seen->spot_count > 0)
            COR_TRY(step_to(it, seen->spots[0], false, &found, has, command, error));
    }
    if (!*has && it->goes_round) {
        COR_TRY(go_round(it, has, command, error));
        it->goes_round = *has;
        it->rounds += !*has;
    }
    if (*has)
        return COR_OK;
    *has = it->wait > 0;
    it->wait -= *has;
    *command = (struct cor_world_command){.action = COR_ACTION_WAIT};
    return COR_OK;
}

enum cor_status system_layer__persistence_next(struct system_layer__persistence *it,
                                               enum cor_travel_answer *answer,
                                               struct cor_world_command *command, struct cor_error *error) {
    const uint64_t cycle = cor_beliefs_cycle(it->asked.beliefs);
    const uint64_t news = it->asked.travel->discoveries + (it->memory ? it->memory->tried_count : 0);
    bool has = system_layer__waits(it->asked.travel, command) || (it->memory && it->memory->late_count > 0);
    *answer = COR_TRAVEL_NO_WAY;
    if (news != it->news) { /* tries begin anew with what is new */
        it->spent = it->at = it->again = it->pairs = 0;
        it->is_trying = it->is_whole = false;
        it->stage = it->stage == FIRST ? FIRST : AGAIN;
        it->begun = system_layer__persistence_stamp(it);
    } else /* also ways that seemed open, and were not */
        it->spent += cycle - it->cycle;
    it->news = news;
    it->cycle = cycle;
    while (!has && it->spent < it->asked.patience) {
        bool begun = true;
        if (!it->is_trying) {
            cor_achievement_destroy(it->way);
            it->way = NULL;
            COR_TRY(begin_try(it, &begun, error));
        }
        if (!begun)
            break;
        COR_TRY(go_on(it, &has, command, error));
        it->is_trying = has;
    }
    if (!has || it->spent >= it->asked.patience) {
        const uint64_t stamp = system_layer__persistence_stamp(it);
        if (!it->asked.is_wanted && stamp == it->begun)
            it->asked.travel->given_up =
                (struct system_layer__given_up){true, it->asked.action, it->asked.among, stamp};
        return COR_OK;
    }
    *answer = COR_TRAVEL_STEP;
    return COR_OK;
}

/* ---- words */

struct sentence {
    char *text;
    size_t size, length;
    uint32_t names;
};

static void say(struct sentence *to, const char *text) {
    const int written = snprintf(to->text + to->length, to->size - to->length, "%s", text);
    to->length = to->length + (size_t)written < to->size ? to->length + (size_t)written : to->size - 1;
}

/* The lead before the first name, commas before the others; those beyond SHOWN are counted. */
static void say_name(struct sentence *to, const char *lead, const char *name) {
    char item[240];
    snprintf(item, sizeof item, "%.120s%.100s", to->names == 0 ? lead : ", ", name);
    if (to->names++ < SHOWN)
        say(to, item);
}

static void end_names(struct sentence *to) {
    char more[40];
    snprintf(more, sizeof more, " and %u more", to->names - SHOWN);
    if (to->names > SHOWN)
        say(to, more);
    to->names = 0;
}

static const char *name_of(const struct system_layer__persistence *it, struct cor_believed entity) {
    return cor_words_text(it->asked.travel->declaration->words,
                          cor_beliefs_identity(it->asked.beliefs, entity.type, entity.element));
}

/* What of these entities; `kind`: 0 a gate that is shut, 1 what could be acted on and was not, 2 what was
 * never seen. */
static void say_entities(const struct system_layer__persistence *it, struct sentence *to, const char *lead,
                         int kind) {
    const struct cor_travel *travel = it->asked.travel;
    for (uint32_t t = 0; t < travel->declaration->type_count; t++)
        for (uint32_t e = 0; t != it->asked.own_type && e < cor_beliefs_count(it->asked.beliefs, t); e++) {
            const struct cor_believed entity = {t, e};
            const bool was_seen = cor_beliefs_seen_at(it->asked.beliefs, t, e) > 0;
            const bool is_meant = kind == 0
                                      ? is_gate(travel, entity) && travel->obstacles[t].items[e].was_shut
                                  : kind == 1 ? was_seen && t == it->asked.among && !is_tried(it, entity)
                                              : !was_seen;
            if (is_meant)
                say_name(to, lead, name_of(it, entity));
        }
    end_names(to);
}

void system_layer__persistence_say(const struct system_layer__persistence *it, char *text, size_t size) {
    const struct cor_travel *travel = it->asked.travel;
    struct sentence to = {.text = text, .size = size};
    char item[100];
    uint32_t unseen = 0;
    text[0] = '\0';
    char done[200], lead[200];
    snprintf(lead, sizeof lead, SYSTEM_LAYER__TRIED "%.80s of ",
             it->memory ? travel->declaration->actions[it->asked.action].name : "");
    for (uint32_t t = 0; it->memory && t < it->memory->tried_count; t++) {
        const struct cor_believed thing = it->memory->tried[t];
        const uint32_t identity = cor_beliefs_identity(it->asked.beliefs, thing.type, thing.element);
        uint32_t times = 0;
        for (size_t a = 0; a < travel->act_count; a++)
            times += travel->acts[a].action == it->asked.action && travel->acts[a].identity == identity;
        snprintf(done, sizeof done, "%.80s (%u)", name_of(it, thing), times);
        if (is_tried(it, thing))
            say_name(&to, lead, done);
    }
    if (to.names == 0)
        say(&to, SYSTEM_LAYER__TRIED "nothing, as there was nothing to act on");
    end_names(&to);
    snprintf(done, sizeof done, ", %u pairs in order", it->pairs);
    if (it->pairs > 0)
        say(&to, done);
    snprintf(done, sizeof done, ", %u rounds, waits of up to %d cycles (%llu cycles%s)", it->rounds,
             SYSTEM_LAYER__WAIT, (unsigned long long)it->spent,
             it->spent >= it->asked.patience ? ": its patience" : "");
    say(&to, done);
    if (it->memory && (it->memory->is_cut || it->memory->is_full))
        say(&to, "; what acts do has more combinations than were gone through");
    say_entities(it, &to, "; shut when seen last: ", 0);
    say_entities(it, &to, "; never reached: ", 1);
    say_entities(it, &to, "; never seen: ", 2);
    for (uint32_t c = 0; travel->cells && c < travel->grids[0][0]->cell_count; c++)
        unseen += travel->cells[c].ground == COR_GRID_UNKNOWN || travel->cells[c].is_supposed;
    snprintf(item, sizeof item, "; never seen: %u of %u cells", unseen,
             travel->cells ? travel->grids[0][0]->cell_count : 0);
    if (unseen > 0)
        say(&to, item);
}
