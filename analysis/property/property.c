/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Properties: their text, the columns that they speak of, as values, and what cases and sequences say of
 * them. */
#include <corridor/array.h>
#include <corridor/property.h>
#include <corridor/temporal.h>
#include <corridor/world.h>

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns that are read as users mean them come first, "case" and last "failed"; of the interaction layer
 * also these. Then come those of the table of cases and of the one beside it, then conditions by their names,
 * which rows of their own or bits of columns tell. */
enum { PROPERTY__CASE, PROPERTY__INSIDE, PROPERTY__ALARM, PROPERTY__OWN_MAX = 4 };
#define PROPERTY__CONDITIONS_MAX 256
#define PROPERTY__COLUMNS_MAX (PROPERTY__OWN_MAX + 2 * COR_COLUMNS_MAX + PROPERTY__CONDITIONS_MAX)

struct column {
    const char *name;                /* borrowed, of the schema, or `condition` */
    char *condition;                 /* owned; NULL: it is none by its name */
    const struct cor_column *schema; /* NULL: read as users mean it */
    bool is_beside;                  /* in the row of the table beside, else in that of a case; */
    bool is_of_all;                  /* there, of all cases, else of that in which the sequence failed */
    bool has_none;                   /* its greatest value stands for none */
    bool is_read;                    /* by the property: others need no value */
    uint32_t code; /* of a condition; of a column with words of a catalog that of the first */
};

/* What struct cor_ending_source names; NULL: it names none. */
struct ending_columns {
    const struct cor_column *sequence[COR_ASKED_COUNT], *number[COR_ASKED_COUNT],
        *condition[COR_ASKED_COUNT]; /* by the table that has it */
    const struct cor_column *verdict, *failed_case, *cut, *open, *whole, *state, *state_unknown;
};

/* The columns by their names, and what they can be. */
struct columns {
    const struct cor_layer_schema *layer; /* borrowed */
    struct column *items;                 /* owned, as all here */
    struct cor_symbol *symbols;           /* [column] */
    struct cor_domain *domains;
    struct cor_value *values; /* of the case that was taken last */
    uint32_t **listed;        /* [column] words of codes; NULL: none */
    struct cor_words words;
    uint32_t no_word;             /* of a code where there was no reorganization: it equals none */
    uint32_t count, own, tables;  /* all; behind the own ones; behind those of tables, */
    uint32_t conditions;          /* and behind those that were met */
    struct ending_columns ending; /* of layers that have such a source */
};

/* A condition of a formula. */
struct condition {
    char *name;                       /* owned; as it stands in the text */
    uint32_t column;                  /* COR_NONE: a comparison */
    struct cor_expression comparison; /* owned */
};

struct cor_property {
    char *text; /* owned */
    enum cor_property_kind kind;
    enum cor_property_relation relation;
    double bound, quantile;
    struct columns columns;

    char *formula;                        /* owned; NULL: none */
    struct condition *conditions;         /* owned */
    const char **names;                   /* owned array; of conditions, NULL-terminated */
    uint8_t *states;                      /* owned; [condition] in the case that was taken last */
    struct cor_temporal_degrees *degrees; /* owned; [condition] likewise */
    uint32_t condition_count;
    struct cor_temporal *temporal;    /* owned */
    struct cor_temporal_watch *watch; /* owned; made anew for each sequence (text_time.c says why) */

    struct cor_expression number; /* owned */
    enum cor_property_amount amount;
    uint32_t at; /* COR_PROPERTY_AT: the case */

    double *numbers; /* owned; S: of the cases */
    size_t capacity;
    bool is_stopped; /* S: the last case failed in the black box */
    bool is_cut;     /* a monitor or a mechanism ended the sequence: what would have come is unknown */

    double so_far;   /* sum, least or greatest, or the number of case `at` */
    uint32_t taken;  /* cases */
    bool is_unknown; /* in a case that counts the number was */
};

static enum cor_status property__begin(struct cor_property *property, struct cor_error *error) COR_MUST_USE;

