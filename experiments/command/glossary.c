/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "glossary.h"

#include "output.h"

#include <corridor/array.h>
#include <corridor/error.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WORDS_MAX 256

/* docs/look-up/words.md, made by CMakeLists.txt. */
extern const char cor_glossary_page[];

/* A row of the table: "| word, other word | meaning | example |", cut in place. */
struct row {
    char *names, *meaning, *example;
};

/* The next row at *at, which it moves on; false behind the last. */
static bool next_row(char **at, struct row *row) {
    while (**at) {
        char *line = *at, *end = line + strcspn(line, "\n");
        *at = *end ? end + 1 : end;
        *end = '\0';
        char *meaning = strncmp(line, "| ", 2) == 0 ? strstr(line + 2, " | ") : NULL;
        char *example = meaning ? strstr(meaning + 3, " | ") : NULL;
        char *last = example ? strstr(example + 3, " |") : NULL;
        if (!last || strncmp(line, "| word |", 8) == 0 || strncmp(line, "| ---", 5) == 0)
            continue;
        *meaning = *example = *last = '\0';
        *row = (struct row){line + 2, meaning + 3, example + 3};
        return true;
    }
    return false;
}

/* Whether one of the names, with commas between, is the word, or it is the plural of one. */
static bool is_called(const char *names, const char *word) {
    for (const char *name = names; *name;) {
        const size_t length = strcspn(name, ",");
        if (strncasecmp(name, word, length) == 0 && (!word[length] || strcasecmp(word + length, "s") == 0))
            return true;
        name += length;
        name += strspn(name, ", ");
    }
    return false;
}

bool cor_print_word(int count, char **words, FILE *file) {
    char *page = cor_strdup(cor_glossary_page), *at = page, *word = cor_strdup("");
    bool found = false;
    struct row row;
    for (int i = 0; i < count; i++)
        word = cor_join_take(word, " ", cor_strdup(words[i]));
    while (page && word && next_row(&at, &row)) {
        if (!is_called(row.names, word))
            continue;
        fprintf(file, "%s\n", row.names);
        cor_print_text(file, row.meaning, 0, 2);
        fputs("  Example:", file);
        cor_print_text(file, row.example, 10, 2);
        found = true;
    }
    free(page);
    free(word);
    return found;
}

bool cor_near_word(const char *word, char *text, size_t size) {
    char *page = cor_strdup(cor_glossary_page), *at = page;
    const char *names[WORDS_MAX + 1];
    size_t count = 0;
    struct row row;
    while (page && next_row(&at, &row))
        for (char *name = strtok(row.names, ","); name; name = strtok(NULL, ",")) {
            COR_ASSERT(count < WORDS_MAX);
            names[count++] = name + strspn(name, " ");
        }
    names[count] = NULL;
    const char *near = cor_did_you_mean(word, names);
    if (near)
        snprintf(text, size, "%s", near);
    free(page);
    return near;
}
