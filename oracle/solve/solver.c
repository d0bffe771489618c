/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * z3's process, and whole messages between it and its parent. */
#define _DEFAULT_SOURCE         /* SOCK_CLOEXEC */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "solver.h"
#include "formula.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/child.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <z3_spacer.h>

static int wait_for(struct solve__process *process) {
    int how = 0;
    while (waitpid(process->pid, &how, 0) < 0 && errno == EINTR)
        ;
    close(process->socket);
    process->pid = 0;
    return how;
}

void solve__process_end(struct solve__process *process) {
    if (process->pid > 0) { /* another child may hold the socket open, so that closing it says nothing */
        kill(process->pid, SIGKILL);
        wait_for(process);
    }
}

enum cor_status solve__process_start(struct solve__process *process, solve__serve_body *serve,
                                     const void *task, struct cor_error *error) {
    int ends[2];
    if (process->gone)
        return cor_fail(error, COR_STATUS_INTERNAL, NULL, NULL, "z3's process is gone");
    if (process->pid > 0)
        return COR_OK;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return cor_fail_errno(error, COR_STATUS_MEMORY, NULL, NULL, "cannot make a pair of sockets");
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        cor_die_with(parent);
        close(ends[0]);
        signal(SIGXCPU, SIG_DFL);
        solve__allow_seconds();
        serve(task, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return cor_fail_errno(error, COR_STATUS_MEMORY, NULL, NULL, "cannot fork");
    }
    process->pid = pid;
    process->socket = ends[0];
    return COR_OK;
}

void solve__allow_seconds(void) {
    struct rusage taken;
    struct rlimit most;
    getrusage(RUSAGE_SELF, &taken);
    getrlimit(RLIMIT_CPU, &most);
    const rlim_t end = (rlim_t)(taken.ru_utime.tv_sec + taken.ru_stime.tv_sec + SOLVE__SECONDS);
    most.rlim_cur = end < most.rlim_max ? end : most.rlim_max;
    setrlimit(RLIMIT_CPU, &most);
}

/* It did not answer: why. */
static enum cor_status lose(struct solve__process *process, struct cor_error *error) {
    const int how = wait_for(process);
    process->gone = true;
    process->is_cut = WIFSIGNALED(how) && WTERMSIG(how) == SIGXCPU;
    return cor_fail_ended(how, "z3's process", error);
}

enum cor_status solve__process_ask(struct solve__process *process, const void *question, size_t size,
                                   struct solve__answer *head, size_t head_size, struct cor_bytes *message,
                                   struct cor_error *error) {
    if (!solve__send_all(process->socket, question, size) ||
        !solve__receive_all(process->socket, head, head_size))
        return lose(process, error);
    message->size = head->size - head_size;
    COR_TRY(COR_RESERVE(&message->bytes, &message->capacity, message->size + 1, error));
    if (!solve__receive_all(process->socket, message->bytes, message->size))
        return lose(process, error);
    if (head->status != COR_OK && error && error->status == COR_OK)
        *error = head->error;
    return head->status;
}

/* ---- the caller's side: messages to the child process and from it */

struct cor_solver {
    const struct cor_problem *problem;
    struct cor_solver_statistics statistics;
    struct solve__process process;
    struct cor_bytes message; /* the last that was made or came */
};

bool cor_solver_is_there(void) {
    return true;
}

enum cor_status cor_solver_create(const struct cor_problem *problem, struct cor_solver **solver,
                                  struct cor_error *error) {
    *solver = NULL;
    COR_TRY(solve__refuse_values(problem->constraints, problem->constraint_count, error));
    COR_TRY(cor_made(*solver = cor_calloc(1, sizeof **solver), error));
    (*solver)->problem = problem;
    return COR_OK;
}

void cor_solver_destroy(struct cor_solver *solver) {
    if (!solver)
        return;
    solve__process_end(&solver->process);
    cor_bytes_fini(&solver->message);
    free(solver);
}

struct cor_solver_statistics cor_solver_statistics(const struct cor_solver *solver) {
    return solver->statistics;
}

