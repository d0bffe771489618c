/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SAT_Model and Optimize_Model of chi-RPT without a solver: the box of all inputs is halved, its first
 * parameter first, and halves that bounds rule out - the guard never holds there, a rival's always does, an
 * update leaves its domain, the degree cannot be less than one that was found - are left aside. What is left
 * is enumerated, in order, so the answer is that of trying all inputs: the first of those with the least
 * degree. */
#include "chi_rpt.h"
#include "planners.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MAX 16 /* inputs of a box that are tried one by one */

struct search {
    const struct plan__offline *offline;
    const struct cor_efsm *model;
    const struct cor_efsm_transition *transition;
    const struct cor_efsm_label *input;
    const struct plan__tabu *tabu; /* NULL: nothing is tabu */
    const struct plan__aim *aim;
    uint32_t number;    /* the transition's */
    uint32_t rivals[2]; /* to be kept away: from .. to - 1 of all */
    bool some_may;      /* the perfect ones of them need not */
    int64_t next_low[COR_EFSM_VARIABLES_MAX],
        next_high[COR_EFSM_VARIABLES_MAX]; /* behind the move, by bounds */
    int64_t low[COR_EFSM_VARIABLES_MAX], high[COR_EFSM_VARIABLES_MAX];
    uint32_t boxes;
    bool is_done; /* nothing better can be found */
    struct plan__found *found;
};

/* What bounds have not settled for a box, and so for no part of it. */
struct box {
    uint32_t rivals;    /* that may be enabled: the first of offline->open_rivals */
    uint32_t cubes;     /* of the constraint, that may be near enough: the first of offline->cubes */
    bool is_guard_open; /* the guard may fail */
};

static const struct cor_expression *guard_of(const struct search *s, uint32_t rival) {
    return &s->model->transitions[s->offline->rivals[rival]].guard;
}

static bool keeps_away(const struct search *s, const struct box *box, const int64_t *values) {
    for (uint32_t i = 0; i < box->rivals; i++)
        if (cor_expression_holds(guard_of(s, s->offline->open_rivals[i]), values))
            return false;
    return true;
}

/* How far the states low .. high are at least from what the input is to bring near, if that is nearer than
 * what was found; cubes that are not are left out of the box. */
static uint64_t degree_among(const struct search *s, struct box *box, const int64_t *low,
                             const int64_t *high) {
    const uint64_t far = s->found->any ? s->found->degree : COR_DEGREE_INFINITE;
    uint32_t count = box->cubes;
    const uint64_t degree =
        cor_efsm_reach_degree_among(s->offline->reach[s->aim->trap], s->aim->near, s->aim->ring, low, high,
                                    far, s->offline->cubes, &count);
    box->cubes = s->found->any ? count : box->cubes;
    return degree;
}

/* How far one input, which enables the transition, is from what it is to bring near. */
static uint64_t degree_of(const struct search *s, const struct box *box, const int64_t *values,
                          const int64_t *next) {
    const struct cor_efsm_reach *reach = s->offline->reach[s->aim->trap];
    struct box same = *box;
    const struct cor_efsm_trap *trap = &s->offline->goal->traps[s->aim->trap];
    if (s->aim->at_trap)
        return cor_efsm_hits(s->model, trap, s->number, values) ? 0 : COR_DEGREE_INFINITE;
    if (s->aim->at_first)
        return cor_efsm_reach_is_first(reach, s->number, values) ? 0 : COR_DEGREE_INFINITE;
    return degree_among(s, &same, next, next);
}

/* All inputs of the box, the last parameter fastest. */
static void try_points(struct search *s, const struct box *box) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    memcpy(values, s->low, s->model->variable_count * sizeof *values);
    while (!s->is_done) {
        uint32_t p = s->input->parameter_count;
        int64_t next[COR_EFSM_VARIABLES_MAX];
        if (cor_efsm_step(s->model, s->number, values, next) && keeps_away(s, box, values) &&
            (!s->tabu || !plan__tabu_has(s->tabu, s->aim->trap, s->number, values))) {
            const uint64_t degree = degree_of(s, box, values, next);
            if (!(s->found->any && degree >= s->found->degree)) {
                s->found->any = true;
                s->found->degree = degree;
                memcpy(s->found->values, values, s->model->variable_count * sizeof *values);
                s->is_done = degree == 0 || s->aim->any_will_do ||
                             (s->offline->varying[s->number] == 0 && !s->aim->at_trap && !s->aim->at_first);
            }
        }
        for (; p > 0 && values[s->input->parameters[p - 1]] == s->high[s->input->parameters[p - 1]]; p--)
            values[s->input->parameters[p - 1]] = s->low[s->input->parameters[p - 1]];
        if (p == 0)
            return;
        values[s->input->parameters[p - 1]]++;
    }
}

/* The states behind the move, at most: what the updates say, all or only those that vary with the input;
 * false: each would leave a domain. */
static bool bound_next(struct search *s, bool all) {
    for (uint32_t u = 0; u < s->transition->update_count; u++) {
        if (!all && !(s->offline->varying[s->number] >> u & 1))
            continue;
        const uint32_t v = s->transition->updates[u].variable;
        const struct cor_efsm_variable *variable = &s->model->variables[v];
        const struct cor_value_range range =
            cor_expression_interval(&s->transition->updates[u].value, s->low, s->high);
        s->next_low[v] = range.low > variable->low ? range.low : variable->low;
        s->next_high[v] = range.high < variable->high ? range.high : variable->high;
        if (s->next_low[v] > s->next_high[v])
            return false;
    }
    return true;
}

