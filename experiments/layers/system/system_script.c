/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A failing test taken apart: what its test agents did, command by command, without the goals that chose it,
 * and the one that objected. An assert and a goal that failed need a goal: it stands behind the commands. */
#include "goal_nodes.h"
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/subject.h>
#include <corridor/system_terms.h>

#include <stdlib.h>
#include <string.h>

#define CALLS_MOST 64

void system_layer__script_destroy(struct system_layer__script *script) {
    if (!script)
        return;
    for (uint32_t s = 0; s < script->count; s++)
        cor_json_destroy(script->steps[s].command);
    free(script->steps);
    cor_json_destroy(script->goal);
    cor_json_destroy(script->goals);
    COR_FREE(script->actor, script->expected, script->gone);
    system_layer__world_destroy(script->smaller);
    system_layer__world_destroy(script->sound);
    system_layer__world_destroy(script->unchanged);
    free(script);
}

/* ---- what a test failed by */

bool system_layer__is_asked(const struct system_layer__script *script, enum cor_system_judge judge,
                            const char *name) {
    const char *word = cor_term_word(COR_FAMILY_JUDGE, (int)judge),
               *expected = script ? script->expected : COR_NO_FAILURE;
    const size_t length = strlen(word), behind = length + 1 + (name ? strlen(name) : 0);
    if (strcmp(expected, COR_NO_FAILURE) == 0)
        return true;
    return strncmp(expected, word, length) == 0 && expected[length] == ' ' &&
           (!name ||
            (strncmp(expected + length + 1, name, strlen(name)) == 0 &&
             (expected[behind] == '\0' || strcmp(expected + behind, SYSTEM_LAYER__IN_THE_END) == 0)));
}

bool system_layer__has_things(const struct cor_system_experiment *experiment,
                              const struct system_layer__script *script) {
    return experiment->world->maker->leave_out && !experiment->has_own_model &&
           !system_layer__is_asked(script, COR_JUDGE_MODEL, NULL);
}

/* Why a goal failed, but for what was tried before it was given up: that is another with fewer commands. */
static size_t reason_length(const char *why, size_t bytes) {
    static const char tried[] = SYSTEM_LAYER__TRIED;
    for (size_t b = 0; b + strlen(tried) <= bytes; b++)
        if (memcmp(why + b, tried, strlen(tried)) == 0)
            return b;
    return bytes;
}

static const char *text_of(const struct system_layer__ended *ended, uint64_t start, uint32_t bytes) {
    return bytes > 0 && start <= ended->text_bytes && bytes <= ended->text_bytes - start
               ? ended->texts + start
               : NULL;
}

/* Is that what is expected? What waits for the end of a test may be violated for good by commands before. */
static bool is_alike(const char *expected, const char *failure) {
    const size_t length = strlen(failure);
    return strncmp(expected, failure, length) == 0 &&
           (expected[length] == '\0' || strcmp(expected + length, SYSTEM_LAYER__IN_THE_END) == 0);
}

/* The goal by which the test came to its verdict, of the first test agent whose goal ended so. */
static const struct cor_system_agent_row *failed_goal(const struct system_layer__ended *ended) {
    const struct cor_system_test_row *test = ended->test;
    const bool failed = test->verdict == COR_TEST_FAIL || test->verdict == COR_TEST_UNREACHABLE;
    const enum cor_goal_end wanted = failed ? COR_GOAL_FAILED : COR_GOAL_STALLED;
    const char *said = text_of(ended, test->why_start, test->why_bytes);
    for (size_t i = 0; i < ended->agent_count && said && (failed || test->verdict == COR_TEST_INCONCLUSIVE);
         i++) {
        const struct cor_system_agent_row *row = &ended->agents[i];
        const char *actor = ended->name(ended->names, COR_SYSTEM_CATALOG_AGENT, row->test_agent);
        const size_t length = strlen(actor);
        /* The verdict begins with whose goal it was. */
        if (row->end == (uint8_t)wanted && test->why_bytes > length && strncmp(said, actor, length) == 0 &&
            strchr(": ", said[length]))
            return row;
    }
    return NULL;
}

