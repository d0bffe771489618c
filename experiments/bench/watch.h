/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory of a campaign while it runs, as /proc tells it: the greatest resident sets (VmHWM) of the
 * planning process and of its workers, which are told from its other children (z3's, the merging one) by the
 * journal that they hold open for writing. */
#ifndef COR_BENCH_WATCH_H
#define COR_BENCH_WATCH_H

#include <sys/types.h>

struct bench_watch {
    double program_peak, worker_peak; /* bytes, the greatest so far */
};

/* Looks at the program and at its children. What is gone meanwhile is passed over. */
void bench_watch_look(struct bench_watch *watch, pid_t program);

#endif
