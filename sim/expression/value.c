/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values by themselves, and the words: a hash table of open addresses, at most half full. Numbers are given
 * in the order of coming, so nothing depends on where a word hashes to. */
#include "evaluate.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/routine.h>
#include <corridor/value.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cor_value_equal(struct cor_value a, struct cor_value b) {
    if (a.kind != b.kind)
        return false;
    switch ((enum cor_value_kind)a.kind) {
    case COR_VALUE_NULL:
        return true;
    case COR_VALUE_INTEGER:
        return a.as.integer == b.as.integer;
    case COR_VALUE_REAL:
        return a.as.real == b.as.real;
    case COR_VALUE_WORD:
        return a.as.word == b.as.word;
    }
    return false;
}

void cor_words_init(struct cor_words *words) {
    *words = (struct cor_words){0};
}

void cor_words_fini(struct cor_words *words) {
    for (uint32_t i = 0; i < words->count; i++)
        free(words->texts[i]);
    COR_FREE(words->texts, words->slots);
    cor_words_init(words);
}

/* The slot of the text: where it is, or the free one where it would be. */
static uint32_t *slot_of(const struct cor_words *words, const char *text, size_t length) {
    uint32_t mask = words->slot_count - 1;
    uint32_t at = (uint32_t)cor_hash_bytes(COR_HASH_SEED, text, length) & mask;
    while (words->slots[at] != 0) {
        const char *known = words->texts[words->slots[at] - 1];
        if (strncmp(known, text, length) == 0 && known[length] == '\0')
            break;
        at = (at + 1) & mask;
    }
    return &words->slots[at];
}

enum cor_status cor_words_intern_part(struct cor_words *words, const char *text, size_t length,
                                      uint32_t *word, struct cor_error *error) {
    if (2 * (words->count + 1) > words->slot_count) {
        uint32_t count = words->slot_count > 0 ? 2 * words->slot_count : 16;
        uint32_t *slots = cor_calloc(count, sizeof *slots);
        COR_TRY(cor_made(slots, error));
        free(words->slots);
        words->slots = slots;
        words->slot_count = count;
        for (uint32_t i = 0; i < words->count; i++)
            *slot_of(words, words->texts[i], strlen(words->texts[i])) = i + 1;
    }
    uint32_t *slot = slot_of(words, text, length);
    if (*slot == 0) {
        COR_TRY(COR_RESERVE(&words->texts, &words->capacity, (size_t)words->count + 1, error));
        char *copy = strndup(text, length);
        COR_TRY(cor_made(copy, error));
        words->texts[words->count++] = copy;
        *slot = words->count;
    }
    *word = *slot - 1;
    return COR_OK;
}

enum cor_status cor_words_intern(struct cor_words *words, const char *text, uint32_t *word,
                                 struct cor_error *error) {
    return cor_words_intern_part(words, text, strlen(text), word, error);
}

uint32_t cor_words_find(const struct cor_words *words, const char *text) {
    uint32_t number = words->count > 0 ? *slot_of(words, text, strlen(text)) : 0;
    return number > 0 ? number - 1 : COR_NONE;
}

const char *cor_words_text(const struct cor_words *words, uint32_t word) {
    COR_ASSERT(word < words->count);
    return words->texts[word];
}

bool cor_domain_has(const struct cor_domain *domain, struct cor_value value) {
    switch (domain->type) {
    case COR_VALUE_TYPE_INTEGER:
        return value.kind == COR_VALUE_INTEGER;
    case COR_VALUE_TYPE_REAL:
        return value.kind == COR_VALUE_REAL && isfinite(value.as.real);
    case COR_VALUE_TYPE_BOOLEAN:
        return value.kind == COR_VALUE_INTEGER && (value.as.integer == 0 || value.as.integer == 1);
    case COR_VALUE_TYPE_STRING:
        return value.kind == COR_VALUE_WORD || value.kind == COR_VALUE_NULL;
    case COR_VALUE_TYPE_ENUMERATION:
        for (uint32_t i = 0; value.kind == COR_VALUE_WORD && i < domain->word_count; i++)
            if (domain->words[i] == value.as.word)
                return true;
    }
    return false;
}

bool cor_domain_fit(const struct cor_domain *domain, struct cor_value *value) {
    if (domain->type == COR_VALUE_TYPE_REAL && value->kind == COR_VALUE_INTEGER)
        *value = cor_real((double)value->as.integer);
    return cor_domain_has(domain, *value);
}

