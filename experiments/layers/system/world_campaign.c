/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The world `campaign`: the simulator of self-organization as a running system. A test agent says what state
 * a chain goes to next, or lets all of them draw; each action is a test case. What happened is a test of its
 * own, as if it had stood in a campaign. */
#include "whole_page.h"

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/interaction.h>
#include <corridor/json_names.h>
#include <corridor/run.h>
#include <corridor/schema.h>
#include <corridor/state.h>
#include <corridor/test.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ATTRIBUTES_MAX (COR_WORLD_PROPERTIES_MAX - AGENT_FIRST)

/* ---- what a file says of it */

struct campaign {
    struct system_layer__world head;     /* first */
    struct cor_interaction *interaction; /* owned */
    const struct cor_layer_options *options;
    const char *arm_name;
    uint32_t arm, suite;
};

static void destroy_campaign(struct system_layer__world *world) {
    COR_FREED struct campaign *campaign = (struct campaign *)(void *)world;
    cor_interaction_layer.destroy(campaign->interaction);
}

/* The experiment of another file, or one that stands here. */
static enum cor_status read_campaign(const struct cor_json *json, void *into, struct cor_error *error) {
    struct campaign *campaign = into;
    struct cor_layer_options options = campaign->options ? *campaign->options : (struct cor_layer_options){0};
    struct cor_experiment_head *head = NULL;
    struct cor_json_document *document = NULL;
    COR_FREED char *path = NULL, *notes = NULL, *warnings = NULL;
    struct cor_json model;
    options.record_traffic = options.replay_traffic = NULL; /* of world programs */
    COR_TRY(cor_json_read_whole(json, &document, error));
    COR_TRY(cor_made(path = cor_strdup(cor_json_name(document)), error));
    const struct cor_json root = cor_json_root(document);
    if (!cor_json_find(&root, "corridor_experiment", &model)) {
        cor_json_destroy(document);
        COR_TRY(cor_json_fail(json, error, "a file with a member \"corridor_experiment\"",
                              "is no experiment with an algorithm"));
    }
    COR_TRY(cor_interaction_layer.read(path, document, &options, &head, &notes, &warnings, error));
    campaign->interaction = (struct cor_interaction *)(void *)head;
    return COR_OK;
}

static enum cor_status read_arm(const struct cor_json *json, void *into, struct cor_error *error) {
    struct campaign *campaign = into;
    const struct cor_experiment *experiment = campaign->interaction->experiment;
    COR_TRY(cor_json_string(json, &campaign->arm_name, error));
    COR_TRY(cor_json_find_name(
        json, COR_RECORD_NAMES(experiment->arms, experiment->arm_count, struct cor_arm, name),
        campaign->arm_name, &campaign->arm, error, "the campaign has no arm \"%s\"", campaign->arm_name));
    if (experiment->arms[campaign->arm].traps)
        return cor_json_fail(json, error, "take an arm without \"traps\"",
                             "the chains of arm \"%s\" are steered to traps already", campaign->arm_name);
    return COR_OK;
}

static enum cor_status read_suite(const struct cor_json *json, void *into, struct cor_error *error) {
    struct campaign *campaign = into;
    const uint32_t count = campaign->interaction->experiment->suite_count;
    return cor_json_count(json, 0, count > 0 ? count - 1 : 1000000000, &campaign->suite, error);
}

static const struct cor_field campaign_fields[] = {{"campaign", COR_REQUIRED, COR_READ_FIELD(read_campaign)},
                                                   {"arm", COR_REQUIRED, COR_READ_FIELD(read_arm)},
                                                   {"suite", COR_OPTIONAL, COR_READ_FIELD(read_suite)},
                                                   {0}};

static enum cor_status read_world(const struct cor_json *json, const struct cor_layer_options *options,
                                  struct system_layer__world **world, struct cor_error *error) {
    struct campaign *campaign = cor_calloc(1, sizeof *campaign);
    COR_TRY(cor_made(campaign, error));
    campaign->head.maker = &system_layer__campaign_maker;
    campaign->options = options;
    enum cor_status status = cor_json_fields(json, campaign_fields, campaign, error);
    if (status == COR_OK)
        status = cor_json_note_default_number(json, "suite", campaign->suite, error);
    campaign->options = NULL;
    if (status != COR_OK)
        destroy_campaign(&campaign->head);
    else
        *world = &campaign->head;
    return status;
}

