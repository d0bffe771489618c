/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/process_event.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word, *meaning;
} kinds[] = {
#define ROW(NAME, word, is_fault, meaning) {word, meaning},
    COR_PROCESS_EVENT_KINDS(ROW)
#undef ROW
};

void cor_process_schedule_fini(struct cor_process_schedule *schedule) {
    free(schedule->events);
    *schedule = (struct cor_process_schedule){0};
}

const char *cor_process_event_kind_word(enum cor_process_event_kind kind) {
    return (unsigned)kind < COR_PROCESS_EVENT_KIND_COUNT ? kinds[kind].word : "?";
}

const char *cor_process_event_kind_meaning(enum cor_process_event_kind kind) {
    return (unsigned)kind < COR_PROCESS_EVENT_KIND_COUNT ? kinds[kind].meaning : "?";
}

enum cor_process_event_kind cor_process_event_kind_of(const char *word) {
    int kind = 0;
    while (kind < COR_PROCESS_EVENT_KIND_COUNT && strcmp(kinds[kind].word, word) != 0)
        kind++;
    return (enum cor_process_event_kind)kind;
}

/* ---- partitions */

void cor_process_ring(uint32_t number, uint32_t count, uint8_t *order) {
    const bool is_drawn = count > COR_PARTITION_MEMBERS;
    uint64_t left = number;
    for (uint32_t p = 0; p < count; p++)
        order[p] = (uint8_t)p;
    for (uint32_t i = 1; i + 1 < count; left /= count - i, i++) {
        if (is_drawn)
            left = cor_hash_word(number, i);
        const uint32_t other = i + (uint32_t)(left % (count - i));
        const uint8_t held = order[i];
        order[i] = order[other];
        order[other] = held;
    }
}

void cor_process_groups(const struct cor_process_event *event, uint32_t count, struct cor_process_set *one,
                        struct cor_process_set *other) {
    uint8_t order[COR_PROCESSES_MAX];
    *one = *other = (struct cor_process_set){{0}};
    if (event->what == COR_PARTITION_GROUPS) {
        one->words[0] = event->ordinal >> 16;
        other->words[0] = event->ordinal & 0xffff;
        return;
    }
    if (event->what == COR_PARTITION_ALONE) {
        if (event->ordinal < count) {
            *one = cor_set_only(event->ordinal);
            *other = cor_set_without(cor_set_first(count), *one);
        }
        return;
    }
    cor_process_ring(event->ordinal, count, order);
    for (uint32_t i = 0; i < count; i++)
        cor_set_add(i < count / 2 ? one : other, order[i]);
    if (event->what == COR_PARTITION_BRIDGE)
        cor_set_add(one, order[count - 1]);
}

static bool part_ring(const struct cor_process_event *event, uint32_t count, struct cor_process_set *parted) {
    const uint32_t reach = (count / 2 + 1) / 2; /* on either side: with itself a majority */
    uint8_t order[COR_PROCESSES_MAX];
    if (2 * reach + 1 >= count)
        return false;
    cor_process_ring(event->ordinal, count, order);
    for (uint32_t p = 0; p < count && parted; p++) {
        parted[order[p]] = cor_set_first(count);
        for (uint32_t i = 0; i <= 2 * reach; i++)
            cor_set_drop(&parted[order[p]], order[(p + count + i - reach) % count]);
    }
    return true;
}

bool cor_process_partition(const struct cor_process_event *event, uint32_t count,
                           struct cor_process_set *parted) {
    const struct cor_process_set all = cor_set_first(count);
    struct cor_process_set one, other;
    if (event->what == COR_PARTITION_RING)
        return part_ring(event, count, parted);
    if (event->what >= COR_PARTITION_COUNT)
        return false;
    cor_process_groups(event, count, &one, &other);
    const struct cor_process_set apart = cor_set_without(all, one), others = cor_set_without(all, other);
    for (uint32_t p = 0; p < count && parted; p++) {
        parted[p] = cor_set_has(&one, p) ? apart : all;
        if (cor_set_has(&other, p))
            parted[p] = cor_set_both(parted[p], others);
    }
    const struct cor_process_set either = cor_set_either(one, other);
    return cor_set_is_empty(cor_set_without(all, either)) && cor_set_is_empty(cor_set_without(either, all)) &&
           !cor_set_is_empty(apart) && !cor_set_is_empty(others);
}

/* ---- messages in flight: values, by link, oldest first */

/* log2 of the bytes of a slot; bytes of a chunk; messages for which a link has room at first */
enum { SMALLEST = 6, CHUNK = 4 << 20, FEW = 4 };
_Static_assert(1u << (SMALLEST + PROCESSES__SLOT_CLASSES - 1) >= COR_PROCESS_MESSAGE_BYTES_MAX, "slots");
_Static_assert(COR_PROCESS_MESSAGE_BYTES_MAX <= CHUNK, "a slot lies in a chunk");

static enum cor_status network_init(struct processes__network *network,
                                    const struct cor_cluster_definition *definition,
                                    struct cor_cluster_overview *overview, struct cor_error *error) {
    const size_t process_count = definition->process_count;
    *network = (struct processes__network){.process_count = definition->process_count,
                                           .flight_most = definition->flight_most,
                                           .cut_loses = definition->cut_loses,
                                           .bytes_most = definition->memory_bytes,
                                           .overview = overview};
    network->links = cor_calloc(process_count * process_count, sizeof *network->links);
    return cor_made(network->links, error);
}

