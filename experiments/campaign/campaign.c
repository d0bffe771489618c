/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The planning process: it forks workers, follows what they finish, and in the end makes one result file of
 * their journals, and times another. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/process.h>
#include <corridor/result.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static enum cor_status map_shared(struct cor_campaign *campaign, struct cor_error *error) {
    uint64_t positions = campaign->planned > 0 ? campaign->planned : COR_PLAN_MAX;
    campaign->shared_size = sizeof *campaign->shared + positions * sizeof *campaign->shared->note;
    void *memory = mmap(NULL, campaign->shared_size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return cor_fail_memory(error);
    campaign->shared = memory;
    uint64_t limit = campaign->definition.stop.suites;
    atomic_store(&campaign->shared->limit, limit > 0 && limit < positions ? limit : positions);
    return COR_OK;
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A stride without a common divisor visits every position of the plan once. */
static uint64_t stride_of(uint64_t planned, uint64_t shuffle) {
    if (planned < 2 || shuffle == 0)
        return 1;
    uint64_t stride = planned / 3 + shuffle % planned;
    while (greatest_common_divisor(stride, planned) != 1)
        stride++;
    return stride;
}

/* SIGCHLD is blocked while a campaign lives: cor_campaign_look waits for it, and no wake-up is lost. */
static void block_sigchld(struct cor_campaign *campaign) {
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, &campaign->signals_before);
    campaign->signals_blocked = true;
}

static bool reached(uint64_t now, uint64_t bound) {
    return bound > 0 && now >= bound;
}

/* Goes along the suites that are done without a gap. Where a condition is met first, there the campaign ends.
 */
static void evaluate_prefix(struct cor_campaign *campaign) {
    const struct cor_stop_conditions *stop = &campaign->definition.stop;
    struct cor_shared *shared = campaign->shared;
    uint64_t positions = cor__position_count(campaign);
    COR_ASSERT(campaign->kept <= positions);
    while (campaign->limit == UINT64_MAX && campaign->kept < positions &&
           atomic_load(&shared->note[campaign->kept].done)) {
        const struct cor_suite_note *note = &shared->note[campaign->kept++];
        campaign->kept_cases += note->tally.cases;
        campaign->kept_failures += note->tally.failures;
        campaign->kept_reorganizations += note->tally.reorganizations;
        if (reached(campaign->kept_cases, stop->cases) || reached(campaign->kept_failures, stop->failures) ||
            reached(campaign->kept, stop->suites))
            campaign->limit = campaign->kept;
    }
    if (campaign->limit != UINT64_MAX)
        atomic_store(&shared->stop, 1);
    if (stop->seconds > 0 && cor_wall_seconds() - campaign->started >= stop->seconds)
        atomic_store(&shared->stop, 1);
}

static enum cor_status fork_worker(struct cor_campaign *campaign, uint32_t worker, struct cor_error *error) {
    uint32_t journal = campaign->next_journal++;
    pid_t pid = fork();
    if (pid == 0)
        _exit(cor__worker_main(campaign, worker, journal));
    if (pid < 0)
        return cor_fail_errno(error, COR_STATUS_MEMORY, NULL, "use fewer workers (--jobs)",
                              "cannot start a worker");
    campaign->pid[worker] = pid;
    return COR_OK;
}

enum cor_status cor__fork_workers(struct cor_campaign *campaign, struct cor_error *error) {
    campaign->planner = getpid();
    if (!campaign->signals_blocked)
        block_sigchld(campaign);
    evaluate_prefix(campaign);
    if (campaign->planned > 0 && atomic_load(&campaign->shared->done) == campaign->planned)
        return COR_OK; /* nothing is missing */
    for (uint32_t w = 0; w < campaign->definition.workers; w++)
        COR_TRY(fork_worker(campaign, w, error));
    return COR_OK;
}

enum cor_status cor__take_over(struct cor_campaign *campaign, const char *journal, uint64_t *offset,
                               struct cor_error *error) {
    uint64_t positions = cor__position_count(campaign);
    struct cor_journal_entry *entries;
    size_t count;
    uint64_t torn; /* a torn tail is what a killed worker leaves: its suite is run again */
    COR_TRY(cor_journal_scan_from(campaign->definition.layer->schema, journal, *offset, &entries, &count,
                                  &torn, error));
    /* Their worker may have been killed before it did so. */
    enum cor_status status = count > 0 ? cor_file_sync(journal, error) : COR_OK;
    for (size_t i = 0; i < count && status == COR_OK; i++) {
        *offset = entries[i].offset + entries[i].size;
        uint64_t position = (uint64_t)entries[i].suite * campaign->plan.arm_count + entries[i].arm;
        struct cor_suite_note *note = &campaign->shared->note[position];
        if (entries[i].arm >= campaign->plan.arm_count || position >= positions || atomic_load(&note->done))
            continue;
        note->tally = entries[i].counts;
        atomic_store(&note->done, 1);
        atomic_fetch_add(&campaign->shared->done, 1);
        if (position >= campaign->taken_over)
            campaign->taken_over = position + 1;
    }
    free(entries);
    return status;
}

