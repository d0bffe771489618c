/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The five faults: what they do, when they strike, what is counted, and that whatever they leave behind can
 * be worked on. */
#include "bench_psopp.h"

enum { F1 = 1, F2, F3, F4, F5, FAULTS = 5 };

/* The operator each fault sits in. */
static const enum psopp_operator seam[FAULTS + 1] = {0,
                                                     PSOPP_RANDOM_SPLIT,
                                                     PSOPP_RANDOM_JOIN,
                                                     PSOPP_APPROACH_SPLIT,
                                                     PSOPP_APPROACH_JOIN,
                                                     PSOPP_APPROACH_EXCHANGE};

static void parameter(struct bench *bench, enum psopp_parameter which, double value) {
    bench->task.parameters[which] = value;
}

/* Both blocks always count as small. */
static void always(struct bench *bench, uint32_t fault) {
    bench->task.rules.fault = fault;
    parameter(bench, PSOPP_T1, 1000);
}

/* How often each agent occurs in a position. */
static void occurrences(const struct psopp_position *position, uint32_t *times) {
    memset(times, 0, position->space->agent_count * sizeof *times);
    for (uint32_t i = 0; i < position->live_count; i++) {
        uint32_t slot = position->live[i];
        for (uint32_t m = 0; m < position->blocks[slot].size; m++)
            times[psopp__position_members(position, slot)[m]]++;
    }
}

/* Sound random moves away from a target, then the operator with its fault. false: it could not be applied. */
static bool apply(struct bench *bench, uint32_t fault, struct psopp_position *before) {
    struct psopp *psopp = bench->psopp;
    struct psopp_position *position = &psopp->particles[0].position, *target = &psopp->particles[0].best;
    psopp->moves = &psopp__psopp_moves[0];
    psopp__position_copy(target, position);
    for (int i = 0; i < 60; i++)
        psopp__random_move(psopp, position);
    psopp__position_copy(before, position);
    if ((fault == F1 && !psopp__can_split(position)) || (fault == F2 && !psopp__can_join(position)))
        return false;
    return psopp__psopp_moves[fault].move[seam[fault]](psopp, position, target);
}

/* The blocks the fault worked on, and what came of them: agents by number of occurrences. */
struct damage {
    uint32_t missing, twice, more;
};

static struct damage damage_of(const struct psopp_position *position) {
    uint32_t times[BENCH_AGENTS];
    struct damage damage = {0, 0, 0};
    occurrences(position, times);
    for (uint32_t a = 0; a < position->space->agent_count; a++) {
        damage.missing += times[a] == 0;
        damage.twice += times[a] == 2;
        damage.more += times[a] > 2;
    }
    return damage;
}

/* Each fault once on a sound position: exactly the corruption of the paper, in exactly the blocks of the
 * operator. */
static void each_fault_does_what_it_says(void **state) {
    (void)state;
    for (uint32_t fault = 1; fault <= FAULTS; fault++)
        for (uint64_t seed = 0, done = 0; done < 100; seed++) {
            struct bench bench;
            struct psopp_position before;
            bench_init(&bench, (struct bench_limits){40, 2, 20, 2, 15}, seed);
            always(&bench, fault);
            bench_begin(&bench);
            assert_true(psopp__position_create(&before, &bench.psopp->space));
            assert_true(seed < 2000);
            if (apply(&bench, fault, &before)) {
                const struct psopp_position *position = &bench.psopp->particles[0].position;
                struct damage damage = damage_of(position);
                struct psopp_pair pair = bench.psopp->last;
                done++;
                assert_true(position->corrupted);
                assert_int_equal(bench.host.fault.reached, 1);
                assert_int_equal(bench.host.fault.held, 1);
                assert_int_equal(bench.host.fault.activated, 1);
                assert_int_equal(damage.more, 0);
                if (fault == F1)
                    assert_true(damage.missing == 1 && damage.twice == 1);
                if (fault == F2)
                    assert_true(damage.missing == 0 &&
                                (damage.twice == pair.first_size || damage.twice == pair.second_size));
                if (fault == F3)
                    assert_true((damage.missing == pair.first_size || damage.missing == pair.second_size) &&
                                damage.twice == 0);
                if (fault == F4)
                    assert_true(damage.missing == 1 && damage.twice == 0);
                if (fault == F5)
                    assert_true(damage.missing == 0 && damage.twice == 1);
                if (fault == F2 ||
                    fault == F3) /* one block more than the sound operator leaves, or one less */
                    assert_int_equal(position->live_count, before.live_count);
                if (fault == F1) { /* sizes are as they were: one agent replaced by another */
                    assert_int_equal(position->blocks[pair.first].size, pair.first_size);
                    assert_int_equal(position->blocks[pair.second].size, pair.second_size);
                }
                bench_check(&bench, position);
            }
            bench_fini(&bench);
        }
}

