/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Agents under test behind one face: the interpreter of a design, a C module (aut.h), any program over JSON
 * lines (docs/learn/test-an-agent.md). One call runs one case; whatever the agent does, crashing and lying
 * included, is in the trace.
 *
 * A module or program lives in a process of its own, with a keeper beside it that ends it, and all it
 * started, when the session does or dies. It is started anew for the case after one that did not end by
 * quiet, steps or rounds. A process is forked from the one that opens the session, which therefore has not
 * used z3 or HDF5. */
#ifndef CORRIDOR_AUT_SESSION_H
#define CORRIDOR_AUT_SESSION_H

#include <corridor/interpreter.h>

#define COR_AUT_AHEAD_MOST 256u /* cases announced at a time */

struct cor_traffic;

/* What stands behind a session. */
enum cor_aut_way {
    COR_AUT_INTERPRETER, /* in this process */
    COR_AUT_MODULE,
    COR_AUT_PROGRAM
};

/* Which agent a session is of, and how long it is waited for. Start from cor_default_aut(); cor_aut_open()
 * copies it, and borrows what it points to until the session is closed. */
struct cor_aut_definition {
    struct cor_design
        *design; /* borrowed until the session is closed; words that an agent says are added to its words */
    enum cor_aut_way way;
    const struct cor_agent_code *code; /* INTERPRETER: borrowed until the session is closed; fault and all */
    const char *agent;           /* MODULE: its path; PROGRAM: a command for sh, as "python3 courier.py" */
    const char *fault;           /* MODULE, PROGRAM: one of its own by name; NULL or "none": none */
    const char *design_json;     /* PROGRAM: the design as JSON, for the hello; NULL: none is sent */
    struct cor_traffic *traffic; /* PROGRAM: records it, or replays in its place (traffic.h); NULL: neither */
    bool is_free;                /* MODULE, PROGRAM: no walls are raised around it (walls.h), */
    bool is_full;                /* or all of them, else it is not started */
    uint64_t memory_bytes;       /* MODULE, PROGRAM, with walls: that it may ask for (cell.h) */

    /* Nets for agents that do not come back, both > 0. A module is ended when it has used so much CPU time in
     * one case; a program when a case has taken so long; a module that uses none at
     * all within a case, after 3 s. Limits of steps and rounds count, and do not depend on any clock. */
    double cpu_seconds, answer_seconds;
};

/* The interpreter, to be given its code; nets at 1 s of CPU time and 10 s for an answer. */
struct cor_aut_definition cor_default_aut(struct cor_design *design);

/* What `agent`, as a user names it, is: a path that ends with ".so" is a module, anything else a program. */
enum cor_aut_way cor_aut_way_of(const char *agent);

/* The trigger of a plan that the agent says it does not handle yet. */
#define COR_AUT_NOT_YET (COR_NONE - 1)

struct cor_aut_session;

/* Opens a session; starts the process and asks the agent who it is. COR_STATUS_PLUGIN: a module that cannot
 * be loaded or is of another version (both numbers are said), a program that ends, says nothing or no hello.
 * COR_STATUS_INPUT: it has no such fault (with those it has). The definition is copied, what it points to is
 * borrowed. */
enum cor_status cor_aut_open(const struct cor_aut_definition *definition, struct cor_aut_session **session,
                             struct cor_error *error) COR_MUST_USE;

/* Ends the agent's process and all it started; says bye to a program before. NULL is allowed. */
void cor_aut_close(struct cor_aut_session *session);

/* Runs a case; the trace is cleared first. A pure function of (agent, case) for agents that keep to aut.h.
 * Errors are ours alone (memory, processes), and COR_STATUS_PLUGIN when no process of the agent begins any
 * more; what the agent does is in trace->end. */
enum cor_status cor_aut_run(struct cor_aut_session *session, const struct cor_agent_case *unit_case,
                            struct cor_trace *trace, struct cor_error *error) COR_MUST_USE;

/* Says which cases will be asked for next, in this order: `count` of them, at most COR_AUT_AHEAD_MOST, from
 * `cases` on, which cor_aut_run is then given one by one. They are copied. A hint that changes no trace: a
 * module runs many of them at a time, so that a switch of processes serves many. Whoever asks for another
 * case after all gets it, and the hint is forgotten. */
enum cor_status cor_aut_ahead(struct cor_aut_session *session, const struct cor_agent_case *cases,
                              uint32_t count, struct cor_error *error) COR_MUST_USE;

/* At the beginning of a suite, so that what an agent keeps between cases does not depend on who ran what
 * before: the next case runs in a fresh process, unless a program has said that it forgets each case when it
 * is over. */
enum cor_status cor_aut_begin_suite(struct cor_aut_session *session, struct cor_error *error) COR_MUST_USE;

/* The next case runs in a fresh process whatever the agent says: before a case is repeated. */
enum cor_status cor_aut_restart(struct cor_aut_session *session, struct cor_error *error) COR_MUST_USE;

/* What the agent calls itself and its version; of an interpreter, the design's name and "". */
const char *cor_aut_name(const struct cor_aut_session *session);
const char *cor_aut_version(const struct cor_aut_session *session);

/* The faults of a module or program, by name and with what they mean; 0 of an interpreter. `fault` is below
 * the count. */
uint32_t cor_aut_fault_count(const struct cor_aut_session *session);
const char *cor_aut_fault_name(const struct cor_aut_session *session, uint32_t fault);
const char *cor_aut_fault_meaning(const struct cor_aut_session *session, uint32_t fault);

/* The event that the agent wires the plan to; COR_NONE: it has no such plan, or wires it to nothing the
 * design knows; COR_AUT_NOT_YET. */
uint32_t cor_aut_trigger(const struct cor_aut_session *session, uint32_t plan);

/* How the last process that had to be ended or ended by itself did, and the end of what it wrote to standard
 * error: for people, never for results. Empty if none did. */
const char *cor_aut_last_words(const struct cor_aut_session *session);

/* The interpreter of an INTERPRETER session, for its branches; else NULL. */
struct cor_interpreter *cor_aut_interpreter(struct cor_aut_session *session);

#endif