void cor_real_digits(double real, int64_t *digits, int *power) {
    char text[40];
    int precision = 0;
    do
        snprintf(text, sizeof text, "%.*e", precision, real);
    while (precision++ < 16 && strtod(text, NULL) != real);
    const char *at = text + (*text == '-');
    for (*digits = *power = 0; *at != 'e'; at++)
        if (*at >= '0' && *at <= '9') {
            *digits = 10 * *digits + (*at - '0');
            --*power;
        }
    *power += 1 + (int)strtol(at + 1, NULL, 10);
    *digits = *text == '-' ? -*digits : *digits;
}

void cor_value_text(struct cor_value value, const struct cor_domain *domain, const struct cor_words *words,
                    char *text, size_t size) {
    switch ((enum cor_value_kind)value.kind) {
    case COR_VALUE_NULL:
        snprintf(text, size, "null");
        break;
    case COR_VALUE_INTEGER:
        if (domain && domain->type == COR_VALUE_TYPE_BOOLEAN)
            snprintf(text, size, "%s", value.as.integer ? "true" : "false");
        else
            snprintf(text, size, "%lld", (long long)value.as.integer);
        break;
    case COR_VALUE_REAL: {
        /* The fewest of up to 17 digits that give the number back. */
        const double real = value.as.real;
        char digits[32];
        int precision = 1;
        do
            snprintf(digits, sizeof digits, "%.*g", precision, real);
        while (precision++ < 17 && strtod(digits, NULL) != real);
        snprintf(text, size, "%s%s", digits, strpbrk(digits, ".en") ? "" : ".0");
        break;
    }
    case COR_VALUE_WORD: {
        /* In single quotes, those within doubled. */
        const char *word = cor_words_text(words, value.as.word);
        size_t used = 0;
        if (size > 0)
            text[used++] = '\'';
        for (; *word && used + 3 < size; word++) {
            text[used++] = *word;
            if (*word == '\'')
                text[used++] = '\'';
        }
        if (used + 1 < size)
            text[used++] = '\'';
        if (size > 0)
            text[used < size ? used : size - 1] = '\0';
        break;
    }
    }
}

/* ---- nodes are stored children first, so one pass over them evaluates an expression; nothing recurses */

/* The value of the root; false if any part is undefined. */
static bool evaluate(const struct cor_expression *expression, const int64_t *values, int64_t *value) {
    int64_t known[COR_EXPRESSION_NODES_MAX];
    COR_ASSERT(expression->node_count > 0 && expression->node_count <= COR_EXPRESSION_NODES_MAX);
    for (uint32_t i = 0; i < expression->node_count; i++)
        if (!expression__evaluate_node(&expression->nodes[i], values, known, &known[i]))
            return false;
    *value = known[expression->node_count - 1];
    return true;
}

bool cor_expression_holds(const struct cor_expression *expression, const int64_t *values) {
    COR_ASSERT(expression->is_constraint && expression->integer_only);
    int64_t value;
    return evaluate(expression, values, &value) && value != 0;
}

bool cor_expression_value(const struct cor_expression *expression, const int64_t *values, int64_t *value) {
    COR_ASSERT(!expression->is_constraint && expression->integer_only);
    return evaluate(expression, values, value);
}

static bool is_variable(const struct cor_node *node) {
    enum cor_operator kind = node->operator;
    return kind == COR_OPERATOR_VARIABLE;
}

int cor_expression_last_variable(const struct cor_expression *expression) {
    int last = -1;
    for (uint32_t i = 0; i < expression->node_count; i++) {
        const struct cor_node *node = &expression->nodes[i];
        if (is_variable(node) && (int)node->variable > last)
            last = (int)node->variable;
    }
    return last;
}

bool cor_expression_reads(const struct cor_expression *expression, uint32_t variable) {
    for (uint32_t i = 0; i < expression->node_count; i++)
        if (is_variable(&expression->nodes[i]) && expression->nodes[i].variable == variable)
            return true;
    return false;
}

/* Intervals. A defined value fits 64 bits, so a bound that would not is cut off there and is still a bound.
 */

static const struct cor_value_range nothing = {INT64_MAX, INT64_MIN};

