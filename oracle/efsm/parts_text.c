/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts that were put together, as the text of one model. */
#include "parts.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* Whether the label, of the first part that has it, is one of the whole. */
static bool is_outside(const struct efsm__parts *c, uint32_t part, bool is_input, const char *name) {
    const uint32_t own = is_input ? efsm__parts_find_taker(c, name) : efsm__parts_find_sayer(c, name),
                   other = is_input ? efsm__parts_find_sayer(c, name) : efsm__parts_find_taker(c, name);
    return own == part && other == COR_NONE;
}

/* A state variable, or a parameter of what is seen from outside. */
static bool is_seen(const struct efsm__parts *c, uint32_t part, uint32_t variable) {
    const struct cor_efsm *model = c->parts[part].model;
    const bool is_input = model->variables[variable].kind == COR_EFSM_PARAMETER;
    bool seen = model->variables[variable].kind == COR_EFSM_STATE;
    for (uint32_t i = 0; !seen && i < (is_input ? model->input_count : model->output_count); i++) {
        const struct cor_efsm_label *label = is_input ? &model->inputs[i] : &model->outputs[i];
        for (uint32_t a = 0; a < label->parameter_count; a++)
            seen = seen || (label->parameters[a] == variable && is_outside(c, part, is_input, label->name));
    }
    return seen;
}

static void put_variables(struct efsm__parts *c, struct cor_json_writer *w) {
    cor_json_open_array(w, "vars");
    for (uint32_t p = 0; p < c->part_count; p++) {
        const struct cor_json root = cor_json_root(c->parts[p].model->document);
        struct cor_json all;
        if (!cor_json_find(&root, "vars", &all))
            continue;
        for (size_t v = 0; v < cor_json_size(&all); v++) {
            const struct cor_json item = cor_json_at(&all, v);
            if (!is_seen(c, p, (uint32_t)v))
                continue;
            cor_json_open_object(w, NULL);
            cor_json_put_string(w, "name", c->whole.variable_names[c->first[p] + v]);
            for (size_t m = 0; m < cor_json_size(&item); m++) {
                const struct cor_json member = cor_json_at(&item, m);
                if (strcmp(member.key, "name") != 0)
                    cor_json_put_value(w, member.key, &member);
            }
            cor_json_close(w);
        }
    }
    cor_json_close(w);
}

/* Inputs that no part says, or outputs that no part takes, each by the first part that has it. */
static void put_labels(struct efsm__parts *c, bool inputs, struct cor_json_writer *w) {
    cor_json_open_array(w, inputs ? "inputs" : "outputs");
    for (uint32_t p = 0; p < c->part_count; p++) {
        const struct cor_efsm *model = c->parts[p].model;
        for (uint32_t i = 0; i < (inputs ? model->input_count : model->output_count); i++) {
            const struct cor_efsm_label *label = inputs ? &model->inputs[i] : &model->outputs[i];
            if (!is_outside(c, p, inputs, label->name))
                continue;
            cor_json_open_object(w, NULL);
            cor_json_put_string(w, "label", label->name);
            cor_json_open_array(w, "params");
            for (uint32_t a = 0; a < label->parameter_count; a++)
                cor_json_put_string(w, NULL, c->whole.variable_names[c->first[p] + label->parameters[a]]);
            cor_json_close(w);
            cor_json_close(w);
        }
    }
    cor_json_close(w);
}

static const char *place_name(struct efsm__parts *c, uint32_t place) {
    const char *name = "";
    for (uint32_t p = 0; p < c->part_count; p++) {
        const uint32_t *at = cor_pool_item(&c->places, place);
        const char *one = c->parts[p].model->location_names[at[p]];
        name = efsm__parts_keep_take(c, cor_format("%s%s%s", name, p > 0 ? "|" : "", one));
    }
    return name;
}

