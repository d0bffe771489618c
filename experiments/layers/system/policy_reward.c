/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a choice is worth to a policy that learns. In all of them 1 when the goal is solved. A new state: 1
 * for each that was not known. A condition: by how much nearer to it the choice led, as a difference of
 * potentials (Ng, Harada, Russell 1999, theorem 1), which leaves the best policy the best one. */
#include "policy.h"

#include <corridor/world.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"solved", "new state", NULL};

/* Letters and gaps alone: somebody meant one of the words. */
static bool looks_like_word(const char *text) {
    for (; *text; text++)
        if (!isalpha((unsigned char)*text) && *text != ' ' && *text != '_')
            return false;
    return true;
}

static bool names_something(const struct cor_expression *expression) {
    for (uint32_t n = 0; n < expression->node_count; n++)
        if (expression->nodes[n].operator== COR_OPERATOR_VARIABLE || expression->nodes[n].operator>=
            COR_OPERATOR_BIND)
            return true;
    return false;
}

static enum cor_status read_condition(struct system_layer__reward *reward, const char *text,
                                      const char *place, const struct cor_scope *scope,
                                      struct cor_error *error) {
    char known[300];
    struct cor_error said = COR_NO_ERROR;
    const uint32_t own = cor_scope_find(scope, "reward");
    const enum cor_status status =
        cor_expression_parse_condition(text, scope, place, &reward->condition, &said);
    if (status == COR_STATUS_INPUT && looks_like_word(text)) {
        cor_known_names(text, words, known, sizeof known);
        strncat(known, ", or a condition", sizeof known - strlen(known) - 1);
        return cor_fail(error, COR_STATUS_INPUT, place, known,
                        "there is no reward \"%.200s\", and no condition is written so", text);
    }
    if (status != COR_OK)
        return cor_fail(error, status, said.place, said.remedy, "%s", said.cause);
    reward->kind = SYSTEM_LAYER__NEARER;
    if (own != COR_NONE && cor_expression_reads(&reward->condition, own))
        return cor_fail(error, COR_STATUS_INPUT, place, "name what the world shows",
                        "a reward cannot depend on \"reward\"");
    if (!names_something(&reward->condition))
        return cor_fail(error, COR_STATUS_INPUT, place, "name what the world shows",
                        "the condition names nothing that a choice could change");
    return COR_OK;
}

enum cor_status system_layer__reward_init(struct system_layer__reward *reward, const char *text,
                                          const char *place, const struct cor_scope *scope,
                                          struct cor_error *error) {
    *reward = (struct system_layer__reward){.kind = SYSTEM_LAYER__SOLVED};
    if (!text || strcmp(text, words[0]) == 0)
        return COR_OK;
    if (strcmp(text, words[1]) == 0) {
        reward->kind = SYSTEM_LAYER__NEW_STATE;
        return COR_OK;
    }
    return read_condition(reward, text, place, scope, error);
}

void system_layer__reward_fini(struct system_layer__reward *reward) {
    cor_expression_fini(&reward->condition);
    system_layer__table_fini(&reward->known);
    *reward = (struct system_layer__reward){0};
}

/* Whether the state was not known; it is from now on. */
static enum cor_status note_state(struct system_layer__reward *reward, uint64_t state, bool *is_new,
                                  struct cor_error *error) {
    const size_t before = reward->known.count;
    uint32_t index;
    COR_TRY(system_layer__table_at(&reward->known, state, "", &index, error));
    *is_new = reward->known.count > before;
    return COR_OK;
}

enum cor_status system_layer__reward_forget(struct system_layer__reward *reward,
                                            const struct system_layer__value *values, size_t count,
                                            struct cor_error *error) {
    bool is_new;
    system_layer__table_clear(&reward->known);
    for (size_t v = 0; reward->kind == SYSTEM_LAYER__NEW_STATE && v < count; v++)
        COR_TRY(note_state(reward, values[v].state, &is_new, error));
    return COR_OK;
}

/* From 0 to 1, where it holds; 0 where it is unknown. */
static double nearness(const struct system_layer__reward *reward, const struct cor_beliefs *beliefs) {
    const uint64_t degree =
        cor_expression_degree_in(&reward->condition, cor_beliefs_values(beliefs), cor_beliefs_world(beliefs));
    return degree == COR_DEGREE_INFINITE ? 0 : 1 / (1 + (double)degree);
}

enum cor_status system_layer__reward_before(struct system_layer__reward *reward,
                                            const struct cor_beliefs *beliefs, uint64_t state,
                                            struct cor_error *error) {
    bool is_new;
    if (reward->kind == SYSTEM_LAYER__NEARER) {
        reward->paid = nearness(reward, beliefs);
        reward->has_paid = true;
    }
    return reward->kind == SYSTEM_LAYER__NEW_STATE ? note_state(reward, state, &is_new, error) : COR_OK;
}

enum cor_status system_layer__reward_after(struct system_layer__reward *reward,
                                           const struct cor_beliefs *beliefs, uint64_t state, double discount,
                                           bool is_solved, bool is_end, double *number,
                                           struct cor_error *error) {
    bool is_new = false;
    *number = is_solved ? 1 : 0;
    if (reward->kind == SYSTEM_LAYER__NEW_STATE) {
        COR_TRY(note_state(reward, state, &is_new, error));
        *number += is_new;
    }
    if (reward->kind == SYSTEM_LAYER__NEARER) {
        /* Several turns between two choices add up to discount * N' - N. */
        const double now = is_end ? 0 : discount * nearness(reward, beliefs);
        *number += reward->has_paid ? now - reward->paid : 0;
        reward->paid = now;
        reward->has_paid = true;
    }
    return COR_OK;
}
