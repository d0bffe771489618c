/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading files that are damaged, foreign, newer, or made to mislead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hdf5_file.h"
#include "sample.h"

#include <corridor/record.h>

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEAL_SIZE = 16, SCALE = 300 }; /* the larger tables are packed, the smaller are not */

/* Writes whole.h5 once for all tests. */
static int setup(void **state) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal *journal;
    struct cor_record *record;
    struct cor_result_header header = sample_header();
    const char *const journals[] = {"journal"};
    if (sample_enter(state) != 0)
        return -1;
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &record, &error));
    SAMPLE_OK(cor_journal_create("journal", &journal, &error));
    for (uint32_t suite = 0; suite < 3; suite++) {
        sample_fill(record, 0, suite, SCALE);
        SAMPLE_OK(cor_journal_append(journal, record, &error));
    }
    cor_journal_close(journal);
    cor_record_destroy(record);
    SAMPLE_OK(cor_result_merge(journals, 1, &header, "whole.h5", 0, &error));
    return 0;
}

/* The file is refused: with a proper error of that kind whose cause has these words in it. */
static void check_refused_as(enum cor_status status, const char *path, const char *words) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result;
    assert_int_equal(cor_result_open(path, &result, &error), status);
    assert_null(result);
    assert_string_equal(error.place, path);
    if (!strstr(error.cause, words))
        print_error("expected \"%s\", got \"%s\"\n", words, error.cause);
    assert_non_null(strstr(error.cause, words));
}

static void check_refused(const char *path, const char *words) {
    check_refused_as(COR_STATUS_INPUT, path, words);
}

static void check_whole(const char *path) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result;
    SAMPLE_OK(cor_result_open(path, &result, &error));
    SAMPLE_OK(cor_result_verify(result, &error));
    cor_result_close(result);
}

static void truncated_files_are_refused_unless_the_whole_checksum_is_cut(void **state) {
    (void)state;
    size_t size;
    unsigned char *bytes = sample_read("whole.h5", &size);
    for (size_t cut = 0; cut < size; cut = cut < 200 ? cut + 1 : cut + 1999) {
        sample_write("cut.h5", bytes, cut);
        check_refused("cut.h5", cut < 8 ? "not an HDF5 file" : "");
    }
    for (size_t cut = size - SEAL_SIZE - 8; cut < size - SEAL_SIZE; cut++) {
        sample_write("cut.h5", bytes, cut);
        check_refused("cut.h5", "truncated");
    }
    for (size_t cut = size - SEAL_SIZE + 1; cut < size;
         cut++) { /* all of it is there but some of our checksum */
        sample_write("cut.h5", bytes, cut);
        check_refused("cut.h5", "behind the end of its data are not the 16 of a checksum");
    }
    sample_write("cut.h5", bytes, size - SEAL_SIZE); /* as other programs write it */
    check_whole("cut.h5");
    free(bytes);
}

static void flip(unsigned char *bytes, size_t bit) {
    bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
}

/* All of the first and the last, the seal included; of the others so many that no two datasets are without
 * one. */
static void any_flipped_bit_is_refused(void **state) {
    (void)state;
    size_t size, tried = 0;
    unsigned char *bytes = sample_read("whole.h5", &size);
    const size_t all = 8 * size, ends = 8 * (size_t)100;
    for (size_t bit = 0; bit < all;
         bit = bit < ends || bit >= all - ends ? bit + 1 : bit + 1 + all / 2500, tried++) {
        flip(bytes, bit);
        sample_write("flipped.h5", bytes, size);
        flip(bytes, bit);
        if (bit == 8 * 11) /* as HDF5 marks a file that a program has open for writing */
            check_refused_as(COR_STATUS_FILE, "flipped.h5", "is open for writing in another program");
        else
            check_refused("flipped.h5", bit < 8 * 8                 ? "not an HDF5 file"
                                        : bit < all - 8 * SEAL_SIZE ? "checksum is wrong"
                                                                    : "are not the 16 of a checksum");
    }
    assert_true(tried >= 2000);
    for (size_t bit = all - 8 * SEAL_SIZE; bit < all; bit++) { /* and where it begins, as HDF5 says */
        flip(bytes, bit);
        flip(bytes, 8 * 28 + bit % 64);
        sample_write("flipped.h5", bytes, size);
        flip(bytes, bit);
        flip(bytes, 8 * 28 + bit % 64);
        check_refused("flipped.h5", "");
    }
    free(bytes);
}

