/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks that look at one outcome: every task, however odd, is answered or declined. */
#include "internal.h"

#include <corridor/array.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One reorganization in a fresh session, mail as in conformance__schedules[mail]. */
static void answer(struct conformance__probe *probe, size_t mail) {
    struct cor_session_definition definition = cor_default_session(probe->algorithm);
    definition.mail = conformance__schedules[mail];
    conformance__probe_fresh(probe, &definition);
}

/* The same, where it may take long: after so many seconds of CPU time, of a module by the clock of this
 * process, of a program by that of its keeper, `what` was not reached, and false. */
static bool answer_in(struct conformance__probe *probe, int seconds, const char *what) {
    struct cor_session_definition definition = cor_default_session(probe->algorithm);
    definition.mail = conformance__schedules[0];
    if (probe->is_program)
        definition.cpu_seconds = seconds;
    conformance__probe_patience(probe, seconds, what);
    conformance__probe_fresh(probe, &definition);
    conformance__probe_patience(probe, 0, what);
    const bool hung = probe->is_program && probe->outcome.smoke == COR_SMOKE_HUNG;
    if (hung)
        conformance__probe_unreached(probe, "%s: no answer within %d s of CPU time", what, seconds);
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

void conformance__check_results(struct conformance__probe *probe) {
    uint64_t declined = 0;
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < 2 * CONFORMANCE__SEEDS; seed++) {
            if (!conformance__probe_try(probe, *n, seed, 0, 0))
                continue;
            answer(probe, 0);
            if (!conformance__probe_judge(probe))
                return;
            judge_limits(probe);
            if (conformance__probe_declined(probe) && declined++ == 0)
                conformance__probe_remark(probe, "declines %u agents: %s", *n, probe->outcome.complaint);
        }
    if (declined > 0 && declined == probe->trials)
        conformance__probe_broken_together(probe, "it declines every task: %s", probe->outcome.complaint);
}

/* Who works within a budget of units, not all at once. */
void conformance__check_budget(struct conformance__probe *probe) {
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
            conformance__probe_judge(probe);
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
            conformance__probe_unreached(probe, "%s: not within 256 MiB of memory", what);
        else if (conformance__probe_declined(probe))
            conformance__probe_remark(probe, "%s: %s", what, probe->outcome.complaint);
        if (probe->outcome.smoke == COR_SMOKE_MEMORY || conformance__probe_declined(probe))
            return;
        conformance__probe_judge(probe);
    }
}

void conformance__check_sizes(struct conformance__probe *probe) {
    static const uint32_t sizes[] = {1, 2, 2, 3, 10, 10, 64};
    static const uint32_t blocks[] = {1, 1, 2, 3, 1, 10, 64};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (conformance__probe_try(probe, sizes[i], i, 0, 0)) {
            conformance__trial_cut(&probe->trial, blocks[i]);
            answer(probe, 0);
            conformance__probe_judge(probe);
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
        if (conformance__probe_judge(probe) && feasible)
            judge_limits(probe);
        if (conformance__probe_declined(probe)) {
            refused[feasible]++;
            all->refused[feasible]++;
        }
    }
}

void conformance__check_limits(struct conformance__probe *probe) {
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
        else if (probe->outcome.smoke != COR_SMOKE_NONE && !conformance__probe_declined(probe))
            conformance__probe_broken(probe, "with %s it fails without a word of why", what);
    }
}

void conformance__check_parameters(struct conformance__probe *probe) {
    uint32_t count = cor_algorithm_parameter_count(probe->algorithm);
    if (count == 0)
        conformance__probe_skip(probe, "it has no parameters");
    for (uint32_t i = 0; i < count; i++) {
        try_parameter(probe, i, probe->algorithm->parameters[i].min);
        try_parameter(probe, i, probe->algorithm->parameters[i].max);
    }
}

