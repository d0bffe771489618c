/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Corridors as texts: what is refused, in exactly which words (tests/invalid/cases.txt); what is said of a
 * state; and that no text, however it came about, does harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/corridor.h>
#include <corridor/rng.h>

#include "invalid_corpus.h"
#include "judge_states.h"

#define CORPUS TEST_SOURCE_DIR "/oracle/corridor/tests/invalid"

static long texts = 20000; /* random ones */

static enum cor_status read_corridor(const char *path, struct cor_corridor **corridor,
                                     struct cor_error *error) {
    char *text;
    size_t length;
    *corridor = NULL;
    enum cor_status status = cor_json_read_text(path, &text, &length, error);
    if (status == COR_OK)
        status = cor_corridor_parse(text, path, corridor, error);
    free(text);
    assert_true((*corridor != NULL) == (status == COR_OK));
    return status;
}

/* A corridor, or states judged by the valid one. */
static enum cor_status try_file(const char *path, struct cor_error *error) {
    const bool is_states = strstr(path, ".json") != NULL;
    struct cor_corridor *corridor;
    const char *const about = strstr(path, "observed") ? "observed.corridor" : "valid.corridor";
    enum cor_status status = read_corridor(is_states ? about : path, &corridor, error);
    if (is_states) {
        struct judge_states states;
        struct cor_snapshot state;
        assert_int_equal(status, COR_OK);
        status = judge_states_read(path, &states, error);
        for (size_t i = 0; i < states.count && status == COR_OK; i++)
            status = judge_states_at(&states, i, corridor, &state, error);
        judge_states_fini(&states);
    }
    cor_corridor_destroy(corridor);
    return status;
}

static void corridors_are_refused_in_so_many_words(void **state) {
    (void)state;
    invalid_corpus(CORPUS "/cases.txt", 110, try_file);
}

