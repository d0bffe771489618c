/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rings of both back ends against each other and against distances found here by trying each move of each
 * state over and over; and the printed constraints, parsed again, against both. */
#include "cube.h"
#include "random_models.h"

#include <corridor/array.h>
#include <corridor/efsm_reach.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define MODELS TEST_SOURCE_DIR "/experiments/library/efsm/"

/* All states in order of number: location, then values, the last variable fastest. */
struct states {
    const struct cor_efsm *model;
    uint32_t variables[COR_EFSM_VARIABLES_MAX], variable_count;
    uint64_t each, count;
};

static struct states states_of(const struct cor_efsm *model) {
    struct states s = {.model = model};
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE)
            s.variables[s.variable_count++] = v;
    s.each = cor_efsm_domain_size(model, s.variables, s.variable_count);
    s.count = s.each * model->location_count;
    return s;
}

static uint64_t number_of(const struct states *s, uint32_t location, const int64_t *values) {
    uint64_t number = location;
    for (uint32_t i = 0; i < s->variable_count; i++) {
        const struct cor_efsm_variable *v = &s->model->variables[s->variables[i]];
        number = number * (uint64_t)(v->high - v->low + 1) + (uint64_t)(values[s->variables[i]] - v->low);
    }
    return number;
}

/* One round: each state that is still far takes the least over its moves. Whether anything changed. */
static bool relax(const struct states *s, const struct cor_efsm_trap *trap, uint32_t *distance, bool first) {
    const struct cor_efsm *model = s->model;
    bool changed = false;
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const struct cor_efsm_transition *transition = &model->transitions[t];
        const struct cor_efsm_label *input = &model->inputs[transition->input];
        int64_t values[COR_EFSM_VARIABLES_MAX], next[COR_EFSM_VARIABLES_MAX];
        cor_efsm_start(model, values);
        cor_efsm_first_values(model, s->variables, s->variable_count, values);
        do {
            uint32_t *here = &distance[number_of(s, transition->source, values)];
            cor_efsm_first_values(model, input->parameters, input->parameter_count, values);
            do {
                if (!cor_efsm_step(model, t, values, next))
                    continue;
                const uint32_t behind = distance[number_of(s, transition->target, next)];
                uint32_t found = COR_EFSM_FAR;
                if (cor_efsm_hits(model, trap, t, values) && trap->previous == COR_NONE)
                    found = 1;
                else if (!first && behind != COR_EFSM_FAR)
                    found = behind + 1;
                if (found < *here) {
                    *here = found;
                    changed = true;
                }
            } while (cor_efsm_next_values(model, input->parameters, input->parameter_count, values));
        } while (cor_efsm_next_values(model, s->variables, s->variable_count, values));
    }
    return changed;
}

/* Distances of a trap with `previous`: those of "taking previous from a state behind which the trap can be
 * covered". */
static void start_pair(const struct states *s, const struct cor_efsm_trap *trap, uint32_t *distance) {
    const struct cor_efsm *model = s->model;
    const struct cor_efsm_transition *before = &model->transitions[trap->previous];
    const struct cor_efsm_label *input = &model->inputs[before->input];
    struct cor_efsm_trap alone = *trap;
    int64_t values[COR_EFSM_VARIABLES_MAX], next[COR_EFSM_VARIABLES_MAX];
    uint32_t *second = cor_calloc(s->count, sizeof *second);
    alone.previous = COR_NONE;
    memset(second, 0xff, s->count * sizeof *second);
    relax(s, &alone, second, true);
    cor_efsm_start(model, values);
    cor_efsm_first_values(model, s->variables, s->variable_count, values);
    do {
        cor_efsm_first_values(model, input->parameters, input->parameter_count, values);
        do
            if (cor_efsm_step(model, trap->previous, values, next) &&
                second[number_of(s, before->target, next)] == 1)
                distance[number_of(s, before->source, values)] = 2;
        while (cor_efsm_next_values(model, input->parameters, input->parameter_count, values));
    } while (cor_efsm_next_values(model, s->variables, s->variable_count, values));
    free(second);
}

static uint32_t *true_distances(const struct states *s, const struct cor_efsm_trap *trap) {
    uint32_t *distance = cor_calloc(s->count, sizeof *distance);
    assert_non_null(distance);
    memset(distance, 0xff, s->count * sizeof *distance);
    if (trap->previous != COR_NONE)
        start_pair(s, trap, distance);
    while (relax(s, trap, distance, false))
        ;
    return distance;
}

static struct cor_efsm_reach *reach_of(const struct cor_efsm *model, const struct cor_efsm_trap *trap,
                                       enum cor_efsm_backend backend) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_efsm_reach *reach;
    const struct cor_efsm_reach_definition definition = cor_default_efsm_reach(model, trap, backend);
    if (cor_efsm_reach_create(&definition, &reach, &error) != COR_OK)
        fail_msg("%s", error.cause);
    return reach;
}

/* The constraint that was printed, NULL if it is too long to be read again. */
static bool read_again(const struct cor_efsm *model, char *text, struct cor_expression *expression) {
    const char *names[COR_EFSM_VARIABLES_MAX + 1];
    struct cor_error error = COR_NO_ERROR;
    for (uint32_t v = 0; v <= model->variable_count; v++)
        names[v] = model->variable_names[v];
    const bool read = cor_expression_parse(text, names, true, NULL, expression, &error) == COR_OK;
    if (!read && !strstr(error.cause, "more than 1000 parts") && !strstr(error.cause, "more than 200 deep"))
        fail_msg("%s", error.cause);
    free(text);
    return read;
}

