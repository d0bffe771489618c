/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The process of one check. Lines go to whoever started it: "P" that it is a distributed program, "W" that it
 * works beside algorithms, "A" who it is, "T" what is tried now, "D" a digest, "B" what is broken, "R" a
 * remark, "U" what was not reached, "S" why the check does not apply, "K" trouble of the kit, "E" the end. A
 * process that dies has said what it tried last.
 *
 * Checks of algorithms: they look at one outcome; every task, however odd, is answered or declined. */
#define _DEFAULT_SOURCE /* ITIMER_PROF */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/course.h>

#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

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

/* With all trials, none of which shows it alone. */
COR_PRINTF(2, 3)
static void probe_broken_together(struct conformance__probe *probe, const char *format, ...) {
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

/* What was not reached: the check has no verdict, unless something is broken. */
COR_PRINTF(2, 3)
static void probe_unreached(struct conformance__probe *probe, const char *format, ...) {
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

/* From now on: ends the process, with `what` as not reached, after so many seconds of CPU time. 0:
 * never. */
static void probe_patience(struct conformance__probe *probe, int seconds, const char *what) {
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

/* A session for the algorithm; the process ends where the kit itself is in trouble. */
static struct cor_session *probe_open(struct conformance__probe *probe,
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

/* One reorganization of `trial`, as the first of a sequence: its digest. */
static uint64_t probe_run(struct conformance__probe *probe, struct cor_session *session,
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

/* The same in a session of its own; of a program, in one that was asked for before alike. */
static uint64_t probe_fresh(struct conformance__probe *probe,
                            const struct cor_session_definition *definition) {
    if (probe->is_program) {
        /* A program is not started anew for every task: that it answers alike then is the check
         * "repeatable". */
        if (probe->kept && !is_same(&probe->kept_definition, definition)) {
            cor_session_destroy(probe->kept);
            probe->kept = NULL;
        }
        if (!probe->kept)
            probe->kept = probe_open(probe, definition);
        probe->kept_definition = *definition;
        return probe_run(probe, probe->kept, &probe->trial);
    }
    COR_DESTROYED(cor_session) struct cor_session *session = probe_open(probe, definition);
    return probe_run(probe, session, &probe->trial);
}

/* Whether the last outcome is a refusal with words. */
static bool probe_declined(const struct conformance__probe *probe) {
    return probe->outcome.smoke == COR_SMOKE_COMPLAINED && probe->outcome.complaint[0];
}

/* Says what is broken with probe->outcome, and returns false: neither a partitioning nor a refusal with
 * words. */
static bool probe_judge(struct conformance__probe *probe) {
    const struct cor_outcome *outcome = &probe->outcome;
    char text[128];
    if (probe_declined(probe))
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

/* One reorganization in a fresh session, mail as in conformance__schedules[mail]. */
static void answer(struct conformance__probe *probe, size_t mail) {
    struct cor_session_definition definition = cor_default_session(probe->algorithm);
    definition.mail = conformance__schedules[mail];
    probe_fresh(probe, &definition);
}

/* The same, where it may take long: after so many seconds of CPU time, of a module by the clock of this
 * process, of a program by that of its keeper, `what` was not reached, and false. */
static bool answer_in(struct conformance__probe *probe, int seconds, const char *what) {
    struct cor_session_definition definition = cor_default_session(probe->algorithm);
    definition.mail = conformance__schedules[0];
    if (probe->is_program)
        definition.cpu_seconds = seconds;
    probe_patience(probe, seconds, what);
    probe_fresh(probe, &definition);
    probe_patience(probe, 0, what);
    const bool hung = probe->is_program && probe->outcome.smoke == COR_SMOKE_HUNG;
    if (hung)
        probe_unreached(probe, "%s: no answer within %d s of CPU time", what, seconds);
    return !hung;
}

/* Limits of the present trial that the solution breaks, for who promises to keep them. */
static void judge_limits(struct conformance__probe *probe) {
    const struct cor_rules *rules = &probe->trial.rules;
    const struct cor_lists *solution = &probe->outcome.solution;
    if (!(probe->algorithm->capabilities & COR_LIMITS) || probe->outcome.smoke != COR_SMOKE_NONE)
        return;
    if (solution->block_count < rules->count_min || solution->block_count > rules->count_max)
        conformance__probe_broken(probe, "%u partitions, which should be %u to %u", solution->block_count,
                                  rules->count_min, rules->count_max);
    for (uint32_t b = 0; b < solution->block_count; b++) {
        uint32_t size = cor_lists_size(solution, b);
        if (size < rules->size_min || size > rules->size_max)
            conformance__probe_broken(probe, "a partition of %u, which should be %u to %u", size,
                                      rules->size_min, rules->size_max);
    }
}

static void check_results(struct conformance__probe *probe) {
    uint64_t declined = 0;
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < 2 * CONFORMANCE__SEEDS; seed++) {
            if (!conformance__probe_try(probe, *n, seed, 0, 0))
                continue;
            answer(probe, 0);
            if (!probe_judge(probe))
                return;
            judge_limits(probe);
            if (probe_declined(probe) && declined++ == 0)
                conformance__probe_remark(probe, "declines %u agents: %s", *n, probe->outcome.complaint);
        }
    if (declined > 0 && declined == probe->trials)
        probe_broken_together(probe, "it declines every task: %s", probe->outcome.complaint);
}

/* Who works within a budget of units, not all at once. */
static void check_budget(struct conformance__probe *probe) {
    static const uint64_t budgets[] = {1, 2, 3, 10, 100};
    if (!probe->algorithm->step && !probe->algorithm->wake) {
        conformance__probe_skip(probe, "a one-shot algorithm has no steps that a budget could end");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < sizeof budgets / sizeof *budgets; seed++) {
            if (!conformance__probe_try(probe, *n, seed, 0, 0))
                continue;
            probe->trial.rules.budget = budgets[seed];
            answer(probe, 0);
            if (probe->outcome.spent > budgets[seed])
                conformance__probe_broken(probe, "it spent %" PRIu64 " of a budget of %" PRIu64,
                                          probe->outcome.spent, budgets[seed]);
            probe_judge(probe);
        }
}

/* Huge ones may take too long, or too much memory: then nothing is known of them. */
static void try_huge(struct conformance__probe *probe) {
    static const uint32_t sizes[] = {1000, 10000, 100000};
    char what[64];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (!conformance__probe_try(probe, sizes[i], 0, 0, 0))
            continue;
        probe->trial.rules.budget = 20;
        conformance__trial_cut(&probe->trial, sizes[i] / 10);
        snprintf(what, sizeof what, "%u agents", sizes[i]);
        if (!answer_in(probe, 2, what))
            return;
        if (probe->outcome.smoke == COR_SMOKE_MEMORY)
            probe_unreached(probe, "%s: not within 256 MiB of memory", what);
        else if (probe_declined(probe))
            conformance__probe_remark(probe, "%s: %s", what, probe->outcome.complaint);
        if (probe->outcome.smoke == COR_SMOKE_MEMORY || probe_declined(probe))
            return;
        probe_judge(probe);
    }
}

static void check_sizes(struct conformance__probe *probe) {
    static const uint32_t sizes[] = {1, 2, 2, 3, 10, 10, 64};
    static const uint32_t blocks[] = {1, 1, 2, 3, 1, 10, 64};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (conformance__probe_try(probe, sizes[i], i, 0, 0)) {
            conformance__trial_cut(&probe->trial, blocks[i]);
            answer(probe, 0);
            probe_judge(probe);
        }
    try_huge(probe);
}

/* Whether `n` agents can be cut within the limits. */
static bool is_feasible(const struct cor_rules *rules, uint32_t n) {
    for (uint64_t k = rules->count_min; k <= rules->count_max && k <= n; k++)
        if (k > 0 && k * rules->size_min <= n && k * rules->size_max >= n)
            return true;
    return false;
}

#define CORNERS 144u

/* The limits of a corner by its number. */
static void set_corner(struct cor_rules *rules, uint32_t n, uint32_t corner) {
    const uint32_t size_min[] = {1, 2, (n + 1) / 2, n}, size_max[] = {1, 2, n, COR_NO_LIMIT};
    const uint32_t count_min[] = {1, 2, n}, count_max[] = {1, n, COR_NO_LIMIT};
    rules->size_min = size_min[corner % 4];
    rules->size_max = size_max[corner / 4 % 4];
    rules->count_min = count_min[corner / 16 % 3];
    rules->count_max = count_max[corner / 48];
}

/* Of limits that cannot be kept, and of those that can: who refuses many of the one is still asked for the
 * other. */
struct refusals {
    uint64_t refused[2], left_out[2];
};

static void try_corners(struct conformance__probe *probe, uint32_t n, struct refusals *all) {
    uint32_t refused[2] = {0, 0};
    for (uint32_t corner = 0; corner < CORNERS; corner++) {
        struct cor_rules limits = {0};
        set_corner(&limits, n, corner);
        const bool feasible = is_feasible(&limits, n);
        if (probe->is_program && refused[feasible] == CONFORMANCE__PROGRAM_REFUSALS) {
            all->left_out[feasible]++;
            continue;
        }
        if (!conformance__probe_try(probe, n, corner, 0, 0))
            continue;
        probe->trial.rules.budget = 50;
        set_corner(&probe->trial.rules, n, corner);
        answer(probe, 0);
        if (probe_judge(probe) && feasible)
            judge_limits(probe);
        if (probe_declined(probe)) {
            refused[feasible]++;
            all->refused[feasible]++;
        }
    }
}

static void check_limits(struct conformance__probe *probe) {
    static const uint32_t sizes[] = {1, 2, 3, 5, 8, 13};
    struct refusals all = {0};
    char left_out[128] = "";
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        try_corners(probe, sizes[i], &all);
    if (all.left_out[0] + all.left_out[1] > 0)
        snprintf(left_out, sizeof left_out,
                 "after %u refusals of a size not tried: %" PRIu64 " that can be kept, %" PRIu64
                 " that cannot",
                 CONFORMANCE__PROGRAM_REFUSALS, all.left_out[1], all.left_out[0]);
    if (all.refused[1] > 0)
        conformance__probe_remark(probe, "declines %" PRIu64 " of the limits that can be kept%s%s",
                                  all.refused[1], left_out[0] ? "; " : "", left_out);
    else if (left_out[0])
        conformance__probe_remark(probe, "%s", left_out);
}

static void try_parameter(struct conformance__probe *probe, uint32_t index, double value) {
    static const uint32_t sizes[] = {1, 4, 10, 25};
    const char *name = probe->algorithm->parameters[index].name;
    char what[128];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (!conformance__probe_try(probe, sizes[i], index, 0, 0))
            continue;
        probe->trial.parameters[index] = value;
        probe->trial.rules.budget = 100;
        snprintf(what, sizeof what, "%s = %g", name, value);
        if (!answer_in(probe, 5, what))
            return;
        if (probe->outcome.smoke == COR_SMOKE_MEMORY)
            continue;
        char text[128];
        if (probe->outcome.smoke == COR_SMOKE_NONE &&
            conformance__solution_trouble(&probe->outcome.solution, sizes[i], text, sizeof text))
            conformance__probe_broken(probe, "with %s %s", what, text);
        else if (probe->outcome.smoke != COR_SMOKE_NONE && !probe_declined(probe))
            conformance__probe_broken(probe, "with %s it fails without a word of why", what);
    }
}

static void check_parameters(struct conformance__probe *probe) {
    uint32_t count = cor_algorithm_parameter_count(probe->algorithm);
    if (count == 0)
        conformance__probe_skip(probe, "it has no parameters");
    for (uint32_t i = 0; i < count; i++) {
        try_parameter(probe, i, probe->algorithm->parameters[i].min);
        try_parameter(probe, i, probe->algorithm->parameters[i].max);
    }
}

#define PATTERNS 13u

static void check_values(struct conformance__probe *probe) {
    static const uint32_t sizes[] = {1, 2, 5, 10, 25};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (uint32_t pattern = 0; pattern < PATTERNS; pattern++)
            if (conformance__probe_try(probe, sizes[s], pattern, 0, 0)) {
                static const double all[] = {0, 1, -1, DBL_MAX, DBL_MIN / 4, -DBL_MAX};
                static const double one[] = {(double)INFINITY, -(double)INFINITY, (double)NAN, DBL_MAX, -0.0};
                const uint32_t plain = sizeof all / sizeof *all, odd = sizeof one / sizeof *one;
                uint32_t n = probe->trial.task.agent_count;
                for (uint32_t i = 0; i < n; i++) {
                    if (pattern < plain)
                        probe->trial.values[i] = all[pattern];
                    else if (pattern < plain + odd && i == n / 2)
                        probe->trial.values[i] = one[pattern - plain];
                    else if (pattern == plain + odd)
                        probe->trial.values[i] = (double)NAN;
                    else if (pattern == plain + odd + 1)
                        probe->trial.values[i] = i % 2 ? DBL_MAX : -DBL_MAX;
                }
                answer(probe, 0);
                probe_judge(probe);
            }
}

static void check_faults(struct conformance__probe *probe) {
    struct cor_session_definition definition = cor_default_session(probe->algorithm);
    int p_activate = cor_algorithm_parameter(probe->algorithm, "p_activate");
    uint32_t count = cor_algorithm_fault_count(probe->algorithm);
    if (count == 0)
        conformance__probe_skip(probe, "it has no faults");
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint32_t fault = 1; fault <= count; fault++)
            for (uint64_t seed = 0; seed < CONFORMANCE__SEEDS; seed++) {
                if (!conformance__probe_try(probe, *n, seed, fault, 0))
                    continue;
                if (seed % 2 == 0 && p_activate >= 0)
                    probe->trial.parameters[p_activate] = 0;
                probe->trial.rules.fault = 0; /* what must not differ before the fault strikes */
                uint64_t sound = probe_fresh(probe, &definition);
                probe->trial.rules.fault = fault;
                const uint64_t faulty = probe_fresh(probe, &definition);
                const struct cor_fault_counts *counts = &probe->outcome.fault;
                if (probe->outcome.smoke == COR_SMOKE_GARBLED) /* what it counts contradicts itself */
                    conformance__probe_broken(probe, "%s", probe->outcome.complaint);
                else if (counts->activated == 0 && (faulty != sound || counts->in_result > 0))
                    conformance__probe_broken(
                        probe,
                        "the fault was never activated, and still the outcome differs from that without it");
            }
}

/* ---- checks that hold outcomes against each other: the same task must give the same */

static bool try(struct conformance__probe *probe, uint32_t agents, uint64_t seed,
                struct cor_session_definition *definition) {
    size_t mail = probe->algorithm->wake ? seed % CONFORMANCE__SCHEDULES : 0;
    *definition = cor_default_session(probe->algorithm);
    definition->mail = conformance__schedules[mail];
    /* Faults and schedules take turns over the seeds. */
    const uint32_t fault = (uint32_t)(seed % (cor_algorithm_fault_count(probe->algorithm) + 1));
    return conformance__probe_try(probe, agents, seed, fault, mail);
}

static uint64_t seeds_of(const struct conformance__probe *probe) {
    if (probe->is_program)
        return 2;
    uint64_t faults = cor_algorithm_fault_count(probe->algorithm) + 1,
             all = probe->algorithm->wake ? CONFORMANCE__SCHEDULES : 0;
    uint64_t most = faults > all ? faults : all;
    return most > CONFORMANCE__SEEDS ? most : CONFORMANCE__SEEDS;
}

static void repeat(struct conformance__probe *probe, const struct cor_session_definition *definition) {
    struct cor_session *session = probe_open(probe, definition);
    uint64_t first = probe_run(probe, session, &probe->trial);
    if (probe_run(probe, session, &probe->trial) != first)
        conformance__probe_broken(probe, "the same task gives another outcome the second time");
    uint32_t n = probe->trial.task.agent_count;
    conformance__probe_trouble(probe,
                               conformance__trial_make(&probe->other, probe->algorithm, n > 2 ? n - 2 : n + 3,
                                                       probe->trial.name.seed + 77, &probe->error));
    probe_run(probe, session, &probe->other);
    if (probe_run(probe, session, &probe->trial) != first)
        conformance__probe_broken(probe, "the same task gives another outcome after another task");
    cor_session_destroy(session);
    session = probe_open(probe, definition);
    if (probe_run(probe, session, &probe->trial) != first)
        conformance__probe_broken(probe, "the same task gives another outcome in a fresh session");
    if (probe->algorithm->graph) {
        struct cor_course course = {.identity = probe->trial.name.identity};
        cor_session_watch(session, &course);
        if (probe_run(probe, session, &probe->trial) != first)
            conformance__probe_broken(probe, "the outcome differs when its graph is asked for");
        cor_session_watch(session, NULL);
        cor_course_fini(&course);
    }
    cor_session_destroy(session);
}

static void check_repeatable(struct conformance__probe *probe) {
    struct cor_session_definition definition;
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < seeds_of(probe); seed++)
            if (try(probe, *n, seed, &definition))
                repeat(probe, &definition);
}

/* For what is compared between processes. */
static void check_digests(struct conformance__probe *probe) {
    struct cor_session_definition definition;
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < CONFORMANCE__SEEDS; seed++)
            if (try(probe, *n, seed, &definition)) {
                fprintf(probe->out, "D%016" PRIx64 "\n", probe_fresh(probe, &definition));
                fflush(probe->out);
            }
}

