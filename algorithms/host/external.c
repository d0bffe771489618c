/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session with a program: a session in this process, whose algorithm's functions ask the program. What the
 * program does wrong is in the outcome, and the next reorganization finds a fresh process. */
#include "external.h"
#include "local.h"

#include <corridor/array.h>
#include <corridor/guarantees.h>
#include <corridor/loader.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What an exchange came to: 1, or 0 and why is in the outcome. */
static int take_exchange(struct host__external_session *session, enum cor_status status) {
    static const enum cor_smoke smokes[] = {
        [COR_EXCHANGE_LATE] = COR_SMOKE_OVERDUE,   [COR_EXCHANGE_FLOOD] = COR_SMOKE_GARBLED,
        [COR_EXCHANGE_HALF] = COR_SMOKE_GARBLED,   [COR_EXCHANGE_CLOSED] = COR_SMOKE_GARBLED,
        [COR_EXCHANGE_EXITED] = COR_SMOKE_EXITED,  [COR_EXCHANGE_CRASHED] = COR_SMOKE_CRASHED,
        [COR_EXCHANGE_CPU_TIME] = COR_SMOKE_HUNG,  [COR_EXCHANGE_MEMORY] = COR_SMOKE_MEMORY,
        [COR_EXCHANGE_GARBLED] = COR_SMOKE_GARBLED};
    const struct cor_conversation *talk = &session->talk;
    const enum cor_death death = cor_lines_death(&talk->lines);
    if (status != COR_OK)
        host__session_trouble(&session->local, status);
    if (status != COR_OK || talk->exchange == COR_EXCHANGE_WELL)
        return status == COR_OK;
    host__session_smoke(&session->local, smokes[talk->exchange], talk->words);
    if (talk->exchange != COR_EXCHANGE_GARBLED) { /* a shell in between says a signal by its exit code */
        const int code = talk->lines.code;
        session->local.outcome->fate = (struct cor_fate){.signal = death == COR_DEATH_SIGNAL ? code % 128 : 0,
                                                         .exit_code = death == COR_DEATH_EXIT ? code : 0};
    }
    return 0;
}

/* Says hello to a process that has just begun, and hears a line. */
static enum cor_status say_hello(struct cor_conversation *talk, struct cor_error *error) {
    COR_TRY(cor_conversation_start(talk, error));
    cor_bytes_print(cor_conversation_begin(talk, "hello"), "{\"protocol\":%d}", HOST__PROTOCOL);
    COR_TRY(cor_conversation_say(talk, error));
    return cor_conversation_hear(talk, 0, error);
}

struct cor_bytes *host__ask_begin(const struct cor_host *host, const char *called) {
    struct host__external_session *session = host__external_session(host);
    session->talk.answer_seconds = session->local.base.definition.answer_seconds;
    if (!cor_lines_started(&session->talk.lines)) {
        /* A process that says who it is, as it did the first time. */
        struct cor_conversation *talk = &session->talk;
        struct cor_error said = COR_NO_ERROR;
        const double begun = cor_now();
        session->first_id = 1;
        enum cor_status status = say_hello(talk, session->local.error);
        cor_conversation_expect_silence(talk);
        if (take_exchange(session, status)) {
            session->local.base.starts++;
            session->local.base.start_seconds += cor_now() - begun;
            if (strcmp(talk->line, session->external->hello) != 0) {
                status = cor_fail(&said, COR_STATUS_INPUT, NULL, NULL,
                                  "a fresh process says otherwise who it is than the first one");
                (void)host__ask_refuse(session, status, &said);
            }
        }
    }
    return cor_conversation_begin(&session->talk, called);
}

int host__ask_refuse(struct host__external_session *session, enum cor_status status,
                     const struct cor_error *said) {
    return take_exchange(session,
                         cor_conversation_garble(&session->talk, status, said, session->local.error));
}

int host__ask(const struct cor_host *host, const struct cor_field *fields, void *answer) {
    struct host__external_session *session = host__external_session(host);
    struct cor_conversation *talk = &session->talk;
    struct cor_error said = COR_NO_ERROR;
    ((struct host__answer *)answer)->host = host;
    if (!cor_lines_started(&talk->lines))
        return 0;
    enum cor_status status = cor_conversation_ask(talk, 0, session->local.error);
    cor_conversation_expect_silence(talk);
    session->is_late = talk->answered > 0 && (uint64_t)talk->answered < session->first_id;
    if (!take_exchange(session, status))
        return 0;
    const uint64_t spent = *host->spent;
    const struct cor_fault_counts fault = *host->fault;
    const struct cor_json root = cor_json_root(talk->answer);
    status = cor_json_fields(&root, fields, answer, &said);
    if (status != COR_OK && !session->local.is_over) {
        *host->spent = spent; /* what cannot be read counts for nothing, however much of it came before */
        *host->fault = fault;
        return host__ask_refuse(session, status, &said);
    }
    return !session->local.is_over;
}

static struct cor_lines_definition lines_of(const struct host__external *external,
                                            const struct cor_session_definition *session) {
    return (struct cor_lines_definition){.command = external->command,
                                         .is_path = external->is_path,
                                         .line_most = COR_LINE_MOST,
                                         .cpu_seconds = session->cpu_seconds,
                                         .is_greeted = true,
                                         .is_walled = true,
                                         .is_full = session->is_full,
                                         .memory_bytes = cor_address_space(session->memory_limit),
                                         .traffic = external->traffic,
                                         .digest = external->digest};
}

