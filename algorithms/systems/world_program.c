/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A world that is any program (docs/look-up/world-programs.md): a conversation, as with systems, agents and
 * algorithms that are programs. What it says wrong is trouble with it; what it shows is judged elsewhere. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/guarantees.h>
#include <corridor/json.h>
#include <corridor/system.h>
#include <corridor/world_program.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REMEDY \
    "a world answers its hello with \"world\", \"types\" and \"actions\": docs/look-up/world-programs.md"

struct world_program {
    struct cor_live_world world;
    struct cor_world_program_definition asked; /* but for its texts: */
    struct systems__process *process;          /* owned */
    struct systems__declared *declared;        /* owned; NULL: it was not greeted yet */
    struct systems__reader reader;
    char *hello;    /* owned; what it answered when it was greeted first */
    char *greeting; /* owned; the value of "hello" */
    char *key;      /* owned; it among those kept: its greeting, how it is started, its command */
};

struct cor_world_program_definition cor_default_world_program(void) {
    return (struct cor_world_program_definition){.answer_seconds = COR_SYSTEM_ANSWER_SECONDS,
                                                 .memory_bytes = COR_GUEST_MEMORY};
}

/* What is wrong with an answer, and where in it. */
static enum cor_status garble(struct world_program *program, enum cor_status status,
                              const struct cor_error *said, struct cor_error *error) {
    const char *pointer = strstr(said->place, ": /");
    struct cor_error placed = *said;
    if (pointer && pointer[3])
        snprintf(placed.cause, sizeof placed.cause, "%.60s %.900s", pointer + 2, said->cause);
    return cor_conversation_garble(&program->process->talk, status, &placed, error);
}

/* {"id": 7, "failed": "the door is jammed"}: a program that gives up says why, NULL if it does not. */
static const char *failure_of(const struct cor_json *answer) {
    struct cor_json member;
    const char *why;
    return cor_json_find(answer, "failed", &member) && cor_json_size(answer) == 2 &&
                   cor_json_string(&member, &why, NULL) == COR_OK
               ? why
               : NULL;
}

static bool gives_up(struct world_program *program, const struct cor_json *answer,
                     enum cor_system_trouble *trouble) {
    const char *why = failure_of(answer);
    if (!why)
        return false;
    *trouble = COR_SYSTEM_DIED;
    snprintf(program->world.words, sizeof program->world.words, "it gave up: %s", why);
    cor_make_printable(program->world.words);
    cor_conversation_part(&program->process->talk);
    return true;
}

/* Asks what was begun, and takes the answer as a view for that test agent. */
static enum cor_status ask_view(struct world_program *program, uint32_t test_agent,
                                struct cor_world_view *view, enum cor_system_trouble *trouble,
                                struct cor_error *error) {
    struct cor_conversation *talk = &program->process->talk;
    struct cor_error said = COR_NO_ERROR;
    COR_TRY(cor_conversation_ask(talk, 0, error));
    if (talk->exchange == COR_EXCHANGE_WELL) {
        const struct cor_json answer = cor_json_root(talk->answer);
        if (gives_up(program, &answer, trouble))
            return COR_OK;
        const enum cor_status status = systems__read_view(&program->reader, test_agent, &answer, &said);
        if (status != COR_OK)
            COR_TRY(garble(program, status, &said, error));
        cor_conversation_expect_silence(talk);
    }
    *trouble = talk->exchange == COR_EXCHANGE_WELL
                   ? COR_SYSTEM_WELL
                   : cor_exchange_trouble(talk, program->world.words, sizeof program->world.words);
    if (*trouble == COR_SYSTEM_WELL)
        *view = program->reader.view;
    return COR_OK;
}

static enum cor_status read_declaration(struct world_program *program, const struct cor_json *answer,
                                        const char *line, struct cor_error *said, struct cor_error *error) {
    COR_TRY(cor_made(program->hello = cor_strdup(line), error));
    COR_TRY(cor_made(program->declared = cor_calloc(1, sizeof *program->declared), error));
    return systems__read_declaration(program->declared, answer, said);
}

static void use_declaration(struct world_program *program) {
    program->reader.declared = program->declared;
    program->world.declaration = &program->declared->declaration;
}

