/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * z3's process for proofs: the text is expanded once, in one solver; each question is what it assumes. A
 * limit of work, never of time. */
#include "expand.h"

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <string.h>

struct server {
    const struct solve__proof_task *task;
    struct solve__formulas formulas;
    struct solve__expansion expansion;
    Z3_solver solver;
    uint32_t *assumed; /* owned; the question */
    Z3_ast *literals;  /* owned; of what is assumed */
    size_t capacity, literal_capacity;
    struct made {
        uint32_t assumed;
        Z3_ast literal;
    } * made; /* owned; those that have been used */
    size_t made_count, made_capacity;
    struct cor_bytes answer;
    uint64_t worked; /* by z3's count, until the last question ended */
    struct cor_error error;
};

static enum cor_status limit_work(struct server *server, uint32_t work) {
    Z3_context c = server->formulas.context;
    Z3_params params = Z3_mk_params(c);
    if (!params)
        return solve__formulas_status(&server->formulas);
    Z3_params_inc_ref(c, params);
    Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "rlimit"), work);
    Z3_params_set_bool(c, params, Z3_mk_string_symbol(c, "arith.nl.nra"), !server->task->without_algebra);
    Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "random_seed"), 0);
    Z3_solver_set_params(c, server->solver, params);
    Z3_params_dec_ref(c, params);
    return solve__formulas_status(&server->formulas);
}

/* Of all questions, by z3's own count. */
static uint64_t work_so_far(struct server *server) {
    Z3_context c = server->formulas.context;
    Z3_stats statistics = Z3_solver_get_statistics(c, server->solver);
    uint64_t work = 0;
    if (!statistics)
        return 0;
    Z3_stats_inc_ref(c, statistics);
    for (unsigned i = 0; i < Z3_stats_size(c, statistics); i++)
        if (strcmp(Z3_stats_get_key(c, statistics, i), "rlimit count") == 0 &&
            Z3_stats_is_uint(c, statistics, i))
            work = Z3_stats_get_uint_value(c, statistics, i);
    Z3_stats_dec_ref(c, statistics);
    return work;
}

static enum cor_status open_server(struct server *server) {
    struct solve__formulas *f = &server->formulas;
    COR_TRY(solve__formulas_init(f, &server->error));
    COR_TRY(solve__expand(&server->expansion, f, server->task));
    server->solver = Z3_mk_simple_solver(f->context);
    if (server->solver)
        Z3_solver_inc_ref(f->context, server->solver);
    COR_TRY(solve__formulas_status(f));
    for (size_t a = 0; a < server->expansion.axiom_count; a++)
        Z3_solver_assert(f->context, server->solver, server->expansion.axioms[a]);
    return solve__formulas_status(f);
}

/* The values among them that are reals are multiples of 1/64, and `all` holds. */
static Z3_ast on_grid(struct server *server, Z3_ast all, const Z3_ast *values, uint32_t count) {
    struct solve__expansion *e = &server->expansion;
    Z3_context c = e->formulas->context;
    for (uint32_t i = 0; i < count; i++) {
        Z3_ast value = values[i];
        if (Z3_get_sort_kind(c, Z3_get_sort(c, value)) != Z3_REAL_SORT)
            continue;
        Z3_ast scale = solve__hold(e->formulas, Z3_mk_numeral(c, "64", Z3_mk_real_sort(c)));
        Z3_ast scaled = solve__hold(e->formulas, Z3_mk_mul(c, 2, (Z3_ast[]){scale, value}));
        Z3_ast whole = solve__hold(e->formulas, Z3_mk_is_int(c, scaled));
        all = solve__hold(e->formulas, Z3_mk_and(c, 2, (Z3_ast[]){all, whole}));
    }
    return all;
}

