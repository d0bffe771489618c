/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/configuration_design.h>
#include <corridor/property.h>

#include <math.h>
#include <stdlib.h>

#define TRIES 2000 /* of all stages, 20 draws of each, until what is not an input counts as never drawn */

void interaction__configuration_design_destroy(struct cor_configuration_design *design) {
    if (!design)
        return;
    free(design->parameters);
    free(design->low);
    free(design->high);
    free(design->rows);
    free(design);
}

/* Does an expression read a variable that is drawn in this stage? */
static bool reads_of_stage(const struct cor_parameter_laws *laws, const struct cor_expression *expression,
                           uint32_t stage) {
    for (uint32_t v = 0; v < laws->variable_count; v++)
        if (laws->variables[v].stage == stage && cor_expression_reads(expression, v))
            return true;
    return false;
}

/* May a constraint that is checked at the end of its stage have a say in it: one that reads it, or what may
 * follow from it? */
static bool is_tied(const struct cor_parameter_laws *laws, uint32_t parameter) {
    const uint32_t stage = laws->variables[parameter].stage;
    bool is_followed = false;
    for (size_t d = 0; d < laws->main.count; d++) {
        const struct cor_definition *other = &laws->main.definitions[d];
        is_followed =
            is_followed || (other->stage == stage && (cor_expression_reads(&other->low, parameter) ||
                                                      cor_expression_reads(&other->high, parameter)));
    }
    for (size_t c = 0; c < laws->constraint_count; c++) {
        const struct cor_constraint *constraint = &laws->constraints[c];
        if (constraint->stage == stage &&
            (cor_expression_reads(&constraint->expression, parameter) ||
             (is_followed && reads_of_stage(laws, &constraint->expression, stage))))
            return true;
    }
    return false;
}

/* Does the range read no parameter? */
static bool is_constant(const struct cor_parameter_laws *laws, const struct cor_definition *d) {
    for (uint32_t v = 0; v < laws->variable_count; v++)
        if (cor_expression_reads(&d->low, v) || cor_expression_reads(&d->high, v))
            return false;
    return true;
}

bool cor_arm_input(const struct cor_arm *arm, uint32_t parameter, double *low, double *high, bool *tied) {
    const struct cor_parameter_laws *laws = arm->laws;
    const struct cor_definition *d = &laws->main.definitions[laws->variables[parameter].definition];
    cor_parameter_laws_range(laws, parameter, low, high);
    *tied = false;
    if (d->overridden || !(*low < *high))
        return false;
    if (d->kind == COR_LAW_REAL)
        return true;
    *tied = d->kind == COR_LAW_UNIFORM && is_tied(laws, parameter);
    return d->kind == COR_LAW_UNIFORM && is_constant(laws, d);
}

static enum cor_status fail_input(const struct cor_arm *arm, const struct cor_json *json,
                                  struct cor_error *error) {
    const int index = cor_parameter_laws_find(arm->laws, json->key);
    const char *names[COR_VARIABLES_MAX + 1];
    char known[512];
    uint32_t count = 0;
    for (uint32_t p = 0; p < cor_parameter_laws_size(arm->laws); p++) {
        double low, high;
        bool tied;
        if (cor_arm_input(arm, p, &low, &high, &tied))
            names[count++] = cor_parameter_laws_name(arm->laws, p);
    }
    names[count] = NULL;
    cor_known_names(json->key, names, known, sizeof known);
    if (index < 0)
        return cor_json_fail(json, error, known, "the arm %s has no parameter \"%s\"", arm->name, json->key);
    return cor_json_fail(json, error, known,
                         "\"%s\" has no range of its own: it is given, follows from others, or is drawn "
                         "together with them (%s)",
                         json->key, cor_parameter_laws_text(arm->laws, (uint32_t)index));
}

