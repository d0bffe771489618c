/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The process of one check. Lines go to whoever started it: "P" that it is a distributed program, "W" that it
 * works beside algorithms, "A" who it is, "T" what is tried now, "D" a digest, "B" what is broken, "R" a
 * remark, "U" what was not reached, "S" why the check does not apply, "K" trouble of the kit, "E" the end. A
 * process that dies has said what it tried last. */
#define _DEFAULT_SOURCE /* ITIMER_PROF */
#include "internal.h"

#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

typedef void run_check(struct conformance__probe *probe);

static run_check *const runs[COR_CONFORMANCE_COUNT] = {
    [COR_CHECK_OF_results] = conformance__check_results,
    [COR_CHECK_OF_repeatable] = conformance__check_repeatable,
    [COR_CHECK_OF_clock] = conformance__check_digests,
    [COR_CHECK_OF_addresses] = conformance__check_digests,
    [COR_CHECK_OF_environment] = conformance__check_digests,
    [COR_CHECK_OF_uninitialised] = conformance__check_digests,
    [COR_CHECK_OF_steps] = conformance__check_steps,
    [COR_CHECK_OF_budget] = conformance__check_budget,
    [COR_CHECK_OF_sizes] = conformance__check_sizes,
    [COR_CHECK_OF_limits] = conformance__check_limits,
    [COR_CHECK_OF_parameters] = conformance__check_parameters,
    [COR_CHECK_OF_values] = conformance__check_values,
    [COR_CHECK_OF_kinds] = conformance__check_kinds,
    [COR_CHECK_OF_aims] = conformance__check_aims,
    [COR_CHECK_OF_faults] = conformance__check_faults,
    [COR_CHECK_OF_counters] = conformance__check_counters,
    [COR_CHECK_OF_anytime] = conformance__check_anytime,
    [COR_CHECK_OF_keeps] = conformance__check_keeps,
    [COR_CHECK_OF_memory] = conformance__check_memory,
    [COR_CHECK_OF_read_only] = conformance__check_read_only,
    [COR_CHECK_OF_mail] = conformance__check_mail,
    [COR_CHECK_OF_restarts] = conformance__check_restarts,
    [COR_CHECK_OF_decentralized] = conformance__check_decentralized};

/* Of distributed programs; NULL: they are not in this build. */
static const struct conformance__programs *const programs[] = {COR_WITH_PROCESS(&conformance__distributed, )
                                                                   NULL};

const char *cor_conformance_program(size_t index) {
    return programs[0] ? programs[0]->builtin(index) : NULL;
}

bool cor_conformance_is_program(const char *name) {
    size_t i = 0;
    while (cor_conformance_program(i) && strcmp(cor_conformance_program(i), name) != 0)
        i++;
    return cor_conformance_program(i) != NULL;
}

/* Of mechanisms and monitors. */
static run_check *const runs_beside[COR_CONFORMANCE_COUNT] = {
    [COR_CHECK_OF_repeatable] = conformance__check_beside_repeatable,
    [COR_CHECK_OF_clock] = conformance__check_beside_digests,
    [COR_CHECK_OF_addresses] = conformance__check_beside_digests,
    [COR_CHECK_OF_environment] = conformance__check_beside_digests,
    [COR_CHECK_OF_uninitialised] = conformance__check_beside_digests,
    [COR_CHECK_OF_parameters] = conformance__check_beside_parameters,
    [COR_CHECK_OF_works] = conformance__check_works};

/* A line, whatever the text holds. */
static void say(struct conformance__probe *probe, char kind, const char *format, va_list list) {
    char text[1024];
    vsnprintf(text, sizeof text, format, list);
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    fprintf(probe->out, "%c%s\n", kind, text);
    fflush(probe->out);
}

static void line(struct conformance__probe *probe, char kind, const char *format, ...) COR_PRINTF(3, 4);
static void line(struct conformance__probe *probe, char kind, const char *format, ...) {
    va_list list;
    va_start(list, format);
    say(probe, kind, format, list);
    va_end(list);
}