static void cut_steps(struct conformance__probe *probe, struct cor_session_definition *definition) {
    static const uint64_t slices[] = {1, 7, 64, 399};
    uint64_t whole = probe_fresh(probe, definition);
    for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
        definition->slice_units = slices[i];
        if (probe_fresh(probe, definition) != whole)
            conformance__probe_broken(probe,
                                      "steps of at most %" PRIu64 " give another outcome than one of %u",
                                      slices[i], CONFORMANCE__BUDGET);
    }
}

static void check_steps(struct conformance__probe *probe) {
    struct cor_session_definition definition;
    if (!probe->algorithm->step) {
        conformance__probe_skip(probe, "it has no step()");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < seeds_of(probe); seed++)
            if (try(probe, *n, seed, &definition))
                cut_steps(probe, &definition);
}

static void look(struct conformance__probe *probe, struct cor_session_definition *definition) {
    char text[128];
    uint64_t expected = probe_fresh(probe, definition);
    definition->interim_units = 50;
    uint64_t digest = probe_fresh(probe, definition);
    if (digest != expected)
        conformance__probe_broken(probe, "the outcome differs when interim solutions are asked for");
    for (size_t i = 0; probe->trial.rules.fault == 0 && i < probe->outcome.interim_count; i++)
        if (conformance__solution_trouble(&probe->outcome.interims[i].solution, probe->trial.task.agent_count,
                                          text, sizeof text))
            conformance__probe_broken(probe, "interim solution %zu, after %" PRIu64 " units: %s", i + 1,
                                      probe->outcome.interims[i].spent, text);
}