static void put_world(const struct system_layer__world *world, struct cor_json_writer *writer) {
    const struct campaign *campaign = (const struct campaign *)(const void *)world;
    system_layer__put_text(writer, "campaign", campaign->interaction->experiment->text);
    cor_json_put_string(writer, "arm", campaign->arm_name);
    cor_json_put_integer(writer, "suite", campaign->suite);
}

/* ---- the world */

enum { TYPE_AGENT, TYPE_ORGANIZATION, TYPE_CHAIN, TYPE_MONITOR, TYPE_COUNT };
enum { AGENT_TYPE, AGENT_STATE, AGENT_VALUE, AGENT_CHAIN, AGENT_ORGANIZATION, AGENT_FIRST /* attribute */ };
enum { SIZE, CHAIN_STATE = 0, CHAIN_ENVIRONMENT, CHAIN_PLACE };
enum {
    ALARM,
    VALUE,
    THRESHOLD,
    REORGANIZED,
    FAILED,
    REACHED,
    HELD,
    ACTIVATED,
    CASES,
    OVER,
    REFUSED,
    MONITOR_PROPERTIES
};
enum { ACTION_SET = COR_ACTION_FIRST, ACTION_COUNT };

struct live {
    struct cor_live_world head;      /* first */
    const struct campaign *campaign; /* borrowed */
    struct cor_suite *suite;         /* owned, as the next */
    struct cor_session *session;
    struct cor_record *record;
    struct cor_runner *runner; /* NULL before the first reset */
    struct cor_state *seen;    /* a copy of the system, whose attributes are brought up to date; NULL: none */
    struct cor_walk drawn;     /* what the chains do of their own */
    struct cor_walk walk;      /* what they do; the source of the runner's walk copies it row by row */
    bool *is_moved;            /* owned; [chain]: it was set, and goes on from there by draws of its own */
    uint32_t executed;
    bool is_over, is_refused;
    uint64_t tick;

    struct cor_world_declaration declaration;
    struct cor_words words;
    struct cor_entity_type types[TYPE_COUNT];
    struct cor_world_property agent_properties[COR_WORLD_PROPERTIES_MAX];
    uint32_t attributes[COR_WORLD_PROPERTIES_MAX]; /* [property - AGENT_FIRST] */
    uint32_t attribute_count;
    struct cor_declared_entity *entities;     /* owned: the monitor, chains, agents */
    uint32_t *organizations;                  /* owned; words: [number], COR_NONE: not made yet */
    uint32_t *state_words;                    /* owned; words of the states of profiles */
    uint32_t *first_state;                    /* owned; [profile] among these */
    uint32_t *environment_words, *type_words; /* owned */
    struct system_layer__page page;           /* with room for all that is shown */
};

static const struct cor_domain integers = {.type = COR_VALUE_TYPE_INTEGER, .name = "int"};
static const struct cor_domain reals = {.type = COR_VALUE_TYPE_REAL, .name = "float"};
static const struct cor_domain truths = {.type = COR_VALUE_TYPE_BOOLEAN, .name = "bool"};
static const struct cor_domain texts = {.type = COR_VALUE_TYPE_STRING, .name = "string"};

/* The walk of the runner: what stands in that of the world, a case at a time. */
static enum cor_status begin_walk(struct cor_walk *walk, struct cor_error *error) {
    (void)error;
    if (walk->chain_count > 0)
        memcpy(walk->states, walk->definition.recorded->states, walk->chain_count);
    walk->known = 0;
    return COR_OK;
}

