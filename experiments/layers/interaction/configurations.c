/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Classes of parameters, what of them goes together, and the array over them. What the ranges and constraints
 * exclude for sure is found by intervals and told the array's maker as constraints over classes; each row is
 * then drawn, and where that fails, what fails is excluded and the array made anew. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/combine.h>
#include <corridor/configurations.h>
#include <corridor/property.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static enum cor_status configuration_design_read(struct cor_arm *arm, struct cor_error *error) COR_MUST_USE;
static enum cor_status configuration_traps_solve(struct cor_arm *arm, struct cor_error *error) COR_MUST_USE;
static enum cor_status configuration_traps_read(struct cor_arm *arm, struct cor_error *error) COR_MUST_USE;

#define CLASSES_DEFAULT 3
#define CLASSES_MAX 100
#define READ_MAX 6      /* parameters of one constraint that are looked at class by class */
#define TRIES 2000      /* draws until classes count as never drawn */
#define ROUNDS_MAX 1000 /* arrays made until all rows can be drawn */
#define MOVES 20000     /* of the search for one array */

void interaction__configurations_destroy(struct cor_configurations *c) {
    if (!c)
        return;
    COR_FREE(c->parameters, c->first_class, c->classes, c->rows, c);
}

struct reading {
    struct cor_arm *arm;
    struct cor_configurations *made;
    size_t parameter_capacity, class_capacity, start_capacity;
};

static enum cor_status begin_parameter(struct reading *r, uint32_t parameter, struct cor_error *error) {
    struct cor_configurations *c = r->made;
    COR_TRY(COR_RESERVE(&c->parameters, &r->parameter_capacity, c->parameter_count + 1, error));
    COR_TRY(COR_RESERVE(&c->first_class, &r->start_capacity, c->parameter_count + 2, error));
    c->parameters[c->parameter_count++] = parameter;
    if (c->parameter_count == 1)
        c->first_class[0] = 0;
    c->first_class[c->parameter_count] = c->first_class[c->parameter_count - 1];
    return COR_OK;
}

static enum cor_status add_class(struct reading *r, double low, double high, struct cor_error *error) {
    struct cor_configurations *c = r->made;
    uint32_t *end = &c->first_class[c->parameter_count];
    COR_TRY(COR_RESERVE(&c->classes, &r->class_capacity, *end + 1, error));
    c->classes[(*end)++] = (struct cor_class){low, high};
    return COR_OK;
}

/* Does the law leave the parameter a choice? */
static bool is_drawn(const struct cor_parameter_laws *laws, uint32_t parameter) {
    const struct interaction__definition *d = &laws->main.definitions[laws->variables[parameter].definition];
    double low, high;
    cor_parameter_laws_range(laws, parameter, &low, &high);
    return d->kind != COR_LAW_VALUE && low < high;
}

/* Equal parts of the range; an integer's, of whole numbers: no more parts than these. */
static enum cor_status cut(struct reading *r, uint32_t parameter, int64_t parts, struct cor_error *error) {
    double low, high;
    cor_parameter_laws_range(r->arm->laws, parameter, &low, &high);
    bool whole = cor_parameter_laws_is_integer(r->arm->laws, parameter);
    if (whole && high - low + 1 < (double)parts)
        parts = (int64_t)(high - low) + 1;
    COR_TRY(begin_parameter(r, parameter, error));
    double from = low;
    for (int64_t i = 1; i <= parts; i++) {
        double to = whole ? low - 1 + floor((high - low + 1) * (double)i / (double)parts)
                          : low + (high - low) * ((double)i / (double)parts);
        COR_TRY(add_class(r, from, i == parts ? high : to, error));
        from = whole ? to + 1 : to;
    }
    return COR_OK;
}

