/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a test agent believes, cycle by cycle: a view is merged, a condition of a goal is asked. */
#include "setting.h"
#include "timing.h"

#include <corridor/array.h>
#include <corridor/beliefs.h>
#include <corridor/bytes.h>
#include <corridor/goals.h>
#include <corridor/navigator.h>
#include <corridor/rng.h>
#include <corridor/system.h>
#include <corridor/world_program.h>

#include <stdio.h>
#include <stdlib.h>

enum { ENTITIES = 200, PROPERTIES = 5, CHANGED = 4, VIEWS = 512, ROUNDS = 8 };

static const struct cor_domain truth = {.type = COR_VALUE_TYPE_BOOLEAN, .name = "bool"};
static const struct cor_domain entity_number = {.type = COR_VALUE_TYPE_INTEGER, .name = "int"};
static const struct cor_domain text = {.type = COR_VALUE_TYPE_STRING, .name = "string"};
static const struct cor_world_property properties[PROPERTIES] = {{"on", &truth, COR_NONE},
                                                                 {"x", &entity_number, COR_NONE},
                                                                 {"y", &entity_number, COR_NONE},
                                                                 {"count", &entity_number, COR_NONE},
                                                                 {"label", &text, COR_NONE}};
static const struct cor_entity_type type = {"button", properties, PROPERTIES, COR_NONE};

struct test_agent {
    struct cor_words words;
    struct cor_declared_entity declared[ENTITIES];
    struct cor_world_declaration declaration;
    struct cor_world_vocabulary *vocabulary;
    struct cor_beliefs *beliefs;
    struct cor_expression condition;
    struct cor_shown_entity *entities; /* [view][entity] */
    struct cor_shown_value *values;    /* [view][entity][property] */
    uint32_t shown;                    /* in each view */
    enum cor_view_mode mode;
    uint64_t tick, sum; /* so that nothing is left out */
};

static uint64_t ask(const struct test_agent *agent) {
    return cor_expression_ask(&agent->condition, cor_beliefs_values(agent->beliefs),
                              cor_beliefs_world(agent->beliefs), NULL);
}

static double follow(void *context) {
    struct test_agent *agent = context;
    struct cor_error error = COR_NO_ERROR;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t v = 0; v < VIEWS; v++) {
            const struct cor_world_view view = {.tick = agent->tick++,
                                                .mode = agent->mode,
                                                .entities = agent->entities + v * ENTITIES,
                                                .entity_count = agent->shown,
                                                .values = agent->values + v * ENTITIES * PROPERTIES,
                                                .value_count = agent->shown * PROPERTIES};
            bench_must(cor_beliefs_merge(agent->beliefs, &view, &error), &error);
            agent->sum += ask(agent);
        }
    return (double)ROUNDS * VIEWS;
}

static double ask_often(void *context) {
    struct test_agent *agent = context;
    for (int i = 0; i < VIEWS; i++)
        agent->sum += ask(agent);
    return VIEWS;
}

static void parse(struct test_agent *agent, const char *condition) {
    struct cor_error error = COR_NO_ERROR;
    cor_expression_fini(&agent->condition);
    bench_must(cor_expression_parse_condition(condition, cor_world_vocabulary_scope(agent->vocabulary), NULL,
                                              &agent->condition, &error),
               &error);
}

