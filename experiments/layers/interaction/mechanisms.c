/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mechanisms that work beside the algorithm under test, and the chains that stand in for them (mocks), as
 * experiments and files of tests say them. What they do in a case is in mechanisms.c. */
#include "internal.h"
#include "loop.h"

#include <corridor/array.h>
#include <corridor/json_names.h>
#include <corridor/mechanism_host.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MECHANISMS_MAX 8
#define MOCKS_MAX 1000

static enum cor_status take_profile(const struct cor_json *json, struct cor_mock *mock,
                                    struct cor_error *error) {
    COR_TRY(cor_made(mock->text = cor_json_text(json), error));
    COR_TRY(cor_profile_from_json(json, mock->name ? mock->name : "mock", &mock->profile, error));
    /* By how much each state of the profile changes a number: the mean of the values that the profile was
     * fitted to. */
    struct cor_json fit, states, state, mean;
    if (!cor_json_find(json, "fit", &fit) || !cor_json_find(&fit, "states", &states))
        return cor_json_fail(json, error, "a file that corridor profile fit has written",
                             "is no chain that was fitted to the runs of a mechanism: there is no \"fit\"");
    mock->shift = cor_calloc(mock->profile->state_count, sizeof *mock->shift);
    COR_TRY(cor_made(mock->shift, error));
    for (uint32_t s = 0; s < mock->profile->state_count; s++) {
        COR_TRY(cor_json_need(&states, mock->profile->states[s], &state, error));
        COR_TRY(cor_json_need(&state, "mean", &mean, error));
        COR_TRY(cor_json_real(&mean, -COR_PARAMETER_MAX, COR_PARAMETER_MAX, &mock->shift[s], error));
    }
    return COR_OK;
}

/* One more, which the experiment owns. */
static enum cor_status add_mock(struct cor_experiment *experiment, const struct cor_json *json,
                                const char *name, struct cor_mock **mock, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&experiment->mocks, &experiment->mock_capacity, (size_t)experiment->mock_count + 1,
                        error));
    struct cor_mock *made = *mock = experiment->mocks[experiment->mock_count] = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    experiment->mock_count++;
    if (name)
        COR_TRY(cor_made(made->name = cor_strdup(name), error));
    struct cor_json_document *document;
    if (cor_json_is_object(json))
        return take_profile(json, made, error);
    COR_TRY(interaction__read_named(json, &document, error));
    const struct cor_json root = cor_json_root(document);
    enum cor_status status = cor_json_expect_kind(&root, COR_KIND_PROFILE, error);
    if (status == COR_OK)
        status = take_profile(&root, made, error);
    cor_json_destroy(document);
    return status;
}

enum cor_status interaction__mocks_read(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_experiment *experiment = into;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    if (cor_json_size(json) > MOCKS_MAX)
        return cor_json_fail(json, error, NULL, "has %zu mocks, more than %d", cor_json_size(json),
                             MOCKS_MAX);
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        struct cor_mock *mock;
        COR_TRY(interaction__check_name(&item, item.key, "a mock", error));
        COR_TRY(add_mock(experiment, &item, item.key, &mock, error));
    }
    return COR_OK;
}

/* An item of "mechanisms" being read. */
struct reading {
    struct cor_experiment *experiment;
    struct cor_mechanism_slot *slot;
};

static enum cor_status read_which(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    struct cor_error said = COR_NO_ERROR;
    const char *name;
    COR_TRY(cor_json_string(json, &name, error));
    if (cor_registry_mechanism(reading->experiment->registry, name, &reading->slot->mechanism, &said) !=
        COR_OK)
        return interaction__repeat_of(json, name, &said, error);
    const struct cor_mechanism *mechanism = reading->slot->mechanism;
    const uint32_t count = cor_parameter_count(mechanism->parameters);
    reading->slot->parameters = cor_calloc(count, sizeof *reading->slot->parameters);
    COR_TRY(cor_made(reading->slot->parameters, error));
    for (uint32_t i = 0; i < count; i++)
        reading->slot->parameters[i] = mechanism->parameters[i].value;
    return COR_OK;
}

