/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corridor: finds the subcommand and hands over. */
#include "corridor.h"
#include "command.h"
#include "commands.h"
#include "layer_commands.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/descriptive.h>
#include <corridor/error.h>
#include <corridor/host.h>
#include <corridor/kinds.h>
#include <corridor/layer_schema.h>
#include <corridor/plugin.h>
#include <corridor/schema.h>
#include <corridor/view.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what may stand behind an option, from the files that the command line names already: for the
 * completion of a shell, while somebody types */

#define COR_CANDIDATES "candidates" /* the subcommand that no help shows */

#define WORDS_MAX 256
#define COLUMNS_SHOWN 12

/* docs/look-up/words.md, made by CMakeLists.txt. */
extern const char cor_glossary_page[];

/* A row of the table: "| word, other word | meaning | example |", cut in place. */
struct row {
    char *names, *meaning, *example;
};

/* The next row at *at, which it moves on; false behind the last. */
static bool next_row(char **at, struct row *row) {
    while (**at) {
        char *line = *at, *end = line + strcspn(line, "\n");
        *at = *end ? end + 1 : end;
        *end = '\0';
        char *meaning = strncmp(line, "| ", 2) == 0 ? strstr(line + 2, " | ") : NULL;
        char *example = meaning ? strstr(meaning + 3, " | ") : NULL;
        char *last = example ? strstr(example + 3, " |") : NULL;
        if (!last || strncmp(line, "| word |", 8) == 0 || strncmp(line, "| ---", 5) == 0)
            continue;
        *meaning = *example = *last = '\0';
        *row = (struct row){line + 2, meaning + 3, example + 3};
        return true;
    }
    return false;
}

/* Whether the word is these bytes, or one is the plural of the other; whatever the case of the letters. */
static bool is_word(const char *at, size_t length, const char *word) {
    const size_t size = strlen(word), both = length < size ? length : size, more = length + size - 2 * both;
    const char *ending = (length < size ? word : at) + both;
    return strncasecmp(at, word, both) == 0 && more <= 2 && strncasecmp(ending, &"es"[2 - more], more) == 0;
}

/* Whether one of the parts of the text, between these separators, is the word. */
static bool has_part(const char *text, const char *separators, const char *word) {
    for (const char *part = text; *part;) {
        const size_t length = strcspn(part, separators);
        if (length > 0 && is_word(part, length, word))
            return true;
        part += length;
        part += strspn(part, separators);
        part += strspn(part, " ");
    }
    return false;
}

/* Rows whose name is the word, or, of `parts`, has it: "box" has those of "gray box" and "black box". */
static bool print_rows(const char *word, bool parts, FILE *file) {
    char *page = cor_strdup(cor_glossary_page), *at = page;
    bool found = false;
    struct row row;
    while (page && next_row(&at, &row)) {
        if (!has_part(row.names, parts ? ", -" : ",", word))
            continue;
        fprintf(file, "%s\n", row.names);
        cor_print_text(file, row.meaning, 0, 2);
        fputs("  Example:", file);
        cor_print_text(file, row.example, 10, 2);
        found = true;
    }
    free(page);
    return found;
}

/* Columns of views that are headed so, or, of `parts`, whose heading or key has the word; each meaning once.
 */
static bool print_columns(const char *word, bool parts, FILE *file) {
    const struct cor_column_definition *shown[COLUMNS_SHOWN];
    size_t count = 0;
    for (const struct cor_view *const *view = cor_views; *view; view++)
        for (size_t s = 0; (*view)->sheets[s]; s++)
            for (size_t c = 0; c < (*view)->sheets[s]->column_count && count < COLUMNS_SHOWN; c++) {
                const struct cor_column_definition *it = &(*view)->sheets[s]->columns[c];
                const char *separators = parts ? " ,_-()/.\n" : "";
                bool is_told =
                    !has_part(it->heading, separators, word) && !has_part(it->key, separators, word);
                for (size_t i = 0; i < count && !is_told; i++)
                    is_told = strcmp(shown[i]->meaning, it->meaning) == 0;
                if (is_told)
                    continue;
                shown[count++] = it;
                fprintf(file, "%s, a column of %s (%s)\n", it->heading[0] ? it->heading : it->key,
                        (*view)->name, (*view)->sheets[s]->title);
                cor_print_text(file, it->meaning, 0, 2);
            }
    return count > 0;
}

/* Prints what the words mean: rows of the page that are called so, else those with the word in their names,
 * with an example; else columns of views that are headed so, else those with the word in headings or keys.
 * Whatever the case of the letters. False if there is none. */
static bool cor_print_word(int count, char **words, FILE *file) {
    COR_FREED char *word = cor_strdup("");
    for (int i = 0; i < count; i++)
        word = cor_join_take(word, " ", cor_strdup(words[i]));
    return word && (print_rows(word, false, file) || print_rows(word, true, file) ||
                    print_columns(word, false, file) || print_columns(word, true, file));
}

/* The word of the page that was probably meant, into `text`; false if none is near. */
static bool cor_near_word(const char *word, char *text, size_t size) {
    char *page = cor_strdup(cor_glossary_page), *at = page;
    const char *names[WORDS_MAX + 1];
    size_t count = 0;
    struct row row;
    while (page && next_row(&at, &row))
        for (char *name = strtok(row.names, ","); name; name = strtok(NULL, ",")) {
            COR_ASSERT(count < WORDS_MAX);
            names[count++] = name + strspn(name, " ");
        }
    names[count] = NULL;
    const char *near = cor_did_you_mean(word, names);
    if (near)
        snprintf(text, size, "%s", near);
    free(page);
    return near;
}

/* ---- what people read, made from the table of commands: help, man page, completion */

#define MEANING 28 /* column in which the meaning of an option begins */
#define NARROW 60  /* columns of a terminal that has no room for it there */

static const char description[] =
    "Corridor tests self-organization algorithms in isolation. A stepwise simulator drives mocked agents "
    "with Markov environment profiles, calls the algorithm under test when the system leaves its corridor of "
    "correct behaviour, judges the solution (gray box) and the structure that was adopted (black box), and "
    "logs everything to one HDF5 file.";

