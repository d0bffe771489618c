/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Branching: what an experiment file says of it, and the walk of a sequence that continues another one. */
#include "branching.h"

#include <corridor/array.h>
#include <corridor/suite.h>

#define CONTINUATIONS_MAX 1000
#define CASES_MAX 10000000

/* "back": a number of cases, or several in ascending order. */
static enum cor_status read_back(const struct cor_json *json, struct cor_branching *branching,
                                 struct cor_error *error) {
    struct cor_json back, item;
    branching->back[0] = branching->back_count = 1;
    if (!cor_json_find(json, "back", &back))
        return COR_OK;
    bool several = cor_json_is_array(&back);
    enum cor_status status = several ? cor_json_expect_array(&back, 1, COR_BACK_COUNT_MAX, error) : COR_OK;
    branching->back_count = several && status == COR_OK ? (uint32_t)cor_json_size(&back) : 1;
    for (uint32_t i = 0; i < branching->back_count && status == COR_OK; i++) {
        int64_t cases = 0;
        item = several ? cor_json_at(&back, i) : back;
        status = cor_json_integer(&item, 1, CASES_MAX, &cases, error);
        branching->back[i] = (uint32_t)cases;
        if (status == COR_OK && i > 0 && branching->back[i] <= branching->back[i - 1])
            status =
                cor_json_fail(&item, error, "write them in ascending order", "is not above the one before");
    }
    return status;
}

enum cor_status cor__branching_read(const struct cor_json *root, uint32_t sequences, uint32_t sequences_max,
                                    struct cor_branching *branching, struct cor_error *error) {
    static const char *const keys[] = {"continuations", "back", "cases", NULL};
    struct cor_json json, child;
    int64_t continuations = 0, cases = CASES_MAX;
    *branching = (struct cor_branching){0};
    if (!cor_json_find(root, "branching", &json))
        return COR_OK;
    enum cor_status status = cor_json_expect_object(&json, keys, error);
    if (status == COR_OK)
        status = cor_json_need(&json, "continuations", &child, error);
    if (status == COR_OK)
        status = cor_json_integer(&child, 1, CONTINUATIONS_MAX, &continuations, error);
    if (status == COR_OK)
        status = read_back(&json, branching, error);
    if (status == COR_OK && cor_json_find(&json, "cases", &child))
        status = cor_json_integer(&child, 1, CASES_MAX, &cases, error);
    if (status != COR_OK)
        return status;
    branching->continuations = (uint32_t)continuations;
    branching->cases = (uint32_t)cases;
    uint64_t most = (uint64_t)sequences * (1 + (uint64_t)continuations * branching->back_count);
    if (most <= sequences_max)
        return COR_OK;
    return cor_json_fail(&json, error, "ask for fewer continuations, or for fewer sequences",
                         "a suite could come to %llu sequences, more than %u", (unsigned long long)most,
                         sequences_max);
}