/* Whether bounds rule the box out; what they settle is noted. */
static bool is_hopeless(struct search *s, struct box *box) {
    uint32_t *rivals = s->offline->open_rivals;
    if (box->is_guard_open) {
        const enum cor_decision holds = cor_expression_decide(&s->transition->guard, s->low, s->high);
        if (holds == COR_DECISION_NEVER)
            return true;
        box->is_guard_open = holds == COR_DECISION_OPEN;
    }
    for (uint32_t i = 0; i < box->rivals;) {
        const enum cor_decision holds = cor_expression_decide(guard_of(s, rivals[i]), s->low, s->high);
        if (holds == COR_DECISION_ALWAYS)
            return true;
        if (holds == COR_DECISION_OPEN) {
            i++;
            continue;
        }
        const uint32_t never = rivals[i];
        rivals[i] = rivals[--box->rivals];
        rivals[box->rivals] = never;
    }
    if (!bound_next(s, false))
        return true;
    /* No input of the box is nearer than what was found. */
    const struct cor_expression *constraint = &s->offline->goal->traps[s->aim->trap].constraint;
    if (!s->found->any || s->aim->at_first)
        return false;
    if (s->aim->at_trap)
        return constraint->node_count > 0 &&
               cor_expression_decide(constraint, s->low, s->high) == COR_DECISION_NEVER;
    return degree_among(s, box, s->next_low, s->next_high) >= s->found->degree;
}

/* Its size, cut off at POINTS_MAX + 1; and the first parameter with several values. */
static uint64_t size_of(const struct search *s, uint32_t *first) {
    uint64_t size = 1;
    *first = COR_NONE;
    for (uint32_t p = 0; p < s->input->parameter_count; p++) {
        const uint32_t v = s->input->parameters[p];
        const uint64_t count = (uint64_t)(s->high[v] - s->low[v]) + 1;
        *first = *first == COR_NONE && count > 1 ? v : *first;
        size = count > POINTS_MAX ? POINTS_MAX + 1 : size * count;
        size = size > POINTS_MAX ? POINTS_MAX + 1 : size;
    }
    return size;
}

static void look_into(struct search *s,
                      struct box box) { // NOLINT(misc-no-recursion): as deep as domains have bits
    uint32_t v;
    if (s->is_done || ++s->boxes > PLAN__BOXES_MAX)
        return;
    const uint64_t size = size_of(s, &v);
    if (size > 1 && is_hopeless(s, &box))
        return;
    if (size <= POINTS_MAX) {
        try_points(s, &box);
        return;
    }
    const int64_t low = s->low[v], high = s->high[v], half = low + (high - low) / 2;
    s->high[v] = half;
    look_into(s, box);
    s->low[v] = half + 1;
    s->high[v] = high;
    look_into(s, box);
    s->low[v] = low;
}

/* Nothing is settled yet. */
static struct box whole(const struct search *s) {
    const struct plan__offline *o = s->offline;
    struct box box = {.is_guard_open = true};
    for (uint32_t r = s->rivals[0]; r < s->rivals[1]; r++)
        if (!(s->some_may && o->is_perfect[r]))
            o->open_rivals[box.rivals++] = r;
    if (s->aim->at_trap || s->aim->at_first)
        return box;
    box.cubes = cor_efsm_reach_among(o->reach[s->aim->trap], s->aim->near, s->aim->ring, o->cubes);
    return box;
}

/* Over all inputs of the state. */
static void search_all(struct search *s, const int64_t *values, struct plan__found *found) {
    memcpy(s->low, values, s->model->variable_count * sizeof *values);
    memcpy(s->high, values, s->model->variable_count * sizeof *values);
    for (uint32_t p = 0; p < s->input->parameter_count; p++) {
        const uint32_t v = s->input->parameters[p];
        s->low[v] = s->model->variables[v].low;
        s->high[v] = s->model->variables[v].high;
    }
    found->any = s->is_done = false;
    s->boxes = 0;
    s->found = found;
    memcpy(s->next_low, s->low, s->model->variable_count * sizeof *s->low);
    memcpy(s->next_high, s->high, s->model->variable_count * sizeof *s->high);
    if (bound_next(s, true))
        look_into(s, whole(s));
}

/* A rival is perfect here if no input enables the transition without it. */
static void find_perfect(const struct search *like, struct plan__offline *offline, const int64_t *values) {
    struct plan__aim aim = *like->aim;
    aim.any_will_do = true;
    for (uint32_t r = like->rivals[0]; r < like->rivals[1]; r++) {
        struct search s = *like;
        struct plan__found found;
        s.aim = &aim;
        s.rivals[0] = r;
        s.rivals[1] = r + 1;
        s.tabu = NULL;
        s.some_may = false;
        search_all(&s, values, &found);
        offline->is_perfect[r] = !found.any;
    }
}

void plan__input_search(struct plan__offline *offline, const struct plan__tabu *tabu, uint32_t transition,
                        enum plan__strength strength, const struct plan__aim *aim, const int64_t *values,
                        struct plan__found *found) {
    const struct cor_efsm *model = offline->model;
    struct search s = {.offline = offline,
                       .model = model,
                       .transition = &model->transitions[transition],
                       .input = &model->inputs[model->transitions[transition].input],
                       .aim = aim,
                       .number = transition,
                       .rivals = {offline->first_rival[transition], offline->first_rival[transition + 1]}};
    const uint32_t location = model->transitions[transition].source;
    s.tabu = tabu && plan__tabu_knows(tabu, aim->trap, location, values) ? tabu : NULL;
    if (strength == PLAN__STRENGTH_PERFECT) {
        find_perfect(&s, offline, values);
        s.some_may = true;
    } else if (strength == PLAN__STRENGTH_NONE) {
        s.rivals[1] = s.rivals[0];
    }
    search_all(&s, values, found);
}

/* ---- the tabu list of chi-RPT: for each trap and location the moves made there, as transition, state and
 * input. Only entries of the very state matter to a decision, so they are found by its hash */

#define HEADS_FIRST 64 /* a power of two */

static enum cor_status make_heads(struct plan__tabu *tabu, uint32_t count, struct cor_error *error) {
    uint32_t *heads = cor_calloc(count, sizeof *heads);
    COR_TRY(cor_made(heads, error));
    memset(heads, 0xff, count * sizeof *heads);
    free(tabu->heads);
    tabu->heads = heads;
    tabu->head_count = count;
    return COR_OK;
}

