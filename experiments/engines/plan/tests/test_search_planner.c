/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner "search": lengths that are known from elsewhere, each replayed on the model alone; what it does
 * against choice; what it keeps. usage: test_search_planner [ADVERSARIAL_RUNS] */
#include "../../../oracle/efsm/tests/random_models.h"

#include <corridor/array.h>
#include <corridor/planner.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define MODELS TEST_SOURCE_DIR "/experiments/library/efsm/"

enum { BYTES = 600, MOVES = 2000, TRAPS = 64 };

static uint32_t adversarial_runs = 3000, lossy_runs = 10000;

/* A model, a goal, and a planner for it. */
struct stage {
    struct cor_efsm *model;
    struct cor_efsm_goal made;
    const struct cor_efsm_goal *goal;
    struct cor_efsm_problem *efsm;
    struct cor_planning_problem problem;
    struct cor_planner_definition definition;
    const struct cor_planner_kind *kind;
    void *planner;
    struct cor_expansion expansion;
    uint64_t expanded; /* states that the planner asked for */
};

/* Between planner and problem: counts. */
static enum cor_status expand(void *self, const void *state, struct cor_expansion *expansion,
                              struct cor_error *error) {
    struct stage *s = self;
    const struct cor_planning_problem *below = cor_efsm_planning_problem(s->efsm);
    s->expanded++;
    return below->expand(below->self, state, expansion, error);
}

static void open_goal(struct stage *s, const char *goal, enum cor_plan_reading reading, uint64_t budget) {
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_efsm_goal_find(s->model, goal, &s->made, &s->goal, &error), COR_OK);
    assert_int_equal(cor_efsm_problem_create(s->model, s->goal, &s->efsm, &error), COR_OK);
    s->problem = *cor_efsm_planning_problem(s->efsm);
    s->problem.self = s;
    s->problem.expand = expand;
    s->definition = cor_default_planner();
    s->definition.problem = &s->problem;
    s->definition.model = s->model;
    s->definition.goal = s->goal;
    s->definition.efsm = s->efsm;
    s->definition.reading = reading;
    if (budget > 0)
        s->definition.state_budget = budget;
    s->kind = cor_planner_find("search");
    assert_int_equal(s->kind->create(&s->definition, &s->planner, &error), COR_OK);
}

static void open_stage(struct stage *s, const char *model, const char *goal, enum cor_plan_reading reading,
                       uint64_t budget) {
    struct cor_error error = COR_NO_ERROR;
    char path[500];
    *s = (struct stage){0};
    snprintf(path, sizeof path, MODELS "%s.json", model);
    assert_int_equal(cor_efsm_read(path, &s->model, &error), COR_OK);
    open_goal(s, goal, reading, budget);
}

static void close_goal(struct stage *s) {
    s->kind->destroy(s->planner);
    cor_efsm_problem_destroy(s->efsm);
    cor_efsm_goal_fini(&s->made);
    cor_expansion_fini(&s->expansion);
}

static void close_stage(struct stage *s) {
    close_goal(s);
    cor_efsm_destroy(s->model);
}

static struct cor_plan_choice choose(struct stage *s, const void *state, const uint64_t *covered) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_plan_choice choice;
    assert_int_equal(s->kind->choose(s->planner, state, covered, &choice, &error), COR_OK);
    return choice;
}

/* What the model alone says of a move: the state behind it, and the traps it covers. */
struct replay {
    uint32_t location, last;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    bool covered[1000];
};

static bool is_allowed(const struct cor_efsm_trap *trap, const bool *covered) {
    for (uint32_t a = 0; a < trap->after_count; a++)
        if (!covered[trap->after[a]])
            return false;
    return true;
}

static void replay(const struct stage *s, struct replay *r, const void *input, uint32_t transition) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    bool before[1000];
    uint32_t label;
    cor_efsm_problem_unpack_input(s->efsm, input, &label, r->values);
    assert_int_equal(s->model->transitions[transition].source, r->location);
    assert_int_equal(s->model->transitions[transition].input, label);
    memcpy(before, r->covered, sizeof before);
    for (uint32_t i = 0; i < s->goal->trap_count; i++)
        if (is_allowed(&s->goal->traps[i], before) &&
            (s->goal->traps[i].previous == COR_NONE || s->goal->traps[i].previous == r->last) &&
            cor_efsm_hits(s->model, &s->goal->traps[i], transition, r->values))
            r->covered[i] = true;
    assert_true(cor_efsm_step(s->model, transition, r->values, values));
    memcpy(r->values, values, sizeof values);
    r->location = s->model->transitions[transition].target;
    r->last = transition;
}

