/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The test model (003, 4.1): what may be generated. Its three parts are the model of the system under test
 * (agents, groups, limits, invariant), that of the algorithm under test (parameters, drawn by the laws of
 * parameters.h), and that of the environment (profiles, influences). docs/look-up/experiments.md is the
 * manual of the JSON. */
#ifndef CORRIDOR_MODEL_H
#define CORRIDOR_MODEL_H

#include <corridor/attributes.h>
#include <corridor/expression.h>
#include <corridor/influence.h>
#include <corridor/json.h>
#include <corridor/lists.h>
#include <corridor/parameters.h>
#include <corridor/profile.h>
#include <corridor/structures.h>
#include <corridor/terms.h>

#define COR_TYPES_MAX 256
#define COR_ENVIRONMENTS_MAX 256

/* A number that is given, or follows from the parameters of a suite. */
struct cor_derived_quantity {
    struct cor_expression expression; /* owned; empty if the number is given */
    int64_t given;
};

/* For whom an environment is the same at any time. */
enum cor_scope_of_environment { COR_SCOPE_PLACE, COR_SCOPE_ALL, COR_SCOPE_GROUP };

/* An environment: its profile is fixed, or drawn for each suite. */
struct cor_environment {
    char *name;                             /* owned */
    struct cor_profile *profile;            /* owned; NULL if drawn for each suite, */
    struct cor_json_document *profile_file; /* owned; NULL: the profile stands in the model */
    struct cor_json profile_json;           /* as it was read */
    bool is_random;
    enum cor_scope_of_environment scope; /* all groups at one place, all there are, or each by itself */
    struct cor_profile_law
        random;           /* by this law; the number of states may be a parameter, so it is each arm's */
    struct cor_json law;  /* as written */
    struct cor_json json; /* parent of `law` */
};

/* How the agents of a type come by an attribute, as the model says it. */
struct cor_attribute_law {
    enum cor_attribute_source source;
    double low, high; /* FIXED, and ADDED at first: drawn for each agent within, or given: equal. LEVEL of a
                         type without states: that of each state is drawn within */
    double
        *cumulative; /* owned; FIXED: the share of codes up to each of the attribute's; NULL: by the range */
    double *level;   /* owned; LEVEL: [agent state]; NULL: drawn */
    bool has_inertia;
    struct cor_formula formula; /* COMPUTED, ADDED */
};

#define COR_TYPE_OTHERS_MAX 3

/* A type of agents. */
struct cor_agent_type {
    char *name;           /* owned */
    uint32_t environment; /* the environment that influences it; COR_NOBODY: whichever its group lives in */
    uint32_t others[COR_TYPE_OTHERS_MAX], other_count; /* further ones, which matter together with it */
    struct cor_influence
        *fixed; /* owned; NULL if the agent takes over its environment's state, with levels drawn */
    double level_low, level_high;         /* in this range for each suite */
    struct cor_attribute_law *attributes; /* owned; [attribute of the model] */
    struct cor_json json;
    uint32_t presence; /* the environment by which each agent comes and goes; COR_NOBODY: none does */
    double arrives, fails, present; /* with which probability it comes, goes, is there at the start */
    char **state_names; /* owned, and each; of a type that stands alone, without `fixed`: what states are
                           called, NULL: as those of the environment */
    uint32_t state_count;
};

/* How the initial structure is made: drawn; of partitionings, with agents of a group together; drawn until it
 * is inside of the corridor; not at all, as the model gives it. */
enum cor_start { COR_START_DRAWN, COR_START_BY_GROUP, COR_START_INSIDE, COR_START_GIVEN };

/* A test model as it was read; made by cor_model_read, freed by cor_model_destroy. */
struct cor_test_model {
    struct cor_json_document *document; /* owned; NULL if the model is part of the experiment file */
    char *name;                         /* owned */
    struct cor_json root, environments_json, types_json; /* parents of what is kept below */
    struct cor_environment *environments;                /* owned */
    uint32_t environment_count;
    uint32_t perceived_count; /* of these agents perceive; by each behind them agents of a type come and go */
    bool comes_and_goes;      /* some agent may */
    struct cor_agent_attribute *attributes; /* owned; as they are declared */
    struct cor_json *attribute_json;        /* owned; [attribute] where */
    char **attribute_texts; /* owned, and each; what catalogs say: "real 0 .. 500 [kW]", "words near, far" */
    struct cor_json attributes_json; /* parent of these */
    uint32_t attribute_count;
    struct cor_agent_type *types; /* owned */
    uint32_t type_count;
    bool mixed_groups; /* a group may mix types */
    double inertia_low, inertia_high;
    enum cor_measure measure;
    bool threshold_given;
    double threshold;  /* given, */
    double alarm_rate; /* or such that this share of pilot cases raises an alarm */
    uint32_t pilot_cases;
    const char *pilot; /* name of the algorithm that reorganizes in the pilot: "deal" or "random" */
    enum cor_structure_kind kind; /* of the system structure */
    int start;                    /* who is in which at the start, one of these */
    struct cor_lists start_lists; /* owned; of COR_START_GIVEN, agents ascending within */
};

/* Reads a model: `json` is the model, or the name of its file, looked up beside the file that `json` stands
 * in; profiles it names are looked up beside the model's. `json` and its document must outlive the model. */
enum cor_status cor_model_read(const struct cor_json *json, struct cor_test_model **model,
                               struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_model_destroy(struct cor_test_model *model);

/* Reads a quantity: an integer within low .. high, or an expression over `names`, whose value is checked when
 * it is taken. */
enum cor_status cor_derived_quantity_read(const struct cor_json *json, const char *const *names, int64_t low,
                                          int64_t high, struct cor_derived_quantity *quantity,
                                          struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_derived_quantity_fini(struct cor_derived_quantity *quantity);

#endif
