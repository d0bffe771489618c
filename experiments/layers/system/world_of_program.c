/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The world of a file that is a program: {"program": ["./world", "--fast"], "setup": [..], "answer_seconds":
 * 10, "memory_bytes": 1073741824}. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/guarantees.h>
#include <corridor/world_program.h>

#include <stdlib.h>
#include <string.h>

#define WORDS_MOST 1000

struct program {
    struct system_layer__world head; /* first */
    char *command, *setup;           /* owned; for sh; JSON, NULL: nothing */
    double answer_seconds;
    uint64_t memory_bytes;
};

static void destroy(struct system_layer__world *world) {
    struct program *program = (struct program *)(void *)world;
    free(program->command);
    free(program->setup);
    free(program);
}

/* Words of a command, or all of it as one line for sh. */
static enum cor_status read_command(const struct cor_json *json, void *into, struct cor_error *error) {
    struct program *program = into;
    const char *text;
    if (cor_json_is_string(json)) {
        COR_TRY(cor_json_string(json, &text, error));
        COR_TRY(cor_made(program->command = cor_strdup(text), error));
    } else {
        COR_TRY(cor_json_expect_array(json, 1, WORDS_MOST, error));
        COR_TRY(cor_made(program->command = cor_strdup(""), error));
        for (size_t w = 0; w < cor_json_size(json); w++) {
            const struct cor_json word = cor_json_at(json, w);
            COR_TRY(cor_json_string(&word, &text, error));
            const bool is_home = strncmp(text, "~/", 2) == 0; /* as in files that are named */
            program->command = cor_join_take(program->command, is_home ? " ~/" : " ",
                                             cor_shell_quoted(is_home ? text + 2 : text));
            COR_TRY(cor_made(program->command, error));
        }
    }
    return program->command[0] && cor_is_printable(program->command)
               ? COR_OK
               : cor_json_fail(json, error, "one line for sh, or its words", "this is no command");
}

static enum cor_status read_setup(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, SIZE_MAX, error));
    return cor_made(((struct program *)into)->setup = cor_json_text(json), error);
}

static enum cor_status read_memory_bytes(const struct cor_json *json, void *into, struct cor_error *error) {
    int64_t bytes;
    COR_TRY(cor_json_integer(json, COR_GUEST_MEMORY_LEAST, COR_GUEST_MEMORY_MOST, &bytes, error));
    ((struct program *)into)->memory_bytes = (uint64_t)bytes;
    return COR_OK;
}

static const struct cor_field fields[] = {
    {"program", COR_REQUIRED, COR_READ_FIELD(read_command)},
    {"setup", COR_OPTIONAL, COR_READ_FIELD(read_setup)},
    {"answer_seconds", COR_OPTIONAL, COR_REAL_FIELD(struct program, answer_seconds, 0.001, 86400)},
    {"memory_bytes", COR_OPTIONAL, COR_READ_FIELD(read_memory_bytes)},
    {0}};

static enum cor_status read(const struct cor_json *json, const struct cor_layer_options *options,
                            struct system_layer__world **world, struct cor_error *error) {
    const struct cor_world_program_definition usual = cor_default_world_program();
    struct program *program = cor_calloc(1, sizeof *program);
    COR_TRY(cor_made(program, error));
    *program = (struct program){.head.maker = &system_layer__program_maker,
                                .answer_seconds = usual.answer_seconds,
                                .memory_bytes = usual.memory_bytes};
    (void)options;
    enum cor_status status = cor_json_fields(json, fields, program, error);
    if (status == COR_OK)
        status = cor_json_note_default_number(json, "memory_bytes", (double)program->memory_bytes, error);
    if (status != COR_OK)
        destroy(&program->head);
    else
        *world = &program->head;
    return status;
}

static const char *command_of(const struct system_layer__world *world) {
    return ((const struct program *)(const void *)world)->command;
}

static void put(const struct system_layer__world *world, struct cor_json_writer *writer) {
    const struct program *program = (const struct program *)(const void *)world;
    cor_json_put_string(writer, "program", program->command);
    if (program->setup)
        cor_json_put_text(writer, "setup", program->setup);
    cor_json_put_real(writer, "answer_seconds", program->answer_seconds);
    cor_json_put_integer(writer, "memory_bytes", (int64_t)program->memory_bytes);
}

static enum cor_status create(const struct system_layer__world *world,
                              const struct system_layer__world_request *request, struct cor_live_world **live,
                              struct cor_error *error) {
    const struct program *program = (const struct program *)(const void *)world;
    const struct cor_world_program_definition definition = {.command = program->command,
                                                            .seed = request->experiment->head.seed,
                                                            .setup = program->setup,
                                                            .test_agents = request->test_agents,
                                                            .test_agent_count = request->test_agent_count,
                                                            .answer_seconds = program->answer_seconds,
                                                            .traffic = request->experiment->traffic,
                                                            .is_free = request->experiment->is_free,
                                                            .is_full = request->experiment->is_full,
                                                            .kept = request->experiment->programs,
                                                            .memory_bytes = program->memory_bytes};
    return cor_world_program_create(&definition, live, error);
}

const struct system_layer__world_maker system_layer__program_maker = {
    .key = "program", .command = command_of, .read = read, .put = put, .create = create, .destroy = destroy};
