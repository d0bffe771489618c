/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files about travel share: the map of a test agent, and the memory of what actions did. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_TRAVEL_MAP_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_TRAVEL_MAP_H

#include <corridor/navigator.h>
#include <corridor/travel.h>

/* What of that which stands in the way counts; and, for each, whether hazards do, too. */
enum system_layer__ways {
    SYSTEM_LAYER__THROUGH,     /* nothing */
    SYSTEM_LAYER__AS_BELIEVED, /* what is not open */
    SYSTEM_LAYER__WALLED,      /* all that could be shut */
    SYSTEM_LAYER__WAYS_COUNT
};

/* What is known of a cell. */
struct system_layer__cell {
    uint8_t ground;                /* enum cor_grid_known, as it was shown */
    uint8_t bumps;                 /* times that a step to it led nowhere */
    bool is_bumped;                /* so that it counts as blocked */
    bool is_supposed;              /* nobody saw it, and it counts as blocked */
    uint16_t gates, shut, hazards; /* entities there that could be shut, are, do harm */
};

/* Where an entity that stands in the way was put on the map. */
struct system_layer__obstacle {
    uint32_t cell; /* COR_NONE: nowhere */
    bool is_shut;
    bool was_shut;  /* as it was seen last */
    uint8_t lapses; /* times that it shut though nothing was acted on */
};
#define SYSTEM_LAYER__LAPSES 3 /* then it counts as open for who stands beside it alone */

/* The entities of a type that stand in the way. */
struct system_layer__obstacles {
    uint32_t open; /* the property; COR_NONE: it blocks nothing */
    bool is_hazard;
    struct system_layer__obstacle *items; /* owned; [element] */
    size_t count, capacity;
};

/* A way of the graph. */
struct system_layer__road {
    uint32_t from, to; /* nodes */
    uint32_t weight;   /* as shown; 0: its command leads elsewhere */
    uint32_t failures; /* each doubles what it counts */
    struct cor_world_command command;
    uint32_t next; /* of the same node, 1 + index; 0: none */
};

/* A step whose effect was not seen yet. */
struct system_layer__pending {
    bool is_there;
    uint32_t from, to; /* cells or nodes */
    uint32_t road;     /* COR_NONE: a step on the grid */
    uint64_t cycle;
};

struct system_layer__memory;

struct cor_travel {
    const struct cor_world_declaration *declaration;     /* borrowed */
    struct cor_beliefs *beliefs;                         /* borrowed */
    uint32_t identity;                                   /* of the test agent */
    uint32_t words[6];                                   /* of steps: east, south, west, north, up, down */
    struct system_layer__obstacles *obstacles;           /* owned; [type] */
    struct cor_grid *grids[SYSTEM_LAYER__WAYS_COUNT][2]; /* owned; NULL: no grid */
    struct system_layer__cell *cells;                    /* owned; [cell] */
    struct cor_shown_link *links;                        /* owned */
    size_t link_count, link_capacity;
    struct cor_graph *graph;      /* owned; NULL: no paths */
    uint32_t *nodes, *identities; /* owned; node of a word, COR_NONE: none; identity of a node */
    size_t node_capacity, identity_capacity, word_count;
    struct system_layer__road *roads; /* owned */
    uint32_t *first_road;             /* owned; [node] 1 + index */
    size_t road_count, road_capacity, first_capacity;
    struct cor_navigator *navigator, *floods[2]; /* owned */
    uint64_t flood_revisions[2];                 /* 1 + that of the grid when it was flooded; 0: never */
    uint32_t flood_from[2];
    struct cor_path path, frontier; /* owned */
    uint32_t frontier_next;
    struct cor_grid *frontier_grid; /* borrowed; NULL: no frontier is on the way */
    struct system_layer__pending pending;
    uint64_t cycle; /* of the beliefs, when a view was merged last */
    uint64_t tick;  /* of the newest view */
    uint64_t lag;   /* cycles that the latest step was late */
    bool is_lag_known;
    uint64_t revision;    /* times that something changed that is known of the map */
    uint64_t discoveries; /* cells and nodes that were not known before */
    struct system_layer__act {
        uint32_t action, identity;
        uint64_t cycle;
    } * acts; /* owned; on entities, in their order */
    size_t act_count, act_capacity;
    struct system_layer__missing {
        uint32_t type, element;
        uint64_t seen_at;
    } * missing; /* owned; entities that are not where they were seen last */
    size_t missing_count, missing_capacity;
    bool has_lapses;                       /* some of what stands in the way does shut by itself */
    struct system_layer__memory *memories; /* owned; a list */
    struct system_layer__given_up {
        bool is_there;
        uint32_t action, among;
        uint64_t stamp;
    } given_up; /* last tries by which nothing was learnt, and what was known then: no other goal repeats them
                 */
};

/* The cell in which the test agent stands; COR_GRID_NO_CELL: not known. */
uint32_t system_layer__here(const struct cor_travel *travel);

/* The cell of an entity, or of what it is in; COR_GRID_NO_CELL: not known. */
uint32_t system_layer__cell_of(const struct cor_travel *travel, struct cor_believed entity);

/* The node that the entity is, or is in, and that of the test agent; COR_GRAPH_NO_NODE: not known. Only where
 * there is a graph. */
uint32_t system_layer__node_of(const struct cor_travel *travel, struct cor_believed entity);
uint32_t system_layer__own_node(const struct cor_travel *travel);

/* The command for the first step of a path of the graph. */
void system_layer__take_road(const struct cor_travel *travel, const struct cor_path *path,
                             struct cor_world_command *command);

