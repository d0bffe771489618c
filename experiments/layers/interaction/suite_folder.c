/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Off-line mode (003, 4.2): suites are written into a folder, to be run later or elsewhere; perhaps edited in
 * between, and then that is said. */
#include "suite_folder.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/run.h>
#include <corridor/work_folder.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static char *suite_path(const struct cor_experiment *experiment, const char *folder, uint32_t arm,
                        uint32_t suite) {
    COR_ASSERT(arm < experiment->arm_count);
    return cor_format("%s/suites/%s/%04u.json", folder, experiment->arms[arm].name, suite);
}

static enum cor_status make(char *path_take, struct cor_error *error) {
    COR_TRY(cor_made(path_take, error));
    enum cor_status status = COR_OK;
    if (mkdir(path_take, 0777) != 0)
        status = cor_fail_errno(error, COR_STATUS_FILE, path_take, NULL, "cannot make the folder");
    free(path_take);
    return status;
}

/* Walks that answer to what the system does are known once the suite has run. */
static enum cor_status find_walks(struct cor_suite *suite, struct cor_error *error) {
    struct cor_session *session = NULL;
    struct cor_record *record = NULL;
    struct cor_runner *runner = NULL;
    const uint32_t count = suite->sequence_count;
    if (!suite->arm->source->next)
        return COR_OK;
    struct cor_walk *walks = cor_calloc(count, sizeof *walks);
    COR_TRY(cor_made(walks, error));
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_session_create(&suite->arm->session, &session, error));
    COR_TRY_OUT(cor_record_create(&cor_interaction_schema, &record, error));
    const struct cor_execution execution = {suite, session, false};
    COR_TRY_OUT(cor_runner_create(&execution, record, &runner, error));
    for (uint32_t s = 0; s < suite->sequence_count; s++) {
        const struct cor_walk_definition walk = cor_suite_walk_definition(suite, s, NULL);
        COR_TRY_OUT(cor_sequence_begin(runner, &walk, error));
        while (!cor_sequence_is_over(runner))
            COR_TRY_OUT(cor_sequence_case(runner, error));
        COR_TRY_OUT(cor_sequence_end(runner, error));
        COR_TRY_OUT(cor_record_walk(record, s, suite->configuration->chain_count, &walks[s], error));
    }
out:
    cor_runner_destroy(runner);
    cor_record_destroy(record);
    cor_session_destroy(session);
    suite->recorded = walks; /* the suite's to free, whatever became of them */
    return status;
}

static enum cor_status write_suite(const struct cor_experiment *experiment, const char *folder, uint32_t arm,
                                   uint32_t index, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_suite *suite = NULL;
    char *path = suite_path(experiment, folder, arm, index);
    COR_TRY_OUT(cor_made(path, error));
    COR_TRY_OUT(cor_suite_generate(experiment, arm, index, &suite, error));
    COR_TRY_OUT(find_walks(suite, error));
    COR_TRY_OUT(cor_suite_write(suite, path, error));
out:
    cor_suite_destroy(suite);
    free(path);
    return status;
}

static enum cor_status write_all(const struct cor_experiment *experiment, const char *folder,
                                 struct cor_error *error) {
    COR_TRY(make(cor_format("%s/suites", folder), error));
    char *path = cor_format("%s/experiment.json", folder);
    COR_TRY(cor_made(path, error));
    enum cor_status status = cor_experiment_write(experiment, path, error);
    free(path);
    COR_TRY(status);
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        COR_TRY(make(cor_format("%s/suites/%s", folder, experiment->arms[a].name), error));
        for (uint32_t s = 0; s < experiment->suite_count; s++)
            COR_TRY(write_suite(experiment, folder, a, s, error));
    }
    return COR_OK;
}

/* Written under another name beside it and renamed: the folder is absent or whole. */
enum cor_status cor_suite_folder_write(const struct cor_experiment *experiment, const char *folder,
                                       struct cor_error *error) {
    struct stat there;
    if (experiment->suite_count == 0)
        return cor_fail(error, COR_STATUS_INPUT, experiment->path, "give \"suites\" a number",
                        "is endless, so its suites cannot all be written");
    if (lstat(folder, &there) == 0)
        return cor_fail(error, COR_STATUS_EXISTS, folder, "name a new folder with -o", "exists already");
    struct cor_file_set set;
    COR_TRY(cor_file_set_open(folder, &set, error));
    return cor_file_set_close(&set, write_all(experiment, set.draft, error), false, error);
}

/* The suite that stands at its place in such a folder. */
enum cor_status interaction__suite_folder_read(const struct cor_experiment *experiment, const char *folder,
                                               uint32_t arm, uint32_t index, struct cor_suite **suite,
                                               struct cor_error *error) {
    enum cor_status status = COR_OK;
    char *path = suite_path(experiment, folder, arm, index);
    COR_TRY(cor_made(path, error));
    COR_TRY_OUT(cor_suite_read(experiment, path, suite, error));
    if ((*suite)->arm_index == arm && (*suite)->index == index)
        goto out;
    status =
        cor_fail(error, COR_STATUS_INPUT, path, "a suite file keeps the place that corridor plan gave it",
                 "holds suite %u of arm %s", (*suite)->index, (*suite)->arm->name);
    cor_suite_destroy(*suite);
    *suite = NULL;
out:
    free(path);
    return status;
}

/* One suite of the folder beside the one that the experiment draws. */
static enum cor_status check_suite(const struct cor_experiment *experiment, const char *folder, uint32_t arm,
                                   uint32_t index, struct cor_suites_read *suites, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_suite *there = NULL, *drawn = NULL;
    char *member = NULL;
    uint64_t fingerprint;
    COR_TRY_OUT(interaction__suite_folder_read(experiment, folder, arm, index, &there, error));
    COR_TRY_OUT(cor_suite_generate(experiment, arm, index, &drawn, error));
    COR_TRY_OUT(find_walks(drawn, error));
    COR_TRY_OUT(cor_suite_compare(there, drawn, &member, &fingerprint, error));
    suites->fingerprint = cor_hash_word(suites->fingerprint, fingerprint);
    if (member && suites->edited++ == 0) {
        suites->what = cor_format("\"%s\" of suite %u of arm %s", member, index, experiment->arms[arm].name);
        status = cor_made(suites->what, error);
    }
out:
    free(member);
    cor_suite_destroy(there);
    cor_suite_destroy(drawn);
    return status;
}

enum cor_status interaction__suite_folder_check(const struct cor_experiment *experiment, const char *folder,
                                                struct cor_suites_read *suites, struct cor_error *error) {
    suites->fingerprint = COR_HASH_SEED;
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        for (uint32_t s = 0; s < experiment->suite_count; s++)
            COR_TRY(check_suite(experiment, folder, a, s, suites, error));
    if (suites->edited < 2)
        return COR_OK;
    char *first = suites->what;
    suites->what = cor_format("%s, and %u more suites", first, suites->edited - 1);
    free(first);
    return cor_made(suites->what, error);
}