static void serve_questions(const void *task, int socket);

static void put_expression(struct cor_bytes *message, const struct cor_expression *expression) {
    const struct solve__shape shape = {expression->node_count, expression->is_constraint};
    cor_bytes_put(message, &shape, sizeof shape);
    cor_bytes_put(message, expression->nodes, expression->node_count * sizeof *expression->nodes);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static enum cor_status send_question(struct cor_solver *solver, const struct cor_question *question,
                                     struct solve__request request, const struct cor_expression *objective,
                                     const bool *eliminated, struct solve__reply *reply,
                                     struct cor_error *error) {
    COR_TRY(solve__process_start(&solver->process, serve_questions, solver, error));
    const uint32_t n = solver->problem->variable_count;
    struct cor_bytes *message = &solver->message;
    request.work = question->work;
    request.by_models = question->by_models;
    request.expression_count = question->constraint_count + (objective != NULL);
    cor_bytes_clear(message);
    cor_bytes_put(message, &request, sizeof request);
    cor_bytes_put(message, question->low ? question->low : solver->problem->low, n * sizeof(int64_t));
    cor_bytes_put(message, question->high ? question->high : solver->problem->high, n * sizeof(int64_t));
    for (uint32_t v = 0; v < n; v++)
        cor_bytes_put_number(message, eliminated && eliminated[v], sizeof(uint64_t));
    for (uint32_t c = 0; c < question->constraint_count; c++)
        put_expression(message, &question->constraints[c]);
    if (objective)
        put_expression(message, objective);
    if (message->status != COR_OK)
        return cor_fail_memory(error);
    request.size = message->size;
    memcpy(message->bytes, &request, sizeof request);
    return solve__process_ask(&solver->process, message->bytes, message->size, &reply->head, sizeof *reply,
                              message, error);
}

/* What z3 was ended for is asked once more, without algebra. */
static enum cor_status ask(struct cor_solver *solver, const struct cor_question *question,
                           struct solve__request request, const struct cor_expression *objective,
                           const bool *eliminated, struct solve__reply *reply, struct cor_error *error) {
    struct cor_question_count *count = &solver->statistics.of[question->kind];
    const double began = now();
    struct cor_error why = COR_NO_ERROR;
    enum cor_status status = COR_OK;
    COR_TRY(solve__refuse_values(question->constraints, question->constraint_count, error));
    while (!solver->process.is_cut) { /* twice: nothing more is asked */
        status = send_question(solver, question, request, objective, eliminated, reply, &why);
        if (!solver->process.is_cut || solver->statistics.is_cut)
            break;
        solver->statistics.is_cut = true;
        solver->process = (struct solve__process){.pid = 0};
    }
    if (solver->process.is_cut) {
        *reply = (struct solve__reply){.answer = COR_ANSWER_UNDECIDED, .low = request.objective_low};
        status = COR_OK;
    } else if (status != COR_OK && error) {
        *error = why;
    }
    count->asked++;
    count->undecided += status != COR_OK || reply->answer == COR_ANSWER_UNDECIDED;
    count->seconds += now() - began;
    return status;
}

static void take_values(const struct cor_solver *solver, const struct solve__reply *reply, int64_t *values) {
    if (values && reply->answer == COR_ANSWER_SATISFIABLE)
        memcpy(values, solver->message.bytes, solver->problem->variable_count * sizeof *values);
}

enum cor_status cor_solver_ask(struct cor_solver *solver, const struct cor_question *question,
                               enum cor_answer *answer, int64_t *values, struct cor_error *error) {
    struct solve__reply reply;
    *answer = COR_ANSWER_UNDECIDED;
    COR_TRY(ask(solver, question, (struct solve__request){.what = SOLVE__ASK}, NULL, NULL, &reply, error));
    *answer = reply.answer;
    take_values(solver, &reply, values);
    return COR_OK;
}

enum cor_status cor_solver_minimise(struct cor_solver *solver, const struct cor_question *question,
                                    const struct cor_expression *objective, int64_t low,
                                    struct cor_least *least, int64_t *values, struct cor_error *error) {
    const struct solve__request request = {.what = SOLVE__MINIMISE, .objective_low = low};
    struct solve__reply reply;
    *least = (struct cor_least){.answer = COR_ANSWER_UNDECIDED, .low = low};
    COR_ASSERT(!objective->is_constraint && objective->integer_only);
    COR_TRY(ask(solver, question, request, objective, NULL, &reply, error));
    *least = (struct cor_least){reply.answer, reply.value, reply.low};
    take_values(solver, &reply, values);
    return COR_OK;
}

enum cor_status cor_solver_project(struct cor_solver *solver, const struct cor_question *question,
                                   const bool *eliminated, struct cor_projection *projection,
                                   struct cor_error *error) {
    struct solve__reply reply;
    *projection = (struct cor_projection){.answer = COR_ANSWER_UNDECIDED};
    COR_TRY(ask(solver, question, (struct solve__request){.what = SOLVE__PROJECT}, NULL, eliminated, &reply,
                error));
    projection->answer = reply.answer;
    projection->exact = reply.exact != 0;
    if (reply.node_count == 0)
        return COR_OK;
    struct cor_node *nodes = cor_calloc(reply.node_count, sizeof *nodes);
    COR_TRY(cor_made(nodes, error));
    memcpy(nodes, solver->message.bytes + solver->problem->variable_count * sizeof(int64_t),
           reply.node_count * sizeof *nodes);
    projection->constraint = (struct cor_expression){.nodes = nodes,
                                                     .node_count = reply.node_count,
                                                     .is_constraint = true,
                                                     .integer_only = true,
                                                     .result = COR_VALUE_INTEGER};
    return COR_OK;
}

/* ---- z3's process. The problem is asserted once; a question is pushed upon it and popped. Simple solvers,
 * since the others take a hundred times as long to start over; a limit of work, never of time */

#define WORK_USUAL 200000u
#define WORK_ALGEBRA 10000u          /* a taste of exact algebra, see solve.c */
#define STEP_MAX (UINT64_C(1) << 20) /* upwards, in search of the least value; then all at once */
#define MODELS_MAX 64                /* that a projection is made of, where qe leaves quantifiers */

enum { WITH_ALGEBRA, WITHOUT_ALGEBRA, SOLVERS };

struct server {
    const struct cor_problem *problem;
    bool without_algebra;
    struct solve__formulas formulas;
    Z3_solver solvers[SOLVERS]; /* asserted alike; the first is asked where something is not linear */
    Z3_ast *variables;          /* owned */
    unsigned char *message;     /* owned; the question */
    size_t capacity;
    int64_t *values; /* owned; of a solution */
    uint32_t work;   /* that the solvers are set to */
    struct cor_error error;
};

/* The question as it came. */
struct question {
    struct solve__request request;
    struct cor_problem problem;         /* the problem, narrowed; its constraints are the question's alone */
    struct cor_expression *expressions; /* owned; nodes are the message's */
    const int64_t *eliminated;
};

static enum cor_status limit_work(struct server *server, uint32_t work) {
    Z3_context c = server->formulas.context;
    if (server->work == work)
        return COR_OK;
    server->work = work;
    for (int s = 0; s < SOLVERS; s++) {
        Z3_params params = Z3_mk_params(c);
        if (!params)
            return solve__formulas_status(&server->formulas);
        Z3_params_inc_ref(c, params);
        Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "rlimit"),
                           s == WITH_ALGEBRA && work > WORK_ALGEBRA ? WORK_ALGEBRA : work);
        Z3_params_set_bool(c, params, Z3_mk_string_symbol(c, "arith.nl.nra"), s == WITH_ALGEBRA);
        Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "random_seed"), 0);
        Z3_solver_set_params(c, server->solvers[s], params);
        Z3_params_dec_ref(c, params);
    }
    return solve__formulas_status(&server->formulas);
}