/* Keys, and what stands in both tables, are passed over. */
static bool is_asked_for(const struct columns *columns, const char *name) {
    static const char *const keys[] = {"arm", "suite", "sequence", "case"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (strcmp(keys[k], name) == 0)
            return false;
    for (uint32_t c = 0; c < columns->count; c++)
        if (strcmp(columns->items[c].name, name) == 0)
            return false;
    return true;
}

/* A column whose values are words: how many there are, and their names. */
static enum cor_status list_words(struct columns *columns, uint32_t column, const char *const *names,
                                  uint32_t count, struct cor_error *error) {
    uint32_t *listed = columns->listed[column] = cor_calloc(count, sizeof *listed);
    COR_TRY(cor_made(listed, error));
    for (uint32_t w = 0; w < count; w++)
        COR_TRY(cor_words_intern(&columns->words, names[w], &listed[w], error));
    columns->domains[column] = (struct cor_domain){COR_VALUE_TYPE_ENUMERATION, "word", listed, count};
    return COR_OK;
}

/* Adds a column that is no word. */
static uint32_t add(struct columns *columns, const char *name, enum cor_value_type type) {
    static const char *const words[] = {
        [COR_VALUE_TYPE_INTEGER] = "int", [COR_VALUE_TYPE_REAL] = "float", [COR_VALUE_TYPE_BOOLEAN] = "bool"};
    const uint32_t column = columns->count++;
    columns->items[column] = (struct column){.name = name};
    columns->symbols[column] = (struct cor_symbol){name, &columns->domains[column]};
    columns->domains[column] = (struct cor_domain){type, words[type], NULL, 0};
    return column;
}

static enum cor_value_type type_of(const struct cor_column *schema) {
    return schema->family != COR_FAMILY_NONE                              ? COR_VALUE_TYPE_ENUMERATION
           : schema->type == COR_TYPE_F32 || schema->type == COR_TYPE_F64 ? COR_VALUE_TYPE_REAL
           : strncmp(schema->meaning, "1 if ", strlen("1 if ")) == 0      ? COR_VALUE_TYPE_BOOLEAN
                                                                          : COR_VALUE_TYPE_INTEGER;
}

/* What a column of a table can be is what its schema says; codes of a catalog are words if it has entries. */
static enum cor_status add_column(struct columns *columns, const struct cor_result_header *head,
                                  const struct cor_column *schema, bool is_beside, struct cor_error *error) {
    const enum cor_value_type type = type_of(schema);
    const uint32_t column =
        add(columns, schema->name, type == COR_VALUE_TYPE_ENUMERATION ? COR_VALUE_TYPE_INTEGER : type);
    columns->items[column].schema = schema;
    columns->items[column].is_beside = is_beside;
    columns->items[column].has_none =
        schema->type == COR_TYPE_U32 && strstr(schema->meaning, "4294967295 = ") != NULL;
    if (type == COR_VALUE_TYPE_ENUMERATION) {
        const char *const *words = cor_term_words(schema->family);
        uint32_t count = 0;
        while (words[count])
            count++;
        return list_words(columns, column, words, count, error);
    }
    const uint32_t catalog = head ? cor_column_catalog(head->layer, schema) : 0;
    if (!head || catalog == head->layer->catalog_count)
        return COR_OK;
    /* The words of codes of a catalog, but for a 0 that is no code. */
    const size_t size = head->catalog_size[catalog];
    const uint32_t first = cor_column_explains_zero(columns->items[column].schema);
    if (size <= first)
        return COR_OK;
    columns->items[column].code = first;
    const char **names = cor_calloc(size + 1, sizeof *names);
    COR_TRY(cor_made(names, error));
    for (size_t e = first; e < size; e++)
        names[e - first] = head->catalog[catalog][e].name;
    const enum cor_status status = list_words(columns, column, names, (uint32_t)size - first, error);
    free(names);
    return status;
}

/* Names of a catalog that are true in some cases; one that a column has is that column. */
static enum cor_status add_conditions(struct columns *columns, const struct cor_result_header *head,
                                      uint32_t catalog, struct cor_error *error) {
    for (size_t e = 0; catalog > 0 && e < head->catalog_size[catalog]; e++) {
        const char *name = head->catalog[catalog][e].name;
        if (!is_asked_for(columns, name))
            continue;
        if (columns->count == PROPERTY__COLUMNS_MAX)
            return cor_fail(error, COR_STATUS_INPUT, NULL, "leave some out",
                            "more than %d conditions can be asked", PROPERTY__CONDITIONS_MAX);
        char *copy = cor_strdup(name);
        COR_TRY(cor_made(copy, error));
        const uint32_t column = add(columns, copy, COR_VALUE_TYPE_BOOLEAN);
        columns->items[column].condition = copy;
        columns->items[column].code = head->catalog[catalog][e].code;
    }
    return COR_OK;
}

/* The column of a table that is asked; NULL: it has none of that name, or no name is said. */
static const struct cor_column *column_of(const struct cor_layer_schema *layer, enum cor_asked_table table,
                                          const char *name) {
    return name ? cor_table_column(&layer->tables[layer->asked->tables[table]], name) : NULL;
}

/* Finds what is read of each case once, for rows are many. */
static struct ending_columns find_ending(const struct cor_layer_schema *layer) {
    const struct cor_ending_source *source = layer->asked->ending;
    const char *condition =
        layer->asked->conditions > 0 ? layer->catalogs[layer->asked->conditions].group : NULL;
    struct ending_columns ending = {
        .verdict = column_of(layer, COR_ASKED_BESIDE, source->verdict),
        .failed_case = column_of(layer, COR_ASKED_BESIDE, source->failed_case),
        .cut = column_of(layer, COR_ASKED_BESIDE, source->cut),
        .open = column_of(layer, COR_ASKED_BESIDE, source->open),
        .whole = column_of(layer, COR_ASKED_CASES, source->whole),
        .state = column_of(layer, COR_ASKED_CASES, source->states > 0 ? "state" : NULL),
        .state_unknown = column_of(layer, COR_ASKED_CASES, source->states > 0 ? "state_unknown" : NULL)};
    for (enum cor_asked_table t = COR_ASKED_CASES; t < COR_ASKED_COUNT; t++) {
        ending.sequence[t] = column_of(layer, t, source->sequence);
        ending.number[t] = column_of(layer, t, source->number);
        ending.condition[t] = column_of(layer, t, condition);
    }
    COR_ASSERT(ending.verdict && ending.failed_case && ending.cut && ending.number[COR_ASKED_CASES]);
    return ending;
}

/* Reads the columns off the schema. To be freed also on failure. */
static enum cor_status columns_init(struct columns *columns, const struct cor_result_header *head,
                                    struct cor_error *error) {
    const struct cor_layer_schema *layer = head ? head->layer : &cor_interaction_schema;
    const struct cor_property_source *source = layer->asked;
    const struct cor_ending_source *ending = source->ending;
    const size_t most = PROPERTY__COLUMNS_MAX;
    *columns = (struct columns){.layer = layer};
    cor_words_init(&columns->words);
    COR_TRY(cor_made(columns->items = cor_calloc(most, sizeof *columns->items), error));
    COR_TRY(cor_made(columns->symbols = cor_calloc(most, sizeof *columns->symbols), error));
    COR_TRY(cor_made(columns->domains = cor_calloc(most, sizeof *columns->domains), error));
    COR_TRY(cor_made(columns->values = cor_calloc(most, sizeof *columns->values), error));
    COR_TRY(cor_made(columns->listed = cor_calloc(most, sizeof *columns->listed), error));
    COR_TRY(cor_words_intern(&columns->words, "", &columns->no_word, error));
    for (size_t o = 0; source->own[o]; o++)
        add(columns, source->own[o], o == PROPERTY__CASE ? COR_VALUE_TYPE_INTEGER : COR_VALUE_TYPE_BOOLEAN);
    columns->own = columns->count;
    for (size_t t = COR_ASKED_CASES; t <= COR_ASKED_BESIDE; t++) {
        const struct cor_table_schema *schema = &layer->tables[source->tables[t]];
        for (uint32_t c = 0; c < schema->column_count; c++) {
            const char *name = schema->columns[c].name;
            const bool is_beside = t == COR_ASKED_BESIDE,
                       is_of_all = ending && cor_is_among(ending->all, name),
                       may_be = is_beside ? !ending || is_of_all || cor_is_among(ending->ways, name)
                                          : !source->of_cases || cor_is_among(source->of_cases, name);
            if (!may_be || !is_asked_for(columns, name))
                continue;
            COR_TRY(add_column(columns, head, &schema->columns[c], is_beside, error));
            columns->items[columns->count - 1].is_of_all = is_beside && is_of_all;
        }
    }
    columns->tables = columns->conditions = columns->count;
    if (ending)
        columns->ending = find_ending(layer);
    if (!head || !ending)
        return COR_OK;
    COR_TRY(add_conditions(columns, head, source->conditions, error));
    columns->conditions = columns->count;
    return add_conditions(columns, head, ending->states, error);
}

/* What values of a column can be. */
static struct cor_real_range column_range(const struct columns *columns, uint32_t column,
                                          const struct cor_property_limits *limits) {
    const struct cor_column *schema = columns->items[column].schema;
    if (column == PROPERTY__CASE)
        return (struct cor_real_range){1, limits->cases};
    if (!schema || type_of(schema) == COR_VALUE_TYPE_BOOLEAN)
        return (struct cor_real_range){0, 1};
    if (type_of(schema) == COR_VALUE_TYPE_REAL)
        return (struct cor_real_range){-INFINITY, INFINITY};
    const struct cor_ending_source *ending = columns->layer->asked->ending;
    const bool is_length = ending && ending->length && strcmp(schema->name, ending->length) == 0;
    return (struct cor_real_range){0, schema->type == COR_TYPE_U8           ? UINT8_MAX
                                      : is_length                           ? limits->length
                                      : strcmp(schema->unit, "agents") == 0 ? limits->agents
                                                                            : INFINITY};
}

static struct cor_value value_in(const struct columns *columns, uint32_t column, const void *row) {
    const struct cor_column *schema = columns->items[column].schema;
    const struct cor_domain *domain = &columns->domains[column];
    if (!row)
        return domain->type == COR_VALUE_TYPE_REAL          ? cor_null()
               : domain->type == COR_VALUE_TYPE_ENUMERATION ? cor_word(columns->no_word)
                                                            : cor_integer(0);
    if (domain->type == COR_VALUE_TYPE_REAL) {
        const double real = cor_column_real(schema, row);
        return isfinite(real) ? cor_real(real) : cor_null();
    }
    const uint64_t integer = cor_column_integer(schema, row);
    if (domain->type != COR_VALUE_TYPE_ENUMERATION)
        return integer > INT64_MAX || (columns->items[column].has_none && integer == UINT32_MAX)
                   ? cor_null()
                   : cor_integer((int64_t)integer);
    if (schema->family == COR_FAMILY_NONE) {
        const uint32_t first = columns->items[column].code;
        return cor_word(integer >= first && integer - first < domain->word_count
                            ? columns->listed[column][integer - first]
                            : columns->no_word);
    }
    const uint32_t word = cor_words_find(&columns->words, cor_term_word(schema->family, (int)integer));
    return cor_word(word == COR_NONE ? columns->no_word : word);
}

static struct cor_value value_of(enum cor_case_answer answer) {
    return answer == COR_CASE_UNKNOWN ? cor_null() : cor_integer(answer == COR_CASE_YES);
}

/* Takes a case. */
static void columns_take(struct columns *columns, const struct cor_case_rows *rows) {
    columns->values[PROPERTY__CASE] = cor_integer(rows->row->case_);
    columns->values[PROPERTY__INSIDE] = value_of(cor_case_inside(rows));
    columns->values[PROPERTY__ALARM] = value_of(cor_case_alarm(rows));
    columns->values[columns->own - 1] = cor_integer(cor_case_failed(rows));
    for (uint32_t c = columns->own; c < columns->count; c++)
        if (columns->items[c].is_read)
            columns->values[c] = value_in(columns, c,
                                          columns->items[c].is_beside ? (const void *)rows->reorganization
                                                                      : (const void *)rows->row);
}

static const void *row_at(const struct columns *columns, const struct cor_asked_rows *rows,
                          enum cor_asked_table table, size_t index) {
    const uint32_t number = columns->layer->asked->tables[table];
    return (const char *)rows[table].rows + index * columns->layer->tables[number].row_size;
}

/* What a column holds that is 0 where there is none. */
static uint64_t number_in(const struct cor_column *column, const void *row) {
    return column ? cor_column_integer(column, row) : 0;
}

/* A sequence, as far as it is the same for all of its cases. */
struct ending {
    const struct cor_asked_rows *rows;
    const void *sequence;  /* its row */
    uint64_t last, failed; /* number of the last case; of that in which it failed, UINT64_MAX: it did not */
    bool is_cut, is_open;
};

static struct ending ending_of(const struct columns *columns, const struct cor_asked_rows *rows) {
    const struct cor_ending_source *source = columns->layer->asked->ending;
    const struct ending_columns *its = &columns->ending;
    const size_t count = rows[COR_ASKED_CASES].count;
    const void *sequence = rows[COR_ASKED_BESIDE].rows;
    struct ending ending = {.rows = rows,
                            .sequence = sequence,
                            .failed = UINT64_MAX,
                            .is_cut = number_in(its->cut, sequence) != 0 ||
                                      (source->cut_rows > 0 && count >= source->cut_rows),
                            .is_open = number_in(its->open, sequence) != 0};
    if (count > 0)
        ending.last =
            number_in(its->number[COR_ASKED_CASES], row_at(columns, rows, COR_ASKED_CASES, count - 1));
    if (number_in(its->verdict, sequence) == source->failed) {
        const uint64_t failed = number_in(its->failed_case, sequence);
        ending.failed = failed > 0 && failed < ending.last ? failed : ending.last;
    }
    return ending;
}

/* The row of a table of conditions that is of this one; NULL: none is. */
static const void *row_of_condition(const struct columns *columns, const struct cor_asked_rows *rows,
                                    enum cor_asked_table table, uint32_t condition) {
    for (size_t r = 0; r < rows[table].count; r++)
        if (number_in(columns->ending.condition[table], row_at(columns, rows, table, r)) == condition)
            return row_at(columns, rows, table, r);
    return NULL;
}

/* A condition of which bits of the case's row say whether it holds. */
static struct cor_value state_in(const struct columns *columns, uint32_t column, const void *row) {
    const uint32_t bit = columns->items[column].code;
    if (number_in(columns->ending.state_unknown, row) >> bit & 1)
        return cor_null();
    return cor_integer((int64_t)(number_in(columns->ending.state, row) >> bit & 1));
}

/* Takes case `index` of a sequence. What happened in a case that a limit cut is not all that would have; a
 * constraint that was not decided may have been violated in any. */
static void columns_take_rows(struct columns *columns, const struct ending *it, size_t index) {
    const struct ending_columns *its = &columns->ending;
    const size_t count = it->rows[COR_ASKED_CASES].count;
    const void *row = row_at(columns, it->rows, COR_ASKED_CASES, index);
    const uint64_t number = number_in(its->number[COR_ASKED_CASES], row);
    const bool is_last = index + 1 == count, has_failed = it->failed != UINT64_MAX,
               is_cut = it->is_cut && (its->whole ? number_in(its->whole, row) == 0 : is_last),
               is_known = has_failed || (!is_cut && !it->is_open),
               /* of several rows of a case the last one */
        is_end_of_case =
            is_last || number_in(its->number[COR_ASKED_CASES],
                                 row_at(columns, it->rows, COR_ASKED_CASES, index + 1)) != number,
               fails = it->failed == number && is_end_of_case;
    columns->values[PROPERTY__CASE] = cor_integer((int64_t)index + 1);
    columns->values[columns->own - 1] = fails || is_known ? cor_integer(fails) : cor_null();
    for (uint32_t c = columns->own; c < columns->tables; c++) {
        const struct column *column = &columns->items[c];
        const bool is_word = columns->domains[c].type == COR_VALUE_TYPE_ENUMERATION;
        if (!column->is_read)
            continue;
        if (!column->is_beside)
            columns->values[c] = is_cut && !is_word ? cor_null() : value_in(columns, c, row);
        else if (column->is_of_all)
            columns->values[c] = it->is_cut && !is_word ? cor_null() : value_in(columns, c, it->sequence);
        else /* how it failed, in the case of that */
            columns->values[c] =
                fails || is_known ? value_in(columns, c, fails ? it->sequence : NULL) : cor_null();
    }
    for (uint32_t c = columns->tables; c < columns->conditions; c++) {
        if (!columns->items[c].is_read)
            continue;
        /* True where it was met first. Unknown: nobody looked for it, or it may have been met behind the
         * place where the sequence was cut. */
        const uint32_t condition = columns->items[c].code;
        const void *first = row_of_condition(columns, it->rows, COR_ASKED_MET, condition);
        const uint64_t met = first ? number_in(its->number[COR_ASKED_MET], first) : 0,
                       at = met > it->last ? it->last : met;
        const bool is_looked_for =
            row_of_condition(columns, it->rows, COR_ASKED_LOOKED_FOR, condition) != NULL;
        columns->values[c] =
            at > 0 || (is_looked_for && !is_cut) ? cor_integer(at == number && at > 0) : cor_null();
    }
    for (uint32_t c = columns->conditions; c < columns->count; c++)
        if (columns->items[c].is_read)
            columns->values[c] = is_cut ? cor_null() : state_in(columns, c, row);
}

/* ---- A property from its text: kind, relation and bound, then what stands in brackets: a formula of time,
 * whose comparisons are found here and are conditions there, or an amount */

struct reader {
    struct cor_property *property;
    const char *place;
    const char *at; /* in the property's text */
    struct cor_error *error;
};

static const char shape_remedy[] = "P >= 0.99 [ formula ], E <= 40 [ amount ], Q 0.9 <= 40 [ amount ], "
                                   "S <= 0.2 [ number ]; without a relation it is estimated";

static enum cor_status complain(const struct reader *reader, const char *at, const char *remedy,
                                const char *what) {
    return cor_fail(reader->error, COR_STATUS_INPUT, reader->place, remedy, "column %zu of \"%.160s\": %s",
                    (size_t)(at - reader->property->text) + 1, reader->property->text, what);
}

static void skip_blanks(struct reader *reader) {
    reader->at += strspn(reader->at, " \t\r\n");
}

/* A number within low .. high; `what` says which one. */
static enum cor_status read_number(struct reader *reader, double low, double high, const char *what,
                                   double *number) {
    char *end, said[160], share[80];
    skip_blanks(reader);
    *number = strtod(reader->at, &end);
    snprintf(said, sizeof said, "expected %s", what);
    if (end == reader->at)
        return complain(reader, reader->at, shape_remedy, said);
    /* Shares are numbers up to 1 here: 0.9, and not 90 or 90 %. */
    const char *behind = end + strspn(end, " \t\r\n");
    const bool is_percent = *behind == '%', is_share = high <= 1 && *number > 1 && *number <= 100;
    snprintf(share, sizeof share, "write %.15g for %.15g %%", *number / 100, *number);
    snprintf(said, sizeof said, "%s is a number without \"%%\"", what);
    if (is_percent)
        return complain(reader, behind, share, said);
    snprintf(said, sizeof said, "%s lies between %g and %g", what, low, high);
    if (!(*number >= low && *number <= high))
        return complain(reader, reader->at, is_share ? share : NULL, said);
    reader->at = end;
    return COR_OK;
}

/* ">= 0.99", or nothing. */
static enum cor_status read_relation(struct reader *reader) {
    struct cor_property *property = reader->property;
    const bool is_probability = property->kind == COR_PROPERTY_PROBABILITY;
    skip_blanks(reader);
    if (*reader->at != '<' && *reader->at != '>')
        return COR_OK;
    property->relation = *reader->at == '<' ? COR_PROPERTY_AT_MOST : COR_PROPERTY_AT_LEAST;
    reader->at += reader->at[1] == '=' ? 2 : 1;
    return read_number(reader, is_probability ? 0 : -1e300, is_probability ? 1 : 1e300,
                       is_probability ? "the probability" : "the bound", &property->bound);
}

static enum cor_status read_head(struct reader *reader) {
    static const char letters[] = "PEQS";
    struct cor_property *property = reader->property;
    skip_blanks(reader);
    const char *found = *reader->at ? strchr(letters, *reader->at) : NULL;
    if (!found || strchr("abcdefghijklmnopqrstuvwxyz_", reader->at[1] ? reader->at[1] : ' '))
        return complain(reader, reader->at, shape_remedy, "expected P, E, Q or S");
    property->kind = (enum cor_property_kind)(found - letters);
    reader->at++;
    if (property->kind == COR_PROPERTY_QUANTILE) {
        COR_TRY(read_number(reader, 0, 1, "the share of the quantile", &property->quantile));
        if (property->quantile <= 0 || property->quantile >= 1)
            return complain(reader, reader->at, NULL, "a quantile's share lies between 0 and 1 (exclusive)");
    }
    COR_TRY(read_relation(reader));
    skip_blanks(reader);
    if (*reader->at != '[')
        return complain(reader, reader->at, shape_remedy, "expected \"[\"");
    reader->at++;
    return COR_OK;
}

/* What stands between the first bracket and the last. */
static enum cor_status read_inner(struct reader *reader, char **inner) {
    const char *end = reader->at + strlen(reader->at);
    while (end > reader->at && strchr(" \t\r\n", end[-1]))
        end--;
    if (end == reader->at || end[-1] != ']')
        return complain(reader, end, NULL, "expected \"]\" at the end");
    skip_blanks(reader);
    for (end--; end > reader->at && strchr(" \t\r\n", end[-1]);)
        end--;
    if (end <= reader->at)
        return complain(reader, reader->at, NULL, "there is nothing between the brackets");
    *inner = cor_format("%.*s", (int)(end - reader->at), reader->at);
    return cor_made(*inner, reader->error);
}

/* ---- formulas */

static enum cor_status add_condition(struct cor_property *property, char *name, uint32_t column,
                                     struct cor_error *error) {
    COR_TRY(cor_made(name, error));
    for (uint32_t c = 0; c < property->condition_count; c++)
        if (strcmp(property->conditions[c].name, name) == 0) {
            free(name);
            return COR_OK;
        }
    property->conditions[property->condition_count] = (struct condition){.name = name, .column = column};
    property->names[property->condition_count++] = name;
    return COR_OK;
}

static struct cor_scope scope_of(struct cor_property *property) {
    static const struct cor_shape nothing_but_columns = {0};
    return (struct cor_scope){.symbols = property->columns.symbols,
                              .symbol_count = property->columns.count,
                              .words = &property->columns.words,
                              .shape = &nothing_but_columns};
}

/* A comparison becomes a condition that is called as it is written. */
static enum cor_status add_comparison(const struct reader *reader, const char *at, size_t length) {
    struct cor_property *property = reader->property;
    char place[200];
    if (property->condition_count == COR_TEMPORAL_CONDITIONS_MAX + property->columns.count)
        return complain(reader, reader->at, "split the property", "more comparisons than a formula may have");
    const uint32_t before = property->condition_count;
    COR_TRY(add_condition(property, cor_format("%.*s", (int)length, at), COR_NONE, reader->error));
    if (property->condition_count == before)
        return COR_OK;
    struct condition *condition = &property->conditions[before];
    const struct cor_scope scope = scope_of(property);
    snprintf(place, sizeof place, "%s%s\"%.100s\"", reader->place ? reader->place : "",
             reader->place ? ": " : "", condition->name);
    return cor_expression_parse_condition(condition->name, &scope, place, &condition->comparison,
                                          reader->error);
}

/* A name that is a number has to be compared; the others are left to the formula's reader. */
static enum cor_status check_name(const struct reader *reader, const char *at, size_t length) {
    const struct columns *columns = &reader->property->columns;
    char what[160];
    for (uint32_t c = 0; c < columns->count; c++) {
        if (strlen(columns->items[c].name) != length || memcmp(columns->items[c].name, at, length) != 0 ||
            columns->domains[c].type == COR_VALUE_TYPE_BOOLEAN)
            continue;
        const bool is_code = columns->domains[c].type == COR_VALUE_TYPE_ENUMERATION;
        snprintf(what, sizeof what, "\"%s\" is %s, not a condition", columns->items[c].name,
                 is_code ? "a word" : "a number");
        return complain(reader, reader->at, is_code ? "compare it: gray = 'failed'" : "compare it: moved > 3",
                        what);
    }
    return COR_OK;
}

static enum cor_status find_conditions(struct reader *reader) {
    struct cor_property *property = reader->property;
    struct columns *columns = &property->columns;
    const size_t most = columns->count + COR_TEMPORAL_CONDITIONS_MAX + 1;
    COR_TRY(cor_made(property->conditions = cor_calloc(most, sizeof *property->conditions), reader->error));
    COR_TRY(cor_made(property->names = cor_calloc(most, sizeof *property->names), reader->error));
    for (uint32_t c = 0; c < columns->count; c++)
        if (columns->domains[c].type == COR_VALUE_TYPE_BOOLEAN)
            COR_TRY(add_condition(property, cor_strdup(columns->items[c].name), c, reader->error));
    for (const char *at = property->formula; *at;) {
        size_t other, length = cor_temporal_operand(at, &other);
        if (length > 0 && strcspn(at, "<>=") < length)
            COR_TRY(add_comparison(reader, at, length));
        else if (length > 0)
            COR_TRY(check_name(reader, at, length));
        at += length + other;
        reader->at += length + other;
    }
    return COR_OK;
}

/* There is something to decide: with nothing known of the first case the verdict is open. */
static enum cor_status expect_open(struct reader *reader) {
    struct cor_property *property = reader->property;
    COR_TRY(property__begin(property, reader->error));
    struct cor_error *error = reader->error;
    memset(property->states, COR_TEMPORAL_UNKNOWN, property->condition_count);
    COR_TRY(cor_temporal_step(property->watch, property->states, error));
    if (cor_temporal_decided_at(property->watch) != COR_TEMPORAL_OPEN &&
        cor_temporal_verdict(property->watch) != COR_TEMPORAL_UNKNOWN)
        return cor_fail(
            reader->error, COR_STATUS_INPUT, reader->place, "say what a case has to show",
            "\"%.160s\" is %s before the first case: there is nothing to decide", property->formula,
            cor_temporal_verdict(property->watch) == COR_TEMPORAL_HOLDS ? "satisfied" : "violated");
    return COR_OK;
}

static enum cor_status read_formula(struct reader *reader) {
    struct cor_property *property = reader->property;
    COR_TRY(read_inner(reader, &property->formula));
    COR_TRY(find_conditions(reader));
    COR_TRY(cor_temporal_parse(property->formula, property->names, reader->place, &property->temporal,
                               reader->error));
    COR_TRY(cor_made(property->states = cor_calloc(property->condition_count, 1), reader->error));
    property->degrees = cor_calloc(property->condition_count, sizeof *property->degrees);
    COR_TRY(cor_made(property->degrees, reader->error));
    return expect_open(reader);
}

/* ---- amounts */

static bool takes_word(const char **at, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0 || !strchr(" \t\r\n", (*at)[length]))
        return false;
    *at += length;
    *at += strspn(*at, " \t\r\n");
    return true;
}

