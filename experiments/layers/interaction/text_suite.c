/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A corridor as a text over the suite of a runner: its judge, objective, grounds, time. And which triggers
 * of it somebody can watch who sees one organization, or one agent, alone: a conjunction of "all(o in
 * organizations: ..)" and "all(a in agents: ..)" is violated if and only if one of these is by what one
 * organization, or one agent, has. */
#include "loop.h"
#include "text_internal.h"

#include <corridor/array.h>
#include <corridor/plugin.h>
#include <corridor/run.h>
#include <corridor/structures.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS }; /* a collection of an organization */

/* One trigger, while it is split. */
struct splitting {
    const struct interaction__text *text;
    const struct interaction__text_judge *judge;
    const struct cor_constraint *constraint;
    uint32_t number;
    bool by_agents;
    struct cor_trigger_program *program;
    struct interaction__parts *parts;
    char *reason; /* owned; NULL: it has been split so far */
    struct cor_error *error;
};

/* It does not split: because of this part of it. */
static enum cor_status give_up(struct splitting *s, uint32_t node, const char *why) {
    char part[400];
    cor_span_text(&s->constraint->condition.spans[node], part, sizeof part);
    s->reason = cor_format("\"%s\" %s", part, why);
    return cor_made(s->reason, s->error);
}

/* Is the number, or condition, the same for all, or reckoned of what an organization has by itself? */
static bool is_own(const struct cor_trigger_program *program, uint32_t index) {
    const struct cor_trigger_node *node = &program->nodes[index];
    if (node->operator== COR_TRIGGER_CONSTANT)
        return true;
    if (node->operator<= COR_TRIGGER_GREATEST)
        return node->by_organization;
    if (node->operator>= COR_TRIGGER_ALL_OF)
        return false;
    return is_own(program, node->left) && (node->right == COR_NOBODY || is_own(program, node->right));
}

/* The same, of counts, sums and unknowns alone: what adds up, member by member. */
static bool adds_up(const struct cor_trigger_program *program, uint32_t index) {
    const struct cor_trigger_node *node = &program->nodes[index];
    if (node->operator<= COR_TRIGGER_GREATEST)
        return is_own(program, index) &&
               node->operator!= COR_TRIGGER_LEAST && node->operator!= COR_TRIGGER_GREATEST;
    return is_own(program, index) && adds_up(program, node->left) &&
           (node->right == COR_NOBODY || adds_up(program, node->right));
}

/* Can who knows a few organizations alone make it small (COR_AIMS_BY_BLOCK)? */
static bool is_by_block(const struct cor_trigger_program *program, uint32_t root) {
    const struct cor_trigger_node *node = &program->nodes[root];
    return (node->operator== COR_TRIGGER_SUM_OF || node->operator== COR_TRIGGER_GREATEST_OF) &&
           node->left == COR_NOBODY && program->nodes[node->right].by_organization &&
           adds_up(program, node->right);
}

/* "all" over members of the organization that is bound there. */
static bool is_all_of_members(const struct cor_node *nodes, uint32_t index, uint32_t organization) {
    const struct cor_node *query = &nodes[index];
    if (query->operator!= COR_OPERATOR_ALL)
        return false;
    const struct cor_node *bind = &nodes[query->variable];
    return bind->element == COR_AGENT && bind->variable == MEMBERS && bind->left == organization;
}

static enum cor_status split_all(struct splitting *s, uint32_t index) {
    const struct cor_node *nodes = s->constraint->condition.nodes, *query = &nodes[index];
    const bool is_of_agents = nodes[query->variable].element == COR_AGENT;
    struct interaction__part part = {.constraint = s->number, .cases = s->constraint->cases};
    if (is_of_agents && s->text->corridor->kind == COR_STRUCTURE_OVERLAPPING)
        return give_up(s, index, "is about agents in no organization, too");
    if (s->by_agents && !is_of_agents &&
        (query->left != query->variable || !is_all_of_members(nodes, query->right, query->variable)))
        return give_up(s, index, "is about an organization, not about each agent by itself");
    for (uint32_t n = 0; s->by_agents && !is_of_agents && n < s->constraint->condition.node_count; n++)
        if (nodes[n].operator== COR_OPERATOR_SIZE && nodes[n].left == query->variable)
            return give_up(s, index, "is about an organization, not about each agent by itself");
    COR_TRY(interaction__text_lower_all(s->text, s->judge, s->constraint, index, s->program, &part.root,
                                        &part.filter, s->error));
    if (!is_own(s->program, part.root) || (part.filter != COR_NOBODY && !is_own(s->program, part.filter)))
        return give_up(s, index, "compares with what others have");
    COR_TRY(COR_RESERVE(&s->parts->parts, &s->parts->capacity, s->parts->count + (size_t)1, s->error));
    s->parts->parts[s->parts->count++] = part;
    return COR_OK;
}

static enum cor_status split(struct splitting *s, uint32_t index) {
    const struct cor_node *nodes = s->constraint->condition.nodes, *node = &nodes[index];
    if (node->operator== COR_OPERATOR_AND) {
        COR_TRY(split(s, node->left));
        return s->reason ? COR_OK : split(s, node->right);
    }
    if (node->operator== COR_OPERATOR_ALL && nodes[node->variable].variable == COR_NONE)
        return split_all(s, index);
    return give_up(s, index, "is about all organizations together");
}

static enum cor_status split_trigger(struct splitting *s) {
    const uint32_t before = s->parts->count;
    const bool waits = s->constraint->cases > 1;
    if (waits && (!s->constraint->is_each || s->by_agents)) {
        s->reason = s->constraint->is_each
                        ? cor_format("it is due after %u cases on end of one organization, whichever of its "
                                     "agents violate it in each",
                                     s->constraint->cases)
                        : cor_format("it is due after %u cases on end, whichever organizations violate it in "
                                     "each",
                                     s->constraint->cases);
        return cor_made(s->reason, s->error);
    }
    const uint32_t kept = interaction__text_reads_kept(&s->constraint->condition);
    if (kept != COR_NONE)
        return give_up(s, kept, "is what an organization keeps, which its monitor is not told");
    COR_TRY(split(s, s->constraint->condition.node_count - 1));
    if (s->reason)
        s->parts->count = before;
    return COR_OK;
}

enum cor_status interaction__text_split(const struct interaction__text *text,
                                        const struct interaction__text_judge *judge, bool by_agents,
                                        struct cor_trigger_program *program, struct interaction__parts *parts,
                                        struct cor_error *error) {
    const struct cor_corridor *corridor = text->corridor;
    parts->triggers = cor_calloc(corridor->constraint_count, sizeof *parts->triggers);
    parts->reasons = cor_calloc(corridor->constraint_count, sizeof *parts->reasons);
    COR_TRY(cor_made(parts->triggers, error));
    COR_TRY(cor_made(parts->reasons, error));
    for (uint32_t c = 0; c < corridor->constraint_count; c++) {
        const struct cor_constraint *constraint = &corridor->constraints[c];
        if (constraint->kind == COR_CONSTRAINT_TEMPORAL || constraint->cases == 0)
            continue;
        struct splitting s = {.text = text,
                              .judge = judge,
                              .constraint = constraint,
                              .number = c,
                              .by_agents = by_agents,
                              .program = program,
                              .parts = parts,
                              .error = error};
        parts->triggers[parts->trigger_count] = c;
        const enum cor_status status = split_trigger(&s);
        parts->reasons[parts->trigger_count++] = s.reason;
        COR_TRY(status);
    }
    return COR_OK;
}

void interaction__parts_fini(struct interaction__parts *parts) {
    for (uint32_t t = 0; t < parts->trigger_count; t++)
        free(parts->reasons[t]);
    COR_FREE(parts->reasons, parts->triggers, parts->parts);
    *parts = (struct interaction__parts){0};
}

/* ---- what a corridor as a text says of time, over the cases of a sequence. A watch is made anew for each
 * sequence: when a verdict is found to be fixed may depend on what it has seen, and what a sequence shows
 * must not depend on those before */

struct interaction__text_time {
    const struct interaction__text *text; /* borrowed */
    struct cor_temporal *returns;         /* owned; NULL: the text says it itself */
    struct cor_temporal_watch **watches;  /* owned, and each; [constraint], NULL: not of time, or not begun */
    uint8_t *conditions;                  /* owned; of a step */
    bool is_used;                         /* the watches have seen a case */
};

static const struct cor_temporal *formula_of(const struct interaction__text_time *time, uint32_t constraint) {
    return constraint < time->text->corridor->constraint_count ? time->text->formulas[constraint]
                                                               : time->returns;
}

static enum cor_status make_watches(struct interaction__text_time *time, struct cor_error *error) {
    for (uint32_t c = 0; c < time->text->count; c++) {
        cor_temporal_watch_destroy(time->watches[c]);
        time->watches[c] = NULL;
        if (formula_of(time, c))
            COR_TRY(cor_temporal_watch_create(formula_of(time, c), &time->watches[c], error));
    }
    time->is_used = false;
    return COR_OK;
}

