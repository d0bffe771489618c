/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * prove: what can be said of a corridor's text, without any state. */
#include "commands.h"
#include "judge_states.h"
#include "output.h"
#include "running.h"
#include "text_time.h"

#include <corridor/answer.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/json.h>
#include <corridor/prove.h>

#include <stdlib.h>
#include <string.h>

struct request {
    const char *agents, *organizations;
    bool json, no_fail;
};

struct proving {
    struct cor_corridor *corridor;
    struct cor_proof proof;
    struct cor_proof_bounds bounds;
    struct cor_json_writer *writer;
    const char *name; /* of the file */
    size_t open;      /* questions that are not decided */
};

/* LOW..HIGH, or one number for both. */
static bool understand_bounds(const struct cor_command *command, const char *option, const char *text,
                              uint32_t most, uint32_t *low, uint32_t *high) {
    char *end, *last;
    const unsigned long first = strtoul(text, &end, 10);
    unsigned long second = first;
    last = end;
    if (strncmp(end, "..", 2) == 0 && end[2] >= '0' && end[2] <= '9')
        second = strtoul(end + 2, &last, 10);
    if (*text < '0' || *text > '9' || *last || first < 1 || second < first || second > most) {
        cor_misuse(command, "--%s is LOW..HIGH with 1 <= LOW <= HIGH <= %u, not \"%s\"", option, most, text);
        return false;
    }
    *low = (uint32_t)first;
    *high = (uint32_t)second;
    return true;
}

/* The line of the file in which this part of its text stands. */
static size_t line_of(const struct cor_corridor *corridor, const char *at) {
    size_t line, column;
    cor_corridor_place(corridor, at, &line, &column);
    return line;
}

static const struct cor_constraint *constraint_of(const struct proving *p, uint32_t c) {
    return &p->corridor->constraints[c];
}

static bool is_observed(const struct proving *p) {
    return p->corridor->kind == COR_STRUCTURE_OBSERVED;
}

/* Nothing is proved of it: it is about time, or about channels, sets or the state before. */
static bool is_left_out(const struct proving *p, uint32_t c) {
    return !cor_corridor_is_plain(p->corridor, c);
}

/* ---- JSON */

static void put_value(struct cor_json_writer *w, const struct proving *p, const struct cor_quantity *quantity,
                      const char *name, struct cor_value value) {
    if (quantity->domain.type == COR_VALUE_TYPE_BOOLEAN)
        cor_json_put_bool(w, name, value.as.integer != 0);
    else if (value.kind == COR_VALUE_REAL)
        cor_json_put_real(w, name, value.as.real);
    else if (value.kind == COR_VALUE_WORD)
        cor_json_put_string(w, name, cor_words_text(&p->corridor->words, value.as.word));
    else
        cor_json_put_integer(w, name, value.as.integer);
}

static struct cor_value value_at(const struct cor_quantity *quantity,
                                 const struct cor_attribute_values *column, uint32_t agent) {
    if (quantity->domain.type == COR_VALUE_TYPE_REAL)
        return cor_real(column->reals[agent]);
    const bool is_word =
        quantity->domain.type == COR_VALUE_TYPE_STRING || quantity->domain.type == COR_VALUE_TYPE_ENUMERATION;
    return is_word ? cor_word((uint32_t)column->integers[agent]) : cor_integer(column->integers[agent]);
}

/* Attributes that some condition reads; all of them, where the text declares them. */
static bool is_read(const struct proving *p, uint32_t attribute) {
    for (uint32_t c = 0; c < p->corridor->constraint_count; c++) {
        const struct cor_expression *condition = &constraint_of(p, c)->condition;
        for (uint32_t i = 0; i < condition->node_count; i++)
            if (condition->nodes[i]
                    .
                    operator== COR_OPERATOR_ATTRIBUTE && condition->nodes[i]
                    .element == COR_AGENT && condition->nodes[i]
                    .variable == attribute)
                return true;
    }
    return false;
}