static enum cor_status read_classes(const struct cor_json *json, struct reading *r, uint32_t parameter,
                                    struct cor_error *error) {
    int64_t parts;
    if (!cor_json_is_array(json)) {
        COR_TRY(cor_json_integer(json, 1, CLASSES_MAX, &parts, error));
        return cut(r, parameter, parts, error);
    }
    COR_TRY(cor_json_expect_array(json, 1, CLASSES_MAX, error));
    COR_TRY(begin_parameter(r, parameter, error));
    COR_JSON_CHILDREN(item, json) {
        /* [[2, 10], 11, ..]: a class is a range, or one value. */
        double low, high, least, most;
        const struct cor_configurations *c = r->made;
        cor_parameter_laws_range(r->arm->laws, parameter, &low, &high);
        if (cor_json_is_array(&item)) {
            COR_TRY(cor_json_range(&item, low, high, &least, &most, error));
        } else {
            COR_TRY(cor_json_real(&item, low, high, &least, error));
            most = least;
        }
        bool whole = cor_parameter_laws_is_integer(r->arm->laws, parameter);
        if (whole && (floor(least) != least || floor(most) != most))
            return cor_json_fail(&item, error, "write whole numbers", "\"%s\" is drawn from whole numbers",
                                 cor_parameter_laws_name(r->arm->laws, parameter));
        uint32_t first = c->first_class[c->parameter_count - 1], end = c->first_class[c->parameter_count];
        if (end > first && (least < c->classes[end - 1].high || (whole && least == c->classes[end - 1].high)))
            return cor_json_fail(&item, error, "write classes in order, with nothing in two of them",
                                 "begins before the class in front of it ends");
        COR_TRY(add_class(r, least, most, error));
    }
    return COR_OK;
}

static enum cor_status cut_all(struct reading *r, int64_t parts, struct cor_error *error) {
    for (uint32_t p = 0; p < cor_parameter_laws_size(r->arm->laws); p++)
        if (is_drawn(r->arm->laws, p))
            COR_TRY(cut(r, p, parts, error));
    return COR_OK;
}

static enum cor_status read_of_parameters(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *r = into;
    int64_t parts;
    if (!cor_json_is_object(json)) {
        COR_TRY(cor_json_integer(json, 1, CLASSES_MAX, &parts, error));
        return cut_all(r, parts, error);
    }
    COR_JSON_CHILDREN(item, json) {
        int parameter = cor_parameter_laws_find(r->arm->laws, item.key);
        if (parameter < 0 || !is_drawn(r->arm->laws, (uint32_t)parameter)) {
            const struct cor_parameter_laws *laws = r->arm->laws;
            const char *names[COR_VARIABLES_MAX + 1];
            char known[512];
            uint32_t count = 0;
            for (uint32_t p = 0; p < cor_parameter_laws_size(laws); p++)
                if (is_drawn(laws, p))
                    names[count++] = cor_parameter_laws_name(laws, p);
            names[count] = NULL;
            cor_known_names(item.key, names, known, sizeof known);
            return cor_json_fail(&item, error, known, "\"%s\" is no parameter that is drawn from a range",
                                 item.key);
        }
        COR_TRY(read_classes(&item, r, (uint32_t)parameter, error));
    }
    return COR_OK;
}

static enum cor_status read_strength(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_count(json, 1, COR_COMBINE_STRENGTH_MAX, &((struct reading *)into)->made->strength,
                          error);
}

static const struct cor_field configuration_fields[] = {
    {"combine", COR_REQUIRED, COR_READ_FIELD(read_strength)},
    {"classes", COR_OPTIONAL, COR_READ_FIELD(read_of_parameters)},
    {0}};

enum cor_status interaction__configurations_read(struct cor_arm *arm, struct cor_error *error) {
    struct reading reading = {.arm = arm, .made = cor_calloc(1, sizeof *reading.made)};
    const struct cor_json *json = &arm->configurations_json;
    struct cor_json traps;
    if (cor_json_find(json, "traps", &traps)) {
        free(reading.made);
        return configuration_traps_read(arm, error);
    }
    if (cor_json_find(json, "design", &traps)) {
        free(reading.made);
        return configuration_design_read(arm, error);
    }
    arm->configurations = reading.made;
    COR_TRY(cor_made(reading.made, error));
    COR_TRY(cor_json_fields(json, configuration_fields, &reading, error));
    struct cor_json classes;
    if (!cor_json_find(json, "classes", &classes))
        COR_TRY(cut_all(&reading, CLASSES_DEFAULT, error));
    if (reading.made->parameter_count >= reading.made->strength)
        return COR_OK;
    return cor_json_fail(json, error, "lower it, or give more parameters classes",
                         "combines %u parameters, but %u %s classes", reading.made->strength,
                         reading.made->parameter_count, reading.made->parameter_count == 1 ? "has" : "have");
}

struct making {
    const struct cor_arm *arm;
    struct cor_configurations *c;
    struct cor_combine_model *model; /* owned, as all below */
    struct cor_words words;
    int64_t *low, *high; /* by variable: where intervals are looked at */
    struct cor_class *within;
    int64_t *integers;
    double *reals;
    struct cor_rng rng;
};

