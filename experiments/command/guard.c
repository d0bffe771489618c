/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "guard.h"

#include "replay.h"

#include <corridor/child.h>
#include <corridor/report.h>
#include <corridor/result.h>
#include <corridor/work_folder.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Bytes: more than all readers take of files of a hundred megabytes. */
#define MEMORY_LEAST (UINT64_C(1) << 30)
enum { MEMORY_OF_A_BYTE = 64 };
/* Bytes of address space without which HDF5 dies of a signal while it begins, before it can say why. */
#define MEMORY_TO_BEGIN ((size_t)8 << 20)

static const int handed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
#define HANDED_ON (sizeof handed_on / sizeof *handed_on)

static volatile sig_atomic_t child; /* for the handler alone */

static void hand_on(int number) {
    const int before = errno;
    kill((pid_t)child, number);
    errno = before;
}

/* Bytes of the files among the operands. */
static uint64_t operand_bytes(const struct cor_arguments *arguments) {
    uint64_t bytes = 0;
    struct stat file;
    for (int w = 0; w < arguments->word_count; w++)
        if (stat(arguments->words[w], &file) == 0 && S_ISREG(file.st_mode))
            bytes += (uint64_t)file.st_size;
    return bytes;
}

/* The operands, as a place for an error. */
static void name_operands(const struct cor_arguments *arguments, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int w = 0; w < arguments->word_count && used < size; w++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", w > 0 ? ", " : "", arguments->words[w]);
}

/* What is said of a child that did not come to its end. A file that ends whoever reads it is damaged; else it
 * was this program. */
static enum cor_exit say_end(const struct cor_arguments *arguments, int signal) {
    struct cor_error error = COR_NO_ERROR;
    char place[sizeof error.place], ended[COR_ENDED_SIZE];
    name_operands(arguments, place, sizeof place);
    if (signal == SIGPROF) {
        (void)cor_fail(&error, COR_STATUS_INPUT, place, "take another copy, or merge the journals again",
                       "damaged: to read it takes more than %u s",
                       cor_result_seconds(operand_bytes(arguments)));
        return cor_report(&error);
    }
    for (int w = 0; w < arguments->word_count; w++)
        if (cor_is_result_file(arguments->words[w]) &&
            cor_result_try(arguments->words[w], &error) == COR_STATUS_INPUT)
            return cor_report(&error);
    error = COR_NO_ERROR;
    if (signal == SIGKILL)
        (void)cor_fail(&error, COR_STATUS_MEMORY, place, "free memory, and run the same command again",
                       "the process that reads it was killed from outside");
    else
        (void)cor_fail(&error, COR_STATUS_INTERNAL, place, "please report it, with the file",
                       "the process that reads it was %s", cor_ended_by(signal, ended));
    return cor_report(&error);
}

/* Ends this process as the child was ended, for the shell that looks at it. */
static void end_by(int signal_number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static bool is_handed_on(int number) {
    size_t i = 0;
    while (i < HANDED_ON && handed_on[i] != number)
        i++;
    return i < HANDED_ON;
}

/* What a child that did not come to its end has begun to write: the files of a set, or figures of a page. */
static void remove_draft(const struct cor_arguments *arguments) {
    static const char *const of_set[] = {"figures", "all"};
    for (size_t i = 0; i < sizeof of_set / sizeof *of_set; i++) {
        const char *folder = cor_given(arguments, of_set[i]);
        if (folder && *folder)
            cor_file_set_remove_left(folder);
    }
    cor_report_remove_left(NULL);
}

static enum cor_exit wait_for_child(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    int how;
    while (waitpid((pid_t)child, &how, 0) < 0)
        if (errno != EINTR) {
            (void)cor_fail_errno(&error, COR_STATUS_INTERNAL, NULL, "run the same command again",
                                 "lost the process that reads");
            return cor_report(&error);
        }
    if (WIFEXITED(how))
        return (enum cor_exit)WEXITSTATUS(how);
    remove_draft(arguments);
    /* A pipe that nobody reads any more ends this program as it ends others. */
    if (is_handed_on(WTERMSIG(how)) || WTERMSIG(how) == SIGPIPE)
        end_by(WTERMSIG(how));
    return say_end(arguments, WTERMSIG(how));
}

static bool can_begin(void) {
    void *room = mmap(NULL, MEMORY_TO_BEGIN, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return room != MAP_FAILED && munmap(room, MEMORY_TO_BEGIN) == 0;
}

bool cor_run_guarded(const struct cor_arguments *arguments, enum cor_exit *code) {
    const pid_t parent = getpid();
    const struct sigaction action = {.sa_handler = hand_on, .sa_flags = SA_RESTART};
    struct sigaction before;
    sigset_t set, old;
    sigemptyset(&set);
    for (size_t i = 0; i < HANDED_ON; i++)
        sigaddset(&set, handed_on[i]);
    fflush(NULL); /* what waits in our buffers is not the child's */
    sigprocmask(SIG_BLOCK, &set, &old);
    const pid_t made = fork();
    if (made > 0) {
        child = made;
        for (size_t i = 0; i < HANDED_ON; i++)
            if (sigaction(handed_on[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
                sigaction(handed_on[i], &action, NULL);
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
    if (made > 0) {
        *code = wait_for_child(arguments);
        return false;
    }
    if (made == 0)
        cor_die_with(parent);
    const uint64_t bytes = operand_bytes(arguments);
    if (bytes <
        UINT64_MAX / MEMORY_OF_A_BYTE / 2) /* what it starts that is not ours is freed of it (cell.c) */
        (void)cor_limit_memory(MEMORY_LEAST + MEMORY_OF_A_BYTE * bytes, false);
    struct cor_error error = COR_NO_ERROR;
    if (!can_begin()) {
        (void)cor_fail_memory(&error);
        *code = cor_report(&error);
        return true;
    }
    *code = arguments->command->run(arguments);
    return true;
}
