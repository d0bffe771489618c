/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much of the processors a campaign has that runs on this machine: what watch takes is a share of it. */
#define _DEFAULT_SOURCE /* _SC_NPROCESSORS_ONLN */
#include "watch_pages.h"

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVERY_SECONDS 5.0     /* looked at */
#define LEAST_PROCESSORS 0.01 /* else nothing would ever come */

/* What the kernel says of a process, in seconds: on a processor, and waiting for one. */
static bool read_process(long process, double *has, double *waits) {
    char *path = cor_format("/proc/%ld/schedstat", process), *text = path ? cor_file_text(path) : NULL;
    unsigned long long ran = 0, waited = 0;
    const bool is_read = text && sscanf(text, "%llu %llu", &ran, &waited) == 2;
    *has = 1e-9 * (double)ran;
    *waits = 1e-9 * (double)waited;
    free(text);
    free(path);
    return is_read;
}

/* The sums over the children of a process; false: there is none, or the kernel does not say it. */
static bool read_children(long process, struct cor_watch_share *sum) {
    char *path = cor_format("/proc/%ld/task/%ld/children", process, process),
         *text = path ? cor_file_text(path) : NULL;
    *sum = (struct cor_watch_share){0};
    for (char *rest = text, *word; text && (word = strtok_r(rest, " \n", &rest));) {
        double has, waits;
        if (!read_process(strtol(word, NULL, 10), &has, &waits))
            continue;
        sum->workers++;
        sum->has += has;
        sum->waits += waits;
    }
    free(text);
    free(path);
    return sum->workers > 0;
}

void cor_watch_share_look(struct cor_watch_folder *watch, double now) {
    struct cor_watch_share *share = &watch->share, sum;
    if (now < share->next)
        return;
    const long process = watch->now.is_there ? cor_campaign_process(watch->place.output) : 0;
    const bool is_here = process > 0 && read_children(process, &sum);
    const double has = is_here ? sum.has - share->has : 0, waits = is_here ? sum.waits - share->waits : 0,
                 most = fmax(1, (double)sysconf(_SC_NPROCESSORS_ONLN));
    share->next = now + EVERY_SECONDS;
    if (!is_here) {
        share->processors = 1; /* it is elsewhere: whatever is taken here it has not */
        share->has = share->waits = 0;
        return;
    }
    /* Who waits for something else, or stands still, is in nobody's way. A worker that has ended takes its
     * sums along. */
    if (has >= 0 && waits >= 0)
        share->processors = fmin(most, sum.workers) * (has + waits > 0 ? has / (has + waits) : 1);
    if (!(share->processors > LEAST_PROCESSORS))
        share->processors = LEAST_PROCESSORS;
    share->has = sum.has;
    share->waits = sum.waits;
    share->workers = sum.workers;
}
