/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "distances.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* Numbers kept at most. */
#define ENTRIES_MAX UINT64_C(20000000)

/* Where each arc comes from, by where it leads. */
struct sources {
    uint32_t *first, *states; /* owned; [state + 2], [arc] */
    uint32_t *queue;          /* owned; [state] */
};

static uint32_t arcs_of(const struct plan__moves *moves) {
    return moves->input_count == 0 ? 0 : moves->first[moves->input_count] - moves->first[0];
}

/* Traps of the arc that are not covered. */
static uint32_t new_hits(const uint64_t *hits, const uint64_t *covered, uint32_t words) {
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++)
        count += (uint32_t)__builtin_popcountll(hits[w] & ~covered[w]);
    return count;
}

/* Counts arcs by target, then lists them; what is hit at once is one move away. */
static enum cor_status turn(struct plan__distances *d, struct plan__graph *graph, const uint64_t *covered,
                            struct sources *sources, struct cor_error *error) {
    const uint32_t states = d->state_count, words = d->problem->trap_words;
    struct plan__moves moves;
    uint64_t count = 0;
    for (uint32_t s = 0; s < states; s++) {
        COR_TRY(plan__graph_moves(graph, s, &moves, error));
        for (uint32_t a = 0; a < arcs_of(&moves); a++) {
            const uint32_t hits = new_hits(moves.hits + (size_t)a * words, covered, words);
            d->hits_max = hits > d->hits_max ? hits : d->hits_max;
            sources->first[moves.arcs[a].target + 2]++;
            count++;
        }
    }
    sources->states = cor_calloc(count, sizeof *sources->states);
    COR_TRY(cor_made(sources->states, error));
    for (uint32_t s = 0; s < states; s++)
        sources->first[s + 2] += sources->first[s + 1];
    for (uint32_t s = 0; s < states; s++) {
        COR_TRY(plan__graph_moves(graph, s, &moves, error));
        for (uint32_t a = 0; a < arcs_of(&moves); a++) {
            sources->states[sources->first[moves.arcs[a].target + 1]++] = s;
            for (uint32_t t = 0; t < d->problem->trap_count && moves.arcs[a].hits; t++)
                if (cor_trap_is_in(moves.hits + (size_t)a * words, t))
                    d->moves[(size_t)t * states + s] = 1;
        }
    }
    return COR_OK;
}

/* Backwards from the states that hit the trap at once. */
static void measure(uint32_t *moves, uint32_t states, const struct sources *sources) {
    uint32_t end = 0;
    for (uint32_t s = 0; s < states; s++)
        if (moves[s] == 1)
            sources->queue[end++] = s;
    for (uint32_t at = 0; at < end; at++) {
        const uint32_t target = sources->queue[at];
        for (uint32_t i = sources->first[target]; i < sources->first[target + 1]; i++)
            if (moves[sources->states[i]] == PLAN__FAR) {
                moves[sources->states[i]] = moves[target] + 1;
                sources->queue[end++] = sources->states[i];
            }
    }
}

enum cor_status plan__distances_make(struct plan__distances *distances, struct plan__graph *graph,
                                     const uint64_t *covered, struct cor_error *error) {
    bool all;
    *distances = (struct plan__distances){.problem = graph->problem};
    /* Meets all states; false: they are more than the budget. */
    struct plan__moves moves;
    uint32_t s = 0;
    for (; s < graph->states.count && !graph->is_cut; s++)
        COR_TRY(plan__graph_moves(graph, s, &moves, error));
    all = !graph->is_cut && s == graph->states.count;
    distances->state_count = graph->states.count;
    if (!all || (uint64_t)graph->states.count * graph->problem->trap_count > ENTRIES_MAX)
        return COR_OK;
    struct sources sources = {cor_calloc(distances->state_count + 2, sizeof *sources.first), NULL,
                              cor_calloc(distances->state_count, sizeof *sources.queue)};
    const size_t entries = (size_t)distances->problem->trap_count * distances->state_count;
    enum cor_status status = COR_OK;
    distances->moves = cor_calloc(entries, sizeof *distances->moves);
    if (!distances->moves || !sources.first || !sources.queue)
        COR_TRY_OUT(cor_fail_memory(error));
    memset(distances->moves, 0xff, entries * sizeof *distances->moves);
    COR_TRY_OUT(turn(distances, graph, covered, &sources, error));
    for (uint32_t t = 0; t < distances->problem->trap_count; t++)
        if (!cor_trap_is_in(covered, t))
            measure(distances->moves + (size_t)t * distances->state_count, distances->state_count, &sources);
out:
    free(sources.first);
    free(sources.states);
    free(sources.queue);
    return status;
}

uint32_t plan__distances_bound(const struct plan__distances *distances, uint32_t state,
                               const uint64_t *covered) {
    uint32_t open = 0, nearest = PLAN__FAR, farthest = 0;
    for (uint32_t t = 0; t < distances->problem->trap_count; t++) {
        if (cor_trap_is_in(covered, t))
            continue;
        open++;
        if (!distances->moves)
            return 1;
        const uint32_t moves = distances->moves[(size_t)t * distances->state_count + state];
        nearest = moves < nearest ? moves : nearest;
        farthest = moves > farthest ? moves : farthest;
    }
    if (open == 0 || farthest == PLAN__FAR)
        return farthest;
    /* The nearest ends the first move that covers anything; each further move covers so many at most. */
    const uint32_t one_by_one = nearest + (open - 1) / distances->hits_max;
    return one_by_one > farthest ? one_by_one : farthest;
}

void plan__distances_fini(struct plan__distances *distances) {
    free(distances->moves);
    distances->moves = NULL;
}
