/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fuzz_wire EXECUTIONS SEED: both ends of a link to another host read streams of messages that were mutated,
 * and come in pieces of whatever size. What is given on is what a second reader, below, finds in the same
 * bytes: every message before the first that is none, and then the end; none hangs, none is made up. */
#include "link.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STREAM_MAX = 1 << 18, MESSAGES = 6, HEAD = 16 };

struct stream {
    unsigned char bytes[STREAM_MAX];
    size_t size;
};

static uint64_t dice;

static uint64_t draw(uint64_t below) {
    uint64_t z = dice += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (z ^ (z >> 31)) % below;
}

static void check(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "fuzz_wire: %s\n", what);
        abort();
    }
}

/* A message as link.h says it is. */
static void add_message(struct stream *stream) {
    static const size_t lengths[] = {0, 1, 4, 8, 16, 40, 200, 5000, 20000};
    size_t length = lengths[draw(sizeof lengths / sizeof *lengths)];
    unsigned char *at = stream->bytes + stream->size;
    memset(at, 0, HEAD);
    memcpy(at, "CORM", 4);
    at[4] = (unsigned char)(CAMPAIGN__EXPERIMENT + draw(CAMPAIGN__DIED - CAMPAIGN__EXPERIMENT + 1));
    for (int i = 0; i < 4; i++)
        at[8 + i] = (unsigned char)(length >> 8 * i);
    for (size_t i = 0; i < length; i++)
        at[HEAD + i] = (unsigned char)draw(256);
    stream->size += HEAD + length;
}

/* Where a message begins, by chance. */
static size_t some_head(const struct stream *stream) {
    size_t at = 0, next = 0;
    for (uint64_t steps = draw(MESSAGES); steps > 0 && next + HEAD <= stream->size; steps--) {
        uint32_t length;
        at = next;
        memcpy(&length, stream->bytes + at + 8, 4);
        next = at + HEAD + length;
    }
    return at;
}

static void mutate(struct stream *stream) {
    size_t at = draw(stream->size), length = draw(300), head = some_head(stream);
    length = length < stream->size - at ? length : stream->size - at;
    switch (draw(6)) {
    case 0:
        stream->bytes[at] ^= (unsigned char)(1u << draw(8));
        break;
    case 1:
        stream->bytes[head + draw(HEAD) % (stream->size - head)] = (unsigned char)draw(256);
        break;
    case 2:
        stream->size = at > 0 ? at : 1;
        break;
    case 3:
        memmove(stream->bytes + at, stream->bytes + at + length, stream->size - at - length);
        stream->size -= length < stream->size ? length : 0;
        break;
    case 4:
        memmove(stream->bytes + at + length, stream->bytes + at, stream->size - at);
        stream->size += length;
        break;
    default: /* a size at an edge */
        if (stream->size - head >= HEAD)
            memset(stream->bytes + head + 8 + draw(8), (int[]){0, 1, 0x7F, 0x80, 0xFF}[draw(5)], 1);
    }
}

/* The second reader: the kind of the message at *at, which goes behind it. */
static enum campaign__kind expected(const struct stream *stream, size_t *at, const unsigned char **bytes,
                                    size_t *size) {
    uint64_t length = 0, kind = 0;
    const unsigned char *head = stream->bytes + *at;
    if (stream->size - *at < HEAD || memcmp(head, "CORM", 4) != 0)
        return CAMPAIGN__CLOSED;
    for (int i = 3; i >= 0; i--)
        kind = kind << 8 | head[4 + i];
    for (int i = 7; i >= 0; i--)
        length = length << 8 | head[8 + i];
    if (kind < CAMPAIGN__EXPERIMENT || kind > CAMPAIGN__DIED || length > stream->size - *at - HEAD)
        return CAMPAIGN__CLOSED;
    *bytes = head + HEAD;
    *size = (size_t)length;
    *at += HEAD + (size_t)length;
    return (enum campaign__kind)kind;
}

