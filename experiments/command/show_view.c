/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "show_view.h"

#include "output.h"

#include <corridor/array.h>
#include <corridor/identities.h>
#include <corridor/process_schema.h>
#include <corridor/schema.h>
#include <corridor/tree.h>
#include <corridor/view.h>
#include <corridor/where.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *cor_intervals_word(size_t index) {
    return cor_interval_choice(index, NULL);
}

const char *cor_box_word(size_t index) {
    return index < COR_ANY_BOXES ? cor_any_box_word((enum cor_any_box)index) : NULL;
}

/* Whether the view has the sheet that --sheet names; false having said what is wrong. */
static bool knows_sheet(const struct cor_command *command, const char *id, const struct cor_view *view) {
    const char *ids[64] = {NULL};
    char known[512];
    for (size_t i = 0; view->sheets[i] && i < sizeof ids / sizeof *ids - 1; i++) {
        ids[i] = view->sheets[i]->id;
        if (!id || strcmp(ids[i], id) == 0)
            return true;
    }
    cor_known_names(id, ids, known, sizeof known);
    cor_misuse(command, "--sheet does not know \"%s\"; %s", id, known);
    return false;
}

/* The sheet of that name, with those that there are if it is none. */
static enum cor_status find_sheet(const char *id, const struct cor_sheets *sheets,
                                  const struct cor_sheet **sheet, struct cor_error *error) {
    const char *ids[64] = {NULL};
    char remedy[512];
    *sheet = cor_sheets_find(sheets, id);
    if (*sheet)
        return COR_OK;
    for (size_t i = 0; cor_sheets_at(sheets, i) && i < sizeof ids / sizeof *ids - 1; i++)
        ids[i] = cor_sheet_definition(cor_sheets_at(sheets, i))->id;
    cor_known_names(id, ids, remedy, sizeof remedy);
    return cor_fail(error, COR_STATUS_INPUT, NULL, remedy, "there is nothing for a sheet \"%s\"", id);
}

/* Leaves the rows that --where chooses, of the sheet that is printed as CSV, else of all. */
static enum cor_status choose_rows(const struct cor_sheet_options *options, struct cor_sheets *sheets,
                                   const char *csv, struct cor_error *error) {
    const struct cor_sheet *sheet;
    const bool is_text = !options->json && !options->sheet && !options->csv;
    const char *id = options->sheet ? options->sheet : options->csv ? csv : NULL;
    if (id && !options->json)
        COR_TRY(find_sheet(id, sheets, &sheet, error));
    COR_TRY(cor_sheets_filter(sheets, options->json ? NULL : id, options->where, error));
    for (size_t i = 0; is_text && (sheet = cor_sheets_at(sheets, i)) != NULL; i++)
        if (!(cor_sheet_definition(sheet)->flags & COR_SHEET_DATA))
            return COR_OK;
    return is_text ? cor_fail(error, COR_STATUS_INPUT, COR_WHERE_PLACE, "say --json, or --sheet ID",
                              "these columns are of tables that a text does not show")
                   : COR_OK;
}

enum cor_status cor_show_sheets(const struct cor_sheet_options *options, struct cor_sheets *sheets,
                                const char *csv, struct cor_error *error) {
    const struct cor_sheet *first = cor_sheets_at(sheets, 0);
    if (first && !cor_sheets_find(sheets, csv))
        csv = cor_sheet_definition(first)->id;
    if (options->where)
        COR_TRY(choose_rows(options, sheets, csv, error));
    if (options->json)
        return cor_sheets_json(sheets, stdout, error);
    if (options->sheet || options->csv) {
        const struct cor_sheet *sheet;
        COR_TRY(find_sheet(options->sheet ? options->sheet : csv, sheets, &sheet, error));
        return cor_sheet_csv(sheet, stdout, error);
    }
    struct cor_style style = cor_show_style();
    style.brief = options->brief;
    return cor_sheets_text(sheets, &style, stdout, error);
}

enum cor_status cor_show_made(const char *view_name, struct cor_result *result, const char *path,
                              const struct cor_sheet_options *options, const char *csv,
                              struct cor_view_findings *findings, struct cor_error *error) {
    const struct cor_view *view = cor_view_find(view_name);
    const struct cor_view_request request = {
        .result = result, .path = path, .level = 0.95, .suite = COR_ANY_SUITE};
    struct cor_sheets *sheets;
    COR_TRY(cor_sheets_create(view->schema, view->version, &sheets, error));
    enum cor_status status = view->make(&request, sheets, findings, error);
    if (status == COR_OK)
        status = cor_show_sheets(options, sheets, csv ? csv : view->sheets[0]->id, error);
    cor_sheets_destroy(sheets);
    return status;
}

