/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages in flight: values, by link, oldest first. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* log2 of the bytes of a slot; bytes of a chunk; messages for which a link has room at first */
enum { SMALLEST = 6, CHUNK = 4 << 20, FEW = 4 };
_Static_assert(1u << (SMALLEST + PROCESSES__SLOT_CLASSES - 1) >= COR_PROCESS_MESSAGE_BYTES_MAX, "slots");
_Static_assert(COR_PROCESS_MESSAGE_BYTES_MAX <= CHUNK, "a slot lies in a chunk");

enum cor_status processes__network_init(struct processes__network *network, uint32_t process_count,
                                        uint32_t flight_most, size_t bytes_most,
                                        struct cor_cluster_overview *overview, struct cor_error *error) {
    *network = (struct processes__network){.process_count = process_count,
                                           .flight_most = flight_most,
                                           .bytes_most = bytes_most,
                                           .overview = overview};
    network->links = cor_calloc((size_t)process_count * process_count, sizeof *network->links);
    return cor_made(network->links, error);
}

void processes__network_fini(struct processes__network *network) {
    for (uint32_t l = 0; network->links && l < network->process_count * network->process_count; l++)
        free(network->links[l].flights);
    free(network->links);
    for (size_t c = 0; c < network->chunk_made; c++)
        free(network->chunks[c]);
    free(network->chunks);
}

static struct processes__link *link_of(const struct processes__network *network, uint32_t from, uint32_t to) {
    return &network->links[to * network->process_count + from];
}

void processes__network_reset(struct processes__network *network) {
    for (uint32_t to = 0; to < network->process_count; to++) {
        for (uint32_t left = network->overview->senders[to]; left; left &= left - 1) {
            struct processes__link *link = link_of(network, (uint32_t)__builtin_ctz(left), to);
            link->first = link->count = 0;
        }
        network->overview->senders[to] = 0;
        network->bytes_from[to] = 0;
    }
    network->overview->in_flight = 0;
    network->overview->sent = 0;
    network->chunk_count = 0;
    network->chunk_used = CHUNK;
    memset(network->free, 0, sizeof network->free);
}

static uint32_t slot_class(uint32_t size) {
    if (size <= 1u << SMALLEST)
        return 0;
    return 32 - (uint32_t)__builtin_clz(size - 1) - SMALLEST;
}

static enum cor_status take_slot(struct processes__network *network, uint32_t size, void **slot,
                                 struct cor_error *error) {
    uint32_t slots = slot_class(size);
    size_t bytes = (size_t)1 << (SMALLEST + slots);
    *slot = network->free[slots];
    if (*slot) {
        memcpy(&network->free[slots], *slot, sizeof(void *));
        return COR_OK;
    }
    if (network->chunk_used + bytes > CHUNK) {
        if (network->chunk_count == network->chunk_made) {
            COR_TRY(COR_RESERVE(&network->chunks, &network->chunk_capacity, network->chunk_made + 1, error));
            void *chunk = cor_calloc(1, CHUNK);
            COR_TRY(cor_made(chunk, error));
            network->chunks[network->chunk_made++] = chunk;
        }
        network->chunk_count++;
        network->chunk_used = 0;
    }
    *slot = network->chunks[network->chunk_count - 1] + network->chunk_used;
    network->chunk_used += bytes;
    return COR_OK;
}

void processes__network_give_back(struct processes__network *network, uint32_t from,
                                  const struct cor_flight *flight) {
    uint32_t slots = slot_class(flight->size);
    void *slot = (void *)(uintptr_t)flight->bytes;
    memcpy(slot, &network->free[slots], sizeof(void *));
    network->free[slots] = slot;
    network->bytes_from[from] -= (size_t)1 << (SMALLEST + slots);
}

struct cor_flight processes__network_take(struct processes__network *network, uint32_t from, uint32_t to,
                                          uint32_t index) {
    struct processes__link *link = link_of(network, from, to);
    struct cor_flight *flights = link->flights + link->first, taken = flights[index];
    if (index == 0 || index < link->count / 2) { /* the shorter part moves */
        if (index > 0)
            memmove(flights + 1, flights, index * sizeof *flights);
        link->first++;
    } else {
        memmove(flights + index, flights + index + 1, (link->count - index - 1) * sizeof *flights);
    }
    link->count--;
    network->overview->in_flight--;
    if (link->count == 0) {
        link->first = 0;
        network->overview->senders[to] &= ~(1u << from);
    }
    return taken;
}

