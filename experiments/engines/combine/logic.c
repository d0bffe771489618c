/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each parameter has a domain, a set of levels. A constraint is looked at from its atoms upwards (true,
 * false, or not known for these domains), then from its root downwards: what must be true or false narrows
 * domains. What is left open is tried, level by level. */
#include "search.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define TABLE_MAX 65536 /* combinations of an atom that are worked out beforehand */
#define LOOK_MAX 4096   /* combinations of an atom that are looked at while domains are narrowed */
#define CHOICES_MAX 200000
#define CHOICES_LEAST 2000
#define LIKES_MAX                                                                            \
    64 /* levels of a parameter that others are compared with, to see whether they are alike \
        */

enum { DENIED = 1, HOLDS = 2, UNDEFINED = 4 };

struct atom {
    const struct combine__combine_atom *source;
    const uint32_t *parameters;
    uint32_t parameter_count;
    uint8_t *table;    /* owned; DENIED, HOLDS or UNDEFINED by levels, the last parameter's running fastest;
                          NULL: too many */
    bool is_small;     /* few combinations in any domains */
    bool is_masked;    /* one parameter of up to 64 levels: */
    uint64_t masks[3]; /* levels for which it is denied, holds, is undefined */
};

enum joint { JOINT_ATOM, JOINT_AND, JOINT_OR, JOINT_NOT, JOINT_SAME, JOINT_DIFFER };

struct node {
    uint8_t joint;
    uint32_t left, right; /* nodes of the constraint; of an atom, its index in left */
};

struct constraint {
    uint32_t first_node, node_count, first_atom, atom_count; /* the root is the last node */
};

/* A word of a domain as it was. */
struct change {
    uint32_t word;
    uint64_t before;
};

struct combine__logic {
    const struct combine__problem *problem; /* borrowed */
    uint32_t width, word_count;
    struct atom *atoms; /* owned, as all below */
    struct node *nodes;
    struct constraint *constraints;
    uint32_t atom_count, node_count, constraint_count;
    uint32_t *reader_start, *readers; /* constraints that read a parameter */
    struct cor_value *values;         /* of all parameters, to judge atoms by */
    uint32_t *word_start;             /* of a parameter's domain among all words */
    uint32_t *like; /* of each level: the first of its parameter that no atom tells from it */
    uint64_t *domains, *supports;
    uint64_t *root; /* the domains where nothing is fixed, narrowed; NULL: not known yet */
    bool root_fails;
    struct change *trail;
    size_t trail_count, trail_capacity;
    uint32_t *queue; /* constraints to be looked at again: a ring */
    bool *queued;
    uint32_t queue_first, queue_count;
    uint8_t *seen, *wanted;                 /* by node of one constraint */
    bool *ignored;                          /* constraints */
    bool *settled;                          /* constraints that hold whatever is chosen yet */
    uint32_t *settled_order, settled_count; /* as they became so */
    const uint16_t *near;                   /* the row that answers should resemble */
    uint64_t choices, choices_max;
    bool out_of_memory;
};

static struct cor_value value_of(const struct combine__problem *problem, uint32_t parameter, uint32_t level) {
    uint32_t of_model = problem->level_map[problem->level_start[parameter] + level];
    return problem->model->parameters[parameter].levels[of_model].value;
}

/* An atom by the values in `values`. */
static uint8_t judge(const struct atom *atom, const struct cor_value *values) {
    if (cor_expression_judge(&atom->source->holds, values))
        return HOLDS;
    return cor_expression_judge(&atom->source->denies, values) ? DENIED : UNDEFINED;
}

static enum cor_status make_table(struct combine__logic *logic, struct atom *atom, struct cor_error *error) {
    uint64_t count = 1;
    for (uint32_t i = 0; i < atom->parameter_count && count <= TABLE_MAX; i++)
        count *= logic->problem->level_count[atom->parameters[i]];
    if (count > TABLE_MAX)
        return COR_OK;
    COR_TRY(cor_made(atom->table = cor_calloc(count, 1), error));
    for (uint64_t i = 0; i < count; i++) {
        uint64_t rest = i;
        for (uint32_t j = atom->parameter_count; j-- > 0;) {
            uint32_t p = atom->parameters[j], levels = logic->problem->level_count[p];
            logic->values[p] = value_of(logic->problem, p, (uint32_t)(rest % levels));
            rest /= levels;
        }
        atom->table[i] = judge(atom, logic->values);
    }
    atom->is_small = count <= LOOK_MAX;
    atom->is_masked = atom->parameter_count == 1 && count <= 64;
    for (uint64_t i = 0; atom->is_masked && i < count; i++)
        for (uint32_t k = 0; k < 3; k++)
            atom->masks[k] |= (uint64_t)(atom->table[i] >> k & 1) << i;
    return COR_OK;
}

