/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A space is gone through some times: the stable part; components of what is outside, in the order of which
 * longest ways are known; turns, for rounds; what fairness leaves of the loops; chance, by iterating values.
 */
#include "stepper.h"

#include <corridor/array.h>
#include <corridor/components.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SWEEPS_MOST 1000000u
#define VALUES_MOST UINT64_C(2000000000) /* of all sweeps together */
#define EXACT 1e-9                       /* of expected steps */
#define FURTHER 0.3

const char *cor_daemon_word(enum cor_daemon daemon) {
    static const char *const words[] = {
#define WORD(NAME, word, meaning) word,
        COR_DAEMONS(WORD) NULL};
    return words[daemon];
}

const char *cor_fairness_word(enum cor_fairness fairness) {
    static const char *const words[] = {COR_FAIRNESSES(WORD) "never"};
    return words[fairness];
}

struct cor_stabilize_question cor_default_stabilize_question(void) {
    return (struct cor_stabilize_question){.round_nodes_most = UINT64_C(1) << 24,
                                           .moves_most = UINT64_C(1) << 24,
                                           .sought_most = UINT64_C(200000000)};
}

/* ---- what is known of states */

enum {
    STABLE = 1,  /* of the stable part */
    ACTIVE = 2,  /* of the states that are looked at: a loop through others is none */
    HAS_WAY = 4, /* into the stable part */
    LOOPS = 8,   /* within a loop of those that were looked at last */
    STAYS = 16,  /* of these a daemon need not be driven out */
    GONE = 32,   /* of a search */
    PASSED = 64, /* nobody asks about it, and nothing that is asked about leads there */
};

/* The longest ways from a state in steps and in moves (COR_UNBOUNDED), and its steps by chance, 0 as long as
 * they are not known. While it is visited `moves` is its number in the order of visits. */
struct way {
    uint32_t steps, moves;
    double value;
};
enum {
    VISITED = COR_UNBOUNDED - 2, /* in place of steps: its component is not complete, */
    NOT_MET = COR_UNBOUNDED - 1  /* or it was not met */
};

/* A state on the path of the search: what is known of it by its first `place` steps. */
struct visit {
    uint64_t place;
    double sum; /* of the values of where they lead */
    uint32_t state, low, steps, moves;
};

struct search {
    const struct cor_space *space;
    const struct cor_stabilize_question *question;
    struct cor_stabilized *found;
    struct cor_error *error;
    struct stepper stepper;
    struct cor_components components; /* of the active states */
    uint8_t *flags;                   /* owned; [state] */
    struct way *ways;                 /* owned; [state] */
    uint32_t *from, *queue;           /* owned; [state] of a search in breadth: where it was come from */
    struct stepper_known known;       /* owned; what each state can do, */
    struct stepper_near *near;        /* owned; or, of more than are kept, some */
    struct visit *visits;             /* owned; the path of the search in depth */
    size_t visit_capacity;
    double value_sum, value_most; /* of the ways whose values are known with them */
    uint32_t *order, order_count; /* owned; states outside, those that a way leads to first */
    uint64_t sought;
};

static enum cor_status go_on(const struct search *s, const char *doing) {
    const struct cor_stabilize_question *question = s->question;
    if (!question->go_on || question->go_on(question->self, doing))
        return COR_OK;
    return cor_fail(s->error, COR_STATUS_INTERRUPTED, NULL, NULL, "interrupted");
}

static void activate(struct search *s, uint8_t all_of, uint8_t none_of) {
    for (uint32_t state = 0; state < s->space->size; state++) {
        const bool is_it = (s->flags[state] & all_of) == all_of && !(s->flags[state] & (none_of | PASSED));
        s->flags[state] = (uint8_t)(is_it ? s->flags[state] | ACTIVE : s->flags[state] & ~ACTIVE);
    }
}

/* ---- the stable part */

static enum cor_status add_turn(struct search *s, struct cor_space_run *turns, uint32_t state,
                                uint64_t movers) {
    COR_TRY(COR_RESERVE(&turns->items, &turns->capacity, (size_t)turns->count + 1, s->error));
    turns->items[turns->count++] = (struct cor_space_turn){movers, state};
    return COR_OK;
}

static bool leaves(struct search *s, uint32_t state) {
    begin(&s->stepper, state);
    for (uint32_t to; (to = step(&s->stepper)) != COR_NO_NODE;)
        if (!(s->flags[to] & STABLE))
            return true;
    return false;
}

/* Passes over what does not come of the starts. */
static void find_asked(struct search *s) {
    const uint32_t size = s->space->size;
    uint32_t head = 0, tail = 0;
    for (uint32_t state = 0; state < size; state++) {
        const bool is_start = !s->space->starts || s->space->starts[state / 64] >> state % 64 & 1;
        s->flags[state] = is_start ? 0 : PASSED;
        if (is_start)
            s->queue[tail++] = state;
    }
    while (tail < size && head < tail) {
        begin(&s->stepper, s->queue[head++]);
        for (uint32_t to; (to = step(&s->stepper)) != COR_NO_NODE;)
            if (s->flags[to] & PASSED) {
                s->flags[to] = 0;
                s->queue[tail++] = to;
            }
    }
    s->found->asked = tail;
}

/* Keeps what a state can do, which the stepper has, as long as that is few enough and nothing is drawn: it is
 * asked for many times. */
static enum cor_status keep_moves(struct search *s, uint32_t state, size_t *capacity, bool *is_kept) {
    struct stepper_known *known = &s->known;
    const struct cor_space_moves *moves = &s->stepper.moves;
    const uint32_t before = known->first[state];
    *is_kept = before + moves->count <= s->question->moves_most;
    COR_TRY(COR_RESERVE(&known->moves, capacity, (size_t)before + moves->count + 1, s->error));
    for (uint32_t m = 0; m < moves->count && *is_kept; m++) {
        *is_kept = moves->items[m].outcome_count == 1;
        known->moves[before + m] =
            (struct stepper_move){moves->items[m].by[0], (uint8_t)moves->items[m].actor};
    }
    known->first[state + 1] = before + moves->count;
    return COR_OK;
}

