/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Off-line mode (003, 4.2): suites written into a folder, to be run later or elsewhere. */
#include <corridor/interaction.h>

#include <corridor/array.h>
#include <corridor/process.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *suite_path(const struct cor_experiment *experiment, const char *folder, uint32_t arm,
                        uint32_t suite) {
    COR_ASSERT(arm < experiment->arm_count);
    return cor_format("%s/suites/%s/%04u.json", folder, experiment->arms[arm].name, suite);
}

/* What mkdir would take off; mkdtemp takes off more. */
static mode_t current_umask(void) {
    mode_t mask = umask(0);
    umask(mask);
    return mask;
}

static enum cor_status make(char *path_take, struct cor_error *error) {
    if (!path_take)
        return cor_fail_memory(error);
    enum cor_status status = COR_OK;
    if (mkdir(path_take, 0777) != 0)
        status = cor_fail_errno(error, COR_STATUS_FILE, path_take, NULL, "cannot make the folder");
    free(path_take);
    return status;
}

static enum cor_status write_text(char *path_take, const char *text, struct cor_error *error) {
    FILE *file = path_take ? fopen(path_take, "wx") : NULL;
    enum cor_status status = COR_OK;
    if (!path_take) {
        status = cor_fail_memory(error);
    } else if (!file) {
        status = cor_fail_errno(error, COR_STATUS_FILE, path_take, NULL, "cannot write");
    } else {
        bool failed = fputs(text, file) == EOF;
        if (fclose(file) != 0 || failed)
            status = cor_fail_errno(error, COR_STATUS_FILE, path_take, NULL, "cannot write");
    }
    free(path_take);
    return status;
}

static enum cor_status write_suite(const struct cor_experiment *experiment, const char *folder, uint32_t arm,
                                   uint32_t index, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_suite *suite = NULL;
    char *path = suite_path(experiment, folder, arm, index);
    if (!path)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(cor_suite_generate(experiment, arm, index, &suite, error));
    COR_TRY_OUT(cor_suite_write(suite, path, error));
out:
    cor_suite_destroy(suite);
    free(path);
    return status;
}

static enum cor_status write_all(const struct cor_experiment *experiment, const char *folder,
                                 struct cor_error *error) {
    COR_TRY(make(cor_format("%s/suites", folder), error));
    COR_TRY(write_text(cor_format("%s/experiment.json", folder), experiment->text, error));
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
    char *draft = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_make_folder_beside(folder, &draft, error));
    COR_TRY_OUT(write_all(experiment, draft, error));
    if (chmod(draft, 0777 & ~current_umask()) != 0 || rename(draft, folder) != 0)
        COR_TRY_OUT(cor_fail_errno(error, COR_STATUS_FILE, folder, NULL, "cannot make the folder"));
out:
    if (status != COR_OK)
        cor_remove_folder(draft);
    free(draft);
    return status;
}

enum cor_status cor_suite_folder_read(const struct cor_experiment *experiment, const char *folder,
                                      uint32_t arm, uint32_t index, struct cor_suite **suite,
                                      struct cor_error *error) {
    enum cor_status status = COR_OK;
    char *path = suite_path(experiment, folder, arm, index);
    if (!path)
        return cor_fail_memory(error);
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
