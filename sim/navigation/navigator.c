/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory of searches and of what they find. */
#include "scratch.h"

#include <corridor/array.h>
#include <corridor/graph.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cor_path_init(struct cor_path *path) {
    *path = (struct cor_path){.found = false};
}

void cor_path_fini(struct cor_path *path) {
    free(path->numbers);
    cor_path_init(path);
}

/* Makes a path of so many numbers, which the caller fills in. */
static enum cor_status found(struct cor_path *path, uint32_t count, uint64_t length, uint64_t revision,
                             struct cor_error *error) {
    COR_TRY(COR_RESERVE(&path->numbers, &path->capacity, count, error));
    path->found = true;
    path->count = count;
    path->length = length;
    path->revision = revision;
    return COR_OK;
}

bool cor_path_is_open(const struct cor_path *path, const struct cor_grid *grid, uint32_t next) {
    if (path->found && grid->shut > path->revision)
        for (uint32_t i = next; i < path->count; i++)
            if (cor_grid_known(grid, path->numbers[i]) != COR_GRID_FREE)
                return false;
    return path->found;
}

struct cor_navigator *cor_navigator_create(void) {
    return cor_calloc(1, sizeof(struct cor_navigator));
}

void cor_navigator_destroy(struct cor_navigator *navigator) {
    if (!navigator)
        return;
    for (int i = 0; i < 3; i++)
        free(navigator->stacks[i].cells);
    COR_FREE(navigator->marks, navigator->nodes, navigator->turns, navigator);
}

/* At least `needed` items of no generation, if there are fewer; nothing of the old ones is wanted any more.
 * By half more, since graphs grow node by node; zeroed pages that no search visits cost nothing. */
static enum cor_status make_room(void **items, size_t *count, size_t needed, size_t size,
                                 struct cor_error *error) {
    if (needed <= *count)
        return COR_OK;
    const size_t wanted = *count + *count / 2 > needed ? *count + *count / 2 : needed;
    void *fresh = cor_calloc(wanted, size);
    COR_TRY(cor_made(fresh, error));
    free(*items);
    *items = fresh;
    *count = wanted;
    return COR_OK;
}

/* Begins a search: makes room for marks of so many cells and so many nodes, and a new generation. */
static enum cor_status begin_navigator(struct cor_navigator *navigator, uint32_t cells, uint32_t nodes,
                                       struct cor_error *error) {
    COR_TRY(make_room((void **)&navigator->marks, &navigator->mark_count, cells, sizeof *navigator->marks,
                      error));
    COR_TRY(make_room((void **)&navigator->nodes, &navigator->node_count, nodes, sizeof *navigator->nodes,
                      error));
    if (++navigator->generation == 0) { /* after 2^32 searches */
        if (navigator->marks)
            memset(navigator->marks, 0, navigator->mark_count * sizeof *navigator->marks);
        if (navigator->nodes)
            memset(navigator->nodes, 0, navigator->node_count * sizeof *navigator->nodes);
        navigator->generation = 1;
    }
    for (int i = 0; i < 3; i++)
        navigator->stacks[i].count = 0;
    navigator->turn_count = 0;
    return COR_OK;
}

/* ---- a grid: what is known of each cell, and links */