/* The view after `view` (NULL = the first one) that the command shows; NULL behind the last. */
static const struct cor_view *next_view(const struct cor_command *command, const struct cor_view *view) {
    bool found = !view;
    for (const struct cor_view *const *any = cor_views; *any; any++) {
        if (found && (*any)->command && strcmp((*any)->command, command->name) == 0)
            return *any;
        found = found || *any == view;
    }
    return NULL;
}

static bool shows_by_name(const struct cor_command *command) {
    const struct cor_view *view = next_view(command, NULL);
    return view && cor_view_is_shown(view);
}

static void append(char *text, size_t size, const char *between, const char *word) {
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used > 0 ? between : "", word);
}

/* The words that an option takes, with `between` between them; "" if it takes any. Of --sheet those of one
 * view, or, of NULL, of all that the command shows. */
static void print_words(char *text, size_t size, const struct cor_command *command,
                        const struct cor_view *only, const struct cor_option *option, const char *between) {
    text[0] = '\0';
    for (size_t i = 0; cor_option_word(option, i); i++)
        append(text, size, between, cor_option_word(option, i));
    for (const struct cor_view *view = next_view(command, NULL); view && strcmp(option->name, "sheet") == 0;
         view = next_view(command, view))
        for (size_t i = 0; view->sheets[i] && (!only || view == only); i++)
            append(text, size, between, view->sheets[i]->id);
}

/* What help and man page append to the meaning of an option: the words that it takes, but for those that the
 * meaning names one by one already. */
static void print_list(char *text, size_t size, const struct cor_command *command,
                       const struct cor_view *view, const struct cor_option *option) {
    bool named = cor_option_word(option, 0) != NULL;
    for (size_t i = 0; named && cor_option_word(option, i); i++)
        named = strstr(option->meaning, cor_option_word(option, i)) != NULL;
    text[0] = '\0';
    if (!named)
        print_words(text, size, command, view, option, ", ");
}

static void print_option(FILE *file, const struct cor_command *command, const struct cor_view *view,
                         const struct cor_option *option) {
    char head[64];
    int used = option->letter ? snprintf(head, sizeof head, "-%c, --%s", option->letter, option->name)
                              : snprintf(head, sizeof head, "    --%s", option->name);
    if (option->argument)
        snprintf(head + used, sizeof head - (size_t)used, " %s", option->argument);
    char meaning[1536], list[1024] = "", usual[128];
    cor_option_usual_text(option, usual, sizeof usual);
    if (strcmp(option->name, "sheet") != 0 || view || !shows_by_name(command))
        print_list(list, sizeof list, command, view, option);
    snprintf(meaning, sizeof meaning, "%s%s%s%s%s%s", option->meaning, list[0] ? ": " : "", list,
             usual[0] ? " (default: " : "", usual, usual[0] ? ")" : "");
    /* The meaning follows the name, or stands below it where there is little room or the name is long. */
    const size_t indent = cor_text_columns(file) < NARROW ? 6 : MEANING;
    fprintf(file, "  %s", head);
    const bool below = indent < MEANING || strlen(head) + 2 > MEANING;
    if (below)
        fputc('\n', file);
    cor_print_text(file, meaning, below ? 0 : strlen(head) + 2, indent);
}

static const struct cor_option help_option = {"help", 'h', NULL, "this text", .type = COR_OPTION_FLAG};

/* One that the words name, of a command that shows views by name; else NULL. */
static const struct cor_view *view_among(const struct cor_command *command, int count, char *const *words) {
    for (int i = 0; i < count && shows_by_name(command); i++) {
        const struct cor_view *view = cor_view_find(words[i]);
        if (view && cor_view_is_shown(view))
            return view;
    }
    return NULL;
}

/* A line of a list of views or actions. */
static void print_named(FILE *file, const char *name, const char *summary) {
    const int used = fprintf(file, "  %-14s ", name);
    cor_print_text(file, summary, (size_t)used, (size_t)used);
}

void cor_print_help(const struct cor_command *command, int count, char *const *words, FILE *file) {
    const struct cor_view *view = view_among(command, count, words);
    char head[512];
    if (view)
        snprintf(head, sizeof head, "corridor show %s - %s\n\nUsage: corridor show RESULTS.h5 %s [options]",
                 view->name, view->summary, view->name);
    else
        snprintf(head, sizeof head, "corridor %s - %s\n\nUsage: corridor %s [options] %s", command->name,
                 command->summary, command->name, command->operands);
    cor_print_text(file, head, 0, 0);
    if (!view && command->examples[0])
        fputs("\nExamples:\n", file);
    for (int i = 0; i < COR_EXAMPLES_MAX && !view && command->examples[i]; i++) {
        /* A command stays a line, to be pasted: what it does stands above it where both have no room beside
         * each other. */
        const char *example = command->examples[i];
        const char *comment = strstr(example, " # ");
        if (!comment || strlen(example) + 2 <= cor_text_columns(file)) {
            fprintf(file, "  %s\n", example);
            continue;
        }
        size_t length = (size_t)(comment - example);
        while (length > 0 && example[length - 1] == ' ')
            length--;
        fputs("  #", file);
        cor_print_text(file, comment + strlen(" # "), strlen("  #"), strlen("  # "));
        fprintf(file, "  %.*s\n", (int)length, example);
    }
    fputs("\n", file);
    cor_print_text(file, view ? view->manual : command->manual, 0, 0);
    if (!view && shows_by_name(command))
        fputs("\nViews:\n", file);
    for (const struct cor_view *any = next_view(command, NULL); any && !view && shows_by_name(command);
         any = next_view(command, any))
        print_named(file, any->name, any->summary);
    fputs("\nOptions:\n", file);
    for (int i = 0; i < COR_OPTIONS_MAX && command->options[i].name; i++) {
        /* Whether some views of the command take the option, and this one does not. */
        const char *option = command->options[i].name;
        bool own = false;
        for (const struct cor_view *const *any = cor_views; view && *any; any++)
            own = own || cor_view_takes(*any, option);
        if (!own || cor_view_takes(view, option))
            print_option(file, command, view, &command->options[i]);
    }
    print_option(file, command, view, &help_option);
}

