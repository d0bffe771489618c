/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files: Promela of spin, XML of UPPAAL. */
#include "export.h"

#include <stdlib.h>
#include <string.h>

#define CHOICES_MAX 64 /* values of a parameter that are written out; of more, one is counted up to */

/* The values of a parameter, one of which is chosen. */
static void put_choice(const struct cor_efsm_variable *parameter, struct cor_bytes *out) {
    const char *name = parameter->name;
    const long long low = parameter->low, high = parameter->high;
    if (high - low >= CHOICES_MAX) {
        cor_bytes_print(out, "    v_%s = %lld; do :: v_%s < %lld -> v_%s++ :: break od;\n", name, low, name,
                        high, name);
        return;
    }
    efsm__export_put(out, "    if");
    for (long long value = low; value <= high; value++)
        cor_bytes_print(out, " :: v_%s = %lld", name, value);
    efsm__export_put(out, " fi;\n");
}

static void put_call(const struct cor_efsm *model, const struct cor_efsm_transition *t,
                     struct cor_bytes *out) {
    const struct cor_efsm_label *input = &model->inputs[t->input];
    efsm__export_put_plain(out, t->id);
    efsm__export_put(out, ": ");
    efsm__export_put_plain(out, input->name);
    for (uint32_t p = 0; p < input->parameter_count; p++)
        cor_bytes_print(out, "%s%s", p > 0 ? ", " : "(", model->variable_names[input->parameters[p]]);
    efsm__export_put(out, input->parameter_count > 0 ? ")" : "");
}

/* In spin a move is: here, one choice for each parameter, a step that changes all at once, and a look. */
static enum cor_status put_option(struct efsm__export *e, uint32_t transition, struct cor_bytes *out,
                                  struct cor_error *error) {
    const struct cor_efsm *model = e->model;
    const struct cor_efsm_transition *t = &model->transitions[transition];
    const struct cor_efsm_label *input = &model->inputs[t->input];
    efsm__export_put(out, "  /* ");
    put_call(model, t, out);
    cor_bytes_print(out, " */\n  :: atomic { location == %u ->\n", t->source);
    for (uint32_t p = 0; p < input->parameter_count; p++)
        put_choice(&model->variables[input->parameters[p]], out);
    for (uint32_t p = input->parameter_count; p < e->choices; p++)
        efsm__export_put(out, "    if :: none = 0 :: none = 0 fi;\n");
    efsm__export_put(out, "    d_step { if :: ");
    efsm__export_put_enabled(model, t, out);
    efsm__export_put(out, " ->\n      printf(\"move ");
    efsm__export_put_plain(out, t->id);
    efsm__export_put(out, " ");
    efsm__export_put_plain(out, input->name);
    for (uint32_t p = 0; p < input->parameter_count; p++)
        efsm__export_put(out, " %d");
    efsm__export_put(out, "\\n\"");
    for (uint32_t p = 0; p < input->parameter_count; p++)
        cor_bytes_print(out, ", v_%s", model->variable_names[input->parameters[p]]);
    efsm__export_put(out, ");\n      ");
    COR_TRY(efsm__export_put_effects(e, transition, out, error));
    cor_bytes_print(out, "location = %u\n      :: else -> skip fi", t->target);
    for (uint32_t p = 0; p < input->parameter_count; p++)
        cor_bytes_print(out, "; v_%s = %lld", model->variable_names[input->parameters[p]],
                        (long long)model->variables[input->parameters[p]].low);
    efsm__export_put(out, " }");
    if (e->goal) {
        efsm__export_put(out, ";\n    assert(!(");
        efsm__export_put_goal(e, out);
        efsm__export_put(out, "))");
    }
    efsm__export_put(out, " }\n");
    return COR_OK;
}

static const char promela_words[] =
    "#define quotient_of(a, b) ((a) >= 0 -> (a) / (b) : -(((b) - 1 - (a)) / (b)))\n"
    "#define remainder_of(a, b) ((((a) % (b)) + (b)) % (b))\n"
    "#define ceiling_of(a, b) (-quotient_of(-(a), b))\n"
    "#define least_of(a, b) ((a) < (b) -> (a) : (b))\n"
    "#define greatest_of(a, b) ((a) > (b) -> (a) : (b))\n"
    "#define absolute_of(a) ((a) < 0 -> -(a) : (a))\n\n";

