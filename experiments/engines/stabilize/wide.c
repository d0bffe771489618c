/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs are drawn, or made by a daemon that goes to where most can come. How much can come of a state is
 * estimated by who can move in it: weights by least squares over runs. So the search knows of a system what
 * its runs showed, and nothing else. */
#include "stepper.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/pool.h>
#include <corridor/stabilize_wide.h>

#include <stdlib.h>
#include <string.h>

#define FEATURES (COR_SPACE_ACTORS_MAX + 1) /* who can move, and 1 */
#define LESSONS 1024u                       /* runs from which weights are learnt */
#define LOOKS 8u                            /* draws of which the daemon takes the best */
#define LOOPS_LOOKED_AT 100u                /* of a run, for whether somebody is passed over in them */
#define CANDIDATES 64u                      /* times as many states of a level as are kept */
enum { OF_DRAWS, OF_SEARCH };

struct runner {
    const struct cor_wide *wide;
    const struct cor_wide_question *question;
    struct cor_error *error;
    struct cor_rng rng;
    struct stepper stepper;
    struct cor_pool met;   /* states of the run, */
    uint32_t *met_at;      /* owned; and when each was, first */
    bool *outside, *drawn; /* owned; [state of the run]; drawn: a step into it has outcomes */
    size_t met_capacity, outside_capacity, drawn_capacity;
    double weights[FEATURES];
    struct cor_space_moves all; /* of the state that a step is chosen of */
    uint32_t last;              /* who moved last */
    bool has_weights;
    uint64_t judged;
};

void cor_wide_run_fini(struct cor_wide_run *run) {
    free(run->digits);
    free(run->movers);
    *run = (struct cor_wide_run){.loop = COR_UNBOUNDED};
}

static void runner_destroy(struct runner *r) {
    if (!r)
        return;
    cor_pool_fini(&r->met);
    free(r->met_at);
    free(r->outside);
    free(r->drawn);
    free(r);
}

static enum cor_status runner_create(const struct cor_wide *wide, const struct cor_wide_question *question,
                                     struct runner **runner, struct cor_error *error) {
    COR_TRY(cor_made(*runner = cor_calloc(1, sizeof **runner), error));
    (*runner)->wide = wide;
    (*runner)->question = question;
    (*runner)->error = error;
    (*runner)->stepper.daemon = question->daemon;
    return COR_OK;
}

static void name_streams(struct runner *r, uint32_t of, uint32_t number) {
    r->rng = cor_rng_named(&(struct cor_stream_name){.seed = r->question->seed,
                                                     .purpose = COR_PURPOSE_SEARCH,
                                                     .suite = of,
                                                     .sequence = number,
                                                     .entity = 1 + (uint32_t)r->question->daemon});
}

static void look_at(struct runner *r, const uint32_t *digits) {
    r->stepper.moves.count = 0;
    r->wide->moves(r->wide->self, digits, COR_WIDE_ALL, &r->stepper.moves);
    begin_moves(&r->stepper);
}

static void apply(const struct runner *r, uint32_t *digits, const struct cor_space_move *move,
                  uint32_t outcome) {
    if (r->wide->apply)
        r->wide->apply(r->wide->self, digits, move->by[outcome]);
    else
        digits[move->actor] += (uint32_t)move->by[outcome];
}

static enum cor_status judge(struct runner *r, const uint32_t *digits, bool *inside) {
    r->judged++;
    return r->wide->inside(r->wide->self, digits, inside, r->error);
}

/* What the state that is looked at is worth. */
static double worth(const struct runner *r) {
    double sum = r->weights[r->wide->actor_count];
    for (uint64_t left = r->stepper.enabled; left != 0; left &= left - 1)
        sum += r->weights[__builtin_ctzll(left)];
    return sum;
}

static size_t state_bytes(const struct runner *r) {
    return r->wide->digit_count * sizeof(uint32_t);
}

/* ---- runs */

