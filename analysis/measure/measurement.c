/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure.h"

#include <corridor/array.h>
#include <corridor/error.h>
#include <corridor/metric.h>
#include <corridor/terms.h>

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counts the reorganizations and cases of a sequence (measurement.c). */
static void tally_sequence(struct cor_tally *tally, const struct cor_sequence_rows *sequence) {
    for (size_t r = 0; r < sequence->reorganization_count; r++) {
        const struct cor_reorganization_row *row = &sequence->reorganizations[r];
        bool gray = cor_is_detection(row->gray), black = cor_is_detection(row->black);
        /* Through injection: the fault's way into the solution. */
        bool activated = cor_is_activated(row);
        tally->reached += row->fault_reached > 0;
        tally->held += row->fault_held > 0;
        tally->activated += activated;
        tally->reached_times += row->fault_reached;
        tally->held_times += row->fault_held;
        tally->activated_times += row->fault_activated;
        tally->in_result += row->fault_in_result;
        tally->in_result_passed += row->fault_in_result && row->gray == COR_VERDICT_PASSED;
        tally->activated_gray += activated && gray;
        tally->activated_black += activated && black;
        tally->masked += cor_is_masked(row);
        tally->gray_unprovoked += gray && !activated;
        tally->black_unprovoked += black && !activated;
        tally->unprovoked += (gray || black) && !activated;
        /* Through detection: the verdicts, and how the run ended. */
        bool by_adoption = black && !gray && row->adoption_fault > 0;
        bool by_own_moves = black && !gray && !by_adoption && row->own_moves;
        bool by_values = black && !gray && cor_is_outrun(row);
        tally->reorganizations++;
        tally->gray += gray;
        tally->black += black;
        tally->black_only += black && !gray;
        tally->black_only_adoption += by_adoption;
        tally->black_only_own_moves += by_own_moves;
        tally->activated_black_only_aside +=
            (by_adoption || by_own_moves || by_values) && cor_is_activated(row);
        tally->adoption_faults += row->adoption_fault > 0;
        tally->agreement_judged +=
            row->agreement == COR_VERDICT_PASSED || row->agreement == COR_VERDICT_FAILED;
        tally->agreement_failed += row->agreement == COR_VERDICT_FAILED;
        tally->rounds += row->rounds;
        tally->messages += row->messages;
        tally->moved += row->moved;
        tally->inside_after += row->inside_after == COR_INSIDE_INSIDE;
        tally->outside_after += row->inside_after == COR_INSIDE_OUTSIDE;
        tally->smoke[cor_known_code(row->smoke, COR_ENDING_CODES)]++;
        tally->stop[cor_known_code(row->stop, COR_ENDING_CODES)]++;
    }
    for (size_t c = 0; c < sequence->case_count; c++) {
        const struct cor_case_row *row = &sequence->cases[c];
        tally->alarms += row->alarm != 0;
        tally->detect_judged += row->detect == COR_VERDICT_PASSED || row->detect == COR_VERDICT_FAILED;
        tally->detect_undecided += row->detect == COR_VERDICT_UNDECIDED;
        tally->alarms_false += row->detect == COR_VERDICT_FAILED && row->alarm;
        tally->alarms_missed += row->detect == COR_VERDICT_FAILED && !row->alarm;
        tally->monitor_smoke += row->detect == COR_VERDICT_SMOKE;
    }
    for (size_t v = 0; v < sequence->violation_count; v++) {
        const bool is_mechanism = sequence->violations[v].check == COR_CHECK_MECHANISM_SMOKE;
        tally->mechanism_smoke += is_mechanism;
        tally->time_failed += sequence->violations[v].box == COR_BOX_TIME && !is_mechanism;
        tally->moves_failed += sequence->violations[v].box == COR_BOX_MOVE;
    }
}

uint64_t cor_tally_smoke(const struct cor_tally *tally) {
    uint64_t count = 0;
    for (int code = 1; code < COR_ENDING_CODES; code++)
        count += code == COR_SMOKE_NONE ? 0 : tally->smoke[code];
    return count;
}

size_t cor_found_by(const struct cor_tally *tally, const char *words[COR_FOUND_BY]) {
    size_t count = 0;
    if (tally->mechanism_smoke > 0)
        words[count++] = "mechanism";
    if (tally->gray > 0)
        words[count++] = "gray";
    if (tally->black > 0)
        words[count++] = "black";
    if (tally->gray + tally->black > 0)
        return count;
    if (tally->agreement_failed > 0)
        words[count++] = "agreement";
    if (tally->alarms_missed + tally->alarms_false + tally->monitor_smoke > 0)
        words[count++] = "detect";
    if (tally->time_failed > 0)
        words[count++] = "time";
    if (tally->moves_failed > 0)
        words[count++] = "move";
    return count;
}

/* ---- what must hold between the figures of an arm (rows: identities.h). Nothing is repaired: what is broken
 * is counted and said */

/* An identity between figures of an arm, with the figures. */
COR_PRINTF(4, 5)
static void check_figures(struct cor_arm_measurement *arm, enum cor_identity identity, bool holds,
                          const char *format, ...) {
    struct cor_identity_tally *tally = &arm->identity[identity];
    va_list arguments;
    /* One thing that identity is about. */
    arm->identity[identity].checked++;
    arm->identity[identity].broken += !holds;
    va_start(arguments, format);
    vsnprintf(tally->values, sizeof tally->values, format, arguments);
    va_end(arguments);
}

/* The figure of a metric without its interval, 0 where there is none. */
static double figure(const struct cor_arm_measurement *arm, enum cor_metric metric) {
    return arm->moments[metric].n > 0 ? arm->moments[metric].mean : 0;
}

/* Checks what the figures of an arm must satisfy (measurement.c). */
static void check_arm(struct cor_arm_measurement *arm) {
    const struct cor_tally *tally = &arm->tally;
    check_figures(arm, COR_IDENTITY_BLACK_AT_MOST_FAILING, tally->black <= arm->sequences_detected,
                  "%" PRIu64 " detections, %" PRIu64 " sequences", tally->black, arm->sequences_detected);
    if (arm->sequences > 0) {
        double quotient = (double)arm->failures / (double)arm->sequences,
               mean = figure(arm, COR_METRIC_FAILURES);
        check_figures(arm, COR_IDENTITY_FAILURES_PER_SEQUENCE, fabs(quotient - mean) <= 1e-9 * (1 + quotient),
                      "%" PRIu64 " / %" PRIu64 " = %.6g, mean %.6g", arm->failures, arm->sequences, quotient,
                      mean);
    }
    if (arm->failures > 0) {
        double undetected = figure(arm, COR_METRIC_UNDETECTED), gray = figure(arm, COR_METRIC_DETECTED_GRAY),
               aside = 100.0 * (double)tally->activated_black_only_aside / (double)arm->failures;
        check_figures(arm, COR_IDENTITY_UNDETECTED_PLUS_GRAY, fabs(undetected + gray + aside - 100) <= 1e-6,
                      "%.4f + %.4f + %.4f (adoption alone)", undetected, gray, aside);
    }
    if (arm->sequences_detected > 0) {
        uint64_t sum = arm->sequences_gray_only + arm->sequences_black_only + arm->sequences_both;
        double shares = figure(arm, COR_METRIC_GRAY_ONLY) + figure(arm, COR_METRIC_BLACK_ONLY);
        check_figures(arm, COR_IDENTITY_ONLY_SHARES, sum == arm->sequences_detected && shares <= 100 + 1e-6,
                      "%" PRIu64 " + %" PRIu64 " + %" PRIu64 " of %" PRIu64, arm->sequences_gray_only,
                      arm->sequences_black_only, arm->sequences_both, arm->sequences_detected);
    }
}

size_t cor_measurement_broken(const struct cor_measurement *measurement) {
    size_t broken = 0;
    for (int i = 0; i < COR_IDENTITY_COUNT; i++) {
        bool holds = true;
        for (size_t a = 0; a < measurement->arm_count; a++)
            holds = holds && measurement->arm[a].identity[i].broken == 0;
        broken += !holds;
    }
    return broken;
}

