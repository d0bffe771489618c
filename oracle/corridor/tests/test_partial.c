/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What plain queries keep between two askings: drawn facts of drawn states are known, and no longer, and each
 * answer is that of the same facts asked without anything kept, to the last bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "partial.h"

#include <corridor/array.h>
#include <corridor/rng.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AGENTS = 14, ORGANIZATIONS = 4, STATES = 400, ROUNDS = 40, FACTS = AGENTS * (ORGANIZATIONS + 1) };

static const char text[] =
    "attribute value: real -1 .. 1\n"
    "invariant supply: all(o in organizations: sum(a in o.members: a.value) >= 0.3)\n"
    "invariant spread: max(o in organizations: mean(a in o.members: a.value))\n"
    "  - min(o in organizations: mean(a in o.members: a.value)) <= 0.2\n"
    "invariant level: mean(o in organizations: mean(a in o.members: a.value)) <= 0.05\n";

struct drawn {
    double values[AGENTS];
    uint8_t unknown[AGENTS];
    struct cor_lists lists;
    struct cor_fact facts[FACTS];
    bool is_known[FACTS];
    uint32_t agents, organizations, fact_count;
};

static void draw_state(struct cor_rng *rng, bool is_partitioning, struct drawn *d) {
    struct cor_error error = COR_NO_ERROR;
    uint32_t home[AGENTS];
    d->agents = 1 + cor_rng_below(rng, AGENTS);
    d->organizations = 1 + cor_rng_below(rng, ORGANIZATIONS);
    d->fact_count = 0;
    cor_lists_init(&d->lists);
    for (uint32_t a = 0; a < d->agents; a++) {
        home[a] = cor_rng_below(rng, d->organizations);
        d->values[a] = ((double)cor_rng_below(rng, 401) - 200) / 200;
        d->unknown[a] = cor_rng_below(rng, 12) == 0;
        if (!d->unknown[a])
            d->facts[d->fact_count++] = (struct cor_fact){COR_FACT_ATTRIBUTE, a, COR_NOBODY, 0};
    }
    for (uint32_t o = 0; o < d->organizations; o++) {
        uint32_t members[AGENTS], count = 0;
        for (uint32_t a = 0; a < d->agents; a++) {
            const bool is_more = cor_rng_below(rng, 4) == 0;
            const bool is_member = home[a] == o || (is_more && !is_partitioning);
            if (is_member)
                members[count++] = a;
            d->facts[d->fact_count++] =
                (struct cor_fact){is_member ? COR_FACT_MEMBER : COR_FACT_NO_MEMBER, a, o, 0};
        }
        assert_int_equal(cor_lists_put(&d->lists, members, count, &error), COR_OK);
    }
}

static void assert_same(const struct corridor__bound *one, const struct corridor__bound *other) {
    assert_memory_equal(&one->low, &other->low, sizeof one->low);
    assert_memory_equal(&one->high, &other->high, sizeof one->high);
    assert_int_equal(one->truths, other->truths);
    assert_int_equal(one->may_lack, other->may_lack);
    assert_int_equal(one->must_lack, other->must_lack);
}

static void assert_answers_are_kept_rightly(struct corridor__partial *p) {
    const uint32_t count = p->condition->node_count;
    struct corridor__bound *kept = cor_calloc(count, sizeof *kept);
    assert_non_null(kept);
    const uint8_t truths = corridor__partial_ask(p);
    memcpy(kept, p->bounds, count * sizeof *kept);
    p->kept_count = CORRIDOR__KEPT_MAX; /* and none of the condition: nothing can be kept */
    for (uint32_t k = 0; k < p->kept_count; k++)
        p->kept[k] = (struct corridor__kept){.start = COR_NONE};
    assert_int_equal(corridor__partial_ask(p), truths);
    p->kept_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (i + 1 == count || p->condition->nodes[i].operator== COR_OPERATOR_SUBTRACT)
            assert_same(&kept[i], &p->bounds[i]);
    free(kept);
}

static void turn_over(struct cor_rng *rng, struct corridor__partial *p, struct drawn *d) {
    const uint32_t f = cor_rng_below(rng, d->fact_count);
    d->is_known[f] = !d->is_known[f];
    corridor__partial_set(p, &d->facts[f], d->is_known[f]);
}

/* The numbers and truth values that a condition has of a drawn state, while facts come and go. */
static void follow(struct cor_rng *rng, const struct cor_corridor *corridor, struct drawn *d) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_attribute_values *columns = cor_calloc(corridor->attribute_count, sizeof *columns);
    assert_non_null(columns);
    for (uint32_t q = 0; q < corridor->attribute_count; q++)
        columns[q] = (struct cor_attribute_values){.reals = d->values, .unknown = d->unknown};
    const struct cor_snapshot state = {
        .agent_count = d->agents, .organizations = &d->lists, .columns = columns};
    for (uint32_t f = 0; f < d->fact_count; f++)
        for (uint32_t q = 0; d->facts[f].kind == COR_FACT_ATTRIBUTE && q < corridor->attribute_count; q++)
            if (strcmp(corridor->attributes[q].name, "value") == 0)
                d->facts[f].attribute = q;
    for (uint32_t c = 0; c < corridor->constraint_count; c++) {
        struct corridor__partial p;
        assert_int_equal(corridor__partial_init(&p, corridor, &state, c, &error), COR_OK);
        for (uint32_t f = 0; f < d->fact_count; f++) {
            d->is_known[f] = true;
            corridor__partial_set(&p, &d->facts[f], true);
        }
        p.mode = CORRIDOR__FIND_FOCUS;
        corridor__partial_ask(&p);
        p.mode = CORRIDOR__USE_FOCUS;
        for (int i = 0; i < ROUNDS; i++) {
            for (uint32_t turns = 1 + cor_rng_below(rng, 3); turns > 0; turns--) {
                corridor__partial_ask(&p);
                turn_over(rng, &p, d);
            }
            assert_answers_are_kept_rightly(&p);
        }
        corridor__partial_fini(&p);
    }
    free(columns);
}

static void what_is_kept_is_what_is_asked_anew(void **unused) {
    (void)unused;
    static const char *const kinds[] = {"partitioning", "covering", "overlapping"};
    struct cor_error error = COR_NO_ERROR;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 3, .purpose = COR_PURPOSE_TEST});
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct cor_corridor *corridor;
        char all[sizeof text + 40];
        snprintf(all, sizeof all, "structure %s\n%s", kinds[k], text);
        assert_int_equal(cor_corridor_parse(all, "it", &corridor, &error), COR_OK);
        for (int i = 0; i < STATES; i++) {
            static struct drawn drawn;
            draw_state(&rng, k == 0, &drawn);
            follow(&rng, corridor, &drawn);
            cor_lists_fini(&drawn.lists);
        }
        cor_corridor_destroy(corridor);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_kept_is_what_is_asked_anew)};
    return cmocka_run_group_tests_name("partial", tests, NULL, NULL);
}
