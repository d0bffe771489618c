/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph that an algorithm tells of at the end (plugin.h, graph), drawn as figure 7 of paper 003: agents
 * round a circle, partition by partition, the leader first and filled; thick edges are marked, thin ones say
 * who knows whom. */
#include "why_told.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NODE 11.0
#define APART 26.0 /* between nodes, along the circle */
#define EDGE 30.0  /* of the picture */
#define TITLE 34.0
#define RADIUS_LEAST 90.0
#define FULL_TURN 6.283185307179586

struct graph {
    const struct cor_course *course;
    const bool *named;
    uint32_t count;   /* agents are below it, as the course numbers them */
    uint32_t *leader; /* owned; [agent], NO_LEADER: it is on no list */
    bool *is_there;   /* owned; [agent] it has an edge */
    uint32_t *place;  /* owned; [agent] on the circle; NOT_DRAWN */
    uint32_t *order;  /* owned; [place] */
    uint32_t drawn, all;
};

enum { NO_LEADER = -1, NOT_DRAWN = -1 };

static bool begin(struct graph *graph) {
    const struct cor_course *course = graph->course;
    for (size_t e = 0; e < course->edge_count; e++) {
        const struct cor_course_edge *edge = &course->edges[e];
        graph->count = edge->from >= graph->count ? edge->from + 1 : graph->count;
        graph->count = edge->to >= graph->count ? edge->to + 1 : graph->count;
    }
    graph->leader = cor_calloc(graph->count, sizeof *graph->leader);
    graph->is_there = cor_calloc(graph->count, sizeof *graph->is_there);
    graph->place = cor_calloc(graph->count, sizeof *graph->place);
    graph->order = cor_calloc(graph->count, sizeof *graph->order);
    if (!graph->leader || !graph->is_there || !graph->place || !graph->order)
        return false;
    for (uint32_t i = 0; i < graph->count; i++) {
        graph->leader[i] = (uint32_t)NO_LEADER;
        graph->place[i] = (uint32_t)NOT_DRAWN;
    }
    for (size_t e = 0; e < course->edge_count; e++) {
        const struct cor_course_edge *edge = &course->edges[e];
        graph->is_there[edge->from] = graph->is_there[edge->to] = true;
        /* Who leads is in its own partition, whoever lists it, too. */
        if (edge->is_marked && (edge->from == edge->to || graph->leader[edge->to] != edge->to))
            graph->leader[edge->to] = edge->from;
    }
    for (uint32_t i = 0; i < graph->count; i++)
        graph->all += graph->is_there[i];
    return true;
}

static bool is_of(const struct graph *graph, uint32_t agent, uint32_t leader) {
    return graph->is_there[agent] && graph->leader[agent] == leader;
}

static void place_agent(struct graph *graph, uint32_t agent) {
    if (graph->drawn == SEQUENCE__GRAPH_MOST || graph->place[agent] != (uint32_t)NOT_DRAWN)
        return;
    graph->place[agent] = graph->drawn;
    graph->order[graph->drawn++] = agent;
}

/* The partition of a leader, or those who are in none: all of it, if there is room. */
static void place_partition(struct graph *graph, uint32_t leader, bool wants_named) {
    uint32_t size = 0;
    bool is_named = false;
    for (uint32_t i = 0; i < graph->count; i++)
        if (is_of(graph, i, leader)) {
            size++;
            is_named = is_named || graph->named[cor_course_agent(graph->course, i)];
        }
    if (is_named != wants_named || (graph->drawn > 0 && graph->drawn + size > SEQUENCE__GRAPH_MOST))
        return;
    if (leader != (uint32_t)NO_LEADER && graph->is_there[leader])
        place_agent(graph, leader);
    for (uint32_t i = 0; i < graph->count; i++)
        if (is_of(graph, i, leader))
            place_agent(graph, i);
}