static enum cor_status next_case(struct cor_walk *walk, const struct cor_observation *observed,
                                 struct cor_error *error) {
    (void)observed;
    (void)error;
    walk->known++;
    if (walk->chain_count > 0)
        memcpy(walk->states + (size_t)walk->known * walk->chain_count,
               cor_walk_at(walk->definition.recorded, walk->known), walk->chain_count);
    return COR_OK;
}

static const struct cor_source source_directed = {
    .name = "directed", .meaning = "as a test agent says", .begin = begin_walk, .next = next_case};

static void close_live(struct cor_live_world *world) {
    COR_FREED struct live *live = (struct live *)(void *)world;
    cor_runner_destroy(live->runner);
    cor_state_destroy(live->seen);
    cor_record_destroy(live->record);
    cor_session_destroy(live->session);
    cor_walk_fini(&live->drawn);
    cor_walk_fini(&live->walk);
    cor_suite_destroy(live->suite);
    COR_FREE(live->is_moved, live->entities, live->organizations, live->state_words, live->first_state,
             live->environment_words, live->type_words);
    system_layer__page_fini(&live->page);
    cor_words_fini(&live->words);
}

/* ---- views */

static enum cor_status organization(struct live *live, uint32_t number, uint32_t *identity,
                                    struct cor_error *error) {
    if (live->organizations[number] == COR_NONE) {
        char name[32];
        snprintf(name, sizeof name, "o%u", number);
        COR_TRY(cor_words_intern(&live->words, name, &live->organizations[number], error));
    }
    *identity = live->organizations[number];
    return COR_OK;
}

static uint32_t chain_entity(const struct live *live, uint32_t chain) {
    return live->entities[1 + chain].identity;
}

static void show_monitor(struct live *live) {
    const struct cor_configuration *configuration = live->suite->configuration;
    const struct cor_reaction none = {0},
                              *reaction = live->executed > 0 ? cor_sequence_reaction(live->runner) : &none;
    system_layer__page_entity(&live->page, live->entities[0].identity, TYPE_MONITOR);
    system_layer__page_value(&live->page, ALARM, cor_integer(reaction->alarm));
    system_layer__page_value(&live->page, VALUE,
                             cor_real(live->executed > 0
                                          ? reaction->dissimilarity
                                          : cor_monitor_dissimilarity(cor_sequence_state(live->runner))));
    system_layer__page_value(&live->page, THRESHOLD, cor_real(configuration->threshold));
    system_layer__page_value(&live->page, REORGANIZED, cor_integer(reaction->reorganized));
    system_layer__page_value(&live->page, FAILED, cor_integer(reaction->failed));
    system_layer__page_value(&live->page, REACHED, cor_integer(reaction->reached));
    system_layer__page_value(&live->page, HELD, cor_integer(reaction->held));
    system_layer__page_value(&live->page, ACTIVATED, cor_integer(reaction->activated));
    system_layer__page_value(&live->page, CASES, cor_integer(live->executed));
    system_layer__page_value(&live->page, OVER, cor_integer(live->is_over));
    system_layer__page_value(&live->page, REFUSED, cor_integer(live->is_refused));
}

static struct cor_value attribute_value(const struct live *live, uint32_t attribute, double number) {
    switch (live->suite->configuration->attributes[attribute].type) {
    case COR_ATTRIBUTE_REAL:
        return cor_real(number);
    case COR_ATTRIBUTE_WORDS: /* the words of attributes are interned one behind the other */
        return cor_word(cor_words_find(&live->words,
                                       live->suite->configuration->attributes[attribute].words[(int)number]));
    default:
        return cor_integer((int64_t)number);
    }
}

