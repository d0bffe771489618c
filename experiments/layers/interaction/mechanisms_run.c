/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mechanisms at work: in each case, when a solution is adopted or none was asked for, one after another. What
 * they write is there when agents perceive in the next case. A mock changes the values of its agents by
 * chains of their own instead, whatever the structure is. */
#include "loop.h"

#include <corridor/array.h>
#include <corridor/mechanism_host.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU_SECONDS 10 /* that a mechanism may take in a case, in a cell */

struct interaction__mechanisms {
    struct cor_mechanism_desk **desks; /* owned; [mechanism]; of one that is mocked NULL */
    uint32_t desk_count;
    struct cor_rules rules; /* with what columns are, also where there are no attributes */
    double *mocked;         /* owned; [agent] scratch */
    size_t count;           /* bytes of what changes: */
    uint32_t *memory; /* owned; [mechanism] the agent that is sampled, then [mechanism][agent] where its chain
                         is */
};

static const struct cor_arm *arm_of(const struct cor_runner *r) {
    return r->suite->arm;
}

static uint32_t *state_of(const struct cor_runner *r, uint32_t slot, uint32_t agent) {
    return r->mechanisms->memory + arm_of(r)->mechanism_count + (size_t)slot * r->configuration->agent_count +
           agent;
}

static enum cor_status create_desk(struct cor_runner *r, uint32_t slot, struct cor_error *error) {
    const struct cor_mechanism_slot *of = &arm_of(r)->mechanisms[slot];
    const struct cor_registry *registry = r->suite->experiment->registry;
    const struct cor_mechanism_definition definition = {
        .mechanism = of->mechanism,
        .path = cor_registry_mechanism_cell(registry, of->mechanism),
        .is_full = cor_registry_isolation(registry)->is_full,
        .cpu_seconds = CPU_SECONDS,
        .rules = &r->mechanisms->rules,
        .parameters = of->parameters,
        .agent_count = r->configuration->agent_count};
    return of->mock ? COR_OK : cor_mechanism_desk_create(&definition, &r->mechanisms->desks[slot], error);
}

enum cor_status interaction__mechanisms_create(struct cor_runner *runner, struct cor_error *error) {
    const uint32_t agents = runner->configuration->agent_count, slots = arm_of(runner)->mechanism_count;
    if (slots == 0)
        return COR_OK;
    struct interaction__mechanisms *m = runner->mechanisms = cor_calloc(1, sizeof *m);
    COR_TRY(cor_made(m, error));
    m->rules = runner->rules;
    m->count = ((size_t)slots * agents + slots) * sizeof *m->memory;
    m->memory = cor_calloc((size_t)slots * agents + slots, sizeof *m->memory);
    m->mocked = cor_calloc(agents, sizeof *m->mocked);
    m->desks = cor_calloc(slots, sizeof(struct cor_mechanism_desk *));
    COR_TRY(cor_made(m->memory, error));
    COR_TRY(cor_made(m->mocked, error));
    COR_TRY(cor_made(m->desks, error));
    m->desk_count = slots;
    for (uint32_t slot = 0; slot < slots; slot++)
        COR_TRY(create_desk(runner, slot, error));
    return COR_OK;
}

void interaction__mechanisms_destroy(struct interaction__mechanisms *mechanisms) {
    if (!mechanisms)
        return;
    for (uint32_t slot = 0; slot < mechanisms->desk_count; slot++)
        cor_mechanism_desk_destroy(mechanisms->desks[slot]);
    free(mechanisms->desks);
    free(mechanisms->memory);
    free(mechanisms->mocked);
    free(mechanisms);
}

void *interaction__mechanisms_memory(struct interaction__mechanisms *mechanisms, size_t *size) {
    *size = mechanisms->count;
    return mechanisms->memory;
}

/* Is the agent one of those that the mechanism is about? */
static bool is_meant(const struct cor_runner *r, uint32_t slot, uint32_t agent) {
    const bool *types = arm_of(r)->mechanisms[slot].types;
    return !types || types[r->configuration->type[agent]];
}

/* One of these, all equally likely. */
static uint32_t draw_sample(const struct cor_runner *r, uint32_t slot, const struct cor_stream_name *name) {
    const uint32_t agents = r->configuration->agent_count;
    struct cor_stream_name own = *name;
    uint32_t count = 0, agent = 0;
    for (uint32_t i = 0; i < agents; i++)
        count += is_meant(r, slot, i);
    if (count == 0)
        return COR_NOBODY;
    own.entity = COR_NOBODY;
    struct cor_rng rng = cor_rng_named(&own);
    for (uint32_t left = cor_rng_below(&rng, count); !is_meant(r, slot, agent) || left-- > 0;)
        agent++;
    return agent;
}

void interaction__mechanisms_begin(struct cor_runner *r) {
    const struct cor_sequence *s = &r->sequence;
    struct cor_stream_name name = r->suite->name;
    name.purpose = COR_PURPOSE_MOCK;
    name.sequence = s->branch.prefix > 0 ? s->branch.parent : s->index;
    for (uint32_t slot = 0; slot < arm_of(r)->mechanism_count; slot++) {
        const struct cor_mock *mock = arm_of(r)->mechanisms[slot].mock;
        name.ordinal = slot;
        r->mechanisms->memory[slot] = draw_sample(r, slot, &name);
        for (uint32_t i = 0; mock && i < r->configuration->agent_count; i++) {
            name.entity = cor_configuration_identity(r->configuration, i);
            const uint32_t bits = (uint32_t)cor_rng_first_word(&name);
            *state_of(r, slot, i) = cor_profile_next(mock->profile, mock->profile->state_count, bits);
        }
    }
}

