/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words of tree.h's lists, and finding an arm by its name. */
#include <corridor/array.h>
#include <corridor/tree.h>

#include <stdlib.h>
#include <string.h>

const char *cor_unit_word(enum cor_unit unit) {
    static const char *const words[] = {
#define COR_UNIT(NAME, one, many, meaning) many,
        COR_UNITS(COR_UNIT)
#undef COR_UNIT
    };
    return words[unit];
}

const char *cor_score_id(enum cor_score score) {
    static const char *const ids[] = {
#define COR_SCORE(NAME, id, formula, source) id,
        COR_SCORES(COR_SCORE)
#undef COR_SCORE
    };
    return ids[score];
}

const char *cor_score_formula(enum cor_score score) {
    static const char *const formulas[] = {
#define COR_SCORE(NAME, id, formula, source) formula,
        COR_SCORES(COR_SCORE)
#undef COR_SCORE
    };
    return formulas[score];
}

const char *cor_score_source(enum cor_score score) {
    static const char *const sources[] = {
#define COR_SCORE(NAME, id, formula, source) source,
        COR_SCORES(COR_SCORE)
#undef COR_SCORE
    };
    return sources[score];
}

const char *cor_aspect_word(enum cor_aspect aspect) {
    static const char *const words[] = {
#define COR_ASPECT(NAME, word, meaning) word,
        COR_ASPECTS(COR_ASPECT)
#undef COR_ASPECT
    };
    return words[aspect];
}

const char *cor_projection_word(enum cor_projection projection) {
    static const char *const words[] = {
#define COR_PROJECTION(NAME, word, meaning) word,
        COR_PROJECTIONS(COR_PROJECTION)
#undef COR_PROJECTION
    };
    return words[projection];
}

