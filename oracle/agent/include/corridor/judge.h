/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the cases of a unit say of an agent (000, 2.1 to 2.3): every trace is judged against the design, and
 * when all cases are run the unit is. What is found is data; its words are rows of COR_AUT_CHECKS.
 *
 *   cor_unit_judgement_begin -> cor_judge_case for each case -> cor_judge_unit
 *
 * Readings, where the paper is silent:
 * - What "never" happens is judged over valid cases, contexts over all. A post, message, action or write is
 *   missed only by a plan that completed in at least one of them.
 * - An event with one handler is judged in the unit of that: its variables are the event's.
 * - A context is compared with the design's on the values at hand: arguments of the post, beliefs of the case
 *   and what was reported as written since.
 * - Some findings need the cases of an event of their own, in which the variables of all its handlers vary:
 *   a plan is never chosen, or differs in its context, only if there, too, it is never started, or neither
 *   gap nor overlap shows it. cor_unit_judgement_asks names these events.
 * - A finding is a consequence if another of the unit, or of a unit that it needs, explains it
 *   (cor_judge_unit). */
#ifndef CORRIDOR_JUDGE_H
#define CORRIDOR_JUDGE_H

#include <corridor/agent_terms.h>
#include <corridor/interpreter.h>
#include <corridor/rows.h>
#include <corridor/unit.h>

/* Cases in which something was seen. */
struct cor_sightings {
    uint32_t hit;      /* cases */
    uint32_t smallest; /* the one with the fewest reported events, the first of these; COR_NONE: none */
    uint32_t size;     /* its number of events */
};

/* What was seen of a plan of the unit. */
struct cor_judged_plan {
    uint32_t plan;
    struct cor_sightings considered; /* its context was evaluated, or it was started, for its trigger */
    struct cor_sightings due, undue; /* thereof such in which the context of the design holds, and does not */
    struct cor_sightings held, failed_to_hold; /* its context, for its trigger */
    struct cor_sightings differs;              /* its context is not the design's */
    struct cor_sightings applicable;           /* valid cases in which it held */
    struct cor_sightings started, started_valid;
    struct cor_sightings completed;        /* valid cases in which it started and completed */
    struct cor_sightings failed;           /* valid cases in which it started and failed */
    struct cor_sightings failed_by_itself; /* thereof without a failure of what it posted */
    struct cor_sightings
        told; /* valid cases of an event's own in which it differs, and gap or overlap shows it */
    struct cor_sightings open; /* cases that a limit ended while it was the innermost of the unit's plans */
    bool has_turn; /* in a valid case its context is that of the first handler that holds, by the design */
    uint32_t first_use; /* among the uses: its posts, sends, does and writes, as the design lists them */
};

/* An event that is judged in the unit: the unit's own, or a trigger of which the unit has the one handler. */
struct cor_judged_event {
    uint32_t event;
    struct cor_sightings posted;      /* valid cases that post it */
    struct cor_sightings reached;     /* cases in which it came to a plan */
    struct cor_sightings not_covered; /* valid cases that find no applicable plan */
    struct cor_sightings overlapping; /* valid cases that find several */
    uint32_t uncovered;               /* cases that find none, valid or not */
};

/* Something the design lists for a plan: an event it posts, and so on. */
struct cor_judged_use {
    uint32_t plan, subject;    /* plan of the design; event, message, action or belief set */
    uint8_t kind;              /* enum cor_trace_kind: POSTED, SENT, DID, WROTE */
    struct cor_sightings seen; /* valid cases */
    uint32_t last_case;        /* counted: 1 + its number of order */
};

/* A way round a ring: a plan posts an event, for which another plan of the ring is started. */
struct cor_judged_arc {
    uint32_t poster, event, handler;
    struct cor_sightings seen;
    uint32_t last_case;
};

/* What a trace has and should not: found for a plan and a subject. */
struct cor_judged_oddity {
    enum cor_aut_check check;
    uint32_t plan, subject;
    struct cor_sightings seen;
    uint32_t last_case;
};

