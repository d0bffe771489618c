/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Minimizing on abstract predicates, whose minimal sets are known by trying all subsets. */
#include <corridor/minimize.h>

#include <corridor/rng.h>

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS_MAX 10

/* A predicate over subsets of up to ten parts, as a table. */
struct table {
    uint32_t count, tries;
    bool holds[1 << PARTS_MAX];
    uint32_t dragged; /* parts that go along with part 0 */
};

static uint32_t mask_of(const struct table *table, const bool *gone) {
    uint32_t mask = 0;
    for (uint32_t i = 0; i < table->count; i++)
        mask |= gone[i] ? 0 : 1u << i;
    return mask;
}

static enum cor_status try_subset(void *self, bool *gone, bool *stays, struct cor_error *error) {
    struct table *table = self;
    (void)error;
    table->tries++;
    for (uint32_t i = 0; gone[0] && i < table->count; i++)
        gone[i] = gone[i] || (table->dragged >> i & 1);
    *stays = table->holds[mask_of(table, gone)];
    return COR_OK;
}

static uint32_t minimize(struct table *table) {
    bool gone[PARTS_MAX] = {false}, moved;
    table->tries = 0;
    assert_int_equal(
        cor_minimize(
            &(struct cor_minimizing){.count = table->count, .try = try_subset, .self = table, .gone = gone},
            COR_MINIMIZE_SET, &moved, NULL),
        COR_OK);
    const uint32_t left = mask_of(table, gone);
    assert_int_equal(moved, left != (1u << table->count) - 1);
    return left;
}

static struct cor_rng stream(uint32_t entity) {
    const struct cor_stream_name name = {.seed = 12, .purpose = COR_PURPOSE_TEST, .entity = entity};
    return cor_rng_named(&name);
}

/* Any predicate, however torn: what is left holds, and no single part less does. */
static void what_is_left_holds_and_no_part_less_does(void **state) {
    (void)state;
    static struct table table;
    for (uint32_t round = 0; round < 3000; round++) {
        struct cor_rng rng = stream(round);
        table = (struct table){.count = 1 + cor_rng_below(&rng, PARTS_MAX)};
        const uint32_t full = (1u << table.count) - 1, odds = 1 + cor_rng_below(&rng, 8);
        for (uint32_t mask = 0; mask <= full; mask++)
            table.holds[mask] = mask == full || cor_rng_below(&rng, odds) == 0;
        const uint32_t left = minimize(&table);
        assert_true(table.holds[left]);
        for (uint32_t i = 0; i < table.count; i++)
            assert_false((left >> i & 1) && table.holds[left & ~(1u << i)]);
    }
}

/* Monotone: every superset of one of a few sets holds. What is left is one of those, by looking at all
 * subsets of it. */
static void of_a_monotone_predicate_a_minimal_set_is_left(void **state) {
    (void)state;
    static struct table table;
    for (uint32_t round = 0; round < 3000; round++) {
        struct cor_rng rng = stream(10000 + round);
        table = (struct table){.count = 1 + cor_rng_below(&rng, PARTS_MAX)};
        const uint32_t full = (1u << table.count) - 1, sets = 1 + cor_rng_below(&rng, 3);
        for (uint32_t s = 0; s < sets; s++) {
            const uint32_t needed = cor_rng_below(&rng, full + 1);
            for (uint32_t mask = 0; mask <= full; mask++)
                table.holds[mask] = table.holds[mask] || (mask & needed) == needed;
        }
        const uint32_t left = minimize(&table);
        assert_true(table.holds[left]);
        for (uint32_t mask = 0; mask < left; mask++)
            assert_false((mask & left) == mask && table.holds[mask]);
    }
}

/* One needed part among many is found by bisection. */
struct needle {
    uint32_t at, tries;
};

