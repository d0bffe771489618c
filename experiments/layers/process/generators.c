/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
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

enum cor_status cor_schedule_generator_create(const struct cor_schedule_generator_kind *kind,
                                              const struct cor_cluster *cluster,
                                              const struct cor_schedule_options *options,
                                              struct cor_schedule_generator **generator,
                                              struct cor_error *error) {
    *generator = cor_calloc(1, kind->size);
    COR_TRY(cor_made(*generator, error));
    *(struct cor_generator_base *)*generator = (struct cor_generator_base){cluster, *options};
    const enum cor_status status = kind->init ? kind->init(*generator, error) : COR_OK;
    if (status != COR_OK) {
        cor_schedule_generator_destroy(kind, *generator);
        *generator = NULL;
    }
    return status;
}

void cor_schedule_generator_destroy(const struct cor_schedule_generator_kind *kind,
                                    struct cor_schedule_generator *generator) {
    if (generator && kind->fini)
        kind->fini(generator);
    free(generator);
}
