/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the rows of commands and options say of themselves. */
#define _GNU_SOURCE /* getopt_long */

#include "command.h"
#include "output.h"
#include "running.h"

#include <corridor/array.h>

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

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

bool cor_option_is_folder(const struct cor_option *option) {
    return strcmp(option->argument, "FOLDER") == 0 || strcmp(option->argument, "DIR") == 0;
}

bool cor_option_is_file(const struct cor_option *option) {
    return strcmp(option->argument, "FILE") == 0;
}

const char *cor_option_word(const struct cor_option *option, size_t index) {
    return option->words ? option->words(index) : option->names ? option->names[index] : NULL;
}

void cor_option_usual_text(const struct cor_option *option, char *text, size_t size) {
    const union cor_option_value *low = &option->low, *high = &option->high, *usual = &option->usual;
    const bool is_integer = option->type == COR_OPTION_INTEGER && usual->integer >= low->integer,
               is_text = option->type == COR_OPTION_TEXT || option->type == COR_OPTION_WORDS;
    const char *word = option->otherwise ? option->otherwise
                       : is_text         ? usual->text
                       : is_integer      ? cor_option_word(option, (size_t)(usual->integer - low->integer))
                                         : NULL;
    text[0] = '\0';
    if (word)
        snprintf(text, size, "%s", word);
    else if (is_integer && !cor_option_word(option, 0) && usual->integer <= high->integer)
        snprintf(text, size, "%lld", (long long)usual->integer);
    else if (option->type == COR_OPTION_REAL && usual->real >= low->real && usual->real <= high->real)
        snprintf(text, size, "%g", usual->real);
}

/* ---- command */

#define WORDS_MAX 64 /* of one option */

const char *cor_given(const struct cor_arguments *arguments, const char *name) {
    const struct cor_option *option = arguments->command->options;
    for (int i = 0; i < COR_OPTIONS_MAX && option[i].name; i++)
        if (strcmp(option[i].name, name) == 0)
            return arguments->value[i];
    return NULL;
}

