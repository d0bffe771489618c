/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the verdict on an arm is, and why; as JUnit XML and as TAP. */
#include <corridor/verdicts.h>

#include "test_formats.h"

#include <corridor/cells.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum result { PASSED, FAILED, ERROR, SKIPPED, RESULTS };

static const struct {
    const char *word;
    enum result result;
    const char *kind;
} outcomes[] = {
#define COR_ARM_OUTCOME(NAME, word, result, kind) {word, result, kind},
    COR_ARM_OUTCOMES(COR_ARM_OUTCOME)
#undef COR_ARM_OUTCOME
};

const char *cor_arm_outcome_word(enum cor_arm_outcome outcome) {
    COR_ASSERT(outcome < COR_ARM_OUTCOME_COUNT);
    return outcomes[outcome].word;
}

bool cor_arm_outcome_is_good(enum cor_arm_outcome outcome) {
    COR_ASSERT(outcome < COR_ARM_OUTCOME_COUNT);
    return outcomes[outcome].result == PASSED;
}

static const struct cor_identity_tally *broken_identity(const struct cor_arm_measurement *arm) {
    for (int i = 0; i < COR_IDENTITY_COUNT; i++)
        if (arm->identity[i].broken > 0)
            return &arm->identity[i];
    return NULL;
}

static enum cor_arm_outcome judge(const struct cor_arm_measurement *arm) {
    const char *words[2];
    bool found = cor_found_by(&arm->tally, words) > 0;
    if (arm->suites == 0)
        return COR_ARM_NO_SUITES;
    if (broken_identity(arm))
        return COR_ARM_CONTRADICTION;
    if (!cor_arm_has_fault(arm->entry))
        return found ? COR_ARM_FAILS : COR_ARM_PASSES;
    if (found)
        return COR_ARM_FOUND;
    return arm->tally.activated > 0 ? COR_ARM_NOT_FOUND : COR_ARM_NOT_REACHED;
}

/* One sentence. */
static void explain(const struct cor_arm_measurement *arm, enum cor_arm_outcome outcome, char *text,
                    size_t size) {
    const struct cor_tally *tally = &arm->tally;
    const struct cor_identity_tally *broken = broken_identity(arm);
    const char *by[2];
    size_t count = cor_found_by(tally, by);
    switch (outcome) {
    case COR_ARM_FOUND:
        snprintf(text, size, "fault found by %s%s%s", by[0], count == 2 ? " and " : "",
                 count == 2 ? by[1] : "");
        break;
    case COR_ARM_NOT_FOUND:
        snprintf(text, size,
                 "fault not found: activated in %" PRIu64 " of %" PRIu64
                 " reorganizations, and no check failed",
                 tally->activated, tally->reorganizations);
        break;
    case COR_ARM_NOT_REACHED:
        snprintf(text, size,
                 "fault not reached: never activated in %" PRIu64 " reorganizations; its seam ran %" PRIu64
                 " times, its condition held %" PRIu64,
                 tally->reorganizations, tally->reached_times, tally->held_times);
        break;
    case COR_ARM_PASSES:
        snprintf(text, size, "no fault, and no check failed in %" PRIu64 " reorganizations",
                 tally->reorganizations);
        break;
    case COR_ARM_FAILS:
        snprintf(text, size,
                 "a check failed without a fault: gray %" PRIu64 ", black %" PRIu64 " (smoke %" PRIu64
                 "), agreement %" PRIu64 ", alarms missed %" PRIu64 ", false %" PRIu64,
                 tally->gray, tally->black, cor_tally_smoke(tally), tally->agreement_failed,
                 tally->alarms_missed, tally->alarms_false);
        break;
    case COR_ARM_CONTRADICTION:
        snprintf(text, size,
                 "the rows of this arm contradict each other: %s; broken %" PRIu64 " of %" PRIu64
                 " times (%s)",
                 cor_identity_sentence((enum cor_identity)(broken - arm->identity)), broken->broken,
                 broken->checked, broken->values);
        break;
    default:
        snprintf(text, size, "the file has no suite of this arm");
    }
}

struct cor_arm_verdict cor_arm_verdict(const struct cor_arm_measurement *arm) {
    struct cor_arm_verdict verdict = {.outcome = judge(arm)};
    explain(arm, verdict.outcome, verdict.message, sizeof verdict.message);
    return verdict;
}

