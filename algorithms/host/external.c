/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session with a program: a session in this process, whose algorithm's functions ask the program. What the
 * program does wrong is in the outcome, and the next reorganization finds a fresh process. */
#include "external.h"
#include "local.h"

#include <corridor/array.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static double deadline_of(const struct host__external_session *session) {
    return cor_now() + session->local.base.definition.answer_seconds;
}

/* The process is of no more use. */
static void end_process(struct host__external_session *session, double seconds) {
    cor_lines_end(&session->lines, seconds);
}

static int give_up(struct host__external_session *session, enum cor_smoke smoke, const char *text) {
    host__session_smoke(&session->local, smoke, text);
    end_process(session, 0);
    return 0;
}

/* What a process said last ends with what matters: of long words the beginning is left out. */
static void shorten(const char *words, char *text, size_t size) {
    static const char said[] = "it last said: ";
    const char *begin = strstr(words, said);
    size_t head = begin ? (size_t)(begin - words) + sizeof said - 1 : 0, length = strlen(words);
    size_t room = size - 1;
    if (length <= room || head + 2 > room) {
        head = length < room ? length : room;
        memcpy(text, words, head);
    } else {
        memcpy(text, words, head);
        memcpy(text + head, "..", 2);
        memcpy(text + head + 2, words + length - (room - head - 2), room - head - 2);
        head = room;
    }
    text[head] = '\0';
}

/* What is replayed has no process. A shell in between says a signal by its exit code. */
static struct cor_fate end_of(const struct host__external_session *session, enum cor_death death) {
    int code = session->lines.is_replayed ? 0 : session->lines.cell.grave->code;
    return (struct cor_fate){.signal = death == COR_DEATH_SIGNAL ? code % 128 : 0,
                             .exit_code = death == COR_DEATH_EXIT ? code : 0};
}

/* Why no line could be had, as a smoke code. */
static int lose(struct host__external_session *session, enum cor_turn turn) {
    const struct cor_error *wrong = &session->lines.wrong;
    if (turn == COR_TURN_TROUBLE) {
        enum cor_status status = cor_fail(session->local.error, session->lines.trouble, wrong->place,
                                          wrong->remedy, "%s", wrong->cause);
        host__session_trouble(&session->local, status);
        end_process(session, 0);
        return 0;
    }
    bool half = cor_lines_pending(&session->lines);
    char words[200], why[256];
    end_process(session, turn == COR_TURN_CLOSED ? COR_PARTING_SECONDS : 0);
    enum cor_death death = cor_lines_death(&session->lines);
    const struct cor_fate end = end_of(session, death);
    enum cor_smoke smoke = COR_SMOKE_GARBLED;
    shorten(session->lines.last_words, words, sizeof words);
    snprintf(why, sizeof why, "%s", words);
    if (turn == COR_TURN_LATE) {
        smoke = COR_SMOKE_OVERDUE;
        snprintf(why, sizeof why, "no answer in %g s; %s", session->local.base.definition.answer_seconds,
                 words);
    } else if (turn == COR_TURN_FLOOD) {
        snprintf(why, sizeof why, "a line of more than %zu bytes; %s", session->lines.capacity, words);
    } else if (death == COR_DEATH_CPU_TIME) {
        smoke = COR_SMOKE_HUNG;
    } else if (death == COR_DEATH_MEMORY) {
        smoke = COR_SMOKE_MEMORY;
    } else if (death == COR_DEATH_SIGNAL || death == COR_DEATH_UNKNOWN) {
        smoke = COR_SMOKE_CRASHED;
    } else if (half) {
        snprintf(why, sizeof why, "half a line, and no more; %s", words);
    } else if (death == COR_DEATH_EXIT) {
        smoke = COR_SMOKE_EXITED;
    } else {
        snprintf(why, sizeof why, "it closed its output, or its input, and lived on; %s", words);
    }
    give_up(session, smoke, why);
    session->local.outcome->fate = end;
    return 0;
}

/* Says and hears one line each. */
static int exchange(struct host__external_session *session, const char *request, const char **answer) {
    double deadline = deadline_of(session);
    enum cor_turn turn = cor_lines_say(&session->lines, request, deadline);
    if (turn == COR_TURN_LINE)
        turn = cor_lines_hear(&session->lines, deadline, answer);
    return turn == COR_TURN_LINE ? 1 : lose(session, turn);
}

/* One line is one answer. */
static int check_silence(struct host__external_session *session) {
    if (cor_lines_pending(&session->lines))
        return give_up(session, COR_SMOKE_GARBLED, "it goes on speaking after its answer");
    return 1;
}

