/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An experiment: a test model and the arms of a campaign over it. An arm is an algorithm, a fault and a
 * preset: a column of the tables of 003. docs/look-up/experiments.md is the manual of the JSON. */
#ifndef CORRIDOR_EXPERIMENT_H
#define CORRIDOR_EXPERIMENT_H

#include <corridor/case_condition.h>
#include <corridor/case_traps.h>
#include <corridor/configuration.h>
#include <corridor/fields.h>
#include <corridor/host.h>
#include <corridor/model.h>
#include <corridor/walk.h>

#define COR_AGENTS_MAX 10000000

/* What a suite's numbers mean, over the names of one arm's parameters. */
struct cor_roles {
    struct cor_derived_quantity agents, size_min, size_max, count_min, count_max;
    bool groups_by_size; /* the number of groups follows from a target size, log-uniform in 2 .. agents, */
    struct cor_derived_quantity groups; /* or is this, */
    bool groups_have_sizes;             /* or follows from sizes within these */
    struct cor_derived_quantity group_size_min, group_size_max;
    bool location_per_group;               /* each group has a place of its own, */
    struct cor_derived_quantity locations; /* or one of so many */
    uint32_t budget_parameter;             /* index of the parameter "budget": units for one reorganization */
    int idle_parameter;                    /* index of a real parameter, -1 = idle_ratio is given */
    double idle_ratio;
    struct cor_derived_quantity
        *random_states;           /* owned; [environment]: number of states of a drawn profile */
    enum cor_structure_kind kind; /* of the structures */
};

/* How many agents are of a type, in an arm whose model says it. */
struct cor_type_counts {
    struct cor_json_document *document; /* owned; the laws of ranges as they would be written, .. */
    struct cor_json root, stage, constraints;
    uint32_t type_count;
    char **texts; /* owned, and each; [type] its number as an expression; NULL: not said */
    struct cor_derived_quantity *numbers; /* owned; [type] */
};

/* What becomes of solutions on their way from the algorithm to adoption; drawn from a stream of its own
 * (COR_PURPOSE_RESULT_FAULT). */
struct cor_result_fault_definition {
    enum cor_result_fault fault;
    double probability; /* of each solution that can be spoilt so, 0 .. 1 */
};

/* Continuous execution (003, future work): how many ticks things take. All clocks tick at 0, when a sequence
 * begins, and from then on once a period. */
struct cor_clocks {
    uint64_t case_ticks; /* the environment goes on after so many; 0: execution is stepwise, and nothing below
                            means anything */
    uint64_t agent_least, agent_most; /* the period of each agent, drawn for a suite within these */
    uint64_t monitor_ticks;           /* the monitor's period */
    uint64_t unit_ticks, message_ticks, move_ticks; /* what one of them takes */
};

/* A chain that stands in for a mechanism: each agent has one of its own, and a number of it is changed by
 * what the state stands for. */
struct cor_mock {
    char *name;                  /* owned; NULL: it is not named */
    char *text;                  /* owned; JSON of the profile */
    struct cor_profile *profile; /* owned */
    double *shift;               /* owned; [state] */
};

/* A mechanism that works beside the algorithm under test (mechanism.h). */
struct cor_mechanism;
struct cor_mechanism_slot {
    const struct cor_mechanism *mechanism; /* the registry's */
    double *parameters;                    /* owned; in the order declared */
    bool *types;           /* owned; [type] whether it is about such agents: a mock, and samples; NULL: all */
    struct cor_mock *mock; /* the experiment's; NULL: it works itself */
    uint32_t fault;        /* of the mechanism, where it is under test; 0: none */
};

/* Who watches the triggers that no instance of a monitor can watch by itself. */
enum cor_rest { COR_REST_UNSAID, COR_REST_GLOBAL, COR_REST_UNWATCHED };

/* Monitors under test in place of the system's own (algorithms/monitors). Texts live as long as the document.
 */
struct cor_monitors_introduction;
struct cor_arm_monitors {
    const char *algorithm; /* a built-in name or a path; NULL: the system's own monitor, and nothing below
                              means anything */
    const char *fault;     /* "none", or one of its own */
    uint32_t subject;      /* enum cor_monitor_subject */
    uint32_t clock;        /* they look every so many cases, or periods of the clock of monitors */
    enum cor_rest rest;
    bool in_cell, is_full;                          /* of a module: see struct cor_monitors_definition */
    char *digest;                                   /* owned by the arm; of a module's file; NULL: built in */
    struct cor_monitors_introduction *introduction; /* owned by the arm; of a module: what it said */
};