enum cor_status cor_grid_create(uint32_t columns, uint32_t rows, uint32_t floors, struct cor_grid **grid,
                                struct cor_error *error) {
    if (columns - 1 >= COR_GRID_COLUMNS_MAX || rows - 1 >= COR_GRID_ROWS_MAX ||
        floors - 1 >= COR_GRID_FLOORS_MAX) {
        char remedy[100];
        snprintf(remedy, sizeof remedy, "1 to %d columns, 1 to %d rows and 1 to %d floors",
                 COR_GRID_COLUMNS_MAX, COR_GRID_ROWS_MAX, COR_GRID_FLOORS_MAX);
        return cor_fail(error, COR_STATUS_INPUT, NULL, remedy,
                        "a grid of %u columns, %u rows and %u floors is beyond the limits", columns, rows,
                        floors);
    }
    struct cor_grid *new_grid = cor_calloc(1, sizeof *new_grid);
    COR_TRY(cor_made(new_grid, error));
    *new_grid = (struct cor_grid){columns, rows, floors, .cell_count = columns * rows * floors};
    new_grid->cells = cor_calloc(new_grid->cell_count, sizeof *new_grid->cells);
    if (!new_grid->cells) {
        cor_grid_destroy(new_grid);
        return cor_fail_memory(error);
    }
    /* Neighbours beyond the edge are known not to be there. */
    for (uint32_t cell = 0, floor = 0; floor < new_grid->floors; floor++)
        for (uint32_t row = 0; row < new_grid->rows; row++, cell += new_grid->columns) {
            const unsigned above = row == 0, below = row + 1 == new_grid->rows;
            const uint32_t last = cell + new_grid->columns - 1;
            /* Of rows within, only the two ends: pages of large grids stay untouched as far as may be. */
            const uint32_t step = above || below || last == cell ? 1 : last - cell;
            for (uint32_t c = cell; c <= last; c += step) {
                const unsigned outside =
                    above | (unsigned)(c == cell) << 1 | (unsigned)(c == last) << 2 | below << 3;
                new_grid->cells[c] = (struct cor_grid_cell){(uint8_t)(outside << 4), (uint8_t)(outside << 4)};
            }
        }
    *grid = new_grid;
    return COR_OK;
}

void cor_grid_destroy(struct cor_grid *grid) {
    if (!grid)
        return;
    COR_FREE(grid->cells, grid->links, grid);
}

bool cor_grid_set(struct cor_grid *grid, uint32_t cell, enum cor_grid_known ground) {
    const enum cor_grid_known before = cor_grid_known(grid, cell);
    if (before == ground)
        return false;
    struct cor_grid_cell *own = &grid->cells[cell];
    own->self = (uint8_t)((own->self & ~3u) | ground);
    const int32_t columns = (int32_t)grid->columns, steps[] = {-columns, -1, 1, columns};
    const unsigned seen = (unsigned)(ground == COR_GRID_FREE) | (unsigned)(ground != COR_GRID_UNKNOWN) << 4;
    for (unsigned d = 0; d < 4; d++)
        if (!(own->self & 16u << d)) { /* a neighbour sees this cell in the opposite direction, 3 - d */
            uint8_t *around = &own[steps[d]].around;
            *around = (uint8_t)((*around & ~(17u << (3 - d))) | seen << (3 - d));
        }
    grid->revision++;
    if (before == COR_GRID_FREE)
        grid->shut = grid->revision;
    return true;
}

/* Where a link stands or would stand. */
static uint32_t find_link(const struct cor_grid *grid, uint32_t cell, uint32_t other) {
    uint32_t low = 0, high = grid->link_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        const struct cor_grid_link *link = &grid->links[middle];
        if (link->cell < cell || (link->cell == cell && link->other < other))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t cor_grid_first_link(const struct cor_grid *grid, uint32_t cell) {
    return find_link(grid, cell, 0);
}

static void insert_link(struct cor_grid *grid, uint32_t cell, uint32_t other) {
    const uint32_t at = find_link(grid, cell, other);
    memmove(grid->links + at + 1, grid->links + at, (grid->link_count - at) * sizeof *grid->links);
    grid->links[at] = (struct cor_grid_link){cell, other};
    grid->link_count++;
    grid->cells[cell].self |= COR_GRID_LINKED;
}

enum cor_status cor_grid_link(struct cor_grid *grid, uint32_t cell, uint32_t other, struct cor_error *error) {
    const struct cor_grid_place a = cor_grid_place(grid, cell), b = cor_grid_place(grid, other);
    if (cell == other)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "link two cells",
                        "cell [%u, %u, %u] is linked to itself", a.column, a.row, a.floor);
    const uint32_t at = find_link(grid, cell, other);
    if (at < grid->link_count && grid->links[at].cell == cell && grid->links[at].other == other)
        return COR_OK;
    if (grid->link_count == 2 * COR_GRID_LINKS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "more than %d links", COR_GRID_LINKS_MAX);
    COR_TRY(COR_RESERVE(&grid->links, &grid->link_capacity, (size_t)grid->link_count + 2, error));
    insert_link(grid, cell, other);
    insert_link(grid, other, cell);
    if (navigation__apart(a.column, b.column) + navigation__apart(a.row, b.row) > 1)
        grid->far_count += 2;
    grid->revision++;
    return COR_OK;
}