enum cor_status cor_arm_input_read(const struct cor_arm *arm, const struct cor_json *json,
                                   uint32_t *parameter, double *low, double *high, struct cor_error *error) {
    const int index = cor_parameter_laws_find(arm->laws, json->key);
    double least, most;
    bool tied;
    if (index < 0 || !cor_arm_input(arm, (uint32_t)index, &least, &most, &tied))
        return fail_input(arm, json, error);
    *parameter = (uint32_t)index;
    COR_TRY(interaction__read_range(json, least, most, low, high, error));
    if (cor_parameter_laws_is_integer(arm->laws, *parameter) &&
        (floor(*low) != *low || floor(*high) != *high))
        return cor_json_fail(json, error, "write whole numbers", "\"%s\" is drawn from whole numbers",
                             json->key);
    if (!(*low < *high))
        return cor_json_fail(json, error, "widen it, or leave the parameter out", "is a range of one value");
    return COR_OK;
}

/* What is read: the design, and the arm whose parameters are its inputs. */
struct reading {
    struct cor_input_design design;
    struct cor_arm *arm;
};

static enum cor_status read_inputs(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    struct cor_arm *arm = reading->arm;
    struct cor_configuration_design *it = arm->configuration_design;
    const size_t count = cor_json_size(json);
    COR_TRY(cor_json_expect_object(json, NULL, error));
    if (count < 1 || count > COR_INPUT_DESIGN_INPUTS_MAX)
        return cor_json_fail(json, error, "name the parameters of which you want to know",
                             "has %zu inputs, "
                             "expected 1 to %d",
                             count, COR_INPUT_DESIGN_INPUTS_MAX);
    it->parameters = cor_calloc(count, sizeof *it->parameters);
    it->low = cor_calloc(count, sizeof *it->low);
    it->high = cor_calloc(count, sizeof *it->high);
    if (!it->parameters || !it->low || !it->high)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(cor_arm_input_read(arm, &item, &it->parameters[i], &it->low[i], &it->high[i], error));
    }
    reading->design.inputs = (uint32_t)count;
    return COR_OK;
}

