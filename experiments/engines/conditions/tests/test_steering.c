/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steered walks against all walks: the law they are drawn by sums to 1, weights give every walk its
 * probability under the profiles back, and chosen walks are as short, or as likely, as any. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "environment_problem.h"

#include <corridor/planner.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CASES 4
#define OK(call)                                                             \
    do {                                                                     \
        if ((call) != COR_OK)                                                \
            fail_msg("%s: %s (%s)", error.place, error.cause, error.remedy); \
    } while (0)

static struct cor_error error;

/* Two chains of a sky and of a wind, another one of the sky that no trap means, and what arms write. */
struct world {
    struct cor_profile *profiles[2];
    const struct cor_profile *of_chain[3];
    struct cor_case_traps *traps;
    struct cor_steering *steering;
    struct cor_walk walk;
};

static const uint32_t environment_of_chain[] = {0, 1, 0};
static const uint16_t profile_of_chain[] = {0, 1, 0};
static const char *const names[] = {"sky", "wind"};

static void begin_world(struct world *world, const char *text) {
    static const char *const sky[] = {"dark", "dim", "bright"}, *const wind[] = {"calm", "strong"};
    static const double arcs[] = {0.5, 0.5, 0, 0.25, 0.25, 0.5, 0.125, 0.75, 0.125},
                        gusts[] = {0.875, 0.125, 1, 0}, first[] = {1, 0, 0}, begin[] = {0.5, 0.5};
    static const uint32_t buckets[] = {2};
    struct cor_json_document *document;
    struct cor_vocabulary *vocabulary;
    error = COR_NO_ERROR;
    memset(world, 0, sizeof *world);
    OK(cor_profile_create("sky", 3, sky, arcs, first, &world->profiles[0], &error));
    OK(cor_profile_create("wind", 2, wind, gusts, begin, &world->profiles[1], &error));
    for (int c = 0; c < 3; c++)
        world->of_chain[c] = world->profiles[profile_of_chain[c]];
    const struct cor_case_condition_names all = {
        .environment_count = 2,
        .environments = names,
        .profiles = (const struct cor_profile *const[]){world->profiles[0], world->profiles[1]},
        .parameter_count = 1,
        .parameters = (const char *const[]){"n_min"},
        .are_integer = (const bool[]){true},
        .reactions = true,
        .probe_count = 1,
        .probes = (const char *const[]){"probe"},
        .bucket_counts = buckets,
    };
    OK(cor_vocabulary_create(&all, &vocabulary, &error));
    OK(cor_json_parse(text, "text", &document, &error));
    const struct cor_json root = cor_json_root(document);
    OK(cor_case_traps_read(&root, vocabulary, &world->traps, &error));
    const double n_min = 2;
    const struct cor_steering_definition definition = {
        world->traps, world->of_chain, environment_of_chain, 3, &n_min, 1, CASES};
    OK(cor_steering_create(&definition, &world->steering, &error));
    cor_walk_init(&world->walk);
    cor_json_destroy(document);
}

static void end_world(struct world *world) {
    cor_walk_fini(&world->walk);
    cor_steering_destroy(world->steering);
    cor_case_traps_destroy(world->traps);
    cor_profile_destroy(world->profiles[0]);
    cor_profile_destroy(world->profiles[1]);
}

static struct cor_walk_definition definition_of(struct world *world, uint32_t sequence,
                                                const struct cor_walk *recorded) {
    return (struct cor_walk_definition){
        .source = &cor_source_traps,
        .profiles = (const struct cor_profile *const *)world->profiles,
        .profile_of_chain = profile_of_chain,
        .chain_count = 3,
        .case_count = CASES,
        .name = {.seed = 14, .sequence = sequence},
        .recorded = recorded,
        .steering = world->steering,
    };
}

/* What the system is made to show: alarms at strong wind, as many partitions as there were cases. */
static struct cor_reaction react(const struct cor_walk *walk, uint32_t number) {
    static const uint64_t counted[2] = {0, 1};
    return (struct cor_reaction){.alarm = cor_walk_at(walk, number)[1] == 1,
                                 .partitions = number,
                                 .smallest = 1,
                                 .largest = 2,
                                 .counted = counted};
}

static void walk_on(struct world *world, const struct cor_walk_definition *definition) {
    struct cor_walk *walk = &world->walk;
    OK(cor_walk_begin(walk, definition, &error));
    for (uint32_t number = 1; number <= CASES; number++) {
        const struct cor_observation observed = {
            .name = {.seed = 14, .sequence = definition->name.sequence, .identity = number}};
        OK(cor_walk_reach(walk, number, &observed, &error));
        const struct cor_reaction reaction = react(walk, number);
        cor_walk_see(walk, number, &reaction);
    }
    cor_walk_end(walk);
}

