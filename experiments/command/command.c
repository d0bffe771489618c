/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* getopt_long */
#include "command.h"

#include "output.h"

#include <corridor/array.h>

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 64 /* of one option */

static int option_index(const struct cor_command *command, const char *name) {
    for (int i = 0; i < COR_OPTIONS_MAX && command->options[i].name; i++)
        if (strcmp(command->options[i].name, name) == 0)
            return i;
    COR_ASSERT(false && "an option of the command");
    return -1;
}

const char *cor_argument(const struct cor_arguments *arguments, const char *name) {
    return arguments->value[option_index(arguments->command, name)];
}

const char *cor_argument_next(const struct cor_arguments *arguments, const char *name, int *next) {
    while (*next < arguments->given_count) {
        const struct cor_given *given = &arguments->given[(*next)++];
        if (strcmp(arguments->command->options[given->option].name, name) == 0)
            return given->value;
    }
    return NULL;
}

bool cor_takes(const struct cor_arguments *arguments, const char *name) {
    const struct cor_option *option = arguments->command->options;
    while (option->name && strcmp(option->name, name) != 0)
        option++;
    return option->name;
}

const char *cor_argument_if_taken(const struct cor_arguments *arguments, const char *name) {
    return cor_takes(arguments, name) ? cor_argument(arguments, name) : NULL;
}

bool cor_exclude_each_other(const struct cor_arguments *arguments, const char *const *names) {
    const char *first = NULL;
    for (; *names; names++) {
        if (!cor_argument_if_taken(arguments, *names))
            continue;
        if (first) {
            cor_misuse(arguments->command, "--%s and --%s exclude each other", first, *names);
            return false;
        }
        first = *names;
    }
    return true;
}

bool cor_argument_given(const struct cor_arguments *arguments, const char *name) {
    return cor_argument(arguments, name) != NULL;
}

bool cor_argument_integer(const struct cor_arguments *arguments, const char *name, int64_t low, int64_t high,
                          int64_t fallback, int64_t *value) {
    const char *text = cor_argument(arguments, name);
    char *end = NULL;
    COR_ASSERT(low <= high);
    errno = 0; /* strtoll says by it that a number is too large */
    *value = text ? strtoll(text, &end, 10) : fallback;
    if (!text || (end != text && *end == '\0' && errno == 0 && *value >= low && *value <= high))
        return true;
    cor_misuse(arguments->command, "--%s takes a whole number from %lld to %lld, not \"%s\"", name,
               (long long)low, (long long)high, text);
    return false;
}

bool cor_argument_real(const struct cor_arguments *arguments, const char *name, double low, double high,
                       double fallback, double *value) {
    const char *text = cor_argument(arguments, name);
    char *end = NULL;
    COR_ASSERT(low <= high);
    *value = text ? strtod(text, &end) : fallback;
    if (!text || (end != text && *end == '\0' && *value >= low && *value <= high))
        return true;
    cor_misuse(arguments->command, "--%s takes a number from %g to %g, not \"%s\"", name, low, high, text);
    return false;
}

cor_word_list *cor_option_words(const struct cor_command *command, const char *name) {
    for (int i = 0; i < COR_CHOICES_MAX && command->choices[i].option; i++)
        if (strcmp(command->choices[i].option, name) == 0)
            return command->choices[i].word;
    return NULL;
}

bool cor_argument_word(const struct cor_arguments *arguments, const char *name, int fallback, int *index) {
    cor_word_list *word = cor_option_words(arguments->command, name);
    const char *given = cor_argument(arguments, name), *words[WORDS_MAX + 1];
    char known[512];
    COR_ASSERT(word);
    *index = fallback;
    if (!given)
        return true;
    size_t count = 0;
    for (; word(count); count++) {
        COR_ASSERT(count < WORDS_MAX);
        words[count] = word(count);
        *index = (int)count;
        if (strcmp(words[count], given) == 0)
            return true;
    }
    words[count] = NULL;
    cor_known_names(given, words, known, sizeof known);
    cor_misuse(arguments->command, "--%s does not know \"%s\"; %s", name, given, known);
    return false;
}

const char *cor_action_of(const struct cor_command *command, const char *group) {
    size_t length = strlen(group);
    return strncmp(command->name, group, length) == 0 && command->name[length] == ' '
               ? command->name + length + 1
               : NULL;
}

bool cor_option_is_optional(const struct cor_option *option) {
    return option->argument && option->argument[0] == '[' &&
           option->argument[strlen(option->argument) - 1] == ']';
}

static int kind_of(const struct cor_option *option) {
    return !option->argument                ? no_argument
           : cor_option_is_optional(option) ? optional_argument
                                            : required_argument;
}

/* getopt's own tables, made from the command's. The value returned for option i is i + 1. */
static void make_tables(const struct cor_command *command, struct option *longs, char *shorts) {
    *shorts++ = ':'; /* tell a missing value from an unknown option */
    int count = 0;
    for (; count < COR_OPTIONS_MAX && command->options[count].name; count++) {
        const struct cor_option *option = &command->options[count];
        longs[count] = (struct option){option->name, kind_of(option), NULL, count + 1};
        if (option->letter) {
            *shorts++ = option->letter;
            if (option->argument)
                *shorts++ = ':';
        }
    }
    longs[count++] = (struct option){"help", no_argument, NULL, 'h'};
    longs[count] = (struct option){0};
    *shorts++ = 'h';
    *shorts = '\0';
}

