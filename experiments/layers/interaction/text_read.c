/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A corridor as a text is read, and held against what the agents of a model have. */
#include "text_internal.h"

#include <corridor/array.h>
#include <corridor/names.h>
#include <corridor/prove.h>
#include <corridor/solve.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading */

static enum cor_status read_lines(const struct cor_json *json, struct interaction__text *text,
                                  struct cor_error *error) {
    char place[600];
    COR_TRY(cor_json_expect_array(json, 1, COR_CORRIDOR_BYTES_MAX, error));
    cor_json_place(json, place, sizeof place);
    text->name = cor_strdup(place);
    text->source = cor_strdup("");
    COR_JSON_CHILDREN(item, json) {
        const char *line;
        COR_TRY(cor_json_string(&item, &line, error));
        if (strchr(line, '\n'))
            return cor_json_fail(&item, error, "make an item of each line", "holds the end of a line");
        text->source = cor_join_take(text->source, item.index > 0 ? "\n" : "", cor_strdup(line));
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
    COR_TRY(cor_made(text->name = cor_json_beside(json, file), error));
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

/* What comes behind the source. */
static enum cor_status read_source(struct interaction__text *text, struct cor_error *error) {
    COR_TRY(cor_corridor_parse(text->source, text->name, &text->corridor, error));
    /* Names of conditions for formulas, the rule of returning, and the formulas. */
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
    /* What each says, in one line. */
    static const char by_default[] = "back inside within some cases of an alarm, as the arm says";
    COR_TRY(cor_made(text->sentences = cor_calloc(text->count, sizeof *text->sentences), error));
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
    COR_FREE(text->sentences, text->formulas, text->conditions, text->changes, text->is_partial);
    cor_corridor_destroy(text->corridor);
    COR_FREE(text->source, text->name, text);
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

bool interaction__text_is_each(const struct interaction__text *text, uint32_t constraint) {
    return constraint < text->corridor->constraint_count && text->corridor->constraints[constraint].is_each;
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
    /* What agents can be is something that the text lists, where it lists anything. */
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

bool interaction__text_keeps(const struct interaction__text *text) {
    return text->corridor->organization_attribute_count > 0;
}

uint32_t interaction__text_reads_kept(const struct cor_expression *condition) {
    for (uint32_t i = 0; i < condition->node_count; i++) {
        const struct cor_node *node = &condition->nodes[i];
        if (node->operator== COR_OPERATOR_ATTRIBUTE && node->element == COR_ORGANIZATION &&
            node->variable >= COR_ORGANIZATION_DECLARED)
            return i;
    }
    return COR_NONE;
}

/* What organizations keep is drawn within a range, and no algorithm is told: only triggers ask for it. */
static enum cor_status check_kept(const struct interaction__text *text, struct cor_error *error) {
    const struct cor_corridor *corridor = text->corridor;
    for (uint32_t q = 0; q < corridor->organization_attribute_count; q++) {
        const struct cor_quantity *it = &corridor->organization_attributes[q];
        const bool is_integer = it->domain.type == COR_VALUE_TYPE_INTEGER;
        if (!is_integer && it->domain.type != COR_VALUE_TYPE_REAL)
            continue;
        if (isinf(it->low) || isinf(it->high))
            return interaction__text_complain(
                text, it->at, error,
                "write a range, within which each organization draws its own: real 100 .. 300; or write "
                "a parameter, one for all",
                "nothing says what \"%s\" of an organization is in an experiment", it->name);
        if (is_integer && it->high - it->low > UINT32_MAX - 1.0)
            return interaction__text_complain(text, it->at, error, "write a range that is narrower",
                                              "the range of \"%s\", of which organizations draw, spans more "
                                              "than 4294967294",
                                              it->name);
    }
    for (uint32_t c = 0; c <= corridor->constraint_count; c++) {
        const bool is_objective = c == corridor->constraint_count;
        const struct cor_constraint *it = is_objective ? &corridor->objective : &corridor->constraints[c];
        const uint32_t node = interaction__text_reads_kept(&it->condition);
        char part[200];
        if (node == COR_NONE || (!is_objective && !it->is_invariant))
            continue;
        cor_span_text(&it->condition.spans[node], part, sizeof part);
        return interaction__text_complain(
            text, it->condition.spans[node].at, error,
            "make it a trigger, which the system watches, or define it of what members have, as in \"define "
            "demand(o): sum(a in o.members: a.load)\"",
            "no algorithm is told \"%s\", so that %s cannot ask for it", part,
            is_objective ? "an objective" : "an invariant");
    }
    return COR_OK;
}

/* What no experiment gives: the state before. */
static enum cor_status check_asked(const struct interaction__text *text, struct cor_error *error) {
    const struct cor_corridor *corridor = text->corridor;
    for (uint32_t c = 0; c < corridor->constraint_count; c++) {
        const struct cor_expression *condition = &corridor->constraints[c].condition;
        for (uint32_t i = 0; i < condition->node_count; i++) {
            char part[200];
            if (condition->nodes[i].operator!= COR_OPERATOR_BEFORE)
                continue;
            cor_span_text(&condition->spans[i], part, sizeof part);
            return interaction__text_complain(
                text, condition->spans[i].at, error,
                "name conditions of one state, and say how they follow each other: "
                "temporal NAME: always (ONE implies next OTHER); corridor judge "
                "knows the state before, of states that are written down",
                "\"%s\" asks for the state before, and an experiment judges each "
                "structure by the values of its own case",
                part);
        }
    }
    return check_kept(text, error);
}

enum cor_status interaction__text_check(struct interaction__text *text,
                                        const struct interaction__agents *agents, bool is_watched,
                                        struct cor_error *error) {
    COR_TRY(check_kind(text, agents, error));
    COR_TRY(check_asked(text, error));
    COR_FREE(text->changes, text->is_partial);
    text->changes = cor_calloc(text->corridor->attribute_count, sizeof *text->changes);
    text->is_partial = cor_calloc(text->corridor->attribute_count, sizeof *text->is_partial);
    COR_TRY(cor_made(text->changes, error));
    COR_TRY(cor_made(text->is_partial, error));
    for (uint32_t a = 0; a < text->corridor->attribute_count; a++) {
        const struct cor_corridor *corridor = text->corridor;
        const struct cor_quantity *quantity = &corridor->attributes[a];
        const struct cor_names columns =
            COR_RECORD_NAMES(agents->columns, agents->column_count, struct interaction__column, name);
        char remedy[1024];
        uint32_t found;
        if (!cor_names_has(columns, quantity->name, &found)) {
            cor_names_known(columns, quantity->name, remedy, sizeof remedy);
            return interaction__text_complain(text, quantity->at, error, remedy,
                                              "the agents of the model have no \"%s\"", quantity->name);
        }
        text->changes[a] = agents->columns[found].changes;
        text->is_partial[a] = agents->columns[found].is_partial;
        if (quantity->at)
            COR_TRY(check_quantity(text, quantity, &agents->columns[found], error));
        for (uint32_t c = 0; c < corridor->constraint_count; c++)
            COR_TRY(
                check_literals(text, &corridor->constraints[c].condition, a, &agents->columns[found], error));
        COR_TRY(check_literals(text, &corridor->objective.condition, a, &agents->columns[found], error));
    }
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

/* ---- A corridor as a text is put to z3, for systems of which is known how many agents they have and within
 * what their attributes and parameters lie. z3 is asked about small systems; that there is none is claimed
 * only where larger ones, agents without a value and numbers beyond z3's range make no difference */

enum { AGENTS_FEW = 8, ORGANIZATIONS_FEW = 4 };

struct proving {
    const struct interaction__text *text;
    const struct interaction__text_question *question;
    struct cor_corridor *corridor; /* owned; the text once more, with the ranges of the question */
    uint32_t **words;              /* owned, and each; [attribute] what it can be; NULL: any */
    bool *left_out;                /* owned; [constraint] */
    struct cor_proof_bounds bounds;
    bool are_all_agents, are_all_organizations; /* there are no larger systems */
    bool is_about_numbers; /* all systems are too large: only what reads no agents and organizations is asked
                            */
    double most;           /* organizations that there are; infinite: nothing says it */
    uint32_t limiting;     /* the constraint that bounds the number of organizations; COR_NONE: none does */
    struct cor_proof proof;
    struct interaction__text_answer *answer;
    struct cor_error *error;
};

/* ---- what a condition is about */

/* Organizations alone: those of an agent, too, and agents of one are reached by it. */
static bool is_about(const struct cor_expression *condition, bool organizations_alone) {
    for (uint32_t i = 0; i < condition->node_count; i++) {
        const struct cor_node *node = &condition->nodes[i];
        if ((node->operator== COR_OPERATOR_BIND || node->operator== COR_OPERATOR_SIZE || node->operator==
             COR_OPERATOR_IN) &&
            (!organizations_alone || node->variable != COR_NONE || node->element == COR_ORGANIZATION))
            return true;
    }
    return false;
}

static bool is_of_time(const struct proving *p, uint32_t c) {
    return p->corridor->constraints[c].kind == COR_CONSTRAINT_TEMPORAL;
}

/* The most that the node, a number, can be; infinite where that is not seen. */
static double most_of(const struct proving *p, const struct cor_expression *condition, uint32_t index) {
    const struct cor_node *node = &condition->nodes[index];
    if (node->operator== COR_OPERATOR_TO_REAL)
        return most_of(p, condition, node->left);
    if (node->operator== COR_OPERATOR_CONSTANT)
        return node->reals ? node->real : (double)node->constant;
    return node->operator== COR_OPERATOR_VARIABLE ? p->corridor->parameters[node->variable].high : INFINITY;
}

static bool counts_organizations(const struct cor_expression *condition, uint32_t index) {
    const struct cor_node *node = &condition->nodes[index];
    if (node->operator== COR_OPERATOR_TO_REAL)
        return counts_organizations(condition, node->left);
    return node->operator== COR_OPERATOR_SIZE && node->variable == COR_NONE &&
        node->element == COR_ORGANIZATION;
}

/* How many organizations there are at most where the node, a condition, holds. */
static double most_organizations(const struct proving *p, const struct cor_expression *condition,
                                 uint32_t index) {
    const struct cor_node *node = &condition->nodes[index];
    switch (node->operator) {
    case COR_OPERATOR_AND:
        return fmin(most_organizations(p, condition, node->left),
                    most_organizations(p, condition, node->right));
    case COR_OPERATOR_EQUAL:
        if (counts_organizations(condition, node->right))
            return most_of(p, condition, node->left);
        return counts_organizations(condition, node->left) ? most_of(p, condition, node->right) : INFINITY;
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
        return counts_organizations(condition, node->left) ? most_of(p, condition, node->right) : INFINITY;
    default:
        return INFINITY;
    }
}

/* ---- the question */

/* The text's own range, and what the system says. Where these have nothing in common nothing is known. */
static void narrow(struct cor_quantity *quantity, double low, double high) {
    const double from = fmax(quantity->low, low), to = fmin(quantity->high, high);
    quantity->low = from <= to ? from : -INFINITY;
    quantity->high = from <= to ? to : INFINITY;
}

static enum cor_status narrow_words(struct proving *p, uint32_t attribute, const char *const *words) {
    struct cor_domain *domain = &p->corridor->attributes[attribute].domain;
    uint32_t count = 0;
    while (words[count])
        count++;
    if (count == 0)
        return COR_OK;
    uint32_t *codes = p->words[attribute] = cor_calloc(count, sizeof *codes);
    COR_TRY(cor_made(codes, p->error));
    for (uint32_t w = 0; w < count; w++)
        COR_TRY(cor_words_intern(&p->corridor->words, words[w], &codes[w], p->error));
    domain->type = COR_VALUE_TYPE_ENUMERATION;
    domain->words = codes;
    domain->word_count = count;
    return COR_OK;
}

/* ---- the answer */

static enum cor_status say(struct proving *p, enum cor_answer answer, char *why) {
    p->answer->answer = answer;
    free(p->answer->why);
    p->answer->why = why;
    return cor_made(why, p->error);
}

/* What the constraint reads that may be more than z3 was asked about, as a sentence of the caller; NULL:
 * nothing, or there is no memory. */
static char *reads_more(const struct proving *p, const struct cor_expression *condition, bool *reads) {
    *reads = true;
    for (uint32_t i = 0; i < condition->node_count; i++) {
        const struct cor_node *node = &condition->nodes[i];
        const struct cor_quantity *quantity = NULL;
        if (node->operator== COR_OPERATOR_VARIABLE)
            quantity = &p->corridor->parameters[node->variable];
        else if (node->operator== COR_OPERATOR_ATTRIBUTE && node->element == COR_AGENT) {
            quantity = &p->corridor->attributes[node->variable];
            if (p->text->is_partial[node->variable])
                return cor_format("it cannot hold if each agent has \"%s\", and some may have none",
                                  quantity->name);
        }
        const bool is_number = quantity && (quantity->domain.type == COR_VALUE_TYPE_REAL ||
                                            quantity->domain.type == COR_VALUE_TYPE_INTEGER);
        if (is_number && (isinf(quantity->low) || isinf(quantity->high)))
            return cor_format("it cannot hold with \"%s\" within %d of 0, and it may be beyond",
                              quantity->name, COR_PROOF_NUMBER_MAX);
    }
    *reads = false;
    return NULL;
}

/* The sentence, with the constraints that contradict each other within what was asked; takes it. */
static char *name_conflict(const struct proving *p, char *sentence) {
    for (uint32_t i = 0; i < p->proof.conflict_count; i++) {
        const struct cor_constraint *constraint = &p->corridor->constraints[p->proof.conflict[i]];
        char *name = cor_strdup(constraint->name);
        sentence = cor_join_take(sentence, i == 0 ? "; see " : ", ", name);
    }
    return sentence;
}

/* Something beyond what z3 was asked about that could make a difference; NULL as above. */
static char *find_doubt(const struct proving *p, bool *is_doubtful) {
    const struct cor_proof *proof = &p->proof;
    *is_doubtful = true;
    if (proof->conflict_count == 0)
        return cor_format("ranges leave no value to something that is not read");
    for (uint32_t i = 0; i < proof->conflict_count; i++) {
        const struct cor_expression *condition = &p->corridor->constraints[proof->conflict[i]].condition;
        char *more = reads_more(p, condition, is_doubtful);
        if (*is_doubtful)
            return more;
        *is_doubtful = true;
        if (!p->are_all_agents && is_about(condition, false))
            return name_conflict(
                p, cor_format("it cannot hold with %u to %u agents, and more are not asked about",
                              p->bounds.agents_low, p->bounds.agents_high));
        if (!p->are_all_organizations && is_about(condition, true))
            return name_conflict(
                p, cor_format("it cannot hold with %u organizations or fewer, and more are not asked about",
                              p->bounds.organizations_high));
    }
    *is_doubtful = false;
    return NULL;
}

static char *line_of(const struct proving *p, uint32_t c, bool with_text) {
    const struct cor_constraint *constraint = &p->corridor->constraints[c];
    size_t line, column;
    cor_corridor_place(p->corridor, constraint->text, &line, &column);
    return with_text
               ? cor_format("%s:%zu: %s: %s", p->text->name, line, constraint->name, p->text->sentences[c])
               : cor_format("%s:%zu", p->text->name, line);
}

/* Whether the bound of organizations is needed for the conflict, and none of it. */
static bool is_limit_needed(const struct proving *p) {
    const struct cor_proof *proof = &p->proof;
    bool is_needed = false;
    for (uint32_t i = 0; i < proof->conflict_count; i++) {
        if (proof->conflict[i] == p->limiting)
            return false;
        is_needed = is_needed || is_about(&p->corridor->constraints[proof->conflict[i]].condition, true);
    }
    return is_needed && p->limiting != COR_NONE;
}

static enum cor_status say_empty(struct proving *p) {
    const struct cor_proof *proof = &p->proof;
    const bool is_more = is_limit_needed(p);
    const uint32_t count = proof->conflict_count + is_more;
    char *lines = cor_strdup("");
    bool is_first = true;
    for (uint32_t c = 0; c < p->corridor->constraint_count; c++) {
        bool is_part = is_more && c == p->limiting;
        for (uint32_t i = 0; i < proof->conflict_count && !is_part; i++)
            is_part = proof->conflict[i] == c;
        if (!is_part)
            continue;
        lines = cor_join_take(lines, is_first ? "" : "\n", line_of(p, c, true));
        if (is_first) {
            free(p->answer->place);
            p->answer->place = line_of(p, c, false);
            COR_TRY(cor_made(p->answer->place, p->error));
        }
        is_first = false;
    }
    free(p->answer->conflict);
    p->answer->conflict = lines;
    COR_TRY(cor_made(lines, p->error));
    return say(p, COR_ANSWER_EMPTY,
               cor_strdup(count == 1 ? "this never holds" : "these contradict each other"));
}

/* Asks within these bounds; *is_over: there is an answer, and larger ones make no difference. */
static enum cor_status ask(struct proving *p, uint32_t agents, uint32_t organizations, bool *is_over) {
    const struct cor_snapshot *state = &p->proof.example.state;
    bool is_doubtful = false;
    *is_over = true;
    /* How large the systems are that z3 is asked about: within what proofs can be asked, and these numbers.
     */
    const uint32_t low = p->question->agents_low, high = p->question->agents_high;
    p->bounds = (struct cor_proof_bounds){low, high < agents ? high : agents, 1,
                                          p->most < 1               ? 1
                                          : p->most < organizations ? (uint32_t)p->most
                                                                    : organizations};
    if (p->bounds.agents_high < low)
        p->bounds.agents_high = low;
    if (p->is_about_numbers)
        p->bounds = (struct cor_proof_bounds){1, 1, 1, 1};
    p->are_all_agents = !p->is_about_numbers && p->bounds.agents_high == high;
    p->are_all_organizations = p->most <= organizations;
    cor_proof_fini(&p->proof);
    COR_TRY(cor_prove_together(p->corridor, &p->bounds, p->left_out, &p->proof, p->error));
    if (p->proof.answer == COR_ANSWER_EMPTY) {
        char *doubt = find_doubt(p, &is_doubtful);
        if (!is_doubtful)
            return say_empty(p);
        *is_over = false;
        return say(p, COR_ANSWER_UNDECIDED, doubt);
    }
    if (p->proof.answer == COR_ANSWER_SATISFIABLE && !p->is_about_numbers)
        return say(p, COR_ANSWER_SATISFIABLE,
                   cor_format("for example with %u agent%s in %u organization%s", state->agent_count,
                              state->agent_count == 1 ? "" : "s", state->organizations->block_count,
                              state->organizations->block_count == 1 ? "" : "s"));
    *is_over = false;
    if (p->is_about_numbers)
        return say(p, COR_ANSWER_UNDECIDED,
                   cor_format("it has %u agents%s, and z3 is asked about %u at most", p->question->agents_low,
                              p->question->agents_low < p->question->agents_high ? " or more" : "",
                              COR_PROOF_AGENTS_MAX));
    return say(p, COR_ANSWER_UNDECIDED,
               cor_strdup(cor_solver_is_there() ? "it is too much for the work that z3 may do"
                                                : "this build is without z3"));
}

/* Small systems first: an example is found soon, and what never holds is so in all. */
static enum cor_status prove(struct proving *p) {
    bool is_over = false;
    COR_TRY(cor_corridor_parse(p->text->source, p->text->name, &p->corridor, p->error));
    p->words = cor_calloc(p->corridor->attribute_count, sizeof *p->words);
    p->left_out = cor_calloc(p->corridor->constraint_count, sizeof *p->left_out);
    if (!p->words || !p->left_out)
        return cor_fail_memory(p->error);
    const struct interaction__agents *agents = p->question->agents;
    for (uint32_t a = 0; a < p->corridor->attribute_count; a++) {
        struct cor_quantity *quantity = &p->corridor->attributes[a];
        const struct interaction__column *column = agents->columns;
        while (strcmp(column->name, quantity->name) != 0) /* the text was held against them */
            column++;
        if (column->type <= COR_ATTRIBUTE_INTEGER)
            narrow(quantity, column->low, column->high);
        else if (column->type == COR_ATTRIBUTE_WORDS && column->words)
            COR_TRY(narrow_words(p, a, column->words));
    }
    for (uint32_t q = 0; q < p->corridor->parameter_count; q++) {
        const struct interaction__number *number = &p->question->numbers[p->question->found[q]];
        narrow(&p->corridor->parameters[q], number->low, number->high);
    }
    /* The most organizations that there are. A partitioning has no more than agents. */
    p->most = p->corridor->kind == COR_STRUCTURE_PARTITIONING ? (double)p->question->agents_high : INFINITY;
    p->limiting = COR_NONE;
    for (uint32_t i = 0; p->most > COR_PROOF_ORGANIZATIONS_MAX && i < p->corridor->constraint_count; i++) {
        const struct cor_expression *condition = &p->corridor->constraints[i].condition;
        if (is_of_time(p, i))
            continue;
        const double most = most_organizations(p, condition, condition->node_count - 1);
        if (most < p->most) {
            p->most = most;
            p->limiting = i;
        }
    }
    p->is_about_numbers = p->question->agents_low > COR_PROOF_AGENTS_MAX;
    for (uint32_t c = 0; c < p->corridor->constraint_count; c++)
        p->left_out[c] = p->is_about_numbers && !is_of_time(p, c) &&
                         is_about(&p->corridor->constraints[c].condition, false);
    COR_TRY(ask(p, AGENTS_FEW, ORGANIZATIONS_FEW, &is_over));
    if (!is_over && !p->is_about_numbers)
        COR_TRY(ask(p, COR_PROOF_AGENTS_MAX, COR_PROOF_ORGANIZATIONS_MAX, &is_over));
    return COR_OK;
}

enum cor_status interaction__text_prove(const struct interaction__text *text,
                                        const struct interaction__text_question *question,
                                        struct interaction__text_answer *answer, struct cor_error *error) {
    struct proving p = {.text = text, .question = question, .answer = answer, .error = error};
    *answer = (struct interaction__text_answer){COR_ANSWER_UNDECIDED, NULL, cor_strdup(""), cor_strdup("")};
    enum cor_status status = answer->conflict && answer->place ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK)
        status = prove(&p);
    cor_proof_fini(&p.proof);
    for (uint32_t a = 0; p.words && a < p.corridor->attribute_count; a++)
        free(p.words[a]);
    COR_FREE(p.words, p.left_out);
    cor_corridor_destroy(p.corridor);
    return status;
}
