/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* personality */
#include "scene.h"

#include <corridor/conformance.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>

/* (locale, zone, home, user, environment bytes, fill, years, moves) */
#define SCENE(l, z, h, u, bytes, fill, y, m)                                                \
    {                                                                                       \
        .locale = (l), .zone = (z), .home = (h), .user = (u), .environment_bytes = (bytes), \
        .heap_fill = (fill), .stack_fill = (fill), .years = (y), .moves = (m)               \
    }

static const struct conformance__scene base = SCENE("C", "UTC0", "/", "nobody", 8192, 85, 1, false);
static const struct conformance__scene later = SCENE("C", "UTC0", "/", "nobody", 8192, 85, 12, false);
static const struct conformance__scene shifted = SCENE("C", "UTC0", "/", "nobody", 8192 + 4144, 85, 1, false);
static const struct conformance__scene moved = SCENE("C", "UTC0", "/", "nobody", 8192, 85, 1, true);
static const struct conformance__scene abroad =
    SCENE("de_DE.UTF-8", "Asia/Kolkata", "/nowhere", "somebody", 8192, 85, 1, false);
static const struct conformance__scene filled = SCENE("C", "UTC0", "/", "nobody", 8192, 170, 1, false);

const struct conformance__scene *conformance__scene_base(void) {
    return &base;
}

const struct conformance__scene *conformance__scene_of(size_t check, size_t index) {
    switch (check) {
    case COR_CHECK_OF_clock:
        return index == 0 ? &later : NULL;
    case COR_CHECK_OF_addresses:
        return index == 0 ? &shifted : index == 1 ? &moved : NULL;
    case COR_CHECK_OF_environment:
        return index == 0 ? &abroad : NULL;
    case COR_CHECK_OF_uninitialised:
        return index == 0 ? &filled : NULL;
    default:
        return NULL;
    }
}

/* Appends "NAME=value" at *at; 0 when there is no room. */
static size_t put(char **variables, size_t *count, char *at, size_t room, const char *name,
                  const char *value) {
    int length = snprintf(at, room, "%s=%s", name, value);
    if (length < 0 || (size_t)length >= room || *count >= CONFORMANCE__VARIABLES)
        return 0;
    variables[(*count)++] = at;
    variables[*count] = NULL;
    return (size_t)length + 1;
}

char *conformance__scene_environment(const struct conformance__scene *scene, size_t word_bytes,
                                     char *variables[CONFORMANCE__VARIABLES + 1]) {
    /* What a process needs of its own: libraries, and what sanitizers are told. */
    static const char *const passed[] = {"PATH",         "LD_LIBRARY_PATH", "LD_PRELOAD",   "ASAN_OPTIONS",
                                         "LSAN_OPTIONS", "UBSAN_OPTIONS",   "TSAN_OPTIONS", "TMPDIR"};
    COR_ASSERT(word_bytes < scene->environment_bytes / 2);
    const size_t most = scene->environment_bytes - word_bytes;
    char *memory = calloc(most + 1, 1);
    size_t count = 0, used = 0;
    char fill[8];
    snprintf(fill, sizeof fill, "0x%02x", scene->heap_fill);
    if (!memory)
        return NULL;
    used += put(variables, &count, memory + used, most - used, "LC_ALL", scene->locale);
    used += put(variables, &count, memory + used, most - used, "LANG", scene->locale);
    used += put(variables, &count, memory + used, most - used, "TZ", scene->zone);
    used += put(variables, &count, memory + used, most - used, "HOME", scene->home);
    used += put(variables, &count, memory + used, most - used, "USER", scene->user);
    used += put(variables, &count, memory + used, most - used, "MALLOC_PERTURB_", fill);
    /* What the cache of malloc gives again is not filled. */
    used +=
        put(variables, &count, memory + used, most - used, "GLIBC_TUNABLES", "glibc.malloc.tcache_count=0");
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
        const char *value = getenv(passed[i]);
        if (value)
            used += put(variables, &count, memory + used, most - used, passed[i], value);
    }
    /* The rest, so that the stack begins at the same place whatever is in it. */
    char *rest = memory + used;
    size_t padding = most > used + 16 ? most - used - 16 : 0;
    memset(rest, 'x', padding + 8);
    memcpy(rest, "PADDING=", 8);
    rest[padding + 8] = '\0';
    variables[count++] = rest;
    variables[count] = NULL;
    return memory;
}

void conformance__scene_enter(const struct conformance__scene *scene) {
    int now = personality(0xffffffff);
    if (now >= 0)
        (void)personality(scene->moves ? (unsigned long)now & ~(unsigned long)ADDR_NO_RANDOMIZE
                                       : (unsigned long)now | ADDR_NO_RANDOMIZE);
}
