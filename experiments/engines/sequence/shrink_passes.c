/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The passes of shrinking. A single step of a pass of sets is one part less; of values, one number simpler in
 * one of the ways in which it is tried. */
#include "shrinker.h"
#include <corridor/minimize.h>

#include <corridor/array.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cor_walk *walk_of(const struct cor_test *test) {
    return &test->suite->recorded[0];
}

/* Passes of sets. */

struct set_run {
    struct cor_shrinker *s;
    const struct cor_pass *pass;
    struct cor_test *base; /* owned; the best when the pass began, from which parts are taken */
    uint32_t count;
};

static uint32_t case_count(const struct cor_test *test) {
    return walk_of(test)->case_count;
}

static enum cor_status try_without(void *self, bool *gone, bool *stays, struct cor_error *error) {
    struct set_run *run = self;
    struct cor_test *copy;
    enum cor_step_end end = COR_STEP_UNTRIED;
    bool can = true;
    *stays = false;
    if (run->s->stopped)
        return COR_OK;
    COR_TRY(cor_test_copy(run->base, &copy, error));
    enum cor_status status = run->pass->without(run->s, copy, gone, &can, error);
    if (status != COR_OK || !can) {
        cor_test_destroy(copy);
        return status;
    }
    COR_TRY(sequence__shrink_try(run->s, copy, &end, error));
    *stays = end == COR_STEP_STAYS;
    if (*stays) {
        /* A test that fails earlier was cut there. What is cut need not be taken away. */
        const uint32_t cases = case_count(run->s->best);
        if (run->pass->of_cases) {
            uint32_t left = 0;
            for (uint32_t i = 0; i < run->count; i++) {
                left += !gone[i];
                gone[i] = gone[i] || left > cases;
            }
        } else if (case_count(run->base) > cases) {
            cor_test_truncate(run->base, cases);
        }
    }
    return COR_OK;
}

static enum cor_status run_set(struct cor_shrinker *s, const struct cor_pass *pass, bool *moved,
                               struct cor_error *error) {
    struct set_run run = {.s = s, .pass = pass};
    bool *gone = NULL;
    enum cor_status status = COR_OK;
    *moved = false;
    COR_TRY(pass->count(s, &run.count, error));
    if (run.count == 0)
        return COR_OK;
    COR_TRY(cor_test_copy(s->best, &run.base, error));
    gone = cor_calloc(run.count, sizeof *gone);
    COR_TRY_OUT(cor_made(gone, error));
    if (pass->begin)
        pass->begin(s, run.base, gone);
    COR_TRY_OUT(cor_minimize_set(run.count, try_without, &run, gone, moved, error));
out:
    free(gone);
    cor_test_destroy(run.base);
    return status;
}

static enum cor_status step_set(struct cor_shrinker *s, const struct cor_pass *pass, struct cor_test *copy,
                                uint32_t index, struct cor_step *step, struct cor_error *error) {
    uint32_t count;
    COR_TRY(pass->count(s, &count, error));
    bool *gone = cor_calloc(count, sizeof *gone);
    COR_TRY(cor_made(gone, error));
    if (pass->begin)
        pass->begin(s, copy, gone);
    step->can = !gone[index];
    gone[index] = true;
    if (pass->of_chains) {
        char chain[128];
        sequence__chain_text(copy, index, chain, sizeof chain);
        snprintf(step->text, sizeof step->text, "%s %s", pass->unit, chain);
    } else {
        snprintf(step->text, sizeof step->text, "%s %u", pass->unit, index + pass->from);
    }
    enum cor_status status = COR_OK;
    if (step->can)
        status = pass->without(s, copy, gone, &step->can, error);
    free(gone);
    return status;
}

static enum cor_status count_cases(struct cor_shrinker *s, uint32_t *count, struct cor_error *error) {
    (void)error;
    *count = case_count(s->best);
    return COR_OK;
}

static enum cor_status without_cases(struct cor_shrinker *s, struct cor_test *copy, const bool *gone,
                                     bool *can, struct cor_error *error) {
    (void)s;
    return sequence__test_drop_cases(copy, gone, can, error);
}

