/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The failing test that shrink and why work on. */
#include "failing_test.h"
#include "isolation.h"
#include "keep.h"
#include "replay.h"
#include "show_view.h"

#include <corridor/arms.h>
#include <corridor/failing.h>
#include <corridor/interaction.h>

#include <stdlib.h>
#include <unistd.h>

static enum cor_status read_test_file(const struct cor_failing_source *r, struct cor_failing_test *failing,
                                      struct cor_error *error) {
    const struct cor_isolation_definition isolation = {
        (enum cor_isolation)r->options->isolation, r->options->fresh_processes,
        cor_trust_in_file(r->path, r->trust), r->options->isolation_required};
    char *warnings = NULL;
    const enum cor_status status = cor_test_read(r->path, &isolation, &failing->test, &warnings, error);
    if (status == COR_OK)
        cor_say_notes(r->path, warnings);
    free(warnings);
    return status;
}

static enum cor_status read_result_file(const struct cor_failing_source *r, struct cor_failing_test *failing,
                                        struct cor_error *error) {
    struct cor_failure_key key;
    const char *doubt;
    COR_TRY(cor_open_result(r->command, r->unsealed, r->path, &cor_interaction_schema, &failing->result,
                            &doubt, error));
    COR_TRY(cor_failure_key_parse(cor_result_head(failing->result), "--failure", r->key, &key, error));
    if (key.sequence == COR_WHOLE_SUITE)
        return cor_fail(error, COR_STATUS_INPUT, "--failure",
                        "ARM/SUITE/SEQUENCE/CASE: see corridor failures", "\"%s\" names a whole suite",
                        r->key);
    COR_TRY(cor_open_stored(failing->result, r->path, r->trust, r->options, &failing->opened, error));
    if (failing->opened.layer != &cor_interaction_layer)
        return cor_fail(error, COR_STATUS_INPUT, r->path, NULL, "is not of the interaction layer");
    COR_TRY(cor_note_build(&failing->opened, failing->result, r->path, error));
    const struct cor_experiment *experiment =
        ((struct cor_interaction *)failing->opened.experiment)->experiment;
    if (key.arm >= experiment->arm_count)
        return cor_fail(error, COR_STATUS_INPUT, r->path, "it is not as it was written",
                        "has an experiment of %u arms", experiment->arm_count);
    COR_TRY(cor_suite_of_result(failing->result, experiment, (uint32_t)key.arm, key.suite, &failing->suite,
                                error));
    COR_TRY(cor_test_of_result(failing->result, failing->suite, key.sequence, &failing->test, error));
    if (r->property)
        return cor_test_of_property(failing->test, r->key, r->property, error);
    /* What the file says of the failure is what is expected. */
    const struct cor_failure_key sequence = {key.arm, key.suite, key.sequence, 0};
    struct cor_failing found;
    COR_TRY(cor_failing_find(failing->result, "--failure", &sequence, &found, error));
    if (found.key.case_ == 0 || (key.case_ > 0 && key.case_ != found.key.case_))
        return cor_fail(error, COR_STATUS_INPUT, "--failure", "corridor failures lists them",
                        "%s is no failure of the file", r->key);
    failing->test->expected = (struct cor_test_result){.case_ = found.key.case_, .class = found.class};
    return COR_OK;
}

enum cor_exit cor_failing_check(const struct cor_failing_source *source) {
    struct cor_error error = COR_NO_ERROR;
    const bool keyed = source->key != NULL, is_json = cor_is_test_file(source->path);
    /* What is neither fails as a test. */
    const bool is_test = is_json || (!keyed && !cor_is_result_file(source->path));
    if (!is_json && access(source->path, R_OK) != 0) {
        (void)cor_fail_errno(&error, COR_STATUS_FILE, source->path, NULL, "cannot read");
        return cor_report(&error);
    }
    if (is_test == keyed)
        return cor_misuse(source->command, is_test ? "--failure is for result files"
                                                   : "needs --failure KEY; corridor failures lists the keys");
    return COR_EXIT_DONE;
}

enum cor_status cor_failing_test_read(const struct cor_failing_source *source,
                                      struct cor_failing_test *failing, struct cor_error *error) {
    return source->key ? read_result_file(source, failing, error) : read_test_file(source, failing, error);
}

void cor_failing_test_fini(struct cor_failing_test *failing) {
    cor_test_destroy(failing->test);
    cor_suite_destroy(failing->suite);
    cor_opened_fini(&failing->opened);
    cor_result_close(failing->result);
    *failing = (struct cor_failing_test){0};
}
