/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The design of one agent as data (000, 2): events that trigger plans, plans that post events, belief sets
 * that both read and write, and the messages and actions that leave the agent. Everything is arrays and
 * indices; whoever reads a design fills it through the functions below, in this order: types, belief sets
 * with fields, events with parameters, rules, messages and actions, plans. Nothing here knows a file format.
 *
 * Slots. Expressions of a plan read one array of values: slot 0 .. field_count-1 are the fields of all belief
 * sets, then come the parameters of the event that triggers the plan. Of each belief set there is one row:
 * that of the key values in scope. A key field that the event has a parameter of the same name for has that
 * parameter's value (cor_design_view). In expressions a parameter hides fields of its name; "set.Field" says
 * which field is meant where several sets have it. */
#ifndef CORRIDOR_DESIGN_H
#define CORRIDOR_DESIGN_H

#include <corridor/agent_terms.h>
#include <corridor/expression.h>

/* Domains that every design has; those of enumerations follow. */
enum { COR_DOMAIN_INTEGER, COR_DOMAIN_REAL, COR_DOMAIN_BOOLEAN, COR_DOMAIN_STRING, COR_DOMAIN_BUILT_IN };

/* How a value stands to what it is compared with: value RELATION other (struct cor_condition). */
enum cor_condition_relation {
    COR_RELATION_LESS,
    COR_RELATION_LESS_EQUAL,
    COR_RELATION_EQUAL,
    COR_RELATION_NOT_EQUAL,
    COR_RELATION_GREATER_EQUAL,
    COR_RELATION_GREATER
};

/* What a value must be for a case to be valid (000, 5.1): ">= 0", "!= null", "< NumberOrdered". A relation to
 * another slot bounds no class: it decides applicability. */
struct cor_condition {
    enum cor_condition_relation relation;
    uint32_t other; /* slot it is compared with; COR_NONE: with `value` */
    struct cor_value
        value; /* of the domain of what it constrains; a number may be a real where integers are meant */
};

/* Numbers that grow. */
struct cor_indices {
    uint32_t *items; /* owned */
    uint32_t count;
    size_t capacity;
};

/* A field of a belief set. Its index among the fields of the design is its slot. */
struct cor_design_field {
    char *name;      /* owned */
    char *full_name; /* owned; "set.Field" */
    uint32_t belief; /* the set it belongs to */
    uint32_t domain;
    bool is_key;            /* it says which row is meant */
    struct cor_value start; /* what a case has that says nothing of it */
};

/* What a design says of a belief set when several intentions are at work. */
enum cor_races { COR_RACES_UNSAID, COR_RACES_NEVER, COR_RACES_ALLOWED };

/* A belief set: fields first_field .. first_field + field_count - 1 of the design. */
struct cor_design_belief {
    char *name; /* owned */
    uint32_t first_field, field_count;
    bool is_relation;     /* it has rows, see rows.h; its last two fields are "exists" and "count" */
    uint32_t row_width;   /* of a relation: fields of a row, the first of the set */
    uint32_t key_count;   /* thereof */
    enum cor_races races; /* may its fields end with a value that depends on who takes turns? */
};

/* On every write to a field of the set: where `when` holds for the row, `event` is posted. */
struct cor_design_rule {
    uint32_t belief, event;
    struct cor_expression when; /* over the slots of the fields */
    struct cor_indices fields;  /* [parameter of the event]: the field that has its value */
};

/* A parameter of an event, or of a message. Parameter p is slot field_count + p of the plans that the event
 * triggers, and of conditions over a message. */
struct cor_design_parameter {
    char *name; /* owned */
    uint32_t domain;
    struct cor_condition *conditions; /* owned; slots as in a plan that this event triggers */
    uint32_t condition_count;
};

/* What triggers plans. always_covered and never_overlaps are what the design promises of its handlers. */
struct cor_design_event {
    char *name; /* owned */
    enum cor_event_kind kind;
    struct cor_design_parameter *parameters; /* owned */
    uint32_t parameter_count;
    bool always_covered;              /* some handler is always applicable */
    bool never_overlaps;              /* never more than one handler is */
    bool coverage_said, overlap_said; /* the design says so itself; else nothing is said */
    bool is_entry;                    /* it can come from outside the agent */
    struct cor_indices handlers;      /* plans with this trigger, as declared */
    struct cor_indices
        keys; /* [field]: the parameter that is the key's value, COR_NONE for most; empty if none */
};