bool cor_grid_touches_unknown(const struct cor_grid *grid, uint32_t cell) {
    COR_ASSERT(cell < grid->cell_count);
    if (grid->cells[cell].around >> 4 != 15)
        return true;
    if (grid->cells[cell].self & COR_GRID_LINKED)
        for (uint32_t i = cor_grid_first_link(grid, cell);
             i < grid->link_count && grid->links[i].cell == cell; i++)
            if (cor_grid_known(grid, grid->links[i].other) == COR_GRID_UNKNOWN)
                return true;
    return false;
}

/* ---- one search over free cells. The promise of a cell is its distance and, where one cell is aimed at, the
 * least that can be left from there. A move adds 0, 1 or 2 to the promise, so three stacks in a ring are the
 * whole queue. Without an aim the promise is the distance, and the search is breadth first */

/* What a search looks for, and how it goes there. Known where `search` is used, which thus becomes one
 * function for each. */
enum errand { AIMED, UNAIMED, FRONTIER, FLOOD };

struct search {
    const struct cor_grid *grid;
    struct cor_navigator *navigator;
    struct cor_grid_place aim;
    uint32_t promise;       /* of the present stack, */
    unsigned present;       /* which is this one */
    enum cor_status status; /* of memory */
    struct cor_error *error;
};

/* The least that can be left: no link leads more than one column or row aside, else nothing is aimed at. */
static inline uint32_t left_from(const struct search *search, uint32_t column, uint32_t row,
                                 enum errand errand) {
    return errand == AIMED
               ? navigation__apart(column, search->aim.column) + navigation__apart(row, search->aim.row)
               : 0;
}

/* A cell is found at a distance; it may have been found nearer before, or further away, by a detour, in which
 * case what waits of it in another stack counts no more. */
static inline void reach(struct search *search, uint32_t cell, uint32_t column, uint32_t row,
                         uint32_t distance, enum errand errand) {
    struct cor_navigator *navigator = search->navigator;
    struct navigation__mark *mark = &navigator->marks[cell];
    if (mark->generation == navigator->generation && mark->distance <= distance)
        return;
    *mark = (struct navigation__mark){navigator->generation, distance};
    unsigned at = search->present + distance + left_from(search, column, row, errand) - search->promise;
    at -= at >= 3 ? 3 : 0;
    struct navigation__stack *stack = &navigator->stacks[at];
    if (stack->count == stack->capacity) {
        const enum cor_status status =
            COR_RESERVE(&stack->cells, &stack->capacity, stack->count + 1, search->error);
        if (status != COR_OK) {
            search->status = status;
            return;
        }
    }
    stack->cells[stack->count++] = (struct navigation__cell){cell, (uint16_t)column, (uint16_t)row};
}

static inline void reach_links(struct search *search, uint32_t cell, uint32_t distance, enum errand errand) {
    const struct cor_grid *grid = search->grid;
    const uint32_t first = cor_grid_first_link(grid, cell);
    uint32_t end = first;
    while (end < grid->link_count && grid->links[end].cell == cell)
        end++;
    while (end-- > first) {
        const uint32_t other = grid->links[end].other;
        if (cor_grid_known(grid, other) == COR_GRID_FREE) {
            const struct cor_grid_place place = cor_grid_place(grid, other);
            reach(search, other, place.column, place.row, distance, errand);
        }
    }
}

