/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The layer: suites are executed, and a campaign is told what stored ones show: sequences with a detection,
 * and what was seen of the environment profiles that are the same in all suites. Behind the functions of
 * struct cor_layer. */
#include "internal.h"
#include "loop.h"
#include "text.h"

#include <corridor/arm_components.h>
#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/configurations.h>
#include <corridor/interaction.h>
#include <corridor/layer.h>
#include <corridor/property.h>
#include <corridor/run.h>
#include <corridor/traffic.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What all suites of an arm have seen of an environment's profile. */
struct seen {
    uint32_t states, arcs; /* of the profile; 0 = no suite has walked it */
    uint32_t states_seen, arcs_seen;
    bool *state, *arc; /* owned; [states], [from * states + to] */
};

struct follower {
    const struct cor_test_model *model; /* borrowed */
    uint32_t arm_count;
    struct seen *seen; /* owned; [arm][environment] */
};

static enum cor_status interaction__follow_open(const void *interaction, void **follower,
                                                struct cor_error *error) {
    const struct cor_experiment *experiment = ((const struct cor_interaction *)interaction)->experiment;
    struct follower *made = *follower = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->model = experiment->model;
    made->arm_count = experiment->arm_count;
    made->seen = cor_calloc((size_t)made->arm_count * made->model->environment_count, sizeof *made->seen);
    return cor_made(made->seen, error);
}

static void interaction__follow_close(void *with) {
    struct follower *follower = with;
    if (!follower)
        return;
    for (size_t i = 0; follower->seen && i < (size_t)follower->arm_count * follower->model->environment_count;
         i++) {
        COR_FREE(follower->seen[i].state, follower->seen[i].arc);
    }
    COR_FREE(follower->seen, follower);
}

/* What is known of the profile of that number in the suite; NULL: it is drawn for each suite. */
static struct seen *seen_of(const struct follower *follower, uint32_t arm, struct cor_record *record,
                            uint16_t profile) {
    if (profile >= cor_record_size(record, COR_TABLE_PROFILES))
        return NULL;
    const struct cor_profile_row *row = cor_record_at(record, COR_TABLE_PROFILES, profile);
    if (row->environment >= follower->model->environment_count ||
        follower->model->environments[row->environment].is_random)
        return NULL;
    return &follower->seen[(size_t)arm * follower->model->environment_count + row->environment];
}

static void mark(bool *flag, uint32_t *count) {
    *count += !*flag;
    *flag = true;
}

static enum cor_status follow_suite(void *follower, uint32_t arm, struct cor_record *record,
                                    struct cor_detections *detections, struct cor_error *error) {
    /* Reorganizations lie by sequence. */
    uint32_t last = UINT32_MAX;
    detections->sequences = (uint32_t)cor_record_size(record, COR_TABLE_SEQUENCES);
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_REORGANIZATIONS); i++) {
        const struct cor_reorganization_row *row = cor_record_at(record, COR_TABLE_REORGANIZATIONS, i);
        if ((cor_is_detection(row->gray) || cor_is_detection(row->black)) && row->sequence != last) {
            detections->detected++;
            last = row->sequence;
        }
    }
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_CHAINS); i++) { /* others take no part */
        const struct cor_chain_row *chain = cor_record_at(record, COR_TABLE_CHAINS, i);
        struct seen *seen = seen_of(follower, arm, record, chain->profile);
        if (seen) {
            const struct cor_profile_row *row = cor_record_at(record, COR_TABLE_PROFILES, chain->profile);
            if (seen->states > 0)
                continue;
            seen->state = cor_calloc(row->states, sizeof *seen->state);
            seen->arc = cor_calloc((size_t)row->states * row->states, sizeof *seen->arc);
            COR_TRY(cor_made(seen->state, error));
            COR_TRY(cor_made(seen->arc, error));
            seen->states = row->states;
            seen->arcs = row->arcs;
        }
    }
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_VISITS); i++) {
        const struct cor_visit_row *visit = cor_record_at(record, COR_TABLE_VISITS, i);
        struct seen *seen = seen_of(follower, arm, record, visit->profile);
        if (seen && visit->count > 0 && visit->state < seen->states)
            mark(&seen->state[visit->state], &seen->states_seen);
    }
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_TRANSITIONS); i++) {
        const struct cor_transition_row *taken = cor_record_at(record, COR_TABLE_TRANSITIONS, i);
        struct seen *seen = seen_of(follower, arm, record, taken->profile);
        if (seen && taken->count > 0 && taken->probability > 0 && taken->from < seen->states &&
            taken->to < seen->states)
            mark(&seen->arc[(size_t)taken->from * seen->states + taken->to], &seen->arcs_seen);
    }
    return COR_OK;
}

