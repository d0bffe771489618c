/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What test agents did in a failing test, command by command, as the goals of a test of its own; then made
 * smaller. Each smaller test is one that a user could have written: it is read and carried out as any other.
 */
#include "internal.h"
#include "persistence.h"
#include "running.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/layer_tables.h>
#include <corridor/minimize.h>
#include <corridor/system_layer.h>
#include <corridor/system_shrink.h>
#include <corridor/world_program.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS_MOST 60 /* commands of which pairs are tried */
#define CALLS_MOST 64

/* A command of the failing test. */
struct part {
    uint8_t turn;      /* COR_TURN_SET_UP, or one of a cycle */
    const char *actor; /* who did it; borrowed from the result */
    uint32_t cycle;
    struct cor_json_document *command; /* owned */
    uint32_t cell[3];                  /* where it stands behind it; [0] COR_NONE: in no cell */
};

/* Whose verdict it is, or which goal failed and why. */
struct target {
    enum cor_system_judge judge;
    enum cor_goal_end end;         /* FAILED, STALLED: no judge objected, and the goal of `actor` ended so */
    enum cor_test_verdict verdict; /* where a goal did */
    char *reason;                  /* owned; of the goal, or the guard that is false */
    const char *goal;              /* that ended so; borrowed from the result; NULL: whatever it is called */
    enum cor_system_trouble trouble; /* of the world; 0: a judge's verdict */
    char *check;                     /* owned; as catalog/check says it */
    const char *text;                /* in `check`, behind the judge */
    const char *actor;               /* by whose beliefs; borrowed from the result */
    uint32_t cycle;
    uint32_t part;  /* the command behind which an assert is judged, which stays; COR_NONE */
    bool is_behind; /* it is judged with that command, and not by a goal of its own */
};

/* A use of a goal with parameters: pressed(b) as pressed(b1). */
struct call {
    char *parameters, *arguments; /* owned; "b", "b1" */
};

struct shrinker {
    const struct cor_system_shrink_definition *asked;
    const struct cor_system_experiment *experiment;
    struct cor_layer_tables tables;
    const struct cor_system_test *test;
    const struct cor_system_entry *entry;
    const struct system_layer__world *base;  /* of the arm */
    const struct system_layer__world *sound; /* the system without the arm's change, in which the same
                                                commands do not fail alike; NULL: there is none */
    struct system_layer__world *world;       /* owned; with fewer things; NULL: base */
    struct part *parts;                      /* owned */
    uint32_t part_count, part_count_before;  /* before: without the look that an assert is */
    uint32_t *actor;                         /* owned; [part] the code of who did it */
    bool *gone;                              /* owned; [part] */
    bool *gone_things;                       /* owned; [thing of base] */
    uint32_t thing_count;
    struct target target;
    struct call calls[CALLS_MOST];
    uint32_t call_count;
    const struct call *call; /* in which the assert is read; NULL: as it stands */
    struct system_layer__fragments fragments;
    const struct system_layer__fragment *fragment; /* the goal that fails behind the commands; NULL: none */
    const char *name;                              /* of that; borrowed from the result */
    struct cor_record *record;                     /* owned */
    struct cor_tries tries;                        /* executions */
    uint64_t replies, replies_begun; /* what the world showed in the last one, and in that of the whole */
    bool is_careful;                 /* no world goes on with another test, whatever it says of its reset */
    char why[4001];                  /* of the last test that stayed */
};

static const char *name_of(const struct shrinker *s, enum cor_system_catalog catalog, uint16_t code) {
    return cor_result_name(s->tables.result, (uint32_t)catalog, code);
}

static const char *text_of(const struct shrinker *s, uint64_t start, uint32_t bytes) {
    return start + bytes <= s->tables.item_count[COR_SYSTEM_VECTOR_TEXT] && bytes > 0
               ? (const char *)s->tables.items[COR_SYSTEM_VECTOR_TEXT] + start
               : "";
}

/* Is the target an assert? */
static bool is_assert(const struct shrinker *s) {
    return s->target.trouble == 0 && s->target.end == 0 && s->target.judge == COR_JUDGE_ASSERT;
}

/* ---- the test that failed */

static enum cor_status read_part(struct shrinker *s, const struct cor_system_cycle_row *row,
                                 struct cor_error *error) {
    struct part *part = &s->parts[s->part_count];
    *part = (struct part){.turn = row->turn,
                          .cycle = row->cycle,
                          .actor = name_of(s, COR_SYSTEM_CATALOG_AGENT, row->test_agent),
                          .cell = {row->column, row->row, row->floor}};
    char *text =
        cor_format("%.*s", (int)row->command_bytes, text_of(s, row->command_start, row->command_bytes));
    COR_TRY(cor_made(text, error));
    s->actor[s->part_count] = row->test_agent;
    if (cor_json_parse(text, "command", &part->command, NULL) == COR_OK)
        s->part_count++;
    else
        cor_fail(error, COR_STATUS_INPUT, "--failure", NULL,
                 "the command of cycle %u is not in the file as a whole: it is too long", row->cycle);
    free(text);
    return part->command ? COR_OK : COR_STATUS_INPUT;
}

static enum cor_status read_parts(struct shrinker *s, struct cor_error *error) {
    uint64_t count;
    const uint64_t first =
        cor_layer_rows_of(&s->tables, COR_SYSTEM_TABLE_CYCLES, s->asked->arm, s->asked->suite, &count);
    s->parts = cor_calloc(count + 1, sizeof *s->parts);
    s->actor = cor_calloc(count + 1, sizeof *s->actor);
    s->gone = cor_calloc(count + 1, sizeof *s->gone);
    if (!s->parts || !s->actor || !s->gone)
        return cor_fail_memory(error);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_system_cycle_row *row = cor_layer_row(&s->tables, COR_SYSTEM_TABLE_CYCLES, i);
        if (row->turn != COR_TURN_LOOKED)
            COR_TRY(read_part(s, row, error));
    }
    return COR_OK;
}

/* Why a goal failed, but for what was tried before it was given up: that is another with fewer commands. */
static size_t reason_length(const char *why, size_t bytes) {
    static const char tried[] = SYSTEM_LAYER__TRIED;
    for (size_t b = 0; b + strlen(tried) <= bytes; b++)
        if (memcmp(why + b, tried, strlen(tried)) == 0)
            return b;
    return bytes;
}

static bool is_reason_of(const struct shrinker *s, const char *why, size_t bytes) {
    const size_t length = reason_length(why, bytes);
    return length == strlen(s->target.reason) && memcmp(why, s->target.reason, length) == 0;
}

