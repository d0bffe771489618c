/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * States of Dijkstra's ring in C, drawn: decisions about a share that is known from going through all of them
 * are wrong at most as often as said; ways that are found are ways, and none is longer than the longest.
 *
 * usage: test_stabilize_sample MODULE [full] */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/array.h>
#include <corridor/process_layer.h>
#include <corridor/process_stabilize.h>
#include <corridor/stabilize_wide.h>
#include <corridor/trust.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPERIMENT                                                                                           \
    "{\"process\": {\"program\": \"%s\", \"count\": 5}, \"corridor\": [\"structure observed\", \"attribute " \
    "enabled: integer\", \"invariant single: sum(a in agents: a.enabled) == 1\"], \"arms\": {\"right\": "    \
    "{}, "                                                                                                   \
    "\"few\": {\"fault\": \"few\"}}}"

static const char *module;
static bool is_full;
static struct cor_process_experiment *experiment;
static struct cor_stabilize_asked asked;
static struct cor_error trouble;

static struct cor_stabilize_system *system_of(uint32_t arm, uint32_t count, bool is_open) {
    struct cor_stabilize_size size;
    struct cor_stabilize_system *system;
    assert_int_equal(cor_stabilize_size_of(experiment, count, &size, &trouble), COR_OK);
    assert_int_equal(cor_stabilize_system_create(experiment, arm, &asked, &size, is_open, &system, &trouble),
                     COR_OK);
    cor_stabilize_sizes_fini(&size, 1);
    assert_null(cor_stabilize_system_undecided(system));
    return system;
}

static int open_experiment(void **state) {
    char *text = cor_format(EXPERIMENT, module);
    const struct cor_layer_options options = {.isolation = (int)COR_ISOLATION_NEVER};
    (void)state;
    assert_int_equal(cor_process_rules_parse(text, "e.json", &options, &experiment, &trouble), COR_OK);
    assert_int_equal(cor_stabilize_asked_read(experiment, &asked, &trouble), COR_OK);
    free(text);
    return 0;
}

static int close_experiment(void **state) {
    (void)state;
    cor_process_experiment_destroy(experiment);
    return 0;
}

/* All move at once, so a state has one run, and the table of depths says the share exactly. */
static void decisions_are_wrong_at_most_as_often_as_said(void **state) {
    struct cor_stabilize_system *whole = system_of(0, 5, false), *open = system_of(0, 5, true);
    struct cor_stabilize_question question = cor_default_stabilize_question();
    struct cor_stabilized found;
    const uint32_t decisions = is_full ? 1000 : 100;
    (void)state;
    question.daemon = COR_DAEMON_SYNCHRONOUS;
    assert_int_equal(cor_stabilize(cor_stabilize_system_space(whole), &question, &found, &trouble), COR_OK);
    asked.sample.error = 0.05;
    asked.sample.effort = 1;
    for (int is_so = 0; is_so < 2; is_so++) {
        uint32_t wrong = 0, made = 0;
        for (uint32_t number = 0; number < decisions / 2; number++) {
            struct cor_stabilize_sampled sampled;
            struct cor_stabilize_said said;
            asked.sample.steps = 2 + number % 3;
            const double share = (double)found.depth[asked.sample.steps] / 3125;
            assert_true(share > 0.1 && share < 0.99);
            asked.sample.share = is_so ? share - 0.0101 : share + 0.0101; /* beyond the indifference */
            assert_int_equal(
                cor_stabilize_sample(open, &asked, &question, NULL, number, &sampled, &said, &trouble),
                COR_OK);
            cor_stabilize_way_fini(&sampled.way);
            made += said.verdict == COR_STABILIZE_SAMPLED;
            wrong += said.verdict == COR_STABILIZE_SAMPLED && said.is_good != (is_so == 1);
        }
        print_message("%s: %u of %u decisions wrong\n", is_so ? "holds" : "does not hold", wrong, made);
        assert_int_equal(made, decisions / 2);
        /* Four deviations more than are to be wrong on average. */
        assert_true(wrong <= 0.05 * made + 4 * sqrt(0.05 * 0.95 * made));
    }
    asked.sample.share = 0.99;
    asked.sample.error = 0.01;
    asked.sample.steps = 0;
    asked.sample.effort = 0;
    cor_stabilized_fini(&found);
    cor_stabilize_system_destroy(whole);
    cor_stabilize_system_destroy(open);
}