static void follow_coverage(const void *with, uint32_t arm, double *states, double *transitions) {
    const struct follower *follower = with;
    *states = *transitions = NAN;
    COR_ASSERT(arm < follower->arm_count);
    for (uint32_t e = 0; e < follower->model->environment_count; e++) {
        const struct seen *seen = &follower->seen[(size_t)arm * follower->model->environment_count + e];
        if (seen->states == 0)
            continue;
        *states = fmin(*states, (double)seen->states_seen / seen->states);
        *transitions = fmin(*transitions, seen->arcs > 0 ? (double)seen->arcs_seen / seen->arcs : 1);
    }
}

/* Rows of one sequence, which lie together: where they begin, and how many. `sequence_in` is where a row says
 * which one it is of. */
static const void *rows_of(struct cor_record *record, enum cor_table table, size_t sequence_in,
                           uint32_t sequence, size_t *count) {
    const size_t size = cor_record_size(record, table);
    const unsigned char *first = NULL;
    *count = 0;
    for (size_t i = 0; i < size; i++) {
        const unsigned char *row = cor_record_at(record, table, i);
        uint16_t of;
        memcpy(&of, row + sequence_in, sizeof of);
        if (of > sequence)
            break;
        if (of == sequence && (*count)++ == 0)
            first = row;
    }
    return first;
}

/* What a sequence says of a property (layer.h). */
static enum cor_status follow_ask(struct cor_property *property, struct cor_record *record, uint32_t sequence,
                                  struct cor_property_value *value, struct cor_error *error) {
    struct cor_case_tables rows = {0};
#define ROWS_OF(TABLE, table)                                                                           \
    rows.table##s = rows_of(record, COR_TABLE_##TABLE##S, offsetof(struct cor_##table##_row, sequence), \
                            sequence, &rows.table##_count)
    ROWS_OF(CASE, case);
    ROWS_OF(REORGANIZATION, reorganization);
    ROWS_OF(VIOLATION, violation);
    ROWS_OF(CONSTRAINT, constraint);
    ROWS_OF(TICK, tick);
    ROWS_OF(SNAPSHOT, snapshot);
#undef ROWS_OF
    rows.has_text =
        cor_record_size(record, COR_TABLE_FORMULAS) > 0; /* there is one of each sequence at least */
    return cor_property_ask(property, &rows, value, error);
}

/* ---- what a suite of the interaction layer executes: its sequences in their order, then those that continue
 * some of them; and what a campaign is told of it. Before that: the question whether parameters can be drawn
 * at all */

#define NOTES_SIZE 65536
#define NOTE_SIZE 2048 /* of one arm */

/* Asking z3, in a child process, whether the parameters of each arm can be drawn at all. What comes back are
 * plain numbers: the tightened ranges, by which this process and its workers then draw. This is the answer
 * of the child: notes, then the ranges of all arms one after another. */
struct analysis {
    char notes[NOTES_SIZE];
    int64_t bounds[];
};

/* "arm, arm: text", once for all arms of which the same is said. */
static void add_note(char *notes, const struct cor_experiment *experiment, const char (*note)[NOTE_SIZE],
                     uint32_t arm) {
    for (uint32_t before = 0; before < arm; before++)
        if (strcmp(note[before], note[arm]) == 0)
            return;
    size_t used = strlen(notes);
    uint32_t same = 0;
    for (uint32_t a = arm; a < experiment->arm_count; a++) {
        if (strcmp(note[a], note[arm]) != 0 || used >= NOTES_SIZE)
            continue;
        snprintf(notes + used, NOTES_SIZE - used, "%s%s", same++ > 0 ? ", " : "", experiment->arms[a].name);
        used = strlen(notes);
    }
    if (same == experiment->arm_count)
        snprintf(notes, NOTES_SIZE, "all arms");
    used = strlen(notes);
    snprintf(notes + used, NOTES_SIZE - used, ": %s\n", note[arm]);
}

