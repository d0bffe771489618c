/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules that branch, from snapshots and executed again: the same comes of both, of programs that keep
 * what they know where they should. Of one that does not what is kept elsewhere is found out, or nothing goes
 * on from snapshots.
 *
 * usage: test_process_snapshots KEEPER CLIMB [RAFT] */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../process_place.h"

#include <corridor/array.h>
#include <corridor/rng.h>
#include <corridor/trust.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPERIMENT                                                                                        \
    "{\"process\": {\"program\": \"%s\", \"count\": 3}, \"seed\": 3, \"suites\": 1, \"sequences\": 50,"   \
    " \"cases\": 40, \"case\": 100, \"events\": 4000, \"generators\": [\"timed\", \"random\", \"swarm\"," \
    " \"burst\"], \"faults\": [\"lose\", \"crash\", \"cut\", \"duplicate\"], \"corridor\": [\"structure"  \
    " observed\", %s], \"environment\": {\"profile\": {\"states\": [\"calm\","                            \
    " \"storm\"], \"start\": \"calm\", \"transitions\": {\"calm\": {\"calm\": 0.6, \"storm\": 0.4},"      \
    " \"storm\": {\"calm\": 0.5, \"storm\": 0.5}}}, \"states\": {\"calm\": {\"input\": 2}, \"storm\":"    \
    " {\"delay\": [1, 60], \"lose\": 0.2, \"crash\": 0.3, \"cut\": 0.3, \"duplicate\": 0.1, \"down\":"    \
    " [20, 90], \"cut_for\": [20, 90], \"input\": 4}}}, \"arms\": {\"arm\": {%s}}}"

/* Under sanitizers all is executed again. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define IS_WITH_SNAPSHOTS false
#else
#define IS_WITH_SNAPSHOTS true
#endif

enum { DRAWN = 1000, KEPT = 64, HIGHEST = 60, TOGETHER = 2 * COR_PROCESS_AHEAD };

static const char *keeper, *climb, *raft;

struct pair {
    struct cor_process_experiment *experiment;
    struct cor_process_law *snapshots, *forks;
    struct cor_process_trajectory kept[KEPT]; /* that came to a level */
    uint32_t kept_count;
    bool leaves_some; /* of every fourth lot of schedules that are said ahead the last ones do not come */
    uint64_t restored, before, leaked, ended[COR_PROCESS_END_COUNT];
};

static double events_of(const void *data, const struct cor_process_law *law) {
    (void)data;
    return cor_process_law_outcome(law)->events;
}

static struct cor_process_law *law_of(const struct pair *pair) {
    static const struct cor_process_height height = {.of = events_of};
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_law *law;
    if (cor_process_law_create(pair->experiment, 0, NULL, &height, &law, &error) != COR_OK)
        fail_msg("%s", error.cause);
    return law;
}

/* What is watched of each. */
#define OF_KEEPER                                                                    \
    "\"attribute n: integer\", \"invariant small: all(a in agents: a.n < 999500)\"," \
    " \"invariant grows: all(a in agents: a.n >= 0 and a.n@before >= 0)\","          \
    " \"temporal calms: always (not stable implies eventually[0, 30] stable)\""
#define OF_CLIMB "\"attribute height: integer\", \"invariant low: all(a in agents: a.height < 9)\""
#define OF_TWO_PHASE "\"channel outcome\", \"invariant agreed: agree(outcome)\""
#define OF_RAFT "\"channel applied\", \"invariant agreed: agree(applied)\""