/* All of the system: who sees it is its operator. */
static enum cor_status show(struct live *live, struct cor_world_view *view, struct cor_error *error) {
    const struct cor_state *state = cor_sequence_state(live->runner);
    const struct cor_configuration *configuration = live->suite->configuration;
    const struct cor_structure *structure = &state->structure;
    const double *const *columns = NULL;
    uint32_t identity;
    if (live->seen) {
        COR_TRY(cor_state_copy(live->seen, state, error));
        columns = cor_state_columns(live->seen);
    }
    system_layer__page_clear(&live->page);
    show_monitor(live);
    for (uint32_t chain = 0; chain < configuration->chain_count; chain++) {
        const uint16_t profile = configuration->profile_of_chain[chain];
        system_layer__page_entity(&live->page, chain_entity(live, chain), TYPE_CHAIN);
        system_layer__page_value(
            &live->page, CHAIN_STATE,
            cor_word(live->state_words[live->first_state[profile] + state->environment[chain]]));
        system_layer__page_value(&live->page, CHAIN_ENVIRONMENT, cor_word(live->environment_words[profile]));
        system_layer__page_value(&live->page, CHAIN_PLACE,
                                 cor_integer(configuration->location_of_chain[chain]));
    }
    for (uint32_t p = 0; p < structure->partition_count; p++) {
        COR_TRY(organization(live, p, &identity, error));
        system_layer__page_entity(&live->page, identity, TYPE_ORGANIZATION);
        system_layer__page_value(&live->page, SIZE, cor_integer(structure->size[p]));
    }
    for (uint32_t group = 0; group < configuration->group_count; group++)
        for (uint32_t agent = configuration->group_start[group];
             agent < configuration->group_start[group + 1]; agent++) {
            system_layer__page_entity(
                &live->page, live->entities[1 + configuration->chain_count + agent].identity, TYPE_AGENT);
            system_layer__page_value(&live->page, AGENT_TYPE,
                                     cor_word(live->type_words[configuration->type[agent]]));
            system_layer__page_value(&live->page, AGENT_STATE, cor_integer(state->agent_state[agent]));
            system_layer__page_value(&live->page, AGENT_VALUE, cor_real(state->value[agent]));
            system_layer__page_value(
                &live->page, AGENT_CHAIN,
                cor_word(chain_entity(
                    live, cor_configuration_chain(configuration, configuration->type[agent], group))));
            struct cor_value in = cor_null();
            if (structure->partition[agent] != COR_NOBODY) {
                COR_TRY(organization(live, structure->partition[agent], &identity, error));
                in = cor_word(identity);
            }
            system_layer__page_value(&live->page, AGENT_ORGANIZATION, in);
            for (uint32_t a = 0; a < live->attribute_count; a++) {
                const double number = columns[1 + live->attributes[a]][agent];
                /* A number that is none is not known. */
                if (number - number == 0)
                    system_layer__page_value(&live->page, AGENT_FIRST + a,
                                             attribute_value(live, live->attributes[a], number));
            }
        }
    *view = system_layer__page_view(&live->page, live->tick);
    return COR_OK;
}

/* ---- its functions */

static enum cor_status reset(struct cor_live_world *world, struct cor_world_view *view,
                             enum cor_system_trouble *trouble, struct cor_error *error) {
    struct live *live = (struct live *)(void *)world;
    const struct cor_execution execution = {live->suite, live->session, false};
    const uint32_t sequence = world->run % live->suite->sequence_count;
    *trouble = (enum cor_system_trouble)0;
    cor_runner_destroy(live->runner);
    live->runner = NULL;
    COR_TRY(cor_runner_create(&execution, live->record, &live->runner, error));
    cor_runner_observe(live->runner, true);
    COR_TRY(cor_suite_walk(live->suite, sequence, &live->drawn, error));
    COR_TRY(cor_walk_copy(&live->walk, &live->drawn, error));
    struct cor_walk_definition definition = cor_suite_walk_definition(live->suite, sequence, NULL);
    definition.source = &source_directed;
    definition.recorded = &live->walk;
    COR_TRY(cor_sequence_begin(live->runner, &definition, error));
    memset(live->is_moved, 0, live->walk.chain_count * sizeof *live->is_moved);
    live->executed = 0;
    live->tick = 0;
    live->is_over = cor_sequence_is_over(live->runner);
    live->is_refused = false;
    return show(live, view, error);
}

