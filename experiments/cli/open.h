/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening an experiment, as run and plan both do it. */
#ifndef CORRIDOR_CLI_OPEN_H
#define CORRIDOR_CLI_OPEN_H

#include <corridor/layer.h>

/* An experiment with the layer that it is of. */
struct cor_opened {
    const struct cor_layer *layer;
    void *experiment; /* owned */
    char *notes;      /* owned; what the analysis has to say, a line each */
};

/* Reads the experiment at `path`, asks whether it can be executed at all, and warns on stderr of what is odd
 * in it. */
enum cor_status cor_open_experiment(const char *path, const struct cor_layer_options *options,
                                    struct cor_opened *opened, struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_opened_fini(struct cor_opened *opened);

#endif