/* All quiet cases and nothing else: whatever made the system reorganize stays. */
static enum cor_status run_quiet(struct cor_shrinker *s, const struct cor_pass *pass, bool *moved,
                                 struct cor_error *error) {
    const uint32_t count = case_count(s->best);
    struct cor_test *copy;
    enum cor_step_end end;
    bool can, *gone = cor_calloc(count, sizeof *gone);
    (void)pass;
    *moved = false;
    COR_TRY(cor_made(gone, error));
    enum cor_status status = cor_test_copy(s->best, &copy, error);
    if (status == COR_OK) {
        memcpy(gone, s->quiet, count * sizeof *gone);
        status = sequence__test_drop_cases(copy, gone, &can, error);
        if (status != COR_OK || !can || case_count(copy) == count)
            cor_test_destroy(copy);
        else if ((status = sequence__shrink_try(s, copy, &end, error)) == COR_OK)
            *moved = end == COR_STEP_STAYS;
    }
    free(gone);
    return status;
}

#define COUNT_OF(what, number)                                                                              \
    static enum cor_status count_##what(struct cor_shrinker *s, uint32_t *count, struct cor_error *error) { \
        const struct cor_configuration *c = s->best->suite->configuration;                                  \
        (void)error;                                                                                        \
        *count = number;                                                                                    \
        return COR_OK;                                                                                      \
    }
COUNT_OF(partitions, c->initial_partitions)
COUNT_OF(groups, c->group_count)
COUNT_OF(chains, c->chain_count)
COUNT_OF(agents, c->agent_count)
COUNT_OF(borders, c->group_count - 1)
COUNT_OF(merges, c->initial_partitions > 0 ? c->initial_partitions - 1 : 0)
COUNT_OF(partition_pairs,
         c->initial_partitions > 0 ? c->initial_partitions * (c->initial_partitions - 1) / 2 : 0)
COUNT_OF(chain_pairs, c->chain_count *(c->chain_count - 1) / 2)
COUNT_OF(changes, c->chain_count *case_count(s->best))
COUNT_OF(states, c->chain_count *(case_count(s->best) + 1))

#define WITHOUT(what)                                                                                      \
    static enum cor_status without_##what(struct cor_shrinker *s, struct cor_test *copy, const bool *gone, \
                                          bool *can, struct cor_error *error) {                            \
        (void)s;                                                                                           \
        return sequence__test_drop_##what(copy, gone, can, error);                                         \
    }
WITHOUT(partitions)
WITHOUT(groups)
WITHOUT(chains)
WITHOUT(agents)

static enum cor_status without_borders(struct cor_shrinker *s, struct cor_test *copy, const bool *gone,
                                       bool *can, struct cor_error *error) {
    (void)error;
    *can = true;
    for (uint32_t g = 0; g + 1 < copy->suite->configuration->group_count; g++)
        *can = *can && (!gone[g] || sequence__test_can_join(copy, g, !s->bounds || s->bounds->mixed_groups));
    if (*can)
        sequence__test_join_groups(copy, gone);
    return COR_OK;
}

static enum cor_status without_merges(struct cor_shrinker *s, struct cor_test *copy, const bool *gone,
                                      bool *can, struct cor_error *error) {
    (void)s;
    *can = true;
    return sequence__test_merge_partitions(copy, gone, error);
}

static enum cor_status count_entries(struct cor_shrinker *s, uint32_t *count, struct cor_error *error) {
    (void)error;
    *count = s->best->schedule ? (uint32_t)s->best->schedule->count : 0;
    return COR_OK;
}

static enum cor_status without_entries(struct cor_shrinker *s, struct cor_test *copy, const bool *gone,
                                       bool *can, struct cor_error *error) {
    (void)s;
    (void)error;
    *can = true;
    sequence__test_drop_entries(copy, gone);
    return COR_OK;
}

/* Chains that never change are frozen already. */
static void begin_frozen(struct cor_shrinker *s, const struct cor_test *base, bool *gone) {
    const struct cor_walk *walk = walk_of(base);
    (void)s;
    for (uint32_t chain = 0; chain < walk->chain_count; chain++) {
        gone[chain] = true;
        for (uint32_t i = 1; i <= walk->case_count; i++)
            gone[chain] = gone[chain] && cor_walk_at(walk, i)[chain] == cor_walk_at(walk, 0)[chain];
    }
}

