/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps of a state, one after the other. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_STABILIZE_STEPPER_H
#define CORRIDOR_EXPERIMENTS_ENGINES_STABILIZE_STEPPER_H

#include <corridor/stabilize.h>

#include <corridor/components.h>

#define BIT(actor) (UINT64_C(1) << (actor))

/* What states can do, without draws, where it is kept: moves of state s are moves[first[s]] .. */
struct stepper_known {
    uint32_t *first;
    struct stepper_move {
        int32_t by;
        uint8_t actor;
    } * moves;
};

/* What some states can do, which a search in depth comes back to soon, in a slot by the state's number. */
#define NEAR_SLOTS 1024u
#define NEAR_MOVES 15u
struct stepper_near {
    uint32_t state, count; /* one more than moves; 0: nothing is there */
    struct stepper_move moves[NEAR_MOVES];
};

/* The way through them: digits of the actors that can move, each none or one of its moves, and of those in
 * the step each one of its outcomes. */
struct stepper {
    const struct cor_space *space;
    const struct stepper_known *known; /* NULL: the space is asked, */
    struct stepper_near *near;         /* unless it is there; [NEAR_SLOTS]; may be NULL */
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
    uint32_t mover_count;
    int64_t to;     /* where the step leads to */
    uint32_t draws; /* moves in it that have several outcomes */
    bool is_begun, is_over;
    uint32_t at;    /* who moves of a central daemon */
    uint64_t taken; /* steps so far */
    /* Where nothing is drawn, and of a daemon that is not central each actor has one move, a step is known by
     * its number, whose bits are who moves: with the next number bit a comes, and those below it go. */
    bool is_plain;
    uint64_t last;                       /* steps there are */
    int32_t add[COR_SPACE_ACTORS_MAX];   /* what that adds to the state's number, */
    uint64_t flip[COR_SPACE_ACTORS_MAX]; /* and whose turn changes */
};

static inline void begin_plain(struct stepper *s) {
    int32_t below = 0;
    s->to = s->state;
    s->last = s->daemon == COR_DAEMON_CENTRAL ? s->moves.count : (UINT64_C(1) << s->count) - 1;
    for (uint32_t a = 0; a < s->count && s->daemon != COR_DAEMON_CENTRAL; a++) {
        const struct cor_space_move *move = &s->moves.items[a];
        s->add[a] = move->by[0] - below;
        below += move->by[0];
        s->flip[a] = BIT(move->actor) | (a > 0 ? s->flip[a - 1] : 0);
    }
    if (s->daemon != COR_DAEMON_SYNCHRONOUS)
        return;
    s->add[0] = below;
    s->flip[0] = s->enabled;
    s->last = s->count > 0;
}

/* Of the moves that are there. */
static inline void begin_moves(struct stepper *s) {
    s->count = 0;
    s->enabled = s->movers = s->taken = s->mover_count = 0;
    s->is_plain = s->kept == 0;
    for (uint32_t m = 0; m < s->moves.count; m++) {
        const struct cor_space_move *move = &s->moves.items[m];
        if (!(s->enabled & BIT(move->actor)))
            s->first[s->count++] = m;
        s->enabled |= BIT(move->actor);
        s->is_plain = s->is_plain && move->outcome_count == 1;
    }
    s->first[s->count] = s->moves.count;
    s->is_begun = false;
    s->is_over = s->count == 0;
    s->is_plain =
        s->is_plain && (s->daemon == COR_DAEMON_CENTRAL || (s->count == s->moves.count && s->count < 64));
    if (s->is_plain)
        begin_plain(s);
}

static inline void take_moves(struct stepper *s, const struct stepper_move *moves, uint32_t count) {
    for (uint32_t m = 0; m < count; m++)
        s->moves.items[m] = (struct cor_space_move){moves[m].actor, 1, &moves[m].by};
    s->moves.count = count;
    begin_moves(s);
}

static inline void begin(struct stepper *s, uint32_t state) {
    struct stepper_near *near = s->near ? &s->near[state * 2654435761u >> 22] : NULL;
    s->state = state;
    if (s->known) {
        take_moves(s, s->known->moves + s->known->first[state],
                   s->known->first[state + 1] - s->known->first[state]);
        return;
    }
    if (near && near->count > 0 && near->state == state) {
        take_moves(s, near->moves, near->count - 1);
        return;
    }
    s->moves.count = 0;
    s->space->moves(s->space->self, state, &s->moves);
    begin_moves(s);
    if (!near || !s->is_plain || s->moves.count > NEAR_MOVES)
        return;
    near->state = state;
    near->count = s->moves.count + 1;
    for (uint32_t m = 0; m < s->moves.count; m++)
        near->moves[m] = (struct stepper_move){s->moves.items[m].by[0], (uint8_t)s->moves.items[m].actor};
}

static inline const struct cor_space_move *move_of(const struct stepper *s, uint32_t a) {
    return &s->moves.items[s->first[a] + s->choice[a] - 1];
}

/* Of an actor another move (0: none): what it was goes out of the step. All draws of the step are at their
 * first outcome. */
static inline void set_choice(struct stepper *s, uint32_t a, uint32_t choice) {
    if (s->choice[a] > 0) {
        const struct cor_space_move *move = move_of(s, a);
        s->to -= move->by[0];
        s->draws -= move->outcome_count > 1;
        s->movers &= ~BIT(move->actor);
        s->mover_count--;
    }
    s->choice[a] = choice;
    if (choice > 0) {
        const struct cor_space_move *move = move_of(s, a);
        s->to += move->by[0];
        s->draws += move->outcome_count > 1;
        s->movers |= BIT(move->actor);
        s->mover_count++;
        s->outcome[a] = 0;
    }
}

