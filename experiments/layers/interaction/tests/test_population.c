/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who is in a suite: numbers of agents of a type, sizes of groups, for whom an environment is the same, and
 * states at the start. Each is counted over many suites. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "require.h"

#include <corridor/run.h>
#include <corridor/state.h>
#include <corridor/suite.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUITES = 300, MOST = 64 };

static char folder[] = "/tmp/corridor_population_XXXXXX";
static char path[64];

/* Lamps, fans and boats; what is said of the model, of lamps, of fans and of the environment of boats. */
static struct cor_experiment *experiment_of(const char *model, const char *lamp, const char *fan,
                                            const char *environment) {
    struct cor_experiment *experiment;
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(
        out,
        "{\"corridor_experiment\": 1, \"name\": \"t\", \"seed\": \"0x5\", \"suites\": %d, \"sequences\": 1, "
        "\"cases\": 3, \"model\": {\"corridor_model\": 1, %s, \"environments\": {\"sky\": {\"profile\": "
        "{\"states\": [\"dark\", \"bright\"], \"transitions\": {\"dark\": {\"bright\": 1}, \"bright\": "
        "{\"dark\": 1}}}}, \"sea\": {\"random\": {\"states\": 3}%s}}, "
        "\"types\": {\"lamp\": {\"environment\": \"sky\", \"states\": {\"on\": 0.9, \"off\": 0.1, "
        "\"broken\": 0}%s}, \"fan\": {\"environment\": \"sky\", \"level\": [0, 1]%s}, "
        "\"boat\": {\"environment\": \"sea\", \"level\": [0, 1]}}, \"invariant\": {\"threshold\": 0.5}}, "
        "\"arms\": [{\"name\": \"A\", \"algorithm\": \"random\"}]}",
        SUITES, model, environment, lamp, fan);
    assert_int_equal(fclose(out), 0);
    REQUIRE(cor_experiment_read(path, &experiment, &said));
    return experiment;
}

struct counted {
    uint32_t agents, groups, type[3], least, largest;
};

/* What a suite has; group by group, its types if these may be mixed only. */
static struct counted count(const struct cor_configuration *c, bool mixed) {
    struct counted n = {.agents = c->agent_count, .groups = c->group_count, .least = UINT32_MAX};
    for (uint32_t g = 0; g < c->group_count; g++) {
        const uint32_t size = c->group_start[g + 1] - c->group_start[g];
        n.least = size < n.least ? size : n.least;
        n.largest = size > n.largest ? size : n.largest;
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
            n.type[c->type[i]]++;
            assert_true(mixed || c->type[i] == c->type[c->group_start[g]]);
        }
    }
    assert_int_equal(n.type[0] + n.type[1] + n.type[2], n.agents);
    return n;
}

static void as_many_agents_are_of_a_type_as_is_said(void **state) {
    (void)state;
    for (int mixed = 0; mixed < 2; mixed++) {
        struct cor_experiment *experiment =
            experiment_of(mixed ? "\"agents\": 40, \"groups\": {\"count\": 6}, \"mixed_groups\": true"
                                : "\"agents\": 40, \"groups\": {\"count\": 6}",
                          ", \"count\": [3, 7]", ", \"share\": 0.26", "");
        uint32_t lamps[MOST] = {0}, fans[MOST] = {0};
        for (uint32_t s = 0; s < SUITES; s++) {
            struct cor_suite *suite;
            REQUIRE(cor_suite_generate(experiment, 0, s, &suite, &said));
            const struct counted n = count(suite->configuration, mixed);
            assert_int_equal(n.groups, 6);
            lamps[n.type[0]]++;
            fans[n.type[1]]++;
            const int parameter = cor_parameter_laws_find(suite->arm->laws, "count_lamp");
            assert_true(parameter >= 0 && suite->parameters[parameter] == n.type[0]);
            cor_suite_destroy(suite);
        }
        for (uint32_t n = 3; n <= 7; n++) /* 60 each: 5 standard deviations */
            assert_true(lamps[n] > 25 && lamps[n] < 95);
        assert_int_equal(lamps[3] + lamps[4] + lamps[5] + lamps[6] + lamps[7], SUITES);
        assert_int_equal(fans[10] + fans[11], SUITES); /* 10.4 */
        assert_true(fans[10] > 100 && fans[11] > 100);
        cor_experiment_destroy(experiment);
    }
}

