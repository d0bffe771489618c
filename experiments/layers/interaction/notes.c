/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing down what the loop saw. */
#include "loop.h"

#include <corridor/array.h>
#include <corridor/steering.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A row of `table` named `row`, or the status of having none. */
#define NEW_ROW(type, row, table)                                    \
    struct type *row = cor_record_row(runner->record, table, error); \
    if (!row)                                                        \
    return error->status

static enum cor_status note_suite(struct cor_runner *runner, struct cor_error *error) {
    const struct cor_suite *suite = runner->suite;
    const struct cor_configuration *c = runner->configuration;
    NEW_ROW(cor_suite_row, row, COR_TABLE_SUITES);
    row->agents = c->agent_count;
    row->groups = c->group_count;
    row->chains = c->chain_count;
    row->sequences = suite->sequence_count;
    row->size_min = c->limits.size_min;
    row->size_max = c->limits.size_max;
    row->count_min = c->limits.count_min;
    row->count_max = c->limits.count_max;
    row->limits_judged = (suite->arm->algorithm->capabilities & COR_LIMITS) != 0;
    row->measure = (uint8_t)c->measure;
    row->threshold = c->threshold;
    row->pilot_rate = suite->pilot_rate;
    row->attempts = suite->attempts;
    row->fallback = suite->fallback;
    row->configuration_hash = cor_configuration_hash(c);
    return COR_OK;
}

/* The first organization that each agent is in. */
static void label_agents(struct cor_runner *runner, const struct cor_lists *lists) {
    memset(runner->label, 0xff, runner->configuration->agent_count * sizeof *runner->label); /* COR_NOBODY */
    for (uint32_t o = lists->block_count; o-- > 0;)
        for (uint32_t m = lists->start[o]; m < lists->start[o + 1]; m++)
            runner->label[lists->members[m]] = o;
}

/* What labels, which are those of the lists, do not say of the initial structure. */
static enum cor_status note_initial(struct cor_runner *runner, struct cor_error *error) {
    const struct cor_configuration *c = runner->configuration;
    const struct cor_lists *lists = &c->initial_organizations;
    for (uint32_t o = 0; o < lists->block_count; o++) {
        for (uint32_t m = lists->start[o]; m < lists->start[o + 1]; m++) {
            if (runner->label[lists->members[m]] == o)
                continue;
            NEW_ROW(cor_membership_row, row, COR_TABLE_MEMBERSHIPS);
            row->agent = lists->members[m];
            row->organization = o;
        }
        if (!cor_structure_nests(c->kind))
            continue;
        NEW_ROW(cor_organization_row, row, COR_TABLE_ORGANIZATIONS);
        row->organization = o;
        row->parent = lists->nests ? lists->parent[o] : COR_NOBODY;
        row->members = cor_lists_size(lists, o);
    }
    return COR_OK;
}

/* The same of the structure that a failure began with, and the parents of its solution, whose members stand
 * in a vector. */
static enum cor_status note_failed(struct cor_runner *runner, uint32_t number, bool is_solution,
                                   const struct cor_lists *lists, struct cor_error *error) {
    const enum cor_structure_kind kind = runner->configuration->kind;
    for (uint32_t o = 0; kind != COR_STRUCTURE_PARTITIONING && o < lists->block_count; o++) {
        for (uint32_t m = lists->start[o]; !is_solution && m < lists->start[o + 1]; m++) {
            if (runner->label[lists->members[m]] == o)
                continue;
            NEW_ROW(cor_failed_membership_row, row, COR_TABLE_FAILED_MEMBERSHIPS);
            row->sequence = (uint16_t)runner->sequence.index;
            row->case_ = number;
            row->agent = lists->members[m];
            row->organization = o;
        }
        if (!cor_structure_nests(kind))
            continue;
        NEW_ROW(cor_failed_organization_row, row, COR_TABLE_FAILED_ORGANIZATIONS);
        row->sequence = (uint16_t)runner->sequence.index;
        row->case_ = number;
        row->solution = is_solution;
        row->organization = o;
        row->parent = lists->nests ? lists->parent[o] : COR_NOBODY;
        row->members = cor_lists_size(lists, o);
    }
    return COR_OK;
}