/* A message to another agent, or an action. */
struct cor_design_output {
    char *name;                              /* owned */
    struct cor_design_parameter *parameters; /* owned; of a message: its content */
    uint32_t parameter_count;
};

/* What the body of a plan does, as it is written: statements in the order of the text, those inside another
 * right behind it. */
enum cor_statement_kind {
    COR_STATEMENT_SET,
    COR_STATEMENT_SEND,
    COR_STATEMENT_DO,
    COR_STATEMENT_POST,
    COR_STATEMENT_IF,
    COR_STATEMENT_WHILE,
    COR_STATEMENT_FAIL,
    COR_STATEMENT_PARALLEL, /* holds strands alone */
    COR_STATEMENT_STRAND,   /* statements that are executed beside those of other strands */
    COR_STATEMENT_INSERT,   /* a row */
    COR_STATEMENT_REMOVE
};

/* Of a SEND, a POST, an INSERT or a REMOVE: a parameter of its event or message, or a field, and the
 * expression that gives its value, both as written. */
struct cor_statement_argument {
    char *name, *text; /* owned; parameter and expression */
};

/* A statement as it is written; looked at when its body is compiled. Statements are named by their indices
 * in the body. */
struct cor_statement {
    enum cor_statement_kind kind;
    bool optional; /* POST: the plan goes on when no plan succeeds */
    bool aside;    /* POST: nothing waits for it; an intention of its own */
    char *place;   /* owned; for messages, may be NULL */
    char *subject; /* owned; SET "set.Field", SEND message, DO action, POST event, INSERT, REMOVE set */
    char *text;    /* owned; SET the value, IF and WHILE the condition */
    struct cor_statement_argument *arguments; /* owned; SEND, POST, INSERT, REMOVE */
    uint32_t argument_count;
    size_t argument_capacity;
    uint32_t otherwise; /* IF: where its else-part begins; `end` if there is none */
    uint32_t end;       /* where the statement behind it and what is inside it stands */
};

/* The body of a plan as it is written. Begins with cor_body_init; cor_body_fini frees it, also after it was
 * taken by cor_design_set_code_take. */
struct cor_body {
    struct cor_statement *statements; /* owned */
    uint32_t count;
    size_t capacity;
    struct cor_indices open; /* what holds statements and is not yet closed, while it is being written */
};

/* An empty body; frees nothing. */
void cor_body_init(struct cor_body *body);

/* Frees what the body holds. Idempotent. */
void cor_body_fini(struct cor_body *body);

/* Appends a statement; `place` is where it is written ("file: /pointer"), for messages, and may be NULL. All
 * texts are copied and looked at only when the body is compiled. `subject` and `text` as in struct
 * cor_statement, NULL where the kind has none. What holds statements stays open until cor_body_close. */
enum cor_status cor_body_add(struct cor_body *body, enum cor_statement_kind kind, const char *place,
                             const char *subject, const char *text, bool optional,
                             struct cor_error *error) COR_MUST_USE;

/* An argument of the SEND, POST, INSERT or REMOVE that was added last. */
enum cor_status cor_body_add_argument(struct cor_body *body, const char *name, const char *text,
                                      struct cor_error *error) COR_MUST_USE;

/* The POST that was added last is not waited for. */
void cor_body_set_aside(struct cor_body *body);

/* What follows belongs to the else-part of the innermost open IF, which has none yet. */
void cor_body_else(struct cor_body *body);

/* Does the statement hold others? */
static inline bool cor_statement_holds(enum cor_statement_kind kind) {
    return kind == COR_STATEMENT_IF || kind == COR_STATEMENT_WHILE || kind == COR_STATEMENT_PARALLEL ||
           kind == COR_STATEMENT_STRAND;
}

/* Does it give values by names? */
static inline bool cor_statement_has_arguments(enum cor_statement_kind kind) {
    return kind == COR_STATEMENT_SEND || kind == COR_STATEMENT_POST || kind == COR_STATEMENT_INSERT ||
           kind == COR_STATEMENT_REMOVE;
}

/* Closes the innermost open statement. */
void cor_body_close(struct cor_body *body);

