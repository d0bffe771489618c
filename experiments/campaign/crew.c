/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processes that execute suites. */
#include "internal.h"

#include <signal.h>
#include <unistd.h>

enum cor_status campaign__fork_worker(struct cor_campaign *campaign, uint32_t worker,
                                      struct cor_error *error) {
    size_t journal;
    COR_TRY(campaign__journal_new(campaign, &journal, error));
    pid_t pid = fork();
    if (pid == 0)
        _exit(campaign__worker_main(campaign, worker, journal));
    if (pid < 0)
        return cor_fail_errno(error, COR_STATUS_MEMORY, NULL, "use fewer workers (--jobs)",
                              "cannot start a worker");
    campaign->pid[worker] = pid;
    campaign->journal[worker] = journal;
    return COR_OK;
}

enum cor_status campaign__fork_workers(struct cor_campaign *campaign, struct cor_error *error) {
    campaign->planner = getpid();
    if (!campaign->signals_blocked) {
        /* SIGCHLD is blocked while a campaign lives: cor_campaign_look waits for it, and no wake-up is
         * lost. */
        sigset_t children;
        sigemptyset(&children);
        sigaddset(&children, SIGCHLD);
        sigprocmask(SIG_BLOCK, &children, &campaign->signals_before);
        campaign->signals_blocked = true;
    }
    COR_TRY(campaign__evaluate_prefix(campaign, error));
    if (campaign->limit != UINT64_MAX ||
        (campaign->planned > 0 && campaign->kept == campaign->planned))
        return COR_OK; /* nothing is missing */
    for (uint32_t w = 0; w < campaign->definition.workers; w++)
        COR_TRY(campaign__fork_worker(campaign, w, error));
    return COR_OK;
}