static enum cor_status try_needle(void *self, bool *gone, bool *stays, struct cor_error *error) {
    struct needle *needle = self;
    (void)error;
    needle->tries++;
    *stays = !gone[needle->at];
    return COR_OK;
}

static void one_needed_part_of_a_thousand_is_found_in_a_few_tries(void **state) {
    (void)state;
    for (uint32_t at = 0; at < 1000; at += 37) {
        struct needle needle = {at, 0};
        bool gone[1000] = {false}, moved;
        assert_int_equal(
            cor_minimize(
                &(struct cor_minimizing){.count = 1000, .try = try_needle, .self = &needle, .gone = gone},
                COR_MINIMIZE_SET, &moved, NULL),
            COR_OK);
        for (uint32_t i = 0; i < 1000; i++)
            assert_int_equal(gone[i], i != at);
        assert_in_range(needle.tries, 1, 40);
    }
}

static void parts_that_go_along_are_not_tried_again(void **state) {
    (void)state;
    static struct table table;
    table = (struct table){.count = 4, .dragged = 0x6};
    table.holds[0xf] = table.holds[0x8] = true;
    assert_int_equal(minimize(&table), 0x8);
}

/* Numbers. */
struct numbers {
    int64_t least, tried_low;
    uint32_t tries;
    uint64_t torn; /* bits: which of the numbers 0 .. 63 do; 0: all from `least` on */
};

static enum cor_status try_number(void *self, int64_t value, bool *stays, struct cor_error *error) {
    struct numbers *n = self;
    (void)error;
    n->tries++;
    *stays = n->torn ? n->torn >> value & 1 : value >= n->least;
    return COR_OK;
}

static void a_number_goes_down_to_the_least_that_does(void **state) {
    (void)state;
    for (int64_t least = -5; least <= 40; least++) {
        struct numbers n = {.least = least};
        int64_t value = 40;
        assert_int_equal(cor_minimize_number(-5, &value, try_number, &n, NULL), COR_OK);
        assert_int_equal(value, least);
        assert_in_range(n.tries, 0, 7);
    }
}

/* Whichever numbers do: what is left does, and one less does not. */
static void one_less_than_the_number_left_does_not(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 2000; round++) {
        struct cor_rng rng = stream(20000 + round);
        struct numbers n = {.torn = cor_rng_word(&rng) | UINT64_C(1) << 63};
        int64_t value = 63;
        assert_int_equal(cor_minimize_number(0, &value, try_number, &n, NULL), COR_OK);
        assert_true(n.torn >> value & 1);
        assert_true(value == 0 || !(n.torn >> (value - 1) & 1));
    }
}

/* ---- the same tries in the same order as by the loops of each shrinker, written down by themselves. The
 * predicates are drawn, and so is where the tries end. */

#define WIDE 112         /* parts, beyond the 100 of which schedules try pairs */
#define TRIES_MAX 100000 /* of one search */

enum shape { MONOTONE, TORN, PAIRED, IN_ROWS, OF_OWNERS, SHAPES };

struct bits {
    uint64_t word[2];
};

struct search {
    uint32_t count, owners;
    enum shape shape;
    uint32_t odds, salt;
    struct bits needed[3];                          /* MONOTONE: one of those */
    uint32_t group[WIDE];                           /* there as a whole, or gone */
    uint32_t owner[WIDE], place[WIDE], cause[WIDE]; /* cause: without it the part goes along; itself: none */
    bool gone[WIDE];
    uint64_t budget, patience; /* tries; until somebody says that it is enough; 0: never */
    uint32_t before;           /* of the budget, what was used before */
    /* The loops' own, */
    bool is_stopped, is_ended;
    uint32_t tried, left;
    /* and of the strategies. */
    struct cor_tries tries;
    bool by_strategies;
    struct bits log[TRIES_MAX];
    uint32_t logged;
};

