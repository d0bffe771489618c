/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The agent of these tests, as a design: a courier picks up parcels, and refuses what weighs nothing.
 * modules/courier.c and courier.py are the same agent. What the interpreter makes of the design is what they
 * are held against. */
#ifndef CORRIDOR_ALGORITHMS_AGENTS_TESTS_COURIER_H
#define CORRIDOR_ALGORITHMS_AGENTS_TESTS_COURIER_H

#include <corridor/agent_terms.h>
#include <corridor/aut_session.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define COURIER_ARGUMENTS 3
#define COURIER_FIELDS 3
#define WRONG_KILOS 13 /* with these the agents with a fault do what they are called after */

struct courier {
    struct cor_design *design;
    struct cor_agent_code *code;
    struct cor_aut_session *interpreter;
    uint32_t pickup, paper; /* event, word */
};

static inline void sound(enum cor_status status, const struct cor_error *error) {
    if (status != COR_OK)
        fail_msg("%s: %s (%s)", error->place, error->cause, error->remedy);
}

static inline void add_plan(struct cor_design *design, const char *name, uint32_t trigger,
                            const char *context, struct cor_body *body) {
    struct cor_error error = COR_NO_ERROR;
    uint32_t plan;
    sound(cor_design_add_plan(design, name, trigger, NULL, &plan, &error), &error);
    sound(cor_design_set_code_take(design, plan, context, NULL, body, &error), &error);
}

static inline void add_statement(struct cor_body *body, enum cor_statement_kind kind, const char *subject,
                                 const char *text) {
    struct cor_error error = COR_NO_ERROR;
    sound(cor_body_add(body, kind, NULL, subject, text, false, &error), &error);
}

static inline struct courier courier_make(void) {
    struct cor_error error = COR_NO_ERROR;
    struct courier made = {.design = cor_design_create("Courier")};
    struct cor_design *design = made.design;
    uint32_t deliver, overload, load;
    sound(cor_words_intern(&design->words, "paper", &made.paper, &error), &error);
    sound(cor_design_add_belief(design, "load", NULL, &load, &error), &error);
    sound(cor_design_add_field(design, "Weight", COR_DOMAIN_INTEGER, false, NULL, NULL, &error), &error);
    sound(cor_design_add_field(design, "Share", COR_DOMAIN_REAL, false, NULL, NULL, &error), &error);
    sound(cor_design_add_field(design, "Note", COR_DOMAIN_STRING, false, NULL, NULL, &error), &error);
    sound(cor_design_add_event(design, "Pickup", COR_EVENT_KIND_PERCEPT, NULL, &made.pickup, &error), &error);
    sound(cor_design_add_parameter(design, "Kilos", COR_DOMAIN_INTEGER, NULL, NULL, &error), &error);
    sound(cor_design_add_parameter(design, "Express", COR_DOMAIN_BOOLEAN, NULL, NULL, &error), &error);
    sound(cor_design_add_parameter(design, "What", COR_DOMAIN_STRING, NULL, NULL, &error), &error);
    sound(cor_design_add_event(design, "Deliver", COR_EVENT_KIND_INTERNAL, NULL, &deliver, &error), &error);
    sound(cor_design_add_parameter(design, "Kilos", COR_DOMAIN_INTEGER, NULL, NULL, &error), &error);
    sound(cor_design_add_parameter(design, "What", COR_DOMAIN_STRING, NULL, NULL, &error), &error);
    sound(cor_design_add_event(design, "Overload", COR_EVENT_KIND_BELIEF, NULL, &overload, &error), &error);
    sound(cor_design_add_parameter(design, "Weight", COR_DOMAIN_INTEGER, NULL, NULL, &error), &error);
    sound(cor_design_add_rule(design, load, "Weight > 100", overload, NULL, &error), &error);
    sound(cor_design_add_message(design, "Receipt", NULL, NULL, &error), &error);
    sound(cor_design_add_action(design, "Drive", NULL, NULL, &error), &error);
    struct cor_body body;
    cor_body_init(&body);
    add_statement(&body, COR_STATEMENT_SET, "load.Weight", "Weight + Kilos");
    add_statement(&body, COR_STATEMENT_SET, "load.Share", "0.5");
    add_statement(&body, COR_STATEMENT_SET, "load.Note", "What");
    add_statement(&body, COR_STATEMENT_POST, "Deliver", NULL);
    sound(cor_body_add_argument(&body, "Kilos", "Kilos", &error), &error);
    sound(cor_body_add_argument(&body, "What", "What", &error), &error);
    add_statement(&body, COR_STATEMENT_SEND, "Receipt", NULL);
    add_plan(design, "Take", made.pickup, "Kilos > 0", &body);
    add_plan(design, "Refuse", made.pickup, "Kilos <= 0", &body);
    add_statement(&body, COR_STATEMENT_WHILE, NULL, "Kilos < 0");
    cor_body_close(&body);
    add_statement(&body, COR_STATEMENT_DO, "Drive", NULL);
    add_plan(design, "Bring", deliver, NULL, &body);
    made.code = cor_agent_code_create(design);
    struct cor_aut_definition definition = cor_default_aut(design);
    definition.code = made.code;
    sound(cor_aut_open(&definition, &made.interpreter, &error), &error);
    return made;
}

