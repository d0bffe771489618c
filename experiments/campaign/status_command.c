/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "status_command.h"
#include "commands.h"
#include "output.h"
#include "place.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/campaign.h>
#include <corridor/result.h>
#include <corridor/sheet.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Of a terminal: another screen and its cursor hidden, and back; a page from the upper left corner. */
#define SCREEN_BEGIN "\033[?1049h\033[?25l"
#define SCREEN_END "\033[?25h\033[?1049l"
#define PAGE_BEGIN "\033[H\033[J"

#define STATUS(member) COR_CELL_OF(struct cor_campaign_status, member)
#define REPORT(member) COR_CELL_OF(struct cor_campaign_report, member)
static const struct cor_column_definition campaign_columns[] = {
    {"running", "running", "", "whether a process is at work on it", COR_CELL_FLAG, 0, 0},
    {"process", "process", "", "its number on its machine; nothing: none", COR_CELL_COUNT, 0, 0},
    {"tasks", "tasks", "tasks", "of a job array, at work on their shares; nothing: it is run as one",
     COR_SOME_OF(struct cor_campaign_report, tasks)},
    {"suites_planned", "suites planned", "suites", "over all arms; nothing: endless",
     COR_SOME_OF(struct cor_campaign_status, suites_planned)},
    {"suites_done", "done", "suites",
     "stored in journals, in whatever order; not those that are not wanted any more", STATUS(suites_done)},
    {"suites_before", "of earlier runs", "suites", "thereof stored by earlier runs", STATUS(suites_before)},
    {"suites_kept", "without a gap", "suites", "a prefix of the plan: what a result file would hold now",
     STATUS(suites_kept)},
    {"stopped", "stopped", "", "whether a stop condition holds: no more suites are wanted", STATUS(stopped)},
    {"failures", "failures", "cases", "in which a check failed, of all that is stored", STATUS(failures)},
    {"suites_open", "under way", "suites", "that workers are at", REPORT(open_count)},
    {"seconds", "running for", "s", "wall clock of this run", STATUS(seconds), 1},
    {"rate", "rate", "suites/s", "of this run", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"seconds_left", "time left", "s",
     "by what suites of each arm have taken, those under way included; nothing: endless, ended, or not known "
     "yet",
     COR_CELL_REAL, 0, 0},
};
COR_SHEET_DEFINITION(campaign, "campaign", "How far it is", "the campaign", COR_SHEET_RECORD, 0);

#define ARM(member) COR_CELL_OF(struct cor_arm_progress, member)
static const struct cor_column_definition arms_columns[] = {
    {"arm", "arm", "", "name of the arm", ARM(name)},
    {"fault", "fault", "", "of its algorithm", ARM(fault)},
    {"suites", "suites", "suites", "stored", ARM(suites)},
    {"cases", "cases", "cases", "executed in them", ARM(cases)},
    {"reorganizations", "reorganizations", "", "in them", ARM(reorganizations)},
    {"failures", "failures", "cases", "in which a check failed, through whichever box", ARM(failures)},
    {"states", "states", "",
     "share seen, of profiles that are the same in all suites; nothing: there is none", ARM(states), 3},
    {"transitions", "transitions", "", "the same of their transitions", ARM(transitions), 3},
};
COR_SHEET_DEFINITION(arms, "arms", "By arm", "an arm", 0, 0);

/* The same in the width of a page; which fault it is the name of an arm says, as a rule. */
static const struct cor_column_definition page_columns[] = {
    {"arm", "arm", "", "name of the arm", ARM(name)},
    {"suites", "suites", "", "stored", ARM(suites)},
    {"cases", "cases", "", "executed in them", ARM(cases)},
    {"reorganizations", "reorganizations", "", "in them", ARM(reorganizations)},
    {"failures", "failures", "", "cases in which a check failed", ARM(failures)},
    {"states", "states", "", "share seen", ARM(states), 3},
    {"transitions", "transitions", "", "share seen", ARM(transitions), 3},
};
COR_SHEET_DEFINITION(page, "page", "By arm", "an arm", 0, 0);