/* getopt's own tables, made from the command's. The value returned for option i is i + 1. */
static void make_tables(const struct cor_command *command, struct option *longs, char *shorts) {
    *shorts++ = ':'; /* tell a missing value from an unknown option */
    int count = 0;
    for (; count < COR_OPTIONS_MAX && command->options[count].name; count++) {
        const struct cor_option *option = &command->options[count];
        const int kind = !option->argument                ? no_argument
                         : cor_option_is_optional(option) ? optional_argument
                                                          : required_argument;
        longs[count] = (struct option){option->name, kind, NULL, count + 1};
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
    else if (strcmp(word, "--trust") == 0)
        cor_misuse(command,
                   "unknown option --trust: what an experiment names is started, as it is yours; only "
                   "result files and tests may be of others");
    else
        cor_misuse(command, "unknown option %s", word);
}

/* Whether the word is the one that may stand behind the option. */
static bool takes_word(const struct cor_option *option, const char *word) {
    const size_t length = strlen(word);
    return cor_option_is_optional(option) && strncmp(option->argument + 1, word, length) == 0 &&
           strcmp(option->argument + 1 + length, "]") == 0;
}

/* Finds the word, so many letters of the text, in the option's list; false after saying that it is none. */
static bool find_word(const struct cor_command *command, const struct cor_option *option, const char *text,
                      size_t length, int64_t *value) {
    const char *words[WORDS_MAX + 1] = {NULL};
    char word[256], known[512];
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    for (size_t i = 0; (words[i] = cor_option_word(option, i)) != NULL; i++) {
        COR_ASSERT(i < WORDS_MAX);
        *value = option->low.integer + (int64_t)i;
        if (strcmp(words[i], word) == 0)
            return true;
    }
    cor_known_names(word, words, known, sizeof known);
    cor_misuse(command, "--%s does not know \"%s\"; %s", option->name, word, known);
    return false;
}

static bool know_words(const struct cor_command *command, const struct cor_option *option, const char *text) {
    int64_t ignored;
    const size_t length = strcspn(text, ",");
    if (length == 0) {
        cor_misuse(command, "--%s has an empty name: write names with one comma between them", option->name);
        return false;
    }
    return find_word(command, option, text, length, &ignored) &&
           (!text[length] || know_words(command, option, text + length + 1));
}

static bool read_integer(const struct cor_command *command, const struct cor_option *option, const char *text,
                         int64_t *value) {
    char *end;
    if (cor_option_word(option, 0))
        return find_word(command, option, text, strlen(text), value);
    errno = 0; /* strtoll says by it that a number is too large */
    *value = strtoll(text, &end, 10);
    if (end != text && *end == '\0' && errno == 0 && *value >= option->low.integer &&
        *value <= option->high.integer)
        return true;
    cor_misuse(command, "--%s takes a whole number from %lld to %lld, not \"%s\"", option->name,
               (long long)option->low.integer, (long long)option->high.integer, text);
    return false;
}

static bool read_real(const struct cor_command *command, const struct cor_option *option, const char *text,
                      double *value) {
    char *end;
    *value = strtod(text, &end);
    if (end != text && *end == '\0' && *value >= option->low.real && *value <= option->high.real)
        return true;
    cor_misuse(command, "--%s takes a number from %g to %g, not \"%s\"", option->name, option->low.real,
               option->high.real, text);
    return false;
}

static void store_integer(const struct cor_option *option, int64_t value, void *place) {
    if (option->as_real)
        *(double *)place = (double)value;
    else if (option->size == sizeof(int64_t))
        *(int64_t *)place = value;
    else if (option->size == sizeof(uint32_t))
        *(uint32_t *)place = (uint32_t)value;
    else
        *(bool *)place = value != 0;
}

/* The texts of an option of several values; each has a list of its own, one behind the other. */
static const char **list_of(const struct cor_arguments *arguments, const struct cor_option *option) {
    const char **list = arguments->texts;
    for (const struct cor_option *it = arguments->command->options; it != option; it++)
        if (it->type == COR_OPTION_TEXTS) {
            while (*list)
                list++;
            list++;
        }
    return list;
}

/* Puts what was typed, NULL = nothing, into the request; false after saying what is wrong. */
static bool fill_option(const struct cor_arguments *arguments, const struct cor_option *option,
                        const char *text) {
    void *place = (unsigned char *)arguments->request + option->offset;
    union cor_option_value value = option->usual;
    switch (option->type) {
    case COR_OPTION_FLAG:
        *(bool *)place = text != NULL;
        return true;
    case COR_OPTION_TEXT:
    case COR_OPTION_WORDS:
        *(const char **)place = text ? text : value.text;
        return option->type == COR_OPTION_TEXT || !text || know_words(arguments->command, option, text);
    case COR_OPTION_TEXTS:
        *(const char *const **)place = text ? list_of(arguments, option) : NULL;
        return true;
    case COR_OPTION_INTEGER:
        if (text && !read_integer(arguments->command, option, text, &value.integer))
            return false;
        store_integer(option, value.integer, place);
        return true;
    case COR_OPTION_REAL:
        if (text && !read_real(arguments->command, option, text, &value.real))
            return false;
        *(double *)place = value.real;
        return true;
    }
    return true;
}

/* Is the name among those of the list, with spaces between them? */
static bool is_listed(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Whether nothing is missing beside option i, and nothing excludes it; false after saying what is wrong. */
static bool fits(const struct cor_arguments *arguments, int i) {
    const struct cor_command *command = arguments->command;
    const struct cor_option *options = command->options;
    if (!arguments->value[i]) {
        if (options[i].required)
            cor_misuse(command, "%s", options[i].required);
        return !options[i].required;
    }
    if (options[i].needs && !cor_given(arguments, options[i].needs)) {
        cor_misuse(command, "--%s needs --%s", options[i].name, options[i].needs);
        return false;
    }
    for (int j = i + 1; j < COR_OPTIONS_MAX && options[j].name; j++)
        if (arguments->value[j] && (is_listed(options[i].excludes, options[j].name) ||
                                    is_listed(options[j].excludes, options[i].name))) {
            cor_misuse(command, "--%s and --%s exclude each other", options[i].name, options[j].name);
            return false;
        }
    return true;
}

/* Takes the words of the command line apart; false with *exit set if it asks for help or is wrong. */
static bool scan(struct cor_arguments *arguments, int argc, char **argv, enum cor_exit *exit) {
    const struct cor_command *command = arguments->command;
    struct option longs[COR_OPTIONS_MAX + 2];
    char shorts[2 * COR_OPTIONS_MAX + 4];
    int code;
    make_tables(command, longs, shorts);
    opterr = 0;
    optind = 1;
    while ((code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        if (code == 'h') {
            cor_print_help(command, argc - 1, argv + 1, stdout);
            *exit = COR_EXIT_DONE;
            return false;
        }
        int index = index_of(command, code);
        if (index < 0) {
            misuse_of(command, code, argv[optind - 1]);
            return false;
        }
        const struct cor_option *option = &command->options[index];
        if (!optarg && optind < argc && takes_word(option, argv[optind]))
            optarg = argv[optind++];
        /* Whether a value that is given is none: paths have a name. */
        const bool is_nameless = option->argument && optarg && !*optarg &&
                                 (cor_option_is_file(option) || cor_option_is_folder(option));
        if (is_nameless) {
            cor_misuse(command, "--%s needs a name", option->name);
            return false;
        }
        arguments->value[index] = optarg ? optarg : "";
        if (option->type == COR_OPTION_TEXTS) {
            const char **end = list_of(arguments, option);
            while (*end)
                end++;
            const size_t behind = (size_t)(arguments->texts + arguments->typed_count + COR_OPTIONS_MAX -
                                           end); /* there is room for it */
            memmove(end + 1, end, behind * sizeof *end);
            *end = optarg;
        }
    }
    arguments->words = argv + optind;
    arguments->word_count = argc - optind;
    if (arguments->word_count >= command->takes.least && arguments->word_count <= command->takes.most)
        return true;
    const char *form = command->takes.otherwise ? command->takes.otherwise : "takes no operands";
    if (arguments->word_count > command->takes.most)
        cor_misuse(command, "%s; \"%s\" is a word too many", form, arguments->words[command->takes.most]);
    else
        cor_misuse(command, "%s", form);
    return false;
}

bool cor_parse(const struct cor_command *command, int argc, char **argv, struct cor_arguments *arguments,
               enum cor_exit *exit) {
    COR_ASSERT(argc >= 1);
    struct cor_error error = COR_NO_ERROR;
    const size_t most = (size_t)argc + 1;
    /* getopt moves operands behind options; what was typed is kept as it was. */
    *arguments =
        (struct cor_arguments){.command = command,
                               .request = cor_calloc(1, command->request_size),
                               .typed = cor_calloc(most, sizeof *arguments->typed),
                               .typed_count = argc,
                               .texts = cor_calloc(most + COR_OPTIONS_MAX, sizeof *arguments->texts)};
    if (!arguments->request || !arguments->typed || !arguments->texts) {
        (void)cor_fail_memory(&error);
        *exit = cor_report(&error);
        return false;
    }
    memcpy(arguments->typed, argv, (size_t)argc * sizeof *argv);
    *exit = COR_EXIT_USAGE;
    bool good = scan(arguments, argc, argv, exit);
    for (int i = 0; good && i < COR_OPTIONS_MAX && command->options[i].name; i++)
        good = fits(arguments, i);
    for (int i = 0; good && i < COR_OPTIONS_MAX && command->options[i].name; i++)
        good = fill_option(arguments, &command->options[i], arguments->value[i]);
    return good;
}

void cor_arguments_fini(struct cor_arguments *arguments) {
    free(arguments->typed);
    arguments->typed = NULL;
    free(arguments->request);
    arguments->request = NULL;
    free(arguments->texts);
    arguments->texts = NULL;
}

enum cor_exit cor_report(const struct cor_error *error) {
    cor_progress_doing(NULL);
    char text[sizeof *error + 8];
    struct cor_error shown = *error;
    cor_json_add_position(&shown);
    /* Where memory is short because it is limited, the limit is what helps. It does not where a process was
     * killed from outside, or there may be no further one. */
    struct rlimit limit;
    const bool is_short =
        strcmp(shown.cause, "out of memory") == 0 || strstr(shown.cause, strerror(ENOMEM)) != NULL;
    if (shown.status == COR_STATUS_MEMORY && is_short && getrlimit(RLIMIT_AS, &limit) == 0 &&
        limit.rlim_cur != RLIM_INFINITY)
        snprintf(shown.remedy, sizeof shown.remedy,
                 "this process may take %llu MB: by ulimit -v, or, as it reads a result file, by the size of "
                 "that",
                 (unsigned long long)limit.rlim_cur >> 20);
    cor_error_text(&shown, text, sizeof text);
    char head[64];
    snprintf(head, sizeof head, "corridor: %s:", cor_status_text(error->status));
    /* Who closed our output, as `head` does, has seen enough: the exit code says that not all was written. */
    const bool is_closed =
        shown.status == COR_STATUS_FILE && !shown.place[0] && strstr(shown.cause, strerror(EPIPE)) != NULL;
    if (!is_closed)
        cor_say_text(head, text);
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
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cor_say("%s\n  see corridor %s%s--help", text, command ? command->name : "", command ? " " : "");
    return COR_EXIT_USAGE;
}
