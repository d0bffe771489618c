/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "combine_model.h"
#include "commands.h"
#include "output.h"
#include "running.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/delimited.h>

#include <stdlib.h>
#include <string.h>

#define LISTED_MAX 20 /* impossible combinations that are shown beside the rows */

struct request {
    uint32_t strength; /* 0: that of the model, as the others */
    int policy;
    int64_t moves, seed; /* -1 */
    const char *rows, *verify, *output;
    bool force, json;
};

/* Options overrule the model. */
static void choose(const struct request *said, const struct cor_combine_model *model,
                   struct cor_combine_request *request) {
    uint32_t most = cor_combine_parameter_count(model);
    if (said->strength > 0)
        request->strength = said->strength;
    else if (request->strength == 0) { /* nobody asks for one: the usual, or what fits */
        request->strength = cor_default_combine_request().strength;
        if (request->strength > most && most > 0)
            request->strength = most;
    }
    if (said->policy >= 0)
        request->policy = (enum cor_combine_policy)said->policy;
    if (said->moves >= 0)
        request->moves = (uint64_t)said->moves;
    if (said->seed >= 0)
        request->seed = (uint64_t)said->seed;
}

static enum cor_status keep_rows(const char *path, struct cor_combine_model *model, struct cor_error *error) {
    struct cor_combine_rows rows;
    char place[512];
    size_t width = cor_combine_parameter_count(model);
    enum cor_status status = cor_combine_rows_read(path, model, false, &rows, error);
    for (size_t i = 0; i < rows.row_count && status == COR_OK; i++) {
        snprintf(place, sizeof place, "%s:%u", cor_json_path_name(path), rows.lines[i]);
        status = cor_combine_add_row(model, rows.levels + i * width, place, error);
    }
    cor_combine_rows_fini(&rows);
    return status;
}

static const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

static void print_judgement(const struct cor_combine_model *model, const char *path,
                            const struct cor_combine_rows *rows,
                            const struct cor_combine_judgement *judgement) {
    char text[2048];
    cor_print("%s: %zu row%s, %llu of %llu combinations covered", cor_json_path_name(path), rows->row_count,
              plural(rows->row_count), (unsigned long long)judgement->covered,
              (unsigned long long)(judgement->wanted - judgement->excluded));
    if (judgement->excluded > 0)
        cor_print(", %llu are impossible", (unsigned long long)judgement->excluded);
    puts("");
    if (judgement->bad_row_count > 0) {
        cor_print("  %zu row%s do%s not fit, the first in line %u: ", judgement->bad_row_count,
                  plural(judgement->bad_row_count), judgement->bad_row_count == 1 ? "es" : "",
                  rows->lines[judgement->first_bad_row]);
        if (judgement->first_broken)
            cor_print("breaks %s\n", judgement->first_broken);
        else
            puts("has several invalid values");
    }
    if (judgement->missing > 0) {
        cor_combine_tuple_text(model, &judgement->first_missing, text, sizeof text);
        cor_print("  %llu combination%s missing, the first: %s\n", (unsigned long long)judgement->missing,
                  judgement->missing == 1 ? " is" : "s are", text);
    }
}

static enum cor_status verify(const struct cor_combine_file *file, const char *path, bool *good,
                              struct cor_error *error) {
    struct cor_combine_rows rows;
    struct cor_combine_judgement judgement;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_combine_rows_read(path, file->model, true, &rows, error));
    COR_TRY_OUT(
        cor_combine_check(file->model, &file->request, rows.levels, rows.row_count, &judgement, error));
    cor_progress_doing(NULL);
    print_judgement(file->model, path, &rows, &judgement);
    *good = judgement.missing == 0 && judgement.bad_row_count == 0;
out:
    cor_combine_rows_fini(&rows);
    return status;
}