/* A view of all entities, or of those that change. */
static void draw(struct test_agent *agent, struct cor_rng *rng, uint32_t shown, enum cor_view_mode mode) {
    const uint32_t labels[2] = {agent->declared[0].identity, agent->declared[1].identity};
    struct cor_value now[ENTITIES][PROPERTIES];
    agent->shown = shown;
    agent->mode = mode;
    for (uint32_t e = 0; e < ENTITIES; e++)
        for (uint32_t p = 0; p < PROPERTIES; p++)
            now[e][p] = p == 4 ? cor_word(labels[0]) : cor_integer(0);
    for (size_t v = 0; v < VIEWS; v++) {
        const uint32_t first = cor_rng_below(rng, ENTITIES - CHANGED);
        for (uint32_t e = first; e < first + CHANGED; e++) {
            now[e][0].as.integer = cor_rng_below(rng, 2);
            now[e][1 + cor_rng_below(rng, 3)].as.integer = cor_rng_below(rng, 100);
            now[e][4].as.word = labels[cor_rng_below(rng, 2)];
        }
        for (uint32_t s = 0; s < shown; s++) {
            const uint32_t e = shown == ENTITIES ? s : first + s;
            agent->entities[v * ENTITIES + s] = (struct cor_shown_entity){
                agent->declared[e].identity, 0, COR_NONE, s * PROPERTIES, PROPERTIES};
            for (uint32_t p = 0; p < PROPERTIES; p++)
                agent->values[(v * ENTITIES + s) * PROPERTIES + p] = (struct cor_shown_value){p, now[e][p]};
        }
    }
}

void bench_test_agents(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    struct cor_error error = COR_NO_ERROR;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    struct test_agent *agent = bench_kept(calloc(1, sizeof *agent));
    agent->entities = bench_kept(malloc(VIEWS * ENTITIES * sizeof *agent->entities));
    agent->values = bench_kept(malloc(VIEWS * ENTITIES * PROPERTIES * sizeof *agent->values));
    for (uint32_t e = 0; e < ENTITIES; e++) {
        char name[16];
        snprintf(name, sizeof name, "b%u", e);
        bench_must(cor_words_intern(&agent->words, name, &agent->declared[e].identity, &error), &error);
    }
    agent->declaration = (struct cor_world_declaration){.name = "bench",
                                                        .types = &type,
                                                        .type_count = 1,
                                                        .entities = agent->declared,
                                                        .entity_count = ENTITIES,
                                                        .words = &agent->words,
                                                        .step = COR_NONE};
    bench_must(cor_world_vocabulary_create(&agent->declaration, &agent->vocabulary, &error), &error);
    bench_must(cor_beliefs_create(agent->vocabulary, &agent->beliefs, &error), &error);
    parse(agent, "b7.on and distance(b7, b8) <= 3");
    draw(agent, &rng, ENTITIES, COR_VIEW_SIGHT);
    figures[1] =
        (struct bench_figure){1e-3 / bench_measure(follow, NULL, agent, bench_careful).seconds, 0, ""};
    draw(agent, &rng, CHANGED, COR_VIEW_CHANGES);
    figures[0] =
        (struct bench_figure){1e-3 / bench_measure(follow, NULL, agent, bench_careful).seconds, 9, ""};
    parse(agent, "all(b in button: b.x >= 0)");
    figures[2] =
        (struct bench_figure){1e6 * bench_measure(ask_often, NULL, agent, bench_careful).seconds, 0, ""};
    if (ask(agent) != COR_TRUTH_TRUE)
        bench_fail("a test agent does not believe what it was shown");
    cor_expression_fini(&agent->condition);
    cor_beliefs_destroy(agent->beliefs);
    cor_world_vocabulary_destroy(agent->vocabulary);
    cor_words_fini(&agent->words);
    COR_FREE(agent->entities, agent->values, agent);
}

/* A test agent that pursues a "seq" of goals, each of which one action solves: a cycle a goal, whatever the
 * length. Every goal has a condition of its own. */
struct sequence {
    struct cor_json_document *document;
    struct cor_world_vocabulary *vocabulary;
    struct cor_goals *goals;
    struct cor_beliefs *beliefs;
    struct cor_pursuit *pursuit;
    uint32_t count, root;
};

struct sequences {
    struct cor_words words;
    struct cor_declared_entity counter;
    struct cor_world_declaration declaration;
    struct sequence far, near; /* of many goals, of few */
};

enum { FAR = 20000, NEAR = 200 };

static const struct cor_world_property counter_properties[] = {{"x", &entity_number, COR_NONE}};
static const struct cor_entity_type counter_type = {"counter", counter_properties, 1, COR_NONE};
static const struct cor_action counter_actions[] = {{"wait", NULL, 0}, {"look", NULL, 0}, {"count", NULL, 0}};

