/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where rounding decides: a sum or a mean of members beside a number, at all distances around what rounding
 * may have come to, which is reckoned here number by number, from the first to the last. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "require.h"

#include <corridor/rng.h>
#include <corridor/world.h>

enum { MEMBERS = 60, WORLDS = 20000 };

static const struct cor_domain reals = {.type = COR_VALUE_TYPE_REAL, .name = "float"};
static const struct cor_attribute attributes[] = {{"load", &reals, NULL}};
static const struct cor_relation of_groups[] = {{"members", 1}}, of_members[] = {{"group", 0}};
static const struct cor_element_type types[] = {{"group", "groups", attributes, 1, of_groups, NULL, 1, 0},
                                                {"member", "members", attributes, 1, NULL, of_members, 0, 1}};
static const struct cor_shape shape = {.types = types, .type_count = 2};

static void a_comparison_is_close_by_what_rounding_may_have_come_to(void **unused) {
    (void)unused;
    static const char *const conditions[] = {"all(g in groups: sum(m in g.members: m.load) <= g.load)",
                                             "all(g in groups: mean(m in g.members: m.load) <= g.load)"};
    static const double distances[] = {0, 0.3, 0.9, 0.99, 1.01, 1.1, 3, 30, 1e3, 1e6};
    struct cor_words words;
    cor_words_init(&words);
    const struct cor_scope scope = {.words = &words, .shape = &shape};
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    uint32_t close_count = 0, apart_count = 0;
    for (int w = 0; w < WORLDS; w++) {
        const bool is_mean = w % 2 == 1;
        double loads[MEMBERS], load, off = 0, sum = 0;
        uint32_t items[MEMBERS], count = 1 + cor_rng_below(&rng, MEMBERS);
        const bool does_cancel = cor_rng_below(&rng, 2) == 0;
        const uint32_t start[] = {0, count};
        const double scale = ldexp(1, (int)cor_rng_below(&rng, 60) - 20);
        for (uint32_t m = 0; m < count; m++) {
            items[m] = m;
            loads[m] = m % 2 == 1 && does_cancel
                           ? ldexp(cor_rng_unit(&rng), -20) - loads[m - 1]
                           : scale * (cor_rng_unit(&rng) - (cor_rng_below(&rng, 4) == 0 ? 1 : 0.5));
            sum += loads[m];
            off += 2 * fabs(loads[m]) + fabs(sum);
        }
        const double value = is_mean ? sum / count : sum;
        double lost = DBL_EPSILON / 2 * (is_mean ? off / count + fabs(value) : off);
        const double distance = distances[cor_rng_below(&rng, 10)] * lost;
        load = cor_rng_below(&rng, 2) == 0 ? value + distance : value - distance;
        lost += DBL_EPSILON * fabs(load);
        const double apart = fabs(value - load);
        const bool is_close = apart <= COR_EDGE * fmax(1, fmax(fabs(value), fabs(load))) || apart <= lost;
        struct cor_attribute_values of_group = {.reals = &load}, of_member = {.reals = loads};
        const struct cor_memberships members = {start, items, NULL};
        const struct cor_population populations[] = {{1, &of_group, &members, NULL, NULL},
                                                     {count, &of_member, NULL, NULL, NULL}};
        struct cor_world world = {.populations = populations};
        struct cor_expression condition;
        struct cor_unknown unknown;
        REQUIRE(cor_expression_parse_condition(conditions[is_mean], &scope, NULL, &condition, &said));
        assert_int_equal(cor_expression_ask(&condition, NULL, &world, &unknown),
                         value <= load ? COR_TRUTH_TRUE : COR_TRUTH_FALSE);
        assert_int_equal(unknown.is_close, is_close);
        world.has_edge = true;
        assert_int_equal(cor_expression_ask(&condition, NULL, &world, NULL) == COR_TRUTH_UNKNOWN, is_close);
        cor_expression_fini(&condition);
        close_count += is_close && apart > COR_EDGE * fmax(1, fmax(fabs(value), fabs(load)));
        apart_count += !is_close;
    }
    assert_true(close_count > WORLDS / 100 && apart_count > WORLDS / 20);
    cor_words_fini(&words);
}

/* Nothing, as far as it was reckoned, times what may be anything by the bound that is found in less time, and
 * no number by it: that is no smaller bound. */
static void a_product_with_what_may_be_anything_is_close(void **unused) {
    (void)unused;
    static const struct cor_attribute of_group_named[] = {{"load", &reals, NULL}, {"other", &reals, NULL}},
                                      of_member_named[] = {{"load", &reals, NULL}, {"weight", &reals, NULL}};
    static const struct cor_element_type named[] = {
        {"group", "groups", of_group_named, 2, of_groups, NULL, 1, 0},
        {"member", "members", of_member_named, 2, NULL, of_members, 0, 1}};
    static const struct cor_shape of_both = {.types = named, .type_count = 2};
    struct cor_words words;
    cor_words_init(&words);
    const struct cor_scope scope = {.words = &words, .shape = &of_both};
    double loads[MEMBERS], weights[MEMBERS], load = 1e-2, other = -1;
    uint32_t items[MEMBERS];
    const uint32_t start[] = {0, MEMBERS};
    for (uint32_t m = 0; m < MEMBERS; m++) {
        items[m] = m;
        loads[m] = weights[m] = m % 2 == 0 ? 1 : -1;
    }
    weights[MEMBERS - 1] += 1e-13;
    struct cor_attribute_values of_group[] = {{.reals = &load}, {.reals = &other}},
                                of_member[] = {{.reals = loads}, {.reals = weights}};
    const struct cor_memberships members = {start, items, NULL};
    const struct cor_population populations[] = {{1, of_group, &members, NULL, NULL},
                                                 {MEMBERS, of_member, NULL, NULL, NULL}};
    const struct cor_world world = {.populations = populations};
    struct cor_expression condition;
    struct cor_unknown unknown;
    REQUIRE(cor_expression_parse_condition("all(g in groups: max(sum(m in g.members: m.load) * (1.0 / "
                                           "sum(m in g.members: m.weight)), g.other) <= g.load)",
                                           &scope, NULL, &condition, &said));
    assert_int_equal(cor_expression_ask(&condition, NULL, &world, &unknown), COR_TRUTH_TRUE);
    assert_true(unknown.is_close);
    cor_expression_fini(&condition);
    cor_words_fini(&words);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_comparison_is_close_by_what_rounding_may_have_come_to),
        cmocka_unit_test(a_product_with_what_may_be_anything_is_close)};
    return cmocka_run_group_tests_name("expression_edge", tests, NULL, NULL);
}