static bool is_outside(const struct search *s, uint32_t state) {
    return !(s->flags[state] & (STABLE | PASSED));
}

static enum cor_status find_stable(struct search *s) {
    struct cor_stabilized *found = s->found;
    const uint32_t size = s->space->size;
    bool is_first = true, is_kept = true;
    size_t capacity = 0;
    find_asked(s);
    COR_TRY(cor_made(s->known.first = cor_calloc((size_t)size + 1, sizeof *s->known.first), s->error));
    for (uint32_t state = 0; state < size; state++) {
        s->known.first[state + 1] = s->known.first[state];
        if (s->flags[state] & PASSED)
            continue;
        begin(&s->stepper, state);
        found->steps += count_steps(&s->stepper);
        for (uint32_t m = 0; m < s->stepper.moves.count && !s->stepper.is_plain; m++)
            found->has_draws = found->has_draws || s->stepper.moves.items[m].outcome_count > 1;
        if (is_kept)
            COR_TRY(keep_moves(s, state, &capacity, &is_kept));
        if (cor_space_is_inside(s->space, state)) {
            s->flags[state] |= STABLE;
            found->inside++;
        }
    }
    if (is_kept)
        s->stepper.known = &s->known;
    else {
        free(s->known.moves);
        s->known.moves = NULL;
    }
    /* Once down and once up: what leads out by many steps is found either way. */
    for (uint32_t gone = 1, pass = 0; gone > 0; pass++) {
        gone = 0;
        COR_TRY(go_on(s, "what is never left"));
        for (uint32_t i = 0; i < size; i++) {
            const uint32_t state = pass % 2 ? size - 1 - i : i;
            if (!(s->flags[state] & STABLE) || !leaves(s, state))
                continue;
            if (is_first && gone == 0) {
                COR_TRY(add_turn(s, &found->leave, state, s->stepper.movers));
                COR_TRY(add_turn(s, &found->leave, target(&s->stepper), 0));
            }
            s->flags[state] |= GONE; /* in the first pass others are to see it as inside */
            if (!is_first)
                s->flags[state] &= (uint8_t) ~(STABLE | GONE);
            gone++;
        }
        for (uint32_t state = 0; is_first && state < size; state++)
            if (s->flags[state] & GONE)
                s->flags[state] &= (uint8_t) ~(STABLE | GONE);
        if (is_first)
            found->leaving = gone;
        is_first = false;
    }
    for (uint32_t state = 0; state < size; state++)
        found->stable += s->flags[state] & STABLE ? 1 : 0;
    found->outside = found->asked - found->stable;
    return COR_OK;
}

/* ---- components of the active states */

static uint32_t next_active(void *self, uint32_t state, uint64_t *place) {
    struct search *s = self;
    uint32_t to;
    while ((to = step_at(&s->stepper, state, place)) != COR_NO_NODE && !(s->flags[to] & ACTIVE))
        ;
    return to;
}

static enum cor_status find_components(struct search *s, const char *doing) {
    cor_components_fini(&s->components);
    COR_TRY(cor_components_init(&s->components, s->space->size, s->error));
    s->stepper.taken = UINT64_MAX;
    for (uint32_t state = 0; state < s->space->size; state++) {
        if (state % 65536 == 0)
            COR_TRY(go_on(s, doing));
        if (s->flags[state] & ACTIVE)
            COR_TRY(cor_components_visit(&s->components, state, next_active, s, s->error));
    }
    return COR_OK;
}

static enum cor_status begin_visit(struct search *s, size_t length, uint32_t state, uint32_t number) {
    COR_TRY(COR_RESERVE(&s->visits, &s->visit_capacity, length + 1, s->error));
    s->visits[length] = (struct visit){.state = state, .low = number};
    s->ways[state] = (struct way){VISITED, number, 0};
    return COR_OK;
}

/* What a step of the state leads to, which was met. */
static void add_step(struct search *s, struct visit *visit, uint32_t to) {
    const uint32_t movers = s->stepper.mover_count;
    const struct way *way = &s->ways[to];
    if (way->steps < VISITED) {
        visit->steps = way->steps + 1 > visit->steps ? way->steps + 1 : visit->steps;
        visit->moves = way->moves + movers > visit->moves ? way->moves + movers : visit->moves;
        visit->sum += way->value;
        return;
    }
    visit->steps = COR_UNBOUNDED;
    if (way->steps == VISITED) { /* it leads back here */
        s->flags[visit->state] |= LOOPS;
        visit->low = way->moves < visit->low ? way->moves : visit->low;
    } else
        s->flags[visit->state] |= s->flags[to] & HAS_WAY;
}

/* All steps of the state are known. */
static void end_visit(struct search *s, struct visit *visit) {
    struct cor_stabilized *found = s->found;
    const uint32_t state = visit->state;
    const uint64_t steps = visit->place - 1;
    found->is_certain = found->is_certain && steps <= 1;
    if (steps == 0) {
        found->a_dead_end = found->dead_ends++ == 0 || state < found->a_dead_end ? state : found->a_dead_end;
        visit->steps = COR_UNBOUNDED;
    }
    if (visit->moves > 0) /* of a step that leads to where all come back */
        s->flags[state] |= HAS_WAY;
}

