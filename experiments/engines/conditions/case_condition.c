/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A condition is kept as a tree of and, or and not over parts that are judged each by itself: what states
 * have to do with a condition can then be asked apart from how the system reacts. */
#include "internal.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct building {
    const struct cor_vocabulary *vocabulary;
    const struct cor_expression *whole;
    const char *place;
    struct cor_case_condition *condition;
    size_t capacity;
};

static enum cor_status add_part(struct cor_case_condition *condition, size_t *capacity,
                                struct cor_case_condition_part part, uint32_t *index,
                                struct cor_error *error) {
    COR_TRY(COR_RESERVE(&condition->parts, capacity, condition->part_count + 1, error));
    *index = condition->part_count++;
    condition->parts[*index] = part;
    return COR_OK;
}

/* What the nodes below `root` read; `needed` marks them. */
static void note_reads(const struct building *b, const bool *needed, uint32_t root,
                       struct cor_case_condition_part *part) {
    const struct cor_vocabulary *v = b->vocabulary;
    for (uint32_t i = 0; i <= root; i++) {
        const struct cor_node *node = &b->whole->nodes[i];
        if (!needed[i] || node->operator!= COR_OPERATOR_VARIABLE)
            continue;
        if (node->variable < 2 * v->environment_count)
            part->environments |= UINT64_C(1) << node->variable % v->environment_count;
        part->reads_before = part->reads_before || (node->variable >= v->environment_count &&
                                                    node->variable < 2 * v->environment_count);
        part->reads_reaction = part->reads_reaction || node->variable >= v->first_reaction;
    }
}

/* The environment word that a comparison of an environment names; NULL if it is none. */
static const struct cor_node *compared_word(const struct building *b, const struct cor_node *node,
                                            const struct cor_node **variable) {
    const struct cor_node *left = &b->whole->nodes[node->left], *right = &b->whole->nodes[node->right];
    if (node->operator!= COR_OPERATOR_EQUAL && node->operator!= COR_OPERATOR_NOT_EQUAL)
        return NULL;
    if (left->operator== COR_OPERATOR_CONSTANT) {
        const struct cor_node *other = left;
        left = right;
        right = other;
    }
    *variable = left;
    return left->operator== COR_OPERATOR_VARIABLE && right->operator== COR_OPERATOR_CONSTANT &&
               left->variable<2 * b->vocabulary->environment_count && right->constant >= 0
               ? right
               : NULL;
}

static uint32_t index_of_word(const struct conditions__environment *environment, int64_t word) {
    uint32_t at = 0;
    while (at < environment->word_count && (int64_t)environment->words[at] != word)
        at++;
    COR_ASSERT(at < environment->word_count); /* the parser has seen to it */
    return at;
}

/* A word for several states equals none of them, so where it cannot be taken for these it is refused. */
static enum cor_status refuse_classes(const struct building *b, const bool *needed, uint32_t root,
                                      struct cor_error *error) {
    for (uint32_t i = 0; i <= root; i++) {
        const struct cor_node *variable,
            *word = needed[i] ? compared_word(b, &b->whole->nodes[i], &variable) : NULL;
        if (!word)
            continue;
        const struct conditions__environment *environment =
            &b->vocabulary->environments[variable->variable % b->vocabulary->environment_count];
        if (index_of_word(environment, word->constant) >= environment->state_count)
            return cor_fail(
                error, COR_STATUS_INPUT, b->place, "join it by and, or and not alone",
                "'%s' stands for several states, and cannot be part of a comparison of conditions",
                cor_words_text(&b->vocabulary->words, (uint32_t)word->constant));
    }
    return COR_OK;
}

