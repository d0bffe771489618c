/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks that keep an algorithm from what is not its own, and those of mail. */
#include "internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a strict session may find, by whose check it is. */
enum finding { NOTHING, COUNTERS, HANDLERS, TASK };

static enum finding finding_of(const struct conformance__probe *probe) {
    const struct cor_outcome *outcome = &probe->outcome;
    const char *text = outcome->complaint;
    if (strncmp(text, "it counted ", 11) == 0 || strncmp(text, "it counts, ", 11) == 0 ||
        (outcome->smoke == COR_SMOKE_PEEKED && strstr(text, "the counters")))
        return COUNTERS;
    if (outcome->smoke != COR_SMOKE_PEEKED)
        return NOTHING;
    return strncmp(text, "agent ", 6) == 0 || strstr(text, "of the module") ? HANDLERS : TASK;
}

/* All tasks in strict sessions: what is found that belongs to the check. */
static void try_strictly(struct conformance__probe *probe, enum finding belongs) {
    uint32_t faults = cor_algorithm_fault_count(probe->algorithm);
    if (probe->is_program) {
        conformance__probe_skip(probe, "a program has memory of its own");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < CONFORMANCE__SEEDS; seed++) {
            struct cor_session_definition definition = cor_default_session(probe->algorithm);
            size_t mail = probe->algorithm->wake ? seed % CONFORMANCE__SCHEDULES : 0;
            definition.strict = 1;
            definition.mail = conformance__schedules[mail];
            if (!conformance__probe_try(probe, *n, seed, (uint32_t)(seed % (faults + 1)), mail))
                continue;
            probe->trial.rules.budget = 30; /* strict sessions are slow */
            conformance__probe_fresh(probe, &definition);
            if (finding_of(probe) == belongs)
                conformance__probe_broken(probe, "%s", probe->outcome.complaint);
        }
}

void conformance__check_counters(struct conformance__probe *probe) {
    try_strictly(probe, COUNTERS);
}

void conformance__check_read_only(struct conformance__probe *probe) {
    try_strictly(probe, TASK);
}

static int compare_words(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* A word for the partition of each agent that does not depend on the order of anything: its least member. */
static bool is_moved(const struct conformance__probe *probe) {
    const struct conformance__trial *trial = &probe->trial;
    const struct cor_lists *solution = &probe->outcome.solution;
    uint32_t n = trial->task.agent_count;
    uint32_t *before = malloc(n * sizeof *before), *after = malloc(n * sizeof *after);
    bool moved = solution->block_count != trial->task.block_count || solution->member_count != n;
    COR_ASSERT(before && after);
    for (uint32_t b = 0; !moved && b < solution->block_count; b++) {
        uint32_t size = cor_lists_size(solution, b), other = 0;
        memcpy(after, cor_lists_block(solution, b), size * sizeof *after);
        qsort(after, size, sizeof *after, compare_words);
        moved = true;
        for (; moved && other < trial->task.block_count; other++) {
            uint32_t length = trial->start[other + 1] - trial->start[other];
            memcpy(before, trial->members + trial->start[other], length * sizeof *before);
            qsort(before, length, sizeof *before, compare_words);
            moved = length != size || memcmp(before, after, size * sizeof *after) != 0;
        }
    }
    free(before);
    free(after);
    return moved;
}

void conformance__check_decentralized(struct conformance__probe *probe) {
    uint64_t messages = 0, moved = 0;
    if (!probe->algorithm->wake || probe->is_program) {
        conformance__probe_skip(probe,
                                probe->is_program ? "a program has memory of its own" : "it has no wake()");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < CONFORMANCE__SCHEDULES; seed++) {
            struct cor_session_definition definition = cor_default_session(probe->algorithm);
            definition.mail = conformance__schedules[seed];
            if (!conformance__probe_try(probe, *n, seed, 0, seed))
                continue;
            probe->trial.rules.budget = 100;
            /* Something that is found otherwise, or a difference that nothing was seen to make. */
            uint64_t plain = conformance__probe_fresh(probe, &definition);
            definition.strict = 1;
            uint64_t apart = conformance__probe_fresh(probe, &definition);
            enum finding finding = finding_of(probe);
            if (finding == HANDLERS)
                conformance__probe_broken(probe, "%s", probe->outcome.complaint);
            else if (finding == NOTHING && apart != plain)
                conformance__probe_broken(
                    probe, "the outcome differs when agents are kept apart: something passes between them "
                           "without mail");
            messages += probe->outcome.messages;
            moved += probe->outcome.smoke == COR_SMOKE_NONE && is_moved(probe);
        }
    if (messages == 0 && moved > 0)
        conformance__probe_remark(
            probe, "it sends no mail, and still moves agents in %" PRIu64 " of %" PRIu64 " tasks", moved,
            probe->trials);
}

/* Mail that is lost or comes twice may leave a partitioning with gaps. */
static bool keeps_partitioning(enum cor_mail mode) {
    return mode != COR_MAIL_LOSSY && mode != COR_MAIL_DUPLICATED;
}

static void judge_loosely(struct conformance__probe *probe) {
    const struct cor_outcome *outcome = &probe->outcome;
    if (outcome->smoke != COR_SMOKE_NONE && !conformance__probe_declined(probe))
        conformance__probe_broken(probe, "it ends with smoke: %s",
                                  cor_term_word(COR_FAMILY_SMOKE, (int)outcome->smoke));
}

void conformance__check_mail(struct conformance__probe *probe) {
    if (!probe->algorithm->wake) {
        conformance__probe_skip(probe, "it has no wake()");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < 2 * CONFORMANCE__SCHEDULES; seed++) {
            struct cor_session_definition definition = cor_default_session(probe->algorithm);
            size_t mail = seed % CONFORMANCE__SCHEDULES;
            definition.mail = conformance__schedules[mail];
            if (!conformance__probe_try(probe, *n, seed, 0, mail))
                continue;
            conformance__probe_fresh(probe, &definition);
            if (keeps_partitioning(definition.mail.mode))
                conformance__probe_judge(probe);
            else
                judge_loosely(probe);
        }
}

void conformance__check_restarts(struct conformance__probe *probe) {
    if (!probe->algorithm->restart) {
        conformance__probe_skip(probe, "it has no restart()");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < CONFORMANCE__SCHEDULES; seed++) {
            struct cor_session_definition definition = cor_default_session(probe->algorithm);
            definition.mail = conformance__schedules[seed];
            definition.agents = (struct cor_crash_definition){COR_CRASH_FAULT_CRASHED, 0.05, 3};
            if (!conformance__probe_try(probe, *n, seed, 0, seed))
                continue;
            uint64_t first = conformance__probe_fresh(probe, &definition);
            judge_loosely(probe);
            if (conformance__probe_fresh(probe, &definition) != first)
                conformance__probe_broken(probe, "the same crashes give another outcome the second time");
        }
}
