/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A chunk of a column as HDF5's filters leave it: bytes shuffled, deflated, and a Fletcher32 behind them. The
 * filters themselves deflate with zlib; libdeflate writes the same format smaller and in less than half the
 * time. */
#ifndef CORRIDOR_RECORD_PACK_H
#define CORRIDOR_RECORD_PACK_H

#include <corridor/error.h>
#include <corridor/schema.h>

/* Higher levels cost more than they save (README). */
#ifndef COR__DEFLATE_LEVEL
#define COR__DEFLATE_LEVEL 1
#endif

/* Memory for one chunk at a time. */
struct cor__packer;

/* For chunks of up to `chunk_bytes`. */
enum cor_status cor__packer_create(size_t chunk_bytes, struct cor__packer **packer,
                                   struct cor_error *error) COR_MUST_USE;

/* Packs `count` items; returns the packed bytes, borrowed until the next call, and how many. */
const unsigned char *cor__pack(struct cor__packer *packer, enum cor_type type, const unsigned char *items,
                               size_t count, size_t *size);

/* The memory that packed bytes are in, for other use between packing: no chunk is larger. */
unsigned char *cor__packer_memory(struct cor__packer *packer, size_t *size);

/* NULL is allowed. */
void cor__packer_destroy(struct cor__packer *packer);

#endif
