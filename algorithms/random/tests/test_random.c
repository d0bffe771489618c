/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../../psopp/tests/fake_host.h"

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

extern const struct cor_algorithm cor_algorithm_random;

static void task_init(struct fake_task *task, uint32_t *whole) {
    static double values[50];
    static uint32_t members[50];
    for (uint32_t a = 0; a < 50; a++)
        members[a] = a;
    fake_task_init(task, &cor_algorithm_random, 50, values, members, whole);
    task->rules.size_min = 3;
    task->rules.size_max = 12;
    task->rules.count_min = 5;
    task->rules.count_max = 16;
}

/* Every agent once, sizes and number within the limits; for both size rules. */
static void results_are_feasible(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct fake_task task;
        struct fake_host host;
        uint32_t whole[2], seen[50] = {0};
        task_init(&task, whole);
        task.parameters[0] = (double)(seed % 2);
        fake_init(&host, &cor_algorithm_random, seed);
        assert_int_equal(fake_run(&host, &cor_algorithm_random, &task, 1), COR_DONE);
        assert_in_range(host.solution.block_count, 5, 16);
        for (uint32_t b = 0; b < host.solution.block_count; b++)
            assert_in_range(cor_lists_size(&host.solution, b), 3, 12);
        assert_int_equal(host.solution.member_count, 50);
        for (uint32_t i = 0; i < 50; i++)
            assert_int_equal(seen[host.solution.members[i]]++, 0);
        fake_fini(&host);
    }
}

static void the_same_seed_gives_the_same_result(void **state) {
    (void)state;
    struct fake_task task;
    struct fake_host host[3];
    uint32_t whole[2];
    task_init(&task, whole);
    for (int i = 0; i < 3; i++) {
        fake_init(&host[i], &cor_algorithm_random, i < 2 ? 7 : 8);
        assert_int_equal(fake_run(&host[i], &cor_algorithm_random, &task, 1), COR_DONE);
    }
    assert_memory_equal(host[0].solution.members, host[1].solution.members, 50 * sizeof(uint32_t));
    assert_memory_not_equal(host[0].solution.members, host[2].solution.members, 50 * sizeof(uint32_t));
    for (int i = 0; i < 3; i++)
        fake_fini(&host[i]);
}

static void the_run_fails_where_nothing_is_feasible_or_memory_is_out(void **state) {
    (void)state;
    for (uint64_t left = 0; left <= 3;
         left++) { /* with three allocations, it is the limits that cannot be kept */
        struct fake_task task;
        struct fake_host host;
        uint32_t whole[2];
        task_init(&task, whole);
        task.rules.count_max = 3;
        task.rules.count_min = 1;
        fake_init(&host, &cor_algorithm_random, 1);
        host.allocations_left = left;
        assert_int_equal(fake_run(&host, &cor_algorithm_random, &task, 1), COR_FAILED);
        assert_int_equal(host.complaint[0] != 0, left == 3);
        fake_fini(&host);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_feasible), cmocka_unit_test(the_same_seed_gives_the_same_result),
        cmocka_unit_test(the_run_fails_where_nothing_is_feasible_or_memory_is_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
