/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the readers of experiments, models, arms and suites share, what the parts of the suite generator do,
 * and the inside of the laws of parameters. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_INTERNAL_H
#define CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_INTERNAL_H

#include "model_formula.h"

#include <corridor/attribute_json.h>
#include <corridor/configurations.h>
#include <corridor/expression.h>
#include <corridor/fields.h>
#include <corridor/interaction.h>
#include <corridor/parameters.h>
#include <corridor/routine.h>
#include <corridor/solve.h>
#include <corridor/suite.h>

/* The environments that a type names; whether its relevant states are conditions over them; and its
 * influence, if they are. */
enum cor_status interaction__read_type_environments(const struct cor_test_model *model,
                                                    struct cor_agent_type *type,
                                                    struct cor_error *error) COR_MUST_USE;
bool interaction__has_conditions(const struct cor_agent_type *type);
enum cor_status interaction__read_relevant(const struct cor_test_model *model, struct cor_agent_type *type,
                                           struct cor_error *error) COR_MUST_USE;

/* Refuses a name that a table cannot show: empty, over 63 bytes, or with control characters. `json` is where
 * it stands, `what` is named by it. */
enum cor_status interaction__check_name(const struct cor_json *json, const char *name, const char *what,
                                        struct cor_error *error) COR_MUST_USE;

/* Reads such a name into *copy (owned by the caller). */
enum cor_status interaction__read_name(const struct cor_json *json, const char *what, char **copy,
                                       struct cor_error *error) COR_MUST_USE;

/* An experiment of which nothing is read yet but its document, which it owns, even if this fails. */
enum cor_status interaction__experiment_begin(const char *path, struct cor_json_document *document,
                                              struct cor_experiment **experiment,
                                              struct cor_error *error) COR_MUST_USE;

/* Ends its reading: an experiment that could not be read is destroyed. Returns `status`. */
enum cor_status interaction__experiment_end(struct cor_experiment **experiment,
                                            enum cor_status status) COR_MUST_USE;

/* Parses the file that the text `json` names, looked up beside the file that `json` stands in. */
enum cor_status interaction__read_named(const struct cor_json *json, struct cor_json_document **document,
                                        struct cor_error *error) COR_MUST_USE;

/* Writes a text and the end of its last line into a new file. COR_STATUS_EXISTS if there is one. */
enum cor_status interaction__write_new(const char *path, const char *text,
                                       struct cor_error *error) COR_MUST_USE;

/* What somebody else said, at the value that made him say so. */
enum cor_status interaction__repeat_at(const struct cor_json *json, const struct cor_error *said,
                                       struct cor_error *error);

/* The same of something that is named there, with its name as it is written. */
enum cor_status interaction__repeat_of(const struct cor_json *json, const char *name,
                                       const struct cor_error *said, struct cor_error *error);

/* "execution" of an experiment or an arm; and written as its member, unless it is stepwise. */
enum cor_status interaction__clocks_read(const struct cor_json *json, struct cor_clocks *clocks,
                                         struct cor_error *error) COR_MUST_USE;
void interaction__clocks_put(struct cor_json_writer *writer, const struct cor_clocks *clocks);

/* Checks the shape of all presets, of those that no arm names too. */
enum cor_status interaction__presets_check(const struct cor_json *presets,
                                           struct cor_error *error) COR_MUST_USE;

/* Reads the arm `json` (an item of "arms"), with its preset from `presets` (NULL if there are none). */
enum cor_status interaction__arm_read(struct cor_experiment *experiment, const struct cor_json *json,
                                      const struct cor_json *presets, struct cor_arm *arm,
                                      struct cor_error *error) COR_MUST_USE;

#define COR_PARAMETER_MAX 1e15 /* magnitude of a parameter that a file gives as a number */

/* The arm of a suite that stands alone: settings, and parameters as plain numbers. Nothing is to be drawn. */
enum cor_status interaction__arm_read_alone(struct cor_experiment *experiment, const struct cor_json *json,
                                            const struct cor_json *parameters, struct cor_arm *arm,
                                            struct cor_error *error) COR_MUST_USE;

/* The members that it reads, but the parameters. */
void interaction__arm_put_alone(const struct cor_experiment *experiment, const struct cor_arm *arm,
                                struct cor_json_writer *writer);

/* "mocks" of an experiment, with their profiles in place of file names. */
enum cor_status interaction__mocks_read(const struct cor_json *json, void *into,
                                        struct cor_error *error) COR_MUST_USE;

/* Notes the digests of what arms are made of (arm_components.h), once they and their monitors are checked. */
enum cor_status interaction__components_note(struct cor_experiment *experiment,
                                             struct cor_error *error) COR_MUST_USE;