/* The goal by which the test came to its verdict, of the first test agent whose goal ended so. */
static enum cor_status find_failed_goal(struct shrinker *s, const struct cor_system_test_row *test,
                                        struct cor_error *error) {
    const bool failed = test->verdict == COR_TEST_FAIL || test->verdict == COR_TEST_UNREACHABLE;
    const enum cor_goal_end wanted = failed ? COR_GOAL_FAILED : COR_GOAL_STALLED;
    const char *said = text_of(s, test->why_start, test->why_bytes);
    uint64_t count;
    const uint64_t first =
        cor_layer_rows_of(&s->tables, COR_SYSTEM_TABLE_AGENTS, test->arm, test->suite, &count);
    for (uint64_t i = first; i < first + count && (failed || test->verdict == COR_TEST_INCONCLUSIVE); i++) {
        const struct cor_system_agent_row *row = cor_layer_row(&s->tables, COR_SYSTEM_TABLE_AGENTS, i);
        const char *actor = name_of(s, COR_SYSTEM_CATALOG_AGENT, row->test_agent);
        const size_t length = strlen(actor);
        /* The verdict begins with whose goal it was. */
        if (row->end != (uint8_t)wanted || test->why_bytes <= length || strncmp(said, actor, length) != 0 ||
            !strchr(": ", said[length]))
            continue;
        s->target.end = wanted;
        s->target.verdict = (enum cor_test_verdict)test->verdict;
        s->target.actor = actor;
        s->target.reason =
            cor_format("%.*s", (int)row->why_bytes, text_of(s, row->why_start, row->why_bytes));
        s->target.check = cor_format("goal of %s %s", actor, failed ? "failed" : "is stalled");
        if (!s->target.reason || !s->target.check)
            return cor_fail_memory(error);
        s->target.reason[reason_length(s->target.reason, row->why_bytes)] = '\0';
        return COR_OK;
    }
    return COR_OK;
}

/* The first judge that objected, the trouble of the world, or the goal that failed. */
static enum cor_status find_target(struct shrinker *s, const struct cor_system_test_row *test,
                                   struct cor_error *error) {
    uint64_t count;
    const uint64_t first =
        cor_layer_rows_of(&s->tables, COR_SYSTEM_TABLE_VERDICTS, test->arm, test->suite, &count);
    if (test->verdict == COR_TEST_TROUBLE && test->trouble != 0) {
        s->target.trouble = (enum cor_system_trouble)test->trouble;
        s->target.check = cor_format("the world %s", cor_term_word(COR_FAMILY_SYSTEM, test->trouble));
        return cor_made(s->target.check, error);
    }
    for (uint64_t i = first; i < first + count && test->verdict == COR_TEST_FAIL; i++) {
        const struct cor_system_verdict_row *row = cor_layer_row(&s->tables, COR_SYSTEM_TABLE_VERDICTS, i);
        if (row->verdict != COR_VERDICT_FAILED)
            continue;
        /* A condition behind an action is an assert behind it. */
        const char *name = name_of(s, COR_SYSTEM_CATALOG_CHECK, row->check);
        s->target.judge =
            row->judge == COR_JUDGE_AFTER ? COR_JUDGE_ASSERT : (enum cor_system_judge)row->judge;
        s->target.check = cor_format("%s %s", cor_term_word(COR_FAMILY_JUDGE, (int)s->target.judge), name);
        COR_TRY(cor_made(s->target.check, error));
        s->target.text = s->target.check + strlen(s->target.check) - strlen(name);
        s->target.actor = row->test_agent > 0 ? name_of(s, COR_SYSTEM_CATALOG_AGENT, row->test_agent) : NULL;
        s->target.cycle = row->cycle;
        return COR_OK;
    }
    COR_TRY(find_failed_goal(s, test, error));
    if (s->target.check)
        return COR_OK;
    if (test->verdict == COR_TEST_FAIL || test->verdict == COR_TEST_TROUBLE)
        return cor_fail(error, COR_STATUS_INPUT, "--failure",
                        "what a judge says, a goal that failed or trouble of the world can be shrunk",
                        "no judge objected: %.*s", (int)test->why_bytes,
                        text_of(s, test->why_start, test->why_bytes));
    return cor_fail(error, COR_STATUS_INPUT, "--failure", "corridor show FILE goals lists those that failed",
                    "the test did not fail: %s", cor_term_word(COR_FAMILY_TEST, test->verdict));
}

/* ---- goals with parameters */

/* A goal called NAME(..): with the parameters that the file gives it, if the assert names one of them. */
static enum cor_status add_call(struct shrinker *s, const char *goal, struct cor_error *error) {
    const struct cor_json root = cor_json_root(s->experiment->document);
    const char *bracket = strchr(goal, '(');
    struct cor_json goals;
    if (!bracket || goal[strlen(goal) - 1] != ')' || s->call_count == CALLS_MOST ||
        !cor_json_find(&root, "goals", &goals))
        return COR_OK;
    for (size_t i = 0; i < cor_json_size(&goals); i++) {
        const char *key = cor_json_at(&goals, i).key;
        const size_t length = (size_t)(bracket - goal) + 1;
        if (strncmp(key, goal, length) != 0 || key[strlen(key) - 1] != ')')
            continue;
        struct call call = {cor_format("%.*s", (int)(strlen(key) - length - 1), key + length),
                            cor_format("%.*s", (int)(strlen(goal) - length - 1), goal + length)};
        if (call.parameters && call.arguments &&
            system_layer__names_one_of(s->target.text, call.parameters)) {
            s->calls[s->call_count++] = call;
            return COR_OK;
        }
        const bool is_made = call.parameters && call.arguments;
        free(call.parameters);
        free(call.arguments);
        return is_made ? COR_OK : cor_fail_memory(error);
    }
    return COR_OK;
}

/* In which goals with parameters an assert may stand: what was worked on then, what was under way then, from
 * the inmost on, and whatever else there was. */
static enum cor_status list_calls(struct shrinker *s, struct cor_error *error) {
    uint64_t count, first;
    if (!is_assert(s))
        return COR_OK;
    first = cor_layer_rows_of(&s->tables, COR_SYSTEM_TABLE_CYCLES, s->asked->arm, s->asked->suite, &count);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_system_cycle_row *row = cor_layer_row(&s->tables, COR_SYSTEM_TABLE_CYCLES, i);
        if (row->cycle == s->target.cycle && row->goal > 0)
            COR_TRY(add_call(s, name_of(s, COR_SYSTEM_CATALOG_GOAL, row->goal), error));
    }
    first = cor_layer_rows_of(&s->tables, COR_SYSTEM_TABLE_GOALS, s->asked->arm, s->asked->suite, &count);
    for (uint64_t i = first; i < first + count; i++) { /* those below end first */
        const struct cor_system_goal_row *row = cor_layer_row(&s->tables, COR_SYSTEM_TABLE_GOALS, i);
        if (row->begun <= s->target.cycle && s->target.cycle <= row->ended)
            COR_TRY(add_call(s, name_of(s, COR_SYSTEM_CATALOG_GOAL, row->goal), error));
    }
    for (uint32_t word = 0; word < s->experiment->names[COR_SYSTEM_NAMES_GOAL].count; word++)
        COR_TRY(add_call(s, cor_words_text(&s->experiment->names[COR_SYSTEM_NAMES_GOAL], word), error));
    return COR_OK;
}

/* ---- a smaller test as a file */

