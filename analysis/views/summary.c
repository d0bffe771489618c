/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was found, in one screen, of a result file of any layer: arms by their verdicts, the one seen least
 * often, what was masked, and commands that lead on. */
#include "summary.h"

#include "test_formats.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/identities.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 63    /* characters of a line: 80 columns, less the words before it */
#define VERDICTS 4 /* lines of them at most */

#define LINE(member) COR_CELL_OF(struct views__summary_line, member)
static const struct cor_column_definition lines_columns[] = {
    {"what", "", "", "a verdict, rarest, masked, or what else there is to say", LINE(what),
     .tone = COR_TONE_OF(struct views__summary_line, tone)},
    {"says", "", "", "the answer in words", COR_TEXT_OF(struct views__summary_line, says)},
};
COR_SHEET_DEFINITION(lines, "summary", "What was found", "an answer", 0, 0);

static const struct cor_column_definition next_sheet_columns[] = {
    {"what", "", "", "what the command shows or does", LINE(what)},
    {"command", "", "", "to be copied", COR_TEXT_OF(struct views__summary_line, says), 0, COR_COLUMN_PASTED},
};
COR_SHEET_DEFINITION(next_sheet, "next", "", "a command that leads on", 0, 0);

#define ARM(member) COR_CELL_OF(struct views__summary_arm, member)
static const struct cor_column_definition arms_columns[] = {
    {"arm", "arm", "", "its name", ARM(name)},
    {"verdict", "verdict", "", "in a word", ARM(verdict)},
    {"good", "good", "", "this is what one wishes for", ARM(is_good)},
    {"found", "found", "", "its fault was seen", ARM(is_found)},
    {"hits", "hits", "1", "sequences, cases, tests or searches that saw it", ARM(hits)},
    {"tries", "of", "1", "in all", ARM(tries)},
    {"activated", "activated", "1", "reorganizations with an activated fault", ARM(activated)},
    {"masked", "masked", "1", "thereof seen by no box", ARM(masked)},
};
COR_SHEET_DEFINITION(arms, "arms", "Arms", "an arm", COR_SHEET_DATA, 0);

void views__summary_arm(struct views__summary *summary, const struct views__summary_arm *arm) {
    if (COR_RESERVE(&summary->arms, &summary->arm_capacity, summary->arm_count + 1, NULL) != COR_OK)
        summary->status = COR_STATUS_MEMORY;
    else
        summary->arms[summary->arm_count++] = *arm;
}

/* Takes `says`; NULL says that memory was out when it was made. */
static void put_line(struct views__summary *summary, struct views__summary_lines *lines_of, const char *what,
                     enum cor_tone tone, char *says) {
    if (says && COR_RESERVE(&lines_of->items, &lines_of->capacity, lines_of->count + 1, NULL) == COR_OK) {
        lines_of->items[lines_of->count++] = (struct views__summary_line){what, tone, says};
        return;
    }
    free(says);
    summary->status = COR_STATUS_MEMORY;
}

void views__summary_say(struct views__summary *summary, const char *what, enum cor_tone tone,
                        const char *format, ...) {
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    put_line(summary, &summary->lines, what, tone, cor_strdup(text));
}

/* A command on a file. */
static void put_command(struct views__summary *summary, const char *file, const char *what,
                        const char *command, const char *option, const char *key, const char *rest) {
    const bool executes = strcmp(command, "replay") == 0 || strcmp(command, "shrink") == 0 ||
                          strncmp(command, "process ", strlen("process ")) == 0;
    const char *trust = executes && cor_names_programs(summary->head) ? " --trust" : "";
    char *path = cor_shell_quoted(file), *word = key ? cor_shell_quoted(key) : NULL;
    char *text = path && (word || !key)
                     ? cor_format("%s %s %s%s%s%s%s%s%s%s", summary->program, command, path,
                                  option ? " " : "", option ? option : "", word ? " " : "", word ? word : "",
                                  rest ? " " : "", rest ? rest : "", trust)
                     : NULL;
    put_line(summary, &summary->next, what, COR_TONE_PLAIN, text);
    free(word);
    free(path);
}

void views__summary_next(struct views__summary *summary, const char *what, const char *command,
                         const char *option, const char *key, const char *rest) {
    put_command(summary, summary->path, what, command, option, key, rest);
}

void views__summary_next_of(struct views__summary *summary, const char *what, const char *command,
                            const char *file) {
    put_command(summary, file, what, command, NULL, NULL, NULL);
}

