/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The objects of a result file as they are made: groups and datasets without times, in order, and their
 * attributes. */
#ifndef CORRIDOR_RECORD_LAYOUT_H
#define CORRIDOR_RECORD_LAYOUT_H

#include "hdf5_file.h"

/* A file being written, with what its objects are made from. Stays where it is: HDF5 tells it causes of
 * failures. */
struct cor__layout {
    const char *place; /* borrowed: the name in errors */
    struct cor__h5_cause cause;
    hid_t file, text, group_list;
};

/* Creates the file `path`, which must not exist. Fails half-built: cor__layout_fini all the same. */
enum cor_status cor__layout_create(struct cor__layout *layout, const char *path, const char *place,
                                   struct cor_error *error) COR_MUST_USE;

/* Closes the file, which writes what HDF5 still holds. */
enum cor_status cor__layout_close(struct cor__layout *layout, struct cor_error *error) COR_MUST_USE;

/* Frees all; closes the file if it is open. */
void cor__layout_fini(struct cor__layout *layout);

/* COR_STATUS_FILE with the first cause of failure. */
enum cor_status cor__layout_failed(const struct cor__layout *layout, struct cor_error *error);

/* A group with its encoding and meaning, in the manner of AnnData; negative on failure. */
hid_t cor__layout_create_group(const struct cor__layout *layout, hid_t parent, const char *name,
                               const char *encoding, const char *meaning);

/* A list of `total` items in packed chunks of `chunk_rows`, 0 = as it is and in one piece; negative on
 * failure. */
hid_t cor__layout_create_dataset(hid_t parent, const char *name, hid_t type, size_t item_size, uint64_t total,
                                 size_t chunk_rows);

/* A scalar dataset of text. */
herr_t cor__layout_put_text(const struct cor__layout *layout, const char *name, const char *text,
                            const char *meaning);

/* Attributes: `count` values, 0 = one scalar. */
herr_t cor__layout_put_attribute(hid_t object, const char *name, hid_t type, hid_t memory_type, size_t count,
                                 const void *values);
herr_t cor__layout_put_text_attribute(const struct cor__layout *layout, hid_t object, const char *name,
                                      const char *text);
herr_t cor__layout_put_number_attribute(hid_t object, const char *name, enum cor_type type,
                                        const void *number);

/* Attributes of the file, texts and catalogs (head.c). */
enum cor_status cor__layout_put_head(const struct cor__layout *layout, const struct cor_result_header *header,
                                     struct cor_error *error) COR_MUST_USE;

#endif