/* The nodes below `root` as an expression of their own. */
static enum cor_status cut_out(const struct building *b, uint32_t root, struct cor_case_condition_part *part,
                               struct cor_error *error) {
    enum cor_status status = COR_OK;
    bool *needed = cor_calloc(root + 1, sizeof *needed);
    uint32_t *moved = cor_calloc(root + 1, sizeof *moved), count = 0;
    COR_TRY_OUT(needed && moved ? COR_OK : cor_fail_memory(error));
    needed[root] = true;
    for (uint32_t i = root + 1; i-- > 0;) {
        const struct cor_node *node = &b->whole->nodes[i];
        if (!needed[i] || node->operator== COR_OPERATOR_CONSTANT || node->operator== COR_OPERATOR_VARIABLE)
            continue;
        const bool unary = node->operator== COR_OPERATOR_NEGATE || node->operator== COR_OPERATOR_ABS ||
                           node->
                           operator== COR_OPERATOR_NOT || node->
                           operator== COR_OPERATOR_TO_REAL;
        needed[node->left] = true;
        if (!unary)
            needed[node->right] = true;
    }
    COR_TRY_OUT(refuse_classes(b, needed, root, error));
    part->comparison.nodes = cor_calloc(root + 1, sizeof *part->comparison.nodes);
    COR_TRY_OUT(cor_made(part->comparison.nodes, error));
    for (uint32_t i = 0; i <= root; i++) {
        struct cor_node node = b->whole->nodes[i];
        if (!needed[i])
            continue;
        if (node.operator!= COR_OPERATOR_CONSTANT && node.operator!= COR_OPERATOR_VARIABLE) {
            node.left = moved[node.left];
            node.right = node.right <= i ? moved[node.right] : 0;
        }
        moved[i] = count;
        part->comparison.nodes[count++] = node;
    }
    part->comparison.node_count = count;
    part->comparison.is_constraint = true;
    part->comparison.result = b->whole->result;
    note_reads(b, needed, root, part);
out:
    free(needed);
    free(moved);
    return status;
}

static enum cor_status build_leaf(struct building *b, uint32_t node, uint32_t *index,
                                  struct cor_error *error) {
    const struct cor_vocabulary *v = b->vocabulary;
    struct cor_case_condition_part part = {.kind = COR_CONDITION_COMPARISON};
    const struct cor_node *variable, *word = compared_word(b, &b->whole->nodes[node], &variable);
    if (word) {
        const uint32_t e = variable->variable % v->environment_count;
        const uint64_t set = v->environments[e].sets[index_of_word(&v->environments[e], word->constant)];
        if (set == 0)
            return cor_fail(error, COR_STATUS_INPUT, b->place, "name the states instead",
                            "types of agents mean different states of \"%s\" by '%s'", v->names[e],
                            cor_words_text(&v->words, (uint32_t)word->constant));
        part = (struct cor_case_condition_part){
            .kind = COR_CONDITION_STATES,
            .environment = e,
            .is_before = variable->variable >= v->environment_count,
            .states = b->whole->nodes[node].operator== COR_OPERATOR_EQUAL ? set : ~set,
            .environments = UINT64_C(1) << e,
            .reads_before = variable->variable >= v->environment_count,
        };
    } else {
        enum cor_status status = cut_out(b, node, &part, error);
        if (status != COR_OK) {
            cor_expression_fini(&part.comparison);
            return status;
        }
    }
    enum cor_status status = add_part(b->condition, &b->capacity, part, index, error);
    if (status != COR_OK)
        cor_expression_fini(&part.comparison);
    return status;
}

static void join_reads(struct cor_case_condition *condition, struct cor_case_condition_part *part,
                       uint32_t child) {
    part->environments |= condition->parts[child].environments;
    part->reads_before = part->reads_before || condition->parts[child].reads_before;
    part->reads_reaction = part->reads_reaction || condition->parts[child].reads_reaction;
}

/* Conditions are at most 200 deep: the parser's limit. */
static enum cor_status build(struct building *b, uint32_t node, uint32_t *index, struct cor_error *error) {
    const struct cor_node *it = &b->whole->nodes[node];
    struct cor_case_condition_part part = {.kind = it->operator== COR_OPERATOR_AND  ? COR_CONDITION_AND
                                                   : it->operator== COR_OPERATOR_OR ? COR_CONDITION_OR
                                                                                    : COR_CONDITION_NOT };
    if (it->operator!= COR_OPERATOR_AND && it->operator!= COR_OPERATOR_OR && it->operator!= COR_OPERATOR_NOT)
        return build_leaf(b, node, index, error);
    COR_TRY(build(b, it->left, &part.left, error));
    join_reads(b->condition, &part, part.left);
    if (it->operator!= COR_OPERATOR_NOT) {
        COR_TRY(build(b, it->right, &part.right, error));
        join_reads(b->condition, &part, part.right);
    }
    return add_part(b->condition, &b->capacity, part, index, error);
}

static void count_conjuncts(const struct cor_case_condition *condition, uint32_t part, uint32_t *found,
                            uint32_t *count) {
    const struct cor_case_condition_part *it = &condition->parts[part];
    if (it->kind == COR_CONDITION_AND) {
        count_conjuncts(condition, it->left, found, count);
        count_conjuncts(condition, it->right, found, count);
        return;
    }
    found[(*count)++] = part;
}