static void open_sequence(struct sequences *all, struct sequence *it, uint32_t count) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_bytes file = {0};
    it->count = count;
    cor_bytes_print(&file, "{\"seq\": [");
    for (uint32_t g = 0; g < count; g++)
        cor_bytes_print(&file, "%s{\"goal\": \"c.x > %u\", \"tactic\": \"count\"}", g > 0 ? ", " : "", g);
    cor_bytes_print(&file, "]}");
    bench_must(cor_json_parse(cor_bytes_text(&file), "bench", &it->document, &error), &error);
    cor_bytes_fini(&file);
    const struct cor_json goal = cor_json_root(it->document);
    bench_must(cor_world_vocabulary_create(&all->declaration, &it->vocabulary, &error), &error);
    bench_must(cor_goals_create(&all->declaration, it->vocabulary, NULL, &it->goals, &error), &error);
    bench_must(cor_goals_read(it->goals, "c", &goal, &it->root, &error), &error);
    bench_must(cor_beliefs_create(it->vocabulary, &it->beliefs, &error), &error);
}

static void close_sequence(struct sequence *it) {
    cor_beliefs_destroy(it->beliefs);
    cor_goals_destroy(it->goals);
    cor_world_vocabulary_destroy(it->vocabulary);
    cor_json_destroy(it->document);
}

static void show_counter(const struct sequences *all, struct sequence *it, uint64_t tick, int64_t x) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_shown_value value = {0, cor_integer(x)};
    const struct cor_shown_entity shown = {all->counter.identity, 0, COR_NONE, 0, 1};
    const struct cor_world_view view = {.tick = tick,
                                        .mode = COR_VIEW_WHOLE,
                                        .entities = &shown,
                                        .entity_count = 1,
                                        .values = &value,
                                        .value_count = 1};
    bench_must(cor_beliefs_merge(it->beliefs, &view, &error), &error);
}

/* All goals of the sequence, FAR of them however often that is; their number. */
static double pursue(const struct sequences *all, struct sequence *it) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    const struct cor_pursuit_definition definition = {
        .goals = it->goals, .root = it->root, .budget = COR_BUDGET_INFINITE, .beliefs = it->beliefs};
    for (uint32_t round = 0; round < FAR / it->count; round++) {
        enum cor_pursuit_choice choice;
        struct cor_world_command command;
        uint32_t cycles = 0;
        cor_beliefs_clear(it->beliefs);
        show_counter(all, it, 0, 0);
        bench_must(cor_pursuit_create(&definition, &it->pursuit, &error), &error);
        for (;; cycles++) {
            bench_must(cor_pursuit_choose(it->pursuit, &rng, &choice, &command, &error), &error);
            if (choice == COR_PURSUIT_ENDED)
                break;
            show_counter(all, it, cycles + 1, cycles + 1);
            bench_must(cor_pursuit_propose(it->pursuit, &error), &error);
        }
        if (cycles != it->count || cor_pursuit_status(it->pursuit) != COR_GOAL_SUCCESS)
            bench_fail("a sequence of goals takes another number of cycles than it has goals");
        cor_pursuit_destroy(it->pursuit);
    }
    return FAR;
}

static double pursue_far(void *context) {
    struct sequences *all = context;
    return pursue(all, &all->far);
}

static double pursue_near(void *context) {
    struct sequences *all = context;
    return pursue(all, &all->near);
}

void bench_goals(const struct bench_places *places, struct bench_figure *figures) {
    struct cor_error error = COR_NO_ERROR;
    struct sequences all = {.far = {.count = 0}};
    (void)places;
    bench_must(cor_words_intern(&all.words, "c", &all.counter.identity, &error), &error);
    all.declaration = (struct cor_world_declaration){.name = "bench",
                                                     .types = &counter_type,
                                                     .type_count = 1,
                                                     .actions = counter_actions,
                                                     .action_count = 3,
                                                     .entities = &all.counter,
                                                     .entity_count = 1,
                                                     .words = &all.words,
                                                     .step = COR_NONE};
    open_sequence(&all, &all.far, FAR);
    open_sequence(&all, &all.near, NEAR);
    const struct bench_times times = bench_measure(pursue_far, pursue_near, &all, bench_careful);
    figures[0] = (struct bench_figure){1e9 * times.seconds, 1e9 * times.reference, ""};
    close_sequence(&all.far);
    close_sequence(&all.near);
    cor_words_fini(&all.words);
}