static void freeze(struct cor_test *test, const bool *gone, uint32_t at) {
    struct cor_walk *walk = &test->suite->recorded[0];
    for (uint32_t chain = 0; chain < walk->chain_count; chain++)
        for (uint32_t i = 0; gone[chain] && i <= walk->case_count; i++)
            walk->states[(size_t)i * walk->chain_count + chain] = cor_walk_at(walk, at)[chain];
}

/* In the state in which it fails. */
static enum cor_status freeze_last(struct cor_shrinker *s, struct cor_test *copy, const bool *gone, bool *can,
                                   struct cor_error *error) {
    (void)s;
    (void)error;
    *can = true;
    freeze(copy, gone, case_count(copy));
    return COR_OK;
}

static enum cor_status freeze_first(struct cor_shrinker *s, struct cor_test *copy, const bool *gone,
                                    bool *can, struct cor_error *error) {
    (void)s;
    (void)error;
    *can = true;
    freeze(copy, gone, 0);
    return COR_OK;
}

static void begin_held(struct cor_shrinker *s, const struct cor_test *base, bool *gone) {
    const struct cor_walk *walk = walk_of(base);
    const size_t chains = walk->chain_count;
    (void)s;
    for (size_t i = 0; i < chains * walk->case_count; i++)
        gone[i] = walk->states[i + chains] == walk->states[i];
}

/* A change that is held does not happen: the state of the case before goes on. */
static enum cor_status hold(struct cor_shrinker *s, struct cor_test *copy, const bool *gone, bool *can,
                            struct cor_error *error) {
    struct cor_walk *walk = &copy->suite->recorded[0];
    const size_t chains = walk->chain_count;
    (void)s;
    (void)error;
    *can = true;
    for (size_t i = 0; i < chains * walk->case_count; i++)
        if (gone[i])
            walk->states[i + chains] = walk->states[i];
    return COR_OK;
}

/* Passes of choices: single steps one after another, until a round of them took nothing. */

static enum cor_status run_choices(struct cor_shrinker *s, const struct cor_pass *pass, bool *moved,
                                   struct cor_error *error) {
    uint32_t count, still = 0;
    *moved = false;
    COR_TRY(pass->count(s, &count, error));
    for (uint32_t i = 0; still < count && !s->stopped; i = i + 1 < count ? i + 1 : 0) {
        enum cor_step_end end;
        struct cor_step step = {0};
        COR_TRY(sequence__shrink_step(s, pass, i, &step, &end, error));
        still++;
        if (end != COR_STEP_STAYS)
            continue;
        *moved = true;
        still = 0;
        COR_TRY(pass->count(s, &count, error));
        i--; /* what was next may stand here now */
    }
    return COR_OK;
}

/* Pair number `index` of (1, 0), (2, 0), (2, 1), (3, 0) .. */
static void pair_at(uint32_t index, uint32_t *high, uint32_t *low) {
    for (*high = 1; index >= *high; ++*high)
        index -= *high;
    *low = index;
}

static enum cor_status step_partition_pair(struct cor_shrinker *s, const struct cor_pass *pass,
                                           struct cor_test *copy, uint32_t index, struct cor_step *step,
                                           struct cor_error *error) {
    uint32_t high, low;
    (void)s;
    (void)pass;
    pair_at(index, &high, &low);
    step->can = true;
    snprintf(step->text, sizeof step->text, "partition %u apart from partition %u", high, low);
    return sequence__test_merge_two(copy, high, low, error);
}

static enum cor_status step_chain_pair(struct cor_shrinker *s, const struct cor_pass *pass,
                                       struct cor_test *copy, uint32_t index, struct cor_step *step,
                                       struct cor_error *error) {
    const struct cor_configuration *c = copy->suite->configuration;
    uint32_t high, low;
    char one[128], other[128];
    (void)s;
    (void)pass;
    pair_at(index, &high, &low);
    step->can = c->profile_of_chain[high] == c->profile_of_chain[low];
    if (step->can) {
        sequence__chain_text(copy, high, one, sizeof one);
        sequence__chain_text(copy, low, other, sizeof other);
        snprintf(step->text, sizeof step->text, "the chain of %s apart from that of %s", one, other);
    }
    return step->can ? sequence__test_join_chains(copy, high, low, error) : COR_OK;
}

