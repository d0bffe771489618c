/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/efsm_result.h>

#include "scan.h"

#include <corridor/array.h>
#include <corridor/efsm_terms.h>

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE_MOST 9223372036854774784.0 /* the greatest double that is an int64_t */

static bool fits(uint64_t start, uint64_t count, uint64_t size) {
    return start <= size && count <= size - start;
}

/* A reset comes behind a move, and a move is of the present attempt: a replay has them all in memory. */
static enum cor_status check_resets(const struct cor_layer_tables *model,
                                    const struct cor_efsm_test_row *test, uint64_t first, uint64_t moves,
                                    struct cor_error *error) {
    uint32_t attempt = 0;
    if (test->resets > test->moves)
        return read__foreign(error, "tests",
                             "arm %u, suite %" PRIu32 ": %" PRIu32 " resets in %" PRIu32 " moves", test->arm,
                             test->suite, test->resets, test->moves);
    for (uint64_t i = first; i < first + moves; i++) {
        const struct cor_efsm_move_row *row = cor_layer_row(model, COR_EFSM_TABLE_MOVES, i);
        if (row->attempt < attempt || row->attempt > test->resets)
            return read__foreign(error, "moves",
                                 "row %" PRIu64 ": attempt is %" PRIu32 ", behind %" PRIu32
                                 ", in a test of %" PRIu32 " resets",
                                 i, row->attempt, attempt, test->resets);
        attempt = row->attempt;
    }
    return COR_OK;
}

enum cor_status cor_efsm_result_init(struct cor_result *result, struct cor_layer_tables *model,
                                     struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_TRY(cor_layer_tables_init(result, COR_ALL_TABLES, COR_ALL_VECTORS, model, error));
    const uint64_t values = model->item_count[COR_EFSM_VECTOR_VALUE],
                   outputs = model->item_count[COR_EFSM_VECTOR_OUTPUT];
    if (model->item_count[COR_EFSM_VECTOR_ARITY] != outputs)
        COR_TRY_OUT(read__unlike("vectors/arity", "is not as long as vectors/output", error));
    for (uint64_t i = 0; i < values; i++) {
        const double value = cor_efsm_values(model)[i];
        if (!(fabs(value) <= WHOLE_MOST) || value != trunc(value))
            COR_TRY_OUT(read__foreign(error, "vectors/value",
                                      "item %" PRIu64 " is %g, which is no whole number", i, value));
    }
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_MOVES]; i++) {
        const struct cor_efsm_move_row *row = cor_layer_row(model, COR_EFSM_TABLE_MOVES, i);
        if (!fits(row->state_start, row->states, values) ||
            !fits(row->argument_start, row->arguments, values) ||
            !fits(row->value_start, row->values, values) || !fits(row->output_start, row->outputs, outputs))
            COR_TRY_OUT(read__unlike("moves", "a row names values that there are not", error));
    }
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_ALLOWED]; i++) {
        const struct cor_efsm_allowed_row *row = cor_layer_row(model, COR_EFSM_TABLE_ALLOWED, i);
        if (!fits(row->value_start, row->values, values) || !fits(row->output_start, row->outputs, outputs))
            COR_TRY_OUT(read__unlike("allowed", "a row names values that there are not", error));
    }
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_TROUBLES]; i++) {
        const struct cor_efsm_trouble_row *row = cor_layer_row(model, COR_EFSM_TABLE_TROUBLES, i);
        if (!fits(row->words_start, row->words, model->item_count[COR_EFSM_VECTOR_WORDS]))
            COR_TRY_OUT(read__unlike("troubles", "a row names words that there are not", error));
    }
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_TESTS]; i++) {
        /* Traps covered are listed as such; all moves are there, or at most the one that failed (brief). */
        const struct cor_efsm_test_row *row = cor_layer_row(model, COR_EFSM_TABLE_TESTS, i);
        uint64_t traps, moves, covered = 0;
        const uint64_t first = cor_layer_rows_of(model, COR_EFSM_TABLE_TRAPS, row->arm, row->suite, &traps);
        const uint64_t move = cor_layer_rows_of(model, COR_EFSM_TABLE_MOVES, row->arm, row->suite, &moves);
        COR_TRY_OUT(check_resets(model, row, move, moves, error));
        for (uint64_t j = first; j < first + traps; j++) {
            const struct cor_efsm_trap_row *trap = cor_layer_row(model, COR_EFSM_TABLE_TRAPS, j);
            covered += trap->move > 0;
        }
        if (traps != row->traps || covered != row->covered)
            COR_TRY_OUT(read__foreign(error, "tests",
                                      "arm %u, suite %" PRIu32 ": %" PRIu32 " of %" PRIu32
                                      " traps, in table traps %" PRIu64 " of %" PRIu64,
                                      row->arm, row->suite, row->covered, row->traps, covered, traps));
        else if ((moves > 1 && moves != row->moves) || row->failed > row->moves ||
                 (row->verdict == COR_TEST_FAIL) != (row->failed > 0))
            COR_TRY_OUT(read__foreign(
                error, "tests", "arm %u, suite %" PRIu32 ": its verdict and its moves contradict each other",
                row->arm, row->suite));
    }
