/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A corridor as a text is read, and held against what the agents of a model have. */
#include "text_internal.h"

#include <corridor/array.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum cor_status interaction__text_complain(const struct interaction__text *text, const char *at,
                                           struct cor_error *error, const char *remedy, const char *format,
                                           ...) {
    char what[600], place[512];
    size_t line, column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    cor_corridor_place(text->corridor, at, &line, &column);
    snprintf(place, sizeof place, "%.400s:%zu:%zu", text->name, line, column);
    return cor_fail(error, COR_STATUS_INPUT, place, remedy, "%s", what);
}

/* ---- reading */

static enum cor_status read_lines(const struct cor_json *json, struct interaction__text *text,
                                  struct cor_error *error) {
    char place[600];
    COR_TRY(cor_json_expect_array(json, 1, COR_CORRIDOR_BYTES_MAX, error));
    cor_json_place(json, place, sizeof place);
    text->name = cor_strdup(place);
    text->source = cor_strdup("");
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        const char *line;
        COR_TRY(cor_json_string(&item, &line, error));
        if (strchr(line, '\n'))
            return cor_json_fail(&item, error, "make an item of each line", "holds the end of a line");
        text->source = cor_join_take(text->source, i > 0 ? "\n" : "", cor_strdup(line));
        COR_TRY(cor_made(text->source, error));
    }
    return cor_made(text->name, error);
}

static enum cor_status read_file(const struct cor_json *json, struct interaction__text *text,
                                 struct cor_error *error) {
    const char *file;
    size_t length = 0;
    COR_TRY(cor_json_string(json, &file, error));
    if (file[0] == '\0')
        return cor_json_fail(json, error, "the path of a file, from the folder of this one on",
                             "names no file");
    text->name = cor_json_beside(json, file);
    COR_TRY(cor_made(text->name, error));
    struct cor_error said = COR_NO_ERROR;
    if (cor_json_read_text(text->name, &text->source, &length, &said) != COR_OK) {
        char remedy[600] = COR_JSON_NAMED_IN;
        cor_json_place(json, remedy + strlen(remedy), sizeof remedy - strlen(remedy));
        return cor_fail(error, said.status, said.place, said.status == COR_STATUS_FILE ? remedy : said.remedy,
                        "%s", said.cause);
    }
    return strlen(text->source) == length
               ? COR_OK
               : cor_fail(error, COR_STATUS_INPUT, text->name, NULL, "has zero bytes, and is no text");
}

/* Names of conditions for formulas, the rule of returning, and the formulas. */
static enum cor_status read_time(struct interaction__text *text, struct cor_error *error) {
    const struct cor_corridor *corridor = text->corridor;
    const uint32_t count = corridor->constraint_count;
    text->conditions = cor_calloc(count + CONDITIONS_FIRST + 1, sizeof *text->conditions);
    text->formulas = cor_calloc(count + 1, sizeof *text->formulas);
    if (!text->conditions || !text->formulas)
        return cor_fail_memory(error);
    text->conditions[CONDITION_ALARM] = "alarm";
    text->conditions[CONDITION_INSIDE] = "inside";
    uint32_t conditions = CONDITIONS_FIRST;
    for (uint32_t c = 0; c < count; c++) {
        const struct cor_constraint *constraint = &corridor->constraints[c];
        if (strcmp(constraint->name, "alarm") == 0 || strcmp(constraint->name, "inside") == 0)
            return interaction__text_complain(text, constraint->text, error, "choose another name",
                                              "\"%s\" is what formulas of time say", constraint->name);
        text->has_returns = text->has_returns || strcmp(constraint->name, COR_CORRIDOR_RETURNS) == 0;
        if (constraint->kind != COR_CONSTRAINT_TEMPORAL)
            text->conditions[conditions++] = constraint->name;
    }
    text->count = count + !text->has_returns;
    for (uint32_t c = 0; c < count; c++) {
        const struct cor_constraint *constraint = &corridor->constraints[c];
        char place[700];
        size_t line, column;
        if (constraint->kind != COR_CONSTRAINT_TEMPORAL)
            continue;
        cor_corridor_place(corridor, constraint->text, &line, &column);
        snprintf(place, sizeof place, "%.500s:%zu:%zu: %s", text->name, line, column, constraint->name);
        COR_TRY(cor_temporal_parse(constraint->text, text->conditions, place, &text->formulas[c], error));
    }
    return COR_OK;
}