/* A state that judge reads. */
static void put_state(struct cor_json_writer *w, const struct proving *p) {
    const struct cor_snapshot *state = &p->proof.example.state;
    const struct cor_corridor *corridor = p->corridor;
    cor_json_open_object(w, "example");
    cor_json_put_string(w, "kind", cor_structure_words[corridor->kind]);
    cor_json_open_array(w, "agents");
    for (uint32_t a = 0; a < state->agent_count; a++) {
        cor_json_open_object(w, NULL);
        for (uint32_t q = 0; q < corridor->attribute_count; q++)
            if (is_read(p, q))
                put_value(w, p, &corridor->attributes[q], corridor->attributes[q].name,
                          value_at(&corridor->attributes[q], &state->columns[q], a));
        cor_json_close(w);
    }
    cor_json_close(w);
    if (!is_observed(p))
        cor_json_open_array(w, "organizations");
    for (uint32_t o = 0; o < state->organizations->block_count; o++) {
        cor_json_open_array(w, NULL);
        for (uint32_t i = 0; i < cor_lists_size(state->organizations, o); i++)
            cor_json_put_integer(w, NULL, cor_lists_block(state->organizations, o)[i]);
        cor_json_close(w);
    }
    if (!is_observed(p))
        cor_json_close(w);
    if (state->parents) {
        cor_json_open_array(w, "parents");
        for (uint32_t o = 0; o < state->organizations->block_count; o++)
            if (state->parents[o] == COR_NOBODY)
                cor_json_put_string(w, NULL, NULL);
            else
                cor_json_put_integer(w, NULL, state->parents[o]);
        cor_json_close(w);
    }
    if (corridor->organization_attribute_count > 0) {
        cor_json_open_object(w, "organization_attributes");
        for (uint32_t q = 0; q < corridor->organization_attribute_count; q++) {
            const struct cor_quantity *quantity = &corridor->organization_attributes[q];
            cor_json_open_array(w, quantity->name);
            for (uint32_t o = 0; o < state->organizations->block_count; o++)
                put_value(w, p, quantity, NULL, value_at(quantity, &state->organization_columns[q], o));
            cor_json_close(w);
        }
        cor_json_close(w);
    }
    cor_json_open_object(w, "parameters");
    for (uint32_t i = 0; i < corridor->parameter_count; i++)
        put_value(w, p, &corridor->parameters[i], corridor->parameters[i].name, state->parameters[i]);
    cor_json_close(w);
    cor_json_close(w);
}

static void put_names(struct cor_json_writer *w, const struct proving *p, const char *key,
                      const uint32_t *constraints, uint32_t count) {
    cor_json_open_array(w, key);
    for (uint32_t i = 0; i < count; i++)
        cor_json_put_string(w, NULL, constraint_of(p, constraints[i])->name);
    cor_json_close(w);
}

static void put_range(struct cor_json_writer *w, const char *key, int64_t low, int64_t high) {
    cor_json_open_array(w, key);
    cor_json_put_integer(w, NULL, low);
    cor_json_put_integer(w, NULL, high);
    cor_json_close(w);
}

/* What stands left of an "implies", as it was written. */
static const struct cor_span *premise_span(const struct proving *p, const struct cor_proof_premise *premise) {
    const struct cor_expression *condition = &constraint_of(p, premise->constraint)->condition;
    return &condition->spans[condition->nodes[condition->nodes[premise->node].left].left];
}

