/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is written down while a suite runs, and where it goes: a record (one suite, in memory) is appended to
 * a worker's journal (a checksummed file that survives its writer), and journals are merged, in suite order,
 * into ONE result file.
 *
 *   run -> struct cor_record -> cor_journal_append -> cor_result_merge -> results.h5 -> cor_result_open ->
 * analysis */
#ifndef CORRIDOR_RECORD_H
#define CORRIDOR_RECORD_H

#include <corridor/schema.h>

#include <corridor/error.h>

/* -------------------------------------------------------------------------------------- record */

/* All rows and vectors of one suite of one arm. Offsets into vectors (walk_start and the like) count within
 * the record; merging shifts them. */
struct cor_record;

/* An empty record. */
enum cor_status cor_record_create(struct cor_record **record, struct cor_error *error) COR_MUST_USE;
void cor_record_destroy(struct cor_record *record);

/* Forgets everything, keeps the memory, and says which suite comes next. */
void cor_record_begin(struct cor_record *record, uint16_t arm, uint32_t suite);

/* A new zeroed row of `table`, with arm and suite filled in (every row struct begins with them); NULL with
 * `error` set when memory is out. Valid until the next row of that table. */
void *cor_record_row(struct cor_record *record, enum cor_table table, struct cor_error *error);

/* Appends `count` items to a vector; *start (may be NULL) gets the index of the first. */
enum cor_status cor_record_put(struct cor_record *record, enum cor_vector vector, const void *items,
                               size_t count, uint64_t *start, struct cor_error *error) COR_MUST_USE;

/* Rows of a table so far, and row `index` of it: for looking back (a sequence's row filled at its end). */
size_t cor_record_size(const struct cor_record *record, enum cor_table table);
void *cor_record_at(struct cor_record *record, enum cor_table table, size_t index);

/* All items of a vector so far, valid until it grows; *count (may be NULL) gets their number. */
const void *cor_record_items(const struct cor_record *record, enum cor_vector vector, size_t *count);

/* How far a record is. */
struct cor_record_mark {
    size_t rows[COR_TABLE_COUNT], items[COR_VECTOR_COUNT];
};

/* The record's mark now; rewinding forgets all rows and items since. What was changed in older rows stays. */
struct cor_record_mark cor_record_mark(const struct cor_record *record);
void cor_record_rewind(struct cor_record *record, const struct cor_record_mark *mark);

/* ------------------------------------------------------------------------------------- journal */

/* One worker's append-only file of finished suites. Each suite is one frame: magic, version, arm, suite,
 * sizes, CRC32C of header and payload, by which a torn tail is recognised and dropped. */
struct cor_journal;

/* Creates the file; it must not exist. */
enum cor_status cor_journal_create(const char *path, struct cor_journal **journal,
                                   struct cor_error *error) COR_MUST_USE;

/* Writes the record and makes it durable (fdatasync). A full disk is COR_STATUS_FILE naming file and cause;
 * what was appended before stays readable. */
enum cor_status cor_journal_append(struct cor_journal *journal, const struct cor_record *record,
                                   struct cor_error *error) COR_MUST_USE;

/* Closes; NULL is allowed. */
void cor_journal_close(struct cor_journal *journal);

/* A suite found in a journal. */
struct cor_journal_entry {
    uint16_t arm;
    uint32_t suite;
    uint64_t offset, size; /* of its frame */
};

/* Lists the whole, undamaged suites of a journal. *torn is the number of bytes after the last whole frame. */
enum cor_status cor_journal_scan(const char *path, struct cor_journal_entry **entries /* owned by caller */,
                                 size_t *count, uint64_t *torn, struct cor_error *error) COR_MUST_USE;

/* Reads one suite back into `record`, which is cleared first. */
enum cor_status cor_journal_read(const char *path, const struct cor_journal_entry *entry,
                                 struct cor_record *record, struct cor_error *error) COR_MUST_USE;