/* Do the two levels of a parameter make the same of the atom, whatever the others are? */
static bool is_same(const struct combine__logic *logic, const struct atom *atom, uint32_t parameter,
                    uint32_t a, uint32_t b) {
    uint64_t size = 1, stride = 0; /* of the parameter in the table */
    if (!atom->table)
        return false;
    for (uint32_t i = atom->parameter_count; i-- > 0;) {
        if (atom->parameters[i] == parameter)
            stride = size;
        size *= logic->problem->level_count[atom->parameters[i]];
    }
    uint64_t round = stride * logic->problem->level_count[parameter];
    for (uint64_t start = 0; start < size; start += round)
        if (memcmp(atom->table + start + a * stride, atom->table + start + b * stride, stride) != 0)
            return false;
    return true;
}

static enum cor_status find_likes(struct combine__logic *logic, struct cor_error *error) {
    const struct combine__problem *problem = logic->problem;
    logic->like = cor_calloc(problem->level_start[logic->width], sizeof *logic->like);
    COR_TRY(cor_made(logic->like, error));
    for (uint32_t p = 0; p < logic->width; p++) {
        uint32_t *like = logic->like + problem->level_start[p];
        for (uint32_t l = 0; l < problem->level_count[p]; l++) {
            like[l] = l;
            for (uint32_t k = 0; k < l && k < LIKES_MAX && like[l] == l; k++) {
                bool same = like[k] == k;
                for (uint32_t i = logic->reader_start[p]; same && i < logic->reader_start[p + 1]; i++) {
                    const struct constraint *c = &logic->constraints[logic->readers[i]];
                    for (uint32_t a = c->first_atom; same && a < c->first_atom + c->atom_count; a++)
                        same = !cor_expression_reads(&logic->atoms[a].source->holds, p) ||
                               is_same(logic, &logic->atoms[a], p, l, k);
                }
                if (same)
                    like[l] = k;
            }
        }
    }
    return COR_OK;
}

static enum joint joint_of(enum cor_operator kind) {
    return kind == COR_OPERATOR_AND     ? JOINT_AND
           : kind == COR_OPERATOR_OR    ? JOINT_OR
           : kind == COR_OPERATOR_NOT   ? JOINT_NOT
           : kind == COR_OPERATOR_EQUAL ? JOINT_SAME
                                        : JOINT_DIFFER;
}

static void compile(struct combine__logic *logic, const struct combine__combine_constraint *source) {
    struct constraint *constraint = &logic->constraints[logic->constraint_count++];
    *constraint = (struct constraint){.first_node = logic->node_count,
                                      .node_count = source->expression.node_count,
                                      .first_atom = logic->atom_count,
                                      .atom_count = source->atom_count};
    for (uint32_t i = 0; i < source->expression.node_count; i++) {
        const struct cor_node *node = &source->expression.nodes[i];
        struct node *made = &logic->nodes[logic->node_count++];
        if (source->is_joint[i])
            *made = (struct node){(uint8_t)joint_of(node->operator), node->left, node->right};
        else /* an atom, or a part of one, which nobody asks for */
            *made = (struct node){JOINT_ATOM, source->atom_of_node[i], 0};
    }
    for (uint32_t i = 0; i < source->atom_count; i++)
        logic->atoms[logic->atom_count++] =
            (struct atom){.source = &source->atoms[i],
                          .parameters = source->atoms[i].parameters,
                          .parameter_count = source->atoms[i].parameter_count};
}