static char *goal_failure(const struct system_layer__ended *ended, const struct cor_system_agent_row *row) {
    const char *why = text_of(ended, row->why_start, row->why_bytes);
    return cor_format("goal of %s %s: %.*s",
                      ended->name(ended->names, COR_SYSTEM_CATALOG_AGENT, row->test_agent),
                      ended->test->verdict == COR_TEST_UNREACHABLE ? "is unreachable"
                      : row->end == COR_GOAL_STALLED               ? "is stalled"
                                                                   : "failed",
                      why ? (int)reason_length(why, row->why_bytes) : 0, why ? why : "");
}

enum cor_status system_layer__failure(const struct system_layer__ended *ended, const char *expected,
                                      char **failure, const struct cor_system_verdict_row **row,
                                      struct cor_error *error) {
    const struct cor_system_test_row *test = ended->test;
    const char *why = text_of(ended, test->why_start, test->why_bytes);
    const struct cor_system_verdict_row *by = NULL;
    const struct cor_system_agent_row *goal;
    *failure = NULL;
    bool is_expected = false;
    for (size_t v = 0; v < ended->verdict_count && test->verdict == COR_TEST_FAIL && !is_expected; v++) {
        if (ended->verdicts[v].verdict != COR_VERDICT_FAILED || (by && !expected))
            continue;
        /* "formula answered", "assert d1.open": a condition behind an action is an assert behind it. */
        const int judge =
            ended->verdicts[v].judge == COR_JUDGE_AFTER ? COR_JUDGE_ASSERT : ended->verdicts[v].judge;
        char *other = cor_format(
            "%s %s%s", cor_term_word(COR_FAMILY_JUDGE, judge),
            ended->name(ended->names, COR_SYSTEM_CATALOG_CHECK, ended->verdicts[v].check),
            judge == COR_JUDGE_FORMULA && ended->verdicts[v].cycle == 0 ? SYSTEM_LAYER__IN_THE_END : "");
        COR_TRY(cor_made(other, error));
        is_expected = expected && is_alike(expected, other);
        if (!by || is_expected) {
            by = &ended->verdicts[v];
            free(*failure);
            *failure = is_expected ? cor_strdup(expected) : cor_strdup(other);
        }
        free(other);
        COR_TRY(cor_made(*failure, error));
    }
    if (row)
        *row = by;
    if (by)
        return COR_OK;
    if (test->verdict == COR_TEST_TROUBLE && test->trouble != 0)
        *failure = cor_format("the world %s", cor_term_word(COR_FAMILY_SYSTEM, test->trouble));
    else if ((goal = failed_goal(ended)))
        *failure = goal_failure(ended, goal);
    else if (test->verdict == COR_TEST_FAIL || test->verdict == COR_TEST_UNREACHABLE ||
             test->verdict == COR_TEST_TROUBLE)
        *failure = cor_format("%.*s", why ? (int)test->why_bytes : 0, why ? why : "");
    else
        return COR_OK;
    return cor_made(*failure, error);
}

/* ---- taking apart */

/* A use of a goal with parameters: pressed(b) as pressed(b1). */
struct call {
    char *parameters, *arguments; /* owned; "b", "b1" */
};

struct taking {
    const struct system_layer__taking *of;
    const struct cor_system_experiment *experiment;
    const struct cor_system_entry *entry;
    const struct cor_system_test *test;
    struct cor_json root;
    struct system_layer__script *script; /* owned */
    bool *gone;                          /* owned; [step] what goals do themselves */
    uint32_t at;
    const char *check; /* that the assert says; NULL: it is none */
    const char *actor; /* by whose beliefs, whose goal; NULL: nobody's */
    char *reason;      /* owned; of a goal that failed, or is stalled; NULL: it was none */
    bool is_stalled;
    struct call calls[CALLS_MOST + 1];
    uint32_t call_count;
    struct system_layer__fragments fragments;
};

