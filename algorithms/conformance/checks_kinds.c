/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The check of kinds: who promises structures that are no partitionings is shown one and makes one, and reads
 * no more of it than there is. What a kind is, is said here by itself. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"a partitioning", "a covering", "an overlapping structure", "a hierarchy",
                                    "a tree"};

/* The present structure of a trial as one of the kind: the same blocks, where an agent may be in several each
 * with the first member of the next, where they nest two below each. */
struct shown {
    uint32_t *start, *members, *parent; /* owned */
};

static void fini_shown(struct shown *shown) {
    free(shown->start);
    free(shown->members);
    free(shown->parent);
}

static struct shown show_kind(struct cor_task *task, enum cor_organized kind) {
    const uint32_t count = task->block_count;
    const bool nests = kind >= COR_HIERARCHY;
    struct shown shown = {
        .start = cor_calloc(count + (size_t)1, sizeof *shown.start),
        .members = cor_calloc(task->agent_count + (size_t)count, sizeof *shown.members),
        .parent = cor_calloc(count, sizeof *shown.parent),
    };
    COR_ASSERT(shown.start && shown.members && shown.parent);
    for (uint32_t b = 0, at = 0; b < count; b++) {
        for (uint32_t m = task->block_start[b]; m < task->block_start[b + 1]; m++)
            shown.members[at++] = task->members[m];
        if (!nests && count > 1)
            shown.members[at++] = task->members[task->block_start[(b + 1) % count]];
        shown.start[b + 1] = at;
        shown.parent[b] = b == 0 ? COR_NO_BLOCK : (b - 1) / 2;
    }
    task->block_start = shown.start;
    task->members = shown.members;
    task->block_parent = nests ? shown.parent : NULL;
    return shown;
}

/* Whether each block stands below blocks that are there, which end in one without a parent. */
static const char *trouble_of_parents(const struct cor_lists *solution, enum cor_organized kind) {
    uint32_t roots = 0;
    for (uint32_t b = 0; b < solution->block_count; b++) {
        uint32_t at = b, steps = 0;
        for (; at < solution->block_count && steps <= solution->block_count; steps++)
            at = solution->nests ? solution->parent[at] : COR_NO_BLOCK;
        if (steps > solution->block_count)
            return "a block of the solution stands above itself";
        if (at != COR_NO_BLOCK)
            return "a block of the solution stands below one that there is not";
        roots += !solution->nests || solution->parent[b] == COR_NO_BLOCK;
    }
    return kind == COR_TREE && roots != 1 ? "it has not one block without a parent" : NULL;
}

static bool has_children(const struct cor_lists *solution, uint32_t block) {
    for (uint32_t b = 0; solution->nests && b < solution->block_count; b++)
        if (solution->parent[b] == block)
            return true;
    return false;
}

static const char *trouble_of(const struct cor_lists *solution, uint32_t n, enum cor_organized kind) {
    uint32_t *last = cor_calloc(n, sizeof *last), *count = cor_calloc(n, sizeof *count);
    const char *said = NULL;
    COR_ASSERT(last && count);
    for (uint32_t b = 0; b < solution->block_count && !said; b++) {
        if (cor_lists_size(solution, b) == 0 && !has_children(solution, b))
            said = "a block of the solution has neither members nor blocks below it";
        for (uint32_t m = solution->start[b]; m < solution->start[b + 1] && !said; m++) {
            const uint32_t agent = solution->members[m];
            if (agent >= n)
                said = "the solution lists an agent that there is not";
            else if (last[agent] == b + 1)
                said = "a block of the solution lists an agent twice";
            else
                count[agent]++, last[agent] = b + 1;
        }
    }
    for (uint32_t i = 0; i < n && !said; i++) {
        if (count[i] == 0 && kind != COR_OVERLAPPING)
            said = "an agent is missing in the solution";
        if (count[i] > 1 && kind >= COR_HIERARCHY)
            said = "an agent is in several blocks of the solution";
    }
    free(last);
    free(count);
    return !said && kind >= COR_HIERARCHY ? trouble_of_parents(solution, kind) : said;
}

/* Asked twice: as ever, and with its task on pages that end where it ends. */
static void try_kind(struct conformance__probe *probe, enum cor_organized kind) {
    struct cor_session_definition definition = cor_default_session(probe->algorithm);
    struct shown shown = show_kind(&probe->trial.task, kind);
    probe->trial.rules.organized = (uint32_t)kind;
    const uint64_t digest = conformance__probe_fresh(probe, &definition);
    const struct cor_outcome *outcome = &probe->outcome;
    if (!conformance__probe_declined(probe)) {
        const char *said = outcome->smoke != COR_SMOKE_NONE
                               ? "it fails without a word of why, or in another way than by declining"
                               : trouble_of(&outcome->solution, probe->trial.task.agent_count, kind);
        if (said)
            conformance__probe_broken(probe, "asked for %s: %s", words[kind], said);
    }
    definition.strict = !probe->is_program;
    if (conformance__probe_fresh(probe, &definition) != digest)
        conformance__probe_broken(probe, "asked for %s, it gives another outcome where it may only read: %s",
                                  words[kind], outcome->complaint);
    fini_shown(&shown);
}

void conformance__check_kinds(struct conformance__probe *probe) {
    const bool covers = probe->algorithm->capabilities & COR_COVERS,
               nests = probe->algorithm->capabilities & COR_NESTS;
    if (!covers && !nests)
        conformance__probe_skip(probe, "it is neither COR_COVERS nor COR_NESTS");
    for (int kind = COR_COVERING; kind <= COR_TREE; kind++)
        for (const uint32_t *n = conformance__sizes; (kind >= COR_HIERARCHY ? nests : covers) && *n > 0; n++)
            for (uint64_t seed = 0; seed < CONFORMANCE__SEEDS; seed++)
                if (conformance__probe_try(probe, *n, seed, 0, 0))
                    try_kind(probe, (enum cor_organized)kind);
}