static struct bits bits_of(const struct search *s, const bool *gone) {
    struct bits bits = {{0, 0}};
    for (uint32_t i = 0; i < s->count; i++)
        bits.word[i / 64] |= gone[i] ? UINT64_C(1) << i % 64 : 0;
    return bits;
}

/* Does it hold without them? */
static bool holds(const struct search *s, const bool *gone) {
    const struct bits bits = bits_of(s, gone);
    uint8_t seen[WIDE] = {0};
    struct cor_rng rng;
    switch (s->shape) {
    case MONOTONE:
        for (uint32_t i = 0; i < 3; i++)
            if ((bits.word[0] & s->needed[i].word[0]) == 0 && (bits.word[1] & s->needed[i].word[1]) == 0)
                return true;
        return false;
    case TORN:
        rng = cor_rng_named(&(struct cor_stream_name){
            .seed = bits.word[0] * 31 + bits.word[1], .purpose = COR_PURPOSE_TEST, .entity = s->salt});
        return cor_rng_below(&rng, s->odds) == 0;
    default: /* group 0 is needed, all others as a whole */
        for (uint32_t i = 0; i < s->count; i++)
            seen[s->group[i]] |= gone[i] ? 1 : 2;
        for (uint32_t i = 0; i < s->count; i++)
            if (seen[s->group[i]] == 3 || (s->group[i] == 0 && gone[i]))
                return false;
        return true;
    }
}

static enum cor_status try_drawn(void *self, bool *gone, bool *stays, struct cor_error *error) {
    struct search *s = self;
    bool along[WIDE];
    (void)error;
    *stays = false;
    if (s->by_strategies) {
        s->tries.is_stopped =
            !cor_tries_go_on(&s->tries, 1) || (s->patience > 0 && s->tries.count >= s->patience);
        if (s->tries.is_stopped)
            return COR_OK;
        s->tries.count++;
    } else {
        s->is_stopped = s->is_stopped || (s->budget > 0 && s->tried - s->before >= s->budget);
        if (!s->is_stopped && s->patience > 0)
            s->is_stopped = s->is_ended = s->tried >= s->patience;
        if (s->is_stopped)
            return COR_OK;
        s->tried++;
    }
    assert_in_range(s->logged, 0, TRIES_MAX - 1);
    s->log[s->logged++] = bits_of(s, gone);
    *stays = holds(s, gone);
    if (!*stays)
        return COR_OK;
    for (uint32_t i = 0; i < s->count; i++)
        along[i] = gone[i] || (s->cause[i] < i && along[s->cause[i]]);
    if (holds(s, along))
        memcpy(gone, along, s->count * sizeof *gone);
    s->left = 0;
    for (uint32_t i = 0; i < s->count; i++)
        s->left += !gone[i];
    return COR_OK;
}

static bool loop_try(struct search *s, const bool *attempt) {
    bool copy[WIDE], stays;
    memcpy(copy, attempt, sizeof copy);
    assert_int_equal(try_drawn(s, copy, &stays, NULL), COR_OK);
    if (stays)
        memcpy(s->gone, copy, sizeof copy);
    return stays;
}

static bool loop_sweep(struct search *s, uint32_t size) {
    bool moved = false;
    for (uint32_t at = 0; at < s->count;) {
        bool attempt[WIDE];
        uint32_t marked = 0;
        memcpy(attempt, s->gone, sizeof attempt);
        for (; at < s->count && marked < size; at++)
            if (!s->gone[at])
                attempt[at] = true, marked++;
        if (marked == 0)
            break;
        moved = loop_try(s, attempt) || moved;
    }
    return moved;
}

static uint32_t loop_left(const struct search *s) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < s->count; i++)
        left += !s->gone[i];
    return left;
}

/* Tests of sequences: sets. */
static bool loop_set(struct search *s) {
    bool moved = false, some;
    for (uint32_t size = loop_left(s); size > 1; size = (size + 1) / 2) {
        moved = loop_sweep(s, size) || moved;
        size = size < loop_left(s) ? size : loop_left(s);
    }
    do
        moved = (some = loop_sweep(s, 1)) || moved;
    while (some);
    return moved;
}