/* ---- which check saw what */

/* What is known of the suite so far. */
struct seen {
    struct cor_kill *kill; /* of the arm */
    bool in_suite[COR_KILLERS];
    bool in_sequence[COR_KILLERS];
};

/* The killers of one case, each once. */
struct kills {
    bool by[COR_KILLERS];
    size_t list[COR_KILLERS], count;
};

static void add(struct kills *kills, size_t killer) {
    if (kills->by[killer])
        return;
    kills->by[killer] = true;
    kills->list[kills->count++] = killer;
}

/* Adds a case in which something was violated, or a fault masked. `first` is its first violation, or its
 * place. */
static enum cor_status classify(struct cor_arm_measurement *arm, const struct kills *kills, bool activated,
                                const struct cor_violation_row *first, struct cor_error *error) {
    struct cor_killer_set killers = {{0}};
    for (size_t i = 0; i < kills->count; i++)
        cor_killer_set_add(&killers, kills->list[i]);
    struct cor_failure_tally *class = NULL;
    for (size_t i = 0; i < arm->failure_class_count && !class; i++)
        if (cor_killer_set_equal(&arm->failure_class[i].killers, &killers))
            class = &arm->failure_class[i];
    bool elsewhere = !class || class->last_suite != first->suite || class->last_sequence != first->sequence;
    if (!class) {
        COR_TRY(COR_RESERVE(&arm->failure_class, &arm->failure_class_capacity, arm->failure_class_count + 1,
                            error));
        class = &arm->failure_class[arm->failure_class_count++];
        *class = (struct cor_failure_tally){.killers = killers, .first = *first};
    }
    class->cases++;
    class->activated += activated;
    class->sequences += elsewhere;
    class->last_suite = first->suite;
    class->last_sequence = first->sequence;
    return COR_OK;
}

/* Both tables lie by case: merged like two sorted lists. */
static enum cor_status count_sequence(struct cor_arm_measurement *arm, const struct cor_sequence_rows *s,
                                      struct seen *seen, struct cor_error *error) {
    struct kills kills = {.count = 0};
    size_t v = 0, r = 0;
    while (v < s->violation_count || r < s->reorganization_count) {
        uint32_t next_violation = v < s->violation_count ? s->violations[v].case_ : UINT32_MAX;
        uint32_t next_run = r < s->reorganization_count ? s->reorganizations[r].case_ : UINT32_MAX;
        uint32_t here = next_violation < next_run ? next_violation : next_run;
        bool activated = false, masked = false;
        struct cor_violation_row first = {0};
        if (next_violation == here)
            first = s->violations[v];
        /* What is said of time is a class of its own, behind that of the case. */
        const bool is_time = next_run != here && s->violations[v].box == COR_BOX_TIME;
        for (; v < s->violation_count && s->violations[v].case_ == here &&
               (s->violations[v].box == COR_BOX_TIME) == is_time;
             v++) {
            const struct cor_violation_row *row = &s->violations[v];
            if (row->box == 0 || row->box >= COR_BOX_CODES || row->check == 0 ||
                row->check >= COR_CHECK_CODES)
                return cor_damaged(error, COR_TABLE_VIOLATIONS,
                                   "arm %u, suite %" PRIu32 ", sequence %u, case %" PRIu32
                                   ": box %u and check %u are no codes",
                                   row->arm, row->suite, row->sequence, row->case_, row->box, row->check);
            add(&kills, cor_killer(row->box, row->check));
        }
        for (; r < s->reorganization_count && s->reorganizations[r].case_ == here; r++) {
            const struct cor_reorganization_row *run = &s->reorganizations[r];
            activated = activated || cor_is_activated(run);
            masked = masked || cor_is_masked(run);
            if (next_violation != here)
                first = (struct cor_violation_row){
                    .arm = run->arm, .suite = run->suite, .sequence = run->sequence, .case_ = run->case_};
            if (cor_is_smoke(run))
                add(&kills, COR_KILLER_SMOKE);
        }
        if (kills.count > 0 || masked)
            COR_TRY(classify(arm, &kills, activated, &first, error));
        for (size_t i = 0; i < kills.count; i++) {
            size_t killer = kills.list[i];
            struct cor_kill *kill = &seen->kill[killer];
            kill->cases++;
            kill->failures += activated;
            kill->alone += kills.count == 1;
            kill->sequences += !seen->in_sequence[killer];
            kill->suites += !seen->in_suite[killer];
            seen->in_sequence[killer] = seen->in_suite[killer] = true;
            kills.by[killer] = false;
        }
        kills.count = 0;
    }
    return COR_OK;
}

/* ---- how far what an arm reached lies above the optimum. The file does not hold the values of agents at a
 * reorganization; but an arm of the algorithm `exact` that shares suites saw the same values in the same case
 * of the same sequence, and the best there is does not depend on the structure before */

#define TOLERANCE 1e-9

/* Whether `exact` made small what the oracle measures: its parameter says by the same numbers what. */
static bool is_measured(const struct measure__suite_work *work) {
    static const enum cor_measure measures[] = {COR_MEASURE_RMS, COR_MEASURE_MAX_DEVIATION,
                                                COR_MEASURE_RANGE};
    const struct cor_result_header *head = work->measurement->head;
    const struct cor_parameter_row *row = work->suite->table[COR_TABLE_PARAMETERS].row;
    for (size_t i = 0; i < work->suite->table[COR_TABLE_PARAMETERS].count; i++)
        for (size_t p = 0; p < head->catalog_size[COR_CATALOG_PARAMETER]; p++) {
            const struct cor_catalog_entry *entry = &head->catalog[COR_CATALOG_PARAMETER][p];
            if (entry->code == row[i].parameter && strcmp(entry->name, "measure") == 0)
                return row[i].value >= 0 && row[i].value <= 2 &&
                       (uint8_t)measures[(int)row[i].value] == work->suite->row.measure;
        }
    return false;
}

static enum cor_status gap_suite(struct measure__suite_work *work, struct cor_error *error) {
    struct cor_measurement *m = work->measurement;
    const struct cor_objective_row *objective = work->suite->table[COR_TABLE_OBJECTIVES].row,
                                   *last = objective + work->suite->table[COR_TABLE_OBJECTIVES].count;
    const bool has_objective = objective != last;
    work->sums->first_reached = m->reached_count;
    work->sums->is_optimal = work->arm->is_exact && (has_objective || is_measured(work));
    for (uint32_t s = 0; s < work->suite->row.sequences; s++) {
        const struct cor_sequence_rows *sequence = &work->suite->sequence[s];
        for (size_t r = 0; measure__takes_part(sequence) && r < sequence->reorganization_count; r++) {
            const struct cor_reorganization_row *run = &sequence->reorganizations[r];
            double number = run->dissimilarity_after;
            while (objective < last &&
                   (objective->sequence < s || (objective->sequence == s && objective->case_ < run->case_)))
                objective++;
            if (has_objective)
                number = objective < last && objective->sequence == s && objective->case_ == run->case_
                             ? objective->after
                             : (double)NAN;
            if (cor_is_smoke(run) || cor_is_detected(run) || !isfinite(number))
                continue;
            COR_TRY(COR_RESERVE(&m->reached, &m->reached_capacity, m->reached_count + 1, error));
            m->reached[m->reached_count++] = (struct cor_reached){s, run->case_, number};
        }
    }
    work->sums->reached_count = m->reached_count - work->sums->first_reached;
    return COR_OK;
}

