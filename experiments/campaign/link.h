/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A worker's link to the process that executes suites for it on another host. */
#ifndef CORRIDOR_EXPERIMENTS_CAMPAIGN_LINK_H
#define CORRIDOR_EXPERIMENTS_CAMPAIGN_LINK_H

#include "internal.h"
#include "wire.h"

struct cor_link;

/* Starts the command that reaches the host, and gives the process there the experiment.
 * COR_STATUS_INTERRUPTED if the campaign is stopped meanwhile. A host that cannot be reached, or does not
 * answer, is lost: COR_STATUS_FILE, and *lost; one that runs another build, or cannot read the experiment, is
 * refused. */
enum cor_status campaign__link_open(const struct cor_campaign *campaign, const char *host,
                                    const struct cor_watch *watch, struct cor_link **link, bool *lost,
                                    struct cor_error *error) COR_MUST_USE;

/* What came back. */
struct campaign__answer {
    double wall_seconds, cpu_seconds;
    const unsigned char *frame; /* valid until the link is used again */
    size_t size;
};

/* Has a suite executed. Where the process there is ended by the suite, this process ends as it did. */
enum cor_status campaign__link_run(struct cor_link *link, uint32_t arm, uint32_t suite,
                                   const struct cor_watch *watch, struct campaign__answer *answer, bool *lost,
                                   struct cor_error *error) COR_MUST_USE;

/* Ends the process there. NULL is allowed. */
void campaign__link_close(struct cor_link *link);

#endif
