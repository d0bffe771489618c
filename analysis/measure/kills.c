/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which check saw what. */
#include "measure.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdio.h>

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

static void count_case(struct seen *seen, struct kills *kills, bool activated) {
    for (size_t i = 0; i < kills->count; i++) {
        size_t killer = kills->list[i];
        struct cor_kill *kill = &seen->kill[killer];
        kill->cases++;
        kill->failures += activated;
        kill->alone += kills->count == 1;
        kill->sequences += !seen->in_sequence[killer];
        kill->suites += !seen->in_suite[killer];
        seen->in_sequence[killer] = seen->in_suite[killer] = true;
        kills->by[killer] = false;
    }
    kills->count = 0;
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
        count_case(seen, &kills, activated);
    }
    return COR_OK;
}

enum cor_status measure__count_kills(struct measure__suite_work *work, struct cor_error *error) {
    struct seen seen = {.kill = work->arm->kill};
    for (uint32_t s = 0; s < work->suite->row.sequences; s++) {
        const struct cor_sequence_rows *sequence = &work->suite->sequence[s];
        for (size_t k = 0; k < COR_KILLERS; k++)
            seen.in_sequence[k] = false;
        if (cor_is_sample(sequence)) /* rows of a sequence without a row count, too */
            COR_TRY(count_sequence(work->arm, sequence, &seen, error));
    }
    return COR_OK;
}
