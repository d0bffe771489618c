/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks that hold outcomes against each other: the same task must give the same. */
#include "internal.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdlib.h>

static bool try(struct conformance__probe *probe, uint32_t agents, uint64_t seed,
                struct cor_session_definition *definition) {
    size_t mail = probe->algorithm->wake ? seed % CONFORMANCE__SCHEDULES : 0;
    *definition = cor_default_session(probe->algorithm);
    definition->mail = conformance__schedules[mail];
    /* Faults and schedules take turns over the seeds. */
    const uint32_t fault = (uint32_t)(seed % (cor_algorithm_fault_count(probe->algorithm) + 1));
    return conformance__probe_try(probe, agents, seed, fault, mail);
}

static uint64_t seeds_of(const struct conformance__probe *probe) {
    if (probe->is_program)
        return 2;
    uint64_t faults = cor_algorithm_fault_count(probe->algorithm) + 1,
             all = probe->algorithm->wake ? CONFORMANCE__SCHEDULES : 0;
    uint64_t most = faults > all ? faults : all;
    return most > CONFORMANCE__SEEDS ? most : CONFORMANCE__SEEDS;
}

static void repeat(struct conformance__probe *probe, const struct cor_session_definition *definition) {
    struct cor_session *session = conformance__probe_open(probe, definition);
    uint64_t first = conformance__probe_run(probe, session, &probe->trial);
    if (conformance__probe_run(probe, session, &probe->trial) != first)
        conformance__probe_broken(probe, "the same task gives another outcome the second time");
    uint32_t n = probe->trial.task.agent_count;
    conformance__probe_trouble(probe,
                               conformance__trial_make(&probe->other, probe->algorithm, n > 2 ? n - 2 : n + 3,
                                                       probe->trial.name.seed + 77, &probe->error));
    conformance__probe_run(probe, session, &probe->other);
    if (conformance__probe_run(probe, session, &probe->trial) != first)
        conformance__probe_broken(probe, "the same task gives another outcome after another task");
    cor_session_destroy(session);
    session = conformance__probe_open(probe, definition);
    if (conformance__probe_run(probe, session, &probe->trial) != first)
        conformance__probe_broken(probe, "the same task gives another outcome in a fresh session");
    cor_session_destroy(session);
}

void conformance__check_repeatable(struct conformance__probe *probe) {
    struct cor_session_definition definition;
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < seeds_of(probe); seed++)
            if (try(probe, *n, seed, &definition))
                repeat(probe, &definition);
}

void conformance__check_digests(struct conformance__probe *probe) {
    struct cor_session_definition definition;
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < CONFORMANCE__SEEDS; seed++)
            if (try(probe, *n, seed, &definition)) {
                fprintf(probe->out, "D%016" PRIx64 "\n", conformance__probe_fresh(probe, &definition));
                fflush(probe->out);
            }
}

static void cut_steps(struct conformance__probe *probe, struct cor_session_definition *definition) {
    static const uint64_t slices[] = {1, 7, 64, 399};
    uint64_t whole = conformance__probe_fresh(probe, definition);
    for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
        definition->slice_units = slices[i];
        if (conformance__probe_fresh(probe, definition) != whole)
            conformance__probe_broken(probe,
                                      "steps of at most %" PRIu64 " give another outcome than one of %u",
                                      slices[i], CONFORMANCE__BUDGET);
    }
}

void conformance__check_steps(struct conformance__probe *probe) {
    struct cor_session_definition definition;
    if (!probe->algorithm->step) {
        conformance__probe_skip(probe, "it has no step()");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < seeds_of(probe); seed++)
            if (try(probe, *n, seed, &definition))
                cut_steps(probe, &definition);
}

static void look(struct conformance__probe *probe, struct cor_session_definition *definition) {
    char text[128];
    uint64_t expected = conformance__probe_fresh(probe, definition);
    definition->interim_units = 50;
    uint64_t digest = conformance__probe_fresh(probe, definition);
    if (digest != expected)
        conformance__probe_broken(probe, "the outcome differs when interim solutions are asked for");
    for (size_t i = 0; probe->trial.rules.fault == 0 && i < probe->outcome.interim_count; i++)
        if (conformance__solution_trouble(&probe->outcome.interims[i].solution, probe->trial.task.agent_count,
                                          text, sizeof text))
            conformance__probe_broken(probe, "interim solution %zu, after %" PRIu64 " units: %s", i + 1,
                                      probe->outcome.interims[i].spent, text);
}