/* "mechanisms" of an arm, whose execution is known; as its description has them; and whole, for a suite that
 * stands alone. */
enum cor_status interaction__mechanisms_read(struct cor_experiment *experiment, const struct cor_json *json,
                                             struct cor_arm *arm, struct cor_error *error) COR_MUST_USE;
/* The word of a slot's fault, "none" for none. */
struct cor_mechanism_slot;
const char *interaction__mechanism_fault_name(const struct cor_mechanism_slot *slot);
void interaction__mechanisms_describe(struct cor_json_writer *writer, const struct cor_arm *arm);
void interaction__mechanisms_put(struct cor_json_writer *writer, const struct cor_registry *registry,
                                 const struct cor_test_model *model, const struct cor_arm *arm);
void interaction__mechanisms_fini(struct cor_arm *arm);

/* Codes of parameters, algorithms and counters, when all arms are read. */
enum cor_status interaction__experiment_make_catalogs(struct cor_experiment *experiment,
                                                      struct cor_error *error) COR_MUST_USE;

void interaction__arm_fini(struct cor_arm *arm, uint32_t environments);

/* Adds the laws of how many agents are of a type to the arm's, and reads the numbers when these are finished.
 */
enum cor_status interaction__type_counts_read(const struct cor_test_model *model, struct cor_arm *arm,
                                              struct cor_error *error) COR_MUST_USE;
enum cor_status interaction__type_counts_finish(struct cor_arm *arm, struct cor_error *error) COR_MUST_USE;
void interaction__type_counts_destroy(struct cor_type_counts *counts);

/* The parameters of a suite and what follows from them. */
struct cor_numbers {
    int64_t agents, size_min, size_max, count_min, count_max;
    int64_t groups;                         /* 0 = by target size, or by these: */
    int64_t group_size_min, group_size_max; /* 0 = sizes differ by one at most */
    bool has_type_counts;
    int64_t type_count[COR_TYPES_MAX]; /* -1: not said */
    int64_t locations;                 /* 0 = each group its own */
    double idle_ratio;
};

/* A population before its arrays have their final shape: groups with their sizes, places and environments. */
struct interaction__population {
    uint32_t group_count, chain_count;
    uint32_t *size;  /* owned; [group] */
    uint32_t *chain; /* owned; [group] */
    uint16_t *type;  /* owned; [group]; the type of all its agents unless groups are mixed */
    uint32_t *types; /* owned; [agent] in mixed groups whose types are counted, or live apart; NULL: drawn for
                        each agent */
    uint32_t *other_chains; /* owned; [group * environments + environment], COR_NOBODY: none; NULL: no agents
                               of a group perceive several environments */
    uint16_t *chain_environment; /* owned; [chain] */
    uint32_t *chain_location;    /* owned; [chain] */
};

/* An empty suite of so many sequences with its small arrays allocated. */
enum cor_status interaction__suite_create(const struct cor_experiment *experiment, uint32_t arm,
                                          uint32_t index, uint32_t sequences, struct cor_suite **suite,
                                          struct cor_error *error) COR_MUST_USE;

/* What files of suites and of tests share. The members of the object that is open: numbers; columns with
 * effects and profiles; parameters as an array in the order of the laws; a walk, a text a chain. */
void interaction__suite_put_limits(struct cor_json_writer *writer, const struct cor_suite *suite);
void interaction__suite_put_columns(struct cor_json_writer *writer, const struct cor_suite *suite);
enum cor_status interaction__suite_put_walk(struct cor_json_writer *writer, const char *key,
                                            const struct cor_walk *walk,
                                            struct cor_error *error) COR_MUST_USE;

/* The members that interaction__suite_read_columns reads, for tables of fields. */
extern const struct cor_field interaction__suite_number_fields[], interaction__suite_column_fields[];

/* Reads them: everything that executing relies on is checked. Parameters are the items of an array, or the
 * members of an object, in the order of the laws, as many as there are. */
enum cor_status interaction__suite_read_columns(const struct cor_json *json, uint32_t agents,
                                                struct cor_suite *suite,
                                                struct cor_error *error) COR_MUST_USE;
enum cor_status interaction__suite_read_parameters(const struct cor_json *json, struct cor_suite *suite,
                                                   struct cor_error *error) COR_MUST_USE;
enum cor_status interaction__suite_read_walk(const struct cor_json *json, const struct cor_suite *suite,
                                             struct cor_walk *walk, struct cor_error *error) COR_MUST_USE;

/* The attributes as a member of a file of the suite, where it has any; read into a configuration whose
 * effects are known. */
