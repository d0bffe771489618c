/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Faults of adoption: each leads to what its words say, draws from its own stream, and is counted. */
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/state.h>

#include <string.h>

/* Six agents in 0 2 4 | 1 3 5, adopting 0 1 | 2 3 | 4 5 with a fault. */
struct world {
    struct cor_configuration *configuration;
    struct cor_state *state;
    struct cor_adopter *adopter;
    struct cor_lists solution, structure;
    struct cor_adoption_report report;
};

static void put(struct cor_lists *lists, size_t count, const uint32_t *members) {
    assert_int_equal(cor_lists_put(lists, members, count, NULL), COR_OK);
}

static struct world world_of(enum cor_adoption_fault fault, double probability) {
    struct world w = {.configuration = sample_plain(6, 2)};
    w.configuration->adoption = (struct cor_adoption_definition){fault, probability};
    w.state = sample_state(w.configuration);
    assert_int_equal(cor_adopter_create(6, &w.adopter, NULL), COR_OK);
    cor_lists_init(&w.solution);
    cor_lists_init(&w.structure);
    static const uint32_t agents[] = {0, 1, 2, 3, 4, 5};
    for (int b = 0; b < 3; b++)
        put(&w.solution, 2, agents + 2 * b);
    return w;
}

static void end(struct world *w) {
    cor_lists_fini(&w->solution);
    cor_lists_fini(&w->structure);
    cor_adopter_destroy(w->adopter);
    cor_state_destroy(w->state);
    cor_configuration_destroy(w->configuration);
}

/* Adopts in case `identity`, and looks at the structure. */
static void adopt(struct world *w, uint64_t identity) {
    struct cor_stream_name name = {.seed = 8, .identity = identity, .purpose = COR_PURPOSE_WALK, .entity = 3};
    assert_int_equal(cor_adopt(w->adopter, w->state, &w->solution, NULL, 0, &name, &w->report, NULL), COR_OK);
    assert_int_equal(cor_state_lists(w->state, &w->structure, NULL), COR_OK);
}

static void check_block(const struct world *w, uint32_t block, size_t count, const uint32_t *members) {
    assert_true(block < w->structure.block_count);
    assert_int_equal(cor_lists_size(&w->structure, block), count);
    assert_int_equal(w->state->structure.size[block], count);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(cor_lists_block(&w->structure, block)[i], members[i]);
        sum += w->state->value[members[i]];
    }
    assert_true(w->state->structure.sum[block] == sum);
}

#define BLOCK(w, block, ...) \
    check_block(w, block, sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

/* The draws of the fault in that case, one for each move. */
static struct cor_rng fault_stream(uint64_t identity) {
    return cor_rng_named(
        &(struct cor_stream_name){.seed = 8, .identity = identity, .purpose = COR_PURPOSE_ADOPTION_FAULT});
}

static void faults_of_probability_0_never_strike(void **unused) {
    (void)unused;
    for (const struct cor_term *fault = cor_terms(COR_FAMILY_ADOPTION_FAULT); fault->word; fault++) {
        struct world w = world_of((enum cor_adoption_fault)fault->number, 0);
        for (uint64_t i = 0; i < 50; i++)
            adopt(&w, i);
        assert_int_equal(w.structure.block_count, 3);
        BLOCK(&w, 0, 0, 1);
        BLOCK(&w, 1, 2, 3);
        BLOCK(&w, 2, 4, 5);
        assert_int_equal(w.report.corrupted, 0);
        sample_assert_partitioning(w.state);
        end(&w);
    }
}

static void lost_agents_belong_nowhere_until_they_are_found_again(void **unused) {
    (void)unused;
    struct world w = world_of(COR_ADOPTION_FAULT_LOST, 1);
    cor_lists_clear(&w.solution);
    put(&w.solution, 3, (const uint32_t[]){0, 1, 99});
    adopt(&w, 1);
    assert_int_equal(w.state->structure.partition[0], COR_NOBODY);
    assert_int_equal(w.state->structure.partition[1], COR_NOBODY);
    assert_int_equal(w.structure.block_count, 2); /* the block is empty and dissolves */
    assert_int_equal(w.structure.member_count, 4);
    BLOCK(&w, 0, 2, 4);
    BLOCK(&w, 1, 3, 5);
    assert_int_equal(w.report.corrupted, 2);
    assert_int_equal(w.report.moved, 2);
    assert_true(w.state->structure.total == 15.0 / 6); /* of all agents, the lost as well */
    w.configuration->adoption.probability = 0;         /* whoever is lost can be found again */
    adopt(&w, 2);
    sample_assert_partitioning(w.state);
    BLOCK(&w, 0, 0, 1);
    end(&w);
}

/* Even of everybody: there is no partition left, and the state can still be used. */
static void a_state_that_lost_everybody_can_still_be_used(void **unused) {
    (void)unused;
    static const uint8_t environment[1] = {0};
    struct world w = world_of(COR_ADOPTION_FAULT_LOST, 1);
    adopt(&w, 1);
    assert_int_equal(w.structure.block_count, 0);
    assert_int_equal(w.structure.member_count, 0);
    assert_int_equal(w.report.corrupted, 6);
    cor_state_perceive(w.state, environment, &(struct cor_stream_name){0});
    cor_lists_clear(&w.solution);
    adopt(&w, 2);
    assert_int_equal(w.structure.block_count, 0);
    end(&w);
}

static void those_are_lost_whom_the_draws_name(void **unused) {
    (void)unused;
    uint32_t lost = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        struct world w = world_of(COR_ADOPTION_FAULT_LOST, 0.25);
        struct cor_rng rng = fault_stream(i);
        uint32_t struck = 0;
        adopt(&w, i);
        for (uint32_t agent = 0; agent < 6; agent++) {
            bool expected = cor_rng_unit(&rng) < 0.25;
            assert_int_equal(w.state->structure.partition[agent] == COR_NOBODY, expected);
            struck += expected;
        }
        assert_int_equal(w.report.corrupted, struck);
        lost += struck;
        end(&w);
    }
    assert_in_range(lost, 1500 - 135, 1500 + 135); /* of 6000: standard deviation 34 */
}

