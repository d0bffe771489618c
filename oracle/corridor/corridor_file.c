/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "corridor_file.h"

#include <corridor/json.h>

#include <stdlib.h>
#include <string.h>

enum cor_status corridor_file_read(const char *path, struct cor_corridor **corridor,
                                   struct cor_error *error) {
    char *text = NULL;
    size_t length;
    enum cor_status status = cor_json_read_text(path, &text, &length, error);
    if (status == COR_OK && strlen(text) != length)
        status = cor_fail(error, COR_STATUS_INPUT, cor_json_path_name(path), NULL,
                          "has zero bytes, and is no text");
    if (status == COR_OK)
        status = cor_corridor_parse(text, cor_json_path_name(path), corridor, error);
    free(text);
    return status;
}