static void network_fini(struct processes__network *network) {
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

static void network_reset(struct processes__network *network) {
    if (network->overview->loses_until > 0)
        for (uint32_t l = 0; l < network->process_count * network->process_count; l++)
            network->links[l].loses_until = 0;
    for (uint32_t to = 0; to < network->process_count; to++) {
        COR_SET_EACH(from, &network->overview->senders[to]) {
            struct processes__link *link = link_of(network, from, to);
            link->first = link->count = 0;
        }
        network->overview->senders[to] = (struct cor_process_set){{0}};
        network->bytes_from[to] = 0;
    }
    network->overview->in_flight = 0;
    network->overview->sent = network->overview->lost = 0;
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

static void network_give_back(struct processes__network *network, uint32_t from,
                              const struct cor_flight *flight) {
    uint32_t slots = slot_class(flight->size);
    void *slot = (void *)(uintptr_t)flight->bytes;
    memcpy(slot, &network->free[slots], sizeof(void *));
    network->free[slots] = slot;
    network->bytes_from[from] -= (size_t)1 << (SMALLEST + slots);
}

/* Takes a message off its link; its bytes are valid until they are given back. */
static struct cor_flight network_take(struct processes__network *network, uint32_t from, uint32_t to,
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
        cor_set_drop(&network->overview->senders[to], from);
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
    struct cor_flight lost = network_take(network, from, to, 0);
    network_give_back(network, from, &lost);
}

/* What is under way to a process from those. */
static void lose_all(struct processes__network *network, uint32_t to, const struct cor_process_set *from) {
    struct cor_cluster_overview *overview = network->overview;
    const struct cor_process_set gone = cor_set_both(overview->senders[to], *from);
    COR_SET_EACH(p, &gone)
        for (; cor_set_has(&overview->senders[to], p); overview->lost++)
            lose_oldest(network, p, to);
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
    if ((network->cut_loses && cor_set_has(&network->overview->cut[to], from)) ||
        cor_set_has(&network->overview->absent, to) || now < link->loses_until) {
        network->overview->lost++;
        return COR_OK;
    }
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
    cor_set_add(&network->overview->senders[to], from);
    network->overview->in_flight++;
    return COR_OK;
}

/* Index of the ordinal-th message of a kind on a link, UINT32_MAX: there is none. */
static uint32_t network_find(const struct processes__network *network, uint32_t from, uint32_t to,
                             uint32_t kind, uint32_t ordinal) {
    const struct processes__link *link = link_of(network, from, to);
    for (uint32_t i = 0; i < link->count; i++)
        if (link->flights[link->first + i].kind == kind && ordinal-- == 0)
            return i;
    return UINT32_MAX;
}

/* ---- disks: cells, which are durable at once, and writes, which become durable one after another */

#define ALIGNED(size) (((size) + 15) & ~(size_t)15)

static void store_fini(struct processes__store *store) {
    free(store->writes);
    free(store->bytes);
    free(store->shown);
    free(store->shown_bytes);
}

static void store_reset(struct processes__store *store) {
    for (uint32_t left = store->cells_touched; left; left &= left - 1) {
        struct processes__cell *cell = &store->cells[__builtin_ctz(left)];
        cell->is_written = cell->was_written = cell->can_be_lost = false;
    }
    store->cells_touched = 0;
    store->first = store->durable = store->count = store->used = 0;
}

void processes__store_cell(struct processes__store *store, uint32_t which, const void *bytes, uint32_t size) {
    struct processes__cell *cell = &store->cells[which];
    cell->was_written = cell->is_written;
    cell->size_before = cell->size;
    if (cell->is_written)
        memcpy(cell->bytes_before, cell->bytes, cell->size);
    cell->is_written = cell->can_be_lost = true;
    cell->size = (uint16_t)size;
    if (size > 0)
        memcpy(cell->bytes, bytes, size);
    store->cells_touched |= 1u << which;
}

static void store_lose_cell(struct processes__store *store, uint32_t which) {
    struct processes__cell *cell = &store->cells[which];
    cell->is_written = cell->was_written;
    cell->size = cell->size_before;
    cell->can_be_lost = false;
    if (cell->is_written)
        memcpy(cell->bytes, cell->bytes_before, cell->size);
}

/* What was forgotten makes room. */
static void compact(struct processes__store *store) {
    size_t begin = store->first < store->count ? store->writes[store->first].at : store->used;
    if (begin > 0 && begin < store->used)
        memmove(store->bytes, store->bytes + begin, store->used - begin);
    if (store->first > 0 && store->first < store->count)
        memmove(store->writes, store->writes + store->first,
                (store->count - store->first) * sizeof *store->writes);
    store->used -= begin;
    store->count -= store->first;
    store->durable -= store->first;
    store->first = 0;
    for (size_t i = 0; i < store->count; i++)
        store->writes[i].at -= begin;
}

enum cor_status processes__store_write(struct processes__store *store, size_t most,
                                       const struct processes__write *write, const void *bytes, bool *is_full,
                                       struct cor_error *error) {
    size_t begin = store->first < store->count ? store->writes[store->first].at : store->used;
    *is_full = store->used - begin + write->size > most;
    if (*is_full)
        return COR_OK;
    /* As much garbage as there is to be kept: moving costs no more than writing did. */
    if (begin >= store->used - begin && begin > 0)
        compact(store);
    COR_TRY(COR_RESERVE(&store->writes, &store->capacity, store->count + 1, error));
    COR_TRY(COR_RESERVE(&store->bytes, &store->room, store->used + write->size + 1, error));
    struct processes__write *own = &store->writes[store->count];
    *own = *write;
    own->at = store->used;
    if (write->size > 0)
        memcpy(store->bytes + store->used, bytes, write->size);
    store->used += write->size;
    store->count++;
    return COR_OK;
}

/* The oldest pending write becomes durable, or is gone. */
static struct processes__write store_done(struct processes__store *store) {
    struct processes__write write = store->writes[store->durable];
    if (write.operation & COR_PROCESS_FORGETS)
        store->first = store->durable;
    store->durable++;
    return write;
}

static struct processes__write store_failed(struct processes__store *store) {
    struct processes__write write = store->writes[store->durable];
    memmove(store->writes + store->durable, store->writes + store->durable + 1,
            (store->count - store->durable - 1) * sizeof *store->writes);
    store->count--;
    return write;
}

/* All that is pending is gone, but for the `kept` oldest, which are durable, and, if is_torn, for half of the
 * next. */
static void store_crash(struct processes__store *store, size_t kept, bool is_torn) {
    for (; kept > 0; kept--)
        store_done(store);
    if (is_torn) { /* it forgets nothing: it is not complete */
        store->writes[store->durable].size /= 2;
        store->durable++;
    }
    store->count = store->durable;
    store->used = 0;
    if (store->first < store->count)
        store->used = store->writes[store->count - 1].at + store->writes[store->count - 1].size;
}

static enum cor_status store_show(struct processes__store *store, struct cor_process_stored *stored,
                                  struct cor_error *error) {
    size_t bytes = COR_PROCESS_CELLS_MAX * (size_t)COR_PROCESS_CELL_BYTES_MAX, at = 0;
    uint32_t cells = 0, writes = (uint32_t)(store->durable - store->first);
    for (size_t i = store->first; i < store->durable; i++)
        bytes += ALIGNED(store->writes[i].size);
    COR_TRY(
        COR_RESERVE(&store->shown, &store->shown_capacity, (size_t)COR_PROCESS_CELLS_MAX + writes, error));
    COR_TRY(COR_RESERVE(&store->shown_bytes, &store->shown_room, bytes, error));
    for (uint32_t c = 0; c < COR_PROCESS_CELLS_MAX; c++) {
        const struct processes__cell *cell = &store->cells[c];
        if (!cell->is_written)
            continue;
        memcpy(store->shown_bytes + at, cell->bytes, cell->size);
        store->shown[cells++] =
            (struct cor_process_record){.operation = c, .size = cell->size, .bytes = store->shown_bytes + at};
        at += ALIGNED(cell->size);
    }
    for (uint32_t w = 0; w < writes; w++) {
        const struct processes__write *write = &store->writes[store->first + w];
        if (write->size > 0)
            memcpy(store->shown_bytes + at, store->bytes + write->at, write->size);
        store->shown[cells + w] = (struct cor_process_record){
            .operation = write->operation, .size = write->size, .bytes = store->shown_bytes + at};
        at += ALIGNED(write->size);
    }
    *stored = (struct cor_process_stored){
        .cells = store->shown, .writes = store->shown + cells, .cell_count = cells, .write_count = writes};
    return COR_OK;
}

/* ---- one event after another. What an event may do is decided before anything changes; then at most one
 * function of one process is called, and after it observe() */

#define COUNT_MOST (UINT64_C(1) << 53)
#define TRUE_SPEED 1000u

/* What is called, with what. */
struct call {
    struct processes__member *member;
    const char *verb;
    enum { START, RECEIVE, ALARM, COMPLETED, INPUT } function;
    uint32_t from, which, size; /* sender; kind, alarm, status or input; of the bytes */
    uint64_t ticket;
    const void *bytes;
    const struct cor_process_stored *stored;
};

uint64_t processes__hash(uint64_t hash, const void *bytes, size_t size) {
    static const uint64_t keys[4] = {UINT64_C(0x9E3779B97F4A7C15), UINT64_C(0xBF58476D1CE4E5B9),
                                     UINT64_C(0x94D049BB133111EB), UINT64_C(0xD6E8FEB86659FD93)};
    if (size < 64)
        return cor_hash_bytes(hash, bytes, size);
    /* Four lanes: a word need not wait for the one before. Each step can be undone, so no difference is lost.
     */
    const unsigned char *at = bytes;
    uint64_t lanes[4] = {hash, hash ^ keys[1], hash ^ keys[2], hash ^ keys[3]};
    for (size_t left = size; left >= 32; left -= 32, at += 32)
        for (int lane = 0; lane < 4; lane++) {
            uint64_t word;
            memcpy(&word, at + 8 * lane, 8);
            lanes[lane] = (lanes[lane] ^ word) * keys[lane];
            lanes[lane] ^= lanes[lane] >> 29;
        }
    for (int lane = 0; lane < 4; lane++)
        hash = cor_hash_word(hash, lanes[lane]);
    hash = cor_hash_word(hash, size);
    return cor_hash_bytes(hash, at, size % 32);
}

enum cor_status cor_cluster_create(const struct cor_cluster_definition *definition,
                                   struct cor_cluster **result, struct cor_error *error) {
    COR_ASSERT(definition->process_count >= 1 && definition->process_count <= COR_PROCESSES_MAX);
    COR_DESTROYED(cor_cluster) struct cor_cluster *cluster = cor_calloc(1, sizeof *cluster);
    *result = NULL;
    COR_TRY(cor_made(cluster, error));
    processes__guard_hold();
    cluster->definition = *definition;
    struct cor_cluster_definition *own = &cluster->definition;
    const size_t sharing = own->process_count / COR_PROCESSES_ONCE + (own->process_count % COR_PROCESSES_ONCE > 0);
    own->memory_bytes = own->memory_bytes ? own->memory_bytes : PROCESSES__MEMORY / sharing >> 16 << 16;
    own->flight_most = own->flight_most ? own->flight_most : PROCESSES__FLIGHTS;
    own->hang_seconds = own->hang_seconds > 0 ? own->hang_seconds : PROCESSES__HANG_SECONDS;
    cluster->hang_seconds = own->hang_seconds;
    cluster->program = &definition->program->description;
    cluster->guard.interrupt = definition->program->interrupt;
    if (definition->program->is_apart)
        COR_TRY(processes__talk_create(definition->program, own->process_count, own->fault, &cluster->talk,
                                       error));
    cluster->members = cor_calloc(own->process_count, sizeof *cluster->members);
    COR_TRY(cor_made(cluster->members, error));
    COR_TRY(network_init(&cluster->network, own, &cluster->overview, error));
    for (uint32_t p = 0; p < own->process_count; p++) {
        struct processes__member *member = &cluster->members[p];
        member->cluster = cluster;
        member->number = p;
        processes__host_init(member);
        COR_TRY(processes__arena_init(&member->arena, own->memory_bytes, error));
    }
    *result = cor_taken(&cluster);
    return COR_OK;
}

void cor_cluster_destroy(struct cor_cluster *cluster) {
    if (!cluster)
        return;
    for (uint32_t p = 0; cluster->members && p < cluster->definition.process_count; p++) {
        processes__arena_fini(&cluster->members[p].arena);
        store_fini(&cluster->members[p].store);
    }
    if (cluster->members && cluster->network.links)
        network_fini(&cluster->network);
    free(cluster->members);
    free(cluster->told);
    cor_bytes_fini(&cluster->told_texts);
    free(cluster->past);
    processes__talk_destroy(cluster->talk);
    free(cluster);
    processes__guard_release();
}

void cor_cluster_hurry(struct cor_cluster *cluster, double hang_seconds) {
    const double usual = cluster->definition.hang_seconds;
    cluster->hang_seconds = hang_seconds > 0 && hang_seconds < usual ? hang_seconds : usual;
}

void cor_cluster_moved(const struct cor_cluster *cluster) {
    processes__guard_renew();
    processes__guard_begin(cluster->hang_seconds);
}

/* Calling a process. */

static bool is_well(const struct cor_cluster *cluster) {
    return cluster->end == COR_PROCESS_END_NONE && !cluster->suspect;
}

/* The call, and then observe() if the process is well. */
static void make_calls(void *data) {
    const struct call *call = data;
    struct processes__member *member = call->member;
    struct cor_cluster *cluster = member->cluster;
    const struct cor_process *program = call->member->cluster->program;
    const struct cor_process_host *host = &call->member->host;
    void *me = call->member->me;
    switch (call->function) {
    case START:
        program->start(me, host, call->stored);
        break;
    case RECEIVE:
        program->receive(me, host, call->from, call->which, call->bytes, call->size);
        break;
    case ALARM:
        program->alarm(me, host, call->which);
        break;
    case COMPLETED:
        program->completed(me, host, call->ticket, call->which);
        break;
    case INPUT:
        program->input(me, host, call->which, call->bytes, call->size);
        break;
    }
    if (!is_well(cluster) || cluster->guard.is_interrupted)
        return;
    cluster->verb = "observe";
    cluster->host_calls = 0;
    processes__guard_next(&cluster->guard);
    cluster->program->observe(member->me, member->shown);
}

/* The guard left a call by force. What took too long is only suspected: the machine may have been slow. */
static void leave_behind(struct processes__member *member) {
    struct cor_cluster *cluster = member->cluster;
    char sentence[400];
    for (uint32_t p = 0; p < cluster->definition.process_count; p++)
        cluster->members[p].arena.is_soiled = true;
    if (cluster->guard.end == COR_PROCESS_END_HANG && !cluster->guard.is_certain) {
        cluster->suspect = member;
        return;
    }
    processes__guard_sentence(&cluster->guard, sentence, sizeof sentence);
    processes__end(member, (enum cor_process_end)cluster->guard.end, "%s", sentence);
}

/* Takes over what a process shows; what cannot be is its end. */
static void take_value(struct processes__member *member, uint32_t a, union cor_process_value value) {
    struct cor_cluster *cluster = member->cluster;
    const struct cor_process_attribute *attribute = &cluster->program->attributes[a];
    const uint32_t count = cluster->definition.process_count;
    uint64_t all = count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX, bits;
    memcpy(&bits, &value, sizeof bits);
    if (attribute->type == COR_PROCESS_WORD && value.count >= attribute->word_count)
        processes__end(member, COR_PROCESS_END_ABSURD, "it shows word %llu of %s, which has %u",
                       (unsigned long long)value.count, attribute->name, attribute->word_count);
    else if (attribute->type == COR_PROCESS_COUNT && value.count > COUNT_MOST)
        processes__end(member, COR_PROCESS_END_ABSURD, "it shows %s %llu, which is above 2^53",
                       attribute->name, (unsigned long long)value.count);
    else if (attribute->type == COR_PROCESS_SET && (value.count & ~all))
        processes__end(member, COR_PROCESS_END_ABSURD, "it shows processes in %s that there are not",
                       attribute->name);
    else if (attribute->type == COR_PROCESS_REAL && isnan(value.real))
        processes__end(member, COR_PROCESS_END_ABSURD, "it shows %s as not a number", attribute->name);
    else {
        member->values[a] = value;
        member->changed |= 1u << a;
        processes__mix(cluster, UINT64_C(7) << 56 | (uint64_t)member->number << 32 | a);
        processes__mix(cluster, bits);
    }
}

/* The halves of two values, as every processor can compare them. */
typedef uint32_t halves __attribute__((vector_size(16)));
_Static_assert(COR_PROCESS_ATTRIBUTES_MAX == 32, "a bit of 32 for each, and four at a time");

static halves differing(const union cor_process_value *shown, const union cor_process_value *before,
                        halves bits) {
    halves one, other;
    memcpy(&one, shown, sizeof one);
    memcpy(&other, before, sizeof other);
    return ~(halves)(one == other) & bits;
}

static void take_shown(struct processes__member *member) {
    const uint32_t count = member->cluster->program->attribute_count;
    halves found = {0}, bits = {1, 1, 2, 2}; /* which differ cannot be guessed: without branches */
    const union cor_process_value *shown = member->shown, *before = member->values;
    for (uint32_t a = 0; a < count; a += 4, shown += 4, before += 4, bits <<= 4)
        found |= differing(shown, before, bits) | differing(shown + 2, before + 2, bits << 2);
    uint32_t differ = (found[0] | found[1] | found[2] | found[3]) & (uint32_t)((UINT64_C(1) << count) - 1);
    for (; differ != 0; differ &= differ - 1) {
        const uint32_t a = (uint32_t)__builtin_ctz(differ);
        take_value(member, a, member->shown[a]);
    }
    if (member->changed)
        member->cluster->touched[member->cluster->touched_count++] = (uint8_t)member->number;
}

static void mix_end(struct cor_cluster *cluster) {
    processes__mix(cluster, UINT64_C(8) << 56 | (uint64_t)cluster->end_process << 32 | cluster->end);
    cluster->digest = cor_hash_bytes(cluster->digest, cluster->sentence, strlen(cluster->sentence));
}

static enum cor_status carry_out(struct call *call, struct cor_error *error) {
    struct cor_cluster *cluster = call->member->cluster;
    cluster->error = error;
    cluster->verb = call->verb;
    cluster->host_calls = 0;
    if (cluster->definition.program->is_apart)
        make_calls(call);
    else if (!processes__guard_run(&cluster->guard, make_calls, call))
        leave_behind(call->member);
    if (is_well(cluster))
        take_shown(call->member);
    if (cluster->end != COR_PROCESS_END_NONE)
        mix_end(cluster);
    cluster->error = NULL;
    enum cor_status trouble = cluster->trouble;
    cluster->trouble = COR_OK;
    return trouble;
}

/* With what is durable, in memory as new. */
static enum cor_status start(struct processes__member *member, struct cor_error *error) {
    struct cor_cluster *cluster = member->cluster;
    struct cor_process_stored stored;
    COR_TRY(store_show(&member->store, &stored, error));
    cor_set_add(&cluster->overview.up, member->number);
    cor_set_drop(&cluster->overview.unstarted, member->number);
    member->standing.is_up = true;
    const struct cor_process_set there =
        cor_set_without(cor_set_first(cluster->definition.process_count), cluster->overview.absent);
    memcpy(member->host.there, there.words, sizeof there.words);
    member->me = processes__arena_alloc(&member->arena, cluster->program->state_size);
    struct call call = {.member = member, .verb = "start", .function = START, .stored = &stored};
    if (!member->me) {
        cluster->verb = "start";
        processes__end(member, COR_PROCESS_END_MEMORY, "its state of %zu bytes is larger than its memory",
                       cluster->program->state_size);
        return COR_OK;
    }
    return carry_out(&call, error);
}

static void alarms_off(struct processes__member *member) {
    struct cor_cluster *cluster = member->cluster;
    for (uint32_t left = cluster->overview.alarms[member->number]; left; left &= left - 1)
        member->standing.due[__builtin_ctz(left)] = COR_PROCESS_NEVER;
    cluster->overview.alarms[member->number] = 0;
    cor_set_drop(&cluster->overview.with_alarm, member->number);
}

static void count_writes(struct processes__member *member) {
    const struct processes__store *store = &member->store;
    member->standing.pending_writes = (uint32_t)(store->count - store->durable);
    member->standing.durable_writes = (uint32_t)(store->durable - store->first);
    cor_set_put(&member->cluster->overview.writing, member->number, member->standing.pending_writes > 0);
}

static void draw_from(struct processes__member *member, const struct cor_stream_name *name) {
    struct cor_stream_name own = *name;
    own.purpose = COR_PURPOSE_AGENT;
    own.entity = member->number;
    member->rng = cor_rng_named(&own);
}

void cor_cluster_fork(struct cor_cluster *cluster, const struct cor_stream_name *name) {
    for (uint32_t p = 0; p < cluster->definition.process_count; p++)
        draw_from(&cluster->members[p], name);
}

static void reset_member(struct processes__member *member, const struct cor_stream_name *name) {
    draw_from(member, name);
    processes__arena_reset(&member->arena);
    store_reset(&member->store);
    member->base = member->local_base = 0;
    member->speed = TRUE_SPEED;
    memset(&member->standing, 0, sizeof member->standing);
    for (uint32_t which = 0; which < COR_PROCESS_ALARMS_MAX; which++)
        member->standing.due[which] = COR_PROCESS_NEVER;
    memset(member->values, 0, sizeof member->values);
    memset(member->shown, 0, sizeof member->shown);
    member->changed = 0;
    processes__host_init(member); /* the program can write to it */
}

static enum cor_status reset(struct cor_cluster *cluster, const struct cor_stream_name *name,
                             struct cor_error *error) {
    uint32_t count = cluster->definition.process_count, attributes = cluster->program->attribute_count;
    processes__guard_begin(cluster->hang_seconds);
    processes__talk_again(cluster->talk);
    network_reset(&cluster->network);
    struct cor_cluster_overview *overview = &cluster->overview;
    memset(overview, 0, offsetof(struct cor_cluster_overview, alarms));
    for (uint32_t p = 0; p < count; p++) {
        overview->alarms[p] = 0;
        overview->senders[p] = overview->cut[p] = overview->severed[p] = overview->parted[p] =
            (struct cor_process_set){{0}};
    }
    cluster->now = 0;
    cluster->touched_count = 0;
    cluster->digest = cluster->digest_before = COR_HASH_SEED;
    cluster->told_count = cluster->told_all = 0;
    cluster->end = COR_PROCESS_END_NONE;
    cluster->sentence[0] = '\0';
    cluster->suspect = NULL;
    cluster->was_killed = false;
    cluster->has_put = false;
    struct cor_stream_name inputs = *name;
    inputs.purpose = COR_PURPOSE_AGENT;
    inputs.entity = count <= COR_PROCESSES_ONCE ? COR_PROCESSES_ONCE : COR_PROCESSES_MAX; /* of nobody */
    struct cor_rng rng = cor_rng_named(&inputs);
    cluster->input_key = cor_rng_word(&rng);
    for (uint32_t p = 0; p < count; p++)
        reset_member(&cluster->members[p], name);
    const uint32_t first = cluster->definition.first_count ? cluster->definition.first_count : count;
    overview->absent = cor_set_without(cor_set_first(count), cor_set_first(first));
    const uint32_t begin = cluster->definition.starts_later ? first : 0;
    overview->unstarted = cor_set_first(begin);
    for (uint32_t p = begin; p < first && cluster->end == COR_PROCESS_END_NONE && !cluster->suspect; p++)
        COR_TRY(start(&cluster->members[p], error));
    for (uint32_t p = 0; p < count; p++)
        cluster->members[cluster->touched[p] = (uint8_t)p].changed =
            (uint32_t)((UINT64_C(1) << attributes) - 1);
    cluster->touched_count = count;
    return COR_OK;
}

/* Events. */

static bool can_act(const struct cor_cluster *cluster, uint32_t process) {
    return cor_set_has(&cluster->overview.up, process) && !cor_set_has(&cluster->overview.paused, process);
}

/* The message that an event is about: whether it can come now, and its index. */
static bool find_message(const struct cor_cluster *cluster, const struct cor_process_event *event,
                         bool arrives, uint32_t *index) {
    if (event->peer >= cluster->definition.process_count)
        return false;
    if (arrives &&
        (!can_act(cluster, event->process) || cor_cluster_is_cut(cluster, event->peer, event->process)))
        return false;
    *index = network_find(&cluster->network, event->peer, event->process, event->what, event->ordinal);
    if (*index == UINT32_MAX)
        return false;
    return !arrives || !cluster->definition.is_fifo || *index == 0;
}

#define SPEED_LEAST 1u
#define SPEED_MOST 1000000u

/* *index: of the message, if it is about one. */
static bool is_possible(const struct cor_cluster *cluster, const struct cor_process_event *event,
                        uint32_t *index) {
    const struct cor_process *program = cluster->program;
    uint32_t process = event->process;
    if (process >= cluster->definition.process_count || cluster->end != COR_PROCESS_END_NONE)
        return false;
    const struct processes__member *member = &cluster->members[process];
    const bool is_absent = cor_set_has(&cluster->overview.absent, process);
    switch ((enum cor_process_event_kind)event->kind) {
    case COR_PROCESS_EVENT_DELIVER:
    case COR_PROCESS_EVENT_DUPLICATE:
        return find_message(cluster, event, true, index);
    case COR_PROCESS_EVENT_LOSE:
        return find_message(cluster, event, false, index);
    case COR_PROCESS_EVENT_TIME_OUT:
        return can_act(cluster, process) && event->what < COR_PROCESS_ALARMS_MAX &&
               (cluster->overview.alarms[process] >> event->what & 1);
    case COR_PROCESS_EVENT_DISK:
    case COR_PROCESS_EVENT_DISK_ERROR:
        return can_act(cluster, process) && member->standing.pending_writes > 0;
    case COR_PROCESS_EVENT_INPUT:
        return can_act(cluster, process) && program->input && event->what < program->input_count;
    case COR_PROCESS_EVENT_CRASH:
    case COR_PROCESS_EVENT_CRASH_TORN:
    case COR_PROCESS_EVENT_CRASH_LOST:
        if (!member->standing.is_up)
            return false;
        if (event->kind == COR_PROCESS_EVENT_CRASH_TORN)
            return member->standing.pending_writes > event->ordinal;
        if (event->kind == COR_PROCESS_EVENT_CRASH_LOST)
            return event->what < COR_PROCESS_CELLS_MAX && (member->store.cells_touched >> event->what & 1) &&
                   member->store.cells[event->what].can_be_lost;
        return true;
    case COR_PROCESS_EVENT_RESTART:
        return !member->standing.is_up && !is_absent;
    case COR_PROCESS_EVENT_PAUSE:
        return can_act(cluster, process);
    case COR_PROCESS_EVENT_RESUME:
        return member->standing.is_paused;
    case COR_PROCESS_EVENT_LOSE_ALL:
        return event->peer < cluster->definition.process_count;
    case COR_PROCESS_EVENT_CUT:
        return event->peer < cluster->definition.process_count &&
               !cor_set_has(&cluster->overview.severed[process], event->peer);
    case COR_PROCESS_EVENT_HEAL:
        return event->peer < cluster->definition.process_count &&
               cor_set_has(&cluster->overview.severed[process], event->peer);
    case COR_PROCESS_EVENT_JUMP:
        return event->what <= 1 && !is_absent;
    case COR_PROCESS_EVENT_DRIFT:
        return !is_absent && event->ordinal >= SPEED_LEAST && event->ordinal <= SPEED_MOST;
    case COR_PROCESS_EVENT_TICK:
        return true;
    case COR_PROCESS_EVENT_PART:
        return !cluster->overview.is_parted &&
               cor_process_partition(event, cluster->definition.process_count, NULL);
    case COR_PROCESS_EVENT_UNITE:
        return cluster->overview.is_parted;
    case COR_PROCESS_EVENT_JOIN:
        return is_absent;
    case COR_PROCESS_EVENT_LEAVE: /* somebody stays */
        return !is_absent &&
               cor_set_size(&cluster->overview.absent) + 1 < cluster->definition.process_count;
    case COR_PROCESS_EVENT_DEFAULT: /* is many events, for whoever executes a schedule */
    case COR_PROCESS_EVENT_KIND_COUNT:
        break;
    }
    return false;
}

static enum cor_status receive(struct cor_cluster *cluster, const struct cor_process_event *event,
                               uint32_t index, struct cor_error *error) {
    uint32_t count;
    bool stays = event->kind == COR_PROCESS_EVENT_DUPLICATE;
    struct cor_flight flight = stays ? cor_cluster_flight(cluster, event->peer, event->process, &count)[index]
                                     : network_take(&cluster->network, event->peer, event->process, index);
    struct call call = {.member = &cluster->members[event->process],
                        .verb = "receive",
                        .function = RECEIVE,
                        .from = event->peer,
                        .which = flight.kind,
                        .bytes = flight.bytes,
                        .size = flight.size};
    enum cor_status status = carry_out(&call, error);
    if (!stays)
        network_give_back(&cluster->network, event->peer, &flight);
    return status;
}

static void lose(struct cor_cluster *cluster, const struct cor_process_event *event, uint32_t index) {
    struct cor_flight flight = network_take(&cluster->network, event->peer, event->process, index);
    network_give_back(&cluster->network, event->peer, &flight);
}

/* A link loses all for a time; if it does already, for the longer one. */
static void lose_link(struct cor_cluster *cluster, const struct cor_process_event *event) {
    struct processes__link *link = link_of(&cluster->network, event->peer, event->process);
    const uint64_t until = cluster->now + event->ordinal + 1;
    link->loses_until = until > link->loses_until ? until : link->loses_until;
    if (until > cluster->overview.loses_until)
        cluster->overview.loses_until = until;
    for (; link->count > 0; cluster->overview.lost++)
        lose_oldest(&cluster->network, event->peer, event->process);
}

static enum cor_status time_out(struct processes__member *member, uint32_t which, struct cor_error *error) {
    struct cor_cluster *cluster = member->cluster;
    struct call call = {.member = member, .verb = "alarm", .function = ALARM, .which = which};
    member->standing.due[which] = COR_PROCESS_NEVER;
    cluster->overview.alarms[member->number] &= ~(1u << which);
    if (cluster->overview.alarms[member->number] == 0)
        cor_set_drop(&cluster->overview.with_alarm, member->number);
    return carry_out(&call, error);
}

static enum cor_status complete(struct processes__member *member, bool fails, struct cor_error *error) {
    struct processes__write write = fails ? store_failed(&member->store) : store_done(&member->store);
    count_writes(member);
    struct call call = {.member = member,
                        .verb = "completed",
                        .function = COMPLETED,
                        .ticket = write.ticket,
                        .which = fails ? COR_PROCESS_DISK_ERROR : COR_PROCESS_DONE};
    return carry_out(&call, error);
}

static enum cor_status give_input(struct processes__member *member, const struct cor_process_event *event,
                                  struct cor_error *error) {
    struct cor_cluster *cluster = member->cluster;
    uint64_t words[PROCESSES__INPUT_BYTES / 8];
    uint32_t size = cluster->program->inputs[event->what].bytes;
    uint64_t key = cor_hash_word(cluster->input_key, (uint64_t)event->what << 32 | event->ordinal);
    for (uint32_t i = 0; i < (size + 7) / 8; i++)
        words[i] = cor_hash_word(key, i);
    struct call call = {.member = member,
                        .verb = "input",
                        .function = INPUT,
                        .which = event->what,
                        .bytes = words,
                        .size = size};
    return carry_out(&call, error);
}

static void crash(struct processes__member *member, const struct cor_process_event *event) {
    struct cor_cluster *cluster = member->cluster;
    uint32_t kept = event->ordinal;
    if (kept > member->standing.pending_writes)
        kept = member->standing.pending_writes;
    if (event->kind == COR_PROCESS_EVENT_CRASH_LOST)
        store_lose_cell(&member->store, event->what);
    store_crash(&member->store, kept, event->kind == COR_PROCESS_EVENT_CRASH_TORN);
    processes__arena_reset(&member->arena);
    member->me = NULL;
    alarms_off(member);
    count_writes(member);
    member->standing.is_up = member->standing.is_paused = false;
    cor_set_drop(&cluster->overview.up, member->number);
    cor_set_drop(&cluster->overview.paused, member->number);
}

/* For good: whoever comes in its place has nothing of it, but the random numbers that follow. */
static void leave(struct processes__member *member, const struct cor_process_event *event) {
    struct cor_cluster *cluster = member->cluster;
    if (member->standing.is_up)
        crash(member, event);
    store_reset(&member->store);
    count_writes(member);
    member->base = member->local_base = 0;
    member->speed = TRUE_SPEED;
    cor_set_add(&cluster->overview.absent, member->number);
    cor_set_drop(&cluster->overview.unstarted, member->number);
    lose_all(&cluster->network, member->number, &cluster->overview.senders[member->number]);
}

static void pause(struct processes__member *member, bool is_paused) {
    member->standing.is_paused = is_paused;
    cor_set_put(&member->cluster->overview.paused, member->number, is_paused);
}

static void set_clock(struct processes__member *member, const struct cor_process_event *event) {
    uint64_t local = processes__clock(member, member->cluster->now);
    member->base = member->cluster->now;
    if (event->kind == COR_PROCESS_EVENT_DRIFT)
        member->speed = event->ordinal;
    else if (event->what == 0)
        local += event->ordinal;
    else
        local = local > event->ordinal ? local - event->ordinal : 0;
    member->local_base = local;
    processes__alarms_move(member);
}

/* Which links to a process are cut. */
static void take_links(struct cor_cluster *cluster, uint32_t to) {
    struct cor_cluster_overview *overview = &cluster->overview;
    overview->cut[to] = cor_set_either(overview->severed[to], overview->parted[to]);
    if (cluster->definition.cut_loses)
        lose_all(&cluster->network, to, &overview->cut[to]);
}

/* A partition begins, or is over. */
static void part(struct cor_cluster *cluster, const struct cor_process_event *event) {
    struct cor_cluster_overview *overview = &cluster->overview;
    const uint32_t count = cluster->definition.process_count;
    memset(overview->parted, 0, count * sizeof *overview->parted);
    overview->is_parted =
        event->kind == COR_PROCESS_EVENT_PART && cor_process_partition(event, count, overview->parted);
    for (uint32_t to = 0; to < count; to++) {
        take_links(cluster, to);
        processes__note_change(overview, to);
    }
}

static enum cor_status happen(struct cor_cluster *cluster, const struct cor_process_event *event,
                              uint32_t index, struct cor_error *error) {
    struct processes__member *member = &cluster->members[event->process];
    switch ((enum cor_process_event_kind)event->kind) {
    case COR_PROCESS_EVENT_DELIVER:
    case COR_PROCESS_EVENT_DUPLICATE:
        return receive(cluster, event, index, error);
    case COR_PROCESS_EVENT_LOSE:
        lose(cluster, event, index);
        break;
    case COR_PROCESS_EVENT_LOSE_ALL:
        lose_link(cluster, event);
        break;
    case COR_PROCESS_EVENT_TIME_OUT:
        return time_out(member, event->what, error);
    case COR_PROCESS_EVENT_DISK:
    case COR_PROCESS_EVENT_DISK_ERROR:
        return complete(member, event->kind == COR_PROCESS_EVENT_DISK_ERROR, error);
    case COR_PROCESS_EVENT_INPUT:
        return give_input(member, event, error);
    case COR_PROCESS_EVENT_CRASH:
    case COR_PROCESS_EVENT_CRASH_TORN:
    case COR_PROCESS_EVENT_CRASH_LOST:
        crash(member, event);
        break;
    case COR_PROCESS_EVENT_RESTART:
        return start(member, error);
    case COR_PROCESS_EVENT_PAUSE:
    case COR_PROCESS_EVENT_RESUME:
        pause(member, event->kind == COR_PROCESS_EVENT_PAUSE);
        break;
    case COR_PROCESS_EVENT_CUT:
        cor_set_add(&cluster->overview.severed[event->process], event->peer);
        cluster->overview.severed_count++;
        take_links(cluster, event->process);
        break;
    case COR_PROCESS_EVENT_HEAL:
        cor_set_drop(&cluster->overview.severed[event->process], event->peer);
        cluster->overview.severed_count--;
        take_links(cluster, event->process);
        break;
    case COR_PROCESS_EVENT_PART:
    case COR_PROCESS_EVENT_UNITE:
        part(cluster, event);
        break;
    case COR_PROCESS_EVENT_JOIN:
        cor_set_drop(&cluster->overview.absent, event->process);
        memset(member->shown, 0, sizeof member->shown);
        return start(member, error);
    case COR_PROCESS_EVENT_LEAVE:
        leave(member, event);
        break;
    case COR_PROCESS_EVENT_JUMP:
    case COR_PROCESS_EVENT_DRIFT:
        set_clock(member, event);
        break;
    case COR_PROCESS_EVENT_TICK:
    case COR_PROCESS_EVENT_DEFAULT:
    case COR_PROCESS_EVENT_KIND_COUNT:
        break;
    }
    return COR_OK;
}

/* An event that is possible. */
static inline __attribute__((always_inline)) enum cor_status
make_happen(struct cor_cluster *cluster, const struct cor_process_event *event, uint32_t index,
            struct cor_error *error) {
    while (cluster->touched_count > 0)
        cluster->members[cluster->touched[--cluster->touched_count]].changed = 0;
    cluster->told_count = 0;
    cluster->overview.has_news = false;
    processes__note_change(&cluster->overview, event->process);
    cluster->digest_before = cluster->digest;
    if (event->kind == COR_PROCESS_EVENT_TIME_OUT) {
        uint64_t due = cluster->members[event->process].standing.due[event->what];
        cluster->now = due > cluster->now ? due : cluster->now;
    }
    processes__mix(cluster, cluster->now);
    processes__mix(cluster, (uint64_t)event->kind << 56 | (uint64_t)event->process << 48 |
                                (uint64_t)event->peer << 40 | (uint64_t)event->what << 32 | event->ordinal);
    return happen(cluster, event, index, error);
}

/* The reset and so many events again, until somebody is suspected; *at: how many events were begun. */
static enum cor_status repeat(struct cor_cluster *cluster, size_t *at, struct cor_error *error) {
    COR_TRY(reset(cluster, &cluster->name, error));
    for (*at = 0; *at < cluster->past_count && !cluster->suspect;) {
        const struct cor_process_event *event = &cluster->past[(*at)++];
        uint32_t index = 0;
        cluster->now = event->tick;
        if (is_possible(cluster, event, &index)) /* not so if the program is no pure function */
            COR_TRY(make_happen(cluster, event, index, error));
    }
    return COR_OK;
}

/* A call took too long: all is done again. Only what takes too long at the same place twice in a row is
 * believed not to come back. */
static enum cor_status try_again(struct cor_cluster *cluster, struct cor_error *error) {
    for (size_t before = cluster->past_count, at = before; cluster->suspect; before = at) {
        if (!cluster->has_put)
            COR_TRY(repeat(cluster, &at, error));
        if (!cluster->suspect || at != before)
            continue;
        /* How far it came is a matter of time. */
        cluster->told_count = 0;
        cluster->digest = cor_hash_word(cluster->digest_before, at);
        processes__end(cluster->suspect, COR_PROCESS_END_HANG, "it did not come back");
        cluster->suspect = NULL;
        mix_end(cluster);
    }
    return COR_OK;
}

enum cor_status cor_cluster_reset(struct cor_cluster *cluster, const struct cor_stream_name *name,
                                  struct cor_error *error) {
    COR_TRY(cor_process_load(cluster->definition.program, error));
    cluster->name = *name;
    cluster->past_count = 0;
    COR_TRY(reset(cluster, name, error));
    return cluster->suspect ? try_again(cluster, error) : COR_OK;
}

bool cor_cluster_is_possible(const struct cor_cluster *cluster, const struct cor_process_event *event) {
    uint32_t index;
    return is_possible(cluster, event, &index);
}

enum cor_status cor_cluster_happen(struct cor_cluster *cluster, const struct cor_process_event *event,
                                   bool *happened, struct cor_error *error) {
    uint32_t index = 0;
    if (event->tick > cluster->now)
        cluster->now = event->tick;
    *happened = is_possible(cluster, event, &index);
    if (!*happened)
        return COR_OK;
    if (cluster->past_count == cluster->past_capacity)
        COR_TRY(COR_RESERVE(&cluster->past, &cluster->past_capacity, cluster->past_count + 1, error));
    cluster->past[cluster->past_count] = *event;
    cluster->past[cluster->past_count++].tick = cluster->now;
    COR_TRY(make_happen(cluster, event, index, error));
    return cluster->suspect ? try_again(cluster, error) : COR_OK;
}

enum cor_status cor_cluster_put_mail(struct cor_cluster *cluster, uint32_t from, uint32_t to, uint32_t kind,
                                     const void *bytes, uint32_t size, struct cor_error *error) {
    cluster->has_put = true;
    return processes__network_send(&cluster->network, from, to, kind, bytes, size, cluster->now, error);
}

void cor_cluster_lose_mail(struct cor_cluster *cluster) {
    cluster->has_put = true;
    for (uint32_t to = 0; to < cluster->definition.process_count; to++)
        COR_SET_EACH(from, &cluster->overview.senders[to])
            while (cor_set_has(&cluster->overview.senders[to], from))
                lose_oldest(&cluster->network, from, to);
}

void cor_cluster_forget(struct cor_cluster *cluster) {
    processes__talk_forget(cluster->talk);
}

/* Queries. */

uint64_t cor_cluster_now(const struct cor_cluster *cluster) {
    return cluster->now;
}

uint32_t cor_cluster_process_count(const struct cor_cluster *cluster) {
    return cluster->definition.process_count;
}

const struct cor_process *cor_cluster_program(const struct cor_cluster *cluster) {
    return cluster->program;
}

const struct cor_flight *cor_cluster_flight(const struct cor_cluster *cluster, uint32_t from, uint32_t to,
                                            uint32_t *count) {
    const struct processes__link *link =
        &cluster->network.links[to * cluster->definition.process_count + from];
    *count = link->count;
    return link->count > 0 ? link->flights + link->first : NULL;
}

const struct cor_cluster_overview *cor_cluster_overview(const struct cor_cluster *cluster) {
    return &cluster->overview;
}

const struct cor_process_standing *cor_cluster_standing(const struct cor_cluster *cluster, uint32_t process) {
    return &cluster->members[process].standing;
}

bool cor_cluster_sends_texts(const struct cor_cluster *cluster) {
    return cluster->talk != NULL;
}

bool cor_cluster_is_cut(const struct cor_cluster *cluster, uint32_t from, uint32_t to) {
    return cor_set_has(&cluster->overview.cut[to], from);
}

const union cor_process_value *cor_cluster_values(const struct cor_cluster *cluster, uint32_t process,
                                                  uint32_t *changed) {
    if (changed)
        *changed = cluster->members[process].changed;
    return cluster->members[process].values;
}

const struct cor_told *cor_cluster_told(const struct cor_cluster *cluster, size_t *count) {
    *count = cluster->told_count;
    return cluster->told;
}

const char *cor_cluster_text(const struct cor_cluster *cluster, uint32_t text) {
    return text == PROCESSES__NO_TEXT ? NULL : cor_bytes_text(&cluster->told_texts) + text;
}

#define END_WORD(NAME, word, meaning) word,
COR_WORDS(cor_process_end_word, enum cor_process_end, COR_PROCESS_ENDS(END_WORD))
#undef END_WORD

enum cor_process_end cor_cluster_end(const struct cor_cluster *cluster, uint32_t *process,
                                     const char **sentence) {
    bool has_end = cluster->end != COR_PROCESS_END_NONE;
    if (process)
        *process = has_end ? cluster->end_process : 0;
    if (sentence)
        *sentence = has_end ? cluster->sentence : NULL;
    return cluster->end;
}

bool cor_cluster_is_by_machine(const struct cor_cluster *cluster) {
    return cluster->end == COR_PROCESS_END_HANG || cluster->end == COR_PROCESS_END_MEMORY ||
           (cluster->end == COR_PROCESS_END_GONE && cluster->was_killed);
}

uint64_t cor_cluster_digest(const struct cor_cluster *cluster) {
    return cluster->digest;
}