/* Is it read as it stands, within brackets? */
static bool is_plain(const char *text) {
    for (const char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_' && *at != '-')
            return false;
    return *text != '\0';
}

/* "move(east)"; *is_short false: something could be misread in brackets. Freed with free(). */
static enum cor_status write_call(const struct cor_json *command, char **call, bool *is_short,
                                  struct cor_error *error) {
    struct cor_json member;
    const char *text;
    *is_short = true;
    *call = NULL;
    COR_TRY(cor_json_need(command, "do", &member, error));
    COR_TRY(cor_json_string(&member, &text, error));
    COR_TRY(cor_made(*call = cor_strdup(text), error));
    for (size_t i = 1; i < cor_json_size(command) && *is_short; i++) {
        const struct cor_json item = cor_json_at(command, i);
        *is_short =
            cor_json_is_string(&item) && cor_json_string(&item, &text, NULL) == COR_OK && is_plain(text);
        if (*is_short)
            *call = cor_join_take(*call, i == 1 ? "(" : ", ", cor_strdup(text));
    }
    if (*is_short && cor_json_size(command) > 1)
        *call = cor_join_take(*call, "", cor_strdup(")"));
    return cor_made(*call, error);
}

/* As people read it; NULL: memory is out. */
static char *command_text(const struct cor_json *command) {
    char *call;
    bool is_short;
    if (write_call(command, &call, &is_short, NULL) == COR_OK && is_short)
        return call;
    free(call);
    return cor_json_text(command);
}

/* {"do": "move(east)"}; what could be misread in brackets as an object. */
static enum cor_status put_do(struct cor_json_writer *writer, const char *key, const struct cor_json *command,
                              const char *asserts, struct cor_error *error) {
    char *call;
    const char *text;
    bool is_short;
    COR_TRY(write_call(command, &call, &is_short, error));
    cor_json_open_object(writer, key);
    if (is_short)
        cor_json_put_string(writer, "do", call);
    free(call);
    if (!is_short) {
        cor_json_open_object(writer, "do");
        for (size_t i = 0; i < cor_json_size(command); i++) {
            const struct cor_json item = cor_json_at(command, i);
            char *quoted = NULL;
            if (cor_json_is_string(&item) && cor_json_string(&item, &text, NULL) == COR_OK && text[0] == '\'')
                COR_TRY(cor_made(quoted = cor_format("'%s'", text), error)); /* its quotes are its own */
            if (quoted)
                cor_json_put_string(writer, item.key, quoted);
            else
                cor_json_put_value(writer, item.key, &item);
            free(quoted);
        }
        cor_json_close(writer);
    }
    if (asserts)
        cor_json_put_string(writer, "assert", asserts);
    cor_json_close(writer);
    return COR_OK;
}

static bool is_look(const struct part *part) {
    const struct cor_json command = cor_json_root(part->command);
    struct cor_json verb;
    const char *word;
    return cor_json_find(&command, "do", &verb) && cor_json_string(&verb, &word, NULL) == COR_OK &&
           strcmp(word, "look") == 0;
}

/* The use of the named goal in which the assert is read, or that fails. */
static enum cor_status put_call(const char *key, const char *arguments, struct cor_json_writer *writer,
                                struct cor_error *error) {
    char *call = cor_format("judged(%s)", arguments);
    COR_TRY(cor_made(call, error));
    cor_json_put_string(writer, key, call);
    free(call);
    return COR_OK;
}

/* {"check": "CONDITION"} */
static void put_goal_of(struct cor_json_writer *writer, const char *key, const char *kind, const char *text) {
    cor_json_open_object(writer, key);
    cor_json_put_string(writer, kind, text);
    cor_json_close(writer);
}

/* The goal that fails behind the commands, as the file has it. */
static enum cor_status put_fragment(const struct shrinker *s, const char *key, struct cor_json_writer *writer,
                                    struct cor_error *error) {
    if (s->fragment->parameters)
        return put_call(key, s->fragment->arguments, writer, error);
    cor_json_put_value(writer, key, &s->fragment->goal);
    return COR_OK;
}

static enum cor_status put_goal(struct shrinker *s, const bool *gone, const char *actor, bool asserts,
                                struct cor_json_writer *writer, struct cor_error *error) {
    const bool fails = s->fragment && strcmp(s->target.actor, actor) == 0;
    bool is_empty = !asserts;
    for (uint32_t p = 0; p < s->part_count; p++)
        is_empty = is_empty &&
                   (gone[p] || s->parts[p].turn == COR_TURN_SET_UP || strcmp(s->parts[p].actor, actor) != 0);
    if (is_empty && fails)
        return put_fragment(s, "goal", writer, error);
    if (is_empty) {
        cor_json_put_string(writer, "goal", "success");
        return COR_OK;
    }
    cor_json_open_object(writer, "goal");
    cor_json_open_array(writer, "seq");
    for (uint32_t p = 0; p < s->part_count; p++) {
        const struct part *part = &s->parts[p];
        if (gone[p] || part->turn == COR_TURN_SET_UP || strcmp(part->actor, actor) != 0)
            continue;
        const struct cor_json command = cor_json_root(part->command);
        const bool is_judged = asserts && s->target.is_behind && p == s->target.part;
        if (is_judged && s->call)
            COR_TRY(put_call(NULL, s->call->arguments, writer, error));
        else if (!is_look(part))
            COR_TRY(put_do(writer, NULL, &command, is_judged ? s->target.text : NULL, error));
        else
            put_goal_of(writer, NULL, "check", "1 = 1"); /* only looks: no tick passes */
    }
    if (asserts && !s->target.is_behind && s->call)
        COR_TRY(put_call(NULL, s->call->arguments, writer, error));
    else if (asserts && !s->target.is_behind)
        put_goal_of(writer, NULL, "assert", s->target.text);
    if (fails)
        COR_TRY(put_fragment(s, NULL, writer, error));
    cor_json_close(writer);
    cor_json_close(writer);
    return COR_OK;
}

static enum cor_status put_setup(struct shrinker *s, const bool *gone, struct cor_json_writer *writer) {
    bool is_open = false;
    for (uint32_t p = 0; p < s->part_count; p++) {
        if (gone[p] || s->parts[p].turn != COR_TURN_SET_UP)
            continue;
        const struct cor_json command = cor_json_root(s->parts[p].command);
        if (!is_open)
            cor_json_open_array(writer, "setup");
        is_open = true;
        cor_json_open_object(writer, NULL);
        for (size_t i = 0; i < cor_json_size(&command); i++) {
            const struct cor_json item = cor_json_at(&command, i);
            cor_json_put_value(writer, item.key, &item);
        }
        cor_json_put_string(writer, "agent", s->parts[p].actor);
        cor_json_close(writer);
    }
    if (is_open)
        cor_json_close(writer);
    return COR_OK;
}

/* Of the object `key` of the experiment the member that is the target. */
static void put_judge(const struct shrinker *s, const char *key, enum cor_system_judge judge,
                      struct cor_json_writer *writer) {
    const struct cor_json root = cor_json_root(s->experiment->document);
    struct cor_json judges, member;
    if (s->target.trouble != 0 || s->target.end != 0 || s->target.judge != judge ||
        !cor_json_find(&root, key, &judges) || !cor_json_find(&judges, s->target.text, &member))
        return;
    cor_json_open_object(writer, key);
    cor_json_put_value(writer, member.key, &member);
    cor_json_close(writer);
}

static void put_example(const struct shrinker *s, struct cor_json_writer *writer) {
    const struct cor_system_experiment *experiment = s->experiment;
    if (experiment->parameter_count == 0)
        return;
    cor_json_open_object(writer, "examples");
    for (uint32_t p = 0; p < experiment->parameter_count; p++) {
        cor_json_open_array(writer, experiment->parameters[p].name);
        cor_json_put_text(writer, NULL, experiment->parameters[p].texts[s->entry->levels[p]]);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_as_it_is(const struct shrinker *s, const char *key, struct cor_json_writer *writer) {
    const struct cor_json root = cor_json_root(s->experiment->document);
    struct cor_json member;
    if (cor_json_find(&root, key, &member))
        cor_json_put_value(writer, key, &member);
}

/* Does a command that is left name it? */
static bool is_named(const struct shrinker *s, const bool *gone, const char *identity) {
    for (uint32_t p = 0; p < s->part_count; p++) {
        const struct cor_json command = cor_json_root(s->parts[p].command);
        for (size_t i = 1; i < cor_json_size(&command) && !gone[p]; i++) {
            const struct cor_json item = cor_json_at(&command, i);
            const char *text;
            if (cor_json_is_string(&item) && cor_json_string(&item, &text, NULL) == COR_OK &&
                strcmp(text, identity) == 0)
                return true;
        }
    }
    return false;
}

/* Entities of the file, and those that only commands name (goals chose them during the run). */
static enum cor_status put_entities(const struct shrinker *s, const bool *gone,
                                    struct cor_json_writer *writer, struct cor_error *error) {
    const struct cor_json root = cor_json_root(s->experiment->document);
    struct cor_json entities, member;
    const bool has_some = cor_json_find(&root, "entities", &entities);
    uint64_t count;
    const uint64_t first =
        cor_layer_rows_of(&s->tables, COR_SYSTEM_TABLE_ENTITIES, s->asked->arm, s->asked->suite, &count);
    cor_json_open_object(writer, "entities");
    for (size_t i = 0; has_some && i < cor_json_size(&entities); i++) {
        const struct cor_json item = cor_json_at(&entities, i);
        cor_json_put_value(writer, item.key, &item);
    }
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_system_entity_row *row = cor_layer_row(&s->tables, COR_SYSTEM_TABLE_ENTITIES, i);
        char *identity = cor_format("%.*s", (int)row->identity_bytes,
                                    text_of(s, row->identity_start, row->identity_bytes));
        COR_TRY(cor_made(identity, error));
        if (is_named(s, gone, identity) && !(has_some && cor_json_find(&entities, identity, &member)))
            cor_json_put_string(writer, identity, name_of(s, COR_SYSTEM_CATALOG_TYPE, row->type));
        free(identity);
    }
    cor_json_close(writer);
    return COR_OK;
}

/* What the arm says in place of the file. */
static bool find_of_arm(const struct shrinker *s, const char *key, struct cor_json *found) {
    const struct cor_json root = cor_json_root(s->experiment->document);
    struct cor_json arms;
    if (!cor_json_find(&root, "arms", &arms))
        return false;
    const struct cor_json arm = cor_json_at(&arms, s->asked->arm);
    return cor_json_find(&arm, key, found) && !cor_json_is_null(found);
}

/* How the goal that fails is gone about: its policy; and the budget, of the whole goal alone. */
static void put_choice(const struct shrinker *s, const struct cor_json *agent,
                       struct cor_json_writer *writer) {
    const bool is_whole = s->fragment == &s->fragments.items[s->fragments.count - 1];
    struct cor_json member, of_arm;
    if (find_of_arm(s, "policy", &member) || cor_json_find(agent, "policy", &member))
        cor_json_put_value(writer, "policy", &member);
    if (cor_json_find(agent, "patience", &member))
        cor_json_put_value(writer, "patience", &member);
    if (is_whole && !find_of_arm(s, "goal", &of_arm) && cor_json_find(agent, "budget", &member))
        cor_json_put_value(writer, "budget", &member);
}

static enum cor_status put_agents(struct shrinker *s, const bool *gone, struct cor_json_writer *writer,
                                  struct cor_error *error) {
    const struct cor_json root = cor_json_root(s->experiment->document);
    const bool asserts = is_assert(s);
    struct cor_json tests, agents, name, goal;
    COR_TRY(cor_json_need(&root, "tests", &tests, error));
    const struct cor_json test = cor_json_at(&tests, s->entry->test);
    COR_TRY(cor_json_need(&test, "agents", &agents, error));
    cor_json_open_array(writer, "agents");
    for (size_t a = 0; a < cor_json_size(&agents); a++) {
        const struct cor_json agent = cor_json_at(&agents, a);
        const char *actor;
        COR_TRY(cor_json_need(&agent, "name", &name, error));
        COR_TRY(cor_json_string(&name, &actor, error));
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "name", actor);
        if (!cor_json_find(&agent, "goal", &goal))
            cor_json_put_bool(writer, "observer", true);
        else
            COR_TRY(put_goal(s, gone, actor,
                             asserts && s->target.actor && strcmp(s->target.actor, actor) == 0, writer,
                             error));
        if (s->fragment && strcmp(s->target.actor, actor) == 0)
            put_choice(s, &agent, writer);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    return COR_OK;
}

/* The word of NAME, or NAME(..), in a text. */
static bool is_used(const char *text, const char *key) {
    char name[256];
    const size_t length = strcspn(key, "(");
    if (length >= sizeof name)
        return true;
    memcpy(name, key, length);
    name[length] = '\0';
    return system_layer__has_word(text, name);
}

/* What the goal that fails uses: named goals, and those in them; the model, where it plans. */
static enum cor_status put_definitions(const struct shrinker *s, struct cor_json_writer *writer,
                                       struct cor_error *error) {
    const struct cor_json root = cor_json_root(s->experiment->document);
    struct cor_json goals;
    enum cor_status status = COR_OK;
    char *text = cor_json_text(&s->fragment->goal), *key = NULL;
    const size_t count = cor_json_find(&root, "goals", &goals) ? cor_json_size(&goals) : 0;
    bool *is_needed = cor_calloc(count + 1, sizeof *is_needed), moved = true, is_open = false;
    if (!text || !is_needed)
        COR_TRY_OUT(cor_fail_memory(error));
    while (moved) {
        moved = false;
        for (size_t g = 0; g < count; g++) {
            const struct cor_json goal = cor_json_at(&goals, g);
            if (is_needed[g] || !is_used(text, goal.key))
                continue;
            is_needed[g] = moved = true;
            COR_TRY_OUT(cor_made(text = cor_join_take(text, " ", cor_json_text(&goal)), error));
        }
    }
    if (system_layer__has_word(text, "plan"))
        put_as_it_is(s, "model", writer);
    if (s->fragment->parameters) {
        COR_TRY_OUT(cor_made(key = cor_format("judged(%s)", s->fragment->parameters), error));
        cor_json_open_object(writer, "goals");
        is_open = true;
        cor_json_put_value(writer, key, &s->fragment->goal);
    }
    for (size_t g = 0; g < count; g++) {
        const struct cor_json goal = cor_json_at(&goals, g);
        if (!is_needed[g])
            continue;
        if (!is_open)
            cor_json_open_object(writer, "goals");
        is_open = true;
        cor_json_put_value(writer, goal.key, &goal);
    }
    if (is_open)
        cor_json_close(writer);
out:
    free(key);
    free(text);
    free(is_needed);
    return status;
}

static enum cor_status put_test(struct shrinker *s, const bool *gone, const struct system_layer__world *world,
                                struct cor_json_writer *writer, struct cor_error *error) {
    int64_t cycles = 2; /* what an assert takes, and one that looks */
    for (uint32_t p = 0; p < s->part_count; p++)
        cycles += !gone[p] && s->parts[p].turn != COR_TURN_SET_UP;
    if (s->fragment) /* a goal has the time that it had; one that is stalled waits for as long */
        cycles = s->test->cycles;
    cor_json_open_object(writer, NULL);
    cor_json_open_object(writer, "system");
    world->maker->put(world, writer);
    cor_json_close(writer);
    cor_json_put_word(writer, "seed", s->experiment->head.seed);
    COR_TRY(put_entities(s, gone, writer, error));
    put_as_it_is(s, "states", writer);
    put_judge(s, "always", COR_JUDGE_INVARIANT, writer);
    put_judge(s, "formulas", COR_JUDGE_FORMULA, writer);
    put_example(s, writer);
    if (s->fragment)
        COR_TRY(put_definitions(s, writer, error));
    if (s->call) {
        char *key = cor_format("judged(%s)", s->call->parameters);
        COR_TRY(cor_made(key, error));
        cor_json_open_object(writer, "goals");
        enum cor_status status = COR_OK;
        if (s->target.is_behind) {
            const struct cor_json command = cor_json_root(s->parts[s->target.part].command);
            status = put_do(writer, key, &command, s->target.text, error);
        } else
            put_goal_of(writer, key, "assert", s->target.text);
        cor_json_close(writer);
        free(key);
        COR_TRY(status);
    }
    cor_json_open_array(writer, "tests");
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "name", s->test->name);
    cor_json_put_integer(writer, "cycles", cycles);
    COR_TRY(put_setup(s, gone, writer));
    COR_TRY(put_agents(s, gone, writer, error));
    cor_json_close(writer);
    cor_json_close(writer);
    cor_json_close(writer);
    return COR_OK;
}

static enum cor_status write_test(struct shrinker *s, const bool *gone,
                                  const struct system_layer__world *world, int indent, char **text,
                                  struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    const enum cor_status status = put_test(s, gone, world, writer, error);
    if (status == COR_OK)
        return cor_json_text_take(writer, indent, text, error);
    cor_json_writer_destroy(writer);
    return status;
}

/* ---- does it fail alike? */

static bool note_why(struct shrinker *s, uint64_t start, uint32_t bytes) {
    size_t size;
    const char *texts = cor_record_items(s->record, COR_SYSTEM_VECTOR_TEXT, &size);
    if (start + bytes <= size)
        snprintf(s->why, sizeof s->why, "%.*s", (int)bytes, bytes > 0 ? texts + start : "");
    return true;
}

static bool is_reason(struct shrinker *s, uint64_t start, uint32_t bytes) {
    size_t size;
    const char *texts = cor_record_items(s->record, COR_SYSTEM_VECTOR_TEXT, &size);
    return start + bytes <= size && is_reason_of(s, bytes > 0 ? texts + start : "", bytes);
}

/* Is the candidate's goal the target? One of a named goal with parameters is called by its use. */
static bool is_target(const struct shrinker *s, const char *goal) {
    const struct system_layer__fragment *fragment = s->fragment;
    static const char head[] = "judged(";
    const size_t length = fragment && fragment->parameters ? strlen(fragment->arguments) : 0;
    return strcmp(goal, s->target.goal) == 0 ||
           (fragment && fragment->parameters && strncmp(goal, head, strlen(head)) == 0 &&
            strncmp(goal + strlen(head), fragment->arguments, length) == 0 &&
            strcmp(goal + strlen(head) + length, ")") == 0);
}

/* The same test agent does not come to the same goal's end, for the same reason. */
static bool ends_alike(struct shrinker *s, const struct cor_system_experiment *candidate) {
    const struct cor_words *names = candidate->names;
    bool ends = false, is_goal = !s->target.goal;
    for (size_t i = 0; i < cor_record_size(s->record, COR_SYSTEM_TABLE_AGENTS); i++) {
        const struct cor_system_agent_row *row = cor_record_at(s->record, COR_SYSTEM_TABLE_AGENTS, i);
        const char *actor = cor_words_text(&names[COR_SYSTEM_NAMES_AGENT], row->test_agent);
        ends = ends || (row->end == (uint8_t)s->target.end && strcmp(actor, s->target.actor) == 0 &&
                        is_reason(s, row->why_start, row->why_bytes));
    }
    for (size_t i = 0; i < cor_record_size(s->record, COR_SYSTEM_TABLE_GOALS) && !is_goal; i++) {
        const struct cor_system_goal_row *row = cor_record_at(s->record, COR_SYSTEM_TABLE_GOALS, i);
        is_goal =
            row->end == COR_GOAL_FAILED && is_reason(s, row->why_start, row->why_bytes) &&
            strcmp(cor_words_text(&names[COR_SYSTEM_NAMES_AGENT], row->test_agent), s->target.actor) == 0 &&
            is_target(s, cor_words_text(&names[COR_SYSTEM_NAMES_GOAL], row->goal));
    }
    return ends && is_goal;
}

static bool fails_alike(struct shrinker *s, const struct cor_system_experiment *candidate) {
    const struct cor_system_test_row *test = cor_record_at(s->record, COR_SYSTEM_TABLE_TESTS, 0);
    if (s->target.end != 0) {
        snprintf(s->why, sizeof s->why, "%s", s->target.reason);
        return test->verdict == (uint8_t)s->target.verdict && ends_alike(s, candidate);
    }
    if (s->target.trouble != 0) {
        if (test->verdict != COR_TEST_TROUBLE || test->trouble != (uint8_t)s->target.trouble)
            return false;
        return note_why(s, test->why_start, test->why_bytes);
    }
    for (size_t i = 0; i < cor_record_size(s->record, COR_SYSTEM_TABLE_VERDICTS); i++) {
        const struct cor_system_verdict_row *row = cor_record_at(s->record, COR_SYSTEM_TABLE_VERDICTS, i);
        const char *check = cor_words_text(&candidate->names[COR_SYSTEM_NAMES_CHECK], row->check);
        if (row->verdict != COR_VERDICT_FAILED || row->judge != (uint8_t)s->target.judge ||
            strcmp(check, s->target.text) != 0)
            continue;
        /* A formula that commands violated for good is not one that waits when a shorter test ends. */
        if (s->target.judge == COR_JUDGE_FORMULA && s->target.cycle > 0 && row->cycle == 0)
            continue;
        return note_why(s, row->why_start, row->why_bytes);
    }
    return false;
}

static enum cor_status carry_out(struct shrinker *s, const struct cor_system_experiment *candidate,
                                 bool *stays, struct cor_error *error) {
    struct system_layer__rig *rig = NULL;
    struct cor_suite_counts tally;
    if (s->is_careful)
        cor_world_programs_part(s->experiment->programs);
    COR_TRY(system_layer__rig_create(candidate, 0, 0, NULL, &rig, error));
    cor_record_begin(s->record, 0, 0);
    const enum cor_status status = system_layer__run(rig, 0, NULL, s->record, &tally, error);
    *stays = status == COR_OK && fails_alike(s, candidate);
    if (status == COR_OK)
        s->replies = ((const struct cor_system_test_row *)cor_record_at(s->record, COR_SYSTEM_TABLE_TESTS, 0))
                         ->replies;
    system_layer__rig_destroy(rig);
    return status;
}

/* The commands that are left, in that world. What cannot be read, since what it names is gone, is not
 * `known`. */
static enum cor_status try_in(struct shrinker *s, const bool *gone, const struct system_layer__world *world,
                              bool *known, bool *fails, struct cor_error *error) {
    struct cor_system_experiment *candidate = NULL;
    const struct cor_layer_options options = {.isolation = s->asked->isolation};
    struct cor_error said = COR_NO_ERROR;
    char *text = NULL;
    *known = *fails = false;
    s->tries.count++;
    COR_TRY(write_test(s, gone, world, 0, &text, error));
    enum cor_status status = system_layer__experiment_parse(text, s->experiment->head.path, &options,
                                                            s->experiment->programs, &candidate, &said);
    *known = status == COR_OK;
    if (status == COR_OK)
        status = carry_out(s, candidate, fails, error);
    else if (status == COR_STATUS_INPUT)
        status = COR_OK;
    else
        status = cor_fail(error, status, said.place, said.remedy, "%s", said.cause);
    cor_system_experiment_destroy(candidate);
    free(text);
    return status;
}

/* Does it fail alike in that world, and not in the sound one without the same things? */
static enum cor_status try(struct shrinker *s, const bool *gone, const bool *gone_things,
                           const struct system_layer__world *world, bool *stays, struct cor_error *error) {
    struct system_layer__world *sound = NULL;
    uint32_t left = 0;
    bool known, fails;
    *stays = false;
    for (uint32_t p = 0; p < s->part_count; p++)
        left += !gone[p];
    s->tries.is_stopped = !cor_tries_go_on(&s->tries, 1) ||
                          (s->asked->go_on && !s->asked->go_on(s->asked->self, s->tries.count, left));
    if (s->tries.is_stopped || (s->target.part != COR_NONE && gone[s->target.part]))
        return COR_OK;
    COR_TRY(try_in(s, gone, world, &known, stays, error));
    if (!*stays || !s->sound)
        return COR_OK;
    char why[sizeof s->why];
    memcpy(why, s->why, sizeof why);
    if (s->thing_count > 0)
        COR_TRY(s->sound->maker->leave_out(s->sound, s->base, gone_things, &sound, error));
    const enum cor_status status = try_in(s, gone, sound ? sound : s->sound, &known, &fails, error);
    system_layer__world_destroy(sound);
    memcpy(s->why, why, sizeof why);
    *stays = status == COR_OK && known && !fails;
    return status;
}

static const struct system_layer__world *world_of(const struct shrinker *s) {
    return s->world ? s->world : s->base;
}

static enum cor_status try_commands(void *self, bool *gone, bool *stays, struct cor_error *error) {
    struct shrinker *s = self;
    return try(s, gone, s->gone_things, world_of(s), stays, error);
}

static enum cor_status try_things(void *self, bool *gone, bool *stays, struct cor_error *error) {
    struct shrinker *s = self;
    struct system_layer__world *smaller = NULL;
    struct cor_error said = COR_NO_ERROR;
    enum cor_status status = s->base->maker->leave_out(s->base, s->base, gone, &smaller, &said);
    *stays = false;
    if (status == COR_STATUS_INPUT)
        return COR_OK;
    if (status != COR_OK)
        return cor_fail(error, status, said.place, said.remedy, "%s", said.cause);
    status = try(s, s->gone, gone, smaller, stays, error);
    if (status == COR_OK && *stays) {
        system_layer__world_destroy(s->world);
        s->world = smaller;
    } else
        system_layer__world_destroy(smaller);
    return status;
}

/* ---- passes */

/* Does a walk come back to where it was? */
static bool is_same_cell(const void *self, uint32_t from, uint32_t to) {
    const struct shrinker *s = self;
    const uint32_t *cell = s->parts[from].cell;
    return cell[0] != COR_NONE && memcmp(cell, s->parts[to].cell, sizeof s->parts[to].cell) == 0;
}

static enum cor_status minimize(struct shrinker *s, struct cor_error *error) {
    const struct cor_minimizing commands = {.count = s->part_count,
                                            .try = try_commands,
                                            .self = s,
                                            .gone = s->gone,
                                            .tries = &s->tries,
                                            .owner = s->actor,
                                            .pairs_most = PAIRS_MOST,
                                            .is_loop = is_same_cell};
    const struct cor_minimizing things = {
        .count = s->thing_count, .try = try_things, .self = s, .gone = s->gone_things};
    bool moved = true, pairs_moved, things_moved = false;
    COR_TRY(cor_minimize(&commands, COR_MINIMIZE_LOOPS, &moved, error));
    moved = true;
    while (moved && !s->tries.is_stopped) {
        COR_TRY(cor_minimize(&commands, COR_MINIMIZE_SET, &moved, error));
        COR_TRY(cor_minimize(&commands, COR_MINIMIZE_PAIRS, &pairs_moved, error));
        moved = moved || pairs_moved;
        if (s->thing_count > 0 && s->base->maker->leave_out)
            COR_TRY(cor_minimize(&things, COR_MINIMIZE_SET, &things_moved, error));
        moved = moved || things_moved;
    }
    return COR_OK;
}

/* Does the world that went on from one test to the next still show what it showed when it was new? And does
 * what is left fail alike in a fresh one? */
static enum cor_status settle(struct shrinker *s, const bool *begun, bool *settled, struct cor_error *error) {
    bool known, fails;
    COR_TRY(try_in(s, begun, s->base, &known, settled, error));
    if (!*settled || s->replies != s->replies_begun) {
        *settled = false;
        return COR_OK;
    }
    s->is_careful = true;
    COR_TRY(try_in(s, s->gone, world_of(s), &known, &fails, error));
    *settled = fails;
    return COR_OK;
}

/* In worlds that go on from one test to the next; where one remembers, all once more with care. */
static enum cor_status minimize_settled(struct shrinker *s, struct cor_error *error) {
    bool *begun = cor_calloc(s->part_count + 1, sizeof *begun), settled;
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(begun, error));
    memcpy(begun, s->gone, s->part_count * sizeof *begun);
    settled = s->base->maker != &system_layer__program_maker; /* the others are made anew for each */
    s->is_careful = false;
    COR_TRY_OUT(minimize(s, error));
    if (!settled)
        COR_TRY_OUT(settle(s, begun, &settled, error));
    if (settled)
        goto out;
    s->is_careful = true;
    memcpy(s->gone, begun, s->part_count * sizeof *begun);
    memset(s->gone_things, 0, s->thing_count * sizeof *s->gone_things);
    system_layer__world_destroy(s->world);
    s->world = NULL;
    COR_TRY_OUT(minimize(s, error));
out:
    free(begun);
    return status;
}

