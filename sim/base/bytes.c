/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/bytes.h>

#include <corridor/array.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static size_t whole_units(size_t size, size_t unit) {
    return unit > 0 ? (size + unit - 1) / unit * unit : size;
}

void cor_bytes_put(struct cor_bytes *bytes, const void *from, size_t size) {
    const size_t end = bytes->size + whole_units(size, bytes->unit);
    if (!bytes->is_given && bytes->status == COR_OK)
        bytes->status = COR_RESERVE(&bytes->bytes, &bytes->capacity, end + 1, NULL);
    if (bytes->is_given && end > bytes->capacity)
        bytes->status = COR_STATUS_MEMORY;
    if (bytes->status == COR_OK && size > 0)
        memcpy(bytes->bytes + bytes->size, from, size);
    if (bytes->status == COR_OK && !bytes->is_given)
        memset(bytes->bytes + bytes->size + size, 0, end + 1 - bytes->size - size);
    if (bytes->status == COR_OK || bytes->is_given)
        bytes->size = end;
}

void cor_bytes_put_number(struct cor_bytes *bytes, uint64_t number, size_t size) {
    unsigned char low[8];
    COR_ASSERT(size <= sizeof low);
    for (size_t i = 0; i < size; i++)
        low[i] = (unsigned char)(number >> 8 * i);
    cor_bytes_put(bytes, low, size);
}

void cor_bytes_put_real(struct cor_bytes *bytes, double real) {
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    cor_bytes_put_number(bytes, bits, sizeof bits);
}

void cor_bytes_put_text(struct cor_bytes *bytes, const char *text) {
    cor_bytes_put(bytes, text ? text : "", text ? strlen(text) + 1 : 1);
}

void cor_bytes_print(struct cor_bytes *bytes, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    COR_ASSERT(length >= 0 && !bytes->is_given && bytes->unit == 0);
    if (bytes->status == COR_OK)
        bytes->status = COR_RESERVE(&bytes->bytes, &bytes->capacity, bytes->size + (size_t)length + 1, NULL);
    if (bytes->status == COR_OK) {
        vsnprintf((char *)bytes->bytes + bytes->size, (size_t)length + 1, format, again);
        bytes->size += (size_t)length;
    }
    va_end(again);
}

char *cor_bytes_text_take(struct cor_bytes *bytes, struct cor_error *error) {
    cor_bytes_put(bytes, "", 0); /* so that an empty text is one, too */
    char *text = bytes->status == COR_OK ? (char *)bytes->bytes : NULL;
    if (!text) {
        cor_bytes_fini(bytes);
        (void)cor_fail_memory(error);
    }
    *bytes = (struct cor_bytes){0};
    return text;
}

void cor_bytes_fini(struct cor_bytes *bytes) {
    if (!bytes->is_given)
        free(bytes->bytes);
    *bytes = (struct cor_bytes){.unit = bytes->unit};
}

const void *cor_bytes_take(struct cor_bytes_reader *reader, size_t size) {
    const size_t left = reader->size - reader->at;
    reader->failed = reader->failed || size > left || whole_units(size, reader->unit) > left;
    if (reader->failed)
        return NULL;
    const void *bytes = left > 0 ? reader->bytes + reader->at : (const void *)"";
    reader->at += whole_units(size, reader->unit);
    return bytes;
}

uint64_t cor_bytes_take_number(struct cor_bytes_reader *reader, size_t size) {
    const unsigned char *bytes = cor_bytes_take(reader, size);
    uint64_t number = 0;
    COR_ASSERT(size <= sizeof number);
    for (size_t i = 0; bytes && i < size; i++)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

double cor_bytes_take_real(struct cor_bytes_reader *reader) {
    const uint64_t bits = cor_bytes_take_number(reader, sizeof bits);
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

const char *cor_bytes_take_text(struct cor_bytes_reader *reader) {
    const size_t left = reader->size - reader->at;
    const unsigned char *text = left > 0 ? reader->bytes + reader->at : NULL;
    const unsigned char *end = text && !reader->failed ? memchr(text, '\0', left) : NULL;
    return cor_bytes_take(reader, end ? (size_t)(end - text) + 1 : left + 1);
}

char *cor_file_text(const char *path) {
    struct stat what;
    int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    FILE *file =
        opened >= 0 && fstat(opened, &what) == 0 && S_ISREG(what.st_mode) ? fdopen(opened, "r") : NULL;
    if (!file && opened >= 0)
        close(opened);
    char *text = NULL;
    size_t capacity = 0;
    if (file && getdelim(&text, &capacity, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

bool cor_write_all(int file, const void *bytes, size_t size, double seconds) {
    const unsigned char *at = bytes;
    const double end = seconds > 0 ? now() + seconds : 0;
    while (size > 0) {
        const ssize_t written = write(file, at, size);
        if (written >= 0) {
            at += written;
            size -= (size_t)written;
        } else if (errno == EAGAIN && seconds > 0 && now() < end) {
            struct pollfd room = {file, POLLOUT, 0};
            poll(&room, 1, 100);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}
