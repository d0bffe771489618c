/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"
#include "model_reader.h"

#include <corridor/array.h>
#include <corridor/names.h>

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void combine__place_of(const struct combine__reader *reader, const char *at, char *place, size_t size) {
    size_t line = 1, column = 1;
    const char *start = reader->start;
    COR_ASSERT(at >= start && (size_t)(at - start) <= strlen(start)); /* of this text, and no other */
    for (const char *c = start; c < at; c++) {
        line += *c == '\n';
        column = *c == '\n' ? 1 : column + ((*c & 0xC0) != 0x80); /* no byte within a character */
    }
    snprintf(place, size, "%s:%zu:%zu", reader->name, line, column);
}

enum cor_status combine__fail_at(const struct combine__reader *reader, const char *at, const char *remedy,
                                 const char *cause_format, ...) {
    char place[512], cause[1024];
    va_list arguments;
    va_start(arguments, cause_format);
    vsnprintf(cause, sizeof cause, cause_format, arguments);
    va_end(arguments);
    combine__place_of(reader, at, place, sizeof place);
    return cor_fail(reader->error, COR_STATUS_INPUT, place, remedy, "%s", cause);
}

enum cor_status combine__fail_expected(const struct combine__reader *reader, const char *wanted) {
    char found[64];
    /* What stands at `at`, for a message. */
    const size_t size = sizeof found;
    size_t length = strcspn(reader->at, " \t\r\n");
    if (*reader->at == '\0')
        snprintf(found, size, "the end");
    else if (*reader->at == '\n' || *reader->at == '\r')
        snprintf(found, size, "the end of the line");
    else
        snprintf(found, size, "\"%.*s\"", (int)(length == 0 ? 1 : length > 40 ? 40 : length), reader->at);
    return combine__fail_at(reader, reader->at, NULL, "expected %s, found %s", wanted, found);
}

bool combine__is_keyword(const char *at, const char *word) {
    size_t length = strlen(word);
    return strncasecmp(at, word, length) == 0 && !isalnum((unsigned char)at[length]) && at[length] != '_';
}

/* `from` .. `to` without blanks around it, as text. */
enum cor_status combine__copy_trimmed(const struct combine__reader *reader, const char *from, const char *to,
                                      char *text) {
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    if (to - from > COMBINE__TEXT_MAX)
        return combine__fail_at(reader, from, NULL, "is longer than %d bytes", COMBINE__TEXT_MAX);
    memcpy(text, from, (size_t)(to - from));
    text[to - from] = '\0';
    if (!cor_is_printable(text))
        return combine__fail_at(reader, from, "write it in UTF-8, without control characters",
                                "an unprintable text");
    return COR_OK;
}

static bool equals(const struct combine__reader *reader, const char *a, const char *b) {
    return reader->any_case ? combine__combine_compare(a, b) == 0 : strcmp(a, b) == 0;
}

enum cor_status combine__find_parameter(const struct combine__reader *reader, const char *at,
                                        const char *name, uint32_t *parameter) {
    const struct cor_combine_model *model = reader->model;
    for (*parameter = 0; *parameter < model->parameter_count; ++*parameter)
        if (equals(reader, model->parameters[*parameter].name, name))
            return COR_OK;
    char known[512];
    cor_names_known(
        COR_RECORD_NAMES(model->parameters, model->parameter_count, struct combine__combine_parameter, name),
        name, known, sizeof known);
    return combine__fail_at(reader, at, known, "there is no parameter \"%s\"", name);
}

enum cor_status combine__find_level(const struct combine__reader *reader, const char *at, uint32_t parameter,
                                    const char *text, uint32_t *level) {
    const struct combine__combine_parameter *p = &reader->model->parameters[parameter];
    *level = cor_combine_find_level(reader->model, parameter, text);
    if (*level != COR_NONE)
        return COR_OK;
    for (*level = 0; *level < p->level_count; ++*level)
        if (equals(reader, combine__combine_bare(&p->levels[*level]), text))
            return COR_OK;
    for (size_t i = 0; i < p->alias_count; i++)
        if (equals(reader, p->aliases[i].text, text)) {
            *level = p->aliases[i].level;
            return COR_OK;
        }
    COR_FREED const char **names = cor_calloc(p->level_count + 1, sizeof *names);
    char known[512];
    COR_TRY(cor_made(names, reader->error));
    for (uint32_t i = 0; i < p->level_count; i++)
        names[i] = combine__combine_bare(&p->levels[i]);
    cor_known_names(text, names, known, sizeof known);
    return combine__fail_at(reader, at, known, "\"%s\" has no value \"%s\"", p->name, text);
}

