/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many agents are of each type (003, 4.1): "count" or "share" of a type, given or in a range. A range is
 * a parameter of the suite, "count_" and the name of the type, which takes part in its constraints; that all
 * of them fit is one more. The laws are written as a text of their own and read as any others. */
#include "internal.h"

#include <corridor/array.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHARES 1000000 /* shares of agents are counted in millionths */

enum { NAME_SIZE = 41 };

struct writer {
    const struct cor_test_model *model;
    struct cor_arm *arm;
    char *agents;                        /* owned; the number of agents as an expression */
    struct cor_json_writer *parameters;  /* owned; one stage */
    struct cor_json_writer *constraints; /* owned; texts */
    uint32_t ranges, said;               /* types whose number is drawn; that say something */
    char *sum;                           /* owned; of all that is said so far, "" to begin with */
    struct cor_error *error;
};

/* An integer or an expression as a text that can stand within another. */
static enum cor_status text_of(const struct cor_json *json, char **text, struct cor_error *error) {
    int64_t number;
    const char *string;
    if (cor_json_is_integer(json)) {
        COR_TRY(cor_json_integer(json, 0, COR_AGENTS_MAX, &number, error));
        *text = cor_format("%lld", (long long)number);
    } else if (cor_json_is_string(json)) {
        COR_TRY(cor_json_string(json, &string, error));
        *text = cor_format("(%s)", string);
    } else {
        return cor_json_fail(json, error, "a number, an expression over parameters, or [low, high] of these",
                             "is no number of agents");
    }
    return cor_made(*text, error);
}