enum cor_status interaction__text_time_create(const struct interaction__text *text, uint32_t cases,
                                              struct interaction__text_time **time, struct cor_error *error) {
    COR_DESTROYED(interaction__text_time) struct interaction__text_time *made = cor_calloc(1, sizeof *made);
    *time = NULL;
    COR_TRY(cor_made(made, error));
    made->text = text;
    made->watches = cor_calloc(text->count, sizeof *made->watches);
    made->conditions = cor_calloc(text->count + CONDITIONS_FIRST, 1);
    COR_TRY(cor_made(made->watches, error));
    COR_TRY(cor_made(made->conditions, error));
    if (!text->has_returns) {
        /* Where the sequence ends before so many cases are over, nobody is accused. */
        char formula[128] = "true";
        if (cases != UINT32_MAX)
            snprintf(formula, sizeof formula,
                     "always (alarm implies (eventually[0, %u] inside or not next[%u, %u] true))", cases,
                     cases, cases);
        COR_TRY(cor_temporal_parse(formula, text->conditions, text->name, &made->returns, error));
    }
    COR_TRY(make_watches(made, error));
    *time = cor_taken(&made);
    return COR_OK;
}

void interaction__text_time_destroy(struct interaction__text_time *time) {
    if (!time)
        return;
    for (uint32_t c = 0; time->watches && c < time->text->count; c++)
        cor_temporal_watch_destroy(time->watches[c]);
    cor_temporal_destroy(time->returns);
    COR_FREE(time->watches, time->conditions, time);
}

enum cor_status interaction__text_time_restart(struct interaction__text_time *time, struct cor_error *error) {
    return time->is_used ? make_watches(time, error) : COR_OK;
}

enum cor_status interaction__text_time_step(struct interaction__text_time *time, const enum cor_truth *truths,
                                            bool alarm, enum cor_truth inside, struct cor_error *error) {
    time->is_used = true;
    time->conditions[CONDITION_ALARM] = alarm ? COR_TEMPORAL_HOLDS : COR_TEMPORAL_VIOLATED;
    time->conditions[CONDITION_INSIDE] = (uint8_t)cor_temporal_of(inside);
    uint32_t next = CONDITIONS_FIRST;
    for (uint32_t c = 0; c < time->text->count; c++)
        if (interaction__text_kind(time->text, c) != COR_TEXT_TIME)
            time->conditions[next++] = (uint8_t)cor_temporal_of(truths[c]);
    for (uint32_t c = 0; c < time->text->count; c++)
        if (time->watches[c])
            COR_TRY(cor_temporal_step(time->watches[c], time->conditions, error));
    return COR_OK;
}

/* The verdict of one of time as if the sequence were stopped now; *decided: the case, from 1, that fixed it,
 * 0: none did. */
static enum cor_truth text_time_verdict(const struct interaction__text_time *time, uint32_t constraint,
                                        uint32_t *decided) {
    const uint64_t at = cor_temporal_decided_at(time->watches[constraint]);
    *decided = at == COR_TEMPORAL_OPEN ? 0 : (uint32_t)at + 1;
    return cor_temporal_truth(cor_temporal_so_far(time->watches[constraint]));
}

/* ---- the objective of a corridor as a text: lowered like a trigger, it becomes what plugin.h hands to
 * algorithms. The oracle reckons the same from raw lists, by the text */

struct interaction__objective {
    struct cor_objective given;
    struct cor_objective_step *steps; /* owned, as below */
    unsigned char *filters;
};

/* The two say the same, so that the one becomes the other without a table. */
_Static_assert((int)COR_TRIGGER_GREATEST == COR_OBJECTIVE_GREATEST &&
                   (int)COR_TRIGGER_DIVIDE_DOWN == COR_OBJECTIVE_DIVIDE_DOWN &&
                   (int)COR_TRIGGER_NOT == COR_OBJECTIVE_NOT &&
                   (int)COR_TRIGGER_MEAN_OF == COR_OBJECTIVE_MEAN_OF &&
                   COR_TRIGGER_NO_FILTER == COR_OBJECTIVE_NO_FILTER && COR_NOBODY == COR_NO_BLOCK,
               "steps of programs and objectives");

/* Whether the text says what. */
static bool text_has_objective(const struct interaction__text *text) {
    return text->corridor->objective.name != NULL;
}

/* Which column of values the attribute is, by its name; the value is the first. */
static uint32_t column_of(const struct interaction__text *text, const struct cor_rules *rules,
                          uint32_t attribute) {
    const uint32_t column =
        rules->columns ? cor_column(rules, text->corridor->attributes[attribute].name) : 0;
    COR_ASSERT(column < rules->value_count);
    return column;
}

struct cor_objective_step interaction__text_step(const struct interaction__text *text,
                                                 const struct cor_rules *rules,
                                                 const struct cor_trigger_program *program, uint32_t index) {
    const struct cor_trigger_node *node = &program->nodes[index];
    const bool has_column = node->operator>= COR_TRIGGER_SUM && node->operator<= COR_TRIGGER_GREATEST;
    return (struct cor_objective_step){
        .what = (uint32_t)node->operator,
        .by_block = node->by_organization,
        .left = node->left,
        .right = node->right,
        .column = has_column ? column_of(text, rules, program->columns[node->column].attribute) : 0,
        .filter = node->filter,
        .constant = node->constant};
}

/* What triggers ask of each organization by itself, as steps that nothing is made of; none, where one of them
 * asks something else, or a part does not add up. */
static enum cor_status lower_criteria(const struct interaction__text_judge *judge,
                                      struct cor_trigger_program *program, struct cor_error *error) {
    struct interaction__parts parts = {0};
    enum cor_status status = interaction__text_split(judge->text, judge, false, program, &parts, error);
    bool are_all = status == COR_OK;
    for (uint32_t t = 0; t < parts.trigger_count; t++)
        are_all = are_all && !parts.reasons[t];
    for (uint32_t p = 0; are_all && p < parts.count; p++) {
        const struct interaction__part *part = &parts.parts[p];
        are_all =
            adds_up(program, part->root) && (part->filter == COR_NOBODY || adds_up(program, part->filter));
    }
    if (are_all)
        status = COR_RESERVE(&program->nodes, &program->node_capacity,
                             program->node_count + (size_t)parts.count, error);
    for (uint32_t p = 0; are_all && status == COR_OK && p < parts.count; p++)
        program->nodes[program->node_count++] = (struct cor_trigger_node){.operator= COR_TRIGGER_ALL_OF,
                                                                          .left = parts.parts[p].filter,
                                                                          .right = parts.parts[p].root,
                                                                          .filter = COR_TRIGGER_NO_FILTER};
    interaction__parts_fini(&parts);
    return status;
}

enum cor_status interaction__text_objective_create(const struct interaction__text_judge *judge,
                                                   const struct cor_rules *rules, bool with_criteria,
                                                   struct interaction__objective **objective,
                                                   struct cor_error *error) {
    struct cor_trigger_program program = {0};
    uint32_t root;
    struct interaction__objective *made = *objective = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    enum cor_status status = with_criteria ? lower_criteria(judge, &program, error) : COR_OK;
    if (status == COR_OK)
        status = interaction__text_lower_objective(judge->text, judge, &program, &root, error);
    if (status == COR_OK) {
        const uint32_t agents = judge->agent_count;
        made->steps = cor_calloc(root + (size_t)1, sizeof *made->steps);
        made->filters = cor_calloc(program.filter_count * (size_t)agents + 1, 1);
        if (!made->steps || !made->filters)
            status = cor_fail_memory(error);
        else {
            for (uint32_t i = 0; i <= root; i++)
                made->steps[i] = interaction__text_step(judge->text, rules, &program, i);
            for (uint32_t f = 0; f < program.filter_count; f++)
                memcpy(made->filters + f * (size_t)agents, program.filters[f], agents);
            made->given = (struct cor_objective){root + 1, program.filter_count, made->steps, made->filters};
            status = COR_OK;
        }
    }
    cor_trigger_program_fini(&program);
    return status;
}

void interaction__text_objective_destroy(struct interaction__objective *objective) {
    if (!objective)
        return;
    COR_FREE(objective->steps, objective->filters, objective);
}

const struct cor_objective *interaction__text_objective(const struct interaction__objective *objective) {
    return objective ? &objective->given : NULL;
}

double interaction__text_reckon(const struct interaction__text_judge *judge) {
    double number;
    return cor_corridor_reckon(judge->judge, &number) ? number : (double)NAN;
}

/* ---- A corridor as a text over a suite: its words for what agents are, the monitor's program, the oracle's
 * look at each case, and time. A constraint is asked again only where something that it reads has changed */

enum { BUILT_IN = 4 }; /* attributes that all agents have: type, state, group, value */

