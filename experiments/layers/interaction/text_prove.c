/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A corridor as a text is put to z3, for systems of which is known how many agents they have and within what
 * their attributes and parameters lie. z3 is asked about small systems; that there is none is claimed only
 * where larger ones, agents without a value and numbers beyond z3's range make no difference. */
#include "text_internal.h"

#include <corridor/array.h>
#include <corridor/prove.h>
#include <corridor/solve.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool is_collection(const struct cor_node *node) {
    return node->operator== COR_OPERATOR_BIND || node->operator== COR_OPERATOR_SIZE || node->operator==
        COR_OPERATOR_IN;
}

/* Organizations alone: those of an agent, too, and agents of one are reached by it. */
static bool is_about(const struct cor_expression *condition, bool organizations_alone) {
    for (uint32_t i = 0; i < condition->node_count; i++) {
        const struct cor_node *node = &condition->nodes[i];
        if (is_collection(node) &&
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

static enum cor_status narrow_all(struct proving *p) {
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
    return COR_OK;
}

/* The most organizations that there are. A partitioning has no more than agents. */
static void find_most_organizations(struct proving *p) {
    p->most = p->corridor->kind == COR_STRUCTURE_PARTITIONING ? (double)p->question->agents_high : INFINITY;
    p->limiting = COR_NONE;
    for (uint32_t c = 0; p->most > COR_PROOF_ORGANIZATIONS_MAX && c < p->corridor->constraint_count; c++) {
        const struct cor_expression *condition = &p->corridor->constraints[c].condition;
        if (is_of_time(p, c))
            continue;
        const double most = most_organizations(p, condition, condition->node_count - 1);
        if (most < p->most) {
            p->most = most;
            p->limiting = c;
        }
    }
}

/* How large the systems are that z3 is asked about: within what proofs can be asked, and these numbers. */
static void bound(struct proving *p, uint32_t agents, uint32_t organizations) {
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
    bound(p, agents, organizations);
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
    COR_TRY(narrow_all(p));
    find_most_organizations(p);
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
    free(p.words);
    free(p.left_out);
    cor_corridor_destroy(p.corridor);
    return status;
}