/* "count_biogas", or a complaint. */
static enum cor_status name_of(const struct writer *w, const struct cor_json *json, const char *type,
                               char name[NAME_SIZE]) {
    if (snprintf(name, NAME_SIZE, "count_%s", type) >= NAME_SIZE)
        return cor_json_fail(json, w->error, "draw it as a parameter, and name that here",
                             "the type has too long a name for a parameter");
    for (char *c = name; *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '_';
    if (interaction__laws_variable(w->arm->laws, name, strlen(name)) < 0)
        return COR_OK;
    return cor_json_fail(json, w->error, "name that parameter here, or call it otherwise",
                         "the model has a parameter \"%s\" already", name);
}

/* Bounds of a number of agents as expressions: of a count as they stand, of a share in millionths. */
static enum cor_status read_bounds(const struct writer *w, const struct cor_json *json, bool is_share,
                                   char **low, char **high) {
    const bool is_range = cor_json_is_array(json);
    struct cor_json first = *json, second = *json;
    if (is_range) {
        COR_TRY(cor_json_expect_array(json, 2, 2, w->error));
        first = cor_json_at(json, 0);
        second = cor_json_at(json, 1);
    }
    if (!is_share) {
        COR_TRY(text_of(&first, low, w->error));
        return is_range ? text_of(&second, high, w->error) : COR_OK;
    }
    double least, most;
    COR_TRY(cor_json_real(&first, 0, 1, &least, w->error));
    COR_TRY(cor_json_real(&second, is_range ? least : 0, 1, &most, w->error));
    const long long from = llround(least * SHARES), to = llround(most * SHARES);
    /* A range holds the counts within it, a share by itself those on either side of it. */
    *low = is_range ? cor_format("ceil_div(%lld * %s, %d)", from, w->agents, SHARES)
                    : cor_format("%lld * %s / %d", from, w->agents, SHARES);
    *high = is_range ? cor_format("%lld * %s / %d", to, w->agents, SHARES)
                     : cor_format("ceil_div(%lld * %s, %d)", to, w->agents, SHARES);
    return *low && *high ? COR_OK : cor_fail_memory(w->error);
}

/* A number that is drawn, as a line of the stage; the last one, where all types say how many there are, is
 * what the others leave, within its range. */
static enum cor_status put_range(struct writer *w, const char *name, const char *low, const char *high,
                                 bool is_last) {
    w->ranges++;
    if (!is_last) {
        cor_json_open_array(w->parameters, name);
        cor_json_put_string(w->parameters, NULL, low);
        cor_json_put_string(w->parameters, NULL, high);
        cor_json_close(w->parameters);
        return COR_OK;
    }
    char *rest = cor_format("%s%s%s", w->agents, w->sum[0] ? " - " : "", w->sum);
    char *within = cor_format("%s <= %s and %s <= %s", low, name, name, high);
    if (rest && within) {
        cor_json_put_string(w->parameters, name, rest);
        cor_json_put_string(w->constraints, NULL, within);
    }
    const bool made = rest && within;
    free(rest);
    free(within);
    return made ? COR_OK : cor_fail_memory(w->error);
}

/* What a type says, if it says something: *text is its number as an expression. */
static enum cor_status read_type(struct writer *w, const struct cor_agent_type *type, bool is_last,
                                 char **text) {
    struct cor_json count, share, *json = &count;
    const bool has_count = cor_json_find(&type->json, "count", &count),
               has_share = cor_json_find(&type->json, "share", &share);
    char *low = NULL, *high = NULL, name[NAME_SIZE];
    enum cor_status status = COR_OK;
    if (has_count && has_share)
        return cor_json_fail(&type->json, w->error, "leave one of them out", "has both a count and a share");
    if (!has_count && !has_share)
        return COR_OK;
    json = has_count ? &count : &share;
    COR_TRY_OUT(read_bounds(w, json, has_share, &low, &high));
    if (!high) {
        *text = low;
        low = NULL;
        goto out;
    }
    COR_TRY_OUT(name_of(w, json, type->name, name));
    COR_TRY_OUT(put_range(w, name, low, high, is_last));
    *text = cor_strdup(name);
    COR_TRY_OUT(cor_made(*text, w->error));
out:
    free(low);
    free(high);
    return status;
}

static bool says_something(const struct cor_agent_type *type) {
    struct cor_json child;
    return cor_json_find(&type->json, "count", &child) || cor_json_find(&type->json, "share", &child);
}

static bool is_range(const struct cor_agent_type *type) {
    struct cor_json child;
    return cor_json_find(&type->json, "share", &child) ||
           (cor_json_find(&type->json, "count", &child) && cor_json_is_array(&child));
}

/* Reads all types; the last that draws a number comes last, so that the sum of the others is known. */
static enum cor_status read_types(struct writer *w, char **texts) {
    const struct cor_test_model *model = w->model;
    uint32_t said = 0, last = COR_NOBODY;
    for (uint32_t t = 0; t < model->type_count; t++) {
        said += says_something(&model->types[t]);
        last = is_range(&model->types[t]) ? t : last;
    }
    const bool is_whole = said == model->type_count;
    for (uint32_t turn = 0; turn < 2; turn++)
        for (uint32_t t = 0; t < model->type_count; t++) {
            if ((t == last) != (turn == 1))
                continue;
            COR_TRY(read_type(w, &model->types[t], is_whole && t == last, &texts[t]));
            if (!texts[t])
                continue;
            char *sum = w->sum[0] ? cor_format("(%s + %s)", w->sum + 0, texts[t]) : cor_strdup(texts[t]);
            free(w->sum);
            w->sum = sum;
            COR_TRY(cor_made(sum, w->error));
        }
    if (said == 0)
        return COR_OK;
    char *fits = cor_format("%s %s %s", w->sum, is_whole ? "=" : "<=", w->agents);
    COR_TRY(cor_made(fits, w->error));
    cor_json_put_string(w->constraints, NULL, fits);
    free(fits);
    w->said = said;
    return COR_OK;
}

/* One document of both, which the laws keep pointers into. */
static enum cor_status add_laws(struct writer *w, struct cor_type_counts *counts) {
    char *stage = NULL, *texts = NULL, *all = NULL;
    enum cor_status status = COR_OK;
    struct cor_json_writer *parameters = w->parameters, *constraints = w->constraints;
    cor_json_close(parameters);
    cor_json_close(constraints);
    w->parameters = w->constraints = NULL;
    status = cor_json_text_take(parameters, 0, &stage, w->error);
    if (status == COR_OK)
        status = cor_json_text_take(constraints, 0, &texts, w->error);
    else
        cor_json_writer_destroy(constraints);
    COR_TRY_OUT(status);
    all = cor_format("{\"stage\": %s, \"constraints\": %s}", stage, texts);
    COR_TRY_OUT(cor_made(all, w->error));
    char place[600];
    cor_json_place(&w->model->types_json, place, 512);
    strcat(place, " (numbers of agents)");
    COR_TRY_OUT(cor_json_parse(all, place, &counts->document, w->error));
    counts->root = cor_json_root(counts->document);
    cor_json_find(&counts->root, "stage", &counts->stage);
    cor_json_find(&counts->root, "constraints", &counts->constraints);
    if (w->ranges > 0)
        COR_TRY_OUT(cor_parameter_laws_add(w->arm->laws, &counts->stage, w->error));
    status = cor_parameter_laws_constrain(w->arm->laws, &counts->constraints, w->error);
out:
    free(stage);
    free(texts);
    free(all);
    return status;
}

enum cor_status interaction__type_counts_read(const struct cor_test_model *model, struct cor_arm *arm,
                                              struct cor_error *error) {
    struct writer w = {.model = model, .arm = arm, .error = error};
    struct cor_json agents;
    bool said = false;
    for (uint32_t t = 0; t < model->type_count; t++)
        said = said || says_something(&model->types[t]);
    if (!said)
        return COR_OK;
    struct cor_type_counts *counts = arm->type_counts = cor_calloc(1, sizeof *counts);
    COR_TRY(cor_made(counts, error));
    counts->type_count = model->type_count;
    counts->texts = cor_calloc(model->type_count, sizeof *counts->texts);
    COR_TRY(cor_made(counts->texts, error));
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_json_need(&model->root, "agents", &agents, error));
    COR_TRY_OUT(text_of(&agents, &w.agents, error));
    w.sum = cor_strdup("");
    COR_TRY_OUT(cor_made(w.sum, error));
    COR_TRY_OUT(cor_json_writer_create(&w.parameters, error));
    COR_TRY_OUT(cor_json_writer_create(&w.constraints, error));
    cor_json_open_object(w.parameters, NULL);
    cor_json_open_array(w.constraints, NULL);
    COR_TRY_OUT(read_types(&w, counts->texts));
    status = add_laws(&w, counts);
out:
    cor_json_writer_destroy(w.parameters);
    cor_json_writer_destroy(w.constraints);
    free(w.agents);
    free(w.sum);
    return status;
}

enum cor_status interaction__type_counts_finish(struct cor_arm *arm, struct cor_error *error) {
    struct cor_type_counts *counts = arm->type_counts;
    if (!counts)
        return COR_OK;
    counts->numbers = cor_calloc(counts->type_count, sizeof *counts->numbers);
    COR_TRY(cor_made(counts->numbers, error));
    for (uint32_t t = 0; t < counts->type_count; t++)
        if (counts->texts[t])
            COR_TRY(cor_expression_parse(counts->texts[t], cor_parameter_laws_names(arm->laws), false,
                                         "types", &counts->numbers[t].expression, error));
    return COR_OK;
}

void interaction__type_counts_destroy(struct cor_type_counts *counts) {
    if (!counts)
        return;
    for (uint32_t t = 0; t < counts->type_count; t++) {
        if (counts->texts)
            free(counts->texts[t]);
        if (counts->numbers)
            cor_derived_quantity_fini(&counts->numbers[t]);
    }
    free(counts->texts);
    free(counts->numbers);
    cor_json_destroy(counts->document);
    free(counts);
}
