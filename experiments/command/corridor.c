/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corridor: finds the subcommand and hands over. */
#include "corridor.h"

#include "commands.h"
#include "layer_commands.h"
#include "manual.h"
#include "output.h"
#include "running.h"

#include <corridor/descriptive.h>
#include <corridor/kinds.h>
#include <corridor/plugin.h>
#include <corridor/schema.h>
#include <corridor/view.h>

#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

const struct cor_command *const cor_commands[] = {
#define COR_COMMAND_ADDRESS(name) &cor_command_##name,
    COR_COMMANDS(COR_NOTHING, COR_NOTHING, COR_COMMAND_ADDRESS)
#undef COR_COMMAND_ADDRESS
        NULL,
};

const struct cor_overview_line cor_overview[] = {
#define COR_GROUP_LINE(title) {.group = (title)},
#define COR_FAMILY_LINE(word, text) {.family = (word), .summary = (text)},
#define COR_COMMAND_LINE(name) {.command = &cor_command_##name},
    COR_COMMANDS(COR_GROUP_LINE, COR_FAMILY_LINE, COR_COMMAND_LINE)
#undef COR_COMMAND_LINE
#undef COR_FAMILY_LINE
#undef COR_GROUP_LINE
        {0},
};

/* The command whose name is the first word, or the first two joined; *used is how many words that were. */
static const struct cor_command *find_command(int count, char **words, int *used) {
    for (size_t i = 0; cor_commands[i]; i++) {
        const char *name = cor_commands[i]->name;
        size_t length = strcspn(name, " ");
        bool first = strlen(words[0]) == length && strncmp(words[0], name, length) == 0;
        if (!first || (name[length] == ' ' && (count < 2 || strcmp(words[1], name + length + 1) != 0)))
            continue;
        *used = name[length] == ' ' ? 2 : 1;
        return cor_commands[i];
    }
    return NULL;
}

/* Words that were commands once, or that one may think of, and what is written for them. */
static const struct {
    const char *word, *instead;
} others[] = {{"contrasts", "compare FILE"},
              {"compare-search", "search EXPERIMENT --generator A,B"},
              {"submit", "run EXPERIMENT --batch slurm"},
              COR_WITH_SYSTEM({"system keep", "replay FILE --failure KEY -o TEST.json --inner"}, )
                  COR_WITH_AGENT({"units", "agent"}, ) COR_WITH_PROCESS(
                      {"process", "replay FILE, with --trace for what happens, or shrink FILE"}, ){
                      "check-algorithm", "check ALGORITHM"},
              {"new-algorithm", "new algorithm NAME"}};
#define OTHERS (sizeof others / sizeof *others)

/* The name that is nearest to a word that is no command: of a command, a family, a view, or one of the
 * others; NULL if none is near. */
static const char *near_name(const char *word) {
    const char *names[2 * COR_COMMANDS_MAX];
    size_t count = 0;
    for (const struct cor_overview_line *line = cor_overview; line->group || line->family || line->command;
         line++)
        if (line->family || (line->command && !strchr(line->command->name, ' ')))
            names[count++] = line->family ? line->family : line->command->name;
    for (const struct cor_view *const *view = cor_views; *view; view++)
        if (cor_view_is_shown(*view))
            names[count++] = (*view)->name;
    for (size_t i = 0; i < OTHERS; i++)
        names[count++] = others[i].word;
    COR_ASSERT(count < 2 * COR_COMMANDS_MAX);
    names[count] = NULL;
    return cor_did_you_mean(word, names);
}

/* What one writes instead of a word that is no command; false if nothing is near. */
static bool meant(const char *word, char *text, size_t size) {
    const char *near = near_name(word);
    if (!near)
        return false;
    const struct cor_view *view = cor_view_find(near);
    snprintf(text, size, view && cor_view_is_shown(view) ? "show FILE %s" : "%s", near);
    for (size_t i = 0; i < OTHERS; i++)
        if (strcmp(others[i].word, near) == 0)
            snprintf(text, size, "%s", others[i].instead);
    return true;
}

