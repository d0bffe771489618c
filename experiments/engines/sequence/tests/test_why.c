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
    assert_in_range(found, planted_wanted - planted_wanted / 12, planted_wanted); /* 11 of 12 are asked for */
    close_ground(&ground);
}

/* ---- failures of all kinds */

/* Calls `with` for the first failing sequence of each arm. */
static void with_failures(const char *arms,
                          void (*with)(struct cor_tester *tester, const struct cor_test *test)) {
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_tester *tester;
    uint32_t failing = 0;
    scene_open(&scene, arms, false);
    OK(cor_tester_create(&tester, &error));
    for (uint32_t arm = 0; arm < scene.experiment->arm_count; arm++) {
        bool found = false;
        scene_execute(&scene, arm, 0);
        for (size_t row = cor_record_size(scene.record, COR_TABLE_SEQUENCES); row-- > 0 && !found;) {
            struct cor_test *test = scene_test(&scene, row);
            OK(cor_tester_execute_to_failure(tester, test, &test->expected, &error));
            found = test->expected.case_ != 0;
            if (found)
                with(tester, test);
            failing += found;
            cor_test_destroy(test);
        }
    }
    assert_in_range(failing, 1, scene.experiment->arm_count);
    cor_tester_destroy(tester);
    scene_close(&scene);
}

/* The test of the report, executed by hand with that one message lost, one round late, or not lost. */
static struct cor_test_result without_message(struct cor_tester *tester, const struct cor_test *test,
                                              const struct cor_why_report *report,
                                              const struct cor_why_cause *cause) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_course_message *message = &report->course.messages[cause->number];
    struct cor_test_result result;
    struct cor_mail_record *mail;
    struct cor_test *copy;
    OK(cor_test_copy(test, &copy, &error));
    cor_test_truncate(copy, report->case_);
    OK(cor_mail_record_create(copy->arm.session.mail.mode, &mail, &error));
    cor_tester_record_mail(tester, mail);
    OK(cor_tester_execute(tester, copy, 0, &result, &error));
    cor_tester_record_mail(tester, NULL);
    copy->schedule = mail;
    struct cor_mail_entry entry = {report->course.identity, COR_MAIL_DEED_LOST, cause->number, 0};
    if (cause->manner == COR_WHY_LATE)
        entry = (struct cor_mail_entry){report->course.identity, COR_MAIL_DEED_TRAVELS, cause->number,
                                        message->received + 1 - message->sent};
    if (cause->manner != COR_WHY_CAME)
        OK(cor_mail_record_put(mail, &entry, &error));
    for (size_t i = 0; i < mail->count && cause->manner == COR_WHY_CAME; i++)
        if (mail->entries[i].identity == entry.identity && mail->entries[i].deed == entry.deed &&
            mail->entries[i].of == entry.of)
            cor_mail_record_drop(mail, i--, 1);
    OK(cor_tester_execute_to_failure(tester, copy, &result, &error));
    cor_test_destroy(copy);
    return result;
}

static bool is_equal(const struct cor_why_report *one, const struct cor_why_report *other) {
    bool is_so = one->end == other->end && one->cause_count == other->cause_count &&
                 one->executions == other->executions && one->is_set == other->is_set;
    for (size_t i = 0; i < one->cause_count && is_so; i++) {
        const struct cor_why_cause *a = &one->causes[i], *b = &other->causes[i];
        is_so = a->part == b->part && a->number == b->number && a->manner == b->manner &&
                a->choice == b->choice && a->instead.hash == b->instead.hash;
    }
    return is_so;
}

static uint32_t named_count, last_count, otherwise_count, lost_count;
static uint64_t why_budget;