void conformance__probe_broken(struct conformance__probe *probe, const char *format, ...) {
    va_list list;
    va_start(list, format);
    if (!probe->broken)
        say(probe, 'B', format, list);
    va_end(list);
    probe->broken = true;
}

void conformance__probe_broken_together(struct conformance__probe *probe, const char *format, ...) {
    va_list list;
    va_start(list, format);
    if (!probe->broken) {
        line(probe, 'T', "0 0");
        say(probe, 'B', format, list);
    }
    va_end(list);
    probe->broken = true;
}

void conformance__probe_remark(struct conformance__probe *probe, const char *format, ...) {
    va_list list;
    va_start(list, format);
    say(probe, 'R', format, list);
    va_end(list);
}

void conformance__probe_unreached(struct conformance__probe *probe, const char *format, ...) {
    va_list list;
    va_start(list, format);
    say(probe, 'U', format, list);
    va_end(list);
}

static int patience_out = -1; /* where a signal handler says that patience is at its end */
static char patience_text[160];

static void lose_patience(int signal_number) {
    (void)signal_number;
    ssize_t written = write(patience_out, patience_text, strlen(patience_text));
    _exit(written < 0);
}

void conformance__probe_patience(struct conformance__probe *probe, int seconds, const char *what) {
    struct itimerval timer = {.it_value = {.tv_sec = seconds}};
    struct sigaction action = {.sa_handler = lose_patience};
    snprintf(patience_text, sizeof patience_text, "U%s: no answer within %d s of CPU time\nE%" PRIu64 "\n",
             what, seconds, probe->trials);
    patience_out = fileno(probe->out);
    sigemptyset(&action.sa_mask);
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &timer, NULL);
}

void conformance__probe_skip(struct conformance__probe *probe, const char *reason) {
    line(probe, 'S', "%s", reason);
}

_Noreturn void conformance__probe_end(struct conformance__probe *probe) {
    line(probe, 'E', "%" PRIu64, probe->trials);
    _exit(0);
}

void conformance__probe_trouble(struct conformance__probe *probe, enum cor_status status) {
    if (status == COR_OK)
        return;
    if (status == COR_STATUS_MEMORY && probe->is_limited) {
        conformance__probe_broken(probe, "it uses up the memory that a program may have");
        conformance__probe_end(probe);
    }
    line(probe, 'K', "%s", probe->error.cause[0] ? probe->error.cause : "out of memory");
    _exit(0);
}

bool conformance__probe_try_schedule(struct conformance__probe *probe, uint32_t processes, uint64_t seed) {
    if (probe->broken || probe->is_hung ||
        (probe->is_program && (processes > CONFORMANCE__PROGRAM_MOST || seed > 0)) ||
        (probe->only_agents > 0 && probe->only_agents != processes) ||
        (probe->only_seed >= 0 && (uint64_t)probe->only_seed != seed))
        return false;
    probe->trials++;
    line(probe, 'T', "%" PRIu32 " %" PRIu64, processes, seed);
    return true;
}

bool conformance__probe_try(struct conformance__probe *probe, uint32_t agents, uint64_t seed, uint32_t fault,
                            size_t mail) {
    if (probe->broken || (probe->is_program && agents > CONFORMANCE__PROGRAM_MOST && agents < 64) ||
        (probe->only_agents > 0 && probe->only_agents != agents) ||
        (probe->only_seed >= 0 && (uint64_t)probe->only_seed != seed))
        return false;
    conformance__probe_trouble(
        probe, conformance__trial_make(&probe->trial, probe->algorithm, agents, seed, &probe->error));
    probe->trial.rules.fault = fault;
    probe->trials++;
    line(probe, 'T', "%" PRIu32 " %" PRIu64 " %s %s", agents, seed,
         cor_algorithm_fault_name(probe->algorithm, fault),
         cor_term_word(COR_FAMILY_MAIL, (int)conformance__schedules[mail].mode));
    return true;
}