enum cor_status interaction__note_configuration(struct cor_runner *runner, struct cor_error *error) {
    COR_TRY(note_suite(runner, error));
    const struct cor_arm *arm = runner->suite->arm;
    for (uint32_t i = 0; i < arm->parameter_count; i++) {
        NEW_ROW(cor_parameter_row, row, COR_TABLE_PARAMETERS);
        row->parameter = arm->parameter_codes[i];
        row->value = runner->suite->parameters[i];
    }
    const struct cor_configuration *c = runner->configuration;
    const bool has_labels = c->kind == COR_STRUCTURE_PARTITIONING;
    if (!has_labels) {
        label_agents(runner, &c->initial_organizations);
        COR_TRY(note_initial(runner, error));
    }
    for (uint32_t g = 0; g < c->group_count; g++) {
        NEW_ROW(cor_group_row, group, COR_TABLE_GROUPS);
        group->group = g;
        group->size = c->group_start[g + 1] - c->group_start[g];
        group->chain = c->chain_of_group[g];
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
            NEW_ROW(cor_agent_row, agent, COR_TABLE_AGENTS);
            agent->agent = i;
            agent->group = g;
            agent->type = c->type[i];
            agent->state = c->initial_state[i];
            agent->partition = has_labels ? c->initial_partition[i] : runner->label[i];
            agent->inertia = c->inertia[i];
            agent->value = c->initial_value[i];
        }
    }
    const double *const *columns = cor_state_columns(runner->state);
    for (uint32_t a = 0; a < c->attribute_count; a++)
        for (uint32_t i = 0; i < c->agent_count; i++) {
            NEW_ROW(cor_attribute_row, attribute, COR_TABLE_ATTRIBUTES);
            attribute->agent = i;
            attribute->attribute = (uint16_t)a;
            attribute->value = columns[1 + a][i];
        }
    for (uint32_t i = 0; i < c->chain_count; i++) {
        NEW_ROW(cor_chain_row, chain, COR_TABLE_CHAINS);
        chain->chain = i;
        chain->profile = c->profile_of_chain[i];
        chain->location = c->location_of_chain[i];
    }
    for (uint32_t i = 0; i < c->profile_count; i++) {
        NEW_ROW(cor_profile_row, profile, COR_TABLE_PROFILES);
        profile->profile = (uint16_t)i;
        profile->environment = runner->suite->environment_of_profile[i];
        profile->states = (uint16_t)runner->suite->profiles[i]->state_count;
        profile->arcs = cor_profile_arcs(runner->suite->profiles[i]);
    }
    return COR_OK;
}

enum cor_status cor_record_walk(struct cor_record *record, size_t index, uint32_t chain_count,
                                struct cor_walk *walk, struct cor_error *error) {
    size_t size;
    const uint8_t *states = cor_record_items(record, COR_VECTOR_WALK, &size);
    const struct cor_sequence_row *row = cor_record_at(record, COR_TABLE_SEQUENCES, index);
    COR_ASSERT(row->walk_start + chain_count * ((size_t)row->cases + 1) <= size);
    return cor_walk_of_chains(walk, chain_count, row->cases, states + row->walk_start, error);
}

enum cor_status interaction__note_sequence(struct cor_runner *runner, struct cor_error *error) {
    uint64_t walk_start;
    const struct cor_walk *walk = &runner->walk;
    uint8_t run[1024] = {0};
    COR_TRY(cor_record_put(runner->record, COR_VECTOR_WALK, run, 0, &walk_start, error));
    for (uint32_t chain = 0; chain < walk->chain_count; chain++) {
        for (uint32_t at = 0; at <= walk->case_count; at += sizeof run) {
            uint32_t left = walk->case_count + 1 - at,
                     count = left < sizeof run ? left : (uint32_t)sizeof run;
            for (uint32_t i = 0; i < count; i++)
                run[i] = cor_walk_at(walk, at + i)[chain];
            COR_TRY(cor_record_put(runner->record, COR_VECTOR_WALK, run, count, NULL, error));
        }
    }
    NEW_ROW(cor_sequence_row, row, COR_TABLE_SEQUENCES);
    row->sequence = (uint16_t)runner->sequence.index;
    row->cases = runner->walk.case_count;
    row->executed = runner->sequence.number;
    row->walk_start = walk_start;
    row->state_hash = cor_state_hash(runner->state);
    return COR_OK;
}

