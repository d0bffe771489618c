/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Disks: cells, which are durable at once, and writes, which become durable one after another. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define ALIGNED(size) (((size) + 15) & ~(size_t)15)

void processes__store_fini(struct processes__store *store) {
    free(store->writes);
    free(store->bytes);
    free(store->shown);
    free(store->shown_bytes);
}

void processes__store_reset(struct processes__store *store) {
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

void processes__store_lose_cell(struct processes__store *store, uint32_t which) {
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

struct processes__write processes__store_done(struct processes__store *store) {
    struct processes__write write = store->writes[store->durable];
    if (write.operation & COR_PROCESS_FORGETS)
        store->first = store->durable;
    store->durable++;
    return write;
}

struct processes__write processes__store_failed(struct processes__store *store) {
    struct processes__write write = store->writes[store->durable];
    memmove(store->writes + store->durable, store->writes + store->durable + 1,
            (store->count - store->durable - 1) * sizeof *store->writes);
    store->count--;
    return write;
}

void processes__store_crash(struct processes__store *store, size_t kept, bool is_torn) {
    for (; kept > 0; kept--)
        processes__store_done(store);
    if (is_torn) { /* it forgets nothing: it is not complete */
        store->writes[store->durable].size /= 2;
        store->durable++;
    }
    store->count = store->durable;
    store->used = 0;
    if (store->first < store->count)
        store->used = store->writes[store->count - 1].at + store->writes[store->count - 1].size;
}

enum cor_status processes__store_show(struct processes__store *store, struct cor_process_stored *stored,
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
