/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A failing sequence of a result file as a file of its own. */
#include "output.h"
#include "replay.h"
#include "running.h"

#include <corridor/array.h>
#include <corridor/bounds.h>
#include <corridor/failing.h>
#include <corridor/interaction.h>
#include <corridor/test.h>

#include <stdlib.h>
#include <string.h>

/* Executes it, so that what is expected is known; twice, as a test that does not repeat is of no use. */
static enum cor_status find_expected(struct cor_test *test, const char *key, struct cor_error *error) {
    struct cor_tester *tester;
    struct cor_test_result again;
    COR_TRY(cor_tester_create(&tester, error));
    enum cor_status status = cor_tester_execute(tester, test, 0, &test->expected, error);
    if (status == COR_OK)
        status = cor_tester_execute(tester, test, 0, &again, error);
    cor_tester_destroy(tester);
    COR_TRY(status);
    if (again.hash == test->expected.hash)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, key, "corridor check says more of it",
                    "flaky: executed twice, the second time differs");
}

enum cor_status cor_test_of_property(struct cor_test *test, const char *key, const char *property,
                                     struct cor_error *error) {
    COR_TRY(cor_test_ask_take(test, cor_strdup(property), "--property", error));
    COR_TRY(find_expected(test, key, error));
    if (test->expected.case_ > 0)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, "--failure", "corridor decide names one that does",
                    test->expected.undecided > 0 ? "whether %s violates %s is not known" : "%s satisfies %s",
                    key, property);
}

static enum cor_status write_test(struct cor_test *test, const char *key, const char *out, bool overwrite,
                                  struct cor_error *error) {
    char *text;
    COR_TRY(find_expected(test, key, error));
    test->said = cor_format("Sequence %u of suite %u of arm %s of the experiment \"%s\".", test->sequence,
                            test->suite->index, test->arm.name, test->suite->experiment->name);
    COR_TRY(cor_made(test->said, error));
    COR_TRY(cor_bounds_text(test->suite->experiment->model, &test->arm, &test->bounds, error));
    COR_TRY(cor_test_text(test, &text, error));
    enum cor_status status = cor_output_text(out, text, overwrite, error);
    free(text);
    return status;
}

enum cor_status cor_save_failure(struct cor_result *result, const char *path,
                                 const struct cor_replay_options *options, struct cor_error *error) {
    const char *text = options->failures[0], *out = options->output;
    const bool overwrite = options->force;
    struct cor_failure_key key;
    struct cor_opened opened = {0};
    struct cor_suite *suite = NULL;
    struct cor_test *test = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_output_check_before(out, overwrite, error));
    const struct cor_result_header *head = cor_result_head(result);
    if (head->layer != &cor_interaction_schema)
        return cor_fail(error, COR_STATUS_INPUT, "--output", "take the result file of a campaign",
                        "only sequences of campaigns can be written as a test");
    COR_TRY(cor_failure_key_parse(head, "--failure", text, &key, error));
    if (key.sequence == COR_WHOLE_SUITE)
        return cor_fail(error, COR_STATUS_INPUT, "--failure",
                        "ARM/SUITE/SEQUENCE, as corridor failures lists them", "\"%s\" names no sequence",
                        text);
    COR_TRY_OUT(cor_open_stored(result, path, options->trust,
                                &(struct cor_layer_options){.isolation = COR_ISOLATION_UNTRUSTED}, &opened,
                                error));
    const struct cor_interaction *interaction = (const struct cor_interaction *)opened.experiment;
    if (key.arm >= interaction->experiment->arm_count)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, path, "it is not as it was written",
                             "its experiment has no arm %zu", key.arm));
    COR_TRY_OUT(
        cor_suite_of_result(result, interaction->experiment, (uint32_t)key.arm, key.suite, &suite, error));
    COR_TRY_OUT(cor_test_of_result(result, suite, key.sequence, &test, error));
    if (options->property)
        COR_TRY_OUT(cor_test_of_property(test, text, options->property, error));
    COR_TRY_OUT(write_test(test, text, out, overwrite, error));
out:
    cor_test_destroy(test);
    cor_suite_destroy(suite);
    cor_opened_fini(&opened);
    return status;
}