/* One arm. Part of its experiment, which reads it and frees it; a test has a copy that borrows (test.h). */
struct cor_arm {
    char *name;                            /* owned */
    const struct cor_algorithm *algorithm; /* the registry's */
    uint32_t fault;                        /* 0 = none, else 1 + index */
    char *preset;                          /* owned; NULL if none */
    char *description; /* owned; JSON: algorithm, fault, preset, source, mail, faults of the testbed */
    struct cor_parameter_laws *laws; /* owned; by which the parameters of a suite are drawn */
    struct cor_type_counts
        *type_counts; /* owned; NULL: the model does not say how many agents are of a type */
    struct cor_roles roles;
    uint32_t parameter_count;  /* of the laws */
    uint16_t *parameter_codes; /* owned; [parameter of the laws] code in catalog/parameter */
    int *algorithm_parameters; /* owned; [parameter the algorithm declares] index in the laws, -1 = its
                                  default: an option that nobody has set */
    struct cor_session_definition session;
    struct cor_monitor_definition monitor;
    struct cor_arm_monitors monitors;
    struct cor_adoption_definition adoption;
    struct cor_result_fault_definition result;
    struct cor_mechanism_slot *mechanisms; /* owned, in the order in which they work */
    uint32_t mechanism_count;
    struct cor_mock *mock; /* the experiment's: of which share of agents change their partition in a case, in
                              the place of the algorithm; its one mechanism is under test. NULL: the algorithm
                              is */
    char *digest; /* owned; of all code that it executes and that is not in the program: SHA-256 of its
                     components (arm_components.h), one behind the other; NULL: there is none, or it is not
                     known */
    const struct cor_source *source; /* of walks */
    struct cor_case_traps *traps;    /* owned; that walks are steered to; NULL: none */
    uint32_t stream;                 /* by which its draws are named, from 1; 0: its place among the arms */
    uint32_t activation_delay, look_every;
    struct cor_clocks clocks;
    uint32_t return_cases; /* with a corridor as a text: within so many cases of an alarm it is back inside */
    bool judge_moves;      /* with one: after each move of an adoption */
    uint16_t first_counter_code;
    struct cor_configurations *configurations;           /* owned; NULL: drawn freely by the laws, */
    struct cor_configuration_traps *configuration_traps; /* owned; or such that these hold, */
    struct cor_explored *explored;                       /* owned; or by a design; NULL: none of them */
    struct cor_json json, preset_json, configurations_json, traps_json, mechanisms_json, mock_json,
        model_parameters; /* what the laws were read from; parents of what they keep */
};

#define COR_BACK_COUNT_MAX 8

/* Where a sequence has failed, others may set out from behind its last cases (003, future work: without it
 * independent walks part at the first case, and no prefix is shared). */
struct cor_branching {
    uint32_t continuations; /* of each prefix; 0 = no branching */
    uint32_t back_count;
    uint32_t back[COR_BACK_COUNT_MAX]; /* ascending, from 1: a prefix ends so many cases before the first
                                          failing one */
    uint32_t cases; /* drawn behind it at most, never beyond the length of the sequence that is continued */
};

/* How mail and crashing agents of an arm are written, of struct cor_mail_schedule and struct
 * cor_crash_definition, and what they are where a file says nothing. */
extern const struct cor_field cor_mail_fields[], cor_crash_fields[];
extern const struct cor_mail_schedule cor_mail_default;
extern const struct cor_crash_definition cor_crash_default;

struct cor_watch; /* layer.h */

/* An experiment as it was read; made by cor_experiment_read or cor_experiment_take, freed by
 * cor_experiment_destroy. */
struct cor_experiment {
    char *path; /* owned; as given */
    char *name; /* owned */
    char *text; /* owned; JSON of the experiment with model and profiles inlined */
    uint64_t seed;
    bool paired;             /* equal suites for all arms (a stream's arm is 0), else independent ones */
    uint32_t suite_count;    /* per arm; 0 = endless */
    uint32_t sequence_count; /* per suite, continuations not counted */
    int64_t given; /* all suites have the configuration of that one of their arm; -1: each its own */
    uint32_t case_min, case_max;
    uint32_t agents_most, cases_most; /* a suite with more is refused when it is generated, */
    uint64_t budget_most;             /* likewise */
    const struct cor_watch **watch;   /* owned; cor_experiment_watch */
    struct cor_branching branching;
    struct cor_clocks clocks;        /* of arms that say nothing of them */
    struct cor_json mechanisms_json; /* likewise; no value: none */
    struct cor_mock **mocks;         /* owned, and each */
    size_t mock_capacity;
    uint32_t mock_count;
    struct cor_test_model *model;            /* owned */
    struct interaction__text *text_corridor; /* owned; the corridor as a text; NULL: as the model has it */
    struct cor_registry *registry;           /* owned */
    struct cor_arm *arms;                    /* owned */
    uint32_t arm_count;
    char **parameter_names; /* owned; catalog of all arms' parameters */
    uint32_t parameter_count;
    uint32_t algorithm_count;                /* distinct algorithms of the arms, in order of appearance: */
    const struct cor_algorithm **algorithms; /* owned array */
    struct cor_json_document *document;      /* owned */
    struct cor_json root, model_json, presets_json, arms_json; /* parents of what the arms keep */
};