enum cor_status plan__tabu_create(const struct cor_efsm *model, uint32_t trap_count, struct plan__tabu *tabu,
                                  struct cor_error *error) {
    *tabu = (struct plan__tabu){.model = model};
    tabu->generations = cor_calloc((size_t)trap_count * model->location_count, sizeof *tabu->generations);
    COR_TRY(cor_made(tabu->generations, error));
    return make_heads(tabu, HEADS_FIRST, error);
}

void plan__tabu_fini(struct plan__tabu *tabu) {
    COR_FREE(tabu->entries, tabu->values, tabu->heads, tabu->generations);
    *tabu = (struct plan__tabu){0};
}

static const int64_t *values_of(const struct plan__tabu *tabu, uint32_t entry) {
    return tabu->values + (size_t)entry * tabu->model->variable_count;
}

static uint32_t head_of(const struct plan__tabu *tabu, uint32_t trap, uint32_t location,
                        const int64_t *values) {
    uint64_t hash = cor_hash_word(COR_HASH_SEED, (uint64_t)trap << 32 | location);
    for (uint32_t v = 0; v < tabu->model->variable_count; v++)
        if (tabu->model->variables[v].kind == COR_EFSM_STATE)
            hash = cor_hash_word(hash, (uint64_t)values[v]);
    return (uint32_t)(hash & (tabu->head_count - 1));
}

static bool same_state(const struct cor_efsm *model, const int64_t *a, const int64_t *b) {
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE && a[v] != b[v])
            return false;
    return true;
}

static bool same_input(const struct cor_efsm *model, uint32_t transition, const int64_t *a,
                       const int64_t *b) {
    const struct cor_efsm_label *input = &model->inputs[model->transitions[transition].input];
    for (uint32_t p = 0; p < input->parameter_count; p++)
        if (a[input->parameters[p]] != b[input->parameters[p]])
            return false;
    return true;
}

/* The next entry from `entry` on, of those in its chain, that is for the trap and the state and was not
 * emptied away. */
static uint32_t follow(const struct plan__tabu *tabu, uint32_t entry, uint32_t trap, uint32_t location,
                       const int64_t *values) {
    const uint32_t generation = tabu->generations[trap * tabu->model->location_count + location];
    for (; entry != COR_NONE; entry = tabu->entries[entry].next) {
        const struct plan__tabu_entry *e = &tabu->entries[entry];
        if (e->trap == trap && e->location == location && e->generation == generation &&
            same_state(tabu->model, values_of(tabu, entry), values))
            return entry;
    }
    return COR_NONE;
}

static void link_entry(struct plan__tabu *tabu, uint32_t entry) {
    struct plan__tabu_entry *e = &tabu->entries[entry];
    uint32_t *head = &tabu->heads[head_of(tabu, e->trap, e->location, values_of(tabu, entry))];
    e->next = *head;
    *head = entry;
}

enum cor_status plan__tabu_add(struct plan__tabu *tabu, uint32_t trap, uint32_t transition,
                               const int64_t *values, struct cor_error *error) {
    const uint32_t width = tabu->model->variable_count, entry = tabu->count;
    const uint32_t location = tabu->model->transitions[transition].source;
    COR_TRY(COR_RESERVE(&tabu->entries, &tabu->entry_capacity, entry + 1, error));
    COR_TRY(COR_RESERVE(&tabu->values, &tabu->value_capacity, ((size_t)entry + 1) * width, error));
    if (entry >= tabu->head_count) {
        COR_TRY(make_heads(tabu, 2 * tabu->head_count, error));
        for (uint32_t e = 0; e < entry; e++)
            link_entry(tabu, e);
    }
    memcpy(tabu->values + (size_t)entry * width, values, width * sizeof *values);
    tabu->entries[entry] =
        (struct plan__tabu_entry){trap, location, transition,
                                  tabu->generations[trap * tabu->model->location_count + location], COR_NONE};
    tabu->count++;
    link_entry(tabu, entry);
    return COR_OK;
}

void plan__tabu_empty(struct plan__tabu *tabu, uint32_t trap, uint32_t location) {
    tabu->generations[trap * tabu->model->location_count + location]++;
}

bool plan__tabu_knows(const struct plan__tabu *tabu, uint32_t trap, uint32_t location,
                      const int64_t *values) {
    return follow(tabu, tabu->heads[head_of(tabu, trap, location, values)], trap, location, values) !=
           COR_NONE;
}

bool plan__tabu_has(const struct plan__tabu *tabu, uint32_t trap, uint32_t transition,
                    const int64_t *values) {
    const uint32_t location = tabu->model->transitions[transition].source;
    uint32_t entry = tabu->heads[head_of(tabu, trap, location, values)];
    for (; (entry = follow(tabu, entry, trap, location, values)) != COR_NONE;
         entry = tabu->entries[entry].next)
        if (tabu->entries[entry].transition == transition &&
            same_input(tabu->model, transition, values_of(tabu, entry), values))
            return true;
    return false;
}

/* ---- off-line analysis of chi-RPT (paper 004, section 3.1): constraints of bounded depth, distances in the
 * control graph, and for each trap - here and below, for each way to cover one - and location the
 * neighbourhood: where to go for a known constraint */

/* What the constraint of a location says: nothing is known, all states are near, or some. */
enum knowledge { KNOWN_NONE, KNOWN_ALL, KNOWN_SOME };

