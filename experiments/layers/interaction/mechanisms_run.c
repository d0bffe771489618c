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

struct interaction__mechanisms {
    struct cor_mechanism_desk *desk; /* owned */
    struct cor_rules rules;          /* with what columns are, also where there are no attributes */
    double *mocked;                  /* owned; [agent] scratch */
    size_t count;                    /* bytes of what changes: */
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
    COR_TRY(cor_made(m->memory, error));
    COR_TRY(cor_made(m->mocked, error));
    return cor_mechanism_desk_create(agents, m->rules.value_count, &m->desk, error);
}

void interaction__mechanisms_destroy(struct interaction__mechanisms *mechanisms) {
    if (!mechanisms)
        return;
    cor_mechanism_desk_destroy(mechanisms->desk);
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

static enum cor_status complain(const struct cor_runner *r, const struct cor_case *this_case,
                                const struct cor_error *said, struct cor_error *error) {
    char place[512];
    snprintf(place, sizeof place, "%s, arm %s, suite %u, sequence %u, case %u", r->suite->experiment->path,
             arm_of(r)->name, r->suite->index, r->sequence.index, this_case->number);
    return cor_fail(error, said->status, place, said->remedy, "%s", said->cause);
}

static enum cor_status work(struct cor_runner *r, uint32_t slot, const struct cor_case *this_case,
                            struct cor_mechanism_outcome *outcome, struct cor_error *error) {
    struct interaction__mechanisms *m = r->mechanisms;
    struct cor_error said = COR_NO_ERROR;
    const struct cor_mechanism_slot *of = &arm_of(r)->mechanisms[slot];
    struct cor_mechanism_task task = {.mechanism = of->mechanism,
                                      .rules = &m->rules,
                                      .parameters = of->parameters,
                                      .agent_count = r->configuration->agent_count,
                                      .columns = cor_state_columns(r->state),
                                      .structure = &r->structure,
                                      .name = this_case->name};
    task.name.entity = slot;
    if (cor_mechanism_work(m->desk, &task, outcome, &said) != COR_OK)
        return said.status == COR_STATUS_MEMORY ? cor_fail_memory(error)
                                                : complain(r, this_case, &said, error);
    for (uint32_t column = 0; column < m->rules.value_count; column++) {
        const double *written = cor_mechanism_desk_column(m->desk, column);
        if (written)
            cor_state_write(r->state, column, written);
    }
    return COR_OK;
}

static enum cor_status work_and_note(struct cor_runner *r, uint32_t slot, const struct cor_case *this_case,
                                     struct cor_error *error) {
    const struct cor_mechanism_slot *of = &arm_of(r)->mechanisms[slot];
    const uint32_t sample = r->mechanisms->memory[slot], column = column_of(r, of->mechanism);
    struct cor_mechanism_outcome outcome = {0};
    const double before = sample == COR_NOBODY ? NAN : cor_state_columns(r->state)[column][sample];
    if (of->mock)
        work_mocked(r, slot, &this_case->name, &outcome);
    else
        COR_TRY(work(r, slot, this_case, &outcome, error));
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
    for (uint32_t slot = 0; slot < arm_of(r)->mechanism_count; slot++)
        COR_TRY(work_and_note(r, slot, this_case, error));
    return COR_OK;
}
