/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What continuous execution asks of a state: an adoption that has come so far, held against what somebody
 * sees who looks on at the whole of it; and agents that perceive one by one, held against all at once. */
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

enum { AGENTS = 12, MOVES_MAX = 4 * AGENTS };

/* What was seen after each move: who is with whom, [move][agent][agent]; above whom, on the diagonal of
 * nobody, is not looked at. */
struct seen {
    size_t count;
    uint8_t together[MOVES_MAX][AGENTS][AGENTS];
};

static void note(const struct cor_lists *lists, uint8_t (*together)[AGENTS]) {
    memset(together, 0, AGENTS * sizeof *together);
    for (uint32_t b = 0; b < lists->block_count; b++)
        for (uint32_t i = lists->start[b]; i < lists->start[b + 1]; i++)
            for (uint32_t j = lists->start[b]; j < lists->start[b + 1]; j++)
                together[lists->members[i]][lists->members[j]]++;
}

static enum cor_status watch(void *context, const struct cor_lists *lists, struct cor_error *error) {
    struct seen *seen = context;
    (void)error;
    assert_true(seen->count < MOVES_MAX);
    note(lists, seen->together[seen->count++]);
    return COR_OK;
}

/* A solution of up to four blocks over agents of which some are not there, some named twice. */
static struct cor_lists draw_solution(struct cor_rng *rng, bool nests) {
    struct cor_lists lists;
    cor_lists_init(&lists);
    const uint32_t blocks = 1 + cor_rng_below(rng, 4);
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t block[AGENTS], count = 0;
        for (uint32_t i = 0; i < AGENTS; i++)
            if (cor_rng_below(rng, 3) == 0)
                block[count++] = i;
        assert_int_equal(cor_lists_put(&lists, block, count, NULL), COR_OK);
    }
    for (uint32_t b = 1; nests && b < blocks; b++)
        assert_int_equal(cor_lists_hang(&lists, b, cor_rng_below(rng, b), NULL), COR_OK);
    return lists;
}

static struct cor_configuration *draw_configuration(struct cor_rng *rng, enum cor_structure_kind kind) {
    struct cor_configuration *c = sample_plain(AGENTS, 3);
    c->kind = kind;
    if (kind != COR_STRUCTURE_PARTITIONING) {
        struct cor_lists initial;
        cor_lists_init(&initial);
        for (uint32_t b = 0; b < 3; b++) {
            uint32_t block[AGENTS], count = 0;
            for (uint32_t i = b; i < AGENTS; i += 3)
                block[count++] = i;
            assert_int_equal(cor_lists_put(&initial, block, count, NULL), COR_OK);
        }
        for (uint32_t b = 1; cor_structure_nests(kind) && b < 3; b++)
            assert_int_equal(cor_lists_hang(&initial, b, 0, NULL), COR_OK);
        c->initial_organizations = initial;
        c->initial_partitions = 3;
    }
    c->adoption.fault = (enum cor_adoption_fault)(1 + cor_rng_below(rng, 5));
    c->adoption.probability = 0.3;
    return c;
}

static bool is_same(const struct cor_state *a, const struct cor_state *b) {
    return cor_state_hash(a) == cor_state_hash(b) &&
           memcmp(a->structure.sum, b->structure.sum, a->structure.partition_count * sizeof(double)) == 0;
}

