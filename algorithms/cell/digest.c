/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/digest.h>

#include <nettle/sha2.h>

#include <stdio.h>
#include <string.h>

enum cor_status cor_file_digest(const char *path, char text[COR_DIGEST_TEXT], struct cor_error *error) {
    struct sha256_ctx context;
    uint8_t block[16384];
    FILE *file = fopen(path, "rb");
    if (!file)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot open");
    sha256_init(&context);
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
        sha256_update(&context, got, block);
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot read");
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(&context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return COR_OK;
}

bool cor_is_digest(const char *text) {
    return strlen(text) == COR_DIGEST_TEXT - 1 && strspn(text, "0123456789abcdef") == COR_DIGEST_TEXT - 1;
}
