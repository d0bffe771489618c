/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The oracle against a second one that counts by looking everywhere for everything. */
#include <corridor/oracle.h>
#include <corridor/rng.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct cor_rng stream(uint64_t seed) {
    return cor_rng_named(&(struct cor_stream_name){.seed = seed, .purpose = COR_PURPOSE_TEST});
}

static void put(struct cor_lists *lists, uint32_t count, const uint32_t *members) {
    assert_int_equal(cor_lists_put(lists, members, count, NULL), COR_OK);
}

#define PUT(lists, ...) \
    put(lists, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

static uint32_t occurrences(const struct cor_lists *lists, uint32_t agent) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < lists->member_count; i++)
        count += lists->members[i] == agent;
    return count;
}

/* The last block with an agent in it, COR_NOBODY if none. */
static uint32_t place_of(const struct cor_lists *lists, uint32_t agent) {
    uint32_t found = COR_NOBODY;
    for (uint32_t b = 0; b < lists->block_count; b++)
        for (uint32_t i = lists->start[b]; i < lists->start[b + 1]; i++)
            if (lists->members[i] == agent)
                found = b;
    return found;
}

static void count_slowly(const struct cor_lists *lists, uint32_t n, const struct cor_limits *limits,
                         uint32_t count[COR_CHECK_CODES]) {
    memset(count, 0, COR_CHECK_CODES * sizeof *count);
    for (uint32_t agent = 0; agent < n; agent++) {
        count[COR_CHECK_MISSING] += occurrences(lists, agent) == 0;
        count[COR_CHECK_DOUBLE] += occurrences(lists, agent) > 1;
    }
    for (uint32_t i = 0; i < lists->member_count; i++)
        count[COR_CHECK_UNKNOWN] += lists->members[i] >= n;
    for (uint32_t b = 0; b < lists->block_count; b++) {
        uint32_t size = lists->start[b + 1] - lists->start[b];
        count[COR_CHECK_EMPTY] += size == 0;
        count[COR_CHECK_SIZE_LOW] += size != 0 && size < limits->size_min;
        count[COR_CHECK_SIZE_HIGH] += size != 0 && size > limits->size_max;
    }
    count[COR_CHECK_COUNT_LOW] = lists->block_count < limits->count_min;
    count[COR_CHECK_COUNT_HIGH] = lists->block_count > limits->count_max;
}

/* Each kept violation says something that can be looked up in the lists. */
static void assert_true_statement(const struct cor_violation *v, const struct cor_lists *lists, uint32_t n,
                                  const struct cor_limits *limits) {
    uint32_t size = v->partition < lists->block_count ? cor_lists_size(lists, v->partition) : 0;
    switch (v->check) {
    case COR_CHECK_MISSING:
        assert_true(v->agent < n && occurrences(lists, v->agent) == 0 && v->found == 0 && v->expected == 1);
        return;
    case COR_CHECK_DOUBLE:
        assert_true(occurrences(lists, v->agent) == v->found && v->found > 1 && v->expected == 1);
        assert_int_equal(v->partition, place_of(lists, v->agent));
        return;
    case COR_CHECK_UNKNOWN:
        assert_true(v->agent >= n && v->expected == n && v->found == v->agent);
        assert_true(occurrences(lists, v->agent) > 0);
        return;
    case COR_CHECK_EMPTY:
        assert_true(v->partition < lists->block_count && size == 0);
        return;
    case COR_CHECK_SIZE_LOW:
        assert_true(v->found == size && v->expected == limits->size_min && v->found < v->expected);
        return;
    case COR_CHECK_SIZE_HIGH:
        assert_true(v->found == size && v->expected == limits->size_max && v->found > v->expected);
        return;
    case COR_CHECK_COUNT_LOW:
        assert_true(v->found == lists->block_count && v->expected == limits->count_min &&
                    v->found < v->expected);
        return;
    case COR_CHECK_COUNT_HIGH:
        assert_true(v->found == lists->block_count && v->expected == limits->count_max &&
                    v->found > v->expected);
        return;
    default:
        fail_msg("check %d is none of these", (int)v->check);
    }
}

