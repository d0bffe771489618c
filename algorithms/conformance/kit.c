/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kit: starts a process for each check, in the surroundings that the check wants, and reads what it says.
 */
#include "greeting.h"
#include "scene.h"

#include <corridor/array.h>
#include <corridor/conformance.h>
#include <corridor/guarantees.h>
#include <corridor/host.h>
#include <corridor/lines.h>
#include <corridor/loader.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *cor_conformance_name(size_t check) {
    static const char *const names[] = {
#define COR_CONFORMANCE_WORD(name, meaning) #name,
        COR_CONFORMANCE_CHECKS(COR_CONFORMANCE_WORD)
#undef COR_CONFORMANCE_WORD
    };
    return check < COR_CONFORMANCE_COUNT ? names[check] : NULL;
}

const char *cor_conformance_meaning(size_t check) {
    static const char *const meanings[] = {
#define COR_CONFORMANCE_MEANING(name, meaning) meaning,
        COR_CONFORMANCE_CHECKS(COR_CONFORMANCE_MEANING)
#undef COR_CONFORMANCE_MEANING
    };
    return check < COR_CONFORMANCE_COUNT ? meanings[check] : NULL;
}

#define LINE_MOST 65536u
#define MEMORY_MOST (UINT64_C(1) << 30) /* of what is checked, in a process */
#define MOMENT 0.2                      /* seconds, until somebody is asked whether to go on */
#define WALL_FACTOR 4. /* seconds in which nothing is heard, for each of CPU time that a check may take */

/* A digest with the task it is of. */
struct digest {
    uint32_t agents;
    uint64_t seed, digest;
};

struct digests {
    struct digest *list; /* owned */
    size_t capacity, count;
};

/* What is kept from check to check of one algorithm. */
struct kit {
    const struct cor_conformance_definition *definition;
    struct cor_conformance_report *report;
    struct cor_conformance_progress progress;
    struct digests base;
    time_t base_time;
    size_t endless; /* the check in which it did not come back, so that others are not asked; 0: none */
    struct cor_error *error;
};

static void tell(const struct kit *kit) {
    if (kit->definition->doing && !kit->definition->doing(kit->definition->self, &kit->progress))
        kit->report->is_stopped = true;
}

/* What one process said. */
struct hearing {
    struct kit *kit;
    struct cor_conformance_report *report;
    struct cor_conformance_finding *finding;
    struct digests digests;
    uint32_t agents; /* of the task it tried last */
    uint64_t seed;
    bool ended, is_quiet; /* it said all; nothing was heard for too long */
    struct cor_error *error;
};

static enum cor_status keep_text(char **kept, const char *text, struct cor_error *error) {
    if (*kept)
        return COR_OK;
    *kept = cor_strdup(text);
    return cor_made(*kept, error);
}

/* Name, version and shape, with tabs between. */
static enum cor_status hear_name(struct cor_conformance_report *report, const char *text,
                                 struct cor_error *error) {
    char name[1024], version[sizeof name], shape[sizeof name];
    if (sscanf(text, "%1023[^\t]\t%1023[^\t]\t%1023[^\t]", name, version, shape) != 3)
        return COR_OK;
    COR_TRY(keep_text(&report->name, name, error));
    COR_TRY(keep_text(&report->version, version, error));
    return keep_text(&report->shape, shape, error);
}

static void set_broken(struct hearing *hearing) {
    hearing->finding->verdict = COR_CONFORMANCE_BROKEN;
    hearing->finding->agents = hearing->agents;
    hearing->finding->seed = hearing->seed;
}

