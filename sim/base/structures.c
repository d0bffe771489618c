/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/structures.h>

#include <stddef.h>

const char *const cor_structure_words[] = {"partitioning", "covering", "overlapping",
                                           "hierarchy",    "tree",     NULL};
