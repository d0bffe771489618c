/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two parts of the JSON document. */
#ifndef CORRIDOR_TREE_JSON_H
#define CORRIDOR_TREE_JSON_H

#include <corridor/json.h>
#include <corridor/tree.h>

/* A ranking as the member "ranking". */
void cor__put_ranking(struct cor_json_writer *writer, const struct cor_ranking *ranking);

#endif
