/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A whole view (COR_VIEW_WHOLE) as it is put together: entities one behind the other, each with its values.
 */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_WHOLE_PAGE_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_WHOLE_PAGE_H

#include "internal.h"

#include <corridor/array.h>
#include <corridor/efsm_conformance.h>
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

/* ---- how a model and what a world shows are the same, by names. The world `efsm` shows itself so; a model
 * beside the run and a planner read any world that does */

struct system_layer__place {
    int64_t at;
    uint32_t element;
};

/* Properties, types and words are COR_NONE where the world has none. */
struct system_layer__mirror {
    const struct cor_efsm *model;                    /* borrowed, as the next */
    const struct cor_world_declaration *declaration; /* of the world; its words grow */
    uint32_t *inputs;                                /* owned; [action], COR_NONE: it is no input */
    uint32_t *parameters;         /* owned; [action][COR_WORLD_PARAMETERS_MAX]: variables of the model */
    uint32_t *locations, *labels; /* owned; words: [location], [output] */
    uint32_t *values[COR_EFSM_VARIABLES_MAX]; /* owned; words of a variable that has them; else NULL */
    uint32_t system;                          /* the word "system" */
    uint32_t system_type, output_type;
    uint32_t location, quiet;                   /* properties of the system */
    uint32_t label, said, at;                   /* properties of outputs */
    uint32_t variables[COR_EFSM_VARIABLES_MAX]; /* properties: of the system, or of outputs */
    struct system_layer__page page;             /* the last view */
    struct system_layer__place *places;         /* owned; scratch */
    size_t place_capacity;
};

/* To be given to _fini in any case. COR_STATUS_INPUT: no input is an action, or one has other parameters; the
 * model has outputs, and the world shows none. */
enum cor_status system_layer__mirror_init(struct system_layer__mirror *mirror, const struct cor_efsm *model,
                                          const struct cor_world_declaration *declaration,
                                          struct cor_error *error) COR_MUST_USE;
void system_layer__mirror_fini(struct system_layer__mirror *mirror);

/* The input that a command is, its parameters among the `values`, [variable]; COR_NONE: none. */
uint32_t system_layer__mirror_input(const struct system_layer__mirror *mirror,
                                    const struct cor_world_command *command, int64_t *values);

/* What a world shows that is in this state and has answered so: everything, until the next view. */
enum cor_status system_layer__mirror_view(struct system_layer__mirror *mirror, uint32_t location,
                                          const int64_t *values,
                                          const struct cor_efsm_observation *observation,
                                          struct cor_world_view *view, struct cor_error *error) COR_MUST_USE;

#endif
