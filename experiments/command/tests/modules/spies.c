/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A module that looks around while it is loaded: it tries to read the places that the file "places" beside it
 * lists, a line each, a byte of each, and ends its process with the number of those that it could read. */
#define _GNU_SOURCE /* dladdr */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int can_read(const char *path) {
    char byte;
    DIR *folder = opendir(path);
    int found = 0;
    if (folder) {
        while (readdir(folder))
            found++;
        closedir(folder);
        return found > 2;
    }
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    return file >= 0 && read(file, &byte, 1) == 1;
}

static void __attribute__((constructor)) look(void) {
    Dl_info self;
    char path[4096], *slash;
    int seen = 0;
    if (dladdr((const void *)(uintptr_t)&can_read, &self) == 0)
        _exit(100);
    snprintf(path, sizeof path - 16, "%s", self.dli_fname);
    slash = strrchr(path, '/');
    strcpy(slash ? slash + 1 : path, "places");
    FILE *list = fopen(path, "r");
    if (!list)
        _exit(101);
    while (fgets(path, sizeof path, list)) {
        path[strcspn(path, "\n")] = '\0';
        seen += can_read(path);
    }
    fclose(list);
    _exit(seen < 99 ? seen : 99);
}
