/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Monitors over structures that are made by hand: what instances see, which goes on with which organization,
 * what is refused, and how modules end that do something else than to answer. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "deaths.h"

#include <corridor/array.h>
#include <corridor/monitors.h>
#include <corridor/objective.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

enum { AGENTS = 6 };

static struct cor_error error;
static double value[AGENTS], load[AGENTS];
static const double *const values[] = {value, load};
static const struct cor_monitor_column columns[] = {{"value", ""}, {"load", "kW"}};

/* At most 10 kW, and at most 3 members: for each organization. */
static const struct cor_objective_step load_steps[] = {
    {.what = COR_OBJECTIVE_SUM, .by_block = 1, .column = 1, .filter = COR_OBJECTIVE_NO_FILTER},
    {.what = COR_OBJECTIVE_CONSTANT, .constant = 10, .filter = COR_OBJECTIVE_NO_FILTER},
    {.what = COR_OBJECTIVE_LESS_EQUAL, .by_block = 1, .left = 0, .right = 1},
    {.what = COR_OBJECTIVE_ALL_OF, .left = COR_NO_BLOCK, .right = 2}};
static const struct cor_objective_step size_steps[] = {
    {.what = COR_OBJECTIVE_COUNT, .by_block = 1, .filter = COR_OBJECTIVE_NO_FILTER},
    {.what = COR_OBJECTIVE_CONSTANT, .constant = 3, .filter = COR_OBJECTIVE_NO_FILTER},
    {.what = COR_OBJECTIVE_LESS_EQUAL, .by_block = 1, .left = 0, .right = 1},
    {.what = COR_OBJECTIVE_ALL_OF, .left = COR_NO_BLOCK, .right = 2}};
static const struct cor_objective conditions[] = {{4, 0, load_steps, NULL}, {4, 0, size_steps, NULL}};
static const struct cor_monitors_system system_of_six = {.agent_count = AGENTS,
                                                         .column_count = 2,
                                                         .condition_count = 2,
                                                         .columns = columns,
                                                         .conditions = conditions};

static struct cor_monitors_definition defined(const char *monitor, const char *fault) {
    return (struct cor_monitors_definition){.monitor = monitor,
                                            .fault = fault,
                                            .subject = COR_MONITOR_ORGANIZATION,
                                            .in_cell = true,
                                            .cpu_seconds = .2};
}