static enum cor_status analyse_all(void *argument, void *answer, size_t size, struct cor_error *error) {
    (void)size;
    const struct cor_experiment *experiment = argument;
    struct analysis *analysis = answer;
    int64_t *bounds = analysis->bounds;
    enum cor_status status = COR_OK;
    char(*note)[NOTE_SIZE] = cor_calloc(experiment->arm_count, sizeof *note);
    COR_TRY(cor_made(note, error));
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        struct cor_parameter_laws *laws = experiment->arms[a].laws;
        COR_TRY_OUT(cor_parameter_laws_analyse(laws, note[a], sizeof note[a], error));
        cor_parameter_laws_get_bounds(laws, bounds);
        bounds += 2 * (size_t)cor_parameter_laws_size(laws);
    }
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        if (note[a][0] != '\0')
            add_note(analysis->notes, experiment, (const char(*)[NOTE_SIZE])note, a);
out:
    free(note);
    return status;
}

enum cor_status cor_experiment_analyse(struct cor_experiment *experiment, char **notes,
                                       struct cor_error *error) {
    size_t count = 0;
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        count += 2 * (size_t)cor_parameter_laws_size(experiment->arms[a].laws);
    size_t size = sizeof(struct analysis) + count * sizeof(int64_t);
    COR_FREED struct analysis *analysis = cor_calloc(1, size);
    COR_TRY(cor_made(analysis, error));
    COR_TRY(cor_in_child(analyse_all, experiment, analysis, size, error));
    const int64_t *bounds = analysis->bounds;
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        cor_parameter_laws_set_bounds(experiment->arms[a].laws, bounds);
        bounds += 2 * (size_t)cor_parameter_laws_size(experiment->arms[a].laws);
    }
    COR_TRY(cor_experiment_combine(experiment, error));
    if (notes && !(*notes = cor_strdup(analysis->notes)))
        return cor_fail_memory(error);
    return COR_OK;
}

/* One worker's own. */
struct executor {
    const struct cor_interaction *interaction;
    struct cor_session **sessions;  /* owned; [arm]; made when first needed */
    struct cor_suite_counts counts; /* of the present suite: of answers asked for again alone */
    uint32_t *failures; /* owned; [sequence] of the present suite: case of the first failure, 0 = none */
};

/* One suite under way. */
struct suite_run {
    struct executor *executor;
    const struct cor_suite *suite;
    struct cor_runner *runner;
    struct cor_record *record;
    const struct cor_watch *watch;
};

static enum cor_status run_sequence(const struct suite_run *run, const struct cor_walk_definition *walk,
                                    struct cor_error *error) {
    COR_TRY(cor_sequence_begin(run->runner, walk, error));
    while (!cor_sequence_is_over(run->runner)) {
        if (cor_watch_stopped(run->watch))
            return COR_STATUS_INTERRUPTED;
        COR_TRY(cor_sequence_case(run->runner, error));
    }
    COR_TRY(cor_sequence_end(run->runner, error));
    cor_watch_show(run->watch, cor_record_size(run->record, COR_TABLE_CASES));
    return COR_OK;
}