static bool loop_windows(struct search *s, uint32_t owner) {
    bool moved = false;
    for (uint32_t size = 64; size > 1; size = size > 8 ? size / 2 : size - 1)
        for (uint32_t i = 0; i < s->count && !s->is_stopped; i++) {
            bool attempt[WIDE];
            uint32_t marked = 0;
            if (s->gone[i] || (owner != UINT32_MAX && s->owner[i] != owner))
                continue;
            memcpy(attempt, s->gone, sizeof attempt);
            for (uint32_t j = i; j < s->count && marked < size; j++)
                if (!s->gone[j] && (owner == UINT32_MAX || s->owner[j] == owner))
                    marked++, attempt[j] = true;
            if (marked < size)
                break;
            moved = loop_try(s, attempt) || moved;
        }
    return moved;
}

static bool loop_pairs(struct search *s) {
    bool moved = false;
    for (uint32_t i = 0; i < s->count && s->left <= 100; i++)
        for (uint32_t j = i + 1; j < s->count && !s->gone[i] && !s->is_stopped; j++) {
            bool attempt[WIDE];
            if (s->gone[j])
                continue;
            memcpy(attempt, s->gone, sizeof attempt);
            attempt[i] = attempt[j] = true;
            moved = loop_try(s, attempt) || moved;
        }
    return moved;
}

/* Schedules. */
static void loop_schedule(struct search *s) {
    bool moved = true;
    s->left = loop_left(s);
    while (moved && !s->is_stopped) {
        (void)loop_set(s);
        moved = loop_windows(s, UINT32_MAX);
        for (uint32_t p = 0; p < s->owners && !moved; p++)
            moved = loop_windows(s, p);
        if (!moved)
            moved = loop_pairs(s);
    }
}

static void loop_walks(struct search *s) {
    for (uint32_t from = 0; from < s->count; from++)
        for (uint32_t to = s->count; !s->gone[from] && to-- > from + 1;) {
            bool more[WIDE];
            if (s->gone[to] || s->place[from] != s->place[to] || s->owner[from] != s->owner[to])
                continue;
            memcpy(more, s->gone, sizeof more);
            for (uint32_t p = from + 1; p <= to; p++)
                more[p] = more[p] || s->owner[p] == s->owner[from];
            if (loop_try(s, more))
                break;
        }
}

/* Tests of running systems. */
static void loop_system(struct search *s) {
    bool moved = true;
    loop_walks(s);
    while (moved && !s->is_stopped) {
        moved = loop_set(s);
        if (loop_left(s) > 60)
            continue;
        for (uint32_t a = 0; a < s->count; a++)
            for (uint32_t b = a + 1; !s->gone[a] && b < s->count; b++) {
                bool more[WIDE];
                if (s->gone[b])
                    continue;
                memcpy(more, s->gone, sizeof more);
                more[a] = more[b] = true;
                moved = loop_try(s, more) || moved;
            }
    }
}

static bool is_same_place(const void *self, uint32_t from, uint32_t to) {
    const struct search *s = self;
    return s->place[from] == s->place[to];
}

