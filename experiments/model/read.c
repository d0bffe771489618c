/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "read.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 63

enum cor_status cor__read_version(const struct cor_json *json, const char *key, struct cor_error *error) {
    struct cor_json child;
    int64_t version;
    enum cor_status status = cor_json_need(json, key, &child, error);
    if (status == COR_OK)
        status = cor_json_integer(&child, INT64_MIN, INT64_MAX, &version, error);
    if (status == COR_OK && version != 1)
        status = cor_json_fail(&child, error, "this program reads version 1", "is of version %lld",
                               (long long)version);
    return status;
}

enum cor_status cor__read_description(const struct cor_json *json, struct cor_error *error) {
    struct cor_json child;
    const char *text;
    return cor_json_find(json, "description", &child) ? cor_json_string(&child, &text, error) : COR_OK;
}

enum cor_status cor__check_name(const struct cor_json *json, const char *name, const char *what,
                                struct cor_error *error) {
    size_t length = strlen(name);
    bool fits = length > 0 && length <= NAME_MAX_BYTES && cor_is_printable(name);
    return fits ? COR_OK
                : cor_json_fail(json, error, "1 to 63 bytes without control characters", "no name for %s",
                                what);
}

/* A path named in a file is looked up beside that file. Freed with free(). "-" is a file here, too: standard
 * input is for the user to name, not for a file. */
static char *beside(const char *file, const char *path) {
    const char *slash = strrchr(file, '/');
    if (path[0] == '/')
        return cor_strdup(path);
    if (slash)
        return cor_format("%.*s/%s", (int)(slash - file), file, path);
    return strcmp(path, "-") == 0 ? cor_strdup("./-") : cor_strdup(path);
}

enum cor_status cor__read_named(const struct cor_json *json, struct cor_json_document **document,
                                struct cor_error *error) {
    const char *file;
    *document = NULL;
    enum cor_status status = cor_json_string(json, &file, error);
    if (status != COR_OK)
        return status;
    if (file[0] == '\0')
        return cor_json_fail(json, error, "the path of a file, from the folder of this one on",
                             "names no file");
    char *path = beside(cor_json_name(json->document), file);
    struct cor_error said = COR_NO_ERROR;
    status = path ? cor_json_read(path, document, &said) : cor_fail_memory(&said);
    free(path);
    if (status == COR_OK)
        return COR_OK;
    char remedy[600] = "named in ";
    cor_json_place(json, remedy + strlen(remedy), sizeof remedy - strlen(remedy));
    return cor_fail(error, status, said.place, status == COR_STATUS_INPUT ? remedy : said.remedy, "%s",
                    said.cause);
}