static enum cor_status open_session(struct cor_session *base, struct cor_error *error) {
    struct host__external_session *session = (struct host__external_session *)base;
    session->external = host__external_of(base->algorithm);
    session->first_id = 1;
    base->definition.strict = 0; /* there is nothing of its in this process */
    const struct cor_lines_definition lines = lines_of(session->external, &base->definition);
    COR_TRY(cor_conversation_init(&session->talk, &lines, base->definition.answer_seconds, error));
    return host__local_kind.open(base, error);
}

static void close_session(struct cor_session *base) {
    struct host__external_session *session = (struct host__external_session *)base;
    cor_conversation_part(&session->talk);
    cor_conversation_fini(&session->talk);
    cor_session_memory_fini(&session->before);
    host__local_kind.close(base);
}

/* In a process that was asked before, an answer to what it was asked then says nothing of this
 * reorganization: that one is asked for in a fresh process. */
static enum cor_status reorganize(struct cor_session *base, const struct cor_task *task,
                                  const struct cor_stream_name *name, struct cor_outcome *outcome,
                                  struct cor_error *error) {
    struct host__external_session *session = (struct host__external_session *)base;
    if (base->wants_fresh || base->definition.is_fresh)
        cor_conversation_part(&session->talk);
    base->wants_fresh = false;
    session->is_late = false;
    if (!cor_lines_started(&session->talk.lines))
        return host__local_kind.reorganize(base, task, name, outcome, error);
    session->first_id = session->talk.id + 1;
    COR_TRY(cor_session_save(base, &session->before, error));
    COR_TRY(host__local_kind.reorganize(base, task, name, outcome, error));
    if (!session->is_late)
        return COR_OK;
    COR_TRY(cor_session_restore(base, &session->before, error));
    host__outcome_clear(base, outcome);
    COR_TRY(host__local_kind.reorganize(base, task, name, outcome, error));
    outcome->has_late = true;
    return COR_OK;
}

const struct host__session_kind host__external_kind = {.size = sizeof(struct host__external_session),
                                                       .open = open_session,
                                                       .close = close_session,
                                                       .reorganize = reorganize};

/* A shared object is an ELF file that asks for no interpreter: without one, or with another format, the
 * kernel can start it. */
static bool is_shared_object(FILE *file) {
    Elf64_Ehdr head;
    if (fread(&head, sizeof head, 1, file) != 1 || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
        return false;
    if (head.e_type != ET_DYN || fseek(file, (long)head.e_phoff, SEEK_SET) != 0)
        return head.e_type != ET_EXEC;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        Elf64_Phdr segment;
        if (fread(&segment, sizeof segment, 1, file) != 1 || segment.p_type == PT_INTERP)
            return false;
    }
    return true;
}

bool cor_is_program_file(const char *path) {
    FILE *file = access(path, X_OK) == 0 ? fopen(path, "rb") : NULL;
    bool is_program = file && !is_shared_object(file);
    if (file)
        fclose(file);
    return is_program;
}

enum cor_status host__external_check_module(const char *path, struct cor_error *error) {
    unsigned char begin[SELFMAG] = {0};
    struct stat there;
    const char *ending = strrchr(path, '.');
    if (ending && strcmp(ending, ".so") == 0)
        return COR_OK; /* meant as a module: loading it says what is wrong */
    if (stat(path, &there) != 0 || !S_ISREG(there.st_mode) || access(path, X_OK) == 0)
        return COR_OK;
    FILE *file = fopen(path, "rb");
    const size_t got = file ? fread(begin, 1, sizeof begin, file) : SELFMAG;
    if (file)
        fclose(file);
    return got == 0 || !file || memcmp(begin, ELFMAG, SELFMAG) == 0 ? COR_OK
                                                                    : cor_refuse_not_executable(path, error);
}

static enum cor_status introduce(struct host__external *external, struct cor_error *error) {
    static const char remedy[] = "a program answers {\"id\":1,\"hello\":{..}} as corridor-protocol(7) says";
    struct cor_conversation talk;
    struct cor_error said = COR_NO_ERROR;
    struct cor_session_definition session = cor_default_session(NULL);
    session.is_full = external->is_full;
    const struct cor_lines_definition definition = lines_of(external, &session);
    enum cor_status status = cor_conversation_init(&talk, &definition, session.answer_seconds, error);
    if (status == COR_OK)
        status = cor_lines_check(&talk.lines, error);
    if (status == COR_OK)
        status = say_hello(&talk, error);
    if (status == COR_OK && talk.exchange == COR_EXCHANGE_WELL)
        status = cor_made(external->hello = cor_strdup(talk.line), error);
    if (status == COR_OK && talk.exchange == COR_EXCHANGE_WELL) {
        status = host__external_declare(external, &said);
        if (status == COR_STATUS_INPUT || status == COR_STATUS_MEMORY)
            status = cor_conversation_garble(&talk, status, &said, error);
        else if (status != COR_OK)
            *error = said;
    }
    if (status == COR_OK && talk.exchange != COR_EXCHANGE_WELL)
        status = cor_conversation_refuse(&talk, remedy, error);
    cor_conversation_fini(&talk);
    return status;
}

enum cor_status host__external_open(const struct host__external_definition *definition,
                                    struct host__external **external, struct cor_error *error) {
    struct host__external *made = *external = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->is_path = definition->is_path;
    made->is_full = definition->is_full;
    made->traffic = definition->traffic;
    made->digest = definition->digest;
    enum cor_status status = cor_made(made->command = cor_strdup(definition->command), error);
    if (status == COR_OK)
        status = introduce(made, error);
    if (status == COR_OK)
        return COR_OK;
    host__external_close(made);
    *external = NULL;
    return status;
}