/* The suite of an arm of `exact` that has the optimum of this one; NULL: there is none. */
static const struct cor_suite_sums *optimum_of(const struct cor_measurement *m,
                                               const struct cor_suite_sums *suite) {
    for (size_t a = 0; a < m->arm_count; a++) {
        const struct cor_suite_list list = cor_suites_of(m, a);
        if (!m->arm[a].is_exact)
            continue;
        size_t low = 0, high = list.count;
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (list.suite[middle].suite < suite->suite)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < list.count && list.suite[low].suite == suite->suite && list.suite[low].is_optimal &&
            suite->configuration_hash != 0 && list.suite[low].configuration_hash == suite->configuration_hash)
            return &list.suite[low];
    }
    return NULL;
}

struct cor_gap cor_suite_gap(const struct cor_measurement *m, const struct cor_suite_sums *suite) {
    const struct cor_suite_sums *exact = optimum_of(m, suite);
    struct cor_gap gap = {0};
    if (!exact || exact == suite)
        return gap;
    const struct cor_reached *mine = m->reached + suite->first_reached, *end = mine + suite->reached_count,
                             *best = m->reached + exact->first_reached,
                             *best_end = best + exact->reached_count;
    for (; mine < end; mine++) {
        while (best < best_end && (best->sequence < mine->sequence ||
                                   (best->sequence == mine->sequence && best->case_ < mine->case_)))
            best++;
        if (best == best_end || best->sequence != mine->sequence || best->case_ != mine->case_)
            continue;
        const double size = fabs(best->number), above = mine->number - best->number;
        gap.compared++;
        gap.above += above;
        gap.optimum += best->number;
        gap.optimum_size += size;
        gap.at_optimum += above <= TOLERANCE * (1 + size);
        gap.within_tenth += above <= size / 10 + TOLERANCE * (1 + size);
    }
    return gap;
}

/* ---- how much of the environment profiles the walks of a sequence cover */

#define WORD sizeof(uint64_t) /* flags are counted a word at a time */

/* Flags of a profile, in whole words. */
static size_t flags_of(uint32_t states) {
    return ((size_t)states * states + WORD - 1) / WORD * WORD;
}

enum cor_status measure__walker_create(struct cor_result *result, struct measure__walker **walker,
                                       struct cor_error *error) {
    *walker = cor_calloc(1, sizeof **walker);
    return *walker ? cor_walk_window_init(&(*walker)->window, result, error) : cor_fail_memory(error);
}

void measure__walker_destroy(struct measure__walker *walker) {
    if (!walker)
        return;
    cor_walk_window_fini(&walker->window);
    COR_FREE(walker->profile, walker->has, walker->took, walker);
}

enum cor_status measure__walker_begin(struct measure__walker *w, const struct cor_suite_rows *suite,
                                      struct cor_error *error) {
    const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
    const struct cor_transition_row *transition = suite->table[COR_TABLE_TRANSITIONS].row;
    w->profile_count = w->has_count = 0;
    w->chain = suite->table[COR_TABLE_CHAINS].row;
    w->chain_count = suite->table[COR_TABLE_CHAINS].count;
    COR_TRY(cor_environment_check(suite, error));
    for (size_t p = 0; p < suite->table[COR_TABLE_PROFILES].count; p++) {
        const struct cor_profile_row *row = &profile[p];
        const size_t flags = flags_of(row->states);
        COR_TRY(COR_RESERVE(&w->profile, &w->profile_capacity, w->profile_count + 1, error));
        COR_TRY(COR_RESERVE(&w->has, &w->has_capacity, w->has_count + flags, error));
        COR_TRY(COR_RESERVE(&w->took, &w->took_capacity, flags, error));
        w->profile[w->profile_count++] =
            (struct measure__walked_profile){.states = row->states, .arcs = row->arcs, .start = w->has_count};
        memset(w->has + w->has_count, 0, flags);
        w->has_count += flags;
    }
    for (size_t t = 0; t < suite->table[COR_TABLE_TRANSITIONS].count; t++) {
        const struct cor_transition_row *row = &transition[t];
        const struct measure__walked_profile *walked = &w->profile[row->profile];
        if (row->probability > 0)
            w->has[walked->start + (size_t)row->from * walked->states + row->to] = 1;
    }
    return COR_OK;
}

/* What one chain has covered so far. */
struct tour {
    const uint8_t *has; /* of its profile */
    uint8_t *took;      /* all transitions it took */
    size_t flags;
    uint32_t states;
    uint64_t outside;
    bool begun;
    uint8_t first, here;
};

/* How many flags of `took` are set, of those in `has` or of the others. Each is 0 or 1, so a product has
 * their sum in its highest byte. */
static uint32_t count_flags(const uint8_t *took, const uint8_t *has, size_t flags, bool others) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t count = 0;
    for (size_t i = 0; i < flags; i += WORD) {
        uint64_t set, known;
        memcpy(&set, took + i, WORD);
        memcpy(&known, has + i, WORD);
        count += (set & (others ? known ^ ones : known)) * ones >> 56;
    }
    return (uint32_t)count;
}

static void follow(struct tour *tour, const uint8_t *states, size_t count) {
    if (!tour->begun) {
        tour->first = tour->here = *states++;
        tour->begun = true;
        count--;
    }
    if (count == 0)
        return;
    /* The hot loop of the tables: a campaign has a hundred million such steps. A flag is set, whether it was
     * or not, so that no step waits for another, and what is set is counted once the chain has ended. */
    tour->took[tour->here * tour->states + states[0]] = 1;
    for (size_t i = 1; i < count; i++)
        tour->took[states[i - 1] * tour->states + states[i]] = 1;
    if (count_flags(tour->took, tour->has, tour->flags, true) > 0) {
        /* Steps that the profile gives no probability: hardly any file has some. */
        uint8_t here = tour->here;
        uint64_t outside = 0;
        for (size_t i = 0; i < count; here = states[i++])
            outside += !tour->has[here * tour->states + states[i]];
        tour->outside += outside;
    }
    tour->here = states[count - 1];
}

static enum cor_status cover_chain(struct measure__walker *w, const struct measure__walked_profile *profile,
                                   uint64_t position, uint64_t left, struct tour *tour,
                                   struct cor_error *error) {
    *tour = (struct tour){.has = w->has + profile->start,
                          .took = w->took,
                          .flags = flags_of(profile->states),
                          .states = profile->states};
    memset(tour->took, 0, tour->flags);
    while (left > 0) {
        const uint8_t *states = NULL;
        size_t count = 0;
        COR_TRY(cor_walk_look(&w->window, position, left, profile->states, &states, &count, error));
        follow(tour, states, count);
        position += count;
        left -= count;
    }
    return COR_OK;
}

enum cor_status measure__walker_cover(struct measure__walker *w, const struct cor_sequence_row *row,
                                      struct measure__walk_coverage *coverage, struct cor_error *error) {
    uint64_t length = (uint64_t)row->cases + 1, with_arcs = 0;
    double states = 0, arcs = 0, state_share = 0, arc_share = 0;
    *coverage = (struct measure__walk_coverage){NAN, NAN, NAN, NAN, 0};
    for (size_t c = 0; c < w->chain_count; c++) {
        const struct measure__walked_profile *profile = &w->profile[w->chain[c].profile];
        struct tour tour;
        COR_TRY(cover_chain(w, profile, row->walk_start + c * length, length, &tour, error));
        states += profile->states;
        arcs += profile->arcs;
        /* The first state, and those that a step leads to. */
        uint8_t seen[COR_BYTE_STATES] = {0};
        uint32_t count = 0;
        seen[tour.first] = 1;
        for (uint32_t from = 0; from < tour.states; from++)
            for (uint32_t to = 0; to < tour.states; to++)
                seen[to] |= tour.took[from * tour.states + to];
        for (uint32_t s = 0; s < tour.states; s++)
            count += seen[s];
        state_share += 100.0 * count / profile->states;
        if (profile->arcs > 0) {
            arc_share += 100.0 * count_flags(tour.took, tour.has, tour.flags, false) / profile->arcs;
            with_arcs++;
        }
        coverage->steps_outside += tour.outside;
    }
    if (w->chain_count > 0) {
        coverage->states = states / (double)w->chain_count;
        coverage->arcs = arcs / (double)w->chain_count;
        coverage->state_coverage = state_share / (double)w->chain_count;
    }
    if (with_arcs > 0)
        coverage->arc_coverage = arc_share / (double)with_arcs;
    return COR_OK;
}

