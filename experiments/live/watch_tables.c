/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of a campaign that runs: its journals are merged into a result file elsewhere, as corridor merge
 * does with the folder of another machine, and the report of that file is written in parts. All of it in a
 * child that works by turns while the campaign runs: a turn is followed by a rest of so many times what it
 * took by the clock, more where the workers have to wait for a processor. */
#include "commands.h"
#include "layer_commands.h"
#include "output.h"
#include "running.h"
#include "show_view.h"
#include "watch_command.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/cells.h>
#include <corridor/child.h>
#include <corridor/layer_schema.h>
#include <corridor/report.h>
#include <corridor/schema.h>
#include <corridor/work_folder.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define REST_SECONDS 3.0      /* between two tables, at least */
#define TURN_SECONDS 0.01     /* of work, then a rest: with one worker */
#define REST_TIMES 250.0      /* as long, */
#define REST_TIMES_SOON 20.0  /* where somebody waits for a failure */
#define WAIT_SECONDS 0.05     /* for a child that does not work by turns */
#define EVERY_SECONDS 5.0     /* workers are looked at */
#define LEAST_PROCESSORS 0.01 /* else nothing would ever come */

/* What the kernel says of a process, in seconds: on a processor, and waiting for one. */
static bool read_process(long process, double *has, double *waits) {
    char *path = cor_format("/proc/%ld/schedstat", process), *text = path ? cor_file_text(path) : NULL;
    unsigned long long ran = 0, waited = 0;
    const bool is_read = text && sscanf(text, "%llu %llu", &ran, &waited) == 2;
    *has = 1e-9 * (double)ran;
    *waits = 1e-9 * (double)waited;
    free(text);
    free(path);
    return is_read;
}

/* The sums over the children of a process; false: there is none, or the kernel does not say it. */
static bool read_children(long process, struct cor_watch_share *sum) {
    char *path = cor_format("/proc/%ld/task/%ld/children", process, process),
         *text = path ? cor_file_text(path) : NULL;
    *sum = (struct cor_watch_share){0};
    for (char *rest = text, *word; text && (word = strtok_r(rest, " \n", &rest));) {
        double has, waits;
        if (!read_process(strtol(word, NULL, 10), &has, &waits))
            continue;
        sum->workers++;
        sum->has += has;
        sum->waits += waits;
    }
    free(text);
    free(path);
    return sum->workers > 0;
}

void cor_watch_share_look(struct cor_watch_folder *watch, double now) {
    struct cor_watch_share *share = &watch->share, sum;
    if (now < share->next)
        return;
    const long process = watch->now.is_there ? cor_campaign_process(watch->place.output) : 0;
    const bool is_here = process > 0 && read_children(process, &sum);
    const double has = is_here ? sum.has - share->has : 0, waits = is_here ? sum.waits - share->waits : 0,
                 most = fmax(1, (double)sysconf(_SC_NPROCESSORS_ONLN));
    share->next = now + EVERY_SECONDS;
    if (!is_here) {
        share->processors = 1; /* it is elsewhere: whatever is taken here it has not */
        share->has = share->waits = 0;
        return;
    }
    /* Who waits for something else, or stands still, is in nobody's way. A worker that has ended takes its
     * sums along. */
    if (has >= 0 && waits >= 0)
        share->processors = fmin(most, sum.workers) * (has + waits > 0 ? has / (has + waits) : 1);
    if (!(share->processors > LEAST_PROCESSORS))
        share->processors = LEAST_PROCESSORS;
    share->has = sum.has;
    share->waits = sum.waits;
    share->workers = sum.workers;
}

/* Ends a child with all that it has started. */
static void kill_child(pid_t child) {
    kill(-child, SIGKILL);
    kill(child, SIGKILL); /* it may have no group of its own yet */
}

/* A file of the tables under way, which `write` fills. */
static FILE *open_part(const char *folder, const char *name) {
    char *path = cor_format("%s/%s", folder, name);
    FILE *file = path ? fopen(path, "w") : NULL;
    free(path);
    return file;
}

static enum cor_status close_part(FILE *file, enum cor_status status, struct cor_error *error) {
    if (status == COR_OK)
        status = cor_stream_status(file, error);
    if (fclose(file) != 0 && status == COR_OK)
        status = cor_fail_errno(error, COR_STATUS_FILE, "TMPDIR", NULL, "cannot write");
    return status;
}

#define OPEN_PART(file, ...)                                                                          \
    do {                                                                                              \
        char *open_name = cor_format(__VA_ARGS__);                                                    \
        (file) = open_name ? open_part(folder, open_name) : NULL;                                     \
        free(open_name);                                                                              \
        if (!(file))                                                                                  \
            return cor_fail_errno(error, COR_STATUS_FILE, folder, "make room there", "cannot write"); \
    } while (0)