/* The chain and state of a command; false: the chain cannot go there. */
static bool find_move(const struct live *live, const struct cor_world_command *command, uint32_t *chain,
                      uint32_t *state) {
    const struct cor_configuration *configuration = live->suite->configuration;
    *chain = 0;
    while (*chain < configuration->chain_count &&
           (command->arguments[0].kind != COR_VALUE_WORD ||
            chain_entity(live, *chain) != command->arguments[0].as.word))
        ++*chain;
    if (*chain == configuration->chain_count || command->arguments[1].kind != COR_VALUE_WORD)
        return false;
    const uint16_t number = configuration->profile_of_chain[*chain];
    const struct cor_profile *profile = live->suite->profiles[number];
    const uint32_t from = cor_walk_at(&live->walk, live->executed)[*chain];
    for (*state = 0; *state < profile->state_count; ++*state)
        if (live->state_words[live->first_state[number] + *state] == command->arguments[1].as.word)
            return profile->probability[(size_t)from * profile->state_count + *state] > 0;
    return false;
}

static enum cor_status act(struct cor_live_world *world, uint32_t test_agent,
                           const struct cor_world_command *command, struct cor_world_view *view,
                           enum cor_system_trouble *trouble, struct cor_error *error) {
    struct live *live = (struct live *)(void *)world;
    uint32_t chain = COR_NONE, state = 0;
    (void)test_agent;
    *trouble = (enum cor_system_trouble)0;
    if (command->action == COR_ACTION_LOOK)
        return show(live, view, error);
    live->tick++;
    live->is_refused = command->action == ACTION_SET && !find_move(live, command, &chain, &state);
    if (live->is_refused)
        chain = COR_NONE;
    if (!live->is_over) {
        /* What the chains do in the next case: what they draw, but for the one that is set to `state`. */
        const struct cor_configuration *configuration = live->suite->configuration;
        const uint32_t number = live->executed + 1;
        const uint8_t *before = cor_walk_at(&live->walk, live->executed);
        uint8_t *now = live->walk.states + (size_t)number * live->walk.chain_count;
        for (uint32_t moved = 0; moved < live->walk.chain_count; moved++) {
            const struct cor_profile *profile = live->suite->profiles[configuration->profile_of_chain[moved]];
            if (moved == chain) {
                live->is_moved[moved] = true;
                now[moved] = (uint8_t)state;
            } else if (live->is_moved[moved]) {
                struct cor_stream_name name = live->walk.definition.name;
                name.identity =
                    number; /* a stream for each case, so that it does not depend on when it was set */
                name.entity = moved;
                name.purpose = COR_PURPOSE_WALK;
                struct cor_rng rng = cor_rng_named(&name);
                now[moved] = cor_profile_next(profile, before[moved], (uint32_t)cor_rng_word(&rng));
            }
        }
        COR_TRY(cor_sequence_case(live->runner, error));
        live->executed++;
        live->is_over = cor_sequence_is_over(live->runner);
    }
    return show(live, view, error);
}

static const struct cor_live_world_kind kind = {"campaign", reset, act, close_live};

/* The first column in which two rows of cases differ; NULL: in none. */
static const struct cor_column *differing_column(const unsigned char *a, const unsigned char *b) {
    const struct cor_table_schema *schema = &cor_interaction_schema.tables[COR_TABLE_CASES];
    for (uint32_t c = 0; c < schema->column_count; c++) {
        const struct cor_column *column = &schema->columns[c];
        /* Keys name the suite and the sequence in a campaign, and of a test there is one. */
        if (strcmp(column->name, "arm") != 0 && strcmp(column->name, "suite") != 0 &&
            strcmp(column->name, "sequence") != 0 &&
            memcmp(a + column->offset, b + column->offset, cor_type_size(column->type)) != 0)
            return column;
    }
    return NULL;
}

/* Where the cases of what happened and of its test part, in words. */
static enum cor_status compare_cases(const struct live *live, struct cor_record *again, char **parts,
                                     struct cor_error *error) {
    const size_t count = cor_record_size(live->record, COR_TABLE_CASES),
                 count_again = cor_record_size(again, COR_TABLE_CASES);
    *parts = NULL;
    for (size_t i = 0; i < count && i < count_again; i++) {
        const struct cor_column *column = differing_column(cor_record_at(live->record, COR_TABLE_CASES, i),
                                                           cor_record_at(again, COR_TABLE_CASES, i));
        if (column)
            return cor_made(*parts = cor_format("in case %zu \"%s\" is another one", i + 1, column->name),
                            error);
    }
    return count == count_again
               ? COR_OK
               : cor_made(*parts = cor_format("it has %zu cases, and the test that was kept %zu", count,
                                              count_again),
                          error);
}

