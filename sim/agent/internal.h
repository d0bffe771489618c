/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of this room share. */
#ifndef CORRIDOR_SIM_AGENT_INTERNAL_H
#define CORRIDOR_SIM_AGENT_INTERNAL_H

#include <corridor/design.h>

/* A zeroed item more at the end of an array that is grown by nothing else: its capacity is the least power of
 * two that holds it. NULL when memory is out; then the array is as it was. */
void *agent__append(void **items, uint32_t *count, size_t size);
#define AGENT__APPEND(items, count) agent__append((void **)(items), (count), sizeof **(items))

/* A number more. */
enum cor_status agent__indices_add(struct cor_indices *indices, uint32_t item,
                                   struct cor_error *error) COR_MUST_USE;
void agent__indices_fini(struct cor_indices *indices);

/* Which part has which name: [word of the design's names][what]. */
struct agent__design_index {
    uint32_t (*of)[COR_NAME_COUNT]; /* owned; COR_NONE: nothing */
    size_t capacity;
};

/* The scope of plans that the event triggers, of belief rules at home in `home` if event is COR_NONE. Its
 * symbols are the caller's to free. */
enum cor_status agent__scope_make(struct cor_design *design, uint32_t event, const char *home,
                                  struct cor_scope *scope, struct cor_symbol **symbols,
                                  struct cor_error *error) COR_MUST_USE;

/* Compiles context and body for the scope of `event`. *code is zeroed before. On failure it holds nothing. */
enum cor_status agent__compile(struct cor_design *design, uint32_t event, const char *context,
                               const char *place, const struct cor_body *body, struct cor_plan_code *code,
                               struct cor_error *error) COR_MUST_USE;

/* Frees what the code holds. Idempotent. */
void agent__plan_code_fini(struct cor_plan_code *code);

#endif
