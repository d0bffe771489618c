/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions on cases, and the traps of an arm that are made of them. Symbols in this order: environments
 * now, environments before, parameters, reactions, cells of probes. */
#include <corridor/array.h>
#include <corridor/case_condition.h>
#include <corridor/case_traps.h>
#include <corridor/condition_walk.h>
#include <corridor/fields.h>
#include <corridor/planning_problem.h>
#include <corridor/steering.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct environment {
    struct cor_domain domain;
    uint32_t *words; /* owned; [word] states, then classes */
    uint64_t *sets;  /* owned; [word] what it stands for; 0 = types differ in what they mean by it */
    uint32_t state_count, word_count;
    const struct cor_profile *profile; /* borrowed; NULL: drawn for each suite */
};

struct cor_vocabulary {
    uint32_t environment_count, symbol_count, first_parameter, first_reaction;
    struct environment *environments; /* owned */
    char **names;                     /* owned; [symbol] */
    struct cor_symbol *symbols;       /* owned; [symbol] */
    struct cor_words words;
};

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
        COR_FREE(vocabulary->environments[e].words, vocabulary->environments[e].sets);
    }
    COR_FREE(vocabulary->names, vocabulary->environments, vocabulary->symbols);
    cor_words_fini(&vocabulary->words);
    free(vocabulary);
}

