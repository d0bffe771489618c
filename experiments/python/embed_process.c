/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "embed_internal.h"

#include <corridor/embed.h>
#include <corridor/process_program.h>

int cor_embed_process(const struct cor_process *process, const char *digest, void (*interrupt)(void),
                      char *why, size_t size) {
    struct cor_error error = COR_NO_ERROR;
    return embed__refuse(cor_process_embed(process, digest, interrupt, &error), &error, why, size);
}