/* What each says, in one line. */
static enum cor_status make_sentences(struct interaction__text *text, struct cor_error *error) {
    static const char by_default[] = "back inside within some cases of an alarm, as the arm says";
    const struct cor_corridor *corridor = text->corridor;
    text->sentences = cor_calloc(text->count, sizeof *text->sentences);
    COR_TRY(cor_made(text->sentences, error));
    for (uint32_t c = 0; c < text->count; c++) {
        const char *says = c < corridor->constraint_count ? corridor->constraints[c].text : by_default;
        const struct cor_span span = {says, (uint32_t)strlen(says)};
        char *line = text->sentences[c] = cor_calloc(span.length + (size_t)2, 1);
        COR_TRY(cor_made(line, error));
        cor_span_text(&span, line, span.length + (size_t)2);
        /* Blanks at the end of the statement are none of it. */
        for (size_t end = strlen(line); end > 0 && line[end - 1] == ' '; end--)
            line[end - 1] = '\0';
    }
    return COR_OK;
}

/* What comes behind the source. */
static enum cor_status read_source(struct interaction__text *text, struct cor_error *error) {
    COR_TRY(cor_corridor_parse(text->source, text->name, &text->corridor, error));
    COR_TRY(read_time(text, error));
    return make_sentences(text, error);
}

static enum cor_status end_reading(enum cor_status status, struct interaction__text **text) {
    if (status != COR_OK) {
        interaction__text_destroy(*text);
        *text = NULL;
    }
    return status;
}

enum cor_status interaction__text_read(const struct cor_json *json, struct interaction__text **text,
                                       struct cor_error *error) {
    struct interaction__text *made = *text = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    enum cor_status status =
        cor_json_is_array(json) ? read_lines(json, made, error)
        : cor_json_is_string(json)
            ? read_file(json, made, error)
            : cor_json_fail(json, error, "the path of a file, or an array of lines", "is no corridor");
    if (status == COR_OK)
        status = read_source(made, error);
    return end_reading(status, text);
}

enum cor_status interaction__text_read_path(const char *path, struct interaction__text **text,
                                            struct cor_error *error) {
    struct interaction__text *made = *text = cor_calloc(1, sizeof *made);
    size_t length = 0;
    COR_TRY(cor_made(made, error));
    made->name = cor_strdup(cor_json_path_name(path));
    enum cor_status status = cor_made(made->name, error);
    if (status == COR_OK)
        status = cor_json_read_text(path, &made->source, &length, error);
    if (status == COR_OK && strlen(made->source) != length)
        status = cor_fail(error, COR_STATUS_INPUT, made->name, NULL, "has zero bytes, and is no text");
    if (status == COR_OK)
        status = read_source(made, error);
    return end_reading(status, text);
}

void interaction__text_destroy(struct interaction__text *text) {
    if (!text)
        return;
    for (uint32_t c = 0; text->formulas && c < text->corridor->constraint_count; c++)
        cor_temporal_destroy(text->formulas[c]);
    for (uint32_t c = 0; text->sentences && c < text->count; c++)
        free(text->sentences[c]);
    free(text->sentences);
    free(text->formulas);
    free(text->conditions);
    free(text->changes);
    free(text->is_partial);
    cor_corridor_destroy(text->corridor);
    free(text->source);
    free(text->name);
    free(text);
}

enum cor_structure_kind interaction__text_structure(const struct interaction__text *text) {
    return text->corridor->kind;
}

void interaction__text_put(const struct interaction__text *text, struct cor_json_writer *writer,
                           const char *key) {
    cor_json_open_array(writer, key);
    for (const char *line = text->source; line;) {
        const char *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) : strlen(line);
        if (length > 0 && line[length - 1] == '\r')
            length--;
        cor_json_put_part(writer, NULL, line, length);
        line = end && end[1] ? end + 1 : NULL;
    }
    cor_json_close(writer);
}

/* ---- what it says */

uint32_t interaction__text_parameter_count(const struct interaction__text *text) {
    return text->corridor->parameter_count;
}

uint32_t interaction__text_count(const struct interaction__text *text) {
    return text->count;
}

bool interaction__text_has_returns(const struct interaction__text *text) {
    return text->has_returns;
}

const char *interaction__text_name(const struct interaction__text *text, uint32_t constraint) {
    COR_ASSERT(constraint < text->count);
    return constraint < text->corridor->constraint_count ? text->corridor->constraints[constraint].name
                                                         : COR_CORRIDOR_RETURNS;
}