/* What earlier runs of the campaign have left; journals are only ever added. */
static enum cor_status resume(struct cor_campaign *campaign, struct cor_error *error) {
    char **paths;
    size_t count;
    enum cor_status status = COR_OK;
    COR_TRY(cor__folder_journals(campaign->folder, &paths, &count, error));
    for (size_t i = 0; i < count && !campaign->plan.resumable; i++)
        unlink(paths[i]);
    campaign->next_journal = cor__journal_next(campaign, paths, count);
    if (count > 0)
        COR_TRY_OUT(cor_file_sync_folder(paths[0], error));
    if (campaign->plan.resumable)
        COR_TRY_OUT(cor__share_follow(campaign, error));
    campaign->before = atomic_load(&campaign->shared->done);
    campaign->removable = campaign->removable || campaign->before == 0;
    cor__share_forget_stop(campaign);
out:
    cor__folder_free(paths, count);
    return status;
}

static enum cor_status open_folder(struct cor_campaign *campaign, struct cor_error *error) {
    char *manifest;
    COR_TRY(cor__manifest_make(campaign, &manifest, error));
    enum cor_status status = cor__folder_open(campaign, manifest, error);
    free(manifest);
    return status;
}

enum cor_status cor_campaign_start(const struct cor_campaign_definition *definition,
                                   struct cor_campaign **campaign, struct cor_error *error) {
    COR_ASSERT(definition->workers <= COR_WORKERS_MAX);
    struct cor_campaign *c = *campaign = cor_calloc(1, sizeof *c);
    COR_TRY(cor_made(c, error));
    enum cor_status status = COR_OK;
    c->definition = *definition;
    c->plan = definition->layer->plan(definition->experiment);
    c->planned = (uint64_t)c->plan.suite_count * c->plan.arm_count;
    c->stride = stride_of(c->planned, definition->shuffle);
    c->share = definition->share;
    c->limit = UINT64_MAX;
    c->lock = -1;
    c->started = cor_wall_seconds();
    COR_TRY_OUT(cor__share_check(c, error));
    COR_TRY_OUT(cor__output_check_kind(definition->output, error));
    COR_TRY_OUT(open_folder(c, error));
    c->definition.overwrite = c->definition.overwrite || cor__output_is_ours(c);
    if (definition->workers > 0 &&
        (!c->share.launched || cor__share_leads(c))) /* which makes the result file */
        COR_TRY_OUT(cor__output_check_free(definition->output, c->definition.overwrite, error));
    COR_TRY_OUT(map_shared(c, error));
    if (c->idle)
        goto out;
    COR_TRY_OUT(resume(c, error));
    COR_TRY_OUT(cor__share_look(c, true, error));
    COR_TRY_OUT(cor__fork_workers(c, error));
out:
    if (status != COR_OK) {
        cor_campaign_destroy(c);
        *campaign = NULL;
    }
    return status;
}

static bool any_runs(const struct cor_campaign *campaign) {
    for (uint32_t w = 0; w < campaign->definition.workers; w++)
        if (campaign->pid[w] != 0)
            return true;
    return false;
}

/* The plan position a worker was at, in words. */
static void say_position(const struct cor_campaign *campaign, uint32_t worker, char *text, size_t size) {
    uint64_t position = atomic_load(&campaign->shared->worker[worker].position);
    if (position == 0)
        snprintf(text, size, "between suites");
    else
        snprintf(text, size, "in suite %u of arm %s", cor__suite_at(campaign, position - 1),
                 cor__arm_name_at(campaign, position - 1));
}

#define DEATHS_MAX 3      /* of workers at one suite: it may have been somebody's kill, but not so often */
#define IDLE_DEATHS_MAX 8 /* of workers between suites */

/* Whether a new worker takes the place of one that was killed, and runs what it had taken. */
static bool may_retry(struct cor_campaign *campaign, uint32_t worker) {
    uint64_t position = atomic_load(&campaign->shared->worker[worker].position);
    if (atomic_load(&campaign->shared->stop) != 0)
        return false;
    if (position == 0)
        return ++campaign->idle_deaths < IDLE_DEATHS_MAX;
    return ++campaign->shared->note[position - 1].deaths < DEATHS_MAX;
}