/* What is named is needed; and a second search finds the same. */
static void is_needed(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_why_definition definition = {.budget = why_budget};
    struct cor_why_report report, again;
    OK(cor_why(test, &definition, tester, &report, &error));
    if (report.executions < 2000) { /* the others would find the same, too, and take their time */
        OK(cor_why(test, &definition, tester, &again, &error));
        assert_true(is_equal(&report, &again));
        cor_why_report_fini(&again);
    }
    assert_int_equal(report.case_, test->expected.case_);
    assert_true(report.end == COR_WHY_NAMED || report.end == COR_WHY_TOLD_LAST ||
                report.end == COR_WHY_NEEDS_NONE || report.end == COR_WHY_NOTHING ||
                report.end == COR_WHY_STOPPED);
    assert_true((report.end == COR_WHY_NAMED || report.end == COR_WHY_TOLD_LAST) == (report.cause_count > 0));
    assert_true(report.end != COR_WHY_TOLD_LAST ||
                (report.cause_count <= 2 && !report.is_held && !report.is_set));
    print_message(
        "%s: end %d, %zu causes (set %d, %llu otherwise), alone %llu of %llu messages, %llu executions\n",
        test->arm.name, (int)report.end, report.cause_count, report.is_set,
        (unsigned long long)report.otherwise, (unsigned long long)report.alone[COR_WHY_MESSAGE],
        (unsigned long long)report.there[COR_WHY_MESSAGE], (unsigned long long)report.executions);
    named_count += report.end == COR_WHY_NAMED;
    last_count += report.end == COR_WHY_TOLD_LAST;
    otherwise_count += report.otherwise > 0;
    for (size_t i = 0; i < report.cause_count && !report.is_set; i++) {
        const struct cor_why_cause *cause = &report.causes[i];
        assert_false(cor_failure_class_equal(&cause->instead.class, &test->expected.class) &&
                     cause->instead.case_ == report.case_);
        lost_count += cause->manner == COR_WHY_CAME;
        if (cause->part != COR_WHY_MESSAGE || cause->manner == COR_WHY_LAST ||
            cor_mail_is_one_by_one(test->arm.session.mail.mode))
            continue;
        const struct cor_test_result result = without_message(tester, test, &report, cause);
        assert_int_equal(result.hash, cause->instead.hash);
    }
    cor_why_report_fini(&report);
}

static void what_is_named_is_needed(void **state) {
    (void)state;
    named_count = last_count = otherwise_count = 0;
    why_budget = 12000;
    with_failures(scene_faults, is_needed);
    print_message("%u named, %u last, %u with a change by which it fails in another way\n", named_count,
                  last_count, otherwise_count);
    assert_in_range(named_count + last_count, 3,
                    30); /* without mail nothing can be held: moves act by what follows */
    assert_in_range(otherwise_count, 1, 30);
}

static void of_mail_that_is_lost_the_loss_is_named(void **state) {
    (void)state;
    lost_count = 0;
    why_budget = 0;
    with_failures("{\"name\": \"lossy\", \"algorithm\": \"spada\", \"mail\": {\"mode\": \"lossy\", "
                  "\"loss_ratio\": 0.02}}",
                  is_needed);
    assert_in_range(lost_count, 1, 100);
}

/* ---- draws */

static void is_a_draw_of_the_fault(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_why_definition definition = {0};
    struct cor_why_report report;
    bool is_named = false;
    OK(cor_why(test, &definition, tester, &report, &error));
    assert_int_equal(report.end, COR_WHY_NAMED);
    for (size_t i = 0; i < report.cause_count; i++) {
        const struct cor_why_cause *cause = &report.causes[i];
        const struct cor_course_draw *draw = &report.course.draws[cause->number];
        if (cause->part != COR_WHY_DRAW || draw->purpose != COR_PURPOSE_FAULT || draw->index != 0)
            continue;
        is_named = true;
        assert_int_equal(cause->choice, 1); /* the greatest is not below the probability */
        assert_int_equal(cause->instead.case_, 0);
    }
    assert_true(is_named);
    cor_why_report_fini(&report);
}

static void the_draw_by_which_a_fault_strikes_is_named(void **state) {
    (void)state;
    with_failures("{\"name\": \"half\", \"algorithm\": \"spada\", \"fault\": \"f2\", \"parameters\": "
                  "{\"p_activate\": 0.5}}",
                  is_a_draw_of_the_fault);
}

/* ---- one thing changed, and nothing else */

static struct cor_course course_of(struct cor_tester *tester, const struct cor_test *test,
                                   const struct cor_redraw *redraw) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_course course = {.identity = test->expected.case_};
    const struct cor_course_change change = {test->expected.case_, NULL, redraw, 1};
    struct cor_test_result result;
    cor_tester_watch(tester, &course);
    cor_tester_change(tester, redraw ? &change : NULL);
    OK(cor_tester_execute(tester, test, test->expected.case_, &result, &error));
    cor_tester_watch(tester, NULL);
    cor_tester_change(tester, NULL);
    assert_true(course.is_there);
    return course;
}

static void assert_same_draw(const struct cor_course_draw *a, const struct cor_course_draw *b) {
    assert_int_equal(a->purpose, b->purpose);
    assert_int_equal(a->index, b->index);
    assert_int_equal(a->word, b->word);
}