static enum cor_status find_neighbourhoods(struct plan__offline *o, struct cor_error *error) {
    const uint32_t n = o->model->location_count;
    COR_FREED enum knowledge *known = cor_calloc(n, sizeof *known);
    const uint32_t ways = o->goal->trap_count + o->goal->way_count;
    o->first_near = cor_calloc((size_t)ways * n + 1, sizeof *o->first_near);
    if (!known || !o->first_near)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i < ways; i++) {
        for (uint32_t l = 0; l < o->model->location_count; l++)
            known[l] = cor_efsm_reach_longest(o->reach[i], l) == 0    ? KNOWN_NONE
                       : cor_efsm_reach_is_everywhere(o->reach[i], l) ? KNOWN_ALL
                                                                      : KNOWN_SOME;
        for (uint32_t l = 0; l < n; l++) {
            /* The location itself if it has a constraint, and the closest others that have. Constraints that
             * hold for all states say nothing and go - unless nothing would be left: with trap t13 of Inres
             * at depth 1 the printed rule would leave none, and the trap would be given up at once, which is
             * not what table 2 shows. */
            uint32_t index = i * n + l;
            uint32_t least = COR_NONE; /* from the location to another one of which something is known */
            for (uint32_t k = 0; k < n; k++)
                if (k != l && known[k] != KNOWN_NONE && o->distance[l * n + k] < least)
                    least = o->distance[l * n + k];
            uint32_t count = o->first_near[index];
            for (int keep_all = 0; keep_all < 2 && count == o->first_near[index]; keep_all++)
                for (uint32_t k = 0; k < n; k++) {
                    const bool close = k == l || (least != COR_NONE && o->distance[l * n + k] == least);
                    if (!close || known[k] == KNOWN_NONE || (known[k] == KNOWN_ALL && !keep_all))
                        continue;
                    COR_TRY(COR_RESERVE(&o->near, &o->near_capacity, count + 1, error));
                    o->near[count++] = k;
                }
            o->first_near[index + 1] = count;
        }
    }
    return COR_OK;
}

/* Others that one input may enable; whether both can be enabled at once is seen in each state. */
static enum cor_status find_rivals(struct plan__offline *o, struct cor_error *error) {
    const struct cor_efsm *model = o->model;
    uint32_t count = 0;
    size_t capacity = 0;
    o->first_rival = cor_calloc(model->transition_count + 1, sizeof *o->first_rival);
    o->varying = cor_calloc(model->transition_count, sizeof *o->varying);
    if (!o->first_rival || !o->varying)
        return cor_fail_memory(error);
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const struct cor_efsm_transition *one = &model->transitions[t];
        for (uint32_t r = 0; r < model->transition_count; r++) {
            const struct cor_efsm_transition *other = &model->transitions[r];
            if (r == t || other->source != one->source || other->input != one->input)
                continue;
            COR_TRY(COR_RESERVE(&o->rivals, &capacity, count + 1, error));
            o->rivals[count++] = r;
        }
        o->first_rival[t + 1] = count;
        /* The updates that read a parameter, as a set: a transition has one for each state variable at
         * most. */
        const struct cor_efsm_label *input = &model->inputs[one->input];
        uint64_t varying = 0;
        COR_ASSERT(one->update_count <= COR_EFSM_VARIABLES_MAX);
        for (uint32_t u = 0; u < one->update_count; u++)
            for (uint32_t p = 0; p < input->parameter_count; p++)
                if (cor_expression_reads(&one->updates[u].value, input->parameters[p]))
                    varying |= UINT64_C(1) << u;
        o->varying[t] = varying;
    }
    o->is_perfect = cor_calloc(count, sizeof *o->is_perfect);
    return cor_made(o->is_perfect, error);
}

enum cor_status plan__offline_create(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                     uint32_t depth, const struct cor_efsm_constraints *constraints,
                                     struct plan__offline *offline, struct cor_error *error) {
    *offline = (struct plan__offline){.model = model, .goal = goal};
    if (!constraints)
        COR_TRY(cor_efsm_constraints_find(model, goal, depth, false, NULL, &offline->found, error));
    offline->reach = constraints ? constraints->reach : offline->found.reach;
    /* Floyd and Warshall; 0 on the diagonal. */
    const uint32_t n = offline->model->location_count;
    COR_TRY(cor_made(offline->distance = cor_calloc((size_t)n * n, sizeof *offline->distance), error));
    memset(offline->distance, 0xff, (size_t)n * n * sizeof *offline->distance);
    for (uint32_t t = 0; t < offline->model->transition_count; t++)
        offline->distance[offline->model->transitions[t].source * n + offline->model->transitions[t].target] =
            1;
    for (uint32_t l = 0; l < n; l++)
        offline->distance[l * n + l] = 0;
    for (uint32_t by = 0; by < n; by++)
        for (uint32_t from = 0; from < n; from++)
            for (uint32_t to = 0; to < n && offline->distance[from * n + by] != COR_NONE; to++) {
                const uint32_t rest = offline->distance[by * n + to];
                uint32_t *known = &offline->distance[from * n + to];
                if (rest != COR_NONE && offline->distance[from * n + by] + rest < *known)
                    *known = offline->distance[from * n + by] + rest;
            }
    COR_TRY(find_neighbourhoods(offline, error));
    COR_TRY(find_rivals(offline, error));
    /* Room for the search for an input: the cubes of any constraint, the rivals of any transition. */
    uint32_t most = 1;
    for (uint32_t i = 0; i < offline->goal->trap_count + offline->goal->way_count; i++)
        for (uint32_t l = 0; l < offline->model->location_count; l++) {
            for (uint32_t ring = 0; ring <= cor_efsm_reach_summary(offline->reach[i]).rings; ring++) {
                const uint32_t count = cor_efsm_reach_among(offline->reach[i], l, ring, NULL);
                most = count > most ? count : most;
            }
        }
    offline->cubes = cor_calloc(most, sizeof *offline->cubes);
    offline->open_rivals =
        cor_calloc(offline->first_rival[offline->model->transition_count] + 1, sizeof *offline->open_rivals);
    return offline->cubes && offline->open_rivals ? COR_OK : cor_fail_memory(error);
}

void plan__offline_fini(struct plan__offline *offline) {
    cor_efsm_constraints_fini(&offline->found);
    COR_FREE(offline->distance, offline->first_near, offline->near, offline->first_rival, offline->rivals,
             offline->is_perfect, offline->varying, offline->cubes, offline->open_rivals);
    *offline = (struct plan__offline){0};
}