/* All types say how many there are: the last range follows from the others, and is kept. */
static void numbers_of_all_types_add_up(void **state) {
    (void)state;
    struct cor_experiment *experiment =
        experiment_of("\"parameters\": [{\"n\": [2, 4]}], \"agents\": 20, \"groups\": {\"count\": 5}",
                      ", \"count\": \"2 * n\"", ", \"share\": [0.3, 0.5]", "");
    struct cor_experiment *whole;
    char *text = NULL;
    size_t size = 0;
    FILE *in = fopen(path, "r"), *out = open_memstream(&text, &size);
    for (int c; (c = getc(in)) != EOF;)
        putc(c, out);
    fclose(in);
    fclose(out);
    char *boat = strstr(text, "\"environment\": \"sea\", \"level\"");
    assert_non_null(boat);
    out = fopen(path, "w");
    fprintf(out, "%.*s\"count\": [4, 9], %s", (int)(boat - text), text, boat);
    fclose(out);
    free(text);
    REQUIRE(cor_experiment_read(path, &whole, &said));
    for (uint32_t s = 0; s < SUITES; s++) {
        struct cor_suite *suite;
        REQUIRE(cor_suite_generate(whole, 0, s, &suite, &said));
        const struct counted n = count(suite->configuration, false);
        assert_true(n.type[0] == 4 || n.type[0] == 6 || n.type[0] == 8);
        assert_true(n.type[1] >= 6 && n.type[1] <= 10 && n.type[2] >= 4 && n.type[2] <= 9);
        cor_suite_destroy(suite);
    }
    cor_experiment_destroy(whole);
    cor_experiment_destroy(experiment);
}

static void groups_are_as_large_as_is_said(void **state) {
    (void)state;
    struct cor_experiment *experiment =
        experiment_of("\"agents\": 24, \"groups\": {\"size\": [3, 6]}", "", "", "");
    uint32_t groups[MOST] = {0}, least = UINT32_MAX, largest = 0;
    for (uint32_t s = 0; s < SUITES; s++) {
        struct cor_suite *suite;
        REQUIRE(cor_suite_generate(experiment, 0, s, &suite, &said));
        const struct counted n = count(suite->configuration, false);
        assert_true(n.least >= 3 && n.largest <= 6);
        groups[n.groups]++;
        if (n.groups == 6) {
            least = n.least < least ? n.least : least;
            largest = n.largest > largest ? n.largest : largest;
        }
        cor_suite_destroy(suite);
    }
    for (uint32_t n = 4; n <= 8; n++) /* 60 each */
        assert_true(groups[n] > 25 && groups[n] < 95);
    assert_true(least == 3 && largest == 6);
    cor_experiment_destroy(experiment);
}

static void an_environment_is_the_same_for_whom_is_said(void **state) {
    (void)state;
    static const char *const scopes[] = {", \"scope\": \"place\"", ", \"scope\": \"all\"",
                                         ", \"scope\": \"group\"", ""};
    for (int scope = 0; scope < 4; scope++) {
        struct cor_experiment *experiment = experiment_of(
            "\"agents\": 60, \"groups\": {\"count\": 30}, \"locations\": 3", "", "", scopes[scope]);
        for (uint32_t s = 0; s < 20; s++) {
            struct cor_suite *suite;
            REQUIRE(cor_suite_generate(experiment, 0, s, &suite, &said));
            const struct cor_configuration *c = suite->configuration;
            uint32_t chains = 0, groups = 0;
            for (uint32_t i = 0; i < c->chain_count; i++)
                chains += c->profile_of_chain[i] == 1;
            for (uint32_t g = 0; g < c->group_count; g++)
                groups += c->profile_of_chain[c->chain_of_group[g]] == 1;
            assert_true(groups > 2); /* of 30, each with probability 1/3 */
            assert_true(scope == 1   ? chains == 1
                        : scope == 2 ? chains == groups
                                     : chains <= 3 && chains >= 1);
            assert_true(c->chain_count - chains <= 3);
            cor_suite_destroy(suite);
        }
        cor_experiment_destroy(experiment);
    }
}