static enum cor_status run_sequences(const struct suite_run *run, struct cor_error *error) {
    uint32_t count = run->suite->sequence_count, next = count;
    for (uint32_t s = 0; s < count; s++) {
        const struct cor_walk_definition walk = cor_suite_walk_definition(run->suite, s, NULL);
        COR_TRY(run_sequence(run, &walk, error));
        run->executor->failures[s] = cor_sequence_first_failure(run->runner);
    }
    for (uint32_t s = 0; s < count; s++)
        if (run->executor->failures[s] > 0) {
            /* The sequences that continue a failed one: where the experiment says, numbered on from *next. */
            const struct cor_branching *branching = &run->suite->experiment->branching;
            uint32_t failure = run->executor->failures[s];
            for (uint32_t b = 0; b < branching->back_count; b++) {
                struct cor_branch branch = {s,
                                            failure > branching->back[b] ? failure - branching->back[b] : 0};
                for (uint32_t i = 0; i < branching->continuations; i++, ++next) {
                    const struct cor_walk_definition walk =
                        cor_suite_walk_definition(run->suite, next, &branch);
                    COR_TRY(run_sequence(run, &walk, error));
                }
                if (branch.prefix == 0) /* the beginning: no further back to go */
                    break;
            }
        }
    return cor_runner_finish(run->runner, error);
}

/* Adds what the rows say. A case fails through whichever box. Reorganizations and violations stand in the
 * order of their cases. */
static struct cor_suite_counts tally_of(struct cor_record *record, struct cor_suite_counts tally) {
    size_t violation = 0;
    tally.cases = (uint32_t)cor_record_size(record, COR_TABLE_CASES);
    for (uint32_t i = 0; i < tally.cases; i++) {
        const struct cor_case_row *row = cor_record_at(record, COR_TABLE_CASES, i);
        bool failed =
            cor_is_detection(row->detect) || cor_is_detection(row->gray) || cor_is_detection(row->black);
        /* Something may be violated between two moves of the case, or in time with it. */
        for (; violation < cor_record_size(record, COR_TABLE_VIOLATIONS); violation++) {
            const struct cor_violation_row *other = cor_record_at(record, COR_TABLE_VIOLATIONS, violation);
            if (other->sequence != row->sequence || other->case_ != row->case_)
                break;
            failed = failed || other->box == COR_BOX_MOVE || other->box == COR_BOX_TIME;
        }
        if (row->reorganized) {
            const struct cor_reorganization_row *reorganization =
                cor_record_at(record, COR_TABLE_REORGANIZATIONS, tally.reorganizations++);
            failed = failed || cor_is_detection(reorganization->agreement);
        }
        tally.failures += failed;
    }
    return tally;
}

static enum cor_status execute_suite(struct executor *executor, const struct cor_suite *suite,
                                     const struct cor_watch *watch, struct cor_record *record,
                                     struct cor_error *error) {
    struct cor_session **session = &executor->sessions[suite->arm_index];
    if (!*session)
        COR_TRY(cor_session_create(&suite->arm->session, session, error));
    const struct cor_execution execution = {suite, *session, executor->interaction->log_solutions};
    struct suite_run run = {executor, suite, NULL, record, watch};
    double before, after;
    const uint64_t starts = cor_session_starts(*session, &before);
    COR_TRY(cor_runner_create(&execution, record, &run.runner, error));
    enum cor_status status = run_sequences(&run, error);
    executor->counts = (struct cor_suite_counts){0};
    cor_runner_count(run.runner, &executor->counts);
    cor_runner_destroy(run.runner);
    const uint64_t more = cor_session_starts(*session, &after) - starts;
    cor_watch_starts(watch, more, after - before);
    return status;
}

static enum cor_status execute(void *with, uint32_t arm, uint32_t index, const struct cor_watch *watch,
                               struct cor_record *record, struct cor_suite_counts *tally,
                               struct cor_error *error) {
    struct executor *executor = with;
    const struct cor_experiment *experiment = executor->interaction->experiment;
    const char *folder = executor->interaction->suite_folder;
    struct cor_suite *suite = NULL;
    COR_ASSERT(arm < experiment->arm_count);
    cor_experiment_watch(experiment, watch);
    COR_TRY(folder ? interaction__suite_folder_read(experiment, folder, arm, index, &suite, error)
                   : cor_suite_generate(experiment, arm, index, &suite, error));
    enum cor_status status = execute_suite(executor, suite, watch, record, error);
    cor_suite_destroy(suite);
    COR_TRY(status);
    *tally = tally_of(record, executor->counts);
    return COR_OK;
}

