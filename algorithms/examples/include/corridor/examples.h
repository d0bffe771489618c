/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The example algorithms that new ones begin as: the files of this folder, word by word, built in. Each is
 * called my_algo; who writes one replaces that name wherever it stands. */
#ifndef CORRIDOR_EXAMPLES_H
#define CORRIDOR_EXAMPLES_H

#include <stddef.h>

#define COR_EXAMPLE_NAME "my_algo"

/* One file of an example; constant, part of the program. */
struct cor_example_file {
    const char *language; /* "c", "python" */
    const char *name;     /* within the folder of the new algorithm */
    const char *text;     /* ends with a zero byte */
    size_t size;          /* of the text, without it */
    int is_program;       /* to be made executable */
};

/* Grouped by language; the last one has no name. */
extern const struct cor_example_file cor_example_files[];

#endif
