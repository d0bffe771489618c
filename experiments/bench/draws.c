/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is drawn from laws. Chains walking by their profiles, against GSL's discrete law (also Walker's alias
 * method) with its fastest good generator; configurations of the paper's model, against z3. */
#include "setting.h"

#include <corridor/interaction.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <z3.h>

enum { CHAINS = 32, CASES = 10000, STATES = 15, TOGETHER = 8 };

struct walks {
    struct cor_profile *profile;
    const struct cor_profile *profiles[1];
    uint16_t profile_of_chain[CHAINS];
    struct cor_walk walk;
    gsl_rng *rng;
    gsl_ran_discrete_t *rows[STATES];
};

static double walk_ours(void *context) {
    struct walks *w = context;
    struct cor_error error = COR_NO_ERROR;
    const struct cor_walk_definition definition = {.source = &cor_source_profile,
                                                   .profiles = w->profiles,
                                                   .profile_of_chain = w->profile_of_chain,
                                                   .chain_count = CHAINS,
                                                   .case_count = CASES,
                                                   .name = {.seed = 1}};
    bench_must(cor_walk_begin(&w->walk, &definition, &error), &error);
    return (double)CHAINS * CASES;
}

/* Writes each state down, as the walk does. Eight chains take turns, so that none waits for its own state. */
static double walk_gsl(void *context) {
    struct walks *w = context;
    for (uint32_t first = 0; first < CHAINS; first += TOGETHER) {
        size_t state[TOGETHER] = {0};
        for (uint32_t i = 1; i <= CASES; i++)
            for (uint32_t c = 0; c < TOGETHER; c++) {
                state[c] = gsl_ran_discrete(w->rng, w->rows[state[c]]);
                w->walk.states[(size_t)i * CHAINS + first + c] = (uint8_t)state[c];
            }
    }
    return (double)CHAINS * CASES;
}

void bench_transitions(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    struct cor_error error = COR_NO_ERROR;
    struct walks w = {.rng = gsl_rng_alloc(gsl_rng_taus2)};
    struct cor_profile_law law = {.states = STATES, .degree_min = 0.5, .power = 7, .ring = 0.15};
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    bench_must(cor_profile_random(&law, "bench", &rng, &w.profile, &error), &error);
    w.profiles[0] = w.profile;
    for (uint32_t s = 0; s < STATES; s++)
        w.rows[s] = gsl_ran_discrete_preproc(STATES, w.profile->probability + (size_t)s * STATES);
    struct bench_times times = bench_measure(walk_ours, walk_gsl, &w, bench_careful);
    figures[0] = (struct bench_figure){1e-6 / times.seconds, 1e-6 / times.reference, ""};
    for (uint32_t s = 0; s < STATES; s++)
        gsl_ran_discrete_free(w.rows[s]);
    gsl_rng_free(w.rng);
    cor_walk_fini(&w.walk);
    cor_profile_destroy(w.profile);
}

enum { DRAWS = 2000, CAPACITY = 256, ASKED = 10, VARIABLES = 6 };

/* "parameters" and "constraints" of experiments/library/models/paper.json, as one asks z3: a quotient of two
 * variables is what it is worst at. That some number k of partitions is possible says the same as
 * ceil_div(agents, s_max) <= agents / s_min. */
static const char *const names[VARIABLES] = {"agents", "s_min", "s_max", "n_min", "n_max", "ep_states"};
static const char constraints[] =
    "(declare-const agents Int) (declare-const s_min Int) (declare-const s_max Int)(declare-const n_min Int) "
    "(declare-const n_max Int) (declare-const ep_states Int)(declare-const k Int)(assert (<= 2 agents)) "
    "(assert (<= agents 1000)) (assert (<= 2 s_min)) (assert (<= s_min s_max))(assert (<= s_max agents)) "
    "(assert (<= 1 n_min)) (assert (<= n_min n_max))(assert (<= (* 2 n_max) agents)) (assert (<= 3 "
    "ep_states)) (assert (<= ep_states 25))(assert (<= (* n_min s_min) agents)) (assert (<= agents (* n_max "
    "s_max)))(assert (<= (* k s_min) agents)) (assert (<= agents (* k s_max)))";

/* Work allowed for one configuration, in z3's own unit: never reached in the paper's model, as measured. */
#define WORK 2000000u

struct planning {
    const struct cor_parameter_laws *laws;
    Z3_context context;
    Z3_solver solver;
    Z3_ast variable[VARIABLES];
    struct cor_rng rng;
    int64_t by_hand; /* of all that the loop drew: looked at, so that nothing can be left out */
};

static double draw(void *context) {
    const struct planning *planning = context;
    struct cor_error error = COR_NO_ERROR;
    int64_t integers[CAPACITY];
    double reals[CAPACITY];
    struct cor_draw drawn;
    for (uint32_t i = 0; i < DRAWS; i++) {
        struct cor_rng rng = cor_rng_named(
            &(struct cor_stream_name){.seed = 1, .suite = i, .purpose = COR_PURPOSE_CONFIGURATION});
        bench_must(cor_parameter_laws_draw(planning->laws, &rng, integers, reals, &drawn, &error), &error);
    }
    return DRAWS;
}