static void agents_start_by_the_law_of_their_first_state(void **state) {
    (void)state;
    struct cor_experiment *experiment = experiment_of(
        "\"agents\": 30", ", \"initial\": {\"broken\": 0.2, \"on\": 0.8}, \"count\": 30", "", "");
    uint32_t states[3] = {0};
    for (uint32_t s = 0; s < 40; s++) {
        struct cor_suite *suite;
        REQUIRE(cor_suite_generate(experiment, 0, s, &suite, &said));
        for (uint32_t i = 0; i < 30; i++)
            states[suite->configuration->initial_state[i]]++;
        cor_suite_destroy(suite);
    }
    assert_int_equal(states[1], 0);
    assert_true(states[2] > 170 && states[2] < 310); /* 240 of 1200: 5 standard deviations */
    cor_experiment_destroy(experiment);
}

/* ---- several environments a type */

enum { DARK, BRIGHT };      /* sky */
enum { LOW, MIDDLE, HIGH }; /* price */
enum { STOP, STORM, REST }; /* what mills are in */

/* The relevant states of mills, which overlap, written here again: the first that holds. */
static uint8_t relevant_of(uint8_t sky, uint8_t price) {
    return price == LOW ? STOP : sky == DARK || price == HIGH ? STORM : REST;
}

static struct cor_experiment *mills(bool mixed, const char *scope) {
    struct cor_experiment *experiment;
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(
        out,
        "{\"corridor_experiment\": 1, \"name\": \"t\", \"seed\": \"0x5\", \"suites\": %d, \"sequences\": 1, "
        "\"cases\": 30, \"model\": {\"corridor_model\": 1, \"agents\": 24, \"groups\": {\"count\": 8}, "
        "\"locations\": 3, \"mixed_groups\": %s, \"environments\": {\"sky\": {\"profile\": {\"states\": "
        "[\"dark\", \"bright\"], \"transitions\": {\"dark\": {\"dark\": 0.5, \"bright\": 0.5}, \"bright\": "
        "{\"dark\": 0.5, \"bright\": 0.5}}}}, \"price\": {\"scope\": \"%s\", \"profile\": {\"states\": "
        "[\"low\", \"middle\", \"high\"], \"transitions\": {\"low\": {\"low\": 0.4, \"middle\": 0.6}, "
        "\"middle\": {\"low\": 0.5, \"high\": 0.5}, \"high\": {\"low\": 0.5, \"middle\": 0.5}}}}}, "
        "\"types\": {\"mill\": {\"environment\": [\"sky\", \"price\"], \"relevant\": {\"stop\": "
        "\"price = 'low'\", \"storm\": \"sky = 'dark' or price = 'high'\", \"rest\": \"true\"}, "
        "\"states\": {\"stop\": 0, \"storm\": 0.3, \"rest\": 0.9}, \"influence\": {\"stop\": \"stop\", "
        "\"storm\": \"storm\", \"rest\": \"rest\"}}, \"boat\": {\"environment\": \"price\", \"level\": "
        "[0, 1]}}, \"invariant\": {\"threshold\": 0.5}}, "
        "\"arms\": [{\"name\": \"A\", \"algorithm\": \"random\"}]}",
        SUITES, mixed ? "true" : "false", scope);
    assert_int_equal(fclose(out), 0);
    REQUIRE(cor_experiment_read(path, &experiment, &said));
    return experiment;
}

