/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work in a child process, whose answer is plain bytes. z3 and HDF5 keep state in a process, can end it, and
 * (HDF5 1.10 after a full disk) die at exit; the planning process forks workers, so neither may ever run in
 * it. What it does about signals; and clocks. */
#ifndef CORRIDOR_CHILD_H
#define CORRIDOR_CHILD_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What runs in a child; returns its status. */
typedef enum cor_status cor_child_body(void *argument, void *answer, size_t size, struct cor_error *error);

/* Runs `body` in a child process and brings back its status, its error and up to `size` bytes of answer;
 * COR_STATUS_INTERRUPTED if it used up the CPU time that `body` had limited (ITIMER_PROF), COR_STATUS_MEMORY
 * if it was killed, COR_STATUS_INTERNAL if something else ended it. */
enum cor_status cor_in_child(cor_child_body *body, void *argument, void *answer, size_t size,
                             struct cor_error *error) COR_MUST_USE;

#define COR_CHILDREN_MAX 256u

/* What runs in child `number` of several; each writes its own part of the answers, which are zero before. */
typedef enum cor_status cor_children_body(void *argument, uint32_t number, void *answers, size_t size,
                                          struct cor_error *error);

/* The same in 1 to COR_CHILDREN_MAX children side by side. Of several that fail the first by its number is
 * told, and there are no answers. */
enum cor_status cor_in_children(cor_children_body *body, void *argument, uint32_t count, void *answers,
                                size_t size, struct cor_error *error) COR_MUST_USE;

/* In a child, first thing: the kernel kills it when `parent` dies, however that dies. */
void cor_die_with(pid_t parent);

/* From now on the address space of this process, and of what it starts, may have so many bytes.
 * `is_for_good`: nothing lifts the limit again, and one that was not for good is gone; else it can only
 * become tighter. False where it cannot be limited (sanitizers). */
bool cor_limit_memory(uint64_t bytes, bool is_for_good);

/* Seconds of the monotonic clock, and of CPU time of this process. */
double cor_wall_seconds(void);
double cor_cpu_seconds(void);

/* CPU time that a process has used, in seconds; 0 if it is gone, or if `process` is 0, nobody. */
double cor_cpu_seconds_of(pid_t process);

/* Signals by which people, terminals and batch systems ask a campaign to end, SIGHUP aside: some warn with
 * SIGUSR1 or SIGXCPU before they kill. */
#define COR_ASKING_SIGNALS SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGXCPU, SIGALRM

/* In a child: signals meant for the planning process, which reach the whole group, are left to it; and a
 * file-size limit is an error of write(), which is said. */
void cor_ignore_signals(void);

#define COR_ENDED_SIZE 64u

/* How a signal ended a process, for people: writes "ended by signal 11 (Segmentation fault)" into `text`, and
 * returns it. */
const char *cor_ended_by(int signal, char text[COR_ENDED_SIZE]);

/* Of a process of ours that ended in mid-work, `how` being of waitpid and `who` "a child process":
 * COR_STATUS_MEMORY if it was killed, else COR_STATUS_INTERNAL. */
enum cor_status cor_fail_ended(int how, const char *who, struct cor_error *error) COR_MUST_USE;

#endif