void interaction__suite_put_attributes(struct cor_json_writer *writer, const struct cor_suite *suite);
enum cor_status interaction__suite_read_attributes(const struct cor_json *json, struct cor_suite *suite,
                                                   struct cor_error *error) COR_MUST_USE;

/* Is it computed for agents of all types, and by one formula? */
bool interaction__is_one_formula(const struct cor_configuration *c,
                                 const struct cor_agent_attribute *attribute);

/* Makes what its algorithm is told of columns, when its configuration is whole. */
enum cor_status interaction__suite_describe(struct cor_suite *suite, struct cor_error *error) COR_MUST_USE;

/* The declarations alone, of the model of a suite that stands alone. */
enum cor_status interaction__read_attributes_alone(const struct cor_json *json, void *into,
                                                   struct cor_error *error) COR_MUST_USE;

/* The laws of parameters, inside: laws.c, laws.c, laws.c, laws_draw.c,
 * laws_draw.c and laws_draw.c. */

enum cor_law_kind {
    COR_LAW_UNIFORM, /* integer in low .. high */
    COR_LAW_PAIR,    /* two integers in low .. high, sorted */
    COR_LAW_VALUE,   /* integer that follows from `low` */
    COR_LAW_REAL,    /* real in real_low .. real_high */
    COR_LAW_SIMPLEX  /* reals >= 0 that sum up to real_high */
};

#define COR_LAW_NAMES_MAX 16
#define COR_VARIABLES_MAX 200 /* parameters and helpers of one arm */

/* One line of a stage. */
struct interaction__definition {
    enum cor_law_kind kind;
    uint32_t variable[COR_LAW_NAMES_MAX];
    uint32_t variable_count;
    struct cor_expression low, high; /* owned */
    double real_low, real_high;
    uint32_t stage;
    bool bounds_come_before;    /* integers in a row, and no bound reads a name of the same stage */
    bool overridden;            /* an override gives one of its variables another value after the draw */
    char *place, *line;         /* owned; where it stands, and how it was written */
    char *low_text, *high_text; /* owned; bounds as text until they are parsed */
};

struct cor_variable {
    char *name; /* owned */
    bool is_integer, is_helper;
    uint32_t stage;      /* of its definition */
    uint32_t definition; /* index among `definitions` (helpers: among the fallback's) */
    int64_t low, high;   /* integers: surely within */
    int64_t clip_low,
        clip_high; /* integers: draws outside would be rejected in any case, so they are not made */
    double real_low, real_high;
};

struct cor_override {
    uint32_t variable;
    char *name, *text, *place;   /* owned */
    char *line;                  /* owned; how it was written, for messages */
    struct cor_expression value; /* owned */
};

struct interaction__constraint {
    char *text, *place;               /* owned */
    struct cor_expression expression; /* owned */
    uint32_t stage;                   /* at whose end it is checked */
    uint32_t fallback_stage;          /* the same while the fallback is drawn */
    bool is_declared;                 /* by an algorithm */
};

struct cor_stages {
    struct interaction__definition *definitions; /* owned; ordered by stage */
    size_t count, capacity;
    uint32_t stage_count;
};

/* How a definition is drawn: where its bounds stand once their part has run. */
struct interaction__bounds {
    struct cor_part part;
    uint16_t low, high; /* cells */
};

/* How a stage is drawn. */
struct cor_stage_plan {
    uint32_t first, end; /* definitions */
    struct cor_part due; /* the constraints at its end */
    bool is_simple;      /* integers from ranges that no draw of the stage changes, and nothing set */
    bool is_given;       /* its values are constants, and nothing is asked of them: nothing to be drawn */
};

struct cor_stages_plan {
    struct interaction__bounds *bounds; /* owned; [definition] */
    struct cor_stage_plan *stages;      /* owned; [stage] */
};

/* What drawing by the laws takes, found out once. The cells of the routine are the variables, in their order,
 * and what is given stands in them from the beginning. */
struct cor_plan {
    struct cor_routine routine;
    struct cor_stages_plan main, fallback;
    double *reals;     /* owned; [variable] what is given of real variables, else 0 */
    uint32_t *integer; /* owned; the integer variables */
    uint32_t integer_count;
};

struct cor_parameter_laws {
    struct cor_stages main, fallback;
    struct cor_plan plan;
    uint32_t model_stages; /* stages of the first fragment */
    bool has_fallback;
    struct cor_json fallback_json;  /* read when all parameters are known, so that helpers come last */
    struct cor_variable *variables; /* owned; parameters, then helpers */
    size_t variable_count, variable_capacity;
    uint32_t parameter_count;
    const char **names;             /* owned array */
    struct cor_override *overrides; /* owned */
    size_t override_count, override_capacity;
    struct interaction__constraint *constraints; /* owned */
    size_t constraint_count, constraint_capacity;
    size_t borrowed_constraints; /* narrowed laws: of the constraints, the first; all else but their array and
                                    the plan is borrowed, too */
    bool is_narrowed;
};

