/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a pursuit asks of beliefs: conditions, entities, the nearest of them. */
#include "pursuit_state.h"
#include "system_why.h"

#include <stdio.h>
#include <string.h>

/* Entities that were chosen take the place of those that stand for them. */
const struct cor_expression *system_layer__filled(struct cor_pursuit *pursuit, uint32_t condition) {
    const struct system_layer__condition *read = &pursuit->goals->conditions[condition];
    if (read->use_count == 0)
        return &read->expression;
    const struct cor_expression *own = &pursuit->conditions[condition];
    for (uint32_t u = 0; u < read->use_count; u++) {
        const struct system_layer__slot_use use = pursuit->goals->uses[read->use_start + u];
        const uint32_t held = pursuit->held[use.slot];
        own->nodes[use.node].constant = held == COR_NONE ? pursuit->goals->slots[use.slot].element : held;
    }
    return own;
}

enum cor_truth system_layer__ask(struct cor_pursuit *pursuit, uint32_t condition) {
    return cor_expression_ask(system_layer__filled(pursuit, condition), cor_beliefs_values(pursuit->beliefs),
                              cor_beliefs_world(pursuit->beliefs), NULL);
}

bool system_layer__reckon(struct cor_pursuit *pursuit, uint32_t condition, double *number) {
    return cor_expression_reckon(system_layer__filled(pursuit, condition),
                                 cor_beliefs_values(pursuit->beliefs), cor_beliefs_world(pursuit->beliefs),
                                 number);
}

struct cor_believed system_layer__entity(const struct cor_pursuit *pursuit, uint32_t reference) {
    const struct system_layer__reference *known = &pursuit->goals->references[reference];
    const uint32_t held = known->slot == COR_NONE ? known->element : pursuit->held[known->slot];
    return (struct cor_believed){known->type, held == COR_NONE ? known->element : held};
}

const char *system_layer__entity_name(const struct cor_pursuit *pursuit, struct cor_believed entity) {
    return cor_words_text(pursuit->goals->declaration->words,
                          cor_beliefs_identity(pursuit->beliefs, entity.type, entity.element));
}

bool system_layer__is_there(const struct cor_pursuit *pursuit, struct cor_believed entity) {
    return cor_beliefs_is_there(pursuit->beliefs, entity.type, entity.element);
}

uint32_t system_layer__nearest(struct cor_pursuit *pursuit, uint32_t query) {
    const struct system_layer__query *asked = &pursuit->goals->queries[query];
    const uint32_t type = pursuit->goals->slots[asked->slot].type;
    const uint32_t count = cor_beliefs_count(pursuit->beliefs, type);
    uint32_t best = COR_NONE, best_distance = UINT32_MAX;
    for (uint32_t e = 0; e < count; e++) {
        const struct cor_believed entity = {type, e};
        if (!system_layer__is_there(pursuit, entity))
            continue;
        pursuit->held[asked->slot] = e;
        if (asked->filter != COR_NONE && system_layer__ask(pursuit, asked->filter) != COR_TRUTH_TRUE)
            continue;
        const uint32_t distance = pursuit->travel ? cor_travel_distance(pursuit->travel, entity) : 0;
        if (best == COR_NONE || distance < best_distance ||
            (distance == best_distance &&
             strcmp(system_layer__entity_name(pursuit, entity),
                    system_layer__entity_name(pursuit, (struct cor_believed){type, best})) < 0)) {
            best = e;
            best_distance = distance;
        }
    }
    pursuit->held[asked->slot] = best;
    return best;
}

void system_layer__tell(struct cor_pursuit *pursuit, enum cor_system_judge judge, const char *name,
                        uint32_t condition, enum cor_truth truth) {
    if (!pursuit->note_verdict)
        return;
    const struct cor_expression *asked = system_layer__filled(pursuit, condition);
    char why[1000] = "it cannot be told";
    if (truth == COR_TRUTH_FALSE)
        system_layer__breach(asked, pursuit->beliefs, why, sizeof why);
    const struct cor_goal_verdict verdict = {judge, name,  asked->text,
                                             why,   truth, cor_beliefs_cycle(pursuit->beliefs)};
    pursuit->note_verdict(pursuit->verdict_context, &verdict);
}