/* A move drawn another way: before it all is as it was, in it nothing is, behind it again what is drawn. */
static void is_one_move(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_course was = course_of(tester, test, NULL);
    const uint32_t moves[] = {0, (uint32_t)was.move_count / 2, (uint32_t)was.move_count - 1};
    for (size_t m = 0; m < 3; m++) {
        const uint32_t move = moves[m];
        const struct cor_redraw redraw = {
            .is_move = true, .index = move, .end = was.moves[move].end, .choice = 2};
        struct cor_course now = course_of(tester, test, &redraw);
        uint32_t others = 0;
        bool is_behind = false;
        assert_int_equal(now.move_count, was.move_count);
        for (size_t i = 0; i < now.draw_count; i++) {
            const struct cor_course_draw *draw = &now.draws[i];
            if (draw->purpose != COR_PURPOSE_ALGORITHM)
                continue;
            if (!is_behind && draw->move != COR_COURSE_NONE && draw->move > move)
                assert_int_equal(draw->index, redraw.end); /* nothing is left out */
            is_behind = is_behind || (draw->move != COR_COURSE_NONE && draw->move > move);
            if (draw->move == COR_COURSE_NONE || draw->move < move)
                assert_same_draw(draw, &was.draws[i]);
            for (size_t k = 0; k < was.draw_count; k++)
                if (was.draws[k].purpose == draw->purpose && was.draws[k].index == draw->index)
                    others += draw->move == move ? was.draws[k].word != draw->word
                                                 : (assert_int_equal(was.draws[k].word, draw->word), 0);
        }
        assert_in_range(others, 1, UINT32_MAX);
        cor_course_fini(&now);
    }
    cor_course_fini(&was);
}

static void one_move_is_drawn_another_way(void **state) {
    (void)state;
    with_failures(
        "{\"name\": \"psopp\", \"algorithm\": \"psopp\", \"fault\": \"f3\", \"parameters\": {\"budget\": "
        "[100, 400]}}",
        is_one_move);
}

static void is_one_draw(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_course was = course_of(tester, test, NULL);
    const size_t draws[] = {0, was.draw_count / 2, was.draw_count - 1};
    for (size_t d = 0; d < 3; d++)
        for (uint32_t choice = 0; choice < 3; choice++) {
            const struct cor_course_draw *it = &was.draws[draws[d]];
            const struct cor_redraw redraw = {
                .purpose = it->purpose, .entity = it->entity, .index = it->index, .choice = choice};
            struct cor_course now = course_of(tester, test, &redraw);
            for (size_t i = 0; i < draws[d]; i++)
                assert_same_draw(&now.draws[i], &was.draws[i]);
            assert_int_not_equal(now.draws[draws[d]].word, it->word);
            if (choice < 2)
                assert_int_equal(now.draws[draws[d]].word, choice == 0 ? 0 : UINT64_MAX);
            cor_course_fini(&now);
        }
    cor_course_fini(&was);
}

static void one_draw_is_made_another_way(void **state) {
    (void)state;
    with_failures("{\"name\": \"lossy\", \"algorithm\": \"spada\", \"mail\": {\"mode\": \"lossy\", "
                  "\"loss_ratio\": 0.05}}",
                  is_one_draw);
}

/* ---- no verdict */

static void a_budget_is_kept_to(struct cor_tester *tester, const struct cor_test *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_why_report report;
    for (uint64_t budget = 1; budget < 600; budget = 2 * budget + 1) {
        const struct cor_why_definition definition = {.budget = budget};
        OK(cor_why(test, &definition, tester, &report, &error));
        if (report.end == COR_WHY_STOPPED)
            assert_int_equal(report.cause_count, 0);
        /* The first executions, by which it is known whether it fails at all, are made in any case. */
        assert_in_range(report.cases, 1, budget + 4 * (uint64_t)test->expected.case_);
        cor_why_report_fini(&report);
    }
}

static void budgets_are_kept_to(void **state) {
    (void)state;
    with_failures(
        "{\"name\": \"psopp\", \"algorithm\": \"psopp\", \"fault\": \"f3\", \"parameters\": {\"budget\": "
        "[100, 400]}}",
        a_budget_is_kept_to);
}

int main(int argument_count, char **arguments) {
    planted_wanted = argument_count > 1 ? (uint32_t)strtoul(arguments[1], NULL, 10) : planted_wanted;
    planted_embed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_causes_are_named),
        cmocka_unit_test(what_is_named_is_needed),
        cmocka_unit_test(of_mail_that_is_lost_the_loss_is_named),
        cmocka_unit_test(the_draw_by_which_a_fault_strikes_is_named),
        cmocka_unit_test(one_move_is_drawn_another_way),
        cmocka_unit_test(one_draw_is_made_another_way),
        cmocka_unit_test(budgets_are_kept_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