/* A contradiction in a file is no finding about an algorithm: it must not go unnoticed in a script. */
static enum cor_exit judge(int fail_on, const struct cor_view_findings *findings) {
    const size_t worse =
        fail_on == COR_FAIL_ON_NOTHING
            ? 0
            : findings->worse - (fail_on == COR_FAIL_ON_REGRESSION ? findings->worse_times : 0);
    if (findings->broken > 0)
        cor_say("%zu identities of the tables are broken: the file, or the program that wrote it, "
                "is wrong",
                findings->broken);
    if (worse > 0)
        cor_say("regression: B is worse in %zu metrics", worse);
    return findings->broken > 0 || findings->refused > 0 || findings->denied > 0 || worse > 0
               ? COR_EXIT_EXPECTATION
           : findings->open > 0 ? COR_EXIT_UNDECIDED
                                : COR_EXIT_DONE;
}

enum cor_status cor_other_layer(const struct cor_command *command, const char *path,
                                const struct cor_layer_schema *layer, const char *what,
                                struct cor_error *error) {
    const bool shrinks = strcmp(command->name, "shrink") == 0, lists = strcmp(command->name, "failures") == 0,
               explains = strcmp(command->name, "why") == 0;
    char *quoted = cor_shell_quoted(path);
    char *other = layer != &cor_process_schema || !quoted ? NULL
                  : shrinks ? cor_format("corridor process shrink %s --failure KEY -o TEST.json does", quoted)
                  : explains
                      ? cor_format("corridor process shrink %s --failure KEY -o TEST.json, then corridor "
                                   "process story TEST.json",
                                   quoted)
                  : lists ? cor_format("corridor failures %s alone lists what failed", quoted)
                          : NULL;
    const enum cor_status status =
        cor_fail(error, COR_STATUS_INPUT, path, other ? other : "show it with corridor show",
                 "holds %s; corridor %s reads %s", layer->holds, command->name, what);
    free(other);
    free(quoted);
    return status;
}

bool cor_has_no_say(const struct cor_arguments *arguments, const char *const *of_running) {
    for (; *of_running; of_running++)
        if (cor_given(arguments, *of_running)) {
            cor_misuse(arguments->command, "a result file is run already: --%s has no say", *of_running);
            return true;
        }
    return false;
}

enum cor_status cor_open_result(const struct cor_command *command, bool unsealed, const char *path,
                                const struct cor_layer_schema *layer, struct cor_result **result,
                                const char **doubt, struct cor_error *error) {
    struct cor_error trouble = COR_NO_ERROR;
    COR_TRY(command->reads ? cor_result_open_as(cor_layer_schemas(), path, result, error) /* guard.h */
                           : cor_result_open(path, result, error));
    const struct cor_layer_schema *found = cor_result_head(*result)->layer;
    if (layer && found != layer) {
        cor_result_close(*result);
        *result = NULL;
        return cor_other_layer(command, path, found, layer->holds, error);
    }
    *doubt = NULL;
    if (cor_result_check_seal(*result, &trouble) == COR_STATUS_INPUT)
        *doubt = "The content was changed since it was written: these are figures of the file as it is "
                 "(--unsealed).";
    else if (trouble.status == COR_OK && cor_identities_check(*result, &trouble) == COR_STATUS_INPUT) {
        *doubt = "The file contradicts itself: these are figures of the file as it is (--unsealed).";
        snprintf(
            trouble.remedy, sizeof trouble.remedy, "%s",
            "the file was not written by this program, or is damaged: take another copy, or read it as it "
            "is: --unsealed");
    }
    if (trouble.status == COR_OK)
        return COR_OK;
    if (*doubt)
        cor_show_path(path, &trouble);
    if (*doubt && unsealed) {
        cor_say("%s: %s; read as it is", trouble.place, trouble.cause);
        return COR_OK;
    }
    const struct cor_option *option = command->options;
    while (option->name && strcmp(option->name, "unsealed") != 0)
        option++;
    if (*doubt && !option->name) /* nobody can ask this command to */
        snprintf(trouble.remedy, sizeof trouble.remedy, "take another copy, or see corridor show --unsealed");
    *error = trouble;
    cor_result_close(*result);
    *result = NULL;
    return trouble.status;
}

static enum cor_status print_sheets(const struct cor_sheet_options *options,
                                    const struct cor_showing *showing, const struct cor_view_request *request,
                                    const char *doubt, struct cor_view_findings *findings,
                                    struct cor_error *error) {
    enum cor_status status = COR_OK;
    const struct cor_view *view = showing->view;
    struct cor_sheets *sheets = NULL;
    COR_TRY(cor_sheets_create(view->schema, view->version, &sheets, error));
    const struct cor_sheet *needed;
    COR_TRY_OUT(view->make(request, sheets, findings, error));
    if (showing->csv)
        COR_TRY_OUT(find_sheet(showing->csv, sheets, &needed, error));
    if (doubt)
        cor_sheets_remark(sheets, doubt);
    COR_TRY_OUT(cor_show_sheets(options, sheets, showing->csv ? showing->csv : view->sheets[0]->id, error));
out:
    cor_sheets_destroy(sheets);
    return status;
}