static void start_replay(const struct stage *s, struct replay *r) {
    *r = (struct replay){.location = s->model->initial, .last = COR_NONE};
    cor_efsm_start(s->model, r->values);
}

/* The planner's state after a replay, and what is covered. */
static void pack(const struct stage *s, const struct replay *r, unsigned char *state, uint64_t *covered) {
    cor_efsm_problem_pack(s->efsm, r->location, r->values, r->last, state);
    memset(covered, 0, s->problem.trap_words * sizeof *covered);
    for (uint32_t i = 0; i < s->goal->trap_count; i++)
        if (r->covered[i])
            cor_trap_add(covered, i);
}

/* Moves of a plan that the system plays along with; each is proven, and counts down. */
static uint32_t play_along(struct stage *s, enum cor_plan_proof proof) {
    unsigned char state[BYTES];
    uint64_t covered[16];
    struct replay r;
    uint32_t left = COR_NONE;
    start_replay(s, &r);
    for (uint32_t moves = 0; moves < MOVES; moves++) {
        pack(s, &r, state, covered);
        const struct cor_plan_choice choice = choose(s, state, covered);
        if (choice.advice == COR_ADVICE_COVERED)
            return moves;
        assert_int_equal(choice.advice, COR_ADVICE_INPUT);
        assert_int_equal(choice.proof, proof);
        assert_false(choice.is_part);
        if (left != COR_NONE)
            assert_int_equal(choice.left, left - 1);
        left = choice.left;
        replay(s, &r, choice.input, choice.label);
    }
    return COR_NONE;
}

/* Lengths by breadth-first search elsewhere (spin, and programs of paper 004's readers). */
static void shortest_plans_are_found_and_proven(void **state) {
    (void)state;
    static const struct {
        const char *model, *goal;
        uint32_t length;
    } known[] = {
        {"counter3", "trap_t3", 11},
        {"inres_initiator", "trap_t8", 8},
        {"inres_initiator", "trap_t5", 6},
        {"inres_initiator", "T2-1", 8},
        {"inres_initiator", "T2-2", 8},
        {"inres_initiator", "T2-3", 8},
        {"inres_initiator", "T2-4", 12},
        {"inres_initiator", "T2-5", 9},
        {"inres_initiator", "T2-6", 26},
        {"inres_initiator", "T2-7", 31},
        {"inres_initiator", "T2-8", 32},
        {"inres_initiator", "all-transitions", 36},
        {"inres_hogrefe", "trap_t8", 7},
        {"inres_hogrefe", "trap_t5", 6},
        {"inres_hogrefe", "trap_t3", 5},
        {"inres_hogrefe", "all-transitions", 33},
        {"button_doors_1", "trap_t_14", 16},
        {"button_doors_1", "trap_t_30", 17},
        {"phone_call_1", "trap_t5", 8},
        {"phone_call_1", "all-transitions", 12},
        {"phone_call_time", "trap_t4", 7},
        {"phone_call_time", "trap_t8", 7},
        {"phone_call_time", "all-transitions", 17},
        {"traffic_light", "trap_t_1", 61},
        {"traffic_light", "trap_t_6", 128},
        {"traffic_light", "all-transitions", 250},
        {"shopping_cart", "three_books", 9},
        {"shopping_cart", "all-transitions", 15},
        {"escape", "trap_win", 10},
        {"lossy_link", "trap_fin", 5},
        {"lossy_link", "trap_reset", 7},
        {"lossy_link", "all-transitions", 15},
        {"counter3_100", "trap_t3", 21},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct stage s;
        open_stage(&s, known[i].model, known[i].goal, COR_READING_HOPE, 0);
        assert_int_equal(play_along(&s, COR_PROOF_SEARCH), known[i].length);
        close_stage(&s);
    }
}

