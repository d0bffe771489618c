/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/failing.h>

#include <corridor/arms.h>
#include <corridor/array.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS_MAX 3 /* suite, sequence, case */

/* The digits between a stroke and `end` as a number; false if there is anything else, or too many. */
static bool read_number(const char *stroke, const char *end, uint32_t *number) {
    uint64_t value = 0;
    const char *digit = stroke + 1;
    if (digit == end)
        return false;
    for (; digit < end && value < UINT32_MAX; digit++) {
        if (*digit < '0' || *digit > '9')
            return false;
        value = 10 * value + (uint64_t)(*digit - '0');
    }
    *number = (uint32_t)value;
    return digit == end && value < UINT32_MAX;
}

static const char *stroke_before(const char *text, const char *end) {
    while (end > text)
        if (*--end == '/')
            return end;
    return NULL;
}

/* The numbers at the end of `text`, the last one first, and where each one's stroke stands. */
static size_t read_numbers(const char *text, uint32_t number[NUMBERS_MAX], const char *stroke[NUMBERS_MAX]) {
    const char *end = text + strlen(text);
    size_t count = 0;
    while (count < NUMBERS_MAX) {
        stroke[count] = stroke_before(text, end);
        if (!stroke[count] || !read_number(stroke[count], end, &number[count]))
            break;
        end = stroke[count++];
    }
    return count;
}

/* No reading leaves an arm: says so of the one that names the whole key. */
static enum cor_status no_arm(const struct cor_result_header *head, const char *place, const char *text,
                              const char *end, struct cor_error *error) {
    size_t arm;
    char *name = cor_format("%.*s", (int)(end - text), text);
    COR_TRY(cor_made(name, error));
    const enum cor_status status = cor_arm_find(head, place, name, &arm, error);
    COR_ASSERT(status != COR_OK);
    free(name);
    return status;
}

enum cor_status cor_failure_key_parse(const struct cor_result_header *head, const char *place,
                                      const char *text, struct cor_failure_key *key,
                                      struct cor_error *error) {
    uint32_t number[NUMBERS_MAX];
    const char *stroke[NUMBERS_MAX];
    const size_t count = read_numbers(text, number, stroke);
    *key = (struct cor_failure_key){.sequence = COR_WHOLE_SUITE};
    if (count == 0)
        return cor_fail(error, COR_STATUS_INPUT, place,
                        "as in search/0 or search/0/3/17: an arm and the number of a suite, then, if one is "
                        "meant, those of a sequence and of a case; corridor failures lists them",
                        "\"%s\" is no ARM/SUITE/SEQUENCE/CASE", text);
    for (size_t numbers = count; numbers > 0; numbers--) {
        key->arm = cor_arm_of_name(head, text, (size_t)(stroke[numbers - 1] - text));
        if (key->arm == cor_arm_count(head))
            continue;
        key->suite = number[numbers - 1];
        if (numbers > 1)
            key->sequence = number[numbers - 2];
        if (numbers > 2)
            key->case_ = number[numbers - 3];
        if (numbers > 2 && key->case_ == 0)
            return cor_fail(error, COR_STATUS_INPUT, place, "corridor failures lists what failed",
                            "\"%s\" names case 0, and cases count from 1", text);
        return COR_OK;
    }
    return no_arm(head, place, text, stroke[count - 1], error);
}

char *cor_failure_key_text(const struct cor_result_header *head, const struct cor_failure_key *key) {
    const char *arm = cor_arm_entry(head, key->arm)->name;
    if (key->sequence == COR_WHOLE_SUITE)
        return cor_format("%s/%" PRIu32, arm, key->suite);
    if (key->case_ == 0)
        return cor_format("%s/%" PRIu32 "/%" PRIu32, arm, key->suite, key->sequence);
    return cor_format("%s/%" PRIu32 "/%" PRIu32 "/%" PRIu32, arm, key->suite, key->sequence, key->case_);
}

/* The first failing case of a sequence, and the masked ones if they are wanted. */
static enum cor_status look_at(const struct cor_suite_rows *suite, uint32_t number, bool masked,
                               struct cor_failing_list *list, struct cor_error *error) {
    const struct cor_sequence_rows *sequence = &suite->sequence[number];
    struct cor_failure_rows rows = {.violations = sequence->violations,
                                    .reorganizations = sequence->reorganizations,
                                    .violation_count = sequence->violation_count,
                                    .reorganization_count = sequence->reorganization_count};
    struct cor_failing item = {
        .key = {.arm = suite->arm, .suite = suite->row.suite, .sequence = number},
        .executed = sequence->row ? sequence->row->executed : 0,
        .agents = suite->row.agents,
    };
    bool has_failed = false;
    list->sequences++;
    while ((item.key.case_ = cor_failure_rows_next(&rows, &item.class)) > 0) {
        const bool fails = cor_failure_class_fails(&item.class), first = fails && !has_failed;
        const bool is_masked = !fails && item.class.fault;
        has_failed = has_failed || fails;
        list->failing += first;
        list->masked += is_masked;
        if (!first && !(masked && is_masked))
            continue;
        COR_TRY(COR_RESERVE(&list->items, &list->capacity, list->count + 1, error));
        list->items[list->count++] = item;
    }
    return COR_OK;
}

enum cor_status cor_failing_read(struct cor_result *result, size_t arm, bool masked,
                                 struct cor_failing_list *list, struct cor_error *error) {
    static const char *const violations[] = {"sequence", "case", "box", "check", NULL},
                             *const runs[] = {"sequence",        "case", "gray", "black", "smoke",
                                              "fault_activated", NULL};
    static const struct cor_reading readings[] = {{COR_TABLE_VIOLATIONS, violations},
                                                  {COR_TABLE_REORGANIZATIONS, runs}};
    struct cor_suite_reader *reader;
    const struct cor_suite_rows *suite;
    enum cor_status status = COR_OK;
    *list = (struct cor_failing_list){0};
    COR_TRY(cor_suite_reader_create(result, readings, sizeof readings / sizeof *readings, &reader, error));
    if (arm != COR_ANY_ARM)
        COR_TRY_OUT(cor_suite_reader_choose(reader, cor_arm_entry(cor_result_head(result), arm)->code,
                                            COR_ANY_SUITE, error));
    for (;;) {
        COR_TRY_OUT(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        for (uint32_t s = 0; s < suite->row.sequences; s++)
            COR_TRY_OUT(look_at(suite, s, masked, list, error));
    }
out:
    cor_suite_reader_destroy(reader);
    return status;
}

void cor_failing_fini(struct cor_failing_list *list) {
    free(list->items);
    *list = (struct cor_failing_list){0};
}
