/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Faults of the result, through the whole loop, on the small world of scene.h: what each makes of a solution,
 * which check finds it, and that nothing else changes. */
#include "scene.h"

#include <corridor/terms.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SUITES 300
/* Each chain in its turn is far off: every case has its alarm. */
#define FIRST "2222222"
#define SECOND "0000000"

/* GOOD of scene.h: 0145|2367. */
static const uint32_t good_block[SCENE_AGENTS] = {0, 0, 1, 1, 0, 0, 1, 1};

/* A suite of its own, with the limits that all blocks have `size_min` to `size_max` agents. */
static void begin(struct scene *scene, const struct cor_algorithm *algorithm, enum cor_result_fault fault,
                  double probability, uint64_t seed) {
    scene_init(scene, algorithm);
    scene->suite.name.seed = seed;
    scene->log_solutions = true;
    scene->arm.result.fault = fault;
    scene->arm.result.probability = probability;
}

static void limit(struct scene *scene, uint32_t size_min, uint32_t size_max) {
    scene->configuration->limits.size_min = size_min;
    scene->configuration->limits.size_max = size_max;
}

/* The solution of reorganization `index` by agent: in how many blocks it is, and in which (the last one). */
struct seen {
    uint32_t blocks, members, times[SCENE_AGENTS], block[SCENE_AGENTS], size[SCENE_AGENTS];
};

static struct seen solution_of(struct scene *scene, size_t index) {
    struct seen seen = {0};
    size_t count;
    const struct cor_failure_row *row = scene_row(scene, COR_TABLE_FAILURES, index);
    const uint32_t *sizes = scene_items(scene, COR_VECTOR_SOLUTION_BLOCK_SIZE, &count);
    const uint32_t *members = scene_items(scene, COR_VECTOR_SOLUTION_MEMBER, &count);
    const uint32_t *member = members + row->member_start;
    seen.blocks = row->blocks;
    assert_true(row->blocks <= SCENE_AGENTS);
    for (uint32_t b = 0; b < row->blocks; b++) {
        seen.size[b] = sizes[row->block_start + b];
        seen.members += seen.size[b];
        for (uint32_t m = 0; m < seen.size[b]; m++, member++) {
            assert_in_range(*member, 0, SCENE_AGENTS - 1);
            seen.times[*member]++;
            seen.block[*member] = b;
        }
    }
    return seen;
}

/* Agents that occur so often. */
static uint32_t occurring(const struct seen *seen, uint32_t times) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < SCENE_AGENTS; i++)
        count += seen->times[i] == times;
    return count;
}

/* Pairs of agents that GOOD has together and the solution has not, or the other way round. */
static uint32_t parted(const struct seen *seen) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < SCENE_AGENTS; i++)
        for (uint32_t j = 0; j < i; j++)
            count += (good_block[i] == good_block[j]) != (seen->block[i] == seen->block[j]);
    return count;
}

static bool is_as_told(enum cor_result_fault fault, const struct seen *seen) {
    switch (fault) {
    case COR_RESULT_FAULT_AGENT_DROPPED:
        return seen->blocks == 2 && seen->members == 7 && occurring(seen, 0) == 1 && occurring(seen, 1) == 7;
    case COR_RESULT_FAULT_AGENT_DUPLICATED:
        return seen->blocks == 2 && seen->members == 9 && occurring(seen, 2) == 1 && occurring(seen, 1) == 7;
    case COR_RESULT_FAULT_AGENT_MOVED: /* from three companions to four */
        return seen->blocks == 2 && occurring(seen, 1) == 8 && seen->size[0] + seen->size[1] == 8 &&
               seen->size[0] * seen->size[1] == 15 && parted(seen) == 7;
    case COR_RESULT_FAULT_AGENTS_SWAPPED: /* each leaves three and meets three */
        return seen->blocks == 2 && occurring(seen, 1) == 8 && seen->size[0] == 4 && parted(seen) == 12;
    case COR_RESULT_FAULT_PARTITION_DROPPED:
        return seen->blocks == 1 && seen->members == 4 && occurring(seen, 0) == 4;
    case COR_RESULT_FAULT_PARTITIONS_MERGED:
        return seen->blocks == 1 && occurring(seen, 1) == 8;
    case COR_RESULT_FAULT_PARTITION_SPLIT: /* only within a block */
        return seen->blocks == 3 && occurring(seen, 1) == 8 && parted(seen) >= 3 && parted(seen) <= 4 &&
               seen->size[0] > 0 && seen->size[1] > 0 && seen->size[2] > 0;
    default:
        return false;
    }
}

