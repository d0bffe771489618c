/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a campaign, its workers and its merger share. */
#ifndef CORRIDOR_CAMPAIGN_INTERNAL_H
#define CORRIDOR_CAMPAIGN_INTERNAL_H

#include <corridor/campaign.h>

#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>

/* Plan positions for which there is room; memory is only touched as far as a campaign gets. */
#define COR_PLAN_MAX (1u << 22)

/* What a worker says of a finished suite. */
struct cor_suite_note {
    _Atomic uint32_t done; /* 1 when the rest is valid and the suite is durable in a journal */
    uint32_t worker;
    struct cor_suite_counts tally;
    float wall_seconds, cpu_seconds;
};

/* Memory shared by the planning process and its workers. */
struct cor_shared {
    _Atomic uint64_t next;  /* turn: how many plan positions were taken */
    _Atomic uint64_t limit; /* positions from here on are not wanted */
    _Atomic uint64_t done;  /* suites finished, in any order */
    _Atomic uint32_t stop;  /* 1: abandon what is open and leave */
    struct {
        _Atomic uint64_t position; /* 1 + plan position under way, 0 = none */
        _Atomic uint64_t cases;    /* executed so far, open suite included */
        struct cor_error error;    /* valid when the worker left with a failure */
    } worker[COR_WORKERS_MAX];
    struct cor_suite_note note[]; /* [plan position] */
};

struct cor_campaign {
    struct cor_campaign_definition definition;
    struct cor_plan plan;
    char *folder; /* of the journals, beside the output */
    struct cor_shared *shared;
    size_t shared_size;
    pid_t planner;              /* this process */
    pid_t pid[COR_WORKERS_MAX]; /* 0 = has left */
    uint64_t planned;           /* positions; 0 = endless */
    uint64_t stride;            /* from one turn's plan position to the next one's, modulo `planned` */
    uint64_t kept;              /* positions done without a gap */
    uint64_t kept_cases, kept_failures, kept_reorganizations;
    uint64_t limit; /* positions to keep in the end; UINT64_MAX = no condition met yet */
    double started; /* seconds of the monotonic clock: for people, never for a result */
    bool signals_blocked;
    sigset_t signals_before; /* the mask to go back to */
};

/* The arm and the suite at a plan position. */
static inline uint32_t cor__arm_at(const struct cor_campaign *campaign, uint64_t position) {
    return (uint32_t)(position % campaign->plan.arm_count);
}
static inline uint32_t cor__suite_at(const struct cor_campaign *campaign, uint64_t position) {
    return (uint32_t)(position / campaign->plan.arm_count);
}
static inline const char *cor__arm_name_at(const struct cor_campaign *campaign, uint64_t position) {
    return campaign->definition.layer->arm_name(campaign->definition.experiment,
                                                cor__arm_at(campaign, position));
}

/* Path of worker `index`'s journal; freed with free(). */
char *cor__journal_path(const struct cor_campaign *campaign, uint32_t index);

/* The body of a worker process: runs suites until there are none; returns its exit code. */
int cor__worker_main(const struct cor_campaign *campaign, uint32_t index);

#endif