static enum cor_status read_parameters(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct cor_mechanism_slot *slot = ((struct reading *)into)->slot;
    const uint32_t count = cor_parameter_count(slot->mechanism->parameters);
    COR_TRY(cor_json_expect_object(json, NULL, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        uint32_t index;
        char what[128] = "";
        strncat(strncat(what, slot->mechanism->name, 63), " has no parameter", 32);
        COR_TRY(cor_json_find_name(
            &item, COR_RECORD_NAMES(slot->mechanism->parameters, count, struct cor_parameter, name), item.key,
            what, &index, error));
        const struct cor_parameter *parameter = &slot->mechanism->parameters[index];
        if (parameter->is_integer && !cor_json_is_integer(&item))
            return cor_json_fail(&item, error, "an integer", "is no integer");
        COR_TRY(cor_json_real(&item, parameter->min, parameter->max, &slot->parameters[index], error));
    }
    return COR_OK;
}

static enum cor_status read_types(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    const struct cor_test_model *model = reading->experiment->model;
    COR_TRY(cor_json_expect_array(json, 1, model->type_count, error));
    reading->slot->types = cor_calloc(model->type_count, sizeof *reading->slot->types);
    COR_TRY(cor_made(reading->slot->types, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        const char *name;
        uint32_t type;
        COR_TRY(cor_json_string(&item, &name, error));
        COR_TRY(cor_json_find_name(
            &item, COR_RECORD_NAMES(model->types, model->type_count, struct cor_agent_type, name), name,
            "there is no type", &type, error));
        reading->slot->types[type] = true;
    }
    return COR_OK;
}

static enum cor_status read_mock(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    struct cor_experiment *experiment = reading->experiment;
    const char *name, *names[MOCKS_MAX + 1] = {NULL};
    char remedy[1024] = "write it under \"mocks\", beside \"arms\"";
    if (cor_json_is_object(json))
        return add_mock(experiment, json, NULL, &reading->slot->mock, error);
    COR_TRY(cor_json_string(json, &name, error));
    uint32_t known = 0;
    for (uint32_t i = 0; i < experiment->mock_count; i++)
        if (experiment->mocks[i]->name && strcmp(experiment->mocks[i]->name, name) == 0)
            reading->slot->mock = experiment->mocks[i];
        else if (experiment->mocks[i]->name && known < MOCKS_MAX)
            names[known++] = experiment->mocks[i]->name;
    if (reading->slot->mock)
        return COR_OK;
    if (known > 0)
        cor_known_names(name, names, remedy, sizeof remedy);
    return cor_json_fail(json, error, remedy, "there is no mock \"%s\"", name);
}

static const struct cor_field slot_fields[] = {{"mechanism", COR_REQUIRED, COR_READ_FIELD(read_which)},
                                               {"parameters", COR_OPTIONAL, COR_READ_FIELD(read_parameters)},
                                               {"types", COR_OPTIONAL, COR_READ_FIELD(read_types)},
                                               {"mock", COR_OPTIONAL, COR_READ_FIELD(read_mock)},
                                               {0}};

/* May agents idle, and keep what they have? By a number, or by a parameter. */
static bool may_idle(const struct cor_test_model *model) {
    struct cor_json json;
    struct cor_error ignored = COR_NO_ERROR;
    double ratio;
    return cor_json_find(&model->root, "idle_ratio", &json) &&
           (cor_json_real(&json, 0, 1, &ratio, &ignored) != COR_OK || ratio > 0);
}

/* Agents that go all of the way to the value of their state in each case keep nothing of what is written, and
 * no more is written. Of what stands alone it is not known yet, as above. */
static enum cor_status check_inertia(const struct cor_json *json, const struct cor_test_model *model,
                                     const struct cor_mechanism *mechanism, struct cor_error *error) {
    if (model->inertia_low < 1 || !model->root.value || mechanism->writes[1] || may_idle(model))
        return COR_OK;
    return cor_json_fail(json, error,
                         "write \"inertia\": [0.2, 1.0] in the model, of which less than 1 stays",
                         "%s writes \"value\", but each agent takes the value of its state in each case, "
                         "inertia being 1: nothing of what is written would be left",
                         mechanism->name);
}

/* A chain changes one column of real numbers. */
static enum cor_status check_mock(const struct cor_json *json, const struct cor_test_model *model,
                                  const struct cor_mechanism_slot *slot, struct cor_error *error) {
    const struct cor_mechanism *mechanism = slot->mechanism;
    if (!slot->mock)
        return COR_OK;
    const uint32_t attribute =
        cor_attribute_find(model->attributes, model->attribute_count, mechanism->writes[0]);
    const bool is_real = attribute == COR_NOBODY || model->attributes[attribute].type == COR_ATTRIBUTE_REAL;
    return is_real && !mechanism->writes[1]
               ? COR_OK
               : cor_json_fail(json, error, "leave \"mock\" out",
                               "a chain stands in for a mechanism that writes one column of real numbers, "
                               "and %s writes others",
                               mechanism->name);
}

static enum cor_status read_slot(struct cor_experiment *experiment, const struct cor_json *json,
                                 struct cor_arm *arm, struct cor_error *error) {
    struct cor_mechanism_slot *slot = &arm->mechanisms[arm->mechanism_count++];
    struct reading reading = {experiment, slot};
    COR_TRY(cor_json_is_string(json) ? read_which(json, &reading, error)
                                     : cor_json_fields(json, slot_fields, &reading, error));
    /* Does all that it reads and writes exist here? */
    const struct cor_test_model *model = experiment->model;
    const struct cor_mechanism *mechanism = slot->mechanism;
    char place[512];
    cor_json_place(json, place, sizeof place);
    COR_TRY(cor_attribute_check_columns(model->attributes, model->attribute_count, "mechanism",
                                        mechanism->name, mechanism->needs, place, error));
    for (uint32_t j = 0; mechanism->writes[j]; j++) {
        const char *name = mechanism->writes[j];
        if (strcmp(name, "value") == 0) {
            COR_TRY(check_inertia(json, model, mechanism, error));
            continue;
        }
        const uint32_t attribute = cor_attribute_find(model->attributes, model->attribute_count, name);
        if (attribute == COR_NOBODY)
            return cor_json_fail(json, error, "declare it in \"attributes\" of the model",
                                 "%s writes \"%s\", which agents of the model do not have", mechanism->name,
                                 name);
        /* Can agents of all types be given numbers in that attribute? */
        for (uint32_t t = 0; t < model->type_count; t++) {
            const struct cor_attribute_law *law = &model->types[t].attributes[attribute];
            if (law->source == COR_ATTRIBUTE_COMPUTED)
                return cor_json_fail(json, error, "let it write what that is computed from",
                                     "%s writes \"%s\", which is computed for agents of type \"%s\"",
                                     mechanism->name, model->attributes[attribute].name,
                                     model->types[t].name);
            /* Of what stands alone it is not known yet; its experiment was asked. */
            if (law->source == COR_ATTRIBUTE_LEVEL && !law->has_inertia && model->root.value)
                return cor_json_fail(json, error, "give it a value, or a level with inertia",
                                     "%s writes \"%s\", which goes with the state of agents of type \"%s\"",
                                     mechanism->name, model->attributes[attribute].name,
                                     model->types[t].name);
        }
    }
    COR_TRY(check_mock(json, experiment->model, slot, error));
    const struct cor_mechanism *mine = arm->mechanisms[arm->mechanism_count - 1].mechanism;
    for (uint32_t s = 0; s + 1 < arm->mechanism_count; s++)
        for (uint32_t i = 0; mine->writes[i]; i++)
            if (cor_mechanism_writes(arm->mechanisms[s].mechanism, mine->writes[i]))
                return cor_json_fail(json, error, "leave one of them out", "%s and %s both write \"%s\"",
                                     arm->mechanisms[s].mechanism->name, mine->name, mine->writes[i]);
    return COR_OK;
}

enum cor_status interaction__mechanisms_read(struct cor_experiment *experiment, const struct cor_json *json,
                                             struct cor_arm *arm, struct cor_error *error) {
    if (!json->value)
        return COR_OK;
    COR_TRY(cor_json_expect_array(json, 0, MECHANISMS_MAX, error));
    const size_t count = cor_json_size(json);
    if (count > 0 && arm->clocks.case_ticks > 0)
        return cor_json_fail(json, error, "leave one of them out",
                             "mechanisms work case by case, and \"execution\" is continuous");
    arm->mechanisms = cor_calloc(count, sizeof *arm->mechanisms);
    COR_TRY(cor_made(arm->mechanisms, error));
    for (size_t i = 0; i < count; i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(read_slot(experiment, &item, arm, error));
    }
    return COR_OK;
}

void interaction__mechanisms_fini(struct cor_arm *arm) {
    for (uint32_t s = 0; s < arm->mechanism_count; s++) {
        free(arm->mechanisms[s].parameters);
        free(arm->mechanisms[s].types);
    }
    free(arm->mechanisms);
}

bool cor_arm_writes(const struct cor_arm *arm, const char *column) {
    for (uint32_t s = 0; s < arm->mechanism_count; s++)
        if (cor_mechanism_writes(arm->mechanisms[s].mechanism, column))
            return true;
    return false;
}

void interaction__mechanisms_describe(struct cor_json_writer *writer, const struct cor_arm *arm) {
    if (arm->mechanism_count == 0)
        return;
    cor_json_open_array(writer, "mechanisms");
    for (uint32_t s = 0; s < arm->mechanism_count; s++) {
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "mechanism", arm->mechanisms[s].mechanism->name);
        cor_json_put_bool(writer, "mocked", arm->mechanisms[s].mock != NULL);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

void interaction__mechanisms_put(struct cor_json_writer *writer, const struct cor_registry *registry,
                                 const struct cor_test_model *model, const struct cor_arm *arm) {
    if (arm->mechanism_count == 0)
        return;
    cor_json_open_array(writer, "mechanisms");
    for (uint32_t s = 0; s < arm->mechanism_count; s++) {
        const struct cor_mechanism_slot *slot = &arm->mechanisms[s];
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "mechanism", cor_registry_mechanism_origin(registry, slot->mechanism));
        cor_json_open_object(writer, "parameters");
        for (uint32_t i = 0; i < cor_parameter_count(slot->mechanism->parameters); i++)
            if (slot->mechanism->parameters[i].is_integer)
                cor_json_put_integer(writer, slot->mechanism->parameters[i].name,
                                     (int64_t)slot->parameters[i]);
            else
                cor_json_put_real(writer, slot->mechanism->parameters[i].name, slot->parameters[i]);
        cor_json_close(writer);
        if (slot->types)
            cor_json_open_array(writer, "types");
        for (uint32_t t = 0; slot->types && t < model->type_count; t++)
            if (slot->types[t])
                cor_json_put_string(writer, NULL, model->types[t].name);
        if (slot->types)
            cor_json_close(writer);
        if (slot->mock)
            cor_json_put_text(writer, "mock", slot->mock->text);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

/* ---- mechanisms at work: in each case, when a solution is adopted or none was asked for, one after another.
 * What they write is there when agents perceive in the next case. A mock changes the values of its agents by
 * chains of their own instead, whatever the structure is */

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
    for (uint32_t slot = 0; slot < slots; slot++) {
        const struct cor_mechanism_slot *of = &arm_of(runner)->mechanisms[slot];
        const struct cor_registry *registry = runner->suite->experiment->registry;
        const struct cor_mechanism_definition definition = {
            .mechanism = of->mechanism,
            .path = cor_registry_mechanism_cell(registry, of->mechanism),
            .is_full = cor_registry_isolation(registry)->is_full,
            .cpu_seconds = CPU_SECONDS,
            .rules = &runner->mechanisms->rules,
            .parameters = of->parameters,
            .agent_count = runner->configuration->agent_count};
        COR_TRY(of->mock ? COR_OK
                         : cor_mechanism_desk_create(&definition, &runner->mechanisms->desks[slot], error));
    }
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
    if (*failed) {
        /* It did not do its work: the sequence ends, and it is the mechanism that failed. */
        struct cor_judgement judgement;
        r->sequence.is_stopped = true;
        if (r->sequence.first_failure == 0)
            r->sequence.first_failure = this_case->number;
        cor_judgement_init(&judgement);
        cor_judgement_add(&judgement, COR_CHECK_MECHANISM_SMOKE, COR_NOBODY, COR_NOBODY, NAN, slot);
        COR_TRY(interaction__note_violations(r, this_case, COR_BOX_TIME, &judgement, error));
        return interaction__note_foreign_smoke(r, this_case, outcome.smoke, outcome.complaint, &outcome.fate,
                                               error);
    }
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
