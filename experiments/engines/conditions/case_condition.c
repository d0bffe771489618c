/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symbols in this order: environments now, environments before, parameters, reactions, cells of probes. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/case_condition.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATES_OF_DRAWN COR_PROFILE_STATES_MAX

static const struct cor_domain boolean = {COR_VALUE_TYPE_BOOLEAN, "bool", NULL, 0};
static const struct cor_domain integer = {COR_VALUE_TYPE_INTEGER, "int", NULL, 0};
static const struct cor_domain real_domain = {COR_VALUE_TYPE_REAL, "float", NULL, 0};

/* In the order of cor_facts_set_reaction. */
static const struct cor_symbol reactions[] = {{"alarm", &boolean},      {"reorganized", &boolean},
                                              {"failed", &boolean},     {"dissimilarity", &real_domain},
                                              {"partitions", &integer}, {"smallest", &integer},
                                              {"largest", &integer},    {"reached", &integer},
                                              {"held", &integer},       {"activated", &integer}};
enum { REACTIONS = sizeof reactions / sizeof *reactions };

void cor_vocabulary_destroy(struct cor_vocabulary *vocabulary) {
    if (!vocabulary)
        return;
    for (uint32_t i = 0; vocabulary->names && i < vocabulary->symbol_count; i++)
        free(vocabulary->names[i]);
    for (uint32_t e = 0; vocabulary->environments && e < vocabulary->environment_count; e++) {
        free(vocabulary->environments[e].words);
        free(vocabulary->environments[e].sets);
    }
    free(vocabulary->names);
    free(vocabulary->environments);
    free(vocabulary->symbols);
    cor_words_fini(&vocabulary->words);
    free(vocabulary);
}

/* The words of an environment: its states, then the classes that are no state. */
static enum cor_status add_words(struct cor_vocabulary *v, const struct cor_case_condition_names *names,
                                 uint32_t e, struct cor_error *error) {
    struct conditions__environment *environment = &v->environments[e];
    const struct cor_profile *profile = names->profiles[e];
    const uint32_t states = profile ? profile->state_count : STATES_OF_DRAWN;
    environment->words = cor_calloc(states + names->class_count, sizeof *environment->words);
    environment->sets = cor_calloc(states + names->class_count, sizeof *environment->sets);
    COR_TRY(environment->words && environment->sets ? COR_OK : cor_fail_memory(error));
    for (uint32_t s = 0; s < states; s++) {
        char drawn[16];
        snprintf(drawn, sizeof drawn, "s%u", s);
        COR_TRY(
            cor_words_intern(&v->words, profile ? profile->states[s] : drawn, &environment->words[s], error));
        environment->sets[s] = UINT64_C(1) << s;
    }
    environment->state_count = environment->word_count = states;
    environment->profile = profile;
    for (uint32_t c = 0; c < names->class_count; c++) {
        uint32_t word, at = 0;
        if (names->classes[c].environment != e)
            continue;
        COR_TRY(cor_words_intern(&v->words, names->classes[c].name, &word, error));
        while (at < environment->word_count && environment->words[at] != word)
            at++;
        if (at == environment->word_count) {
            environment->words[at] = word;
            environment->sets[environment->word_count++] = names->classes[c].states;
        } else if (at >= states && environment->sets[at] != names->classes[c].states)
            environment->sets[at] = 0; /* two types mean different states by it */
    }
    environment->domain = (struct cor_domain){COR_VALUE_TYPE_ENUMERATION, "a state", environment->words,
                                              environment->word_count};
    return COR_OK;
}

static enum cor_status add_symbol(struct cor_vocabulary *v, char *name, const struct cor_domain *domain,
                                  struct cor_error *error) {
    COR_TRY(cor_made(name, error));
    v->names[v->symbol_count] = name;
    v->symbols[v->symbol_count++] = (struct cor_symbol){name, domain};
    for (uint32_t i = 0; i + 1 < v->symbol_count; i++)
        if (strcmp(v->names[i], name) == 0)
            return cor_fail(error, COR_STATUS_INPUT, NULL, "call one of them something else",
                            "\"%s\" means two things: conditions cannot speak of it", name);
    return COR_OK;
}

