/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The acceptance cases of goals and tactics: what a test agent does, cycle by cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "goal_world.h"
#include "line_travel.h"
#include "require.h"

/* n never solves, o and b solve when they were done, and change f and x. */
#define GOALS                                                                                    \
    "\"goals\": {\"n\": {\"goal\": \"w.x < 0\", \"tactic\": \"n\"},"                             \
    " \"n2\": {\"goal\": \"w.x < 0\", \"tactic\": \"n\", \"max\": 2},"                           \
    " \"o\": {\"goal\": \"w.x >= 0\", \"tactic\": \"o\"},"                                       \
    " \"b\": {\"goal\": \"w.x >= 0\", \"tactic\": \"b\"},"                                       \
    " \"c\": {\"goal\": \"w.x >= 0\", \"tactic\": \"c\"},"                                       \
    " \"painted(v, to)\": {\"do\": {\"do\": \"set\", \"to\": \"v + 1\", \"flag\": \"w.f\"}, "    \
    "\"assert\": \"w.x = v + 1 and w.colour = to\"},"                                            \
    " \"pressed(e)\": {\"do\": \"press(e)\", \"assert\": \"e.on != e.on@before\", \"max\": 20}," \
    " \"both(p, q)\": {\"seq\": [\"pressed(q)\", \"pressed(p)\"]}}"
#define INFINITE (-1)

struct expected {
    const char *goal;
    int64_t budget;
    const char *actions; /* letters; what looks has none, "." waits */
    int64_t cycles;
    enum cor_goal_end end;
    int64_t left;
};

static char verdicts[2000];

static void note_verdict(void *context, const struct cor_goal_verdict *verdict) {
    (void)context;
    const size_t length = strlen(verdicts);
    snprintf(verdicts + length, sizeof verdicts - length, "%s|%s|%s|%llu;",
             cor_term_word(COR_FAMILY_JUDGE, (int)verdict->judge), verdict->goal, verdict->why,
             (unsigned long long)verdict->cycle);
}

static char reports[4000];

static void note_goal(void *context, const struct cor_goal_report *report) {
    (void)context;
    const size_t length = strlen(reports);
    snprintf(reports + length, sizeof reports - length, "%s %llu-%llu %llu %s%s%s;", report->name,
             (unsigned long long)report->begun, (unsigned long long)report->ended,
             (unsigned long long)report->cost, cor_term_word(COR_FAMILY_GOAL, (int)report->end),
             *report->why ? ": " : "", report->why);
}

static struct goal_run run;

static void begin(const char *goal, int64_t budget) {
    char *text = cor_format("{" GOALS ", \"goal\": %s}", goal);
    run = (struct goal_run){.document = NULL};
    verdicts[0] = reports[0] = '\0';
    REQUIRE(cor_json_parse(text, "goal", &run.document, &said));
    free(text);
    const struct cor_json test = cor_json_root(run.document);
    REQUIRE(goal_run_read(&run, &test, &said));
    REQUIRE(goal_run_begin(&run, budget == INFINITE ? COR_BUDGET_INFINITE : (uint64_t)budget, NULL, &said));
    cor_pursuit_watch_goals(run.pursuit, note_goal, NULL);
    cor_pursuit_watch_asserts(run.pursuit, note_verdict, NULL);
}

/* Goes on for so many cycles at most; how many there were. */
static int64_t pursue(int64_t most, char *actions, size_t size) {
    size_t length = 0;
    int64_t cycles = 0;
    for (; cycles < most; cycles++) {
        enum cor_pursuit_choice choice;
        struct cor_world_command command;
        REQUIRE(goal_run_cycle(&run, &choice, &command, &said));
        if (choice == COR_PURSUIT_ENDED)
            break;
        assert_int_equal(choice == COR_PURSUIT_WAIT, command.action == COR_ACTION_WAIT);
        if (command.action != COR_ACTION_LOOK && length + 1 < size)
            actions[length++] =
                command.action == COR_ACTION_WAIT ? '.' : run.world.actions[command.action].name[0];
    }
    actions[length] = '\0';
    return cycles;
}

static void expect(const struct expected *expected) {
    char actions[200];
    begin(expected->goal, expected->budget);
    const int64_t cycles = pursue(60, actions, sizeof actions);
    if (strcmp(actions, expected->actions) != 0 || (expected->cycles && cycles != expected->cycles) ||
        cor_pursuit_status(run.pursuit) != expected->end ||
        cor_pursuit_budget_left(run.pursuit) !=
            (expected->left == INFINITE ? COR_BUDGET_INFINITE : (uint64_t)expected->left))
        fail_msg("%s: %s in %lld cycles, %s, %llu left: %s", expected->goal, actions, (long long)cycles,
                 cor_term_word(COR_FAMILY_GOAL, (int)cor_pursuit_status(run.pursuit)),
                 (unsigned long long)cor_pursuit_budget_left(run.pursuit), cor_pursuit_why(run.pursuit));
    goal_run_fini(&run);
}

