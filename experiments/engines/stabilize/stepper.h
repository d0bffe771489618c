/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps of a state, one after the other. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_STABILIZE_STEPPER_H
#define CORRIDOR_EXPERIMENTS_ENGINES_STABILIZE_STEPPER_H

#include <corridor/stabilize.h>

#include <corridor/components.h>

#define BIT(actor) (UINT64_C(1) << (actor))

/* The way through them: digits of the actors that can move, each none or one of its moves, and of those in
 * the step each one of its outcomes. */
struct stepper {
    const struct cor_space *space;
    enum cor_daemon daemon;
    const uint8_t *flags; /* [state]; a choice is passed over of which an outcome lacks all of these: */
    uint8_t kept;         /* 0: none is */
    uint32_t state;
    struct cor_space_moves moves;
    uint32_t count;                           /* actors that can move, */
    uint32_t first[COR_SPACE_ACTORS_MAX + 1]; /* the moves of each, */
    uint32_t choice[COR_SPACE_ACTORS_MAX];    /* its move, from 1; 0: it does not, */
    uint32_t outcome[COR_SPACE_ACTORS_MAX];   /* and what comes of it */
    uint64_t enabled, movers;                 /* bit a: actor a */
    bool is_begun, is_over, is_drawn;         /* is_drawn: the step has outcomes that are left */
    uint64_t taken;                           /* steps so far */
};

/* Of the moves that are there. */
static inline void begin_moves(struct stepper *s) {
    s->count = 0;
    s->enabled = s->movers = s->taken = 0;
    for (uint32_t m = 0; m < s->moves.count; m++) {
        if (m == 0 || s->moves.items[m].actor != s->moves.items[m - 1].actor)
            s->first[s->count++] = m;
        s->enabled |= BIT(s->moves.items[m].actor);
    }
    s->first[s->count] = s->moves.count;
    s->is_begun = s->is_drawn = false;
    s->is_over = s->count == 0;
}

static inline void begin(struct stepper *s, uint32_t state) {
    s->state = state;
    s->moves.count = 0;
    s->space->moves(s->space->self, state, &s->moves);
    begin_moves(s);
}

static inline const struct cor_space_move *move_of(const struct stepper *s, uint32_t a) {
    return &s->moves.items[s->first[a] + s->choice[a] - 1];
}

/* The next choice of the daemon; false: there is none. */
static inline bool choose_next(struct stepper *s) {
    const uint32_t least = s->daemon == COR_DAEMON_SYNCHRONOUS;
    uint32_t a = 0;
    if (!s->is_begun) {
        for (a = 0; a < s->count; a++)
            s->choice[a] = least;
        s->choice[0] = 1;
        s->is_begun = true;
    } else if (s->daemon == COR_DAEMON_CENTRAL) {
        while (s->choice[a] == 0)
            a++;
        if (s->choice[a] < s->first[a + 1] - s->first[a])
            s->choice[a]++;
        else {
            s->choice[a] = 0;
            if (a + 1 == s->count)
                return false;
            s->choice[a + 1] = 1;
        }
    } else {
        for (a = 0; a < s->count && s->choice[a] == s->first[a + 1] - s->first[a]; a++)
            s->choice[a] = least;
        if (a == s->count)
            return false;
        s->choice[a]++;
    }
    s->movers = 0;
    s->is_drawn = false;
    for (a = 0; a < s->count; a++) {
        s->outcome[a] = 0;
        if (s->choice[a] > 0) {
            s->movers |= BIT(move_of(s, a)->actor);
            s->is_drawn = s->is_drawn || move_of(s, a)->outcome_count > 1;
        }
    }
    return true;
}

/* The next outcome of what was chosen; false: there is none. */
static inline bool draw_next(struct stepper *s) {
    for (uint32_t a = 0; a < s->count; a++) {
        if (s->choice[a] == 0)
            continue;
        if (++s->outcome[a] < move_of(s, a)->outcome_count)
            return true;
        s->outcome[a] = 0;
    }
    return false;
}

static inline uint32_t target(const struct stepper *s) {
    int64_t state = s->state;
    for (uint32_t a = 0; a < s->count; a++)
        if (s->choice[a] > 0)
            state += move_of(s, a)->by[s->outcome[a]];
    return (uint32_t)state;
}

/* Can a choice lead where those flags are not? Its outcomes begin again then. */
static inline bool leads_elsewhere(struct stepper *s) {
    bool does = false;
    do
        does = does || !(s->flags[target(s)] & s->kept);
    while (s->is_drawn && draw_next(s));
    return does;
}

/* The next step; false: there is none any more. */
static inline bool next_step(struct stepper *s) {
    if (s->is_over)
        return false;
    s->taken++;
    if (s->is_begun && s->is_drawn && draw_next(s))
        return true;
    do
        if (!choose_next(s)) {
            s->is_over = true;
            return false;
        }
    while (s->kept && leads_elsewhere(s));
    return true;
}

/* Where it leads to; COR_NO_NODE: there is none. */
static inline uint32_t step(struct stepper *s) {
    return next_step(s) ? target(s) : COR_NO_NODE;
}

/* The step number *place of a state, from 0. */
static inline uint32_t step_at(struct stepper *s, uint32_t state, uint64_t *place) {
    if (s->state != state || s->taken != *place) {
        begin(s, state);
        while (s->taken < *place && step(s) != COR_NO_NODE)
            ;
    }
    ++*place;
    return step(s);
}

static inline uint64_t count_steps(const struct stepper *s) {
    uint64_t all = s->daemon == COR_DAEMON_CENTRAL ? 0 : s->count > 0;
    for (uint32_t a = 0; a < s->count; a++) {
        uint64_t its = 0;
        for (uint32_t m = s->first[a]; m < s->first[a + 1]; m++)
            its += s->moves.items[m].outcome_count;
        all =
            s->daemon == COR_DAEMON_CENTRAL ? all + its : all * (its + (s->daemon == COR_DAEMON_DISTRIBUTED));
    }
    return all - (s->daemon == COR_DAEMON_DISTRIBUTED && s->count > 0);
}

#endif