/* The component of the state is complete: it is `members`. */
static void end_component(struct search *s, const struct visit *visit, const uint32_t *members,
                          uint32_t count) {
    struct cor_stabilized *found = s->found;
    uint8_t all = 0;
    for (uint32_t m = 0; m < count; m++)
        all |= s->flags[members[m]] & (HAS_WAY | LOOPS);
    for (uint32_t m = count; m-- > 0;) {
        const uint32_t state = members[m];
        s->ways[state] = (struct way){COR_UNBOUNDED, COR_UNBOUNDED, 0};
        s->flags[state] |= all;
        s->order[s->order_count++] = state;
        found->in_loops += all & LOOPS ? 1 : 0;
        if (!(all & HAS_WAY) && found->lost++ == 0)
            found->a_lost = state;
    }
    if (visit->steps == COR_UNBOUNDED)
        return;
    const double value = found->has_draws ? 0 : 1 + visit->sum / (double)(visit->place - 1);
    s->ways[visit->state] = (struct way){visit->steps, visit->moves, value};
    s->value_sum += value;
    s->value_most = value > s->value_most ? value : s->value_most;
}

/* Goes in depth through what is outside, from a state on: the longest ways are known where it comes back
 * from, and by Tarjan (1972) the components, of which none can be left to one that is known later. */
static enum cor_status visit_from(struct search *s, uint32_t start, uint32_t *met) {
    uint32_t height = 0, *stack = s->queue;
    COR_TRY(begin_visit(s, 0, start, ++*met));
    stack[height++] = start;
    for (size_t length = 1; length > 0;) {
        struct visit *visit = &s->visits[length - 1];
        const uint32_t number = s->ways[visit->state].moves;
        uint32_t to;
        while ((to = step_at(&s->stepper, visit->state, &visit->place)) != COR_NO_NODE &&
               s->ways[to].steps != NOT_MET)
            add_step(s, visit, to);
        if (to != COR_NO_NODE) {
            visit->place--; /* this step is added when its end is known */
            COR_TRY(begin_visit(s, length++, to, ++*met));
            stack[height++] = to;
            continue;
        }
        end_visit(s, visit);
        if (visit->low == number) {
            uint32_t from = height - 1;
            while (stack[from] != visit->state)
                from--;
            end_component(s, visit, stack + from, height - from);
            height = from;
        } else
            visit[-1].low = visit->low < visit[-1].low ? visit->low : visit[-1].low;
        length--;
    }
    return COR_OK;
}

static enum cor_status measure(struct search *s) {
    struct cor_stabilized *found = s->found;
    uint32_t met = 0;
    found->is_certain = true;
    for (uint32_t state = 0; state < s->space->size; state++)
        if (is_outside(s, state))
            s->ways[state].steps = NOT_MET;
    for (uint32_t state = 0; state < s->space->size; state++) {
        if (state % 65536 == 0)
            COR_TRY(go_on(s, "ways back"));
        if (s->ways[state].steps == NOT_MET)
            COR_TRY(visit_from(s, state, &met));
    }
    double sum = 0;
    bool is_bounded = true;
    for (uint32_t state = 0; state < s->space->size; state++) {
        const uint32_t steps = s->ways[state].steps;
        is_bounded = is_bounded && steps != COR_UNBOUNDED;
        if (steps == COR_UNBOUNDED || s->flags[state] & PASSED)
            continue;
        sum += steps;
        if (steps > found->worst_steps || (steps == found->worst_steps && found->worst_states == 0)) {
            found->worst_steps = steps;
            found->worst_state = state;
            found->worst_states = 0;
        }
        found->worst_states += steps == found->worst_steps;
        if (s->ways[state].moves > found->worst_moves)
            found->worst_moves = s->ways[state].moves;
    }
    found->depth_count = found->worst_steps + 1;
    COR_TRY(cor_made(found->depth = cor_calloc(found->depth_count, sizeof *found->depth), s->error));
    for (uint32_t state = 0; state < s->space->size; state++) {
        const uint32_t steps = s->ways[state].steps;
        if (steps != COR_UNBOUNDED && !(s->flags[state] & PASSED))
            found->depth[steps]++;
    }
    for (uint32_t d = 1; d < found->depth_count; d++)
        found->depth[d] += found->depth[d - 1];
    found->mean_steps = sum / found->asked;
    if (!is_bounded)
        found->worst_steps = found->worst_moves = COR_UNBOUNDED;
    found->holds[COR_FAIRNESS_UNFAIR] = is_bounded;
    return COR_OK;
}

/* ---- fairness */

/* Of the members of a component: who moves within, who can everywhere, who can somewhere. */
struct turns {
    uint64_t move, always, sometimes;
    bool is_loop;
};

static struct turns turns_of(struct search *s, uint32_t k) {
    const struct cor_components *c = &s->components;
    struct turns turns = {.always = ~UINT64_C(0)};
    for (uint32_t m = c->first[k]; m < c->first[k + 1]; m++) {
        begin(&s->stepper, c->members[m]);
        turns.always &= s->stepper.enabled;
        turns.sometimes |= s->stepper.enabled;
        for (uint32_t to; (to = step(&s->stepper)) != COR_NO_NODE;)
            if (s->flags[to] & ACTIVE && c->of[to] == k) {
                turns.move |= s->stepper.movers;
                turns.is_loop = true;
            }
    }
    return turns;
}

/* The greatest fairness with which a loop through active states is left, whose components are known; NEVER:
 * there is no loop. Then its states alone are active: one component. Streett's recursion, all components at
 * once: who can move somewhere and never does within would be treated unfairly, so where he can nobody stays.
 */