enum cor_status combine__logic_create(const struct combine__problem *problem, struct combine__logic **made,
                                      struct cor_error *error) {
    const struct cor_combine_model *model = problem->model;
    *made = NULL;
    if (model->constraint_count == 0)
        return COR_OK;
    struct combine__logic *logic = *made = cor_calloc(1, sizeof *logic);
    COR_TRY(cor_made(logic, error));
    size_t node_count = 0, atom_count = 0, most_nodes = 0;
    for (size_t i = 0; i < model->constraint_count; i++) {
        size_t nodes = model->constraints[i].expression.node_count;
        node_count += nodes;
        atom_count += model->constraints[i].atom_count;
        most_nodes = nodes > most_nodes ? nodes : most_nodes;
    }
    logic->problem = problem;
    logic->choices_max = CHOICES_MAX;
    logic->width = problem->parameter_count;
    logic->nodes = cor_calloc(node_count, sizeof *logic->nodes);
    logic->atoms = cor_calloc(atom_count, sizeof *logic->atoms);
    logic->constraints = cor_calloc(model->constraint_count, sizeof *logic->constraints);
    logic->queue = cor_calloc(model->constraint_count, sizeof *logic->queue);
    logic->queued = cor_calloc(model->constraint_count, sizeof *logic->queued);
    logic->ignored = cor_calloc(model->constraint_count, sizeof *logic->ignored);
    logic->settled = cor_calloc(model->constraint_count, sizeof *logic->settled);
    logic->settled_order = cor_calloc(model->constraint_count, sizeof *logic->settled_order);
    logic->seen = cor_calloc(most_nodes, 1);
    logic->wanted = cor_calloc(most_nodes, 1);
    logic->values = cor_calloc(logic->width, sizeof *logic->values);
    logic->word_start = cor_calloc(logic->width + 1, sizeof *logic->word_start);
    if (!logic->nodes || !logic->atoms || !logic->constraints || !logic->queue || !logic->queued ||
        !logic->ignored || !logic->settled || !logic->settled_order || !logic->seen || !logic->wanted ||
        !logic->values || !logic->word_start)
        return cor_fail_memory(error);
    for (uint32_t p = 0; p < logic->width; p++) {
        logic->values[p] = value_of(problem, p, 0);
        logic->word_start[p + 1] = logic->word_start[p] + (problem->level_count[p] + 63) / 64;
    }
    logic->word_count = logic->word_start[logic->width];
    logic->domains = cor_calloc(logic->word_count, sizeof *logic->domains);
    logic->supports = cor_calloc(logic->word_count, sizeof *logic->supports);
    if (!logic->domains || !logic->supports)
        return cor_fail_memory(error);
    for (size_t i = 0; i < model->constraint_count; i++)
        compile(logic, &model->constraints[i]);
    for (uint32_t i = 0; i < logic->atom_count; i++)
        COR_TRY(make_table(logic, &logic->atoms[i], error));
    size_t capacity = 0, count = 0;
    COR_TRY(cor_made(logic->reader_start = cor_calloc(logic->width + 1, sizeof *logic->reader_start), error));
    for (uint32_t p = 0; p < logic->width; p++) {
        for (uint32_t c = 0; c < logic->constraint_count; c++) {
            const struct constraint *it = &logic->constraints[c];
            bool constraint_reads = false;
            for (uint32_t i = it->first_atom; i < it->first_atom + it->atom_count && !constraint_reads; i++)
                for (uint32_t j = 0; j < logic->atoms[i].parameter_count && !constraint_reads; j++)
                    constraint_reads = logic->atoms[i].parameters[j] == p;
            if (constraint_reads) {
                COR_TRY(COR_RESERVE(&logic->readers, &capacity, count + 1, error));
                logic->readers[count++] = c;
            }
        }
        logic->reader_start[p + 1] = (uint32_t)count;
    }
    return find_likes(logic, error);
}

void combine__logic_destroy(struct combine__logic *logic) {
    if (!logic)
        return;
    for (uint32_t i = 0; logic->atoms && i < logic->atom_count; i++)
        free(logic->atoms[i].table);
    COR_FREE(logic->atoms, logic->nodes, logic->constraints, logic->reader_start, logic->readers, logic->like,
             logic->settled, logic->settled_order, logic->root, logic->values, logic->word_start,
             logic->domains, logic->supports, logic->trail, logic->queue, logic->queued, logic->ignored,
             logic->seen, logic->wanted, logic);
}

static uint8_t atom_of_row(const struct combine__logic *logic, const struct atom *atom, const uint16_t *row) {
    if (atom->table) {
        uint64_t place = 0;
        for (uint32_t i = 0; i < atom->parameter_count; i++)
            place = place * logic->problem->level_count[atom->parameters[i]] + row[atom->parameters[i]];
        return atom->table[place];
    }
    for (uint32_t i = 0; i < atom->parameter_count; i++)
        logic->values[atom->parameters[i]] =
            value_of(logic->problem, atom->parameters[i], row[atom->parameters[i]]);
    return judge(atom, logic->values);
}