/* An attribute of the model as conditions read it: nothing is copied of one of reals that all agents have. */
struct copied {
    const double *numbers; /* borrowed; of the state */
    int64_t *integers;     /* owned; of truth values, integers and words */
    int64_t *words;        /* owned; [code] the text's number of a word */
    uint8_t *unknown;      /* owned; where an agent may have none */
    bool is_fixed;         /* for the suite */
};

/* From an alarm until the system is back inside. */
struct episode {
    uint32_t alarm;   /* case; 0: there is none */
    uint32_t outside; /* cases at whose end it was not inside */
};

/* The moves of an adoption. What is seen after one is between two moves once there is another. */
struct moves {
    uint32_t number;              /* of the case */
    struct cor_lists lists;       /* owned; the structure on the way, which is asked about until the next */
    struct cor_judgement before;  /* of kind and invariants, before the first move */
    struct cor_judgement now;     /* after the last */
    struct cor_judgement between; /* that was noted */
    bool is_pending;              /* `now` is of a move */
    bool are_parents_wrong;       /* in the solution: what of that is seen on the way is its doing */
    bool *was_met;                /* owned; [constraint] before, and not noted yet */
};

/* What is remembered of a sequence so far. The arrays are owned. */
struct memory {
    enum cor_truth *truths;    /* [constraint] of the structure, as it was asked last */
    enum cor_truth *edges;     /* [constraint] the same at rounding errors */
    enum cor_inside inside;    /* of all that must hold, by `truths` */
    uint32_t *sure, *possible; /* [constraint] cases on end in which it was violated, or might have been; of
                                  triggers for "each" by the organization with most of them */
    struct cor_streaks each;   /* the same of each organization: [2 * constraint, + 1] */
    struct cor_streaks names;  /* in place of counts the name of each organization that keeps something; */
    uint32_t name_count;       /* how many there were */
    struct episode episode;
    uint32_t *outside_by; /* [constraint] cases of the episode at whose end it was not met */
    bool *is_decided;     /* [constraint] of time: a violation was noted */
    bool *is_said;        /* [constraint] why the monitor saw it violated */
    uint8_t *history;     /* [case][constraint + 2]: alarm, inside, truths */
    size_t history_capacity;
    uint32_t history_count;
};

struct interaction__text_suite {
    const struct interaction__text *text;  /* borrowed */
    struct interaction__text_judge *judge; /* owned, as all here */
    struct cor_trigger *trigger;
    struct interaction__objective *objective; /* NULL: the text has none */
    struct interaction__text_time *time;
    uint32_t count;                /* constraints */
    uint32_t *kinds;               /* [constraint] */
    bool *is_fixed;                /* [constraint] */
    enum cor_truth *asked;         /* [constraint] of the lists judged last */
    bool is_looked_at;             /* the judge looks at the structure, */
    bool is_of_kind;               /* and found it of its kind */
    bool is_new;                   /* the structure: fixed constraints are asked again */
    uint32_t noted_case;           /* of the look that was noted last; 0: none of the sequence */
    enum cor_truth *noted;         /* [constraint] the worst that is noted of looks of that case */
    enum cor_truth *organizations; /* of a trigger for "each": of each by itself, at the edge unknown; then
                                      the same at the edge known */
    size_t organization_capacity;
    int64_t *types, *groups, *states; /* [agent] words; NULL: nothing reads them */
    int64_t *state_words;             /* [agent * most states + state] */
    uint32_t state_most;
    struct copied *copied; /* [attribute of the model] */
    uint32_t attribute_count;

    struct moves moves;
    struct cor_constraint_ground *grounds; /* as they were found last */
    size_t ground_count, ground_capacity;

    struct memory of; /* the sequence */
};

struct interaction__text_saved {
    struct memory of;
    uint32_t *trigger;       /* owned */
    struct cor_streaks each; /* owned; of the trigger */
};

/* ---- against the model */

/* All words that the state of an agent can be, NULL-terminated, in an array of the caller's; false: any. */
static bool state_words(const struct cor_test_model *model, const char **words) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < model->type_count; t++) {
        const struct cor_agent_type *type = &model->types[t];
        char *const *own = type->fixed ? type->fixed->state_names : type->state_names;
        if (own) {
            const uint32_t states = type->fixed ? type->fixed->state_count : type->state_count;
            for (uint32_t s = 0; s < states; s++)
                words[count++] = own[s];
            continue;
        }
        for (uint32_t e = 0; e < model->perceived_count; e++) {
            const struct cor_environment *environment = &model->environments[e];
            if (type->environment != COR_NOBODY && type->environment != e)
                continue;
            if (environment->is_random)
                return false;
            for (uint32_t s = 0; s < environment->profile->state_count; s++)
                words[count++] = environment->profile->states[s];
        }
    }
    words[count] = NULL;
    return true;
}

/* The words, each once, in the order of their first. */
static void make_unique(const char **words) {
    uint32_t kept = 0;
    for (uint32_t w = 0; words[w]; w++) {
        bool is_known = false;
        for (uint32_t k = 0; k < kept && !is_known; k++)
            is_known = strcmp(words[k], words[w]) == 0;
        if (!is_known)
            words[kept++] = words[w];
    }
    words[kept] = NULL;
}

/* Whether what a formula reads changes. */
static bool formula_changes(const struct cor_formula *formula, const struct interaction__column *attributes) {
    for (uint32_t s = 0; s < formula->step_count; s++) {
        const struct cor_formula_step *step = &formula->steps[s];
        if (step->operator== COR_FORMULA_COLUMN &&(step->left == 0 || attributes[step->left - 1].changes))
            return true;
    }
    return false;
}

enum cor_status interaction__with_agents(const struct cor_experiment *experiment,
                                         interaction__agents_body *body, void *context,
                                         struct cor_error *error) {
    const struct cor_test_model *model = experiment->model;
    const size_t most = (size_t)model->type_count * (model->environment_count + 1) * 256 + 1;
    const char **types = cor_calloc(model->type_count + (size_t)1, sizeof *types);
    const char **states = cor_calloc(most, sizeof *states);
    enum cor_status status = types && states ? COR_OK : cor_fail_memory(error);
    for (uint32_t t = 0; status == COR_OK && t < model->type_count; t++)
        types[t] = model->types[t].name;
    if (status == COR_OK) {
        const bool is_known = state_words(model, states);
        if (is_known)
            make_unique(states);
        struct interaction__column columns[COR_ATTRIBUTES_MAX + BUILT_IN] = {0};
        const struct interaction__column built_in[BUILT_IN] = {
            {.name = "type", .type = COR_ATTRIBUTE_WORDS, .words = types},
            {.name = "state",
             .type = COR_ATTRIBUTE_WORDS,
             .words = is_known ? states : NULL,
             .changes = true},
            {.name = "group", .type = COR_ATTRIBUTE_WORDS},
            {.name = "value", .type = COR_ATTRIBUTE_REAL, .high = 1, .changes = true},
        };
        char place[600];
        /* Where the experiment, or the suite that stands alone, says its kind of structure; "": nowhere. */
        struct cor_json structure, kind;
        place[0] = '\0';
        if (!model->root.value) {
            if (cor_json_find(&experiment->root, "kind", &kind))
                cor_json_place(&kind, place, sizeof place);
        } else if (cor_json_find(&model->root, "structure", &structure) && cor_json_is_object(&structure) &&
                   cor_json_find(&structure, "kind", &kind)) {
            cor_json_place(&kind, place, sizeof place);
        }
        /* The attributes that the model gives to agents. */
        for (uint32_t a = 0; a < model->attribute_count; a++) {
            const struct cor_agent_attribute *attribute = &model->attributes[a];
            columns[a] = (struct interaction__column){.name = attribute->name,
                                                      .unit = attribute->unit[0] ? attribute->unit : NULL,
                                                      .type = attribute->type,
                                                      .low = attribute->low,
                                                      .high = attribute->high,
                                                      .words = (const char *const *)attribute->words};
            for (uint32_t arm = 0; arm < experiment->arm_count; arm++)
                columns[a].changes =
                    columns[a].changes || cor_arm_writes(&experiment->arms[arm], attribute->name);
            for (uint32_t t = 0; t < model->type_count; t++) {
                const struct cor_attribute_law *law = &model->types[t].attributes[a];
                const bool is_computed = law->source == COR_ATTRIBUTE_COMPUTED;
                columns[a].is_partial = columns[a].is_partial || is_computed;
                columns[a].changes = columns[a].changes || law->source == COR_ATTRIBUTE_LEVEL ||
                                     law->source == COR_ATTRIBUTE_ADDED ||
                                     (is_computed && formula_changes(&law->formula, columns));
            }
        }
        memcpy(columns + model->attribute_count, built_in, sizeof built_in);
        const struct interaction__agents agents = {model->kind, place, columns,
                                                   model->attribute_count + BUILT_IN};
        status = body(context, &agents, error);
    }
    COR_FREE(types, states);
    return status;
}

struct check {
    struct interaction__text *text;
    bool is_watched;
};