static enum cor_status find_fair(struct search *s, enum cor_fairness *fairness) {
    const struct cor_components *c = &s->components;
    uint32_t chosen = COR_NO_NODE, any = COR_NO_NODE, weak = COR_NO_NODE;
    bool is_first = true;
    uint8_t *kept = NULL; /* what is active for the fairness found so far */
    enum cor_status status = COR_OK;
    *fairness = COR_FAIRNESS_NEVER;
    for (bool is_left = true; is_left && chosen == COR_NO_NODE; is_first = false) {
        is_left = false;
        if (!is_first)
            COR_TRY_OUT(find_components(s, "fairness"));
        for (uint32_t k = 0; k < c->count && chosen == COR_NO_NODE; k++) {
            const struct turns turns = turns_of(s, k);
            const uint64_t wronged = turns.sometimes & ~turns.move & s->space->owed;
            if (turns.is_loop && wronged == 0)
                chosen = k;
            if (is_first && turns.is_loop && any == COR_NO_NODE)
                any = k;
            if (is_first && turns.is_loop && weak == COR_NO_NODE &&
                (turns.always & ~turns.move & s->space->owed) == 0)
                weak = k;
        }
        if (is_first && chosen == COR_NO_NODE && any != COR_NO_NODE) {
            COR_TRY_OUT(cor_made(kept = cor_calloc(s->space->size, 1), s->error));
            const uint32_t best = weak != COR_NO_NODE ? weak : any;
            for (uint32_t m = c->first[best]; m < c->first[best + 1]; m++)
                kept[c->members[m]] = 1;
            *fairness = weak != COR_NO_NODE ? COR_FAIRNESS_WEAK : COR_FAIRNESS_UNFAIR;
        }
        for (uint32_t k = 0; k < c->count && chosen == COR_NO_NODE; k++) {
            const struct turns turns = turns_of(s, k);
            const uint64_t wronged = turns.sometimes & ~turns.move & s->space->owed;
            for (uint32_t m = c->first[k]; m < c->first[k + 1]; m++) {
                begin(&s->stepper, c->members[m]);
                if (!turns.is_loop || s->stepper.enabled & wronged)
                    s->flags[c->members[m]] |= GONE; /* others are to be asked before it goes */
                else
                    is_left = true;
            }
        }
        for (uint32_t state = 0; state < s->space->size; state++)
            if (s->flags[state] & GONE)
                s->flags[state] &= (uint8_t) ~(GONE | ACTIVE);
    }
    if (chosen != COR_NO_NODE)
        *fairness = COR_FAIRNESS_STRONG;
    for (uint32_t state = 0; state < s->space->size; state++) {
        const bool is_it = chosen != COR_NO_NODE ? c->of[state] == chosen : kept && kept[state];
        s->flags[state] = (uint8_t)(is_it ? s->flags[state] | ACTIVE : s->flags[state] & ~ACTIVE);
    }
out:
    free(kept);
    return status;
}

/* ---- loops */

/* From a state, through active ones, within `most` steps, to a state (or, COR_NO_NODE, to one in which
 * somebody of `movers` moves within, or can not move if `rests`): *end; COR_NO_NODE: not so near. `s->from`
 * leads back. */
static void seek(struct search *s, uint32_t start, uint32_t goal, uint64_t movers, bool rests, uint32_t most,
                 uint32_t *end, uint32_t *length) {
    uint32_t head = 0, tail = 0, depth = 0, level_end;
    *end = COR_NO_NODE;
    s->queue[tail++] = start;
    level_end = tail;
    s->flags[start] |= GONE;
    s->from[start] = COR_NO_NODE;
    while (head < tail && *end == COR_NO_NODE) {
        if (head == level_end) {
            level_end = tail;
            if (++depth >= most)
                break;
        }
        const uint32_t state = s->queue[head++];
        begin(&s->stepper, state);
        if (goal == COR_NO_NODE && rests && (s->stepper.enabled & movers) == 0) {
            *end = state;
            break;
        }
        for (uint32_t to; (to = step(&s->stepper)) != COR_NO_NODE && *end == COR_NO_NODE;) {
            s->sought++;
            if (!(s->flags[to] & ACTIVE))
                continue;
            if (goal != COR_NO_NODE ? to == goal : (s->stepper.movers & movers) != 0)
                *end = state;
            else if (!(s->flags[to] & GONE)) {
                s->flags[to] |= GONE;
                s->from[to] = state;
                s->queue[tail++] = to;
            }
        }
    }
    *length = depth + 1;
    for (uint32_t i = 0; i < tail; i++)
        s->flags[s->queue[i]] &= (uint8_t)~GONE;
}

/* Who moves from one state to another: of several such steps one in which somebody of `wanted` does, else the
 * first. */
static uint64_t movers_between(struct search *s, uint32_t state, uint32_t to, uint64_t wanted) {
    uint64_t movers = 0;
    begin(&s->stepper, state);
    for (uint32_t at; (at = step(&s->stepper)) != COR_NO_NODE;)
        if (at == to && (movers == 0 || (!(movers & wanted) && s->stepper.movers & wanted)))
            movers = s->stepper.movers;
    return movers;
}

/* Adds the way that `from` tells, from its beginning to `end`, without that; nobody moves so far. */
static enum cor_status add_way(struct search *s, struct cor_space_run *turns, uint32_t end) {
    uint32_t length = 0;
    for (uint32_t at = end; s->from[at] != COR_NO_NODE; at = s->from[at])
        s->queue[length++] = s->from[at];
    while (length > 0)
        COR_TRY(add_turn(s, turns, s->queue[--length], 0));
    return COR_OK;
}

/* Whom a loop wrongs: who can move in all of its states, or (strong) in one, and does in no step. */
static uint64_t wronged_by(struct search *s, const struct cor_space_run *loop, enum cor_fairness fairness) {
    uint64_t always = ~UINT64_C(0), sometimes = 0, move = 0;
    for (uint32_t i = 0; i < loop->count; i++) {
        begin(&s->stepper, loop->items[i].state);
        always &= s->stepper.enabled;
        sometimes |= s->stepper.enabled;
        move |= loop->items[i].movers;
    }
    move |= ~s->space->owed;
    return fairness == COR_FAIRNESS_STRONG ? sometimes & ~move
           : fairness == COR_FAIRNESS_WEAK ? always & ~move
                                           : 0;
}