/* A slot of the smallest class, the rest of it 0. Most messages are that small, and calls that ask for the
 * size would cost more than the bytes: two copies of a size that is known, which may overlap. */
static void fill_smallest(unsigned char *slot, const unsigned char *bytes, uint32_t size) {
    memset(slot, 0, 1u << SMALLEST);
    if (size >= 32) {
        memcpy(slot, bytes, 32);
        memcpy(slot + size - 32, bytes + size - 32, 32);
    } else if (size >= 16) {
        memcpy(slot, bytes, 16);
        memcpy(slot + size - 16, bytes + size - 16, 16);
    } else if (size >= 8) {
        memcpy(slot, bytes, 8);
        memcpy(slot + size - 8, bytes + size - 8, 8);
    } else if (size >= 4) {
        memcpy(slot, bytes, 4);
        memcpy(slot + size - 4, bytes + size - 4, 4);
    } else
        for (uint32_t b = 0; b < size; b++)
            slot[b] = bytes[b];
}

static void fill_slot(unsigned char *slot, const void *bytes, uint32_t size, size_t room) {
    if (room == 1u << SMALLEST) {
        fill_smallest(slot, bytes, size);
        return;
    }
    memcpy(slot, bytes, size);
    memset(slot + size, 0, room - size < 64 ? room - size : 64);
}

static void lose_oldest(struct processes__network *network, uint32_t from, uint32_t to) {
    struct cor_flight lost = processes__network_take(network, from, to, 0);
    processes__network_give_back(network, from, &lost);
}

/* For one message more. Most links have few, and all of them together should lie near each other. */
static enum cor_status make_room(struct processes__link *link, struct cor_error *error) {
    struct cor_flight *flights = link->flights;
    if (link->first + link->count < link->capacity)
        return COR_OK;
    if (link->count >= link->capacity / 2) { /* moving them costs no more than sending them did */
        const uint32_t capacity = link->capacity > 0 ? 2 * link->capacity : FEW;
        flights = cor_calloc(capacity, sizeof *flights);
        COR_TRY(cor_made(flights, error));
        link->capacity = capacity;
    }
    if (link->count > 0)
        memmove(flights, link->flights + link->first, link->count * sizeof *flights);
    link->first = 0;
    if (flights != link->flights)
        free(link->flights);
    link->flights = flights;
    return COR_OK;
}

enum cor_status processes__network_send(struct processes__network *network, uint32_t from, uint32_t to,
                                        uint32_t kind, const void *bytes, uint32_t size, uint64_t now,
                                        struct cor_error *error) {
    struct processes__link *link = link_of(network, from, to);
    size_t room = (size_t)1 << (SMALLEST + slot_class(size));
    uint64_t number = network->overview->sent++;
    processes__note_change(network->overview, to);
    COR_TRY(make_room(link, error));
    if (link->count == network->flight_most)
        lose_oldest(network, from, to);
    while (link->count > 0 && network->bytes_from[from] + room > network->bytes_most)
        lose_oldest(network, from, to);
    if (network->bytes_from[from] + room > network->bytes_most)
        return COR_OK;
    void *slot;
    COR_TRY(take_slot(network, size, &slot, error));
    fill_slot(slot, bytes, size, room);
    link->flights[link->first + link->count++] = (struct cor_flight){
        .sent = now, .number = number, .size = size, .kind = (uint8_t)kind, .bytes = slot};
    network->bytes_from[from] += room;
    network->overview->senders[to] |= 1u << from;
    network->overview->in_flight++;
    return COR_OK;
}

uint32_t processes__network_find(const struct processes__network *network, uint32_t from, uint32_t to,
                                 uint32_t kind, uint32_t ordinal) {
    const struct processes__link *link = link_of(network, from, to);
    for (uint32_t i = 0; i < link->count; i++)
        if (link->flights[link->first + i].kind == kind && ordinal-- == 0)
            return i;
    return UINT32_MAX;
}