/* The words of an environment: its states, then the classes that are no state. */
static enum cor_status add_words(struct cor_vocabulary *v, const struct cor_case_condition_names *names,
                                 uint32_t e, struct cor_error *error) {
    struct environment *environment = &v->environments[e];
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
    COR_DESTROYED(cor_vocabulary) struct cor_vocabulary *v = cor_calloc(1, sizeof *v);
    *vocabulary = NULL;
    COR_TRY(cor_made(v, error));
    cor_words_init(&v->words);
    v->environment_count = names->environment_count;
    v->environments = cor_calloc(v->environment_count, sizeof *v->environments);
    v->names = cor_calloc(most, sizeof *v->names);
    v->symbols = cor_calloc(most, sizeof *v->symbols);
    COR_TRY(v->environments && v->names && v->symbols ? COR_OK : cor_fail_memory(error));
    for (uint32_t e = 0; e < v->environment_count; e++)
        COR_TRY(add_words(v, names, e, error));
    for (int before = 0; before < 2; before++)
        for (uint32_t e = 0; e < v->environment_count; e++)
            COR_TRY(add_symbol(v, cor_format("%s%s", before ? "before." : "", names->environments[e]),
                               &v->environments[e].domain, error));
    v->first_parameter = v->symbol_count;
    for (uint32_t p = 0; p < names->parameter_count; p++)
        COR_TRY(add_symbol(v, cor_strdup(names->parameters[p]),
                           names->are_integer[p] ? &integer : &real_domain, error));
    v->first_reaction = v->symbol_count;
    for (uint32_t r = 0; r < REACTIONS && names->reactions; r++)
        COR_TRY(add_symbol(v, cor_strdup(reactions[r].name), reactions[r].domain, error));
    for (uint32_t p = 0; p < names->probe_count; p++)
        for (uint32_t b = 0; b < names->bucket_counts[p]; b++)
            COR_TRY(add_symbol(v, cor_format("%s.b%u", names->probes[p], b), &integer, error));
    *vocabulary = cor_taken(&v);
    return COR_OK;
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
    COR_FREE(facts->values, facts->now, facts->before);
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

static uint32_t index_of_word(const struct environment *environment, int64_t word) {
    uint32_t at = 0;
    while (at < environment->word_count && (int64_t)environment->words[at] != word)
        at++;
    COR_ASSERT(at < environment->word_count); /* the parser has seen to it */
    return at;
}

/* The nodes below `root` as an expression of their own. */
static enum cor_status cut_out(const struct building *b, uint32_t root, struct cor_case_condition_part *part,
                               struct cor_error *error) {
    COR_FREED bool *needed = cor_calloc(root + 1, sizeof *needed);
    COR_FREED uint32_t *moved = cor_calloc(root + 1, sizeof *moved);
    uint32_t count = 0;
    COR_TRY(needed && moved ? COR_OK : cor_fail_memory(error));
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
        const struct environment *environment =
            &b->vocabulary->environments[variable->variable % b->vocabulary->environment_count];
        if (index_of_word(environment, word->constant) >= environment->state_count)
            COR_TRY(
                cor_fail(error, COR_STATUS_INPUT, b->place, "join it by and, or and not alone",
                         "'%s' stands for several states, and cannot be part of a comparison of conditions",
                         cor_words_text(&b->vocabulary->words, (uint32_t)word->constant)));
    }
    part->comparison.nodes = cor_calloc(root + 1, sizeof *part->comparison.nodes);
    COR_TRY(cor_made(part->comparison.nodes, error));
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
    return COR_OK;
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
    COR_TRY_OUT(cor_made(condition->text = cor_strdup(whole.text), error));
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
    const struct environment *it = &vocabulary->environments[environment];
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
    COR_FREE(condition->text, condition->parts, condition->conjuncts);
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
    size_t count = 1;
    *level = (struct cor_level){.condition_count = 0};
    if (!strchr(text, ';'))
        return case_number_parse(text, vocabulary, place, &level->number, error);
    for (const char *at = text; (at = strchr(at, ';')); at++)
        count++;
    if (count > COR_LEVELS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, place, "leave some out",
                        "%zu conditions: a level has at most %d", count, COR_LEVELS_MAX);
    COR_FREED char *copy = cor_strdup(text);
    char *item = copy;
    COR_TRY(cor_made(copy, error));
    COR_TRY(make_room(level, count, error));
    for (size_t i = 0; i < count; i++) {
        char *end = item + strcspn(item, ";");
        *end = '\0';
        COR_TRY(add_condition(item + strspn(item, " "), vocabulary, place, level, error));
        item = end + 1;
    }
    return COR_OK;
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
    COR_JSON_CHILDREN(item, json) {
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

/* Arcs of all chains together, UINT64_MAX where they are very many. */
static uint64_t arcs_of(uint32_t chain_count, const struct cor_profile *const *profiles) {
    uint64_t arcs = 1;
    for (uint32_t c = 0; c < chain_count; c++) {
        arcs *= cor_profile_arcs(profiles[c]);
        if (arcs > COR_JOINT_ARCS_MAX)
            return UINT64_MAX;
    }
    return arcs;
}

uint8_t cor_joint_part(const struct cor_joint *joint, uint32_t state, uint32_t chain) {
    for (uint32_t c = 0; c < chain; c++)
        state /= joint->profiles[c]->state_count;
    return (uint8_t)(state % joint->profiles[chain]->state_count);
}

uint32_t cor_joint_state(const struct cor_joint *joint, const uint8_t *states) {
    uint32_t state = 0;
    for (uint32_t c = joint->chain_count; c-- > 0;)
        state = state * joint->profiles[c]->state_count + states[c];
    return state;
}

/* Adds the arcs of the chains below `chain_count` from `state`, to states that are `to` in those above. */
static void add_arcs(struct cor_joint *joint, uint32_t state, uint32_t chain_count, uint32_t to,
                     double probability, uint32_t *arc) {
    if (chain_count == 0) {
        joint->next[*arc] = to;
        joint->probability[(*arc)++] = probability;
        return;
    }
    const struct cor_profile *profile = joint->profiles[chain_count - 1];
    const double *row =
        profile->probability + (size_t)cor_joint_part(joint, state, chain_count - 1) * profile->state_count;
    for (uint32_t s = 0; s < profile->state_count; s++)
        if (row[s] > 0)
            add_arcs(joint, state, chain_count - 1, to * profile->state_count + s, probability * row[s], arc);
}

enum cor_status cor_joint_create(uint32_t chain_count, const uint32_t *environments,
                                 const struct cor_profile *const *profiles, struct cor_joint **joint,
                                 struct cor_error *error) {
    *joint = NULL;
    const uint64_t arcs = arcs_of(chain_count, profiles);
    if (arcs > COR_JOINT_ARCS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "speak of fewer environments, or of smaller ones",
                        "the environments spoken of have more than %d transitions together",
                        COR_JOINT_ARCS_MAX);
    struct cor_joint *j = *joint = cor_calloc(1, sizeof *j);
    COR_TRY(cor_made(j, error));
    j->chain_count = chain_count;
    j->state_count = 1;
    for (uint32_t c = 0; c < chain_count; c++)
        j->state_count *= profiles[c]->state_count;
    j->profiles = cor_calloc(chain_count, sizeof(struct cor_profile *));
    j->environments = cor_calloc(chain_count, sizeof *j->environments);
    j->first = cor_calloc(j->state_count + 1, sizeof *j->first);
    j->start = cor_calloc(j->state_count, sizeof *j->start);
    j->next = cor_calloc((size_t)arcs, sizeof *j->next);
    j->probability = cor_calloc((size_t)arcs, sizeof *j->probability);
    if (!j->profiles || !j->environments || !j->first || !j->start || !j->next || !j->probability) {
        cor_joint_destroy(j);
        *joint = NULL;
        return cor_fail_memory(error);
    }
    for (uint32_t c = 0; c < chain_count; c++) {
        j->profiles[c] = profiles[c];
        j->environments[c] = environments[c];
    }
    uint32_t arc = 0;
    for (uint32_t x = 0; x < j->state_count; x++) {
        j->first[x] = arc;
        add_arcs(j, x, j->chain_count, 0, 1, &arc);
        j->start[x] = 1;
        for (uint32_t c = 0; c < j->chain_count; c++)
            j->start[x] *= j->profiles[c]->start[cor_joint_part(j, x, c)];
    }
    j->first[j->state_count] = arc;
    return COR_OK;
}

void cor_joint_destroy(struct cor_joint *joint) {
    if (!joint)
        return;
    COR_FREE(joint->profiles, joint->environments, joint->first, joint->next, joint->probability,
             joint->start, joint);
}

/* Of the chain's own arcs, those on which a conjunct that reads it alone may hold: [from] bits `to`. */
static void restrict_chain(const struct cor_joint *joint, uint32_t chain,
                           const struct cor_case_condition *condition, struct cor_facts *facts,
                           uint64_t *allowed) {
    const uint32_t states = joint->profiles[chain]->state_count, environment = joint->environments[chain];
    for (uint32_t i = 0; i < condition->conjunct_count; i++) {
        const uint32_t part = condition->conjuncts[i];
        if (condition->parts[part].environments != UINT64_C(1) << environment)
            continue;
        for (uint32_t from = 0; from < states; from++)
            for (uint32_t to = 0; to < states; to++) {
                if (!(allowed[from] >> to & 1))
                    continue;
                cor_facts_set_states(facts, environment, (uint8_t)from, (uint8_t)to);
                if (!cor_case_condition_may_hold(condition, part, facts))
                    allowed[from] &= ~(UINT64_C(1) << to);
            }
    }
}

/* Whether the conjuncts that read several of these chains, or none, may hold on an arc. */
static bool rest_may_hold(const struct cor_case_condition *condition, uint64_t known,
                          const struct cor_facts *facts) {
    for (uint32_t i = 0; i < condition->conjunct_count; i++) {
        const uint64_t read = condition->parts[condition->conjuncts[i]].environments;
        if ((read & (read - 1)) == 0 && read != 0) /* one alone: done */
            continue;
        if (!(read & ~known) && !cor_case_condition_may_hold(condition, condition->conjuncts[i], facts))
            return false;
    }
    return true;
}

void cor_joint_hits(const struct cor_joint *joint, const struct cor_case_condition *condition,
                    struct cor_facts *facts, uint8_t *hit) {
    uint64_t allowed[COR_CONDITION_ENVIRONMENTS_MAX][COR_PROFILE_STATES_MAX], known = 0;
    for (uint32_t c = 0; c < joint->chain_count; c++) {
        memset(allowed[c], 0xff, sizeof allowed[c]);
        restrict_chain(joint, c, condition, facts, allowed[c]);
        known |= UINT64_C(1) << joint->environments[c];
    }
    for (uint32_t x = 0; x < joint->state_count; x++)
        for (uint32_t arc = joint->first[x]; arc < joint->first[x + 1]; arc++) {
            bool may = true;
            for (uint32_t c = 0; c < joint->chain_count && may; c++)
                may =
                    allowed[c][cor_joint_part(joint, x, c)] >> cor_joint_part(joint, joint->next[arc], c) & 1;
            for (uint32_t c = 0; c < joint->chain_count && may; c++)
                cor_facts_set_states(facts, joint->environments[c], cor_joint_part(joint, x, c),
                                     cor_joint_part(joint, joint->next[arc], c));
            hit[arc] = may && rest_may_hold(condition, known, facts);
        }
}

/* ---- case traps */

void cor_case_traps_destroy(struct cor_case_traps *traps) {
    if (!traps)
        return;
    for (uint32_t t = 0; t < traps->count; t++) {
        free(traps->traps[t].name);
        cor_case_condition_fini(&traps->traps[t].condition);
    }
    COR_FREE(traps->traps, traps->after);
    cor_vocabulary_destroy(traps->vocabulary);
    free(traps);
}

/* What somebody said of a text, at the value that holds it. */
static enum cor_status parse_at(const struct cor_json *json, const struct cor_vocabulary *vocabulary,
                                struct cor_case_condition *condition, struct cor_error *error) {
    char place[512];
    const char *text;
    COR_TRY(cor_json_string(json, &text, error));
    cor_json_place(json, place, sizeof place);
    return cor_case_condition_parse(text, vocabulary, place, condition, error);
}

/* Adds a trap; takes the condition. A name of NULL: the text of it. */
static enum cor_status add_trap(struct cor_case_traps *traps, const struct cor_json *json, const char *name,
                                struct cor_case_condition *condition, struct cor_error *error) {
    enum cor_status status = COR_OK;
    if (traps->count == COR_CASE_TRAPS_MAX)
        COR_TRY_OUT(cor_json_fail(json, error, NULL, "more than %d traps", COR_CASE_TRAPS_MAX));
    COR_TRY_OUT(COR_RESERVE(&traps->traps, &traps->capacity, traps->count + 1, error));
    struct cor_case_trap trap = {cor_strdup(name ? name : condition->text), *condition};
    COR_TRY_OUT(cor_made(trap.name, error));
    traps->traps[traps->count++] = trap;
    traps->environments |= cor_case_condition_root(condition)->environments;
    *condition = (struct cor_case_condition){0};
    for (uint32_t t = 0; t + 1 < traps->count; t++)
        if (strcmp(traps->traps[t].name, trap.name) == 0)
            COR_TRY_OUT(cor_json_fail(json, error, "give one of them a \"name\" of its own",
                                      "two traps are called \"%s\"", trap.name));
out:
    cor_case_condition_fini(condition);
    return status;
}

static enum cor_status read_condition(const struct cor_json *json, const struct cor_json *name,
                                      struct cor_case_traps *traps, struct cor_error *error) {
    struct cor_case_condition condition;
    const char *word = NULL;
    if (name)
        COR_TRY(cor_json_string(name, &word, error));
    COR_TRY(parse_at(json, traps->vocabulary, &condition, error));
    return add_trap(traps, json, word, &condition, error);
}

/* An arc of the environment's profile, beside which the condition holds (NULL: any). */
static enum cor_status add_arc(const struct cor_json *json, struct cor_case_traps *traps,
                               uint32_t environment, uint8_t from, uint8_t to, const struct cor_json *with,
                               struct cor_error *error) {
    struct cor_case_condition arc, beside;
    COR_TRY(cor_case_condition_arc(traps->vocabulary, environment, from, to, &arc, error));
    enum cor_status status = with ? parse_at(with, traps->vocabulary, &beside, error) : COR_OK;
    if (status == COR_OK && with) {
        status = cor_case_condition_and_take(&arc, &beside, error);
        if (status != COR_OK)
            cor_case_condition_fini(&beside);
    }
    if (status != COR_OK) {
        cor_case_condition_fini(&arc);
        return status;
    }
    return add_trap(traps, json, NULL, &arc, error);
}

/* {"arcs": ENVIRONMENT, "with": [CONDITION, ..]}: every arc of its profile, beside every condition. */
static enum cor_status read_arcs(const struct cor_json *json, const struct cor_json *arcs,
                                 struct cor_case_traps *traps, struct cor_error *error) {
    static const char *const keys[] = {"arcs", "with", NULL};
    const struct cor_vocabulary *v = traps->vocabulary;
    const char *names[COR_CONDITION_ENVIRONMENTS_MAX + 1] = {NULL};
    struct cor_json with;
    int environment;
    COR_TRY(cor_json_expect_object(json, keys, error));
    for (uint32_t e = 0; e < v->environment_count; e++)
        names[e] = v->names[e];
    COR_TRY(cor_json_one_of(arcs, names, "environment", &environment, error));
    const struct cor_profile *profile = v->environments[environment].profile;
    if (!profile)
        return cor_json_fail(arcs, error, "name an environment with a given profile",
                             "the profile of \"%s\" is drawn for each suite", names[environment]);
    const bool beside = cor_json_find(json, "with", &with);
    if (beside)
        COR_TRY(cor_json_expect_array(&with, 1, COR_CASE_TRAPS_MAX, error));
    for (uint32_t from = 0; from < profile->state_count; from++)
        for (uint32_t to = 0; to < profile->state_count; to++)
            for (size_t i = 0; i < (beside ? cor_json_size(&with) : 1); i++) {
                struct cor_json item = beside ? cor_json_at(&with, i) : with;
                if (profile->probability[(size_t)from * profile->state_count + to] > 0)
                    COR_TRY(add_arc(json, traps, (uint32_t)environment, (uint8_t)from, (uint8_t)to,
                                    beside ? &item : NULL, error));
            }
    return COR_OK;
}

static enum cor_status read_traps(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 1, COR_CASE_TRAPS_MAX, error));
    COR_JSON_CHILDREN(item, json) {
        static const char *const keys[] = {"name", "condition", "after", "arcs", "with", NULL};
        struct cor_json name, child;
        if (cor_json_is_string(&item)) {
            COR_TRY(read_condition(&item, NULL, into, error));
        } else {
            COR_TRY(cor_json_expect_object(&item, keys, error));
            if (cor_json_find(&item, "arcs", &child)) {
                COR_TRY(read_arcs(&item, &child, into, error));
            } else {
                COR_TRY(cor_json_need(&item, "condition", &child, error));
                COR_TRY(
                    read_condition(&child, cor_json_find(&item, "name", &name) ? &name : NULL, into, error));
            }
        }
    }
    return COR_OK;
}