static void what_they_were_made_of_is_valid(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(chdir(CORPUS), 0);
    if (try_file("valid.corridor", &error) != COR_OK || try_file("valid.json", &error) != COR_OK ||
        try_file("observed.corridor", &error) != COR_OK || try_file("observed.json", &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
}

static struct cor_corridor *corridor_of(const char *text) {
    struct cor_corridor *corridor;
    struct cor_error error = COR_NO_ERROR;
    if (cor_corridor_parse(text, "text", &corridor, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return corridor;
}

static void a_corridor_says_what_it_is(void **state) {
    (void)state;
    struct cor_corridor *corridor = corridor_of(
        "trigger late: all(o in organizations: o.level <= depth)\nparameter depth: integer 1..5 -- below\n"
        "structure tree\ntemporal returns: always\n  (late) -- soon\ntrigger late for 12\n");
    assert_int_equal(corridor->kind, COR_STRUCTURE_TREE);
    assert_int_equal(corridor->parameter_count, 1);
    assert_true(corridor->parameters[0].low == 1 && corridor->parameters[0].high == 5);
    assert_int_equal(corridor->constraint_count, 2);
    assert_int_equal(corridor->constraints[0].cases, 12);
    assert_int_equal(corridor->constraints[1].kind, COR_CONSTRAINT_TEMPORAL);
    assert_string_equal(corridor->constraints[1].text, "always\n  (late)        ");
    cor_corridor_destroy(corridor);
}

/* Looks at a state of agents without attributes; a list ends with a comma each: {0, 1, END, 2, END}. */
#define END UINT32_MAX
static void expect_kind(const char *kind, uint32_t agents, const uint32_t *members, size_t count,
                        const uint32_t *parents, const char *expected) {
    char *text = cor_format("structure %s", kind), said[4096] = "";
    struct cor_corridor *corridor = corridor_of(text);
    struct cor_corridor_judge *judge;
    struct cor_judgement judgement;
    struct cor_lists lists;
    cor_lists_init(&lists);
    for (size_t i = 0, from = 0; i < count; i++)
        if (members[i] == END) {
            assert_int_equal(cor_lists_put(&lists, members + from, i - from, NULL), COR_OK);
            from = i + 1;
        }
    const struct cor_snapshot state = {.agent_count = agents, .organizations = &lists, .parents = parents};
    assert_int_equal(cor_corridor_judge_create(corridor, &judge, NULL), COR_OK);
    assert_int_equal(cor_corridor_judge_look(judge, &state, &judgement, NULL), COR_OK);
    for (uint32_t v = 0; v < judgement.kept_count; v++) {
        const size_t length = strlen(said);
        cor_corridor_kind_text(corridor, &judgement.kept[v], said + length, sizeof said - length);
        strcat(said, "\n");
    }
    assert_string_equal(said, expected);
    cor_corridor_judge_destroy(judge);
    cor_corridor_destroy(corridor);
    cor_lists_fini(&lists);
    free(text);
}

#define LISTS(...) (const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)
#define PARENTS(...)     \
    (const uint32_t[]) { \
        __VA_ARGS__      \
    }

static void structures_of_other_kinds_are_told_why(void **state) {
    (void)state;
    expect_kind("partitioning", 3, LISTS(0, END, 0, 1, END), NULL,
                "Agent 0 occurs 2 times (last in partition 1), expected once.\n"
                "Agent 2 is in no partition, expected in exactly one.\n");
    expect_kind("covering", 3, LISTS(0, 1, END, 1, 1, 9, END, END), NULL,
                "Organization 2 has no members.\n"
                "Organization 1 lists agent 9, but the system has only 3 agents.\n"
                "Agent 1 occurs more than once in organization 1.\n"
                "Agent 2 is in no organization, expected in at least one.\n");
    expect_kind("overlapping", 3, LISTS(0, END, 0, END), NULL, "");
    expect_kind("hierarchy", 3, LISTS(0, END, 1, END, 2, END, END), PARENTS(3, 0, END, 1),
                "Organization 0 stands above itself: a cycle of 3 organizations.\n");
    expect_kind("hierarchy", 2, LISTS(END, 0, END, 1, 0, END), PARENTS(END, 0, 7),
                "Agent 0 occurs 2 times (last in organization 2), expected once.\n"
                "The parent of organization 2 is 7, but there are only 3.\n");
    expect_kind("hierarchy", 2, LISTS(0, END, 1, END, END), PARENTS(END, 0, 0),
                "Organization 2 has no members and no children.\n");
    expect_kind("tree", 3, LISTS(0, END, 1, END, 2, END), PARENTS(END, END, 1),
                "2 organizations have no parent, expected one.\n");
    expect_kind("tree", 1, LISTS(0, END), PARENTS(0),
                "Organization 0 stands above itself: a cycle of 1 organization.\n");
}

/* Words and signs of the language, one after the other. */
static char *random_text(struct cor_rng *rng) {
    static const char *const pieces[] = {"structure ",
                                         "tree\n",
                                         "covering\n",
                                         "attribute ",
                                         "parameter ",
                                         "define ",
                                         "invariant ",
                                         "trigger ",
                                         "temporal ",
                                         "x",
                                         "y",
                                         "a",
                                         "b",
                                         "o",
                                         ": ",
                                         "(",
                                         ")",
                                         ", ",
                                         " in ",
                                         " where ",
                                         "agents",
                                         "organizations",
                                         "o.members",
                                         "a.value",
                                         "a.type",
                                         "o.parent",
                                         "o.level",
                                         ".",
                                         "all(a in agents: ",
                                         "any(o in organizations: ",
                                         "sum(a in o.members: ",
                                         "count(",
                                         "min(",
                                         " and ",
                                         " or ",
                                         "not ",
                                         " implies ",
                                         " <= ",
                                         " = ",
                                         " + ",
                                         " * ",
                                         " / ",
                                         "1",
                                         "0.5",
                                         "'w'",
                                         "null",
                                         "true",
                                         "\n",
                                         "\n  ",
                                         "-- ",
                                         "[kW]",
                                         "real",
                                         "integer",
                                         "words ",
                                         "boolean",
                                         " 0 .. 9",
                                         " for ",
                                         "3",
                                         "'",
                                         "[",
                                         "\xc3\xbc",
                                         "\x01",
                                         "x(a)",
                                         "define x(a): ",
                                         "define y(b): x(x(",
                                         "@before",
                                         "attribute b of organizations: real\n",
                                         "o.b",
                                         "invariant i: "};
    char *text = cor_strdup(cor_rng_below(rng, 2) ? "structure tree\ndefine x(o): count(o.members)\n" : "");
    for (uint32_t i = (uint32_t)cor_rng_below(rng, 40); i > 0; i--)
        text =
            cor_join_take(text, "", cor_strdup(pieces[cor_rng_below(rng, sizeof pieces / sizeof *pieces)]));
    return text;
}

/* The valid corridor, a few of its bytes otherwise. */
static char *damaged_text(struct cor_rng *rng, const char *valid) {
    char *text = cor_strdup(valid);
    const uint32_t length = (uint32_t)strlen(text);
    for (uint32_t i = 1 + (uint32_t)cor_rng_below(rng, 4); i > 0; i--) {
        char *at = text + cor_rng_below(rng, length);
        const char *from = valid + cor_rng_below(rng, length);
        size_t count = 1 + cor_rng_below(rng, 12), room = length - (size_t)(at - text);
        count = count < room ? count : room;
        room = length - (size_t)(from - valid);
        memcpy(at, from, count < room ? count : room);
    }
    return text;
}

/* Asks all that a text asks of a small structure of which no values are known, and of the same after it. */
static void ask_all(const struct cor_corridor *corridor, const struct cor_lists *lists) {
    static const uint8_t unknown[3] = {1, 1, 1};
    static const uint32_t parents[] = {COR_NOBODY, 0};
    struct cor_attribute_values *columns = cor_calloc(corridor->attribute_count, sizeof *columns);
    struct cor_value *parameters = cor_calloc(corridor->parameter_count, sizeof *parameters);
    for (uint32_t a = 0; a < corridor->attribute_count; a++)
        columns[a].unknown = unknown;
    for (uint32_t p = 0; p < corridor->parameter_count; p++)
        parameters[p] = cor_null();
    struct cor_snapshot state = {.agent_count = 3,
                                 .organizations = lists,
                                 .parents = cor_structure_nests(corridor->kind) ? parents : NULL,
                                 .columns = columns,
                                 .parameters = parameters};
    const struct cor_snapshot before = state;
    struct cor_corridor_judge *judge;
    struct cor_judgement judgement;
    struct cor_unknown why;
    struct cor_breaches breaches;
    char text[2000];
    assert_int_equal(cor_corridor_judge_create(corridor, &judge, NULL), COR_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cor_corridor_judge_look(judge, &state, &judgement, NULL), COR_OK);
        for (uint32_t c = 0; c < corridor->constraint_count; c++) {
            if (corridor->constraints[c].kind == COR_CONSTRAINT_TEMPORAL)
                continue;
            const enum cor_truth truth = cor_corridor_ask(judge, c, &why);
            if (truth == COR_TRUTH_UNKNOWN)
                cor_corridor_unknown_text(corridor, c, &why, text, sizeof text);
            if (truth == COR_TRUTH_FALSE)
                cor_corridor_explain(judge, c, &breaches);
            assert_true(truth != COR_TRUTH_FALSE || breaches.count > 0);
        }
        state.before = &before;
    }
    cor_corridor_judge_destroy(judge);
    free(columns);
    free(parameters);
}

static void any_text_is_read_or_refused(void **state) {
    (void)state;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 31, .purpose = COR_PURPOSE_TEST});
    char *valid;
    size_t length;
    long accepted = 0;
    struct cor_lists lists;
    cor_lists_init(&lists);
    assert_int_equal(cor_lists_put(&lists, (const uint32_t[]){0, 1}, 2, NULL), COR_OK);
    assert_int_equal(cor_lists_put(&lists, (const uint32_t[]){2}, 1, NULL), COR_OK);
    assert_int_equal(chdir(CORPUS), 0);
    assert_int_equal(cor_json_read_text("valid.corridor", &valid, &length, NULL), COR_OK);
    for (long i = 0; i < texts; i++) {
        char *text = i % 2 ? random_text(&rng) : damaged_text(&rng, valid);
        struct cor_corridor *corridor;
        struct cor_error error = COR_NO_ERROR;
        const enum cor_status status = cor_corridor_parse(text, "text", &corridor, &error);
        assert_true(status == COR_OK ? corridor != NULL : error.cause[0] != '\0' && error.place[0] != '\0');
        accepted += status == COR_OK;
        if (status == COR_OK)
            ask_all(corridor, &lists);
        cor_corridor_destroy(corridor);
        free(text);
    }
    assert_true(accepted > texts / 100);
    cor_lists_fini(&lists);
    free(valid);
}

static void what_is_too_much_is_refused_at_once(void **state) {
    (void)state;
    struct cor_corridor *corridor;
    struct cor_error error = COR_NO_ERROR;
    const size_t size = 10u << 20;
    char *text = malloc(size + 1);
    memset(text, '(', size);
    text[size] = '\0';
    assert_int_equal(cor_corridor_parse(text, "text", &corridor, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "the corridor is too long: it has 10485760 bytes");
    text[1 << 17] = '\0';
    memcpy(text, "structure tree\ninvariant x: ", 28);
    error = COR_NO_ERROR;
    assert_int_equal(cor_corridor_parse(text, "text", &corridor, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "it is longer than 65536 bytes");
    text[1 << 15] = '\0';
    error = COR_NO_ERROR;
    assert_int_equal(cor_corridor_parse(text, "text", &corridor, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "it is nested more than 200 deep");
    /* Definitions that double each time make no nodes, and are not put in for ever. */
    size_t length = (size_t)sprintf(text, "structure tree\ndefine d0(x): x\n");
    for (int d = 1; d < 60; d++)
        length += (size_t)sprintf(text + length, "define d%d(x): d%d(d%d(x))\n", d, d - 1, d - 1);
    sprintf(text + length, "invariant x: d59(1) = 1\n");
    error = COR_NO_ERROR;
    assert_int_equal(cor_corridor_parse(text, "text", &corridor, &error), COR_STATUS_INPUT);
    assert_string_equal(
        error.cause, "definitions are put in more than 10000 times; \"d59\" is used in line 62, column 14");
    free(text);
}

/* Four queries over a thousand agents each are not gone through: the answer is unknown, not a guess. */
static void what_takes_too_long_is_unknown(void **state) {
    (void)state;
    enum { AGENTS = 1000 };
    struct cor_corridor *corridor = corridor_of("structure overlapping\ninvariant x: all(a in agents: all(b "
                                                "in agents: all(c in agents: all(d in agents: "
                                                "a = a))))\ninvariant y: any(a in agents: a = a)\n");
    struct cor_corridor_judge *judge;
    struct cor_judgement judgement;
    struct cor_unknown unknown;
    struct cor_lists lists;
    char text[200];
    cor_lists_init(&lists);
    const struct cor_snapshot structure = {.agent_count = AGENTS, .organizations = &lists};
    assert_int_equal(cor_corridor_judge_create(corridor, &judge, NULL), COR_OK);
    assert_int_equal(cor_corridor_judge_look(judge, &structure, &judgement, NULL), COR_OK);
    assert_int_equal(cor_corridor_ask(judge, 0, &unknown), COR_TRUTH_UNKNOWN);
    cor_corridor_unknown_text(corridor, 0, &unknown, text, sizeof text);
    assert_string_equal(text, "There is too much to look at.");
    assert_int_equal(cor_corridor_ask(judge, 1, &unknown), COR_TRUTH_TRUE);
    cor_corridor_judge_destroy(judge);
    cor_corridor_destroy(corridor);
    cor_lists_fini(&lists);
}

/* Who is not there is asked for by nothing: whatever a state shows of those who are there, it shows without
 * the others, too, of all sets of six agents that are away and structures with one in none. */
static void a_state_is_of_those_who_are_there(void **state) {
    (void)state;
    enum { AGENTS = 6, STATES = 4000 };
    struct cor_corridor *corridor = corridor_of(
        "structure partitioning\nattribute power: real 0 .. 10\nattribute crew: integer 0 .. 5\n"
        "invariant c0: all(a in agents: a.power >= 1)\n"
        "invariant c1: any(a in agents: a.power > 8)\n"
        "invariant c2: sum(a in agents: a.power) <= 12\n"
        "invariant c3: count(a in agents where a.crew >= 3) <= 1\n"
        "invariant c4: min(a in agents: a.power) >= 2\n"
        "invariant c5: mean(a in agents: a.power) <= 5\n"
        "invariant c6: all(o in organizations: sum(m in o.members: m.power) <= 9)\n"
        "invariant c7: one(a in agents: a.crew = 2)\n"
        "invariant c8: all(a in agents: any(b in agents where b.crew > a.crew: b.power >= a.power))\n"
        "invariant c9: count(a in agents where true) = 3\n"
        "invariant c10: all(a in agents: count(o in a.organizations where true) = 1)\n"
        "invariant c11: all(o in organizations: mean(a in agents: a.power) <= 2 * max(m in o.members: "
        "m.power))\n"
        "invariant c12: max(a in agents: a.power) - min(a in agents: a.power) <= 6\n");
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 11, .purpose = COR_PURPOSE_TEST});
    struct cor_corridor_judge *judges[2];
    struct cor_error error = COR_NO_ERROR;
    uint32_t counted[13][3] = {{0}};
    assert_int_equal(corridor->constraint_count, 13);
    for (int j = 0; j < 2; j++)
        assert_int_equal(cor_corridor_judge_create(corridor, &judges[j], &error), COR_OK);
    for (uint32_t s = 0; s < STATES; s++) {
        /* [0] with those who are away, [1] without */
        uint8_t absent[AGENTS];
        double power[2][AGENTS];
        int64_t crew[2][AGENTS];
        uint32_t number[AGENTS], there = 0;
        struct cor_lists lists[2];
        struct cor_judgement judgements[2];
        struct cor_snapshot snapshots[2];
        struct cor_attribute_values columns[2][16] = {{{0}}};
        for (uint32_t i = 0; i < AGENTS; i++) {
            absent[i] = s >> i & 1;
            power[0][i] = cor_rng_below(&rng, 41) * 0.25;
            crew[0][i] = cor_rng_below(&rng, 6);
            if (absent[i])
                continue;
            power[1][there] = power[0][i];
            crew[1][there] = crew[0][i];
            number[i] = there++;
        }
        const uint32_t out = cor_rng_below(&rng, 3 * AGENTS); /* in none, if it is one of them */
        uint32_t block[AGENTS];
        for (uint32_t i = 0; i < AGENTS; i++)
            block[i] = cor_rng_below(&rng, 3);
        for (int j = 0; j < 2; j++) {
            cor_lists_init(&lists[j]);
            for (uint32_t b = 0; b < 3; b++) {
                uint32_t members[AGENTS], count = 0;
                for (uint32_t i = 0; i < AGENTS; i++)
                    if (block[i] == b && !absent[i] && i != out)
                        members[count++] = j == 0 ? i : number[i];
                if (count > 0)
                    assert_int_equal(cor_lists_put(&lists[j], members, count, &error), COR_OK);
            }
            if (lists[j].block_count == 0) /* nobody is in one */
                assert_int_equal(cor_lists_put(&lists[j], NULL, 0, &error), COR_OK);
            for (uint32_t a = 0; a < corridor->attribute_count; a++) {
                if (strcmp(corridor->attributes[a].name, "power") == 0)
                    columns[j][a].reals = power[j];
                else
                    columns[j][a].integers = crew[j];
            }
            snapshots[j] = (struct cor_snapshot){.agent_count = j == 0 ? AGENTS : there,
                                                 .organizations = &lists[j],
                                                 .columns = columns[j],
                                                 .absent = j == 0 ? absent : NULL};
            assert_int_equal(cor_corridor_judge_look(judges[j], &snapshots[j], &judgements[j], &error),
                             COR_OK);
        }
        assert_memory_equal(judgements[0].count, judgements[1].count, sizeof judgements[0].count);
        for (uint32_t c = 0; c < corridor->constraint_count; c++) {
            struct cor_breaches breaches[2] = {{0}};
            const enum cor_truth one = cor_corridor_ask(judges[0], c, NULL),
                                 other = cor_corridor_ask(judges[1], c, NULL);
            assert_int_equal(one, other);
            counted[c][one]++;
            for (int j = 0; j < 2 && one == COR_TRUTH_FALSE; j++)
                cor_corridor_explain(judges[j], c, &breaches[j]);
            assert_int_equal(breaches[0].count, breaches[1].count);
        }
        for (int j = 0; j < 2; j++)
            cor_lists_fini(&lists[j]);
    }
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        assert_true(counted[c][COR_TRUTH_TRUE] > 50 && counted[c][COR_TRUTH_FALSE] > 50);
    for (int j = 0; j < 2; j++)
        cor_corridor_judge_destroy(judges[j]);
    cor_corridor_destroy(corridor);
}

int main(int argc, char **argv) {
    texts = argc > 1 ? atol(argv[1]) : texts;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corridors_are_refused_in_so_many_words),
        cmocka_unit_test(what_they_were_made_of_is_valid),
        cmocka_unit_test(a_corridor_says_what_it_is),
        cmocka_unit_test(structures_of_other_kinds_are_told_why),
        cmocka_unit_test(any_text_is_read_or_refused),
        cmocka_unit_test(what_is_too_much_is_refused_at_once),
        cmocka_unit_test(what_takes_too_long_is_unknown),
        cmocka_unit_test(a_state_is_of_those_who_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
