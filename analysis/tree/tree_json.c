/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tree_json.h"

#include <corridor/cells.h>

#include "events.h"

#include <string.h>

static void put_sequence(struct cor_json_writer *writer, const struct cor_tree_sequence *sequence,
                         uint32_t number) {
    cor_json_open_object(writer, NULL);
    cor_json_put_integer(writer, "sequence", number);
    cor_json_put_integer(writer, "executed", sequence->executed);
    cor_json_put_bool(writer, "failed", sequence->first_failure > 0);
    if (sequence->first_failure > 0)
        cor_json_put_integer(writer, "first_failure", sequence->first_failure);
    if (sequence->continues) {
        cor_json_put_integer(writer, "parent", sequence->parent);
        cor_json_put_integer(writer, "prefix", sequence->prefix);
    }
    cor_json_close(writer);
}

/* What is new in the first case of a node. */
static void put_event(struct cor_json_writer *writer, const struct cor_tree *tree,
                      const struct cor_state_names *names, const struct cor_tree_node *node) {
    char word[COR_STATE_NAME];
    uint32_t s = tree->order[node->first_sequence];
    const uint8_t *now = cor_tree_case(tree, s, node->first_case),
                  *before = node->first_case > 0 ? cor_tree_case(tree, s, node->first_case - 1) : NULL,
                  *rest = now + tree->chain_count;
    cor_json_open_array(writer, "changes");
    for (uint32_t c = 0; c < tree->chain_count; c++) {
        if (before && before[c] == now[c])
            continue;
        cor_json_open_object(writer, NULL);
        cor_json_put_integer(writer, "chain", tree->chain[c]);
        cor_json_put_string(writer, "environment", cor_environment_name(names, tree->environment[c]));
        if (before) {
            cor_state_name(names, tree->environment[c], before[c], word);
            cor_json_put_string(writer, "from", word);
        }
        cor_state_name(names, tree->environment[c], now[c], word);
        cor_json_put_string(writer, "to", word);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    if (tree->projections >> COR_PROJECTION_ALARM & 1)
        cor_json_put_bool(writer, "alarm", *rest++ != 0);
    if (tree->projections >> COR_PROJECTION_VERDICT & 1) {
        char verdict[64];
        cor__verdict_text(*rest, verdict);
        cor_json_put_string(writer, "verdict", verdict);
    }
}

static void put_values(struct cor_json_writer *writer, const char *key, const struct cor_tree *tree,
                       const struct cor_state_names *names, const struct cor_distinction *difference,
                       uint64_t values) {
    char word[COR_STATE_NAME];
    cor_json_open_array(writer, key);
    for (uint32_t v = 0; v < 64; v++) {
        if (!(values >> v & 1))
            continue;
        if (difference->what == COR_PROJECTION_CHAINS)
            cor_state_name(names, tree->environment[difference->index], v, word);
        else if (difference->what == COR_PROJECTION_VERDICT)
            cor__verdict_text((uint8_t)v, word);
        if (difference->what == COR_PROJECTION_ALARM)
            cor_json_put_bool(writer, NULL, v != 0);
        else
            cor_json_put_string(writer, NULL, word);
    }
    cor_json_close(writer);
}

static void put_differences(struct cor_json_writer *writer, const struct cor_tree *tree,
                            const struct cor_state_names *names, const struct cor_tree_node *node) {
    cor_json_open_array(writer, "differences");
    for (uint32_t i = 0; i < node->differences; i++) {
        const struct cor_distinction *difference = &tree->difference[node->first_difference + i];
        cor_json_open_object(writer, NULL);
        cor_json_put_string(
            writer, "what",
            difference->what == COR_PROJECTION_CHAINS ? "chain" : cor_projection_words[difference->what]);
        if (difference->what == COR_PROJECTION_CHAINS)
            cor_json_put_integer(writer, "chain", tree->chain[difference->index]);
        put_values(writer, "failing", tree, names, difference, difference->failing);
        put_values(writer, "passing", tree, names, difference, difference->passing);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_node(struct cor_json_writer *writer, const struct cor_tree *tree,
                     const struct cor_state_names *names, uint32_t index) {
    const struct cor_tree_node *node = &tree->node[index];
    cor_json_open_object(writer, NULL);
    cor_json_put_integer(writer, "node", index);
    if (index > 0)
        cor_json_put_integer(writer, "parent", node->parent);
    cor_json_put_integer(writer, "depth", node->depth);
    cor_json_put_integer(writer, "first_case", node->first_case);
    cor_json_put_integer(writer, "cases", node->cases);
    cor_json_put_integer(writer, "failing", node->failing);
    cor_json_put_integer(writer, "passing", (int64_t)node->sequences - node->failing);
    cor_json_open_array(writer, "ending");
    for (uint32_t i = 0; i < node->ending; i++)
        cor_json_put_integer(writer, NULL, tree->order[node->first_sequence + i]);
    cor_json_close(writer);
    if (node->cases > 0)
        put_event(writer, tree, names, node);
    cor_json_put_bool(writer, "parts", node->parts);
    if (node->parts)
        put_differences(writer, tree, names, node);
    cor_json_close(writer);
}

static void put_tree(struct cor_json_writer *writer, const struct cor_tree *tree, struct cor_result *result) {
    struct cor_state_names names;
    cor_state_names_init(&names, result);
    cor_json_open_object(writer, "tree");
    cor_json_put_integer(writer, "suite", tree->suite);
    cor_json_open_array(writer, "by");
    for (enum cor_projection p = 0; p < COR_PROJECTION_COUNT; p++)
        if (tree->projections >> p & 1)
            cor_json_put_string(writer, NULL, cor_projection_words[p]);
    cor_json_close(writer);
    cor_json_open_array(writer, "chains");
    for (uint32_t c = 0; c < tree->chain_count; c++)
        cor_json_put_integer(writer, NULL, tree->chain[c]);
    cor_json_close(writer);
    cor_json_open_array(writer, "sequences");
    for (uint32_t s = 0; s < tree->sequence_count; s++)
        put_sequence(writer, &tree->sequence[s], s);
    cor_json_close(writer);
    cor_json_open_array(writer, "nodes");
    for (uint32_t i = 0; i < tree->node_count; i++)
        put_node(writer, tree, &names, i);
    cor_json_close(writer);
    cor_json_close(writer);
    cor_state_names_fini(&names);
}

enum cor_status cor_tree_json(const struct cor_tree *tree, const struct cor_ranking *ranking,
                              struct cor_result *result, FILE *file, struct cor_error *error) {
    struct cor_json_writer *writer;
    enum cor_status status = cor_json_writer_create(&writer, error);
    if (status != COR_OK)
        return status;
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "schema", "corridor-tree");
    cor_json_put_integer(writer, "version", 1);
    if (tree || ranking)
        cor_json_put_string(writer, "arm",
                            cor_result_name(result, COR_CATALOG_ARM, tree ? tree->arm : ranking->arm));
    if (tree)
        put_tree(writer, tree, result);
    else
        cor_json_put_string(writer, "tree", NULL); /* nothing failed */
    if (ranking)
        cor__put_ranking(writer, ranking);
    cor_json_close(writer);
    return cor_write_json(writer, 1, file, error);
}
