/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Test files: what test agents do in a world, a command a line, with all that it takes to do it again. An
 * experiment with one arm (corridor/subject_file.h), and beside its members
 *   "system_test": {"suite": 0, "expected": "assert d1.open", "cycle": 7, "goal": {..}, "agent": "t", ..}
 * (of a goal that failed, and of what came when the test ended: "commands": 3, "setups": 1, too)
 *   "schedule": [["setup", {"do": ..}], ["do", {"do": "press", "on": "b1", "agent": "t"}], ..] */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/hash.h>
#include <corridor/subject_file.h>
#include <corridor/system_terms.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEDULE_MOST COR_SYSTEM_TURNS_MAX

static const char *const kinds[] = {"setup", "do", "about", "judged", NULL};

/* ---- what is read */

struct reading {
    uint32_t suite, cycle, commands, setups; /* cycle, commands: COR_NONE: not said */
    const char *expected, *agent;
    struct cor_json expected_at, agent_at;
    struct system_layer__script *script;
};

static enum cor_status read_expected(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    reading->expected_at = *json;
    return cor_json_string(json, &reading->expected, error);
}

static enum cor_status read_agent(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    reading->agent_at = *json;
    return cor_json_string(json, &reading->agent, error);
}

static enum cor_status read_mark(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_word(json, &((struct reading *)into)->script->mark, error);
}

static enum cor_status read_whole(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_bool(json, &((struct reading *)into)->script->is_whole, error);
}

static enum cor_status read_sound(const struct cor_json *json, void *into, struct cor_error *error) {
    struct system_layer__script *script = ((struct reading *)into)->script;
    script->compares = true;
    return system_layer__world_read(json, NULL, &script->unchanged, error);
}

/* {"goal": ..}, as a document of its own. */
static enum cor_status read_goal(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    char place[512], *goal = cor_json_text(json), *text = goal ? cor_format("{\"goal\": %s}", goal) : NULL;
    free(goal);
    COR_TRY(cor_made(text, error));
    cor_json_place(json->parent, place, sizeof place);
    const enum cor_status status = cor_json_parse(text, place, &reading->script->goal, error);
    free(text);
    return status;
}

static const struct cor_field fields[] = {
    {"suite", COR_REQUIRED, COR_INTEGER_FIELD(struct reading, suite, 0, UINT32_MAX - 1)},
    {"expected", COR_REQUIRED, COR_READ_FIELD(read_expected)},
    {"cycle", COR_OPTIONAL, COR_INTEGER_FIELD(struct reading, cycle, 0, COR_SYSTEM_CYCLES_MAX)},
    {"commands", COR_OPTIONAL, COR_INTEGER_FIELD(struct reading, commands, 0, SCHEDULE_MOST)},
    {"setups", COR_OPTIONAL, COR_INTEGER_FIELD(struct reading, setups, 0, SCHEDULE_MOST)},
    {"goal", COR_OPTIONAL, COR_READ_FIELD(read_goal)},
    {"agent", COR_OPTIONAL, COR_READ_FIELD(read_agent)},
    {"whole", COR_OPTIONAL, COR_READ_FIELD(read_whole)},
    {"sound", COR_OPTIONAL, COR_READ_FIELD(read_sound)},
    {"world", COR_OPTIONAL, COR_READ_FIELD(read_mark)},
    {0}};

/* How far the text goes on behind this word and a blank; NULL: it does not begin so. */
static const char *behind(const char *text, const char *word) {
    const size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && text[length] == ' ' ? text + length + 1 : NULL;
}

