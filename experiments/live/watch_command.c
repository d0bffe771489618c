/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pages of corridor watch: how far the campaign is, with the parts of its report below. Names, keys and texts
 * from files are escaped; what is asked for chooses among what there is, and is never made a path. */
#define _DEFAULT_SOURCE /* _SC_NPROCESSORS_ONLN */

#include "watch_command.h"
#include "../campaign/status_command.h"
#include "commands.h"
#include "layer_commands.h"
#include "output.h"
#include "running.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/cells.h>
#include <corridor/child.h>
#include <corridor/kinds.h>
#include <corridor/report.h>
#include <corridor/schema.h>
#include <corridor/sheet.h>
#include <corridor/work_folder.h>

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RENEW_SECONDS 2u       /* while a campaign runs, or something is under way */
#define RENEW_IDLE_SECONDS 10u /* while nothing is known to change, and may */
#define ARMS_SHOWN 40u
#define KEYS_SHOWN 60u
/* Seconds for one that was taken of a processor, while the campaign has one. */
#define LOOK_REST 400.0 /* of looking */
#define PAGE_REST 400.0 /* of a page */
#define RENEW_MOST 60.0

static bool campaign_runs(const struct cor_watch_folder *watch) {
    return watch->now.is_there && !watch->now.report.status.ended;
}

/* Whether the campaign is at work, or something else may change by itself. */
static bool cor_watch_goes_on(const struct cor_watch_folder *watch) {
    return campaign_runs(watch) || watch->tables.child != 0 || cor_watch_traces_run(watch);
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

/* Looks how far it is, unless that was done a moment ago. */
static void look(struct cor_watch_folder *watch) {
    const double begun = cor_wall_seconds(), cpu = cor_cpu_seconds();
    if (begun < watch->now.next)
        return;
    watch->now.trouble = COR_NO_ERROR;
    if (read_now(watch, &watch->now.trouble) != COR_OK)
        watch->now.report.status.ended = watch->now.report.status.ended || !watch->now.is_there;
    cor_watch_share_look(watch, begun);
    const double pause = LOOK_REST * (cor_cpu_seconds() - cpu) / watch->share.processors;
    watch->now.next = cor_wall_seconds() + (pause > 0.5 ? pause : 0.5);
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
    if (!cor_watch_failing(watch, &failing))
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
    cor_watch_failing_fini(&failing);
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

/* Of a layer whose failures have no keys: the commands that show them, and repeat them. */
static void put_commands(const struct cor_watch_folder *watch, FILE *file) {
    static const char *const commands[][2] = {{"All that was found: <code>corridor show ", " --all</code>. "},
                                              {"All executed again: <code>corridor replay ", "</code>."}};
    struct cor_watch_failing failing;
    if (access(watch->place.output, F_OK) != 0 || !cor_watch_failing(watch, &failing))
        return;
    const struct cor_layer_commands *own = commands_named(failing.layer);
    if (own && !own->failures) {
        fputs("<p class=legend>", file);
        for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
            fputs(commands[c][0], file);
            cor_html_short(file, watch->place.output, 200);
            fputs(commands[c][1], file);
        }
        fputs("</p>\n", file);
    }
    cor_watch_failing_fini(&failing);
}

static void put_text_of(const struct cor_watch_folder *watch, const char *name, size_t part, FILE *file) {
    char *whole = cor_format("%s-%zu", name, part),
         *text = whole ? cor_watch_tables_text(watch, whole) : NULL;
    fputs(text ? text : "", file);
    free(text);
    free(whole);
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
        if (cor_watch_failing(page->watch, &failing)) {
            const struct cor_layer_commands *own = commands_named(failing.layer);
            if (own && own->test)
                fputs("<p class=legend>As a sequence diagram: <code>corridor replay RESULTS.h5 --failure=KEY "
                      "--trace --svg t.svg</code>.</p>\n",
                      file);
            cor_watch_failing_fini(&failing);
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
    if (!page->waits && !cor_watch_goes_on(watch))
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
        char *front = cor_watch_tables_text(watch, "front");
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
            page->trace = cor_watch_trace_of(watch, page->key, &page->why);
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

void cor_watch_answer(void *context, const struct cor_page_request *request, struct cor_page_answer *answer) {
    struct cor_watch_folder *watch = context;
    struct page page = {.watch = watch};
    look(watch);
    cor_watch_tables_look(watch);
    cor_watch_traces_look(watch);
    const bool is_found = find_page(request, &page);
    cor_watch_tables_begin(watch, page.key && !page.trace);
    page.waits = (page.key && (!page.trace || page.trace->child != 0));
    FILE *file = open_memstream(&answer->text, &answer->size);
    if (!file)
        return; /* the connection is closed */
    const double cpu = cor_cpu_seconds();
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
    watch->page_seconds = fmax(0.9 * watch->page_seconds, 1.5 * (cor_cpu_seconds() - cpu));
}

/* ---- how much of the processors a campaign has that runs on this machine: what watch takes is a share of it
 */

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
    COR_TRY(cor_page_server_create(port, cor_watch_answer, watch, &watch->server, error));
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
        const double turn = ceil(1000 * cor_watch_tables_turn(watch)),
                     most = cor_watch_traces_run(watch) ? WAIT_FOR_CHILDREN_MILLISECONDS : WAIT_MILLISECONDS;
        cor_page_server_wait(watch->server, (int)fmax(0, fmin(turn, most)));
        cor_watch_tables_look(watch);
        cor_watch_traces_look(watch);
    }
out:
    cor_page_server_destroy(watch->server);
    cor_watch_tables_fini(watch);
    cor_watch_traces_fini(watch);
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