/* ---- the whole */

/* Is the command an action on an entity? */
static bool is_on_entity(const struct cor_world_declaration *declaration, const struct part *part) {
    const struct cor_json command = cor_json_root(part->command);
    struct cor_json verb;
    const char *word;
    if (!cor_json_find(&command, "do", &verb) || cor_json_string(&verb, &word, NULL) != COR_OK)
        return false;
    for (uint32_t a = 0; a < declaration->action_count; a++)
        for (uint32_t p = 0; p < declaration->actions[a].parameter_count; p++)
            if (!declaration->actions[a].parameters[p].domain &&
                strcmp(declaration->actions[a].name, word) == 0)
                return true;
    return false;
}

/* What an assert is said of: the command that was done when it was judged, or else the last one on an entity
 * before. Without it any state that the assert is not meant for would do. */
static enum cor_status find_command(struct shrinker *s, struct cor_error *error) {
    struct system_layer__rig *rig = NULL;
    uint32_t last = COR_NONE;
    if (!is_assert(s) || !s->target.actor)
        return COR_OK;
    COR_TRY(system_layer__rig_create(s->experiment, s->asked->arm,
                                     (uint32_t)(s->entry - s->experiment->entries), NULL, &rig, error));
    for (uint32_t p = 0; p < s->part_count; p++) {
        const struct part *part = &s->parts[p];
        if (part->turn == COR_TURN_SET_UP || strcmp(part->actor, s->target.actor) != 0 ||
            part->cycle > s->target.cycle)
            continue;
        const bool is_now = part->cycle == s->target.cycle;
        if (is_now && is_look(part))
            s->gone[p] = true; /* the assert itself */
        else if (is_now) {
            s->target.part = p;
            s->target.is_behind = true;
        } else if (is_on_entity(rig->declaration, part))
            last = p;
    }
    if (!s->target.is_behind)
        s->target.part = last;
    system_layer__rig_destroy(rig);
    return COR_OK;
}