/* A body compiled: flat instructions with jumps, each over expressions of its plan. */
enum cor_instruction_kind {
    COR_INSTRUCTION_SET,    /* field `subject` becomes expression `expression` */
    COR_INSTRUCTION_SEND,   /* message `subject`, its parameters from expressions `expression` onwards */
    COR_INSTRUCTION_DO,     /* action `subject` */
    COR_INSTRUCTION_POST,   /* event `subject`, its parameters from expressions `expression` onwards */
    COR_INSTRUCTION_BRANCH, /* to `target` unless expression `expression` holds */
    COR_INSTRUCTION_JUMP,   /* to `target`; costs no step */
    COR_INSTRUCTION_FAIL,
    COR_INSTRUCTION_FORK,   /* what follows up to its LEAVE is a strand; goes on at `target` */
    COR_INSTRUCTION_LEAVE,  /* the end of a strand; costs no step */
    COR_INSTRUCTION_INSERT, /* into set `subject` a row of expressions from `expression` onwards */
    COR_INSTRUCTION_REMOVE, /* from it the row of such a key */
    COR_INSTRUCTION_JOIN    /* waits for the strands; costs no step */
};

/* One step of a compiled body. `target` is the index of an instruction of the same plan; one behind the last
 * stands for its end. */
struct cor_instruction {
    uint8_t kind; /* enum cor_instruction_kind */
    bool optional, aside;
    uint32_t subject, expression, target;
    uint32_t branch; /* BRANCH: its number among those of the plan */
};

/* A plan as it is executed. */
struct cor_plan_code {
    uint32_t trigger; /* event; COR_NONE: wired to nothing the design knows */
    bool absent;
    bool has_context;                     /* none: always applicable */
    struct cor_expression context;        /* owned */
    struct cor_instruction *instructions; /* owned; the plan completes behind the last */
    uint32_t instruction_count;
    struct cor_expression *expressions; /* owned */
    uint32_t expression_count;
    uint32_t branch_count;
    uint32_t *branch_statements; /* owned; [branch]: the statement of the body */
};

/* A value that a plan's context or body depends on (000, 5.1). */
struct cor_design_variable {
    uint32_t slot;
    struct cor_condition *conditions; /* owned */
    uint32_t condition_count;
    struct cor_value *bounds; /* owned; further boundaries of its classes: constants of the body */
    uint32_t bound_count;
};

/* A plan: what the design says of it, and its context and body as written and as compiled. */
struct cor_design_plan {
    char *name;                            /* owned */
    char *place;                           /* owned; where it is written, may be NULL */
    uint32_t trigger;                      /* event */
    struct cor_design_variable *variables; /* owned */
    uint32_t variable_count;
    struct cor_indices posts, sends, does, writes; /* events, messages, actions, belief sets it may use */
    char *context;                                 /* owned; as written, NULL: none */
    struct cor_body body;
    struct cor_plan_code code; /* context and body, compiled */
};

/* Which combinations of classes are made into cases, for each event by which a unit is entered
 * (docs/look-up/agents.md). */
enum cor_case_policy {
    COR_POLICY_VALID_ALL, /* all combinations of valid classes, and one invalid value at a time */
    COR_POLICY_VALID_T,   /* t-wise combinations of valid classes, and one invalid value at a time */
    COR_POLICY_ALL,       /* all combinations */
    COR_POLICY_T_WISE     /* t-wise combinations of all classes */
};

/* Interleavings of a case, at most: cases of a unit and interleavings have numbers of 32 bits together. */
#define COR_INTERLEAVINGS_MOST 32

/* How the agent is tested unless the user says otherwise. */
struct cor_test_settings {
    uint32_t strength; /* t of the t-wise policies */
    enum cor_case_policy policy;
    uint32_t exhaustive_limit; /* VALID_ALL: of more valid combinations than this only those of VALID_T */
    uint32_t cycle_limit;      /* rounds: how often a plan may be started within itself */
    uint32_t step_limit;       /* statements executed and plans started in a case */
    uint32_t interleavings;    /* of a case in which several intentions are at work: how many are run */
    bool solve;                /* inputs that the samples miss are solved for */
    uint64_t seed;
};

/* What a design says of plans that call each other in a ring. */
enum cor_ring_meaning { COR_RING_UNSAID, COR_RING_MEANT, COR_RING_NOT_MEANT };