/* A step of the state that is looked at, as it is drawn; returns who moves, 0: nobody can. */
static uint64_t draw_step(struct runner *r, uint32_t *digits, bool *drawn) {
    const struct stepper *s = &r->stepper;
    uint64_t movers = 0, chosen = 0;
    *drawn = false;
    if (s->count == 0)
        return 0;
    const uint64_t all = s->count == 64 ? UINT64_MAX : (UINT64_C(1) << s->count) - 1;
    if (s->daemon == COR_DAEMON_CENTRAL)
        chosen = UINT64_C(1) << cor_rng_below(&r->rng, s->count);
    while (s->daemon == COR_DAEMON_DISTRIBUTED && chosen == 0)
        chosen = cor_rng_word(&r->rng) & all;
    if (s->daemon == COR_DAEMON_SYNCHRONOUS)
        chosen = all;
    for (; chosen != 0; chosen &= chosen - 1) {
        const uint32_t a = (uint32_t)__builtin_ctzll(chosen), count = s->first[a + 1] - s->first[a];
        const struct cor_space_move *move = &s->moves.items[s->first[a]];
        move += count > 1 ? cor_rng_below(&r->rng, count) : 0;
        const uint32_t outcome = move->outcome_count > 1 ? cor_rng_below(&r->rng, move->outcome_count) : 0;
        *drawn = *drawn || move->outcome_count > 1;
        apply(r, digits, move, outcome);
        movers |= BIT(move->actor);
    }
    return movers;
}

/* Of a central daemon, without a draw: the move to where most can come, of several that of who comes next
 * behind the last mover. It ends in a loop soon, if it does not come back. */
static uint64_t next_step_of_all(struct runner *r, uint32_t *digits, bool *drawn) {
    struct cor_space_moves *moves = &r->all;
    const struct cor_space_move *best = NULL;
    const uint32_t actors = r->wide->actor_count;
    uint32_t next[COR_SPACE_ACTORS_MAX];
    double most = 0;
    *moves = r->stepper.moves;
    for (uint32_t m = 0; m < moves->count; m++) /* looking at another state, theirs may be written over */
        moves->items[m].by = memcpy(&moves->own[m], r->stepper.moves.items[m].by, sizeof *moves->own);
    for (uint32_t m = 0, from = 0; m < moves->count; m++) {
        const struct cor_space_move *move = &moves->items[m];
        from = (move->actor + actors - 1 - r->last) % actors;
        memcpy(next, digits, state_bytes(r));
        apply(r, next, move, 0);
        look_at(r, next);
        const double its = worth(r) - 1e-9 * from;
        if (best && its <= most)
            continue;
        best = move;
        most = its;
    }
    if (!best)
        return 0;
    *drawn = best->outcome_count > 1;
    apply(r, digits, best, 0);
    r->last = best->actor;
    return BIT(best->actor);
}

/* Of some draws that which leads to the state that is worth most; now and then just one. */
static uint64_t best_step(struct runner *r, uint32_t *digits, bool *drawn) {
    uint32_t before[COR_SPACE_ACTORS_MAX], best[COR_SPACE_ACTORS_MAX], next[COR_SPACE_ACTORS_MAX];
    uint64_t movers = 0;
    double most = 0;
    const uint32_t looks = r->has_weights && cor_rng_below(&r->rng, 10) > 0 ? LOOKS : 1;
    memcpy(before, digits, state_bytes(r));
    for (uint32_t l = 0; l < looks; l++) {
        bool is_drawn;
        if (l > 0)
            look_at(r, before);
        memcpy(next, before, state_bytes(r));
        const uint64_t its = draw_step(r, next, &is_drawn);
        if (its == 0)
            return 0;
        if (looks > 1)
            look_at(r, next);
        if (l > 0 && worth(r) <= most)
            continue;
        most = worth(r);
        memcpy(best, next, state_bytes(r));
        movers = its;
        *drawn = is_drawn;
    }
    memcpy(digits, best, state_bytes(r));
    return movers;
}

static enum cor_status add_state(struct runner *r, struct cor_wide_run *run, const uint32_t *digits) {
    const size_t digit_count = r->wide->digit_count, at = run->count * digit_count;
    COR_TRY(COR_RESERVE(&run->digits, &run->digit_capacity, at + digit_count, r->error));
    COR_TRY(COR_RESERVE(&run->movers, &run->mover_capacity, (size_t)run->count + 1, r->error));
    memcpy(run->digits + at, digits, state_bytes(r));
    run->movers[run->count++] = 0;
    return COR_OK;
}

/* Keeps of a run the states from `from` on, below `below`. */
static void cut(const struct runner *r, struct cor_wide_run *run, uint32_t from, uint32_t below) {
    run->count = below - from;
    memmove(run->digits, run->digits + (size_t)from * r->wide->digit_count, run->count * state_bytes(r));
    memmove(run->movers, run->movers + from, run->count * sizeof *run->movers);
}

