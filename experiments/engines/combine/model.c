/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model: parameters, parts, constraints, rows to keep. */
#include "internal.h"
#include "model_reader.h"

#include <corridor/array.h>
#include <corridor/delimited.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A constraint taken apart: into "and", "or", "not" and comparisons of conditions,
 * and the comparisons of values that these join. Part of a row is
 * enough to know an atom; so generator and checker can see early that a constraint fails */

void combine__combine_constraint_fini(struct combine__combine_constraint *constraint) {
    for (uint32_t i = 0; constraint->atoms && i < constraint->atom_count; i++) {
        cor_expression_fini(&constraint->atoms[i].holds);
        cor_expression_fini(&constraint->atoms[i].denies);
        free(constraint->atoms[i].parameters);
    }
    COR_FREE(constraint->atoms, constraint->atom_of_node, constraint->is_joint, constraint->text,
             constraint->place);
    cor_expression_fini(&constraint->expression);
    *constraint = (struct combine__combine_constraint){0};
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
    COR_FREED uint32_t *place = cor_calloc(root + 1, sizeof *place); /* 1 + node in the part; 0: not in it */
    *part = (struct cor_expression){.nodes = cor_calloc(root + 2, sizeof *part->nodes),
                                    .is_constraint = true,
                                    .integer_only = whole->integer_only,
                                    .result = COR_VALUE_INTEGER};
    if (!place || !part->nodes)
        return cor_fail_memory(error);
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
    COR_FREED bool *is_condition = cor_calloc(count, sizeof *is_condition);
    if (!constraint->atoms || !constraint->atom_of_node || !constraint->is_joint || !is_condition)
        return cor_fail_memory(error);
    is_condition[count - 1] = true;
    for (uint32_t i = count; i-- > 0;) {
        const struct cor_node *node = &expression->nodes[i];
        constraint->atom_of_node[i] = COMBINE__NO_ATOM;
        if (!is_condition[i])
            continue;
        const bool joins =
            node->operator== COR_OPERATOR_AND || node->operator== COR_OPERATOR_OR || node->operator==
            COR_OPERATOR_NOT;
        if (joins || compares_conditions(expression, i)) {
            constraint->is_joint[i] = true;
            is_condition[node->left] = true;
            if (node->operator!= COR_OPERATOR_NOT)
                is_condition[node->right] = true;
        } else {
            constraint->atom_of_node[i] = constraint->atom_count;
            struct combine__combine_atom *atom = &constraint->atoms[constraint->atom_count++];
            COR_TRY(cut(expression, i, false, &atom->holds, error));
            COR_TRY(cut(expression, i, true, &atom->denies, error));
            atom->parameters = cor_calloc(parameter_count, sizeof *atom->parameters);
            COR_TRY(cor_made(atom->parameters, error));
            for (uint32_t p = 0; p < parameter_count; p++)
                if (cor_expression_reads(&atom->holds, p))
                    atom->parameters[atom->parameter_count++] = p;
        }
    }
    return COR_OK;
}

/* ---- The model */

enum cor_status cor_combine_model_create(struct cor_words *words, struct cor_combine_model **model,
                                         struct cor_error *error) {
    COR_TRY(cor_made(*model = cor_calloc(1, sizeof **model), error));
    (*model)->words = words;
    return COR_OK;
}

void cor_combine_model_destroy(struct cor_combine_model *model) {
    if (!model)
        return;
    for (size_t i = 0; i < model->parameter_count; i++) {
        struct combine__combine_parameter *parameter = &model->parameters[i];
        for (uint32_t j = 0; parameter->levels && j < parameter->level_count; j++) {
            const char *text = parameter->levels[j].text;
            COR_FREED char *own = NULL;
            memcpy(&own, &text, sizeof own); /* a copy of ours, shown as constant */
        }
        free(parameter->levels);
        for (size_t j = 0; j < parameter->alias_count; j++)
            free(parameter->aliases[j].text);
        free(parameter->aliases);
        COR_FREED uint32_t *words = NULL;
        memcpy(&words, &parameter->domain.words, sizeof words); /* ours, likewise */
        free(parameter->name);
    }
    for (size_t i = 0; i < model->part_count; i++)
        free(model->parts[i].parameters);
    for (size_t i = 0; i < model->constraint_count; i++)
        combine__combine_constraint_fini(&model->constraints[i]);
    COR_FREE(model->parameters, model->parts, model->constraints);
    for (size_t i = 0; i < model->row_count; i++)
        free(model->row_places[i]);
    COR_FREE(model->row_places, model->rows, model);
}

