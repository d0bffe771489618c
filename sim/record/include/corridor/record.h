/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is written down while a suite runs: one suite, in memory. It is appended to a worker's journal
 * (below), and journals are merged, in suite order, into ONE result file (result.h).
 *
 *   run -> struct cor_record -> cor_journal_append -> cor_result_merge -> results.h5 -> cor_result_open ->
 * analysis */
#ifndef CORRIDOR_RECORD_H
#define CORRIDOR_RECORD_H

#include <corridor/error.h>
#include <corridor/schema.h>

#include <stdbool.h>

/* All rows and vectors of one suite of one arm. Offsets into vectors (walk_start and the like) count within
 * the record; merging shifts them. */
struct cor_record;

/* An empty record of a layer, borrowed; tables and vectors below are numbers within it. Destroying the record
 * frees all of it but the layer, NULL is allowed. */
enum cor_status cor_record_create(const struct cor_layer_schema *layer, struct cor_record **record,
                                  struct cor_error *error) COR_MUST_USE;
void cor_record_destroy(struct cor_record *record);
COR_DESTROYS(cor_record, struct cor_record)

/* From now on the empty record is only written, and appended to a journal: items of four bytes may then be
 * held in fewer, since agents and partitions, of which a campaign notes millions, mostly fit into two and
 * one. Not for it are cor_record_items of such a vector and cor_record_equal. */
void cor_record_only_write(struct cor_record *record);

/* Forgets everything, keeps the memory, and says which suite comes next. */
void cor_record_begin(struct cor_record *record, uint16_t arm, uint32_t suite);

/* A new zeroed row of `table`, with arm and suite filled in (every row struct begins with them); NULL with
 * `error` set when memory is out. Valid until the next row of that table. */
void *cor_record_row(struct cor_record *record, uint32_t table, struct cor_error *error);

/* Appends `count` items to a vector; *start (may be NULL) gets the index of the first. */
enum cor_status cor_record_put(struct cor_record *record, uint32_t vector, const void *items, size_t count,
                               uint64_t *start, struct cor_error *error) COR_MUST_USE;

/* What is said of a finished suite: for stop conditions and for people. It goes into the journal beside the
 * rows, and nowhere else. */
struct cor_suite_counts {
    uint32_t cases, reorganizations;
    uint32_t failures; /* cases in which a check failed, through whichever box */
    /* Of answers: asked for again in another process; thereof with another answer; and answers that depend on
     * the clock or the machine. They say how rows came about, and are no part of the content. */
    uint32_t asked_again, differed, by_machine;
};

/* Says it of the suite in the record; zeros if nobody does. */
void cor_record_count(struct cor_record *record, const struct cor_suite_counts *counts);

/* Says what the suite is of: a fingerprint of all that its rows depend on, by which a suite of another
 * campaign is told wherever it is met. It goes into the journal, and nowhere else; 0 if nobody says it. */
void cor_record_origin(struct cor_record *record, uint64_t origin);

/* Rows of a table so far, and row `index` of it: for looking back (a sequence's row filled at its end). */
size_t cor_record_size(const struct cor_record *record, uint32_t table);
void *cor_record_at(struct cor_record *record, uint32_t table, size_t index);

/* How far a record is. */
struct cor_record_mark {
    size_t rows[COR_TABLES_MAX], items[COR_VECTORS_MAX];
};

/* Puts the rows from `first` on of each table whose rows are of a case, all of one sequence, into the order
 * of these; those of one case stay as they are. For what is known of a case only when later ones have rows.
 */
void cor_record_sort_cases(struct cor_record *record, const struct cor_record_mark *first);

/* All items of a vector so far, valid until it grows; *count (may be NULL) gets their number. */
const void *cor_record_items(const struct cor_record *record, uint32_t vector, size_t *count);

/* Whether two records of one layer hold the same rows and items, tables and vectors that are aside apart. */
bool cor_record_equal(const struct cor_record *a, const struct cor_record *b);

/* The record's mark now; rewinding forgets all rows and items since. What was changed in older rows stays. */
struct cor_record_mark cor_record_mark(const struct cor_record *record);
void cor_record_rewind(struct cor_record *record, const struct cor_record_mark *mark);

/* fsync and fdatasync, again where a signal interrupted them; like these 0, or -1 with errno. */
int cor_sync(int file);
int cor_sync_data(int file);

/* Makes durable what another process, which may be dead, has written to the file at `path`. */
enum cor_status cor_file_sync(const char *path, struct cor_error *error) COR_MUST_USE;

/* Makes the entry of `path` in its folder durable. */
enum cor_status cor_file_sync_folder(const char *path, struct cor_error *error) COR_MUST_USE;

/* Journals: checksummed files of finished suites that survive their writers. */

/* One worker's append-only file of finished suites. Each suite is one frame: magic, version, arm, suite,
 * sizes, origin, CRC32C of header and payload, by which a torn tail is recognised and dropped. */
