/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "new.h"

#include <corridor/array.h>
#include <corridor/built.h>
#include <corridor/examples.h>
#include <corridor/host.h>
#include <corridor/kinds.h>

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { C, PYTHON, JS, JAVA };
static const char *const languages[] = {[C] = "c", [PYTHON] = "python", [JS] = "js", [JAVA] = "java", NULL};
static const char *const algorithm_folders[] = {[C] = "c", [PYTHON] = "python", [JAVA] = "java"};
static const char *const algorithm_kits[][2] = {[JAVA] = {"Corridor.java", "java.options"}};
COR_WITH_PROCESS(static const char *const process_folders[] = {"process_c", "process_python", NULL,
                                                               "process_java"};
                 static const char *const process_kits[][2] = {{NULL},
                                                               {"corridor_process.py"},
                                                               {NULL},
                                                               {"Corridor.java", "java.options"}};
                 static const char *const rules_folders[] = {"stabilize_c", "stabilize_python",
                                                             "stabilize_js", NULL};
                 static const char *const rules_kits[][2] = {
                     {NULL}, {"corridor_process.py"}, {"process.js", "packages.js"}};)
COR_WITH_SYSTEM(
    static const char *const world_folders[] = {"world_c", "world_python", "world_js", NULL};
    static const char *const world_kits[][2] = {{"corridor_world.h"}, {"corridor_world.py"}, {NULL}, {NULL}};
    static const char *const running_folders[] = {"system_c", "system_python", "system_js", NULL};
    static const char *const running_kits[][2] = {
        {"corridor_world.py"}, {"corridor_world.py"}, {"corridor_world.py"}, {NULL}};)

/* What can be begun; `name` stands in its files for the new one. */
static const struct kind {
    const char *word, *name;
    const char *const
        *folders; /* of its files, by language, NULL: not in this one; NULL: it has one, of its word */
    const char *const (*kits)[2]; /* files that a program in a language needs beside it; NULL: none */
    enum cor_exit (*of_design)(const struct cor_arguments *arguments, int language); /* NULL: of no design */
    const char *shared; /* a folder of files that it has in every language; NULL: none */
    int usual;          /* the language where none is said */
} kinds[] = {
    /* clang-format off */
    {"algorithm", "my_algo", algorithm_folders, algorithm_kits},
    {"experiment", "my_experiment"},
    COR_WITH_AGENT({"agent", "my_agent", .of_design = cor_new_agent},)
    COR_WITH_EFSM({"model", "my_model"},)
    COR_WITH_PROCESS({"process", "my_process", process_folders, process_kits},)
    COR_WITH_PROCESS({"stabilize", "my_ring", rules_folders, rules_kits},)
    COR_WITH_SYSTEM({"world", "my_world", world_folders, world_kits, .usual = PYTHON},)
    COR_WITH_SYSTEM({"system", "my_system", running_folders, running_kits, .shared = "system", .usual = PYTHON},)
    {"monitor", "my_monitor"},
    {"mechanism", "my_mechanism"},
    /* clang-format on */
};
#define KINDS (sizeof kinds / sizeof *kinds)
enum { ALGORITHM, EXPERIMENT };
/* Those that are not in this build. */
static const char *const absent[][2] = {
    /* clang-format off */
    COR_WITHOUT_AGENT({"agent", "agent"},)
    COR_WITHOUT_EFSM({"model", "efsm"},)
    COR_WITHOUT_PROCESS({"process", "process"}, {"stabilize", "process"},)
    COR_WITHOUT_SYSTEM({"world", "system"}, {"system", "system"},)
    {NULL, NULL},
    /* clang-format on */
};

/* Systems that an experiment can be begun as: that of experiments/library/new, and those of
 * experiments/library/gallery, each in a folder of its word; names as above. */
static const char *const systems[] = {"experiment", "robots", "sensors", "teams", "replicas", "zones", NULL};
static const char *const system_names[] = {"my_experiment", "delivery_robots", "sensor_heads",
                                           "plant_teams",   "server_replicas", "traffic_zones"};

/* A program in Python lies beside what it stands over, so its file would hide a module that this imports. */
static const char *const hidden[] = {
    "bisect",         "collections",    "contextlib",  "copyreg",  "enum",
    "fcntl",          "functools",      "genericpath", "json",     "keyword",
    "linecache",      "locale",         "math",        "operator", "os",
    "posixpath",      "random",         "re",          "reprlib",  "select",
    "selectors",      "signal",         "stat",        "struct",   "sys",
    "subprocess",     "textwrap",       "threading",   "token",    "tokenize",
    "traceback",      "types",          "warnings",    "corridor", "corridor_process",
    "corridor_world", "corridor_agent", NULL};

enum { ONE_SHOT, DECENTRALISED };
static const char *const shapes[] = {[ONE_SHOT] = "one_shot", [DECENTRALISED] = "decentralised", NULL};