/* Compares all that is given on now; false at the end. */
static bool compare(struct campaign__wire *wire, const struct stream *stream, size_t *at, uint64_t *given) {
    for (;;) {
        const unsigned char *bytes = NULL;
        size_t size = 0, before = *at;
        struct campaign__message message = campaign__wire_receive(wire, 0);
        if (message.kind == CAMPAIGN__NOTHING)
            return true;
        check(expected(stream, at, &bytes, &size) == message.kind, "another kind of message, or another end");
        if (message.kind == CAMPAIGN__CLOSED)
            return false;
        check(message.size == size && memcmp(message.bytes, bytes, size) == 0, "another message");
        check(*at > before, "the same message again");
        ++*given;
    }
}

static uint64_t read_stream(const struct stream *stream) {
    struct campaign__wire wire;
    int files[2], nothing = open("/dev/null", O_WRONLY);
    uint64_t given = 0;
    size_t written = 0, at = 0;
    check(nothing >= 0 && pipe(files) == 0, "no pipe");
    campaign__wire_init(&wire, files[0], nothing, 1);
    bool open = true;
    while (open && written < stream->size) {
        size_t rest = stream->size - written, piece = 1 + draw(draw(4) == 0 ? 30 : 60000);
        ssize_t got = write(files[1], stream->bytes + written, piece < rest ? piece : rest);
        check(got > 0, "cannot write into a pipe that is read");
        written += (size_t)got;
        open = compare(&wire, stream, &at, &given);
        check(open || wire.in < 0, "the end of a wire that is open");
    }
    close(files[1]);
    if (open)
        check(!compare(&wire, stream, &at, &given), "a closed stream goes on");
    check(campaign__wire_receive(&wire, 0).kind == CAMPAIGN__CLOSED, "a message behind the end");
    campaign__wire_fini(&wire);
    return given;
}

/* A length that nobody sends ends the wire before anything of it has come; one byte less is waited for. */
static void check_lengths(void) {
    for (int kind = CAMPAIGN__EXPERIMENT; kind <= CAMPAIGN__DIED; kind++)
        for (int more = 0; more < 2; more++) {
            uint64_t length = ((uint64_t)1 << (kind == CAMPAIGN__SUITE ? 32 : 30)) + (uint64_t)more;
            unsigned char head[HEAD] = "CORM";
            struct campaign__wire wire;
            int files[2], nothing = open("/dev/null", O_WRONLY);
            check(nothing >= 0 && pipe(files) == 0, "no pipe");
            head[4] = (unsigned char)kind;
            for (int i = 0; i < 8; i++)
                head[8 + i] = (unsigned char)(length >> 8 * i);
            check(write(files[1], head, HEAD) == HEAD, "cannot write");
            campaign__wire_init(&wire, files[0], nothing, 1);
            check(campaign__wire_receive(&wire, 0).kind == (more ? CAMPAIGN__CLOSED : CAMPAIGN__NOTHING),
                  "a wrong limit");
            campaign__wire_fini(&wire);
            close(files[1]);
        }
}

int main(int count, char **words) {
    static struct stream stream;
    uint64_t given = 0, executions = count > 1 ? strtoull(words[1], NULL, 10) : 0;
    check(count == 3, "fuzz_wire EXECUTIONS SEED");
    signal(SIGPIPE, SIG_IGN);
    check_lengths();
    for (uint64_t i = 0; i < executions; i++) {
        dice = strtoull(words[2], NULL, 10) * 1000003 + i;
        stream.size = 0;
        for (uint64_t m = draw(MESSAGES) + 1; m > 0; m--)
            add_message(&stream);
        for (uint64_t m = draw(4); m > 0; m--)
            mutate(&stream);
        given += read_stream(&stream);
    }
    printf("%" PRIu64 " %" PRIu64 "\n", executions, given);
    return 0;
}
