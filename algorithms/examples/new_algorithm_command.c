/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"

#include <corridor/array.h>
#include <corridor/examples.h>
#include <corridor/host.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const languages[] = {"c", "python"};
#define LANGUAGES (sizeof languages / sizeof *languages)

static const char *language_word(size_t index) {
    return index < LANGUAGES ? languages[index] : NULL;
}

/* The text with the example's name replaced; NULL when memory is out. */
static char *rename_in(const char *text, const char *name) {
    size_t found = 0, size = strlen(text), longer = strlen(name), shorter = strlen(COR_EXAMPLE_NAME);
    for (const char *at = text; (at = strstr(at, COR_EXAMPLE_NAME)) != NULL; at += shorter)
        found++;
    char *made = cor_calloc(size + found * longer + 1, 1), *to = made;
    if (!made)
        return NULL;
    for (const char *next; (next = strstr(text, COR_EXAMPLE_NAME)) != NULL; text = next + shorter) {
        memcpy(to, text, (size_t)(next - text));
        to += next - text;
        memcpy(to, name, longer);
        to += longer;
    }
    memcpy(to, text, strlen(text));
    return made;
}

static enum cor_status write_text(const char *path, const char *text, bool is_program,
                                  struct cor_error *error) {
    FILE *file = fopen(path, "wxe");
    if (!file)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot make the file");
    mode_t mask = umask(0);
    umask(mask);
    bool failed = fputs(text, file) < 0;
    failed = fclose(file) != 0 || failed;
    if (!failed && is_program)
        failed = chmod(path, 0777 & ~mask) != 0;
    return failed ? cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write") : COR_OK;
}

static enum cor_status write_file(const struct cor_example_file *example, const char *name,
                                  struct cor_error *error) {
    char *called = rename_in(example->name, name), *text = rename_in(example->text, name);
    char *path = called ? cor_format("%s/%s", name, called) : NULL;
    enum cor_status status = cor_made(path && text ? path : NULL, error);
    if (status == COR_OK)
        status = write_text(path, text, example->is_program, error);
    free(called);
    free(text);
    free(path);
    return status;
}

static enum cor_status write_project(const char *name, const char *language, struct cor_error *error) {
    if (mkdir(name, 0777) != 0) {
        enum cor_status why = errno == EEXIST ? COR_STATUS_EXISTS : COR_STATUS_FILE;
        return cor_fail_errno(error, why, name,
                              errno == EEXIST ? "choose another name, or remove it first" : NULL,
                              "cannot make the folder");
    }
    for (const struct cor_example_file *example = cor_example_files; example->name; example++)
        if (strcmp(example->language, language) == 0)
            COR_TRY(write_file(example, name, error));
    return COR_OK;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    int language;
    if (arguments->word_count != 1)
        return cor_misuse(arguments->command, "needs one name");
    if (!cor_argument_word(arguments, "lang", 0, &language))
        return COR_EXIT_USAGE;
    const char *name = arguments->words[0];
    if (!cor_algorithm_is_name(name))
        return cor_misuse(
            arguments->command,
            "\"%s\" is no name for an algorithm: small letters, digits and _, a letter first, at "
            "most 63 of them",
            name);
    if (write_project(name, languages[language], &error) != COR_OK)
        return cor_report(&error);
    printf("%s: written\nnext: cd %s && cat README.md\n", name, name);
    return COR_EXIT_DONE;
}

const struct cor_command cor_command_new_algorithm = {
    .name = "new-algorithm",
    .summary = "begin an algorithm of your own: a small project that works",
    .operands = "NAME",
    .manual =
        "Writes a folder NAME with an algorithm in one file, an experiment of three arms, how to build it "
        "(if it is C), and a README.md that says what to do next. The algorithm works: it deals the agents "
        "by value. A folder that is there is left alone.\n"
        "A module in C is built against the installed header; nothing is linked. A program speaks lines of "
        "JSON, see corridor-protocol(7), and may be in any language.",
    .options = {{"lang", 'l', "LANGUAGE", "what to write it in", "c"}},
    .choices = {{"lang", language_word}},
    .examples = {"corridor new-algorithm my_algo                 # then: cd my_algo && cat README.md",
                 "corridor new-algorithm my_algo --lang python"},
    .run = run,
};