/* Is the part of a run that ends where it began a no: outside somewhere, without a draw, as fair as asked? */
static enum cor_status is_loop(struct runner *r, const struct cor_wide_run *run, uint32_t from, bool *is_it) {
    uint64_t always = UINT64_MAX, sometimes = 0, moved = 0;
    bool is_outside = false, is_drawn = false;
    for (uint32_t i = from; i + 1 < run->count; i++) {
        look_at(r, run->digits + (size_t)i * r->wide->digit_count);
        always &= r->stepper.enabled & r->wide->owed;
        sometimes |= r->stepper.enabled & r->wide->owed;
        moved |= run->movers[i];
        is_outside = is_outside || r->outside[i];
        is_drawn = is_drawn || r->drawn[i + 1];
    }
    const enum cor_fairness asked = r->question->fairness;
    *is_it =
        is_outside && !is_drawn && asked < COR_FAIRNESS_CHANCE &&
        (asked == COR_FAIRNESS_UNFAIR || ((asked == COR_FAIRNESS_WEAK ? always : sometimes) & ~moved) == 0);
    return *is_it && r->wide->counts
               ? r->wide->counts(r->wide->self, run->digits + (size_t)from * r->wide->digit_count,
                                 run->movers + from, run->count - 1 - from, is_it, r->error)
               : COR_OK;
}

enum daemon { DRAWS, GOES_ON, TAKES_TURNS };

/* From a state on, so many steps at most, by a daemon that draws, or goes to where most can come. */
static enum cor_status make_run(struct runner *r, const uint32_t *start, uint32_t most, enum daemon by,
                                struct cor_wide_run *run, enum cor_wide_end *end, uint32_t *outside) {
    uint32_t digits[COR_SPACE_ACTORS_MAX], left_at = COR_UNBOUNDED, number;
    uint32_t drawn_at = 0, looks = LOOPS_LOOKED_AT;
    bool inside = false, drawn = false;
    memcpy(digits, start, state_bytes(r));
    cor_pool_fini(&r->met);
    r->met.size = state_bytes(r);
    run->count = 0;
    run->loop = COR_UNBOUNDED;
    *outside = 0;
    for (uint32_t i = 0;; i++) {
        const bool was_inside = i > 0 && inside;
        COR_TRY(judge(r, digits, &inside));
        COR_TRY(COR_RESERVE(&r->outside, &r->outside_capacity, (size_t)i + 1, r->error));
        COR_TRY(COR_RESERVE(&r->drawn, &r->drawn_capacity, (size_t)i + 1, r->error));
        COR_TRY(COR_RESERVE(&r->met_at, &r->met_capacity, (size_t)i + 1, r->error));
        r->outside[i] = !inside;
        r->drawn[i] = drawn;
        drawn_at = drawn ? i : drawn_at;
        *outside = inside ? *outside : i + 1;
        COR_TRY(add_state(r, run, digits));
        if (was_inside && !inside && left_at == COR_UNBOUNDED)
            left_at = i - 1;
        const uint32_t known = r->met.count;
        COR_TRY(cor_pool_add(&r->met, digits, state_bytes(r), &number, r->error));
        const uint32_t before = number < known ? r->met_at[number] : i;
        bool is_it = false;
        if (before < *outside && drawn_at <= before && number < known && looks > 0 && looks--)
            COR_TRY(is_loop(r, run, before, &is_it));
        if (is_it) {
            cut(r, run, before, i);
            run->loop = 0;
            *end = COR_WIDE_LOOPS;
            return COR_OK;
        }
        if (number == known)
            r->met_at[number] = i;
        look_at(r, digits);
        if (r->stepper.count == 0 && !inside) {
            *end = COR_WIDE_RESTS;
            return COR_OK;
        }
        if (r->stepper.count == 0 || i == most || (inside && i - *outside >= r->question->steps))
            break;
        run->movers[i] = by == DRAWS     ? draw_step(r, digits, &drawn)
                         : by == GOES_ON ? best_step(r, digits, &drawn)
                                         : next_step_of_all(r, digits, &drawn);
    }
    *end = *outside <= most / 2 ? COR_WIDE_BACK : COR_WIDE_OUT;
    if (left_at == COR_UNBOUNDED)
        return COR_OK;
    cut(r, run, left_at, left_at + 2);
    run->movers[1] = 0;
    *end = COR_WIDE_LEAVES;
    return COR_OK;
}

