/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns are the symbols of an expression over a shape without elements: that has the three values that
 * cells without a value need. */
#include <corridor/where.h>

#include <corridor/array.h>
#include <corridor/world.h>

#include <math.h>
#include <stdlib.h>

struct cor_where {
    struct cor_words words;
    struct cor_symbol *symbols; /* owned, as all here; [column] */
    struct cor_domain *domains;
    uint32_t **listed; /* [column] the words of an enumeration */
    struct cor_value *values;
    size_t count;
    struct cor_expression expression;
};

static enum cor_status make_domain(struct cor_where *where, size_t column,
                                   const struct cor_where_column *from, struct cor_error *error) {
    static const char *const names[] = {[COR_VALUE_TYPE_INTEGER] = "int",
                                        [COR_VALUE_TYPE_REAL] = "float",
                                        [COR_VALUE_TYPE_BOOLEAN] = "bool",
                                        [COR_VALUE_TYPE_STRING] = "string",
                                        [COR_VALUE_TYPE_ENUMERATION] = "word"};
    uint32_t count = 0;
    while (from->words && from->words[count])
        count++;
    where->listed[column] = cor_calloc(count + 1, sizeof **where->listed);
    COR_TRY(cor_made(where->listed[column], error));
    for (uint32_t i = 0; i < count; i++)
        COR_TRY(cor_words_intern(&where->words, from->words[i], &where->listed[column][i], error));
    where->domains[column] = (struct cor_domain){.type = from->type,
                                                 .name = names[from->type],
                                                 .words = count > 0 ? where->listed[column] : NULL,
                                                 .word_count = count};
    where->symbols[column] = (struct cor_symbol){from->name, &where->domains[column]};
    where->values[column] = cor_null();
    return COR_OK;
}

static enum cor_status parse(struct cor_where *where, const char *text,
                             const struct cor_where_column *columns, struct cor_error *error) {
    static const struct cor_shape nothing_but_columns = {0};
    for (size_t i = 0; i < where->count; i++)
        COR_TRY(make_domain(where, i, &columns[i], error));
    const struct cor_scope scope = {.symbols = where->symbols,
                                    .symbol_count = (uint32_t)where->count,
                                    .words = &where->words,
                                    .shape = &nothing_but_columns};
    return cor_expression_parse_condition(text, &scope, COR_WHERE_PLACE, &where->expression, error);
}

enum cor_status cor_where_create(const char *text, const struct cor_where_column *columns, size_t count,
                                 struct cor_where **made, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_where *where = cor_calloc(1, sizeof *where);
    COR_TRY(cor_made(where, error));
    *made = where;
    where->count = count;
    where->symbols = cor_calloc(count, sizeof *where->symbols);
    COR_TRY_OUT(cor_made(where->symbols, error));
    where->domains = cor_calloc(count, sizeof *where->domains);
    COR_TRY_OUT(cor_made(where->domains, error));
    where->listed = cor_calloc(count, sizeof *where->listed);
    COR_TRY_OUT(cor_made(where->listed, error));
    where->values = cor_calloc(count, sizeof *where->values);
    COR_TRY_OUT(cor_made(where->values, error));
    COR_TRY_OUT(parse(where, text, columns, error));
out:
    if (status != COR_OK) {
        cor_where_destroy(where);
        *made = NULL;
    }
    return status;
}

void cor_where_destroy(struct cor_where *where) {
    if (!where)
        return;
    cor_expression_fini(&where->expression);
    for (size_t i = 0; where->listed && i < where->count; i++)
        free(where->listed[i]);
    cor_words_fini(&where->words);
    free(where->listed);
    free(where->symbols);
    free(where->domains);
    free(where->values);
    free(where);
}

bool cor_where_reads(const struct cor_where *where, size_t column) {
    return cor_expression_reads(&where->expression, (uint32_t)column);
}

void cor_where_nothing(struct cor_where *where, size_t column) {
    where->values[column] = cor_null();
}

void cor_where_count(struct cor_where *where, size_t column, uint64_t count) {
    where->values[column] = count <= INT64_MAX ? cor_integer((int64_t)count) : cor_null();
}

void cor_where_real(struct cor_where *where, size_t column, double real) {
    where->values[column] = isfinite(real) ? cor_real(real) : cor_null();
}

void cor_where_flag(struct cor_where *where, size_t column, bool flag) {
    where->values[column] = cor_integer(flag);
}

enum cor_status cor_where_word(struct cor_where *where, size_t column, const char *word,
                               struct cor_error *error) {
    uint32_t number;
    COR_TRY(cor_words_intern(&where->words, word, &number, error));
    where->values[column] =
        cor_domain_has(&where->domains[column], cor_word(number)) ? cor_word(number) : cor_null();
    return COR_OK;
}

bool cor_where_holds(const struct cor_where *where) {
    static const struct cor_world nothing = {0};
    return cor_expression_ask(&where->expression, where->values, &nothing, NULL) == COR_TRUTH_TRUE;
}