enum cor_status cor_combine_add_parameter(struct cor_combine_model *model, const char *name,
                                          enum cor_value_type type, const struct cor_combine_level *levels,
                                          uint32_t level_count, const char *place, struct cor_error *error) {
    COR_ASSERT(model->constraint_count == 0 && model->part_count == 0 && model->row_count == 0);
    if (*name == '\0')
        return cor_fail(error, COR_STATUS_INPUT, place, NULL, "a parameter without a name");
    if (model->parameter_count == COR_COMBINE_PARAMETERS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, place, NULL, "there are more than %d parameters",
                        COR_COMBINE_PARAMETERS_MAX);
    for (size_t i = 0; i < model->parameter_count; i++)
        if (strcmp(model->parameters[i].name, name) == 0)
            return cor_fail(error, COR_STATUS_INPUT, place, "give each parameter a name of its own",
                            "there are two parameters \"%s\"", name);
    if (level_count == 0)
        return cor_fail(error, COR_STATUS_INPUT, place, "give it at least one", "\"%s\" has no values", name);
    if (level_count > COR_COMBINE_LEVELS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, place, "make classes of them",
                        "\"%s\" has %u values, more than %d", name, level_count, COR_COMBINE_LEVELS_MAX);
    bool any_valid = false;
    for (uint32_t k = 0; k < level_count; k++) {
        any_valid |= !levels[k].invalid;
        for (uint32_t j = 0; j < k; j++)
            if (strcmp(levels[k].text, levels[j].text) == 0)
                return cor_fail(error, COR_STATUS_INPUT, place, NULL, "\"%s\" has the value %s twice", name,
                                levels[k].text);
    }
    if (!any_valid)
        return cor_fail(error, COR_STATUS_INPUT, place, "give it a valid one",
                        "\"%s\" has invalid values only", name);
    COR_TRY(COR_RESERVE(&model->parameters, &model->parameter_capacity, model->parameter_count + 1, error));
    struct combine__combine_parameter *parameter = &model->parameters[model->parameter_count++];
    *parameter = (struct combine__combine_parameter){0};
    parameter->name = cor_strdup(name);
    parameter->levels = cor_calloc(level_count, sizeof *levels);
    if (!parameter->name || !parameter->levels)
        return cor_fail_memory(error);
    parameter->level_count = level_count;
    for (uint32_t i = 0; i < level_count; i++) {
        parameter->levels[i].text = cor_strdup(levels[i].text);
        parameter->levels[i].value = levels[i].value;
        parameter->levels[i].invalid = levels[i].invalid;
        COR_TRY(cor_made(parameter->levels[i].text, error));
    }
    /* The values, as the domain wants them; of an enumeration, its words. */
    static const char *const names[] = {"int", "float", "bool", "string", "word"};
    parameter->domain = (struct cor_domain){.type = type, .name = names[type]};
    if (type == COR_VALUE_TYPE_ENUMERATION) {
        uint32_t *words = cor_calloc(parameter->level_count, sizeof *words);
        COR_TRY(cor_made(words, error));
        for (uint32_t i = 0; i < parameter->level_count; i++) {
            COR_ASSERT(parameter->levels[i].value.kind == COR_VALUE_WORD);
            words[i] = parameter->levels[i].value.as.word;
        }
        parameter->domain.words = words;
        parameter->domain.word_count = parameter->level_count;
    }
    for (uint32_t i = 0; i < parameter->level_count; i++)
        COR_ASSERT(cor_domain_fit(&parameter->domain, &parameter->levels[i].value));
    return COR_OK;
}

