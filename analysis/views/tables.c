/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was found, and the two tables of the paper: the view `tables`. */
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/tables.h>
#include <corridor/verdicts.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ARM \
    { "arm", "arm", "", "name of the arm: algorithm, fault and preset", COR_CELL_WORD, 0, 0 }

static const struct cor_column_definition about_columns[] = {
    {"arms", "arms", "1", "arms of the campaign", COR_CELL_COUNT, 0, 0},
    {"suites", "suites", "1", "suites in the file", COR_CELL_COUNT, 0, 0},
    {"planned_suites", "planned suites", "1",
     "suites that the experiment asks for; nothing for an endless one", COR_CELL_COUNT, 0, 0},
    {"complete", "complete", "", "every planned suite is in the file", COR_CELL_FLAG, 0, 0},
    {"sequences", "test sequences", "1", "test sequences, without continuations of failed ones",
     COR_CELL_COUNT, 0, 0},
    {"cases", "test cases", "1", "test cases generated", COR_CELL_COUNT, 0, 0},
    {"seed", "seed", "", "seed of the campaign", COR_CELL_WORD, 0, 0},
    {"paired", "paired", "", "the arms share suites", COR_CELL_FLAG, 0, COR_COLUMN_DATA},
    {"level", "level of intervals", "1", "level of the intervals", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"method", "intervals", "", "how intervals over suites are made", COR_CELL_WORD, 0, 0},
};
COR_SHEET_DEFINITION(about, "about", "", "the file, and what was asked for",
                     COR_SHEET_RECORD | COR_SHEET_DATA, 0);