/* The found arm that the least share of what was tried saw; SIZE_MAX: none was found. */
static size_t seen_least(const struct views__summary *summary) {
    size_t least = SIZE_MAX;
    double share = 2;
    for (size_t a = 0; a < summary->arm_count; a++) {
        const struct views__summary_arm *arm = &summary->arms[a];
        if (!arm->is_found || arm->tries == 0 || (double)arm->hits / (double)arm->tries >= share)
            continue;
        share = (double)arm->hits / (double)arm->tries;
        least = a;
    }
    return least;
}

size_t views__summary_worst(const struct views__summary *summary) {
    for (size_t a = 0; a < summary->arm_count; a++)
        if (!summary->arms[a].is_good && !summary->arms[a].is_found && summary->arms[a].hits > 0)
            return a;
    return seen_least(summary);
}

/* Appends a name, or that there are more; false when there is no room for another one. */
static bool add_name(char text[ROOM + 1], const char *name, size_t left) {
    char more[32];
    size_t at = strlen(text);
    snprintf(more, sizeof more, " and %zu more", left);
    if (at + strlen(name) + 2 + (left > 0 ? strlen(more) : 0) <= ROOM) {
        snprintf(text + at, ROOM + 1 - at, "%s%s", at > 0 && text[at - 1] != ' ' ? ", " : "", name);
        return true;
    }
    snprintf(more, sizeof more, "%s%zu more", at > 0 && text[at - 1] != ' ' ? " and " : "", left + 1);
    if (at + strlen(more) <= ROOM)
        strcpy(text + at, more);
    return false;
}

/* "3 of 10 arms: A, B and C"; of all of them no names. */
static void say_verdict(struct views__summary *summary, const char *verdict, bool is_good) {
    char text[ROOM + 1];
    size_t count = 0, seen = 0;
    for (size_t a = 0; a < summary->arm_count; a++)
        count += strcmp(summary->arms[a].verdict, verdict) == 0;
    snprintf(text, sizeof text, "%zu of %zu arm%s%s", count, summary->arm_count,
             summary->arm_count == 1 ? "" : "s", count < summary->arm_count || count == 1 ? ": " : "");
    for (size_t a = 0; a < summary->arm_count && (count < summary->arm_count || count == 1); a++)
        if (strcmp(summary->arms[a].verdict, verdict) == 0 &&
            !add_name(text, summary->arms[a].name, count - ++seen))
            break;
    views__summary_say(summary, verdict, is_good ? COR_TONE_GOOD : COR_TONE_BAD, "%s", text);
}

static bool is_first_of_verdict(const struct views__summary *summary, size_t arm) {
    for (size_t a = 0; a < arm; a++)
        if (strcmp(summary->arms[a].verdict, summary->arms[arm].verdict) == 0)
            return false;
    return true;
}

/* The arms with masked faults, those with most of them first. */
static void name_masked(const struct views__summary *summary, char text[ROOM + 1]) {
    size_t masking = 0, a = SIZE_MAX;
    uint64_t most = UINT64_MAX;
    for (size_t i = 0; i < summary->arm_count; i++)
        masking += summary->arms[i].masked > 0;
    while (masking-- > 0) {
        char name[ROOM];
        /* The arm with most masked faults of those that have fewer than `most`, or as many and stand
         * behind `behind`. */
        size_t next = SIZE_MAX;
        for (size_t j = 0; j < summary->arm_count; j++) {
            const uint64_t masked = summary->arms[j].masked;
            if ((masked < most || (masked == most && a != SIZE_MAX && j > a)) && masked > 0 &&
                (next == SIZE_MAX || masked > summary->arms[next].masked))
                next = j;
        }
        a = next;
        most = summary->arms[a].masked;
        snprintf(name, sizeof name, "%.36s %" PRIu64, summary->arms[a].name, most);
        if (!add_name(text, name, masking))
            return;
    }
}

static void say_masked(struct views__summary *summary) {
    uint64_t activated = 0, masked = 0;
    char text[ROOM + 1];
    for (size_t a = 0; a < summary->arm_count; a++) {
        activated += summary->arms[a].activated;
        masked += summary->arms[a].masked;
    }
    if (activated == 0)
        return;
    if (masked > 0)
        snprintf(text, sizeof text,
                 "%.1f %% of %" PRIu64 " faults: ", 100.0 * (double)masked / (double)activated, activated);
    else
        snprintf(text, sizeof text, "none of %" PRIu64 " faults", activated);
    name_masked(summary, text);
    views__summary_say(summary, "masked", COR_TONE_PLAIN, "%s", text);
}

