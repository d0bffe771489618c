/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program that tells hosts apart: all that it is told goes into a number, and that number says what it does
 * next. So whatever a host does differently is seen soon, and for ever. */
#ifndef CORRIDOR_ALGORITHMS_PROCESSES_TESTS_TOY_H
#define CORRIDOR_ALGORITHMS_PROCESSES_TESTS_TOY_H

#include <corridor/hash.h>
#include <corridor/process.h>

#include <string.h>

enum { TOY_BLOCKS = 6 };
struct toy {
    uint64_t heart, calls;
    unsigned char *blocks[TOY_BLOCKS];
    size_t sizes[TOY_BLOCKS];
};

static inline void toy_feel(struct toy *toy, uint64_t word) {
    toy->heart = cor_hash_word(toy->heart, word);
}

/* A block is 0 when it comes, and keeps what it was given. */
static inline void toy_use_memory(struct toy *toy, const struct cor_process_host *host, uint64_t draw) {
    uint32_t b = (uint32_t)(draw % TOY_BLOCKS);
    size_t size = (size_t)(draw >> 8) % 300, before = toy->sizes[b];
    if (draw >> 20 & 1) {
        unsigned char *block = host->resize(host, toy->blocks[b], size);
        for (size_t i = 0; i < size; i++)
            toy_feel(toy, block[i] != (i < before ? (unsigned char)(b + i) : 0));
        toy->blocks[b] = block;
    } else {
        host->release(host, toy->blocks[b]);
        toy->blocks[b] = host->alloc(host, size);
        for (size_t i = 0; i < size; i++)
            toy_feel(toy, toy->blocks[b][i]);
    }
    for (size_t i = 0; i < size; i++)
        toy->blocks[b][i] = (unsigned char)(b + i);
    toy->sizes[b] = size;
}

static inline void toy_act(struct toy *toy, const struct cor_process_host *host) {
    unsigned char bytes[512];
    toy->calls++;
    toy_feel(toy, host->now(host));
    for (uint64_t left = toy->heart % 4; left > 0; left--) {
        uint64_t draw = host->random(host);
        toy_feel(toy, draw);
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (unsigned char)(draw + i * i);
        uint32_t small = (uint32_t)(draw >> 8) % 90, which = (uint32_t)(draw >> 32);
        switch (draw % 8) {
        case 0:
        case 1:
        case 2:
            host->send(host, which % host->count, which / 64 % 3, bytes, which % 16 ? small : 500);
            break;
        case 3:
            host->set_alarm(host, which % COR_PROCESS_ALARMS_MAX,
                            which % 11 ? (uint64_t)small * 7 : COR_PROCESS_NEVER);
            break;
        case 4:
            host->cell(host, which % COR_PROCESS_CELLS_MAX, bytes, which % 7 ? small : 256);
            break;
        case 5:
            host->write(host, draw, which % 5 | (which % 6 ? 0 : COR_PROCESS_FORGETS), bytes, small * 2);
            break;
        case 6:
            host->tell(host, which % 2, small, draw);
            break;
        default:
            toy_use_memory(toy, host, draw >> 4);
        }
    }
}

static inline void toy_start(void *me, const struct cor_process_host *host,
                             const struct cor_process_stored *stored) {
    struct toy *toy = me;
    toy_feel(toy, host->self + 100 * host->count + 10000 * host->fault);
    for (uint32_t c = 0; c < stored->cell_count; c++) {
        toy_feel(toy, stored->cells[c].operation);
        toy->heart = cor_hash_bytes(toy->heart, stored->cells[c].bytes, stored->cells[c].size);
    }
    for (uint32_t w = 0; w < stored->write_count; w++) {
        toy_feel(toy, stored->writes[w].operation);
        toy->heart = cor_hash_bytes(toy->heart, stored->writes[w].bytes, stored->writes[w].size);
    }
    host->set_alarm(host, 0, 50);
    host->set_alarm(host, 1, 90);
    toy_act(toy, host);
}

static inline void toy_receive(void *me, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                               const void *bytes, uint32_t size) {
    struct toy *toy = me;
    toy_feel(toy, from * 100 + kind);
    toy->heart = cor_hash_bytes(toy->heart, bytes, size);
    toy_act(toy, host);
}

static inline void toy_alarm(void *me, const struct cor_process_host *host, uint32_t which) {
    toy_feel(me, which);
    host->set_alarm(host, which, 40 + which);
    toy_act(me, host);
}

static inline void toy_completed(void *me, const struct cor_process_host *host, uint64_t ticket,
                                 uint32_t status) {
    toy_feel(me, ticket ^ status);
    toy_act(me, host);
}

static inline void toy_input(void *me, const struct cor_process_host *host, uint32_t which, const void *bytes,
                             uint32_t size) {
    struct toy *toy = me;
    toy_feel(toy, which);
    toy->heart = cor_hash_bytes(toy->heart, bytes, size);
    toy_act(toy, host);
}

static inline void toy_observe(const void *me, union cor_process_value *values) {
    const struct toy *toy = me;
    values[0].count = toy->calls;
    values[1].count = toy->heart % 3;
    values[2].count = toy->heart >> 40 & 1;
    values[3].real = (double)(toy->heart % 7) / 4;
}

static const char *const toy_words[] = {"red", "green", "blue"};
static const struct cor_process_attribute toy_attributes[] = {
    {.name = "calls"},
    {.name = "colour", .type = COR_PROCESS_WORD, .words = toy_words, .word_count = 3},
    {.name = "friends", .type = COR_PROCESS_SET},
    {.name = "share", .type = COR_PROCESS_REAL},
};
static const struct cor_process_message toy_messages[] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
static const struct cor_process_input toy_inputs[] = {{.name = "x", .weight = 1, .bytes = 0},
                                                      {.name = "y", .weight = 1, .bytes = 21}};
static const struct cor_process_name toy_names[] = {{.name = "one"}, {.name = "two"}};

#define TOY                                                                                                  \
    {                                                                                                        \
        COR_PROCESS, .name = "toy", .version = "1", .state_size = sizeof(struct toy),                        \
                     .attributes = toy_attributes, .attribute_count = 4, .channels = toy_names,              \
                     .channel_count = 2, .messages = toy_messages, .message_count = 3, .inputs = toy_inputs, \
                     .input_count = 2, .faults = toy_names, .fault_count = 2, .leader_attribute = 4,         \
                     .start = toy_start, .receive = toy_receive, .alarm = toy_alarm,                         \
                     .completed = toy_completed, .input = toy_input, .observe = toy_observe                  \
    }

#endif
