/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * system world: a world of a file by lines, as a program speaks them. */
#include "commands.h"
#include "internal.h"
#include "output.h"
#include "world_serve.h"

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

static enum cor_exit run(const struct cor_arguments *arguments) {
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
    .summary = "serve the world of a file by lines, as a program does",
    .operands = "FILE.json",
    .takes = {1, 1, "needs one file of the system layer"},
    .manual = "Reads requests from standard input, a line of JSON each, and answers on standard output: the "
              "dialogue of world programs, docs/world-programs.md. The world is that of the file's member "
              "\"system\". A test whose world is this command sees what it sees in the world itself.",
    .examples = {"corridor system world level.json"},
    .run = run,
};