static void put_proof(struct cor_json_writer *w, const struct proving *p) {
    const struct cor_proof *proof = &p->proof;
    char text[400];
    cor_json_put_string(w, "answer", cor_answer_word(proof->answer));
    put_names(w, p, "conflict", proof->conflict, proof->conflict_count);
    cor_json_open_array(w, "constraints");
    for (uint32_t c = 0; c < proof->constraint_count; c++) {
        const struct cor_proof_constraint *found = &proof->constraints[c];
        if (is_left_out(p, c))
            continue;
        cor_json_open_object(w, NULL);
        cor_json_put_string(w, "name", constraint_of(p, c)->name);
        cor_json_put_integer(w, "line", (int64_t)line_of(p->corridor, constraint_of(p, c)->text));
        cor_json_put_string(w, "satisfiable", cor_certainty_word(found->satisfiable));
        cor_json_put_string(w, "can_be_violated", cor_certainty_word(found->can_be_violated));
        cor_json_put_string(w, "implied", cor_certainty_word(found->is_implied));
        if (found->is_implied == COR_CERTAIN_YES)
            put_names(w, p, "implied_by", found->implied_by, found->implied_count);
        else
            cor_json_put_string(w, "implied_by", NULL);
        cor_json_close(w);
    }
    cor_json_close(w);
    cor_json_open_array(w, "equivalent");
    for (size_t i = 0; i < proof->equivalent_count; i++)
        put_names(w, p, NULL, proof->equivalent[i], 2);
    cor_json_close(w);
    cor_json_open_array(w, "premises");
    for (size_t i = 0; i < proof->premise_count; i++) {
        const struct cor_span *span = premise_span(p, &proof->premises[i]);
        cor_span_text(span, text, sizeof text);
        cor_json_open_object(w, NULL);
        cor_json_put_string(w, "constraint", constraint_of(p, proof->premises[i].constraint)->name);
        cor_json_put_integer(w, "line", (int64_t)line_of(p->corridor, span->at));
        cor_json_put_string(w, "text", text);
        cor_json_put_string(w, "can_hold", cor_certainty_word(proof->premises[i].can_hold));
        cor_json_close(w);
    }
    cor_json_close(w);
    if (proof->has_example)
        put_state(w, p);
    else
        cor_json_put_string(w, "example", NULL);
    cor_json_open_object(w, "bounds");
    put_range(w, "agents", p->bounds.agents_low, p->bounds.agents_high);
    put_range(w, "organizations", p->bounds.organizations_low, p->bounds.organizations_high);
    put_range(w, "numbers", -COR_PROOF_NUMBER_MAX, COR_PROOF_NUMBER_MAX);
    cor_json_close(w);
    cor_json_open_array(w, "not_proved");
    for (uint32_t c = 0; c < proof->constraint_count; c++)
        if (is_left_out(p, c))
            cor_json_put_string(w, NULL, constraint_of(p, c)->name);
    cor_json_close(w);
}

/* ---- for readers */

static void print_place(const struct proving *p, const char *at) {
    cor_print("  %s:%zu: ", p->name, line_of(p->corridor, at));
}

static void print_list(const struct proving *p, const uint32_t *constraints, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        cor_print("%s%s",
                  i == 0           ? ""
                  : i + 1 == count ? " and "
                                   : ", ",
                  constraint_of(p, constraints[i])->name);
}

static void print_answer(const struct proving *p) {
    const struct cor_proof *proof = &p->proof;
    char within[120];
    int length =
        snprintf(within, sizeof within, "within %u..%u agents", p->bounds.agents_low, p->bounds.agents_high);
    if (!is_observed(p))
        snprintf(within + length, sizeof within - (size_t)length, ", %u..%u organizations",
                 p->bounds.organizations_low, p->bounds.organizations_high);
    if (proof->answer == COR_ANSWER_SATISFIABLE && is_observed(p)) {
        const uint32_t agents = proof->example.state.agent_count;
        cor_print("The corridor can hold, for example with %u agent%s (%s).\n", agents,
                  agents == 1 ? "" : "s", within);
    } else if (proof->answer == COR_ANSWER_SATISFIABLE) {
        const struct cor_snapshot *state = &proof->example.state;
        cor_print("The corridor can hold, for example with %u agent%s in %u organization%s (%s).\n",
                  state->agent_count, state->agent_count == 1 ? "" : "s", state->organizations->block_count,
                  state->organizations->block_count == 1 ? "" : "s", within);
    } else if (proof->answer == COR_ANSWER_UNDECIDED) {
        cor_print("Whether the corridor can hold is not decided (%s).\n", within);
    } else if (proof->conflict_count == 0) {
        cor_print("The corridor is empty: there is no %s %s.\n", cor_structure_words[p->corridor->kind],
                  within);
    } else {
        cor_print("The corridor is empty, %s. %s:\n", within,
                  proof->conflict_count == 1 ? "This never holds" : "These contradict each other");
        for (uint32_t i = 0; i < proof->conflict_count; i++) {
            /* A line of the file, as far as it fits. */
            uint32_t c = proof->conflict[i];
            char text[90];
            const struct cor_span span = {constraint_of(p, c)->text,
                                          (uint32_t)strlen(constraint_of(p, c)->text)};
            cor_span_text(&span, text, sizeof text);
            print_place(p, span.at);
            cor_print("%s: %s\n", constraint_of(p, c)->name, text);
        }
    }
}

