/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pairing.h"

#include <corridor/array.h>
#include <corridor/json.h>

#include <stdlib.h>
#include <string.h>

static size_t arm_count(const struct cor_sums *side) {
    return side->head->catalog_size[COR_CATALOG_ARM];
}

static const char *arm_name(const struct cor_sums *side, size_t a) {
    return side->head->catalog[COR_CATALOG_ARM][a].name;
}

/* The arm whose name is the first `length` letters of `name`; the number of arms if there is none. */
static size_t find(const struct cor_sums *side, const char *name, size_t length) {
    size_t a = 0;
    while (a < arm_count(side) &&
           (strlen(arm_name(side, a)) != length || strncmp(arm_name(side, a), name, length) != 0))
        a++;
    return a;
}

/* ---------------------------------------------------------------------------------------- arms */

static enum cor_status no_such_arm(const struct cor_sums *side, const char *letter, const char *name,
                                   size_t length, struct cor_error *error) {
    const char **names = cor_calloc(arm_count(side) + 1, sizeof *names);
    char known[512], word[256];
    if (!names)
        return cor_fail_memory(error);
    for (size_t a = 0; a < arm_count(side); a++)
        names[a] = arm_name(side, a);
    snprintf(word, sizeof word, "%.*s", length < 255 ? (int)length : 255, name);
    cor_known_names(word, names, known, sizeof known);
    free(names);
    return cor_fail(error, COR_STATUS_INPUT, "--arms", known, "%s has no arm \"%s\"", letter, word);
}

/* A name may hold the sign that stands between the two: the first reading that both files know counts. */
static enum cor_status split(const struct cor_sums *const sides[2], const char *arms,
                             struct cor__couple *couple, struct cor_error *error) {
    const char *equals = strchr(arms, '=');
    couple->arm[0] = find(sides[0], arms, strlen(arms));
    couple->arm[1] = find(sides[1], arms, strlen(arms));
    if (couple->arm[0] < arm_count(sides[0]) && couple->arm[1] < arm_count(sides[1]))
        return COR_OK;
    for (const char *at = equals; at; at = strchr(at + 1, '=')) {
        couple->arm[0] = find(sides[0], arms, (size_t)(at - arms));
        couple->arm[1] = find(sides[1], at + 1, strlen(at + 1));
        if (couple->arm[0] < arm_count(sides[0]) && couple->arm[1] < arm_count(sides[1]))
            return COR_OK;
    }
    size_t length = equals ? (size_t)(equals - arms) : strlen(arms);
    const char *second = equals ? equals + 1 : arms;
    couple->arm[0] = find(sides[0], arms, length);
    couple->arm[1] = find(sides[1], second, strlen(second));
    if (couple->arm[0] == arm_count(sides[0]))
        return no_such_arm(sides[0], "A", arms, length, error);
    if (couple->arm[1] == arm_count(sides[1]))
        return no_such_arm(sides[1], "B", second, strlen(second), error);
    return COR_OK;
}

static enum cor_status match(const struct cor_sums *const sides[2], struct cor__couple *couples,
                             size_t *count, uint64_t without[2], struct cor_error *error) {
    for (size_t a = 0; a < arm_count(sides[0]); a++) {
        size_t b = find(sides[1], arm_name(sides[0], a), strlen(arm_name(sides[0], a)));
        if (b < arm_count(sides[1]))
            couples[(*count)++] = (struct cor__couple){{a, b}};
    }
    without[0] = arm_count(sides[0]) - *count;
    without[1] = arm_count(sides[1]) - *count;
    if (*count > 0)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, NULL, "--arms A_ARM=B_ARM says which are to be compared",
                    "no arm of A has the name of an arm of B: \"%s\" ... and \"%s\" ...",
                    arm_count(sides[0]) > 0 ? arm_name(sides[0], 0) : "",
                    arm_count(sides[1]) > 0 ? arm_name(sides[1], 0) : "");
}

enum cor_status cor__couples(const struct cor_sums *const sides[2], const char *arms,
                             struct cor__couple **couples, size_t *count, uint64_t without[2],
                             struct cor_error *error) {
    *count = 0;
    without[0] = without[1] = 0;
    *couples = cor_calloc(arm_count(sides[0]) + 1, sizeof **couples);
    if (!*couples)
        return cor_fail_memory(error);
    if (!arms)
        return match(sides, *couples, count, without, error);
    *count = 1;
    return split(sides, arms, *couples, error);
}

bool cor__same_algorithm(const struct cor_sums *const sides[2], const struct cor__couple *couple) {
    char *said[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        struct cor_json_document *document = NULL;
        struct cor_json algorithm;
        const char *text = sides[i]->head->catalog[COR_CATALOG_ARM][couple->arm[i]].description;
        if (cor_json_parse(text, "description of an arm", &document, NULL) != COR_OK)
            continue;
        struct cor_json root = cor_json_root(document);
        if (cor_json_find(&root, "algorithm", &algorithm))
            said[i] = cor_json_text(&algorithm);
        cor_json_destroy(document);
    }
    bool same = !said[0] || !said[1] || strcmp(said[0], said[1]) == 0;
    free(said[0]);
    free(said[1]);
    return same;
}

/* -------------------------------------------------------------------------------------- suites */

static enum cor_status list_suites(struct cor__pairing *pairing, int side, const struct cor_sums *sums,
                                   size_t arm, struct cor_error *error) {
    pairing->suite[side] = cor_calloc(sums->suite_count, sizeof **pairing->suite);
    if (!pairing->suite[side])
        return cor_fail_memory(error);
    for (size_t s = 0; s < sums->suite_count; s++)
        if (sums->suite[s].arm == arm)
            pairing->suite[side][pairing->count[side]++] = &sums->suite[s];
    return COR_OK;
}

static bool equal(const struct cor_suite_sums *a, const struct cor_suite_sums *b) {
    return a->configuration_hash != 0 && a->configuration_hash == b->configuration_hash;
}

/* Both lists ascend by suite: keeps (keep) or counts those of the same number. */
static void meet(struct cor__pairing *pairing, struct cor_compared_arms *made, bool keep) {
    size_t a = 0, b = 0, kept = 0;
    while (a < pairing->count[0] && b < pairing->count[1]) {
        const struct cor_suite_sums *one = pairing->suite[0][a], *other = pairing->suite[1][b];
        if (one->suite == other->suite && keep) {
            pairing->suite[0][kept] = one;
            pairing->suite[1][kept++] = other;
        } else if (one->suite == other->suite) {
            made->common++;
            made->equal += equal(one, other);
        }
        a += one->suite <= other->suite;
        b += other->suite <= one->suite;
    }
    if (keep)
        pairing->count[0] = pairing->count[1] = kept;
}

enum cor_status cor__pairing_init(struct cor__pairing *pairing, const struct cor_sums *const sides[2],
                                  const struct cor__couple *couple, struct cor_compared_arms *made,
                                  struct cor_error *error) {
    *pairing = (struct cor__pairing){0};
    for (int i = 0; i < 2; i++) {
        enum cor_status status = list_suites(pairing, i, sides[i], couple->arm[i], error);
        if (status != COR_OK)
            return status;
        made->name[i] = arm_name(sides[i], couple->arm[i]);
        made->suites[i] = pairing->count[i];
    }
    meet(pairing, made, false);
    made->paired = made->common > 0 && made->equal == made->common;
    if (made->paired)
        meet(pairing, made, true);
    return COR_OK;
}

void cor__pairing_fini(struct cor__pairing *pairing) {
    free(pairing->suite[0]);
    free(pairing->suite[1]);
}