static uint64_t texts_read;

/* The degree of a state is that of the text; of states together none is less. */
static void check_degree(const struct states *s, const struct cor_efsm_reach *reach,
                         const struct cor_expression *constraint, uint32_t location, uint32_t ring,
                         const int64_t *values) {
    const uint64_t degree = cor_expression_degree(constraint, values);
    int64_t low[COR_EFSM_VARIABLES_MAX], high[COR_EFSM_VARIABLES_MAX];
    if (cor_efsm_reach_degree(reach, location, values, values) != degree)
        fail_msg("%s, ring %u: %s", s->model->location_names[location], ring, constraint->text);
    for (uint32_t i = 0; i < s->variable_count; i++) {
        const uint32_t v = s->variables[i];
        memcpy(low, values, sizeof low);
        memcpy(high, values, sizeof high);
        low[v] = s->model->variables[v].low;
        high[v] = s->model->variables[v].high;
        assert_true(cor_efsm_reach_degree(reach, location, low, high) <= degree);
    }
}

static void check_location_text(const struct states *s, const struct cor_efsm_reach *reach,
                                const uint32_t *distance, uint32_t location, uint32_t ring,
                                enum cor_efsm_backend backend) {
    struct cor_expression constraint;
    char *text;
    assert_int_equal(cor_efsm_reach_location_text(reach, location, ring, &text, NULL), COR_OK);
    if (!read_again(s->model, text, &constraint))
        return;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    uint64_t number = location * s->each;
    cor_efsm_start(s->model, values);
    cor_efsm_first_values(s->model, s->variables, s->variable_count, values);
    do {
        const uint32_t d = distance[number++];
        const bool expected = ring == 0 ? d != COR_EFSM_FAR : d == ring;
        if (cor_expression_holds(&constraint, values) != expected)
            fail_msg("%s, ring %u: %s", s->model->location_names[location], ring, constraint.text);
        if (backend == COR_EFSM_SYMBOLIC && ring == 0)
            check_degree(s, reach, &constraint, location, ring, values);
    } while (cor_efsm_next_values(s->model, s->variables, s->variable_count, values));
    texts_read++;
    cor_expression_fini(&constraint);
}

static void check_guard_text(const struct states *s, const struct cor_efsm_reach *reach,
                             const uint32_t *distance, const struct cor_efsm_trap *trap, uint32_t t,
                             uint32_t ring) {
    const struct cor_efsm_transition *transition = &s->model->transitions[t];
    const struct cor_efsm_label *input = &s->model->inputs[transition->input];
    struct cor_expression constraint;
    char *text;
    assert_int_equal(cor_efsm_reach_guard_text(reach, t, ring, &text, NULL), COR_OK);
    if (!read_again(s->model, text, &constraint))
        return;
    int64_t values[COR_EFSM_VARIABLES_MAX], next[COR_EFSM_VARIABLES_MAX];
    cor_efsm_start(s->model, values);
    cor_efsm_first_values(s->model, s->variables, s->variable_count, values);
    do {
        cor_efsm_first_values(s->model, input->parameters, input->parameter_count, values);
        do {
            const uint32_t here = distance[number_of(s, transition->source, values)];
            bool expected = here == ring && cor_efsm_step(s->model, t, values, next);
            if (expected && ring == 1)
                expected = cor_efsm_hits(s->model, trap, t, values);
            else if (expected)
                expected = distance[number_of(s, transition->target, next)] == ring - 1;
            if (cor_expression_holds(&constraint, values) != expected)
                fail_msg("%s, ring %u: %s", s->model->transition_names[t], ring, constraint.text);
            if (here == ring && cor_efsm_reach_is_first(reach, t, values) != expected)
                fail_msg("%s is%s first", s->model->transition_names[t], expected ? " not" : "");
        } while (cor_efsm_next_values(s->model, input->parameters, input->parameter_count, values));
    } while (cor_efsm_next_values(s->model, s->variables, s->variable_count, values));
    texts_read++;
    cor_expression_fini(&constraint);
}

static void check_texts(const struct states *s, const struct cor_efsm_reach *reach, const uint32_t *distance,
                        const struct cor_efsm_trap *trap, enum cor_efsm_backend backend) {
    const uint32_t rings = cor_efsm_reach_summary(reach).rings;
    for (uint32_t ring = 0; ring <= rings + 1; ring++) {
        for (uint32_t l = 0; l < s->model->location_count; l++)
            check_location_text(s, reach, distance, l, ring, backend);
        for (uint32_t t = 0; t < s->model->transition_count && ring > 0 && trap->previous == COR_NONE; t++)
            check_guard_text(s, reach, distance, trap, t, ring);
    }
}