#define OPEN(member) COR_CELL_OF(struct cor_open_suite, member)
static const struct cor_column_definition open_suites_columns[] = {
    {"arm", "arm", "", "name of the arm", OPEN(arm)},
    {"suite", "suite", "", "number within its arm", OPEN(suite)},
};
COR_SHEET_DEFINITION(open_suites, "open", "Suites under way", "a suite that a worker is at", COR_SHEET_DATA,
                     0);

static const struct cor_column_definition faults_columns[] = {
    {"fault", "fault", "", "of the algorithm", COR_CELL_WORD, 0, 0},
    {"arms", "arms", "arms", "with it", COR_CELL_COUNT, 0, 0},
    {"suites", "suites", "suites", "stored", COR_CELL_COUNT, 0, 0},
    {"cases", "cases", "cases", "executed in them", COR_CELL_COUNT, 0, 0},
    {"failures", "failures", "cases", "in which a check failed, through whichever box", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(faults, "faults", "By fault", "a fault, in all arms with it", COR_SHEET_DATA, 0);

#define GROWTH(member) COR_CELL_OF(struct cor_campaign_growth, member)
static const struct cor_column_definition growth_columns[] = {
    {"suites", "suites", "suites", "without a gap", GROWTH(suites)},
    {"failures", "failures", "cases", "in them in which a check failed", GROWTH(failures)},
    {"states", "states", "",
     "share seen so far, the least over arms; nothing: no profile is the same in all suites", GROWTH(states),
     3},
    {"transitions", "transitions", "", "the same of their transitions", GROWTH(transitions), 3},
};
COR_SHEET_DEFINITION(growth, "growth", "Growth", "the campaign after so many suites", 0, 0);

double cor_status_seconds_left(const struct cor_campaign_status *status, double rate) {
    if (status->ended || status->suites_planned == 0)
        return NAN;
    if (!isnan(status->seconds_left))
        return status->seconds_left;
    /* What was said by several processes, at several moments. */
    return rate > 0 ? fmax(0, (double)status->suites_planned - (double)status->suites_done) / rate
                    : (double)NAN;
}

/* Each fault where it first occurs. */
static void fill_faults(const struct cor_campaign_report *report, struct cor_sheet *sheet) {
    for (size_t a = 0; a < report->arm_count; a++) {
        uint64_t sums[4] = {0};
        size_t first = report->arm_count;
        for (size_t other = report->arm_count; other-- > 0;) {
            const struct cor_arm_progress *arm = &report->arms[other];
            if (strcmp(arm->fault, report->arms[a].fault) != 0)
                continue;
            first = other;
            sums[0]++;
            sums[1] += arm->suites;
            sums[2] += arm->cases;
            sums[3] += arm->failures;
        }
        if (first != a)
            continue;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, report->arms[a].fault);
        cor_sheet_counts(sheet, 4, sums);
    }
}

static void remark_end(const struct cor_campaign_report *report, struct cor_sheets *sheets) {
    /* Nothing more is to be run. */
    if (report->status.ended &&
        (report->status.stopped ||
         (report->status.suites_planned > 0 && report->status.suites_kept == report->status.suites_planned)))
        cor_sheets_remark(sheets, "It has ended: all that was asked for is stored.");
    else if (report->status.ended)
        cor_sheets_remark(sheets,
                          "Nobody is at work on it: the same corridor run goes on from what is stored; "
                          "of a program whose files are not known it begins anew.");
}

void cor_status_fill(const struct cor_campaign_report *report, struct cor_sheets *sheets) {
    struct cor_sheet *sheet = cor_sheets_add(sheets, &campaign);
    const struct cor_campaign_status *status = &report->status;
    double rate = status->seconds > 0
                      ? fmax(0, (double)status->suites_done - (double)status->suites_before) / status->seconds
                      : 0;
    cor_sheet_row(sheet);
    cor_sheet_flag(sheet, !status->ended);
    if (report->process > 0)
        cor_sheet_count(sheet, (uint64_t)report->process);
    else
        cor_sheet_nothing(sheet);
    COR_SHEET_PUT(sheet, struct cor_campaign_report, report);
    COR_SHEET_PUT(sheet, struct cor_campaign_status, status);
    COR_SHEET_PUT(sheet, struct cor_campaign_report, report);
    COR_SHEET_PUT(sheet, struct cor_campaign_status, status);
    cor_sheet_real(sheet, rate > 0 ? rate : (double)NAN);
    cor_sheet_real(sheet, cor_status_seconds_left(status, rate));
    COR_SHEET_PUT_ALL(cor_sheets_add(sheets, &arms), struct cor_arm_progress, report->arms,
                      report->arm_count);
    fill_faults(report, cor_sheets_add(sheets, &faults));
    COR_SHEET_PUT_ALL(cor_sheets_add(sheets, &growth), struct cor_campaign_growth, report->growth,
                      report->growth_count);
    COR_SHEET_PUT_ALL(cor_sheets_add(sheets, &open_suites), struct cor_open_suite, report->open,
                      report->open_count);
    remark_end(report, sheets);
}

#define USUAL_ROWS 24 /* of a terminal that does not say */
#define PAGE_REST 6   /* lines of a page that are no arms: title, headings, how many more there are, remark */

/* What fits on a page of so many rows: how far all is in the title, and arms. */
static void fill_page(const struct cor_campaign_report *report, size_t rows, struct cor_sheets *sheets) {
    const struct cor_campaign_status *status = &report->status;
    struct cor_sheet *sheet = cor_sheets_add(sheets, &page);
    char planned[32] = "", left[64] = "";
    if (status->suites_planned > 0)
        snprintf(planned, sizeof planned, " of %" PRIu64, status->suites_planned);
    const double rest = cor_status_seconds_left(status, 0);
    if (!isnan(rest))
        cor_say_seconds(rest, left, sizeof left);
    cor_sheet_title(sheet, "%" PRIu64 "%s suites, %" PRIu64 " failures, %s %.0f s%s", status->suites_done,
                    planned, status->failures, status->ended ? "ended after" : "running for", status->seconds,
                    left);
    cor_sheet_limit(sheet, rows > PAGE_REST + 1 ? rows - PAGE_REST : 1);
    COR_SHEET_PUT_ALL(sheet, struct cor_arm_progress, report->arms, report->arm_count);
    remark_end(report, sheets);
}

/* The first lines of a text, one fewer than there are rows: where all are full the uppermost is lost. */
static void put_page(const char *text, size_t rows) {
    for (size_t line = 1; line < rows && *text; line++) {
        const size_t length = strcspn(text, "\n") + 1;
        fwrite(text, 1, length, stdout);
        text += length;
    }
}

static enum cor_status show_page(const struct cor_campaign_report *report, size_t rows,
                                 struct cor_sheets *sheets, struct cor_error *error) {
    const struct cor_style style = cor_show_style();
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    COR_TRY(cor_made(file, error));
    fill_page(report, rows, sheets);
    enum cor_status status = cor_sheets_text(sheets, &style, file, error);
    if (fclose(file) != 0 && status == COR_OK)
        status = cor_fail_memory(error);
    if (status == COR_OK)
        put_page(text, rows);
    free(text);
    return status;
}

/* `rows` of a page; 0: all of it. */
static enum cor_status show(const struct cor_campaign_report *report, bool json, size_t rows,
                            struct cor_error *error) {
    const struct cor_style style = cor_show_style();
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_sheets_create("corridor-status", 1, &sheets, error));
    if (rows > 0)
        status = show_page(report, rows, sheets, error);
    else {
        cor_status_fill(report, sheets);
        status =
            json ? cor_sheets_json(sheets, stdout, error) : cor_sheets_text(sheets, &style, stdout, error);
    }
    return status;
}