static const char *word_of(const struct taking *s, enum cor_system_names_of catalog, uint16_t code) {
    return cor_words_text(&s->experiment->names[catalog], code);
}

static const char *text_at(const struct taking *s, uint64_t start) {
    return (const char *)cor_record_items(s->of->record, COR_SYSTEM_VECTOR_TEXT, NULL) + start;
}

/* "press" of {"do": "press", ..}. */
static const char *verb_of(const struct system_layer__step *step) {
    const struct cor_json command = cor_json_root(step->command);
    struct cor_json verb;
    const char *word;
    return cor_json_find(&command, "do", &verb) && cor_json_string(&verb, &word, NULL) == COR_OK ? word : "";
}

static const char *name_in(const void *names, enum cor_system_catalog catalog, uint16_t code) {
    const struct cor_system_experiment *experiment = names;
    return cor_words_text(&experiment->names[catalog == COR_SYSTEM_CATALOG_AGENT ? COR_SYSTEM_NAMES_AGENT
                                                                                 : COR_SYSTEM_NAMES_CHECK],
                          code);
}

struct system_layer__ended system_layer__ended_of(const struct cor_system_experiment *experiment,
                                                  struct cor_record *record) {
    struct system_layer__ended ended = {.test = cor_record_at(record, COR_SYSTEM_TABLE_TESTS, 0),
                                        .verdict_count = cor_record_size(record, COR_SYSTEM_TABLE_VERDICTS),
                                        .agent_count = cor_record_size(record, COR_SYSTEM_TABLE_AGENTS),
                                        .name = name_in,
                                        .names = experiment};
    ended.texts = cor_record_items(record, COR_SYSTEM_VECTOR_TEXT, &ended.text_bytes);
    if (ended.verdict_count > 0)
        ended.verdicts = cor_record_at(record, COR_SYSTEM_TABLE_VERDICTS, 0);
    if (ended.agent_count > 0)
        ended.agents = cor_record_at(record, COR_SYSTEM_TABLE_AGENTS, 0);
    return ended;
}

/* The first judge that objected, the trouble of the world, or the goal that failed. */
static enum cor_status find_target(struct taking *s, struct cor_error *error) {
    const struct system_layer__ended ended = system_layer__ended_of(s->experiment, s->of->record);
    const struct cor_system_verdict_row *by;
    COR_TRY(system_layer__failure(&ended, NULL, &s->script->expected, &by, error));
    s->at = by ? by->cycle : ended.test->decided;
    const struct cor_system_agent_row *goal = by || ended.test->trouble != 0 ? NULL : failed_goal(&ended);
    if (by && by->test_agent > 0 && (by->judge == COR_JUDGE_ASSERT || by->judge == COR_JUDGE_AFTER)) {
        s->check = word_of(s, COR_SYSTEM_NAMES_CHECK, by->check);
        s->actor = word_of(s, COR_SYSTEM_NAMES_AGENT, by->test_agent);
    }
    if (!goal)
        return COR_OK;
    const char *why = text_of(&ended, goal->why_start, goal->why_bytes);
    s->actor = word_of(s, COR_SYSTEM_NAMES_AGENT, goal->test_agent);
    s->is_stalled = goal->end == COR_GOAL_STALLED;
    s->reason = cor_format("%.*s", why ? (int)reason_length(why, goal->why_bytes) : 0, why ? why : "");
    return cor_made(s->reason, error);
}

static bool is_of_actor(const struct taking *s, const struct system_layer__step *step) {
    return s->actor && strcmp(s->test->agents[step->actor], s->actor) == 0;
}

/* ---- goals with parameters */

