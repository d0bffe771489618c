/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "show_view.h"

#include "output.h"

#include <corridor/identities.h>
#include <corridor/schema.h>
#include <corridor/tree.h>
#include <corridor/view.h>

#include <inttypes.h>
#include <string.h>

/* An option of words that the command may not take. */
static bool choose_word(const struct cor_arguments *arguments, const char *name, int *index) {
    *index = 0;
    return !cor_takes(arguments, name) || cor_argument_word(arguments, name, 0, index);
}

const char *cor_intervals_word(size_t index) {
    return cor_interval_choice(index, NULL);
}

const char *cor_box_word(size_t index) {
    return index < COR_ANY_BOXES ? cor_any_box_word((enum cor_any_box)index) : NULL;
}

const char *cor_regression_word(size_t index) {
    static const char *const words[] = {"regression", "regression-or-time"};
    return index < sizeof words / sizeof *words ? words[index] : NULL;
}

static bool choose_words(const struct cor_arguments *arguments, struct cor_view_request *request) {
    int method, box;
    if (!choose_word(arguments, "intervals", &method) || !choose_word(arguments, "box", &box) ||
        !choose_word(arguments, "unit", &request->unit) || !choose_word(arguments, "score", &request->score))
        return false;
    if (cor_takes(arguments, "intervals"))
        cor_interval_choice((size_t)method, &request->intervals);
    request->box = (enum cor_any_box)box;
    return true;
}

static bool choose_projections(const struct cor_arguments *arguments, struct cor_view_request *request) {
    const char *by = cor_argument_if_taken(arguments, "by"), *const *words = cor_projection_words;
    char known[256], copy[128];
    if (!by)
        return true; /* the usual ones */
    snprintf(copy, sizeof copy, "%s", by);
    for (char *word = strtok(copy, ","); word; word = strtok(NULL, ",")) {
        int found = 0;
        while (words[found] && strcmp(words[found], word) != 0)
            found++;
        if (!words[found]) {
            cor_known_names(word, words, known, sizeof known);
            cor_misuse(arguments->command, "--by does not know \"%s\"; %s", word, known);
            return false;
        }
        request->projections |= 1u << found;
    }
    if (request->projections == 0)
        cor_misuse(arguments->command, "--by takes one or more words, with commas between them");
    return request->projections != 0;
}

/* An integer option that the command may not know. */
static bool integer(const struct cor_arguments *arguments, const char *name, int64_t low, int64_t high,
                    int64_t fallback, int64_t *value) {
    *value = fallback;
    return !cor_takes(arguments, name) || cor_argument_integer(arguments, name, low, high, fallback, value);
}

static bool understand(const struct cor_arguments *arguments, struct cor_view_request *request) {
    int64_t suite, horizon, depth, rows;
    request->level = 0.95;
    if (cor_takes(arguments, "level") &&
        !cor_argument_real(arguments, "level", 0.5, 0.9999, 0.95, &request->level))
        return false;
    if (!integer(arguments, "suite", 0, UINT32_MAX - 1, COR_ANY_SUITE, &suite) ||
        !integer(arguments, "horizon", 1, 1000000000, 0, &horizon) ||
        !integer(arguments, "depth", 1, UINT32_MAX, 0, &depth) ||
        !integer(arguments, "top", 1, 1000000, 0, &rows))
        return false;
    request->suite = (uint32_t)suite;
    request->horizon = (double)horizon;
    request->depth = (uint32_t)depth;
    request->rows = (size_t)rows;
    request->arm = cor_argument_if_taken(arguments, "arm");
    request->arms = cor_argument_if_taken(arguments, "arms");
    request->failure_class = cor_argument_if_taken(arguments, "class");
    request->masked = cor_argument_if_taken(arguments, "masked") != NULL;
    return choose_words(arguments, request) && choose_projections(arguments, request);
}

/* Whether the view has the sheet that --sheet names; false having said what is wrong. */
static bool knows_sheet(const struct cor_arguments *arguments, const struct cor_view *view) {
    const char *ids[64] = {NULL}, *id = cor_argument_if_taken(arguments, "sheet");
    char known[512];
    for (size_t i = 0; view->sheets[i] && i < sizeof ids / sizeof *ids - 1; i++) {
        ids[i] = view->sheets[i]->id;
        if (!id || strcmp(ids[i], id) == 0)
            return true;
    }
    cor_known_names(id, ids, known, sizeof known);
    cor_misuse(arguments->command, "--sheet does not know \"%s\"; %s", id, known);
    return false;
}

/* One line for scripts that compare files: equal for equal content, whatever build wrote it. */
static enum cor_status print_hash(struct cor_result *result, struct cor_error *error) {
    uint64_t hash;
    COR_TRY(cor_result_hash(result, &hash, error));
    printf("0x%016" PRIx64 "\n", hash);
    return COR_OK;
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

enum cor_status cor_show_sheets(const struct cor_arguments *arguments, const struct cor_sheets *sheets,
                                const char *csv, struct cor_error *error) {
    const char *id = cor_argument_if_taken(arguments, "sheet");
    if (cor_argument_if_taken(arguments, "json"))
        return cor_sheets_json(sheets, stdout, error);
    if (id || cor_argument_if_taken(arguments, "csv")) {
        const struct cor_sheet *sheet;
        COR_TRY(find_sheet(id ? id : csv, sheets, &sheet, error));
        return cor_sheet_csv(sheet, stdout, error);
    }
    const struct cor_style style = cor_show_style();
    return cor_sheets_text(sheets, &style, stdout, error);
}

/* A contradiction in a file is no finding about an algorithm: it must not go unnoticed in a script. */
static enum cor_exit judge(const struct cor_arguments *arguments, const struct cor_view_findings *findings,
                           bool times) {
    size_t worse = findings->worse - (times ? 0 : findings->worse_times);
    if (findings->broken > 0)
        fprintf(stderr,
                "corridor: %zu identities of the tables are broken: the file, or the program that wrote it, "
                "is wrong\n",
                findings->broken);
    if (cor_argument_if_taken(arguments, "fail-on") && worse > 0)
        fprintf(stderr, "corridor: regression: B is worse in %zu metrics\n", worse);
    return findings->broken > 0 || findings->refused > 0 ||
                   (cor_argument_if_taken(arguments, "fail-on") && worse > 0)
               ? COR_EXIT_EXPECTATION
               : COR_EXIT_DONE;
}

enum cor_status cor_other_layer(const struct cor_arguments *arguments, const char *path,
                                const struct cor_layer_schema *layer, const char *what,
                                struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, path, "show it with corridor show",
                    "holds %s; corridor %s reads %s", layer->holds, arguments->command->name, what);
}

