/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "open.h"

#include <corridor/interaction.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The layers of testing. The first also answers for files that no layer knows. */
static const struct cor_layer *const layers[] = {&cor_interaction_layer};

/* By the keys of the file; what is wrong with it, the layer will find again. */
static const struct cor_layer *layer_of(const char *path) {
    struct cor_json_document *document = NULL;
    struct cor_json child;
    const struct cor_layer *layer = layers[0];
    if (cor_json_read(path, &document, NULL) != COR_OK)
        return layer;
    const struct cor_json root = cor_json_root(document);
    for (size_t i = 0; i < sizeof layers / sizeof *layers && cor_json_is_object(&root); i++)
        if (cor_json_find(&root, layers[i]->key, &child))
            layer = layers[i];
    cor_json_destroy(document);
    return layer;
}

enum cor_status cor_open_experiment(const char *path, const struct cor_layer_options *options,
                                    struct cor_opened *opened, struct cor_error *error) {
    char *warnings = NULL;
    *opened = (struct cor_opened){.layer = layer_of(path)};
    enum cor_status status =
        opened->layer->read(path, options, &opened->experiment, &opened->notes, &warnings, error);
    for (char *line = warnings ? strtok(warnings, "\n") : NULL; line; line = strtok(NULL, "\n"))
        fprintf(stderr, "corridor: warning: %s\n", line);
    free(warnings);
    return status;
}

void cor_opened_fini(struct cor_opened *opened) {
    if (opened->layer)
        opened->layer->destroy(opened->experiment);
    free(opened->notes);
    *opened = (struct cor_opened){0};
}