uint32_t interaction__text_kind(const struct interaction__text *text, uint32_t constraint) {
    if (constraint >= text->corridor->constraint_count)
        return COR_TEXT_TIME;
    const struct cor_constraint *it = &text->corridor->constraints[constraint];
    if (it->kind == COR_CONSTRAINT_TEMPORAL)
        return COR_TEXT_TIME;
    return (it->is_invariant ? COR_TEXT_INVARIANT : 0u) | (it->cases > 0 ? COR_TEXT_TRIGGER : 0u);
}

uint32_t interaction__text_cases(const struct interaction__text *text, uint32_t constraint) {
    return text->corridor->constraints[constraint].cases;
}

const char *interaction__text_sentence(const struct interaction__text *text, uint32_t constraint) {
    COR_ASSERT(constraint < text->count);
    return text->sentences[constraint];
}

/* Whether a condition reads the attribute of agents. */
static bool reads(const struct cor_expression *condition, uint32_t attribute) {
    for (uint32_t i = 0; i < condition->node_count; i++) {
        const struct cor_node *node = &condition->nodes[i];
        if (node->operator== COR_OPERATOR_ATTRIBUTE && node->element == COR_AGENT &&
            node->variable == attribute)
            return true;
    }
    return false;
}

int interaction__text_attribute(const struct interaction__text *text, const char *name) {
    const struct cor_corridor *corridor = text->corridor;
    uint32_t a = 0;
    while (a < corridor->attribute_count && strcmp(corridor->attributes[a].name, name) != 0)
        a++;
    for (uint32_t c = 0; a < corridor->attribute_count && c < corridor->constraint_count; c++)
        if (reads(&corridor->constraints[c].condition, a))
            return (int)a;
    return a < corridor->attribute_count && reads(&corridor->objective.condition, a) ? (int)a : -1;
}

bool interaction__text_is_fixed(const struct interaction__text *text, uint32_t constraint) {
    for (uint32_t a = 0; a < text->corridor->attribute_count; a++)
        if (text->changes[a] && reads(&text->corridor->constraints[constraint].condition, a))
            return false;
    return true;
}

enum cor_status interaction__text_word(const struct interaction__text *text, const char *word,
                                       int64_t *number, struct cor_error *error) {
    uint32_t code = 0;
    COR_TRY(cor_words_intern(&text->corridor->words, word, &code, error));
    *number = code;
    return COR_OK;
}

/* ---- against the agents */

/* The type in the words of the text. */
static const char *type_word(enum cor_attribute_type type) {
    static const char *const words[] = {"real", "integer", "boolean", "words"};
    return words[type];
}

static bool is_type(const struct cor_quantity *quantity, enum cor_attribute_type type) {
    switch (quantity->domain.type) {
    case COR_VALUE_TYPE_REAL:
        return type == COR_ATTRIBUTE_REAL;
    case COR_VALUE_TYPE_INTEGER:
        return type == COR_ATTRIBUTE_INTEGER;
    case COR_VALUE_TYPE_BOOLEAN:
        return type == COR_ATTRIBUTE_BOOLEAN;
    default:
        return type == COR_ATTRIBUTE_WORDS;
    }
}

/* What agents can be is something that the text lists, where it lists anything. */
static enum cor_status check_words(const struct interaction__text *text, const struct cor_quantity *quantity,
                                   const struct interaction__column *column, struct cor_error *error) {
    const struct cor_domain *domain = &quantity->domain;
    for (size_t w = 0; domain->type == COR_VALUE_TYPE_ENUMERATION && column->words && column->words[w]; w++) {
        bool found = false;
        for (uint32_t i = 0; i < domain->word_count && !found; i++)
            found = strcmp(cor_words_text(&text->corridor->words, domain->words[i]), column->words[w]) == 0;
        if (!found)
            return interaction__text_complain(text, quantity->at, error, "add it to the words",
                                              "\"%s\" of an agent can be \"%s\", which is not listed",
                                              quantity->name, column->words[w]);
    }
    return COR_OK;
}

static enum cor_status check_quantity(const struct interaction__text *text,
                                      const struct cor_quantity *quantity,
                                      const struct interaction__column *column, struct cor_error *error) {
    char remedy[128];
    snprintf(remedy, sizeof remedy, "write attribute %.60s: %s", quantity->name, type_word(column->type));
    if (!is_type(quantity, column->type))
        return interaction__text_complain(text, quantity->at, error, remedy,
                                          "\"%s\" of agents is of type %s, not %s", quantity->name,
                                          type_word(column->type), quantity->domain.name);
    if (quantity->unit && (!column->unit || strcmp(quantity->unit, column->unit) != 0))
        return interaction__text_complain(text, quantity->at, error, "write the unit of the model",
                                          "\"%s\" of agents is in %s, not in %s", quantity->name,
                                          column->unit ? column->unit : "no unit", quantity->unit);
    if (column->type <= COR_ATTRIBUTE_INTEGER &&
        (quantity->low > column->low || quantity->high < column->high))
        return interaction__text_complain(
            text, quantity->at, error, "make the range wider",
            "\"%s\" of agents lies in %.10g .. %.10g, which is not within %.10g .. "
            "%.10g",
            quantity->name, column->low, column->high, quantity->low, quantity->high);
    return check_words(text, quantity, column, error);
}