/* What the test agent wanted, in parts. */
static enum cor_status list_fragments(struct shrinker *s, struct cor_error *error) {
    const struct cor_json root = cor_json_root(s->experiment->document);
    struct cor_json tests, agents, name, goal, goals;
    const bool has_goals = cor_json_find(&root, "goals", &goals);
    COR_TRY(cor_json_need(&root, "tests", &tests, error));
    const struct cor_json test = cor_json_at(&tests, s->entry->test);
    COR_TRY(cor_json_need(&test, "agents", &agents, error));
    for (size_t a = 0; a < cor_json_size(&agents); a++) {
        const struct cor_json agent = cor_json_at(&agents, a);
        const char *actor;
        COR_TRY(cor_json_need(&agent, "name", &name, error));
        COR_TRY(cor_json_string(&name, &actor, error));
        if (strcmp(actor, s->target.actor) != 0)
            continue;
        if (!find_of_arm(s, "goal", &goal))
            COR_TRY(cor_json_need(&agent, "goal", &goal, error));
        return system_layer__fragments_list(&goal, has_goals ? &goals : NULL, &s->fragments, error);
    }
    return COR_OK;
}

/* A goal that became current in cycle `begun`, as the file has it, behind the commands before; the first text
 * with which it fails alike. `name` NULL: the whole goal. */