/* "at CASE" at the end, which is cut off. */
static enum cor_status read_case(const struct reader *reader, char *inner) {
    char *at = NULL, *end;
    for (char *next = inner; (next = strstr(next, " at ")); next++)
        at = next;
    if (!at)
        return COR_OK;
    const unsigned long number = strtoul(at + strlen(" at "), &end, 10);
    if (*end || number < 1 || number > UINT32_MAX)
        return complain(reader, reader->at, "write the number of a case, from 1: moved at 10",
                        "expected a case behind \"at\"");
    reader->property->amount = COR_PROPERTY_AT;
    reader->property->at = (uint32_t)number;
    *at = '\0';
    return COR_OK;
}

static enum cor_status read_amount(struct reader *reader) {
    static const struct {
        const char *word;
        enum cor_property_amount amount;
    } amounts[] = {{"mean", COR_PROPERTY_MEAN},
                   {"sum", COR_PROPERTY_SUM},
                   {"max", COR_PROPERTY_MAX},
                   {"min", COR_PROPERTY_MIN}};
    static const struct cor_domain real = {COR_VALUE_TYPE_REAL, "float", NULL, 0};
    struct cor_property *property = reader->property;
    COR_FREED char *inner = NULL;
    bool is_said = false;
    COR_TRY(read_inner(reader, &inner));
    const char *number = inner;
    for (size_t a = 0; a < sizeof amounts / sizeof *amounts && !is_said; a++)
        if (takes_word(&number, amounts[a].word)) {
            is_said = true;
            property->amount = amounts[a].amount;
        }
    if (property->kind == COR_PROPERTY_STEADY && is_said)
        COR_TRY(complain(reader, reader->at, "write the number alone: S <= 0.2 [ dissimilarity ]",
                         "what holds in the long run is a mean over cases"));
    if (!is_said && property->kind != COR_PROPERTY_STEADY)
        COR_TRY(read_case(reader, inner));
    for (uint32_t c = 0; c < property->columns.count; c++) /* "sum alarm" counts alarms */
        if (property->columns.domains[c].type == COR_VALUE_TYPE_BOOLEAN)
            property->columns.domains[c] = (struct cor_domain){COR_VALUE_TYPE_INTEGER, "int", NULL, 0};
    const struct cor_scope scope = scope_of(property);
    return cor_expression_parse_value(number, &scope, &real, reader->place, &property->number, reader->error);
}

