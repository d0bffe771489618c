/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of tests: text, read, is the same text again, and what was read is executed to the same rows;
 * whatever is done to a byte of it, reading gives a test that can be executed and written, or says what is
 * wrong. */
#include "../test_parts.h"
#include "scene.h"

#include "require.h"

#include <corridor/array.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct cor_test *read_back(const char *text, char **warnings) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document;
    struct cor_test *test;
    OK(cor_json_parse(text, "test.json", &document, &error));
    OK(cor_test_take("test.json", document, NULL, &test, warnings, &error));
    return test;
}

/* Text -> test -> text, and the same rows. */
static void check_round_trip(struct cor_tester *tester, struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_test_result result;
    char *text, *again, *warnings;
    struct cor_tester *other;
    OK(cor_tester_create(&other, &error));
    OK(cor_tester_execute(tester, test, 0, &test->expected, &error));
    OK(cor_test_text(test, &text, &error));
    struct cor_test *read = read_back(text, &warnings);
    assert_string_equal(warnings, "");
    OK(cor_test_text(read, &again, &error));
    assert_string_equal(again, text);
    assert_int_equal(cor_test_hash(read), cor_test_hash(test));
    OK(cor_tester_execute(other, read, 0, &result, &error));
    assert_int_equal(result.hash, test->expected.hash);
    assert_int_equal(read->expected.hash, result.hash);
    assert_int_equal(read->expected.case_, result.case_);
    assert_true(cor_failure_class_equal(&read->expected.class, &result.class));
    cor_tester_destroy(other);
    cor_test_destroy(read);
    free(text);
    free(again);
    free(warnings);
}

static void what_is_written_is_read_back_and_executed_alike(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_tester *tester;
    scene_open(&scene, scene_faults, true);
    OK(cor_tester_create(&tester, &error));
    for (uint32_t arm = 0; arm < scene.experiment->arm_count; arm++) {
        scene_execute(&scene, arm, 0);
        for (size_t row = 0; row < cor_record_size(scene.record, COR_TABLE_SEQUENCES); row += 3) {
            struct cor_test *test = scene_test(&scene, row);
            check_round_trip(tester, test);
            test->sequence += 70000; /* a search draws by streams beyond those of campaigns */
            check_round_trip(tester, test);
            cor_test_destroy(test);
        }
    }
    cor_tester_destroy(tester);
    scene_close(&scene);
}

/* Mail of each mode as it was recorded: the same rows, from the file, too. */
static void a_recorded_schedule_is_repeated_from_the_file(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_tester *tester;
    uint32_t entries = 0;
    scene_open(&scene, scene_faults, false);
    OK(cor_tester_create(&tester, &error));
    for (uint32_t arm = 0; arm < scene.experiment->arm_count; arm++) {
        const enum cor_mail mode = scene.experiment->arms[arm].session.mail.mode;
        struct cor_test_result drawn, again;
        struct cor_mail_record *mail;
        if (!scene.experiment->arms[arm].algorithm->wake)
            continue;
        scene_execute(&scene, arm, 0);
        struct cor_test *test = scene_test(&scene, 1);
        OK(cor_mail_record_create(mode, &mail, &error));
        cor_tester_record_mail(tester, mail);
        OK(cor_tester_execute(tester, test, 0, &drawn, &error));
        cor_tester_record_mail(tester, NULL);
        entries += (uint32_t)mail->count;
        test->schedule = mail;
        test->arm.session.mail.mode = COR_MAIL_IN_ORDER; /* the schedule is what counts */
        OK(cor_tester_execute(tester, test, 0, &again, &error));
        assert_int_equal(again.hash, drawn.hash);
        check_round_trip(tester, test);
        assert_int_equal(test->expected.hash, drawn.hash);
        cor_test_destroy(test);
    }
    if (entries < 20)
        fail_msg("%u entries", entries);
    cor_tester_destroy(tester);
    scene_close(&scene);
}

static struct cor_test *small_test(struct scene *scene) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_tester *tester;
    scene_open(scene,
               "{\"name\": \"a\", \"algorithm\": \"deal\", \"parameters\": {\"agents\": 8},"
               " \"mail\": {\"mode\": \"lossy\"}, \"adoption\": {\"fault\": \"lost\", \"probability\": 0.2}}",
               true);
    scene_execute(scene, 0, 0);
    struct cor_test *test = scene_test(scene, cor_record_size(scene->record, COR_TABLE_SEQUENCES) - 1);
    const uint32_t cases = cor_test_cases(test);
    test->case_identity = cor_calloc(cases, sizeof *test->case_identity);
    assert_non_null(test->case_identity);
    for (uint32_t i = 0; i < cases; i++)
        test->case_identity[i] = 2 * i + 1;
    struct cor_configuration *c = test->suite->configuration;
    c->identity_count = 100;
    c->agent_identity = cor_calloc(c->agent_count, sizeof *c->agent_identity);
    assert_non_null(c->agent_identity);
    for (uint32_t i = 0; i < c->agent_count; i++)
        c->agent_identity[i] = 10 * i + 3;
    test->said = cor_strdup("it loses an agent");
    OK(cor_tester_create(&tester, &error));
    OK(cor_tester_execute(tester, test, 0, &test->expected, &error));
    cor_tester_destroy(tester);
    return test;
}

