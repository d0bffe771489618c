/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions that never hold: what a condition asks is taken apart into facts about terms, and a fact that
 * contradicts another one ends the way; where one of two is enough, both ways must end. */
#include "goal_nodes.h"
#include "internal.h"

#include <corridor/array.h>
#include <corridor/system_check.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FACTS_MAX 64
#define WAYS_MAX 4096 /* that are tried for a condition */
#define SAME_DEPTH 20

COR_WORDS(cor_system_odd_word, enum cor_system_odd, "never enabled", "never solved", "never used")

/* ---- facts */

/* What a term is known to be. */
struct fact {
    uint32_t term;
    double low, high; /* of numbers, both included; truth and words as their numbers */
    int64_t not_word; /* what it is not; -2: nothing is known */
};

struct facts {
    const struct cor_node *nodes;
    struct fact known[FACTS_MAX];
    uint32_t count;
};

struct asked {
    uint32_t node;
    bool wanted;
};

/* What there is to look at: facts so far, and what is asked still. */
struct way {
    struct facts facts;
    struct asked open[FACTS_MAX];
    uint32_t open_count;
};

/* Whether two nodes are the same value, whatever is believed. */
static bool is_same(const struct cor_node *nodes, uint32_t a, uint32_t b, int depth) {
    const struct cor_node *x = &nodes[a], *y = &nodes[b];
    if (a == b)
        return true;
    if (depth == 0 || x->operator!= y->operator|| x->type != y->type || x->element != y->element ||
                      x->reals != y->reals)
        return false;
    switch (x->operator) {
    case COR_OPERATOR_CONSTANT:
        return x->constant == y->constant;
    case COR_OPERATOR_VARIABLE:
        return x->variable == y->variable;
    case COR_OPERATOR_ATTRIBUTE:
    case COR_OPERATOR_BEFORE:
    case COR_OPERATOR_REFERENCE:
        return x->variable == y->variable && is_same(nodes, x->left, y->left, depth - 1);
    case COR_OPERATOR_NEGATE:
    case COR_OPERATOR_ABS:
    case COR_OPERATOR_TO_REAL:
        return is_same(nodes, x->left, y->left, depth - 1);
    case COR_OPERATOR_ADD:
    case COR_OPERATOR_SUBTRACT:
    case COR_OPERATOR_MULTIPLY:
    case COR_OPERATOR_MIN:
    case COR_OPERATOR_MAX:
        return is_same(nodes, x->left, y->left, depth - 1) && is_same(nodes, x->right, y->right, depth - 1);
    default:
        return false;
    }
}

static struct fact *fact_of(struct facts *facts, uint32_t term) {
    for (uint32_t f = 0; f < facts->count; f++)
        if (is_same(facts->nodes, facts->known[f].term, term, SAME_DEPTH))
            return &facts->known[f];
    if (facts->count == FACTS_MAX)
        return NULL;
    facts->known[facts->count] = (struct fact){term, -INFINITY, INFINITY, -2};
    return &facts->known[facts->count++];
}

/* false: the term cannot be so beside what is known of it. */
static bool bound(struct facts *facts, uint32_t term, double low, double high) {
    struct fact *fact = fact_of(facts, term);
    if (!fact)
        return true;
    fact->low = low > fact->low ? low : fact->low;
    fact->high = high < fact->high ? high : fact->high;
    return fact->low <= fact->high &&
           !(fact->not_word > -2 && fact->low >= fact->high && (double)fact->not_word >= fact->low &&
             (double)fact->not_word <= fact->high);
}

static bool deny(struct facts *facts, uint32_t term, double value) {
    struct fact *fact = fact_of(facts, term);
    if (!fact || fabs(value) > 1e15)
        return true;
    fact->not_word = (int64_t)value;
    return !(floor(value) >= value && fact->low >= value && fact->high <= value);
}

static double number_of(const struct cor_node *node) {
    return node->reals ? node->real : (double)node->constant;
}