static enum cor_status write_part(const struct cor_report *report, const char *folder, size_t part,
                                  struct cor_error *error) {
    FILE *labels, *file;
    OPEN_PART(labels, "labels-%zu", part);
    file = NULL;
    char *name = cor_format("part-%zu", part);
    file = name ? open_part(folder, name) : NULL;
    free(name);
    enum cor_status status =
        file ? cor_report_write_part(report, part, COR_WATCH_PART_MOST, labels, file, error)
             : cor_fail_errno(error, COR_STATUS_FILE, folder, "make room there", "cannot write");
    if (file)
        status = close_part(file, status, error);
    return close_part(labels, status, error);
}

/* The layer, then all keys of failures, a line each, with their class behind a tab. It has its name when it
 * is whole: from then on failures can be repeated, while the tables are still being made. */
static enum cor_status put_failing(struct cor_result *result, FILE *file, struct cor_error *error) {
    const struct cor_layer_schema *layer = cor_result_head(result)->layer;
    const struct cor_layer_commands *own = cor_commands_of(layer);
    const struct cor_view_request all = {.result = result, .level = 0.95, .suite = COR_ANY_SUITE};
    struct cor_view_findings findings = {0};
    struct cor_sheets *sheets;
    fprintf(file, "%s\n", layer->name);
    if (!own->failures)
        return COR_OK;
    const struct cor_view *view = cor_view_find(own->failures);
    COR_TRY(cor_sheets_create(view->schema, view->version, &sheets, error));
    enum cor_status status = view->make(&all, sheets, &findings, error);
    if (status == COR_OK)
        status = cor_sheets_status(sheets, error);
    const struct cor_sheet *failing = status == COR_OK ? cor_sheets_find(sheets, "failures") : NULL;
    for (size_t row = 0; failing && row < cor_sheet_size(failing); row++) {
        const struct cor_table_cell *key = cor_sheet_cell(failing, row, cor_sheet_column(failing, "key")),
                                    *class =
                                        own->has_classes
                                            ? cor_sheet_cell(failing, row, cor_sheet_column(failing, "class"))
                                            : key;
        if (key->kind != COR_CELL_NOTHING && class->kind != COR_CELL_NOTHING)
            fprintf(file, "%s\t%s\n", key->text, own->has_classes ? class->text : "");
    }
    cor_sheets_destroy(sheets);
    return status;
}

static enum cor_status write_failing(struct cor_result *result, const char *folder, struct cor_error *error) {
    FILE *file;
    OPEN_PART(file, "failing.draft");
    COR_TRY(close_part(file, put_failing(result, file, error), error));
    char *draft = cor_format("%s/failing.draft", folder), *whole = cor_format("%s/failing", folder);
    const enum cor_status status =
        draft && whole && rename(draft, whole) == 0
            ? COR_OK
            : cor_fail_errno(error, COR_STATUS_FILE, folder, "make room there", "cannot write");
    free(draft);
    free(whole);
    return status;
}

static enum cor_status write_tables(const char *path, const char *folder, struct cor_error *error) {
    struct cor_result *result = NULL;
    struct cor_report *report = NULL;
    struct cor_report_options options = cor_default_report();
    const char *shorter = NULL, *id;
    enum cor_status status = COR_OK;
    FILE *front, *index;
    COR_TRY(cor_open_result(&cor_command_watch, false, path, NULL, &result, &options.doubt, error));
    options.path = path;
    COR_TRY_OUT(write_failing(result, folder, error));
    COR_TRY_OUT(cor_report_create(result, &options, &report, error));
    OPEN_PART(front, "front");
    COR_TRY_OUT(close_part(front, cor_report_write_front(report, COR_WATCH_FRONT_MOST, front, error), error));
    OPEN_PART(index, "index");
    for (size_t part = 0;
         status == COR_OK && part < COR_WATCH_PARTS && (id = cor_report_part(report, part, &shorter));
         part++) {
        fprintf(index, "%s %s\n", id, shorter);
        status = write_part(report, folder, part, error);
    }
    status = close_part(index, status, error);
out:
    cor_report_destroy(report);
    cor_result_close(result);
    return status;
}

