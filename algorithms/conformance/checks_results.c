/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks that look at one outcome: every task, however odd, is answered or declined. */
#include "internal.h"

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
 * process, of a program by that of its keeper, that is a remark about `what`, and false. */
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
        conformance__probe_remark(probe, "%s: no answer within %d s of CPU time", what, seconds);
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

/* Huge ones may take too long, or too much memory: a remark. */
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
        if (probe->outcome.smoke == COR_SMOKE_MEMORY || conformance__probe_declined(probe)) {
            conformance__probe_remark(probe, "%s: %s", what,
                                      probe->outcome.smoke == COR_SMOKE_MEMORY
                                          ? "not within 256 MiB of memory"
                                          : probe->outcome.complaint);
            return;
        }
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
