/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a command has to say of one failure, of the result file that the tables are of: for a sequence of a
 * campaign of algorithms that of corridor replay --trace, a command of its layer for others. */
#include "watch_pages.h"

#include <corridor/array.h>
#include <corridor/efsm_schema.h>
#include <corridor/layer_schema.h>
#include <corridor/process_schema.h>
#include <corridor/schema.h>
#include <corridor/system_schema.h>
#include <corridor/work.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRACE_SECONDS 120.0   /* a command may take */
#define TRACE_BYTES (8 << 20) /* and print */
#define NICENESS 5
#define WORDS_MAX 10
#define AT_ONCE 2 /* failures that are repeated */

/* The words of the command; strings of them are owned by `text`. */
struct command {
    const char *word[WORDS_MAX];
    size_t count;
    char *text[2]; /* owned */
};

static void add_word(struct command *command, const char *word) {
    COR_ASSERT(command->count + 1 < WORDS_MAX);
    command->word[command->count++] = word;
}

static const struct cor_layer_schema *layer_named(const char *name) {
    for (const struct cor_layer_schema *const *layer = cor_layer_schemas(); *layer; layer++)
        if (strcmp((*layer)->name, name) == 0)
            return *layer;
    return NULL;
}

/* ARM/SUITE of a layer whose suites have no sequences: the view that shows one suite, or one arm. */
static bool choose_view(const struct cor_layer_schema *layer, const char *key, struct command *command) {
    const char *suite = strrchr(key, '/');
    if (!layer->view || !suite)
        return false;
    add_word(command, layer->view);
    command->text[0] = cor_format("--arm=%.*s", (int)(suite - key), key);
    command->text[1] = cor_format("--suite=%s", suite + 1);
    if (!command->text[0] || !command->text[1])
        return false;
    add_word(command, command->text[0]);
    if (layer == &cor_efsm_schema || layer == &cor_system_schema)
        add_word(command, command->text[1]);
    return true;
}

static bool choose(const struct cor_watch_failing *failing, bool trust, const char *key,
                   struct command *command) {
    const struct cor_layer_schema *layer = layer_named(failing->layer);
    const bool is_process = layer == &cor_process_schema;
    *command = (struct command){.word = {"corridor"}, .count = 1};
    if (!layer)
        return false;
    if (layer != &cor_interaction_schema && !is_process) {
        add_word(command, "show");
        add_word(command, failing->result);
        return choose_view(layer, key, command);
    }
    if (is_process)
        add_word(command, "process");
    add_word(command, "replay");
    add_word(command, failing->result);
    command->text[0] = cor_format("--failure=%s", key);
    if (!command->text[0])
        return false;
    add_word(command, command->text[0]);
    if (!is_process)
        add_word(command, "--trace");
    if (trust)
        add_word(command, "--trust");
    return true;
}

/* In the child. */
static void work(const struct cor_watch_folder *watch, const char *path, struct command *command) {
    const struct rlimit most = {TRACE_BYTES, TRACE_BYTES};
    const int out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600),
              nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    char *words[WORDS_MAX];
    cor_ignore_signals();
    if (out < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(out, STDERR_FILENO) < 0 || setrlimit(RLIMIT_FSIZE, &most) != 0 ||
        setenv("COLUMNS", "110", 1) != 0 || setenv("TMPDIR", watch->folder, 1) != 0)
        _exit(127);
    unsetenv("CLICOLOR_FORCE");
    setpgid(0, 0);
    if (!watch->now.report.status.ended)
        (void)setpriority(PRIO_PROCESS, 0, NICENESS);
    for (size_t w = 0; w < command->count; w++)
        if (!(words[w] = cor_strdup(command->word[w])))
            _exit(127);
    words[command->count] = NULL;
    execv("/proc/self/exe", words);
    _exit(127);
}