/* A goal called NAME(..): with the parameters that the file gives it, if the assert names one of them. */
static enum cor_status add_call(struct taking *s, const char *goal, struct cor_error *error) {
    const char *bracket = strchr(goal, '(');
    struct cor_json goals;
    if (!bracket || goal[strlen(goal) - 1] != ')' || s->call_count == CALLS_MOST ||
        !cor_json_find(&s->root, "goals", &goals))
        return COR_OK;
    for (size_t i = 0; i < cor_json_size(&goals); i++) {
        const char *key = cor_json_at(&goals, i).key;
        const size_t length = (size_t)(bracket - goal) + 1;
        if (strncmp(key, goal, length) != 0 || key[strlen(key) - 1] != ')')
            continue;
        struct call call = {cor_format("%.*s", (int)(strlen(key) - length - 1), key + length),
                            cor_format("%.*s", (int)(strlen(goal) - length - 1), goal + length)};
        if (call.parameters && call.arguments && system_layer__names_one_of(s->check, call.parameters)) {
            s->calls[s->call_count++] = call;
            return COR_OK;
        }
        const bool is_made = call.parameters && call.arguments;
        COR_FREE(call.parameters, call.arguments);
        return is_made ? COR_OK : cor_fail_memory(error);
    }
    return COR_OK;
}

/* ---- scripts that are tried */

/* The goals of the file, and "judged(b)" for a goal with its parameters. */
static enum cor_status make_goals(const struct taking *s, const char *parameters, const char *goal,
                                  struct cor_json_document **made, struct cor_error *error) {
    struct cor_json_writer *writer;
    struct cor_json goals;
    char *text, *key = cor_format("judged(%s)", parameters);
    COR_TRY(cor_made(key, error));
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    for (size_t g = 0; cor_json_find(&s->root, "goals", &goals) && g < cor_json_size(&goals); g++) {
        const struct cor_json item = cor_json_at(&goals, g);
        cor_json_put_value(writer, item.key, &item);
    }
    cor_json_put_text(writer, key, goal);
    cor_json_close(writer);
    free(key);
    COR_TRY(cor_json_text_take(writer, 0, &text, error));
    const enum cor_status status = cor_json_parse(text, s->experiment->head.path, made, error);
    free(text);
    return status;
}

/* Does it fail alike without the steps that are gone, with that goal behind the others? goal NULL: none. */
static enum cor_status try_it(struct taking *s, const char *goal, const char *parameters,
                              const char *arguments, bool *fails, struct cor_error *error) {
    struct system_layer__script *script = s->script;
    const char *failure;
    *fails = false;
    cor_json_destroy(script->goal);
    cor_json_destroy(script->goals);
    script->goal = script->goals = NULL;
    if (goal) {
        /* The goal, JSON text, of the actor behind the steps; with parameters, NULL: it has none, as
         * "judged(b1)". */
        char *use = parameters ? cor_format("{\"goal\": \"judged(%s)\"}", arguments)
                               : cor_format("{\"goal\": %s}", goal);
        enum cor_status status = cor_made(use, error);
        if (status == COR_OK)
            status = cor_json_parse(use, s->experiment->head.path, &script->goal, error);
        if (status == COR_OK && parameters)
            status = make_goals(s, parameters, goal, &script->goals, error);
        free(use);
        if (!script->actor)
            script->actor = cor_strdup(s->actor);
        COR_TRY(status == COR_OK ? cor_made(script->actor, error) : status);
    }
    COR_TRY(s->of->run(s->of->self, script, s->gone, &failure, error));
    *fails = failure && strcmp(failure, script->expected) == 0;
    return COR_OK;
}

/* ---- which command an assert is about, and which goal it is that fails */

/* Is the command an action on an entity? */
static bool is_on_entity(const struct cor_world_declaration *declaration, const char *verb) {
    for (uint32_t a = 0; a < declaration->action_count; a++)
        for (uint32_t p = 0; p < declaration->actions[a].parameter_count; p++)
            if (!declaration->actions[a].parameters[p].domain &&
                strcmp(declaration->actions[a].name, verb) == 0)
                return true;
    return false;
}