static void assert_judged_alike(struct cor_oracle *oracle, const struct cor_lists *lists, uint32_t n,
                                const struct cor_limits *limits) {
    struct cor_judgement judgement;
    uint32_t count[COR_CHECK_CODES], all = 0, kept = 0;
    memset(&judgement, 0xAB, sizeof judgement); /* it is cleared */
    cor_oracle_judge(oracle, lists, n, limits, &judgement);
    count_slowly(lists, n, limits, count);
    assert_memory_equal(judgement.count, count, sizeof count);
    for (int c = 0; c < COR_CHECK_CODES; c++) {
        all += count[c];
        kept += count[c] < COR_JUDGEMENT_KEPT ? count[c] : COR_JUDGEMENT_KEPT;
    }
    assert_int_equal(judgement.violation_count, all);
    assert_int_equal(judgement.kept_count, kept);
    for (uint32_t i = 0; i < kept; i++)
        assert_true_statement(&judgement.kept[i], lists, n, limits);
}

/* Small lists of anything: repeated, unknown, missing agents, empty blocks. */
static void random_nonsense(struct cor_rng *rng, uint32_t n, struct cor_lists *lists) {
    cor_lists_clear(lists);
    uint32_t blocks = cor_rng_below(rng, 6);
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t members[8], size = cor_rng_below(rng, 5);
        for (uint32_t i = 0; i < size; i++) {
            uint32_t wild = cor_rng_below(rng, 12);
            members[i] = wild == 0 ? UINT32_MAX : wild == 1 ? n : cor_rng_below(rng, n);
        }
        put(lists, size, members);
    }
}

/* A random partitioning of 0 .. n-1, blocks and members in random order. */
static void random_partitioning(struct cor_rng *rng, uint32_t n, struct cor_lists *lists) {
    uint32_t agents[16];
    cor_lists_clear(lists);
    for (uint32_t a = 0; a < n; a++)
        agents[a] = a;
    cor_rng_shuffle(rng, agents, n);
    for (uint32_t at = 0; at < n;) {
        uint32_t size = 1 + cor_rng_below(rng, n - at < 4 ? n - at : 4);
        put(lists, size, agents + at);
        at += size;
    }
}

static void the_oracle_judges_like_brute_force(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(1);
    struct cor_oracle *oracle;
    struct cor_lists lists;
    cor_lists_init(&lists);
    assert_int_equal(cor_oracle_create(9, &oracle, NULL), COR_OK);
    for (int round = 0; round < 40000; round++) {
        uint32_t n = 1 + cor_rng_below(&rng, 9);
        uint32_t kind = cor_rng_below(&rng, 3);
        if (kind == 0)
            random_partitioning(&rng, n, &lists);
        else
            random_nonsense(&rng, n, &lists);
        struct cor_limits limits = COR_NO_LIMITS;
        if (cor_rng_below(&rng, 2) == 1) {
            limits.size_min = 1 + cor_rng_below(&rng, 3);
            limits.size_max = limits.size_min + cor_rng_below(&rng, 3);
            limits.count_min = cor_rng_below(&rng, 4);
            limits.count_max = limits.count_min + cor_rng_below(&rng, 3);
        }
        assert_judged_alike(oracle, &lists, n, &limits);
    }
    cor_oracle_destroy(oracle);
    cor_lists_fini(&lists);
}

/* One defect each: the check meant for it, and no other, speaks; the sound partitioning beside it is silent.
 */
