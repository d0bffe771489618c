/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The oracle on trial. For each of its checks there is a flaw, of the algorithm, of the monitor or of
 * adoption, that makes exactly that check fail; so, with any one check taken away, something goes undetected.
 * And each fault that the testbed offers for its own monitor and adoption is seen, as stated here. */
#include "scene.h"

#include <corridor/terms.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/* What was seen: a bit for each check, smoke included, and one for each box. */
enum { SMOKE = 0 };
#define BIT(number) (1u << (unsigned)(number))
#define CHECK(NAME) BIT(COR_CHECK_##NAME)
#define BOX(NAME) BIT(COR_BOX_##NAME)

struct flaw {
    const char *name;
    const struct cor_algorithm *algorithm;
    enum scene_deed deed;
    struct cor_monitor_definition monitor;
    struct cor_adoption_definition adoption;
    uint32_t size_max; /* 0 = as in the scene */
    unsigned checks, boxes;
};

#define MONITOR(FAULT, cases) \
    { .fault = COR_MONITOR_FAULT_##FAULT, .probability = 1, .delay_cases = (cases) }
#define ADOPTION(FAULT) \
    { .fault = COR_ADOPTION_FAULT_##FAULT, .probability = 1 }
#define FREE .algorithm = &scene_free
#define LIMITED .algorithm = &scene_scripted

static const struct flaw flaws[] = {
    /* solutions that are no partitioning: adoption makes one of them, so only the gray box can see it */
    {"an agent is missing", FREE, .deed = MISS, .checks = CHECK(MISSING), .boxes = BOX(GRAY)},
    {"an agent is listed twice", FREE, .deed = REPEAT, .checks = CHECK(DOUBLE), .boxes = BOX(GRAY)},
    {"an agent is invented", FREE, .deed = INVENT, .checks = CHECK(UNKNOWN), .boxes = BOX(GRAY)},
    {"a block is empty", FREE, .deed = EMPTY, .checks = CHECK(EMPTY), .boxes = BOX(GRAY)},
    /* limits promised and broken: the structure shows it as well */
    {"a block is too small", LIMITED, .deed = SMALL, .checks = CHECK(SIZE_LOW),
     .boxes = BOX(GRAY) | BOX(BLACK)},
    {"a block is too large", LIMITED, .deed = LARGE, .checks = CHECK(SIZE_HIGH),
     .boxes = BOX(GRAY) | BOX(BLACK)},
    {"too few blocks", LIMITED, .deed = FEW, .size_max = 8, .checks = CHECK(COUNT_LOW),
     .boxes = BOX(GRAY) | BOX(BLACK)},
    {"too many blocks", LIMITED, .deed = MANY, .checks = CHECK(COUNT_HIGH), .boxes = BOX(GRAY) | BOX(BLACK)},
    {"no result", LIMITED, .deed = COMPLAIN, .checks = BIT(SMOKE), .boxes = BOX(GRAY) | BOX(BLACK)},
    /* a distribution of the algorithm's own that is not what it proposed */
    {"moves elsewhere", .algorithm = &scene_mover, .checks = CHECK(NOT_ADOPTED), .boxes = BOX(BLACK)},
    /* the system's monitor */
    {"monitor: missed", FREE, .monitor = MONITOR(MISSED, 0), .checks = CHECK(ALARM_MISSED),
     .boxes = BOX(DETECT)},
    {"monitor: false", FREE, .monitor = MONITOR(FALSE, 0), .checks = CHECK(ALARM_FALSE),
     .boxes = BOX(DETECT)},
    {"monitor: late", FREE, .monitor = MONITOR(LATE, 2), .checks = CHECK(ALARM_MISSED), .boxes = BOX(DETECT)},
    /* adoption: a lost agent is in no partition, a doubled one in two; misdirected moves and half of the
     * moves still make a partitioning, which is not the solution (C7) - and may be of other sizes than
     * allowed */
    {"adoption: lost", FREE, .adoption = ADOPTION(LOST), .checks = CHECK(MISSING), .boxes = BOX(BLACK)},
    {"adoption: doubled", FREE, .adoption = ADOPTION(DOUBLED), .checks = CHECK(DOUBLE), .boxes = BOX(BLACK)},
    {"adoption: halfway", FREE, .adoption = ADOPTION(HALFWAY), .checks = CHECK(NOT_ADOPTED),
     .boxes = BOX(BLACK)},
    {"adoption: halfway, with limits", LIMITED, .adoption = ADOPTION(HALFWAY), .checks = CHECK(NOT_ADOPTED),
     .boxes = BOX(BLACK)},
    {"adoption: misdirected", FREE, .deed = MANY, .adoption = ADOPTION(MISDIRECTED),
     .checks = CHECK(NOT_ADOPTED), .boxes = BOX(BLACK)},
    {"adoption: halfway, of small blocks", LIMITED, .deed = STAY, .adoption = ADOPTION(HALFWAY), .checks = 0,
     .boxes = 0}, /* what was moved is the first partition, as it was: nothing has changed, nothing to see */
    {"nothing", LIMITED, .deed = GOOD, .checks = 0, .boxes = 0},
    {"nothing, without limits", FREE, .deed = GOOD, .checks = 0, .boxes = 0},
};

enum { FLAWS = sizeof flaws / sizeof *flaws };

/* Three cases outside in a row, then quiet ones: also a late alarm comes. */
static void run(const struct flaw *flaw, struct scene *scene) {
    scene_init(scene, flaw->algorithm);
    scene->configuration->monitor = flaw->monitor;
    scene->configuration->adoption = flaw->adoption;
    if (flaw->monitor.fault == 0)
        scene->configuration->monitor.fault = COR_MONITOR_FAULT_NONE;
    if (flaw->adoption.fault == 0)
        scene->configuration->adoption.fault = COR_ADOPTION_FAULT_NONE;
    if (flaw->size_max > 0)
        scene->configuration->limits.size_max = flaw->size_max;
    SCENE_SCRIPT(scene, flaw->deed);
    scene_sequence(scene, "0222000", "0000000");
    scene_finish(scene);
}

static void look(struct scene *scene, unsigned *checks, unsigned *boxes) {
    *checks = *boxes = 0;
    for (size_t i = 0; i < cor_record_size(scene->record, COR_TABLE_VIOLATIONS); i++) {
        const struct cor_violation_row *row = scene_row(scene, COR_TABLE_VIOLATIONS, i);
        *checks |= BIT(row->check);
        *boxes |= BIT(row->box);
    }
    for (size_t i = 0; i < cor_record_size(scene->record, COR_TABLE_REORGANIZATIONS); i++) {
        const struct cor_reorganization_row *row = scene_row(scene, COR_TABLE_REORGANIZATIONS, i);
        if (row->gray == COR_VERDICT_SMOKE) {
            *checks |= BIT(SMOKE);
            *boxes |= BOX(GRAY);
        }
        *boxes |= row->black == COR_VERDICT_SMOKE ? BOX(BLACK) : 0;
    }
}

static void each_flaw_fails_exactly_its_check(void **state) {
    (void)state;
    for (size_t i = 0; i < FLAWS; i++) {
        struct scene scene;
        unsigned checks, boxes;
        run(&flaws[i], &scene);
        look(&scene, &checks, &boxes);
        if (checks != flaws[i].checks || boxes != flaws[i].boxes)
            fail_msg("%s: checks 0x%x and boxes 0x%x, expected 0x%x and 0x%x\n%s", flaws[i].name, checks,
                     boxes, flaws[i].checks, flaws[i].boxes, scene_violations(&scene));
        scene_fini(&scene);
    }
}

/* The verdict columns say the same as the violations. */
static void verdicts_follow_from_violations(void **state) {
    (void)state;
    for (size_t i = 0; i < FLAWS; i++) {
        struct scene scene;
        unsigned checks, boxes, verdicts = 0;
        run(&flaws[i], &scene);
        look(&scene, &checks, &boxes);
        for (size_t row = 0; row < cor_record_size(scene.record, COR_TABLE_CASES); row++) {
            const struct cor_case_row *one = scene_row(&scene, COR_TABLE_CASES, row);
            verdicts |= one->detect == COR_VERDICT_FAILED ? BOX(DETECT) : 0;
        }
        for (size_t row = 0; row < cor_record_size(scene.record, COR_TABLE_REORGANIZATIONS); row++) {
            const struct cor_reorganization_row *one = scene_row(&scene, COR_TABLE_REORGANIZATIONS, row);
            verdicts |= one->gray != COR_VERDICT_PASSED ? BOX(GRAY) : 0;
            verdicts |= one->black != COR_VERDICT_PASSED ? BOX(BLACK) : 0;
            verdicts |= one->agreement == COR_VERDICT_FAILED ? BOX(BLACK) : 0;
        }
        assert_int_equal(verdicts, boxes);
        scene_fini(&scene);
    }
}

/* The experiment of item 6: each check is taken away in turn. */
static void no_check_can_be_spared(void **state) {
    (void)state;
    unsigned all[COR_CHECK_CODES] = {BIT(SMOKE)};
    size_t count = 1;
    /* Structures here do not nest: what is asked of parents is tested in oracle/corridor. */
    for (const struct cor_term *check = cor_terms(COR_FAMILY_CHECK); check->number < COR_CHECK_PARENT_UNKNOWN;
         check++)
        all[count++] = 1U << check->number;
    unsigned seen[FLAWS], together = 0, boxes;
    for (size_t i = 0; i < FLAWS; i++) {
        struct scene scene;
        run(&flaws[i], &scene);
        look(&scene, &seen[i], &boxes);
        together |= seen[i];
        scene_fini(&scene);
    }
    for (size_t c = 0; c < count; c++) {
        size_t lost = 0;
        for (size_t i = 0; i < FLAWS; i++)
            lost += seen[i] != 0 && (seen[i] & ~all[c]) == 0;
        assert_true(lost >= 1);
        together &= ~all[c];
    }
    assert_int_equal(together, 0); /* nothing else was seen */
}

/* Faults of adoption that strike now and then: seen by their check if and only if they changed something. */
static void adoption_faults_are_seen_when_they_strike(void **state) {
    (void)state;
    static const struct {
        enum cor_adoption_fault fault;
        enum cor_check check;
    } rows[] = {
        {COR_ADOPTION_FAULT_LOST, COR_CHECK_MISSING},
        {COR_ADOPTION_FAULT_DOUBLED, COR_CHECK_DOUBLE},
        {COR_ADOPTION_FAULT_MISDIRECTED, COR_CHECK_NOT_ADOPTED},
        {COR_ADOPTION_FAULT_HALFWAY, COR_CHECK_NOT_ADOPTED},
    };
    for (size_t r = 0; r < 4; r++) {
        uint32_t struck = 0, spared = 0;
        for (uint32_t suite = 0; suite < 100; suite++) {
            struct scene scene;
            scene_init(&scene, &scene_free);
            scene.suite.name.suite = suite;
            scene.configuration->adoption = (struct cor_adoption_definition){rows[r].fault, 0.15};
            scene_sequence(&scene, "02", "00");
            scene_finish(&scene);
            const struct cor_reorganization_row *row = scene_row(&scene, COR_TABLE_REORGANIZATIONS, 0);
            size_t violations = cor_record_size(scene.record, COR_TABLE_VIOLATIONS);
            /* All of both blocks misdirected would be the same partitioning again. */
            bool changed = row->adoption_fault > 0 && row->adoption_fault < SCENE_AGENTS;
            assert_int_equal(violations > 0, changed);
            for (size_t i = 0; i < violations; i++) {
                const struct cor_violation_row *violation = scene_row(&scene, COR_TABLE_VIOLATIONS, i);
                assert_int_equal(violation->check, rows[r].check);
                assert_int_equal(violation->box, COR_BOX_BLACK);
            }
            assert_int_equal(row->gray, COR_VERDICT_PASSED);
            bool partitioning = rows[r].check == COR_CHECK_NOT_ADOPTED;
            assert_int_equal(row->black, changed && !partitioning ? COR_VERDICT_FAILED : COR_VERDICT_PASSED);
            assert_int_equal(row->agreement, changed ? COR_VERDICT_FAILED : COR_VERDICT_PASSED);
            assert_int_equal(cor_record_size(scene.record, COR_TABLE_FAILURES), changed);
            *(changed ? &struck : &spared) += 1;
            scene_fini(&scene);
        }
        assert_true(struck > 5 && spared > 5);
    }
}

/* Faults of the monitor likewise: R-Detect says how often, case by case. */
static void monitor_faults_are_seen_case_by_case(void **state) {
    (void)state;
    static const enum cor_monitor_fault faults[] = {COR_MONITOR_FAULT_MISSED, COR_MONITOR_FAULT_FALSE,
                                                    COR_MONITOR_FAULT_LATE};
    for (size_t f = 0; f < 3; f++) {
        struct scene scene;
        uint32_t wrong = 0;
        scene_init(&scene, &scene_scripted);
        scene.configuration->monitor = (struct cor_monitor_definition){faults[f], 0.4, 1};
        SCENE_SCRIPT(&scene, STAY);
        for (int sequence = 0; sequence < 20; sequence++)
            scene_sequence(&scene, "00220202220", "00000000000");
        scene_finish(&scene);
        for (size_t i = 0; i < cor_record_size(scene.record, COR_TABLE_CASES); i++) {
            const struct cor_case_row *row = scene_row(&scene, COR_TABLE_CASES, i);
            bool outside = row->dissimilarity > 0.5F; /* 0 or 1 in this walk */
            assert_int_equal(row->inside, outside ? COR_INSIDE_OUTSIDE : COR_INSIDE_INSIDE);
            assert_int_equal(row->detect, row->alarm == outside ? COR_VERDICT_PASSED : COR_VERDICT_FAILED);
            bool possible = faults[f] == COR_MONITOR_FAULT_FALSE ? !outside : outside;
            assert_true(row->alarm == outside || possible);
            wrong += row->alarm != outside;
        }
        assert_int_equal(cor_record_size(scene.record, COR_TABLE_VIOLATIONS), wrong);
        if (faults[f] == COR_MONITOR_FAULT_LATE)
            assert_int_equal(wrong, 3 * 20); /* the first case of each stay outside */
        else
            assert_in_range(wrong, 20, 100); /* 0.4 of 120 and of 80 cases */
        scene_fini(&scene);
    }
}

/* A violation as people read it. */
struct sentence {
    struct cor_violation violation;
    const char *text;
};

static const struct sentence sentences[] = {
    {{COR_CHECK_MISSING, 17, COR_NOBODY, 1, 0}, "Agent 17 is in no partition, expected in exactly one."},
    {{COR_CHECK_DOUBLE, 17, 3, 1, 2}, "Agent 17 occurs 2 times (last in partition 3), expected once."},
    {{COR_CHECK_UNKNOWN, 4000000000u, 2, 20, 4000000000.0},
     "Partition 2 lists agent 4000000000, but the system has only 20 agents."},
    {{COR_CHECK_UNKNOWN, 1, 0, 1, 1}, "Partition 0 lists agent 1, but the system has only 1 agent."},
    {{COR_CHECK_EMPTY, COR_NOBODY, 4, 1, 0}, "Partition 4 has no members."},
    {{COR_CHECK_SIZE_LOW, COR_NOBODY, 4, 3, 1}, "Partition 4 has 1 member, expected at least 3."},
    {{COR_CHECK_SIZE_LOW, COR_NOBODY, 4, 3, 2}, "Partition 4 has 2 members, expected at least 3."},
    {{COR_CHECK_SIZE_HIGH, COR_NOBODY, 0, 6, 9}, "Partition 0 has 9 members, expected at most 6."},
    {{COR_CHECK_COUNT_LOW, COR_NOBODY, COR_NOBODY, 2, 1}, "There is 1 partition, expected at least 2."},
    {{COR_CHECK_COUNT_LOW, COR_NOBODY, COR_NOBODY, 2, 0}, "There are 0 partitions, expected at least 2."},
    {{COR_CHECK_COUNT_HIGH, COR_NOBODY, COR_NOBODY, 5, 8}, "There are 8 partitions, expected at most 5."},
    {{COR_CHECK_NOT_ADOPTED, 6, 1, 2, 1},
     "Agent 6 is in partition 1 of the structure, but the solution puts it in 2."},
    {{COR_CHECK_ALARM_MISSED, COR_NOBODY, COR_NOBODY, 0.25, 0.375},
     "No alarm, but the dissimilarity 0.375 exceeds the threshold 0.25."},
    {{COR_CHECK_ALARM_FALSE, COR_NOBODY, COR_NOBODY, 0.25, 0.1},
     "Alarm, but the dissimilarity 0.1 is within the threshold 0.25."},
    {{COR_CHECK_PARENT_UNKNOWN, COR_NOBODY, 2, 3, 7},
     "The parent of organization 2 is 7, but there are only 3."},
    {{COR_CHECK_PARENT_CYCLE, COR_NOBODY, 1, 0, 2},
     "Organization 1 stands above itself: a cycle of 2 organizations."},
    {{COR_CHECK_SEVERAL_ROOTS, COR_NOBODY, COR_NOBODY, 1, 2},
     "2 organizations have no parent, expected one."},
    {{COR_CHECK_ALARM_MISSED, COR_NOBODY, COR_NOBODY, (double)NAN, (double)NAN},
     "No alarm, but by the corridor one is due."},
    {{COR_CHECK_ALARM_FALSE, COR_NOBODY, COR_NOBODY, (double)NAN, (double)NAN},
     "Alarm, but by the corridor none is due."},
    {{COR_CHECK_CONSTRAINT, 7, 1, 3, 2}, "Constraint 3 of the corridor is violated."},
    {{COR_CHECK_FORMULA, COR_NOBODY, COR_NOBODY, 4, 0},
     "Constraint 4 of the corridor, about time, is violated."},
    {{COR_CHECK_MONITOR_SMOKE, COR_NOBODY, COR_NOBODY, (double)NAN, (double)NAN},
     "The monitor under test did not answer, or not as it should: the table of smokes says how."},
    {{COR_CHECK_MECHANISM_SMOKE, COR_NOBODY, COR_NOBODY, (double)NAN, 1},
     "Mechanism 1 of the arm failed, not the algorithm: the table of smokes says how it ended."},
};

static void every_violation_has_its_sentence(void **unused) {
    (void)unused;
    char text[200];
    unsigned seen = 0;
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        cor_violation_text(&sentences[i].violation, text, sizeof text);
        assert_string_equal(text, sentences[i].text);
        seen |= 1u << sentences[i].violation.check;
    }
    for (const struct cor_term *check = cor_terms(COR_FAMILY_CHECK); check->word; check++)
        assert_true(seen >> check->number & 1); /* every check has its sentence here */
    cor_violation_text(&(struct cor_violation){.check = (enum cor_check)77}, text, sizeof text);
    assert_string_equal(text, "Unknown check 77.");
    cor_violation_text(&sentences[0].violation, text, 6);
    assert_string_equal(text, "Agent");
}

/* The rules of 003, 4.4: what each check belongs to. */
static void every_check_has_its_rule(void **unused) {
    (void)unused;
    static const char *const rules[COR_CHECK_CODES] = {[COR_CHECK_MISSING] = "C1",
                                                       [COR_CHECK_DOUBLE] = "C1",
                                                       [COR_CHECK_UNKNOWN] = "C2",
                                                       [COR_CHECK_EMPTY] = "C3",
                                                       [COR_CHECK_SIZE_LOW] = "C4",
                                                       [COR_CHECK_SIZE_HIGH] = "C4",
                                                       [COR_CHECK_COUNT_LOW] = "C5",
                                                       [COR_CHECK_COUNT_HIGH] = "C5",
                                                       [COR_CHECK_NOT_ADOPTED] = "C7",
                                                       [COR_CHECK_ALARM_MISSED] = "R-Detect",
                                                       [COR_CHECK_ALARM_FALSE] = "R-Detect",
                                                       [COR_CHECK_PARENT_UNKNOWN] = "kind",
                                                       [COR_CHECK_PARENT_CYCLE] = "kind",
                                                       [COR_CHECK_SEVERAL_ROOTS] = "kind",
                                                       [COR_CHECK_CONSTRAINT] = "corridor",
                                                       [COR_CHECK_FORMULA] = "corridor",
                                                       [COR_CHECK_MONITOR_SMOKE] = "R-Detect",
                                                       [COR_CHECK_MECHANISM_SMOKE] = "mechanism"};
    for (int check = 1; check < COR_CHECK_CODES; check++)
        assert_string_equal(cor_term(COR_FAMILY_CHECK, check)->rule, rules[check]);
    assert_null(cor_term(COR_FAMILY_CHECK, 0));
    assert_null(cor_term(COR_FAMILY_CHECK, COR_CHECK_CODES));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_violation_has_its_sentence),
        cmocka_unit_test(every_check_has_its_rule),
        cmocka_unit_test(each_flaw_fails_exactly_its_check),
        cmocka_unit_test(verdicts_follow_from_violations),
        cmocka_unit_test(no_check_can_be_spared),
        cmocka_unit_test(adoption_faults_are_seen_when_they_strike),
        cmocka_unit_test(monitor_faults_are_seen_case_by_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
