/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which program runs: by the name that the linker gave it, a digest of all that it put into the file, and
 * where there is none by its bytes. They are ten million, and every start of a campaign would wait for them.
 */
#include "internal.h"

#include <corridor/hash.h>
#include <corridor/own_file.h>

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ROUNDED(size) (((size_t)(size) + 3) / 4 * 4) /* names and descriptions of notes fill whole words */

/* The digest among the notes; false if it is not there. */
static bool find_digest(const unsigned char *notes, size_t size, uint64_t *fingerprint) {
    Elf64_Nhdr note;
    while (size >= sizeof note) {
        memcpy(&note, notes, sizeof note);
        const size_t name = ROUNDED(note.n_namesz), digest = ROUNDED(note.n_descsz);
        notes += sizeof note;
        size -= sizeof note;
        if (name > size || digest > size - name)
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes, "GNU", 4) == 0 &&
            note.n_descsz >= 8) {
            *fingerprint = cor_hash_bytes(COR_HASH_SEED, notes + name, note.n_descsz);
            return true;
        }
        notes += name + digest;
        size -= name + digest;
    }
    return false;
}

enum cor_status campaign__program_fingerprint(uint64_t *fingerprint, struct cor_error *error) {
    size_t displacement;
    const Elf64_Ehdr *file_header = cor_own_headers(&displacement);
    const Elf64_Phdr *headers = (const void *)((const unsigned char *)file_header + file_header->e_phoff);
    for (size_t i = 0; i < file_header->e_phnum; i++) {
        const uintptr_t at = displacement + (uintptr_t)headers[i].p_vaddr;
        if (headers[i].p_type == PT_NOTE &&
            find_digest((const unsigned char *)at, headers[i].p_memsz, fingerprint))
            return COR_OK;
    }
    const char *const path = cor_own_file();
    unsigned char block[1 << 16];
    size_t got;
    FILE *file = fopen(path, "rb");
    if (!file)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot read the program");
    *fingerprint = COR_HASH_SEED;
    while ((got = fread(block, 1, sizeof block, file)) > 0)
        *fingerprint = cor_hash_bytes(*fingerprint, block, got);
    bool failed = ferror(file) != 0;
    fclose(file);
    return failed ? cor_fail(error, COR_STATUS_FILE, path, NULL, "cannot read the program") : COR_OK;
}