/* What stands in the last quotation marks of the cause. */
static bool is_about(const char *cause, const char *name) {
    const size_t length = strlen(cause), size = strlen(name);
    return strstr(cause, "there is no ") && length > size + 2 && cause[length - 1] == '"' &&
           cause[length - size - 2] == '"' && memcmp(cause + length - size - 1, name, size) == 0;
}

void cor_property_name_constraints(const char *const *names, struct cor_error *error) {
    for (size_t i = 0; error && error->status == COR_STATUS_INPUT && names[i]; i++)
        if (is_about(error->cause, names[i])) {
            snprintf(error->remedy, sizeof error->remedy,
                     "\"%.100s\" is a constraint of the corridor, and a property is asked of columns: "
                     "\"inside\" says that all constraints hold, \"alarm\" that the monitor saw a trigger "
                     "violated; which constraints failed: corridor show FILE tables --sheet constraints",
                     names[i]);
            return;
        }
}

/* A name that is none of the columns: what is asked instead, where the layer says so. */
static enum cor_status name_instead(const struct cor_property_source *source, enum cor_status status,
                                    struct cor_error *error) {
    const char *found =
        status == COR_STATUS_INPUT && error && source->instead ? strstr(error->cause, "there is no ") : NULL;
    const char *name = found ? strchr(found, '"') : NULL, *end = name ? strchr(name + 1, '"') : NULL;
    if (!end || end[1])
        return status;
    char cause[sizeof error->cause], remedy[sizeof error->remedy];
    snprintf(cause, sizeof cause, "%.*s%.*s is no column of %s", (int)(found - error->cause), error->cause,
             (int)(end + 1 - name), name, source->of);
    snprintf(remedy, sizeof remedy, "%s; %.700s", source->instead, error->remedy);
    memcpy(error->cause, cause, sizeof cause);
    memcpy(error->remedy, remedy, sizeof remedy);
    return status;
}

