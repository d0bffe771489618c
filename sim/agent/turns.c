/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/turns.h>

enum habit { OLDEST, NEWEST, ANY, SAME, HABITS };
enum { STRAYS = 8 }; /* one turn in so many */

uint32_t cor_turns_next(struct cor_turns *turns, uint32_t count, uint32_t at) {
    if (count == 1)
        return 0;
    if (!turns->is_named)
        turns->rng = cor_rng_named(&(struct cor_stream_name){
            .seed = turns->seed, .sequence = turns->interleaving, .purpose = COR_PURPOSE_INTERLEAVING});
    turns->is_named = true;
    const enum habit habit = (enum habit)(turns->interleaving % HABITS);
    if (cor_rng_below(&turns->rng, STRAYS) == 0 || habit == ANY || (habit == SAME && at == count))
        return cor_rng_below(&turns->rng, count);
    return habit == OLDEST ? 0 : habit == NEWEST ? count - 1 : at;
}