enum cor_status combine__combine_add_alias(struct cor_combine_model *model, uint32_t level, const char *text,
                                           struct cor_error *error) {
    struct combine__combine_parameter *p = &model->parameters[model->parameter_count - 1];
    COR_TRY(COR_RESERVE(&p->aliases, &p->alias_capacity, p->alias_count + 1, error));
    char *own = cor_strdup(text);
    COR_TRY(cor_made(own, error));
    p->aliases[p->alias_count++] = (struct combine__combine_alias){own, level};
    return COR_OK;
}

enum cor_status combine__combine_add_constraint(struct cor_combine_model *model, const char *text,
                                                const char *shown, const char *place,
                                                struct cor_error *error) {
    COR_TRY(
        COR_RESERVE(&model->constraints, &model->constraint_capacity, model->constraint_count + 1, error));
    COR_FREED struct cor_symbol *symbols = cor_calloc(model->parameter_count, sizeof *symbols);
    COR_TRY(cor_made(symbols, error));
    for (size_t i = 0; i < model->parameter_count; i++)
        symbols[i] = (struct cor_symbol){model->parameters[i].name, &model->parameters[i].domain};
    struct cor_scope scope = {
        .symbols = symbols, .symbol_count = (uint32_t)model->parameter_count, .words = model->words};
    struct combine__combine_constraint *constraint = &model->constraints[model->constraint_count];
    *constraint = (struct combine__combine_constraint){0};
    COR_TRY(cor_expression_parse_condition(text, &scope, place, &constraint->expression, error));
    model->constraint_count++; /* from here on the model's, also when what follows fails */
    constraint->text = cor_strdup(shown);
    constraint->place = cor_strdup(place);
    if (!constraint->text || (place && !constraint->place))
        return cor_fail_memory(error);
    return combine__combine_split(constraint, (uint32_t)model->parameter_count, error);
}

enum cor_status cor_combine_add_constraint(struct cor_combine_model *model, const char *text,
                                           const char *place, struct cor_error *error) {
    return combine__combine_add_constraint(model, text, text, place, error);
}

