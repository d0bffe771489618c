/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What people read, made from the table of commands: help, man page, completion. */
#include "command.h"

#include <corridor/host.h>
#include <corridor/view.h>

#include <string.h>

static const char description[] =
    "Corridor tests self-organization algorithms in isolation. A stepwise simulator drives mocked agents "
    "with Markov environment profiles, calls the algorithm under test when the system leaves its corridor of "
    "correct behaviour, judges the solution (gray box) and the structure that was adopted (black box), and "
    "logs everything to one HDF5 file.";

/* Wraps `text` at `width` columns, each line indented by `indent`. */
static void print_wrapped(FILE *file, const char *text, int indent, int width) {
    int column = 0;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (column > 0 && column + 1 + (int)length > width - indent) {
            fputc('\n', file);
            column = 0;
        }
        if (length > 0) {
            fprintf(file, "%*s%.*s", column == 0 ? indent : 1, "", (int)length, text);
            column += (int)length + (column > 0 ? 1 : 0);
        }
        text += length;
        if (*text == '\n') {
            fputc('\n', file);
            column = 0;
        }
        text += *text != '\0';
    }
    fputc('\n', file);
}

/* The sheets that a command shows; none if it shows no result file. */
static const struct cor_sheet_definition *sheet_of(const struct cor_command *command, size_t index) {
    const struct cor_view *view = cor_view_find(command->name);
    return view ? view->sheets[index] : NULL;
}

/* The words that an option takes, with `between` between them; "" if it takes any. */
static void print_words(char *text, size_t size, const struct cor_command *command, const char *option,
                        const char *between) {
    bool sheets = strcmp(option, "sheet") == 0;
    cor_word_list *word = cor_option_words(command, option);
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; used < size; i++) {
        const struct cor_sheet_definition *sheet = sheets ? sheet_of(command, i) : NULL;
        const char *next = sheet ? sheet->id : word ? word(i) : NULL;
        if (!next)
            return;
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? between : "", next);
    }
}

static void print_option(FILE *file, const struct cor_command *command, const struct cor_option *option) {
    char head[64];
    int used = option->letter ? snprintf(head, sizeof head, "-%c, --%s", option->letter, option->name)
                              : snprintf(head, sizeof head, "    --%s", option->name);
    if (option->argument)
        snprintf(head + used, sizeof head - (size_t)used, " %s", option->argument);
    char meaning[1024], list[512];
    print_words(list, sizeof list, command, option->name, ", ");
    snprintf(meaning, sizeof meaning, "%s%s%s%s%s%s", option->meaning, list[0] ? ": " : "", list,
             option->fallback ? " (default: " : "", option->fallback ? option->fallback : "",
             option->fallback ? ")" : "");
    fprintf(file, "  %-26s", head);
    if (strlen(head) > 26)
        fprintf(file, "\n%28s", "");
    /* The first line follows the head; the rest is indented below it. */
    const char *rest = meaning;
    int column = 28;
    while (*rest) {
        int length = (int)strcspn(rest, " ");
        bool begins = column == 28;
        if (!begins && column + 1 + length > 100) {
            fprintf(file, "\n%28s", "");
            column = 28;
            begins = true;
        }
        fprintf(file, "%s%.*s", begins ? "" : " ", length, rest);
        column += length + !begins;
        rest += length;
        rest += *rest == ' ';
    }
    fputc('\n', file);
}

static const struct cor_option help_option = {"help", 'h', NULL, "this text", NULL};

static const char *summary_of(const struct cor_command *command) {
    return command->summary ? command->summary : cor_view_find(command->name)->summary;
}

void cor_print_help(const struct cor_command *command, FILE *file) {
    fprintf(file, "corridor %s - %s\n\nUsage: corridor %s [options] %s\n", command->name, summary_of(command),
            command->name, command->operands);
    if (command->examples[0])
        fputs("\nExamples:\n", file);
    for (int i = 0; i < COR_EXAMPLES_MAX && command->examples[i]; i++)
        fprintf(file, "  %s\n", command->examples[i]);
    fputs("\n", file);
    print_wrapped(file, command->manual, 0, 100);
    fputs("\nOptions:\n", file);
    for (int i = 0; i < COR_OPTIONS_MAX && command->options[i].name; i++)
        print_option(file, command, &command->options[i]);
    print_option(file, command, &help_option);
}

bool cor_print_group(const char *group, FILE *file) {
    bool found = false;
    for (size_t i = 0; cor_commands[i]; i++) {
        const char *action = cor_action_of(cor_commands[i], group);
        if (action && !found)
            fprintf(file, "Usage: corridor %s ACTION [options] ...\n\nActions:\n", group);
        if (action)
            fprintf(file, "  %-14s %s\n", action, summary_of(cor_commands[i]));
        found = found || action;
    }
    if (found)
        fprintf(file, "\ncorridor %s ACTION --help explains each.\n", group);
    return found;
}

