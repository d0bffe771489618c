/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of this room share: arcs of a design, reading of bodies and values, equivalence classes. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_AGENT_INTERNAL_H
#define CORRIDOR_EXPERIMENTS_LAYERS_AGENT_INTERNAL_H

#include <corridor/agent_fault.h>
#include <corridor/agent_terms.h>
#include <corridor/design.h>
#include <corridor/fields.h>
#include <corridor/json.h>
#include <corridor/rng.h>
#include <corridor/solve.h>
#include <corridor/subject.h>
#include <corridor/unit_cases.h>

#define COR_PLACE_BYTES 512

/* Arcs run from a plan over each event it posts to each handler of that. */
static inline const struct cor_indices *agent_layer__handlers(const struct cor_design *design,
                                                              uint32_t event) {
    return &design->events[event].handlers;
}

static inline const struct cor_indices *agent_layer__posts(const struct cor_design *design, uint32_t plan) {
    return &design->plans[plan].posts;
}

/* The event that triggers a plan. */
static inline uint32_t agent_layer__trigger(const struct cor_design *design, uint32_t plan) {
    return design->plans[plan].trigger;
}

/* A text, with its place; a value that is no string is complained about. */
enum cor_status agent_layer__read_text(const struct cor_json *json, const char **text,
                                       char place[COR_PLACE_BYTES], struct cor_error *error) COR_MUST_USE;

/* A value of a domain of the design, which gets the words. */
enum cor_status agent_layer__read_value(const struct cor_json *json, struct cor_design *design,
                                        uint32_t domain, struct cor_value *value,
                                        struct cor_error *error) COR_MUST_USE;

/* An array of statements, appended to the body; what is in them is looked at when the body is compiled. */
enum cor_status agent_layer__read_body(const struct cor_json *json, struct cor_body *body,
                                       struct cor_error *error) COR_MUST_USE;

/* What divides the values of a variable into classes. */
struct agent_layer__boundaries {
    struct cor_value *values; /* owned; numbers ascending, words in the order of coming; each once */
    uint32_t count;
    size_t capacity;
};