static void doubled_agents_are_in_both_partitions(void **unused) {
    (void)unused;
    struct world w = world_of(COR_ADOPTION_FAULT_DOUBLED, 1);
    cor_lists_clear(&w.solution);
    put(&w.solution, 2, (const uint32_t[]){3, 0});
    adopt(&w, 1);
    assert_int_equal(w.structure.block_count, 3);
    assert_int_equal(w.structure.member_count, 8);
    BLOCK(&w, 0, 0, 3);
    BLOCK(&w, 1, 2, 4, 0); /* those who are here as well come at the end */
    BLOCK(&w, 2, 1, 5, 3);
    assert_int_equal(w.report.corrupted, 2);
    assert_int_equal(w.state->structure.second_count, 2);
    assert_true(w.state->structure.total == 15.0 / 6);
    /* They change in both places. */
    static const uint8_t environment[1] = {0};
    memset(w.state->agent_state, 1, 6);
    cor_state_perceive(w.state, environment, &(struct cor_stream_name){0});
    BLOCK(&w, 0, 0, 3);
    BLOCK(&w, 1, 2, 4, 0);
    assert_true(w.state->structure.sum[1] == 3);
    end(&w);
}

/* A second membership keeps its partition alive, through later adoptions, and ends with a restart. */
static void second_memberships_last_until_the_restart(void **unused) {
    (void)unused;
    static const uint8_t environment[1] = {0};
    struct world w = world_of(COR_ADOPTION_FAULT_DOUBLED, 1);
    adopt(&w, 1);
    assert_int_equal(w.structure.block_count, 5);
    BLOCK(&w, 0, 0, 1);
    BLOCK(&w, 3, 0, 2, 4);
    BLOCK(&w, 4, 1, 3, 5);
    w.configuration->adoption.fault = COR_ADOPTION_FAULT_NONE;
    cor_lists_clear(&w.solution);
    put(&w.solution, 6, (const uint32_t[]){0, 1, 2, 3, 4, 5});
    adopt(&w, 2);
    assert_int_equal(w.structure.block_count, 3);
    BLOCK(&w, 0, 0, 1, 2, 3, 4, 5);
    BLOCK(&w, 1, 0, 2, 4);
    BLOCK(&w, 2, 1, 3, 5);
    cor_state_restart(w.state, environment);
    sample_assert_partitioning(w.state);
    end(&w);
}

/* One agent in far more partitions than there are agents: lists, hash and copies bear it. */
static void an_agent_may_be_in_more_partitions_than_there_are_agents(void **unused) {
    (void)unused;
    struct world w = world_of(COR_ADOPTION_FAULT_DOUBLED, 1);
    static const uint32_t zero = 0;
    cor_lists_clear(&w.solution);
    for (int b = 0; b < 500; b++)
        put(&w.solution, 1, &zero);
    adopt(&w, 1);
    assert_int_equal(w.structure.block_count, 502);
    assert_int_equal(w.structure.member_count, 506);
    struct cor_state *copy = sample_state(w.configuration);
    assert_int_equal(cor_state_copy(copy, w.state, NULL), COR_OK);
    assert_true(cor_state_hash(copy) == cor_state_hash(w.state));
    assert_int_equal(copy->structure.partition_count, 502);
    assert_memory_equal(copy->structure.size, w.state->structure.size, 502 * sizeof(uint32_t));
    struct world other = w;
    other.state = copy;
    adopt(&other, 2);
    w.structure = other.structure;
    assert_int_equal(w.structure.member_count, 506 + 500);
    cor_state_destroy(copy);
    end(&w);
}

/* Every agent goes to one of the two blocks that are not its own, each as often; who is together with whom is
 * what the draws say. */
