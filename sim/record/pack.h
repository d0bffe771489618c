/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packing a chunk of a column as HDF5's filters leave it: bytes shuffled, deflated, and a Fletcher32 behind
 * them. The filters themselves deflate with zlib; ISA-L writes the same format in a fifth of the time
 * (figures: docs/look-up/result-file.md). */
#ifndef CORRIDOR_SIM_RECORD_PACK_H
#define CORRIDOR_SIM_RECORD_PACK_H

#include <corridor/layer_schema.h>

#include <isa-l/igzip_lib.h>

/* What the filter's entry in the file says; the level is ISA-L's, 0 to 3. */
#define RECORD__DEFLATE_LEVEL 1

/* Memory for one chunk at a time. */
struct record__packer {
    unsigned char *shuffled, *packed; /* owned */
    size_t packed_size;               /* bytes that `packed` has room for: no chunk takes more */
    struct isal_zstream stream;
    unsigned char work[ISAL_DEF_LVL1_DEFAULT];
};

/* For chunks of up to `chunk_bytes`, 1024 or more. Fails half-built: record__packer_fini all the same. */
enum cor_status record__packer_init(struct record__packer *packer, size_t chunk_bytes,
                                    struct cor_error *error) COR_MUST_USE;

void record__packer_fini(struct record__packer *packer);

/* Packs `count` items, 16 or more bytes; returns the packed bytes, borrowed until the next call, and how
 * many. They depend on the items alone. */
const unsigned char *record__pack(struct record__packer *packer, enum cor_type type,
                                  const unsigned char *items, size_t count, size_t *size);

#endif
