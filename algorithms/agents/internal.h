/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What aut_session.c, module.c and program.c share: an agent as it says of itself, and the two kinds of
 * agents that live in a cell. */
#ifndef CORRIDOR_ALGORITHMS_AGENTS_INTERNAL_H
#define CORRIDOR_ALGORITHMS_AGENTS_INTERNAL_H

#include "trace_report.h"
#include <corridor/conversation.h>

#include <corridor/aut_session.h>

/* Who an agent is: what it says when it is asked first. */
struct agents__identity {
    char *name, *version; /* owned */
    struct agents__fault_text {
        char *name, *meaning; /* owned */
    } * faults;
    uint32_t fault_count;
    size_t fault_capacity;
    bool forgets;       /* what it does in a case depends on no case before, as it says */
    uint32_t *triggers; /* owned; [plan] the event it is wired to, COR_NONE: none that the design knows */
};

/* Forgets all of it; the triggers stay where they are, all COR_NONE. */
void agents__identity_clear(struct agents__identity *identity, uint32_t plan_count);

/* Adds a fault: two texts that are copied. */
enum cor_status agents__identity_add_fault(struct agents__identity *identity, const char *name,
                                           const char *meaning, struct cor_error *error) COR_MUST_USE;

/* Notes that the agent wires a plan to an event, both by name; to NULL: it says that it does not have it yet.
 * Of several, that of the design counts; plans that the design has not are no part of it. */
void agents__identity_wire(struct agents__identity *identity, const struct cor_design *design,
                           const char *plan, const char *event);

/* COR_STATUS_INPUT, with the faults that there are, unless the agent has the fault; `fault` may be NULL or
 * "none". */
enum cor_status agents__identity_has_fault(const struct agents__identity *identity, const char *fault,
                                           const char *place, struct cor_error *error) COR_MUST_USE;

/* How a case ended in which the process died so. */
enum cor_trace_end agents__end_by(enum cor_death death);

/* A C module in a process of its own. */
struct agents__module;

enum cor_status agents__module_create(const struct cor_aut_definition *definition,
                                      struct agents__identity *identity, struct agents__module **module,
                                      struct cor_error *error) COR_MUST_USE;
void agents__module_destroy(struct agents__module *module);
enum cor_status agents__module_ahead(struct agents__module *module, const struct cor_agent_case *cases,
                                     uint32_t count, struct cor_error *error) COR_MUST_USE;
enum cor_status agents__module_run(struct agents__module *module, const struct cor_agent_case *asked,
                                   struct cor_trace *trace, struct cor_error *error) COR_MUST_USE;
void agents__module_stop(struct agents__module *module); /* the next case runs in a fresh process */
const char *agents__module_last_words(const struct agents__module *module);

/* Any program over JSON lines. */
struct agents__program;

enum cor_status agents__program_create(const struct cor_aut_definition *definition,
                                       struct agents__identity *identity, struct agents__program **program,
                                       struct cor_error *error) COR_MUST_USE;
void agents__program_destroy(struct agents__program *program);
enum cor_status agents__program_run(struct agents__program *program, const struct cor_agent_case *asked,
                                    struct cor_trace *trace, struct cor_error *error) COR_MUST_USE;
bool agents__program_in_trouble(const struct agents__program *program);

/* The machine, or whoever else, ended it in its last case. */
bool agents__program_was_killed(const struct agents__program *program); /* ours, not the agent's */
void agents__program_stop(struct agents__program *program);

/* A suite begins that goes on with the process there is: cor_conversation_again. */
void agents__program_again(struct agents__program *program);
const char *agents__program_last_words(const struct agents__program *program);

#endif