static bool constraint_allows(const struct combine__logic *logic, uint32_t index, const uint16_t *row) {
    const struct constraint *c = &logic->constraints[index];
    const struct node *nodes = logic->nodes + c->first_node;
    bool value[COR_EXPRESSION_NODES_MAX + 1];
    for (uint32_t i = 0; i < c->node_count; i++) {
        const struct node *node = &nodes[i];
        uint8_t known;
        value[i] = false;
        switch ((enum joint)node->joint) {
        case JOINT_ATOM:
            if (node->left == COMBINE__NO_ATOM)
                break;
            known = atom_of_row(logic, &logic->atoms[c->first_atom + node->left], row);
            if (known == UNDEFINED)
                return false;
            value[i] = known == HOLDS;
            break;
        case JOINT_AND:
            value[i] = value[node->left] && value[node->right];
            break;
        case JOINT_OR:
            value[i] = value[node->left] || value[node->right];
            break;
        case JOINT_NOT:
            value[i] = !value[node->left];
            break;
        case JOINT_SAME:
        case JOINT_DIFFER:
            value[i] = (value[node->left] == value[node->right]) == (node->joint == JOINT_SAME);
            break;
        }
    }
    return value[c->node_count - 1];
}

bool combine__logic_allows(const struct combine__logic *logic, const uint16_t *row, uint32_t parameter) {
    for (uint32_t i = logic->reader_start[parameter]; i < logic->reader_start[parameter + 1]; i++)
        if (!constraint_allows(logic, logic->readers[i], row))
            return false;
    return true;
}

static bool has(const struct combine__logic *logic, const uint64_t *sets, uint32_t parameter,
                uint32_t level) {
    return sets[logic->word_start[parameter] + level / 64] >> (level % 64) & 1;
}

static uint32_t size_of(const struct combine__logic *logic, uint32_t parameter) {
    uint32_t count = 0;
    for (uint32_t w = logic->word_start[parameter]; w < logic->word_start[parameter + 1]; w++)
        count += (uint32_t)__builtin_popcountll(logic->domains[w]);
    return count;
}

static void enqueue(struct combine__logic *logic, uint32_t constraint) {
    if (logic->queued[constraint] || logic->ignored[constraint])
        return;
    logic->queued[constraint] = true;
    logic->queue[(logic->queue_first + logic->queue_count++) % logic->constraint_count] = constraint;
}

/* Leaves of the domain what is in the set of the same words; false: nothing. */
static bool narrow(struct combine__logic *logic, uint32_t parameter, const uint64_t *set) {
    bool changed = false, any = false;
    for (uint32_t w = logic->word_start[parameter]; w < logic->word_start[parameter + 1]; w++) {
        if ((logic->domains[w] & ~set[w]) != 0) {
            if (logic->trail_count == logic->trail_capacity &&
                COR_RESERVE(&logic->trail, &logic->trail_capacity, logic->trail_count + 1, NULL) != COR_OK) {
                logic->out_of_memory = true;
            } else {
                logic->trail[logic->trail_count++] = (struct change){w, logic->domains[w]};
                logic->domains[w] &= set[w];
            }
            changed = true;
        }
        any |= logic->domains[w] != 0;
    }
    if (changed)
        for (uint32_t i = logic->reader_start[parameter]; i < logic->reader_start[parameter + 1]; i++)
            enqueue(logic, logic->readers[i]);
    return any;
}

/* Leaves one level. */
static bool choose(struct combine__logic *logic, uint32_t parameter, uint32_t level) {
    bool was_there = has(logic, logic->domains, parameter, level);
    memset(logic->supports + logic->word_start[parameter], 0,
           (logic->word_start[parameter + 1] - logic->word_start[parameter]) * sizeof *logic->supports);
    logic->supports[logic->word_start[parameter] + level / 64] |= UINT64_C(1) << (level % 64);
    return was_there && narrow(logic, parameter, logic->supports);
}

/* The next combination of levels within the domains, from `row`, the last parameter's running fastest. */
static bool next_combination(const struct combine__logic *logic, const struct atom *atom, uint32_t *levels) {
    for (uint32_t i = atom->parameter_count; i-- > 0;) {
        uint32_t p = atom->parameters[i];
        while (++levels[i] < logic->problem->level_count[p])
            if (has(logic, logic->domains, p, levels[i]))
                return true;
        levels[i] = 0;
        while (!has(logic, logic->domains, p, levels[i]))
            levels[i]++;
    }
    return false;
}