static void check_anytime(struct conformance__probe *probe) {
    struct cor_session_definition definition;
    if (!(probe->algorithm->capabilities & COR_ANYTIME)) {
        conformance__probe_skip(probe, "it is not COR_ANYTIME");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < seeds_of(probe); seed++)
            if (try(probe, *n, seed, &definition))
                look(probe, &definition);
}

#define SEQUENCE 4u

/* The reorganizations of a sequence from `first` on: digests. What is kept goes from one to the next. */
static void run_sequence(struct conformance__probe *probe, struct cor_session *session, uint32_t first,
                         uint64_t digests[SEQUENCE]) {
    for (uint32_t i = first; i < SEQUENCE; i++) {
        probe->trial.name.identity = i + 1;
        conformance__probe_trouble(probe,
                                   cor_session_reorganize(session, &probe->trial.task, &probe->trial.name,
                                                          &probe->outcome, &probe->error));
        digests[i] = cor_outcome_digest(&probe->outcome);
    }
}

static void compare_sequences(struct conformance__probe *probe, const char *how, uint32_t first,
                              const uint64_t expected[SEQUENCE], const uint64_t found[SEQUENCE]) {
    for (uint32_t i = first; i < SEQUENCE; i++)
        if (found[i] != expected[i])
            conformance__probe_broken(probe, "reorganization %u of a sequence gives another outcome %s",
                                      i + 1, how);
}