bool combine__read_integer(const char *text, int64_t *integer) {
    char *end;
    errno = 0;
    *integer = strtoll(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && !isspace((unsigned char)*text);
}

enum cor_status combine__values_add(struct combine__reader *reader, struct combine__values *values,
                                    const char *text, bool invalid) {
    int64_t integer;
    double real;
    COR_TRY(COR_RESERVE(&values->levels, &values->level_capacity, values->count + 1, reader->error));
    COR_TRY(COR_RESERVE(&values->texts, &values->text_capacity, values->count + 1, reader->error));
    char *own = cor_format("%s%s", invalid ? "~" : "", text);
    COR_TRY(cor_made(own, reader->error));
    values->texts[values->count] = own;
    values->levels[values->count++] = (struct cor_combine_level){.text = own, .invalid = invalid};
    values->some_other_than_integer |= !combine__read_integer(text, &integer);
    values->some_other_than_number |= !combine__combine_number(text, &real);
    return COR_OK;
}

/* Another name for the value that was added last. */
enum cor_status combine__values_alias(struct combine__reader *reader, struct combine__values *values,
                                      const char *text) {
    COR_TRY(COR_RESERVE(&values->aliases, &values->alias_capacity, values->alias_count + 1, reader->error));
    char *own = cor_strdup(text);
    COR_TRY(cor_made(own, reader->error));
    values->aliases[values->alias_count++] =
        (struct combine__combine_alias){own, (uint32_t)values->count - 1};
    return COR_OK;
}

enum cor_value_type combine__values_type(const struct combine__values *values) {
    return !values->some_other_than_integer  ? COR_VALUE_TYPE_INTEGER
           : !values->some_other_than_number ? COR_VALUE_TYPE_REAL
                                             : COR_VALUE_TYPE_ENUMERATION;
}

/* The value of a level that is shown by its text. */
static enum cor_status make_value(const struct combine__reader *reader, enum cor_value_type type,
                                  struct cor_combine_level *level) {
    const char *text = combine__combine_bare(level);
    int64_t integer = 0;
    double real = 0;
    uint32_t word = 0;
    switch (type) {
    case COR_VALUE_TYPE_INTEGER:
        combine__read_integer(text, &integer);
        level->value = cor_integer(integer);
        return COR_OK;
    case COR_VALUE_TYPE_REAL:
        combine__combine_number(text, &real);
        level->value = cor_real(real);
        return COR_OK;
    case COR_VALUE_TYPE_BOOLEAN:
        level->value = cor_integer(strcasecmp(text, "true") == 0);
        return COR_OK;
    case COR_VALUE_TYPE_STRING:
    case COR_VALUE_TYPE_ENUMERATION:
        break;
    }
    COR_TRY(cor_words_intern(reader->model->words, text, &word, reader->error));
    level->value = cor_word(word);
    return COR_OK;
}

/* Of a value, and then of what else values are called. */
static const char *value_name(const struct combine__values *values, size_t index) {
    return index < values->count ? combine__combine_bare(&values->levels[index])
                                 : values->aliases[index - values->count].text;
}

static size_t level_called(const struct combine__values *values, size_t index) {
    return index < values->count ? index : values->aliases[index - values->count].level;
}

enum cor_status combine__values_keep(struct combine__reader *reader, const char *at, const char *name,
                                     struct combine__values *values, enum cor_value_type type) {
    char place[512];
    /* Where names are found whatever their letters' size, those that differ in it alone are one name. */
    for (size_t j = 0; reader->any_case && j < reader->model->parameter_count; j++) {
        const char *other = reader->model->parameters[j].name;
        if (strcmp(other, name) != 0 && equals(reader, other, name))
            return combine__fail_at(
                reader, at, "give each parameter a name of its own",
                "the parameters \"%s\" and \"%s\" differ in the size of letters alone, which "
                "PICT takes for one name",
                other, name);
    }
    const size_t count = values->count + values->alias_count;
    for (size_t j = 0; reader->any_case && j < count; j++)
        for (size_t k = 0; k < j; k++) {
            const char *one = value_name(values, k), *other = value_name(values, j);
            if (level_called(values, k) != level_called(values, j) && strcmp(one, other) != 0 &&
                equals(reader, one, other))
                return combine__fail_at(
                    reader, at, "give each value a name of its own",
                    "the values \"%s\" and \"%s\" of \"%s\" differ in the size of letters "
                    "alone, which PICT takes for one value",
                    one, other, name);
        }
    for (size_t i = 0; i < values->count; i++)
        COR_TRY(make_value(reader, type, &values->levels[i]));
    combine__place_of(reader, at, place, sizeof place);
    COR_TRY(cor_combine_add_parameter(reader->model, name, type, values->levels, (uint32_t)values->count,
                                      place, reader->error));
    for (size_t i = 0; i < values->alias_count; i++)
        COR_TRY(combine__combine_add_alias(reader->model, values->aliases[i].level, values->aliases[i].text,
                                           reader->error));
    return COR_OK;
}

void combine__values_fini(struct combine__values *values) {
    for (size_t i = 0; i < values->alias_count; i++)
        free(values->aliases[i].text);
    free(values->aliases);
    for (size_t i = 0; i < values->count; i++)
        free(values->texts[i]);
    COR_FREE(values->levels, values->texts);
    *values = (struct combine__values){0};
}

enum cor_status combine__put(struct combine__reader *reader, const char *text) {
    size_t length = strlen(text);
    COR_TRY(
        COR_RESERVE(&reader->made, &reader->made_capacity, reader->made_length + length + 1, reader->error));
    memcpy(reader->made + reader->made_length, text, length + 1);
    reader->made_length += length;
    return COR_OK;
}

enum cor_status combine__put_parameter(struct combine__reader *reader, uint32_t parameter) {
    COR_TRY(combine__put(reader, "["));
    COR_TRY(combine__put(reader, reader->model->parameters[parameter].name));
    return combine__put(reader, "]");
}

/* "[A] = value" */
enum cor_status combine__put_comparison(struct combine__reader *reader, uint32_t parameter,
                                        const char *relation, struct cor_value value) {
    char text[2 * COMBINE__TEXT_MAX + 8];
    cor_value_text(value, NULL, reader->model->words, text, sizeof text);
    COR_TRY(combine__put_parameter(reader, parameter));
    COR_TRY(combine__put(reader, relation));
    return combine__put(reader, text);
}

/* The text between, with single blanks, as it is shown. */
static char *as_written(const char *from, const char *to) {
    char *text = cor_calloc((size_t)(to - from) + 1, 1), *end = text;
    for (; text && from < to; from++)
        if (!isspace((unsigned char)*from))
            *end++ = *from;
        else if (end > text && end[-1] != ' ')
            *end++ = ' ';
    return text;
}

enum cor_status combine__keep_constraint(struct combine__reader *reader, const char *start, const char *end) {
    char place[512], *written = as_written(start, end);
    COR_TRY(cor_made(written, reader->error));
    combine__place_of(reader, start, place, sizeof place);
    enum cor_status status =
        combine__combine_add_constraint(reader->model, reader->made, written, place, reader->error);
    free(written);
    return status;
}

/* ---- texts in UTF-8 compared without heed of their letters' size, in any locale: simple case folding of
 * Unicode for Latin (with Latin-1 and Extended-A), Greek and Cyrillic. All other letters are themselves */

uint32_t combine__combine_letter(const char **text) {
    const unsigned char *at = (const unsigned char *)*text;
    uint32_t letter = *at;
    uint32_t more = letter >= 0xf0 ? 3 : letter >= 0xe0 ? 2 : letter >= 0xc0 ? 1 : 0;
    for (uint32_t i = 1; i <= more; i++)
        if ((at[i] & 0xc0) != 0x80)
            more = 0; /* no UTF-8: byte by byte */
    letter = more > 0 ? letter & (0x3fu >> more) : letter;
    for (uint32_t i = 1; i <= more; i++)
        letter = letter << 6 | (at[i] & 0x3f);
    *text += more + (*at != '\0');
    if (letter < 0x80)
        return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
    if ((letter >= 0xc0 && letter <= 0xde && letter != 0xd7) || (letter >= 0x391 && letter <= 0x3ab) ||
        (letter >= 0x410 && letter <= 0x42f))
        return letter + 32;
    if (letter >= 0x400 && letter <= 0x40f)
        return letter + 80;
    if (letter == 0x178)
        return 0xff;
    if (letter == 0x3c2) /* the sigma at the end of a word */
        return 0x3c3;
    if (letter == 0x386)
        return 0x3ac;
    if (letter >= 0x388 && letter <= 0x38a)
        return letter + 37;
    if (letter == 0x38c)
        return 0x3cc;
    if (letter == 0x38e || letter == 0x38f)
        return letter + 63;
    /* Pairs, the capital letter first: even or odd. */
    if ((letter >= 0x100 && letter <= 0x137 && letter != 0x130 && letter != 0x131) ||
        (letter >= 0x14a && letter <= 0x177) || (letter >= 0x460 && letter <= 0x481) ||
        (letter >= 0x48a && letter <= 0x4bf) || (letter >= 0x4d0 && letter <= 0x52f))
        return letter | 1;
    if ((letter >= 0x139 && letter <= 0x148) || (letter >= 0x179 && letter <= 0x17e) ||
        (letter >= 0x4c1 && letter <= 0x4ce))
        return letter + (letter & 1);
    return letter;
}

int combine__combine_compare(const char *a, const char *b) {
    for (;;) {
        uint32_t left = combine__combine_letter(&a), right = combine__combine_letter(&b);
        if (left != right)
            return left < right ? -1 : 1;
        if (left == 0)
            return 0;
    }
}

/* ---- conditions as ACTS and CTWedge write them. A name means the parameter of that name, or else a value of
 * the parameter it is compared with; what could be read in two ways is refused. From loose to tight: => and
 * <=>, or, and, comparisons, + -, * / %, not */

#define NESTING_MAX 150

enum kind {
    TRUTH,
    NUMBER,
    WORD, /* a parameter that has words */
    VALUE /* a text that no parameter is called; nothing of it is put yet */
};

/* What was read last, and put into the constraint. */
struct operand {
    enum kind kind;
    const char *at;     /* in the text */
    size_t from;        /* where it begins in reader->made, to whose end it goes */
    uint32_t parameter; /* that it is, COR_NONE: none, or more than one */
    int truth;          /* a constant: 0 or 1; else -1 */
    bool may_be_negative;
    size_t implies; /* where " implies " stands behind `from`, if it is "(a implies b)"; else 0 */
    char text[COMBINE__TEXT_MAX + 1]; /* of a name, a number or a text alone, else "" */
};

struct formula {
    struct combine__reader *reader;
    enum combine__dialect dialect;
};

void combine__skip_blanks(struct combine__reader *reader, enum combine__dialect dialect) {
    for (;;) {
        reader->at += strspn(reader->at, dialect == COMBINE__ACTS ? " \t\r" : " \t\r\n");
        const char *end = reader->at;
        if (dialect == COMBINE__CTWEDGE && strncmp(end, "//", 2) == 0)
            end += strcspn(end, "\n");
        else if (dialect == COMBINE__CTWEDGE && strncmp(end, "/*", 2) == 0 && strstr(end + 2, "*/"))
            end = strstr(end + 2, "*/") + 2;
        if (end == reader->at)
            return;
        reader->at = end;
    }
}

/* The operator that stands here, of those that begin with `sign` and are not longer ones. */
static bool take_sign(struct formula *formula, const char *sign) {
    static const char *const signs[] = {
        "<=>", "<->", "=>", "->", "<=", ">=", "==", "!=", "&&", "||", "=", "<",
        ">",   "&",   "|",  "!",  "+",  "-",  "*",  "/",  "%",  "(",  ")", NULL};
    struct combine__reader *reader = formula->reader;
    combine__skip_blanks(reader, formula->dialect);
    for (size_t i = 0; signs[i]; i++)
        if (strncmp(reader->at, signs[i], strlen(signs[i])) == 0) {
            if (strcmp(signs[i], sign) != 0)
                return false;
            reader->at += strlen(sign);
            return true;
        }
    return false;
}

/* A word of CTWedge, small or large. */
static bool take_word(struct formula *formula, const char *word) {
    combine__skip_blanks(formula->reader, formula->dialect);
    if (formula->dialect != COMBINE__CTWEDGE || !combine__is_keyword(formula->reader->at, word))
        return false;
    formula->reader->at += strlen(word);
    return true;
}

/* Puts a text in front of what was put from `from` on. */
static enum cor_status put_before(struct combine__reader *reader, size_t from, const char *text) {
    size_t length = strlen(text), behind = reader->made_length - from;
    COR_TRY(combine__put(reader, text)); /* makes room */
    memmove(reader->made + from + length, reader->made + from, behind);
    memcpy(reader->made + from, text, length);
    return COR_OK;
}

static enum cor_status expect_truth(const struct formula *formula, const struct operand *it) {
    static const char *const what[] = {
        [NUMBER] = "a number", [WORD] = "a parameter that has texts", [VALUE] = "a text"};
    uint32_t parameter;
    if (it->kind == TRUTH)
        return COR_OK;
    if (it->kind == VALUE) /* perhaps a name that is misspelt */
        return combine__find_parameter(formula->reader, it->at, it->text, &parameter);
    return combine__fail_at(formula->reader, it->at, "compare it with a value",
                            "expected a condition, and this is %s", what[it->kind]);
}

static enum cor_status expect_number(const struct formula *formula, const struct operand *it) {
    uint32_t parameter;
    if (it->kind == NUMBER)
        return COR_OK;
    if (it->kind == VALUE)
        return combine__find_parameter(formula->reader, it->at, it->text, &parameter);
    return combine__fail_at(formula->reader, it->at, NULL, "expected a number, and this is %s",
                            it->kind == TRUTH ? "a condition" : "a parameter that has texts");
}

static enum cor_status read_condition(struct formula *formula, struct operand *made);

/* A name, a number, or a text in quotes: what it is. */
static enum cor_status read_text(struct formula *formula, struct operand *made) {
    struct combine__reader *reader = formula->reader;
    const char *at = reader->at;
    bool quoted = *at == '"' || (*at == '\'' && formula->dialect == COMBINE__CTWEDGE);
    size_t length = 0;
    if (quoted) {
        const char *close = strchr(at + 1, *at), *line = at + strcspn(at, "\n");
        if (!close || close > line)
            return combine__fail_at(reader, at, "close it with the same sign", "a text that is not closed");
        COR_TRY(combine__copy_trimmed(reader, at + 1, close, made->text));
        reader->at = close + 1;
        made->kind = VALUE;
        return COR_OK;
    }
    while (isalnum((unsigned char)at[length]) || at[length] == '_' || at[length] == '$' ||
           (unsigned char)at[length] >= 0x80 || (at[length] == '.' && at[length + 1] != '.'))
        length++;
    if (length == 0)
        return combine__fail_expected(reader, "a parameter, a value or \"(\"");
    COR_TRY(combine__copy_trimmed(reader, at, at + length, made->text));
    reader->at += length;
    for (uint32_t p = 0; p < reader->model->parameter_count; p++) {
        const struct combine__combine_parameter *it = &reader->model->parameters[p];
        if (strcmp(it->name, made->text) != 0)
            continue;
        made->parameter = p;
        made->kind = it->domain.type == COR_VALUE_TYPE_BOOLEAN       ? TRUTH
                     : it->domain.type == COR_VALUE_TYPE_ENUMERATION ? WORD
                                                                     : NUMBER;
        for (uint32_t l = 0; made->kind == NUMBER && l < it->level_count; l++) {
            double value = 0;
            made->may_be_negative |=
                combine__combine_number(combine__combine_bare(&it->levels[l]), &value) && value < 0;
        }
        return combine__put_parameter(reader, p);
    }
    if (strspn(made->text, ".0123456789") == length && isdigit((unsigned char)*made->text)) {
        made->kind = NUMBER;
        return combine__put(reader, made->text);
    }
    bool truth =
        strcmp(made->text, "true") == 0 || strcmp(made->text, "TRUE") == 0 || strcmp(made->text, "True") == 0;
    made->kind = VALUE;
    if (!truth && strcmp(made->text, "false") != 0 && strcmp(made->text, "FALSE") != 0 &&
        strcmp(made->text, "False") != 0)
        return COR_OK;
    made->kind = TRUTH;
    made->truth = truth;
    return combine__put(reader, truth ? "true" : "false");
}

static enum cor_status read_operand(struct formula *formula, struct operand *made) {
    struct combine__reader *reader = formula->reader;
    combine__skip_blanks(reader, formula->dialect);
    *made =
        (struct operand){.at = reader->at, .from = reader->made_length, .parameter = COR_NONE, .truth = -1};
    if (++reader->nesting > NESTING_MAX)
        return combine__fail_at(reader, reader->at, NULL, "is nested deeper than %d", NESTING_MAX);
    if (take_sign(formula, "!") || take_word(formula, "not")) {
        struct operand denied;
        COR_TRY(combine__put(reader, "(not "));
        COR_TRY(read_operand(formula, &denied));
        COR_TRY(expect_truth(formula, &denied));
        COR_TRY(combine__put(reader, ")"));
        made->kind = TRUTH;
    } else if (take_sign(formula, "-")) {
        struct operand number;
        COR_TRY(combine__put(reader, "-"));
        COR_TRY(read_operand(formula, &number));
        COR_TRY(expect_number(formula, &number));
        made->kind = NUMBER;
        made->may_be_negative = true;
        if (number.parameter == COR_NONE && *number.text)
            snprintf(made->text, sizeof made->text, "-%.*s", COMBINE__TEXT_MAX - 1, number.text);
    } else if (take_sign(formula, "(")) {
        const char *at = made->at;
        COR_TRY(read_condition(formula, made));
        made->at = at;
        if (!take_sign(formula, ")"))
            return combine__fail_expected(reader, "an operator or \")\"");
    } else {
        COR_TRY(read_text(formula, made));
    }
    reader->nesting--;
    return COR_OK;
}

/* The two sides of an operator become one number. */
static void join_numbers(struct operand *left, const struct operand *right) {
    left->parameter = COR_NONE;
    left->text[0] = '\0';
    left->may_be_negative |= right->may_be_negative;
}

static enum cor_status read_product(struct formula *formula, struct operand *left) {
    static const char *const signs[][2] = {{"*", " * "}, {"/", " / "}, {"%", " % "}};
    struct combine__reader *reader = formula->reader;
    COR_TRY(read_operand(formula, left));
    for (size_t i = 0; i < 3; i++) {
        struct operand right;
        combine__skip_blanks(reader, formula->dialect);
        const char *at = reader->at;
        if (!take_sign(formula, signs[i][0]))
            continue;
        COR_TRY(expect_number(formula, left));
        COR_TRY(put_before(reader, left->from, "("));
        COR_TRY(combine__put(reader, signs[i][1]));
        COR_TRY(read_operand(formula, &right));
        COR_TRY(expect_number(formula, &right));
        COR_TRY(combine__put(reader, ")"));
        if (i > 0 && (left->may_be_negative || right.may_be_negative))
            return combine__fail_at(reader, at, "divide numbers that are not negative",
                                    "\"%s\" of negative numbers is rounded in several ways", signs[i][0]);
        join_numbers(left, &right);
        i = SIZE_MAX;
    }
    return COR_OK;
}

static enum cor_status read_sum(struct formula *formula, struct operand *left) {
    struct combine__reader *reader = formula->reader;
    COR_TRY(read_product(formula, left));
    for (;;) {
        struct operand right;
        bool plus = take_sign(formula, "+");
        if (!plus && !take_sign(formula, "-"))
            return COR_OK;
        COR_TRY(expect_number(formula, left));
        COR_TRY(put_before(reader, left->from, "("));
        COR_TRY(combine__put(reader, plus ? " + " : " - "));
        COR_TRY(read_product(formula, &right));
        COR_TRY(expect_number(formula, &right));
        COR_TRY(combine__put(reader, ")"));
        join_numbers(left, &right);
        left->may_be_negative |= !plus;
    }
}

static const char *noun_of(const struct operand *it) {
    return it->kind == TRUTH ? "a truth value" : it->kind == NUMBER ? "a number" : "a text";
}

/* Is the name of a parameter a value of the other side, too? */
static enum cor_status check_meaning(const struct formula *formula, const struct operand *name,
                                     const struct operand *other) {
    const struct combine__reader *reader = formula->reader;
    if (name->parameter == COR_NONE || other->parameter == COR_NONE || other->kind == NUMBER ||
        *name->text == '\0' ||
        cor_combine_find_level(reader->model, other->parameter, name->text) == COR_NONE)
        return COR_OK;
    return combine__fail_at(reader, name->at, "write the value in quotes, or rename the parameter",
                            "\"%s\" is a parameter and a value of \"%s\"", name->text,
                            reader->model->parameters[other->parameter].name);
}

/* A parameter is one of its values, or is not. */
static enum cor_status put_comparison(struct formula *formula, const struct operand *parameter,
                                      const struct operand *value, size_t from, bool equal) {
    struct combine__reader *reader = formula->reader;
    uint32_t p = parameter->parameter, level;
    COR_TRY(combine__find_level(reader, value->at, p, value->text, &level));
    struct cor_value is = reader->model->parameters[p].levels[level].value;
    reader->made_length = from;
    if (parameter->kind == TRUTH) {
        COR_TRY(combine__put(reader, (is.as.integer != 0) == equal ? "" : "(not "));
        COR_TRY(combine__put_parameter(reader, p));
        return combine__put(reader, (is.as.integer != 0) == equal ? "" : ")");
    }
    COR_TRY(combine__put(reader, "("));
    COR_TRY(combine__put_comparison(reader, p, equal ? " = " : " != ", is));
    return combine__put(reader, ")");
}

/* What was put from `from` to `to` and compared with true or false is itself or the opposite. */
static enum cor_status put_same(struct formula *formula, size_t from, size_t to, size_t whole, bool same) {
    struct combine__reader *reader = formula->reader;
    COR_FREED char *text =
        cor_format("%s%.*s%s", same ? "" : "(not ", (int)(to - from), reader->made + from, same ? "" : ")");
    COR_TRY(cor_made(text, reader->error));
    reader->made_length = whole;
    return combine__put(reader, text);
}

/* Is it a text, or a constant that can be one, for a parameter that has words, or truth values by that name?
 */
static bool is_value_for(const struct operand *value, const struct operand *parameter) {
    return parameter->parameter != COR_NONE && value->parameter == COR_NONE && *value->text &&
           (parameter->kind == WORD || (parameter->kind == TRUTH && value->kind == VALUE));
}

static enum cor_status compare(struct formula *formula, struct operand *left, struct operand *right,
                               const char *relation, const char *at) {
    struct combine__reader *reader = formula->reader;
    bool equal = strcmp(relation, " = ") == 0, has_order = !equal && strcmp(relation, " != ") != 0;
    COR_TRY(check_meaning(formula, left, right));
    COR_TRY(check_meaning(formula, right, left));
    if (left->kind == VALUE && right->kind == VALUE) {
        uint32_t parameter;
        return combine__find_parameter(reader, left->at, left->text, &parameter);
    }
    if (has_order && (left->kind != NUMBER || right->kind != NUMBER)) {
        const struct operand *other = left->kind == NUMBER ? right : left;
        if (other->kind == VALUE) {
            uint32_t parameter;
            return combine__find_parameter(reader, other->at, other->text, &parameter);
        }
        return combine__fail_at(reader, at, "compare with = or !=", "%s has no order", noun_of(other));
    }
    if (is_value_for(right, left))
        return put_comparison(formula, left, right, left->from, equal);
    if (is_value_for(left, right))
        return put_comparison(formula, right, left, left->from, equal);
    const struct operand *text = left->kind == VALUE ? left : right->kind == VALUE ? right : NULL;
    if (text && *text->at != '"' && *text->at != '\'') {
        uint32_t parameter;
        return combine__find_parameter(reader, text->at, text->text, &parameter);
    }
    if (left->kind != right->kind)
        return combine__fail_at(
            reader, at,
            text && left->kind != TRUTH && right->kind != TRUTH ? "write the number without quotes" : NULL,
            "%s is compared with %s", noun_of(left), noun_of(right));
    if (left->kind == TRUTH && right->truth >= 0)
        return put_same(formula, left->from, right->from, left->from, (right->truth == 1) == equal);
    if (left->kind == TRUTH && left->truth >= 0)
        return put_same(formula, right->from, reader->made_length, left->from, (left->truth == 1) == equal);
    COR_TRY(put_before(reader, right->from, relation));
    COR_TRY(put_before(reader, left->from, "("));
    return combine__put(reader, ")");
}

/* It is a condition of several parts now. */
static void become_condition(struct operand *it) {
    it->kind = TRUTH;
    it->parameter = COR_NONE;
    it->truth = -1;
    it->implies = 0;
    it->text[0] = '\0';
}

static enum cor_status read_comparison(struct formula *formula, struct operand *left) {
    static const char *const signs[][2] = {{"==", " = "}, {"!=", " != "}, {"<=", " <= "}, {">=", " >= "},
                                           {"=", " = "},  {"<", " < "},   {">", " > "}};
    struct combine__reader *reader = formula->reader;
    bool compared = false;
    COR_TRY(read_sum(formula, left));
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        struct operand right;
        combine__skip_blanks(reader, formula->dialect);
        const char *at = reader->at;
        if (!take_sign(formula, signs[i][0]))
            continue;
        if (compared)
            return combine__fail_at(reader, at, "join two comparisons, or use brackets",
                                    "several comparisons in a row");
        COR_TRY(read_sum(formula, &right));
        COR_TRY(compare(formula, left, &right, signs[i][1], at));
        become_condition(left);
        compared = true;
        i = SIZE_MAX;
    }
    return COR_OK;
}