struct cor_journal;

/* A suite found in a journal. */
struct cor_journal_entry {
    uint16_t arm;
    uint32_t suite;
    uint64_t origin;       /* as cor_record_origin has it; the caller judges whether it is his */
    uint64_t offset, size; /* of its frame */
    struct cor_suite_counts counts;
};

/* Creates the file; it must not exist. */
enum cor_status cor_journal_create(const char *path, struct cor_journal **journal,
                                   struct cor_error *error) COR_MUST_USE;

/* Appends the record. A full disk is COR_STATUS_FILE naming file and cause; what was
 * written before stays readable. */
enum cor_status cor_journal_write(struct cor_journal *journal, const struct cor_record *record,
                                  struct cor_error *error) COR_MUST_USE;

/* The record's frame in memory, as it would be written: to be sent. *bytes, of *capacity, grow as needed;
 * freed with free(). */
enum cor_status cor_record_frame(const struct cor_record *record, unsigned char **bytes, size_t *capacity,
                                 size_t *size, struct cor_error *error) COR_MUST_USE;

/* Appends such a frame, which came from elsewhere, and tells its counts.
 * COR_STATUS_INPUT if it is no whole, undamaged frame of the arm, suite and origin of `wanted` by this build.
 */
enum cor_status cor_journal_write_frame(struct cor_journal *journal, const struct cor_layer_schema *layer,
                                        const struct cor_journal_entry *wanted, const unsigned char *bytes,
                                        size_t size, struct cor_suite_counts *counts,
                                        struct cor_error *error) COR_MUST_USE;

/* Makes durable what was written (fdatasync): one for many suites, where they are short. */
enum cor_status cor_journal_sync(struct cor_journal *journal, struct cor_error *error) COR_MUST_USE;

/* Bytes written and not yet made durable. */
size_t cor_journal_pending(const struct cor_journal *journal);

/* Bytes written: where the next record begins. */
uint64_t cor_journal_size(const struct cor_journal *journal);

/* Both: the record is stored when this has returned. */
enum cor_status cor_journal_append(struct cor_journal *journal, const struct cor_record *record,
                                   struct cor_error *error) COR_MUST_USE;

/* Closes; NULL is allowed. */
void cor_journal_close(struct cor_journal *journal);

/* Lists the whole, undamaged suites of a journal of that layer. *torn is the number of bytes after the last
 * whole frame. */
enum cor_status cor_journal_scan(const struct cor_layer_schema *layer, const char *path,
                                 struct cor_journal_entry **entries /* owned by caller */, size_t *count,
                                 uint64_t *torn, struct cor_error *error) COR_MUST_USE;

/* The same for what lies behind `from`, the end of a whole frame: to follow a journal that grows. */
enum cor_status cor_journal_scan_from(const struct cor_layer_schema *layer, const char *path, uint64_t from,
                                      struct cor_journal_entry **entries /* owned by caller */, size_t *count,
                                      uint64_t *torn, struct cor_error *error) COR_MUST_USE;

/* Lists the suites of which a journal holds the beginning undamaged and the rest not. */
enum cor_status cor_journal_scan_damaged(const struct cor_layer_schema *layer, const char *path,
                                         struct cor_journal_entry **entries /* owned by caller */,
                                         size_t *count, struct cor_error *error) COR_MUST_USE;

/* Lists the suites of a journal of whatever layer by their headers alone: rows are not read, so that it is
 * fast and proves nothing. For people who want to know how far a campaign is. */
enum cor_status cor_journal_scan_heads(const char *path,
                                       struct cor_journal_entry **entries /* owned by caller */,
                                       size_t *count, struct cor_error *error) COR_MUST_USE;

/* Are two entries the same, in all but counts, tables and vectors that are aside? A suite that was executed
 * twice must be. */
enum cor_status cor_journal_compare(const struct cor_layer_schema *layer, const char *path,
                                    const struct cor_journal_entry *entry, const char *other_path,
                                    const struct cor_journal_entry *other, bool *same,
                                    struct cor_error *error) COR_MUST_USE;

/* Has a suite that was executed again with more sequences come out the same in the first `sequences`, which
 * `earlier` holds? Compared are all rows that name a sequence, and the vectors as far as the earlier ones go.
 */
enum cor_status cor_journal_compare_sequences(const struct cor_layer_schema *layer, const char *earlier_path,
                                              const struct cor_journal_entry *earlier, const char *path,
                                              const struct cor_journal_entry *entry, uint32_t sequences,
                                              bool *same, struct cor_error *error) COR_MUST_USE;

/* Reads one suite back into `record`, which is cleared first. */
enum cor_status cor_journal_read(const char *path, const struct cor_journal_entry *entry,
                                 struct cor_record *record, struct cor_error *error) COR_MUST_USE;

#endif