/* Plans that are, or are not, to go round in one ring. */
struct cor_design_ring {
    struct cor_indices plans;
    bool meant;
};

/* strength 2, valid-all, 200 combinations, 10 rounds, 1000 steps, 16 interleavings, solved for, seed 1. */
struct cor_test_settings cor_default_test_settings(void);

/* A design as a whole. Events, plans, fields and so on are named everywhere by their indices in these
 * arrays. */
struct cor_design {
    char *name;             /* owned; of the agent */
    struct cor_words words; /* of all values */
    uint32_t said_words; /* the first of them that only agents have said, when that is known; 0: it is not */
    struct cor_words names;     /* of types, belief sets, fields, events, messages, actions and plans */
    struct cor_domain *domains; /* owned, with their names and words */
    uint32_t domain_count;
    struct cor_design_belief *beliefs; /* owned */
    uint32_t belief_count, relation_count;
    struct cor_design_field *fields; /* owned */
    uint32_t field_count;
    struct cor_design_rule *rules; /* owned */
    uint32_t rule_count;
    struct cor_design_event *events; /* owned */
    uint32_t event_count;
    struct cor_indices entries; /* events that can come from outside, in the order in which they were said */
    struct cor_design_output *messages; /* owned */
    uint32_t message_count;
    struct cor_design_output *actions; /* owned */
    uint32_t action_count;
    struct cor_design_plan *plans; /* owned */
    uint32_t plan_count;
    struct cor_design_ring *rings; /* owned */
    uint32_t ring_count;
    struct cor_test_settings settings;
    struct agent__design_index *index; /* owned */
};

/* Names of a design: what cor_design_find looks for. */
enum cor_design_name {
    COR_NAME_TYPE,
    COR_NAME_BELIEF,
    COR_NAME_EVENT,
    COR_NAME_MESSAGE,
    COR_NAME_ACTION,
    COR_NAME_PLAN,
    COR_NAME_COUNT
};

/* A design of nothing, for an agent of this name (copied). NULL when memory is out. */
struct cor_design *cor_design_create(const char *name);

/* Frees the design and all it owns. NULL is allowed. */
void cor_design_destroy(struct cor_design *design);
COR_DESTROYS(cor_design, struct cor_design)

/* The index of what is called `name`, COR_NONE if there is none. Types are "int", "float", "bool", "string"
 * and the enumerations. */
uint32_t cor_design_find(const struct cor_design *design, enum cor_design_name what, const char *name);

/* As cor_design_find; what is not there is an error at `place`, with a did-you-mean. */
enum cor_status cor_design_look_up(const struct cor_design *design, enum cor_design_name what,
                                   const char *name, const char *place, uint32_t *index,
                                   struct cor_error *error) COR_MUST_USE;

/* The field "set.Field", or "Field" where only one set has it; what is not there is an error at `place`. */
enum cor_status cor_design_look_up_field(const struct cor_design *design, const char *name, const char *place,
                                         uint32_t *field, struct cor_error *error) COR_MUST_USE;

/* All that follows copies its texts. A name that is there already, is empty or is not printable is an error
 * at `place`; of types, belief sets, fields and parameters it must be an identifier. What `*index` is given
 * is the index of the new part; index may be NULL. */

/* An enumeration of `count` words, at least one, each once. */
enum cor_status cor_design_add_type(struct cor_design *design, const char *name, const char *const *words,
                                    uint32_t count, const char *place, uint32_t *index,
                                    struct cor_error *error) COR_MUST_USE;

/* A belief set without fields. */
enum cor_status cor_design_add_belief(struct cor_design *design, const char *name, const char *place,
                                      uint32_t *index, struct cor_error *error) COR_MUST_USE;

/* A field of the belief set that was added last. It starts as 0, 0.0, false, null or the first word. */
enum cor_status cor_design_add_field(struct cor_design *design, const char *name, uint32_t domain,
                                     bool is_key, const char *place, uint32_t *index,
                                     struct cor_error *error) COR_MUST_USE;

/* The belief set that was added last, which has its fields, is a relation: it has any number of rows, told
 * apart by their key, in which there is an integer. It gets two more fields, "exists" (is there a row of the
 * key in scope?) and "count" (of all rows), which nobody sets; a case begins with one row unless it says
 * otherwise. */