enum cor_status cor_property_parse(const char *text, const char *place, struct cor_property **made,
                                   struct cor_error *error) {
    return cor_property_parse_of(NULL, text, place, made, error);
}

enum cor_status cor_property_parse_of(const struct cor_result_header *head, const char *text,
                                      const char *place, struct cor_property **made,
                                      struct cor_error *error) {
    enum cor_status status = COR_OK;
    *made = NULL;
    if (strlen(text) > COR_PROPERTY_BYTES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, place, "split the property",
                        "the property has %zu bytes; at most %d are read", strlen(text),
                        COR_PROPERTY_BYTES_MAX);
    struct cor_property *property = cor_calloc(1, sizeof *property);
    COR_TRY(cor_made(property, error));
    COR_TRY_OUT(cor_made(property->text = cor_strdup(text), error));
    COR_TRY_OUT(columns_init(&property->columns, head, error));
    struct reader reader = {property, place, property->text, error};
    COR_TRY_OUT(read_head(&reader));
    status = property->kind == COR_PROPERTY_PROBABILITY ? read_formula(&reader) : read_amount(&reader);
    COR_TRY_OUT(head ? name_instead(head->layer->asked, status, error) : status);
    /* Which columns the property reads. */
    for (uint32_t c = 0; c < property->columns.count; c++) {
        bool reads = property->number.node_count > 0 && cor_expression_reads(&property->number, c);
        for (uint32_t i = 0; i < property->condition_count && !reads; i++)
            reads = property->conditions[i].column == COR_NONE
                        ? cor_expression_reads(&property->conditions[i].comparison, c)
                        : property->conditions[i].column == c &&
                              strstr(property->formula, property->columns.items[c].name);
        property->columns.items[c].is_read = reads;
    }
    *made = property;
out:
    if (status != COR_OK)
        cor_property_destroy(property);
    return status;
}

