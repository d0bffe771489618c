/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a level's model and what a level shows are the same. An input of the model ("press_b1", "enter_d1",
 * "reach_key") is a whole walk: it is given by the action that ends it, when the test agent presses the
 * button in whose cell it stands, or comes to the cell of the door or the item. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_MODEL_LEVEL_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_MODEL_LEVEL_H

#include <corridor/beliefs.h>
#include <corridor/efsm_conformance.h>
#include <corridor/travel.h>

struct system_layer__level_input {
    uint32_t thing;    /* the word of its identity */
    uint32_t location; /* where one is behind it */
    bool is_press;
};

struct system_layer__level {
    const struct cor_efsm *model;                    /* borrowed; cor_rooms_level_model's */
    const char *test_agent;                          /* borrowed; the one that acts */
    const struct cor_world_declaration *declaration; /* borrowed; the world's */
    struct system_layer__level_input *inputs;        /* owned */
    uint32_t *doors;  /* owned; [variable] word of the door's identity, COR_NONE */
    uint32_t cell[3]; /* where it was after the last command */
    bool has_cell, was_dead;
};

/* To be given to _fini in any case. */
enum cor_status system_layer__level_init(struct system_layer__level *level, const struct cor_efsm *model,
                                         const struct cor_world_declaration *declaration,
                                         const char *test_agent, struct cor_error *error) COR_MUST_USE;
void system_layer__level_fini(struct system_layer__level *level);
void system_layer__level_restart(struct system_layer__level *level);

/* The input that the command has ended, by what is believed after it; COR_NONE: none. Notes where the test
 * agent is now: once for each command. */
uint32_t system_layer__level_end(struct system_layer__level *level, const struct cor_world_command *command,
                                 const struct cor_beliefs *beliefs);

/* A variable that is otherwise in the state, a row of cor_efsm_state_width, than what the last view shows of
 * its door; COR_NONE: none. */
uint32_t system_layer__level_denies(const struct system_layer__level *level,
                                    const struct cor_beliefs *beliefs, const int64_t *row);

/* An input that the model takes in the state and to whose thing there is no way, all that can be reached
 * having been seen; COR_NONE: none. */
enum cor_status system_layer__level_lacks_way(const struct system_layer__level *level,
                                              const struct cor_beliefs *beliefs, struct cor_travel *travel,
                                              const int64_t *row, uint32_t *input,
                                              struct cor_error *error) COR_MUST_USE;

#endif