static double chance(const struct world *world, const struct cor_walk *walk, uint32_t chain) {
    const struct cor_profile *profile = world->of_chain[chain];
    double p = profile->start[cor_walk_at(walk, 0)[chain]];
    for (uint32_t i = 1; i <= walk->case_count; i++)
        p *= profile->probability[cor_walk_at(walk, i - 1)[chain] * profile->state_count +
                                  cor_walk_at(walk, i)[chain]];
    return p;
}

/* The next walk of the first two chains; false behind the last. */
static bool next_walk(struct cor_walk *walk) {
    for (uint32_t i = 0; i <= CASES; i++)
        for (uint32_t c = 0; c < 2; c++) {
            uint8_t *state = &walk->states[i * 3 + c];
            if (++*state < (c == 0 ? 3 : 2))
                return true;
            *state = 0;
        }
    return false;
}

/* Sums over all walks, replayed: probability, probability / weight, and probability of covering the last
 * trap. */
struct sums {
    double total, law, covered, reported;
};

static struct sums sum_of(struct world *world) {
    struct sums sums = {0};
    struct cor_walk all;
    cor_walk_init(&all);
    OK(cor_walk_resize(&all, 3, CASES, &error));
    memset(all.states, 0, 3 * (CASES + 1));
    do {
        const double p = chance(world, &all, 0) * chance(world, &all, 1);
        struct cor_weight weight;
        bool by_profile;
        if (p == 0)
            continue;
        const struct cor_walk_definition definition = definition_of(world, 0, &all);
        walk_on(world, &definition);
        assert_memory_equal(world->walk.states, all.states, 3 * (CASES + 1));
        assert_true(cor_steering_weight(&world->walk, &weight, &by_profile));
        assert_true(cor_weight_value(weight) <= 1 / world->traps->profile_share + 1e-12);
        const struct cor_trap_report report =
            cor_steering_report(&world->walk, world->traps->count - 1, CASES);
        sums.total += p;
        sums.law += p / cor_weight_value(weight);
        sums.covered += report.covered > 0 ? p : 0;
        sums.reported = report.probability;
    } while (next_walk(&all));
    cor_walk_fini(&all);
    return sums;
}

static const char *const weighted[] = {
    "{\"traps\": [\"sky = 'bright' and wind = 'strong'\"], \"profile_share\": 0.1}",
    "{\"traps\": [\"before.sky = 'bright' and sky = 'dark'\"], \"profile_share\": 0.5}",
    "{\"traps\": [\"sky = 'dark' or before.wind = 'strong'\", \"sky = 'bright'\"], \"profile_share\": 0.25}",
    ("{\"traps\": [\"sky = 'bright'\", \"wind = 'strong'\", {\"name\": \"again\", \"condition\": \"sky = "
     "'bright'\"}], \"ordered\": true, \"profile_share\": 0.2}"),
    ("{\"traps\": [\"alarm and sky = 'bright'\", \"partitions = n_min and sky = 'dark'\"], "
     "\"profile_share\": "
     "0.3}"),
    "{\"traps\": [\"before.wind = 'strong' and wind = 'strong'\"], \"profile_share\": 0.3}",
};
#define WEIGHTED (sizeof weighted / sizeof *weighted)

static void weights_belong_to_a_law_and_probabilities_are_those_of_all_walks(void **unused) {
    (void)unused;
    for (size_t i = 0; i < WEIGHTED; i++) {
        struct world world;
        begin_world(&world, weighted[i]);
        const struct sums sums = sum_of(&world);
        assert_true(fabs(sums.total - 1) < 1e-12);
        assert_true(fabs(sums.law - 1) < 1e-12);
        if (i == 4) /* speaks of reactions */
            assert_true(isnan(sums.reported));
        else
            assert_true(fabs(sums.reported - sums.covered) < 1e-12);
        end_world(&world);
    }
}

static void drawn_walks_follow_the_law_of_their_weights(void **unused) {
    (void)unused;
    enum { DRAWN = 20000 };
    struct world world;
    begin_world(&world, weighted[0]);
    double sum = 0, squares = 0, hits = 0, all = 0, exact = 0, shares = 0;
    for (uint32_t i = 0; i < DRAWN; i++) {
        const struct cor_walk_definition definition = definition_of(&world, i, NULL);
        struct cor_weight weight;
        bool by_profile;
        walk_on(&world, &definition);
        assert_true(chance(&world, &world.walk, 0) * chance(&world, &world.walk, 1) *
                        chance(&world, &world.walk, 2) >
                    0);
        assert_true(cor_steering_weight(&world.walk, &weight, &by_profile));
        const struct cor_trap_report report = cor_steering_report(&world.walk, 0, CASES);
        const double x = report.covered ? cor_weight_value(weight) : 0;
        sum += x;
        squares += x * x;
        hits += report.covered > 0;
        all += cor_weight_value(weight);
        exact = report.probability;
        shares += by_profile;
    }
    const double mean = sum / DRAWN, deviation = sqrt((squares / DRAWN - mean * mean) / DRAWN);
    assert_true(fabs(mean - exact) < 3 * deviation);
    assert_true(fabs(all / DRAWN - 1) < 0.05);
    assert_true(fabs(shares / DRAWN - 0.1) < 0.01);
    assert_true(fabs(hits / DRAWN - (0.9 + 0.1 * exact)) < 0.01); /* all that are steered come there */
    end_world(&world);
}