/* What the test agent wanted, in parts: what the arm says in place of the file. */
static enum cor_status list_fragments(struct taking *s, struct cor_error *error) {
    struct cor_json tests, agents, arms, goal, goals;
    const bool has_goals = cor_json_find(&s->root, "goals", &goals);
    COR_TRY(cor_json_need(&s->root, "tests", &tests, error));
    const struct cor_json test = cor_json_at(&tests, s->entry->test);
    COR_TRY(cor_json_need(&test, "agents", &agents, error));
    size_t a = 0;
    while (strcmp(s->test->agents[a], s->actor) != 0)
        a++;
    const struct cor_json agent = cor_json_at(&agents, a);
    if (cor_json_find(&s->root, "arms", &arms)) {
        const struct cor_json arm = cor_json_at(&arms, s->of->arm);
        if (cor_json_find(&arm, "goal", &goal) && !cor_json_is_null(&goal))
            return system_layer__fragments_list(&goal, has_goals ? &goals : NULL, &s->fragments, error);
    }
    COR_TRY(cor_json_need(&agent, "goal", &goal, error));
    return system_layer__fragments_list(&goal, has_goals ? &goals : NULL, &s->fragments, error);
}

/* A goal that became current in cycle `begun`, as the file has it, behind the commands before; the first text
 * with which it fails alike. `name` NULL: the whole goal. */
static enum cor_status begin_with(struct taking *s, const char *name, uint32_t begun, bool *fails,
                                  struct cor_error *error) {
    for (uint32_t p = 0; p < s->script->count; p++) {
        const struct system_layer__step *step = &s->script->steps[p];
        s->gone[p] = step->kind != SYSTEM_LAYER__SETUP && step->cycle >= begun && is_of_actor(s, step);
    }
    for (size_t f = 0; f < s->fragments.count && !*fails; f++) {
        const struct system_layer__fragment *fragment = &s->fragments.items[f];
        const bool is_whole = f + 1 == s->fragments.count;
        if (name ? !system_layer__fragment_may_be(&fragment->goal, name) : !is_whole)
            continue;
        char *text = cor_json_text(&fragment->goal);
        COR_TRY(cor_made(text, error));
        s->script->is_whole = is_whole;
        const enum cor_status status =
            try_it(s, text, fragment->parameters, fragment->arguments, fails, error);
        free(text);
        COR_TRY(status);
    }
    return COR_OK;
}

/* The goals that failed for that reason in the end, from the inmost on: the first that does behind commands.
 */
static enum cor_status begin_with_failed(struct taking *s, bool *fails, struct cor_error *error) {
    struct cor_system_goal_row *rows;
    struct cor_record *record = s->of->record;
    const size_t count = cor_record_size(record, COR_SYSTEM_TABLE_GOALS);
    bool *is_it = cor_calloc(count + 1, sizeof *is_it);
    enum cor_status status = COR_OK;
    rows = cor_calloc(count + 1, sizeof *rows); /* tries are recorded over them */
    COR_TRY_OUT(cor_made(is_it ? rows : NULL, error));
    for (size_t i = 0; i < count; i++) {
        rows[i] = *(const struct cor_system_goal_row *)cor_record_at(record, COR_SYSTEM_TABLE_GOALS, i);
        const char *why = rows[i].why_bytes > 0 ? text_at(s, rows[i].why_start) : "";
        const size_t length = reason_length(why, rows[i].why_bytes);
        is_it[i] = rows[i].end == COR_GOAL_FAILED &&
                   strcmp(word_of(s, COR_SYSTEM_NAMES_AGENT, rows[i].test_agent), s->actor) == 0 &&
                   length == strlen(s->reason) && memcmp(why, s->reason, length) == 0;
    }
    for (size_t i = 0; i < count && !*fails; i++)
        if (is_it[i])
            COR_TRY_OUT(
                begin_with(s, word_of(s, COR_SYSTEM_NAMES_GOAL, rows[i].goal), rows[i].begun, fails, error));
out:
    COR_FREE(is_it, rows);
    return status;
}

