/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The test model of an experiment as a class diagram (003, 4.1): types of agents with their attributes and
 * states, environments, the organizations that agents form, and what must hold of them. */
#ifndef CORRIDOR_MODEL_DIAGRAM_H
#define CORRIDOR_MODEL_DIAGRAM_H

#include <corridor/experiment.h>

enum cor_diagram_language { COR_DIAGRAM_DOT, COR_DIAGRAM_PLANTUML };

/* The diagram in Graphviz' or PlantUML's language, freed with free(); NULL with `error` set when memory is
 * out. */
char *cor_model_diagram(const struct cor_experiment *experiment, enum cor_diagram_language language,
                        struct cor_error *error);

#endif
