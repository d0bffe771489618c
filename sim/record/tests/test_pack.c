/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hdf5_file.h"
#include "pack.h"

#include <libdeflate.h>
#include <string.h>
#include <sys/mman.h>

enum { BYTES = 1024, LARGE = 65536 * 8, PLACE = 1 << 16, PLACES = 256, CHUNKS = 64 };

static const enum cor_type types[] = {COR_TYPE_U8, COR_TYPE_U16, COR_TYPE_U32, COR_TYPE_U64};
static unsigned char items[LARGE], unpacked[LARGE], again[LARGE];

/* Bytes below `kinds`, always the same ones for a number. */
static void fill(size_t size, uint32_t kinds, uint32_t number) {
    uint32_t word = number;
    for (size_t i = 0; i < size; i++) {
        word = word * 1664525U + 1013904223U;
        items[i] = (unsigned char)((word >> 24) % kinds);
    }
}

static void assert_packs(struct record__packer *packer, enum cor_type type, size_t size) {
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    size_t item_size = cor_type_size(type), packed;
    const unsigned char *chunk = record__pack(packer, type, items, size / item_size, &packed);
    assert_true(packed <= packer->packed_size);
    uint32_t checksum;
    packed -= sizeof checksum;
    memcpy(&checksum, chunk + packed, sizeof checksum);
    assert_int_equal(checksum, record__fletcher32(chunk, packed));
    assert_int_equal(libdeflate_zlib_decompress(decompressor, chunk, packed, unpacked, size, NULL),
                     LIBDEFLATE_SUCCESS);
    if (item_size > 1)
        record__unshuffle(unpacked, size / item_size, item_size, again);
    assert_memory_equal(item_size > 1 ? again : unpacked, items, size);
    libdeflate_free_decompressor(decompressor);
}

static void what_is_packed_comes_back_whatever_it_is(void **state) {
    (void)state;
    static const uint32_t kinds[] = {1, 2, 5, 64, 256};
    static const size_t sizes[] = {16, 1024, 1032, 4096, 65536, 65544, LARGE - 8, LARGE};
    struct cor_error error = COR_NO_ERROR;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
                static struct record__packer packer;
                const size_t least = sizes[s] > BYTES ? sizes[s] : BYTES; /* no room to spare */
                assert_int_equal(record__packer_init(&packer, least, &error), COR_OK);
                fill(sizes[s], kinds[k], 1);
                assert_packs(&packer, types[t], sizes[s]);
                assert_packs(&packer, types[t], sizes[s]); /* with what the first left */
                record__packer_fini(&packer);
            }
}

/* A chunk whose beginning comes again later: if that is forgotten, it takes more bytes. */
static void fill_with_repetition(uint32_t number) {
    fill(BYTES, 64, number); /* not so many kinds that all is stored as it is */
    memcpy(items + BYTES / 2, items, 16);
}

static void where_a_packer_stands_has_no_say(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    static unsigned char expected[CHUNKS][2 * BYTES];
    static size_t expected_size[CHUNKS];
    size_t region_size = (size_t)PLACES * PLACE + sizeof(struct record__packer);
    unsigned char *region =
        mmap(NULL, region_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(region, MAP_FAILED);
    for (size_t p = 0; p < PLACES; p++) {
        struct record__packer *packer = (struct record__packer *)(void *)(region + p * PLACE);
        assert_int_equal(record__packer_init(packer, BYTES, &error), COR_OK);
        for (uint32_t c = 0; c < CHUNKS; c++) {
            size_t size;
            fill_with_repetition(c);
            const unsigned char *chunk = record__pack(packer, COR_TYPE_U8, items, BYTES, &size);
            if (p == 0)
                memcpy(expected[c], chunk, expected_size[c] = size);
            assert_int_equal(size, expected_size[c]);
            assert_memory_equal(chunk, expected[c], size);
        }
        record__packer_fini(packer);
        assert_int_equal(madvise(packer, sizeof *packer, MADV_DONTNEED), 0);
    }
    munmap(region, region_size);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_packed_comes_back_whatever_it_is),
        cmocka_unit_test(where_a_packer_stands_has_no_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