static enum cor_status check_agents(void *context, const struct interaction__agents *agents,
                                    struct cor_error *error) {
    const struct check *check = context;
    return interaction__text_check(check->text, agents, check->is_watched, error);
}

/* Which number of an arm each parameter is: one of the laws, else count of the laws + role. */
static enum cor_status find_parameters(const struct interaction__text *text,
                                       const struct cor_experiment *experiment, const struct cor_arm *arm,
                                       uint32_t *found, struct cor_error *error) {
    struct interaction__number *numbers;
    uint32_t count;
    COR_TRY(interaction__arm_numbers(experiment, arm, &numbers, &count, error));
    for (uint32_t i = cor_parameter_laws_size(arm->laws); i < count;
         i++) { /* a text may be narrower than what a role can be */
        numbers[i].low = -INFINITY;
        numbers[i].high = INFINITY;
    }
    const enum cor_status status =
        interaction__text_find_parameters(text, arm->name, numbers, count, found, error);
    free(numbers);
    return status;
}

/* Does the algorithm make such an objective small? */
static enum cor_status check_aims(const struct interaction__text *text, const struct cor_arm *arm,
                                  struct cor_error *error) {
    const char *name = text->corridor->objective.name, *at = text->corridor->objective.text;
    const uint32_t capabilities = arm->algorithm->capabilities;
    struct cor_trigger_program program = {0};
    uint32_t root;
    if (capabilities & COR_AIMS)
        return COR_OK;
    if (!(capabilities & COR_AIMS_BY_BLOCK))
        return interaction__text_complain(text, at, error,
                                          "leave the objective out, or take an algorithm that \"goes with "
                                          "objectives\" (corridor list), such as "
                                          "psopp",
                                          "the objective \"%s\" is not what %s of arm \"%s\" makes small",
                                          name, arm->algorithm->name, arm->name);
    enum cor_status status = interaction__text_lower_objective(text, NULL, &program, &root, error);
    if (status == COR_OK && !is_by_block(&program, root))
        status = interaction__text_complain(
            text, at, error,
            "what they follow: a sum or the greatest number over all organizations, of counts and sums of "
            "their own "
            "members; or take an algorithm that \"goes with objectives\" (corridor list), such as psopp",
            "the objective \"%s\" asks for more than agents of %s of arm \"%s\" know, which see a few "
            "organizations",
            name, arm->algorithm->name, arm->name);
    cor_trigger_program_fini(&program);
    return status;
}

enum cor_status interaction__text_check_experiment(struct interaction__text *text,
                                                   const struct cor_experiment *experiment, bool is_watched,
                                                   struct cor_error *error) {
    uint32_t *found = cor_calloc(interaction__text_parameter_count(text), sizeof *found);
    COR_TRY(cor_made(found, error));
    enum cor_status status =
        interaction__with_agents(experiment, check_agents, &(struct check){text, is_watched}, error);
    for (uint32_t a = 0; status == COR_OK && a < experiment->arm_count; a++) {
        const struct cor_arm *arm = &experiment->arms[a];
        status = find_parameters(text, experiment, arm, found, error);
        if (status == COR_OK && is_watched && text_has_objective(text))
            status = check_aims(text, arm, error);
    }
    if (status == COR_OK && is_watched)
        status = interaction__text_expect_trigger(text, error);
    free(found);
    return status;
}

/* ---- columns */

/* What the state of an agent of that type, which perceives that chain, is called. */
static const char *state_name(const struct cor_suite *suite, uint32_t type, uint32_t chain, uint32_t state) {
    const struct cor_agent_type *of = &suite->experiment->model->types[type];
    if (of->fixed)
        return of->fixed->state_names[state];
    if (of->state_names)
        return state < of->state_count ? of->state_names[state] : "";
    const struct cor_profile *profile = suite->profiles[suite->configuration->profile_of_chain[chain]];
    return state < profile->state_count ? profile->states[state] : "";
}

static enum cor_status make_states(struct cor_runner *r, struct interaction__text_suite *s, int attribute,
                                   struct cor_error *error) {
    const struct cor_configuration *c = r->configuration;
    for (uint32_t g = 0; g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
            const struct cor_effect *effect =
                cor_configuration_effect(c, c->type[i], cor_configuration_chain(c, c->type[i], g));
            s->state_most = effect->state_count > s->state_most ? effect->state_count : s->state_most;
        }
    s->states = cor_calloc(c->agent_count, sizeof *s->states);
    s->state_words = cor_calloc((size_t)c->agent_count * s->state_most, sizeof *s->state_words);
    if (!s->states || !s->state_words)
        return cor_fail_memory(error);
    for (uint32_t g = 0; g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
            const uint32_t chain = cor_configuration_chain(c, c->type[i], g);
            const struct cor_effect *effect = cor_configuration_effect(c, c->type[i], chain);
            for (uint32_t k = 0; k < effect->state_count; k++)
                COR_TRY(interaction__text_word(s->text, state_name(r->suite, c->type[i], chain, k),
                                               &s->state_words[(size_t)i * s->state_most + k], error));
        }
    interaction__text_judge_column(s->judge, attribute, NULL, s->states, NULL);
    return COR_OK;
}

static void copy_numbers(const struct copied *copied, uint32_t agents) {
    for (uint32_t i = 0; i < agents; i++) {
        const double number = copied->numbers[i];
        const bool is_unknown = isnan(number);
        if (copied->unknown)
            copied->unknown[i] = is_unknown;
        if (copied->integers)
            copied->integers[i] = is_unknown      ? 0
                                  : copied->words ? copied->words[(uint32_t)number]
                                                  : (int64_t)number;
    }
}

static enum cor_status make_attribute(struct cor_runner *r, struct interaction__text_suite *s, uint32_t index,
                                      int attribute, struct cor_error *error) {
    const struct cor_configuration *c = r->configuration;
    const struct cor_agent_attribute *of = &c->attributes[index];
    struct copied *copied = &s->copied[index];
    bool is_partial = false;
    copied->numbers = r->state->attribute[index];
    copied->is_fixed = !of->is_written;
    for (uint32_t t = 0; t < c->type_count; t++) {
        is_partial = is_partial || of->rules[t].source == COR_ATTRIBUTE_COMPUTED;
        copied->is_fixed = copied->is_fixed && of->rules[t].source == COR_ATTRIBUTE_FIXED;
    }
    if (is_partial)
        COR_TRY(cor_made(copied->unknown = cor_calloc(c->agent_count, 1), error));
    if (of->type != COR_ATTRIBUTE_REAL)
        COR_TRY(cor_made(copied->integers = cor_calloc(c->agent_count, sizeof *copied->integers), error));
    if (of->type == COR_ATTRIBUTE_WORDS)
        COR_TRY(cor_made(copied->words = cor_calloc(of->word_count, sizeof *copied->words), error));
    for (uint32_t w = 0; copied->words && w < of->word_count; w++)
        COR_TRY(interaction__text_word(s->text, of->words[w], &copied->words[w], error));
    copy_numbers(copied, c->agent_count);
    interaction__text_judge_column(s->judge, attribute, copied->numbers, copied->integers, copied->unknown);
    return COR_OK;
}

static enum cor_status make_columns(struct cor_runner *r, struct interaction__text_suite *s,
                                    struct cor_error *error) {
    const int type = interaction__text_attribute(s->text, "type"),
              group = interaction__text_attribute(s->text, "group"),
              state = interaction__text_attribute(s->text, "state"),
              value = interaction__text_attribute(s->text, "value");
    if (type >= 0) {
        const struct cor_configuration *c = r->configuration;
        const struct cor_test_model *model = r->suite->experiment->model;
        int64_t words[COR_TYPES_MAX];
        COR_TRY(cor_made(s->types = cor_calloc(c->agent_count, sizeof *s->types), error));
        for (uint32_t t = 0; t < model->type_count; t++)
            COR_TRY(interaction__text_word(s->text, model->types[t].name, &words[t], error));
        for (uint32_t i = 0; i < c->agent_count; i++)
            s->types[i] = words[c->type[i]];
        interaction__text_judge_column(s->judge, type, NULL, s->types, NULL);
    }
    if (group >= 0) {
        const struct cor_configuration *c = r->configuration;
        COR_TRY(cor_made(s->groups = cor_calloc(c->agent_count, sizeof *s->groups), error));
        for (uint32_t g = 0; g < c->group_count; g++) {
            char name[16];
            int64_t word;
            snprintf(name, sizeof name, "%u", g);
            COR_TRY(interaction__text_word(s->text, name, &word, error));
            for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++)
                s->groups[i] = word;
        }
        interaction__text_judge_column(s->judge, group, NULL, s->groups, NULL);
    }
    if (state >= 0)
        COR_TRY(make_states(r, s, state, error));
    if (value >= 0)
        interaction__text_judge_column(s->judge, value, r->state->value, NULL, NULL);
    const struct cor_configuration *c = r->configuration;
    s->attribute_count = c->attribute_count;
    COR_TRY(cor_made(s->copied = cor_calloc(c->attribute_count, sizeof *s->copied), error));
    cor_state_columns(r->state);
    for (uint32_t a = 0; a < c->attribute_count; a++) {
        const int attribute = interaction__text_attribute(s->text, c->attributes[a].name);
        if (attribute >= 0)
            COR_TRY(make_attribute(r, s, a, attribute, error));
    }
    return COR_OK;
}