/* Whether some input covers the second of a pair now, behind the first. */
static bool covers_now(struct plan__offline *o, uint32_t trap, uint32_t location, const int64_t *values) {
    const struct cor_efsm_trap *of = &o->goal->traps[trap];
    const struct plan__aim aim = {.trap = trap, .at_trap = true};
    for (uint32_t i = 0; i < of->transition_count; i++) {
        struct plan__found found;
        if (o->model->transitions[of->transitions[i]].source != location)
            continue;
        plan__input_search(o, NULL, of->transitions[i], PLAN__STRENGTH_NONE, &aim, values, &found);
        if (found.any && found.degree == 0)
            return true;
    }
    return false;
}

/* ---- the decision of chi-RPT: off-line constraints where one holds (figure 4), else the candidate that
 * comes nearest to one (figures 5 and 6); the tabu list learns what came of it (figure 7). What the paper
 * leaves open is settled in docs/evidence/efsm-tables.md. No solver is asked */

/* Components first: what is still open where the system is comes before a move that the control graph cannot
 * take back. */
enum scope {
    SCOPE_ALL,     /* nothing is open in this component */
    SCOPE_LEAVING, /* traps on moves out of it alone */
    SCOPE_STAYING  /* traps on moves within it */
};

struct chi {
    struct cor_planner_definition definition;
    struct plan__offline offline;
    struct plan__tabu tabu;
    bool *was_emptied;                /* owned; [trap * locations + location] its tabu list, once ("LT") */
    uint64_t *discarded, *given_up;   /* owned; sets: of ways, of traps in all their ways */
    bool *was_alone;                  /* owned; [trap] a round began with it alone */
    uint32_t alone, next;             /* the trap that this round began with, COR_NONE = none; where to look
                                         for that of the next */
    enum scope scope;                 /* of the choice under way */
    uint32_t under_way;               /* trap that constraints lead to, COR_NONE = none */
    struct cor_candidate *candidates; /* owned */
    int64_t *values;                  /* owned; [candidate][variable]: state and parameters */
    unsigned char *inputs;            /* owned; [candidate][input_size] */
    uint32_t count;
    size_t candidate_capacity, value_capacity, input_capacity;
    bool is_heuristic;                 /* the last choice: the first of the candidates */
    uint32_t questions, optimisations; /* of this choice: what figures 4 to 6 ask a solver */
    struct cor_error *error;
};

/* Where the system is, and what is covered. */
struct place {
    uint32_t location, last;
    const uint64_t *covered;
    int64_t values[COR_EFSM_VARIABLES_MAX];
};

/* A way from either location to the other, guards aside? */
static bool are_together(const struct chi *chi, uint32_t a, uint32_t b) {
    const uint32_t n = chi->offline.model->location_count;
    return chi->offline.distance[a * n + b] != COR_NONE && chi->offline.distance[b * n + a] != COR_NONE;
}

static bool leaves(const struct chi *chi, uint32_t transition) {
    const struct cor_efsm_transition *t = &chi->offline.model->transitions[transition];
    return !are_together(chi, t->source, t->target);
}

/* Whether the trap is on a move within the component of the location, or out of it. */
static bool is_in_scope(const struct chi *chi, uint32_t trap, uint32_t location, enum scope scope) {
    const struct cor_efsm_trap *of = &chi->offline.goal->traps[trap];
    if (scope == SCOPE_ALL)
        return true;
    for (uint32_t i = 0; i < of->transition_count; i++)
        if (are_together(chi, location, chi->offline.model->transitions[of->transitions[i]].source) &&
            leaves(chi, of->transitions[i]) == (scope == SCOPE_LEAVING))
            return true;
    return false;
}

/* Neither covered nor given up, and all it waits for is covered ("Tr+"); in a round that began with one trap
 * alone, that one. */
static bool is_open(const struct chi *chi, uint32_t trap, const uint64_t *covered) {
    const struct cor_planning_problem *problem = chi->definition.problem;
    return !cor_trap_is_in(covered, cor_trap_of_way(problem, trap)) &&
           !cor_trap_is_in(chi->discarded, trap) && (chi->alone == COR_NONE || chi->alone == trap) &&
           cor_way_is_open(problem, trap, covered);
}

static uint32_t ways_of(const struct chi *chi) {
    return chi->definition.problem->trap_count + chi->definition.problem->way_count;
}

static bool is_wanted(const struct chi *chi, const struct place *place, uint32_t trap) {
    return is_open(chi, trap, place->covered) && is_in_scope(chi, trap, place->location, chi->scope);
}

/* Whether the choice may take it: not out of the component while something is open there, but to cover that.
 */
static bool may_take(const struct chi *chi, const struct place *place, uint32_t transition) {
    if (chi->scope == SCOPE_ALL || !leaves(chi, transition))
        return true;
    for (uint32_t i = 0; i < ways_of(chi) && chi->scope == SCOPE_LEAVING; i++) {
        const struct cor_efsm_trap *trap = &chi->offline.goal->traps[i];
        for (uint32_t j = 0; j < trap->transition_count && is_wanted(chi, place, i); j++)
            if (trap->transitions[j] == transition)
                return true;
    }
    return false;
}

/* The narrowest scope in which a trap is open. False: none is, anywhere. */
static bool find_scope(struct chi *chi, const struct place *place) {
    for (int scope = SCOPE_STAYING; scope >= SCOPE_ALL; scope--) {
        chi->scope = (enum scope)scope;
        for (uint32_t i = 0; i < ways_of(chi); i++)
            if (is_wanted(chi, place, i))
                return true;
    }
    return false;
}

/* Constraints (figure 4). */

/* The open trap with fewest moves left, of several the last; the one under way while its constraint holds;
 * COR_NONE. */
