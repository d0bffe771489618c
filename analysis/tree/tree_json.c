/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tree_json.h"

#include "cells.h"

#include <stdlib.h>

enum cor_status cor_tree_json(const struct cor_tree *tree, const struct cor_ranking *ranking,
                              struct cor_result *result, FILE *file, struct cor_error *error) {
    struct cor_json_writer *writer;
    enum cor_status status = cor_json_writer_create(&writer, error);
    if (status != COR_OK)
        return status;
    uint16_t arm = tree ? tree->arm : ranking->arm;
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "schema", "corridor-tree");
    cor_json_put_integer(writer, "version", 1);
    cor_json_put_string(writer, "arm", cor_result_name(result, COR_CATALOG_ARM, arm));
    if (ranking)
        cor__put_ranking(writer, ranking);
    cor_json_close(writer);
    char *text = cor_json_writer_text(writer, 1, error);
    cor_json_writer_destroy(writer);
    if (!text)
        return error ? error->status : COR_STATUS_MEMORY;
    fputs(text, file);
    fputc('\n', file);
    free(text);
    return cor__stream_status(file, error);
}