/* Opens, chooses and shows; `layer`: that the file has to be of, NULL = any. */
static enum cor_status show(const struct cor_arguments *arguments, const struct cor_layer_schema *layer,
                            cor_choose_view *choose, struct cor_view_request *request,
                            struct cor_view_findings *findings, bool *misuse, struct cor_error *error) {
    const struct cor_view_options *options = arguments->request;
    const char *doubt = NULL;
    struct cor_showing showing = {0};
    request->path = arguments->words[0];
    request->program = cor_program();
    COR_TRY(cor_open_result(arguments->command, options->unsealed, request->path, layer, &request->result,
                            &doubt, error));
    if (options->verify)
        COR_TRY(cor_result_verify(request->result, error));
    if (options->hash) {
        /* One line for scripts that compare files: equal for equal content, whatever build wrote it. */
        uint64_t hash;
        COR_TRY(cor_result_hash(request->result, &hash, error));
        printf("0x%016" PRIx64 "\n", hash);
        return COR_OK;
    }
    COR_TRY(choose(arguments, request->result, &showing, misuse, error));
    *misuse =
        *misuse || (!showing.done && !knows_sheet(arguments->command, options->sheets.sheet, showing.view));
    if (*misuse || showing.done)
        return COR_OK;
    if (showing.other) {
        /* Opens the file that the first is compared with. */
        uint64_t hash[2];
        const char *other_doubt = NULL;
        request->other_path = showing.other;
        COR_TRY(cor_open_result(arguments->command, options->unsealed, request->other_path,
                                cor_view_layer(showing.view), &request->other, &other_doubt, error));
        doubt = doubt ? doubt : other_doubt;
        COR_TRY(cor_result_hash(request->result, &hash[0], error));
        COR_TRY(cor_result_hash(request->other, &hash[1], error));
        request->identical = hash[0] == hash[1];
    }
    if (options->dot)
        return showing.view->graph(request, stdout, error);
    struct cor_sheet_options how = options->sheets;
    /* A view that is a command of its own is one screen, but for those who ask for more. */
    how.brief = !cor_view_is_shown(showing.view) && !cor_given(arguments, "all") &&
                !cor_given(arguments, "top") && !cor_given(arguments, "suite") &&
                !cor_given(arguments, "depth");
    return print_sheets(&how, &showing, request, doubt, findings, error);
}

static enum cor_exit show_layer(const struct cor_arguments *arguments, const struct cor_layer_schema *layer,
                                cor_choose_view *choose) {
    const struct cor_view_options *options = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    /* The view's request of what the command line says. */
    struct cor_view_request request = options->view;
    if (options->intervals > 0)
        cor_interval_choice((size_t)options->intervals - 1, &request.intervals);
    if (request.level == 0)
        request.level = 0.95;
    if (!cor_given(arguments, "suite") && !cor_given(arguments, "given"))
        request.suite = COR_ANY_SUITE;
    for (int i = 0; options->by && cor_projection_words[i]; i++)
        for (const char *at = options->by; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
            if (strcspn(at, ",") == strlen(cor_projection_words[i]) &&
                strncmp(at, cor_projection_words[i], strlen(cor_projection_words[i])) == 0)
                request.projections |= 1u << i;
    struct cor_view_findings findings = {0};
    bool misuse = false;
    enum cor_status status = show(arguments, layer, choose, &request, &findings, &misuse, &error);
    bool of_other =
        request.other_path && strncmp(error.place, request.other_path, strlen(request.other_path)) == 0;
    if (status == COR_STATUS_INPUT && !of_other) /* said of a table, which knows no path */
        cor_show_path(request.path, &error);
    cor_result_close(request.other);
    cor_result_close(request.result);
    return misuse             ? COR_EXIT_USAGE
           : status == COR_OK ? judge(options->fail_on, &findings)
                              : cor_report(&error);
}

static enum cor_status choose_by_command(const struct cor_arguments *arguments, struct cor_result *result,
                                         struct cor_showing *showing, bool *misuse, struct cor_error *error) {
    (void)result;
    (void)misuse;
    (void)error;
    showing->view = cor_view_find(arguments->command->name);
    return COR_OK;
}

enum cor_exit cor_show_view(const struct cor_arguments *arguments) {
    const struct cor_view *view = cor_view_find(arguments->command->name);
    COR_ASSERT(view);
    return show_layer(arguments, cor_view_layer(view), choose_by_command);
}

enum cor_exit cor_show_chosen(const struct cor_arguments *arguments, cor_choose_view *choose) {
    return show_layer(arguments, NULL, choose);
}
