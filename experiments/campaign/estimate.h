/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a campaign takes and how large its file gets, from a pilot. */
#ifndef CORRIDOR_EXPERIMENTS_CAMPAIGN_ESTIMATE_H
#define CORRIDOR_EXPERIMENTS_CAMPAIGN_ESTIMATE_H

#include "running.h"

/* What the whole campaign will take, or, if it is endless, a suite; from the clock, so it goes into no result
 * file. */
struct cor_pilot_estimate {
    uint64_t pilot_suites; /* that were run for it; 0 = there is no estimate */
    uint64_t suites;       /* that it is for */
    uint32_t workers;
    double seconds, error, bytes; /* error: standard error of the seconds; NaN: not known */
};

/* Runs suites, for `seconds` at most, until it is known to a tenth how long all of them take, in a folder
 * that is gone afterwards. COR_STATUS_INTERRUPTED: somebody asked for an end. */
enum cor_status cor_pilot_run(const struct cor_opened *opened, double seconds,
                              struct cor_pilot_estimate *estimate, struct cor_error *error) COR_MUST_USE;

#endif
