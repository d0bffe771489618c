/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A clock that stands where the kit puts it, for a module: the slots through which the module calls the C
 * library's clocks are pointed at the functions here. The processor's own counter is not reached. */
#define _GNU_SOURCE /* dladdr1 */

#include "internal.h"

#include <corridor/array.h>

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
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

/* ---- trial */

const uint32_t conformance__sizes[] = {1, 2, 3, 4, 5, 7, 10, 16, 25, 40, 0};

const struct cor_mail_schedule conformance__schedules[CONFORMANCE__SCHEDULES] = {
    {.mode = COR_MAIL_IN_ORDER},
    {.mode = COR_MAIL_SHUFFLED},
    {.mode = COR_MAIL_DELAYED, .delay_max = 5},
    {.mode = COR_MAIL_LOSSY, .loss_ratio = 0.05},
    {.mode = COR_MAIL_DUPLICATED, .duplicate_ratio = 0.05}};

void conformance__trial_fini(struct conformance__trial *trial) {
    COR_FREE(trial->values, trial->columns, trial->described, trial->needs, trial->parameters, trial->members,
             trial->start);
    *trial = (struct conformance__trial){0};
}

/* What the columns are: the value, and whatever the algorithm says that it needs. */
static enum cor_status describe_columns(struct conformance__trial *trial,
                                        const struct cor_algorithm *algorithm, uint32_t needs,
                                        struct cor_error *error) {
    if (trial->columns)
        return COR_OK;
    trial->columns = cor_calloc((size_t)needs + 1, sizeof(double *));
    trial->described = cor_calloc((size_t)needs + 1, sizeof *trial->described);
    trial->needs = cor_calloc((size_t)needs + 1, sizeof *trial->needs);
    if (!trial->columns || !trial->described || !trial->needs)
        return cor_fail_memory(error);
    trial->described[0] = (struct cor_value_column){.name = "value", .unit = "", .max = 1};
    for (uint32_t i = 0; i < needs; i++) {
        char *name = trial->needs[i][0], *unit = trial->needs[i][1];
        const bool is_said = cor_algorithm_need(algorithm->needs[i], name, unit);
        COR_ASSERT(is_said);
        trial->described[1 + i] = (struct cor_value_column){.name = name, .unit = unit, .max = 1};
    }
    return COR_OK;
}

enum cor_status conformance__trial_make(struct conformance__trial *trial,
                                        const struct cor_algorithm *algorithm, uint32_t n, uint64_t seed,
                                        struct cor_error *error) {
    uint32_t count = cor_algorithm_parameter_count(algorithm), needs = 0;
    while (algorithm->needs && algorithm->needs[needs])
        needs++;
    COR_TRY(describe_columns(trial, algorithm, needs, error));
    if (!trial->parameters)
        trial->parameters = cor_calloc((size_t)count + 1, sizeof *trial->parameters);
    if (n > trial->capacity) {
        COR_FREE(trial->values, trial->members, trial->start);
        trial->values = cor_calloc((size_t)n * (needs + 1), sizeof *trial->values);
        trial->members = cor_calloc(n, sizeof *trial->members);
        trial->start = cor_calloc((size_t)n + 1, sizeof *trial->start);
        trial->capacity = trial->values && trial->members && trial->start ? n : 0;
    }
    if (!trial->parameters || trial->capacity < n)
        return cor_fail_memory(error);
    struct cor_rng rng =
        cor_rng_named(&(struct cor_stream_name){.seed = seed, .suite = n, .purpose = COR_PURPOSE_TEST});
    for (uint32_t i = 0; i < n; i++) {
        trial->values[i] = cor_rng_unit(&rng);
        trial->members[i] = i;
    }
    cor_rng_shuffle(&rng, trial->members, n);
    for (uint32_t i = 0; i < count; i++)
        trial->parameters[i] = algorithm->parameters[i].value;
    for (uint32_t column = 0; column <= needs; column++)
        trial->columns[column] = trial->values + (size_t)column * n;
    for (size_t i = n; i < (size_t)n * (needs + 1); i++)
        trial->values[i] = cor_rng_unit(&rng);
    trial->rules = cor_default_rules(algorithm, &COR_NO_LIMITS, 0.05, trial->parameters);
    trial->rules.value_count = 1 + needs;
    trial->rules.columns = trial->described;
    trial->rules.budget = CONFORMANCE__BUDGET;
    trial->start[0] = 0;
    uint32_t k = 1 + cor_rng_below(&rng, n);
    /* Borders of blocks at random places: about `k` blocks. */
    uint32_t last = 0;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t draw = cor_rng_below(&rng, n);
        if (draw < k)
            trial->start[++last] = i;
    }
    trial->start[last + 1] = n;
    trial->task = (struct cor_task){.struct_size = sizeof trial->task,
                                    .agent_count = n,
                                    .rules = &trial->rules,
                                    .values = trial->columns,
                                    .block_count = last + 1,
                                    .block_start = trial->start,
                                    .members = trial->members};
    trial->name = (struct cor_stream_name){.seed = seed, .suite = n, .identity = seed + 1};
    /* Limits that the present structure keeps, so that a solution exists. */
    uint32_t least = UINT32_MAX, most = 0, blocks = trial->task.block_count;
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t size = trial->start[b + 1] - trial->start[b];
        least = size < least ? size : least;
        most = size > most ? size : most;
    }
    trial->rules.size_min = least;
    trial->rules.size_max = most;
    trial->rules.count_min = blocks > 1 ? blocks - 1 : 1;
    trial->rules.count_max = blocks + 1;
    return COR_OK;
}

void conformance__trial_cut(struct conformance__trial *trial, uint32_t k) {
    uint32_t n = trial->task.agent_count;
    for (uint32_t b = 0; b <= k; b++)
        trial->start[b] = (uint32_t)((uint64_t)b * n / k);
    trial->task.block_count = k;
    trial->rules.size_min = trial->rules.count_min = 1;
    trial->rules.size_max = trial->rules.count_max = COR_NO_LIMIT;
}

bool conformance__solution_trouble(const struct cor_lists *solution, uint32_t n, char *text, size_t size) {
    unsigned char *seen = cor_calloc(n, 1);
    COR_ASSERT(seen);
    text[0] = '\0';
    for (uint32_t i = 0; i < solution->member_count && !text[0]; i++) {
        uint32_t agent = solution->members[i];
        if (agent >= n)
            snprintf(text, size, "the solution lists agent %u of %u", agent, n);
        else if (seen[agent]++)
            snprintf(text, size, "the solution lists agent %u twice", agent);
    }
    for (uint32_t i = 0; i < n && !text[0]; i++)
        if (!seen[i])
            snprintf(text, size, "agent %u is missing in the solution", i);
    for (uint32_t b = 0; b < solution->block_count && !text[0]; b++)
        if (cor_lists_size(solution, b) == 0)
            snprintf(text, size, "partition %u of the solution is empty", b);
    free(seen);
    return text[0] != '\0';
}