struct cor_view_findings cor_verdict_findings(const struct cor_measurement *measurement) {
    struct cor_view_findings findings = {.broken = cor_measurement_broken(measurement)};
    for (size_t a = 0; a < measurement->arm_count; a++) {
        enum cor_arm_outcome outcome = judge(&measurement->arm[a]);
        findings.undetected += outcome == COR_ARM_NOT_FOUND;
        findings.unreached += outcome == COR_ARM_NOT_REACHED;
        findings.unexpected += outcome == COR_ARM_FAILS;
    }
    return findings;
}

/* What both ways of writing say of an arm beside its verdict. */
static const char *const settings[] = {"algorithm", "fault",  "monitor", "adoption",
                                       "result",    "agents", "mail",    NULL};

#define FIGURES 15
struct figure {
    const char *name;
    uint64_t value;
};

static void list_figures(const struct cor_arm_measurement *arm, struct figure figure[FIGURES]) {
    const struct cor_tally *tally = &arm->tally;
    const struct figure figures[FIGURES] = {
        {"suites", arm->suites},
        {"sequences", arm->sequences},
        {"sequences_detecting", arm->sequences_detected},
        {"cases", arm->executed},
        {"reorganizations", tally->reorganizations},
        {"fault_reached", tally->reached},
        {"fault_activated", tally->activated},
        {"gray", tally->gray},
        {"black", tally->black},
        {"masked", tally->masked},
        {"unprovoked", tally->gray_unprovoked + tally->black_unprovoked},
        {"agreement_failed", tally->agreement_failed},
        {"alarms_missed", tally->alarms_missed},
        {"alarms_false", tally->alarms_false},
        {"smoke", cor_tally_smoke(tally)},
    };
    memcpy(figure, figures, sizeof figures);
}

#define FIRST (COR_SENTENCE + 128)

/* The first violation through the first box that saw one, with its place; "" if there is none. */
static void first_violation(const struct cor_arm_measurement *arm, char text[FIRST]) {
    text[0] = 0;
    for (int box = 0; box < COR_BOX_CODES; box++) {
        const struct cor_violation_row *row = &arm->first_violation[box];
        char sentence[COR_SENTENCE];
        if (row->box == 0 || row->box == COR_BOX_INTERIM)
            continue;
        cor_violation_sentence(row, sentence);
        snprintf(text, FIRST, "box %s, suite %" PRIu32 ", sequence %u, case %" PRIu32 ": %s",
                 cor_term_word(COR_FAMILY_BOX, box), row->suite, row->sequence, row->case_, sentence);
        return;
    }
}

/* JUnit XML. */

static void put_properties(const struct cor_arm_measurement *arm, FILE *file) {
    struct figure figures[FIGURES];
    list_figures(arm, figures);
    fputs("      <properties>\n", file);
    for (const char *const *name = settings; *name; name++) {
        char *text = cor_text_under(arm->entry->description, *name);
        if (text)
            cor__put_property(*name, text, file);
        free(text);
    }
    for (size_t i = 0; i < FIGURES; i++) {
        char number[COR_CELL];
        cor_integer_text(figures[i].value, number);
        cor__put_property(figures[i].name, number, file);
    }
    fputs("      </properties>\n", file);
}

/* The message holds the first violation, too: most programs show nothing else. */
static void put_outcome(const struct cor_arm_verdict *verdict, const char *first, FILE *file) {
    static const char *const element[RESULTS] = {
        [FAILED] = "failure", [ERROR] = "error", [SKIPPED] = "skipped"};
    fprintf(file, "      <%s", element[outcomes[verdict->outcome].result]);
    if (outcomes[verdict->outcome].kind)
        cor__put_attribute("type", outcomes[verdict->outcome].kind, file);
    fputs(" message=\"", file);
    cor__put_xml(verdict->message, file);
    if (first[0]) {
        fputs("; ", file);
        cor__put_xml(first, file);
    }
    fputs("\"/>\n", file);
}

static void put_output(const struct cor_arm_verdict *verdict, const char *first, FILE *file) {
    fputs("      <system-out>", file);
    cor__put_xml(verdict->message, file);
    if (first[0]) {
        fputs("\n", file);
        cor__put_xml(first, file);
    }
    fputs("</system-out>\n", file);
}

