/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/aut_session.h>
#include <corridor/guarantees.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void identity_fini(struct agents__identity *identity) {
    agents__identity_clear(identity, 0);
    free(identity->faults);
    free(identity->triggers);
    *identity = (struct agents__identity){0};
}

/* ---- aut session */

#define VAIN_MOST 3 /* cases in a row for which no process would begin: then nothing more can come of it */

struct cor_aut_session {
    enum cor_aut_way way;
    const struct cor_design *design;   /* borrowed */
    const struct cor_agent_code *code; /* borrowed; INTERPRETER */
    struct agents__identity identity;
    struct cor_interpreter *interpreter; /* owned; of these three one */
    struct agents__module *module;       /* owned */
    struct agents__program *program;     /* owned */
    uint32_t vain;                       /* cases since one for which a process began */
};

struct cor_aut_definition cor_default_aut(struct cor_design *design) {
    return (struct cor_aut_definition){.design = design,
                                       .way = COR_AUT_INTERPRETER,
                                       .memory_bytes = COR_GUEST_MEMORY,
                                       .cpu_seconds = 1,
                                       .answer_seconds = 10};
}

enum cor_aut_way cor_aut_way_of(const char *agent) {
    size_t length = strlen(agent);
    return length > 3 && strcmp(agent + length - 3, ".so") == 0 ? COR_AUT_MODULE : COR_AUT_PROGRAM;
}

static enum cor_status open_session(struct cor_aut_session *session,
                                    const struct cor_aut_definition *definition, struct cor_error *error) {
    session->way = definition->way;
    session->design = definition->design;
    session->code = definition->code;
    session->identity.triggers = cor_calloc(session->design->plan_count, sizeof *session->identity.triggers);
    COR_TRY(cor_made(session->identity.triggers, error));
    agents__identity_clear(&session->identity, session->design->plan_count);
    switch (definition->way) {
    case COR_AUT_MODULE:
        return agents__module_create(definition, &session->identity, &session->module, error);
    case COR_AUT_PROGRAM:
        return agents__program_create(definition, &session->identity, &session->program, error);
    case COR_AUT_INTERPRETER:
        break;
    }
    /* The interpreter says of itself what its code says. */
    struct agents__identity *identity = &session->identity;
    COR_TRY(cor_made(identity->name = cor_strdup(session->design->name), error));
    COR_TRY(cor_made(identity->version = cor_strdup(""), error));
    for (uint32_t i = 0; i < session->design->plan_count; i++)
        if (!session->code->plans[i]->absent)
            identity->triggers[i] = session->code->plans[i]->trigger;
    session->interpreter = cor_interpreter_create(session->code);
    return cor_made(session->interpreter, error);
}

enum cor_status cor_aut_open(const struct cor_aut_definition *definition, struct cor_aut_session **session,
                             struct cor_error *error) {
    COR_ASSERT(definition->design && definition->cpu_seconds > 0 && definition->answer_seconds > 0);
    COR_ASSERT(definition->way == COR_AUT_INTERPRETER ? definition->code != NULL : definition->agent != NULL);
    *session = cor_calloc(1, sizeof **session);
    COR_TRY(cor_made(*session, error));
    enum cor_status status = open_session(*session, definition, error);
    if (status != COR_OK) {
        cor_aut_close(*session);
        *session = NULL;
    }
    return status;
}

void cor_aut_close(struct cor_aut_session *session) {
    if (!session)
        return;
    cor_interpreter_destroy(session->interpreter);
    agents__module_destroy(session->module);
    agents__program_destroy(session->program);
    identity_fini(&session->identity);
    free(session);
}

enum cor_status cor_aut_run(struct cor_aut_session *session, const struct cor_agent_case *unit_case,
                            struct cor_trace *trace, struct cor_error *error) {
    struct cor_error said = COR_NO_ERROR;
    cor_trace_clear(trace);
    if (session->way == COR_AUT_INTERPRETER)
        return cor_interpreter_run(session->interpreter, unit_case, trace, error);
    enum cor_status status = session->way == COR_AUT_MODULE
                                 ? agents__module_run(session->module, unit_case, trace, &said)
                                 : agents__program_run(session->program, unit_case, trace, &said);
    if (status == COR_OK && session->program && agents__program_was_killed(session->program)) {
        cor_trace_clear(trace); /* what comes when nobody ends it is what it does */
        status = agents__program_run(session->program, unit_case, trace, &said);
    }
    session->vain = status == COR_OK ? 0 : session->vain + 1;
    const bool is_ours = session->program && agents__program_in_trouble(session->program);
    if ((status == COR_STATUS_PLUGIN || status == COR_STATUS_INPUT) && !is_ours &&
        session->vain <= VAIN_MOST) {
        /* A process that had to be begun again, and would not: that, too, is what the agent does in the
         * case. */
        cor_trace_clear(trace);
        trace->end = COR_TRACE_END_GARBLED;
        snprintf(trace->garbled, sizeof trace->garbled, "it does not begin again: %.200s", said.cause);
        agents__make_printable(trace->garbled);
        return cor_trace_posted(trace, unit_case->event, unit_case->arguments,
                                session->design->events[unit_case->event].parameter_count, COR_POSTER_CASE,
                                error);
    }
    return status == COR_OK ? COR_OK : cor_fail(error, status, said.place, said.remedy, "%s", said.cause);
}

enum cor_status cor_aut_ahead(struct cor_aut_session *session, const struct cor_agent_case *cases,
                              uint32_t count, struct cor_error *error) {
    if (session->way == COR_AUT_MODULE)
        return agents__module_ahead(session->module, cases, count, error);
    return COR_OK;
}

enum cor_status cor_aut_begin_suite(struct cor_aut_session *session, struct cor_error *error) {
    if (!session->identity.forgets)
        return cor_aut_restart(session, error);
    if (session->program)
        agents__program_again(session->program);
    return COR_OK;
}

enum cor_status cor_aut_restart(struct cor_aut_session *session, struct cor_error *error) {
    (void)error; /* the next case starts it */
    if (session->module)
        agents__module_stop(session->module);
    if (session->program)
        agents__program_stop(session->program);
    return COR_OK;
}

const char *cor_aut_name(const struct cor_aut_session *session) {
    return session->identity.name;
}

const char *cor_aut_version(const struct cor_aut_session *session) {
    return session->identity.version;
}

uint32_t cor_aut_fault_count(const struct cor_aut_session *session) {
    return session->identity.fault_count;
}

const char *cor_aut_fault_name(const struct cor_aut_session *session, uint32_t fault) {
    COR_ASSERT(fault < session->identity.fault_count);
    return session->identity.faults[fault].name;
}

const char *cor_aut_fault_meaning(const struct cor_aut_session *session, uint32_t fault) {
    COR_ASSERT(fault < session->identity.fault_count);
    return session->identity.faults[fault].meaning;
}

uint32_t cor_aut_trigger(const struct cor_aut_session *session, uint32_t plan) {
    COR_ASSERT(plan < session->design->plan_count);
    return session->identity.triggers[plan];
}

const char *cor_aut_last_words(const struct cor_aut_session *session) {
    return session->module    ? agents__module_last_words(session->module)
           : session->program ? agents__program_last_words(session->program)
                              : "";
}

struct cor_interpreter *cor_aut_interpreter(struct cor_aut_session *session) {
    return session->interpreter;
}
