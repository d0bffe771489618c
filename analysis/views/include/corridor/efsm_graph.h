/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model of a result file of the efsm layer as a graph: its transitions, in the colour of whether they
 * were taken. */
#ifndef CORRIDOR_EFSM_GRAPH_H
#define CORRIDOR_EFSM_GRAPH_H

#include <corridor/efsm_result.h>

#include <stdio.h>

/* Writes locations and transitions for Graphviz: green what tests of the arm took and how
 * often, red what the goal asks for
 * and none took, dashed what it does not ask for; locations where a move began are filled. COR_STATUS_INPUT:
 * the experiment in the file is no JSON. */
enum cor_status cor_efsm_graph(const struct cor_layer_tables *model, uint16_t arm, FILE *file,
                               struct cor_error *error) COR_MUST_USE;

#endif