static enum cor_status read_report(const char *operand, struct cor_campaign_report *report,
                                   struct cor_error *error) {
    COR_FINISHED(cor_place) struct cor_place place = {0};
    COR_TRY(cor_place_of(operand, &place, error));
    return cor_campaign_report_read(place.output, report, error);
}

struct request {
    bool watch, json, all;
};

/* Reads and shows it once, behind `begin`; *ended: there is no use in looking again. */
static enum cor_status look(const struct cor_arguments *arguments, const char *begin, size_t rows,
                            bool *ended, struct cor_error *error) {
    const struct request *request = arguments->request;
    COR_FINISHED(cor_campaign_report) struct cor_campaign_report report = {0};
    COR_TRY(read_report(arguments->words[0], &report, error));
    fputs(begin, stdout);
    *ended = report.status.ended;
    enum cor_status status = show(&report, request->json, rows, error);
    fflush(stdout);
    return status;
}

/* Again every second: with rows as a page of the alternate screen, which stays where it is. False: nothing
 * was seen. */
static bool watch(const struct cor_arguments *arguments, size_t rows, struct cor_error *error) {
    bool ended = false, seen = false;
    fputs(rows > 0 ? SCREEN_BEGIN : "", stdout);
    do {
        if (look(arguments, rows > 0 ? PAGE_BEGIN : "", rows, &ended, error) != COR_OK)
            break;
        seen = true;
        if (!ended)
            nanosleep(&(struct timespec){1, 0}, NULL);
    } while (!ended && cor_interrupts() == 0);
    fputs(rows > 0 ? SCREEN_END : "", stdout);
    return seen;
}