static void put_movers(struct search *s, struct cor_space_run *turns, uint64_t wanted) {
    for (uint32_t i = 0; i < turns->count; i++)
        if (turns->items[i].movers == 0)
            turns->items[i].movers =
                movers_between(s, turns->items[i].state, turns->items[(i + 1) % turns->count].state, wanted);
}

/* A loop through the active states, which are one component: the shortest, if it is as fair as it may be;
 * else from its first state to each who is wronged, and back. */
static enum cor_status find_loop(struct search *s, enum cor_fairness fairness, struct cor_space_run *loop,
                                 uint32_t *shortest, bool *is_shortest) {
    uint32_t best = UINT32_MAX, first = COR_NO_NODE, end, length;
    s->sought = 0;
    for (uint32_t state = 0; state < s->space->size && best > 1; state++) {
        if (!(s->flags[state] & ACTIVE))
            continue;
        if (state % 1024 == 0)
            COR_TRY(go_on(s, "the shortest loop"));
        if (first != COR_NO_NODE && s->sought > s->question->sought_most)
            break;
        if (first == COR_NO_NODE)
            s->sought = 0; /* one is found, however long that takes: the states are one component */
        seek(s, state, state, 0, false, best - 1, &end, &length);
        if (end == COR_NO_NODE)
            continue;
        best = length;
        first = state;
        loop->count = 0;
        COR_TRY(add_way(s, loop, end));
        COR_TRY(add_turn(s, loop, end, 0));
    }
    *is_shortest = s->sought <= s->question->sought_most;
    *shortest = best;
    loop->is_loop = true;
    put_movers(s, loop, ~UINT64_C(0));
    s->sought = 0;
    for (uint64_t wronged; (wronged = wronged_by(s, loop, fairness)) != 0;) {
        /* On to where the first who is wronged moves (or rests), and back to the beginning. */
        const uint64_t one = wronged & (~wronged + 1);
        const uint32_t beginning = loop->items[0].state;
        seek(s, beginning, COR_NO_NODE, one, fairness == COR_FAIRNESS_WEAK, UINT32_MAX, &end, &length);
        COR_ASSERT(end != COR_NO_NODE);
        COR_TRY(add_way(s, loop, end));
        begin(&s->stepper, end);
        uint32_t to = COR_NO_NODE;
        while (s->stepper.enabled & one && (to = step(&s->stepper)) != COR_NO_NODE)
            if (s->flags[to] & ACTIVE && s->stepper.movers & one)
                break;
        if (to != COR_NO_NODE)
            COR_TRY(add_turn(s, loop, end, s->stepper.movers));
        else
            to = end;
        if (to != beginning) {
            seek(s, to, beginning, 0, false, UINT32_MAX, &end, &length);
            COR_ASSERT(end != COR_NO_NODE);
            COR_TRY(add_way(s, loop, end));
            COR_TRY(add_turn(s, loop, end, 0));
        }
        put_movers(s, loop, one);
        s->sought = 0;
    }
    return COR_OK;
}

/* The longest way from a state, in steps or in moves, as they are known. */
static enum cor_status find_longest(struct search *s, bool in_moves, uint32_t state,
                                    struct cor_space_run *turns) {
    while (!(s->flags[state] & STABLE)) {
        uint32_t to;
        begin(&s->stepper, state);
        while ((to = step(&s->stepper)) != COR_NO_NODE) {
            const struct way *way = &s->ways[state], *rest = &s->ways[to];
            if (in_moves ? way->moves == rest->moves + s->stepper.mover_count : way->steps == rest->steps + 1)
                break;
        }
        COR_ASSERT(to != COR_NO_NODE);
        COR_TRY(add_turn(s, turns, state, s->stepper.movers));
        state = to;
    }
    return add_turn(s, turns, state, 0);
}

/* ---- rounds: states with those who have not had their turn in this one. Such a pair has the number of its
 * state's first, and behind it the set, as bits of those who can move there */

struct rounds {
    struct search *search;
    uint32_t *first;   /* owned; [state + 1] */
    uint64_t *enabled; /* owned; [state] */
    uint32_t state;    /* of the node asked for last, */
    uint64_t left;     /* and its set */
    uint32_t node;
};

static uint32_t pack(uint64_t set, uint64_t enabled) {
    uint32_t packed = 0, bit = 0;
    for (; enabled != 0; enabled &= enabled - 1, bit++)
        packed |= (uint32_t)(set >> __builtin_ctzll(enabled) & 1) << bit;
    return packed;
}

static uint64_t unpack(uint32_t packed, uint64_t enabled) {
    uint64_t set = 0;
    for (; enabled != 0; enabled &= enabled - 1, packed >>= 1)
        set |= packed & 1 ? enabled & (~enabled + 1) : 0;
    return set;
}

static uint32_t whole_round(const struct rounds *r, uint32_t state) {
    return r->first[state] + pack(r->enabled[state], r->enabled[state]);
}

static void look_at(struct rounds *r, uint32_t node) {
    uint32_t low = 0, high = r->search->space->size;
    if (r->node == node)
        return;
    while (high - low > 1) { /* the last state that begins there or before; those without nodes are none */
        const uint32_t middle = low + (high - low) / 2;
        if (r->first[middle] <= node)
            low = middle;
        else
            high = middle;
    }
    r->node = node;
    r->state = low;
    r->left = unpack(node - r->first[low], r->enabled[low]);
}

/* Of the step taken last, which leads to a state outside. */
static uint32_t node_behind(const struct rounds *r, uint32_t to, bool *is_over) {
    const uint64_t left = r->left & ~r->search->stepper.movers & r->enabled[to];
    *is_over = left == 0;
    return *is_over ? whole_round(r, to) : r->first[to] + pack(left, r->enabled[to]);
}

