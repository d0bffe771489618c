/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation of levels and of the world `rooms` made to fail in turn: an error, no crash, no leak. That
 * a world which runs allocates nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/rooms.h>

#include "failing_allocations.h"
#include "require.h"

#include <stdlib.h>

static const char text[] = "b1,d1\nb2,d1,d2\n"
                           "|w,w,w,w,w,w,w\n"
                           "w,f:a^t,f,f:b^b1,f:d>e^d1,f:b^b2,w\n"
                           "w,w,f:s^s1,w,w,f:d>s^d2,w\n"
                           "w,w,f,f:h^h1,f,f:g^key,w\n"
                           "|w,w,w,w,w,w,w\n"
                           "w,f,f,f,f:g^key2,f:a^u,w\n"
                           "w,w,f,w,w,f,w\n"
                           "w,w,f,f,f,f,w\n";

/* All that levels and worlds allocate, once. Returns the first error. */
static enum cor_status once(struct cor_error *error) {
    struct cor_rooms_level *level = NULL, *changed = NULL;
    struct cor_live_world *world = NULL;
    char *notes = NULL, *model = NULL, *written = NULL;
    enum cor_status status = cor_rooms_level_parse(text, "level", &level, &notes, error);
    if (status == COR_OK)
        status = cor_rooms_level_mutate(level, "link b2-d2 removed", &changed, error);
    if (status == COR_OK)
        status = cor_rooms_level_model(changed, &model, error);
    if (status == COR_OK) {
        written = cor_rooms_level_text(level);
        status = cor_made(written, error);
    }
    if (status == COR_OK) {
        const struct cor_rooms_definition definition = {.level = level, .view = 4, .lag = 2};
        status = cor_rooms_create(&definition, &world, error);
        assert_true((world != NULL) == (status == COR_OK));
    }
    cor_live_world_close(world);
    cor_rooms_level_destroy(level);
    cor_rooms_level_destroy(changed);
    free(notes);
    free(model);
    free(written);
    return status;
}

/* A complaint that names what would be right needs memory, too. */
static enum cor_status complain(struct cor_error *error) {
    struct cor_rooms_level *level = NULL, *changed = NULL;
    enum cor_status status =
        cor_rooms_level_parse("b,e\n|f:a^t,f:b^b,f:d>e^d\n", "level", &level, NULL, error);
    if (status == COR_STATUS_MEMORY)
        return status;
    *error = COR_NO_ERROR;
    status = cor_rooms_level_parse(text, "level", &level, NULL, error);
    if (status == COR_OK)
        status = cor_rooms_level_mutate(level, "link b2-d2 remove", &changed, error);
    cor_rooms_level_destroy(level);
    return status;
}

static void fail_in_turn(enum cor_status (*run)(struct cor_error *error), enum cor_status in_the_end,
                         long least) {
    long at = 0, failed = 0;
    enum cor_status status;
    do {
        struct cor_error error = COR_NO_ERROR;
        const int64_t held = cor_allocations_held();
        cor_allocations_begin(++at, false);
        status = run(&error);
        const bool reached = cor_allocations_end() >= at;
        assert_int_equal(status, reached ? COR_STATUS_MEMORY : in_the_end);
        assert_int_equal(error.status, status);
        assert_int_equal(cor_allocations_held(), held);
        failed += reached;
    } while (status != in_the_end);
    assert_true(failed > least);
}

static void every_failed_allocation_is_told(void **unused) {
    (void)unused;
    fail_in_turn(once, COR_OK, 150);
    fail_in_turn(complain, COR_STATUS_INPUT, 50);
}

static void a_world_that_runs_allocates_nothing(void **unused) {
    (void)unused;
    struct cor_rooms_level *level;
    struct cor_live_world *world;
    struct cor_world_view view;
    enum cor_system_trouble trouble;
    REQUIRE(cor_rooms_level_parse(text, "level", &level, NULL, &said));
    for (uint32_t lag = 0; lag < 3; lag++) {
        const struct cor_rooms_definition definition = {level, lag == 1 ? UINT32_MAX : 4, lag, NULL, 0};
        REQUIRE(cor_rooms_create(&definition, &world, &said));
        const struct cor_domain *directions =
            world->declaration->actions[COR_ACTION_FIRST].parameters->domain;
        cor_allocations_begin(0, false);
        REQUIRE(world->kind->reset(world, &view, &trouble, &said));
        for (uint32_t i = 0; i < 100; i++) {
            const struct cor_world_command command = {COR_ACTION_FIRST,
                                                      {cor_word(directions->words[i * i % 6])}};
            REQUIRE(world->kind->act(world, i % 2, &command, &view, &trouble, &said));
        }
        assert_int_equal(cor_allocations_end(), 0);
        cor_live_world_close(world);
    }
    cor_rooms_level_destroy(level);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failed_allocation_is_told),
                                       cmocka_unit_test(a_world_that_runs_allocates_nothing)};
    return cmocka_run_group_tests_name("rooms_memory", tests, NULL, NULL);
}
