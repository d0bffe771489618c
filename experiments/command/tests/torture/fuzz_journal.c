/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The journal reader is given whatever bytes: it reads them or says why not. Built with -DFUZZER it is a
 * target of libFuzzer, whose first byte says whether the checksums are put right before; else a program,
 * fuzz_journal EXECUTIONS SEED JOURNAL..., which mutates these journals, and looks whether each suite that is
 * found is one of theirs unless checksums were put right. */
#define _GNU_SOURCE /* memfd_create */
#include "frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE_MAX_BYTES = 1 << 20 };

static int scratch = -1;
static char scratch_path[64];

static void check(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "fuzz_journal: %s\n", what);
        abort();
    }
}

static void begin(void) {
    if (scratch >= 0)
        return;
    scratch = memfd_create("journal", 0);
    check(scratch >= 0, "no file in memory");
    snprintf(scratch_path, sizeof scratch_path, "/proc/self/fd/%d", scratch);
}

/* Puts the checksums of everything right that looks like a frame. */
static void put_right(unsigned char *bytes, size_t size) {
    for (size_t at = 0; at + RECORD__FRAME_HEADER_SIZE <= size; at++) {
        if (memcmp(bytes + at, RECORD__FRAME_MAGIC, RECORD__FRAME_MAGIC_SIZE) != 0)
            continue;
        uint64_t payload;
        memcpy(&payload, bytes + at + 16, 8);
        if (payload <= size - at - RECORD__FRAME_HEADER_SIZE) {
            uint32_t sum = record__crc32c(0, bytes + at + RECORD__FRAME_HEADER_SIZE, (size_t)payload);
            memcpy(bytes + at + RECORD__FRAME_HEADER_SIZE - 8, &sum, 4);
        }
        uint32_t sum = record__crc32c(0, bytes + at, RECORD__FRAME_HEADER_SIZE - 4);
        memcpy(bytes + at + RECORD__FRAME_HEADER_SIZE - 4, &sum, 4);
    }
}

/* What is done with each suite that is found. */
typedef void each_entry(const unsigned char *bytes, const struct cor_journal_entry *entry);

static size_t read_all(const unsigned char *bytes, size_t size, each_entry *each) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal_entry *entries;
    struct cor_record *record;
    size_t count, end = 0;
    uint64_t torn;
    check(ftruncate(scratch, 0) == 0 && pwrite(scratch, bytes, size, 0) == (ssize_t)size, "cannot write");
    enum cor_status status =
        cor_journal_scan(&cor_interaction_schema, scratch_path, &entries, &count, &torn, &error);
    check(status == COR_OK || (count == 0 && error.cause[0] != '\0'), "a failure without a word");
    check(cor_record_create(&cor_interaction_schema, &record, &error) == COR_OK || status != COR_OK,
          "no record");
    for (size_t i = 0; i < count; i++) {
        bool same = false;
        struct cor_error trouble = COR_NO_ERROR;
        check(entries[i].offset >= end && entries[i].size <= size &&
                  entries[i].offset + entries[i].size <= size,
              "a suite outside of the file");
        end = (size_t)(entries[i].offset + entries[i].size);
        if (cor_journal_read(scratch_path, &entries[i], record, &trouble) == COR_OK && each)
            each(bytes, &entries[i]);
        trouble = COR_NO_ERROR;
        if (cor_journal_compare(&cor_interaction_schema, scratch_path, &entries[i], scratch_path, &entries[i],
                                &same, &trouble) == COR_OK)
            check(same, "a suite differs from itself");
    }
    check(status != COR_OK || torn == size - end, "the torn tail is not what lies behind the last suite");
    cor_record_destroy(record);
    free(entries);
    return count;
}

#ifdef FUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    begin();
    if (size < 1)
        return 0;
    unsigned char *bytes = malloc(size);
    memcpy(bytes, data + 1, size - 1);
    if (data[0] & 1)
        put_right(bytes, size - 1);
    read_all(bytes, size - 1, NULL);
    free(bytes);
    return 0;
}
#else
struct journal {
    unsigned char *bytes;
    size_t size;
};

static struct journal journals[64];
static int journal_count;
static uint64_t dice;

static uint64_t draw(uint64_t below) {
    uint64_t z = dice += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (z ^ (z >> 31)) % below;
}