static void identities_and_sentences_are_read_back(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_test *test = small_test(&scene), *read;
    struct cor_tester *tester;
    char *text;
    OK(cor_tester_create(&tester, &error));
    check_round_trip(tester, test);
    OK(cor_test_text(test, &text, &error));
    read = read_back(text, NULL);
    assert_string_equal(read->said, "it loses an agent");
    assert_int_equal(read->case_identity[1], 3);
    assert_int_equal(read->suite->configuration->agent_identity[2], 23);
    assert_int_equal(read->suite->configuration->identity_count, 100);
    assert_int_equal(read->branch.prefix, test->branch.prefix);
    assert_true(read->continues);
    cor_test_destroy(read);
    cor_tester_destroy(tester);
    cor_test_destroy(test);
    scene_close(&scene);
    free(text);
}

/* What damaged text is read as: nothing, with words, or a test that is as good as any. */
static bool try_text(struct cor_tester **tester, const char *text) {
    struct cor_error error = COR_NO_ERROR, said = COR_NO_ERROR;
    struct cor_json_document *document;
    struct cor_test *test;
    struct cor_test_result result;
    char *again, *warnings;
    if (cor_json_parse(text, "test.json", &document, &said) != COR_OK ||
        cor_test_take("test.json", document, NULL, &test, &warnings, &said) != COR_OK) {
        if (said.cause[0] == '\0' || said.status == COR_STATUS_MEMORY)
            fail_msg("refused without words (%d)", (int)said.status);
        return false;
    }
    cor_tester_destroy(*tester);
    OK(cor_tester_create(tester, &error));
    OK(cor_tester_execute(*tester, test, 0, &result, &error));
    OK(cor_test_text(test, &again, &error));
    struct cor_test *read = read_back(again, NULL);
    cor_test_destroy(read);
    cor_tester_destroy(*tester);
    *tester = NULL;
    cor_test_destroy(test);
    free(again);
    free(warnings);
    return true;
}

/* Every byte of the text flipped, left out and doubled, and every beginning of it; of a long text some, by a
 * step that is no multiple of anything in it. CORRIDOR_THOROUGH=1: each. */
static void a_damaged_file_is_refused_or_is_another_test(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_test *test = small_test(&scene);
    struct cor_tester *tester = NULL;
    char *text;
    OK(cor_test_text(test, &text, &error));
    const size_t length = strlen(text), step = getenv("CORRIDOR_THOROUGH") ? 1 : 13;
    char *damaged = cor_calloc(length + 2, 1);
    assert_non_null(damaged);
    uint32_t read = 0, tried = 0;
    for (size_t at = 0; at < length; at += step) {
        for (int way = 0; way < 5; way++, tried++) {
            memcpy(damaged, text, length + 1);
            switch (way) {
            case 0:
            case 1:
                damaged[at] = (char)(damaged[at] ^ (way == 0 ? 1 : 4));
                break;
            case 2:
                damaged[at] = '\0';
                break;
            case 3:
                memmove(damaged + at, damaged + at + 1, length - at);
                break;
            default:
                memmove(damaged + at + 1, damaged + at, length - at + 1);
            }
            read += try_text(&tester, damaged);
        }
    }
    print_message("%u of %u damaged files are tests\n", read, tried);
    if (read < tried / 20 || read == tried)
        fail_msg("%u of %u damaged files are tests", read, tried);
    free(damaged);
    free(text);
    cor_test_destroy(test);
    scene_close(&scene);
}

/* Spaces come between members and items, and into no string. */
static void a_text_takes_a_line_a_member(void **unused) {
    (void)unused;
    static const char *const texts[][2] = {
        {"{\"a\":1}", "{\n \"a\": 1\n}\n"},
        {"{\"a\":[1,2],\"b\":{\"c\":[{\"d\":1},2]},\"walk\":[]}",
         "{\n \"a\": [1,2],\n \"b\": {\"c\":[{\"d\":1},2]},\n \"walk\": []\n}\n"},
        {"{\"walk\":[\"0,1\",[2,3]],\"x\":[]}", "{\n \"walk\": [\n  \"0,1\",\n  [2,3]\n ],\n \"x\": []\n}\n"},
        {"{\"list\":[{\"a\":[1,2]},{\"b\":{}}]}", "{\n \"list\": [\n  {\"a\":[1,2]},\n  {\"b\":{}}\n ]\n}\n"},
        {"{\"s\":\"a\\\"[{:,}]\\\\\",\"u,:\":\"walk\",\"t\":[\"{\"]}",
         "{\n \"s\": \"a\\\"[{:,}]\\\\\",\n \"u,:\": \"walk\",\n \"t\": [\"{\"]\n}\n"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *text = NULL;
        REQUIRE(sequence__lay_out(texts[i][0], &text, &said));
        assert_string_equal(text, texts[i][1]);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_takes_a_line_a_member),
        cmocka_unit_test(what_is_written_is_read_back_and_executed_alike),
        cmocka_unit_test(identities_and_sentences_are_read_back),
        cmocka_unit_test(a_recorded_schedule_is_repeated_from_the_file),
        cmocka_unit_test(a_damaged_file_is_refused_or_is_another_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