/* Could a test of the experiment fail by that? */
static bool is_failure(const struct cor_system_experiment *experiment, const struct cor_system_test *test,
                       const char *text) {
    static const char *const ends[] = {"failed:", "is stalled:", "is unreachable:"};
    const struct cor_words *checks = &experiment->names[COR_SYSTEM_NAMES_CHECK];
    const char *rest = behind(text, "the world");
    for (int t = 1; rest && t < COR_SYSTEM_CODES; t++)
        if (strcmp(rest, cor_term_word(COR_FAMILY_SYSTEM, t)) == 0)
            return true;
    rest = behind(text, "goal of");
    for (uint32_t a = 0; rest && a < test->agent_count; a++)
        for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
            const char *end = behind(rest, test->agents[a]);
            if (end && strncmp(end, ends[e], strlen(ends[e])) == 0)
                return true;
        }
    for (int j = 1; j < COR_JUDGE_CODES; j++) {
        rest = behind(text, cor_term_word(COR_FAMILY_JUDGE, j));
        for (uint32_t w = 0; rest && w < checks->count; w++) {
            const char *name = cor_words_text(checks, w);
            const size_t length = strlen(name);
            if (strncmp(rest, name, length) == 0 &&
                (rest[length] == '\0' || strcmp(rest + length, SYSTEM_LAYER__IN_THE_END) == 0))
                return true;
        }
    }
    return false;
}

/* ["do", {"do": "press", "on": "b1", "agent": "t"}] */
static enum cor_status read_step(const struct cor_json *json, struct system_layer__step *step,
                                 struct cor_error *error) {
    int kind;
    COR_TRY(cor_json_expect_array(json, 2, 2, error));
    const struct cor_json first = cor_json_at(json, 0), command = cor_json_at(json, 1);
    COR_TRY(cor_json_one_of(&first, kinds, "command", &kind, error));
    *step = (struct system_layer__step){.cell = {COR_NONE, 0, 0},
                                        .kind = kind == 0 ? SYSTEM_LAYER__SETUP : SYSTEM_LAYER__DO,
                                        .need = (uint8_t)(kind == 0 ? 0 : kind - 1)};
    char place[512], *text;
    COR_TRY(cor_json_expect_object(&command, NULL, error));
    COR_TRY(cor_made(text = cor_json_text(&command), error));
    cor_json_place(&command, place, sizeof place);
    const enum cor_status status = cor_json_parse(text, place, &step->command, error);
    free(text);
    return status;
}

static enum cor_status read_schedule(const struct cor_json *json, struct system_layer__script *script,
                                     struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, SCHEDULE_MOST, error));
    script->steps = cor_calloc(cor_json_size(json) + 1, sizeof *script->steps);
    COR_TRY(cor_made(script->steps, error));
    for (size_t c = 0; c < cor_json_size(json); c++) {
        const struct cor_json item = cor_json_at(json, c);
        COR_TRY(read_step(&item, &script->steps[script->count++], error));
    }
    return COR_OK;
}

/* Whose command it is: of the first test agent, if it does not say. */
static uint32_t actor_of(const struct system_layer__step *step, const struct cor_system_test *test) {
    const struct cor_json command = cor_json_root(step->command);
    struct cor_json member;
    const char *name = test->agents[0];
    uint32_t actor = 0;
    if (cor_json_find(&command, "agent", &member) && cor_json_string(&member, &name, NULL) != COR_OK)
        return 0;
    while (actor + 1 < test->agent_count && strcmp(test->agents[actor], name) != 0)
        actor++;
    return actor;
}

/* Commands that set the world up come first; an assert is about one, and is judged with the last of its test
 * agent. */
