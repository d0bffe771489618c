/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame.h"
#include "hdf5_file.h"

#include <corridor/array.h>
#include <corridor/work_folder.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A suite and the journal it is in. */
struct place {
    struct cor_journal_entry entry;
    size_t journal;
};

struct merge {
    const char *const *journals;            /* borrowed */
    const struct cor_result_header *header; /* borrowed */
    const char *path;                       /* borrowed */
    struct place *places;                   /* owned: what is merged, in order */
    size_t count, capacity;
    struct record__counts counts; /* of all places */
    struct record__frame frame;   /* its buffer is owned */
};

static enum cor_status collect(struct merge *merge, size_t journal, struct cor_error *error) {
    struct cor_journal_entry *entries;
    size_t count;
    uint64_t torn; /* a torn tail is normal: the campaign has reported or redone it */
    enum cor_status status = COR_OK;
    COR_TRY(cor_journal_scan(merge->header->layer, merge->journals[journal], &entries, &count, &torn, error));
    COR_TRY_OUT(COR_RESERVE(&merge->places, &merge->capacity, merge->count + count, error));
    for (size_t i = 0; i < count; i++) {
        /* Is the suite within the prefix of the plan that is wanted, and of this campaign? */
        const struct cor_journal_entry *entry = &entries[i];
        uint64_t arms = merge->header->catalog_size[0];
        bool own = !merge->header->origins ||
                   (entry->arm < arms && merge->header->origins[entry->arm] == entry->origin);
        if (own &&
            (merge->header->suite_limit == 0 ||
             entry->suite * arms + entry->arm < merge->header->suite_limit) &&
            (!merge->header->arm_limits || entry->suite < merge->header->arm_limits[entry->arm]))
            merge->places[merge->count++] = (struct place){entries[i], journal};
    }
out:
    free(entries);
    return status;
}