/* A shortest way to a cell on one of the grids. `enters`: also if it is blocked there, but free ground. */
enum cor_status system_layer__way(struct cor_travel *travel, enum system_layer__ways ways, bool avoids,
                                  uint32_t to, bool enters, struct cor_path *path,
                                  struct cor_error *error) COR_MUST_USE;

/* The command for the first step of a path. */
void system_layer__step(const struct cor_travel *travel, const struct cor_path *path,
                        struct cor_world_command *command);

/* No step was seen yet, so that nobody knows how late views are: a step aside, to see. */
bool system_layer__try_step(const struct cor_travel *travel, struct cor_world_command *command);

/* An earlier step is not seen yet: the command is to wait. */
bool system_layer__waits(const struct cor_travel *travel, struct cor_world_command *command);

/* Cells that were bumped at count as free again, but those that were too often: were there some? */
bool system_layer__forget_bumps(struct cor_travel *travel);

/* Steps and roads that led nowhere too often are worth one more try, since something may have changed. */
enum cor_status system_layer__forgive_bumps(struct cor_travel *travel, struct cor_error *error) COR_MUST_USE;

/* Whoever stands there sees no more of what is around: that counts as blocked until it is shown. */
void system_layer__close_around(struct cor_travel *travel, uint32_t cell);

/* ---- what actions did */

/* A set of entities that were acted on. */
struct system_layer__set {
    uint64_t bits[COR_ACHIEVEMENT_MOST / 64];
};

/* An odd number of the set flips something, or an even number. */
struct system_layer__parity {
    struct system_layer__set set;
    uint32_t pivot; /* a member that no later one of a system has */
    bool is_odd;
};

/* Independent parities, each without the pivots of those before it. */
struct system_layer__parities {
    struct system_layer__parity *items; /* owned */
    size_t count, capacity;
};

/* A property of truth of an entity, and what flips it. */
struct system_layer__switch {
    uint32_t type, element, property;
    bool is_known, value;           /* as it was seen last */
    struct system_layer__set since; /* acted on an odd number of times since then */
    struct system_layer__parities parities;
    uint32_t *spots; /* owned; cells from which it was seen: the latest ones first */
    uint32_t spot_count;
    uint32_t surprises; /* times that it was not as the parities say, or changed though nothing was done */
};
#define SYSTEM_LAYER__SPOTS 8
#define SYSTEM_LAYER__SURPRISES 5

/* What one action did. */
struct system_layer__memory {
    struct system_layer__memory *next; /* owned */
    uint32_t action;
    struct cor_believed *tried; /* owned; entities that were acted on */
    size_t tried_count, tried_capacity;
    bool is_full; /* more than COR_ACHIEVEMENT_MOST were acted on */
    bool is_cut;  /* more than COR_ACHIEVEMENT_STATES combinations, and none that was looked at led on */
    struct system_layer__switch *switches; /* owned */
    size_t switch_count, switch_capacity;
    uint32_t *known; /* owned; [type] elements whose properties are among the switches */
    struct system_layer__late {
        uint32_t tried;
        uint64_t cycle; /* of the view that shows what it did */
    } * late;           /* owned; in their order */
    size_t late_count, late_capacity;
    uint64_t knowledge;              /* grows with what is learnt, and no more when all is */
    uint64_t surprises;              /* grows with what no parity foretold */
    struct system_layer__set moving; /* of those tried: something was seen to change after acts on it */
    uint64_t revision;               /* grows with each change */
};

/* The memory of an action, made if there is none. */
enum cor_status system_layer__memory(struct cor_travel *travel, uint32_t action,
                                     struct system_layer__memory **memory,
                                     struct cor_error *error) COR_MUST_USE;

/* What was a surprise more often than that is no matter of parity: a door that waits, counts, wants an order
 * or two buttons. It counts as it was seen last, whatever is done. */
static inline bool system_layer__is_unruly(const struct system_layer__switch *it) {
    return it->surprises > SYSTEM_LAYER__SURPRISES;
}

/* The value of a switch once those of `acts` were acted on; false: it is not known. */
bool system_layer__foretell(const struct system_layer__switch *it, const struct system_layer__set *acts,
                            bool *value);

/* Which of those acted on an entity is; COR_NONE: nobody acted on it. */
uint32_t system_layer__tried_index(const struct system_layer__memory *memory, struct cor_believed entity);

/* The set and parity without what the parities say of them: empty, and the parity of the rest, if they say
 * it. */
void system_layer__reduce(const struct system_layer__parities *parities, struct system_layer__set *set,
                          bool *is_odd);

/* Takes over a parity: was it new? One that contradicts them makes all forgotten. */
enum cor_status system_layer__add_parity(struct system_layer__parities *parities,
                                         struct system_layer__set set, bool is_odd, bool *is_new,
                                         struct cor_error *error) COR_MUST_USE;

static inline bool system_layer__is_empty(const struct system_layer__set *set) {
    uint64_t all = 0;
    for (size_t w = 0; w < COR_ACHIEVEMENT_MOST / 64; w++)
        all |= set->bits[w];
    return all == 0;
}

static inline bool system_layer__has(const struct system_layer__set *set, uint32_t member) {
    return set->bits[member / 64] >> member % 64 & 1;
}

/* Puts it in, or takes it out. */
static inline void system_layer__flip(struct system_layer__set *set, uint32_t member) {
    set->bits[member / 64] ^= UINT64_C(1) << member % 64;
}

static inline void system_layer__flip_all(struct system_layer__set *set,
                                          const struct system_layer__set *members) {
    for (size_t w = 0; w < COR_ACHIEVEMENT_MOST / 64; w++)
        set->bits[w] ^= members->bits[w];
}

#endif