static uint32_t choose_trap(struct chi *chi, const struct place *place, uint32_t *ring) {
    uint32_t chosen = COR_NONE;
    *ring = COR_EFSM_FAR;
    for (uint32_t i = 0; i < ways_of(chi); i++) {
        if (!is_wanted(chi, place, i))
            continue;
        /* Moves left to the end of the one that covers the trap, from a state with that last transition;
         * COR_EFSM_FAR where no constraint holds. */
        const uint32_t previous = chi->offline.goal->traps[i].previous;
        const uint32_t found =
            previous != COR_NONE && previous == place->last &&
                    covers_now(&chi->offline, i, place->location, place->values)
                ? 1
                : cor_efsm_reach_distance(chi->offline.reach[i], place->location, place->values);
        if (found != COR_EFSM_FAR && (found <= *ring || i == chi->under_way)) {
            *ring = found;
            chosen = i;
        }
        if (i == chi->under_way && found != COR_EFSM_FAR)
            return i;
    }
    return chosen;
}

/* What a transition from ring `ring` of the trap has to reach; false: it cannot be the one. */
static bool aim_at_ring(const struct chi *chi, uint32_t trap, uint32_t ring, uint32_t transition,
                        struct plan__aim *aim) {
    const struct cor_efsm_trap *of = &chi->offline.goal->traps[trap];
    *aim = (struct plan__aim){.trap = trap, .near = chi->offline.model->transitions[transition].target};
    if (ring == 1) {
        aim->at_trap = true;
        for (uint32_t i = 0; i < of->transition_count; i++)
            if (of->transitions[i] == transition)
                return true;
        return false;
    }
    if (ring == 2 && of->previous != COR_NONE) {
        aim->at_first = true;
        return transition == of->previous;
    }
    aim->ring = ring - 1;
    return cor_efsm_reach_among(chi->offline.reach[trap], aim->near, aim->ring, NULL) > 0;
}

/* A move into the next ring: one that forces the system if there is one, in the model's order. */
static bool find_move(struct chi *chi, const struct place *place, uint32_t trap, uint32_t ring,
                      struct plan__found *found, struct cor_candidate *move) {
    const struct cor_efsm *model = chi->offline.model;
    struct plan__aim aim;
    for (int strength = PLAN__STRENGTH_ALL; strength <= PLAN__STRENGTH_NONE; strength++)
        for (uint32_t t = 0; t < model->transition_count; t++) {
            if (model->transitions[t].source != place->location || !may_take(chi, place, t) ||
                !aim_at_ring(chi, trap, ring, t, &aim))
                continue;
            chi->questions++;
            plan__input_search(&chi->offline, NULL, t, (enum plan__strength)strength, &aim, place->values,
                               found);
            if (!found->any || found->degree != 0)
                continue;
            *move = (struct cor_candidate){.label = t,
                                           .trap = trap,
                                           .near = aim.near,
                                           .distance = 1,
                                           .fitness = 1,
                                           .is_forced = strength == PLAN__STRENGTH_ALL};
            return true;
        }
    return false;
}

/* Candidates (figure 5). */

static enum cor_status keep(struct chi *chi, const struct cor_candidate *candidate, const int64_t *values) {
    const uint32_t width = chi->offline.model->variable_count;
    COR_TRY(COR_RESERVE(&chi->candidates, &chi->candidate_capacity, chi->count + 1, chi->error));
    COR_TRY(COR_RESERVE(&chi->values, &chi->value_capacity, ((size_t)chi->count + 1) * width, chi->error));
    if (width > 0) /* of a model without variables there is nothing */
        memcpy(chi->values + (size_t)chi->count * width, values, width * sizeof *values);
    chi->candidates[chi->count++] = *candidate;
    return COR_OK;
}

static uint64_t square(uint64_t a) {
    uint64_t product;
    return __builtin_mul_overflow(a, a, &product) ? COR_DEGREE_INFINITE : product;
}

static uint64_t fitness_of(uint32_t distance, uint64_t degree) {
    uint64_t sum;
    return distance == COR_NONE || __builtin_add_overflow(square(distance), square(degree), &sum)
               ? COR_DEGREE_INFINITE
               : sum;
}

/* The input of a transition towards a neighbourhood. Rivals are kept away as far as the state allows it at
 * all: that the tabu list holds all such inputs weakens nothing. */
static bool find_input(struct chi *chi, const struct place *place, uint32_t transition,
                       const struct plan__aim *aim, struct plan__found *found, bool *is_forced) {
    struct plan__offline *o = &chi->offline;
    const bool has_rivals = o->first_rival[transition] < o->first_rival[transition + 1];
    for (int i = PLAN__STRENGTH_ALL; i <= (has_rivals ? PLAN__STRENGTH_NONE : PLAN__STRENGTH_ALL); i++) {
        const enum plan__strength strength = (enum plan__strength)i;
        struct plan__aim any = *aim;
        struct plan__found untold;
        *is_forced = strength == PLAN__STRENGTH_ALL;
        plan__input_search(o, &chi->tabu, transition, strength, aim, place->values, found);
        if (found->any || !plan__tabu_knows(&chi->tabu, aim->trap, place->location, place->values)) {
            if (found->any)
                return true;
            continue;
        }
        any.any_will_do = true;
        plan__input_search(o, NULL, transition, strength, &any, place->values, &untold);
        if (untold.any)
            return false;
    }
    return false;
}

/* A transition towards each location of the neighbourhood. */
static enum cor_status add_transition(struct chi *chi, const struct place *place, uint32_t trap,
                                      uint32_t transition) {
    const struct plan__offline *o = &chi->offline;
    const uint32_t n = o->model->location_count, index = trap * n + place->location;
    chi->questions++;
    for (uint32_t i = o->first_near[index]; i < o->first_near[index + 1]; i++) {
        struct plan__aim aim = {.trap = trap, .near = o->near[i]};
        struct plan__found found;
        bool is_forced;
        aim.any_will_do = chi->definition.optimised != 0;
        if (!find_input(chi, place, transition, &aim, &found, &is_forced))
            return COR_OK; /* whatever the location */
        const uint32_t rest = o->distance[o->model->transitions[transition].target * n + aim.near];
        const uint32_t distance = rest == COR_NONE ? COR_NONE : rest + 1;
        const struct cor_candidate candidate = {.label = transition,
                                                .trap = trap,
                                                .near = aim.near,
                                                .distance = distance,
                                                .degree = found.degree,
                                                .fitness = fitness_of(distance, found.degree),
                                                .is_forced = is_forced};
        COR_TRY(keep(chi, &candidate, found.values));
    }
    return COR_OK;
}