struct cor_session *conformance__probe_open(struct conformance__probe *probe,
                                            const struct cor_session_definition *definition) {
    struct cor_session *session;
    conformance__probe_trouble(probe, cor_session_create(definition, &session, &probe->error));
    return session;
}

__attribute__((noinline)) void conformance__fill_stack(unsigned char byte) {
    volatile unsigned char room[32768];
    for (size_t i = 0; i < sizeof room; i++)
        room[i] = byte;
}

uint64_t conformance__probe_run(struct conformance__probe *probe, struct cor_session *session,
                                const struct conformance__trial *trial) {
    cor_session_forget(session);
    conformance__fill_stack(probe->stack_fill);
    conformance__probe_trouble(
        probe, cor_session_reorganize(session, &trial->task, &trial->name, &probe->outcome, &probe->error));
    return cor_outcome_digest(&probe->outcome);
}

static bool is_same(const struct cor_session_definition *a, const struct cor_session_definition *b) {
    return a->mail.mode == b->mail.mode && a->memory_limit == b->memory_limit &&
           a->interim_units == b->interim_units && a->slice_units == b->slice_units &&
           a->agents.fault == b->agents.fault && a->cpu_seconds >= b->cpu_seconds &&
           a->cpu_seconds <= b->cpu_seconds;
}

uint64_t conformance__probe_fresh(struct conformance__probe *probe,
                                  const struct cor_session_definition *definition) {
    if (probe->is_program) {
        /* A program is not started anew for every task: that it answers alike then is the check
         * "repeatable". */
        if (probe->kept && !is_same(&probe->kept_definition, definition)) {
            cor_session_destroy(probe->kept);
            probe->kept = NULL;
        }
        if (!probe->kept)
            probe->kept = conformance__probe_open(probe, definition);
        probe->kept_definition = *definition;
        return conformance__probe_run(probe, probe->kept, &probe->trial);
    }
    struct cor_session *session = conformance__probe_open(probe, definition);
    uint64_t digest = conformance__probe_run(probe, session, &probe->trial);
    cor_session_destroy(session);
    return digest;
}

bool conformance__probe_declined(const struct conformance__probe *probe) {
    return probe->outcome.smoke == COR_SMOKE_COMPLAINED && probe->outcome.complaint[0];
}

bool conformance__probe_judge(struct conformance__probe *probe) {
    const struct cor_outcome *outcome = &probe->outcome;
    char text[128];
    if (conformance__probe_declined(probe))
        return true;
    if (outcome->smoke == COR_SMOKE_COMPLAINED)
        conformance__probe_broken(probe, "it fails without a word of why");
    else if (outcome->smoke != COR_SMOKE_NONE)
        conformance__probe_broken(probe, "it ends with smoke: %s%s%s",
                                  cor_term_word(COR_FAMILY_SMOKE, (int)outcome->smoke),
                                  outcome->complaint[0] ? ", " : "", outcome->complaint);
    else if (conformance__solution_trouble(&outcome->solution, probe->trial.task.agent_count, text,
                                           sizeof text))
        conformance__probe_broken(probe, "%s", text);
    return !probe->broken;
}

static void run_algorithm(struct conformance__probe *probe, const char *text, size_t check) {
    const enum cor_status status =
        cor_conformance_is_command(text)
            ? cor_registry_command(probe->registry, text, &probe->algorithm, &probe->error)
            : cor_registry_find(probe->registry, text, &probe->algorithm, &probe->error);
    if (status != COR_OK) {
        line(probe, 'B', "%s%s%s", probe->error.cause, probe->error.remedy[0] ? "; " : "",
             probe->error.remedy);
        return;
    }
    const struct cor_algorithm *algorithm = probe->algorithm;
    probe->is_program = cor_algorithm_is_program(algorithm);
    line(probe, 'A', "%s\t%s\t%s%s", algorithm->name, algorithm->version,
         algorithm->wake   ? "decentralised"
         : algorithm->step ? "centralised"
                           : "one-shot",
         probe->is_program ? " program" : "");
    conformance__slots_set((uintptr_t)algorithm->result, conformance__clock_slot);
    if (runs[check])
        runs[check](probe);
}