static enum cor_status begin_with(struct shrinker *s, const char *name, uint32_t begun, bool *fails,
                                  struct cor_error *error) {
    bool known;
    s->name = name ? name : "as a whole";
    for (uint32_t p = 0; p < s->part_count; p++)
        s->gone[p] = s->parts[p].turn != COR_TURN_SET_UP && s->parts[p].cycle >= begun &&
                     strcmp(s->parts[p].actor, s->target.actor) == 0;
    for (size_t f = 0; f < s->fragments.count && !*fails; f++) {
        s->fragment = &s->fragments.items[f];
        if (name ? system_layer__fragment_may_be(&s->fragment->goal, name) : f + 1 == s->fragments.count)
            COR_TRY(try_in(s, s->gone, s->base, &known, fails, error));
    }
    return COR_OK;
}

/* The goals that failed for that reason in the end, from the inmost on: the first that does behind commands.
 */
static enum cor_status begin_with_failed(struct shrinker *s, bool *fails, struct cor_error *error) {
    uint64_t count;
    const uint64_t first =
        cor_layer_rows_of(&s->tables, COR_SYSTEM_TABLE_GOALS, s->asked->arm, s->asked->suite, &count);
    for (uint64_t i = first; i < first + count && !*fails; i++) {
        const struct cor_system_goal_row *row = cor_layer_row(&s->tables, COR_SYSTEM_TABLE_GOALS, i);
        const char *actor = name_of(s, COR_SYSTEM_CATALOG_AGENT, row->test_agent);
        if (row->end != COR_GOAL_FAILED || strcmp(actor, s->target.actor) != 0 ||
            !is_reason_of(s, text_of(s, row->why_start, row->why_bytes), row->why_bytes))
            continue;
        s->target.goal = name_of(s, COR_SYSTEM_CATALOG_GOAL, row->goal);
        COR_TRY(begin_with(s, s->target.goal, row->begun, fails, error));
    }
    return COR_OK;
}

