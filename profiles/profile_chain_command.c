/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A chain from a result file: of the walks that the file has, or of the states that agents were in, which
 * follow from the walks, the suites, which are generated again, and the agents' own random numbers. */
#include "isolation.h"
#include "profile_command.h"
#include "replay.h"
#include "running.h"
#include "show_view.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/interaction.h>
#include <corridor/names.h>
#include <corridor/state.h>
#include <corridor/state_names.h>
#include <corridor/suite_reader.h>
#include <corridor/test.h>

#include <stdlib.h>

#define VALUES_MOST 50000000u /* states of a series */

struct request {
    struct cor_fitting_options fitting;
    const char *environment, *agents, *arm;
    uint32_t suite;
    bool unsealed, trust;
};

/* What is being read. */
struct reading {
    const struct request *request;
    const char *path;
    struct cor_result *result; /* owned, as all below but the arm */
    struct cor_suite_reader *reader;
    struct cor_series *series;
    struct cor_sequence_walk walk;
    struct cor_state_names names;
    struct cor_opened opened; /* where agents are looked at */
    struct cor_suite *suite;  /* likewise, with */
    struct cor_state *state;
    uint8_t *now; /* [chain] */
    size_t arm;
    uint16_t environment;
    uint32_t states, type, suites;
    uint64_t sequences, left_out;
};

static void close_suite(struct reading *r) {
    cor_state_destroy(r->state);
    cor_suite_destroy(r->suite);
    free(r->now);
    r->state = NULL;
    r->suite = NULL;
    r->now = NULL;
}

static enum cor_status add(struct reading *r, const uint8_t *states, size_t count, struct cor_error *error) {
    if (r->series->value_count + count > VALUES_MOST)
        return cor_fail(error, COR_STATUS_INPUT, r->path, "choose one suite (--suite N)",
                        "has more than %u states to be counted", VALUES_MOST);
    return cor_series_add(r->series, states, count, error);
}

/* The series has the words of these states. */
static enum cor_status begin_series(struct reading *r, const char *column, const char *const *states,
                                    uint32_t count, struct cor_error *error) {
    r->states = count;
    return cor_series_of_words(r->path, column, states, count, &r->series, error);
}

/* The environment that is asked for, and the states of its profile, as the first suite has them. */
static enum cor_status find_environment(struct reading *r, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(r->result);
    const struct cor_catalog_entry *entry = head->catalog[COR_CATALOG_ENVIRONMENT];
    const size_t count = head->catalog_size[COR_CATALOG_ENVIRONMENT];
    const char *name = r->request->environment;
    uint32_t e;
    COR_TRY(cor_names_find(COR_RECORD_NAMES(entry, count, struct cor_catalog_entry, name), name,
                           "--environment", &e, error, "there is no environment \"%s\"", name));
    r->environment = entry[e].code;
    if (!cor_is_profile_given(&r->names, r->environment) && r->request->suite == COR_ANY_SUITE)
        return cor_fail(
            error, COR_STATUS_INPUT, "--environment", "choose one suite (--suite N)",
            "the profile of \"%s\" is drawn for each suite, so its states mean something else in each", name);
    return COR_OK;
}

static enum cor_status add_walks(struct reading *r, const struct cor_suite_rows *suite,
                                 struct cor_error *error) {
    const struct cor_chain_row *chain = suite->table[COR_TABLE_CHAINS].row;
    const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
    char text[COR_STATES_MAX][COR_STATE_NAME];
    const char *states[COR_STATES_MAX];
    for (uint32_t c = 0; c < suite->row.chains; c++) {
        const struct cor_profile_row *its = &profile[chain[c].profile];
        if (its->environment != r->environment)
            continue;
        for (uint32_t s = 0; s < its->states && !r->series; s++) {
            cor_state_name(&r->names, r->environment, s, text[s]);
            states[s] = text[s];
        }
        if (!r->series)
            COR_TRY(begin_series(r, r->request->environment, states, its->states, error));
        if (its->states != r->states)
            return cor_fail(error, COR_STATUS_INPUT, r->path, "choose one suite (--suite N)",
                            "the profile of \"%s\" has %u states in suite %u, and %u before",
                            r->request->environment, its->states, suite->row.suite, r->states);
        COR_TRY(add(r, r->walk.states + c * r->walk.length, r->walk.length, error));
    }
    return COR_OK;
}

static const struct cor_experiment *experiment_of(const struct reading *r) {
    return ((const struct cor_interaction *)r->opened.experiment)->experiment;
}

