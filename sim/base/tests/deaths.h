/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Modules that are killed while they are loaded, so often as a test says: by a number in shared memory, whose
 * place the environment names. A module that is built with DIES has the one half, a test the other. */
#ifndef CORRIDOR_SIM_BASE_TESTS_DEATHS_H
#define CORRIDOR_SIM_BASE_TESTS_DEATHS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define DEATHS_LEFT "DEATHS_LEFT"

#ifdef DIES
#include <signal.h>

__attribute__((constructor)) static void die_early(void) {
    const char *said = getenv(DEATHS_LEFT);
    volatile int *left = said ? (volatile int *)(uintptr_t)strtoull(said, NULL, 16) : NULL;
    if (left && *left > 0) {
        --*left;
        raise(SIGKILL);
    }
}
#else
#include <sys/mman.h>

/* How many are left, none at first; NULL: no memory. */
static int *deaths_begin(void) {
    char place[32];
    int *left = mmap(NULL, sizeof *left, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (left == MAP_FAILED)
        return NULL;
    snprintf(place, sizeof place, "%llx", (unsigned long long)(uintptr_t)left);
    setenv(DEATHS_LEFT, place, 1);
    return left;
}

static void deaths_end(int *left) {
    unsetenv(DEATHS_LEFT);
    munmap(left, sizeof *left);
}
#endif

#endif