static const struct cor_class *class_of(const struct cor_configurations *c, uint32_t place, uint32_t class) {
    return &c->classes[c->first_class[place] + class];
}

static uint32_t class_count(const struct cor_configurations *c, uint32_t place) {
    return c->first_class[place + 1] - c->first_class[place];
}

/* These classes of these parameters do not go together. */
static enum cor_status exclude(struct making *m, const uint32_t *places, const uint32_t *classes,
                               uint32_t count, struct cor_error *error) {
    char *text = cor_calloc(32 * (count + 1), 1);
    COR_TRY(cor_made(text, error));
    size_t used = (size_t)sprintf(text, "not (");
    for (uint32_t i = 0; i < count; i++)
        used += (size_t)sprintf(text + used, "%sp%u = %u", i > 0 ? " and " : "", places[i], classes[i]);
    sprintf(text + used, ")");
    enum cor_status status = cor_combine_add_constraint(m->model, text, NULL, error);
    free(text);
    return status;
}

/* Does a definition leave its parameters no value within the intervals? */
static bool is_empty(const struct making *m, const struct interaction__definition *d) {
    if (d->kind != COR_LAW_UNIFORM && d->kind != COR_LAW_PAIR)
        return false;
    struct cor_value_range low = cor_expression_interval(&d->low, m->low, m->high),
                           high = cor_expression_interval(&d->high, m->low, m->high);
    for (uint32_t i = 0; i < d->variable_count; i++)
        if (m->high[d->variable[i]] < low.low || m->low[d->variable[i]] > high.high)
            return true;
    return d->kind == COR_LAW_PAIR && m->low[d->variable[0]] > m->high[d->variable[1]];
}

/* What a rule - a constraint, or a definition if that is NULL - reads of the parameters with classes. */
static uint32_t places_read(const struct making *m, const struct interaction__constraint *constraint,
                            const struct interaction__definition *d, uint32_t *places) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->c->parameter_count; i++) {
        uint32_t v = m->c->parameters[i];
        bool reads = constraint && cor_expression_reads(&constraint->expression, v);
        if (!constraint && (d->kind == COR_LAW_UNIFORM || d->kind == COR_LAW_PAIR)) {
            reads = cor_expression_reads(&d->low, v) || cor_expression_reads(&d->high, v);
            for (uint32_t j = 0; j < d->variable_count; j++)
                reads = reads || d->variable[j] == v;
        }
        if (reads && count <= READ_MAX)
            places[count++] = i;
    }
    return count;
}

/* Excludes the classes that a rule cannot hold with, whatever else is drawn. */
static enum cor_status exclude_by(struct making *m, const struct interaction__constraint *constraint,
                                  const struct interaction__definition *d, struct cor_error *error) {
    uint32_t places[READ_MAX + 1], classes[READ_MAX + 1] = {0};
    uint32_t count = places_read(m, constraint, d, places), i = 0;
    if (count == 0 || count > READ_MAX || (d && d->overridden))
        return COR_OK; /* what is not seen here is found by drawing */
    do {
        /* All variables as wide as they surely are, but those of these classes. */
        const struct cor_parameter_laws *laws = m->arm->laws;
        for (size_t v = 0; v < laws->variable_count; v++) {
            m->low[v] = laws->variables[v].low;
            m->high[v] = laws->variables[v].high;
        }
        for (uint32_t j = 0; j < count; j++) {
            uint32_t v = m->c->parameters[places[j]];
            const struct cor_class *class = class_of(m->c, places[j], classes[j]);
            if (!laws->variables[v].is_integer)
                continue;
            m->low[v] = (int64_t) class->low;
            m->high[v] = (int64_t) class->high;
        }
        if (constraint ? cor_expression_interval(&constraint->expression, m->low, m->high).high < 1
                       : is_empty(m, d))
            COR_TRY(exclude(m, places, classes, count, error));
        for (i = 0; i < count && ++classes[i] == class_count(m->c, places[i]); i++)
            classes[i] = 0;
    } while (i < count);
    return COR_OK;
}

static bool can_be_drawn(struct making *m, const uint32_t *places, const uint32_t *classes, uint32_t count) {
    struct cor_draw draw;
    for (uint32_t v = 0; v < cor_parameter_laws_capacity(m->arm->laws); v++)
        m->within[v] = (struct cor_class){-INFINITY, INFINITY};
    for (uint32_t i = 0; i < count; i++)
        m->within[m->c->parameters[places[i]]] = *class_of(m->c, places[i], classes[i]);
    return interaction__laws_draw_within(m->arm->laws, &m->rng, m->within, m->integers, m->reals, TRIES,
                                         &draw, NULL) == COR_OK;
}

