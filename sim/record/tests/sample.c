/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample.h"

#include "frame.h"

#include <corridor/rng.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fill_vectors(struct cor_record *record, struct cor_rng *rng, uint32_t scale) {
    struct cor_error error = COR_NO_ERROR;
    for (enum cor_vector v = 0; v < COR_VECTOR_COUNT; v++) {
        uint32_t count = cor_rng_below(rng, 8 * scale + 1);
        for (uint32_t i = 0; i < count; i++) {
            uint64_t start, item = cor_rng_word(rng);
            SAMPLE_OK(cor_record_put(record, v, &item, 1, &start, &error));
            assert_int_equal(start, i);
        }
    }
}

/* A random value of a column; floats are sometimes NaN. */
static void fill_field(struct cor_rng *rng, const struct cor_column *column, unsigned char *field) {
    uint64_t word = cor_rng_word(rng);
    if (column->type == COR_TYPE_F32) {
        float value = word % 7 == 0 ? NAN : (float)(word % 1000003) / 1024.0F;
        memcpy(field, &value, sizeof value);
    } else if (column->type == COR_TYPE_F64) {
        double value = word % 7 == 0 ? (double)NAN : (double)(word % 1000003) / 1024.0;
        memcpy(field, &value, sizeof value);
    } else
        memcpy(field, &word, cor_type_size(column->type));
}

static uint64_t random_start(struct cor_rng *rng, const struct cor_record *record, enum cor_vector vector) {
    return cor_rng_below(rng, (uint32_t)record->vectors[vector].count + 1);
}

/* Rows that point into the vectors must point into them. */
static void fill_starts(struct cor_record *record, struct cor_rng *rng, enum cor_table table, void *row) {
    if (table == COR_TABLE_SEQUENCES) {
        struct cor_sequence_row *sequence = row;
        sequence->walk_start = random_start(rng, record, COR_VECTOR_WALK);
    }
    if (table == COR_TABLE_FAILURES) {
        struct cor_failure_row *failure = row;
        failure->block_start = random_start(rng, record, COR_VECTOR_SOLUTION_BLOCK_SIZE);
        failure->member_start = random_start(rng, record, COR_VECTOR_SOLUTION_MEMBER);
        failure->structure_start = random_start(rng, record, COR_VECTOR_STRUCTURE);
    }
    if (table == COR_TABLE_SMOKES) {
        struct cor_smoke_row *smoke = row;
        smoke->words_start = random_start(rng, record, COR_VECTOR_WORDS);
    }
    if (table == COR_TABLE_CONSTRAINTS) {
        struct cor_constraint_row *constraint = row;
        constraint->sentence_start = random_start(rng, record, COR_VECTOR_SENTENCES);
    }
}

void sample_fill(struct cor_record *record, uint16_t arm, uint32_t suite, uint32_t scale) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_rng rng = cor_rng_named(
        &(struct cor_stream_name){.seed = 42, .arm = arm + 1U, .suite = suite, .purpose = COR_PURPOSE_TEST});
    cor_record_begin(record, arm, suite);
    fill_vectors(record, &rng, scale);
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++) {
        const struct cor_table_schema *schema = cor_schema(t);
        uint32_t count = cor_rng_below(&rng, 2 * scale + 1);
        if (count % 5 == 0)
            count = 0;
        for (uint32_t r = 0; r < count; r++) {
            unsigned char *row = cor_record_row(record, t, &error);
            assert_non_null(row);
            for (uint32_t c = 2; c < schema->column_count; c++)
                fill_field(&rng, &schema->columns[c], row + schema->columns[c].offset);
            fill_starts(record, &rng, t, row);
        }
    }
}

void sample_check_equal(struct cor_record *a, struct cor_record *b) {
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++) {
        const struct cor_table_schema *schema = cor_schema(t);
        assert_int_equal(cor_record_size(a, t), cor_record_size(b, t));
        for (size_t r = 0; r < cor_record_size(a, t); r++)
            for (uint32_t c = 0; c < schema->column_count; c++) {
                const struct cor_column *column = &schema->columns[c];
                const unsigned char *in_a = (unsigned char *)cor_record_at(a, t, r) + column->offset;
                const unsigned char *in_b = (unsigned char *)cor_record_at(b, t, r) + column->offset;
                assert_memory_equal(in_a, in_b, cor_type_size(column->type));
            }
    }
    for (enum cor_vector v = 0; v < COR_VECTOR_COUNT; v++) {
        assert_int_equal(a->vectors[v].count, b->vectors[v].count);
        if (a->vectors[v].count > 0)
            assert_memory_equal(a->vectors[v].items, b->vectors[v].items,
                                a->vectors[v].count * cor_type_size(cor_vector(v)->type));
    }
}

struct cor_result_header sample_header(void) {
    static const struct cor_catalog_entry arms[] = {
        {0, "spada", "without a fault"}, {1, "spada/F1", "with fault 1"}, {2, "psopp", ""}};
    static const struct cor_catalog_entry types[] = {{0, "weather",
                                                      "Gr\xc3\xb6\xc3\x9f"
                                                      "e, 5 \xc2\xb0"
                                                      "C"},
                                                     {7, "wind", "m/s"}};
    return (struct cor_result_header){
        .layer = &cor_interaction_schema,
        .experiment = "{\n  \"name\": \"K\xc3\xbc"
                      "che\"\n}\n",
        .provenance = "{\"version\": \"0.1.0\"}",
        .seed = UINT64_C(0xFEDCBA9876543210),
        .complete = 1,
        .planned_suites = 15,
        .catalog = {[COR_CATALOG_ARM] = arms, [COR_CATALOG_AGENT_TYPE] = types},
        .catalog_size = {[COR_CATALOG_ARM] = 3, [COR_CATALOG_AGENT_TYPE] = 2},
    };
}

int sample_enter(void **state) {
    char *folder = strdup("record-XXXXXX");
    *state = folder;
    return folder && mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

int sample_leave(void **state) {
    DIR *folder = opendir(".");
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove(entry->d_name);
    if (folder)
        closedir(folder);
    int failed = chdir("..") != 0 || rmdir(*state) != 0;
    free(*state);
    return failed ? -1 : 0;
}

int sample_file_count(void) {
    int count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count - 2;
}

unsigned char *sample_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

void sample_write(const char *path, const void *bytes, size_t size) {
    remove(path); /* a file cut to nothing and written again is flushed to disk by some file systems: slow */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}
