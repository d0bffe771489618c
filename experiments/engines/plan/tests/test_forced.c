/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading "forced" against systems that have real choices: games are drawn as tables, solved here, written as
 * models, and played. usage: test_forced [RUNS] */
#include <corridor/array.h>
#include <corridor/planner.h>
#include <corridor/rng.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STATES = 24, INPUTS = 3, RIVALS = 4, TRAPS = 2, MASKS = 1 << TRAPS, TEXT = 100000, RUNS_EACH = 30 };

#define FAR UINT32_MAX

static uint32_t wanted_runs = 3000;

/* What each input may lead to. A trap is covered by an input of its own, the first in low states, the second
 * in high ones, which leaves everything else as it is. */
struct game {
    uint32_t start, low, high; /* traps are covered in states up to `low`, and from `high` on */
    bool ordered;              /* the second trap waits for the first */
    uint32_t rivals[STATES][INPUTS], target[STATES][INPUTS][RIVALS];
    uint32_t rank[STATES][MASKS]; /* moves that the worst choices make of the best inputs */
    bool can[STATES][MASKS];      /* with luck */
};

/* The first input leads down, the second up, both by a number of states that the system chooses; all others,
 * and a few of these, lead anywhere. */
static uint32_t draw_target(struct cor_rng *rng, uint32_t state, uint32_t input) {
    const uint32_t step = 1 + cor_rng_below(rng, 4), any = cor_rng_below(rng, STATES);
    const bool astray = cor_rng_below(rng, 25) == 0;
    if (astray || input > 1)
        return any;
    if (input == 0)
        return state > step ? state - step : 0;
    return state + step < STATES ? state + step : STATES - 1;
}

static void draw_game(struct cor_rng *rng, struct game *g) {
    *g = (struct game){0};
    g->start = cor_rng_below(rng, STATES);
    g->low = cor_rng_below(rng, 3);
    g->high = STATES - 1 - cor_rng_below(rng, 3);
    g->ordered = cor_rng_below(rng, 2) == 0;
    for (uint32_t s = 0; s < STATES; s++)
        for (uint32_t i = 0; i < INPUTS; i++) {
            g->rivals[s][i] = 1 + cor_rng_below(rng, RIVALS);
            for (uint32_t r = 0; r < g->rivals[s][i]; r++)
                g->target[s][i][r] = draw_target(rng, s, i);
        }
}

/* Behind the input of a trap. */
static uint32_t covered_behind(const struct game *g, uint32_t state, uint32_t mask, uint32_t trap) {
    const bool covers = trap == 0 ? state <= g->low : state >= g->high && (!g->ordered || (mask & 1));
    return covers ? mask | 1U << trap : mask;
}

static bool improve(struct game *g, uint32_t state, uint32_t mask) {
    uint32_t best = g->rank[state][mask];
    bool can = g->can[state][mask];
    for (uint32_t t = 0; t < TRAPS; t++) {
        const uint32_t behind = covered_behind(g, state, mask, t);
        const uint32_t left = g->rank[state][behind];
        best = left != FAR && left + 1 < best ? left + 1 : best;
        can = can || g->can[state][behind];
    }
    for (uint32_t i = 0; i < INPUTS; i++) {
        uint32_t worst = 0;
        for (uint32_t r = 0; r < g->rivals[state][i]; r++) {
            const uint32_t left = g->rank[g->target[state][i][r]][mask];
            worst = left > worst ? left : worst;
            can = can || g->can[g->target[state][i][r]][mask];
        }
        if (g->rivals[state][i] > 0 && worst != FAR && worst + 1 < best)
            best = worst + 1;
    }
    const bool changed = best != g->rank[state][mask] || can != g->can[state][mask];
    g->rank[state][mask] = best;
    g->can[state][mask] = can;
    return changed;
}

static void solve_game(struct game *g) {
    for (uint32_t s = 0; s < STATES; s++)
        for (uint32_t m = 0; m < MASKS; m++) {
            g->rank[s][m] = m == MASKS - 1 ? 0 : FAR;
            g->can[s][m] = m == MASKS - 1;
        }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t s = 0; s < STATES; s++)
            for (uint32_t m = 0; m < MASKS - 1; m++)
                changed = improve(g, s, m) || changed;
    }
}

static char text[TEXT];
static size_t length;

#define WRITE(...) (length += (size_t)snprintf(text + length, TEXT - length, __VA_ARGS__))

