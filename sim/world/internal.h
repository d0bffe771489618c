/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files about beliefs share. An entity is an element of its type, whose properties are columns: one
 * with a domain an attribute, one that refers to an entity a reference. Behind the properties come columns of
 * what is known about the entity, see beliefs.h. */
#ifndef CORRIDOR_SIM_WORLD_INTERNAL_H
#define CORRIDOR_SIM_WORLD_INTERNAL_H

#include <corridor/beliefs.h>

/* What is known about an entity beside its properties: columns, in this order. */
enum { WORLD__UNSEEN, WORLD__SEEN_AT, WORLD__CHANGED_AT, WORLD__TRIED, WORLD__OWN_COUNT };

enum { WORLD__CYCLE, WORLD__REWARD, WORLD__SYMBOL_COUNT };

/* A property, as conditions know it. */
struct world__property {
    uint32_t place;  /* among the attributes, or among the references */
    uint64_t naming; /* a hash of its name */
    bool is_reference;
    bool is_discrete; /* truth, a word, an entity: part of the abstract state */
};

struct world__type {
    struct world__property *properties; /* in the vocabulary's */
    uint32_t property_count;
    uint32_t valued;          /* attributes that are properties, the first; behind them its own, */
    uint32_t attribute_count; /* and at last "floor", 0, if it stands in a cell and has none */
    uint32_t reference_count;
    uint32_t in;      /* the reference to what it is in; COR_NONE: in nothing */
    uint32_t parent;  /* the type of that */
    uint32_t cell[3]; /* attributes: column, row, floor; COR_NONE: it stands in no cell */
    uint64_t naming;
};

/* The entity of an identity, and its name. */
struct world__mention {
    uint32_t identity, type, element;
};

struct cor_world_vocabulary {
    const struct cor_world_declaration *declaration; /* borrowed */
    struct world__type *types;                       /* owned */
    struct world__property *properties;              /* owned; of all types */
    struct cor_attribute *attributes;                /* owned; of all types */
    struct cor_relation *relations;                  /* owned; of all types */
    struct cor_element_type *element_types;          /* owned */
    struct cor_named_element *named;                 /* owned; identities and aliases, by name */
    size_t named_capacity;
    char **aliases; /* owned */
    size_t alias_count, alias_capacity;
    struct cor_definition *definitions; /* owned; those of every world, then the vocabulary's own */
    size_t definition_capacity;
    struct world__mention *mentions; /* owned */
    size_t mention_count, mention_capacity;
    uint32_t *element_counts; /* owned; [type] */
    struct cor_symbol symbols[WORLD__SYMBOL_COUNT];
    struct cor_shape shape;
    struct cor_scope scope;
};

/* What is known of a word as an identity. */
struct world__identity {
    uint64_t naming;  /* a hash of its text; 0: not asked for yet */
    uint64_t claimed; /* the number of the view that is being looked at, if that says its type, */
    uint64_t shown;   /* or shows it */
    uint32_t claimed_type;
    uint32_t type, element; /* COR_NONE: no entity that is known */
};

#define WORLD__ROWS 8 /* of the history of an entity */

/* The elements of a type. All arrays have room for `capacity` of them. */
struct world__elements {
    uint32_t count, capacity;
    uint32_t absent_count;
    void **values, **before;             /* owned; [attribute][element], double or int64_t */
    uint8_t **unknown, **unknown_before; /* owned; [attribute][element]; NULL of its own */
    uint32_t **references;               /* owned; [reference][element] */
    uint8_t *absent, *absent_before;     /* owned */
    uint32_t *identities;                /* owned */
    uint32_t *in_sight;                  /* owned; where it is in the list; COR_NONE: not seen */
    uint64_t *news;                      /* owned; 1 + the tick that it was shown or told in; 0: none */
    uint64_t *changed;                   /* owned; a bit for each property that changed in this cycle */
    uint32_t *changed_list;              /* owned; what changed in this cycle, each element once: */
    uint8_t *is_listed;                  /* owned */
    uint32_t changed_count;
    struct cor_belief_change *rows; /* owned; WORLD__ROWS for each: a ring */
    uint32_t *row_counts;           /* owned; all that there were */
    uint32_t *member_start; /* owned; of what is in an entity of its type's parent, 2 longer than that */
    uint32_t *members;      /* owned */
    size_t member_start_capacity;
    bool moved;                                  /* members are to be made anew */
    struct cor_attribute_values *columns;        /* owned; as conditions see them, */
    struct cor_attribute_values *columns_before; /* owned */
    struct cor_memberships *collections;         /* owned; and */
    const uint32_t **reference_columns;          /* owned */
};

/* An entity that is seen. */
struct world__seen {
    uint32_t type, element;
};

struct cor_beliefs {
    const struct cor_world_vocabulary *vocabulary;   /* borrowed */
    const struct cor_world_declaration *declaration; /* borrowed */
    struct world__elements *types;                   /* owned; [type] */
    uint32_t type_count;
    struct world__identity *identities; /* owned; [word] */
    size_t identity_count, identity_capacity;
    uint64_t views;           /* that were looked at, also those refused */
    uint32_t *added;          /* owned; [type] what the view that is looked at brings */
    struct world__seen *seen; /* owned */
    size_t seen_count, seen_capacity;
    uint32_t there_count;
    uint64_t cycle, tick;
    bool has_tick;
    uint64_t abstract_state; /* a sum over what is believed */
    struct cor_value values[WORLD__SYMBOL_COUNT];
    struct cor_population *populations, *before; /* owned */
    struct cor_world world;
};

#endif