/* All that is known of a unit from the cases judged so far. */
struct cor_unit_judgement {
    const struct cor_design *design; /* borrowed */
    const struct cor_units *units;   /* borrowed */
    uint32_t unit;
    const bool *unbuilt; /* borrowed, may be NULL; [plan] it is not there yet: set before the first case.
                            Where it is to handle an event it is taken for a stub that completes */
    uint32_t cases, applicable_cases;   /* judged; such as the design's contexts allow */
    uint32_t interleaved;               /* cases of which interleavings were compared, each once */
    struct cor_sightings all, valid;    /* cases, valid cases: for the smallest */
    struct cor_judged_plan *plans;      /* owned; the members, in their order */
    struct cor_judged_use *uses;        /* owned */
    struct cor_judged_arc *arcs;        /* owned; of a ring, by poster */
    struct cor_judged_event *events;    /* owned */
    struct cor_judged_oddity *oddities; /* owned */
    uint32_t plan_count, use_count, arc_count, event_count, oddity_count;
    size_t oddity_capacity;
    struct cor_sightings ring_closed;                /* a plan of the ring was started within itself */
    struct cor_sightings ring_endless;               /* ... until the limit of rounds */
    struct cor_sightings ended[COR_TRACE_END_CODES]; /* by how the case ended */
    struct cor_sightings repeated, differed;         /* cases that were run twice; such with another trace */
    struct judge__judge_scratch *scratch;            /* owned */
};

/* An empty judgement of a unit; design and units must outlive it. */
enum cor_status cor_unit_judgement_begin(const struct cor_design *design, const struct cor_units *units,
                                         uint32_t unit, struct cor_unit_judgement *judgement,
                                         struct cor_error *error) COR_MUST_USE;

/* Frees what the judgement holds. Idempotent. */
void cor_unit_judgement_fini(struct cor_unit_judgement *judgement);

/* A case as it is judged. */
struct cor_judged_case {
    uint32_t index; /* among the cases of the unit */
    bool valid, applicable;
    const struct cor_agent_case *asked; /* borrowed */
};

/* Judges the trace of one case: linear in its events, but for the depth of a ring. No allocation once a kind
 * of oddity was seen. */
enum cor_status cor_judge_case(struct cor_unit_judgement *judgement, const struct cor_judged_case *judged,
                               const struct cor_trace *trace, struct cor_error *error) COR_MUST_USE;

/* What a case came to, whoever took turns with whom: what the agent believes at the end, and what all starts
 * of each plan came to and left behind, in any order. What is believed in between, and what is posted within
 * the agent, is no outcome. Begins with cor_aut_outcome_init. */
struct cor_aut_outcome {
    const struct cor_design *design; /* borrowed */
    bool is_quiet;            /* nothing but a limit or the agent's end keeps others from being compared */
    struct cor_value *fields; /* owned; of what is no relation */
    struct cor_rows rows;     /* of relations */
    uint64_t *plans;          /* owned; [plan] fingerprint */
    uint32_t *raised;         /* owned; [event] how often rules posted it */
    uint64_t *starts;         /* owned; of the events and intentions of the trace under way */
    size_t capacity;
};

/* For a design, which must outlive it. */
enum cor_status cor_aut_outcome_init(struct cor_aut_outcome *outcome, const struct cor_design *design,
                                     struct cor_error *error) COR_MUST_USE;

/* Frees what the outcome holds. Idempotent. */
void cor_aut_outcome_fini(struct cor_aut_outcome *outcome);

/* Reads it from a trace. */
enum cor_status cor_aut_outcome_read(struct cor_aut_outcome *outcome, const struct cor_agent_case *asked,
                                     const struct cor_trace *trace, struct cor_error *error) COR_MUST_USE;

/* Compares the rows after the last judged case with the rows that the design would leave, if both came to an
 * end, one intention after the other, and started the same plans. Outcomes are the caller's. */
enum cor_status cor_judge_rows(struct cor_unit_judgement *judgement, const struct cor_judged_case *judged,
                               const struct cor_trace *trace, const struct cor_trace *designed,
                               struct cor_aut_outcome outcomes[2], struct cor_error *error) COR_MUST_USE;

/* A case of which interleavings are compared. */
void cor_judge_interleaved(struct cor_unit_judgement *judgement);

/* Compares an interleaving, case `index` with a trace of `size` events, with the first of the same case, the
 * last that cor_judge_interleaved was told of: where they differ, plans race. Beliefs whose set the design
 * says may race are left out. */
