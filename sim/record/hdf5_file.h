/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result file inside: what HDF5 objects it is made of, how it is written, and what is kept of one that is
 * open. Errors of HDF5 are told in our words. Only functions whose version is in their name are called
 * (H5Dcreate2, not H5Dcreate), so that no setting of the library's header changes what they mean. */
#ifndef CORRIDOR_SIM_RECORD_HDF5_FILE_H
#define CORRIDOR_SIM_RECORD_HDF5_FILE_H

#include "frame.h"

#include <corridor/result.h>

#include <hdf5.h>
#include <sys/time.h>

/* Rows of a chunk, of a read, and of a step of the content's fingerprint. */
#define RECORD__BLOCK_ROWS 65536U

/* Attributes of the file. */
#define RECORD__CONTENT_HASH "content_hash"

/* Why a call of HDF5 failed, kept from the moment it fails: every later call, even of closing, forgets it. */
struct record__h5_cause {
    char text[400];
    bool is_memory; /* there was none left: nothing is said of the file */
};

/* From now on HDF5 prints nothing, and the first failing call leaves its innermost cause here; called at
 * every way in. NULL before `cause` goes away. */
void record__h5_listen(struct record__h5_cause *cause);

/* Fails with `status`: "<what>: <cause>"; with COR_STATUS_MEMORY where that is the cause. */
enum cor_status record__h5_fail(struct cor_error *error, enum cor_status status, const char *place,
                                const char *remedy, const char *what, const struct record__h5_cause *cause);

/* HDF5 at work on a file that may be anything: what takes longer than the file's size can explain ends the
 * process by SIGPROF. Begun before a call, or some that belong together, and ended behind them. */
struct record__watch {
    struct itimerval before;
};
struct record__watch record__watch_begin(uint64_t file_size);
void record__watch_end(const struct record__watch *watch);

/* Closes an object of any kind unless it is 0 or negative: was never opened. */
void record__h5_close(hid_t object);

/* Access to a file: no locks (a result file appears whole and never changes; locks fail on many network
 * folders) and the file format of HDF5 1.8, whatever the library. Closed by the caller. */
hid_t record__h5_access(void);

/* A type, in the file and in memory alike (schema.c asserts that the machine is little-endian); not to be
 * closed. */
hid_t record__h5_type(enum cor_type type);

/* UTF-8 text of any length; closed by the caller. */
hid_t record__h5_text_type(void);

/* How texts of a dataset are read and written: by way of a small buffer, as HDF5 clears a megabyte for each
 * call where nothing is said; closed by the caller. */
hid_t record__h5_text_transfer(void);

/* Reads items first .. first + count of a one-dimensional dataset. */
herr_t record__h5_read(hid_t dataset, enum cor_type type, uint64_t first, uint64_t count, void *items);

/* The fingerprint of texts and catalogs, which that of rows and vectors is folded into. */
uint64_t record__content_hash_head(const struct cor_result_header *header);

#define RECORD__ITEM_SIZES 9 /* 0 .. 8 bytes */

/* A file being written, with what its objects are made from. Stays where it is: HDF5 tells it causes of
 * failures. */
struct record__layout {
    const char *place; /* borrowed: the name in errors */
    struct record__h5_cause cause;
    hid_t file, text, text_transfer, group_list;
    struct {
        hid_t list;
        size_t chunk_rows;
    } of_datasets[RECORD__ITEM_SIZES]; /* the last that was made for each size of items */
};

/* Fletcher's checksum as HDF5 has it: big-endian words of 16 bits, an odd byte as the upper half of one. */
uint32_t record__fletcher32(const unsigned char *bytes, size_t size);

/* Bytes of `count` items of 2, 4 or 8 bytes: first ones, then second ones, and so on; and back. */
void record__shuffle(const unsigned char *items, size_t count, size_t item_size, unsigned char *to);
void record__unshuffle(const unsigned char *from, size_t count, size_t item_size, unsigned char *items);

/* Writes one result file from frames, in the order they come, holding no more than a block of each column. */
struct record__writer;

/* Creates the file `path`, which must not exist, for exactly `counts` rows and items. Errors name `place`,
 * the name the file is to have in the end; both are borrowed. */
enum cor_status record__writer_create(const char *path, const char *place,
                                      const struct cor_result_header *header,
                                      const struct record__counts *counts, struct record__writer **writer,
                                      struct cor_error *error) COR_MUST_USE;

