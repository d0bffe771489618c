/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In a build without distributed programs. */
#include "embed_internal.h"

#include <corridor/embed.h>
#include <corridor/kinds.h>

int cor_embed_process(const struct cor_process *process, const char *digest, void (*interrupt)(void),
                      char *why, size_t size) {
    struct cor_error error = COR_NO_ERROR;
    (void)process;
    (void)digest;
    (void)interrupt;
    return embed__refuse(cor_fail(&error, COR_STATUS_PLUGIN, NULL, cor_layer_absent("process"),
                                  "a distributed program cannot be tested here"),
                         &error, why, size);
}
