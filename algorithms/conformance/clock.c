/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A clock that stands where the kit puts it, for a module: the slots through which the module calls the C
 * library's clocks are pointed at the functions here. The processor's own counter is not reached. */
#define _GNU_SOURCE /* dladdr1 */
#include "internal.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECONDS_2000 946684800
#define SECONDS_A_YEAR 31557600

static time_t now = SECONDS_2000;

static time_t fake_time(time_t *to) {
    if (to)
        *to = now;
    return now;
}

static int fake_clock_gettime(clockid_t clock, struct timespec *to) {
    (void)clock;
    *to = (struct timespec){.tv_sec = now, .tv_nsec = now % 1000003};
    return 0;
}

static int fake_gettimeofday(struct timeval *to, void *zone) {
    (void)zone;
    *to = (struct timeval){.tv_sec = now, .tv_usec = now % 10007};
    return 0;
}

static clock_t fake_clock(void) {
    return (clock_t)(now % 1000003);
}

static int fake_timespec_get(struct timespec *to, int base) {
    (void)fake_clock_gettime(CLOCK_REALTIME, to);
    return base;
}

void conformance__clock_years(int years) {
    now = SECONDS_2000 + (time_t)years * SECONDS_A_YEAR;
}

uintptr_t conformance__clock_slot(const char *name) {
    static const struct {
        const char *name;
        void (*function)(void);
    } clocks[] = {{"time", (void (*)(void))fake_time},
                  {"clock_gettime", (void (*)(void))fake_clock_gettime},
                  {"gettimeofday", (void (*)(void))fake_gettimeofday},
                  {"clock", (void (*)(void))fake_clock},
                  {"timespec_get", (void (*)(void))fake_timespec_get}};
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
        if (strcmp(name, clocks[i].name) == 0)
            return (uintptr_t)clocks[i].function;
    return 0;
}

/* The dynamic section of a loaded object, as far as it matters here. */
struct dynamic {
    uintptr_t base, symbols, strings, slots, slot_bytes, relocations, relocation_bytes;
};

static void patch(const struct dynamic *dynamic, uintptr_t table, uintptr_t bytes,
                  conformance__slot *replacement) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const ElfW(Sym) *symbols = (const void *)dynamic->symbols;
    for (uintptr_t at = table; table && at + sizeof(ElfW(Rela)) <= table + bytes; at += sizeof(ElfW(Rela))) {
        const ElfW(Rela) *entry = (const void *)at;
        uintptr_t symbol =
            sizeof(void *) == 8 ? (uintptr_t)(entry->r_info >> 32) : (uintptr_t)(entry->r_info >> 8);
        uintptr_t with = symbol ? replacement((const char *)dynamic->strings + symbols[symbol].st_name) : 0;
        if (!with)
            continue;
        uintptr_t *slot = (void *)(dynamic->base + entry->r_offset);
        if (mprotect((void *)((uintptr_t)slot / page * page), page, PROT_READ | PROT_WRITE) == 0)
            *slot = with;
    }
}

void conformance__slots_set(uintptr_t function, conformance__slot *replacement) {
    struct link_map *map = NULL;
    Dl_info info;
    if (!dladdr1((const void *)function, &info, (void **)&map, RTLD_DL_LINKMAP) || !map || !map->l_name[0])
        return; /* built in: its calls are the testbed's own */
    struct dynamic dynamic = {.base = map->l_addr};
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        uintptr_t value = entry->d_un.d_val;
        switch (entry->d_tag) {
        case DT_SYMTAB:
            dynamic.symbols = value;
            break;
        case DT_STRTAB:
            dynamic.strings = value;
            break;
        case DT_JMPREL:
            dynamic.slots = value;
            break;
        case DT_PLTRELSZ:
            dynamic.slot_bytes = value;
            break;
        case DT_RELA:
            dynamic.relocations = value;
            break;
        case DT_RELASZ:
            dynamic.relocation_bytes = value;
            break;
        default:
            break;
        }
    }
    if (!dynamic.symbols || !dynamic.strings)
        return;
    patch(&dynamic, dynamic.slots, dynamic.slot_bytes, replacement);
    patch(&dynamic, dynamic.relocations, dynamic.relocation_bytes, replacement);
}