out:
    if (status != COR_OK)
        cor_layer_tables_fini(model);
    return status;
}

const char *cor_efsm_name(const struct cor_layer_tables *model, enum cor_efsm_catalog catalog,
                          uint16_t code) {
    return cor_result_name(model->result, (uint32_t)catalog, code);
}

/* Appends to a text of `size` bytes, cut off there. */
static void append(char *text, size_t size, const char *format, ...) COR_PRINTF(3, 4);
static void append(char *text, size_t size, const char *format, ...) {
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

/* The type of value `index` of what the code names, up to the next ", " or the end; "" an integer. Its
 * description says the types of all, if one is no integer: "input, of integer, boolean, idle|busy, 2
 * decimals".
 */
static const char *type_of(const struct cor_layer_tables *model, enum cor_efsm_catalog catalog, uint16_t code,
                           uint64_t index) {
    const char *types = strstr(cor_result_description(model->result, (uint32_t)catalog, code), ", of ");
    types = types ? types + strlen(", of ") : NULL;
    for (; types && index > 0; index--) {
        types = strstr(types, ", ");
        types = types ? types + strlen(", ") : NULL;
    }
    return types ? types : "";
}

/* A value of the type, as the model shows it. */
static void append_value(double value, const char *type, char text[COR_EFSM_TEXT]) {
    const size_t length = strcspn(type, ",");
    const unsigned long decimals = strtoul(type, NULL, 10);
    if (memchr(type, '|', length)) {
        const char *word = type;
        for (double before = 0; before < value && word[strcspn(word, "|,")] == '|'; before++)
            word += strcspn(word, "|") + 1;
        append(text, COR_EFSM_TEXT, "%.*s", (int)strcspn(word, "|,"), word);
    } else if (length == strlen("boolean") && strncmp(type, "boolean", length) == 0) {
        append(text, COR_EFSM_TEXT, "%s", value > 0 ? "true" : "false");
    } else if (decimals > 0 && decimals <= 9) {
        double unit = 1;
        for (unsigned long i = 0; i < decimals; i++)
            unit *= 10;
        append(text, COR_EFSM_TEXT, "%.*f", (int)decimals, value / unit);
    } else {
        append(text, COR_EFSM_TEXT, "%.0f", value);
    }
}

/* The values of an input or output, which the code names. */
static void append_values(const struct cor_layer_tables *model, enum cor_efsm_catalog catalog, uint16_t code,
                          uint64_t start, uint64_t count, char text[COR_EFSM_TEXT]) {
    if (count == 0)
        return;
    for (uint64_t i = 0; i < count; i++) {
        append(text, COR_EFSM_TEXT, "%s", i == 0 ? "(" : ", ");
        append_value(cor_efsm_values(model)[start + i], type_of(model, catalog, code, i), text);
    }
    append(text, COR_EFSM_TEXT, ")");
}

void cor_efsm_stored_input(const struct cor_layer_tables *model, const struct cor_efsm_move_row *row,
                           char text[COR_EFSM_TEXT]) {
    snprintf(text, COR_EFSM_TEXT, "%.200s", cor_efsm_name(model, COR_EFSM_CATALOG_INPUT, row->input));
    append_values(model, COR_EFSM_CATALOG_INPUT, row->input, row->argument_start, row->arguments, text);
}

void cor_efsm_stored_state(const struct cor_layer_tables *model, const struct cor_efsm_move_row *row,
                           char text[COR_EFSM_TEXT]) {
    text[0] = '\0';
    for (uint32_t i = 0; i < row->states; i++) {
        append(text, COR_EFSM_TEXT, "%s%s = ", i == 0 ? "" : ", ",
               cor_efsm_name(model, COR_EFSM_CATALOG_STATE, (uint16_t)i));
        append_value(cor_efsm_values(model)[row->state_start + i],
                     type_of(model, COR_EFSM_CATALOG_STATE, (uint16_t)i, 0), text);
    }
}

void cor_efsm_outputs_text(const struct cor_layer_tables *model, uint64_t output_start, uint32_t outputs,
                           uint64_t value_start, uint32_t values, char text[COR_EFSM_TEXT]) {
    snprintf(text, COR_EFSM_TEXT, "%s", outputs == 0 ? "nothing" : "");
    const uint16_t *labels = cor_efsm_outputs(model) + output_start,
                   *arities = cor_efsm_arities(model) + output_start;
    for (uint32_t o = 0, next = 0; o < outputs; o++) {
        const uint32_t left = values - next, arity = arities[o] < left ? arities[o] : left;
        append(text, COR_EFSM_TEXT, "%s%s", o == 0 ? "" : ", ",
               cor_efsm_name(model, COR_EFSM_CATALOG_OUTPUT, labels[o]));
        append_values(model, COR_EFSM_CATALOG_OUTPUT, labels[o], value_start + next, arity, text);
        next += arity;
    }
}

void cor_efsm_told_text(const struct cor_layer_tables *model, const struct cor_efsm_move_row *row,
                        char text[COR_EFSM_TEXT]) {
    uint64_t count;
    const uint64_t first = cor_layer_rows_of(model, COR_EFSM_TABLE_GOALS, row->arm, row->suite, &count);
    text[0] = '\0';
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_efsm_goal_row *told = cor_layer_row(model, COR_EFSM_TABLE_GOALS, i);
        if (told->move == row->move)
            append(text, COR_EFSM_TEXT, "; %s %s", told->adds ? "add" : "drop",
                   cor_efsm_name(model, COR_EFSM_CATALOG_GOAL, told->goal));
    }
}

