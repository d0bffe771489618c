/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers, texts and lists as bytes, one behind the other: a writer whose memory grows or is given, and a
 * reader that nothing brings beyond the end. Numbers are little-endian, a text ends with a zero byte. Both
 * remember their first failure and do nothing more after it, so one looks once, at the end. */
#ifndef CORRIDOR_BYTES_H
#define CORRIDOR_BYTES_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begins as zeroes: memory of its own, which grows, with a zero byte behind the last that `size` does not
 * count. Of cor_bytes_into: that memory. */
struct cor_bytes {
    unsigned char *bytes; /* owned, but for is_given; freed by cor_bytes_fini */
    size_t size;          /* so far; of memory that is given also what was left out */
    size_t capacity;
    size_t unit; /* what is put fills whole units of so many bytes; 0: as many as it has */
    bool is_given;
    enum cor_status status; /* COR_STATUS_MEMORY: more was put than there is room for */
};

/* Into memory of `capacity` bytes: what goes beyond it is counted, but not written. */
static inline struct cor_bytes cor_bytes_into(void *memory, size_t capacity) {
    return (struct cor_bytes){.bytes = memory, .capacity = capacity, .is_given = true};
}

/* Puts bytes, a number by its `size` low bytes, a real, or a text, NULL as "". */
void cor_bytes_put(struct cor_bytes *bytes, const void *from, size_t size);
void cor_bytes_put_number(struct cor_bytes *bytes, uint64_t number, size_t size);
void cor_bytes_put_real(struct cor_bytes *bytes, double real);
void cor_bytes_put_text(struct cor_bytes *bytes, const char *text);

/* As printf would print it, into memory of its own. */
void cor_bytes_print(struct cor_bytes *bytes, const char *format, ...) COR_PRINTF(2, 3);

/* What was put, as text; until more is put. */
static inline const char *cor_bytes_text(const struct cor_bytes *bytes) {
    return bytes->bytes ? (const char *)bytes->bytes : "";
}

/* Hands the text out, to be freed with free(), and begins anew; NULL with `error` set if memory ran out. */
char *cor_bytes_text_take(struct cor_bytes *bytes, struct cor_error *error);

/* Begins anew in the same memory. */
static inline void cor_bytes_clear(struct cor_bytes *bytes) {
    bytes->size = 0;
    bytes->status = COR_OK;
}

/* Frees what is its own. Idempotent. */
void cor_bytes_fini(struct cor_bytes *bytes);

/* Bytes of somebody else, being read. */
struct cor_bytes_reader {
    const unsigned char *bytes; /* borrowed */
    size_t size, at;
    size_t unit; /* as it was written */
    bool failed; /* more was asked for than there is; from then on nothing is given */
};

static inline struct cor_bytes_reader cor_bytes_reader(const void *bytes, size_t size) {
    return (struct cor_bytes_reader){.bytes = bytes, .size = size};
}

/* The next `size` bytes; NULL: there are not so many. */
const void *cor_bytes_take(struct cor_bytes_reader *reader, size_t size);

/* The next number of `size` bytes, 8 at most, or real; 0 where it is not there. */
uint64_t cor_bytes_take_number(struct cor_bytes_reader *reader, size_t size);
double cor_bytes_take_real(struct cor_bytes_reader *reader);

/* The next text; NULL: none ends before the bytes do. */
const char *cor_bytes_take_text(struct cor_bytes_reader *reader);

/* The text of a small file, for the caller to free; NULL if there is none, or if it cannot be read, and errno
 * says why. A pipe is not waited for, a link not followed. */
char *cor_file_text(const char *path);

/* Writes all of these bytes, where the file stands: continues after short writes and interrupted calls. A
 * file that does not wait and has no room now (O_NONBLOCK) is waited for, `seconds` in all at most. False:
 * some may be missing, and errno says why; EAGAIN: the time is over. */
bool cor_write_all(int file, const void *bytes, size_t size, double seconds) COR_MUST_USE;

#endif
