/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Causes that are known, since they were planted: messages of SPADA without which a fault does not strike. */
#include "planted.h"
#include "scene.h"

#include <corridor/array.h>
#include <corridor/why.h>

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t planted_wanted = 4; /* of the 12 */

/* A sequence of SPADA without a failure, and the course of one of its reorganizations. */
struct ground {
    struct scene scene;
    struct cor_tester *tester;
    struct cor_test *test;
    struct cor_course course;
};

static struct cor_test_result execute(struct ground *ground) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_test_result result;
    OK(cor_tester_execute(ground->tester, ground->test, 0, &result, &error));
    return result;
}

/* Row `row` of the sequences of the scene, and of it the case with most messages. */
static void break_ground(struct ground *ground, size_t row) {
    struct cor_error error = COR_NO_ERROR;
    static const struct planted nothing;
    size_t most = 0;
    uint64_t best = 0;
    planted_set(&nothing);
    ground->test = scene_test(&ground->scene, row);
    for (uint32_t c = 1; c <= cor_test_cases(ground->test); c++) {
        ground->course.identity = c;
        cor_course_fini(&ground->course);
        cor_tester_watch(ground->tester, &ground->course);
        assert_int_equal(execute(ground).case_, 0);
        if (ground->course.order_count > most) {
            most = ground->course.order_count;
            best = c;
        }
    }
    assert_in_range(best, 1, cor_test_cases(ground->test));
    ground->course.identity = best;
    execute(ground);
    cor_tester_watch(ground->tester, NULL);
    assert_int_equal(ground->course.order_count, most);
    (void)error;
}

static bool says_the_same(const struct cor_course *course, uint32_t one, uint32_t other) {
    const struct cor_course_message *a = &course->messages[one], *b = &course->messages[other];
    return a->from == b->from && a->to == b->to && a->kind == b->kind && a->size == b->size &&
           memcmp(course->words + a->payload, course->words + b->payload, a->size) == 0;
}

/* Is there one message alone that says that? */
static bool is_one(const struct cor_course *course, uint32_t number) {
    for (uint32_t i = 0; i < course->message_count; i++)
        if (i != number && says_the_same(course, i, number))
            return false;
    return course->messages[number].received > 0;
}

/* `count` messages in the order in which they came, that say what no other says. */
static void choose(const struct ground *ground, uint64_t seed, uint32_t count, uint32_t *chosen) {
    const struct cor_course *course = &ground->course;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = seed, .purpose = COR_PURPOSE_TEST});
    uint32_t places[PLANTED_MOST];
    for (uint32_t i = 0; i < count; i++) {
        bool is_new;
        do {
            places[i] = cor_rng_below(&rng, (uint32_t)course->order_count);
            is_new = is_one(course, course->order[places[i]]);
            for (uint32_t j = 0; j < i; j++)
                is_new = is_new && places[j] != places[i];
        } while (!is_new);
        for (uint32_t j = i; j > 0 && places[j - 1] > places[j]; j--) {
            const uint32_t held = places[j];
            places[j] = places[j - 1];
            places[j - 1] = held;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        chosen[i] = course->order[places[i]];
}

static struct planted plant(const struct ground *ground, enum planted_rule rule, uint32_t count,
                            const uint32_t *chosen) {
    struct planted planted = {.rule = rule, .count = count, .words = ground->course.words};
    for (uint32_t i = 0; i < count; i++)
        planted.messages[i] = ground->course.messages[chosen[i]];
    planted_set(&planted);
    return planted;
}

/* Are the causes that were found those messages, no other and no fewer? */
static bool names_them(const struct ground *ground, const struct cor_why_report *report, uint32_t count,
                       const uint32_t *chosen) {
    bool all = report->end == COR_WHY_NAMED && report->cause_count == count;
    for (uint32_t i = 0; i < count && all; i++) {
        const struct cor_why_cause *cause = &report->causes[i];
        all = cause->part == COR_WHY_MESSAGE && cause->number == chosen[i] &&
              report->course.messages[cause->number].to == ground->course.messages[chosen[i]].to;
    }
    return all;
}

/* Whoever executes the test again by hand, with only that message lost: does it still fail? */
static bool fails_without(struct ground *ground, uint32_t number) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_test *copy;
    struct cor_test_result result;
    OK(cor_test_copy(ground->test, &copy, &error));
    OK(cor_mail_record_create(COR_MAIL_IN_ORDER, &copy->schedule, &error));
    const struct cor_mail_entry entry = {ground->course.identity, COR_MAIL_DEED_LOST, number, 0};
    OK(cor_mail_record_put(copy->schedule, &entry, &error));
    OK(cor_tester_execute(ground->tester, copy, (uint32_t)ground->course.identity, &result, &error));
    cor_test_destroy(copy);
    return result.class.fault;
}