static void assert_in_both(struct server *server, Z3_ast formula) {
    for (int s = 0; s < SOLVERS; s++)
        Z3_solver_assert(server->formulas.context, server->solvers[s], formula);
}

static void push(struct server *server) {
    for (int s = 0; s < SOLVERS; s++)
        Z3_solver_push(server->formulas.context, server->solvers[s]);
}

/* Also lets go of formulas made since. */
static void pop(struct server *server, size_t held) {
    for (int s = 0; s < SOLVERS; s++)
        Z3_solver_pop(server->formulas.context, server->solvers[s], 1);
    solve__release(&server->formulas, held);
}

static enum cor_status open_server(struct server *server) {
    const struct cor_problem *problem = server->problem;
    struct solve__formulas *f = &server->formulas;
    server->variables = cor_calloc(problem->variable_count, sizeof(Z3_ast));
    server->values = cor_calloc(problem->variable_count, sizeof *server->values);
    if (!server->variables || !server->values)
        return cor_fail_memory(&server->error);
    COR_TRY(solve__formulas_init(f, &server->error));
    for (int s = 0; s < SOLVERS; s++) {
        server->solvers[s] = Z3_mk_simple_solver(f->context);
        if (server->solvers[s])
            Z3_solver_inc_ref(f->context, server->solvers[s]);
        COR_TRY(solve__formulas_status(f));
    }
    for (uint32_t v = 0; v < problem->variable_count; v++) {
        server->variables[v] = solve__formula_variable(f, v);
        assert_in_both(server,
                       solve__formula_range(f, server->variables[v], problem->low[v], problem->high[v]));
    }
    for (uint32_t k = 0; k < problem->constraint_count; k++)
        assert_in_both(server, solve__formula_of(f, server->variables, problem->low, problem->high,
                                                 &problem->constraints[k], NULL));
    return solve__formulas_status(f);
}