static uint32_t next_turns(void *self, uint32_t node, uint64_t *place) {
    struct rounds *r = self;
    struct search *s = r->search;
    bool is_over;
    uint32_t to;
    look_at(r, node);
    while ((to = step_at(&s->stepper, r->state, place)) != COR_NO_NODE && s->flags[to] & STABLE)
        ;
    return to == COR_NO_NODE ? COR_NO_NODE : node_behind(r, to, &is_over);
}

static uint32_t longer(uint32_t most, uint32_t rest, uint32_t by) {
    return most == COR_UNBOUNDED || rest == COR_UNBOUNDED ? COR_UNBOUNDED
           : most > rest + by                             ? most
                                                          : rest + by;
}

/* Rounds that begin behind each node; COR_UNBOUNDED where a round ends within a component. */
static enum cor_status weigh(struct rounds *r, const struct cor_components *c, uint32_t *behind) {
    struct search *s = r->search;
    bool is_over;
    for (uint32_t k = 0; k < c->count; k++) {
        uint32_t most = 0;
        if (k % 65536 == 0)
            COR_TRY(go_on(s, "rounds"));
        for (uint32_t m = c->first[k]; m < c->first[k + 1]; m++) {
            look_at(r, c->members[m]);
            begin(&s->stepper, r->state);
            for (uint32_t to; (to = step(&s->stepper)) != COR_NO_NODE;) {
                if (s->flags[to] & STABLE)
                    continue;
                const uint32_t node = node_behind(r, to, &is_over);
                if (c->of[node] != k)
                    most = longer(most, behind[node], is_over);
                else if (is_over)
                    most = COR_UNBOUNDED;
            }
        }
        for (uint32_t m = c->first[k]; m < c->first[k + 1]; m++)
            behind[c->members[m]] = most;
    }
    return COR_OK;
}

static enum cor_status find_rounds(struct search *s) {
    struct cor_stabilized *found = s->found;
    const uint32_t size = s->space->size;
    struct rounds r = {.search = s, .node = COR_NO_NODE};
    struct cor_components c = {0};
    uint32_t *behind = NULL;
    uint64_t nodes = 0;
    enum cor_status status = COR_OK;
    r.first = cor_calloc((size_t)size + 1, sizeof *r.first);
    r.enabled = cor_calloc(size, sizeof *r.enabled);
    COR_TRY_OUT(r.first && r.enabled ? COR_OK : cor_fail_memory(s->error));
    for (uint32_t state = 0; state < size; state++) {
        r.first[state] = (uint32_t)nodes;
        if (!is_outside(s, state))
            continue;
        begin(&s->stepper, state);
        r.enabled[state] = s->stepper.enabled & s->space->owed;
        nodes += UINT64_C(1) << (s->stepper.count < 32 ? s->stepper.count : 32);
        if (nodes > s->question->round_nodes_most)
            goto out;
    }
    r.first[size] = (uint32_t)nodes;
    COR_TRY_OUT(cor_made(behind = cor_calloc(nodes, sizeof *behind), s->error));
    COR_TRY_OUT(cor_components_init(&c, (uint32_t)nodes, s->error));
    s->stepper.taken = UINT64_MAX;
    for (uint32_t state = 0; state < size; state++) {
        if (state % 4096 == 0)
            COR_TRY_OUT(go_on(s, "rounds"));
        if (is_outside(s, state))
            COR_TRY_OUT(cor_components_visit(&c, whole_round(&r, state), next_turns, &r, s->error));
    }
    COR_TRY_OUT(weigh(&r, &c, behind));
    found->has_rounds = true;
    for (uint32_t state = 0; state < size; state++)
        if (is_outside(s, state))
            found->worst_rounds = longer(found->worst_rounds, behind[whole_round(&r, state)], 1);
    if (found->dead_ends > 0)
        found->worst_rounds = COR_UNBOUNDED;
    /* A round that ends again and again is the same as a loop that is weakly fair. */
    COR_ASSERT((found->worst_rounds == COR_UNBOUNDED) == !found->holds[COR_FAIRNESS_WEAK]);
out:
    cor_components_fini(&c);
    free(r.first);
    free(r.enabled);
    free(behind);
    return status;
}

/* ---- chance */

/* One step more of the expected steps of a state: without draws each step is equally likely, with them the
 * worst choice counts. */
static double better_value(struct search *s, uint32_t state) {
    struct stepper *steps = &s->stepper;
    double sum = 0, most = 0;
    uint64_t count = 0;
    uint32_t to;
    if (is_listed(steps)) {
        const uint32_t *first = &steps->known->first[state];
        for (uint32_t m = first[0]; m < first[1]; m++)
            sum += s->ways[state + (uint32_t)steps->known->moves[m].by].value;
        return 1 + sum / (first[1] - first[0]);
    }
    for (uint64_t place = 0; (to = step_at(steps, state, &place)) != COR_NO_NODE;) {
        sum += s->ways[to].value;
        count++;
        bool is_last = s->found->has_draws;
        for (uint32_t a = 0; a < steps->count && is_last && steps->draws > 0; a++)
            is_last = steps->choice[a] == 0 || steps->outcome[a] + 1 == move_of(steps, a)->outcome_count;
        if (is_last) {
            most = fmax(most, sum / (double)count);
            sum = 0;
            count = 0;
        }
    }
    return 1 + (s->found->has_draws ? most : sum / (double)count);
}

/* Until one step more changes so little (d) that the value v lies within d v / (1 - d): by the steps that are
 * expected the changes of all that follow add up. In the order of the ways back; each value is moved further
 * than that changes it (successive over-relaxation), as long as changes get smaller by it. Where there is no
 * loop, and no draw, values were known with the ways. */
