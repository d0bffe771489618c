/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A design as the source of an agent (000: skeletons of the code come from the design): contexts are
 * translated, and bodies, where the design has them; other plans become stubs that say they are not built
 * yet. The agent stands over agent_kit.h (C) or corridor_agent.py (Python), and reports what it does. */
#ifndef CORRIDOR_AGENT_SOURCE_H
#define CORRIDOR_AGENT_SOURCE_H

#include <corridor/design_file.h>

enum cor_agent_language { COR_AGENT_C, COR_AGENT_PYTHON };

/* The source, freed with free(). COR_STATUS_INPUT for a design that is too large for agent_kit.h. */
enum cor_status cor_agent_source(const struct cor_design_file *file, enum cor_agent_language language,
                                 char **source, struct cor_error *error) COR_MUST_USE;

#endif