/* Complains that the words name no command, or that the action of a group is missing. */
static enum cor_exit unknown_command(int count, char **words) {
    if (cor_layer_absent(words[0]))
        return cor_misuse(NULL, "there is no command %s: %s", words[0], cor_layer_absent(words[0]));
    const char *actions[COR_COMMANDS_MAX + 1];
    size_t action_count = 0;
    for (size_t i = 0; cor_commands[i]; i++) {
        const char *action = cor_action_of(cor_commands[i], words[0]);
        COR_ASSERT(i < COR_COMMANDS_MAX);
        if (action)
            actions[action_count++] = action;
    }
    actions[action_count] = NULL;
    if (action_count > 0) {
        /* Complains that the group has no such action, or that none is named. */
        const struct cor_command group = {.name = words[0]};
        const char *action = count > 1 && words[1][0] != '-' ? words[1] : NULL;
        int used;
        char known[256], both[256];
        snprintf(both, sizeof both, "%s %s", words[0], action ? action : "");
        for (size_t i = 0; i < OTHERS; i++)
            if (strcmp(others[i].word, both) == 0)
                return cor_misuse(NULL, "there is no command %s; write corridor %s", both, others[i].instead);
        cor_known_names(action ? action : "", actions, known, sizeof known);
        if (action && find_command(1, words + 1, &used))
            return cor_misuse(&group, "there is no %s %s; write corridor %s", words[0], action, action);
        return action ? cor_misuse(&group, "%s has no action \"%s\"; %s", words[0], action, known)
                      : cor_misuse(&group, "%s needs an action after it; %s", words[0], known);
    }
    char instead[64];
    return meant(words[0], instead, sizeof instead)
               ? cor_misuse(NULL, "there is no command %s; write corridor %s", words[0], instead)
               : cor_misuse(NULL, "there is no command %s", words[0]);
}

static bool asks_for_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* Whether a word of the glossary, which is put into `near`, is nearer than any command. */
static bool is_near_word(const char *word, char *near, size_t size) {
    const char *command = near_name(word);
    if (!cor_near_word(word, near, size))
        return false;
    const char *const both[] = {command ? command : near, near, NULL};
    return !command || cor_did_you_mean(word, both) == near;
}

/* Help of what the words name: all commands, a group, a command, or a word of the glossary or of a
 * heading. */
static enum cor_exit help(int count, char **words) {
    int used;
    if (count == 0 || asks_for_help(words[0])) {
        cor_print_overview(stdout);
        return COR_EXIT_DONE;
    }
    const struct cor_command *command = find_command(count, words, &used);
    if (command) {
        cor_print_help(command, count - used, words + used, stdout);
    } else if (cor_layer_absent(words[0])) {
        return unknown_command(count, words);
    } else if (count > 1 || !cor_print_group(words[0], stdout)) {
        /* Of words that name no command: what they mean. */
        char near[64];
        if (cor_print_word(count, words, stdout))
            return COR_EXIT_DONE;
        if (count == 1 && is_near_word(words[0], near, sizeof near))
            return cor_misuse(NULL, "unknown word \"%s\"; did you mean %s?", words[0], near);
        return count > 1 || near_name(words[0])
                   ? unknown_command(count, words)
                   : cor_misuse(NULL, "\"%s\" is no command, and no word of docs/look-up/words.md", words[0]);
    }
    return COR_EXIT_DONE;
}

/* With --force, too, nobody means to lose what is being read. */
static enum cor_status spare_operands(const struct cor_arguments *arguments, struct cor_error *error) {
    const char *output = cor_given(arguments, "output");
    for (int w = 0; output && w < arguments->word_count; w++) {
        struct stat there, other_there;
        if (stat(output, &there) == 0 && stat(arguments->words[w], &other_there) == 0 &&
            S_ISREG(there.st_mode) && there.st_dev == other_there.st_dev &&
            there.st_ino == other_there.st_ino)
            return cor_fail(error, COR_STATUS_EXISTS, output, "name another file with -o",
                            "is what the command reads");
    }
    return COR_OK;
}