static uint8_t atom_of_levels(const struct combine__logic *logic, const struct atom *atom,
                              const uint32_t *levels) {
    uint64_t place = 0;
    if (!atom->table) {
        for (uint32_t i = 0; i < atom->parameter_count; i++)
            logic->values[atom->parameters[i]] = value_of(logic->problem, atom->parameters[i], levels[i]);
        return judge(atom, logic->values);
    }
    for (uint32_t i = 0; i < atom->parameter_count; i++)
        place = place * logic->problem->level_count[atom->parameters[i]] + levels[i];
    return atom->table[place];
}

static bool few_combinations(const struct combine__logic *logic, const struct atom *atom) {
    uint64_t count = 1;
    if (atom->is_small)
        return true;
    for (uint32_t i = 0; i < atom->parameter_count && count <= LOOK_MAX; i++)
        count *= size_of(logic, atom->parameters[i]);
    return count <= LOOK_MAX;
}

static void first_combination(const struct combine__logic *logic, const struct atom *atom, uint32_t *levels) {
    for (uint32_t i = 0; i < atom->parameter_count; i++)
        for (levels[i] = 0; !has(logic, logic->domains, atom->parameters[i], levels[i]);)
            levels[i]++;
}

/* What the atom can be within the domains: DENIED, HOLDS, UNDEFINED or several of them. */
static uint8_t atom_of_domains(const struct combine__logic *logic, const struct atom *atom) {
    uint32_t levels[COR_EXPRESSION_NODES_MAX];
    uint8_t seen = 0;
    if (atom->is_masked) {
        uint64_t domain = logic->domains[logic->word_start[atom->parameters[0]]];
        for (uint32_t k = 0; k < 3; k++)
            seen |= (uint8_t)((domain & atom->masks[k]) != 0 ? 1u << k : 0);
        return seen;
    }
    if (!few_combinations(logic, atom))
        return DENIED | HOLDS | UNDEFINED;
    first_combination(logic, atom, levels);
    do
        seen |= atom_of_levels(logic, atom, levels);
    while (next_combination(logic, atom, levels));
    return seen;
}

/* Narrows the domains to what lets the atom be one of `wanted`; false: nothing does. */
static bool narrow_atom(struct combine__logic *logic, const struct atom *atom, uint8_t wanted) {
    uint32_t levels[COR_EXPRESSION_NODES_MAX];
    if (atom->is_masked) {
        uint64_t *support = &logic->supports[logic->word_start[atom->parameters[0]]];
        *support = 0;
        for (uint32_t k = 0; k < 3; k++)
            *support |= wanted >> k & 1 ? atom->masks[k] : 0;
        return narrow(logic, atom->parameters[0], logic->supports);
    }
    if (!few_combinations(logic, atom))
        return true;
    for (uint32_t i = 0; i < atom->parameter_count; i++) {
        uint32_t p = atom->parameters[i];
        memset(logic->supports + logic->word_start[p], 0,
               (logic->word_start[p + 1] - logic->word_start[p]) * sizeof *logic->supports);
    }
    bool any = false;
    first_combination(logic, atom, levels);
    do
        if (atom_of_levels(logic, atom, levels) & wanted) {
            any = true;
            for (uint32_t i = 0; i < atom->parameter_count; i++)
                logic->supports[logic->word_start[atom->parameters[i]] + levels[i] / 64] |=
                    UINT64_C(1) << (levels[i] % 64);
        }
    while (next_combination(logic, atom, levels));
    for (uint32_t i = 0; any && i < atom->parameter_count; i++)
        any = narrow(logic, atom->parameters[i], logic->supports);
    return any;
}

static uint8_t opposite(uint8_t outcomes) {
    return (uint8_t)((outcomes & HOLDS ? DENIED : 0) | (outcomes & DENIED ? HOLDS : 0));
}

