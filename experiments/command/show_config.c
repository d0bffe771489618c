/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --show-config: what counts, and where it comes from. */
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/cells.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
    char *text = cor_json_text(&chain[DEPTH - 1]);
    const bool same = text && strcmp(text, value) == 0;
    free(text);
    return same;
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

/* "FILE:LINE:COLUMN" of a place "FILE: /POINTER". */
static void position(const char *place, char *at, size_t size) {
    struct cor_error error = {.status = COR_STATUS_INPUT};
    snprintf(error.place, sizeof error.place, "%.500s", place);
    cor_json_add_position(&error);
    char *pointer = strstr(error.place, ": /");
    if (pointer)
        *pointer = '\0';
    snprintf(at, size, "%s", error.place);
}

/* Puts the value if it is of that source. */
static void put_value(const struct showing *showing, const struct cor_origin *origin, enum source wanted) {
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
    else if (source != DEFAULT && place)
        position(place, at, sizeof at);
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
    struct cor_opened opened = {0};
    struct cor_origins origins;
    struct cor_sheets *sheets = NULL;
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
            put_value(&showing, &origins.values[i], source);
    }
    COR_TRY_OUT(cor_sheets_status(sheets, &error));
    if (config->json)
        COR_TRY_OUT(cor_sheets_json(sheets, stdout, &error));
    else
        print_values(showing.sheet);
out:
    config->options->origins = NULL;
    cor_sheets_destroy(sheets);
    cor_json_destroy(showing.file);
    cor_opened_fini(&opened);
    cor_origins_fini(&origins);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}
