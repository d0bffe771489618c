/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * I/O EFSMs (paper 004, section 2): what a system may do. Locations, bounded integers as state, inputs and
 * outputs with parameters, transitions with guard, simultaneous update and outputs; and goals, which are sets
 * of traps.
 *
 * A transition is enabled by a state and an input when its guard holds, and what it would assign - state and
 * output variables - stays within the domains: a move that would leave a domain is disabled, it does not
 * saturate. Several enabled transitions are rivals: the system chooses. What is read here cannot be
 * undefined: expressions that could overflow within the domains are refused, and so is dividing by anything
 * but a constant. */
#ifndef CORRIDOR_EFSM_H
#define CORRIDOR_EFSM_H

#include <corridor/bytes.h>
#include <corridor/expression.h>
#include <corridor/json.h>

#define COR_EFSM_RESETS_MAX 1000000000
#define COR_EFSM_VARIABLES_MAX 64
#define COR_EFSM_ITEMS_MAX 10000 /* locations, labels, transitions, traps of a goal in the file */
#define COR_EFSM_BOUND_MAX INT64_C(1000000000000)

/* What a variable is: of the state, a parameter of inputs, or a parameter of outputs. */
enum cor_efsm_kind { COR_EFSM_STATE, COR_EFSM_PARAMETER, COR_EFSM_OUTPUT };

/* "state", "param", "out": the words of the file. */
const char *cor_efsm_kind_word(enum cor_efsm_kind kind);

/* What the values of a variable stand for. They are reckoned with as integers. */
enum cor_efsm_type {
    COR_EFSM_INTEGER,
    COR_EFSM_BOOLEAN, /* false and true: 0 and 1 */
    COR_EFSM_WORDS,   /* 0, 1, .. in the order of the file */
    COR_EFSM_DECIMALS /* fixed-point numbers: units of the last decimal place */
};

/* A variable: an integer in its domain low .. high (inclusive). */
struct cor_efsm_variable {
    const char *name; /* borrowed from the model's document, as all names here */
    enum cor_efsm_kind kind;
    int64_t low, high, initial; /* initial: of state variables */
    bool irrelevant;            /* the file says that its value reaches no guard */
    enum cor_efsm_type type;
    uint8_t decimals;         /* DECIMALS: places behind the point, at least 1; else 0 */
    const char *const *words; /* WORDS: owned array, NULL-ended; else NULL */
    char *description;        /* owned; what result files say of it: "state variable, of idle|busy|down" */
    char *type_text; /* owned; as messages and result files say it: "idle|busy|down", "2 decimals", "boolean",
                        "integer" */
};

/* Of an input or output. */
struct cor_efsm_label {
    const char *name;
    uint32_t *parameters; /* owned; variables of the kind that goes with it */
    uint32_t parameter_count;
    char *types; /* owned; "input, of integer, boolean", by parameter; NULL: all are integers */
};

/* What a transition assigns to a variable; all its updates read the values before it. */
struct cor_efsm_update {
    uint32_t variable; /* of the state */
    struct cor_expression value;
};

/* What a transition says, one label; its arguments read the values before it. */
struct cor_efsm_output {
    uint32_t label;
    struct cor_expression *arguments; /* owned; as many as the label has parameters */
};

/* A transition; its outputs are said in their order. */
struct cor_efsm_transition {
    const char *id;
    uint32_t source, target; /* locations */
    uint32_t input;          /* label */
    struct cor_expression guard;
    struct cor_efsm_update *updates; /* owned */
    struct cor_efsm_output *outputs; /* owned; none: the system says nothing */
    uint32_t update_count, output_count;
};

/* Covered when one of its transitions is taken from a state and an input for which the constraint holds,
 * right behind `previous` if it names one. */
struct cor_efsm_trap {
    char *id;              /* owned */
    uint32_t *transitions; /* owned; at least one */
    uint32_t transition_count;
    uint32_t previous; /* transition, COR_NONE = whatever came before */
    struct cor_expression
        constraint;  /* over state variables and the input's parameters; node_count 0 = none */
    uint32_t *after; /* owned; traps of the goal that must be covered before; no circle */
    uint32_t after_count;
    uint32_t *denied; /* owned; traps of the goal that must not be covered before */
    uint32_t denied_count;
    uint32_t way_of; /* of a further way: the trap that it covers; else COR_NONE */
};