/* A word that no agent has is no word to compare with: a slip of the pen. */
static enum cor_status check_literals(const struct interaction__text *text,
                                      const struct cor_expression *condition, uint32_t attribute,
                                      const struct interaction__column *column, struct cor_error *error) {
    for (uint32_t i = 0; i < condition->node_count && column->words; i++) {
        const struct cor_node *node = &condition->nodes[i];
        if (node->operator!= COR_OPERATOR_EQUAL && node->operator!= COR_OPERATOR_NOT_EQUAL)
            continue;
        for (int side = 0; side < 2; side++) {
            const uint32_t word = side == 0 ? node->left : node->right;
            const struct cor_node *literal = &condition->nodes[word],
                                  *other = &condition->nodes[side == 0 ? node->right : node->left];
            if (literal->operator!= COR_OPERATOR_CONSTANT || literal->type != COR_NODE_WORD ||
                other->
                operator!= COR_OPERATOR_ATTRIBUTE || other->element != COR_AGENT ||
                other->variable != attribute)
                continue;
            const char *said = cor_words_text(&text->corridor->words, (uint32_t)literal->constant);
            bool found = false;
            char remedy[1024];
            for (size_t w = 0; column->words[w] && !found; w++)
                found = strcmp(column->words[w], said) == 0;
            cor_known_names(said, column->words, remedy, sizeof remedy);
            if (!found)
                return interaction__text_complain(text, condition->spans[word].at, error, remedy,
                                                  "\"%s\" of an agent is never \"%.200s\"", column->name,
                                                  said);
        }
    }
    return COR_OK;
}

static enum cor_status check_attribute(struct interaction__text *text, uint32_t attribute,
                                       const struct interaction__column *columns, uint32_t count,
                                       struct cor_error *error) {
    const struct cor_corridor *corridor = text->corridor;
    const struct cor_quantity *quantity = &corridor->attributes[attribute];
    const char *names[COR_CORRIDOR_ROWS_MAX + 1] = {NULL};
    char remedy[1024];
    uint32_t found = 0;
    for (uint32_t c = 0; c < count && c < COR_CORRIDOR_ROWS_MAX; c++)
        names[c] = columns[c].name;
    while (found < count && strcmp(columns[found].name, quantity->name) != 0)
        found++;
    cor_known_names(quantity->name, names, remedy, sizeof remedy);
    if (found == count)
        return interaction__text_complain(text, quantity->at, error, remedy,
                                          "the agents of the model have no \"%s\"", quantity->name);
    text->changes[attribute] = columns[found].changes;
    text->is_partial[attribute] = columns[found].is_partial;
    if (quantity->at)
        COR_TRY(check_quantity(text, quantity, &columns[found], error));
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        COR_TRY(check_literals(text, &corridor->constraints[c].condition, attribute, &columns[found], error));
    return check_literals(text, &corridor->objective.condition, attribute, &columns[found], error);
}

/* Both say the same kind; an experiment that says none has partitionings, and is not given another one by
 * its text. */
static enum cor_status check_kind(const struct interaction__text *text,
                                  const struct interaction__agents *agents, struct cor_error *error) {
    const char *mine = cor_structure_words[text->corridor->kind], *theirs = cor_structure_words[agents->kind];
    char remedy[200], place[600] = "which says no kind";
    if (text->corridor->kind == COR_STRUCTURE_OBSERVED)
        return interaction__text_complain(
            text, text->corridor->kind_at, error,
            "write the kind that the algorithm makes, or an experiment with \"process\"",
            "what is observed is no structure that an algorithm makes: it is of the layer `process`");
    snprintf(remedy, sizeof remedy,
             "write structure %s, or \"kind\": \"%s\" in the \"structure\" of the model", theirs, mine);
    if (agents->kind_place[0])
        snprintf(place, sizeof place, "at %.590s", agents->kind_place);
    return text->corridor->kind == agents->kind
               ? COR_OK
               : interaction__text_complain(text, text->corridor->kind_at, error, remedy,
                                            "the corridor is of a %s, the experiment, %s, of a %s", mine,
                                            place, theirs);
}