enum cor_status cor_open_result(const struct cor_arguments *arguments, const char *path,
                                const struct cor_layer_schema *layer, struct cor_result **result,
                                const char **doubt, struct cor_error *error) {
    struct cor_error trouble = COR_NO_ERROR;
    COR_TRY(cor_result_open(path, result, error));
    const struct cor_layer_schema *found = cor_result_head(*result)->layer;
    if (layer && found != layer) {
        cor_result_close(*result);
        *result = NULL;
        return cor_other_layer(arguments, path, found, layer->holds, error);
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
    if (*doubt && cor_argument_given(arguments, "unsealed")) {
        fprintf(stderr, "corridor: %s: %s; read as it is\n", trouble.place, trouble.cause);
        return COR_OK;
    }
    *error = trouble;
    cor_result_close(*result);
    *result = NULL;
    return trouble.status;
}

/* Opens the file that the first is compared with. */
static enum cor_status open_other(const struct cor_arguments *arguments, const struct cor_showing *showing,
                                  struct cor_view_request *request, const char **doubt,
                                  struct cor_error *error) {
    uint64_t hash[2];
    const char *other_doubt = NULL;
    request->other_path = showing->other;
    COR_TRY(cor_open_result(arguments, request->other_path, cor_view_layer(showing->view), &request->other,
                            &other_doubt, error));
    *doubt = *doubt ? *doubt : other_doubt;
    COR_TRY(cor_result_hash(request->result, &hash[0], error));
    COR_TRY(cor_result_hash(request->other, &hash[1], error));
    request->identical = hash[0] == hash[1];
    return COR_OK;
}

static enum cor_status print_sheets(const struct cor_arguments *arguments, const struct cor_showing *showing,
                                    const struct cor_view_request *request, const char *doubt,
                                    struct cor_view_findings *findings, struct cor_error *error) {
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
    COR_TRY_OUT(cor_show_sheets(arguments, sheets, showing->csv ? showing->csv : view->sheets[0]->id, error));
out:
    cor_sheets_destroy(sheets);
    return status;
}

/* Opens, chooses and shows; `layer`: that the file has to be of, NULL = any. */
static enum cor_status show(const struct cor_arguments *arguments, const struct cor_layer_schema *layer,
                            cor_choose_view *choose, struct cor_view_request *request,
                            struct cor_view_findings *findings, bool *misuse, struct cor_error *error) {
    const char *doubt = NULL;
    struct cor_showing showing = {0};
    request->path = arguments->words[0];
    COR_TRY(cor_open_result(arguments, request->path, layer, &request->result, &doubt, error));
    if (cor_argument_if_taken(arguments, "verify"))
        COR_TRY(cor_result_verify(request->result, error));
    if (cor_argument_if_taken(arguments, "hash"))
        return print_hash(request->result, error);
    COR_TRY(choose(arguments, request->result, &showing, misuse, error));
    *misuse = *misuse || (!showing.done && !knows_sheet(arguments, showing.view));
    if (*misuse || showing.done)
        return COR_OK;
    if (showing.other)
        COR_TRY(open_other(arguments, &showing, request, &doubt, error));
    if (cor_argument_if_taken(arguments, "dot"))
        return showing.view->graph(request, stdout, error);
    return print_sheets(arguments, &showing, request, doubt, findings, error);
}

static enum cor_exit show_layer(const struct cor_arguments *arguments, const struct cor_layer_schema *layer,
                                cor_choose_view *choose) {
    static const char *const formats[] = {"json", "dot", NULL};
    struct cor_error error = COR_NO_ERROR;
    struct cor_view_request request = {0};
    struct cor_view_findings findings = {0};
    bool misuse = false;
    int times;
    if (!cor_exclude_each_other(arguments, formats) || !choose_word(arguments, "fail-on", &times) ||
        !understand(arguments, &request))
        return COR_EXIT_USAGE;
    enum cor_status status = show(arguments, layer, choose, &request, &findings, &misuse, &error);
    bool of_other =
        request.other_path && strncmp(error.place, request.other_path, strlen(request.other_path)) == 0;
    if (status == COR_STATUS_INPUT && !of_other) /* said of a table, which knows no path */
        cor_show_path(request.path, &error);
    cor_result_close(request.other);
    cor_result_close(request.result);
    return misuse             ? COR_EXIT_USAGE
           : status == COR_OK ? judge(arguments, &findings, times == 1)
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
    if (arguments->word_count != 1)
        return cor_misuse(arguments->command, "needs one result file");
    return show_layer(arguments, cor_view_layer(view), choose_by_command);
}

enum cor_exit cor_show_chosen(const struct cor_arguments *arguments, cor_choose_view *choose) {
    return show_layer(arguments, NULL, choose);
}