/* No clock: what takes time is expanding states. */
static void while_the_system_does_what_was_planned_nothing_is_searched(void **state) {
    (void)state;
    static const enum cor_plan_reading readings[] = {COR_READING_HOPE, COR_READING_FORCED,
                                                     COR_READING_EXPECTED};
    for (size_t i = 0; i < 3; i++) {
        struct stage s;
        struct replay r;
        unsigned char bytes[BYTES];
        uint64_t covered[16];
        open_stage(&s, "counter3", "trap_t3", readings[i], 0);
        start_replay(&s, &r);
        pack(&s, &r, bytes, covered);
        choose(&s, bytes, covered);
        const uint64_t before = s.expanded;
        assert_true(before > 0);
        assert_int_equal(play_along(&s, i == 0 ? COR_PROOF_SEARCH : COR_PROOF_FIXPOINT), 11);
        assert_int_equal(s.expanded, before);
        close_stage(&s);
    }
}

static void a_search_looks_at_no_more_states_than_its_budget(void **state) {
    (void)state;
    static const enum cor_plan_reading readings[] = {COR_READING_FORCED, COR_READING_EXPECTED};
    for (size_t i = 0; i < 2; i++) {
        struct stage s;
        struct replay r;
        unsigned char bytes[BYTES];
        uint64_t covered[16];
        open_stage(&s, "counter3", "trap_t3", readings[i], 500);
        start_replay(&s, &r);
        pack(&s, &r, bytes, covered);
        const struct cor_plan_choice choice = choose(&s, bytes, covered);
        assert_int_equal(choice.advice, COR_ADVICE_GIVE_UP);
        assert_int_equal(choice.proof, COR_PROOF_NONE);
        assert_true(s.expanded <= 4 * 500); /* all together, the nearest first, and twice for a kind system */
        close_stage(&s);
    }
}

/* However few states may be looked at, there is a next input, and it is said that it is not the search's;
 * what is looked at is bounded, and a search in vain is not repeated in each state. */