static void close_executor(void *with) {
    struct executor *executor = with;
    if (!executor)
        return;
    for (uint32_t a = 0; executor->sessions && a < executor->interaction->experiment->arm_count; a++)
        cor_session_destroy(executor->sessions[a]);
    COR_FREE(executor->sessions, executor->failures, executor);
}

static enum cor_status open_executor(const void *interaction, void **executor, struct cor_error *error) {
    struct executor *e = *executor = cor_calloc(1, sizeof *e);
    COR_TRY(cor_made(e, error));
    e->interaction = interaction;
    e->sessions = cor_calloc(e->interaction->experiment->arm_count, sizeof(struct cor_session *));
    e->failures = cor_calloc(e->interaction->experiment->sequence_count, sizeof *e->failures);
    return e->sessions && e->failures ? COR_OK : cor_fail_memory(error);
}

static enum cor_status list_all(const void *interaction, struct cor_catalogs *catalogs,
                                struct cor_error *error) {
    const struct cor_experiment *experiment = ((const struct cor_interaction *)interaction)->experiment;
    const struct cor_test_model *model = experiment->model;
    for (uint32_t i = 0; i < experiment->algorithm_count; i++) {
        const struct cor_algorithm *algorithm = experiment->algorithms[i];
        COR_TRY(
            cor_catalogs_add(catalogs, COR_CATALOG_ALGORITHM, algorithm->name, algorithm->summary, error));
        for (uint32_t f = 0; f < cor_algorithm_fault_count(algorithm); f++)
            COR_TRY(cor_catalogs_add(catalogs, COR_CATALOG_FAULT, algorithm->faults[f].name,
                                     algorithm->faults[f].meaning, error));
        for (uint32_t c = 0; c < cor_algorithm_counter_count(algorithm); c++)
            COR_TRY(cor_catalogs_add(catalogs, COR_CATALOG_COUNTER, algorithm->counters[c].name,
                                     algorithm->counters[c].meaning, error));
    }
    for (uint32_t i = 0; i < experiment->parameter_count; i++) {
        const char *name = experiment->parameter_names[i], *meaning = NULL;
        for (uint32_t a = 0; !meaning && a < experiment->algorithm_count; a++) {
            const int index = cor_algorithm_parameter(experiment->algorithms[a], name);
            meaning = index >= 0 ? experiment->algorithms[a]->parameters[index].meaning : NULL;
        }
        COR_TRY(cor_catalogs_add(catalogs, COR_CATALOG_PARAMETER, name,
                                 meaning ? meaning : "parameter of the test model", error));
    }
    for (uint32_t i = 0; i < model->type_count; i++)
        COR_TRY(cor_catalogs_add(catalogs, COR_CATALOG_AGENT_TYPE, model->types[i].name, "type of agents",
                                 error));
    for (uint32_t i = 0; i < model->environment_count; i++)
        COR_TRY(cor_catalogs_add(catalogs, COR_CATALOG_ENVIRONMENT, model->environments[i].name,
                                 model->environments[i].is_random ? "profile drawn for each suite"
                                 : i < model->perceived_count     ? "given profile"
                                                                  : "agents that come and go",
                                 error));
    const struct interaction__text *text = experiment->text_corridor;
    for (uint32_t c = 0; text && c < interaction__text_count(text); c++)
        COR_TRY(cor_catalogs_add(catalogs, COR_CATALOG_CONSTRAINT, interaction__text_name(text, c),
                                 interaction__text_sentence(text, c), error));
    for (uint32_t i = 0; i < model->attribute_count; i++)
        COR_TRY(cor_catalogs_add(catalogs, COR_CATALOG_ATTRIBUTE, model->attributes[i].name,
                                 model->attribute_texts[i], error));
    return COR_OK;
}

