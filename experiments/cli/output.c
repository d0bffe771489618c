/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum cor_status cor_output_check(const char *path, bool overwrite, struct cor_error *error) {
    struct stat there;
    if (overwrite || stat(path, &there) != 0 || !S_ISREG(there.st_mode))
        return COR_OK;
    return cor_fail(error, COR_STATUS_EXISTS, path, "name another file, or say --force to replace it",
                    "exists already");
}

static enum cor_status fail(const char *path, struct cor_error *error) {
    return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
}

enum cor_status cor_output_open(const char *path, bool overwrite, struct cor_output *output,
                                struct cor_error *error) {
    struct stat there;
    *output = (struct cor_output){.file = stdout};
    if (!path || strcmp(path, "-") == 0)
        return COR_OK;
    enum cor_status status = cor_output_check(path, overwrite, error);
    if (status != COR_OK)
        return status;
    output->path = path;
    bool as_it_is = stat(path, &there) == 0 && !S_ISREG(there.st_mode);
    if (!as_it_is) {
        output->draft = cor_format("%s.part-%ld", path, (long)getpid());
        if (!output->draft)
            return cor_fail_memory(error);
    }
    output->file = fopen(as_it_is ? path : output->draft, "w");
    if (output->file)
        return COR_OK;
    status = fail(path, error);
    free(output->draft);
    *output = (struct cor_output){0};
    return status;
}

enum cor_status cor_output_close(struct cor_output *output, enum cor_status status, struct cor_error *error) {
    if (output->file && fflush(output->file) != 0 && status == COR_OK)
        status = fail(output->path, error);
    if (output->file && ferror(output->file) && status == COR_OK)
        status = cor_fail(error, COR_STATUS_FILE, output->path, NULL, "cannot write");
    if (output->file && output->path && fclose(output->file) != 0 && status == COR_OK)
        status = fail(output->path, error);
    if (output->draft && status == COR_OK && rename(output->draft, output->path) != 0)
        status = fail(output->path, error);
    if (output->draft && status != COR_OK)
        remove(output->draft);
    free(output->draft);
    *output = (struct cor_output){0};
    return status;
}

enum cor_status cor_output_text(const char *path, const char *text, bool overwrite, struct cor_error *error) {
    struct cor_output output;
    enum cor_status status = cor_output_open(path, overwrite, &output, error);
    if (status != COR_OK)
        return status;
    if (fputs(text, output.file) == EOF)
        status = fail(path, error);
    return cor_output_close(&output, status, error);
}