/* ------------------------------------------------------------------------------------------------- result
 * file */

struct cor_catalog_entry {
    uint16_t code;
    const char *name, *description; /* borrowed */
};

/* What the result file says besides rows: the same for every run of the same version and experiment. */
struct cor_result_header {
    const char *experiment; /* JSON text as read, with all files it names inlined */
    const char *provenance; /* JSON text: version, compiler, flags, libraries, algorithms */
    uint64_t seed;
    int complete; /* 1 exactly if every planned suite is in, or the experiment is endless; 0 if the campaign
                     ended before, whether by a stop condition or from outside */
    uint64_t planned_suites; /* over all arms; 0 = endless */
    uint64_t suite_limit; /* keep only suites with suite * (number of arms) + arm below this: a prefix of the
                             plan, in which a campaign goes round all arms before the next suite; 0 = all */
    const struct cor_catalog_entry *catalog[COR_CATALOG_COUNT];
    size_t catalog_size[COR_CATALOG_COUNT];
};

/* Merges journals into the result file `path`, suites in ascending (arm, suite) order, and of
 * these only those within header->suite_limit. Written under another name beside it, verified by
 * reading back, and renamed: `path` is either absent or whole. Refuses to overwrite unless `overwrite`. Two
 * journals holding one suite with other bytes is COR_STATUS_INTERNAL. Call in a child process that leaves by
 * _exit: HDF5 1.10 can die at exit after a full disk. The file is byte-identical for any number and order of
 * journals. */
enum cor_status cor_result_merge(const char *const *journals, size_t journal_count,
                                 const struct cor_result_header *header, const char *path, int overwrite,
                                 struct cor_error *error) COR_MUST_USE;

/* A result file open for reading. */
struct cor_result;

/* Opens and checks: format name, major version, every table and column there with its type, equal lengths. */
enum cor_status cor_result_open(const char *path, struct cor_result **result,
                                struct cor_error *error) COR_MUST_USE;
void cor_result_close(struct cor_result *result);

/* Rows of a table. */
uint64_t cor_result_size(const struct cor_result *result, enum cor_table table);

/* Reads rows first .. first + count into `rows` (count row structs of that table). */
enum cor_status cor_result_read(struct cor_result *result, enum cor_table table, uint64_t first,
                                uint64_t count, void *rows, struct cor_error *error) COR_MUST_USE;

/* Reads only the columns whose bit is set in `columns` (bit i = column i of the schema), the rest stays as it
 * is. */
enum cor_status cor_result_read_columns(struct cor_result *result, enum cor_table table, uint64_t columns,
                                        uint64_t first, uint64_t count, void *rows,
                                        struct cor_error *error) COR_MUST_USE;

/* Items of a vector, and a range of them. */
uint64_t cor_result_vector_size(const struct cor_result *result, enum cor_vector vector);
enum cor_status cor_result_read_vector(struct cor_result *result, enum cor_vector vector, uint64_t first,
                                       uint64_t count, void *items, struct cor_error *error) COR_MUST_USE;

/* The header as stored; strings and catalogs live as long as the result. */
const struct cor_result_header *cor_result_head(const struct cor_result *result);

/* Name of code `code` in a catalog, "?" if it has none. */
const char *cor_result_name(const struct cor_result *result, enum cor_catalog catalog, uint16_t code);

/* A fingerprint of everything the file says (all tables, vectors, catalogs and texts except provenance):
 * equal for equal content whatever the compiler, the host or the number of workers. */
enum cor_status cor_result_hash(struct cor_result *result, uint64_t *hash,
                                struct cor_error *error) COR_MUST_USE;

/* Reads everything and compares its fingerprint with the one written into the file; COR_STATUS_FILE if they
 * differ. */
enum cor_status cor_result_verify(struct cor_result *result, struct cor_error *error) COR_MUST_USE;

#endif
