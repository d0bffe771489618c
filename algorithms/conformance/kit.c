/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to conformance: a process in a cell for each check, and what it says; asking a program in another
 * language what it is. */
#define _GNU_SOURCE /* personality */

#include <corridor/array.h>
#include <corridor/conformance.h>
#include <corridor/conversation.h>
#include <corridor/fields.h>
#include <corridor/guarantees.h>
#include <corridor/host.h>
#include <corridor/kinds.h>
#include <corridor/lines.h>
#include <corridor/loader.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <time.h>
#include <unistd.h>

/* ---- Private to conformance: the surroundings of a process. The base, and for each check that compares
 * processes others that differ from it in one thing */

#define CONFORMANCE__VARIABLES 24 /* of the environment, at most */

struct conformance__scene {
    const char *locale, *zone, *home, *user; /* variables of the environment */
    size_t environment_bytes;                /* of all variables together: where the stack begins */
    unsigned heap_fill, stack_fill;          /* bytes that fresh memory holds */
    int years;                               /* of the clock, from 2000 on */
    bool moves;                              /* to another place in memory at each start */
};

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

static const struct conformance__scene *scene_base(void) {
    return &base;
}

/* The scene number `index` that a check compares with the base; NULL: no more. */
static const struct conformance__scene *scene_of(size_t check, size_t index) {
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

/* Variables of the scene, ended by NULL, and the memory they are in, freed with free(); NULL when memory is
 * out. With the words of the command, of `word_bytes`, they have the same size for each scene that says so:
 * both lie on the stack, which is not to begin elsewhere for the length of a word. */
static char *scene_environment(const struct conformance__scene *scene, size_t word_bytes,
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

bool cor_conformance_is_command(const char *text) {
    const size_t length = strlen(text);
    const bool is_module = length > 3 && strcmp(text + length - 3, ".so") == 0;
    return strchr(text, ' ') && !is_module && access(text, F_OK) != 0;
}

/* ---- what a program in another language is. Algorithms and distributed programs are greeted by the same
 * line, and answer it otherwise: docs/look-up/corridor-protocol.7, docs/look-up/process-programs.md */

#define GREETING_SECONDS 10.0 /* to begin takes as long as it takes */
#define REMEDY                                                                                         \
    "an algorithm answers {\"id\":1,\"hello\":{..}} with {\"id\":1,\"protocol\":1,\"name\":..}: "      \
    "corridor-protocol(7)" COR_WITH_PROCESS("; a distributed program with {\"id\":1,\"process\":..}: " \
                                            "docs/look-up/process-programs.md")

/* By a member of the answer that no other kind has. A system beside its model answers like an algorithm. */
static enum cor_status kind_of(const struct cor_json *answer, enum cor_conformance_kind *kind,
                               struct cor_error *said) {
    static const char *const others[][2] = {{"agent", "an agent under test"},
                                            {"world", "a world of test agents"},
                                            {"policy", "a policy of test agents"}};
    struct cor_json member;
    *kind = cor_json_find(answer, "process", &member) ? COR_CONFORMANCE_PROCESS
            : cor_json_find(answer, "protocol", &member) || cor_json_find(answer, "failed", &member)
                ? COR_CONFORMANCE_ALGORITHM
                : COR_CONFORMANCE_UNKNOWN;
    if (*kind == COR_CONFORMANCE_PROCESS && cor_layer_absent("process"))
        return cor_json_fail(answer, said, cor_layer_absent("process"), "this is a distributed program");
    if (*kind != COR_CONFORMANCE_UNKNOWN)
        return COR_OK;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (cor_json_find(answer, others[i][0], &member))
            return cor_json_fail(answer, said, NULL, "this is %s", others[i][1]);
    return cor_json_fail(answer, said, NULL,
                         COR_WITH_PROCESS("neither \"protocol\" nor \"process\"")
                             COR_WITHOUT_PROCESS("no \"protocol\"") " is in it");
}

/* Starts the program, a command for sh or the path of a file, says hello as to an algorithm and a distributed
 * program alike, and ends it. COR_STATUS_PLUGIN: by what it says, or does not say, it is neither. */
static enum cor_status conformance__greet(const char *text, enum cor_conformance_kind *kind,
                                          struct cor_error *error) {
    const struct cor_lines_definition lines = {.command = text,
                                               .is_path = !cor_conformance_is_command(text),
                                               .line_most = COR_LINE_MOST,
                                               .is_walled = true,
                                               .memory_bytes = cor_address_space(COR_GUEST_MEMORY)};
    struct cor_conversation talk;
    struct cor_error said = COR_NO_ERROR;
    enum cor_status status = cor_conversation_init(&talk, &lines, GREETING_SECONDS, error);
    *kind = COR_CONFORMANCE_UNKNOWN;
    if (status == COR_OK)
        status = cor_lines_check(&talk.lines, error);
    if (status == COR_OK)
        status = cor_conversation_start(&talk, error);
    if (status == COR_OK) {
        cor_bytes_print(cor_conversation_begin(&talk, "hello"), "{\"protocol\":1}");
        status = cor_conversation_ask(&talk, 0, error);
    }
    if (status == COR_OK && talk.exchange == COR_EXCHANGE_WELL) {
        const struct cor_json answer = cor_json_root(talk.answer);
        status = kind_of(&answer, kind, &said);
        if (status != COR_OK)
            status = cor_conversation_garble(&talk, status, &said, error);
    }
    if (status == COR_OK && talk.exchange != COR_EXCHANGE_WELL)
        status = cor_conversation_refuse(&talk, REMEDY, error);
    if (status == COR_OK)
        cor_conversation_part(&talk);
    cor_conversation_fini(&talk);
    return status;
}

/* ---- the kit: starts a process for each check, in the surroundings that the check wants, and reads what it
 * says */

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
#define NAP_SHARE 0.02 /* of these it works less: whom a busy machine keeps from working gets more */

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
        free(finding->said); /* what was not reached matters no more */
        finding->said = NULL;
        return keep_text(&finding->said, line + 1, hearing->error);
    case 'R':
        return keep_text(&finding->remark, line + 1, hearing->error);
    case 'U':
        if (finding->verdict != COR_CONFORMANCE_BROKEN)
            finding->verdict = COR_CONFORMANCE_UNDECIDED;
        if (!finding->said)
            finding->said = cor_format("not reached: %s", line + 1);
        return cor_made(finding->said, hearing->error);
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

/* What the life in the cell needs. */
struct birth {
    const struct conformance__scene *scene;
    const char *program;
    char *const *words, *const *environment;
};

static _Noreturn void live(void *argument) {
    const struct birth *birth = argument;
    /* What must be so before the program is started. */
    const struct conformance__scene *scene = birth->scene;
    int now = personality(0xffffffff);
    if (now >= 0)
        (void)personality(scene->moves ? (unsigned long)now & ~(unsigned long)ADDR_NO_RANDOMIZE
                                       : (unsigned long)now | ADDR_NO_RANDOMIZE);
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
    const uint32_t worked = atomic_load(&lines->cell.grave->worked);
    enum cor_turn turn = COR_TURN_LATE;
    for (uint32_t moments = 0; turn == COR_TURN_LATE && !hearing->report->is_stopped && !hearing->is_quiet;
         moments++) {
        turn = cor_lines_hear(lines, cor_now() + MOMENT, line);
        if (turn == COR_TURN_LATE)
            tell(hearing->kit);
        const double quiet = moments * MOMENT,
                     work = 1e-3 * (atomic_load(&lines->cell.grave->worked) - worked);
        hearing->is_quiet =
            turn == COR_TURN_LATE && lines->asked.may_not_idle && quiet > most && work < NAP_SHARE * quiet;
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
    char *memory = scene_environment(scene, word_bytes, environment);
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
        /* How a process died that had more to say. */
        char said[256];
        cor_last_words_shorten(lines.last_words, said, sizeof said);
        for (char *c = said; *c; c++)
            *c = *c == '\n' || *c == '\r' ? ' ' : *c;
        set_broken(hearing);
        free(hearing->finding->said);
        hearing->finding->said = cor_strdup(said);
        status = cor_made(hearing->finding->said, hearing->error);
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
        COR_TRY(run_scene(kit, check, scene_base(), &kit->base));
        kit->base_time = time(NULL);
        finding->trials = 0;
    }
    for (size_t i = 0;
         scene_of(check, i) && finding->verdict != COR_CONFORMANCE_BROKEN && !kit->report->is_stopped; i++) {
        struct digests found = {0};
        /* A program asks the clock itself: then it must be another second. */
        while (check == COR_CHECK_OF_clock && is_program(kit->report) && time(NULL) <= kit->base_time + 1)
            nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        enum cor_status status = run_scene(kit, check, scene_of(check, i), &found);
        if (status == COR_OK)
            status = compare(kit, check, &found);
        free(found.list);
        COR_TRY(status);
    }
    return COR_OK;
}

/* Whom a check is about alone. */
static const char *asked_alone(size_t check) {
    return check == COR_CHECK_OF_works            ? "mechanisms and monitors"
           : check >= COR_CHECK_FIRST_OF_PROGRAMS ? "distributed programs"
                                                  : "algorithms";
}

static bool is_asked(const struct cor_conformance_report *report, size_t check) {
    /* Those that all kinds are asked. */
    if (check == COR_CHECK_OF_loads || check == COR_CHECK_OF_repeatable || check == COR_CHECK_OF_clock ||
        check == COR_CHECK_OF_addresses || check == COR_CHECK_OF_environment ||
        check == COR_CHECK_OF_uninitialised)
        return true;
    if (report->kind == COR_CONFORMANCE_BESIDE)
        return check == COR_CHECK_OF_works || check == COR_CHECK_OF_parameters;
    const bool is_of_processes = check >= COR_CHECK_FIRST_OF_PROGRAMS && check != COR_CHECK_OF_works;
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
        COR_WITH_PROCESS(case COR_CHECK_OF_lives:)
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
    COR_WITH_PROCESS(if (check == COR_CHECK_OF_extremes &&
                         kit->report->finding[COR_CHECK_OF_survives].verdict == COR_CONFORMANCE_BROKEN) {
        finding->verdict = COR_CONFORMANCE_NOT_APPLICABLE;
        return keep_text(&finding->said, "rests on living through less: see survives", kit->error);
    })
    begin(kit, check);
    if (kit->report->is_stopped)
        return COR_OK;
    COR_TRY(scene_of(check, 0) ? run_compared(kit, check) : run_scene(kit, check, scene_base(), NULL));
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
    COR_FREE(report->asked, report->name, report->version, report->shape);
    for (size_t i = 0; i < COR_CONFORMANCE_COUNT; i++) {
        COR_FREE(report->finding[i].said, report->finding[i].remark);
    }
    *report = (struct cor_conformance_report){0};
}