/* A test agent that goes to and fro in a world of ours, which is served as a program is. */
struct traveller {
    struct cor_live_world *world;
    struct cor_world_command there, back;
    uint64_t shown;
};

static void step(struct traveller *it, const struct cor_world_command *command) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_world_view view = {0};
    enum cor_system_trouble trouble;
    bench_must(it->world->kind->act(it->world, 0, command, &view, &trouble, &error), &error);
    if (trouble != 0)
        bench_fail(it->world->words);
    it->shown += view.entity_count;
}

static double go_to_and_fro(void *context) {
    struct traveller *it = context;
    for (int i = 0; i < VIEWS; i++) {
        step(it, &it->there);
        step(it, &it->back);
    }
    return 2. * VIEWS;
}

void bench_world_by_pipe(const struct bench_places *places, struct bench_figure *figures) {
    static const char *const names[] = {"t"};
    struct cor_error error = COR_NO_ERROR;
    struct traveller it = {.there.action = COR_ACTION_FIRST, .back.action = COR_ACTION_FIRST};
    struct cor_world_view view;
    enum cor_system_trouble trouble;
    struct cor_world_program_definition definition = cor_default_world_program();
    char *path = bench_kept(cor_format("%s/world.json", places->folder));
    char *program = bench_kept(cor_shell_quoted(places->corridor)),
         *file = bench_kept(cor_shell_quoted(path));
    char *command = bench_kept(cor_format("%s system world %s", program, file));
    FILE *out = bench_kept(fopen(path, "w"));
    fputs("{\"system\": {\"rooms\": \"|w,w,w,w\\nw,f:a^t,f,w\\nw,f,f,w\\nw,w,w,w\\n\", \"view\": 4}}\n", out);
    if (fclose(out) != 0)
        bench_fail("the file of a world cannot be written");
    definition.command = command;
    definition.test_agents = names;
    definition.test_agent_count = 1;
    definition.is_free = true;
    bench_must(cor_world_program_create(&definition, &it.world, &error), &error);
    bench_must(it.world->kind->reset(it.world, &view, &trouble, &error), &error);
    if (trouble != 0)
        bench_fail(it.world->words);
    it.there.action = it.back.action = it.world->declaration->step;
    it.there.arguments[0] = cor_word(cor_words_find(it.world->declaration->words, "east"));
    it.back.arguments[0] = cor_word(cor_words_find(it.world->declaration->words, "west"));
    figures[0] =
        (struct bench_figure){1e6 * bench_measure(go_to_and_fro, NULL, &it, bench_careful).seconds, 0, ""};
    cor_live_world_close(it.world);
    COR_FREE(path, program, file, command);
}

/* ---- paths over a grid that is known, and exploration of one that is not */

enum { GRIDS = 8, SIDE = 256, EXPLORED = 128, VIEW = 4, SEEN = (2 * VIEW + 1) * (2 * VIEW + 1) };

static struct cor_rng stream(uint32_t number) {
    return cor_rng_named(&(struct cor_stream_name){.seed = 1, .suite = number, .purpose = COR_PURPOSE_TEST});
}

static struct cor_grid *grid_of(uint32_t side) {
    struct cor_grid *grid;
    struct cor_error error = COR_NO_ERROR;
    bench_must(cor_grid_create(side, side, 1, &grid, &error), &error);
    return grid;
}

/* A fifth of the cells blocked, two corners apart; the corners are free. */
static struct cor_grid *draw_walls(uint32_t side, uint32_t number) {
    struct cor_rng rng = stream(number);
    struct cor_grid *grid = grid_of(side);
    for (uint32_t cell = 0; cell < grid->cell_count; cell++)
        cor_grid_set(grid, cell, cor_rng_below(&rng, 5) == 0 ? COR_GRID_BLOCKED : COR_GRID_FREE);
    cor_grid_set(grid, 0, COR_GRID_FREE);
    cor_grid_set(grid, grid->cell_count - 1, COR_GRID_FREE);
    return grid;
}