/* The states that moves from the start lead to, by trying each move of each over and over. */
static bool *reachable_states(const struct states *s) {
    const struct cor_efsm *model = s->model;
    bool *is_there = cor_calloc(s->count, sizeof *is_there);
    int64_t values[COR_EFSM_VARIABLES_MAX], next[COR_EFSM_VARIABLES_MAX];
    assert_non_null(is_there);
    cor_efsm_start(model, values);
    is_there[number_of(s, model->initial, values)] = true;
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t t = 0; t < model->transition_count; t++) {
            const struct cor_efsm_transition *transition = &model->transitions[t];
            const struct cor_efsm_label *input = &model->inputs[transition->input];
            cor_efsm_start(model, values);
            cor_efsm_first_values(model, s->variables, s->variable_count, values);
            do {
                if (!is_there[number_of(s, transition->source, values)])
                    continue;
                cor_efsm_first_values(model, input->parameters, input->parameter_count, values);
                do {
                    if (!cor_efsm_step(model, t, values, next))
                        continue;
                    bool *behind = &is_there[number_of(s, transition->target, next)];
                    grew = grew || !*behind;
                    *behind = true;
                } while (cor_efsm_next_values(model, input->parameters, input->parameter_count, values));
            } while (cor_efsm_next_values(model, s->variables, s->variable_count, values));
        }
    }
    return is_there;
}

static uint64_t states_left_out;

/* Of states that the start leads to alone rings are these; a state that it does not lead to is in its ring,
 * or in none. */
static void check_from_start(const struct states *s, const struct cor_efsm_trap *trap,
                             const uint32_t *distance) {
    const struct cor_efsm *model = s->model;
    bool *is_there = reachable_states(s);
    struct cor_efsm_reach_definition definition = cor_default_efsm_reach(model, trap, COR_EFSM_SYMBOLIC);
    struct cor_efsm_reach *reach;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    uint64_t number = 0;
    definition.from_start = true;
    assert_int_equal(cor_efsm_reach_create(&definition, &reach, NULL), COR_OK);
    assert_int_equal(cor_efsm_reach_summary(reach).end, COR_EFSM_END_FIXPOINT);
    for (uint32_t l = 0; l < model->location_count; l++) {
        cor_efsm_start(model, values);
        cor_efsm_first_values(model, s->variables, s->variable_count, values);
        do {
            const uint32_t d = distance[number], found = cor_efsm_reach_distance(reach, l, values);
            if (found != d && (is_there[number] || found != COR_EFSM_FAR))
                fail_msg("%s, trap %s at %s, from the start: %u instead of %u", model->name, trap->id,
                         model->location_names[l], found, d);
            states_left_out += found != d;
            number++;
        } while (cor_efsm_next_values(model, s->variables, s->variable_count, values));
    }
    cor_efsm_reach_destroy(reach);
    free(is_there);
}

static void check_trap(const struct cor_efsm *model, const struct cor_efsm_trap *trap, bool texts) {
    const struct states s = states_of(model);
    uint32_t *distance = true_distances(&s, trap), rings = 0;
    struct cor_efsm_reach *reach[2];
    check_from_start(&s, trap, distance);
    for (int b = 0; b < 2; b++) {
        reach[b] = reach_of(model, trap, (enum cor_efsm_backend)b);
        assert_int_equal(cor_efsm_reach_summary(reach[b]).end, COR_EFSM_END_FIXPOINT);
        int64_t values[COR_EFSM_VARIABLES_MAX];
        for (uint32_t l = 0; l < model->location_count; l++) {
            uint64_t number = l * s.each;
            uint32_t longest = 0;
            cor_efsm_start(model, values);
            cor_efsm_first_values(model, s.variables, s.variable_count, values);
            do {
                const uint32_t d = distance[number++], found = cor_efsm_reach_distance(reach[b], l, values);
                longest = d != COR_EFSM_FAR && d > longest ? d : longest;
                if (found != d)
                    fail_msg("%s, trap %s at %s, back end %d: %u instead of %u", model->name, trap->id,
                             model->location_names[l], b, found, d);
            } while (cor_efsm_next_values(model, s.variables, s.variable_count, values));
            assert_int_equal(cor_efsm_reach_longest(reach[b], l), longest);
            rings = longest > rings ? longest : rings;
        }
        assert_int_equal(cor_efsm_reach_summary(reach[b]).rings, rings);
        if (texts)
            check_texts(&s, reach[b], distance, trap, (enum cor_efsm_backend)b);
        cor_efsm_reach_destroy(reach[b]);
    }
    free(distance);
}

static void check_goal(const struct cor_efsm *model, const struct cor_efsm_goal *goal, bool texts) {
    for (uint32_t i = 0; i < goal->trap_count; i++)
        check_trap(model, &goal->traps[i], texts);
}

static void check_cover(const struct cor_efsm *model, enum cor_efsm_cover cover, bool texts) {
    struct cor_efsm_goal goal;
    struct cor_error error = COR_NO_ERROR;
    if (cor_efsm_goal_cover(model, cover, &goal, &error) != COR_OK)
        fail_msg("%s", error.cause);
    check_goal(model, &goal, texts);
    cor_efsm_goal_fini(&goal);
}

