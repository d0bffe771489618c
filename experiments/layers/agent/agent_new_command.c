/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * new agent DESIGN.json: the agent of a design that is there. */
#include "new.h"

#include <corridor/agent_source.h>
#include <corridor/array.h>
#include <corridor/host.h>

#include <ctype.h>
#include <stdlib.h>

static const char agent_c_readme[] =
    "# The agent NAME\n\n"
    "Begun from `NAME.json`, its design. Plans that the design has no body of are stubs: write them in "
    "`NAME.c`, and give\n"
    "their event in `plans` and `handles`.\n\n"
    "    cc -std=c17 -O2 -shared -fPIC -fvisibility=hidden $(pkg-config --cflags corridor-plugin) NAME.c -o "
    "NAME.so -lm\n"
    "    corridor agent test NAME.json --agent ./NAME.so\n\n"
    "How good the tests are, by faults made up: `corridor agent mutate NAME.json`.\n";
static const char agent_python_readme[] =
    "# The agent NAME\n\n"
    "Begun from `NAME.json`, its design. Plans that the design has no body of are stubs (`@agent.stub`): "
    "write them in\n"
    "`NAME.py`, and call them `@agent.plan`. `corridor_agent.py` belongs to the agent: it reports what plans "
    "do.\n\n"
    "    corridor agent test NAME.json --agent \"python3 NAME.py\"\n\n"
    "How good the tests are, by faults made up: `corridor agent mutate NAME.json`.\n";

/* The agent of a design, begun in a folder. */
static enum cor_status write_agent(const char *path, const struct cor_design_file *file,
                                   enum cor_agent_language language, const char *name,
                                   struct cor_error *error) {
    const bool is_c = language == COR_AGENT_C;
    char *source = NULL, *readme = NULL, *text = NULL;
    size_t length;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_agent_source(file, language, &source, error));
    readme = cor_new_rename(is_c ? agent_c_readme : agent_python_readme, "NAME", name);
    COR_TRY_OUT(cor_made(readme, error));
    COR_TRY_OUT(cor_json_read_text(path, &text, &length, error));
    COR_TRY_OUT(cor_new_folder(name, error));
    COR_TRY_OUT(cor_new_write(name, name, is_c ? ".c" : ".py", source, error));
    COR_TRY_OUT(cor_new_write(name, name, ".json", text, error));
    COR_TRY_OUT(cor_new_write(name, "README", ".md", readme, error));
    if (!is_c)
        COR_TRY_OUT(cor_new_write(name, "corridor_agent", ".py", cor_new_kit("corridor_agent"), error));
out:
    free(source);
    free(readme);
    free(text);
    return status;
}

/* Small letters, digits and _ of what the design calls its agent. */
static char *agent_name(const char *name) {
    char *made = cor_strdup(name);
    for (char *at = made; at && *at; at++)
        *at = (char)(isalnum((unsigned char)*at) ? tolower((unsigned char)*at) : '_');
    return made;
}

enum cor_exit cor_new_agent(const struct cor_arguments *arguments, int language) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_design_file *file = NULL;
    char *name = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_design_file_read(arguments->words[1], &file, &error));
    name = arguments->word_count > 2 ? cor_strdup(arguments->words[2]) : agent_name(file->design->name);
    COR_TRY_OUT(cor_made(name, &error));
    if (!cor_algorithm_is_name(name))
        COR_TRY_OUT(cor_fail(&error, COR_STATUS_INPUT, NULL,
                             "say a name behind the design: small letters, digits and _, a letter first",
                             "\"%s\" is no name of a folder", name));
    COR_TRY_OUT(write_agent(arguments->words[1], file, (enum cor_agent_language)language, name, &error));
    printf("%s: written\nnext: cd %s && cat README.md\n", name, name);
out:
    free(name);
    cor_design_file_destroy(file);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}