/* Corridors without a round, by depth-first search: rooms are cells of even row and column. */
static struct cor_grid *draw_maze(uint32_t side, uint32_t number) {
    struct cor_rng rng = stream(number);
    struct cor_grid *grid = grid_of(side);
    uint32_t *way = bench_kept(malloc(grid->cell_count * sizeof *way)), count = 1;
    for (uint32_t cell = 0; cell < grid->cell_count; cell++)
        cor_grid_set(grid, cell, COR_GRID_BLOCKED);
    cor_grid_set(grid, way[0] = 0, COR_GRID_FREE);
    while (count > 0) {
        const uint32_t at = way[count - 1], column = at % side, row = at / side;
        uint32_t steps[4], possible = 0;
        if (row >= 2 && cor_grid_known(grid, at - 2 * side) == COR_GRID_BLOCKED)
            steps[possible++] = 0u - side;
        if (column >= 2 && cor_grid_known(grid, at - 2) == COR_GRID_BLOCKED)
            steps[possible++] = UINT32_MAX;
        if (column + 2 < side && cor_grid_known(grid, at + 2) == COR_GRID_BLOCKED)
            steps[possible++] = 1;
        if (row + 2 < side && cor_grid_known(grid, at + 2 * side) == COR_GRID_BLOCKED)
            steps[possible++] = side;
        if (possible == 0) {
            count--;
            continue;
        }
        const uint32_t step = steps[cor_rng_below(&rng, possible)];
        cor_grid_set(grid, at + step, COR_GRID_FREE);
        cor_grid_set(grid, at + 2 * step, COR_GRID_FREE);
        way[count++] = at + 2 * step;
    }
    free(way);
    return grid;
}

struct paths {
    struct cor_grid *grids[GRIDS];
    struct cor_navigator *navigator;
    struct cor_path path;
    uint64_t sum; /* so that nothing is left out */
};

static double go_corner_to_corner(void *context) {
    struct paths *paths = context;
    struct cor_error error = COR_NO_ERROR;
    for (int g = 0; g < GRIDS; g++) {
        const struct cor_grid *grid = paths->grids[g];
        bench_must(cor_grid_path(paths->navigator, grid, 0, grid->cell_count - 1, &paths->path, &error),
                   &error);
        if (!paths->path.found)
            bench_fail("no way from corner to corner");
        paths->sum += paths->path.length;
    }
    return GRIDS;
}

static double flood_from_corner(void *context) {
    struct paths *paths = context;
    struct cor_error error = COR_NO_ERROR;
    for (int g = 0; g < GRIDS; g++) {
        const struct cor_grid *grid = paths->grids[g];
        bench_must(cor_grid_flood(paths->navigator, grid, 0, &error), &error);
        paths->sum += cor_grid_distance(paths->navigator, grid->cell_count - 1);
    }
    return GRIDS;
}

/* The grids whose corners are joined, in turn. */
void bench_paths(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    struct paths paths = {.navigator = bench_kept(cor_navigator_create())};
    cor_path_init(&paths.path);
    for (uint32_t g = 0, number = 0; g < GRIDS; number++) {
        struct cor_error error = COR_NO_ERROR;
        struct cor_grid *grid = draw_walls(SIDE, number);
        bench_must(cor_grid_path(paths.navigator, grid, 0, grid->cell_count - 1, &paths.path, &error),
                   &error);
        if (paths.path.found)
            paths.grids[g++] = grid;
        else
            cor_grid_destroy(grid);
    }
    const struct bench_times times =
        bench_measure(go_corner_to_corner, flood_from_corner, &paths, bench_careful);
    for (int f = 0; f < 2; f++)
        figures[f] = (struct bench_figure){times.seconds * 1e3, times.reference * 1e3, ""};
    for (int g = 0; g < GRIDS; g++)
        cor_grid_destroy(paths.grids[g]);
    cor_path_fini(&paths.path);
    cor_navigator_destroy(paths.navigator);
}

