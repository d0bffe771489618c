/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a guest should not write, and too much of what it may. */
#define _GNU_SOURCE
#include "guest.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* As if what the host shows could be written. */
static void *unconst(const void *shown) {
    return (void *)(uintptr_t)shown;
}

static void writes_values(const struct call *call) {
    double *values = unconst(call->task->values[0]);
    for (uint32_t i = 0; i < call->task->agent_count; i++)
        values[i] = 0.5;
}
static void writes_the_task(const struct call *call) {
    struct cor_task *task = unconst(call->task);
    task->agent_count = 1;
    task->block_count = 1;
}
static void writes_the_rules(const struct call *call) {
    struct cor_rules *rules = unconst(call->task->rules);
    rules->size_min = rules->count_min = 0;
    rules->budget = UINT64_MAX;
    rules->threshold = 1e9;
}
static void writes_members(const struct call *call) {
    uint32_t *members = unconst(call->task->members);
    members[0] = members[1];
}
static void writes_before_members(const struct call *call) {
    uint32_t *members = unconst(call->task->members);
    for (int i = 1; i <= 4096; i++)
        members[-i] = 0x5a5a5a5a;
}
static void writes_behind_members(const struct call *call) {
    uint32_t *members = unconst(call->task->members);
    for (uint32_t i = 0; i < 4096; i++)
        members[call->task->agent_count + i] = 0x5a5a5a5a;
}
static void writes_the_parameters(const struct call *call) {
    double *parameters = unconst(call->task->rules->parameters);
    for (uint32_t i = 0; i < call->task->rules->parameter_count; i++)
        parameters[i] = 0;
}
static void unlocks_the_task(const struct call *call) {
    uintptr_t page = (uintptr_t)call->task->values[0] & ~(uintptr_t)4095;
    if (mprotect((void *)page, 4096, PROT_READ | PROT_WRITE) == 0)
        writes_values(call);
}
static void writes_through_proc(const struct call *call) {
    static const double other[4] = {0.5, 0.5, 0.5, 0.5};
    int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
    if (memory >= 0 && pwrite(memory, other, sizeof other, (off_t)(uintptr_t)call->task->values[0]) > 0)
        *(double *)unconst(call->task->values[0]) = 0.5;
}
static void frees_host_memory(const struct call *call) {
    free(unconst(call->task->values[0]));
    free(unconst(call->task));
    free(unconst(call->host));
}
static void frees_twice(const struct call *call) {
    (void)call;
    void *volatile memory = malloc(2000);
    void *volatile other = malloc(2000); /* what comes first is not merged with the top of the heap */
    free(memory);
    free(memory);
    free(other);
}
static void ruins_the_heap(const struct call *call) {
    (void)call;
    char *volatile block[8];
    for (int i = 0; i < 8; i++)
        block[i] = malloc(2000);
    for (int i = 0; i < 8; i++)
        for (size_t j = 0; j < 2100; j++)
            ((volatile char *)block[i])[j] = 0x5a;
    for (int i = 0; i < 8; i++)
        free(block[i]);
    abort(); /* an allocator that did not see it */
}
static void overwrites_the_host(const struct call *call) {
    memset(unconst(call->host), 0x5a, sizeof *call->host);
}
static void overwrites_the_session(const struct call *call) {
    memset(call->host->self, 0x5a, 256);
}
static void counts_wildly(const struct call *call) {
    for (size_t i = 0; i < ((size_t)64 << 20); i++)
        call->host->counters[i] = 1;
}
static void counts_behind(const struct call *call) {
    for (size_t i = 0; i < 64; i++)
        call->host->spent[i] = UINT64_C(0x5a5a5a5a5a);
}
/* All memory that is shared with others, or only as much as can be written. */
static void scribbles(const struct call *call) {
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512], mode[8];
    unsigned long start, end;
    (void)call;
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &start, &end, mode) == 3 && strcmp(mode, "rw-s") == 0)
            memset((void *)start, 0x5a, end - start);
    if (maps)
        fclose(maps);
}
static void unmaps_shared_memory(const struct call *call) {
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512], mode[8];
    unsigned long start[64], end[64];
    size_t count = 0;
    (void)call;
    while (maps && count < 64 && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &start[count], &end[count], mode) == 3 && mode[3] == 's')
            count++;
    if (maps)
        fclose(maps);
    while (count-- > 0)
        munmap((void *)start[count], end[count] - start[count]);
}
static void truncates_shared_memory(const struct call *call) {
    (void)call;
    for (int file = 0; file < 256; file++)
        if (ftruncate(file, 0) != 0)
            continue;
}