static enum cor_status check_order(const struct reading *reading, const struct cor_json *schedule,
                                   const struct cor_system_test *test, struct cor_error *error) {
    const struct system_layer__script *script = reading->script;
    const bool is_assert =
        behind(reading->expected, cor_term_word(COR_FAMILY_JUDGE, COR_JUDGE_ASSERT)) != NULL;
    const struct system_layer__step *needed = NULL;
    for (uint32_t s = 0; s < script->count; s++) {
        struct system_layer__step *step = &script->steps[s];
        const struct cor_json item = cor_json_at(schedule, s);
        step->actor = actor_of(step, test);
        if (step->kind == SYSTEM_LAYER__SETUP && s > 0 && script->steps[s - 1].kind != SYSTEM_LAYER__SETUP)
            return cor_json_fail(&item, error, "put it before all others",
                                 "the world is set up before test agents do anything");
        if (needed && needed->need == SYSTEM_LAYER__JUDGED && needed->actor == step->actor)
            return cor_json_fail(&item, error, "\"about\" in the place of \"judged\", or leave this one out",
                                 "behind the command that is judged its test agent does another");
        if (step->need == SYSTEM_LAYER__PLAIN)
            continue;
        if (!is_assert || needed)
            return cor_json_fail(&item, error, "[\"do\", ..]",
                                 is_assert ? "an assert is about one command"
                                           : "only an assert is about a command");
        needed = step;
    }
    return COR_OK;
}

/* What comes in no cycle of its own comes behind so many commands: a goal may end sooner, or never. */
static bool counts_commands(const char *expected, uint64_t cycle) {
    return strcmp(expected, COR_NO_FAILURE) != 0 && (cycle == 0 || behind(expected, "goal of"));
}

/* With less done, that nothing fails says nothing. */
static enum cor_status check_done(const struct reading *reading, struct cor_error *error) {
    if (strcmp(reading->expected, COR_NO_FAILURE) != 0 && reading->cycle == COR_NONE)
        return cor_json_fail(&reading->expected_at, error, "\"cycle\": NUMBER beside it",
                             "it is not said when \"%.80s\" comes", reading->expected);
    return counts_commands(reading->expected, reading->cycle) && reading->commands == COR_NONE
               ? cor_json_fail(&reading->expected_at, error, "\"commands\": NUMBER beside it",
                               "it is not said behind how many commands \"%.80s\" comes", reading->expected)
               : COR_OK;
}

/* Somebody has the goal; an assert, and a goal that failed, need one. */
static enum cor_status check_goal(const struct reading *reading, const struct cor_system_test *test,
                                  struct cor_error *error) {
    const struct system_layer__script *script = reading->script;
    uint32_t a = 0;
    while (script->actor && a < test->agent_count && strcmp(test->agents[a], script->actor) != 0)
        a++;
    if (script->actor && a == test->agent_count)
        return cor_json_fail(&reading->agent_at, error, "one of \"agents\"",
                             "there is no test agent \"%.80s\"", script->actor);
    if (!script->goal && (behind(script->expected, "goal of") || behind(script->expected, "assert")))
        return cor_json_fail(&reading->expected_at, error, "\"goal\" and \"agent\" beside it",
                             "\"%.80s\" is said of a goal, and there is none", script->expected);
    return COR_OK;
}

