/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A PSOPP brought to its first move, and looks at its positions that trust none of its bookkeeping. */
#ifndef CORRIDOR_ALGORITHMS_PSOPP_TESTS_BENCH_PSOPP_H
#define CORRIDOR_ALGORITHMS_PSOPP_TESTS_BENCH_PSOPP_H

#include "fake_host.h"
#include "psopp.h"

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

extern const struct cor_algorithm cor_algorithm_psopp;

enum { BENCH_AGENTS = 1000 };

struct bench {
    struct fake_host host;
    struct fake_task task;
    struct cor_rng rng; /* the test's own draws */
    double values[BENCH_AGENTS];
    uint32_t members[BENCH_AGENTS], whole[2];
    struct psopp *psopp;
};

struct bench_limits {
    uint32_t n, size_min, size_max, count_min, count_max;
};

/* Task and host; uniform values. The caller may change parameters before bench_begin or fake_run. */
static inline void bench_init(struct bench *bench, struct bench_limits limits, uint64_t seed) {
    bench->rng = cor_rng_named(&(struct cor_stream_name){.seed = seed, .purpose = COR_PURPOSE_TEST});
    for (uint32_t a = 0; a < limits.n; a++) {
        bench->values[a] = cor_rng_unit(&bench->rng);
        bench->members[a] = a;
    }
    fake_task_init(&bench->task, &cor_algorithm_psopp, limits.n, bench->values, bench->members, bench->whole);
    bench->task.rules.size_min = limits.size_min;
    bench->task.rules.size_max = limits.size_max;
    bench->task.rules.count_min = limits.count_min;
    bench->task.rules.count_max = limits.count_max;
    fake_init(&bench->host, &cor_algorithm_psopp, seed);
}

static inline void bench_begin(struct bench *bench) {
    bench->psopp = fake_alloc(&bench->host.host, cor_algorithm_psopp.state_size);
    assert_int_equal(cor_algorithm_psopp.begin(bench->psopp, &bench->task.task, &bench->host.host),
                     COR_CONTINUE);
}

static inline void bench_fini(struct bench *bench) {
    fake_fini(&bench->host);
}

/* The sum over the blocks of (block mean - mean of all)^2, from the task's values, in long double. */
static inline double bench_total(const struct bench *bench, const struct psopp_position *position) {
    long double mean = 0, total = 0;
    for (uint32_t a = 0; a < bench->task.task.agent_count; a++)
        mean += bench->values[a];
    mean /= bench->task.task.agent_count;
    for (uint32_t i = 0; i < position->live_count; i++) {
        uint32_t slot = position->live[i], size = position->blocks[slot].size;
        long double sum = 0;
        for (uint32_t m = 0; m < size; m++)
            sum += bench->values[psopp__position_members(position, slot)[m]];
        total += (sum / size - mean) * (sum / size - mean);
    }
    return (double)total;
}

/* The same as the position keeps it. */
static inline double bench_kept_total(const struct psopp_position *position) {
    double unit = position->space->unit;
    return (position->total.high + position->total.low) * unit * unit;
}

/* Does all bookkeeping agree with the member lists? Asserts; for corrupted positions too. */
static inline void bench_check(const struct bench *bench, const struct psopp_position *position) {
    const struct psopp_space *space = position->space;
    static uint32_t seen[BENCH_AGENTS], times[BENCH_AGENTS], sizes[BENCH_AGENTS + 1], stamp;
    uint32_t member_count = 0, splittable = 0, present = 0;
    memset(sizes, 0, sizeof sizes);
    memset(times, 0, sizeof times);
    for (uint32_t i = 0; i < position->live_count; i++) {
        uint32_t slot = position->live[i];
        const struct psopp_block *block = &position->blocks[slot];
        assert_true(slot < space->nowhere);
        assert_int_equal(block->live_place, i);
        assert_in_range(block->size, 1, block->capacity);
        assert_true(block->offset + block->capacity <= position->pool_used);
        uint64_t print = 0;
        stamp++;
        for (uint32_t m = 0; m < block->size; m++) {
            uint32_t agent = psopp__position_members(position, slot)[m];
            assert_true(agent < space->agent_count);
            assert_int_not_equal(seen[agent], stamp); /* a block is a set */
            seen[agent] = stamp;
            times[agent]++;
            print += space->agents[agent].print;
            if (!position->corrupted)
                assert_int_equal(position->label[agent], slot);
        }
        assert_true(print == block->print);
        assert_int_equal(position->splittable_place[slot] != UINT32_MAX, block->size >= 2 * space->size_min);
        if (position->splittable_place[slot] != UINT32_MAX)
            assert_int_equal(position->splittable[position->splittable_place[slot]], slot);
        splittable += position->splittable_place[slot] != UINT32_MAX;
        sizes[block->size]++;
        member_count += block->size;
    }
    assert_int_equal(splittable, position->splittable_count);
    assert_int_equal(member_count, position->member_count);
    for (uint32_t a = 0; a < space->agent_count; a++) { /* a label names a block that holds the agent */
        assert_int_equal(times[a], position->times[a]);
        present += times[a] > 0;
        if (times[a] == 0)
            assert_int_equal(position->label[a], space->nowhere);
        else
            assert_true(psopp__position_holds(position, position->label[a], a));
    }
    assert_int_equal(position->double_count, member_count - present);
    assert_in_range(position->pool_used, member_count, position->pool.capacity);
    for (uint32_t s = 0; s <= space->agent_count; s++) {
        assert_int_equal(sizes[s], position->size_count[s]);
        assert_int_equal(sizes[s] > 0, position->sizes_present[s / 64] >> (s % 64) & 1);
    }
    double total = bench_total(bench, position), kept = bench_kept_total(position);
    assert_true(kept - total < 1e-9 * total + 1e-15 && total - kept < 1e-9 * total + 1e-15);
}

/* C1 to C5 of the oracle: every agent once, none unknown, no block empty, sizes and number within the limits.
 */
static inline void bench_check_feasible(const struct bench *bench, const struct psopp_position *position) {
    const struct cor_rules *rules = &bench->task.rules;
    static uint32_t seen[BENCH_AGENTS], stamp;
    uint32_t all = 0;
    stamp++;
    assert_in_range(position->live_count, rules->count_min, rules->count_max);
    for (uint32_t i = 0; i < position->live_count; i++) {
        uint32_t slot = position->live[i], size = position->blocks[slot].size;
        assert_in_range(size, rules->size_min > 0 ? rules->size_min : 1, rules->size_max);
        for (uint32_t m = 0; m < size; m++) {
            uint32_t agent = psopp__position_members(position, slot)[m];
            assert_true(agent < bench->task.task.agent_count && seen[agent] != stamp);
            seen[agent] = stamp;
        }
        all += size;
    }
    assert_int_equal(all, bench->task.task.agent_count);
}

#endif
