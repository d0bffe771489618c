/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLAIN_EVERY_SECONDS 10.0
#define BAR_WIDTH 24

bool cor_progress_style(const char *word, enum cor_progress_style *style) {
    const char *ci = getenv("CI"), *terminal = getenv("TERM");
    bool can_draw = isatty(STDERR_FILENO) && !(ci && ci[0]) && terminal && strcmp(terminal, "dumb") != 0;
    if (strcmp(word, "auto") == 0)
        *style = can_draw ? COR_PROGRESS_BAR : COR_PROGRESS_PLAIN;
    else if (strcmp(word, "bar") == 0)
        *style = COR_PROGRESS_BAR;
    else if (strcmp(word, "plain") == 0)
        *style = COR_PROGRESS_PLAIN;
    else if (strcmp(word, "json") == 0)
        *style = COR_PROGRESS_JSON;
    else if (strcmp(word, "none") == 0)
        *style = COR_PROGRESS_NONE;
    else
        return false;
    return true;
}

/* Time left, from the share of suites that is done; "" while nothing is known. */
static void say_left(const struct cor_campaign_status *status, char *text, size_t size) {
    text[0] = '\0';
    if (status->suites_planned == 0 || status->suites_done == 0)
        return;
    double share = (double)status->suites_done / (double)status->suites_planned;
    double left = status->seconds / share - status->seconds;
    if (left >= 90)
        snprintf(text, size, ", about %.0f min left", left / 60);
    else
        snprintf(text, size, ", about %.0f s left", left);
}

static void show_bar(const struct cor_campaign_status *status) {
    char left[64], bar[BAR_WIDTH + 1];
    say_left(status, left, sizeof left);
    uint64_t filled =
        status->suites_planned > 0 ? BAR_WIDTH * status->suites_done / status->suites_planned : 0;
    for (uint64_t i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    if (status->suites_planned > 0)
        fprintf(stderr, "\r[%s] %" PRIu64 "/%" PRIu64 " suites", bar, status->suites_done,
                status->suites_planned);
    else
        fprintf(stderr, "\r%" PRIu64 " suites", status->suites_done);
    fprintf(stderr, ", %" PRIu64 " cases, %" PRIu64 " failures%s\033[K", status->cases, status->failures,
            left);
    fflush(stderr);
}

static void show_plain(const struct cor_campaign_status *status) {
    char left[64];
    say_left(status, left, sizeof left);
    fprintf(stderr, "%5.0f s: %" PRIu64, status->seconds, status->suites_done);
    if (status->suites_planned > 0)
        fprintf(stderr, "/%" PRIu64, status->suites_planned);
    fprintf(stderr, " suites, %" PRIu64 " cases, %" PRIu64 " failures%s\n", status->cases, status->failures,
            left);
}

static void show_json(const struct cor_campaign_status *status) {
    fprintf(stderr,
            "{\"seconds\":%.1f,\"suites\":%" PRIu64 ",\"planned\":%" PRIu64 ",\"cases\":%" PRIu64
            ",\"reorganizations\":%" PRIu64 ",\"failures\":%" PRIu64 "}\n",
            status->seconds, status->suites_done, status->suites_planned, status->cases,
            status->reorganizations, status->failures);
}

void cor_progress_show(struct cor_progress_display *display, const struct cor_campaign_status *status) {
    bool due = status->seconds >= display->next || status->ended;
    switch (display->style) {
    case COR_PROGRESS_NONE:
        return;
    case COR_PROGRESS_BAR:
        show_bar(status);
        return;
    case COR_PROGRESS_PLAIN:
        if (due)
            show_plain(status);
        break;
    case COR_PROGRESS_JSON:
        if (due)
            show_json(status);
        break;
    }
    if (due)
        display->next = status->seconds + PLAIN_EVERY_SECONDS;
}

void cor_progress_say(const struct cor_progress_display *display, const char *text) {
    if (display->style == COR_PROGRESS_BAR)
        fprintf(stderr, "\r\033[K%s\n", text);
    else if (display->style == COR_PROGRESS_PLAIN)
        fprintf(stderr, "%s\n", text);
}

void cor_progress_end(const struct cor_progress_display *display) {
    if (display->style == COR_PROGRESS_BAR)
        fputc('\n', stderr);
}
