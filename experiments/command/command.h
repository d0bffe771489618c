/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One table says what every subcommand is: from it come parsing, --help, the man page and the shell
 * completion. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_COMMAND_H
#define CORRIDOR_EXPERIMENTS_COMMAND_COMMAND_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
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
#define COR_EXAMPLES_MAX 8
#define COR_COMMANDS_MAX 64

/* A list of words by index; NULL behind the last. */
typedef const char *cor_word_list(size_t index);

enum cor_option_type {
    COR_OPTION_FLAG,    /* bool */
    COR_OPTION_TEXT,    /* const char *; NULL: not given */
    COR_OPTION_WORDS,   /* the same: words of the list with commas between them */
    COR_OPTION_TEXTS,   /* const char *const *, ended by NULL: all that were given; NULL: none. A command has
                           one such option */
    COR_OPTION_INTEGER, /* an integer of any size, or double. With words: low + index of one of these */
    COR_OPTION_REAL     /* double */
};

union cor_option_value {
    int64_t integer;
    double real;
    const char *text;
};

/* A row says all of an option: what it is called, and, by one of the macros below, where its value goes to
 * and within what. Parsing, messages, help, man page and completion come from it. */
struct cor_option {
    const char *name;     /* long name, without dashes */
    char letter;          /* short name, 0 = none */
    const char *argument; /* NULL = a flag; FILE and FOLDER (DIR) are completed as such; "[WORD]": a flag that
                             may have this word behind it, or =VALUE */
    const char *meaning;  /* begins with a verb */

    enum cor_option_type type;
    size_t offset, size; /* of the value within the command's request */
    bool as_real;        /* of an integer: that is a double */
    union cor_option_value low, high;
    union cor_option_value usual; /* what the request has if it is not given; the help shows it, unless it is
                                     out of range, as what stands for "not given" */
    cor_word_list *words;         /* the words that it takes, */
    const char *const *names;     /* or these, ended by NULL; both NULL: any */

    /* A row may go on with these: .needs = "keep" */
    const char *otherwise; /* for the help, in words: what holds if it is not given */
    const char *needs;     /* the option without which it has no meaning */
    const char *excludes;  /* options that it cannot stand beside, with spaces between them */
    const char *required;  /* what is said where it is missing; NULL: it may be */
};

/* Where the value goes to, a member of what the command's file calls struct request and defines for this, and
 * within what. A member of another type does not compile. */
#define COR_FLAG(member) .type = COR_OPTION_FLAG, COR_OPTION_PLACE(member, bool)
#define COR_TEXT(member) .type = COR_OPTION_TEXT, COR_OPTION_PLACE(member, const char *)
#define COR_TEXT_OR(member, usually) COR_TEXT(member), .usual.text = (usually)
#define COR_WORD_LIST(member, usually) \
    .type = COR_OPTION_WORDS, COR_OPTION_PLACE(member, const char *), .usual.text = (usually)
#define COR_TEXTS(member) .type = COR_OPTION_TEXTS, COR_OPTION_PLACE(member, const char *const *)
#define COR_INTEGER(member, least, most, usually)                                         \
    .type = COR_OPTION_INTEGER, .offset = offsetof(struct request, member),               \
    .size = sizeof(((struct request *)0)->member), .as_real = COR_OPTION_IS_REAL(member), \
    .low.integer = (least), .high.integer = (most), .usual.integer = (usually)
#define COR_OPTION_IS_REAL(member) _Generic(&((struct request *)0)->member, double * : true, default : false)
#define COR_REAL(member, least, most, usually)                                                           \
    .type = COR_OPTION_REAL, COR_OPTION_PLACE(member, double), .low.real = (least), .high.real = (most), \
    .usual.real = (usually)
/* The first word of the list stands for `first`, the next for first + 1. */
#define COR_WORD(member, list, first, usually) COR_INTEGER(member, first, INT64_MAX, usually), .words = (list)
#define COR_NAME(member, list, first, usually) COR_INTEGER(member, first, INT64_MAX, usually), .names = (list)
#define COR_NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define COR_OPTION_PLACE(member, ...) \
    .offset = _Generic(((struct request *)0)->member, __VA_ARGS__ : offsetof(struct request, member))

/* What a command line said. */
struct cor_arguments {
    const struct cor_command *command;
    void *request; /* owned by main; the command's own struct, filled by its rows: it may go on with it */
    const char *value[COR_OPTIONS_MAX]; /* by option, the last one given; "" for a flag that is set, NULL =
                                           not given */
    char *const *words;                 /* operands */
    int word_count;
    char **typed; /* the command line as typed, from the last word of the command's name on; owned by main */
    int typed_count;
    const char **texts; /* owned by main; what each option of several values has, NULL behind each */
};

struct cor_command {
    const char *name;     /* "run", or "profile fit" */
    const char *summary;  /* a few words that begin with a verb, no full stop */
    const char *operands; /* as in the usage line */
    struct {
        int least, most;
        const char *otherwise; /* what is said where there are others */
    } takes;                   /* how many operands; zeroes: none */
    const char *manual;        /* a paragraph or two */
    size_t request_size;       /* of the struct that the options fill; it begins with zeroes */
    struct cor_option options[COR_OPTIONS_MAX]; /* ends with a NULL name */
    const char *examples[COR_EXAMPLES_MAX];     /* ends with NULL; each "command line # what it does" */
    enum cor_exit (*run)(const struct cor_arguments *arguments);
    bool reads; /* result files, which may be anybody's: it runs in a process of its own (output.h) */
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

/* The value of the option called `name`, as it was typed; NULL if it was not given, or is none of the
 * command's. For those who ask whether it was, where its value in the request does not tell. */
const char *cor_given(const struct cor_arguments *arguments, const char *name);

/* The action of a command of the group ("fit" of "profile fit"), NULL if the command is not of that group. */
const char *cor_action_of(const struct cor_command *command, const char *group);

/* Whether the word behind an option may be left out: its argument stands in brackets, whole. */
bool cor_option_is_optional(const struct cor_option *option);

/* Whether the word behind an option, which takes one, is the path of a folder, of a file. */
bool cor_option_is_folder(const struct cor_option *option);
bool cor_option_is_file(const struct cor_option *option);

/* The default of an option, for readers; "" if there is none. */
void cor_option_usual_text(const struct cor_option *option, char *text, size_t size);

/* A word that it takes, by an index that is not beyond the end; NULL behind the last, or if it takes any. */
const char *cor_option_word(const struct cor_option *option, size_t index);

/* Parses what follows the subcommand's name, and fills the request. Prints help or what is wrong, and returns
 * false with *exit set, when there is nothing to run. */
bool cor_parse(const struct cor_command *command, int argc, char **argv, struct cor_arguments *arguments,
               enum cor_exit *exit);

/* Frees what parsing made. */
void cor_arguments_fini(struct cor_arguments *arguments);

/* Help of one command, which is of a view if one of the words beside it names one that the command shows; of
 * a family (false if it is none), of all; the man page (roff), and the bash completion. */
void cor_print_help(const struct cor_command *command, int count, char *const *words, FILE *file);

/* Prints "corridor: place: cause" and the remedy on stderr, and returns the exit code that goes with the
 * error. */
enum cor_exit cor_report(const struct cor_error *error);

/* Complains about usage on stderr with a hint at --help; returns COR_EXIT_USAGE. */
enum cor_exit cor_misuse(const struct cor_command *command, const char *format, ...) COR_PRINTF(2, 3);

#endif