static void a_sequence_that_follows_the_profiles_is_one_of_the_source_profile(void **unused) {
    (void)unused;
    struct world world;
    struct cor_walk plain;
    begin_world(&world, "{\"traps\": [\"wind = 'strong'\"], \"profile_share\": 1}");
    cor_walk_init(&plain);
    for (uint32_t i = 0; i < 50; i++) {
        struct cor_walk_definition definition = definition_of(&world, i, NULL);
        walk_on(&world, &definition);
        definition.source = &cor_source_profile;
        OK(cor_walk_begin(&plain, &definition, &error));
        assert_memory_equal(plain.states, world.walk.states, 3 * (CASES + 1));
    }
    cor_walk_fini(&plain);
    end_world(&world);
}

/* Shortest cases to, and the greatest probability of a walk to, the condition from where the walk began. */
static void best_of_all(struct world *world, const uint8_t *start, uint32_t *cases, double *likeliest) {
    struct cor_walk all;
    cor_walk_init(&all);
    OK(cor_walk_resize(&all, 3, CASES, &error));
    memset(all.states, 0, 3 * (CASES + 1));
    *cases = UINT32_MAX;
    *likeliest = 0;
    do {
        double p = 1;
        if (all.states[0] != start[0] || all.states[1] != start[1])
            continue;
        for (uint32_t i = 1; i <= CASES; i++) {
            const uint8_t *before = cor_walk_at(&all, i - 1), *now = cor_walk_at(&all, i);
            p *= world->profiles[0]->probability[before[0] * 3 + now[0]] *
                 world->profiles[1]->probability[before[1] * 2 + now[1]];
            if (p > 0 && now[0] == 2 && now[1] == 1) {
                *cases = i < *cases ? i : *cases;
                *likeliest = fmax(p, *likeliest);
            }
        }
    } while (next_walk(&all));
    cor_walk_fini(&all);
}

static void chosen_walks_are_the_shortest_or_the_likeliest(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "{\"traps\": [\"sky = 'bright' and wind = 'strong'\"]}",
        "{\"traps\": [\"sky = 'bright' and wind = 'strong'\"], \"walk\": \"likeliest\"}"};
    for (int likeliest = 0; likeliest < 2; likeliest++) {
        struct world world;
        begin_world(&world, texts[likeliest]);
        for (uint32_t i = 0; i < 20; i++) {
            uint32_t cases;
            double best, taken = 1;
            struct cor_weight weight;
            bool by_profile;
            const struct cor_walk_definition definition = definition_of(&world, i, NULL);
            walk_on(&world, &definition);
            best_of_all(&world, world.walk.states, &cases, &best);
            const struct cor_trap_report report = cor_steering_report(&world.walk, 0, CASES);
            assert_false(cor_steering_weight(&world.walk, &weight, &by_profile));
            assert_true(report.covered > 0 && (likeliest || report.covered == cases));
            if (!likeliest)
                assert_int_equal(report.moves, cases);
            for (uint32_t n = 1; n <= report.covered; n++)
                for (int c = 0; c < 2; c++)
                    taken *= world.profiles[c]->probability[cor_walk_at(&world.walk, n - 1)[c] *
                                                                world.profiles[c]->state_count +
                                                            cor_walk_at(&world.walk, n)[c]];
            assert_true(!likeliest || fabs(taken - best) < 1e-15);
        }
        end_world(&world);
    }
}