static void by_strategies(struct search *s, uint32_t shrinker) {
    const struct cor_minimizing parts = {.count = s->count,
                                         .try = try_drawn,
                                         .self = s,
                                         .gone = s->gone,
                                         .tries = &s->tries,
                                         .owner = s->owner,
                                         .owner_count = s->owners,
                                         .window_most = 64,
                                         .pairs_most = shrinker == 1 ? 100 : 60,
                                         .is_loop = is_same_place};
    bool moved = true, pairs;
    s->by_strategies = true;
    s->tries = (struct cor_tries){.count = s->before, .most = s->budget > 0 ? s->before + s->budget : 0};
    if (shrinker == 0)
        assert_int_equal(cor_minimize(&parts, COR_MINIMIZE_SET, &moved, NULL), COR_OK);
    if (shrinker == 2)
        assert_int_equal(cor_minimize(&parts, COR_MINIMIZE_LOOPS, &moved, NULL), COR_OK);
    for (moved = shrinker > 0; moved && !s->tries.is_stopped;) {
        assert_int_equal(cor_minimize(&parts, COR_MINIMIZE_SET, &moved, NULL), COR_OK);
        if (shrinker == 1)
            assert_int_equal(cor_minimize(&parts, COR_MINIMIZE_WINDOWS, &moved, NULL), COR_OK);
        if (shrinker == 1 && moved)
            continue;
        assert_int_equal(cor_minimize(&parts, COR_MINIMIZE_PAIRS, &pairs, NULL), COR_OK);
        moved = moved || pairs;
    }
}

static void draw(struct search *s, uint32_t round) {
    struct cor_rng rng = stream(40000 + round);
    memset(s, 0, offsetof(struct search, log));
    s->logged = 0;
    s->shape = (enum shape)(round % SHAPES);
    s->count =
        round % 16 == 0 ? WIDE - cor_rng_below(&rng, 24) : 1 + cor_rng_below(&rng, round % 2 == 0 ? 70 : 24);
    s->owners = 1 + cor_rng_below(&rng, 4);
    s->odds = 2 + cor_rng_below(&rng, 40);
    s->salt = round;
    const uint32_t size = s->shape == PAIRED ? 2 : 2 + cor_rng_below(&rng, 12),
                   apart = 1 + cor_rng_below(&rng, 20);
    uint32_t filled[4] = {0};
    for (uint32_t i = 0; i < s->count; i++) {
        s->owner[i] = cor_rng_below(&rng, s->owners);
        s->place[i] = cor_rng_below(&rng, 6);
        s->cause[i] = i > 0 && cor_rng_below(&rng, 6) == 0 ? cor_rng_below(&rng, i) : i;
        s->gone[i] = cor_rng_below(&rng, 12) == 0;
        for (uint32_t n = 0; n < 3; n++)
            s->needed[n].word[i / 64] |= (uint64_t)(cor_rng_below(&rng, 6) == 0 && !s->gone[i]) << i % 64;
        /* Pairs stand apart from each other, rows do not, and of owners others are in between. */
        s->group[i] = s->shape == PAIRED    ? i / (2 * apart) * apart + i % apart
                      : s->shape == IN_ROWS ? i / size
                                            : s->owner[i] + s->owners * (filled[s->owner[i]]++ / size);
    }
    /* What is gone from the start takes its group along; all else is there. */
    for (uint32_t i = 0; i < s->count && s->shape >= PAIRED; i++)
        s->gone[i] = s->group[i] % 7 == 3;
    s->before = cor_rng_below(&rng, 3);
    s->budget = cor_rng_below(&rng, 4) == 0 ? 1 + cor_rng_below(&rng, 300) : 0;
    s->patience = cor_rng_below(&rng, 8) == 0 ? 1 + cor_rng_below(&rng, 300) : 0;
    s->tried = s->before;
}

static uint32_t round_count = 3000;

