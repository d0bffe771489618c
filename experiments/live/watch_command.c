/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corridor watch: the process that serves reads the status of the campaign and the ends of its journals;
 * result files are made and read by children, which leave what they have to say in files of a folder of its
 * own under TMPDIR. Nothing is done unless a page is asked for.
 *
 * Tables of a campaign that runs: its journals are merged into a result file elsewhere, as corridor merge
 * does with the folder of another machine, and the report of that file is written in parts. All of it in a
 * child that works by turns while the campaign runs: a turn is followed by a rest of so many times what it
 * took by the clock, more where the workers have to wait for a processor.
 *
 * Pages say how far the campaign is, with the parts of its report below. Names, keys and texts from files are
 * escaped; what is asked for chooses among what there is, and is never made a path. */
#define _DEFAULT_SOURCE /* _SC_NPROCESSORS_ONLN */

#include "../campaign/place.h"
#include "../campaign/status_command.h"
#include "commands.h"
#include "layer_commands.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/campaign.h>
#include <corridor/cells.h>
#include <corridor/child.h>
#include <corridor/kinds.h>
#include <corridor/layer_schema.h>
#include <corridor/page_server.h>
#include <corridor/report.h>
#include <corridor/schema.h>
#include <corridor/sheet.h>
#include <corridor/work_folder.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COR_WATCH_PARTS 24        /* of a page, at most */
#define COR_WATCH_TRACES 16       /* that are kept */
#define COR_WATCH_KEY 256         /* bytes of the key of a failure, its end included */
#define COR_WATCH_PAGE 100000     /* bytes of a page, at most: */
#define COR_WATCH_FRONT_MOST 8000 /* title and facts, */
#define COR_WATCH_PART_MOST 60000 /* a part on a page of its own, and what a command has printed */

/* The tables: parts of a report, of what was stored when they were made. */
struct cor_watch_tables {
    uint32_t number; /* of the folder they are in, from 1; 0: there are none yet */
    struct {
        char id[32], shorter[64];
    } part[COR_WATCH_PARTS];
    size_t part_count;
    char *said;             /* owned; which suites they hold; NULL: nothing is to be said */
    double made;            /* of the monotonic clock: when they were begun */
    char *trouble;          /* owned; why there are none, or none that are newer; NULL: nothing is wrong */
    uint64_t suites, stamp; /* stored when they were begun; what tells the file from others */
    pid_t child;            /* that makes the next ones; 0: none does */
    uint32_t child_number;
    uint64_t child_suites, child_stamp;
    bool child_merges; /* what is stored; else it reads the result file */
    bool child_rests;  /* it is stopped until `turn`; else it works since then */
    bool hurries;      /* somebody waits for what it makes */
    /* Of the monotonic clock: when the child was started; its turn; when the next one may be started. */
    double child_begun, turn, next;
    double worked; /* seconds, of the child's turns */
};

/* What a command has printed of one failure. */
struct cor_watch_trace {
    char key[COR_WATCH_KEY]; /* "": this place is free */
    char *path;              /* owned; what it has printed */
    pid_t child;             /* at work on it; 0: it has ended */
    int how;                 /* it has ended, as waitpid says */
    double begun;
};

/* The share of the processors of this machine that the campaign has. */
struct cor_watch_share {
    double processors; /* that its workers have when they want one, in all; begins as 1 */
    double next;       /* of the monotonic clock: when it is looked at again */
    /* The workers, and of these in seconds: on a processor, and waiting for one. */
    double workers, has, waits;
};

struct cor_watch_folder {
    const char *operand; /* as it was typed */
    bool trust;          /* programs that a file names may be started */
    struct cor_place place;
    char *folder; /* owned: TMPDIR/corridor-watch-XXXXXX */
    struct cor_page_server *server;
    /* How far the campaign is; looked at again when `next` has come. */
    struct {
        bool is_there; /* a campaign is; else a result file, or nothing */
        struct cor_campaign_report report;
        struct cor_failing_news news;
        struct cor_error trouble;
        double next;
    } now;
    double page_seconds; /* of a processor, that a page takes: the largest of the last ones */
    struct cor_watch_share share;
    struct cor_watch_tables tables;
    struct cor_watch_trace traces[COR_WATCH_TRACES];
    size_t trace_next; /* place of the next one */
};

/* Seconds a child may take before it is killed. */
#define COR_WATCH_PATIENCE 600.0

/* The newest list of failures, which comes before its tables. */
struct cor_watch_failing {
    char *text;        /* owned; of the two below */
    const char *layer; /* name of the layer */
    char *keys;        /* lines: KEY, a tab, its class; none of layers whose failures have no keys */
    char *result;      /* owned; path of the file that they are of */
};

