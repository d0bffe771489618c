/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of this room share: arcs of a design, reading of bodies and values, equivalence classes. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_AGENT_INTERNAL_H
#define CORRIDOR_EXPERIMENTS_LAYERS_AGENT_INTERNAL_H

#include <corridor/agent_fault.h>
#include <corridor/agent_terms.h>
#include <corridor/fields.h>
#include <corridor/json.h>
#include <corridor/rng.h>
#include <corridor/unit_cases.h>

#define COR_PLACE_BYTES 512

/* Arcs run from a plan over each event it posts to each handler of that. */
static inline const struct cor_indices *agent_layer__handlers(const struct cor_design *design,
                                                              uint32_t event) {
    return &design->events[event].handlers;
}

static inline const struct cor_indices *agent_layer__posts(const struct cor_design *design, uint32_t plan) {
    return &design->plans[plan].posts;
}

/* The event that triggers a plan. */
static inline uint32_t agent_layer__trigger(const struct cor_design *design, uint32_t plan) {
    return design->plans[plan].trigger;
}

/* A text, with its place; a value that is no string is complained about. */
enum cor_status agent_layer__read_text(const struct cor_json *json, const char **text,
                                       char place[COR_PLACE_BYTES], struct cor_error *error) COR_MUST_USE;

/* A value of a domain of the design, which gets the words. */
enum cor_status agent_layer__read_value(const struct cor_json *json, struct cor_design *design,
                                        uint32_t domain, struct cor_value *value,
                                        struct cor_error *error) COR_MUST_USE;

/* An array of statements, appended to the body; what is in them is looked at when the body is compiled. */
enum cor_status agent_layer__read_body(const struct cor_json *json, struct cor_body *body,
                                       struct cor_error *error) COR_MUST_USE;

/* A note for readers: a string. */
enum cor_status agent_layer__read_note(const struct cor_json *json, void *into,
                                       struct cor_error *error) COR_MUST_USE;

/* What divides the values of a variable into classes. */
struct agent_layer__boundaries {
    struct cor_value *values; /* owned; numbers ascending, words in the order of coming; each once */
    uint32_t count;
    size_t capacity;
};

/* The constants of conditions; relations to other slots divide nothing. */
enum cor_status agent_layer__boundaries_add_conditions(struct agent_layer__boundaries *boundaries,
                                                       const struct cor_condition *conditions, uint32_t count,
                                                       struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void agent_layer__boundaries_fini(struct agent_layer__boundaries *boundaries);

/* Classes that grow. */
struct agent_layer__classes {
    struct cor_unit_class *items; /* owned */
    uint32_t count;
    size_t capacity;
};

/* Appends the classes of a domain with these boundaries: valid, samples still null. Numbers ascend. */
enum cor_status agent_layer__classes_add(struct agent_layer__classes *classes,
                                         const struct cor_domain *domain,
                                         const struct agent_layer__boundaries *boundaries,
                                         struct cor_error *error) COR_MUST_USE;

/* Some value of the class, without drawing; conditions whose constants are boundaries hold for all its values
 * or for none. */
struct cor_value agent_layer__class_value(const struct cor_unit_class *class,
                                          const struct cor_domain *domain);

/* The class of the variable that has the value; COR_NONE: none has. */
uint32_t agent_layer__class_of(const struct cor_unit_cases *cases, const struct cor_unit_variable *variable,
                               struct cor_value value);

/* ---- what the files that read a design share: the reader, and what each of them reads. Functions that rows
 * of tables call take a struct agent_layer__reader */

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