static enum cor_status expect(struct search *s) {
    struct cor_stabilized *found = s->found;
    const uint32_t size = s->space->size;
    if (found->holds[COR_FAIRNESS_UNFAIR] && !found->has_draws) {
        found->expected_worst = s->value_most;
        found->expected_mean = s->value_sum / found->asked;
        found->expected_error = 0;
        return COR_OK;
    }
    double further = FURTHER, change_before = INFINITY;
    for (uint64_t sweep = 0; sweep < SWEEPS_MOST && sweep * size < VALUES_MOST; sweep++) {
        double change = 0, most = 0, sum = 0;
        if (sweep % 16 == 0)
            COR_TRY(go_on(s, "chance"));
        const bool is_look = sweep % 8 == 1; /* values stay */
        for (uint32_t i = 0; i < s->order_count; i++) {
            const uint32_t state = s->order[i];
            struct way *way = &s->ways[state];
            const double value = better_value(s, state);
            const double by = value - way->value;
            change = fabs(by) > change ? fabs(by) : change;
            if (!is_look)
                way->value = value + further * by;
            sum += way->value;
            most = way->value > most ? way->value : most;
        }
        if (!is_look)
            continue;
        further = change > change_before ? 0 : further;
        change_before = change;
        if (change >= 1)
            continue;
        found->expected_worst = most;
        found->expected_mean = sum / found->asked;
        found->expected_error = change * most / (1 - change);
        if (found->expected_error <= EXACT)
            break;
    }
    return COR_OK;
}

/* Of the active states those in which a daemon has, again and again, a choice all outcomes of which are such
 * states (or nobody can move, unless all is to go on): no other is active then, and no other choice is looked
 * at. How many there are. */
static enum cor_status find_stays(struct search *s, bool goes_on, uint32_t *count) {
    const uint32_t size = s->space->size;
    *count = 0;
    s->stepper.flags = s->flags;
    s->stepper.kept = STAYS;
    for (uint32_t state = 0; state < size; state++)
        s->flags[state] =
            (uint8_t)(s->flags[state] & ACTIVE ? s->flags[state] | STAYS : s->flags[state] & ~STAYS);
    for (uint32_t gone = 1, pass = 0; gone > 0; pass++) {
        gone = 0;
        COR_TRY(go_on(s, "where a daemon can stay"));
        for (uint32_t i = 0; i < size; i++) {
            const uint32_t state = pass % 2 ? size - 1 - i : i;
            if (!(s->flags[state] & ACTIVE))
                continue;
            begin(&s->stepper, state);
            if ((s->stepper.count > 0 || goes_on) && step(&s->stepper) == COR_NO_NODE) {
                s->flags[state] &= (uint8_t) ~(STAYS | ACTIVE);
                gone++;
            }
        }
    }
    for (uint32_t state = 0; state < size; state++)
        *count += s->flags[state] & ACTIVE ? 1 : 0;
    return COR_OK;
}

/* ---- conditions that are to be met again and again */

/* By chance a component of the active states that no step leaves is where all ends; where a daemon can stay
 * whatever is drawn, it can go through all of it. Active is that one then. */
static enum cor_status find_bottom(struct search *s, enum cor_fairness *fairness) {
    const struct cor_components *c = &s->components;
    *fairness = COR_FAIRNESS_NEVER;
    for (uint32_t k = 0; k < c->count; k++) {
        bool is_left = false;
        for (uint32_t m = c->first[k]; m < c->first[k + 1] && !is_left; m++) {
            begin(&s->stepper, c->members[m]);
            for (uint32_t to; (to = step(&s->stepper)) != COR_NO_NODE && !is_left;)
                is_left = c->of[to] != k;
        }
        if (is_left)
            continue;
        *fairness = COR_FAIRNESS_CHANCE;
        for (uint32_t state = 0; state < s->space->size; state++)
            if (c->of[state] != k)
                s->flags[state] &= (uint8_t)~ACTIVE;
        break;
    }
    return COR_OK;
}

static enum cor_status find_again(struct search *s) {
    struct cor_stabilized *found = s->found;
    for (uint32_t a = 0; a < s->question->again_count && found->again_failing == COR_UNBOUNDED; a++) {
        const uint64_t *met = s->question->again[a];
        enum cor_fairness fairness;
        uint32_t shortest, count;
        bool is_shortest;
        for (uint32_t state = 0; state < s->space->size; state++) {
            const bool is_it = s->flags[state] & STABLE && !(met[state / 64] >> state % 64 & 1);
            s->flags[state] = (uint8_t)(is_it ? s->flags[state] | ACTIVE : s->flags[state] & ~ACTIVE);
            begin(&s->stepper, state);
            if (is_it && s->stepper.count == 0 && found->again_dead_ends++ == 0)
                found->again_dead_end = state;
        }
        if (found->again_dead_ends > 0) {
            found->again_failing = a;
            break;
        }
        const bool is_chance = s->question->fairness == COR_FAIRNESS_CHANCE;
        const bool is_bottom =
            is_chance || (found->has_draws && s->question->fairness == COR_FAIRNESS_UNFAIR);
        if (found->has_draws)
            COR_TRY(find_stays(s, false, &count));
        COR_TRY(find_components(s, "what is to be met again"));
        COR_TRY(is_bottom ? find_bottom(s, &fairness) : find_fair(s, &fairness));
        if (fairness != COR_FAIRNESS_NEVER && fairness >= s->question->fairness) {
            if (found->has_draws && !is_bottom)
                found->again_open = true;
            else {
                found->again_failing = a;
                COR_TRY(find_loop(s, is_bottom ? COR_FAIRNESS_UNFAIR : fairness, &found->again_loop,
                                  &shortest, &is_shortest));
            }
        }
        s->stepper.kept = 0;
    }
    return COR_OK;
}

/* ---- all of it */