static inline void courier_free(struct courier *made) {
    cor_aut_close(made->interpreter);
    cor_agent_code_destroy(made->code);
    cor_design_destroy(made->design);
}

/* A case of the courier, with its values. */
struct parcel {
    struct cor_agent_case asked;
    struct cor_value arguments[COURIER_ARGUMENTS], beliefs[COURIER_FIELDS];
};

static inline void parcel_make(const struct courier *made, int64_t kilos, struct parcel *parcel) {
    *parcel = (struct parcel){
        .asked = {.event = made->pickup, .seed = (uint64_t)kilos, .steps = 1000, .rounds = 10},
        .arguments = {cor_integer(kilos), cor_integer(kilos % 2),
                      kilos % 3 ? cor_word(made->paper) : cor_null()},
        .beliefs = {cor_integer(90), cor_real(0.25), cor_null()}};
    parcel->asked.arguments = parcel->arguments;
    parcel->asked.beliefs = parcel->beliefs;
}

static inline void run_into(struct cor_aut_session *session, const struct cor_agent_case *asked,
                            struct cor_trace *trace) {
    struct cor_error error = COR_NO_ERROR;
    sound(cor_aut_run(session, asked, trace, &error), &error);
}

/* The session does with so many kilos what the interpreter does. One with short limits, for an agent that
 * never comes back, may be too slow for them on a busy machine: it is asked again, `again` times at most. */
static inline void assert_alike_in_the_end(const struct courier *made, struct cor_aut_session *session,
                                           int64_t kilos, int again) {
    struct parcel parcel;
    struct cor_trace expected, trace;
    cor_trace_init(&expected);
    cor_trace_init(&trace);
    parcel_make(made, kilos, &parcel);
    run_into(made->interpreter, &parcel.asked, &expected);
    do
        run_into(session, &parcel.asked, &trace);
    while (trace.end == COR_TRACE_END_HUNG && again-- > 0);
    if (!cor_trace_equal(&expected, &trace)) {
        char *wanted = cor_trace_print(made->design, &expected),
             *given = cor_trace_print(made->design, &trace);
        print_error("%lld kilos, wanted:\n%sgiven:\n%s%s\n", (long long)kilos, wanted, given,
                    cor_aut_last_words(session));
        free(wanted);
        free(given);
        fail();
    }
    cor_trace_fini(&expected);
    cor_trace_fini(&trace);
}

static inline void assert_alike(const struct courier *made, struct cor_aut_session *session, int64_t kilos) {
    assert_alike_in_the_end(made, session, kilos, 0);
}

/* How the session ends the case in which the agent does what its fault says. */
static inline enum cor_trace_end end_of_wrong(const struct courier *made, struct cor_aut_session *session,
                                              char *garbled, size_t size) {
    struct parcel parcel;
    struct cor_trace trace;
    cor_trace_init(&trace);
    parcel_make(made, WRONG_KILOS, &parcel);
    run_into(session, &parcel.asked, &trace);
    enum cor_trace_end end = trace.end;
    assert_true(trace.event_count > 0);
    assert_int_equal(trace.events[0].kind, COR_TRACE_POSTED);
    snprintf(garbled, size, "%s", trace.garbled);
    cor_trace_fini(&trace);
    return end;
}

/* Whoever loses its parent becomes a child of this process, so that nobody who is left can hide, and nobody
 * else's is taken for one. */
__attribute__((constructor)) static void adopt_orphans(void) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Waits until they have ended who are on the point of it, as orphans whose keeper was killed; ctest has the
 * last word. */
static inline void bury_orphans(void) {
    while (waitpid(-1, NULL, 0) > 0)
        ;
}

/* Nothing that was started is left, and nothing is to be waited for. */
static inline void assert_nobody_left(void) {
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

#endif
