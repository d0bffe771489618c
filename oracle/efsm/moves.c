/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "moves.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

void efsm__moves_fini(struct efsm__moves *moves) {
    for (uint32_t m = 0; m < moves->count; m++) {
        efsm__cube_fini(&moves->moves[m].where);
        free(moves->moves[m].next);
    }
    free(moves->moves);
    *moves = (struct efsm__moves){0};
}

/* The cubes where `value` is within the domain of v; with each its form, if `forms` is not NULL. */
static void assign(struct efsm__space *space, const struct cor_expression *value, uint32_t v,
                   const struct efsm__cube *within, struct efsm__pieces *pieces) {
    struct efsm__pieces all = {0};
    efsm__expression_pieces(space, value, within, &all);
    for (uint32_t p = 0; p < all.count; p++) {
        efsm__cube_require_range(space, &all.pieces[p].where, &all.pieces[p].form, space->low[v],
                                 space->high[v]);
        if (!efsm__cube_settle(space, &all.pieces[p].where))
            continue;
        if (COR_RESERVE(&pieces->pieces, &pieces->capacity, pieces->count + 1, space->error) != COR_OK) {
            space->status = COR_STATUS_MEMORY;
            break;
        }
        pieces->pieces[pieces->count++] = all.pieces[p];
        all.pieces[p].where = (struct efsm__cube){0};
    }
    efsm__pieces_fini(&all);
}

void efsm__moves_add_take(struct efsm__space *space, const struct cor_efsm_transition *t,
                          struct efsm__cube *where, const struct efsm__linear *next,
                          struct efsm__moves *moves) {
    struct efsm__linear *copy = cor_calloc(t->update_count, sizeof *copy);
    enum cor_status status = cor_made(copy, space->error);
    if (status == COR_OK)
        status = COR_RESERVE(&moves->moves, &moves->capacity, moves->count + 1, space->error);
    if (status != COR_OK) {
        space->status = status;
        free(copy);
        efsm__cube_fini(where);
        return;
    }
    if (t->update_count > 0)
        memcpy(copy, next, t->update_count * sizeof *copy);
    moves->moves[moves->count++] = (struct efsm__move){*where, copy};
}

/* Extends the move by the updates from `update` on, case by case; takes `where`. `next` holds the forms so
 * far. */
static void add_moves_take(struct efsm__space *space, const struct cor_efsm_transition *t, uint32_t update,
                           struct efsm__cube *where, struct efsm__linear *next, struct efsm__moves *moves) {
    if (update < t->update_count) {
        struct efsm__pieces pieces = {0};
        assign(space, &t->updates[update].value, t->updates[update].variable, where, &pieces);
        for (uint32_t p = 0; p < pieces.count; p++) {
            next[update] = pieces.pieces[p].form;
            add_moves_take(space, t, update + 1, &pieces.pieces[p].where, next, moves);
            pieces.pieces[p].where = (struct efsm__cube){0};
        }
        efsm__pieces_fini(&pieces);
        efsm__cube_fini(where);
        return;
    }
    efsm__moves_add_take(space, t, where, next, moves);
}

void efsm__moves_make(struct efsm__space *space, const struct cor_efsm_transition *t,
                      struct efsm__moves *moves) {
    struct efsm__cube whole;
    struct efsm__cubes cubes = {0};
    struct efsm__linear next[COR_EFSM_VARIABLES_MAX];
    if (!efsm__cube_init(space, &whole))
        return;
    efsm__expression_cubes(space, &t->guard, &whole, &cubes);
    efsm__cube_fini(&whole);
    /* Narrows the cubes to where each argument of each output is within its domain. */
    for (uint32_t o = 0; o < t->output_count; o++) {
        const struct cor_efsm_label *label = &space->model->outputs[t->outputs[o].label];
        for (uint32_t a = 0; a < label->parameter_count; a++) {
            struct efsm__cubes kept = {0};
            for (uint32_t c = 0; c < cubes.count; c++) {
                struct efsm__pieces pieces = {0};
                assign(space, &t->outputs[o].arguments[a], label->parameters[a], &cubes.cubes[c], &pieces);
                for (uint32_t p = 0; p < pieces.count; p++) {
                    efsm__cubes_add_take(space, &kept, &pieces.pieces[p].where);
                    pieces.pieces[p].where = (struct efsm__cube){0};
                }
                efsm__pieces_fini(&pieces);
            }
            efsm__cubes_fini(&cubes);
            cubes = kept;
        }
    }
    for (uint32_t c = 0; c < cubes.count; c++) {
        add_moves_take(space, t, 0, &cubes.cubes[c], next, moves);
        cubes.cubes[c] = (struct efsm__cube){0};
    }
    efsm__cubes_fini(&cubes);
}
