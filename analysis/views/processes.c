/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the schedules of an arm of a distributed program amount to. */
#include "processes.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/proportion.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;
    bool is_good;
} outcomes[] = {
#define OUTCOME(NAME, word, is_good) {word, is_good},
    VIEWS__PROCESS_OUTCOMES(OUTCOME)
#undef OUTCOME
};

const char *views__process_outcome_word(enum views__process_outcome outcome) {
    return outcomes[outcome].word;
}

bool views__process_outcome_is_good(enum views__process_outcome outcome) {
    return outcomes[outcome].is_good;
}

static void conclude(struct views__process_arm *arm, double level) {
    arm->outcome = arm->failed > 0 ? arm->has_fault ? VIEWS__PROCESS_FOUND : VIEWS__PROCESS_FAILS
                   : arm->undecided > 0 || arm->untested > 0 || arm->sequences == 0
                       ? VIEWS__PROCESS_NO_VERDICT
                   : arm->has_fault ? VIEWS__PROCESS_NOT_FOUND
                                    : VIEWS__PROCESS_SOUND;
    arm->tone = views__process_outcome_is_good(arm->outcome) ? COR_TONE_GOOD
                : arm->outcome == VIEWS__PROCESS_NO_VERDICT  ? COR_TONE_STRONG
                                                             : COR_TONE_BAD;
    arm->low = arm->high = NAN;
    if (arm->sequences == 0 || arm->is_learnt || arm->is_search)
        return;
    const struct cor_bounds bounds = cor_proportion_clopper_pearson(arm->failed, arm->sequences, level);
    arm->low = 100 * bounds.low;
    arm->high = 100 * bounds.high;
}

uint64_t views__process_judged(const struct cor_layer_tables *process, size_t arm,
                               struct views__process_judged *judged) {
    const size_t known = process->head->catalog_size[COR_PROCESS_CATALOG_CONSTRAINT];
    uint64_t count = 0;
    memset(judged, 0, known * sizeof *judged);
    for (uint64_t i = 0; i < process->count[COR_PROCESS_TABLE_CONSTRAINTS]; i++) {
        const struct cor_process_constraint_row *row =
            cor_layer_row(process, COR_PROCESS_TABLE_CONSTRAINTS, i);
        if (row->arm != arm)
            continue;
        struct views__process_judged *it = judged;
        while (it < judged + count && it->code != row->constraint)
            it++;
        count += it == judged + count;
        it->code = row->constraint;
        it->tested += row->tested;
        it->violated += row->violated;
        it->undecided += row->undecided;
    }
    return count;
}

uint64_t views__process_traps(const struct cor_layer_tables *process, size_t arm,
                              struct views__process_trap *traps) {
    uint64_t count = 0, sequences = 0, next = 0;
    for (uint64_t i = 0; i < process->count[COR_PROCESS_TABLE_TRAPS]; i++) {
        const struct cor_process_trap_row *row = cor_layer_row(process, COR_PROCESS_TABLE_TRAPS, i);
        struct views__process_trap *it = traps;
        if (row->arm != arm)
            continue;
        while (it < traps + count && it->code != row->trap)
            it++;
        if (it == traps + count) {
            count++;
            *it = (struct views__process_trap){
                .code = row->trap, .name = cor_process_name(process, COR_PROCESS_CATALOG_TRAP, row->trap)};
        }
    }
    for (uint64_t i = 0; i < process->count[COR_PROCESS_TABLE_SEQUENCES] && count > 0; i++) {
        const struct cor_process_sequence_row *row = cor_layer_row(process, COR_PROCESS_TABLE_SEQUENCES, i);
        sequences += row->arm == arm;
        for (; next < process->count[COR_PROCESS_TABLE_MET]; next++) {
            const struct cor_process_met_row *met = cor_layer_row(process, COR_PROCESS_TABLE_MET, next);
            if (met->arm != row->arm || met->suite != row->suite || met->sequence != row->sequence)
                break;
            for (uint64_t t = 0; t < count && row->arm == arm; t++)
                if (traps[t].code == met->trap) {
                    traps[t].first = traps[t].met++ == 0 ? sequences : traps[t].first;
                    traps[t].event += met->event;
                }
        }
    }
    for (uint64_t t = 0; t < count; t++)
        traps[t].event = traps[t].met > 0 ? traps[t].event / (double)traps[t].met : NAN;
    return count;
}

void views__process_say_traps(const struct views__process_trap *traps, uint64_t count, char *text,
                              size_t size) {
    uint64_t met = 0;
    for (uint64_t t = 0; t < count; t++)
        met += traps[t].met > 0;
    size_t length = 0;
    text[0] = '\0';
    if (count > 0)
        length = (size_t)snprintf(text, size, "%" PRIu64 " of %" PRIu64 " traps met%s", met, count,
                                  met < count ? "; not reached: " : "");
    bool is_first = true;
    for (uint64_t t = 0; t < count && length < size; t++) {
        if (traps[t].met > 0)
            continue;
        length +=
            (size_t)snprintf(text + length, size - length, "%s%.60s", is_first ? "" : ", ", traps[t].name);
        is_first = false;
    }
}