void interaction__text_follow(const struct cor_runner *r) {
    const struct interaction__text_suite *s = r->text;
    cor_state_columns(r->state);
    for (uint32_t a = 0; a < r->configuration->attribute_count; a++)
        if (s->copied[a].numbers && !s->copied[a].is_fixed)
            copy_numbers(&s->copied[a], r->configuration->agent_count);
    for (uint32_t i = 0; s->states && i < r->configuration->agent_count; i++)
        s->states[i] = s->state_words[(size_t)i * s->state_most + r->state->agent_state[i]];
}

/* ---- its life */

/* The values of the parameters. What an algorithm is not held to does not bind. */
static enum cor_status parameter_values(const struct cor_runner *r, double **values,
                                        struct cor_error *error) {
    const struct interaction__text *text = r->text->text;
    const struct cor_configuration *c = r->configuration;
    const double roles[] = {r->limits.size_min, r->limits.size_max, r->limits.count_min, r->limits.count_max,
                            c->threshold};
    const uint32_t count = interaction__text_parameter_count(text),
                   laws = cor_parameter_laws_size(r->suite->arm->laws);
    uint32_t *found = cor_calloc(count, sizeof *found);
    *values = cor_calloc(count, sizeof **values);
    enum cor_status status = found && *values ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK)
        status = find_parameters(text, r->suite->experiment, r->suite->arm, found, error);
    for (uint32_t p = 0; status == COR_OK && p < count; p++)
        (*values)[p] = found[p] < laws ? r->suite->parameters[found[p]] : roles[found[p] - laws];
    free(found);
    return status;
}

static void memory_fini(struct memory *m) {
    void *const all[] = {m->truths,     m->edges,      m->sure,    m->possible,
                         m->outside_by, m->is_decided, m->is_said, m->history};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    cor_streaks_fini(&m->each);
    cor_streaks_fini(&m->names);
}

/* memory_fini frees it in any case. */
static enum cor_status memory_init(struct memory *m, uint32_t constraints, struct cor_error *error) {
    m->truths = cor_calloc(constraints, sizeof *m->truths);
    m->edges = cor_calloc(constraints, sizeof *m->edges);
    m->sure = cor_calloc(constraints, sizeof *m->sure);
    m->possible = cor_calloc(constraints, sizeof *m->possible);
    m->outside_by = cor_calloc(constraints, sizeof *m->outside_by);
    m->is_decided = cor_calloc(constraints, sizeof *m->is_decided);
    m->is_said = cor_calloc(constraints, sizeof *m->is_said);
    cor_streaks_init(&m->each, 2 * constraints);
    cor_streaks_init(&m->names, 1);
    return m->truths && m->edges && m->sure && m->possible && m->outside_by && m->is_decided && m->is_said
               ? COR_OK
               : cor_fail_memory(error);
}

static enum cor_status memory_copy(struct memory *to, const struct memory *from, size_t constraints,
                                   struct cor_error *error) {
    const size_t history = from->history_count * (constraints + 2);
    COR_TRY(COR_RESERVE(&to->history, &to->history_capacity, history + 1, error));
    memcpy(to->truths, from->truths, constraints * sizeof *to->truths);
    memcpy(to->edges, from->edges, constraints * sizeof *to->edges);
    memcpy(to->sure, from->sure, constraints * sizeof *to->sure);
    memcpy(to->possible, from->possible, constraints * sizeof *to->possible);
    memcpy(to->outside_by, from->outside_by, constraints * sizeof *to->outside_by);
    memcpy(to->is_decided, from->is_decided, constraints * sizeof *to->is_decided);
    memcpy(to->is_said, from->is_said, constraints * sizeof *to->is_said);
    if (history > 0)
        memcpy(to->history, from->history, history);
    to->history_count = from->history_count;
    to->episode = from->episode;
    to->inside = from->inside;
    to->name_count = from->name_count;
    COR_TRY(cor_streaks_copy(&to->names, &from->names, error));
    return cor_streaks_copy(&to->each, &from->each, error);
}

enum cor_status interaction__text_suite_create(struct cor_runner *r, const struct interaction__text *text,
                                               bool is_watched, struct cor_error *error) {
    COR_FREED double *parameters = NULL;
    enum cor_status status = COR_OK;
    struct interaction__text_suite *s = r->text = cor_calloc(1, sizeof *s);
    COR_TRY(cor_made(s, error));
    s->text = text;
    s->count = interaction__text_count(text);
    const uint32_t n = s->count;
    s->kinds = cor_calloc(n, sizeof *s->kinds);
    s->is_fixed = cor_calloc(n, sizeof *s->is_fixed);
    s->asked = cor_calloc(n, sizeof *s->asked);
    s->noted = cor_calloc(n, sizeof *s->noted);
    cor_lists_init(&s->moves.lists);
    s->moves.was_met = cor_calloc(n, sizeof *s->moves.was_met);
    COR_TRY(memory_init(&s->of, n, error));
    COR_TRY(s->kinds && s->is_fixed && s->asked && s->noted && s->moves.was_met ? COR_OK
                                                                                : cor_fail_memory(error));
    for (uint32_t c = 0; c < s->count; c++) {
        s->kinds[c] = interaction__text_kind(text, c);
        s->is_fixed[c] = s->kinds[c] != COR_TEXT_TIME && interaction__text_is_fixed(text, c);
    }
    COR_TRY(parameter_values(r, &parameters, error));
    COR_TRY(
        interaction__text_judge_create(text, r->configuration->agent_count, parameters, &s->judge, error));
    s->judge->absent = r->state->absent;
    COR_TRY(make_columns(r, s, error));
    if (is_watched) {
        struct cor_trigger_program program = {0};
        status = interaction__text_trigger(s->judge, &program, error);
        if (status != COR_OK)
            cor_trigger_program_fini(&program);
        COR_TRY(status);
        COR_TRY(cor_trigger_create(&program, r->configuration->agent_count, &s->trigger, error));
    }
    if (is_watched && text_has_objective(text))
        COR_TRY(interaction__text_objective_create(
            s->judge, &r->rules, (r->suite->arm->algorithm->capabilities & COR_AIMS_BY_BLOCK) != 0,
            &s->objective, error));
    /* Where the algorithm is mocked nobody brings the system back. */
    COR_TRY(interaction__text_time_create(
        text, r->suite->arm->mock ? UINT32_MAX : r->suite->arm->return_cases, &s->time, error));
    /* What the initial structure does not keep to: nobody's failure, but said. */
    struct cor_judgement judgement;
    uint32_t unknown;
    COR_TRY(cor_state_lists(r->state, &r->structure, error));
    interaction__text_follow(r);
    COR_TRY(interaction__text_judge_lists(r, &r->structure, &judgement, &unknown, error));
    return interaction__text_note(r, 0, COR_BOX_BLACK, error);
}

void interaction__text_suite_destroy(struct interaction__text_suite *suite) {
    if (!suite)
        return;
    interaction__text_judge_destroy(suite->judge);
    cor_trigger_destroy(suite->trigger);
    interaction__text_objective_destroy(suite->objective);
    interaction__text_time_destroy(suite->time);
    memory_fini(&suite->of);
    COR_FREE(suite->organizations, suite->kinds, suite->is_fixed, suite->asked, suite->noted, suite->types,
             suite->groups, suite->states, suite->state_words);
    for (uint32_t a = 0; suite->copied && a < suite->attribute_count; a++) {
        COR_FREE(suite->copied[a].integers, suite->copied[a].words, suite->copied[a].unknown);
    }
    free(suite->copied);
    cor_lists_fini(&suite->moves.lists);
    COR_FREE(suite->grounds, suite->moves.was_met, suite);
}

void interaction__text_saved_destroy(struct interaction__text_saved *saved) {
    if (!saved)
        return;
    memory_fini(&saved->of);
    cor_streaks_fini(&saved->each);
    COR_FREE(saved->trigger, saved);
}

enum cor_status interaction__text_save(const struct cor_runner *r, struct interaction__text_saved **saved,
                                       struct cor_error *error) {
    const struct interaction__text_suite *s = r->text;
    size_t size;
    const uint32_t *memory = cor_trigger_memory(s->trigger, &size);
    if (!*saved) {
        struct interaction__text_saved *made = cor_calloc(1, sizeof *made);
        COR_TRY(cor_made(made, error));
        made->trigger = cor_calloc(size + 1, 1);
        cor_streaks_init(&made->each, cor_trigger_streaks(s->trigger)->row_count);
        if (!made->trigger || memory_init(&made->of, s->count, error) != COR_OK) {
            interaction__text_saved_destroy(made);
            return cor_fail_memory(error);
        }
        *saved = made;
    }
    struct interaction__text_saved *to = *saved;
    memcpy(to->trigger, memory, size);
    COR_TRY(cor_streaks_copy(&to->each, cor_trigger_streaks(s->trigger), error));
    return memory_copy(&to->of, &s->of, s->count, error);
}