enum cor_status cor_vocabulary_create(const struct cor_case_condition_names *names,
                                      struct cor_vocabulary **vocabulary, struct cor_error *error) {
    *vocabulary = NULL;
    if (names->environment_count > COR_CONDITION_ENVIRONMENTS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "conditions speak of at most %d environments",
                        COR_CONDITION_ENVIRONMENTS_MAX);
    size_t most = 2 * names->environment_count + names->parameter_count + REACTIONS;
    for (uint32_t p = 0; p < names->probe_count; p++)
        most += names->bucket_counts[p];
    struct cor_vocabulary *v = *vocabulary = cor_calloc(1, sizeof *v);
    COR_TRY(cor_made(v, error));
    enum cor_status status = COR_OK;
    cor_words_init(&v->words);
    v->environment_count = names->environment_count;
    v->environments = cor_calloc(v->environment_count, sizeof *v->environments);
    v->names = cor_calloc(most, sizeof *v->names);
    v->symbols = cor_calloc(most, sizeof *v->symbols);
    COR_TRY_OUT(v->environments && v->names && v->symbols ? COR_OK : cor_fail_memory(error));
    for (uint32_t e = 0; e < v->environment_count; e++)
        COR_TRY_OUT(add_words(v, names, e, error));
    for (int before = 0; before < 2; before++)
        for (uint32_t e = 0; e < v->environment_count; e++)
            COR_TRY_OUT(add_symbol(v, cor_format("%s%s", before ? "before." : "", names->environments[e]),
                                   &v->environments[e].domain, error));
    v->first_parameter = v->symbol_count;
    for (uint32_t p = 0; p < names->parameter_count; p++)
        COR_TRY_OUT(add_symbol(v, cor_strdup(names->parameters[p]),
                               names->are_integer[p] ? &integer : &real_domain, error));
    v->first_reaction = v->symbol_count;
    for (uint32_t r = 0; r < REACTIONS && names->reactions; r++)
        COR_TRY_OUT(add_symbol(v, cor_strdup(reactions[r].name), reactions[r].domain, error));
    for (uint32_t p = 0; p < names->probe_count; p++)
        for (uint32_t b = 0; b < names->bucket_counts[p]; b++)
            COR_TRY_OUT(add_symbol(v, cor_format("%s.b%u", names->probes[p], b), &integer, error));
out:
    if (status != COR_OK) {
        cor_vocabulary_destroy(v);
        *vocabulary = NULL;
    }
    return status;
}

uint32_t cor_vocabulary_environments(const struct cor_vocabulary *vocabulary) {
    return vocabulary->environment_count;
}

enum cor_status cor_facts_init(struct cor_facts *facts, const struct cor_vocabulary *vocabulary,
                               struct cor_error *error) {
    *facts = (struct cor_facts){.vocabulary = vocabulary};
    facts->values = cor_calloc(vocabulary->symbol_count, sizeof *facts->values);
    facts->now = cor_calloc(vocabulary->environment_count, sizeof *facts->now);
    facts->before = cor_calloc(vocabulary->environment_count, sizeof *facts->before);
    if (!facts->values || !facts->now || !facts->before) {
        cor_facts_fini(facts);
        return cor_fail_memory(error);
    }
    for (uint32_t e = 0; e < vocabulary->environment_count; e++)
        cor_facts_set_states(facts, e, 0, 0);
    for (uint32_t i = 2 * vocabulary->environment_count; i < vocabulary->symbol_count; i++)
        facts->values[i] = vocabulary->symbols[i].domain == &real_domain ? cor_real(0) : cor_integer(0);
    return COR_OK;
}

void cor_facts_fini(struct cor_facts *facts) {
    free(facts->values);
    free(facts->now);
    free(facts->before);
    *facts = (struct cor_facts){0};
}

void cor_facts_set_states(struct cor_facts *facts, uint32_t environment, uint8_t before, uint8_t now) {
    const struct cor_vocabulary *v = facts->vocabulary;
    facts->now[environment] = now;
    facts->before[environment] = before;
    facts->values[environment] = cor_word(v->environments[environment].words[now]);
    facts->values[v->environment_count + environment] = cor_word(v->environments[environment].words[before]);
}

void cor_facts_set_walk(struct cor_facts *facts, const struct cor_walk *walk, uint32_t number,
                        const uint16_t *profile_of_chain, const uint16_t *environment_of_profile) {
    uint64_t seen = 0;
    for (uint32_t chain = 0; chain < walk->chain_count; chain++) {
        const uint32_t environment = environment_of_profile[profile_of_chain[chain]];
        if (environment >= facts->vocabulary->environment_count)
            continue;                   /* agents come and go by it */
        if (!(seen >> environment & 1)) /* its first chain */
            cor_facts_set_states(facts, environment, cor_walk_at(walk, number - 1)[chain],
                                 cor_walk_at(walk, number)[chain]);
        seen |= UINT64_C(1) << environment;
    }
}

void cor_facts_set_parameter(struct cor_facts *facts, uint32_t parameter, double value) {
    const uint32_t symbol = facts->vocabulary->first_parameter + parameter;
    facts->values[symbol] =
        facts->vocabulary->symbols[symbol].domain == &integer ? cor_integer((int64_t)value) : cor_real(value);
}

void cor_facts_set_reaction(struct cor_facts *facts, const struct cor_reaction *reaction) {
    const struct cor_vocabulary *v = facts->vocabulary;
    struct cor_value *value = facts->values + v->first_reaction;
    if (v->first_reaction == v->symbol_count)
        return;
    *value++ = cor_integer(reaction->alarm);
    *value++ = cor_integer(reaction->reorganized);
    *value++ = cor_integer(reaction->failed);
    *value++ = cor_real(reaction->dissimilarity);
    *value++ = cor_integer(reaction->partitions);
    *value++ = cor_integer(reaction->smallest);
    *value++ = cor_integer(reaction->largest);
    *value++ = cor_integer(reaction->reached);
    *value++ = cor_integer(reaction->held);
    *value++ = cor_integer(reaction->activated);
    for (uint32_t i = v->first_reaction + REACTIONS; i < v->symbol_count; i++, value++)
        *value = cor_integer(reaction->counted ? (int64_t)reaction->counted[i - v->first_reaction - REACTIONS]
                                               : 0);
}

