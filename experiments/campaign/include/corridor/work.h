/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work in child processes (corridor/child.h), what they do about signals, and folders for work under way. */
#ifndef CORRIDOR_WORK_H
#define CORRIDOR_WORK_H

#include <corridor/child.h>
#include <corridor/error.h>

/* Signals by which people, terminals and batch systems ask a campaign to end, SIGHUP aside: some warn with
 * SIGUSR1 or SIGXCPU before they kill. */
#define COR_ASKING_SIGNALS SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGXCPU, SIGALRM

/* In a child: signals meant for the planning process, which reach the whole group, are left to it; and a
 * file-size limit is an error of write(), which is said. */
void cor_ignore_signals(void);

/* Makes a folder "<path>.parts-XXXXXX" beside `path`; *folder is freed with free(). */
enum cor_status cor_make_folder_beside(const char *path, char **folder, struct cor_error *error) COR_MUST_USE;

/* Makes a folder "corridor-<what>-XXXXXX" in TMPDIR, or in /tmp; *folder is freed with free(). */
enum cor_status cor_make_temporary_folder(const char *what, char **folder,
                                          struct cor_error *error) COR_MUST_USE;

/* Removes a folder with everything in it. */
void cor_remove_folder(const char *folder);

/* Seconds of the monotonic clock, and of CPU time of this process. */
double cor_wall_seconds(void);
double cor_cpu_seconds(void);

#endif
