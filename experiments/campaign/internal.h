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
    uint32_t cases, reorganizations, failures;
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

/* Makes a folder "<path>.parts-XXXXXX" beside `path`; *folder is freed with free(). */
enum cor_status cor__make_folder_beside(const char *path, char **folder,
                                        struct cor_error *error) COR_MUST_USE;

/* Removes a folder with everything in it. */
void cor__remove_folder(const char *folder);

/* Path of worker `index`'s journal; freed with free(). */
char *cor__journal_path(const struct cor_campaign *campaign, uint32_t index);

/* The body of a worker process: runs suites until there are none; returns its exit code. */
int cor__worker_main(const struct cor_campaign *campaign, uint32_t index);

/* The body of the merging process. */
enum cor_status cor__merge_journals(const struct cor_campaign *campaign, bool whole,
                                    struct cor_error *error) COR_MUST_USE;

/* Runs `body` in a child process, so that what it touches (z3, HDF5) stays out of this one, and brings back
 * its status, its error and up to `size` bytes of answer. `body` returns its status. */
enum cor_status cor__in_child(enum cor_status (*body)(void *argument, void *answer, size_t size,
                                                      struct cor_error *error),
                              void *argument, void *answer, size_t size, struct cor_error *error);

/* In a child, first thing: the kernel kills it when `parent` dies, however that dies. */
void cor__die_with(pid_t parent);

/* Seconds of the monotonic clock, and of CPU time of this process. */
double cor__seconds(void);
double cor__cpu_seconds(void);

#endif