static enum cor_status step_arc(struct cor_shrinker *s, const struct cor_pass *pass, struct cor_test *copy,
                                uint32_t index, struct cor_step *step, struct cor_error *error) {
    struct cor_walk *walk = &copy->suite->recorded[0];
    const uint32_t chain = index % walk->chain_count, at = index / walk->chain_count;
    const struct cor_profile *profile =
        copy->suite->profiles[copy->suite->configuration->profile_of_chain[chain]];
    uint8_t *state = &walk->states[index];
    char of[128];
    (void)s;
    (void)pass;
    (void)error;
    for (uint8_t to = 0; to < *state && !step->can; to++) {
        const bool arc =
            at == 0 ||
            profile->probability[(size_t)cor_walk_at(walk, at - 1)[chain] * profile->state_count + to] > 0;
        if (!arc)
            continue;
        step->can = true;
        *state = to;
    }
    const char *name = step->can && profile->states[*state] ? profile->states[*state] : "";
    sequence__chain_text(copy, chain, of, sizeof of);
    snprintf(step->text, sizeof step->text, "the chain of %s at %s in case %u", of, name, at);
    step->is_value = true;
    return COR_OK;
}

#define SUM_STEPS (COR_SUM_MAX + COR_SUM_MAX * (COR_SUM_MAX - 1) / 2)

static enum cor_status count_sums(struct cor_shrinker *s, uint32_t *count, struct cor_error *error) {
    (void)error;
    *count = s->bounds ? s->bounds->sum_count * SUM_STEPS : 0;
    return COR_OK;
}

/* All of a sum to one parameter, or half of it to each of two. */
static enum cor_status step_sum(struct cor_shrinker *s, const struct cor_pass *pass, struct cor_test *copy,
                                uint32_t index, struct cor_step *step, struct cor_error *error) {
    const struct cor_sum *sum = &s->bounds->sums[index / SUM_STEPS];
    uint32_t high = index % SUM_STEPS, low = high;
    (void)pass;
    (void)error;
    if (high >= COR_SUM_MAX)
        pair_at(index % SUM_STEPS - COR_SUM_MAX, &high, &low);
    step->can = high < sum->count;
    if (!step->can)
        return COR_OK;
    for (uint32_t i = 0; i < sum->count; i++)
        copy->suite->parameters[sum->member[i]] = 0;
    copy->suite->parameters[sum->member[low]] += sum->total / 2;
    copy->suite->parameters[sum->member[high]] += sum->total / 2;
    const char *one = cor_parameter_laws_name(copy->arm.laws, sum->member[low]),
               *other = cor_parameter_laws_name(copy->arm.laws, sum->member[high]);
    if (low == high)
        snprintf(step->text, sizeof step->text, "parameter %s alone = %g of its sum", one, sum->total);
    else
        snprintf(step->text, sizeof step->text, "parameters %s and %s = %g each of their sum", other, one,
                 sum->total / 2);
    step->is_value = true;
    return COR_OK;
}

/* Numbers. */

struct number_run {
    struct cor_shrinker *s;
    struct cor_slot slot;
    bool moved;
};

static enum cor_status try_value(struct number_run *run, double value, bool *stays, struct cor_error *error) {
    struct cor_test *copy;
    enum cor_step_end end = COR_STEP_UNTRIED;
    *stays = false;
    if (run->s->stopped)
        return COR_OK;
    COR_TRY(cor_test_copy(run->s->best, &copy, error));
    sequence__slot_set(copy, &run->slot, value);
    COR_TRY(sequence__shrink_try(run->s, copy, &end, error));
    *stays = end == COR_STEP_STAYS;
    run->moved = run->moved || *stays;
    return COR_OK;
}

static enum cor_status try_integer(void *self, int64_t value, bool *stays, struct cor_error *error) {
    return try_value(self, (double)value, stays, error);
}