/* The first hello makes the declaration: what is wrong with it makes the program one that cannot be used. */
static enum cor_status declare(struct world_program *program, struct cor_error *error) {
    struct cor_conversation *talk = &program->process->talk;
    struct cor_error said = COR_NO_ERROR;
    if (talk->exchange == COR_EXCHANGE_WELL) {
        const struct cor_json answer = cor_json_root(talk->answer);
        const char *why = failure_of(&answer);
        if (why) {
            cor_conversation_part(talk);
            return cor_fail(error, COR_STATUS_PLUGIN, program->asked.command, NULL,
                            "the world cannot begin, it says: %s", why);
        }
        const enum cor_status status = read_declaration(program, &answer, talk->line, &said, error);
        if (status != COR_OK && !said.cause[0]) /* memory */
            return status;
        if (status != COR_OK)
            COR_TRY(garble(program, status, &said, error));
        cor_conversation_expect_silence(talk);
    }
    if (talk->exchange != COR_EXCHANGE_WELL) {
        if (program->declared)
            systems__declared_fini(program->declared);
        free(program->declared);
        free(program->hello);
        program->declared = NULL;
        program->hello = NULL;
        return cor_conversation_refuse(talk, REMEDY, error);
    }
    use_declaration(program);
    return systems__keep_hello(program->asked.kept, program->key, program->hello, error);
}

/* What it declared when somebody else asked. */
static enum cor_status declare_as_kept(struct world_program *program, const char *hello,
                                       struct cor_error *error) {
    struct cor_json_document *document = NULL;
    COR_TRY(cor_json_parse(hello, program->asked.command, &document, error));
    const struct cor_json answer = cor_json_root(document);
    const enum cor_status status = read_declaration(program, &answer, hello, error, error);
    cor_json_destroy(document);
    if (status == COR_OK)
        use_declaration(program);
    return status;
}

/* It declares itself as it did before. */
static enum cor_status compare(struct world_program *program, enum cor_system_trouble *trouble,
                               struct cor_error *error) {
    struct cor_conversation *talk = &program->process->talk;
    if (talk->exchange == COR_EXCHANGE_WELL) {
        const struct cor_json answer = cor_json_root(talk->answer);
        if (gives_up(program, &answer, trouble))
            return COR_OK;
        if (strcmp(talk->line, program->hello) != 0) {
            const struct cor_error said = {.cause = "this is not what it declared when it was started first"};
            COR_TRY(cor_conversation_garble(talk, COR_STATUS_INPUT, &said, error));
        }
        cor_conversation_expect_silence(talk);
    }
    *trouble = talk->exchange == COR_EXCHANGE_WELL
                   ? COR_SYSTEM_WELL
                   : cor_exchange_trouble(talk, program->world.words, sizeof program->world.words);
    return COR_OK;
}

/* A process, greeted. */
static enum cor_status begin(struct world_program *program, enum cor_system_trouble *trouble,
                             struct cor_error *error) {
    program->process->was_reset = false;
    program->process->starter = getpid();
    COR_TRY(cor_conversation_start(&program->process->talk, error));
    cor_bytes_print(cor_conversation_begin(&program->process->talk, "hello"), "%s", program->greeting);
    COR_TRY(cor_conversation_ask(&program->process->talk, 0, error));
    return program->declared ? compare(program, trouble, error) : declare(program, error);
}

static bool is_started(const struct world_program *program) {
    return program->process && cor_lines_started(&program->process->talk.lines);
}

/* Somebody to talk to: a process that is free, of a program that declared itself, or one yet to be started.
 * To find out what it may read takes a while. */
static enum cor_status find_process(struct world_program *program, struct cor_error *error) {
    const struct cor_world_program_definition *asked = &program->asked;
    if (is_started(program))
        return COR_OK;
    struct systems__process *taken = systems__take_process(asked->kept, program->key);
    if (taken) {
        systems__process_destroy(program->process);
        program->process = taken;
    }
    if (program->process)
        return COR_OK;
    const struct cor_lines_definition lines =
        cor_lines_guest(asked->command, COR_LINE_MOST, asked->is_free, asked->is_full,
                        cor_address_space(asked->memory_bytes), asked->traffic);
    COR_TRY(systems__process_create(&lines, asked->answer_seconds, &program->process, error));
    return cor_lines_check(&program->process->talk.lines, error);
}

static enum cor_status say_hello(struct cor_live_world *world, enum cor_system_trouble *trouble,
                                 struct cor_error *error) {
    struct world_program *program = (struct world_program *)world;
    *trouble = COR_SYSTEM_WELL;
    world->words[0] = '\0';
    COR_TRY(find_process(program, error));
    return is_started(program) ? COR_OK : begin(program, trouble, error);
}

/* What is known of it is not asked for again. */
static enum cor_status declare_it(struct cor_live_world *world, enum cor_system_trouble *trouble,
                                  struct cor_error *error) {
    struct world_program *program = (struct world_program *)world;
    const char *hello = systems__kept_hello(program->asked.kept, program->key);
    *trouble = COR_SYSTEM_WELL;
    return hello && !program->declared ? declare_as_kept(program, hello, error)
                                       : say_hello(world, trouble, error);
}

