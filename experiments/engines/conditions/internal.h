/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of a vocabulary, which conditions are parsed over. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_CONDITIONS_INTERNAL_H
#define CORRIDOR_EXPERIMENTS_ENGINES_CONDITIONS_INTERNAL_H

#include <corridor/case_condition.h>

struct conditions__environment {
    struct cor_domain domain;
    uint32_t *words; /* owned; [word] states, then classes */
    uint64_t *sets;  /* owned; [word] what it stands for; 0 = types differ in what they mean by it */
    uint32_t state_count, word_count;
    const struct cor_profile *profile; /* borrowed; NULL: drawn for each suite */
};

struct cor_vocabulary {
    uint32_t environment_count, symbol_count, first_parameter, first_reaction;
    struct conditions__environment *environments; /* owned */
    char **names;                                 /* owned; [symbol] */
    struct cor_symbol *symbols;                   /* owned; [symbol] */
    struct cor_words words;
};

#endif