static int ascending(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

/* By arm and suite; then by place, so that no two are equal. */
static int compare_places(const void *a, const void *b) {
    const struct place *left = a, *right = b;
    int order = ascending(left->entry.arm, right->entry.arm);
    if (order == 0)
        order = ascending(left->entry.suite, right->entry.suite);
    if (order == 0)
        order = ascending(left->journal, right->journal);
    return order != 0 ? order : ascending(left->entry.offset, right->entry.offset);
}

/* How many suites of an arm that the limits reach are wanted. */
static uint32_t wanted_suites(const struct cor_result_header *header, uint64_t arm) {
    const uint64_t arms = header->catalog_size[0], wanted = (header->suite_limit - arm + arms - 1) / arms;
    return (uint32_t)(header->arm_limits && header->arm_limits[arm] < wanted ? header->arm_limits[arm]
                                                                             : wanted);
}

/* What was counted as finished must have been read: a journal that became shorter since, or was damaged, is
 * found here and not taken for a small campaign. */
static enum cor_status check_complete(const struct merge *merge, struct cor_error *error) {
    uint64_t arms = merge->header->catalog_size[0], limit = merge->header->suite_limit;
    size_t at = 0;
    uint64_t all = 0;
    for (uint64_t arm = 0; arm < arms && arm < limit; arm++)
        all += wanted_suites(merge->header, arm);
    for (uint64_t arm = 0; arm < arms && arm < limit; arm++) {
        uint32_t wanted = wanted_suites(merge->header, arm);
        /* The arm's first missing suite; the number wanted if none is missing. */
        uint32_t found = 0;
        while (found < wanted && at < merge->count && merge->places[at].entry.arm == arm &&
               merge->places[at].entry.suite == found) {
            ++at;
            found++;
        }
        if (found < wanted)
            return cor_fail(error, COR_STATUS_FILE, merge->path, "run the same command again",
                            "%" PRIu64 " of %" PRIu64
                            " finished suites are no longer in the journals, among them "
                            "suite %u of arm %s",
                            all - merge->count, all, found, merge->header->catalog[0][arm].name);
    }
    return COR_OK;
}

static enum cor_status write_file(struct merge *merge, const char *temporary, struct cor_error *error) {
    struct record__writer *writer;
    COR_TRY(record__writer_create(temporary, merge->path, merge->header, &merge->counts, &writer, error));
    enum cor_status status = COR_OK;
    for (size_t i = 0; i < merge->count; i++) {
        const struct place *place = &merge->places[i];
        COR_TRY_OUT(
            record__journal_frame(merge->journals[place->journal], &place->entry, &merge->frame, error));
        COR_TRY_OUT(record__writer_put(writer, &merge->frame, error));
    }
    COR_TRY_OUT(record__writer_finish(writer, error));
    COR_TRY_OUT(record__checksum_append(temporary, merge->path, error));
    /* Opens what was written as any reader does, and compares it with what was meant. */
    struct cor_error inner = COR_NO_ERROR;
    struct cor_result *result = NULL;
    status = record__result_reread(merge->header->layer, temporary, &result, &inner);
    if (status == COR_OK && (!record__writer_wrote(writer, result) ||
                             strcmp(cor_result_head(result)->provenance, merge->header->provenance) != 0))
        status = cor_fail(&inner, COR_STATUS_FILE, NULL, "check the disk", "it holds something else");
    cor_result_close(result);
    if (status != COR_OK) {
        /* Whoever reads files says what input is wrong with: here it is the disk. */
        COR_TRY_OUT(cor_fail(error, status == COR_STATUS_MEMORY ? status : COR_STATUS_FILE, merge->path,
                             "check the disk, then run the same command again",
                             "reading back what was written: %s", inner.cause));
    }
out:
    record__writer_destroy(writer);
    return status;
}

static int exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

static enum cor_status check_target(const char *path, int overwrite, struct cor_error *error) {
    struct stat status;
    if (lstat(path, &status) != 0)
        return COR_OK;
    if (!overwrite)
        return cor_fail(error, COR_STATUS_EXISTS, path, "choose another name, or allow overwriting",
                        "the file exists already");
    if (!S_ISREG(status.st_mode))
        return cor_fail(error, COR_STATUS_FILE, path, NULL, "not a regular file");
    return COR_OK;
}

enum cor_status cor_result_publish(const char *finished, const char *path, int overwrite,
                                   struct cor_error *error) {
    COR_TRY(check_target(path, overwrite, error));
    if (cor_rename(finished, path, overwrite) != 0)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot rename the finished file");
    return cor_file_sync_folder(path, error);
}

enum cor_status cor_result_merge(const char *const *journals, size_t journal_count,
                                 const struct cor_result_header *header, const char *path, int overwrite,
                                 struct cor_error *error) {
    struct merge merge = {.journals = journals, .header = header, .path = path};
    char *temporary = NULL;
    COR_ASSERT(header->layer && (header->suite_limit == 0 || header->catalog_size[0] > 0));
    merge.frame.layer = header->layer;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(check_target(path, overwrite, error));
    for (size_t j = 0; j < journal_count; j++)
        COR_TRY_OUT(collect(&merge, j, error));
    if (merge.count > 0)
        qsort(merge.places, merge.count, sizeof *merge.places, compare_places);
    /* Of suites that occur more than once the first stays. */
    size_t kept = 0;
    for (size_t i = 0; i < merge.count; i++) {
        const struct place *place = &merge.places[i], *last = kept > 0 ? &merge.places[kept - 1] : NULL;
        if (last && last->entry.arm == place->entry.arm && last->entry.suite == place->entry.suite) {
            /* A suite executed twice must have come out the same: whatever is merged, determinism is checked
             * here for nothing. */
            const char *kept_path = merge.journals[last->journal],
                       *twin_path = merge.journals[place->journal];
            bool same;
            COR_TRY_OUT(cor_journal_compare(merge.header->layer, kept_path, &last->entry, twin_path,
                                            &place->entry, &same, error));
            if (same)
                continue;
            COR_TRY_OUT(cor_fail(error, COR_STATUS_INTERNAL, twin_path,
                                 "the algorithm or the testbed is not deterministic",
                                 "suite %u of arm %u differs from that in %s", place->entry.suite,
                                 place->entry.arm, kept_path));
        } else {
            merge.places[kept++] = *place;
        }
    }
    merge.count = kept;
    COR_TRY_OUT(check_complete(&merge, error));
    for (size_t i = 0; i < merge.count; i++) {
        const struct place *place = &merge.places[i];
        struct record__counts counts;
        COR_TRY_OUT(record__journal_counts(merge.header->layer, merge.journals[place->journal], &place->entry,
                                           &counts, error));
        for (size_t t = 0; t < COR_TABLES_MAX; t++)
            merge.counts.rows[t] += counts.rows[t];
        for (size_t v = 0; v < COR_VECTORS_MAX; v++)
            merge.counts.items[v] += counts.items[v];
    }
    /* A name beside the target that is not in use: what a killed process left behind is not touched. */
    temporary = NULL;
    for (unsigned number = 0; number == 0 || (temporary && exists(temporary)); number++) {
        free(temporary);
        temporary = cor_format("%s.part-%ld-%u", path, (long)getpid(), number);
    }
    COR_TRY_OUT(cor_made(temporary, error));
    status = write_file(&merge, temporary, error);
    if (status == COR_OK)
        status = cor_result_publish(temporary, path, overwrite, error);
    if (status != COR_OK)
        unlink(temporary);
out:
    COR_FREE(temporary, merge.places, merge.frame.bytes);
    return status;
}

/* ---- A suite executed with more sequences than before: do those that were there come out the same? And one
 * executed twice: is what a result is compared by the same? */

static bool is_same_row(const struct cor_table_schema *table, const unsigned char *a,
                        const unsigned char *b) {
    for (uint32_t c = 0; c < table->column_count; c++) {
        size_t at = table->columns[c].offset;
        if (memcmp(a + at, b + at, cor_type_size(table->columns[c].type)) != 0)
            return false;
    }
    return true;
}

/* The next row from *index on whose sequence is below the number; NULL behind the last. */
static const unsigned char *next_row(struct cor_record *record, uint32_t table,
                                     const struct cor_column *column, uint32_t sequences, size_t *index) {
    for (; *index < cor_record_size(record, table); ++*index) {
        const unsigned char *row = cor_record_at(record, table, *index);
        uint16_t sequence;
        memcpy(&sequence, row + column->offset, sizeof sequence);
        if (sequence < sequences) {
            ++*index;
            return row;
        }
    }
    return NULL;
}

/* All rows. */
static bool is_equal_table(struct cor_record *one, struct cor_record *other, uint32_t table) {
    size_t count = cor_record_size(one, table);
    if (count != cor_record_size(other, table))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!is_same_row(&one->layer->tables[table], cor_record_at(one, table, i),
                         cor_record_at(other, table, i)))
            return false;
    return true;
}