/* Goes through a sequence and looks at every mill; how many states it saw. */
static uint32_t watch_mills(const struct cor_suite *suite, bool one_price) {
    const struct cor_configuration *c = suite->configuration;
    struct cor_state *world;
    struct cor_walk walk;
    uint32_t seen = 0;
    cor_walk_init(&walk);
    REQUIRE(cor_suite_walk(suite, 0, &walk, &said));
    REQUIRE(cor_state_create(c, &world, &said));
    for (uint32_t number = 1; number <= walk.case_count; number++) {
        const uint8_t *states = cor_walk_at(&walk, number);
        const struct cor_stream_name name = {.identity = number};
        cor_state_perceive(world, states, &name);
        for (uint32_t g = 0; g < c->group_count; g++)
            for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
                if (c->type[i] != 0)
                    continue;
                /* the first profile that a group with mills perceives, mixed or not */
                const uint32_t chain = c->chain_of_group[g];
                assert_int_equal(c->profile_of_chain[chain], 0);
                const uint32_t price = c->other_chains[g * c->profile_count + 1];
                assert_true(price < c->chain_count && c->profile_of_chain[price] == 1);
                assert_true(one_price || c->location_of_chain[price] == c->location_of_chain[chain]);
                assert_int_equal(world->agent_state[i], relevant_of(states[chain], states[price]));
                seen |= 1u << world->agent_state[i];
            }
    }
    cor_state_destroy(world);
    cor_walk_fini(&walk);
    return seen;
}

static void what_matters_may_depend_on_several_environments(void **state) {
    (void)state;
    char suite_path[80];
    snprintf(suite_path, sizeof suite_path, "%s/s.json", folder);
    for (int way = 0; way < 4; way++) {
        struct cor_experiment *experiment = mills(way % 2, way < 2 ? "place" : "all");
        uint32_t seen = 0;
        for (uint32_t s = 0; s < 20; s++) {
            struct cor_suite *suite, *back;
            REQUIRE(cor_suite_generate(experiment, 0, s, &suite, &said));
            const struct cor_configuration *c = suite->configuration;
            uint32_t prices = 0;
            for (uint32_t i = 0; i < c->chain_count; i++)
                prices += c->profile_of_chain[i] == 1;
            assert_true(way < 2 ? prices <= 3 : prices <= 1);
            seen |= watch_mills(suite, way >= 2);
            REQUIRE(cor_suite_write(suite, suite_path, &said));
            REQUIRE(cor_suite_read(experiment, suite_path, &back, &said));
            assert_true(cor_configuration_hash(c) == cor_configuration_hash(back->configuration));
            watch_mills(back, way >= 2);
            remove(suite_path);
            struct cor_configuration *copy;
            REQUIRE(cor_configuration_copy(c, &copy, &said));
            assert_true(cor_configuration_hash(copy) == cor_configuration_hash(c));
            cor_configuration_destroy(copy);
            cor_suite_destroy(back);
            cor_suite_destroy(suite);
        }
        assert_int_equal(seen, 7);
        cor_experiment_destroy(experiment);
    }
}

/* How often agents of type `type` are in each of three states from case `first` on, and how often they are in
 * state 0 in two cases running. */
static void count_states(const struct cor_suite *suite, uint16_t type, uint32_t first, uint32_t states[3],
                         uint32_t *again) {
    const struct cor_configuration *c = suite->configuration;
    struct cor_state *world;
    struct cor_walk walk;
    cor_walk_init(&walk);
    REQUIRE(cor_suite_walk(suite, 0, &walk, &said));
    REQUIRE(cor_state_create(c, &world, &said));
    for (uint32_t number = 1; number <= walk.case_count; number++) {
        const struct cor_stream_name name = {.identity = number};
        uint8_t before[MOST];
        memcpy(before, world->agent_state, c->agent_count);
        cor_state_perceive(world, cor_walk_at(&walk, number), &name);
        for (uint32_t i = 0; i < c->agent_count; i++)
            if (c->type[i] == type && number >= first) {
                states[world->agent_state[i]]++;
                *again += number > 1 && before[i] == 0 && world->agent_state[i] == 0;
            }
    }
    cor_state_destroy(world);
    cor_walk_fini(&walk);
}

/* One type in two environments, in mixed groups: weather, which is of a place, and a price, which is of all
 * and alternates. A roof is in a where the price is low, else in b: in half of all cases each, and never in a
 * twice running. */