static void put_sheets(const struct views__summary *summary, struct cor_sheets *sheets) {
    struct cor_sheet *said = cor_sheets_add(sheets, &lines), *leads = cor_sheets_add(sheets, &next_sheet),
                     *of_arms = cor_sheets_add(sheets, &arms);
    char planned[64] = "", cases[64] = "";
    if (summary->head->planned_suites > 0)
        snprintf(planned, sizeof planned, " of %" PRIu64, summary->head->planned_suites);
    if (summary->cases > 0)
        snprintf(cases, sizeof cases, ", %" PRIu64 " cases", summary->cases);
    cor_sheet_title(said, "What was found: %zu arm%s, %" PRIu64 "%s suites%s", cor_arm_count(summary->head),
                    cor_arm_count(summary->head) == 1 ? "" : "s", summary->suites, planned, cases);
    COR_SHEET_PUT_ALL(said, struct views__summary_line, summary->lines.items, summary->lines.count);
    COR_SHEET_PUT_ALL(leads, struct views__summary_line, summary->next.items, summary->next.count);
    COR_SHEET_PUT_ALL(of_arms, struct views__summary_arm, summary->arms, summary->arm_count);
}

static void fini(struct views__summary_lines *list) {
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].says);
    free(list->items);
}

static enum cor_status make_summary(const struct cor_view_request *request, struct cor_sheets *sheets,
                                    struct cor_view_findings *findings, struct cor_error *error) {
    const struct views__layer_verdicts *verdicts = views__verdicts_of(request->result);
    struct views__summary summary = {.head = cor_result_head(request->result),
                                     .path = request->path,
                                     .program = request->program ? request->program : "corridor"};
    enum cor_status status = COR_OK;
    if (verdicts)
        COR_TRY_OUT(verdicts->sum(request, &summary, findings, error));
    struct views__summary_lines own = summary.lines; /* behind what is said of every layer */
    summary.lines = (struct views__summary_lines){0};
    /* Bad ones first. */
    size_t said = 0;
    for (int good = 0; good < 2; good++)
        for (size_t a = 0; a < summary.arm_count; a++)
            if (summary.arms[a].is_good == (good == 1) && is_first_of_verdict(&summary, a) &&
                said++ < VERDICTS)
                say_verdict(&summary, summary.arms[a].verdict, summary.arms[a].is_good);
    size_t a = seen_least(&summary), found = 0;
    for (size_t i = 0; i < summary.arm_count; i++)
        found += summary.arms[i].is_found;
    if (a != SIZE_MAX && (found != 1 || summary.arms[a].hits != summary.arms[a].tries)) {
        const struct views__summary_arm *arm = &summary.arms[a];
        views__summary_say(&summary, "rarest", COR_TONE_PLAIN,
                           "%.40s: seen in %" PRIu64 " of %" PRIu64 " %s (%.3g %%)", arm->name, arm->hits,
                           arm->tries, summary.counted, 100.0 * (double)arm->hits / (double)arm->tries);
    }
    say_masked(&summary);
    for (size_t i = 0; i < own.count; i++)
        put_line(&summary, &summary.lines, own.items[i].what, own.items[i].tone, own.items[i].says);
    free(own.items);
    /* The page: beside the file, called like it. */
    size_t length = strlen(summary.path);
    if (length > 3 && strcmp(summary.path + length - 3, ".h5") == 0)
        length -= 3;
    char *page = cor_format("%.*s.html", (int)length, summary.path);
    if (!page)
        summary.status = COR_STATUS_MEMORY;
    else
        views__summary_next(&summary, "page", "report", "-o", page, NULL);
    free(page);
    views__summary_next(&summary, "all", "show", "--all", NULL, NULL);
    status = summary.status == COR_OK ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK)
        put_sheets(&summary, sheets);
out:
    fini(&summary.lines);
    fini(&summary.next);
    free(summary.arms);
    return status;
}

static const struct cor_sheet_definition *const sheets_made[] = {&lines, &next_sheet, &arms, NULL};

const struct cor_view views__view_summary = {
    .name = "summary",
    .summary = "what was found in one screen, of a result file of any layer",
    .schema = "corridor-summary",
    .version = 1,
    .sheets = sheets_made,
    .make = make_summary,
};