static enum cor_status run_numbers(struct cor_shrinker *s, const struct cor_pass *pass, bool *moved,
                                   struct cor_error *error) {
    (void)pass;
    *moved = false;
    COR_TRY(sequence__slots_list(s->bounds, s->best, &s->slots, error));
    for (size_t i = 0; i < s->slots.count && !s->stopped; i++) {
        struct number_run run = {.s = s, .slot = s->slots.items[i]};
        const double value = sequence__slot_value(run.s->best, &run.slot);
        double simpler[COR_SIMPLER_MAX];
        int64_t whole = (int64_t)value;
        if (run.slot.integer) {
            COR_TRY(cor_minimize_number((int64_t)run.slot.low, &whole, try_integer, &run, error));
        } else {
            const uint32_t count = sequence__simpler(value, run.slot.low, run.slot.high, simpler);
            bool stays = false;
            for (uint32_t j = 0; j < count && !stays; j++)
                COR_TRY(try_value(&run, simpler[j], &stays, error));
        }
        if (!run.moved)
            continue;
        *moved = true;
        COR_TRY(sequence__slots_list(s->bounds, s->best, &s->slots, error)); /* ranges may have moved along */
    }
    return COR_OK;
}

/* Simpler numbers that are tried as single steps: of an integer the low end and one less. */
static uint32_t choices_of(const struct cor_test *test, const struct cor_slot *slot, double *simpler) {
    const double value = sequence__slot_value(test, slot);
    if (!slot->integer)
        return sequence__simpler(value, slot->low, slot->high, simpler);
    simpler[0] = slot->low;
    simpler[1] = value - 1;
    return value - slot->low >= 2 ? 2 : value > slot->low;
}

static enum cor_status count_numbers(struct cor_shrinker *s, uint32_t *count, struct cor_error *error) {
    double simpler[COR_SIMPLER_MAX];
    *count = 0;
    COR_TRY(sequence__slots_list(s->bounds, s->best, &s->slots, error));
    for (size_t i = 0; i < s->slots.count; i++) {
        s->slots.items[i].first_choice = *count;
        *count += choices_of(s->best, &s->slots.items[i], simpler);
    }
    return COR_OK;
}

static enum cor_status step_number(struct cor_shrinker *s, const struct cor_pass *pass, struct cor_test *copy,
                                   uint32_t index, struct cor_step *step, struct cor_error *error) {
    /* The slot that choice `index` is of. */
    size_t low = 0, high = s->slots.count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(s->slots.items[middle].first_choice <= index ? &low : &high) = middle;
    }
    const struct cor_slot *slot = &s->slots.items[low];
    const uint32_t choice = index - slot->first_choice;
    const double value = sequence__slot_value(copy, slot);
    double simpler[COR_SIMPLER_MAX];
    char name[256];
    (void)pass;
    (void)error;
    step->can = choice < choices_of(copy, slot, simpler);
    COR_ASSERT(step->can);
    sequence__slot_text(copy, slot, name, sizeof name);
    snprintf(step->text, sizeof step->text, "%s: %.10g instead of %.10g", name, simpler[choice], value);
    step->distance = fabs(simpler[choice] - value) / (1 + fabs(value));
    step->is_value = true;
    sequence__slot_set(copy, slot, simpler[choice]);
    return COR_OK;
}

/* Of profiles all at once: none of it can matter. */
static enum cor_status run_profiles(struct cor_shrinker *s, const struct cor_pass *pass, bool *moved,
                                    struct cor_error *error) {
    struct cor_test *copy;
    enum cor_step_end end;
    (void)pass;
    *moved = false;
    if (sequence__test_needless_arcs(s->best) == 0)
        return COR_OK;
    COR_TRY(cor_test_copy(s->best, &copy, error));
    const enum cor_status status = sequence__test_drop_arcs(copy, error);
    if (status != COR_OK) {
        cor_test_destroy(copy);
        return status;
    }
    COR_TRY(sequence__shrink_try(s, copy, &end, error));
    *moved = end == COR_STEP_STAYS;
    return COR_OK;
}