static void write_game(const struct game *g) {
    length = 0;
    WRITE(
        "{\"format\":\"efsm-json/1\",\"name\":\"game\",\"vars\":[{\"name\":\"s\",\"kind\":\"state\",\"lo\":0,"
        "\"hi\":%u,\"init\":%u}],\"locations\":[\"l\"],\"initial\":\"l\",\"inputs\":[{\"label\":\"a\","
        "\"params\":[]},{\"label\":\"b\",\"params\":[]}",
        STATES - 1, g->start);
    for (uint32_t i = 0; i < INPUTS; i++)
        WRITE(",{\"label\":\"i%u\",\"params\":[]}", i);
    WRITE("],\"outputs\":[],\"transitions\":[");
    for (uint32_t s = 0; s < STATES; s++)
        for (uint32_t i = 0; i < INPUTS; i++)
            for (uint32_t r = 0; r < g->rivals[s][i]; r++)
                WRITE("{\"id\":\"t%u_%u_%u\",\"src\":\"l\",\"dst\":\"l\",\"input\":\"i%u\",\"guard\":\"s == "
                      "%u\","
                      "\"update\":{\"s\":\"%u\"},\"outputs\":[]},",
                      s, i, r, i, s, g->target[s][i][r]);
    for (uint32_t t = 0; t < TRAPS; t++)
        WRITE("{\"id\":\"t%c\",\"src\":\"l\",\"dst\":\"l\",\"input\":\"%c\",\"guard\":\"true\",\"update\":{},"
              "\"outputs\":"
              "[]}%s",
              'a' + (int)t, 'a' + (int)t, t + 1 < TRAPS ? "," : "");
    WRITE("],\"goals\":[{\"name\":\"both\",\"traps\":[{\"id\":\"a\",\"transition\":\"ta\",\"constraint\":\"s "
          "<= %u\"},"
          "{\"id\":\"b\",\"transition\":\"tb\",\"constraint\":\"s >= %u\"%s}]}]}",
          g->low, g->high, g->ordered ? ",\"after\":[\"a\"]" : "");
    assert_true(length < TEXT);
}

/* A game as a model, and a planner for it. */
struct stage {
    struct cor_efsm *model;
    struct cor_efsm_goal made;
    const struct cor_efsm_goal *goal;
    struct cor_efsm_problem *efsm;
    const struct cor_planner_kind *kind;
    void *planner;
};

static void open_stage(struct stage *s) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_planner_definition definition = cor_default_planner();
    *s = (struct stage){.kind = cor_planner_find("search")};
    assert_int_equal(cor_efsm_parse(text, "game", &s->model, &error), COR_OK);
    assert_int_equal(cor_efsm_goal_find(s->model, "both", &s->made, &s->goal, &error), COR_OK);
    assert_int_equal(cor_efsm_problem_create(s->model, s->goal, &s->efsm, &error), COR_OK);
    definition.problem = cor_efsm_planning_problem(s->efsm);
    definition.model = s->model;
    definition.goal = s->goal;
    definition.efsm = s->efsm;
    definition.reading = COR_READING_FORCED;
    assert_int_equal(s->kind->create(&definition, &s->planner, &error), COR_OK);
}

static void close_stage(struct stage *s) {
    s->kind->destroy(s->planner);
    cor_efsm_problem_destroy(s->efsm);
    cor_efsm_goal_fini(&s->made);
    cor_efsm_destroy(s->model);
}

/* `input`: that of the table; behind them those of the traps. */
static struct cor_plan_choice choose(const struct stage *s, uint32_t state, uint32_t mask, uint32_t *input) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_plan_choice choice;
    int64_t values[COR_EFSM_VARIABLES_MAX] = {(int64_t)state};
    const uint64_t covered[1] = {mask};
    unsigned char packed[64];
    uint32_t label;
    cor_efsm_problem_pack(s->efsm, 0, values, COR_NONE, packed);
    assert_int_equal(s->kind->choose(s->planner, packed, covered, &choice, &error), COR_OK);
    if (choice.advice == COR_ADVICE_INPUT) {
        cor_efsm_problem_unpack_input(s->efsm, choice.input, &label, values);
        *input = label < TRAPS ? INPUTS + label : label - TRAPS;
    }
    return choice;
}

enum system { WORST, ANY, MIXED, SYSTEMS };