enum cor_status system_layer__campaign_test(const struct cor_live_world *world, char **text, char **parts,
                                            struct cor_error *error) {
    const struct live *live = (const struct live *)(const void *)world;
    COR_DESTROYED(cor_test) struct cor_test *test = NULL;
    COR_DESTROYED(cor_tester) struct cor_tester *tester = NULL;
    COR_FINISHED(cor_walk) struct cor_walk walk = {0};
    *text = *parts = NULL;
    COR_ASSERT(world->kind == &kind);
    cor_walk_init(&walk);
    if (live->executed == 0)
        return cor_fail(error, COR_STATUS_INPUT, live->campaign->arm_name, "let a case pass",
                        "no case was executed");
    COR_TRY(cor_walk_copy(&walk, &live->walk, error));
    walk.case_count = walk.known = live->executed;
    COR_TRY(cor_test_of_sequence(live->suite, world->run % live->suite->sequence_count, NULL, &walk, &test,
                                 error));
    COR_TRY(cor_tester_create(&tester, error));
    COR_TRY(cor_tester_execute(tester, test, 0, &test->expected, error));
    COR_TRY(compare_cases(live, cor_tester_record(tester), parts, error));
    return cor_test_text(test, text, error);
}

/* ---- its declaration */

static const struct cor_domain *domain_of(enum cor_attribute_type type) {
    return type == COR_ATTRIBUTE_REAL      ? &reals
           : type == COR_ATTRIBUTE_INTEGER ? &integers
           : type == COR_ATTRIBUTE_BOOLEAN ? &truths
                                           : &texts;
}

static enum cor_status declare_types(struct live *live, struct cor_error *error) {
    static const struct cor_world_property
        organization_properties[] = {{"size", &integers, COR_NONE}},
        chain_properties[] = {{"state", &texts, COR_NONE},
                              {"environment", &texts, COR_NONE},
                              {"place", &integers, COR_NONE}},
        monitor_properties[MONITOR_PROPERTIES] = {
            [ALARM] = {"alarm", &truths, COR_NONE},        [VALUE] = {"value", &reals, COR_NONE},
            [THRESHOLD] = {"threshold", &reals, COR_NONE}, [REORGANIZED] = {"reorganized", &truths, COR_NONE},
            [FAILED] = {"failed", &truths, COR_NONE},      [REACHED] = {"reached", &integers, COR_NONE},
            [HELD] = {"held", &integers, COR_NONE},        [ACTIVATED] = {"activated", &integers, COR_NONE},
            [CASES] = {"cases", &integers, COR_NONE},      [OVER] = {"over", &truths, COR_NONE},
            [REFUSED] = {"refused", &truths, COR_NONE}};
    const struct cor_configuration *configuration = live->suite->configuration;
    struct cor_world_property *properties = live->agent_properties;
    properties[AGENT_TYPE] = (struct cor_world_property){"type", &texts, COR_NONE};
    properties[AGENT_STATE] = (struct cor_world_property){"state", &integers, COR_NONE};
    properties[AGENT_VALUE] = (struct cor_world_property){"value", &reals, COR_NONE};
    properties[AGENT_CHAIN] = (struct cor_world_property){"chain", NULL, TYPE_CHAIN};
    properties[AGENT_ORGANIZATION] = (struct cor_world_property){"organization", NULL, TYPE_ORGANIZATION};
    for (uint32_t a = 0; a < configuration->attribute_count && live->attribute_count < ATTRIBUTES_MAX; a++) {
        const struct cor_agent_attribute *attribute = &configuration->attributes[a];
        for (uint32_t w = 0; attribute->type == COR_ATTRIBUTE_WORDS && w < attribute->word_count; w++) {
            uint32_t word;
            COR_TRY(cor_words_intern(&live->words, attribute->words[w], &word, error));
        }
        properties[AGENT_FIRST + live->attribute_count] =
            (struct cor_world_property){attribute->name, domain_of(attribute->type), COR_NONE};
        live->attributes[live->attribute_count++] = a;
    }
    live->types[TYPE_AGENT] =
        (struct cor_entity_type){"agent", properties, AGENT_FIRST + live->attribute_count, COR_NONE};
    live->types[TYPE_ORGANIZATION] =
        (struct cor_entity_type){"organization", organization_properties, 1, COR_NONE};
    live->types[TYPE_CHAIN] = (struct cor_entity_type){"chain", chain_properties, 3, COR_NONE};
    live->types[TYPE_MONITOR] =
        (struct cor_entity_type){"monitor", monitor_properties, MONITOR_PROPERTIES, COR_NONE};
    return COR_OK;
}