/* Excludes the combinations of a row that are never drawn, or, if each is drawn alone, the row. */
static enum cor_status exclude_undrawn(struct making *m, const uint32_t *row, struct cor_error *error) {
    uint32_t choice[COR_COMBINE_STRENGTH_MAX], classes[COR_COMBINE_STRENGTH_MAX], t = m->c->strength, i;
    bool found = false;
    for (i = 0; i < t; i++)
        choice[i] = i;
    do {
        for (i = 0; i < t; i++)
            classes[i] = row[choice[i]];
        if (!can_be_drawn(m, choice, classes, t)) {
            COR_TRY(exclude(m, choice, classes, t, error));
            m->c->undrawn++;
            found = true;
        }
        for (i = t; i-- > 0 && choice[i] == m->c->parameter_count - t + i;)
            ;
        if (i < t) {
            choice[i]++;
            for (uint32_t j = i + 1; j < t; j++)
                choice[j] = choice[j - 1] + 1;
        }
    } while (i < t);
    if (found)
        return COR_OK;
    uint32_t *places = cor_calloc(m->c->parameter_count, sizeof *places);
    COR_TRY(cor_made(places, error));
    for (i = 0; i < m->c->parameter_count; i++)
        places[i] = i;
    enum cor_status status = exclude(m, places, row, m->c->parameter_count, error);
    free(places);
    return status;
}

/* The rows, after the checker has looked at them. */
static enum cor_status keep_rows(struct making *m, const struct cor_combine_request *request,
                                 struct cor_combine_array *array, struct cor_error *error) {
    struct cor_combine_judgement judgement;
    COR_TRY(cor_combine_check(m->model, request, array->levels, array->row_count, &judgement, error));
    COR_ASSERT(judgement.missing == 0 && judgement.bad_row_count == 0);
    m->c->covered = judgement.covered;
    m->c->impossible =
        judgement.excluded - (judgement.excluded < m->c->undrawn ? judgement.excluded : m->c->undrawn);
    m->c->row_count = (uint32_t)array->row_count;
    m->c->rows = array->levels; /* taken over */
    array->levels = NULL;
    return COR_OK;
}

static enum cor_status make_rows(struct making *m, uint64_t seed, struct cor_error *error) {
    struct cor_combine_request request = {
        .policy = COR_COMBINE_T_WISE, .strength = m->c->strength, .seed = seed, .moves = MOVES};
    for (uint32_t round = 0; round < ROUNDS_MAX; round++) {
        struct cor_combine_array array;
        bool all_drawn;
        struct cor_error said = COR_NO_ERROR;
        enum cor_status status = cor_combine_generate(m->model, &request, &array, &said);
        if (status == COR_STATUS_UNSATISFIABLE)
            return cor_json_fail(&m->arm->configurations_json, error, "make the classes wider",
                                 "no classes go together under the constraints");
        if (status != COR_OK)
            return interaction__repeat_at(&m->arm->configurations_json, &said, error);
        /* Draws each row; what fails is excluded. */
        uint32_t *places = cor_calloc(m->c->parameter_count, sizeof *places);
        status = cor_made(places, error);
        all_drawn = true;
        for (uint32_t i = 0; places && i < m->c->parameter_count; i++)
            places[i] = i;
        for (size_t r = 0; r < array.row_count && status == COR_OK; r++) {
            const uint32_t *row = array.levels + r * m->c->parameter_count;
            if (can_be_drawn(m, places, row, m->c->parameter_count))
                continue;
            all_drawn = false;
            status = exclude_undrawn(m, row, error);
        }
        free(places);
        if (status == COR_OK && all_drawn)
            status = keep_rows(m, &request, &array, error);
        cor_combine_array_fini(&array);
        COR_TRY(status);
        if (all_drawn)
            return COR_OK;
    }
    return cor_json_fail(&m->arm->configurations_json, error, "make the classes wider, or fewer",
                         "no rows of classes that can all be drawn were found in %d rounds", ROUNDS_MAX);
}

