/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Progress of a campaign on stderr: a line that renews itself on a terminal, else a plain line now and then,
 * or JSON lines. What scripts read (stdout) is never touched. */
#ifndef CORRIDOR_CLI_PROGRESS_H
#define CORRIDOR_CLI_PROGRESS_H

#include <corridor/campaign.h>

enum cor_progress_style { COR_PROGRESS_NONE, COR_PROGRESS_BAR, COR_PROGRESS_PLAIN, COR_PROGRESS_JSON };

struct cor_progress_display {
    enum cor_progress_style style;
    double next; /* seconds into the campaign at which the next plain line is due */
};

/* The style for a word (auto, bar, plain, json, none); false if it is no such word. auto is bar on a
 * terminal, unless CI is set, and plain elsewhere. */
bool cor_progress_style(const char *word, enum cor_progress_style *style);

/* Shows `status`. */
void cor_progress_show(struct cor_progress_display *display, const struct cor_campaign_status *status);

/* Says `text` to people: not in the styles json and none. */
void cor_progress_say(const struct cor_progress_display *display, const char *text);

/* Ends the line, if one is open. */
void cor_progress_end(const struct cor_progress_display *display);

#endif