static enum cor_status find_conjuncts(struct cor_case_condition *condition, struct cor_error *error) {
    free(condition->conjuncts);
    condition->conjunct_count = 0;
    condition->conjuncts = cor_calloc(condition->part_count, sizeof *condition->conjuncts);
    COR_TRY(cor_made(condition->conjuncts, error));
    count_conjuncts(condition, condition->part_count - 1, condition->conjuncts, &condition->conjunct_count);
    return COR_OK;
}

enum cor_status cor_case_number_parse(const char *text, const struct cor_vocabulary *vocabulary,
                                      const char *place, struct cor_expression *number,
                                      struct cor_error *error) {
    static const struct cor_domain real = {COR_VALUE_TYPE_REAL, "float", NULL, 0};
    struct cor_words words;
    cor_words_init(&words);
    const struct cor_scope scope = {vocabulary->symbols, vocabulary->symbol_count, NULL, &words};
    const enum cor_status status = cor_expression_parse_value(text, &scope, &real, place, number, error);
    cor_words_fini(&words);
    return status;
}

double cor_case_number(const struct cor_expression *number, const struct cor_facts *facts) {
    struct cor_value value;
    if (!cor_expression_evaluate(number, facts->values, &value))
        return NAN;
    return value.kind == COR_VALUE_REAL ? value.as.real : (double)value.as.integer;
}

enum cor_status cor_case_condition_parse(const char *text, const struct cor_vocabulary *vocabulary,
                                         const char *place, struct cor_case_condition *condition,
                                         struct cor_error *error) {
    struct cor_words words; /* what the text alone has is compared with a name, so it is the name's */
    struct cor_expression whole;
    uint32_t root;
    *condition = (struct cor_case_condition){0};
    cor_words_init(&words);
    enum cor_status status = COR_OK;
    for (uint32_t w = 0; w < vocabulary->words.count && status == COR_OK; w++) {
        uint32_t same;
        status = cor_words_intern(&words, cor_words_text(&vocabulary->words, w), &same, error);
    }
    const struct cor_scope scope = {vocabulary->symbols, vocabulary->symbol_count, NULL, &words};
    if (status == COR_OK)
        status = cor_expression_parse_condition(text, &scope, place, &whole, error);
    if (status != COR_OK) {
        cor_words_fini(&words);
        return status;
    }
    struct building building = {vocabulary, &whole, place, condition, 0};
    condition->text = cor_strdup(whole.text);
    COR_TRY_OUT(cor_made(condition->text, error));
    COR_TRY_OUT(build(&building, whole.node_count - 1, &root, error));
    COR_TRY_OUT(find_conjuncts(condition, error));
out:
    cor_expression_fini(&whole);
    cor_words_fini(&words);
    if (status != COR_OK)
        cor_case_condition_fini(condition);
    return status;
}

static struct cor_case_condition_part state_part(uint32_t environment, bool is_before, uint8_t state) {
    return (struct cor_case_condition_part){.kind = COR_CONDITION_STATES,
                                            .environment = environment,
                                            .is_before = is_before,
                                            .states = UINT64_C(1) << state,
                                            .environments = UINT64_C(1) << environment,
                                            .reads_before = is_before};
}

enum cor_status cor_case_condition_arc(const struct cor_vocabulary *vocabulary, uint32_t environment,
                                       uint8_t from, uint8_t to, struct cor_case_condition *condition,
                                       struct cor_error *error) {
    const struct conditions__environment *it = &vocabulary->environments[environment];
    const char *name = vocabulary->names[environment];
    size_t capacity = 0;
    uint32_t index;
    enum cor_status status = COR_OK;
    *condition = (struct cor_case_condition){0};
    condition->text = cor_format("before.%s = '%s' and %s = '%s'", name,
                                 cor_words_text(&vocabulary->words, it->words[from]), name,
                                 cor_words_text(&vocabulary->words, it->words[to]));
    COR_TRY_OUT(cor_made(condition->text, error));
    COR_TRY_OUT(add_part(condition, &capacity, state_part(environment, true, from), &index, error));
    COR_TRY_OUT(add_part(condition, &capacity, state_part(environment, false, to), &index, error));
    struct cor_case_condition_part both = {.kind = COR_CONDITION_AND, .left = 0, .right = 1};
    join_reads(condition, &both, 0);
    join_reads(condition, &both, 1);
    COR_TRY_OUT(add_part(condition, &capacity, both, &index, error));
    COR_TRY_OUT(find_conjuncts(condition, error));
out:
    if (status != COR_OK)
        cor_case_condition_fini(condition);
    return status;
}

