/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation made to fail in turn while a run is observed; and that run after run takes no more memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "failing_allocations.h"

#include <corridor/observed.h>

static const char text[] = "structure observed\n"
                           "attribute role: words follower, leader\n"
                           "attribute n: integer\n"
                           "attribute peers: agents\n"
                           "parameter most: integer\n"
                           "channel applied\n"
                           "channel decided\n"
                           "invariant leads: all(a in agents where a.role == 'leader':\n"
                           "  all(b in agents where b.role == 'leader': count(b.peers) > 0 or b == a))\n"
                           "invariant few: count(a in agents where a.n@before > a.n) <= most\n"
                           "invariant agreed: agree(applied)\n"
                           "temporal back: always (stable implies eventually[0, 3] historically[0, 2] inside)\n";

/* Events of a run; each tells something new. */
static enum cor_status observe(struct cor_observed *observed, uint32_t events, struct cor_error *error) {
    uint32_t violated;
    COR_TRY(cor_observed_restart(observed, error));
    for (uint32_t e = 0; e < events; e++) {
        const uint32_t agent = e % 4;
        cor_observed_show(observed, agent, 5, cor_integer(e % 7));
        cor_observed_show(observed, agent, 6, cor_integer(e % 16));
        COR_TRY(cor_observed_tell(observed, agent, e % 2, e / 4, e % 50 == 49 ? 1 : 2, error));
        COR_TRY(cor_observed_event(observed, &violated, error));
        if (e % 10 == 9)
            COR_TRY(cor_observed_case(observed, e % 3 == 0, &violated, error));
    }
    return COR_OK;
}

static enum cor_status whole_run(struct cor_error *error) {
    struct cor_corridor *corridor = NULL;
    struct cor_observed *observed = NULL;
    const struct cor_value most = cor_integer(1);
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_corridor_parse(text, "text", &corridor, error));
    COR_TRY_OUT(cor_observed_create(corridor, 4, &most, &observed, error));
    COR_TRY_OUT(observe(observed, 1000, error));
out:
    cor_observed_destroy(observed);
    cor_corridor_destroy(corridor);
    return status;
}

static void allocations_fail_in_turn(void **unused) {
    (void)unused;
    cor_allocations_begin(0, false);
    struct cor_error said = COR_NO_ERROR;
    if (whole_run(&said) != COR_OK)
        fail_msg("%s: %s", said.place, said.cause);
    const long count = cor_allocations_end();
    assert_in_range(count, 80, 2000);
    const int64_t held = cor_allocations_held();
    for (long fails_at = 1; fails_at <= count; fails_at++) {
        struct cor_error error = COR_NO_ERROR;
        cor_allocations_begin(fails_at, false);
        const enum cor_status status = whole_run(&error);
        cor_allocations_end();
        assert_int_equal(status, COR_STATUS_MEMORY);
        assert_int_equal(error.status, COR_STATUS_MEMORY);
        assert_int_equal(cor_allocations_held(), held);
    }
}

static void runs_take_no_more(void **unused) {
    (void)unused;
    struct cor_corridor *corridor;
    struct cor_observed *observed;
    const struct cor_value most = cor_integer(1);
    assert_int_equal(cor_corridor_parse(text, "text", &corridor, NULL), COR_OK);
    assert_int_equal(cor_observed_create(corridor, 4, &most, &observed, NULL), COR_OK);
    for (int run = 0; run < 2; run++) /* formulas learn in the first */
        assert_int_equal(observe(observed, 2000, NULL), COR_OK);
    cor_allocations_begin(0, false);
    for (int run = 0; run < 200; run++)
        assert_int_equal(observe(observed, 2000, NULL), COR_OK);
    assert_int_equal(cor_allocations_end(), 0);
    cor_observed_destroy(observed);
    cor_corridor_destroy(corridor);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_fail_in_turn),
        cmocka_unit_test(runs_take_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