/* ---- what was seen of the constraints of a corridor as text - how often, and first in each sequence -, and
 * how alarms ended under it */

/* Where the sequences of a suite first violated something. */
struct firsts {
    uint32_t *observation; /* owned; [sequence] of the arm */
    size_t *place; /* owned; [sequence][constraint][box] in arm->constraint_first, from 1; 0: nowhere */
};

static void count_constraint(struct cor_constraint_tally *tally, const struct cor_constraint_row *row) {
    const bool violated = row->verdict == COR_VERDICT_FAILED;
    tally->unknown += !violated;
    tally->undecided +=
        !violated && (row->box == COR_BOX_GRAY || (row->box == COR_BOX_BLACK && row->case_ > 0));
    switch (row->box) {
    case COR_BOX_DETECT:
        tally->looks += violated;
        break;
    case COR_BOX_GRAY:
        tally->gray += violated;
        break;
    case COR_BOX_BLACK:
        tally->black += violated && row->case_ > 0;
        tally->initial += violated && row->case_ == 0;
        break;
    case COR_BOX_INTERIM:
        tally->interim += violated;
        break;
    case COR_BOX_MOVE:
        tally->move += violated;
        break;
    default:
        break;
    }
}

/* Of sequences that are in the other figures; all of a row's codes are in the catalog. */
static enum cor_status check_row(const struct measure__suite_work *work, uint32_t table, uint16_t sequence,
                                 uint16_t constraint, bool *counts, struct cor_error *error) {
    const bool is_known = sequence < work->suite->row.sequences;
    if (!is_known || (constraint != UINT16_MAX && constraint >= work->arm->constraint_count))
        return cor_damaged(error, table,
                           "arm %zu, suite %" PRIu32 ": sequence %u, constraint %u: there is none",
                           work->suite->arm, work->suite->row.suite, sequence, constraint);
    *counts = cor_is_sample(&work->suite->sequence[sequence]);
    return COR_OK;
}

static bool is_judged(uint8_t verdict) {
    return verdict == COR_VERDICT_PASSED || verdict == COR_VERDICT_FAILED || verdict == COR_VERDICT_UNDECIDED;
}

/* A row, as a part of the sums and firsts of the suite. */
static enum cor_status add_seen(struct measure__suite_work *work, struct firsts *firsts, uint32_t sequence,
                                const struct cor_constraint_first *seen, struct cor_error *error) {
    struct cor_constraint_sums *sums =
        &work->measurement->constraint[work->sums->first_constraint +
                                       (size_t)seen->constraint * COR_BOX_CODES + seen->box];
    sums->violated += seen->violated && seen->box != COR_BOX_INTERIM;
    sums->unknown += !seen->violated && seen->box != COR_BOX_INTERIM;
    /* A sequence violates a constraint in a case as that box saw it, or it is unknown there. */
    struct cor_arm_measurement *arm = work->arm;
    size_t *place =
        &firsts->place[((size_t)sequence * arm->constraint_count + seen->constraint) * COR_BOX_CODES +
                       seen->box];
    if (*place == 0) {
        COR_TRY(COR_RESERVE(&arm->constraint_first, &arm->constraint_first_capacity,
                            arm->constraint_first_count + 1, error));
        arm->constraint_first[arm->constraint_first_count] = *seen;
        arm->constraint_first[arm->constraint_first_count].observation = firsts->observation[sequence];
        *place = ++arm->constraint_first_count;
        return COR_OK;
    }
    struct cor_constraint_first *first = &arm->constraint_first[*place - 1];
    first->violated = seen->case_ < first->case_
                          ? seen->violated
                          : first->violated || (seen->case_ == first->case_ && seen->violated);
    first->case_ = seen->case_ < first->case_ ? seen->case_ : first->case_;
    return COR_OK;
}

/* Sums and firsts of the suite, whose rows have been checked. */
static enum cor_status add_suite(struct measure__suite_work *work, struct firsts *firsts,
                                 struct cor_error *error) {
    const struct cor_suite_rows *suite = work->suite;
    struct cor_measurement *m = work->measurement;
    const struct cor_constraint_row *seen = suite->table[COR_TABLE_CONSTRAINTS].row;
    const struct cor_formula_row *formula = suite->table[COR_TABLE_FORMULAS].row;
    const size_t each = (size_t)work->arm->constraint_count * COR_BOX_CODES;
    COR_TRY(COR_RESERVE(&m->constraint, &m->constraint_capacity, m->suite_count * each, error));
    work->sums->first_constraint = (m->suite_count - 1) * each;
    memset(m->constraint + work->sums->first_constraint, 0, each * sizeof *m->constraint);
    /* Observations of the arm were made of the sequences of the suite that take part, in their order. */
    const uint32_t sequences = work->suite->row.sequences;
    firsts->observation = cor_calloc(sequences, sizeof *firsts->observation);
    firsts->place =
        cor_calloc((size_t)sequences * work->arm->constraint_count * COR_BOX_CODES, sizeof *firsts->place);
    if (!firsts->observation || !firsts->place)
        return cor_fail_memory(error);
    uint32_t observation = (uint32_t)work->arm->sequences;
    for (uint32_t s = sequences; s-- > 0;)
        firsts->observation[s] = measure__takes_part(&work->suite->sequence[s]) ? --observation : observation;
    /* What the boxes looked at in the suite: of constraints each case, however often R-Detect is judged. */
    uint64_t *judged = work->sums->judged;
    for (uint32_t s = 0; s < work->suite->row.sequences; s++) {
        const struct cor_sequence_rows *sequence = &work->suite->sequence[s];
        if (!measure__takes_part(sequence))
            continue;
        judged[COR_BOX_DETECT] += sequence->row->executed;
        for (size_t i = 0; i < sequence->reorganization_count; i++) {
            const struct cor_reorganization_row *row = &sequence->reorganizations[i];
            judged[COR_BOX_GRAY] += is_judged(row->gray);
            judged[COR_BOX_BLACK] += is_judged(row->black);
        }
        judged[COR_BOX_TIME]++;
    }
    judged[COR_BOX_MOVE] = judged[COR_BOX_BLACK];
    for (size_t i = 0; i < suite->table[COR_TABLE_CONSTRAINTS].count; i++) {
        const struct cor_constraint_first it = {.case_ = seen[i].case_,
                                                .constraint = seen[i].constraint,
                                                .box = seen[i].box,
                                                .violated = seen[i].verdict == COR_VERDICT_FAILED};
        if (it.case_ > 0 && it.box < COR_BOX_CODES && it.constraint < work->arm->constraint_count &&
            measure__takes_part(&suite->sequence[seen[i].sequence]))
            COR_TRY(add_seen(work, firsts, seen[i].sequence, &it, error));
    }
    for (size_t i = 0; i < suite->table[COR_TABLE_FORMULAS].count; i++) {
        const struct cor_sequence_rows *sequence = &suite->sequence[formula[i].sequence];
        const bool violated = formula[i].verdict == COR_VERDICT_FAILED;
        if (formula[i].constraint >= work->arm->constraint_count || !measure__takes_part(sequence) ||
            (!violated && formula[i].verdict != COR_VERDICT_UNDECIDED))
            continue;
        const uint32_t fixed = formula[i].decided > 0 ? formula[i].decided : sequence->row->executed;
        const struct cor_constraint_first it = {.case_ = violated ? fixed : 1,
                                                .constraint = formula[i].constraint,
                                                .box = COR_BOX_TIME,
                                                .violated = violated};
        COR_TRY(add_seen(work, firsts, formula[i].sequence, &it, error));
    }
    return COR_OK;
}

