/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/minimize.h>
#include <corridor/minimize_history.h>

#include <stdlib.h>
#include <string.h>

#define PAIRS_MOST 300
#define SETS_MOST 10
#define WORK_MOST (UINT64_C(1) << 24)  /* of all tries: events that were gone through, and steps */
#define STEPS_MOST (UINT64_C(1) << 18) /* of a try */

struct trying {
    struct cor_history *history;
    bool is_sequential;
    uint64_t steps_most, work;
};

static enum cor_status try_without(void *self, bool *gone, bool *stays, struct cor_error *error) {
    struct trying *trying = self;
    struct cor_history_verdict verdict;
    *stays = false;
    if (trying->work >= WORK_MOST)
        return COR_OK;
    COR_TRY(trying->is_sequential
                ? cor_history_sequential(trying->history, gone, trying->steps_most, &verdict, error)
                : cor_history_linearizable(trying->history, gone, trying->steps_most, &verdict, error));
    trying->work += trying->history->events + verdict.all;
    *stays = verdict.possible == COR_IMPOSSIBLE;
    return COR_OK;
}

enum cor_status cor_history_minimize(struct cor_history *history, bool is_sequential, uint64_t steps_most,
                                     const struct cor_history_verdict *verdict, bool *relaxed,
                                     struct cor_error *error) {
    static const enum cor_strategy strategies[] = {COR_MINIMIZE_SET, COR_MINIMIZE_PAIRS, COR_MINIMIZE_SETS};
    struct trying trying = {history, is_sequential, steps_most < STEPS_MOST ? steps_most : STEPS_MOST, 0};
    const struct cor_call *last = &history->calls[verdict->call];
    bool moved, *few = cor_calloc(history->count, sizeof *few), stays = false;
    enum cor_status status = cor_made(few, error);
    /* What is of another key, or was called later, has no part in it. */
    for (size_t c = 0; c < history->count; c++)
        relaxed[c] =
            !is_sequential && (history->calls[c].key != last->key || history->calls[c].called > last->ended);
    const struct cor_minimizing minimizing = {.count = (uint32_t)history->count,
                                              .try = try_without,
                                              .self = &trying,
                                              .gone = relaxed,
                                              .pairs_most = PAIRS_MOST,
                                              .sets_most = SETS_MOST};
    /* First the last call and the few before it that it took: most of a long history has no part in it. */
    for (size_t most = 1; status == COR_OK && !is_sequential && !stays && most < history->count; most *= 2) {
        size_t kept = 0;
        for (size_t c = history->count; c > 0; c--) {
            few[c - 1] = relaxed[c - 1] || (c - 1 != verdict->call && kept == most);
            kept += !few[c - 1];
        }
        status = try_without(&trying, few, &stays, error);
    }
    if (stays)
        memcpy(relaxed, few, history->count * sizeof *few);
    for (size_t s = 0; status == COR_OK && s < sizeof strategies / sizeof *strategies; s++)
        status = cor_minimize(&minimizing, strategies[s], &moved, error);
    free(few);
    return status;
}