static void put_provenance(const void *with, struct cor_json_writer *writer) {
    const struct cor_interaction *interaction = with;
    const struct cor_experiment *experiment = interaction->experiment;
    cor_json_put_bool(writer, "suites_read", interaction->suite_folder != NULL);
    if (interaction->suite_folder)
        cor_json_put_word(writer, "suites", interaction->suites.fingerprint);
    if (interaction->suites.edited > 0)
        cor_json_put_string(writer, "suites_edited", interaction->suites.what);
    cor_json_put_bool(writer, "solutions_logged", interaction->log_solutions);
    cor_json_open_array(writer, "algorithms");
    for (uint32_t i = 0; i < experiment->algorithm_count; i++) {
        /* Who it is, what it was built against, and what it says it can. */
        const struct cor_algorithm *algorithm = experiment->algorithms[i];
        static const char *const capabilities[] = {"anytime", "keeps", "limits",
                                                   "covers",  "nests", "aims"}; /* by bit */
        char interface[32];
        const char *digest = cor_registry_digest(experiment->registry, algorithm);
        snprintf(interface, sizeof interface, "%u.%u", algorithm->major, algorithm->minor);
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "name", algorithm->name);
        cor_json_put_string(writer, "version", algorithm->version);
        cor_json_put_string(writer, "interface", interface);
        cor_json_open_array(writer, "capabilities");
        for (size_t bit = 0; bit < sizeof capabilities / sizeof *capabilities; bit++)
            if (algorithm->capabilities >> bit & 1)
                cor_json_put_string(writer, NULL, capabilities[bit]);
        if (algorithm->wake)
            cor_json_put_string(writer, NULL, "decentralized");
        cor_json_close(writer);
        cor_json_put_bool(writer, "program", cor_algorithm_is_program(algorithm));
        if (digest)
            cor_json_put_string(writer, "sha256", digest);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_arms_put_beside(experiment, experiment->arms, experiment->arm_count, writer);
}

static void destroy(void *with) {
    struct cor_interaction *interaction = with;
    if (interaction) {
        interaction->head.path = interaction->head.text = NULL; /* the experiment's */
        cor_experiment_head_fini(&interaction->head);
        cor_experiment_destroy(interaction->experiment);
        free(interaction->suites.what);
        cor_traffic_close(interaction->traffic);
    }
    free(interaction);
}

/* With branching the numbers of continued sequences, and so their rows, depend on how many there are. */
static const char *const free_members[] = {"suites",      "arms",      "presets", "name",       "stop",
                                           "description", "contrasts", "repeats", "properties", NULL};
static const char *const free_unless_branching[] = {"suites",     "arms",        "presets",   "name",
                                                    "stop",       "description", "contrasts", "repeats",
                                                    "properties", "sequences",   NULL};
static enum cor_status make_head(struct cor_interaction *interaction, struct cor_error *error) {
    const struct cor_experiment *experiment = interaction->experiment;
    struct cor_experiment_head *head = &interaction->head;
    const bool branching = experiment->branching.continuations > 0;
    *head = (struct cor_experiment_head){
        .path = experiment->path,
        .text = experiment->text,
        .seed = experiment->seed,
        .suite_count = experiment->suite_count,
        .resumable = cor_arms_are_known(experiment, experiment->arms, experiment->arm_count),
        .sequence_count = branching ? 0 : experiment->sequence_count,
        .free_members = branching ? free_members : free_unless_branching};
    COR_TRY(cor_experiment_head_arms(head, experiment->arm_count, error));
    for (uint32_t a = 0; a < head->arm_count; a++) {
        const struct cor_arm *arm = &experiment->arms[a];
        /* The arm as it stands in the file, and the preset that it names. */
        char *own = cor_json_text(&arm->json),
             *preset = arm->preset ? cor_json_text(&arm->preset_json) : cor_strdup("");
        head->arms[a] = (struct cor_arm_head){.name = arm->name,
                                              .description = arm->description,
                                              .fault = cor_algorithm_fault_name(arm->algorithm, arm->fault),
                                              .text = own && preset ? cor_format("%s%s", own, preset) : NULL};
        COR_FREE(own, preset);
        cor_arm_tell_code(experiment, arm, &head->arms[a]);
        COR_TRY(cor_made(head->arms[a].text, error));
    }
    return COR_OK;
}