static const char hello[] = "{\"id\":1,\"hello\":{\"protocol\":1}}\n";
_Static_assert(HOST__PROTOCOL == 1, "the hello says so");

/* A process that says who it is, as it did the first time. */
static int start_process(struct host__external_session *session) {
    const char *answer;
    const double begun = cor_now();
    enum cor_status status = cor_lines_start(&session->lines, session->local.error);
    if (status != COR_OK) {
        host__session_trouble(&session->local, status);
        return 0;
    }
    session->id = session->first_id = 1;
    if (!exchange(session, hello, &answer) || !check_silence(session))
        return 0;
    session->local.base.starts++;
    session->local.base.start_seconds += cor_now() - begun;
    if (strcmp(answer, session->external->hello) == 0)
        return 1;
    return give_up(session, COR_SMOKE_GARBLED, "a fresh process says otherwise who it is than the first one");
}

struct cor_bytes *host__ask_begin(const struct cor_host *host, const char *called) {
    struct host__external_session *session = host__external_session(host);
    struct cor_bytes *request = &session->request;
    if (!cor_lines_started(&session->lines) && !start_process(session))
        return NULL;
    cor_bytes_clear(request);
    host__line_put(request, "{\"id\":");
    host__line_integer(request, ++session->id);
    host__line_put(request, ",\"");
    host__line_put(request, called);
    host__line_put(request, "\":");
    return request;
}

/* What is wrong with a line is the program's; memory is ours. */
int host__ask_refuse(struct host__external_session *session, enum cor_status status, const char *line,
                     const struct cor_error *said) {
    char why[512];
    if (status == COR_STATUS_MEMORY) {
        host__session_trouble(&session->local, cor_fail_memory(session->local.error));
        end_process(session, 0);
        return 0;
    }
    snprintf(why, sizeof why, "%.100s: %.140s", line, said->cause);
    return give_up(session, COR_SMOKE_GARBLED, why);
}

static enum cor_status read_answer(struct host__external_session *session, const char *line,
                                   const struct cor_field *fields, void *answer, struct cor_error *said) {
    struct cor_json id;
    int64_t answered = 0;
    cor_json_destroy(session->answer);
    session->answer = NULL;
    COR_TRY(cor_json_parse(line, "answer", &session->answer, said));
    struct cor_json root = cor_json_root(session->answer);
    COR_TRY(cor_json_expect_object(&root, NULL, said));
    COR_TRY(cor_json_need(&root, "id", &id, said));
    COR_TRY(cor_json_integer(&id, INT64_MIN, INT64_MAX, &answered, said));
    session->is_late = answered > 0 && (uint64_t)answered < session->first_id;
    if (answered != (int64_t)session->id)
        return cor_json_fail(&id, said, NULL, "it answers %lld, but asked was %llu", (long long)answered,
                             (unsigned long long)session->id);
    if (!check_silence(session))
        return COR_STATUS_INPUT;
    return cor_json_fields(&root, fields, answer, said);
}

int host__ask(const struct cor_host *host, const struct cor_field *fields, void *answer) {
    struct host__external_session *session = host__external_session(host);
    struct cor_error said = COR_NO_ERROR;
    const char *line;
    ((struct host__answer *)answer)->host = host;
    if (session->request.status != COR_OK) {
        host__session_trouble(&session->local, cor_fail_memory(session->local.error));
        return 0;
    }
    if (!exchange(session, cor_bytes_text(&session->request), &line))
        return 0;
    const uint64_t spent = *host->spent;
    const struct cor_fault_counts fault = *host->fault;
    enum cor_status status = read_answer(session, line, fields, answer, &said);
    if (status != COR_OK && !session->local.is_over) {
        *host->spent = spent; /* what cannot be read counts for nothing, however much of it came before */
        *host->fault = fault;
        return host__ask_refuse(session, status, line, &said);
    }
    return !session->local.is_over;
}

static struct cor_lines_definition lines_of(const struct host__external *external,
                                            const struct cor_session_definition *session) {
    return (struct cor_lines_definition){.command = external->command,
                                         .is_path = external->is_path,
                                         .line_most = COR_LINE_MOST,
                                         .cpu_seconds = session->cpu_seconds,
                                         .is_walled = true,
                                         .memory_bytes = host__session_address_space(session),
                                         .traffic = external->traffic,
                                         .digest = external->digest};
}

