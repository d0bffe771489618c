/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What people read, made from the table of commands: help, man page, completion. */
#include "candidates.h"

#include "output.h"

#include <corridor/host.h>
#include <corridor/view.h>

#include <string.h>

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

bool cor_print_group(const char *group, FILE *file) {
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
void cor_print_overview(FILE *file) {
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

static void print_man_option(FILE *file, const struct cor_command *command, const struct cor_option *option) {
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

static void print_man_command(FILE *file, const struct cor_command *command) {
    fputs(".SS \"corridor ", file);
    print_roff(file, command->name);
    fputs(" [options] ", file);
    print_roff(file, command->operands);
    fputs("\"\n", file);
    print_roff(file, command->manual);
    fputc('\n', file);
    for (int i = 0; i < COR_OPTIONS_MAX && command->options[i].name; i++)
        print_man_option(file, command, &command->options[i]);
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

/* What experiments can set of the built-in algorithms, from what they declare. */
static enum cor_status print_man_algorithms(FILE *file, struct cor_error *error) {
    struct cor_registry *registry;
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
    cor_registry_destroy(registry);
    return COR_OK;
}

enum cor_status cor_print_man(FILE *file, struct cor_error *error) {
    fputs(".TH CORRIDOR 1 \"\" \"corridor " CORRIDOR_VERSION "\" \"User commands\"\n.SH NAME\n", file);
    fputs("corridor \\- a simulation testbed for self\\-organization algorithms\n.SH SYNOPSIS\n", file);
    fputs(".B corridor\n.I command\n[options] ...\n.br\n.B corridor \\-\\-version\n[\\-\\-json]\n.SH "
          "DESCRIPTION\n",
          file);
    print_roff(file, description);
    fputs("\n.SH COMMANDS\n", file);
    for (size_t i = 0; cor_commands[i]; i++)
        print_man_command(file, cor_commands[i]);
    COR_TRY(print_man_algorithms(file, error));
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

/* The endings of the files that a command takes: "RESULTS.h5 [VIEW]" has h5. */
static void print_endings(FILE *file, const char *operands) {
    static const char *const endings[] = {"h5", "json"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char dotted[8];
        snprintf(dotted, sizeof dotted, ".%s", endings[i]);
        if (strstr(operands, dotted))
            fprintf(file, "%s ", endings[i]);
    }
}

/* The case arms of one command: its options, and what the word behind each of them may be. Behind a flag or
 * nothing it is a file; a value that is neither word nor file has no completion. */
static void print_completion_of(FILE *file, const struct cor_command *command) {
    char list[2048];
    bool plain = false;
    fprintf(file, "    '%s') options='", command->name);
    for (int o = 0; o < COR_OPTIONS_MAX && command->options[o].name; o++)
        fprintf(file, "--%s ", command->options[o].name);
    fputs("--help' endings='", file);
    print_endings(file, command->operands);
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
            (!list[0] && !cor_option_is_folder(option) && !cor_candidates_kind(option)))
            continue;
        fputs("        ", file);
        print_pattern(file, option);
        if (cor_candidates_kind(option) && !list[0])
            fprintf(file, ") what=-W words= kind=%s ;;\n", cor_candidates_kind(option));
        else
            fprintf(file, list[0] ? ") what=-W kind= words='%s' ;;\n" : ") what=-d kind= ;;\n", list);
    }
    for (int o = 0; o < COR_OPTIONS_MAX && command->options[o].name; o++) {
        const struct cor_option *option = &command->options[o];
        print_words(list, sizeof list, command, NULL, option, " ");
        if (!option->argument || cor_option_is_optional(option) || list[0] || cor_option_is_folder(option) ||
            cor_option_is_file(option) || cor_candidates_kind(option))
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

void cor_print_completion(FILE *file) {
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
