/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The examples that new projects begin as, word by word, built in: algorithms of this folder, which are
 * called my_algo, what stands in experiments/library/new, called my_experiment, my_agent, my_model, and the
 * systems of experiments/library/gallery, called delivery_robots and so on. Who writes one replaces that name
 * wherever it stands. */
#ifndef CORRIDOR_EXAMPLES_H
#define CORRIDOR_EXAMPLES_H

#include <stddef.h>

/* One file of an example; constant, part of the program. */
struct cor_example_file {
    const char *folder; /* it comes from: "c", "python", "experiment", "agent", "model", "robots" .. */
    const char *name;   /* within the folder of the new project */
    const char *text;   /* ends with a zero byte */
    size_t size;        /* of the text, without it */
    int is_program;     /* to be made executable */
};

/* Grouped by folder; the last one has no name. */
extern const struct cor_example_file cor_example_files[];

#endif
