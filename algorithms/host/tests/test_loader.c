/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Registry and loader: what is found, what is refused and with which words, and that a module and the
 * built-in algorithm of the same source are one. */
#include "tests/tasks.h"

#include <corridor/digest.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static struct cor_registry *made(void) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_registry *registry;
    assert_int_equal(cor_registry_create(NULL, &registry, &error), COR_OK);
    return registry;
}

static void every_builtin_is_found_by_name(void **state) {
    (void)state;
    struct cor_registry *registry = made();
    struct cor_error error = COR_NO_ERROR;
    assert_true(cor_registry_size(registry) >= 4);
    for (uint32_t i = 0; i < cor_registry_size(registry); i++) {
        const struct cor_algorithm *algorithm = cor_registry_at(registry, i), *found;
        assert_int_equal(cor_registry_find(registry, algorithm->name, &found, &error), COR_OK);
        assert_ptr_equal(found, algorithm);
        assert_string_equal(cor_registry_origin(registry, i), "built-in");
    }
    cor_registry_destroy(registry);
}

static void an_unknown_name_is_told_with_a_near_one(void **state) {
    (void)state;
    struct cor_registry *registry = made();
    struct cor_error error = COR_NO_ERROR;
    const struct cor_algorithm *found;
    assert_int_equal(cor_registry_find(registry, "spda", &found, &error), COR_STATUS_INPUT);
    assert_null(found);
    assert_non_null(strstr(error.cause, "\"spda\""));
    assert_non_null(strstr(error.remedy, "did you mean \"spada\""));
    cor_registry_destroy(registry);
}

static void fault_names_are_translated(void **state) {
    (void)state;
    struct cor_registry *registry = made();
    struct cor_error error = COR_NO_ERROR;
    const struct cor_algorithm *spada;
    uint32_t fault = 77;
    assert_int_equal(cor_registry_find(registry, "spada", &spada, &error), COR_OK);
    assert_int_equal(cor_algorithm_fault(spada, NULL, &fault, &error), COR_OK);
    assert_int_equal(fault, 0);
    assert_int_equal(cor_algorithm_fault(spada, "none", &fault, &error), COR_OK);
    assert_int_equal(fault, 0);
    for (uint32_t f = 1; f <= cor_algorithm_fault_count(spada); f++) {
        assert_int_equal(cor_algorithm_fault(spada, cor_algorithm_fault_name(spada, f), &fault, &error),
                         COR_OK);
        assert_int_equal(fault, f);
    }
    assert_string_equal(cor_algorithm_fault_name(spada, 0), "none");
    assert_int_equal(cor_algorithm_fault(spada, "f9", &fault, &error), COR_STATUS_INPUT);
    assert_non_null(strstr(error.remedy, "none"));
    assert_int_equal(cor_algorithm_parameter(spada, "no_such"), -1);
    cor_registry_destroy(registry);
}

static void a_module_is_loaded_once(void **state) {
    (void)state;
    struct cor_registry *registry = made();
    struct cor_error error = COR_NO_ERROR;
    const struct cor_algorithm *first, *second;
    uint32_t size = cor_registry_size(registry);
    assert_int_equal(cor_registry_find(registry, "./good.so", &first, &error), COR_OK);
    assert_string_equal(first->name, "singles");
    assert_int_equal(cor_registry_find(registry, "./good.so", &second, &error), COR_OK);
    assert_ptr_equal(first, second);
    assert_int_equal(cor_registry_size(registry), size + 1);
    assert_string_equal(cor_registry_origin(registry, size), "./good.so");
    assert_int_equal(cor_registry_find(registry, "singles", &second, &error), COR_OK);
    assert_ptr_equal(first, second);
    cor_registry_destroy(registry);
}