/* What is stored becomes a result file; nothing is executed, and nothing written beside the journals. */
static enum cor_status merge(const struct cor_place *place, const char *output,
                             struct cor_campaign_status *how, struct cor_error *error) {
    struct cor_opened opened = {0};
    struct cor_campaign *campaign = NULL;
    const char *const source = place->output;
    enum cor_status status = COR_OK;
    bool whole;
    COR_TRY_OUT(cor_open_experiment(
        place->experiment,
        &(struct cor_layer_options){.suite_folder = place->suites, .log_solutions = place->log_solutions},
        &opened, error));
    const struct cor_campaign_definition definition = {.layer = opened.layer,
                                                       .experiment = opened.experiment,
                                                       .output = output,
                                                       .stop = opened.stop,
                                                       .sources = &source,
                                                       .source_count = 1};
    COR_TRY_OUT(cor_campaign_start(&definition, &campaign, error));
    COR_TRY_OUT(cor_campaign_look(campaign, 0, how, error));
    COR_TRY_OUT(cor_campaign_merge(campaign, &whole, error));
out:
    cor_campaign_destroy(campaign);
    cor_opened_fini(&opened);
    return status;
}

static enum cor_status make(const struct cor_watch_folder *watch, const char *folder, const char *result,
                            bool merges, struct cor_error *error) {
    FILE *said;
    struct cor_campaign_status how = {0};
    if (merges) {
        COR_TRY(merge(&watch->place, result, &how, error));
        OPEN_PART(said, "said");
        fprintf(said, "as of suite %" PRIu64, how.suites_kept);
        if (how.suites_planned > 0)
            fprintf(said, " of %" PRIu64, how.suites_planned);
        COR_TRY(close_part(said, COR_OK, error));
    }
    return write_tables(result, folder, error);
}

/* In the child. What goes wrong is said where the parent finds it. */
static void work(const struct cor_watch_folder *watch, const char *folder, const char *result, bool merges) {
    struct cor_error error = COR_NO_ERROR;
    char *said = cor_format("%s/trouble", folder);
    const int opened = said ? open(said, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1,
              nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    cor_ignore_signals();
    if (setenv("TMPDIR", watch->folder, 1) != 0)
        _exit(COR_EXIT_ENVIRONMENT);
    if (opened < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0 ||
        dup2(nothing, STDERR_FILENO) < 0)
        _exit(COR_EXIT_ENVIRONMENT);
    if (watch->now.report.status.ended)
        setpgid(0, 0);
    else {
        /* The kernel may weigh sessions before it weighs the processes in them: the child gets one of its
         * own, that weighs less than the one of the workers. */
        static const char level[] = "5";
        const int session = setsid() > 0 ? open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC) : -1;
        if (session >= 0) {
            (void)!write(session, level, sizeof level - 1);
            close(session);
        }
    }
    const enum cor_status status = make(watch, folder, result, merges, &error);
    if (status != COR_OK)
        dprintf(opened, "%s%s%s%s%s", error.place, error.place[0] ? ": " : "", error.cause,
                error.remedy[0] ? "; " : "", error.remedy);
    _exit(status == COR_OK ? COR_EXIT_DONE : COR_EXIT_INPUT); /* HDF5 may die at exit */
}

/* What tells a file from the one that was there before; 0: there is none. */
static uint64_t stamp_of(const char *path) {
    struct stat there;
    if (stat(path, &there) != 0 || !S_ISREG(there.st_mode))
        return 0;
    return ((uint64_t)there.st_mtim.tv_sec * 1000000000u + (uint64_t)there.st_mtim.tv_nsec) ^
           (uint64_t)there.st_size << 20 ^ (uint64_t)there.st_ino;
}

static void remove_tables(const struct cor_watch_folder *watch, uint32_t number) {
    char *folder = number > 0 ? cor_format("%s/%u", watch->folder, number) : NULL;
    if (folder)
        cor_remove_folder(folder);
    free(folder);
}

/* Ends the child, of which nothing is wanted any more. */
static void drop_child(struct cor_watch_folder *watch) {
    struct cor_watch_tables *tables = &watch->tables;
    kill_child(tables->child);
    while (waitpid(tables->child, NULL, 0) < 0 && errno == EINTR)
        continue;
    remove_tables(watch, tables->child_number);
    tables->child = 0;
}