static bool cor_print_group(const char *group, FILE *file) {
    bool found = false;
    for (size_t i = 0; cor_commands[i]; i++) {
        const char *action = cor_action_of(cor_commands[i], group);
        if (action && !found)
            fprintf(file, "Usage: corridor %s ACTION [options] ...\n\nActions:\n", group);
        if (action)
            print_named(file, action, cor_commands[i]->summary);
        found = found || action;
    }
    if (found)
        fprintf(file, "\ncorridor %s ACTION --help explains each.\n", group);
    return found;
}

#define COLUMN 40 /* letters of a column of the first screen; two stand beside each other */
#define LINES 40  /* of a column */
#define LEFT 3    /* groups of the left one */

/* The lines of the first screen, groups with what is in them, in two columns. */
static void cor_print_overview(FILE *file) {
    char lines[2][LINES][128] = {{""}};
    int count[2] = {0, 0}, groups = 0;
    for (const struct cor_overview_line *line = cor_overview; line->group || line->family || line->command;
         line++) {
        groups += line->group != NULL;
        const int column = groups > LEFT;
        char *text = lines[column][count[column]];
        if (line->command && strchr(line->command->name, ' '))
            continue; /* an action: its family stands for it */
        COR_ASSERT(count[column] + 1 < LINES);
        if (line->group)
            snprintf(text, sizeof **lines, "%s", line->group);
        else
            snprintf(text, sizeof **lines, "  %-9s %s", line->family ? line->family : line->command->name,
                     line->family ? line->summary : line->command->summary);
        count[column]++;
    }
    cor_print_text(file,
                   "corridor - test self-organization algorithms in simulated environments\n"
                   "Usage: corridor COMMAND (try: corridor new experiment first; more: help WORD)\n",
                   0, 0);
    const bool wide = cor_text_columns(file) >= 2 * COLUMN;
    for (int i = 0; i < count[0] || (wide && i < count[1]); i++)
        fprintf(file, "%-*s%s\n", wide && lines[1][i][0] ? COLUMN : 0, lines[0][i], wide ? lines[1][i] : "");
    for (int i = 0; i < count[1] && !wide; i++)
        fprintf(file, "%s\n", lines[1][i]);
#define COR_EXIT_WORD(NAME, number, word, meaning) ", " #number " " word
    static const char exits[] = COR_EXITS(COR_EXIT_WORD);
#undef COR_EXIT_WORD
    fputs("Exit:", file);
    cor_print_text(file, exits + strlen(", "), strlen("Exit:"), 0);
}

/* roff reads '-' as a hyphen, '\' as an escape, and a leading '.' as a request. */
static void print_roff(FILE *file, const char *text) {
    if (*text == '.' || *text == '\'')
        fputs("\\&", file);
    for (; *text; text++) {
        if (*text == '-')
            fputs("\\-", file);
        else if (*text == '\\')
            fputs("\\e", file);
        else
            fputc(*text, file);
    }
}

static void print_man_command(FILE *file, const struct cor_command *command) {
    fputs(".SS \"corridor ", file);
    print_roff(file, command->name);
    fputs(" [options] ", file);
    print_roff(file, command->operands);
    fputs("\"\n", file);
    print_roff(file, command->manual);
    fputc('\n', file);
    for (int i = 0; i < COR_OPTIONS_MAX && command->options[i].name; i++) {
        const struct cor_option *option = &command->options[i];
        char list[512] = "", usual[128];
        cor_option_usual_text(option, usual, sizeof usual);
        fputs(".TP\n.B ", file);
        if (option->letter)
            fprintf(file, "\\-%c, ", option->letter);
        fputs("\\-\\-", file);
        print_roff(file, option->name);
        if (option->argument)
            fprintf(file, " \\fI%s\\fR", option->argument);
        fputc('\n', file);
        print_roff(file, option->meaning);
        if (strcmp(option->name, "sheet") != 0) /* sheets are listed with what they are */
            print_list(list, sizeof list, command, NULL, option);
        if (list[0])
            fputs(": ", file);
        print_roff(file, list);
        if (usual[0]) {
            fputs(" Default: ", file);
            print_roff(file, usual);
        }
        fputc('\n', file);
    }
    for (int i = 0; i < COR_EXAMPLES_MAX && command->examples[i]; i++) {
        fputs(".PP\nExample:\n.EX\n", file);
        print_roff(file, command->examples[i]);
        fputs("\n.EE\n", file);
    }
    for (const struct cor_view *view = next_view(command, NULL); view; view = next_view(command, view)) {
        /* A view that is asked for by name has a section of its own. */
        if (cor_view_is_shown(view)) {
            fprintf(file, ".SS \"corridor show RESULTS.h5 %s [options]\"\n", view->name);
            print_roff(file, view->manual);
            fputc('\n', file);
        }
        /* What a row of each sheet is; their columns stand in docs/look-up/keys.md, from the same
         * definitions. */
        fprintf(file,
                ".PP\nSheets of %s, for \\-\\-json and \\-\\-sheet, and what a row is (their columns: "
                "docs/look-up/keys.md):\n",
                view->name);
        for (size_t i = 0; view->sheets[i]; i++) {
            fputs(".TP\n.B ", file);
            print_roff(file, view->sheets[i]->id);
            fputc('\n', file);
            print_roff(file, view->sheets[i]->meaning);
            fputc('\n', file);
        }
    }
}