static void other_files_are_refused(void **state) {
    (void)state;
    const char text[] = "arm,suite,sequence\n0,0,0\n";
    check_refused_as(COR_STATUS_FILE, "absent.h5", "No such file");
    check_refused_as(COR_STATUS_FILE, ".", "is a folder, not a file");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    check_refused_as(COR_STATUS_FILE, "pipe", "not a regular file");
    sample_write("text.h5", text, sizeof text);
    check_refused("text.h5", "not an HDF5 file");
    sample_write("empty.h5", "", 0);
    check_refused("empty.h5", "not an HDF5 file");
    hid_t file = H5Fcreate("plain.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0 && H5Fclose(file) >= 0);
    check_refused("plain.h5", "not a result file");
}

/* A copy of whole.h5 without the checksum of its bytes, open for changing. */
static hid_t open_copy(void) {
    size_t size;
    unsigned char *bytes = sample_read("whole.h5", &size);
    sample_write("copy.h5", bytes, size - SEAL_SIZE);
    free(bytes);
    hid_t file = H5Fopen("copy.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

static void close_copy(hid_t file, const char *words) {
    assert_true(H5Fclose(file) >= 0);
    check_refused("copy.h5", words);
}

static void put_text_attribute(hid_t file, const char *name, const char *text) {
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    assert_true(H5Tset_size(type, H5T_VARIABLE) >= 0);
    assert_true(H5Adelete(file, name) >= 0);
    hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(attribute >= 0 && H5Awrite(attribute, type, &text) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

/* Replaces a dataset by one of `rows` items of `type`, made with `list`, nothing written. */
static void replace(hid_t file, const char *name, hid_t type, hsize_t rows, hid_t list) {
    hid_t space = H5Screate_simple(1, &rows, NULL);
    assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    assert_true(dataset >= 0);
    H5Dclose(dataset);
    H5Sclose(space);
}

static hsize_t rows_of(hid_t file, const char *name) {
    hsize_t rows;
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(dataset);
    assert_int_equal(H5Sget_simple_extent_dims(space, &rows, NULL), 1);
    H5Sclose(space);
    H5Dclose(dataset);
    assert_true(rows > 0);
    return rows;
}

static void newer_minor_versions_are_read_and_major_ones_refused(void **state) {
    (void)state;
    hid_t file = open_copy();
    put_text_attribute(file, "format_version", "2.0.0");
    close_copy(file, "written in format 2.0.0; this version reads 1.x");
    file = open_copy();
    put_text_attribute(file, "format_version", "newest");
    close_copy(file, "format_version");
    file = open_copy();
    put_text_attribute(file, "format_version", "1.7.3"); /* a newer minor version has only more */
    H5Fclose(file);
    check_whole("copy.h5");
    file = open_copy();
    put_text_attribute(file, "format", "something-else");
    close_copy(file, "not a result file");
    file = open_copy();
    put_text_attribute(file, "seed", "0x12");
    close_copy(file, "seed");
    file = open_copy();
    assert_true(H5Adelete(file, "planned_suites") >= 0);
    close_copy(file, "planned_suites");
}

static void a_missing_part_is_named(void **state) {
    (void)state;
    static const char *const names[] = {
        "cases",        "failures",   "cases/alarm", "counters/bucket", "vectors",
        "vectors/walk", "experiment", "provenance",  "catalog/counter", "catalog/arm/name"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char words[100];
        const char *last = strstr(names[i], "catalog/arm/") ? "arm/name" : names[i];
        snprintf(words, sizeof words, "/%s is missing", last);
        hid_t file = open_copy();
        assert_true(H5Ldelete(file, names[i], H5P_DEFAULT) >= 0);
        close_copy(file, words);
    }
}

static void columns_of_another_type_or_length_are_refused(void **state) {
    (void)state;
    hid_t file = open_copy(), compact = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t rows = rows_of(file, "cases/alarm");
    H5Pset_alloc_time(compact, H5D_ALLOC_TIME_EARLY);
    replace(file, "cases/alarm", H5T_STD_U8LE, rows - 1, compact);
    close_copy(file, "/cases/alarm is longer or shorter");
    file = open_copy();
    replace(file, "cases/alarm", H5T_STD_I8LE, rows, compact);
    close_copy(file, "/cases/alarm has another type");
    file = open_copy();
    replace(file, "cases/dissimilarity", H5T_IEEE_F64LE, rows, compact);
    close_copy(file, "/cases/dissimilarity has another type");
    file = open_copy();
    replace(file, "vectors/walk", H5T_STD_U16LE, 3, compact);
    close_copy(file, "/vectors/walk has another type");
    file = open_copy();
    replace(file, "catalog/arm/code", H5T_STD_U16LE, 2, compact);
    close_copy(file, "/arm/name is not a list of texts");
    file = open_copy();
    replace(file, "experiment", H5T_STD_U16LE, 2, compact);
    close_copy(file, "/experiment is not a text");
    H5Pclose(compact);
}

/* Lengths that nothing in the file backs: neither believed nor allocated. */
static void absurd_sizes_are_not_believed(void **state) {
    (void)state;
    hsize_t chunk = 65536, huge_chunk = 1 << 28, absurd = (hsize_t)1 << 50;
    hid_t chunked = H5Pcreate(H5P_DATASET_CREATE), huge = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(chunked, 1, &chunk);
    H5Pset_chunk(huge, 1, &huge_chunk);
    hid_t file = open_copy();
    replace(file, "vectors/walk", H5T_STD_U8LE, absurd, chunked);
    close_copy(file, "/vectors/walk is not stored whole");
    file = open_copy();
    replace(file, "vectors/structure", H5T_STD_U32LE, absurd, huge);
    close_copy(file, "/vectors/structure is not stored whole");
    file = open_copy();
    replace(file, "vectors/walk", H5T_STD_U8LE, absurd, H5P_DEFAULT);
    close_copy(file, "/vectors/walk is not stored whole");
    file = open_copy();
    replace(file, "catalog/fault/code", H5T_STD_U16LE, absurd, chunked);
    close_copy(file, "/fault/code is not stored whole");
    H5Pclose(chunked);
    H5Pclose(huge);
}

/* Data that lies elsewhere, and filters that would load code. */
static void data_that_lies_outside_the_file_is_refused(void **state) {
    (void)state;
    hid_t file = open_copy(), list;
    hsize_t rows = rows_of(file, "vectors/walk"), chunk = 1024;
    assert_true(H5Ldelete(file, "cases", H5P_DEFAULT) >= 0);
    assert_true(H5Lcreate_external("whole.h5", "/cases", file, "cases", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    close_copy(file, "/cases is missing");
    file = open_copy();
    assert_true(H5Lmove(file, "cases/alarm", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    assert_true(H5Lcreate_soft("/elsewhere", file, "cases/alarm", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    close_copy(file, "/cases/alarm is missing");
    file = open_copy();
    list = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_external(list, "whole.h5", 0, rows) >= 0);
    replace(file, "vectors/walk", H5T_STD_U8LE, rows, list);
    close_copy(file, "/vectors/walk is not stored whole");
    H5Pclose(list);
    file = open_copy();
    list = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = H5Screate_simple(1, &rows, NULL);
    assert_true(H5Pset_virtual(list, space, "whole.h5", "/vectors/walk", space) >= 0);
    replace(file, "vectors/walk", H5T_STD_U8LE, rows, list);
    close_copy(file, "/vectors/walk is not stored whole");
    H5Pclose(list);
    H5Sclose(space);
    file = open_copy();
    list = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_chunk(list, 1, &chunk) >= 0 && H5Pset_scaleoffset(list, H5Z_SO_INT, 8) >= 0);
    assert_true(H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY) >= 0);
    replace(file, "vectors/walk", H5T_STD_U8LE, rows, list);
    close_copy(file, "/vectors/walk is not stored whole");
    H5Pclose(list);
}

/* A single value was changed by another program: everything is in order, but it is not what was written. */
static void a_changed_value_is_found_by_its_fingerprint(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result;
    uint64_t hash, other_hash;
    SAMPLE_OK(cor_result_open("whole.h5", &result, &error));
    SAMPLE_OK(cor_result_hash(result, &hash, &error));
    cor_result_close(result);
    hid_t file = open_copy(), dataset = H5Dopen2(file, "violations/found", H5P_DEFAULT);
    hsize_t count = rows_of(file, "violations/found");
    double *values = calloc(count, sizeof *values);
    assert_true(values && H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    values[count - 1] = 12345;
    assert_true(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(dataset);
    H5Fclose(file);
    free(values);
    SAMPLE_OK(cor_result_open("copy.h5", &result, &error));
    SAMPLE_OK(cor_result_hash(result, &other_hash, &error));
    assert_true(hash != other_hash);
    assert_int_equal(cor_result_verify(result, &error), COR_STATUS_INPUT);
    assert_non_null(strstr(error.cause, "not what was written"));
    cor_result_close(result);
}

/* Bytes of packed rows damaged in a file without our checksum: HDF5's own says which column. */
static void a_damaged_chunk_is_told_with_its_column(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result;
    hsize_t size, first = 0;
    haddr_t at;
    unsigned mask;
    size_t file_size;
    hid_t file = open_copy(), dataset = H5Dopen2(file, "vectors/walk", H5P_DEFAULT);
    assert_true(H5Dget_chunk_info_by_coord(dataset, &first, &mask, &at, &size) >= 0 && size > 100);
    H5Dclose(dataset);
    H5Fclose(file);
    unsigned char *bytes = sample_read("copy.h5", &file_size);
    bytes[at + size / 2] ^= 16;
    sample_write("copy.h5", bytes, file_size);
    SAMPLE_OK(cor_result_open("copy.h5", &result, &error));
    assert_int_equal(cor_result_verify(result, &error), COR_STATUS_INPUT);
    assert_non_null(strstr(error.cause, "cannot read /vectors/walk from row 0 on: "));
    /* From 1.14 on HDF5 tells that a filter failed, and not which. */
    bool is_told = strstr(error.cause, "Fletcher32") || strstr(error.cause, "filter returned failure");
    cor_result_close(result);
    free(bytes);
    assert_true(is_told);
}

/* The header of a file is part of its fingerprint, but not what it was run with. */
static void the_fingerprint_covers_the_header_but_not_provenance(void **state) {
    (void)state;
    const char *const journals[] = {"journal"};
    uint64_t hash[5];
    for (int i = 0; i < 5; i++) {
        struct cor_error error = COR_NO_ERROR;
        struct cor_result *result;
        struct cor_result_header header = sample_header();
        header.provenance = i == 1 ? "{\"jobs\": 7}" : header.provenance;
        header.experiment = i == 2 ? "{}" : header.experiment;
        header.seed += i == 3;
        header.catalog_size[COR_CATALOG_AGENT_TYPE] -= i == 4;
        SAMPLE_OK(cor_result_merge(journals, 1, &header, "head.h5", 1, &error));
        SAMPLE_OK(cor_result_open("head.h5", &result, &error));
        SAMPLE_OK(cor_result_hash(result, &hash[i], &error));
        cor_result_close(result);
    }
    assert_true(hash[0] == hash[1]);
    assert_true(hash[0] != hash[2] && hash[0] != hash[3] && hash[0] != hash[4] && hash[2] != hash[3]);
}

/* HDF5's own filter does the same, see test_merge.c; here for any number of items, and back. */
static void bytes_are_shuffled_by_their_place_in_an_item(void **state) {
    static const size_t counts[] = {0, 1, 2, 15, 16, 17, 31, 32, 100, 1031};
    static unsigned char items[8 * 1031], shuffled[sizeof items], back[sizeof items];
    (void)state;
    for (size_t i = 0; i < sizeof items; i++)
        items[i] = (unsigned char)(i * 167 + i / 256 * 31);
    for (size_t size = 2; size <= 8; size *= 2)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const size_t count = counts[c];
            record__shuffle(items, count, size, shuffled);
            for (size_t i = 0; i < count; i++)
                for (size_t byte = 0; byte < size; byte++)
                    assert_int_equal(shuffled[byte * count + i], items[i * size + byte]);
            record__unshuffle(shuffled, count, size, back);
            assert_memory_equal(back, items, count * size);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_shuffled_by_their_place_in_an_item),
        cmocka_unit_test(truncated_files_are_refused_unless_the_whole_checksum_is_cut),
        cmocka_unit_test(any_flipped_bit_is_refused),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(newer_minor_versions_are_read_and_major_ones_refused),
        cmocka_unit_test(a_missing_part_is_named),
        cmocka_unit_test(columns_of_another_type_or_length_are_refused),
        cmocka_unit_test(absurd_sizes_are_not_believed),
        cmocka_unit_test(data_that_lies_outside_the_file_is_refused),
        cmocka_unit_test(a_changed_value_is_found_by_its_fingerprint),
        cmocka_unit_test(a_damaged_chunk_is_told_with_its_column),
        cmocka_unit_test(the_fingerprint_covers_the_header_but_not_provenance),
    };
    return cmocka_run_group_tests_name("result", tests, setup, sample_leave);
}
