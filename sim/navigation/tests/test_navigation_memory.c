/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation of grids, graphs and searches made to fail in turn; none in a search that was made before.
 * There is no crash and no leak (as ASan sees it), and no search for which memory was out says that there is
 * no way or nothing left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "failing_allocations.h"

#include <corridor/navigator.h>

static enum cor_status walk_grid(struct cor_navigator *navigator, const struct cor_grid *grid,
                                 struct cor_path *path, struct cor_error *error) {
    COR_TRY(cor_grid_flood(navigator, grid, 0, error));
    COR_TRY(cor_grid_path(navigator, grid, 0, 799, path, error));
    assert_true(path->found);
    COR_TRY(cor_grid_frontier(navigator, grid, 0, path, error));
    assert_true(path->found);
    return COR_OK;
}

static enum cor_status walk_graph(struct cor_navigator *navigator, const struct cor_graph *graph,
                                  struct cor_path *path, struct cor_error *error) {
    COR_TRY(cor_graph_flood(navigator, graph, 0, error));
    COR_TRY(cor_graph_path(navigator, graph, 0, 99, path, error));
    assert_true(path->found);
    COR_TRY(cor_graph_frontier(navigator, graph, 0, path, error));
    assert_true(path->found);
    return COR_OK;
}

static enum cor_status make_grid(struct cor_grid **grid, struct cor_error *error) {
    COR_TRY(cor_grid_create(20, 20, 2, grid, error));
    for (uint32_t cell = 0; cell < 800; cell++)
        if (cell != 797)
            cor_grid_set(*grid, cell, cell % 21 == 20 ? COR_GRID_BLOCKED : COR_GRID_FREE);
    for (uint32_t i = 0; i < 10; i++)
        COR_TRY(cor_grid_link(*grid, 21 * i, 400 + 21 * i, error));
    return COR_OK;
}

static enum cor_status make_graph(struct cor_graph **graph, struct cor_error *error) {
    *graph = cor_graph_create();
    COR_TRY(cor_made(*graph, error));
    COR_TRY(cor_graph_grow(*graph, 100, error));
    for (uint32_t node = 0; node < 99; node++) {
        cor_graph_set_known(*graph, node, true);
        for (uint32_t i = 1; i < 20 && node + i < 100; i++)
            COR_TRY(cor_graph_set(*graph, node, node + i, 3 * i, error));
    }
    return COR_OK;
}

/* Twice, the second time without an allocation. */
static enum cor_status walk(struct cor_navigator *navigator, struct cor_path *path, long *more,
                            struct cor_error *error) {
    struct cor_grid *grid = NULL;
    struct cor_graph *graph = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(make_grid(&grid, error));
    COR_TRY_OUT(make_graph(&graph, error));
    COR_TRY_OUT(walk_grid(navigator, grid, path, error));
    COR_TRY_OUT(walk_graph(navigator, graph, path, error));
    *more = cor_allocations_end();
    cor_allocations_begin(1, true);
    COR_TRY_OUT(walk_grid(navigator, grid, path, error));
    COR_TRY_OUT(walk_graph(navigator, graph, path, error));
out:
    cor_grid_destroy(grid);
    cor_graph_destroy(graph);
    return status;
}

static enum cor_status all_of_it(long *count, struct cor_error *error) {
    struct cor_path path;
    cor_path_init(&path);
    struct cor_navigator *navigator = cor_navigator_create();
    COR_TRY(cor_made(navigator, error));
    const enum cor_status status = walk(navigator, &path, count, error);
    if (status != COR_OK)
        assert_false(path.found && path.count == 0);
    cor_path_fini(&path);
    cor_navigator_destroy(navigator);
    return status;
}

static void every_allocation_may_fail(void **unused) {
    (void)unused;
    long count = 1;
    for (long fails_at = 0; fails_at <= count; fails_at++) {
        struct cor_error error = COR_NO_ERROR;
        long allocations = 0;
        cor_allocations_begin(fails_at, false);
        const enum cor_status status = all_of_it(&allocations, &error);
        const long behind = cor_allocations_end();
        assert_int_equal(status, fails_at == 0 ? COR_OK : COR_STATUS_MEMORY);
        assert_int_equal(error.status, status);
        if (fails_at == 0) {
            count = allocations;
            assert_int_equal(behind, 0);
        }
    }
    assert_true(count > 30);
}

static void a_graph_that_grows_by_nodes_takes_memory_rarely(void **unused) {
    (void)unused;
    struct cor_graph *graph = cor_graph_create();
    struct cor_navigator *navigator = cor_navigator_create();
    assert_true(graph && navigator);
    cor_allocations_begin(0, false);
    for (uint32_t count = 1; count <= 2000; count++) {
        assert_int_equal(cor_graph_grow(graph, count, NULL), COR_OK);
        if (count > 1)
            assert_int_equal(cor_graph_set(graph, count - 2, count - 1, 1, NULL), COR_OK);
        assert_int_equal(cor_graph_flood(navigator, graph, count / 2, NULL), COR_OK);
    }
    assert_true(cor_allocations_end() < 100);
    assert_int_equal(cor_graph_distance(navigator, 1999), 999);
    cor_navigator_destroy(navigator);
    cor_graph_destroy(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_graph_that_grows_by_nodes_takes_memory_rarely),
    };
    return cmocka_run_group_tests_name("navigation_memory", tests, NULL, NULL);
}
