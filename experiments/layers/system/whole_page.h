/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A whole view (COR_VIEW_WHOLE) as it is put together: entities one behind the other, each with its values.
 */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_WHOLE_PAGE_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_WHOLE_PAGE_H

#include "internal.h"

#include <corridor/array.h>
#include <corridor/live_world.h>

#include <stdlib.h>

/* Empty is all 0; freed by system_layer__page_fini. */
struct system_layer__page {
    struct cor_shown_entity *entities; /* owned, as the next */
    struct cor_shown_value *values;
    size_t entity_capacity, value_capacity;
    uint32_t entity_count, value_count;
};

static inline void system_layer__page_fini(struct system_layer__page *page) {
    free(page->entities);
    free(page->values);
}

/* Room for so many in all. */
static inline enum cor_status system_layer__page_reserve(struct system_layer__page *page, size_t entities,
                                                         size_t values, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&page->entities, &page->entity_capacity, entities, error));
    return COR_RESERVE(&page->values, &page->value_capacity, values, error);
}

static inline void system_layer__page_clear(struct system_layer__page *page) {
    page->entity_count = page->value_count = 0;
}

/* The next entity, which is in nothing; a value of the one that was put last. There must be room. */
static inline void system_layer__page_entity(struct system_layer__page *page, uint32_t identity,
                                             uint32_t type) {
    COR_ASSERT(page->entity_count < page->entity_capacity);
    page->entities[page->entity_count++] =
        (struct cor_shown_entity){identity, type, COR_NONE, page->value_count, 0};
}
static inline void system_layer__page_value(struct system_layer__page *page, uint32_t property,
                                            struct cor_value value) {
    COR_ASSERT(page->value_count < page->value_capacity);
    page->values[page->value_count++] = (struct cor_shown_value){property, value};
    page->entities[page->entity_count - 1].value_count++;
}

/* What was put since it was cleared, until it is cleared again. */
static inline struct cor_world_view system_layer__page_view(const struct system_layer__page *page,
                                                            uint64_t tick) {
    return (struct cor_world_view){.tick = tick,
                                   .mode = COR_VIEW_WHOLE,
                                   .entities = page->entities,
                                   .values = page->values,
                                   .entity_count = page->entity_count,
                                   .value_count = page->value_count};
}

/* ---- the world `campaign`, for whoever keeps what happened in it */

/* What happened since the first reset, and there was one, as the text of a test file (docs/do/test-files.md).
 * It is executed: *parts says at which case its rows are others than those of what happened, NULL: at none.
 * Both are freed with free(). COR_STATUS_INPUT: no case was executed. */
enum cor_status system_layer__campaign_test(const struct cor_live_world *world, char **text, char **parts,
                                            struct cor_error *error) COR_MUST_USE;

#endif