static int by_constraint(const void *a, const void *b) {
    const struct cor_constraint_first *one = a, *other = b;
    int difference = (one->constraint > other->constraint) - (one->constraint < other->constraint);
    if (difference == 0)
        difference = (one->box > other->box) - (one->box < other->box);
    return difference != 0
               ? difference
               : (one->observation > other->observation) - (one->observation < other->observation);
}

/* Adds what was seen of the constraints of a corridor as text in the suite. */
static enum cor_status count_constraints(struct measure__suite_work *work, struct cor_error *error) {
    struct cor_arm_measurement *arm = work->arm;
    const struct cor_suite_rows *suite = work->suite;
    const struct cor_constraint_row *seen = suite->table[COR_TABLE_CONSTRAINTS].row;
    const struct cor_formula_row *formula = suite->table[COR_TABLE_FORMULAS].row;
    const struct cor_return_row *returned = suite->table[COR_TABLE_RETURNS].row;
    bool counts;
    if (!arm->constraint && arm->head->catalog_size[COR_CATALOG_CONSTRAINT] > 0) {
        arm->constraint_count = (uint32_t)arm->head->catalog_size[COR_CATALOG_CONSTRAINT];
        arm->constraint = cor_calloc(arm->constraint_count, sizeof *arm->constraint);
        COR_TRY(cor_made(arm->constraint, error));
    }
    for (size_t i = 0; i < suite->table[COR_TABLE_CONSTRAINTS].count; i++) {
        COR_TRY(check_row(work, COR_TABLE_CONSTRAINTS, seen[i].sequence, seen[i].constraint, &counts, error));
        if (counts && seen[i].constraint < arm->constraint_count)
            count_constraint(&arm->constraint[seen[i].constraint], &seen[i]);
    }
    for (size_t i = 0; i < suite->table[COR_TABLE_FORMULAS].count; i++) {
        COR_TRY(
            check_row(work, COR_TABLE_FORMULAS, formula[i].sequence, formula[i].constraint, &counts, error));
        if (!counts || formula[i].constraint >= arm->constraint_count)
            continue;
        struct cor_constraint_tally *tally = &arm->constraint[formula[i].constraint];
        tally->is_of_time = true;
        tally->sequences += formula[i].verdict == COR_VERDICT_FAILED;
        tally->unknown += formula[i].verdict == COR_VERDICT_UNDECIDED;
        tally->undecided += formula[i].verdict == COR_VERDICT_UNDECIDED;
    }
    for (size_t i = 0; i < suite->table[COR_TABLE_RETURNS].count; i++) {
        COR_TRY(
            check_row(work, COR_TABLE_RETURNS, returned[i].sequence, returned[i].constraint, &counts, error));
        if (counts) {
            const struct cor_return_row *row = &returned[i];
            const uint64_t late = row->back > row->case_ ? row->back - row->case_ : 0;
            arm->returns.alarms++;
            arm->returns.back += row->back > 0;
            arm->returns.late += late;
            arm->returns.latest = late > arm->returns.latest ? late : arm->returns.latest;
            if (row->constraint < arm->constraint_count)
                arm->constraint[row->constraint].stayed++;
        }
    }
    if (!(work->measurement->parts & COR_MEASURE_CONSTRAINTS) || arm->constraint_count == 0)
        return COR_OK;
    struct firsts firsts = {NULL, NULL};
    const enum cor_status status = add_suite(work, &firsts, error);
    COR_FREE(firsts.observation, firsts.place);
    return status;
}

/* ---- how well the algorithm under test does its work: the metrics of so_algorithms, section 9, that a
 * result file holds */

static enum cor_status put_length(struct cor_lengths *lengths, size_t length, bool cut_off,
                                  struct cor_error *error) {
    size_t before = lengths->capacity;
    if (length >= before) {
        COR_TRY(COR_RESERVE(&lengths->count, &lengths->capacity, length + 1, error));
        memset(lengths->count + before, 0, (lengths->capacity - before) * sizeof *lengths->count);
    }
    lengths->count[length]++;
    lengths->n++;
    lengths->cut_off += cut_off;
    return COR_OK;
}

static void put_run(struct measure__suite_work *work, const struct cor_reorganization_row *run,
                    struct cor_spent_bin *bin) {
    double agents = work->suite->row.agents;
    work->sums->stop[cor_known_code(run->stop, COR_ENDING_CODES)]++;
    work->sums->smoke[cor_known_code(run->smoke, COR_ENDING_CODES)]++;
    bin->n++;
    measure__contribute(work, COR_METRIC_DETECTIONS, cor_is_detected(run) ? 100 : 0, 1);
    measure__contribute(work, COR_METRIC_MOVED, run->moved, 1);
    measure__contribute(work, COR_METRIC_INVOLVED, agents, 1);
    measure__contribute(work, COR_METRIC_EFFICIENCY, run->moved, agents);
    measure__contribute(work, COR_METRIC_MOVES, agents > 0 ? run->moved / agents : 0, 0);
    measure__contribute(work, COR_METRIC_MESSAGES, run->messages, 1);
    measure__contribute(work, COR_METRIC_ROUNDS, run->rounds, 1);
    measure__contribute(work, COR_METRIC_SPENT, (double)run->spent, 1);
    /* Quality in units of the threshold, which differs from suite to suite. */
    double threshold = work->suite->row.threshold;
    double before = run->dissimilarity_before / threshold, after = run->dissimilarity_after / threshold;
    bool usable = threshold > 0 && isfinite(before) && isfinite(after);
    bool without = run->inside_after == COR_INSIDE_NOT_LOOKED; /* said in so many words */
    work->measurement->not_numbers += !usable && !without;
    if (usable) {
        measure__contribute(work, COR_METRIC_BEFORE, before, 1);
        measure__contribute(work, COR_METRIC_AFTER, after, 1);
        bin->known++;
        bin->before += before;
        bin->after += after;
    }
    bool smoke = cor_is_smoke(run);
    bool inside = !smoke && run->inside_after == COR_INSIDE_INSIDE;
    if (!smoke && !inside && run->inside_after != COR_INSIDE_OUTSIDE)
        return;
    measure__contribute(work, COR_METRIC_SUCCESS, inside ? 100 : 0, 1);
    bin->looked++;
    bin->success += inside;
}

/* A stay: cases without a gap that end outside. It is cut off by the end of the sequence and by a case at
 * which nobody looked. */
struct stay {
    uint32_t length, last;
};

static enum cor_status end_stay(struct measure__suite_work *work, struct stay *stay, bool cut_off,
                                struct cor_error *error) {
    uint32_t length = stay->length;
    stay->length = 0;
    if (length == 0)
        return COR_OK;
    measure__contribute(work, COR_METRIC_STAY, length, 1);
    return put_length(&work->arm->stay, length, cut_off, error);
}

