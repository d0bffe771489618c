/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the rows of a suite must satisfy. Nothing is repaired: what is broken is counted and said. */
#include <corridor/identities.h>

#include <corridor/array.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *id, *sentence;
} identities[] = {
#define COR_IDENTITY(NAME, id, sentence) {id, sentence},
    COR_IDENTITIES(COR_IDENTITY)
#undef COR_IDENTITY
};

const char *cor_identity_id(enum cor_identity identity) {
    COR_ASSERT(identity < COR_IDENTITY_COUNT);
    return identities[identity].id;
}

const char *cor_identity_sentence(enum cor_identity identity) {
    COR_ASSERT(identity < COR_IDENTITY_COUNT);
    return identities[identity].sentence;
}

/* One thing that identity is about. */
static void check(struct cor_identity_tally *tally, enum cor_identity identity, bool holds, uint32_t suite,
                  uint32_t sequence) {
    struct cor_identity_tally *one = &tally[identity];
    one->checked++;
    if (!holds && one->broken++ == 0)
        snprintf(one->values, sizeof one->values, "first in suite %" PRIu32 ", sequence %" PRIu32, suite,
                 sequence);
}

static bool counted(uint8_t verdict, uint32_t violations) {
    return (verdict == COR_VERDICT_FAILED) == (violations > 0);
}

static bool alarms_are_judged(const struct cor_sequence_rows *s) {
    for (size_t c = 0; c < s->case_count; c++) {
        /* Without an alarm the oracle need not look; at the edge either answer is right. */
        const struct cor_case_row *row = &s->cases[c];
        bool contradicts = row->inside == (row->alarm ? COR_INSIDE_INSIDE : COR_INSIDE_OUTSIDE);
        if (row->inside == COR_INSIDE_NOT_LOOKED || row->inside == 0) {
            if (row->alarm || (row->detect != COR_VERDICT_NOT_JUDGED && row->detect != COR_VERDICT_SMOKE))
                return false;
        } else if (row->inside == COR_INSIDE_UNKNOWN) {
            if (row->detect != COR_VERDICT_UNDECIDED)
                return false;
        } else if (row->detect != (contradicts ? COR_VERDICT_FAILED : COR_VERDICT_PASSED)) {
            return false;
        }
    }
    return true;
}

/* Cases marked as reorganized, and reorganizations, with the same verdicts. */
static bool cases_match(const struct cor_sequence_rows *s) {
    size_t r = 0;
    for (size_t c = 0; c < s->case_count; c++) {
        const struct cor_case_row *row = &s->cases[c];
        if (!row->reorganized)
            continue;
        const struct cor_reorganization_row *run =
            r < s->reorganization_count ? &s->reorganizations[r++] : NULL;
        if (!run || run->case_ != row->case_ || run->gray != row->gray || run->black != row->black)
            return false;
    }
    return r == s->reorganization_count;
}

/* What a box listed in a case. */
struct listed {
    bool box[COR_BOX_CODES];
};

/* The black box also lists where the structure is not the accepted solution (C7). */
static bool violations_are_listed(const struct cor_sequence_rows *s) {
    size_t next = 0, r = 0;
    for (size_t c = 0; c < s->case_count; c++) {
        const struct cor_case_row *row = &s->cases[c];
        /* Violations of that case: they are in order. */
        struct listed listed = {0};
        for (; next < s->violation_count && s->violations[next].case_ == row->case_; ++next)
            if (s->violations[next].box < COR_BOX_CODES)
                listed.box[s->violations[next].box] = true;
        bool black = row->black == COR_VERDICT_FAILED;
        if (row->reorganized && r < s->reorganization_count)
            black = black || s->reorganizations[r++].agreement == COR_VERDICT_FAILED;
        if (listed.box[COR_BOX_DETECT] != cor_is_detection(row->detect) ||
            listed.box[COR_BOX_GRAY] != (row->gray == COR_VERDICT_FAILED) ||
            listed.box[COR_BOX_BLACK] != black)
            return false;
    }
    return next == s->violation_count;
}