/* What a test is to cover. One that is not a model's own is freed with cor_efsm_goal_fini. A trap whose
 * constraint has several cases over other traps, "a || n == 5", is covered in several ways: itself is the
 * first, the others stand behind all traps, called TRAP.2, TRAP.3 and so on. */
struct cor_efsm_goal {
    char *name;                  /* owned */
    struct cor_efsm_trap *traps; /* owned; [trap_count + way_count] */
    uint32_t trap_count;         /* what is to be covered */
    uint32_t way_count;          /* further ways to cover some of these */
    bool denies;                 /* a trap or way has traps that must not be covered before */
    bool ordered;                /* each trap waits for all before it */
    int64_t optimum;             /* length of the shortest test, where the file expects one; else -1 */
};

/* Transitions that goals name together: the copies of one in a part, or of one that leaves several locations.
 */
struct cor_efsm_group {
    const char *name;
    uint32_t *transitions; /* owned; at least one */
    uint32_t transition_count;
};

/* A model, read or mutated; not changed any more, and freed with cor_efsm_destroy. Locations, labels,
 * variables and transitions are named everywhere by their indices here. */
struct cor_efsm {
    struct cor_json_document *document; /* owned */
    const char *name, *title;           /* title may be "" */
    struct cor_efsm_variable
        *variables; /* owned, as the arrays below; variable v is value v of every vector */
    struct cor_efsm_label *inputs, *outputs;
    struct cor_efsm_transition *transitions;
    struct cor_efsm_goal *goals;
    struct cor_efsm_group *groups;
    char **texts; /* owned; names that the document does not have as they are */
    const char **variable_names, **location_names, **input_names, **output_names,
        **transition_names;   /* NULL-ended */
    struct cor_naming naming; /* of variables; its arrays owned but for the names */
    bool is_typed;            /* a variable is of another type than integer */
    uint32_t variable_count, location_count, input_count, output_count, transition_count, goal_count,
        group_count, text_count;
    uint32_t initial; /* location */
    uint32_t resets;  /* that a test or a plan may take, where it is not told */
};

/* Reads a model of format efsm-json/1, docs/look-up/efsm.md; "-" is standard input. */
enum cor_status cor_efsm_read(const char *path, struct cor_efsm **model,
                              struct cor_error *error) COR_MUST_USE;

/* The same from text; `name` stands for the file in messages. */
enum cor_status cor_efsm_parse(const char *text, const char *name, struct cor_efsm **model,
                               struct cor_error *error) COR_MUST_USE;