static enum cor_status combine_arm(const struct cor_experiment *experiment, uint32_t index,
                                   struct cor_error *error) {
    struct cor_arm *arm = &experiment->arms[index];
    uint32_t capacity = cor_parameter_laws_capacity(arm->laws);
    struct cor_stream_name name = {.seed = experiment->seed,
                                   .arm = cor_experiment_stream(experiment, index),
                                   .purpose = COR_PURPOSE_COMBINE};
    struct making m = {.arm = arm,
                       .c = arm->configurations,
                       .low = cor_calloc(capacity, sizeof *m.low),
                       .high = cor_calloc(capacity, sizeof *m.high),
                       .within = cor_calloc(capacity, sizeof *m.within),
                       .integers = cor_calloc(capacity, sizeof *m.integers),
                       .reals = cor_calloc(capacity, sizeof *m.reals),
                       .rng = cor_rng_named(&name)};
    enum cor_status status = COR_OK;
    m.c->undrawn = 0;
    COR_TRY_OUT(m.low && m.high && m.within && m.integers && m.reals ? COR_OK : cor_fail_memory(error));
    /* Classes as parameters p0, p1, .. with the values 0, 1, .. */
    cor_words_init(&m.words);
    COR_TRY_OUT(cor_combine_model_create(&m.words, &m.model, error));
    for (uint32_t i = 0; i < m.c->parameter_count; i++) {
        struct cor_combine_level levels[CLASSES_MAX];
        char called[16], texts[CLASSES_MAX][12];
        for (uint32_t j = 0; j < class_count(m.c, i); j++) {
            snprintf(texts[j], sizeof texts[j], "%u", j);
            levels[j] = (struct cor_combine_level){.text = texts[j], .value = cor_integer(j)};
        }
        snprintf(called, sizeof called, "p%u", i);
        COR_TRY_OUT(cor_combine_add_parameter(m.model, called, COR_VALUE_TYPE_INTEGER, levels,
                                              class_count(m.c, i), NULL, error));
    }
    const struct cor_parameter_laws *laws = m.arm->laws;
    for (size_t i = 0; i < laws->constraint_count; i++)
        COR_TRY_OUT(exclude_by(&m, &laws->constraints[i], NULL, error));
    for (size_t i = 0; i < laws->main.count; i++)
        COR_TRY_OUT(exclude_by(&m, NULL, &laws->main.definitions[i], error));
    COR_TRY_OUT(make_rows(&m, experiment->seed, error));
out:
    cor_combine_model_destroy(m.model);
    cor_words_fini(&m.words);
    COR_FREE(m.low, m.high, m.within, m.integers, m.reals);
    return status;
}

enum cor_status cor_experiment_combine(struct cor_experiment *experiment, struct cor_error *error) {
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        if (experiment->arms[a].configurations && experiment->arms[a].configurations->row_count == 0)
            COR_TRY(combine_arm(experiment, a, error));
        COR_TRY(configuration_traps_solve(&experiment->arms[a], error));
        if (experiment->arms[a].explored)
            COR_TRY(cor_explored_make(experiment->arms[a].explored, &experiment->arms[a].configurations_json,
                                      experiment->seed, cor_experiment_stream(experiment, a),
                                      experiment->suite_count, error));
    }
    return COR_OK;
}

void interaction__configurations_within(const struct cor_arm *arm, uint32_t suite, struct cor_class *within) {
    const struct cor_configurations *c = arm->configurations;
    COR_ASSERT(c->row_count > 0);
    const uint32_t *row = c->rows + (size_t)(suite % c->row_count) * c->parameter_count;
    for (uint32_t v = 0; v < cor_parameter_laws_capacity(arm->laws); v++)
        within[v] = (struct cor_class){-INFINITY, INFINITY};
    for (uint32_t i = 0; i < c->parameter_count; i++)
        within[c->parameters[i]] = *class_of(c, i, row[i]);
}

/* ---- configuration traps */

#define TRAPS_MAX 1000
#define TRIES_TRAPS 20000 /* draws until z3's solution is taken */

void interaction__configuration_traps_destroy(struct cor_configuration_traps *traps) {
    if (!traps)
        return;
    for (uint32_t t = 0; traps->traps && t < traps->count; t++)
        cor_expression_fini(&traps->traps[t]);
    COR_FREE(traps->names, traps->traps, traps->read_partitions, traps->has_example, traps->examples, traps);
}