static enum cor_status read_share(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_case_traps *traps = into;
    COR_TRY(cor_json_real(json, 0, 1, &traps->profile_share, error));
    if (traps->profile_share > 0 && traps->profile_share < COR_PROFILE_SHARE_MIN)
        return cor_json_fail(json, error, "0, or 0.1 to 1: no weight is then above 10",
                             "%g of the sequences are too few for weights", traps->profile_share);
    return COR_OK;
}

static const char *const walk_words[] = {"shortest", "likeliest", NULL};
static const struct cor_field fields[] = {
    {"traps", COR_REQUIRED, COR_READ_FIELD(read_traps)},
    {"ordered", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_case_traps, ordered)},
    {"profile_share", COR_OPTIONAL, COR_READ_FIELD(read_share)},
    {"walk", COR_OPTIONAL,
     COR_ONE_OF_FIELD(struct cor_case_traps, walk, walk_words, COR_TRAP_WALK_SHORTEST, "walk to a trap")},
    {0}};

enum cor_status cor_case_traps_read(const struct cor_json *json, struct cor_vocabulary *vocabulary,
                                    struct cor_case_traps **traps, struct cor_error *error) {
    COR_DESTROYED(cor_case_traps) struct cor_case_traps *made = cor_calloc(1, sizeof *made);
    *traps = NULL;
    if (!made) {
        cor_vocabulary_destroy(vocabulary);
        return cor_fail_memory(error);
    }
    made->vocabulary = vocabulary;
    COR_TRY(cor_json_fields(json, fields, made, error));
    /* What each waits for, when all are known. Traps that are written as arcs wait for nothing but the order.
     */
    struct cor_json list, after;
    made->words = cor_trap_words(made->count);
    made->after = cor_calloc((size_t)made->count * made->words, sizeof *made->after);
    COR_TRY(cor_made(made->after, error));
    for (uint32_t t = 1; t < made->count && made->ordered; t++)
        cor_trap_add(made->after + (size_t)t * made->words, t - 1);
    COR_TRY(cor_json_need(json, "traps", &list, error));
    bool has_arcs = false;
    for (size_t i = 0; i < cor_json_size(&list); i++) {
        struct cor_json item = cor_json_at(&list, i), arcs;
        has_arcs = has_arcs || cor_json_find(&item, "arcs", &arcs);
        if (!cor_json_find(&item, "after", &after))
            continue;
        if (has_arcs)
            COR_TRY(cor_json_fail(&after, error, "write it in front of those",
                                  "stands behind traps that are written as arcs"));
        /* "after": [names of traps above it]. */
        const uint32_t trap = (uint32_t)i;
        COR_TRY(cor_json_expect_array(&after, 1, COR_CASE_TRAPS_MAX, error));
        COR_JSON_CHILDREN(child, &after) {
            const char *name;
            uint32_t before = 0;
            COR_TRY(cor_json_string(&child, &name, error));
            while (before < trap && strcmp(made->traps[before].name, name) != 0)
                before++;
            if (before == trap)
                COR_TRY(cor_json_fail(&child, error, "a trap waits for traps that are written before it",
                                      "no trap before this one is called \"%s\"", name));
            cor_trap_add(made->after + (size_t)trap * made->words, before);
        }
    }
    *traps = cor_taken(&made);
    return COR_OK;
}

