/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation of a cluster fails in turn: it is said, nothing is lost, and a reset makes all good. */
#include "failing_allocations.h"
#include "internal.h"
#include "tests/toy.h"

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

static struct cor_process_program toy = {.description = TOY};
static struct cor_error error;

static enum cor_status live(struct cor_cluster *cluster, uint64_t *digest) {
    COR_TRY(cor_cluster_reset(cluster, &(struct cor_stream_name){.seed = 9}, &error));
    for (uint32_t e = 0; e < 120; e++) {
        static const uint8_t kinds[] = {COR_PROCESS_EVENT_TIME_OUT, COR_PROCESS_EVENT_INPUT,
                                        COR_PROCESS_EVENT_DISK,     COR_PROCESS_EVENT_DELIVER,
                                        COR_PROCESS_EVENT_CRASH,    COR_PROCESS_EVENT_RESTART};
        struct cor_process_event event = {.kind = kinds[e % (e < 60 ? 4 : 6)],
                                          .process = (uint8_t)(e % 7 % 3),
                                          .peer = (uint8_t)(e % 5 % 3),
                                          .what = (uint8_t)(e % 2)};
        bool happened;
        COR_TRY(cor_cluster_happen(cluster, &event, &happened, &error));
    }
    *digest = cor_cluster_digest(cluster);
    return COR_OK;
}

static void each_fails(void **state) {
    (void)state;
    struct cor_cluster_definition definition = {.program = &toy, .process_count = 3, .memory_bytes = 1 << 20};
    uint64_t digest = 0, again = 0;
    for (long fails_at = 0, count = 0; fails_at <= count; fails_at++) {
        struct cor_cluster *cluster;
        error = COR_NO_ERROR;
        cor_allocations_mark_held();
        int64_t held = cor_allocations_held();
        cor_allocations_begin(fails_at, false);
        enum cor_status status = cor_cluster_create(&definition, &cluster, &error);
        if (status == COR_OK)
            status = live(cluster, fails_at ? &again : &digest);
        long made = cor_allocations_end();
        if (fails_at == 0)
            count = made;
        assert_int_equal(status, fails_at ? COR_STATUS_MEMORY : COR_OK);
        assert_int_equal(error.status, status);
        if (cluster) {
            assert_int_equal(live(cluster, &again), COR_OK);
            assert_int_equal(again, digest);
        }
        cor_cluster_destroy(cluster);
        assert_int_equal(cor_allocations_held(), held);
        if (fails_at == 0)
            assert_true(count > 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
