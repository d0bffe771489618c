/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Identities of agents: who is left when others are taken away draws and crashes as before, wherever the
 * algorithm works. */
#include "local.h"
#include "tests/tasks.h"

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#define AGENTS 30u
#define ROUNDS 50u

static struct test_task task; /* big */
static struct cor_error error;

/* [identity, which is its value] all that the agent met: its draws, and when it was restarted. */
static uint64_t life[AGENTS];

static enum cor_progress wake(const struct cor_agent *me, const struct cor_rules *rules,
                              const struct cor_host *host) {
    uint64_t word = cor_random_word(me->random);
    uint64_t *own = &life[(uint32_t)me->values[0]];
    (void)rules;
    (void)host;
    *own = cor_hash_word(*own, word);
    return COR_CONTINUE;
}

static enum cor_progress restart(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host) {
    uint64_t *own = &life[(uint32_t)me->values[0]];
    (void)rules;
    (void)host;
    *own = cor_hash_word(*own, 1);
    return COR_CONTINUE;
}

static enum cor_progress receive(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host, const struct cor_message *message) {
    (void)me;
    (void)rules;
    (void)host;
    (void)message;
    return COR_DONE;
}

static enum cor_progress result(void *state, const struct cor_task *present, const struct cor_host *host) {
    (void)state;
    host->put_block(host, present->members, present->agent_count);
    return COR_DONE;
}

static const struct cor_algorithm hermits = {
    COR_ALGORITHM,   .name = "hermits", .version = "1",     .summary = "a sample", .budget_unit = "rounds",
    .agent_size = 8, .wake = wake,      .receive = receive, .restart = restart,    .result = result};

static struct cor_session *opened(const struct cor_session_definition *definition) {
    struct cor_session *session;
    error = COR_NO_ERROR;
    if (cor_session_create(definition, &session, &error) != COR_OK)
        fail_msg("%s", error.cause);
    return session;
}

static uint64_t outcome_of(struct cor_session *session) {
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    assert_int_equal(cor_session_reorganize(session, &task.task, &task.name, &outcome, &error), COR_OK);
    assert_int_equal(outcome.smoke, COR_SMOKE_NONE);
    uint64_t digest = cor_hash_word(cor_outcome_digest(&outcome), outcome.fault.reached);
    digest = cor_hash_word(digest, outcome.fault.activated);
    cor_outcome_fini(&outcome);
    return digest;
}

/* The lives of the agents that `identity` names; NULL: of all. */
static void live(struct cor_session *session, const uint32_t *identity, uint32_t count, uint64_t seed) {
    memset(life, 0, sizeof life);
    test_make(&task, &hermits, count, 1, seed);
    task.rules.budget = ROUNDS;
    for (uint32_t i = 0; i < count; i++)
        task.values[i] = identity ? identity[i] : i;
    cor_session_identify(session, identity, AGENTS);
    (void)outcome_of(session);
}

static void who_is_left_draws_and_crashes_as_before(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct cor_session_definition definition = cor_default_session(&hermits);
        struct cor_rng rng = test_rng(seed);
        uint64_t all[AGENTS];
        uint32_t left[AGENTS], count = 0;
        definition.agents = (struct cor_crash_definition){COR_CRASH_FAULT_CRASHED, 0.05, 1 + seed % 4};
        definition.strict = seed % 3 == 0;
        struct cor_session *session = opened(&definition);
        live(session, NULL, AGENTS, seed);
        memcpy(all, life, sizeof all);
        for (uint32_t i = 0; i < AGENTS; i++)
            if (cor_rng_below(&rng, 2) || i + 1 == AGENTS - seed % 5)
                left[count++] = i;
        live(session, left, count, seed);
        for (uint32_t i = 0, at = 0; i < AGENTS; i++) {
            bool stays = at < count && left[at] == i;
            assert_true(stays ? life[i] == all[i] : life[i] == 0);
            at += stays;
        }
        live(session, NULL, AGENTS, seed);
        assert_memory_equal(all, life, sizeof all);
        cor_session_destroy(session);
    }
}

static const struct cor_algorithm *spada_of(struct cor_registry *registry) {
    const struct cor_algorithm *spada;
    assert_int_equal(cor_registry_find(registry, "spada", &spada, &error), COR_OK);
    return spada;
}

/* In this process, strict and in a cell; by indices, indices as identities, and other ones. */
static void identities_hold_wherever_the_algorithm_works(void **state) {
    (void)state;
    struct cor_registry *registry;
    uint32_t own[AGENTS], other[AGENTS];
    assert_int_equal(cor_registry_create(NULL, &registry, &error), COR_OK);
    struct cor_session_definition definition = cor_default_session(spada_of(registry));
    definition.agents = (struct cor_crash_definition){COR_CRASH_FAULT_CRASHED, 0.02, 2};
    struct cor_session *here = opened(&definition);
    definition.strict = true;
    struct cor_session *strict = opened(&definition);
    definition.strict = false;
    definition.place = COR_SESSION_IN_CELL;
    struct cor_session *there = opened(&definition), *sessions[] = {here, strict, there};
    for (uint32_t i = 0; i < AGENTS; i++) {
        own[i] = i;
        other[i] = 2 * i + 1;
    }
    test_make(&task, definition.algorithm, AGENTS, 4, 7);
    task.rules.budget = 300;
    uint64_t plain = outcome_of(here), named = 0;
    for (size_t i = 0; i < 3; i++) {
        cor_session_identify(sessions[i], own, AGENTS);
        assert_true(outcome_of(sessions[i]) == plain);
        cor_session_identify(sessions[i], other, 2 * AGENTS);
        uint64_t said = outcome_of(sessions[i]);
        named = i == 0 ? said : named;
        assert_true(said == named && said != plain);
        cor_session_identify(sessions[i], NULL, 0);
        assert_true(outcome_of(sessions[i]) == plain);
        cor_session_destroy(sessions[i]);
    }
    cor_registry_destroy(registry);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_left_draws_and_crashes_as_before),
        cmocka_unit_test(identities_hold_wherever_the_algorithm_works),
    };
    return cmocka_run_group_tests_name("identity", tests, NULL, NULL);
}
