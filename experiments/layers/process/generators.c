/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generator_draws.h"
#include "internal.h"

#include <string.h>

const struct cor_schedule_generator_kind *const process_layer__generators[COR_PROCESS_GENERATOR_COUNT] = {
#define COR_SCHEDULE_GENERATOR(word) &cor_schedule_generator_##word,
    COR_SCHEDULE_GENERATORS(COR_SCHEDULE_GENERATOR)
#undef COR_SCHEDULE_GENERATOR
};

const struct cor_schedule_generator_kind *cor_schedule_generator_of(const char *name) {
    for (int g = 0; g < COR_PROCESS_GENERATOR_COUNT; g++)
        if (strcmp(process_layer__generators[g]->name, name) == 0)
            return process_layer__generators[g];
    return NULL;
}

bool process_layer__draw_input(const struct cor_process *program, struct cor_rng *rng, uint8_t *what) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < program->input_count; i++)
        sum += program->inputs[i].weight;
    if (sum == 0 || sum > UINT32_MAX || !program->input)
        return false;
    uint32_t left = cor_rng_below(rng, (uint32_t)sum);
    for (uint32_t i = 0; i < program->input_count; i++) {
        if (left < program->inputs[i].weight) {
            *what = (uint8_t)i;
            return true;
        }
        left -= program->inputs[i].weight;
    }
    return false;
}

struct cor_process_event process_layer__draw_crash(const struct cor_cluster *cluster,
                                                   const struct cor_generator_options *options,
                                                   const struct cor_weather *weather, uint32_t process,
                                                   struct cor_rng *rng) {
    struct cor_process_event crash = {.tick = cor_cluster_now(cluster), .process = (uint8_t)process};
    const double which = cor_rng_unit(rng);
    /* Programs use the first cells; one that was never written cannot be lost, and nothing happens. */
    const uint32_t cell =
        (uint32_t)__builtin_ctzll(cor_rng_word(rng) | UINT64_C(1) << (COR_PROCESS_CELLS_MAX - 1));
    crash.kind = COR_PROCESS_EVENT_CRASH;
    if (which < weather->torn && process_layer__allows(options, COR_PROCESS_EVENT_CRASH_TORN) &&
        cor_cluster_standing(cluster, process)->pending_writes > 0)
        crash.kind = COR_PROCESS_EVENT_CRASH_TORN;
    else if (which >= weather->torn && which < weather->torn + weather->lost_cell &&
             process_layer__allows(options, COR_PROCESS_EVENT_CRASH_LOST)) {
        crash.kind = COR_PROCESS_EVENT_CRASH_LOST;
        crash.what = (uint8_t)cell;
    }
    return crash;
}

uint32_t process_layer__ordinal(const struct cor_flight *flight, uint32_t index) {
    uint32_t ordinal = 0;
    for (uint32_t m = 0; m < index; m++)
        ordinal += flight[m].kind == flight[index].kind;
    return ordinal;
}