/* Splits a block of `first + second` agents, of which `first` go to L, under F1; says whether the condition
 * held. */
static bool held_for(uint32_t first, uint32_t second, double t1, int inclusive, double t2) {
    struct bench bench;
    uint32_t smaller = first < second ? first : second;
    bool held = false, seen = false;
    for (uint64_t seed = 0; !seen; seed++) {
        bench_init(&bench, (struct bench_limits){first + second, smaller, first + second, 1, 2}, seed);
        bench.task.rules.fault = F1;
        parameter(&bench, PSOPP_T1, t1);
        parameter(&bench, PSOPP_T1_MODE, inclusive);
        parameter(&bench, PSOPP_T2, t2);
        bench_begin(&bench);
        struct psopp_position *position = &bench.psopp->particles[0].position;
        psopp__psopp_moves[F1].move[PSOPP_RANDOM_SPLIT](bench.psopp, position, NULL);
        struct psopp_pair pair = bench.psopp->last;
        seen = pair.first_size == first && pair.second_size == second;
        held = bench.host.fault.held == 1;
        assert_int_equal(bench.host.fault.reached, 1);
        assert_int_equal(bench.host.fault.activated, bench.host.fault.held);
        bench_fini(&bench);
    }
    return held;
}

/* Literally: both up to (below) t1, or both above t2; a small and a large one do not count. */
static void faults_strike_by_the_sizes_of_both_blocks(void **state) {
    (void)state;
    assert_true(held_for(2, 2, 2, 1, 100));
    assert_false(held_for(2, 2, 2, 0, 100));
    assert_true(held_for(1, 1, 2, 0, 100));
    assert_false(held_for(2, 3, 2, 1, 100));
    assert_false(held_for(3, 2, 2, 1, 100));
    assert_false(held_for(3, 3, 2, 1, 100));
    assert_true(held_for(7, 7, 2, 1, 6));
    assert_false(held_for(6, 6, 2, 1, 6));
    assert_false(held_for(6, 7, 2, 1, 6));
    assert_false(held_for(7, 6, 2, 1, 6));
    assert_false(held_for(2, 7, 2, 1, 6));
    assert_true(held_for(7, 8, 2, 1, 6));
    assert_true(held_for(101, 101, 2, 1, 100));
    assert_false(held_for(101, 100, 2, 1, 100));
}

static void run(struct bench *bench, uint64_t budget) {
    bench->task.rules.budget = budget;
    assert_int_not_equal(fake_run(&bench->host, &cor_algorithm_psopp, &bench->task, 1000), COR_FAILED);
}

static bool same_solution(const struct bench *a, const struct bench *b) {
    const struct cor_lists *x = &a->host.solution, *y = &b->host.solution;
    return x->block_count == y->block_count && x->member_count == y->member_count &&
           memcmp(x->start, y->start, (x->block_count + 1) * sizeof *x->start) == 0 &&
           memcmp(x->members, y->members, x->member_count * sizeof *x->members) == 0;
}

static const struct bench_limits usual = {60, 2, 20, 3, 30};

/* Faults that do not activate change nothing, though their conditions hold and they draw. */
static void runs_equal_the_fault_free_one_until_activation(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 5; seed++)
        for (uint32_t fault = 1; fault <= FAULTS; fault++) {
            struct bench sound, faulty;
            bench_init(&sound, usual, seed);
            bench_init(&faulty, usual, seed);
            always(&faulty, fault);
            parameter(&sound, PSOPP_EXCHANGE_POLICY, 1);
            parameter(&faulty, PSOPP_EXCHANGE_POLICY, 1);
            parameter(&faulty, PSOPP_P_ACTIVATE, 0);
            run(&sound, 5000);
            run(&faulty, 5000);
            assert_true(same_solution(&sound, &faulty));
            assert_memory_equal(sound.host.counters, faulty.host.counters, sizeof sound.host.counters);
            assert_true(faulty.host.fault.held > 0 && faulty.host.fault.held == faulty.host.fault.reached);
            assert_int_equal(faulty.host.fault.activated, 0);
            assert_int_equal(faulty.host.fault.in_result, 0);
            assert_int_equal(sound.host.fault.reached, 0);
            bench_fini(&sound);
            bench_fini(&faulty);
        }
}

