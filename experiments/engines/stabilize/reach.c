/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be reached from a state. */
#include "stepper.h"

#include <corridor/array.h>

#include <stdlib.h>

struct reach {
    struct stepper stepper;
    uint32_t *queue,
        *from; /* owned; states in the order in which they were met; whence, COR_NO_NODE: not met */
    uint32_t count;
};

static void reach_destroy(struct reach *reach) {
    if (!reach)
        return;
    free(reach->queue);
    free(reach->from);
    free(reach);
}

/* In breadth. stops: at the first state that is not inside, which is the last then. */
static enum cor_status find_all(const struct cor_space *space, enum cor_daemon daemon, uint32_t start,
                                bool stops, struct reach **made, struct cor_error *error) {
    struct reach *r = cor_calloc(1, sizeof *r);
    COR_TRY(cor_made(*made = r, error));
    r->stepper.space = space;
    r->stepper.daemon = daemon;
    r->queue = cor_calloc(space->size, sizeof *r->queue);
    r->from = cor_calloc(space->size, sizeof *r->from);
    COR_TRY(r->queue && r->from ? COR_OK : cor_fail_memory(error));
    for (uint32_t state = 0; state < space->size; state++)
        r->from[state] = COR_NO_NODE;
    r->from[start] = start;
    r->queue[r->count++] = start;
    for (uint32_t head = 0; head < r->count; head++) {
        if (stops && !cor_space_is_inside(space, r->queue[r->count - 1]))
            break;
        begin(&r->stepper, r->queue[head]);
        for (uint32_t to; (to = step(&r->stepper)) != COR_NO_NODE;) {
            if (r->from[to] != COR_NO_NODE)
                continue;
            r->from[to] = r->queue[head];
            r->queue[r->count++] = to;
            if (stops && !cor_space_is_inside(space, to))
                break;
        }
    }
    return COR_OK;
}

/* Of what was met the stable part: what cannot reach a state that is not inside. `from` of the others becomes
 * COR_NO_NODE; how many are left. */
static uint32_t keep_stable(struct reach *r) {
    const struct cor_space *space = r->stepper.space;
    uint32_t left = 0;
    for (bool moved = true; moved;) {
        moved = false;
        left = 0;
        for (uint32_t i = r->count; i-- > 0;) {
            const uint32_t state = r->queue[i];
            if (r->from[state] == COR_NO_NODE)
                continue;
            bool is_out = !cor_space_is_inside(space, state);
            begin(&r->stepper, state);
            for (uint32_t to; !is_out && (to = step(&r->stepper)) != COR_NO_NODE;)
                is_out = r->from[to] == COR_NO_NODE;
            if (is_out)
                r->from[state] = COR_NO_NODE;
            moved = moved || is_out;
            left += !is_out;
        }
    }
    return left;
}

enum cor_status cor_space_is_lost(const struct cor_space *space, enum cor_daemon daemon, uint32_t start,
                                  bool *is_lost, struct cor_error *error) {
    struct reach *r;
    const enum cor_status status = find_all(space, daemon, start, false, &r, error);
    *is_lost = status == COR_OK && keep_stable(r) == 0;
    reach_destroy(r);
    return status;
}

enum cor_status cor_space_can_stay(const struct cor_space *space, enum cor_daemon daemon, uint32_t start,
                                   const uint64_t *goal, bool *can_stay, struct cor_error *error) {
    enum { KEPT = 1 };
    struct reach *r;
    uint8_t *flags = NULL;  /* of all states: what is drawn leads to none that was not met */
    bool has_draws = false; /* anywhere */
    uint32_t left = 0;
    enum cor_status status = find_all(space, daemon, start, false, &r, error);
    COR_TRY_OUT(status);
    for (uint32_t state = 0; state < space->size && !has_draws; state++) {
        begin(&r->stepper, state);
        for (uint32_t m = 0; m < r->stepper.moves.count; m++)
            has_draws = has_draws || r->stepper.moves.items[m].outcome_count > 1;
    }
    COR_TRY_OUT(cor_made(flags = cor_calloc(space->size, 1), error));
    if (!goal)
        keep_stable(r);
    for (uint32_t i = 0; i < r->count; i++) {
        const uint32_t state = r->queue[i];
        const bool is_there = goal ? goal[state / 64] >> state % 64 & 1 : r->from[state] != COR_NO_NODE;
        flags[state] = is_there ? 0 : KEPT;
        left += !is_there;
    }
    r->stepper.flags = flags;
    r->stepper.kept = KEPT; /* choices that can lead elsewhere are passed over */
    for (bool moved = has_draws; moved;) {
        moved = false;
        for (uint32_t i = r->count; i-- > 0;) {
            if (!(flags[r->queue[i]] & KEPT))
                continue;
            begin(&r->stepper, r->queue[i]);
            if (step(&r->stepper) == COR_NO_NODE) {
                flags[r->queue[i]] = 0;
                moved = true;
            }
        }
    }
    *can_stay = has_draws ? (flags[start] & KEPT) != 0 : left == r->count;
out:
    free(flags);
    reach_destroy(r);
    return status;
}

enum cor_status cor_space_way_out(const struct cor_space *space, enum cor_daemon daemon, uint32_t start,
                                  struct cor_space_run *run, struct cor_error *error) {
    struct reach *r;
    enum cor_status status = find_all(space, daemon, start, true, &r, error);
    *run = (struct cor_space_run){0};
    COR_TRY_OUT(status);
    const uint32_t end = r->queue[r->count - 1];
    if (cor_space_is_inside(space, end))
        goto out;
    uint32_t length = 1;
    for (uint32_t at = end; at != start; at = r->from[at])
        length++;
    COR_TRY_OUT(COR_RESERVE(&run->items, &run->capacity, length, error));
    run->count = length;
    for (uint32_t at = end, next = COR_NO_NODE;; next = at, at = r->from[at]) {
        begin(&r->stepper, at);
        while (next != COR_NO_NODE && step(&r->stepper) != next)
            ;
        run->items[--length] = (struct cor_space_turn){next == COR_NO_NODE ? 0 : r->stepper.movers, at};
        if (at == start)
            break;
    }
out:
    reach_destroy(r);
    return status;
}
