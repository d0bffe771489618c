/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a campaign is, as sheets: for corridor status, and for the page of corridor watch. */
#ifndef CORRIDOR_EXPERIMENTS_CAMPAIGN_STATUS_COMMAND_H
#define CORRIDOR_EXPERIMENTS_CAMPAIGN_STATUS_COMMAND_H

#include <corridor/campaign.h>
#include <corridor/sheet.h>

/* Adds the sheets "campaign", "arms", "faults", "growth" and "open", with a remark on an end. */
void cor_status_fill(const struct cor_campaign_report *report, struct cor_sheets *sheets);

/* Seconds: as the campaign says; where several tasks are at work, none of which knows of the others, at
 * `rate` suites a second. NaN: endless, ended, or not known. */
double cor_status_seconds_left(const struct cor_campaign_status *status, double rate);

#endif