void cor_watch_tables_begin(struct cor_watch_folder *watch, bool soon) {
    struct cor_watch_tables *tables = &watch->tables;
    /* Whether the file beside the folder has all: it is not written to any more. */
    const struct cor_campaign_status *status = &watch->now.report.status;
    const bool from_file =
        !watch->now.is_there ||
        (status->ended && (status->stopped || status->suites_kept == status->suites_planned));
    const uint64_t stamp = from_file ? stamp_of(watch->place.output) : 0,
                   suites = from_file ? 0 : watch->now.report.status.suites_done + watch->now.news.suites;
    tables->hurries = tables->hurries || soon;
    if (tables->child != 0 && tables->child_merges && from_file)
        drop_child(watch); /* the journals that it reads are removed with the end */
    if (tables->child != 0 || cor_wall_seconds() < tables->next)
        return;
    if (from_file ? stamp == 0
                  : suites == 0 || !watch->place.folder || access(watch->place.experiment, F_OK) != 0)
        return;
    if (stamp == tables->stamp && suites == tables->suites && (tables->number > 0 || tables->trouble))
        return;
    const uint32_t number =
        (tables->number > tables->child_number ? tables->number : tables->child_number) + 1;
    char *folder = cor_format("%s/%u", watch->folder, number),
         *result =
             folder ? from_file ? cor_strdup(watch->place.output) : cor_format("%s/result.h5", folder) : NULL;
    const pid_t parent = getpid();
    tables->turn = tables->child_begun = cor_wall_seconds();
    tables->next = tables->turn + REST_SECONDS;
    tables->worked = 0;
    tables->hurries = soon;
    if (result && mkdir(folder, 0700) == 0) {
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            cor_die_with(parent);
            work(watch, folder, result, !from_file);
        }
        if (child > 0) {
            tables->child = child;
            tables->child_number = number;
            tables->child_stamp = stamp;
            tables->child_suites = suites;
            tables->child_merges = !from_file;
            tables->child_rests = false;
        }
    }
    free(folder);
    free(result);
}

static char *text_of(const struct cor_watch_folder *watch, uint32_t number, const char *name) {
    char *path = cor_format("%s/%u/%s", watch->folder, number, name),
         *text = path ? cor_file_text(path) : NULL;
    free(path);
    return text;
}

char *cor_watch_tables_text(const struct cor_watch_folder *watch, const char *name) {
    return watch->tables.number > 0 ? text_of(watch, watch->tables.number, name) : NULL;
}

bool cor_watch_failing(const struct cor_watch_folder *watch, struct cor_watch_failing *failing) {
    const struct cor_watch_tables *tables = &watch->tables;
    *failing = (struct cor_watch_failing){0};
    if (tables->child > 0)
        failing->text = text_of(watch, tables->child_number, "failing");
    const uint32_t number = failing->text ? tables->child_number : tables->number;
    if (!failing->text && number > 0)
        failing->text = text_of(watch, number, "failing");
    char *end = failing->text ? strchr(failing->text, '\n') : NULL;
    if (end) {
        *end = '\0';
        failing->layer = failing->text;
        failing->keys = end + 1;
        failing->result = cor_format("%s/%u/result.h5", watch->folder, number);
        if (failing->result && access(failing->result, F_OK) != 0) {
            free(failing->result);
            failing->result = cor_strdup(watch->place.output);
        }
    }
    if (!failing->result)
        cor_watch_failing_fini(failing);
    return failing->result != NULL;
}

void cor_watch_failing_fini(struct cor_watch_failing *failing) {
    free(failing->text);
    free(failing->result);
    *failing = (struct cor_watch_failing){0};
}

/* The child has ended well: what it made is shown from now on. */
static void take_over(struct cor_watch_folder *watch) {
    struct cor_watch_tables *tables = &watch->tables;
    char *index = text_of(watch, tables->child_number, "index");
    if (!index)
        return;
    /* Lines: "ID NAME OF THE PART". */
    tables->part_count = 0;
    for (char *rest = index, *line; (line = strtok_r(rest, "\n", &rest));) {
        char *name = strchr(line, ' ');
        if (!name || tables->part_count == COR_WATCH_PARTS)
            continue;
        *name++ = '\0';
        snprintf(tables->part[tables->part_count].id, sizeof tables->part->id, "%s", line);
        snprintf(tables->part[tables->part_count++].shorter, sizeof tables->part->shorter, "%s", name);
    }
    free(index);
    free(tables->said);
    tables->said = text_of(watch, tables->child_number, "said");
    remove_tables(watch, tables->number);
    tables->number = tables->child_number;
    tables->made = tables->child_begun;
}

/* How many times a turn the rest is. */
static double rest_times(const struct cor_watch_folder *watch) {
    return (watch->tables.hurries ? REST_TIMES_SOON : REST_TIMES) / watch->share.processors;
}

static void send_to_child(const struct cor_watch_tables *tables, int number) {
    if (kill(-tables->child, number) != 0)
        kill(tables->child, number); /* it has no group of its own yet */
}

