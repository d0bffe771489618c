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
    COR_TRY(cor_made(mock->shift = cor_calloc(mock->profile->state_count, sizeof *mock->shift), error));
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
    COR_JSON_CHILDREN(item, json) {
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
    struct cor_mock **mock; /* of the slot, or of its arm */
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

static enum cor_status read_parameter(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct cor_mechanism_slot *slot = ((struct reading *)into)->slot;
    const struct cor_parameter *all = slot->mechanism->parameters;
    uint32_t index;
    COR_TRY(cor_json_find_name(
        json, COR_RECORD_NAMES(all, cor_parameter_count(all), struct cor_parameter, name), json->key, &index,
        error, "%.63s has no parameter \"%s\"", slot->mechanism->name, json->key));
    if (all[index].is_integer && !cor_json_is_integer(json))
        return cor_json_fail(json, error, "an integer", "is no integer");
    return cor_json_real(json, all[index].min, all[index].max, &slot->parameters[index], error);
}

static enum cor_status read_type(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct reading *reading = into;
    const struct cor_test_model *model = reading->experiment->model;
    const char *name;
    uint32_t type;
    COR_TRY(cor_json_string(json, &name, error));
    COR_TRY(cor_json_find_name(json,
                               COR_RECORD_NAMES(model->types, model->type_count, struct cor_agent_type, name),
                               name, &type, error, "there is no type \"%s\"", name));
    reading->slot->types[type] = true;
    return COR_OK;
}

static enum cor_status read_types(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    const uint32_t count = reading->experiment->model->type_count;
    COR_TRY(cor_made(reading->slot->types = cor_calloc(count, sizeof *reading->slot->types), error));
    return cor_json_each(json, 1, count, read_type, reading, error);
}

static enum cor_status read_mock(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    struct cor_experiment *experiment = reading->experiment;
    const char *name, *names[MOCKS_MAX + 1] = {NULL};
    char remedy[1024] = "write it under \"mocks\", beside \"arms\"";
    if (cor_json_is_object(json))
        return add_mock(experiment, json, NULL, reading->mock, error);
    COR_TRY(cor_json_string(json, &name, error));
    uint32_t known = 0;
    for (uint32_t i = 0; i < experiment->mock_count; i++)
        if (experiment->mocks[i]->name && strcmp(experiment->mocks[i]->name, name) == 0)
            *reading->mock = experiment->mocks[i];
        else if (experiment->mocks[i]->name && known < MOCKS_MAX)
            names[known++] = experiment->mocks[i]->name;
    if (*reading->mock)
        return COR_OK;
    if (known > 0)
        cor_known_names(name, names, remedy, sizeof remedy);
    return cor_json_fail(json, error, remedy, "there is no mock \"%s\"", name);
}

static enum cor_status read_mechanism_fault(const struct cor_json *json, void *into,
                                            struct cor_error *error) {
    struct cor_mechanism_slot *slot = ((struct reading *)into)->slot;
    const struct cor_fault *faults = slot->mechanism->faults;
    const char *name;
    uint32_t count = 0, index;
    COR_TRY(cor_json_string(json, &name, error));
    while (faults && faults[count].name)
        count++;
    if (strcmp(name, "none") == 0)
        return COR_OK;
    COR_TRY(cor_json_find_name(json, COR_RECORD_NAMES(faults, count, struct cor_fault, name), name, &index,
                               error, "%.63s has no fault \"%s\"", slot->mechanism->name, name));
    slot->fault = index + 1;
    return COR_OK;
}

const char *interaction__mechanism_fault_name(const struct cor_mechanism_slot *slot) {
    return slot->fault > 0 ? slot->mechanism->faults[slot->fault - 1].name : "none";
}

static const struct cor_field slot_fields[] = {
    {"mechanism", COR_REQUIRED, COR_READ_FIELD(read_which)},
    {"parameters", COR_OPTIONAL, COR_MEMBERS_FIELD(read_parameter)},
    {"types", COR_OPTIONAL, COR_READ_FIELD(read_types)},
    {"mock", COR_OPTIONAL, COR_READ_FIELD(read_mock)},
    {"fault", COR_OPTIONAL, COR_READ_FIELD(read_mechanism_fault)},
    {0}};

/* May agents idle, and keep what they have? By a number, or by a parameter. */
static bool may_idle(const struct cor_test_model *model) {
    struct cor_json json;
    struct cor_error ignored = COR_NO_ERROR;
    double ratio;
    return cor_json_find(&model->root, "idle_ratio", &json) &&
           (cor_json_real(&json, 0, 1, &ratio, &ignored) != COR_OK || ratio > 0);
}

static enum cor_status read_slot(struct cor_experiment *experiment, const struct cor_json *json,
                                 struct cor_arm *arm, struct cor_error *error) {
    struct cor_mechanism_slot *slot = &arm->mechanisms[arm->mechanism_count++];
    struct reading reading = {experiment, slot, &slot->mock};
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
            /* Agents that go all of the way to the value of their state in each case keep nothing of what is
             * written, and no more is written. Of what stands alone it is not known yet, as above. */
            if (model->inertia_low >= 1 && model->root.value && !mechanism->writes[1] && !may_idle(model))
                return cor_json_fail(
                    json, error, "write \"inertia\": [0.2, 1.0] in the model, of which less than 1 stays",
                    "%s writes \"value\", but each agent takes the value of its state in each case, "
                    "inertia being 1: nothing of what is written would be left",
                    mechanism->name);
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
    const struct cor_mechanism *mine = arm->mechanisms[arm->mechanism_count - 1].mechanism;
    if (slot->mock) { /* a chain changes one column of real numbers */
        const uint32_t column = cor_attribute_find(experiment->model->attributes,
                                                   experiment->model->attribute_count, mine->writes[0]);
        if (mine->writes[1] ||
            (column != COR_NOBODY && experiment->model->attributes[column].type != COR_ATTRIBUTE_REAL))
            return cor_json_fail(json, error, "leave \"mock\" out",
                                 "a chain stands in for a mechanism that writes one column of real numbers, "
                                 "and %s writes others",
                                 mine->name);
    }
    for (uint32_t s = 0; s + 1 < arm->mechanism_count; s++)
        for (uint32_t i = 0; mine->writes[i]; i++)
            if (cor_mechanism_writes(arm->mechanisms[s].mechanism, mine->writes[i]))
                return cor_json_fail(json, error, "leave one of them out", "%s and %s both write \"%s\"",
                                     arm->mechanisms[s].mechanism->name, mine->name, mine->writes[i]);
    return COR_OK;
}

static enum cor_status refuse_test(const struct cor_json *json, const char *what, struct cor_error *error) {
    return cor_json_fail(json, error, "one mechanism that works itself is under test in an arm with \"mock\"",
                         "stands in for the algorithm, and there is %s to be tested", what);
}

/* "mock" of an arm: its one mechanism is under test, and nothing else may be at fault. */
static enum cor_status read_test(struct cor_experiment *experiment, struct cor_arm *arm,
                                 struct cor_error *error) {
    const struct cor_json *json = &arm->mock_json;
    struct reading reading = {experiment, arm->mechanisms, &arm->mock};
    if (arm->mechanism_count != 1)
        return refuse_test(json, arm->mechanism_count > 1 ? "more than one" : "no mechanism", error);
    if (arm->mechanisms->mock || arm->mechanisms->fault >= UINT16_MAX)
        return refuse_test(json, "a mock", error);
    if (!experiment->text_corridor)
        return cor_json_fail(json, error,
                             "write \"corridor\" beside \"arms\": its invariants are the gray box",
                             "has a mechanism tested, and nothing says what it is to bring about");
    if (experiment->model->kind != COR_STRUCTURE_PARTITIONING)
        return cor_json_fail(json, error, "leave it out", "stands in for algorithms that make partitionings");
    if (arm->fault > 0 || arm->result.fault != COR_RESULT_FAULT_NONE ||
        arm->adoption.fault != COR_ADOPTION_FAULT_NONE || arm->session.agents.fault != COR_CRASH_FAULT_NONE)
        return cor_json_fail(json, error, "leave the other fault out, or \"mock\"",
                             "stands in for the algorithm, and the arm has a fault of it or of its adoption");
    COR_TRY(read_mock(json, &reading, error));
    for (uint32_t s = 0; s < arm->mock->profile->state_count; s++)
        if (!(arm->mock->shift[s] >= 0 && arm->mock->shift[s] <= 1))
            return cor_json_fail(json, error, "fit it to the share of agents that move in a case",
                                 "has a state with a mean of %.10g, and a share is from 0 to 1",
                                 arm->mock->shift[s]);
    return COR_OK;
}

enum cor_status interaction__mechanisms_read(struct cor_experiment *experiment, const struct cor_json *json,
                                             struct cor_arm *arm, struct cor_error *error) {
    const bool is_tested = arm->mock_json.value != NULL;
    if (!json->value)
        return is_tested ? refuse_test(&arm->mock_json, "no mechanism", error) : COR_OK;
    COR_TRY(cor_json_expect_array(json, 0, MECHANISMS_MAX, error));
    const size_t count = cor_json_size(json);
    if (count > 0 && arm->clocks.case_ticks > 0)
        return cor_json_fail(json, error, "leave one of them out",
                             "mechanisms work case by case, and \"execution\" is continuous");
    COR_TRY(cor_made(arm->mechanisms = cor_calloc(count, sizeof *arm->mechanisms), error));
    for (size_t i = 0; i < count; i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(read_slot(experiment, &item, arm, error));
        if (arm->mechanisms[i].fault > 0 && !is_tested)
            return cor_json_fail(
                &item, error, "write \"mock\" beside \"mechanisms\": a chain in the place of the algorithm",
                "has a fault, which is looked for where the mechanism is under test");
    }
    return is_tested ? read_test(experiment, arm, error) : COR_OK;
}

void interaction__mechanisms_fini(struct cor_arm *arm) {
    for (uint32_t s = 0; s < arm->mechanism_count; s++) {
        COR_FREE(arm->mechanisms[s].parameters, arm->mechanisms[s].types);
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
        if (slot->fault > 0)
            cor_json_put_string(writer, "fault", interaction__mechanism_fault_name(slot));
        cor_json_close(writer);
    }
    cor_json_close(writer);
    if (arm->mock)
        cor_json_put_text(writer, "mock", arm->mock->text);
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
    uint32_t *sizes;        /* owned; scratch, where a mechanism is under test: [partition], then [agent] */
    struct cor_lists moved; /* likewise: what the chain makes of the structure */
    size_t count;           /* bytes of what changes: */
    uint32_t *memory; /* owned; [mechanism] the agent that is sampled, then [mechanism][agent] where its chain
                         is, then where that of the arm is */
};

static const struct cor_arm *arm_of(const struct cor_runner *r) {
    return r->suite->arm;
}

static uint32_t *state_of(const struct cor_runner *r, uint32_t slot, uint32_t agent) {
    return r->mechanisms->memory + arm_of(r)->mechanism_count + (size_t)slot * r->configuration->agent_count +
           agent;
}

/* Where the chain is that stands in for the algorithm. */
static uint32_t *own_state(const struct cor_runner *r) {
    return state_of(r, arm_of(r)->mechanism_count, 0);
}

enum cor_status interaction__mechanisms_create(struct cor_runner *runner, struct cor_error *error) {
    const uint32_t agents = runner->configuration->agent_count, slots = arm_of(runner)->mechanism_count;
    if (slots == 0)
        return COR_OK;
    struct interaction__mechanisms *m = runner->mechanisms = cor_calloc(1, sizeof *m);
    COR_TRY(cor_made(m, error));
    m->rules = runner->rules;
    m->count = ((size_t)slots * agents + slots + 1) * sizeof *m->memory;
    m->memory = cor_calloc(m->count, 1);
    cor_lists_init(&m->moved);
    COR_TRY(cor_made(m->sizes = cor_calloc(2 * (size_t)agents, sizeof *m->sizes), error));
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
            .fault = of->fault,
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
    COR_FREE(mechanisms->desks, mechanisms->memory, mechanisms->mocked, mechanisms->sizes);
    cor_lists_fini(&mechanisms->moved);
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
    const struct cor_mock *own = arm_of(r)->mock;
    if (!own)
        return;
    name.ordinal = arm_of(r)->mechanism_count;
    name.entity = COR_NOBODY;
    *own_state(r) =
        cor_profile_next(own->profile, own->profile->state_count, (uint32_t)cor_rng_first_word(&name));
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
                                     bool *failed, struct cor_fault_counts *fault, struct cor_error *error) {
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
    *fault = outcome.fault;
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
    struct cor_fault_counts ignored;
    bool failed = false;
    for (uint32_t slot = 0; slot < arm_of(r)->mechanism_count && !failed; slot++)
        COR_TRY(work_and_note(r, slot, this_case, &failed, &ignored, error));
    return COR_OK;
}

/* ---- a mechanism under test: what is before it is a chain, and what it leaves is judged */

/* The chain goes on, and as large a share of the agents as its state stands for changes its partition: each
 * to another one, all equally likely; not where a limit on sizes would be broken. */
static enum cor_status mock_algorithm(struct cor_runner *r, const struct cor_case *this_case,
                                      struct cor_error *error) {
    struct interaction__mechanisms *m = r->mechanisms;
    const struct cor_mock *mock = arm_of(r)->mock;
    const struct cor_limits *limits = &r->configuration->limits;
    const uint32_t agents = r->configuration->agent_count, blocks = r->structure.block_count;
    struct cor_stream_name name = this_case->name;
    name.purpose = COR_PURPOSE_MOCK;
    name.ordinal = arm_of(r)->mechanism_count;
    name.entity = COR_NOBODY;
    struct cor_rng rng = cor_rng_named(&name);
    *own_state(r) = cor_profile_next(mock->profile, *own_state(r), (uint32_t)cor_rng_word(&rng));
    const uint32_t wanted = (uint32_t)lround(mock->shift[*own_state(r)] * agents);
    if (blocks < 2 || wanted == 0)
        return COR_OK;
    for (uint32_t b = 0; b < blocks; b++) {
        m->sizes[b] = cor_lists_size(&r->structure, b);
        for (uint32_t i = 0; i < m->sizes[b]; i++)
            r->label[cor_lists_block(&r->structure, b)[i]] = b;
    }
    for (uint32_t move = 0; move < wanted; move++) {
        const uint32_t agent = cor_rng_below(&rng, agents), from = r->label[agent];
        const uint32_t drawn = cor_rng_below(&rng, blocks - 1), to = drawn + (drawn >= from);
        if (m->sizes[from] <= limits->size_min || m->sizes[to] >= limits->size_max)
            continue;
        m->sizes[from]--;
        m->sizes[to]++;
        r->label[agent] = to;
    }
    /* Block after block: where each begins, then its members, which leaves where each ends. */
    uint32_t *end = m->sizes, *members = m->sizes + agents;
    for (uint32_t b = 0, start = 0; b < blocks; b++) {
        const uint32_t size = end[b];
        end[b] = start;
        start += size;
    }
    for (uint32_t i = 0; i < agents; i++)
        members[end[r->label[i]]++] = i;
    cor_lists_clear(&m->moved);
    for (uint32_t b = 0; b < blocks; b++) {
        const uint32_t start = b == 0 ? 0 : end[b - 1];
        COR_TRY(cor_lists_put(&m->moved, members + start, end[b] - start, error));
    }
    COR_TRY(cor_adopt(r->adopter, r->state, &m->moved, NULL, 0, &this_case->name, &r->adoption, error));
    interaction__text_restructure(r);
    return cor_state_lists(r->state, &r->structure, error);
}

enum cor_status interaction__mechanism_test(struct cor_runner *r, const struct cor_case *this_case,
                                            struct cor_case_row *case_row, struct cor_error *error) {
    struct cor_fault_counts fault;
    bool failed;
    r->adoption = (struct cor_adoption_report){0};
    COR_TRY(mock_algorithm(r, this_case, error));
    const double before = interaction__dissimilarity(r);
    COR_TRY(work_and_note(r, 0, this_case, &failed, &fault, error));
    if (failed) /* it is over, and nothing is left to be judged */
        return COR_OK;
    struct cor_reorganization_row *row = cor_record_row(r->record, COR_TABLE_REORGANIZATIONS, error);
    if (!row)
        return error->status;
    row->sequence = (uint16_t)r->sequence.index;
    row->case_ = this_case->number;
    row->partitions_before = row->partitions_after = r->structure.block_count;
    row->dissimilarity_before = before;
    row->dissimilarity_after = interaction__dissimilarity(r);
    row->inside_after = COR_INSIDE_NOT_LOOKED;
    row->moved = r->adoption.moved;
    row->fault_reached = (uint32_t)fault.reached;
    row->fault_held = (uint32_t)fault.held;
    row->fault_activated = (uint32_t)fault.activated;
    row->fault_in_result = fault.activated > 0;
    row->stop = COR_STOP_DONE;
    row->smoke = COR_SMOKE_NONE;
    row->black = row->agreement = COR_VERDICT_NOT_JUDGED;
    COR_TRY(cor_lists_copy(&r->before, &r->structure, error));
    COR_TRY(cor_lists_copy(&r->outcome.solution, &r->structure, error));
    interaction__text_follow(r);
    COR_TRY(interaction__judge_solution(r, this_case, row, error));
    case_row->reorganized = 1;
    case_row->gray = row->gray;
    if (r->sequence.first_failure == 0 && cor_is_detection(row->gray))
        r->sequence.first_failure = this_case->number;
    return cor_is_detection(row->gray) || fault.activated > 0
               ? interaction__note_failure(r, this_case, row->gray, row->black, error)
               : COR_OK;
}
