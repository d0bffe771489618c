/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The check of aims: who promises to go with objectives makes small what it is told to, or makes nothing
 * small. An objective and its opposite are asked for in turn; what a solution is worth is reckoned here by
 * itself. An algorithm that makes nothing small is as often better as worse, whatever it draws: nine of ten
 * of so many tasks are no chance (less than 1e-7 for forty). */
#include "internal.h"

#include <math.h>
#include <string.h>

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
static bool answer(struct conformance__probe *probe, const struct cor_objective *objective) {
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
        if (!answer(probe, &objective))
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
            answer(probe, &unknown);
            const struct cor_objective objective = {step_count_of[RANGE], 1, steps_of[RANGE], all_pass};
            if (seed < CONFORMANCE__SEEDS)
                read_only(probe, &objective);
        }
    judge(probe, &tally);
}