static void each_defect_is_found_by_its_check_alone(void **unused) {
    (void)unused;
    struct cor_oracle *oracle;
    assert_int_equal(cor_oracle_create(4, &oracle, NULL), COR_OK);
    struct cor_lists sound, missing, repeated, unknown, empty;
    struct cor_lists *all[] = {&sound, &missing, &repeated, &unknown, &empty};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cor_lists_init(all[i]);
    PUT(&sound, 0, 3);
    PUT(&sound, 2, 1);
    PUT(&missing, 0, 3);
    PUT(&missing, 2);
    PUT(&repeated, 0, 3);
    PUT(&repeated, 2, 1, 3);
    PUT(&unknown, 0, 3, 4);
    PUT(&unknown, 2, 1);
    PUT(&empty, 0, 3);
    put(&empty, 0, NULL);
    PUT(&empty, 2, 1);
    const struct {
        const struct cor_lists *lists;
        struct cor_limits limits;
        enum cor_check check; /* 0: none */
    } cases[] = {
        {&sound, COR_NO_LIMITS, 0},
        {&sound, {2, 2, 2, 2}, 0},
        {&missing, COR_NO_LIMITS, COR_CHECK_MISSING},
        {&repeated, COR_NO_LIMITS, COR_CHECK_DOUBLE},
        {&unknown, COR_NO_LIMITS, COR_CHECK_UNKNOWN},
        {&empty, COR_NO_LIMITS, COR_CHECK_EMPTY},
        {&sound, {3, 4, 0, 9}, COR_CHECK_SIZE_LOW},
        {&sound, {1, 1, 0, 9}, COR_CHECK_SIZE_HIGH},
        {&sound, {1, 9, 3, 9}, COR_CHECK_COUNT_LOW},
        {&sound, {1, 9, 0, 1}, COR_CHECK_COUNT_HIGH},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_judgement judgement;
        cor_oracle_judge(oracle, cases[i].lists, 4, &cases[i].limits, &judgement);
        assert_int_equal(judgement.violation_count > 0, cases[i].check != 0);
        assert_int_equal(judgement.count[cases[i].check], judgement.violation_count);
        for (uint32_t v = 0; v < judgement.kept_count; v++)
            assert_int_equal(judgement.kept[v].check, cases[i].check);
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cor_lists_fini(all[i]);
    cor_oracle_destroy(oracle);
}

static void no_blocks_are_sound_for_no_agents_only(void **unused) {
    (void)unused;
    struct cor_oracle *oracle;
    struct cor_lists lists;
    struct cor_judgement judgement;
    cor_lists_init(&lists);
    assert_int_equal(cor_oracle_create(0, &oracle, NULL), COR_OK);
    cor_oracle_judge(oracle, &lists, 0, &COR_NO_LIMITS, &judgement);
    assert_int_equal(judgement.violation_count, 0);
    cor_oracle_compare(oracle, &lists, &lists, 0, &judgement);
    assert_int_equal(judgement.violation_count, 0);
    cor_oracle_destroy(oracle);
    assert_int_equal(cor_oracle_create(3, &oracle, NULL), COR_OK);
    cor_oracle_judge(oracle, &lists, 3, &COR_NO_LIMITS, &judgement);
    assert_int_equal(judgement.count[COR_CHECK_MISSING], 3);
    cor_oracle_destroy(oracle);
    cor_oracle_destroy(NULL);
    cor_lists_fini(&lists);
}

static void the_first_violations_of_each_check_are_kept(void **unused) {
    (void)unused;
    struct cor_oracle *oracle;
    struct cor_lists lists;
    struct cor_judgement judgement;
    uint32_t twice[40];
    cor_lists_init(&lists);
    for (uint32_t i = 0; i < 40; i++)
        twice[i] = i / 2;
    put(&lists, 40, twice);
    assert_int_equal(cor_oracle_create(100, &oracle, NULL), COR_OK);
    cor_oracle_judge(oracle, &lists, 100, &COR_NO_LIMITS, &judgement);
    assert_int_equal(judgement.count[COR_CHECK_DOUBLE], 20);
    assert_int_equal(judgement.count[COR_CHECK_MISSING], 80);
    assert_int_equal(judgement.kept_count, 2 * COR_JUDGEMENT_KEPT);
    for (uint32_t i = 0; i < COR_JUDGEMENT_KEPT; i++) {
        assert_int_equal(judgement.kept[i].agent, i);
        assert_int_equal(judgement.kept[COR_JUDGEMENT_KEPT + i].agent, 20 + i);
    }
    cor_oracle_destroy(oracle);
    cor_lists_fini(&lists);
}

static bool together(const struct cor_lists *lists, uint32_t a, uint32_t b) {
    return place_of(lists, a) == place_of(lists, b);
}

/* Two partitionings are equal if every two agents are together in both or in neither. */
static bool equal_slowly(const struct cor_lists *a, const struct cor_lists *b, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            if (together(a, i, j) != together(b, i, j))
                return false;
    return true;
}

/* The same partitioning written otherwise. */
static void scramble(struct cor_rng *rng, const struct cor_lists *lists, struct cor_lists *copy) {
    uint32_t order[16];
    cor_lists_clear(copy);
    for (uint32_t b = 0; b < lists->block_count; b++)
        order[b] = b;
    cor_rng_shuffle(rng, order, lists->block_count);
    for (uint32_t b = 0; b < lists->block_count; b++) {
        uint32_t members[16], size = cor_lists_size(lists, order[b]);
        memcpy(members, cor_lists_block(lists, order[b]), size * sizeof *members);
        cor_rng_shuffle(rng, members, size);
        put(copy, size, members);
    }
}

/* The header's words, looked up: the first agent of its partition that is not with the first, or the first
 * itself. */
static void assert_first_stray(const struct cor_violation *v, const struct cor_lists *structure,
                               const struct cor_lists *solution) {
    const uint32_t *members = cor_lists_block(structure, v->partition);
    assert_int_equal(v->check, COR_CHECK_NOT_ADOPTED);
    assert_int_equal((uint32_t)v->found, v->partition);
    assert_int_equal(place_of(structure, v->agent), v->partition);
    assert_int_equal((uint32_t)v->expected, place_of(solution, v->agent));
    if (v->agent == members[0]) {
        bool earlier = false;
        for (uint32_t i = 0; i < structure->start[v->partition]; i++)
            earlier = earlier || together(solution, structure->members[i], v->agent);
        assert_true(earlier);
        return;
    }
    assert_false(together(solution, members[0], v->agent));
    for (uint32_t i = 1; members[i] != v->agent; i++)
        assert_true(together(solution, members[0], members[i]));
}

static void the_oracle_compares_like_brute_force(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(2);
    struct cor_oracle *oracle;
    struct cor_lists a, b;
    uint32_t equal = 0, different = 0;
    cor_lists_init(&a);
    cor_lists_init(&b);
    assert_int_equal(cor_oracle_create(16, &oracle, NULL), COR_OK);
    for (int round = 0; round < 20000; round++) {
        uint32_t n = 1 + cor_rng_below(&rng, 7);
        random_partitioning(&rng, n, &a);
        uint32_t kind = cor_rng_below(&rng, 3);
        if (kind == 0)
            scramble(&rng, &a, &b);
        else
            random_partitioning(&rng, n, &b);
        struct cor_judgement judgement = {0};
        cor_oracle_compare(oracle, &a, &b, n, &judgement);
        bool same = equal_slowly(&a, &b, n);
        assert_int_equal(judgement.violation_count == 0, same);
        assert_int_equal(judgement.count[COR_CHECK_NOT_ADOPTED], judgement.violation_count);
        for (uint32_t i = 0; i < judgement.kept_count; i++)
            assert_first_stray(&judgement.kept[i], &a, &b);
        equal += same;
        different += !same;
    }
    assert_true(equal > 5000 && different > 5000);
    cor_oracle_destroy(oracle);
    cor_lists_fini(&a);
    cor_lists_fini(&b);
}

static void only_partitionings_are_compared(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(3);
    struct cor_oracle *oracle;
    struct cor_lists nonsense, sound;
    cor_lists_init(&nonsense);
    cor_lists_init(&sound);
    assert_int_equal(cor_oracle_create(16, &oracle, NULL), COR_OK);
    for (int round = 0; round < 5000; round++) {
        struct cor_judgement judgement;
        uint32_t n = 1 + cor_rng_below(&rng, 9);
        random_nonsense(&rng, n, &nonsense);
        random_partitioning(&rng, n, &sound);
        cor_oracle_judge(oracle, &nonsense, n, &COR_NO_LIMITS, &judgement);
        if (judgement.violation_count == 0)
            continue;
        uint32_t before = judgement.violation_count;
        cor_oracle_compare(oracle, &nonsense, &sound, n, &judgement);
        cor_oracle_compare(oracle, &sound, &nonsense, n, &judgement);
        assert_int_equal(judgement.violation_count, before);
    }
    cor_oracle_destroy(oracle);
    cor_lists_fini(&nonsense);
    cor_lists_fini(&sound);
}

static void dissimilarities_have_the_known_values(void **unused) {
    (void)unused;
    struct cor_lists lists;
    cor_lists_init(&lists);
    const double values[] = {1, 3, 10, 2, 4};
    assert_true(cor_oracle_dissimilarity(&lists, values, NULL, 5, COR_MEASURE_RANGE) == 0);
    PUT(&lists, 0, 1);    /* mean 2 */
    PUT(&lists, 2);       /* mean 10 */
    PUT(&lists, 77);      /* nobody known */
    PUT(&lists, 3, 4, 9); /* mean 3 of the known */
    /* The mean of all is 4: deviations -2, 6, -1. */
    assert_true(cor_oracle_dissimilarity(&lists, values, NULL, 5, COR_MEASURE_RANGE) == 8);
    assert_true(cor_oracle_dissimilarity(&lists, values, NULL, 5, COR_MEASURE_MAX_DEVIATION) == 6);
    double rms = cor_oracle_dissimilarity(&lists, values, NULL, 5, COR_MEASURE_RMS);
    assert_true(fabs(rms - sqrt(41.0 / 3)) < 1e-12);
    assert_true(cor_oracle_dissimilarity(&lists, values, NULL, 0, COR_MEASURE_RMS) == 0);
    cor_lists_fini(&lists);
}

static void dissimilarities_are_those_of_the_definition(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(4);
    struct cor_lists lists;
    cor_lists_init(&lists);
    for (int round = 0; round < 3000; round++) {
        double values[16], all = 0, low = INFINITY, high = -INFINITY, far = 0, squares = 0;
        uint32_t n = 1 + cor_rng_below(&rng, 14);
        for (uint32_t a = 0; a < n; a++) {
            values[a] = cor_rng_unit(&rng);
            all += values[a] / n;
        }
        random_partitioning(&rng, n, &lists);
        for (uint32_t b = 0; b < lists.block_count; b++) {
            double mean = 0;
            for (uint32_t a = 0; a < n; a++)
                mean += place_of(&lists, a) == b ? values[a] / cor_lists_size(&lists, b) : 0;
            low = fmin(low, mean);
            high = fmax(high, mean);
            far = fmax(far, fabs(mean - all));
            squares += (mean - all) * (mean - all) / lists.block_count;
        }
        assert_true(fabs(cor_oracle_dissimilarity(&lists, values, NULL, n, COR_MEASURE_RANGE) -
                         (high - low)) < 1e-12);
        assert_true(fabs(cor_oracle_dissimilarity(&lists, values, NULL, n, COR_MEASURE_MAX_DEVIATION) - far) <
                    1e-12);
        assert_true(fabs(cor_oracle_dissimilarity(&lists, values, NULL, n, COR_MEASURE_RMS) - sqrt(squares)) <
                    1e-12);
    }
    cor_lists_fini(&lists);
}

static void the_edge_lies_between_inside_and_outside(void **unused) {
    (void)unused;
    assert_int_equal(cor_oracle_inside(0.2, 0.3), COR_INSIDE_INSIDE);
    assert_int_equal(cor_oracle_inside(0.4, 0.3), COR_INSIDE_OUTSIDE);
    assert_int_equal(cor_oracle_inside(0.3, 0.3), COR_INSIDE_EDGE);
    assert_int_equal(cor_oracle_inside(0.3 + 0.9e-9, 0.3), COR_INSIDE_EDGE);
    assert_int_equal(cor_oracle_inside(0.3 - 0.9e-9, 0.3), COR_INSIDE_EDGE);
    assert_int_equal(cor_oracle_inside(0.3 + 1.1e-9, 0.3), COR_INSIDE_OUTSIDE);
    assert_int_equal(cor_oracle_inside(0.3 - 1.1e-9, 0.3), COR_INSIDE_INSIDE);
    assert_int_equal(cor_oracle_inside(5, INFINITY), COR_INSIDE_INSIDE);
    assert_int_equal(cor_oracle_inside((double)NAN, 0.3), COR_INSIDE_OUTSIDE);
}

static void missed_and_false_alarms_are_violations(void **unused) {
    (void)unused;
    for (int alarm = 0; alarm < 2; alarm++) {
        for (int inside = COR_INSIDE_INSIDE; inside <= COR_INSIDE_NOT_LOOKED; inside++) {
            struct cor_judgement judgement = {0};
            cor_oracle_judge_alarm(alarm, (enum cor_inside)inside, 0.5, 0.25, &judgement);
            uint32_t missed = !alarm && inside == COR_INSIDE_OUTSIDE,
                     wrong = alarm && inside == COR_INSIDE_INSIDE;
            assert_int_equal(judgement.count[COR_CHECK_ALARM_MISSED], missed);
            assert_int_equal(judgement.count[COR_CHECK_ALARM_FALSE], wrong);
            assert_int_equal(judgement.violation_count, missed + wrong);
            if (judgement.kept_count > 0)
                assert_true(judgement.kept[0].expected == 0.25 && judgement.kept[0].found == 0.5);
        }
    }
}

/* What is judged of `blocks` blocks of `size` agents each, of all agents, within limits 3 .. 5 and 2 .. 4. */
static struct cor_judgement judged(uint32_t blocks, uint32_t size) {
    static const struct cor_limits limits = {3, 5, 2, 4};
    struct cor_error error = COR_NO_ERROR;
    struct cor_judgement judgement;
    struct cor_oracle *oracle;
    struct cor_lists lists;
    uint32_t members[16];
    cor_lists_init(&lists);
    assert_int_equal(cor_oracle_create(blocks * size, &oracle, &error), COR_OK);
    for (uint32_t b = 0; b < blocks; b++) {
        for (uint32_t i = 0; i < size; i++)
            members[i] = b * size + i;
        assert_int_equal(cor_lists_put(&lists, members, size, &error), COR_OK);
    }
    cor_oracle_judge(oracle, &lists, blocks * size, &limits, &judgement);
    cor_lists_fini(&lists);
    cor_oracle_destroy(oracle);
    return judgement;
}

static void limits_hold_at_their_bounds_and_not_one_beyond(void **unused) {
    (void)unused;
    const struct {
        uint32_t blocks, size, violations;
        enum cor_check check;
        double bound;
    } cases[] = {
        {2, 3, 0, 0, 0},
        {4, 3, 0, 0, 0},
        {2, 5, 0, 0, 0},
        {4, 5, 0, 0, 0},
        {2, 2, 2, COR_CHECK_SIZE_LOW, 3},
        {2, 6, 2, COR_CHECK_SIZE_HIGH, 5},
        {1, 3, 1, COR_CHECK_COUNT_LOW, 2},
        {5, 3, 1, COR_CHECK_COUNT_HIGH, 4},
        {5, 6, 6, COR_CHECK_COUNT_HIGH, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_judgement judgement = judged(cases[i].blocks, cases[i].size);
        assert_int_equal(judgement.violation_count, cases[i].violations);
        if (cases[i].violations == 0)
            continue;
        const struct cor_violation *last = &judgement.kept[judgement.kept_count - 1];
        assert_int_equal(last->check, cases[i].check);
        assert_true(last->expected == cases[i].bound);
        assert_true(judgement.count[cases[i].check] > 0);
    }
    /* Of five blocks that are too large four are kept, all are counted. */
    struct cor_judgement judgement = judged(5, 6);
    assert_int_equal(judgement.count[COR_CHECK_SIZE_HIGH], 5);
    assert_int_equal(judgement.kept_count, COR_JUDGEMENT_KEPT + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_hold_at_their_bounds_and_not_one_beyond),
        cmocka_unit_test(the_oracle_judges_like_brute_force),
        cmocka_unit_test(each_defect_is_found_by_its_check_alone),
        cmocka_unit_test(no_blocks_are_sound_for_no_agents_only),
        cmocka_unit_test(the_first_violations_of_each_check_are_kept),
        cmocka_unit_test(the_oracle_compares_like_brute_force),
        cmocka_unit_test(only_partitionings_are_compared),
        cmocka_unit_test(dissimilarities_have_the_known_values),
        cmocka_unit_test(dissimilarities_are_those_of_the_definition),
        cmocka_unit_test(the_edge_lies_between_inside_and_outside),
        cmocka_unit_test(missed_and_false_alarms_are_violations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
