/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The world `agents`: what a file says of it (world_agents.c), and the world (world_agents_live.c). */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_WORLD_AGENTS_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_WORLD_AGENTS_H

#include "internal.h"

#include <corridor/agent_fault.h>
#include <corridor/aut_session.h>
#include <corridor/design_file.h>
#include <corridor/efsm_conformance.h>

#define SYSTEM_LAYER__AGENTS_MAX 32
#define SYSTEM_LAYER__SIGNALS_MAX 62 /* messages and percepts: each may be an action of the world */
#define SYSTEM_LAYER__DEEDS_MAX 256

/* An agent under test, or a role that a test agent plays. */
struct system_layer__agent {
    const char *name; /* borrowed from the file's document, as all texts */
    bool is_mock, shows_beliefs;
    struct cor_design_file *file;   /* owned; NULL of a role */
    struct cor_agent_faults faults; /* of its file of faults */
    const char *fault;              /* NULL: none */
    struct cor_agent_code *code;    /* owned; with the fault, if it is interpreted */
    const char *module, *program;   /* NULL: neither; paths are absolute, or as the shell finds them */
    char *path;                     /* owned; of the module */
    uint64_t sends[1];              /* of a role: signals that it may send */
};

/* A message, or a percept: what an agent takes, or sends. */
struct system_layer__signal {
    const char *name;
    uint32_t takers[SYSTEM_LAYER__AGENTS_MAX]; /* [agent]: the event of its design; COR_NONE: it takes none */
    uint64_t reaches;                          /* agents and roles to which it goes, a bit each */
    uint64_t senders;                          /* designs that send it, and roles */
    uint32_t model_agent; /* whose event says what its parameters are; COR_NONE: none has */
    bool is_percept;
};

struct system_layer__agents {
    struct system_layer__world head; /* first */
    struct system_layer__agent agents[SYSTEM_LAYER__AGENTS_MAX];
    struct system_layer__signal signals[SYSTEM_LAYER__SIGNALS_MAX];
    const char *deeds[SYSTEM_LAYER__DEEDS_MAX]; /* actions of designs, by name */
    struct cor_efsm *protocol;                  /* owned; NULL: none */
    uint32_t *protocol_inputs;                  /* owned; [signal or deed behind them]; COR_NONE: none */
    uint32_t agent_count, signal_count, deed_count;
    int order; /* in which messages are delivered */
    /* A changed world: the agents are those of another one, but for this. */
    const struct system_layer__agents *of;
    uint32_t changed;
};

enum { SYSTEM_LAYER__ORDER_DRAWN, SYSTEM_LAYER__ORDER_SENT };

/* Parameter p of the event is what the protocol's input calls so; COR_NONE. */
const struct cor_design_event *system_layer__signal_event(const struct system_layer__agents *agents,
                                                          uint32_t signal);

enum cor_status system_layer__agents_create(const struct system_layer__world *world,
                                            const struct system_layer__world_request *request,
                                            struct cor_live_world **live,
                                            struct cor_error *error) COR_MUST_USE;
enum cor_status system_layer__agents_judge(struct cor_live_world *live, char *why, size_t size,
                                           struct cor_error *error) COR_MUST_USE;

#endif