static enum cor_status worker_left(struct cor_campaign *campaign, uint32_t worker, int how,
                                   struct cor_error *error) {
    campaign->pid[worker] = 0;
    bool in_mid_suite = atomic_load(&campaign->shared->worker[worker].position) != 0;
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0 && !in_mid_suite)
        return COR_OK;
    const struct cor_error *said = &campaign->shared->worker[worker].error;
    if (WIFEXITED(how) && said->status != COR_OK) {
        atomic_store(&campaign->shared->stop, 1);
        if (error->status == COR_OK)
            *error = *said;
        return said->status;
    }
    if (may_retry(campaign, worker))
        return fork_worker(campaign, worker, error);
    static const char remedy[] =
        "an algorithm that crashes takes its worker along; run it alone under a debugger with --jobs 1";
    char place[256];
    atomic_store(&campaign->shared->stop, 1);
    say_position(campaign, worker, place, sizeof place);
    if (WIFEXITED(how))
        return cor_fail(error, COR_STATUS_INTERNAL, NULL, remedy, "worker %u left with exit code %d %s",
                        worker, WEXITSTATUS(how), place);
    return cor_fail(error, COR_STATUS_INTERNAL, NULL, remedy, "worker %u was ended by signal %d (%s) %s",
                    worker, WTERMSIG(how), strsignal(WTERMSIG(how)), place);
}

static enum cor_status reap(struct cor_campaign *campaign, struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (uint32_t w = 0; w < campaign->definition.workers; w++) {
        int how;
        if (campaign->pid[w] == 0 || waitpid(campaign->pid[w], &how, WNOHANG) != campaign->pid[w])
            continue;
        enum cor_status left = worker_left(campaign, w, how, error);
        status = status == COR_OK ? left : status;
    }
    return status;
}

static void fill_status(const struct cor_campaign *campaign, struct cor_campaign_status *status) {
    uint64_t planned = campaign->planned, wanted = campaign->definition.stop.suites;
    if (wanted > 0 && (planned == 0 || wanted < planned))
        planned = wanted;
    *status = (struct cor_campaign_status){
        .suites_planned = planned,
        .suites_before = campaign->before,
        .suites_kept = campaign->kept,
        .kept_cases = campaign->kept_cases,
        .reorganizations = campaign->kept_reorganizations,
        .failures = campaign->kept_failures,
        .seconds = cor_wall_seconds() - campaign->started,
        .ended = !any_runs(campaign) && !cor__share_waits(campaign),
        .partial = cor__share_is_part(campaign),
    };
    status->suites_done = atomic_load(&campaign->shared->done);
    for (uint32_t w = 0; w < campaign->definition.workers; w++)
        status->cases += atomic_load(&campaign->shared->worker[w].cases);
}

enum cor_status cor_campaign_look(struct cor_campaign *campaign, int milliseconds,
                                  struct cor_campaign_status *status, struct cor_error *error) {
    struct timespec pause = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    if (any_runs(campaign) || cor__share_waits(campaign))
        (void)sigtimedwait(&children, NULL, &pause);
    enum cor_status result = reap(campaign, error);
    if (result == COR_OK)
        result = cor__share_look(campaign, any_runs(campaign), error);
    campaign->interrupted = campaign->interrupted || result != COR_OK; /* nobody is waited for */
    evaluate_prefix(campaign);
    fill_status(campaign, status);
    cor__status_say(campaign, status);
    return result;
}

void cor_campaign_interrupt(struct cor_campaign *campaign) {
    campaign->interrupted = true;
    atomic_store(&campaign->shared->stop, 1);
}

void cor_campaign_destroy(struct cor_campaign *campaign) {
    if (!campaign)
        return;
    for (uint32_t w = 0; w < COR_WORKERS_MAX; w++) {
        if (campaign->pid[w] == 0)
            continue;
        kill(campaign->pid[w], SIGKILL);
        while (waitpid(campaign->pid[w], NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    if (campaign->signals_blocked)
        sigprocmask(SIG_SETMASK, &campaign->signals_before, NULL);
    bool anything = campaign->shared && atomic_load(&campaign->shared->done) > 0;
    campaign->finished =
        campaign->finished || (campaign->removable && !cor__share_is_part(campaign) &&
                               !campaign->definition.keep && (!anything || !campaign->plan.resumable));
    if (campaign->shared)
        munmap(campaign->shared, campaign->shared_size);
    cor__share_fini(campaign);
    cor__folder_close(campaign);
    free(campaign);
}
