/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"
#include "loop.h"
#include "text.h"

#include <corridor/alone.h>
#include <corridor/array.h>
#include <corridor/suite_alone.h>

struct cor_alone {
    const struct cor_experiment *experiment; /* borrowed */
    bool log_solutions;
    struct cor_session **sessions; /* owned; [arm]; made when first needed */
    struct cor_suite *suite;       /* owned; NULL: none yet */
    struct cor_runner *runner;     /* owned; NULL: none yet */
};

enum cor_status cor_alone_create(const struct cor_interaction *interaction, struct cor_alone **alone,
                                 struct cor_error *error) {
    struct cor_alone *a = *alone = cor_calloc(1, sizeof *a);
    COR_TRY(cor_made(a, error));
    a->experiment = interaction->experiment;
    a->log_solutions = interaction->log_solutions;
    a->sessions = cor_calloc(a->experiment->arm_count, sizeof(struct cor_session *));
    const enum cor_status status = cor_made(a->sessions, error);
    if (status != COR_OK) {
        cor_alone_destroy(a);
        *alone = NULL;
    }
    return status;
}

void cor_alone_destroy(struct cor_alone *alone) {
    if (!alone)
        return;
    cor_runner_destroy(alone->runner);
    cor_suite_destroy(alone->suite);
    for (uint32_t a = 0; alone->sessions && a < alone->experiment->arm_count; a++)
        cor_session_destroy(alone->sessions[a]);
    COR_FREE(alone->sessions, alone);
}

static enum cor_status no_such_sequence(const struct cor_alone_definition *definition,
                                        struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, "the file", "it is not as it was written",
                    "arm %u, suite %u: sequence %u is none that its experiment makes", definition->arm,
                    definition->suite, definition->sequence);
}

enum cor_status cor_alone_begin(struct cor_alone *alone, const struct cor_alone_definition *definition,
                                struct cor_record *record, struct cor_runner **runner,
                                struct cor_error *error) {
    cor_runner_destroy(alone->runner); /* of the suite that may go now */
    *runner = alone->runner = NULL;
    if (definition->arm >= alone->experiment->arm_count)
        return no_such_sequence(definition, error);
    struct cor_session **session = &alone->sessions[definition->arm];
    const uint32_t arm = definition->arm;
    const uint32_t index = definition->suite;
    if (!alone->suite || alone->suite->arm_index != arm || alone->suite->index != index) {
        cor_suite_destroy(alone->suite);
        alone->suite = NULL;
        COR_TRY(cor_suite_generate(alone->experiment, arm, index, &alone->suite, error));
    }
    const struct cor_branch *branch = definition->branch;
    if (!branch) {
        if (definition->sequence >= alone->suite->sequence_count)
            return no_such_sequence(definition, error);
    } else if (!(definition->sequence >= alone->suite->sequence_count &&
                 branch->parent < alone->suite->sequence_count &&
                 branch->prefix <= alone->suite->case_counts[branch->parent])) {
        return no_such_sequence(definition, error);
    }
    if (!*session)
        COR_TRY(cor_session_create(&alone->suite->arm->session, session, error));
    const struct cor_execution execution = {alone->suite, *session,
                                            alone->log_solutions || definition->log_solutions};
    COR_TRY(cor_runner_create(&execution, record, &alone->runner, error));
    const struct cor_walk_definition walk =
        cor_suite_walk_definition(alone->suite, definition->sequence, definition->branch);
    *runner = alone->runner;
    return cor_sequence_begin(alone->runner, &walk, error);
}

enum cor_status cor_alone_execute(struct cor_alone *alone, const struct cor_alone_definition *definition,
                                  struct cor_record *record, struct cor_error *error) {
    struct cor_runner *runner;
    COR_TRY(cor_alone_begin(alone, definition, record, &runner, error));
    while (!cor_sequence_is_over(runner))
        COR_TRY(cor_sequence_case(runner, error));
    return cor_sequence_end(runner, error);
}

const struct cor_suite *cor_alone_suite(const struct cor_alone *alone) {
    return alone->suite;
}

/* ---- A suite of one sequence with all that executing it takes, and nothing by which another could be drawn:
 * what files of tests hold. Its experiment has one arm, whose laws are plain numbers, and a model of names */