/* A solution into `values`, which holds by our own reckoning, too. */
static bool read_solution(struct server *server, const struct question *q, Z3_solver answered) {
    Z3_context c = server->formulas.context;
    const struct cor_problem own = {NULL,
                                    q->problem.variable_count,
                                    q->problem.low,
                                    q->problem.high,
                                    server->problem->constraints,
                                    server->problem->constraint_count};
    Z3_model model = Z3_solver_get_model(c, answered);
    bool read = model != NULL;
    if (!model)
        return false;
    Z3_model_inc_ref(c, model);
    for (uint32_t v = 0; v < q->problem.variable_count && read; v++) {
        Z3_ast value;
        read = Z3_model_eval(c, model, server->variables[v], true, &value) &&
               Z3_get_numeral_int64(c, value, &server->values[v]);
    }
    Z3_model_dec_ref(c, model);
    return read && cor_problem_holds(&q->problem, server->values) && cor_problem_holds(&own, server->values);
}

/* Can all that is asserted hold? */
static enum cor_answer decide(struct server *server, const struct question *q) {
    Z3_lbool answer = Z3_L_UNDEF;
    int s = server->formulas.nonlinear && !server->without_algebra ? WITH_ALGEBRA : WITHOUT_ALGEBRA;
    solve__allow_seconds();
    for (; s < SOLVERS && solve__formulas_status(&server->formulas) == COR_OK; s++) {
        answer = Z3_solver_check(server->formulas.context, server->solvers[s]);
        if (answer != Z3_L_UNDEF)
            break;
    }
    if (solve__formulas_status(&server->formulas) != COR_OK || answer == Z3_L_UNDEF)
        return COR_ANSWER_UNDECIDED;
    if (answer == Z3_L_FALSE)
        return COR_ANSWER_EMPTY;
    return read_solution(server, q, server->solvers[s]) ? COR_ANSWER_SATISFIABLE : COR_ANSWER_UNDECIDED;
}

static void state_question(struct server *server, const struct question *q) {
    struct solve__formulas *f = &server->formulas;
    const struct cor_problem *whole = server->problem;
    for (uint32_t v = 0; v < whole->variable_count; v++)
        if (q->problem.low[v] > whole->low[v] || q->problem.high[v] < whole->high[v])
            assert_in_both(
                server, solve__formula_range(f, server->variables[v], q->problem.low[v], q->problem.high[v]));
    for (uint32_t k = 0; k < q->problem.constraint_count; k++)
        assert_in_both(server, solve__formula_of(f, server->variables, q->problem.low, q->problem.high,
                                                 &q->problem.constraints[k], NULL));
}