/* The same of a member of a file: the name of a file beside it, or the model itself. */
enum cor_status cor_efsm_read_named(const struct cor_json *json, struct cor_efsm **model,
                                    struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. */
void cor_efsm_destroy(struct cor_efsm *model);
COR_DESTROYS(cor_efsm, struct cor_efsm)

/* What every model can be asked to cover. */
enum cor_efsm_cover {
    COR_EFSM_COVER_TRANSITIONS, /* each transition */
    COR_EFSM_COVER_PAIRS, /* each two that can follow each other by their locations, the second right behind
                           */
    COR_EFSM_COVER_LOCATIONS, /* each location, by any transition into it; the initial one is covered from the
                                 start */
    COR_EFSM_COVER_BOUNDARIES /* each comparison of each guard where it only just holds */
};

/* "all-transitions", "transition-pairs", "all-locations", "guard-boundaries"; NULL behind the last. */
const char *cor_efsm_cover_word(size_t index);

/* A goal that covers so. What it was has been freed. */
enum cor_status cor_efsm_goal_cover(const struct cor_efsm *model, enum cor_efsm_cover cover,
                                    struct cor_efsm_goal *goal, struct cor_error *error) COR_MUST_USE;

/* The goal that `name` means: one of the model's, a word of cor_efsm_cover_word, or a transition by its id.
 * `goal` is the caller's, to be given to cor_efsm_goal_fini if it is what *found points at; else *found
 * belongs to the model. COR_STATUS_INPUT: there is none; the known ones are named. */
enum cor_status cor_efsm_goal_find(const struct cor_efsm *model, const char *name, struct cor_efsm_goal *goal,
                                   const struct cor_efsm_goal **found, struct cor_error *error) COR_MUST_USE;

/* A goal made of several, trap behind trap; a trap whose name an earlier goal has is called GOAL:TRAP. */
enum cor_status cor_efsm_goal_join(const struct cor_efsm_goal *const *goals, uint32_t count,
                                   struct cor_efsm_goal *whole, struct cor_error *error) COR_MUST_USE;

/* A condition over state variables. */
enum cor_status cor_efsm_read_condition(const struct cor_json *json, const struct cor_efsm *model,
                                        struct cor_expression *condition,
                                        struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_efsm_goal_fini(struct cor_efsm_goal *goal);

/* Vectors of values have one for each variable of the model; those of other kinds than asked for do not
 * matter. */

/* The initial state. */
void cor_efsm_start(const struct cor_efsm *model, int64_t *values);

/* Is the transition enabled by these values of state variables and parameters, each within its domain? The
 * location is the caller's business. */
bool cor_efsm_enabled(const struct cor_efsm *model, uint32_t transition, const int64_t *values);

/* The state behind the transition: cor_efsm_enabled, and the values of state variables in `next`, which may
 * not be `values`; the others are copied. */
bool cor_efsm_step(const struct cor_efsm *model, uint32_t transition, const int64_t *values, int64_t *next);

/* The value of an argument of an output, which is within its domain if the transition is enabled. */
int64_t cor_efsm_argument(const struct cor_efsm *model, uint32_t transition, uint32_t output,
                          uint32_t argument, const int64_t *values);

/* Whether taking the transition from these values covers the trap, its dependencies and `previous` aside. */
bool cor_efsm_hits(const struct cor_efsm *model, const struct cor_efsm_trap *trap, uint32_t transition,
                   const int64_t *values);

/* The same right behind the transition `last` (COR_NONE: behind none); only its dependencies aside. */
bool cor_efsm_hits_behind(const struct cor_efsm *model, const struct cor_efsm_trap *trap, uint32_t transition,
                          uint32_t last, const int64_t *values);

/* Sets the parameters of the input in `all`, [variable], to what they are in `values`, [variable]. */
void cor_efsm_put_input(const struct cor_efsm *model, uint32_t input, const int64_t *values, int64_t *all);

/* The transitions that the input, its parameters among the values, enables in a location; `transitions`,
 * [transition_count], is the caller's. Returns how many. */
uint32_t cor_efsm_find_enabled(const struct cor_efsm *model, uint32_t location, uint32_t input,
                               const int64_t *values, uint32_t *transitions);

/* All values of some variables, the last changing fastest: cor_efsm_first_values sets each to its least,
 * cor_efsm_next_values is false behind the last. */
void cor_efsm_first_values(const struct cor_efsm *model, const uint32_t *variables, uint32_t count,
                           int64_t *values);
bool cor_efsm_next_values(const struct cor_efsm *model, const uint32_t *variables, uint32_t count,
                          int64_t *values);

/* How many values the variables have together; UINT64_MAX if that is more than 64 bits hold. */
uint64_t cor_efsm_domain_size(const struct cor_efsm *model, const uint32_t *variables, uint32_t count);

/* The variables that decide about a transition as a bit set, bit v for variable v: those that its guard, its
 * updates and the arguments of its outputs read. */
uint64_t cor_efsm_reads(const struct cor_efsm *model, uint32_t transition);

/* A value of the variable as people read it: a number, true or false, a word; the same as expressions have
 * it: words in quotes; and an expression, as it was written where the model is typed. Freed with free(); NULL
 * when memory is out. */
char *cor_efsm_value_text(const struct cor_efsm *model, uint32_t variable, int64_t value);
char *cor_efsm_literal(const struct cor_efsm *model, uint32_t variable, int64_t value);
char *cor_efsm_expression_text(const struct cor_efsm *model, const struct cor_expression *expression);

/* A value of the variable's type as files and programs have it: an integer, true or false, the text of a
 * word, a number of so many decimals. Of numbers it need not be within the domain. */
enum cor_status cor_efsm_read_value(const struct cor_json *json, const struct cor_efsm_variable *variable,
                                    int64_t *value, struct cor_error *error) COR_MUST_USE;

/* The same the other way round, at the end of a line of JSON. */
void cor_efsm_print_value(const struct cor_efsm_variable *variable, int64_t value, struct cor_bytes *line);

/* The file of the model, in which its parts are put together; freed with free(). */
enum cor_status cor_efsm_flat_text(const struct cor_efsm *model, char **text,
                                   struct cor_error *error) COR_MUST_USE;

/* The model as a graph in the language of Graphviz; freed with free(). NULL when memory is out. */
char *cor_efsm_dot(const struct cor_efsm *model);

#endif
