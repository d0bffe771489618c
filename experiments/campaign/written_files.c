/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files that a campaign writes, result and times: whether they may be replaced, and a mark in the folder
 * by which a campaign that was ended knows its own file again. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/result.h>
#include <corridor/work.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HDF5_BEGINNING "\211HDF\r\n\032\n"

/* --force is for what a campaign has written: whatever else stands there - the experiment itself, a model, a
 * module, a series - nobody means to lose. An empty file is no loss. */
static enum cor_status check_replaceable(const char *path, const char *beginning, struct cor_error *error) {
    char found[16];
    size_t length = strlen(beginning);
    struct stat there;
    COR_ASSERT(length <= sizeof found);
    if (lstat(path, &there) != 0)
        return COR_OK;
    FILE *file = fopen(path, "rb");
    if (!file)
        return cor_fail_errno(error, COR_STATUS_FILE, path, "name another file with -o", "cannot open");
    size_t got = fread(found, 1, length, file);
    fclose(file);
    if (got == 0 || (got == length && memcmp(found, beginning, length) == 0))
        return COR_OK;
    return cor_fail(error, COR_STATUS_EXISTS, path, "name another file with -o",
                    "is not a file that a campaign has written, so --force does not replace it");
}

static enum cor_status check_kind(const char *path, struct cor_error *error) {
    struct stat there;
    if (lstat(path, &there) != 0 || S_ISREG(there.st_mode))
        return COR_OK;
    return cor_fail(error, COR_STATUS_FILE, path, "name a file, such as results.h5",
                    S_ISDIR(there.st_mode) ? "is a directory" : "is not a regular file");
}

static enum cor_status check_absent(const char *path, const char *beginning, struct cor_error *error) {
    struct stat there;
    (void)beginning;
    if (lstat(path, &there) != 0)
        return COR_OK;
    return cor_fail(error, COR_STATUS_EXISTS, path, "name another file with -o, or say --force to replace it",
                    "exists already");
}

enum cor_status campaign__output_check_kind(const char *output, struct cor_error *error) {
    COR_TRY(check_kind(output, error));
    char *times = cor_format("%s.times.csv", output);
    enum cor_status status = times ? check_kind(times, error) : cor_fail_memory(error);
    free(times);
    return status;
}

enum cor_status campaign__output_check_free(const struct cor_campaign *campaign, struct cor_error *error) {
    const char *output = campaign->definition.output;
    bool overwrite = campaign->definition.overwrite;
    COR_TRY((overwrite ? check_replaceable : check_absent)(output, HDF5_BEGINNING, error));
    char *times = cor_format("%s.times.csv", output);
    COR_TRY(cor_made(times, error));
    /* In a campaign's own folder they are those of an earlier run. */
    enum cor_status status = (overwrite || campaign->definition.keep ? check_replaceable : check_absent)(
        times, CAMPAIGN__TIMES_BEGINNING, error);
    free(times);
    return status;
}

#define NO_MARK "none"

/* What tells the file at the output's path from any other; NO_MARK if there is none. */
static char *mark_of(const struct cor_campaign *campaign) {
    struct stat there;
    if (lstat(campaign->definition.output, &there) != 0)
        return cor_strdup(NO_MARK);
    return cor_format("%ju %ju %ju %jd.%09ld", (uintmax_t)there.st_dev, (uintmax_t)there.st_ino,
                      (uintmax_t)there.st_size, (intmax_t)there.st_mtim.tv_sec, there.st_mtim.tv_nsec);
}

#define OURS "ours "
#define BEFORE "before "
#define MERGING "merging\n"

/* What the folder says of a file with that content, once it stands there. */
static char *say_published(const struct cor_campaign *campaign, uint64_t content) {
    char *mark = mark_of(campaign);
    char *text = mark ? cor_format(OURS "%s\n%016" PRIx64 "\n", mark, content) : NULL;
    free(mark);
    return text;
}

enum cor_status campaign__output_published(const struct cor_campaign *campaign, uint64_t content,
                                           struct cor_error *error) {
    char *text = say_published(campaign, content);
    enum cor_status status =
        text ? campaign__folder_write(campaign, CAMPAIGN__OUTPUT_NAME, text, error) : cor_fail_memory(error);
    free(text);
    return status;
}

