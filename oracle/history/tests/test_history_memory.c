/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation fails in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/history.h>

#include <stdlib.h>

#include "failing_allocations.h"

/* A call of each operation; two that overlap, one that never returns, one that fails. */
static enum cor_status calls(enum cor_object object, struct cor_history *history, struct cor_error *error) {
    static const struct {
        enum cor_object object;
        const char *operation, *argument, *result;
    } rows[] = {
        {COR_OBJECT_CAS_REGISTER, "write", "1", "nil"}, {COR_OBJECT_CAS_REGISTER, "cas", "[1 2]", "true"},
        {COR_OBJECT_CAS_REGISTER, "read", "nil", "2"},  {COR_OBJECT_CAS_REGISTER, "read", "nil", "1"},
        {COR_OBJECT_REGISTER, "write", "1", "nil"},     {COR_OBJECT_REGISTER, "write", "2", "nil"},
        {COR_OBJECT_REGISTER, "read", "nil", "1"},      {COR_OBJECT_MAP, "append", "a", "nil"},
        {COR_OBJECT_MAP, "append", "b", "nil"},         {COR_OBJECT_MAP, "put", "[1 2 3]", "nil"},
        {COR_OBJECT_MAP, "get", "nil", "ab"},           {COR_OBJECT_SET, "add", "7", "nil"},
        {COR_OBJECT_SET, "read", "nil", "[9 7 8 7]"},   {COR_OBJECT_QUEUE, "enqueue", "\"long one\"", "nil"},
        {COR_OBJECT_QUEUE, "dequeue", "nil", "6"},
    };
    size_t numbers[sizeof rows / sizeof *rows];
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            uint32_t value;
            const char *text = pass ? rows[r].result : rows[r].argument;
            if (rows[r].object != object)
                continue;
            COR_TRY(cor_call_values_read(&history->values, &text, "", &value, error));
            if (pass)
                COR_TRY(cor_history_return(history, numbers[r], value, "", error));
            else
                COR_TRY(cor_history_call(history, (uint32_t)r, rows[r].operation,
                                         object == COR_OBJECT_MAP ? 1 : COR_CALL_NIL, value, "", &numbers[r],
                                         error));
        }
    return COR_OK;
}

static enum cor_status judge(enum cor_object object, struct cor_error *error) {
    struct cor_history history = {0};
    struct cor_history_verdict verdict;
    struct cor_bytes text = {0};
    enum cor_status status = COR_OK;
    bool relaxed[16] = {false};
    COR_TRY_OUT(cor_history_init(&history, object, false, error));
    COR_TRY_OUT(calls(object, &history, error));
    COR_TRY_OUT(cor_history_linearizable(&history, NULL, COR_HISTORY_STEPS, &verdict, error));
    COR_TRY_OUT(cor_history_sequential(&history, NULL, COR_HISTORY_STEPS, &verdict, error));
    COR_TRY_OUT(cor_history_explain(&history, relaxed, false, &text, error));
    relaxed[0] = true;
    COR_TRY_OUT(cor_history_linearizable(&history, relaxed, COR_HISTORY_STEPS, &verdict, error));
    COR_TRY_OUT(cor_history_explain(&history, relaxed, true, &text, error));
out:
    cor_history_fini(&history);
    cor_bytes_fini(&text);
    return status;
}

static enum cor_status whole(struct cor_error *error) {
    static const enum cor_object objects[] = {COR_OBJECT_CAS_REGISTER, COR_OBJECT_MAP, COR_OBJECT_SET,
                                              COR_OBJECT_QUEUE, COR_OBJECT_REGISTER};
    for (size_t o = 0; o < sizeof objects / sizeof *objects; o++)
        COR_TRY(judge(objects[o], error));
    return COR_OK;
}

static enum cor_status file(struct cor_error *error) {
    struct cor_history history = {0};
    enum cor_status status = cor_history_init(&history, COR_OBJECT_CAS_REGISTER, false, error);
    if (status == COR_OK)
        status = cor_history_read(TEST_SOURCE_DIR "/oracle/history/tests/invalid/valid.edn", &history, error);
    cor_history_fini(&history);
    return status;
}

static void fail_in_turn(enum cor_status (*act)(struct cor_error *error)) {
    struct cor_error said = COR_NO_ERROR;
    cor_allocations_begin(0, false);
    if (act(&said) != COR_OK)
        fail_msg("%s: %s", said.place, said.cause);
    const long count = cor_allocations_end();
    const int64_t held = cor_allocations_held();
    assert_true(count > 10);
    for (long fails_at = 1; fails_at <= count; fails_at++) {
        struct cor_error error = COR_NO_ERROR;
        cor_allocations_begin(fails_at, false);
        const enum cor_status status = act(&error);
        cor_allocations_end();
        assert_int_equal(status, COR_STATUS_MEMORY);
        assert_int_equal(error.status, COR_STATUS_MEMORY);
        assert_int_equal(cor_allocations_held(), held);
    }
}

static void allocations_fail_in_turn(void **unused) {
    (void)unused;
    fail_in_turn(whole);
    fail_in_turn(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(allocations_fail_in_turn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