static struct cor_monitors *opened(const char *monitor, const char *fault) {
    const struct cor_monitors_definition definition = defined(monitor, fault);
    struct cor_monitors *monitors;
    error = COR_NO_ERROR;
    const enum cor_status status = cor_monitors_create(&definition, &system_of_six, &monitors, &error);
    if (status != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return monitors;
}

/* "01 2345": two organizations. */
static struct cor_lists structure_of(const char *text) {
    struct cor_lists lists;
    uint32_t members[AGENTS], count = 0;
    cor_lists_init(&lists);
    for (const char *at = text;; at++) {
        if (*at && *at != ' ') {
            members[count++] = (uint32_t)(*at - '0');
            continue;
        }
        assert_int_equal(cor_lists_put(&lists, members, count, &error), COR_OK);
        count = 0;
        if (!*at)
            return lists;
    }
}

static struct cor_monitors_answer looked(struct cor_monitors *monitors, const char *structure) {
    struct cor_lists lists = structure_of(structure);
    struct cor_monitors_answer answer;
    assert_int_equal(cor_monitors_look(monitors, true, &lists, values, &answer, &error), COR_OK);
    cor_lists_fini(&lists);
    return answer;
}

static bool alarms(struct cor_monitors *monitors, const char *structure) {
    const struct cor_monitors_answer answer = looked(monitors, structure);
    assert_int_equal(answer.smoke, COR_SMOKE_NONE);
    return answer.alarm;
}

static void set_loads(const double *loads) {
    memcpy(load, loads, sizeof load);
}

static void exact_is_right(void **state) {
    (void)state;
    struct cor_monitors *monitors = opened("exact", "none");
    set_loads((double[]){4, 4, 4, 4, 4, 4});
    assert_false(alarms(monitors, "01 23 45"));
    assert_true(alarms(monitors, "0123 45"));
    set_loads((double[]){5, 5, 4, 4, 4, 4});
    assert_false(alarms(monitors, "01 23 45")); /* just reached */
    set_loads((double[]){5, 5, 0, 0, 9, 1.5});
    const struct cor_monitors_answer answer = looked(monitors, "01 23 45");
    assert_true(answer.alarm);
    assert_int_equal(answer.organization, 2);
    assert_int_equal(answer.agent, COR_NOBODY);
    set_loads((double[]){1, 1, 1, 1, 1, NAN});
    assert_false(alarms(monitors, "01 23 45")); /* not known is not violated */
    assert_true(alarms(monitors, "0 12345"));   /* of five members it is known */
    cor_monitors_destroy(monitors);
}

static void faults_of_exact(void **state) {
    (void)state;
    struct cor_monitors *stale = opened("exact", "stale"), *joined = opened("exact", "joined"),
                        *equality = opened("exact", "equality");
    set_loads((double[]){4, 4, 4, 4, 1, 1});
    assert_false(alarms(stale, "01 23 45"));
    assert_false(alarms(joined, "01 23 45"));
    assert_false(alarms(equality, "01 23 45"));
    set_loads((double[]){8, 4, 4, 4, 1, 1});
    assert_false(alarms(stale, "01 23 45"));
    assert_true(alarms(joined, "01 23 45"));
    set_loads((double[]){1, 1, 4, 4, 4, 1});
    assert_true(alarms(stale, "01 23 45"));
    assert_false(alarms(joined, "01 23 45"));
    assert_false(alarms(joined, "01 234 5")); /* 12 kW, of which 4 joined */
    set_loads((double[]){1, 1, 9, 4, 4, 1});
    assert_true(alarms(joined, "01 234 5"));
    set_loads((double[]){5, 5, 1, 1, 1, 1});
    assert_true(alarms(equality, "01 23 45"));
    cor_monitors_destroy(stale);
    cor_monitors_destroy(joined);
    cor_monitors_destroy(equality);
}

/* Of two that share as many members the first goes on; who shares none with any is new. */
static void instances_go_on(void **state) {
    (void)state;
    struct cor_monitors *monitors = opened("exact", "joined");
    set_loads((double[AGENTS]){0});
    assert_false(alarms(monitors, "0 1 2 345"));
    assert_false(alarms(monitors, "01 2 345")); /* knows 0 */
    set_loads((double[]){0, 11, 0, 0, 0, 0});
    assert_false(alarms(monitors, "01 2 345"));
    set_loads((double[]){11, 0, 0, 0, 0, 0});
    assert_true(alarms(monitors, "345 2 01"));
    assert_false(alarms(monitors, "1 2 345")); /* nobody else is left for it: knows 0 still */
    set_loads((double[]){0, 0, 0, 0, 0, 11});
    assert_true(alarms(monitors, "1 2 34 5")); /* 34 goes on with 345, 5 is new */
    cor_monitors_destroy(monitors);
}

/* In how many of eight looks at a violation there is an alarm, as bits, after looks at none. */
static unsigned told(struct cor_monitors *monitors, const char *structure) {
    unsigned bits = 0;
    set_loads((double[]){9, 9, 0, 0, 0, 0});
    for (unsigned i = 0; i < 8; i++)
        bits |= (unsigned)alarms(monitors, structure) << i;
    set_loads((double[AGENTS]){0});
    for (unsigned i = 0; i < 8; i++)
        alarms(monitors, structure);
    return bits;
}

static void lagging_is_late(void **state) {
    (void)state;
    struct cor_monitors *sound = opened("lagging", "none"), *swallowed = opened("lagging", "swallowed"),
                        *dissolved = opened("lagging", "dissolved"), *overdue = opened("lagging", "overdue");
    assert_int_equal(cor_monitors_introduction(sound)->tolerance, 2);
    assert_int_equal(told(sound, "012 345"), 0xfc);
    assert_int_equal(told(swallowed, "012 345"), 0x04);
    assert_int_equal(told(swallowed, "012 345"), 0);
    assert_int_equal(told(dissolved, "012 345"), 0xfc);
    assert_int_equal(told(overdue, "012 345"), 0xe0);
    /* A third organization came up: its instance is another one. */
    set_loads((double[AGENTS]){0});
    assert_false(alarms(dissolved, "01 2 345"));
    assert_int_equal(told(dissolved, "01 2 345"), 0xfc); /* still that of the first */
    assert_false(alarms(dissolved, "0 1 2 345"));
    assert_int_equal(told(sound, "2 345 01"), 0xfc);
    set_loads((double[]){0, 20, 0, 0, 0, 0});
    for (int i = 0; i < 8; i++)
        assert_false(alarms(dissolved, "0 1 2 345"));
    /* What was seen of organizations that are no more is not told. */
    assert_int_equal(told(sound, "012 345"), 0xfc);
    set_loads((double[]){9, 9, 0, 0, 0, 0});
    assert_false(alarms(sound, "012 345"));
    set_loads((double[AGENTS]){0});
    assert_false(alarms(sound, "01 23 45"));
    assert_false(alarms(sound, "01 23 45"));
    cor_monitors_destroy(sound);
    cor_monitors_destroy(swallowed);
    cor_monitors_destroy(dissolved);
    cor_monitors_destroy(overdue);
}

/* Each agent by itself: at most 10 kW. */
static void agents_see_themselves(void **state) {
    (void)state;
    struct cor_monitors_definition definition = defined("exact", "none");
    struct cor_monitors *monitors;
    definition.subject = COR_MONITOR_AGENT;
    assert_int_equal(cor_monitors_create(&definition, &system_of_six, &monitors, &error), COR_OK);
    set_loads((double[]){9, 9, 9, 9, 9, 9});
    assert_false(alarms(monitors, "012345"));
    load[4] = 11;
    const struct cor_monitors_answer answer = looked(monitors, "01 2345");
    assert_true(answer.alarm);
    assert_int_equal(answer.organization, 1);
    assert_int_equal(answer.agent, 4);
    assert_false(alarms(monitors, "01 235")); /* one of no organization is not watched */
    cor_monitors_destroy(monitors);
}

static void kept_and_set_again(void **state) {
    (void)state;
    struct cor_monitors *monitors = opened("lagging", "none");
    struct cor_monitors_saved *saved = NULL;
    set_loads((double[]){9, 9, 0, 0, 0, 0});
    assert_false(alarms(monitors, "01 2345"));
    assert_false(alarms(monitors, "01 2345"));
    assert_int_equal(cor_monitors_save(monitors, &saved, &error), COR_OK);
    for (int i = 0; i < 2; i++) {
        assert_true(alarms(monitors, "01 2345"));
        cor_monitors_restart(monitors);
        assert_false(alarms(monitors, "0 1 2 3 4 5"));
        assert_int_equal(cor_monitors_restore(monitors, saved, &error), COR_OK);
    }
    /* A sequence that has not begun. */
    cor_monitors_restart(monitors);
    assert_int_equal(cor_monitors_save(monitors, &saved, &error), COR_OK);
    assert_true(looked(monitors, "01 2345").is_new);
    assert_false(looked(monitors, "01 2345").is_new);
    assert_int_equal(cor_monitors_restore(monitors, saved, &error), COR_OK);
    assert_true(looked(monitors, "01 2345").is_new);
    cor_monitors_saved_destroy(saved);
    cor_monitors_destroy(monitors);
}

static void refused(struct cor_monitors_definition definition, enum cor_status status, const char *cause,
                    const char *remedy) {
    struct cor_monitors *monitors;
    error = COR_NO_ERROR;
    for (int in_cell = 0; in_cell < 2; in_cell++) {
        error = COR_NO_ERROR;
        definition.in_cell = in_cell;
        assert_int_equal(cor_monitors_create(&definition, NULL, &monitors, &error), status);
        assert_null(monitors);
        assert_string_equal(error.cause, cause);
        if (remedy)
            assert_string_equal(error.remedy, remedy);
    }
}

static void refusals(void **state) {
    (void)state;
#define CANNOT "the monitor cannot be used: "
    const struct {
        const char *module, *cause, *remedy;
    } rows[] = {
        {"major", "built for plug-in version 2.1, but this is 1.1",
         "rebuild it against the <corridor/monitor.h> of this version"},
        {"minor", "built for plug-in version 1.9, but this is 1.1",
         "rebuild it against the <corridor/monitor.h> of this version"},
        {"symbol", "the module exports no constant \"corridor_monitor_1\"", "see <corridor/monitor.h>"},
        {"function", CANNOT "it has no look()", "see <corridor/monitor.h>"},
        {"watches", CANNOT "say whom it watches: organizations, agents, or both", NULL},
        {"tolerance", CANNOT "its tolerance is above 1000 looks", NULL},
        {"state", CANNOT "its state is larger than 1 MiB", NULL},
        {"fault", CANNOT "each fault has a name, which is not \"none\"", NULL},
        {"nameless", CANNOT "say its name, version and summary", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[64];
        snprintf(path, sizeof path, "./monitor_%s.so", rows[i].module);
        refused(defined(path, "none"), COR_STATUS_PLUGIN, rows[i].cause, rows[i].remedy);
    }
    refused(defined("./monitor_gone.so", "none"), COR_STATUS_FILE, "cannot open: No such file or directory",
            NULL);
    refused(defined("exakt", "none"), COR_STATUS_INPUT, "there is no monitor \"exakt\"",
            "did you mean \"exact\"? known: exact, lagging");
    refused(defined("exact", "stail"), COR_STATUS_INPUT, "the monitor exact has no fault \"stail\"",
            "did you mean \"stale\"? known: none, stale, joined, equality");
    refused(defined("./monitor_never.so", "stale"), COR_STATUS_INPUT,
            "the monitor never has no fault \"stale\"", "known: none, odd");
}

/* It uses no time, so that no limit of time is reached: that it waits is noticed. */
static void who_waits_while_it_is_loaded_is_refused(void **state) {
    struct cor_monitors_definition waits = defined("./monitor_waits.so", "none");
    struct cor_monitors *monitors;
    (void)state;
    error = COR_NO_ERROR;
    waits.in_cell = true;
    waits.cpu_seconds = 1000;
    assert_int_equal(cor_monitors_create(&waits, NULL, &monitors, &error), COR_STATUS_PLUGIN);
    assert_string_equal(error.cause, "the module did not get through being loaded: it used 1000 s of CPU "
                                     "time, or waited for ever");
}

static void ends(const char *module, enum cor_smoke smoke, const char *words) {
    struct cor_monitors *monitors = opened(module, "none");
    struct cor_monitors_answer answer = {.smoke = COR_SMOKE_NONE};
    for (int i = 0; i < 4 && answer.smoke == COR_SMOKE_NONE; i++)
        answer = looked(monitors, "01 2345");
    assert_int_equal(answer.smoke, smoke);
    assert_string_equal(answer.complaint, words);
    assert_false(answer.alarm);
    /* The next sequence finds it in a fresh process. */
    cor_monitors_restart(monitors);
    for (int i = 0; i < 2 && smoke != COR_SMOKE_GARBLED; i++)
        assert_int_equal(looked(monitors, "01 2345").smoke, COR_SMOKE_NONE);
    cor_monitors_destroy(monitors);
}

static void modules_end(void **state) {
    (void)state;
    struct cor_monitors *always = opened("./monitor_always.so", "odd"),
                        *never = opened("./monitor_never.so", "none");
    for (int i = 0; i < 100; i++) {
        assert_true(alarms(always, i % 2 ? "01 23 45" : "012345"));
        assert_false(alarms(never, i % 2 ? "01 23 45" : "0 1 2 3 4 5"));
    }
    cor_monitors_destroy(always);
    cor_monitors_destroy(never);
    ends("./monitor_crash.so", COR_SMOKE_CRASHED, "the monitor crash was ended by signal 6 (Aborted)");
    ends("./monitor_exit.so", COR_SMOKE_EXITED, "the monitor exit exited with code 4");
    ends("./monitor_hang.so", COR_SMOKE_HUNG, "the monitor hang used 0.2 s of CPU time, or waited for ever");
    ends("./monitor_two.so", COR_SMOKE_GARBLED, "look() of the monitor two gave 2, which is neither 0 nor 1");
    ends("./monitor_place.so", COR_SMOKE_GARBLED,
         "the monitor place raised an alarm for organization 77, but it watches 0");
    ends("./monitor_stranger.so", COR_SMOKE_GARBLED,
         "the monitor stranger raised an alarm for agent 99999, which it does not see");
}

/* What is known of it is not asked again, and what ends it while it is loaded is smoke of the look. */
static void dies_while_loaded(void **state) {
    (void)state;
    struct cor_monitors_definition definition = defined("./monitor_dies.so", "odd");
    struct cor_monitors *planned, *monitors;
    struct cor_monitors_answer answer;
    int *left = deaths_begin();
    assert_non_null(left);
    assert_int_equal(cor_monitors_create(&definition, NULL, &planned, &error), COR_OK);
    definition.introduction = cor_monitors_introduction(planned);
    assert_int_equal(definition.introduction->fault, 1);
    *left = 2;
    assert_int_equal(cor_monitors_create(&definition, &system_of_six, &monitors, &error), COR_OK);
    assert_memory_equal(cor_monitors_introduction(monitors), definition.introduction,
                        sizeof *definition.introduction);
    cor_monitors_destroy(planned);
    assert_int_equal(*left, 2);
    answer = looked(monitors, "01 2345");
    assert_int_equal(*left, 0);
    assert_int_equal(answer.smoke, COR_SMOKE_CRASHED);
    assert_string_equal(answer.complaint,
                        "the monitor dies was ended by signal 9 (Killed), while it was loaded again");
    assert_true(answer.by_machine && answer.fate.signal == 9);
    /* Once is not told, but noted; and then it goes on until it does something wrong itself. */
    *left = 1;
    cor_monitors_restart(monitors);
    answer = looked(monitors, "01 2345");
    assert_true(answer.smoke == COR_SMOKE_NONE && answer.by_machine);
    assert_false(looked(monitors, "01 2345").by_machine);
    answer = looked(monitors, "01 2345");
    assert_true(answer.smoke == COR_SMOKE_EXITED && answer.fate.exit_code == 4 && !answer.by_machine);
    cor_monitors_destroy(monitors);
    deaths_end(left);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_is_right),
        cmocka_unit_test(instances_go_on),
        cmocka_unit_test(faults_of_exact),
        cmocka_unit_test(lagging_is_late),
        cmocka_unit_test(agents_see_themselves),
        cmocka_unit_test(kept_and_set_again),
        cmocka_unit_test(refusals),
        cmocka_unit_test(who_waits_while_it_is_loaded_is_refused),
        cmocka_unit_test(modules_end),
        cmocka_unit_test(dies_while_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
