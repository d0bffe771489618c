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

enum cor_status cor_arm_find(const struct cor_result *result, const char *name, uint16_t *arm,
                             struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(result);
    const struct cor_catalog_entry *entries = head->catalog[COR_CATALOG_ARM];
    size_t count = head->catalog_size[COR_CATALOG_ARM];
    char known[512];
    for (size_t i = 0; i < count; i++)
        if (name ? strcmp(entries[i].name, name) == 0 : count == 1) {
            *arm = entries[i].code;
            return COR_OK;
        }
    const char **names = cor_calloc(count + 1, sizeof *names);
    if (!names)
        return cor_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        names[i] = entries[i].name;
    cor_known_names(name ? name : "", names, known, sizeof known);
    enum cor_status status =
        name ? cor_fail(error, COR_STATUS_INPUT, "--arm", known, "no arm is called \"%s\"", name)
             : cor_fail(error, COR_STATUS_INPUT, "--arm", known, "the file has %zu arms: name one", count);
    free(names);
    return status;
}