static void beyond_a_tiny_budget_the_paper_s_planner_answers_and_is_named(void **state) {
    (void)state;
    static const struct {
        const char *model, *goal;
        uint32_t length;
    } known[] = {
        {"counter3", "trap_t3", 23}, {"inres_initiator", "trap_t8", 8}, {"lossy_link", "trap_fin", 5}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (uint64_t budget = 1; budget <= 3; budget++) {
            struct stage s;
            struct replay r;
            unsigned char bytes[BYTES], next[BYTES];
            uint64_t covered[16];
            uint32_t moves = 0, fallen = 0;
            open_stage(&s, known[i].model, known[i].goal, COR_READING_HOPE, budget);
            start_replay(&s, &r);
            for (;; moves++) {
                struct cor_error error = COR_NO_ERROR;
                pack(&s, &r, bytes, covered);
                const struct cor_plan_choice choice = choose(&s, bytes, covered);
                if (choice.advice == COR_ADVICE_COVERED)
                    break;
                assert_int_equal(choice.advice, COR_ADVICE_INPUT);
                assert_false(choice.is_part); /* there is one trap */
                const bool is_papers = strcmp(choice.method, "more states than the budget: chi-RPT") == 0;
                assert_true(is_papers || choice.proof == COR_PROOF_SEARCH);
                assert_true(!is_papers || choice.proof == COR_PROOF_NONE);
                fallen += is_papers;
                unsigned char input[BYTES];
                memcpy(input, choice.input, s.problem.input_size);
                replay(&s, &r, input, choice.label);
                pack(&s, &r, next, covered);
                assert_int_equal(s.kind->observe(s.planner, bytes, input, choice.label, next, &error),
                                 COR_OK);
            }
            assert_int_equal(moves, known[i].length);
            assert_true(fallen > 0);
            close_stage(&s);
        }
}

/* y never decreases: behind y = 7 the goal is lost, and that is proven. */
static void what_cannot_be_reached_is_said_to_be_lost_with_proof(void **state) {
    (void)state;
    for (int reading = COR_READING_HOPE; reading <= COR_READING_EXPECTED; reading++) {
        struct stage s;
        struct replay r;
        unsigned char bytes[BYTES];
        uint64_t covered[16];
        open_stage(&s, "counter3", "trap_t3", (enum cor_plan_reading)reading, 0);
        start_replay(&s, &r);
        r.location = s.model->transitions[1].source;
        for (uint32_t v = 0; v < s.model->variable_count; v++)
            if (strcmp(s.model->variables[v].name, "y") == 0)
                r.values[v] = 7;
        pack(&s, &r, bytes, covered);
        const struct cor_plan_choice choice = choose(&s, bytes, covered);
        assert_int_equal(choice.advice, COR_ADVICE_LOST);
        assert_int_equal(choice.proof, COR_PROOF_FIXPOINT);
        assert_true(choice.lost && cor_trap_is_in(choice.lost, 0));
        close_stage(&s);
    }
}

static void what_the_system_can_prevent_is_not_called_lost(void **state) {
    (void)state;
    struct stage s;
    struct replay r;
    unsigned char bytes[BYTES];
    uint64_t covered[16];
    open_stage(&s, "lossy_link", "trap_fin", COR_READING_FORCED, 0);
    start_replay(&s, &r);
    pack(&s, &r, bytes, covered);
    const struct cor_plan_choice choice = choose(&s, bytes, covered);
    assert_int_equal(choice.advice, COR_ADVICE_PREVENTED);
    assert_int_equal(choice.proof, COR_PROOF_FIXPOINT);
    assert_null(choice.lost);
    close_stage(&s);
}

static const char echo[] =
    "{\"format\":\"efsm-json/1\",\"name\":\"echo\",\"vars\":[{\"name\":\"p\",\"kind\":\"param\",\"lo\":0,"
    "\"hi\":10000000},{\"name\":\"x\",\"kind\":\"state\",\"lo\":0,\"hi\":10000000,\"init\":0}],\"locations\":"
    "[\"a\",\"b\"],\"initial\":\"a\",\"inputs\":[{\"label\":\"A\",\"params\":[\"p\"]}],\"outputs\":[],"
    "\"transitions\":[{\"id\":\"in\",\"src\":\"a\",\"dst\":\"b\",\"input\":\"A\",\"guard\":\"true\","
    "\"update\":{\"x\":\"p\"},\"outputs\":[]},{\"id\":\"out\",\"src\":\"b\",\"dst\":\"b\",\"input\":\"A\","
    "\"guard\":\"x == 1234567 && p == 0\",\"update\":{},\"outputs\":[]}]}";

/* Ten million inputs with an effect each, of which the one that matters is left out. */
static void where_inputs_are_left_out_nothing_is_proven(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    for (int reading = COR_READING_HOPE; reading <= COR_READING_EXPECTED; reading++) {
        struct stage s = {0};
        struct replay r;
        unsigned char bytes[BYTES];
        uint64_t covered[16];
        assert_int_equal(cor_efsm_parse(echo, "echo", &s.model, &error), COR_OK);
        open_goal(&s, "out", (enum cor_plan_reading)reading, 0);
        assert_true(cor_efsm_problem_is_partial(s.efsm));
        start_replay(&s, &r);
        pack(&s, &r, bytes, covered);
        const struct cor_plan_choice choice = choose(&s, bytes, covered);
        assert_int_not_equal(choice.advice, COR_ADVICE_LOST);
        assert_int_not_equal(choice.advice, COR_ADVICE_PREVENTED);
        assert_int_equal(choice.proof, COR_PROOF_NONE);
        close_stage(&s);
    }
}

/* Choice. */

/* One move of a system: the outcome that `take` picks of those of the input. */
static void answer(struct stage *s, struct replay *r, const unsigned char *bytes, const void *input,
                   uint32_t (*take)(const struct stage *s, uint32_t first, uint32_t count,
                                    struct cor_rng *rng),
                   struct cor_rng *rng, uint32_t *label) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_planning_problem *problem = cor_efsm_planning_problem(s->efsm);
    unsigned char given[BYTES];
    memcpy(given, input, problem->input_size);
    assert_int_equal(cor_expand(problem, bytes, &s->expansion, &error), COR_OK);
    uint32_t i = 0;
    while (memcmp(s->expansion.inputs + i * problem->input_size, given, problem->input_size) != 0)
        assert_true(++i < s->expansion.input_count);
    const uint32_t first = s->expansion.first[i], count = s->expansion.first[i + 1] - first;
    *label = s->expansion.outcomes[first + (count == 1 ? 0 : take(s, first, count, rng))].label;
    replay(s, r, given, *label);
}

