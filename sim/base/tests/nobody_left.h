/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For tests that start programs of others: nothing of them is left behind. After cmocka.h. */
#ifndef CORRIDOR_SIM_BASE_TESTS_NOBODY_LEFT_H
#define CORRIDOR_SIM_BASE_TESTS_NOBODY_LEFT_H

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* No process has `mark`, an argument of all that the test starts; none is to be waited for. */
static inline void assert_nobody_left(const char *mark) {
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    while ((entry = readdir(processes))) {
        char path[300], line[1 << 14];
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        FILE *file = atoi(entry->d_name) > 0 ? fopen(path, "r") : NULL;
        const size_t size = file ? fread(line, 1, sizeof line - 1, file) : 0;
        if (file)
            fclose(file);
        line[size] = '\0';
        for (size_t at = 0; at < size; at += strlen(line + at) + 1)
            if (strcmp(line + at, mark) == 0)
                fail_msg("process %s is left", entry->d_name);
    }
    closedir(processes);
}

#endif
