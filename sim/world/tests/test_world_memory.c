/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation of the room made to fail in turn: an error, no crash, no leak, and beliefs as before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "failing_allocations.h"
#include "sample_world.h"

#include <stdio.h>

static struct sample_world world;
static struct sample_view shown;

/* All that this room allocates, once. Returns the first error. */
static enum cor_status once(struct cor_error *error) {
    struct cor_world_vocabulary *vocabulary = NULL;
    struct cor_beliefs *beliefs = NULL;
    const struct cor_world *believed = NULL;
    enum cor_status status = cor_world_vocabulary_create(&world.declaration, &vocabulary, error);
    if (status == COR_OK)
        status = cor_world_vocabulary_mention(vocabulary, "item-0", ITEM, error);
    if (status == COR_OK)
        status = cor_world_vocabulary_alias(vocabulary, "i", "item-0", error);
    if (status == COR_OK)
        status = cor_beliefs_create(vocabulary, &beliefs, error);
    for (uint64_t cycle = 1; status == COR_OK && cycle <= 3; cycle++) {
        believed = cor_beliefs_world(beliefs);
        status = cor_beliefs_merge(beliefs, &shown.view, error);
        if (status != COR_OK) {
            assert_int_equal(cor_beliefs_cycle(beliefs), cycle - 1);
            assert_int_equal(believed->populations[ITEM].count, cycle == 1 ? 1 : 12);
            assert_int_equal(believed->populations[ITEM].absent ? believed->populations[ITEM].absent[0] : 0,
                             cycle == 1);
        }
    }
    if (status == COR_OK) {
        const struct cor_memberships *items = &believed->populations[LIST].collections[0];
        assert_int_equal(items->start[1] - items->start[0], 12);
    }
    cor_beliefs_destroy(beliefs);
    cor_world_vocabulary_destroy(vocabulary);
    return status;
}

static void every_failed_allocation_is_told(void **unused) {
    (void)unused;
    sample_world_init(&world);
    sample_view_begin(&shown, 0, COR_VIEW_SIGHT);
    for (int i = 0; i < 12; i++) {
        char name[16];
        snprintf(name, sizeof name, "item-%d", i);
        sample_show(&shown, sample_word(&world, name), ITEM, sample_word(&world, "list"));
        sample_value(&shown, ITEM_RANK, cor_integer(i));
    }
    long at = 0, failed = 0;
    enum cor_status status;
    do {
        struct cor_error error = COR_NO_ERROR;
        const int64_t held = cor_allocations_held();
        cor_allocations_begin(++at, false);
        status = once(&error);
        const bool reached = cor_allocations_end() >= at;
        assert_int_equal(status, reached ? COR_STATUS_MEMORY : COR_OK);
        assert_int_equal(error.status, status);
        assert_int_equal(cor_allocations_held(), held);
        failed += reached;
    } while (status != COR_OK);
    assert_true(failed > 150);
    sample_world_fini(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failed_allocation_is_told)};
    return cmocka_run_group_tests_name("world_memory", tests, NULL, NULL);
}