static enum cor_status read_measures(const struct cor_json *json, void *into, struct cor_error *error) {
    (void)into;
    COR_TRY(cor_json_expect_array(json, 1, COR_MEASURES_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        struct cor_property *measure;
        const char *text;
        char place[512];
        COR_TRY(cor_json_string(&item, &text, error));
        cor_json_place(&item, place, sizeof place);
        COR_TRY(cor_measure_parse(text, place, &measure, error));
        cor_property_destroy(measure);
    }
    return COR_OK;
}

static const struct cor_field fields[] = {
    {"design", COR_REQUIRED,
     COR_ONE_OF_FIELD(struct reading, design.kind, cor_input_design_words, 0, "design")},
    {"points", COR_REQUIRED, COR_INTEGER_FIELD(struct reading, design.points, 1, COR_INPUT_DESIGN_ROWS_MAX)},
    {"inputs", COR_REQUIRED, COR_READ_FIELD(read_inputs)},
    {"measures", COR_OPTIONAL, COR_READ_FIELD(read_measures)},
    {0}};

enum cor_status interaction__configuration_design_read(struct cor_arm *arm, struct cor_error *error) {
    const struct cor_json *json = &arm->configurations_json;
    arm->configuration_design = cor_calloc(1, sizeof *arm->configuration_design);
    COR_TRY(cor_made(arm->configuration_design, error));
    struct reading reading = {.arm = arm};
    COR_TRY(cor_json_fields(json, fields, &reading, error));
    const struct cor_input_design *design = &arm->configuration_design->design;
    arm->configuration_design->design = reading.design;
    if (design->points < cor_input_design_fewest[design->kind])
        return cor_json_fail(json, error, "give it more", "has %u points; %s has at least %u", design->points,
                             cor_input_design_words[design->kind], cor_input_design_fewest[design->kind]);
    if (cor_input_design_rows(design) > COR_INPUT_DESIGN_ROWS_MAX)
        return cor_json_fail(json, error, "give it fewer points or inputs",
                             "makes a design of %llu rows; at most %d are made",
                             (unsigned long long)cor_input_design_rows(design), COR_INPUT_DESIGN_ROWS_MAX);
    return COR_OK;
}

enum cor_status interaction__configuration_design_make(const struct cor_experiment *experiment, uint32_t arm,
                                                       struct cor_error *error) {
    struct cor_configuration_design *it = experiment->arms[arm].configuration_design;
    if (!it || it->rows)
        return COR_OK;
    const uint64_t rows = cor_input_design_rows(&it->design);
    if (experiment->suite_count == 0 || experiment->suite_count > rows)
        return cor_json_fail(
            &experiment->arms[arm].configurations_json, error, "let \"suites\" be as many as rows",
            "is a design of %llu rows, each a suite: %s", (unsigned long long)rows,
            experiment->suite_count == 0 ? "the experiment has no end" : "there are more suites");
    const struct cor_stream_name name = {.seed = experiment->seed,
                                         .arm = cor_experiment_stream(experiment, arm),
                                         .purpose = COR_PURPOSE_COMBINE};
    struct cor_rng rng = cor_rng_named(&name);
    it->rows = cor_calloc(rows * it->design.inputs, sizeof *it->rows);
    COR_TRY(cor_made(it->rows, error));
    return cor_input_design_make(&it->design, &rng, it->rows, error);
}

uint32_t interaction__configuration_design_stream(const struct cor_arm *arm, uint32_t suite) {
    const struct cor_configuration_design *it = arm->configuration_design;
    return it && suite < cor_input_design_rows(&it->design) ? cor_input_design_stream(&it->design, suite)
                                                            : suite;
}

/* The value of an input: of an integer each value has an equal part of 0 .. 1 if it is drawn, and levels of a
 * grid are rounded. */
static double value_of(const struct cor_arm *arm, uint32_t input, double at) {
    const struct cor_configuration_design *it = arm->configuration_design;
    const double low = it->low[input], high = it->high[input];
    double value = low + at * (high - low);
    if (cor_parameter_laws_is_integer(arm->laws, it->parameters[input]))
        value = it->design.kind == COR_INPUT_DESIGN_MORRIS ? floor(value + 0.5)
                                                           : low + floor(at * (high - low + 1));
    return value < high ? value : high;
}

enum cor_status interaction__configuration_design_draw(const struct cor_arm *arm, uint32_t suite,
                                                       struct cor_rng *rng, int64_t *integers, double *reals,
                                                       struct cor_draw *draw, struct cor_error *error) {
    const struct cor_configuration_design *it = arm->configuration_design;
    const uint32_t capacity = cor_parameter_laws_capacity(arm->laws);
    const double *row = it->rows + (size_t)(suite % cor_input_design_rows(&it->design)) * it->design.inputs;
    struct cor_class *within = cor_calloc(capacity, sizeof *within);
    COR_TRY(cor_made(within, error));
    for (uint32_t v = 0; v < capacity; v++)
        within[v] = (struct cor_class){-INFINITY, INFINITY};
    for (uint32_t i = 0; i < it->design.inputs; i++) {
        const double value = value_of(arm, i, row[i]);
        within[it->parameters[i]] = (struct cor_class){value, value};
    }
    struct cor_error said = COR_NO_ERROR;
    enum cor_status status =
        interaction__laws_draw_within(arm->laws, rng, within, integers, reals, TRIES, draw, &said);
    if (status == COR_STATUS_UNSATISFIABLE) {
        char text[512];
        int used = 0;
        for (uint32_t i = 0; i < it->design.inputs && used < (int)sizeof text; i++)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%s = %.6g", i > 0 ? ", " : "",
                             cor_parameter_laws_name(arm->laws, it->parameters[i]),
                             within[it->parameters[i]].low);
        status = cor_fail(
            error, COR_STATUS_UNSATISFIABLE, NULL,
            "narrow the ranges of its inputs until all of them go together with the constraints",
            "with %s no other parameters that meet the constraints were drawn in %d attempts", text, TRIES);
    }
    free(within);
    return status;
}