enum cor_status interaction__note_traps(struct cor_runner *runner, struct cor_error *error) {
    const struct cor_case_traps *traps = runner->suite->arm->traps;
    for (uint32_t t = 0; traps && t < traps->count; t++) {
        const struct cor_trap_report report = cor_steering_report(&runner->walk, t, runner->walk.case_count);
        NEW_ROW(cor_trap_row, row, COR_TABLE_TRAPS);
        row->sequence = (uint16_t)runner->sequence.index;
        row->trap = (uint16_t)t;
        row->case_ = report.covered;
        row->moves = report.moves;
        row->probability = report.probability;
    }
    if (!(traps && traps->profile_share < 1))
        return COR_OK;
    /* Mantissa in 8 .. 16, so that the exponent of a weight, which is at most 10, is none above 0. */
    struct cor_weight weight;
    bool by_profile;
    const bool has_weight = cor_steering_weight(&runner->walk, &weight, &by_profile);
    NEW_ROW(cor_steered_row, row, COR_TABLE_STEERED);
    row->sequence = (uint16_t)runner->sequence.index;
    row->by_profile = by_profile;
    row->weight_mantissa = NAN;
    if (has_weight)
        cor_weight_halved(weight, &row->weight_mantissa, &row->weight_halvings);
    return COR_OK;
}

enum cor_status interaction__note_schedule(struct cor_runner *runner, struct cor_error *error) {
    const struct cor_mail_schedule *mail = &runner->suite->arm->session.mail;
    if (mail->mode != COR_MAIL_PCT)
        return COR_OK;
    NEW_ROW(cor_schedule_row, row, COR_TABLE_SCHEDULES);
    row->sequence = (uint16_t)runner->sequence.index;
    row->depth = (uint8_t)mail->depth;
    row->drawn = mail->messages;
    row->reorganizations = runner->sequence.mail.reorganizations;
    row->failed = runner->sequence.mail.failed;
    row->messages = runner->sequence.mail.messages;
    row->chains = runner->sequence.mail.chains;
    return COR_OK;
}

enum cor_status interaction__note_branch(struct cor_runner *runner, struct cor_error *error) {
    const struct cor_sequence *sequence = &runner->sequence;
    NEW_ROW(cor_branch_row, row, COR_TABLE_BRANCHES);
    row->sequence = (uint16_t)sequence->index;
    row->parent = (uint16_t)sequence->branch.parent;
    row->prefix = sequence->branch.prefix;
    struct cor_suite_row *suite = cor_record_at(runner->record, COR_TABLE_SUITES, 0);
    suite->sequences++;
    return COR_OK;
}

/* How often the chains of one profile were in each state and took each transition, in all walks of the suite.
 */
struct counts {
    uint64_t *visits; /* [state] */
    uint64_t *taken;  /* [from * states + to] */
};

static enum cor_status note_profile_counts(struct cor_runner *runner, uint32_t p, const struct counts *counts,
                                           struct cor_error *error) {
    const struct cor_profile *profile = runner->suite->profiles[p];
    uint32_t states = profile->state_count;
    for (uint32_t from = 0; from < states; from++) {
        NEW_ROW(cor_visit_row, visit, COR_TABLE_VISITS);
        visit->profile = (uint16_t)p;
        visit->state = (uint16_t)from;
        visit->count = counts->visits[from];
        for (uint32_t to = 0; to < states; to++) {
            size_t arc = (size_t)from * states + to;
            /* A uniform source takes transitions that the profile does not have; they are counted too. */
            if (profile->probability[arc] <= 0 && counts->taken[arc] == 0)
                continue;
            NEW_ROW(cor_transition_row, row, COR_TABLE_TRANSITIONS);
            row->profile = (uint16_t)p;
            row->from = (uint16_t)from;
            row->to = (uint16_t)to;
            row->probability = profile->probability[arc];
            row->count = counts->taken[arc];
        }
    }
    return COR_OK;
}