/* A text as a cell: in quotes where it would be read as something else. */
static void print_cell(FILE *file, const char *text) {
    if (*text && !strpbrk(text, ",;\t\"\r\n") && text[0] != ' ' && text[strlen(text) - 1] != ' ' &&
        !cor_delimited_is_formula(text)) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

static void print_csv(FILE *file, const struct cor_combine_model *model,
                      const struct cor_combine_array *array) {
    uint32_t width = cor_combine_parameter_count(model);
    for (uint32_t p = 0; p < width; p++) {
        fputs(p > 0 ? "," : "", file);
        print_cell(file, cor_combine_parameter_name(model, p));
    }
    fputc('\n', file);
    for (size_t i = 0; i < array->row_count; i++) {
        for (uint32_t p = 0; p < width; p++) {
            fputs(p > 0 ? "," : "", file);
            print_cell(file, cor_combine_level(model, p, array->levels[i * width + p])->text);
        }
        fputc('\n', file);
    }
}

static void put_value(struct cor_json_writer *w, const char *key, const struct cor_combine_file *file,
                      uint32_t parameter, uint32_t level) {
    const struct cor_combine_level *l = cor_combine_level(file->model, parameter, level);
    switch ((enum cor_value_kind)l->value.kind) {
    case COR_VALUE_NULL:
        cor_json_put_string(w, key, NULL);
        break;
    case COR_VALUE_INTEGER:
        if (strcmp(l->text, "true") == 0 || strcmp(l->text, "false") == 0)
            cor_json_put_bool(w, key, l->value.as.integer != 0);
        else
            cor_json_put_integer(w, key, l->value.as.integer);
        break;
    case COR_VALUE_REAL:
        cor_json_put_real(w, key, l->value.as.real);
        break;
    case COR_VALUE_WORD:
        cor_json_put_string(w, key, cor_words_text(&file->words, l->value.as.word));
        break;
    }
}

static enum cor_status print_json(FILE *out, const struct cor_combine_file *file,
                                  const struct cor_combine_array *array,
                                  const struct cor_combine_judgement *judgement, struct cor_error *error) {
    struct cor_json_writer *w;
    uint32_t width = cor_combine_parameter_count(file->model);
    COR_TRY(cor_document_open("corridor-combine", 1, &w, error));
    cor_json_put_string(w, "policy", cor_combine_policy_word(file->request.policy));
    cor_json_put_integer(w, "strength", file->request.strength);
    cor_json_put_word(w, "seed", file->request.seed);
    cor_json_put_integer(w, "moves", (int64_t)array->moves);
    cor_json_put_integer(w, "covered", (int64_t)judgement->covered);
    cor_json_put_integer(w, "valid_rows", (int64_t)array->valid_row_count);
    cor_json_open_array(w, "parameters");
    for (uint32_t p = 0; p < width; p++)
        cor_json_put_string(w, NULL, cor_combine_parameter_name(file->model, p));
    cor_json_close(w);
    cor_json_open_array(w, "rows");
    for (size_t i = 0; i < array->row_count; i++) {
        cor_json_open_array(w, NULL);
        for (uint32_t p = 0; p < width; p++)
            put_value(w, NULL, file, p, array->levels[i * width + p]);
        cor_json_close(w);
    }
    cor_json_close(w);
    cor_json_open_array(w, "excluded");
    for (size_t i = 0; i < array->excluded_count; i++) {
        const struct cor_combine_tuple *tuple = &array->excluded[i];
        cor_json_open_object(w, NULL);
        for (uint32_t j = 0; j < tuple->count; j++)
            put_value(w, cor_combine_parameter_name(file->model, tuple->parameter[j]), file,
                      tuple->parameter[j], tuple->level[j]);
        cor_json_close(w);
    }
    cor_json_close(w);
    cor_json_close(w);
    return cor_json_print_take(w, 1, out, error);
}

/* What was covered, and what cannot be, for those who watch. */
static void print_summary(const struct cor_combine_file *file, const struct cor_combine_array *array,
                          const struct cor_combine_judgement *judgement) {
    char text[2048];
    fprintf(stderr, "%zu row%s", array->row_count, plural(array->row_count));
    if (array->valid_row_count < array->row_count)
        fprintf(stderr, ", %zu of them with one invalid value", array->row_count - array->valid_row_count);
    fprintf(stderr, "; %llu combination%s covered", (unsigned long long)judgement->covered,
            plural(judgement->covered));
    if (judgement->excluded > 0)
        fprintf(stderr, ", %llu impossible under the constraints%s", (unsigned long long)judgement->excluded,
                array->excluded_count > 0 ? ":" : "");
    fputc('\n', stderr);
    for (size_t i = 0; i < array->excluded_count && i < LISTED_MAX; i++) {
        cor_combine_tuple_text(file->model, &array->excluded[i], text, sizeof text);
        fprintf(stderr, "  %s\n", text);
    }
    if (array->excluded_count > LISTED_MAX)
        fprintf(stderr, "  and %zu others: --json lists all\n", array->excluded_count - LISTED_MAX);
}

/* The checker has the last word; that it disagrees would be our fault. */
static enum cor_status judge(const struct cor_combine_file *file, const struct cor_combine_array *array,
                             struct cor_combine_judgement *judgement, struct cor_error *error) {
    char text[512];
    COR_TRY(
        cor_combine_check(file->model, &file->request, array->levels, array->row_count, judgement, error));
    if (judgement->bad_row_count > 0)
        return cor_fail(error, COR_STATUS_INTERNAL, NULL, NULL, "the checker refuses row %zu",
                        judgement->first_bad_row + 1);
    if (judgement->missing == 0)
        return COR_OK;
    cor_combine_tuple_text(file->model, &judgement->first_missing, text, sizeof text);
    return cor_fail(error, COR_STATUS_INTERNAL, NULL, NULL, "the checker misses %s", text);
}

static enum cor_status generate(const struct request *request, const struct cor_combine_file *file,
                                struct cor_error *error) {
    struct cor_combine_array array = {0};
    struct cor_combine_judgement judgement;
    struct cor_output output;
    const char *path = request->output;
    enum cor_status status = COR_OK;
    if (path && strcmp(path, "-") != 0) /* before the search, not behind it */
        COR_TRY(cor_output_check(path, request->force, error));
    COR_TRY_OUT(cor_combine_generate(file->model, &file->request, &array, error));
    COR_TRY_OUT(judge(file, &array, &judgement, error));
    cor_progress_doing(NULL);
    COR_TRY_OUT(cor_output_open(path, request->force, &output, error));
    if (request->json)
        status = print_json(output.file, file, &array, &judgement, error);
    else
        print_csv(output.file, file->model, &array);
    COR_TRY_OUT(cor_output_close(&output, status, error));
    print_summary(file, &array, &judgement);
out:
    cor_combine_array_fini(&array);
    return status;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_combine_file file;
    const struct request *request = arguments->request;
    enum cor_exit code = COR_EXIT_DONE;
    enum cor_status status = COR_OK;
    bool good = true;
    COR_TRY_OUT(cor_combine_file_read(arguments->words[0], &file, &error));
    choose(request, file.model, &file.request);
    file.request.doing = cor_progress_doing;
    if (request->rows)
        COR_TRY_OUT(keep_rows(request->rows, file.model, &error));
    if (request->verify)
        COR_TRY_OUT(verify(&file, request->verify, &good, &error));
    else
        COR_TRY_OUT(generate(request, &file, &error));
    code = good ? COR_EXIT_DONE : COR_EXIT_EXPECTATION;
out:
    if (status != COR_OK)
        cor_progress_doing(NULL);
    cor_combine_file_fini(&file);
    if (status == COR_STATUS_INPUT && error.place[0] == '\0') /* of the model as a whole */
        cor_show_path(cor_json_path_name(arguments->words[0]), &error);
    return status == COR_OK ? code : cor_report(&error);
}

const struct cor_command cor_command_combine = {
    .name = "combine",
    .summary = "make a covering array",
    .operands = "MODEL",
    .takes = {1, 1, "needs one model"},
    .request_size = sizeof(struct request),
    .manual =
        "Makes a covering array for a model in JSON, or as PICT, ACTS or CTWedge write it: parameters with "
        "values, some of "
        "them invalid, constraints, parts of higher strength, rows to keep. Every row satisfies the "
        "constraints; what these make impossible is proved so, and listed. An invalid value stands alone in "
        "its row. A checker that knows nothing of the search judges the rows before they are written.\n\nThe "
        "search is counted in moves, not by the clock: the same model, seed and moves give the same rows on "
        "any machine. With --verify, rows that somebody else made are judged; then the exit code is 1 if one "
        "does not fit or a combination is missing. docs/do/combine.md says how models are written.",
    .options =
        {
            {"strength", 't', "T", "combine every T parameters",
             COR_INTEGER(strength, 1, COR_COMBINE_STRENGTH_MAX, 0), .otherwise = "that of the model, else 2"},
            {"policy", 'p', "NAME", "ask for these rows", COR_WORD(policy, cor_combine_policy_word, 0, -1),
             .otherwise = "that of the model, else valid-t"},
            {"seed", 0, "N", "seed the search with N", COR_INTEGER(seed, 0, INT64_MAX, -1),
             .otherwise = "that of the model, else 1"},
            {"moves", 0, "N", "search so far for fewer rows; 0 is about a second",
             COR_INTEGER(moves, 0, INT64_MAX, -1), .otherwise = "that of the model, else 0"},
            {"rows", 0, "FILE", "keep these rows, and fill in what they leave open", COR_TEXT(rows)},
            {"verify", 0, "FILE", "judge these rows instead of making some", COR_TEXT(verify),
             .excludes = "rows output json"},
            {"output", 'o', "FILE", "write this file; - is standard output", COR_TEXT(output),
             .otherwise = "-"},
            {"force", 'f', NULL, "replace the file if it exists", COR_FLAG(force)},
            {"json", 0, NULL, "print one JSON document, with what is impossible", COR_FLAG(json)},
        },
    .examples = {"corridor combine model.pict > rows.csv", "corridor combine model.json --strength 3 --json",
                 "corridor combine model.ctw > rows.csv   # or a model of ACTS, as text or XML",
                 "corridor combine model.pict --verify rows.csv   # are others' rows good enough?"},
    .run = run,
};
