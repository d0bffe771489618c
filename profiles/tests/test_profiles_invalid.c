/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs over the list tests/invalid/cases.txt: each file is refused with exactly the message there. What reads
 * a file is told by the first part of its name:
 *
 * - profile_*.json: a profile file;
 * - influence_*.json: an influence of the environment "sky" below;
 * - series_*.csv: a series, values in column "x";
 * - time_*.csv: a series with times in column "t";
 * - split_*.csv: a series that gaps may split;
 * - words_*.csv, rare_*.csv: words of column "x", fitted, rare ones below 3 joined;
 * - joint_*.csv: columns "x" and "y" jointly, fitted, numbers cut at 2;
 * - prior_*.json: a prior for the words sunny, rain, sunny;
 * - log_*.csv: the influence of column "e" on column "s", with values in column "v". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/fit.h>
#include <corridor/influence.h>
#include <corridor/influence_fit.h>

#include "invalid_corpus.h"

#define CORPUS TEST_SOURCE_DIR "/profiles/tests/invalid"

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static enum cor_status read_profile(const char *path, struct cor_error *error) {
    struct cor_profile *profile;
    enum cor_status status = cor_profile_read(path, &profile, error);
    assert_true((profile != NULL) == (status == COR_OK));
    cor_profile_destroy(profile);
    return status;
}

static enum cor_status read_influence(const char *path, struct cor_error *error) {
    static const char *const names[] = {"night", "low", "high"};
    static const double probability[9] = {0.5, 0.5, 0.0, 0.25, 0.5, 0.25, 0.0, 0.5, 0.5};
    struct cor_profile *sky;
    struct cor_influence *influence = NULL;
    struct cor_json_document *document;
    assert_int_equal(cor_profile_create("sky", 3, names, probability, NULL, &sky, NULL), COR_OK);
    enum cor_status status = cor_json_read(path, &document, error);
    if (status == COR_OK) {
        struct cor_json root = cor_json_root(document);
        status = cor_influence_from_json(&root, sky, &influence, error);
        assert_true((influence != NULL) == (status == COR_OK));
    }
    cor_influence_destroy(influence);
    cor_json_destroy(document);
    cor_profile_destroy(sky);
    return status;
}

static enum cor_status read_series(const char *path, struct cor_error *error) {
    const char *const times[] = {begins(path, "time_") ? "t" : NULL, NULL};
    const struct cor_series_def def = {.columns = (const char *const[]){"x", NULL},
                                       .time_columns = times,
                                       .split_gaps = begins(path, "split_")};
    struct cor_series *series;
    enum cor_status status = cor_series_read(path, &def, &series, error);
    assert_true((series != NULL) == (status == COR_OK));
    cor_series_destroy(series);
    return status;
}

static const double one_cut[] = {2};

static enum cor_status fit_take(struct cor_series *series, const struct cor_fit_def *def,
                                struct cor_error *error) {
    struct cor_fit *fit = NULL;
    enum cor_status status = cor_fit_create(series, def, &fit, error);
    assert_true((fit != NULL) == (status == COR_OK));
    cor_fit_destroy(fit);
    cor_series_destroy(series);
    return status;
}

static enum cor_status fit_words(const char *path, struct cor_error *error) {
    const bool joint = begins(path, "joint_");
    const struct cor_series_def def = {.columns = (const char *const[]){"x", joint ? "y" : NULL, NULL},
                                       .words = (const char *const[]){joint ? NULL : "x", NULL}};
    struct cor_fit_def fit = cor_default_fit();
    struct cor_series *series;
    fit.rare = begins(path, "rare_") ? 3 : 0;
    if (joint && !begins(path, "joint_words_"))
        fit.levels = (struct cor_levels_def){.cuts = one_cut, .cut_count = 1};
    COR_TRY(cor_series_read(path, &def, &series, error));
    return fit_take(series, &fit, error);
}

static enum cor_status fit_with_prior(const char *path, struct cor_error *error) {
    static const char words[] = "x\nsunny\nrain\nsunny\n";
    const struct cor_series_def def = {.columns = (const char *const[]){"x", NULL}};
    struct cor_fit_def fit = cor_default_fit();
    struct cor_series *series;
    struct cor_profile *prior;
    COR_TRY(cor_profile_read(path, &prior, error));
    assert_int_equal(cor_series_parse(words, sizeof words - 1, "w.csv", &def, &series, NULL), COR_OK);
    fit.weight = 1;
    fit.prior = prior;
    fit.prior_file = path;
    enum cor_status status = fit_take(series, &fit, error);
    cor_profile_destroy(prior);
    return status;
}

static enum cor_status fit_influence(const char *path, struct cor_error *error) {
    const struct cor_series_def of = {.columns = (const char *const[]){"e", "s", "v", NULL}};
    const struct cor_influence_fit_def def = {.fit = cor_default_fit()};
    struct cor_series *series;
    struct cor_influence_fit *fit = NULL;
    COR_TRY(cor_series_read(path, &of, &series, error));
    enum cor_status status = cor_influence_fit_create(series, &def, &fit, error);
    assert_true((fit != NULL) == (status == COR_OK));
    cor_influence_fit_destroy(fit);
    cor_series_destroy(series);
    return status;
}

static enum cor_status try_file(const char *path, struct cor_error *error) {
    if (begins(path, "profile_"))
        return read_profile(path, error);
    if (begins(path, "words_") || begins(path, "rare_") || begins(path, "joint_"))
        return fit_words(path, error);
    if (begins(path, "prior_"))
        return fit_with_prior(path, error);
    if (begins(path, "log_"))
        return fit_influence(path, error);
    return begins(path, "influence_") ? read_influence(path, error) : read_series(path, error);
}

static void invalid_files_are_refused_in_so_many_words(void **state) {
    (void)state;
    invalid_corpus(CORPUS "/cases.txt", 30, try_file);
}

/* What the invalid files were made of is valid: each is wrong in the one thing that its name says. */
static void the_profile_and_influence_they_were_made_of_are_valid(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(chdir(CORPUS), 0);
    if (read_profile("valid_profile.json", &error) != COR_OK ||
        read_influence("valid_influence.json", &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
}

static void missing_files_are_told(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(chdir(CORPUS), 0);
    assert_int_equal(read_series("nowhere.csv", &error), COR_STATUS_FILE);
    assert_string_equal(error.place, "nowhere.csv");
    assert_string_equal(error.cause, "cannot be opened: No such file or directory");
    assert_int_not_equal(read_series(".", &(struct cor_error){.status = COR_OK}), COR_OK); /* a folder */
    error = COR_NO_ERROR;
    assert_int_not_equal(read_profile("profile_nowhere.json", &error), COR_OK);
    assert_string_equal(error.place, "profile_nowhere.json");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_files_are_refused_in_so_many_words),
        cmocka_unit_test(the_profile_and_influence_they_were_made_of_are_valid),
        cmocka_unit_test(missing_files_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