static enum cor_status cor_print_man(FILE *file, struct cor_error *error) {
    fputs(".TH CORRIDOR 1 \"\" \"corridor " CORRIDOR_VERSION "\" \"User commands\"\n.SH NAME\n", file);
    fputs("corridor \\- a simulation testbed for self\\-organization algorithms\n.SH SYNOPSIS\n", file);
    fputs(".B corridor\n.I command\n[options] ...\n.br\n.B corridor \\-\\-version\n[\\-\\-json]\n.SH "
          "DESCRIPTION\n",
          file);
    print_roff(file, description);
    fputs("\n.SH COMMANDS\n", file);
    for (size_t i = 0; cor_commands[i]; i++)
        print_man_command(file, cor_commands[i]);
    /* What experiments can set of the built-in algorithms, from what they declare. */
    COR_DESTROYED(cor_registry) struct cor_registry *registry = NULL;
    COR_TRY(cor_registry_create(NULL, &registry, error));
    fputs(".SH ALGORITHMS\nThe built\\-in algorithms and their parameters. Each has a\n.B budget\ntoo.\n",
          file);
    for (uint32_t i = 0; i < cor_registry_size(registry); i++) {
        const struct cor_algorithm *algorithm = cor_registry_at(registry, i);
        fprintf(file, ".SS %s\n", algorithm->name);
        print_roff(file, algorithm->summary);
        fputs("; budget in ", file);
        print_roff(file, algorithm->budget_unit);
        fputs(".\n", file);
        for (uint32_t p = 0; p < cor_algorithm_parameter_count(algorithm); p++) {
            const struct cor_parameter *parameter = &algorithm->parameters[p];
            fputs(".TP\n.B ", file);
            print_roff(file, parameter->name);
            fprintf(file, "\n%s from %.10g to %.10g, %.10g if it is not said: ",
                    parameter->is_integer ? "an integer" : "a number", parameter->min, parameter->max,
                    parameter->value);
            print_roff(file, parameter->meaning);
            fputc('\n', file);
        }
        for (uint32_t f = 0; f < cor_algorithm_fault_count(algorithm); f++) {
            fputs(".TP\n.RB fault \" \" ", file);
            print_roff(file, algorithm->faults[f].name);
            fputc('\n', file);
            print_roff(file, algorithm->faults[f].meaning);
            fputc('\n', file);
        }
    }
    fputs(".SH EXIT STATUS\n", file);
#define COR_EXIT_ROFF(NAME, number, word, meaning) \
    fprintf(file, ".TP\n.B %d\n", number);         \
    print_roff(file, meaning);                     \
    fputc('\n', file);
    COR_EXITS(COR_EXIT_ROFF)
#undef COR_EXIT_ROFF
    fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nset and not empty: no colour\n.TP\n.B CLICOLOR_FORCE\nset and "
          "not 0: colour even when the output is no terminal\n.SH SEE ALSO\n.BR corridor\\-protocol (7)\n",
          file);
    return COR_OK;
}

/* "--name|-n", as a pattern. */
static void print_pattern(FILE *file, const struct cor_option *option) {
    fprintf(file, "--%s", option->name);
    if (option->letter)
        fprintf(file, "|-%c", option->letter);
}

static const char *candidates_kind(const struct cor_option *option);

/* The case arms of one command: its options, and what the word behind each of them may be. Behind a flag or
 * nothing it is a file; a value that is neither word nor file has no completion. */
static void print_completion_of(FILE *file, const struct cor_command *command) {
    char list[2048];
    bool plain = false;
    fprintf(file, "    '%s') options='", command->name);
    for (int o = 0; o < COR_OPTIONS_MAX && command->options[o].name; o++)
        fprintf(file, "--%s ", command->options[o].name);
    fputs("--help' endings='", file);
    /* The endings of the files that a command takes: "RESULTS.h5 [VIEW]" has h5. */
    static const char *const endings[] = {"h5", "json"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char dotted[8];
        snprintf(dotted, sizeof dotted, ".%s", endings[i]);
        if (strstr(command->operands, dotted))
            fprintf(file, "%s ", endings[i]);
    }
    fputs("'\n", file);
    if (shows_by_name(command)) {
        fputs("        (( COMP_CWORD > 2 )) && what=-W kind=view words='", file);
        for (const struct cor_view *view = next_view(command, NULL); view; view = next_view(command, view))
            fprintf(file, "%s ", view->name);
        fputs("'\n", file);
    }
    fputs("        case $previous in\n", file);
    for (int o = 0; o < COR_OPTIONS_MAX && command->options[o].name; o++) {
        const struct cor_option *option = &command->options[o];
        print_words(list, sizeof list, command, NULL, option, " ");
        if (!option->argument || cor_option_is_optional(option) ||
            (!list[0] && !cor_option_is_folder(option) && !candidates_kind(option)))
            continue;
        fputs("        ", file);
        print_pattern(file, option);
        if (candidates_kind(option) && !list[0])
            fprintf(file, ") what=-W words= kind=%s ;;\n", candidates_kind(option));
        else
            fprintf(file, list[0] ? ") what=-W kind= words='%s' ;;\n" : ") what=-d kind= ;;\n", list);
    }
    for (int o = 0; o < COR_OPTIONS_MAX && command->options[o].name; o++) {
        const struct cor_option *option = &command->options[o];
        print_words(list, sizeof list, command, NULL, option, " ");
        if (!option->argument || cor_option_is_optional(option) || list[0] || cor_option_is_folder(option) ||
            cor_option_is_file(option) || candidates_kind(option))
            continue;
        fputs(plain ? "|" : "        ", file);
        print_pattern(file, option);
        plain = true;
    }
    fputs(plain ? ") what=-W kind= words= ;;\n        esac ;;\n" : "        esac ;;\n", file);
}

/* The first words of all commands, each once, or, given a group, its actions. */
static void print_names(FILE *file, const char *group) {
    const char *before = "";
    for (size_t i = 0; cor_commands[i]; i++) {
        const char *name = group ? cor_action_of(cor_commands[i], group) : cor_commands[i]->name;
        size_t length = name ? strcspn(name, " ") : 0;
        if (length > 0 && (strncmp(before, name, length) != 0 || before[length] != ' '))
            fprintf(file, "%.*s ", (int)length, name);
        before = name ? name : before;
    }
}