/* The search for the least value: it is in low .. high, and `values` attains `value` once `found`. */
struct least {
    Z3_ast objective;
    const struct cor_expression *expression;
    int64_t low, high, value, proven; /* proven: nothing is less; INT64_MIN until something was */
    bool found;
    int64_t *values; /* owned */
};

/* Is there a solution with objective <= high? Keeps it. */
static enum cor_answer decide_below(struct server *server, const struct question *q, struct least *least,
                                    int64_t high) {
    const size_t held = server->formulas.count;
    push(server);
    assert_in_both(server, solve__formula_range(&server->formulas, least->objective, least->proven, high));
    const enum cor_answer answer = decide(server, q);
    pop(server, held);
    if (answer != COR_ANSWER_SATISFIABLE)
        return answer;
    if (!cor_expression_value(least->expression, server->values, &least->value))
        return COR_ANSWER_UNDECIDED;
    least->found = true;
    memcpy(least->values, server->values, q->problem.variable_count * sizeof *least->values);
    return answer;
}

/* Upwards from `low` in steps that double until there is a solution; then by halves. What is proven moves
 * `low`. */
static enum cor_answer search_least(struct server *server, const struct question *q, struct least *least) {
    uint64_t step = 0;
    while (least->low <= least->high && !(least->found && least->value <= least->low)) {
        const uint64_t room = (uint64_t)(least->found ? least->value : least->high) - (uint64_t)least->low;
        const uint64_t ahead = least->found ? room / 2 : step < room && step < STEP_MAX ? step : room;
        const int64_t high = (int64_t)((uint64_t)least->low + ahead);
        const enum cor_answer answer = decide_below(server, q, least, high);
        if (answer == COR_ANSWER_UNDECIDED)
            return least->found ? COR_ANSWER_SATISFIABLE : COR_ANSWER_UNDECIDED;
        if (answer == COR_ANSWER_EMPTY) {
            if (high == INT64_MAX)
                break;
            least->low = least->proven = high + 1;
            step = 2 * step + 1;
        }
    }
    return least->found ? COR_ANSWER_SATISFIABLE : COR_ANSWER_EMPTY;
}

static void answer_least(struct server *server, const struct question *q, struct solve__reply *reply) {
    const struct cor_expression *objective = &q->expressions[q->problem.constraint_count];
    struct least least = {.expression = objective,
                          .low = q->request.objective_low,
                          .high = INT64_MAX,
                          .proven = INT64_MIN,
                          .values = cor_calloc(q->problem.variable_count, sizeof *least.values)};
    Z3_ast defined;
    if (!least.values) {
        reply->head.status = cor_fail_memory(&server->error);
        return;
    }
    state_question(server, q);
    least.objective = solve__formula_of(&server->formulas, server->variables, q->problem.low, q->problem.high,
                                        objective, &defined);
    assert_in_both(server, defined);
    reply->answer = search_least(server, q, &least);
    reply->value = least.value;
    reply->low = least.low;
    memcpy(server->values, least.values, q->problem.variable_count * sizeof *least.values);
    free(least.values);
}

/* Projection. */
static Z3_tactic take_tactic(Z3_context c, const char *name) {
    Z3_tactic tactic = Z3_mk_tactic(c, name);
    if (tactic)
        Z3_tactic_inc_ref(c, tactic);
    return tactic;
}

/* `first`, then the tactic of that name; both are counted, `first` no longer by the caller. */
static Z3_tactic then_take(Z3_context c, Z3_tactic first, const char *name) {
    Z3_tactic second = first ? take_tactic(c, name) : NULL, both = NULL;
    if (second) {
        both = Z3_tactic_and_then(c, first, second);
        if (both)
            Z3_tactic_inc_ref(c, both);
        Z3_tactic_dec_ref(c, second);
    }
    if (first)
        Z3_tactic_dec_ref(c, first);
    return both;
}