static void print_findings(const struct proving *p) {
    const struct cor_proof *proof = &p->proof;
    char text[120];
    for (uint32_t c = 0; c < proof->constraint_count; c++) {
        const struct cor_proof_constraint *found = &proof->constraints[c];
        const char *const at = constraint_of(p, c)->text, *const name = constraint_of(p, c)->name;
        if (is_left_out(p, c))
            continue;
        if (found->satisfiable == COR_CERTAIN_NO && proof->conflict_count > 1) {
            print_place(p, at);
            cor_print("%s never holds\n", name);
        }
        if (found->can_be_violated == COR_CERTAIN_NO) {
            print_place(p, at);
            cor_print("%s can never be violated\n", name);
        } else if (found->is_implied == COR_CERTAIN_YES && found->implied_count > 0) {
            print_place(p, at);
            cor_print("%s is implied by ", name);
            print_list(p, found->implied_by, found->implied_count);
            putchar('\n');
        }
    }
    for (size_t i = 0; i < proof->equivalent_count; i++) {
        print_place(p, constraint_of(p, proof->equivalent[i][1])->text);
        print_list(p, proof->equivalent[i], 2);
        cor_print(" hold in the same structures\n");
    }
    for (size_t i = 0; i < proof->premise_count; i++)
        if (proof->premises[i].can_hold == COR_CERTAIN_NO) {
            const struct cor_span *span = premise_span(p, &proof->premises[i]);
            cor_span_text(span, text, sizeof text);
            print_place(p, span->at);
            cor_print("the left side of \"implies\" never holds: %s\n", text);
        }
}

static enum cor_status prove_all(const struct cor_arguments *arguments, struct proving *p,
                                 struct cor_error *error) {
    const struct request *request = arguments->request;
    p->name = cor_json_path_name(arguments->words[0]);
    COR_TRY(corridor_file_read(arguments->words[0], &p->corridor, error));
    /* Proofs are about structures, and a structure says nothing of the state before. */
    for (uint32_t c = 0; c < p->corridor->constraint_count && !is_observed(p); c++) {
        const struct cor_expression *condition = &constraint_of(p, c)->condition;
        for (uint32_t i = 0; i < condition->node_count; i++) {
            char place[600], part[200];
            size_t line, column;
            if (condition->nodes[i].operator!= COR_OPERATOR_BEFORE)
                continue;
            cor_corridor_place(p->corridor, condition->spans[i].at, &line, &column);
            cor_span_text(&condition->spans[i], part, sizeof part);
            snprintf(place, sizeof place, "%.500s:%zu:%zu", p->name, line, column);
            return cor_fail(error, COR_STATUS_INPUT, place,
                            "leave the constraint out: judge looks at several states",
                            "\"%s\" asks for the state before, and prove looks at one state", part);
        }
    }
    struct corridor__time time = {0}; /* nothing is proved of formulas of time, but they are read */
    const enum cor_status status = corridor__time_init(&time, p->corridor, error);
    corridor__time_fini(&time);
    COR_TRY(status);
    COR_TRY(cor_prove(p->corridor, &p->bounds, &p->proof, error));
    cor_progress_doing(NULL);
    if (is_observed(p))
        p->bounds.organizations_low = p->bounds.organizations_high = 0;
    const struct cor_proof *proof = &p->proof;
    p->open = (proof->answer == COR_ANSWER_UNDECIDED) + proof->equivalent_open;
    for (uint32_t c = 0; c < proof->constraint_count; c++)
        if (!is_left_out(p, c))
            for (int i = 0; i < 3; i++)
                p->open += (i == 0   ? proof->constraints[c].satisfiable
                            : i == 1 ? proof->constraints[c].can_be_violated
                                     : proof->constraints[c].is_implied) == COR_UNCERTAIN;
    for (size_t i = 0; i < proof->premise_count; i++)
        p->open += proof->premises[i].can_hold == COR_UNCERTAIN;
    if (p->proof.is_cut)
        cor_say("note: " COR_SOLVER_CUT_TEXT);
    if (!request->json) {
        print_answer(p);
        print_findings(p);
        bool is_first = true;
        if (p->open > 0)
            cor_print("%zu question%s not decided: --json says which\n", p->open,
                      p->open == 1 ? " is" : "s are");
        for (uint32_t c = 0; c < p->proof.constraint_count; c++)
            if (is_left_out(p, c)) {
                cor_print("%s%s",
                          !is_first ? ", "
                          : is_observed(p)
                              ? "not proved, since about time, channels, sets or the state before: "
                              : "not proved, since about time: ",
                          constraint_of(p, c)->name);
                is_first = false;
            }
        if (!is_first)
            putchar('\n');
        return cor_stream_status(stdout, error);
    }
    COR_TRY(cor_document_open("corridor-prove", 1, &p->writer, error));
    put_proof(p->writer, p);
    cor_json_close(p->writer);
    struct cor_json_writer *writer = p->writer;
    p->writer = NULL;
    return cor_json_print_take(writer, 2, stdout, error);
}