/* Failures that are kept are those of reorganizations, which may be more than have to be (--log solutions).
 */
static bool failures_are_kept(const struct cor_sequence_rows *s) {
    size_t f = 0;
    for (size_t r = 0; r < s->reorganization_count; r++) {
        const struct cor_reorganization_row *row = &s->reorganizations[r];
        bool kept = f < s->failure_count && s->failures[f].case_ == row->case_;
        if (kept && (s->failures[f].gray != row->gray || s->failures[f].black != row->black))
            return false;
        if (!kept && (cor_is_activated(row) || cor_is_detected(row)))
            return false;
        f += kept;
    }
    return f == s->failure_count;
}

/* Did the sequence end with that reorganization? In continuous time it may do so some cases later: with its
 * adoption, at the tick of the last snapshot. */
static bool ends_with(const struct cor_sequence_rows *s, uint32_t case_, uint32_t executed) {
    if (s->snapshot_count == 0)
        return case_ == executed;
    for (size_t t = 0; t < s->tick_count; t++)
        if (s->ticks[t].case_ == case_)
            return s->ticks[t].adopted == s->snapshots[s->snapshot_count - 1].tick;
    return false;
}

static bool is_ended_by_mechanism(const struct cor_sequence_rows *s, uint32_t executed) {
    for (size_t v = 0; v < s->violation_count; v++)
        if (s->violations[v].check == COR_CHECK_MECHANISM_SMOKE)
            return s->violations[v].case_ == executed;
    return false;
}

static void check_sequence(struct cor_identity_tally *tally, const struct cor_sequence_rows *s,
                           uint32_t suite, uint32_t number) {
    uint32_t cases = s->row ? s->row->cases : 0, executed = s->row ? s->row->executed : 0;
    uint32_t black = 0, last_black = 0;
    for (size_t r = 0; r < s->reorganization_count; r++) {
        const struct cor_reorganization_row *row = &s->reorganizations[r];
        bool nested = (row->fault_activated == 0 || row->fault_held > 0) &&
                      (row->fault_held == 0 || row->fault_reached > 0);
        check(tally, COR_IDENTITY_FAULT_NESTED, nested, row->suite, row->sequence);
        check(tally, COR_IDENTITY_VERDICTS_COUNTED,
              counted(row->gray, row->gray_violations) && counted(row->black, row->black_violations),
              row->suite, row->sequence);
        if (cor_is_detection(row->black))
            check(tally, COR_IDENTITY_BLACK_ALSO_GRAY,
                  cor_is_detection(row->gray) || row->adoption_fault > 0 || row->own_moves ||
                      (s->tick_count > 0 && cor_is_outrun(row)),
                  row->suite, row->sequence);
        black += cor_is_detection(row->black);
        last_black = cor_is_detection(row->black) ? row->case_ : last_black;
    }
    check(tally, COR_IDENTITY_SEQUENCES_COMPLETE, s->row, suite, number);
    check(tally, COR_IDENTITY_CASES_COMPLETE, s->case_count == executed && executed <= cases, suite, number);
    check(tally, COR_IDENTITY_REORGANIZATIONS_COMPLETE, cases_match(s), suite, number);
    check(tally, COR_IDENTITY_ALARM_JUDGED, alarms_are_judged(s), suite, number);
    check(tally, COR_IDENTITY_FAILURES_KEPT, failures_are_kept(s), suite, number);
    check(tally, COR_IDENTITY_VIOLATIONS_LISTED, violations_are_listed(s), suite, number);
    check(tally, COR_IDENTITY_BLACK_ONCE, black <= 1, suite, number);
    if (executed < cases)
        check(tally, COR_IDENTITY_STOPPED_BY_BLACK,
              (last_black > 0 && ends_with(s, last_black, executed)) ||
                  (s->case_count > 0 && s->cases[s->case_count - 1].detect == COR_VERDICT_SMOKE) ||
                  is_ended_by_mechanism(s, executed),
              suite, number);
}

