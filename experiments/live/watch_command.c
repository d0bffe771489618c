/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much of the processors a campaign has that runs on this machine: what watch takes is a share of it. */
#define _DEFAULT_SOURCE /* _SC_NPROCESSORS_ONLN */

#include "commands.h"
#include "output.h"
#include "running.h"
#include "watch_pages.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/kinds.h>
#include <corridor/work.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define EVERY_SECONDS 5.0     /* looked at */
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

/* ---- watch command */

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

static void catch_signals(void) {
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    const struct sigaction action = {.sa_handler = note_signal};
    struct sigaction before;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ending[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* a browser that goes away */
}

void cor_watch_kill(pid_t child) {
    kill(-child, SIGKILL);
    kill(child, SIGKILL); /* it may have no group of its own yet */
}

/* The lock is held by this process and its children until the last of them has ended. */
static enum cor_status make_folder(struct cor_watch_folder *watch, struct cor_error *error) {
    int lock; /* open until then */
    COR_TRY(cor_make_marked_folder(cor_temporary_place(), FOLDER, &watch->folder, &lock, error));
    cor_remove_left_folders(cor_temporary_place(), FOLDER);
    return COR_OK;
}

/* What was started by children that were killed may be writing there for a moment. */
static void remove_folder(struct cor_watch_folder *watch) {
    const struct timespec moment = {.tv_nsec = 10000000};
    for (int i = 0; i < 100 && watch->folder && access(watch->folder, F_OK) == 0; i++) {
        if (i > 0)
            nanosleep(&moment, NULL);
        cor_remove_folder(watch->folder);
    }
    free(watch->folder);
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
    catch_signals();
    COR_TRY_OUT(make_folder(watch, error));
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
    remove_folder(watch);
    return status;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
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
    .run = run,
};
