/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Designs of agents from JSON ("format": "agent-unit/1"), with the order of their units and the user's own
 * cases. docs/look-up/agents.md is the manual of the file. */
#ifndef CORRIDOR_DESIGN_FILE_H
#define CORRIDOR_DESIGN_FILE_H

#include <corridor/json.h>
#include <corridor/unit_order.h>

#include <stdio.h>

/* A case that the user wrote, or that was solved for: what no class may hit. */
struct cor_own_case {
    uint32_t unit, event;        /* that is posted: a trigger of the unit's plans, or the unit's event */
    struct cor_value *arguments; /* owned; [parameter] */
    struct cor_value *beliefs;   /* owned; [field]; the start value of those not said */
    bool solved, valid;          /* nobody wrote it; its values are valid: the user's always are */
};

/* A design as it was read, with what stands beside it in its file; made by cor_design_file_read or
 * cor_design_file_parse, freed by cor_design_file_destroy. */
struct cor_design_file {
    char *path;                     /* owned; as given */
    char *text;                     /* owned; the JSON on one line, keys as in the file */
    struct cor_design *design;      /* owned; gets the words of samples, too */
    struct cor_unit_order order;    /* of its units */
    struct cor_own_case *own_cases; /* owned; in the order of the file */
    uint32_t own_case_count;
    size_t own_case_capacity;
};

/* Reads a design; "-" is standard input. Whatever does not fit is COR_STATUS_INPUT at its place in the file:
 * unknown keys, names, types, words (with a did-you-mean), names twice, empty enumerations, conditions that
 * exclude every value of what they constrain, contexts and bodies that cannot be parsed or compare what
 * cannot be compared. */
enum cor_status cor_design_file_read(const char *path, struct cor_design_file **file,
                                     struct cor_error *error) COR_MUST_USE;

/* The same of JSON text; `name` stands for the file in messages. */
enum cor_status cor_design_file_parse(const char *text, const char *name, struct cor_design_file **file,
                                      struct cor_error *error) COR_MUST_USE;

/* Frees the file and all it owns. NULL is allowed. */
void cor_design_file_destroy(struct cor_design_file *file);
COR_DESTROYS(cor_design_file, struct cor_design_file)

/* The unit of that name ("PT(P5)"), with a did-you-mean if there is none; `place` may be NULL. */
enum cor_status cor_design_file_unit(const struct cor_design_file *file, const char *name, const char *place,
                                     uint32_t *unit, struct cor_error *error) COR_MUST_USE;

/* A value as a design writes it. */
void cor_design_put_value(struct cor_json_writer *writer, const char *key, const struct cor_design *design,
                          uint32_t domain, struct cor_value value);

/* The arguments of an event as a design writes them, by the names of its parameters: "args". */
void cor_design_put_arguments(struct cor_json_writer *writer, const struct cor_design *design,
                              const struct cor_design_event *event, const struct cor_value *arguments);

/* Plans, events and units as a graph in Graphviz' language: rings in a box, what nothing reaches dashed. */
enum cor_status cor_unit_order_dot(const struct cor_design_file *file, FILE *stream,
                                   struct cor_error *error) COR_MUST_USE;

#endif