static void set_values(struct conformance__trial *trial, uint32_t pattern) {
    static const double all[] = {0, 1, -1, DBL_MAX, DBL_MIN / 4, -DBL_MAX};
    static const double one[] = {(double)INFINITY, -(double)INFINITY, (double)NAN, DBL_MAX, -0.0};
    const uint32_t plain = sizeof all / sizeof *all, odd = sizeof one / sizeof *one;
    uint32_t n = trial->task.agent_count;
    for (uint32_t i = 0; i < n; i++) {
        if (pattern < plain)
            trial->values[i] = all[pattern];
        else if (pattern < plain + odd && i == n / 2)
            trial->values[i] = one[pattern - plain];
        else if (pattern == plain + odd)
            trial->values[i] = (double)NAN;
        else if (pattern == plain + odd + 1)
            trial->values[i] = i % 2 ? DBL_MAX : -DBL_MAX;
    }
}

#define PATTERNS 13u

void conformance__check_values(struct conformance__probe *probe) {
    static const uint32_t sizes[] = {1, 2, 5, 10, 25};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t pattern = 0; pattern < PATTERNS; pattern++)
            if (conformance__probe_try(probe, sizes[i], pattern, 0, 0)) {
                set_values(&probe->trial, pattern);
                answer(probe, 0);
                conformance__probe_judge(probe);
            }
}

void conformance__check_faults(struct conformance__probe *probe) {
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
                uint64_t sound = conformance__probe_fresh(probe, &definition);
                probe->trial.rules.fault = fault;
                const uint64_t faulty = conformance__probe_fresh(probe, &definition);
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
    struct cor_session *session = conformance__probe_open(probe, definition);
    uint64_t first = conformance__probe_run(probe, session, &probe->trial);
    if (conformance__probe_run(probe, session, &probe->trial) != first)
        conformance__probe_broken(probe, "the same task gives another outcome the second time");
    uint32_t n = probe->trial.task.agent_count;
    conformance__probe_trouble(probe,
                               conformance__trial_make(&probe->other, probe->algorithm, n > 2 ? n - 2 : n + 3,
                                                       probe->trial.name.seed + 77, &probe->error));
    conformance__probe_run(probe, session, &probe->other);
    if (conformance__probe_run(probe, session, &probe->trial) != first)
        conformance__probe_broken(probe, "the same task gives another outcome after another task");
    cor_session_destroy(session);
    session = conformance__probe_open(probe, definition);
    if (conformance__probe_run(probe, session, &probe->trial) != first)
        conformance__probe_broken(probe, "the same task gives another outcome in a fresh session");
    cor_session_destroy(session);
}

void conformance__check_repeatable(struct conformance__probe *probe) {
    struct cor_session_definition definition;
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < seeds_of(probe); seed++)
            if (try(probe, *n, seed, &definition))
                repeat(probe, &definition);
}

void conformance__check_digests(struct conformance__probe *probe) {
    struct cor_session_definition definition;
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < CONFORMANCE__SEEDS; seed++)
            if (try(probe, *n, seed, &definition)) {
                fprintf(probe->out, "D%016" PRIx64 "\n", conformance__probe_fresh(probe, &definition));
                fflush(probe->out);
            }
}

static void cut_steps(struct conformance__probe *probe, struct cor_session_definition *definition) {
    static const uint64_t slices[] = {1, 7, 64, 399};
    uint64_t whole = conformance__probe_fresh(probe, definition);
    for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
        definition->slice_units = slices[i];
        if (conformance__probe_fresh(probe, definition) != whole)
            conformance__probe_broken(probe,
                                      "steps of at most %" PRIu64 " give another outcome than one of %u",
                                      slices[i], CONFORMANCE__BUDGET);
    }
}