/* Known answers: FIPS 180-4's examples (abc, a million a), and the empty file. */
static void digests_are_those_of_the_standard(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t times;
        const char *digest;
    } known[] = {{"", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                 {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                 {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
    struct cor_error error = COR_NO_ERROR;
    char digest[COR_DIGEST_TEXT];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        FILE *file = fopen("digested", "wb");
        assert_non_null(file);
        for (size_t t = 0; t < known[i].times; t++)
            fputs(known[i].text, file);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(cor_file_digest("digested", digest, &error), COR_OK);
        assert_string_equal(digest, known[i].digest);
    }
    assert_int_equal(remove("digested"), 0);
    assert_int_equal(cor_file_digest("digested", digest, &error), COR_STATUS_FILE);
    assert_int_equal(cor_file_digest(".", digest, &error), COR_STATUS_FILE);
}

static void modules_have_the_digest_of_their_file(void **state) {
    (void)state;
    struct cor_registry *registry = made();
    struct cor_error error = COR_NO_ERROR;
    const struct cor_algorithm *good, *old;
    char digest[COR_DIGEST_TEXT];
    assert_null(cor_registry_digest(registry, cor_registry_at(registry, 0)));
    assert_int_equal(cor_registry_find(registry, "./good.so", &good, &error), COR_OK);
    assert_int_equal(cor_registry_find(registry, "./old.so", &old, &error), COR_OK);
    assert_int_equal(cor_file_digest("good.so", digest, &error), COR_OK);
    assert_string_equal(cor_registry_digest(registry, good), digest);
    assert_string_not_equal(cor_registry_digest(registry, old), digest);
    cor_registry_destroy(registry);
}

/* What it does not have is NULL. */
static void a_module_of_an_older_version_runs(void **state) {
    (void)state;
    struct cor_registry *registry = made();
    struct cor_error error = COR_NO_ERROR;
    const struct cor_algorithm *found;
    assert_int_equal(cor_registry_find(registry, "./old.so", &found, &error), COR_OK);
    assert_int_equal(found->minor, 0);
    assert_true(found->struct_size < sizeof *found);
    assert_null(found->restart);
    cor_registry_destroy(registry);
}

static void unusable_modules_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *path, *cause;
    } bad[] = {
        {"./bad_magic.so", "0x12345678"},
        {"./bad_major.so", "version 2.7, but this is 1.7"},
        {"./bad_minor.so", "version 1.14, but this is 1.7"},
        {"./bad_size.so", "struct_size is 64"},
        {"./bad_symbol.so", "exports no constant \"corridor_algorithm_1\""},
        {"./bad_name.so", "algorithm \"Upper-Case\" cannot be used"},
        {"./bad_result.so", "no result()"},
        {"./bad_shape.so", "no begin()"},
        {"./bad_parameter.so", "parameter \"share\" cannot be used"},
        {"./bad_fault.so", "fault \"none\" cannot be used"},
        {"./bad_need.so", "need \"load [kW\" cannot be used"},
        {"./absent.so", "cannot open: No such file or directory"},
    };
    struct cor_registry *registry = made();
    uint32_t size = cor_registry_size(registry);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cor_error error = COR_NO_ERROR;
        const struct cor_algorithm *found;
        assert_int_equal(cor_registry_find(registry, bad[i].path, &found, &error),
                         strcmp(bad[i].path, "./absent.so") == 0 ? COR_STATUS_FILE : COR_STATUS_PLUGIN);
        assert_null(found);
        assert_string_equal(error.place, bad[i].path);
        if (!strstr(error.cause, bad[i].cause))
            fail_msg("%s: \"%s\" does not say \"%s\"", bad[i].path, error.cause, bad[i].cause);
        assert_int_equal(cor_registry_size(registry), size);
    }
    cor_registry_destroy(registry);
}

static uint64_t digest_of(const struct cor_algorithm *algorithm, const struct test_task *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_session_definition definition = cor_default_session(algorithm);
    struct cor_session *session;
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    assert_int_equal(cor_session_create(&definition, &session, &error), COR_OK);
    assert_int_equal(cor_session_reorganize(session, &test->task, &test->name, &outcome, &error), COR_OK);
    uint64_t digest = cor_outcome_digest(&outcome);
    assert_true(test_is_partitioning(&outcome.solution, test->task.agent_count));
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
    return digest;
}

/* The same source, built in and as a module, gives the same bits. */
static void module_and_builtin_agree(void **state) {
    (void)state;
    static struct test_task test;
    struct cor_registry *registry = made();
    struct cor_error error = COR_NO_ERROR;
    const struct cor_algorithm *builtin, *module;
    assert_int_equal(cor_registry_find(registry, "spada", &builtin, &error), COR_OK);
    assert_int_equal(cor_registry_find(registry, "./spada.so", &module, &error), COR_OK);
    assert_ptr_not_equal(builtin->wake, module->wake);
    for (uint64_t seed = 0; seed < 20; seed++) {
        test_make(&test, builtin, 60, 6, seed);
        assert_int_equal(digest_of(builtin, &test), digest_of(module, &test));
    }
    cor_registry_destroy(registry);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_builtin_is_found_by_name),
        cmocka_unit_test(an_unknown_name_is_told_with_a_near_one),
        cmocka_unit_test(fault_names_are_translated),
        cmocka_unit_test(a_module_is_loaded_once),
        cmocka_unit_test(digests_are_those_of_the_standard),
        cmocka_unit_test(modules_have_the_digest_of_their_file),
        cmocka_unit_test(a_module_of_an_older_version_runs),
        cmocka_unit_test(unusable_modules_are_refused),
        cmocka_unit_test(module_and_builtin_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
