/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What aut_session.c and module.c share: an agent as it says of itself, and the two kinds of
 * agents that live in a cell. */
#ifndef CORRIDOR_ALGORITHMS_AGENTS_INTERNAL_H
#define CORRIDOR_ALGORITHMS_AGENTS_INTERNAL_H

#include <corridor/agent_terms.h>
#include <corridor/aut.h>
#include <corridor/aut_session.h>
#include <corridor/conversation.h>
#include <corridor/interpreter.h>
#include <corridor/turns.h>

#include <stdatomic.h>

/* ---- what a module or a program says, becoming a trace: names are looked up in the design, and what is
 * unknown or out of turn ends the case as garbled. One reporter serves both: in the module's own process,
 * where the trace lies in shared memory, and in the session's, where lines of a program are read */

#define AGENTS__EVENTS_MOST (UINT32_C(1) << 16) /* events, values and bytes of new words in one trace */
#define AGENTS__VALUES_MOST (UINT32_C(1) << 16)
#define AGENTS__TEXT_MOST (UINT32_C(1) << 14)
#define AGENTS__NEW_WORD \
    (UINT32_C(1) << 31) /* a word that the design has not: offset in `text`, with this bit */

/* What goes on in one order by itself. */
struct agents__intention {
    /* One level for what it is there for - of a strand its plan -, and one for each plan open in it: what was
     * posted last at it, COR_NONE: nothing. */
    struct agents__level {
        uint32_t plan, event;
    } * levels;     /* owned */
    uint32_t depth; /* of open plans */
    size_t capacity;
    uint32_t waiting, strands; /* who waits for this strand, COR_NONE: it is none; that it waits for */
    uint32_t posted, open;     /* as trace->posted, trace->open, while it is not at hand */
    uint32_t steps;
    bool is_done;
};

struct agents__reporter {
    const struct cor_design *design;
    struct cor_words *words; /* that new words go into; NULL: into `text` */
    uint32_t known_words;    /* of the design: others are new, whoever said them before */
    char *text;              /* room for AGENTS__TEXT_MOST bytes */
    uint32_t text_size;

    struct cor_trace *trace;
    const struct cor_agent_case *asked; /* the case */
    uint32_t step_limit, round_limit;
    bool is_over;           /* the end of the trace is known */
    enum cor_status status; /* of ours: memory */
    struct cor_error *error;

    struct agents__intention *intentions; /* owned; those of a case come first */
    uint32_t intentions_made, intention_count;
    uint32_t now; /* at hand */
    size_t intention_capacity;
    struct cor_turns turns;
    uint32_t *ready; /* owned; room for all that can go on */
    size_t ready_capacity;
    uint32_t *open;              /* owned; [plan] starts of it in the first that have not ended */
    struct cor_value *arguments; /* owned; as many as any event or message has */
};

/* A reporter for a design, which must outlive it; no case has begun. */
enum cor_status agents__reporter_init(struct agents__reporter *reporter, const struct cor_design *design,
                                      struct cor_error *error) COR_MUST_USE;
void agents__reporter_fini(struct agents__reporter *reporter);

/* A case begins: the trace (clear) is given its event. What its memory has room for may be more than what it
 * may hold; it is never made larger than AGENTS__EVENTS_MOST and AGENTS__VALUES_MOST. */
void agents__reporter_begin(struct agents__reporter *reporter, const struct cor_agent_case *asked,
                            struct cor_trace *trace);

/* What an agent may say (aut.h). Each gives false when the case is over. A start is a step by itself. In
 * `by`, NULL is an event that a rule of a belief set posts, on the write just reported; or a write before
 * anything else: what the agent begins with otherwise than it was told. */
bool agents__report_step(struct agents__reporter *reporter);
bool agents__report_context(struct agents__reporter *reporter, const char *plan, bool holds);
bool agents__report_started(struct agents__reporter *reporter, const char *plan);
bool agents__report_ended(struct agents__reporter *reporter, const char *plan, bool ok);
bool agents__report_sent(struct agents__reporter *reporter, const char *by, const char *message,
                         const struct cor_aut_value *arguments, uint32_t count);
bool agents__report_did(struct agents__reporter *reporter, const char *by, const char *action);
bool agents__report_posted(struct agents__reporter *reporter, const char *by, const char *event,
                           const struct cor_aut_value *arguments, uint32_t count);