/* No condition of the list is empty. */
static enum cor_status check_list(const char *text, const char *place, struct cor_error *error) {
    for (uint32_t number = 1;; number++) {
        const size_t length = strcspn(text, ";");
        if (strspn(text, " ") >= length)
            return cor_fail(error, COR_STATUS_INPUT, place, "conditions with one semicolon between them",
                            "condition %u of the trap is empty", number);
        if (text[length] == '\0')
            return COR_OK;
        text += length + 1;
    }
}

/* As an arm has them. */
static enum cor_status write_traps(const char *text, double profile_share, const char *place, char **json,
                                   struct cor_error *error) {
    struct cor_json_writer *w;
    COR_TRY(check_list(text, place, error));
    char *copy = cor_strdup(text), *item = copy;
    COR_TRY(cor_made(copy, error));
    enum cor_status status = cor_json_writer_create(&w, error);
    if (status == COR_OK) {
        cor_json_open_object(w, NULL);
        cor_json_put_real(w, "profile_share", profile_share);
        cor_json_put_bool(w, "ordered", strchr(text, ';') != NULL);
        cor_json_open_array(w, "traps");
        for (bool last = false; !last;) {
            char *end = item + strcspn(item, ";");
            last = *end == '\0';
            *end = '\0';
            cor_json_put_string(w, NULL, item + strspn(item, " "));
            item = end + 1;
        }
        cor_json_close(w);
        cor_json_close(w);
        status = cor_json_text_take(w, 0, json, error);
    }
    free(copy);
    return status;
}

