/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page.h"

#include <corridor/arms.h>
#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

struct cor_report_options cor_default_report(void) {
    return (struct cor_report_options){.level = 0.95, .gnuplot = "gnuplot", .dot = "dot"};
}

/* Appends ", LABEL WORD" to *text, which is owned and replaced; false when memory is out. `usual` is not
 * said, nor is "none". */
static bool add_words(char **text, const char *description, const char *key, const char *label,
                      const char *usual) {
    char *word = cor_text_under(description, key), *before = *text;
    if (!word || strcmp(word, "none") == 0 || strcmp(word, usual) == 0) {
        free(word);
        return true;
    }
    *text = cor_format("%s, %s %s", before, label, word);
    free(before);
    free(word);
    return *text != NULL;
}

/* A description that is no JSON says nothing. */
static enum cor_status describe_arm(struct cor__arm_words *arm, const struct cor_catalog_entry *entry,
                                    struct cor_error *error) {
    static const struct {
        const char *key, *label, *usual;
    } parts[] = {{"fault", "fault", "none"},
                 {"monitor", "alarms", "none"},
                 {"adoption", "moves", "none"},
                 {"mail", "mail", "in_order"},
                 {"environment", "environment", "profile"}};
    const char *description = entry->description;
    char *fault = cor_text_under(description, "fault");
    arm->known = fault != NULL;
    arm->injects = cor_arm_has_fault(entry);
    free(fault);
    if (!arm->known)
        return COR_OK;
    char *algorithm = cor_text_under(description, "algorithm");
    arm->what = cor_strdup(algorithm ? algorithm : "none");
    free(algorithm);
    for (size_t p = 0; arm->what && p < sizeof parts / sizeof *parts; p++)
        if (!add_words(&arm->what, description, parts[p].key, parts[p].label, parts[p].usual))
            break;
    return arm->what ? COR_OK : cor_fail_memory(error);
}

static enum cor_status describe(struct cor_report *report, struct cor_error *error) {
    report->name = cor_text_under(report->head->experiment, "name");
    report->description = cor_text_under(report->head->experiment, "description");
    report->arm = cor_calloc(report->tables->arm_count, sizeof *report->arm);
    if (!report->arm)
        return cor_fail_memory(error);
    for (size_t a = 0; a < report->tables->arm_count; a++) {
        const struct cor_arm_tables *tables = &report->tables->arm[a];
        report->published = report->published || (tables->published && tables->measured->sequences > 0);
        COR_TRY(describe_arm(&report->arm[a], cor_arm_entry(report->head, a), error));
    }
    return COR_OK;
}

static enum cor_status rank(struct cor_report *report, struct cor_error *error) {
    report->ranking = cor_calloc(report->tables->arm_count, sizeof *report->ranking);
    if (!report->ranking)
        return cor_fail_memory(error);
    for (size_t a = 0; a < report->tables->arm_count && a < COR__ARMS_MAX; a++) {
        const struct cor_arm_tables *arm = &report->tables->arm[a];
        if (arm->measured->tally.gray + arm->measured->tally.black > 0)
            COR_TRY(cor_ranking_create(report->result, arm->measured->entry->code, COR_ANY_SUITE,
                                       COR_UNIT_REORGANIZATION, COR_SCORE_OCHIAI, &report->ranking[a],
                                       error));
    }
    return COR_OK;
}

static enum cor_status survive(struct cor_report *report, struct cor_error *error) {
    struct cor_depths_wish wish = {.level = report->options.level};
    COR_TRY(cor_depths_create(report->result, &wish, &report->depths, error));
    wish.box = COR_BOX_BLACK;
    return cor_depths_create(report->result, &wish, &report->black, error);
}

static enum cor_status read_all(struct cor_report *report, struct cor_error *error) {
    const struct cor_coverage_options all = cor_default_coverage();
    COR_TRY(cor_tables_create(report->result, report->options.level, COR_INTERVAL_LINEARISED, &report->tables,
                              error));
    COR_TRY(describe(report, error));
    COR_TRY(cor_coverage_create(report->result, &all, &report->coverage, error));
    COR_TRY(survive(report, error));
    COR_TRY(cor__failures_init(&report->failures, report->result, error));
    COR_TRY(rank(report, error));
    return cor_result_hash(report->result, &report->hash, error);
}

static enum cor_status draw_all(struct cor_report *report, struct cor_error *error) {
    COR_TRY(cor__plot_survival(report, error));
    COR_TRY(cor__plot_growth(report, error));
    COR_TRY(cor__plot_heat(report, error));
    COR_TRY(cor__plot_trees(report, error));
    return cor__draw(&report->figures, &report->options, error);
}

static enum cor_status make_notes(struct cor_report *report, struct cor_error *error) {
    char *const *trouble = report->figures.trouble;
    report->notes =
        cor_format("%s%s%s%s%s%s", trouble[0] ? "no plots are drawn: " : "", trouble[0] ? trouble[0] : "",
                   trouble[0] ? "\n" : "", trouble[1] ? "no graphs are drawn: " : "",
                   trouble[1] ? trouble[1] : "", trouble[1] ? "\n" : "");
    return report->notes ? COR_OK : cor_fail_memory(error);
}

enum cor_status cor_report_create(struct cor_result *result, const struct cor_report_options *options,
                                  struct cor_report **report, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_report *made = *report = cor_calloc(1, sizeof *made);
    if (!made)
        return cor_fail_memory(error);
    made->result = result;
    made->head = cor_result_head(result);
    made->options = *options;
    COR_TRY_OUT(read_all(made, error));
    COR_TRY_OUT(draw_all(made, error));
    COR_TRY_OUT(make_notes(made, error));
    return COR_OK;
out:
    cor_report_destroy(made);
    *report = NULL;
    return status;
}

void cor_report_destroy(struct cor_report *report) {
    if (!report)
        return;
    for (size_t a = 0; report->tables && a < report->tables->arm_count; a++) {
        if (report->ranking)
            cor_ranking_destroy(report->ranking[a]);
        if (report->arm)
            free(report->arm[a].what);
    }
    free(report->ranking);
    free(report->arm);
    cor__failures_fini(&report->failures);
    cor__figures_fini(&report->figures);
    cor_depths_destroy(report->depths);
    cor_depths_destroy(report->black);
    cor_coverage_destroy(report->coverage);
    cor_tables_destroy(report->tables);
    free(report->name);
    free(report->description);
    free(report->notes);
    free(report);
}

const char *cor_report_notes(const struct cor_report *report) {
    return report->notes;
}

size_t cor_report_broken(const struct cor_report *report) {
    return cor_tables_broken(report->tables);
}