static void run_process(struct conformance__probe *probe, const char *text, size_t check) {
    if (programs[0]->open(probe, text, &probe->error) != COR_OK) {
        line(probe, 'B', "%s%s%s", probe->error.cause, probe->error.remedy[0] ? "; " : "",
             probe->error.remedy);
        return;
    }
    const struct cor_process *process = programs[0]->description(probe);
    line(probe, 'A', "%s\t%s\tprocesses%s", process->name, process->version,
         probe->is_program ? " program" : "");
    if (!probe->is_program)
        conformance__slots_set((uintptr_t)process->start, conformance__clock_slot);
    if (programs[0]->check[check])
        programs[0]->check[check](probe);
}

static void run_beside(struct conformance__probe *probe, const char *text, size_t check) {
    const char *shape;
    uintptr_t function;
    if (conformance__beside_load(probe, text, &shape, &function) != COR_OK) {
        line(probe, 'B', "%s%s%s", probe->error.cause, probe->error.remedy[0] ? "; " : "",
             probe->error.remedy);
        return;
    }
    line(probe, 'A', "%s\t%s\t%s", probe->algorithm->name, probe->algorithm->version, shape);
    conformance__slots_set(function, conformance__clock_slot);
    if (runs_beside[check])
        runs_beside[check](probe);
}

/* A name that is built in is that of an algorithm first. */
static bool is_algorithm(const struct conformance__probe *probe, const char *name) {
    bool found = false;
    for (uint32_t i = 0; i < cor_registry_size(probe->registry); i++)
        found = found || strcmp(cor_registry_at(probe->registry, i)->name, name) == 0;
    return found;
}

int cor_conformance_child(int count, char *const *words) {
    struct conformance__probe probe = {.only_seed = -1};
    size_t check = 0;
    if (count != 7)
        return 2;
    while (check < COR_CONFORMANCE_COUNT && strcmp(words[1], cor_conformance_name(check)) != 0)
        check++;
    int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    probe.out = kept >= 0 ? fdopen(kept, "w") : NULL;
    if (check == COR_CONFORMANCE_COUNT || !probe.out || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return 2;
    probe.only_agents = (uint32_t)strtoul(words[2], NULL, 10);
    probe.only_seed = strtoll(words[3], NULL, 10);
    probe.stack_fill = (unsigned char)strtoul(words[4], NULL, 10);
    setlocale(LC_ALL, ""); /* that of the scene, as a program may have it */
    cor_outcome_init(&probe.outcome);
    conformance__clock_years((int)strtol(words[5], NULL, 10));
    if (cor_registry_create(NULL, &probe.registry, &probe.error) != COR_OK)
        conformance__probe_trouble(&probe, COR_STATUS_MEMORY);
    const bool is_said = words[6][0] == '1';
    if (is_said && !programs[0])
        return 2;
    if (programs[0] && programs[0]->is_one(words[0], is_said)) {
        line(&probe, 'P', "%s", "");
        run_process(&probe, words[0], check);
    } else if (!is_algorithm(&probe, words[0]) && conformance__is_beside(words[0])) {
        line(&probe, 'W', "%s", "");
        run_beside(&probe, words[0], check);
    } else {
        run_algorithm(&probe, words[0], check);
    }
    line(&probe, 'E', "%" PRIu64, probe.trials);
    cor_session_destroy(probe.kept);
    conformance__trial_fini(&probe.trial);
    conformance__trial_fini(&probe.other);
    cor_outcome_fini(&probe.outcome);
    if (programs[0])
        programs[0]->close(&probe);
    cor_registry_destroy(probe.registry);
    fclose(probe.out);
    return 0;
}