enum cor_status system_layer__test_read(const char *text, const char *path,
                                        const struct cor_layer_options *options,
                                        struct cor_subject_test *test, struct cor_error *error) {
    struct system_layer__script *script = cor_calloc(1, sizeof *script);
    struct reading reading = {.script = script, .cycle = COR_NONE, .commands = COR_NONE};
    struct cor_subject_file file = {0};
    struct cor_system_experiment *experiment = NULL;
    enum cor_status status = COR_OK;
    *test = (struct cor_subject_test){0};
    COR_TRY_OUT(cor_made(script, error));
    COR_TRY_OUT(cor_subject_file_read(text, path, COR_KIND_SYSTEM_TEST, &file, error));
    COR_TRY_OUT(cor_json_fields(&file.own, fields, &reading, error));
    COR_TRY_OUT(cor_made(script->expected = cor_strdup(reading.expected), error));
    if (reading.agent)
        COR_TRY_OUT(cor_made(script->actor = cor_strdup(reading.agent), error));
    script->setups = reading.setups;
    script->commands = reading.commands;
    if (!script->goal != !script->actor)
        COR_TRY_OUT(cor_json_fail(&file.own, error, "\"goal\" and \"agent\", or neither",
                                  script->goal ? "has a goal, and no test agent for it"
                                               : "has a test agent, and no goal for it"));
    COR_TRY_OUT(read_schedule(&file.schedule, script, error));
    status = system_layer__experiment_parse(file.experiment, path, options, script, reading.suite,
                                            &experiment, error);
    script = NULL; /* it is the experiment's */
    COR_TRY_OUT(status);
    COR_TRY_OUT(cor_subject_file_check_arms(&file, &experiment->head, error));
    const struct cor_system_test *of =
        &experiment->tests[experiment->entries[reading.suite % experiment->entry_count].test];
    COR_TRY_OUT(check_goal(&reading, of, error));
    if (strcmp(reading.expected, COR_NO_FAILURE) != 0 && !is_failure(experiment, of, reading.expected))
        COR_TRY_OUT(cor_json_fail(&reading.expected_at, error,
                                  "\"JUDGE CHECK\", as \"assert d1.open\", \"the world died\", "
                                  "\"goal of TEST_AGENT failed: WHY\", or \"" COR_NO_FAILURE "\"",
                                  "\"%.80s\" is nothing that this test could fail by", reading.expected));
    COR_TRY_OUT(check_done(&reading, error));
    COR_TRY_OUT(check_order(&reading, &file.schedule, of, error));
    if (options)
        COR_TRY_OUT(
            system_layer__guests_look(experiment, options->isolation_required, &test->warnings, error));
    *test = (struct cor_subject_test){.experiment = &experiment->head,
                                      .suite = reading.suite,
                                      .scene = experiment->script,
                                      .expected = experiment->script->expected,
                                      .at = reading.cycle == COR_NONE ? 0 : reading.cycle,
                                      .warnings = test->warnings};
    COR_TRY_OUT(system_layer__choices(test, NULL, error));
out:
    cor_subject_file_fini(&file);
    system_layer__script_destroy(script);
    if (status != COR_OK) {
        cor_choices_fini(&test->choices);
        test->experiment = NULL;
        cor_system_experiment_destroy(experiment);
    }
    return status;
}

/* ---- what is written */

static bool has_things(const struct cor_subject_test *test) {
    return system_layer__has_things((const void *)test->experiment, test->scene);
}

/* As it is written: with the arm's change, and without the things that are gone, if it can be so. */
static const struct system_layer__world *world_of(const struct cor_subject_test *test) {
    const struct system_layer__script *script = test->scene;
    const struct cor_system_experiment *experiment = (const void *)test->experiment;
    return script->gone                                              ? script->smaller
           : has_things(test) && experiment->arms[test->arm].changed ? experiment->arms[test->arm].changed
                                                                     : experiment->world;
}

static void put_world(const struct system_layer__world *world, const char *key,
                      struct cor_json_writer *writer) {
    cor_json_open_object(writer, key);
    world->maker->put(world, writer);
    cor_json_close(writer);
}

enum cor_status system_layer__mark(const struct cor_subject_test *test, uint64_t *mark,
                                   struct cor_error *error) {
    const struct cor_system_experiment *experiment = (const void *)test->experiment;
    const struct cor_system_arm *arm = &experiment->arms[test->arm];
    const char *const parts[] = {arm->digest, has_things(test) ? NULL : arm->mutant};
    struct cor_json_writer *writer;
    char *text;
    COR_TRY(cor_json_writer_create(&writer, error));
    put_world(world_of(test), NULL, writer);
    COR_TRY(cor_json_text_take(writer, 0, &text, error));
    *mark = cor_hash_bytes(COR_HASH_SEED, text, strlen(text));
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        *mark = cor_hash_bytes(*mark, parts[p] ? parts[p] : "", parts[p] ? strlen(parts[p]) : 0);
    free(text);
    return COR_OK;
}