#define RENEW_SECONDS 2u       /* while a campaign runs, or something is under way */
#define RENEW_IDLE_SECONDS 10u /* while nothing is known to change, and may */
#define ARMS_SHOWN 40u
#define KEYS_SHOWN 60u
/* Seconds for one that was taken of a processor, while the campaign has one. */
#define LOOK_REST 400.0 /* of looking */
#define PAGE_REST 400.0 /* of a page */
#define RENEW_MOST 60.0

#define REST_SECONDS 3.0      /* between two tables, at least */
#define TURN_SECONDS 0.01     /* of work, then a rest: with one worker */
#define REST_TIMES 250.0      /* as long, */
#define REST_TIMES_SOON 20.0  /* where somebody waits for a failure */
#define WAIT_SECONDS 0.05     /* for a child that does not work by turns */
#define EVERY_SECONDS 5.0     /* workers are looked at */
#define LEAST_PROCESSORS 0.01 /* else nothing would ever come */

/* The sums over the children of a process; false: there is none, or the kernel does not say it. */
static bool read_children(long process, struct cor_watch_share *sum) {
    char *path = cor_format("/proc/%ld/task/%ld/children", process, process),
         *text = path ? cor_file_text(path) : NULL;
    *sum = (struct cor_watch_share){0};
    for (char *rest = text, *word; text && (word = strtok_r(rest, " \n", &rest));) {
        double has, waits;
        /* What the kernel says of a process, in seconds: on a processor, and waiting for one. */
        char *stat_path = cor_format("/proc/%ld/schedstat", strtol(word, NULL, 10)),
             *schedule = stat_path ? cor_file_text(stat_path) : NULL;
        unsigned long long ran = 0, waited = 0;
        const bool is_read = schedule && sscanf(schedule, "%llu %llu", &ran, &waited) == 2;
        has = 1e-9 * (double)ran;
        waits = 1e-9 * (double)waited;
        COR_FREE(schedule, stat_path);
        if (!is_read)
            continue;
        sum->workers++;
        sum->has += has;
        sum->waits += waits;
    }
    COR_FREE(text, path);
    return sum->workers > 0;
}

/* Looks at it, if it is time. Rests below are `times` what was taken for a campaign that has one processor.
 */
