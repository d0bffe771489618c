/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suites as files: what is read back is what was written. Executing it is tested in experiments/campaign. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "require.h"

#include <corridor/suite.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char folder[] = "/tmp/corridor_suite_XXXXXX";
static char path[64];

static struct cor_experiment *experiment_at(const char *file) {
    struct cor_experiment *experiment;
    REQUIRE(cor_experiment_read(file, &experiment, &said));
    return experiment;
}

static void write_text(const char *file, const char *text) {
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static void assert_same_profiles(const struct cor_suite *a, const struct cor_suite *b) {
    for (uint32_t p = 0; p < a->configuration->profile_count; p++) {
        const struct cor_profile *x = a->profiles[p], *y = b->profiles[p];
        assert_int_equal(x->state_count, y->state_count);
        assert_memory_equal(x->probability, y->probability,
                            x->state_count * x->state_count * sizeof *x->probability);
        assert_memory_equal(x->start, y->start, x->state_count * sizeof *x->start);
        for (uint32_t s = 0; s < x->state_count; s++)
            assert_string_equal(x->states[s], y->states[s]);
        assert_int_equal(a->environment_of_profile[p], b->environment_of_profile[p]);
    }
}

static void assert_same_walks(const struct cor_suite *a, const struct cor_suite *b) {
    struct cor_walk x, y;
    cor_walk_init(&x);
    cor_walk_init(&y);
    for (uint32_t s = 0; s < a->experiment->sequence_count; s++) {
        assert_int_equal(a->case_counts[s], b->case_counts[s]);
        REQUIRE(cor_suite_walk(a, s, &x, &said));
        REQUIRE(cor_suite_walk(b, s, &y, &said));
        assert_int_equal(x.chain_count, y.chain_count);
        assert_int_equal(x.case_count, y.case_count);
        assert_memory_equal(x.states, y.states, ((size_t)x.case_count + 1) * x.chain_count);
    }
    cor_walk_fini(&x);
    cor_walk_fini(&y);
}

/* Equality of what executing a suite depends on. */
static void assert_same_suite(const struct cor_suite *a, const struct cor_suite *b) {
    const struct cor_configuration *c = a->configuration, *d = b->configuration;
    assert_int_equal(cor_configuration_hash(c), cor_configuration_hash(d));
    assert_int_equal(a->arm_index, b->arm_index);
    assert_int_equal(a->index, b->index);
    struct cor_rng stream_of_a = cor_rng_named(&a->name), stream_of_b = cor_rng_named(&b->name);
    assert_true(cor_rng_word(&stream_of_a) == cor_rng_word(&stream_of_b));
    assert_int_equal(a->budget, b->budget);
    assert_int_equal(a->attempts, b->attempts);
    assert_int_equal(a->fallback, b->fallback);
    assert_memory_equal(a->parameters, b->parameters,
                        cor_parameter_laws_size(a->arm->laws) * sizeof *a->parameters);
    assert_memory_equal(a->algorithm_parameters, b->algorithm_parameters,
                        cor_algorithm_parameter_count(a->arm->algorithm) * sizeof *a->algorithm_parameters);
    assert_true(a->pilot_rate == b->pilot_rate || (isnan(a->pilot_rate) && isnan(b->pilot_rate)));
    for (size_t e = 0; e < (size_t)c->type_count * c->profile_count; e++) {
        assert_int_equal(c->effects[e].environment_states, d->effects[e].environment_states);
        assert_int_equal(c->effects[e].relevant_count, d->effects[e].relevant_count);
        assert_int_equal(c->effects[e].state_count, d->effects[e].state_count);
        assert_int_equal(c->effects[e].cumulative != NULL, d->effects[e].cumulative != NULL);
    }
    assert_same_profiles(a, b);
    assert_same_walks(a, b);
}

static void there_and_back(const struct cor_experiment *experiment, uint32_t arm, uint32_t index) {
    struct cor_suite *written, *read;
    REQUIRE(cor_suite_generate(experiment, arm, index, &written, &said));
    REQUIRE(cor_suite_write(written, path, &said));
    REQUIRE(cor_suite_read(experiment, path, &read, &said));
    assert_non_null(read->recorded);
    assert_same_suite(written, read);
    cor_suite_destroy(written);
    cor_suite_destroy(read);
    assert_int_equal(remove(path), 0);
}

/* Given profiles, places shared by groups, probabilistic influences, a threshold by pilot. */
static void suites_of_the_demo_come_back(void **state) {
    (void)state;
    struct cor_experiment *experiment = experiment_at(TEST_SOURCE_DIR "/experiments/library/demo.json");
    there_and_back(experiment, 0, 0);
    there_and_back(experiment, experiment->arm_count - 1, 1);
    cor_experiment_destroy(experiment);
}

/* Drawn profiles and levels, mixed groups. */
static void suites_of_the_paper_come_back(void **state) {
    (void)state;
    struct cor_experiment *experiment = experiment_at(TEST_SOURCE_DIR "/experiments/library/paper.json");
    there_and_back(experiment, 4, 3);
    cor_experiment_destroy(experiment);
}

/* The most of everything that a letter or a table holds: 64 states, and numbers that need 17 digits. */
static const char extreme[] =
    "{\"corridor_experiment\": 1, \"name\": \"extreme\", \"seed\": \"0xffffffffffffffff\", \"mode\": "
    "\"paired\","
    " \"suites\": 2, \"sequences\": 2, \"cases\": [1, 400],"
    " \"model\": {\"corridor_model\": 1, \"agents\": 3, \"groups\": {\"count\": 3}, \"idle_ratio\": 0.1,"
    "  \"environments\": {\"wide\": {\"random\": {\"states\": 64, \"power\": 0, \"degree_min\": 1}}},"
    "  \"types\": {\"t\": {\"level\": [0, 1]}}, \"inertia\": [1e-9, 1],"
    "  \"invariant\": {\"measure\": \"rms\", \"threshold\": 0.1}},"
    " \"arms\": [{\"name\": \"a\", \"algorithm\": \"psopp\", \"environment\": \"uniform\","
    "  \"parameters\": {\"budget\": 1000000000000, \"c_random + c_own + c_best\": 1},"
    "  \"monitor\": {\"fault\": \"late\", \"delay\": 3}, \"adoption\": {\"fault\": \"lost\", "
    "\"probability\": 0.3}}]}";

static void extreme_suites_come_back(void **state) {
    (void)state;
    char file[64];
    snprintf(file, sizeof file, "%s/extreme.json", folder);
    write_text(file, extreme);
    struct cor_experiment *experiment = experiment_at(file);
    there_and_back(experiment, 0, 0);
    there_and_back(experiment, 0, 1);
    struct cor_suite *suite;
    struct cor_walk walk;
    bool seen[64] = {false};
    cor_walk_init(&walk);
    REQUIRE(cor_suite_generate(experiment, 0, 0, &suite, &said));
    assert_int_equal(suite->profiles[0]->state_count, 64);
    REQUIRE(cor_suite_walk(suite, 0, &walk, &said));
    for (size_t i = 0; i < ((size_t)walk.case_count + 1) * walk.chain_count; i++)
        seen[walk.states[i]] = true;
    assert_true(walk.case_count > 100 && seen[63]); /* the last letter is used */
    cor_walk_fini(&walk);
    cor_suite_destroy(suite);
    cor_experiment_destroy(experiment);
    remove(file);
}

/* The experiment with everything inlined, which goes into the folder of suites, reads the same suites. */
static void the_inlined_experiment_generates_the_same(void **state) {
    (void)state;
    static const char *const files[] = {TEST_SOURCE_DIR "/experiments/library/demo.json",
                                        TEST_SOURCE_DIR "/experiments/library/paper.json"};
    for (int i = 0; i < 2; i++) {
        char file[64];
        snprintf(file, sizeof file, "%s/experiment.json", folder);
        struct cor_experiment *given = experiment_at(files[i]);
        write_text(file, given->text);
        struct cor_experiment *inlined = experiment_at(file);
        assert_string_equal(given->text, inlined->text);
        struct cor_suite *a, *b;
        REQUIRE(cor_suite_generate(given, 2, 1, &a, &said));
        REQUIRE(cor_suite_generate(inlined, 2, 1, &b, &said));
        assert_same_suite(a, b);
        REQUIRE(cor_suite_write(a, path, &said));
        cor_suite_destroy(b);
        REQUIRE(cor_suite_read(inlined, path, &b, &said));
        assert_same_suite(a, b);
        cor_suite_destroy(a);
        cor_suite_destroy(b);
        cor_experiment_destroy(given);
        cor_experiment_destroy(inlined);
        remove(path);
        remove(file);
    }
}

static void files_are_not_overwritten(void **state) {
    (void)state;
    struct cor_experiment *experiment = experiment_at(TEST_SOURCE_DIR "/experiments/library/paper.json");
    struct cor_suite *suite;
    struct cor_error error = COR_NO_ERROR;
    char text[8] = "";
    REQUIRE(cor_suite_generate(experiment, 0, 0, &suite, &said));
    write_text(path, "mine");
    assert_int_equal(cor_suite_write(suite, path, &error), COR_STATUS_EXISTS);
    assert_string_equal(error.place, path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, "mine");
    remove(path);
    assert_int_equal(cor_suite_write(suite, "/nowhere/suite.json", NULL), COR_STATUS_FILE);
    cor_suite_destroy(suite);
    cor_experiment_destroy(experiment);
}

/* A suite that could not be read back is refused before its walks are made. */
static void suites_too_large_to_read_are_not_written(void **state) {
    (void)state;
    struct cor_experiment *experiment = experiment_at(TEST_SOURCE_DIR "/experiments/library/paper.json");
    struct cor_suite *suite;
    struct cor_error error = COR_NO_ERROR;
    REQUIRE(cor_suite_generate(experiment, 0, 0, &suite, &said));
    suite->case_counts[0] = 10000000;
    suite->case_counts[1] = COR_JSON_BYTES_MAX;
    assert_int_equal(cor_suite_write(suite, path, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "would be larger than 64 MiB");
    assert_int_not_equal(access(path, F_OK), 0);
    cor_suite_destroy(suite);
    cor_experiment_destroy(experiment);
}

static void what_exists_is_not_removed(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    struct cor_experiment *experiment = experiment_at(TEST_SOURCE_DIR "/experiments/library/paper.json");
    struct cor_suite *suite;
    REQUIRE(cor_suite_generate(experiment, 0, 0, &suite, &said));
    /* "wx" refuses what exists, and /dev/full does: the refusal comes first, nothing is removed. */
    assert_int_equal(cor_suite_write(suite, "/dev/full", NULL), COR_STATUS_EXISTS);
    assert_int_equal(access("/dev/full", W_OK), 0);
    cor_suite_destroy(suite);
    cor_experiment_destroy(experiment);
}

/* Nothing is left of a file that could not be written whole: here files are limited to 64 bytes. */
static void half_a_file_is_removed(void **state) {
    (void)state;
    struct cor_experiment *experiment = experiment_at(TEST_SOURCE_DIR "/experiments/library/paper.json");
    struct cor_suite *suite;
    struct cor_error error = COR_NO_ERROR;
    struct rlimit before, small;
    REQUIRE(cor_suite_generate(experiment, 0, 0, &suite, &said));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = 64, .rlim_max = before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    enum cor_status status = cor_suite_write(suite, path, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, COR_STATUS_FILE);
    assert_string_equal(error.place, path);
    assert_int_not_equal(access(path, F_OK), 0);
    cor_suite_destroy(suite);
    cor_experiment_destroy(experiment);
}

static int make_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/suite.json", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suites_of_the_demo_come_back),
        cmocka_unit_test(suites_of_the_paper_come_back),
        cmocka_unit_test(extreme_suites_come_back),
        cmocka_unit_test(the_inlined_experiment_generates_the_same),
        cmocka_unit_test(files_are_not_overwritten),
        cmocka_unit_test(suites_too_large_to_read_are_not_written),
        cmocka_unit_test(what_exists_is_not_removed),
        cmocka_unit_test(half_a_file_is_removed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
