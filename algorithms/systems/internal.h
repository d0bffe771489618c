/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of this room share. */
#ifndef CORRIDOR_ALGORITHMS_SYSTEMS_INTERNAL_H
#define CORRIDOR_ALGORITHMS_SYSTEMS_INTERNAL_H

#include <corridor/conversation.h>
#include <corridor/live_world.h>
#include <corridor/terms.h>
#include <corridor/trouble.h>
#include <corridor/world_program.h>

#include <sys/types.h>

#define SYSTEMS__PROTOCOL 1

/* What a program declares of its world. The struct does not move: its declaration points into it. */
struct systems__declared {
    struct cor_world_declaration declaration;
    struct cor_words words; /* all names, too */
    struct cor_entity_type types[COR_WORLD_TYPES_MAX];
    struct cor_action actions[COR_WORLD_ACTIONS_MAX];
    struct cor_world_property *properties;   /* owned; of all types */
    struct cor_action_parameter *parameters; /* owned; of all actions */
    struct cor_domain *domains;              /* owned; those that are lists of words */
    uint32_t *listed;                        /* owned; their words */
    struct cor_declared_entity *entities;    /* owned */
    uint32_t property_count, parameter_count, domain_count, listed_count; /* so far */
    bool has_pictures;
    bool is_renewed; /* a reset makes of it what a fresh process is */
};

/* Takes what a hello says of the world; `declared` is all 0. COR_STATUS_INPUT: it will not do, and why. */
enum cor_status systems__read_declaration(struct systems__declared *declared, const struct cor_json *hello,
                                          struct cor_error *said);
void systems__declared_fini(struct systems__declared *declared);

/* What is known of a word as an identity. */
struct systems__identity {
    uint64_t known; /* the reset since which its type is */
    uint64_t shown; /* the number of the last view that showed it */
    uint32_t type;
};

/* Views of a program, one after the other. Begins as zeros but for `declared`, which is borrowed. */
struct systems__reader {
    struct systems__declared *declared;
    struct cor_world_view view;
    struct cor_shown_entity *entities; /* owned, as all here; each with its capacity */
    struct cor_shown_value *values;
    struct cor_shown_cell *cells;
    struct cor_shown_link *links;
    struct cor_shown_path *paths;
    struct cor_value *arguments;
    uint32_t *gone, *lost, *covered;
    struct systems__identity *identities; /* [word] */
    size_t entity_capacity, value_capacity, cell_capacity, link_capacity, path_capacity, argument_capacity,
        gone_capacity, lost_capacity, covered_capacity, identity_count, identity_capacity;
    uint64_t resets, views;
    uint64_t ticks[COR_TEST_AGENTS_MAX]; /* that each test agent saw last */
    size_t text_bytes;                   /* of words that views brought */
};

/* Views begin anew: nothing is known but what is declared. */
enum cor_status systems__reader_reset(struct systems__reader *reader, struct cor_error *error);
void systems__reader_fini(struct systems__reader *reader);

/* Takes what an answer shows to that test agent. COR_STATUS_INPUT: it is no view of the declaration, and why.
 */
enum cor_status systems__read_view(struct systems__reader *reader, uint32_t test_agent,
                                   const struct cor_json *answer, struct cor_error *said);

/* A process that is talked to. */
struct systems__process {
    struct cor_conversation talk;
    bool was_reset;
    pid_t starter;                 /* the process of ours that started it */
    struct systems__process *next; /* of those kept */
};

#endif
