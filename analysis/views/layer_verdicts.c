/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verdicts of a result file, whatever layer it is of. */
#include "test_formats.h"

#include <corridor/verdicts.h>

static const struct cor__layer_verdicts *verdicts_of(const struct cor_result *result) {
    static const struct cor__layer_verdicts *const layers[] = {
        &cor__verdicts_of_campaigns, &cor__verdicts_of_agents, &cor__verdicts_of_models,
        &cor__verdicts_of_searches};
    size_t i = 0;
    while (layers[i]->layer != cor_result_head(result)->layer) {
        i++;
        COR_ASSERT(i < sizeof layers / sizeof *layers);
    }
    return layers[i];
}

enum cor_status cor_result_findings(struct cor_result *result, struct cor_view_findings *findings,
                                    struct cor_error *error) {
    *findings = (struct cor_view_findings){0};
    return verdicts_of(result)->count(result, findings, error);
}

enum cor_status cor_result_junit(struct cor_result *result, FILE *file, struct cor_error *error) {
    return verdicts_of(result)->write(result, cor__write_junit, file, error);
}

enum cor_status cor_result_tap(struct cor_result *result, FILE *file, struct cor_error *error) {
    return verdicts_of(result)->write(result, cor__write_tap, file, error);
}

enum cor_status cor_result_mutants(struct cor_result *result, struct cor_sheets *sheets,
                                   struct cor_error *error) {
    COR_ASSERT(verdicts_of(result)->mutants);
    COR_TRY(verdicts_of(result)->mutants(result, sheets, error));
    return cor_sheets_status(sheets, error);
}
