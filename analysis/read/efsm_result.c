/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/efsm_result.h>

#include "rows.h"
#include "scan.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const void *row_of(const struct cor_efsm_result *model, enum cor_efsm_table table, uint64_t index) {
    return (const unsigned char *)model->rows[table] + index * cor_efsm_schema.tables[table].row_size;
}

static bool fits(uint64_t start, uint64_t count, uint64_t size) {
    return start <= size && count <= size - start;
}

static enum cor_status check_vectors(const struct cor_efsm_result *model, struct cor_error *error) {
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_MOVES]; i++) {
        const struct cor_efsm_move_row *row = row_of(model, COR_EFSM_TABLE_MOVES, i);
        if (!fits(row->state_start, row->states, model->value_count) ||
            !fits(row->argument_start, row->arguments, model->value_count) ||
            !fits(row->value_start, row->values, model->value_count) ||
            !fits(row->output_start, row->outputs, model->output_count))
            return read__rows_fail("moves", "a row names values that there are not", error);
    }
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_ALLOWED]; i++) {
        const struct cor_efsm_allowed_row *row = row_of(model, COR_EFSM_TABLE_ALLOWED, i);
        if (!fits(row->value_start, row->values, model->value_count) ||
            !fits(row->output_start, row->outputs, model->output_count))
            return read__rows_fail("allowed", "a row names values that there are not", error);
    }
    return COR_OK;
}

static enum cor_status load_vectors(struct cor_efsm_result *model, struct cor_error *error) {
    model->value_count = cor_result_vector_size(model->result, COR_EFSM_VECTOR_VALUE);
    model->output_count = cor_result_vector_size(model->result, COR_EFSM_VECTOR_OUTPUT);
    model->values = cor_calloc(model->value_count, sizeof *model->values);
    model->outputs = cor_calloc(model->output_count, sizeof *model->outputs);
    model->arities = cor_calloc(model->output_count, sizeof *model->arities);
    if (cor_result_vector_size(model->result, COR_EFSM_VECTOR_ARITY) != model->output_count)
        return read__rows_fail("vectors/arity", "is not as long as vectors/output", error);
    if (!model->values || !model->outputs || !model->arities)
        return cor_fail_memory(error);
    if (model->value_count > 0)
        COR_TRY(cor_result_read_vector(model->result, COR_EFSM_VECTOR_VALUE, 0, model->value_count,
                                       model->values, error));
    if (model->output_count > 0)
        COR_TRY(cor_result_read_vector(model->result, COR_EFSM_VECTOR_OUTPUT, 0, model->output_count,
                                       model->outputs, error));
    if (model->output_count > 0)
        COR_TRY(cor_result_read_vector(model->result, COR_EFSM_VECTOR_ARITY, 0, model->output_count,
                                       model->arities, error));
    return check_vectors(model, error);
}

/* Traps covered are listed as such; all moves are there, or at most the one that failed (brief). */
static enum cor_status check_test(const struct cor_efsm_result *model, const struct cor_efsm_test_row *row,
                                  struct cor_error *error) {
    uint64_t traps, moves, covered = 0;
    const uint64_t first = cor_efsm_rows_of(model, COR_EFSM_TABLE_TRAPS, row->arm, row->suite, &traps);
    cor_efsm_rows_of(model, COR_EFSM_TABLE_MOVES, row->arm, row->suite, &moves);
    for (uint64_t i = first; i < first + traps; i++) {
        const struct cor_efsm_trap_row *trap = row_of(model, COR_EFSM_TABLE_TRAPS, i);
        covered += trap->move > 0;
    }
    if (traps != row->traps || covered != row->covered)
        return read__foreign(error, "tests",
                             "arm %u, suite %" PRIu32 ": %" PRIu32 " of %" PRIu32
                             " traps, in table traps %" PRIu64 " of %" PRIu64,
                             row->arm, row->suite, row->covered, row->traps, covered, traps);
    if ((moves > 1 && moves != row->moves) || row->failed > row->moves ||
        (row->verdict == COR_TEST_FAIL) != (row->failed > 0))
        return read__foreign(error, "tests",
                             "arm %u, suite %" PRIu32 ": its verdict and its moves contradict each other",
                             row->arm, row->suite);
    return COR_OK;
}

static enum cor_status check_tests(const struct cor_efsm_result *model, struct cor_error *error) {
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_TESTS]; i++)
        COR_TRY(check_test(model, row_of(model, COR_EFSM_TABLE_TESTS, i), error));
    return COR_OK;
}

enum cor_status cor_efsm_result_init(struct cor_result *result, struct cor_efsm_result *model,
                                     struct cor_error *error) {
    enum cor_status status = COR_OK;
    *model = (struct cor_efsm_result){.result = result, .head = cor_result_head(result)};
    for (uint32_t t = 0; t < COR_EFSM_TABLE_COUNT; t++) {
        COR_TRY_OUT(read__rows_load(result, t, &model->rows[t], &model->count[t], error));
        COR_TRY_OUT(read__rows_belong(&cor_efsm_schema, t, model->rows, model->count, error));
    }
    COR_TRY_OUT(load_vectors(model, error));
    COR_TRY_OUT(check_tests(model, error));
out:
    if (status != COR_OK)
        cor_efsm_result_fini(model);
    return status;
}