static enum cor_status note_profile(struct cor_runner *runner, uint32_t p, struct cor_error *error) {
    enum cor_status status = COR_OK;
    size_t states = runner->suite->profiles[p]->state_count;
    struct counts counts = {cor_calloc(states, sizeof *counts.visits),
                            cor_calloc(states * states, sizeof *counts.taken)};
    if (!counts.visits || !counts.taken)
        COR_TRY_OUT(cor_fail_memory(error));
    const struct cor_configuration *c = runner->configuration;
    size_t size;
    const uint8_t *walks = cor_record_items(runner->record, COR_VECTOR_WALK, &size);
    for (size_t i = 0; i < cor_record_size(runner->record, COR_TABLE_SEQUENCES); i++) {
        const struct cor_sequence_row *sequence = cor_record_at(runner->record, COR_TABLE_SEQUENCES, i);
        size_t length = (size_t)sequence->cases + 1;
        COR_ASSERT(sequence->walk_start + c->chain_count * length <= size);
        for (uint32_t chain = 0; chain < c->chain_count; chain++) {
            if (c->profile_of_chain[chain] != p)
                continue;
            const uint8_t *state = walks + sequence->walk_start + chain * length;
            counts.visits[state[0]]++;
            for (size_t k = 1; k < length; k++) {
                counts.visits[state[k]]++;
                counts.taken[state[k - 1] * states + state[k]]++;
            }
        }
    }
    COR_TRY_OUT(note_profile_counts(runner, p, &counts, error));
out:
    COR_FREE(counts.visits, counts.taken);
    return status;
}

enum cor_status interaction__note_counts(struct cor_runner *runner, struct cor_error *error) {
    const struct cor_arm *arm = runner->suite->arm;
    for (uint32_t p = 0; p < runner->configuration->profile_count; p++)
        COR_TRY(note_profile(runner, p, error));
    const uint32_t *start;
    const uint64_t *cells = cor_session_counters(runner->session, &start);
    for (uint32_t c = 0; c < cor_algorithm_counter_count(arm->algorithm); c++) {
        for (uint32_t cell = start[c]; cell < start[c + 1]; cell++) {
            NEW_ROW(cor_counter_row, row, COR_TABLE_COUNTERS);
            row->counter = (uint16_t)(arm->first_counter_code + c);
            row->bucket = (uint16_t)(cell - start[c]);
            row->count = cells[cell];
        }
    }
    return COR_OK;
}

enum cor_status interaction__note_violations(struct cor_runner *runner, const struct cor_case *this_case,
                                             enum cor_box box, const struct cor_judgement *judgement,
                                             struct cor_error *error) {
    for (uint32_t i = 0; i < judgement->kept_count; i++) {
        const struct cor_violation *v = &judgement->kept[i];
        NEW_ROW(cor_violation_row, row, COR_TABLE_VIOLATIONS);
        row->sequence = (uint16_t)runner->sequence.index;
        row->case_ = this_case->number;
        row->box = (uint8_t)box;
        row->check = (uint8_t)v->check;
        row->agent = v->agent;
        row->partition = v->partition;
        row->expected = v->expected;
        row->found = v->found;
    }
    return COR_OK;
}

