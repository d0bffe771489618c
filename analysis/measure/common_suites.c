/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/measurement.h>

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

struct cor_suite_list cor_suites_of(const struct cor_measurement *measurement, size_t arm) {
    COR_ASSERT(arm < measurement->arm_count);
    const struct cor_arm_measurement *it = &measurement->arm[arm];
    return (struct cor_suite_list){measurement->suite + it->first_suite, it->suites};
}

/* Goes in a list up to the suite of that number, from *at on; says whether it is there. */
static bool go_to(const struct cor_suite_list *list, uint32_t suite, size_t *at) {
    while (*at < list->count && list->suite[*at].suite < suite)
        ++*at;
    return *at < list->count && list->suite[*at].suite == suite;
}

enum cor_status cor_common_suites(const struct cor_suite_list *lists, size_t list_count, size_t **place,
                                  size_t *count, struct cor_error *error) {
    COR_ASSERT(list_count > 0);
    *count = 0;
    *place = cor_calloc(lists[0].count * list_count, sizeof **place);
    size_t *at = cor_calloc(list_count, sizeof *at);
    enum cor_status status = *place && at ? COR_OK : cor_fail_memory(error);
    for (size_t s = 0; s < lists[0].count && status == COR_OK; s++) {
        COR_ASSERT(s == 0 || lists[0].suite[s].suite > lists[0].suite[s - 1].suite);
        bool common = true;
        for (size_t l = 0; l < list_count; l++)
            common = go_to(&lists[l], lists[0].suite[s].suite, &at[l]) && common;
        if (common)
            memcpy(*place + list_count * (*count)++, at, list_count * sizeof *at);
    }
    free(at);
    return status;
}
