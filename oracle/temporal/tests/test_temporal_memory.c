/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation made to fail in turn while a formula is read and followed; and the memory of a watch along
 * a trace that is long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "failing_allocations.h"

#include <corridor/temporal.h>

#include <stdlib.h>

static const char *const names[] = {"p", "q", NULL};

static enum cor_status follow(const char *text, int states, struct cor_error *error) {
    struct cor_temporal *formula = NULL;
    struct cor_temporal_watch *watch = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_temporal_parse(text, names, NULL, &formula, error));
    COR_TRY_OUT(cor_temporal_watch_create(formula, &watch, error));
    uint64_t seed = 1;
    for (int at = 0; at < states; at++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint8_t state[] = {seed >> 40 & 1, at > 20 && (seed >> 50) % 100 == 0 ? 2 : seed >> 45 & 1};
        COR_TRY_OUT(cor_temporal_step(watch, state, error));
    }
out:
    cor_temporal_watch_destroy(watch);
    cor_temporal_destroy(formula);
    return status;
}

static const char *const texts[] = {
    "always (p implies eventually[2, 9] q) or eventually historically[0, 5] (p since q)",
    "always (p or not p or once[1, 12] (q and next[1, 3] p))",
};

static void allocations_fail_in_turn(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cor_allocations_begin(0, false);
        assert_int_equal(follow(texts[i], 300, NULL), COR_OK);
        const long count = cor_allocations_end();
        assert_in_range(count, 15, 100000);
        for (long fails_at = 1; fails_at <= count; fails_at++) {
            struct cor_error error = COR_NO_ERROR;
            cor_allocations_begin(fails_at, false);
            const enum cor_status status = follow(texts[i], 300, &error);
            cor_allocations_end();
            assert_int_equal(status, COR_STATUS_MEMORY);
            assert_int_equal(error.status, COR_STATUS_MEMORY);
        }
    }
}

/* A trace that violates the formula, by its end and for good. */
static enum cor_status explain(bool is_decided, struct cor_error *error) {
    struct cor_temporal *formula = NULL;
    struct cor_temporal_reason *reasons = NULL;
    uint8_t states[40] = {0};
    size_t count;
    bool is_enough;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_temporal_parse("(p or q) since q or next p and eventually[0, 9] (p or q)", names, NULL,
                                   &formula, error));
    COR_TRY_OUT(
        cor_temporal_reasons(formula, states, 2, 20, is_decided, &reasons, &count, &is_enough, error));
    assert_true(count > 0 && is_enough);
    free(reasons);
out:
    cor_temporal_destroy(formula);
    return status;
}

static void allocations_fail_in_turn_while_reasons_are_sought(void **unused) {
    (void)unused;
    for (int is_decided = 0; is_decided < 2; is_decided++) {
        cor_allocations_begin(0, false);
        assert_int_equal(explain(is_decided, NULL), COR_OK);
        const long count = cor_allocations_end();
        assert_in_range(count, 8, 100);
        for (long fails_at = 1; fails_at <= count; fails_at++) {
            struct cor_error error = COR_NO_ERROR;
            cor_allocations_begin(fails_at, false);
            const enum cor_status status = explain(is_decided, &error);
            cor_allocations_end();
            assert_int_equal(status, COR_STATUS_MEMORY);
            assert_int_equal(error.status, COR_STATUS_MEMORY);
        }
    }
}

static int64_t most_held(int states) {
    const int64_t before = cor_allocations_held();
    cor_allocations_mark_held();
    assert_int_equal(
        follow("always (p implies next[17, 17] true and (not once[13, 13] q or once[13, 13] q) or q)", states,
               NULL),
        COR_OK);
    return cor_allocations_most_held() - before;
}

/* With 2^13 pasts and more there is always something new, and yet not more of it. */
static void memory_does_not_grow_with_the_trace(void **unused) {
    (void)unused;
    const int64_t once = most_held(20000), longer = most_held(100000);
    assert_true(once > 0 && longer <= once + once / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_fail_in_turn),
        cmocka_unit_test(allocations_fail_in_turn_while_reasons_are_sought),
        cmocka_unit_test(memory_does_not_grow_with_the_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
