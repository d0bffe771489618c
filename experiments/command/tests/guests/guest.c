/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* dladdr */
#include "guest.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PHASE, AFTER, NUMBER, PARAMETER_COUNT };
enum { BEGIN, STEP, RESULT, ADOPT, END };

static const struct guest_row *const lists[] = {guest_endings, guest_families, guest_memories, guest_worlds,
                                                guest_answers};
enum { LIST_COUNT = sizeof lists / sizeof *lists, MOST = 256 };

static struct guest_row rows[MOST]; /* all of the lists, in the order of the faults */
static struct cor_fault faults[MOST];

/* The module's only state: what the host knows too. */
struct guest {
    uint32_t told; /* reorganizations of this sequence before this one */
    uint32_t block[GUEST_AGENTS];
};

static struct guest *guest_of(void *state) {
    return state;
}

enum cor_progress guest_deal(const struct call *call, uint32_t turn) {
    const struct cor_task *task = call->task;
    uint32_t n = task->agent_count, k = task->block_count;
    uint32_t *members = call->host->alloc(call->host, n * sizeof *members);
    if (!members)
        return COR_FAILED;
    for (uint32_t b = 0; b < k; b++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < n; i++)
            if ((i + turn) % k == b) {
                members[count++] = i;
                call->block[i] = b;
            }
        call->host->put_block(call->host, members, count);
    }
    return COR_DONE;
}

/* In a namespace of processes of its own: it has a number there and one in ours; or nobody else is to be
 * seen. */
int guest_is_contained(void) {
    FILE *status = fopen("/proc/self/status", "re");
    char line[256];
    int outer, inner, depth = 2, processes = 0;
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, "NSpid:", 6) == 0)
            depth = sscanf(line + 6, "%d %d", &outer, &inner);
    if (status)
        fclose(status);
    DIR *all = opendir("/proc");
    for (struct dirent *entry; all && (entry = readdir(all));)
        processes += entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
    if (all)
        closedir(all);
    return depth == 2 || processes < 8;
}

void guest_path(char *path, size_t size, const char *name) {
    Dl_info info = {0};
    dladdr((const void *)faults, &info);
    const char *file = info.dli_fname ? info.dli_fname : "./";
    const char *slash = strrchr(file, '/');
    snprintf(path, size, "%.*s%s", slash ? (int)(slash + 1 - file) : 0, file, name);
}

void guest_sleep(void) {
    for (;;)
        pause();
}

/* The deed of this reorganization in this function, NULL if there is none. */
static const struct guest_row *row_for(const struct guest *guest, const struct cor_rules *rules, int phase) {
    if (rules->fault == 0 || (int)rules->parameters[PHASE] != phase ||
        guest->told < (uint32_t)rules->parameters[AFTER])
        return NULL;
    return &rows[rules->fault - 1];
}

static void misbehave(const struct guest *guest, const struct call *call, int phase) {
    const struct guest_row *row = row_for(guest, call->task->rules, phase);
    if (!row)
        return;
    call->host->fault->reached++, call->host->fault->held++, call->host->fault->activated++;
    if (row->deed)
        row->deed(call);
}

static enum cor_progress begin(void *state, const struct cor_task *task, const struct cor_host *host) {
    struct guest *guest = state;
    if (task->kept_size == sizeof guest->told)
        memcpy(&guest->told, task->kept, sizeof guest->told);
    uint32_t next = guest->told + 1;
    host->keep(host, &next, sizeof next);
    misbehave(guest, &(struct call){task, host, guest_of(state)->block}, BEGIN);
    return COR_CONTINUE;
}

static enum cor_progress step(void *state, const struct cor_task *task, const struct cor_host *host,
                              uint64_t units) {
    (void)units;
    ++*host->spent;
    misbehave(state, &(struct call){task, host, guest_of(state)->block}, STEP);
    return COR_DONE;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    const struct call call = {task, host, guest_of(state)->block};
    misbehave(state, &call, RESULT);
    const struct guest_row *row = row_for(state, task->rules, RESULT);
    if (!row || !row->answer)
        return guest_deal(&call, 0);
    host->fault->in_result = 1;
    return row->answer(&call);
}

static enum cor_progress adopt(void *state, const struct cor_task *task, const struct cor_host *host) {
    misbehave(state, &(struct call){task, host, guest_of(state)->block}, ADOPT);
    for (uint32_t i = 0; i < task->agent_count; i++)
        host->move(host, i, guest_of(state)->block[i]);
    return COR_DONE;
}

static void at(const char *when);

static void end(void *state, const struct cor_host *host) {
    (void)state;
    (void)host;
    at("in_end");
}

/* A module called on_load-exits.so does that deed while it is loaded. */
static const struct guest_row *row_of_name(const char *when) {
    Dl_info info = {0};
    dladdr((const void *)faults, &info);
    const char *slash = info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
    const char *name = slash ? slash + 1 : "";
    if (strncmp(name, when, strlen(when)) != 0 || name[strlen(when)] != '-')
        return NULL;
    name += strlen(when) + 1;
    for (size_t i = 0; i < MOST && rows[i].name; i++)
        if (strncmp(name, rows[i].name, strlen(rows[i].name)) == 0 && name[strlen(rows[i].name)] == '.')
            return &rows[i];
    return NULL;
}

static void at(const char *when) {
    const struct guest_row *row = row_of_name(when);
    if (row && row->deed)
        row->deed(&(struct call){0});
}

static void at_exit(void) {
    at("at_exit");
}

__attribute__((constructor)) static void load(void) {
    size_t count = 0;
    for (size_t i = 0; i < LIST_COUNT; i++)
        for (const struct guest_row *row = lists[i]; row->name && count + 1 < MOST; row++) {
            rows[count] = *row;
            faults[count++] = (struct cor_fault){row->name, row->meaning};
        }
    if (row_of_name("at_exit"))
        atexit(at_exit);
    at("on_load");
}

__attribute__((destructor)) static void unload(void) {
    at("on_unload");
}

static const struct cor_parameter parameters[] = {
    [PHASE] = {"phase", "1", "where: 0 begin, 1 step, 2 result, 3 adopt", RESULT, BEGIN, ADOPT, 1},
    [AFTER] = {"after", "1", "sound reorganizations of a sequence before", 1, 0, 1000, 1},
    [NUMBER] = {"number", "1", "of the signal that is raised", 15, 1, 64, 1},
    {0}};

static const struct cor_counter counters[] = {{"dealt", "whatever its deeds count", 2}, {0}};

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {COR_ALGORITHM,
                                                   .name = "guest",
                                                   .version = "1",
                                                   .summary = "deals agents out; its faults are misdeeds",
                                                   .budget_unit = "turns",
                                                   .capabilities = COR_KEEPS,
                                                   .state_size = sizeof(struct guest),
                                                   .parameters = parameters,
                                                   .counters = counters,
                                                   .faults = faults,
                                                   .begin = begin,
                                                   .step = step,
                                                   .result = result,
                                                   .adopt = adopt,
                                                   .end = end};