static void check_keeps(struct conformance__probe *probe) {
    struct cor_session_definition definition;
    if (!(probe->algorithm->capabilities & COR_KEEPS)) {
        conformance__probe_skip(probe, "it is not COR_KEEPS");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < seeds_of(probe); seed++)
            if (try(probe, *n, seed, &definition)) {
                uint64_t whole[SEQUENCE], again[SEQUENCE], saved[SEQUENCE];
                COR_FINISHED(cor_session_memory) struct cor_session_memory memory = {0};
                COR_DESTROYED(cor_session)
                struct cor_session *session = probe_open(probe, &definition),
                                   *fresh = probe_open(probe, &definition);
                run_sequence(probe, session, 0, whole);
                cor_session_restart(session);
                run_sequence(probe, session, 0, again);
                compare_sequences(probe, "when the sequence is run again", 0, whole, again);
                cor_session_restart(session);
                probe->trial.name.identity = 1;
                conformance__probe_trouble(probe, cor_session_reorganize(session, &probe->trial.task,
                                                                         &probe->trial.name, &probe->outcome,
                                                                         &probe->error));
                conformance__probe_trouble(probe, cor_session_save(session, &memory, &probe->error));
                run_sequence(probe, session, 1, again);
                compare_sequences(probe, "when the sequence is run again", 1, whole, again);
                conformance__probe_trouble(probe, cor_session_restore(fresh, &memory, &probe->error));
                run_sequence(probe, fresh, 1, saved);
                compare_sequences(probe, "in a fresh session that got what was kept", 1, whole, saved);
            }
}

/* A reorganization with bytes that are said to be kept. */
static void try_kept(struct conformance__probe *probe, struct cor_session *session,
                     const unsigned char *bytes, uint32_t size) {
    conformance__probe_trouble(probe, cor_session_keep(session, bytes, size, &probe->error));
    conformance__probe_trouble(probe, cor_session_reorganize(session, &probe->trial.task, &probe->trial.name,
                                                             &probe->outcome, &probe->error));
    if (!probe->broken)
        probe_judge(probe);
}

/* What is kept of the present trial and of another task of as many agents is garbled: by the algorithm; else
 * those of the other, half of what is kept, and half of the one with half of the other stand for that. False:
 * nothing is kept. */
static bool garble(struct conformance__probe *probe, struct cor_session *session, uint64_t seed) {
    COR_FINISHED(cor_session_memory) struct cor_session_memory own = {0}, other = {0};
    conformance__probe_trouble(probe, conformance__trial_make(&probe->other, probe->algorithm,
                                                              probe->trial.task.agent_count, seed + 77,
                                                              &probe->error));
    memcpy(probe->other.parameters, probe->trial.parameters,
           probe->trial.rules.parameter_count * sizeof *probe->trial.parameters);
    cor_session_garble(session, true);
    probe_run(probe, session, &probe->other);
    conformance__probe_trouble(probe, cor_session_save(session, &other, &probe->error));
    probe_run(probe, session, &probe->trial);
    conformance__probe_trouble(probe, cor_session_save(session, &own, &probe->error));
    const bool is_kept = own.kept_size > 0 && other.kept_size > 0;
    if (is_kept) {
        try_kept(probe, session, own.kept, own.kept_size);
        try_kept(probe, session, other.kept, other.kept_size);
    }
    if (is_kept && !probe->algorithm->garble) {
        const uint32_t half = own.kept_size / 2;
        const uint32_t most = own.kept_size < other.kept_size ? own.kept_size : other.kept_size;
        try_kept(probe, session, own.kept, half);
        if (half < most)
            memcpy(own.kept + half, other.kept + half, most - half);
        try_kept(probe, session, own.kept, own.kept_size);
    }
    return is_kept;
}

static void check_garbled(struct conformance__probe *probe) {
    const struct cor_parameter *list = probe->algorithm->parameters;
    const uint32_t parameters = cor_parameter_count(list);
    const struct cor_session_definition definition = cor_default_session(probe->algorithm);
    bool is_kept = false;
    if (!(probe->algorithm->capabilities & COR_KEEPS)) {
        conformance__probe_skip(probe, "it is not COR_KEEPS");
        return;
    }
    /* As it is by itself; if it keeps nothing then, with one switch after the other. */
    for (uint32_t p = 0; p <= parameters && !is_kept; p++) {
        if (p > 0 && (!list[p - 1].is_integer || list[p - 1].max - list[p - 1].min > 1))
            continue;
        for (const uint32_t *n = conformance__sizes; *n > 0; n++)
            for (uint64_t seed = 0; seed < CONFORMANCE__SEEDS; seed++)
                if (conformance__probe_try(probe, *n, seed, 0, 0)) {
                    COR_DESTROYED(cor_session) struct cor_session *session = probe_open(probe, &definition);
                    if (p > 0)
                        probe->trial.parameters[p - 1] =
                            list[p - 1].value > list[p - 1].min ? list[p - 1].min : list[p - 1].max;
                    is_kept = garble(probe, session, seed) || is_kept;
                }
    }
    if (!is_kept && !probe->broken)
        conformance__probe_skip(probe, "it kept nothing of any task");
}

