/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which of how many processes this one is, by what launchers and batch systems put into the environment. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/record.h>
#include <corridor/share.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The variables of a launcher: ranks count from 0. The first row whose variables are both there is believed:
 * Open MPI's processes under srun have Slurm's variables, too, of the daemon that started them. */
struct launcher {
    const char *rank, *size;
};

static const struct launcher launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, /* Open MPI */
    {"PMI_RANK", "PMI_SIZE"},                         /* MPICH, Intel MPI; srun --mpi=pmi2 */
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},   /* MVAPICH */
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},            /* srun --mpi=pmix */
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},         /* srun: only a step has the second one */
};

/* The variables of a job array: indices run from `first` to `last` by `step`. */
struct array {
    const char *index, *first, *last, *step; /* NULL: batch systems that do not say */
    const char *none;                        /* the index of what is no task of an array */
};

static const struct array arrays[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP", ""},
    {"SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE", "undefined"},
    {"LSB_JOBINDEX", NULL, "LSB_JOBINDEX_END", "LSB_JOBINDEX_STEP", "0"},
    {"PBS_ARRAY_INDEX", NULL, NULL, NULL, ""},
    {"PBS_ARRAYID", NULL, NULL, NULL, ""},
};

/* A whole number, and nothing behind it but `end`. */
static bool read_number(const char *text, char end, uint32_t *number) {
    char *stop;
    errno = 0;
    unsigned long value = text && *text >= '0' && *text <= '9' ? strtoul(text, &stop, 10) : UINT32_MAX;
    *number = (uint32_t)value;
    return value < UINT32_MAX && errno == 0 && *stop == end;
}

static bool is_share(uint64_t index, uint64_t count) {
    return count >= 1 && count <= COR_SHARES_MAX && index < count;
}

static enum cor_status no_share(const char *name, const char *value, const char *other,
                                const char *other_value, struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, NULL, "say which share this process is to run, as --share 1/8",
                    "the environment says %s=%s and %s=%s, which is no share", name, value, other,
                    other_value);
}

enum cor_status cor_share_launched(cor_lookup *lookup, struct cor_share *share, struct cor_error *error) {
    *share = (struct cor_share){0, 1, false};
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const char *rank = lookup(launchers[i].rank), *size = lookup(launchers[i].size);
        if (!rank || !size)
            continue;
        uint32_t index, count;
        if (!read_number(rank, '\0', &index) || !read_number(size, '\0', &count) || !is_share(index, count))
            return no_share(launchers[i].rank, rank, launchers[i].size, size, error);
        *share = (struct cor_share){index, count, count > 1};
        return COR_OK;
    }
    return COR_OK;
}

/* The row of the batch system whose task this process is; NULL if it is none. */
static const struct array *array_of(cor_lookup *lookup) {
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        const char *index = lookup(arrays[i].index);
        if (index && *index != '\0' && strcmp(index, arrays[i].none) != 0)
            return &arrays[i];
    }
    return NULL;
}

bool cor_share_is_array_task(cor_lookup *lookup) {
    return array_of(lookup) != NULL;
}

/* A variable that may be missing, or of which the batch system says nothing. */
static const char *value_of(cor_lookup *lookup, const char *name, const char *otherwise) {
    const char *value = name ? lookup(name) : NULL;
    return value ? value : otherwise;
}

/* The place of the task in its array, of `count` (0: the environment is to say of how many). */
static enum cor_status read_task(uint32_t count, cor_lookup *lookup, struct cor_share *share,
                                 struct cor_error *error) {
    const struct array *array = array_of(lookup);
    if (!array)
        return cor_fail(error, COR_STATUS_INPUT, NULL,
                        "say which share this process is to run, as --share 1/8",
                        "this process is no task of a job array: none of SLURM_ARRAY_TASK_ID, SGE_TASK_ID, "
                        "LSB_JOBINDEX, PBS_ARRAY_INDEX is set");
    const char *index = lookup(array->index), *last = value_of(lookup, array->last, "");
    uint32_t at, first, end, step;
    if (!array->last && count == 0)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "say of how many, as --share auto/8",
                        "%s says which task this is, and nothing says of how many", array->index);
    if (!read_number(index, '\0', &at) || !read_number(value_of(lookup, array->first, "1"), '\0', &first) ||
        !read_number(value_of(lookup, array->step, "1"), '\0', &step) || step == 0 || at < first)
        return no_share(array->index, index, array->last ? array->last : "count", last, error);
    uint64_t place = (at - first) / step, places = count;
    if (count == 0 && read_number(last, '\0', &end) && end >= first)
        places = (uint64_t)(end - first) / step + 1;
    if ((at - first) % step != 0 || !is_share(place, places))
        return no_share(array->index, index, array->last ? array->last : "count", last, error);
    *share = (struct cor_share){(uint32_t)place, (uint32_t)places, false};
    return COR_OK;
}

/* The processes that a launcher has started in a task share its share. */
static enum cor_status divide(cor_lookup *lookup, struct cor_share *share, struct cor_error *error) {
    struct cor_share within;
    COR_TRY(cor_share_launched(lookup, &within, error));
    uint64_t count = (uint64_t)share->count * within.count;
    if (count > COR_SHARES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "use fewer tasks or processes",
                        "%u tasks of %u processes are more than %d shares", share->count, within.count,
                        COR_SHARES_MAX);
    *share = (struct cor_share){share->index * within.count + within.index, (uint32_t)count, false};
    return COR_OK;
}