static void put_transition(struct efsm__parts *c, const struct efsm__course *course, const char *id,
                           struct cor_json_writer *w) {
    cor_json_open_object(w, NULL);
    cor_json_put_string(w, "id", id);
    cor_json_put_string(w, "src", place_name(c, course->source));
    cor_json_put_string(w, "dst", place_name(c, course->target));
    cor_json_put_string(w, "input", c->parts[course->input_part].model->input_names[course->input]);
    cor_json_put_string(w, "guard", course->guard);
    cor_json_open_object(w, "update");
    for (uint32_t p = 0; p < c->part_count; p++)
        for (uint32_t v = 0; v < c->parts[p].model->variable_count; v++)
            if (course->assigned[c->first[p] + v])
                cor_json_put_string(w, c->whole.variable_names[c->first[p] + v],
                                    course->values[c->first[p] + v]);
    cor_json_close(w);
    cor_json_open_array(w, "outputs");
    for (uint32_t o = 0; o < course->output_count; o++) {
        const struct efsm__saying *said = &course->outputs[o];
        const struct cor_efsm_label *label = &c->parts[said->part].model->outputs[said->label];
        cor_json_open_object(w, NULL);
        cor_json_put_string(w, "label", label->name);
        cor_json_open_array(w, "args");
        for (uint32_t a = 0; a < label->parameter_count; a++)
            cor_json_put_string(w, NULL, said->arguments[a]);
        cor_json_close(w);
        cor_json_close(w);
    }
    cor_json_close(w);
    cor_json_close(w);
}

/* Moves by the same transitions from several places are numbered. */
static const char *id_of(struct efsm__parts *c, uint32_t course) {
    uint32_t before = 0, all = 0;
    for (uint32_t i = 0; i < c->course_count; i++) {
        const bool same = strcmp(c->courses[i].id, c->courses[course].id) == 0;
        before += same && i < course;
        all += same;
    }
    return all == 1 ? c->courses[course].id
                    : efsm__parts_keep_take(c, cor_format("%s#%u", c->courses[course].id, before + 1));
}

/* A transition of a part, and what stands under one name, is a group. */
static void put_group(struct efsm__parts *c, const char *name, const char *const *ids,
                      struct cor_json_writer *w) {
    bool opened = false;
    for (uint32_t i = 0; i < c->course_count; i++) {
        const struct efsm__course *course = &c->courses[i];
        bool has = strcmp(course->id, name) == 0;
        for (uint32_t t = 0; t < course->taken_count; t++)
            has = has || strcmp(course->taken[t], name) == 0;
        if (has && strcmp(ids[i], name) == 0)
            return; /* the one transition is called so itself */
        if (has && !opened)
            cor_json_open_array(w, name);
        opened = opened || has;
        if (has)
            cor_json_put_string(w, NULL, ids[i]);
    }
    if (opened)
        cor_json_close(w);
}

static void put_groups(struct efsm__parts *c, const char *const *ids, struct cor_json_writer *w) {
    cor_json_open_object(w, "groups");
    for (uint32_t p = 0; p < c->part_count; p++)
        for (uint32_t t = 0; t < c->parts[p].model->transition_count; t++)
            put_group(c,
                      efsm__parts_keep_take(
                          c, cor_format("%s.%s", c->parts[p].name, c->parts[p].model->transition_names[t])),
                      ids, w);
    cor_json_close(w);
}

enum cor_status efsm__parts_write(struct efsm__parts *c, const struct cor_json *root, char **text,
                                  struct cor_error *error) {
    static const char *const kept[] = {"format", "name", "title", "provenance", "resets"};
    struct cor_json_writer *w = NULL;
    struct cor_json member;
    enum cor_status status = COR_OK;
    const char **ids = cor_calloc(c->course_count + 1, sizeof *ids);
    COR_TRY_OUT(cor_made(ids, error));
    COR_TRY_OUT(cor_json_writer_create(&w, error));
    cor_json_open_object(w, NULL);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (cor_json_find(root, kept[i], &member))
            cor_json_put_value(w, kept[i], &member);
    put_variables(c, w);
    cor_json_open_array(w, "locations");
    for (uint32_t place = 0; place < c->places.count; place++)
        cor_json_put_string(w, NULL, place_name(c, place));
    cor_json_close(w);
    cor_json_put_string(w, "initial", place_name(c, 0));
    put_labels(c, true, w);
    put_labels(c, false, w);
    cor_json_open_array(w, "transitions");
    for (uint32_t i = 0; i < c->course_count; i++)
        put_transition(c, &c->courses[i], ids[i] = id_of(c, i), w);
    cor_json_close(w);
    put_groups(c, ids, w);
    if (cor_json_find(root, "goals", &member))
        cor_json_put_value(w, "goals", &member);
    cor_json_close(w);
    status = c->status;
    if (status == COR_OK)
        status = cor_json_text_take(w, 1, text, error);
    else
        cor_json_writer_destroy(w);
out:
    free(ids);
    return status;
}