static const char implies[] = " implies ";

/* "(a implies b)" joined with "(b implies a)", as ACTS has to write it, becomes "(a = b)": else nested ones
 * grow beyond all bounds. Two conditions, one behind the other; false: they are others. */
static bool join_mirrored(struct combine__reader *reader, const struct operand *left,
                          const struct operand *right, size_t left_end) {
    if (!left->implies || !right->implies)
        return false;
    char *a = reader->made + left->from + 1, *c = reader->made + right->from + 1;
    char *b = reader->made + left->from + left->implies + strlen(implies);
    char *d = reader->made + right->from + right->implies + strlen(implies);
    size_t a_length = left->implies - 1, b_length = left_end - 1 - (size_t)(b - reader->made);
    if (right->implies - 1 != b_length || reader->made_length - 1 - (size_t)(d - reader->made) != a_length ||
        memcmp(a, d, a_length) != 0 || memcmp(b, c, b_length) != 0)
        return false;
    memcpy(a + a_length, " = ", 3);
    memmove(a + a_length + 3, b, b_length + 1);
    reader->made_length = (size_t)(a - reader->made) + a_length + 3 + b_length + 1;
    reader->made[reader->made_length] = '\0';
    return true;
}

/* Conditions that one word joins. */
static enum cor_status read_joined(struct formula *formula, bool is_or, struct operand *left) {
    struct combine__reader *reader = formula->reader;
    COR_TRY(is_or ? read_joined(formula, false, left) : read_comparison(formula, left));
    for (bool first = true;;) {
        struct operand right;
        if (!take_sign(formula, is_or ? "||" : "&&") && !take_word(formula, is_or ? "or" : "and") &&
            !(formula->dialect == COMBINE__CTWEDGE && take_sign(formula, is_or ? "|" : "&")))
            return first ? COR_OK : combine__put(reader, ")");
        COR_TRY(expect_truth(formula, left));
        size_t end = reader->made_length;
        COR_TRY(is_or ? read_joined(formula, false, &right) : read_comparison(formula, &right));
        COR_TRY(expect_truth(formula, &right));
        bool joined = !is_or && first && join_mirrored(reader, left, &right, end);
        if (!joined) {
            COR_TRY(put_before(reader, end, is_or ? " or " : " and "));
            if (first)
                COR_TRY(put_before(reader, left->from, "("));
        }
        become_condition(left);
        first = first && joined;
    }
}

