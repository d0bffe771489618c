/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program's fingerprint beside the linker's digest as it stands in the file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "internal.h"

#include <corridor/hash.h>

#include <stdio.h>
#include <string.h>

/* Of 20 bytes, type 3, by GNU. */
static const unsigned char beginning[] = {4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0};

/* Looks for the note byte by byte. */
static bool read_digest(unsigned char digest[20]) {
    unsigned char last[sizeof beginning] = {0}; /* bytes read */
    FILE *file = fopen("/proc/self/exe", "rb");
    assert_non_null(file);
    bool found = false;
    for (int byte; !found && (byte = fgetc(file)) != EOF;) {
        memmove(last, last + 1, sizeof last - 1);
        last[sizeof last - 1] = (unsigned char)byte;
        found = memcmp(last, beginning, sizeof last) == 0 && fread(digest, 1, 20, file) == 20;
    }
    fclose(file);
    return found;
}

static void the_fingerprint_is_of_the_digest_in_the_file(void **state) {
    (void)state;
    unsigned char digest[20];
    uint64_t fingerprint, again;
    struct cor_error error = COR_NO_ERROR;
    if (!read_digest(digest))
        skip(); /* a linker that leaves none: the bytes of the file stand for it */
    assert_int_equal(campaign__program_fingerprint(&fingerprint, &error), COR_OK);
    assert_int_equal(campaign__program_fingerprint(&again, &error), COR_OK);
    assert_true(fingerprint == again);
    assert_true(fingerprint == cor_hash_bytes(COR_HASH_SEED, digest, sizeof digest));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_fingerprint_is_of_the_digest_in_the_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