/* The type of agents that is asked for, and its states: its own, or those of the environment. */
static enum cor_status find_type(struct reading *r, struct cor_error *error) {
    const char *name = r->request->agents;
    COR_TRY(cor_open_stored(r->result, r->path, r->request->trust,
                            &(struct cor_layer_options){.isolation = COR_ISOLATION_UNTRUSTED}, &r->opened,
                            error));
    if (r->opened.layer != &cor_interaction_layer)
        return cor_fail(error, COR_STATUS_INPUT, r->path, NULL, "is not of the interaction layer");
    COR_TRY(cor_note_build(&r->opened, r->result, r->path, error));
    if (r->arm >= experiment_of(r)->arm_count)
        return cor_fail(error, COR_STATUS_INPUT, r->path, "it is not as it was written",
                        "has an experiment of %u arms", experiment_of(r)->arm_count);
    const struct cor_test_model *model = experiment_of(r)->model;
    COR_TRY(cor_names_find(COR_RECORD_NAMES(model->types, model->type_count, struct cor_agent_type, name),
                           name, "--agents", &r->type, error, "there is no agent type \"%s\"", name));
    const struct cor_agent_type *type = &model->types[r->type];
    if (type->presence != COR_NOBODY)
        return cor_fail(error, COR_STATUS_INPUT, "--agents", "name a type whose agents are always there",
                        "agents of type \"%s\" come and go, and have no state while they are away", name);
    if (type->fixed)
        return begin_series(r, name, (const char *const *)type->fixed->state_names, type->fixed->state_count,
                            error);
    const bool is_one = type->environment != COR_NOBODY || model->perceived_count == 1;
    const struct cor_profile *profile =
        is_one ? model->environments[type->environment != COR_NOBODY ? type->environment : 0].profile : NULL;
    if (!profile)
        return cor_fail(error, COR_STATUS_INPUT, "--agents", "look at the environments (--environment NAME)",
                        "agents of type \"%s\" take over the states of %s", name,
                        is_one ? "a profile that is drawn for each suite" : "several environments");
    return begin_series(r, name, (const char *const *)profile->states, profile->state_count, error);
}

/* A sequence once more, without the algorithm: agents perceive what the walk says, case after case. */
static enum cor_status add_agents(struct reading *r, uint32_t sequence, struct cor_error *error) {
    const struct cor_configuration *configuration = r->suite->configuration;
    const size_t length = r->walk.length;
    struct cor_stream_name name = r->suite->name;
    COR_FREED uint8_t *followed = cor_calloc((size_t)configuration->agent_count * length, 1);
    COR_TRY(cor_made(followed, error));
    name.sequence = sequence;
    for (size_t i = 0; i < length; i++) {
        for (uint32_t c = 0; c < configuration->chain_count; c++)
            r->now[c] = r->walk.states[c * length + i];
        name.identity = i; /* of a case, as when it was executed */
        if (i == 0)
            cor_state_restart(r->state, r->now);
        else
            cor_state_perceive(r->state, r->now, &name);
        for (uint32_t a = 0; a < configuration->agent_count; a++)
            followed[a * length + i] = r->state->agent_state[a];
    }
    for (uint32_t a = 0; a < configuration->agent_count; a++)
        if (configuration->type[a] == r->type)
            COR_TRY(add(r, followed + a * length, length, error));
    return COR_OK;
}

/* Sequences that continue others, or are steered somewhere, follow no profile: they are left out. */
static enum cor_status read_suites(struct reading *r, struct cor_error *error) {
    static const struct cor_reading readings[] = {
        {COR_TABLE_PROFILES, NULL}, {COR_TABLE_CHAINS, NULL}, {COR_TABLE_SEQUENCES, NULL}};
    const struct cor_suite_rows *suite;
    COR_TRY(
        cor_suite_reader_create(r->result, readings, sizeof readings / sizeof *readings, &r->reader, error));
    COR_TRY(cor_suite_reader_choose(r->reader, cor_arm_entry(cor_result_head(r->result), r->arm)->code,
                                    r->request->suite, "--suite", error));
    for (;;) {
        COR_TRY(cor_suite_reader_next(r->reader, &suite, error));
        if (!suite)
            return COR_OK;
        COR_TRY(cor_suite_check(suite, r->result, error));
        r->suites++;
        if (r->request->agents) {
            /* The suite whose agents are followed: its chains have to be those of the file, whose walks they
             * take. */
            const struct cor_chain_row *chain = suite->table[COR_TABLE_CHAINS].row;
            const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
            close_suite(r);
            COR_TRY(cor_suite_of_result(r->result, experiment_of(r), (uint32_t)r->arm, suite->row.suite,
                                        &r->suite, error));
            const struct cor_configuration *configuration = r->suite->configuration;
            bool is_same = configuration->chain_count == suite->row.chains;
            for (uint32_t c = 0; c < configuration->chain_count && is_same; c++)
                is_same = profile[chain[c].profile].states ==
                          r->suite->profiles[configuration->profile_of_chain[c]]->state_count;
            if (!is_same)
                return cor_fail(error, COR_STATUS_INPUT, r->path, "it is not as it was written",
                                "suite %u is generated with other chains than the file's", suite->row.suite);
            COR_TRY(cor_made(r->now = cor_calloc((size_t)configuration->chain_count + 1, 1), error));
            COR_TRY(cor_state_create(configuration, &r->state, error));
        }
        for (uint32_t i = 0; i < suite->row.sequences; i++) {
            if (!cor_is_sample(&suite->sequence[i])) {
                r->left_out++;
                continue;
            }
            r->sequences++;
            COR_TRY(cor_sequence_walk_read(&r->walk, suite, i, r->result, error));
            COR_TRY(r->request->agents ? add_agents(r, i, error) : add_walks(r, suite, error));
        }
    }
}

