/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "show_view.h"

#include <string.h>

enum cor_status cor_print_view(const struct cor_arguments *arguments, const char *name, const char *sheet,
                               const struct cor_view_request *request, struct cor_view_findings *findings,
                               struct cor_error *error) {
    const struct cor_view *view = cor_view_find(name);
    struct cor_style style = cor_show_style();
    struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    COR_ASSERT(view);
    style.ascii = cor_show_ascii();
    COR_TRY_OUT(cor_sheets_create(view->schema, view->version, &sheets, error));
    status = view->make(request, sheets, findings, error);
    bool of_other =
        request->other_path && strncmp(error->place, request->other_path, strlen(request->other_path)) == 0;
    if (status == COR_STATUS_INPUT && !of_other)
        cor_show_path(request->path, error);
    if (status != COR_OK)
        goto out;
    if (cor_argument_given(arguments, "json"))
        COR_TRY_OUT(cor_sheets_json(sheets, stdout, error));
    else if (sheet || cor_argument_given(arguments, "csv"))
        COR_TRY_OUT(
            cor_sheet_csv(cor_sheets_find(sheets, sheet ? sheet : view->sheets[0]->id), stdout, error));
    else
        COR_TRY_OUT(cor_sheets_text(sheets, &style, stdout, error));
out:
    cor_sheets_destroy(sheets);
    return status;
}

static bool has_option(const struct cor_command *command, const char *name) {
    for (const struct cor_option *option = command->options; option->name; option++)
        if (strcmp(option->name, name) == 0)
            return true;
    return false;
}

enum cor_exit cor_show_view(const struct cor_arguments *arguments, const char *view, const char *sheet,
                            struct cor_view_request *request) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_view_findings findings = {0};
    enum cor_status status = COR_OK;
    int index;
    if (arguments->word_count != 1)
        return cor_misuse(arguments->command, "needs one result file");
    if (cor_argument_given(arguments, "csv") &&
        cor_option_words(arguments->command, "csv")) { /* it names a sheet */
        if (!cor_argument_word(arguments, "csv", 0, &index))
            return COR_EXIT_USAGE;
        sheet = cor_view_find(view)->sheets[index]->id;
    }
    if (has_option(arguments->command, "level") &&
        !cor_argument_real(arguments, "level", 0.5, 0.9999, 0.95, &request->level))
        return COR_EXIT_USAGE;
    request->path = arguments->words[0];
    COR_TRY_OUT(cor_result_open(request->path, &request->result, &error));
    COR_TRY_OUT(cor_print_view(arguments, view, sheet, request, &findings, &error));
out:
    cor_result_close(request->result);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}
