/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Paths, floods and frontiers on drawn graphs against the Floyd-Warshall algorithm on a matrix of weights,
 * before and after changes; limits and messages by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/navigator.h>
#include <corridor/rng.h>

#include <stdio.h>

enum { NODES = 20 };
#define FAR (UINT64_MAX / 4)

struct matrix {
    uint32_t count, weight[NODES][NODES]; /* 0: no edge */
    bool known[NODES];
    uint64_t distance[NODES][NODES];
};

static void measure_distances(struct matrix *matrix) {
    const uint32_t count = matrix->count;
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < count; b++)
            matrix->distance[a][b] = a == b ? 0 : matrix->weight[a][b] ? matrix->weight[a][b] : FAR;
    for (uint32_t by = 0; by < count; by++)
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = 0; b < count; b++)
                if (matrix->distance[a][by] + matrix->distance[by][b] < matrix->distance[a][b])
                    matrix->distance[a][b] = matrix->distance[a][by] + matrix->distance[by][b];
}

/* The path has the length of the matrix, by edges that there are, and from its end each node is reached from
 * the least number that will do. */
static void assert_path(const struct matrix *matrix, const struct cor_path *path, uint32_t from,
                        uint32_t to) {
    assert_int_equal(path->numbers[0], from);
    assert_int_equal(path->numbers[path->count - 1], to);
    assert_int_equal(path->length, matrix->distance[from][to]);
    for (uint32_t i = path->count; i-- > 1;) {
        const uint32_t node = path->numbers[i];
        uint32_t before = 0;
        while (before == node || matrix->weight[before][node] == 0 ||
               matrix->distance[from][before] + matrix->weight[before][node] != matrix->distance[from][node])
            before++;
        assert_int_equal(path->numbers[i - 1], before);
    }
}

static void assert_searches(struct cor_navigator *navigator, const struct cor_graph *graph,
                            const struct matrix *matrix, uint32_t from, struct cor_path *path) {
    uint32_t nearest = COR_GRAPH_NO_NODE;
    assert_int_equal(cor_graph_flood(navigator, graph, from, NULL), COR_OK);
    for (uint32_t node = 0; node < matrix->count; node++) {
        const uint64_t distance = matrix->distance[from][node];
        assert_int_equal(cor_graph_distance(navigator, node),
                         distance == FAR ? COR_GRAPH_UNREACHED : distance);
        if (!matrix->known[node] && distance < FAR &&
            (nearest == COR_GRAPH_NO_NODE || distance < matrix->distance[from][nearest]))
            nearest = node;
    }
    for (uint32_t node = 0; node < matrix->count; node++) {
        assert_int_equal(cor_graph_path(navigator, graph, from, node, path, NULL), COR_OK);
        assert_int_equal(path->found, matrix->distance[from][node] < FAR);
        assert_true(path->found ? path->revision == graph->revision : path->count == 0);
        if (path->found)
            assert_path(matrix, path, from, node);
    }
    assert_int_equal(cor_graph_frontier(navigator, graph, from, path, NULL), COR_OK);
    assert_int_equal(path->found, nearest != COR_GRAPH_NO_NODE);
    if (path->found)
        assert_path(matrix, path, from, nearest);
}

static void change(struct cor_rng *rng, struct matrix *matrix, struct cor_graph *graph, uint32_t most) {
    const uint32_t from = cor_rng_below(rng, matrix->count), to = cor_rng_below(rng, matrix->count);
    const uint32_t weight = cor_rng_below(rng, most + 1), node = cor_rng_below(rng, matrix->count);
    const uint32_t before = matrix->weight[from][to];
    const uint64_t revision = graph->revision;
    assert_int_equal(cor_graph_set(graph, from, to, weight, NULL), COR_OK);
    assert_int_equal(cor_graph_weight(graph, from, to), weight);
    assert_int_equal(graph->revision - revision, before != weight);
    assert_int_equal(graph->shut == graph->revision && graph->revision > revision,
                     before > 0 && (weight == 0 || weight > before));
    matrix->weight[from][to] = weight;
    matrix->known[node] = cor_rng_below(rng, 4) > 0;
    cor_graph_set_known(graph, node, matrix->known[node]);
}