static enum cor_status hear_line(struct hearing *hearing, const char *line) {
    struct cor_conformance_finding *finding = hearing->finding;
    switch (line[0]) {
    case 'A':
        return hear_name(hearing->report, line + 1, hearing->error);
    case 'T':
        sscanf(line + 1, "%" SCNu32 " %" SCNu64, &hearing->agents, &hearing->seed);
        hearing->kit->progress.trials++;
        tell(hearing->kit);
        return COR_OK;
    case 'D': {
        struct digests *digests = &hearing->digests;
        COR_TRY(COR_RESERVE(&digests->list, &digests->capacity, digests->count + 1, hearing->error));
        digests->list[digests->count++] =
            (struct digest){hearing->agents, hearing->seed, strtoull(line + 1, NULL, 16)};
        return COR_OK;
    }
    case 'P':
        hearing->report->kind = COR_CONFORMANCE_PROCESS;
        return COR_OK;
    case 'W':
        hearing->report->kind = COR_CONFORMANCE_BESIDE;
        return COR_OK;
    case 'B':
        set_broken(hearing);
        return keep_text(&finding->said, line + 1, hearing->error);
    case 'R':
        return keep_text(&finding->remark, line + 1, hearing->error);
    case 'S':
        finding->verdict = COR_CONFORMANCE_NOT_APPLICABLE;
        return keep_text(&finding->said, line + 1, hearing->error);
    case 'E':
        finding->trials += strtoull(line + 1, NULL, 10);
        hearing->ended = true;
        return COR_OK;
    default:
        return line[0] == 'K' ? cor_fail(hearing->error, COR_STATUS_MEMORY, NULL, NULL, "%s", line + 1)
                              : COR_OK;
    }
}

/* How a process died that had more to say. */
static enum cor_status blame(const struct cor_lines *lines, struct hearing *hearing) {
    char said[256];
    cor_last_words_shorten(lines->last_words, said, sizeof said);
    for (char *c = said; *c; c++)
        *c = *c == '\n' || *c == '\r' ? ' ' : *c;
    set_broken(hearing);
    free(hearing->finding->said);
    hearing->finding->said = cor_strdup(said);
    return cor_made(hearing->finding->said, hearing->error);
}

/* What the life in the cell needs. */
struct birth {
    const struct conformance__scene *scene;
    const char *program;
    char *const *words, *const *environment;
};

static _Noreturn void live(void *argument) {
    const struct birth *birth = argument;
    conformance__scene_enter(birth->scene);
    execve(birth->program, birth->words, birth->environment);
    _exit(127);
}

#define WORDS_MOST 17

static bool is_program(const struct cor_conformance_report *report) {
    return report->shape && strstr(report->shape, "program");
}

bool cor_conformance_is_of_processes(const struct cor_conformance_report *report) {
    return report->kind == COR_CONFORMANCE_PROCESS;
}

/* The next line of a check; false: there is none, or nobody wants to hear it. Who works without end, or waits
 * without a pause, is its keeper's affair; who naps uses hardly any time, and never waits for long. Moments
 * are counted: of a machine that stands still there are none. */
static bool hear(struct cor_lines *lines, struct hearing *hearing, const char **line) {
    const double most = WALL_FACTOR * hearing->kit->definition->cpu_seconds;
    enum cor_turn turn = COR_TURN_LATE;
    for (uint32_t moments = 0; turn == COR_TURN_LATE && !hearing->report->is_stopped && !hearing->is_quiet;
         moments++) {
        turn = cor_lines_hear(lines, cor_now() + MOMENT, line);
        if (turn == COR_TURN_LATE)
            tell(hearing->kit);
        hearing->is_quiet = turn == COR_TURN_LATE && lines->asked.may_not_idle && moments * MOMENT > most;
    }
    return turn == COR_TURN_LINE && !hearing->report->is_stopped;
}

/* Who does not come back from the tasks that all checks ask comes back from no check. */
static bool is_endless(const struct cor_lines *lines, const struct hearing *hearing, size_t check) {
    const struct kit *kit = hearing->kit;
    return (hearing->is_quiet || cor_lines_death(lines) == COR_DEATH_CPU_TIME) &&
           (kit->report->kind == COR_CONFORMANCE_BESIDE || check == COR_CHECK_OF_results ||
            check == COR_CHECK_OF_repeatable);
}

