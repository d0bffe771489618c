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
    assert_int_equal(cor_minimize_set(table->count, try_subset, table, gone, &moved, NULL), COR_OK);
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
        assert_int_equal(cor_minimize_set(1000, try_needle, &needle, gone, &moved, NULL), COR_OK);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_holds_and_no_part_less_does),
        cmocka_unit_test(of_a_monotone_predicate_a_minimal_set_is_left),
        cmocka_unit_test(one_needed_part_of_a_thousand_is_found_in_a_few_tries),
        cmocka_unit_test(parts_that_go_along_are_not_tried_again),
        cmocka_unit_test(a_number_goes_down_to_the_least_that_does),
        cmocka_unit_test(one_less_than_the_number_left_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
