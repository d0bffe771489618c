/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The test model (003, 4.1): what may be generated. Its three parts are the model of the system under test (agents, groups,
 * limits, invariant), that of the algorithm under test (parameters, drawn by the laws of parameters.h), and that of the
 * environment (profiles, influences). docs/experiments.md is the manual of the JSON. */
#ifndef CORRIDOR_MODEL_H
#define CORRIDOR_MODEL_H

#include <corridor/expression.h>
#include <corridor/influence.h>
#include <corridor/json.h>
#include <corridor/parameters.h>
#include <corridor/profile.h>
#include <corridor/terms.h>

#define COR_PER_GROUP UINT32_MAX /* locations: every group has a place of its own */

/* A number that is given, or follows from the parameters of a suite. */
struct cor_quantity {
    struct cor_expression expression; /* owned; empty if the number is given */
    int64_t given;
};

/* An environment: its profile is fixed, or drawn for each suite. */
struct cor_environment {
    char *name;                  /* owned */
    struct cor_profile *profile; /* owned; NULL if drawn */
    struct cor_json law;         /* JSON of the random law, read again for each arm's names */
    bool is_random;
};

/* A type of agents. */
struct cor_agent_type {
    char *name;           /* owned */
    uint32_t environment; /* the environment that influences it; COR_NOBODY: whichever its group lives in */
    struct cor_json influence;
    struct cor_influence *fixed; /* owned; the influence of a fixed profile, else NULL: made for each suite */
    double level_low, level_high;
};

struct cor_model {
    struct cor_json_document *document; /* owned */
    char *name;                         /* owned */
    struct cor_json root;
    struct cor_environment *environments; /* owned */
    uint32_t environment_count;
    struct cor_agent_type *types; /* owned */
    uint32_t type_count;
    bool mixed_groups;            /* a group may mix types */
    double inertia_low, inertia_high;
    enum cor_measure measure;
    bool threshold_given;
    double threshold;  /* given, */
    double alarm_rate; /* or such that this share of pilot cases raises an alarm */
    uint32_t pilot_cases;
};

/* Reads a model from a file, or from the object `json` if it is one (then `path` names it in messages). Files it names
 * (profiles) are looked up beside it. */
enum cor_status cor_model_read(const char *path, struct cor_model **model, struct cor_error *error) COR_MUST_USE;

void cor_model_destroy(struct cor_model *model);

/* Index of the environment called `name`, -1 if there is none. */
int cor_model_environment(const struct cor_model *model, const char *name);

/* Reads a quantity: an integer within low .. high, or an expression over `names`, whose value is checked when it is
 * taken. */
enum cor_status cor_quantity_read(const struct cor_json *json, const char *const *names, int64_t low, int64_t high,
                                  struct cor_quantity *quantity, struct cor_error *error) COR_MUST_USE;

void cor_quantity_fini(struct cor_quantity *quantity);

#endif