/* All moves towards one trap. In the second run none may go to and fro between locations whose lists were
 * emptied before. */
static enum cor_status add_trap(struct chi *chi, const struct place *place, uint32_t trap, int run) {
    const struct cor_efsm *model = chi->offline.model;
    const bool *was_emptied = chi->was_emptied + (size_t)trap * model->location_count;
    const uint32_t before = chi->count;
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const struct cor_efsm_transition *transition = &model->transitions[t];
        if (transition->source != place->location || !may_take(chi, place, t) ||
            (run == 1 && was_emptied[transition->source] && was_emptied[transition->target]))
            continue;
        COR_TRY(add_transition(chi, place, trap, t));
    }
    if (chi->count > before)
        return COR_OK;
    if (run == 0) {
        plan__tabu_empty(&chi->tabu, trap, place->location);
        chi->was_emptied[(size_t)trap * model->location_count + place->location] = true;
    } else {
        cor_trap_add(chi->discarded, trap);
    }
    return COR_OK;
}

/* The best (figure 6). */

/* The tie rule is not in the paper, which is reproduced move by move with it: the nearer location, then the
 * later transition. Between traps nothing that is printed decides; here, too, the later. */
static bool is_better(const struct cor_candidate *a, const struct cor_candidate *b) {
    if (a->fitness != b->fitness)
        return a->fitness < b->fitness;
    if (a->distance != b->distance)
        return a->distance < b->distance;
    if (a->label != b->label)
        return a->label > b->label;
    return a->trap != b->trap ? a->trap > b->trap : a->near < b->near;
}

/* By insertion: they are few. */
static void sort(struct chi *chi, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = i; j > 0 && is_better(&chi->candidates[j], &chi->candidates[j - 1]); j--) {
            const uint32_t b = j - 1;
            const uint32_t width = chi->offline.model->variable_count;
            const struct cor_candidate candidate = chi->candidates[j];
            int64_t values[COR_EFSM_VARIABLES_MAX];
            chi->candidates[j] = chi->candidates[b];
            chi->candidates[b] = candidate;
            memcpy(values, chi->values + (size_t)j * width, width * sizeof *values);
            memcpy(chi->values + (size_t)j * width, chi->values + (size_t)b * width, width * sizeof *values);
            memcpy(chi->values + (size_t)b * width, values, width * sizeof *values);
        }
}

/* Inputs for the least degree, of the best candidates; only these are weighed against each other then. */
static void optimise(struct chi *chi, const struct place *place) {
    const uint32_t width = chi->offline.model->variable_count;
    const uint32_t most = chi->definition.optimised;
    sort(chi, chi->count);
    chi->optimisations = chi->count;
    if (most == 0)
        return;
    chi->count = chi->optimisations = chi->count < most ? chi->count : most;
    for (uint32_t i = 0; i < chi->count; i++) {
        struct cor_candidate *c = &chi->candidates[i];
        const struct plan__aim aim = {.trap = c->trap, .near = c->near};
        struct plan__found found;
        if (!find_input(chi, place, c->label, &aim, &found, &c->is_forced))
            continue;
        c->degree = found.degree;
        c->fitness = fitness_of(c->distance, c->degree);
        memcpy(chi->values + (size_t)i * width, found.values, width * sizeof *found.values);
    }
    sort(chi, chi->count);
}

/* The planner. */

static void destroy(void *self) {
    COR_FREED struct chi *chi = self;
    if (!chi)
        return;
    plan__offline_fini(&chi->offline);
    plan__tabu_fini(&chi->tabu);
    COR_FREE(chi->was_emptied, chi->discarded, chi->given_up, chi->was_alone, chi->candidates, chi->values,
             chi->inputs);
}

static enum cor_status create(const struct cor_planner_definition *definition, void **self,
                              struct cor_error *error) {
    if (!definition->model || !definition->efsm)
        return cor_fail(error, COR_STATUS_INPUT, "planner \"paper\"", "take planner \"search\"",
                        "it plans over models of systems alone");
    struct chi *chi = cor_calloc(1, sizeof *chi);
    COR_TRY(cor_made(chi, error));
    chi->definition = *definition;
    enum cor_status status = COR_OK;
    const struct cor_planner_definition *d = &chi->definition;
    const uint32_t traps = ways_of(chi);
    chi->under_way = chi->alone = COR_NONE;
    chi->was_alone = cor_calloc(traps, sizeof *chi->was_alone);
    chi->discarded = cor_calloc(d->problem->trap_words, sizeof *chi->discarded);
    chi->given_up = cor_calloc(d->problem->trap_words, sizeof *chi->given_up);
    chi->was_emptied = cor_calloc((size_t)traps * d->model->location_count, sizeof *chi->was_emptied);
    if (!chi->discarded || !chi->given_up || !chi->was_emptied || !chi->was_alone)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(plan__tabu_create(d->model, traps, &chi->tabu, error));
    status = plan__offline_create(d->model, d->goal, d->depth, d->constraints, &chi->offline, error);
out:
    if (status != COR_OK) {
        destroy(chi);
        return status;
    }
    *self = chi;
    return COR_OK;
}