static enum cor_status read_traps(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_arm *arm = into;
    COR_TRY(cor_json_expect_array(json, 1, TRAPS_MAX, error));
    const size_t count = cor_json_size(json);
    const uint32_t parameters = cor_parameter_laws_size(arm->laws);
    struct cor_configuration_traps *it = arm->configuration_traps = cor_calloc(1, sizeof *it);
    COR_TRY(cor_made(it, error));
    it->names = cor_calloc(parameters + 2, sizeof(char *));
    it->traps = cor_calloc(count, sizeof *it->traps);
    it->read_partitions = cor_calloc(count, sizeof *it->read_partitions);
    it->has_example = cor_calloc(count, sizeof *it->has_example);
    it->examples = cor_calloc(count * (parameters + 1), sizeof *it->examples);
    if (!it->names || !it->traps || !it->read_partitions || !it->has_example || !it->examples)
        return cor_fail_memory(error);
    for (uint32_t p = 0; p < parameters; p++)
        it->names[p] = cor_parameter_laws_names(arm->laws)[p];
    it->names[parameters] = cor_parameter_laws_find(arm->laws, "partitions") < 0 ? "partitions" : "";
    struct cor_configuration_traps *c = arm->configuration_traps;
    COR_JSON_CHILDREN(item, json) {
        const char *text;
        char place[512];
        COR_TRY(cor_json_string(&item, &text, error));
        cor_json_place(&item, place, sizeof place);
        COR_TRY(cor_expression_parse(text, c->names, true, place, &c->traps[item.index], error));
        c->read_partitions[item.index] =
            cor_expression_reads(&c->traps[item.index], cor_parameter_laws_size(arm->laws));
        c->count++;
    }
    return COR_OK;
}

static const struct cor_field fields[] = {{"traps", COR_REQUIRED, COR_READ_FIELD(read_traps)}, {0}};

/* Reads "configurations": {"traps": ..} of an arm, whose laws are finished; asks z3 for a configuration of
 * each trap, when roles are known, too; COR_STATUS_INPUT: there is none. */
static enum cor_status configuration_traps_read(struct cor_arm *arm, struct cor_error *error) {
    return cor_json_fields(&arm->configurations_json, fields, arm, error);
}

/* A quantity of the arm as text. */
static char *text_of(const struct cor_derived_quantity *quantity) {
    return quantity->expression.text ? cor_strdup(quantity->expression.text)
                                     : cor_format("%lld", (long long)quantity->given);
}

/* May organizations of the arm's structures have agents in common? Then each needs enough, not all together.
 */
static bool shares_agents(const struct cor_arm *arm) {
    return arm->roles.kind == COR_STRUCTURE_COVERING || arm->roles.kind == COR_STRUCTURE_OVERLAPPING;
}

static enum cor_status configuration_traps_solve(struct cor_arm *arm, struct cor_error *error) {
    struct cor_configuration_traps *c = arm->configuration_traps;
    if (!c || c->is_solved)
        return COR_OK;
    for (uint32_t t = 0; t < c->count; t++) {
        const uint32_t width = cor_parameter_laws_size(arm->laws) + 1;
        struct cor_expression more[2] = {c->traps[t], {0}};
        enum cor_answer answer;
        if (c->read_partitions[t]) {
            /* That a structure of so many partitions is within the limits. */
            char *agents = text_of(&arm->roles.agents), *size_min = text_of(&arm->roles.size_min),
                 *size_max = text_of(&arm->roles.size_max), *count_min = text_of(&arm->roles.count_min),
                 *count_max = text_of(&arm->roles.count_max), *text = NULL;
            if (agents && size_min && size_max && count_min && count_max)
                text = cor_format("(%s) <= partitions and partitions <= (%s) and %s(%s) <= (%s) and "
                                  "(%s) <= partitions * (%s)",
                                  count_min, count_max, shares_agents(arm) ? "" : "partitions * ", size_min,
                                  agents, agents, size_max);
            COR_FREE(agents, size_min, size_max, count_min, count_max);
            COR_TRY(cor_made(text, error));
            const enum cor_status parsed = cor_expression_parse(text, c->names, true, NULL, &more[1], error);
            free(text);
            COR_TRY(parsed);
        }
        enum cor_status status =
            interaction__laws_solve(arm->laws, c->names, more, c->read_partitions[t] ? 2 : 1, &answer,
                                    c->examples + (size_t)t * width, error);
        cor_expression_fini(&more[1]);
        COR_TRY(status);
        c->has_example[t] = answer == COR_ANSWER_SATISFIABLE;
        struct cor_json list, item;
        COR_TRY(cor_json_need(&arm->configurations_json, "traps", &list, error));
        item = cor_json_at(&list, t);
        if (answer == COR_ANSWER_EMPTY)
            return cor_json_fail(&item, error, "relax it, or a constraint",
                                 "no parameters that the arm can draw meet the trap \"%s\"",
                                 c->traps[t].text);
    }
    c->is_solved = true;
    return COR_OK;
}