static void both_back_ends_give_the_distances_of_every_state_of_random_models(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 21, .purpose = COR_PURPOSE_TEST});
    const int count = getenv("COR_TORTURE_MODELS") ? atoi(getenv("COR_TORTURE_MODELS")) : 400;
    for (int round = 0; round < count; round++) {
        struct model_text text;
        struct cor_efsm *model;
        struct cor_error error = COR_NO_ERROR;
        write_model(&rng, &text);
        if (cor_efsm_parse(text.text, "random", &model, &error) != COR_OK)
            fail_msg("%s: %s\n%s", error.place, error.cause, text.text);
        check_goal(model, &model->goals[0], true);
        check_cover(model, (enum cor_efsm_cover)(round % 4), false);
        cor_efsm_destroy(model);
    }
    assert_true(texts_read > 1000);
    assert_true(states_left_out > 1000);
}

/* Cubes of four variables of few values, with inequalities of small coefficients: whether they have a point
 * is what trying all says, and what is dropped of them changes none. */
static void points_of_random_cubes_are_those_that_trying_finds(void **unused) {
    (void)unused;
    enum { VARIABLES = 4, SPAN = 6 };
    static const char text[] =
        "{\"format\":\"efsm-json/1\",\"name\":\"cubes\",\"vars\":["
        "{\"name\":\"a\",\"kind\":\"state\",\"lo\":-2,\"hi\":3,\"init\":0},"
        "{\"name\":\"b\",\"kind\":\"state\",\"lo\":-2,\"hi\":3,\"init\":0},"
        "{\"name\":\"c\",\"kind\":\"state\",\"lo\":-2,\"hi\":3,\"init\":0},"
        "{\"name\":\"d\",\"kind\":\"state\",\"lo\":-2,\"hi\":3,\"init\":0}],"
        "\"locations\":[\"l\"],\"initial\":\"l\",\"inputs\":[{\"label\":\"I\",\"params\":[]}],\"outputs\":[],"
        "\"transitions\":[{\"id\":\"t\",\"src\":\"l\",\"dst\":\"l\",\"input\":\"I\",\"guard\":\"true\","
        "\"update\":{},\"outputs\":[]}],\"goals\":[]}";
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 27, .purpose = COR_PURPOSE_TEST});
    struct cor_efsm *model;
    struct efsm__space space;
    uint32_t empty = 0, thinned = 0;
    assert_int_equal(cor_efsm_parse(text, "cubes", &model, NULL), COR_OK);
    efsm__space_init(&space, model, NULL);
    for (int round = 0; round < 3000; round++) {
        struct efsm__cube cube, thin;
        assert_true(efsm__cube_init(&space, &cube));
        const uint32_t atoms = 1 + cor_rng_below(&rng, 7);
        for (uint32_t a = 0; a < atoms; a++) {
            struct efsm__linear form = efsm__linear_of(cor_rng_between(&rng, -6, 5));
            for (uint32_t v = 0; v < VARIABLES; v++)
                form.coefficient[v] = cor_rng_between(&rng, -3, 3) * (cor_rng_below(&rng, 3) > 0);
            efsm__cube_require(&space, &cube, &form);
        }
        int64_t values[COR_EFSM_VARIABLES_MAX] = {0}, found[COR_EFSM_VARIABLES_MAX];
        assert_true(efsm__cube_copy(&space, &cube, &thin));
        const bool may = efsm__cube_settle(&space, &thin);
        const enum cor_answer answer = may ? efsm__cube_point(&space, &thin, found) : COR_ANSWER_EMPTY;
        const uint32_t before = thin.atom_count;
        if (may)
            efsm__cube_thin(&space, &thin);
        thinned += before - thin.atom_count;
        bool any = false;
        for (uint32_t point = 0; point < SPAN * SPAN * SPAN * SPAN; point++) {
            for (uint32_t v = 0, rest = point; v < VARIABLES; v++, rest /= SPAN)
                values[v] = (int64_t)(rest % SPAN) - 2;
            const bool has = efsm__cube_has(&space, &cube, values);
            any = any || has;
            assert_int_equal(has, may && efsm__cube_has(&space, &thin, values));
        }
        assert_int_not_equal(answer, any ? COR_ANSWER_EMPTY : COR_ANSWER_SATISFIABLE);
        if (answer == COR_ANSWER_SATISFIABLE)
            assert_true(efsm__cube_has(&space, &cube, found));
        assert_true(answer != COR_ANSWER_UNDECIDED || !cor_solver_is_there());
        empty += !any && may;
        efsm__cube_fini(&cube);
        efsm__cube_fini(&thin);
    }
    print_message("%u empty cubes that bounds do not tell, %u inequalities dropped, z3 asked %llu times\n",
                  empty, thinned,
                  (unsigned long long)efsm__space_statistics(&space).of[COR_QUESTION_POINT].asked);
    assert_true(empty > 20 && thinned > 300);
    efsm__space_fini(&space);
    cor_efsm_destroy(model);
}

/* Two inequalities that bound p from both sides with coefficients that do not combine. */
static void write_gap(struct cor_rng *rng, struct model_text *out) {
    const uint32_t a = 2 + cor_rng_below(rng, 2), b = 2 + cor_rng_below(rng, 2),
                   x = 60 + cor_rng_below(rng, 40);
    const uint32_t low = 100 + cor_rng_below(rng, 50), width = cor_rng_below(rng, 4),
                   y = 60 + cor_rng_below(rng, 40);
    WRITE(out, "%u * p >= %u * x + %u && %u * p <= %u * y + %u", a, x, a * low, b, y, b * low + width);
}

