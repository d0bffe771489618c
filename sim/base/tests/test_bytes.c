/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The writer and the reader of bytes, each against bytes that were written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/bytes.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* 0x1234 in two bytes, 7 in one, -2 in four, 2^63 + 1 in eight, -1.5, "ab", "", three bytes. */
static const unsigned char by_hand[] = {0x34, 0x12, 7,    0xfe, 0xff, 0xff, 0xff, 1, 0, 0,
                                        0,    0,    0,    0,    0x80, 0,    0,    0, 0, 0,
                                        0,    0xf8, 0xbf, 'a',  'b',  0,    0,    9, 8, 7};

static void put_all(struct cor_bytes *bytes) {
    cor_bytes_put_number(bytes, 0x1234, 2);
    cor_bytes_put_number(bytes, 0xabcd07, 1);
    cor_bytes_put_number(bytes, (uint64_t)-2, 4);
    cor_bytes_put_number(bytes, ((uint64_t)1 << 63) + 1, 8);
    cor_bytes_put_real(bytes, -1.5);
    cor_bytes_put_text(bytes, "ab");
    cor_bytes_put_text(bytes, NULL);
    cor_bytes_put(bytes, (const unsigned char[]){9, 8, 7}, 3);
}

static void the_writer_gives_the_bytes_written_by_hand(void **unused) {
    (void)unused;
    struct cor_bytes bytes = {0};
    put_all(&bytes);
    assert_int_equal(bytes.status, COR_OK);
    assert_int_equal(bytes.size, sizeof by_hand);
    assert_memory_equal(bytes.bytes, by_hand, sizeof by_hand);
    assert_int_equal(bytes.bytes[bytes.size], 0);
    cor_bytes_clear(&bytes);
    cor_bytes_put(&bytes, "x", 1);
    assert_string_equal(cor_bytes_text(&bytes), "x");
    cor_bytes_fini(&bytes);
    cor_bytes_fini(&bytes);
    assert_string_equal(cor_bytes_text(&bytes), "");
}

static void memory_that_is_given_is_never_left(void **unused) {
    (void)unused;
    for (size_t capacity = 0; capacity <= sizeof by_hand; capacity++) {
        unsigned char memory[sizeof by_hand + 1];
        memset(memory, 0xaa, sizeof memory);
        struct cor_bytes bytes = cor_bytes_into(memory, capacity);
        put_all(&bytes);
        assert_int_equal(bytes.size, sizeof by_hand);
        assert_int_equal(bytes.status, capacity < sizeof by_hand ? COR_STATUS_MEMORY : COR_OK);
        for (size_t i = 0; i < capacity; i++)
            assert_true(memory[i] == by_hand[i] || memory[i] == 0xaa);
        for (size_t i = capacity; i < sizeof memory; i++)
            assert_int_equal(memory[i], 0xaa);
        cor_bytes_fini(&bytes);
    }
}

static void the_reader_reads_the_bytes_written_by_hand(void **unused) {
    (void)unused;
    struct cor_bytes_reader reader = cor_bytes_reader(by_hand, sizeof by_hand);
    assert_int_equal(cor_bytes_take_number(&reader, 2), 0x1234);
    assert_int_equal(cor_bytes_take_number(&reader, 1), 7);
    assert_int_equal((int32_t)(uint32_t)cor_bytes_take_number(&reader, 4), -2);
    assert_true(cor_bytes_take_number(&reader, 8) == ((uint64_t)1 << 63) + 1);
    assert_float_equal(cor_bytes_take_real(&reader), -1.5, 0);
    assert_string_equal(cor_bytes_take_text(&reader), "ab");
    assert_string_equal(cor_bytes_take_text(&reader), "");
    assert_ptr_equal(cor_bytes_take(&reader, 3), by_hand + sizeof by_hand - 3);
    assert_non_null(cor_bytes_take(&reader, 0));
    assert_false(reader.failed);
    assert_null(cor_bytes_take(&reader, 1));
    assert_true(reader.failed);
}

/* However the bytes are cut, and whatever is asked for: nothing beyond them, which a sanitizer would see, and
 * nothing after the first failure. */
static void nothing_brings_the_reader_beyond_the_end(void **unused) {
    (void)unused;
    for (size_t size = 0; size < sizeof by_hand; size++) {
        unsigned char *cut = malloc(size > 0 ? size : 1);
        assert_non_null(cut);
        memcpy(cut, by_hand, size);
        struct cor_bytes_reader reader = cor_bytes_reader(size > 0 ? cut : NULL, size);
        (void)cor_bytes_take_number(&reader, 7);
        (void)cor_bytes_take_number(&reader, 8);
        (void)cor_bytes_take_real(&reader);
        (void)cor_bytes_take_text(&reader);
        (void)cor_bytes_take_text(&reader);
        assert_null(cor_bytes_take(&reader, 3));
        assert_true(reader.failed && reader.at <= size);
        assert_null(cor_bytes_take(&reader, 0));
        assert_null(cor_bytes_take_text(&reader));
        assert_int_equal(cor_bytes_take_number(&reader, 1), 0);
        reader = cor_bytes_reader(cut, size);
        assert_null(cor_bytes_take(&reader, SIZE_MAX));
        free(cut);
    }
}