/* => and <=>; several of the first in a row are read in different ways by different tools. */
static enum cor_status read_condition(struct formula *formula, struct operand *left) {
    struct combine__reader *reader = formula->reader;
    COR_TRY(read_joined(formula, true, left));
    for (bool first = true, any_implies = false;; first = false) {
        struct operand right;
        combine__skip_blanks(reader, formula->dialect);
        const char *at = reader->at;
        bool same = take_sign(formula, "<=>") || take_sign(formula, "<->");
        if (!same && !take_sign(formula, "=>") && !take_sign(formula, "->"))
            return COR_OK;
        any_implies |= !same;
        if (!first && any_implies)
            return combine__fail_at(reader, at, "use brackets", "several implications in a row");
        COR_TRY(expect_truth(formula, left));
        COR_TRY(put_before(reader, left->from, "("));
        size_t joint = reader->made_length - left->from;
        COR_TRY(combine__put(reader, same ? " = " : implies));
        COR_TRY(read_joined(formula, true, &right));
        COR_TRY(expect_truth(formula, &right));
        COR_TRY(combine__put(reader, ")"));
        become_condition(left);
        left->implies = same ? 0 : joint;
    }
}

enum cor_status combine__read_formula(struct combine__reader *reader, enum combine__dialect dialect) {
    struct formula formula = {reader, dialect};
    struct operand whole;
    reader->made_length = 0;
    reader->nesting = 0;
    COR_TRY(read_condition(&formula, &whole));
    return expect_truth(&formula, &whole);
}