/* The next choice of the daemon; false: there is none. */
static inline bool choose_next(struct stepper *s) {
    const uint32_t least = s->daemon == COR_DAEMON_SYNCHRONOUS;
    uint32_t a = 0;
    if (!s->is_begun) {
        s->to = s->state;
        s->draws = 0;
        for (a = 0; a < s->count; a++)
            s->choice[a] = 0;
        for (a = 0; a < s->count && (a == 0 || least); a++)
            set_choice(s, a, 1);
        s->at = 0;
        s->is_begun = true;
    } else if (s->daemon == COR_DAEMON_CENTRAL) {
        a = s->at;
        if (s->choice[a] < s->first[a + 1] - s->first[a])
            set_choice(s, a, s->choice[a] + 1);
        else {
            set_choice(s, a, 0);
            if (a + 1 == s->count)
                return false;
            set_choice(s, s->at = a + 1, 1);
        }
    } else {
        for (a = 0; a < s->count && s->choice[a] == s->first[a + 1] - s->first[a]; a++)
            set_choice(s, a, least);
        if (a == s->count)
            return false;
        set_choice(s, a, s->choice[a] + 1);
    }
    return true;
}

static inline void set_outcome(struct stepper *s, uint32_t a, uint32_t outcome) {
    const struct cor_space_move *move = move_of(s, a);
    s->to += (int64_t)move->by[outcome] - move->by[s->outcome[a]];
    s->outcome[a] = outcome;
}

/* The next outcome of what was chosen; false: there is none, and they are the first again. */
static inline bool draw_next(struct stepper *s) {
    for (uint32_t a = 0; a < s->count; a++) {
        if (s->choice[a] == 0)
            continue;
        if (s->outcome[a] + 1 < move_of(s, a)->outcome_count) {
            set_outcome(s, a, s->outcome[a] + 1);
            return true;
        }
        set_outcome(s, a, 0);
    }
    return false;
}

static inline uint32_t target(const struct stepper *s) {
    return (uint32_t)s->to;
}

/* Can a choice lead where those flags are not? Its outcomes begin again then. */
static inline bool leads_elsewhere(struct stepper *s) {
    bool does = false;
    do
        does = does || !(s->flags[target(s)] & s->kept);
    while (s->draws > 0 && draw_next(s));
    return does;
}

/* The next step of several processes, by its number. */
static inline void take_plain(struct stepper *s) {
    const uint32_t a = (uint32_t)__builtin_ctzll(++s->taken);
    s->to += s->add[a];
    s->movers ^= s->flip[a];
    s->mover_count += s->daemon == COR_DAEMON_SYNCHRONOUS ? s->count : 1 - a;
}

/* The next step; false: there is none any more. */
static inline bool next_step(struct stepper *s) {
    if (s->is_plain) {
        if (s->taken >= s->last) {
            s->taken++;
            return false;
        }
        if (s->daemon == COR_DAEMON_CENTRAL) {
            const struct cor_space_move *move = &s->moves.items[s->taken++];
            s->to = s->state + (int64_t)move->by[0];
            s->movers = BIT(move->actor);
            s->mover_count = 1;
        } else
            take_plain(s);
        return true;
    }
    if (s->is_over)
        return false;
    s->taken++;
    if (s->is_begun && s->draws > 0 && draw_next(s))
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

/* Goes on behind the first `place` steps of a state. */
static inline void begin_at(struct stepper *s, uint32_t state, uint64_t place) {
    begin(s, state);
    if (!s->is_plain) {
        while (s->taken < place && step(s) != COR_NO_NODE)
            ;
        return;
    }
    s->taken = place;
    for (uint64_t left = s->daemon == COR_DAEMON_DISTRIBUTED ? place : 0; left != 0; left &= left - 1) {
        const struct cor_space_move *move = &s->moves.items[__builtin_ctzll(left)];
        s->to += move->by[0];
        s->movers |= BIT(move->actor);
        s->mover_count++;
    }
}

__attribute__((noinline, unused)) static uint32_t step_anew(struct stepper *s, uint32_t state,
                                                            uint64_t *place) {
    if (s->state != state || s->taken != *place)
        begin_at(s, state, *place);
    ++*place;
    return step(s);
}

/* Is each step of a state a move that is kept? */
static inline bool is_listed(const struct stepper *s) {
    return s->known && s->daemon == COR_DAEMON_CENTRAL;
}

/* The step number *place of a state, from 0. */
static inline uint32_t step_at(struct stepper *s, uint32_t state, uint64_t *place) {
    if (!is_listed(s)) {
        if (!s->is_plain || s->daemon == COR_DAEMON_CENTRAL || s->state != state || s->taken != *place ||
            s->taken >= s->last)
            return step_anew(s, state, place);
        take_plain(s);
        ++*place;
        return target(s);
    }
    const uint32_t at = s->known->first[state] + (uint32_t)(*place)++;
    s->taken = UINT64_MAX;
    if (at >= s->known->first[state + 1])
        return COR_NO_NODE;
    s->movers = BIT(s->known->moves[at].actor);
    s->mover_count = 1;
    return state + (uint32_t)s->known->moves[at].by;
}

static inline uint64_t count_steps(const struct stepper *s) {
    if (s->is_plain)
        return s->last;
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