/* What is said of time sees a case that is over. */
static enum cor_status step_time(struct interaction__text_suite *s, const uint8_t *row,
                                 struct cor_error *error) {
    for (uint32_t c = 0; c < s->count; c++)
        s->asked[c] = (enum cor_truth)row[2 + c];
    return interaction__text_time_step(s->time, s->asked, row[0] != 0, (enum cor_truth)row[1], error);
}

enum cor_status interaction__text_restore(struct cor_runner *r, const struct interaction__text_saved *saved,
                                          struct cor_error *error) {
    struct interaction__text_suite *s = r->text;
    size_t size;
    cor_trigger_restart(s->trigger);
    uint32_t *memory = cor_trigger_memory(s->trigger, &size);
    memcpy(memory, saved->trigger, size);
    COR_TRY(cor_streaks_copy(cor_trigger_streaks(s->trigger), &saved->each, error));
    COR_TRY(memory_copy(&s->of, &saved->of, s->count, error));
    s->judge->kept_of = NULL;
    s->is_looked_at = false;
    s->is_new = true;
    s->noted_case = 0;
    COR_TRY(interaction__text_time_restart(s->time, error));
    for (uint32_t i = 0; i < s->of.history_count; i++)
        COR_TRY(step_time(s, s->of.history + i * (s->count + 2), error));
    return COR_OK;
}

enum cor_status interaction__text_begin(struct cor_runner *r, struct cor_error *error) {
    struct interaction__text_suite *s = r->text;
    if (s->trigger)
        cor_trigger_restart(s->trigger);
    memset(s->of.sure, 0, s->count * sizeof *s->of.sure);
    memset(s->of.possible, 0, s->count * sizeof *s->of.possible);
    cor_streaks_clear(&s->of.each);
    cor_streaks_clear(&s->of.names);
    s->of.name_count = 0;
    s->judge->kept_of = NULL;
    memset(s->of.is_decided, 0, s->count * sizeof *s->of.is_decided);
    memset(s->of.is_said, 0, s->count * sizeof *s->of.is_said);
    s->of.episode = (struct episode){0};
    s->of.history_count = 0;
    s->is_looked_at = false;
    s->is_new = true;
    s->noted_case = 0;
    return interaction__text_time_restart(s->time, error);
}

/* ---- judging */

/* The verdict of a constraint on the lists looked at; at rounding errors either answer is right, and nobody
 * is accused: then *edge is that it is not known. */
static enum cor_truth ask(struct interaction__text_suite *s, uint32_t constraint, enum cor_truth *edge) {
    bool is_close;
    const enum cor_truth truth = interaction__text_ask(s->judge, constraint, &is_close);
    *edge = is_close ? cor_corridor_ask_with_edge(s->judge->judge, constraint, NULL) : truth;
    return truth == COR_TRUTH_FALSE && *edge == COR_TRUTH_UNKNOWN ? COR_TRUTH_TRUE : truth;
}

enum cor_status interaction__text_judge_lists(struct cor_runner *r, const struct cor_lists *lists,
                                              struct cor_judgement *judgement, uint32_t *unknown,
                                              struct cor_error *error) {
    struct interaction__text_suite *s = r->text;
    *unknown = 0;
    s->is_looked_at = false;
    COR_TRY(interaction__text_look(s->judge, lists, judgement, error));
    for (uint32_t c = 0; c < s->count; c++) {
        enum cor_truth edge;
        s->asked[c] = COR_TRUTH_TRUE;
        if (!(s->kinds[c] & COR_TEXT_INVARIANT))
            continue;
        s->asked[c] = ask(s, c, &edge);
        *unknown += s->asked[c] == COR_TRUTH_UNKNOWN;
        if (s->asked[c] != COR_TRUTH_FALSE)
            continue;
        struct interaction__why why;
        interaction__text_why(s->judge, c, COR_TRUTH_FALSE, &why);
        cor_judgement_add(judgement, COR_CHECK_CONSTRAINT, why.agent, why.organization, c,
                          (double)why.violations);
    }
    return COR_OK;
}

static enum cor_status note_one(struct cor_runner *r, uint32_t number, enum cor_box box, uint32_t constraint,
                                enum cor_truth truth, struct cor_error *error) {
    /* A system that is outside now and then says so in each case: why, in the first of the sequence. */
    struct interaction__why why = {.agent = COR_NOBODY, .organization = COR_NOBODY};
    if (box != COR_BOX_DETECT || !r->text->of.is_said[constraint])
        interaction__text_why(r->text->judge, constraint, truth, &why);
    r->text->of.is_said[constraint] = r->text->of.is_said[constraint] || box == COR_BOX_DETECT;
    struct cor_constraint_row *row = cor_record_row(r->record, COR_TABLE_CONSTRAINTS, error);
    if (!row)
        return error->status;
    row->sequence = (uint16_t)r->sequence.index;
    row->case_ = number;
    row->box = (uint8_t)box;
    row->constraint = (uint16_t)constraint;
    row->verdict = truth == COR_TRUTH_FALSE ? COR_VERDICT_FAILED : COR_VERDICT_UNDECIDED;
    row->violations = why.violations < UINT32_MAX ? (uint32_t)why.violations : UINT32_MAX;
    row->agent = why.agent;
    row->organization = why.organization;
    row->sentence = (uint32_t)strlen(why.sentence);
    return cor_record_put(r->record, COR_VECTOR_SENTENCES, why.sentence, row->sentence, &row->sentence_start,
                          error);
}

enum cor_status interaction__text_note(struct cor_runner *r, uint32_t number, enum cor_box box,
                                       struct cor_error *error) {
    for (uint32_t c = 0; c < r->text->count; c++)
        if (r->text->asked[c] != COR_TRUTH_TRUE)
            COR_TRY(note_one(r, number, box, c, r->text->asked[c], error));
    return COR_OK;
}

/* ---- what algorithms are to make small */

const struct cor_objective *interaction__text_suite_objective(const struct cor_runner *r) {
    return r->text ? interaction__text_objective(r->text->objective) : NULL;
}

enum cor_status interaction__text_weigh(struct cor_runner *r, const struct cor_lists *lists, double *number,
                                        struct cor_error *error) {
    struct cor_judgement kind;
    *number = NAN;
    if (!r->text || !r->text->objective)
        return COR_OK;
    r->text->is_looked_at = false;
    COR_TRY(interaction__text_look(r->text->judge, lists, &kind, error));
    *number = interaction__text_reckon(r->text->judge);
    return COR_OK;
}

/* ---- the monitor and the oracle */

/* The organizations of the structure have names, and keep what goes with these: one that goes on with none of
 * before is a new one. */
static enum cor_status keep(struct cor_runner *r, struct cor_error *error) {
    struct interaction__text_suite *s = r->text;
    struct cor_streaks *names = &s->of.names;
    if (!interaction__text_keeps(s->text) ||
        (s->judge->kept_of && cor_lists_same_blocks(&names->blocks, &r->structure)))
        return COR_OK;
    struct cor_stream_name name = r->suite->name;
    name.purpose = COR_PURPOSE_ORGANIZATION;
    COR_TRY(cor_streaks_follow(names, &r->structure, r->configuration->agent_count, error));
    for (uint32_t o = 0; o < r->structure.block_count; o++)
        if (names->counts[o] == 0)
            names->counts[o] = ++s->of.name_count;
    return interaction__text_judge_keep(s->judge, &r->structure, names->counts, &name, error);
}

enum cor_status interaction__text_watch(struct cor_runner *r, bool *due, struct cor_error *error) {
    interaction__text_follow(r);
    COR_TRY(keep(r, error));
    return cor_trigger_watch(r->text->trigger, r->state, due, error);
}

const struct interaction__text_judge *interaction__text_suite_judge(const struct cor_runner *r) {
    return r->text->judge;
}

const uint32_t *interaction__text_suite_outside(const struct cor_runner *r) {
    size_t size;
    return cor_trigger_memory(r->text->trigger, &size);
}