static enum cor_status declare_entity(struct live *live, char letter, uint32_t number, uint32_t type,
                                      struct cor_error *error) {
    struct cor_declared_entity *entity = &live->entities[live->declaration.entity_count++];
    char name[32];
    snprintf(name, sizeof name, "%c%u", letter, number);
    entity->type = type;
    return cor_words_intern(&live->words, type == TYPE_MONITOR ? "monitor" : name, &entity->identity, error);
}

static enum cor_status declare_entities(struct live *live, struct cor_error *error) {
    const struct cor_configuration *configuration = live->suite->configuration;
    const uint32_t agents = configuration->agent_count, chains = configuration->chain_count;
    const size_t most = (size_t)2 * agents + chains + 1;
    live->entities = cor_calloc((size_t)agents + chains + 1, sizeof *live->entities);
    live->organizations = cor_calloc((size_t)agents + 1, sizeof *live->organizations);
    live->is_moved = cor_calloc((size_t)chains + 1, sizeof *live->is_moved);
    if (!live->entities || !live->organizations || !live->is_moved)
        return cor_fail_memory(error);
    COR_TRY(system_layer__page_reserve(&live->page, most,
                                       (size_t)agents * (AGENT_FIRST + live->attribute_count + 1) +
                                           (size_t)chains * 3 + MONITOR_PROPERTIES,
                                       error));
    memset(live->organizations, 0xff, ((size_t)agents + 1) * sizeof *live->organizations);
    COR_TRY(declare_entity(live, 'm', 0, TYPE_MONITOR, error));
    for (uint32_t c = 0; c < chains; c++)
        COR_TRY(declare_entity(live, 'c', c, TYPE_CHAIN, error));
    for (uint32_t a = 0; a < agents; a++)
        COR_TRY(declare_entity(live, 'a', a, TYPE_AGENT, error));
    return COR_OK;
}

static const struct cor_action_parameter set_parameters[] = {{"chain", NULL}, {"state", &texts}};
static const struct cor_action actions[ACTION_COUNT] = {[COR_ACTION_WAIT] = {"wait", NULL, 0},
                                                        [COR_ACTION_LOOK] = {"look", NULL, 0},
                                                        [ACTION_SET] = {"set", set_parameters, 2}};

static enum cor_status check_suite(const struct live *live, const struct system_layer__world_request *request,
                                   struct cor_error *error) {
    const char *arm = live->campaign->arm_name;
    if (live->suite->configuration->kind != COR_STRUCTURE_PARTITIONING)
        return cor_fail(error, COR_STATUS_INPUT, arm, "take an arm with partitionings",
                        "only partitionings are shown, and the structures of this arm are others");
    if (live->suite->configuration->presence_chain)
        return cor_fail(error, COR_STATUS_INPUT, arm, "take a model whose agents are always there",
                        "agents come and go, which test agents are not shown");
    if ((size_t)2 * live->suite->configuration->agent_count + live->suite->configuration->chain_count + 1 >
        COR_WORLD_ENTITIES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, arm, "take another suite",
                        "the suite has more agents than a world can show (%u)", COR_WORLD_ENTITIES_MAX);
    if (request->experiment && request->experiment->runs > live->suite->sequence_count)
        return cor_fail(error, COR_STATUS_INPUT, arm, "each run is a sequence of the suite",
                        "there are %u \"runs\", and the suite has %u sequences", request->experiment->runs,
                        live->suite->sequence_count);
    return COR_OK;
}