static void forget(struct cor_watch_trace *trace) {
    if (trace->child > 0) {
        cor_watch_kill(trace->child);
        while (waitpid(trace->child, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    if (trace->path)
        unlink(trace->path);
    free(trace->path);
    *trace = (struct cor_watch_trace){0};
}

/* The key of the first failing sequence of a suite, by the list; the key itself if it names a sequence;
 * false: the list has none. */
static bool find_sequence(const struct cor_watch_failing *failing, const char *key,
                          char found[COR_WATCH_KEY]) {
    const size_t length = strlen(key);
    const struct cor_layer_schema *layer = layer_named(failing->layer);
    snprintf(found, COR_WATCH_KEY, "%s", key);
    if (layer != &cor_interaction_schema && layer != &cor_process_schema)
        return true;
    for (const char *line = failing->keys; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const size_t size = strcspn(line, "\t");
        if (size < COR_WATCH_KEY && size >= length && strncmp(line, key, length) == 0 &&
            (size == length || line[length] == '/')) {
            snprintf(found, COR_WATCH_KEY, "%.*s", (int)size, line);
            return true;
        }
    }
    return false;
}

static void begin(struct cor_watch_folder *watch, struct cor_watch_trace *trace, struct command *command,
                  const char *key) {
    const pid_t parent = getpid();
    trace->path = cor_format("%s/trace-%zu", watch->folder, (size_t)(trace - watch->traces));
    fflush(NULL);
    const pid_t child = trace->path ? fork() : -1;
    if (child == 0) {
        cor_die_with(parent);
        work(watch, trace->path, command);
    }
    if (child > 0) {
        snprintf(trace->key, sizeof trace->key, "%s", key);
        trace->child = child;
        trace->begun = cor_wall_seconds();
    }
}

/* The place that has been free for longest; NULL: enough are at work. */
static struct cor_watch_trace *find_place(struct cor_watch_folder *watch) {
    struct cor_watch_trace *trace;
    size_t busy = 0;
    for (size_t t = 0; t < COR_WATCH_TRACES; t++)
        busy += watch->traces[t].child != 0;
    if (busy >= AT_ONCE)
        return NULL;
    do
        trace = &watch->traces[watch->trace_next++ % COR_WATCH_TRACES];
    while (trace->child != 0);
    return trace;
}

struct cor_watch_trace *cor_watch_trace_of(struct cor_watch_folder *watch, const char *key,
                                           const char **why) {
    struct cor_watch_trace *trace = NULL;
    struct cor_watch_failing failing;
    struct command command;
    char found[COR_WATCH_KEY];
    for (size_t t = 0; t < COR_WATCH_TRACES; t++)
        if (watch->traces[t].key[0] != '\0' && strcmp(watch->traces[t].key, key) == 0)
            return &watch->traces[t];
    *why = watch->place.folder || watch->now.report.status.ended
               ? "It waits for the tables that hold it."
               : "It opens when the campaign has ended: its tables come then.";
    if (!cor_watch_failing(watch, &failing))
        return NULL;
    if (!find_sequence(&failing, key, found)) {
        *why = "The tables so far hold no failure of this name.";
    } else if (!(trace = find_place(watch))) {
        *why = "Others are being repeated: this one comes when they have ended.";
    } else {
        forget(trace);
        if (choose(&failing, watch->trust, found, &command))
            begin(watch, trace, &command, key);
        free(command.text[0]);
        free(command.text[1]);
        *why = "It cannot be repeated: memory is short, or this layer has no command for it.";
    }
    cor_watch_failing_fini(&failing);
    return trace && trace->child > 0 ? trace : NULL;
}

bool cor_watch_traces_run(const struct cor_watch_folder *watch) {
    bool run = false;
    for (size_t t = 0; t < COR_WATCH_TRACES; t++)
        run = run || watch->traces[t].child != 0;
    return run;
}

void cor_watch_traces_look(struct cor_watch_folder *watch) {
    for (size_t t = 0; t < COR_WATCH_TRACES; t++) {
        struct cor_watch_trace *trace = &watch->traces[t];
        if (trace->child > 0 && cor_wall_seconds() - trace->begun > TRACE_SECONDS)
            cor_watch_kill(trace->child);
        if (trace->child > 0 && waitpid(trace->child, &trace->how, WNOHANG) == trace->child)
            trace->child = 0;
    }
}

void cor_watch_traces_fini(struct cor_watch_folder *watch) {
    for (size_t t = 0; t < COR_WATCH_TRACES; t++)
        forget(&watch->traces[t]);
}