static uint32_t take_any(const struct stage *s, uint32_t first, uint32_t count, struct cor_rng *rng) {
    (void)s;
    (void)first;
    return cor_rng_below(rng, count);
}

/* Moves until all is covered. */
static uint32_t play_against(struct stage *s, struct cor_rng *rng, uint32_t bound) {
    unsigned char state[BYTES];
    uint64_t covered[16];
    struct replay r;
    uint32_t moves = 0, label;
    start_replay(s, &r);
    for (;; moves++) {
        pack(s, &r, state, covered);
        const struct cor_plan_choice choice = choose(s, state, covered);
        if (choice.advice == COR_ADVICE_COVERED)
            return moves;
        assert_int_equal(choice.advice, COR_ADVICE_INPUT);
        assert_true(moves < bound && choice.left <= bound - moves);
        answer(s, &r, state, choice.input, take_any, rng, &label);
    }
}

static void forced_plans_never_exceed_their_bound(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 5, .purpose = COR_PURPOSE_TEST});
    static struct model_text text;
    uint32_t runs = 0, plans = 0, chances = 0;
    while (runs < adversarial_runs) {
        struct stage s = {0};
        struct replay r;
        unsigned char bytes[BYTES];
        uint64_t covered[16];
        write_model(&rng, &text);
        assert_int_equal(cor_efsm_parse(text.text, "random", &s.model, &error), COR_OK);
        open_goal(&s, "some", COR_READING_FORCED, 0);
        start_replay(&s, &r);
        pack(&s, &r, bytes, covered);
        const struct cor_plan_choice choice = choose(&s, bytes, covered);
        if (choice.advice == COR_ADVICE_INPUT && choice.left > 1) {
            const uint32_t bound = choice.left;
            plans++;
            for (uint32_t i = 0; i < 30; i++, runs++)
                chances += play_against(&s, &rng, bound) < bound;
        }
        close_stage(&s);
    }
    print_message("%u plans, %u runs, %u shorter than the bound\n", plans, runs, chances);
    assert_true(plans > 20 && chances > 0);
}

/* The link without its reset: three acknowledged frames in a row. */
static const char link_text[] =
    "{\"format\":\"efsm-json/1\",\"name\":\"link\",\"vars\":[{\"name\":\"ok\",\"kind\":\"state\",\"lo\":0,"
    "\"hi\":3,\"init\":0}],\"locations\":[\"up\"],\"initial\":\"up\",\"inputs\":[{\"label\":\"SEND\","
    "\"params\":[]}],\"outputs\":[{\"label\":\"ACK\",\"params\":[]},{\"label\":\"NAK\",\"params\":[]}],"
    "\"transitions\":[{\"id\":\"ack\",\"src\":\"up\",\"dst\":\"up\",\"input\":\"SEND\",\"guard\":\"ok < 3\","
    "\"update\":{\"ok\":\"ok + 1\"},\"outputs\":[{\"label\":\"ACK\",\"args\":[]}]},{\"id\":\"loss\",\"src\":"
    "\"up\",\"dst\":\"up\",\"input\":\"SEND\",\"guard\":\"ok < 3\",\"update\":{\"ok\":\"0\"},\"outputs\":[{"
    "\"label\":\"NAK\",\"args\":[]}]}],\"goals\":[{\"name\":\"three\",\"traps\":[{\"id\":\"three\","
    "\"transition\":\"ack\",\"constraint\":\"ok == 2\"}]}]}";

static double sends_of(double loss) {
    const double q = 1 - loss;
    return 1 / q + 1 / (q * q) + 1 / (q * q * q);
}