static void put_case(const struct cor_arm_measurement *arm, const char *experiment, FILE *file) {
    struct cor_arm_verdict verdict = cor_arm_verdict(arm);
    char first[FIRST];
    first_violation(arm, first);
    fputs("    <testcase", file);
    cor__put_attribute("classname", experiment, file);
    cor__put_attribute("name", arm->entry->name, file);
    fputs(">\n", file);
    put_properties(arm, file);
    (outcomes[verdict.outcome].result == PASSED ? put_output : put_outcome)(&verdict, first, file);
    fputs("    </testcase>\n", file);
}

static void put_counts(const struct cor_measurement *measurement, FILE *file) {
    size_t count[RESULTS] = {0};
    for (size_t a = 0; a < measurement->arm_count; a++)
        count[outcomes[judge(&measurement->arm[a])].result]++;
    fprintf(file, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"", measurement->arm_count,
            count[FAILED], count[ERROR], count[SKIPPED]);
}

enum cor_status cor_verdicts_junit(const struct cor_measurement *measurement, FILE *file,
                                   struct cor_error *error) {
    char *named = cor_text_under(measurement->head->experiment, "name");
    const char *experiment = named ? named : "corridor";
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"corridor\"", file);
    put_counts(measurement, file);
    fputs(">\n  <testsuite", file);
    cor__put_attribute("name", experiment, file);
    put_counts(measurement, file);
    fprintf(file,
            ">\n    <properties>\n      <property name=\"seed\" value=\"0x%016" PRIx64 "\"/>\n"
            "      <property name=\"complete\" value=\"%d\"/>\n    </properties>\n",
            measurement->head->seed, measurement->head->complete);
    for (size_t a = 0; a < measurement->arm_count; a++)
        put_case(&measurement->arm[a], experiment, file);
    fputs("  </testsuite>\n</testsuites>\n", file);
    free(named);
    return cor_stream_status(file, error);
}

/* Test Anything Protocol, version 13: https://testanything.org/tap-version-13-specification.html */

static void put_block(const struct cor_arm_measurement *arm, const char *experiment,
                      const struct cor_arm_verdict *verdict, FILE *file) {
    struct figure figures[FIGURES];
    enum result result = outcomes[verdict->outcome].result;
    char first[FIRST];
    list_figures(arm, figures);
    first_violation(arm, first);
    fputs("  ---\n", file);
    cor__put_scalar_text("  ", "message", verdict->message, file);
    if (result == FAILED || result == ERROR)
        cor__put_scalar_text("  ", "severity", result == FAILED ? "fail" : "error", file);
    if (first[0])
        cor__put_scalar_text("  ", "first", first, file);
    cor__put_scalar_text("  ", "experiment", experiment, file);
    cor__put_scalar_text("  ", "arm", arm->entry->name, file);
    for (const char *const *name = settings; *name; name++) {
        char *text = cor_text_under(arm->entry->description, *name);
        if (text)
            cor__put_scalar_text("  ", *name, text, file);
        free(text);
    }
    fputs("  data:\n", file);
    for (size_t i = 0; i < FIGURES; i++)
        fprintf(file, "    %s: %" PRIu64 "\n", figures[i].name, figures[i].value);
    fputs("  ...\n", file);
}

static void put_point(const struct cor_arm_measurement *arm, size_t number, const char *experiment,
                      FILE *file) {
    struct cor_arm_verdict verdict = cor_arm_verdict(arm);
    enum result result = outcomes[verdict.outcome].result;
    fprintf(file, "%s %zu - ", result == PASSED || result == SKIPPED ? "ok" : "not ok", number);
    cor__put_description(arm->entry->name, file);
    if (result == SKIPPED)
        fprintf(file, " # SKIP %s", verdict.message);
    fputc('\n', file);
    put_block(arm, experiment, &verdict, file);
}

enum cor_status cor_verdicts_tap(const struct cor_measurement *measurement, FILE *file,
                                 struct cor_error *error) {
    char *named = cor_text_under(measurement->head->experiment, "name");
    fprintf(file, "TAP version 13\n1..%zu%s\n", measurement->arm_count,
            measurement->arm_count == 0 ? " # SKIP the file has no arms" : "");
    for (size_t a = 0; a < measurement->arm_count; a++)
        put_point(&measurement->arm[a], a + 1, named ? named : "corridor", file);
    free(named);
    return cor_stream_status(file, error);
}