/* Inputs of 300 values, which only z3 eliminates: bounds do not combine, and there are too many to try. */
static void inputs_of_many_values_are_eliminated_by_z3(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 23, .purpose = COR_PURPOSE_TEST});
    const int count = getenv("COR_TORTURE_MODELS") ? atoi(getenv("COR_TORTURE_MODELS")) : 12;
    uint64_t eliminated = 0;
    if (!cor_solver_is_there())
        skip();
    for (int round = 0; round < count; round++) {
        struct model_text text = {.length = 0}, *out = &text;
        struct cor_efsm *model;
        struct cor_error error = COR_NO_ERROR;
        WRITE(
            out,
            "{\"format\":\"efsm-json/1\",\"name\":\"wide\",\"vars\":["
            "{\"name\":\"p\",\"kind\":\"param\",\"lo\":0,\"hi\":299},"
            "{\"name\":\"x\",\"kind\":\"state\",\"lo\":-1,\"hi\":2,\"init\":0},"
            "{\"name\":\"y\",\"kind\":\"state\",\"lo\":-1,\"hi\":2,\"init\":0}],"
            "\"locations\":[\"a\",\"b\"],\"initial\":\"a\",\"inputs\":[{\"label\":\"I\",\"params\":[\"p\"]}],"
            "\"outputs\":[],\"transitions\":[");
        for (uint32_t t = 0; t < 4; t++) {
            const int64_t step = cor_rng_between(&rng, -2, 2);
            WRITE(out, "%s{\"id\":\"t%u\",\"src\":\"%c\",\"dst\":\"%c\",\"input\":\"I\",\"guard\":\"",
                  t ? "," : "", t, t % 2 ? 'b' : 'a', t < 2 ? 'a' : 'b');
            write_gap(&rng, out);
            WRITE(out, "\",\"update\":{\"%c\":\"%c + %d\"},\"outputs\":[]}", t % 2 ? 'x' : 'y',
                  t < 2 ? 'x' : 'y', (int)step);
        }
        WRITE(out, "],\"goals\":[{\"name\":\"some\",\"traps\":[{\"id\":\"a\",\"transition\":\"t3\"}]}]}");
        if (cor_efsm_parse(text.text, "wide", &model, &error) != COR_OK)
            fail_msg("%s: %s\n%s", error.place, error.cause, text.text);
        check_goal(model, &model->goals[0], true);
        struct cor_efsm_reach *reach = reach_of(model, &model->goals[0].traps[0], COR_EFSM_SYMBOLIC);
        const struct cor_efsm_reach_summary summary = cor_efsm_reach_summary(reach);
        eliminated += summary.by_z3;
        assert_int_equal(summary.by_z3, summary.asked.of[COR_QUESTION_ELIMINATION].asked);
        assert_int_equal(summary.end, COR_EFSM_END_FIXPOINT);
        cor_efsm_reach_destroy(reach);
        cor_efsm_destroy(model);
    }
    print_message("%d models: %llu inputs eliminated by z3\n", count, (unsigned long long)eliminated);
    assert_true(3 * eliminated >= (uint64_t)count);
}