static void things_fill_whole_units(void **unused) {
    (void)unused;
    static const unsigned char expected[12] = {1, 0, 0, 0, 'a', 'b', 'c', 'd', 'e', 0, 0, 0};
    struct cor_bytes bytes = {.unit = 4};
    cor_bytes_put_number(&bytes, 1, 1);
    cor_bytes_put_text(&bytes, "abcde");
    cor_bytes_put(&bytes, NULL, 0);
    assert_int_equal(bytes.size, sizeof expected);
    assert_memory_equal(bytes.bytes, expected, sizeof expected);
    struct cor_bytes_reader reader = cor_bytes_reader(bytes.bytes, bytes.size);
    reader.unit = 4;
    assert_int_equal(cor_bytes_take_number(&reader, 1), 1);
    assert_string_equal(cor_bytes_take_text(&reader), "abcde");
    assert_int_equal(reader.at, sizeof expected);
    reader = cor_bytes_reader(bytes.bytes, 7); /* half a unit is none */
    reader.unit = 4;
    assert_non_null(cor_bytes_take(&reader, 4));
    assert_null(cor_bytes_take(&reader, 3));
    cor_bytes_fini(&bytes);
}

static void text_grows_as_printf_would_print_it(void **unused) {
    (void)unused;
    struct cor_bytes bytes = {0};
    struct cor_error error = COR_NO_ERROR;
    char *text = cor_bytes_text_take(&bytes, &error);
    assert_string_equal(text, "");
    free(text);
    for (int i = 0; i < 1000; i++)
        cor_bytes_print(&bytes, "%s%d", i > 0 ? "," : "", i);
    text = cor_bytes_text_take(&bytes, &error);
    assert_int_equal(strlen(text), 10 + 90 * 2 + 900 * 3 + 999);
    assert_memory_equal(text, "0,1,2,3,4,5,6,7,8,9,10,11", 25);
    assert_null(bytes.bytes);
    free(text);
}

/* A pipe that holds a page, and who reads from it 1,000 bytes at a time; all of them come in their order. */
static void all_bytes_are_written_by_and_by(void **state) {
    enum { SIZE = 300000 };
    (void)state;
    unsigned char *bytes = malloc(SIZE), got[1000];
    int ends[2], how;
    assert_non_null(bytes);
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 251);
    assert_int_equal(pipe(ends), 0);
    const pid_t reader = fork();
    if (reader == 0) {
        size_t at = 0;
        close(ends[1]);
        for (ssize_t part; (part = read(ends[0], got, sizeof got)) > 0; at += (size_t)part)
            if (at + (size_t)part > SIZE || memcmp(got, bytes + at, (size_t)part) != 0)
                _exit(1);
        _exit(at == SIZE ? 0 : 2);
    }
    close(ends[0]);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    assert_true(cor_write_all(ends[1], bytes, SIZE, 600));
    close(ends[1]);
    assert_int_equal(waitpid(reader, &how, 0), reader);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    free(bytes);
}

static void why_bytes_are_not_written_is_told(void **state) {
    static const unsigned char bytes[1 << 18];
    (void)state;
    const int full = open("/dev/full", O_WRONLY);
    int ends[2];
    assert_false(cor_write_all(full, bytes, 1, 600));
    assert_int_equal(errno, ENOSPC);
    close(full);
    assert_false(cor_write_all(full, bytes, 1, 0));
    assert_int_equal(errno, EBADF);
    assert_true(cor_write_all(full, bytes, 0, 0));
    assert_int_equal(pipe(ends), 0); /* that nobody reads from */
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    assert_false(cor_write_all(ends[1], bytes, sizeof bytes, 0.01));
    assert_int_equal(errno, EAGAIN);
    assert_false(cor_write_all(ends[1], bytes, 1, 0));
    assert_int_equal(errno, EAGAIN);
    close(ends[0]);
    close(ends[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_writer_gives_the_bytes_written_by_hand),
        cmocka_unit_test(memory_that_is_given_is_never_left),
        cmocka_unit_test(the_reader_reads_the_bytes_written_by_hand),
        cmocka_unit_test(nothing_brings_the_reader_beyond_the_end),
        cmocka_unit_test(things_fill_whole_units),
        cmocka_unit_test(text_grows_as_printf_would_print_it),
        cmocka_unit_test(all_bytes_are_written_by_and_by),
        cmocka_unit_test(why_bytes_are_not_written_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