void conformance__check_steps(struct conformance__probe *probe) {
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
    uint64_t expected = conformance__probe_fresh(probe, definition);
    definition->interim_units = 50;
    uint64_t digest = conformance__probe_fresh(probe, definition);
    if (digest != expected)
        conformance__probe_broken(probe, "the outcome differs when interim solutions are asked for");
    for (size_t i = 0; probe->trial.rules.fault == 0 && i < probe->outcome.interim_count; i++)
        if (conformance__solution_trouble(&probe->outcome.interims[i].solution, probe->trial.task.agent_count,
                                          text, sizeof text))
            conformance__probe_broken(probe, "interim solution %zu, after %" PRIu64 " units: %s", i + 1,
                                      probe->outcome.interims[i].spent, text);
}

void conformance__check_anytime(struct conformance__probe *probe) {
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

void conformance__check_keeps(struct conformance__probe *probe) {
    struct cor_session_definition definition;
    if (!(probe->algorithm->capabilities & COR_KEEPS)) {
        conformance__probe_skip(probe, "it is not COR_KEEPS");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < seeds_of(probe); seed++)
            if (try(probe, *n, seed, &definition)) {
                uint64_t whole[SEQUENCE], again[SEQUENCE], saved[SEQUENCE];
                struct cor_session_memory memory = {0};
                struct cor_session *session = conformance__probe_open(probe, &definition),
                                   *fresh = conformance__probe_open(probe, &definition);
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
                cor_session_memory_fini(&memory);
                cor_session_destroy(session);
                cor_session_destroy(fresh);
            }
}

/* From some limit on the outcome is the one without limit; below, out of memory. */
static void limit_memory(struct conformance__probe *probe, struct cor_session_definition *definition) {
    uint64_t expected = conformance__probe_fresh(probe, definition);
    bool enough = false, unlimited_memory = probe->outcome.smoke == COR_SMOKE_MEMORY;
    for (size_t limit = 16; limit <= (size_t)64 << 20 && !probe->broken && !unlimited_memory;
         limit = limit * 3 / 2 + 8) {
        definition->memory_limit = limit;
        uint64_t digest = conformance__probe_fresh(probe, definition);
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

void conformance__check_memory(struct conformance__probe *probe) {
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
    conformance__probe_fresh(probe, &definition);
    probe->trial.task.objective = NULL;
    return conformance__probe_judge(probe) && !conformance__probe_declined(probe);
}

/* The task of an objective lies on pages that end where it ends, and can only be read. */
static void read_only(struct conformance__probe *probe, const struct cor_objective *objective) {
    struct cor_session_definition definition = cor_default_session(probe->algorithm);
    probe->trial.task.objective = objective;
    const uint64_t digest = conformance__probe_fresh(probe, &definition);
    definition.strict = !probe->is_program;
    if (conformance__probe_fresh(probe, &definition) != digest)
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
        if (turn == 1) {
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
            conformance__probe_broken_together(
                probe,
                "asked to make %s small, it makes it larger than when asked for the "
                "opposite: in %u of %u tasks",
                meanings[aim], tally->worse[aim], tally->worse[aim] + tally->better[aim]);
    if (is_no_chance(tally->smaller, tally->not_smaller))
        conformance__probe_broken_together(
            probe, "asked to make %s large, it makes it smaller than it was: in %u of %u tasks",
            meanings[RANGE], tally->smaller, tally->smaller + tally->not_smaller);
}

void conformance__check_aims(struct conformance__probe *probe) {
    static const uint32_t sizes[] = {6, 8, 10};
    const struct cor_objective unknown = {sizeof unknown_steps / sizeof *unknown_steps, 0, unknown_steps,
                                          NULL};
    struct tally tally = {0};
    if (!(probe->algorithm->capabilities & COR_AIMS)) {
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
                try_aim(probe, (enum aim)aim, &tally);
            answer_aims(probe, &unknown);
            const struct cor_objective objective = {step_count_of[RANGE], 1, steps_of[RANGE], all_pass};
            if (seed < CONFORMANCE__SEEDS)
                read_only(probe, &objective);
        }
    judge(probe, &tally);
}

/* ---- the check of kinds: who promises structures that are no partitionings is shown one and makes one, and
 * reads no more of it than there is. What a kind is, is said here by itself */

static const char *const words[] = {"a partitioning", "a covering", "an overlapping structure", "a hierarchy",
                                    "a tree"};

/* The present structure of a trial as one of the kind: the same blocks, where an agent may be in several each
 * with the first member of the next, where they nest two below each. */
struct shown {
    uint32_t *start, *members, *parent; /* owned */
};

static void fini_shown(struct shown *shown) {
    free(shown->start);
    free(shown->members);
    free(shown->parent);
}

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
    uint32_t *last = cor_calloc(n, sizeof *last), *count = cor_calloc(n, sizeof *count);
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
    free(last);
    free(count);
    return !said && kind >= COR_HIERARCHY ? trouble_of_parents(solution, kind) : said;
}

/* Asked twice: as ever, and with its task on pages that end where it ends. */
static void try_kind(struct conformance__probe *probe, enum cor_organized kind) {
    struct cor_session_definition definition = cor_default_session(probe->algorithm);
    struct shown shown = show_kind(&probe->trial.task, kind);
    probe->trial.rules.organized = (uint32_t)kind;
    const uint64_t digest = conformance__probe_fresh(probe, &definition);
    const struct cor_outcome *outcome = &probe->outcome;
    if (!conformance__probe_declined(probe)) {
        const char *said = outcome->smoke != COR_SMOKE_NONE
                               ? "it fails without a word of why, or in another way than by declining"
                               : trouble_of(&outcome->solution, probe->trial.task.agent_count, kind);
        if (said)
            conformance__probe_broken(probe, "asked for %s: %s", words[kind], said);
    }
    definition.strict = !probe->is_program;
    if (conformance__probe_fresh(probe, &definition) != digest)
        conformance__probe_broken(probe, "asked for %s, it gives another outcome where it may only read: %s",
                                  words[kind], outcome->complaint);
    fini_shown(&shown);
}

void conformance__check_kinds(struct conformance__probe *probe) {
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
            conformance__probe_fresh(probe, &definition);
            if (finding_of(probe) == belongs)
                conformance__probe_broken(probe, "%s", probe->outcome.complaint);
        }
}

void conformance__check_counters(struct conformance__probe *probe) {
    try_strictly(probe, COUNTERS);
}

void conformance__check_read_only(struct conformance__probe *probe) {
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
    uint32_t *before = malloc(n * sizeof *before), *after = malloc(n * sizeof *after);
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
    free(before);
    free(after);
    return moved;
}

void conformance__check_decentralized(struct conformance__probe *probe) {
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
            uint64_t plain = conformance__probe_fresh(probe, &definition);
            definition.strict = 1;
            uint64_t apart = conformance__probe_fresh(probe, &definition);
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

/* Mail that is lost or comes twice may leave a partitioning with gaps. */
static bool keeps_partitioning(enum cor_mail mode) {
    return mode != COR_MAIL_LOSSY && mode != COR_MAIL_DUPLICATED;
}

static void judge_loosely(struct conformance__probe *probe) {
    const struct cor_outcome *outcome = &probe->outcome;
    if (outcome->smoke != COR_SMOKE_NONE && !conformance__probe_declined(probe))
        conformance__probe_broken(probe, "it ends with smoke: %s",
                                  cor_term_word(COR_FAMILY_SMOKE, (int)outcome->smoke));
}

void conformance__check_mail(struct conformance__probe *probe) {
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
            conformance__probe_fresh(probe, &definition);
            if (keeps_partitioning(definition.mail.mode))
                conformance__probe_judge(probe);
            else
                judge_loosely(probe);
        }
}

void conformance__check_restarts(struct conformance__probe *probe) {
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
            uint64_t first = conformance__probe_fresh(probe, &definition);
            judge_loosely(probe);
            if (conformance__probe_fresh(probe, &definition) != first)
                conformance__probe_broken(probe, "the same crashes give another outcome the second time");
        }
}
