/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suites whose parameters are in a region: drawn by the law until they are, so what is accepted follows the
 * law given the region, whatever the law is. How probable the region is, is counted out where the law can
 * be; else it follows from how many draws that took. */
#include "internal.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>

#define STOPPED_EVERY 1024u   /* draws: is it to stop? */
#define COUNTED_MAX 50000000u /* draws of the laws gone through: a few seconds */

bool estimation_layer__region_has(const struct cor_estimation *e, struct cor_facts *facts,
                                  const double *parameters) {
    const uint32_t count = cor_parameter_laws_size(e->experiment->arms[e->arm].laws);
    for (uint32_t p = 0; p < count; p++)
        cor_facts_set_parameter(facts, p, parameters[p]);
    return cor_case_condition_holds(&e->region, facts);
}

struct counting {
    const struct cor_estimation *estimation;
    struct cor_facts facts;
};

static bool is_in(void *context, const double *reals) {
    struct counting *counting = context;
    return estimation_layer__region_has(counting->estimation, &counting->facts, reals);
}

enum cor_status estimation_layer__region_count(struct cor_estimation *e, struct cor_error *error) {
    const struct cor_parameter_laws *laws = e->experiment->arms[e->arm].laws;
    const uint32_t count = cor_parameter_laws_size(laws);
    struct counting counting = {.estimation = e};
    enum cor_status status = COR_OK;
    bool *reads = cor_calloc(count + 1, sizeof *reads);
    COR_TRY_OUT(cor_made(reads, error));
    COR_TRY_OUT(cor_facts_init(&counting.facts, e->vocabulary, error));
    for (uint32_t p = 0; p < count; p++)
        reads[p] = cor_case_condition_reads_parameter(&e->region, e->vocabulary, p);
    const struct cor_parameter_event event = {is_in, &counting, reads};
    COR_TRY_OUT(cor_parameter_laws_probability(laws, &event, COUNTED_MAX, &e->region_probability, error));
    if (!(e->region_probability <= 0))
        goto out;
    status = cor_fail(error, COR_STATUS_UNSATISFIABLE, e->head.path, "name a wider region",
                      "the region \"%s\" is never drawn: its probability by the law of arm \"%s\" is 0",
                      e->region_text, e->experiment->arms[e->arm].name);
out:
    cor_facts_fini(&counting.facts);
    free(reads);
    return status;
}

enum cor_status estimation_layer__region_find(struct estimation_layer__executor *x, uint32_t index,
                                              uint32_t *draw, struct cor_error *error) {
    const struct cor_estimation *e = x->estimation;
    const size_t capacity = cor_parameter_laws_capacity(e->experiment->arms[e->arm].laws);
    int64_t *integers = cor_calloc(capacity, sizeof *integers);
    double *parameters = cor_calloc(capacity, sizeof *parameters);
    enum cor_status status = COR_OK;
    COR_TRY_OUT(integers && parameters ? COR_OK : cor_fail_memory(error));
    for (*draw = 1; *draw <= COR_REGION_DRAWS_MAX; ++*draw) {
        if (*draw % STOPPED_EVERY == 0 && cor_watch_stopped(x->watch)) {
            status = COR_STATUS_INTERRUPTED;
            goto out;
        }
        COR_TRY_OUT(cor_suite_draw(e->experiment, e->arm, index, *draw, integers, parameters, error));
        if (estimation_layer__region_has(e, &x->facts, parameters))
            goto out;
    }
    status = cor_fail(error, COR_STATUS_UNSATISFIABLE, e->head.path, "name a wider region",
                      "suite %u: none of %u draws by the law is in the region \"%s\"", index,
                      COR_REGION_DRAWS_MAX, e->region_text);
out:
    free(integers);
    free(parameters);
    return status;
}
