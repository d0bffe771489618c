/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * reseal RESULT.h5...: puts fingerprint and seal of result files that another program has written right, as
 * a forger would: for tests of what such a file still cannot hide. */
#include "frame.h"
#include "hdf5_file.h"

#include <corridor/result.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)           \
    do {                      \
        if ((call) != COR_OK) \
            die();            \
    } while (0)

static struct cor_error error;

static _Noreturn void die(void) {
    char text[2048];
    cor_error_text(&error, text, sizeof text);
    fprintf(stderr, "reseal: %s\n", text);
    exit(1);
}

static void put_hash(const char *path, uint64_t hash) {
    char digits[32];
    const char *text = digits;
    snprintf(digits, sizeof digits, "0x%016" PRIx64, hash);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), type = record__h5_text_type();
    hid_t attribute = H5Aopen(file, RECORD__CONTENT_HASH, H5P_DEFAULT);
    if (H5Awrite(attribute, type, &text) < 0) {
        fprintf(stderr, "reseal: %s: no " RECORD__CONTENT_HASH "\n", path);
        exit(1);
    }
    H5Aclose(attribute);
    H5Tclose(type);
    H5Fclose(file);
}

int main(int count, char **paths) {
    for (int i = 1; i < count; i++) {
        struct cor_result *result;
        uint64_t hash;
        CHECK(cor_result_open_as(cor_layer_schemas(), paths[i], &result, &error));
        CHECK(record__content_hash(result, &hash, &error));
        cor_result_close(result);
        put_hash(paths[i], hash);
        CHECK(record__checksum_append(paths[i], paths[i], &error));
    }
    return 0;
}