static void the_tries_are_those_of_each_shrinkers_own_loops(void **state) {
    static struct search one, other;
    static void (*const loops[])(struct search *) = {NULL, loop_schedule, loop_system};
    uint64_t tries = 0, stopped = 0, used_up = 0, shrunk[SHAPES] = {0};
    (void)state;
    for (uint32_t round = 0; round < round_count; round++)
        for (uint32_t shrinker = 0; shrinker < 3; shrinker++) {
            draw(&one, round);
            draw(&other, round);
            const uint32_t left = loop_left(&one);
            if (shrinker == 0)
                (void)loop_set(&one);
            else
                loops[shrinker](&one);
            by_strategies(&other, shrinker);
            assert_int_equal(one.logged, other.logged);
            assert_memory_equal(one.log, other.log, one.logged * sizeof *one.log);
            assert_memory_equal(one.gone, other.gone, sizeof one.gone);
            assert_int_equal(one.tried, other.tries.count);
            assert_int_equal(one.is_stopped, other.tries.is_stopped);
            assert_int_equal(one.is_ended, other.tries.is_stopped && !other.tries.is_used_up);
            tries += one.logged;
            stopped += one.is_stopped;
            used_up += one.is_stopped && !one.is_ended;
            shrunk[one.shape] += loop_left(&one) < left;
        }
    printf("%llu tries, %llu searches stopped, %llu of them by the budget\n", (unsigned long long)tries,
           (unsigned long long)stopped, (unsigned long long)used_up);
    assert_true(tries > 100 * (uint64_t)round_count && used_up > 0 && stopped > used_up);
    for (uint32_t shape = 0; shape < SHAPES; shape++)
        assert_true(shrunk[shape] > 0);
}

/* ---- all sets of a few */

#define FEW 9u

struct sets {
    bool fails[1u << FEW]; /* [set of parts that are there] */
    uint32_t tries;
};

static enum cor_status try_table(void *self, bool *gone, bool *stays, struct cor_error *error) {
    struct sets *sets = self;
    uint32_t set = 0;
    (void)error;
    for (uint32_t p = 0; p < FEW; p++)
        set |= (uint32_t)!gone[p] << p;
    sets->tries++;
    *stays = sets->fails[set];
    return COR_OK;
}

/* By a predicate that is drawn, so that it is not monotone. */
static void nothing_smaller_is_left_where_all_sets_are_tried(void **unused) {
    (void)unused;
    uint64_t state = 7;
    for (uint32_t round = 0; round < 200; round++) {
        struct sets sets = {0};
        bool gone[FEW] = {false}, moved = true;
        const struct cor_minimizing parts = {
            .count = FEW, .try = try_table, .self = &sets, .gone = gone, .pairs_most = FEW, .sets_most = FEW};
        for (uint32_t set = 0; set < 1u << FEW; set++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            sets.fails[set] = state >> 40 < (UINT64_C(1) << 24) / 200 * (1 + round % 5);
        }
        sets.fails[(1u << FEW) - 1] = true;
        while (moved) {
            assert_int_equal(cor_minimize(&parts, COR_MINIMIZE_SET, &moved, NULL), COR_OK);
            if (!moved)
                assert_int_equal(cor_minimize(&parts, COR_MINIMIZE_PAIRS, &moved, NULL), COR_OK);
            if (!moved)
                assert_int_equal(cor_minimize(&parts, COR_MINIMIZE_SETS, &moved, NULL), COR_OK);
        }
        uint32_t left = 0;
        for (uint32_t p = 0; p < FEW; p++)
            left |= (uint32_t)!gone[p] << p;
        assert_true(sets.fails[left]);
        for (uint32_t set = 0; set < left; set++)
            assert_false((set & left) == set && sets.fails[set]);
        assert_true(sets.tries < 4u << FEW);
    }
}

int main(int count, char **arguments) {
    if (count > 1)
        round_count = (uint32_t)strtoul(arguments[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_holds_and_no_part_less_does),
        cmocka_unit_test(of_a_monotone_predicate_a_minimal_set_is_left),
        cmocka_unit_test(one_needed_part_of_a_thousand_is_found_in_a_few_tries),
        cmocka_unit_test(parts_that_go_along_are_not_tried_again),
        cmocka_unit_test(a_number_goes_down_to_the_least_that_does),
        cmocka_unit_test(one_less_than_the_number_left_does_not),
        cmocka_unit_test(nothing_smaller_is_left_where_all_sets_are_tried),
        cmocka_unit_test(the_tries_are_those_of_each_shrinkers_own_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