static const char uppaal_words[] =
    "typedef int[-1073741823,1073741823] number;\n"
    "number quotient_of(number a, number b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }\n"
    "number remainder_of(number a, number b) { return ((a % b) + b) % b; }\n"
    "number ceiling_of(number a, number b) { return -quotient_of(-a, b); }\n"
    "number least_of(number a, number b) { return a < b ? a : b; }\n"
    "number greatest_of(number a, number b) { return a > b ? a : b; }\n"
    "number absolute_of(number a) { return a < 0 ? -a : a; }\n";

static const char *promela_type(const struct cor_efsm_variable *variable) {
    if (variable->low >= 0 && variable->high <= 255)
        return variable->high <= 1 ? "bit" : "byte";
    return variable->low >= -32768 && variable->high <= 32767 ? "short" : "int";
}

static void put_traps(const struct efsm__export *e, struct cor_bytes *out) {
    for (uint32_t k = 0; e->goal && k < e->goal->trap_count; k++) {
        cor_bytes_print(out, "bool c_%u = false; %s ", k + 1, e->is_promela ? "/*" : "//");
        efsm__export_put_plain(out, e->goal->traps[k].id);
        efsm__export_put(out, e->is_promela ? " */\n" : "\n");
    }
    if (e->knows_last)
        cor_bytes_print(out, e->is_promela ? "short last = 0;\n" : "int[0,%u] last = 0;\n",
                        e->model->transition_count);
    for (uint32_t i = 0; i < e->temporaries; i++)
        cor_bytes_print(out, e->is_promela ? "int n_%u;\n" : "meta number n_%u;\n", i);
}

/* What the integers of typed variables stand for, a comment a line. */
static void put_types(const struct efsm__export *e, struct cor_bytes *out) {
    const struct cor_efsm *model = e->model;
    for (uint32_t v = 0; v < model->variable_count; v++) {
        const struct cor_efsm_variable *it = &model->variables[v];
        if (it->type != COR_EFSM_WORDS && it->type != COR_EFSM_DECIMALS)
            continue;
        cor_bytes_print(out, e->is_promela ? "/* v_%s:" : "// v_%s:", it->name);
        for (uint32_t w = 0; it->words && it->words[w]; w++) {
            cor_bytes_print(out, "%s %u ", w > 0 ? "," : "", w);
            efsm__export_put_plain(out, it->words[w]);
        }
        if (it->type == COR_EFSM_DECIMALS)
            cor_bytes_print(out, " units of 1/%lld", (long long)cor_power_of_ten(it->decimals));
        efsm__export_put(out, e->is_promela ? " */\n" : "\n");
    }
}

enum cor_status efsm__export_promela(struct efsm__export *e, struct cor_error *error) {
    const struct cor_efsm *model = e->model;
    struct cor_bytes *out = &e->out;
    struct cor_bytes options = {0};
    enum cor_status status = COR_OK;
    for (uint32_t t = 0; t < model->transition_count; t++)
        COR_TRY_OUT(put_option(e, t, &options, error));
    efsm__export_put(out, "/* ");
    efsm__export_put_plain(out, model->name);
    efsm__export_put(out, ". Locations:");
    for (uint32_t l = 0; l < model->location_count; l++) {
        cor_bytes_print(out, " %u ", l);
        efsm__export_put_plain(out, model->location_names[l]);
    }
    efsm__export_put(out, "\n * spin -o2 -run -bfs FILE; spin -t FILE (-bfs: with a goal) */\n");
    put_types(e, out);
    efsm__export_put(out, promela_words);
    cor_bytes_print(out, "short location = %u;\n", model->initial);
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE)
            cor_bytes_print(out, "%s v_%s = %lld;\n", promela_type(&model->variables[v]),
                            model->variables[v].name, (long long)model->variables[v].initial);
    put_traps(e, out);
    efsm__export_put(out, "\nactive proctype system() {\n");
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_PARAMETER)
            cor_bytes_print(out, "  int v_%s = %lld;\n", model->variables[v].name,
                            (long long)model->variables[v].low);
    efsm__export_put(out, "  bit none = 0;\nend:\n  do\n");
    efsm__export_put(out, cor_bytes_text(&options));
    efsm__export_put(out, "  od\n}\n");
    status = options.status;
out:
    cor_bytes_fini(&options);
    return status == COR_STATUS_MEMORY ? cor_fail_memory(error) : status;
}

static void put_label(const char *kind, const struct cor_bytes *text, struct cor_bytes *out) {
    if (text->status != COR_OK)
        out->status = text->status;
    if (text->size == 0)
        return;
    cor_bytes_print(out, "      <label kind=\"%s\">", kind);
    efsm__export_put_escaped(out, cor_bytes_text(text));
    efsm__export_put(out, "</label>\n");
}