static int64_t add_cut(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? INT64_MIN : INT64_MAX) : sum;
}

static int64_t subtract_cut(int64_t a, int64_t b) {
    int64_t difference;
    return __builtin_sub_overflow(a, b, &difference) ? (a < 0 ? INT64_MIN : INT64_MAX) : difference;
}

static int64_t negate_cut(int64_t a) {
    return a == INT64_MIN ? INT64_MAX : -a;
}

static int64_t multiply_cut(int64_t a, int64_t b) {
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? ((a < 0) == (b < 0) ? INT64_MAX : INT64_MIN) : product;
}

static int64_t divide_cut(int64_t a, int64_t b) {
    int64_t quotient;
    return expression__floor_divide(a, b, &quotient) ? quotient : INT64_MAX;
}

static int64_t ceil_divide_cut(int64_t a, int64_t b) {
    int64_t quotient;
    return expression__ceil_divide(a, b, &quotient) ? quotient : INT64_MAX;
}

static struct cor_value_range hull(struct cor_value_range a, struct cor_value_range b) {
    return (struct cor_value_range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

/* The part of an interval within low .. high. */
static struct cor_value_range part(struct cor_value_range a, int64_t low, int64_t high) {
    struct cor_value_range cut = {a.low > low ? a.low : low, a.high < high ? a.high : high};
    return cut.low <= cut.high ? cut : nothing;
}

/* For an operation that is monotone in each operand while the other is fixed: the extremes are at the
 * corners. */
static struct cor_value_range corners(struct cor_value_range a, struct cor_value_range b,
                                      int64_t (*of)(int64_t, int64_t)) {
    if (a.low > a.high || b.low > b.high)
        return nothing;
    int64_t first = of(a.low, b.low);
    struct cor_value_range found = {first, first};
    int64_t others[] = {of(a.low, b.high), of(a.high, b.low), of(a.high, b.high)};
    for (int i = 0; i < 3; i++)
        found = hull(found, (struct cor_value_range){others[i], others[i]});
    return found;
}

/* Division is monotone on either side of the divisor 0. */
static struct cor_value_range divide(struct cor_value_range a, struct cor_value_range b,
                                     int64_t (*of)(int64_t, int64_t)) {
    return hull(corners(a, part(b, INT64_MIN, -1), of), corners(a, part(b, 1, INT64_MAX), of));
}

static struct cor_value_range node_interval(const struct cor_node *node, struct cor_value_range a,
                                            struct cor_value_range b, const int64_t *low,
                                            const int64_t *high) {
    switch (node->operator) {
    case COR_OPERATOR_CONSTANT:
        return (struct cor_value_range){node->constant, node->constant};
    case COR_OPERATOR_VARIABLE:
        return (struct cor_value_range){low[node->variable], high[node->variable]};
    case COR_OPERATOR_NEGATE:
        return (struct cor_value_range){negate_cut(a.high), negate_cut(a.low)};
    case COR_OPERATOR_ADD:
        return (struct cor_value_range){add_cut(a.low, b.low), add_cut(a.high, b.high)};
    case COR_OPERATOR_SUBTRACT:
        return (struct cor_value_range){subtract_cut(a.low, b.high), subtract_cut(a.high, b.low)};
    case COR_OPERATOR_MULTIPLY:
        return corners(a, b, multiply_cut);
    case COR_OPERATOR_DIVIDE:
        return divide(a, b, divide_cut);
    case COR_OPERATOR_CEIL_DIVIDE:
        return divide(a, b, ceil_divide_cut);
    case COR_OPERATOR_REMAINDER: {
        struct cor_value_range found = nothing, below = part(b, INT64_MIN, -1), above = part(b, 1, INT64_MAX);
        if (below.low <= below.high)
            found = hull(found, (struct cor_value_range){below.low + 1, 0});
        if (above.low <= above.high && a.low >= 0)
            found = hull(found, (struct cor_value_range){a.high < above.low ? a.low : 0,
                                                         a.high < above.high - 1 ? a.high : above.high - 1});
        else if (above.low <= above.high)
            found = hull(found, (struct cor_value_range){0, above.high - 1});
        return found;
    }
    case COR_OPERATOR_MIN:
        return (struct cor_value_range){a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
    case COR_OPERATOR_MAX:
        return (struct cor_value_range){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    case COR_OPERATOR_ABS: {
        struct cor_value_range mirrored = {negate_cut(a.high), negate_cut(a.low)};
        if (a.low >= 0)
            return a;
        if (a.high <= 0)
            return mirrored;
        return (struct cor_value_range){0, a.high > mirrored.high ? a.high : mirrored.high};
    }
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
    case COR_OPERATOR_EQUAL:
    case COR_OPERATOR_NOT_EQUAL:
    case COR_OPERATOR_AND:
    case COR_OPERATOR_OR:
    case COR_OPERATOR_NOT:
        return (struct cor_value_range){0, 1};
    default: /* of reals and of worlds */
        break;
    }
    return nothing;
}

void cor_expression_intervals(const struct cor_expression *expression, const int64_t *low,
                              const int64_t *high, struct cor_value_range *intervals) {
    COR_ASSERT(expression->integer_only);
    for (uint32_t i = 0; i < expression->node_count; i++) {
        const struct cor_node *node = &expression->nodes[i];
        enum cor_operator kind = node->operator;
        struct cor_value_range a = {0, 0}, b = {0, 0};
        if (kind > COR_OPERATOR_VARIABLE) {
            a = intervals[node->left];
            b = intervals[node->right];
        }
        intervals[i] = a.low > a.high || b.low > b.high ? nothing : node_interval(node, a, b, low, high);
    }
}

struct cor_value_range cor_expression_interval(const struct cor_expression *expression, const int64_t *low,
                                               const int64_t *high) {
    struct cor_value_range intervals[COR_EXPRESSION_NODES_MAX];
    cor_expression_intervals(expression, low, high, intervals);
    return intervals[expression->node_count - 1];
}

/* Reals: what has no bound is infinite. */

static const struct cor_real_range anything = {-INFINITY, INFINITY};

static double multiply_reals(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

static double divide_reals(double a, double b) {
    return a == 0 ? 0 : a / b;
}

static double floor_divide_reals(double a, double b) {
    return floor(divide_reals(a, b));
}

static double ceil_divide_reals(double a, double b) {
    return ceil(divide_reals(a, b));
}

static struct cor_real_range real_corners(struct cor_real_range a, struct cor_real_range b,
                                          double (*of)(double, double)) {
    const double at[] = {of(a.low, b.low), of(a.low, b.high), of(a.high, b.low), of(a.high, b.high)};
    struct cor_real_range found = {at[0], at[0]};
    for (int i = 1; i < 4; i++)
        found = (struct cor_real_range){fmin(found.low, at[i]), fmax(found.high, at[i])};
    return isnan(at[0] + at[1] + at[2] + at[3]) ? anything : found;
}

static struct cor_real_range real_node(const struct cor_node *node, struct cor_real_range a,
                                       struct cor_real_range b, const struct cor_real_range *variables) {
    const double constant = node->reals ? node->real : (double)node->constant;
    const bool divides = b.low > 0 || b.high < 0; /* else it may be as near to 0 as it likes */
    switch (node->operator) {
    case COR_OPERATOR_CONSTANT:
        return (struct cor_real_range){constant, constant};
    case COR_OPERATOR_VARIABLE:
        return variables[node->variable];
    case COR_OPERATOR_NEGATE:
        return (struct cor_real_range){-a.high, -a.low};
    case COR_OPERATOR_ADD:
        return (struct cor_real_range){a.low + b.low, a.high + b.high};
    case COR_OPERATOR_SUBTRACT:
        return (struct cor_real_range){a.low - b.high, a.high - b.low};
    case COR_OPERATOR_MULTIPLY:
        return real_corners(a, b, multiply_reals);
    case COR_OPERATOR_DIVIDE:
        return divides ? real_corners(a, b, node->reals ? divide_reals : floor_divide_reals) : anything;
    case COR_OPERATOR_CEIL_DIVIDE:
        return divides ? real_corners(a, b, ceil_divide_reals) : anything;
    case COR_OPERATOR_REMAINDER:
        return (struct cor_real_range){fmin(b.low + 1, 0), fmax(b.high - 1, 0)};
    case COR_OPERATOR_MIN:
        return (struct cor_real_range){fmin(a.low, b.low), fmin(a.high, b.high)};
    case COR_OPERATOR_MAX:
        return (struct cor_real_range){fmax(a.low, b.low), fmax(a.high, b.high)};
    case COR_OPERATOR_ABS:
        return (struct cor_real_range){fmax(fmax(a.low, -a.high), 0), fmax(-a.low, a.high)};
    case COR_OPERATOR_TO_REAL:
        return a;
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
    case COR_OPERATOR_EQUAL:
    case COR_OPERATOR_NOT_EQUAL:
    case COR_OPERATOR_AND:
    case COR_OPERATOR_OR:
    case COR_OPERATOR_NOT:
        return (struct cor_real_range){0, 1};
    default: /* of worlds */
        return anything;
    }
}

struct cor_real_range cor_expression_real_range(const struct cor_expression *expression,
                                                const struct cor_real_range *variables) {
    struct cor_real_range ranges[COR_EXPRESSION_NODES_MAX];
    for (uint32_t i = 0; i < expression->node_count; i++) {
        const struct cor_node *node = &expression->nodes[i];
        const bool has_left = node->operator> COR_OPERATOR_VARIABLE && node->left<i,
                   has_right = node->operator> COR_OPERATOR_VARIABLE && node->right<i;
        ranges[i] = real_node(node, has_left ? ranges[node->left] : anything,
                              has_right ? ranges[node->right] : anything, variables);
        if (isnan(ranges[i].low) || isnan(ranges[i].high))
            ranges[i] = anything;
    }
    return ranges[expression->node_count - 1];
}

/* ---- expressions over values. Types were settled by the parser, so a value needs no kind while it is
 * reckoned with: 64 bits that hold an integer, a word's number (-1: null), a truth value, or, where the node
 * says so, a real */

/* The value of the root; false if any part is undefined. */
static bool evaluate_judge(const struct cor_expression *expression, const struct cor_value *values,
                           int64_t *value) {
    int64_t known[COR_EXPRESSION_NODES_MAX];
    uint32_t count = expression->node_count;
    COR_ASSERT(count > 0 && count <= COR_EXPRESSION_NODES_MAX);
    for (uint32_t i = 0; i < count; i++) {
        const struct cor_node *node = &expression->nodes[i];
        enum cor_operator kind = node->operator;
        bool defined = true;
        if (kind == COR_OPERATOR_VARIABLE)
            known[i] = expression__load(node, &values[node->variable]);
        else if (node->reals)
            defined = expression__evaluate_reals(node, known, &known[i]);
        else
            defined = expression__evaluate_node(node, NULL, known, &known[i]);
        if (!defined)
            return false;
    }
    *value = known[count - 1];
    return true;
}

bool cor_expression_judge(const struct cor_expression *expression, const struct cor_value *values) {
    COR_ASSERT(expression->is_constraint);
    int64_t value;
    return evaluate_judge(expression, values, &value) && value != 0;
}

bool cor_expression_evaluate(const struct cor_expression *expression, const struct cor_value *values,
                             struct cor_value *value) {
    int64_t bits;
    if (!evaluate_judge(expression, values, &bits))
        return false;
    if (expression->result == COR_VALUE_REAL)
        *value = cor_real(expression__real_of(bits));
    else if (expression->result == COR_VALUE_WORD)
        *value = bits < 0 ? cor_null() : cor_word((uint32_t)bits);
    else
        *value = cor_integer(bits);
    return true;
}

/* ---- expressions as straight-line code over cells */

static enum cor_status new_cell(struct cor_routine *routine, int64_t value, uint16_t *cell,
                                struct cor_error *error) {
    if (routine->cell_count == COR_CELLS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "use fewer constraints, or shorter ones",
                        "bounds and constraints work with more than %d different numbers", COR_CELLS_MAX);
    COR_TRY(COR_RESERVE(&routine->cells, &routine->cell_capacity, routine->cell_count + 1, error));
    *cell = (uint16_t)routine->cell_count;
    routine->cells[routine->cell_count++] = value;
    return COR_OK;
}

enum cor_status cor_routine_init(struct cor_routine *routine, uint32_t variables, struct cor_error *error) {
    uint16_t cell;
    *routine = (struct cor_routine){0};
    /* Both arrays are there even if they are empty: nobody has to ask. */
    COR_TRY(COR_RESERVE(&routine->cells, &routine->cell_capacity, (size_t)variables + 1, error));
    COR_TRY(COR_RESERVE(&routine->operations, &routine->operation_capacity, 1, error));
    for (uint32_t v = 0; v < variables; v++)
        COR_TRY(new_cell(routine, 0, &cell, error));
    return COR_OK;
}

void cor_routine_fini(struct cor_routine *routine) {
    COR_FREE(routine->operations, routine->cells, routine->scratch);
    *routine = (struct cor_routine){0};
}

struct cor_part cor_routine_begin(struct cor_routine *routine) {
    routine->scratch_used = 0;
    return (struct cor_part){(uint32_t)routine->operation_count, (uint32_t)routine->operation_count};
}

/* The cell of a node; `cells` has those of the nodes before. A conjunction that must hold is no operation of
 * its own: both its sides must. */
static enum cor_status add_node(struct cor_routine *routine, const struct cor_node *node, bool must_hold,
                                const uint16_t *cells, uint16_t *cell, struct cor_error *error) {
    enum cor_operator kind = node->operator;
    if (kind == COR_OPERATOR_VARIABLE) {
        *cell = (uint16_t)node->variable;
        return COR_OK;
    }
    if (kind == COR_OPERATOR_CONSTANT)
        return new_cell(routine, node->constant, cell, error);
    *cell = 0;
    if (must_hold && kind == COR_OPERATOR_AND)
        return COR_OK;
    /* A cell for a result that no other of the part has. */
    if (routine->scratch_used == routine->scratch_count) {
        COR_TRY(
            COR_RESERVE(&routine->scratch, &routine->scratch_capacity, routine->scratch_count + 1, error));
        COR_TRY(new_cell(routine, 0, &routine->scratch[routine->scratch_count], error));
        routine->scratch_count++;
    }
    *cell = routine->scratch[routine->scratch_used++];
    COR_TRY(
        COR_RESERVE(&routine->operations, &routine->operation_capacity, routine->operation_count + 1, error));
    routine->operations[routine->operation_count++] =
        (struct cor_operation){(uint8_t)kind, must_hold, cells[node->left], cells[node->right], *cell};
    return COR_OK;
}

static enum cor_status add(struct cor_routine *routine, const struct cor_expression *expression,
                           struct cor_part *part, uint16_t *cell, struct cor_error *error) {
    uint16_t cells[COR_EXPRESSION_NODES_MAX];
    bool must_hold[COR_EXPRESSION_NODES_MAX] = {false};
    COR_ASSERT(expression->integer_only && expression->node_count > 0 &&
               part->end == routine->operation_count);
    if (expression->is_constraint) {
        /* Which nodes must hold for the root to do. */
        must_hold[expression->node_count - 1] = true;
        for (uint32_t i = expression->node_count; i-- > 0;) {
            const struct cor_node *node = &expression->nodes[i];
            enum cor_operator kind = node->operator;
            if (must_hold[i] && kind == COR_OPERATOR_AND)
                must_hold[node->left] = must_hold[node->right] = true;
        }
    }
    for (uint32_t i = 0; i < expression->node_count; i++)
        COR_TRY(add_node(routine, &expression->nodes[i], must_hold[i], cells, &cells[i], error));
    part->end = (uint32_t)routine->operation_count;
    *cell = cells[expression->node_count - 1];
    return COR_OK;
}

enum cor_status cor_routine_add_value(struct cor_routine *routine, const struct cor_expression *expression,
                                      struct cor_part *part, uint16_t *cell, struct cor_error *error) {
    COR_ASSERT(!expression->is_constraint);
    return add(routine, expression, part, cell, error);
}

enum cor_status cor_routine_add_constraint(struct cor_routine *routine,
                                           const struct cor_expression *expression, struct cor_part *part,
                                           struct cor_error *error) {
    uint16_t cell;
    COR_ASSERT(expression->is_constraint);
    return add(routine, expression, part, &cell, error);
}

bool cor_routine_run(const struct cor_routine *routine, struct cor_part part, int64_t *cells) {
    const struct cor_operation *end = routine->operations + part.end;
    for (const struct cor_operation *at = routine->operations + part.first; at < end; at++) {
        enum cor_operator kind = (enum cor_operator)at->operator;
        if (!expression__apply(kind, cells[at->left], cells[at->right], &cells[at->into]) ||
            (at->must_hold && cells[at->into] == 0))
            return false;
    }
    return true;
}
