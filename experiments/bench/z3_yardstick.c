/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "z3_yardstick.h"

#include "measure.h"

#include <corridor/array.h>
#include <corridor/rng.h>

#include <stdlib.h>
#include <z3.h>

enum { AGENTS, LEAST_SIZE, MOST_SIZE, LEAST_COUNT, MOST_COUNT, STATES, VARIABLES };

/* Work allowed for one configuration, in z3's own unit: never reached in the paper's model, as measured. */
#define WORK 2000000u

struct bench_z3 {
    Z3_context context;
    Z3_solver solver;
    Z3_ast variable[VARIABLES];
    struct cor_rng rng;
};

static Z3_ast number(const struct bench_z3 *z3, int value) {
    return Z3_mk_int(z3->context, value, Z3_mk_int_sort(z3->context));
}

static void at_most(const struct bench_z3 *z3, Z3_ast low, Z3_ast high) {
    Z3_solver_assert(z3->context, z3->solver, Z3_mk_le(z3->context, low, high));
}

static Z3_ast product(const struct bench_z3 *z3, Z3_ast a, Z3_ast b) {
    return Z3_mk_mul(z3->context, 2, (Z3_ast[]){a, b});
}

static Z3_ast quotient_up(const struct bench_z3 *z3, Z3_ast a, Z3_ast b) {
    Z3_ast sum = Z3_mk_add(z3->context, 3, (Z3_ast[]){a, b, number(z3, -1)});
    return Z3_mk_div(z3->context, sum, b);
}

/* "parameters" and "constraints" of the model. */
static void assert_model(const struct bench_z3 *z3) {
    const Z3_ast *v = z3->variable;
    at_most(z3, number(z3, 2), v[AGENTS]);
    at_most(z3, v[AGENTS], number(z3, 1000));
    at_most(z3, number(z3, 2), v[LEAST_SIZE]);
    at_most(z3, v[LEAST_SIZE], v[MOST_SIZE]);
    at_most(z3, v[MOST_SIZE], v[AGENTS]);
    at_most(z3, number(z3, 1), v[LEAST_COUNT]);
    at_most(z3, v[LEAST_COUNT], v[MOST_COUNT]);
    at_most(z3, v[MOST_COUNT], Z3_mk_div(z3->context, v[AGENTS], number(z3, 2)));
    at_most(z3, number(z3, 3), v[STATES]);
    at_most(z3, v[STATES], number(z3, 25));
    at_most(z3, product(z3, v[LEAST_COUNT], v[LEAST_SIZE]), v[AGENTS]);
    at_most(z3, v[AGENTS], product(z3, v[MOST_COUNT], v[MOST_SIZE]));
    at_most(z3, quotient_up(z3, v[AGENTS], v[MOST_SIZE]), Z3_mk_div(z3->context, v[AGENTS], v[LEAST_SIZE]));
}

struct bench_z3 *bench_z3_create(void) {
    static const char *const names[VARIABLES] = {"agents", "s_min", "s_max", "n_min", "n_max", "ep_states"};
    struct bench_z3 *z3 = cor_calloc(1, sizeof *z3);
    if (!z3)
        bench_fail("cannot keep z3");
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
    for (int i = 0; i < VARIABLES; i++)
        z3->variable[i] =
            Z3_mk_const(z3->context, Z3_mk_string_symbol(z3->context, names[i]), Z3_mk_int_sort(z3->context));
    assert_model(z3);
    z3->rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    return z3;
}

void bench_z3_destroy(struct bench_z3 *z3) {
    Z3_solver_dec_ref(z3->context, z3->solver);
    Z3_del_context(z3->context);
    free(z3);
}

static bool read_model(const struct bench_z3 *z3) {
    Z3_model model = Z3_solver_get_model(z3->context, z3->solver);
    if (!model)
        return false;
    Z3_model_inc_ref(z3->context, model);
    bool read = true;
    for (int i = 0; i < VARIABLES && read; i++) {
        Z3_ast ast;
        int64_t value;
        read = Z3_model_eval(z3->context, model, z3->variable[i], true, &ast) &&
               Z3_get_numeral_int64(z3->context, ast, &value);
    }
    Z3_model_dec_ref(z3->context, model);
    return read;
}

double bench_z3_configurations(struct bench_z3 *z3, unsigned count) {
    double found = 0;
    for (unsigned i = 0; i < count; i++) {
        int agents = (int)cor_rng_between(&z3->rng, 2, 1000);
        Z3_solver_push(z3->context, z3->solver);
        Z3_solver_assert(z3->context, z3->solver,
                         Z3_mk_eq(z3->context, z3->variable[AGENTS], number(z3, agents)));
        if (Z3_solver_check(z3->context, z3->solver) == Z3_L_TRUE && read_model(z3))
            found++;
        Z3_solver_pop(z3->context, z3->solver, 1);
    }
    return found;
}
