/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corridor/embed.h - the one header of libcorridor.so: all of the program corridor, for another program that
 * loads it, such as an interpreter.
 *
 * A caller begins a child process for each command, registers there what experiments are to find besides the
 * built-in algorithms and distributed programs, and calls cor_embed_run once, which returns the exit code
 * that the program would have had (docs/look-up/exit-codes.md). It settles signals and the locale for itself,
 * prints to standard output and standard error, starts processes, and leaves its memory to the end of the
 * child. So nothing of it reaches the caller, and whatever ends it is the end of a child.
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

/* From now on, in this process and its children, experiments find `algorithm` by its name, as they find the
 * built-in ones; by default it works in a process of its own, which is a fork of this one. The struct is
 * copied, what it points to is borrowed for good, and its functions are called by one thread at a time.
 * `digest`: 64 hexadecimal digits that stand for its code, so that no other code continues a campaign; NULL:
 * none. Returns 0, or 1 with the reason in `why` (`size` bytes, cut): it breaks a rule of plugin.h, or its
 * name is taken. */
COR_EXPORT int cor_embed_algorithm(const struct cor_algorithm *algorithm, const char *digest, char *why,
                                   size_t size);

/* The same of a distributed program. `interrupt`, which may be NULL, is called in a signal handler while a
 * call of the program takes too long: it makes the program come back from the call soon, by an exception of
 * the interpreter, say; one that does not is left by force, and its process with it. */
COR_EXPORT int cor_embed_process(const struct cor_process *process, const char *digest,
                                 void (*interrupt)(void), char *why, size_t size);

/* A digest of bytes, for tell() of a process: that of the same bytes is the same in programs of every
 * language. */
COR_EXPORT uint64_t cor_embed_hash(const void *bytes, size_t size);

/* For result(): puts `count` blocks at once, block i being `sizes[i]` of the members, one behind the other. 0
 * = absurdly large, refused. */
COR_EXPORT int cor_embed_put_blocks(const struct cor_host *host, const uint32_t *members,
                                    const uint32_t *sizes, size_t count);

/* The next word of a stream, as cor_random_word gives it. */
COR_EXPORT uint64_t cor_embed_random_word(struct cor_random *random);

/* Does what `corridor ARGUMENT..` does, argv[0] being "corridor" and argv[argc] NULL, and returns its exit
 * code. To be called once in a process, by its only thread. */
COR_EXPORT int cor_embed_run(int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
