/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a node of the tree says to a reader, for text and graph alike. */
#ifndef CORRIDOR_TREE_EVENTS_H
#define CORRIDOR_TREE_EVENTS_H

#include <corridor/state_names.h>

#include <corridor/tree.h>

#define COR__LINE 512 /* bytes of a description; what is longer is counted */

/* "cases 3-17", "case 3", "before the first case", or "" of a root that is alike in nothing. */
void cor__stretch_text(const struct cor_tree_node *node, char text[COR__LINE]);

/* What is new in the first case of a node: chains that changed, the alarm, the verdicts. */
void cor__event_text(const struct cor_tree *tree, const struct cor_state_names *names,
                     const struct cor_tree_node *node, char text[COR__LINE]);

/* "sequence 4 passed", "6 sequences: 2 failed", and in which cases they failed first if that is in its
 * stretch. */
void cor__set_text(const struct cor_tree *tree, const struct cor_tree_node *node, char text[COR__LINE]);

/* What tells failing from passing where they part, "" if no single thing does. */
void cor__difference_text(const struct cor_tree *tree, const struct cor_state_names *names,
                          const struct cor_tree_node *node, char text[COR__LINE]);

/* "no run", or "gray passed, black failed". */
void cor__verdict_text(uint8_t verdict, char text[64]);

#endif