/* What is put on a stack last is taken first: so links, then directions from the greatest number down. */
static inline void reach_neighbours(struct search *search, struct navigation__cell at, uint32_t distance,
                                    enum errand errand) {
    const struct cor_grid_cell around = search->grid->cells[at.cell];
    const uint32_t columns = search->grid->columns;
    if (around.self & COR_GRID_LINKED)
        reach_links(search, at.cell, distance, errand);
    if (around.around & 8)
        reach(search, at.cell + columns, at.column, at.row + 1u, distance, errand);
    if (around.around & 4)
        reach(search, at.cell + 1, at.column + 1u, at.row, distance, errand);
    if (around.around & 2)
        reach(search, at.cell - 1, at.column - 1u, at.row, distance, errand);
    if (around.around & 1)
        reach(search, at.cell - columns, at.column, at.row - 1u, distance, errand);
}

/* Marks cells until the errand is done. The cell that was looked for, or COR_GRID_NO_CELL. */
static inline __attribute__((always_inline)) uint32_t search_cells(struct search *search, uint32_t from,
                                                                   uint32_t to, enum errand errand) {
    struct cor_navigator *navigator = search->navigator;
    const struct cor_grid_place place = cor_grid_place(search->grid, from);
    uint32_t best = COR_GRID_NO_CELL;
    search->promise = left_from(search, place.column, place.row, errand);
    reach(search, from, place.column, place.row, 0, errand);
    for (unsigned empty = 0; empty < 3 && search->status == COR_OK;) {
        struct navigation__stack *stack = &navigator->stacks[search->present];
        if (stack->count == 0) {
            if (best != COR_GRID_NO_CELL)
                break;
            search->present = search->present == 2 ? 0 : search->present + 1;
            search->promise++;
            empty++;
            continue;
        }
        empty = 0;
        const struct navigation__cell at = stack->cells[--stack->count];
        const uint32_t distance = navigator->marks[at.cell].distance;
        if (errand == AIMED && distance + left_from(search, at.column, at.row, errand) != search->promise)
            continue; /* found nearer since */
        if ((errand == AIMED || errand == UNAIMED) && at.cell == to)
            return to;
        if (errand == FRONTIER) { /* all at this distance are in the stack by now: the least of them counts */
            if (at.cell < best && cor_grid_touches_unknown(search->grid, at.cell))
                best = at.cell;
            if (best != COR_GRID_NO_CELL)
                continue;
        }
        reach_neighbours(search, at, distance + 1, errand);
    }
    return best;
}

/* The cell with the least number from which `cell` is reached by one move, its distance being `distance`. Any
 * that was found that near will do: what waits, too, was reached at the distance that its mark says. */
static uint32_t cell_before(const struct cor_navigator *navigator, const struct cor_grid *grid, uint32_t cell,
                            uint32_t distance) {
    const uint32_t columns = grid->columns;
    const uint32_t near[] = {cell - columns, cell - 1, cell + 1, cell + columns};
    uint32_t best = COR_GRID_NO_CELL;
    for (unsigned d = 0; d < 4 && best == COR_GRID_NO_CELL; d++)
        if (grid->cells[cell].around & 1u << d && cor_grid_distance(navigator, near[d]) == distance - 1)
            best = near[d];
    if (grid->cells[cell].self & COR_GRID_LINKED)
        for (uint32_t i = cor_grid_first_link(grid, cell);
             i < grid->link_count && grid->links[i].cell == cell; i++)
            if (grid->links[i].other < best &&
                cor_grid_distance(navigator, grid->links[i].other) == distance - 1)
                best = grid->links[i].other;
    return best;
}