static Z3_ast formula_of(struct server *server, uint32_t what, uint32_t index) {
    struct solve__expansion *e = &server->expansion;
    switch (what) {
    case SOLVE__HOLDS:
        return e->holds[index];
    case SOLVE__FAILS:
        return solve__hold(e->formulas, Z3_mk_not(e->formulas->context, e->holds[index]));
    case SOLVE__VIOLATED:
        return e->is_violated[index];
    case SOLVE__PREMISE:
        return e->premises[index].ever;
    case SOLVE__AGENTS:
        return solve__hold(e->formulas, Z3_mk_not(e->formulas->context, e->agent_there[index]));
    case SOLVE__ORGANIZATIONS:
        return solve__hold(e->formulas, Z3_mk_not(e->formulas->context, e->organization_there[index]));
    case SOLVE__MEMBER:
        return e->members[index];
    case SOLVE__NO_MEMBER:
        return solve__hold(e->formulas, Z3_mk_not(e->formulas->context, e->members[index]));
    case SOLVE__ATTRIBUTE:
    case SOLVE__ORGANIZATION_ATTRIBUTE:
    case SOLVE__PARENT:
        return solve__as_in_state(e, what, index);
    case SOLVE__NOT_VIOLATED:
        return solve__hold(e->formulas, Z3_mk_not(e->formulas->context, e->is_violated[index]));
    default: {
        /* Reals are multiples of 1/64. */
        const struct cor_corridor *corridor = e->corridor;
        Z3_ast all = on_grid(server, e->yes, e->attributes, corridor->attribute_count * e->agents);
        all = on_grid(server, all, e->organization_attributes,
                      corridor->organization_attribute_count * e->organizations);
        return on_grid(server, all, e->parameters, corridor->parameter_count);
    }
    }
}

/* The literal that stands for it: made when it is used first. */
static Z3_ast literal_of(struct server *server, uint32_t assumed) {
    struct solve__formulas *f = &server->formulas;
    for (size_t i = 0; i < server->made_count; i++)
        if (server->made[i].assumed == assumed)
            return server->made[i].literal;
    Z3_ast literal = solve__formula_literal(f, "assumed");
    Z3_ast formula = formula_of(server, assumed / SOLVE__ASSUMED, assumed % SOLVE__ASSUMED);
    Z3_solver_assert(f->context, server->solver, solve__hold(f, Z3_mk_implies(f->context, literal, formula)));
    if (COR_RESERVE(&server->made, &server->made_capacity, server->made_count + 1, &server->error) == COR_OK)
        server->made[server->made_count++] = (struct made){assumed, literal};
    else
        f->status = COR_STATUS_MEMORY;
    return literal;
}

static bool is_true(struct server *server, Z3_model model, Z3_ast formula, bool *read) {
    Z3_context c = server->formulas.context;
    Z3_ast value;
    const Z3_lbool truth =
        Z3_model_eval(c, model, formula, true, &value) ? Z3_get_bool_value(c, value) : Z3_L_UNDEF;
    *read = *read && truth != Z3_L_UNDEF;
    return truth == Z3_L_TRUE;
}

static void put_value(struct server *server, Z3_model model, Z3_ast formula, bool *read) {
    Z3_context c = server->formulas.context;
    const Z3_sort_kind sort = Z3_get_sort_kind(c, Z3_get_sort(c, formula));
    Z3_ast value;
    int64_t number = 0;
    if (sort == Z3_BOOL_SORT) {
        number = is_true(server, model, formula, read);
    } else if (!Z3_model_eval(c, model, formula, true, &value) || !Z3_is_numeral_ast(c, value)) {
        *read = false;
    } else if (sort == Z3_REAL_SORT) {
        cor_bytes_put_real(&server->answer, Z3_get_numeral_double(c, value));
        return;
    } else {
        *read = *read && Z3_get_numeral_int64(c, value, &number);
    }
    cor_bytes_put_number(&server->answer, (uint64_t)number, sizeof number);
}

/* The structure that was found; false where it cannot be said in plain numbers. */
static bool put_structure(struct server *server, struct solve__proof_reply *reply) {
    struct solve__expansion *e = &server->expansion;
    Z3_context c = server->formulas.context;
    Z3_model model = Z3_solver_get_model(c, server->solver);
    bool read = model != NULL;
    if (!model)
        return false;
    Z3_model_inc_ref(c, model);
    while (reply->agents < e->agents && is_true(server, model, e->agent_there[reply->agents], &read))
        reply->agents++;
    while (reply->organizations < e->organizations &&
           is_true(server, model, e->organization_there[reply->organizations], &read))
        reply->organizations++;
    for (uint32_t a = 0; a < reply->agents; a++)
        for (uint32_t o = 0; o < reply->organizations; o++)
            put_value(server, model, e->members[a * e->organizations + o], &read);
    for (uint32_t o = 0; o < reply->organizations; o++) {
        uint64_t parent = 0;
        for (uint32_t p = 0; p < o; p++)
            if (is_true(server, model, e->parents[o * e->organizations + p], &read))
                parent = p + 1;
        cor_bytes_put_number(&server->answer, parent, sizeof parent);
    }
    for (uint32_t q = 0; q < e->corridor->attribute_count; q++)
        for (uint32_t a = 0; a < reply->agents; a++)
            put_value(server, model, e->attributes[q * e->agents + a], &read);
    for (uint32_t q = 0; q < e->corridor->organization_attribute_count; q++)
        for (uint32_t o = 0; o < reply->organizations; o++)
            put_value(server, model, e->organization_attributes[q * e->organizations + o], &read);
    for (uint32_t p = 0; p < e->corridor->parameter_count; p++)
        put_value(server, model, e->parameters[p], &read);
    Z3_model_dec_ref(c, model);
    return read;
}

