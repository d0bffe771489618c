/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/walk.h>

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

void cor_walk_init(struct cor_walk *walk) {
    *walk = (struct cor_walk){0};
}

void cor_walk_fini(struct cor_walk *walk) {
    free(walk->states);
    free(walk->memory);
    cor_walk_init(walk);
}

enum cor_status cor_walk_resize(struct cor_walk *walk, uint32_t chain_count, uint32_t case_count,
                                struct cor_error *error) {
    size_t rows = (size_t)case_count + 1; /* the states before the first case have a row of their own */
    if (chain_count > 0 && rows > SIZE_MAX / chain_count)
        return cor_fail_memory(error);
    COR_TRY(COR_RESERVE(&walk->states, &walk->capacity, chain_count * rows, error));
    walk->chain_count = chain_count;
    walk->case_count = walk->known = case_count;
    return COR_OK;
}

enum cor_status cor_walk_of_chains(struct cor_walk *walk, uint32_t chain_count, uint32_t case_count,
                                   const uint8_t *states, struct cor_error *error) {
    COR_TRY(cor_walk_resize(walk, chain_count, case_count, error));
    for (uint32_t chain = 0; chain < chain_count; chain++)
        for (uint32_t i = 0; i <= case_count; i++)
            walk->states[(size_t)i * chain_count + chain] = *states++;
    return COR_OK;
}

enum cor_status cor_source_find(const char *name, const struct cor_source **source, struct cor_error *error) {
#define COR_SOURCE(name) &cor_source_##name,
    static const struct cor_source *const sources[] = {COR_SOURCES(COR_SOURCE)};
#undef COR_SOURCE
    enum { COUNT = sizeof sources / sizeof *sources };
    const char *known[COUNT + 1] = {NULL};
    for (size_t i = 0; i < COUNT; i++) {
        known[i] = sources[i]->name;
        if (strcmp(known[i], name) == 0) {
            *source = sources[i];
            return COR_OK;
        }
    }
    char remedy[256];
    cor_known_names(name, known, remedy, sizeof remedy);
    return cor_fail(error, COR_STATUS_INPUT, NULL, remedy, "unknown source of walks \"%s\"", name);
}

static enum cor_status reserve_memory(struct cor_walk *walk, struct cor_error *error) {
    const struct cor_source *source = walk->definition.source;
    walk->memory_size = source->memory ? source->memory(&walk->definition) : source->memory_size;
    return cor_array_reserve(&walk->memory, &walk->memory_capacity, walk->memory_size, 1, error);
}

enum cor_status cor_walk_begin(struct cor_walk *walk, const struct cor_walk_definition *definition,
                               struct cor_error *error) {
    const struct cor_source *source = definition->source;
    COR_ASSERT(!definition->branch || definition->branch->prefix <= definition->case_count ||
               source == &cor_source_recorded);
    COR_ASSERT(!definition->case_identity || source == &cor_source_recorded);
    COR_TRY(cor_walk_resize(walk, definition->chain_count, definition->case_count, error));
    walk->definition = *definition;
    walk->definition.name.purpose = COR_PURPOSE_WALK;
    COR_TRY(reserve_memory(walk, error));
    if (walk->memory_size > 0)
        memset(walk->memory, 0, walk->memory_size);
    COR_TRY(source->begin(walk, error));
    COR_ASSERT(walk->known <= walk->case_count && (source->next || walk->known == walk->case_count));
    return COR_OK;
}

enum cor_status cor_walk_reach(struct cor_walk *walk, uint32_t number, const struct cor_observation *observed,
                               struct cor_error *error) {
    COR_ASSERT(number >= 1 && number <= walk->case_count && walk->known + 1 >= number);
    if (number <= walk->known)
        return COR_OK;
    COR_TRY(walk->definition.source->next(walk, observed, error));
    COR_ASSERT(walk->known >= number && walk->known <= walk->case_count);
    return COR_OK;
}

bool cor_walk_sees(const struct cor_walk *walk) {
    return walk->definition.source->see != NULL;
}

void cor_walk_see(struct cor_walk *walk, uint32_t number, const struct cor_reaction *reaction) {
    if (walk->definition.source->see)
        walk->definition.source->see(walk, number, reaction);
}

void cor_walk_end(struct cor_walk *walk) {
    walk->case_count = walk->known;
    if (walk->definition.source->end)
        walk->definition.source->end(walk);
}

void cor_walk_cut(struct cor_walk *walk, uint32_t last) {
    COR_ASSERT(!walk->definition.source->next && last <= walk->known);
    walk->case_count = walk->known = last;
}

void cor_walk_fork(struct cor_walk *walk, uint32_t prefix, uint32_t sequence) {
    COR_ASSERT(walk->definition.source->again && prefix <= walk->known);
    walk->definition.name.sequence = sequence;
    walk->definition.source->again(walk, prefix);
}

enum cor_status cor_walk_copy(struct cor_walk *walk, const struct cor_walk *other, struct cor_error *error) {
    COR_TRY(cor_walk_resize(walk, other->chain_count, other->case_count, error));
    walk->definition = other->definition;
    COR_TRY(reserve_memory(walk, error));
    walk->known = other->known;
    if (walk->chain_count > 0)
        memcpy(walk->states, other->states, ((size_t)other->known + 1) * other->chain_count);
    if (walk->memory_size > 0)
        memcpy(walk->memory, other->memory, walk->memory_size);
    return COR_OK;
}

static enum cor_status begin_recorded(struct cor_walk *walk, struct cor_error *error) {
    const struct cor_walk *recorded = walk->definition.recorded;
    (void)error;
    COR_ASSERT(recorded->chain_count == walk->chain_count && recorded->case_count == walk->case_count);
    if (walk->chain_count > 0)
        memcpy(walk->states, recorded->states, ((size_t)walk->case_count + 1) * walk->chain_count);
    return COR_OK;
}

const struct cor_source cor_source_recorded = {
    .name = "recorded", .meaning = "as written in a suite file", .begin = begin_recorded};