static void cor_print_completion(FILE *file) {
    fputs("# bash completion for corridor\n"
          "_corridor() {\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} "
          "command=${COMP_WORDS[1]-}\n"
          "    local options= what=-f words= kind= endings= ending line names='",
          file);
    print_names(file, NULL);
    fputs("'\n"
          "    # \"--option=value\" comes as three words.\n"
          "    [[ $current == = ]] && current=\n"
          "    [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    case $command in\n"
          "    help) (( COMP_CWORD == 2 )) && what=-W words=$names ;;\n",
          file);
    /* The groups with their actions: "profile) words='fit show export --help' ..". */
    char group[32] = "";
    for (size_t i = 0; cor_commands[i]; i++) {
        const char *name = cor_commands[i]->name;
        size_t length = strcspn(name, " ");
        if (name[length] == '\0' || cor_action_of(cor_commands[i], group))
            continue;
        snprintf(group, sizeof group, "%.*s", (int)length, name);
        fprintf(file,
                "    %s) command=\"%s ${COMP_WORDS[2]-}\"\n        (( COMP_CWORD == 2 )) && what=-W words='",
                group, group);
        print_names(file, group);
        fputs("--help' ;;\n", file);
    }
    fputs("    esac\n    case $command in\n", file);
    for (size_t i = 0; cor_commands[i]; i++)
        print_completion_of(file, cor_commands[i]);
    fputs("    esac\n"
          "    if (( COMP_CWORD == 1 )); then what=-W words=\"$names help --help --version\"\n"
          "    elif [[ $current == -* ]]; then what=-W kind= words=$options; fi\n"
          "    COMPREPLY=()\n"
          "    # What the files say that are named already; nothing is said of those that cannot be read.\n"
          "    if [[ $what == -W && -n $kind ]]; then while IFS= read -r line; do\n"
          "        [[ $line == \"$current\"* ]] && COMPREPLY+=(\"$line\")\n"
          "    done < <(\"${COMP_WORDS[0]}\" " COR_CANDIDATES
          " \"$kind\" \"${COMP_WORDS[@]:2}\" 2>/dev/null)\n"
          "        (( ${#COMPREPLY[@]} > 0 )) && return; fi\n"
          "    if [[ $what == -W ]]; then COMPREPLY=($(compgen -W \"$words\" -- \"$current\")); return; fi\n"
          "    # Files of the right ending, and folders on the way to them; if there are none, any.\n"
          "    if [[ $what == -f && -n $endings && $previous != -* ]]; then\n"
          "        for ending in $endings; do while IFS= read -r line; do COMPREPLY+=(\"$line\")\n"
          "        done < <(compgen -f -X \"!*.$ending\" -- \"$current\"); done\n"
          "        (( ${#COMPREPLY[@]} > 0 )) && what=-d; fi\n"
          "    while IFS= read -r line; do COMPREPLY+=(\"$line\"); done < <(compgen $what -- \"$current\")\n"
          "}\n"
          "complete -o filenames -F _corridor corridor\n",
          file);
}

/* ---- whoever completes a line waits, and may have named anything: little is read, within limits of time and
 * memory, and nothing is said of what cannot be read */

#define JSON_BYTES_MAX (4 << 20)
#define ROWS 4096     /* looked at for failures */
#define KEYS_MAX 50   /* of failures that are offered */
#define SECONDS_MAX 1 /* of a processor */
#define WAIT_MAX 10   /* seconds, for files that do not come */
#define MEMORY_MAX (UINT64_C(1) << 30)

static const struct {
    const char *option, *kind;
} kinds[] = {{"arm", "arm"},
             {"arms", "arm"},
             {"failures-of", "arm"},
             {"failure", "failure"},
             {"goal", "goal"},
             {"trap", "trap"},
             {"constraint", "constraint"},
             {"fault", "fault"},
             {"environment", "environment"}};

/* What the option takes, in a word for the subcommand; NULL: nothing that a file says. */
static const char *candidates_kind(const struct cor_option *option) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].option, option->name) == 0)
            return kinds[i].kind;
    return NULL;
}

static void offer(const char *text) {
    for (const char *at = text; *at; at++)
        if (iscntrl((unsigned char)*at))
            return;
    printf("%s\n", text);
}

/* The names of an object's members, or what items of an array are called. */
static void offer_names(const struct cor_json *json) {
    COR_JSON_CHILDREN(item, json) {
        struct cor_json name;
        const char *text;
        if (item.key)
            offer(item.key);
        else if (cor_json_find(&item, "name", &name) && cor_json_string(&name, &text, NULL) == COR_OK)
            offer(text);
    }
}

/* The faults of the algorithms that are built in, each once, or of the one that a word names. */
static void offer_faults(int count, char **words) {
    struct cor_registry *registry;
    bool is_named = false;
    if (cor_registry_create(NULL, &registry, NULL) != COR_OK)
        return;
    for (int pass = 0; pass < 2 && !is_named; pass++)
        for (uint32_t i = 0; i < cor_registry_size(registry); i++) {
            const struct cor_algorithm *algorithm = cor_registry_at(registry, i);
            bool is_meant = pass > 0;
            for (int w = 0; w < count; w++)
                is_meant = is_meant || strcmp(words[w], algorithm->name) == 0;
            is_named = is_named || (is_meant && pass == 0);
            for (uint32_t f = 0; is_meant && f < cor_algorithm_fault_count(algorithm); f++)
                offer(algorithm->faults[f].name);
        }
    cor_registry_destroy(registry);
}

/* Of a file of JSON: the members of its object of that kind, or of that of the experiment in it. */
static void offer_of_json(const char *path, const char *kind) {
    struct cor_json_document *document;
    struct stat there;
    char plural[32];
    if (stat(path, &there) != 0 || there.st_size > JSON_BYTES_MAX ||
        cor_json_read(path, &document, NULL) != COR_OK)
        return;
    const struct cor_json root = cor_json_root(document);
    struct cor_json list, inner, arms;
    snprintf(plural, sizeof plural, "%ss", kind);
    if (cor_json_find(&root, plural, &list))
        offer_names(&list);
    if (cor_json_find(&root, "experiment", &inner) && cor_json_find(&inner, plural, &list))
        offer_names(&list);
    if (strcmp(kind, "trap") == 0 && cor_json_find(&root, "arms", &arms))
        COR_JSON_CHILDREN(arm, &arms) {
            if (cor_json_find(&arm, plural, &list))
                offer_names(&list);
        }
    cor_json_destroy(document);
}

