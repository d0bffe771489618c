/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A list of invalid input (invalid_cases.h), each refused with exactly the message there. Included behind
 * cmocka.h. COR_UPDATE_EXPECTED=1 writes the messages of the list anew. */
#ifndef CORRIDOR_SIM_BASE_TESTS_INVALID_CORPUS_H
#define CORRIDOR_SIM_BASE_TESTS_INVALID_CORPUS_H

#include "invalid_cases.h"

#include <corridor/array.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What NAME.expected ends with where this build says something else, ".without-z3", an empty one where it
 * says nothing; "": it says all. */
static const char *invalid_build = "";

/* Reads a file of the corpus, as the program would. */
typedef enum cor_status invalid_reader(const char *path, struct cor_error *error);

/* The cases as files, in a folder below TMPDIR or /tmp that is the working directory. */
struct invalid_folder {
    char *before, *path; /* owned; the working directory before */
    char **names;        /* owned, NULL behind the last */
};

static struct invalid_folder invalid_enter(const char *list) {
    struct invalid_folder folder = {.before = getcwd(NULL, 0)};
    assert_non_null(folder.before);
    const char *above = getenv("TMPDIR");
    folder.path = cor_format("%s/corridor-test-XXXXXX", above && above[0] == '/' ? above : "/tmp");
    assert_non_null(mkdtemp(folder.path));
    folder.names = cor_invalid_cases_write(list, folder.path);
    assert_int_equal(chdir(folder.path), 0);
    return folder;
}

/* Back to where one was; the folder of a test that fails stays, to be looked at. */
static void invalid_leave(struct invalid_folder *folder) {
    DIR *stream = opendir(".");
    assert_non_null(stream);
    for (const struct dirent *entry; (entry = readdir(stream));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            assert_int_equal(unlink(entry->d_name), 0);
    closedir(stream);
    assert_int_equal(chdir(folder->before), 0);
    assert_int_equal(rmdir(folder->path), 0);
    for (char **name = folder->names; *name; name++)
        free(*name);
    free(folder->names);
    free(folder->path);
    free(folder->before);
}

/* The file that says what is expected. */
static char *invalid_name(const char *path) {
    char *name = cor_format("%s.expected%s", path, invalid_build);
    if (access(name, R_OK) == 0)
        return name;
    free(name);
    return cor_format("%s.expected", path);
}

static void invalid_expectation(const char *name, char *text, size_t size) {
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, size - 1, file);
    fclose(file);
    text[length] = '\0';
    if (length > 0 && text[length - 1] == '\n')
        text[length - 1] = '\0';
}

static void invalid_expect_from_now(const char *name, const char *text) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fprintf(file, "%s\n", text);
    fclose(file);
}

static void invalid_try(const char *path, invalid_reader *read) {
    struct cor_error error = COR_NO_ERROR;
    char found[3000], expected[3000], *name = invalid_name(path);
    enum cor_status status = read(path, &error);
    cor_error_text(&error, found, sizeof found);
    invalid_expectation(name, expected, sizeof expected);
    if (status == COR_OK && (!*invalid_build || *expected)) /* else this build cannot know what is wrong */
        fail_msg("%s is accepted", path);
    assert_int_equal(status, error.status);
    if (status != COR_OK && getenv("COR_UPDATE_EXPECTED"))
        invalid_expect_from_now(name, found);
    else if (strcmp(found, expected) != 0)
        fail_msg("%s\nsays\n%s\nexpected\n%s", path, found, expected);
    free(name);
}

/* Every case of the list, and there are at least so many, is refused in so many words. */
static void invalid_corpus(const char *list, int least, invalid_reader *read) {
    struct invalid_folder folder = invalid_enter(list);
    int count = 0;
    for (; folder.names[count]; count++)
        invalid_try(folder.names[count], read);
    assert_true(count >= least);
    if (getenv("COR_UPDATE_EXPECTED"))
        cor_invalid_cases_take(list, folder.path);
    invalid_leave(&folder);
}

#endif