static const enum cor_result_fault spoiling[] = {
    COR_RESULT_FAULT_AGENT_DROPPED,   COR_RESULT_FAULT_AGENT_DUPLICATED,  COR_RESULT_FAULT_AGENT_MOVED,
    COR_RESULT_FAULT_AGENTS_SWAPPED,  COR_RESULT_FAULT_PARTITION_DROPPED, COR_RESULT_FAULT_PARTITIONS_MERGED,
    COR_RESULT_FAULT_PARTITION_SPLIT,
};
#define SPOILING (sizeof spoiling / sizeof *spoiling)

static void each_fault_does_what_its_words_say(void **state) {
    (void)state;
    for (size_t f = 0; f < SPOILING; f++)
        for (uint64_t seed = 0; seed < SUITES; seed++) {
            struct scene scene;
            begin(&scene, &scene_scripted, spoiling[f], 1, seed);
            scene_sequence(&scene, "02", "00");
            const struct seen seen = solution_of(&scene, 0);
            const struct cor_reorganization_row *row = scene_row(&scene, COR_TABLE_REORGANIZATIONS, 0);
            if (!is_as_told(spoiling[f], &seen))
                fail_msg("%s", cor_term_word(COR_FAMILY_RESULT_FAULT, (int)spoiling[f]));
            assert_int_equal(row->fault_reached, 1);
            assert_int_equal(row->fault_held, 1);
            assert_int_equal(row->fault_activated, 1);
            assert_int_equal(row->fault_in_result, 1);
            scene_fini(&scene);
        }
}

/* Over many suites each agent is struck, each as often as others (chi-square, 7 degrees of freedom, 0.1 %).
 */
static void all_agents_are_equally_likely(void **state) {
    (void)state;
    double struck[SCENE_AGENTS] = {0}, chi = 0, expected = 2000.0 / SCENE_AGENTS;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct scene scene;
        begin(&scene, &scene_scripted, COR_RESULT_FAULT_AGENT_DROPPED, 1, seed);
        scene_sequence(&scene, "02", "00");
        const struct seen seen = solution_of(&scene, 0);
        for (uint32_t i = 0; i < SCENE_AGENTS; i++)
            struck[i] += seen.times[i] == 0;
        scene_fini(&scene);
    }
    for (uint32_t i = 0; i < SCENE_AGENTS; i++)
        chi += (struck[i] - expected) * (struck[i] - expected) / expected;
    assert_true(chi < 24.4);
}

/* The checks that the gray box names, of all suites, each once; limits on sizes as given. */
static void found_by(enum cor_result_fault fault, uint32_t size_min, uint32_t size_max, char *words,
                     size_t room) {
    words[0] = '\0';
    for (uint64_t seed = 0; seed < SUITES; seed++) {
        struct scene scene;
        begin(&scene, &scene_scripted, fault, 1, seed);
        limit(&scene, size_min, size_max);
        scene_sequence(&scene, "02", "00");
        for (size_t i = 0; i < cor_record_size(scene.record, COR_TABLE_VIOLATIONS); i++) {
            const struct cor_violation_row *row = scene_row(&scene, COR_TABLE_VIOLATIONS, i);
            const char *word = cor_term_word(COR_FAMILY_CHECK, row->check);
            if (row->box == COR_BOX_GRAY && !strstr(words, word))
                snprintf(words + strlen(words), room - strlen(words), "%s ", word);
        }
        scene_fini(&scene);
    }
}