void cor_efsm_result_fini(struct cor_efsm_result *model) {
    for (int t = 0; t < COR_EFSM_TABLE_COUNT; t++)
        free(model->rows[t]);
    free(model->values);
    free(model->outputs);
    free(model->arities);
    *model = (struct cor_efsm_result){0};
}

const void *cor_efsm_row(const struct cor_efsm_result *model, enum cor_efsm_table table, uint64_t index) {
    COR_ASSERT(index < model->count[table]);
    return row_of(model, table, index);
}

uint64_t cor_efsm_rows_of(const struct cor_efsm_result *model, enum cor_efsm_table table, uint16_t arm,
                          uint32_t suite, uint64_t *count) {
    return read__rows_of(&cor_efsm_schema.tables[table], model->rows[table], model->count[table], arm, suite,
                         count);
}

const char *cor_efsm_name(const struct cor_efsm_result *model, enum cor_efsm_catalog catalog, uint16_t code) {
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

static void append_values(const struct cor_efsm_result *model, uint64_t start, uint64_t count,
                          char text[COR_EFSM_TEXT]) {
    if (count == 0)
        return;
    for (uint64_t i = 0; i < count; i++)
        append(text, COR_EFSM_TEXT, "%s%.0f", i == 0 ? "(" : ", ", model->values[start + i]);
    append(text, COR_EFSM_TEXT, ")");
}

void cor_efsm_stored_input(const struct cor_efsm_result *model, const struct cor_efsm_move_row *row,
                           char text[COR_EFSM_TEXT]) {
    snprintf(text, COR_EFSM_TEXT, "%.200s", cor_efsm_name(model, COR_EFSM_CATALOG_INPUT, row->input));
    append_values(model, row->argument_start, row->arguments, text);
}

void cor_efsm_stored_state(const struct cor_efsm_result *model, const struct cor_efsm_move_row *row,
                           char text[COR_EFSM_TEXT]) {
    text[0] = '\0';
    for (uint32_t i = 0; i < row->states; i++)
        append(text, COR_EFSM_TEXT, "%s%s = %.0f", i == 0 ? "" : ", ",
               cor_efsm_name(model, COR_EFSM_CATALOG_STATE, (uint16_t)i),
               model->values[row->state_start + i]);
}

void cor_efsm_outputs_text(const struct cor_efsm_result *model, uint64_t output_start, uint32_t outputs,
                           uint64_t value_start, uint32_t values, char text[COR_EFSM_TEXT]) {
    snprintf(text, COR_EFSM_TEXT, "%s", outputs == 0 ? "nothing" : "");
    for (uint32_t o = 0, next = 0; o < outputs; o++) {
        const uint32_t left = values - next;
        const uint32_t arity =
            model->arities[output_start + o] < left ? model->arities[output_start + o] : left;
        append(text, COR_EFSM_TEXT, "%s%s", o == 0 ? "" : ", ",
               cor_efsm_name(model, COR_EFSM_CATALOG_OUTPUT, model->outputs[output_start + o]));
        append_values(model, value_start + next, arity, text);
        next += arity;
    }
}

/* What was observed at the move that failed, and what would have been allowed. */
static void say_failure(const struct cor_efsm_result *model, const struct cor_efsm_test_row *test,
                        char text[4 * COR_EFSM_TEXT]) {
    uint64_t count, allowed_count;
    const uint64_t first = cor_efsm_rows_of(model, COR_EFSM_TABLE_MOVES, test->arm, test->suite, &count);
    const uint64_t allowed =
        cor_efsm_rows_of(model, COR_EFSM_TABLE_ALLOWED, test->arm, test->suite, &allowed_count);
    char part[COR_EFSM_TEXT];
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_efsm_move_row *row = cor_efsm_row(model, COR_EFSM_TABLE_MOVES, i);
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
        const struct cor_efsm_allowed_row *row = cor_efsm_row(model, COR_EFSM_TABLE_ALLOWED, allowed + i);
        cor_efsm_outputs_text(model, row->output_start, row->outputs, row->value_start, row->values, part);
        append(text, 4 * COR_EFSM_TEXT, "%s%s [%s]", i == 0 ? "" : "; or ", part,
               cor_efsm_name(model, COR_EFSM_CATALOG_TRANSITION, row->transition));
    }
    if (allowed_count > 8)
        append(text, 4 * COR_EFSM_TEXT, "; or %llu more", (unsigned long long)(allowed_count - 8));
}

void cor_efsm_test_text(const struct cor_efsm_result *model, const struct cor_efsm_test_row *row,
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
        append(text, 4 * COR_EFSM_TEXT, "the system %s at move %u",
               row->trouble == COR_SYSTEM_GARBLED ? "spoke nonsense"
                                                  : cor_term_word(COR_FAMILY_SYSTEM, row->trouble),
               row->moves);
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