enum cor_status cor_measure_parse(const char *amount, const char *place, struct cor_property **measure,
                                  struct cor_error *error) {
    return cor_measure_parse_of(NULL, amount, place, measure, error);
}

enum cor_status cor_measure_parse_of(const struct cor_result_header *head, const char *amount,
                                     const char *place, struct cor_property **measure,
                                     struct cor_error *error) {
    char *text = cor_format("E [ %s ]", amount);
    COR_TRY(cor_made(text, error));
    const enum cor_status status = cor_property_parse_of(head, text, place, measure, error);
    free(text);
    return status;
}

/* ---- A property asked of the cases of a sequence, one after the other */

static const struct cor_world nothing = {0};

void cor_property_destroy(struct cor_property *property) {
    if (!property)
        return;
    cor_temporal_watch_destroy(property->watch);
    cor_temporal_destroy(property->temporal);
    for (uint32_t c = 0; c < property->condition_count; c++) {
        cor_expression_fini(&property->conditions[c].comparison);
        free(property->conditions[c].name);
    }
    COR_FREE(property->conditions, property->names, property->states, property->degrees);
    cor_expression_fini(&property->number);
    struct columns *columns = &property->columns;
    for (uint32_t c = 0; columns->listed && c < columns->count; c++) {
        COR_FREE(columns->listed[c], columns->items[c].condition);
    }
    COR_FREE(columns->listed, columns->items, columns->symbols, columns->domains, columns->values);
    cor_words_fini(&columns->words);
    *columns = (struct columns){0};
    COR_FREE(property->numbers, property->formula, property->text, property);
}

const char *cor_property_text(const struct cor_property *property) {
    return property->text;
}

enum cor_property_kind cor_property_kind(const struct cor_property *property) {
    return property->kind;
}

enum cor_property_relation cor_property_relation(const struct cor_property *property) {
    return property->relation;
}

double cor_property_bound(const struct cor_property *property) {
    return property->bound;
}

double cor_property_quantile(const struct cor_property *property) {
    return property->quantile;
}

const char *cor_property_formula(const struct cor_property *property) {
    return property->formula;
}

struct cor_real_range cor_property_range(const struct cor_property *property,
                                         const struct cor_property_limits *limits) {
    struct cor_real_range columns[PROPERTY__COLUMNS_MAX];
    if (property->temporal)
        return (struct cor_real_range){0, 1};
    for (uint32_t c = 0; c < property->columns.count; c++)
        columns[c] = column_range(&property->columns, c, limits);
    struct cor_real_range range = cor_expression_real_range(&property->number, columns);
    if (property->amount == COR_PROPERTY_SUM && property->kind != COR_PROPERTY_STEADY) { /* of 1 .. cases */
        range.low = fmin(range.low, range.low == 0 ? 0 : range.low * limits->cases);
        range.high = fmax(range.high, range.high == 0 ? 0 : range.high * limits->cases);
    }
    return range;
}

