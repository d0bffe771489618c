/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models of `corridor combine` from files, and rows. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_COMBINE_COMMAND_H
#define CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_COMBINE_COMMAND_H

#include <corridor/combine.h>
#include <corridor/json.h>

/* What a model file says. */
struct cor_combine_file {
    struct cor_words words;
    struct cor_combine_model *model; /* owned */
    struct cor_combine_request request;
};

/* Reads a file, "-" is standard input: JSON if its first letter is "{", else as cor_combine_read_text says.
 * To be freed by cor_combine_file_fini, also after failing. */
enum cor_status cor_combine_file_read(const char *path, struct cor_combine_file *file,
                                      struct cor_error *error) COR_MUST_USE;
void cor_combine_file_fini(struct cor_combine_file *file);

/* Reads rows of the model: CSV, or what `corridor combine --json` wrote. Freed by the caller, also after
 * failing. */
enum cor_status cor_combine_rows_read(const char *path, const struct cor_combine_model *model, bool whole,
                                      struct cor_combine_rows *rows, struct cor_error *error) COR_MUST_USE;

#endif