/* Each step of a way is one that the rules make, it is outside to the last but one state, and inside there.
 */
static void expect_way(struct cor_stabilize_system *system, const struct cor_stabilize_way *way) {
    struct cor_space_moves *moves = calloc(1, sizeof *moves);
    enum cor_truth truth;
    const char *name;
    for (uint32_t i = 0; i < way->count; i++) {
        const uint32_t *locals = way->locals + (size_t)i * way->process_count,
                       *next = locals + way->process_count;
        assert_int_equal(cor_stabilize_system_inside(system, locals, &truth, &name, &trouble), COR_OK);
        assert_int_equal(truth == COR_TRUTH_TRUE, i + 1 == way->count);
        if (i + 1 == way->count)
            break;
        assert_int_equal(__builtin_popcountll(way->movers[i]), 1);
        const uint32_t mover = (uint32_t)__builtin_ctzll(way->movers[i]);
        bool leads = false;
        moves->count = 0;
        cor_stabilize_system_moves(system, locals, moves);
        for (uint32_t m = 0; m < moves->count; m++)
            leads = leads || (moves->items[m].actor == mover &&
                              locals[mover] + (uint32_t)moves->items[m].by[0] == next[mover]);
        assert_true(leads);
        for (uint32_t p = 0; p < way->process_count; p++)
            assert_true(p == mover || next[p] == locals[p]);
    }
    free(moves);
}

/* 3n(n-1)/2 - n - 1 steps are the longest way, proved by others in Coq. */
static void ways_that_are_found_are_ways(void **state) {
    struct cor_stabilize_question question = cor_default_stabilize_question();
    (void)state;
    for (uint32_t count = 5; count <= 8; count++) {
        const uint32_t exact = 3 * count * (count - 1) / 2 - count - 1;
        struct cor_stabilize_system *open = system_of(0, count, true);
        struct cor_stabilize_sampled sampled, again;
        struct cor_stabilize_said said;
        asked.sample.effort = 300000;
        assert_int_equal(cor_stabilize_sample(open, &asked, &question, NULL, 1, &sampled, &said, &trouble),
                         COR_OK);
        assert_int_equal(said.verdict, COR_STABILIZE_SAMPLED);
        print_message("n = %u: %u of %u steps\n", count, sampled.longest, exact);
        assert_int_equal(sampled.way.count, sampled.longest + 1);
        assert_true(sampled.longest <= exact && sampled.longest >= exact * 2 / 3);
        expect_way(open, &sampled.way);
        assert_int_equal(cor_stabilize_sample(open, &asked, &question, NULL, 1, &again, &said, &trouble),
                         COR_OK);
        assert_int_equal(again.way.count, sampled.way.count);
        assert_memory_equal(again.way.locals, sampled.way.locals,
                            (size_t)sampled.way.count * count * sizeof *sampled.way.locals);
        cor_stabilize_way_fini(&sampled.way);
        cor_stabilize_way_fini(&again.way);
        cor_stabilize_system_destroy(open);
    }
    asked.sample.effort = 0;
}

/* ---- a way that only who searches backwards finds: in each state of a path two can move, one a step on, the
 * other to the fringe, where two can move as well and lead inside; and to each state of the path many lead
 * that nobody leads to */

enum { SIDE = 32, DECOYS = 40, PATH = 2 * SIDE - 1 };

struct path {
    uint8_t next[SIDE][SIDE]; /* one more than who leads on; 0: it is not on the path */
};

static bool is_on(const struct path *path, const uint32_t *digits) {
    return path->next[digits[0]][digits[1]] > 0;
}