#define OK COR_GOAL_SUCCESS
#define FAILED COR_GOAL_FAILED
#define OPEN COR_GOAL_OPEN

static const struct expected cases[] = {
    /* 1 to 3: budgets */
    {"\"n\"", 3, "nnn", 3, FAILED, 0},
    {"{\"first_of\": [\"n2\", \"o\"]}", 5, "nno", 3, OK, 2},
    {"{\"first_of\": [\"n\", \"o\"]}", 5, "nnnnn", 5, FAILED, 0},
    {"{\"seq\": [\"n2\", \"o\"]}", 9, "nn", 2, FAILED, 7},
    /* 4, 5: repeat */
    {"{\"repeat\": {\"seq\": [\"o\", \"fail\"]}}", 4, "oooo", 8, FAILED, 0},
    {"{\"repeat\": \"fail\", \"tries\": 3}", 4, "", 3, FAILED, 4},
    {"{\"repeat\": {\"seq\": [\"b\", {\"check\": \"w.x = 3\"}]}}", INFINITE, "bbb", 6, OK, INFINITE},
    {"{\"repeat\": \"n2\", \"tries\": 3}", 40, "nnnnnn", 6, FAILED, 34},
    /* 6: if, try_if */
    {"{\"if\": \"w.x = 0\", \"then\": \"fail\", \"else\": \"o\"}", 9, "", 2, FAILED, 8},
    {"{\"if\": \"w.x = 1\", \"then\": \"fail\", \"else\": \"o\"}", 9, "o", 2, OK, 7},
    {"{\"if\": \"w.x = 1\", \"then\": \"fail\"}", 9, "", 2, OK, 7},
    {"{\"try_if\": \"w.x = 0\", \"then\": \"fail\", \"else\": \"o\"}", 9, "o", 3, OK, 7},
    {"{\"try_if\": \"w.x = 0\", \"then\": \"b\", \"else\": \"o\"}", 9, "b", 2, OK, 7},
    {"{\"try_if\": \"w.x = 1\", \"then\": \"b\", \"else\": \"o\"}", 9, "o", 2, OK, 7},
    {"{\"first_of\": [{\"if\": \"w.x = 0\", \"then\": \"fail\"}, \"o\"]}", 9, "o", 3, OK, 7},
    /* 7, 8: while, repeat until */
    {"{\"while\": \"w.x < 3\", \"do\": \"b\"}", INFINITE, "bbb", 10, OK, INFINITE},
    {"{\"while\": \"w.x < 3\", \"do\": {\"seq\": [\"b\", \"fail\"]}}", INFINITE, "bbb", 16, OK, INFINITE},
    {"{\"while\": \"w.x > 3\", \"do\": \"b\"}", INFINITE, "", 2, OK, INFINITE},
    {"{\"repeat\": \"b\", \"until\": \"w.x >= 0\"}", INFINITE, "b", 3, OK, INFINITE},
    {"{\"repeat\": \"b\", \"until\": \"w.x = 2\"}", INFINITE, "bb", 6, OK, INFINITE},
    {"{\"repeat\": \"b\", \"until\": \"w.x = 2\"}", 4, "bb", 6, OK, 0},
    {"{\"repeat\": \"b\", \"until\": \"w.x = 2\"}", 2, "b", 3, FAILED, 0},
    {"{\"repeat\": \"b\", \"until\": \"w.x > 9\", \"tries\": 2}", INFINITE, "bb", 6, FAILED, INFINITE},
    /* 9: deploy */
    {"{\"seq\": [{\"deploy\": \"b\"}, \"o\"]}", 9, "bo", 3, OK, 6},
    {"{\"seq\": [{\"deploy\": \"n2\"}, \"o\"]}", 9, "nn", 3, FAILED, 6},
    {"{\"repeat\": {\"seq\": [{\"deploy\": \"b\"}, {\"check\": \"w.x = 2\"}]}}", 20, "bb", 6, OK, 14},
    {"{\"deploy\": \"pressed\", \"with\": {\"e\": \"nearest(i in item where i.weight = 9)\"}}", 9, "p", 2, OK,
     7},
    {"{\"seq\": [{\"deploy\": \"pressed\", \"with\": {\"e\": \"nearest(i in item where not i.on)\"}}, "
     "{\"deploy\": "
     "\"pressed\", \"with\": {\"e\": \"nearest(i in item where not i.on)\"}}, {\"assert\": \"i1.on and i2.on "
     "and "
     "not i3.on\"}]}",
     9, "pp", 5, OK, 4},
    {"{\"deploy\": \"pressed\", \"with\": {\"e\": \"nearest(i in item where i.weight = 99)\"}}", 9, "", 1,
     FAILED, 8},
    /* 10, 11: tactics */
    {"{\"goal\": \"w.x = 2\", \"tactic\": {\"seq\": [\"m\", \"n\", \"c\"]}}", 9, "mncm", 4, OK, 5},
    {"{\"goal\": \"w.x = 2\", \"tactic\": {\"seq\": [\"m\", {\"action\": \"n\", \"when\": \"w.x = 7\"}]}}", 9,
     "m...........................................................", 60, OPEN, 8},
    {"{\"goal\": \"w.y = 1\", \"tactic\": {\"seq\": [{\"action\": \"b\", \"until\": \"w.x >= 3\"}, \"c\"]}}",
     INFINITE, "bbbc", 4, OK, INFINITE},
    {"{\"goal\": \"w.y = 1\", \"tactic\": {\"seq\": [{\"action\": \"b\", \"when\": \"w.x < 2\", \"until\": "
     "\"w.x >= "
     "3\"}, \"c\"]}, \"max\": 5}",
     INFINITE, "bb..........................................................", 60, OPEN, 3},
    {"{\"goal\": \"w.x = 2\", \"tactic\": {\"first_of\": [{\"action\": \"c\", \"when\": \"w.x = 1 and w.y < "
     "2\"}, "
     "\"b\"]}}",
     9, "bccb", 4, OK, 5},
    {"{\"goal\": \"w.x = 9\", \"tactic\": {\"first_of\": [{\"action\": \"b\", \"when\": \"w.x < 2\"}, "
     "\"abort\"]}}",
     9, "bb", 3, FAILED, 7},
    {"{\"goal\": \"w.x = 0\", \"tactic\": \"n\"}", 9, "n", 1, OK, 8}, /* rule 1 */
    /* 12: add_after */
    {"{\"seq\": [{\"goal\": \"w.x = 2\", \"tactic\": {\"first_of\": [{\"add_after\": \"o\"}, \"b\"]}}, "
     "\"c\"]}",
     9, "bboc", 5, OK, 4},
    {"{\"first_of\": [{\"goal\": \"w.x = 2\", \"tactic\": {\"first_of\": [{\"add_after\": \"o\"}, \"b\"]}}, "
     "\"c\"]}",
     9, "bb", 3, OK, 6},
    {"{\"first_of\": [{\"goal\": \"w.x = 9\", \"max\": 3, \"tactic\": {\"first_of\": [{\"add_after\": "
     "\"o\"}, "
     "\"b\"]}}, \"c\"]}",
     9, "bbo", 4, OK, 5},
    {"{\"goal\": \"w.x = 1\", \"tactic\": {\"first_of\": [{\"add_after\": \"o\"}, \"b\"]}}", 9, "bo", 3, OK,
     6},
    {"{\"repeat\": {\"seq\": [{\"goal\": \"w.x >= 0\", \"tactic\": {\"first_of\": [{\"add_after\": \"o\", "
     "\"when\": "
     "\"w.x = 0\"}, \"b\"]}}, {\"check\": \"w.x = 2\"}]}}",
     INFINITE, "bob", 6, OK, INFINITE},
    {"{\"goal\": \"w.x = 1\", \"tactic\": {\"first_of\": [{\"add_after\": \"o\"}, {\"add_after\": \"c\"}, "
     "\"b\"]}}",
     9, "boc", 5, OK, 4},
    /* 13: interruptible */
    {"{\"interruptible\": {\"goal\": \"w.x = 4\", \"tactic\": \"m\"}, \"handlers\": [{\"when\": \"w.g\", "
     "\"do\": "
     "{\"goal\": \"not w.g\", \"tactic\": \"h\"}}]}",
     9, "mmmhm", 5, OK, 4},
    {"{\"interruptible\": {\"goal\": \"w.x = 4\", \"tactic\": \"m\", \"max\": 3}, \"handlers\": [{\"when\": "
     "\"w.g\", "
     "\"do\": {\"goal\": \"not w.g\", \"tactic\": \"h\"}}]}",
     9, "mmm", 3, FAILED, 6},
    {"{\"interruptible\": {\"goal\": \"w.x = 4\", \"tactic\": \"m\"}, \"handlers\": [{\"when\": \"w.g\", "
     "\"do\": "
     "\"n\"}]}",
     6, "mmmnnn", 6, FAILED, 0},
    {"{\"interruptible\": {\"goal\": \"w.x = 4\", \"tactic\": \"m\"}, \"handlers\": [{\"when\": \"w.g\", "
     "\"do\": "
     "{\"seq\": [{\"do\": \"h\"}, \"fail\"]}}]}",
     9, "mmmhm", 6, OK, 4},
    {"{\"interruptible\": {\"goal\": \"w.x = 7\", \"tactic\": \"m\"}, \"max\": 5, \"handlers\": [{\"when\": "
     "\"w.g\", "
     "\"do\": {\"do\": \"h\"}}]}",
     9, "mmmhm", 5, FAILED, 0},
    /* 14: distance */
    {"{\"distance\": \"w.x - 3\", \"tactic\": \"b\"}", 9, "bbb", 3, OK, 6},
    {"{\"distance\": \"abs(w.x - 3)\", \"epsilon\": 1, \"tactic\": \"b\"}", 9, "bb", 2, OK, 7},
    /* guards of failure, asserts, parameters */
    {"{\"seq\": [\"b\", \"b\", \"b\"], \"fail_when\": \"w.x = 2\"}", 9, "bb", 2, FAILED, 7},
    {"{\"first_of\": [{\"seq\": [\"b\", \"b\", \"b\"], \"fail_when\": \"w.x = 2\"}, \"o\"]}", 9, "bbo", 3, OK,
     6},
    {"{\"first_of\": [{\"seq\": [\"b\", \"b\"], \"assert\": \"w.x = 3\"}, \"o\"]}", 9, "bbo", 3, OK, 6},
    {"{\"assert\": \"w.x = 0\"}", 9, "", 1, OK, 8},
    {"{\"assert\": \"w.x = 1\"}", 9, "", 1, FAILED, 8},
    {"{\"seq\": [\"pressed(i1)\", \"both(i3, i2)\", {\"assert\": \"i1.on and i2.on and i3.on\"}]}", 9, "ppp",
     4, OK, 5},
    {"\"painted(4, 'red')\"", 9, "s", 1, OK, 8},
    {"{\"seq\": [{\"do\": {\"do\": \"paint\", \"colour\": \"red\", \"text\": \"milk\"}}, {\"assert\": "
     "\"w.colour = "
     "'milk'\"}]}",
     9, "p", 2, OK, 7},
    /* a quote within quotes is doubled, as in conditions */
    {"{\"seq\": [{\"do\": \"paint(red, 'o''clock')\"}, {\"assert\": \"w.colour = 'o''clock'\"}]}", 9, "p", 2,
     OK, 7},
    {"{\"interact\": \"nearest(i in item where i.weight = 8)\", \"do\": \"press\", \"assert\": \"i.on\"}", 9,
     "p", 1, OK, 8},
    {"{\"goal\": \"all(i in item: i.on)\", \"tactic\": {\"action\": {\"do\": \"press\", \"on\": \"any(i in "
     "item "
     "where not i.on)\"}, \"after\": \"i.on\"}}",
     9, "ppp", 3, OK, 6},
    {"{\"seq\": [{\"goal\": \"i1.tried + i2.tried = 2\", \"tactic\": {\"action\": {\"do\": \"press\", "
     "\"on\": \"nearest(i "
     "in item where not i.on)\"}, \"until\": \"i.tried = 2\"}}, {\"assert\": \"i1.tried = 2\"}]}",
     9, "pp", 3, OK, 6},
    {"{\"goal\": \"self.x = 2\", \"tactic\": \"b\"}", 9, "bb", 2, OK, 7},
};