void conformance__check_anytime(struct conformance__probe *probe) {
    struct cor_session_definition definition;
    if (!(probe->algorithm->capabilities & COR_ANYTIME)) {
        conformance__probe_skip(probe, "it is not COR_ANYTIME");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < seeds_of(probe); seed++)
            if (try(probe, *n, seed, &definition))
                look(probe, &definition);
}

#define SEQUENCE 4u

/* The reorganizations of a sequence from `first` on: digests. What is kept goes from one to the next. */
static void run_sequence(struct conformance__probe *probe, struct cor_session *session, uint32_t first,
                         uint64_t digests[SEQUENCE]) {
    for (uint32_t i = first; i < SEQUENCE; i++) {
        probe->trial.name.identity = i + 1;
        conformance__probe_trouble(probe,
                                   cor_session_reorganize(session, &probe->trial.task, &probe->trial.name,
                                                          &probe->outcome, &probe->error));
        digests[i] = cor_outcome_digest(&probe->outcome);
    }
}

static void compare_sequences(struct conformance__probe *probe, const char *how, uint32_t first,
                              const uint64_t expected[SEQUENCE], const uint64_t found[SEQUENCE]) {
    for (uint32_t i = first; i < SEQUENCE; i++)
        if (found[i] != expected[i])
            conformance__probe_broken(probe, "reorganization %u of a sequence gives another outcome %s",
                                      i + 1, how);
}

void conformance__check_keeps(struct conformance__probe *probe) {
    struct cor_session_definition definition;
    if (!(probe->algorithm->capabilities & COR_KEEPS)) {
        conformance__probe_skip(probe, "it is not COR_KEEPS");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < seeds_of(probe); seed++)
            if (try(probe, *n, seed, &definition)) {
                uint64_t whole[SEQUENCE], again[SEQUENCE], saved[SEQUENCE];
                struct cor_session_memory memory = {0};
                struct cor_session *session = conformance__probe_open(probe, &definition),
                                   *fresh = conformance__probe_open(probe, &definition);
                run_sequence(probe, session, 0, whole);
                cor_session_restart(session);
                run_sequence(probe, session, 0, again);
                compare_sequences(probe, "when the sequence is run again", 0, whole, again);
                cor_session_restart(session);
                probe->trial.name.identity = 1;
                conformance__probe_trouble(probe, cor_session_reorganize(session, &probe->trial.task,
                                                                         &probe->trial.name, &probe->outcome,
                                                                         &probe->error));
                conformance__probe_trouble(probe, cor_session_save(session, &memory, &probe->error));
                run_sequence(probe, session, 1, again);
                compare_sequences(probe, "when the sequence is run again", 1, whole, again);
                conformance__probe_trouble(probe, cor_session_restore(fresh, &memory, &probe->error));
                run_sequence(probe, fresh, 1, saved);
                compare_sequences(probe, "in a fresh session that got what was kept", 1, whole, saved);
                cor_session_memory_fini(&memory);
                cor_session_destroy(session);
                cor_session_destroy(fresh);
            }
}

/* From some limit on the outcome is the one without limit; below, out of memory. */
static void limit_memory(struct conformance__probe *probe, struct cor_session_definition *definition) {
    uint64_t expected = conformance__probe_fresh(probe, definition);
    bool enough = false, unlimited_memory = probe->outcome.smoke == COR_SMOKE_MEMORY;
    for (size_t limit = 16; limit <= (size_t)64 << 20 && !probe->broken && !unlimited_memory;
         limit = limit * 3 / 2 + 8) {
        definition->memory_limit = limit;
        uint64_t digest = conformance__probe_fresh(probe, definition);
        if (probe->outcome.smoke == COR_SMOKE_MEMORY) {
            if (enough)
                conformance__probe_broken(
                    probe, "out of memory at a limit of %zu bytes, but not at a smaller one", limit);
        } else if (digest != expected) {
            conformance__probe_broken(
                probe,
                "another outcome at a limit of %zu bytes, neither that without a limit nor out of "
                "memory",
                limit);
        } else {
            enough = true;
        }
    }
}

void conformance__check_memory(struct conformance__probe *probe) {
    struct cor_session_definition definition;
    if (probe->is_program) {
        conformance__probe_skip(probe, "a program has memory of its own");
        return;
    }
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        if ((*n == 1 || *n == 5 || *n == 25) && try(probe, *n, *n, &definition))
            limit_memory(probe, &definition);
}
