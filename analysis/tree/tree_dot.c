/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree as a graph for Graphviz, from left to right: long labels then cost no width. */
#include "events.h"

#include <corridor/array.h>
#include <corridor/cells.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RED "#f4b6b0"
#define GREEN "#bfe3bf"
#define YELLOW "#fbe6a2"
#define LABEL 56 /* letters of a line of a label */

/* Text within a label: quoted, and broken at blanks. */
static void put_label(const char *text, FILE *file) {
    size_t column = 0;
    for (; *text; text++, column++) {
        if (*text == ' ' && column >= LABEL) {
            fputs("\\l", file);
            column = 0;
            continue;
        }
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        fputc(*text, file);
    }
    fputs("\\l", file);
}

static const char *colour_of(const struct cor_tree_node *node) {
    return node->failing == 0 ? GREEN : node->failing == node->sequences ? RED : YELLOW;
}

static void put_node(const struct cor_tree *tree, const struct cor_state_names *names, uint32_t index,
                     FILE *file) {
    const struct cor_tree_node *node = &tree->node[index];
    char text[COR__LINE];
    fprintf(file, "  n%" PRIu32 " [fillcolor=\"%s\"%s, label=\"", index, colour_of(node),
            node->parts ? ", peripheries=2" : "");
    cor__stretch_text(node, text);
    if (text[0])
        put_label(text, file);
    cor__set_text(tree, node, text);
    put_label(text, file);
    cor__difference_text(tree, names, node, text);
    if (node->parts) {
        fputs("verdicts part", file);
        put_label(text[0] ? ":" : "", file);
        if (text[0])
            put_label(text, file);
    }
    fputs("\"];\n", file);
}

static void put_edge(const struct cor_tree *tree, const struct cor_state_names *names, uint32_t index,
                     FILE *file) {
    char text[COR__LINE];
    cor__event_text(tree, names, &tree->node[index], text);
    fprintf(file, "  n%" PRIu32 " -> n%" PRIu32 " [label=\"", tree->node[index].parent, index);
    put_label(text, file);
    fputs("\"];\n", file);
}

/* Children that only passed, as one node; or what is deeper than wanted. */
static void put_rest(uint32_t parent, const char *name, const char *colour, uint32_t sequences, uint32_t ways,
                     FILE *file) {
    fprintf(file,
            "  %s%" PRIu32 " [fillcolor=\"%s\", label=\"%" PRIu32 " sequences%s\\lin %" PRIu32
            " ways\\l\"];\n"
            "  n%" PRIu32 " -> %s%" PRIu32 ";\n",
            name, parent, colour, sequences, strcmp(colour, GREEN) == 0 ? ", all passed" : "", ways, parent,
            name, parent);
}

/* A node, and its children as far as they are drawn together or not at all. */
static void put_shown(const struct cor_tree *tree, const struct cor_state_names *names, uint32_t index,
                      uint32_t depth, bool *shown, FILE *file) {
    const struct cor_tree_node *node = &tree->node[index];
    uint32_t passing = 0, sequences = 0;
    put_node(tree, names, index, file);
    if (index > 0)
        put_edge(tree, names, index, file);
    if (node->children == 0 || node->failing == 0)
        return;
    if (node->depth >= depth) {
        put_rest(index, "deeper", colour_of(node), node->sequences - node->ending, node->children, file);
        return;
    }
    for (uint32_t c = node->first_child; c < node->first_child + node->children; c++)
        if (tree->node[c].failing == 0) {
            passing++;
            sequences += tree->node[c].sequences;
        }
    for (uint32_t c = node->first_child; c < node->first_child + node->children; c++)
        shown[c] = tree->node[c].failing > 0 || passing == 1;
    if (passing > 1)
        put_rest(index, "passed", GREEN, sequences, passing, file);
}

enum cor_status cor_tree_dot(const struct cor_tree *tree, struct cor_result *result, uint32_t depth,
                             FILE *file, struct cor_error *error) {
    struct cor_state_names names;
    bool *shown = cor_calloc(tree->node_count, sizeof *shown);
    if (!shown)
        return cor_fail_memory(error);
    cor_state_names_init(&names, result);
    fputs("digraph tree {\n"
          "  rankdir=LR;\n"
          "  node [shape=box, style=filled, fontname=\"Helvetica\", fontsize=10];\n"
          "  edge [fontname=\"Helvetica\", fontsize=9];\n"
          "  labelloc=t;\n  fontname=\"Helvetica\";\n  label=\"",
          file);
    put_label(cor_result_name(result, COR_CATALOG_ARM, tree->arm), file);
    fprintf(file, "suite %" PRIu32 ": %" PRIu32 " of %" PRIu32 " sequences failed\\l\";\n", tree->suite,
            tree->failing, tree->sequence_count);
    shown[0] = true;
    for (uint32_t i = 0; i < tree->node_count; i++) /* children come behind their parent */
        if (shown[i])
            put_shown(tree, &names, i, depth, shown, file);
    fputs("}\n", file);
    cor_state_names_fini(&names);
    free(shown);
    return cor_stream_status(file, error);
}
