/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stored suites show beyond their counts, read from the journals one suite after the other in the order
 * of the plan: for stop conditions, and for people who watch. */
#ifndef CORRIDOR_EXPERIMENTS_CAMPAIGN_FOLLOW_H
#define CORRIDOR_EXPERIMENTS_CAMPAIGN_FOLLOW_H

#include <corridor/campaign.h>

#define CAMPAIGN__GROWTH_MAX 24

struct campaign__follower {
    const struct cor_layer *layer; /* borrowed */
    uint32_t arm_count;
    void *own;                       /* the layer's */
    struct cor_inquiries *inquiries; /* borrowed; NULL: none */
    struct cor_record *record;       /* owned */
    struct campaign__sample *sample; /* owned; [arm] */
    uint64_t followed;               /* plan positions */
    uint64_t failures;               /* in them */
    double half_width;               /* as of the last round in which it was computed; NaN: not yet */
    struct cor_campaign_growth growth[CAMPAIGN__GROWTH_MAX];
    size_t growth_count;
};

/* Of a layer that has something to follow; *follower is NULL of another. */
enum cor_status campaign__follower_create(const struct cor_campaign_definition *definition,
                                          struct campaign__follower **follower,
                                          struct cor_error *error) COR_MUST_USE;
void campaign__follower_destroy(struct campaign__follower *follower); /* NULL is allowed */

#endif
