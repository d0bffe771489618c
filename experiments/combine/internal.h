/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model as generator and checker see it: all they share. */
#ifndef CORRIDOR_COMBINE_INTERNAL_H
#define CORRIDOR_COMBINE_INTERNAL_H

#include <corridor/combine.h>

struct cor__combine_parameter {
    char *name;                       /* owned */
    struct cor_combine_level *levels; /* owned, with their texts */
    uint32_t level_count;
};

/* Parameters of which any `strength` are covered together. */
struct cor__combine_part {
    uint32_t *parameters; /* owned; ascending */
    uint32_t parameter_count, strength;
};

struct cor__combine_constraint {
    char *text, *place; /* owned; as the user wrote it, and where */
};

struct cor_combine_model {
    struct cor__combine_parameter *parameters; /* owned, as all that follows */
    size_t parameter_count, parameter_capacity;
    struct cor__combine_part *parts;
    size_t part_count, part_capacity;
    struct cor__combine_constraint *constraints;
    size_t constraint_count, constraint_capacity;
    uint32_t *rows; /* row_count rows of parameter_count levels, COR_COMBINE_ANY among them */
    size_t row_count, row_capacity;
};

#endif