/* The path to a cell that was found. */
static enum cor_status trace(const struct search *search, uint32_t from, uint32_t to, struct cor_path *path) {
    const uint32_t distance = cor_grid_distance(search->navigator, to);
    COR_TRY(found(path, distance + 1, distance, search->grid->revision, search->error));
    path->numbers[distance] = to;
    for (uint32_t d = distance; d > 1; d--)
        path->numbers[d - 1] = cell_before(search->navigator, search->grid, path->numbers[d], d);
    path->numbers[0] = from; /* whatever its ground */
    return COR_OK;
}

static enum cor_status begin(struct search *search, struct cor_navigator *navigator,
                             const struct cor_grid *grid, uint32_t from, struct cor_error *error) {
    COR_ASSERT(from < grid->cell_count);
    *search = (struct search){.grid = grid, .navigator = navigator, .error = error};
    return begin_navigator(navigator, grid->cell_count, 0, error);
}

enum cor_status cor_grid_path(struct cor_navigator *navigator, const struct cor_grid *grid, uint32_t from,
                              uint32_t to, struct cor_path *path, struct cor_error *error) {
    struct search search;
    path->found = false;
    path->count = 0;
    COR_TRY(begin(&search, navigator, grid, from, error));
    if (from != to && cor_grid_known(grid, to) != COR_GRID_FREE)
        return COR_OK;
    search.aim = cor_grid_place(grid, to);
    const uint32_t end = grid->far_count > 0 ? search_cells(&search, from, to, UNAIMED)
                                             : search_cells(&search, from, to, AIMED);
    COR_TRY(search.status);
    return end == to ? trace(&search, from, to, path) : COR_OK;
}

enum cor_status cor_grid_frontier(struct cor_navigator *navigator, const struct cor_grid *grid, uint32_t from,
                                  struct cor_path *path, struct cor_error *error) {
    struct search search;
    path->found = false;
    path->count = 0;
    COR_TRY(begin(&search, navigator, grid, from, error));
    const uint32_t end = search_cells(&search, from, COR_GRID_NO_CELL, FRONTIER);
    COR_TRY(search.status);
    return end != COR_GRID_NO_CELL ? trace(&search, from, end, path) : COR_OK;
}

enum cor_status cor_grid_flood(struct cor_navigator *navigator, const struct cor_grid *grid, uint32_t from,
                               struct cor_error *error) {
    struct search search;
    COR_TRY(begin(&search, navigator, grid, from, error));
    search_cells(&search, from, COR_GRID_NO_CELL, FLOOD);
    return search.status;
}

uint32_t cor_grid_distance(const struct cor_navigator *navigator, uint32_t cell) {
    COR_ASSERT(cell < navigator->mark_count);
    const struct navigation__mark *mark = &navigator->marks[cell];
    return mark->generation == navigator->generation ? mark->distance : COR_GRID_UNREACHED;
}

/* ---- a graph: directed edges with weights */

struct cor_graph *cor_graph_create(void) {
    return cor_calloc(1, sizeof(struct cor_graph));
}

void cor_graph_destroy(struct cor_graph *graph) {
    if (!graph)
        return;
    COR_FREE(graph->nodes, graph->edges, graph);
}

enum cor_status cor_graph_grow(struct cor_graph *graph, uint32_t node_count, struct cor_error *error) {
    if (node_count > COR_GRAPH_NODES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "a graph of %u nodes: %u are the most",
                        node_count, COR_GRAPH_NODES_MAX);
    COR_TRY(COR_RESERVE(&graph->nodes, &graph->node_capacity, node_count, error));
    if (graph->node_count < node_count)
        graph->revision++;
    while (graph->node_count < node_count)
        graph->nodes[graph->node_count++] = (struct cor_graph_node){0, false};
    return COR_OK;
}