static enum cor_status put_smoke(struct cor_runner *runner, uint32_t number, enum cor_smoke smoke,
                                 const char *words, const struct cor_fate *fate, struct cor_smoke_row **put,
                                 struct cor_error *error) {
    NEW_ROW(cor_smoke_row, row, COR_TABLE_SMOKES);
    row->sequence = (uint16_t)runner->sequence.index;
    row->case_ = number;
    row->smoke = (uint8_t)smoke;
    row->words = (uint32_t)strlen(words);
    row->signal = (uint8_t)fate->signal;
    row->exit_code = (uint8_t)fate->exit_code;
    row->place = fate->place;
    *put = row;
    return cor_record_put(runner->record, COR_VECTOR_WORDS, words, row->words, &row->words_start, error);
}

enum cor_status interaction__note_smoke(struct cor_runner *runner, const struct cor_case *this_case,
                                        struct cor_error *error) {
    const struct cor_outcome *outcome = &runner->outcome;
    struct cor_smoke_row *row;
    if (outcome->has_late && runner->sequence.last_reorganized > 0) {
        COR_TRY(put_smoke(runner, runner->sequence.last_reorganized, COR_SMOKE_GARBLED,
                          "answered once more when the reorganization was over", &(struct cor_fate){0}, &row,
                          error));
        row->late = 1;
    }
    if (outcome->smoke == COR_SMOKE_NONE)
        return COR_OK;
    return put_smoke(runner, this_case->number, outcome->smoke, outcome->complaint, &outcome->fate, &row,
                     error);
}

enum cor_status interaction__note_foreign_smoke(struct cor_runner *runner, const struct cor_case *this_case,
                                                enum cor_smoke smoke, const char *words,
                                                const struct cor_fate *fate, struct cor_error *error) {
    struct cor_smoke_row *row;
    return put_smoke(runner, this_case->number, smoke, words, fate, &row, error);
}

enum cor_status cor_fail_foreign_smoke(struct cor_record *record, const struct cor_suite *suite,
                                       const char *remedy, struct cor_error *error) {
    const size_t count = cor_record_size(record, COR_TABLE_SMOKES);
    COR_ASSERT(count > 0);
    const struct cor_smoke_row *row = cor_record_at(record, COR_TABLE_SMOKES, count - 1);
    const char *words = cor_record_items(record, COR_VECTOR_WORDS, NULL);
    return cor_fail(error, COR_STATUS_PLUGIN, NULL, remedy,
                    "%.*s, in case %" PRIu32 " of sequence %u of suite %" PRIu32
                    " of arm %s: that is no failure of the algorithm",
                    (int)row->words, words + row->words_start, row->case_, row->sequence, suite->name.suite,
                    suite->arm->name);
}

enum cor_status interaction__note_failure(struct cor_runner *runner, const struct cor_case *this_case,
                                          uint8_t gray, uint8_t black, struct cor_error *error) {
    NEW_ROW(cor_failure_row, row, COR_TABLE_FAILURES);
    row->sequence = (uint16_t)runner->sequence.index;
    row->case_ = this_case->number;
    row->gray = gray;
    row->black = black;
    const struct cor_lists *solution = &runner->outcome.solution;
    COR_TRY(
        cor_record_put(runner->record, COR_VECTOR_SOLUTION_BLOCK_SIZE, NULL, 0, &row->block_start, error));
    for (uint32_t b = 0; b < solution->block_count; b++) {
        uint32_t size = cor_lists_size(solution, b);
        COR_TRY(cor_record_put(runner->record, COR_VECTOR_SOLUTION_BLOCK_SIZE, &size, 1, NULL, error));
    }
    row->blocks = solution->block_count;
    row->members = solution->member_count;
    COR_TRY(cor_record_put(runner->record, COR_VECTOR_SOLUTION_MEMBER, solution->members,
                           solution->member_count, &row->member_start, error));
    /* The structure an alarm found, as a label an agent. */
    uint32_t agents = runner->configuration->agent_count;
    row->labels = agents;
    label_agents(runner, &runner->before);
    COR_TRY(cor_record_put(runner->record, COR_VECTOR_STRUCTURE, runner->label, agents, &row->structure_start,
                           error));
    COR_TRY(note_failed(runner, this_case->number, false, &runner->before, error));
    return note_failed(runner, this_case->number, true, solution, error);
}
