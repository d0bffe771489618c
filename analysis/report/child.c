/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Another program in a child process, without a shell: no name of a file can become a command. */
#define _DEFAULT_SOURCE /* setrlimit's names */
#include "figure.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS 300 /* of processor time: a drawing takes fewer than ten */

static bool redirect(const char *path, int flags, int descriptor) {
    int file = open(path, flags, 0600);
    return file >= 0 && dup2(file, descriptor) >= 0;
}

/* In the child: what the program sees does not depend on who started us, and the same drawing gives the same
 * bytes. */
static void become(const char *program, char *const *arguments, const char *folder, const char *log) {
    const struct rlimit limit = {SECONDS, SECONDS};
    setrlimit(RLIMIT_CPU, &limit);
    if (chdir(folder) != 0 || !redirect("/dev/null", O_RDONLY, STDIN_FILENO) ||
        !redirect(log, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO) || dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
        _exit(126);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("SOURCE_DATE_EPOCH", "0", 1);
    unsetenv("GNUTERM");
    unsetenv("DISPLAY");
    execvp(program, arguments);
    _exit(127);
}

enum cor_status cor__run_program(const char *program, char *const *arguments, const char *folder,
                                 const char *log, int *code, struct cor_error *error) {
    int how;
    fflush(NULL); /* what waits in our buffers is not the child's */
    pid_t pid = fork();
    if (pid == 0)
        become(program, arguments, folder, log);
    if (pid < 0)
        return cor_fail_errno(error, COR_STATUS_INTERNAL, NULL, NULL, "cannot fork");
    while (waitpid(pid, &how, 0) < 0)
        if (errno != EINTR)
            return cor_fail_errno(error, COR_STATUS_INTERNAL, NULL, NULL, "lost a child process");
    *code = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    return COR_OK;
}
