/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Off-line mode (003, 4.2): suites written into a folder, to be run later or elsewhere. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/suite.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *cor_campaign_suite_path(const struct cor_experiment *experiment, const char *folder, uint32_t arm,
                              uint32_t suite) {
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

static enum cor_status write_arm(const struct cor_experiment *experiment, const char *folder, uint32_t arm,
                                 struct cor_error *error) {
    enum cor_status status = make(cor_format("%s/suites/%s", folder, experiment->arms[arm].name), error);
    for (uint32_t s = 0; s < experiment->suite_count && status == COR_OK; s++) {
        struct cor_suite *suite = NULL;
        char *path = cor_campaign_suite_path(experiment, folder, arm, s);
        status = path ? cor_suite_generate(experiment, arm, s, &suite, error) : cor_fail_memory(error);
        if (status == COR_OK)
            status = cor_suite_write(suite, path, error);
        cor_suite_destroy(suite);
        free(path);
    }
    return status;
}

static enum cor_status write_all(const struct cor_experiment *experiment, const char *folder,
                                 struct cor_error *error) {
    enum cor_status status = make(cor_format("%s/suites", folder), error);
    if (status == COR_OK)
        status = write_text(cor_format("%s/experiment.json", folder), experiment->text, error);
    for (uint32_t a = 0; a < experiment->arm_count && status == COR_OK; a++)
        status = write_arm(experiment, folder, a, error);
    return status;
}

/* Written under another name beside it and renamed: the folder is absent or whole. */
enum cor_status cor_campaign_write_suites(const struct cor_experiment *experiment, const char *folder,
                                          struct cor_error *error) {
    struct stat there;
    if (experiment->suite_count == 0)
        return cor_fail(error, COR_STATUS_INPUT, experiment->path, "give \"suites\" a number",
                        "is endless, so its suites cannot all be written");
    if (lstat(folder, &there) == 0)
        return cor_fail(error, COR_STATUS_EXISTS, folder, "name a new folder with -o", "exists already");
    char *draft = NULL;
    enum cor_status status = cor__make_folder_beside(folder, &draft, error);
    if (status != COR_OK)
        return status;
    status = write_all(experiment, draft, error);
    if (status == COR_OK && (chmod(draft, 0777 & ~current_umask()) != 0 || rename(draft, folder) != 0))
        status = cor_fail_errno(error, COR_STATUS_FILE, folder, NULL, "cannot make the folder");
    if (status != COR_OK)
        cor__remove_folder(draft);
    free(draft);
    return status;
}