enum cor_status cor_design_make_relation(struct cor_design *design, const char *place,
                                         struct cor_error *error) COR_MUST_USE;

/* The value that a field starts with: one of its domain. */
void cor_design_set_start(struct cor_design *design, uint32_t field, struct cor_value value);

/* An event without parameters, covered and overlapping as it likes: the caller sets these. It is no entry
 * yet.
 */
enum cor_status cor_design_add_event(struct cor_design *design, const char *name, enum cor_event_kind kind,
                                     const char *place, uint32_t *index,
                                     struct cor_error *error) COR_MUST_USE;

/* The event can come from outside the agent; none is said twice. Units are tested in the order of entries. */
enum cor_status cor_design_add_entry(struct cor_design *design, uint32_t event, const char *place,
                                     struct cor_error *error) COR_MUST_USE;

/* A parameter of the event that was added last. */
enum cor_status cor_design_add_parameter(struct cor_design *design, const char *name, uint32_t domain,
                                         const char *place, uint32_t *index,
                                         struct cor_error *error) COR_MUST_USE;

/* A condition of a parameter, as text: see cor_design_parse_condition. */
enum cor_status cor_design_add_parameter_condition(struct cor_design *design, uint32_t event,
                                                   uint32_t parameter, const char *text, const char *place,
                                                   struct cor_error *error) COR_MUST_USE;

/* A rule of a belief set: `when` is a condition over the fields, those of the set first. Each parameter of
 * the event has a field of its name in the set, of the same type. */
enum cor_status cor_design_add_rule(struct cor_design *design, uint32_t belief, const char *when,
                                    uint32_t event, const char *place, struct cor_error *error) COR_MUST_USE;

/* A message to others. */
enum cor_status cor_design_add_message(struct cor_design *design, const char *name, const char *place,
                                       uint32_t *index, struct cor_error *error) COR_MUST_USE;

/* A parameter of the message that was added last; a condition of one, as of an event: over the parameters of
 * the message and all fields. */
enum cor_status cor_design_add_message_parameter(struct cor_design *design, const char *name, uint32_t domain,
                                                 const char *place, uint32_t *index,
                                                 struct cor_error *error) COR_MUST_USE;
enum cor_status cor_design_add_message_condition(struct cor_design *design, uint32_t message,
                                                 uint32_t parameter, const char *text, const char *place,
                                                 struct cor_error *error) COR_MUST_USE;

/* An action. */
enum cor_status cor_design_add_action(struct cor_design *design, const char *name, const char *place,
                                      uint32_t *index, struct cor_error *error) COR_MUST_USE;

/* A plan of that trigger: always applicable, does nothing, and may use nothing. */
enum cor_status cor_design_add_plan(struct cor_design *design, const char *name, uint32_t trigger,
                                    const char *place, uint32_t *index, struct cor_error *error) COR_MUST_USE;

/* Notes that the plan may post, send, do or write what `*list` of it then holds; COR_STATUS_INPUT if it is
 * there twice. */
enum cor_status cor_design_add_use(struct cor_design *design, struct cor_indices *list, uint32_t index,
                                   const char *place, struct cor_error *error) COR_MUST_USE;

/* A variable of the plan: a slot that it has none for yet. */
enum cor_status cor_design_add_variable(struct cor_design *design, uint32_t plan, uint32_t slot,
                                        const char *place, uint32_t *index,
                                        struct cor_error *error) COR_MUST_USE;

/* A condition of a variable, as text. */
enum cor_status cor_design_add_variable_condition(struct cor_design *design, uint32_t plan, uint32_t variable,
                                                  const char *text, const char *place,
                                                  struct cor_error *error) COR_MUST_USE;

/* A further boundary of a variable: a value of its domain. */
enum cor_status cor_design_add_bound(struct cor_design *design, uint32_t plan, uint32_t variable,
                                     struct cor_value value, struct cor_error *error) COR_MUST_USE;

/* Says of plans that they are meant to be in one ring, or are not; the plans follow by cor_design_add_use. */
enum cor_status cor_design_add_ring(struct cor_design *design, bool meant, uint32_t *index,
                                    struct cor_error *error) COR_MUST_USE;