/* From the atoms upwards, into `seen`. False: the constraint cannot hold. */
static bool look_up(struct combine__logic *logic, const struct constraint *c) {
    const struct node *nodes = logic->nodes + c->first_node;
    uint8_t *seen = logic->seen, a, b;
    for (uint32_t i = 0; i < c->node_count; i++) {
        switch ((enum joint)nodes[i].joint) {
        case JOINT_ATOM:
            if (nodes[i].left == COMBINE__NO_ATOM)
                break;
            seen[i] = atom_of_domains(logic, &logic->atoms[c->first_atom + nodes[i].left]);
            if (seen[i] == UNDEFINED)
                return false;
            break;
        case JOINT_AND:
            a = seen[nodes[i].left], b = seen[nodes[i].right];
            seen[i] = (uint8_t)(((a | b) & (DENIED | UNDEFINED)) | (a & b & HOLDS));
            break;
        case JOINT_OR:
            a = seen[nodes[i].left], b = seen[nodes[i].right];
            seen[i] = (uint8_t)(((a | b) & (HOLDS | UNDEFINED)) | (a & b & DENIED));
            break;
        case JOINT_NOT:
            a = seen[nodes[i].left];
            seen[i] = (uint8_t)((a & UNDEFINED) | opposite(a));
            break;
        case JOINT_SAME:
        case JOINT_DIFFER:
            a = seen[nodes[i].left], b = seen[nodes[i].right];
            if (nodes[i].joint == JOINT_DIFFER)
                b = (uint8_t)((b & UNDEFINED) | opposite(b));
            seen[i] = (uint8_t)(((a | b) & UNDEFINED) | ((a & b) != UNDEFINED && (a & b) ? HOLDS : 0) |
                                (a & opposite(b) ? DENIED : 0));
            break;
        }
    }
    return (seen[c->node_count - 1] & HOLDS) != 0;
}

/* From the root downwards: what each node must be, and so the domains. */
static bool look_down(struct combine__logic *logic, const struct constraint *c) {
    const struct node *nodes = logic->nodes + c->first_node;
    uint8_t *seen = logic->seen, *wanted = logic->wanted;
    memset(wanted, DENIED | HOLDS, c->node_count);
    wanted[c->node_count - 1] = HOLDS;
    for (uint32_t i = c->node_count; i-- > 0;) {
        uint32_t left = nodes[i].left, right = nodes[i].right;
        switch ((enum joint)nodes[i].joint) {
        case JOINT_ATOM:
            if (left != COMBINE__NO_ATOM && (seen[i] & ~wanted[i]) != 0 &&
                !narrow_atom(logic, &logic->atoms[c->first_atom + left], wanted[i]))
                return false;
            break;
        case JOINT_AND:
            if (wanted[i] == HOLDS)
                wanted[left] &= HOLDS, wanted[right] &= HOLDS;
            else if (wanted[i] == DENIED && !(seen[left] & DENIED))
                wanted[right] &= DENIED;
            else if (wanted[i] == DENIED && !(seen[right] & DENIED))
                wanted[left] &= DENIED;
            break;
        case JOINT_OR:
            if (wanted[i] == DENIED)
                wanted[left] &= DENIED, wanted[right] &= DENIED;
            else if (wanted[i] == HOLDS && !(seen[left] & HOLDS))
                wanted[right] &= HOLDS;
            else if (wanted[i] == HOLDS && !(seen[right] & HOLDS))
                wanted[left] &= HOLDS;
            break;
        case JOINT_NOT:
            if (wanted[i] == HOLDS)
                wanted[left] &= DENIED;
            else if (wanted[i] == DENIED)
                wanted[left] &= HOLDS;
            break;
        case JOINT_SAME:
        case JOINT_DIFFER:
            if (wanted[i] == (HOLDS | DENIED))
                break;
            bool same = (wanted[i] == HOLDS) == (nodes[i].joint == JOINT_SAME);
            wanted[left] &= same ? seen[right] : opposite(seen[right]);
            wanted[right] &= same ? seen[left] : opposite(seen[left]);
            break;
        }
    }
    return true;
}

/* Narrows the domains until nothing changes; false: no row is left in them. */
static bool propagate(struct combine__logic *logic) {
    bool possible = true;
    while (logic->queue_count > 0) {
        uint32_t c = logic->queue[logic->queue_first];
        logic->queue_first = (logic->queue_first + 1) % logic->constraint_count;
        logic->queue_count--;
        logic->queued[c] = false;
        possible =
            possible && look_up(logic, &logic->constraints[c]) && look_down(logic, &logic->constraints[c]);
    }
    return possible;
}