/* The formulas of a goal as one. */
static Z3_ast all_of(struct server *server, Z3_goal goal) {
    struct solve__formulas *f = &server->formulas;
    Z3_goal_inc_ref(f->context, goal);
    Z3_ast all = solve__hold(f, Z3_mk_true(f->context));
    for (unsigned i = 0; i < Z3_goal_size(f->context, goal); i++) {
        Z3_ast next = solve__hold(f, Z3_goal_formula(f->context, goal, i));
        all = solve__hold(f, Z3_mk_and(f->context, 2, (Z3_ast[]){all, next}));
    }
    Z3_goal_dec_ref(f->context, goal);
    return all;
}

/* What the tactics make of the formula; NULL: nothing within the limit of work. */
static Z3_ast apply(struct server *server, Z3_ast formula) {
    struct solve__formulas *f = &server->formulas;
    Z3_context c = f->context;
    Z3_ast made = NULL;
    Z3_tactic chain = take_tactic(c, "simplify");
    chain = then_take(c, chain, "propagate-values");
    chain = then_take(c, chain, "qe");
    chain = then_take(c, chain, "simplify");
    Z3_goal goal = chain ? Z3_mk_goal(c, false, false, false) : NULL;
    if (goal) /* counted before anything else is made */
        Z3_goal_inc_ref(c, goal);
    Z3_params params = goal ? Z3_mk_params(c) : NULL;
    if (!params)
        return NULL; /* memory is out, z3 has said so: the process does not live long */
    Z3_params_inc_ref(c, params);
    Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "rlimit"), server->work);
    Z3_goal_assert(c, goal, formula);
    solve__allow_seconds();
    Z3_apply_result result = Z3_tactic_apply_ex(c, chain, goal, params);
    const bool canceled = Z3_get_error_code(c) != Z3_OK;
    if (result && !canceled) {
        Z3_apply_result_inc_ref(c, result);
        if (Z3_apply_result_get_num_subgoals(c, result) == 1)
            made = all_of(server, Z3_apply_result_get_subgoal(c, result, 0));
        Z3_apply_result_dec_ref(c, result);
    }
    Z3_params_dec_ref(c, params);
    Z3_goal_dec_ref(c, goal);
    Z3_tactic_dec_ref(c, chain);
    return made;
}

/* Without quantifiers? */
static bool is_plain(Z3_context c, Z3_ast formula) {
    if (Z3_get_ast_kind(c, formula) != Z3_APP_AST)
        return Z3_get_ast_kind(c, formula) == Z3_NUMERAL_AST;
    Z3_app app = Z3_to_app(c, formula);
    for (unsigned i = 0; i < Z3_get_app_num_args(c, app); i++)
        if (!is_plain(c, Z3_get_app_arg(c, app, i)))
            return false;
    return true;
}

/* The projection of one model of `formula`; NULL: none was made. */
static Z3_ast project_model(struct server *server, Z3_ast formula, Z3_app *gone, unsigned count) {
    struct solve__formulas *f = &server->formulas;
    Z3_context c = f->context;
    Z3_model model = Z3_solver_get_model(c, server->solvers[WITHOUT_ALGEBRA]);
    Z3_ast projected = NULL;
    if (!model)
        return NULL;
    Z3_model_inc_ref(c, model);
    Z3_ast implicant = solve__hold(f, Z3_model_extrapolate(c, model, formula));
    if (implicant)
        projected = solve__hold(f, Z3_qe_model_project(c, model, count, gone, implicant));
    Z3_model_dec_ref(c, model);
    return projected;
}

/* The projection of `formula` from its models, until there are none but those found: exact then; else a part
 * of it. */