/* What no experiment gives: the state before, and attributes of organizations. */
static enum cor_status check_asked(const struct interaction__text *text, struct cor_error *error) {
    const struct cor_corridor *corridor = text->corridor;
    for (uint32_t c = 0; c < corridor->constraint_count; c++) {
        const struct cor_expression *condition = &corridor->constraints[c].condition;
        for (uint32_t i = 0; i < condition->node_count; i++) {
            char part[200];
            if (condition->nodes[i].operator!= COR_OPERATOR_BEFORE)
                continue;
            cor_span_text(&condition->spans[i], part, sizeof part);
            return interaction__text_complain(text, condition->spans[i].at, error,
                                              "write a formula of time: temporal NAME: FORMULA",
                                              "\"%s\" asks for the state before, which an experiment does "
                                              "not keep",
                                              part);
        }
    }
    return corridor->organization_attribute_count == 0
               ? COR_OK
               : interaction__text_complain(
                     text, corridor->organization_attributes[0].at, error,
                     "define it of what members have, as in \"define demand(o): sum(a in "
                     "o.members: a.load)\", or write a parameter; corridor judge takes "
                     "states that have it",
                     "the organizations of an experiment have no \"%s\": algorithms "
                     "make them anew",
                     corridor->organization_attributes[0].name);
}

enum cor_status interaction__text_check(struct interaction__text *text,
                                        const struct interaction__agents *agents, bool is_watched,
                                        struct cor_error *error) {
    COR_TRY(check_kind(text, agents, error));
    COR_TRY(check_asked(text, error));
    free(text->changes);
    free(text->is_partial);
    text->changes = cor_calloc(text->corridor->attribute_count, sizeof *text->changes);
    text->is_partial = cor_calloc(text->corridor->attribute_count, sizeof *text->is_partial);
    COR_TRY(cor_made(text->changes, error));
    COR_TRY(cor_made(text->is_partial, error));
    for (uint32_t a = 0; a < text->corridor->attribute_count; a++)
        COR_TRY(check_attribute(text, a, agents->columns, agents->column_count, error));
    struct cor_trigger_program program = {0}, objective = {0};
    uint32_t root;
    enum cor_status status = is_watched ? interaction__text_lower(text, NULL, &program, error) : COR_OK;
    if (status == COR_OK && is_watched && text->corridor->objective.name)
        status = interaction__text_lower_objective(text, NULL, &objective, &root, error);
    cor_trigger_program_fini(&program);
    cor_trigger_program_fini(&objective);
    return status;
}

enum cor_status interaction__text_find_parameters(const struct interaction__text *text, const char *arm,
                                                  const struct interaction__number *numbers, uint32_t count,
                                                  uint32_t *found, struct cor_error *error) {
    const char *names[COR_CORRIDOR_ROWS_MAX + 1] = {NULL};
    for (uint32_t n = 0; n < count && n < COR_CORRIDOR_ROWS_MAX; n++)
        names[n] = numbers[n].name;
    for (uint32_t p = 0; p < text->corridor->parameter_count; p++) {
        const struct cor_quantity *parameter = &text->corridor->parameters[p];
        const enum cor_value_type type = parameter->domain.type;
        char remedy[1024];
        found[p] = 0;
        if (type != COR_VALUE_TYPE_REAL && type != COR_VALUE_TYPE_INTEGER)
            return interaction__text_complain(text, parameter->at, error, "write real or integer",
                                              "parameters of an experiment are numbers");
        while (found[p] < count && strcmp(numbers[found[p]].name, parameter->name) != 0)
            found[p]++;
        cor_known_names(parameter->name, names, remedy, sizeof remedy);
        if (found[p] == count)
            return interaction__text_complain(text, parameter->at, error, remedy,
                                              "arm \"%s\" has no parameter \"%s\"", arm, parameter->name);
        if (type == COR_VALUE_TYPE_INTEGER && !numbers[found[p]].is_integer)
            return interaction__text_complain(text, parameter->at, error, "write real",
                                              "the parameter \"%s\" of arm \"%s\" is no integer",
                                              parameter->name, arm);
        const struct interaction__number *number = &numbers[found[p]];
        if (number->high < parameter->low || number->low > parameter->high)
            return interaction__text_complain(text, parameter->at, error, "make the range wider",
                                              "the parameter \"%s\" of arm \"%s\" is never within %.10g .. "
                                              "%.10g",
                                              parameter->name, arm, parameter->low, parameter->high);
    }
    return COR_OK;
}
