/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What people read, made from the table of commands: help, man page, completion. */
#include "command.h"

#include <string.h>

static const char description[] = "Corridor tests self-organization algorithms in isolation. A stepwise "
                                  "simulator drives mocked agents with Markov "
                                  "environment profiles, calls the algorithm under test when the system "
                                  "leaves its corridor of correct behaviour, judges "
                                  "the solution (gray box) and the structure that was adopted (black box), "
                                  "and logs everything to one HDF5 file.";

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

static void print_option(FILE *file, const struct cor_option *option) {
    char head[64];
    int used = option->letter ? snprintf(head, sizeof head, "-%c, --%s", option->letter, option->name)
                              : snprintf(head, sizeof head, "    --%s", option->name);
    if (option->argument)
        snprintf(head + used, sizeof head - (size_t)used, " %s", option->argument);
    char meaning[512];
    snprintf(meaning, sizeof meaning, "%s%s%s%s", option->meaning, option->fallback ? " (default: " : "",
             option->fallback ? option->fallback : "", option->fallback ? ")" : "");
    fprintf(file, "  %-26s", head);
    if (strlen(head) > 26)
        fprintf(file, "\n%28s", "");
    /* The first line follows the head; the rest is indented below it. */
    const char *rest = meaning;
    int column = 28;
    while (*rest) {
        size_t length = strcspn(rest, " ");
        if (column + (int)length > 100) {
            fprintf(file, "\n%28s", "");
            column = 28;
        }
        fprintf(file, "%.*s", (int)length, rest);
        column += (int)length + 1;
        rest += length;
        if (*rest == ' ') {
            fputc(' ', file);
            rest++;
        }
    }
    fputc('\n', file);
}

static const struct cor_option help_option = {"help", 'h', NULL, "this text", NULL};

void cor_print_help(const struct cor_command *command, FILE *file) {
    fprintf(file, "corridor %s - %s\n\nUsage: corridor %s [options] %s\n", command->name, command->summary,
            command->name, command->operands);
    if (command->examples[0])
        fputs("\nExamples:\n", file);
    for (int i = 0; i < COR_EXAMPLES_MAX && command->examples[i]; i++)
        fprintf(file, "  %s\n", command->examples[i]);
    fputs("\n", file);
    print_wrapped(file, command->manual, 0, 100);
    fputs("\nOptions:\n", file);
    for (int i = 0; i < COR_OPTIONS_MAX && command->options[i].name; i++)
        print_option(file, &command->options[i]);
    print_option(file, &help_option);
}

void cor_print_overview(FILE *file) {
    fputs("corridor - a simulation testbed for self-organization algorithms\n\n", file);
    fputs("Usage: corridor COMMAND [options] ...\n\nExamples:\n", file);
    fputs("  corridor run experiments/demo.json -o demo.h5   # run a fault-injection campaign\n", file);
    fputs(
        "  corridor tables demo.h5                         # what was found, beside the published tables\n\n",
        file);
    fputs("Commands:\n", file);
    for (size_t i = 0; cor_commands[i]; i++)
        fprintf(file, "  %-14s %s\n", cor_commands[i]->name, cor_commands[i]->summary);
    fputs("\ncorridor COMMAND --help explains each. corridor --version [--json] says which build this is.\n",
          file);
    fputs("\nExit codes:\n", file);
#define COR_EXIT_LINE(NAME, number, meaning) fprintf(file, "  %d  %s\n", number, meaning);
    COR_EXITS(COR_EXIT_LINE)
#undef COR_EXIT_LINE
}

/* ----------------------------------------------------------------------------------------------------- man
 * page */

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
        fputs(".TP\n.B ", file);
        if (option->letter)
            fprintf(file, "\\-%c, ", option->letter);
        fputs("\\-\\-", file);
        print_roff(file, option->name);
        if (option->argument)
            fprintf(file, " \\fI%s\\fR", option->argument);
        fputc('\n', file);
        print_roff(file, option->meaning);
        if (option->fallback) {
            fputs(" Default: ", file);
            print_roff(file, option->fallback);
        }
        fputc('\n', file);
    }
    for (int i = 0; i < COR_EXAMPLES_MAX && command->examples[i]; i++) {
        fputs(".PP\nExample:\n.EX\n", file);
        print_roff(file, command->examples[i]);
        fputs("\n.EE\n", file);
    }
}

void cor_print_man(FILE *file) {
    fputs(".TH CORRIDOR 1 \"\" \"corridor " CORRIDOR_VERSION "\" \"User commands\"\n.SH NAME\n", file);
    fputs("corridor \\- a simulation testbed for self\\-organization algorithms\n.SH SYNOPSIS\n", file);
    fputs(".B corridor\n.I command\n[options] ...\n.br\n.B corridor \\-\\-version\n[\\-\\-json]\n.SH "
          "DESCRIPTION\n",
          file);
    print_roff(file, description);
    fputs("\n.SH COMMANDS\n", file);
    for (size_t i = 0; cor_commands[i]; i++)
        print_man_command(file, cor_commands[i]);
    fputs(".SH EXIT STATUS\n", file);
#define COR_EXIT_ROFF(NAME, number, meaning) \
    fprintf(file, ".TP\n.B %d\n", number);   \
    print_roff(file, meaning);               \
    fputc('\n', file);
    COR_EXITS(COR_EXIT_ROFF)
#undef COR_EXIT_ROFF
    fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nset and not empty: no colour\n.TP\n.B CLICOLOR_FORCE\nset and "
          "not 0: colour "
          "even when the output is no terminal\n",
          file);
}

/* ---------------------------------------------------------------------------------- completion */

void cor_print_completion(FILE *file) {
    fputs("# bash completion for corridor\n_corridor() {\n    local current=${COMP_WORDS[COMP_CWORD]}\n",
          file);
    fputs("    local command=${COMP_WORDS[1]-} options=\n", file);
    fputs("    [[ ${COMP_WORDS[1]-} == profile ]] && command=\"profile ${COMP_WORDS[2]-}\"\n    case "
          "$command in\n",
          file);
    for (size_t i = 0; cor_commands[i]; i++) {
        fprintf(file, "    '%s') options='", cor_commands[i]->name);
        for (int o = 0; o < COR_OPTIONS_MAX && cor_commands[i]->options[o].name; o++)
            fprintf(file, "--%s ", cor_commands[i]->options[o].name);
        fputs("--help' ;;\n", file);
    }
    fputs("    esac\n    if [[ $COMP_CWORD == 1 ]]; then\n        COMPREPLY=($(compgen -W '", file);
    const char *before = "";
    for (size_t i = 0; cor_commands[i]; i++) {
        int length = (int)strcspn(cor_commands[i]->name, " ");
        if (strncmp(before, cor_commands[i]->name, (size_t)length) != 0 || before[length] != ' ')
            fprintf(file, "%.*s ", length, cor_commands[i]->name);
        before = cor_commands[i]->name;
    }
    fputs("--help --version' -- \"$current\"))\n", file);
    fputs("    elif [[ $COMP_CWORD == 2 && ${COMP_WORDS[1]} == profile ]]; then\n", file);
    fputs("        COMPREPLY=($(compgen -W 'fit show --help' -- \"$current\"))\n", file);
    fputs("    elif [[ $current == -* ]]; then\n        COMPREPLY=($(compgen -W \"$options\" -- "
          "\"$current\"))\n",
          file);
    fputs("    else\n        COMPREPLY=($(compgen -f -- \"$current\"))\n    fi\n}\n", file);
    fputs("complete -o filenames -F _corridor corridor\n", file);
}
