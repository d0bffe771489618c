/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corridor: finds the subcommand and hands over. */
#include "commands.h"

#include <locale.h>
#include <signal.h>
#include <string.h>

const struct cor_command *const cor_commands[] = {
    &cor_command_run,
    &cor_command_plan,
    &cor_command_tables,
    &cor_command_survival,
    &cor_command_performance,
    &cor_command_compare,
    &cor_command_coverage,
    &cor_command_contrasts,
    &cor_command_tree,
    &cor_command_report,
    &cor_command_export,
    &cor_command_list,
    &cor_command_profile_fit,
    &cor_command_profile_show,
    &cor_command_profile_export,
    NULL,
};

static void print_version(bool json) {
    if (json)
        printf("{\"schema\":\"corridor-version\",\"version\":1,\"corridor\":\"%s\",\"result_format\":\"%s\","
               "\"plugin_abi\":\"%s\","
               "\"compiler\":\"%s\",\"build_type\":\"%s\"}\n",
               CORRIDOR_VERSION, cor_text_format, cor_text_abi, CORRIDOR_COMPILER, CORRIDOR_BUILD_TYPE);
    else
        printf("corridor %s (result format %s, plug-in interface %s; %s, %s)\n", CORRIDOR_VERSION,
               cor_text_format, cor_text_abi, CORRIDOR_COMPILER, CORRIDOR_BUILD_TYPE);
}

/* The command whose name is the first word, or the first two joined; *words is how many were used. */
static const struct cor_command *find_command(int argc, char **argv, int *words) {
    for (size_t i = 0; cor_commands[i]; i++) {
        const char *name = cor_commands[i]->name;
        size_t length = strcspn(name, " ");
        bool first = strlen(argv[1]) == length && strncmp(argv[1], name, length) == 0;
        if (!first || (name[length] == ' ' && (argc < 3 || strcmp(argv[2], name + length + 1) != 0)))
            continue;
        *words = name[length] == ' ' ? 2 : 1;
        return cor_commands[i];
    }
    return NULL;
}

static enum cor_exit unknown_command(const char *word) {
    const char *names[32];
    size_t count = 0;
    while (cor_commands[count] && count < 31) {
        names[count] = cor_commands[count]->name;
        count++;
    }
    names[count] = NULL;
    const char *near = cor_did_you_mean(word, names);
    if (strcmp(word, "profile") == 0)
        return cor_misuse(NULL, "profile needs fit or show after it");
    if (near)
        return cor_misuse(NULL, "unknown command \"%s\"; did you mean %s?", word, near);
    return cor_misuse(NULL, "unknown command \"%s\"", word);
}

/* The answers that need no command; false if `word` is none of them. */
static bool print_answer(const char *word, bool json) {
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
        cor_print_overview(stdout);
    else if (strcmp(word, "--version") == 0)
        print_version(json);
    else if (strcmp(word, "man-page") == 0)
        cor_print_man(stdout);
    else if (strcmp(word, "bash-completion") == 0)
        cor_print_completion(stdout);
    else
        return false;
    return true;
}

/* Output that could not be written (a full disk, a closed pipe) must not pass for success. */
static enum cor_exit finish(enum cor_exit code) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    perror("corridor: cannot write the output");
    return code == COR_EXIT_DONE ? COR_EXIT_ENVIRONMENT : code;
}

int main(int argc, char **argv) {
    setlocale(LC_ALL, "C");
    signal(SIGXFSZ, SIG_IGN); /* a file-size limit is then an error of writing, and said */
    if (argc < 2) {
        cor_print_overview(stderr);
        return COR_EXIT_USAGE;
    }
    if (print_answer(argv[1], argc > 2 && strcmp(argv[2], "--json") == 0))
        return (int)finish(COR_EXIT_DONE);
    int words = 0;
    const struct cor_command *command = find_command(argc, argv, &words);
    if (!command)
        return (int)unknown_command(argv[1]);
    struct cor_arguments arguments;
    enum cor_exit code = COR_EXIT_DONE;
    if (cor_parse(command, argc - words, argv + words, &arguments, &code))
        code = command->run(&arguments);
    cor_arguments_fini(&arguments);
    return (int)finish(code);
}