/* Appends a suite. */
enum cor_status record__writer_put(struct record__writer *writer, const struct record__frame *frame,
                                   struct cor_error *error) COR_MUST_USE;

/* Writes what is left with the fingerprint of it all, and closes the file. */
enum cor_status record__writer_finish(struct record__writer *writer, struct cor_error *error) COR_MUST_USE;

/* Opens the finished file with all its columns for record__writer_wrote, as cor_result_open_as does for
 * everybody else: what is compared as it is stored need not be looked at for how it is. Closed by
 * cor_result_close. */
enum cor_status record__result_reread(const struct cor_layer_schema *layer, const char *path,
                                      struct cor_result **result, struct cor_error *error) COR_MUST_USE;

/* Reads the finished file, opened again, and says whether it holds what was written: texts, catalogs, short
 * lists, and the packed bytes of all others. They are not unpacked: that is left to readers, whom three more
 * checksums (of the zlib format, Fletcher32, and the content) tell of damage. */
bool record__writer_wrote(const struct record__writer *writer, const struct cor_result *result);

/* Closes the file, finished or not; NULL is allowed. */
void record__writer_destroy(struct record__writer *writer);
COR_DESTROYS(record__writer, struct record__writer)

/* An open dataset, with the chunk that was read last, or all of a short list that is stored in one piece.
 * Zeroed before it is opened. */
struct record__dataset {
    hid_t id;
    bool looked_at;      /* as are the next three: */
    uint64_t rows;       /* of a chunk, or all; 0 = HDF5 reads it */
    uint64_t first;      /* row of the chunk held; UINT64_MAX = none */
    unsigned char *held; /* owned */
};

/* Closes it, if it is open. */
void record__dataset_close(struct record__dataset *dataset);

/* Unpacks chunks of datasets as the writer packs them; memory for one at a time. */
struct record__unpacker;

/* Owned by the caller. */
enum cor_status record__unpacker_create(struct record__unpacker **unpacker,
                                        struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. */
void record__unpacker_destroy(struct record__unpacker *unpacker);

/* Items from `first` on, borrowed until the next call for the dataset; *count, of those that there are,
 * becomes how many. NULL: the dataset is stored in another way, or damaged, so that record__h5_read is to be
 * asked. */
const unsigned char *record__unpacked(const struct record__unpacker *unpacker,
                                      struct record__dataset *dataset, enum cor_type type, uint64_t first,
                                      uint64_t *count);

/* Reads items first .. first + count, which there are. False as above. */
bool record__unpack(const struct record__unpacker *unpacker, struct record__dataset *dataset,
                    enum cor_type type, uint64_t first, uint64_t count, void *items);

/* Datasets of one table. */
struct record__result_table {
    struct record__dataset *columns; /* owned, in the order of the schema; id 0 where it is not open or the
                                     file is older than the column, NULL if it is older than the table */
    uint64_t rows;
};

struct record__result_vector {
    struct record__dataset dataset;
    uint64_t items;
};

/* An open result file: result.c checks and fills it, result.c reads from it. */
struct cor_result {
    const struct cor_layer_schema *layer;
    char *path; /* owned */
    hid_t file;
    struct record__h5_cause cause;
    uint64_t file_size;
    uint32_t minor; /* of the format it is written in */
    struct record__result_table tables[COR_TABLES_MAX];
    struct record__result_vector vectors[COR_VECTORS_MAX];
    struct cor_result_header head;                        /* its texts are owned by the next three */
    char *experiment, *provenance;                        /* owned */
    struct cor_catalog_entry *catalogs[COR_CATALOGS_MAX]; /* owned, with names and descriptions */
    uint64_t content_hash;                                /* as the file says */
    bool sealed;                                          /* not a byte has changed since it was written */
    bool is_compared; /* with what was written, item by item: how that is stored need not be asked before */
    unsigned char *block;              /* owned: a block of the widest column */
    struct record__unpacker *unpacker; /* owned */
    cor_result_told *tell;             /* NULL: nobody is */
    void *told;
};

/* Whether a file does without a table that has so many rows: one that a minor version has added is written
 * only if it has any, as readers do without it in older files. */
static inline bool record__is_left_out(const struct cor_table_schema *table, uint64_t rows) {
    return table->since > 0 && rows == 0;
}

/* The fingerprint of all that the file says, what is aside included: what RECORD__CONTENT_HASH is to be. */
enum cor_status record__content_hash(struct cor_result *result, uint64_t *hash,
                                     struct cor_error *error) COR_MUST_USE;

#endif