static int index_of(const struct cor_command *command, int code) {
    if (code >= 1 && code <= COR_OPTIONS_MAX)
        return code - 1;
    for (int i = 0; i < COR_OPTIONS_MAX && command->options[i].name; i++)
        if (command->options[i].letter == code)
            return i;
    return -1;
}

static void misuse_of(const struct cor_command *command, int code, const char *word) {
    /* getopt names short options only by their letter; the word may hold several. */
    bool is_long = strncmp(word, "--", 2) == 0;
    if (optopt > ' ' && optopt != 'h') {
        cor_misuse(command, code == ':' ? "-%c needs a value" : "unknown option -%c", optopt);
        return;
    }
    if (code == ':') {
        cor_misuse(command, "%s needs a value", word);
        return;
    }
    if (optopt != 0) { /* it knows the option: given a value it does not take */
        cor_misuse(command, "%.*s takes no value", (int)strcspn(word, "="), word);
        return;
    }
    const char *names[COR_OPTIONS_MAX + 2];
    int count = 0;
    for (; count < COR_OPTIONS_MAX && command->options[count].name; count++)
        names[count] = command->options[count].name;
    names[count++] = "help";
    names[count] = NULL;
    const char *near = is_long ? cor_did_you_mean(word + 2, names) : NULL;
    if (near)
        cor_misuse(command, "unknown option %s; did you mean --%s?", word, near);
    else
        cor_misuse(command, "unknown option %s", word);
}

/* Whether the word is the one that may stand behind the option. */
static bool takes_word(const struct cor_option *option, const char *word) {
    const size_t length = strlen(word);
    return cor_option_is_optional(option) && strncmp(option->argument + 1, word, length) == 0 &&
           strcmp(option->argument + 1 + length, "]") == 0;
}

bool cor_option_is_folder(const struct cor_option *option) {
    return strcmp(option->argument, "FOLDER") == 0 || strcmp(option->argument, "DIR") == 0;
}

bool cor_option_is_file(const struct cor_option *option) {
    return strcmp(option->argument, "FILE") == 0;
}

/* Whether a value that is given is none: paths have a name. */
static bool is_nameless(const struct cor_option *option, const char *value) {
    return option->argument && value && !*value &&
           (cor_option_is_file(option) || cor_option_is_folder(option));
}

bool cor_parse(const struct cor_command *command, int argc, char **argv, struct cor_arguments *arguments,
               enum cor_exit *exit) {
    struct option longs[COR_OPTIONS_MAX + 2];
    char shorts[2 * COR_OPTIONS_MAX + 4];
    COR_ASSERT(argc >= 1);
    make_tables(command, longs, shorts);
    /* getopt moves operands behind options; what was typed is kept as it was. */
    *arguments = (struct cor_arguments){.command = command,
                                        .typed = cor_calloc((size_t)argc + 1, sizeof *arguments->typed),
                                        .typed_count = argc,
                                        .given = cor_calloc((size_t)argc + 1, sizeof *arguments->given)};
    struct cor_error error = COR_NO_ERROR;
    if (cor_made(arguments->typed, &error) != COR_OK || cor_made(arguments->given, &error) != COR_OK) {
        *exit = cor_report(&error);
        return false;
    }
    memcpy(arguments->typed, argv, (size_t)argc * sizeof *argv);
    opterr = 0;
    optind = 1;
    int code;
    while ((code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        if (code == 'h') {
            cor_print_help(command, argc - 1, argv + 1, stdout);
            *exit = COR_EXIT_DONE;
            return false;
        }
        int index = index_of(command, code);
        if (index < 0) {
            misuse_of(command, code, argv[optind - 1]);
            *exit = COR_EXIT_USAGE;
            return false;
        }
        if (!optarg && optind < argc && takes_word(&command->options[index], argv[optind]))
            optarg = argv[optind++];
        if (is_nameless(&command->options[index], optarg)) {
            *exit = cor_misuse(command, "--%s needs a name", command->options[index].name);
            return false;
        }
        arguments->value[index] = optarg ? optarg : "";
        arguments->given[arguments->given_count++] = (struct cor_given){index, arguments->value[index]};
    }
    arguments->words = argv + optind;
    arguments->word_count = argc - optind;
    return true;
}

void cor_arguments_fini(struct cor_arguments *arguments) {
    free(arguments->typed);
    arguments->typed = NULL;
    free(arguments->given);
    arguments->given = NULL;
}

enum cor_exit cor_report(const struct cor_error *error) {
    char text[sizeof *error + 8];
    struct cor_error shown = *error;
    cor_json_add_position(&shown);
    cor_error_text(&shown, text, sizeof text);
    bool colour = cor_colours(stderr);
    fprintf(stderr, "%scorridor: %s:%s %s\n", colour ? "\033[1;31m" : "", cor_status_text(error->status),
            colour ? "\033[0m" : "", text);
    switch (error->status) {
    case COR_STATUS_OK:
        return COR_EXIT_DONE;
    case COR_STATUS_INPUT:
    case COR_STATUS_UNSATISFIABLE:
    case COR_STATUS_PLUGIN:
        return COR_EXIT_INPUT;
    case COR_STATUS_MEMORY:
    case COR_STATUS_FILE:
    case COR_STATUS_EXISTS:
        return COR_EXIT_ENVIRONMENT;
    case COR_STATUS_INTERRUPTED:
        return COR_EXIT_INCOMPLETE;
    case COR_STATUS_INTERNAL:
        break;
    }
    return COR_EXIT_INTERNAL;
}

enum cor_exit cor_misuse(const struct cor_command *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("corridor: ", stderr);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n  see corridor %s%s--help\n", command ? command->name : "", command ? " " : "");
    return COR_EXIT_USAGE;
}