static enum cor_status reset(struct cor_live_world *world, struct cor_world_view *view,
                             enum cor_system_trouble *trouble, struct cor_error *error) {
    struct world_program *program = (struct world_program *)world;
    if (!program->declared)
        COR_TRY(declare_it(world, trouble, error));
    COR_TRY(say_hello(world, trouble, error));
    if (*trouble != COR_SYSTEM_WELL)
        return COR_OK;
    program->process->was_reset = true;
    COR_TRY(systems__reader_reset(&program->reader, error));
    cor_conversation_again(&program->process->talk);
    cor_bytes_print(cor_conversation_begin(&program->process->talk, "reset"), "true");
    return ask_view(program, 0, view, trouble, error);
}

static enum cor_status act(struct cor_live_world *world, uint32_t test_agent,
                           const struct cor_world_command *command, struct cor_world_view *view,
                           enum cor_system_trouble *trouble, struct cor_error *error) {
    struct world_program *program = (struct world_program *)world;
    COR_ASSERT(cor_lines_started(&program->process->talk.lines)); /* it was reset, and well since */
    COR_ASSERT(test_agent < program->asked.test_agent_count);
    COR_ASSERT(command->action < program->declared->declaration.action_count);
    const struct cor_action *action = &program->declared->actions[command->action];
    struct cor_bytes *request = cor_conversation_begin(&program->process->talk, "agent");
    cor_json_print_string(request, program->asked.test_agents[test_agent]);
    cor_bytes_print(request, ",\"do\":\"%s\"", action->name);
    for (uint32_t p = 0; p < action->parameter_count; p++) {
        cor_bytes_print(request, ",\"%s\":", action->parameters[p].name);
        cor_world_value_print(request, &program->declared->words, action->parameters[p].domain,
                              command->arguments[p]);
    }
    return ask_view(program, test_agent, view, trouble, error);
}

/* Is its process for others, too? It is well, owes no line, and says that nothing is left in it of what was
 * done. */
static bool is_kept(const struct world_program *program) {
    const struct systems__process *process = program->process;
    return program->asked.kept && program->declared && is_started(program) &&
           process->talk.exchange == COR_EXCHANGE_WELL && !cor_lines_pending(&process->talk.lines) &&
           process->starter == getpid() && (!process->was_reset || program->declared->is_renewed);
}

/* It goes on with another test, or is ended. */
static void part_with_process(struct world_program *program, bool keeps) {
    if (keeps && is_kept(program))
        systems__keep_process(program->asked.kept, program->key, program->process);
    else
        systems__process_destroy(program->process);
    program->process = NULL;
}

/* What may remember is ended, whatever it says of its reset: the next suite begins with a fresh one. */
static void rest(struct cor_live_world *world) {
    struct world_program *program = (struct world_program *)world;
    part_with_process(program, program->process && !program->process->was_reset);
}

static void close_program(struct cor_live_world *world) {
    struct world_program *program = (struct world_program *)world;
    part_with_process(program, true);
    systems__reader_fini(&program->reader);
    if (program->declared)
        systems__declared_fini(program->declared);
    free(program->declared);
    free(program->hello);
    free(program->greeting);
    free(program->key);
    free(program);
}

static const struct cor_live_world_kind kind = {"program", reset, act, close_program, declare_it, rest};

static enum cor_status write_greeting(struct world_program *program, struct cor_error *error) {
    const struct cor_world_program_definition *asked = &program->asked;
    struct cor_bytes text = {0};
    cor_bytes_print(&text, "{\"protocol\":%d,\"seed\":\"0x%" PRIx64 "\",\"setup\":%s,\"agents\":[",
                    SYSTEMS__PROTOCOL, asked->seed, asked->setup ? asked->setup : "[]");
    for (uint32_t a = 0; a < asked->test_agent_count; a++) {
        cor_bytes_print(&text, a > 0 ? "," : "");
        cor_json_print_string(&text, asked->test_agents[a]);
    }
    cor_bytes_print(&text, "]}");
    COR_TRY(cor_made(program->greeting = cor_bytes_text_take(&text, error), error));
    program->key = cor_format("%s %.17g %d %d %" PRIu64 " %s", program->greeting, asked->answer_seconds,
                              asked->is_free, asked->is_full, asked->memory_bytes, asked->command);
    return cor_made(program->key, error);
}

enum cor_status cor_world_program_create(const struct cor_world_program_definition *definition,
                                         struct cor_live_world **world, struct cor_error *error) {
    struct world_program *made = cor_calloc(1, sizeof *made);
    *world = NULL;
    COR_TRY(cor_made(made, error));
    COR_ASSERT(definition->test_agent_count > 0 && definition->test_agent_count <= COR_TEST_AGENTS_MAX);
    made->world.kind = &kind;
    made->asked = *definition;
    if (definition->traffic)
        made->asked.kept = NULL; /* what was said is of one run, process by process */
    enum cor_status status = write_greeting(made, error);
    if (status == COR_OK && !systems__kept_hello(made->asked.kept, made->key))
        status = find_process(made, error);
    if (status != COR_OK)
        close_program(&made->world);
    else
        *world = &made->world;
    return status;
}
