/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Elements that are not there: a world says the same as one that was made without them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "require.h"

#include <corridor/rng.h>
#include <corridor/world.h>

enum { GROUPS = 4, MEMBERS = 9, WORLDS = 400 };

static const struct cor_domain reals = {.type = COR_VALUE_TYPE_REAL, .name = "float"};
static const struct cor_domain integers = {.type = COR_VALUE_TYPE_INTEGER, .name = "int"};
static const struct cor_attribute attributes[] = {{"load", &reals, NULL}, {"rank", &integers, NULL}};
static const struct cor_relation of_groups[] = {{"members", 1}}, of_members[] = {{"group", 0}};
static const struct cor_element_type types[] = {{"group", "groups", attributes, 2, of_groups, NULL, 1, 0},
                                                {"member", "members", attributes, 2, NULL, of_members, 0, 1}};
static const struct cor_shape shape = {.types = types, .type_count = 2};

static const char *const conditions[] = {
    "all(m in members: m.rank < 2)",
    "any(m in members: m.rank = 2)",
    "one(m in members: m.rank = 2)",
    "count(members) > 4",
    "count(groups) < 3",
    "count(m in members where m.load > 1) = 2",
    "all(g in groups: count(g.members) <= 2)",
    "all(g in groups: 1 <= count(g.members) <= 3)",
    "any(g in groups: count(g.members) = 2)",
    "all(g in groups: count(g.members) >= 1)",
    "max(g in groups: mean(m in g.members: m.load)) - min(g in groups: mean(m in g.members: m.load)) <= 0.5",
    "all(g in groups: any(m in g.members: m in members and m.load >= 1))",
    "all(m in members: m.group.rank < 2)",
    "any(m in members: m in m.group.members)",
    "sum(m in members: m.rank) > 6",
    "min(m in members: m.rank) = 0",
};
static const char *const numbers[] = {
    "sum(m in members: m.load)",
    "min(m in members: m.load)",
    "max(m in members: m.load)",
    "mean(m in members: m.load)",
    "max(g in groups: sum(m in g.members: m.load))",
};

struct made {
    double loads[2][MEMBERS];
    int64_t ranks[2][MEMBERS];
    uint32_t group[MEMBERS], start[GROUPS + 1], items[MEMBERS];
    uint8_t absent[2][MEMBERS];
    struct cor_attribute_values columns[2][2];
    struct cor_memberships members;
    const uint32_t *references;
    struct cor_population populations[2];
    struct cor_world world;
};

static void finish(struct made *made, uint32_t groups, uint32_t members) {
    const uint8_t *absent[2] = {NULL, NULL}; /* where all are there, that is said */
    for (int t = 0; t < 2; t++)
        for (uint32_t e = 0; e < (t == 0 ? groups : members); e++)
            absent[t] = made->absent[t][e] ? made->absent[t] : absent[t];
    for (int t = 0; t < 2; t++) {
        made->columns[t][0] = (struct cor_attribute_values){.reals = made->loads[t]};
        made->columns[t][1] = (struct cor_attribute_values){.integers = made->ranks[t]};
    }
    uint32_t count = 0;
    for (uint32_t g = 0; g < groups; g++) {
        made->start[g] = count;
        for (uint32_t m = 0; m < members; m++)
            if (made->group[m] == g)
                made->items[count++] = m;
    }
    made->start[groups] = count;
    made->members = (struct cor_memberships){made->start, made->items};
    made->references = made->group;
    made->populations[0] = (struct cor_population){groups, made->columns[0], &made->members, NULL, absent[0]};
    made->populations[1] =
        (struct cor_population){members, made->columns[1], NULL, &made->references, absent[1]};
    made->world = (struct cor_world){.populations = made->populations};
}

/* A world with elements that are not there, and the same without them. */
static void draw(struct cor_rng *rng, struct made *with, struct made *without) {
    uint32_t counts[2] = {0}, place[2][MEMBERS];
    for (int t = 0; t < 2; t++) {
        const uint32_t rate = 1 + cor_rng_below(rng, 4); /* none at all for some */
        for (uint32_t e = 0; e < (t == 0 ? GROUPS : MEMBERS); e++) {
            with->loads[t][e] = 0.25 * cor_rng_below(rng, 8);
            with->ranks[t][e] = cor_rng_below(rng, 3);
            with->absent[t][e] = rate > 1 && cor_rng_below(rng, rate) == 0;
            place[t][e] = with->absent[t][e] ? COR_NONE : counts[t];
            if (with->absent[t][e])
                continue;
            without->loads[t][counts[t]] = with->loads[t][e];
            without->ranks[t][counts[t]++] = with->ranks[t][e];
        }
    }
    for (uint32_t m = 0; m < MEMBERS; m++) {
        with->group[m] = cor_rng_below(rng, GROUPS);
        if (!with->absent[1][m])
            without->group[place[1][m]] = place[0][with->group[m]];
    }
    finish(with, GROUPS, MEMBERS);
    finish(without, counts[0], counts[1]);
}

static void what_is_not_there_is_as_if_it_never_was(void **unused) {
    (void)unused;
    struct cor_words words;
    cor_words_init(&words);
    const struct cor_scope scope = {.words = &words, .shape = &shape};
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    for (int w = 0; w < WORLDS; w++) {
        static struct made with, without;
        draw(&rng, &with, &without);
        for (size_t c = 0; c < sizeof conditions / sizeof *conditions; c++) {
            struct cor_expression condition;
            struct cor_breaches breaches, others;
            REQUIRE(cor_expression_parse_condition(conditions[c], &scope, NULL, &condition, &said));
            const enum cor_truth truth = cor_expression_ask(&condition, NULL, &with.world, NULL);
            assert_int_equal(truth, cor_expression_ask(&condition, NULL, &without.world, NULL));
            const uint64_t degree = cor_expression_degree_in(&condition, NULL, &with.world);
            assert_true(degree == cor_expression_degree_in(&condition, NULL, &without.world));
            assert_int_equal(degree == 0, truth == COR_TRUTH_TRUE);
            if (truth == COR_TRUTH_FALSE) {
                cor_expression_explain(&condition, NULL, &with.world, &breaches);
                cor_expression_explain(&condition, NULL, &without.world, &others);
                assert_int_equal(breaches.count, others.count);
            }
            cor_expression_fini(&condition);
        }
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
            struct cor_expression number;
            double a = 0, b = 0;
            REQUIRE(cor_expression_parse_value(numbers[n], &scope, &reals, NULL, &number, &said));
            const bool is_known = cor_expression_reckon(&number, NULL, &with.world, &a);
            assert_int_equal(is_known, cor_expression_reckon(&number, NULL, &without.world, &b));
            assert_true(!is_known || a == b);
            cor_expression_fini(&number);
        }
    }
    cor_words_fini(&words);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_not_there_is_as_if_it_never_was)};
    return cmocka_run_group_tests_name("expression_absent", tests, NULL, NULL);
}