static bool number_of(const struct cor_derived_quantity *quantity, const int64_t *values, int64_t *number) {
    *number = quantity->given;
    return !quantity->expression.text || cor_expression_value(&quantity->expression, values, number);
}

/* One of the numbers of partitions that the limits allow and for which the trap holds, each as likely; 0:
 * there is none. */
static int64_t draw_partitions(const struct cor_arm *arm, const struct cor_expression *trap, int64_t *values,
                               uint32_t place, struct cor_rng *rng) {
    const struct cor_roles *r = &arm->roles;
    int64_t agents, size_min, size_max, low, high, left = 0;
    if (!number_of(&r->agents, values, &agents) || !number_of(&r->size_min, values, &size_min) ||
        !number_of(&r->size_max, values, &size_max) || !number_of(&r->count_min, values, &low) ||
        !number_of(&r->count_max, values, &high))
        return 0;
    high = high < agents ? high : agents;
    low = low < 1 ? 1 : low;
    for (int pass = 0; pass < 2; pass++) { /* counts them, then goes to the one drawn */
        for (int64_t k = low; k <= high; k++) {
            values[place] = k;
            if (size_min > (shares_agents(arm) ? agents : agents / k) || size_max < (agents + k - 1) / k ||
                !cor_expression_holds(trap, values))
                continue;
            if (pass == 0)
                left++;
            else if (left-- == 0)
                return k;
        }
        if (left == 0 && pass == 0)
            return 0;
        if (pass == 0)
            left = (int64_t)cor_rng_below(rng, (uint32_t)left);
    }
    return 0;
}

enum cor_status interaction__configuration_traps_draw(const struct cor_arm *arm, uint32_t suite,
                                                      struct cor_rng *rng, int64_t *integers, double *reals,
                                                      struct cor_draw *draw, uint32_t *partitions,
                                                      struct cor_error *error) {
    const struct cor_configuration_traps *c = arm->configuration_traps;
    const uint32_t parameters = cor_parameter_laws_size(arm->laws), trap = suite % c->count;
    int64_t *values = cor_calloc(parameters + 1, sizeof *values);
    bool has_drawn = false, met = false;
    COR_TRY(cor_made(values, error));
    for (uint32_t attempt = 1; attempt <= TRIES_TRAPS && !met; attempt++) {
        if (interaction__laws_draw_within(arm->laws, rng, NULL, integers, reals, 1, draw, NULL) != COR_OK)
            continue;
        has_drawn = true;
        memcpy(values, integers, parameters * sizeof *values);
        *partitions = 0; /* that many at the start */
        if (arm->configuration_traps->read_partitions[trap])
            met =
                (*partitions = (uint32_t)draw_partitions(arm, &arm->configuration_traps->traps[trap], values,
                                                         cor_parameter_laws_size(arm->laws), rng)) > 0;
        else
            met = cor_expression_holds(&arm->configuration_traps->traps[trap], values);
        draw->attempts = attempt;
    }
    if (!met && has_drawn && c->has_example[trap]) {
        const int64_t *example = c->examples + (size_t)trap * (parameters + 1);
        for (uint32_t p = 0; p < parameters; p++)
            if (cor_parameter_laws_is_integer(arm->laws, p)) {
                integers[p] = example[p];
                reals[p] = (double)example[p];
            }
        *partitions = c->read_partitions[trap] ? (uint32_t)example[parameters] : 0;
        draw->attempts = TRIES_TRAPS;
        met = true;
    }
    free(values);
    return met ? COR_OK
               : cor_fail(error, COR_STATUS_UNSATISFIABLE, NULL, "relax it, or a constraint",
                          "no parameters that meet the trap \"%s\" were drawn in %d attempts",
                          c->traps[trap].text, TRIES_TRAPS);
}

/* ---- configuration design */

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
        const struct interaction__definition *other = &laws->main.definitions[d];
        is_followed =
            is_followed || (other->stage == stage && (cor_expression_reads(&other->low, parameter) ||
                                                      cor_expression_reads(&other->high, parameter)));
    }
    for (size_t c = 0; c < laws->constraint_count; c++) {
        const struct interaction__constraint *constraint = &laws->constraints[c];
        if (constraint->stage == stage &&
            (cor_expression_reads(&constraint->expression, parameter) ||
             (is_followed && reads_of_stage(laws, &constraint->expression, stage))))
            return true;
    }
    return false;
}

