/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/view.h>

#include <stdlib.h>
#include <string.h>

/* NULL: there is no page of that layer. */
static const struct report__page_kind *kind_of(const struct cor_layer_schema *layer) {
    static const struct report__page_kind *const kinds[] = {
#define REPORT__PAGE(word) &report__page_of_##word,
        COR_LAYERS(REPORT__PAGE)
#undef REPORT__PAGE
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (kinds[k]->layer == layer)
            return kinds[k];
    return NULL;
}

bool cor_report_knows(const struct cor_layer_schema *layer) {
    return kind_of(layer) != NULL;
}

struct cor_report_options cor_default_report(void) {
    return (struct cor_report_options){.level = 0.95, .dot = "dot"};
}

/* A description that is no JSON says nothing. */
static enum cor_status describe_arm(struct report__arm_words *arm, const struct cor_catalog_entry *entry,
                                    struct cor_error *error) {
    static const struct {
        const char *key, *label, *usual;
    } parts[] = {{"fault", "fault", "none"},    {"observer", "monitors", "none"},
                 {"monitor", "alarms", "none"}, {"adoption", "moves", "none"},
                 {"result", "result", "none"},  {"agents", "agents", "none"},
                 {"mail", "mail", "in_order"},  {"environment", "environment", "profile"}};
    const char *description = entry->description;
    arm->name = entry->name;
    char *fault, *algorithm;
    COR_TRY(cor_arm_has_fault(entry, &arm->has_fault, error));
    COR_TRY(cor_text_under(description, "fault", &fault, error));
    arm->known = fault != NULL;
    free(fault);
    if (!arm->known)
        return COR_OK;
    COR_TRY(cor_text_under(description, "algorithm", &algorithm, error));
    if (!algorithm)
        COR_TRY(cor_text_under(description, "agent", &algorithm, error));
    arm->what = cor_strdup(algorithm ? algorithm : "none");
    free(algorithm);
    COR_TRY(cor_made(arm->what, error));
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        /* ", LABEL WORD": what is usual is not said, nor is "none". */
        char *word, *before = arm->what;
        COR_TRY(cor_text_under(description, parts[p].key, &word, error));
        arm->has_monitors = arm->has_monitors || (word && strcmp(parts[p].key, "observer") == 0);
        if (!word || strcmp(word, "none") == 0 || strcmp(word, parts[p].usual) == 0) {
            free(word);
            continue;
        }
        arm->what = cor_format("%s, %s %s", before, parts[p].label, word);
        COR_FREE(before, word);
        COR_TRY(cor_made(arm->what, error));
    }
    return COR_OK;
}

/* A text of the experiment, or of what it is about. */
static enum cor_status say_of(const struct cor_report *report, const char *key, const char *subject_key,
                              char **text, struct cor_error *error) {
    COR_TRY(cor_text_under(report->head->experiment, key, text, error));
    if (*text || !report->kind->subject)
        return COR_OK;
    return cor_text_within(report->head->experiment, report->kind->subject, subject_key, text, error);
}

enum cor_status report__look(struct cor_report *report, const char *name,
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

const struct cor_sheet *report__sheet_of(const struct cor_report *report, const char *id) {
    return cor_sheets_find(report->view[report->kind->shown], id);
}

void report__say_doing(const struct cor_report *report, const char *what) {
    if (report->options.doing)
        report->options.doing(what);
}

enum cor_status cor_report_create(struct cor_result *result, const struct cor_report_options *options,
                                  struct cor_report **report, struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_ASSERT(options->level >= 0.5 && options->level <= 0.9999);
    struct cor_report *made = *report = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->result = result;
    made->head = cor_result_head(result);
    made->options = *options;
    made->kind = kind_of(made->head->layer);
    made->along = "test case of the sequence";
    made->drawn = "by the sequences used for each case, in the band of its intervals";
    if (!made->kind)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, NULL, "show it with corridor show",
                             "holds %s, of which there is no page", made->head->layer->holds));
    COR_TRY_OUT(say_of(made, "name", "name", &made->name, error));
    COR_TRY_OUT(say_of(made, "description", "title", &made->description, error));
    COR_TRY_OUT(cor_is_paired(made->head->experiment, &made->is_paired, error));
    made->arm_count = cor_arm_count(made->head);
    made->arm = cor_calloc(made->arm_count, sizeof *made->arm);
    if (!made->arm)
        COR_TRY_OUT(cor_fail_memory(error));
    for (size_t a = 0; a < made->arm_count; a++)
        COR_TRY_OUT(describe_arm(&made->arm[a], cor_arm_entry(made->head, a), error));
    const struct report__page_kind *kind = made->kind;
    const struct cor_view_request all = {
        .result = made->result, .level = made->options.level, .suite = COR_ANY_SUITE};
    COR_TRY_OUT(kind->view ? report__look(made, kind->view, &all, &made->view[kind->shown], error)
                           : kind->read(made, error));
    COR_TRY_OUT(cor_result_hash(made->result, &made->hash, error));
    if (made->kind->plot) {
        COR_TRY_OUT(made->kind->plot(made, error));
        report__say_doing(made, "drawing figures");
        COR_TRY_OUT(report__draw(&made->figures, &made->options, error));
    }
    const char *trouble = made->figures.trouble;
    made->notes = cor_format("%s%s%s", trouble ? "no graphs are drawn: " : "", trouble ? trouble : "",
                             trouble ? "\n" : "");
    if (!made->notes)
        COR_TRY_OUT(cor_fail_memory(error));
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
    for (size_t v = 0; v < REPORT__VIEWS; v++)
        cor_sheets_destroy(report->view[v]);
    COR_FREE(report->environment, report->ranking, report->arm);
    report__failures_fini(&report->failures);
    report__figures_fini(&report->figures);
    COR_FREE(report->name, report->description, report->notes, report);
}

const char *cor_report_notes(const struct cor_report *report) {
    return report->notes;
}

size_t cor_report_broken(const struct cor_report *report) {
    return report->broken;
}
