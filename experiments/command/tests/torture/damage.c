/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * damage each RESULT SCRATCH [STEP]: every byte, or every STEP-th, of a result file is flipped in turn, and
 * the file cut at every length: it is refused, or nothing is lost. Prints how many there were, were refused,
 * and were read as before. damage mutate RESULT SEED OUTPUT: writes a mutation of it, drawn from the seed;
 * every other one knows where HDF5 keeps sizes and addresses, and puts the seal right. */
#include "frame.h"

#include <corridor/result.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned char *bytes;
static size_t size;

static void check(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "damage: %s\n", what);
        exit(1);
    }
}

static uint64_t hash_of(const char *path, bool *read) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result = NULL;
    uint64_t hash = 0;
    *read = cor_result_open(path, &result, &error) == COR_OK &&
            cor_result_check_seal(result, &error) == COR_OK &&
            cor_result_hash(result, &hash, &error) == COR_OK;
    cor_result_close(result);
    return hash;
}

static int damage_each(const char *path, size_t step) {
    uint64_t refused = 0, same = 0;
    COR_ASSERT(step > 0);
    bool read;
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    check(file >= 0 && pwrite(file, bytes, size, 0) == (ssize_t)size, "cannot write");
    uint64_t whole = hash_of(path, &read);
    check(read, "the file is damaged before");
    for (size_t i = 0; i < size; i = i + step < size || i + 1 == size ? i + step : size - 1) {
        unsigned char flipped = bytes[i] ^ (unsigned char)(1u << (i % 8));
        check(pwrite(file, &flipped, 1, (off_t)i) == 1, "cannot write");
        uint64_t hash = hash_of(path, &read);
        check(!read || hash == whole, "a flipped byte changes what is read");
        refused += !read;
        same += read;
        check(pwrite(file, &bytes[i], 1, (off_t)i) == 1, "cannot write");
    }
    for (size_t cut = size - 1; cut < size; cut -= step) { /* until it wraps */
        check(ftruncate(file, (off_t)cut) == 0, "cannot cut");
        uint64_t hash = hash_of(path, &read);
        check(!read || hash == whole, "a file that was cut is read otherwise");
        refused += !read;
        same += read;
    }
    printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", refused + same, refused, same);
    close(file);
    return 0;
}

static uint64_t dice;

static uint64_t draw(uint64_t below) {
    uint64_t z = dice += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (z ^ (z >> 31)) % below;
}

/* A place where HDF5 describes what it keeps: behind one of its signatures, or in the superblock. */
static size_t structure(size_t end) {
    static const char *const signatures[] = {"TREE", "HEAP", "SNOD", "GCOL", "OHDR", "FRHP", "BTHD", "FSHD"};
    size_t starts[4096], count = 0;
    for (size_t i = 0; i + 4 < end && count < 4096; i++)
        for (size_t s = 0; s < sizeof signatures / sizeof *signatures; s++)
            if (memcmp(bytes + i, signatures[s], 4) == 0 && count < 4096)
                starts[count++] = i;
    size_t at = count > 0 && draw(8) > 0 ? starts[draw(count)] : 0;
    at += draw(draw(2) ? 40 : 600);
    return at < end - 8 ? at : end - 8;
}

static void mutate_structure(size_t end) {
    static const uint64_t edges[] = {
        0, 1, 2, 255, 65535, 0x7FFFFFFF, 0xFFFFFFFF, UINT64_MAX, UINT64_MAX - 1, 1 << 30};
    size_t at = structure(end);
    uint64_t value;
    memcpy(&value, bytes + at, 8);
    switch (draw(4)) {
    case 0:
        value = edges[draw(sizeof edges / sizeof *edges)];
        break;
    case 1:
        value += draw(17) - 8;
        break;
    case 2:
        value = draw(end);
        break;
    default:
        value ^= UINT64_C(1) << draw(64);
    }
    memcpy(bytes + at, &value, (size_t)1 << draw(4));
}

static void mutate_anything(void) {
    size_t at = draw(size), length = draw(4096) + 1;
    length = length < size - at ? length : size - at;
    switch (draw(5)) {
    case 0:
        bytes[at] ^= (unsigned char)(1u << draw(8));
        break;
    case 1:
        memset(bytes + at, (int)draw(2) * 255, length);
        break;
    case 2:
        size = at + 1;
        break;
    case 3:
        memmove(bytes + at, bytes + draw(size - length + 1), length);
        break;
    default:
        bytes[at] = (unsigned char)draw(256);
    }
}

static void seal(size_t end) {
    uint32_t sum = record__crc32c(0, bytes, end);
    memcpy(bytes + end + 8, &sum, 4);
    sum = record__crc32c(0, bytes + end, 12);
    memcpy(bytes + end + 12, &sum, 4);
}

static int mutate(uint64_t seed, const char *output) {
    size_t end = size - 16;
    dice = seed * 1000003;
    for (uint64_t m = draw(3) + 1; m > 0; m--)
        if (seed % 2 == 0)
            mutate_structure(end);
        else
            mutate_anything();
    if (seed % 2 == 0)
        seal(end);
    FILE *file = fopen(output, "wb");
    check(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0, "cannot write");
    return 0;
}

int main(int count, char **words) {
    check(count > 3, "damage each RESULT SCRATCH [STEP] | damage mutate RESULT SEED OUTPUT");
    FILE *file = fopen(words[2], "rb");
    bytes = malloc((size_t)1 << 26);
    check(file && bytes, "cannot open");
    size = fread(bytes, 1, (size_t)1 << 26, file);
    fclose(file);
    check(size > 1000, "no result file");
    int code =
        strcmp(words[1], "mutate") == 0 && count > 4
            ? mutate(strtoull(words[3], NULL, 10), words[4])
            : damage_each(words[3],
                          strcmp(words[1], "each") == 0 && count > 4 ? strtoull(words[4], NULL, 10) : 1);
    free(bytes);
    return code;
}