/* The goal that it was at, while it waited until the end. */
static enum cor_status begin_with_stalled(struct taking *s, bool *fails, struct cor_error *error) {
    const char *name = NULL;
    uint32_t begun = 0;
    for (size_t i = 0; i < cor_record_size(s->of->record, COR_SYSTEM_TABLE_CYCLES); i++) {
        const struct cor_system_cycle_row *row = cor_record_at(s->of->record, COR_SYSTEM_TABLE_CYCLES, i);
        if (strcmp(word_of(s, COR_SYSTEM_NAMES_AGENT, row->test_agent), s->actor) != 0)
            continue;
        if (row->turn != COR_TURN_WAITED)
            name = NULL;
        else if (!name) {
            name = word_of(s, COR_SYSTEM_NAMES_GOAL, row->goal);
            begun = row->cycle;
        }
    }
    return name ? begin_with(s, name, begun, fails, error) : COR_OK;
}

static enum cor_status begin(struct taking *s, bool *fails, struct cor_error *error) {
    char *text;
    *fails = false;
    if (s->reason && strcmp(s->reason, SYSTEM_LAYER__DEAD) == 0)
        return try_it(s, "\"success\"", NULL, NULL, fails, error);
    if (s->reason) {
        /* Behind which commands which goal fails alike: none for who can do nothing any more; in the end the
         * whole goal, which no command of its test agent comes before. */
        COR_TRY(list_fragments(s, error));
        COR_TRY(s->is_stalled ? begin_with_stalled(s, fails, error) : begin_with_failed(s, fails, error));
        return *fails ? COR_OK : begin_with(s, NULL, 0, fails, error);
    }
    if (!s->check)
        return try_it(s, NULL, NULL, NULL, fails, error);
    /* What an assert is said of: the command that was done when it was judged, or else the last one on an
     * entity before. Without it any state that the assert is not meant for would do. */
    struct system_layer__rig *rig = NULL;
    struct system_layer__step *last = NULL, *now = NULL;
    COR_TRY(system_layer__rig_create(s->experiment, s->of->arm, s->of->suite % s->experiment->entry_count,
                                     NULL, NULL, &rig, error));
    for (uint32_t p = 0; p < s->script->count; p++) {
        struct system_layer__step *step = &s->script->steps[p];
        if (step->kind == SYSTEM_LAYER__SETUP || !is_of_actor(s, step) || step->cycle > s->at)
            continue;
        if (step->cycle == s->at && strcmp(verb_of(step), "look") == 0)
            s->gone[p] = true; /* the assert itself */
        else if (step->cycle == s->at)
            now = step;
        else if (is_on_entity(rig->declaration, verb_of(step)))
            last = step;
    }
    system_layer__rig_destroy(rig);
    if (now)
        now->need = SYSTEM_LAYER__JUDGED;
    else if (last)
        last->need = SYSTEM_LAYER__ABOUT;
    /* In which goals with parameters an assert may stand: what was worked on then, what was under way then,
     * from the inmost on, and whatever else there was. */
    struct cor_record *record = s->of->record;
    const struct cor_words *goals = &s->experiment->names[COR_SYSTEM_NAMES_GOAL];
    for (size_t i = 0; i < cor_record_size(record, COR_SYSTEM_TABLE_CYCLES); i++) {
        const struct cor_system_cycle_row *row = cor_record_at(record, COR_SYSTEM_TABLE_CYCLES, i);
        if (row->cycle == s->at && row->goal > 0)
            COR_TRY(add_call(s, cor_words_text(goals, row->goal), error));
    }
    for (size_t i = 0; i < cor_record_size(record, COR_SYSTEM_TABLE_GOALS); i++) { /* those below end first */
        const struct cor_system_goal_row *row = cor_record_at(record, COR_SYSTEM_TABLE_GOALS, i);
        if (row->begun <= s->at && s->at <= row->ended)
            COR_TRY(add_call(s, cor_words_text(goals, row->goal), error));
    }
    for (uint32_t word = 0; word < goals->count; word++)
        COR_TRY(add_call(s, cor_words_text(goals, word), error));
    struct cor_bytes goal = {0};
    cor_bytes_print(&goal, "{\"assert\": ");
    cor_json_print_string(&goal, s->check);
    cor_bytes_print(&goal, "}");
    COR_TRY(cor_made(text = cor_bytes_text_take(&goal, error), error));
    enum cor_status status = COR_OK;
    for (uint32_t c = 0; c <= s->call_count && !*fails && status == COR_OK; c++) /* in the end as it stands */
        status = try_it(s, text, c < s->call_count ? s->calls[c].parameters : NULL, s->calls[c].arguments,
                        fails, error);
    free(text);
    return status;
}

