/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a model and what a world shows are the same, by names. The world `efsm` shows itself so; a model beside
 * the run and a planner read any world that does. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_MODEL_MIRROR_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_MODEL_MIRROR_H

#include "whole_page.h"

#include <corridor/beliefs.h>
#include <corridor/efsm_conformance.h>

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