/* Index of a variable, -1 = there is none. */
int interaction__laws_variable(const struct cor_parameter_laws *laws, const char *name, size_t length);

/* A range that surely holds the expression's value, by those of the variables. */
struct cor_value_range interaction__laws_interval(const struct cor_parameter_laws *laws,
                                                  const struct cor_expression *expression);

/* The same of a number that is given, or follows from parameters. */
struct cor_value_range interaction__quantity_interval(const struct cor_parameter_laws *laws,
                                                      const struct cor_derived_quantity *quantity);

/* Gives every variable a constant range that surely holds it: interval arithmetic over the bounds. A constant
 * range that is empty is COR_STATUS_UNSATISFIABLE. */
enum cor_status interaction__laws_enclose(struct cor_parameter_laws *laws,
                                          struct cor_error *error) COR_MUST_USE;

/* Draws all stages with every parameter within its class, until constraints and classes hold, or `tries`
 * times; the fallback is not used. within, integers and reals: cor_parameter_laws_capacity() items. */
enum cor_status interaction__laws_draw_within(const struct cor_parameter_laws *laws, struct cor_rng *rng,
                                              const struct cor_class *within, int64_t *integers,
                                              double *reals, uint32_t tries, struct cor_draw *draw,
                                              struct cor_error *error) COR_MUST_USE;

/* Reads "configurations" of an arm, whose laws are finished. */
enum cor_status interaction__configurations_read(struct cor_arm *arm, struct cor_error *error) COR_MUST_USE;
void interaction__configurations_destroy(struct cor_configurations *configurations);

void interaction__configuration_traps_destroy(struct cor_configuration_traps *traps);

/* Draws the parameters of a suite such that its trap holds, and the number of partitions at the start if that
 * is spoken of, else 0. Room as of cor_parameter_laws_draw. */
enum cor_status interaction__configuration_traps_draw(const struct cor_arm *arm, uint32_t suite,
                                                      struct cor_rng *rng, int64_t *integers, double *reals,
                                                      struct cor_draw *draw, uint32_t *partitions,
                                                      struct cor_error *error) COR_MUST_USE;

/* Draws the parameters of a suite, its inputs as its row has them. Room as of cor_parameter_laws_draw.
 * COR_STATUS_UNSATISFIABLE: what else is drawn does not go together with them. */
enum cor_status interaction__configuration_design_draw(const struct cor_arm *arm, uint32_t suite,
                                                       struct cor_rng *rng, int64_t *integers, double *reals,
                                                       struct cor_draw *draw,
                                                       struct cor_error *error) COR_MUST_USE;

/* Asks z3 for parameters that the laws can draw and that meet further constraints, over `names`: those of the
 * laws and one more, from 1. `values`: one for each name. */
enum cor_status interaction__laws_solve(const struct cor_parameter_laws *laws, const char *const *names,
                                        const struct cor_expression *more, uint32_t more_count,
                                        enum cor_answer *answer, int64_t *values,
                                        struct cor_error *error) COR_MUST_USE;

/* The class of each parameter in suite `suite`, of which parameters without classes have all: into `within`,
 * of cor_parameter_laws_capacity() items. */
void interaction__configurations_within(const struct cor_arm *arm, uint32_t suite, struct cor_class *within);

/* ---- Suites that are read from a folder instead of being generated. */

/* Reads suite `index` of an arm. COR_STATUS_INPUT if the file holds another one. */
enum cor_status interaction__suite_folder_read(const struct cor_experiment *experiment, const char *folder,
                                               uint32_t arm, uint32_t index, struct cor_suite **suite,
                                               struct cor_error *error) COR_MUST_USE;

/* Lists of agents below `agents`, ascending within: put behind what the lists hold. */
enum cor_status interaction__read_lists(const struct cor_json *array, uint32_t agents,
                                        struct cor_lists *lists, struct cor_error *error) COR_MUST_USE;

/* Are the lists a structure of the configuration's kind and agents, within the limits? If not, `text` says
 * the first thing that is wrong. */
enum cor_status interaction__judge_lists(const struct cor_configuration *c, const struct cor_lists *lists,
                                         const struct cor_limits *limits, bool *is_sound, char *text,
                                         size_t size, struct cor_error *error) COR_MUST_USE;

/* Reads all of them, and says which are not those that the experiment draws. */
enum cor_status interaction__suite_folder_check(const struct cor_experiment *experiment, const char *folder,
                                                struct cor_suites_read *suites,
                                                struct cor_error *error) COR_MUST_USE;

#endif
