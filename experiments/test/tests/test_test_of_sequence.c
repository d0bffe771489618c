/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sequence taken out of its suite, held against the rows it had there; and what leaving out cases and
 * agents does to the draws of those that stay: nothing. */
#include "scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Executes each sequence of all suites as a test, backwards, so that none follows the one it followed. */
static void check_all(bool branching) {
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_tester *tester;
    uint32_t continued = 0, failing = 0, smoke = 0;
    scene_open(&scene, scene_faults, branching);
    OK(cor_tester_create(&tester, &error));
    for (uint32_t i = 0; i < 2 * scene.experiment->arm_count; i++) {
        scene_execute(&scene, i / 2, i % 2);
        for (size_t row = cor_record_size(scene.record, COR_TABLE_SEQUENCES); row-- > 0;) {
            struct cor_test_result result, again;
            struct cor_test *test = scene_test(&scene, row), *copy;
            OK(cor_tester_execute(tester, test, 0, &result, &error));
            scene_compare(&scene, row, cor_tester_record(tester));
            OK(cor_test_copy(test, &copy, &error));
            assert_int_equal(cor_test_hash(copy), cor_test_hash(test));
            OK(cor_tester_execute(tester, copy, 0, &again, &error));
            assert_int_equal(again.hash, result.hash);
            continued += test->continues;
            failing += result.case_ > 0;
            smoke += result.class.smoke != COR_SMOKE_NONE;
            cor_test_destroy(copy);
            cor_test_destroy(test);
        }
    }
    cor_tester_destroy(tester);
    scene_close(&scene);
    if (failing < 20 || (branching && continued < 20))
        fail_msg("%u failing, %u continued, %u with smoke", failing, continued, smoke);
}

static void a_test_gives_the_rows_of_its_sequence(void **state) {
    (void)state;
    check_all(false);
}

static void a_test_of_a_branch_gives_the_rows_of_its_sequence(void **state) {
    (void)state;
    check_all(true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_test_gives_the_rows_of_its_sequence),
        cmocka_unit_test(a_test_of_a_branch_gives_the_rows_of_its_sequence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