/* Adds the metrics of performance, lengths, and quality over budget (measurement.c). COR_STATUS_MEMORY. */
static enum cor_status measure_performance(struct measure__suite_work *work, struct cor_error *error) {
    struct cor_spent_bin bins[COR_SPENT_BINS] = {{0}};
    struct cor_suite_sums *sums = work->sums;
    for (uint32_t s = 0; s < work->suite->row.sequences; s++) {
        const struct cor_sequence_rows *sequence = &work->suite->sequence[s];
        if (!measure__takes_part(sequence))
            continue;
        const struct cor_reorganization_row *run = sequence->reorganizations;
        for (size_t r = 0; r < sequence->reorganization_count; r++) {
            uint64_t spent = run[r].spent;
            uint32_t bin = 0;
            for (; spent > 0; spent >>= 1)
                bin++;
            put_run(work, &run[r], &bins[bin]);
            if (r == 0)
                continue;
            uint32_t gap = run[r].case_ - run[r - 1].case_;
            COR_TRY(put_length(&work->arm->gap, gap, false, error));
            measure__contribute(work, COR_METRIC_GAP, gap, 1);
        }
        const struct cor_case_tables tables = cor_sequence_case_tables(sequence);
        struct cor_case_cursor cursor = {0};
        struct stay stay = {0, UINT32_MAX};
        for (size_t c = 0; c < sequence->case_count; c++) {
            const struct cor_case_row *it = &sequence->cases[c];
            const struct cor_case_rows rows = cor_case_at(&tables, c, &cursor);
            const enum cor_case_answer inside = cor_case_inside(&rows);
            bool outside = inside == COR_CASE_NO, known = inside != COR_CASE_UNKNOWN;
            bool follows = it->case_ == stay.last + 1;
            if (!outside || !follows)
                COR_TRY(end_stay(work, &stay, !follows || !known, error));
            if (known)
                measure__contribute(work, COR_METRIC_OUTSIDE, outside ? 100 : 0, 1);
            stay.length += outside;
            stay.last = it->case_;
        }
        COR_TRY(end_stay(work, &stay, true, error));
    }
    measure__contribute(work, COR_METRIC_REORGANIZATIONS_PER_CASE, (double)sums->reorganizations,
                        (double)sums->executed);
    sums->x[COR_METRIC_MOVES] = (double)sums->sequences;
    struct cor_measurement *m = work->measurement;
    for (uint32_t b = 0; b < COR_SPENT_BINS; b++) {
        if (bins[b].n == 0)
            continue;
        COR_TRY(COR_RESERVE(&m->bin, &m->bin_capacity, m->bin_count + 1, error));
        bins[b].bin = b;
        bins[b].suite_index = (uint32_t)(work->sums - m->suite);
        m->bin[m->bin_count++] = bins[b];
    }
    return COR_OK;
}

/* The length at place k (from 0) of those in ascending order. */
static double at_place(const struct cor_lengths *lengths, uint64_t k) {
    COR_ASSERT(k < lengths->n);
    size_t length = 0;
    for (uint64_t before = lengths->count[0]; before <= k; before += lengths->count[length])
        length++;
    return (double)length;
}