enum cor_status interaction__text_ask_all(struct cor_runner *r, struct cor_error *error) {
    struct interaction__text_suite *s = r->text;
    COR_TRY(keep(r, error));
    if (!s->is_looked_at) {
        struct cor_judgement kind;
        COR_TRY(interaction__text_look(s->judge, &r->structure, &kind, error));
        s->is_looked_at = true;
        s->is_of_kind = kind.violation_count == 0;
    }
    bool is_violated = !s->is_of_kind, is_edge = false, is_unknown = false;
    for (uint32_t c = 0; c < s->count; c++) {
        if (s->kinds[c] == COR_TEXT_TIME)
            continue;
        if (s->is_new || !s->is_fixed[c])
            s->of.truths[c] = ask(s, c, &s->of.edges[c]);
        is_violated =
            is_violated || (s->of.truths[c] == COR_TRUTH_FALSE && s->of.edges[c] == COR_TRUTH_FALSE);
        is_unknown = is_unknown || s->of.truths[c] == COR_TRUTH_UNKNOWN;
        is_edge = is_edge || (s->of.truths[c] != COR_TRUTH_UNKNOWN && s->of.edges[c] == COR_TRUTH_UNKNOWN);
    }
    s->is_new = false;
    s->of.inside = is_violated && interaction__can_be_asked(r) ? COR_INSIDE_OUTSIDE
                   : is_violated || is_unknown                 ? COR_INSIDE_UNKNOWN
                   : is_edge                                   ? COR_INSIDE_EDGE
                                                               : COR_INSIDE_INSIDE;
    return COR_OK;
}

/* Nothing that was asked of the structure changes by it, nor what will be. */
enum cor_status interaction__text_find_grounds(struct cor_runner *r, struct cor_error *error) {
    struct interaction__text_suite *s = r->text;
    struct cor_judgement kind;
    s->ground_count = 0;
    s->is_looked_at = false;
    COR_TRY(keep(r, error));
    COR_TRY(interaction__text_look(s->judge, &r->structure, &kind, error));
    for (uint32_t c = 0; c < s->count; c++) {
        if (s->kinds[c] == COR_TEXT_TIME)
            continue;
        COR_TRY(COR_RESERVE(&s->grounds, &s->ground_capacity, s->ground_count + COR_TEXT_GROUNDS, error));
        struct cor_grounds found;
        cor_corridor_grounds(s->judge->judge, c, &found);
        const size_t count = found.count < COR_TEXT_GROUNDS ? found.count : COR_TEXT_GROUNDS;
        for (size_t i = 0; i < count; i++)
            interaction__text_put_ground(s->judge, c, &found.kept[i], &s->grounds[s->ground_count++]);
    }
    return COR_OK;
}

const struct cor_constraint_ground *interaction__text_suite_grounds(const struct cor_runner *r,
                                                                    size_t *count) {
    *count = r->text->ground_count;
    return r->text->grounds;
}

/* What is not met at a look is noted once a case, and once more if it was unknown and is violated now. */
static enum cor_status note_seen(struct cor_runner *r, uint32_t number, uint32_t constraint,
                                 struct cor_error *error) {
    struct interaction__text_suite *s = r->text;
    const enum cor_truth truth = s->of.truths[constraint];
    if (s->noted_case != number)
        for (uint32_t c = 0; c < s->count; c++)
            s->noted[c] = COR_TRUTH_TRUE;
    s->noted_case = number;
    if (truth == COR_TRUTH_TRUE || s->noted[constraint] == COR_TRUTH_FALSE || s->noted[constraint] == truth)
        return COR_OK;
    s->noted[constraint] = truth;
    return note_one(r, number, COR_BOX_DETECT, constraint, truth, error);
}

/* A trigger for "each" counts one case more of each organization, which takes over what that one had which it
 * goes on with. *is_unknown: where enough are possible, it is since something is not known. */
static enum cor_status count_each(struct cor_runner *r, uint32_t constraint, bool *is_unknown,
                                  struct cor_error *error) {
    struct interaction__text_suite *s = r->text;
    const uint32_t count = r->structure.block_count, cases = interaction__text_cases(s->text, constraint);
    uint32_t *sure = &s->of.sure[constraint], *possible = &s->of.possible[constraint];
    COR_TRY(COR_RESERVE(&s->organizations, &s->organization_capacity, 2 * (size_t)count, error));
    COR_TRY(cor_streaks_follow(&s->of.each, &r->structure, r->configuration->agent_count, error));
    for (int with_edge = 0; with_edge < 2; with_edge++)
        cor_corridor_ask_each(s->judge->judge, constraint, with_edge,
                              s->organizations + (with_edge ? 0 : count));
    *sure = *possible = 0;
    *is_unknown = false;
    for (uint32_t o = 0; o < count; o++) {
        const enum cor_truth truth = s->organizations[o];
        const uint32_t surely = cor_streaks_count(&s->of.each, 2 * constraint, o, truth == COR_TRUTH_FALSE);
        const uint32_t possibly =
            cor_streaks_count(&s->of.each, 2 * constraint + 1, o, truth != COR_TRUTH_TRUE);
        *sure = surely > *sure ? surely : *sure;
        *possible = possibly > *possible ? possibly : *possible;
        *is_unknown = *is_unknown || (possibly >= cases && s->organizations[count + o] == COR_TRUTH_UNKNOWN);
    }
    return COR_OK;
}

enum cor_status interaction__text_see(struct cor_runner *r, struct cor_case *this_case,
                                      struct cor_error *error) {
    struct interaction__text_suite *s = r->text;
    COR_TRY(interaction__text_ask_all(r, error));
    /* Agents that came are outside of every organization: that is due whatever the triggers are. */
    bool is_due = r->state->absent && !s->is_of_kind, may_be_due = is_due, is_unknown = false;
    for (uint32_t c = 0; c < s->count; c++) {
        if (s->kinds[c] == COR_TEXT_TIME)
            continue;
        const bool sure = s->of.truths[c] == COR_TRUTH_FALSE && s->of.edges[c] == COR_TRUTH_FALSE;
        const bool possible = s->of.truths[c] != COR_TRUTH_TRUE || s->of.edges[c] != COR_TRUTH_TRUE;
        bool is_not_known = s->of.truths[c] == COR_TRUTH_UNKNOWN;
        if (interaction__text_is_each(s->text, c)) {
            COR_TRY(count_each(r, c, &is_not_known, error));
        } else {
            s->of.sure[c] = sure ? s->of.sure[c] + 1 : 0;
            s->of.possible[c] = possible ? s->of.possible[c] + 1 : 0;
        }
        COR_TRY(note_seen(r, this_case->number, c, error));
        if (!(s->kinds[c] & COR_TEXT_TRIGGER))
            continue;
        const uint32_t cases = interaction__text_cases(s->text, c);
        is_due = is_due || s->of.sure[c] >= cases;
        may_be_due = may_be_due || s->of.possible[c] >= cases;
        is_unknown = is_unknown || (s->of.possible[c] >= cases && is_not_known);
    }
    this_case->inside = is_due        ? COR_INSIDE_OUTSIDE
                        : !may_be_due ? COR_INSIDE_INSIDE
                        : is_unknown  ? COR_INSIDE_UNKNOWN
                                      : COR_INSIDE_EDGE;
    return COR_OK;
}

enum cor_status interaction__text_look_on(struct cor_runner *r, const struct cor_case *this_case,
                                          struct cor_judgement *kind, struct cor_error *error) {
    struct interaction__text_suite *s = r->text;
    interaction__text_follow(r);
    COR_TRY(keep(r, error));
    COR_TRY(interaction__text_look(s->judge, &r->structure, kind, error));
    s->is_looked_at = true;
    s->is_of_kind = kind->violation_count == 0;
    s->is_new = true;
    COR_TRY(interaction__text_ask_all(r, error));
    for (uint32_t c = 0; c < s->count; c++) {
        if (s->kinds[c] == COR_TEXT_TIME)
            continue;
        s->of.sure[c] = s->of.truths[c] == COR_TRUTH_TRUE ? 0 : s->of.sure[c] + 1;
        if (s->of.truths[c] != COR_TRUTH_TRUE)
            COR_TRY(note_one(r, this_case->number, COR_BOX_DETECT, c, s->of.truths[c], error));
    }
    return COR_OK;
}

void interaction__text_judge_alarm(const struct cor_case *this_case, struct cor_judgement *judgement) {
    cor_judgement_init(judgement);
    if (this_case->inside == (this_case->alarm ? COR_INSIDE_INSIDE : COR_INSIDE_OUTSIDE))
        cor_judgement_add(judgement, this_case->alarm ? COR_CHECK_ALARM_FALSE : COR_CHECK_ALARM_MISSED,
                          COR_NOBODY, COR_NOBODY, NAN, NAN);
}

void interaction__text_restructure(struct cor_runner *r) {
    r->text->is_looked_at = false;
    r->text->is_new = true;
    cor_trigger_restructure(r->text->trigger);
}

enum cor_inside interaction__text_inside(const struct cor_runner *r) {
    return r->text->of.inside;
}

enum cor_status interaction__text_note_asked(struct cor_runner *r, uint32_t number, struct cor_error *error) {
    for (uint32_t c = 0; c < r->text->count; c++)
        if (r->text->kinds[c] != COR_TEXT_TIME)
            COR_TRY(note_seen(r, number, c, error));
    return COR_OK;
}

/* ---- moves of an adoption */