enum cor_status cor_case_traps_parse(const char *text, double profile_share,
                                     struct cor_vocabulary *vocabulary, const char *place,
                                     struct cor_case_traps **traps, struct cor_error *error) {
    struct cor_json_document *document;
    COR_FREED char *json = NULL;
    *traps = NULL;
    enum cor_status status = write_traps(text, profile_share, place, &json, error);
    if (status == COR_OK)
        status = cor_json_parse(json, place, &document, error);
    if (status != COR_OK) {
        cor_vocabulary_destroy(vocabulary);
        return status;
    }
    const struct cor_json root = cor_json_root(document);
    status = cor_case_traps_read(&root, vocabulary, traps, error);
    cor_json_destroy(document);
    return status;
}

/* ---- the likeliest way into each state at each case, by dynamic programming (Viterbi's), for each group of
 * environments that the condition joins; then the best case of all groups. Products are compared as
 * mantissa and exponent */

#define REMEMBERED_MAX 50000000 /* steps: states times cases */

/* Environments that are joined, and what is known of them at each case. */
struct group {
    struct cor_joint *joint;
    uint8_t *hit;                /* owned; [arc] */
    uint32_t *from;              /* owned; [case - 1][state] the state before, on the likeliest way */
    struct cor_weight *best;     /* owned; [case - 1] of the likeliest way that ends in a hit */
    uint32_t *hit_from, *hit_to; /* owned; [case - 1] its last arc */
};

