/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "html.h"
#include "page.h"

#include <corridor/agent_schema.h>
#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/ranking.h>
#include <corridor/view.h>

#include <stdlib.h>
#include <string.h>

#define FEATURES 6 /* of a ranking that are shown */

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
                 {"result", "result", "none"},
                 {"agents", "agents", "none"},
                 {"mail", "mail", "in_order"},
                 {"environment", "environment", "profile"}};
    const char *description = entry->description;
    arm->name = entry->name;
    char *fault = cor_text_under(description, "fault");
    arm->known = fault != NULL;
    free(fault);
    if (!arm->known)
        return COR_OK;
    char *algorithm = cor_text_under(description, "algorithm");
    if (!algorithm)
        algorithm = cor_text_under(description, "agent");
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
    report->arm_count = cor_arm_count(report->head);
    report->arm = cor_calloc(report->arm_count, sizeof *report->arm);
    if (!report->arm)
        return cor_fail_memory(error);
    for (size_t a = 0; a < report->arm_count; a++)
        COR_TRY(describe_arm(&report->arm[a], cor_arm_entry(report->head, a), error));
    return COR_OK;
}

/* Lets a view fill its sheets. */
static enum cor_status look(struct cor_report *report, const char *name,
                            const struct cor_view_request *request, struct cor_sheets **sheets,
                            struct cor_error *error) {
    const struct cor_view *view = cor_view_find(name);
    struct cor_view_findings findings = {0};
    COR_ASSERT(view && !*sheets);
    COR_TRY(cor_sheets_create(view->schema, view->version, sheets, error));
    COR_TRY(view->make(request, *sheets, &findings, error));
    report->broken += findings.broken;
    return cor_sheets_status(*sheets, error);
}

/* The environments of all arms together, as far as they are drawn. */
static enum cor_status find_environments(struct cor_report *report, struct cor_error *error) {
    const struct cor_sheet *environments = cor_sheets_find(report->view[COR__COVERAGE], "environments"),
                           *states = cor_sheets_find(report->view[COR__COVERAGE], "states");
    report->environment = cor_calloc(COR__ENVIRONMENTS_MAX, sizeof *report->environment);
    if (!report->environment)
        return cor_fail_memory(error);
    for (size_t row = 0; row < cor_sheet_size(environments); row++) {
        if (strcmp(cor__sheet_word(environments, row, "arm"), "all") != 0 ||
            report->environment_count == COR__ENVIRONMENTS_MAX)
            continue;
        struct cor__environment *it = &report->environment[report->environment_count++];
        it->name = cor__sheet_word(environments, row, "environment");
        it->code = (uint16_t)cor__sheet_count(environments, row, "code");
        it->fixed =
            cor_sheet_cell(environments, row, cor_sheet_column(environments, "same_in_all_suites"))->flag;
        for (size_t s = 0; s < cor_sheet_size(states); s++)
            it->states += strcmp(cor__sheet_word(states, s, "arm"), "all") == 0 &&
                          strcmp(cor__sheet_word(states, s, "environment"), it->name) == 0;
    }
    return COR_OK;
}

static enum cor_status rank(struct cor_report *report, const struct cor_view_request *all,
                            struct cor_error *error) {
    const struct cor_sheet *happened = cor_sheets_find(report->view[COR__TABLES], "reorganizations");
    struct cor_view_request request = *all;
    report->ranking = cor_calloc(report->arm_count, sizeof *report->ranking);
    if (!report->ranking)
        return cor_fail_memory(error);
    request.rows = FEATURES;
    request.unit = COR_UNIT_REORGANIZATION;
    request.score = COR_SCORE_OCHIAI;
    for (size_t a = 0; a < report->arm_count && a < COR__ARMS_MAX; a++) {
        if (cor__sheet_count(happened, a, "gray") + cor__sheet_count(happened, a, "black") == 0)
            continue;
        request.arm = report->arm[a].name;
        COR_TRY(look(report, "ranking", &request, &report->ranking[a], error));
    }
    return COR_OK;
}

static void say(const struct cor_report *report, const char *what) {
    if (report->options.doing)
        report->options.doing(what);
}

static enum cor_status read_all(struct cor_report *report, struct cor_error *error) {
    const struct cor_view_request all = {
        .result = report->result, .level = report->options.level, .suite = COR_ANY_SUITE};
    struct cor_view_request black = all;
    black.box = COR_BLACK_BOX;
    COR_TRY(describe(report, error));
    if (report->of_agents) {
        COR_TRY(look(report, "findings", &all, &report->view[COR__FINDINGS], error));
        return cor_result_hash(report->result, &report->hash, error);
    }
    say(report, "computing the tables");
    COR_TRY(look(report, "tables", &all, &report->view[COR__TABLES], error));
    say(report, "computing times to detection");
    COR_TRY(look(report, "survival", &all, &report->view[COR__SURVIVAL], error));
    COR_TRY(look(report, "survival", &black, &report->view[COR__BLACK], error));
    say(report, "computing coverage");
    COR_TRY(look(report, "coverage", &all, &report->view[COR__COVERAGE], error));
    COR_TRY(find_environments(report, error));
    say(report, "choosing failures");
    COR_TRY(cor__failures_init(&report->failures, report->result,
                               cor_sheets_find(report->view[COR__TABLES], "failures"), error));
    say(report, "ranking what goes with failing");
    COR_TRY(rank(report, &all, error));
    return cor_result_hash(report->result, &report->hash, error);
}

static enum cor_status plot_all(struct cor_report *report, struct cor_error *error) {
    COR_TRY(cor__plot_survival(report, error));
    COR_TRY(cor__plot_growth(report, error));
    COR_TRY(cor__plot_heat(report, error));
    return cor__plot_trees(report, error);
}

static enum cor_status draw_all(struct cor_report *report, struct cor_error *error) {
    COR_TRY(report->of_agents ? cor__plot_units(report, error) : plot_all(report, error));
    say(report, "drawing figures");
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
    COR_ASSERT(options->level >= 0.5 && options->level <= 0.9999);
    struct cor_report *made = *report = cor_calloc(1, sizeof *made);
    if (!made)
        return cor_fail_memory(error);
    made->result = result;
    made->head = cor_result_head(result);
    made->options = *options;
    made->of_agents = made->head->layer == &cor_agent_schema;
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
    for (size_t a = 0; a < report->arm_count; a++) {
        if (report->ranking)
            cor_sheets_destroy(report->ranking[a]);
        if (report->arm)
            free(report->arm[a].what);
    }
    for (size_t v = 0; v < COR__VIEWS; v++)
        cor_sheets_destroy(report->view[v]);
    free(report->environment);
    free(report->ranking);
    free(report->arm);
    cor__failures_fini(&report->failures);
    cor__figures_fini(&report->figures);
    free(report->name);
    free(report->description);
    free(report->notes);
    free(report);
}

const char *cor_report_notes(const struct cor_report *report) {
    return report->notes;
}

size_t cor_report_broken(const struct cor_report *report) {
    return report->broken;
}