/* Counts of visits and transitions, of walks of `steps` steps from `starts` states. */
static bool visits_add_up(const struct cor_suite_rows *suite, uint64_t starts, uint64_t steps) {
    const struct cor_visit_row *visit = suite->table[COR_TABLE_VISITS].row;
    const struct cor_transition_row *transition = suite->table[COR_TABLE_TRANSITIONS].row;
    uint64_t visits = 0, transitions = 0;
    for (size_t v = 0; v < suite->table[COR_TABLE_VISITS].count; v++)
        visits += visit[v].count;
    for (size_t t = 0; t < suite->table[COR_TABLE_TRANSITIONS].count; t++)
        transitions += transition[t].count;
    return visits == steps + starts && transitions == steps;
}

enum cor_status cor_identities_of_suite(const struct cor_suite_rows *suite,
                                        const struct cor_announced *announced,
                                        struct cor_identity_tally tally[COR_IDENTITY_COUNT],
                                        struct cor_error *error) {
    const size_t chains = suite->table[COR_TABLE_CHAINS].count;
    uint64_t steps = 0, starts = 0;
    for (uint32_t s = 0; s < suite->row.sequences; s++) {
        const struct cor_sequence_row *row = suite->sequence[s].row;
        check_sequence(tally, &suite->sequence[s], suite->row.suite, s);
        steps += row ? (uint64_t)row->cases * chains : 0;
        starts += row ? chains : 0;
    }
    const struct cor_group_row *group = suite->table[COR_TABLE_GROUPS].row;
    size_t groups = suite->table[COR_TABLE_GROUPS].count;
    uint64_t agents = 0;
    for (size_t g = 0; g < groups; g++)
        agents += group[g].size;
    check(tally, COR_IDENTITY_SUITES_COUNTED,
          groups == suite->row.groups && agents == suite->row.agents &&
              suite->table[COR_TABLE_CHAINS].count == suite->row.chains,
          suite->row.suite, 0);
    check(tally, COR_IDENTITY_VISITS_ADD_UP, visits_add_up(suite, starts, steps), suite->row.suite, 0);
    /* What the texts say; the rows of a suite are of one arm. */
    const size_t branches = suite->table[COR_TABLE_BRANCHES].count;
    const enum cor_steers steers = announced->steers[suite->arm];
    if (announced->sequences > 0)
        check(tally, COR_IDENTITY_SEQUENCES_ANNOUNCED,
              (uint64_t)announced->sequences + branches == suite->row.sequences, suite->row.suite, 0);
    if (steers != COR_STEERS_NOT_SAID)
        for (uint32_t s = 0; s < suite->row.sequences; s++)
            check(tally, COR_IDENTITY_STEERING_ANNOUNCED,
                  (suite->sequence[s].steered != NULL) == (steers == COR_STEERS), suite->row.suite, s);
    /* Profiles are numbered without a gap (cor_environment_check). */
    const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
    const struct cor_transition_row *transition = suite->table[COR_TABLE_TRANSITIONS].row;
    const size_t profiles = suite->table[COR_TABLE_PROFILES].count;
    uint32_t *listed = cor_calloc(profiles, sizeof *listed);
    COR_TRY(cor_made(listed, error));
    for (size_t t = 0; t < suite->table[COR_TABLE_TRANSITIONS].count; t++)
        if (transition[t].profile < profiles)
            listed[transition[t].profile] += transition[t].probability > 0;
    for (size_t p = 0; p < profiles; p++)
        check(tally, COR_IDENTITY_ARCS_LISTED, listed[p] == profile[p].arcs, suite->row.suite, 0);
    free(listed);
    return COR_OK;
}
