/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "glossary.h"

#include "output.h"

#include <corridor/array.h>
#include <corridor/error.h>
#include <corridor/view.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WORDS_MAX 256
#define COLUMNS_SHOWN 12

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

/* Whether the word is these bytes, or one is the plural of the other; whatever the case of the letters. */
static bool is_word(const char *at, size_t length, const char *word) {
    const size_t size = strlen(word), both = length < size ? length : size, more = length + size - 2 * both;
    const char *ending = (length < size ? word : at) + both;
    return strncasecmp(at, word, both) == 0 && more <= 2 && strncasecmp(ending, "es" + 2 - more, more) == 0;
}

/* Whether one of the parts of the text, between these separators, is the word. */
static bool has_part(const char *text, const char *separators, const char *word) {
    for (const char *part = text; *part;) {
        const size_t length = strcspn(part, separators);
        if (length > 0 && is_word(part, length, word))
            return true;
        part += length;
        part += strspn(part, separators);
        part += strspn(part, " ");
    }
    return false;
}

/* Rows whose name is the word, or, of `parts`, has it: "box" has those of "gray box" and "black box". */
static bool print_rows(const char *word, bool parts, FILE *file) {
    char *page = cor_strdup(cor_glossary_page), *at = page;
    bool found = false;
    struct row row;
    while (page && next_row(&at, &row)) {
        if (!has_part(row.names, parts ? ", -" : ",", word))
            continue;
        fprintf(file, "%s\n", row.names);
        cor_print_text(file, row.meaning, 0, 2);
        fputs("  Example:", file);
        cor_print_text(file, row.example, 10, 2);
        found = true;
    }
    free(page);
    return found;
}

/* Columns of views that are headed so, or, of `parts`, whose heading or key has the word; each meaning once.
 */
static bool print_columns(const char *word, bool parts, FILE *file) {
    const struct cor_column_definition *shown[COLUMNS_SHOWN];
    size_t count = 0;
    for (const struct cor_view *const *view = cor_views; *view; view++)
        for (size_t s = 0; (*view)->sheets[s]; s++)
            for (size_t c = 0; c < (*view)->sheets[s]->column_count && count < COLUMNS_SHOWN; c++) {
                const struct cor_column_definition *it = &(*view)->sheets[s]->columns[c];
                const char *separators = parts ? " ,_-()/.\n" : "";
                bool is_told =
                    !has_part(it->heading, separators, word) && !has_part(it->key, separators, word);
                for (size_t i = 0; i < count && !is_told; i++)
                    is_told = strcmp(shown[i]->meaning, it->meaning) == 0;
                if (is_told)
                    continue;
                shown[count++] = it;
                fprintf(file, "%s, a column of %s (%s)\n", it->heading[0] ? it->heading : it->key,
                        (*view)->name, (*view)->sheets[s]->title);
                cor_print_text(file, it->meaning, 0, 2);
            }
    return count > 0;
}

bool cor_print_word(int count, char **words, FILE *file) {
    char *word = cor_strdup("");
    for (int i = 0; i < count; i++)
        word = cor_join_take(word, " ", cor_strdup(words[i]));
    const bool found = word && (print_rows(word, false, file) || print_rows(word, true, file) ||
                                print_columns(word, false, file) || print_columns(word, true, file));
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