/* What was wrong with the system, with what it said or did if the file has it. */
static void say_trouble(const struct cor_layer_tables *model, const struct cor_efsm_test_row *test,
                        char text[4 * COR_EFSM_TEXT]) {
    uint64_t count;
    const uint64_t first = cor_layer_rows_of(model, COR_EFSM_TABLE_TROUBLES, test->arm, test->suite, &count);
    append(text, 4 * COR_EFSM_TEXT, "the system %s at move %u",
           test->trouble == COR_SYSTEM_GARBLED ? "spoke nonsense"
                                               : cor_term_word(COR_FAMILY_SYSTEM, test->trouble),
           test->moves);
    if (count > 0) {
        const struct cor_efsm_trouble_row *row = cor_layer_row(model, COR_EFSM_TABLE_TROUBLES, first);
        const char *words = model->items[COR_EFSM_VECTOR_WORDS];
        append(text, 4 * COR_EFSM_TEXT, ": %.*s", (int)row->words, words + row->words_start);
    }
}

/* What was observed at the move that failed, and what would have been allowed. */
static void say_failure(const struct cor_layer_tables *model, const struct cor_efsm_test_row *test,
                        char text[4 * COR_EFSM_TEXT]) {
    uint64_t count, allowed_count;
    const uint64_t first = cor_layer_rows_of(model, COR_EFSM_TABLE_MOVES, test->arm, test->suite, &count);
    const uint64_t allowed =
        cor_layer_rows_of(model, COR_EFSM_TABLE_ALLOWED, test->arm, test->suite, &allowed_count);
    char part[COR_EFSM_TEXT];
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_efsm_move_row *row = cor_layer_row(model, COR_EFSM_TABLE_MOVES, i);
        if (row->move != test->failed)
            continue;
        cor_efsm_stored_input(model, row, part);
        append(text, 4 * COR_EFSM_TEXT, "move %u: at %s, input", row->move,
               cor_efsm_name(model, COR_EFSM_CATALOG_LOCATION, row->location));
        append(text, 4 * COR_EFSM_TEXT, " %s gave ", part);
        cor_efsm_outputs_text(model, row->output_start, row->outputs, row->value_start, row->values, part);
        append(text, 4 * COR_EFSM_TEXT, "%s; allowed: ", part);
    }
    for (uint64_t i = 0; i < allowed_count && i < 8; i++) {
        const struct cor_efsm_allowed_row *row = cor_layer_row(model, COR_EFSM_TABLE_ALLOWED, allowed + i);
        cor_efsm_outputs_text(model, row->output_start, row->outputs, row->value_start, row->values, part);
        append(text, 4 * COR_EFSM_TEXT, "%s%s [%s]", i == 0 ? "" : "; or ", part,
               cor_efsm_name(model, COR_EFSM_CATALOG_TRANSITION, row->transition));
    }
    if (allowed_count > 8)
        append(text, 4 * COR_EFSM_TEXT, "; or %llu more", (unsigned long long)(allowed_count - 8));
}

void cor_efsm_test_text(const struct cor_layer_tables *model, const struct cor_efsm_test_row *row,
                        char text[4 * COR_EFSM_TEXT]) {
    text[0] = '\0';
    switch (row->verdict) {
    case COR_TEST_PASS:
        append(text, 4 * COR_EFSM_TEXT, "%u of %u traps in %u moves", row->covered, row->traps, row->moves);
        break;
    case COR_TEST_FAIL:
        say_failure(model, row, text);
        break;
    case COR_TEST_TROUBLE:
        say_trouble(model, row, text);
        break;
    case COR_TEST_INCONCLUSIVE:
        if (row->proven && row->planned == UINT32_MAX)
            append(text, 4 * COR_EFSM_TEXT, "%u of %u traps; proven: the system can prevent the others",
                   row->covered, row->traps);
        else
            append(text, 4 * COR_EFSM_TEXT, "%u of %u traps, the others not reached in %u moves",
                   row->covered, row->traps, row->moves);
        break;
    default: {
        const struct cor_term *term = cor_term(COR_FAMILY_TEST, row->verdict);
        append(text, 4 * COR_EFSM_TEXT, "%u of %u traps; %s", row->covered, row->traps,
               term ? term->meaning : "?");
    }
    }
}