/* Reads an experiment and everything it names. Nothing is drawn and z3 is not asked. */
enum cor_status cor_experiment_read(const char *path, struct cor_experiment **experiment,
                                    struct cor_error *error) COR_MUST_USE;

/* What an experiment is to be taken with. */
struct cor_experiment_options {
    const char *
        algorithm; /* "ARM=ALGORITHM", or for all arms "ALGORITHM": instead of that of the file; NULL: none */
    struct cor_traffic
        *traffic; /* what programs say, recorded or replayed; borrowed as long as it lives; NULL: neither */
    struct cor_isolation_definition isolation;
    uint32_t agents_most, cases_most; /* as in struct cor_layer_options, */
    uint64_t budget_most;             /* likewise */
};

/* The same of a document that was read from `path`; it is the experiment's from now on, also on failure.
 * `options` may be NULL. */
enum cor_status cor_experiment_take(const char *path, struct cor_json_document *document,
                                    const struct cor_experiment_options *options,
                                    struct cor_experiment **experiment, struct cor_error *error) COR_MUST_USE;

/* Writes its text into a new file. COR_STATUS_EXISTS if there is one. */
enum cor_status cor_experiment_write(const struct cor_experiment *experiment, const char *path,
                                     struct cor_error *error) COR_MUST_USE;

/* From now on generating a suite of it ends with COR_STATUS_INTERRUPTED when that watch is stopped; NULL: it
 * takes as long as it takes. */
void cor_experiment_watch(const struct cor_experiment *experiment, const struct cor_watch *watch);

/* Frees it and all it owns. NULL is allowed. */
void cor_experiment_destroy(struct cor_experiment *experiment);
COR_DESTROYS(cor_experiment, struct cor_experiment)

/* The name of constraint `code` of the corridor as a text, and in *says what it says, both borrowed; NULL:
 * there is none. */
const char *cor_experiment_constraint(const struct cor_experiment *experiment, uint32_t code,
                                      const char **says);

/* After a complaint of a property: a constraint that was taken for a column is called by its name. */
void cor_experiment_name_constraints(const struct cor_experiment *experiment, struct cor_error *error);

/* May a mechanism of the arm write that column? */
bool cor_arm_writes(const struct cor_arm *arm, const char *column);

/* Index of the arm called `name`, -1 if there is none. */
int cor_experiment_arm(const struct cor_experiment *experiment, const char *name);

/* By which number the draws of the arm's suites are named; 0: as those of all arms. */
uint32_t cor_experiment_stream(const struct cor_experiment *experiment, uint32_t arm);

/* Writes an arm so that it draws in any experiment as it does at `place`, from 1, among the arms of its own.
 * The object stays open. */
void cor_experiment_put_arm(struct cor_json_writer *writer, const struct cor_json *arm, uint32_t place);

/* ---- what conditions over an experiment may speak of: its environments, the relevant states of its types of
 * agents and, of an arm, parameters and reactions */

/* `arm` may be NULL: environments alone. Parameters are those of the arm's laws, which are finished. Borrows
 * from both. */
enum cor_status cor_model_vocabulary(const struct cor_test_model *model, const struct cor_arm *arm,
                                     struct cor_vocabulary **vocabulary,
                                     struct cor_error *error) COR_MUST_USE;

/* ---- the test model of an experiment as a class diagram (003, 4.1): types of agents with their attributes
 * and states, environments, the organizations that agents form, and what must hold of them */

enum cor_diagram_language { COR_DIAGRAM_DOT, COR_DIAGRAM_PLANTUML };

/* The diagram in Graphviz' or PlantUML's language, freed with free(); NULL with `error` set when memory is
 * out. */
char *cor_model_diagram(const struct cor_experiment *experiment, enum cor_diagram_language language,
                        struct cor_error *error);

#endif
