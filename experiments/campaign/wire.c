/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/work.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "CORM"
enum { HEAD_SIZE = 16 };
#define SUITE_MAX ((uint64_t)1 << 32)
#define TEXT_MAX ((uint64_t)1 << 30) /* of all else: a length is an int to those who read it */
#define READ_BYTES ((size_t)1 << 16)

void campaign__wire_init(struct campaign__wire *wire, int in, int out, double patience) {
    *wire = (struct campaign__wire){in, out, patience, cor_wall_seconds(), NULL, 0, 0, 0};
    fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
    fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
}

static void close_both(struct campaign__wire *wire) {
    if (wire->in >= 0)
        close(wire->in);
    if (wire->out >= 0)
        close(wire->out);
    wire->in = wire->out = -1;
}

void campaign__wire_fini(struct campaign__wire *wire) {
    close_both(wire);
    free(wire->bytes);
    wire->bytes = NULL;
    wire->count = wire->capacity = wire->taken = 0;
}

bool campaign__wire_send(struct campaign__wire *wire, enum campaign__kind kind,
                         const struct campaign__part *parts, size_t count) {
    unsigned char bytes[HEAD_SIZE];
    struct cor_bytes head = cor_bytes_into(bytes, sizeof bytes);
    uint64_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += parts[i].size;
    cor_bytes_put(&head, MAGIC, 4);
    cor_bytes_put_number(&head, kind, 4);
    cor_bytes_put_number(&head, size, 8);
    bool sent = wire->out >= 0 && cor_write_all(wire->out, bytes, sizeof bytes, wire->patience);
    for (size_t i = 0; sent && i < count; i++)
        sent = cor_write_all(wire->out, parts[i].bytes, parts[i].size, wire->patience);
    return sent;
}

/* The message at the beginning of what has come; CAMPAIGN__NOTHING: not all of it is there. */
static struct campaign__message first_message(const struct campaign__wire *wire, size_t *size) {
    struct cor_bytes_reader reader = cor_bytes_reader(wire->bytes, wire->count);
    reader.at = wire->taken;
    const void *magic = cor_bytes_take(&reader, 4);
    const uint64_t kind = cor_bytes_take_number(&reader, 4), length = cor_bytes_take_number(&reader, 8);
    if (reader.failed)
        return (struct campaign__message){CAMPAIGN__NOTHING, NULL, 0};
    if (memcmp(magic, MAGIC, 4) != 0 || kind <= CAMPAIGN__CLOSED || kind > CAMPAIGN__DIED ||
        length > (kind == CAMPAIGN__SUITE ? SUITE_MAX : TEXT_MAX))
        return (struct campaign__message){CAMPAIGN__CLOSED, NULL, 0};
    const void *bytes = cor_bytes_take(&reader, (size_t)length);
    if (!bytes)
        return (struct campaign__message){CAMPAIGN__NOTHING, NULL, 0};
    *size = HEAD_SIZE + (size_t)length;
    return (struct campaign__message){(enum campaign__kind)kind, bytes, (size_t)length};
}

/* False when nothing will come any more. */
static bool read_some(struct campaign__wire *wire, int milliseconds) {
    struct cor_error ignored = COR_NO_ERROR;
    struct pollfd file = {wire->in, POLLIN, 0};
    if (poll(&file, 1, milliseconds) <= 0)
        return true;
    if (COR_RESERVE(&wire->bytes, &wire->capacity, wire->count + READ_BYTES, &ignored) != COR_OK)
        return false;
    ssize_t got = read(wire->in, wire->bytes + wire->count, READ_BYTES);
    if (got > 0) {
        wire->count += (size_t)got;
        wire->heard = cor_wall_seconds();
        return true;
    }
    return got < 0 && (errno == EAGAIN || errno == EINTR);
}

struct campaign__message campaign__wire_receive(struct campaign__wire *wire, int milliseconds) {
    double end = cor_wall_seconds() + milliseconds / 1000.0;
    /* What was given is forgotten, and what has come is put at the beginning. */
    if (wire->taken > 0)
        memmove(wire->bytes, wire->bytes + wire->taken, wire->count - wire->taken);
    wire->count -= wire->taken;
    wire->taken = 0;
    for (bool looked = false;; looked = true) {
        size_t size = 0;
        struct campaign__message message = first_message(wire, &size);
        double left = end - cor_wall_seconds();
        wire->taken = size;
        if (message.kind == CAMPAIGN__CLOSED)
            close_both(wire);
        if (message.kind != CAMPAIGN__NOTHING || (looked && left <= 0))
            return message;
        if (wire->in < 0 || !read_some(wire, left > 0 ? (int)(left * 1000) + 1 : 0)) {
            close_both(wire);
            return (struct campaign__message){CAMPAIGN__CLOSED, NULL, 0};
        }
    }
}