static void what_is_of_all_reaches_everybody(void **state) {
    (void)state;
    struct cor_experiment *experiment;
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(
        out,
        "{\"corridor_experiment\":1,\"name\":\"frozen\",\"seed\":\"0x1\",\"suites\":40,\"sequences\":1,"
        "\"cases\":50,\"model\":{\"corridor_model\":1,\"agents\":10,\"structure\":{\"size_min\":2,\"size_"
        "max\":5},"
        "\"groups\":{\"count\":1},\"mixed_groups\":true,\"environments\":{\"weather\":{\"profile\":{"
        "\"states\":"
        "[\"sun\",\"rain\"],\"transitions\":{\"sun\":{\"rain\":1},\"rain\":{\"sun\":1}}}},\"price\":{"
        "\"scope\":"
        "\"all\",\"profile\":{\"states\":[\"low\",\"high\"],\"transitions\":{\"low\":{\"high\":1},\"high\":"
        "{\"low\":1}}}}},\"types\":{\"roof\":{\"environment\":[\"weather\",\"price\"],\"relevant\":{"
        "\"cheap\":"
        "\"price = "
        "'low'\",\"dear\":\"true\"},\"states\":{\"a\":0.9,\"b\":0.1},\"influence\":{\"cheap\":\"a\","
        "\"dear\":\"b\"}}},\"invariant\":{\"threshold\":0.99}},\"arms\":[{\"name\":\"x\",\"algorithm\":"
        "\"random\"}]}");
    assert_int_equal(fclose(out), 0);
    REQUIRE(cor_experiment_read(path, &experiment, &said));
    uint32_t states[3] = {0}, again = 0;
    for (uint32_t s = 0; s < 40; s++) {
        struct cor_suite *suite;
        REQUIRE(cor_suite_generate(experiment, 0, s, &suite, &said));
        count_states(suite, 0, 1, states, &again);
        cor_suite_destroy(suite);
    }
    assert_int_equal(states[0], 10000);
    assert_int_equal(states[1], 10000);
    assert_int_equal(again, 0);
    cor_experiment_destroy(experiment);
}

/* The chains of mills, solved by hand. Each case the sky is dark or bright with 1/2. The price: low = 0.4 low
 * + 0.5 middle + 0.5 high, middle = 0.6 low + 0.5 high, high = 0.5 middle, so (5, 4, 2) / 11. Mills stop in 5
 * of 11 cases, in 1/2 * 4 + 2 = 4 it is storm, and in 2 they rest; in mixed groups as in others. */
static void mills_keep_to_the_law_of_their_chains(void **state) {
    (void)state;
    for (int way = 0; way < 4; way++) {
        struct cor_experiment *experiment = mills(way % 2, way < 2 ? "place" : "all");
        uint32_t states[3] = {0}, again = 0, sum;
        for (uint32_t s = 0; s < SUITES; s++) {
            struct cor_suite *suite;
            REQUIRE(cor_suite_generate(experiment, 0, s, &suite, &said));
            count_states(suite, 0, 10, states, &again);
            cor_suite_destroy(suite);
        }
        sum = states[STOP] + states[STORM] + states[REST];
        /* 300 prices, 21 cases each, at the least, and hardly any memory: 5 standard deviations are 0.032 */
        const double expected[] = {5. / 11, 4. / 11, 2. / 11};
        for (int s = STOP; s <= REST; s++) {
            const double difference = states[s] / (double)sum - expected[s];
            if (difference < -0.032 || difference > 0.032)
                fail_msg("way %d: %u of %u are in state %d", way, states[s], sum, s);
        }
        cor_experiment_destroy(experiment);
    }
}

/* By brute force: a group has exactly the chains that its types perceive, and whom one chain reaches is as
 * the scope of its environment says. */