bool agents__report_wrote(struct agents__reporter *reporter, const char *by, const char *field,
                          const struct cor_aut_value *value); /* field: "set.Field" */

/* A row of a relation was inserted, or (`inserts` is false) that of a key was removed. */
bool agents__report_row(struct agents__reporter *reporter, const char *by, const char *belief, bool inserts,
                        const struct cor_aut_value *values, uint32_t count);

/* Further intentions (aut.h): the number of the new one, 0: the case is over; whose turn it is; the one at
 * hand is done. */
uint32_t agents__report_aside(struct agents__reporter *reporter, const char *by, const char *event,
                              const struct cor_aut_value *arguments, uint32_t count);
uint32_t agents__report_strand(struct agents__reporter *reporter, const char *by);
uint32_t agents__report_turn(struct agents__reporter *reporter);
bool agents__report_done(struct agents__reporter *reporter);

/* The case is over. */
void agents__report_end(struct agents__reporter *reporter, enum cor_trace_end end);

/* Agents are quoted, and can say anything: what is no printable ASCII becomes a question mark. */
void agents__make_printable(char *text);

/* The case is over, garbled: what was said and what was expected. False. */
bool agents__report_garbled(struct agents__reporter *reporter, const char *format, ...) COR_PRINTF(2, 3);

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

/* ---- memory that a session shares with the process of a module: cases go in, traces come out, many at a
 * time. The session believes nothing that it reads there: agents__channel_take copies first and looks then */

#define AGENTS__BATCH COR_AUT_AHEAD_MOST
#define AGENTS__HELLO_TEXT (UINT32_C(1) << 18) /* bytes of names and meanings */

/* The trace of one case while it grows, and where its parts begin. */
struct agents__slot {
    struct cor_trace trace; /* its pointers are of use in the module's process alone */
    uint32_t first_event, first_value, first_text, text_size;
};

/* Cases with their values. */
struct agents__cases {
    const struct cor_design *design;
    struct cor_agent_case *cases;
    struct cor_value *inputs; /* [case * input_count]: arguments, then beliefs */
    uint32_t argument_most, input_count;
    struct cor_said_turn
        *turns; /* those that are said of a case, which is alone then; NULL: they stay where they are */
};

struct agents__channel_head {
    _Atomic uint32_t place; /* twice the cases done, and 1 more within a case */
    _Atomic uint32_t done;  /* cases of the batch whose slots are complete */
    uint32_t is_loaded;     /* not 0: the hello is complete, well or not */
    uint32_t gave_up;       /* not 0: the agent did not return when it was told to */
    uint32_t status;        /* enum cor_status of loading */
    struct cor_error error;
    uint32_t text_count; /* name, version, then name and meaning of each fault, in `hello` */
    uint32_t case_count; /* of the batch */
};

struct agents__channel {
    const struct cor_design *design;
    void *memory; /* shared; all below lies in it */
    size_t size;
    struct agents__channel_head *head;
    char *hello;        /* texts, each with its 0 */
    uint32_t *triggers; /* [plan] */
    struct agents__cases cases;
    struct agents__slot *slots;
    struct cor_trace_event *events;
    struct cor_value *values;
    struct cor_said_turn *told; /* [COR_TURNS_MOST] turns of a case that tells them, which is alone then */
    char *text;
};

/* Shared memory for a design, which must outlive it. */
enum cor_status agents__channel_init(struct agents__channel *channel, const struct cor_design *design,
                                     struct cor_error *error) COR_MUST_USE;
void agents__channel_fini(struct agents__channel *channel);

/* In the module's process: makes the slot of case `index` ready, behind that of the case before. False: there
 * is no room for another in this batch. */
bool agents__channel_open(struct agents__channel *channel, uint32_t index);

/* Copies the trace of case `index`, as far as it came, into `trace`. New words go into `words`. What cannot
 * be so is said by a trace that is garbled. */
enum cor_status agents__channel_take(const struct agents__channel *channel, uint32_t index,
                                     uint32_t known_words, struct cor_words *words, struct cor_trace *trace,
                                     bool *spoilt, struct cor_error *error) COR_MUST_USE;

#endif