static void misdirected_agents_go_to_the_other_blocks_drawn(void **unused) {
    (void)unused;
    uint32_t went[3][3] = {{0}};
    for (uint64_t i = 0; i < 1000; i++) {
        struct world w = world_of(COR_ADOPTION_FAULT_MISDIRECTED, 1);
        struct cor_rng rng = fault_stream(i);
        uint32_t target[6];
        adopt(&w, i);
        for (uint32_t agent = 0; agent < 6; agent++) {
            (void)cor_rng_unit(&rng); /* whether it is misdirected */
            uint32_t shift = cor_rng_below(&rng, 2);
            target[agent] = (agent / 2 + 1 + shift) % 3;
            went[agent / 2][target[agent]]++;
            for (uint32_t other = 0; other < agent; other++)
                assert_int_equal(w.state->structure.partition[other] == w.state->structure.partition[agent],
                                 target[other] == target[agent]);
        }
        sample_assert_partitioning(w.state);
        assert_int_equal(w.report.corrupted, 6);
        end(&w);
    }
    for (int from = 0; from < 3; from++)
        for (int to = 0; to < 3; to++)
            assert_in_range(went[from][to], from == to ? 0 : 910, from == to ? 0 : 1090);
}

static void of_two_blocks_misdirected_agents_go_to_the_other(void **unused) {
    (void)unused;
    struct world w = world_of(COR_ADOPTION_FAULT_MISDIRECTED, 1);
    cor_lists_clear(&w.solution);
    put(&w.solution, 1, (const uint32_t[]){0});
    put(&w.solution, 2, (const uint32_t[]){1, 2});
    adopt(&w, 1);
    assert_int_equal(w.structure.block_count, 4);
    BLOCK(&w, 0, 1, 2);
    BLOCK(&w, 1, 0);
    BLOCK(&w, 2, 4);
    BLOCK(&w, 3, 3, 5);
    assert_int_equal(w.report.corrupted, 3);
    end(&w);
}

static void with_one_block_nobody_is_misdirected(void **unused) {
    (void)unused;
    struct world w = world_of(COR_ADOPTION_FAULT_MISDIRECTED, 1);
    cor_lists_clear(&w.solution);
    put(&w.solution, 2, (const uint32_t[]){0, 1});
    adopt(&w, 1);
    BLOCK(&w, 0, 0, 1);
    assert_int_equal(w.report.corrupted, 0);
    end(&w);
}

static void an_adoption_cut_halfway_moves_the_first_half_only(void **unused) {
    (void)unused;
    struct world w = world_of(COR_ADOPTION_FAULT_HALFWAY, 1);
    adopt(&w, 1);
    assert_int_equal(w.structure.block_count, 4);
    BLOCK(&w, 0, 0, 1);
    BLOCK(&w, 1, 2);
    BLOCK(&w, 2, 4);
    BLOCK(&w, 3, 3, 5);
    assert_int_equal(w.report.corrupted, 3);
    sample_assert_partitioning(w.state);
    static const struct cor_move moves[] = {{5, 0}, {0, 1}, {1, 1}, {2, 1}, {3, 2}};
    assert_int_equal(
        cor_adopt(w.adopter, w.state, &w.solution, moves, 5, &(struct cor_stream_name){0}, &w.report, NULL),
        COR_OK);
    assert_int_equal(cor_state_lists(w.state, &w.structure, NULL), COR_OK);
    BLOCK(&w, 0, 5);
    BLOCK(&w, 1, 0);
    BLOCK(&w, 2, 1);
    assert_int_equal(w.report.corrupted, 3);
    end(&w);
}

/* One draw decides for the whole adoption. */
static void one_draw_decides_whether_an_adoption_ends_halfway(void **unused) {
    (void)unused;
    uint32_t count = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        struct world w = world_of(COR_ADOPTION_FAULT_HALFWAY, 0.5);
        struct cor_rng rng = fault_stream(i);
        bool expected = cor_rng_unit(&rng) < 0.5;
        adopt(&w, i);
        assert_int_equal(w.structure.block_count, expected ? 4 : 3);
        assert_int_equal(w.report.corrupted, expected ? 3 : 0);
        count += expected;
        end(&w);
    }
    assert_in_range(count, 435, 565);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_of_probability_0_never_strike),
        cmocka_unit_test(lost_agents_belong_nowhere_until_they_are_found_again),
        cmocka_unit_test(a_state_that_lost_everybody_can_still_be_used),
        cmocka_unit_test(those_are_lost_whom_the_draws_name),
        cmocka_unit_test(doubled_agents_are_in_both_partitions),
        cmocka_unit_test(second_memberships_last_until_the_restart),
        cmocka_unit_test(an_agent_may_be_in_more_partitions_than_there_are_agents),
        cmocka_unit_test(misdirected_agents_go_to_the_other_blocks_drawn),
        cmocka_unit_test(of_two_blocks_misdirected_agents_go_to_the_other),
        cmocka_unit_test(with_one_block_nobody_is_misdirected),
        cmocka_unit_test(an_adoption_cut_halfway_moves_the_first_half_only),
        cmocka_unit_test(one_draw_decides_whether_an_adoption_ends_halfway),
    };
    return cmocka_run_group_tests_name("adoption_faults", tests, NULL, NULL);
}