/* Before the first case of a sequence. */
static enum cor_status property__begin(struct cor_property *property, struct cor_error *error) {
    property->so_far = property->amount == COR_PROPERTY_MAX   ? -INFINITY
                       : property->amount == COR_PROPERTY_MIN ? INFINITY
                       : property->amount == COR_PROPERTY_AT  ? (double)NAN
                                                              : 0;
    property->taken = 0;
    property->is_unknown = property->is_cut = false;
    if (!property->temporal)
        return COR_OK;
    cor_temporal_watch_destroy(property->watch);
    property->watch = NULL;
    return cor_temporal_watch_create(property->temporal, &property->watch, error);
}

static void find_states(struct cor_property *property) {
    for (uint32_t c = 0; c < property->condition_count; c++) {
        const struct condition *condition = &property->conditions[c];
        const struct columns *columns = &property->columns;
        enum cor_truth truth;
        if (condition->column == COR_NONE)
            truth = cor_expression_ask(&condition->comparison, columns->values, &nothing, NULL);
        else if (columns->values[condition->column].kind == COR_VALUE_NULL)
            truth = COR_TRUTH_UNKNOWN;
        else
            truth = columns->values[condition->column].as.integer != 0 ? COR_TRUTH_TRUE : COR_TRUTH_FALSE;
        property->states[c] = (uint8_t)cor_temporal_of(truth);
    }
}

/* Takes the next case, whose values the columns have; is_stopped: a failure ended the sequence with it. */
static enum cor_status take_values(struct cor_property *property, bool is_stopped, struct cor_error *error) {
    property->taken++;
    property->is_stopped = is_stopped;
    if (!property->temporal) {
        double number;
        if (!cor_expression_reckon(&property->number, property->columns.values, &nothing, &number))
            number = NAN;
        const bool counts = property->amount != COR_PROPERTY_AT || property->taken == property->at;
        if (!counts)
            return COR_OK;
        if (property->kind == COR_PROPERTY_STEADY) {
            COR_TRY(COR_RESERVE(&property->numbers, &property->capacity, property->taken, error));
            property->numbers[property->taken - 1] = number;
        }
        property->is_unknown = property->is_unknown || isnan(number);
        switch (property->amount) {
        case COR_PROPERTY_MEAN:
        case COR_PROPERTY_SUM:
            property->so_far += number;
            break;
        case COR_PROPERTY_MAX:
            property->so_far = number > property->so_far ? number : property->so_far;
            break;
        case COR_PROPERTY_MIN:
            property->so_far = number < property->so_far ? number : property->so_far;
            break;
        case COR_PROPERTY_AT:
            property->so_far = number;
        }
        return COR_OK;
    }
    find_states(property);
    return cor_temporal_step(property->watch, property->states, error);
}

/* Takes the next case. */
static enum cor_status property__take(struct cor_property *property, const struct cor_case_rows *rows,
                                      struct cor_error *error) {
    columns_take(&property->columns, rows);
    return take_values(property, cor_is_detection(rows->row->black), error);
}

/* What the formula is if the sequence ends here, or the amount so far. */
static struct cor_property_value property__now(const struct cor_property *property) {
    struct cor_property_value now = {.value = NAN, .is_cut = property->is_cut};
    if (property->temporal) {
        const uint64_t at = cor_temporal_decided_at(property->watch);
        const enum cor_temporal_value verdict = cor_temporal_verdict(property->watch);
        now.decided = at == COR_TEMPORAL_OPEN ? 0 : (uint32_t)at + 1;
        if (verdict != COR_TEMPORAL_UNKNOWN && (now.decided > 0 || !property->is_cut))
            now.value = verdict == COR_TEMPORAL_HOLDS;
        return now;
    }
    const uint32_t least = property->amount == COR_PROPERTY_AT ? property->at : 1;
    const bool is_cut = property->is_cut && property->amount != COR_PROPERTY_AT;
    if (property->is_unknown || is_cut || property->taken < least)
        return now;
    if (property->kind == COR_PROPERTY_STEADY) {
        if (property->is_stopped)
            return now;
        now.numbers = property->numbers;
        now.number_count = property->taken;
    }
    now.value = property->amount == COR_PROPERTY_MEAN ? property->so_far / property->taken : property->so_far;
    return now;
}

enum cor_status cor_property_ask(struct cor_property *property, const struct cor_case_tables *rows,
                                 struct cor_property_value *value, struct cor_error *error) {
    struct cor_case_cursor cursor = {0};
    COR_TRY(property__begin(property, error));
    /* How many of its cases are to be taken. A mechanism works behind its case, which is whole; in that of a
     * monitor that failed nobody says whether there is an alarm. */
    bool *is_cut = &property->is_cut;
    size_t count = rows->case_count;
    *is_cut = false;
    for (size_t v = 0; v < rows->violation_count; v++) {
        if (!cor_is_foreign_smoke(rows->violations[v].check))
            continue;
        *is_cut = true;
        while (rows->violations[v].check == COR_CHECK_MONITOR_SMOKE && count > 0 &&
               rows->cases[count - 1].case_ >= rows->violations[v].case_)
            count--;
    }
    for (size_t c = 0; c < count; c++) {
        const struct cor_case_rows of_case = cor_case_at(rows, c, &cursor);
        COR_TRY(property__take(property, &of_case, error));
        if (property->temporal && cor_temporal_decided_at(property->watch) != COR_TEMPORAL_OPEN)
            break;
    }
    *value = property__now(property);
    value->cases = (uint32_t)rows->case_count;
    return COR_OK;
}

/* Of rows of a table of a suite those of a sequence. */
static struct cor_asked_rows rows_of_sequence(const struct columns *columns,
                                              const struct cor_asked_rows *suite, enum cor_asked_table table,
                                              uint32_t sequence) {
    const struct cor_column *key = columns->ending.sequence[table];
    struct cor_asked_rows found = {NULL, 0};
    if (!key)
        return suite[table];
    for (size_t i = 0; i < suite[table].count; i++)
        if (number_in(key, row_at(columns, suite, table, i)) == sequence && found.count++ == 0)
            found.rows = row_at(columns, suite, table, i);
    return found;
}

