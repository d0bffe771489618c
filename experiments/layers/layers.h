/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The layers of testing, in the one list. A layer is a folder here: what a campaign executes of it (struct
 * cor_layer), its commands, its README; what its result files hold stands in sim/record (cor_layer_schemas),
 * as analysis may not see this folder. A test, test_layers_of_testing.c, walks this list against every place
 * that knows layers. */
#ifndef CORRIDOR_LAYERS_H
#define CORRIDOR_LAYERS_H

#include <corridor/agent_layer.h>
#include <corridor/efsm_layer.h>
#include <corridor/estimation_layer.h>
#include <corridor/interaction.h>
#include <corridor/search_layer.h>

/* X(word): cor_<word>_layer is its struct cor_layer. The first also answers for files that no layer knows. */
#define COR_LAYERS(X) X(interaction) X(agent) X(efsm) X(search) X(estimation)

#endif