static void draw_start(struct runner *r, uint32_t *digits) {
    for (uint32_t d = 0; d < r->wide->digit_count; d++)
        digits[d] = cor_rng_below(&r->rng, r->wide->sizes[d]);
}

enum cor_status cor_wide_draw(const struct cor_wide *wide, const struct cor_wide_question *question,
                              uint32_t number, struct cor_wide_run *run, enum cor_wide_end *end,
                              uint32_t *outside, struct cor_error *error) {
    struct runner *r = NULL;
    uint32_t start[COR_SPACE_ACTORS_MAX];
    enum cor_status status = runner_create(wide, question, &r, error);
    if (status == COR_OK) {
        name_streams(r, OF_DRAWS, number);
        draw_start(r, start);
        status = make_run(r, start, 2 * question->steps, DRAWS, run, end, outside);
    }
    runner_destroy(r);
    return status;
}

/* ---- what a state is worth */

struct squares {
    double sums[FEATURES][FEATURES + 1];
};

static void take_run(struct runner *r, const struct cor_wide_run *run, uint32_t outside,
                     struct squares *squares) {
    const uint32_t one = r->wide->actor_count;
    for (uint32_t i = 0; i < outside && i < run->count; i++) {
        look_at(r, run->digits + (size_t)i * r->wide->digit_count);
        double features[FEATURES] = {0};
        for (uint32_t a = 0; a < one; a++)
            features[a] = (double)(r->stepper.enabled >> a & 1);
        features[one] = 1;
        for (uint32_t a = 0; a <= one; a++)
            if (features[a] > 0) {
                for (uint32_t b = 0; b <= one; b++)
                    squares->sums[a][b] += features[b];
                squares->sums[a][one + 1] += outside - i;
            }
    }
}

/* By elimination; a little is added to the diagonal, as some never can move, or always. */
static void learn(struct runner *r, struct squares *squares) {
    const uint32_t count = r->wide->actor_count + 1;
    for (uint32_t a = 0; a < count; a++)
        squares->sums[a][a] += 1e-3;
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t c = 0; c < count; c++) {
            const double factor = c == a ? 0 : squares->sums[c][a] / squares->sums[a][a];
            for (uint32_t b = a; b <= count && c != a; b++)
                squares->sums[c][b] -= factor * squares->sums[a][b];
        }
    for (uint32_t a = 0; a < count; a++)
        r->weights[a] = squares->sums[a][count] / squares->sums[a][a];
    r->has_weights = true;
}

/* ---- backwards: a level are states with a way of so many steps */

struct level_state {
    uint32_t from; /* state of the level before, where the step leads to */
    uint32_t actor;
};

struct beam {
    struct cor_pool level;     /* states of the level that is made; */
    struct level_state *links; /* owned; [state of it] */
    struct ranked {
        double worth;
        uint64_t lot;
        uint32_t state;
    } * ranked;                 /* owned; likewise */
    uint32_t *kept;             /* owned; digits of all states that were kept, level by level; */
    struct level_state *whence; /* owned; `from`: of these */
    size_t link_capacity, ranked_capacity, kept_capacity, whence_capacity;
    uint32_t kept_count;
};

static int compare_ranked(const void *one, const void *other) {
    const struct ranked *a = one, *b = other;
    return a->worth != b->worth ? (a->worth < b->worth ? -1 : 1)
           : a->lot != b->lot   ? (a->lot < b->lot ? -1 : 1)
                                : 0;
}

static enum cor_status keep(struct runner *r, struct beam *beam, const uint32_t *digits,
                            struct level_state whence) {
    const size_t digit_count = r->wide->digit_count, at = beam->kept_count * digit_count;
    COR_TRY(COR_RESERVE(&beam->kept, &beam->kept_capacity, at + digit_count, r->error));
    COR_TRY(COR_RESERVE(&beam->whence, &beam->whence_capacity, (size_t)beam->kept_count + 1, r->error));
    memcpy(beam->kept + at, digits, state_bytes(r));
    beam->whence[beam->kept_count++] = whence;
    return COR_OK;
}