struct cor_length_figures cor_lengths_describe(const struct cor_lengths *lengths) {
    struct cor_length_figures f = {lengths->n, lengths->cut_off, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    double n = (double)lengths->n, sum = 0, squares = 0, logs = 0, inverses = 0;
    if (lengths->n == 0)
        return f;
    for (size_t l = 0; l < lengths->capacity; l++)
        sum += (double)lengths->count[l] * (double)l;
    f.mean = sum / n;
    for (size_t l = 0; l < lengths->capacity; l++) {
        double times = (double)lengths->count[l], off = (double)l - f.mean;
        if (lengths->count[l] == 0)
            continue;
        squares += times * off * off;
        logs += times * log((double)l); /* a length of 0 makes both means 0 */
        inverses += times / (double)l;
    }
    f.sd = lengths->n > 1 ? sqrt(squares / (n - 1)) : (double)NAN;
    f.geometric_mean = exp(logs / n);
    f.harmonic_mean = n / inverses;
    f.min = at_place(lengths, 0);
    f.max = at_place(lengths, lengths->n - 1);
    f.median = (at_place(lengths, (lengths->n - 1) / 2) + at_place(lengths, lengths->n / 2)) / 2;
    return f;
}

/* ---- the pass over a file, and what each sequence shows */

/* One observation of a metric, if there is one. */
static void observe(struct measure__suite_work *work, enum cor_metric metric, double value) {
    if (isnan(value))
        return;
    cor_moments_put(&work->arm->moments[metric], value);
    measure__contribute(work, metric, value, 1);
}

static void observe_if(struct measure__suite_work *work, enum cor_metric metric, bool holds) {
    observe(work, metric, holds ? 100 : 0);
}

/* What the reorganizations of a sequence showed. */
struct detections {
    uint32_t gray, black, both, failures;
    uint64_t faulty_states;
    uint32_t first[COR_ANY_BOXES]; /* case, 0 = none */
};

static void note_first_measurement(uint32_t *first, uint32_t number) {
    if (*first == 0)
        *first = number;
}

/* Rows lie by case, so what comes first is first. */
static struct detections observe_reorganizations(struct measure__suite_work *work,
                                                 const struct cor_sequence_rows *sequence) {
    struct detections seen = {0};
    for (size_t r = 0; r < sequence->reorganization_count; r++) {
        const struct cor_reorganization_row *row = &sequence->reorganizations[r];
        bool gray = cor_is_detection(row->gray), black = cor_is_detection(row->black);
        seen.failures += cor_is_activated(row);
        seen.faulty_states += row->fault_activated;
        seen.gray += gray;
        seen.black += black;
        seen.both += gray && black;
        if (gray || black)
            note_first_measurement(&seen.first[COR_ANY_BOX], row->case_);
        if (gray)
            note_first_measurement(&seen.first[COR_GRAY_BOX], row->case_);
        if (black)
            note_first_measurement(&seen.first[COR_BLACK_BOX], row->case_);
        if (cor_is_activated(row)) {
            /* A failure (A4) and which boxes saw it. */
            observe_if(work, COR_METRIC_UNDETECTED, !gray && !black);
            observe_if(work, COR_METRIC_DETECTED_GRAY, gray);
            observe_if(work, COR_METRIC_DETECTED_BLACK, black);
            observe_if(work, COR_METRIC_GRAY_NOT_BLACK, gray && !black);
        }
        if (black)
            observe_if(work, COR_METRIC_BLACK_NOT_GRAY, !gray);
    }
    return seen;
}

static void observe_depth(struct measure__suite_work *work, enum cor_metric metric, uint32_t number) {
    if (number > 0)
        observe(work, metric, number);
}

/* What the sequences with a detection are asked. */
static void observe_detections(struct measure__suite_work *work, const struct detections *seen) {
    struct cor_arm_measurement *arm = work->arm;
    uint32_t detections = seen->gray + seen->black - seen->both;
    bool gray_only = seen->gray > 0 && seen->black == 0, black_only = seen->black > 0 && seen->gray == 0;
    if (detections == 0)
        return;
    arm->sequences_detected++;
    arm->sequences_gray_only += gray_only;
    arm->sequences_black_only += black_only;
    arm->sequences_both += seen->gray > 0 && seen->black > 0;
    observe_if(work, COR_METRIC_GRAY_ONLY, gray_only);
    observe_if(work, COR_METRIC_BLACK_ONLY, black_only);
    observe(work, COR_METRIC_GRAY_ONLY_WITHIN, 100.0 * (seen->gray - seen->both) / detections);
    observe_depth(work, COR_METRIC_DEPTH, seen->first[COR_ANY_BOX]);
    observe_depth(work, COR_METRIC_DEPTH_GRAY, seen->first[COR_GRAY_BOX]);
    observe_depth(work, COR_METRIC_DEPTH_BLACK, seen->first[COR_BLACK_BOX]);
}

static enum cor_status observe_sequence(struct measure__suite_work *work,
                                        const struct cor_sequence_rows *sequence, struct cor_error *error) {
    struct cor_arm_measurement *arm = work->arm;
    const struct cor_sequence_row *row = sequence->row;
    struct detections seen = observe_reorganizations(work, sequence);
    bool detected = seen.gray + seen.black > 0;
    COR_TRY(COR_RESERVE(&arm->observation, &arm->observation_capacity, arm->sequences + 1, error));
    arm->observation[arm->sequences++] = (struct cor_detection_times){
        .cluster = (uint32_t)(arm->suites - 1),
        .executed = row->executed,
        .first = {seen.first[COR_ANY_BOX], seen.first[COR_GRAY_BOX], seen.first[COR_BLACK_BOX]}};
    arm->cases += row->cases;
    arm->executed += row->executed;
    arm->failures += seen.failures;
    arm->sequences_activated += seen.failures > 0;
    work->sums->sequences++;
    work->sums->executed += row->executed;
    work->sums->reorganizations += sequence->reorganization_count;
    tally_sequence(&arm->tally, sequence);
    observe(work, COR_METRIC_AGENTS, work->suite->row.agents);
    observe(work, COR_METRIC_AGENT_GROUPS, work->suite->row.groups);
    observe_if(work, COR_METRIC_WITHOUT_DETECTED, !detected);
    observe_if(work, COR_METRIC_WITHOUT_ACTIVATED, seen.failures == 0);
    measure__contribute(work, COR_METRIC_DETECTED_SEQUENCES, detected ? 100 : 0, 1);
    observe(work, COR_METRIC_TEST_CASES, row->cases);
    if (row->cases > 0)
        observe(work, COR_METRIC_APPLIED_CASES, 100.0 * row->executed / row->cases);
    observe(work, COR_METRIC_REORGANIZATIONS, (double)sequence->reorganization_count);
    /* `whole` observations at once, 100 for `part` of them and 0 for the others; no standard deviation is
     * kept. */
    const uint64_t whole = row->executed;
    struct cor_moments *all = &work->arm->moments[COR_METRIC_REORGANIZING];
    if (whole != 0) {
        all->n += whole;
        all->mean +=
            (100.0 * (double)sequence->reorganization_count - all->mean * (double)whole) / (double)all->n;
        measure__contribute(work, COR_METRIC_REORGANIZING, 100.0 * (double)sequence->reorganization_count,
                            (double)whole);
    }
    observe(work, COR_METRIC_FAILURES, seen.failures);
    observe(work, COR_METRIC_FAULTY_STATES, (double)seen.faulty_states);
    measure__contribute(work, COR_METRIC_FAILURES_TOTAL, seen.failures, 1);
    observe_detections(work, &seen);
    return COR_OK;
}

/* What only the tables show. */
static enum cor_status measure_tables(struct measure__suite_work *work, struct measure__walker *walker,
                                      struct cor_error *error) {
    COR_TRY(measure__walker_begin(walker, work->suite, error));
    for (uint32_t s = 0; s < work->suite->row.sequences; s++) {
        const struct cor_sequence_rows *sequence = &work->suite->sequence[s];
        if (sequence->row) {
            struct measure__walk_coverage coverage;
            COR_TRY(measure__walker_cover(walker, sequence->row, &coverage, error));
            if (cor_is_sample(sequence)) {
                work->arm->steps_outside += coverage.steps_outside;
                observe(work, COR_METRIC_EP_STATES, coverage.states);
                observe(work, COR_METRIC_EP_TRANSITIONS, coverage.arcs);
                observe(work, COR_METRIC_EP_STATE_COVERAGE, coverage.state_coverage);
                observe(work, COR_METRIC_EP_TRANSITION_COVERAGE, coverage.arc_coverage);
            }
        }
        bool is_seen = false;
        if (cor_is_sample(sequence))
            for (size_t v = 0; v < sequence->violation_count; v++) {
                const struct cor_violation_row *row = &sequence->violations[v];
                is_seen = is_seen || row->box != COR_BOX_INTERIM;
                if (row->box > 0 && row->box < COR_BOX_CODES && work->arm->first_violation[row->box].box == 0)
                    work->arm->first_violation[row->box] = *row;
            }
        work->arm->sequences_seen += is_seen;
    }
    return cor_identities_of_suite(work->suite, &work->measurement->announced, work->arm->identity, error);
}

/* The tables and columns that the parts need. */
static size_t list_readings(const struct cor_measurement *m, struct cor_reading readings[COR_TABLE_COUNT]) {
    const unsigned parts = m->parts;
    static const char *const runs[] = {"sequence", "case", "gray", "black", "fault_activated", NULL};
    static const char *const runs_of_performance[] = {"sequence",
                                                      "case",
                                                      "gray",
                                                      "black",
                                                      "stop",
                                                      "smoke",
                                                      "spent",
                                                      "rounds",
                                                      "messages",
                                                      "moved",
                                                      "inside_after",
                                                      "dissimilarity_before",
                                                      "fault_activated",
                                                      "dissimilarity_after",
                                                      NULL};
    static const char *const runs_of_tables[] = {
        "sequence",         "case",          "gray",           "black",
        "agreement",        "stop",          "smoke",          "gray_violations",
        "black_violations", "fault_reached", "fault_held",     "fault_activated",
        "fault_in_result",  "own_moves",     "adoption_fault", "rounds",
        "messages",         "moved",         "inside_after",   NULL};
    static const char *const cases_of_performance[] = {"sequence", "case", "alarm", "inside", NULL};
    static const char *const cases_of_tables[] = {"sequence", "case", "alarm", "inside", "reorganized",
                                                  "detect",   "gray", "black", NULL};
    static const char *const walks[] = {"sequence", "cases", "executed", "walk_start", NULL};
    static const char *const kept[] = {"sequence", "case", "gray", "black", NULL};
    bool tables = parts & COR_MEASURE_TABLES, performance = parts & COR_MEASURE_PERFORMANCE;
    bool constraints = parts & COR_MEASURE_CONSTRAINTS && m->head->catalog_size[COR_CATALOG_CONSTRAINT] > 0;
    size_t count = 0;
    readings[count++] = (struct cor_reading){COR_TABLE_REORGANIZATIONS, tables && performance ? NULL
                                                                        : tables              ? runs_of_tables
                                                                        : performance ? runs_of_performance
                                                                                      : runs};
    if (tables || performance)
        readings[count++] = (struct cor_reading){COR_TABLE_CASES, tables && performance ? NULL
                                                                  : tables              ? cases_of_tables
                                                                           : cases_of_performance};
    if (m->has_exact) {
        readings[count++] = (struct cor_reading){COR_TABLE_PARAMETERS, NULL};
        readings[count++] = (struct cor_reading){COR_TABLE_OBJECTIVES, NULL};
    }
    if (tables || performance)
        readings[count++] = (struct cor_reading){COR_TABLE_SNAPSHOTS, NULL};
    if (tables)
        readings[count++] = (struct cor_reading){COR_TABLE_TICKS, NULL};
    if (tables || parts & COR_MEASURE_KILLS)
        readings[count++] = (struct cor_reading){COR_TABLE_VIOLATIONS, NULL};
    if (tables || constraints || performance)
        readings[count++] = (struct cor_reading){COR_TABLE_CONSTRAINTS, NULL};
    if (tables || constraints) {
        readings[count++] = (struct cor_reading){COR_TABLE_FORMULAS, NULL};
        readings[count++] = (struct cor_reading){COR_TABLE_RETURNS, NULL};
    }
    if (!tables)
        return count;
    readings[count++] = (struct cor_reading){COR_TABLE_SEQUENCES, walks};
    readings[count++] = (struct cor_reading){COR_TABLE_FAILURES, kept};
    readings[count++] = (struct cor_reading){COR_TABLE_GROUPS, NULL};
    readings[count++] = (struct cor_reading){COR_TABLE_PROFILES, NULL};
    readings[count++] = (struct cor_reading){COR_TABLE_TRANSITIONS, NULL};
    readings[count++] = (struct cor_reading){COR_TABLE_CHAINS, NULL};
    readings[count++] = (struct cor_reading){COR_TABLE_VISITS, NULL};
    return count;
}

static enum cor_status measure_all(struct cor_measurement *m, struct cor_result *result,
                                   struct cor_error *error) {
    struct cor_reading readings[COR_TABLE_COUNT];
    COR_DESTROYED(cor_suite_reader) struct cor_suite_reader *reader = NULL;
    COR_DESTROYED(measure__walker) struct measure__walker *walker = NULL;
    const struct cor_suite_rows *suite;
    COR_TRY(cor_suite_reader_create(result, readings, list_readings(m, readings), &reader, error));
    if (m->parts & COR_MEASURE_TABLES)
        COR_TRY(measure__walker_create(result, &walker, error));
    for (;;) {
        COR_TRY(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        struct measure__suite_work work;
        COR_TRY(COR_RESERVE(&m->suite, &m->suite_capacity, m->suite_count + 1, error));
        work = (struct measure__suite_work){m, &m->arm[suite->arm], &m->suite[m->suite_count], suite};
        *work.sums = (struct cor_suite_sums){.arm = suite->arm,
                                             .suite = suite->row.suite,
                                             .configuration_hash = suite->row.configuration_hash};
        if (work.arm->suites++ == 0)
            work.arm->first_suite = m->suite_count;
        m->suite_count++;
        work.arm->suites_fallback += suite->row.fallback != 0;
        for (uint32_t s = 0; s < suite->row.sequences; s++) {
            work.arm->continuations += suite->sequence[s].branch != NULL;
            work.arm->steered += suite->sequence[s].steered != NULL && !suite->sequence[s].branch;
            if (measure__takes_part(&suite->sequence[s]))
                COR_TRY(observe_sequence(&work, &suite->sequence[s], error));
        }
        if (m->parts & COR_MEASURE_PERFORMANCE)
            COR_TRY(measure_performance(&work, error));
        if (m->has_exact)
            COR_TRY(gap_suite(&work, error));
        if (m->parts & COR_MEASURE_KILLS) {
            /* What the oracle saw in the suite. */
            struct seen seen = {.kill = work.arm->kill};
            for (uint32_t s = 0; s < work.suite->row.sequences; s++) {
                const struct cor_sequence_rows *sequence = &work.suite->sequence[s];
                for (size_t k = 0; k < COR_KILLERS; k++)
                    seen.in_sequence[k] = false;
                if (cor_is_sample(sequence)) /* rows of a sequence without a row count, too */
                    COR_TRY(count_sequence(work.arm, sequence, &seen, error));
            }
        }
        if (m->parts & (COR_MEASURE_TABLES | COR_MEASURE_CONSTRAINTS))
            COR_TRY(count_constraints(&work, error));
        if (m->parts & COR_MEASURE_TABLES)
            COR_TRY(measure_tables(&work, walker, error));
    }
    /* Brings what sequences violated first into the order of constraint, box and sequence. */
    for (size_t i = 0; i < m->arm_count; i++)
        if (m->arm[i].constraint_first_count > 0)
            qsort(m->arm[i].constraint_first, m->arm[i].constraint_first_count,
                  sizeof *m->arm[i].constraint_first, by_constraint);
    for (size_t a = 0; a < m->arm_count && m->parts & COR_MEASURE_TABLES; a++)
        check_arm(&m->arm[a]);
    return COR_OK;
}

enum cor_status cor_measurement_create(struct cor_result *result, unsigned parts,
                                       struct cor_measurement **measurement, struct cor_error *error) {
    COR_DESTROYED(cor_measurement) struct cor_measurement *made = cor_calloc(1, sizeof *made);
    *measurement = NULL;
    COR_TRY(cor_made(made, error));
    made->head = cor_result_head(result);
    made->parts = parts;
    made->arm = cor_calloc(cor_arm_count(made->head), sizeof *made->arm);
    if (!made->arm)
        COR_TRY(cor_fail_memory(error));
    for (; made->arm_count < cor_arm_count(made->head); made->arm_count++) {
        struct cor_arm_measurement *arm = &made->arm[made->arm_count];
        arm->entry = cor_arm_entry(made->head, made->arm_count);
        arm->head = made->head;
        COR_TRY(cor_arm_has_fault(arm->entry, &arm->has_fault, error));
    }
    if (parts & COR_MEASURE_PERFORMANCE) {
        for (size_t a = 0; a < made->arm_count; a++) {
            struct cor_arm_measurement *arm = &made->arm[a];
            bool is_exact;
            COR_TRY(cor_says(arm->entry->description, "algorithm", "exact", &is_exact, error));
            arm->is_exact = is_exact && !arm->has_fault;
            made->has_exact = made->has_exact || arm->is_exact;
        }
    }
    COR_TRY(cor_announced_init(&made->announced, made->head, error));
    COR_TRY(measure_all(made, result, error));
    *measurement = cor_taken(&made);
    return COR_OK;
}

void cor_measurement_destroy(struct cor_measurement *measurement) {
    if (!measurement)
        return;
    for (size_t a = 0; a < measurement->arm_count; a++) {
        COR_FREE(measurement->arm[a].observation, measurement->arm[a].gap.count,
                 measurement->arm[a].stay.count, measurement->arm[a].failure_class,
                 measurement->arm[a].constraint, measurement->arm[a].constraint_first);
    }
    cor_announced_fini(&measurement->announced);
    COR_FREE(measurement->arm, measurement->suite, measurement->bin, measurement->reached,
             measurement->constraint, measurement);
}

uint64_t cor_measurement_left_out(const struct cor_measurement *measurement) {
    uint64_t left_out = 0;
    for (size_t a = 0; a < measurement->arm_count; a++)
        left_out += measurement->arm[a].continuations + measurement->arm[a].steered;
    return left_out;
}

enum cor_status cor_measurement_estimate(const struct cor_measurement *measurement, size_t arm,
                                         enum cor_metric metric, enum cor_interval method, double level,
                                         struct cor_estimate *estimate, struct cor_error *error) {
    COR_ASSERT(arm < measurement->arm_count && metric < COR_METRIC_COUNT);
    const struct cor_arm_measurement *it = &measurement->arm[arm];
    const struct cor_metric_schema *schema = cor_metric_schema(metric);
    const struct cor_moments *moments = &it->moments[metric];
    COR_FREED double *y = cor_calloc(it->suites, sizeof *y), *x = cor_calloc(it->suites, sizeof *x);
    const struct cor_suite_sample sample = {y,
                                            x,
                                            (uint32_t)it->suites,
                                            moments->n > 0 ? &moments->mean : NULL,
                                            cor_metric_least(metric),
                                            cor_metric_whole(metric),
                                            level,
                                            {.seed = measurement->head->seed,
                                             .arm = (uint32_t)arm + 1,
                                             .entity = schema->stream,
                                             .purpose = COR_PURPOSE_BOOTSTRAP}};
    if (!y || !x)
        return cor_fail_memory(error);
    for (size_t s = 0; s < it->suites; s++) {
        y[s] = measurement->suite[it->first_suite + s].y[metric];
        x[s] = measurement->suite[it->first_suite + s].x[metric];
    }
    COR_TRY(cor_estimate_ratio(schema->kind == COR_KIND_TOTAL ? COR_INTERVAL_NONE : method, &sample, estimate,
                               error));
    if (schema->kind == COR_KIND_TOTAL && it->sequences > 0)
        estimate->mean = (double)it->failures;
    if (schema->kind == COR_KIND_MEAN || schema->kind == COR_KIND_PERCENT || schema->kind == COR_KIND_DEPTH)
        estimate->sd = cor_moments_sd(moments);
    return COR_OK;
}

/* ---- the list of metrics */

const char *cor_better_word(enum cor_better better) {
    static const char *const words[] = {"neither", "lower", "higher"};
    COR_ASSERT(better <= COR_BETTER_HIGHER);
    return words[better];
}

const struct cor_metric_schema *cor_metric_schema(enum cor_metric metric) {
    static const struct cor_metric_schema schemas[] = {
#define COR_METRIC(NAME, id, unit, kind, better, shown, published, stream, meaning) \
    {id, unit, published, meaning, COR_KIND_##kind, COR_BETTER_##better, shown, stream},
        COR_METRICS(COR_METRIC)
#undef COR_METRIC
    };
    COR_ASSERT(metric < COR_METRIC_COUNT);
    return &schemas[metric];
}

double cor_metric_whole(enum cor_metric metric) {
    switch (cor_metric_schema(metric)->kind) {
    case COR_KIND_PERCENT:
    case COR_KIND_SHARE:
        return 100;
    case COR_KIND_FRACTION:
        return 1;
    default:
        return 0;
    }
}

double cor_metric_least(enum cor_metric metric) {
    return cor_metric_schema(metric)->kind == COR_KIND_DEPTH ? 1 : 0;
}

bool cor_metric_is_time(enum cor_metric metric) {
    return metric == COR_METRIC_CPU_REORGANIZATION || metric == COR_METRIC_CPU_CASE;
}