static void allocates_without_end(const struct call *call) {
    (void)call;
    for (size_t i = 0; i < (size_t)16 << 10; i++) { /* 16 GB */
        char *memory = malloc((size_t)1 << 20);
        if (!memory)
            return;
        memset(memory, 1, (size_t)1 << 20);
    }
}
static void dies_of_hunger(const struct call *call) {
    (void)call;
    for (size_t i = 0;; i++) {
        char *memory = malloc((size_t)1 << 20);
        memset(memory, 1, (size_t)1 << 20); /* NULL, some day */
    }
}
static void maps_hugely(const struct call *call) {
    (void)call;
    void *memory = mmap(NULL, (size_t)1 << 46, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED)
        *(volatile char *)memory = 1;
}
static void asks_the_host_for_all(const struct call *call) {
    while (call->host->alloc(call->host, (size_t)1 << 20))
        ;
}
static void asks_for_2_to_the_60(const struct call *call) {
    call->host->alloc(call->host, (size_t)1 << 60);
}
static void asks_for_all_there_is(const struct call *call) {
    call->host->alloc(call->host, SIZE_MAX);
}
static void resizes_a_stranger(const struct call *call) {
    static char mine[64];
    call->host->resize(call->host, mine, SIZE_MAX / 2, SIZE_MAX);
}
static void fills_memory_files(const struct call *call) {
    static const char block[65536] = {1};
    int file = memfd_create("full", MFD_CLOEXEC);
    (void)call;
    for (int i = 0; i < 1 << 18; i++) /* 16 GB */
        if (write(file, block, sizeof block) <= 0)
            return;
}
static void keeps_hugely(const struct call *call) {
    static const char few[16];
    call->host->keep(call->host, few, UINT32_C(1) << 31);
}

const struct guest_row guest_memories[] = {
    {"writes_values", "writes the values of all agents", writes_values, NULL},
    {"writes_the_task", "writes into the task", writes_the_task, NULL},
    {"writes_the_rules", "gives itself other rules", writes_the_rules, NULL},
    {"writes_members", "writes into the present structure", writes_members, NULL},
    {"writes_before_members", "writes before the present structure", writes_before_members, NULL},
    {"writes_behind_members", "writes behind the present structure", writes_behind_members, NULL},
    {"writes_the_parameters", "gives itself other parameters", writes_the_parameters, NULL},
    {"unlocks_the_task", "makes the values writable, then writes them", unlocks_the_task, NULL},
    {"writes_through_proc", "writes the values by /proc/self/mem", writes_through_proc, NULL},
    {"frees_host_memory", "frees what the host showed it", frees_host_memory, NULL},
    {"frees_twice", "frees memory twice", frees_twice, NULL},
    {"ruins_the_heap", "writes behind what it allocated, then frees it", ruins_the_heap, NULL},
    {"overwrites_the_host", "writes over the table of services", overwrites_the_host, NULL},
    {"overwrites_the_session", "writes over what is the host's own", overwrites_the_session, NULL},
    {"counts_wildly", "counts in counters that there are not", counts_wildly, NULL},
    {"counts_behind", "writes behind the budget spent", counts_behind, NULL},
    {"scribbles", "writes over all shared memory", scribbles, NULL},
    {"unmaps_shared_memory", "unmaps all shared memory", unmaps_shared_memory, NULL},
    {"truncates_shared_memory", "truncates all open files", truncates_shared_memory, NULL},
    {"allocates_without_end", "allocates without end, then goes on", allocates_without_end, NULL},
    {"dies_of_hunger", "allocates without end and without a look at NULL", dies_of_hunger, NULL},
    {"maps_hugely", "maps 2^46 bytes", maps_hugely, NULL},
    {"asks_the_host_for_all", "asks the host for memory without end", asks_the_host_for_all, NULL},
    {"asks_for_2_to_the_60", "asks the host for 2^60 bytes", asks_for_2_to_the_60, NULL},
    {"asks_for_all_there_is", "asks the host for 2^64 - 1 bytes", asks_for_all_there_is, NULL},
    {"resizes_a_stranger", "resizes what the host did not give", resizes_a_stranger, NULL},
    {"fills_memory_files", "writes a file in memory without end", fills_memory_files, NULL},
    {"keeps_hugely", "has 2^31 bytes kept of 16", keeps_hugely, NULL},
    {0}};