static Z3_ast project_models(struct server *server, Z3_ast formula, Z3_app *gone, unsigned count,
                             struct solve__reply *reply) {
    struct solve__formulas *f = &server->formulas;
    Z3_context c = f->context;
    Z3_ast parts[MODELS_MAX];
    unsigned found = 0;
    Z3_lbool more = Z3_L_UNDEF;
    const size_t held = f->count;
    push(server);
    assert_in_both(server, formula);
    while (found < MODELS_MAX) {
        solve__allow_seconds();
        more = Z3_solver_check(c, server->solvers[WITHOUT_ALGEBRA]);
        Z3_ast part = more == Z3_L_TRUE ? project_model(server, formula, gone, count) : NULL;
        if (!part || !is_plain(c, part))
            break;
        parts[found++] = part;
        assert_in_both(server, solve__hold(f, Z3_mk_not(c, part)));
    }
    Z3_ast all = found > 0 ? Z3_mk_or(c, found, parts) : NULL;
    if (all)
        Z3_inc_ref(c, all);
    pop(server, held);
    if (all) {
        solve__hold(f, all);
        Z3_dec_ref(c, all);
    }
    reply->exact = more == Z3_L_FALSE;
    if (found == 0 && more == Z3_L_FALSE)
        reply->answer = COR_ANSWER_EMPTY;
    return all;
}

static bool reads_eliminated(const struct question *q, const struct cor_expression *expression) {
    for (uint32_t v = 0; v < q->problem.variable_count; v++)
        if (q->eliminated[v] && cor_expression_reads(expression, v))
            return true;
    return false;
}

/* Whether what was made is a constraint over what is left. */
static bool read_projection(struct server *server, const struct question *q, Z3_ast made,
                            struct cor_expression *constraint) {
    if (made && is_plain(server->formulas.context, made) &&
        solve__formula_read(&server->formulas, made, q->problem.variable_count, constraint) &&
        !reads_eliminated(q, constraint))
        return true;
    cor_expression_fini(constraint);
    return false;
}

static void answer_projection(struct server *server, const struct question *q, struct solve__reply *reply,
                              struct cor_expression *constraint) {
    struct solve__formulas *f = &server->formulas;
    Z3_app *gone = cor_calloc(q->problem.variable_count, sizeof(Z3_app));
    unsigned count = 0;
    reply->answer = COR_ANSWER_UNDECIDED;
    if (!gone) {
        reply->head.status = cor_fail_memory(&server->error);
        return;
    }
    for (uint32_t v = 0; v < q->problem.variable_count; v++)
        if (q->eliminated[v])
            gone[count++] = Z3_to_app(f->context, server->variables[v]);
    /* Constraints, and the ranges of what is to go. */
    Z3_ast body = solve__hold(f, Z3_mk_true(f->context));
    for (uint32_t k = 0; k < q->problem.constraint_count; k++) {
        Z3_ast next = solve__formula_of(f, server->variables, q->problem.low, q->problem.high,
                                        &q->problem.constraints[k], NULL);
        body = solve__hold(f, Z3_mk_and(f->context, 2, (Z3_ast[]){body, next}));
    }
    for (uint32_t v = 0; v < q->problem.variable_count; v++)
        if (q->eliminated[v]) {
            Z3_ast range =
                solve__formula_range(f, server->variables[v], q->problem.low[v], q->problem.high[v]);
            body = solve__hold(f, Z3_mk_and(f->context, 2, (Z3_ast[]){body, range}));
        }
    bool read = false;
    if (!q->request.by_models) {
        Z3_ast asked =
            count == 0 ? body : solve__hold(f, Z3_mk_exists_const(f->context, 0, count, gone, 0, NULL, body));
        read = read_projection(server, q, apply(server, asked), constraint);
        reply->exact = read;
    }
    if (!read && f->status == COR_OK)
        read = read_projection(server, q, project_models(server, body, gone, count, reply), constraint);
    if (read)
        reply->answer = COR_ANSWER_SATISFIABLE;
    free(gone);
}