/* One process: a check in a scene. What it says goes to `hearing`. */
static enum cor_status run_process(const struct cor_conformance_definition *definition, size_t check,
                                   const struct conformance__scene *scene, struct hearing *hearing) {
    char numbers[4][24], *words[WORDS_MOST], *environment[CONFORMANCE__VARIABLES + 1];
    struct cor_lines lines;
    size_t count = 0;
    snprintf(numbers[0], sizeof numbers[0], "%" PRIu32, definition->agents);
    snprintf(numbers[1], sizeof numbers[1], "%" PRId64, definition->seed);
    snprintf(numbers[2], sizeof numbers[2], "%u", scene->stack_fill);
    snprintf(numbers[3], sizeof numbers[3], "%d", scene->years);
    words[count++] = (char *)(uintptr_t)definition->program;
    for (const char *const *word = definition->words; word && *word && count < 8; word++)
        words[count++] = (char *)(uintptr_t)*word;
    words[count++] = (char *)(uintptr_t)definition->algorithm;
    words[count++] = (char *)(uintptr_t)cor_conformance_name(check);
    for (size_t i = 0; i < 4; i++)
        words[count++] = numbers[i];
    words[count++] = cor_conformance_is_of_processes(hearing->report) ? (char[]){"1"} : (char[]){"0"};
    words[count] = NULL;
    size_t word_bytes = 0;
    for (size_t i = 0; i < count; i++)
        word_bytes += strlen(words[i]) + 1;
    char *memory = conformance__scene_environment(scene, word_bytes, environment);
    struct birth birth = {scene, definition->program, words, environment};
    const struct cor_lines_definition life = {
        .command = definition->program,
        .is_path = true,
        .life = live,
        .argument = &birth,
        .line_most = LINE_MOST,
        .cpu_seconds = definition->cpu_seconds,
        .memory_bytes = cor_address_space(MEMORY_MOST),
        .may_not_idle = !is_program(hearing->report)}; /* who waits for a program, which has its own limits */
    hearing->ended = false;
    const char *line;
    enum cor_status status = cor_lines_init(&lines, &life, hearing->error);
    if (status == COR_OK)
        status = cor_made(memory, hearing->error);
    if (status == COR_OK)
        status = cor_lines_start(&lines, hearing->error);
    while (status == COR_OK && hear(&lines, hearing, &line))
        status = hear_line(hearing, line);
    cor_lines_end(&lines, hearing->report->is_stopped || hearing->is_quiet ? 0 : 5); /* else it has said
                                                                                       all, or is dying */
    if (hearing->is_quiet)
        snprintf(lines.last_words, sizeof lines.last_words,
                 "its process did not get on, and was ended: nothing was heard of it for %g s",
                 WALL_FACTOR * definition->cpu_seconds);
    if (status == COR_OK && !hearing->report->is_stopped &&
        (!hearing->ended || cor_lines_death(&lines) == COR_DEATH_SIGNAL)) {
        status = blame(&lines, hearing);
        if (is_endless(&lines, hearing, check))
            hearing->kit->endless = check;
    }
    cor_lines_fini(&lines);
    free(memory);
    return status;
}

static enum cor_status run_scene(struct kit *kit, size_t check, const struct conformance__scene *scene,
                                 struct digests *digests) {
    struct hearing hearing = {
        .kit = kit, .report = kit->report, .finding = &kit->report->finding[check], .error = kit->error};
    enum cor_status status = run_process(kit->definition, check, scene, &hearing);
    if (digests)
        *digests = hearing.digests;
    else
        free(hearing.digests.list);
    return status;
}

/* The first task whose outcome differs between two processes. */
static enum cor_status compare(struct kit *kit, size_t check, const struct digests *found) {
    struct cor_conformance_finding *finding = &kit->report->finding[check];
    for (size_t i = 0; i < found->count && i < kit->base.count; i++) {
        const struct digest *digest = &found->list[i];
        if (digest->digest == kit->base.list[i].digest || finding->verdict == COR_CONFORMANCE_BROKEN)
            continue;
        finding->verdict = COR_CONFORMANCE_BROKEN;
        finding->agents = digest->agents;
        finding->seed = digest->seed;
        return keep_text(&finding->said, "two processes give different outcomes for the same task",
                         kit->error);
    }
    return COR_OK;
}