/* Where the index of the edge stands in the list of its node; that of the list's end if there is none. */
static uint32_t *find_edge(const struct cor_graph *graph, uint32_t from, uint32_t to) {
    uint32_t *place = &graph->nodes[from].first;
    while (*place && graph->edges[*place - 1].to != to)
        place = &graph->edges[*place - 1].next;
    return place;
}

static enum cor_status add_edge(struct cor_graph *graph, uint32_t from, uint32_t to, uint32_t weight,
                                struct cor_error *error) {
    uint32_t edge = graph->spare;
    if (edge) {
        graph->spare = graph->edges[edge - 1].next;
    } else {
        if (graph->edge_count == COR_GRAPH_EDGES_MAX)
            return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "more than %u edges", COR_GRAPH_EDGES_MAX);
        COR_TRY(COR_RESERVE(&graph->edges, &graph->edge_capacity, (size_t)graph->edge_count + 1, error));
        edge = ++graph->edge_count;
    }
    graph->edges[edge - 1] = (struct cor_graph_edge){to, weight, graph->nodes[from].first};
    graph->nodes[from].first = edge;
    graph->revision++;
    return COR_OK;
}

enum cor_status cor_graph_set(struct cor_graph *graph, uint32_t from, uint32_t to, uint32_t weight,
                              struct cor_error *error) {
    if (from >= graph->node_count || to >= graph->node_count)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "nodes are numbered from 0",
                        "an edge from node %u to node %u of a graph of %u nodes", from, to,
                        graph->node_count);
    uint32_t *place = find_edge(graph, from, to);
    if (!*place)
        return weight > 0 ? add_edge(graph, from, to, weight, error) : COR_OK;
    const uint32_t index = *place;
    struct cor_graph_edge *edge = &graph->edges[index - 1];
    const uint32_t before = edge->weight;
    if (weight == before)
        return COR_OK;
    edge->weight = weight;
    if (weight == 0) {
        *place = edge->next;
        edge->next = graph->spare;
        graph->spare = index;
    }
    graph->revision++;
    if (weight == 0 || weight > before)
        graph->shut = graph->revision;
    return COR_OK;
}

uint32_t cor_graph_weight(const struct cor_graph *graph, uint32_t from, uint32_t to) {
    COR_ASSERT(from < graph->node_count && to < graph->node_count);
    const uint32_t edge = *find_edge(graph, from, to);
    return edge ? graph->edges[edge - 1].weight : 0;
}

void cor_graph_set_known(struct cor_graph *graph, uint32_t node, bool known) {
    COR_ASSERT(node < graph->node_count);
    if (graph->nodes[node].known != known)
        graph->revision++;
    graph->nodes[node].known = known;
}

/* ---- one search over the edges of a graph: nodes in the order of their distance, then of their number. A
 * world gives no bound of what is left, so nothing is aimed at */

static bool is_before(struct navigation__turn a, struct navigation__turn b) {
    return a.distance < b.distance || (a.distance == b.distance && a.node < b.node);
}

/* A node is found at a distance. Of those before it that give the same distance the least number counts: all
 * of them had their turn before this node has, as weights are positive. */
static enum cor_status reach_graph(struct cor_navigator *navigator, uint32_t node, uint64_t distance,
                                   uint32_t before, struct cor_error *error) {
    struct navigation__node *known = &navigator->nodes[node];
    const bool is_new = known->generation != navigator->generation;
    if (!is_new && known->distance == distance && before < known->before)
        known->before = before;
    if (!is_new && known->distance <= distance)
        return COR_OK;
    *known = (struct navigation__node){distance, navigator->generation, before};
    const struct navigation__turn turn = (struct navigation__turn){distance, node};
    COR_TRY(COR_RESERVE(&navigator->turns, &navigator->turn_capacity, navigator->turn_count + 1, error));
    size_t at = navigator->turn_count++;
    for (; at > 0 && is_before(turn, navigator->turns[(at - 1) / 2]); at = (at - 1) / 2)
        navigator->turns[at] = navigator->turns[(at - 1) / 2];
    navigator->turns[at] = turn;
    return COR_OK;
}

