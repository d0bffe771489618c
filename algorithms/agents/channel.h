/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that a session shares with the process of a module: cases go in, traces come out, many at a time.
 * The session believes nothing that it reads there: agents__channel_take copies first and looks then. */
#ifndef CORRIDOR_ALGORITHMS_AGENTS_CHANNEL_H
#define CORRIDOR_ALGORITHMS_AGENTS_CHANNEL_H

#include "internal.h"

#include <stdatomic.h>

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