static void groups_have_the_chains_of_their_types(void **state) {
    (void)state;
    static const char *const scopes[] = {"place", "all", "group"};
    for (int scope = 0; scope < 3; scope++) {
        struct cor_experiment *experiment = mills(true, scopes[scope]);
        uint32_t without_mills = 0;
        for (uint32_t s = 0; s < SUITES; s++) {
            struct cor_suite *suite;
            bool is_used[MOST] = {false};
            REQUIRE(cor_suite_generate(experiment, 0, s, &suite, &said));
            const struct cor_configuration *c = suite->configuration;
            for (uint32_t g = 0; g < c->group_count; g++) {
                bool has_mills = false;
                for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++)
                    has_mills = has_mills || c->type[i] == 0;
                const uint32_t sky = c->other_chains[g * 2], price = c->other_chains[g * 2 + 1];
                without_mills += !has_mills;
                assert_true(has_mills ? c->profile_of_chain[sky] == 0 : sky == COR_NOBODY);
                assert_int_equal(c->profile_of_chain[price], 1); /* both types look at it */
                assert_true(c->chain_of_group[g] == (has_mills ? sky : price));
                is_used[price] = true;
                if (has_mills)
                    is_used[sky] = true;
                for (uint32_t other = 0; other < g; other++) {
                    const uint32_t second = c->other_chains[other * 2 + 1];
                    const bool is_one_place = c->location_of_chain[price] == c->location_of_chain[second];
                    assert_true(scope == 1   ? price == second
                                : scope == 0 ? (price == second) == is_one_place
                                             : price != second);
                }
            }
            for (uint32_t chain = 0; chain < c->chain_count; chain++)
                assert_true(is_used[chain]);
            cor_suite_destroy(suite);
        }
        assert_true(without_mills > 100);
        cor_experiment_destroy(experiment);
    }
}

/* Twelve lamps, each on or off at the start with 1/2, in partitions of at most four. */
static struct cor_experiment *starting(const char *start, const char *invariant, const char *corridor) {
    struct cor_experiment *experiment;
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(
        out,
        "{\"corridor_experiment\": 1, \"name\": \"t\", \"seed\": \"0x9\", \"suites\": %d, \"sequences\": 1, "
        "\"cases\": 3, %s\"model\": {\"corridor_model\": 1, \"agents\": 12, \"groups\": {\"count\": 3}, "
        "\"structure\": {\"start\": %s, \"size_max\": 4}, \"environments\": {\"sky\": {\"profile\": "
        "{\"states\": [\"dark\", \"bright\"], \"transitions\": {\"dark\": {\"bright\": 1}, \"bright\": "
        "{\"dark\": 1}}}}}, \"types\": {\"lamp\": {\"environment\": \"sky\", \"states\": {\"on\": 0.9, "
        "\"off\": 0.1}, \"initial\": {\"on\": 0.5, \"off\": 0.5}, \"influence\": {\"dark\": \"on\"}}}%s}, "
        "\"arms\": [{\"name\": \"A\", \"algorithm\": \"random\"}]}",
        SUITES, corridor, start, invariant);
    assert_int_equal(fclose(out), 0);
    REQUIRE(cor_experiment_read(path, &experiment, &said));
    return experiment;
}

/* The measure of the invariant, and the corridor as a text below, written here again: the means of partitions
 * differ by 0.5 at most; every partition has a lamp that is on. */
static bool begins_inside(const struct cor_configuration *c, bool is_text) {
    double least = 1, most = 0;
    bool all_lit = true;
    for (uint32_t p = 0; p < c->initial_partitions; p++) {
        uint32_t lit = 0, size = 0;
        for (uint32_t i = 0; i < c->agent_count; i++)
            if (c->initial_partition[i] == p) {
                size++;
                lit += c->initial_state[i] == 0;
            }
        const double mean = (0.9 * lit + 0.1 * (size - lit)) / size;
        least = mean < least ? mean : least;
        most = mean > most ? mean : most;
        all_lit = all_lit && lit > 0;
    }
    return is_text ? all_lit : most - least <= 0.5;
}