enum cor_status cor_share_read(const char *text, cor_lookup *lookup, struct cor_share *share,
                               struct cor_error *error) {
    uint32_t index, count = 0;
    const char *slash = strchr(text, '/');
    bool automatic = strcmp(text, "auto") == 0 || strncmp(text, "auto/", 5) == 0;
    if (slash && !read_number(slash + 1, '\0', &count))
        count = UINT32_MAX;
    if (automatic && (!slash || is_share(0, count))) {
        COR_TRY(read_task(count, lookup, share, error));
        return divide(lookup, share, error);
    }
    if (automatic || !slash || !read_number(text, '/', &index) || index == 0 || !is_share(index - 1, count))
        return cor_fail(error, COR_STATUS_INPUT, NULL,
                        "name one, as --share 1/8 to --share 8/8, or --share auto in a job array",
                        "\"%s\" is no share of a plan", text);
    *share = (struct cor_share){index - 1, count, false};
    return COR_OK;
}

/* ---- A process that runs a share of the plan, beside others on the same folder. They speak by files alone:
 * each holds a byte of the lock, and adds journals of its own. The first of those that a launcher has started
 * follows the journals of the others; when none holds its byte any more, however it ended, it takes the whole
 * lock, and what is missing then is its own */

#define STOP_NAME "STOP"
#define FOLLOW_EVERY_SECONDS 0.5

enum cor_status campaign__share_check(const struct cor_campaign *campaign, struct cor_error *error) {
    const struct cor_stop_conditions *stop = &campaign->definition.stop;
    bool ends = campaign->planned > 0 || cor_stop_suites(stop) != UINT64_MAX ||
                cor_stop_asks(stop, COR_STOP_AT_SECONDS) || campaign->share.launched;
    if (!campaign__share_is_part(campaign))
        return COR_OK;
    if (!campaign->definition.experiment->resumable)
        return cor_fail(error, COR_STATUS_INPUT, campaign->definition.experiment->path,
                        "run all of it in one process, with --jobs",
                        "depends on programs whose contents are not known, so no two processes can share it");
    if (!ends)
        return cor_fail(error, COR_STATUS_INPUT, campaign->definition.experiment->path,
                        "say where it ends: --suites N or --stop-seconds S",
                        "is endless, and a share of it, too");
    return COR_OK;
}

/* The file in which the first process tells the others that a stop condition is met. */
static char *stop_path(const struct cor_campaign *campaign) {
    return cor_format("%s/" STOP_NAME, campaign->folder);
}

void campaign__share_forget_stop(const struct cor_campaign *campaign) {
    char *path = stop_path(campaign);
    if (path && (!campaign__share_is_part(campaign) || campaign__share_leads(campaign)))
        unlink(path);
    free(path);
}

static bool is_stop_said(const struct cor_campaign *campaign) {
    struct stat there;
    char *path = stop_path(campaign);
    bool said = path && stat(path, &there) == 0;
    free(path);
    return said;
}

#define LEADER_SECONDS 60.0

/* Nobody would end an endless campaign whose first process was killed, or has never come. */
static bool is_left_alone(struct cor_campaign *campaign) {
    if (campaign->planned > 0 || !campaign->share.launched)
        return false;
    bool led = campaign__lock_has_leader(campaign);
    bool alone = !led && (campaign->led || cor_wall_seconds() - campaign->started > LEADER_SECONDS);
    campaign->led = campaign->led || led;
    return alone;
}

enum cor_status campaign__share_look(struct cor_campaign *campaign, bool working, struct cor_error *error) {
    if (!campaign__share_is_part(campaign))
        return COR_OK;
    if (!campaign__share_leads(campaign)) {
        if (!campaign->idle && (is_stop_said(campaign) || is_left_alone(campaign)))
            atomic_store(&campaign->shared->stop, 1);
        return COR_OK;
    }
    double now = cor_wall_seconds();
    if (now >= campaign->follow_next) {
        COR_TRY(campaign__share_follow(campaign, error));
        campaign->follow_next = now + FOLLOW_EVERY_SECONDS;
    }
    if (campaign->limit != UINT64_MAX && !is_stop_said(campaign))
        campaign__folder_say(campaign, STOP_NAME, "");
    if (working || !campaign__share_waits(campaign) || !campaign__lock_widen(campaign))
        return COR_OK;
    /* Nobody else is at work: what is missing now, this process runs. */
    COR_TRY(campaign__share_follow(campaign, error));
    campaign->share = (struct cor_share){0, 1, false};
    campaign__share_forget_stop(campaign);
    if (campaign->limit != UINT64_MAX)
        return COR_OK;
    for (uint64_t i = 0; i < campaign__position_count(campaign) && i < campaign->taken_over; i++)
        if (!atomic_load(&campaign->shared->note[i].done))
            atomic_store(&campaign->shared->note[i].worker, 0);
    atomic_store(&campaign->shared->next, 0);
    return campaign__fork_workers(campaign, error);
}

void campaign__share_fini(struct cor_campaign *campaign) {
    for (size_t i = 0; i < campaign->followed_count; i++)
        free(campaign->followed[i].path);
    free(campaign->followed);
    campaign->followed = NULL;
    campaign->followed_count = 0;
}
