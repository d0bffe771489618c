/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "place.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <sys/stat.h>

bool cor_is_folder(const char *path) {
    struct stat there;
    return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

enum cor_status cor_place_of(const char *operand, struct cor_place *place, struct cor_error *error) {
    *place = (struct cor_place){.folder = cor_is_folder(operand)};
    place->experiment = place->folder ? cor_format("%s/experiment.json", operand) : cor_strdup(operand);
    place->output = place->folder ? cor_format("%s/results.h5", operand) : cor_strdup(operand);
    char *suites = cor_format("%s/suites", operand);
    enum cor_status status = place->experiment && place->output && suites ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK && place->folder && cor_is_folder(suites))
        place->suites = operand;
    free(suites);
    if (status != COR_OK)
        cor_place_fini(place);
    return status;
}

void cor_place_fini(struct cor_place *place) {
    free(place->experiment);
    free(place->output);
    *place = (struct cor_place){0};
}