static void each_fault_is_found_by_its_check_or_by_none(void **state) {
    (void)state;
    static const struct {
        enum cor_result_fault fault;
        const char *loose, *tight; /* sizes 2 to 5; sizes 4 and 4 */
    } expected[] = {
        {COR_RESULT_FAULT_AGENT_DROPPED, "agent_missing ", "size_below_minimum agent_missing "},
        {COR_RESULT_FAULT_AGENT_DUPLICATED, "agent_repeated ", "size_above_maximum agent_repeated "},
        {COR_RESULT_FAULT_AGENT_MOVED, "", "size_above_maximum size_below_minimum "},
        {COR_RESULT_FAULT_AGENTS_SWAPPED, "", ""},
        {COR_RESULT_FAULT_PARTITION_DROPPED, "agent_missing count_below_minimum ",
         "agent_missing count_below_minimum "},
        {COR_RESULT_FAULT_PARTITIONS_MERGED, "size_above_maximum count_below_minimum ",
         "size_above_maximum count_below_minimum "},
        {COR_RESULT_FAULT_PARTITION_SPLIT, "size_below_minimum ", "size_below_minimum "},
        {COR_RESULT_FAULT_STALE, "", ""},
        {COR_RESULT_FAULT_LATE, "", ""},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char words[512];
        found_by(expected[i].fault, 2, 5, words, sizeof words);
        assert_string_equal(words, expected[i].loose);
        found_by(expected[i].fault, 4, 4, words, sizeof words);
        assert_string_equal(words, expected[i].tight);
    }
}

/* What is missing stays where it was, and what is there twice goes to the last: masked by adoption. */
static void adoption_masks_what_it_masks_of_an_algorithm(void **state) {
    (void)state;
    struct scene scene;
    begin(&scene, &scene_scripted, COR_RESULT_FAULT_AGENT_DUPLICATED, 1, 1);
    scene_sequence(&scene, "02", "00");
    const struct cor_reorganization_row *row = scene_row(&scene, COR_TABLE_REORGANIZATIONS, 0);
    assert_int_equal(row->gray, COR_VERDICT_FAILED);
    assert_int_equal(row->black, COR_VERDICT_PASSED);
    assert_int_equal(row->agreement, COR_VERDICT_NOT_JUDGED);
    scene_fini(&scene);
}

/* All rows and items but what is counted of the fault. */
static void same_but_counts(struct scene *one, struct scene *other) {
    for (int t = 0; t < COR_TABLE_COUNT; t++) {
        size_t count = cor_record_size(one->record, (enum cor_table)t);
        assert_int_equal(cor_record_size(other->record, (enum cor_table)t), count);
        for (size_t i = 0; i < count; i++) {
            size_t size = cor_interaction_schema.tables[t].row_size;
            const void *row = scene_row(one, (enum cor_table)t, i);
            const void *other_row = scene_row(other, (enum cor_table)t, i);
            if (t == COR_TABLE_REORGANIZATIONS) {
                struct cor_reorganization_row a, b;
                memcpy(&a, row, sizeof a);
                memcpy(&b, other_row, sizeof b);
                assert_int_equal(a.fault_activated + b.fault_activated, 0);
                assert_int_equal(a.fault_in_result + b.fault_in_result, 0);
                a.fault_reached = a.fault_held = b.fault_reached = b.fault_held = 0;
                assert_memory_equal(&a, &b, sizeof a);
            } else {
                assert_memory_equal(row, other_row, size);
            }
        }
    }
}

static void probability_0_is_no_fault(void **state) {
    (void)state;
    for (const struct cor_term *fault = cor_terms(COR_FAMILY_RESULT_FAULT); fault->word; fault++) {
        struct scene sound, faulty;
        begin(&sound, &scene_scripted, COR_RESULT_FAULT_NONE, 1, 3);
        begin(&faulty, &scene_scripted, (enum cor_result_fault)fault->number, 0, 3);
        SCENE_SCRIPT(&sound, GOOD, STAY, GOOD, MISS, EMPTY, REPEAT, GOOD);
        SCENE_SCRIPT(&faulty, GOOD, STAY, GOOD, MISS, EMPTY, REPEAT, GOOD);
        for (int s = 0; s < 2; s++) {
            scene_sequence(&sound, "0220202", "0002020");
            scene_sequence(&faulty, "0220202", "0002020");
        }
        same_but_counts(&sound, &faulty);
        scene_fini(&sound);
        scene_fini(&faulty);
    }
}

