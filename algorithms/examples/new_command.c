/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"

#include <corridor/agent_source.h>
#include <corridor/array.h>
#include <corridor/examples.h>
#include <corridor/host.h>

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const languages[] = {"c", "python", NULL};
static const char *const process_folders[] = {"process_c", "process_python"};

/* What can be begun; `name` stands in its files for the new one. */
static const struct kind {
    const char *word, *name;
} kinds[] = {{"algorithm", "my_algo"},     {"experiment", "my_experiment"}, {"agent", "my_agent"},
             {"model", "my_model"},        {"process", "my_process"},       {"monitor", "my_monitor"},
             {"mechanism", "my_mechanism"}};
#define KINDS (sizeof kinds / sizeof *kinds)
enum { ALGORITHM, EXPERIMENT, AGENT, MODEL, PROCESS }; /* those that are not alike */

/* Systems that an experiment can be begun as: that of experiments/library/new, and those of
 * experiments/library/gallery, each in a folder of its word; names as above. */
static const char *const systems[] = {"experiment", "robots", "sensors", "teams", "replicas", "zones", NULL};
static const char *const system_names[] = {"my_experiment", "delivery_robots", "sensor_heads",
                                           "plant_teams",   "server_replicas", "traffic_zones"};

struct request {
    int language;
    int system;
};

/* The text with the example's name, `old`, replaced; NULL when memory is out. */
static char *rename_in(const char *text, const char *old, const char *name) {
    size_t found = 0, size = strlen(text), longer = strlen(name), shorter = strlen(old);
    for (const char *at = text; (at = strstr(at, old)) != NULL; at += shorter)
        found++;
    char *made = cor_calloc(size + found * longer + 1, 1), *to = made;
    if (!made)
        return NULL;
    for (const char *next; (next = strstr(text, old)) != NULL; text = next + shorter) {
        memcpy(to, text, (size_t)(next - text));
        to += next - text;
        memcpy(to, name, longer);
        to += longer;
    }
    memcpy(to, text, strlen(text));
    return made;
}

static enum cor_status write_text(const char *path, const char *text, bool is_program,
                                  struct cor_error *error) {
    FILE *file = fopen(path, "wxe");
    if (!file)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot make the file");
    mode_t mask = umask(0);
    umask(mask);
    bool failed = fputs(text, file) < 0;
    failed = fclose(file) != 0 || failed;
    if (!failed && is_program)
        failed = chmod(path, 0777 & ~mask) != 0;
    return failed ? cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write") : COR_OK;
}

static enum cor_status make_folder(const char *name, struct cor_error *error) {
    if (mkdir(name, 0777) == 0)
        return COR_OK;
    return cor_fail_errno(error, errno == EEXIST ? COR_STATUS_EXISTS : COR_STATUS_FILE, name,
                          errno == EEXIST ? "choose another name, or remove it first" : NULL,
                          "cannot make the folder");
}

/* The files whose folder is called `folder`. */
static enum cor_status write_project(const char *folder, const char *old, const char *name,
                                     struct cor_error *error) {
    COR_TRY(make_folder(name, error));
    for (const struct cor_example_file *example = cor_example_files; example->name; example++)
        if (strcmp(example->folder, folder) == 0) {
            char *called = rename_in(example->name, old, name), *text = rename_in(example->text, old, name);
            char *path = called ? cor_format("%s/%s", name, called) : NULL;
            enum cor_status status = cor_made(path && text ? path : NULL, error);
            if (status == COR_OK)
                status = write_text(path, text, example->is_program, error);
            free(called);
            free(text);
            free(path);
            COR_TRY(status);
        }
    return COR_OK;
}

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

static enum cor_status write_into(const char *folder, const char *name, const char *ending, const char *text,
                                  struct cor_error *error) {
    char *path = cor_format("%s/%s%s", folder, name, ending);
    enum cor_status status = cor_made(path, error);
    if (status == COR_OK)
        status = write_text(path, text, strcmp(ending, ".py") == 0, error);
    free(path);
    return status;
}

static const char *example_text(const char *name) {
    for (const struct cor_example_file *example = cor_example_files; example->name; example++)
        if (strcmp(example->name, name) == 0)
            return example->text;
    return "";
}

/* The agent of a design, begun in a folder. */
static enum cor_status write_agent(const char *path, const struct cor_design_file *file,
                                   enum cor_agent_language language, const char *name,
                                   struct cor_error *error) {
    const bool is_c = language == COR_AGENT_C;
    char *source = NULL, *readme = NULL, *text = NULL;
    size_t length;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_agent_source(file, language, &source, error));
    readme = rename_in(is_c ? agent_c_readme : agent_python_readme, "NAME", name);
    COR_TRY_OUT(cor_made(readme, error));
    COR_TRY_OUT(cor_json_read_text(path, &text, &length, error));
    COR_TRY_OUT(make_folder(name, error));
    COR_TRY_OUT(write_into(name, name, is_c ? ".c" : ".py", source, error));
    COR_TRY_OUT(write_into(name, name, ".json", text, error));
    COR_TRY_OUT(write_into(name, "README", ".md", readme, error));
    if (!is_c)
        COR_TRY_OUT(write_into(name, "corridor_agent", ".py", example_text("corridor_agent.py"), error));
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

static bool is_design(const char *word) {
    const char *ending = strrchr(word, '.');
    return ending && strcmp(ending, ".json") == 0;
}