static enum cor_status run_compared(struct kit *kit, size_t check) {
    struct cor_conformance_finding *finding = &kit->report->finding[check];
    if (kit->base.count == 0) {
        COR_TRY(run_scene(kit, check, conformance__scene_base(), &kit->base));
        kit->base_time = time(NULL);
        finding->trials = 0;
    }
    for (size_t i = 0; conformance__scene_of(check, i) && finding->verdict != COR_CONFORMANCE_BROKEN &&
                       !kit->report->is_stopped;
         i++) {
        struct digests found = {0};
        /* A program asks the clock itself: then it must be another second. */
        while (check == COR_CHECK_OF_clock && is_program(kit->report) && time(NULL) <= kit->base_time + 1)
            nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        enum cor_status status = run_scene(kit, check, conformance__scene_of(check, i), &found);
        if (status == COR_OK)
            status = compare(kit, check, &found);
        free(found.list);
        COR_TRY(status);
    }
    return COR_OK;
}

/* Those that all kinds are asked. */
static bool is_for_all(size_t check) {
    return check == COR_CHECK_OF_loads || check == COR_CHECK_OF_repeatable || check == COR_CHECK_OF_clock ||
           check == COR_CHECK_OF_addresses || check == COR_CHECK_OF_environment ||
           check == COR_CHECK_OF_uninitialised;
}

/* Whom a check is about alone. */
static const char *asked_alone(size_t check) {
    return check == COR_CHECK_OF_works      ? "mechanisms and monitors"
           : check >= COR_CHECK_OF_survives ? "distributed programs"
                                            : "algorithms";
}

static bool is_asked(const struct cor_conformance_report *report, size_t check) {
    if (is_for_all(check))
        return true;
    if (report->kind == COR_CONFORMANCE_BESIDE)
        return check == COR_CHECK_OF_works || check == COR_CHECK_OF_parameters;
    const bool is_of_processes = check >= COR_CHECK_OF_survives && check != COR_CHECK_OF_works;
    return check != COR_CHECK_OF_works && is_of_processes == cor_conformance_is_of_processes(report);
}

static bool is_wanted(const struct kit *kit, size_t check) {
    const char *only = kit->definition->only;
    return check == COR_CHECK_OF_loads || !only || strcmp(only, cor_conformance_name(check)) == 0;
}

/* Tells that the check begins. What it is has been found by then. */
static void begin(struct kit *kit, size_t check) {
    struct cor_conformance_progress *progress = &kit->progress;
    *progress = (struct cor_conformance_progress){.check = cor_conformance_name(check)};
    for (size_t i = 0; i < COR_CONFORMANCE_COUNT; i++) {
        const bool is_counted = is_wanted(kit, i) && is_asked(kit->report, i);
        progress->count += is_counted;
        progress->number += is_counted && i <= check;
    }
    tell(kit);
}

/* Checks that take two outcomes for different because something was different between them. */
static bool rests_on_repeatable(size_t check) {
    switch (check) {
    case COR_CHECK_OF_clock:
    case COR_CHECK_OF_addresses:
    case COR_CHECK_OF_environment:
    case COR_CHECK_OF_uninitialised:
    case COR_CHECK_OF_steps:
    case COR_CHECK_OF_faults:
    case COR_CHECK_OF_anytime:
    case COR_CHECK_OF_keeps:
    case COR_CHECK_OF_memory:
    case COR_CHECK_OF_lives:
        return true;
    default:
        return false;
    }
}