/* The states outside from which a step of one actor leads to that one. */
static enum cor_status add_before(struct runner *r, struct beam *beam, uint32_t of, uint32_t most) {
    uint32_t digits[COR_SPACE_ACTORS_MAX], number;
    bool inside;
    memcpy(digits, beam->kept + (size_t)of * r->wide->actor_count, state_bytes(r));
    for (uint32_t a = 0; a < r->wide->actor_count; a++) {
        const uint32_t own = digits[a];
        for (uint32_t d = 0; d < r->wide->sizes[a] && beam->level.count < most; d++) {
            bool leads = false;
            if (d == own)
                continue;
            digits[a] = d;
            r->stepper.moves.count = 0;
            r->wide->moves(r->wide->self, digits, a, &r->stepper.moves);
            for (uint32_t m = 0; m < r->stepper.moves.count && !leads; m++)
                leads = r->stepper.moves.items[m].outcome_count == 1 &&
                        d + (uint32_t)r->stepper.moves.items[m].by[0] == own;
            if (!leads || cor_pool_find(&beam->level, digits, state_bytes(r)) != UINT32_MAX)
                continue;
            COR_TRY(judge(r, digits, &inside));
            if (inside)
                continue;
            COR_TRY(cor_pool_add(&beam->level, digits, state_bytes(r), &number, r->error));
            look_at(r, digits);
            COR_TRY(COR_RESERVE(&beam->links, &beam->link_capacity, (size_t)number + 1, r->error));
            COR_TRY(COR_RESERVE(&beam->ranked, &beam->ranked_capacity, (size_t)number + 1, r->error));
            beam->links[number] = (struct level_state){of, a};
            beam->ranked[number] =
                (struct ranked){worth(r), cor_hash_bytes(COR_HASH_SEED, digits, state_bytes(r)), number};
        }
        digits[a] = own;
    }
    return COR_OK;
}

/* The way of a state that was kept. If it comes by a state twice, what lies between is a loop. */
static enum cor_status trace(struct runner *r, const struct beam *beam, uint32_t state,
                             struct cor_wide_run *run, enum cor_wide_end *end) {
    bool inside = false;
    run->count = 0;
    run->loop = COR_UNBOUNDED;
    *end = COR_WIDE_BACK;
    cor_pool_fini(&r->met);
    r->met.size = state_bytes(r);
    for (uint32_t at = state;; at = beam->whence[at].from) {
        const uint32_t *digits = beam->kept + (size_t)at * r->wide->digit_count, known = r->met.count;
        uint32_t number;
        COR_TRY(add_state(r, run, digits));
        COR_TRY(COR_RESERVE(&r->outside, &r->outside_capacity, run->count, r->error));
        COR_TRY(COR_RESERVE(&r->drawn, &r->drawn_capacity, run->count, r->error));
        COR_TRY(judge(r, digits, &inside));
        r->outside[run->count - 1] = !inside;
        r->drawn[run->count - 1] = false;
        COR_TRY(cor_pool_add(&r->met, digits, state_bytes(r), &number, r->error));
        bool is_it = false;
        if (number < known)
            COR_TRY(is_loop(r, run, number, &is_it));
        if (is_it) {
            cut(r, run, number, run->count - 1);
            run->loop = 0;
            *end = COR_WIDE_LOOPS;
            return COR_OK;
        }
        if (number < known) { /* a loop that is no no makes it as long as one likes */
            run->count = 0;
            return COR_OK;
        }
        if (beam->whence[at].from == COR_NO_NODE)
            return COR_OK;
        run->movers[run->count - 1] = BIT(beam->whence[at].actor);
    }
}

static enum cor_status go_back(struct runner *r, struct beam *beam, struct cor_wide_run *longest,
                               enum cor_wide_end *end) {
    const uint32_t width = r->question->effort / 1600 > 16 ? (uint32_t)(r->question->effort / 1600) : 16;
    uint32_t begin = 0, below = beam->kept_count;
    const uint64_t limit = r->judged + r->question->effort;
    struct cor_wide_run run = {0};
    enum cor_status status = COR_OK;
    while (begin < below && r->judged < limit) {
        if (r->question->go_on && !r->question->go_on(r->question->asker, "the longest way, backwards"))
            COR_TRY_OUT(cor_fail(r->error, COR_STATUS_INTERRUPTED, NULL, NULL, "interrupted"));
        cor_pool_fini(&beam->level);
        beam->level.size = state_bytes(r);
        for (uint32_t of = begin; of < below; of++)
            COR_TRY_OUT(add_before(r, beam, of, width * CANDIDATES));
        if (beam->level.count > 0) /* the first level may be empty, and then there is no array */
            qsort(beam->ranked, beam->level.count, sizeof *beam->ranked, compare_ranked);
        for (uint32_t i = 0; i < beam->level.count && i < width; i++) {
            const uint32_t state = beam->ranked[i].state;
            COR_TRY_OUT(keep(r, beam, cor_pool_item(&beam->level, state), beam->links[state]));
        }
        begin = below;
        below = beam->kept_count;
    }
    if (beam->kept_count == 0)
        goto out;
    COR_TRY_OUT(trace(r, beam, beam->kept_count - 1, &run, end));
    if (*end == COR_WIDE_LOOPS || run.count > longest->count) {
        cor_wide_run_fini(longest);
        *longest = run;
        run = (struct cor_wide_run){0};
    }
out:
    cor_wide_run_fini(&run);
    return status;
}

