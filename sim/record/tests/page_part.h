/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A part of a page in docs/, between two marks, is generated from what the code says, and a test holds it
 * there. With COR_UPDATE_DOCS=1 in the environment such a test writes the part anew. */
#ifndef CORRIDOR_SIM_RECORD_TESTS_PAGE_PART_H
#define CORRIDOR_SIM_RECORD_TESTS_PAGE_PART_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cell of a table in Markdown: a bar would end it. */
static inline void put_page_cell(FILE *out, const char *text) {
    fputs(" ", out);
    for (; *text; text++)
        fprintf(out, *text == '|' ? "\\|" : "%c", *text);
    fputs(" |", out);
}

/* The whole page, terminated. */
static inline char *page_text(const char *path) {
    FILE *page = fopen(path, "r");
    assert_non_null(page);
    assert_int_equal(fseek(page, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(page);
    char *text = calloc(size + 1, 1);
    assert_non_null(text);
    rewind(page);
    assert_int_equal(fread(text, 1, size, page), size);
    fclose(page);
    return text;
}

/* Fails if what the page says between the marks is not `expected`, or writes it there. */
static inline void page_holds(const char *path, const char *begin_mark, const char *end_mark,
                              const char *expected, const char *test) {
    const char *wanted = getenv("COR_UPDATE_DOCS");
    char *page = page_text(path), *begin = strstr(page, begin_mark), *end = strstr(page, end_mark);
    assert_true(begin && end && begin < end);
    begin += strlen(begin_mark);
    if (strlen(expected) != (size_t)(end - begin) || strncmp(begin, expected, strlen(expected)) != 0) {
        if (!wanted || strcmp(wanted, "1") != 0) {
            print_message("expected:\n%s\n%s says something else. COR_UPDATE_DOCS=1 %s writes it anew\n",
                          expected, path, test);
            fail();
        }
        FILE *out = fopen(path, "w");
        assert_non_null(out);
        fprintf(out, "%.*s%s%s", (int)(begin - page), page, expected, end);
        assert_int_equal(fclose(out), 0);
        print_message("%s is up to date now\n", path);
    }
    free(page);
}

#endif
