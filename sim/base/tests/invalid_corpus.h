/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A folder of invalid files, each beside NAME.expected: exactly the message with which it is refused.
 * Included behind cmocka.h. COR_UPDATE_EXPECTED=1 writes the .expected files anew. */
#ifndef CORRIDOR_BASE_TESTS_INVALID_CORPUS_H
#define CORRIDOR_BASE_TESTS_INVALID_CORPUS_H

#include <corridor/error.h>

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

/* The file that says what is expected. */
static void invalid_name(const char *path, char *name, size_t size) {
    snprintf(name, size, "%s.expected%s", path, invalid_build);
    if (access(name, R_OK) != 0)
        snprintf(name, size, "%s.expected", path);
}

static void invalid_expectation(const char *path, char *text, size_t size) {
    char name[300];
    invalid_name(path, name, sizeof name);
    FILE *file = fopen(name, "rb");
    if (!file)
        fail_msg("%s is missing", name);
    size_t length = fread(text, 1, size - 1, file);
    fclose(file);
    text[length] = '\0';
    if (length > 0 && text[length - 1] == '\n')
        text[length - 1] = '\0';
}

static void invalid_expect_from_now(const char *path, const char *text) {
    char name[300];
    invalid_name(path, name, sizeof name);
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fprintf(file, "%s\n", text);
    fclose(file);
}

static void invalid_try(const char *path, invalid_reader *read) {
    struct cor_error error = COR_NO_ERROR;
    char found[3000], expected[3000];
    enum cor_status status = read(path, &error);
    cor_error_text(&error, found, sizeof found);
    invalid_expectation(path, expected, sizeof expected);
    if (status == COR_OK && *invalid_build && !*expected)
        return; /* what is wrong with it this build cannot know */
    if (status == COR_OK)
        fail_msg("%s is accepted", path);
    assert_int_equal(status, error.status);
    if (getenv("COR_UPDATE_EXPECTED"))
        invalid_expect_from_now(path, found);
    invalid_expectation(path, expected, sizeof expected);
    if (strcmp(found, expected) != 0)
        fail_msg("%s\nsays\n%s\nexpected\n%s", path, found, expected);
}

/* Every file of the folder that is to be read, and there are at least so many, is refused in so many words.
 * The folder is the working directory then. */
static void invalid_corpus(const char *folder, int (*is_read)(const struct dirent *entry), int least,
                           invalid_reader *read) {
    struct dirent **entries;
    assert_int_equal(chdir(folder), 0);
    int count = scandir(".", &entries, is_read, alphasort);
    assert_true(count >= least);
    for (int i = 0; i < count; i++) {
        invalid_try(entries[i]->d_name, read);
        free(entries[i]);
    }
    free(entries);
}

#endif