double cor_watch_tables_turn(struct cor_watch_folder *watch) {
    struct cor_watch_tables *tables = &watch->tables;
    const double now = cor_wall_seconds(), gone = now - tables->turn;
    const bool takes_turns = watch->now.is_there && !watch->now.report.status.ended;
    if (tables->child == 0)
        return INFINITY;
    cor_watch_share_look(watch, now);
    if (tables->child_rests && (!takes_turns || gone >= 0)) {
        tables->child_rests = false;
        tables->turn = now;
        send_to_child(tables, SIGCONT);
    } else if (!tables->child_rests && gone >= TURN_SECONDS) {
        tables->worked += gone;
        tables->child_rests = takes_turns;
        tables->turn = now + (takes_turns ? rest_times(watch) * gone : 0);
        if (takes_turns)
            send_to_child(tables, SIGSTOP);
    }
    return !takes_turns          ? WAIT_SECONDS
           : tables->child_rests ? tables->turn - now
                                 : TURN_SECONDS - (now - tables->turn);
}

void cor_watch_tables_look(struct cor_watch_folder *watch) {
    struct cor_watch_tables *tables = &watch->tables;
    int how;
    if (tables->child == 0)
        return;
    if (tables->worked > COR_WATCH_PATIENCE)
        kill_child(tables->child);
    if (waitpid(tables->child, &how, WNOHANG) != tables->child)
        return;
    tables->child = 0;
    free(tables->trouble);
    tables->trouble = NULL;
    if (WIFEXITED(how) && WEXITSTATUS(how) == COR_EXIT_DONE) {
        take_over(watch);
    } else {
        tables->trouble = text_of(watch, tables->child_number, "trouble");
        if (!tables->trouble)
            tables->trouble = cor_strdup("the process that makes them has ended without a word");
        remove_tables(watch, tables->child_number);
    }
    tables->suites = tables->child_suites;
    tables->stamp = tables->child_stamp;
}

void cor_watch_tables_fini(struct cor_watch_folder *watch) {
    struct cor_watch_tables *tables = &watch->tables;
    if (tables->child > 0)
        drop_child(watch);
    free(tables->said);
    free(tables->trouble);
    *tables = (struct cor_watch_tables){0};
}

/* ---- what a command has to say of one failure, of the result file that the tables are of: for a sequence of
 * a campaign of algorithms that of corridor replay --trace, a command of its layer for others */

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
    const struct cor_layer *layer = cor_layer_find(name);
    return layer ? layer->schema : NULL;
}

static bool choose(const struct cor_watch_failing *failing, bool trust, const char *key,
                   struct command *command) {
    const struct cor_layer_schema *layer = layer_named(failing->layer);
    *command = (struct command){.word = {"corridor"}, .count = 1};
    if (!layer)
        return false;
    const struct cor_layer_commands *own = cor_commands_of(layer);
    if (!own->failures) {
        add_word(command, "show");
        add_word(command, failing->result);
        /* ARM/SUITE of a layer whose suites have no sequences: the view that shows one suite, or one arm. */
        const char *suite = strrchr(key, '/');
        if (!layer->view || !suite)
            return false;
        add_word(command, layer->view);
        command->text[0] = cor_format("--arm=%.*s", (int)(suite - key), key);
        command->text[1] = cor_format("--suite=%s", suite + 1);
        if (!command->text[0] || !command->text[1])
            return false;
        add_word(command, command->text[0]);
        if (own->shows_suites)
            add_word(command, command->text[1]);
        return true;
    }
    add_word(command, "replay");
    add_word(command, failing->result);
    command->text[0] = cor_format("--failure=%s", key);
    if (!command->text[0])
        return false;
    add_word(command, command->text[0]);
    add_word(command, "--trace");
    if (trust)
        add_word(command, "--trust");
    return true;
}

static void forget(struct cor_watch_trace *trace) {
    if (trace->child > 0) {
        kill_child(trace->child);
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
    if (!layer || !cor_commands_of(layer)->failures)
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

static void begin_trace(struct cor_watch_folder *watch, struct cor_watch_trace *trace,
                        struct command *command, const char *key) {
    const pid_t parent = getpid();
    trace->path = cor_format("%s/trace-%zu", watch->folder, (size_t)(trace - watch->traces));
    fflush(NULL);
    const pid_t child = trace->path ? fork() : -1;
    if (child == 0) {
        cor_die_with(parent);
        /* In the child. */
        const char *path = trace->path;
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
            begin_trace(watch, trace, &command, key);
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
            kill_child(trace->child);
        if (trace->child > 0 && waitpid(trace->child, &trace->how, WNOHANG) == trace->child)
            trace->child = 0;
    }
}

void cor_watch_traces_fini(struct cor_watch_folder *watch) {
    for (size_t t = 0; t < COR_WATCH_TRACES; t++)
        forget(&watch->traces[t]);
}