static enum cor_status create_live(const struct system_layer__world *world,
                                   const struct system_layer__world_request *request,
                                   struct cor_live_world **made, struct cor_error *error) {
    const struct campaign *campaign = (const struct campaign *)(const void *)world;
    const struct cor_experiment *experiment = campaign->interaction->experiment;
    struct live *live = cor_calloc(1, sizeof *live);
    enum cor_status status;
    *made = NULL;
    COR_TRY(cor_made(live, error));
    live->head = (struct cor_live_world){.kind = &kind, .declaration = &live->declaration};
    live->campaign = campaign;
    cor_words_init(&live->words);
    cor_walk_init(&live->drawn);
    cor_walk_init(&live->walk);
    COR_TRY_OUT(cor_suite_generate(experiment, campaign->arm, campaign->suite, &live->suite, error));
    COR_TRY_OUT(check_suite(live, request, error));
    COR_TRY_OUT(cor_session_create(&live->suite->arm->session, &live->session, error));
    COR_TRY_OUT(cor_record_create(&cor_interaction_schema, &live->record, error));
    if (live->suite->configuration->attribute_count > 0)
        COR_TRY_OUT(cor_state_create(live->suite->configuration, &live->seen, error));
    /* The words of profiles, environments and types. */
    const struct cor_configuration *configuration = live->suite->configuration;
    const struct cor_test_model *model = experiment->model;
    size_t states = 0;
    live->first_state = cor_calloc(configuration->profile_count, sizeof *live->first_state);
    live->environment_words = cor_calloc(configuration->profile_count, sizeof *live->environment_words);
    live->type_words = cor_calloc(configuration->type_count, sizeof *live->type_words);
    for (uint32_t p = 0; p < configuration->profile_count; p++)
        states += live->suite->profiles[p]->state_count;
    live->state_words = cor_calloc(states, sizeof *live->state_words);
    if (!live->first_state || !live->environment_words || !live->type_words || !live->state_words)
        COR_TRY_OUT(cor_fail_memory(error));
    uint32_t *word = live->state_words;
    for (uint32_t p = 0; p < configuration->profile_count; p++) {
        const struct cor_profile *profile = live->suite->profiles[p];
        live->first_state[p] = (uint32_t)(word - live->state_words);
        COR_TRY_OUT(cor_words_intern(&live->words,
                                     model->environments[live->suite->environment_of_profile[p]].name,
                                     &live->environment_words[p], error));
        for (uint32_t s = 0; s < profile->state_count; s++)
            COR_TRY_OUT(cor_words_intern(&live->words, profile->states[s], word++, error));
    }
    for (uint32_t t = 0; t < configuration->type_count; t++)
        COR_TRY_OUT(cor_words_intern(&live->words, model->types[t].name, &live->type_words[t], error));
    COR_TRY_OUT(declare_types(live, error));
    COR_TRY_OUT(declare_entities(live, error));
    live->declaration.name = "campaign";
    live->declaration.version = "1";
    live->declaration.types = live->types;
    live->declaration.type_count = TYPE_COUNT;
    live->declaration.actions = actions;
    live->declaration.action_count = ACTION_COUNT;
    live->declaration.entities = live->entities;
    live->declaration.words = &live->words;
    live->declaration.step = COR_NONE;
    *made = &live->head;
    live = NULL;
out:
    if (live)
        close_live(&live->head);
    return status;
}

const struct system_layer__world_maker system_layer__campaign_maker = {.key = "campaign",
                                                                       .read = read_world,
                                                                       .put = put_world,
                                                                       .create = create_live,
                                                                       .destroy = destroy_campaign};