static void fini_group(struct group *group) {
    cor_joint_destroy(group->joint);
    COR_FREE(group->hit, group->from, group->best, group->hit_from, group->hit_to);
    *group = (struct group){0};
}

static enum cor_status walk_group(struct group *group, uint32_t case_count, struct cor_error *error) {
    const uint32_t states = group->joint->state_count;
    if ((uint64_t)states * case_count > REMEMBERED_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "look at fewer cases",
                        "%u states of environments over %u cases are more than can be remembered", states,
                        case_count);
    COR_FREED struct cor_weight *way = cor_calloc(states, sizeof *way),
                                *next = cor_calloc(states, sizeof *next);
    group->from = cor_calloc((size_t)states * case_count, sizeof *group->from);
    group->best = cor_calloc(case_count, sizeof *group->best);
    group->hit_from = cor_calloc(case_count, sizeof *group->hit_from);
    group->hit_to = cor_calloc(case_count, sizeof *group->hit_to);
    COR_TRY(way && next && group->from && group->best && group->hit_from && group->hit_to
                ? COR_OK
                : cor_fail_memory(error));
    for (uint32_t x = 0; x < states; x++)
        way[x] = cor_weight_of(group->joint->start[x]);
    for (uint32_t at = 0; at < case_count; at++) {
        /* Takes the likeliest ways a case on. */
        const struct cor_joint *joint = group->joint;
        uint32_t *from = group->from + (size_t)at * joint->state_count;
        memset(next, 0, joint->state_count * sizeof *next);
        group->best[at] = cor_weight_of(0);
        for (uint32_t x = 0; x < joint->state_count; x++) {
            if (way[x].mantissa == 0)
                continue;
            for (uint32_t arc = joint->first[x]; arc < joint->first[x + 1]; arc++) {
                const uint32_t y = joint->next[arc];
                const struct cor_weight here =
                    cor_weight_times(way[x], cor_weight_of(joint->probability[arc]));
                if (cor_weight_less(next[y], here)) {
                    next[y] = here;
                    from[y] = x;
                }
                if (group->hit[arc] && cor_weight_less(group->best[at], here)) {
                    group->best[at] = here;
                    group->hit_from[at] = x;
                    group->hit_to[at] = y;
                }
            }
        }
        struct cor_weight *const before = way;
        way = next;
        next = before;
    }
    return COR_OK;
}