struct request {
    int language, system, shape;
};

/* The text with the example's name, `old`, replaced; NULL when memory is out. */
char *cor_new_rename(const char *text, const char *old, const char *name) {
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

static bool has_ending(const char *name, const char *ending) {
    const char *its = strrchr(name, '.');
    return its && strcmp(its, ending) == 0;
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

enum cor_status cor_new_folder(const char *name, struct cor_error *error) {
    if (mkdir(name, 0777) == 0)
        return COR_OK;
    return cor_fail_errno(error, errno == EEXIST ? COR_STATUS_EXISTS : COR_STATUS_FILE, name,
                          errno == EEXIST ? "choose another name, or remove it first" : NULL,
                          "cannot make the folder");
}

/* The files whose folder is called `folder`, or `shared`. */
static enum cor_status write_project(const char *folder, const char *shared, const char *old,
                                     const char *name, struct cor_error *error) {
    COR_TRY(cor_new_folder(name, error));
    for (const struct cor_example_file *example = cor_example_files; example->name; example++)
        if (strcmp(example->folder, folder) == 0 || (shared && strcmp(example->folder, shared) == 0)) {
            char *called = cor_new_rename(example->name, old, name),
                 *text = cor_new_rename(example->text, old, name);
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

enum cor_status cor_new_write(const char *folder, const char *name, const char *ending, const char *text,
                              struct cor_error *error) {
    char *path = cor_format("%s/%s%s", folder, name, ending);
    enum cor_status status = cor_made(path, error);
    if (status == COR_OK)
        status = write_text(path, text, has_ending(path, ".py"), error);
    free(path);
    return status;
}

const char *cor_new_kit(const char *name) {
    for (const struct cor_example_file *example = cor_example_files; example->name; example++)
        if (strcmp(example->name, name) == 0)
            return example->text;
    return "";
}

/* The kind that the word names; NULL having said which there are. */
static const struct kind *find_kind(const struct cor_command *command, const char *word) {
    const char *words[KINDS + 1] = {NULL};
    char known[256];
    for (size_t i = 0; absent[i][0]; i++)
        if (strcmp(absent[i][0], word) == 0) {
            cor_misuse(command, "cannot begin \"%s\": %s", word, cor_layer_absent(absent[i][1]));
            return NULL;
        }
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
    const bool has_design =
        kind->of_design && arguments->word_count > 1 && has_ending(arguments->words[1], ".json");
    const int most = has_design ? 3 : 2;
    if (arguments->word_count > most)
        return cor_misuse(arguments->command,
                          "\"%s\" is a word too many: corridor new %s %sNAME" COR_WITH_AGENT(
                              "; only a new agent has a design before its name"),
                          arguments->words[most], kind->word, has_design ? "DESIGN.json " : "");
    const int language = cor_given(arguments, "lang") ? request->language : kind->usual;
    if (kind->folders ? !kind->folders[language] : language >= JS) {
        char others[64] = "";
        for (int l = 0; l <= JAVA && kind->folders; l++)
            if (kind->folders[l])
                snprintf(others + strlen(others), sizeof others - strlen(others), " --lang %s", languages[l]);
        return cor_misuse(arguments->command, "there is no %s in %s%s%s", kind->word, languages[language],
                          others[0] ? ":" : "", others);
    }
    if (has_design)
        return kind->of_design(arguments, language);
    if (!kind->folders && cor_given(arguments, "lang"))
        return cor_misuse(arguments->command,
                          "--lang is for algorithms" COR_WITH_PROCESS(", processes, stabilize")
                              COR_WITH_SYSTEM(", worlds, systems")
                                  COR_WITH_AGENT(", and agents of a design"));
    if (kind != &kinds[EXPERIMENT] && cor_given(arguments, "like"))
        return cor_misuse(arguments->command, "--like is for experiments");
    const bool is_talking = request->shape == DECENTRALISED;
    if (is_talking && (kind != &kinds[ALGORITHM] || language != PYTHON))
        return cor_misuse(arguments->command,
                          "--shape decentralised is for algorithms in Python: add --lang python");
    /* Nobody is asked for a name: "my_experiment". */
    char usual[64];
    snprintf(usual, sizeof usual, "my_%s", kind->word);
    const char *name = arguments->word_count > 1 ? arguments->words[1] : usual;
    if (!cor_algorithm_is_name(name))
        return cor_misuse(
            arguments->command,
            "\"%s\" is no name: small letters, digits and _, a letter first, at most 63 of them", name);
    if (kind->folders && language == PYTHON)
        for (size_t i = 0; hidden[i]; i++)
            if (strcmp(hidden[i], name) == 0)
                return cor_misuse(arguments->command,
                                  "%s.py would hide a module of that name, which it stands over: choose "
                                  "another name",
                                  name);
    const bool is_experiment = kind == &kinds[EXPERIMENT];
    const char *folder = is_experiment   ? systems[request->system]
                         : is_talking    ? "python_decentralised"
                         : kind->folders ? kind->folders[language]
                                         : kind->word;
    enum cor_status status = write_project(
        folder, kind->shared, is_experiment ? system_names[request->system] : kind->name, name, &error);
    for (int k = 0; k < 2 && kind->kits && kind->kits[language][k] && status == COR_OK; k++)
        status =
            cor_new_write(name, kind->kits[language][k], "", cor_new_kit(kind->kits[language][k]), &error);
    if (status != COR_OK)
        return cor_report(&error);
    printf("%s: written\nnext: cd %s && cat README.md\n", name, name);
    return COR_EXIT_DONE;
}

/* Said where these layers are built. */
#define AN_AGENT                                                                                            \
    COR_WITH_AGENT("\nagent: the design of an agent and an agent in Python that keeps to it, for corridor " \
                   "agent. Of a design that is there, agent DESIGN.json, the agent itself: contexts and "   \
                   "bodies translated, stubs for plans that have none, and what is done is reported.")
#define A_MODEL COR_WITH_EFSM("\nmodel: a model of a system with two goals, for corridor efsm.")
#define A_PROCESS                                                                                      \
    COR_WITH_PROCESS(                                                                                  \
        "\nprocess: a distributed program, whose processes pass a token round, with its "              \
        "corridor and an experiment of two arms.\nstabilize: a distributed program without messages, " \
        "Dijkstra's ring, for corridor stabilize: it comes back from any state, and with a fault it "  \
        "does not.")

#define A_WORLD                                                                                    \
    COR_WITH_SYSTEM(                                                                               \
        "\nworld: a running system in Python (JavaScript or C) for test agents, a ticket machine " \
        "with a mistake, and its tests.\nsystem: a program of its own that knows nothing of "      \
        "tests, in Python (JavaScript or C), with a mistake; the world that starts it and "        \
        "speaks for it; and its tests.")

const struct cor_command cor_command_new = {
    .name = "new",
    .summary = "write a project of your own",
    .operands = "KIND " COR_WITH_AGENT("[DESIGN.json] ") "[NAME]",
    .takes = {1, INT_MAX, "needs what to begin: corridor new algorithm NAME"},
    .request_size = sizeof(struct request),
    .manual =
        "Writes a folder NAME (my_experiment, my_monitor, .. if none is said) with a small project that "
        "works, and a README.md that says what to do next. A folder that is there is left alone. KIND is one "
        "of these:\nalgorithm: an algorithm in one file that deals the agents by value, an experiment of "
        "three arms, and how to build it (if it is C); with --shape decentralised one whose agents talk to "
        "each "
        "other. A module in C is built against the installed header; "
        "nothing is linked. A program speaks lines of JSON, see corridor-protocol(7), and may be in any "
        "language.\nexperiment: an experiment of three arms and the model of the system that it tests, to be "
        "changed; with --like a system of the gallery with a corridor of its own as a text: robots, teams "
        "with a crane each and batteries alike (an algorithm in C); sensors, each of which belongs to a "
        "cluster head (a covering); teams of plants, with other teams among their members (a tree); "
        "replicas of files on servers in racks (an algorithm in Python); zones of traffic that overlap, and "
        "are back inside within three cases (C)." AN_AGENT A_MODEL A_PROCESS A_WORLD
        "\nmonitor: a monitor in C that watches the fuse of an organization, and an experiment of two arms "
        "that tests it.\nmechanism: a mechanism in C that works beside algorithms, and an experiment of four "
        "arms.",
    .options = {{"lang", 'l', "LANGUAGE",
                 "write the algorithm" COR_WITH_PROCESS(", process") COR_WITH_SYSTEM(", world, system")
                     COR_WITH_AGENT(", or agent of a design") " in this language" COR_WITH_SYSTEM(
                         "; a world and a system are in python unless it is said"),
                 COR_NAME(language, languages, 0, 0)},
                {"shape", 0, "SHAPE", "write an algorithm of this shape, in Python",
                 COR_NAME(shape, shapes, 0, 0)},
                {"like", 0, "SYSTEM", "begin the experiment as this system of the gallery",
                 COR_NAME(system, systems, 0, 0)}},
    .examples = {"corridor new algorithm my_algo                 # then: cd my_algo && cat README.md",
                 COR_WITH_PROCESS("corridor new process ring --lang python",
                                  "corridor new stabilize ring --lang js", ) "corridor new experiment first",
                 "corridor new experiment fleet --like robots",
                 COR_WITH_AGENT("corridor new agent courier.json --lang python", )
                     COR_WITH_EFSM("corridor new model gate", ) "corridor new monitor fuse"},
    .run = run,
};