/* ---- A condition is kept as a tree of and, or and not over parts that are judged each by itself: what
 * states have to do with a condition can then be asked apart from how the system reacts */

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
    /* A word for several states equals none of them, so where it cannot be taken for these it is refused. */
    for (uint32_t j = 0; j <= root; j++) {
        const struct cor_node *variable,
            *word = needed[j] ? compared_word(b, &b->whole->nodes[j], &variable) : NULL;
        if (!word)
            continue;
        const struct conditions__environment *environment =
            &b->vocabulary->environments[variable->variable % b->vocabulary->environment_count];
        if (index_of_word(environment, word->constant) >= environment->state_count)
            COR_TRY_OUT(
                cor_fail(error, COR_STATUS_INPUT, b->place, "join it by and, or and not alone",
                         "'%s' stands for several states, and cannot be part of a comparison of conditions",
                         cor_words_text(&b->vocabulary->words, (uint32_t)word->constant)));
    }
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
    /* What the nodes below `root` read; `needed` marks them. */
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

/* A number over the same names, states of environments aside: a level that a case has come to. */
static enum cor_status case_number_parse(const char *text, const struct cor_vocabulary *vocabulary,
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

/* Its value; NaN where it is undefined. */
static double case_number(const struct cor_expression *number, const struct cor_facts *facts) {
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

/* ---- level */

static enum cor_status add_condition(const char *text, const struct cor_vocabulary *vocabulary,
                                     const char *place, struct cor_level *level, struct cor_error *error) {
    if (text[strspn(text, " ")] == '\0')
        return cor_fail(error, COR_STATUS_INPUT, place, "conditions with one semicolon between them",
                        "condition %u of the level is empty", level->condition_count + 1);
    return cor_case_condition_parse(text, vocabulary, place, &level->conditions[level->condition_count++],
                                    error);
}

static enum cor_status make_room(struct cor_level *level, size_t count, struct cor_error *error) {
    level->conditions = cor_calloc(count, sizeof *level->conditions);
    return cor_made(level->conditions, error);
}

enum cor_status cor_level_parse(const char *text, const struct cor_vocabulary *vocabulary, const char *place,
                                struct cor_level *level, struct cor_error *error) {
    enum cor_status status = COR_OK;
    size_t count = 1;
    *level = (struct cor_level){.condition_count = 0};
    if (!strchr(text, ';'))
        return case_number_parse(text, vocabulary, place, &level->number, error);
    for (const char *at = text; (at = strchr(at, ';')); at++)
        count++;
    if (count > COR_LEVELS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, place, "leave some out",
                        "%zu conditions: a level has at most %d", count, COR_LEVELS_MAX);
    char *copy = cor_strdup(text), *item = copy;
    COR_TRY(cor_made(copy, error));
    COR_TRY_OUT(make_room(level, count, error));
    for (size_t i = 0; i < count; i++) {
        char *end = item + strcspn(item, ";");
        *end = '\0';
        COR_TRY_OUT(add_condition(item + strspn(item, " "), vocabulary, place, level, error));
        item = end + 1;
    }
out:
    free(copy);
    return status;
}

enum cor_status cor_level_read(const struct cor_json *json, const struct cor_vocabulary *vocabulary,
                               struct cor_level *level, struct cor_error *error) {
    const char *text;
    char place[512];
    *level = (struct cor_level){.condition_count = 0};
    cor_json_place(json, place, sizeof place);
    if (!cor_json_is_array(json)) {
        COR_TRY(cor_json_string(json, &text, error));
        return cor_level_parse(text, vocabulary, place, level, error);
    }
    COR_TRY(cor_json_expect_array(json, 1, COR_LEVELS_MAX, error));
    COR_TRY(make_room(level, cor_json_size(json), error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(cor_json_string(&item, &text, error));
        cor_json_place(&item, place, sizeof place);
        COR_TRY(add_condition(text, vocabulary, place, level, error));
    }
    return COR_OK;
}

void cor_level_fini(struct cor_level *level) {
    for (uint32_t i = 0; i < level->condition_count; i++)
        cor_case_condition_fini(&level->conditions[i]);
    free(level->conditions);
    cor_expression_fini(&level->number);
    *level = (struct cor_level){.condition_count = 0};
}

double cor_level_of(const struct cor_level *level, const struct cor_facts *facts) {
    if (level->condition_count == 0)
        return case_number(&level->number, facts);
    uint32_t at = level->condition_count;
    while (at > 0 && !cor_case_condition_holds(&level->conditions[at - 1], facts))
        at--;
    return at;
}