/* What the system does with an input of several rivals. */
static uint32_t answer(const struct game *g, uint32_t state, uint32_t mask, uint32_t input,
                       enum system system, struct cor_rng *rng) {
    const uint32_t count = g->rivals[state][input];
    const uint32_t drawn = cor_rng_below(rng, count), coin = cor_rng_below(rng, 2);
    uint32_t worst = 0;
    for (uint32_t r = 1; r < count; r++)
        if (g->rank[g->target[state][input][r]][mask] > g->rank[g->target[state][input][worst]][mask])
            worst = r;
    const bool is_worst = system == WORST || (system == MIXED && coin == 0);
    return g->target[state][input][is_worst ? worst : drawn];
}

static bool is_choice(const struct game *g, uint32_t state, uint32_t input) {
    for (uint32_t r = 1; r < g->rivals[state][input]; r++)
        if (g->target[state][input][r] != g->target[state][input][0])
            return true;
    return false;
}

struct tally {
    uint32_t games, winnable, runs, shorter, longest;
    uint64_t choices;
};

/* Moves until all is covered: in each state no more are promised than the table allows, and no more taken. */
static uint32_t play(const struct stage *s, const struct game *g, enum system system, struct cor_rng *rng,
                     struct tally *tally) {
    uint32_t state = g->start, mask = 0, moves = 0, input;
    for (;; moves++) {
        const struct cor_plan_choice choice = choose(s, state, mask, &input);
        if (choice.advice == COR_ADVICE_COVERED) {
            assert_int_equal(mask, MASKS - 1);
            return moves;
        }
        assert_int_equal(choice.advice, COR_ADVICE_INPUT);
        assert_int_equal(choice.proof, COR_PROOF_FIXPOINT);
        assert_int_equal(choice.left, g->rank[state][mask]);
        assert_true(moves + choice.left <= g->rank[g->start][0]);
        if (input >= INPUTS) {
            mask = covered_behind(g, state, mask, input - INPUTS);
            continue;
        }
        tally->choices += is_choice(g, state, input);
        state = answer(g, state, mask, input, system, rng);
    }
}

/* A game that is won by force is played against all systems, one that is not is refused for the right reason.
 */
static void try_game(struct cor_rng *rng, struct tally *tally) {
    static struct game g;
    struct stage s;
    uint32_t input;
    draw_game(rng, &g);
    solve_game(&g);
    write_game(&g);
    open_stage(&s);
    const struct cor_plan_choice choice = choose(&s, g.start, 0, &input);
    const uint32_t bound = g.rank[g.start][0];
    tally->games++;
    if (bound == FAR) {
        /* With luck, one trap or both: of what is left nothing is out of reach unless the table says so. */
        const enum cor_advice advice = choice.advice;
        assert_true(advice == COR_ADVICE_PREVENTED || advice == COR_ADVICE_LOST || choice.is_part);
        assert_true(!g.can[g.start][0] || advice != COR_ADVICE_LOST);
    } else {
        tally->winnable++;
        tally->longest = bound > tally->longest ? bound : tally->longest;
        for (uint32_t i = 0; i < RUNS_EACH; i++, tally->runs++) {
            const enum system system = (enum system)(i % SYSTEMS);
            const uint32_t moves = play(&s, &g, system, rng, tally);
            if (system == WORST)
                assert_int_equal(moves, bound);
            tally->shorter += moves < bound;
        }
    }
    close_stage(&s);
}

static void forced_plans_take_no_more_moves_than_their_bound_whatever_the_system_chooses(void **state) {
    (void)state;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 6, .purpose = COR_PURPOSE_TEST});
    struct tally tally = {0};
    while (tally.runs < wanted_runs)
        try_game(&rng, &tally);
    print_message("forced runs: %u runs of %u drawn games, %llu real choices of the system, bounds up to %u; "
                  "none longer than its bound, %u shorter; %u games that cannot be forced\n",
                  tally.runs, tally.winnable, (unsigned long long)tally.choices, tally.longest, tally.shorter,
                  tally.games - tally.winnable);
    assert_true(tally.choices > 2 * (uint64_t)tally.runs && tally.shorter > 0);
    assert_true(tally.games > tally.winnable);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forced_plans_take_no_more_moves_than_their_bound_whatever_the_system_chooses),
    };
    if (argc > 1)
        wanted_runs = (uint32_t)strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