static enum cor_status read_result(struct reading *r, const struct cor_command *command,
                                   struct cor_error *error) {
    const struct request *request = r->request;
    const char *doubt;
    COR_TRY(cor_open_result(command, request->unsealed, r->path, &cor_interaction_schema, &r->result, &doubt,
                            error));
    cor_state_names_init(&r->names, r->result);
    if (!r->names.document) /* without it nobody knows which states have names */
        COR_TRY(cor_json_parse(cor_result_head(r->result)->experiment, r->path, &r->names.document, error));
    COR_TRY(cor_arm_find(cor_result_head(r->result), "--arm", request->arm, &r->arm, error));
    COR_TRY(request->agents ? find_type(r, error) : find_environment(r, error));
    COR_TRY(read_suites(r, error));
    if (!r->series || r->series->value_count == 0)
        return cor_fail(error, COR_STATUS_INPUT, r->path, "choose another arm, or all suites",
                        "there is nothing of %s \"%s\" in the suites that are looked at",
                        request->agents ? "agents of type" : "environment",
                        request->agents ? request->agents : request->environment);
    /* What was read, in words, for the report and the file. */
    char *notes = cor_format(
        "Read: %s \"%s\" of arm \"%s\"; suites %u, sequences %llu, left out, as they continue others or are "
        "steered, %llu.",
        r->request->agents ? "agents of type" : "environment",
        r->request->agents ? r->request->agents : r->request->environment,
        cor_arm_entry(cor_result_head(r->result), r->arm)->name, r->suites, (unsigned long long)r->sequences,
        (unsigned long long)r->left_out);
    COR_TRY(cor_made(notes, error));
    free(r->series->notes);
    r->series->notes = notes;
    return COR_OK;
}

static enum cor_exit run_chain(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct request *request = arguments->request;
    struct reading r = {.request = request, .path = arguments->words[0]};
    if (!request->environment == !request->agents)
        return cor_misuse(arguments->command, "needs either --environment NAME or --agents TYPE");
    request->fitting.fit.hours = cor_default_fit().hours;
    enum cor_status status = read_result(&r, arguments->command, &error);
    if (status == COR_OK)
        status = cor_fit_and_write_take(r.series, arguments, &request->fitting, &error);
    else
        cor_series_destroy(r.series);
    close_suite(&r);
    cor_suite_reader_destroy(r.reader);
    cor_sequence_walk_fini(&r.walk);
    cor_state_names_fini(&r.names);
    cor_opened_fini(&r.opened);
    cor_result_close(r.result);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_profile_chain = {
    .name = "profile chain",
    .summary = "fit a profile to the walks, or the agents, of a result file",
    .operands = "RESULTS.h5",
    .takes = {1, 1, "needs one result file"},
    .request_size = sizeof(struct request),
    .manual = "Fits a profile to what was walked in a campaign: the states of an environment, each chain of "
              "each sequence a segment of its own; or the states of the agents of a type, which are followed "
              "once more along these walks, without the algorithm. Sequences are taken with all the cases "
              "that were drawn. Those that continue others, or are steered to traps, are left out. States "
              "have the order of their profile.",
    .options =
        {
            {"environment", 0, "NAME", "take the walks of this environment", COR_TEXT(environment)},
            {"agents", 0, "TYPE", "take the states of the agents of this type", COR_TEXT(agents),
             .excludes = "environment"},
            {"arm", 'a', "NAME", "take this arm; may be left out if the file has one", COR_TEXT(arm)},
            {"suite", 's', "N", "take only this suite", COR_SUITE(suite)},
            {"name", 'n', "NAME", "name the profile", COR_TEXT(fitting.fit.name),
             .otherwise = "the environment, or the type"},
            COR_FITTING_OPTIONS,
            COR_TRUST_OPTION(trust),
            COR_UNSEALED_OPTION(unsealed),
        },
    .examples = {"corridor profile chain demo.h5 --arm SPADA-F2 --environment wind -o walked.json",
                 "corridor profile chain demo.h5 --arm SPADA-F2 --agents wind"},
    .run = run_chain,
    .reads = true,
};