static enum cor_status read_all(const char *path, struct cor_json_document *document,
                                const struct cor_layer_options *options, struct cor_interaction *interaction,
                                char **notes, char **warnings, struct cor_error *error) {
    enum cor_status status = cor_traffic_open(options->record_traffic, options->replay_traffic,
                                              options->replace, &interaction->traffic, error);
    if (status != COR_OK)
        cor_json_destroy(document);
    COR_TRY(status);
    const struct cor_experiment_options taken = {.algorithm = options->algorithm,
                                                 .traffic = interaction->traffic,
                                                 .agents_most = options->agents_most,
                                                 .cases_most = options->cases_most,
                                                 .budget_most = options->budget_most,
                                                 .isolation = {(enum cor_isolation)options->isolation,
                                                               options->fresh_processes, options->trust,
                                                               options->isolation_required}};
    COR_TRY(cor_experiment_take(path, document, &taken, &interaction->experiment, error));
    COR_TRY(cor_experiment_analyse(interaction->experiment, notes, error));
    /* What is odd in given profiles, a line each. */
    const struct cor_test_model *model = interaction->experiment->model;
    *warnings = cor_strdup("");
    for (uint32_t i = 0; *warnings && i < model->environment_count; i++) {
        const struct cor_environment *environment = &model->environments[i];
        char lines[4096];
        if (environment->is_random || cor_profile_warnings(environment->profile, lines, sizeof lines) == 0)
            continue;
        for (char *line = strtok(lines, "\n"); *warnings && line; line = strtok(NULL, "\n")) {
            char *before = *warnings;
            *warnings = cor_format("%senvironment \"%s\": %s\n", before, environment->name, line);
            free(before);
        }
    }
    COR_TRY(cor_made(*warnings, error));
    COR_TRY(interaction__monitors_say(interaction->experiment, warnings, error));
    COR_TRY(interaction__text_say_unbound(interaction->experiment, warnings, error));
    const struct cor_experiment *experiment = interaction->experiment;
    COR_TRY(cor_arms_look_at_isolation(path, experiment, experiment->arms, experiment->arm_count, warnings,
                                       error));
    if (!interaction->suite_folder || interaction->experiment->suite_count == 0)
        return COR_OK;
    COR_TRY(interaction__suite_folder_check(interaction->experiment, interaction->suite_folder,
                                            &interaction->suites, error));
    if (interaction->suites.edited == 0)
        return COR_OK;
    char *before = *warnings;
    *warnings = cor_format("%ssuites were edited by hand: %s\n", before, interaction->suites.what);
    free(before);
    return cor_made(*warnings, error);
}

static enum cor_status read(const char *path, struct cor_json_document *document,
                            const struct cor_layer_options *options, struct cor_experiment_head **experiment,
                            char **notes, char **warnings, struct cor_error *error) {
    struct cor_interaction *interaction = cor_calloc(1, sizeof *interaction);
    *experiment = NULL;
    if (!interaction) {
        cor_json_destroy(document);
        return cor_fail_memory(error);
    }
    interaction->suite_folder = options->suite_folder;
    interaction->log_solutions = options->log_solutions;
    enum cor_status status = read_all(path, document, options, interaction, notes, warnings, error);
    if (status == COR_OK)
        status = make_head(interaction, error);
    if (status == COR_OK)
        *experiment = &interaction->head;
    else
        destroy(interaction);
    return status;
}

static bool can_cover(const void *interaction) {
    const struct cor_test_model *model = ((const struct cor_interaction *)interaction)->experiment->model;
    for (uint32_t e = 0; e < model->environment_count; e++)
        if (!model->environments[e].is_random)
            return true;
    return false;
}

const struct cor_layer cor_interaction_layer = {
    .key = "corridor_experiment",
    .schema = &cor_interaction_schema,
    .runs = "reorganizations",
    .failures = "with a failed check",
    .read = read,
    .destroy = destroy,
    .open = open_executor,
    .execute = execute,
    .close = close_executor,
    .follow_open = interaction__follow_open,
    .follow = follow_suite,
    .coverage = follow_coverage,
    .follow_close = interaction__follow_close,
    .ask = follow_ask,
    .can_cover = can_cover,
    .list = list_all,
    .provenance = put_provenance,
};