/* Whether the campaign has taken its folder along because its file is whole; that is said then. */
static bool is_made(const char *operand) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result = NULL;
    struct cor_place place;
    if (cor_place_of(operand, &place, &error) != COR_OK)
        return false;
    const bool whole =
        cor_result_open(place.output, &result, &error) == COR_OK && cor_result_head(result)->complete == 1;
    if (whole)
        cor_print("%s: the campaign has ended, and this file has all of it\n  corridor show %s\n",
                  place.output, place.output);
    cor_result_close(result);
    cor_place_fini(&place);
    return whole;
}

static enum cor_exit run_status(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    const struct request *request = arguments->request;
    const bool watched = request->watch;
    const size_t there = cor_terminal(stdout).rows, rows = watched && !request->json ? there : 0,
                 brief = request->json || request->all ? 0
                         : there > 0                   ? there - 1
                                                       : USUAL_ROWS - 1;
    bool ended, seen = false;
    cor_catch_interrupts();
    if (watched)
        seen = watch(arguments, rows, &error);
    if (error.status == COR_OK && (!watched || rows > 0)) /* what a page said is gone with it */
        (void)look(arguments, "", brief, &ended, &error);
    if (error.status == COR_OK && brief > 0 && (!watched || rows > 0))
        puts("--all shows the rest.");
    if (error.status == COR_STATUS_FILE && !request->json && is_made(arguments->words[0]))
        return COR_EXIT_DONE;
    if (!seen || error.status != COR_STATUS_FILE)
        return error.status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
    if (rows > 0)
        cor_print("%s: the campaign has come to its end\n", arguments->words[0]);
    return COR_EXIT_DONE; /* it took its folder along */
}

const struct cor_command cor_command_status = {
    .name = "status",
    .summary = "show a campaign's progress",
    .operands = "RESULTS.h5 | FOLDER",
    .takes = {1, 1, "needs the result file that a campaign is to make, or its folder"},
    .request_size = sizeof(struct request),
    .manual =
        "Shows the progress of a campaign; name the result file that corridor run is to make. It shows "
        "the suites that are planned, stored and under way, the rate and the time left, what was found so "
        "far in each arm and for each fault, and how failures and the coverage of profiles have grown. It "
        "reads RESULTS.h5.parts about once a second, and does not disturb the campaign. It prints one "
        "screen; --all prints everything.",
    .options =
        {
            {"watch", 'w', NULL,
             "show it again every second, until the campaign ends: on a terminal a page that stays",
             COR_FLAG(watch)},
            COR_ALL_OPTION(all),
            COR_JSON_OPTION(json),
        },
    .examples = {"corridor status results.h5          # while corridor run -o results.h5 goes on elsewhere",
                 "corridor status results.h5 --watch"},
    .run = run_status,
};