static enum cor_status put_edge(struct efsm__export *e, uint32_t transition, struct cor_bytes *out,
                                struct cor_error *error) {
    const struct cor_efsm *model = e->model;
    const struct cor_efsm_transition *t = &model->transitions[transition];
    const struct cor_efsm_label *input = &model->inputs[t->input];
    struct cor_bytes text = {0};
    enum cor_status status = COR_OK;
    cor_bytes_print(out, "    <transition>\n      <source ref=\"l%u\"/>\n      <target ref=\"l%u\"/>\n",
                    t->source, t->target);
    for (uint32_t p = 0; p < input->parameter_count; p++) {
        const struct cor_efsm_variable *it = &model->variables[input->parameters[p]];
        cor_bytes_print(&text, "%sv_%s : int[%lld,%lld]", p > 0 ? ",\n" : "", it->name, (long long)it->low,
                        (long long)it->high);
    }
    put_label("select", &text, out);
    cor_bytes_clear(&text);
    efsm__export_put_enabled(model, t, &text);
    put_label("guard", &text, out);
    cor_bytes_clear(&text);
    COR_TRY_OUT(efsm__export_put_effects(e, transition, &text, error));
    put_label("assignment", &text, out);
    cor_bytes_clear(&text);
    put_call(model, t, &text);
    put_label("comments", &text, out);
    efsm__export_put(out, "    </transition>\n");
    status = text.status;
out:
    cor_bytes_fini(&text);
    return status == COR_STATUS_MEMORY ? cor_fail_memory(error) : status;
}

/* A location, by a name that UPPAAL takes: letters and digits. */
static void put_location(const struct cor_efsm *model, uint32_t location, struct cor_bytes *out) {
    cor_bytes_print(out, "    <location id=\"l%u\" x=\"%u\" y=\"%u\">\n      <name>l%u_", location,
                    location % 4 * 200, location / 4 * 200, location);
    for (const char *at = model->location_names[location]; *at; at++)
        cor_bytes_put(
            out, strchr("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", *at) ? at : "_", 1);
    efsm__export_put(out, "</name>\n    </location>\n");
}

enum cor_status efsm__export_uppaal(struct efsm__export *e, struct cor_error *error) {
    const struct cor_efsm *model = e->model;
    struct cor_bytes *out = &e->out;
    struct cor_bytes edges = {0}, goal = {0}, traps = {0};
    enum cor_status status = COR_OK;
    for (uint32_t t = 0; t < model->transition_count; t++)
        COR_TRY_OUT(put_edge(e, t, &edges, error));
    efsm__export_put(
        out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
             "<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' "
             "'http://www.it.uu.se/research/group/darts/uppaal/flat-1_2.dtd'>\n<nta>\n  <declaration>");
    efsm__export_put_escaped(out, uppaal_words);
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE)
            cor_bytes_print(out, "int[%lld,%lld] v_%s = %lld;\n", (long long)model->variables[v].low,
                            (long long)model->variables[v].high, model->variables[v].name,
                            (long long)model->variables[v].initial);
    put_types(e, &traps);
    put_traps(e, &traps);
    efsm__export_put_escaped(out, cor_bytes_text(&traps));
    efsm__export_put(out, "</declaration>\n  <template>\n    <name>Model</name>\n");
    for (uint32_t l = 0; l < model->location_count; l++)
        put_location(model, l, out);
    cor_bytes_print(out, "    <init ref=\"l%u\"/>\n", model->initial);
    efsm__export_put(out, cor_bytes_text(&edges));
    efsm__export_put(out, "  </template>\n  <system>system Model;</system>\n");
    if (e->goal) {
        efsm__export_put_goal(e, &goal);
        efsm__export_put(out, "  <queries>\n    <query>\n      <formula>E&lt;&gt; ");
        efsm__export_put_escaped(out, cor_bytes_text(&goal));
        efsm__export_put(out, "</formula>\n      <comment/>\n    </query>\n  </queries>\n");
    }
    efsm__export_put(out, "</nta>\n");
    status = edges.status != COR_OK ? edges.status : goal.status != COR_OK ? goal.status : traps.status;
out:
    cor_bytes_fini(&edges);
    cor_bytes_fini(&goal);
    cor_bytes_fini(&traps);
    return status == COR_STATUS_MEMORY ? cor_fail_memory(error) : status;
}