static enum cor_status count_profile_arcs(struct cor_shrinker *s, uint32_t *count, struct cor_error *error) {
    (void)error;
    *count = (uint32_t)sequence__test_needless_arcs(s->best);
    return COR_OK;
}

static enum cor_status step_profile_arc(struct cor_shrinker *s, const struct cor_pass *pass,
                                        struct cor_test *copy, uint32_t index, struct cor_step *step,
                                        struct cor_error *error) {
    (void)s;
    (void)pass;
    step->can = true;
    return sequence__test_drop_arc(copy, index, step->text, sizeof step->text, error);
}

static enum cor_status count_drawn_mail(struct cor_shrinker *s, uint32_t *count, struct cor_error *error) {
    (void)error;
    *count = sequence__test_draws_mail(s->best);
    return COR_OK;
}

static enum cor_status step_mail(struct cor_shrinker *s, const struct cor_pass *pass, struct cor_test *copy,
                                 uint32_t index, struct cor_step *step, struct cor_error *error) {
    (void)pass;
    (void)index;
    snprintf(step->text, sizeof step->text, "mail that is drawn");
    return sequence__shrink_record_mail(s, copy, &step->can, error);
}

#define SET .run = run_set, .step = step_set
#define CHOICES .run = run_choices

const struct cor_pass sequence__passes[] = {
    {"quiet cases", "all cases without reorganization at once", "", .run = run_quiet},
    {"cases", "each case", "case", 1, SET, .count = count_cases, .without = without_cases, .of_cases = true},
    {"partitions", "each partition at the start, with its agents", "the agents of partition", 0, SET,
     .count = count_partitions, .without = without_partitions},
    {"chains", "each chain, with its groups", "the chain of", 0, SET, .count = count_chains,
     .without = without_chains, .of_chains = true},
    {"groups", "each group, with its agents", "group", 0, SET, .count = count_groups,
     .without = without_groups},
    {"agents", "each agent", "agent", 0, SET, .count = count_agents, .without = without_agents},
    {"frozen at the end", "each chain, all the time in its last state", "the changes of the chain of", 0, SET,
     .count = count_chains, .without = freeze_last, .begin = begin_frozen, .of_chains = true},
    {"frozen at the start", "each chain, all the time in its first state", "the changes of the chain of", 0,
     SET, .count = count_chains, .without = freeze_first, .begin = begin_frozen, .of_chains = true},
    {"joined chains", "each two chains of one profile as one", "", 0, CHOICES, .count = count_chain_pairs,
     .step = step_chain_pair},
    {"joined groups", "each two neighbouring groups of one chain as one", "the border behind group", 0, SET,
     .count = count_borders, .without = without_borders},
    {"merged partitions", "each partition at the start together with the one before",
     "the border of partition", 0, SET, .count = count_merges, .without = without_merges},
    {"pairs of partitions", "each two partitions at the start as one", "", 0, CHOICES,
     .count = count_partition_pairs, .step = step_partition_pair},
    {"schedule", "each entry of the recorded schedule of mail, which is in sending order there instead",
     "entry of the schedule", 0, SET, .count = count_entries, .without = without_entries},
    {"numbers",
     "each number: an integer at the low end of its range, and one less; a real at 1, 0, 0.5, with "
     "fewer decimals",
     "", 0, .run = run_numbers, .count = count_numbers, .step = step_number},
    {"sums", "parameters of a given sum: all of it in one of them, or half in each of two", "", 0, CHOICES,
     .count = count_sums, .step = step_sum},
    {"changes", "each change of a chain, which stays as it was instead", "change", 0, SET,
     .count = count_changes, .without = hold, .begin = begin_held},
    {"arcs", "each state of a chain, to the first of its profile's states that can follow", "", 0, CHOICES,
     .count = count_states, .step = step_arc},
    {"mail", "mail as it went, recorded, instead of drawn", "", 0, CHOICES, .last = true,
     .count = count_drawn_mail, .step = step_mail},
    {"profiles",
     "each arc of a profile that the walk does not take, but for one in each state that it never leaves", "",
     0, .last = true, .run = run_profiles, .count = count_profile_arcs, .step = step_profile_arc},
};
const uint32_t sequence__pass_count = sizeof sequence__passes / sizeof *sequence__passes;
