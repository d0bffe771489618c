/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "persistence.h"

#include "travel_map.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    it->stood = cor_calloc(it->place_count, sizeof *it->stood);
    COR_TRY_OUT(cor_made(it->stood, error));
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
    free(it->things);
    free(it->looks);
    free(it->stood);
    free(it);
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

/* To see what is out of sight. What cannot be gone to is looked at from where it was seen last. */
static enum cor_status look(struct system_layer__persistence *it, bool *has,
                            struct cor_world_command *command, struct cor_error *error) {
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
    COR_TRY(look(it, has, command, error));
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

static void say_acts(const struct system_layer__persistence *it, struct sentence *to) {
    const struct cor_travel *travel = it->asked.travel;
    char item[200], lead[200];
    snprintf(lead, sizeof lead, SYSTEM_LAYER__TRIED "%.80s of ",
             it->memory ? travel->declaration->actions[it->asked.action].name : "");
    for (uint32_t t = 0; it->memory && t < it->memory->tried_count; t++) {
        const struct cor_believed thing = it->memory->tried[t];
        const uint32_t identity = cor_beliefs_identity(it->asked.beliefs, thing.type, thing.element);
        uint32_t times = 0;
        for (size_t a = 0; a < travel->act_count; a++)
            times += travel->acts[a].action == it->asked.action && travel->acts[a].identity == identity;
        snprintf(item, sizeof item, "%.80s (%u)", name_of(it, thing), times);
        if (is_tried(it, thing))
            say_name(to, lead, item);
    }
    if (to->names == 0)
        say(to, SYSTEM_LAYER__TRIED "nothing, as there was nothing to act on");
    end_names(to);
    snprintf(item, sizeof item, ", %u pairs in order", it->pairs);
    if (it->pairs > 0)
        say(to, item);
    snprintf(item, sizeof item, ", %u rounds, waits of up to %d cycles (%llu cycles%s)", it->rounds,
             SYSTEM_LAYER__WAIT, (unsigned long long)it->spent,
             it->spent >= it->asked.patience ? ": its patience" : "");
    say(to, item);
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
    say_acts(it, &to);
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
