/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Judging whether a raw structure is of its kind. */
#ifndef CORRIDOR_ORACLE_CORRIDOR_STRUCTURE_H
#define CORRIDOR_ORACLE_CORRIDOR_STRUCTURE_H

#include <corridor/corridor.h>

/* What is known of an agent; organizations as 1 + index, 0 = none. */
struct corridor__mark {
    uint32_t count, last, repeated_in;
};

/* Memory for one look, as long as there are agents and organizations. */
struct corridor__marks {
    struct corridor__mark *agents;
    uint32_t *passed; /* [organization]: by the way up from organization - 1 */
    bool *has_children;
};

/* Of kinds other than partitionings. */
void corridor__judge_structure(enum cor_structure_kind kind, const struct cor_snapshot *state,
                               struct corridor__marks *marks, struct cor_judgement *judgement);

#endif