/* The number of a column, the count of columns: there is none. */
static uint32_t column_of(const struct cor_table_schema *table, const char *name) {
    uint32_t column = 0;
    while (column < table->column_count && strcmp(table->columns[column].name, name) != 0)
        column++;
    return column;
}

/* The value of a column in a row; 0: there is no such column. */
static uint64_t value_of(const struct cor_table_schema *table, const unsigned char *row, const char *name) {
    const uint32_t column = column_of(table, name);
    uint64_t value = 0;
    if (column < table->column_count)
        memcpy(&value, row + table->columns[column].offset, cor_type_size(table->columns[column].type));
    return value;
}

/* Whether one of the verdicts in the row says that it failed. */
static bool has_failed(const struct cor_table_schema *table, const unsigned char *row) {
    static const char *const verdicts[] = {"verdict", "gray", "black"};
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        const uint32_t column = column_of(table, verdicts[i]);
        if (column == table->column_count)
            continue;
        const char *word = cor_term_word((enum cor_family)table->columns[column].family,
                                         (int)value_of(table, row, verdicts[i]));
        if (strcmp(word, "failed") == 0 || strcmp(word, "smoke") == 0)
            return true;
    }
    return false;
}

/* Whether the last part of the path is that word. */
static bool is_called(const char *path, const char *word) {
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, word) == 0;
}

/* Of a result file: its views, its failures, or the names in the catalog of that kind. */
static void offer_of_result(const char *path, const char *kind) {
    struct cor_result *result;
    if (cor_result_glance(path, &result, NULL) != COR_OK)
        return;
    const struct cor_result_header *head = cor_result_head(result);
    for (const struct cor_view *const *view = cor_views; *view && strcmp(kind, "view") == 0; view++)
        if (cor_view_is_shown(*view) && cor_view_layer(*view) == head->layer)
            offer((*view)->name);
    for (uint32_t c = 0; c < head->layer->catalog_count; c++)
        for (size_t i = 0; is_called(head->layer->catalogs[c].group, kind) && i < head->catalog_size[c]; i++)
            offer(head->catalog[c][i].name);
    if (strcmp(kind, "failure") == 0) {
        const struct cor_layer_schema *layer = cor_result_head(result)->layer;
        for (uint32_t t = 0; t < layer->table_count; t++) {
            const struct cor_table_schema *table = &layer->tables[t];
            const bool says_it = column_of(table, "arm") < table->column_count &&
                                 column_of(table, "suite") < table->column_count &&
                                 column_of(table, "sequence") < table->column_count;
            const bool is_it =
                strcmp(table->group, "failures") == 0 ||
                (strcmp(table->group, "sequences") == 0 && column_of(table, "verdict") < table->column_count);
            if (says_it && is_it) {
                /* The first failing case of each sequence, of a table that says it. */
                const struct cor_table_schema *schema = &head->layer->tables[t];
                const uint32_t arm = column_of(schema, "arm");
                const bool has_case = column_of(schema, "case") < schema->column_count;
                const uint64_t size = cor_result_size(result, t), count = size < ROWS ? size : ROWS;
                COR_FREED unsigned char *rows = cor_calloc(ROWS, schema->row_size);
                char before[256] = "";
                if (rows && count > 0 && cor_result_read(result, t, 0, count, rows, NULL) == COR_OK)
                    for (uint64_t i = 0, offered = 0; i < count && offered < KEYS_MAX; i++) {
                        const unsigned char *row = rows + i * schema->row_size;
                        const char *name =
                            cor_result_name(result, cor_column_catalog(head->layer, &schema->columns[arm]),
                                            (uint16_t)value_of(schema, row, "arm"));
                        char sequence[256], key[300];
                        snprintf(sequence, sizeof sequence, "%s/%llu/%llu", name,
                                 (unsigned long long)value_of(schema, row, "suite"),
                                 (unsigned long long)value_of(schema, row, "sequence"));
                        if (!has_failed(schema, row) || strcmp(sequence, before) == 0)
                            continue;
                        snprintf(before, sizeof before, "%s", sequence);
                        snprintf(key, sizeof key, has_case ? "%s/%llu" : "%s", sequence,
                                 (unsigned long long)value_of(schema, row, "case"));
                        offer(key);
                        offered++;
                    }
            }
        }
    }
    cor_result_close(result);
}

static bool ends_in(const char *path, const char *ending) {
    const size_t length = strlen(path), size = strlen(ending);
    return length > size && strcmp(path + length - size, ending) == 0;
}

/* corridor candidates KIND WORD..: prints what there is of that kind, a line each, in the first of the words
 * that names a file which can be read, else nothing. Reads little, writes nothing else, says nothing, and
 * always succeeds. */
static enum cor_exit cor_candidates(int count, char **words) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    alarm(WAIT_MAX); /* ends us, as what is beyond the limits does: then there are no candidates */
    setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS_MAX, SECONDS_MAX});
    (void)cor_limit_memory(MEMORY_MAX, true);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    for (int i = 1; i < count; i++) {
        /* A word of a shell without its quotes. */
        char *word = words[i];
        char *to = word, quote = '\0';
        for (const char *at = word; *at; at++)
            if (quote ? *at == quote : *at == '\'' || *at == '"')
                quote = quote ? '\0' : *at;
            else if (*at == '\\' && quote != '\'' && at[1])
                *to++ = *++at;
            else
                *to++ = *at;
        *to = '\0';
    }
    if (count > 0 && strcmp(words[0], "fault") == 0)
        offer_faults(count - 1, words + 1);
    for (int i = 1; i < count; i++) {
        struct stat there;
        const bool is_file = stat(words[i], &there) == 0 && S_ISREG(there.st_mode);
        if (is_file && ends_in(words[i], ".json"))
            offer_of_json(words[i], words[0]);
        else if (is_file && cor_is_result_file(words[i]))
            offer_of_result(words[i], words[0]);
        else
            continue;
        break;
    }
    return COR_EXIT_DONE;
}