static int compare_numbers(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

static enum cor_status add_part(struct cor_combine_model *model, const uint32_t *parameters,
                                uint32_t parameter_count, uint32_t strength, bool is_bundle,
                                const char *place, struct cor_error *error) {
    if ((strength < 1 && !is_bundle) || strength > COR_COMBINE_STRENGTH_MAX)
        return cor_fail(error, COR_STATUS_INPUT, place, NULL, "strength %u is not within 1 to %d", strength,
                        COR_COMBINE_STRENGTH_MAX);
    if (strength > parameter_count)
        return cor_fail(error, COR_STATUS_INPUT, place, "lower the strength, or name more parameters",
                        "strength %u of %u parameters", strength, parameter_count);
    COR_TRY(COR_RESERVE(&model->parts, &model->part_capacity, model->part_count + 1, error));
    uint32_t *own = cor_calloc(parameter_count, sizeof *own);
    COR_TRY(cor_made(own, error));
    memcpy(own, parameters, parameter_count * sizeof *own);
    qsort(own, parameter_count, sizeof *own, compare_numbers);
    COR_ASSERT(own[parameter_count - 1] < model->parameter_count);
    for (uint32_t i = 1; i < parameter_count; i++)
        if (own[i] == own[i - 1]) {
            enum cor_status status = cor_fail(error, COR_STATUS_INPUT, place, NULL, "\"%s\" is named twice",
                                              model->parameters[own[i]].name);
            free(own);
            return status;
        }
    model->parts[model->part_count++] =
        (struct combine__combine_part){own, parameter_count, strength, is_bundle};
    return COR_OK;
}

enum cor_status cor_combine_add_part(struct cor_combine_model *model, const uint32_t *parameters,
                                     uint32_t parameter_count, uint32_t strength, const char *place,
                                     struct cor_error *error) {
    return add_part(model, parameters, parameter_count, strength, false, place, error);
}

enum cor_status combine__combine_add_bundle(struct cor_combine_model *model, const uint32_t *parameters,
                                            uint32_t parameter_count, uint32_t strength, const char *place,
                                            struct cor_error *error) {
    return add_part(model, parameters, parameter_count, strength, true, place, error);
}

enum cor_status cor_combine_add_row(struct cor_combine_model *model, const uint32_t *levels,
                                    const char *place, struct cor_error *error) {
    size_t width = model->parameter_count;
    COR_TRY(COR_RESERVE(&model->rows, &model->row_capacity, (model->row_count + 1) * width, error));
    COR_TRY(COR_RESERVE(&model->row_places, &model->row_place_capacity, model->row_count + 1, error));
    for (size_t i = 0; i < width; i++)
        COR_ASSERT(levels[i] == COR_COMBINE_ANY || levels[i] < model->parameters[i].level_count);
    char *own = cor_strdup(place);
    if (place)
        COR_TRY(cor_made(own, error));
    memcpy(model->rows + model->row_count * width, levels, width * sizeof *levels);
    model->row_places[model->row_count++] = own;
    return COR_OK;
}

uint32_t cor_combine_parameter_count(const struct cor_combine_model *model) {
    return (uint32_t)model->parameter_count;
}

uint32_t cor_combine_level_count(const struct cor_combine_model *model, uint32_t parameter) {
    COR_ASSERT(parameter < model->parameter_count);
    return model->parameters[parameter].level_count;
}

const char *cor_combine_parameter_name(const struct cor_combine_model *model, uint32_t parameter) {
    COR_ASSERT(parameter < model->parameter_count);
    return model->parameters[parameter].name;
}

const struct cor_combine_level *cor_combine_level(const struct cor_combine_model *model, uint32_t parameter,
                                                  uint32_t level) {
    COR_ASSERT(parameter < model->parameter_count && level < model->parameters[parameter].level_count);
    return &model->parameters[parameter].levels[level];
}

const char *combine__combine_bare(const struct cor_combine_level *level) {
    return level->invalid && level->text[0] == '~' ? level->text + 1 : level->text;
}

bool combine__combine_number(const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == '\0' && strspn(text, "+-.0123456789eE") == strlen(text) &&
           *number <= 1e300 && *number >= -1e300;
}

uint32_t cor_combine_find_parameter(const struct cor_combine_model *model, const char *name) {
    for (uint32_t p = 0; p < model->parameter_count; p++)
        if (strcmp(model->parameters[p].name, name) == 0)
            return p;
    return COR_NONE;
}

uint32_t cor_combine_find_level(const struct cor_combine_model *model, uint32_t parameter, const char *text) {
    const struct combine__combine_parameter *p = &model->parameters[parameter];
    for (uint32_t l = 0; l < p->level_count; l++)
        if (strcmp(p->levels[l].text, text) == 0)
            return l;
    for (uint32_t l = 0; l < p->level_count; l++) {
        const struct cor_combine_level *it = &p->levels[l];
        double wanted, number;
        if (strcmp(it->text, text) == 0 || strcmp(combine__combine_bare(it), text) == 0)
            return l;
        if ((p->domain.type == COR_VALUE_TYPE_INTEGER || p->domain.type == COR_VALUE_TYPE_REAL) &&
            combine__combine_number(text, &wanted) &&
            combine__combine_number(combine__combine_bare(it), &number) && wanted == number)
            return l;
    }
    for (size_t i = 0; i < p->alias_count; i++)
        if (strcmp(p->aliases[i].text, text) == 0)
            return p->aliases[i].level;
    return COR_NONE;
}

const char *cor_combine_policy_word(size_t policy) {
    static const char *const words[] = {"valid-t", "valid-all", "t-wise", "all"};
    return policy < sizeof words / sizeof *words ? words[policy] : NULL;
}

struct cor_combine_request cor_default_combine_request(void) {
    return (struct cor_combine_request){.policy = COR_COMBINE_VALID_T_WISE, .strength = 2, .seed = 1};
}

void combine__say(const struct cor_combine_request *request, const char *what, uint64_t done,
                  uint64_t count) {
    char text[128];
    if (!request->doing)
        return;
    if (count == 0)
        snprintf(text, sizeof text, "%s", what);
    else
        snprintf(text, sizeof text, "%s, %.0f %%", what, 100 * (double)done / (double)count);
    request->doing(text);
}

enum cor_status combine__combine_check_request(const struct cor_combine_model *model,
                                               const struct cor_combine_request *request,
                                               struct cor_error *error) {
    if (model->parameter_count == 0)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "name at least one", "the model has no parameters");
    if (request->strength < 1 || request->strength > COR_COMBINE_STRENGTH_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "strength %u is not within 1 to %d",
                        request->strength, COR_COMBINE_STRENGTH_MAX);
    if (request->strength > model->parameter_count)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "lower it, or ask for all rows with the policy all",
                        "strength %u, but the model has %zu parameter%s", request->strength,
                        model->parameter_count, model->parameter_count == 1 ? "" : "s");
    return COR_OK;
}

