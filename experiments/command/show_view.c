/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "show_view.h"
#include "layer_commands.h"
#include "output.h"
#include "running.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/identities.h>
#include <corridor/schema.h>
#include <corridor/tree.h>
#include <corridor/view.h>
#include <corridor/where.h>

#include <ctype.h>
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

static const struct cor_column_definition said_sheet_columns[] = {
    {"said", "said", "", "a sentence", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(said_sheet, "said", "What was found", "a row a sentence", 0, 0);

void cor_sheets_say(struct cor_sheets *sheets, const char *lines) {
    struct cor_sheet *sheet = cor_sheets_add(sheets, &said_sheet);
    for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        cor_sheet_row(sheet);
        cor_sheet_text(sheet, "%.*s", (int)length, lines);
    }
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
    style.lists = options->lists;
    return cor_sheets_text(sheets, &style, stdout, error);
}

enum cor_status cor_show_made(const char *view_name, struct cor_result *result, const char *path,
                              const struct cor_sheet_options *options, const char *csv,
                              struct cor_view_findings *findings, struct cor_error *error) {
    const struct cor_view *view = cor_view_find(view_name);
    const struct cor_view_request request = {
        .result = result, .path = path, .level = 0.95, .suite = COR_ANY_SUITE};
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    COR_TRY(cor_sheets_create(view->schema, view->version, &sheets, error));
    COR_TRY(view->make(&request, sheets, findings, error));
    return cor_show_sheets(options, sheets, csv ? csv : view->sheets[0]->id, error);
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

enum cor_status cor_refuse_kept(const char *place, const char *path, const struct cor_layer_schema *layer,
                                struct cor_error *error) {
    const struct cor_layer_commands *own = cor_commands_of(layer);
    COR_FREED char *file = cor_shell_quoted(path);
    COR_FREED char *other =
        file
            ? cor_format(own->tested ? "corridor shrink %s --failure ARM/SUITE -o TEST.json makes a small one"
                                     : "corridor replay %s --failure ARM/SUITE repeats one from this file",
                         file)
            : NULL;
    COR_TRY(cor_made(other, error));
    return cor_fail(error, COR_STATUS_INPUT, place, other, "%s are not %s", own->tests,
                    own->tested ? "kept whole as test files, traced or explained"
                                : "kept as test files, shrunk, traced or explained");
}

enum cor_status cor_expect_asked(const struct cor_layer_schema *layer, const char *path,
                                 struct cor_error *error) {
    enum cor_kind kind = COR_KIND_COUNT; /* what is no experiment may be known by the same key */
    const bool is_other =
        cor_kind_of_file(path, &kind) && strncmp(cor_kind_what(kind), "an experiment", 13) != 0;
    return layer->unasked && !is_other
               ? cor_fail(error, COR_STATUS_INPUT, path, "see corridor help decide for what can be asked",
                          "%s", layer->unasked)
               : COR_OK;
}

enum cor_status cor_other_layer(const struct cor_command *command, const char *path,
                                const struct cor_layer_schema *layer, const char *what,
                                struct cor_error *error) {
    const struct cor_layer_commands *own = cor_commands_of(layer);
    static const char of_why[] =
        "campaigns of algorithms" COR_WITH_PROCESS(", schedules of distributed programs")
            COR_WITH_EFSM(", tests beside a model");
    const bool shrinks = strcmp(command->name, "shrink") == 0, lists = strcmp(command->name, "failures") == 0,
               explains = strcmp(command->name, "why") == 0;
    if (own->tests && !own->test && (shrinks || lists || explains))
        return cor_refuse_kept(path, path, layer, error);
    COR_FREED char *quoted = cor_shell_quoted(path);
    COR_FREED char *other =
        !own->test || !quoted ? NULL
        : explains
            ? cor_format(
                  "corridor shrink %s --failure KEY -o TEST.json, then corridor replay TEST.json --trace",
                  quoted)
        : lists ? cor_format("corridor failures %s alone lists what failed", quoted)
                : NULL;
    return cor_fail(error, COR_STATUS_INPUT, path, other ? other : "show it with corridor show",
                    "holds %s; corridor %s reads %s", layer->holds, command->name, explains ? of_why : what);
}

bool cor_has_no_meaning(const struct cor_arguments *arguments, const char *const *options, const char *with) {
    for (; *options; options++)
        if (cor_given(arguments, *options)) {
            cor_misuse(arguments->command, "--%s has no meaning with %s", *options, with);
            return true;
        }
    return false;
}

enum cor_status cor_open_result(const struct cor_command *command, bool unsealed, const char *path,
                                const struct cor_layer_schema *layer, struct cor_result **result,
                                const char **doubt, struct cor_error *error) {
    struct cor_error trouble = COR_NO_ERROR;
    COR_TRY(command->reads ? cor_result_open_as(cor_layer_schemas(), path, result, error) /* output.h */
                           : cor_result_open(path, result, error));
    const struct cor_layer_schema *found = cor_result_head(*result)->layer;
    cor_result_tell(*result, cor_progress_reading, NULL);
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
    cor_result_tell(*result, NULL, NULL);
    cor_progress_doing(NULL);
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

/* Opens the files that are shown together with the first, which the caller closes whatever comes of it. */
static enum cor_status open_joined(const struct cor_arguments *arguments, const struct cor_showing *showing,
                                   struct cor_result **joined, struct cor_view_request *request,
                                   const char **doubt, struct cor_error *error) {
    const struct cor_view_options *options = arguments->request;
    request->joined = joined;
    request->joined_paths = showing->joined;
    for (size_t i = 0; i < showing->joined_count; i++) {
        const char *own = NULL;
        request->joined_count = i + 1;
        COR_TRY(cor_open_result(arguments->command, options->unsealed, showing->joined[i],
                                cor_view_layer(showing->view), &joined[i], &own, error));
        cor_result_tell(joined[i], cor_progress_reading, NULL);
        *doubt = *doubt ? *doubt : own;
        if (options->verify)
            COR_TRY(cor_result_verify(joined[i], error));
    }
    return COR_OK;
}

/* Is the error said of another file than the first? */
static bool is_of_another(const struct cor_view_request *request, const struct cor_error *error) {
    bool is = false;
    for (size_t i = 0; i < request->joined_count; i++)
        is = is || strncmp(error->place, request->joined_paths[i], strlen(request->joined_paths[i])) == 0;
    return is;
}

/* Opens, chooses and shows; `layer`: that the file has to be of, NULL = any; `joined`: room for more files.
 */
static enum cor_status show(const struct cor_arguments *arguments, const struct cor_layer_schema *layer,
                            cor_choose_view *choose, struct cor_result **joined,
                            struct cor_view_request *request, struct cor_view_findings *findings,
                            bool *misuse, struct cor_error *error) {
    const struct cor_view_options *options = arguments->request;
    const char *doubt = NULL;
    struct cor_showing showing = {0};
    request->path = arguments->words[0];
    request->program = cor_program();
    COR_TRY(cor_open_result(arguments->command, options->unsealed, request->path, layer, &request->result,
                            &doubt, error));
    cor_result_tell(request->result, cor_progress_reading, NULL);
    if (options->verify)
        COR_TRY(cor_result_verify(request->result, error));
    if (options->hash) {
        /* One line for scripts that compare files: equal for equal content, whatever build wrote it. */
        uint64_t hash;
        COR_TRY(cor_result_hash(request->result, &hash, error));
        cor_progress_doing(NULL);
        printf("0x%016" PRIx64 "\n", hash);
        return COR_OK;
    }
    request->no_law = cor_commands_of(cor_result_head(request->result)->layer)->no_law;
    COR_TRY(choose(arguments, request->result, &showing, misuse, error));
    *misuse =
        *misuse || (!showing.done && !knows_sheet(arguments->command, options->sheets.sheet, showing.view));
    if (*misuse || showing.done)
        return COR_OK;
    COR_TRY(open_joined(arguments, &showing, joined, request, &doubt, error));
    if (showing.compares) {
        uint64_t hash[2];
        request->other = joined[0];
        request->other_path = showing.joined[0];
        COR_TRY(cor_result_hash(request->result, &hash[0], error));
        COR_TRY(cor_result_hash(request->other, &hash[1], error));
        request->identical = hash[0] == hash[1];
        cor_progress_doing(NULL);
    }
    if (options->dot)
        return showing.view->graph(request, stdout, error);
    struct cor_sheet_options how = options->sheets;
    /* A view that is a command of its own is one screen, but for those who ask for more. */
    how.brief = !cor_view_is_shown(showing.view) && !cor_given(arguments, "all") &&
                !cor_given(arguments, "top") && !cor_given(arguments, "suite") &&
                !cor_given(arguments, "depth");
    how.lists = showing.lists && !cor_given(arguments, "all");
    const struct cor_view *view = showing.view;
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    COR_TRY(cor_sheets_create(view->schema, view->version, &sheets, error));
    const struct cor_sheet *needed;
    const enum cor_status status = view->make(request, sheets, findings, error);
    cor_progress_doing(NULL);
    COR_TRY(status);
    if (showing.csv)
        COR_TRY(find_sheet(showing.csv, sheets, &needed, error));
    if (doubt)
        cor_sheets_remark(sheets, doubt);
    return cor_show_sheets(&how, sheets, showing.csv ? showing.csv : view->sheets[0]->id, error);
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
    COR_FREED struct cor_result **joined =
        cor_calloc((size_t)arguments->word_count, sizeof(struct cor_result *));
    enum cor_status status =
        joined ? show(arguments, layer, choose, joined, &request, &findings, &misuse, &error)
               : cor_fail_memory(&error);
    if (status == COR_STATUS_INPUT &&
        !is_of_another(&request, &error)) /* said of a table, which knows no path */
        cor_show_path(request.path, &error);
    for (size_t i = 0; i < request.joined_count; i++)
        cor_result_close(joined[i]);
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

/* ---- --show-config: what counts, and where it comes from */

/* Columns of the text: keys, then lines, then values. */
#define KEY_COLUMNS 40
#define AT_COLUMNS 10

static const struct cor_column_definition values_columns[] = {
    {"source", "", "", "from and file, for readers", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"from", "from", "",
     "option: the command line; file: the experiment, or a file that it names; preset: the preset of the "
     "arm; "
     "default: nobody says otherwise",
     COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"file", "file", "", "in which it stands", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"key", "what", "",
     "option, or JSON pointer in the experiment; what a named file says stands behind its name",
     COR_CELL_WORD, 0, COR_COLUMN_KEY},
    {"at", "at", "", "line and column in the file, or the option", COR_CELL_WORD, 0, 0},
    {"value", "value", "", "the value that counts, as JSON", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(values, "values", "What counts", "a value", COR_SHEET_TOP, 0);

/* Sources, in the order in which they are shown. */
enum source { OPTION, OWN_FILE, NAMED_FILE, PRESET, DEFAULT, SOURCES };

struct showing {
    const struct cor_arguments *arguments;
    const struct cor_config *config;
    const char *under;              /* where the file stands in what was read; NULL: it is that */
    struct cor_json_document *file; /* as it is; NULL: it cannot be read again */
    struct cor_sheet *sheet;
};

/* JSON with the fewest digits that give its reals back; freed with free(), NULL when memory is out. */
static char *short_reals(const char *json) {
    char *text = cor_strdup(json), *to = text;
    bool is_within = false;
    for (const char *at = json; text && *at;) {
        const size_t length = is_within ? 0 : strspn(at, "+-.0123456789eE");
        is_within ^= *at == '"' && (at == json || at[-1] != '\\');
        const bool is_real = (isdigit((unsigned char)*at) || *at == '-') && strcspn(at, ".eE") < length;
        char number[COR_CELL];
        if (is_real)
            cor_real_text(strtod(at, NULL), number);
        const size_t put = is_real ? strlen(number) : 1;
        memmove(to, is_real ? number : at, put); /* never longer than what it replaces */
        to += put;
        at += is_real ? length : 1;
    }
    if (text)
        *to = '\0';
    return text;
}

/* `at`: "FILE:LINE:COLUMN", or the option; NULL: it stands nowhere. */
static void put(struct cor_sheet *sheet, const char *key, enum source source, const char *at,
                const char *value) {
    static const char *const words[SOURCES] = {"option", "file", "file", "preset", "default"};
    char file[600] = "";
    const char *line = at;
    if (source != OPTION && at) {
        snprintf(file, sizeof file, "%s", at);
        char *colon = strrchr(file, ':');
        while (colon && colon > file && isdigit((unsigned char)colon[-1]))
            colon--;
        if (colon && colon > file && colon[-1] == ':') {
            colon[-1] = '\0';
            line = at + (colon - file);
        } else {
            line = NULL;
        }
    }
    cor_sheet_row(sheet);
    if (file[0])
        cor_sheet_text(sheet, source == PRESET ? "%s in %s" : "%s %s", words[source], file);
    else
        cor_sheet_word(sheet, words[source]);
    cor_sheet_word(sheet, words[source]);
    cor_sheet_word(sheet, file[0] ? file : NULL);
    cor_sheet_word(sheet, key);
    cor_sheet_word(sheet, line);
    cor_sheet_text_take(sheet, short_reals(value));
}

/* The options, but for those that say how this is shown. */
static void put_options(const struct showing *showing, bool that_are_given) {
    static const char *const silent[] = {"show-config", "json", "csv", "sheet", "where"};
    for (const struct cor_option *option = showing->arguments->command->options; option->name; option++) {
        char usual[128], key[80];
        const char *given = cor_given(showing->arguments, option->name);
        bool is_silent = false;
        for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
            is_silent = is_silent || strcmp(option->name, silent[i]) == 0;
        cor_option_usual_text(option, usual, sizeof usual);
        if (is_silent || (given != NULL) != that_are_given || (!given && !usual[0]))
            continue;
        snprintf(key, sizeof key, "--%s", option->name);
        put(showing->sheet, key, given ? OPTION : DEFAULT, given ? key : NULL,
            !given          ? usual
            : given[0] == 0 ? "yes"
                            : given);
    }
}

/* The value of the file at a JSON pointer; false: there is none. Parents are kept in `chain`. */
static bool look_up(const struct showing *showing, const char *pointer, struct cor_json *chain,
                    size_t depth) {
    if (!showing->file)
        return false;
    chain[0] = cor_json_root(showing->file);
    size_t at = 0;
    while (*pointer == '/' && at + 1 < depth) {
        char name[256];
        size_t length = 0;
        for (pointer++; *pointer && *pointer != '/' && length + 1 < sizeof name; pointer++) {
            const bool is_escape = *pointer == '~' && (pointer[1] == '0' || pointer[1] == '1');
            name[length++] = !is_escape ? *pointer : pointer[1] == '0' ? '~' : '/';
            pointer += is_escape;
        }
        name[length] = '\0';
        const struct cor_json *parent = &chain[at];
        const size_t index = isdigit((unsigned char)name[0]) ? strtoul(name, NULL, 10) : SIZE_MAX;
        if (cor_json_is_array(parent) && index < cor_json_size(parent))
            chain[at + 1] = cor_json_at(parent, index);
        else if (!cor_json_find(parent, name, &chain[at + 1]))
            return false;
        at++;
    }
    chain[depth - 1] = chain[at];
    return *pointer == '\0';
}

/* Does the file say it there, and so? What an option has replaced it does not. */
static bool stands_in_file(const struct showing *showing, const char *pointer, const char *value) {
    enum { DEPTH = 70 };
    struct cor_json chain[DEPTH];
    if (!showing->file)
        return true;
    if (!look_up(showing, pointer, chain, DEPTH))
        return false;
    COR_FREED char *text = cor_json_text(&chain[DEPTH - 1]);
    return text && strcmp(text, value) == 0;
}

/* Where the file names the file that says it: the nearest value above that is a text. False: there is none.
 */
static bool is_of_named(const struct showing *showing, const char *pointer, char *place, size_t size) {
    enum { DEPTH = 70 };
    struct cor_json chain[DEPTH];
    char above[600];
    snprintf(above, sizeof above, "%s", pointer);
    for (char *slash; (slash = strrchr(above, '/')) != NULL && slash != above;) {
        *slash = '\0';
        if (!look_up(showing, above, chain, DEPTH))
            continue;
        if (!cor_json_is_string(&chain[DEPTH - 1]))
            return false;
        snprintf(place, size, "%s: %s", cor_json_name(showing->file), above);
        return true;
    }
    return false;
}

/* The option that says what the member of that key is; NULL: none was given. */
static const struct cor_option *option_of(const struct showing *showing, const char *key) {
    const char *last = strrchr(key, '/');
    char member[80];
    snprintf(member, sizeof member, "%s", last ? last + 1 : "");
    for (char *letter = member; *letter; letter++)
        *letter = *letter == '_' ? '-' : *letter;
    for (const struct cor_option *option = showing->arguments->command->options; option->name; option++)
        if (strcmp(option->name, member) == 0 && cor_given(showing->arguments, option->name))
            return option;
    return NULL;
}

/* Puts the value if it is of that source. */
static void put_origin_value(const struct showing *showing, const struct cor_origin *origin,
                             enum source wanted) {
    const char *under = showing->under, *key = origin->key, *place = origin->place;
    const char *name = showing->file ? cor_json_name(showing->file) : NULL;
    char moved[1200], at[600] = "";
    /* Whether it was taken from the user's own file, and not from one that it names. */
    const char *pointer = place && name && strncmp(place, name, strlen(name)) == 0 &&
                                  strncmp(place + strlen(name), ": /", 3) == 0
                              ? place + strlen(name) + strlen(": ")
                              : NULL;
    bool is_made = false;
    if (showing->config->not_shown && strstr(key, showing->config->not_shown))
        return;
    if (under && strncmp(key, under, strlen(under)) == 0 && key[strlen(under)] == '/')
        key += strlen(under);
    else
        is_made = under != NULL;
    if (under && pointer && strncmp(pointer, under, strlen(under)) == 0 && pointer[strlen(under)] == '/')
        pointer += strlen(under);
    if (pointer) {
        snprintf(moved, sizeof moved, "%s: %s", name, pointer);
        place = moved;
    }
    bool is_option = origin->kind == COR_ORIGIN_FILE &&
                     (is_made || (pointer && !stands_in_file(showing, pointer, origin->value)));
    if (is_option && !is_made && is_of_named(showing, pointer, moved, sizeof moved))
        is_option = false;
    const struct cor_option *option = is_option ? option_of(showing, key) : NULL;
    const enum source source = option                                            ? OPTION
                               : is_option || origin->kind == COR_ORIGIN_DEFAULT ? DEFAULT
                               : origin->kind == COR_ORIGIN_PRESET               ? PRESET
                               : pointer                                         ? OWN_FILE
                                                                                 : NAMED_FILE;
    if (source != wanted)
        return;
    if (option)
        snprintf(at, sizeof at, "--%s", option->name);
    else if (source != DEFAULT && place) {
        /* "FILE:LINE:COLUMN" of a place "FILE: /POINTER". */
        struct cor_error error = {.status = COR_STATUS_INPUT};
        snprintf(error.place, sizeof error.place, "%.500s", place);
        cor_json_add_position(&error);
        char *member = strstr(error.place, ": /");
        if (member)
            *member = '\0';
        snprintf(at, sizeof at, "%s", error.place);
    }
    put(showing->sheet, key, source, at[0] ? at : NULL, origin->value);
}

/* A heading for each source; a line for each value, or two where its key is long. */
static void print_values(const struct cor_sheet *sheet) {
    const size_t source = cor_sheet_column(sheet, "source"), key = cor_sheet_column(sheet, "key"),
                 at = cor_sheet_column(sheet, "at"), value = cor_sheet_column(sheet, "value"),
                 width = cor_text_columns(stdout), indent = 2 + KEY_COLUMNS + AT_COLUMNS;
    const char *before = "";
    for (size_t row = 0; row < cor_sheet_size(sheet); row++) {
        const struct cor_table_cell *line = cor_sheet_cell(sheet, row, at);
        const char *heading = cor_sheet_cell(sheet, row, source)->text,
                   *name = cor_sheet_cell(sheet, row, key)->text;
        if (strcmp(heading, before) != 0)
            cor_print("%s%s\n", row > 0 ? "\n" : "", heading);
        before = heading;
        const size_t letters = cor_utf8_length(name);
        cor_print("  %s", name);
        if (letters >= KEY_COLUMNS)
            cor_print("\n%*s", 2 + KEY_COLUMNS, "");
        else
            cor_print("%*s", (int)(KEY_COLUMNS - letters), "");
        cor_print("%-*s", AT_COLUMNS - 1, line->kind == COR_CELL_WORD && heading[0] != 'o' ? line->text : "");
        cor_put_wrapped(stdout, cor_sheet_cell(sheet, row, value)->text, indent - 1, indent, width);
    }
}

enum cor_exit cor_show_config(const struct cor_arguments *arguments, const char *path,
                              const struct cor_config *config) {
    struct cor_error error = COR_NO_ERROR;
    COR_FINISHED(cor_opened) struct cor_opened opened = {0};
    struct cor_origins origins;
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    struct showing showing = {.arguments = arguments, .config = config};
    enum cor_status status = COR_OK;
    cor_origins_init(&origins);
    config->options->origins = &origins;
    COR_TRY_OUT(config->open ? config->open(config->context, path, &opened, &error)
                             : cor_open_experiment(path, config->options, &opened, &error));
    COR_TRY_OUT(cor_origins_settle(&origins, &error));
    if (strcmp(path, "-") != 0)
        COR_TRY_OUT(cor_json_read(path, &showing.file, &error));
    if (config->under && showing.file) {
        /* A file that is what others are made into stays as it is. */
        const struct cor_json root = cor_json_root(showing.file);
        struct cor_json member;
        showing.under = cor_json_find(&root, config->under + 1, &member) ? NULL : config->under;
    }
    COR_TRY_OUT(cor_sheets_create("corridor-config", 1, &sheets, &error));
    showing.sheet = cor_sheets_add(sheets, &values);
    for (enum source source = OPTION; source < SOURCES; source++) {
        if (source == OPTION || source == DEFAULT)
            put_options(&showing, source == OPTION);
        for (size_t i = 0; i < origins.count; i++)
            put_origin_value(&showing, &origins.values[i], source);
    }
    COR_TRY_OUT(cor_sheets_status(sheets, &error));
    if (config->json)
        COR_TRY_OUT(cor_sheets_json(sheets, stdout, &error));
    else
        print_values(showing.sheet);
out:
    config->options->origins = NULL;
    cor_json_destroy(showing.file);
    cor_origins_fini(&origins);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}