/* The first column that a mechanism writes. */
static uint32_t column_of(const struct cor_runner *r, const struct cor_mechanism *mechanism) {
    return cor_column(&r->mechanisms->rules, mechanism->writes[0]);
}

/* The chain of each agent goes on, and changes its number by what the state stands for, within the range. */
static void work_mocked(struct cor_runner *r, uint32_t slot, const struct cor_stream_name *case_name,
                        struct cor_mechanism_outcome *outcome) {
    const struct cor_mechanism_slot *of = &arm_of(r)->mechanisms[slot];
    const uint32_t column = column_of(r, of->mechanism);
    const struct cor_value_column *range = &r->mechanisms->rules.columns[column];
    const double *numbers = cor_state_columns(r->state)[column];
    double *mocked = r->mechanisms->mocked;
    struct cor_stream_name name = *case_name;
    name.purpose = COR_PURPOSE_MOCK;
    name.ordinal = slot;
    for (uint32_t i = 0; i < r->configuration->agent_count; i++) {
        mocked[i] = numbers[i];
        if (!is_meant(r, slot, i) || isnan(numbers[i]))
            continue;
        name.entity = cor_configuration_identity(r->configuration, i);
        const uint32_t bits = (uint32_t)cor_rng_first_word(&name);
        uint32_t *state = state_of(r, slot, i);
        *state = cor_profile_next(of->mock->profile, *state, bits);
        const double to = numbers[i] + of->mock->shift[*state];
        mocked[i] = to < range->min ? range->min : to > range->max ? range->max : to;
        outcome->written++;
        outcome->moved += fabs(mocked[i] - numbers[i]);
    }
    outcome->cost = outcome->moved;
    cor_state_write(r->state, column, mocked);
}

static enum cor_status work(struct cor_runner *r, uint32_t slot, const struct cor_case *this_case,
                            struct cor_mechanism_outcome *outcome, struct cor_error *error) {
    struct interaction__mechanisms *m = r->mechanisms;
    struct cor_mechanism_task task = {
        .columns = cor_state_columns(r->state), .structure = &r->structure, .name = this_case->name};
    task.name.entity = slot;
    COR_TRY(cor_mechanism_work(m->desks[slot], &task, outcome, error));
    for (uint32_t column = 0; column < m->rules.value_count; column++) {
        const double *written = cor_mechanism_desk_column(m->desks[slot], column);
        if (written)
            cor_state_write(r->state, column, written);
    }
    return COR_OK;
}

/* It did not do its work: the sequence ends, and it is the mechanism that failed. */
static enum cor_status note_smoke(struct cor_runner *r, uint32_t slot, const struct cor_case *this_case,
                                  const struct cor_mechanism_outcome *outcome, struct cor_error *error) {
    struct cor_judgement judgement;
    r->sequence.is_stopped = true;
    if (r->sequence.first_failure == 0)
        r->sequence.first_failure = this_case->number;
    cor_judgement_init(&judgement);
    cor_judgement_add(&judgement, COR_CHECK_MECHANISM_SMOKE, COR_NOBODY, COR_NOBODY, NAN, slot);
    COR_TRY(interaction__note_violations(r, this_case, COR_BOX_TIME, &judgement, error));
    return interaction__note_foreign_smoke(r, this_case, outcome->smoke, outcome->complaint, &outcome->fate,
                                           error);
}

static enum cor_status work_and_note(struct cor_runner *r, uint32_t slot, const struct cor_case *this_case,
                                     bool *failed, struct cor_error *error) {
    const struct cor_mechanism_slot *of = &arm_of(r)->mechanisms[slot];
    const uint32_t sample = r->mechanisms->memory[slot], column = column_of(r, of->mechanism);
    struct cor_mechanism_outcome outcome = {.smoke = COR_SMOKE_NONE};
    const double before = sample == COR_NOBODY ? NAN : cor_state_columns(r->state)[column][sample];
    if (of->mock)
        work_mocked(r, slot, &this_case->name, &outcome);
    else
        COR_TRY(work(r, slot, this_case, &outcome, error));
    r->counts.by_machine += outcome.by_machine;
    *failed = outcome.smoke != COR_SMOKE_NONE;
    if (*failed)
        return note_smoke(r, slot, this_case, &outcome, error);
    struct cor_mechanism_row *row = cor_record_row(r->record, COR_TABLE_MECHANISMS, error);
    if (!row)
        return error->status;
    row->sequence = (uint16_t)r->sequence.index;
    row->case_ = this_case->number;
    row->mechanism = (uint8_t)slot;
    row->mocked = of->mock != NULL;
    row->written = outcome.written;
    row->moved = outcome.moved;
    row->cost = outcome.cost;
    row->sample = sample;
    row->change = sample == COR_NOBODY ? NAN : cor_state_columns(r->state)[column][sample] - before;
    return COR_OK;
}

enum cor_status interaction__mechanisms_work(struct cor_runner *r, const struct cor_case *this_case,
                                             struct cor_error *error) {
    bool failed = false;
    for (uint32_t slot = 0; slot < arm_of(r)->mechanism_count && !failed; slot++)
        COR_TRY(work_and_note(r, slot, this_case, &failed, error));
    return COR_OK;
}