static enum cor_status make_group(const struct cor_condition_question *question, uint64_t members,
                                  struct group *group, struct cor_error *error) {
    const struct cor_profile *profiles[COR_CONDITION_ENVIRONMENTS_MAX];
    uint32_t environments[COR_CONDITION_ENVIRONMENTS_MAX], count = 0;
    for (uint32_t e = 0; e < COR_CONDITION_ENVIRONMENTS_MAX; e++)
        if (members >> e & 1) {
            environments[count] = e;
            profiles[count++] = question->profiles[e];
        }
    COR_TRY(cor_joint_create(count, environments, profiles, &group->joint, error));
    group->hit = cor_calloc(group->joint->first[group->joint->state_count], sizeof *group->hit);
    COR_TRY(cor_made(group->hit, error));
    cor_joint_hits(group->joint, question->condition, question->facts, group->hit);
    return COR_OK;
}

static void write_states(const struct group *group, uint32_t environment_count, uint32_t case_index,
                         uint32_t state, uint8_t *states) {
    for (uint32_t c = 0; c < group->joint->chain_count; c++)
        states[(size_t)case_index * environment_count + group->joint->environments[c]] =
            cor_joint_part(group->joint, state, c);
}

static enum cor_status trace(const struct group *groups, uint32_t group_count, uint32_t environment_count,
                             uint32_t case_count, struct cor_weight probability,
                             struct cor_condition_walk *walk, struct cor_error *error) {
    const size_t size = ((size_t)case_count + 1) * environment_count;
    *walk = (struct cor_condition_walk){case_count, probability, cor_calloc(size, 1)};
    COR_TRY(cor_made(walk->states, error));
    memset(walk->states, 255, size);
    for (uint32_t g = 0; g < group_count; g++) {
        const struct group *group = &groups[g];
        write_states(group, environment_count, case_count, group->hit_to[case_count - 1], walk->states);
        uint32_t state = group->hit_from[case_count - 1];
        for (uint32_t at = case_count - 1;; at--) {
            write_states(group, environment_count, at, state, walk->states);
            if (at == 0)
                break;
            state = group->from[(size_t)(at - 1) * group->joint->state_count + state];
        }
    }
    return COR_OK;
}