/* The algorithm's own numbers and the budget as they are now; others as they were drawn. */
static double parameter_of(const struct cor_suite *suite, uint32_t index) {
    const struct cor_arm *arm = suite->arm;
    if (index == arm->roles.budget_parameter)
        return (double)suite->budget;
    for (uint32_t i = 0; i < cor_algorithm_parameter_count(arm->algorithm); i++)
        if (arm->algorithm_parameters[i] == (int)index)
            return suite->algorithm_parameters[i];
    return suite->parameters[index];
}

enum cor_status cor_suite_put_alone(const struct cor_suite *suite, struct cor_json_writer *writer,
                                    struct cor_error *error) {
    struct cor_arm arm = *suite->arm;
    COR_ASSERT(suite->sequence_count == 1 && suite->recorded);
    arm.monitor = suite->configuration->monitor;
    arm.adoption = suite->configuration->adoption;
    cor_json_open_object(writer, "arm");
    interaction__arm_put_alone(suite->experiment, &arm, writer);
    cor_json_close(writer);
    cor_json_open_object(writer, "parameters");
    for (uint32_t i = 0; i < suite->arm->parameter_count; i++) {
        const char *name = cor_parameter_laws_name(suite->arm->laws, i);
        const double value = parameter_of(suite, i);
        if (cor_parameter_laws_is_integer(suite->arm->laws, i))
            cor_json_put_integer(writer, name, (int64_t)value);
        else
            cor_json_put_real(writer, name, value);
    }
    cor_json_close(writer);
    const struct cor_test_model *model = suite->experiment->model;
    cor_json_open_array(writer, "types");
    for (uint32_t i = 0; i < model->type_count; i++)
        cor_json_put_string(writer, NULL, model->types[i].name);
    cor_json_close(writer);
    if (suite->experiment->text_corridor) {
        interaction__text_put(suite->experiment->text_corridor, writer, "corridor");
        /* What the states of types are called that do not take over those of an environment. */
        cor_json_open_object(writer, "states");
        for (uint32_t i = 0; i < model->type_count; i++) {
            const struct cor_agent_type *type = &model->types[i];
            char *const *names = type->fixed ? type->fixed->state_names : type->state_names;
            const uint32_t count = type->fixed ? type->fixed->state_count : type->state_count;
            if (!names)
                continue;
            cor_json_open_array(writer, type->name);
            for (uint32_t s = 0; s < count; s++)
                cor_json_put_string(writer, NULL, names[s]);
            cor_json_close(writer);
        }
        cor_json_close(writer);
    }
    cor_json_open_object(writer, "environments");
    for (uint32_t i = 0; i < model->environment_count; i++) {
        cor_json_open_array(writer, model->environments[i].name);
        for (uint32_t s = 0; !model->environments[i].is_random && s < suite->profiles[i]->state_count; s++)
            cor_json_put_string(writer, NULL, suite->profiles[i]->states[s]);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_put_string(writer, "measure",
                        cor_term_word(COR_FAMILY_MEASURE, (int)suite->configuration->measure));
    if (suite->configuration->kind != COR_STRUCTURE_PARTITIONING)
        cor_json_put_string(writer, "kind", cor_structure_words[suite->configuration->kind]);
    interaction__suite_put_limits(writer, suite);
    interaction__suite_put_columns(writer, suite);
    return interaction__suite_put_walk(writer, "walk", &suite->recorded[0], error);
}

/* How large the suite is: known before its columns are read. */
struct head {
    uint32_t agents;
};

static enum cor_status read_types(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_test_model *model = into;
    COR_TRY(cor_json_expect_array(json, 1, COR_TYPES_MAX, error));
    COR_TRY(cor_made(model->types = cor_calloc(cor_json_size(json), sizeof *model->types), error));
    COR_JSON_CHILDREN(item, json) {
        struct cor_agent_type *type = &model->types[model->type_count++];
        type->environment = type->presence = COR_NOBODY;
        type->present = 1;
        COR_TRY(interaction__read_name(&item, "a type", &type->name, error));
    }
    return COR_OK;
}

static enum cor_status read_environments(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_test_model *model = into;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    const size_t count = cor_json_size(json);
    if (count < 1 || count > COR_ENVIRONMENTS_MAX)
        return cor_json_fail(json, error, NULL, "has %zu environments, expected 1 to %d", count,
                             COR_ENVIRONMENTS_MAX);
    COR_TRY(cor_made(model->environments = cor_calloc(count, sizeof *model->environments), error));
    for (size_t i = 0; i < count; i++) {
        const struct cor_json child = cor_json_at(json, i);
        struct cor_environment *environment = &model->environments[model->environment_count++];
        model->perceived_count = model->environment_count;
        COR_TRY(interaction__check_name(&child, child.key, "an environment", error));
        COR_TRY(cor_made(environment->name = cor_strdup(child.key), error));
        /* The names of an environment's states; none where its profile was drawn for the suite. As a profile,
         * of which nothing but the names is looked at. */
        enum { MOST = COR_PROFILE_STATES_MAX };
        const char *names[MOST], *remedy;
        double probability[MOST * MOST] = {0}, start[MOST] = {1};
        COR_TRY(cor_json_expect_array(&child, 0, MOST, error));
        const uint32_t n = (uint32_t)cor_json_size(&child);
        environment->is_random = n == 0;
        for (uint32_t j = 0; j < n; j++) {
            const struct cor_json item = cor_json_at(&child, j);
            COR_TRY(cor_json_string(&item, &names[j], error));
            probability[j * n + j] = 1;
            if (cor_profile_check_name(names[j], &remedy) != COR_OK)
                return cor_json_fail(&item, error, remedy, "is no name for a state");
        }
        struct cor_error said = COR_NO_ERROR;
        if (n == 0 || cor_profile_create(environment->name, n, names, probability, start,
                                         &environment->profile, &said) == COR_OK)
            continue;
        COR_TRY(said.status == COR_STATUS_INPUT ? interaction__repeat_at(&child, &said, error)
                                                : cor_fail_memory(error));
    }
    return COR_OK;
}

static enum cor_status read_kind(const struct cor_json *json, void *into, struct cor_error *error) {
    int kind;
    COR_TRY(cor_json_one_of(json, cor_structure_adopted_words, "kind of structure", &kind, error));
    ((struct cor_test_model *)into)->kind = (enum cor_structure_kind)kind;
    return COR_OK;
}

/* Agents come and go if some have a chain of presence. */
static enum cor_status read_presence(const struct cor_json *json, void *into, struct cor_error *error) {
    (void)error;
    (void)json;
    ((struct cor_test_model *)into)->comes_and_goes = true;
    return COR_OK;
}

static const struct cor_field model_fields[] = {
    {"types", COR_REQUIRED, COR_READ_FIELD(read_types)},
    {"environments", COR_REQUIRED, COR_READ_FIELD(read_environments)},
    {"measure", COR_REQUIRED, COR_TERM_FIELD(struct cor_test_model, measure, COR_FAMILY_MEASURE)},
    {"kind", COR_OPTIONAL, COR_READ_FIELD(read_kind)},
    {"presence_chain", COR_OPTIONAL, COR_READ_FIELD(read_presence)},
    {"attributes", COR_OPTIONAL, COR_READ_FIELD(interaction__read_attributes_alone)},
    {0}};

static enum cor_status read_states(const struct cor_json *json, struct cor_test_model *model,
                                   struct cor_error *error) {
    COR_TRY(cor_json_expect_object(json, NULL, error));
    for (uint32_t t = 0; t < model->type_count; t++) {
        struct cor_agent_type *type = &model->types[t];
        struct cor_json child;
        if (!cor_json_find(json, type->name, &child))
            continue;
        COR_TRY(cor_json_expect_array(&child, 1, COR_PROFILE_STATES_MAX, error));
        type->state_names = cor_calloc(cor_json_size(&child), sizeof *type->state_names);
        COR_TRY(cor_made(type->state_names, error));
        COR_JSON_CHILDREN(item, &child) {
            type->state_count++;
            COR_TRY(interaction__read_name(&item, "a state", &type->state_names[item.index], error));
        }
    }
    return COR_OK;
}

static const struct cor_field head_fields[] = {
    {"agents", COR_REQUIRED, COR_INTEGER_FIELD(struct head, agents, 1, COR_AGENTS_MAX)}, {0}};

const struct cor_field cor_suite_alone_fields[] = {{"arm", COR_REQUIRED, COR_KNOWN_FIELD},
                                                   {"parameters", COR_REQUIRED, COR_KNOWN_FIELD},
                                                   {"types", COR_REQUIRED, COR_KNOWN_FIELD},
                                                   {"environments", COR_REQUIRED, COR_KNOWN_FIELD},
                                                   {"measure", COR_REQUIRED, COR_KNOWN_FIELD},
                                                   {"kind", COR_OPTIONAL, COR_KNOWN_FIELD},
                                                   {"agents", COR_REQUIRED, COR_KNOWN_FIELD},
                                                   {"corridor", COR_OPTIONAL, COR_KNOWN_FIELD},
                                                   {"states", COR_OPTIONAL, COR_KNOWN_FIELD},
                                                   COR_ROWS_OF(interaction__suite_number_fields),
                                                   COR_ROWS_OF(interaction__suite_column_fields),
                                                   {"walk", COR_REQUIRED, COR_KNOWN_FIELD},
                                                   {0}};

static enum cor_status read_experiment(struct cor_experiment *experiment,
                                       const struct cor_isolation_definition *isolation,
                                       struct cor_error *error) {
    struct cor_json parameters;
    experiment->root = cor_json_root(experiment->document);
    experiment->suite_count = experiment->sequence_count = 1;
    experiment->name = cor_strdup("test");
    experiment->model = cor_calloc(1, sizeof *experiment->model);
    experiment->arms = cor_calloc(1, sizeof *experiment->arms);
    if (!experiment->name || !experiment->model || !experiment->arms)
        return cor_fail_memory(error);
    COR_TRY(cor_registry_create(isolation, &experiment->registry, error));
    COR_TRY(cor_json_members(&experiment->root, model_fields, experiment->model, error));
    COR_TRY(cor_json_need(&experiment->root, "arm", &experiment->arms_json, error));
    COR_TRY(cor_json_need(&experiment->root, "parameters", &parameters, error));
    /* The corridor as a text, if there is one, and what states are called in it. */
    struct cor_json child;
    if (cor_json_find(&experiment->root, "states", &child))
        COR_TRY(read_states(&child, experiment->model, error));
    COR_TRY(cor_json_find(&experiment->root, "corridor", &child)
                ? interaction__text_read(&child, &experiment->text_corridor, error)
                : COR_OK);
    experiment->arm_count = 1;
    COR_TRY(interaction__arm_read_alone(experiment, &experiment->arms_json, &parameters, experiment->arms,
                                        error));
    if (experiment->text_corridor)
        COR_TRY(interaction__text_check_experiment(experiment->text_corridor, experiment, true, error));
    COR_TRY(interaction__monitors_check(experiment, error));
    COR_TRY(interaction__components_note(experiment, error));
    return interaction__experiment_make_catalogs(experiment, error);
}

enum cor_status cor_experiment_take_alone(const char *path, struct cor_json_document *document,
                                          const struct cor_isolation_definition *isolation,
                                          struct cor_experiment **experiment, struct cor_error *error) {
    COR_TRY(interaction__experiment_begin(path, document, experiment, error));
    return interaction__experiment_end(experiment, read_experiment(*experiment, isolation, error));
}

static enum cor_status read_suite(const struct cor_json *json, struct cor_suite *suite,
                                  struct cor_error *error) {
    struct head head;
    struct cor_json child;
    COR_TRY(cor_json_need(json, "parameters", &child, error));
    COR_TRY(interaction__suite_read_parameters(&child, suite, error));
    const double budget = suite->parameters[suite->arm->roles.budget_parameter];
    if (budget < 1)
        return cor_json_fail(&child, error, "a budget is at least 1", "the budget is %.0f", budget);
    suite->budget = (uint64_t)budget;
    COR_TRY(cor_json_members(json, head_fields, &head, error));
    COR_TRY(interaction__suite_read_columns(json, head.agents, suite, error));
    COR_TRY(cor_made(suite->recorded = cor_calloc(1, sizeof *suite->recorded), error));
    COR_TRY(cor_json_need(json, "walk", &child, error));
    COR_TRY(interaction__suite_read_walk(&child, suite, &suite->recorded[0], error));
    suite->case_counts[0] = suite->recorded[0].case_count;
    return COR_OK;
}

enum cor_status cor_suite_read_alone(const struct cor_experiment *experiment, uint32_t index,
                                     struct cor_suite **suite, struct cor_error *error) {
    COR_TRY(interaction__suite_create(experiment, 0, index, 1, suite, error));
    enum cor_status status = read_suite(&experiment->root, *suite, error);
    if (status != COR_OK) {
        cor_suite_destroy(*suite);
        *suite = NULL;
    }
    return status;
}