static void place_all(struct graph *graph) {
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t l = 0; l < graph->count; l++)
            if (graph->is_there[l] && graph->leader[l] == l)
                place_partition(graph, l, turn == 0);
        place_partition(graph, (uint32_t)NO_LEADER, turn == 0);
    }
}

struct point {
    double x, y;
};

static struct point point_of(const struct graph *graph, double radius, uint32_t agent) {
    const double turn = FULL_TURN * graph->place[agent] / graph->drawn, middle = EDGE + radius;
    return (struct point){middle + radius * sin(turn), TITLE + middle - radius * cos(turn)};
}

/* A curve that bends towards the middle: `bend` of the way from there to the chord is left. */
static void draw_edge(const struct graph *graph, FILE *file, double radius,
                      const struct cor_course_edge *edge) {
    const double x = EDGE + radius, y = TITLE + EDGE + radius, bend = edge->is_marked ? 0.8 : 0.35;
    const struct point from = point_of(graph, radius, edge->from), to = point_of(graph, radius, edge->to);
    fprintf(file, "<path d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\" class=\"%s\"/>\n", from.x, from.y,
            x + bend * ((from.x + to.x) / 2 - x), y + bend * ((from.y + to.y) / 2 - y), to.x, to.y,
            edge->is_marked ? "marked" : "knows");
}

static void draw(const struct graph *graph, FILE *file, double radius) {
    fputs("<style>.knows{fill:none;stroke:#888;opacity:.4}.marked{fill:none;stroke:#1f5fa8;stroke-width:3}"
          ".node{fill:#fff;stroke:#1f5fa8}.leader{fill:#1f5fa8}.number{font-size:10px}.inside{fill:#fff}</"
          "style>\n",
          file);
    fprintf(file,
            "<text x=\"8\" y=\"18\" class=\"note\">Graph at the end: %" PRIu32 " of %" PRIu32
            " agents that are in it; filled: leads a partition; thick: its members; thin: knows</text>\n",
            graph->drawn, graph->all);
    for (uint32_t marked = 0; marked < 2; marked++)
        for (size_t e = 0; e < graph->course->edge_count; e++) {
            const struct cor_course_edge *edge = &graph->course->edges[e];
            if (edge->is_marked == marked && edge->from != edge->to &&
                graph->place[edge->from] != (uint32_t)NOT_DRAWN &&
                graph->place[edge->to] != (uint32_t)NOT_DRAWN)
                draw_edge(graph, file, radius, edge);
        }
    for (uint32_t p = 0; p < graph->drawn; p++) {
        const uint32_t agent = graph->order[p];
        const bool leads = graph->leader[agent] == agent;
        const struct point at = point_of(graph, radius, agent);
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%g\" class=\"node%s\"/>\n", at.x, at.y, NODE,
                leads ? " leader" : "");
        fprintf(file,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" class=\"number%s\">%" PRIu32 "</text>\n",
                at.x, at.y + 4, leads ? " inside" : "", cor_course_agent(graph->course, agent));
    }
}

enum cor_status sequence__graph_drawn(const struct cor_course *course, const bool *named, char **text,
                                      double *size, struct cor_error *error) {
    struct graph graph = {.course = course, .named = named};
    size_t bytes;
    *text = NULL;
    *size = 0;
    if (course->edge_count == 0)
        return COR_OK;
    const bool is_begun = begin(&graph);
    FILE *file = is_begun ? open_memstream(text, &bytes) : NULL;
    if (file) {
        place_all(&graph);
        const double round = APART * graph.drawn / FULL_TURN,
                     radius = round > RADIUS_LEAST ? round : RADIUS_LEAST;
        draw(&graph, file, radius);
        *size = TITLE + 2 * (EDGE + radius);
        const bool is_bad = ferror(file) != 0;
        if (fclose(file) != 0 || is_bad) {
            free(*text);
            *text = NULL;
        }
    }
    free(graph.leader);
    free(graph.is_there);
    free(graph.place);
    free(graph.order);
    return cor_made(*text, error);
}
