/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/minimize.h>
#include <corridor/minimize_history.h>

#include <stdlib.h>

#define PAIRS_MOST 300
#define SETS_MOST 10

struct trying {
    struct cor_history *history;
    bool is_sequential;
    uint64_t steps_most;
};

static enum cor_status try_without(void *self, bool *gone, bool *stays, struct cor_error *error) {
    const struct trying *trying = self;
    struct cor_history_verdict verdict;
    COR_TRY(trying->is_sequential
                ? cor_history_sequential(trying->history, gone, trying->steps_most, &verdict, error)
                : cor_history_linearizable(trying->history, gone, trying->steps_most, &verdict, error));
    *stays = verdict.possible == COR_IMPOSSIBLE;
    return COR_OK;
}

enum cor_status cor_history_minimize(struct cor_history *history, bool is_sequential, uint64_t steps_most,
                                     const struct cor_history_verdict *verdict, bool *relaxed,
                                     struct cor_error *error) {
    static const enum cor_strategy strategies[] = {COR_MINIMIZE_SET, COR_MINIMIZE_PAIRS, COR_MINIMIZE_SETS};
    struct trying trying = {history, is_sequential, steps_most};
    const struct cor_call *last = &history->calls[verdict->call];
    bool moved;
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
    for (size_t s = 0; s < sizeof strategies / sizeof *strategies; s++)
        COR_TRY(cor_minimize(&minimizing, strategies[s], &moved, error));
    return COR_OK;
}
