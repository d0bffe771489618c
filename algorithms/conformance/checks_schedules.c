/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of distributed programs that drawn schedules show: that one schedule goes one way, and that
 * processes live through what may happen to them. */
#include "schedules.h"

#include <corridor/array.h>
#include <corridor/cell.h>
#include <corridor/child.h>
#include <corridor/guarantees.h>
#include <corridor/hash.h>
#include <corridor/walls.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const uint32_t sizes[] = {1, 2, 3, 5, COR_PROCESSES_MAX, 0};

bool cor_conformance_is_command(const char *text) {
    return strchr(text, ' ') && cor_process_way_of(text) == COR_PROCESS_COMMAND && access(text, F_OK) != 0;
}

bool conformance__is_process(const char *text, bool is_said) {
    if (is_said || cor_process_builtin(text))
        return true;
    const bool is_module = cor_process_way_of(text) == COR_PROCESS_MODULE;
    void *handle = is_module ? dlopen(text, RTLD_NOW | RTLD_LOCAL) : NULL;
    const bool exports = handle && dlsym(handle, COR_PROCESS_SYMBOL);
    if (handle)
        dlclose(handle);
    return exports;
}

/* What a module would do to others - to whoever runs the kit first of all - is not done, and is the finding;
 * what it prints is nobody's. */
static enum cor_status shut_in(struct conformance__probe *probe, struct cor_error *error) {
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0)
        return cor_fail(error, COR_STATUS_FILE, "/dev/null", NULL, "cannot be opened");
    for (int file = 0; file <= 2; file++)
        dup2(nothing, file);
    close(nothing);
    (void)cor_walls_raise(COR_WALL_FILES | COR_WALL_SIGNALS | COR_WALL_TRACES, NULL, NULL);
    (void)cor_forbid_calls_of_program(); /* the kit's own timers are not among them */
    probe->is_limited = cor_limit_memory(cor_address_space(COR_GUEST_MEMORY), true);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* whoever it leaves behind is a child, then */
    return COR_OK;
}

enum cor_status conformance__process_open(struct conformance__probe *probe, const char *text,
                                          struct cor_error *error) {
    const struct cor_process_definition definition = {
        .program = text, .memory_bytes = (uint64_t)1 << 30, .answer_seconds = 10};
    probe->is_program = cor_process_way_of(text) == COR_PROCESS_COMMAND;
    COR_TRY(cor_process_open(&definition, &probe->program, error));
    if (cor_process_way_of(text) == COR_PROCESS_MODULE)
        COR_TRY(shut_in(probe, error));
    return cor_process_load(probe->program, error); /* whoever watches calls it */
}

static struct cor_stream_name name_of(uint32_t processes, uint64_t seed) {
    return (struct cor_stream_name){.seed = seed, .suite = processes, .identity = seed + 1};
}

/* What happened, in words. */
static void describe(const struct conformance__course *course, uint32_t event, char *text, size_t size) {
    if (event == 0 || event > course->count) {
        snprintf(text, size, "the start");
        return;
    }
    const struct cor_process_event *at = &course->events[event - 1];
    snprintf(text, size, "event %u, %s at process %u,", event,
             cor_process_event_kind_word((enum cor_process_event_kind)at->kind), at->process);
}

static bool repeats(struct conformance__probe *probe, struct cor_cluster *cluster,
                    const struct cor_stream_name *name, const struct conformance__course *course,
                    const char *where) {
    const uint32_t event = conformance__course_repeat(probe, cluster, name, course);
    char text[96];
    if (event == UINT32_MAX)
        return true;
    describe(course, event, text, sizeof text);
    conformance__probe_broken(probe, "the same schedule goes another way %s: %s has another outcome", where,
                              text);
    return false;
}

void conformance__check_schedules(struct conformance__probe *probe) {
    static struct conformance__course course, other;
    for (const uint32_t *n = sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < CONFORMANCE__SEEDS; seed++) {
            if (!conformance__probe_try_schedule(probe, *n, seed))
                continue;
            const struct cor_stream_name name = name_of(*n, seed), second = name_of(*n, seed + 1000);
            struct cor_cluster *cluster = conformance__cluster_create(probe, probe->program, *n);
            conformance__course_draw(probe, cluster, &name, CONFORMANCE__STORM, &course);
            if (repeats(probe, cluster, &name, &course, "the second time")) {
                conformance__course_draw(probe, cluster, &second, CONFORMANCE__EXTREME, &other);
                repeats(probe, cluster, &name, &course, "after another schedule");
            }
            cor_cluster_destroy(cluster);
            cluster = conformance__cluster_create(probe, probe->program, *n);
            repeats(probe, cluster, &name, &course, "in a fresh cluster");
            cor_cluster_destroy(cluster);
        }
}

void conformance__check_schedule_digests(struct conformance__probe *probe) {
    static struct conformance__course course;
    for (const uint32_t *n = sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < CONFORMANCE__SEEDS; seed++) {
            if (!conformance__probe_try_schedule(probe, *n, seed))
                continue;
            const struct cor_stream_name name = name_of(*n, seed);
            struct cor_cluster *cluster = conformance__cluster_create(probe, probe->program, *n);
            conformance__course_draw(probe, cluster, &name, CONFORMANCE__STORM, &course);
            uint64_t digest = COR_HASH_SEED;
            for (uint32_t i = 0; i <= course.count; i++)
                digest = cor_hash_word(digest, course.digests[i]);
            fprintf(probe->out, "D%llx\n", (unsigned long long)digest);
            fflush(probe->out);
            cor_cluster_destroy(cluster);
        }
}

/* A complaint is an answer: whoever finds itself broken says so. */
static void live_through(struct conformance__probe *probe, enum conformance__weather weather) {
    static struct conformance__course course;
    for (const uint32_t *n = sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < 2 * CONFORMANCE__SEEDS; seed++) {
            if (!conformance__probe_try_schedule(probe, *n, seed))
                continue;
            const struct cor_stream_name name = name_of(*n, seed);
            struct cor_cluster *cluster = conformance__cluster_create(probe, probe->program, *n);
            uint32_t process;
            const char *sentence;
            char text[96];
            conformance__course_draw(probe, cluster, &name, weather, &course);
            const enum cor_process_end end = cor_cluster_end(cluster, &process, &sentence);
            describe(&course, course.count, text, sizeof text);
            if (end != COR_PROCESS_END_NONE && end != COR_PROCESS_END_COMPLAINT)
                conformance__probe_broken(probe, "behind %s process %u ends the run (%s): %s", text, process,
                                          cor_process_end_word(end), sentence);
            cor_cluster_destroy(cluster);
        }
}

void conformance__check_survives(struct conformance__probe *probe) {
    live_through(probe, CONFORMANCE__STORM);
}

void conformance__check_extremes(struct conformance__probe *probe) {
    live_through(probe, CONFORMANCE__EXTREME);
}