enum cor_status cor_judge_interleaving(struct cor_unit_judgement *judgement,
                                       const struct cor_aut_outcome *first,
                                       const struct cor_aut_outcome *other, uint32_t index, uint32_t size,
                                       struct cor_error *error) COR_MUST_USE;

/* Says that a case was run once more, and whether its trace was the same. `size` is that of the first. */
void cor_judge_repetition(struct cor_unit_judgement *judgement, uint32_t index, uint32_t size, bool same);

/* Whether the unit cannot be judged without the cases of that event's own unit. Events are those of the
 * triggers of its plans. */
bool cor_unit_judgement_asks(const struct cor_unit_judgement *judgement, uint32_t event);

/* Something found: check, unit, what it is about, how often, where, why. */
struct cor_finding {
    enum cor_aut_check check;
    enum cor_severity severity;
    uint32_t unit;
    uint32_t plan; /* that did, or did not; COR_NONE: no single one */
    uint32_t
        subject; /* plan, event, message, action, belief set or field, as the check says; COR_NONE: none */
    uint32_t hit, run; /* cases that show it, of those that could; what never happens shows in all */
    uint32_t smallest; /* case with the fewest reported events that shows it, the first of these */
    enum cor_cause cause;
    uint32_t cause_unit; /* that explains it; COR_NONE for a root */
};

/* What was found, of one unit or several. Begins as {0}. */
struct cor_findings {
    struct cor_finding *items; /* owned */
    uint32_t count;
    size_t capacity;
};

/* Frees what the findings hold. Idempotent. */
void cor_findings_fini(struct cor_findings *findings);

/* What is known beyond the unit's own cases. */
struct cor_judge_context {
    const struct cor_unit_judgement *const
        *events; /* borrowed; [event of the design]: the judgement of its own unit, NULL
                    where it was not asked for; may be NULL altogether */
    const struct cor_unit_judgement *intended; /* borrowed, may be NULL: the same unit and cases, run by the
                                             design itself. What a plan that has a body there does in none of
                                             them, the cases do not show, and nobody is blamed for it */
    bool intended_ends; /* given more steps and rounds the design ends by itself in all of them that are valid
                         */
    const struct cor_findings *below; /* borrowed, may be NULL: findings of the units that this one needs */
    bool is_of_one; /* of one case: a context that is not the design's there differs, though that it never
                       holds, or always, is found, too */
};

/* Judges the unit by its cases, and appends what is found, in the order of the checks' numbers, then of the
 * plans. A finding is explained
 *
 * - by one of its own unit: a ring that does not end explains what else its plans do not do; a crash, or
 *   another end that is not the agent's, explains what was not seen; of what one plan leaves out, the first
 *   stands for the rest; a plan that fails because what it posts fails is explained by whatever keeps that
 *   from working;
 * - by a root below that keeps a plan there from working as designed, and can be the cause. */
enum cor_status cor_judge_unit(const struct cor_unit_judgement *judgement,
                               const struct cor_judge_context *context, struct cor_findings *findings,
                               struct cor_error *error) COR_MUST_USE;

/* Is the finding one that is judged better with context->intended? */
bool cor_finding_needs_intention(const struct cor_finding *finding);

/* Is it about a limit of steps or rounds: does it hang on context->intended_ends? */
bool cor_finding_is_of_limit(const struct cor_finding *finding);

/* Is it about all cases of the unit together - what never happens, or always -, so that no single case shows
 * it? */
bool cor_finding_is_of_all(const struct cor_finding *finding);

/* Is it about what depends on who takes turns? */
bool cor_finding_is_race(const struct cor_finding *finding);

/* What kind of part of the design the subject of a check is. */
enum cor_finding_subject {
    COR_SUBJECT_PLAN,
    COR_SUBJECT_EVENT,
    COR_SUBJECT_MESSAGE,
    COR_SUBJECT_ACTION,
    COR_SUBJECT_BELIEF,
    COR_SUBJECT_FIELD
};

/* The kind for a check; PLAN, too, where it has no subject. */
enum cor_finding_subject cor_finding_subject(enum cor_aut_check check);

#endif