static void each_case_goes_as_its_rule_says(void **state) {
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        expect(&cases[c]);
}

/* The policy of line_travel.h takes the last of what is offered. */
static void a_policy_chooses_among_what_is_offered(void **state) {
    (void)state;
    static const struct {
        const char *tactic, *actions;
    } offered[] = {{"{\"first_of\": [\"b\", \"c\"]}", "bbb"},
                   {"{\"any_of\": [\"b\", \"c\"]}", "ccc"},
                   {"{\"seq\": [{\"any_of\": [\"b\", {\"first_of\": [\"c\", \"d\"]}]}, \"o\"]}", "coc"},
                   {"{\"any_of\": [\"b\", {\"action\": \"c\", \"when\": \"w.x = 1\"}]}", "bcc"}};
    static char policy;
    for (size_t i = 0; i < sizeof offered / sizeof *offered; i++) {
        char actions[10], *goal = cor_format("{\"goal\": \"w.x < 0\", \"tactic\": %s}", offered[i].tactic);
        begin(goal, INFINITE);
        free(goal);
        cor_pursuit_destroy(run.pursuit);
        cor_beliefs_destroy(run.beliefs);
        REQUIRE(goal_run_begin(&run, COR_BUDGET_INFINITE, (struct cor_policy *)&policy, &said));
        pursue(3, actions, sizeof actions);
        assert_string_equal(actions, offered[i].actions);
        goal_run_fini(&run);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_case_goes_as_its_rule_says),
                                       cmocka_unit_test(a_policy_chooses_among_what_is_offered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
