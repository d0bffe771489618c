/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The units of an agent as a graph: each points to those it needs, in the colour of its outcome. */
#ifndef CORRIDOR_AGENT_GRAPH_H
#define CORRIDOR_AGENT_GRAPH_H

#include <corridor/agent_result.h>

#include <stdio.h>

/* Writes the graph of an arm for Graphviz: green where nothing was found, red where a root was, yellow where
 * all that was found is a consequence. */
void cor_agent_graph(const struct cor_layer_tables *agent, uint16_t arm, FILE *file);

#endif