bool campaign__output_holds(const struct cor_campaign *campaign, uint64_t content) {
    char *text = say_published(campaign, content),
         *said = campaign__folder_read(campaign, CAMPAIGN__OUTPUT_NAME);
    bool holds = text && said && strcmp(text, said) == 0;
    free(text);
    free(said);
    return holds;
}

/* In a child: is the file there the result of this very experiment? */
static enum cor_status is_of_experiment(void *argument, void *answer, size_t size, struct cor_error *error) {
    const struct cor_campaign *campaign = argument;
    const struct cor_layer_schema *const layers[] = {campaign->definition.layer->schema, NULL};
    struct cor_result *result;
    (void)size;
    COR_TRY(cor_result_open_as(layers, campaign->definition.output, &result, error));
    *(bool *)answer = cor_result_is_sealed(result) &&
                      strcmp(cor_result_head(result)->experiment, campaign->definition.experiment->text) == 0;
    cor_result_close(result);
    return COR_OK;
}

/* In a child: and one with suites that an interrupt has cut short? */
static enum cor_status is_cut_short(void *argument, void *answer, size_t size, struct cor_error *error) {
    const struct cor_campaign *campaign = argument;
    const struct cor_layer_schema *const layers[] = {campaign->definition.layer->schema, NULL};
    struct cor_result *result;
    COR_TRY(is_of_experiment(argument, answer, size, error));
    COR_TRY(cor_result_open_as(layers, campaign->definition.output, &result, error));
    *(bool *)answer = *(bool *)answer && campaign->definition.layer->is_cut(result);
    cor_result_close(result);
    return COR_OK;
}

static bool begins_with(const char *text, const char *word) {
    return strncmp(text, word, strlen(word)) == 0;
}

/* A merge was on its way, and another file than before stands there: its own, if it was killed behind the
 * renaming, or that of somebody else. What no reader opens is somebody else's. */
static enum cor_status look_into(struct cor_campaign *campaign, bool *ours, struct cor_error *error) {
    struct cor_error why = COR_NO_ERROR;
    enum cor_status status = cor_in_child(is_of_experiment, campaign, ours, sizeof *ours, &why);
    if (status == COR_OK)
        return COR_OK;
    *ours = false;
    if (status != COR_STATUS_MEMORY && status != COR_STATUS_INTERNAL)
        return COR_OK;
    return cor_fail(error, COR_STATUS_FILE, campaign->definition.output,
                    "run the same command again; if it stays so, name another file with -o",
                    "is there, and could not be looked at: %s", why.cause);
}

enum cor_status campaign__output_is_ours(struct cor_campaign *campaign, bool *ours, struct cor_error *error) {
    char *mark = mark_of(campaign), *said = campaign__folder_read(campaign, CAMPAIGN__OUTPUT_NAME);
    const char *line = said ? strchr(said, '\n') : NULL;
    enum cor_status status = COR_OK;
    *ours = false;
    if (mark && !said && campaign->definition.layer->is_cut && strcmp(mark, NO_MARK) != 0 &&
        cor_in_child(is_cut_short, campaign, ours, sizeof *ours, NULL) != COR_OK)
        *ours = false; /* what no reader opens is somebody else's */
    if (mark && line && strcmp(mark, NO_MARK) != 0) {
        const char *named = said + strcspn(said, " ") + 1;
        bool same = strlen(mark) == (size_t)(line - named) && begins_with(named, mark);
        *ours = same && begins_with(said, OURS);
        if (!same && strcmp(line + 1, MERGING) == 0)
            status = look_into(campaign, ours, error);
    }
    free(mark);
    free(said);
    return status;
}

enum cor_status campaign__output_claim(struct cor_campaign *campaign, struct cor_error *error) {
    bool ours;
    COR_TRY(campaign__output_is_ours(campaign, &ours, error));
    char *mark = mark_of(campaign);
    char *text = mark ? cor_format("%s%s\n" MERGING, ours ? OURS : BEFORE, mark) : NULL;
    enum cor_status status =
        text ? campaign__folder_write(campaign, CAMPAIGN__OUTPUT_NAME, text, error) : cor_fail_memory(error);
    free(mark);
    free(text);
    return status;
}