static struct cor_efsm *model_named(const char *name) {
    char path[400];
    struct cor_efsm *model;
    struct cor_error error = COR_NO_ERROR;
    snprintf(path, sizeof path, MODELS "%s.json", name);
    if (cor_efsm_read(path, &model, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return model;
}

static void both_back_ends_give_the_distances_of_every_state_of_small_models(void **unused) {
    (void)unused;
    static const char *const names[] = {"inres_initiator", "inres_hogrefe",  "lossy_link",
                                        "shopping_cart",   "button_doors_1", "escape"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct cor_efsm *model = model_named(names[i]);
        check_cover(model, COR_EFSM_COVER_TRANSITIONS, false);
        check_cover(model, COR_EFSM_COVER_LOCATIONS, true);
        check_cover(model, COR_EFSM_COVER_BOUNDARIES, false);
        cor_efsm_destroy(model);
    }
}

/* Where the file says how long the shortest test of a goal of one trap is. */
static void the_initial_state_is_in_the_ring_that_the_files_expect(void **unused) {
    (void)unused;
    static const char *const names[] = {"counter3",      "counter3_100", "inres_initiator",
                                        "inres_hogrefe", "escape",       "lossy_link",
                                        "shopping_cart", "phone_call_1", "traffic_light"};
    int checked = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct cor_efsm *model = model_named(names[i]);
        for (uint32_t g = 0; g < model->goal_count; g++) {
            const struct cor_efsm_goal *goal = &model->goals[g];
            for (int b = 0; b < 2 && goal->trap_count == 1 && goal->optimum >= 0; b++) {
                struct cor_efsm_reach_definition definition =
                    cor_default_efsm_reach(model, &goal->traps[0], (enum cor_efsm_backend)b);
                struct cor_efsm_reach *reach;
                definition.until_initial = true;
                if (b == COR_EFSM_EXPLICIT && !cor_efsm_is_small(model, definition.state_budget))
                    continue;
                assert_int_equal(cor_efsm_reach_create(&definition, &reach, NULL), COR_OK);
                assert_int_equal(cor_efsm_reach_summary(reach).initial, goal->optimum);
                assert_int_equal(cor_efsm_reach_summary(reach).end, COR_EFSM_END_INITIAL);
                cor_efsm_reach_destroy(reach);
                checked++;
            }
        }
        cor_efsm_destroy(model);
    }
    assert_int_equal(checked, 31);
}

static void check_text(enum cor_status status, char *text, const char *expected) {
    assert_int_equal(status, COR_OK);
    assert_string_equal(text, expected);
    free(text);
}

/* Section 2.3 of the paper, depth 2. */
static void the_constraints_of_the_counter_are_the_published_ones(void **unused) {
    (void)unused;
    struct cor_efsm *model = model_named("counter3");
    for (int b = 0; b < 2; b++) {
        struct cor_efsm_reach_definition definition =
            cor_default_efsm_reach(model, &model->goals[0].traps[0], (enum cor_efsm_backend)b);
        struct cor_efsm_reach *reach;
        char *text = NULL;
        definition.depth = 2;
        assert_int_equal(cor_efsm_reach_create(&definition, &reach, NULL), COR_OK);
        assert_int_equal(cor_efsm_reach_summary(reach).end, COR_EFSM_END_DEPTH);
        static const char *const expected[] = {"false", "x == 10 && y == 6 && z == 2", "true"};
        static const uint32_t lengths[] = {0, 2, 1};
        for (uint32_t l = 0; l < 3; l++) {
            enum cor_status status = cor_efsm_reach_location_text(reach, l, 0, &text, NULL);
            check_text(status, text, expected[l]);
            assert_int_equal(cor_efsm_reach_longest(reach, l), lengths[l]);
        }
        enum cor_status status = cor_efsm_reach_guard_text(reach, 4, 2, &text, NULL);
        check_text(status, text, "x == 10 && y == 6 && z == 2 && i >= 7");
        status = cor_efsm_reach_guard_text(reach, 5, 1, &text, NULL);
        check_text(status, text, "true");
        cor_efsm_reach_destroy(reach);
    }
    cor_efsm_destroy(model);
}

/* 6x + 10y = c has a solution or not by what c is divisible by; corners and ranges do not tell. */
static void where_ranges_do_not_tell_z3_does(void **unused) {
    (void)unused;
    if (!cor_solver_is_there())
        skip();
    static const char text[] = "{\"format\":\"efsm-json/1\",\"name\":\"m\",\"vars\":["
                               "{\"name\":\"x\",\"kind\":\"state\",\"lo\":-20,\"hi\":20,\"init\":0},"
                               "{\"name\":\"y\",\"kind\":\"state\",\"lo\":-20,\"hi\":20,\"init\":0},"
                               "{\"name\":\"z\",\"kind\":\"state\",\"lo\":-20,\"hi\":20,\"init\":0}],"
                               "\"locations\":[\"a\",\"b\"],\"initial\":\"a\",\"inputs\":[{\"label\":\"I\","
                               "\"params\":[]}],\"outputs\":[],"
                               "\"transitions\":["
                               "{\"id\":\"never\",\"src\":\"a\",\"dst\":\"b\",\"input\":\"I\",\"guard\":\"6 "
                               "* x + 10 * y + 15 * z == 1 && "
                               "3 * x + 3 * y + 4 * z >= 1 && 3 * x + 3 * y + 4 * z <= 1 && 2 * x + 2 * z == "
                               "3 * y + 50\",\"update\":{},\"outputs\":[]},"
                               "{\"id\":\"ever\",\"src\":\"a\",\"dst\":\"b\",\"input\":\"I\",\"guard\":\"6 * "
                               "x + 10 * y + 15 * z == 1 && "
                               "x + y > z + 2 && y + z < 0\",\"update\":{},\"outputs\":[]}]}";
    struct cor_efsm *model;
    struct cor_error error = COR_NO_ERROR;
    uint64_t questions = 0;
    if (cor_efsm_parse(text, "m", &model, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    check_cover(model, COR_EFSM_COVER_TRANSITIONS, false);
    struct cor_efsm_goal goal;
    assert_int_equal(cor_efsm_goal_cover(model, COR_EFSM_COVER_TRANSITIONS, &goal, &error), COR_OK);
    for (uint32_t i = 0; i < goal.trap_count; i++) {
        struct cor_efsm_reach *reach = reach_of(model, &goal.traps[i], COR_EFSM_SYMBOLIC);
        const struct cor_efsm_reach_summary summary = cor_efsm_reach_summary(reach);
        questions += summary.asked.of[COR_QUESTION_POINT].asked;
        assert_int_equal(cor_solver_statistics_sum(&summary.asked).undecided, 0);
        cor_efsm_reach_destroy(reach);
    }
    assert_true(questions > 0);
    cor_efsm_goal_fini(&goal);
    cor_efsm_destroy(model);
}

static void what_is_too_large_is_refused_or_said(void **unused) {
    (void)unused;
    struct cor_efsm *model = model_named("counter3_32000");
    struct cor_error error = COR_NO_ERROR;
    struct cor_efsm_reach *reach;
    struct cor_efsm_reach_definition definition =
        cor_default_efsm_reach(model, &model->goals[0].traps[0], COR_EFSM_EXPLICIT);
    assert_int_equal(cor_efsm_reach_create(&definition, &reach, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause,
                        "the domains are too large for the back end explicit: it takes 10000000 states "
                        "and 200000000 moves");
    assert_null(reach);
    definition.backend = COR_EFSM_SYMBOLIC;
    definition.cube_budget = 100;
    assert_int_equal(cor_efsm_reach_create(&definition, &reach, &error), COR_OK);
    assert_int_equal(cor_efsm_reach_summary(reach).end, COR_EFSM_END_BUDGET);
    assert_true(cor_efsm_reach_summary(reach).initial == COR_EFSM_FAR);
    cor_efsm_reach_destroy(reach);
    cor_efsm_destroy(model);
}

/* A model that is too large for distances by trying everything: what must hold between neighbours is looked
 * at instead. A state of ring k has a move into ring k - 1 and none into an earlier one; where all states
 * keep to that, rings are distances. Amounts are those at which something changes in this model. */
#define LARGE_DEPTH 24

static uint32_t large_states = 1500;

struct neighbours {
    const struct cor_efsm *model;
    const struct cor_efsm_trap *trap;
    struct cor_efsm_reach *reach;
    uint32_t variable[10]; /* active, day, dataUse, voiceUse, smsUse, roamUse, balance, limit, kind, amt */
    uint64_t of_ring[LARGE_DEPTH + 1];
};

static void draw_state(struct cor_rng *rng, const struct neighbours *n, int64_t *values) {
    const uint32_t *v = n->variable;
    const int64_t days[] = {0, 998, 999, 1000};
    cor_efsm_start(n->model, values);
    values[v[0]] = cor_rng_below(rng, 4) > 0;
    values[v[1]] = days[cor_rng_below(rng, 4)];
    values[v[7]] = cor_rng_below(rng, 3) == 0   ? 31450
                   : cor_rng_below(rng, 2) == 0 ? cor_rng_below(rng, 2400)
                                                : 24000 + cor_rng_below(rng, 8001);
    values[v[6]] = cor_rng_below(rng, 3) == 0 ? cor_rng_below(rng, 32001) : cor_rng_below(rng, 20);
    const int64_t used = values[v[7]] - cor_rng_below(rng, 2700) + 20;
    values[v[2]] = used < 0 || cor_rng_below(rng, 5) == 0 ? 0 : used > 32000 ? 32000 : used;
    for (uint32_t i = 3; i < 6; i++)
        values[v[i]] = cor_rng_below(rng, 2) == 0 ? 0 : cor_rng_below(rng, 14);
    if (cor_rng_below(rng, 3) == 0 && values[v[6]] < 24000)
        values[v[3]] = values[v[6]] + cor_rng_below(rng, 8000);
}

/* The least distance behind a move from here, 0 if one covers the trap; COR_EFSM_FAR. */
static uint32_t least_behind(const struct neighbours *n, uint32_t location, int64_t *values) {
    const uint32_t *v = n->variable;
    const int64_t used = values[v[2]], limit = values[v[7]];
    const int64_t amounts[] = {1,
                               2,
                               9,
                               10,
                               42,
                               56,
                               85,
                               169,
                               170,
                               679,
                               680,
                               values[v[3]],
                               values[v[6]],
                               used,
                               31450,
                               32000,
                               limit,
                               limit - used,
                               limit - used + 1,
                               25159 - used,
                               25160 - used};
    int64_t last[8];
    uint32_t least = COR_EFSM_FAR;
    for (uint32_t t = 0; t < n->model->transition_count; t++) {
        bool has_last = false, was_hit = false;
        for (uint32_t i = 0; i < 12 * sizeof amounts / sizeof *amounts; i++) {
            int64_t next[COR_EFSM_VARIABLES_MAX];
            values[v[8]] = i % 12;
            values[v[9]] = amounts[i / 12];
            if (n->model->transitions[t].source != location || values[v[9]] < 1 || values[v[9]] > 32000 ||
                !cor_efsm_step(n->model, t, values, next))
                continue;
            bool is_last = has_last; /* the state that was looked at last, by another input */
            for (uint32_t s = 0; s < 8; s++) {
                is_last = is_last && last[s] == next[v[s]];
                last[s] = next[v[s]];
            }
            has_last = true;
            uint32_t behind = COR_EFSM_FAR;
            if (cor_efsm_hits(n->model, n->trap, t, values))
                behind = 0;
            else if (!is_last || was_hit)
                behind = cor_efsm_reach_distance(n->reach, n->model->transitions[t].target, next);
            was_hit = behind == 0;
            least = behind < least ? behind : least;
        }
    }
    return least;
}

static void rings_of_a_large_model_follow_from_each_other(void **unused) {
    (void)unused;
    if (!cor_solver_is_there())
        skip();
    static const char *const names[] = {"active",  "day",     "dataUse", "voiceUse", "smsUse",
                                        "roamUse", "balance", "limit",   "kind",     "amt"};
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 25, .purpose = COR_PURPOSE_TEST});
    struct cor_efsm *model = model_named("billing_synth");
    struct neighbours n = {.model = model, .trap = &model->goals[0].traps[0]};
    struct cor_efsm_reach_definition definition = cor_default_efsm_reach(model, n.trap, COR_EFSM_SYMBOLIC);
    definition.depth = LARGE_DEPTH;
    assert_int_equal(cor_efsm_reach_create(&definition, &n.reach, NULL), COR_OK);
    assert_int_equal(cor_efsm_reach_summary(n.reach).end, COR_EFSM_END_DEPTH);
    for (uint32_t i = 0; i < 10; i++)
        while (strcmp(model->variable_names[n.variable[i]], names[i]) != 0)
            n.variable[i]++;
    for (uint32_t i = 0; i < large_states; i++) {
        int64_t values[COR_EFSM_VARIABLES_MAX];
        const uint32_t location = cor_rng_below(&rng, model->location_count);
        draw_state(&rng, &n, values);
        const uint32_t ring = cor_efsm_reach_distance(n.reach, location, values);
        const uint32_t least = least_behind(&n, location, values);
        if (ring != COR_EFSM_FAR ? least != ring - 1 : least < LARGE_DEPTH)
            fail_msg("%s, state %u: ring %u, behind it %u", model->location_names[location], i, ring, least);
        n.of_ring[ring == COR_EFSM_FAR ? 0 : ring]++;
    }
    for (uint32_t ring = 0; ring <= LARGE_DEPTH; ring++)
        assert_true(n.of_ring[ring] > 2);
    cor_efsm_reach_destroy(n.reach);
    cor_efsm_destroy(model);
}

/* States of random walks from the start of a model too large to try all: constraints of what the start leads
 * to say the same of them as those of all states. */
static void a_large_model_has_the_same_rings_from_its_start(void **unused) {
    (void)unused;
    enum { WALKS = 400, MOVES = 60, TRIES = 40, DEPTH = 6 };
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 28, .purpose = COR_PURPOSE_TEST});
    struct cor_efsm *model = model_named("billing_wide");
    const struct cor_efsm_goal *goal = &model->goals[0];
    uint32_t within = 0;
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (strcmp(model->variable_names[v], "quota") == 0)
            model->variables[v].initial = 6700; /* near to the warning */
    for (uint32_t i = 2; i < goal->trap_count; i++) {
        struct cor_efsm_reach_definition definition =
            cor_default_efsm_reach(model, &goal->traps[i], COR_EFSM_SYMBOLIC);
        struct cor_efsm_reach *all, *few;
        definition.depth = DEPTH;
        assert_int_equal(cor_efsm_reach_create(&definition, &all, NULL), COR_OK);
        definition.from_start = true;
        assert_int_equal(cor_efsm_reach_create(&definition, &few, NULL), COR_OK);
        assert_true(cor_efsm_reach_summary(few).cubes < cor_efsm_reach_summary(all).cubes);
        for (uint32_t walk = 0; walk < WALKS; walk++) {
            int64_t values[COR_EFSM_VARIABLES_MAX], next[COR_EFSM_VARIABLES_MAX];
            uint32_t location = model->initial;
            cor_efsm_start(model, values);
            for (uint32_t move = 0; move < MOVES; move++)
                for (uint32_t tried = 0; tried < TRIES; tried++) {
                    const uint32_t t = cor_rng_below(&rng, model->transition_count);
                    const struct cor_efsm_label *input = &model->inputs[model->transitions[t].input];
                    if (model->transitions[t].source != location)
                        continue;
                    for (uint32_t p = 0; p < input->parameter_count; p++) {
                        const struct cor_efsm_variable *v = &model->variables[input->parameters[p]];
                        const int64_t span = v->high - v->low, few_of = span > 700 ? 700 : span;
                        const int64_t drawn = (int64_t)cor_rng_below(&rng, (uint32_t)few_of + 1);
                        values[input->parameters[p]] =
                            cor_rng_below(&rng, 2) ? v->low + drawn : v->high - drawn;
                    }
                    if (!cor_efsm_step(model, t, values, next))
                        continue;
                    memcpy(values, next, sizeof values);
                    location = model->transitions[t].target;
                    const uint32_t ring = cor_efsm_reach_distance(all, location, values);
                    assert_int_equal(cor_efsm_reach_distance(few, location, values), ring);
                    within += ring != COR_EFSM_FAR;
                }
        }
        cor_efsm_reach_destroy(all);
        cor_efsm_reach_destroy(few);
    }
    print_message("%u states in rings\n", within);
    assert_true(within > 500);
    cor_efsm_destroy(model);
}

int main(int count, char **arguments) {
    large_states = count > 1 ? (uint32_t)strtoul(arguments[1], NULL, 10) : large_states;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_back_ends_give_the_distances_of_every_state_of_random_models),
        cmocka_unit_test(inputs_of_many_values_are_eliminated_by_z3),
        cmocka_unit_test(both_back_ends_give_the_distances_of_every_state_of_small_models),
        cmocka_unit_test(the_initial_state_is_in_the_ring_that_the_files_expect),
        cmocka_unit_test(the_constraints_of_the_counter_are_the_published_ones),
        cmocka_unit_test(where_ranges_do_not_tell_z3_does),
        cmocka_unit_test(what_is_too_large_is_refused_or_said),
        cmocka_unit_test(rings_of_a_large_model_follow_from_each_other),
        cmocka_unit_test(points_of_random_cubes_are_those_that_trying_finds),
        cmocka_unit_test(a_large_model_has_the_same_rings_from_its_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