static void answer_question(struct server *server, const struct solve__proof_request *request,
                            struct solve__proof_reply *reply) {
    Z3_context c = server->formulas.context;
    if (server->expansion.is_too_big) /* there are no literals to ask by */
        return;
    reply->head.status = limit_work(server, request->work);
    for (uint32_t i = 0; i < request->count && reply->head.status == COR_OK; i++) {
        server->literals[i] = literal_of(server, server->assumed[i]);
        reply->head.status = solve__formulas_status(&server->formulas);
    }
    if (reply->head.status != COR_OK)
        return;
    const Z3_lbool found = Z3_solver_check_assumptions(c, server->solver, request->count, server->literals);
    const uint64_t worked = work_so_far(server);
    reply->work =
        found == Z3_L_UNDEF || worked <= server->worked ? request->work : (uint32_t)(worked - server->worked);
    server->worked = worked;
    if (found == Z3_L_FALSE) {
        reply->answer = COR_ANSWER_EMPTY;
        Z3_ast_vector core = Z3_solver_get_unsat_core(c, server->solver);
        if (core) {
            Z3_ast_vector_inc_ref(c, core);
            for (uint32_t i = 0; i < request->count; i++)
                for (unsigned k = 0; k < Z3_ast_vector_size(c, core); k++)
                    if (Z3_is_eq_ast(c, Z3_ast_vector_get(c, core, k), server->literals[i])) {
                        cor_bytes_put_number(&server->answer, server->assumed[i], sizeof(uint32_t));
                        reply->core_count++;
                        break;
                    }
            Z3_ast_vector_dec_ref(c, core);
        }
    } else if (found == Z3_L_TRUE && put_structure(server, reply)) {
        reply->answer = COR_ANSWER_SATISFIABLE;
    }
    reply->head.status = solve__formulas_status(&server->formulas);
}

void solve__serve_proofs(const void *task, int socket) {
    struct server server = {.task = task, .error = COR_NO_ERROR};
    const enum cor_status opened = open_server(&server);
    struct solve__proof_request request;
    bool alive = true, is_first = true;
    while (alive && solve__receive_all(socket, &request, sizeof request)) {
        struct solve__proof_reply reply = {.head.status = opened, .answer = COR_ANSWER_UNDECIDED};
        if (COR_RESERVE(&server.assumed, &server.capacity, request.count + 1, NULL) != COR_OK ||
            COR_RESERVE(&server.literals, &server.literal_capacity, request.count + 1, NULL) != COR_OK ||
            !solve__receive_all(socket, server.assumed, request.count * sizeof *server.assumed))
            break;
        cor_bytes_clear(&server.answer);
        if (opened == COR_OK && is_first) {
            const struct solve__expansion *e = &server.expansion;
            reply.premise_count = e->is_too_big ? 0 : (uint32_t)e->premise_count;
            for (uint32_t p = 0; p < reply.premise_count; p++) {
                cor_bytes_put_number(&server.answer, e->premises[p].constraint, sizeof(uint32_t));
                cor_bytes_put_number(&server.answer, e->premises[p].node, sizeof(uint32_t));
            }
        } else if (opened == COR_OK)
            answer_question(&server, &request, &reply);
        is_first = false;
        if (reply.answer == COR_ANSWER_UNDECIDED && reply.premise_count == 0)
            cor_bytes_clear(&server.answer);
        if (server.answer.status != COR_OK)
            reply.head.status = cor_fail_memory(&server.error);
        reply.head.size = sizeof reply + server.answer.size;
        reply.head.error = server.error;
        alive = solve__send_all(socket, &reply, sizeof reply) &&
                solve__send_all(socket, server.answer.bytes, server.answer.size);
    }
    if (server.solver)
        Z3_solver_dec_ref(server.formulas.context, server.solver);
    solve__expansion_fini(&server.expansion);
    solve__formulas_fini(&server.formulas);
    COR_FREE(server.assumed, server.literals, server.made);
    cor_bytes_fini(&server.answer);
}