/* A comparison; false: it contradicts what is known. */
static bool compare(struct facts *facts, uint32_t index, bool wanted) {
    const struct cor_node *nodes = facts->nodes, *node = &nodes[index];
    const struct cor_node *left = &nodes[node->left], *right = &nodes[node->right];
    const bool left_known = left->operator== COR_OPERATOR_CONSTANT,
               right_known = right->operator== COR_OPERATOR_CONSTANT;
    const double a = left_known ? number_of(left) : 0, b = right_known ? number_of(right) : 0;
    const double step = node->reals ? 0 : 1; /* what lies between two numbers: of reals nothing is sure */
    const bool is_equality = node->operator== COR_OPERATOR_EQUAL || node->operator== COR_OPERATOR_NOT_EQUAL;
    if (node->operator== COR_OPERATOR_NOT_EQUAL)
        wanted = !wanted;
    if (left_known && right_known) {
        const bool holds = is_equality                          ? !(a < b) && !(b < a)
                           : node->operator== COR_OPERATOR_LESS ? a < b
                                                                : a <= b;
        return holds == wanted;
    }
    if (!left_known && !right_known)
        return !(is_same(nodes, node->left, node->right, SAME_DEPTH) &&
                 wanted == (node->operator== COR_OPERATOR_LESS));
    const uint32_t term = left_known ? node->right : node->left;
    const double value = left_known ? a : b;
    if (is_equality)
        return wanted ? bound(facts, term, value, value) : deny(facts, term, value);
    const bool is_strict = wanted == (node->operator== COR_OPERATOR_LESS), is_above = left_known == wanted;
    return is_above ? bound(facts, term, is_strict ? value + step : value, INFINITY)
                    : bound(facts, term, -INFINITY, is_strict ? value - step : value);
}

/* Whether all ways end. */
static bool ends(struct way *way, uint32_t *ways) {
    while (way->open_count > 0) {
        const struct asked asked = way->open[--way->open_count];
        const struct cor_node *node = &way->facts.nodes[asked.node];
        const bool is_both = node->operator==(asked.wanted ? COR_OPERATOR_AND : COR_OPERATOR_OR);
        switch (node->operator) {
        case COR_OPERATOR_NOT:
            way->open[way->open_count++] = (struct asked){node->left, !asked.wanted};
            break;
        case COR_OPERATOR_AND:
        case COR_OPERATOR_OR:
            if (way->open_count + 2 > FACTS_MAX || *ways == 0)
                return false;
            if (!is_both) {
                struct way other = *way;
                --*ways;
                other.open[other.open_count++] = (struct asked){node->right, asked.wanted};
                if (!ends(&other, ways))
                    return false;
            } else
                way->open[way->open_count++] = (struct asked){node->right, asked.wanted};
            way->open[way->open_count++] = (struct asked){node->left, asked.wanted};
            break;
        case COR_OPERATOR_LESS:
        case COR_OPERATOR_LESS_EQUAL:
        case COR_OPERATOR_EQUAL:
        case COR_OPERATOR_NOT_EQUAL:
            if (!compare(&way->facts, asked.node, asked.wanted))
                return true;
            break;
        case COR_OPERATOR_ATTRIBUTE:
        case COR_OPERATOR_BEFORE:
        case COR_OPERATOR_VARIABLE:
            if (!bound(&way->facts, asked.node, asked.wanted, asked.wanted))
                return true;
            break;
        default: /* of queries nothing is known */
            break;
        }
    }
    return false;
}

static bool never_holds(const struct cor_expression *expression) {
    struct way way = {
        .facts.nodes = expression->nodes, .open = {{expression->node_count - 1, true}}, .open_count = 1};
    uint32_t ways = WAYS_MAX;
    return expression->is_constraint && ends(&way, &ways);
}

/* ---- findings */

static enum cor_status add(struct cor_system_findings *findings, enum cor_system_odd odd, const char *about,
                           char *text_take, struct cor_error *error) {
    enum cor_status status = cor_made(text_take, error);
    for (uint32_t f = 0; status == COR_OK && f < findings->count; f++)
        if (findings->items[f].odd == odd && strcmp(findings->items[f].text, text_take) == 0) {
            free(text_take);
            return COR_OK;
        }
    if (status == COR_OK)
        status = COR_RESERVE(&findings->items, &findings->capacity, findings->count + 1, error);
    if (status != COR_OK) {
        free(text_take);
        return status;
    }
    findings->items[findings->count++] = (struct cor_system_finding){odd, about, text_take};
    return COR_OK;
}