static void what_the_system_does_counts_and_what_was_in_vain_is_not_tried_again_at_once(void **unused) {
    (void)unused;
    struct world world;
    /* Alarms come with strong wind alone, so that the first ways into dim skies are in vain. */
    begin_world(&world, "{\"traps\": [\"sky = 'dim' and alarm\", {\"name\": \"then\", \"condition\": \"sky = "
                        "'dark' and probe.b1 > 0\", \"after\": [\"sky = 'dim' and alarm\"]}]}");
    uint32_t covered = 0, ordered = 0, in_vain = 0;
    for (uint32_t i = 0; i < 200; i++) {
        const struct cor_walk_definition definition = definition_of(&world, i, NULL);
        walk_on(&world, &definition);
        const struct cor_trap_report first = cor_steering_report(&world.walk, 0, CASES),
                                     then = cor_steering_report(&world.walk, 1, CASES);
        if (first.covered > 0) {
            const uint8_t *states = cor_walk_at(&world.walk, first.covered);
            assert_true(states[0] == 1 && states[1] == 1);
        }
        /* Cases 2 and 3 look alike from outside: two and three partitions. */
        const uint8_t *two = cor_walk_at(&world.walk, 2), *three = cor_walk_at(&world.walk, 3);
        if (first.covered == 0 && two[0] == 1 && three[0] == 1 && two[1] == three[1]) {
            assert_true(cor_walk_at(&world.walk, 4)[0] != 1);
            in_vain++;
        }
        assert_true(then.covered == 0 || (first.covered > 0 && then.covered > first.covered));
        covered += first.covered > 0;
        ordered += then.covered > 0;
    }
    assert_true(covered > 30 && ordered > 30 && in_vain > 30);
    end_world(&world);
}

/* Expected cases to bright skies at strong wind from the joint state of a walk's beginning: by iteration. */
static double expected_cases(const struct world *world, const uint8_t *start) {
    double value[6] = {0}, next[6];
    for (int round = 0; round < 20000; round++) {
        for (int x = 0; x < 6; x++) {
            next[x] = 1;
            for (int y = 0; y < 6; y++)
                if (y != 5)
                    next[x] += world->profiles[0]->probability[x % 3 * 3 + y % 3] *
                               world->profiles[1]->probability[x / 3 * 2 + y / 3] * value[y];
        }
        memcpy(value, next, sizeof value);
    }
    return value[start[0] + 3 * start[1]];
}

static void planners_see_the_environment_and_agree(void **unused) {
    (void)unused;
    struct world world;
    begin_world(&world, "{\"traps\": [\"sky = 'bright' and wind = 'strong'\"]}");
    for (int choice = 0; choice < 2; choice++) {
        struct cor_environment_problem problem;
        void *planner;
        environment_problem_init(&problem, world.steering, (enum cor_environment_choice)choice);
        struct cor_planner_definition definition = cor_default_planner();
        definition.problem = &problem.problem;
        definition.reading = choice == COR_ENVIRONMENT_LEFT ? COR_READING_EXPECTED : COR_READING_HOPE;
        const struct cor_planner_kind *kind = cor_planner_find("search");
        OK(kind->create(&definition, &planner, &error));
        for (uint32_t i = 0; i < 8; i++) {
            const struct cor_walk_definition walk = definition_of(&world, i, NULL);
            struct cor_plan_choice chosen;
            const uint64_t covered[1] = {0};
            uint32_t state;
            walk_on(&world, &walk);
            environment_problem_pack(&problem, &world.walk, 0, &state);
            OK(kind->choose(planner, &state, covered, &chosen, &error));
            assert_int_equal(chosen.advice, COR_ADVICE_INPUT);
            if (choice == COR_ENVIRONMENT_CHOSEN)
                assert_int_equal(chosen.left, cor_steering_report(&world.walk, 0, CASES).moves);
            else
                assert_true(fabs(chosen.expected - expected_cases(&world, world.walk.states)) < 1e-6);
        }
        kind->destroy(planner);
    }
    end_world(&world);
}

static void traps_as_arcs_are_all_of_them(void **unused) {
    (void)unused;
    struct world world;
    begin_world(&world, "{\"traps\": [{\"arcs\": \"sky\", \"with\": [\"alarm\", \"not alarm\"]}]}");
    assert_int_equal(world.traps->count, 2 * 8);
    assert_string_equal(world.traps->traps[1].name, "before.sky = 'dark' and sky = 'dark' and (not alarm)");
    for (uint32_t t = 0; t < 16; t++)
        assert_true(cor_case_condition_root(&world.traps->traps[t].condition)->reads_reaction);
    end_world(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_belong_to_a_law_and_probabilities_are_those_of_all_walks),
        cmocka_unit_test(drawn_walks_follow_the_law_of_their_weights),
        cmocka_unit_test(a_sequence_that_follows_the_profiles_is_one_of_the_source_profile),
        cmocka_unit_test(chosen_walks_are_the_shortest_or_the_likeliest),
        cmocka_unit_test(what_the_system_does_counts_and_what_was_in_vain_is_not_tried_again_at_once),
        cmocka_unit_test(planners_see_the_environment_and_agree),
        cmocka_unit_test(traps_as_arcs_are_all_of_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
