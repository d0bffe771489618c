/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the readers of experiments, models, arms and suites share, and what the parts of the suite generator
 * do. */
#ifndef CORRIDOR_MODEL_INTERNAL_H
#define CORRIDOR_MODEL_INTERNAL_H

#include <corridor/fields.h>
#include <corridor/suite.h>

/* Fields that every file has. The version must be 1, the only one there is; a description must be text, and
 * nothing reads it. */
enum cor_status cor__check_version(const struct cor_json *json, void *into,
                                   struct cor_error *error) COR_MUST_USE;
enum cor_status cor__check_description(const struct cor_json *json, void *into,
                                       struct cor_error *error) COR_MUST_USE;

/* Refuses a name that a table cannot show: empty, over 63 bytes, or with control characters. `json` is where
 * it stands, `what` is named by it. */
enum cor_status cor__check_name(const struct cor_json *json, const char *name, const char *what,
                                struct cor_error *error) COR_MUST_USE;

/* Reads such a name into *copy (owned by the caller). */
enum cor_status cor__read_name(const struct cor_json *json, const char *what, char **copy,
                               struct cor_error *error) COR_MUST_USE;

/* An array of two numbers, the second not below the first. */
enum cor_status cor__read_range(const struct cor_json *json, double low, double high, double *least,
                                double *most, struct cor_error *error) COR_MUST_USE;

/* Parses the file that the text `json` names, looked up beside the file that `json` stands in. */
enum cor_status cor__read_named(const struct cor_json *json, struct cor_json_document **document,
                                struct cor_error *error) COR_MUST_USE;

/* What somebody else said, at the value that made him say so. */
enum cor_status cor__repeat_at(const struct cor_json *json, const struct cor_error *said,
                               struct cor_error *error);

/* Checks the shape of all presets, of those that no arm names too. */
enum cor_status cor__presets_check(const struct cor_json *presets, struct cor_error *error) COR_MUST_USE;

/* Reads the arm `json` (an item of "arms"), with its preset from `presets` (NULL if there are none). */
enum cor_status cor__arm_read(struct cor_experiment *experiment, const struct cor_json *json,
                              const struct cor_json *presets, struct cor_arm *arm,
                              struct cor_error *error) COR_MUST_USE;

/* Reads the quantities of the model over the parameters of `arm`, whose laws are finished. */
enum cor_status cor__roles_read(const struct cor_test_model *model, struct cor_arm *arm,
                                struct cor_error *error) COR_MUST_USE;

void cor__arm_fini(struct cor_arm *arm, uint32_t environments);

/* The parameters of a suite and what follows from them. */
struct cor_numbers {
    int64_t agents, size_min, size_max, count_min, count_max;
    int64_t groups;    /* 0 = by target size */
    int64_t locations; /* 0 = each group its own */
    double idle_ratio;
};

/* A population before its arrays have their final shape: groups with their sizes, places and environments. */
struct cor_population {
    uint32_t group_count, chain_count;
    uint32_t *size;              /* owned; [group] */
    uint32_t *chain;             /* owned; [group] */
    uint16_t *type;              /* owned; [group]; the type of all its agents unless groups are mixed */
    uint16_t *chain_environment; /* owned; [chain] */
    uint32_t *chain_location;    /* owned; [chain] */
};

/* An empty suite with its small arrays allocated. */
enum cor_status cor__suite_create(const struct cor_experiment *experiment, uint32_t arm, uint32_t index,
                                  struct cor_suite **suite, struct cor_error *error) COR_MUST_USE;

/* The stream of that purpose and entity of a suite. */
struct cor_rng cor__suite_rng(const struct cor_suite *suite, enum cor_purpose purpose, uint32_t entity);

/* Draws groups, places and environments. */
enum cor_status cor__draw_population(const struct cor_suite *suite, const struct cor_numbers *numbers,
                                     struct cor_population *population, struct cor_error *error) COR_MUST_USE;
void cor__suite_population_fini(struct cor_population *population);

/* Makes the configuration: agents with types, inertia, effects and first states. No structure and no
 * threshold yet. */
enum cor_status cor__build_configuration(struct cor_suite *suite, const struct cor_numbers *numbers,
                                         const struct cor_population *population,
                                         struct cor_error *error) COR_MUST_USE;

/* Draws the initial structure by the algorithm "random". */
enum cor_status cor__draw_structure(struct cor_suite *suite, struct cor_error *error) COR_MUST_USE;

/* Sets the threshold: as given, or by bisection on a pilot run with an algorithm of the testbed (so that it
 * is a function of the configuration alone, equal for all algorithms under test). */
enum cor_status cor__set_threshold(struct cor_suite *suite, struct cor_error *error) COR_MUST_USE;

#endif