static enum cor_status answer_all(const struct cor_condition_question *question, uint64_t *members,
                                  struct group *groups, uint32_t group_count, struct group *all,
                                  struct cor_condition_answer *answer, struct cor_error *error) {
    for (uint32_t g = 0; g < group_count; g++) {
        COR_TRY(make_group(question, members[g], &groups[g], error));
        COR_TRY(walk_group(&groups[g], question->case_count, error));
    }
    const uint32_t environments = cor_vocabulary_environments(question->facts->vocabulary);
    struct cor_weight likeliest = cor_weight_of(0), shortest = cor_weight_of(0);
    uint32_t likeliest_case = 0, shortest_case = 0;
    for (uint32_t at = 0; at < question->case_count; at++) {
        struct cor_weight together = cor_weight_of(1);
        for (uint32_t g = 0; g < group_count; g++)
            together = cor_weight_times(together, groups[g].best[at]);
        if (cor_weight_less(likeliest, together)) {
            likeliest = together;
            likeliest_case = at + 1;
        }
        if (shortest_case == 0 && together.mantissa > 0) {
            shortest = together;
            shortest_case = at + 1;
        }
    }
    if (likeliest_case != 0) {
        COR_TRY(
            trace(groups, group_count, environments, likeliest_case, likeliest, &answer->likeliest, error));
        COR_TRY(trace(groups, group_count, environments, shortest_case, shortest, &answer->shortest, error));
    }
    const struct cor_profile *profiles[COR_CONDITION_ENVIRONMENTS_MAX];
    uint32_t count = 0;
    uint64_t together = 0;
    for (uint32_t g = 0; g < group_count; g++)
        together |= members[g];
    for (uint32_t e = 0; e < COR_CONDITION_ENVIRONMENTS_MAX; e++)
        if (together >> e & 1)
            profiles[count++] = question->profiles[e];
    /* Whether so many chains would be few enough. */
    answer->is_counted = arcs_of(count, profiles) <= COR_JOINT_ARCS_MAX;
    if (!answer->is_counted)
        return COR_OK;
    COR_TRY(make_group(question, together, all, error));
    /* The probability of each case to be the first that meets the condition: what has not met it yet is taken
     * on case by case. */
    const struct cor_joint *joint = all->joint;
    COR_FREED double *here = cor_calloc(joint->state_count, sizeof *here),
                     *next = cor_calloc(joint->state_count, sizeof *next);
    double weighted = 0;
    COR_TRY(here && next ? COR_OK : cor_fail_memory(error));
    memcpy(here, joint->start, joint->state_count * sizeof *here);
    for (uint32_t at = 0; at < question->case_count; at++) {
        memset(next, 0, joint->state_count * sizeof *next);
        for (uint32_t x = 0; x < joint->state_count; x++)
            for (uint32_t arc = joint->first[x]; here[x] > 0 && arc < joint->first[x + 1]; arc++)
                *(all->hit[arc] ? &answer->first[at] : &next[joint->next[arc]]) +=
                    here[x] * joint->probability[arc];
        answer->probability += answer->first[at];
        weighted += answer->first[at] * (at + 1);
        double *const before = here;
        here = next;
        next = before;
    }
    if (answer->probability > 0)
        answer->expected = weighted / answer->probability;
    return COR_OK;
}

enum cor_status cor_condition_answer(const struct cor_condition_question *question,
                                     struct cor_condition_answer *answer, struct cor_error *error) {
    const struct cor_case_condition *condition = question->condition;
    uint64_t members[COR_CONDITION_ENVIRONMENTS_MAX] = {0};
    struct group groups[COR_CONDITION_ENVIRONMENTS_MAX] = {{0}}, all = {0};
    COR_ASSERT(!cor_case_condition_root(condition)->reads_reaction && question->case_count > 0);
    *answer = (struct cor_condition_answer){.expected = NAN, .probability = 0};
    COR_TRY(cor_made(answer->first = cor_calloc(question->case_count, sizeof *answer->first), error));
    /* Groups of environments that some conjunct joins: sets, disjoint; their number. */
    uint32_t group_count = 0;
    for (uint32_t i = 0; i < condition->conjunct_count; i++) {
        uint64_t joined = condition->parts[condition->conjuncts[i]].environments;
        uint32_t kept = 0;
        for (uint32_t g = 0; g < group_count; g++) {
            if (members[g] & joined)
                joined |= members[g];
            else
                members[kept++] = members[g];
        }
        group_count = kept;
        if (joined)
            members[group_count++] = joined;
    }
    enum cor_status status = answer_all(question, members, groups, group_count, &all, answer, error);
    for (uint32_t g = 0; g < group_count; g++)
        fini_group(&groups[g]);
    fini_group(&all);
    if (status != COR_OK)
        cor_condition_answer_fini(answer);
    return status;
}

void cor_condition_answer_fini(struct cor_condition_answer *answer) {
    COR_FREE(answer->likeliest.states, answer->shortest.states, answer->first);
    *answer = (struct cor_condition_answer){0};
}