static void check_adoption(struct cor_rng *rng, enum cor_structure_kind kind, struct seen *seen) {
    struct cor_configuration *c = draw_configuration(rng, kind);
    struct cor_lists solution = draw_solution(rng, cor_structure_nests(kind)), found;
    struct cor_state *whole = sample_state(c), *before = sample_state(c), *now = sample_state(c);
    struct cor_adopter *adopter = NULL;
    struct cor_adoption_report report, of_whole;
    const struct cor_stream_name name = {.seed = cor_rng_word(rng)};
    cor_lists_init(&found);
    assert_int_equal(cor_adopter_create(AGENTS, &adopter, NULL), COR_OK);
    cor_adopter_watch(adopter, watch, seen);
    seen->count = 0;
    assert_int_equal(cor_adopt(adopter, whole, &solution, NULL, 0, &name, &of_whole, NULL), COR_OK);
    cor_adopter_watch(adopter, NULL, NULL);
    assert_int_equal(seen->count, of_whole.moves);
    for (size_t moves = 1; moves <= of_whole.moves + 1; moves++) {
        uint8_t together[AGENTS][AGENTS];
        assert_int_equal(cor_state_copy_structure(now, before, NULL), COR_OK);
        assert_int_equal(cor_adopt_first(adopter, now, &solution, NULL, 0, &name, moves, &report, NULL),
                         COR_OK);
        assert_int_equal(report.moves, of_whole.moves);
        assert_true(cor_state_is_sound(now));
        assert_int_equal(cor_state_lists(now, &found, NULL), COR_OK);
        note(&found, together);
        if (moves <= seen->count)
            assert_memory_equal(together, seen->together[moves - 1], sizeof together);
        if (moves >= of_whole.moves) {
            assert_true(is_same(now, whole));
            assert_memory_equal(&report, &of_whole, sizeof report);
        }
    }
    cor_adopter_destroy(adopter);
    cor_lists_fini(&solution);
    cor_lists_fini(&found);
    cor_state_destroy(whole);
    cor_state_destroy(before);
    cor_state_destroy(now);
    cor_configuration_destroy(c);
}

static void an_adoption_so_far_is_what_is_seen_of_the_whole(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 36, .purpose = COR_PURPOSE_TEST});
    struct seen *seen = cor_calloc(1, sizeof *seen);
    assert_non_null(seen);
    for (int round = 0; round < 100; round++)
        for (enum cor_structure_kind kind = COR_STRUCTURE_PARTITIONING; kind <= COR_STRUCTURE_TREE; kind++)
            check_adoption(&rng, kind, seen);
    free(seen);
}

/* Some agents, then the rest, as all at once; and with another ordinal something else is drawn. */
static void agents_perceive_one_by_one_as_all_at_once(void **unused) {
    (void)unused;
    enum { MANY = 40 };
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 37, .purpose = COR_PURPOSE_TEST});
    uint32_t differ = 0;
    for (int round = 0; round < 200; round++) {
        const bool is_drawn = round % 2 == 1;
        struct cor_configuration *c = sample_configuration(&rng, MANY, is_drawn);
        c->idle_ratio = is_drawn && round % 4 == 1 ? 0.3 : 0;
        struct cor_state *all = sample_state(c), *some = sample_state(c), *other = sample_state(c);
        uint8_t environment[16];
        uint32_t agents[2][MANY], count[2] = {0}, zero[MANY] = {0}, one[MANY];
        const struct cor_stream_name name = {.seed = 5, .identity = (uint64_t)round + 1};
        for (uint32_t i = 0; i < MANY; i++) {
            const uint32_t part = cor_rng_below(&rng, 2);
            agents[part][count[part]++] = i;
            one[i] = 1;
        }
        assert_true(c->chain_count <= sizeof environment);
        sample_environment(&rng, c, environment);
        cor_state_perceive(all, environment, &name);
        cor_state_surround(some, environment);
        cor_state_surround(other, environment);
        for (uint32_t part = 0; part < 2; part++) {
            cor_state_perceive_some(some, agents[part], zero, count[part], &name);
            cor_state_perceive_some(other, agents[part], one, count[part], &name);
        }
        assert_memory_equal(some->value, all->value, MANY * sizeof *all->value);
        assert_int_equal(cor_state_hash(some), cor_state_hash(all));
        assert_true(cor_state_is_sound(some));
        differ += cor_state_hash(other) != cor_state_hash(all);
        assert_true(is_drawn || cor_state_hash(other) == cor_state_hash(all));
        cor_state_destroy(all);
        cor_state_destroy(some);
        cor_state_destroy(other);
        cor_configuration_destroy(c);
    }
    assert_true(differ > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_adoption_so_far_is_what_is_seen_of_the_whole),
        cmocka_unit_test(agents_perceive_one_by_one_as_all_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
