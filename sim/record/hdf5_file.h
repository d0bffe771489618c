/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What writer and reader of a result file share: types, texts, and errors of HDF5 in our words. Only
 * functions whose version is in their name are called (H5Dcreate2, not H5Dcreate), so that no setting of the
 * library's header changes what they mean. */
#ifndef CORRIDOR_RECORD_HDF5_FILE_H
#define CORRIDOR_RECORD_HDF5_FILE_H

#include <corridor/record.h>

#include <hdf5.h>

/* Rows of a chunk, of a read, and of a step of the content's fingerprint. */
#define COR__BLOCK_ROWS 65536U

/* Attributes of the file. */
#define COR__CONTENT_HASH "content_hash"

/* Why a call of HDF5 failed, kept from the moment it fails: every later call, even of closing, forgets it. */
struct cor__h5_cause {
    char text[400];
};

/* From now on HDF5 prints nothing, and the first failing call leaves its innermost cause here; called at
 * every way in. NULL before `cause` goes away. */
void cor__h5_listen(struct cor__h5_cause *cause);

/* Fails with `status`: "<what>: <cause>". */
enum cor_status cor__h5_fail(struct cor_error *error, enum cor_status status, const char *place,
                             const char *remedy, const char *what, const struct cor__h5_cause *cause);

/* Access to a file: no locks (a result file appears whole and never changes; locks fail on many network
 * folders) and the file format of HDF5 1.8, whatever the library. Closed by the caller. */
hid_t cor__h5_access(void);

/* A type in the file (little-endian) and in memory; not to be closed. */
hid_t cor__h5_file_type(enum cor_type type);
hid_t cor__h5_memory_type(enum cor_type type);

/* UTF-8 text of any length; closed by the caller. */
hid_t cor__h5_text_type(void);

/* Reads items first .. first + count of a one-dimensional dataset. */
herr_t cor__h5_read(hid_t dataset, enum cor_type type, uint64_t first, uint64_t count, void *items);

/* The fingerprint of texts and catalogs, which that of rows and vectors is folded into. */
uint64_t cor__content_hash_head(const struct cor_result_header *header);

/* The whole file's CRC32C stands behind the end that HDF5 knows, where other readers never look: damage is
 * found before HDF5, which trusts sizes it reads, looks at the file. Appends it. */
enum cor_status cor__checksum_append(const char *path, const char *place,
                                     struct cor_error *error) COR_MUST_USE;

/* Checks it. A file without one (another program has changed or repacked it) is taken as it is. */
enum cor_status cor__checksum_check(const char *path, struct cor_error *error) COR_MUST_USE;

#endif