void cor_combine_tuple_text(const struct cor_combine_model *model, const struct cor_combine_tuple *tuple,
                            char *text, size_t size) {
    size_t used = 0;
    if (size > 0)
        *text = '\0';
    for (uint32_t i = 0; i < tuple->count && used < size; i++) {
        const struct combine__combine_parameter *parameter = &model->parameters[tuple->parameter[i]];
        int wrote = snprintf(text + used, size - used, "%s%s = %s", i > 0 ? ", " : "", parameter->name,
                             parameter->levels[tuple->level[i]].text);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

/* ---- rows as text: those to keep, and those of others that are to be judged */

struct table {
    const struct cor_combine_model *model;
    struct cor_delimited text;
    uint32_t *columns; /* owned; parameter of each column */
    size_t column_count, column_capacity;
    struct cor_error *error;
};

static enum cor_status fail_unknown(const struct table *t, const char *what, const char *const *names) {
    char known[512];
    cor_known_names(t->text.field, names, known, sizeof known);
    return cor_delimited_fail(&t->text, known, "%s \"%s\"", what, t->text.field);
}

/* The line of names. */
static enum cor_status read_names(struct table *t, bool whole) {
    bool last = false;
    /* The separator of a line of names: the first that occurs outside of quotes. */
    const char *at = t->text.at;
    for (bool quoted = *at == '"'; *at && (quoted || (*at != t->text.line_end && !strchr(",;\t", *at)));)
        quoted = quoted != (*++at == '"');
    t->text.separator = *at && *at != t->text.line_end ? *at : ',';
    while (!last) {
        COR_TRY(cor_delimited_next(&t->text, &last));
        uint32_t parameter = cor_combine_find_parameter(t->model, t->text.field);
        if (parameter == COR_NONE) {
            COR_FREED const char **names = cor_calloc(t->model->parameter_count + 1, sizeof *names);
            COR_TRY(cor_made(names, t->error));
            for (size_t i = 0; i < t->model->parameter_count; i++)
                names[i] = t->model->parameters[i].name;
            return fail_unknown(t, "there is no parameter", names);
        }
        for (size_t i = 0; i < t->column_count; i++)
            if (t->columns[i] == parameter)
                return cor_delimited_fail(&t->text, NULL, "two columns \"%s\"", t->text.field);
        COR_TRY(COR_RESERVE(&t->columns, &t->column_capacity, t->column_count + 1, t->error));
        t->columns[t->column_count++] = parameter;
    }
    for (uint32_t p = 0; whole && p < t->model->parameter_count; p++) {
        bool found = false;
        for (size_t i = 0; i < t->column_count; i++)
            found = found || t->columns[i] == p;
        if (!found)
            return cor_fail(t->error, COR_STATUS_INPUT, t->text.name,
                            "add it to the line of names, and to each row", "there is no column \"%s\"",
                            t->model->parameters[p].name);
    }
    return COR_OK;
}

static enum cor_status read_row(struct table *t, bool whole, uint32_t *levels) {
    size_t column = 0;
    size_t line = t->text.line;
    bool last = false;
    for (uint32_t p = 0; p < t->model->parameter_count; p++)
        levels[p] = COR_COMBINE_ANY;
    while (!last) {
        COR_TRY(cor_delimited_next(&t->text, &last));
        if (column == t->column_count)
            return cor_delimited_fail(&t->text, NULL, "more than %zu cells", t->column_count);
        uint32_t p = t->columns[column++];
        /* An empty cell leaves the value open; in quotes, or where none may be open, it can be an empty text.
         */
        bool empty = *t->text.field == '\0' &&
                     ((!t->text.is_quoted && !whole) || cor_combine_find_level(t->model, p, "") == COR_NONE);
        levels[p] = empty ? COR_COMBINE_ANY : cor_combine_find_level(t->model, p, t->text.field);
        if (empty && whole)
            return cor_delimited_fail(&t->text, "say a value for each parameter", "no value of \"%s\"",
                                      t->model->parameters[p].name);
        if (!empty && levels[p] == COR_NONE) {
            const struct combine__combine_parameter *it = &t->model->parameters[p];
            COR_FREED const char **names = cor_calloc(it->level_count + 1, sizeof *names);
            char what[300];
            COR_TRY(cor_made(names, t->error));
            for (uint32_t i = 0; i < it->level_count; i++)
                names[i] = it->levels[i].text;
            snprintf(what, sizeof what, "\"%s\" has no value", it->name);
            return fail_unknown(t, what, names);
        }
    }
    if (column < t->column_count) {
        char place[512];
        snprintf(place, sizeof place, "%s:%zu", t->text.name, line);
        return cor_fail(t->error, COR_STATUS_INPUT, place, NULL, "%zu cells, but the line of names has %zu",
                        column, t->column_count);
    }
    return COR_OK;
}

/* False: nothing else is left. */
static bool skip_empty_lines(struct cor_delimited *text) {
    while (!cor_delimited_at_end(text) &&
           (*text->at == text->line_end ||
            (*text->at == '\r' && text->at + 1 < text->end && text->at[1] == '\n')))
        cor_delimited_skip_line(text);
    return !cor_delimited_at_end(text);
}

enum cor_status cor_combine_read_rows(const char *text, const char *name,
                                      const struct cor_combine_model *model, bool whole,
                                      struct cor_combine_rows *rows, struct cor_error *error) {
    struct table t = {
        .model = model, .text = cor_delimited_begin(text, strlen(text), name, ',', error), .error = error};
    size_t width = model->parameter_count;
    enum cor_status status = COR_OK;
    *rows = (struct cor_combine_rows){0};
    if (!skip_empty_lines(&t.text))
        return cor_fail(error, COR_STATUS_INPUT, name, "begin with the names of the parameters",
                        "there is no line of names");
    COR_TRY_OUT(read_names(&t, whole));
    while (skip_empty_lines(&t.text)) {
        COR_TRY_OUT(COR_RESERVE(&rows->levels, &rows->level_capacity, (rows->row_count + 1) * width, error));
        COR_TRY_OUT(COR_RESERVE(&rows->lines, &rows->line_capacity, rows->row_count + 1, error));
        rows->lines[rows->row_count] = (uint32_t)t.text.line;
        COR_TRY_OUT(read_row(&t, whole, rows->levels + rows->row_count * width));
        rows->row_count++;
    }
out:
    COR_FREE(t.text.field, t.columns);
    return status;
}

void cor_combine_rows_fini(struct cor_combine_rows *rows) {
    COR_FREE(rows->levels, rows->lines);
    *rows = (struct cor_combine_rows){0};
}

/* ---- which tool's language a text is in */