/* ---- the search */

/* To a start that is worth more: digit by digit the best of some values, all of them once. */
static void climb(struct runner *r, uint32_t *digits) {
    look_at(r, digits);
    double most = worth(r);
    for (uint32_t d = 0; d < r->wide->digit_count; d++)
        for (uint32_t l = 0; l < LOOKS; l++) {
            const uint32_t own = digits[d];
            digits[d] = cor_rng_below(&r->rng, r->wide->sizes[d]);
            look_at(r, digits);
            if (worth(r) > most)
                most = worth(r);
            else
                digits[d] = own;
        }
}

static enum cor_status search(struct runner *r, struct beam *beam, struct cor_wide_run *longest,
                              enum cor_wide_end *end) {
    struct squares *squares = cor_calloc(1, sizeof *squares);
    struct cor_wide_run run = {0};
    uint32_t start[COR_SPACE_ACTORS_MAX], outside, most = 0;
    double first[FEATURES] = {0};
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(squares, r->error));
    for (uint32_t round = 0; round < 4 && r->judged < r->question->effort; round++) {
        memset(squares, 0, sizeof *squares);
        for (uint32_t number = 0; number < LESSONS && r->judged < r->question->effort; number++) {
            if (r->question->go_on && number % 64 == 0 &&
                !r->question->go_on(r->question->asker, "the longest way"))
                COR_TRY_OUT(cor_fail(r->error, COR_STATUS_INTERRUPTED, NULL, NULL, "interrupted"));
            name_streams(r, OF_SEARCH, round * LESSONS + number);
            draw_start(r, start);
            if (round > 0)
                climb(r, start);
            COR_TRY_OUT(make_run(r, start, 8 * r->question->steps,
                                 round == 0                                                ? DRAWS
                                 : number % 2 && r->question->daemon == COR_DAEMON_CENTRAL ? TAKES_TURNS
                                                                                           : GOES_ON,
                                 &run, end, &outside));
            if (*end == COR_WIDE_OUT)
                continue;
            if (*end == COR_WIDE_BACK)
                take_run(r, &run, outside, squares);
            if (*end == COR_WIDE_BACK && round == 0)
                COR_TRY_OUT(keep(r, beam, run.digits + (size_t)outside * r->wide->digit_count,
                                 (struct level_state){COR_NO_NODE, 0}));
            if (*end == COR_WIDE_BACK && outside <= most)
                continue;
            most = outside;
            cor_wide_run_fini(longest);
            *longest = run;
            run = (struct cor_wide_run){0};
            if (*end != COR_WIDE_BACK)
                goto out;
            longest->count = outside + 1;
            longest->movers[outside] = 0;
        }
        learn(r, squares);
        if (round == 0) /* what comes of itself: backwards the states from which least would */
            memcpy(first, r->weights, sizeof first);
    }
    *end = COR_WIDE_BACK;
    memcpy(r->weights, first, sizeof first);
    if (r->question->daemon == COR_DAEMON_CENTRAL && !r->wide->apply)
        status = go_back(r, beam, longest, end);
out:
    cor_wide_run_fini(&run);
    free(squares);
    return status;
}

enum cor_status cor_wide_search(const struct cor_wide *wide, const struct cor_wide_question *question,
                                struct cor_wide_run *longest, enum cor_wide_end *end,
                                struct cor_error *error) {
    struct beam beam = {0};
    struct runner *r = NULL;
    *longest = (struct cor_wide_run){.loop = COR_UNBOUNDED};
    enum cor_status status = runner_create(wide, question, &r, error);
    if (status == COR_OK)
        status = search(r, &beam, longest, end);
    runner_destroy(r);
    cor_pool_fini(&beam.level);
    free(beam.links);
    free(beam.ranked);
    free(beam.kept);
    free(beam.whence);
    return status;
}