#define MEASURED(member) COR_CELL_OF(struct cor_arm_measurement, member)
static const struct cor_column_definition found_columns[] = {
    ARM,
    {"suites", "suites", "1", "suites of the arm", MEASURED(suites)},
    {"sequences", "sequences", "1", "test sequences, without continuations of failed ones",
     MEASURED(sequences), 0, COR_COLUMN_DATA},
    {"verdict", "verdict", "",
     "found: a check saw the fault; not found: it was activated, and nothing saw it; not reached: it was "
     "never activated; no check failed: no fault, and no check failed; FAILS: no fault, and a check failed, "
     "or a mechanism beside the algorithm did not do its work; "
     "undecided: no check failed, but the oracle could not decide every case, or the algorithm was never "
     "called; no suites; contradiction: the rows of the arm contradict each other",
     COR_CELL_WORD, 0, 0},
    {"found_by", "by", "",
     "mechanism: one failed; gray, black: the boxes that saw something; else agreement: the structure is not "
     "the accepted solution "
     "(C7), detect: alarms missed or false (R-Detect), time: a rule over the cases of a sequence, move: a "
     "structure on the way of an adoption",
     COR_CELL_WORD, 0, 0},
    {"sequences_detected", "detecting", "1", "sequences with a detection", MEASURED(sequences_detected)},
    {"sequences_detected_pct", "", "%", "... of all sequences", COR_CELL_REAL, 1, 0},
    {"failures", "activated", "1", "reorganizations with an activated fault (A4)", MEASURED(failures)},
    {"masked", "masked", "1", "activated failures that no box saw", MEASURED(tally.masked)},
    {"masked_pct", "", "%", "... of all activated", COR_CELL_REAL, 1, 0},
    {"unprovoked", "own\nfailures", "1", "failing cases without an activated fault, whichever box failed",
     MEASURED(tally.unprovoked)},
    {"why", "why", "", "the verdict in a sentence", COR_CELL_TEXT, 0, COR_COLUMN_DATA},
    {"found", "", "", "something was found", COR_CELL_FLAG, 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(found, "found", "Found?", "an arm", 0, 0);

#define TALLY(member) COR_CELL_OF(struct cor_tally, member)
static const struct cor_column_definition happened_columns[] = {
    ARM,
    {"reorganizations", "all", "1", "reorganizations", TALLY(reorganizations)},
    {"reached", "reached", "1", "the fault's seam ran", TALLY(reached)},
    {"held", "held", "1", "its condition held", TALLY(held)},
    {"activated", "activated", "1", "it corrupted something", TALLY(activated)},
    {"in_result", "in result", "1", "the solution descends from it", TALLY(in_result)},
    {"gray", "gray", "1", "failed through the gray box, activated or not", TALLY(gray)},
    {"black", "black", "1", "failed through the black box, activated or not", TALLY(black)},
    {"masked", "masked", "1", "activated, and no box saw it", TALLY(masked)},
    {"in_result_passed", "", "1", "in the result, and the gray box passed it", TALLY(in_result_passed), 0,
     COR_COLUMN_DATA},
    {"activated_gray", "", "1", "activated, and the gray box failed", TALLY(activated_gray), 0,
     COR_COLUMN_DATA},
    {"activated_black", "", "1", "activated, and the black box failed", TALLY(activated_black), 0,
     COR_COLUMN_DATA},
    {"gray_unprovoked", "", "1", "the gray box failed, nothing activated", TALLY(gray_unprovoked), 0,
     COR_COLUMN_DATA},
    {"black_unprovoked", "", "1", "the black box failed, nothing activated", TALLY(black_unprovoked), 0,
     COR_COLUMN_DATA},
    {"black_only", "", "1", "the black box failed, the gray box not", TALLY(black_only), 0, COR_COLUMN_DATA},
    {"black_only_adoption", "", "1", "... where a fault of adoption was active", TALLY(black_only_adoption),
     0, COR_COLUMN_DATA},
    {"black_only_own_moves", "", "1", "... not so, but where the algorithm distributed its solution itself",
     TALLY(black_only_own_moves), 0, COR_COLUMN_DATA},
    {"adoption_faults", "", "1", "reorganizations whose adoption was corrupted", TALLY(adoption_faults), 0,
     COR_COLUMN_DATA},
    {"reached_times", "", "times", "the seam ran", TALLY(reached_times), 0, COR_COLUMN_DATA},
    {"held_times", "", "times", "the condition held", TALLY(held_times), 0, COR_COLUMN_DATA},
    {"activated_times", "", "times", "something was corrupted", TALLY(activated_times), 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(happened, "reorganizations", "What happened in reorganizations", "an arm", 0, 0);

static const struct cor_column_definition checks_columns[] = {
    ARM,
    {"alarms", "alarms", "1", "alarms of the monitor, over executed cases", TALLY(alarms)},
    {"detect_judged", "judged", "1", "cases in which R-Detect was judged", TALLY(detect_judged)},
    {"alarms_missed", "missed", "1", "no alarm, although the invariant was violated", TALLY(alarms_missed)},
    {"alarms_false", "false", "1", "an alarm, although the invariant held", TALLY(alarms_false)},
    {"agreement_judged", "C7 judged", "1", "reorganizations in which C7 was judged", TALLY(agreement_judged)},
    {"agreement_failed", "C7 failed", "1", "the structure is not the accepted solution",
     TALLY(agreement_failed)},
    {"smoke", "smoke", "1", "reorganizations without a result", COR_CELL_COUNT, 0, 0},
    {"inside_after_pct", "back in", "%",
     "share of reorganizations after which the invariant holds, where the oracle looked", COR_CELL_REAL, 1,
     0},
    {"inside_after", "", "1", "the invariant holds after adoption", TALLY(inside_after), 0, COR_COLUMN_DATA},
    {"outside_after", "", "1", "the invariant does not hold after adoption", TALLY(outside_after), 0,
     COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(checks, "checks", "Other checks", "an arm", 0, 0);

static const struct cor_column_definition endings_columns[] = {
    ARM,
    {"family", "", "", "stop: why reorganizations ended; smoke: how they failed without a result",
     COR_CELL_WORD, 0, 0},
    {"word", "", "", "the code's word; not_said: none that its family has", COR_CELL_WORD, 0, 0},
    {"reorganizations", "", "1", "reorganizations that ended so", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(endings, "endings", "How reorganizations ended", "a code of an arm", COR_SHEET_DATA, 0);

static const struct cor_column_definition arms_columns[] = {
    ARM,
    {"code", "", "1", "code in catalog/arm", COR_CELL_COUNT, 0, 0},
    {"description", "", "", "description of the arm, JSON", COR_CELL_TEXT, 0, 0},
    {"published", "", "", "its name is a column of the paper's tables", COR_CELL_FLAG, 0, 0},
    {"cases", "", "1", "test cases generated", MEASURED(cases)},
    {"executed", "", "1", "test cases executed", MEASURED(executed)},
    {"sequences_activated", "", "1", "sequences with an activated fault", MEASURED(sequences_activated)},
    {"sequences_gray_only", "", "1", "sequences detected by the gray box only",
     MEASURED(sequences_gray_only)},
    {"sequences_black_only", "", "1", "sequences detected by the black box only",
     MEASURED(sequences_black_only)},
    {"sequences_both", "", "1", "sequences detected by both boxes", MEASURED(sequences_both)},
    {"steps_outside", "", "1", "steps of walks that the profile does not have", MEASURED(steps_outside)},
    {"suites_fallback", "", "1", "suites whose parameters follow the fallback law",
     MEASURED(suites_fallback)},
    {"continuations", "", "1", "sequences that continue failed ones (branching), in no other figure",
     MEASURED(continuations)},
};
COR_SHEET_DEFINITION(arms, "arms", "Arms", "an arm", COR_SHEET_DATA, 0);

#define CLASS(member) COR_CELL_OF(struct cor_failure_tally, member)
static const struct cor_column_definition classes_columns[] = {
    {"arm", "", "", "name of the arm: algorithm, fault and preset", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"cases", "cases", "1", "test cases of this class", CLASS(cases)},
    {"sequences", "sequences", "1", "test sequences with such a case", CLASS(sequences)},
    {"activated", "activated", "1", "of the cases, those with an activated fault", CLASS(activated)},
    {"suite", "", "1", "suite of the first", CLASS(first.suite), 0, COR_COLUMN_DATA},
    {"sequence", "", "1", "sequence of the first", CLASS(first.sequence), 0, COR_COLUMN_DATA},
    {"case", "", "1", "test case of the first", CLASS(first.case_), 0, COR_COLUMN_DATA},
    {"first", "first", "", "suite/sequence/case of the first", COR_CELL_TEXT, 0, 0},
    {"class", "what failed", "", "boxes and checks that saw it; masked: an activated fault that no box saw",
     COR_CELL_TEXT, 0, 0},
    {"sentence", "", "", "the first violation of the first in words", COR_CELL_TEXT, 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(classes, "failures", "Failures by class", "failures of an arm that the same checks saw",
                     0, 0);

#define VIOLATION(member) COR_CELL_OF(struct cor_violation_row, member)
static const struct cor_column_definition first_columns[] = {
    ARM,
    {"box", "box", "", "box that saw it", COR_TERM_OF(struct cor_violation_row, box, COR_FAMILY_BOX)},
    {"suite", "suite", "1", "suite", VIOLATION(suite)},
    {"sequence", "sequence", "1", "sequence", VIOLATION(sequence)},
    {"case", "case", "1", "test case", VIOLATION(case_)},
    {"check", "check", "", "what is violated",
     COR_TERM_OF(struct cor_violation_row, check, COR_FAMILY_CHECK)},
    {"sentence", "", "", "the violation in words", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(first, "first_violations", "First violations",
                     "the first violation that a box saw in an arm", COR_SHEET_DATA, 0);

#define CONSTRAINT(member) COR_CELL_OF(struct cor_constraint_tally, member)
static const struct cor_column_definition constraints_columns[] = {
    {"arm", "", "", "name of the arm: algorithm, fault and preset", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"constraint", "constraint", "", "its name in the corridor", COR_CELL_WORD, 0, 0},
    {"gray", "gray", "1", "solutions that violate it", CONSTRAINT(gray)},
    {"black", "black", "1", "structures after adoption that violate it", CONSTRAINT(black)},
    {"interim", "interim", "1", "interim solutions that violate it", CONSTRAINT(interim), 0, COR_COLUMN_DATA},
    {"move", "moves", "1", "adoptions in which it was violated between two moves", CONSTRAINT(move)},
    {"looks", "outside", "cases", "test cases in which the oracle saw it violated, before reorganizing",
     CONSTRAINT(looks)},
    {"initial", "initial", "1", "initial structures that violate it", CONSTRAINT(initial), 0,
     COR_COLUMN_DATA},
    {"sequences", "in time", "sequences", "test sequences that violate it, of what is said of time",
     CONSTRAINT(sequences)},
    {"unknown", "unknown", "1", "of all these, those in which it is not known", CONSTRAINT(unknown)},
    {"stayed", "stayed", "alarms", "after which nothing was not met for longer", CONSTRAINT(stayed)},
    {"says", "says", "", "what the corridor says", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(constraints, "constraints", "Constraints of the corridor", "a constraint in an arm", 0,
                     0);

#define RETURNS(member) COR_CELL_OF(struct cor_return_tally, member)
static const struct cor_column_definition returns_columns[] = {
    ARM,
    {"alarms", "alarms", "alarms", "that did not come while another was open", RETURNS(alarms)},
    {"back", "back", "alarms", "after which the system was inside again", RETURNS(back)},
    {"mean_cases", "mean", "cases", "until then", COR_CELL_REAL, 2, 0},
    {"latest", "latest", "cases", "until then", RETURNS(latest)},
    {"by", "outside by", "", "the constraint that was most often not met for longest", COR_CELL_WORD, 0, 0},
};
COR_SHEET_DEFINITION(returns, "returns", "Back inside after alarms", "an arm", 0, 0);

/* What was published stands beside ours where the experiment says that it repeats the paper: elsewhere these
 * columns are there for JSON and CSV alone. */
#define FIGURES(beside)                                                                                     \
    {"table",                                                                                               \
     "",                                                                                                    \
     "",                                                                                                    \
     "1: environment profiles and their coverage by the generated walks; 2: configurations, failures and "  \
     "their detection",                                                                                     \
     COR_CELL_TEXT,                                                                                         \
     0,                                                                                                     \
     COR_COLUMN_GROUP},                                                                                     \
        {"label", "", "", "the metric in words", COR_CELL_TEXT, 0, COR_COLUMN_GROUP},                       \
        {"metric", "", "", "id of the metric", COR_CELL_WORD, 0, COR_COLUMN_DATA}, ARM,                     \
        {"ours",                                                                                            \
         "ours",                                                                                            \
         "",                                                                                                \
         "mean over test sequences (of failures: a share), with its interval over suites",                  \
         COR_CELL_ESTIMATE,                                                                                 \
         2,                                                                                                 \
         0},                                                                                                \
        {"sd", "SD", "", "standard deviation over test sequences", COR_CELL_REAL, 2, 0},                    \
        {"n", "n", "1", "sequences (of failures: failures) observed", COR_CELL_REAL, 0, 0},                 \
        {"relation",                                                                                        \
         "",                                                                                                \
         "",                                                                                                \
         "=: the published mean lies in our interval; ?: likewise, but it is too wide; <: ours lies below " \
         "it; >: "                                                                                          \
         "above",                                                                                           \
         COR_CELL_TEXT,                                                                                     \
         0,                                                                                                 \
         beside},                                                                                           \
        {"paper_mean",  "paper", "",    "published mean, if the experiment repeats the paper",              \
         COR_CELL_REAL, 2,       beside},                                                                   \
        {"paper_sd", "SD", "", "published standard deviation", COR_CELL_REAL, 2, beside},                   \
        {"paper_derived",                                                                                   \
         "",                                                                                                \
         "",                                                                                                \
         "not printed in the paper: it follows from figures that are",                                      \
         COR_CELL_FLAG,                                                                                     \
         0,                                                                                                 \
         COR_COLUMN_DATA},                                                                                  \
        {"paper_note",   "", "", "why the published figure is to be distrusted", COR_CELL_TEXT, 0,          \
         COR_COLUMN_DATA},                                                                                  \
        {"published_id", "", "", "id of the published figure", COR_CELL_WORD, 0, COR_COLUMN_DATA},
static const struct cor_column_definition figures_columns[] = {FIGURES(0)},
                                          ours_alone_columns[] = {FIGURES(COR_COLUMN_DATA)};
COR_SHEET_DEFINITION(figures, "figures", "Tables 1 and 2", "a metric of an arm", 0, 0);
COR_SHEET_DEFINITION(ours_alone, "figures", "Tables 1 and 2", "a metric of an arm", 0, 0);

#define IDENTITY(member) COR_CELL_OF(struct cor_identity_tally, member)
static const struct cor_column_definition identities_columns[] = {
    {"state", "", "", "holds, BROKEN, or n/a: nothing to check", COR_CELL_WORD, 0, 0},
    {"checked", "checked", "1", "suites, sequences, reorganizations or figures", IDENTITY(checked)},
    {"broken", "broken", "1", "thereof broken", IDENTITY(broken)},
    {"sentence", "", "", "what must hold", COR_CELL_TEXT, 0, 0},
    {"identity", "", "", "its id", COR_CELL_WORD, 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(identities, "identities", "Must hold in every file", "an identity", 0, 0);

static const struct cor_column_definition arm_identities_columns[] = {
    ARM,
    {"identity", "", "", "its id", COR_CELL_WORD, 0, 0},
    {"holds", "", "", "nothing breaks it", COR_CELL_FLAG, 0, 0},
    {"checked", "", "1", "what was checked", IDENTITY(checked)},
    {"broken", "", "1", "of it, what breaks it", IDENTITY(broken)},
    {"values", "", "", "the figures, or where it was broken first", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(arm_identities, "arm_identities", "Identities of arms", "an identity in an arm",
                     COR_SHEET_DATA, 0);

static double percent(uint64_t part, uint64_t whole) {
    return whole > 0 ? 100.0 * (double)part / (double)whole : (double)NAN;
}

/* `found` gets the title that says what the file is. */
static void put_about(const struct cor_tables *tables, struct cor_sheet *sheet,
                      struct cor_sheet *found_sheet) {
    char planned[64] = " suites of an endless experiment";
    uint64_t suites = 0, sequences = 0, cases = 0;
    for (size_t a = 0; a < tables->arm_count; a++) {
        suites += tables->arm[a].measured->suites;
        sequences += tables->arm[a].measured->sequences;
        cases += tables->arm[a].measured->cases;
    }
    cor_sheet_row(sheet);
    cor_sheet_count(sheet, tables->arm_count);
    cor_sheet_count(sheet, suites);
    if (tables->head->planned_suites > 0)
        cor_sheet_count(sheet, tables->head->planned_suites);
    else
        cor_sheet_nothing(sheet);
    cor_sheet_flag(sheet, tables->head->complete);
    cor_sheet_count(sheet, sequences);
    cor_sheet_count(sheet, cases);
    char seed[24];
    snprintf(seed, sizeof seed, "0x%016" PRIx64, tables->head->seed);
    if (tables->head->planned_suites > 0)
        snprintf(planned, sizeof planned, " of %" PRIu64 " planned suites", tables->head->planned_suites);
    cor_sheet_title(found_sheet,
                    "Found?  %zu arms, %" PRIu64 "%s, %" PRIu64 " test sequences, %" PRIu64
                    " cases generated; seed %s",
                    tables->arm_count, suites, planned, sequences, cases, seed);
    cor_sheet_word(sheet, seed);
    cor_sheet_flag(sheet, tables->paired);
    cor_sheet_real(sheet, tables->level);
    cor_sheet_word(sheet, cor_interval_word(tables->method));
}

static void put_found_arm(const struct cor_arm_tables *arm, struct cor_sheet *sheet) {
    const struct cor_arm_measurement *m = arm->measured;
    struct cor_arm_verdict verdict = cor_arm_verdict(m);
    const char *words[COR_FOUND_BY];
    size_t by = cor_found_by(&m->tally, words);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, arm->name);
    COR_SHEET_PUT(sheet, struct cor_arm_measurement, m);
    cor_sheet_word(sheet, cor_arm_outcome_word(verdict.outcome));
    cor_sheet_tone(sheet, cor_arm_outcome_is_good(verdict.outcome) ? COR_TONE_GOOD : COR_TONE_BAD);
    char finders[64] = "";
    for (size_t i = 0, length = 0; i < by; i++)
        length +=
            (size_t)snprintf(finders + length, sizeof finders - length, "%s%s", i > 0 ? ", " : "", words[i]);
    cor_sheet_text(sheet, "%s", finders);
    COR_SHEET_PUT(sheet, struct cor_arm_measurement, m);
    cor_sheet_real(sheet, percent(m->sequences_detected, m->sequences));
    COR_SHEET_PUT(sheet, struct cor_arm_measurement, m);
    cor_sheet_real(sheet, percent(m->tally.masked, m->failures));
    COR_SHEET_PUT(sheet, struct cor_arm_measurement, m);
    cor_sheet_text(sheet, "%s", verdict.message);
    cor_sheet_flag(sheet, by > 0);
    if (verdict.outcome != COR_ARM_FOUND && verdict.outcome != COR_ARM_PASSES)
        cor_sheet_remark(sheet, "%s: %s", arm->name, verdict.message);
    if (m->suites_fallback > 0)
        cor_sheet_remark(
            sheet, "%" PRIu64 " of %" PRIu64 " suites of %s follow the fallback law of the experiment file",
            m->suites_fallback, m->suites, arm->name);
    if (m->continuations > 0)
        cor_sheet_remark(
            sheet, "%" PRIu64 " sequences of %s continue failed ones (branching) and are counted nowhere",
            m->continuations, arm->name);
    views__remark_steered(m, sheet);
}

static void put_checks(const struct cor_arm_tables *arm, struct cor_sheet *sheet) {
    const struct cor_tally *t = &arm->measured->tally;
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, arm->name);
    COR_SHEET_PUT(sheet, struct cor_tally, t);
    cor_sheet_count(sheet, cor_tally_smoke(t));
    cor_sheet_real(sheet, percent(t->inside_after, t->inside_after + t->outside_after));
    COR_SHEET_PUT(sheet, struct cor_tally, t);
}

static void put_endings(const struct cor_arm_tables *arm, enum cor_family family, const char *word,
                        const uint64_t counts[COR_ENDING_CODES], struct cor_sheet *sheet) {
    for (int code = 0; code < COR_ENDING_CODES; code++) {
        if (code > 0 && !cor_term(family, code))
            continue;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, arm->name);
        cor_sheet_word(sheet, word);
        cor_sheet_word(sheet, code > 0 ? cor_term_word(family, code) : "not_said");
        cor_sheet_count(sheet, counts[code]);
    }
}

static void put_arm(const struct cor_arm_tables *arm, struct cor_sheet *sheet) {
    const struct cor_arm_measurement *m = arm->measured;
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, arm->name);
    cor_sheet_count(sheet, m->entry->code);
    cor_sheet_text(sheet, "%s", m->entry->description);
    cor_sheet_flag(sheet, arm->published);
    COR_SHEET_PUT(sheet, struct cor_arm_measurement, m);
}

static void put_class(const struct cor_arm_tables *arm, const struct cor_failure_tally *class,
                      struct cor_sheet *sheet) {
    const struct cor_violation_row *row = &class->first;
    char text[512], sentence[COR_SENTENCE] = "";
    /* "gray.agent_repeated, black.size_above_maximum" */
    size_t at = 0;
    snprintf(text, sizeof text, "masked");
    for (size_t k = 0; k < COR_KILLERS; k++) {
        char word[64];
        if (!cor_killer_set_has(&class->killers, k) || at >= sizeof text)
            continue;
        int added =
            snprintf(text + at, sizeof text - at, "%s%s", at > 0 ? ", " : "", cor_killer_word(k, word));
        at += added > 0 ? (size_t)added : 0;
    }
    if (row->box > 0)
        cor_violation_sentence(cor_arm_kind(arm->measured->entry), row, arm->measured->head, sentence);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, arm->name);
    COR_SHEET_PUT(sheet, struct cor_failure_tally, class);
    cor_sheet_text(sheet, "%" PRIu32 "/%u/%" PRIu32, row->suite, row->sequence, row->case_);
    cor_sheet_text(sheet, "%s", text);
    cor_sheet_text(sheet, "%s", sentence);
}

static void put_first(const struct cor_arm_tables *arm, struct cor_sheet *sheet) {
    for (int box = 0; box < COR_BOX_CODES; box++) {
        const struct cor_violation_row *row = &arm->measured->first_violation[box];
        char sentence[COR_SENTENCE];
        if (row->box == 0)
            continue;
        cor_violation_sentence(cor_arm_kind(arm->measured->entry), row, arm->measured->head, sentence);
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, arm->name);
        COR_SHEET_PUT(sheet, struct cor_violation_row, row);
        cor_sheet_text(sheet, "%s", sentence);
    }
}

/* Of a corridor as text. */
static void put_constraints(const struct cor_arm_tables *arm, struct cor_sheet *constraints_sheet,
                            struct cor_sheet *returns_sheet) {
    const struct cor_arm_measurement *m = arm->measured;
    const struct cor_catalog_entry *entries = m->head->catalog[COR_CATALOG_CONSTRAINT];
    uint32_t most = 0;
    for (uint32_t c = 0; c < m->constraint_count; c++) {
        cor_sheet_row(constraints_sheet);
        cor_sheet_word(constraints_sheet, arm->name);
        cor_sheet_word(constraints_sheet, entries[c].name);
        COR_SHEET_PUT(constraints_sheet, struct cor_constraint_tally, &m->constraint[c]);
        cor_sheet_text(constraints_sheet, "%s", entries[c].description);
        most = m->constraint[c].stayed > m->constraint[most].stayed ? c : most;
    }
    if (m->constraint_count == 0)
        return;
    const struct cor_return_tally *back = &m->returns;
    cor_sheet_row(returns_sheet);
    cor_sheet_word(returns_sheet, arm->name);
    cor_sheet_count(returns_sheet, back->alarms);
    cor_sheet_count(returns_sheet, back->back);
    if (back->back > 0)
        cor_sheet_real(returns_sheet, (double)back->late / (double)back->back);
    else
        cor_sheet_nothing(returns_sheet);
    cor_sheet_count(returns_sheet, back->latest);
    cor_sheet_word(returns_sheet, m->constraint[most].stayed > 0 ? entries[most].name : NULL);
}

static void put_figure(const struct cor_arm_tables *arm, enum cor_metric metric, struct cor_sheet *sheet) {
    const struct cor_metric_schema *schema = cor_metric_schema(metric);
    const struct cor_figure *figure = &arm->figure[metric];
    char relation = cor_figure_relation(figure, metric);
    cor_sheet_row(sheet);
    cor_sheet_text(sheet, "%s",
                   schema->shown & COR_IN_TABLE_1
                       ? "Table 1  Environment profiles and their coverage by the walks"
                       : "Table 2  Configurations, failures and their detection");
    cor_sheet_text(sheet, "%s", schema->meaning);
    cor_sheet_word(sheet, schema->id);
    cor_sheet_word(sheet, arm->name);
    cor_sheet_estimate(sheet, &figure->ours);
    cor_sheet_reals(sheet, 2, (double[]){figure->ours.sd, figure->ours.n});
    cor_sheet_text(sheet, "%.*s", relation != ' ', &relation);
    cor_sheet_reals(sheet, 2, (double[]){figure->paper_mean, figure->paper_sd});
    cor_sheet_flag(sheet, figure->paper_derived);
    cor_sheet_word(sheet, figure->paper_note);
    cor_sheet_word(sheet, schema->published_id);
    if (figure->paper_note)
        cor_sheet_remark(sheet, "! paper, %s, %s: %s", arm->name, schema->id, figure->paper_note);
}

static void put_identities(const struct cor_tables *tables, struct cor_sheets *sheets) {
    struct cor_sheet *all = cor_sheets_add(sheets, &identities),
                     *each = cor_sheets_add(sheets, &arm_identities);
    for (enum cor_identity i = 0; i < COR_IDENTITY_COUNT; i++) {
        struct cor_identity_tally sum = {0};
        for (size_t a = 0; a < tables->arm_count; a++) {
            const struct cor_identity_tally *tally = &tables->arm[a].measured->identity[i];
            sum.checked += tally->checked;
            sum.broken += tally->broken;
            cor_sheet_row(each);
            cor_sheet_word(each, tables->arm[a].name);
            cor_sheet_word(each, cor_identity_id(i));
            cor_sheet_flag(each, tally->broken == 0);
            COR_SHEET_PUT(each, struct cor_identity_tally, tally);
            cor_sheet_text(each, "%s", tally->values);
            if (tally->broken > 0)
                cor_sheet_remark(all, "%s: %" PRIu64 " of %" PRIu64 " break \"%s\"; %s", tables->arm[a].name,
                                 tally->broken, tally->checked, cor_identity_sentence(i), tally->values);
        }
        cor_sheet_row(all);
        cor_sheet_word(all, sum.broken > 0 ? "BROKEN" : sum.checked > 0 ? "holds" : "n/a");
        cor_sheet_tone(all, sum.broken > 0 ? COR_TONE_BAD : sum.checked > 0 ? COR_TONE_GOOD : COR_TONE_FAINT);
        COR_SHEET_PUT(all, struct cor_identity_tally, &sum);
        cor_sheet_text(all, "%s", cor_identity_sentence(i));
        cor_sheet_word(all, cor_identity_id(i));
    }
}

/* Who has rounds has agents that decide by themselves; without mail they know nothing to decide by. */
static void remark_silence(const struct cor_arm_tables *arm, struct cor_sheet *sheet) {
    const struct cor_tally *tally = &arm->measured->tally;
    if (tally->rounds > 0 && tally->messages == 0 && tally->moved > 0)
        cor_sheet_remark(sheet,
                         "%s: decentralised, but no agent sends mail, and still %" PRIu64
                         " agents were moved in %" PRIu64 " reorganizations",
                         arm->name, tally->moved, tally->reorganizations);
}

/* Sheets with a row, or some rows, an arm. */
static void put_arms(const struct cor_tables *tables, struct cor_sheets *sheets) {
    struct cor_sheet *about_sheet = cor_sheets_add(sheets, &about),
                     *found_sheet = cor_sheets_add(sheets, &found),
                     *happened_sheet = cor_sheets_add(sheets, &happened),
                     *checks_sheet = cor_sheets_add(sheets, &checks),
                     *endings_sheet = cor_sheets_add(sheets, &endings),
                     *arms_sheet = cor_sheets_add(sheets, &arms),
                     *classes_sheet = cor_sheets_add(sheets, &classes),
                     *first_sheet = cor_sheets_add(sheets, &first),
                     *constraints_sheet = cor_sheets_add(sheets, &constraints),
                     *returns_sheet = cor_sheets_add(sheets, &returns);
    put_about(tables, about_sheet, found_sheet);
    for (size_t a = 0; a < tables->arm_count; a++) {
        const struct cor_arm_tables *arm = &tables->arm[a];
        put_found_arm(arm, found_sheet);
        cor_sheet_row(happened_sheet);
        cor_sheet_word(happened_sheet, arm->name);
        COR_SHEET_PUT(happened_sheet, struct cor_tally, &arm->measured->tally);
        put_checks(arm, checks_sheet);
        put_endings(arm, COR_FAMILY_STOP, "stop", arm->measured->tally.stop, endings_sheet);
        put_endings(arm, COR_FAMILY_SMOKE, "smoke", arm->measured->tally.smoke, endings_sheet);
        put_arm(arm, arms_sheet);
        for (size_t c = 0; c < arm->measured->failure_class_count; c++)
            put_class(arm, &arm->measured->failure_class[c], classes_sheet);
        put_first(arm, first_sheet);
        put_constraints(arm, constraints_sheet, returns_sheet);
    }
    cor_sheet_remark(found_sheet,
                     "detecting: sequences; activated: reorganizations with an activated fault; masked: "
                     "thereof seen by no box; own failures: of the algorithm itself, without an "
                     "activated fault");
    for (size_t a = 0; a < tables->arm_count; a++)
        remark_silence(&tables->arm[a], found_sheet);
    char *edited;
    if (cor_text_under(tables->head->provenance, "suites_edited", &edited, NULL) != COR_OK)
        cor_sheets_fail(sheets);
    else if (edited)
        cor_sheet_remark(found_sheet, "suites were edited by hand: %s", edited);
    free(edited);
    cor_sheet_remark(checks_sheet,
                     "R-Detect: alarms against the oracle; C7: the structure is the accepted solution; back "
                     "in: the invariant holds after it, where the oracle looked");
}

void views__put_tables(const struct cor_tables *tables, struct cor_sheets *sheets) {
    bool published = false;
    for (size_t a = 0; a < tables->arm_count; a++)
        published = published || (tables->repeats && tables->arm[a].published);
    put_arms(tables, sheets);
    struct cor_sheet *sheet = cor_sheets_add(sheets, published ? &figures : &ours_alone);
    for (enum cor_metric m = 0; m < COR_TABLE_METRICS; m++)
        for (size_t a = 0; a < tables->arm_count; a++)
            put_figure(&tables->arm[a], m, sheet);
    cor_sheet_title(sheet, "Tables 1 and 2, intervals at %.4g %%: %s", 100 * tables->level,
                    cor_interval_word(tables->method));
    cor_sheet_remark(
        sheet, "ours: means over test sequences, SD over the same; n: sequences (of failures: failures) "
               "observed. Depths are of sequences with a detection only; the others are censored.");
    if (published)
        cor_sheet_remark(sheet,
                         "= the paper's mean lies in our interval, ? likewise, but the interval is too "
                         "wide to mean something, < ours lies below it, > above; remarks with ! tell which "
                         "of the paper's figures are doubtful.");
    put_identities(tables, sheets);
    if (published)
        views__put_claims(tables, sheets);
}

static enum cor_status make(const struct cor_view_request *request, struct cor_sheets *sheets,
                            struct cor_view_findings *findings, struct cor_error *error) {
    struct cor_tables *tables = NULL;
    enum cor_interval method =
        request->intervals == COR_INTERVAL_NONE ? COR_INTERVAL_LINEARISED : request->intervals;
    COR_TRY(cor_tables_create(request->result, request->level, method, &tables, error));
    views__put_tables(tables, sheets);
    enum cor_status status = views__put_smokes(request->result, sheets, error);
    if (status == COR_OK)
        status = views__put_schedules(request->result, sheets, error);
    *findings = cor_verdict_findings(tables->measurement);
    cor_tables_destroy(tables);
    return status;
}

static const struct cor_sheet_definition *const sheets_made[] = {&figures,
                                                                 &about,
                                                                 &found,
                                                                 &happened,
                                                                 &checks,
                                                                 &endings,
                                                                 &arms,
                                                                 &classes,
                                                                 &first,
                                                                 &constraints,
                                                                 &returns,
                                                                 &identities,
                                                                 &arm_identities,
                                                                 &views__claims_sheet,
                                                                 &views__claim_parts_sheet,
                                                                 &views__agreement_sheet,
                                                                 &views__smokes_sheet,
                                                                 &views__schedules_sheet,
                                                                 NULL};

const struct cor_view views__view_tables = {
    .name = "tables",
    .command = "show",
    .summary = "show what was found, beside the published tables",
    .manual =
        "Prints what was found in each arm, Tables 1 and 2 row by row with intervals over suites beside "
        "the published figures (for arms named like the published columns, such as SPADA-F1), failures by "
        "class, the identities that every result file must meet, and which claims of the paper hold. "
        "docs/evidence/statistics.md defines every figure.",
    .options = "intervals level",
    .schema = "corridor-tables",
    .version = 3,
    .sheets = sheets_made,
    .make = make,
};
