/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corridor/embed.h - the one header of libcorridor.so: all of the program corridor, for another program that
 * loads it, such as an interpreter.
 *
 * A caller begins a child process for each command, registers there what experiments are to find besides the
 * built-in algorithms and distributed programs, and calls cor_embed_run once, which returns the exit code
 * that the program would have had (docs/exit-codes.md). It settles signals and the locale for itself, prints
 * to standard output and standard error, starts processes, and leaves its memory to the end of the child. So
 * nothing of it reaches the caller, and whatever ends it is the end of a child.
 *
 * Growth. Functions are only added, and none is changed: a caller that knows version n runs with every later
 * one. No other symbol is exported. */
#ifndef CORRIDOR_EMBED_H
#define CORRIDOR_EMBED_H

#include <corridor/plugin.h>
#include <corridor/process.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COR_EMBED_ABI 1u

/* The version of this interface that the library has: COR_EMBED_ABI as it was built. */
COR_EXPORT uint32_t cor_embed_abi(void);

/* The version of the program, "0.1.0". Never NULL, and valid for good. */
COR_EXPORT const char *cor_embed_version(void);

/* The commit that it was built from, as git names it, with "-dirty" behind it where files were changed;
 * "" where there was no repository. Valid for good. */
COR_EXPORT const char *cor_embed_commit(void);

/* Does what `corridor ARGUMENT..` does, argv[0] being "corridor" and argv[argc] NULL, and returns its exit
 * code. To be called once in a process, by its only thread. */
COR_EXPORT int cor_embed_run(int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