/* Constraints that no schedule of an arm could have violated: of these nothing was found out. */
static enum cor_status count_untested(const struct cor_layer_tables *process,
                                      struct views__process_arms *arms, struct cor_error *error) {
    struct views__process_judged *judged =
        cor_calloc(process->head->catalog_size[COR_PROCESS_CATALOG_CONSTRAINT], sizeof *judged);
    COR_TRY(cor_made(judged, error));
    for (size_t a = 0; a < arms->count; a++) {
        struct views__process_arm *arm = &arms->items[a];
        arm->constraints = views__process_judged(process, a, judged);
        for (uint64_t c = 0; c < arm->constraints; c++) {
            if (judged[c].tested > 0)
                continue;
            if (arm->untested++ == 0)
                arm->untested_first =
                    cor_process_name(process, COR_PROCESS_CATALOG_CONSTRAINT, judged[c].code);
        }
    }
    free(judged);
    return COR_OK;
}

enum cor_status views__process_arms_init(const struct cor_layer_tables *process, double level,
                                         struct views__process_arms *arms, struct cor_error *error) {
    enum cor_status status = COR_OK;
    bool is_search;
    COR_TRY(views__process_is_search(process, &is_search, error));
    *arms = (struct views__process_arms){.count = cor_arm_count(process->head)};
    COR_TRY(cor_made(arms->items = cor_calloc(arms->count, sizeof *arms->items), error));
    for (size_t a = 0; a < arms->count; a++) {
        arms->items[a].entry = cor_arm_entry(process->head, a);
        arms->items[a].name = arms->items[a].entry->name;
        arms->items[a].is_search = is_search;
        COR_TRY_OUT(cor_arm_has_fault(arms->items[a].entry, &arms->items[a].has_fault, error));
    }
    for (uint64_t i = 0; i < process->count[COR_PROCESS_TABLE_SUITES]; i++) {
        const struct cor_process_suite_row *row = cor_layer_row(process, COR_PROCESS_TABLE_SUITES, i);
        struct views__process_arm *arm = &arms->items[row->arm];
        arm->suites++;
        arm->cases += row->cases;
        arm->events += row->events;
        arm->messages += row->messages;
        arm->ticks += row->ticks;
        arm->seen += row->seen;
    }
    for (uint64_t i = 0; i < process->count[COR_PROCESS_TABLE_SEQUENCES]; i++) {
        const struct cor_process_sequence_row *row = cor_layer_row(process, COR_PROCESS_TABLE_SEQUENCES, i);
        struct views__process_arm *arm = &arms->items[row->arm];
        arm->sequences++;
        arm->failed += row->verdict == COR_VERDICT_FAILED;
        arm->undecided += row->verdict == COR_VERDICT_UNDECIDED;
        arm->cut += row->cut;
        if (arm->tried == 0 && row->verdict == COR_VERDICT_FAILED)
            arm->tried = arm->sequences;
        arm->is_learnt =
            arm->is_learnt ||
            strcmp(cor_process_name(process, COR_PROCESS_CATALOG_GENERATOR, row->generator), "search") == 0;
    }
    COR_TRY_OUT(count_untested(process, arms, error));
    for (size_t a = 0; a < arms->count; a++)
        conclude(&arms->items[a], level);
out:
    if (status != COR_OK)
        views__process_arms_fini(arms);
    return status;
}

void views__process_arms_fini(struct views__process_arms *arms) {
    free(arms->items);
    *arms = (struct views__process_arms){0};
}

void views__process_say(const struct views__process_arm *arm, char *text, size_t size) {
    if (arm->sequences == 0)
        snprintf(text, size, "no verdict: nothing was run");
    else if (arm->failed > 0)
        snprintf(text, size, "%" PRIu64 " of %" PRIu64 " schedules failed, the first after %" PRIu64,
                 arm->failed, arm->sequences, arm->tried);
    else if (arm->undecided > 0)
        snprintf(text, size,
                 "%" PRIu64 " of %" PRIu64 " schedules have no verdict (%" PRIu64
                 " cut short by the limit of events); none failed",
                 arm->undecided, arm->sequences, arm->cut);
    else if (arm->untested > 0)
        snprintf(text, size,
                 "%" PRIu64 " of %" PRIu64 " constraints were put to no test in %" PRIu64
                 " schedules: nothing happened that could have violated %.60s",
                 arm->untested, arm->constraints, arm->sequences, arm->untested_first);
    else
        snprintf(text, size, "no violation in %" PRIu64 " schedules of this profile", arm->sequences);
}

void views__count_processes(const struct views__process_arms *arms, struct cor_view_findings *found) {
    for (size_t a = 0; a < arms->count; a++) {
        const struct views__process_arm *arm = &arms->items[a];
        found->undetected += arm->outcome == VIEWS__PROCESS_NOT_FOUND;
        found->unexpected += !arm->has_fault && arm->failed > 0;
        found->failed += arm->outcome == VIEWS__PROCESS_FAILS || arm->outcome == VIEWS__PROCESS_NOT_FOUND;
        found->undecided += arm->outcome == VIEWS__PROCESS_NO_VERDICT;
    }
}

const struct cor_process_sequence_row *views__process_failure(const struct cor_layer_tables *process,
                                                              size_t arm, uint32_t suite) {
    const struct cor_process_sequence_row *found = NULL;
    for (uint64_t i = 0; i < process->count[COR_PROCESS_TABLE_SEQUENCES]; i++) {
        const struct cor_process_sequence_row *row = cor_layer_row(process, COR_PROCESS_TABLE_SEQUENCES, i);
        if ((arm != SIZE_MAX && row->arm != arm) || (suite != COR_ANY_SUITE && row->suite != suite) ||
            row->verdict != COR_VERDICT_FAILED)
            continue;
        if (row->kept > 0)
            return row;
        found = found ? found : row;
    }
    return found;
}