/* A move towards what is open in the scope; none: what is open there was given up. */
static enum cor_status decide_within(struct chi *chi, const struct place *place) {
    struct cor_candidate move;
    struct plan__found found;
    uint32_t ring;
    chi->under_way = choose_trap(chi, place, &ring);
    chi->is_heuristic = false;
    chi->count = 0;
    if (chi->under_way != COR_NONE && find_move(chi, place, chi->under_way, ring, &found, &move))
        return keep(chi, &move, found.values);
    for (int run = 0; run < 2 && chi->count == 0; run++)
        for (uint32_t i = 0; i < ways_of(chi); i++)
            if (is_wanted(chi, place, i))
                COR_TRY(add_trap(chi, place, i, run));
    if (chi->count > 0) {
        optimise(chi, place);
        chi->is_heuristic = true;
    }
    return COR_OK;
}

static enum cor_status decide(struct chi *chi, const struct place *place, struct cor_plan_choice *choice) {
    chi->count = 0;
    while (chi->count == 0) {
        if (chi->alone != COR_NONE && !is_open(chi, chi->alone, place->covered))
            chi->alone = COR_NONE;
        if (!find_scope(chi, place)) {
            choice->advice = COR_ADVICE_GIVE_UP;
            choice->method =
                "chi-RPT gave up what is left, which proves nothing; whether there is a way is not known";
            return COR_OK;
        }
        COR_TRY(decide_within(chi, place));
    }
    /* Says what was chosen: the first candidate. */
    const struct cor_efsm *model = chi->offline.model;
    const size_t size = chi->definition.problem->input_size;
    COR_TRY(COR_RESERVE(&chi->inputs, &chi->input_capacity, chi->count * size, chi->error));
    for (uint32_t i = 0; i < chi->count; i++) {
        struct cor_candidate *c = &chi->candidates[i];
        c->input = chi->inputs + i * size;
        cor_efsm_problem_pack_input(chi->definition.efsm, model->transitions[c->label].input,
                                    chi->values + (size_t)i * model->variable_count, chi->inputs + i * size);
    }
    choice->advice = COR_ADVICE_INPUT;
    choice->input = chi->candidates[0].input;
    choice->candidates = chi->count;
    choice->weighed = chi->candidates;
    choice->degree = chi->candidates[0].degree;
    choice->label = chi->candidates[0].label;
    choice->method = chi->is_heuristic ? "heuristics" : "off-line constraints";
    choice->by_constraints = !chi->is_heuristic;
    return COR_OK;
}

static enum cor_status choose(void *self, const void *state, const uint64_t *covered,
                              struct cor_plan_choice *choice, struct cor_error *error) {
    struct chi *chi = self;
    struct place place = {.covered = covered};
    *choice = (struct cor_plan_choice){.left = COR_NONE,
                                       .label = COR_NONE,
                                       .expected = (double)NAN,
                                       .proof = COR_PROOF_NONE,
                                       .degree = COR_DEGREE_INFINITE,
                                       .discarded = chi->given_up};
    if (cor_all_covered(chi->definition.problem, covered)) {
        choice->advice = COR_ADVICE_COVERED;
        return COR_OK;
    }
    chi->error = error;
    chi->questions = chi->optimisations = 0;
    cor_efsm_start(chi->offline.model, place.values);
    cor_efsm_problem_unpack(chi->definition.efsm, state, &place.location, place.values, &place.last);
    const enum cor_status status = decide(chi, &place, choice);
    for (uint32_t w = 0; w < chi->definition.problem->trap_words; w++)
        chi->given_up[w] = chi->discarded[w];
    for (uint32_t i = 0; i < ways_of(chi); i++)
        if (!cor_trap_is_in(chi->discarded, i)) {
            const uint32_t trap = cor_trap_of_way(chi->definition.problem, i);
            chi->given_up[trap / 64] &= ~(UINT64_C(1) << trap % 64);
        }
    choice->questions = chi->questions;
    choice->optimisations = chi->optimisations;
    return status;
}

/* Figure 7: what the system did is tabu from this state; if it was already, what was meant is, or a rival
 * that cannot be kept away would be tried for ever. */
static enum cor_status observe(void *self, const void *state, const void *input, uint32_t label,
                               const void *next, struct cor_error *error) {
    struct chi *chi = self;
    (void)state, (void)input, (void)next;
    if (!chi->is_heuristic || chi->count == 0)
        return COR_OK;
    const struct cor_candidate *best = &chi->candidates[0];
    const bool is_known = plan__tabu_has(&chi->tabu, best->trap, label, chi->values);
    return plan__tabu_add(&chi->tabu, best->trap, is_known ? best->label : label, chi->values, error);
}

/* What was given up is tried again: from the start it may be within reach. A round begins with one such trap
 * alone, lest others lead it astray as before, and knows nothing of what was tried - unless it began so
 * before, which would be the same round again. */
static void restart(void *self) {
    struct chi *chi = self;
    const uint32_t traps = ways_of(chi);
    const size_t locations = chi->offline.model->location_count;
    chi->alone = chi->under_way = COR_NONE;
    for (uint32_t i = 0; i < traps && chi->alone == COR_NONE; i++)
        if (cor_trap_is_in(chi->discarded, (chi->next + i) % traps))
            chi->alone = (chi->next + i) % traps;
    for (uint32_t i = 0; i < traps; i++)
        for (uint32_t l = 0; l < locations && !(i == chi->alone && chi->was_alone[i]); l++)
            plan__tabu_empty(&chi->tabu, i, l);
    if (chi->alone != COR_NONE) {
        chi->was_alone[chi->alone] = true;
        chi->next = chi->alone + 1;
    }
    memset(chi->was_emptied, 0, traps * locations * sizeof *chi->was_emptied);
    memset(chi->discarded, 0, chi->definition.problem->trap_words * sizeof *chi->discarded);
    chi->count = 0;
    chi->is_heuristic = false;
}

const struct cor_planner_kind plan__planner_paper = {
    .name = "paper",
    .summary = "chi-RPT of paper 004: off-line constraints to a depth, and heuristics on the way to them",
    .create = create,
    .destroy = destroy,
    .choose = choose,
    .observe = observe,
    .restart = restart,
};