static void share_look(struct cor_watch_folder *watch, double now) {
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

/* Whether the view of the layer's failures has a list of them with their keys. */
static bool lists_keys(const struct cor_layer_commands *own) {
    const struct cor_view *view = own->failures ? cor_view_find(own->failures) : NULL;
    bool lists = false;
    for (size_t i = 0; view && view->sheets[i]; i++)
        lists = lists || strcmp(view->sheets[i]->id, "failures") == 0;
    return lists;
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
    if (!lists_keys(own))
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
    COR_FREE(draft, whole);
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
    struct cor_result *stored = NULL;
    struct cor_report *report = NULL;
    struct cor_report_options options = cor_default_report();
    const char *shorter = NULL, *id;
    enum cor_status status = COR_OK;
    FILE *front, *index;
    COR_TRY(cor_open_result(&cor_command_watch, false, result, NULL, &stored, &options.doubt, error));
    options.path = result;
    COR_TRY_OUT(write_failing(stored, folder, error));
    COR_TRY_OUT(cor_report_create(stored, &options, &report, error));
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
    cor_result_close(stored);
    return status;
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

/* Starts to make tables where something new is stored (`soon`: with ten times the share of time, as somebody
 * waits for them). */
static void tables_begin(struct cor_watch_folder *watch, bool soon) {
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
    COR_FREE(folder, result);
}

static char *text_of(const struct cor_watch_folder *watch, uint32_t number, const char *name) {
    char *path = cor_format("%s/%u/%s", watch->folder, number, name),
         *text = path ? cor_file_text(path) : NULL;
    free(path);
    return text;
}

/* The text of a file of the tables ("front", "part-0", "labels-0"), freed with free(); NULL: there is none.
 */
static char *tables_text(const struct cor_watch_folder *watch, const char *name) {
    return watch->tables.number > 0 ? text_of(watch, watch->tables.number, name) : NULL;
}

static void free_failing(struct cor_watch_failing *failing) {
    COR_FREE(failing->text, failing->result);
    *failing = (struct cor_watch_failing){0};
}

/* False: there is none yet; else it is freed with free_failing. */
static bool read_failing(const struct cor_watch_folder *watch, struct cor_watch_failing *failing) {
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
        free_failing(failing);
    return failing->result != NULL;
}

/* How many times a turn the rest is. */
static double rest_times(const struct cor_watch_folder *watch) {
    return (watch->tables.hurries ? REST_TIMES_SOON : REST_TIMES) / watch->share.processors;
}

static void send_to_child(const struct cor_watch_tables *tables, int number) {
    if (kill(-tables->child, number) != 0)
        kill(tables->child, number); /* it has no group of its own yet */
}

/* Lets the child work or rest, as the share of time that is its own says, and gives the seconds until it is
 * to be called again. */
static double tables_turn(struct cor_watch_folder *watch) {
    struct cor_watch_tables *tables = &watch->tables;
    const double now = cor_wall_seconds(), gone = now - tables->turn;
    const bool takes_turns = watch->now.is_there && !watch->now.report.status.ended;
    if (tables->child == 0)
        return INFINITY;
    share_look(watch, now);
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

static void tables_look(struct cor_watch_folder *watch) {
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
        /* The child has ended well: what it made is shown from now on. */
        char *index = text_of(watch, tables->child_number, "index");
        if (index) {
            /* Lines: "ID NAME OF THE PART". */
            tables->part_count = 0;
            for (char *rest = index, *line; (line = strtok_r(rest, "\n", &rest));) {
                char *name = strchr(line, ' ');
                if (!name || tables->part_count == COR_WATCH_PARTS)
                    continue;
                *name++ = '\0';
                snprintf(tables->part[tables->part_count].id, sizeof tables->part->id, "%s", line);
                snprintf(tables->part[tables->part_count++].shorter, sizeof tables->part->shorter, "%s",
                         name);
            }
            COR_FREE(index, tables->said);
            tables->said = text_of(watch, tables->child_number, "said");
            remove_tables(watch, tables->number);
            tables->number = tables->child_number;
            tables->made = tables->child_begun;
        }
    } else {
        tables->trouble = text_of(watch, tables->child_number, "trouble");
        if (!tables->trouble)
            tables->trouble = cor_strdup("the process that makes them has ended without a word");
        remove_tables(watch, tables->child_number);
    }
    tables->suites = tables->child_suites;
    tables->stamp = tables->child_stamp;
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

/* The trace of a failure, which is begun where there is none; NULL: it cannot be begun now, and *why says
 * why. */
static struct cor_watch_trace *trace_of(struct cor_watch_folder *watch, const char *key, const char **why) {
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
    if (!read_failing(watch, &failing))
        return NULL;
    if (!find_sequence(&failing, key, found)) {
        *why = "The tables so far hold no failure of this name.";
    } else if (!(trace = find_place(watch))) {
        *why = "Others are being repeated: this one comes when they have ended.";
    } else {
        forget(trace);
        if (choose(&failing, watch->trust, found, &command)) {
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
                if (out < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
                    dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0 ||
                    setrlimit(RLIMIT_FSIZE, &most) != 0 || setenv("COLUMNS", "110", 1) != 0 ||
                    setenv("TMPDIR", watch->folder, 1) != 0)
                    _exit(127);
                unsetenv("CLICOLOR_FORCE");
                setpgid(0, 0);
                if (!watch->now.report.status.ended)
                    (void)setpriority(PRIO_PROCESS, 0, NICENESS);
                for (size_t w = 0; w < command.count; w++)
                    if (!(words[w] = cor_strdup(command.word[w])))
                        _exit(127);
                words[command.count] = NULL;
                execv("/proc/self/exe", words);
                _exit(127);
            }
            if (child > 0) {
                snprintf(trace->key, sizeof trace->key, "%s", key);
                trace->child = child;
                trace->begun = cor_wall_seconds();
            }
        }
        COR_FREE(command.text[0], command.text[1]);
        *why = "It cannot be repeated: memory is short, or this layer has no command for it.";
    }
    free_failing(&failing);
    return trace && trace->child > 0 ? trace : NULL;
}

/* Is one under way? */
static bool traces_run(const struct cor_watch_folder *watch) {
    bool run = false;
    for (size_t t = 0; t < COR_WATCH_TRACES; t++)
        run = run || watch->traces[t].child != 0;
    return run;
}

static void traces_look(struct cor_watch_folder *watch) {
    for (size_t t = 0; t < COR_WATCH_TRACES; t++) {
        struct cor_watch_trace *trace = &watch->traces[t];
        if (trace->child > 0 && cor_wall_seconds() - trace->begun > TRACE_SECONDS)
            kill_child(trace->child);
        if (trace->child > 0 && waitpid(trace->child, &trace->how, WNOHANG) == trace->child)
            trace->child = 0;
    }
}

static bool campaign_runs(const struct cor_watch_folder *watch) {
    return watch->now.is_there && !watch->now.report.status.ended;
}

static enum cor_status read_now(struct cor_watch_folder *watch, struct cor_error *error) {
    const char *output = watch->place.output;
    struct cor_error ignored = COR_NO_ERROR;
    char *name = NULL;
    watch->now.is_there = cor_campaign_is_there(output);
    if (!watch->now.is_there) {
        cor_campaign_report_fini(&watch->now.report);
        watch->now.report.status.ended = true;
        return COR_OK;
    }
    struct cor_campaign_report report;
    enum cor_status status = cor_campaign_report_read(output, &report, error);
    if (status == COR_OK) {
        cor_campaign_report_fini(&watch->now.report);
        watch->now.report = report;
        status = cor_campaign_layer(output, &name, error);
    }
    const struct cor_layer *layer = status == COR_OK ? cor_layer_find(name) : NULL;
    if (layer) /* what it cannot read now it reads the next time */
        (void)(cor_failing_news_read(layer->schema, output, &watch->now.news, &ignored) == COR_OK);
    if (status == COR_OK && !layer)
        status = cor_fail(error, COR_STATUS_FILE, output, "watch it with the version that runs it",
                          "is a campaign of \"%s\", which this version does not know", name);
    free(name);
    return status;
}

/* "?token=..", behind the path of each link; and a key, whose bytes are those of a URL. */
static void put_query(const struct cor_watch_folder *watch, FILE *file) {
    fprintf(file, "?token=%s", cor_page_server_token(watch->server));
}

static void put_link_to(const struct cor_watch_folder *watch, const char *key, FILE *file) {
    fputs("<a href=\"/failure", file);
    put_query(watch, file);
    fputs("&amp;of=", file);
    for (const char *k = key; *k; k++)
        if ((*k >= 'a' && *k <= 'z') || (*k >= 'A' && *k <= 'Z') || (*k >= '0' && *k <= '9') || *k == '-' ||
            *k == '_')
            fputc(*k, file);
        else
            fprintf(file, "%%%02X", (unsigned)(unsigned char)*k);
    fputs("\">", file);
    cor_html_short(file, key, 80);
    fputs("</a>", file);
}

static const char *name_of_failures(const struct cor_watch_folder *watch) {
    char *name = NULL;
    struct cor_error ignored = COR_NO_ERROR;
    const struct cor_layer *layer =
        cor_campaign_layer(watch->place.output, &name, &ignored) == COR_OK ? cor_layer_find(name) : NULL;
    free(name);
    return layer && layer->failures ? layer->failures : "failures";
}

/* How far it is, in a line. */
static void put_progress_line(const struct cor_watch_folder *watch, FILE *file) {
    const struct cor_campaign_status *status = &watch->now.report.status;
    char left[64] = "";
    const double rest = cor_status_seconds_left(
        status,
        status->seconds > 0 ? (double)(status->suites_done - status->suites_before) / status->seconds : 0);
    if (watch->now.trouble.status != COR_OK) {
        fputs("<p class=\"note bad\"><strong>The campaign cannot be read:</strong> ", file);
        cor_html_short(file, watch->now.trouble.place, 200);
        fputs(": ", file);
        cor_html_short(file, watch->now.trouble.cause, 400);
        fputs(". ", file);
        cor_html_short(file, watch->now.trouble.remedy, 400);
        fputs("</p>\n", file);
    }
    if (!watch->now.is_there || watch->now.report.arm_count == 0)
        return;
    if (!isnan(rest))
        cor_say_seconds(rest, left, sizeof left);
    fprintf(file, "<p class=headline data-state=%s><strong>%" PRIu64, status->ended ? "ended" : "running",
            status->suites_done);
    if (status->suites_planned > 0)
        fprintf(file, " of %" PRIu64, status->suites_planned);
    fprintf(file, "</strong> suites, <strong>%" PRIu64 "</strong> ", status->failures);
    cor_html_text(file, name_of_failures(watch));
    const bool whole = status->stopped || status->suites_kept == status->suites_planned;
    if (!status->ended)
        fprintf(file, "; running for %.0f s%s", status->seconds, left);
    else
        fputs(whole ? "; it has ended" : "; nobody is at work on it: the same corridor run goes on", file);
    fputs("</p>\n", file);
}

static void put_newest(const struct cor_watch_folder *watch, FILE *file) {
    const struct cor_failing_news *news = &watch->now.news;
    if (news->count == 0 || watch->now.report.arm_count == 0) /* there are none, or they are named no more */
        return;
    fputs("<h3>Newest failures</h3>\n<div class=wide><table data-sheet=newest>\n<thead><tr><th "
          "scope=col>suite</th>"
          "<th scope=col class=n>",
          file);
    cor_html_text(file, name_of_failures(watch));
    fputs("</th></tr></thead>\n<tbody>\n", file);
    for (size_t i = 0; i < news->count; i++) {
        const struct cor_failing_suite *suite = &news->newest[i];
        if (suite->arm >= watch->now.report.arm_count)
            continue;
        char *key = cor_format("%s/%" PRIu32, watch->now.report.arms[suite->arm].name, suite->suite);
        if (!key)
            continue;
        fputs("<tr><th scope=row>", file);
        put_link_to(watch, key, file);
        fprintf(file, "</th><td>%" PRIu32 "</td></tr>\n", suite->failures);
        free(key);
    }
    fputs("</tbody></table></div>\n", file);
}

/* Failing sequences that the tables know of, by their keys. */
static void put_keys(const struct cor_watch_folder *watch, const char *within, FILE *file) {
    struct cor_watch_failing failing;
    const size_t length = within ? strlen(within) : 0;
    size_t count = 0;
    if (!read_failing(watch, &failing))
        return;
    for (char *rest = failing.keys, *line; (line = strtok_r(rest, "\n", &rest));) {
        char *class = strchr(line, '\t');
        if (class)
            *class ++ = '\0';
        if (within && (strncmp(line, within, length) != 0 || (line[length] != '/' && line[length] != '\0')))
            continue;
        if (count++ >= KEYS_SHOWN)
            continue;
        if (count == 1)
            fputs("<h3>Failures, each with its trace</h3>\n<ul class=keys>\n", file);
        fputs("<li>", file);
        put_link_to(watch, line, file);
        fputs(" <span class=dim>", file);
        cor_html_short(file, class ? class : "", 100);
        fputs("</span></li>\n", file);
    }
    if (count > 0)
        fputs("</ul>\n", file);
    if (count > KEYS_SHOWN)
        fprintf(file, "<p class=legend>and %zu more: <code>corridor failures</code> lists all.</p>\n",
                count - KEYS_SHOWN);
    free_failing(&failing);
}

/* Sheets of the status, of many arms of the first; with `labels` their rules for narrow windows instead. */
static void put_sheets(const struct cor_watch_folder *watch, bool labels, FILE *file) {
    static const char *const shown[] = {"arms", "growth"};
    struct cor_campaign_report report = watch->now.report;
    struct cor_sheets *sheets;
    struct cor_error ignored = COR_NO_ERROR;
    const size_t arms = report.arm_count;
    if (!watch->now.is_there || cor_sheets_create("corridor-status", 1, &sheets, &ignored) != COR_OK)
        return;
    if (report.arm_count > ARMS_SHOWN)
        report.arm_count = ARMS_SHOWN;
    cor_status_fill(&report, sheets);
    enum cor_status status = cor_sheets_status(sheets, &ignored);
    for (size_t s = 0; status == COR_OK && s < sizeof shown / sizeof *shown; s++) {
        const struct cor_sheet *sheet = cor_sheets_find(sheets, shown[s]);
        if (labels)
            cor_report_write_labels("live", sheet, file);
        else if (cor_sheet_size(sheet) > 0)
            status = cor_sheet_html(sheet, file, &ignored);
        if (strcmp(shown[s], "growth") == 0 && !labels && status == COR_OK)
            cor_report_write_progress(sheet, file);
        if (s == 0 && !labels && arms > ARMS_SHOWN)
            fprintf(file, "<p class=legend>and %zu arms more: <code>corridor status --all</code></p>\n",
                    arms - ARMS_SHOWN);
    }
    cor_sheets_destroy(sheets);
}

/* How old the tables are of a campaign that runs. */
static void put_age(double seconds, bool are_renewed, FILE *file) {
    const bool is_long = seconds >= 90;
    fprintf(file, ", as it was %.0f %s ago%s", is_long ? seconds / 60 : seconds, is_long ? "min" : "s",
            are_renewed ? "; newer ones are being made, by less than a hundredth of what the campaign takes"
                        : "");
}

static void put_said(const struct cor_watch_folder *watch, FILE *file) {
    const struct cor_watch_tables *tables = &watch->tables;
    if (tables->said) {
        fputs("<p class=legend>Tables are ", file);
        cor_html_text(file, tables->said);
        fputs(", without a gap", file);
        if (campaign_runs(watch))
            put_age(cor_wall_seconds() - tables->made, tables->child != 0, file);
        fputs(".</p>\n", file);
    }
    if (tables->child != 0 && tables->number == 0)
        fputs(campaign_runs(watch)
                  ? "<p class=legend>The first tables are being made, by less than a hundredth of what the "
                    "campaign takes: this may take minutes.</p>\n"
                  : "<p class=legend>The tables are being made.</p>\n",
              file);
    if (tables->trouble) {
        fputs("<p class=note><strong>No newer tables:</strong> ", file);
        cor_html_short(file, tables->trouble, 800);
        fputs("</p>\n", file);
    }
    if (watch->now.is_there && !watch->now.report.status.ended && !watch->place.folder)
        fputs("<p class=legend>The tables come when the campaign has ended. Where <code>corridor plan "
              "-o</code> "
              "makes a folder of an experiment, a campaign that is run there shows them meanwhile.</p>\n",
              file);
}

static const struct cor_layer_commands *commands_named(const char *name) {
    const struct cor_layer *layer = cor_layer_find(name);
    return layer ? cor_commands_of(layer->schema) : NULL;
}

/* Of a layer that has no list of keys of failures: the commands that show them, and repeat them. */
static void put_commands(const struct cor_watch_folder *watch, FILE *file) {
    static const char *const commands[][2] = {{"All that was found: <code>corridor show ", " --all</code>. "},
                                              {"All executed again: <code>corridor replay ", "</code>."}};
    struct cor_watch_failing failing;
    if (access(watch->place.output, F_OK) != 0 || !read_failing(watch, &failing))
        return;
    const struct cor_layer_commands *own = commands_named(failing.layer);
    if (own && !lists_keys(own)) {
        fputs("<p class=legend>", file);
        for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
            fputs(commands[c][0], file);
            cor_html_short(file, watch->place.output, 200);
            fputs(commands[c][1], file);
        }
        fputs("</p>\n", file);
    }
    free_failing(&failing);
}

static void put_text_of(const struct cor_watch_folder *watch, const char *name, size_t part, FILE *file) {
    char *whole = cor_format("%s-%zu", name, part), *text = whole ? tables_text(watch, whole) : NULL;
    fputs(text ? text : "", file);
    COR_FREE(text, whole);
}

/* A page under way. */
struct page {
    struct cor_watch_folder *watch;
    const char *key; /* of a failure; NULL: it is of tables */
    size_t part;     /* of these; that behind the last: the first page */
    bool waits;      /* for something that comes by itself */
    struct cor_watch_trace *trace;
    const char *why; /* there is no trace */
};

static void put_failure(const struct page *page, FILE *file) {
    fputs("<section aria-labelledby=failure-h>\n<h2 id=failure-h>", file);
    cor_html_short(file, page->key, 200);
    fputs("</h2>\n", file);
    if (!page->trace) {
        fputs("<p class=note>", file);
        cor_html_text(file, page->why);
        fputs("</p>\n", file);
    } else if (page->trace->child != 0) {
        fputs("<p class=note>It is being executed again.</p>\n", file);
    } else {
        if (!WIFEXITED(page->trace->how))
            fputs("<p class=\"note bad\">The command that repeats it was ended: it took too long, or memory "
                  "was "
                  "short.</p>\n",
                  file);
        /* What was printed, as far as it fits. */
        FILE *printed = page->trace->path ? fopen(page->trace->path, "r") : NULL;
        char *line = NULL;
        size_t capacity = 0;
        const long begun = ftell(file);
        fputs("<div class=wide><pre class=trace>", file);
        while (printed && getline(&line, &capacity, printed) >= 0) {
            if (ftell(file) - begun > (long)COR_WATCH_PART_MOST) {
                fputs("..\n", file);
                break;
            }
            line[strcspn(line, "\n")] = '\0';
            cor_html_short(file, line, 1000);
            fputc('\n', file);
        }
        fputs("</pre></div>\n", file);
        free(line);
        if (printed)
            fclose(printed);
        /* A sequence that its layer can draw, as a test that is kept. */
        struct cor_watch_failing failing;
        if (read_failing(page->watch, &failing)) {
            const struct cor_layer_commands *own = commands_named(failing.layer);
            if (own && own->test)
                fputs("<p class=legend>As a sequence diagram: <code>corridor replay RESULTS.h5 --failure=KEY "
                      "--trace --svg t.svg</code>.</p>\n",
                      file);
            free_failing(&failing);
        }
    }
    put_keys(page->watch, page->key, file);
    fputs("</section>\n", file);
}

static void put_main(const struct page *page, FILE *file) {
    struct cor_watch_folder *watch = page->watch;
    const struct cor_watch_tables *tables = &watch->tables;
    const bool is_first = !page->key && page->part == tables->part_count;
    fprintf(file,
            "<main id=live data-tables=\"%u%s\">\n<p class=legend data-said role=status></p>\n<div "
            "data-live=line>\n",
            tables->number, page->key ? page->trace && page->trace->child == 0 ? "-done" : "-open" : "");
    put_progress_line(watch, file);
    fputs("</div>\n", file);
    if (page->key) {
        put_failure(page, file);
    } else if (!is_first) {
        put_said(watch, file);
        put_text_of(watch, "part", page->part, file);
        if (strcmp(tables->part[page->part].id, "failures") == 0)
            put_keys(watch, NULL, file);
    } else {
        fputs("<div data-live=now>\n", file);
        put_newest(watch, file);
        put_sheets(watch, false, file);
        put_said(watch, file);
        put_commands(watch, file);
        fputs("</div>\n", file);
        if (!watch->now.is_there && tables->part_count > 0)
            put_text_of(watch, "part", 0, file);
        if (watch->now.news.count == 0 || !watch->now.is_there)
            put_keys(watch, NULL, file);
    }
    fputs("</main>\n", file);
}

/* Seconds until a page is asked for again. */
static uint32_t renew_seconds(const struct cor_watch_folder *watch, const struct page *page) {
    const bool ended = watch->now.is_there ? watch->now.report.status.ended : watch->tables.number > 0;
    /* Whether the campaign is at work, or something else may change by itself. */
    if (!page->waits && !(campaign_runs(watch) || watch->tables.child != 0 || traces_run(watch)))
        return ended && !watch->now.is_there ? 0 : RENEW_IDLE_SECONDS;
    if (ended)
        return RENEW_SECONDS;
    const double rest = ceil(PAGE_REST * watch->page_seconds / watch->share.processors);
    return (uint32_t)fmin(RENEW_MOST, fmax(RENEW_SECONDS, rest));
}

static void put_page(const struct page *page, const char *nonce, FILE *file) {
    const struct cor_watch_folder *watch = page->watch;
    const struct cor_report_frame frame = {
        .title = page->key ? page->key : watch->operand,
        .nonce = nonce,
        .renew_seconds = renew_seconds(watch, page),
    };
    cor_report_begin(&frame, file);
    if (!page->key && page->part < watch->tables.part_count)
        put_text_of(watch, "labels", page->part, file);
    else if (!page->key && watch->now.is_there)
        put_sheets(watch, true, file);
    else if (!page->key)
        put_text_of(watch, "labels", 0, file);
    cor_report_begin_body(file);
    if (!page->key && page->part == watch->tables.part_count) {
        char *front = tables_text(watch, "front");
        if (front) {
            fputs(front, file);
        } else {
            fputs("<header>\n<p class=brand>Corridor \xc2\xb7 test report</p>\n<h1>", file);
            cor_html_short(file, watch->operand, 120);
            fputs("</h1>\n</header>\n", file);
        }
        free(front);
    }
    fputs("<nav aria-label=Pages><a href=\"/", file);
    put_query(watch, file);
    fputs("\">now</a>", file);
    for (size_t p = 0; p < watch->tables.part_count; p++) {
        fprintf(file, "<a href=\"/%s", watch->tables.part[p].id);
        put_query(watch, file);
        fputs("\">", file);
        cor_html_text(file, watch->tables.part[p].shorter);
        fputs("</a>", file);
    }
    fputs("</nav>\n", file);
    put_main(page, file);
    cor_report_end(&frame, file);
}

static bool is_key(const char *text) {
    if (!text || !text[0] || strlen(text) >= COR_WATCH_KEY)
        return false;
    for (const char *t = text; *t; t++)
        if ((unsigned char)*t < ' ' || *t == 127)
            return false;
    return true;
}

/* Finds what is asked for; false: there is nothing of that name. */
static bool find_page(const struct cor_page_request *request, struct page *page) {
    struct cor_watch_folder *watch = page->watch;
    if (strcmp(request->path, "/failure") == 0) {
        page->key = is_key(request->of) ? request->of : NULL;
        if (page->key)
            page->trace = trace_of(watch, page->key, &page->why);
        return page->key != NULL;
    }
    page->part = watch->tables.part_count;
    if (strcmp(request->path, "/") == 0)
        return true;
    for (page->part = 0; page->part < watch->tables.part_count; page->part++)
        if (strcmp(request->path + 1, watch->tables.part[page->part].id) == 0)
            return true;
    return false;
}

static void answer_page(void *context, const struct cor_page_request *request,
                        struct cor_page_answer *answer) {
    struct cor_watch_folder *watch = context;
    struct page page = {.watch = watch};
    /* Looks how far it is, unless that was done a moment ago. */
    const double begun = cor_wall_seconds(), cpu_begun = cor_cpu_seconds();
    if (begun >= watch->now.next) {
        watch->now.trouble = COR_NO_ERROR;
        if (read_now(watch, &watch->now.trouble) != COR_OK)
            watch->now.report.status.ended = watch->now.report.status.ended || !watch->now.is_there;
        share_look(watch, begun);
        const double pause = LOOK_REST * (cor_cpu_seconds() - cpu_begun) / watch->share.processors;
        watch->now.next = cor_wall_seconds() + (pause > 0.5 ? pause : 0.5);
    }
    tables_look(watch);
    traces_look(watch);
    const bool is_found = find_page(request, &page);
    tables_begin(watch, page.key && !page.trace);
    page.waits = page.key && (!page.trace || page.trace->child != 0);
    FILE *file = open_memstream(&answer->text, &answer->size);
    if (!file)
        return; /* the connection is closed */
    const double cpu_before = cor_cpu_seconds();
    answer->code = is_found ? 200 : 404;
    if (is_found)
        put_page(&page, request->nonce, file);
    else
        fputs("<!doctype html>\n<html lang=en><meta charset=utf-8><title>404</title>\n<p>There is no such "
              "page.</p>\n",
              file);
    if (fclose(file) != 0) {
        free(answer->text);
        answer->text = NULL;
    }
    /* What the server does for it is half as much again. */
    watch->page_seconds = fmax(0.9 * watch->page_seconds, 1.5 * (cor_cpu_seconds() - cpu_before));
}

/* ---- the command: its folder, its loop, its end */

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#define FOLDER "corridor-watch-"
#define WAIT_MILLISECONDS 500
#define WAIT_FOR_CHILDREN_MILLISECONDS 50

struct request {
    uint32_t port;
    bool trust;
};

/* The signal that asked for the end; 0: none has. */
static volatile sig_atomic_t asked;

static void note_signal(int number) {
    asked = number;
}

/* There is something to be watched, or the user is told. */
static enum cor_status check_there(const struct cor_place *place, const char *operand,
                                   struct cor_error *error) {
    const char *reader, *what = cor_what_file(operand, &reader);
    if (what && !place->folder && strcmp(what, COR_RESULT_WHAT) != 0)
        return cor_fail(error, COR_STATUS_INPUT, operand, reader, "is %s, not a result file", what);
    if (access(place->output, F_OK) == 0 || cor_campaign_is_there(place->output))
        return COR_OK;
    if (access(operand, F_OK) != 0)
        return cor_fail_errno(error, COR_STATUS_FILE, operand,
                              "name a result file, or the folder that corridor plan -o has made",
                              "cannot open");
    return cor_place_check(operand, place, error);
}

static enum cor_status serve(struct cor_watch_folder *watch, uint16_t port, struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_TRY(cor_page_server_create(port, answer_page, watch, &watch->server, error));
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    const struct sigaction action = {.sa_handler = note_signal};
    struct sigaction before;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ending[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* a browser that goes away */
    /* The lock is held by this process and its children until the last of them has ended. */
    int lock; /* open until then */
    COR_TRY_OUT(cor_make_marked_folder(cor_temporary_place(), FOLDER, &watch->folder, &lock, error));
    cor_remove_left_folders(cor_temporary_place(), FOLDER);
    watch->now.report.status.ended = true;
    watch->share.processors = 1;
    cor_print("http://127.0.0.1:%u/?token=%s\n", cor_page_server_port(watch->server),
              cor_page_server_token(watch->server));
    fflush(stdout);
    if (isatty(STDOUT_FILENO))
        cor_say("open this address in a browser of this machine; Ctrl-C ends it");
    while (asked == 0) {
        const double turn = ceil(1000 * tables_turn(watch)),
                     most = traces_run(watch) ? WAIT_FOR_CHILDREN_MILLISECONDS : WAIT_MILLISECONDS;
        cor_page_server_wait(watch->server, (int)fmax(0, fmin(turn, most)));
        tables_look(watch);
        traces_look(watch);
    }
out:
    cor_page_server_destroy(watch->server);
    struct cor_watch_tables *tables = &watch->tables;
    if (tables->child > 0)
        drop_child(watch);
    COR_FREE(tables->said, tables->trouble);
    *tables = (struct cor_watch_tables){0};
    for (size_t t = 0; t < COR_WATCH_TRACES; t++)
        forget(&watch->traces[t]);
    cor_failing_news_fini(&watch->now.news);
    cor_campaign_report_fini(&watch->now.report);
    /* What was started by children that were killed may be writing there for a moment. */
    const struct timespec moment = {.tv_nsec = 10000000};
    for (int i = 0; i < 100 && watch->folder && access(watch->folder, F_OK) == 0; i++) {
        if (i > 0)
            nanosleep(&moment, NULL);
        cor_remove_folder(watch->folder);
    }
    free(watch->folder);
    return status;
}

static enum cor_exit run_watch(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    const struct request *request = arguments->request;
    struct cor_watch_folder watch = {.operand = arguments->words[0], .trust = request->trust};
    enum cor_status status = cor_place_of(watch.operand, &watch.place, &error);
    if (status == COR_OK)
        status = check_there(&watch.place, watch.operand, &error);
    if (status == COR_OK)
        status = serve(&watch, (uint16_t)request->port, &error);
    cor_place_fini(&watch.place);
#ifdef __SANITIZE_ADDRESS__
    if (asked != 0) /* who is ended by a signal tells of no leaks */
        __lsan_do_leak_check();
#endif
    if (asked != 0) { /* as a shell expects of who was ended so: 130 for Ctrl-C */
        fflush(stdout);
        signal((int)asked, SIG_DFL);
        raise((int)asked);
    }
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_watch = {
    .name = "watch",
    .summary = "watch a run in a browser",
    .operands = "FOLDER | RESULTS.h5",
    .takes = {1, 1, "needs the folder of a campaign, or a result file"},
    .request_size = sizeof(struct request),
    .manual =
        "Serves the page of corridor report to a browser of this machine, and prints its address. While the "
        "campaign runs the page renews itself: what was found so far, failures as they come, how coverage "
        "has "
        "grown, the time left. A failure opens with what corridor replay says of it. The page works without "
        "scripts, too. It can also be had of a campaign that has ended, or of a result file. "
        "The address has a token: who does not know it gets no answer, and pages of other sites get none. "
        "Nothing is written into the folder, and no lock is taken. It takes less than a hundredth of "
        "what the campaign takes of the processors, and nothing while no page is open. Ends with Ctrl-C.",
    .options =
        {
            {"port", 0, "N", "listen at this port", COR_INTEGER(port, 1, 65535, 0),
             .otherwise = "one that is free"},
            {"trust", 0, NULL, "start programs and modules that the file names", COR_FLAG(trust)},
        },
    .examples = {"corridor watch camp/                    # while corridor run camp/ goes on elsewhere",
                 "corridor watch demo.h5 --port 8080"},
    .run = run_watch,
};