/* What a search looks for: the node `to`, or an unknown one, or nothing, so that it finds all. */
struct errand_graph {
    uint32_t to; /* COR_GRAPH_NO_NODE: none */
    bool to_unknown;
};

static enum cor_status search_nodes(struct cor_navigator *navigator, const struct cor_graph *graph,
                                    uint32_t from, struct errand_graph errand_graph, uint32_t *end,
                                    struct cor_error *error) {
    COR_ASSERT(from < graph->node_count);
    *end = COR_GRAPH_NO_NODE;
    COR_TRY(begin_navigator(navigator, 0, graph->node_count, error));
    COR_TRY(reach_graph(navigator, from, 0, from, error));
    while (navigator->turn_count > 0) {
        struct navigation__turn *turns = navigator->turns;
        const struct navigation__turn turn = turns[0], last = turns[--navigator->turn_count];
        size_t at = 0;
        for (size_t below; (below = 2 * at + 1) < navigator->turn_count; at = below) {
            if (below + 1 < navigator->turn_count && is_before(turns[below + 1], turns[below]))
                below++;
            if (!is_before(turns[below], last))
                break;
            turns[at] = turns[below];
        }
        turns[at] = last;
        if (turn.distance != navigator->nodes[turn.node].distance)
            continue; /* found nearer since */
        if (turn.node == errand_graph.to || (errand_graph.to_unknown && !graph->nodes[turn.node].known)) {
            *end = turn.node;
            break;
        }
        for (uint32_t i = graph->nodes[turn.node].first; i; i = graph->edges[i - 1].next) {
            const struct cor_graph_edge *edge = &graph->edges[i - 1];
            COR_TRY(reach_graph(navigator, edge->to, turn.distance + edge->weight, turn.node, error));
        }
    }
    return COR_OK;
}

static enum cor_status find_path(struct cor_navigator *navigator, const struct cor_graph *graph,
                                 uint32_t from, struct errand_graph errand_graph, struct cor_path *path,
                                 struct cor_error *error) {
    uint32_t end, count = 1;
    path->found = false;
    path->count = 0;
    COR_TRY(search_nodes(navigator, graph, from, errand_graph, &end, error));
    if (end == COR_GRAPH_NO_NODE)
        return COR_OK;
    for (uint32_t node = end; node != from; node = navigator->nodes[node].before)
        count++;
    COR_TRY(found(path, count, navigator->nodes[end].distance, graph->revision, error));
    for (uint32_t node = end; count-- > 0; node = navigator->nodes[node].before)
        path->numbers[count] = node;
    return COR_OK;
}

enum cor_status cor_graph_path(struct cor_navigator *navigator, const struct cor_graph *graph, uint32_t from,
                               uint32_t to, struct cor_path *path, struct cor_error *error) {
    COR_ASSERT(to < graph->node_count);
    return find_path(navigator, graph, from, (struct errand_graph){to, false}, path, error);
}

enum cor_status cor_graph_frontier(struct cor_navigator *navigator, const struct cor_graph *graph,
                                   uint32_t from, struct cor_path *path, struct cor_error *error) {
    return find_path(navigator, graph, from, (struct errand_graph){COR_GRAPH_NO_NODE, true}, path, error);
}

enum cor_status cor_graph_flood(struct cor_navigator *navigator, const struct cor_graph *graph, uint32_t from,
                                struct cor_error *error) {
    uint32_t end;
    return search_nodes(navigator, graph, from, (struct errand_graph){COR_GRAPH_NO_NODE, false}, &end, error);
}

uint64_t cor_graph_distance(const struct cor_navigator *navigator, uint32_t node) {
    COR_ASSERT(node < navigator->node_count);
    const struct navigation__node *known = &navigator->nodes[node];
    return known->generation == navigator->generation ? known->distance : COR_GRAPH_UNREACHED;
}
