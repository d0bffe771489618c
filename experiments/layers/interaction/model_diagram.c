/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/model_diagram.h>

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <stdlib.h>
#include <string.h>

enum { NAMES_SHOWN = 6, LINE_WIDTH = 70 };

struct drawing {
    struct cor_bytes text;
    enum cor_diagram_language language;
};

static bool is_dot(const struct drawing *d) {
    return d->language == COR_DIAGRAM_DOT;
}

/* Letters that either language reads as something else. */
static void put_plain(struct drawing *d, const char *words) {
    for (const char *at = words; *at; at++) {
        const char *instead = !is_dot(d)   ? (*at == '"' ? "'" : NULL)
                              : *at == '&' ? "&amp;"
                              : *at == '<' ? "&lt;"
                              : *at == '>' ? "&gt;"
                              : *at == '"' ? "&quot;"
                                           : NULL;
        if (instead)
            cor_bytes_print(&d->text, "%s", instead);
        else
            cor_bytes_print(&d->text, "%c", (unsigned char)*at < ' ' ? ' ' : *at);
    }
}

/* A box of that name, `id` by itself, opened for its lines. */
static void begin_box(struct drawing *d, const char *id, const char *name, const char *stereotype) {
    if (is_dot(d)) {
        cor_bytes_print(
            &d->text,
            "  %s [label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"4\">"
            "<tr><td bgcolor=\"#eef2f6\"><font point-size=\"9\">&#171;%s&#187;</font><br/><b>",
            id, stereotype);
        put_plain(d, name);
        cor_bytes_print(&d->text, "</b></td></tr><tr><td align=\"left\" balign=\"left\">");
    } else {
        cor_bytes_print(&d->text, "class \"");
        put_plain(d, name);
        cor_bytes_print(&d->text, "\" as %s <<%s>> {\n", id, stereotype);
    }
}

/* A line of the box; one that is long goes on in others, broken at blanks. */
static void put_line(struct drawing *d, const char *line) {
    size_t left = strlen(line);
    for (bool first = true; left > 0; first = false) {
        size_t length = left <= LINE_WIDTH ? left : LINE_WIDTH;
        while (length < left && length > LINE_WIDTH / 2 && line[length] != ' ')
            length--;
        char *part = cor_format("%s%.*s", first ? "" : "    ", (int)length, line);
        if (!is_dot(d))
            cor_bytes_print(&d->text, "  {field} ");
        if (part)
            put_plain(d, part);
        else
            d->text.status = COR_STATUS_MEMORY;
        cor_bytes_print(&d->text, "%s", is_dot(d) ? "<br/>" : "\n");
        free(part);
        line += length;
        left -= length;
    }
}

/* The same of a line that was made; without it the drawing fails. */
static void put_line_take(struct drawing *d, char *line) {
    if (line)
        put_line(d, line);
    else
        d->text.status = COR_STATUS_MEMORY;
    free(line);
}

static void end_box(struct drawing *d) {
    cor_bytes_print(&d->text, "%s", is_dot(d) ? "&#160;</td></tr></table>>];\n" : "}\n");
}

static void put_arrow(struct drawing *d, const char *from, const char *to, const char *words, bool holds) {
    if (is_dot(d))
        cor_bytes_print(&d->text, "  %s -> %s [label=\"%s\"%s];\n", from, to, words,
                        holds ? ", arrowhead=none, arrowtail=odiamond, dir=both" : ", arrowhead=vee");
    else
        cor_bytes_print(&d->text, "%s %s %s : %s\n", from, holds ? "o--" : "-->", to, words);
}

/* "states: on, off, .." */
static void put_names(struct drawing *d, const char *lead, char *const *names, uint32_t count) {
    struct cor_bytes line = {0};
    cor_bytes_print(&line, "%s", lead);
    for (uint32_t i = 0; i < count && i < NAMES_SHOWN; i++)
        cor_bytes_print(&line, "%s%s", i > 0 ? ", " : " ", names[i]);
    if (count > NAMES_SHOWN)
        cor_bytes_print(&line, ", and %u more", count - NAMES_SHOWN);
    if (line.status != COR_OK)
        d->text.status = line.status;
    put_line(d, cor_bytes_text(&line));
    cor_bytes_fini(&line);
}

/* What the model's file says under a key, as it is written. */
static void put_written(struct drawing *d, const struct cor_json *parent, const char *key) {
    struct cor_json value;
    if (!parent->value || !cor_json_is_object(parent) || !cor_json_find(parent, key, &value))
        return;
    char *text = cor_json_text(&value);
    put_line_take(d, text ? cor_format("%s: %s", key, text) : NULL);
    free(text);
}