static enum cor_status run_check(struct kit *kit, size_t check) {
    struct cor_conformance_finding *finding = &kit->report->finding[check];
    double start = cor_now();
    const bool is_process = cor_conformance_is_of_processes(kit->report);
    if (!is_asked(kit->report, check)) {
        char text[64];
        if (!kit->definition->only) /* of what is another kind's nothing is said, unless it was asked for */
            return COR_OK;
        snprintf(text, sizeof text, "it is asked of %s alone", asked_alone(check));
        finding->verdict = COR_CONFORMANCE_NOT_APPLICABLE;
        return keep_text(&finding->said, text, kit->error);
    }
    if (kit->endless > 0) {
        finding->verdict = COR_CONFORMANCE_NOT_APPLICABLE;
        finding->said = cor_format("rests on its coming back: see %s", cor_conformance_name(kit->endless));
        return cor_made(finding->said, kit->error);
    }
    if (rests_on_repeatable(check) &&
        kit->report->finding[COR_CHECK_OF_repeatable].verdict == COR_CONFORMANCE_BROKEN) {
        finding->verdict = COR_CONFORMANCE_NOT_APPLICABLE;
        return keep_text(&finding->said,
                         is_process ? "rests on a schedule going one way: see repeatable"
                                    : "rests on a task giving one outcome: see repeatable",
                         kit->error);
    }
    if (check == COR_CHECK_OF_extremes &&
        kit->report->finding[COR_CHECK_OF_survives].verdict == COR_CONFORMANCE_BROKEN) {
        finding->verdict = COR_CONFORMANCE_NOT_APPLICABLE;
        return keep_text(&finding->said, "rests on living through less: see survives", kit->error);
    }
    begin(kit, check);
    if (kit->report->is_stopped)
        return COR_OK;
    COR_TRY(conformance__scene_of(check, 0) ? run_compared(kit, check)
                                            : run_scene(kit, check, conformance__scene_base(), NULL));
    if (finding->verdict == COR_CONFORMANCE_NOT_RUN && !kit->report->is_stopped)
        finding->verdict = COR_CONFORMANCE_HELD;
    finding->seconds = cor_now() - start;
    return COR_OK;
}

/* What it is: as the caller says, or as a program answers. Of names and modules the first check tells. */
static enum cor_status find_kind(struct kit *kit) {
    const char *text = kit->definition->algorithm;
    struct cor_conformance_report *report = kit->report;
    struct cor_conformance_finding *loads = &report->finding[COR_CHECK_OF_loads];
    struct cor_error said = COR_NO_ERROR;
    report->told = report->kind = kit->definition->kind;
    if (report->kind != COR_CONFORMANCE_UNKNOWN)
        return COR_OK;
    report->kind = COR_CONFORMANCE_ALGORITHM;
    if (!cor_conformance_is_command(text) && (!strchr(text, '/') || !cor_is_program_file(text)))
        return COR_OK;
    const enum cor_status status = conformance__greet(text, &report->kind, &said);
    if (status == COR_OK)
        return COR_OK;
    if (status != COR_STATUS_PLUGIN) {
        *kit->error = said;
        return status;
    }
    loads->verdict = COR_CONFORMANCE_BROKEN;
    loads->said = cor_format("%s; %s", said.cause, said.remedy);
    return cor_made(loads->said, kit->error);
}

enum cor_status cor_conformance_run(const struct cor_conformance_definition *definition,
                                    struct cor_conformance_report *report, struct cor_error *error) {
    struct kit kit = {.definition = definition, .report = report, .error = error};
    enum cor_status status = COR_OK;
    *report = (struct cor_conformance_report){.asked = cor_strdup(definition->algorithm)};
    COR_TRY(cor_made(report->asked, error));
    COR_TRY_OUT(find_kind(&kit));
    if (report->finding[COR_CHECK_OF_loads].verdict == COR_CONFORMANCE_NOT_RUN)
        COR_TRY_OUT(run_check(&kit, COR_CHECK_OF_loads));
    bool is_loaded = report->finding[COR_CHECK_OF_loads].verdict == COR_CONFORMANCE_HELD;
    for (size_t check = COR_CHECK_OF_loads + 1; is_loaded && check < COR_CONFORMANCE_COUNT; check++)
        if (is_wanted(&kit, check) && !report->is_stopped)
            COR_TRY_OUT(run_check(&kit, check));
out:
    free(kit.base.list);
    return status;
}

size_t cor_conformance_broken(const struct cor_conformance_report *report) {
    size_t count = 0;
    for (size_t i = 0; i < COR_CONFORMANCE_COUNT; i++)
        count += report->finding[i].verdict == COR_CONFORMANCE_BROKEN;
    return count;
}

void cor_conformance_report_fini(struct cor_conformance_report *report) {
    free(report->asked);
    free(report->name);
    free(report->version);
    free(report->shape);
    for (size_t i = 0; i < COR_CONFORMANCE_COUNT; i++) {
        free(report->finding[i].said);
        free(report->finding[i].remark);
    }
    *report = (struct cor_conformance_report){0};
}
