/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE
#include "watch.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A number from /proc/PID/status, -1 if it is not there. */
static double status_of(pid_t pid, const char *key) {
    char path[64], line[256];
    double value = -1;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    FILE *file = fopen(path, "r");
    while (file && value < 0 && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0)
            value = strtod(line + strlen(key), NULL);
    if (file)
        fclose(file);
    return value;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Does the process hold a journal open for writing? Permissions of the links in /proc/PID/fd say how files
 * were opened. */
static bool is_worker(pid_t pid) {
    char folder[64], path[384], target[1024];
    bool found = false;
    snprintf(folder, sizeof folder, "/proc/%ld/fd", (long)pid);
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && !found && (entry = readdir(dir));) {
        struct stat link;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        ssize_t length = readlink(path, target, sizeof target - 1);
        if (length < 0 || lstat(path, &link) != 0)
            continue;
        target[length] = '\0';
        found = (link.st_mode & S_IWUSR) && ends_with(target, ".journal");
    }
    if (dir)
        closedir(dir);
    return found;
}

static void raise(double *peak, double kilobytes) {
    if (1024 * kilobytes > *peak)
        *peak = 1024 * kilobytes;
}

void bench_watch_look(struct bench_watch *watch, pid_t program) {
    raise(&watch->program_peak, status_of(program, "VmHWM:"));
    DIR *dir = opendir("/proc");
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 0 && (pid_t)status_of(pid, "PPid:") == program && is_worker(pid))
            raise(&watch->worker_peak, status_of(pid, "VmHWM:"));
    }
    if (dir)
        closedir(dir);
}
