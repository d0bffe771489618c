/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One table says what every subcommand is: from it come parsing, --help, the man page and the shell
 * completion. */
#ifndef CORRIDOR_CLI_COMMAND_H
#define CORRIDOR_CLI_COMMAND_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Exit codes; documented from this list, in the help by a word. X(NAME, number, word, meaning) */
#define COR_EXITS(X)                                                                                        \
    X(DONE, 0, "done", "done; finding injected faults is success")                                          \
    X(EXPECTATION, 1, "failed",                                                                             \
      "done, but a test failed, a replay differs, an identity of the tables is broken, or --fail-on found " \
      "what it seeks")                                                                                      \
    X(USAGE, 2, "usage", "the command line cannot be understood")                                           \
    X(INPUT, 3, "input", "invalid input: experiment, model, profile, series, result file or algorithm")     \
    X(ENVIRONMENT, 4, "files", "a file is missing or cannot be read or written, or memory is short")        \
    X(INCOMPLETE, 5, "stopped", "interrupted: incomplete, and the same command goes on")                    \
    X(INTERNAL, 6, "bug", "internal error: please report it")                                               \
    X(UNDECIDED, 7, "undecided",                                                                            \
      "done, but without a verdict: a test could not be carried out or brought to its end, "                \
      "or a question was too much for the limits given")

enum cor_exit {
#define COR_EXIT_NAME(NAME, number, word, meaning) COR_EXIT_##NAME = number,
    COR_EXITS(COR_EXIT_NAME)
#undef COR_EXIT_NAME
};

#define COR_OPTIONS_MAX 48
#define COR_CHOICES_MAX 6
#define COR_EXAMPLES_MAX 6
#define COR_COMMANDS_MAX 64

struct cor_option {
    const char *name;     /* long name, without dashes */
    char letter;          /* short name, 0 = none */
    const char *argument; /* NULL = a flag; FILE and FOLDER (DIR) are completed as such; "[WORD]": a flag that
                             may have this word behind it, or =VALUE */
    const char *meaning;
    const char *fallback; /* what is used when it is not given, for the help; NULL = nothing */
};

/* A list of words by index; NULL behind the last. */
typedef const char *cor_word_list(size_t index);

/* An option that takes one of a list of words; help and completion name them. */
struct cor_word_option {
    const char *option;
    cor_word_list *word;
};

struct cor_given {
    int option; /* of the command's */
    const char *value;
};

/* What a command line said. */
struct cor_arguments {
    const struct cor_command *command;
    const char *value[COR_OPTIONS_MAX]; /* by option, the last one given; "" for a flag that is set, NULL =
                                           not given */
    char *const *words;                 /* operands */
    int word_count;
    char **typed; /* the command line as typed, from the last word of the command's name on; owned by main */
    int typed_count;
    struct cor_given *given; /* options in the order of the command line; owned by main */
    int given_count;
};

struct cor_command {
    const char *name;                                /* "run", or "profile fit" */
    const char *summary;                             /* a few words that begin with a verb, no full stop */
    const char *operands;                            /* as in the usage line */
    const char *manual;                              /* a paragraph or two */
    struct cor_option options[COR_OPTIONS_MAX];      /* ends with a NULL name */
    struct cor_word_option choices[COR_CHOICES_MAX]; /* ends with a NULL option */
    const char *examples[COR_EXAMPLES_MAX];          /* ends with NULL; each "command line # what it does" */
    enum cor_exit (*run)(const struct cor_arguments *arguments);
};

/* The subcommands, ended by NULL; the list is commands.h. */
extern const struct cor_command *const cor_commands[];

/* A line of the first screen: the title of a group, a family of actions, or a command; the actions of a
 * family follow it. */
struct cor_overview_line {
    const char *group, *family, *summary; /* summary: of the family */
    const struct cor_command *command;
};

/* The same list with its groups, ended by a line of nothing. */
extern const struct cor_overview_line cor_overview[];

/* Value of the option called `name`, NULL if not given; the option must be one of the command's. */
const char *cor_argument(const struct cor_arguments *arguments, const char *name);

/* The values of an option that may be given several times, one after the other; NULL behind the last. *next
 * is 0 at first. */
const char *cor_argument_next(const struct cor_arguments *arguments, const char *name, int *next);

/* For what several commands share: whether the command takes such an option; and its value, NULL if it was
 * not given or the command does not even know it. */
bool cor_takes(const struct cor_arguments *arguments, const char *name);
const char *cor_argument_if_taken(const struct cor_arguments *arguments, const char *name);

/* Says so and returns false if two of these options, ended by NULL, were given at once. */
bool cor_exclude_each_other(const struct cor_arguments *arguments, const char *const *names);

/* Whether the option called `name` was given. */
bool cor_argument_given(const struct cor_arguments *arguments, const char *name);

/* The option as an integer within low .. high, `fallback` if not given. Says what is wrong and returns false
 * otherwise. */
bool cor_argument_integer(const struct cor_arguments *arguments, const char *name, int64_t low, int64_t high,
                          int64_t fallback, int64_t *value);

/* The same for a real number. */
bool cor_argument_real(const struct cor_arguments *arguments, const char *name, double low, double high,
                       double fallback, double *value);

/* The option as the index of its word among the command's choices, `fallback` if not given. Says what is
 * wrong and returns false if it is none of them. */
bool cor_argument_word(const struct cor_arguments *arguments, const char *name, int fallback, int *index);

/* The words that the option called `name` takes, NULL if any are. */
cor_word_list *cor_option_words(const struct cor_command *command, const char *name);

/* The action of a command of the group ("fit" of "profile fit"), NULL if the command is not of that group. */
const char *cor_action_of(const struct cor_command *command, const char *group);

/* Whether the word behind an option may be left out: its argument stands in brackets, whole. */
bool cor_option_is_optional(const struct cor_option *option);

/* Whether the word behind an option, which takes one, is the path of a folder, of a file. */
bool cor_option_is_folder(const struct cor_option *option);
bool cor_option_is_file(const struct cor_option *option);

/* Parses what follows the subcommand's name. Prints help or what is wrong, and returns false with *exit set,
 * when there is nothing to run. */
bool cor_parse(const struct cor_command *command, int argc, char **argv, struct cor_arguments *arguments,
               enum cor_exit *exit);

/* Frees what parsing made. */
void cor_arguments_fini(struct cor_arguments *arguments);

/* Help of one command, which is of a view if one of the words beside it names one that the command shows; of
 * a family (false if it is none), of all; the man page (roff), and the bash completion. */
void cor_print_help(const struct cor_command *command, int count, char *const *words, FILE *file);
bool cor_print_group(const char *group, FILE *file);
void cor_print_overview(FILE *file);
enum cor_status cor_print_man(FILE *file, struct cor_error *error) COR_MUST_USE;
void cor_print_completion(FILE *file);

/* Prints "corridor: place: cause" and the remedy on stderr, and returns the exit code that goes with the
 * error. */
enum cor_exit cor_report(const struct cor_error *error);

/* Complains about usage on stderr with a hint at --help; returns COR_EXIT_USAGE. */
enum cor_exit cor_misuse(const struct cor_command *command, const char *format, ...) COR_PRINTF(2, 3);

#endif
