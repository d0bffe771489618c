/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An open result file: result_open.c checks and fills it, result.c reads from it. */
#ifndef CORRIDOR_RECORD_RESULT_PRIVATE_H
#define CORRIDOR_RECORD_RESULT_PRIVATE_H

#include "hdf5_file.h"

/* Datasets of one table. */
struct cor__result_table {
    hid_t *columns; /* owned, in the order of the schema; NULL if the file is older than the table */
    uint64_t rows;
};

struct cor__result_vector {
    hid_t dataset;
    uint64_t items;
};

struct cor_result {
    char *path; /* owned */
    hid_t file;
    struct cor__h5_cause cause;
    uint64_t file_size;
    uint32_t minor; /* of the format it is written in */
    struct cor__result_table tables[COR_TABLE_COUNT];
    struct cor__result_vector vectors[COR_VECTOR_COUNT];
    struct cor_result_header head;                         /* its texts are owned by the next three */
    char *experiment, *provenance;                         /* owned */
    struct cor_catalog_entry *catalogs[COR_CATALOG_COUNT]; /* owned, with names and descriptions */
    uint64_t content_hash;                                 /* as the file says */
    unsigned char *block;                                  /* owned: a block of the widest column */
};

#endif