static enum cor_exit run_design(const struct cor_arguments *arguments, const struct request *request) {
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
    COR_TRY_OUT(
        write_agent(arguments->words[1], file, (enum cor_agent_language)request->language, name, &error));
    printf("%s: written\nnext: cd %s && cat README.md\n", name, name);
out:
    free(name);
    cor_design_file_destroy(file);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

/* The kind that the word names; NULL having said which there are. */
static const struct kind *find_kind(const struct cor_command *command, const char *word) {
    const char *words[KINDS + 1] = {NULL};
    char known[256];
    for (size_t i = 0; i < KINDS; i++) {
        words[i] = kinds[i].word;
        if (strcmp(words[i], word) == 0)
            return &kinds[i];
    }
    cor_known_names(word, words, known, sizeof known);
    cor_misuse(command, "cannot begin \"%s\"; %s", word, known);
    return NULL;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    const struct request *request = arguments->request;
    const struct kind *kind = find_kind(arguments->command, arguments->words[0]);
    if (!kind)
        return COR_EXIT_USAGE;
    if (kind == &kinds[AGENT] && arguments->word_count > 1 && is_design(arguments->words[1]))
        return run_design(arguments, request);
    if (arguments->word_count > 2)
        return cor_misuse(arguments->command, "needs one name; only a new agent has a design before it");
    if (kind != &kinds[ALGORITHM] && kind != &kinds[PROCESS] && cor_given(arguments, "lang"))
        return cor_misuse(arguments->command, "--lang is for algorithms, processes, and agents of a design");
    if (kind != &kinds[EXPERIMENT] && cor_given(arguments, "like"))
        return cor_misuse(arguments->command, "--like is for experiments");
    /* Nobody is asked for a name: "my_experiment". */
    char usual[64];
    snprintf(usual, sizeof usual, "my_%s", kind->word);
    const char *name = arguments->word_count > 1 ? arguments->words[1] : usual;
    if (!cor_algorithm_is_name(name))
        return cor_misuse(
            arguments->command,
            "\"%s\" is no name: small letters, digits and _, a letter first, at most 63 of them", name);
    const bool is_experiment = kind == &kinds[EXPERIMENT];
    const char *folder = is_experiment               ? systems[request->system]
                         : kind == &kinds[ALGORITHM] ? languages[request->language]
                         : kind == &kinds[PROCESS]   ? process_folders[request->language]
                                                     : kind->word;
    enum cor_status status =
        write_project(folder, is_experiment ? system_names[request->system] : kind->name, name, &error);
    if (status == COR_OK && kind == &kinds[PROCESS] && request->language == COR_AGENT_PYTHON)
        status = write_into(name, "corridor_process", ".py", example_text("corridor_process.py"), &error);
    if (status != COR_OK)
        return cor_report(&error);
    printf("%s: written\nnext: cd %s && cat README.md\n", name, name);
    return COR_EXIT_DONE;
}

const struct cor_command cor_command_new = {
    .name = "new",
    .summary = "write a project of your own",
    .operands = "KIND [DESIGN.json] [NAME]",
    .takes = {1, 3, "needs what to begin: corridor new algorithm NAME"},
    .request_size = sizeof(struct request),
    .manual =
        "Writes a folder NAME (my_experiment, my_agent, .. if none is said) with a small project that works, "
        "and a README.md that says what to do next. A folder that is there is left alone. KIND is one of "
        "these:"
        "\nalgorithm: an "
        "algorithm in one file that deals "
        "the agents by value, an experiment of three arms, and how to build it (if it is C). A module "
        "in C is built against the installed header; nothing is linked. A program speaks lines of "
        "JSON, see corridor-protocol(7), and may be in any language.\nexperiment: an experiment of "
        "three arms and the model of the system that it tests, to be changed; with --like a system of the "
        "gallery with a corridor of its own as a text: robots, teams with a crane each and batteries alike "
        "(an algorithm in C); sensors, each of which belongs to a cluster head (a covering); teams of power "
        "plants, with other teams among their members (a tree); replicas of files on servers in racks (an "
        "algorithm in Python); zones of traffic that overlap, and are back inside within three cases "
        "(C).\nagent: the design of an "
        "agent and an agent in Python that keeps to it, for corridor agent. Of a design that is there, agent "
        "DESIGN.json, the agent itself: contexts and bodies translated, stubs for plans that have none, and "
        "what is done is reported.\nmodel: a model of a "
        "system with two goals, for corridor efsm.\nprocess: a distributed program, whose processes pass a "
        "token "
        "round, with its corridor and an experiment of two arms.\nmonitor: a monitor in C that watches the "
        "fuse of an organization, and an experiment of two arms that tests it.\nmechanism: a mechanism in C "
        "that works beside algorithms, and an experiment of four arms.",
    .options = {{"lang", 'l', "LANGUAGE",
                 "write the algorithm, process, or agent of a design in this language",
                 COR_NAME(language, languages, 0, 0)},
                {"like", 0, "SYSTEM", "begin the experiment as this system of the gallery",
                 COR_NAME(system, systems, 0, 0)}},
    .examples = {"corridor new algorithm my_algo                 # then: cd my_algo && cat README.md",
                 "corridor new process ring --lang python", "corridor new experiment first",
                 "corridor new experiment fleet --like robots",
                 "corridor new agent courier.json --lang python", "corridor new model gate",
                 "corridor new monitor fuse"},
    .run = run,
};