static enum cor_status check_goals(const struct cor_goals *goals, const char *about,
                                   struct cor_system_findings *findings, struct cor_error *error) {
    for (uint32_t t = 0; t < goals->tactic_count; t++) {
        const uint32_t when = goals->tactics[t].when;
        if (when != COR_NONE && never_holds(&goals->conditions[when].expression))
            COR_TRY(add(findings, COR_SYSTEM_NEVER_ENABLED, about,
                        cor_format("action %s: \"%s\" never holds",
                                   cor_words_text(&goals->names, goals->tactics[t].name),
                                   goals->conditions[when].expression.text),
                        error));
    }
    for (uint32_t g = 0; g < goals->goal_count; g++) {
        const struct system_layer__goal *goal = &goals->goals[g];
        const bool is_wanted = (goal->kind == SYSTEM_LAYER__SOLVE && goal->solved == SYSTEM_LAYER__WHEN) ||
                               goal->kind == SYSTEM_LAYER__CHECK || goal->kind == SYSTEM_LAYER__ASSERT;
        if (is_wanted && goal->condition != COR_NONE &&
            never_holds(&goals->conditions[goal->condition].expression))
            COR_TRY(add(findings, COR_SYSTEM_NEVER_SOLVED, about,
                        cor_format("goal %s: \"%s\" never holds", system_layer__goal_name(goals, g),
                                   goals->conditions[goal->condition].expression.text),
                        error));
    }
    return COR_OK;
}

/* "pressed" of "pressed(b1)": how many bytes. */
static size_t name_length(const char *text) {
    size_t length = strcspn(text, "(");
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return length;
}

static void mark_used(const struct cor_json *json, const struct cor_json *goals, bool *used) {
    const char *text;
    if (cor_json_is_string(json) && cor_json_string(json, &text, NULL) == COR_OK)
        COR_JSON_CHILDREN(item, goals) {
            if (!used[item.index] && name_length(text) == name_length(item.key) &&
                strncmp(text, item.key, name_length(text)) == 0) {
                used[item.index] = true;
                mark_used(&item, goals, used);
            }
        }
    COR_JSON_CHILDREN(item, json)
        mark_used(&item, goals, used);
}

enum cor_status cor_system_check(const struct cor_system_experiment *experiment,
                                 struct cor_system_findings *findings, struct cor_error *error) {
    *findings = (struct cor_system_findings){0};
    for (uint32_t e = 0; e < experiment->entry_count; e++) {
        struct system_layer__rig *rig = NULL;
        COR_TRY(system_layer__rig_create(experiment, 0, e, NULL, NULL, &rig, error));
        const enum cor_status status = check_goals(rig->goals, experiment->entries[e].name, findings, error);
        system_layer__rig_destroy(rig);
        COR_TRY(status);
    }
    const struct cor_json root = cor_json_root(experiment->document);
    struct cor_json goals, tests;
    enum cor_status status = COR_OK;
    if (!cor_json_find(&root, "goals", &goals) || !cor_json_find(&root, "tests", &tests))
        return COR_OK;
    COR_FREED bool *used = cor_calloc(cor_json_size(&goals), sizeof *used);
    COR_TRY(cor_made(used, error));
    mark_used(&tests, &goals, used);
    COR_JSON_CHILDREN(item, &goals) {
        if (!used[item.index])
            COR_TRY(add(findings, COR_SYSTEM_NEVER_USED, item.key,
                        cor_format("no test uses goal \"%s\"", item.key), error));
    }
    return status;
}

void cor_system_findings_fini(struct cor_system_findings *findings) {
    for (uint32_t f = 0; f < findings->count; f++)
        free(findings->items[f].text);
    free(findings->items);
    *findings = (struct cor_system_findings){0};
}
