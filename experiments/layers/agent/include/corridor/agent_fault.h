/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an agent does otherwise than its design, as data: from a file of faults, or by an operator put
 * wherever it fits. A fault is applied to a design and gives an agent; nothing else knows what it changes. */
#ifndef CORRIDOR_AGENT_FAULT_H
#define CORRIDOR_AGENT_FAULT_H

#include <corridor/design.h>

/* What a fault makes of one plan. */
struct cor_fault_plan {
    uint32_t plan;
    char *place;          /* owned; for messages, may be NULL */
    char *trigger;        /* owned; NULL: as designed */
    bool changes_context; /* else as designed */
    char *context;        /* owned; NULL: always applicable */
    bool changes_body;    /* else as designed */
    struct cor_body body;
    bool absent; /* the agent has no such plan */
};

/* A field that starts as something else. */
struct cor_fault_start {
    uint32_t field;
    struct cor_value value;
};

/* A finding that a fault must give, in words; for tests. */
struct cor_fault_finding {
    char *check, *unit, *about; /* owned */
};

/* Operators of cor_agent_mutants. X(P, NAME, number, word, meaning) */
#define COR_FAULT_OPERATORS(X, P)                                                                       \
    X(P, PLAN_ABSENT, 1, "plan_absent", "the plan is missing")                                          \
    X(P, TRIGGER_MISSPELT, 2, "trigger_misspelt", "the plan listens to an event that nobody posts")     \
    X(P, CONTEXT_DROPPED, 3, "context_dropped", "the plan is always applicable")                        \
    X(P, CONTEXT_NEGATED, 4, "context_negated", "the plan is applicable where it should not be")        \
    X(P, CONTEXT_RELATION, 5, "context_relation", "a relation of the context is another one")           \
    X(P, CONTEXT_CONSTANT, 6, "context_constant", "a constant of the context is one more or one less")  \
    X(P, CONTEXT_TERM_DROPPED, 7, "context_term_dropped", "one of the joined conditions is missing")    \
    X(P, BRANCH_RELATION, 8, "branch_relation", "a relation of a condition in the body is another one") \
    X(P, BRANCH_CONSTANT, 9, "branch_constant", "a constant of a condition in the body is off by one")  \
    X(P, BRANCH_SWAPPED, 10, "branch_swapped", "a condition in the body is negated")                    \
    X(P, POST_DROPPED, 11, "post_dropped", "an event is not posted")                                    \
    X(P, POST_ADDED, 12, "post_added", "an event is posted that the design does not list")              \
    X(P, POST_ANOTHER, 13, "post_another", "another event is posted")                                   \
    X(P, ARGUMENT_OFF, 14, "argument_off", "a number handed on is one more or one less")                \
    X(P, SEND_DROPPED, 15, "send_dropped", "a message is not sent")                                     \
    X(P, SEND_ADDED, 16, "send_added", "a message is sent that the design does not list")               \
    X(P, ACTION_DROPPED, 17, "action_dropped", "an action is not carried out")                          \
    X(P, ACTION_ADDED, 18, "action_added", "an action is carried out that the design does not list")    \
    X(P, WRITE_DROPPED, 19, "write_dropped", "a belief is not written")                                 \
    X(P, WRITE_ADDED, 20, "write_added", "a belief is written that the design does not list")           \
    X(P, WRITE_OFF, 21, "write_off", "a number written is one more or one less")                        \
    X(P, LOOP, 22, "loop", "the plan does not come to its end")                                         \
    X(P, FAIL, 23, "fail", "the plan fails at its end")                                                 \
    X(P, RULE_SILENT, 24, "rule_silent", "the rules of a belief set post nothing")                      \
    X(P, START_OFF, 25, "start_off", "a belief starts as something else")

/* COR_OPERATE_<NAME>: the operator that has made a fault, by its number in the list. */
enum cor_fault_operator {
    COR_FAULT_OPERATOR_NONE, /* from a file */
#define COR_FAULT_OPERATOR_NUMBER(P, NAME, number, word, meaning) COR_##P##_##NAME = number,
    COR_FAULT_OPERATORS(COR_FAULT_OPERATOR_NUMBER, OPERATE)
#undef COR_FAULT_OPERATOR_NUMBER
        COR_FAULT_OPERATOR_CODES
};

/* The word of an operator, "?" for a number that none has. */
const char *cor_fault_operator_word(enum cor_fault_operator number);

/* One fault: everything in which the agent departs from its design. Plans, fields and belief sets are
 * indices of the design. */
struct cor_agent_fault {
    char *name;    /* owned; of a mutant "context_negated(P5)", with what tells it from others */
    char *meaning; /* owned; "" if none was said */
    enum cor_fault_operator operator;
    struct cor_fault_plan *plans; /* owned; each plan once */
    uint32_t plan_count;
    struct cor_indices silent;      /* belief sets whose rules post nothing */
    struct cor_fault_start *starts; /* owned */
    uint32_t start_count;
    struct cor_fault_finding *must; /* owned; findings it must give */
    uint32_t must_count;
};

/* Faults of one design, in the order of the file or of cor_agent_mutants. The caller's; filled by the
 * functions below, freed by cor_agent_faults_fini. */
struct cor_agent_faults {
    char *text;                     /* owned; of a file the JSON on one line, else NULL */
    struct cor_agent_fault *faults; /* owned */
    uint32_t count;
    size_t capacity;
};

/* Reads a file of faults of that design, which gets the words it uses. All are compiled once, so that what
 * does not fit is COR_STATUS_INPUT at its place. */
enum cor_status cor_agent_faults_read(struct cor_agent_faults *faults, const char *path,
                                      struct cor_design *design, struct cor_error *error) COR_MUST_USE;

/* The same of JSON text; `name` stands for the file in messages. */
enum cor_status cor_agent_faults_parse(struct cor_agent_faults *faults, const char *text, const char *name,
                                       struct cor_design *design, struct cor_error *error) COR_MUST_USE;

/* Every operator wherever it fits, in the order of plans and operators; all can be applied. A function of the
 * design alone. */
enum cor_status cor_agent_mutants(struct cor_agent_faults *mutants, struct cor_design *design,
                                  struct cor_error *error) COR_MUST_USE;

/* The index of the fault of that name, with a did-you-mean if there is none. */
enum cor_status cor_agent_faults_find(const struct cor_agent_faults *faults, const char *name,
                                      uint32_t *index, struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_agent_faults_fini(struct cor_agent_faults *faults);

/* The agent with the fault, which the caller destroys; the design must outlive it. */
enum cor_status cor_agent_fault_apply(const struct cor_agent_fault *fault, struct cor_design *design,
                                      struct cor_agent_code **code, struct cor_error *error) COR_MUST_USE;

#endif