/* Is the raw solution a partitioning of all agents? */
static bool is_partitioning(const struct bench *bench) {
    const struct cor_lists *solution = &bench->host.solution;
    uint32_t times[BENCH_AGENTS] = {0}, n = bench->task.task.agent_count;
    for (uint32_t i = 0; i < solution->member_count; i++)
        if (solution->members[i] >= n || times[solution->members[i]]++ > 0)
            return false;
    return solution->member_count == n;
}

/* The gray box sees every fault: forced, it shows in the raw lists of many runs; and never without in_result
 * being said. */
static void faults_show_in_the_result(void **state) {
    (void)state;
    for (uint32_t fault = 1; fault <= FAULTS; fault++) {
        uint32_t shown = 0, masked = 0;
        for (uint64_t seed = 0; seed < 60; seed++) {
            struct bench bench;
            bench_init(&bench, usual, seed);
            always(&bench, fault);
            parameter(&bench, PSOPP_EXCHANGE_POLICY, 1);
            parameter(&bench, PSOPP_P_ACTIVATE, 0.02);
            parameter(&bench, PSOPP_C_RANDOM, 0.4);
            parameter(&bench, PSOPP_C_OWN, 0.3);
            parameter(&bench, PSOPP_C_BEST, 0.3);
            run(&bench, 400);
            if (!is_partitioning(&bench)) {
                assert_int_equal(bench.host.fault.in_result, 1);
                assert_true(bench.host.fault.activated > 0);
                shown++;
            }
            if (bench.host.fault.in_result == 0) {
                assert_true(is_partitioning(&bench));
                masked += bench.host.fault.activated > 0;
            }
            bench_fini(&bench);
        }
        assert_true(shown > 0);
        assert_true(masked > 0);
    }
}

/* Whatever faults leave behind, every operator works on it: blocks stay non-empty sets, and the bookkeeping
 * right. */
static void corrupted_positions_are_workable(void **state) {
    (void)state;
    static const struct bench_limits limits[] = {
        {30, 1, 30, 1, 30}, {30, 2, 9, 3, 12}, {24, 4, 4, 6, 6}, {700, 60, 500, 2, 9}};
    for (size_t l = 0; l < 4; l++)
        for (uint32_t fault = 1; fault <= FAULTS; fault++) {
            struct bench bench;
            bench_init(&bench, limits[l], fault);
            always(&bench, fault);
            parameter(&bench, PSOPP_EXCHANGE_POLICY, 1);
            parameter(&bench, PSOPP_EXCHANGE_SIZE, 3);
            parameter(&bench, PSOPP_P_ACTIVATE, l == 0 ? 1 : 0.2);
            bench_begin(&bench);
            struct psopp *psopp = bench.psopp;
            struct psopp_position *position = &psopp->particles[0].position,
                                  *target = &psopp->particles[0].best;
            for (uint32_t move = 0; move < (l < 3 ? 6000 : 1500); move++) {
                uint32_t what = cor_rng_below(&bench.rng, 20);
                if (what == 0)
                    psopp__position_copy(target, position);
                if (what < 10 || !psopp__approach(psopp, position, target, psopp__halves(psopp->random).one))
                    psopp__random_move(psopp, position);
                assert_true(position->live_count >= 1 && position->live_count <= limits[l].count_max);
                assert_false(position->out_of_memory);
                if (move % 7 == 0)
                    bench_check(&bench, position);
            }
            if (limits[l].count_min != limits[l].count_max || fault == F5)
                assert_true(position->corrupted);
            bench_fini(&bench);
        }
}

/* F2 adds members without end; at the memory limit the run fails, and nothing else happens. */
static void growth_meets_the_memory_limit(void **state) {
    (void)state;
    uint32_t failed = 0;
    for (uint64_t left = 0; left < 160; left++) {
        struct bench bench;
        bench_init(&bench, (struct bench_limits){40, 2, 40, 2, 40}, 1);
        always(&bench, F2);
        parameter(&bench, PSOPP_C_RANDOM, 1);
        parameter(&bench, PSOPP_C_OWN, 0);
        parameter(&bench, PSOPP_C_BEST, 0);
        bench.task.rules.budget = 3000;
        bench.host.allocations_left = left;
        failed += fake_run(&bench.host, &cor_algorithm_psopp, &bench.task, 1000) == COR_FAILED;
        bench_fini(&bench);
    }
    assert_in_range(failed, 20, 159); /* with memory enough, it ends */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_does_what_it_says),
        cmocka_unit_test(faults_strike_by_the_sizes_of_both_blocks),
        cmocka_unit_test(runs_equal_the_fault_free_one_until_activation),
        cmocka_unit_test(faults_show_in_the_result),
        cmocka_unit_test(corrupted_positions_are_workable),
        cmocka_unit_test(growth_meets_the_memory_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