enum cor_status system_layer__take_apart(const struct system_layer__taking *taking,
                                         struct system_layer__script **script, struct cor_error *error) {
    const struct cor_system_experiment *experiment = taking->experiment;
    struct taking s = {.of = taking,
                       .experiment = experiment,
                       .entry = &experiment->entries[taking->suite % experiment->entry_count],
                       .root = cor_json_root(experiment->document)};
    bool fails = false;
    enum cor_status status = COR_OK;
    *script = NULL;
    s.test = &experiment->tests[s.entry->test];
    COR_TRY(cor_made(s.script = cor_calloc(1, sizeof *s.script), error));
    COR_TRY_OUT(find_target(&s, error));
    const size_t count = cor_record_size(s.of->record, COR_SYSTEM_TABLE_CYCLES);
    s.script->steps = cor_calloc(count + 1, sizeof *s.script->steps);
    s.gone = cor_calloc(count + 1, sizeof *s.gone);
    COR_TRY_OUT(cor_made(s.script->steps ? s.gone : NULL, error));
    for (size_t i = 0; i < count; i++) {
        const struct cor_system_cycle_row *row = cor_record_at(s.of->record, COR_SYSTEM_TABLE_CYCLES, i);
        if (row->turn != COR_TURN_LOOKED) {
            /* {"do": "press", "on": "b1"} with "agent": "t" behind it. */
            struct system_layer__step *step = &s.script->steps[s.script->count++];
            const char *command = text_at(&s, row->command_start);
            struct cor_bytes text = {0};
            *step = (struct system_layer__step){.cycle = row->cycle,
                                                .cell = {row->column, row->row, row->floor},
                                                .kind = row->turn == COR_TURN_SET_UP ? SYSTEM_LAYER__SETUP
                                                                                     : SYSTEM_LAYER__DO};
            const char *actor = word_of(&s, COR_SYSTEM_NAMES_AGENT, row->test_agent);
            while (strcmp(s.test->agents[step->actor], actor) != 0)
                step->actor++;
            if (row->command_bytes == 0 || command[row->command_bytes - 1] != '}')
                COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, "--failure", NULL,
                                     "the command of cycle %u is not in the file as a whole: it is too long",
                                     row->cycle));
            cor_bytes_print(&text, "%.*s, \"agent\": ", (int)row->command_bytes - 1, command);
            cor_json_print_string(&text, actor);
            cor_bytes_print(&text, "}");
            char *whole = cor_bytes_text_take(&text, error);
            COR_TRY_OUT(cor_made(whole, error));
            status = cor_json_parse(whole, "command", &step->command, error);
            free(whole);
            COR_TRY_OUT(status);
        }
    }
    if (s.script->expected)
        COR_TRY_OUT(begin(&s, &fails, error));
    if (fails) {
        *script = s.script;
        s.script = NULL;
    }
out:
    for (uint32_t c = 0; c < s.call_count; c++) {
        COR_FREE(s.calls[c].parameters, s.calls[c].arguments);
    }
    system_layer__script_destroy(s.script);
    COR_FREE(s.gone, s.reason);
    system_layer__fragments_fini(&s.fragments);
    return status;
}