static void put_type(struct drawing *d, const struct cor_test_model *model, uint32_t t) {
    const struct cor_agent_type *type = &model->types[t];
    char id[16];
    snprintf(id, sizeof id, "t%u", t);
    begin_box(d, id, type->name, "agent type");
    put_written(d, &type->json, "count");
    put_written(d, &type->json, "share");
    put_line(d, "value: real 0 .. 1");
    if (type->fixed)
        put_names(d, "state:", type->fixed->state_names, type->fixed->state_count);
    else
        put_line(d, "state: that of the environment");
    for (uint32_t a = 0; a < model->attribute_count; a++) {
        const struct cor_attribute_law *law = &type->attributes[a];
        const bool is_computed = law->source == COR_ATTRIBUTE_COMPUTED && law->formula.text;
        put_line_take(d, cor_format("%s: %s%s%s", model->attributes[a].name, model->attribute_texts[a],
                                    is_computed                          ? " = "
                                    : law->source == COR_ATTRIBUTE_LEVEL ? ", by the state"
                                                                         : "",
                                    is_computed ? law->formula.text : ""));
    }
    end_box(d);
}

static void put_environment(struct drawing *d, const struct cor_environment *environment, uint32_t e) {
    char id[16];
    snprintf(id, sizeof id, "e%u", e);
    begin_box(d, id, environment->name, "environment");
    if (environment->profile)
        put_names(d, "states:", environment->profile->states, environment->profile->state_count);
    else
        put_line(d, "profile drawn for each suite");
    put_written(d, &environment->json, "scope");
    end_box(d);
}

static void put_organizations(struct drawing *d, const struct cor_test_model *model) {
    static const char *const keys[] = {"size_min", "size_max", "count_min", "count_max"};
    struct cor_json structure;
    begin_box(d, "o", cor_structure_words[model->kind], "structure of organizations");
    if (model->root.value && cor_json_find(&model->root, "structure", &structure))
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            put_written(d, &structure, keys[k]);
    end_box(d);
}

static void put_constraints(struct drawing *d, const struct cor_experiment *experiment) {
    const struct cor_test_model *model = experiment->model;
    const char *says, *name;
    begin_box(d, "c", experiment->name, "corridor");
    for (uint32_t i = 0; (name = cor_experiment_constraint(experiment, i, &says)) != NULL; i++)
        put_line_take(d, cor_format("%s: %s", name, says));
    if (!cor_experiment_constraint(experiment, 0, &says)) {
        put_line_take(d, model->threshold_given
                             ? cor_format("dissimilarity of organizations <= %g", model->threshold)
                             : cor_format("dissimilarity of organizations <= a threshold, calibrated so that "
                                          "%g of the cases alarm",
                                          model->alarm_rate));
        put_written(d, &model->root, "constraints");
    }
    end_box(d);
}

char *cor_model_diagram(const struct cor_experiment *experiment, enum cor_diagram_language language,
                        struct cor_error *error) {
    const struct cor_test_model *model = experiment->model;
    struct drawing d = {.language = language};
    cor_bytes_print(&d.text, "%s",
                    is_dot(&d)
                        ? "digraph model {\n  rankdir=LR;\n  node [shape=plain, fontname=\"Helvetica\", "
                          "fontsize=11];\n  edge [fontname=\"Helvetica\", fontsize=9];\n"
                        : "@startuml\nhide circle\nhide methods\n");
    put_organizations(&d, model);
    put_constraints(&d, experiment);
    for (uint32_t t = 0; t < model->type_count; t++)
        put_type(&d, model, t);
    for (uint32_t e = 0; e < model->environment_count; e++)
        put_environment(&d, &model->environments[e], e);
    put_arrow(&d, "c", "o", "must hold of", false);
    for (uint32_t t = 0; t < model->type_count; t++) {
        const struct cor_agent_type *type = &model->types[t];
        char from[16], to[16];
        snprintf(from, sizeof from, "t%u", t);
        put_arrow(&d, "o", from, "members", true);
        for (uint32_t e = 0; e < model->environment_count; e++) {
            bool perceives = type->environment == COR_NOBODY || type->environment == e;
            for (uint32_t k = 0; k < type->other_count; k++)
                perceives = perceives || type->others[k] == e;
            snprintf(to, sizeof to, "e%u", e);
            if (perceives)
                put_arrow(&d, from, to, "perceives", false);
        }
    }
    cor_bytes_print(&d.text, "%s", is_dot(&d) ? "}\n" : "@enduml\n");
    return cor_bytes_text_take(&d.text, error);
}