static void open_pair(struct pair *pair, const char *program, const char *watched, const char *fault) {
    struct cor_error error = COR_NO_ERROR;
    char *arm = cor_format("\"fault\": \"%s\"", fault ? fault : "");
    char *text = cor_format(EXPERIMENT, program, watched, fault ? arm : "");
    *pair = (struct pair){.restored = 0};
    if (cor_process_experiment_parse(text, "test.json",
                                     &(struct cor_layer_options){.isolation = COR_ISOLATION_ALWAYS},
                                     &pair->experiment, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    free(arm);
    free(text);
    pair->snapshots = law_of(pair);
    pair->forks = law_of(pair);
    cor_process_law_use_forks(pair->forks);
}

static void close_pair(struct pair *pair) {
    cor_process_law_destroy(pair->snapshots);
    cor_process_law_destroy(pair->forks);
    cor_process_experiment_destroy(pair->experiment);
}

/* From the beginning, or from where another one came to a level. */
static struct cor_process_trajectory draw(const struct pair *pair, uint32_t number, struct cor_rng *rng) {
    struct cor_process_trajectory drawn = {
        .sequence = cor_rng_below(rng, 8), .until = COR_NONE, .height = -INFINITY, .target = INFINITY};
    if (pair->kept_count > 0 && cor_rng_below(rng, 4) > 0)
        drawn = pair->kept[cor_rng_below(rng, pair->kept_count)];
    drawn.forks[drawn.fork_count].number = drawn.fork_count > 0 ? 100 + number : drawn.sequence;
    drawn.fork_count++;
    if (drawn.fork_count < 6 && cor_rng_below(rng, 3) > 0)
        drawn.target = fmax(drawn.height, 0) + 1 + cor_rng_below(rng, HIGHEST);
    else
        drawn.target = INFINITY;
    return drawn;
}

/* The same comes of it both ways. */
static void follow(struct pair *pair, const struct cor_process_trajectory *trajectory) {
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_process_law_follow(pair->snapshots, trajectory, NULL, &error), COR_OK);
    assert_int_equal(cor_process_law_follow(pair->forks, trajectory, NULL, &error), COR_OK);
    const struct cor_process_outcome *one = cor_process_law_outcome(pair->snapshots),
                                     *other = cor_process_law_outcome(pair->forks);
    const uint64_t restored = cor_process_law_restored(pair->snapshots);
    pair->restored += restored - (restored < pair->before ? 0 : pair->before); /* less: by a new life */
    pair->before = restored;
    pair->ended[one->end] += one->end != COR_PROCESS_END_NONE;
    pair->leaked += one->end == COR_PROCESS_END_LEAKED;
    assert_int_equal(one->end, other->end);
    assert_string_equal(one->sentence, other->sentence);
    if (one->end == COR_PROCESS_END_LEAKED)
        return;
    assert_true(one->digest == other->digest);
    assert_int_equal(one->events, other->events);
    assert_int_equal(one->messages, other->messages);
    assert_int_equal(one->cases, other->cases);
    assert_int_equal(one->violated, other->violated);
    assert_int_equal(one->ticks, other->ticks);
    assert_memory_equal(&one->open, &other->open, sizeof one->open);
    assert_true(cor_process_law_height(pair->snapshots) == cor_process_law_height(pair->forks));
    assert_int_equal(cor_process_law_is_over(pair->snapshots), cor_process_law_is_over(pair->forks));
    assert_true(cor_process_law_fork(pair->snapshots, 0).steps == cor_process_law_fork(pair->forks, 0).steps);
}

static void keep(struct pair *pair, struct cor_process_trajectory trajectory, struct cor_rng *rng) {
    if (cor_process_law_is_over(pair->forks) || !(cor_process_law_height(pair->forks) >= trajectory.target))
        return;
    trajectory.height = cor_process_law_height(pair->forks);
    trajectory.forks[trajectory.fork_count] = cor_process_law_fork(pair->forks, 0);
    const uint32_t to = pair->kept_count < KEPT ? pair->kept_count++ : cor_rng_below(rng, KEPT);
    pair->kept[to] = trajectory;
}

/* Some together, which is said before. */
static void follow_drawn(struct pair *pair, uint32_t count) {
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 11});
    struct cor_process_trajectory together[TOGETHER];
    uint32_t number = 0;
    for (uint32_t lot = 0; number < count; lot++) {
        const uint32_t some = 1 + cor_rng_below(&rng, lot % 8 == 7 ? TOGETHER : 6),
                       come = pair->leaves_some && lot % 4 == 3 ? (some + 1) / 2 : some;
        for (uint32_t n = 0; n < some; n++)
            together[n] = draw(pair, number + n, &rng);
        if (some > 1)
            cor_process_law_ahead(pair->snapshots, together, some);
        for (uint32_t n = 0; n < come && number < count; n++, number++) {
            follow(pair, &together[n]);
            keep(pair, together[n], &rng);
        }
    }
}

static void drawn_schedules_are_the_same_bits(void **state) {
    (void)state;
    const char *const programs[] = {keeper, climb, "two_phase", raft};
    const char *const watched[] = {OF_KEEPER, OF_CLIMB, OF_TWO_PHASE, OF_RAFT};
    for (int p = 0; p < 4 && programs[p]; p++) {
        struct pair pair;
        open_pair(&pair, programs[p], watched[p], NULL);
        pair.leaves_some = true;
        follow_drawn(&pair, DRAWN);
        print_message("%s: %u of %d from snapshots\n", programs[p], (unsigned)pair.restored, DRAWN);
        assert_int_equal(pair.leaked, 0);
        if (IS_WITH_SNAPSHOTS)
            assert_true(pair.restored > DRAWN / 4);
        close_pair(&pair);
    }
}

/* A module that nobody has loaded here has said in its cell what its alarms are called. */
static void alarms_have_names_before_a_module_is_loaded(void **state) {
    (void)state;
    struct pair pair;
    open_pair(&pair, keeper, OF_KEEPER, NULL);
    const struct cor_process *program = cor_process_description(pair.experiment->arms[0].program);
    assert_int_equal(program->alarm_count, 1);
    assert_string_equal(program->alarms[0].name, "more");
    close_pair(&pair);
}

/* What malloc gave comes back as all memory does. */
static void memory_of_the_heap_is_put_back(void **state) {
    (void)state;
    struct pair pair;
    open_pair(&pair, keeper, OF_KEEPER, "heap");
    follow_drawn(&pair, DRAWN / 4);
    assert_int_equal(pair.leaked, 0);
    if (IS_WITH_SNAPSHOTS)
        assert_true(pair.restored > DRAWN / 8);
    close_pair(&pair);
}

