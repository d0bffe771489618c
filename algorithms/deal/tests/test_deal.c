/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../../psopp/tests/fake_host.h"

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

extern const struct cor_algorithm cor_algorithm_deal;

/* The definition, written the slow way: insertion sort, and block after block a look at every turn. */
static void deal_slowly(struct cor_lists *lists, uint32_t n, uint32_t k, const double *values) {
    uint32_t order[300], block[300];
    for (uint32_t i = 0, j; i < n; i++) {
        for (j = i; j > 0 && values[order[j - 1]] < values[i]; j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
    for (uint32_t b = 0; b < k; b++) {
        uint32_t size = 0;
        for (uint32_t i = 0; i < n; i++)
            if ((i / k % 2 ? k - 1 - i % k : i % k) == b)
                block[size++] = order[i];
        if (size > 0)
            assert_int_equal(cor_lists_put(lists, block, size, NULL), COR_OK);
    }
}

static void assert_lists_equal(const struct cor_lists *a, const struct cor_lists *b) {
    assert_int_equal(a->block_count, b->block_count);
    assert_int_equal(a->member_count, b->member_count);
    assert_memory_equal(a->start, b->start, (a->block_count + 1) * sizeof *a->start);
    assert_memory_equal(a->members, b->members, a->member_count * sizeof *a->members);
}

static void blocks_are_dealt_as_defined(void **state) {
    (void)state;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    for (uint32_t round = 0; round < 300; round++) {
        double values[300];
        uint32_t n = 1 + cor_rng_below(&rng, 299), members[300], block_start[301];
        uint32_t k = 1 + cor_rng_below(&rng, n), levels = 1 + cor_rng_below(&rng, 2 * n); /* with many ties */
        for (uint32_t a = 0; a < n; a++) {
            members[a] = a;
            values[a] = cor_rng_below(&rng, levels);
        }
        for (uint32_t b = 0; b <= k; b++) /* k blocks: the first is large, the others single */
            block_start[b] = b == 0 ? 0 : n - k + b;
        struct fake_task task;
        struct fake_host host;
        struct cor_lists expected;
        uint32_t whole[2];
        fake_task_init(&task, &cor_algorithm_deal, n, values, members, whole);
        task.task.block_count = k;
        task.task.block_start = block_start;
        fake_init(&host, &cor_algorithm_deal, round);
        cor_lists_init(&expected);
        assert_int_equal(fake_run(&host, &cor_algorithm_deal, &task, 1), COR_DONE);
        deal_slowly(&expected, n, k, values);
        assert_lists_equal(&host.solution, &expected);
        cor_lists_fini(&expected);
        fake_fini(&host);
    }
}

static void the_run_fails_where_memory_is_out(void **state) {
    (void)state;
    const double values[2] = {1, 2};
    const uint32_t members[2] = {0, 1};
    for (uint64_t left = 0; left < 2; left++) {
        struct fake_task task;
        struct fake_host host;
        uint32_t whole[2];
        fake_task_init(&task, &cor_algorithm_deal, 2, values, members, whole);
        fake_init(&host, &cor_algorithm_deal, 1);
        host.allocations_left = left;
        assert_int_equal(fake_run(&host, &cor_algorithm_deal, &task, 1), COR_FAILED);
        fake_fini(&host);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_are_dealt_as_defined),
                                       cmocka_unit_test(the_run_fails_where_memory_is_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
