/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The result file: merged from journals, and read. */
#ifndef CORRIDOR_RESULT_H
#define CORRIDOR_RESULT_H

#include <corridor/error.h>
#include <corridor/schema.h>

/* What a code in rows stands for; of a result that is read the texts live as long as it. */
struct cor_catalog_entry {
    uint16_t code;
    const char *name, *description; /* borrowed */
};

/* What the result file says besides rows: the same for every run of the same version and experiment. */
struct cor_result_header {
    const struct cor_layer_schema *layer; /* borrowed */
    const char *experiment;               /* JSON text as read, with all files it names inlined */
    const char *provenance;               /* JSON text: version, compiler, flags, libraries, algorithms */
    uint64_t seed;
    int complete; /* 1 exactly if every planned suite is in, or the experiment is endless; 0 if the campaign
                     ended before, whether by a stop condition or from outside */
    uint64_t planned_suites; /* over all arms; 0 = endless */
    uint64_t suite_limit; /* keep only suites with suite * (number of arms) + arm below this: a prefix of the
                             plan, in which a campaign goes round all arms before the next suite; 0 = all */
    const uint64_t *arm_limits; /* borrowed, [arm]: and only suites below this number; NULL: no such limit */
    const uint64_t *origins; /* borrowed, [arm]: suites of others are passed over; NULL: whatever there is */
    const struct cor_catalog_entry *catalog[COR_CATALOGS_MAX];
    size_t catalog_size[COR_CATALOGS_MAX];
};

/* Merges journals into the result file `path`, suites in ascending (arm, suite) order, and of
 * these only those within header->suite_limit. Written under another name beside it, verified by
 * reading back, and renamed: `path` is either absent or whole. Refuses to overwrite unless `overwrite`. Two
 * journals holding one suite with other bytes is COR_STATUS_INTERNAL, a suite within the limit that no
 * journal holds is COR_STATUS_FILE. Call in a child process that leaves by _exit: HDF5 1.10 can die at exit
 * after a full disk. The file is byte-identical for any number and order of journals. */
enum cor_status cor_result_merge(const char *const *journals, size_t journal_count,
                                 const struct cor_result_header *header, const char *path, int overwrite,
                                 struct cor_error *error) COR_MUST_USE;

/* Gives a finished result file its name, on the same file system, and makes that durable. Refuses to
 * overwrite unless `overwrite`. */
enum cor_status cor_result_publish(const char *finished, const char *path, int overwrite,
                                   struct cor_error *error) COR_MUST_USE;

/* A result file open for reading. */
struct cor_result;

/* Seconds of CPU time that no call which reads a file of so many bytes takes: one that does is ended by
 * SIGPROF, as HDF5 goes round for ever in a file that was made for that. */
uint32_t cor_result_seconds(uint64_t file_size);

/* Opens and checks, in a child process first, as a damaged file may end the process in which HDF5 opens it:
 * format name, major version, every table and column there with its type, equal lengths.
 * Columns and tables that are younger than the file are read as their schema says. */
enum cor_status cor_result_open(const char *path, struct cor_result **result,
                                struct cor_error *error) COR_MUST_USE;

/* COR_OK if a child process can read all of the file, which is what was written; else what is wrong. */
enum cor_status cor_result_try(const char *path, struct cor_error *error) COR_MUST_USE;

/* The same where files may be of these layers (ended by NULL) instead of all that there are, in this process
 * at once: for files just written, and in a child. */
enum cor_status cor_result_open_as(const struct cor_layer_schema *const *layers, const char *path,
                                   struct cor_result **result, struct cor_error *error) COR_MUST_USE;

/* The same in this process at once, of a file that it has just written and read back: of a table that nobody
 * reads only the first column is opened. */
enum cor_status cor_result_open_written(const char *path, struct cor_result **result,
                                        struct cor_error *error) COR_MUST_USE;

/* The same in this process and without a look at its checksum, whose cost is that of reading all of it: for
 * whoever wants a few names of it, may be ended by it, and is believed by nobody. */
enum cor_status cor_result_glance(const char *path, struct cor_result **result,
                                  struct cor_error *error) COR_MUST_USE;

/* Closes the file and frees all that was read of it. NULL is allowed. */
void cor_result_close(struct cor_result *result);

