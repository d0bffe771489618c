/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the verdict on an arm is, and why. */
#include "verdicts.h"

#include <corridor/array.h>
#include <corridor/json.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------ what was asked for */

const char *const cor__verdict_settings[] = {"algorithm", "fault", "monitor", "adoption", NULL};

/* A member of a JSON object that is a text, in memory of its own; NULL if it cannot be had. */
static char *member(const char *json, const char *name) {
    struct cor_json_document *document = NULL;
    struct cor_json root, value;
    const char *text;
    char *copy = NULL;
    if (cor_json_parse(json, "catalog/arm", &document, NULL) != COR_OK)
        return NULL;
    root = cor_json_root(document);
    if (cor_json_find(&root, name, &value) && cor_json_is_string(&value) &&
        cor_json_string(&value, &text, NULL) == COR_OK)
        copy = cor_strdup(text);
    cor_json_destroy(document);
    return copy;
}

char *cor__verdict_setting(const struct cor_arm_tables *arm, const char *name) {
    return member(arm->description, name);
}

char *cor__verdict_experiment(const struct cor_tables *tables) {
    return member(tables->head->experiment, "name");
}

/* Whether the description names a fault of the algorithm, of the monitor or of adoption. */
static bool has_fault(const struct cor_arm_tables *arm) {
    static const char *const faults[] = {"fault", "monitor", "adoption"};
    bool has = false;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char *text = member(arm->description, faults[i]);
        has = has || (text && strcmp(text, "none") != 0);
        free(text);
    }
    return has;
}

/* -------------------------------------------------------------------------------------- verdict */

static const struct cor_identity_tally *broken_identity(const struct cor_arm_tables *arm) {
    for (int i = 0; i < COR_IDENTITY_COUNT; i++)
        if (arm->identity[i].broken > 0)
            return &arm->identity[i];
    return NULL;
}

enum cor_arm_verdict cor_arm_judge(const struct cor_arm_tables *arm) {
    const char *words[2];
    if (arm->suites == 0)
        return COR_ARM_SKIPPED;
    if (broken_identity(arm))
        return COR_ARM_ERROR;
    return has_fault(arm) == (cor_tables_found_by(arm, words) > 0) ? COR_ARM_PASSED : COR_ARM_FAILED;
}

/* ---------------------------------------------------------------------------------------- words */

static uint64_t smoke_count(const struct cor_catch *caught) {
    uint64_t count = 0;
    for (int code = 1; code < COR_ENDING_CODES; code++)
        count += code == COR_SMOKE_NONE ? 0 : caught->smoke[code];
    return count;
}

static void list_figures(const struct cor_arm_tables *arm, struct cor__verdict_figure *figure) {
    const struct cor_catch *caught = &arm->caught;
    const struct cor__verdict_figure figures[COR__VERDICT_FIGURES] = {
        {"suites", arm->suites},
        {"sequences", arm->sequences},
        {"sequences_detecting", arm->sequences_detected},
        {"cases", arm->executed},
        {"reorganizations", caught->reorganizations},
        {"fault_reached", caught->reached},
        {"fault_activated", caught->activated},
        {"gray", caught->gray},
        {"black", caught->black},
        {"masked", caught->masked},
        {"unprovoked", caught->gray_unprovoked + caught->black_unprovoked},
        {"agreement_failed", caught->agreement_failed},
        {"alarms_missed", caught->alarms_missed},
        {"alarms_false", caught->alarms_false},
        {"smoke", smoke_count(caught)},
    };
    memcpy(figure, figures, sizeof figures);
}

/* The first violation through the first box that saw one; interim solutions do not count. */
static void first_violation(const struct cor_arm_tables *arm, char *text, size_t size) {
    text[0] = 0;
    for (int box = 0; box < COR_TABLES_BOXES; box++) {
        const struct cor_violation_row *row = &arm->first_violation[box];
        char sentence[COR_SENTENCE];
        if (row->box == 0 || row->box == COR_BOX_INTERIM)
            continue;
        cor_violation_sentence(row, sentence);
        snprintf(text, size, "box %s, suite %" PRIu32 ", sequence %u, case %" PRIu32 ": %s",
                 cor_term_word(COR_FAMILY_BOX, box), row->suite, row->sequence, row->case_, sentence);
        return;
    }
}

static void explain_found(const struct cor_arm_tables *arm, struct cor__verdict *verdict) {
    const char *words[2];
    size_t count = cor_tables_found_by(arm, words);
    snprintf(verdict->message, sizeof verdict->message, "fault found by %s%s%s", words[0],
             count == 2 ? " and " : "", count == 2 ? words[1] : "");
}

static void explain_missed(const struct cor_arm_tables *arm, struct cor__verdict *verdict) {
    const struct cor_catch *caught = &arm->caught;
    verdict->kind = "not_found";
    if (caught->activated > 0)
        snprintf(verdict->message, sizeof verdict->message,
                 "fault not found: activated in %" PRIu64 " of %" PRIu64
                 " reorganizations, and no check failed",
                 caught->activated, caught->reorganizations);
    else
        snprintf(verdict->message, sizeof verdict->message,
                 "fault not found: never activated in %" PRIu64
                 " reorganizations, its seam reached in %" PRIu64,
                 caught->reorganizations, caught->reached);
}

static void explain_unprovoked(const struct cor_arm_tables *arm, struct cor__verdict *verdict) {
    const struct cor_catch *caught = &arm->caught;
    verdict->kind = "check_failed";
    snprintf(verdict->message, sizeof verdict->message,
             "a check failed without a fault: gray %" PRIu64 ", black %" PRIu64 " (smoke %" PRIu64
             "), agreement %" PRIu64 ", alarms missed %" PRIu64 ", false %" PRIu64,
             caught->gray, caught->black, smoke_count(caught), caught->agreement_failed,
             caught->alarms_missed, caught->alarms_false);
}

static void explain_broken(const struct cor_arm_tables *arm, struct cor__verdict *verdict) {
    const struct cor_identity_tally *tally = broken_identity(arm);
    verdict->kind = "contradiction";
    snprintf(verdict->message, sizeof verdict->message,
             "the rows of this arm contradict each other: %s; broken %" PRIu64 " of %" PRIu64 " times (%s)",
             cor_old_identity_sentence((enum cor_identity)(tally - arm->identity)), tally->broken, tally->checked,
             tally->values);
}

void cor__verdict_explain(const struct cor_arm_tables *arm, struct cor__verdict *verdict) {
    memset(verdict, 0, sizeof *verdict);
    verdict->verdict = cor_arm_judge(arm);
    list_figures(arm, verdict->figure);
    first_violation(arm, verdict->first, sizeof verdict->first);
    bool fault = has_fault(arm);
    if (verdict->verdict == COR_ARM_SKIPPED)
        snprintf(verdict->message, sizeof verdict->message, "the file has no suite of this arm");
    else if (verdict->verdict == COR_ARM_ERROR)
        explain_broken(arm, verdict);
    else if (verdict->verdict == COR_ARM_FAILED && fault)
        explain_missed(arm, verdict);
    else if (verdict->verdict == COR_ARM_FAILED)
        explain_unprovoked(arm, verdict);
    else if (fault)
        explain_found(arm, verdict);
    else
        snprintf(verdict->message, sizeof verdict->message,
                 "no fault, and no check failed in %" PRIu64 " reorganizations", arm->caught.reorganizations);
}