void cor_print_overview(FILE *file) {
    fputs("corridor - a simulation testbed for self-organization algorithms\n\n", file);
    fputs("Usage: corridor COMMAND [options] ...\n\nExamples:\n", file);
    fputs("  corridor run experiments/library/demo.json -o demo.h5   # run a fault-injection campaign\n", file);
    fputs(
        "  corridor tables demo.h5                         # what was found, beside the published tables\n\n",
        file);
    fputs("Commands:\n", file);
    for (size_t i = 0; cor_commands[i]; i++)
        fprintf(file, "  %-14s %s\n", cor_commands[i]->name, summary_of(cor_commands[i]));
    fputs("\ncorridor COMMAND --help explains each. corridor --version [--json] says which build this is.\n",
          file);
    fputs("\nExit codes:\n", file);
#define COR_EXIT_LINE(NAME, number, meaning) fprintf(file, "  %d  %s\n", number, meaning);
    COR_EXITS(COR_EXIT_LINE)
#undef COR_EXIT_LINE
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

/* What a row of each sheet is; their columns stand in docs/keys.md, from the same definitions. */
static void print_man_sheets(FILE *file, const struct cor_command *command) {
    for (size_t i = 0; sheet_of(command, i); i++) {
        fputs(i == 0 ? ".PP\nSheets of \\-\\-json and \\-\\-sheet, and what a row is (their columns: "
                       "docs/keys.md):\n.TP\n.B "
                     : ".TP\n.B ",
              file);
        print_roff(file, sheet_of(command, i)->id);
        fputc('\n', file);
        print_roff(file, sheet_of(command, i)->meaning);
        fputc('\n', file);
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
        char list[512];
        fputs(".TP\n.B ", file);
        if (option->letter)
            fprintf(file, "\\-%c, ", option->letter);
        fputs("\\-\\-", file);
        print_roff(file, option->name);
        if (option->argument)
            fprintf(file, " \\fI%s\\fR", option->argument);
        fputc('\n', file);
        print_roff(file, option->meaning);
        print_words(list, sizeof list, command, option->name, ", ");
        if (list[0])
            fputs(": ", file);
        print_roff(file, list);
        if (option->fallback) {
            fputs(" Default: ", file);
            print_roff(file, option->fallback);
        }
        fputc('\n', file);
    }
    print_man_sheets(file, command);
    for (int i = 0; i < COR_EXAMPLES_MAX && command->examples[i]; i++) {
        fputs(".PP\nExample:\n.EX\n", file);
        print_roff(file, command->examples[i]);
        fputs("\n.EE\n", file);
    }
}

static void print_man_parameter(FILE *file, const struct cor_parameter *parameter) {
    fputs(".TP\n.B ", file);
    print_roff(file, parameter->name);
    fprintf(file, "\n%s from %.10g to %.10g, %.10g if it is not said: ",
            parameter->is_integer ? "an integer" : "a number", parameter->min, parameter->max,
            parameter->value);
    print_roff(file, parameter->meaning);
    fputc('\n', file);
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
        for (uint32_t p = 0; p < cor_algorithm_parameter_count(algorithm); p++)
            print_man_parameter(file, &algorithm->parameters[p]);
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
#define COR_EXIT_ROFF(NAME, number, meaning) \
    fprintf(file, ".TP\n.B %d\n", number);   \
    print_roff(file, meaning);               \
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

/* The case arms of one command: its options, and what the word behind each of them may be. Behind a flag or
 * nothing it is a file; a value that is neither word nor file has no completion. */
static void print_completion_of(FILE *file, const struct cor_command *command) {
    char list[1024];
    bool plain = false;
    fprintf(file, "    '%s') options='", command->name);
    for (int o = 0; o < COR_OPTIONS_MAX && command->options[o].name; o++)
        fprintf(file, "--%s ", command->options[o].name);
    fputs("--help'\n        case $previous in\n", file);
    for (int o = 0; o < COR_OPTIONS_MAX && command->options[o].name; o++) {
        const struct cor_option *option = &command->options[o];
        print_words(list, sizeof list, command, option->name, " ");
        if (!option->argument || cor_option_is_optional(option) ||
            (!list[0] && !cor_option_is_folder(option)))
            continue;
        fputs("        ", file);
        print_pattern(file, option);
        fprintf(file, list[0] ? ") what=-W words='%s' ;;\n" : ") what=-d ;;\n", list);
    }
    for (int o = 0; o < COR_OPTIONS_MAX && command->options[o].name; o++) {
        const struct cor_option *option = &command->options[o];
        print_words(list, sizeof list, command, option->name, " ");
        if (!option->argument || cor_option_is_optional(option) || list[0] || cor_option_is_folder(option) ||
            cor_option_is_file(option))
            continue;
        fputs(plain ? "|" : "        ", file);
        print_pattern(file, option);
        plain = true;
    }
    fputs(plain ? ") what=-W ;;\n        esac ;;\n" : "        esac ;;\n", file);
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

/* The groups with their actions: "profile) words='fit show export --help' ..". */
static void print_groups(FILE *file) {
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
}

void cor_print_completion(FILE *file) {
    fputs("# bash completion for corridor\n"
          "_corridor() {\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} "
          "command=${COMP_WORDS[1]-}\n"
          "    local options= what=-f words= names='",
          file);
    print_names(file, NULL);
    fputs("'\n"
          "    # \"--option=value\" comes as three words.\n"
          "    [[ $current == = ]] && current=\n"
          "    [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    case $command in\n"
          "    help) (( COMP_CWORD == 2 )) && what=-W words=$names ;;\n",
          file);
    print_groups(file);
    fputs("    esac\n    case $command in\n", file);
    for (size_t i = 0; cor_commands[i]; i++)
        print_completion_of(file, cor_commands[i]);
    fputs("    esac\n"
          "    if (( COMP_CWORD == 1 )); then what=-W words=\"$names help --help --version\"\n"
          "    elif [[ $current == -* ]]; then what=-W words=$options; fi\n"
          "    if [[ $what == -W ]]; then COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
          "    else COMPREPLY=($(compgen $what -- \"$current\")); fi\n"
          "}\n"
          "complete -o filenames -F _corridor corridor\n",
          file);
}