/* The constants of conditions; relations to other slots divide nothing. */
enum cor_status agent_layer__boundaries_add_conditions(struct agent_layer__boundaries *boundaries,
                                                       const struct cor_condition *conditions, uint32_t count,
                                                       struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void agent_layer__boundaries_fini(struct agent_layer__boundaries *boundaries);

/* Classes that grow. */
struct agent_layer__classes {
    struct cor_unit_class *items; /* owned */
    uint32_t count;
    size_t capacity;
};

/* Appends the classes of a domain with these boundaries: valid, samples still null. Numbers ascend. */
enum cor_status agent_layer__classes_add(struct agent_layer__classes *classes,
                                         const struct cor_domain *domain,
                                         const struct agent_layer__boundaries *boundaries,
                                         struct cor_error *error) COR_MUST_USE;

/* Some value of the class, without drawing; conditions whose constants are boundaries hold for all its values
 * or for none. */
struct cor_value agent_layer__class_value(const struct cor_unit_class *class,
                                          const struct cor_domain *domain);

/* The class of the variable that has the value; COR_NONE: none has. */
uint32_t agent_layer__class_of(const struct cor_unit_cases *cases, const struct cor_unit_variable *variable,
                               struct cor_value value);

/* ---- what the files that read a design share: the reader, and what each of them reads. Functions that rows
 * of tables call take a struct agent_layer__reader */

#define COR_ITEMS_MAX 1000000 /* plans, events, .. */

/* What is read, with the object under way. */
struct agent_layer__reader {
    struct cor_design_file *file;
    struct cor_design *design;
    const struct cor_json *root;
    uint32_t index;     /* of the belief set, event, message or plan under way */
    uint32_t parameter; /* of a parameter or variable under way: its index */
    uint32_t slot, domain;
    bool is_message;    /* whose parameters are read; else an event's */
    int kind;           /* of the event under way: enum cor_event_kind */
    const char *belief; /* of a variable: its belief set, NULL: a parameter */
    char place[COR_PLACE_BYTES];
};

/* Gives each condition of an array to what takes them for the object under way: its index, and that of its
 * parameter or variable. */
typedef enum cor_status agent_layer__condition_adder(struct cor_design *design, uint32_t index,
                                                     uint32_t parameter, const char *text, const char *place,
                                                     struct cor_error *error);

/* Cases that were solved for, behind those. */
enum cor_status agent_layer__read_solved_cases(const struct cor_json *json, struct cor_design_file *file,
                                               struct cor_error *error) COR_MUST_USE;

/* ---- tests of an agent as subject.h sees them */

struct cor_agent_experiment;
struct cor_agent_marks;

extern const struct cor_subject agent_layer__subject;

/* Kinds of choices. A case is the first of its unit that posts the event, but for what is said: parameter
 * `what` of the event, or field `what` of the agent's beliefs, has another value, kind and bits in `values`
 * from `nth` on; the turn `at` goes to intention `what`. */
enum { AGENT_LAYER__POST, AGENT_LAYER__GIVE, AGENT_LAYER__BELIEVE, AGENT_LAYER__TURN };

struct cor_value agent_layer__value_of(const struct cor_choices *choices, const struct cor_choice *choice);

/* The unit of a suite, and the suite of a unit; COR_NONE: the experiment does not run it, or
 * not so often. */
uint32_t agent_layer__unit_of(const struct cor_agent_experiment *experiment, uint32_t suite);
uint32_t agent_layer__suite_of(const struct cor_agent_experiment *experiment, uint32_t unit,
                               uint32_t repetition);

/* What a finding is about, "" for nothing: in the names of the design. */
const char *agent_layer__about(const struct cor_design *design, enum cor_aut_check check, uint32_t subject);

/* The experiment of the file at `path`, of which `root` is the value. */
enum cor_status agent_layer__experiment_read(const char *path, const struct cor_json *root,
                                             const struct cor_layer_options *options,
                                             struct cor_agent_experiment **experiment,
                                             struct cor_error *error) COR_MUST_USE;

/* Looks whether the walls stand that modules and programs need; of what does not it warns, lines for people.
 */
enum cor_status agent_layer__look_at_isolation(const struct cor_agent_experiment *experiment,
                                               const struct cor_layer_options *options, char **warnings,
                                               struct cor_error *error) COR_MUST_USE;

enum cor_status agent_layer__marks(const struct cor_agent_experiment *experiment, uint32_t arm,
                                   struct cor_agent_marks *marks, struct cor_error *error) COR_MUST_USE;

/* Tells what was executed last: the values of the case, what the agent reported, what was found and what one
 * case does not decide. */
struct agent_layer__telling {
    enum {
        AGENT_LAYER__END,
        AGENT_LAYER__TRACE,
        AGENT_LAYER__TRACES
    } form;               /* how it ended; all of it; and
                             the first interleaving */
    bool has_fault;       /* nothing is found of the fault, not of the agent */
    int severity_least;   /* of what is told */
    uint32_t shown, open; /* then told: found; not decided */
};
enum cor_status agent_layer__tell(const void *bench, struct agent_layer__telling *telling,
                                  struct cor_bytes *story, struct cor_error *error) COR_MUST_USE;

/* ---- goals: outcomes of a unit's conditions that a case is looked for, as conditions over its slots */

#define AGENT_LAYER__GOAL_TERMS 64

/* A condition of the design that is to hold, or not to. */
struct agent_layer__term {
    const struct cor_expression *condition; /* borrowed */
    bool denied;
};

/* All terms together, in a valid case or in any. */
struct agent_layer__goal {
    struct agent_layer__term terms[AGENT_LAYER__GOAL_TERMS];
    uint32_t term_count;
    bool valid, too_long;
};

/* z3 over the slots of a design, none of which has a range of its own; started by the first question. */
struct agent_layer__asker {
    struct cor_problem problem;
    struct cor_solver *solver;    /* owned, as all that follows; [slot] */
    uint32_t slots;               /* the most that plans of an event have */
    const char **names;           /* of which nobody hears */
    int64_t *ranges;              /* the problem's: none */
    int64_t *low, *high, *values; /* of a question, and its solution */
};

/* Freed by agent_layer__asker_fini, also on failure. */
enum cor_status agent_layer__asker_init(struct agent_layer__asker *asker, const struct cor_design *design,
                                        struct cor_error *error) COR_MUST_USE;
void agent_layer__asker_fini(struct agent_layer__asker *asker);

/* Is there a case with these constraints, within low and high? Its values are in `values`. */
enum cor_status agent_layer__ask(struct agent_layer__asker *asker, const struct cor_question *question,
                                 enum cor_answer *answer, struct cor_error *error) COR_MUST_USE;

/* The question of so many constraints within low and high. */
struct cor_question agent_layer__question(const struct agent_layer__asker *asker,
                                          const struct cor_expression *constraints, uint32_t count);

/* Expressions under construction: integers alone can be asked of z3, and all can be judged. */
struct agent_layer__builder {
    struct cor_node nodes[COR_EXPRESSION_NODES_MAX];
    uint32_t count;
    bool full, reals;
};

/* Nodes behind the count are not looked at: 1,000 of them are not zeroed. */
static inline void agent_layer__builder_begin(struct agent_layer__builder *builder) {
    builder->count = 0;
    builder->full = builder->reals = false;
}

void agent_layer__goal_add(struct agent_layer__goal *goal, const struct cor_expression *condition,
                           bool denied);

/* Does the case with these slots meet the terms? What is undefined does not hold. */
bool agent_layer__goal_met(const struct agent_layer__goal *goal, const struct cor_value *slots);

/* Does the condition reckon, so that a part of it may be undefined? Then it does not hold, and to z3, which
 * knows no limit of 64 bits, it is something else. */
bool agent_layer__reckons(const struct cor_expression *condition);

/* Node by node. Operands of and, or, not are made conditions where they are truth values. */
uint32_t agent_layer__put(struct agent_layer__builder *builder, enum cor_operator operator, uint32_t left,
                          uint32_t right);
uint32_t agent_layer__put_constant(struct agent_layer__builder *builder, int64_t constant);
uint32_t agent_layer__put_variable(struct agent_layer__builder *builder, uint32_t slot);

/* A copy of the expression below its node `root`; the node `pinned` (COR_NONE: none) is `truth` there. */
uint32_t agent_layer__put_copy(struct agent_layer__builder *builder, const struct cor_expression *expression,
                               uint32_t root, uint32_t pinned, bool truth);

/* A copy of the expression with the nodes that stand for its variables, [variable]. COR_NONE: one that it
 * reads has none. */
uint32_t agent_layer__put_over(struct agent_layer__builder *builder, const struct cor_expression *expression,
                               const uint32_t *of_variable);

/* What was built, its last node put being the root: a condition over slots. COR_STATUS_INPUT: it is too
 * long. */
enum cor_status agent_layer__build(const struct agent_layer__builder *builder,
                                   struct cor_expression *expression, struct cor_error *error) COR_MUST_USE;

/* The variable of the entry has a value of one of its classes, of a valid one if `valid`; words are numbers,
 * null is -1, truth values 0 and 1. False: it is a real, of which z3 is not asked. */
bool agent_layer__put_classes(struct agent_layer__builder *builder, const struct cor_unit_cases *cases,
                              const struct cor_unit_variable *variable, bool valid);

/* ---- is an agent that was changed proven to be the one that was designed? z3 is asked, in a child of the
 * planning process, whether any values tell a condition from what became of it */

/* Proves for one design; z3 is started by the first question. NULL when memory is out. */
struct agent_layer__prover;
struct agent_layer__prover *agent_layer__prover_create(const struct cor_design *design);

/* NULL is allowed. */
void agent_layer__prover_destroy(struct agent_layer__prover *prover);
COR_DESTROYS(agent_layer__prover, struct agent_layer__prover)

/* Does the code what the design does, whatever the values? Conditions alone may be written otherwise. False
 * where that is not proven. */
enum cor_status agent_layer__prove_equivalent(struct agent_layer__prover *prover,
                                              const struct cor_agent_code *code, bool *proven,
                                              struct cor_error *error) COR_MUST_USE;

#endif