/* A kind of line is what the command is, and what an assert needs of it. */
static char *choice_line(const struct cor_subject_test *test, const struct cor_choice *choice) {
    const struct system_layer__script *script = test->scene;
    const struct cor_json root = cor_json_root(script->steps[choice->what].command);
    char *command = cor_json_text(&root), *line = NULL;
    if (command)
        line = cor_format("[\"%s\", %s]", kinds[choice->kind == SYSTEM_LAYER__SETUP ? 0 : 1 + choice->nth],
                          command);
    free(command);
    return line;
}

static void put(const struct cor_subject_test *test, struct cor_json_writer *writer) {
    const struct system_layer__script *script = test->scene;
    const struct system_layer__world *sound =
        script->unchanged ? script->unchanged
                          : ((const struct cor_system_experiment *)(const void *)test->experiment)->world;
    int64_t setups = 0;
    uint64_t mark;
    for (size_t c = 0; c < test->choices.count; c++)
        setups += test->choices.items[c].kind == SYSTEM_LAYER__SETUP;
    cor_json_put_integer(writer, "suite", test->suite);
    cor_json_put_string(writer, "expected", test->expected);
    cor_json_put_integer(writer, "cycle", (int64_t)test->at);
    if (counts_commands(test->expected, test->at)) {
        cor_json_put_integer(writer, "commands", (int64_t)test->choices.count - setups);
        if (setups > 0)
            cor_json_put_integer(writer, "setups", setups);
    }
    if (script->goal) {
        const struct cor_json root = cor_json_root(script->goal);
        const struct cor_json goal = cor_json_at(&root, 0);
        cor_json_put_value(writer, "goal", &goal);
        cor_json_put_string(writer, "agent", script->actor);
        if (script->is_whole)
            cor_json_put_bool(writer, "whole", true);
    }
    if (script->compares && has_things(test))
        put_world(script->gone ? script->sound : sound, "sound", writer);
    if (system_layer__mark(test, &mark, NULL) == COR_OK) /* it is for people */
        cor_json_put_word(writer, "world", mark);
}

/* Its policy; its change is in the world, and what test agents do there is a schedule. */
static void put_arms(const struct cor_subject_test *test, const char *key, struct cor_json_writer *writer) {
    const struct cor_system_experiment *experiment = (const void *)test->experiment;
    const struct cor_json root = cor_json_root(experiment->document);
    struct cor_json arms, policy;
    cor_json_open_array(writer, key);
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "name", experiment->arms[test->arm].name);
    if (cor_json_find(&root, key, &arms)) {
        const struct cor_json arm = cor_json_at(&arms, test->arm);
        if (cor_json_find(&arm, "policy", &policy))
            cor_json_put_value(writer, "policy", &policy);
    }
    cor_json_close(writer);
    cor_json_close(writer);
}

static bool put_member(const struct cor_subject_test *test, const char *key, struct cor_json_writer *writer) {
    const struct system_layer__script *script = test->scene;
    const struct cor_system_experiment *experiment = (const void *)test->experiment;
    if (strcmp(key, "system") == 0)
        put_world(world_of(test), key, writer);
    else if (strcmp(key, "runs") == 0 && experiment->runs == 0) /* without its stop they have an end */
        cor_json_put_integer(writer, key, test->suite / experiment->entry_count + 1);
    else if (strcmp(key, "arms") == 0 && has_things(test))
        put_arms(test, key, writer);
    else if (strcmp(key, "goals") == 0 && script->goals) {
        const struct cor_json goals = cor_json_root(script->goals);
        cor_json_put_value(writer, key, &goals);
    } else
        return false;
    return true;
}

enum cor_status system_layer__test_write(const struct cor_subject_test *test, char **text,
                                         struct cor_error *error) {
    static const char *const left_out[] = {"name", "description", "stop", "properties", NULL};
    static const struct cor_subject_file_form form = {COR_KIND_SYSTEM_TEST, left_out, put, choice_line,
                                                      put_member};
    return cor_subject_file_text(&form, test, text, error);
}