static void expected_sends_over_a_lossy_link_are_those_of_the_formula(void **state) {
    (void)state;
    static const double losses[] = {0.1, 0.3, 0.5, 0.9};
    struct cor_error error = COR_NO_ERROR;
    for (size_t i = 0; i < 4; i++) {
        struct stage s = {0};
        struct replay r;
        unsigned char bytes[BYTES];
        uint64_t covered[16];
        const double weights[] = {1 - losses[i], losses[i]};
        assert_int_equal(cor_efsm_parse(link_text, "link", &s.model, &error), COR_OK);
        open_goal(&s, "three", COR_READING_EXPECTED, 0);
        s.kind->destroy(s.planner);
        s.definition.weights = weights;
        assert_int_equal(s.kind->create(&s.definition, &s.planner, &error), COR_OK);
        start_replay(&s, &r);
        pack(&s, &r, bytes, covered);
        const struct cor_plan_choice choice = choose(&s, bytes, covered);
        assert_int_equal(choice.proof, COR_PROOF_FIXPOINT);
        assert_true(fabs(choice.expected - sends_of(losses[i])) < 1e-9 * sends_of(losses[i]));
        close_stage(&s);
    }
}

static double loss_now;

static uint32_t take_by_loss(const struct stage *s, uint32_t first, uint32_t count, struct cor_rng *rng) {
    (void)count;
    const bool lost = cor_rng_unit(rng) < loss_now;
    const bool first_is_loss =
        strcmp(s->model->transition_names[s->expansion.outcomes[first].label], "loss") == 0;
    return lost == first_is_loss ? 0 : 1;
}

/* Frames until three in a row were acknowledged and the link is closed; the planner learns on the way. */
static uint32_t send_all(struct stage *s, struct cor_rng *rng) {
    struct cor_error error = COR_NO_ERROR;
    unsigned char state[BYTES], input[BYTES], next[BYTES];
    uint64_t covered[16];
    struct replay r;
    uint32_t frames = 0, label;
    start_replay(s, &r);
    for (;;) {
        pack(s, &r, state, covered);
        const struct cor_plan_choice choice = choose(s, state, covered);
        if (choice.advice == COR_ADVICE_COVERED)
            return frames;
        assert_int_equal(choice.advice, COR_ADVICE_INPUT);
        memcpy(input, choice.input, s->problem.input_size);
        answer(s, &r, state, input, take_by_loss, rng, &label);
        const char *name = s->model->transition_names[label];
        frames += strcmp(name, "ack") == 0 || strcmp(name, "loss") == 0;
        pack(s, &r, next, covered);
        assert_int_equal(s->kind->observe(s->planner, state, input, label, next, &error), COR_OK);
    }
}

static void runs_over_a_lossy_link_take_as_many_frames_as_expected(void **state) {
    (void)state;
    static const double losses[] = {0.1, 0.3, 0.5};
    const uint32_t runs = lossy_runs;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 9, .purpose = COR_PURPOSE_TEST});
    for (size_t i = 0; i < 3; i++) {
        struct stage s;
        double sum = 0, squares = 0;
        loss_now = losses[i];
        open_stage(&s, "lossy_link", "trap_fin", COR_READING_EXPECTED, 0);
        for (uint32_t run = 0; run < runs; run++) {
            const double frames = send_all(&s, &rng);
            sum += frames;
            squares += frames * frames;
        }
        const double mean = sum / runs, deviation = sqrt((squares / runs - mean * mean) / runs);
        const double z = (mean - sends_of(losses[i])) / deviation;
        print_message("loss %.1f: %.4f frames, expected %.4f, z %.2f\n", losses[i], mean, sends_of(losses[i]),
                      z);
        assert_true(fabs(z) < 3);
        close_stage(&s);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortest_plans_are_found_and_proven),
        cmocka_unit_test(while_the_system_does_what_was_planned_nothing_is_searched),
        cmocka_unit_test(a_search_looks_at_no_more_states_than_its_budget),
        cmocka_unit_test(beyond_a_tiny_budget_the_paper_s_planner_answers_and_is_named),
        cmocka_unit_test(what_cannot_be_reached_is_said_to_be_lost_with_proof),
        cmocka_unit_test(what_the_system_can_prevent_is_not_called_lost),
        cmocka_unit_test(where_inputs_are_left_out_nothing_is_proven),
        cmocka_unit_test(forced_plans_never_exceed_their_bound),
        cmocka_unit_test(expected_sends_over_a_lossy_link_are_those_of_the_formula),
        cmocka_unit_test(runs_over_a_lossy_link_take_as_many_frames_as_expected),
    };
    if (argc > 1)
        adversarial_runs = (uint32_t)strtoul(argv[1], NULL, 10);
    if (argc > 2)
        lossy_runs = (uint32_t)strtoul(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
