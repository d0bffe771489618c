/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verdicts of a result file, whatever layer it is of. */
#include "test_formats.h"

#include <corridor/verdicts.h>

const struct views__layer_verdicts *views__verdicts_of(const struct cor_result *result) {
    static const struct views__layer_verdicts *const layers[] = {
#define VIEWS__VERDICTS(word) &views__verdicts_of_##word,
        COR_LAYERS(VIEWS__VERDICTS)
#undef VIEWS__VERDICTS
    };
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        if (layers[i]->layer == cor_result_head(result)->layer)
            return layers[i];
    return NULL;
}

enum cor_status cor_result_findings(struct cor_result *result, struct cor_view_findings *findings,
                                    struct cor_error *error) {
    const struct views__layer_verdicts *verdicts = views__verdicts_of(result);
    *findings = (struct cor_view_findings){0};
    return verdicts && verdicts->count ? verdicts->count(result, findings, error) : COR_OK;
}

static enum cor_status write_verdicts(struct cor_result *result, views__write_list *write, FILE *file,
                                      struct cor_error *error) {
    const struct views__layer_verdicts *verdicts = views__verdicts_of(result);
    if (verdicts && verdicts->write)
        return verdicts->write(result, write, file, error);
    return cor_fail(error, COR_STATUS_INPUT, "--format", "show it with corridor show",
                    "the file holds %s, which give no verdicts", cor_result_head(result)->layer->holds);
}

enum cor_status cor_result_junit(struct cor_result *result, FILE *file, struct cor_error *error) {
    return write_verdicts(result, views__write_junit, file, error);
}

enum cor_status cor_result_tap(struct cor_result *result, FILE *file, struct cor_error *error) {
    return write_verdicts(result, views__write_tap, file, error);
}

enum cor_status cor_result_mutants(struct cor_result *result, struct cor_sheets *sheets,
                                   struct cor_error *error) {
    COR_ASSERT(views__verdicts_of(result)->mutants);
    COR_TRY(views__verdicts_of(result)->mutants(result, sheets, error));
    return cor_sheets_status(sheets, error);
}