static bool is_same_table(struct cor_record *earlier, struct cor_record *record, uint32_t table,
                          uint32_t sequences) {
    const struct cor_table_schema *schema = &record->layer->tables[table];
    /* The column by which rows of a table name a sequence; NULL if they do not. */
    const struct cor_column *column = NULL;
    for (uint32_t c = 0; c < schema->column_count && !column; c++)
        if (strcmp(schema->columns[c].name, "sequence") == 0 && schema->columns[c].type == COR_TYPE_U16)
            column = &schema->columns[c];
    size_t at = 0, other_at = 0;
    while (column) {
        const unsigned char *row = next_row(earlier, table, column, sequences, &at);
        const unsigned char *other = next_row(record, table, column, sequences, &other_at);
        if (!row || !other)
            return row == other;
        if (!is_same_row(schema, row, other))
            return false;
    }
    return true;
}

static bool is_beginning(const struct cor_record *earlier, const struct cor_record *record, uint32_t vector) {
    size_t count, other_count, size = cor_type_size(record->layer->vectors[vector].type);
    const void *items = cor_record_items(earlier, vector, &count);
    const void *others = cor_record_items(record, vector, &other_count);
    return count <= other_count && (count == 0 || memcmp(items, others, count * size) == 0);
}

enum cor_status cor_journal_compare_sequences(const struct cor_layer_schema *layer, const char *earlier_path,
                                              const struct cor_journal_entry *earlier, const char *path,
                                              const struct cor_journal_entry *entry, uint32_t sequences,
                                              bool *same, struct cor_error *error) {
    struct cor_record *before = NULL, *now = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_record_create(layer, &before, error));
    COR_TRY_OUT(cor_record_create(layer, &now, error));
    COR_TRY_OUT(cor_journal_read(earlier_path, earlier, before, error));
    COR_TRY_OUT(cor_journal_read(path, entry, now, error));
    *same = true;
    for (uint32_t t = 0; t < layer->table_count && *same; t++)
        *same = layer->tables[t].is_aside || is_same_table(before, now, t, sequences);
    for (uint32_t v = 0; v < layer->vector_count && *same; v++)
        *same = layer->vectors[v].is_aside || is_beginning(before, now, v);
out:
    cor_record_destroy(before);
    cor_record_destroy(now);
    return status;
}

static bool is_equal_content(struct cor_record *one, struct cor_record *other) {
    const struct cor_layer_schema *layer = one->layer;
    for (uint32_t t = 0; t < layer->table_count; t++)
        if (!layer->tables[t].is_aside && !is_equal_table(one, other, t))
            return false;
    for (uint32_t v = 0; v < layer->vector_count; v++)
        if (!layer->vectors[v].is_aside &&
            (one->vectors[v].count != other->vectors[v].count || !is_beginning(one, other, v)))
            return false;
    return true;
}

/* Are two executions of a suite the same in all but what is aside and the counts? */
static enum cor_status compare_content(const struct cor_layer_schema *layer, const char *path,
                                       const struct cor_journal_entry *entry, const char *other_path,
                                       const struct cor_journal_entry *other, bool *same,
                                       struct cor_error *error) {
    struct cor_record *records[2] = {NULL, NULL};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_record_create(layer, &records[0], error));
    COR_TRY_OUT(cor_record_create(layer, &records[1], error));
    COR_TRY_OUT(cor_journal_read(path, entry, records[0], error));
    COR_TRY_OUT(cor_journal_read(other_path, other, records[1], error));
    *same = is_equal_content(records[0], records[1]);
out:
    cor_record_destroy(records[0]);
    cor_record_destroy(records[1]);
    return status;
}

enum cor_status cor_journal_compare(const struct cor_layer_schema *layer, const char *path,
                                    const struct cor_journal_entry *entry, const char *other_path,
                                    const struct cor_journal_entry *other, bool *same,
                                    struct cor_error *error) {
    struct record__frame frames[2] = {{.layer = layer}, {.layer = layer}};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(record__journal_frame(path, entry, &frames[0], error));
    COR_TRY_OUT(record__journal_frame(other_path, other, &frames[1], error));
    *same = frames[0].size == frames[1].size && memcmp(frames[0].bytes, frames[1].bytes, frames[0].size) == 0;
out:
    COR_FREE(frames[0].bytes, frames[1].bytes);
    COR_TRY(status);
    return *same ? COR_OK : compare_content(layer, path, entry, other_path, other, same, error);
}
