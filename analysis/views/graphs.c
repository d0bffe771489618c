/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Graphs for Graphviz: the units of an agent, and what of a model was taken. */
#include <corridor/agent_graph.h>
#include <corridor/efsm_graph.h>

#include <corridor/json.h>

#include <inttypes.h>
#include <string.h>

/* As in the drawing of a tree: the page has others for these where it is dark. */
#define PASSED "#bfe3bf"
#define FAILED "#f4b6b0"
#define MIXED "#fbe6a2"
#define TAKEN "#4a7c2c"
#define NEVER "#b3261e"
#define ASIDE "#8b949e"

static const char *colour_of(const struct cor_layer_tables *agent, const struct cor_agent_unit_row *row) {
    uint64_t count, first = cor_layer_rows_of(agent, COR_AGENT_TABLE_FINDINGS, row->arm, row->suite, &count);
    bool root = false;
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_agent_finding_row *finding = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, i);
        root = root || finding->cause == COR_CAUSE_ROOT;
    }
    return count == 0 ? PASSED : root ? FAILED : MIXED;
}

/* A name within a string of the language of Graphviz; and as one. */
static void put_escaped(const char *text, FILE *file) {
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        fputc(*text, file);
    }
}

static void put_quoted(const char *text, FILE *file) {
    fputc('"', file);
    put_escaped(text, file);
    fputc('"', file);
}

void cor_agent_graph(const struct cor_layer_tables *agent, uint16_t arm, FILE *file) {
    fputs("digraph units {\n  rankdir=TB;\n  node [shape=box, style=\"filled,rounded\", "
          "fontname=\"sans-serif\", "
          "fontsize=11];\n  edge [color=\"#888888\"];\n",
          file);
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_UNITS]; i++) {
        const struct cor_agent_unit_row *row = cor_layer_row(agent, COR_AGENT_TABLE_UNITS, i);
        if (row->arm == arm && row->repetition == 0) {
            uint64_t count,
                first = cor_layer_rows_of(agent, COR_AGENT_TABLE_NEEDS, row->arm, row->suite, &count);
            fprintf(file, "  u%u [label=", row->unit);
            put_quoted(cor_agent_unit_name(agent, row->unit), file);
            fprintf(file, ", fillcolor=\"%s\"];\n", colour_of(agent, row));
            for (uint64_t j = first; j < first + count; j++) {
                const struct cor_agent_need_row *need = cor_layer_row(agent, COR_AGENT_TABLE_NEEDS, j);
                fprintf(file, "  u%u -> u%u;\n", row->unit, need->unit);
            }
        }
    }
    fputs("}\n", file);
}

/* The trap that is called like the transition. */
static bool is_asked_for(const struct cor_layer_tables *model, const char *transition) {
    for (uint32_t t = 0; t < model->head->catalog_size[COR_EFSM_CATALOG_TRAP]; t++)
        if (strcmp(cor_efsm_name(model, COR_EFSM_CATALOG_TRAP, (uint16_t)t), transition) == 0)
            return true;
    return false;
}

static const char *word_under(const struct cor_json *json, const char *key) {
    struct cor_json child;
    const char *word = "";
    if (!cor_json_find(json, key, &child) || !cor_json_is_string(&child) ||
        cor_json_string(&child, &word, NULL) != COR_OK)
        return "";
    return word;
}

static void put_transition(const struct cor_layer_tables *model, uint16_t arm, size_t number,
                           const struct cor_json *json, FILE *file) {
    const char *name = cor_efsm_name(model, COR_EFSM_CATALOG_TRANSITION, (uint16_t)number);
    /* Of an arm and a transition, over all tests. */
    uint64_t times = 0;
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_TAKEN]; i++) {
        const struct cor_efsm_taken_row *row = cor_layer_row(model, COR_EFSM_TABLE_TAKEN, i);
        if (row->arm == arm && row->transition == number)
            times += row->count;
    }
    fputs("  ", file);
    put_quoted(word_under(json, "src"), file);
    fputs(" -> ", file);
    put_quoted(word_under(json, "dst"), file);
    fputs(" [label=\"", file);
    put_escaped(name, file);
    if (times > 0)
        fprintf(file, " (%" PRIu64 ")\", color=\"" TAKEN "\"];\n", times);
    else
        fputs(is_asked_for(model, name) ? "\", color=\"" NEVER "\", style=bold];\n"
                                        : "\", color=\"" ASIDE "\", style=dashed];\n",
              file);
}

enum cor_status cor_efsm_graph(const struct cor_layer_tables *model, uint16_t arm, FILE *file,
                               struct cor_error *error) {
    struct cor_json_document *document;
    struct cor_json efsm, transitions;
    COR_TRY(cor_json_parse(model->head->experiment, "experiment", &document, error));
    const struct cor_json root = cor_json_root(document);
    fputs("digraph model {\n  rankdir=TB;\n  node [shape=box, style=\"filled,rounded\", fillcolor=white, "
          "fontname=\"sans-serif\", fontsize=11];\n  edge [fontname=\"sans-serif\", fontsize=10];\n",
          file);
    for (uint32_t l = 0; l < model->head->catalog_size[COR_EFSM_CATALOG_LOCATION]; l++) {
        bool seen = false;
        for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_MOVES] && !seen; i++) {
            const struct cor_efsm_move_row *row = cor_layer_row(model, COR_EFSM_TABLE_MOVES, i);
            seen = row->arm == arm && row->location == l;
        }
        fputs("  ", file);
        put_quoted(cor_efsm_name(model, COR_EFSM_CATALOG_LOCATION, (uint16_t)l), file);
        fprintf(file, "%s;\n", seen ? " [fillcolor=\"" PASSED "\"]" : "");
    }
    if (cor_json_find(&root, "efsm", &efsm) && cor_json_find(&efsm, "transitions", &transitions))
        for (size_t t = 0; t < cor_json_size(&transitions) &&
                           t + 1 < model->head->catalog_size[COR_EFSM_CATALOG_TRANSITION];
             t++) {
            const struct cor_json json = cor_json_at(&transitions, t);
            put_transition(model, arm, t + 1, &json, file);
        }
    fputs("}\n", file);
    cor_json_destroy(document);
    return COR_OK;
}