/* The goal that it was at, while it waited until the end. */
static enum cor_status begin_with_stalled(struct shrinker *s, bool *fails, struct cor_error *error) {
    uint64_t count;
    const char *name = NULL;
    uint32_t begun = 0;
    const uint64_t first =
        cor_layer_rows_of(&s->tables, COR_SYSTEM_TABLE_CYCLES, s->asked->arm, s->asked->suite, &count);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_system_cycle_row *row = cor_layer_row(&s->tables, COR_SYSTEM_TABLE_CYCLES, i);
        if (strcmp(name_of(s, COR_SYSTEM_CATALOG_AGENT, row->test_agent), s->target.actor) != 0)
            continue;
        if (row->turn != COR_TURN_WAITED)
            name = NULL;
        else if (!name) {
            name = name_of(s, COR_SYSTEM_CATALOG_GOAL, row->goal);
            begun = row->cycle;
        }
    }
    return name ? begin_with(s, name, begun, fails, error) : COR_OK;
}

/* Behind which commands which goal fails alike: none for who can do nothing any more; in the end the whole
 * goal, which no command of its test agent comes before. */
static enum cor_status begin_with_goals(struct shrinker *s, bool *fails, struct cor_error *error) {
    bool known;
    *fails = false;
    if (strcmp(s->target.reason, SYSTEM_LAYER__DEAD) == 0)
        COR_TRY(try_in(s, s->gone, s->base, &known, fails, error));
    if (*fails)
        return COR_OK;
    COR_TRY(list_fragments(s, error));
    COR_TRY(s->target.end == COR_GOAL_FAILED ? begin_with_failed(s, fails, error)
                                             : begin_with_stalled(s, fails, error));
    if (*fails)
        return COR_OK;
    s->target.goal = NULL;
    return begin_with(s, NULL, 0, fails, error);
}

static enum cor_status begin_in(struct shrinker *s, bool *fails, struct cor_error *error) {
    bool known;
    if (s->target.end != 0)
        return begin_with_goals(s, fails, error);
    for (uint32_t c = 0; c < s->call_count; c++) {
        s->call = &s->calls[c];
        COR_TRY(try_in(s, s->gone, s->base, &known, fails, error));
        if (*fails)
            return COR_OK;
    }
    s->call = NULL;
    return try_in(s, s->gone, s->base, &known, fails, error);
}