static enum cor_status open_session(struct cor_session *base, struct cor_error *error) {
    struct host__external_session *session = (struct host__external_session *)base;
    session->external = host__external_of(base->algorithm);
    session->first_id = 1;
    base->definition.strict = 0; /* there is nothing of its in this process */
    const struct cor_lines_definition lines = lines_of(session->external, &base->definition);
    COR_TRY(cor_lines_init(&session->lines, &lines, error));
    return host__local_kind.open(base, error);
}

/* The process is told that it is over, and ends by itself if it will. */
static void part(struct host__external_session *session) {
    char bye[64];
    snprintf(bye, sizeof bye, "{\"id\":%llu,\"bye\":true}\n", (unsigned long long)++session->id);
    enum cor_turn turn = cor_lines_say(&session->lines, bye, cor_now() + COR_PARTING_SECONDS);
    end_process(session, turn == COR_TURN_LINE ? COR_PARTING_SECONDS : 0);
}

static void close_session(struct cor_session *base) {
    struct host__external_session *session = (struct host__external_session *)base;
    if (cor_lines_started(&session->lines))
        part(session);
    cor_lines_fini(&session->lines);
    cor_json_destroy(session->answer);
    cor_bytes_fini(&session->request);
    cor_session_memory_fini(&session->before);
    host__local_kind.close(base);
}

/* In a process that was asked before, an answer to what it was asked then says nothing of this
 * reorganization: that one is asked for in a fresh process. */
static enum cor_status reorganize(struct cor_session *base, const struct cor_task *task,
                                  const struct cor_stream_name *name, struct cor_outcome *outcome,
                                  struct cor_error *error) {
    struct host__external_session *session = (struct host__external_session *)base;
    if (cor_lines_started(&session->lines) && (base->wants_fresh || base->definition.is_fresh))
        part(session);
    base->wants_fresh = false;
    session->is_late = false;
    if (!cor_lines_started(&session->lines))
        return host__local_kind.reorganize(base, task, name, outcome, error);
    session->first_id = session->id + 1;
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

bool host__external_is_program(const char *path) {
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

enum cor_status host__external_refuse(const char *command, const char *what, const char *why,
                                      struct cor_error *error) {
    return cor_fail(error, COR_STATUS_PLUGIN, command,
                    "a program answers {\"id\":1,\"hello\":{..}} as corridor-protocol(7) says", "%s: %s",
                    what, why);
}

/* Hello to and fro with a process that has just begun. */
static enum cor_status greet(struct host__external *external, struct cor_lines *lines,
                             struct cor_error *error) {
    static const char *const how[] = {"", "the program said nothing in time",
                                      "the program ended without an answer",
                                      "the program said a line without an end", ""};
    double deadline = cor_now() + cor_default_session(NULL).answer_seconds;
    const char *answer;
    enum cor_turn turn = cor_lines_say(lines, hello, deadline);
    if (turn == COR_TURN_LINE)
        turn = cor_lines_hear(lines, deadline, &answer);
    if (turn == COR_TURN_TROUBLE)
        return cor_fail(error, lines->trouble, lines->wrong.place, lines->wrong.remedy, "%s",
                        lines->wrong.cause);
    if (turn != COR_TURN_LINE) {
        cor_lines_end(lines, turn == COR_TURN_CLOSED ? COR_PARTING_SECONDS : 0);
        return host__external_refuse(external->command, how[turn], lines->last_words, error);
    }
    return cor_made(external->hello = cor_strdup(answer), error);
}

static enum cor_status introduce(struct host__external *external, struct cor_error *error) {
    struct cor_lines lines;
    struct cor_error said = COR_NO_ERROR;
    const struct cor_session_definition session = cor_default_session(NULL);
    const struct cor_lines_definition definition = lines_of(external, &session);
    enum cor_status status = cor_lines_init(&lines, &definition, error);
    if (status == COR_OK)
        status = cor_lines_check(&lines, error);
    if (status == COR_OK)
        status = cor_lines_start(&lines, error);
    if (status == COR_OK)
        status = greet(external, &lines, error);
    cor_lines_fini(&lines);
    COR_TRY(status);
    status = host__external_declare(external, &said);
    if (status == COR_STATUS_MEMORY)
        return cor_fail_memory(error);
    if (status == COR_STATUS_INPUT)
        return host__external_refuse(external->command, "the program's first line will not do", said.cause,
                                     error);
    if (status != COR_OK)
        *error = said;
    return status;
}

enum cor_status host__external_open(const struct host__external_definition *definition,
                                    struct host__external **external, struct cor_error *error) {
    struct host__external *made = *external = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->is_path = definition->is_path;
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