static void probability_is_that_of_each_solution(void **state) {
    (void)state;
    uint32_t activated = 0, reached = 0;
    for (uint64_t seed = 0; seed < 600; seed++) {
        struct scene scene;
        begin(&scene, &scene_scripted, COR_RESULT_FAULT_AGENTS_SWAPPED, 0.3, seed);
        SCENE_SCRIPT(&scene, STAY);
        scene_sequence(&scene, FIRST, SECOND);
        for (size_t i = 0; i < cor_record_size(scene.record, COR_TABLE_REORGANIZATIONS); i++) {
            const struct cor_reorganization_row *row = scene_row(&scene, COR_TABLE_REORGANIZATIONS, i);
            reached += row->fault_reached;
            activated += row->fault_activated;
        }
        scene_fini(&scene);
    }
    assert_true(reached > 1000); /* who has swapped is back inside */
    assert_in_range(activated, reached * 26 / 100, reached * 34 / 100);
}

/* A solution of one block, or of nobody, has nothing to swap; that is told apart from not being struck. */
static void where_it_cannot_strike_its_condition_does_not_hold(void **state) {
    (void)state;
    static const enum cor_result_fault needs_two[] = {
        COR_RESULT_FAULT_AGENT_DUPLICATED, COR_RESULT_FAULT_AGENT_MOVED, COR_RESULT_FAULT_AGENTS_SWAPPED,
        COR_RESULT_FAULT_PARTITIONS_MERGED};
    for (size_t f = 0; f < sizeof needs_two / sizeof *needs_two; f++) {
        struct scene scene;
        begin(&scene, &scene_scripted, needs_two[f], 1, 1);
        SCENE_SCRIPT(&scene, FEW);
        scene_sequence(&scene, "02", "00");
        const struct cor_reorganization_row *row = scene_row(&scene, COR_TABLE_REORGANIZATIONS, 0);
        assert_int_equal(row->fault_reached, 1);
        assert_int_equal(row->fault_held, 0);
        assert_int_equal(row->fault_activated, 0);
        scene_fini(&scene);
    }
}

/* An algorithm that ends without a result gives nothing to spoil. */
static void smoke_is_not_reached(void **state) {
    (void)state;
    struct scene scene;
    begin(&scene, &scene_scripted, COR_RESULT_FAULT_AGENT_DROPPED, 1, 1);
    SCENE_SCRIPT(&scene, COMPLAIN);
    scene_sequence(&scene, "02", "00");
    const struct cor_reorganization_row *row = scene_row(&scene, COR_TABLE_REORGANIZATIONS, 0);
    assert_int_equal(row->smoke, COR_SMOKE_COMPLAINED);
    assert_int_equal(row->fault_reached, 0);
    scene_fini(&scene);
}

/* STAY never comes through while GOOD is the answer before; a sequence begins without an answer. */
static void a_stale_result_is_the_answer_before_of_its_sequence(void **state) {
    (void)state;
    struct scene scene;
    begin(&scene, &scene_scripted, COR_RESULT_FAULT_STALE, 1, 1);
    scene.suite.sequence_count = 2;
    scene.configuration->monitor = (struct cor_monitor_definition){COR_MONITOR_FAULT_FALSE, .probability = 1};
    SCENE_SCRIPT(&scene, GOOD, STAY, STAY);
    for (uint32_t s = 0; s < 2; s++) {
        scene_begin(&scene, "2222", "0000");
        while (!cor_sequence_is_over(scene.runner))
            scene_case(&scene);
        scene_end(&scene);
    }
    static const bool is_good[] = {true, true, false};
    static const uint32_t activated[] = {0, 1, 1};
    size_t count = cor_record_size(scene.record, COR_TABLE_REORGANIZATIONS);
    assert_int_equal(count % 2, 0);
    assert_true(count >= 4);
    for (size_t i = 0; i < count; i++) {
        const struct cor_reorganization_row *row = scene_row(&scene, COR_TABLE_REORGANIZATIONS, i);
        const struct seen seen = solution_of(&scene, i);
        size_t place = i % (count / 2);
        assert_int_equal(parted(&seen) == 0, is_good[place < 3 ? place : 2]);
        assert_int_equal(row->fault_reached, 1);
        assert_int_equal(row->fault_held, place > 0);
        assert_int_equal(row->fault_activated, activated[place < 3 ? place : 2]);
        assert_int_equal(row->agreement, COR_VERDICT_PASSED);
    }
    scene_fini(&scene);
}