/* The question out of the message, whose head was read. */
static enum cor_status unpack(struct server *server, struct question *q) {
    const uint32_t n = server->problem->variable_count, count = q->request.expression_count;
    const int64_t *ranges = (const int64_t *)(void *)server->message;
    size_t at = 3 * (size_t)n * sizeof *ranges;
    q->expressions = cor_calloc(count, sizeof *q->expressions);
    COR_TRY(cor_made(q->expressions, &server->error));
    for (uint32_t k = 0; k < count; k++) {
        struct solve__shape shape;
        memcpy(&shape, server->message + at, sizeof shape);
        at += sizeof shape;
        q->expressions[k] =
            (struct cor_expression){.nodes = (struct cor_node *)(void *)(server->message + at),
                                    .node_count = shape.node_count,
                                    .is_constraint = shape.is_constraint != 0,
                                    .integer_only = true,
                                    .result = COR_VALUE_INTEGER};
        at += shape.node_count * sizeof(struct cor_node);
    }
    q->eliminated = ranges + 2 * (size_t)n;
    q->problem = (struct cor_problem){
        NULL, n, ranges, ranges + n, q->expressions, count - (q->request.what == SOLVE__MINIMISE)};
    return COR_OK;
}

static void answer(struct server *server, struct question *q, struct solve__reply *reply,
                   struct cor_expression *constraint) {
    const size_t held = server->formulas.count;
    const bool nonlinear = server->formulas.nonlinear;
    reply->head.status = unpack(server, q);
    if (reply->head.status == COR_OK)
        reply->head.status = limit_work(server, q->request.work ? q->request.work : WORK_USUAL);
    if (reply->head.status != COR_OK)
        return;
    if (q->request.what == SOLVE__PROJECT) {
        answer_projection(server, q, reply, constraint);
        solve__release(&server->formulas, held);
    } else {
        push(server);
        if (q->request.what == SOLVE__MINIMISE) {
            answer_least(server, q, reply);
        } else {
            state_question(server, q);
            reply->answer = decide(server, q);
        }
        pop(server, held);
    }
    server->formulas.nonlinear = nonlinear;
    if (reply->head.status == COR_OK)
        reply->head.status = solve__formulas_status(&server->formulas);
}

/* z3's process: answers what comes through the socket until it is closed. */
static void serve_questions(const void *task, int socket) {
    const struct cor_solver *solver = task;
    struct server server = {
        .problem = solver->problem, .without_algebra = solver->statistics.is_cut, .error = COR_NO_ERROR};
    const enum cor_status opened = open_server(&server);
    struct question q;
    bool alive = true;
    while (alive && solve__receive_all(socket, &q.request, sizeof q.request)) {
        const size_t size = q.request.size - sizeof q.request;
        struct solve__reply reply = {.head.status = opened, .answer = COR_ANSWER_UNDECIDED};
        struct cor_expression constraint = {.node_count = 0};
        if (COR_RESERVE(&server.message, &server.capacity, size + 1, NULL) != COR_OK ||
            !solve__receive_all(socket, server.message, size))
            break;
        q.expressions = NULL;
        if (opened == COR_OK)
            answer(&server, &q, &reply, &constraint);
        const size_t values = server.problem->variable_count * sizeof *server.values;
        const size_t nodes = constraint.node_count * sizeof *constraint.nodes;
        reply.node_count = constraint.node_count;
        reply.head.size = sizeof reply + values + nodes;
        reply.head.error = server.error;
        alive = solve__send_all(socket, &reply, sizeof reply) &&
                solve__send_all(socket, server.values, values) &&
                solve__send_all(socket, constraint.nodes, nodes);
        cor_expression_fini(&constraint);
        free(q.expressions);
    }
    for (int s = 0; s < SOLVERS && server.formulas.context; s++)
        if (server.solvers[s])
            Z3_solver_dec_ref(server.formulas.context, server.solvers[s]);
    solve__formulas_fini(&server.formulas);
    COR_FREE(server.variables, server.values, server.message);
}

bool solve__send_all(int socket, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    while (size > 0) {
        const ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

bool solve__receive_all(int socket, void *bytes, size_t size) {
    unsigned char *at = bytes;
    while (size > 0) {
        const ssize_t got = recv(socket, at, size, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}
