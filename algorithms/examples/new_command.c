/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"

#include <corridor/array.h>
#include <corridor/examples.h>
#include <corridor/host.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const languages[] = {"c", "python", NULL};

/* What can be begun; `name` stands in its files for the new one. */
static const struct kind {
    const char *word, *name;
} kinds[] = {
    {"algorithm", "my_algo"}, {"experiment", "my_experiment"}, {"agent", "my_agent"}, {"model", "my_model"}};
#define KINDS (sizeof kinds / sizeof *kinds)
#define ALGORITHM 0

struct request {
    int language;
};

/* The text with the example's name, `old`, replaced; NULL when memory is out. */
static char *rename_in(const char *text, const char *old, const char *name) {
    size_t found = 0, size = strlen(text), longer = strlen(name), shorter = strlen(old);
    for (const char *at = text; (at = strstr(at, old)) != NULL; at += shorter)
        found++;
    char *made = cor_calloc(size + found * longer + 1, 1), *to = made;
    if (!made)
        return NULL;
    for (const char *next; (next = strstr(text, old)) != NULL; text = next + shorter) {
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

/* The files whose folder is called `folder`. */
static enum cor_status write_project(const char *folder, const char *old, const char *name,
                                     struct cor_error *error) {
    if (mkdir(name, 0777) != 0) {
        enum cor_status why = errno == EEXIST ? COR_STATUS_EXISTS : COR_STATUS_FILE;
        return cor_fail_errno(error, why, name,
                              errno == EEXIST ? "choose another name, or remove it first" : NULL,
                              "cannot make the folder");
    }
    for (const struct cor_example_file *example = cor_example_files; example->name; example++)
        if (strcmp(example->folder, folder) == 0) {
            char *called = rename_in(example->name, old, name), *text = rename_in(example->text, old, name);
            char *path = called ? cor_format("%s/%s", name, called) : NULL;
            enum cor_status status = cor_made(path && text ? path : NULL, error);
            if (status == COR_OK)
                status = write_text(path, text, example->is_program, error);
            free(called);
            free(text);
            free(path);
            COR_TRY(status);
        }
    return COR_OK;
}

/* The kind that the word names; NULL having said which there are. */
static const struct kind *find_kind(const struct cor_command *command, const char *word) {
    const char *words[KINDS + 1] = {NULL};
    char known[256];
    for (size_t i = 0; i < KINDS; i++) {
        words[i] = kinds[i].word;
        if (strcmp(words[i], word) == 0)
            return &kinds[i];
    }
    cor_known_names(word, words, known, sizeof known);
    cor_misuse(command, "cannot begin \"%s\"; %s", word, known);
    return NULL;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    const struct request *request = arguments->request;
    const struct kind *kind = find_kind(arguments->command, arguments->words[0]);
    if (!kind)
        return COR_EXIT_USAGE;
    if (arguments->word_count < 2)
        return cor_misuse(arguments->command, "needs a name for it: corridor new %s NAME", kind->word);
    if (kind != &kinds[ALGORITHM] && cor_given(arguments, "lang"))
        return cor_misuse(arguments->command, "--lang is for algorithms");
    const char *name = arguments->words[1];
    if (!cor_algorithm_is_name(name))
        return cor_misuse(
            arguments->command,
            "\"%s\" is no name: small letters, digits and _, a letter first, at most 63 of them", name);
    if (write_project(kind == &kinds[ALGORITHM] ? languages[request->language] : kind->word, kind->name, name,
                      &error) != COR_OK)
        return cor_report(&error);
    printf("%s: written\nnext: cd %s && cat README.md\n", name, name);
    return COR_EXIT_DONE;
}

const struct cor_command cor_command_new = {
    .name = "new",
    .summary = "write a project of your own",
    .operands = "algorithm|experiment|agent|model NAME",
    .takes = {1, 2, "needs what to begin, and its name: corridor new algorithm NAME"},
    .request_size = sizeof(struct request),
    .manual = "Writes a folder NAME with a small project that works, and a README.md that says what to do "
              "next. A folder that is there is left alone.\nalgorithm: an algorithm in one file that deals "
              "the agents by value, an experiment of three arms, and how to build it (if it is C). A module "
              "in C is built against the installed header; nothing is linked. A program speaks lines of "
              "JSON, see corridor-protocol(7), and may be in any language.\nexperiment: an experiment of "
              "three arms and the model of the system that it tests, to be changed.\nagent: the design of an "
              "agent and an agent in Python that keeps to it, for corridor agent.\nmodel: a model of a "
              "system with two goals, for corridor efsm.",
    .options = {{"lang", 'l', "LANGUAGE", "write the algorithm in this language",
                 COR_NAME(language, languages, 0, 0)}},
    .examples = {"corridor new algorithm my_algo                 # then: cd my_algo && cat README.md",
                 "corridor new algorithm my_algo --lang python", "corridor new experiment first",
                 "corridor new agent courier", "corridor new model gate"},
    .run = run,
};