static enum cor_exit run_prove(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    struct proving p = {.bounds.doing = cor_progress_doing};
    enum cor_exit exit = COR_EXIT_DONE;
    if (!understand_bounds(arguments->command, "agents", request->agents, COR_PROOF_AGENTS_MAX,
                           &p.bounds.agents_low, &p.bounds.agents_high) ||
        !understand_bounds(arguments->command, "organizations", request->organizations,
                           COR_PROOF_ORGANIZATIONS_MAX, &p.bounds.organizations_low,
                           &p.bounds.organizations_high))
        return COR_EXIT_USAGE;
    if (prove_all(arguments, &p, &error) != COR_OK)
        exit = cor_report(&error);
    else if (p.proof.answer == COR_ANSWER_EMPTY && !request->no_fail)
        exit = COR_EXIT_EXPECTATION;
    else if (p.open > 0)
        exit = COR_EXIT_UNDECIDED;
    cor_json_writer_destroy(p.writer);
    cor_proof_fini(&p.proof);
    cor_corridor_destroy(p.corridor);
    return exit;
}

const struct cor_command cor_command_prove = {
    .name = "prove",
    .summary = "check a corridor's text",
    .operands = "FILE.corridor",
    .takes = {1, 1, "needs a corridor"},
    .request_size = sizeof(struct request),
    .manual =
        "Says whether the corridor can hold at all, with an example, or else which of its constraints "
        "contradict "
        "each other: none of these can be left out. Says which constraints can never be violated, which are "
        "implied by others, which hold in the same structures, and where the left side of an \"implies\" "
        "never "
        "holds. All is said of structures of the kind within the bounds, in which everything has a value; "
        "numbers "
        "are exact, and those without a range lie within 1000000000 of 0. An example is judged before it is "
        "shown. Constraints about time are left out, but listed. The language is in "
        "docs/look-up/corridor-language.md. "
        "Exits with 1 if the corridor is empty, else with 7 if a question is not decided.",
    .options =
        {
            {"agents", 0, "LOW..HIGH", "bound the number of agents", COR_TEXT_OR(agents, "2..12")},
            {"organizations", 0, "LOW..HIGH", "bound the number of organizations",
             COR_TEXT_OR(organizations, "1..6")},
            {"json", 0, NULL, "print answers and the example as JSON", COR_FLAG(json)},
            {"no-fail", 0, NULL, "exit with 0, not 1, if the corridor is empty", COR_FLAG(no_fail)},
        },
    .examples = {"corridor prove teams.corridor # can it hold, and what follows from what",
                 "corridor prove teams.corridor --agents 2..6 --json"},
    .run = run_prove,
};