enum cor_status cor_property_ask_rows(struct cor_property *property,
                                      const struct cor_asked_rows suite[COR_ASKED_COUNT], uint32_t sequence,
                                      struct cor_property_value *value, struct cor_error *error) {
    struct columns *columns = &property->columns;
    const struct cor_property_source *source = columns->layer->asked;
    struct cor_asked_rows rows[COR_ASKED_COUNT];
    for (enum cor_asked_table t = COR_ASKED_CASES; t < COR_ASKED_COUNT; t++)
        rows[t] = t == COR_ASKED_LOOKED_FOR ? suite[t] : rows_of_sequence(columns, suite, t, sequence);
    const size_t count = rows[COR_ASKED_CASES].count;
    /* A test without a sequence number may end before its first case. */
    if (rows[COR_ASKED_BESIDE].count == 0 || (count == 0 && source->ending->sequence))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "run it again so that they are",
                        "cases of %s that did not fail were not kept, so nothing is known of %s %" PRIu32
                        " of a suite",
                        source->of, source->one, sequence);
    const struct ending ending = ending_of(columns, rows);
    const bool has_failed = ending.failed != UINT64_MAX;
    COR_TRY(property__begin(property, error));
    property->is_cut = ending.is_cut;
    for (size_t i = 0; i < count; i++) {
        columns_take_rows(columns, &ending, i);
        COR_TRY(take_values(property, has_failed && i + 1 == count, error));
        if (property->temporal && cor_temporal_decided_at(property->watch) != COR_TEMPORAL_OPEN)
            break;
    }
    *value = property__now(property);
    if (count == 0)
        value->value = NAN;
    value->has_failed = has_failed;
    value->cases = (uint32_t)count;
    return COR_OK;
}

enum cor_status cor_property_reasons(struct cor_property *property, const struct cor_case_tables *rows,
                                     char **lines, struct cor_error *error) {
    const size_t width = property->condition_count;
    struct cor_property_value value;
    COR_FREED struct cor_temporal_reason *reasons = NULL;
    struct cor_case_cursor cursor = {0};
    size_t reason_count;
    bool is_enough;
    COR_ASSERT(property->temporal);
    *lines = NULL;
    COR_TRY(cor_property_ask(property, rows, &value, error));
    const size_t count = value.decided > 0 ? value.decided : rows->case_count;
    COR_FREED uint8_t *states = cor_calloc(count * width + 1, 1);
    COR_TRY(cor_made(states, error));
    for (size_t c = 0; c < count; c++) {
        const struct cor_case_rows of_case = cor_case_at(rows, c, &cursor);
        columns_take(&property->columns, &of_case);
        find_states(property);
        memcpy(states + c * width, property->states, width);
    }
    COR_TRY(cor_temporal_reasons(property->temporal, states, width, count, value.decided > 0, &reasons,
                                 &reason_count, &is_enough, error));
    for (size_t r = 0; r < reason_count; r++) {
        char words[1024];
        cor_temporal_reason_text(&reasons[r], property->formula, property->names, "case", 1, words,
                                 sizeof words);
        *lines = *lines ? cor_join_take(*lines, "\n", cor_strdup(words)) : cor_strdup(words);
        COR_TRY(cor_made(*lines, error));
    }
    return COR_OK;
}

/* ---- A property along sequences that part: cases are taken one after the other, kept as what its conditions
 * were in them, and taken again where a sequence goes on from; and how far the formula is from holding */

/* Degrees are counted in so many parts of 1, and a condition that does not hold lacks one at least. */
#define PARTS (UINT64_C(1) << 20)
#define LEAST (1 / (double)PARTS)

static const struct cor_world nothing_follow = {0};

enum cor_status cor_property_begin(struct cor_property *property, struct cor_error *error) {
    return property__begin(property, error);
}

void cor_property_restart(struct cor_property *property) {
    COR_ASSERT(property->temporal && property->watch);
    cor_temporal_restart(property->watch);
    property->taken = 0;
    property->is_cut = false;
}

enum cor_status cor_property_take(struct cor_property *property, const struct cor_case_rows *rows,
                                  struct cor_error *error) {
    return property__take(property, rows, error);
}

struct cor_property_value cor_property_now(const struct cor_property *property) {
    return property__now(property);
}

size_t cor_property_width(const struct cor_property *property) {
    return property->condition_count;
}

const uint8_t *cor_property_taken(const struct cor_property *property) {
    return property->states;
}

enum cor_status cor_property_retake(struct cor_property *property, const uint8_t *states,
                                    struct cor_error *error) {
    property->taken++;
    memcpy(property->states, states, property->condition_count);
    return cor_temporal_step(property->watch, property->states, error);
}

static double from_parts(uint64_t degree) {
    return degree == COR_DEGREE_INFINITE ? INFINITY : (double)degree / (double)PARTS;
}

/* How far a column that is true or false is from being otherwise: 1, but where the invariant and the alarm
 * hang on a measure with a threshold the way to that. */
static double off_of(const struct cor_property *property, uint32_t column,
                     const struct cor_property_measures *measures) {
    const char *name = property->columns.items[column].name;
    const double off = column == PROPERTY__INSIDE   ? fabs(measures->left - measures->threshold)
                       : strcmp(name, "alarm") == 0 ? fabs(measures->found - measures->threshold)
                                                    : 1;
    return isnan(off) ? 1 : off > LEAST ? off : LEAST;
}

static struct cor_temporal_degrees degrees_of(const struct cor_property *property,
                                              const struct condition *condition,
                                              const struct cor_property_measures *measures) {
    const struct columns *columns = &property->columns;
    if (condition->column == COR_NONE) {
        uint64_t of, of_denial;
        cor_expression_degrees_in(&condition->comparison, columns->values, &nothing_follow, PARTS, &of,
                                  &of_denial);
        return (struct cor_temporal_degrees){from_parts(of), from_parts(of_denial)};
    }
    const struct cor_value *value = &columns->values[condition->column];
    if (!columns->items[condition->column].is_read || value->kind == COR_VALUE_NULL)
        return (struct cor_temporal_degrees){INFINITY, INFINITY};
    const double off = off_of(property, condition->column, measures);
    return value->as.integer != 0 ? (struct cor_temporal_degrees){0, off}
                                  : (struct cor_temporal_degrees){off, 0};
}

enum cor_status cor_property_distance(struct cor_property *property,
                                      const struct cor_property_measures *measures, uint32_t left,
                                      struct cor_property_distance *distance, struct cor_error *error) {
    struct cor_temporal_distance found;
    COR_ASSERT(property->temporal);
    for (uint32_t c = 0; c < property->condition_count; c++)
        property->degrees[c] = degrees_of(property, &property->conditions[c], measures);
    COR_TRY(cor_temporal_distance(property->watch, property->degrees, left, &found, error));
    *distance = (struct cor_property_distance){
        found.states == COR_TEMPORAL_NEVER ? COR_PROPERTY_NEVER : found.states, found.degree};
    return COR_OK;
}