/* ---- corridor */

const struct cor_command *const cor_commands[] = {
#define COR_COMMAND_ADDRESS(name) &cor_command_##name,
    COR_COMMANDS(COR_NOTHING, COR_NOTHING, COR_COMMAND_ADDRESS)
#undef COR_COMMAND_ADDRESS
        NULL,
};

const struct cor_overview_line cor_overview[] = {
#define COR_GROUP_LINE(title) {.group = (title)},
#define COR_FAMILY_LINE(word, text) {.family = (word), .summary = (text)},
#define COR_COMMAND_LINE(name) {.command = &cor_command_##name},
    COR_COMMANDS(COR_GROUP_LINE, COR_FAMILY_LINE, COR_COMMAND_LINE)
#undef COR_COMMAND_LINE
#undef COR_FAMILY_LINE
#undef COR_GROUP_LINE
        {0},
};

/* The command whose name is the first word, or the first two joined; *used is how many words that were. */
static const struct cor_command *find_command(int count, char **words, int *used) {
    for (size_t i = 0; cor_commands[i]; i++) {
        const char *name = cor_commands[i]->name;
        size_t length = strcspn(name, " ");
        bool first = strlen(words[0]) == length && strncmp(words[0], name, length) == 0;
        if (!first || (name[length] == ' ' && (count < 2 || strcmp(words[1], name + length + 1) != 0)))
            continue;
        *used = name[length] == ' ' ? 2 : 1;
        return cor_commands[i];
    }
    return NULL;
}

/* Words that were commands once, or that one may think of, and what is written for them. */
static const struct {
    const char *word, *instead;
} others[] = {{"contrasts", "compare FILE"},
              {"compare-search", "search EXPERIMENT --generator A,B"},
              {"submit", "run EXPERIMENT --batch slurm"},
              COR_WITH_SYSTEM({"system keep", "replay FILE --failure KEY -o TEST.json --inner"}, )
                  COR_WITH_AGENT({"units", "agent"}, ) COR_WITH_PROCESS(
                      {"process", "replay FILE, with --trace for what happens, or shrink FILE"}, ){
                      "check-algorithm", "check ALGORITHM"},
              {"new-algorithm", "new algorithm NAME"}};
#define OTHERS (sizeof others / sizeof *others)

/* The name that is nearest to a word that is no command: of a command, a family, a view, or one of the
 * others; NULL if none is near. */
static const char *near_name(const char *word) {
    const char *names[2 * COR_COMMANDS_MAX];
    size_t count = 0;
    for (const struct cor_overview_line *line = cor_overview; line->group || line->family || line->command;
         line++)
        if (line->family || (line->command && !strchr(line->command->name, ' ')))
            names[count++] = line->family ? line->family : line->command->name;
    for (const struct cor_view *const *view = cor_views; *view; view++)
        if (cor_view_is_shown(*view))
            names[count++] = (*view)->name;
    for (size_t i = 0; i < OTHERS; i++)
        names[count++] = others[i].word;
    COR_ASSERT(count < 2 * COR_COMMANDS_MAX);
    names[count] = NULL;
    return cor_did_you_mean(word, names);
}

/* What one writes instead of a word that is no command; false if nothing is near. */
static bool meant(const char *word, char *text, size_t size) {
    const char *near = near_name(word);
    if (!near)
        return false;
    const struct cor_view *view = cor_view_find(near);
    snprintf(text, size, view && cor_view_is_shown(view) ? "show FILE %s" : "%s", near);
    for (size_t i = 0; i < OTHERS; i++)
        if (strcmp(others[i].word, near) == 0)
            snprintf(text, size, "%s", others[i].instead);
    return true;
}

/* Complains that the words name no command, or that the action of a group is missing. */
static enum cor_exit unknown_command(int count, char **words) {
    if (cor_layer_absent(words[0]))
        return cor_misuse(NULL, "there is no command %s: %s", words[0], cor_layer_absent(words[0]));
    const char *actions[COR_COMMANDS_MAX + 1];
    size_t action_count = 0;
    for (size_t i = 0; cor_commands[i]; i++) {
        const char *action = cor_action_of(cor_commands[i], words[0]);
        COR_ASSERT(i < COR_COMMANDS_MAX);
        if (action)
            actions[action_count++] = action;
    }
    actions[action_count] = NULL;
    if (action_count > 0) {
        /* Complains that the group has no such action, or that none is named. */
        const struct cor_command group = {.name = words[0]};
        const char *action = count > 1 && words[1][0] != '-' ? words[1] : NULL;
        int used;
        char known[256], both[256];
        snprintf(both, sizeof both, "%s %s", words[0], action ? action : "");
        for (size_t i = 0; i < OTHERS; i++)
            if (strcmp(others[i].word, both) == 0)
                return cor_misuse(NULL, "there is no command %s; write corridor %s", both, others[i].instead);
        cor_known_names(action ? action : "", actions, known, sizeof known);
        if (action && find_command(1, words + 1, &used))
            return cor_misuse(&group, "there is no %s %s; write corridor %s", words[0], action, action);
        return action ? cor_misuse(&group, "%s has no action \"%s\"; %s", words[0], action, known)
                      : cor_misuse(&group, "%s needs an action after it; %s", words[0], known);
    }
    char instead[64];
    return meant(words[0], instead, sizeof instead)
               ? cor_misuse(NULL, "there is no command %s; write corridor %s", words[0], instead)
               : cor_misuse(NULL, "there is no command %s", words[0]);
}

static bool asks_for_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* Whether a word of the glossary, which is put into `near`, is nearer than any command. */
static bool is_near_word(const char *word, char *near, size_t size) {
    const char *command = near_name(word);
    if (!cor_near_word(word, near, size))
        return false;
    const char *const both[] = {command ? command : near, near, NULL};
    return !command || cor_did_you_mean(word, both) == near;
}

