/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bad guests: an algorithm whose faults are misdeeds. It deals the agents out in turn, and that is sound; at
 * the reorganization and in the function that its parameters name, it first does what the fault is called.
 * Deeds that leave it alive are followed by the sound answer; those of answers.c are an answer of their own.
 */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_TESTS_GUESTS_GUEST_H
#define CORRIDOR_EXPERIMENTS_COMMAND_TESTS_GUESTS_GUEST_H

#include <corridor/plugin.h>

enum { GUEST_AGENTS = 64 }; /* at most */

struct call {
    const struct cor_task *task; /* NULL while the module is loaded or unloaded, and in end() */
    const struct cor_host *host; /* NULL while the module is loaded or unloaded */
    uint32_t *block;             /* where adopt() is to bring each agent */
};

typedef void guest_deed(const struct call *call);
typedef enum cor_progress guest_answer(const struct call *call);

struct guest_row {
    const char *name, *meaning;
    guest_deed *deed;
    guest_answer *answer;
};

/* Each list ends with an entry whose name is NULL. */
extern const struct guest_row guest_endings[];  /* endings.c: how a process can end, or not */
extern const struct guest_row guest_families[]; /* families.c: children, threads and the process above */
extern const struct guest_row
    guest_memories[]; /* memories.c: where it should not write, and too much of it */
extern const struct guest_row
    guest_worlds[]; /* worlds.c: files, descriptors, the network, the process's state */
extern const struct guest_row guest_answers[]; /* answers.c: what it says */

/* The sound answer: agent i into block i modulo the present number of blocks, turned on by `turn`. */
enum cor_progress guest_deal(const struct call *call, uint32_t turn);

/* Is this a process that cannot harm others by signals? The worst deeds are not done elsewhere. */
int guest_is_contained(void);

/* A file beside the module. */
void guest_path(char *path, size_t size, const char *name);

void guest_sleep(void); /* for ever */

#endif
