/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sentences about agents that are observed. */
#ifndef CORRIDOR_ORACLE_CORRIDOR_SHOWN_H
#define CORRIDOR_ORACLE_CORRIDOR_SHOWN_H

#include <corridor/corridor.h>

/* A breach of a constraint as a sentence, and another one with what its agents show of the attributes that
 * the constraint reads. Sets stand in `columns` as bits. */
void corridor__shown_text(const struct cor_corridor *corridor, uint32_t constraint,
                          const struct cor_breach *breach, uint32_t agent_count,
                          const struct cor_attribute_values *columns, char *text, size_t size);

#endif