static enum cor_exit run_parsed(const struct cor_arguments *arguments) {
    enum cor_exit code;
    if (!arguments->command->reads)
        return cor_run_with_meaning(arguments);
    (void)cor_run_guarded(arguments, &code); /* in both processes the rest is the same */
    return code;
}

/* Parses the rest of the command line, and runs the command. */
static enum cor_exit run_command(const struct cor_command *command, int argc, char **argv) {
    struct cor_arguments arguments;
    enum cor_exit code = COR_EXIT_DONE;
    struct cor_error error = COR_NO_ERROR;
    if (cor_parse(command, argc, argv, &arguments, &code))
        code = spare_operands(&arguments, &error) == COR_OK ? run_parsed(&arguments) : cor_report(&error);
    cor_arguments_fini(&arguments);
    return code;
}

static enum cor_exit answer(int count, char **words) {
    int used = 0;
    const struct cor_command *command = find_command(count, words, &used);
    if (command)
        return run_command(command, count - used + 1, words + used - 1);
    if (strcmp(words[0], "serve") == 0)
        return cor_serve(count - 1, words + 1);
    if (strcmp(words[0], "help") == 0)
        return help(count - 1, words + 1);
    if (asks_for_help(words[0]))
        return help(0, NULL);
    if (count > 1 && asks_for_help(words[1]))
        return help(1, words);
    if (strcmp(words[0], "--version") == 0) {
        const bool json = count > 1 && strcmp(words[1], "--json") == 0;
        char format[16], abi[16];
        snprintf(format, sizeof format, "%d.%d", COR_FORMAT_MAJOR, COR_FORMAT_MINOR);
        snprintf(abi, sizeof abi, "%d.%d", COR_PLUGIN_MAJOR, COR_PLUGIN_MINOR);
        printf(json ? "{\"schema\":\"corridor-version\",\"version\":1,\"corridor\":\"%s\",\"commit\":\"%s\","
                      "\"result_format\":\"%"
                      "s\",\"plugin_abi\":\"%s\",\"compiler\":\"%s\",\"build_type\":\"%s\"}\n"
                    : "corridor %s (commit %s; result format %s, plug-in interface %s; %s, %s)\n",
               CORRIDOR_VERSION, json || command__commit[0] ? command__commit : "unknown", format, abi,
               CORRIDOR_COMPILER, CORRIDOR_BUILD_TYPE);
    } else if (strcmp(words[0], "man-page") == 0) {
        struct cor_error error = COR_NO_ERROR;
        return cor_print_man(stdout, &error) == COR_OK ? COR_EXIT_DONE : cor_report(&error);
    } else if (strcmp(words[0], "bash-completion") == 0) {
        cor_print_completion(stdout);
    } else if (strcmp(words[0], COR_CANDIDATES) == 0) { /* completion asks it, nobody else */
        return cor_candidates(count - 1, words + 1);
    } else if (strcmp(words[0], COR_CHECK_CHILD) == 0) { /* check starts it, nobody else */
        return (enum cor_exit)cor_conformance_child(count - 1, words + 1);
    } else {
        return unknown_command(count, words);
    }
    return COR_EXIT_DONE;
}

/* Output that could not be written (a full disk, a closed pipe) must not pass for success. A command that
 * ended with trouble of the environment has said so. */
static enum cor_exit finish(enum cor_exit code) {
    if (code == COR_EXIT_ENVIRONMENT || (fflush(stdout) == 0 && !ferror(stdout)))
        return code;
    perror("corridor: cannot write the output");
    return code == COR_EXIT_DONE ? COR_EXIT_ENVIRONMENT : code;
}

int command__run(int argc, char **argv) {
    cor_statistics_begin();
    setlocale(LC_ALL, "C");
    /* What whoever starts us may have left: children that nobody can wait for, a limit of time that never
     * comes.
     */
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, SIGCHLD);
    sigaddset(&own, SIGPROF);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGPROF, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &own, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file-size limit is then an error of writing, and said */
    if (argc < 2) {
        cor_print_overview(stderr);
        return COR_EXIT_USAGE;
    }
    return (int)finish(answer(argc - 1, argv + 1));
}