/* All commands, and where the assert is read. */
static enum cor_status begin(struct shrinker *s, bool *stays, struct cor_error *error) {
    bool known, fails;
    COR_TRY(find_command(s, error));
    for (uint32_t p = 0; p < s->part_count; p++)
        s->part_count_before += !s->gone[p];
    COR_TRY(list_calls(s, error));
    COR_TRY(begin_in(s, stays, error));
    s->replies_begun = s->replies;
    if (!*stays || s->base == s->experiment->world)
        return COR_OK;
    char why[sizeof s->why];
    memcpy(why, s->why, sizeof why);
    COR_TRY(try_in(s, s->gone, s->experiment->world, &known, &fails, error));
    memcpy(s->why, why, sizeof why);
    if (known && !fails)
        s->sound = s->experiment->world;
    return COR_OK;
}

#define NAMED_MOST 20

/* "press(b1), the goal, button b1, wall 3,4": the commands in their order, the goal that fails, things. */
static enum cor_status list_needed(const struct shrinker *s, char **list, struct cor_error *error) {
    uint32_t more = 0, named = 0;
    char *made = cor_strdup("");
    for (uint32_t p = 0; p < s->part_count && made; p++) {
        if (s->gone[p])
            continue;
        if (named++ >= NAMED_MOST) {
            more++;
            continue;
        }
        const struct cor_json command = cor_json_root(s->parts[p].command);
        made = cor_join_take(made, ", ", command_text(&command));
    }
    if (made && more > 0)
        made = cor_join_take(made, ", ", cor_format("%u more commands", more));
    if (made && s->fragment)
        made = cor_join_take(made, ", ", cor_format("the goal %s", s->name));
    more = named = 0;
    for (uint32_t t = 0; t < s->thing_count && made; t++) {
        char name[200];
        if (s->gone_things[t])
            continue;
        if (named++ >= NAMED_MOST) {
            more++;
            continue;
        }
        s->base->maker->name_thing(s->base, t, name, sizeof name);
        made = cor_join_take(made, ", ", cor_strdup(name));
    }
    if (made && more > 0)
        made = cor_join_take(made, ", ", cor_format("%u more things", more));
    *list = made;
    return cor_made(made, error);
}

static enum cor_status report_on(struct shrinker *s, bool stays, struct cor_system_shrink_report *report,
                                 struct cor_error *error) {
    report->check = s->target.check;
    s->target.check = NULL;
    report->commands_before = s->part_count_before;
    report->things_before = s->thing_count;
    report->executions = s->tries.count;
    report->is_minimal = stays && !s->tries.is_stopped;
    for (uint32_t p = 0; p < s->part_count; p++)
        report->commands += !s->gone[p];
    for (uint32_t t = 0; t < s->thing_count; t++)
        report->things += !s->gone_things[t];
    COR_TRY(list_needed(s, &report->needed, error));
    if (!stays) {
        report->said = cor_format("The commands of the test alone do not fail alike (%s): what is judged "
                                  "depends on the goals, or the failure does not repeat.",
                                  report->check);
        return cor_made(report->said, error);
    }
    COR_TRY(write_test(s, s->gone, world_of(s), 1, &report->test, error));
    report->said = cor_format(
        "%u of %u commands and %u of %u things of the world are left after %llu executions: %s%s%s.\n"
        "These must be there: %s.\n%s",
        report->commands, report->commands_before, report->things, report->things_before,
        (unsigned long long)report->executions, report->check, s->why[0] ? ": " : "", s->why,
        report->needed[0] ? report->needed : "none of them",
        !report->is_minimal              ? "More might be left out: it was stopped before."
        : report->commands <= PAIRS_MOST ? "No command and no thing can be left out, nor two commands."
                                         : "No command and no thing can be left out.");
    if (report->said && s->why[0] && s->why[strlen(s->why) - 1] == '.') { /* one full stop */
        char *twice = strstr(report->said, "..\n");
        if (twice)
            memmove(twice + 1, twice + 2, strlen(twice + 2) + 1);
    }
    return cor_made(report->said, error);
}

static void fini_shrinker(struct shrinker *s) {
    for (uint32_t p = 0; p < s->part_count; p++)
        cor_json_destroy(s->parts[p].command);
    for (uint32_t c = 0; c < s->call_count; c++) {
        free(s->calls[c].parameters);
        free(s->calls[c].arguments);
    }
    free(s->parts);
    free(s->actor);
    free(s->gone);
    free(s->gone_things);
    free(s->target.check);
    free(s->target.reason);
    system_layer__fragments_fini(&s->fragments);
    system_layer__world_destroy(s->world);
    cor_record_destroy(s->record);
    cor_layer_tables_fini(&s->tables);
}

enum cor_status cor_system_shrink(struct cor_result *result, const char *path,
                                  const struct cor_system_shrink_definition *definition,
                                  struct cor_system_shrink_report *report, struct cor_error *error) {
    struct shrinker s = {.asked = definition, .target.part = COR_NONE, .tries.most = definition->budget};
    struct cor_opened opened = {0};
    uint64_t count;
    bool stays = false;
    enum cor_status status = COR_OK;
    *report = (struct cor_system_shrink_report){0};
    COR_TRY(cor_open_stored(result, path, definition->trust,
                            &(struct cor_layer_options){.isolation = definition->isolation}, &opened, error));
    s.experiment = (const struct cor_system_experiment *)opened.experiment;
    COR_TRY_OUT(cor_layer_tables_init(result, COR_ALL_TABLES, COR_ALL_VECTORS, &s.tables, error));
    const uint64_t row =
        cor_layer_rows_of(&s.tables, COR_SYSTEM_TABLE_TESTS, definition->arm, definition->suite, &count);
    if (count != 1 || definition->arm >= s.experiment->head.arm_count)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, "--failure", "name one that is in it",
                             "there is no test %u of this arm in the file", definition->suite));
    const struct cor_system_arm *arm = &s.experiment->arms[definition->arm];
    s.base = arm->changed ? arm->changed : s.experiment->world;
    s.entry = &s.experiment->entries[definition->suite % s.experiment->entry_count];
    s.test = &s.experiment->tests[s.entry->test];
    s.thing_count = s.base->maker->count_things ? s.base->maker->count_things(s.base) : 0;
    COR_TRY_OUT(cor_made(s.gone_things = cor_calloc(s.thing_count + 1, sizeof *s.gone_things), error));
    COR_TRY_OUT(cor_record_create(&cor_system_schema, &s.record, error));
    COR_TRY_OUT(find_target(&s, cor_layer_row(&s.tables, COR_SYSTEM_TABLE_TESTS, row), error));
    COR_TRY_OUT(read_parts(&s, error));
    s.is_careful = true;
    COR_TRY_OUT(begin(&s, &stays, error));
    if (stays)
        COR_TRY_OUT(minimize_settled(&s, error));
    COR_TRY_OUT(report_on(&s, stays, report, error));
out:
    fini_shrinker(&s);
    cor_opened_fini(&opened);
    return status;
}

void cor_system_shrink_report_fini(struct cor_system_shrink_report *report) {
    free(report->test);
    free(report->said);
    free(report->needed);
    free(report->check);
    *report = (struct cor_system_shrink_report){0};
}