/* A world that shows from each cell what stands in no other's shadow, looked up beforehand: that is its
 * business. */
struct world {
    struct cor_grid *grid;
    uint16_t *seen_count; /* [cell] */
    uint32_t *seen;       /* [cell][SEEN] */
};

/* Do the cells between two, on the straight line, all stand free? */
static bool sees(const struct cor_grid *grid, int column, int row, int to_column, int to_row) {
    const int across = abs(to_column - column), down = abs(to_row - row), right = column < to_column ? 1 : -1,
              below = row < to_row ? 1 : -1;
    for (int off = across - down; column != to_column || row != to_row;) {
        const int twice = 2 * off;
        if (twice > -down) {
            off -= down;
            column += right;
        }
        if (twice < across) {
            off += across;
            row += below;
        }
        if ((column != to_column || row != to_row) &&
            cor_grid_known(grid, (uint32_t)(row * (int)grid->columns + column)) != COR_GRID_FREE)
            return false;
    }
    return true;
}

static struct world world_of_take(struct cor_grid *grid) {
    struct world world = {grid, bench_kept(calloc(grid->cell_count, sizeof *world.seen_count)),
                          bench_kept(malloc(sizeof(uint32_t[SEEN]) * grid->cell_count))};
    const int side = (int)grid->columns;
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++) {
            const int cell = row * side + column;
            for (int r = row - VIEW; r <= row + VIEW; r++)
                for (int c = column - VIEW; c <= column + VIEW; c++)
                    if (r >= 0 && c >= 0 && r < side && c < side && sees(world.grid, column, row, c, r))
                        world.seen[cell * SEEN + world.seen_count[cell]++] = (uint32_t)(r * side + c);
        }
    return world;
}

struct exploration {
    struct world world;
    struct cor_navigator *navigator;
    struct cor_path path;
    uint64_t moves, searches;
};

static void reveal(const struct world *world, struct cor_grid *grid, uint32_t at) {
    const uint32_t *seen = world->seen + (size_t)at * SEEN;
    for (unsigned i = 0; i < world->seen_count[at]; i++)
        cor_grid_set(grid, seen[i], cor_grid_known(world->grid, seen[i]));
}

/* From a corner until nothing is left. A path is followed as long as its end is a frontier; all is looked at
 * on the way. */
static double explore(void *context) {
    struct exploration *exploration = context;
    struct cor_error error = COR_NO_ERROR;
    struct cor_grid *grid = grid_of(exploration->world.grid->columns);
    struct cor_path *path = &exploration->path;
    uint32_t at = 0;
    exploration->moves = exploration->searches = 0;
    reveal(&exploration->world, grid, at);
    for (;;) {
        bench_must(cor_grid_frontier(exploration->navigator, grid, at, path, &error), &error);
        exploration->searches++;
        if (!path->found)
            break;
        for (uint32_t i = 1;
             i < path->count && cor_grid_touches_unknown(grid, path->numbers[path->count - 1]); i++) {
            at = path->numbers[i];
            exploration->moves++;
            reveal(&exploration->world, grid, at);
        }
    }
    cor_grid_destroy(grid);
    return 1;
}

void bench_exploration(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    for (int f = 0; f < 2; f++) {
        struct exploration exploration = {.navigator = bench_kept(cor_navigator_create())};
        cor_path_init(&exploration.path);
        exploration.world = world_of_take(f == 0 ? draw_maze(EXPLORED, 0) : draw_walls(EXPLORED, 0));
        const double seconds = bench_measure(explore, NULL, &exploration, bench_careful).seconds;
        figures[f] = (struct bench_figure){seconds * 1e3, 0, ""};
        snprintf(figures[f].note, sizeof figures[f].note, "%llu moves, %llu searches",
                 (unsigned long long)exploration.moves, (unsigned long long)exploration.searches);
        cor_grid_destroy(exploration.world.grid);
        COR_FREE(exploration.world.seen, exploration.world.seen_count);
        cor_path_fini(&exploration.path);
        cor_navigator_destroy(exploration.navigator);
    }
}