static bool is_of_parents(enum cor_check check) {
    return check == COR_CHECK_PARENT_UNKNOWN || check == COR_CHECK_PARENT_CYCLE ||
           check == COR_CHECK_SEVERAL_ROOTS;
}

/* What was seen after the last move lies between two: of each check and constraint that was met before, the
 * first. */
static enum cor_status note_between(struct cor_runner *r, struct cor_error *error) {
    struct interaction__text_suite *s = r->text;
    struct moves *moves = &s->moves;
    for (uint32_t v = 0; v < moves->now.kept_count; v++) {
        const struct cor_violation *violation = &moves->now.kept[v];
        const enum cor_check check = violation->check;
        if (check != COR_CHECK_CONSTRAINT && moves->before.count[check] == 0 &&
            moves->between.count[check] == 0 && !(moves->are_parents_wrong && is_of_parents(check)))
            cor_judgement_add(&moves->between, check, violation->agent, violation->partition,
                              violation->expected, violation->found);
    }
    for (uint32_t c = 0; c < s->count; c++) {
        if (!moves->was_met[c] || s->asked[c] != COR_TRUTH_FALSE)
            continue;
        struct interaction__why why;
        moves->was_met[c] = false;
        interaction__text_why(s->judge, c, COR_TRUTH_FALSE, &why);
        cor_judgement_add(&moves->between, COR_CHECK_CONSTRAINT, why.agent, why.organization, c,
                          (double)why.violations);
        COR_TRY(note_one(r, moves->number, COR_BOX_MOVE, c, COR_TRUTH_FALSE, error));
    }
    return COR_OK;
}

enum cor_status interaction__text_see_move(void *runner, const struct cor_lists *structure,
                                           struct cor_error *error) {
    struct cor_runner *r = runner;
    struct moves *moves = &r->text->moves;
    uint32_t unknown;
    if (moves->is_pending)
        COR_TRY(note_between(r, error));
    COR_TRY(cor_lists_copy(&moves->lists, structure, error));
    COR_TRY(interaction__text_judge_lists(r, &moves->lists, &moves->now, &unknown, error));
    moves->is_pending = true;
    return COR_OK;
}

enum cor_status interaction__text_judge_move(struct cor_runner *r, struct cor_error *error) {
    uint32_t unknown;
    COR_TRY(interaction__text_judge_lists(r, &r->structure, &r->text->moves.now, &unknown, error));
    return note_between(r, error);
}

enum cor_status interaction__text_watch_moves(struct cor_runner *r, const struct cor_case *this_case,
                                              struct cor_error *error) {
    struct moves *moves = &r->text->moves;
    uint32_t unknown;
    moves->number = this_case->number;
    moves->is_pending = false;
    cor_judgement_init(&moves->between);
    COR_TRY(interaction__text_look(r->text->judge, &r->outcome.solution, &moves->now, error));
    moves->are_parents_wrong = moves->now.count[COR_CHECK_PARENT_UNKNOWN] > 0 ||
                               moves->now.count[COR_CHECK_PARENT_CYCLE] > 0 ||
                               moves->now.count[COR_CHECK_SEVERAL_ROOTS] > 0;
    COR_TRY(interaction__text_judge_lists(r, &r->structure, &moves->before, &unknown, error));
    for (uint32_t c = 0; c < r->text->count; c++)
        moves->was_met[c] =
            (r->text->kinds[c] & COR_TEXT_INVARIANT) != 0 && r->text->asked[c] == COR_TRUTH_TRUE;
    return COR_OK;
}

enum cor_status interaction__text_moves_end(struct cor_runner *r, const struct cor_case *this_case,
                                            bool *failed, struct cor_error *error) {
    const struct cor_judgement *between = &r->text->moves.between;
    *failed = *failed || between->violation_count > 0;
    return interaction__note_violations(r, this_case, COR_BOX_MOVE, between, error);
}

/* ---- time */

/* The row of an alarm, and what it took to be back in; `back` 0: it is not. */
static enum cor_status note_return(struct cor_runner *r, uint32_t back, struct cor_error *error) {
    const struct interaction__text_suite *s = r->text;
    struct cor_return_row *row = cor_record_row(r->record, COR_TABLE_RETURNS, error);
    if (!row)
        return error->status;
    uint32_t most = 0;
    row->sequence = (uint16_t)r->sequence.index;
    row->case_ = s->of.episode.alarm;
    row->back = back;
    row->outside = s->of.episode.outside;
    row->constraint = UINT16_MAX;
    for (uint32_t c = 0; c < s->count; c++)
        if (s->of.outside_by[c] > most) {
            most = s->of.outside_by[c];
            row->constraint = (uint16_t)c;
        }
    return COR_OK;
}

/* At the edge either answer is right, and nobody is accused: it counts as inside. */
static enum cor_truth truth_of_inside(enum cor_inside inside) {
    return inside == COR_INSIDE_OUTSIDE   ? COR_TRUTH_FALSE
           : inside == COR_INSIDE_UNKNOWN ? COR_TRUTH_UNKNOWN
                                          : COR_TRUTH_TRUE;
}

static enum cor_status follow_episode(struct cor_runner *r, const struct cor_case *this_case,
                                      struct cor_error *error) {
    struct interaction__text_suite *s = r->text;
    if (s->of.episode.alarm == 0 && !this_case->alarm)
        return COR_OK;
    if (s->of.episode.alarm == 0) {
        s->of.episode = (struct episode){.alarm = this_case->number};
        memset(s->of.outside_by, 0, s->count * sizeof *s->of.outside_by);
    }
    if (truth_of_inside(s->of.inside) == COR_TRUTH_TRUE) {
        COR_TRY(note_return(r, this_case->number, error));
        s->of.episode.alarm = 0;
        return COR_OK;
    }
    s->of.episode.outside++;
    for (uint32_t c = 0; c < s->count; c++)
        s->of.outside_by[c] += s->kinds[c] != COR_TEXT_TIME && s->of.truths[c] != COR_TRUTH_TRUE;
    return COR_OK;
}

static enum cor_status note_formula_violation(struct cor_runner *r, uint32_t number, uint32_t constraint,
                                              struct cor_error *error) {
    struct cor_judgement judgement;
    const struct cor_case this_case = {.number = number};
    cor_judgement_init(&judgement);
    cor_judgement_add(&judgement, COR_CHECK_FORMULA, COR_NOBODY, COR_NOBODY, constraint, NAN);
    r->text->of.is_decided[constraint] = true;
    return interaction__note_violations(r, &this_case, COR_BOX_TIME, &judgement, error);
}

enum cor_status interaction__text_end_case(struct cor_runner *r, const struct cor_case *this_case,
                                           bool *failed, struct cor_error *error) {
    struct interaction__text_suite *s = r->text;
    const size_t width = s->count + (size_t)2;
    COR_TRY(COR_RESERVE(&s->of.history, &s->of.history_capacity, (s->of.history_count + (size_t)1) * width,
                        error));
    uint8_t *row = s->of.history + s->of.history_count++ * width;
    row[0] = this_case->alarm;
    row[1] = (uint8_t)truth_of_inside(s->of.inside);
    for (uint32_t c = 0; c < s->count; c++)
        row[2 + c] = (uint8_t)s->of.truths[c];
    COR_TRY(step_time(s, row, error));
    COR_TRY(follow_episode(r, this_case, error));
    *failed = false;
    for (uint32_t c = 0; c < s->count; c++) {
        uint32_t decided;
        if (s->kinds[c] != COR_TEXT_TIME || s->of.is_decided[c] ||
            text_time_verdict(s->time, c, &decided) != COR_TRUTH_FALSE || decided == 0)
            continue;
        *failed = true;
        COR_TRY(note_formula_violation(r, this_case->number, c, error));
    }
    return COR_OK;
}

enum cor_status interaction__text_end(struct cor_runner *r, struct cor_error *error) {
    struct interaction__text_suite *s = r->text;
    if (s->of.episode.alarm > 0)
        COR_TRY(note_return(r, 0, error));
    s->of.episode.alarm = 0;
    for (uint32_t c = 0; c < s->count; c++) {
        uint32_t decided;
        if (s->kinds[c] != COR_TEXT_TIME)
            continue;
        const enum cor_truth truth = text_time_verdict(s->time, c, &decided);
        struct cor_formula_row *row = cor_record_row(r->record, COR_TABLE_FORMULAS, error);
        if (!row)
            return error->status;
        row->sequence = (uint16_t)r->sequence.index;
        row->constraint = (uint16_t)c;
        row->verdict = truth == COR_TRUTH_TRUE    ? COR_VERDICT_PASSED
                       : truth == COR_TRUTH_FALSE ? COR_VERDICT_FAILED
                                                  : COR_VERDICT_UNDECIDED;
        row->decided = decided;
        if (truth == COR_TRUTH_FALSE && !s->of.is_decided[c])
            COR_TRY(note_formula_violation(r, r->sequence.number, c, error));
    }
    return COR_OK;
}