/* What is said of a ring of these plans: of all those of a statement. That it is not meant counts more. */
enum cor_ring_meaning cor_design_ring(const struct cor_design *design, const uint32_t *plans, uint32_t count);

/* The context of the plan, and its body, which is taken: *body is empty afterwards, also on failure.
 * `context` may be NULL: always applicable. Both are compiled: unknown names, what cannot be parsed and
 * arguments that do not fit are errors at the place of the statement, or `place` for the context. */
enum cor_status cor_design_set_code_take(struct cor_design *design, uint32_t plan, const char *context,
                                         const char *place, struct cor_body *body,
                                         struct cor_error *error) COR_MUST_USE;

/* Parses ">= 0", "!=null", "== 'word'", "< NumberOrdered": a relation, and a constant or a name in the scope
 * of plans triggered by `event` (COR_NONE: fields alone), for what is in `slot` there. A bare word is one of
 * an enumeration, if it has that word. What cannot be compared is said as of the whole comparison: "Level >=
 * 'x'". */
enum cor_status cor_design_parse_condition(struct cor_design *design, const char *text, uint32_t event,
                                           uint32_t slot, const char *place, struct cor_condition *condition,
                                           struct cor_error *error) COR_MUST_USE;

/* Does the value meet the condition, given those of all slots? null has no order. */
bool cor_condition_holds(const struct cor_condition *condition, struct cor_value value,
                         const struct cor_value *slots);

/* Does the value meet all of them? Of those that say what it equals one is enough: several are the list of
 * what it may be (000, 5.1). Without slots (NULL) relations to other slots do not count. */
bool cor_conditions_hold(const struct cor_condition *conditions, uint32_t count, struct cor_value value,
                         const struct cor_value *slots);

/* Slots: how many there are for plans triggered by the event, their domains, and their names: of a parameter
 * its own, of a field "set.Field". */
uint32_t cor_design_slot_count(const struct cor_design *design, uint32_t event);
const struct cor_domain *cor_design_slot_domain(const struct cor_design *design, uint32_t event,
                                                uint32_t slot);
const char *cor_design_slot_name(const struct cor_design *design, uint32_t event, uint32_t slot);

/* All slots of plans triggered by the event, from the fields (of field_count) and the arguments: what
 * contexts and bodies see at the beginning of a case. Keys have the values in scope; of a relation without
 * the row in scope the fields are what they start with. `slots` has room for cor_design_slot_count. */
void cor_design_view(const struct cor_design *design, uint32_t event, const struct cor_value *fields,
                     const struct cor_value *arguments, struct cor_value *slots);

/* The agent as it is executed: the design as it stands, or changed by plan name (a fault). */
struct cor_agent_code {
    struct cor_design *design;          /* borrowed; compiling a change may add words to it */
    const struct cor_plan_code **plans; /* owned array; [plan], of the design or of `changed` */
    struct cor_plan_code **changed;     /* owned; [plan], NULL where the design's stands */
    bool *silent;                       /* owned; [rule]: it posts nothing */
    struct cor_value *start;            /* owned; [field]: what the agent believes at first */
};

/* The design as it stands; the design must outlive it. NULL when memory is out. */
struct cor_agent_code *cor_agent_code_create(struct cor_design *design);

/* Frees the code. NULL is allowed. */
void cor_agent_code_destroy(struct cor_agent_code *code);
COR_DESTROYS(cor_agent_code, struct cor_agent_code)

/* A change of one plan: what it does otherwise than its design. */
struct cor_plan_change {
    uint32_t plan;
    const char *place;           /* of the context and trigger, for messages; may be NULL */
    const char *trigger;         /* NULL: as designed; an event, or any text: then it is wired to nothing */
    bool changes_context;        /* else as designed */
    const char *context;         /* NULL: always applicable */
    const struct cor_body *body; /* borrowed; NULL: as designed */
    bool absent;                 /* the agent has no such plan */
};

/* Applies a change; the plan is compiled anew, over the parameters of the trigger that it has then. It may
 * use whatever the design has: that is what faults are for. The plan is as it was on failure. */
enum cor_status cor_agent_code_change(struct cor_agent_code *code, const struct cor_plan_change *change,
                                      struct cor_error *error) COR_MUST_USE;

/* The rules of the belief set post nothing any more. */
void cor_agent_code_silence(struct cor_agent_code *code, uint32_t belief);

#endif
