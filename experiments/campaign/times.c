/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who executed which suite, where, and how long it took: beside each journal while the campaign is under way,
 * beside the result in the end. True of the runs that were, so none of it is in the result; and no campaign
 * ends for it. */
#include "internal.h"

#include <corridor/array.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Of a journal. */
struct origin {
    char host[256];
    long process;
    uint32_t worker;
};

/* Of a suite. */
struct timing {
    uint32_t origin; /* 1 + index; 0 = nothing is known */
    float wall_seconds, cpu_seconds;
};

struct times {
    struct origin *origins; /* owned */
    size_t origin_count, capacity;
    struct timing *timings; /* owned; by plan position */
};

FILE *campaign__times_open(const struct cor_campaign *campaign, uint32_t worker, const char *journal) {
    struct utsname here;
    const char *host = campaign__host_of(campaign, worker);
    char *path = cor_format("%s" CAMPAIGN__TIMES_SUFFIX, journal);
    FILE *file = path ? fopen(path, "we") : NULL;
    free(path);
    if (file)
        fprintf(file, "%s %ld %u\n",
                host                ? host
                : uname(&here) == 0 ? here.nodename
                                    : "?",
                (long)getpid(), worker);
    return file;
}

void campaign__journal_remove(const char *journal) {
    char *times = cor_format("%s" CAMPAIGN__TIMES_SUFFIX, journal);
    if (times)
        unlink(times);
    free(times);
    unlink(journal);
}

bool campaign__journal_is_gone(const char *journal) {
    struct stat there;
    return lstat(journal, &there) != 0 && errno == ENOENT;
}

void campaign__times_note(FILE *file, const struct cor_campaign *campaign, uint64_t position) {
    const struct cor_suite_note *note = &campaign->shared->note[position];
    if (file)
        fprintf(file, "%u %u %.6f %.6f\n", campaign__arm_at(campaign, position),
                campaign__suite_at(campaign, position), (double)note->wall_seconds,
                (double)note->cpu_seconds);
}

/* The lines of a journal's file; the last one may be torn. */
static enum cor_status read_lines(const struct cor_campaign *campaign, FILE *file, struct times *times,
                                  struct cor_error *error) {
    char line[512], end;
    COR_TRY(COR_RESERVE(&times->origins, &times->capacity, times->origin_count + 1, error));
    struct origin *origin = &times->origins[times->origin_count];
    if (!fgets(line, sizeof line, file) ||
        sscanf(line, "%255s %ld %u%c", origin->host, &origin->process, &origin->worker, &end) != 4)
        return COR_OK;
    times->origin_count++;
    while (fgets(line, sizeof line, file)) {
        uint32_t arm, suite;
        struct timing timing = {.origin = (uint32_t)times->origin_count};
        if (sscanf(line, "%u %u %f %f%c", &arm, &suite, &timing.wall_seconds, &timing.cpu_seconds, &end) !=
                5 ||
            end != '\n' || arm >= campaign->definition.experiment->arm_count)
            continue;
        uint64_t position = (uint64_t)suite * campaign->definition.experiment->arm_count + arm;
        if (position < campaign->kept)
            times->timings[position] = timing;
    }
    return COR_OK;
}

static enum cor_status read_all(const struct cor_campaign *campaign, struct times *times,
                                struct cor_error *error) {
    times->timings = cor_calloc(campaign->kept, sizeof *times->timings);
    COR_TRY(cor_made(times->timings, error));
    for (size_t i = 0; i < campaign->followed_count; i++) {
        char *path = cor_format("%s" CAMPAIGN__TIMES_SUFFIX, campaign->followed[i].path);
        FILE *file = path ? fopen(path, "re") : NULL;
        enum cor_status status = file ? read_lines(campaign, file, times, error) : COR_OK;
        if (file)
            fclose(file);
        free(path);
        COR_TRY(status);
    }
    return COR_OK;
}

enum cor_status campaign__times_write(const struct cor_campaign *campaign, const char *path,
                                      struct cor_error *error) {
    struct times times = {0};
    uint64_t program = 0; /* the same for all: journals of another one are refused */
    FILE *file = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(campaign__program_fingerprint(&program, error));
    COR_TRY_OUT(read_all(campaign, &times, error));
    file = fopen(path, "we");
    if (!file)
        COR_TRY_OUT(cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write"));
    fprintf(file,
            CAMPAIGN__TIMES_BEGINNING "worker,cases,reorganizations,wall_s,cpu_s,host,process,program\n");
    for (uint64_t i = 0; i < campaign->kept; i++) {
        const struct timing *timing = &times.timings[i];
        const struct cor_suite_counts *tally = &campaign->shared->note[i].tally;
        if (timing->origin == 0 || !campaign__is_wanted(campaign, i))
            continue;
        const struct origin *origin = &times.origins[timing->origin - 1];
        fprintf(file, "%s,%u,%u,%u,%u,%.6f,%.6f,%s,%ld,0x%016llx\n", campaign__arm_name_at(campaign, i),
                campaign__suite_at(campaign, i), origin->worker, tally->cases, tally->reorganizations,
                (double)timing->wall_seconds, (double)timing->cpu_seconds, origin->host, origin->process,
                (unsigned long long)program);
    }
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        status = cor_fail_errno(error, COR_STATUS_FILE, path, "free some space", "cannot write");
out:
    free(times.origins);
    free(times.timings);
    return status;
}
