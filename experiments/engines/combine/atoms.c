/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A constraint taken apart: into "and", "or", "not" and comparisons of conditions,
 * and the comparisons of values that these join. Part of a row is
 * enough to know an atom; so generator and checker can see early that a constraint fails. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

void combine__combine_constraint_fini(struct combine__combine_constraint *constraint) {
    for (uint32_t i = 0; constraint->atoms && i < constraint->atom_count; i++) {
        cor_expression_fini(&constraint->atoms[i].holds);
        cor_expression_fini(&constraint->atoms[i].denies);
        free(constraint->atoms[i].parameters);
    }
    free(constraint->atoms);
    free(constraint->atom_of_node);
    free(constraint->is_joint);
    free(constraint->text);
    free(constraint->place);
    cor_expression_fini(&constraint->expression);
    *constraint = (struct combine__combine_constraint){0};
}

static bool joins(enum cor_operator kind) {
    return kind == COR_OPERATOR_AND || kind == COR_OPERATOR_OR || kind == COR_OPERATOR_NOT;
}

static bool has_children(enum cor_operator kind) {
    return kind != COR_OPERATOR_CONSTANT && kind != COR_OPERATOR_VARIABLE;
}

static bool has_two(enum cor_operator kind) {
    return has_children(kind) && kind != COR_OPERATOR_NEGATE && kind != COR_OPERATOR_ABS &&
           kind != COR_OPERATOR_NOT && kind != COR_OPERATOR_TO_REAL;
}

static bool is_condition_by_itself(const struct cor_node *node) {
    return node->operator>= COR_OPERATOR_LESS && node->operator<= COR_OPERATOR_NOT;
}

/* Does it compare conditions that read more than two parameters? Two are better looked at together. */
static bool compares_conditions(const struct cor_expression *expression, uint32_t index) {
    const struct cor_node *nodes = expression->nodes, *node = &nodes[index];
    if ((node->operator!= COR_OPERATOR_EQUAL && node->operator!= COR_OPERATOR_NOT_EQUAL) ||
        !(is_condition_by_itself(&nodes[node->left]) || is_condition_by_itself(&nodes[node->right])))
        return false;
    bool within[COR_EXPRESSION_NODES_MAX] = {false};
    uint32_t parameters[2], count = 0;
    within[index] = true;
    for (uint32_t i = index + 1; i-- > 0;) {
        if (!within[i])
            continue;
        if (has_children(nodes[i].operator))
            within[nodes[i].left] = true;
        if (has_two(nodes[i].operator))
            within[nodes[i].right] = true;
        bool is_new = nodes[i].operator== COR_OPERATOR_VARIABLE;
        for (uint32_t k = 0; k < count; k++)
            is_new = is_new && parameters[k] != nodes[i].variable;
        if (is_new && count == 2)
            return true;
        if (is_new)
            parameters[count++] = nodes[i].variable;
    }
    return false;
}

/* The nodes under `root`, and it, as an expression of their own; denied if `deny`. */
static enum cor_status cut(const struct cor_expression *whole, uint32_t root, bool deny,
                           struct cor_expression *part, struct cor_error *error) {
    uint32_t *place = cor_calloc(root + 1, sizeof *place); /* 1 + node in the part; 0: not in it */
    *part = (struct cor_expression){.nodes = cor_calloc(root + 2, sizeof *part->nodes),
                                    .is_constraint = true,
                                    .integer_only = whole->integer_only,
                                    .result = COR_VALUE_INTEGER};
    if (!place || !part->nodes) {
        free(place);
        return cor_fail_memory(error);
    }
    place[root] = 1;
    for (uint32_t i = root + 1; i-- > 0;)
        if (place[i]) {
            const struct cor_node *node = &whole->nodes[i];
            if (has_children(node->operator))
                place[node->left] = 1;
            if (has_two(node->operator))
                place[node->right] = 1;
        }
    for (uint32_t i = 0; i <= root; i++)
        if (place[i]) {
            struct cor_node node = whole->nodes[i];
            node.left = has_children(node.operator) ? place[node.left] - 1 : 0;
            node.right = has_two(node.operator) ? place[node.right] - 1 : 0;
            part->nodes[part->node_count] = node;
            place[i] = ++part->node_count;
        }
    free(place);
    if (deny) {
        part->nodes[part->node_count] =
            (struct cor_node){.operator= COR_OPERATOR_NOT, .left = part->node_count - 1};
        part->node_count++;
    }
    return COR_OK;
}

enum cor_status combine__combine_split(struct combine__combine_constraint *constraint,
                                       uint32_t parameter_count, struct cor_error *error) {
    const struct cor_expression *expression = &constraint->expression;
    uint32_t count = expression->node_count;
    constraint->atoms = cor_calloc(count, sizeof *constraint->atoms);
    constraint->atom_of_node = cor_calloc(count, sizeof *constraint->atom_of_node);
    constraint->is_joint = cor_calloc(count, sizeof *constraint->is_joint);
    bool *is_condition = cor_calloc(count, sizeof *is_condition);
    enum cor_status status = COR_OK;
    if (!constraint->atoms || !constraint->atom_of_node || !constraint->is_joint || !is_condition)
        COR_TRY_OUT(cor_fail_memory(error));
    is_condition[count - 1] = true;
    for (uint32_t i = count; i-- > 0;) {
        const struct cor_node *node = &expression->nodes[i];
        constraint->atom_of_node[i] = COMBINE__NO_ATOM;
        if (!is_condition[i])
            continue;
        if (joins(node->operator) || compares_conditions(expression, i)) {
            constraint->is_joint[i] = true;
            is_condition[node->left] = true;
            if (node->operator!= COR_OPERATOR_NOT)
                is_condition[node->right] = true;
        } else {
            constraint->atom_of_node[i] = constraint->atom_count;
            struct combine__combine_atom *atom = &constraint->atoms[constraint->atom_count++];
            COR_TRY_OUT(cut(expression, i, false, &atom->holds, error));
            COR_TRY_OUT(cut(expression, i, true, &atom->denies, error));
            atom->parameters = cor_calloc(parameter_count, sizeof *atom->parameters);
            COR_TRY_OUT(cor_made(atom->parameters, error));
            for (uint32_t p = 0; p < parameter_count; p++)
                if (cor_expression_reads(&atom->holds, p))
                    atom->parameters[atom->parameter_count++] = p;
        }
    }
out:
    free(is_condition);
    return status;
}