static void open_ground(struct ground *ground) {
    struct cor_error error = COR_NO_ERROR;
    *ground = (struct ground){0};
    scene_open_here(&ground->scene,
                    "{\"name\": \"planted\", \"algorithm\": \"planted\", \"fault\": \"planted\"}");
    OK(cor_tester_create(&ground->tester, &error));
    scene_execute(&ground->scene, 0, 0);
}

static void close_ground(struct ground *ground) {
    cor_test_destroy(ground->test);
    cor_course_fini(&ground->course);
    cor_tester_destroy(ground->tester);
    scene_close(&ground->scene);
}

static const struct seed {
    enum planted_rule rule;
    uint32_t count;
} seeds[] = {{PLANTED_IN_ORDER, 2}, {PLANTED_ANY, 2}, {PLANTED_ALL, 1},      {PLANTED_IN_ORDER, 3},
             {PLANTED_ALL, 2},      {PLANTED_ANY, 3}, {PLANTED_IN_ORDER, 1}, {PLANTED_ALL, 3},
             {PLANTED_IN_ORDER, 2}, {PLANTED_ALL, 1}, {PLANTED_IN_ORDER, 3}, {PLANTED_ANY, 1}};

/* One of the 12: is it named? */
static bool finds(struct ground *ground, uint32_t which) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_why_definition definition = {0};
    const struct seed *seed = &seeds[which % (sizeof seeds / sizeof *seeds)];
    uint32_t chosen[PLANTED_MOST];
    struct cor_why_report report;
    break_ground(ground, which % 3);
    for (uint64_t salt = 0; salt == 0 || execute(ground).case_ != ground->course.identity; salt++) {
        assert_in_range(salt, 0, 9); /* where they were said in a case before, too */
        choose(ground, which + 1000 * salt, seed->count, chosen);
        plant(ground, seed->rule, seed->count, chosen);
    }
    OK(cor_why(ground->test, &definition, ground->tester, &report, &error));
    const bool is_right = names_them(ground, &report, seed->count, chosen);
    if (!is_right)
        print_message("%u: end %d, %zu causes, %llu of %llu messages alone\n", which, (int)report.end,
                      report.cause_count, (unsigned long long)report.alone[COR_WHY_MESSAGE],
                      (unsigned long long)report.there[COR_WHY_MESSAGE]);
    for (uint32_t i = 0; i < seed->count; i++) /* and that is so, by hand */
        assert_false(fails_without(ground, chosen[i]) && (seed->rule != PLANTED_ANY || seed->count == 1));
    if (is_right)
        assert_int_equal(report.is_set, seed->rule == PLANTED_ANY && seed->count > 1);
    print_message("%u: %llu executions, %zu messages\n", which, (unsigned long long)report.executions,
                  ground->course.message_count);
    cor_why_report_fini(&report);
    cor_test_destroy(ground->test);
    ground->test = NULL;
    return is_right;
}

static void planted_causes_are_named(void **state) {
    (void)state;
    struct ground ground;
    uint32_t found = 0;
    open_ground(&ground);
    for (uint32_t which = 0; which < planted_wanted; which++)
        found += finds(&ground, which);
    assert_in_range(found, planted_wanted - planted_wanted / 12,
                    planted_wanted); /* 11 of 12 are asked for */
    close_ground(&ground);
}

int main(int argument_count, char **arguments) {
    planted_wanted = argument_count > 1 ? (uint32_t)strtoul(arguments[1], NULL, 10) : planted_wanted;
    planted_embed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_causes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
