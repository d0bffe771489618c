/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a suite of the interaction layer executes, held against what its own rows say: which sequences are
 * continued, from where and how far, and how many cases failed. */
#include <corridor/interaction.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define OK(call)                                                    \
    do {                                                            \
        if ((call) != COR_OK)                                       \
            fail_msg("%s: %s %s", #call, error.place, error.cause); \
    } while (0)

enum { SEQUENCES = 6, CONTINUATIONS = 2, LONGEST = 12 };

static const char text[] =
    "{\"corridor_experiment\": 1, \"name\": \"branches\", \"seed\": \"0x5\",\n"
    " \"suites\": 4, \"sequences\": 6, \"cases\": [20, 40],\n"
    " \"branching\": {\"continuations\": 2, \"back\": [1, 5], \"cases\": 12},\n"
    " \"model\": \"" TEST_SOURCE_DIR "/experiments/library/models/paper.json\",\n \"arms\": [\n"
    "{\"name\": \"lost\", \"algorithm\": \"spada\", \"parameters\": {\"agents\": [10, 30]},\n"
    "  \"adoption\": {\"fault\": \"lost\", \"probability\": 0.02}},\n"
    "{\"name\": \"astray\", \"algorithm\": \"spada\", \"parameters\": {\"agents\": [10, 30]},\n"
    "  \"adoption\": {\"fault\": \"misdirected\", \"probability\": 0.05},\n"
    "  \"monitor\": {\"fault\": \"missed\", \"probability\": 0.2}},\n"
    "{\"name\": \"faulty\", \"algorithm\": \"psopp\", \"fault\": \"f4\", \"parameters\": {\"budget\": [100, "
    "400],\n"
    "  \"agents\": [10, 30]}}]}\n";

static bool is_bad(uint8_t verdict) {
    return verdict == COR_VERDICT_FAILED || verdict == COR_VERDICT_SMOKE;
}

/* The first case of a sequence whose reorganization failed in the gray or the black box, 0 = none. */
static uint32_t first_failure(struct cor_record *record, uint32_t sequence) {
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_CASES); i++) {
        const struct cor_case_row *row = cor_record_at(record, COR_TABLE_CASES, i);
        if (row->sequence == sequence && (is_bad(row->gray) || is_bad(row->black)))
            return row->case_;
    }
    return 0;
}

/* Rows of branches as the manual has them: for each failed sequence, 1 and 5 cases before its failure, never
 * before its beginning and from there only once, two continuations each. */
static uint32_t check_branches(struct cor_record *record) {
    static const uint32_t back[] = {1, 5};
    uint32_t expected = 0;
    for (uint32_t s = 0; s < SEQUENCES; s++) {
        uint32_t failure = first_failure(record, s);
        bool at_beginning = failure == 0;
        for (uint32_t b = 0; b < 2 && !at_beginning; b++) {
            uint32_t prefix = failure <= back[b] ? 0 : failure - back[b];
            at_beginning = prefix == 0;
            for (uint32_t i = 0; i < CONTINUATIONS; i++, expected++) {
                const struct cor_branch_row *row = cor_record_at(record, COR_TABLE_BRANCHES, expected);
                const struct cor_sequence_row *parent = cor_record_at(record, COR_TABLE_SEQUENCES, s),
                                              *child = cor_record_at(record, COR_TABLE_SEQUENCES,
                                                                     SEQUENCES + expected);
                assert_int_equal(row->sequence, SEQUENCES + expected);
                assert_int_equal(child->sequence, row->sequence);
                assert_int_equal(row->parent, s);
                assert_int_equal(row->prefix, prefix);
                uint32_t end = prefix + LONGEST;
                assert_int_equal(child->cases, parent->cases < end ? parent->cases : end);
            }
        }
    }
    assert_int_equal(cor_record_size(record, COR_TABLE_BRANCHES), expected);
    assert_int_equal(cor_record_size(record, COR_TABLE_SEQUENCES), SEQUENCES + expected);
    return expected;
}

/* Counts failed cases by (sequence, case); *unagreed are those in which only the agreement failed. */
static uint32_t count_failed(struct cor_record *record, uint32_t *unagreed) {
    uint32_t failed = 0;
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_CASES); i++) {
        const struct cor_case_row *row = cor_record_at(record, COR_TABLE_CASES, i);
        bool boxes = is_bad(row->detect) || is_bad(row->gray) || is_bad(row->black), agreement = false;
        for (size_t r = 0; r < cor_record_size(record, COR_TABLE_REORGANIZATIONS); r++) {
            const struct cor_reorganization_row *run = cor_record_at(record, COR_TABLE_REORGANIZATIONS, r);
            if (run->sequence == row->sequence && run->case_ == row->case_)
                agreement = is_bad(run->agreement);
        }
        failed += boxes || agreement;
        *unagreed += !boxes && agreement;
    }
    return failed;
}

static void sequences_are_continued_where_they_failed_and_failures_are_counted(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    const struct cor_layer *layer = &cor_interaction_layer;
    char path[] = "/tmp/corridor-test-XXXXXX", *notes = NULL, *warnings = NULL;
    struct cor_json_document *document;
    struct cor_experiment_head *experiment;
    void *executor;
    struct cor_record *record;
    uint32_t branches = 0, unagreed = 0;
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    OK(cor_json_read(path, &document, &error));
    OK(layer->read(path, document, &(struct cor_layer_options){0}, &experiment, &notes, &warnings, &error));
    unlink(path);
    assert_int_equal(experiment->arm_count, 3);
    assert_int_equal(experiment->suite_count, 4);
    OK(cor_record_create(layer->schema, &record, &error));
    OK(layer->open(experiment, &executor, &error));
    for (uint32_t i = 0; i < experiment->arm_count * experiment->suite_count; i++) {
        struct cor_suite_counts tally = {0};
        OK(layer->execute(executor, i % 3, i / 3, NULL, record, &tally, &error));
        branches += check_branches(record);
        assert_int_equal(tally.cases, cor_record_size(record, COR_TABLE_CASES));
        assert_int_equal(tally.reorganizations, cor_record_size(record, COR_TABLE_REORGANIZATIONS));
        assert_int_equal(tally.failures, count_failed(record, &unagreed));
    }
    if (branches < 10 || unagreed == 0)
        fail_msg("%u branches, %u cases without agreement", branches, unagreed);
    layer->close(executor);
    layer->destroy(experiment);
    cor_record_destroy(record);
    free(notes);
    free(warnings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequences_are_continued_where_they_failed_and_failures_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
