/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interpreter: executes contexts and bodies of plans as a design writes them, so that a design is an
 * agent under test by itself, and a change of it a fault.
 *
 * A post evaluates the contexts of all handlers of the event, in the order of the plans, and reports them;
 * then the first applicable plan is started, and when it fails the next of those that were applicable at the
 * post. The post waits. It fails when none is applicable or all fail, and then the plan that posted fails,
 * unless the post is optional. Sends and actions are never waited for. An expression without a value
 * (overflow, division by zero) makes the plan fail where it stands. After a write the rules of that belief
 * set are looked at: what they post is recorded, not run.
 *
 * A step is a statement that is executed (an "if" or "while" each time its condition is) or a plan that is
 * started. A round is a plan that is started within itself. There is no recursion: a plan that posts to
 * itself without end ends by one of the two limits.
 *
 * A post that is not waited for is an intention of its own, and so is each strand of a plan. Where several
 * can go on, turns.h says whose turn it is, step by step: the contexts of a post and the start of a plan are
 * one step. A plan goes on when its strands have ended, and fails if one of them has. Nothing else is drawn.
 */
#ifndef CORRIDOR_INTERPRETER_H
#define CORRIDOR_INTERPRETER_H

#include <corridor/trace.h>

/* One case of one agent: a value combination (000, 5.3). */
struct cor_agent_case {
    uint32_t event;                    /* that is posted */
    const struct cor_value *arguments; /* borrowed; [parameter] */
    const struct cor_value *beliefs;   /* borrowed; [field] what the agent believes at first */
    uint64_t seed;                     /* of the agent's own random stream, and of interleavings */
    uint32_t interleaving;             /* who takes turns with whom; see turns.h */
    const struct cor_said_turn
        *turns;          /* borrowed; turns that are said, ascending: the rest are drawn. One that */
    uint32_t turn_count; /* cannot be, since its intention cannot go on then, is passed over */
    bool tells_turns;    /* the trace gets those that are otherwise than in the first interleaving */
    uint32_t steps;      /* limit: one more ends the case */
    uint32_t rounds;     /* limit: a plan with so many starts of itself around it, and one more, is not
                            started again */
};

struct cor_interpreter;

/* For an agent, which must outlive it and stay as it is. NULL when memory is out. */
struct cor_interpreter *cor_interpreter_create(const struct cor_agent_code *code);

/* Frees the interpreter. NULL is allowed. */
void cor_interpreter_destroy(struct cor_interpreter *interpreter);
COR_DESTROYS(cor_interpreter, struct cor_interpreter)

/* Executes one case; the trace is cleared first. Allocates only while traces and stacks still grow.
 * COR_STATUS_MEMORY is the only status. */
enum cor_status cor_interpreter_run(struct cor_interpreter *interpreter,
                                    const struct cor_agent_case *unit_case, struct cor_trace *trace,
                                    struct cor_error *error) COR_MUST_USE;

/* Which ways the branches of the plan have gone since the last clear: [branch], bit 0: the condition held,
 * bit 1: it did not. */
const uint8_t *cor_interpreter_branches(const struct cor_interpreter *interpreter, uint32_t plan);

/* Forgets which ways branches have gone. */
void cor_interpreter_clear_branches(struct cor_interpreter *interpreter);

#endif
