/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

struct cor_report_options cor_default_report(void) {
    return (struct cor_report_options){.level = 0.95, .gnuplot = "gnuplot", .dot = "dot"};
}

static enum cor_status rank(struct cor_report *report, struct cor_error *error) {
    enum cor_status status = COR_OK;
    report->ranking = cor_calloc(report->tables->arm_count, sizeof *report->ranking);
    if (!report->ranking)
        return cor_fail_memory(error);
    for (size_t a = 0; a < report->tables->arm_count && a < COR__ARMS_MAX && status == COR_OK; a++) {
        const struct cor_arm_tables *arm = &report->tables->arm[a];
        if (arm->caught.gray + arm->caught.black > 0)
            status = cor_ranking_create(report->result, arm->code, COR_ANY_SUITE, COR_UNIT_REORGANIZATION,
                                        COR_SCORE_OCHIAI, &report->ranking[a], error);
    }
    return status;
}

static enum cor_status survive(struct cor_report *report, struct cor_error *error) {
    struct cor_depths_wish wish = {.level = report->options.level};
    enum cor_status status = cor_depths_create(report->result, &wish, &report->depths, error);
    wish.box = COR_BOX_BLACK;
    return status == COR_OK ? cor_depths_create(report->result, &wish, &report->black, error) : status;
}

static enum cor_status read_all(struct cor_report *report, struct cor_error *error) {
    const struct cor_coverage_options all = cor_default_coverage();
    enum cor_status status = cor_tables_create(report->result, report->options.level, &report->tables, error);
    if (status == COR_OK)
        status = cor_coverage_create(report->result, &all, &report->coverage, error);
    if (status == COR_OK)
        status = survive(report, error);
    if (status == COR_OK)
        status = cor__evidence_init(&report->evidence, report->result, report->tables, error);
    if (status == COR_OK)
        status = rank(report, error);
    if (status == COR_OK)
        status = cor_result_hash(report->result, &report->hash, error);
    return status;
}

static enum cor_status draw_all(struct cor_report *report, struct cor_error *error) {
    enum cor_status status = cor__plot_survival(report, error);
    if (status == COR_OK)
        status = cor__plot_growth(report, error);
    if (status == COR_OK)
        status = cor__plot_heat(report, error);
    if (status == COR_OK)
        status = cor__plot_trees(report, error);
    if (status == COR_OK)
        status = cor__draw(&report->figures, &report->options, error);
    return status;
}

enum cor_status cor_report_create(struct cor_result *result, const struct cor_report_options *options,
                                  struct cor_report **report, struct cor_error *error) {
    struct cor_report *made = *report = cor_calloc(1, sizeof *made);
    if (!made)
        return cor_fail_memory(error);
    made->result = result;
    made->head = cor_result_head(result);
    made->options = *options;
    /* Texts that are no JSON are shown as they are. */
    if (cor_json_parse(made->head->experiment, "experiment", &made->experiment, NULL) != COR_OK)
        made->experiment = NULL;
    if (cor_json_parse(made->head->provenance, "provenance", &made->provenance, NULL) != COR_OK)
        made->provenance = NULL;
    enum cor_status status = read_all(made, error);
    if (status == COR_OK)
        status = draw_all(made, error);
    if (status == COR_OK) {
        char *const *trouble = made->figures.trouble;
        made->notes =
            cor_format("%s%s%s%s%s%s", trouble[0] ? "no plots are drawn: " : "", trouble[0] ? trouble[0] : "",
                       trouble[0] ? "\n" : "", trouble[1] ? "no graphs are drawn: " : "",
                       trouble[1] ? trouble[1] : "", trouble[1] ? "\n" : "");
        status = made->notes ? COR_OK : cor_fail_memory(error);
    }
    if (status != COR_OK) {
        cor_report_destroy(made);
        *report = NULL;
    }
    return status;
}

void cor_report_destroy(struct cor_report *report) {
    if (!report)
        return;
    for (size_t a = 0; report->ranking && a < report->tables->arm_count; a++)
        cor_ranking_destroy(report->ranking[a]);
    free(report->ranking);
    cor__evidence_fini(&report->evidence);
    cor__figures_fini(&report->figures);
    cor_depths_destroy(report->depths);
    cor_depths_destroy(report->black);
    cor_coverage_destroy(report->coverage);
    cor_tables_destroy(report->tables);
    cor_json_destroy(report->experiment);
    cor_json_destroy(report->provenance);
    free(report->notes);
    free(report);
}

const char *cor_report_notes(const struct cor_report *report) {
    return report->notes;
}

size_t cor_report_broken(const struct cor_report *report) {
    return cor_tables_broken(report->tables);
}