/* Where it is asked for, every suite begins inside, and one that did so anyway begins as it did. */
static void suites_begin_inside_where_that_is_asked_for(void **state) {
    (void)state;
    static const char text[] =
        "\"corridor\": [\"structure partitioning\", \"trigger lit: all(o in organizations: "
        "any(a in o.members: a.value >= 0.5))\"], ";
    for (int is_text = 0; is_text < 2; is_text++) {
        /* of an experiment with a text the model needs no invariant */
        const char *invariant = is_text ? "" : ", \"invariant\": {\"threshold\": 0.5}";
        struct cor_experiment *drawn = starting("\"drawn\"", invariant, is_text ? text : ""), *inside;
        char *kept = strdup(path);
        strcpy(path + strlen(path) - 6, "f.json");
        inside = starting("\"inside\"", invariant, is_text ? text : "");
        uint32_t begin_inside = 0, refusals = 0;
        for (uint32_t s = 0; s < SUITES; s++) {
            struct cor_suite *one, *other;
            enum cor_inside seen;
            REQUIRE(cor_suite_generate(drawn, 0, s, &one, &said));
            /* Twelve lamps need three partitions: with fewer that are on no structure is inside, and that is
             * said. */
            struct cor_error refused = COR_NO_ERROR;
            uint32_t lit = 0;
            for (uint32_t i = 0; i < 12; i++)
                lit += one->configuration->initial_state[i] == 0;
            const enum cor_status status = cor_suite_generate(inside, 0, s, &other, &refused);
            assert_int_equal(status, is_text && lit < 3 ? COR_STATUS_UNSATISFIABLE : COR_OK);
            if (status != COR_OK) {
                refusals++;
                cor_suite_destroy(one);
                continue;
            }
            const bool is_inside = begins_inside(one->configuration, is_text);
            REQUIRE(cor_suite_start(one, &seen, &said));
            assert_true((seen == COR_INSIDE_INSIDE) == is_inside);
            assert_true(begins_inside(other->configuration, is_text));
            assert_true(!is_inside || cor_configuration_hash(one->configuration) ==
                                          cor_configuration_hash(other->configuration));
            begin_inside += is_inside;
            cor_suite_destroy(one);
            cor_suite_destroy(other);
        }
        assert_true(begin_inside > 10 && begin_inside < SUITES - 10);
        assert_true(is_text ? refusals > 0 : refusals == 0);
        cor_experiment_destroy(drawn);
        cor_experiment_destroy(inside);
        remove(path);
        strcpy(path, kept);
        free(kept);
    }
}

/* Lists are the initial structure of every suite, and all else of it is drawn as it was. */
static void suites_begin_with_the_lists_that_are_given(void **state) {
    (void)state;
    static const uint32_t partition[12] = {1, 0, 0, 2, 3, 3, 1, 1, 3, 0, 2, 1};
    static const char invariant[] = ", \"invariant\": {\"threshold\": 0.5}";
    struct cor_experiment *drawn = starting("\"drawn\"", invariant, ""), *given;
    char *kept = strdup(path);
    strcpy(path + strlen(path) - 6, "g.json");
    given = starting("[[1, 2, 9], [0, 6, 7, 11], [3, 10], [4, 5, 8]]", invariant, "");
    for (uint32_t s = 0; s < SUITES; s++) {
        struct cor_suite *one, *other;
        REQUIRE(cor_suite_generate(drawn, 0, s, &one, &said));
        REQUIRE(cor_suite_generate(given, 0, s, &other, &said));
        struct cor_configuration *c = one->configuration;
        assert_memory_equal(other->configuration->initial_partition, partition, sizeof partition);
        assert_int_equal(other->configuration->initial_partitions, 4);
        memcpy(c->initial_partition, partition, sizeof partition);
        c->initial_partitions = 4;
        assert_true(cor_configuration_hash(c) == cor_configuration_hash(other->configuration));
        cor_suite_destroy(one);
        cor_suite_destroy(other);
    }
    cor_experiment_destroy(drawn);
    cor_experiment_destroy(given);
    remove(path);
    strcpy(path, kept);
    free(kept);
}

static int make_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/e.json", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    remove(path);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_agents_are_of_a_type_as_is_said),
        cmocka_unit_test(numbers_of_all_types_add_up),
        cmocka_unit_test(groups_are_as_large_as_is_said),
        cmocka_unit_test(an_environment_is_the_same_for_whom_is_said),
        cmocka_unit_test(agents_start_by_the_law_of_their_first_state),
        cmocka_unit_test(what_matters_may_depend_on_several_environments),
        cmocka_unit_test(what_is_of_all_reaches_everybody),
        cmocka_unit_test(mills_keep_to_the_law_of_their_chains),
        cmocka_unit_test(groups_have_the_chains_of_their_types),
        cmocka_unit_test(suites_begin_inside_where_that_is_asked_for),
        cmocka_unit_test(suites_begin_with_the_lists_that_are_given),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
