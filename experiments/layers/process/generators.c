/* SPDX-License-Identifier: GPL-3.0-or-later */
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
