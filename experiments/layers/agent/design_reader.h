/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files that read a design share: the reader, and what each of them reads. Functions that rows of
 * tables call take a struct agent_layer__reader. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_AGENT_DESIGN_READER_H
#define CORRIDOR_EXPERIMENTS_LAYERS_AGENT_DESIGN_READER_H

#include "internal.h"

#include <corridor/fields.h>

#define COR_ITEMS_MAX 1000000 /* plans, events, .. */

/* What is read, with the object under way. */
struct agent_layer__reader {
    struct cor_design_file *file;
    struct cor_design *design;
    const struct cor_json *root;
    uint32_t index;     /* of the belief set, event or plan under way */
    uint32_t parameter; /* of a parameter or variable under way: its index */
    uint32_t slot, domain;
    int kind;           /* of the event under way: enum cor_event_kind */
    const char *belief; /* of a variable: its belief set, NULL: a parameter */
    char place[COR_PLACE_BYTES];
};

/* Gives each condition of an array to what takes them for the object under way: its index, and that of its
 * parameter or variable. */
typedef enum cor_status agent_layer__condition_adder(struct cor_design *design, uint32_t index,
                                                     uint32_t parameter, const char *text, const char *place,
                                                     struct cor_error *error);

/* Members of the whole. Rules of belief sets are read when the events are there. */
cor_field_reader agent_layer__read_types, agent_layer__read_beliefs, agent_layer__read_start_values,
    agent_layer__read_events, agent_layer__read_entries, agent_layer__read_messages,
    agent_layer__read_actions, agent_layer__read_plans, agent_layer__read_rings, agent_layer__read_settings;

/* Cases that were solved for, behind those. */
enum cor_status agent_layer__read_solved_cases(const struct cor_json *json, struct cor_design_file *file,
                                               struct cor_error *error) COR_MUST_USE;

#endif
