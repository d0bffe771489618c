/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the frozen interface share. */
#ifndef CORRIDOR_EXPERIMENTS_PYTHON_EMBED_INTERNAL_H
#define CORRIDOR_EXPERIMENTS_PYTHON_EMBED_INTERNAL_H

#include <corridor/error.h>

/* Whether the call failed; then why, for whoever called. */
int embed__refuse(enum cor_status status, const struct cor_error *error, char *why, size_t size);

#endif