/* A parameter that an open constraint reads, with the fewest levels left; the width: all are decided. */
static uint32_t undecided(struct combine__logic *logic) {
    uint32_t best = logic->width, fewest = UINT32_MAX;
    for (uint32_t i = 0; i < logic->constraint_count && fewest > 2; i++) {
        if (logic->settled[i] || logic->ignored[i])
            continue;
        const struct constraint *c = &logic->constraints[i];
        uint32_t found = logic->width, size_found = fewest;
        for (uint32_t a = c->first_atom; a < c->first_atom + c->atom_count; a++)
            for (uint32_t j = 0; j < logic->atoms[a].parameter_count; j++) {
                uint32_t p = logic->atoms[a].parameters[j], size = size_of(logic, p);
                if (size > 1 && size < size_found)
                    found = p, size_found = size;
            }
        if (found == logic->width)
            continue;
        if (look_up(logic, c) && logic->seen[c->node_count - 1] == HOLDS) {
            logic->settled[i] = true;
            logic->settled_order[logic->settled_count++] = i;
            continue;
        }
        best = found;
        fewest = size_found;
    }
    return best;
}

static enum combine__answer solve(struct combine__logic *logic);

/* Takes back what was settled behind the first `count`. */
static void unsettle(struct combine__logic *logic, uint32_t count) {
    while (logic->settled_count > count)
        logic->settled[logic->settled_order[--logic->settled_count]] = false;
}

static enum combine__answer solve_with(struct combine__logic *logic, uint32_t parameter, uint32_t level) {
    size_t trail_count = logic->trail_count;
    uint32_t settled_count = logic->settled_count;
    if (++logic->choices > logic->choices_max || logic->out_of_memory)
        return COMBINE__UNDECIDED;
    bool possible = choose(logic, parameter, level) && propagate(logic);
    enum combine__answer answer = possible ? solve(logic) : COMBINE__NO;
    if (answer != COMBINE__YES)
        unsettle(logic, settled_count);
    if (answer != COMBINE__YES)
        while (logic->trail_count > trail_count) {
            struct change change = logic->trail[--logic->trail_count];
            logic->domains[change.word] = change.before;
        }
    return answer;
}

/* Tries the levels of one parameter, and so on; leaves the domains of an answer. */
static enum combine__answer solve(struct combine__logic *logic) {
    uint32_t p = undecided(logic);
    if (p == logic->width)
        return COMBINE__YES;
    uint32_t near = logic->near[p];
    const uint32_t *like = logic->like + logic->problem->level_start[p];
    if (has(logic, logic->domains, p, near)) {
        enum combine__answer answer = solve_with(logic, p, near);
        if (answer != COMBINE__NO)
            return answer;
    }
    for (uint32_t l = 0; l < logic->problem->level_count[p]; l++)
        if (l != near && has(logic, logic->domains, p, l)) {
            /* What is like a level that was tried fails as it did. */
            if ((like[l] != l && has(logic, logic->domains, p, like[l])) ||
                (like[l] == like[near] && has(logic, logic->domains, p, near)))
                continue;
            enum combine__answer answer = solve_with(logic, p, l);
            if (answer != COMBINE__NO)
                return answer;
        }
    return COMBINE__NO;
}

static void open_domains(struct combine__logic *logic) {
    for (uint32_t p = 0; p < logic->width; p++)
        for (uint32_t w = logic->word_start[p]; w < logic->word_start[p + 1]; w++) {
            uint32_t rest = logic->problem->level_count[p] - 64 * (w - logic->word_start[p]);
            logic->domains[w] = rest >= 64 ? UINT64_MAX : (UINT64_C(1) << rest) - 1;
        }
    for (uint32_t c = 0; c < logic->constraint_count; c++)
        enqueue(logic, c);
}

/* The domains with what is fixed, and a queue of the constraints that this may narrow further; false: it is
 * excluded at once. Where nothing is fixed and no constraint ignored, domains are narrowed once and for all.
 */