static void searches_equal_floyd_and_warshall_also_after_changes(void **unused) {
    (void)unused;
    struct cor_navigator *navigator = cor_navigator_create();
    assert_non_null(navigator);
    struct cor_path path;
    cor_path_init(&path);
    for (uint32_t number = 0; number < 300; number++) {
        struct cor_rng rng = cor_rng_named(
            &(struct cor_stream_name){.seed = 33, .suite = number, .purpose = COR_PURPOSE_TEST});
        struct matrix matrix = {.count = 1 + cor_rng_below(&rng, NODES)};
        struct cor_graph *graph = cor_graph_create();
        assert_non_null(graph);
        assert_int_equal(cor_graph_grow(graph, matrix.count, NULL), COR_OK);
        /* Few weights make ties, great ones sums beyond 32 bits. */
        const uint32_t most = number % 3 == 0 ? 1 : number % 3 == 1 ? 4 : UINT32_MAX - 1;
        for (int round = 0; round < 3; round++) {
            for (uint32_t i = 0; i < 2 * matrix.count; i++)
                change(&rng, &matrix, graph, most);
            measure_distances(&matrix);
            const uint32_t from = cor_rng_below(&rng, matrix.count);
            assert_searches(navigator, graph, &matrix, from, &path);
        }
        cor_graph_destroy(graph);
    }
    cor_path_fini(&path);
    cor_navigator_destroy(navigator);
}

/* A world gives the edges of a node when one is there. */
static void exploration_of_a_graph_ends(void **unused) {
    (void)unused;
    static const uint32_t edges[][3] = {{0, 1, 5}, {0, 2, 2}, {2, 1, 2}, {1, 3, 1}, {3, 0, 1}, {4, 0, 1}};
    static const uint32_t expected[] = {0, 2, 1, 3};
    struct cor_graph *graph = cor_graph_create();
    struct cor_navigator *navigator = cor_navigator_create();
    assert_true(graph && navigator);
    struct cor_path path;
    cor_path_init(&path);
    assert_int_equal(cor_graph_grow(graph, 5, NULL), COR_OK);
    uint32_t at = 0, visits = 0;
    for (;; visits++) {
        assert_int_equal(cor_graph_frontier(navigator, graph, at, &path, NULL), COR_OK);
        if (!path.found)
            break;
        at = path.numbers[path.count - 1];
        assert_true(visits < 4);
        assert_int_equal(at, expected[visits]);
        cor_graph_set_known(graph, at, true);
        for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
            if (edges[i][0] == at)
                assert_int_equal(cor_graph_set(graph, at, edges[i][1], edges[i][2], NULL), COR_OK);
    }
    assert_int_equal(visits, 4); /* nobody can get to node 4 */
    assert_int_equal(cor_graph_path(navigator, graph, 0, 3, &path, NULL), COR_OK);
    assert_int_equal(path.length, 5);
    assert_int_equal(path.revision, graph->revision);
    assert_int_equal(cor_graph_set(graph, 0, 2, 0, NULL), COR_OK);
    assert_true(graph->shut > path.revision);
    assert_int_equal(cor_graph_path(navigator, graph, 0, 3, &path, NULL), COR_OK);
    assert_int_equal(path.length, 6);
    cor_path_fini(&path);
    cor_navigator_destroy(navigator);
    cor_graph_destroy(graph);
}

static void what_there_is_not_is_refused(void **unused) {
    (void)unused;
    struct cor_graph *graph = cor_graph_create();
    assert_non_null(graph);
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_graph_grow(graph, COR_GRAPH_NODES_MAX + 1, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "a graph of 16777217 nodes: 16777216 are the most");
    assert_int_equal(cor_graph_grow(graph, 2, NULL), COR_OK);
    assert_int_equal(cor_graph_grow(graph, 1, NULL), COR_OK);
    assert_int_equal(graph->node_count, 2);
    static const uint32_t wrong[][2] = {{2, 0}, {0, 2}};
    for (int i = 0; i < 2; i++) {
        char cause[80];
        snprintf(cause, sizeof cause, "an edge from node %u to node %u of a graph of 2 nodes", wrong[i][0],
                 wrong[i][1]);
        error = COR_NO_ERROR;
        assert_int_equal(cor_graph_set(graph, wrong[i][0], wrong[i][1], 1, &error), COR_STATUS_INPUT);
        assert_string_equal(error.cause, cause);
        assert_string_equal(error.remedy, "nodes are numbered from 0");
    }
    assert_int_equal(graph->edge_count, 0);
    for (uint32_t weight = 9; weight-- > 0;) /* what was taken away is used again */
        for (uint32_t node = 0; node < 2; node++)
            assert_int_equal(cor_graph_set(graph, node, 1 - node, weight % 2, NULL), COR_OK);
    assert_int_equal(graph->edge_count, 2);
    cor_graph_destroy(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_equal_floyd_and_warshall_also_after_changes),
        cmocka_unit_test(exploration_of_a_graph_ends),
        cmocka_unit_test(what_there_is_not_is_refused),
    };
    return cmocka_run_group_tests_name("navigation_graph", tests, NULL, NULL);
}
