/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * system world: a world of a file by lines, as a program speaks them. */
#include "commands.h"
#include "internal.h"
#include "output.h"
#include "world_serve.h"

#include <stdlib.h>
#include <string.h>

static enum cor_status open_world(void *context, const struct system_layer__greeting *greeting,
                                  struct cor_live_world **live, struct cor_error *error) {
    const struct system_layer__world *world = context;
    static struct cor_system_experiment experiment; /* no examples; */
    static struct cor_system_entry entry;           /* both live as long as the world */
    const struct system_layer__world_request request = {&experiment, greeting->test_agents,
                                                        greeting->test_agent_count, &entry};
    experiment.head.seed = greeting->seed;
    return world->maker->create(world, &request, live, error);
}

struct request {
    const char *mutant;
    bool mutants;
};

/* The world with the change that is asked for. */
static enum cor_status change(const struct request *request, struct system_layer__world **world,
                              struct cor_error *error) {
    struct system_layer__world *changed = NULL;
    struct cor_json_document *document = NULL;
    struct cor_json_writer *writer = NULL;
    char *text = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "mutant", request->mutant);
    cor_json_close(writer);
    COR_TRY_OUT(cor_json_text_take(writer, 0, &text, error));
    COR_TRY_OUT(cor_json_parse(text, "--mutant", &document, error));
    const struct cor_json root = cor_json_root(document), mutant = cor_json_at(&root, 0);
    COR_TRY_OUT(system_layer__world_change(*world, &mutant, &changed, error));
    system_layer__world_destroy(*world);
    *world = changed;
out:
    cor_json_destroy(document);
    free(text);
    return status;
}

static enum cor_exit run_system_world(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document = NULL;
    struct system_layer__world *world = NULL;
    struct cor_json system;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_json_read(arguments->words[0], &document, &error));
    const struct cor_json root = cor_json_root(document);
    COR_TRY_OUT(cor_json_expect_kind(&root, COR_KIND_SYSTEM_EXPERIMENT, &error));
    COR_TRY_OUT(cor_json_need(&root, "system", &system, &error));
    COR_TRY_OUT(system_layer__world_read(&system, NULL, &world, &error));
    if (request->mutant)
        COR_TRY_OUT(change(request, &world, &error));
    if (request->mutants) {
        char name[256];
        for (uint32_t m = 0;
             world->maker->name_mutant && world->maker->name_mutant(world, m, name, sizeof name); m++)
            cor_print("%s\n", name);
        goto out;
    }
    if (world->maker->command)
        COR_TRY_OUT(
            cor_json_fail(&system, &error, "start it", "the world is a program, and speaks for itself"));
    COR_TRY_OUT(system_layer__serve(open_world, world, stdin, stdout, &error));
out:
    system_layer__world_destroy(world);
    cor_json_destroy(document);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_system_world = {
    .name = "system world",
    .summary = "run the world of a file by lines, as a program does",
    .operands = "FILE.json",
    .takes = {1, 1, "needs one file of the system layer"},
    .request_size = sizeof(struct request),
    .manual =
        "Reads requests from standard input, a line of JSON each, and answers on standard output: the "
        "dialogue of world programs, docs/look-up/world-programs.md. The world is that of the file's member "
        "\"system\". A test whose world is this command sees what it sees in the world itself.",
    .options = {{"mutant", 0, "NAME", "take the world with this change", COR_TEXT(mutant)},
                {"mutants", 0, NULL, "print the names of its mutants instead, a line each",
                 COR_FLAG(mutants)}},
    .examples = {"corridor system world level.json",
                 "corridor system world level.json --mutant \"link b1-d1 removed\""},
    .run = run_system_world,
};