static bool begin_domains(struct combine__logic *logic, const uint16_t *row, const bool *fixed) {
    bool any_ignored = false;
    for (uint32_t c = 0; c < logic->constraint_count; c++)
        any_ignored |= logic->ignored[c];
    if (!logic->root && !any_ignored) {
        logic->root = cor_calloc(logic->word_count, sizeof *logic->root);
        open_domains(logic);
        logic->root_fails = !propagate(logic);
        logic->trail_count = 0;
        if (logic->root)
            memcpy(logic->root, logic->domains, logic->word_count * sizeof *logic->root);
    }
    if (logic->root && !any_ignored) {
        if (logic->root_fails)
            return false;
        memcpy(logic->domains, logic->root, logic->word_count * sizeof *logic->root);
    } else
        open_domains(logic);
    bool possible = true;
    for (uint32_t p = 0; p < logic->width && possible; p++)
        if (fixed[p])
            possible = choose(logic, p, row[p]);
    for (; !possible && logic->queue_count > 0; logic->queue_count--) {
        logic->queued[logic->queue[logic->queue_first]] = false;
        logic->queue_first = (logic->queue_first + 1) % logic->constraint_count;
    }
    logic->trail_count = 0;
    return possible;
}

enum combine__answer combine__logic_complete(struct combine__logic *logic, uint16_t *row, const bool *fixed) {
    bool allows_all = true;
    for (uint32_t c = 0; allows_all && c < logic->constraint_count; c++)
        allows_all = logic->ignored[c] || constraint_allows(logic, c, row);
    if (allows_all)
        return COMBINE__YES;
    logic->near = row;
    logic->choices = 0;
    logic->trail_count = 0;
    unsettle(logic, 0);
    if (!begin_domains(logic, row, fixed))
        return COMBINE__NO;
    enum combine__answer answer = propagate(logic) ? solve(logic) : COMBINE__NO;
    if (answer != COMBINE__YES)
        return answer;
    for (uint32_t p = 0; p < logic->width; p++)
        if (!has(logic, logic->domains, p, row[p]))
            for (row[p] = 0; !has(logic, logic->domains, p, row[p]);)
                row[p]++;
    return COMBINE__YES;
}

void combine__logic_hurry(struct combine__logic *logic) {
    logic->choices_max = logic->choices_max / 10 > CHOICES_LEAST ? logic->choices_max / 10 : CHOICES_LEAST;
}

void combine__logic_conflict(struct combine__logic *logic, const uint16_t *row, const bool *fixed,
                             bool *at_odds) {
    uint16_t *trial = cor_calloc(logic->width, sizeof *trial);
    for (uint32_t c = 0; c < logic->constraint_count; c++)
        at_odds[c] = true;
    for (uint32_t c = 0; trial && c < logic->constraint_count; c++) {
        memcpy(trial, row, logic->width * sizeof *trial);
        logic->ignored[c] = true;
        at_odds[c] = combine__logic_complete(logic, trial, fixed) != COMBINE__NO;
        logic->ignored[c] = !at_odds[c];
    }
    memset(logic->ignored, 0, logic->constraint_count * sizeof *logic->ignored);
    free(trial);
}

bool combine__logic_allows_prefix(const struct combine__logic *logic, const uint16_t *row,
                                  uint32_t parameter) {
    for (uint32_t i = logic->reader_start[parameter]; i < logic->reader_start[parameter + 1]; i++) {
        const uint32_t constraint = logic->readers[i];
        const struct constraint *c = &logic->constraints[constraint];
        uint32_t last = 0;
        for (uint32_t k = c->first_atom; k < c->first_atom + c->atom_count; k++)
            for (uint32_t j = 0; j < logic->atoms[k].parameter_count; j++)
                if (logic->atoms[k].parameters[j] > last)
                    last = logic->atoms[k].parameters[j];
        if (last == parameter && !constraint_allows(logic, logic->readers[i], row))
            return false;
    }
    return true;
}

void combine__logic_clusters(const struct combine__logic *logic, uint32_t *cluster) {
    for (uint32_t p = 0; p < logic->width; p++)
        cluster[p] = logic->reader_start[p + 1] > logic->reader_start[p] ? p : COMBINE__NO_PARAMETER;
    for (uint32_t i = 0; i < logic->constraint_count; i++) {
        const struct constraint *c = &logic->constraints[i];
        uint32_t joined = COMBINE__NO_PARAMETER;
        for (uint32_t a = c->first_atom; a < c->first_atom + c->atom_count; a++)
            for (uint32_t j = 0; j < logic->atoms[a].parameter_count; j++) {
                uint32_t old = cluster[logic->atoms[a].parameters[j]];
                if (joined == COMBINE__NO_PARAMETER)
                    joined = old;
                for (uint32_t p = 0; old != joined && p < logic->width; p++)
                    if (cluster[p] == old)
                        cluster[p] = joined;
            }
    }
}
