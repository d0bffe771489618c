/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What files of experiments, models and suites have in common. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/origins.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 63

enum cor_status interaction__check_version(const struct cor_json *json, void *into, struct cor_error *error) {
    int64_t version;
    (void)into;
    COR_TRY(cor_json_integer(json, INT64_MIN, INT64_MAX, &version, error));
    if (version == 1)
        return COR_OK;
    return cor_json_fail(json, error, "this program reads version 1", "is of version %lld",
                         (long long)version);
}

enum cor_status interaction__check_description(const struct cor_json *json, void *into,
                                               struct cor_error *error) {
    const char *text;
    (void)into;
    return cor_json_string(json, &text, error);
}

enum cor_status interaction__check_name(const struct cor_json *json, const char *name, const char *what,
                                        struct cor_error *error) {
    size_t length = strlen(name);
    bool fits = length > 0 && length <= NAME_MAX_BYTES && cor_is_printable(name);
    return fits ? COR_OK
                : cor_json_fail(json, error, "1 to 63 bytes without control characters", "no name for %s",
                                what);
}

enum cor_status interaction__read_name(const struct cor_json *json, const char *what, char **copy,
                                       struct cor_error *error) {
    const char *name;
    COR_TRY(cor_json_string(json, &name, error));
    COR_TRY(interaction__check_name(json, name, what, error));
    *copy = cor_strdup(name);
    return cor_made(*copy, error);
}

enum cor_status interaction__read_range(const struct cor_json *json, double low, double high, double *least,
                                        double *most, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 2, 2, error));
    const struct cor_json first = cor_json_at(json, 0), second = cor_json_at(json, 1);
    COR_TRY(cor_json_real(&first, low, high, least, error));
    return cor_json_real(&second, *least, high, most, error);
}

enum cor_status interaction__repeat_at(const struct cor_json *json, const struct cor_error *said,
                                       struct cor_error *error) {
    char place[512];
    cor_json_place(json, place, sizeof place);
    return cor_fail(error, said->status, place, said->remedy, "%s", said->cause);
}

enum cor_status interaction__repeat_of(const struct cor_json *json, const char *name,
                                       const struct cor_error *said, struct cor_error *error) {
    char place[512];
    if (strstr(said->cause, name))
        return interaction__repeat_at(json, said, error);
    cor_json_place(json, place, sizeof place);
    return cor_fail(error, said->status, place, said->remedy, "%s: %s", name, said->cause);
}

enum cor_status interaction__read_named(const struct cor_json *json, struct cor_json_document **document,
                                        struct cor_error *error) {
    const char *file;
    *document = NULL;
    COR_TRY(cor_json_string(json, &file, error));
    if (file[0] == '\0')
        return cor_json_fail(json, error, "the path of a file, from the folder of this one on",
                             "names no file");
    char *path = cor_json_beside(json, file);
    struct cor_error said = COR_NO_ERROR;
    enum cor_status status = path ? cor_json_read(path, document, &said) : cor_fail_memory(&said);
    free(path);
    if (status == COR_OK)
        return cor_json_record_named(*document, json, error);
    char remedy[600] = COR_JSON_NAMED_IN;
    cor_json_place(json, remedy + strlen(remedy), sizeof remedy - strlen(remedy));
    return cor_fail(error, status, said.place,
                    status == COR_STATUS_INPUT || status == COR_STATUS_FILE ? remedy : said.remedy, "%s",
                    said.cause);
}

enum cor_status interaction__write_new(const char *path, const char *text, struct cor_error *error) {
    FILE *file = fopen(path, "wx");
    if (!file)
        return errno == EEXIST
                   ? cor_fail(error, COR_STATUS_EXISTS, path, "write it into a new folder", "exists already")
                   : cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
    bool failed = fputs(text, file) == EOF || fputc('\n', file) == EOF;
    if (fclose(file) == 0 && !failed)
        return COR_OK;
    enum cor_status status = cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
    remove(path);
    return status;
}