/* Help of what the words name: all commands, a group, a command, or a word of the glossary or of a
 * heading. */
static enum cor_exit help(int count, char **words) {
    int used;
    if (count == 0 || asks_for_help(words[0])) {
        cor_print_overview(stdout);
        return COR_EXIT_DONE;
    }
    const struct cor_command *command = find_command(count, words, &used);
    if (command) {
        cor_print_help(command, count - used, words + used, stdout);
    } else if (cor_layer_absent(words[0])) {
        return unknown_command(count, words);
    } else if (count > 1 || !cor_print_group(words[0], stdout)) {
        /* Of words that name no command: what they mean. */
        char near[64];
        if (cor_print_word(count, words, stdout))
            return COR_EXIT_DONE;
        if (count == 1 && is_near_word(words[0], near, sizeof near))
            return cor_misuse(NULL, "unknown word \"%s\"; did you mean %s?", words[0], near);
        return count > 1 || near_name(words[0])
                   ? unknown_command(count, words)
                   : cor_misuse(NULL, "\"%s\" is no command, and no word of docs/look-up/words.md", words[0]);
    }
    return COR_EXIT_DONE;
}

/* With --force, too, nobody means to lose what is being read. */
static enum cor_status spare_operands(const struct cor_arguments *arguments, struct cor_error *error) {
    const char *output = cor_given(arguments, "output");
    for (int w = 0; output && w < arguments->word_count; w++) {
        struct stat there, other_there;
        if (stat(output, &there) == 0 && stat(arguments->words[w], &other_there) == 0 &&
            S_ISREG(there.st_mode) && there.st_dev == other_there.st_dev &&
            there.st_ino == other_there.st_ino)
            return cor_fail(error, COR_STATUS_EXISTS, output, "name another file with -o",
                            "is what the command reads");
    }
    return COR_OK;
}

static enum cor_exit run_parsed(const struct cor_arguments *arguments) {
    enum cor_exit code;
    if (!arguments->command->reads)
        return cor_run_with_meaning(arguments);
    (void)cor_run_guarded(arguments, &code); /* in both processes the rest is the same */
    return code;
}

static enum cor_exit answer(int count, char **words) {
    int used = 0;
    const struct cor_command *command = find_command(count, words, &used);
    if (command) {
        /* Parses the rest of the command line, and runs the command. */
        COR_FINISHED(cor_arguments) struct cor_arguments arguments = {0};
        enum cor_exit code = COR_EXIT_DONE;
        struct cor_error error = COR_NO_ERROR;
        if (cor_parse(command, count - used + 1, words + used - 1, &arguments, &code))
            code = spare_operands(&arguments, &error) == COR_OK ? run_parsed(&arguments) : cor_report(&error);
        return code;
    }
    if (strcmp(words[0], "serve") == 0)
        return cor_serve(count - 1, words + 1);
    if (strcmp(words[0], "help") == 0)
        return help(count - 1, words + 1);
    if (asks_for_help(words[0]))
        return help(0, NULL);
    if (count > 1 && asks_for_help(words[1]))
        return help(1, words);
    if (strcmp(words[0], "--version") == 0) {
        const bool json = count > 1 && strcmp(words[1], "--json") == 0;
        char format[32], abi[16];
        snprintf(format, sizeof format, "%d.%u", COR_FORMAT_MAJOR, (unsigned)cor_interaction_schema.minor);
        snprintf(abi, sizeof abi, "%d.%d", COR_PLUGIN_MAJOR, COR_PLUGIN_MINOR);
        printf(json ? "{\"schema\":\"corridor-version\",\"version\":1,\"corridor\":\"%s\",\"commit\":\"%s\","
                      "\"result_format\":\"%"
                      "s\",\"plugin_abi\":\"%s\",\"compiler\":\"%s\",\"build_type\":\"%s\"}\n"
                    : "corridor %s (commit %s; result format %s, plug-in interface %s; %s, %s)\n",
               CORRIDOR_VERSION, json || command__commit[0] ? command__commit : "unknown", format, abi,
               CORRIDOR_COMPILER, CORRIDOR_BUILD_TYPE);
    } else if (strcmp(words[0], "man-page") == 0) {
        struct cor_error error = COR_NO_ERROR;
        return cor_print_man(stdout, &error) == COR_OK ? COR_EXIT_DONE : cor_report(&error);
    } else if (strcmp(words[0], "bash-completion") == 0) {
        cor_print_completion(stdout);
    } else if (strcmp(words[0], COR_CANDIDATES) == 0) { /* completion asks it, nobody else */
        return cor_candidates(count - 1, words + 1);
    } else if (strcmp(words[0], COR_CHECK_CHILD) == 0) { /* check starts it, nobody else */
        return (enum cor_exit)cor_conformance_child(count - 1, words + 1);
    } else {
        return unknown_command(count, words);
    }
    return COR_EXIT_DONE;
}

/* Output that could not be written (a full disk, a closed pipe) must not pass for success. A command that
 * ended with trouble of the environment has said so; who closes the pipe need not be told. */
static enum cor_exit finish(enum cor_exit code) {
    if (code == COR_EXIT_ENVIRONMENT || (fflush(stdout) == 0 && !ferror(stdout)))
        return code;
    if (errno != EPIPE)
        perror("corridor: cannot write the output");
    return code == COR_EXIT_DONE ? COR_EXIT_ENVIRONMENT : code;
}

int command__run(int argc, char **argv) {
    cor_statistics_begin();
    setlocale(LC_ALL, "C");
    /* What whoever starts us may have left: children that nobody can wait for, a limit of time that never
     * comes.
     */
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, SIGCHLD);
    sigaddset(&own, SIGPROF);
    sigaddset(&own, SIGVTALRM);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGPROF, SIG_DFL);
    signal(SIGVTALRM, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &own, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file-size limit is then an error of writing, and said */
    if (argc < 2) {
        cor_print_overview(stderr);
        return COR_EXIT_USAGE;
    }
    return (int)finish(answer(argc - 1, argv + 1));
}