/* The fairest loop through active states, whose components are known. */
static enum cor_status take_loop(struct search *s, enum cor_fairness *fairness) {
    struct cor_stabilized *found = s->found;
    uint32_t length;
    bool is_shortest;
    COR_TRY(find_components(s, "fairness"));
    COR_TRY(find_fair(s, fairness));
    found->loop_fairness = *fairness;
    if (*fairness == COR_FAIRNESS_NEVER ||
        (found->loop.count > 0 && wronged_by(s, &found->loop, *fairness) == 0))
        return COR_OK;
    found->loop.count = 0;
    return find_loop(s, *fairness, &found->loop, &length, &is_shortest);
}

static enum cor_status look_for_loops(struct search *s) {
    struct cor_stabilized *found = s->found;
    enum cor_fairness fairness = COR_FAIRNESS_NEVER, drawn;
    uint32_t count, length;
    bool is_shortest;
    if (found->in_loops > 0) {
        activate(s, LOOPS, STABLE);
        COR_TRY(find_loop(s, COR_FAIRNESS_UNFAIR, &found->loop, &found->shortest, &found->is_shortest));
        activate(s, LOOPS, STABLE);
        COR_TRY(take_loop(s, &fairness));
    }
    for (int f = COR_FAIRNESS_WEAK; f <= COR_FAIRNESS_STRONG; f++)
        found->holds[f] =
            found->dead_ends == 0 && (fairness == COR_FAIRNESS_NEVER || fairness < (enum cor_fairness)f);
    if (!found->has_draws)
        return COR_OK;
    /* What is drawn helps out of other loops than these. */
    activate(s, 0, STABLE);
    COR_TRY(find_stays(s, false, &found->can_stay));
    for (int f = COR_FAIRNESS_WEAK; f <= COR_FAIRNESS_STRONG; f++)
        found->open[f] = !found->holds[f] && found->dead_ends == 0 && found->lost == 0 && found->can_stay > 0;
    found->loop.count = 0;
    found->loop_fairness = COR_FAIRNESS_NEVER;
    COR_TRY(find_stays(s, true, &count));
    COR_TRY(find_components(s, "fairness"));
    COR_TRY(find_bottom(s, &drawn));
    if (drawn != COR_FAIRNESS_NEVER) {
        found->loop_fairness = COR_FAIRNESS_UNFAIR;
        COR_TRY(find_loop(s, COR_FAIRNESS_UNFAIR, &found->loop, &length, &is_shortest));
    }
    s->stepper.kept = 0;
    return COR_OK;
}

static enum cor_status search_all(struct search *s) {
    struct cor_stabilized *found = s->found;
    const uint32_t size = s->space->size;
    s->flags = cor_calloc(size, sizeof *s->flags);
    s->ways = cor_calloc(size, sizeof *s->ways);
    s->near = cor_calloc(NEAR_SLOTS, sizeof *s->near);
    s->from = cor_calloc(size, sizeof *s->from);
    s->queue = cor_calloc(size, sizeof *s->queue);
    s->order = cor_calloc(size, sizeof *s->order);
    COR_TRY(s->flags && s->ways && s->near && s->from && s->queue && s->order ? COR_OK
                                                                              : cor_fail_memory(s->error));
    COR_TRY(find_stable(s));
    s->stepper.near = s->near;
    COR_TRY(measure(s));
    s->stepper.near = NULL;
    free(s->visits);
    s->visits = NULL;
    COR_TRY(look_for_loops(s));
    COR_TRY(find_rounds(s));
    found->holds[COR_FAIRNESS_CHANCE] = found->lost == 0 && found->can_stay == 0;
    while (found->from < COR_FAIRNESS_NEVER && !found->holds[found->from])
        found->from++;
    if (found->holds[COR_FAIRNESS_CHANCE] && found->outside > 0)
        COR_TRY(expect(s));
    if (found->holds[COR_FAIRNESS_UNFAIR]) {
        uint32_t most = s->flags[0] & PASSED ? found->worst_state : 0;
        COR_TRY(find_longest(s, false, found->worst_state, &found->worst));
        for (uint32_t state = 0; state < size; state++)
            if (is_outside(s, state) && s->ways[state].moves > s->ways[most].moves)
                most = state;
        COR_TRY(find_longest(s, true, most, &found->worst_by_moves));
    }
    return find_again(s);
}

enum cor_status cor_stabilize(const struct cor_space *space, const struct cor_stabilize_question *question,
                              struct cor_stabilized *found, struct cor_error *error) {
    *found = (struct cor_stabilized){.a_dead_end = COR_UNBOUNDED,
                                     .again_failing = COR_UNBOUNDED,
                                     .expected_worst = NAN,
                                     .expected_mean = NAN,
                                     .expected_error = NAN};
    struct search *s = cor_calloc(1, sizeof *s);
    COR_TRY(cor_made(s, error));
    COR_ASSERT(space->size > 0 && space->size <= COR_SPACE_STATES_MAX &&
               space->actor_count <= COR_SPACE_ACTORS_MAX);
    s->space = s->stepper.space = space;
    s->stepper.daemon = question->daemon;
    s->question = question;
    s->found = found;
    s->error = error;
    const enum cor_status status = search_all(s);
    cor_components_fini(&s->components);
    free(s->flags);
    free(s->ways);
    free(s->near);
    free(s->visits);
    free(s->from);
    free(s->queue);
    free(s->order);
    free(s->known.first);
    free(s->known.moves);
    free(s);
    return status;
}

void cor_stabilized_fini(struct cor_stabilized *found) {
    free(found->depth);
    free(found->worst.items);
    free(found->worst_by_moves.items);
    free(found->loop.items);
    free(found->leave.items);
    free(found->again_loop.items);
    found->depth = NULL;
    found->worst = found->worst_by_moves = found->loop = found->leave = found->again_loop =
        (struct cor_space_run){0};
}
