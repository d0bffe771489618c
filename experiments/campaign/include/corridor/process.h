/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work in child processes, and folders for work under way. z3 and HDF5 keep state in a process, can end it,
 * and (HDF5 1.10 after a full disk) die at exit; the planning process forks workers, so neither may ever run
 * in it. */
#ifndef CORRIDOR_PROCESS_H
#define CORRIDOR_PROCESS_H

#include <corridor/error.h>

#include <sys/types.h>

/* What runs in a child; returns its status. */
typedef enum cor_status cor_child_body(void *argument, void *answer, size_t size, struct cor_error *error);

/* Runs `body` in a child process and brings back its status, its error and up to `size` bytes of answer. */
enum cor_status cor_in_child(cor_child_body *body, void *argument, void *answer, size_t size,
                             struct cor_error *error) COR_MUST_USE;

/* In a child, first thing: the kernel kills it when `parent` dies, however that dies. */
void cor_die_with(pid_t parent);

/* Signals by which people, terminals and batch systems ask a campaign to end, SIGHUP aside: some warn with
 * SIGUSR1 or SIGXCPU before they kill. */
#define COR_ASKING_SIGNALS SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGXCPU, SIGALRM

/* In a child: signals meant for the planning process, which reach the whole group, are left to it; and a
 * file-size limit is an error of write(), which is said. */
void cor_ignore_signals(void);

/* Makes a folder "<path>.parts-XXXXXX" beside `path`; *folder is freed with free(). */
enum cor_status cor_make_folder_beside(const char *path, char **folder, struct cor_error *error) COR_MUST_USE;

/* Removes a folder with everything in it. */
void cor_remove_folder(const char *folder);

/* Seconds of the monotonic clock, and of CPU time of this process. */
double cor_wall_seconds(void);
double cor_cpu_seconds(void);

#endif
