/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* dladdr */
#include <corridor/own_file.h>

#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* The linker's, in each file that it makes. */
extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));

static const Elf64_Phdr *program_headers(void) {
    return (const void *)((const unsigned char *)&__ehdr_start + __ehdr_start.e_phoff);
}

const Elf64_Ehdr *cor_own_headers(size_t *displacement) {
    const Elf64_Phdr *headers = program_headers();
    *displacement = (size_t)&__ehdr_start;
    for (size_t i = 0; i < __ehdr_start.e_phnum; i++)
        if (headers[i].p_type == PT_LOAD && headers[i].p_offset == 0)
            *displacement -= headers[i].p_vaddr;
    return &__ehdr_start;
}

/* Of a library, where it lies; NULL: this is the program. */
static const char *library_path(void) {
    Dl_info info;
    if (getauxval(AT_PHDR) == (uintptr_t)program_headers() || dladdr(&__ehdr_start, &info) == 0)
        return NULL;
    return info.dli_fname;
}

const char *cor_own_file(void) {
    const char *library = library_path();
    return library ? library : "/proc/self/exe";
}

void cor_own_program(char *path, size_t size) {
    static const char *const places[] = {"", "../bin/", "../../bin/"};
    char folder[PATH_MAX];
    const char *library = library_path();
    path[0] = '\0';
    if (!library) {
        const ssize_t length = readlink("/proc/self/exe", path, size - 1);
        path[length > 0 ? length : 0] = '\0';
        return;
    }
    const char *slash = strrchr(library, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - library) : 1, slash ? library : ".");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const int length = snprintf(path, size, "%s/%scorridor", folder, places[i]);
        if (length > 0 && (size_t)length < size && access(path, X_OK) == 0)
            return;
    }
    path[0] = '\0';
}