/* The suite is one that was written. */
static void is_known(const unsigned char *bytes, const struct cor_journal_entry *entry) {
    for (int j = 0; j < journal_count; j++) {
        const unsigned char *at = journals[j].bytes, *end = at + journals[j].size;
        while ((at = memmem(at, (size_t)(end - at), RECORD__FRAME_MAGIC, RECORD__FRAME_MAGIC_SIZE))) {
            if (entry->size <= (size_t)(end - at) && memcmp(at, bytes + entry->offset, entry->size) == 0)
                return;
            at++;
        }
    }
    check(false, "a suite was found that nobody wrote");
}

static void move_tail(struct journal *journal, size_t at, size_t to) {
    size_t tail = journal->size - at;
    if (to + tail > SIZE_MAX_BYTES)
        tail = SIZE_MAX_BYTES - to;
    memmove(journal->bytes + to, journal->bytes + at, tail);
    journal->size = to + tail;
}

static void mutate(struct journal *journal) {
    static const uint64_t edges[] = {0,          1,          7,          72,        0x7FFFFFFF,
                                     0x80000000, 0xFFFFFFFF, UINT64_MAX, INT64_MAX, 1 << 20};
    const struct journal *other = &journals[draw((uint64_t)journal_count)];
    if (journal->size < 16)
        return;
    size_t at = draw(journal->size), length = draw(200), from = draw(other->size);
    length = length < journal->size - at ? length : journal->size - at;
    switch (draw(8)) {
    case 0:
        journal->bytes[at] ^= (unsigned char)(1u << draw(8));
        break;
    case 1:
        journal->bytes[at] = (unsigned char)draw(256);
        break;
    case 2: /* in a head or in the counts behind it, where sizes are */
        at = at - at % 8 < journal->size - 8 ? at - at % 8 : 0;
        memcpy(journal->bytes + at, &edges[draw(sizeof edges / sizeof *edges)], 1 + draw(8));
        break;
    case 3:
        move_tail(journal, at + length, at);
        break;
    case 4:
        move_tail(journal, at, at + length);
        break;
    case 5:
        journal->size = at;
        break;
    case 6:
        length = length < other->size - from ? length : other->size - from;
        memcpy(journal->bytes + at, other->bytes + from, length);
        break;
    default: { /* in the first head, or in the counts */
        size_t near = draw(RECORD__FRAME_HEADER_SIZE + 8 * 40);
        if (near < journal->size)
            journal->bytes[near] = (unsigned char)draw(256);
    }
    }
}

static struct journal read_file(const char *path) {
    struct journal journal = {.bytes = malloc(SIZE_MAX_BYTES)};
    FILE *file = fopen(path, "rb");
    check(file && journal.bytes, "cannot open a journal");
    journal.size = fread(journal.bytes, 1, SIZE_MAX_BYTES, file);
    fclose(file);
    return journal;
}

int main(int count, char **words) {
    uint64_t found = 0, executions = count > 3 ? strtoull(words[1], NULL, 10) : 0;
    begin();
    for (int i = 3; i < count && journal_count < 64; i++)
        journals[journal_count++] = read_file(words[i]);
    check(journal_count > 0, "fuzz_journal EXECUTIONS SEED JOURNAL...");
    for (int j = 0; j < journal_count; j++)
        check(read_all(journals[j].bytes, journals[j].size, is_known) > 0,
              "a journal that is whole has no suite");
    struct journal now = {.bytes = malloc(SIZE_MAX_BYTES)};
    check(now.bytes != NULL, "no memory");
    for (uint64_t i = 0; i < executions; i++) {
        dice = strtoull(words[2], NULL, 10) * 1000003 + i;
        const struct journal *base = &journals[draw((uint64_t)journal_count)];
        memcpy(now.bytes, base->bytes, base->size);
        now.size = base->size;
        for (uint64_t m = draw(6) + 1; m > 0; m--)
            mutate(&now);
        bool right = draw(3) == 0;
        if (right)
            put_right(now.bytes, now.size);
        found += read_all(now.bytes, now.size, right ? NULL : is_known);
    }
    printf("%" PRIu64 " %" PRIu64 "\n", executions, found);
    return 0;
}
#endif