static bool is_fringe(const struct path *path, const uint32_t *digits) {
    return !is_on(path, digits) && digits[2] == 0 && (digits[0] + digits[1]) % 2 == 0 &&
           digits[0] + digits[1] > 0;
}

static void move_along(const void *self, const uint32_t *digits, uint32_t actor,
                       struct cor_space_moves *moves) {
    const struct path *path = self;
    const bool is_decoy = is_on(path, digits) && digits[2] > 0, is_out = is_fringe(path, digits);
    for (uint32_t a = 0; a < 3 && (is_on(path, digits) || is_out); a++) {
        uint32_t to[3] = {digits[0], digits[1], 0};
        if ((actor != COR_WIDE_ALL && actor != a) || (a == 2) != is_decoy)
            continue;
        if (a < 2 && !is_out && a + 1u == path->next[to[0]][to[1]])
            to[a]--;
        else if (a < 2)
            do
                to[a] = (to[a] + 1) % SIDE;
            while (is_on(path, to) || is_fringe(path, to) == is_out);
        int32_t *by = &moves->own[moves->count];
        *by = (int32_t)to[a] - (int32_t)digits[a];
        moves->items[moves->count++] = (struct cor_space_move){a, 1, by};
    }
}

static enum cor_status is_off(void *self, const uint32_t *digits, bool *inside, struct cor_error *error) {
    (void)error;
    *inside = !is_on(self, digits) && !is_fringe(self, digits);
    return COR_OK;
}

static void what_is_searched_backwards_is_a_way_and_long(void **state) {
    static struct path path;
    static struct cor_space_moves moves;
    const uint32_t sizes[] = {SIDE, SIDE, DECOYS};
    const struct cor_wide wide = {.actor_count = 3,
                                  .digit_count = 3,
                                  .sizes = sizes,
                                  .owed = 7,
                                  .self = &path,
                                  .moves = move_along,
                                  .inside = is_off};
    const struct cor_wide_question question = {
        .daemon = COR_DAEMON_CENTRAL, .seed = 1, .steps = 200, .effort = 48000};
    struct cor_wide_run run;
    enum cor_wide_end end;
    uint32_t at[2] = {0, 0}, draw = 12345;
    (void)state;
    for (uint32_t place = 1; place < PATH; place++) {
        draw = draw * 1664525u + 1013904223u;
        const uint32_t a = at[0] + 1 == SIDE ? 1 : at[1] + 1 == SIDE ? 0 : draw >> 31;
        at[a]++;
        path.next[at[0]][at[1]] = (uint8_t)(a + 1);
    }
    assert_int_equal(cor_wide_search(&wide, &question, &run, &end, &trouble), COR_OK);
    assert_int_equal(end, COR_WIDE_BACK);
    print_message("a path of %d: %u steps\n", PATH - 1, run.count - 1);
    assert_in_range(run.count, PATH / 2, PATH + 1);
    for (uint32_t i = 0; i + 1 < run.count; i++) {
        const uint32_t *digits = run.digits + 3 * (size_t)i, mover = (uint32_t)__builtin_ctzll(run.movers[i]);
        bool inside;
        assert_int_equal(is_off(&path, digits, &inside, &trouble), COR_OK);
        assert_false(inside);
        moves.count = 0;
        move_along(&path, digits, mover, &moves);
        assert_int_equal(moves.count, 1);
        for (uint32_t d = 0; d < 3; d++)
            assert_int_equal(digits[d + 3], digits[d] + (d == mover ? (uint32_t)moves.items[0].by[0] : 0));
    }
    cor_wide_run_fini(&run);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decisions_are_wrong_at_most_as_often_as_said),
        cmocka_unit_test(ways_that_are_found_are_ways),
        cmocka_unit_test(what_is_searched_backwards_is_a_way_and_long),
    };
    if (argc < 2)
        return 2;
    module = argv[1];
    is_full = argc > 2;
    return cmocka_run_group_tests_name("stabilize_sample", tests, open_experiment, close_experiment);
}