static int64_t draw_up_to(struct cor_rng *rng, int64_t low, int64_t high, int64_t *larger) {
    int64_t one = cor_rng_between(rng, low, high);
    int64_t other = cor_rng_between(rng, low, high);
    *larger = one < other ? other : one;
    return one < other ? one : other;
}

/* The laws of the model and of SPADA as one would write them for these alone: draws until all holds. */
static double draw_by_hand(void *context) {
    struct planning *planning = context;
    for (uint32_t i = 0; i < DRAWS; i++) {
        struct cor_rng rng = cor_rng_named(
            &(struct cor_stream_name){.seed = 1, .suite = i, .purpose = COR_PURPOSE_CONFIGURATION});
        int64_t agents = cor_rng_between(&rng, 2, 1000), s_min, s_max, n_min, n_max;
        do {
            s_min = draw_up_to(&rng, 2, agents, &s_max);
            n_min = draw_up_to(&rng, 1, agents / 2, &n_max);
        } while (n_min * s_min > agents || n_max * s_max < agents ||
                 (agents + s_max - 1) / s_max > agents / s_min);
        planning->by_hand += s_min + s_max + n_min + n_max + cor_rng_between(&rng, 3, 25);
        for (int p = 0; p < 3; p++) /* acquaintances, candidates, integrations */
            planning->by_hand += cor_rng_between(&rng, 1, p == 0 ? 20 : 10);
    }
    return DRAWS;
}

static bool read_model(const struct planning *z3) {
    Z3_model model = Z3_solver_get_model(z3->context, z3->solver);
    bool read = model != NULL;
    if (model)
        Z3_model_inc_ref(z3->context, model);
    for (int i = 0; i < VARIABLES && read; i++) {
        Z3_ast ast;
        int64_t value;
        read = Z3_model_eval(z3->context, model, z3->variable[i], true, &ast) &&
               Z3_get_numeral_int64(z3->context, ast, &value);
    }
    if (model)
        Z3_model_dec_ref(z3->context, model);
    return read;
}

/* For each configuration: push, the number of agents (another each time), check, model, pop. What takes z3
 * too much work is not counted. */
static double ask_z3(void *context) {
    struct planning *z3 = context;
    Z3_sort integers = Z3_mk_int_sort(z3->context);
    double found = 0;
    for (int i = 0; i < ASKED; i++) {
        int agents = (int)cor_rng_between(&z3->rng, 2, 1000);
        Z3_ast number = Z3_mk_int(z3->context, agents, integers);
        Z3_solver_push(z3->context, z3->solver);
        Z3_solver_assert(z3->context, z3->solver, Z3_mk_eq(z3->context, z3->variable[0], number));
        found += Z3_solver_check(z3->context, z3->solver) == Z3_L_TRUE && read_model(z3);
        Z3_solver_pop(z3->context, z3->solver, 1);
    }
    return found;
}

static void open_z3(struct planning *z3) {
    Z3_config config = Z3_mk_config();
    z3->context = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(z3->context, NULL);
    z3->solver = Z3_mk_simple_solver(z3->context);
    Z3_solver_inc_ref(z3->context, z3->solver);
    Z3_params params = Z3_mk_params(z3->context);
    Z3_params_inc_ref(z3->context, params);
    Z3_params_set_uint(z3->context, params, Z3_mk_string_symbol(z3->context, "rlimit"), WORK);
    Z3_solver_set_params(z3->context, z3->solver, params);
    Z3_params_dec_ref(z3->context, params);
    Z3_solver_from_string(z3->context, z3->solver, constraints);
    COR_ASSERT(Z3_get_error_code(z3->context) == Z3_OK);
    for (int i = 0; i < VARIABLES; i++)
        z3->variable[i] =
            Z3_mk_const(z3->context, Z3_mk_string_symbol(z3->context, names[i]), Z3_mk_int_sort(z3->context));
    z3->rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
}

void bench_configurations(const struct bench_places *places, struct bench_figure *figures) {
    struct cor_error error = COR_NO_ERROR;
    COR_DESTROYED(cor_experiment)
    struct cor_experiment *experiment =
        bench_experiment_read(places->source, "experiments/library/ablation.json"); /* of that model */
    bench_must(cor_experiment_analyse(experiment, NULL, &error), &error);
    struct planning planning = {.laws = experiment->arms[0].laws};
    COR_ASSERT(cor_parameter_laws_capacity(planning.laws) <= CAPACITY);
    open_z3(&planning);
    struct bench_times times = bench_measure(draw, ask_z3, &planning, bench_careful);
    figures[0] = (struct bench_figure){1 / times.seconds, 1 / times.reference, ""};
    times = bench_measure(draw, draw_by_hand, &planning, bench_careful);
    COR_ASSERT(planning.by_hand > 0);
    figures[1] = (struct bench_figure){1 / times.seconds, 1 / times.reference, ""};
    Z3_solver_dec_ref(planning.context, planning.solver);
    Z3_del_context(planning.context);
}