enum cor_status cor_case_condition_and_take(struct cor_case_condition *condition,
                                            struct cor_case_condition *other, struct cor_error *error) {
    const uint32_t left = condition->part_count, right = other->part_count;
    size_t capacity = left;
    uint32_t index;
    COR_TRY(COR_RESERVE(&condition->parts, &capacity, left + right + 1, error));
    char *text = cor_format("%s and (%s)", condition->text, other->text);
    COR_TRY(cor_made(text, error));
    free(condition->text);
    condition->text = text;
    for (uint32_t i = 0; i < right; i++) {
        struct cor_case_condition_part part = other->parts[i];
        part.left += left;
        part.right += left;
        condition->parts[condition->part_count++] = part;
        other->parts[i].comparison = (struct cor_expression){0};
    }
    cor_case_condition_fini(other);
    struct cor_case_condition_part both = {
        .kind = COR_CONDITION_AND, .left = left - 1, .right = left + right - 1};
    join_reads(condition, &both, both.left);
    join_reads(condition, &both, both.right);
    COR_TRY(add_part(condition, &capacity, both, &index, error));
    return find_conjuncts(condition, error);
}

void cor_case_condition_fini(struct cor_case_condition *condition) {
    for (uint32_t i = 0; i < condition->part_count; i++)
        cor_expression_fini(&condition->parts[i].comparison);
    free(condition->text);
    free(condition->parts);
    free(condition->conjuncts);
    *condition = (struct cor_case_condition){0};
}

const struct cor_case_condition_part *cor_case_condition_root(const struct cor_case_condition *condition) {
    return &condition->parts[condition->part_count - 1];
}

enum truth { NO, YES, UNDEFINED };

static bool is_in_states(const struct cor_case_condition_part *part, const struct cor_facts *facts) {
    const uint8_t *states = part->is_before ? facts->before : facts->now;
    return part->states >> states[part->environment] & 1;
}

static enum truth judge(const struct cor_case_condition *condition, uint32_t part,
                        const struct cor_facts *facts) {
    const struct cor_case_condition_part *it = &condition->parts[part];
    struct cor_value value;
    if (it->kind == COR_CONDITION_STATES)
        return is_in_states(it, facts) ? YES : NO;
    if (it->kind == COR_CONDITION_COMPARISON)
        return !cor_expression_evaluate(&it->comparison, facts->values, &value) ? UNDEFINED
               : value.as.integer != 0                                          ? YES
                                                                                : NO;
    const enum truth left = judge(condition, it->left, facts);
    if (it->kind == COR_CONDITION_NOT)
        return left == UNDEFINED ? UNDEFINED : left == YES ? NO : YES;
    const enum truth right = judge(condition, it->right, facts);
    if (left == UNDEFINED || right == UNDEFINED)
        return UNDEFINED;
    return it->kind == COR_CONDITION_AND ? (left == YES && right == YES ? YES : NO)
                                         : (left == YES || right == YES ? YES : NO);
}

bool cor_case_condition_reads_parameter(const struct cor_case_condition *condition,
                                        const struct cor_vocabulary *vocabulary, uint32_t parameter) {
    for (uint32_t i = 0; i < condition->part_count; i++) {
        const struct cor_case_condition_part *part = &condition->parts[i];
        if (part->kind == COR_CONDITION_COMPARISON &&
            cor_expression_reads(&part->comparison, vocabulary->first_parameter + parameter))
            return true;
    }
    return false;
}

bool cor_case_condition_holds(const struct cor_case_condition *condition, const struct cor_facts *facts) {
    return judge(condition, condition->part_count - 1, facts) == YES;
}

/* What a part can be, for some reaction: bit 0 false, bit 1 true, none of both: it is undefined. */
static unsigned can_be(const struct cor_case_condition *condition, uint32_t part,
                       const struct cor_facts *facts) {
    const struct cor_case_condition_part *it = &condition->parts[part];
    if (it->kind == COR_CONDITION_COMPARISON && it->reads_reaction)
        return 3;
    if (it->kind == COR_CONDITION_STATES || it->kind == COR_CONDITION_COMPARISON) {
        const enum truth truth = judge(condition, part, facts);
        return truth == UNDEFINED ? 0 : truth == YES ? 2 : 1;
    }
    const unsigned left = can_be(condition, it->left, facts);
    if (it->kind == COR_CONDITION_NOT)
        return (left & 1) << 1 | left >> 1;
    const unsigned right = can_be(condition, it->right, facts);
    if (!left || !right)
        return 0;
    return it->kind == COR_CONDITION_AND ? (left & right & 2) | ((left | right) & 1)
                                         : (left & right & 1) | ((left | right) & 2);
}

bool cor_case_condition_may_hold(const struct cor_case_condition *condition, uint32_t part,
                                 const struct cor_facts *facts) {
    return can_be(condition, part, facts) & 2;
}
