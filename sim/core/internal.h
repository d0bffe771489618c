/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What state.c, adoption.c and adoption.c share, and what of configurations and states is about
 * attributes. */
#ifndef CORRIDOR_SIM_CORE_INTERNAL_H
#define CORRIDOR_SIM_CORE_INTERNAL_H

#include <corridor/state.h>

/* Room for so many partitions: while a solution is adopted there may be any number. */
enum cor_status core__structure_reserve(struct cor_structure *structure, uint32_t partitions,
                                        struct cor_error *error) COR_MUST_USE;

/* Members, sums and total anew, where sizes are those of the labels, second memberships not counted. */
void core__state_sum(struct cor_state *state);

/* Sizes, sums and total anew, of kinds whose structure is lists. */
void core__state_sum_lists(struct cor_state *state);

/* May an agent take no step in a case: by idling, or because it is not there? */
static inline bool core__may_idle(const struct cor_configuration *configuration) {
    return configuration->idle_ratio > 0 || configuration->presence_chain;
}

/* An agent in an organization by its label; COR_NOBODY: in none after all. */
struct core__place {
    uint32_t agent, label;
};

struct cor_adopter {
    uint32_t agent_count;
    struct cor_lists before; /* the structure before adoption */
    uint32_t *renamed; /* [label] new number of a partition, while numbers are made dense; before, whether it
                          has second memberships */
    uint32_t *count;   /* [label] members of it */
    size_t label_capacity;
    cor_move_watcher *watcher; /* NULL: nobody looks on */
    void *context;             /* the watcher's */
    struct cor_lists now;      /* the structure on the way, for the watcher */
    /* Of kinds other than partitionings; NULL until one is adopted: */
    struct core__place *places; /* owned; what moves have led to, in their order */
    size_t place_count, place_capacity;
    uint32_t *parent;       /* owned; [label] */
    uint32_t *last;         /* owned; [agent] 1 + its last place; 0: it was not moved */
    uint8_t *stays;         /* owned; [agent] whether it still is where it was */
    uint8_t *unnamed;       /* owned; [agent] whether it is to leave, because the solution does not name it */
    uint32_t *agent_start;  /* owned; agent i is in label[agent_start[i] .. agent_start[i + 1]) afterwards */
    uint32_t *agent_labels; /* owned */
    size_t parent_capacity, agent_labels_capacity;
};

/* One adoption under way. Block b of the solution is partition first + b until names are made dense. */
struct core__moving {
    struct cor_adopter *adopter;
    struct cor_state *state;
    const struct cor_adoption_definition *fault;
    struct cor_rng rng; /* of the fault */
    uint32_t first, blocks;
    uint32_t corrupted;
    uint32_t drawn, struck;
    size_t most;  /* of the moves, so many are made */
    size_t moves; /* of the whole adoption */
};

/* The attributes of a state: its columns made, when its segments are known, and freed; as at the beginning;
 * when the agents `first` to `end` - 1 of a segment have perceived; as those of another state; those in a
 * fingerprint that do not follow from the rest. */
enum cor_status core__attributes_create(struct cor_state *state, struct cor_error *error) COR_MUST_USE;
void core__attributes_fini(struct cor_state *state);
void core__attributes_restart(struct cor_state *state);
void core__attributes_perceive(struct cor_state *state, const struct cor_segment *segment,
                               const uint8_t *taken, uint32_t first, uint32_t end);
void core__attributes_take(struct cor_state *state, const struct cor_state *other);
uint64_t core__attributes_hash_state(uint64_t hash, const struct cor_state *state);

#endif
