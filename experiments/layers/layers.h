/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The layers of testing, by COR_LAYERS (built.h, of layers.cmake). A layer is a folder here: what a campaign
 * executes of it (struct cor_layer), its commands, its README. A test, test_layers_of_testing.c, walks the
 * list against every place that knows layers. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_LAYERS_H
#define CORRIDOR_EXPERIMENTS_LAYERS_LAYERS_H

#include <corridor/built.h>
#include <corridor/layer.h>

#define COR_LAYER_DECLARATION(word) extern const struct cor_layer cor_##word##_layer;
COR_LAYERS(COR_LAYER_DECLARATION)
#undef COR_LAYER_DECLARATION

#endif