/* Says what it sees: the agents above the middle of 0 and 1 in one block, the others in the other. */
static enum cor_progress tell(void *state, const struct cor_task *task, const struct cor_host *host) {
    uint32_t block[SCENE_AGENTS], count = 0;
    (void)state;
    for (int high = 0; high <= 1; high++, count = 0) {
        for (uint32_t i = 0; i < task->agent_count; i++)
            if ((task->values[0][i] > 0.5) == high)
                block[count++] = i;
        if (count > 0)
            host->put_block(host, block, count);
    }
    return COR_DONE;
}

static const struct cor_algorithm teller = {COR_ALGORITHM,          .name = "teller",
                                            .version = "1",         .summary = "says what it sees",
                                            .budget_unit = "calls", .result = tell};

/* Case 1: the first chain is high, alarm, and the algorithm is asked. Case 2: all are low, no alarm; the
 * result of case 1 comes. */
static void a_late_result_is_of_the_values_a_case_ago(void **state) {
    (void)state;
    struct scene scene;
    begin(&scene, &teller, COR_RESULT_FAULT_LATE, 1, 1);
    scene_sequence(&scene, "0200", "0000");
    assert_string_equal(scene_cases(&scene), "0.1 alarm outside - passed not_judged not_judged 1\n"
                                             "0.2 - inside reorganized passed passed passed 0\n"
                                             "0.3 - inside - passed not_judged not_judged 0\n");
    const struct cor_reorganization_row *row = scene_row(&scene, COR_TABLE_REORGANIZATIONS, 0);
    assert_int_equal(cor_record_size(scene.record, COR_TABLE_REORGANIZATIONS), 1);
    assert_int_equal(row->case_, 2);
    assert_int_equal(row->fault_reached, 1);
    assert_int_equal(row->fault_activated, 1);
    const struct seen seen = solution_of(&scene, 0);
    assert_int_equal(seen.blocks, 2); /* of values that are all 0 it would be one */
    for (uint32_t i = 0; i < SCENE_AGENTS; i++)
        assert_int_equal(seen.block[i], i < 4);
    scene_fini(&scene);
}

/* Alarms while a result is under way ask for no other. */
static void a_late_result_comes_once(void **state) {
    (void)state;
    struct scene scene;
    begin(&scene, &scene_scripted, COR_RESULT_FAULT_LATE, 1, 1);
    SCENE_SCRIPT(&scene, STAY);
    scene_sequence(&scene, "22222", "00000");
    assert_string_equal(scene_cases(&scene), "0.1 alarm outside - passed not_judged not_judged 1\n"
                                             "0.2 alarm outside reorganized passed passed passed 1\n"
                                             "0.3 alarm outside - passed not_judged not_judged 1\n"
                                             "0.4 alarm outside reorganized passed passed passed 1\n");
    scene_fini(&scene);
}

/* The moves of an algorithm that distributes its solution itself are no use for another one. */
static void own_moves_go_with_the_solution_they_were_for(void **state) {
    (void)state;
    struct scene scene;
    begin(&scene, &scene_mover, COR_RESULT_FAULT_AGENTS_SWAPPED, 1, 1);
    scene_sequence(&scene, "02", "00");
    const struct cor_reorganization_row *row = scene_row(&scene, COR_TABLE_REORGANIZATIONS, 0);
    assert_int_equal(row->own_moves, 0);
    assert_int_equal(row->agreement, COR_VERDICT_PASSED);
    scene_fini(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_does_what_its_words_say),
        cmocka_unit_test(all_agents_are_equally_likely),
        cmocka_unit_test(each_fault_is_found_by_its_check_or_by_none),
        cmocka_unit_test(adoption_masks_what_it_masks_of_an_algorithm),
        cmocka_unit_test(probability_0_is_no_fault),
        cmocka_unit_test(probability_is_that_of_each_solution),
        cmocka_unit_test(where_it_cannot_strike_its_condition_does_not_hold),
        cmocka_unit_test(smoke_is_not_reached),
        cmocka_unit_test(a_stale_result_is_the_answer_before_of_its_sequence),
        cmocka_unit_test(a_late_result_is_of_the_values_a_case_ago),
        cmocka_unit_test(a_late_result_comes_once),
        cmocka_unit_test(own_moves_go_with_the_solution_they_were_for),
    };
    return cmocka_run_group_tests_name("run_results", tests, NULL, NULL);
}
