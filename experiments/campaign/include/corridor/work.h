/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work in child processes (corridor/child.h), what they do about signals, and clocks. */
#ifndef CORRIDOR_WORK_H
#define CORRIDOR_WORK_H

#include <corridor/child.h>
#include <corridor/work_folder.h>

/* Signals by which people, terminals and batch systems ask a campaign to end, SIGHUP aside: some warn with
 * SIGUSR1 or SIGXCPU before they kill. */
#define COR_ASKING_SIGNALS SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGXCPU, SIGALRM

/* In a child: signals meant for the planning process, which reach the whole group, are left to it; and a
 * file-size limit is an error of write(), which is said. */
void cor_ignore_signals(void);

/* Seconds of the monotonic clock, and of CPU time of this process. */
double cor_wall_seconds(void);
double cor_cpu_seconds(void);

#endif
