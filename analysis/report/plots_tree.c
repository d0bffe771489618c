/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Graphs: where the verdicts of a suite part, an arm each. */
#include "page.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define DEPTH 4              /* partings drawn */
#define BYTES_MAX 12000      /* of a graph; one that is larger is for a program that can zoom */
#define ALL_BYTES_MAX 150000 /* of all of them: the page is to stay small */

static enum cor_status add_tree(struct cor_report *report, size_t a, const struct cor_tree *tree,
                                size_t *bytes, struct cor_error *error) {
    char name[COR__FIGURE_NAME];
    struct cor__text text;
    cor__text_begin(&text);
    enum cor_status status =
        text.file ? cor_tree_dot(tree, report->result, DEPTH, text.file, error) : cor_fail_memory(error);
    char *graph = cor__text_end(&text);
    if (status == COR_OK && !graph)
        status = cor_fail_memory(error);
    if (status != COR_OK || strlen(graph) > BYTES_MAX || *bytes + strlen(graph) > ALL_BYTES_MAX) {
        free(graph);
        return status;
    }
    *bytes += strlen(graph);
    cor__figure_name(name, "tree", a);
    struct cor__figure *figure = cor__figure_add(&report->figures, name, 0, 0, error);
    if (!figure) {
        free(graph);
        return COR_STATUS_MEMORY;
    }
    figure->graph = true;
    figure->script = graph;
    figure->title =
        cor_format("Where verdicts part, %.60s, suite %u", report->tables->arm[a].name, tree->suite);
    figure->description =
        cor_format("%u of %u sequences failed; sequences that look alike stay together until "
                   "they part.",
                   tree->failing, tree->sequence_count);
    return figure->title && figure->description ? COR_OK : cor_fail_memory(error);
}

enum cor_status cor__plot_trees(struct cor_report *report, struct cor_error *error) {
    const unsigned projections =
        1u << COR_PROJECTION_CHAINS | 1u << COR_PROJECTION_ALARM | 1u << COR_PROJECTION_VERDICT;
    enum cor_status status = COR_OK;
    size_t bytes = 0;
    for (size_t a = 0; a < report->tables->arm_count && a < COR__ARMS_MAX && status == COR_OK; a++) {
        struct cor_tree *tree = NULL;
        if (!report->ranking[a])
            continue;
        status = cor_tree_create(report->result, report->tables->arm[a].code, COR_ANY_SUITE, projections,
                                 &tree, error);
        /* Where all failed, nothing parts. */
        if (status == COR_OK && tree && tree->failing < tree->sequence_count)
            status = add_tree(report, a, tree, &bytes, error);
        cor_tree_destroy(tree);
    }
    return status;
}