/* Where it changes nothing goes on from snapshots, and then it shows. */
static void variables_are_found_out(void **state) {
    (void)state;
    struct pair pair;
    open_pair(&pair, keeper, OF_KEEPER, "variable");
    follow_drawn(&pair, DRAWN / 10);
    assert_int_equal(pair.restored, 0);
    assert_true(pair.leaked > 0);
    close_pair(&pair);
}

/* Who asks the system for something is executed again instead. */
static void calls_of_the_system_end_snapshots(void **state) {
    (void)state;
    struct pair pair;
    open_pair(&pair, keeper, OF_KEEPER, "asks");
    follow_drawn(&pair, DRAWN / 10);
    assert_int_equal(pair.leaked, 0);
    assert_int_equal(pair.restored, 0);
    close_pair(&pair);
}

/* Who opens memory himself, or keeps something where others can see it, is executed again; how the machine
 * rounds comes back. */
static void what_is_no_memory_of_its_own(const char *fault, bool is_restored) {
    struct pair pair;
    open_pair(&pair, keeper, OF_KEEPER, fault);
    follow_drawn(&pair, DRAWN / 4);
    assert_int_equal(pair.leaked, 0);
    assert_true((pair.restored > 0) == (is_restored && IS_WITH_SNAPSHOTS));
    close_pair(&pair);
}

static void memory_that_a_program_opens_ends_snapshots(void **state) {
    (void)state;
    what_is_no_memory_of_its_own("protects", false);
}

static void memory_that_is_shared_ends_snapshots(void **state) {
    (void)state;
    what_is_no_memory_of_its_own("shares", false);
}

static void how_the_machine_rounds_is_put_back(void **state) {
    (void)state;
    what_is_no_memory_of_its_own("rounds", true);
}

/* Of what is asked for together one ends the life, or spoils what was answered before it and is to be asked:
 * whatever is not there is executed alone. */
static void what_harms_others_asked_for_with_it(const char *fault, enum cor_process_end end) {
    struct pair pair;
    open_pair(&pair, keeper, OF_KEEPER, fault);
    follow_drawn(&pair, DRAWN / 4);
    assert_int_equal(pair.leaked, 0);
    assert_true((pair.ended[end] > 0) == (end != COR_PROCESS_END_NONE));
    if (end == COR_PROCESS_END_NONE) /* it was found out: who ruins memory has no snapshots any more */
        assert_int_equal(cor_process_law_restored(pair.snapshots), 0);
    close_pair(&pair);
}

static void who_dies_among_others_dies_alone(void **state) {
    (void)state;
    what_harms_others_asked_for_with_it("dies", COR_PROCESS_END_EXIT);
}

static void answers_that_are_spoilt_are_not_believed(void **state) {
    (void)state;
    what_harms_others_asked_for_with_it("spoils", COR_PROCESS_END_NONE);
}

/* What is kept in the C library comes back with a snapshot: one in so many is executed again, and shows it.
 */
static void what_the_library_keeps_is_found_out(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct pair pair;
    uint32_t leaked = 0;
    open_pair(&pair, keeper, OF_KEEPER, "library");
    struct cor_process_trajectory trajectory = {
        .fork_count = 1, .until = COR_NONE, .height = -INFINITY, .target = 40};
    for (uint32_t n = 0; n < 2; n++) /* the first is of a fresh process, and has no snapshots yet */
        assert_int_equal(cor_process_law_follow(pair.snapshots, &trajectory, NULL, &error), COR_OK);
    trajectory.forks[1] = cor_process_law_fork(pair.snapshots, 0);
    trajectory.fork_count = 2;
    trajectory.target = INFINITY;
    for (uint32_t n = 0; n < 32; n++) {
        trajectory.forks[1].number = 100 + n;
        assert_int_equal(cor_process_law_follow(pair.snapshots, &trajectory, NULL, &error), COR_OK);
        leaked += cor_process_law_outcome(pair.snapshots)->end == COR_PROCESS_END_LEAKED;
    }
    assert_true(leaked > 0);
    close_pair(&pair);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alarms_have_names_before_a_module_is_loaded),
        cmocka_unit_test(drawn_schedules_are_the_same_bits),
        cmocka_unit_test(memory_of_the_heap_is_put_back),
        cmocka_unit_test(variables_are_found_out),
        cmocka_unit_test(calls_of_the_system_end_snapshots),
        cmocka_unit_test(what_the_library_keeps_is_found_out),
        cmocka_unit_test(memory_that_a_program_opens_ends_snapshots),
        cmocka_unit_test(memory_that_is_shared_ends_snapshots),
        cmocka_unit_test(how_the_machine_rounds_is_put_back),
        cmocka_unit_test(who_dies_among_others_dies_alone),
        cmocka_unit_test(answers_that_are_spoilt_are_not_believed),
    };
    if (argc < 3)
        return 2;
    keeper = argv[1];
    climb = argv[2];
    raft = argc > 3 ? argv[3] : NULL;
    return cmocka_run_group_tests_name("process_snapshots", tests, NULL, NULL);
}