bool cor_arm_input(const struct cor_arm *arm, uint32_t parameter, double *low, double *high, bool *tied) {
    const struct cor_parameter_laws *laws = arm->laws;
    const struct interaction__definition *d = &laws->main.definitions[laws->variables[parameter].definition];
    cor_parameter_laws_range(laws, parameter, low, high);
    *tied = false;
    if (d->overridden || !(*low < *high))
        return false;
    if (d->kind == COR_LAW_REAL)
        return true;
    *tied = d->kind == COR_LAW_UNIFORM && is_tied(laws, parameter);
    bool is_constant = d->kind == COR_LAW_UNIFORM;
    for (uint32_t v = 0; is_constant && v < laws->variable_count; v++)
        is_constant = !cor_expression_reads(&d->low, v) && !cor_expression_reads(&d->high, v);
    return is_constant;
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

enum cor_status cor_arm_input_find(const void *of, const struct cor_json *json,
                                   struct cor_explored_input *input, struct cor_error *error) {
    const struct cor_arm *arm = of;
    const int index = cor_parameter_laws_find(arm->laws, json->key);
    bool tied;
    if (index < 0 || !cor_arm_input(arm, (uint32_t)index, &input->low, &input->high, &tied))
        return fail_input(arm, json, error);
    input->index = (uint32_t)index;
    input->is_integer = cor_parameter_laws_is_integer(arm->laws, input->index);
    return COR_OK;
}

/* Reads "configurations": {"design": ..} of an arm, whose laws are finished. */
static enum cor_status configuration_design_read(struct cor_arm *arm, struct cor_error *error) {
    struct cor_explored *it = arm->explored = cor_calloc(1, sizeof *it);
    COR_TRY(cor_made(it, error));
    COR_TRY(cor_explored_read(&arm->configurations_json, cor_arm_input_find, arm, it, error));
    for (uint32_t m = 0; m < it->measure_count; m++) {
        struct cor_json list;
        struct cor_property *measure;
        char place[512];
        COR_TRY(cor_json_need(&arm->configurations_json, "measures", &list, error));
        const struct cor_json item = cor_json_at(&list, m);
        cor_json_place(&item, place, sizeof place);
        COR_TRY(cor_measure_parse(it->measures[m], place, &measure, error));
        cor_property_destroy(measure);
    }
    return COR_OK;
}

enum cor_status interaction__configuration_design_draw(const struct cor_arm *arm, uint32_t suite,
                                                       struct cor_rng *rng, int64_t *integers, double *reals,
                                                       struct cor_draw *draw, struct cor_error *error) {
    const struct cor_explored *it = arm->explored;
    const uint32_t capacity = cor_parameter_laws_capacity(arm->laws);
    struct cor_class *within = cor_calloc(capacity, sizeof *within);
    COR_TRY(cor_made(within, error));
    for (uint32_t v = 0; v < capacity; v++)
        within[v] = (struct cor_class){-INFINITY, INFINITY};
    for (uint32_t i = 0; i < it->design.inputs; i++) {
        const double value = cor_explored_value(it, i, suite);
        within[it->inputs[i].index] = (struct cor_class){value, value};
    }
    struct cor_error said = COR_NO_ERROR;
    enum cor_status status =
        interaction__laws_draw_within(arm->laws, rng, within, integers, reals, TRIES, draw, &said);
    if (status == COR_STATUS_UNSATISFIABLE) {
        char text[512];
        int used = 0;
        for (uint32_t i = 0; i < it->design.inputs && used < (int)sizeof text; i++)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%s = %.6g", i > 0 ? ", " : "",
                             it->inputs[i].name, within[it->inputs[i].index].low);
        status = cor_fail(
            error, COR_STATUS_UNSATISFIABLE, NULL,
            "narrow the ranges of its inputs until all of them go together with the constraints",
            "with %s no other parameters that meet the constraints were drawn in %d attempts", text, TRIES);
    }
    free(within);
    return status;
}

uint32_t cor_experiment_stream(const struct cor_experiment *experiment, uint32_t arm) {
    COR_ASSERT(arm < experiment->arm_count);
    return experiment->paired ? 0 : experiment->arms[arm].stream > 0 ? experiment->arms[arm].stream : arm + 1;
}