/* From some limit on the outcome is the one without limit; below, out of memory. */
static void limit_memory(struct conformance__probe *probe, struct cor_session_definition *definition) {
    uint64_t expected = probe_fresh(probe, definition);
    bool enough = false, unlimited_memory = probe->outcome.smoke == COR_SMOKE_MEMORY;
    for (size_t limit = 16; limit <= (size_t)64 << 20 && !probe->broken && !unlimited_memory;
         limit = limit * 3 / 2 + 8) {
        definition->memory_limit = limit;
        uint64_t digest = probe_fresh(probe, definition);
        if (probe->outcome.smoke == COR_SMOKE_MEMORY) {
            if (enough)
                conformance__probe_broken(
                    probe, "out of memory at a limit of %zu bytes, but not at a smaller one", limit);
        } else if (digest != expected) {
            conformance__probe_broken(
                probe,
                "another outcome at a limit of %zu bytes, neither that without a limit nor out of "
                "memory",
                limit);
        } else {
            enough = true;
        }
    }
}

static void check_memory(struct conformance__probe *probe) {
    struct cor_session_definition definition;
    if (probe->is_program) {
        conformance__probe_skip(probe, "a program has memory of its own");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        if ((*n == 1 || *n == 5 || *n == 25) && try(probe, *n, *n, &definition))
            limit_memory(probe, &definition);
}

/* ---- the check of aims: who promises to go with objectives makes small what it is told to, or makes nothing
 * small. An objective and its opposite are asked for in turn; what a solution is worth is reckoned here by
 * itself. An algorithm that makes nothing small is as often better as worse, whatever it draws: nine of ten
 * of so many tasks are no chance (less than 1e-7 for forty) */

#define STEPS_MOST 7
#define SEEDS 16u
#define TASKS_LEAST 40u /* of which a share can accuse somebody */

enum aim { GREATEST_SUM, EVEN_SUMS, RANGE, AIMS };

static const char *const meanings[AIMS] = {"the greatest sum of a partition",
                                           "the sum over partitions of the square of a sum",
                                           "the range of the means of partitions"};

/* Steps of each aim; the filter lets all pass. */
static const struct cor_objective_step steps_of[AIMS][STEPS_MOST] = {
    [GREATEST_SUM] = {{COR_OBJECTIVE_SUM, 1, 0, 0, 0, 0, 0},
                      {COR_OBJECTIVE_GREATEST_OF, 0, COR_NO_BLOCK, 0, 0, COR_OBJECTIVE_NO_FILTER, 0}},
    [EVEN_SUMS] = {{COR_OBJECTIVE_SUM, 1, 0, 0, 0, COR_OBJECTIVE_NO_FILTER, 0},
                   {COR_OBJECTIVE_MULTIPLY, 1, 0, 0, 0, COR_OBJECTIVE_NO_FILTER, 0},
                   {COR_OBJECTIVE_SUM_OF, 0, COR_NO_BLOCK, 1, 0, COR_OBJECTIVE_NO_FILTER, 0}},
    [RANGE] = {{COR_OBJECTIVE_SUM, 1, 0, 0, 0, COR_OBJECTIVE_NO_FILTER, 0},
               {COR_OBJECTIVE_COUNT, 1, 0, 0, 0, 0, 0},
               {COR_OBJECTIVE_DIVIDE, 1, 0, 1, 0, COR_OBJECTIVE_NO_FILTER, 0},
               {COR_OBJECTIVE_GREATEST_OF, 0, COR_NO_BLOCK, 2, 0, COR_OBJECTIVE_NO_FILTER, 0},
               {COR_OBJECTIVE_LEAST_OF, 0, COR_NO_BLOCK, 2, 0, COR_OBJECTIVE_NO_FILTER, 0},
               {COR_OBJECTIVE_SUBTRACT, 0, 3, 4, 0, COR_OBJECTIVE_NO_FILTER, 0}}};
static const uint32_t step_count_of[AIMS] = {2, 3, 6};

/* 1 over nothing, of each block: what no partitioning has. */
static const struct cor_objective_step unknown_steps[] = {
    {COR_OBJECTIVE_CONSTANT, 0, 0, 0, 0, COR_OBJECTIVE_NO_FILTER, 0},
    {COR_OBJECTIVE_COUNT, 1, 0, 0, 0, COR_OBJECTIVE_NO_FILTER, 0},
    {COR_OBJECTIVE_DIVIDE, 1, 1, 0, 0, COR_OBJECTIVE_NO_FILTER, 0},
    {COR_OBJECTIVE_SUM_OF, 0, COR_NO_BLOCK, 2, 0, COR_OBJECTIVE_NO_FILTER, 0}};

static const unsigned char all_pass[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static double worth(enum aim aim, uint32_t count, const uint32_t *start, const uint32_t *members,
                    const double *values) {
    double greatest = -INFINITY, squares = 0, low = INFINITY, high = -INFINITY;
    for (uint32_t b = 0; b < count; b++) {
        double sum = 0;
        for (uint32_t m = start[b]; m < start[b + 1]; m++)
            sum += values[members[m]];
        const double mean = sum / (start[b + 1] - start[b]);
        greatest = fmax(greatest, sum);
        squares += sum * sum;
        low = fmin(low, mean);
        high = fmax(high, mean);
    }
    return aim == GREATEST_SUM ? greatest : aim == EVEN_SUMS ? squares : high - low;
}

/* What came of all tasks. */
struct tally {
    uint32_t better[AIMS], worse[AIMS]; /* asked for the aim than for its opposite */
    uint32_t smaller, not_smaller;      /* the range than before, asked to make it large */
};

/* An answer to the present trial with the objective; false: it declines, or breaks what is asked of all. */
static bool answer_aims(struct conformance__probe *probe, const struct cor_objective *objective) {
    const struct cor_session_definition definition = cor_default_session(probe->algorithm);
    probe->trial.task.objective = objective;
    probe_fresh(probe, &definition);
    probe->trial.task.objective = NULL;
    return probe_judge(probe) && !probe_declined(probe);
}

/* The task of an objective lies on pages that end where it ends, and can only be read. */
static void read_only(struct conformance__probe *probe, const struct cor_objective *objective) {
    struct cor_session_definition definition = cor_default_session(probe->algorithm);
    probe->trial.task.objective = objective;
    const uint64_t digest = probe_fresh(probe, &definition);
    definition.strict = !probe->is_program;
    if (probe_fresh(probe, &definition) != digest)
        conformance__probe_broken(probe,
                                  "with an objective it gives another outcome where it may only read: %s",
                                  probe->outcome.complaint);
    probe->trial.task.objective = NULL;
}

static void try_aim(struct conformance__probe *probe, enum aim aim, struct tally *tally) {
    struct cor_objective_step steps[STEPS_MOST];
    const struct conformance__trial *trial = &probe->trial;
    const struct cor_lists *solution = &probe->outcome.solution;
    const double before =
        worth(aim, trial->task.block_count, trial->start, trial->task.members, trial->values);
    double after[2]; /* asked for the aim, and for its opposite */
    uint32_t count = step_count_of[aim], blocks = 0;
    memcpy(steps, steps_of[aim], sizeof steps);
    for (int turn = 0; turn < 2; turn++) {
        if (turn == 1 && !(probe->algorithm->capabilities & COR_AIMS)) {
            /* Of each partition: the opposite of the whole is none that it follows. */
            steps[count] = steps[count - 1];
            steps[count - 1] = (struct cor_objective_step){COR_OBJECTIVE_NEGATE,    1, count - 2, 0, 0,
                                                           COR_OBJECTIVE_NO_FILTER, 0};
            steps[count++].right++;
        } else if (turn == 1) {
            steps[count] = (struct cor_objective_step){COR_OBJECTIVE_NEGATE,    0, count - 1, 0, 0,
                                                       COR_OBJECTIVE_NO_FILTER, 0};
            count++;
        }
        const struct cor_objective objective = {count, 1, steps, all_pass};
        if (!answer_aims(probe, &objective))
            return;
        blocks = solution->block_count;
        after[turn] = worth(aim, blocks, solution->start, solution->members, trial->values);
    }
    tally->better[aim] += after[0] < after[1];
    tally->worse[aim] += after[0] > after[1];
    if (aim == RANGE && blocks == trial->task.block_count) {
        tally->smaller += after[1] < before;
        tally->not_smaller += !(after[1] < before);
    }
}

static bool is_no_chance(uint32_t most, uint32_t others) {
    return most + others >= TASKS_LEAST && most >= 9 * others;
}

static void judge(struct conformance__probe *probe, const struct tally *tally) {
    for (int aim = 0; aim < AIMS; aim++)
        if (is_no_chance(tally->worse[aim], tally->better[aim]))
            probe_broken_together(probe,
                                  "asked to make %s small, it makes it larger than when asked for the "
                                  "opposite: in %u of %u tasks",
                                  meanings[aim], tally->worse[aim], tally->worse[aim] + tally->better[aim]);
    if (is_no_chance(tally->smaller, tally->not_smaller))
        probe_broken_together(probe,
                              "asked to make %s large, it makes it smaller than it was: in %u of %u tasks",
                              meanings[RANGE], tally->smaller, tally->smaller + tally->not_smaller);
}

static void check_aims(struct conformance__probe *probe) {
    static const uint32_t sizes[] = {6, 8, 10};
    const struct cor_objective unknown = {sizeof unknown_steps / sizeof *unknown_steps, 0, unknown_steps,
                                          NULL};
    struct tally tally = {0};
    const bool is_any = probe->algorithm->capabilities & COR_AIMS;
    if (!is_any && !(probe->algorithm->capabilities & COR_AIMS_BY_BLOCK)) {
        conformance__probe_skip(probe, "it is not COR_AIMS");
        return;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            if (!conformance__probe_try(probe, sizes[i], seed, 0, 0))
                continue;
            conformance__trial_cut(&probe->trial, seed % 2 ? sizes[i] / 2 : 2);
            probe->trial.rules.count_min = probe->trial.rules.count_max = probe->trial.task.block_count;
            for (int aim = 0; aim < AIMS; aim++)
                if (is_any || aim == EVEN_SUMS)
                    try_aim(probe, (enum aim)aim, &tally);
            answer_aims(probe, &unknown);
            const enum aim aim = is_any ? RANGE : EVEN_SUMS;
            const struct cor_objective objective = {step_count_of[aim], 1, steps_of[aim], all_pass};
            if (seed < CONFORMANCE__SEEDS)
                read_only(probe, &objective);
        }
    judge(probe, &tally);
}

/* ---- the check of kinds: who promises structures that are no partitionings is shown one and makes one, and
 * reads no more of it than there is. What a kind is, is said here by itself */

static const char *const kind_words[] = {"a partitioning", "a covering", "an overlapping structure",
                                         "a hierarchy", "a tree"};

/* The present structure of a trial as one of the kind: the same blocks, where an agent may be in several each
 * with the first member of the next, where they nest two below each. */
struct shown {
    uint32_t *start, *members, *parent; /* owned */
};

static struct shown show_kind(struct cor_task *task, enum cor_organized kind) {
    const uint32_t count = task->block_count;
    const bool nests = kind >= COR_HIERARCHY;
    struct shown shown = {
        .start = cor_calloc(count + (size_t)1, sizeof *shown.start),
        .members = cor_calloc(task->agent_count + (size_t)count, sizeof *shown.members),
        .parent = cor_calloc(count, sizeof *shown.parent),
    };
    COR_ASSERT(shown.start && shown.members && shown.parent);
    for (uint32_t b = 0, at = 0; b < count; b++) {
        for (uint32_t m = task->block_start[b]; m < task->block_start[b + 1]; m++)
            shown.members[at++] = task->members[m];
        if (!nests && count > 1)
            shown.members[at++] = task->members[task->block_start[(b + 1) % count]];
        shown.start[b + 1] = at;
        shown.parent[b] = b == 0 ? COR_NO_BLOCK : (b - 1) / 2;
    }
    task->block_start = shown.start;
    task->members = shown.members;
    task->block_parent = nests ? shown.parent : NULL;
    return shown;
}

/* Whether each block stands below blocks that are there, which end in one without a parent. */
static const char *trouble_of_parents(const struct cor_lists *solution, enum cor_organized kind) {
    uint32_t roots = 0;
    for (uint32_t b = 0; b < solution->block_count; b++) {
        uint32_t at = b, steps = 0;
        for (; at < solution->block_count && steps <= solution->block_count; steps++)
            at = solution->nests ? solution->parent[at] : COR_NO_BLOCK;
        if (steps > solution->block_count)
            return "a block of the solution stands above itself";
        if (at != COR_NO_BLOCK)
            return "a block of the solution stands below one that there is not";
        roots += !solution->nests || solution->parent[b] == COR_NO_BLOCK;
    }
    return kind == COR_TREE && roots != 1 ? "it has not one block without a parent" : NULL;
}

static bool has_children(const struct cor_lists *solution, uint32_t block) {
    for (uint32_t b = 0; solution->nests && b < solution->block_count; b++)
        if (solution->parent[b] == block)
            return true;
    return false;
}

static const char *trouble_of(const struct cor_lists *solution, uint32_t n, enum cor_organized kind) {
    COR_FREED uint32_t *last = cor_calloc(n, sizeof *last), *count = cor_calloc(n, sizeof *count);
    const char *said = NULL;
    COR_ASSERT(last && count);
    for (uint32_t b = 0; b < solution->block_count && !said; b++) {
        if (cor_lists_size(solution, b) == 0 && !has_children(solution, b))
            said = "a block of the solution has neither members nor blocks below it";
        for (uint32_t m = solution->start[b]; m < solution->start[b + 1] && !said; m++) {
            const uint32_t agent = solution->members[m];
            if (agent >= n)
                said = "the solution lists an agent that there is not";
            else if (last[agent] == b + 1)
                said = "a block of the solution lists an agent twice";
            else
                count[agent]++, last[agent] = b + 1;
        }
    }
    for (uint32_t i = 0; i < n && !said; i++) {
        if (count[i] == 0 && kind != COR_OVERLAPPING)
            said = "an agent is missing in the solution";
        if (count[i] > 1 && kind >= COR_HIERARCHY)
            said = "an agent is in several blocks of the solution";
    }
    return !said && kind >= COR_HIERARCHY ? trouble_of_parents(solution, kind) : said;
}

/* Asked twice: as ever, and with its task on pages that end where it ends. */
static void try_kind(struct conformance__probe *probe, enum cor_organized kind) {
    struct cor_session_definition definition = cor_default_session(probe->algorithm);
    struct shown shown = show_kind(&probe->trial.task, kind);
    probe->trial.rules.organized = (uint32_t)kind;
    const uint64_t digest = probe_fresh(probe, &definition);
    const struct cor_outcome *outcome = &probe->outcome;
    if (!probe_declined(probe)) {
        const char *said = outcome->smoke != COR_SMOKE_NONE
                               ? "it fails without a word of why, or in another way than by declining"
                               : trouble_of(&outcome->solution, probe->trial.task.agent_count, kind);
        if (said)
            conformance__probe_broken(probe, "asked for %s: %s", kind_words[kind], said);
    }
    definition.strict = !probe->is_program;
    if (probe_fresh(probe, &definition) != digest)
        conformance__probe_broken(probe, "asked for %s, it gives another outcome where it may only read: %s",
                                  kind_words[kind], outcome->complaint);
    COR_FREE(shown.start, shown.members, shown.parent);
}

static void check_kinds(struct conformance__probe *probe) {
    const bool covers = probe->algorithm->capabilities & COR_COVERS,
               nests = probe->algorithm->capabilities & COR_NESTS;
    if (!covers && !nests)
        conformance__probe_skip(probe, "it is neither COR_COVERS nor COR_NESTS");
    for (int kind = COR_COVERING; kind <= COR_TREE; kind++)
        for (const uint32_t *n = conformance__sizes; (kind >= COR_HIERARCHY ? nests : covers) && *n > 0; n++)
            for (uint64_t seed = 0; seed < CONFORMANCE__SEEDS; seed++)
                if (conformance__probe_try(probe, *n, seed, 0, 0))
                    try_kind(probe, (enum cor_organized)kind);
}

/* ---- checks that keep an algorithm from what is not its own, and those of mail */

/* What a strict session may find, by whose check it is. */
enum finding { NOTHING, COUNTERS, HANDLERS, TASK };

static enum finding finding_of(const struct conformance__probe *probe) {
    const struct cor_outcome *outcome = &probe->outcome;
    const char *text = outcome->complaint;
    if (strncmp(text, "it counted ", 11) == 0 || strncmp(text, "it counts, ", 11) == 0 ||
        (outcome->smoke == COR_SMOKE_PEEKED && strstr(text, "the counters")))
        return COUNTERS;
    if (outcome->smoke != COR_SMOKE_PEEKED)
        return NOTHING;
    return strncmp(text, "agent ", 6) == 0 || strstr(text, "of the module") ? HANDLERS : TASK;
}

/* All tasks in strict sessions: what is found that belongs to the check. */
static void try_strictly(struct conformance__probe *probe, enum finding belongs) {
    uint32_t faults = cor_algorithm_fault_count(probe->algorithm);
    if (probe->is_program) {
        conformance__probe_skip(probe, "a program has memory of its own");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < CONFORMANCE__SEEDS; seed++) {
            struct cor_session_definition definition = cor_default_session(probe->algorithm);
            size_t mail = probe->algorithm->wake ? seed % CONFORMANCE__SCHEDULES : 0;
            definition.strict = 1;
            definition.mail = conformance__schedules[mail];
            if (!conformance__probe_try(probe, *n, seed, (uint32_t)(seed % (faults + 1)), mail))
                continue;
            probe->trial.rules.budget = 30; /* strict sessions are slow */
            probe_fresh(probe, &definition);
            if (finding_of(probe) == belongs)
                conformance__probe_broken(probe, "%s", probe->outcome.complaint);
        }
}

static void check_counters(struct conformance__probe *probe) {
    try_strictly(probe, COUNTERS);
}

static void check_read_only(struct conformance__probe *probe) {
    try_strictly(probe, TASK);
}

static int compare_words(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* A word for the partition of each agent that does not depend on the order of anything: its least member. */
static bool is_moved(const struct conformance__probe *probe) {
    const struct conformance__trial *trial = &probe->trial;
    const struct cor_lists *solution = &probe->outcome.solution;
    uint32_t n = trial->task.agent_count;
    COR_FREED uint32_t *before = malloc(n * sizeof *before), *after = malloc(n * sizeof *after);
    bool moved = solution->block_count != trial->task.block_count || solution->member_count != n;
    COR_ASSERT(before && after);
    for (uint32_t b = 0; !moved && b < solution->block_count; b++) {
        uint32_t size = cor_lists_size(solution, b), other = 0;
        memcpy(after, cor_lists_block(solution, b), size * sizeof *after);
        qsort(after, size, sizeof *after, compare_words);
        moved = true;
        for (; moved && other < trial->task.block_count; other++) {
            uint32_t length = trial->start[other + 1] - trial->start[other];
            memcpy(before, trial->members + trial->start[other], length * sizeof *before);
            qsort(before, length, sizeof *before, compare_words);
            moved = length != size || memcmp(before, after, size * sizeof *after) != 0;
        }
    }
    return moved;
}

static void check_decentralized(struct conformance__probe *probe) {
    uint64_t messages = 0, moved = 0;
    if (!probe->algorithm->wake || probe->is_program) {
        conformance__probe_skip(probe,
                                probe->is_program ? "a program has memory of its own" : "it has no wake()");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < CONFORMANCE__SCHEDULES; seed++) {
            struct cor_session_definition definition = cor_default_session(probe->algorithm);
            definition.mail = conformance__schedules[seed];
            if (!conformance__probe_try(probe, *n, seed, 0, seed))
                continue;
            probe->trial.rules.budget = 100;
            /* Something that is found otherwise, or a difference that nothing was seen to make. */
            uint64_t plain = probe_fresh(probe, &definition);
            definition.strict = 1;
            uint64_t apart = probe_fresh(probe, &definition);
            enum finding finding = finding_of(probe);
            if (finding == HANDLERS)
                conformance__probe_broken(probe, "%s", probe->outcome.complaint);
            else if (finding == NOTHING && apart != plain)
                conformance__probe_broken(
                    probe, "the outcome differs when agents are kept apart: something passes between them "
                           "without mail");
            messages += probe->outcome.messages;
            moved += probe->outcome.smoke == COR_SMOKE_NONE && is_moved(probe);
        }
    if (messages == 0 && moved > 0)
        conformance__probe_remark(
            probe, "it sends no mail, and still moves agents in %" PRIu64 " of %" PRIu64 " tasks", moved,
            probe->trials);
}

static void judge_loosely(struct conformance__probe *probe) {
    const struct cor_outcome *outcome = &probe->outcome;
    if (outcome->smoke != COR_SMOKE_NONE && !probe_declined(probe))
        conformance__probe_broken(probe, "it ends with smoke: %s",
                                  cor_term_word(COR_FAMILY_SMOKE, (int)outcome->smoke));
}

static void check_mail(struct conformance__probe *probe) {
    if (!probe->algorithm->wake) {
        conformance__probe_skip(probe, "it has no wake()");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < 2 * CONFORMANCE__SCHEDULES; seed++) {
            struct cor_session_definition definition = cor_default_session(probe->algorithm);
            size_t mail = seed % CONFORMANCE__SCHEDULES;
            definition.mail = conformance__schedules[mail];
            if (!conformance__probe_try(probe, *n, seed, 0, mail))
                continue;
            probe_fresh(probe, &definition);
            /* Mail that is lost or comes twice may leave a partitioning with gaps. */
            if (definition.mail.mode != COR_MAIL_LOSSY && definition.mail.mode != COR_MAIL_DUPLICATED)
                probe_judge(probe);
            else
                judge_loosely(probe);
        }
}

static void check_restarts(struct conformance__probe *probe) {
    if (!probe->algorithm->restart) {
        conformance__probe_skip(probe, "it has no restart()");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < CONFORMANCE__SCHEDULES; seed++) {
            struct cor_session_definition definition = cor_default_session(probe->algorithm);
            definition.mail = conformance__schedules[seed];
            definition.agents = (struct cor_crash_definition){COR_CRASH_FAULT_CRASHED, 0.05, 3};
            if (!conformance__probe_try(probe, *n, seed, 0, seed))
                continue;
            uint64_t first = probe_fresh(probe, &definition);
            judge_loosely(probe);
            if (probe_fresh(probe, &definition) != first)
                conformance__probe_broken(probe, "the same crashes give another outcome the second time");
        }
}

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

typedef void run_check(struct conformance__probe *probe);

static run_check *const runs[COR_CONFORMANCE_COUNT] = {
    [COR_CHECK_OF_results] = check_results,       [COR_CHECK_OF_repeatable] = check_repeatable,
    [COR_CHECK_OF_clock] = check_digests,         [COR_CHECK_OF_addresses] = check_digests,
    [COR_CHECK_OF_environment] = check_digests,   [COR_CHECK_OF_uninitialised] = check_digests,
    [COR_CHECK_OF_steps] = check_steps,           [COR_CHECK_OF_budget] = check_budget,
    [COR_CHECK_OF_sizes] = check_sizes,           [COR_CHECK_OF_limits] = check_limits,
    [COR_CHECK_OF_parameters] = check_parameters, [COR_CHECK_OF_values] = check_values,
    [COR_CHECK_OF_kinds] = check_kinds,           [COR_CHECK_OF_aims] = check_aims,
    [COR_CHECK_OF_faults] = check_faults,         [COR_CHECK_OF_counters] = check_counters,
    [COR_CHECK_OF_anytime] = check_anytime,       [COR_CHECK_OF_keeps] = check_keeps,
    [COR_CHECK_OF_garbled] = check_garbled,       [COR_CHECK_OF_memory] = check_memory,
    [COR_CHECK_OF_read_only] = check_read_only,   [COR_CHECK_OF_mail] = check_mail,
    [COR_CHECK_OF_restarts] = check_restarts,     [COR_CHECK_OF_decentralized] = check_decentralized};

/* Of mechanisms and monitors. */
static run_check *const runs_beside[COR_CONFORMANCE_COUNT] = {
    [COR_CHECK_OF_repeatable] = conformance__check_beside_repeatable,
    [COR_CHECK_OF_clock] = conformance__check_beside_digests,
    [COR_CHECK_OF_addresses] = conformance__check_beside_digests,
    [COR_CHECK_OF_environment] = conformance__check_beside_digests,
    [COR_CHECK_OF_uninitialised] = conformance__check_beside_digests,
    [COR_CHECK_OF_parameters] = conformance__check_beside_parameters,
    [COR_CHECK_OF_works] = conformance__check_works};

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