/* Told from now on before rows are read: of which table, and the first of them, of so many. */
typedef void cor_result_told(void *self, const char *table, uint64_t first, uint64_t count);
void cor_result_tell(struct cor_result *result, cor_result_told *tell, void *self);

/* Rows of a table. */
uint64_t cor_result_size(const struct cor_result *result, uint32_t table);

/* Reads rows first .. first + count into `rows` (count row structs of that table). */
enum cor_status cor_result_read(struct cor_result *result, uint32_t table, uint64_t first, uint64_t count,
                                void *rows, struct cor_error *error) COR_MUST_USE;

/* Reads only the columns whose bit is set in `columns` (bit i = column i of the schema), the rest stays as it
 * is. */
enum cor_status cor_result_read_columns(struct cor_result *result, uint32_t table, uint64_t columns,
                                        uint64_t first, uint64_t count, void *rows,
                                        struct cor_error *error) COR_MUST_USE;

/* Reads all rows of one suite; *rows is the caller's, to be freed with free(), also on failure. */
enum cor_status cor_result_read_suite(struct cor_result *result, uint32_t table, struct cor_row_key key,
                                      void **rows, uint64_t *count, struct cor_error *error) COR_MUST_USE;

/* Items of a vector, and a range of them. */
uint64_t cor_result_vector_size(const struct cor_result *result, uint32_t vector);
enum cor_status cor_result_read_vector(struct cor_result *result, uint32_t vector, uint64_t first,
                                       uint64_t count, void *items, struct cor_error *error) COR_MUST_USE;

/* The header as stored; strings and catalogs live as long as the result. */
const struct cor_result_header *cor_result_head(const struct cor_result *result);

/* Name of code `code` in a catalog, "?" if it has none. */
const char *cor_result_name(const struct cor_result *result, uint32_t catalog, uint16_t code);

/* What the catalog says of it, "" if it has none. */
const char *cor_result_description(const struct cor_result *result, uint32_t catalog, uint16_t code);

/* A fingerprint of everything the file says (all tables and vectors but those that are aside, catalogs and
 * texts except provenance): equal for equal content whatever the compiler, the host or the number of workers.
 */
enum cor_status cor_result_hash(struct cor_result *result, uint64_t *hash,
                                struct cor_error *error) COR_MUST_USE;

/* Has not a byte changed since it was written? */
bool cor_result_is_sealed(const struct cor_result *result);

/* Is the content what was written? That is known of a file as it was written, whose checksum was looked at
 * when it was opened. Of one that another program has written since, everything is read, as by
 * cor_result_verify. */
enum cor_status cor_result_check_seal(struct cor_result *result, struct cor_error *error) COR_MUST_USE;

/* Where a suite that was executed again is not what the file has of it. */
struct cor_suite_difference {
    bool equal;               /* it is; then the rest says nothing */
    const char *table;        /* group of the table, borrowed from the schema */
    const char *column;       /* NULL: the number of rows differs; of an offset: what it leads to */
    uint64_t row;             /* of the suite's rows, from 0; without a column that of the first without
                                 a counterpart */
    char stored[64], now[64]; /* values, of a code with its word; without a column numbers of rows */
};

struct cor_record;

/* Compares all rows of the record, and what they lead to in vectors, with those of its arm and suite in the
 * file: tables and vectors that are aside apart. The first difference is told, by table - `first` before all
 * others -, row and column. */
enum cor_status cor_result_compare_suite(struct cor_result *result, const struct cor_record *record,
                                         uint32_t first, struct cor_suite_difference *difference,
                                         struct cor_error *error) COR_MUST_USE;

/* The same for a record of one sequence alone, with the rows of that sequence; numbers of rows are those of
 * the sequence. Rows that are no sequence's are compared where the record has any, but for the number of
 * sequences. */
enum cor_status cor_result_compare_sequence(struct cor_result *result, const struct cor_record *record,
                                            uint32_t sequence, uint32_t first,
                                            struct cor_suite_difference *difference,
                                            struct cor_error *error) COR_MUST_USE;

/* Reads everything and compares its fingerprint with the one written into the file; COR_STATUS_FILE if they
 * differ. */
enum cor_status cor_result_verify(struct cor_result *result, struct cor_error *error) COR_MUST_USE;

#endif
