/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a test writes down: rows as it goes, and tallies that become rows in the end. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_SYSTEM_ROWS_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_SYSTEM_ROWS_H

#include "internal.h"

#include <corridor/bytes.h>

/* Things by their keys, in the order in which they came. */
struct system_layer__tally {
    struct system_layer__count {
        uint64_t key[3];
        uint64_t count;
        uint32_t first, last; /* cycles */
        uint32_t touched;     /* of entities: actions on it; of cells: 1 if one can stand there */
        uint32_t type;        /* of entities */
    } * items;                /* owned */
    uint32_t *slots;          /* owned; hash table of 1 + index, 0 = free */
    size_t capacity;
    uint32_t count, slot_count;
};

struct system_layer__rows {
    struct system_layer__rig *rig;
    struct cor_record *record;
    struct system_layer__tally entities, cells, steps, covered;
    uint64_t replies;
    struct cor_bytes text; /* of the present command */
};

void system_layer__rows_fini(struct system_layer__rows *rows);

/* What a view showed in a cycle: entities, cells, what was executed; a fingerprint of it. */
enum cor_status system_layer__rows_see(struct system_layer__rows *rows, uint32_t cycle,
                                       const struct cor_world_view *view,
                                       struct cor_error *error) COR_MUST_USE;

/* A command: entities that it touches; a fingerprint; its text. */
enum cor_status system_layer__rows_command(struct system_layer__rows *rows, uint32_t actor, uint32_t cycle,
                                           const struct cor_world_command *command,
                                           struct cor_error *error) COR_MUST_USE;

/* Somebody stood there at the end of a turn. */
enum cor_status system_layer__rows_visit(struct system_layer__rows *rows, uint32_t cycle,
                                         const uint32_t cell[3], struct cor_error *error) COR_MUST_USE;

/* An action between named states, all of them known. */
enum cor_status system_layer__rows_step(struct system_layer__rows *rows, uint64_t from, uint16_t action,
                                        uint64_t to, uint32_t cycle, struct cor_error *error) COR_MUST_USE;

/* A text, cut at 4,000 bytes, into the vector of texts. */
enum cor_status system_layer__rows_text(struct cor_record *record, const char *text, uint64_t *start,
                                        uint32_t *bytes, struct cor_error *error) COR_MUST_USE;

/* The tallies as rows. */
enum cor_status system_layer__rows_put(const struct system_layer__rows *rows,
                                       struct cor_error *error) COR_MUST_USE;

#endif
