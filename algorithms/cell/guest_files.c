/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/digest.h>
#include <corridor/guest_files.h>
#include <corridor/needs.h>

#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* ---- the files that a guest is made of */

static enum cor_status add_file(struct cor_guest_files *files, const char *path, struct cor_error *error) {
    struct stat about;
    struct cor_error ignored = COR_NO_ERROR;
    char digest[COR_DIGEST_TEXT];
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) ||
        cor_file_digest(path, digest, &ignored) != COR_OK)
        return COR_OK; /* whoever starts the guest says what is wrong */
    COR_TRY(COR_RESERVE(&files->items, &files->capacity, files->count + 1, error));
    struct cor_guest_file *file = &files->items[files->count];
    memcpy(file->digest, digest, sizeof digest);
    COR_TRY(cor_made(file->path = cor_strdup(path), error));
    files->count++;
    files->digest = cor_join_take(files->digest ? files->digest : cor_strdup(""), "", cor_strdup(digest));
    return cor_made(files->digest, error);
}

enum cor_status cor_guest_files(struct cor_guest_files *files, const char *guest, bool is_module,
                                struct cor_error *error) {
    *files = (struct cor_guest_files){.guest = guest};
    if (is_module)
        return add_file(files, guest, error);
    char *command = cor_strdup(guest), *rest = command;
    enum cor_status status = cor_made(command, error);
    for (char *word; status == COR_OK && (word = strtok_r(rest, " \t", &rest)) != NULL;)
        status = add_file(files, word, error);
    free(command);
    /* A word alone is a program of PATH. */
    char name[256], path[4096];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(guest, " \t"), guest);
    if (status == COR_OK && files->count == 0 && cor_find_on_path(name, path, sizeof path))
        status = add_file(files, path, error);
    return status;
}

void cor_guest_files_fini(struct cor_guest_files *files) {
    for (size_t i = 0; i < files->count; i++)
        free(files->items[i].path);
    COR_FREE(files->items, files->digest);
    *files = (struct cor_guest_files){0};
}

static bool has(const struct cor_guest_files *files, const char *path) {
    size_t i = 0;
    while (i < files->count && strcmp(files->items[i].path, path) != 0)
        i++;
    return i < files->count;
}

void cor_guest_files_put(struct cor_json_writer *writer, const char *word,
                         const struct cor_guest_files *(*of)(const void *guests, size_t guest),
                         const void *guests, size_t count) {
    for (size_t g = 0; g < count; g++)
        for (size_t i = 0; i < of(guests, g)->count; i++) {
            const struct cor_guest_file *file = &of(guests, g)->items[i];
            size_t before = 0;
            while (before < g && !has(of(guests, before), file->path))
                before++;
            if (before < g)
                continue;
            cor_json_open_object(writer, NULL);
            cor_json_put_string(writer, word, of(guests, g)->guest);
            cor_json_put_string(writer, "file", file->path);
            cor_json_put_string(writer, "sha256", file->digest);
            cor_json_close(writer);
        }
}
